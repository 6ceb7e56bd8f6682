"""`make sensitivity`: how scores react to one changed fact in an answer."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from metrics.benchmarks import sensitivity, series
from metrics.training import changes
from metrics.training.grades import Graded
from metrics.training.verdicts import Answer, Verdicts, read_verdicts

TEXT = (
    "The Eiffel Tower in Paris opened in 1889 for the large fair. In Rome the old "
    "Colosseum was done with 3 tiers."
)


@pytest.mark.parametrize("kind", [*changes.FACTS, *changes.FORMS])
def test_each_kind_of_change_alters_a_text_equally_with_equal_seeds(kind: str) -> None:
    change = (changes.FACTS | changes.FORMS)[kind]
    changed = change(TEXT, TEXT, random.Random(1))
    assert changed
    assert changed != TEXT
    assert changed == change(TEXT, TEXT, random.Random(1))
    assert len(changed.split()) >= len(TEXT.split())


def test_a_text_without_a_fact_of_the_reference_is_not_changed() -> None:
    rng = random.Random(0)
    assert changes.change_number("It opened in 1889.", "It opened at some time.", rng) is None
    assert changes.reorder_sentences("One sentence.", "", rng) is None


def test_the_number_of_a_line_is_not_changed() -> None:
    lines = "1. The tower stands.\n2) The fair is over.\n(3) It is done."
    assert changes.change_number(lines, lines, random.Random(0)) is None
    assert changes.change_number("3.5 metres high", "3.5 metres", random.Random(0))


def test_a_sentence_that_denies_is_not_denied_once_more() -> None:
    denied = "The council does not have troops of its own."
    assert changes.deny_sentence(denied, denied, random.Random(0)) is None
    both = f"{denied} Its member states are asked for troops."
    changed = changes.deny_sentence(both, both, random.Random(0))
    assert changed
    assert changed.startswith(denied)


def test_only_names_are_exchanged() -> None:
    lines = "Control Plane:\nThe plane sets the rules.\nIt is fast, and it is small."
    assert changes.swap_facts(lines, lines, random.Random(0)) is None
    protocol = "It is the Dynamic Host Configuration Protocol of the net."
    assert changes.swap_facts(protocol, protocol, random.Random(0)) is None
    exchanged = changes.swap_facts("Ask Ann or Bob.", "Ann and Bob", random.Random(0))
    assert exchanged == "Ask Bob or Ann."


def test_each_kind_of_change_has_one_case_per_question(tmp_path: Path) -> None:
    graded = []
    for word in ("old", "tall", "iron"):
        answer = f"{TEXT} It is {word}."
        graded.append(Graded("set", "what opened", (TEXT,), answer, right=True))
    cases = sensitivity.make_cases(read_verdicts(write_verdicts(tmp_path)), graded)
    for kind in changes.FACTS:
        questions = [case.question for case in cases if kind in case.changed]
        assert questions.count("what opened") == 1


def test_counted_falls_equal_those_counted_by_hand() -> None:
    """A fall of 0.06 counts, one of 0.04 does not, and an answer without a score is left out."""
    answers = (
        Answer(0, sensitivity.AS_IT_WAS, "", right=True),
        Answer(0, "number", "", right=True),
        Answer(0, "order", "", right=True),
        Answer(1, sensitivity.AS_IT_WAS, "", right=True),
        Answer(1, "number", "", right=True),
        Answer(1, "not", "", right=True),
    )
    scores = [0.9, 0.84, 0.86, 0.5, 0.6, math.nan]
    verdicts = Verdicts(
        systems=(),
        questions=("", ""),
        references=(("",), ("",)),
        answers=answers,
        left_out={},
        digest="",
    )
    shares = sensitivity.count_falls(scores, verdicts)
    assert shares["number"] == 0.5
    assert shares["order"] == 0.0
    assert math.isnan(shares["not"])


def write_verdicts(folder: Path) -> Path:
    """Write a file in the format of EVOUNA with long right answers and return its path."""
    rows = []
    for year in range(1880, 1892):
        row = {
            "question": f"what opened in {year}",
            "golden_answer": "the tower",
            "answer_a": TEXT.replace("1889", str(year)),
            "judge_a": True,
            "answer_b": f"It was the tower, in {year}. It stands in Paris to this day.",
            "judge_b": True,
            "improper": False,
        }
        rows.append(row)
    path = folder / "verdicts.json"
    path.write_text(json.dumps(rows), "utf-8")
    return path


def test_the_command_writes_figures_and_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build_page(results: dict[str, Any]) -> dict[Path, str]:
        return {tmp_path / "page.md": sensitivity.format_sensitivity(results)}

    def score_two_ways(verdicts: Verdicts) -> list[series.Series]:
        modules = ("bleu", "correctness_estimate")
        ways = tuple(way for way in series.WAYS if way.module in modules)
        return series.score_all_ways(verdicts, ways)

    monkeypatch.setattr(sensitivity, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(sensitivity, "build_sensitivity_pages", build_page)
    monkeypatch.setattr(sensitivity, "score_all_ways", score_two_ways)
    assert sensitivity.main(["--data", str(write_verdicts(tmp_path))]) == 0
    results = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert set(results["scores"]) == {"bleu", "correctness_estimate"}
    assert results["cases"]["number"]
    assert results["scores"]["correctness_estimate"]["not"] > 0.5
    assert "`bleu`" in (tmp_path / "page.md").read_text("utf-8")


def test_the_pages_show_the_stored_figures() -> None:
    results = json.loads(sensitivity.RESULTS.read_text("utf-8"))
    stale = []
    for path, text in sensitivity.build_sensitivity_pages(results).items():
        if path.read_text("utf-8") != text:
            stale.append(path)
    assert not stale, "python -m metrics.benchmarks.sensitivity --pages writes them anew"
