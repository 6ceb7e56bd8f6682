"""L3Score: how sure a language model is that an answer means the same as the reference.

Paper: Pramanick et al. 2024, "SPIQA: A Dataset for Multimodal Question Answering on Scientific
Papers", arXiv 2407.09413, section 4. Original: `score_openai` in metrics/llmlogscore of
google/spiqa at 56ed963, with the suffixes " yes", " yeah" against " no"; its metric card of
evaluate: nhop/L3Score.

The judge is asked to answer Yes or No. Its server lists the likeliest candidates for the first
token. Compared are p(yes), the probability of the likeliest candidate that reads "yes" or "yeah",
and p(no), that of the likeliest "no". The score is p(yes) / (p(yes) + p(no)).

If only one of them is listed, the other's probability is estimated: as that of the least likely
candidate or as the sum of all tokens that are not listed, whichever is smaller, but at least 1e-8.
If neither is listed, the score is 0 by definition; the row is counted in `n_neither` and has a
note.

Differences from the original:
- If a call fails, the row is unscored and has a reason; the original scores it 0.
- Candidates are sorted by their probability if the server has not done so.
- Only one token is requested, since the rest of the reply is not used.
- Groq, which the original's card names, is missing: it gives no log-probabilities.
- `match="sum"` adds up all spellings of yes, and all of no.
- With several references the judge gets one question for each; the best score counts.

This file may be copied into a package together with final_answer.py: both need only Python.

From Answer Lens 0.1.0 (metrics/l3score), Apache-2.0. To cite it: CITATION.cff there, and the paper
above.
"""

import hashlib
import math
import numbers
import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from .final_answer import FIRST_TOKEN, LONE_ENDS, THINKING_ENDS, is_mentioned

# Goes up with each change in a prompt: the hash of evaluate's loader ignores some edits in texts.
PROMPT_VERSION = 1
# From the metric card of nhop/L3Score, word for word; two spaces end some lines.
CARD_PROMPT = """\
You are given a question, ground-truth answer, and a candidate answer.

Question: {question}\x20\x20
Ground-truth answer: {gt}\x20\x20
Candidate answer: {answer}

Is the semantic meaning of the ground-truth and candidate answers similar?\x20\x20
Answer in one word - Yes or No."""
# metrics/llmlogscore of google/spiqa at 56ed963.
SPIQA_PROMPT = (
    "You are given a question, ground-truth answer, and a candidate answer. Question: {question} \n"
    "Ground-truth answer: {gt} \nCandidate answer: {answer} \n"
    "Is the semantic meaning of the ground-truth and candidate answers similar? Answer in one "
    "word - Yes or No."
)
PROMPTS = {"card": CARD_PROMPT, "spiqa": SPIQA_PROMPT}
# The same question for a decision model. The state has the question and its answer; each reference
# makes one question about it.
DECISION_STATE = "Question: {question}\nCandidate answer: {answer}"
DECISION_QUESTION = """\
Ground-truth answer: {gt}

Is the semantic meaning of the ground-truth and candidate answers similar?"""
MATCHES = ("first", "sum")
# The spellings that count, after white space and case are removed (the original's suffixes).
YES, NO = frozenset({"yes", "yeah"}), frozenset({"no"})
# The least probability of a word that is not listed (the original).
SMALLEST = 1e-8
# Rounding may raise a log-probability above 0, but not by more than this.
ROUNDING = 0.01
# A lower log-probability counts as this one: a whole number may be beyond all floats.
LEAST_LOGPROB = -1e9
# If yes and no have a smaller share of the listed probabilities, the judge was about to write
# something else, and the row has a note.
LOW_MASS = 0.05
# The ends of thinking, from the list of tags in final_answer.py. LONE_END matches only those whose
# beginning was in the prompt.
THOUGHTS_END = re.compile(THINKING_ENDS, re.I)
LONE_END = re.compile(LONE_ENDS, re.I)
FIRST_WORD = re.compile(r"[\W_]*([^\W_]*)")


def identify_prompt(prompt: str) -> str:
    """Return the name, version and hash of a prompt's template, for the signature.

    Any other name, such as "decision", means the template for decision models.
    """
    template = PROMPTS.get(prompt, DECISION_STATE + DECISION_QUESTION)
    return f"{prompt}-v{PROMPT_VERSION}-{hashlib.sha256(template.encode()).hexdigest()[:12]}"


