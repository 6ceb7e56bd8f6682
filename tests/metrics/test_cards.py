"""The metric cards: one outline, every example run, every edge case of their tables tested, every figure with a source.

A new folder in metrics/ is checked without a change here, unless its card needs a name (`more_names`) or a file of the
Hub (`HUB_FILES`) of its own.
"""

import ast
import contextlib
import doctest
import functools
import inspect
import json
import re
import shutil
import types
import typing
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import datasets
import pandas
import pytest

from tests.benchmarks import pages
from tests.support import judges, web
from tests.support.hub import COLORS
from tests.support.judge_server import JudgeServer, tokens, verdict
from tests.support.models import WITH_MODEL, provide_defaults
from tests.support.project import ANSWERS, METRICS, NAMES, ROOT, VERSION_LINE, cases_of, front_matter, functions

DEMO = ROOT / "spaces" / "answer_lens"
OUTLINE = """\
# Metric Card for {name}
## Metric Description
### One Example by Hand
## How to Use
### Inputs
### Output Values
#### Values from Popular Papers
### Examples
#### English
#### Chinese
#### Several References
#### Why a Row Got Its Score (per_example)
#### Row by Row (add, add_batch)
#### With Other Metrics (combine)
#### Saved (evaluate.save)
### Edge Cases
## Differences from the Original
### From the Code
### From the Paper's Text
## How far it agrees with people
## Limitations and Bias
## Cost
## Citation
## Further References"""
LOAD_LINE = '>>> {name} = evaluate.load("metrics/{name}")  # in a clone; "org/{name}" from the Hub'
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
PER_EXAMPLE = "With `per_example=True`, for each row:"
ERROR = re.compile(r"(\w+(?:Error|Exception|Warning)): (.*)", re.S)


def card(name: str) -> str:
    """Return a card without the metadata of the Hub."""
    return re.sub(r"\A---\n.*?\n---\n", "", (METRICS / name / "README.md").read_text("utf-8"), flags=re.S)


def metadata(folder: Path) -> dict[str, Any]:
    found = front_matter((folder / "README.md").read_text("utf-8"))
    assert found, folder
    return found


def fences(text: str, language: str) -> list[str]:
    """Return the contents of the blocks of this language."""
    return [block for kind, block in FENCE.findall(text) if kind == language]


def headings(text: str) -> list[str]:
    """Return the headings outside of blocks, each with its marks."""
    return re.findall(r"^#+ .*", FENCE.sub("", text), re.M)


def section(text: str, heading: str) -> str:
    """Return what stands under a heading, its own subsections included."""
    level = heading.partition(" ")[0]
    lines = FENCE.sub(lambda block: re.sub("^#", "\0", block[0], flags=re.M), text)  # a # in a block is no heading
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(level)}}} |\Z)", lines, re.M | re.S)
    assert found, heading
    return found[1].replace("\0", "#")


def tables(text: str) -> list[list[dict[str, str]]]:
    """Return the tables of a text, each as its rows by the names of its columns."""
    found = []
    for block in re.findall(r"(?:^\|.*\|$\n?)+", FENCE.sub("", text), re.M):
        header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        assert all(len(row) == len(header) for row in rows), ("a row has another number of cells", rows)
        found.append([dict(zip(header, row, strict=True)) for row in rows])
    return found


def code(cell: str) -> str:
    """Return the text of a cell that is nothing but code."""
    found = re.fullmatch(r"`` (.+) ``|`([^`]+)`", cell)
    assert found, f"{cell!r} is to be code in backticks and nothing else"
    return found[1] or found[2]


def names_in(cell: str) -> list[str]:
    """Return what stands in backticks in the first cell of a table."""
    return re.findall(r"`([^`]+)`", cell)


# The outline


@pytest.mark.parametrize("name", NAMES)
def test_outline(name: str) -> None:
    found, expected = headings(card(name)), OUTLINE.format(name=name).splitlines()
    assert [heading for heading in found if heading in expected] == expected
    chapters = [heading for heading in found if heading.startswith(("# ", "## "))]
    own = [i for i, heading in enumerate(chapters) if heading not in expected]
    between = range(chapters.index("## Differences from the Original"), chapters.index("## Limitations and Bias"))
    assert set(own) <= set(between), [chapters[i] for i in own]


