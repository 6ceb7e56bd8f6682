"""The metric cards: their outline, examples, inputs, outputs and tables of edge cases.

A new folder in metrics/ is checked without a change here, unless the examples of its card need a
name (`list_more_names`) or a file of the Hub (`write_hub_files`).
"""

import ast
import doctest
import functools
import inspect
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import datasets
import pandas
import pytest
from packaging.specifiers import SpecifierSet

from tests.support import judges
from tests.support.hub import COLORS
from tests.support.judge_server import JudgeServer, tokens, verdict
from tests.support.models import WITH_MODEL, provide_defaults
from tests.support.project import (
    ANSWERS,
    METRICS,
    NAMES,
    ROOT,
    find_file,
    import_file,
    load_cases,
    read_front_matter,
)

DEMO = ROOT / "spaces" / "answer_lens"
OUTLINE = """\
# Metric Card for {name}
## Metric Description
## How to Use
### Inputs
### Output Values
#### Values from Popular Papers
### Examples
### Edge Cases
## Differences from the Original
## How far it agrees with people
## Limitations and Bias
## Cost
## Citation"""
LOAD_LINE = '>>> {name} = evaluate.load("metrics/{name}")  # in a clone; "org/{name}" from the Hub'
VERSION_LINE = "Version {version}, as in the signature; the project's CHANGELOG says what changed."
MOST_LINES = 150
EDGE_CASES = "### Edge Cases"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
PER_EXAMPLE = "With `per_example=True`, for each row:"
ERROR = re.compile(r"(\w+(?:Error|Exception|Warning)): (.*)", re.S)


@functools.cache
def read_card(name: str) -> str:
    return find_file(name, "README.md").read_text("utf-8")


def find_examples(text: str) -> list[str]:
    return [block for kind, block in FENCE.findall(text) if kind == "python"]


def find_section(text: str, heading: str) -> str:
    """Return the text under a heading, including its subsections."""
    level = heading.index(" ")
    lines = FENCE.sub(
        lambda block: re.sub("^#", "\0", block[0], flags=re.M), text
    )  # "#" in a block of code is no heading
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{level}}} |\Z)", lines, re.M | re.S)
    assert found, f"the card has no heading {heading!r}"
    return found[1].replace("\0", "#")


def parse_table(text: str) -> list[dict[str, str]]:
    """Return the rows of all tables in a text as dicts by column."""
    found = []
    for block in re.findall(r"(?:^\|.*\|$\n?)+", FENCE.sub("", text), re.M):
        header, _, *rows = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()
        ]
        for row in rows:
            assert len(row) == len(header), (
                f"a row has {len(row)} cells for {len(header)} columns: {' | '.join(row)}"
            )
            found.append(dict(zip(header, row, strict=True)))
    return found


def strip_code(cell: str) -> str:
    """Return the code in a cell that consists of code only."""
    found = re.fullmatch(r"`` (.+) ``|`([^`]+)`", cell)
    assert found, f"{cell!r} must be code in backticks and nothing else"
    return found[1] or found[2]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_has_the_outline_load_line_and_citation(name: str) -> None:
    text = read_card(name)
    expected = OUTLINE.format(name=name).splitlines()
    assert len(text.splitlines()) <= MOST_LINES, "the card is too long"
    headings = [line for line in FENCE.sub("", text).splitlines() if line in expected]
    assert not [line for line in expected if line not in headings], "the card lacks these headings"
    assert headings == expected, "the headings must be in this order"
    assert VERSION_LINE.format(version=import_file(name, name).VERSION) in text, (
        "the line below the first heading must name the version"
    )
    blocks = [block.splitlines()[:2] for block in find_examples(text)]
    assert blocks[:1] == [[">>> import evaluate", LOAD_LINE.format(name=name)]], (
        "the first ```python block must begin with the line that loads the module"
    )
    assert not re.findall(r"\]\((?!https://)[^)\s]+\)", FENCE.sub("", text)), (
        "other links do not work on the Hub"
    )
    cited = re.search(
        r"^@\w+\{.+title *=.+author *=.+year *=", find_section(text, "## Citation"), re.M | re.S
    )
    assert cited, "the citation must be BibTeX with title, author and year"
    published = parse_table(find_section(text, "#### Values from Popular Papers"))
    assert all(
        list(row) == ["system", "value", "data", "source"] and row["source"] for row in published
    )
    cases = list_edge_cases(name)
    assert cases, f"{EDGE_CASES} has no table"
    assert {tuple(row) for row in cases} == {("input", "call", "result")}, (
        "the table of edge cases must have these columns"
    )


# Examples


