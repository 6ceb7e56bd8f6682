"""Decide where an answer says that nothing surpasses the reference: no ocean is larger than it.

It says so of the largest ocean. "Nobody got there before Tashi" says that Tashi was the first.
"""

import re
from functools import lru_cache

from .lexicon import STOP_WORDS
from .opposites import are_opposite_roots, find_root, is_same_degree
from .outcomes import UNLIKELY, UPHELD, Decision
from .text import RECENT_TEXTS, Text

LONGEST_ANSWER = 20  # words
LONGEST_REFERENCE = 6  # words
# "No ocean is larger than", "nobody arrived before"
UNSURPASSED = re.compile(
    r"\W*(?:no(?: other)? \w+|(?:nobody|no one|none|nothing)(?: else)?)\b"
    r"(?: \w+){1,6}? (?:(?P<comparative>\w+er|more|less|better|worse)(?: \w+){0,3}? than"
    r"|(?P<order>before|ahead of|after))\b"
)
IRREGULAR = {"more": "most", "less": "least", "fewer": "fewest", "better": "best", "worse": "worst"}
ORDER = {
    "before": "first",
    "ahead of": "first",
    "earlier": "first",
    "after": "last",
    "later": "last",
}
OTHER_END = {"first": "last", "last": "first", "most": "least", "least": "most"}


def decide_unsurpassed(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UPHELD if an answer says that nothing surpasses a reference as the question asks.

    UNLIKELY if it says that of the other end: no ocean is smaller. None without such words.
    """
    if len(answer.words) > LONGEST_ANSWER or not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return None
    match = UNSURPASSED.match(answer.lower)
    asked = find_superlatives(question) if match else []
    if not match or not asked:
        return None
    behind = answer.words_between(match.end(), len(answer.text))
    if not set(reference.content) <= {answer.stems[i] for i in behind}:
        return None
    word = match["comparative"] or match["order"]
    superlative = ORDER.get(word) or IRREGULAR.get(word)
    for other in asked:
        if other == superlative or is_same_degree(find_root(other), find_root(word)):
            return Decision(UPHELD, "denied", answer.text.strip(), reference.text.strip())
        is_other_end = superlative and OTHER_END.get(superlative) == other
        if is_other_end or are_opposite_roots(cut_superlative(other), find_root(word)):
            return Decision(UNLIKELY, "denied", answer.text.strip(), reference.text.strip())
    return None


@lru_cache(maxsize=RECENT_TEXTS)
def find_superlatives(question: Text) -> list[str]:
    """Return the superlatives of a question, and "first" and "last"."""
    known = {*IRREGULAR.values(), *ORDER.values()}
    found = list[str]()
    for word in question.words:
        is_regular = word.endswith("est") and word not in STOP_WORDS
        if is_regular or word in known:
            found.append(word)
    return found


def cut_superlative(word: str) -> str:
    """Return the root of a comparative for a superlative: that of "larger" for "largest"."""
    return find_root(word.removesuffix("est") + "er") if word.endswith("est") else find_root(word)