def fill_prompt(
    question: str,
    prediction: str,
    reference: str,
    prompt: str = "card",
) -> str:
    r"""Return the prompt, with the question, the answer and the reference unchanged.

    Raises:
        ValueError: there is no such prompt.
        TypeError: a text is no string.

    >>> fill_prompt("Who?", "{gt}", "Ann", "spiqa")[71:125]
    'Question: Who? \nGround-truth answer: Ann \nCandidate an'
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
    return fill_template(PROMPTS[prompt], question=question, gt=reference, answer=prediction)


def fill_template(template: str, **texts: str) -> str:
    """Return a template filled in one pass, so that braces in the texts stay as they are."""
    return re.sub(r"\{(\w+)\}", lambda match: texts[match[1]], template)


def fill_state(question: str, prediction: str) -> str:
    """Return the state for a decision model: the question and the answer."""
    return fill_template(DECISION_STATE, question=question, answer=prediction)


def fill_question(question: str, prediction: str, reference: str) -> str:
    """Return the question to a decision model about one reference."""
    return fill_template(DECISION_QUESTION, gt=reference)


def read_candidates(top_logprobs: Any) -> list[tuple[str, float]]:
    """Return (token, log-probability) of each candidate, the likeliest first.

    Args:
        top_logprobs: dicts with "token" and "logprob", or objects of openai's package with these
            attributes.

    Raises:
        ValueError: an entry has no token, or no valid log-probability.
    """
    candidates = []
    for i, entry in enumerate(top_logprobs):
        read_part: Any = entry.get if isinstance(entry, Mapping) else partial(getattr, entry)
        token = read_part("token", None)
        value = read_part("logprob", None)
        is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not isinstance(token, str) or not is_number or not value <= ROUNDING:
            raise ValueError(
                f"top_logprobs[{i}] is {entry!r:.80}; a token and a log-probability are expected"
            )
        candidates.append((token, float(max(value, LEAST_LOGPROB))))
    return sorted(candidates, key=lambda candidate: -candidate[1])


def opens_thoughts(text: Any) -> bool:
    """Return whether a reply, or its first token, begins with thinking.

    >>> [opens_thoughts(text) for text in ("<think>", "<thought", "[THINK]", "<|channel|>")]
    [True, True, True, True]
    >>> [opens_thoughts(text) for text in ("Yes", "I think", None)]
    [False, False, False]
    """
    return isinstance(text, str) and FIRST_TOKEN.match(text) is not None


def has_low_mass(entry: Mapping[str, Any]) -> bool:
    """Return whether yes and no have a small share of the listed probabilities.

    It is False if neither is listed.

    Args:
        entry: an entry that `explain` returns.
    """
    if entry["branch"] in (None, "neither"):
        return False
    listed_mass = math.fsum(probability for _, probability in entry["top_tokens"])
    return bool(entry["mass"] < LOW_MASS * listed_mass)


def find_probability(
    candidates: Sequence[tuple[str, float]], words: frozenset[str], match: str
) -> float | None:
    """Return the probability of one of `words`, or None if no candidate is among them.

    It is that of the likeliest candidate among them, or with "sum" that of all.
    """
    probabilities = [
        math.exp(logprob) for token, logprob in candidates if token.strip().lower() in words
    ]
    if not probabilities:
        return None
    return math.fsum(probabilities) if match == "sum" else probabilities[0]


def score_top_logprobs(top_logprobs: Collection[Any], match: str = "first") -> float:
    """Return the L3Score of one reply, in 0..1, higher is better; 0 if yes and no are not listed.

    Args:
        top_logprobs: the candidates for the first token as a server lists them: dicts, or objects
            of openai's package, with "token" (str) and "logprob" (natural logarithm of the
            probability).
        match: "first" takes the likeliest spelling of yes and of no, "sum" adds up all of them.

    Raises:
        TypeError: there is no list: the server gave no log-probabilities.
        ValueError: an entry is invalid, the list is empty, or yes and no are both listed with
            probability 0.

    Source: Pramanick et al. 2024, section 4; the original's code where the paper is silent.

    >>> score_top_logprobs([{"token": " yes", "logprob": -0.7}, {"token": "No", "logprob": -0.7}])
    0.5
    >>> score_top_logprobs([{"token": "No", "logprob": 0.0}, {"token": "Yes", "logprob": -17.125}])
    3.653482080241728e-08

    """
    if match not in MATCHES:
        raise ValueError(f"match is {match!r:.80}; one of {MATCHES} is expected")
    if not isinstance(top_logprobs, Collection) or isinstance(top_logprobs, str):
        raise TypeError(
            f"top_logprobs is {top_logprobs!r:.80}; a list of candidates for the first token is "
            "expected"
        )
    if len(top_logprobs) == 0:
        raise ValueError("top_logprobs is empty; the candidates for the first token are expected")
    return float(explain(read_candidates(top_logprobs), 0, match)["score"])


def read_word(reply: str) -> str:
    """Return the first word of a reply after its thinking: "yes" (or yeah), "no" or "neither".

    Marks before the word do not count.

    >>> [read_word(reply) for reply in ("Yes.", "**No**, it differs", "<think>Yes?</think> no")]
    ['yes', 'no', 'no']
    >>> [read_word(reply) for reply in ("Not at all", "")]
    ['neither', 'neither']
    >>> read_word("No. The answer ends: </think> Yes")
    'no'
    """
    pattern = THOUGHTS_END if opens_thoughts(reply) else LONE_END
    ends = [mark.end() for mark in pattern.finditer(reply) if not is_mentioned(reply, mark)]
    # If a reply begins with its word, it has no thinking: a later closing tag is part of its text.
    for place in (0, *ends[-1:]):
        word = FIRST_WORD.match(reply, place)
        first_word = word[1].lower() if word else ""
        if first_word in YES | NO:
            return "yes" if first_word in YES else "no"
    return "neither"


def explain(candidates: Sequence[tuple[str, float]], asked: int, match: str) -> dict[str, Any]:
    """Return the score of one reply, with the probabilities of yes and no behind it.

    Args:
        candidates: the candidates for the first token, the likeliest first.
        asked: how many candidates were requested.
        match: "first" or "sum", as in `score_top_logprobs`.

    Raises:
        ValueError: yes and no are both listed with probability 0.
    """
    choice = compare_words(candidates, match)
    score = 0.0
    if choice.branch != "neither":
        score = choice.p_yes / (choice.p_yes + choice.p_no)
    entry = {
        "score": score,
        "branch": choice.branch,
        "p_yes": choice.p_yes,
        "p_no": choice.p_no,
        "mass": choice.mass,
        "top_tokens": [[token, math.exp(logprob)] for token, logprob in candidates],
    }
    notes = list(choice.notes)
    if len(candidates) < asked:
        sentence = f"{len(candidates)} of {asked} candidates listed"
        data = {"key": "few_listed", "listed": len(candidates), "asked": asked}
        notes.append(Note(sentence, data))
    if has_low_mass(entry):
        sentence = f"yes and no hold less than {LOW_MASS} of what is listed"
        notes.append(Note(sentence, {"key": "low_mass", "least": LOW_MASS}))
    return entry | {
        "note": "; ".join(note.sentence for note in notes) or None,
        "note_data": [note.data for note in notes],
    }


class Note(NamedTuple):
    """A note on a score: its sentence, and its key with the values in the sentence."""

    sentence: str
    data: dict[str, Any]


class Choice(NamedTuple):
    """The choice of a judge between yes and no.

    Attributes:
        p_yes, p_no: the probabilities of the words; that of one that is not listed is estimated.
        branch: which of the words are listed: "both", "yes_only", "no_only" or "neither".
        mass: the probability of those that are listed.
        notes: what is unusual.
    """

    p_yes: float
    p_no: float
    branch: str
    mass: float
    notes: Sequence[Note] = ()


def compare_words(candidates: Sequence[tuple[str, float]], match: str) -> Choice:
    """Return the probabilities of yes and no; the arguments are those of `explain`.

    Raises:
        ValueError: yes and no are both listed with probability 0.
    """
    p_yes = find_probability(candidates, YES, match)
    p_no = find_probability(candidates, NO, match)
    if p_yes is not None and p_no is not None:
        if p_yes + p_no == 0:
            raise ValueError(
                "yes and no are listed with no probability at all, so neither can be compared with "
                "the other"
            )
        return Choice(p_yes, p_no, "both", p_yes + p_no)
    if p_yes is not None:
        estimate = estimate_unlisted(candidates)
        return Choice(p_yes, estimate, "yes_only", p_yes, [describe_estimate("yes")])
    if p_no is not None:
        estimate = estimate_unlisted(candidates)
        return Choice(estimate, p_no, "no_only", p_no, [describe_estimate("no")])

    first = f"{candidates[0][0]!r:.40}"
    sentence = f"neither yes nor no is among the candidates (the first is {first}): 0 by definition"
    note = Note(sentence, {"key": "neither_listed", "first": first})
    return Choice(0.0, 0.0, "neither", 0.0, [note])


def describe_estimate(listed_word: str) -> Note:
    """Return the note that only one word is listed."""
    sentence = f"only {listed_word} is listed: the other's probability is estimated"
    return Note(sentence, {"key": "one_listed", "answer": listed_word})


def estimate_unlisted(candidates: Sequence[tuple[str, float]]) -> float:
    """Return the estimated probability of a word that is not listed.

    It is that of the least likely candidate, or that of all tokens that are not listed, whichever
    is smaller, but at least SMALLEST.
    """
    probabilities = [math.exp(logprob) for _, logprob in candidates]
    return max(SMALLEST, min(probabilities[-1], 1 - sum(probabilities)))
