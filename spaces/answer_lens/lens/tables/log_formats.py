"""Samples in the logs of other evaluation tools as rows of a table: a function for each format.

What was asked only for likelihoods is refused: the likeliest of some options is no text that a model wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lens.tables.cells import fits
from lens.tables.log import Log, Row, as_texts, flatten, likelihoods, make_rows, parse_python, read_question
from lens.tables.log_references import ALL

INSPECT, LIGHTEVAL, EVALS, HELM, ALPACA = "inspect_ai", "lighteval", "OpenAI Evals", "HELM", "AlpacaEval"
ATTACHED = "attachment://"


def read_inspect(sample: Row, log: Log) -> Iterator[Row]:
    """Yield the row of a sample of inspect_ai."""
    # Version 1 of its logs may have but one score.
    scores = sample.get("scores") or ({"score": sample["score"]} if sample.get("score") else {})
    reference = read_inspect_reference(sample, "choice" in scores, log)
    question = read_attachment(read_question(sample["input"]), sample)
    row = {"id": sample["id"], "question": question, "reference": reference}

    error = sample.get("error") or {}
    more = {name: sample.get(name) for name in ("epoch", "choices", "metadata")}
    more["error"] = error.get("message")
    answer = read_inspect_answer(sample)
    answers = [None if error and not answer else answer]
    yield from make_rows(log, row, answers, read_inspect_scores(scores), more)


def read_inspect_answer(sample: Row) -> str | None:
    """Return what the model wrote at last."""
    output = sample.get("output") or {}
    answer = output.get("completion")
    if answer is None and output.get("choices"):
        answer = read_question(output["choices"][0]["message"]["content"])
    return read_attachment(answer, sample)


def read_inspect_scores(scores: Mapping[str, Row]) -> Row:
    """Return the values of scores by their names, and of a score of several values each by its own."""
    values: Row = {}
    for name, score in scores.items():
        value = score["value"]
        if isinstance(value, dict):
            values |= {f"{name}.{part}": one for part, one in value.items()}
        else:
            values[name] = value
    return values


def read_inspect_reference(sample: Row, by_choice: bool, log: Log) -> str | list[str] | None:
    """Return the target of a sample, and note whether all of several are needed; `by_choice` says whether the scorer of
    choices scored it.
    """
    by_choice = by_choice or log.kept.get("choice_scorer", False)
    reference = as_texts(sample["target"])
    if by_choice and sample.get("choices"):
        reference = split_letters(reference)
    several = isinstance(reference, list) and len(reference) > 1
    if several and (by_choice or log.kept.get("multiple_correct")):
        log.references.declare(ALL)
    return reference


def read_attachment(text: str | None, sample: Row) -> str | None:
    """Return a text, which inspect_ai keeps apart where it is long."""
    if not text or not text.startswith(ATTACHED):
        return text
    attachments = sample.get("attachments") or (sample.get("transcript") or {}).get("content") or {}
    return attachments.get(text.removeprefix(ATTACHED), text)  # type: ignore[no-any-return]


def split_letters(target: str | list[str] | None) -> str | list[str] | None:
    """Return the letters of the right options that a target names, as inspect_ai's scorer of choices reads it.

    >>> split_letters("AC"), split_letters(["A, C"]), split_letters("B"), split_letters("10")
    (['A', 'C'], ['A', 'C'], 'B', '10')
    """
    letters = []
    for text in target if isinstance(target, list) else [target or ""]:
        for token in text.replace(",", " ").split():
            letters += [token] if token.isnumeric() else list(token)
    return letters if len(letters) > 1 else target


def note_choices(whole: Row, log: Log) -> None:
    """Note whether a log of inspect_ai asks for all right options: its solver allows several, or its scorer wants all
    letters of the target.
    """
    steps = (whole.get("plan") or {}).get("steps") or []
    log.kept["multiple_correct"] = any((step.get("params") or {}).get("multiple_correct") for step in steps)
    names = [str(scorer.get("name")).rpartition("/")[2] for scorer in whole["eval"].get("scorers") or []]
    log.kept["choice_scorer"] = "choice" in names


def read_lighteval(row: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of a row of details_*.parquet."""
    doc, response = row["doc"], row["model_response"]
    answers = response.get("text") if response.get("text_post_processed") is None else response["text_post_processed"]
    if not answers and response.get("logprobs"):
        raise likelihoods(log)
    reference = read_gold(doc.get("choices"), doc["gold_index"])
    sample = {"id": doc.get("id"), "question": doc["query"], "reference": reference}
    yield from make_rows(log, sample, answers or [], row["metric"], {"specific": doc.get("specific")})


def read_gold(choices: list[Any] | None, places: Any) -> str | list[str] | None:
    """Return the options at the places of the right ones; a task without references has places all the same."""
    choices = choices or []
    places = places if isinstance(places, list) else [places]
    return as_texts(flatten(choices[place] for place in places if place in range(len(choices))))


def read_lighteval_before(row: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of a row of details_*.parquet until 0.9; in some all cells are texts that show what they hold."""
    cells = {name: parse_python(row[name]) for name in ("predictions", "gold", "choices", "gold_index", "metrics")}
    answers, scores = flatten(cells["predictions"]), cells["metrics"]
    if not fits("texts", answers):
        raise likelihoods(log)
    reference = as_texts(cells["gold"]) if cells["gold"] else read_gold(cells["choices"], cells["gold_index"])
    sample = {"question": row["example"], "reference": reference}
    yield from make_rows(log, sample, answers, scores if isinstance(scores, dict) else {"metrics": scores}, {})


def read_evals(row: Row, log: Log) -> Iterator[Row]:
    """Yield the row of an event of OpenAI's Evals: what was asked, then, of the same sample, how it matched."""
    kind, data = row.get("type"), row.get("data") or {}
    if "spec" in row:
        log.model = ", ".join(row["spec"].get("completion_fns") or [])
    elif kind == "sampling":
        log.kept[row["sample_id"]] = read_question(data.get("prompt"))
    elif kind == "match" and "expected" in data:
        sample = {"id": row["sample_id"], "question": log.kept.pop(row["sample_id"], None)}
        answer = data.get("sampled", data.get("picked"))
        sample["reference"] = as_texts(data["expected"])
        yield from make_rows(log, sample, flatten([answer]), {"correct": data.get("correct")}, {})


def read_helm(state: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of a state in the scenario_state.json of HELM; what stands for an option is that option."""
    instance, options, result = state["instance"], state.get("output_mapping") or {}, state.get("result") or {}
    references = [one["output"]["text"] for one in instance["references"] if "correct" in one["tags"]]
    texts = [completion["text"] for completion in result.get("completions") or []]
    answers = [options.get(text.strip(), text) for text in texts]
    sample = {"id": instance.get("id"), "question": instance["input"]["text"], "reference": references}
    more = {"split": instance.get("split"), "error": None if answers else result.get("error")}
    more["perturbation"] = (instance.get("perturbation") or {}).get("name")
    yield from make_rows(log, sample, answers, {}, more)


def read_alpaca(row: Row, log: Log) -> Iterator[Row]:
    """Yield the row of a line in the annotations.json of AlpacaEval; its reference is another system's answer."""
    sample = {"question": row["instruction"], "reference": row["output_1"]}
    more = {"model": row.get("generator_2"), "dataset": row.get("dataset"), "annotator": row.get("annotator")}
    scores: Mapping[str, Any] = {"preference": row["preference"]}
    yield from make_rows(log, sample, [row["output_2"]], scores, more)
