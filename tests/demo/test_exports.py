"""Scores in the formats of inspect_ai and Every Eval Ever (`--out FILE --format NAME`)."""

from __future__ import annotations

import gc
import hashlib
import json
import tracemalloc
from pathlib import Path
from statistics import fmean
from typing import Any

import fsspec
import pytest

from tests.demo.command_runs import (
    KEY,
    Command,
    Rows,
    judge_options,
    read_folder,
    read_jsonl,
    read_report,
    write_jsonl,
)
from tests.support import judges
from tests.support.judge_server import JudgeServer, make_verdict
from tests.support.project import ROOT
from tests.test_recipes import find_harness, run_recipe

jsonschema = pytest.importorskip("jsonschema")

SCHEMAS = ROOT / "tests" / "support" / "data" / "every_eval_ever"
INSPECT_LOG = Path(__file__).with_name("logs") / "inspect" / "facts.eval"
QUESTION, REFERENCE = "Where was she born?", "She was born in Paris."
# Its F1 with the reference is 4/5: four of five words are equal.
ANSWER = "He was born in Paris."


def make_answered_rows(*answers: str | None, **more: Any) -> Rows:
    """Return a row for each answer, with ids from q1 and the same reference."""
    rows = []
    for number, answer in enumerate(answers, 1):
        row = {
            "id": f"q{number}",
            "question": f"{QUESTION} {number}",
            "reference": REFERENCE,
            "prediction": answer,
        }
        rows.append(row | more)
    return rows


def read_valid_json(path: Path, schema: str) -> Any:
    """Return the content of a file of JSON or JSON Lines, after validating it with a schema."""
    validator = jsonschema.Draft7Validator(json.loads((SCHEMAS / schema).read_text("utf-8")))
    if path.suffix == ".json":
        content = json.loads(path.read_text("utf-8"))
        validator.validate(content)
        return content
    lines = read_jsonl(path)
    for line in lines:
        validator.validate(line)
    return lines


# inspect_ai


@pytest.mark.parametrize("name", ["scores.json", "scores.jsonl"])
def test_inspect_gets_a_number_if_there_is_one_series_and_no_record_of_unscored_rows(
    name: str, tmp_path: Path, score: Command
) -> None:
    rows = make_answered_rows(ANSWER, "<think>Rome?</think>Rome", None)
    without_reference = {
        "id": "q4",
        "question": QUESTION,
        "reference": None,
        "prediction": "Rome",
    }
    rows.append(without_reference)
    out = tmp_path / name
    table = write_jsonl(tmp_path / "r.jsonl", rows)
    ran = score(table, "--metrics", "bleu", "--out", out, "--format", "inspect")
    assert ran.code == 0
    records = read_jsonl(out) if name.endswith("l") else json.loads(out.read_text("utf-8"))
    assert [record["id"] for record in records] == ["q1", "q2", "q3"]
    assert [record["answer"] for record in records] == [ANSWER, "Rome", ""]
    assert all(isinstance(record["value"], float) for record in records)
    assert records[1]["metadata"]["signature"]["bleu"].endswith("|reasoning:aside")
    assert not any("epoch" in record for record in records)


def test_inspect_gets_an_object_of_several_series_and_the_words_of_judge_and_estimate(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "r.jsonl", make_answered_rows(REFERENCE, "Rome"))
    out = tmp_path / "scores.json"
    with JudgeServer(judges.compare_texts) as server:
        metrics = ["--metrics", "correctness_estimate", "lv_eval_f1", "eve_judge"]
        ran = score(table, *metrics, *judge_options(server), "--out", out, "--format", "inspect")
    assert ran.code == 0
    right, wrong = json.loads(out.read_text("utf-8"))
    series = ["correctness_estimate", "lv_eval_f1", "lv_eval_f1_recall", "eve_judge"]
    assert list(right["value"]) == series
    assert list(wrong["value"]) == series
    assert right["value"]["lv_eval_f1"] == 1.0
    assert right["value"]["eve_judge"] == 1.0
    assert wrong["value"]["eve_judge"] == 0.0
    assert right["explanation"] == "It says the same."
    assert right["metadata"]["correctness_estimate_interpretation"] in ("probability", "ranking")