def write_hub_files(folder: Path) -> None:
    """Write the files that the examples fetch from the Hub, at their paths on the Hub.

    They are a zip with two rows like those of LV-Eval's hotpotwikiqa_mixup, and a table like
    JudgeBias-DPO-RefFree-testset.
    """
    zipped = folder / "datasets/Infinigence/LVEval/resolve/main/hotpotwikiqa_mixup.zip"
    parquet = folder / "datasets/iknow-lab/JudgeBias-DPO-RefFree-testset/resolve/main/test.parquet"
    for path in (zipped, parquet):
        path.parent.mkdir(parents=True)
    row = {
        "input": "Where is Toronto?",
        "context": "...",
        "answers": ["Canada"],
        "answer_keywords": "Canada",
    }
    with zipfile.ZipFile(zipped, "w") as packed:
        packed.writestr(
            "hotpotwikiqa_mixup/hotpotwikiqa_mixup_16k.jsonl", (json.dumps(row) + "\n") * 2
        )
    of_kind = {
        "error": (106, 98, 131, 102, 119),
        "represent": (114, 117, 98, 115),
    }  # rows of each, as in the original
    kinds = [
        (name, f"{name}_{i}")
        for name, counts in of_kind.items()
        for i, n in enumerate(counts)
        for _ in range(n)
    ]
    rows = pandas.DataFrame(kinds, columns=["perturbation_category", "perturbation_type"])
    rows["prompt"] = [f"Score recipe {i}." for i in rows.index]
    rows["anchor_score"] = 3.0 + rows.index % 3 / 2
    rows.assign(chosen='{"overall_score": 4}', rejected='{"overall_score": 2}').to_parquet(parquet)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_card_run(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    provide_defaults()
    (tmp_path / "metrics").symlink_to(METRICS)
    monkeypatch.chdir(tmp_path)  # the examples save results in the current folder
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)  # the files are local
    write_hub_files(tmp_path / "hub")
    blocks = find_examples(read_card(name))
    assert all(block.startswith(">>> ") for block in blocks), (
        "an example without its output is not checked"
    )
    text = "\n".join(blocks).replace(judges.ADDRESS, judges.start_server().url)
    text = text.replace("https://huggingface.co", str(tmp_path / "hub"))
    result = doctest.DocTestRunner().run(
        doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    )
    assert result.failed == 0, (
        "an example of the card prints something else than the card shows; see the output above"
    )
    assert result.attempted >= 10, (
        f"the card's examples have {result.attempted} lines: ten or more are to show its use"
    )


# Inputs and outputs


@pytest.mark.parametrize("name", NAMES)
def test_the_inputs_of_a_card_equal_those_of_the_code(name: str) -> None:
    rows = parse_table(find_section(read_card(name), "### Inputs"))
    assert {tuple(row) for row in rows} == {("name", "type", "default", "meaning")}, (
        "the table of inputs must have these columns"
    )
    inputs: dict[str, dict[str, str]] = {}
    for row in rows:  # several arguments share one default, or have one each
        names = row["name"].split(", ")
        defaults = row["default"].split(", ")
        defaults *= len(names) if len(defaults) == 1 else 1
        inputs |= {
            strip_code(one): row | {"default": default}
            for one, default in zip(names, defaults, strict=True)
        }
    scorer = judges.load(name)
    parameters = inspect.signature(type(scorer)._compute).parameters.values()
    assert all(one.kind is not one.VAR_KEYWORD for one in parameters), (
        "evaluate's own tests require each by name"
    )
    known = {one.name: one.default for one in parameters if one.name != "self"}
    assert not [argument for argument in known if argument not in inputs], (
        "the card's inputs have no row for these"
    )
    unsaid = [argument for argument in known if argument not in scorer.inputs_description]
    assert not unsaid, f"INPUTS in {name}.py does not say what these are"
    for argument, default in known.items():
        row = inputs[argument]
        if argument in scorer._list_columns():
            assert "list" in row["type"], f"{argument} is a column: its type is a list of something"
            assert row["default"] == ("`None`" if argument in scorer.optional_columns else ""), (
                f"{argument}'s default"
            )
        else:
            said = ast.literal_eval(strip_code(row["default"]))
            assert (said, type(said)) == (default, type(default)), f"{argument}'s default"


# Shared files that add keys to a result.
MAKE_KEYS = {"judge_agreement"}


@pytest.mark.parametrize("name", NAMES)
def test_the_outputs_of_a_card_equal_those_of_the_code(name: str) -> None:
    part = find_section(read_card(name), "### Output Values").partition("#### Values")[0]
    scorer = judges.load(name)
    source = "".join(
        path.read_text("utf-8")
        for path in (METRICS / name).glob("*.py")
        if path.stem in MAKE_KEYS | {name}
    )
    case = {
        key: value for key, value in load_cases(name)[0].items() if key not in ("result", "replies")
    }
    rows = {"predictions": ["a"], "references": ["a"]} if name in ANSWERS else case
    result = scorer.compute(**rows, per_example=True)
    parts = part.split(PER_EXAMPLE)
    assert len(parts) == 2, f"two tables, between them the line {PER_EXAMPLE!r}"
    for text, found in zip(parts, (result, result["per_example"][0]), strict=True):
        listed = [key for row in parse_table(text) for key in re.findall("`([^`]+)`", row["key"])]
        assert len(set(listed)) == len(listed), "a key has two rows"
        assert not set(found) - set(listed), "the card's outputs have no row for these"
        assert [key for key in listed if key not in found and f'"{key}"' not in source] == [], (
            "a listed key is not in the result"
        )
    assert not [key for key in result if key not in scorer.inputs_description], (
        f"INPUTS in {name}.py leaves these out"
    )
    entries = [entry for key in ("by_type", "by_group") for entry in result.get(key, [])[:1]]
    assert [key for entry in entries for key in entry if f"`{key}`" not in read_card(name)] == []


