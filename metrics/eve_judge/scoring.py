"""EVE's LLM-as-judge: the share of answers that a language model, as a strict fact-checker, passes.

Paper: Atrio et al. 2026, "EVE: A Domain-Specific LLM Framework for Earth Intelligence", arXiv
2604.13071. Original: the dataset card of eve-esa/open-ended, whose prompt is used word for word and
whose result (accuracy, passed, failed, reasoning) this is.

Differences from the original:
- A reply that cannot be read is unscored, with a reason; the original scores it 0.
- A verdict counts only if it is exactly 0 or 1 under the key "score" of a JSON object, with text or
  a fence around it or not. Where there is none, nearly-JSON and a line `score: 1` are read, if all
  scores in the reply are the same 0 or
  1. Two different verdicts in one reply are ambiguous.
- Structured output is asked for where the provider has it; the original asks in words only, as is
  done elsewhere.
- Several references: one question to the judge for each, a pass on any of them counts.

This file may be copied with final_answer.py and near_json.py: they need nothing but Python.

From Answer Lens 0.1.0 (metrics/eve_judge), Apache-2.0. To cite it: CITATION.cff there, and the
paper above.
"""

import hashlib
import json
import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from .final_answer import LONE_ENDS, THINKING_BEGINS, THINKING_ENDS, is_mentioned
from .near_json import MARKS, find_json_text, read_reasoning, read_scores

# A change of a prompt's text takes a new number: the loader does not see every edit inside a text.
PROMPT_VERSION = 1
# The dataset card of eve-esa/open-ended, word for word; its {format_instructions} are those of its
# example code.
CARD = """\
You are a strict fact-checker for Earth Observation (EO). Your task is to give a score of 0 (FAIL) \
or 1 (PASS) by comparing a "Provided Answer" to a "Reference Answer," using the "Question" to \
define the scope.
**Evaluation Rules:**
1. **Contradiction Check (FAIL condition)**: The Provided Answer scores 0 if it contains **ANY** \
fact (name, number, concept) that contradicts the Reference. The Reference is the absolute source \
of truth.
2. **Relevance Check (FAIL condition)**: The Provided Answer scores 0 if it omits key technical \
facts from the Reference that are **ESSENTIAL** to correctly answering the Question.
3. **Additive Information (PASS condition)**: The Provided Answer may include additional, correct \
information not found in the Reference. This is acceptable and should **NOT** be penalized, as \
long as it does not contradict the Reference.
4. **Focus on Substance, Not Style**: Ignore the answer's length, verbosity, and tone. Tolerate \
minor phrasing differences (e.g., "10m" vs "10 meters").
---
**Task**:
Question: "{question}"
Provided Answer: "{output}"
Reference Answer: "{reference}"
Using the rules above, assign a score of 0 if any failure condition is met.
Respond in JSON format with:
- "score": 0 or 1
- "reasoning": brief explanation of your decision"""
# metrics/prompts/llm_judge_qa.yaml of github.com/eve-esa/evalkit at ed56639: the same text for an
# "AI fact-checker", with blank lines between its parts; that its {format_instructions} are those of
# the card is ours.
PARTS = re.compile(r"\n(?=\*\*Evaluation|\d\. |---|Question|Using|Respond)")
EVALKIT = re.sub(
    r"^(\d\.) ", r"\1  ", PARTS.sub("\n\n", CARD.replace("a strict", "a strict AI")), flags=re.M
)
PROMPTS = {"card": CARD, "evalkit": EVALKIT}
# The same rules for a decision model, which is asked about a question and its answer once for each
# reference.
DECISION_STATE = 'Question: "{question}"\nProvided Answer: "{output}"'
DECISION_QUESTION = f"""\
{CARD.partition("---")[0]}---
Reference Answer: "{{reference}}"
Which verdict does the Provided Answer get by the rules above?"""
# The choices of a decision: what they mean, and which verdict each is.
CHOICES = {
    "right": "PASS: no failure condition is met.",
    "wrong": "FAIL: a failure condition is met.",
    "declined": "The Provided Answer declines to answer, or says that it does not know.",
}
CHOICE_SCORES = {"right": 1, "wrong": 0}
SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "integer", "enum": [0, 1]}, "reasoning": {"type": "string"}},
    "required": ["score", "reasoning"],
    "additionalProperties": False,
}
# Where thinking begins and ends, by the one list of marks.
THOUGHTS_BEGIN = re.compile(rf"\s*(?:{THINKING_BEGINS})", re.I)
THOUGHT_ENDS = re.compile(THINKING_ENDS, re.I)
THOUGHT_ENDS_OR_JSON = re.compile(rf"\{{(?=\s*[\"}}])|(?P<ends>{LONE_ENDS})", re.I)
# objects of a reply that are no JSON, and no more are looked for: each costs its whole length
MOST_BROKEN = 100
# A reply that begins with its verdict has no thinking before it: a mark further on is a part of a
# text.
VERDICT_FIRST = re.compile(
    rf"[\s\ufeff]*(?:```\w*\s*)?"
    rf"(?:\{{\s*[\"'}}]|(?:[-\x23][-\x23\s]*)?{MARKS}{{0,4}}score{MARKS}{{0,4}}\s*[:=：＝])",
    re.I,
)
BRACES = re.compile("[{}]")
JSON_BEGINS = re.compile(r"\{\s*[\"}]")

