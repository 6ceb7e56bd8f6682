"""EVE's LLM-as-judge: the share of answers that a language model, as a strict fact-checker, passes.

Paper: Atrio et al. 2026, "EVE: A Domain-Specific LLM Framework for Earth Intelligence", arXiv 2604.13071.
Original: the dataset card of eve-esa/open-ended, whose prompt is used word for word and whose result
(accuracy, passed, failed, reasoning) this is.

Differences from the original:
- A reply that cannot be read is unscored, with a reason; the original scores it 0.
- A verdict counts only if it is exactly 0 or 1 under the key "score" of a JSON object, with text or a fence around it
  or not. Two different verdicts in one reply are ambiguous.
- Structured output is asked for where the provider has it; the original asks in words only, as is done elsewhere.
- Several references: one question to the judge for each, a pass on any of them counts.

This file may be copied with final_answer.py: both need nothing but Python.
"""

import hashlib
import json
import re
from decimal import Decimal
from typing import Any

from .final_answer import THINKING_BEGINS, THINKING_ENDS

# A change of a prompt's text takes a new number: the loader does not see every edit inside a text.
PROMPT_VERSION = 1
# The dataset card of eve-esa/open-ended, word for word; its {format_instructions} are those of its example code.
CARD = """\
You are a strict fact-checker for Earth Observation (EO). Your task is to give a score of 0 (FAIL) or 1 (PASS) by \
comparing a "Provided Answer" to a "Reference Answer," using the "Question" to define the scope.
**Evaluation Rules:**
1. **Contradiction Check (FAIL condition)**: The Provided Answer scores 0 if it contains **ANY** fact (name, number, \
concept) that contradicts the Reference. The Reference is the absolute source of truth.
2. **Relevance Check (FAIL condition)**: The Provided Answer scores 0 if it omits key technical facts from the \
Reference that are **ESSENTIAL** to correctly answering the Question.
3. **Additive Information (PASS condition)**: The Provided Answer may include additional, correct information not \
found in the Reference. This is acceptable and should **NOT** be penalized, as long as it does not contradict the \
Reference.
4. **Focus on Substance, Not Style**: Ignore the answer's length, verbosity, and tone. Tolerate minor phrasing \
differences (e.g., "10m" vs "10 meters").
---
**Task**:
Question: "{question}"
Provided Answer: "{output}"
Reference Answer: "{reference}"
Using the rules above, assign a score of 0 if any failure condition is met.
Respond in JSON format with:
- "score": 0 or 1
- "reasoning": brief explanation of your decision"""
# metrics/prompts/llm_judge_qa.yaml of github.com/eve-esa/evalkit at ed56639: the same text for an "AI fact-checker",
# with blank lines between its parts; that its {format_instructions} are those of the card is ours.
PARTS = re.compile(r"\n(?=\*\*Evaluation|\d\. |---|Question|Using|Respond)")
EVALKIT = re.sub(r"^(\d\.) ", r"\1  ", PARTS.sub("\n\n", CARD.replace("a strict", "a strict AI")), flags=re.M)
PROMPTS = {"card": CARD, "evalkit": EVALKIT}
SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "integer", "enum": [0, 1]}, "reasoning": {"type": "string"}},
    "required": ["score", "reasoning"],
    "additionalProperties": False,
}
# Where thinking begins and ends, by the one list of marks.
THOUGHTS_BEGIN = re.compile(rf"\s*(?:{THINKING_BEGINS})", re.I)
THOUGHT_ENDS = re.compile(THINKING_ENDS, re.I)

# What a judge may say in the place of a number, though neither prompt offers it: the answer declines to answer.
DECLINED = "declined"


class NoVerdict(ValueError):
    """A reply has no usable verdict; `reason` is a code: no_verdict, bad_verdict, ambiguous or declined."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def prompt_mark(prompt: str) -> str:
    """Return name, version and hash of a prompt's template, for the signature."""
    return f"{prompt}-v{PROMPT_VERSION}-{hashlib.sha256(PROMPTS[prompt].encode()).hexdigest()[:12]}"


