"""Converts samples of lm-evaluation-harness to rows.

A request is a prompt with settings, which asks the model to generate a text, or a prompt with a
continuation, which asks only for the likelihood of the continuation. The response to the second
kind is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lens.tables.cells import fits_column_type
from lens.tables.file_reading import Row
from lens.tables.final_marks import find_own_final
from lens.tables.log import Log, flatten, format_values, make_rows, parse_python, read_prompt
from lens.tables.log_references import (
    are_option_positions,
    find_placeholder,
    is_test_program,
    read_option,
)

TOOL = "lm-evaluation-harness"
# The keys of a sample that are not its scores.
SAMPLE_KEYS = (
    "doc_id",
    "doc",
    "target",
    "arguments",
    "resps",
    "filtered_resps",
    "filter",
    "metrics",
    "doc_hash",
    "prompt_hash",
    "target_hash",
)
# What a filter writes instead of an answer that does not match its pattern: "[invalid]", unless a
# task defines another text.
FALLBACK_ANSWER = re.compile(r"\[[^\W\d_][\w /-]*\]")


def look_ahead(samples: Sequence[Row], log: Log) -> None:
    """Note how the targets have to be read, which one sample alone does not tell."""
    targets = []
    answers = []
    samples_by_filter: dict[str, list[Row]] = {}
    for sample in samples:
        if not sample.keys() >= {"target", "doc", "filtered_resps"}:
            continue
        targets.append((sample["target"], sample["doc"]))
        answers += flatten(flatten(sample["filtered_resps"]))
        name = str(sample.get("filter"))
        samples_by_filter.setdefault(name, []).append(sample)

    log.placeholder = find_placeholder(targets)
    log.state["option_positions"] = not log.placeholder and are_option_positions(targets, answers)
    log.state["extracting_filters"] = []
    for name, filter_samples in samples_by_filter.items():
        if has_extracted_answers(filter_samples):
            log.state["extracting_filters"].append(name)


def has_extracted_answers(samples: Sequence[Row]) -> bool:
    """Return whether all targets are worked solutions, but the filter extracts final answers.

    Then the final answers of the targets are the references.
    """
    shortened = []
    for sample in samples:
        if not is_worked_solution(sample["target"]):
            return False
        shortened.append(is_shortened(sample))
    return None not in shortened and any(shortened)


def is_worked_solution(target: Any) -> bool:
    """Return whether a target has a mark before its final answer."""
    return isinstance(target, str) and find_own_final(target) is not None


def is_shortened(sample: Row) -> bool | None:
    """Return True if a filter shortened a response of a sample, False if not, None if unknown.

    It is unknown if the filter wrote something that is neither a part of a response nor its
    fallback.
    """
    responses = list_responses(sample)
    # Filters remove the commas in numbers.
    texts = responses + [text.replace(",", "") for text in responses]
    has_shortened = False
    for answer in flatten(sample["filtered_resps"]):
        is_part = any(str(answer) in text for text in texts)
        if not is_part and not is_fallback(answer, responses):
            return None
        if answer not in responses:
            has_shortened = True
    return has_shortened


def is_fallback(answer: Any, responses: Sequence[str]) -> bool:
    """Return whether a filter wrote this text because it found no answer.

    If the model wrote the text itself, it is an answer.

    >>> is_fallback("[invalid]", ["It is 7."]), is_fallback("[invalid]", ["[invalid]"])
    (True, False)
    >>> is_fallback("7", ["It is 7."])
    False
    """
    if not isinstance(answer, str) or not FALLBACK_ANSWER.fullmatch(answer):
        return False
    return not any(answer in response for response in responses)


def list_responses(sample: Row) -> list[str]:
    """Return all texts that the model generated for a sample."""
    responses = flatten(flatten(sample["resps"]))
    return [text for text in responses if isinstance(text, str)]


def read_sample(sample: Row, log: Log) -> Iterator[Row]:
    """Yield the rows of a line of samples_*.jsonl."""
    name = read_filter(sample, log)
    if not log.is_wanted(name):
        return
    requests = list_requests(sample["arguments"])
    generates = [is_generation(request) for request in requests]
    if requests and not any(generates):
        log.likelihood_samples += 1
        return

    reference = read_target(sample, log)
    if name in log.state["extracting_filters"]:
        reference = extract_final_answer(reference, log)
    row = {
        "id": sample["doc_id"],
        "question": read_doc_question(sample, requests, generates),
        "reference": reference,
    }
    answers = read_filtered_answers(sample, generates, log)
    scores = {key: value for key, value in sample.items() if key not in SAMPLE_KEYS}
    extra = {"filter": name, "doc": sample["doc"]}
    yield from make_rows(log, row, answers, scores, extra)


def list_requests(arguments: Any) -> list[Sequence[Any]]:
    """Return the arguments of each request; newer versions store them by name.

    >>> list_requests({"gen_args_0": {"arg_0": "Who?", "arg_1": {"until": []}}})
    [['Who?', {'until': []}]]
    """
    if isinstance(arguments, dict):
        return [list(request.values()) for request in arguments.values()]
    return list(arguments)


def read_doc_question(
    sample: Row, requests: Sequence[Sequence[Any]], generates: Sequence[bool]
) -> str | None:
    """Return the question in the data set, or else the prompt of the first generation request."""
    question = sample["doc"].get("question")
    if isinstance(question, str):
        return question
    first = generates.index(True) if requests else 0
    return read_prompt(requests[first][0])


def extract_final_answer(reference: Any, log: Log) -> Any:
    """Return the final answer of a worked solution; another reference is returned unchanged."""
    if not isinstance(reference, str):
        return reference
    mark_and_answer = find_own_final(reference)
    if mark_and_answer is None:
        return reference
    log.shortened_references += 1
    _, final_answer = mark_and_answer
    return final_answer


def read_filter(sample: Row, log: Log) -> str:
    """Return the name of a sample's filter.

    Until 0.4.2, samples have no filter name. Then the filters are numbered, and the next one begins
    when the first sample comes again.
    """
    is_named = "filter" in sample
    first = (is_named, sample["doc_id"])
    first_is_named, first_id = log.state.setdefault("first", first)
    if is_named != first_is_named:
        raise KeyError("filter")
    if is_named:
        return str(sample["filter"])
    log.state.setdefault("passes", 0)
    if sample["doc_id"] == first_id:
        log.state["passes"] += 1
    return str(log.state["passes"])


def is_generation(request: Sequence[Any]) -> bool:
    """Return whether a request asks the model to generate a text.

    >>> is_generation(["Who?", {"until": []}]), is_generation(["Who?", " Ann"])
    (True, False)
    >>> is_generation(["Who?"])
    False
    """
    return len(request) > 1 and isinstance(request[1], dict)


def read_filtered_answers(sample: Row, generates: Sequence[bool], log: Log) -> list[Any]:
    """Return the answers of a sample: its filtered responses to generation requests.

    Raises:
        ValueError: there are requests of both kinds, but not one response per request.
    """
    responses = sample["filtered_resps"]
    if not all(generates):
        pairs = zip(responses, generates, strict=True)
        responses = [response for response, is_generated in pairs if is_generated]
    unfiltered = list_responses(sample)
    answers: list[Any] = []
    for answer in flatten(responses):
        if is_fallback(answer, unfiltered):
            log.unmatched_responses += 1
            answers.append(None)
        else:
            answers.append(answer)
    return answers


def read_target(sample: Row, log: Log) -> str | list[str] | None:
    """Return the reference of a sample; None if its target is not a reference.

    The log stores a target that was a list as the text of the list.
    """
    target = sample["target"]
    if log.state["option_positions"]:
        option = read_option(target, sample["doc"])
        return str(target) if option is None else option
    if log.placeholder and str(target).strip() == log.placeholder:
        return None
    if is_test_program(target):
        log.test_programs += 1
        return None
    parsed = parse_python(target)
    return format_values(parsed if fits_column_type(parsed, "texts") else target)
