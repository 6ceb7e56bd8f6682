"""The logs of other tools are scored as they are: `logs/` has what the tools wrote, run by `logs/make.py`. Older forms,
and those of tools that are not run there, stand here.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from lens.page.files import files_form
from lens.page.files.files_form import Files
from lens.page.tab import Sent
from lens.tables import untrusted
from lens.tables.log import Log
from lens.tables.read import read_table
from lens.tables.roles import guess_roles
from lens.tables.sources import FileOptions, open_source
from lens.words import speaking
from lens.words.notes import UserError

from tests.demo.command_runs import Command, read_report, write_jsonl
from tests.demo.files_visits import read_choices
from tests.demo.log_samples import INSPECT_HEAD, INSPECT_SAMPLE
from tests.support.project import METRICS

Rows = list[dict[str, Any]]
LOGS = Path(__file__).with_name("logs")
FOUND = {"prediction": "prediction", "reference": "reference", "question": "question", "id": "id"}
WHO, BORN, CAPITAL = "Who wrote Emma?", "Where was she born?", "中国的首都是哪里？"
SAID = "It was Jane Austen. #### Austen"
AUSTEN, BEIJING = ["Jane Austen", "Austen"], ["北京", "北京市"]
MODEL = "some-org/parrot"
# Each log: what it is taken for, its further columns, and of each row id, question, reference and prediction.
TABLES: dict[str, tuple[str, list[str], list[tuple[Any, ...]]]] = {
    "lm_eval/*/samples_facts_*": (
        "lm-evaluation-harness",
        ["model", "filter", "doc", "exact_match"],
        [(0, WHO, AUSTEN, "Austen"), (1, BORN, ["Steventon"], None), (2, CAPITAL, BEIJING, None)],
    ),
    "lm_eval/*/samples_twice_*": (
        "lm-evaluation-harness",
        ["model", "epoch", "filter", "doc", "bypass"],
        [
            *[(0, WHO, "Jane Austen", SAID)] * 2,
            *[(1, BORN, "Steventon", "In Bath.")] * 2,
            *[(2, CAPITAL, "北京", "")] * 2,
        ],
    ),
    **dict.fromkeys(
        ["inspect/facts.eval", "inspect/facts.json"],
        (
            "inspect_ai",
            ["model", "epoch", "match", "f1", "style.words", "style.polite", "error", "metadata"],
            [
                ("../北京", CAPITAL, BEIJING, ""),
                (2, BORN, "Steventon", None),
                ("emma", WHO, AUSTEN, SAID),
                ("../北京", CAPITAL, BEIJING, ""),
                (2, BORN, "Steventon", "In Bath."),
                ("emma", WHO, AUSTEN, SAID),
            ],
        ),
    ),
    "lighteval/**/details_facts_*": (
        "lighteval",
        ["model", "em", "f1"],
        [("1", BORN, ["Steventon"], "In Bath."), ("0", WHO, AUSTEN, SAID), ("2", CAPITAL, BEIJING, "")],
    ),
    "lighteval/**/details_twice_*": (
        "lighteval",
        ["model", "epoch", "specific", "avg@n:n=2"],
        [
            *[("1", BORN, ["Steventon"], "In Bath.")] * 2,
            *[("0", WHO, AUSTEN, SAID)] * 2,
            *[("2", CAPITAL, BEIJING, "")] * 2,
        ],
    ),
    **dict.fromkeys(
        ["promptfoo/facts.json", "promptfoo/facts.jsonl"],
        (
            "promptfoo",
            ["prompt", "vars", "model", "score", "success", "named", "error"],
            [
                *[(0, WHO, "Jane Austen", SAID)] * 2,
                *[(1, BORN, "Steventon", None)] * 2,
                *[(2, f"Be brief. {CAPITAL}", BEIJING, "")] * 2,
                *[(3, "JSON: capital of France?", ["Paris", "Lutetia"], '{"city": "Paris"}')] * 2,
            ],
        ),
    ),
    # What an output is compared with by an assertion is not in a CSV, and lists are texts.
    "promptfoo/facts.csv": (
        "promptfoo",
        ["prompt", "vars", "model", "score", "success", "named", "error"],
        [
            *[(0, WHO, "Jane Austen", SAID)] * 2,
            *[(1, BORN, None, None)] * 2,
            *[(2, f"Be brief. {CAPITAL}", None, "")] * 2,
            *[(3, "JSON: capital of France?", "Paris,Lutetia", '{"city":"Paris"}')] * 2,
        ],
    ),
}


def find_log(pattern: str) -> Path:
    (found,) = LOGS.glob(pattern)
    return found


def read_rows(path: Path, wanted: str | None = None) -> Rows:
    return [row for _, _, row in open_source(str(path), FileOptions(wanted)).rows()]


def send_log(path: Path) -> Sent:
    """A log as a visitor's file; the log itself is not deleted."""
    return Sent(path.name, untrusted.read_file(path, everything=True)).only("")


