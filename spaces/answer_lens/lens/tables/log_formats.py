"""Samples in the logs of other evaluation tools as rows of a table: a function for each format.

A row has, under their usual names, what the log has: id, question, reference (a text or a list of texts), prediction,
model, the repeat (`epoch`, `filter`), the tool's own scores by its own names, why there is no answer (`error`), and as
one object what else was known of the question (`doc`, `metadata`, `vars`, `specific`). A missing answer is null.

What was asked only for likelihoods is refused: the likeliest of some options is no text that a model wrote.
"""

from __future__ import annotations

import ast
import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lens.tables.cells import fits
from lens.tables.roles import USUAL, BadTable, guess, listing, usual
from lens.words import say, sentences
from lens.words.printed import short

Row = dict[str, Any]

LM_EVAL, INSPECT, LIGHTEVAL, PROMPTFOO = "lm-evaluation-harness", "inspect_ai", "lighteval", "promptfoo"
EVALS, HELM, ALPACA = "OpenAI Evals", "HELM", "AlpacaEval"
# A score with one of these names would be taken for something else.
OWN = {usual(name) for names in USUAL.values() for name in names} | {"model", "epoch", "filter", "error"}
# What a sample of lm-evaluation-harness has besides its scores.
LM_EVAL_PARTS = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash",
                 "prompt_hash", "target_hash")  # fmt: skip
# Assertions of promptfoo that compare with a right answer, and how they name a variable.
COMPARING = ("equals", "icontains", "contains", "icontains-any", "contains-any")
VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")
ATTACHED = "attachment://"


def nothing(name: str) -> bytes:
    """What is in a file beside the log, where none can be read."""
    return b""


@dataclass
class Log:
    """What is asked of a log, and what it turns out to be while it is read.

    `wanted` is the filter whose samples are read: None for the first that comes, "" for all. `path` is where the log
    lies, and `beside` reads a file of its folder: both may tell the model. A zip may unpack to `most` bytes. `tool`
    stays empty for an ordinary table.
    """

    wanted: str | None = None
    path: str = ""
    beside: Callable[[str], bytes] = nothing
    most: int | None = None
    tool: str = ""
    model: str = ""
    status: str = "success"
    filters: dict[str, None] = field(default_factory=dict)
    # What a format has to know of the samples before.
    kept: Row = field(default_factory=dict)

    def told(self) -> str:
        """In words, what the file was taken for; nothing for an ordinary table."""
        if not self.tool:
            return ""
        status = "" if self.status == "success" else say("log_unfinished", status=short(self.status))
        others = [one for one in self.filters if self.wanted and one != self.wanted]
        filters = say("log_filter", filter=short(self.wanted or ""), others=listing(others)) if others else ""
        return sentences(say("log_taken", tool=self.tool), status, filters)

    def takes(self, name: str) -> bool:
        """Whether the samples of a filter are read."""
        self.filters.setdefault(name)
        self.wanted = name if self.wanted is None else self.wanted
        return self.wanted in ("", name)


def likelihoods(log: Log) -> BadTable:
    """Why a log without answers is refused."""
    return BadTable(say("log_likelihoods", tool=log.tool))


def as_text(value: Any) -> str | None:
    """A value as a text, for an answer may be an object or a number, too."""
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_texts(value: Any) -> str | list[str] | None:
    """One text or a list of texts."""
    return [as_text(one) or "" for one in value] if isinstance(value, list) else as_text(value)


def unshown(value: Any) -> Any:
    """What a text shows as Python shows it; any other text, and what is no text, as it is.

    >>> unshown("['Jane Austen', 'Austen']"), unshown("[sic]"), unshown(["a"])
    (['Jane Austen', 'Austen'], '[sic]', ['a'])
    """
    if not isinstance(value, str) or not value.startswith(("[", "{")):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value


def asked(prompt: Any) -> str | None:
    """What a prompt asks: the text, or of a chat, which may be JSON, the last message of its user.

    >>> asked([{"role": "user", "content": [{"type": "text", "text": "Who?"}]}, {"role": "assistant", "content": "I"}])
    'Who?'
    """
    if isinstance(prompt, str) and prompt.lstrip().startswith("["):
        with contextlib.suppress(ValueError, RecursionError):
            chat = json.loads(prompt)
            prompt = chat if is_chat(chat) else prompt
    if is_chat(prompt):
        said = [one for one in prompt if one["role"] == "user"] or prompt
        return asked(said[-1].get("content"))
    if isinstance(prompt, list):
        texts = (one.get("text") if isinstance(one, dict) else asked(one) for one in prompt)
        return "\n".join(text for text in texts if text)
    return as_text(prompt)


