"""EVE's LLM-as-judge: the share of answers that a language model, as a strict fact-checker, passes.

Paper: Atrio et al. 2026, "EVE: A Domain-Specific LLM Framework for Earth Intelligence", arXiv
2604.13071. Original: the dataset card of eve-esa/open-ended. Its prompt is used word for word, and
its results (accuracy, passed, failed, reasoning) have the same names.

Differences from the original:
- If a reply cannot be read, the row is unscored and has a reason; the original scores it 0.
- A verdict counts only if it is exactly 0 or 1 under the key "score" of a JSON object. Text and a
  code fence around the object are allowed. If a reply has no such object, nearly-JSON and a line
  `score: 1` are read, provided all scores in the reply are the same 0 or 1. A reply with two
  different verdicts is ambiguous.
- Structured output is requested if the provider has it. The original asks for JSON in words only,
  as is done here with other providers.
- With several references the judge gets one question for each; a pass on any of them counts.

This file may be copied into a package with final_answer.py and near_json.py: all need only Python.

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

# Goes up with each change in a prompt: the hash of evaluate's loader ignores some edits in texts.
PROMPT_VERSION = 1
# The prompt on the dataset card of eve-esa/open-ended, word for word. Its {format_instructions} are
# filled as in the card's example code.
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
# "AI fact-checker", with blank lines between its parts. We filled its {format_instructions} with
# those of the card.
PARTS = re.compile(r"\n(?=\*\*Evaluation|\d\. |---|Question|Using|Respond)")
EVALKIT = re.sub(
    r"^(\d\.) ", r"\1  ", PARTS.sub("\n\n", CARD.replace("a strict", "a strict AI")), flags=re.M
)
PROMPTS = {"card": CARD, "evalkit": EVALKIT}
# The same rules for a decision model. The state has the question and its answer; each reference
# makes one question about it.
DECISION_STATE = 'Question: "{question}"\nProvided Answer: "{output}"'
DECISION_QUESTION = f"""\
{CARD.partition("---")[0]}---
Reference Answer: "{{reference}}"
Which verdict does the Provided Answer get by the rules above?"""
# The choices of a decision model with their meanings, and the verdicts of two of them.
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
# The beginning and the end of thinking, from the list of tags in final_answer.py.
THOUGHTS_BEGIN = re.compile(rf"\s*(?:{THINKING_BEGINS})", re.I)
THOUGHT_ENDS = re.compile(THINKING_ENDS, re.I)
THOUGHT_ENDS_OR_JSON = re.compile(rf"\{{(?=\s*[\"}}])|(?P<ends>{LONE_ENDS})", re.I)
# The most broken objects of a reply that are parsed: each costs the length of the rest.
MOST_BROKEN = 100
# If a reply begins with its verdict, it has no thinking: a later closing tag is part of its text.
VERDICT_FIRST = re.compile(
    rf"[\s\ufeff]*(?:```\w*\s*)?"
    rf"(?:\{{\s*[\"'}}]|(?:[-\x23][-\x23\s]*)?{MARKS}{{0,4}}score{MARKS}{{0,4}}\s*[:=：＝])",
    re.I,
)
BRACES = re.compile("[{}]")
JSON_BEGINS = re.compile(r"\{\s*[\"}]")
# A score in braces that are not valid JSON: {'score': 1}.
SCORE_KEY = re.compile(r"score\W", re.I)

# A judge may give this word instead of a number, though no prompt offers it: the answer declines to
# answer.
DECLINED = "declined"


@dataclass(frozen=True)
class Verdict:
    """The verdict in a reply.

    Attributes:
        score: 1 or 0.
        reasoning: the judge's reasoning, if there is any.
        reading: "json" if the verdict was in a JSON object, "key" if it was elsewhere.
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
    """Return the name, version and hash of a prompt's template, for the signature.

    Any other name, such as "decision", means the template for decision models.
    """
    template = PROMPTS.get(prompt, DECISION_STATE + DECISION_QUESTION + json.dumps(CHOICES))
    return f"{prompt}-v{PROMPT_VERSION}-{hashlib.sha256(template.encode()).hexdigest()[:12]}"


def fill_prompt(
    question: str,
    prediction: str,
    reference: str,
    prompt: str = "card",
) -> str:
    """Return the prompt, with the question, the answer and the reference unchanged.

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
    """Return a template filled in one pass, so that braces in the texts stay as they are."""
    return re.sub(r"\{(\w+)\}", lambda match: texts[match[1]], template)


def fill_state(question: str, prediction: str) -> str:
    """Return the state for a decision model: the question and the answer."""
    return fill_template(DECISION_STATE, question=question, output=prediction)


def fill_question(question: str, prediction: str, reference: str) -> str:
    """Return the question to a decision model about one reference."""
    return fill_template(DECISION_QUESTION, reference=reference)


def remove_thoughts(reply: str) -> str:
    """Return a reply without the thinking before the answer.

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
    """Return the end of the last mark that ends thinking and has a verdict after it.

    Return `place` if there is none. Marks within JSON are part of a text, even if the JSON is
    broken later. So are marks within a sentence.

    Args:
        reply: the reply.
        place: where to begin.
    """
    decoder = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
    last_brace = reply.rfind("{")
    end_of_thoughts = place
    n_broken = 0
    while n_broken < MOST_BROKEN and (mark := THOUGHT_ENDS_OR_JSON.search(reply, place)):
        place = mark.end()
        if mark["ends"]:
            has_verdict = place <= last_brace or VERDICT_FIRST.match(reply, place)
            if has_verdict and not is_mentioned(reply, mark):
                end_of_thoughts = place
            continue
        # Here JSON begins: go on after it, or after its readable part.
        try:
            _, place = decoder.raw_decode(reply, mark.start())
        except json.JSONDecodeError as error:
            place = max(place, error.pos)
            n_broken += 1
        except RecursionError:
            break
    return end_of_thoughts


