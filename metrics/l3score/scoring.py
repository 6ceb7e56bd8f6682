"""L3Score: how sure a language model is that an answer means the same as the reference, by its
first token's chances.

Paper: Pramanick et al. 2024, "SPIQA: A Dataset for Multimodal Question Answering on Scientific
Papers", arXiv 2407.09413, section 4. Original: `score_openai` in metrics/llmlogscore of
google/spiqa at 56ed963, with the suffixes " yes", " yeah" against " no"; its metric card of
evaluate: nhop/L3Score.

The judge is asked to answer Yes or No. Of the likeliest candidates for its first token, the
likeliest that reads "yes" or "yeah" and the likeliest that reads "no" are compared: p(yes) /
(p(yes) + p(no)). Where only one is listed, the other's probability is the smaller of the least
likely candidate's and of what the list leaves over, at least 1e-8. Where neither is listed the
score is 0 by definition; the row is counted in `n_neither` and says so.

Differences from the original:
- A failed call is unscored, with a reason; the original scores it 0.
- Candidates are put in order where a server does not.
- One token is asked for, no more: the rest of the reply plays no part.
- Groq, which the original's card names, gives no log-probabilities.
- `match="sum"` adds up all spellings of yes, and of no.
- Several references: one question to the judge for each, the best score counts.

This file may be copied with final_answer.py: both need nothing but Python.

From Answer Lens 0.1.0 (metrics/l3score), Apache-2.0. To cite it: CITATION.cff there, and the paper
above.
"""

import hashlib
import math
import numbers
import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from .final_answer import FIRST_TOKEN, LONE_ENDS, THINKING_ENDS, is_mentioned

# A change of a prompt's text takes a new number: the loader does not see every edit inside a text.
PROMPT_VERSION = 1
# The metric card of nhop/L3Score, word for word, the two spaces at the ends of lines too.
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
# The same question for a decision model, which is asked about a question and its answer once for
# each reference.
DECISION_STATE = "Question: {question}\nCandidate answer: {answer}"
DECISION_QUESTION = """\
Ground-truth answer: {gt}

Is the semantic meaning of the ground-truth and candidate answers similar?"""
MATCHES = ("first", "sum")
# The spellings that count, white space and case aside (the original's suffixes).
YES, NO = frozenset({"yes", "yeah"}), frozenset({"no"})
# Least probability of an answer that is not listed (the original).
SMALLEST = 1e-8
# Rounding may lift a log-probability above 0 by this much; more is no log-probability.
ROUNDING = 0.01
# Where yes and no hold less of what is listed, the judge was about to write something else, and the
# row says so.
LOW_MASS = 0.05
# What ends thinking, by the one list of marks.
THOUGHTS_END, LONE_END = re.compile(THINKING_ENDS, re.I), re.compile(LONE_ENDS, re.I)
FIRST_WORD = re.compile(r"[\W_]*([^\W_]*)")


def identify_prompt(prompt: str) -> str:
    """Return name, version and hash of a prompt's template, for the signature.

    "decision" names that of decisions.
    """
    template = PROMPTS.get(prompt, DECISION_STATE + DECISION_QUESTION)
    return f"{prompt}-v{PROMPT_VERSION}-{hashlib.sha256(template.encode()).hexdigest()[:12]}"


