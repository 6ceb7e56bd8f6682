"""Samples in the logs of other evaluation tools as rows of a table: a function for each format.

What was asked only for likelihoods is refused: the likeliest of some options is no text that a model wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lens.tables.cells import is_kind
from lens.tables.log import Log, flatten, format_values, make_rows, parse_python, read_prompt, refuse_likelihoods
from lens.tables.log_references import ALL
from lens.tables.reading import Row

INSPECT, LIGHTEVAL, EVALS, HELM, ALPACA = "inspect_ai", "lighteval", "OpenAI Evals", "HELM", "AlpacaEval"
ATTACHED = "attachment://"


def read_inspect(sample: Row, log: Log) -> Iterator[Row]:
    """Yield the row of a sample of inspect_ai."""
    scores = sample.get("scores") or {}
    # Version 1 of its logs may have but one score.
    if not scores and sample.get("score"):
        scores = {"score": sample["score"]}
    by_choice = "choice" in scores or log.kept.get("choice_scorer", False)
    reference = read_inspect_reference(sample, by_choice, log)
    question = read_attachment(read_prompt(sample["input"]), sample)
    row = {"id": sample["id"], "question": question, "reference": reference}

    error = sample.get("error") or {}
    answer = read_inspect_answer(sample)
    # The empty answer of a sample that failed is none.
    if error and not answer:
        answer = None
    more = {name: sample.get(name) for name in ("epoch", "choices", "metadata")}
    more["error"] = error.get("message")
    yield from make_rows(log, row, [answer], read_inspect_scores(scores), more)


def read_inspect_answer(sample: Row) -> str | None:
    """Return what the model wrote at last."""
    output = sample.get("output") or {}
    answer = output.get("completion")
    if answer is None and output.get("choices"):
        answer = read_prompt(output["choices"][0]["message"]["content"])
    return read_attachment(answer, sample)


def read_inspect_scores(scores: Mapping[str, Row]) -> Row:
    """Return the values of scores by their names, and of a score of several values each by its own."""
    values: Row = {}
    for name, score in scores.items():
        value = score["value"]
        if not isinstance(value, dict):
            values[name] = value
            continue
        for part, number in value.items():
            values[f"{name}.{part}"] = number
    return values


def read_inspect_reference(sample: Row, by_choice: bool, log: Log) -> str | list[str] | None:
    """Return the target of a sample, and note whether all of several are needed.

    `by_choice` says whether the scorer of choices scores it.
    """
    reference = format_values(sample["target"])
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
    texts = target if isinstance(target, list) else [target or ""]
    letters = []
    for token in ",".join(texts).replace(",", " ").split():
        # A number is the label of one option.
        letters += [token] if token.isnumeric() else list(token)
    return letters if len(letters) > 1 else target


def note_choices(whole: Row, log: Log) -> None:
    """Note whether a log of inspect_ai asks for all right options: its solver allows several, or its scorer wants all
    letters of the target.
    """
    solvers = (whole.get("plan") or {}).get("steps") or []
    settings = [solver.get("params") or {} for solver in solvers]
    log.kept["multiple_correct"] = any(setting.get("multiple_correct") for setting in settings)
    scorers = whole["eval"].get("scorers") or []
    names = [str(scorer.get("name")).rpartition("/")[2] for scorer in scorers]
    log.kept["choice_scorer"] = "choice" in names


def read_lighteval(row: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of a row of details_*.parquet."""
    doc, response = row["doc"], row["model_response"]
    answers = response.get("text_post_processed")
    if answers is None:
        answers = response.get("text")
    if not answers and response.get("logprobs"):
        refuse_likelihoods(log)
    reference = read_gold(doc.get("choices"), doc["gold_index"])
    sample = {"id": doc.get("id"), "question": doc["query"], "reference": reference}
    yield from make_rows(log, sample, answers or [], row["metric"], {"specific": doc.get("specific")})


def read_gold(choices: list[Any] | None, places: Any) -> str | list[str] | None:
    """Return the options at the places of the right ones; a task without references has places all the same."""
    choices = choices or []
    places = places if isinstance(places, list) else [places]
    options = [choices[place] for place in places if place in range(len(choices))]
    return format_values(flatten(options))


def read_lighteval_before(row: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of a row of details_*.parquet until 0.9; in some all cells are texts that show what they hold."""
    cells = {name: parse_python(row[name]) for name in ("predictions", "gold", "choices", "gold_index", "metrics")}
    answers = flatten(cells["predictions"])
    if not is_kind(answers, "texts"):
        refuse_likelihoods(log)
    gold = cells["gold"]
    reference = format_values(gold) if gold else read_gold(cells["choices"], cells["gold_index"])
    scores = cells["metrics"]
    if not isinstance(scores, dict):
        scores = {"metrics": scores}
    sample = {"question": row["example"], "reference": reference}
    yield from make_rows(log, sample, answers, scores, {})


def read_evals(row: Row, log: Log) -> Iterator[Row]:
    """Yield the row of an event of OpenAI's Evals: what was asked, then, of the same sample, how it matched."""
    kind = row.get("type")
    data = row.get("data") or {}
    if "spec" in row:
        log.model = ", ".join(row["spec"].get("completion_fns") or [])
    elif kind == "sampling":
        log.kept[row["sample_id"]] = read_prompt(data.get("prompt"))
    elif kind == "match" and "expected" in data:
        question = log.kept.pop(row["sample_id"], None)
        sample = {"id": row["sample_id"], "question": question, "reference": format_values(data["expected"])}
        answer = data.get("sampled", data.get("picked"))
        yield from make_rows(log, sample, flatten([answer]), {"correct": data.get("correct")}, {})


def read_helm(state: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of a state in the scenario_state.json of HELM; what stands for an option is that option."""
    instance = state["instance"]
    references = [option["output"]["text"] for option in instance["references"] if "correct" in option["tags"]]
    result = state.get("result") or {}
    texts = [completion["text"] for completion in result.get("completions") or []]
    options = state.get("output_mapping") or {}
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