@pytest.mark.parametrize("name", NAMES)
def test_first_line_names_the_version(name: str) -> None:
    lines = [line for line in card(name).splitlines() if line.strip()]
    assert lines[1] == VERSION_LINE.format(version=functions(name, name).VERSION)


@pytest.mark.parametrize("name", NAMES)
def test_only_these_kinds_of_blocks(name: str) -> None:
    text = card(name)
    kinds = Counter(kind for kind, _ in FENCE.findall(text))
    assert set(kinds) == {"python", "text", "bibtex"}
    assert 2 * kinds.total() == len(re.findall("^ *```", text, re.M)), "a block begins or ends with other than ```"
    assert [block for _, block in FENCE.findall(text) if block.endswith("\n\n")] == [], "no empty line before the end"
    lines = [line for block in fences(text, "text") for line in block.splitlines()]
    assert [line for line in lines if columns(line) > 76] == []


def columns(line: str) -> int:
    """Return how wide a line is; a Chinese character takes two columns."""
    return sum(1 + (unicodedata.east_asian_width(character) in "FW") for character in line)


@pytest.mark.parametrize("name", NAMES)
def test_the_example_by_hand_is_a_picture_and_the_code_that_gives_its_number(name: str) -> None:
    part = section(card(name), "### One Example by Hand")
    assert [kind for kind, _ in FENCE.findall(part)][:2] == ["text", "python"]
    first = fences(card(name), "python")[0].splitlines()
    assert first[:2] == [">>> import evaluate", LOAD_LINE.format(name=name)]


@pytest.mark.parametrize("name", NAMES)
def test_links_work_on_the_hub_too(name: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", card(name)))
    assert [target for target in targets if not target.startswith("https://")] == []


# Examples


class Hub(web.Folder):
    """Serves the files that examples fetch from the Hub, and parts of them on request, as the Hub does."""

    def do_GET(self) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            super().do_GET()
            return
        data = Path(self.translate_path(self.path)).read_bytes()
        first, last = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(data[first : last + 1])


def lv_eval_rows(folder: Path) -> None:
    """Write two rows in the form of LV-Eval's hotpotwikiqa_mixup, packed as they are on the Hub."""
    names = ("input", "context", "answers", "answer_keywords", "language")
    texts = [("Who wrote Emma?", "Jane Austen"), ("Where is Toronto?", "Canada")]
    rows = [dict(zip(names, (question, "...", [answer], answer, "en"), strict=True)) for question, answer in texts]
    path = folder / "datasets/Infinigence/LVEval/resolve/main/hotpotwikiqa_mixup.zip"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as packed:
        for length in ("16k", "32k"):
            lines = "".join(json.dumps(row) + "\n" for row in (rows if length == "16k" else rows * 2))
            packed.writestr(f"hotpotwikiqa_mixup/hotpotwikiqa_mixup_{length}.jsonl", lines)


# The kinds of perturbation in JudgeBias-DPO-RefFree-testset, and how many rows have each, as its card says.
JUDGE_BIAS_ROWS = {
    "error": {
        "action_antonym_100pct": 106,
        "all_error_perturbation_15pct": 98,
        "element_substitution_100pct": 131,
        "equipment_substitution_100pct": 102,
        "numerical_perturbation_100pct": 119,
    },
    "represent": {
        "llm_representational_perturbation_15pct": 114,
        "llm_to_formula_100pct": 117,
        "llm_to_iupac_100pct": 98,
        "llm_to_name_100pct": 115,
    },
}


def judge_bias_rows(folder: Path) -> None:
    """Write a table in the form of JudgeBias-DPO-RefFree-testset, with as many rows of each kind."""
    kinds = [(name, kind) for name, counts in JUDGE_BIAS_ROWS.items() for kind, n in counts.items() for _ in range(n)]
    rows = {
        "prompt": [f"Score recipe {i}." for i in range(len(kinds))],
        "chosen": ['{"overall_score": 4}'] * len(kinds),
        "rejected": ['{"overall_score": 2}'] * len(kinds),
        "anchor_score": [3.0 + i % 3 / 2 for i in range(len(kinds))],
        "perturbation_category": [category for category, _ in kinds],
        "perturbation_type": [kind for _, kind in kinds],
    }
    path = folder / "datasets/iknow-lab/JudgeBias-DPO-RefFree-testset/resolve/main/test.parquet"
    path.parent.mkdir(parents=True)
    pandas.DataFrame(rows).to_parquet(path)


# What writes the files that a card's examples fetch from the Hub into a folder, at the paths that they have there.
HUB_FILES: dict[str, Callable[[Path], None]] = {
    "lv_eval_f1": lv_eval_rows,
    "judge_bias": judge_bias_rows,
    "reward_accuracy": judge_bias_rows,
}


@contextlib.contextmanager
def stand_ins(name: str, folder: Path) -> Iterator[dict[str, str]]:
    """Yield what to put in the place of each address in a card's examples: addresses of servers on loopback."""
    addresses = {judges.ADDRESS: judges.server().url}
    if name not in HUB_FILES:
        yield addresses
        return
    HUB_FILES[name](folder)
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(datasets.config, "HF_HUB_OFFLINE", False))  # loopback is all there is
        address = stack.enter_context(web.serving(folder, Hub))
        yield addresses | {"https://huggingface.co": f"http://{address}"}


