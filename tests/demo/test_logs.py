"""Logs of other tools are read as tables, and scored like tables that are made from them by hand.

The logs in `logs/` were written by the tools themselves, which `logs/write_logs.py` runs.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from lens.page.files import files_form
from lens.page.files.files_reading import Files
from lens.page.tab import VisitorFile
from lens.tables import untrusted
from lens.tables.roles import guess_roles
from lens.tables.source_parts import FileOptions
from lens.tables.sources import open_source
from lens.words import speaking

from tests.demo.command_runs import Command, read_report, write_jsonl
from tests.demo.files_visits import read_choices
from tests.support.project import METRICS

Rows = list[dict[str, Any]]
LOGS = Path(__file__).with_name("logs")
TEXT_COLUMNS = ("id", "question", "reference", "prediction")
TEXT_ROLES = {name: name for name in TEXT_COLUMNS}
WHO_QUESTION, BORN_QUESTION, CAPITAL_QUESTION = (
    "Who wrote Emma?",
    "Where was she born?",
    "中国的首都是哪里？",
)
RESPONSE = "It was Jane Austen. #### Austen"
AUSTEN, BEIJING = ["Jane Austen", "Austen"], ["北京", "北京市"]
BRIEF = f"Be brief. {CAPITAL_QUESTION}"
AS_JSON = "JSON: capital of France?"
MODEL = "some-org/parrot"
PROMPTFOO_COLUMNS = ["prompt", "vars", "model", "score", "success", "named", "error"]


@dataclass(frozen=True)
class LogTable:
    """The expected reading of a log.

    Attributes:
        tool: the tool that wrote it.
        further_columns: the columns besides TEXT_COLUMNS.
        texts: id, question, reference and prediction of each row.
    """

    tool: str
    further_columns: list[str]
    texts: list[tuple[Any, ...]]


INSPECT_FACTS = LogTable(
    "inspect_ai",
    ["model", "epoch", "match", "f1", "style.words", "style.polite", "error", "metadata"],
    [
        ("../北京", CAPITAL_QUESTION, BEIJING, ""),
        (2, BORN_QUESTION, "Steventon", None),
        ("emma", WHO_QUESTION, AUSTEN, RESPONSE),
        ("../北京", CAPITAL_QUESTION, BEIJING, ""),
        (2, BORN_QUESTION, "Steventon", "In Bath."),
        ("emma", WHO_QUESTION, AUSTEN, RESPONSE),
    ],
)
PROMPTFOO_FACTS = LogTable(
    "promptfoo",
    PROMPTFOO_COLUMNS,
    [
        (0, WHO_QUESTION, "Jane Austen", RESPONSE),
        (0, WHO_QUESTION, "Jane Austen", RESPONSE),
        (1, BORN_QUESTION, "Steventon", None),
        (1, BORN_QUESTION, "Steventon", None),
        (2, BRIEF, BEIJING, ""),
        (2, BRIEF, BEIJING, ""),
        (3, AS_JSON, ["Paris", "Lutetia"], '{"city": "Paris"}'),
        (3, AS_JSON, ["Paris", "Lutetia"], '{"city": "Paris"}'),
    ],
)
# The expected reading of each log, by the pattern of its path.
TABLES = {
    "lm_eval/*/samples_facts_*": LogTable(
        "lm-evaluation-harness",
        ["model", "filter", "doc", "exact_match"],
        [
            (0, WHO_QUESTION, AUSTEN, "Austen"),
            (1, BORN_QUESTION, ["Steventon"], None),
            (2, CAPITAL_QUESTION, BEIJING, None),
        ],
    ),
    "lm_eval/*/samples_twice_*": LogTable(
        "lm-evaluation-harness",
        ["model", "epoch", "filter", "doc", "bypass"],
        [
            (0, WHO_QUESTION, "Jane Austen", RESPONSE),
            (0, WHO_QUESTION, "Jane Austen", RESPONSE),
            (1, BORN_QUESTION, "Steventon", "In Bath."),
            (1, BORN_QUESTION, "Steventon", "In Bath."),
            (2, CAPITAL_QUESTION, "北京", ""),
            (2, CAPITAL_QUESTION, "北京", ""),
        ],
    ),
    "inspect/facts.eval": INSPECT_FACTS,
    "inspect/facts.json": INSPECT_FACTS,
    "lighteval/**/details_facts_*": LogTable(
        "lighteval",
        ["model", "em", "f1"],
        [
            ("1", BORN_QUESTION, ["Steventon"], "In Bath."),
            ("0", WHO_QUESTION, AUSTEN, RESPONSE),
            ("2", CAPITAL_QUESTION, BEIJING, ""),
        ],
    ),
    "lighteval/**/details_twice_*": LogTable(
        "lighteval",
        ["model", "epoch", "specific", "avg@n:n=2"],
        [
            ("1", BORN_QUESTION, ["Steventon"], "In Bath."),
            ("1", BORN_QUESTION, ["Steventon"], "In Bath."),
            ("0", WHO_QUESTION, AUSTEN, RESPONSE),
            ("0", WHO_QUESTION, AUSTEN, RESPONSE),
            ("2", CAPITAL_QUESTION, BEIJING, ""),
            ("2", CAPITAL_QUESTION, BEIJING, ""),
        ],
    ),
    "promptfoo/facts.json": PROMPTFOO_FACTS,
    "promptfoo/facts.jsonl": PROMPTFOO_FACTS,
    # A CSV of promptfoo has no assertions, so their references are missing; lists are texts.
    "promptfoo/facts.csv": LogTable(
        "promptfoo",
        PROMPTFOO_COLUMNS,
        [
            (0, WHO_QUESTION, "Jane Austen", RESPONSE),
            (0, WHO_QUESTION, "Jane Austen", RESPONSE),
            (1, BORN_QUESTION, None, None),
            (1, BORN_QUESTION, None, None),
            (2, BRIEF, None, ""),
            (2, BRIEF, None, ""),
            (3, AS_JSON, "Paris,Lutetia", '{"city":"Paris"}'),
            (3, AS_JSON, "Paris,Lutetia", '{"city":"Paris"}'),
        ],
    ),
}


def find_log(pattern: str) -> Path:
    """Return the path of the only log that a pattern matches."""
    (path,) = LOGS.glob(pattern)
    return path


def read_log_rows(path: Path, filter_name: str | None = None) -> Rows:
    """Return the rows of a log.

    Args:
        path: the path of the log.
        filter_name: the filter whose rows are returned; None for the first, "" for all.
    """
    return [row for _, _, row in open_source(str(path), FileOptions(filter_name)).rows()]


def send_log(path: Path) -> VisitorFile:
    """Return a log as an uploaded file with all filters. The log is not deleted."""
    return VisitorFile(path.name, untrusted.read_file(path, everything=True)).select_filter("")


def list_models(log: str) -> set[str]:
    """Return the names of the models in a log."""
    return {row["model"] for row in read_log_rows(find_log(log))}


def write_by_hand(path: Path, log: LogTable, rows: Rows) -> Path:
    """Write a table as a user would make it from a log by hand, with the log's model names."""
    by_hand: Rows = []
    for texts, row in zip(log.texts, rows, strict=True):
        by_hand.append(dict(zip(TEXT_COLUMNS, texts, strict=True)))
        if "model" in row:
            by_hand[-1]["model"] = row["model"]
    return write_jsonl(path, by_hand)


