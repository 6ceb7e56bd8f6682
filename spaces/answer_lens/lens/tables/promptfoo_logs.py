"""Converts the results of promptfoo to rows: finds the answer, question and reference of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lens.tables.file_reading import Row
from lens.tables.log import Log, flatten, format_value, format_values, make_rows, read_prompt
from lens.tables.log_references import ALL, ANY
from lens.tables.roles import guess_roles
from lens.words.printed import make_one_line

TOOL = "promptfoo"
# Types of assertions whose value is a whole right answer.
WHOLE_ANSWER_TYPES = (
    "equals",
    "factuality",
    "model-graded-factuality",
    "similar",
    "bleu",
    "gleu",
    "meteor",
    "levenshtein",
    "context-recall",
    "starts-with",
)
WHOLE_ANSWER_PREFIXES = ("rouge-", "similar:")
# Types of assertions whose values are parts of a right answer: an answer needs all of them, or any
# one.
ALL_PARTS_TYPES = ("contains", "icontains", "contains-all", "icontains-all")
ANY_PART_TYPES = ("contains-any", "icontains-any")
COMPARING_TYPES = frozenset((*WHOLE_ANSWER_TYPES, *ALL_PARTS_TYPES, *ANY_PART_TYPES))
# The value of this assertion tells a judge what to look for, often the right answer. It is the
# reference only if there is no other.
CRITERION_TYPE = "model-graded-closedqa"
# A value that comes from a file or a program is not in the log.
EXTERNAL_PREFIXES = ("file://", "package:")
# A variable in a template, such as "{{ city }}".
VARIABLE = re.compile(r"\{\{-?\s*([^\W\d][\w.-]*)\s*-?\}\}")
# The length of the longest label of a prompt that can name a system; a longer label is the prompt
# itself.
MAX_LABEL_LENGTH = 40


def look_ahead(results: Sequence[Row], log: Log) -> None:
    """Note from the first results of a log which prompts each provider got."""
    prompts: dict[tuple[str, int], tuple[str, str | None]] = {}
    for result in results:
        number = result.get("promptIdx")
        if not result.get("provider") or not isinstance(number, int):
            continue
        provider = read_provider(result["provider"])
        label = result["prompt"].get("label")
        prompts[provider, number] = (provider, label)
    note_prompts(list(prompts.values()), log)


def note_prompts(prompts: Sequence[tuple[str, str | None]], log: Log) -> None:
    """Note the providers that got several prompts: each provider with each prompt is a system.

    Args:
        prompts: the provider and the label of each prompt.
        log: its state is changed.
    """
    counts = Counter(provider for provider, _ in prompts)
    log.state["several_prompts"] = {provider for provider, count in counts.items() if count > 1}
    log.state["labels"] = list(dict.fromkeys(label for _, label in prompts))


def read_result(result: Row, log: Log) -> Iterator[Row]:
    """Yield the row of a result: a provider's answer to a prompt with the variables of a test."""
    variables = result["vars"]
    prompt = result["prompt"]
    roles = guess_roles(list(variables))
    reference = read_result_reference(result, roles.reference, log)
    question = variables.get(roles.question) or read_prompt(prompt["raw"])
    sample = {
        "id": result.get("testIdx"),
        "question": format_value(question),
        "reference": format_values(reference),
    }
    answer = read_result_output(result)
    extra = {
        "prompt": prompt.get("label"),
        "error": result.get("error") if answer is None else None,
        "vars": variables,
        "model": name_system(result, log),
    }
    yield from make_rows(log, sample, [answer], read_result_scores(result), extra)


def read_result_output(result: Row) -> Any:
    """Return the output of a provider; None if there is none."""
    response = result.get("response") or {}
    return response.get("output") if isinstance(response, dict) else response


def read_result_scores(result: Row) -> Row:
    """Return the scores of a result by their names."""
    scores = {"score": result.get("score"), "success": result.get("success")}
    return scores | (result.get("namedScores") or {})


def read_result_reference(result: Row, column: str, log: Log) -> Any:
    """Return the reference of a result.

    It is the variable that has the name of a reference, or else the value of assertions. If
    assertions have several values, it is noted whether an answer needs any or all of them.
    """
    variables = result["vars"]
    reference = variables.get(column)
    if reference is not None:
        return fill_template(reference, variables)
    value, use = read_assertion_value(result)
    value = fill_template(value, variables)
    if use and isinstance(value, list) and len(value) > 1:
        log.references.declare(use)
    return value


def read_provider(provider: Any) -> str:
    """Return the name of a provider, which a log gives as a text or as an object."""
    if isinstance(provider, dict):
        provider = provider.get("label") or provider["id"]
    return str(provider)