def fill_prompt(question: str, prediction: str, reference: str, prompt: str = "card") -> str:
    """Return the text that the judge is given, each of the three texts in it once and as it stands.

    Raises:
        ValueError: there is no such prompt.
        TypeError: a text is no string.

    >>> fill_prompt("Who?", "{reference}", "Ann").splitlines()[8:11]
    ['Question: "Who?"', 'Provided Answer: "{reference}"', 'Reference Answer: "Ann"']
    """
    if prompt not in PROMPTS:
        raise ValueError(f"prompt is {prompt!r:.80}; one of {tuple(PROMPTS)} is expected")
    for name, text in (("question", question), ("prediction", prediction), ("reference", reference)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    texts = {"question": question, "output": prediction, "reference": reference}
    # In one pass: nothing in a text is a placeholder.
    return re.sub(r"\{(\w+)\}", lambda found: texts[found[1]], PROMPTS[prompt])


def without_thoughts(reply: str) -> str:
    """Return a reply without the thinking that some models write before their answer.

    >>> [without_thoughts(reply) for reply in ("<think>0? 1?</think> {}", "I say 1.</think>{}", "<thinking>1")]
    [' {}', '{}', '']
    """
    ends = [end.end() for end in THOUGHT_ENDS.finditer(reply)]
    if ends and "{" in reply[ends[-1] :]:
        return reply[ends[-1] :]
    # Otherwise the mark is a part of a text in the answer, or there is thinking and no answer.
    return "" if THOUGHTS_BEGIN.match(reply) else reply


def json_pairs(text: str) -> list[tuple[str, Any]]:
    """Return each key with its value of the JSON objects in a text, however deep, as often as it is there, None for a
    value that is an object; raise NoVerdict where braces that hold no JSON hold a score.
    """
    found, own, place = list[tuple[str, Any]](), list[tuple[str, Any]](), text.find("{")
    # Line breaks within a text are common. A number is taken as it is written: no rounding makes a verdict of it.
    decoder = json.JSONDecoder(object_pairs_hook=own.extend, parse_int=Decimal, parse_float=Decimal, strict=False)
    while place >= 0:
        own.clear()
        try:
            _, end = decoder.raw_decode(text, place)
            found += reversed(own)  # those of an outer object before those within
        except (ValueError, RecursionError, ArithmeticError):  # the last for exponents beyond any Decimal
            end = closing(text, place)
            if re.search(r"score\W", text[place:end]):
                raise NoVerdict("no_verdict", f"the reply's JSON is broken: {text[place:end]!r:.120}") from None
        place = text.find("{", end)
    return found


def closing(text: str, place: int) -> int:
    """Return the end of the braces that open at `place`; the end of the text where they do not close."""
    depth = 0
    for brace in re.finditer("[{}]", text[place:]):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return place + brace.end()
    return len(text)


def verdict_of(value: Any) -> int | None:
    """Return 0 or 1 for a value that is exactly that, as a number or as text; None for any other."""
    exact = value in ("0", "1") if isinstance(value, str) else isinstance(value, Decimal) and value in (0, 1)
    return int(value) if exact else None


def read_verdict(reply: str) -> tuple[int, str | None]:
    """Return the verdict and the reasoning of a judge's reply.

    Raises:
        NoVerdict: no object has the key "score", it is neither 0 nor 1, or there are several and they differ.
        TypeError: the reply is no string.

    """
    if not isinstance(reply, str):
        raise TypeError(f"reply is {reply!r:.80} ({type(reply).__name__}); a string is expected")
    found = json_pairs(without_thoughts(reply))
    values = [value for key, value in found if key == "score"]
    if not values:
        raise NoVerdict("no_verdict", f"the reply has no JSON object with a score: {reply!r:.120}")
    verdicts = [verdict_of(value) for value in values]
    shown = ", ".join(str(value) if isinstance(value, Decimal) else repr(value) for value in values)
    if len(set(verdicts)) > 1:
        raise NoVerdict("ambiguous", f"the reply has several scores, and they differ: {shown:.120}")
    if all(isinstance(value, str) and value.strip().lower() == DECLINED for value in values):
        raise NoVerdict(DECLINED, "the judge says that the answer declines to answer")
    if verdicts[0] is None:
        raise NoVerdict("bad_verdict", f"the score is {shown:.80}; 0 or 1 was asked for")
    return verdicts[0], next((one for key, one in found if key == "reasoning" and isinstance(one, str)), None)


def score(reply: str) -> int:
    r"""Return the verdict in a judge's reply: 1 for a pass, 0 for a fail.

    Args:
        reply: what the judge wrote: a JSON object with "score", with text or a fence around it or not.

    Raises:
        NoVerdict: the reply has no usable verdict; its `reason` says why. That is not a 0.
        TypeError: the reply is no string: a server that refused to answer gives none.

    Source: the dataset card of eve-esa/open-ended; see the head of this file for what counts.

    >>> score('{"score": 1, "reasoning": "Same fact."}'), score('I think:\n```json\n{"score": "0"}\n```')
    (1, 0)

    """
    return read_verdict(reply)[0]