def select_texts(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("id", "question", "reference", "prediction"))


@pytest.mark.parametrize("pattern", TABLES)
def test_a_log_is_scored_as_the_table_that_one_would_make_of_it(pattern: str, tmp_path: Path, score: Command) -> None:
    tool, more, expected = TABLES[pattern]
    path, columns = find_log(pattern), dict.fromkeys(["id", "question", "reference", "prediction"])
    rows = read_rows(path)
    assert [select_texts(row) for row in rows] == expected
    assert {name for row in rows for name in row} == {*columns, *more}
    # A column of models names the systems; one model is one system.
    models = [{"model": row["model"]} if "model" in row else {} for row in rows]
    of_hand = [dict(zip(columns, row, strict=True)) | model for row, model in zip(expected, models, strict=True)]
    hand, figures = write_jsonl(tmp_path / "hand.jsonl", of_hand), list[dict[str, Any]]()
    for one in (path, hand):
        report = tmp_path / f"{len(figures)}.json"
        ran = score(one, "--metrics", "lv_eval_f1", "rouge", "--report", report)
        assert ran.code == 0
        sections = json.dumps(read_report(report)).replace(one.name, "")
        figures.append(json.loads(sections))
        assert ("systems" in figures[-1]) == (tool == "promptfoo")
        assert (f"taken for a log of {tool}" in ran.err) == (one == path)
    assert figures[0] == figures[1]

    sent = send_log(path)
    for language, words in (("en", f"a log of {tool}."), ("zh", f"{tool} 的日志")):
        with speaking(language):
            shown = files_form.show_choices(
                Files([Sent(path.name, untrusted.read_file(path, everything=True)).only("")])
            )
        assert words in shown["status"]
    system = {"system": "model"} if "model" in sent.table.names else {}
    assert guess_roles(sent.table.names).single_columns() == FOUND | system
    # Where all rows name the same model, the page does not take it for a column of systems.
    given = {role: name for role, name in read_choices(shown).items() if name}
    several = {role: [FOUND[role]] for role in ("prediction", "reference")}
    assert given == FOUND | (system if tool == "promptfoo" else {}) | several
    assert [sent.table.columns[name] for name in columns] == [[row[name] for row in rows] for name in columns]


def test_who_answered_and_what_the_tool_found_is_kept(tmp_path: Path) -> None:
    named = {pattern: {row["model"] for row in read_rows(find_log(pattern))} for pattern in TABLES}
    assert [named[one] for one in TABLES if "lm_eval" in one or "lighteval" in one] == [{MODEL}] * 4
    assert named["inspect/facts.eval"] == named["inspect/facts.json"] == {"mockllm/parrot"}
    assert named["promptfoo/facts.json"] == named["promptfoo/facts.jsonl"] == {MODEL, "parrot"}
    (failed,) = [row for row in read_rows(find_log("inspect/facts.eval")) if row.get("error")]
    assert (failed["error"], failed["epoch"]) == ("ValueError('the model is gone')", 1)
    # Elsewhere, nothing says who it was, and the name of a folder only where it is that of a model.
    for folder, model in (("downloads", None), ("org__other", "org__other")):
        copy = tmp_path / folder / "samples.jsonl"
        copy.parent.mkdir()
        copy.write_bytes(find_log("lm_eval/*/samples_twice_*").read_bytes())
        assert read_rows(copy)[0].get("model") == model


def test_of_several_filters_one_is_read(score: Command) -> None:
    path = find_log("lm_eval/*/samples_facts_*")
    both = [("strict", "Austen"), ("strict", None), ("strict", None)]
    both += [("whole", SAID), ("whole", "In Bath."), ("whole", "")]
    for wanted, expected in ((None, both[:3]), ("strict", both[:3]), ("whole", both[3:]), ("", both)):
        assert [(row["filter"], row["prediction"]) for row in read_rows(path, wanted)] == expected
    ran = score(path, "--metrics", "lv_eval_f1")
    assert "the samples of “strict” are read, those of “whole” are not" in ran.err
    assert "--filter NAME" in ran.err
    ran = score(path, "--metrics", "lv_eval_f1", "--filter", "no")
    assert (ran.code, "no filter “no”. Found: “strict”, “whole”." in ran.err) == (2, True)

    shown = files_form.show_choices(Files([send_log(path)]))
    assert (shown["files"].table.rows, shown["filter"]["visible"], shown["filter"]["value"]) == (3, True, "0")
    again = files_form.filter_chosen(shown["files"], "1")
    assert again["files"].table.columns["prediction"] == [SAID, "In Bath.", ""]
    assert (again["filter"]["value"], "prediction" in again) == ("1", False)
    assert "the samples of “whole” are read, those of “strict” are not" in again["status"]
    assert not files_form.show_choices(Files([send_log(find_log("inspect/facts.eval"))]))["filter"]["visible"]