def is_chat(value: Any) -> bool:
    """Whether a value is a list of messages."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) and "role" in one for one in value)


def flat(answers: Iterable[Any]) -> list[Any]:
    """Answers, of which each may be a list of several."""
    return [text for one in answers for text in (one if isinstance(one, list) else [one])]


def rows_of(log: Log, sample: Row, answers: list[Any], scores: Mapping[str, Any], more: Row) -> Iterator[Row]:
    """The rows of a sample, one for each of its answers, or one without an answer."""
    sample = {name: cell for name, cell in sample.items() if name != "id" or cell not in (None, "")}
    known = {name: cell for name, cell in more.items() if cell not in (None, {}, [])}
    named = {f"score {name}" if usual(name) in OWN or name in known else name: one for name, one in scores.items()}
    for epoch, answer in enumerate(answers or [None], 1):
        row = sample | {"prediction": as_text(answer)} | ({"model": log.model} if log.model else {})
        yield row | ({"epoch": epoch} if len(answers) > 1 else {}) | known | named


def filter_of(row: Row, log: Log) -> str:
    """The filter of a sample. Until 0.4.2 it has no name; the next one begins where the first sample comes again."""
    told, first = "filter" in row, log.kept.setdefault("first", ("filter" in row, row["doc_id"]))
    if told != first[0]:
        raise KeyError("filter")
    log.kept["passes"] = log.kept.get("passes", 0) + (row["doc_id"] == first[1])
    return str(row["filter"] if told else log.kept["passes"])


def lm_eval(row: Row, log: Log) -> Iterator[Row]:
    """A line of samples_*.jsonl; in older ones the arguments are lists. A target that was a list is the text of it."""
    name = filter_of(row, log)
    if not log.takes(name):
        return
    given = row["arguments"]
    requests = [list(one.values()) for one in given.values()] if isinstance(given, dict) else given
    if requests and (len(requests[0]) < 2 or not isinstance(requests[0][1], dict)):
        raise likelihoods(log)
    question, right = row["doc"].get("question"), unshown(row["target"])
    sample = {"id": row["doc_id"], "question": question if isinstance(question, str) else asked(requests[0][0])}
    sample["reference"] = as_texts(right if fits("texts", right) else row["target"])
    scores = {one: value for one, value in row.items() if one not in LM_EVAL_PARTS}
    yield from rows_of(log, sample, flat(row["filtered_resps"]), scores, {"filter": name, "doc": row["doc"]})


def inspect(sample: Row, log: Log) -> Iterator[Row]:
    """A sample of inspect_ai, which may keep long texts apart; in version 1 of its logs it may have but one score."""
    apart = sample.get("attachments") or (sample.get("transcript") or {}).get("content") or {}

    def whole(text: str | None) -> str | None:
        return apart.get(text.removeprefix(ATTACHED), text) if text and text.startswith(ATTACHED) else text

    output, error = sample.get("output") or {}, sample.get("error") or {}
    answer = output.get("completion")
    if answer is None and output.get("choices"):
        answer = asked(output["choices"][0]["message"]["content"])
    scores: Row = {}
    every = sample.get("scores") or ({"score": sample["score"]} if sample.get("score") else {})
    for name, score in every.items():
        value = score["value"]
        scores |= {f"{name}.{part}": one for part, one in value.items()} if isinstance(value, dict) else {name: value}
    row = {"id": sample["id"], "question": whole(asked(sample["input"])), "reference": as_texts(sample["target"])}
    more = {name: sample.get(name) for name in ("epoch", "choices", "metadata")} | {"error": error.get("message")}
    yield from rows_of(log, row, [None if error and not answer else whole(answer)], scores, more)


def lighteval(row: Row, log: Log) -> Iterator[Row]:
    """A row of details_*.parquet."""
    doc, said, gold = row["doc"], row["model_response"], row["doc"]["gold_index"]
    answers = said.get("text") if said.get("text_post_processed") is None else said["text_post_processed"]
    if not answers and said.get("logprobs"):
        raise likelihoods(log)
    places, choices = gold if isinstance(gold, list) else [gold], doc.get("choices") or []
    right = flat(choices[place] for place in places if place in range(len(choices)))
    sample = {"id": doc.get("id"), "question": doc["query"], "reference": as_texts(right)}
    yield from rows_of(log, sample, answers or [], row["metric"], {"specific": doc.get("specific")})


def lighteval_before(row: Row, log: Log) -> Iterator[Row]:
    """A row of details_*.parquet until 0.9; in some all cells are texts that show what they hold."""
    shown = {name: unshown(row[name]) for name in ("predictions", "gold", "choices", "gold_index", "metrics")}
    answers, scores = flat(shown["predictions"]), shown["metrics"]
    if not fits("texts", answers):
        raise likelihoods(log)
    right = shown["gold"] or [shown["choices"][place] for place in shown["gold_index"]]
    sample = {"question": row["example"], "reference": as_texts(right)}
    yield from rows_of(log, sample, answers, scores if isinstance(scores, dict) else {"metrics": scores}, {})


def promptfoo(row: Row, log: Log) -> Iterator[Row]:
    """A result of promptfoo: a prompt with the variables of a test, asked of a provider. The reference is the variable
    with a usual name, else what the output was compared with.
    """
    given, said, provider = row["vars"], row.get("response") or {}, row["provider"]
    roles, graded = guess(list(given)), (row.get("gradingResult") or {}).get("componentResults") or []
    tests = (row.get("testCase") or {}).get("assert") or [one.get("assertion") or {} for one in graded]
    compared = [one.get("value") for one in tests if one.get("type") in COMPARING]
    right = next((one for one in (given.get(roles.reference), *compared) if one is not None), None)
    if isinstance(right, str):
        right = VARIABLE.sub(lambda one: as_text(given.get(one[1], one[0])) or "", right)
    question = given.get(roles.question) or asked(row["prompt"]["raw"])
    answer = said.get("output") if isinstance(said, dict) else said
    sample = {"id": row.get("testIdx"), "question": as_text(question), "reference": as_texts(right)}
    more = {"prompt": row["prompt"].get("label"), "error": row.get("error") if answer is None else None, "vars": given}
    more["model"] = (provider.get("label") or provider["id"]) if isinstance(provider, dict) else provider
    scores = {"score": row.get("score"), "success": row.get("success"), **(row.get("namedScores") or {})}
    yield from rows_of(log, sample, [answer], scores, more)


def evals(row: Row, log: Log) -> Iterator[Row]:
    """An event of OpenAI's Evals: what was asked, then, of the same sample, how it matched what was expected."""
    kind, data = row.get("type"), row.get("data") or {}
    if "spec" in row:
        log.model = ", ".join(row["spec"].get("completion_fns") or [])
    elif kind == "sampling":
        log.kept[row["sample_id"]] = asked(data.get("prompt"))
    elif kind == "match" and "expected" in data:
        sample = {"id": row["sample_id"], "question": log.kept.pop(row["sample_id"], None)}
        said = data.get("sampled", data.get("picked"))
        sample["reference"] = as_texts(data["expected"])
        yield from rows_of(log, sample, flat([said]), {"correct": data.get("correct")}, {})


def helm(state: Row, log: Log) -> Iterator[Row]:
    """A state in the scenario_state.json of HELM; what stands for an option is that option."""
    instance, options = state["instance"], state.get("output_mapping") or {}
    right = [one["output"]["text"] for one in instance["references"] if "correct" in one["tags"]]
    said = [one["text"] for one in (state.get("result") or {}).get("completions") or []]
    sample = {"id": instance.get("id"), "question": instance["input"]["text"], "reference": right}
    more = {"split": instance.get("split"), "perturbation": (instance.get("perturbation") or {}).get("name")}
    yield from rows_of(log, sample, [options.get(one.strip(), one) for one in said], {}, more)


def alpaca(row: Row, log: Log) -> Iterator[Row]:
    """A line of the annotations.json of AlpacaEval; its reference is the answer of the system compared with."""
    sample = {"question": row["instruction"], "reference": row["output_1"]}
    more = {"model": row.get("generator_2"), "dataset": row.get("dataset"), "annotator": row.get("annotator")}
    yield from rows_of(log, sample, [row["output_2"]], {"preference": row["preference"]}, more)