def fill_prompt(
    question: str,
    prediction: str,
    reference: str,
    prompt: str = "card",
) -> str:
    r"""Return the text that the judge is given, each of the three texts in it once and as it
    stands.

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
    """Return a template with its texts, filled in one pass: nothing in a text is a placeholder."""
    return re.sub(r"\{(\w+)\}", lambda match: texts[match[1]], template)


def fill_state(question: str, prediction: str) -> str:
    """Return what a decision model is asked about."""
    return fill_template(DECISION_STATE, question=question, answer=prediction)


def fill_question(question: str, prediction: str, reference: str) -> str:
    """Return the question to a decision model for one reference."""
    return fill_template(DECISION_QUESTION, gt=reference)


def read_candidates(top_logprobs: Any) -> list[tuple[str, float]]:
    """Return (token, log-probability), likeliest first, from a list of {"token", "logprob"}, or of
    objects that have these attributes, as openai's package gives them.

    Raises:
        ValueError: an entry has no token, or no number that could be a log-probability.

    """
    candidates = []
    for i, entry in enumerate(top_logprobs):
        held: Any = entry.get if isinstance(entry, Mapping) else partial(getattr, entry)
        token, value = held("token", None), held("logprob", None)
        number = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not isinstance(token, str) or not number or not value <= ROUNDING:
            raise ValueError(
                f"top_logprobs[{i}] is {entry!r:.80}; a token and a log-probability are expected"
            )
        candidates.append(
            (token, float(max(value, -1e9)))
        )  # a whole number may be beyond all floats
    return sorted(candidates, key=lambda candidate: -candidate[1])


def opens_thoughts(text: Any) -> bool:
    """Return whether a first token, or the reply that begins with it, is one of thinking and of no
    answer.

    >>> [opens_thoughts(text) for text in ("<think>", "<thought", "[THINK]", "<|channel|>")]
    [True, True, True, True]
    >>> [opens_thoughts(text) for text in ("Yes", "I think", None)]
    [False, False, False]
    """
    return isinstance(text, str) and FIRST_TOKEN.match(text) is not None


def has_low_mass(found: Mapping[str, Any]) -> bool:
    """Return whether yes and no hold little of what is listed, though one of them is, by what
    `explain` returns.
    """
    listed = found["branch"] not in (None, "neither")
    return listed and found["mass"] < LOW_MASS * math.fsum(p for _, p in found["top_tokens"])


def find_probability(
    candidates: Sequence[tuple[str, float]], words: frozenset[str], match: str
) -> float | None:
    """Return the probability of the likeliest candidate among `words`, or for "sum" of all.

    It is None where none is.
    """
    found = [math.exp(logprob) for token, logprob in candidates if token.strip().lower() in words]
    if not found:
        return None
    return math.fsum(found) if match == "sum" else found[0]


def score_top_logprobs(top_logprobs: Collection[Any], match: str = "first") -> float:
    """Return the L3Score of one reply, in 0..1, higher is better.

    It is 0 where neither yes nor no is listed.

    Args:
        top_logprobs: the candidates for the first token as a server lists them: dicts, or objects
            of openai's package, with "token" (str) and "logprob" (natural logarithm of the
            probability).
        match: "first" takes the likeliest spelling of yes and of no, "sum" adds up all of them.

    Raises:
        TypeError: there is no list: the server gave no log-probabilities.
        ValueError: an entry is not as described, the list is empty, or yes and no have no
            probability at all.

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
    """Return what a whole reply begins with, marks and thinking aside: "yes" (or yeah), "no", or
    else "neither".

    >>> [read_word(reply) for reply in ("Yes.", "**No**, it differs", "<think>Yes?</think> no")]
    ['yes', 'no', 'no']
    >>> [read_word(reply) for reply in ("Not at all", "")]
    ['neither', 'neither']
    >>> read_word("No. The answer ends: </think> Yes")
    'no'
    """
    pattern = THOUGHTS_END if opens_thoughts(reply) else LONE_END
    ends = [mark.end() for mark in pattern.finditer(reply) if not is_mentioned(reply, mark)]
    # A reply that begins with its word has no thinking before it: a mark further on is a part of a
    # text.
    for place in (0, *ends[-1:]):
        word = FIRST_WORD.match(reply, place)
        said = word[1].lower() if word else ""
        if said in YES | NO:
            return "yes" if said in YES else "no"
    return "neither"


def explain(candidates: Sequence[tuple[str, float]], asked: int, match: str) -> dict[str, Any]:
    """Return what `per_example` says of one reply, whose candidates are given likeliest first: the
    score, and with which probabilities of yes and no, listed or estimated; `asked` is how many
    candidates were asked for.

    Raises:
        ValueError: yes and no are listed, and neither has any probability.

    """
    yes, no = (find_probability(candidates, words, match) for words in (YES, NO))
    tokens: list[Any] = [[token, math.exp(logprob)] for token, logprob in candidates]
    mass, branch = math.fsum((yes or 0.0, no or 0.0)), "both"
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    if yes is None and no is None:
        yes, no, branch = 0.0, 0.0, "neither"
        first = f"{candidates[0][0]!r:.40}"
        sentences.append(
            f"neither yes nor no is among the candidates (the first is {first}): 0 by definition"
        )
        data.append({"key": "neither_listed", "first": first})
    elif yes is None or no is None:
        listed = "yes" if no is None else "no"
        branch = f"{listed}_only"
        sentences.append(f"only {listed} is listed: the other's probability is estimated")
        data.append({"key": "one_listed", "answer": listed})
        other = max(SMALLEST, min(tokens[-1][1], 1 - sum(p for _, p in tokens)))
        yes, no = (other if yes is None else yes), (other if no is None else no)
    elif yes + no == 0:
        raise ValueError(
            "yes and no are listed with no probability at all, so neither can be compared with "
            "the other"
        )
    score = 0.0 if branch == "neither" else yes / (yes + no)
    if len(candidates) < asked:
        sentences.append(f"{len(candidates)} of {asked} candidates listed")
        data.append({"key": "few_listed", "listed": len(candidates), "asked": asked})
    found = {
        "score": score,
        "branch": branch,
        "p_yes": yes,
        "p_no": no,
        "mass": mass,
        "top_tokens": tokens,
    }
    if has_low_mass(found):
        sentences.append(f"yes and no hold less than {LOW_MASS} of what is listed")
        data.append({"key": "low_mass", "least": LOW_MASS})
    return found | {"note": "; ".join(sentences) or None, "note_data": data}
