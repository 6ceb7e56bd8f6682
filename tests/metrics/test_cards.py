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
from tests.support.judge_server import JudgeServer, make_tokens, make_verdict
from tests.support.models import WITH_MODEL, provide_defaults
from tests.support.project import (
    ANSWER_METRICS,
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
    # "#" in a block of code is no heading.
    lines = FENCE.sub(lambda block: re.sub("^#", "\0", block[0], flags=re.M), text)
    section = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{level}}} |\Z)", lines, re.M | re.S)
    assert section, f"the card has no heading {heading!r}"
    return section[1].replace("\0", "#")


def parse_table(text: str) -> list[dict[str, str]]:
    """Return the rows of all tables in a text as dicts by column."""
    rows = []
    # Lines that begin and end with |, one after another.
    for table in re.findall(r"(?:^\|.*\|$\n?)+", FENCE.sub("", text), re.M):
        header, _dashes, *lines = map(split_table_line, table.splitlines())
        for cells in lines:
            assert len(cells) == len(header), f"a row has {len(cells)} cells: {' | '.join(cells)}"
            rows.append(dict(zip(header, cells, strict=True)))
    return rows


def split_table_line(line: str) -> list[str]:
    """Return the cells of a line of a table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def strip_code(cell: str) -> str:
    """Return the code in a cell that consists of code only."""
    code = re.fullmatch(r"`` (.+) ``|`([^`]+)`", cell)
    assert code, f"{cell!r} must be code in backticks and nothing else"
    return code[1] or code[2]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_has_the_headings_of_the_outline_and_links_that_work(name: str) -> None:
    text = read_card(name)
    outline = OUTLINE.format(name=name).splitlines()
    assert len(text.splitlines()) <= MOST_LINES, "the card is too long"
    without_code = FENCE.sub("", text)
    headings = [line for line in without_code.splitlines() if line in outline]
    assert headings == outline, "the card must have these headings, in this order"
    relative = re.findall(r"\]\((?!https://)[^)\s]+\)", without_code)
    assert not relative, "other links do not work on the Hub"


@pytest.mark.parametrize("name", NAMES)
def test_a_card_has_the_version_the_load_line_and_the_citation(name: str) -> None:
    text = read_card(name)
    version_line = VERSION_LINE.format(version=import_file(name, name).VERSION)
    assert version_line in text, "the line below the first heading must name the version"
    first_lines = find_examples(text)[0].splitlines()[:2]
    assert first_lines == [">>> import evaluate", LOAD_LINE.format(name=name)], (
        "the first ```python block must begin with the line that loads the module"
    )
    citation = find_section(text, "## Citation")
    assert re.search(r"^@\w+\{.+title *=.+author *=.+year *=", citation, re.M | re.S), (
        "the citation must be BibTeX with title, author and year"
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_tables_of_a_card_have_the_columns_that_are_expected(name: str) -> None:
    for row in parse_table(find_section(read_card(name), "#### Values from Popular Papers")):
        assert list(row) == ["system", "value", "data", "source"]
        assert row["source"]
    cases = list_edge_cases(name)
    assert cases, f"{EDGE_CASES} has no table"
    columns = {tuple(row) for row in cases}
    assert columns == {("input", "call", "result")}, "the columns of the table of edge cases"


# Examples


# How many rows each type of change has in the original, by its category.
ROWS_OF_KIND = {
    "error": (106, 98, 131, 102, 119),
    "represent": (114, 117, 98, 115),
}


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
    kinds = []
    for name, counts in ROWS_OF_KIND.items():
        for number, count in enumerate(counts):
            kinds += [(name, f"{name}_{number}")] * count
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
    inputs = read_inputs(read_card(name))
    scorer = judges.load(name)
    parameters = dict(inspect.signature(type(scorer)._compute).parameters)
    del parameters["self"]
    kinds = {parameter.kind for parameter in parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds, "evaluate's own tests require each by name"
    assert not parameters.keys() - inputs.keys(), "the card's inputs have no row for these"
    unsaid = [argument for argument in parameters if argument not in scorer.inputs_description]
    assert not unsaid, f"INPUTS in {name}.py does not say what these are"
    for argument, parameter in parameters.items():
        row = inputs[argument]
        if argument in scorer._list_columns():
            assert "list" in row["type"], f"{argument} is a column: its type is a list of something"
            default = "`None`" if argument in scorer.optional_columns else ""
            assert row["default"] == default, f"{argument}'s default"
        else:
            shown = ast.literal_eval(strip_code(row["default"]))
            expected = parameter.default
            assert (shown, type(shown)) == (expected, type(expected)), f"{argument}'s default"


def read_inputs(card: str) -> dict[str, dict[str, str]]:
    """Return the row of each argument in a card's table of inputs.

    Arguments in one row share a default, or have one each.
    """
    inputs = {}
    for row in parse_table(find_section(card, "### Inputs")):
        assert tuple(row) == ("name", "type", "default", "meaning"), "the columns of the inputs"
        names = row["name"].split(", ")
        defaults = row["default"].split(", ")
        if len(defaults) == 1:
            defaults *= len(names)
        for argument, default in zip(names, defaults, strict=True):
            inputs[strip_code(argument)] = row | {"default": default}
    return inputs


# Shared files that add keys to a result.
RESULT_FILES = {"judge_agreement"}


@pytest.mark.parametrize("name", NAMES)
def test_the_outputs_of_a_card_equal_those_of_the_code(name: str) -> None:
    part, _, _ = find_section(read_card(name), "### Output Values").partition("#### Values")
    scorer = judges.load(name)
    source = read_source_of_keys(name)
    result = scorer.compute(**make_call_columns(name), per_example=True)
    parts = part.split(PER_EXAMPLE)
    assert len(parts) == 2, f"two tables, between them the line {PER_EXAMPLE!r}"
    for text, entry in zip(parts, (result, result["per_example"][0]), strict=True):
        listed = list_keys(text)
        assert len(set(listed)) == len(listed), "a key has two rows"
        assert not set(entry) - set(listed), "the card's outputs have no row for these"
        # A weak check: a key that this result lacks must at least stand in the source.
        absent = [key for key in listed if key not in entry]
        assert not [key for key in absent if f'"{key}"' not in source], "keys of no result"
    unsaid = [key for key in result if key not in scorer.inputs_description]
    assert not unsaid, f"INPUTS in {name}.py leaves these out"
    for groups in ("by_type", "by_group"):
        for entry in result.get(groups, [])[:1]:
            assert not [key for key in entry if f"`{key}`" not in read_card(name)]


def read_source_of_keys(name: str) -> str:
    """Return the source of the files that make the keys of a module's result."""
    paths = [METRICS / name / f"{stem}.py" for stem in (*RESULT_FILES, name)]
    return "".join(path.read_text("utf-8") for path in paths if path.exists())


