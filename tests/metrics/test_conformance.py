"""Scores equal those of LV-Eval's code row by row: on shared rows if present, and on examples."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from tests.support.project import DATA_BESIDE_PROJECT, NAMES, ROOT, import_file, read_shared_rows

# Test files that test all modules.
OF_ALL = ("test_cards.py", "test_inputs.py", "test_loader.py")

# The settings that correspond to each function of the original.
SETTINGS: dict[str, dict[str, Any]] = {
    "qa_f1_score": {"language": "en", "keyword_gate": False},
    "qa_f1_score_with_gold_ans": {"language": "en"},
    "qa_f1_zh_score": {"language": "zh", "keyword_gate": False},
    "qa_f1_zh_score_with_gold_ans": {"language": "zh"},
}


def find_largest_difference(
    rows: Iterable[dict[str, Any]], functions_of_original: set[str]
) -> tuple[int, float]:
    """Return the number of rows scored by these functions, and the largest difference from ours."""
    f1 = import_file("lv_eval_f1")
    rouge = import_file("lv_eval_rouge")
    rows = [
        row for row in rows if row["metric"] in functions_of_original and row["score"] is not None
    ]
    differences = []
    for row in rows:
        texts = (row["prediction"], row["reference"])
        settings = SETTINGS.get(row["metric"])
        score = (
            f1.score(*texts, row["answer_keywords"], **settings)
            if settings
            else rouge.score(*texts)
        )
        differences.append(abs(score - row["score"]))
    return len(differences), max(differences)


def test_scores_equal_those_of_the_original_on_every_shared_row() -> None:
    rows = list(read_shared_rows("conformance/lv_eval.jsonl"))
    assert find_largest_difference(rows, set(SETTINGS)) == (4200, 0.0)
    assert find_largest_difference(rows, {"rouge_zh_score_blacklist"}) == (600, 0.0)
    score = import_file("l3score").score_top_logprobs
    rows = list(read_shared_rows("conformance/l3score.jsonl"))
    assert len(rows) == 400
    assert max(abs(score(row["top_logprobs"]) - row["score"]) for row in rows) <= 1e-12


def test_scores_of_our_examples_equal_those_of_the_original() -> None:
    """Expected: metrics.py of infinigence/LVEval at 63e7ae9, with jieba 0.42.1 and rouge 1.0.1."""
    lines = (ROOT / "tests" / "support" / "data" / "lv_eval.jsonl").read_text("utf-8").splitlines()
    everything = {*SETTINGS, "rouge_zh_score_blacklist"}
    rows, difference = find_largest_difference(map(json.loads, lines), everything)
    assert rows == len(lines) > 60
    assert difference <= 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_every_module_has_its_own_tests(name: str) -> None:
    others = [
        path for path in (ROOT / "tests" / "metrics").glob("test_*.py") if path.name not in OF_ALL
    ]
    own = [
        path.name for path in others if name in path.name or f'"{name}"' in path.read_text("utf-8")
    ]
    assert own, (
        f"write tests/metrics/test_{name}.py: fractions by hand, the original's scores, a slow "
        "obvious version"
    )


def test_word_lists_equal_those_of_the_original() -> None:
    path = DATA_BESIDE_PROJECT / "conformance" / "lv_eval_words.json"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    words = json.loads(path.read_text("utf-8"))
    f1 = import_file("lv_eval_f1")
    assert set(words["blacklist_en"]) == f1.BLACKLIST_EN
    for module in (f1, import_file("lv_eval_rouge")):
        assert set(words["blacklist_zh"]) == module.BLACKLIST_ZH
        assert words["punctuation_zh"] == module.PUNCTUATION_ZH