# Edge cases


@functools.cache
def load_once(name: str) -> Any:
    return judges.load(name)


def judge_reply(name: str, reply: Any, **more: Any) -> dict[str, Any]:
    """Return the entry of per_example for a reply of a judge.

    Args:
        name: the judge.
        reply: a text, None, or a list of (token, log-probability).
        more: other settings of the reply.
    """
    with JudgeServer(
        tokens(reply, **more) if isinstance(reply, list) else verdict(reply, **more)
    ) as server:
        settings = {"base_url": server.url, "on_error": "skip", "per_example": True}
        return load_once(name).compute(predictions=["a"], references=["b"], **settings)[
            "per_example"
        ][0]


def compare_pair(chosen: Any, rejected: Any, prompt: str = "P", **settings: Any) -> dict[str, Any]:
    """Return reward_accuracy's result for one pair of texts, with the model of its examples."""
    settings = {"model": "HuggingFaceTB/SmolLM2-135M", "progress": False, **settings}
    result = load_once("reward_accuracy").compute(
        prompts=[prompt], chosen=[chosen], rejected=[rejected], **settings
    )
    return dict(result)


def list_more_names(name: str) -> dict[str, Any]:
    """Return the names that the edge cases of a card use besides those of its module.

    The card explains them.
    """
    names: dict[str, Any] = {
        "compute": load_once(name).compute,
        "judged": functools.partial(judge_reply, name),
    }
    if name == "reward_accuracy":
        names |= {
            "one": compare_pair,
            "logprobs": judges.load(name, config_name="logprobs").compute,
        }
    return names


def list_edge_cases(name: str) -> list[dict[str, str]]:
    """Return the rows of the table of edge cases; [] if the card or the table is missing.

    `test_a_card_has_the_outline_load_line_and_citation` reports a missing one.
    """
    written = (METRICS / name / "README.md").exists() and EDGE_CASES in read_card(name).splitlines()
    return parse_table(find_section(read_card(name), EDGE_CASES)) if written else []


@pytest.mark.parametrize(
    ("name", "row"),
    [
        pytest.param(n, row, id=f"{n}: {next(iter(row.values()))}")
        for n in NAMES
        for row in list_edge_cases(n)
    ],
)
def test_an_edge_case_of_a_card_has_the_result_that_it_shows(
    name: str, row: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)  # one of the cases is a judge without a key
    call = strip_code(row["call"])
    expected = strip_code(row["result"])
    names = vars(import_file(name)) | list_more_names(name)
    if error := ERROR.fullmatch(expected):
        with pytest.raises(Exception) as caught:
            eval(call, names)
        assert type(caught.value).__name__ == error[1]
        assert str(caught.value).startswith(error[2])
    else:
        found = eval(call, names)
        assert is_same(found, ast.literal_eval(expected), 1e-6 if name in WITH_MODEL else 1e-12), (
            found
        )


def is_same(found: Any, expected: Any, tolerance: float) -> bool:
    """Return whether a value equals a literal; numbers may differ by the tolerance."""
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(
            is_same(found[key], expected[key], tolerance) for key in expected
        )
    if isinstance(expected, list | tuple):
        return all(
            is_same(one, other, tolerance) for one, other in zip(found, expected, strict=True)
        )
    if type(expected) in (float, int):
        return type(found) is not bool and abs(found - expected) <= tolerance
    return (found, type(found)) == (expected, type(expected))


# Metadata


@pytest.mark.parametrize("name", [*NAMES, DEMO.name])
def test_the_metadata_of_a_card_are_valid_on_the_hub(name: str) -> None:
    folder = METRICS / name if name in NAMES else DEMO
    text = (DEMO / "README.md").read_text("utf-8") if folder == DEMO else read_card(name)
    data = read_front_matter(text)
    wanted = {*read_front_matter(read_card("bleu"))} - {"tags", "description"}
    assert not wanted - {*data}, "the card must begin with these keys between two lines of ---"
    assert data["title"].strip()
    assert len(data["emoji"]) in (1, 2), "one emoji, with or without its variation selector"
    assert not data["emoji"].isascii()
    assert {data["colorFrom"], data["colorTo"]} <= COLORS
    assert data["sdk"] == "gradio"
    assert data["pinned"] is False
    assert data["license"] == "apache-2.0"
    assert (folder / data["app_file"]).is_file()
    assert {"evaluate", "metric"} <= set(data["tags"])
    assert 0 < len(data["short_description"]) <= 60
    assert folder == DEMO or data["description"].strip()
    (required,) = re.findall(
        r"^gradio(>=[\d.]+,<\d+)$", (ROOT / "requirements.txt").read_text("utf-8"), re.M
    )
    assert SpecifierSet(required).contains(data["sdk_version"])
    assert data["sdk_version"] == read_front_matter(read_card("bleu"))["sdk_version"], (
        "all cards must name the same version"
    )
