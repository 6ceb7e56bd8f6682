"""Measure how often one changed fact, or a changed form, makes a score fall.

Run: make sensitivity DATA=path [GRADES=folder] [PROVIDER=... MODEL=... YES=1]

A score should fall if a fact is changed, and not if only the form is. JudgeBias asks the same of
judges.

A right answer of two sentences or more is changed: one fact (a number, a name, a denial, an
opposite word, two exchanged things), or only its form (a number in words, the order of the
sentences, filler). The reference is another right answer of two sentences or more to the same
question, or the reference of a grading set. The changed number, name or word stands in the
reference, too. We count how often a score falls by more than FALL.

The seed is fixed: the same files give the same figures. They are written into sensitivity.json,
metrics/README.md and the cards. correctness_estimate was trained on changes of every third
question; these questions are not used here.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from metrics.training import changes, grades
from metrics.training.estimate import collect_questions, has_learned_changes
from metrics.training.text_edits import SENTENCE
from metrics.training.verdicts import Answer, Verdicts, read_verdicts
from metrics.benchmarks import judged
from metrics.benchmarks.pages import GUIDE
from metrics.benchmarks.report import format_table, replace_section
from metrics.benchmarks.series import score_all_ways
from tests.support.project import METRICS, NAMES, ROOT

RESULTS = ROOT / "metrics" / "benchmarks" / "sensitivity.json"
COMMAND = "make sensitivity"
# The fall that counts, on a scale from 0 to 1. The limit is a choice of this benchmark.
FALL = 0.05
# The most cases of each change, and the seed.
MOST, SEED = 200, 0
CHANGES = changes.FACTS | changes.FORMS
CHANGE_NAMES = (*changes.FACTS, *changes.FORMS)
AS_IT_WAS = "as it was"
# The fewest words of a sentence that counts.
LONG_SENTENCE = 4


class RightAnswer(NamedTuple):
    """A right answer of two sentences or more, with its question and references."""

    question: str
    references: tuple[str, ...]
    text: str


class Case(NamedTuple):
    """One right answer, with its text after each change."""

    question: str
    references: tuple[str, ...]
    answer: str
    changed: Mapping[str, str]


def has_two_long_sentences(text: str) -> bool:
    """Return whether a text has two sentences or more of LONG_SENTENCE words."""
    word_counts = [len(sentence.split()) for sentence in SENTENCE.findall(text)]
    long_sentences = [count for count in word_counts if count >= LONG_SENTENCE]
    return len(long_sentences) >= 2


def list_right_answers(
    verdicts: Verdicts, graded: Sequence[grades.Graded]
) -> Iterator[RightAnswer]:
    """Yield right answers whose reference has two sentences or more, too.

    One for each question of the verdicts that the model did not learn changes of, and all of the
    grading sets.
    """
    for number, question in enumerate(collect_questions(verdicts)):
        texts = [text for text in question.right_answers if has_two_long_sentences(text)]
        if not has_learned_changes(number) and len(texts) > 1:
            yield RightAnswer(question.text, (texts[0],), texts[1])
    for row in graded:
        texts = [row.answer, row.references[0]]
        if row.right and all(map(has_two_long_sentences, texts)):
            yield RightAnswer(row.question, row.references, row.answer)


def make_cases(verdicts: Verdicts, graded: Sequence[grades.Graded]) -> list[Case]:
    """Return at most MOST cases of each change, in random order, each for another question."""
    rng = random.Random(SEED)
    used_questions = {kind: set[str]() for kind in CHANGE_NAMES}
    cases = []
    right_answers = list(list_right_answers(verdicts, graded))
    for answer in rng.sample(right_answers, len(right_answers)):
        changed = {}
        for kind, questions in used_questions.items():
            if answer.question in questions or len(questions) == MOST:
                continue
            text = CHANGES[kind](answer.text, answer.references[0], rng)
            if text and text != answer.text:
                changed[kind] = text
                questions.add(answer.question)
        if changed:
            cases.append(Case(answer.question, answer.references, answer.text, changed))
    return cases


def convert_cases(cases: Sequence[Case]) -> Verdicts:
    """Return the cases as verdicts, which scores and judges can read.

    Each change is a system.
    """
    answers = []
    for number, case in enumerate(cases):
        texts = {AS_IT_WAS: case.answer, **case.changed}
        for kind, text in texts.items():
            is_right = kind not in changes.FACTS  # also without a change
            answers.append(Answer(number, kind, text, right=is_right))
    questions = tuple(case.question for case in cases)
    references = tuple(case.references for case in cases)
    return Verdicts((AS_IT_WAS, *CHANGE_NAMES), questions, references, tuple(answers), {}, "")


def count_falls(values: Any, verdicts: Verdicts) -> dict[str, float]:
    """Return how often each change made a score fall by more than FALL.

    Answers without a score do not count.
    """
    unchanged = {}
    for answer, value in zip(verdicts.answers, values, strict=True):
        if answer.system == AS_IT_WAS:
            unchanged[answer.question] = value
    falls: dict[str, list[float]] = {kind: [] for kind in CHANGE_NAMES}
    for answer, value in zip(verdicts.answers, values, strict=True):
        if answer.system == AS_IT_WAS:
            continue
        fall = unchanged[answer.question] - value
        if not np.isnan(fall):
            falls[answer.system].append(fall)

    shares = {}
    for kind, known_falls in falls.items():
        is_large = np.array(known_falls) > FALL
        share = float(is_large.mean()) if known_falls else float("nan")
        shares[kind] = round(share, 3)
    return shares


def format_sensitivity(results: Mapping[str, Any]) -> str:
    """Return the table of the figures in Markdown."""
    counts = results["cases"]
    heads = [f"{kind} ({counts[kind]})" for kind in CHANGE_NAMES]
    rows = []
    for name, shares in results["scores"].items():
        cells = [f"{shares[kind]:.2f}" for kind in CHANGE_NAMES]
        rows.append([f"`{name}`", *cells])
    return format_table(("score", *heads), rows)


def format_card_line(shares: Mapping[str, float]) -> str:
    """Return the line of a card on its score."""
    of_facts = np.mean([shares[kind] for kind in changes.FACTS])
    of_forms = np.mean([shares[kind] for kind in changes.FORMS])
    by_fact = ", ".join(f"{kind} {shares[kind]:.2f}" for kind in changes.FACTS)
    return (
        "If one fact is changed in a right answer of two sentences or more, the score falls by "
        f"over {FALL} in {of_facts:.0%} of cases ({by_fact}). If only the form is changed, "
        f"it falls in {of_forms:.0%} (`{COMMAND}`; all scores: metrics/README.md)."
    )


def build_sensitivity_pages(results: Mapping[str, Any]) -> dict[Path, str]:
    """Return the text that each page must have."""
    sections = {GUIDE: format_sensitivity(results)}
    for module in NAMES:
        score = "rougeL" if module == "rouge" else module
        if score in results["scores"]:
            shares = results["scores"][score]
            sections[METRICS / module / "README.md"] = format_card_line(shares)

    pages = {}
    for path, section in sections.items():
        page = path.read_text("utf-8")
        pages[path] = replace_section(page, "sensitivity", section, COMMAND)
    return pages


def parse_arguments(command: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="PATH",
        help="people's verdicts, in the form of EVOUNA",
    )
    parser.add_argument(
        "--grades",
        type=Path,
        metavar="FOLDER",
        help="grading sets besides (training/grades.py)",
    )
    parser.add_argument(
        "--pages",
        action="store_true",
        help="only write the pages anew, by the figures as they are",
    )
    judged.add_arguments(parser)
    options = parser.parse_args(command)
    if not options.pages and options.data is None:
        parser.error("--data names the file of verdicts (make sensitivity DATA=path)")
    return options


def measure_sensitivity(options: argparse.Namespace) -> dict[str, Any]:
    """Return the number of cases of each change, and the figures of each score."""
    graded = grades.read_grades(options.grades)[0] if options.grades else []
    cases = make_cases(read_verdicts(options.data), graded)
    counts = {}
    for kind in CHANGE_NAMES:
        counts[kind] = sum(kind in case.changed for case in cases)
    verdicts = convert_cases(cases)
    scores = {}
    for series in score_all_ways(verdicts):
        scores[series.name] = count_falls(series.values, verdicts)
    if options.model:
        scores |= measure_judge_sensitivity(options, verdicts)
    return {"cases": counts, "scores": scores}


def measure_judge_sensitivity(
    options: argparse.Namespace, verdicts: Verdicts
) -> dict[str, dict[str, float]]:
    """Return the figures of each judge on a sample. The cost is printed first."""
    sample = judged.draw_sample(options, verdicts)
    figures = {}
    for judge, result in judged.ask_judges(options, sample):
        scores = [row["score"] for row in result["per_example"]]
        values = np.array(scores, dtype=float)  # None becomes NaN
        figures[f"{judge} {judged.name_model(options)}"] = count_falls(values, sample)
    return figures


def main(command: Sequence[str] | None = None) -> int:
    """Measure, write and print the figures."""
    options = parse_arguments(command)
    if not options.pages:
        figures = json.dumps(measure_sensitivity(options), indent=1)
        RESULTS.write_text(f"{figures}\n", "utf-8", newline="\n")
    results = json.loads(RESULTS.read_text("utf-8"))
    print(format_sensitivity(results))
    for path, text in build_sensitivity_pages(results).items():
        path.write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