@pytest.mark.parametrize("form", ["inspect", "every-eval-ever"])
def test_a_row_on_which_the_judge_failed_is_exported_with_a_reason_and_without_a_score(
    form: str, tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "r.jsonl", make_answered_rows(REFERENCE, "Rome"))
    out = tmp_path / "scores.json"

    def fail_on_rome(request: Any, number: int) -> Any:
        if "Rome" in request.prompt:
            return make_verdict("I cannot say.")
        return judges.compare_texts(request)

    with JudgeServer(fail_on_rome) as server:
        metrics = ["--metrics", "eve_judge", "bleu", *judge_options(server)]
        ran = score(table, *metrics, "--out", out, "--format", form)
    assert ran.code == 0
    if form == "inspect":
        _, failed = json.loads(out.read_text("utf-8"))
        assert failed["value"]["eve_judge"] is None
        assert failed["metadata"]["eve_judge_reason"]
        return
    samples = read_jsonl(tmp_path / "scores_samples.jsonl")
    judged = [line for line in samples if line["evaluation_result_id"] == "eve_judge"]
    assert [line["sample_id"] for line in judged] == ["q1"]


EPOCHS: list[tuple[list[dict[str, Any]], list[Any]]] = [
    ([{"id": "a"}, {"id": "b"}, {"id": "a"}], [1, 1, 2]),
    (
        [{"id": "a", "epoch": 2}, {"id": "b", "epoch": None}, {"id": "a", "epoch": "1"}],
        [2, None, 1],
    ),
]


@pytest.mark.parametrize(("keys", "expected"), EPOCHS)
def test_answers_of_one_id_are_epochs_of_a_sample(
    keys: Rows,
    expected: list[Any],
    tmp_path: Path,
    score: Command,
) -> None:
    rows = [row | key for row, key in zip(make_answered_rows(*"abc"), keys, strict=True)]
    table = write_jsonl(tmp_path / "r.jsonl", rows)
    out = tmp_path / "scores.jsonl"
    ran = score(table, "--metrics", "bleu", "--out", out, "--format", "inspect")
    assert ran.code == 0
    assert [record.get("epoch") for record in read_jsonl(out)] == expected


TEXTS = {"reference": "a", "prediction": "a"}
WITH_ID = TEXTS | {"id": "1"}
# Rows, the format and the file, and a part of the error message.
REFUSED: list[tuple[Rows, list[str], str]] = [
    ([TEXTS], ["inspect", "s.json"], "no column has these. Name it: --id COLUMN"),
    ([TEXTS | {"id": ""}], ["inspect", "s.json"], "Row 1 has no id in “id”"),
    (
        [WITH_ID | {"epoch": 1}, WITH_ID | {"epoch": 1}],
        ["inspect", "s.json"],
        "Row 2 has the id and the epoch (1) of a row before it",
    ),
    (
        [WITH_ID | {"epoch": "late"}],
        ["inspect", "s.json"],
        "The epoch of answer 1 is 'late' (str); a whole number from 1 is expected",
    ),
    (
        [WITH_ID | {"model": "a"}, WITH_ID | {"model": "b"}],
        ["inspect", "s.json"],
        "here are 2 systems. Score one log, or one column of answers, at a time",
    ),
    ([WITH_ID], ["inspect", "s.csv"], "should end in one of .json, .jsonl"),
    ([WITH_ID], ["every-eval-ever", "s.jsonl"], "should end in one of .json"),
]


@pytest.mark.parametrize(("rows", "format_and_file", "words"), REFUSED)
def test_rows_that_the_format_cannot_hold_are_refused_with_a_remedy_before_scoring(
    rows: Rows,
    format_and_file: list[str],
    words: str,
    tmp_path: Path,
    score: Command,
) -> None:
    form, name = format_and_file
    table = write_jsonl(tmp_path / "r.jsonl", rows)
    ran = score(table, "--metrics", "bleu", "--out", tmp_path / name, "--format", form)
    assert ran.code == 2
    assert words in ran.err
    # Without a progress bar, nothing was scored.
    assert "scores/s" not in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["r.jsonl"]


OPTIONS = [
    ([], "--format needs a file to write: --out scores.json"),
    (["--out", "folder/"], "--format needs a file to write: --out scores.json"),
    (["--out", "s.json", "--sample", "3"], "--format does not go with --sample"),
    (["--out", "s.json", "--report", "s.json"], "--out and --report name the same file"),
]


