"""Converts samples in the logs of other evaluation tools to rows: one function per format.

A log that asks only for likelihoods is refused: the likeliest option is not a text that the model
wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lens.tables.cells import fits_column_type
from lens.tables.file_reading import Row
from lens.tables.log import (
    Log,
    flatten,
    format_values,
    make_rows,
    parse_python,
    read_prompt,
    refuse_likelihoods,
)
from lens.tables.log_references import ALL

INSPECT = "inspect_ai"
LIGHTEVAL = "lighteval"
EVALS = "OpenAI Evals"
HELM = "HELM"
ALPACA = "AlpacaEval"
# inspect_ai stores a long text separately, and writes this and the name of the text in its place.
ATTACHMENT_PREFIX = "attachment://"
# Columns of lighteval's details until 0.9 whose cells may be lists or objects written as Python
# text, such as "['Paris']".
PYTHON_COLUMNS = ("predictions", "gold", "choices", "gold_index", "metrics")


def read_inspect(sample: Row, log: Log) -> Iterator[Row]:
    """Yield the row of a sample of inspect_ai."""
    scores = sample.get("scores") or {}
    # A log of version 1 may have a single score without a name.
    if not scores and sample.get("score"):
        scores = {"score": sample["score"]}
    is_multiple_choice = "choice" in scores or log.state.get("choice_scorer", False)
    question = read_prompt(sample["input"])
    row = {
        "id": sample["id"],
        "question": read_attachment(question, sample),
        "reference": read_inspect_reference(sample, is_multiple_choice, log),
    }

    error = sample.get("error") or {}
    answer = read_inspect_answer(sample)
    # If a sample failed, an empty answer means that there is no answer.
    if error and not answer:
        answer = None
    extra = {
        "epoch": sample.get("epoch"),
        "choices": sample.get("choices"),
        "metadata": sample.get("metadata"),
        "error": error.get("message"),
    }
    yield from make_rows(log, row, [answer], read_inspect_scores(scores), extra)


def read_inspect_answer(sample: Row) -> str | None:
    """Return the model's last response in a sample."""
    output = sample.get("output") or {}
    answer = output.get("completion")
    if answer is None and output.get("choices"):
        first_choice = output["choices"][0]
        answer = read_prompt(first_choice["message"]["content"])
    return read_attachment(answer, sample)


def read_inspect_scores(scores: Mapping[str, Row]) -> Row:
    """Return the scores of a sample by name; each value of a score with several gets its own name.

    >>> read_inspect_scores({"match": {"value": "C"}, "rouge": {"value": {"f1": 0.5, "recall": 1}}})
    {'match': 'C', 'rouge.f1': 0.5, 'rouge.recall': 1}
    """
    values: Row = {}
    for name, score in scores.items():
        value = score["value"]
        if not isinstance(value, dict):
            values[name] = value
            continue
        for key, number in value.items():
            values[f"{name}.{key}"] = number
    return values


def read_inspect_reference(
    sample: Row, is_multiple_choice: bool, log: Log
) -> str | list[str] | None:
    """Return the target of a sample, and note whether an answer needs all of several targets.

    `is_multiple_choice` is true if inspect_ai's scorer `choice` scores the sample.
    """
    reference = format_values(sample["target"])
    if is_multiple_choice and sample.get("choices"):
        reference = split_letters(reference)
    has_several = isinstance(reference, list) and len(reference) > 1
    needs_all = is_multiple_choice or log.state.get("multiple_correct")
    if has_several and needs_all:
        log.references.declare(ALL)
    return reference


def read_attachment(text: str | None, sample: Row) -> str | None:
    """Return a text, or the attachment that it names, such as "attachment://9f1c"."""
    if not text or not text.startswith(ATTACHMENT_PREFIX):
        return text
    transcript = sample.get("transcript") or {}
    # Early logs have the attachments in the transcript.
    attachments = sample.get("attachments") or transcript.get("content") or {}
    name = text.removeprefix(ATTACHMENT_PREFIX)
    return attachments.get(name, text)  # type: ignore[no-any-return]


def split_letters(target: str | list[str] | None) -> str | list[str] | None:
    """Return the letters of the right options in a target, as inspect_ai's `choice` reads them.

    >>> split_letters("AC"), split_letters(["A, C"]), split_letters("B"), split_letters("10")
    (['A', 'C'], ['A', 'C'], 'B', '10')
    """
    texts = target if isinstance(target, list) else [target or ""]
    tokens = " ".join(texts).replace(",", " ").split()
    letters = []
    for token in tokens:
        # A number is the label of a single option.
        if token.isnumeric():
            letters.append(token)
        else:
            letters.extend(token)
    return letters if len(letters) > 1 else target