def name_system(result: Row, log: Log) -> str:
    """Return the provider of a result, with the prompt if the provider got several prompts.

    Such a name is "[openai:gpt-4o] short prompt", or "[openai:gpt-4o] prompt 2" without a label.
    """
    provider = read_provider(result["provider"])
    if provider not in log.state.get("several_prompts", ()):
        return provider
    label = result["prompt"].get("label") or ""
    name = make_one_line(label).strip()
    if not name or len(name) > MAX_LABEL_LENGTH:
        labels = log.state["labels"]
        number = labels.index(label) if label in labels else result["promptIdx"]
        name = f"prompt {number + 1}"
    return f"[{provider}] {name}"


def read_assertion_value(result: Row) -> tuple[Any, str]:
    """Return the value that an output is compared with, and whether it needs ANY or ALL of it.

    Without such a value, the result is None and an empty text.
    """
    comparisons = find_comparisons(result)
    if not comparisons:
        return None, ""
    first = comparisons[0]
    if first["type"] in ALL_PARTS_TYPES:
        return read_parts(comparisons), ALL
    if first["type"] in ANY_PART_TYPES:
        return split_values(first), ANY
    return first["value"], ANY


def find_comparisons(result: Row) -> list[Row]:
    """Return the assertions that compare an output with a value in the log, criteria last."""
    comparing = []
    criteria = []
    for assertion in list_assertions(find_assertions(result)):
        if not has_value(assertion):
            continue
        if is_comparing(assertion["type"]):
            comparing.append(assertion)
        elif assertion["type"] == CRITERION_TYPE:
            criteria.append(assertion)
    return comparing + criteria


def find_assertions(result: Row) -> list[Any]:
    """Return the assertions of a test; older versions store them with their results."""
    case = result.get("testCase") or {}
    if case.get("assert"):
        return list(case["assert"])
    grading = result.get("gradingResult") or {}
    grades = grading.get("componentResults") or []
    return [grade.get("assertion") or {} for grade in grades]


def read_parts(assertions: Sequence[Row]) -> Any:
    """Return the parts that an output must have, of all assertions together."""
    parts = []
    for assertion in assertions:
        if assertion["type"] in ALL_PARTS_TYPES:
            parts += split_values(assertion)
    return parts if len(parts) > 1 else parts[0]


def list_assertions(assertions: Sequence[Any]) -> Iterator[Row]:
    """Yield assertions, and instead of a set the assertions in it."""
    for assertion in assertions:
        if assertion.get("type") == "assert-set":
            yield from list_assertions(assertion.get("assert") or [])
        else:
            yield assertion


def has_value(assertion: Row) -> bool:
    """Return whether an assertion has a value, and the log contains it."""
    value = assertion.get("value")
    if isinstance(value, str):
        return not value.startswith(EXTERNAL_PREFIXES)
    return value is not None and value != []


def is_comparing(assertion_type: str) -> bool:
    """Return whether an assertion of this type compares an output with a right answer or its part.

    >>> [is_comparing(name) for name in ("factuality", "rouge-n", "icontains-all")]
    [True, True, True]
    >>> [is_comparing(name) for name in ("llm-rubric", "not-equals", "cost")]
    [False, False, False]
    """
    return assertion_type in COMPARING_TYPES or assertion_type.startswith(WHOLE_ANSWER_PREFIXES)


def split_values(assertion: Row) -> list[Any]:
    """Return the values of an assertion.

    If the type takes several values, they may be one text with commas.

    >>> split_values({"type": "contains-all", "value": "red, blue"})
    ['red', 'blue']
    """
    value = assertion["value"]
    if isinstance(value, list):
        return value
    takes_several = assertion["type"].endswith(("-all", "-any"))
    if takes_several and isinstance(value, str) and "{{" not in value:
        return [part.strip() for part in value.split(",")]
    return [value]


def fill_template(value: Any, variables: Mapping[str, Any]) -> Any:
    """Replace the names of variables in a value by the values of a test.

    If the whole value is the name of a variable with a list, the list is returned.

    >>> fill_template("{{ city }} in {{country}}", {"city": "Lima"})
    'Lima in {{country}}'
    >>> fill_template(["{{names}}"], {"names": ["a", "b"]})
    ['a', 'b']
    """
    if isinstance(value, list):
        return flatten(fill_template(part, variables) for part in value)
    if not isinstance(value, str):
        return value
    only_variable = VARIABLE.fullmatch(value.strip())
    if only_variable:
        cell = variables.get(only_variable[1])
        if isinstance(cell, list):
            return cell

    def fill(match: re.Match[str]) -> str:
        """Return the value of a variable; an unknown name stays unchanged."""
        value = variables.get(match[1], match[0])
        return format_value(value) or ""

    return VARIABLE.sub(fill, value)