def make_call_columns(name: str) -> dict[str, Any]:
    """Return the columns of a call of a module."""
    if name in ANSWER_METRICS:
        return {"predictions": ["a"], "references": ["a"]}
    case = load_cases(name)[0]
    return {key: value for key, value in case.items() if key not in ("result", "replies")}


def list_keys(text: str) -> list[str]:
    """Return the keys in a table of outputs; a row may have several."""
    keys = []
    for row in parse_table(text):
        keys += re.findall("`([^`]+)`", row["key"])
    return keys


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
    make_reply = make_tokens if isinstance(reply, list) else make_verdict
    with JudgeServer(make_reply(reply, **more)) as server:
        result = load_once(name).compute(
            predictions=["a"],
            references=["b"],
            base_url=server.url,
            on_error="skip",
            per_example=True,
        )
    entry: dict[str, Any] = result["per_example"][0]
    return entry


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

    `test_the_tables_of_a_card_have_the_columns_that_are_expected` reports a missing one.
    """
    if not (METRICS / name / "README.md").exists():
        return []
    card = read_card(name)
    if EDGE_CASES not in card.splitlines():
        return []
    return parse_table(find_section(card, EDGE_CASES))


def list_all_edge_cases() -> list[Any]:
    """Return the rows of all cards as parameters, with the input of each as its name."""
    cases = []
    for name in NAMES:
        for row in list_edge_cases(name):
            first_cell = next(iter(row.values()))
            cases.append(pytest.param(name, row, id=f"{name}: {first_cell}"))
    return cases


@pytest.mark.parametrize(("name", "row"), list_all_edge_cases())
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
        result = eval(call, names)
        tolerance = 1e-6 if name in WITH_MODEL else 1e-12
        assert is_same(result, ast.literal_eval(expected), tolerance), result


def is_same(value: Any, expected: Any, tolerance: float) -> bool:
    """Return whether a value equals a literal; numbers may differ by the tolerance."""
    if isinstance(expected, dict):
        return value.keys() == expected.keys() and all(
            is_same(value[key], expected[key], tolerance) for key in expected
        )
    if isinstance(expected, list | tuple):
        return all(
            is_same(entry, expected_entry, tolerance)
            for entry, expected_entry in zip(value, expected, strict=True)
        )
    if type(expected) in (float, int):
        return type(value) is not bool and abs(value - expected) <= tolerance
    return (value, type(value)) == (expected, type(expected))


# Metadata


@pytest.mark.parametrize("name", [*NAMES, DEMO.name])
def test_the_metadata_of_a_card_are_valid_on_the_hub(name: str) -> None:
    folder = METRICS / name if name in NAMES else DEMO
    text = (DEMO / "README.md").read_text("utf-8") if folder == DEMO else read_card(name)
    data = read_front_matter(text)
    of_bleu = read_front_matter(read_card("bleu"))
    wanted = of_bleu.keys() - {"tags", "description"}
    assert not wanted - data.keys(), "the card must begin with these keys between two lines of ---"
    # An emoji may have a variation selector.
    assert re.fullmatch(r"[^\x00-\x7f]{1,2}", data["emoji"]), "one emoji"
    assert {data["colorFrom"], data["colorTo"]} <= COLORS
    expected = {"sdk": "gradio", "pinned": False, "license": "apache-2.0"}
    assert judges.select_keys(data, *expected) == expected
    assert (folder / data["app_file"]).is_file()
    assert {"evaluate", "metric"} <= set(data["tags"])
    assert 0 < len(data["short_description"]) <= 60
    described = ["title"] if folder == DEMO else ["title", "description"]
    assert all(data[key].strip() for key in described)
    assert data["sdk_version"] == of_bleu["sdk_version"], "all cards must name the same version"


def test_the_sdk_version_of_the_cards_is_one_that_the_project_admits() -> None:
    requirements = (ROOT / "requirements.txt").read_text("utf-8")
    (admitted,) = re.findall(r"^gradio(>=[\d.]+,<\d+)$", requirements, re.M)
    version = read_front_matter(read_card("bleu"))["sdk_version"]
    assert SpecifierSet(admitted).contains(version)