def note_choices(document: Row, log: Log) -> None:
    """Note whether a log of inspect_ai asks for all right options.

    It does if its solver allows several options, or if its scorer requires all letters of the
    target.
    """
    plan = document.get("plan") or {}
    log.state["multiple_correct"] = False
    for solver in plan.get("steps") or []:
        settings = solver.get("params") or {}
        if settings.get("multiple_correct"):
            log.state["multiple_correct"] = True

    log.state["choice_scorer"] = False
    for scorer in document["eval"].get("scorers") or []:
        # The name of a scorer may begin with the name of its package: "inspect_ai/choice".
        _, _, name = str(scorer.get("name")).rpartition("/")
        if name == "choice":
            log.state["choice_scorer"] = True


def read_lighteval(row: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of one line of details_*.parquet: one per answer."""
    doc = row["doc"]
    response = row["model_response"]
    answers = response.get("text_post_processed")
    if answers is None:
        answers = response.get("text")
    if not answers and response.get("logprobs"):
        refuse_likelihoods(log)
    sample = {
        "id": doc.get("id"),
        "question": doc["query"],
        "reference": read_gold(doc.get("choices"), doc["gold_index"]),
    }
    extra = {"specific": doc.get("specific")}
    yield from make_rows(log, sample, answers or [], row["metric"], extra)


def read_gold(choices: list[Any] | None, positions: Any) -> str | list[str] | None:
    """Return the options at the given positions.

    Positions outside the options are skipped, because tasks without references have positions, too.
    """
    choices = choices or []
    if not isinstance(positions, list):
        positions = [positions]
    valid_positions = range(len(choices))
    options = [choices[position] for position in positions if position in valid_positions]
    return format_values(flatten(options))


def read_lighteval_until_0_9(row: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of one line of details_*.parquet until 0.9: one per answer.

    Some versions write lists and objects as Python text.
    """
    cells = {name: parse_python(row[name]) for name in PYTHON_COLUMNS}
    answers = flatten(cells["predictions"])
    if not fits_column_type(answers, "texts"):
        refuse_likelihoods(log)
    scores = cells["metrics"]
    if not isinstance(scores, dict):
        scores = {"metrics": scores}
    sample = {"question": row["example"], "reference": read_gold_until_0_9(cells)}
    yield from make_rows(log, sample, answers, scores, {})


def read_gold_until_0_9(cells: Row) -> str | list[str] | None:
    """Return the reference in lighteval's cells until 0.9: a text, or the right options."""
    if cells["gold"]:
        return format_values(cells["gold"])
    return read_gold(cells["choices"], cells["gold_index"])


def read_evals(row: Row, log: Log) -> Iterator[Row]:
    """Yield the row of a sample of OpenAI's Evals, whose log has two events per sample.

    "sampling" has the question, and "match" has the answer and its score. The question is
    remembered until the match comes.
    """
    event = row.get("type")
    data = row.get("data") or {}
    questions = log.state.setdefault("questions", {})
    if "spec" in row:
        models = row["spec"].get("completion_fns") or []
        log.model = ", ".join(models)
    elif event == "sampling":
        questions[row["sample_id"]] = read_prompt(data.get("prompt"))
    elif event == "match" and "expected" in data:
        sample = {
            "id": row["sample_id"],
            "question": questions.pop(row["sample_id"], None),
            "reference": format_values(data["expected"]),
        }
        answer = data.get("sampled", data.get("picked"))
        scores = {"correct": data.get("correct")}
        yield from make_rows(log, sample, flatten([answer]), scores, {})


def read_helm(state: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of a request state in HELM's scenario_state.json: one per answer."""
    instance = state["instance"]
    sample = {
        "id": instance.get("id"),
        "question": instance["input"]["text"],
        "reference": read_helm_references(instance),
    }
    result = state.get("result") or {}
    answers = read_helm_answers(result, state.get("output_mapping") or {})
    perturbation = instance.get("perturbation") or {}
    extra = {
        "split": instance.get("split"),
        "error": None if answers else result.get("error"),
        "perturbation": perturbation.get("name"),
    }
    yield from make_rows(log, sample, answers, {}, extra)


def read_helm_references(instance: Row) -> list[str]:
    """Return the texts of the options that HELM marks as correct."""
    references = []
    for option in instance["references"]:
        if "correct" in option["tags"]:
            references.append(option["output"]["text"])
    return references


def read_helm_answers(result: Row, options: Mapping[str, str]) -> list[str]:
    """Return the completions of HELM; the letter of an option is replaced by the option's text.

    Args:
        result: the result of the request.
        options: the text of each option by its letter.
    """
    answers = []
    for completion in result.get("completions") or []:
        text = completion["text"]
        answers.append(options.get(text.strip(), text))
    return answers


def read_alpaca(row: Row, log: Log) -> Iterator[Row]:
    """Yield the row of an item in AlpacaEval's annotations.json.

    Its reference is another system's answer.
    """
    sample = {"question": row["instruction"], "reference": row["output_1"]}
    scores = {"preference": row["preference"]}
    extra = {
        "model": row.get("generator_2"),
        "dataset": row.get("dataset"),
        "annotator": row.get("annotator"),
    }
    yield from make_rows(log, sample, [row["output_2"]], scores, extra)