@pytest.mark.parametrize(("more", "words"), OPTIONS)
def test_an_export_needs_a_file_of_its_own(
    more: list[str],
    words: str,
    tmp_path: Path,
    score: Command,
) -> None:
    table = write_jsonl(tmp_path / "r.jsonl", make_answered_rows("a"))
    ran = score(table, "--format", "inspect", *more)
    assert ran.code == 2
    assert words in ran.err


READ_BACK = """
from inspect_ai import score
from inspect_ai.log import read_eval_log
from inspect_ai.scorer import precomputed_scores
log = read_eval_log("facts.eval")
scores = precomputed_scores("scores.json")
log = score(log, scores, action="overwrite", display="none")
for sample in log.samples:
    value = sample.scores["precomputed_scores"].value
    print(sample.id, sample.epoch, round(value, 6))
"""


def test_inspect_ai_reads_the_scores_into_the_samples_of_its_log(
    tmp_path: Path, score: Command
) -> None:
    (tmp_path / "facts.eval").write_bytes(INSPECT_LOG.read_bytes())
    out = tmp_path / "scores.json"
    assert score(INSPECT_LOG, "--metrics", "bleu", "--out", out, "--format", "inspect").code == 0
    expected = []
    for record in json.loads(out.read_text("utf-8")):
        expected.append(f"{record['id']} {record['epoch']} {round(record['value'], 6)}")
    assert len(expected) == 6
    printed = run_recipe(tmp_path, [find_harness(), "-c", READ_BACK]).splitlines()
    assert sorted(printed) == sorted(expected)


# Every Eval Ever


def export_samples(
    score: Command, tmp_path: Path, table: Path, *more: str | Path
) -> tuple[Any, Rows]:
    """Score and export a table; return the aggregate and the samples, after validating both."""
    out = tmp_path / "results.json"
    assert score(table, "--out", out, "--format", "every-eval-ever", *more).code == 0
    samples = read_valid_json(tmp_path / "results_samples.jsonl", "instance_level_eval.schema.json")
    return read_valid_json(out, "eval.schema.json"), samples


