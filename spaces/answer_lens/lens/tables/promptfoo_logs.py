"""The results of promptfoo as rows: its JSON and JSON Lines, the table that its page downloads, and its CSV.

Table and CSV have a row for each test and a column for each prompt of each provider: every output becomes a result, as
the JSON has them. A CSV does not have the assertions: there the reference is a variable.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lens.tables.log import Log, flatten, format_value, format_values, make_rows, read_prompt
from lens.tables.log_references import ALL, ANY
from lens.tables.reading import Row
from lens.tables.roles import guess_roles
from lens.words.printed import make_one_line

TOOL = "promptfoo"
# Assertions whose value is a right answer as a whole, and those whose value is a part that it has to have. What is
# compared with several values counts any one, or all.
WHOLE = ("equals", "factuality", "model-graded-factuality", "similar", "bleu", "gleu", "meteor", "levenshtein",
         "context-recall", "starts-with")  # fmt: skip
WHOLE_PREFIXES = ("rouge-", "similar:")
PART = ("contains", "icontains", "contains-all", "icontains-all")
PART_OF_ANY = ("contains-any", "icontains-any")
# Its value is what a judge is to look for, often the right answer: it counts where nothing else is compared.
CRITERION = "model-graded-closedqa"
# A value that a file or a program gives is not in the log.
ELSEWHERE = ("file://", "package:")
VARIABLE = re.compile(r"\{\{-?\s*([^\W\d][\w.-]*)\s*-?\}\}")
# In a CSV: the head of a column of outputs, and of those that follow one; a name that stands twice has a number.
OUTPUT_HEAD = re.compile(r"\[([^\[\]]+)\] (.*)", re.DOTALL)
NUMBERED = re.compile(r" \(\d+\)$")
STATUS, SCORE, NAMED_SCORES, GRADER_REASON = "Status", "Score", "Named Scores", "Grader Reason"
DESCRIPTION = "Description"
# Before what a spreadsheet could take for a formula stands an apostrophe.
ESCAPED = re.compile(r"'(?=[\s\u200b-\u200d]*[=@+-])")
# In the CSV of older versions the output stands between these.
MARKED = re.compile(r"\[(PASS|FAIL|ERROR)\](?: \((-?[\d.]+)(?![\d.])[^()\n]*\)(?=\n|$))?\s*")
REASON = re.compile(r"\n\n(?:Pass|Fail) Reason: ")
PASS, ERROR = "PASS", "ERROR"
# failureReason of a result that has no output because of an error.
FAILED = 2
# A label of a prompt that names a system: longer ones are the prompt itself.
MAX_LABEL = 40


def look_ahead(results: Sequence[Row], log: Log) -> None:
    """Note which prompts each provider got, by the first results of a log."""
    prompts = {}
    for result in results:
        if result.get("provider") and isinstance(result.get("promptIdx"), int):
            provider = read_provider(result["provider"])
            prompts[provider, result["promptIdx"]] = provider, result["prompt"].get("label")
    note_prompts(list(prompts.values()), log)


def note_prompts(prompts: Sequence[tuple[str, str | None]], log: Log) -> None:
    """Note the providers that got several prompts: each of these with each prompt is a system."""
    counts = Counter(provider for provider, _ in prompts)
    log.kept["several_prompts"] = {provider for provider, count in counts.items() if count > 1}
    log.kept["labels"] = list(dict.fromkeys(label for _, label in prompts))


def read_result(result: Row, log: Log) -> Iterator[Row]:
    """Yield the row of a result: a prompt with the variables of a test, asked of a provider."""
    variables, prompt = result["vars"], result["prompt"]
    roles = guess_roles(list(variables))
    reference = read_result_reference(result, roles.reference, log)
    question = variables.get(roles.question) or read_prompt(prompt["raw"])
    sample = {"id": result.get("testIdx"), "question": format_value(question), "reference": format_values(reference)}
    answer = read_result_output(result)
    error = result.get("error") if answer is None else None
    more = {"prompt": prompt.get("label"), "error": error, "vars": variables, "model": name_system(result, log)}
    yield from make_rows(log, sample, [answer], read_result_scores(result), more)


def read_result_output(result: Row) -> Any:
    """Return what a provider answered; None if there is no answer."""
    response = result.get("response") or {}
    return response.get("output") if isinstance(response, dict) else response


def read_result_scores(result: Row) -> Row:
    """Return the scores of a result by their names."""
    scores = {"score": result.get("score"), "success": result.get("success")}
    return scores | (result.get("namedScores") or {})


def read_result_reference(result: Row, column: str, log: Log) -> Any:
    """Return the variable that has the reference of a result, else what its assertions compare the output with.

    Of several values of assertions it is noted whether any or all count.
    """
    reference = result["vars"].get(column)
    if reference is not None:
        return fill_template(reference, result["vars"])
    value, use = read_asserted(result)
    value = fill_template(value, result["vars"])
    if use and isinstance(value, list) and len(value) > 1:
        log.references.declare(use)
    return value


def read_provider(provider: Any) -> str:
    """Return the name of a provider."""
    if isinstance(provider, dict):
        provider = provider.get("label") or provider["id"]
    return str(provider)


def name_system(result: Row, log: Log) -> str:
    """Return the provider of a result, with its prompt where the provider got several."""
    provider = read_provider(result["provider"])
    if provider not in log.kept.get("several_prompts", ()):
        return provider
    label = result["prompt"].get("label") or ""
    shown = make_one_line(label).strip()
    labels = log.kept["labels"]
    if not shown or len(shown) > MAX_LABEL:
        number = labels.index(label) if label in labels else result["promptIdx"]
        shown = f"prompt {number + 1}"
    return f"[{provider}] {shown}"


def read_asserted(result: Row) -> tuple[Any, str]:
    """Return what an output is compared with, None where nothing is, and whether any or all of it count."""
    assertions = [assertion for assertion in list_assertions(find_assertions(result)) if has_value(assertion)]
    comparing = [assertion for assertion in assertions if is_comparing(assertion["type"])]
    # A criterion counts where nothing else is compared.
    comparing += [assertion for assertion in assertions if assertion["type"] == CRITERION]
    if not comparing:
        return None, ""
    first = comparing[0]
    if first["type"] in PART:
        return read_parts(comparing), ALL
    if first["type"] in PART_OF_ANY:
        return split_values(first), ANY
    return first["value"], ANY


def find_assertions(result: Row) -> list[Any]:
    """Return the assertions of a test; older versions have them beside their results."""
    assertions = (result.get("testCase") or {}).get("assert")
    if assertions:
        return list(assertions)
    grades = (result.get("gradingResult") or {}).get("componentResults") or []
    return [grade.get("assertion") or {} for grade in grades]


def read_parts(assertions: Sequence[Row]) -> Any:
    """Return the parts that an output has to have, by all assertions together."""
    parts = []
    for assertion in assertions:
        if assertion["type"] in PART:
            parts += split_values(assertion)
    return parts if len(parts) > 1 else parts[0]


def list_assertions(assertions: Sequence[Any]) -> Iterator[Row]:
    """Yield assertions, and those in their sets."""
    for assertion in assertions:
        if assertion.get("type") == "assert-set":
            yield from list_assertions(assertion.get("assert") or [])
        else:
            yield assertion


def has_value(assertion: Row) -> bool:
    """Return whether the value of an assertion is in the log."""
    value = assertion.get("value")
    if isinstance(value, str):
        return not value.startswith(ELSEWHERE)
    return value is not None and value != []


def is_comparing(kind: str) -> bool:
    """Return whether an assertion compares the output with a right answer, or a part of one.

    >>> [is_comparing(kind) for kind in ("factuality", "rouge-n", "icontains-all", "llm-rubric", "not-equals", "cost")]
    [True, True, True, False, False, False]
    """
    return kind in (*WHOLE, *PART, *PART_OF_ANY) or kind.startswith(WHOLE_PREFIXES)


def split_values(assertion: Row) -> list[Any]:
    """Return the values of an assertion, which may be a text with commas between them where its type takes several.

    >>> split_values({"type": "contains-all", "value": "red, blue"})
    ['red', 'blue']
    """
    value = assertion["value"]
    if isinstance(value, list):
        return value
    if isinstance(value, str) and assertion["type"].endswith(("-all", "-any")) and "{{" not in value:
        return [part.strip() for part in value.split(",")]
    return [value]


def fill_template(value: Any, variables: Mapping[str, Any]) -> Any:
    """Return a value with the variables of a test in the place of their names; a variable alone stays what it is.

    >>> fill_template("{{ city }} in {{country}}", {"city": "Lima"})
    'Lima in {{country}}'
    >>> fill_template(["{{names}}"], {"names": ["a", "b"]})
    ['a', 'b']
    """
    if isinstance(value, list):
        return flatten(fill_template(part, variables) for part in value)
    if not isinstance(value, str):
        return value
    alone = VARIABLE.fullmatch(value.strip())
    if alone and isinstance(variables.get(alone[1]), list):
        return variables[alone[1]]
    return VARIABLE.sub(lambda name: format_value(variables.get(name[1], name[0])) or "", value)


def list_outputs(table: Row, log: Log) -> Iterator[Row]:
    """Yield a result for each output in a table: its head has the variables and prompts, its body the tests."""
    prompts, names = table["head"]["prompts"], table["head"]["vars"]
    note_prompts([(str(prompt.get("provider")), prompt.get("label")) for prompt in prompts], log)
    for number, test in enumerate(table["body"]):
        case = test.get("test") or {}
        variables = case.get("vars") or {}
        if len(names) == len(test["vars"]):
            variables = dict(zip(names, test["vars"], strict=True))
        result = {"vars": variables, "testCase": case, "testIdx": test.get("testIdx", number)}
        for place, output in enumerate(test["outputs"]):
            if output is not None:
                yield result | read_output(output, prompts[place], place)


def read_output(output: Row, prompt: Row, place: int) -> Row:
    """Return the output of a test as the JSON has it."""
    result = {name: output.get(name) for name in ("score", "namedScores", "gradingResult")}
    result["prompt"] = {"raw": output.get("prompt") or prompt.get("raw"), "label": prompt.get("label")}
    result["promptIdx"] = place
    result["provider"] = prompt.get("provider") or output.get("provider")
    result["success"] = output.get("pass")

    text, error = output.get("text"), output.get("error")
    # The text of an output that failed is its error.
    if output.get("failureReason") == FAILED or (error and text == error):
        return result | describe_failure(error or text)
    return result | {"response": {"output": text}}


def describe_failure(error: str | None) -> Row:
    """Return the response of a result that failed, and its error, as the JSON has them."""
    return {"response": {"output": None}, "error": error}


def find_output_columns(row: Mapping[str, Any]) -> list[str]:
    """Return the columns of outputs in a CSV of promptfoo: those before a status and a score.

    In older versions those in whose cells a status stands. None where it is another table.
    """
    names = list(row)
    heads = [NUMBERED.sub("", name) for name in names]
    scored = [name for place, name in enumerate(names) if heads[place + 1 : place + 3] == [STATUS, SCORE]]
    outputs = [name for name in names if OUTPUT_HEAD.fullmatch(name)]
    if scored and {*scored} <= {*outputs}:
        return scored
    has_statuses = all(MARKED.match(row[name]) for name in outputs)
    return outputs if has_statuses else []


def list_cells(row: Row, log: Log) -> Iterator[Row]:
    """Yield a result for each output in a row of a CSV."""
    if "outputs" not in log.kept:
        log.kept["outputs"] = find_output_columns(row)
        note_prompts([split_head(column) for column in log.kept["outputs"]], log)
    log.kept["test"] = log.kept.get("test", -1) + 1
    names = list(row)
    places = {name: place for place, name in enumerate(names)}
    starts = [places[column] for column in log.kept["outputs"]]
    ends = [*starts[1:], len(names)]
    cells = {name: drop_apostrophe(row[name]) for name in names[: starts[0]] if name != DESCRIPTION}
    # A variable that a test does not have is an empty cell.
    variables = {name: cell for name, cell in cells.items() if cell}
    test = {"vars": variables, "testIdx": log.kept["test"]}
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        provider, label = split_head(names[start])
        prompt = {"raw": fill_template(label, cells), "label": label}
        following = {NUMBERED.sub("", name): row[name] for name in names[start + 1 : end]}
        asked = {"provider": provider, "promptIdx": place, "prompt": prompt}
        yield test | asked | read_output_cell(row[names[start]], following)


def split_head(column: str) -> tuple[str, str]:
    """Return the provider and the prompt that the head of a column of outputs names."""
    head = OUTPUT_HEAD.fullmatch(column)
    assert head is not None
    return head[1], head[2]


def drop_apostrophe(text: str) -> str:
    """Return a cell without the apostrophe that keeps a spreadsheet from reading a formula.

    >>> drop_apostrophe("'=1+1"), drop_apostrophe("'tis")
    ('=1+1', "'tis")
    """
    return text[1:] if ESCAPED.match(text) else text


def read_output_cell(text: str, following: Mapping[str, str]) -> Row:
    """Return a cell of outputs, and those that follow it, as the JSON has them."""
    status, score = following.get(STATUS, ""), following.get(SCORE, "")
    marked = None if status else MARKED.match(text)
    if marked:
        status, score = marked[1], marked[2] or ""
        text = REASON.split(text[marked.end() :])[0].strip()
    scores = json.loads(following.get(NAMED_SCORES) or "{}")
    result = {"score": float(score) if score else None, "success": status == PASS, "namedScores": scores}
    if status == ERROR:
        return result | describe_failure(text or following.get(GRADER_REASON) or ERROR)
    return result | {"response": {"output": drop_apostrophe(text)}}