@pytest.mark.parametrize("name", NAMES)
def test_examples_run(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    provide_defaults()
    shutil.copytree(METRICS, tmp_path / "metrics", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)  # where the examples save their results
    text = card(name)
    assert all(block.startswith(">>> ") for block in fences(text, "python")), "an example is checked with its output"
    examples = only_examples(text)
    with stand_ins(name, tmp_path / "hub") as addresses:
        for address, other in addresses.items():
            examples = examples.replace(address, other)
        test = doctest.DocTestParser().get_doctest(examples, {}, name, f"metrics/{name}/README.md", 0)
        result = doctest.DocTestRunner().run(test)
    assert (result.failed, result.attempted > 10) == (0, True)


def only_examples(text: str) -> str:
    """Return the Python blocks of a text, each on its lines; the other lines empty."""
    kept, inside = [], False
    for line in text.splitlines():
        inside = line == "```python" or (inside and line != "```")
        kept.append(line if inside and line != "```python" else "")
    return "\n".join(kept) + "\n"


# Inputs and outputs


def inputs_of(name: str) -> dict[str, dict[str, str]]:
    """Return the rows of the tables of inputs, by the name of the argument."""
    rows = [row for table in tables(section(card(name), "### Inputs")) for row in table]
    assert all(list(row) == ["name", "type", "default", "meaning"] for row in rows)
    return {names_in(row["name"])[0]: row for row in rows}


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_those_of_the_code(name: str) -> None:
    scorer, inputs = judges.load(name), inputs_of(name)
    names = scorer._columns()
    types_of = typing.get_type_hints(type(scorer)._compute)
    for argument, parameter in inspect.signature(type(scorer)._compute).parameters.items():
        if argument == "self" or parameter.kind is parameter.VAR_KEYWORD:
            continue
        assert argument in inputs, argument
        assert argument in scorer.inputs_description, argument
        row = inputs[argument]
        if argument in names:
            assert "list" in row["type"], argument
            assert row["default"] == ("`None`" if argument in scorer.optional_columns else ""), argument
        else:
            missing = [kind for kind in kinds(types_of[argument]) if not says(row["type"], kind)]
            assert not missing, (argument, row["type"], missing)
            default = ast.literal_eval(code(row["default"]))
            assert (default, type(default)) == (parameter.default, type(parameter.default)), argument
    for argument in scorer.further_settings:
        assert argument in inputs, argument
        assert argument in scorer.inputs_description, argument


def kinds(annotation: Any) -> list[type]:
    """Return the types that a value may have, of those that a table can name."""
    parts = typing.get_args(annotation) if isinstance(annotation, types.UnionType) else (annotation,)
    found = (typing.get_origin(part) or part for part in parts)
    return [part for part in found if part in (bool, int, float, str, list, dict, type(None))]


def says(cell: str, kind: type) -> bool:
    """Return whether a cell names a type: None by itself, str also by the texts that are allowed, in quotes."""
    if kind is type(None):
        return "None" in cell
    return re.search(rf"\b{kind.__name__}\b", cell) is not None or (kind is str and '"' in cell)


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_those_of_the_code(name: str) -> None:
    part = section(card(name), "### Output Values").partition("#### Values")[0]
    assert part.count(PER_EXAMPLE) == 1
    above, below = (tables(text)[0] for text in part.split(PER_EXAMPLE))
    wanted = {"key", "type", "range, direction", "unit", "meaning"}
    assert all(set(row) == wanted for row in [*above, *below])
    scorer, source = judges.load(name), (METRICS / name / f"{name}.py").read_text("utf-8")
    case = {key: value for key, value in cases_of(name)[0].items() if key not in ("result", "replies")}
    rows = {"predictions": ["a"], "references": ["a"]} if name in ANSWERS else case
    result = scorer.compute(**rows, per_example=True)
    for table, keys in ((above, list(result)), (below, list(result["per_example"][0]))):
        listed = [key for row in table for key in names_in(row["key"])]
        assert [key for key, count in Counter(listed).items() if count > 1] == []
        assert set(keys) <= set(listed), set(keys) - set(listed)
        assert [key for key in listed if key not in keys and f'"{key}"' not in source] == [], "not a key of the result"
    assert all(key in scorer.inputs_description for key in result)
    parts = [entry for key in ("by_type", "by_group") for entry in result.get(key, [])[:1]]
    assert [key for entry in parts for key in entry if f"`{key}`" not in card(name)] == []


# Edge cases


def edge_cases(name: str) -> list[dict[str, str]]:
    return tables(section(card(name), "### Edge Cases"))[0]


def every_edge_case() -> Iterator[Any]:
    for name in NAMES:
        with contextlib.suppress(AssertionError):  # the outline's test says what is missing
            for row in edge_cases(name):
                yield pytest.param(name, row, id=f"{name}: {row.get('input', '')}")


@functools.cache
def loaded(name: str) -> Any:
    return judges.load(name)


def judged(name: str, reply: Any, **more: Any) -> dict[str, Any]:
    """Return the entry of per_example for a judge's reply: a text or None, or a list of (token, log-probability)."""
    with JudgeServer(tokens(reply, **more) if isinstance(reply, list) else verdict(reply, **more)) as server:
        settings = {"base_url": server.url, "on_error": "skip", "per_example": True}
        return loaded(name).compute(predictions=["a"], references=["b"], **settings)["per_example"][0]


def more_names(name: str) -> dict[str, Any]:
    """Return what the rows of a card use besides the module's own names; the card says what it is."""
    names: dict[str, Any] = {"compute": loaded(name).compute}
    if name in judges.JUDGES:
        names["judged"] = functools.partial(judged, name)
    if name == "reward_accuracy":
        names |= {"one": one_pair, "logprobs": judges.load(name, config_name="logprobs").compute}
    return names


def one_pair(chosen: Any, rejected: Any, prompt: str = "P", **settings: Any) -> dict[str, Any]:
    """Return what reward_accuracy makes of one pair of texts, with the model that its examples take."""
    settings = {"model": "HuggingFaceTB/SmolLM2-135M", "progress": False, **settings}
    result = loaded("reward_accuracy").compute(prompts=[prompt], chosen=[chosen], rejected=[rejected], **settings)
    return dict(result)


@pytest.mark.parametrize("name", NAMES)
def test_there_are_edge_cases(name: str) -> None:
    rows = edge_cases(name)
    assert all(list(row) == ["input", "call", "result"] for row in rows)
    assert len(rows) >= 8
    inputs = [row["input"] for row in rows]
    assert sorted(set(inputs)) == sorted(inputs), "each row says what is particular to it"


@pytest.mark.parametrize(("name", "row"), list(every_edge_case()))
def test_edge_case(name: str, row: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)  # a judge without a key is one of the cases
    call, expected = code(row["call"]), code(row["result"])
    names = vars(functions(name)) | more_names(name)
    if error := ERROR.fullmatch(expected):
        with pytest.raises(Exception) as caught:
            eval(call, names)
        assert type(caught.value).__name__ == error[1]
        assert str(caught.value).startswith(error[2])
    else:
        assert_same(eval(call, names), ast.literal_eval(expected), 1e-6 if name in WITH_MODEL else 1e-12)


def assert_same(found: Any, expected: Any, tolerance: float) -> None:
    """Compare with a literal: numbers within the tolerance, whatever holds them."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        assert_same(list(map(found.get, expected)), list(expected.values()), tolerance)
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, tolerance)
    elif isinstance(expected, float | int) and not isinstance(expected, bool):
        assert not isinstance(found, bool)
        assert found == pytest.approx(expected, abs=tolerance, rel=0)
    else:
        assert (found, type(found)) == (expected, type(expected))


# Figures, citation, metadata


@pytest.mark.parametrize("name", NAMES)
def test_every_published_value_has_its_source(name: str) -> None:
    part = section(card(name), "#### Values from Popular Papers")
    above = part.partition("\n|")[0]
    for row in (row for table in tables(part) for row in table):
        assert list(row) == ["system", "value", "data", "source"]
        assert re.search(r"\d", row["value"]), row
        assert says_where(row["source"], above), row
    assert tables(part) or len(part.split()) >= 15, "no table: the section says why"


def says_where(source: str, above: str) -> bool:
    """Return whether a source has a link or a table's number, or is a quoted name that a sentence above links."""
    if re.fullmatch(r'"[^"]+"', source):
        return any(source in line and "](https://" in line for line in sentences(above))
    return "](https://" in source or re.search(r"\bTable \d", source) is not None


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; a full stop within a link ends none."""
    return re.split(r"(?<=[.:])\s+", text)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[README](https://example.org)", True),
        ("the same, Table 5", True),
        ('"Details"', True),
        ('"Detail"', False),
        ("", False),
        ("a blog", False),
        ('"No Link"', False),
    ],
)
def test_what_is_a_source(source: str, expected: bool) -> None:
    assert (
        says_where(source, 'The table "Details" is in\n[it](https://example.org/a.md). "No Link" has none.') is expected
    )


@pytest.mark.parametrize("name", [name for name in NAMES if name not in judges.JUDGES])
def test_costs_are_those_that_were_measured(name: str) -> None:
    measured = json.loads(pages.RATES.read_text("utf-8"))["rates"].get(name)
    if not measured:
        pytest.skip(f"`make bench` does not measure {name}")
    costs = section(card(name), "## Cost")
    for texts, rate in measured["per_second"].items():
        assert f"| {texts} | {pages.two_digits(1000 / rate)} s |" in costs


@pytest.mark.parametrize("name", NAMES)
def test_citation_is_bibtex(name: str) -> None:
    text = "".join(fences(section(card(name), "## Citation"), "bibtex"))
    starts = [found.start() for found in re.finditer(r"^@", text, re.M)]
    entries = [text[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    assert entries
    for entry in entries:
        assert re.match(r"@(?:misc|article|inproceedings|book|techreport)\{[\w:-]+,\n", entry), entry
        assert balanced(entry.strip()), entry
        fields = set(re.findall(r"(?:^|[{,]) *(\w+) *= *[{\"\d]", entry, re.M))
        assert {"title", "author", "year"} <= fields, (fields, entry)


def balanced(entry: str) -> bool:
    """Return whether the braces of an entry close where it ends, and not before."""
    depth, closed = 0, -1
    for i, character in enumerate(entry):
        depth += (character == "{") - (character == "}")
        closed = i if depth == 0 and character == "}" and closed < 0 else closed
    return depth == 0 and closed == len(entry) - 1


@pytest.mark.parametrize("folder", [*(METRICS / name for name in NAMES), DEMO], ids=lambda path: path.name)
def test_metadata_is_what_the_hub_takes(folder: Path) -> None:
    data = metadata(folder)
    assert data["title"].strip()
    assert len(data["emoji"]) in (1, 2), "one emoji, with or without its variation selector"
    assert not data["emoji"].isascii()
    assert {data["colorFrom"], data["colorTo"]} <= COLORS
    assert (data["sdk"], data["pinned"], data["license"]) == ("gradio", False, "apache-2.0")
    assert (folder / data["app_file"]).is_file()
    assert {"evaluate", "metric"} <= set(data["tags"])
    assert 0 < len(data["short_description"]) <= 60
    assert folder == DEMO or data["description"].strip()


def test_one_gradio_everywhere_in_the_range_that_is_tested() -> None:
    versions = {str(metadata(folder)["sdk_version"]) for folder in [*(METRICS / name for name in NAMES), DEMO]}
    assert len(versions) == 1
    version = versions.pop()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    required = re.search(r"^gradio>=([\d.]+),<(\d+)$", (ROOT / "requirements.txt").read_text("utf-8"), re.M)
    assert required
    lowest, below, found = (tuple(map(int, text.split("."))) for text in (required[1], required[2], version))
    assert lowest <= found < below


@pytest.mark.parametrize(
    ("entry", "expected"),
    [("@misc{a,\n t={x}}", True), ("@misc{a,\n t={x}", False), ("@misc{a}, t={x}}", False), ("@misc{a} b={c}", False)],
)
def test_balanced_braces(entry: str, expected: bool) -> None:
    assert balanced(entry) is expected