@pytest.mark.parametrize("pattern", TABLES)
def test_a_log_is_read_as_rows_and_columns(pattern: str) -> None:
    log = TABLES[pattern]
    rows = read_log_rows(find_log(pattern))
    columns: set[str] = set()
    for row, texts in zip(rows, log.texts, strict=True):
        assert tuple(row[name] for name in TEXT_COLUMNS) == texts
        columns |= row.keys()
    assert columns == {*TEXT_COLUMNS, *log.further_columns}


@pytest.mark.parametrize("pattern", TABLES)
def test_a_log_is_scored_like_a_table_that_is_made_from_it_by_hand(
    pattern: str, tmp_path: Path, score: Command
) -> None:
    log = TABLES[pattern]
    path = find_log(pattern)
    by_hand = write_by_hand(tmp_path / "hand.jsonl", log, read_log_rows(path))
    reports: list[dict[str, Any]] = []
    for file in (path, by_hand):
        report = tmp_path / f"{len(reports)}.json"
        ran = score(file, "--metrics", "lv_eval_f1", "rouge", "--report", report)
        assert ran.code == 0
        assert (f"taken for a log of {log.tool}" in ran.err) == (file == path)
        reports.append(json.loads(json.dumps(read_report(report)).replace(file.name, "")))
    assert reports[0] == reports[1]
    # Only promptfoo's logs have several models, which are systems.
    assert ("systems" in reports[0]) == (log.tool == "promptfoo")