@dataclass
class ReplyParts:
    """The JSON objects in a reply, and the text around them.

    Attributes:
        pairs: each key with its value, at any depth. The pairs of an outer object come before those
            of inner ones, and the last pair of an object comes first.
        text: the text, with {} in place of each object.
        has_broken_score: whether braces without valid JSON contain a score.
    """

    pairs: list[tuple[str, Any]]
    text: str
    has_broken_score: bool


def split_json(reply: str) -> ReplyParts:
    """Return the JSON objects in a reply, and the text around them.

    Line breaks within strings are allowed, since they are common. Numbers are read exactly, so that
    rounding makes no verdict.
    """
    pairs = list[tuple[str, Any]]()
    # The pairs of the object that is being read, those of inner objects first. `extend` returns
    # nothing, so the value of a key with an inner object is None.
    object_pairs = list[tuple[str, Any]]()
    decoder = json.JSONDecoder(
        object_pairs_hook=object_pairs.extend,
        parse_int=Decimal,
        parse_float=Decimal,
        strict=False,
    )
    texts = list[str]()
    has_broken_score = False
    n_broken = 0
    end = 0
    start = reply.find("{")
    while start >= 0:
        texts.append(reply[end:start])
        object_pairs.clear()
        object_end = None
        if n_broken < MOST_BROKEN and JSON_BEGINS.match(reply, start):
            object_end = find_object_end(decoder, reply, start)
            n_broken += object_end is None
        if object_end is None:
            end = find_closing_brace(reply, start)
            braces = reply[start:end]
            has_broken_score = has_broken_score or SCORE_KEY.search(braces) is not None
            texts.append(braces)
        else:
            end = object_end
            pairs += reversed(object_pairs)
            texts.append("{}")
        start = reply.find("{", end)
    texts.append(reply[end:])
    return ReplyParts(pairs, "".join(texts), has_broken_score)


def find_object_end(decoder: json.JSONDecoder, text: str, place: int) -> int | None:
    """Return the end of the JSON object that begins at `place`, or None if it is not valid."""
    try:
        return decoder.raw_decode(text, place)[1]
    # ArithmeticError: an exponent is too large for Decimal.
    except (ValueError, RecursionError, ArithmeticError):
        return None


def find_closing_brace(text: str, place: int) -> int:
    """Return the end of the braces that open at `place`; if they do not close, that of the text."""
    depth = 0
    for brace in BRACES.finditer(text, place):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(text)


def parse_score(value: Any) -> int | None:
    """Return 0 or 1 if a value is exactly that, as a number or a text; else None."""
    if isinstance(value, str):
        is_verdict = value in ("0", "1")
    else:
        is_verdict = isinstance(value, Decimal) and value in (0, 1)
    return int(value) if is_verdict else None


def require_agreement(values: list[Any]) -> int:
    """Return the verdict if all values of "score" are the same one.

    Raises:
        NoVerdict: the values differ, or are not verdicts.
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


def read_key(parts: ReplyParts) -> int:
    """Return the verdict of a text that is nearly JSON, or has a line `score: 1`.

    All scores in the text count, even in quotations: if they differ, it is not clear which is the
    judge's.

    Raises:
        NoVerdict: there is no score, or the scores differ or are not verdicts.
    """
    values = [value for key, value in parts.pairs if key.strip().lower() == "score"]
    text_scores, has_key = read_scores(parts.text)
    # Scores in sentences are no verdict; if they differ, the error says so.
    are_equal = len(set(map(parse_score, text_scores))) < 2
    if not values and not has_key and are_equal:
        raise NoVerdict(
            "no_verdict", f"the reply has no JSON object with a score: {parts.text!r:.120}"
        )
    return require_agreement(values + text_scores)


def find_verdict(reply: str) -> Verdict:
    """Return the verdict in a judge's reply: in its JSON, or else under a key `score` elsewhere.

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
    reasoning = find_reasoning(parts)
    if values and not parts.has_broken_score:
        return Verdict(require_agreement(values), reasoning, "json")
    inner_reply = find_json_text(text)
    if inner_reply is not None:
        return replace(find_verdict(inner_reply), reading="key")
    return Verdict(read_key(parts), reasoning or read_reasoning(parts.text), "key")


def find_reasoning(parts: ReplyParts) -> str | None:
    """Return the first reasoning in the JSON objects of a reply, or None."""
    for key, value in parts.pairs:
        if key.lower() == "reasoning" and isinstance(value, str):
            return value
    return None


def read_verdict(reply: str) -> tuple[int, str | None]:
    """Return the verdict and the reasoning in a judge's reply (see `find_verdict`)."""
    verdict = find_verdict(reply)
    return verdict.score, verdict.reasoning


def score(reply: str) -> int:
    r"""Return the verdict in a judge's reply: 1 for a pass, 0 for a fail.

    Args:
        reply: the judge's reply: a JSON object with "score". Text or a code fence may be around it.

    Raises:
        NoVerdict: the reply has no usable verdict; `reason` is the cause. It does not count as 0.
        TypeError: the reply is no string, for example None from a server that refused to answer.

    Source: the dataset card of eve-esa/open-ended; the head of this file says what counts.

    >>> score('{"score": 1, "reasoning": "Same fact."}')
    1
    >>> score('I think:\n```json\n{"score": "0"}\n```')
    0

    """
    return read_verdict(reply)[0]