SAMPLE = {
    "doc_id": 0,
    "doc": {"q": "x"},
    "target": "t",
    "arguments": {"gen_args_0": {"arg_0": "p", "arg_1": {}}},
    "resps": [["a"]],
    "filtered_resps": ["a"],
    "filter": "none",
    "f1": 0.5,
    "answer": 1,
}
UNFILTERED = {name: cell for name, cell in SAMPLE.items() if name != "filter"} | {"arguments": [["p", {"until": []}]]}
PROMPTED = {
    "provider": {"id": "m"},
    "prompt": {"raw": '[{"role": "user", "content": "q"}]'},
    "vars": {},
    "response": {"output": "a"},
    "score": 1,
    "success": True,
}
ASSERTED = {"gradingResult": {"componentResults": [{"assertion": {"type": "equals", "value": "r"}}]}}
BEFORE = {"example": "q", "full_prompt": "few shots, q", "choices": "[]", "gold_index": "[]"}
INSTANCE = {
    "input": {"text": "q"},
    "id": "id1",
    "split": "test",
    "references": [{"output": {"text": text}, "tags": tags} for text, tags in (("r", ["correct"]), ("x", []))],
}
STATE = {"instance": INSTANCE, "result": {"completions": [{"text": " B"}]}, "output_mapping": {"A": "x", "B": "r"}}
EVENT = {"run_id": "1", "event_id": 0, "sample_id": "s.1", "created_by": "", "created_at": ""}
MATCH = {"correct": True, "expected": ["r", "s"], "picked": "r", "sampled": "a"}
# Forms that are not made here: their objects, and what becomes of them.
FORMS: dict[str, tuple[Rows, Rows]] = {
    "lm-eval 0.4.0": (
        [UNFILTERED, UNFILTERED | {"doc_id": 1, "filtered_resps": []}, UNFILTERED],
        [
            {
                "id": at,
                "question": "p",
                "reference": "t",
                "prediction": said,
                "filter": "1",
                "doc": {"q": "x"},
                "f1": 0.5,
                "score answer": 1,
            }
            for at, said in enumerate(["a", None])
        ],
    ),
    "inspect 1": (
        [
            INSPECT_HEAD
            | {
                "version": 1,
                "samples": [
                    INSPECT_SAMPLE
                    | {
                        "score": {"value": "C"},
                        "input": "attachment://1",
                        "transcript": {"events": [], "content": {"1": "long"}},
                    }
                ],
            }
        ],
        [{"id": 1, "question": "long", "reference": "r", "prediction": "a", "model": "m", "epoch": 1, "score": "C"}],
    ),
    "promptfoo 2": (
        [{"results": {"version": 2, "results": [PROMPTED | ASSERTED], "table": {}}, "config": {}}],
        [{"question": "q", "reference": "r", "prediction": "a", "model": "m", "score": 1, "success": True}],
    ),
    "lighteval 0.6": (
        [BEFORE | {"predictions": "['a', 'b']", "gold": "['r']", "metrics": "{'em': 1}"}],
        [
            {"question": "q", "reference": ["r"], "prediction": said, "epoch": at, "em": 1}
            for at, said in enumerate("ab", 1)
        ],
    ),
    "HELM": (
        [{"adapter_spec": {"method": "multiple_choice_joint", "model": "m"}, "request_states": [STATE]}],
        [{"id": "id1", "question": "q", "reference": ["r"], "prediction": "r", "model": "m", "split": "test"}],
    ),
    "OpenAI Evals": (
        [
            {"spec": {"completion_fns": ["m"], "eval_name": "e", "run_id": "1"}},
            {"final_report": {"accuracy": 1}},
            EVENT | {"type": "sampling", "data": {"prompt": [{"role": "user", "content": "q"}], "sampled": ["a"]}},
            EVENT | {"type": "match", "data": MATCH},
        ],
        [{"id": "s.1", "question": "q", "reference": ["r", "s"], "prediction": "a", "model": "m", "correct": True}],
    ),
    "AlpacaEval": (
        [{"instruction": "q", "output_1": "r", "output_2": "a", "generator_2": "m", "preference": 2.0}],
        [{"question": "q", "reference": "r", "prediction": "a", "model": "m", "preference": 2.0}],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_older_forms_and_other_tools(form: str) -> None:
    objects, expected = FORMS[form]
    whole = objects if len(objects) > 1 else objects[0]
    for text in ("\n".join(map(json.dumps, objects)), json.dumps(whole, indent=1)):
        assert list(read_table("json", io.BytesIO(text.encode()), Log())) == expected
        table = untrusted.Table(**untrusted.read_contents("json", text.encode(), everything=True))
        assert Sent("", table).only("").table.columns["prediction"] == [row["prediction"] for row in expected]


def make_zip(*members: tuple[str, Any], declared: int = 0) -> bytes:
    """A zip as inspect_ai writes it, each member two frames of Zstandard; of the last one any size may be declared."""
    out = directory = b""
    for at, (name, value) in enumerate(members):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        packed = b"".join(bytes(pyarrow.Codec("zstd").compress(part)) for part in (data[:5], data[5:]))
        size = declared if declared and at == len(members) - 1 else len(data)
        sizes = (zlib.crc32(data), len(packed), size, len(name), 0)
        directory += struct.pack("<4s6H3I5H2I", b"PK\1\2", 63, 63, 0, 93, 0, 0, *sizes, 0, 0, 0, 0, len(out))
        directory += name.encode()
        out += struct.pack("<4s5H3I2H", b"PK\3\4", 63, 0, 93, 0, 0, *sizes) + name.encode() + packed
    return out + directory + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, at + 1, at + 1, len(directory), len(out), 0)


def encode_lines(*rows: Any) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


WHOLE = make_zip(("header.json", INSPECT_HEAD), ("samples/1.json", INSPECT_SAMPLE))
BAD: list[tuple[bytes, str]] = [
    (encode_lines(SAMPLE, SAMPLE)[:-9], "breaks off in line 2"),
    (encode_lines(SAMPLE, UNFILTERED), "its sample 2 is not as lm-evaluation-harness writes it (KeyError: 'filter')"),
    (encode_lines(SAMPLE, {"a": 1}), "its sample 2 is not as lm-evaluation-harness writes it"),
    (encode_lines(SAMPLE | {"arguments": [["p", " yes"], ["p", " no"]]}), "only asked how likely"),
    (encode_lines(SAMPLE | {"arguments": [["p"]]}), "only asked how likely"),
    (
        json.dumps(INSPECT_HEAD | {"samples": [INSPECT_SAMPLE]}, indent=1).encode()[:-20],
        "This is not JSON: it breaks off in line",
    ),
    (
        encode_lines(INSPECT_HEAD | {"version": 3, "samples": [INSPECT_SAMPLE]}),
        "inspect_ai is of version 3; those up to 2 can be read",
    ),
    (encode_lines(INSPECT_HEAD | {"samples": [INSPECT_SAMPLE, 7]}), "its sample 2 is not as inspect_ai writes it"),
    (encode_lines(INSPECT_HEAD), "This log of inspect_ai has no samples"),
    (encode_lines({"results": {"version": 4, "results": []}, "config": {}}), "promptfoo is of version 4"),
    (encode_lines({"adapter_spec": {"method": "language_modeling"}, "request_states": []}), "only asked how likely"),
    (WHOLE[:-40], "no whole log of inspect_ai"),
    (make_zip(("samples/1.json", INSPECT_SAMPLE)), "no whole log of inspect_ai (header.json)"),
    (make_zip(("header.json", INSPECT_HEAD), ("../../x", INSPECT_SAMPLE)), "This log of inspect_ai has no samples"),
    (make_zip(("header.json", INSPECT_HEAD), ("samples/1.json", b"{nope")), "“samples/1.json” in this log cannot"),
    (
        make_zip(("header.json", INSPECT_HEAD), ("samples/1.json", INSPECT_SAMPLE), declared=9),
        "“samples/1.json” in this log",
    ),
    (make_zip(("header.json", INSPECT_HEAD), ("samples/1.json", {"id": 1})), "sample samples/1.json is not as"),
    (make_zip(("header.json", INSPECT_HEAD | {"version": "x"}), ("samples/1.json", INSPECT_SAMPLE)), "of version x;"),
]


def test_what_cannot_be_read_whole_is_refused_with_its_place(tmp_path: Path, score: Command) -> None:
    path = tmp_path / "a.eval"
    for data, words in BAD:
        path.write_bytes(data)
        ran = score(path)
        assert (ran.code, words in ran.err, "a.eval: " in ran.err) == (2, True, True), ran.err
        with pytest.raises(UserError, match=re.escape(words)):
            untrusted.read_file(path, everything=True)
    path.write_bytes(
        make_zip(("header.json", INSPECT_HEAD), ("samples/1.json", INSPECT_SAMPLE), declared=2_000_000_000)
    )
    assert "“samples/1.json” in this log cannot be read (2,000,000,000 > 1,000,000,000)" in score(path).err
    with pytest.raises(UserError, match="at most 200 MB, unpacked"):
        untrusted.read_file(path, everything=True)
    path.write_bytes(
        (LOGS / "lm_eval" / "results.json").read_bytes() if False else find_log("lm_eval/*/results_*").read_bytes()
    )
    assert "without the samples. Give the file that has them" in score(path).err
    assert list(tmp_path.iterdir()) == [path]  # whatever the names in a zip are


def test_a_zip_is_read_by_what_it_holds(tmp_path: Path) -> None:
    newer = INSPECT_SAMPLE | {"output": {"completion": "b"}}
    outside = ("samples/../../x_epoch_1.json", INSPECT_SAMPLE | {"id": "../../x"})
    begun = ("_journal/start.json", {"version": 2, "eval": INSPECT_HEAD["eval"]})
    path = tmp_path / "a.json"
    for data, answers, told in [
        (
            make_zip(("header.json", INSPECT_HEAD), ("samples/1.json", INSPECT_SAMPLE), ("samples/1.json", newer)),
            ["b"],
            "",
        ),
        (make_zip(("header.json", INSPECT_HEAD), outside, ("samples/1.json", newer)), ["a", "b"], ""),
        (make_zip(begun, ("samples/1.json", INSPECT_SAMPLE)), ["a"], "its status is “started”"),
        (
            make_zip(("header.json", INSPECT_HEAD), *((f"samples/{at}.json", INSPECT_SAMPLE) for at in range(3000))),
            ["a"] * 3000,
            "",
        ),
    ]:
        path.write_bytes(data)
        found = untrusted.read_file(path, everything=True)
        assert found.columns["prediction"] == answers == [row["prediction"] for row in read_rows(path)]
        assert told in found.told
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(INSPECT_HEAD))
        archive.writestr("samples/1.json", json.dumps(INSPECT_SAMPLE))
    assert len(read_rows(path)) == 1
    assert list(tmp_path.iterdir()) == [path]