def test_every_eval_ever_gets_means_with_intervals_and_a_line_for_each_answer_and_series(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(
        tmp_path / "r.jsonl",
        make_answered_rows(ANSWER, REFERENCE, "<think>Rome?</think>Rome", None),
    )
    report = tmp_path / "report.json"
    aggregate, samples = export_samples(
        score, tmp_path, table, "--metrics", "bleu", "rouge", "--report", report
    )
    check_export_of_means(aggregate, samples, read_report(report)["scores"])
    check_thinking_row(next(line for line in samples if line["sample_id"] == "q3"))
    details = aggregate["detailed_evaluation_results"]
    written = (tmp_path / "results_samples.jsonl").read_bytes()
    checksum = hashlib.sha256(written).hexdigest()
    assert (details["total_rows"], details["checksum"]) == (len(samples), checksum)
    assert {line["evaluation_id"] for line in samples} == {aggregate["evaluation_id"]}
    assert {line["model_id"] for line in samples} == {aggregate["model_info"]["id"]} == {"unknown"}


def check_export_of_means(aggregate: Any, samples: Rows, means: Any) -> None:
    """Check the mean of each series of four answers, and its interval."""
    results = {result["evaluation_result_id"]: result for result in aggregate["evaluation_results"]}
    assert list(results) == ["bleu", "rouge1", "rouge2", "rougeL", "rougeL_recall", "rougeLsum"]
    for key, result in results.items():
        lines = [line for line in samples if line["evaluation_result_id"] == key]
        scores = [line["evaluation"]["score"] for line in lines]
        assert len(scores) == 4
        details = result["score_details"]
        assert details["score"] == pytest.approx(fmean(scores), abs=1e-12)
        interval = details["uncertainty"]["confidence_interval"]
        assert (interval["lower"], interval["upper"]) == (means[key]["low"], means[key]["high"])
        assert not result["metric_config"]["lower_is_better"]
        signature = result["metric_config"]["additional_details"]["signature"]
        assert signature.startswith(("bleu|", "rouge|"))


def check_thinking_row(line: dict[str, Any]) -> None:
    """Check the exported row whose answer begins with thinking, which is set aside."""
    assert line["output"]["raw"] == ["<think>Rome?</think>Rome"]
    (attribution,) = line["answer_attribution"]
    assert attribution["extracted_value"] == "Rome"
    assert attribution["extraction_method"] == "aside"
    assert line["sample_hash"] == hashlib.sha256(f"{QUESTION} 3{REFERENCE}".encode()).hexdigest()


def test_is_correct_is_a_persons_verdict_or_else_whether_the_score_is_at_least_a_half(
    tmp_path: Path, score: Command
) -> None:
    rows = make_answered_rows(ANSWER, ANSWER, "Rome", "Rome")
    for row, word in zip(rows, ["wrong", "", "right", ""], strict=True):
        row["human"] = word
    table = write_jsonl(tmp_path / "r.jsonl", rows)
    _, samples = export_samples(score, tmp_path, table, "--metrics", "bleu", "--verdict", "human")
    values = [
        (line["evaluation"]["is_correct"], line["metadata"]["is_correct"]) for line in samples
    ]
    person = "the verdict of a person"
    by_score = "score >= 0.5"
    assert values == [(False, person), (True, by_score), (True, person), (False, by_score)]


def test_each_system_is_exported_to_its_own_pair_of_files(tmp_path: Path, score: Command) -> None:
    rows = []
    for model, answer in [("org/small", "Rome"), ("org/large", REFERENCE)]:
        for row in make_answered_rows(answer, answer):
            rows.append(row | {"model": model})
    table = write_jsonl(tmp_path / "r.jsonl", rows)
    command = [table, "--metrics", "bleu", "--format", "every-eval-ever"]
    command += ["--out", tmp_path / "results.json"]
    assert score(*command).code == 0
    assert sorted(path.name for path in tmp_path.glob("results*")) == [
        "results_org_large.json",
        "results_org_large_samples.jsonl",
        "results_org_small.json",
        "results_org_small_samples.jsonl",
    ]
    check_files_of_system(tmp_path, "large", 1.0)
    check_files_of_system(tmp_path, "small", 0.0)
    # A second run does not overwrite the files without --overwrite.
    ran = score(*command)
    assert ran.code == 2
    assert "results_org_small.json cannot be written: it is there already" in ran.err


def check_files_of_system(folder: Path, name: str, mean: float) -> None:
    """Check the two files that the export writes for a system."""
    aggregate = read_valid_json(folder / f"results_org_{name}.json", "eval.schema.json")
    samples = read_valid_json(
        folder / f"results_org_{name}_samples.jsonl", "instance_level_eval.schema.json"
    )
    assert aggregate["model_info"]["id"] == f"org/{name}"
    assert [line["sample_id"] for line in samples] == ["q1", "q2"]
    details = aggregate["evaluation_results"][0]["score_details"]
    assert details["score"] == pytest.approx(mean, abs=0.05)
    path = aggregate["detailed_evaluation_results"]["file_path"]
    assert path.startswith(f"data/r.jsonl/org/{name}/")


def test_an_export_names_the_judge_and_its_prompt_but_no_key(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "r.jsonl", make_answered_rows(REFERENCE, "Rome"))
    with JudgeServer(judges.compare_texts) as server:
        options = ["--metrics", "eve_judge", *judge_options(server)]
        aggregate, samples = export_samples(score, tmp_path, table, *options)
    (result,) = aggregate["evaluation_results"]
    scoring = result["metric_config"]["llm_scoring"]
    (judge,) = scoring["judges"]
    assert judge["model_info"]["id"] == "judge-1"
    assert judge["additional_details"]["base_url"] == server.url
    assert 'Provided Answer: "{answer}"' in scoring["input_prompt"]
    assert samples[0]["metadata"]["reasoning"] == "It says the same."
    assert KEY.encode() not in read_folder(tmp_path)


def test_an_interrupted_export_resumes_and_replaces_its_own_files(
    tmp_path: Path, score: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lens.commands import exports

    table = write_jsonl(tmp_path / "r.jsonl", make_answered_rows(ANSWER, "Rome"))
    out = tmp_path / "results.json"
    command = [table, "--metrics", "bleu", "--out", out, "--format", "every-eval-ever"]

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(exports, "make_aggregate", interrupt)
        assert score(*command).code == 130
    assert (tmp_path / "results_samples.jsonl").exists()
    ran = score(*command)
    assert ran.code == 0
    assert "2 of 2 rows are taken over" in ran.err
    read_valid_json(out, "eval.schema.json")
    assert not (tmp_path / "results.json.parts").exists()


def test_tokens_in_addresses_are_not_printed_or_exported(tmp_path: Path, score: Command) -> None:
    memory = fsspec.filesystem("memory")
    folder = f"/exports{tmp_path.name}"
    rows = write_jsonl(tmp_path / "r.jsonl", make_answered_rows(ANSWER, "Rome")).read_bytes()
    memory.pipe(f"{folder}/r.jsonl?token=secret", rows)
    source = f"memory:/{folder}/r.jsonl?token=secret"
    out = f"memory:/{folder}/results.json"
    ran = score(source, "--metrics", "bleu", "--out", out, "--format", "every-eval-ever")
    assert ran.code == 0
    assert "secret" not in ran.out + ran.err
    aggregate = memory.cat(f"{folder}/results.json")
    samples = memory.cat(f"{folder}/results_samples.jsonl")
    assert b"secret" not in aggregate + samples
    assert json.loads(aggregate)["detailed_evaluation_results"]["total_rows"] == 2


def test_files_and_columns_are_exported_as_systems_with_their_names(
    tmp_path: Path, score: Command
) -> None:
    rows = make_answered_rows(REFERENCE, "Rome")
    files = [write_jsonl(tmp_path / f"{name}.jsonl", rows) for name in ("a b", "c")]
    out = tmp_path / "results.json"
    assert score(*files, "--metrics", "bleu", "--out", out, "--format", "every-eval-ever").code == 0
    names = sorted(path.name for path in tmp_path.glob("results*.json"))
    assert names == ["results_a_b.jsonl.json", "results_c.jsonl.json"]
    table = write_jsonl(tmp_path / "t.jsonl", [row | {"other": "Paris"} for row in rows])
    columns = ["--prediction", "prediction", "other", "--metrics", "bleu"]
    assert score(table, *columns, "--out", out, "--format", "every-eval-ever").code == 0
    for name, answer in [("prediction", REFERENCE), ("other", "Paris")]:
        path = tmp_path / f"results_{name}_samples.jsonl"
        samples = read_valid_json(path, "instance_level_eval.schema.json")
        assert samples[0]["model_id"] == name
        assert samples[0]["output"]["raw"] == [answer]


def test_the_verdict_of_estimate_and_judge_is_exported_as_a_result(
    tmp_path: Path, score: Command
) -> None:
    table = write_jsonl(tmp_path / "r.jsonl", make_answered_rows(REFERENCE, "Rome"))
    with JudgeServer(judges.compare_texts) as server:
        options = ["--metrics", "eve_judge", "--judge-rows", "unsure", *judge_options(server)]
        aggregate, samples = export_samples(score, tmp_path, table, *options)
    results = {result["evaluation_result_id"] for result in aggregate["evaluation_results"]}
    assert "cascade" in results
    lines = [line for line in samples if line["evaluation_result_id"] == "cascade"]
    assert [line["evaluation"]["score"] for line in lines] == [1.0, 0.0]


@pytest.mark.parametrize("form", ["inspect", "every-eval-ever"])
def test_the_memory_of_an_export_does_not_grow_with_its_rows(
    form: str, tmp_path: Path, score: Command
) -> None:
    def measure_peak(count: int) -> int:
        """Return the peak of memory while `count` rows are read, scored and written."""
        rows = []
        for number in range(count):
            text = f"{number} " * 500
            rows.append({"id": str(number), "prediction": text, "reference": "1"})
        table = write_jsonl(tmp_path / f"{count}.jsonl", rows)
        del rows
        out = tmp_path / f"{count}.json"
        options = ["--block-rows", "50", "--out", out, "--format", form]
        gc.collect()
        tracemalloc.start()
        assert score(table, "--metrics", "bleu", *options).code == 0
        _current, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak

    # The first run imports and caches; four times as many rows may take 20% and 300 kB more.
    measure_peak(50)
    assert measure_peak(400) < 1.2 * measure_peak(100) + 300_000