# What a judge may say in the place of a number, though neither prompt offers it: the answer
# declines to answer.
DECLINED = "declined"


@dataclass(frozen=True)
class Verdict:
    """What a reply says: 1 or 0, the judge's reasoning, and how it was read: from "json", or by a
    "key" elsewhere.
    """

    score: int
    reasoning: str | None
    reading: str


class NoVerdict(ValueError):
    """A reply has no usable verdict.

    `reason` is a code: no_verdict, bad_verdict, ambiguous or declined.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def identify_prompt(prompt: str) -> str:
    """Return name, version and hash of a prompt's template, for the signature.

    "decision" names that of decisions.
    """
    template = PROMPTS.get(prompt, DECISION_STATE + DECISION_QUESTION + json.dumps(CHOICES))
    return f"{prompt}-v{PROMPT_VERSION}-{hashlib.sha256(template.encode()).hexdigest()[:12]}"


def fill_prompt(
    question: str,
    prediction: str,
    reference: str,
    prompt: str = "card",
) -> str:
    """Return the text that the judge is given, each of the three texts in it once and as it stands.

    Raises:
        ValueError: there is no such prompt.
        TypeError: a text is no string.

    >>> fill_prompt("Who?", "{reference}", "Ann").splitlines()[8:11]
    ['Question: "Who?"', 'Provided Answer: "{reference}"', 'Reference Answer: "Ann"']
    """
    if prompt not in PROMPTS:
        raise ValueError(f"prompt is {prompt!r:.80}; one of {tuple(PROMPTS)} is expected")
    for name, text in (
        ("question", question),
        ("prediction", prediction),
        ("reference", reference),
    ):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    return fill_template(PROMPTS[prompt], question=question, output=prediction, reference=reference)


def fill_template(template: str, **texts: str) -> str:
    """Return a template with its texts, filled in one pass: nothing in a text is a placeholder."""
    return re.sub(r"\{(\w+)\}", lambda match: texts[match[1]], template)


def fill_state(question: str, prediction: str) -> str:
    """Return what a decision model is asked about."""
    return fill_template(DECISION_STATE, question=question, output=prediction)


def fill_question(question: str, prediction: str, reference: str) -> str:
    """Return the question to a decision model for one reference."""
    return fill_template(DECISION_QUESTION, reference=reference)


def remove_thoughts(reply: str) -> str:
    """Return a reply without the thinking that some models write before their answer.

    >>> remove_thoughts("<think>0? 1?</think> {}")
    ' {}'
    >>> remove_thoughts("I say 1.</think>{}")
    '{}'
    >>> remove_thoughts("<thinking>1")
    ''
    """
    place = 0
    while begins := THOUGHTS_BEGIN.match(reply, place):
        ends = THOUGHT_ENDS.search(reply, begins.end())
        if ends is None:
            return ""
        place = ends.end()
    if not VERDICT_FIRST.match(reply, place):
        place = find_last_mark_outside_json(reply, place)
    return reply[place:]


def find_last_mark_outside_json(reply: str, place: int) -> int:
    """Return the end of the last mark after `place` that ends thinking and has a verdict behind it.

    Else `place`.

    Within JSON a mark is a part of a text, also where that JSON is broken further on. So it is
    within a sentence.
    """
    decoder = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
    last_brace, last, broken = reply.rfind("{"), place, 0
    while broken < MOST_BROKEN and (mark := THOUGHT_ENDS_OR_JSON.search(reply, place)):
        place = mark.end()
        if mark["ends"]:
            has_verdict = place <= last_brace or VERDICT_FIRST.match(reply, place)
            last = place if has_verdict and not is_mentioned(reply, mark) else last
            continue
        try:
            place = decoder.raw_decode(reply, mark.start())[1]
        except json.JSONDecodeError as error:
            place, broken = max(place, error.pos), broken + 1
        except RecursionError:
            break
    return last


@dataclass
class Parts:
    """What a reply holds of JSON, and what besides."""

    pairs: list[tuple[str, Any]]  # each key with its value, however deep, as often as it is there
    besides: str  # the text with {} in the place of each object
    has_broken_score: bool  # whether braces that hold no JSON hold a score


def split_json(text: str) -> Parts:
    """Return the JSON objects in a text, and the text besides.

    Line breaks within a text are common. A number is taken as it is written: no rounding makes a
    verdict of it. In the place of an object that is a value stands None.
    """
    pairs, own, besides = list[tuple[str, Any]](), list[tuple[str, Any]](), list[str]()
    decoder = json.JSONDecoder(
        object_pairs_hook=own.extend,
        parse_int=Decimal,
        parse_float=Decimal,
        strict=False,
    )
    has_broken_score, n_broken, end, place = False, 0, 0, text.find("{")
    while place >= 0:
        besides.append(text[end:place])
        own.clear()
        whole = None
        if n_broken < MOST_BROKEN and JSON_BEGINS.match(text, place):
            whole = end_of_object(decoder, text, place)
            n_broken += whole is None
        end = find_closing(text, place) if whole is None else whole
        if whole is None:
            has_broken_score = (
                has_broken_score or re.search(r"score\W", text[place:end], re.I) is not None
            )
        else:
            pairs += reversed(own)  # those of an outer object before those within
        besides.append(text[place:end] if whole is None else "{}")
        place = text.find("{", end)
    return Parts(pairs, "".join([*besides, text[end:]]), has_broken_score)


def end_of_object(decoder: json.JSONDecoder, text: str, place: int) -> int | None:
    """Return where the JSON object that begins at `place` ends; None where it is no JSON."""
    try:
        return decoder.raw_decode(text, place)[1]
    except (
        ValueError,
        RecursionError,
        ArithmeticError,
    ):  # the last for exponents beyond any Decimal
        return None


def find_closing(text: str, place: int) -> int:
    """Return the end of the braces that open at `place`.

    The end of the text where they do not close.
    """
    depth = 0
    for brace in BRACES.finditer(text, place):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(text)


def parse_score(value: Any) -> int | None:
    """Return 0 or 1 for a value that is exactly that, as a number or as text.

    It is None for any other.
    """
    exact = (
        value in ("0", "1")
        if isinstance(value, str)
        else isinstance(value, Decimal) and value in (0, 1)
    )
    return int(value) if exact else None


def require_agreement(values: list[Any]) -> int:
    """Return the verdict that all values of "score" are.

    Raise NoVerdict where they are none, or differ.
    """
    verdicts = [parse_score(value) for value in values]
    shown = ", ".join(str(value) if isinstance(value, Decimal) else repr(value) for value in values)
    if len(set(verdicts)) > 1:
        raise NoVerdict("ambiguous", f"the reply has several scores, and they differ: {shown:.120}")
    if all(isinstance(value, str) and value.strip().lower() == DECLINED for value in values):
        raise NoVerdict(DECLINED, "the judge says that the answer declines to answer")
    if verdicts[0] is None:
        raise NoVerdict("bad_verdict", f"the score is {shown:.80}; 0 or 1 was asked for")
    return verdicts[0]


def read_key(parts: Parts) -> int:
    """Return the one verdict of a text that is nearly JSON, or has a line `score: 1`.

    Raise NoVerdict for any other.

    Every score in it counts, in quotations too: where they differ, nobody knows which is the
    judge's.
    """
    values = [value for key, value in parts.pairs if key.strip().lower() == "score"]
    others, has_key = read_scores(parts.besides)
    if not (values or has_key) and len(set(map(parse_score, others))) < 2:
        raise NoVerdict(
            "no_verdict", f"the reply has no JSON object with a score: {parts.besides!r:.120}"
        )
    return require_agreement(values + others)


def find_verdict(reply: str) -> Verdict:
    """Return the verdict of a judge's reply: of its JSON, or where that has none, of one key
    `score` with its value.

    Raises:
        NoVerdict: there is no score, it is neither 0 nor 1, or there are several and they differ.
        TypeError: the reply is no string.

    >>> find_verdict("{'score': 1, 'reasoning': 'Same.'}")
    Verdict(score=1, reasoning='Same.', reading='key')
    """
    if not isinstance(reply, str):
        raise TypeError(f"reply is {reply!r:.80} ({type(reply).__name__}); a string is expected")
    text = remove_thoughts(reply)
    parts = split_json(text)
    values = [value for key, value in parts.pairs if key == "score"]
    reasonings = (
        value for key, value in parts.pairs if key.lower() == "reasoning" and isinstance(value, str)
    )
    if values and not parts.has_broken_score:
        return Verdict(require_agreement(values), next(reasonings, None), "json")
    if (inner := find_json_text(text)) is not None:
        return replace(find_verdict(inner), reading="key")
    return Verdict(read_key(parts), next(reasonings, None) or read_reasoning(parts.besides), "key")


def read_verdict(reply: str) -> tuple[int, str | None]:
    """Return the verdict and the reasoning of a judge's reply, as `find_verdict` reads them."""
    verdict = find_verdict(reply)
    return verdict.score, verdict.reasoning


def score(reply: str) -> int:
    r"""Return the verdict in a judge's reply: 1 for a pass, 0 for a fail.

    Args:
        reply: what the judge wrote: a JSON object with "score", with text or a fence around it or
            not.

    Raises:
        NoVerdict: the reply has no usable verdict; its `reason` says why. That is not a 0.
        TypeError: the reply is no string: a server that refused to answer gives none.

    Source: the dataset card of eve-esa/open-ended; see the head of this file for what counts.

    >>> score('{"score": 1, "reasoning": "Same fact."}')
    1
    >>> score('I think:\n```json\n{"score": "0"}\n```')
    0

    """
    return read_verdict(reply)[0]