INNER: Rows = [
    {"doc": {"answer": "x", "n.o": {"p": ["b", "c"]}, "deep": {"kind": 1}}, "say.it": "x", "say": {"it": "no"}},
    {"doc": {"answer": "y", "n.o": {"p": ["d"]}, "deep": {"kind": 2}}, "say.it": "y", "say": {"it": "no"}},
]
ASKED = ["--prediction", "say.it", "--reference", "doc.answer", "--group", "doc.deep.kind", "--metrics", "lv_eval_f1"]


def test_what_is_in_objects_is_named_with_dots(tmp_path: Path, score: Command) -> None:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(INNER), tmp_path / "a.parquet")
    for path in (write_jsonl(tmp_path / "a.jsonl", INNER), tmp_path / "a.parquet"):
        ran = score(path, *ASKED, "--out", tmp_path / "out.jsonl", "--overwrite")
        assert ran.code == 0, ran.err
        scored = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
        assert [(row["lv_eval_f1"], row["doc.deep.kind"]) for row in scored] == [(1.0, 1), (1.0, 2)]
        ran = score(path, *ASKED, "--id", "doc.no")
        assert (ran.code, "no column “doc.no”" in ran.err) == (2, True)
        table = untrusted.read_file(path, everything=True)
        assert table.choices == ["doc", "say.it", "say", "doc.answer", "doc.n.o.p", "doc.deep.kind"]
        assert table.cells("doc.n.o.p") == [["b", "c"], ["d"]]
        assert table.cells("say.it") == ["x", "y"]


def test_the_recipes_of_logs_print_what_they_should(score: Command) -> None:
    guide = (METRICS / "README.md").read_text("utf-8").split("\n## Logs of other tools\n")[1].split("\n## ")[0]
    recipes = re.findall(r"^python \S+score\.py (\S+)(.*)\n((?:# .*\n)+)", guide, re.M)
    assert {find_log(name).parts[len(LOGS.parts)] for name, _, _ in recipes} == {one.split("/")[0] for one in TABLES}
    for name, more, printed in recipes:
        ran = score(find_log(name), *more.split())
        for line in printed.splitlines():
            assert line.removeprefix("# ") in ran.err + ran.out