@pytest.mark.parametrize("pattern", TABLES)
def test_the_page_names_the_tool_of_a_log_and_recognises_its_columns(pattern: str) -> None:
    log = TABLES[pattern]
    path = find_log(pattern)
    for language, message in (("en", f"a log of {log.tool}."), ("zh", f"{log.tool} 的日志")):
        with speaking(language):
            sent = send_log(path)
            shown = files_form.show_choices(Files([sent]))
        assert message in shown["status"]

    system = {"system": "model"} if "model" in sent.table.names else {}
    assert guess_roles(sent.table.names).single_columns() == TEXT_ROLES | system
    # If all rows name the same model, the page does not take the column for systems.
    expected: dict[str, Any] = TEXT_ROLES | {
        "prediction": ["prediction"],
        "reference": ["reference"],
    }
    if log.tool == "promptfoo":
        expected |= system
    assert {role: name for role, name in read_choices(shown).items() if name} == expected
    rows = read_log_rows(path)
    for name in TEXT_COLUMNS:
        assert sent.table.columns[name] == [row[name] for row in rows]


def test_the_model_names_of_a_log_are_kept() -> None:
    for log in TABLES:
        if log.startswith(("lm_eval", "lighteval")):
            assert list_models(log) == {MODEL}
    assert list_models("inspect/facts.eval") == {"mockllm/parrot"}
    assert list_models("inspect/facts.json") == {"mockllm/parrot"}
    assert list_models("promptfoo/facts.json") == {MODEL, "parrot"}
    assert list_models("promptfoo/facts.jsonl") == {MODEL, "parrot"}


def test_the_error_of_a_failed_sample_is_kept() -> None:
    (failed,) = [row for row in read_log_rows(find_log("inspect/facts.eval")) if row.get("error")]
    assert failed["error"] == "ValueError('the model is gone')"
    assert failed["epoch"] == 1


@pytest.mark.parametrize(("folder", "model"), [("downloads", None), ("org__other", "org__other")])
def test_the_name_of_a_folder_is_a_model_only_if_it_looks_like_one(
    folder: str, model: str | None, tmp_path: Path
) -> None:
    copy = tmp_path / folder / "samples.jsonl"
    copy.parent.mkdir()
    copy.write_bytes(find_log("lm_eval/*/samples_twice_*").read_bytes())
    assert read_log_rows(copy)[0].get("model") == model


# The filters of a log, and the answers that they found.
STRICT = [("strict", "Austen"), ("strict", None), ("strict", None)]
WHOLE = [("whole", RESPONSE), ("whole", "In Bath."), ("whole", "")]
FILTERED = "lm_eval/*/samples_facts_*"


@pytest.mark.parametrize(
    ("filter_name", "expected"),
    [(None, STRICT), ("strict", STRICT), ("whole", WHOLE), ("", STRICT + WHOLE)],
)
def test_one_filter_is_read_unless_all_are_asked_for(
    filter_name: str | None, expected: list[tuple[str, str | None]]
) -> None:
    rows = read_log_rows(find_log(FILTERED), filter_name)
    assert [(row["filter"], row["prediction"]) for row in rows] == expected


def test_the_command_names_the_filter_that_is_read_and_refuses_an_unknown_one(
    score: Command,
) -> None:
    path = find_log(FILTERED)
    ran = score(path, "--metrics", "lv_eval_f1")
    assert "the samples of “strict” are read, those of “whole” are not" in ran.err
    assert "--filter NAME" in ran.err
    ran = score(path, "--metrics", "lv_eval_f1", "--filter", "no")
    assert ran.code == 2
    assert "no filter “no”. Found: “strict”, “whole”." in ran.err


def test_a_filter_can_be_chosen_on_the_page() -> None:
    shown = files_form.show_choices(Files([send_log(find_log(FILTERED))]))
    assert shown["files"].table.rows == 3
    assert shown["filter"]["visible"]
    assert shown["filter"]["value"] == "0"

    again = files_form.show_filter(shown["files"], "1")
    assert again["files"].table.columns["prediction"] == [RESPONSE, "In Bath.", ""]
    assert again["filter"]["value"] == "1"
    assert "prediction" not in again
    assert "the samples of “whole” are read, those of “strict” are not" in again["status"]

    without_filters = files_form.show_choices(Files([send_log(find_log("inspect/facts.eval"))]))
    assert not without_filters["filter"]["visible"]


def test_the_commands_in_the_guide_to_logs_print_the_shown_output(score: Command) -> None:
    guide = (METRICS / "README.md").read_text("utf-8")
    chapter = guide.split("\n## Logs of other tools\n")[1].split("\n## ")[0]
    recipes = re.findall(r"^python \S+score\.py (\S+)(.*)\n((?:# .*\n)+)", chapter, re.M)
    tools = set()
    for name, options, printed in recipes:
        path = find_log(name)
        tools.add(path.relative_to(LOGS).parts[0])
        ran = score(path, *options.split())
        for line in printed.splitlines():
            assert line.removeprefix("# ") in ran.err + ran.out
    assert tools == {pattern.split("/")[0] for pattern in TABLES}
