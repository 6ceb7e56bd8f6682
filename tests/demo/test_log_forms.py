"""Logs of older versions and of tools that are not run here, broken logs, and nested columns."""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from lens.page.tab import VisitorFile
from lens.tables import untrusted
from lens.words.notes import UserError

from tests.demo.command_runs import Command, read_jsonl, write_jsonl
from tests.demo.log_samples import INSPECT_HEAD, INSPECT_SAMPLE, format_json_lines, read_log
from tests.demo.test_logs import find_log, read_log_rows

Rows = list[dict[str, Any]]
LM_EVAL_SAMPLE = {
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
LM_EVAL_SAMPLE_WITHOUT_FILTER = {
    name: cell for name, cell in LM_EVAL_SAMPLE.items() if name != "filter"
} | {"arguments": [["p", {"until": []}]]}
PROMPTFOO_RESULT = {
    "provider": {"id": "m"},
    "prompt": {"raw": '[{"role": "user", "content": "q"}]'},
    "vars": {},
    "response": {"output": "a"},
    "score": 1,
    "success": True,
}
PROMPTFOO_ASSERTION = {
    "gradingResult": {"componentResults": [{"assertion": {"type": "equals", "value": "r"}}]}
}
LIGHTEVAL_SAMPLE = {
    "example": "q",
    "full_prompt": "few shots, q",
    "choices": "[]",
    "gold_index": "[]",
}
HELM_INSTANCE = {
    "input": {"text": "q"},
    "id": "id1",
    "split": "test",
    "references": [
        {"output": {"text": text}, "tags": tags} for text, tags in (("r", ["correct"]), ("x", []))
    ],
}
HELM_STATE = {
    "instance": HELM_INSTANCE,
    "result": {"completions": [{"text": " B"}]},
    "output_mapping": {"A": "x", "B": "r"},
}
OPENAI_EVENT = {
    "run_id": "1",
    "event_id": 0,
    "sample_id": "s.1",
    "created_by": "",
    "created_at": "",
}
OPENAI_MATCH = {
    "correct": True,
    "expected": ["r", "s"],
    "picked": "r",
    "sampled": "a",
}
# Formats of logs that logs/write_logs.py does not make: the objects of a log, and its rows.
FORMS: dict[str, tuple[Rows, Rows]] = {
    "lm-eval 0.4.0": (
        [
            LM_EVAL_SAMPLE_WITHOUT_FILTER,
            LM_EVAL_SAMPLE_WITHOUT_FILTER | {"doc_id": 1, "filtered_resps": []},
            LM_EVAL_SAMPLE_WITHOUT_FILTER,
        ],
        [
            {
                "id": number,
                "question": "p",
                "reference": "t",
                "prediction": answer,
                "filter": "1",
                "doc": {"q": "x"},
                "f1": 0.5,
                "score answer": 1,
            }
            for number, answer in enumerate(["a", None])
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
        [
            {
                "id": 1,
                "question": "long",
                "reference": "r",
                "prediction": "a",
                "model": "m",
                "epoch": 1,
                "score": "C",
            }
        ],
    ),
    "promptfoo 2": (
        [
            {
                "results": {
                    "version": 2,
                    "results": [PROMPTFOO_RESULT | PROMPTFOO_ASSERTION],
                    "table": {},
                },
                "config": {},
            }
        ],
        [
            {
                "question": "q",
                "reference": "r",
                "prediction": "a",
                "model": "m",
                "score": 1,
                "success": True,
            }
        ],
    ),
    "lighteval 0.6": (
        [LIGHTEVAL_SAMPLE | {"predictions": "['a', 'b']", "gold": "['r']", "metrics": "{'em': 1}"}],
        [
            {
                "question": "q",
                "reference": ["r"],
                "prediction": answer,
                "epoch": number,
                "em": 1,
            }
            for number, answer in enumerate("ab", 1)
        ],
    ),
    "HELM": (
        [
            {
                "adapter_spec": {"method": "multiple_choice_joint", "model": "m"},
                "request_states": [HELM_STATE],
            }
        ],
        [
            {
                "id": "id1",
                "question": "q",
                "reference": ["r"],
                "prediction": "r",
                "model": "m",
                "split": "test",
            }
        ],
    ),
    "OpenAI Evals": (
        [
            {"spec": {"completion_fns": ["m"], "eval_name": "e", "run_id": "1"}},
            {"final_report": {"accuracy": 1}},
            OPENAI_EVENT
            | {
                "type": "sampling",
                "data": {"prompt": [{"role": "user", "content": "q"}], "sampled": ["a"]},
            },
            OPENAI_EVENT | {"type": "match", "data": OPENAI_MATCH},
        ],
        [
            {
                "id": "s.1",
                "question": "q",
                "reference": ["r", "s"],
                "prediction": "a",
                "model": "m",
                "correct": True,
            }
        ],
    ),
    "AlpacaEval": (
        [
            {
                "instruction": "q",
                "output_1": "r",
                "output_2": "a",
                "generator_2": "m",
                "preference": 2.0,
            }
        ],
        [
            {
                "question": "q",
                "reference": "r",
                "prediction": "a",
                "model": "m",
                "preference": 2.0,
            }
        ],
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_logs_of_older_versions_and_other_tools_are_read(form: str) -> None:
    objects, expected = FORMS[form]
    content = objects if len(objects) > 1 else objects[0]
    for text in (format_json_lines(*objects), json.dumps(content, indent=1)):
        rows, _ = read_log(text)
        assert rows == expected
        table = untrusted.Table(**untrusted.read_contents("json", text.encode(), everything=True))
        sent = VisitorFile("", table).select_filter("").table
        assert sent.columns["prediction"] == [row["prediction"] for row in expected]


# Broken logs

Member = tuple[str, Any]
HEADER: Member = ("header.json", INSPECT_HEAD)
SAMPLE_FILE: Member = ("samples/1.json", INSPECT_SAMPLE)


def make_zstandard_zip(*members: Member, declared: int = 0) -> bytes:
    """Return a zip as inspect_ai writes it: each member is compressed as two Zstandard frames.

    Args:
        members: names and contents.
        declared: a false size to declare for the last member; 0 for its real size.
    """
    codec = pyarrow.Codec("zstd")
    files = directory = b""
    for number, (name, value) in enumerate(members, 1):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        packed = bytes(codec.compress(data[:5])) + bytes(codec.compress(data[5:]))
        size = len(data)
        if declared and number == len(members):
            size = declared
        sizes = (zlib.crc32(data), len(packed), size, len(name), 0)
        directory += struct.pack(
            "<4s6H3I5H2I", b"PK\1\2", 63, 63, 0, 93, 0, 0, *sizes, 0, 0, 0, 0, len(files)
        )
        directory += name.encode()
        files += struct.pack("<4s5H3I2H", b"PK\3\4", 63, 0, 93, 0, 0, *sizes)
        files += name.encode() + packed
    count = len(members)
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, count, count, len(directory), len(files), 0)
    return files + directory + end


def encode_lines(*rows: Any) -> bytes:
    """Return rows as the bytes of JSON Lines."""
    return format_json_lines(*rows).encode()


LIKELIHOOD_SAMPLE = LM_EVAL_SAMPLE | {"arguments": [["p", " yes"], ["p", " no"]]}
INSPECT_LOG = INSPECT_HEAD | {"samples": [INSPECT_SAMPLE]}
HELM_LIKELIHOODS = {"adapter_spec": {"method": "language_modeling"}, "request_states": []}
PROMPTFOO_4 = {"results": {"version": 4, "results": []}, "config": {}}
# The bytes of a broken log, and a part of the error message.
BAD: list[tuple[bytes, str]] = [
    (encode_lines(LM_EVAL_SAMPLE, LM_EVAL_SAMPLE)[:-9], "breaks off in line 2"),
    (
        encode_lines(LM_EVAL_SAMPLE, LM_EVAL_SAMPLE_WITHOUT_FILTER),
        "its sample 2 is not as lm-evaluation-harness writes it (KeyError: 'filter')",
    ),
    (
        encode_lines(LM_EVAL_SAMPLE, {"a": 1}),
        "its sample 2 is not as lm-evaluation-harness writes it",
    ),
    (encode_lines(LIKELIHOOD_SAMPLE), "only asked how likely"),
    (encode_lines(LM_EVAL_SAMPLE | {"arguments": [["p"]]}), "only asked how likely"),
    (json.dumps(INSPECT_LOG, indent=1).encode()[:-20], "This is not JSON: it breaks off in line"),
    (
        encode_lines(INSPECT_LOG | {"version": 3}),
        "inspect_ai is of version 3; those up to 2 can be read",
    ),
    (
        encode_lines(INSPECT_HEAD | {"samples": [INSPECT_SAMPLE, 7]}),
        "its sample 2 is not as inspect_ai writes it",
    ),
    (encode_lines(INSPECT_HEAD), "This log of inspect_ai has no samples"),
    (encode_lines(PROMPTFOO_4), "promptfoo is of version 4"),
    (encode_lines(HELM_LIKELIHOODS), "only asked how likely"),
    (make_zstandard_zip(HEADER, SAMPLE_FILE)[:-40], "not a whole log of inspect_ai"),
    (make_zstandard_zip(SAMPLE_FILE), "not a whole log of inspect_ai (header.json)"),
    (
        make_zstandard_zip(HEADER, ("../../x", INSPECT_SAMPLE)),
        "This log of inspect_ai has no samples",
    ),
    (
        make_zstandard_zip(HEADER, ("samples/1.json", b"{nope")),
        "“samples/1.json” in this log cannot",
    ),
    (make_zstandard_zip(HEADER, SAMPLE_FILE, declared=9), "“samples/1.json” in this log"),
    (make_zstandard_zip(HEADER, ("samples/1.json", {"id": 1})), "sample samples/1.json is not as"),
    (
        make_zstandard_zip(("header.json", INSPECT_HEAD | {"version": "x"}), SAMPLE_FILE),
        "of version x;",
    ),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_a_broken_log_is_refused_with_the_place_of_the_error(
    data: bytes,
    message: str,
    tmp_path: Path,
    score: Command,
) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(data)
    ran = score(path)
    assert ran.code == 2
    assert message in ran.err
    assert "a.eval: " in ran.err
    with pytest.raises(UserError, match=re.escape(message)):
        untrusted.read_file(path, everything=True)
    assert list(tmp_path.iterdir()) == [path], "a member of a zip was written to the disk"


def test_a_member_with_too_large_a_declared_size_is_not_unpacked(
    tmp_path: Path, score: Command
) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(make_zstandard_zip(HEADER, SAMPLE_FILE, declared=2_000_000_000))
    assert (
        "“samples/1.json” in this log cannot be read (2,000,000,000 > 1,000,000,000)"
        in score(path).err
    )
    with pytest.raises(UserError, match="at most 200 MB, unpacked"):
        untrusted.read_file(path, everything=True)


def test_a_file_of_results_without_samples_is_refused_with_a_remedy(
    tmp_path: Path, score: Command
) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(find_log("lm_eval/*/results_*").read_bytes())
    assert "without the samples. Give the file that has them" in score(path).err


NEWER_FILE: Member = ("samples/1.json", INSPECT_SAMPLE | {"output": {"completion": "b"}})
OUTSIDE_FILE: Member = ("samples/../../x_epoch_1.json", INSPECT_SAMPLE | {"id": "../../x"})
JOURNAL: Member = ("_journal/start.json", {"version": 2, "eval": INSPECT_HEAD["eval"]})
MANY_FILES = [(f"samples/{number}.json", INSPECT_SAMPLE) for number in range(3000)]
# The members of a zip, the answers in it, and a part of the note.
ZIPS = [
    pytest.param(
        [HEADER, SAMPLE_FILE, NEWER_FILE], ["b"], "", id="a newer member of the same name"
    ),
    pytest.param(
        [HEADER, OUTSIDE_FILE, NEWER_FILE], ["a", "b"], "", id="a name outside of the folder"
    ),
    pytest.param(
        [JOURNAL, SAMPLE_FILE], ["a"], "its status is “started”", id="a log that has no end"
    ),
    pytest.param([HEADER, *MANY_FILES], ["a"] * 3000, "", id="many samples"),
]


@pytest.mark.parametrize(("members", "answers", "note"), ZIPS)
def test_awkward_zips_of_inspect_are_read(
    members: list[Member],
    answers: list[str],
    note: str,
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(make_zstandard_zip(*members))
    table = untrusted.read_file(path, everything=True)
    assert table.columns["prediction"] == answers
    assert [row["prediction"] for row in read_log_rows(path)] == answers
    assert note in table.reading_notes
    assert list(tmp_path.iterdir()) == [path]


def test_a_zip_with_deflate_compression_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(INSPECT_HEAD))
        archive.writestr("samples/1.json", json.dumps(INSPECT_SAMPLE))
    assert len(read_log_rows(path)) == 1


# Nested columns

NESTED_ROWS: Rows = [
    {
        "doc": {"answer": "x", "n.o": {"p": ["b", "c"]}, "deep": {"kind": 1}},
        "say.it": "x",
        "say": {"it": "no"},
    },
    {
        "doc": {"answer": "y", "n.o": {"p": ["d"]}, "deep": {"kind": 2}},
        "say.it": "y",
        "say": {"it": "no"},
    },
]
NESTED_ARGUMENTS = [
    "--prediction",
    "say.it",
    "--reference",
    "doc.answer",
    "--group",
    "doc.deep.kind",
    "--metrics",
    "lv_eval_f1",
]


@pytest.fixture(params=["jsonl", "parquet"])
def table_of_objects(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A table with objects in its cells, as JSON Lines and as Parquet."""
    path = tmp_path / f"a.{request.param}"
    if request.param == "jsonl":
        return write_jsonl(path, NESTED_ROWS)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(NESTED_ROWS), path)
    return path


def test_nested_columns_are_named_with_dots(
    table_of_objects: Path, tmp_path: Path, score: Command
) -> None:
    out = tmp_path / "out.jsonl"
    ran = score(table_of_objects, *NESTED_ARGUMENTS, "--out", out)
    assert ran.code == 0, ran.err
    rows = read_jsonl(out)
    assert [row["lv_eval_f1"] for row in rows] == [1.0, 1.0]
    assert [row["doc.deep.kind"] for row in rows] == [1, 2]
    ran = score(table_of_objects, *NESTED_ARGUMENTS, "--id", "doc.no")
    assert ran.code == 2
    assert "no column “doc.no”" in ran.err


def test_the_page_offers_nested_columns_with_dots(table_of_objects: Path) -> None:
    table = untrusted.read_file(table_of_objects, everything=True)
    assert table.choices == ["doc", "say.it", "say", "doc.answer", "doc.n.o.p", "doc.deep.kind"]
    assert table.cells("doc.n.o.p") == [["b", "c"], ["d"]]
    assert table.cells("say.it") == ["x", "y"]
