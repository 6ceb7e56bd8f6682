"""Decide where an answer says that something surpasses the reference, or that nothing does.

"No ocean is larger than the Pacific" says that it is the largest one, and "Nobody got there before
Tashi" that Tashi was the first. "Diamond is hard, but quartz is harder" says that diamond is not
the hardest substance.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from .degrees import read_degree_phrases
from .lexicon import STOP_WORDS
from .opposites import are_opposite_roots, find_root, is_same_degree
from .outcomes import UNLIKELY, UPHELD, Decision
from .text import RECENT_TEXTS, Text

LONGEST_ANSWER = 20  # words
LONGEST_REFERENCE = 6  # words
# "No ocean is larger than", "there is no better fuel than", "nobody arrived before"
UNSURPASSED = re.compile(
    r"(?:^\W*|[,.;:] (?:but |yet |and )?)"
    r"(?:(?:no(?: other)? \w+|(?:nobody|no one|none|nothing)(?: else)?)(?: \w+){1,6}?"
    r"|(?:there(?:'s| is| was) )?(?:no(?= \w+ (?!than\b)\w+)|nobody|no one|none|nothing))"
    r" (?:(?P<comparative>\w+er|more|less|better|worse)(?: \w+){0,3}? than"
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
    asked = find_superlatives(question)
    if asked and is_surpassed_by_none(answer, reference) and SMALL_ENDS.isdisjoint(asked):
        return Decision(UPHELD, "denied", answer.text.strip(), reference.text.strip())
    match = UNSURPASSED.search(answer.lower) if asked else None
    if not match or not stands_in_clause(answer, match.end(), reference):
        return None
    outcome = rate_unsurpassed(match["comparative"] or match["order"], asked)
    if not outcome:
        return None
    return Decision(outcome, "denied", answer.text.strip(), reference.text.strip())


def stands_in_clause(answer: Text, start: int, reference: Text) -> bool:
    """Return whether a clause has all telling words of a reference from a character on."""
    behind = answer.words_between(start, len(answer.text))
    stems = {answer.stems[i] for i in behind if answer.clause[i] == answer.clause[behind.start]}
    return set(reference.content) <= stems


def rate_unsurpassed(word: str, asked: Sequence[str]) -> str:
    """Return UPHELD for a comparative of an asked superlative, UNLIKELY for its opposite, or ""."""
    superlative = ORDER.get(word) or IRREGULAR.get(word)
    for other in asked:
        if other == superlative or is_same_degree(find_root(other), find_root(word)):
            return UPHELD
        is_other_end = superlative and OTHER_END.get(superlative) == other
        if is_other_end or are_opposite_roots(cut_superlative(other), find_root(word)):
            return UNLIKELY
    return ""


# Superlatives of the lesser end: what is surpassed by none is not the slowest.
SMALL_ENDS = frozenset(
    "slowest smallest lowest least fewest worst last shortest cheapest weakest youngest".split()
)
# "Jupiter is surpassed by no other planet", "has no equal"
BY_NONE = re.compile(
    r"\b(?:(?:surpassed|exceeded|outdone|beaten|topped|matched|rivalled|equalled) by"
    r" (?:no(?! (?:fewer|less))|none|nothing|nobody)(?![^.]{0,60}\b(?:until|till|but)\b)"
    r"|unsurpassed|unrivalled|unmatched|has no (?:equal|rival)s?)\b"
)


def is_surpassed_by_none(answer: Text, reference: Text) -> bool:
    """Return whether an answer says before anything else that nothing surpasses the reference."""
    match = BY_NONE.search(answer.lower)
    if not match:
        return False
    before = answer.words_between(0, match.start())
    return answer.list_stems(before) == set(reference.content)


SURPASSING = frozenset("beats beat exceeds surpasses outstrips outdoes tops".split())
EXCEPTING = frozenset("but though although".split())  # the Nile is longer, but in Africa
# Words of a clause that tells an opinion or an exception: some say, only the Sun is larger.
UNSURE = frozenset(
    "only some many others people say says think thinks claim claims believe argue if may might "
    "could once used".split()
)
REACH = 3  # words behind "than" or "beats" in which the thing stands that is surpassed


def decide_surpassed(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer says that another thing surpasses the reference, else None."""
    if len(answer.words) > LONGEST_ANSWER or not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return None
    superlatives = find_superlatives(question)
    if not superlatives or not answer.has_all_content(reference):
        return None
    answer = read_degree_phrases(answer)
    is_surpassed = False
    for i in list_surpassing_words(answer, superlatives):
        holder = read_holder(answer, i)
        if not holder.isdisjoint(reference.content):
            return None  # corundum is harder, yet diamond beats both
        is_new = not holder <= question.places.keys()
        is_surpassed = is_surpassed or (is_new and surpasses_reference(answer, i, reference))
    if not is_surpassed:
        return None
    return Decision(UNLIKELY, "replaced", answer.text.strip(), reference.text.strip())


def list_surpassing_words(answer: Text, superlatives: Sequence[str]) -> Iterator[int]:
    """Yield the words that say that one thing has more of what is asked for: harder, beats."""
    roots = {cut_superlative(word) for word in superlatives}
    for i, word in enumerate(answer.words):
        is_better = word == "better" and "best" in superlatives
        is_degree = word.endswith("er") and find_root(word) in roots
        if is_degree or is_better or word in SURPASSING:
            yield i


def read_holder(answer: Text, i: int) -> set[str]:
    """Return the telling stems before a word in its clause, none if it denies or tells opinions."""
    first = answer.find_clause(i).start
    if begins_elsewhere(answer, i):
        return set()
    if any(first <= j <= i for j in answer.denials):
        return set()
    if not UNSURE.isdisjoint(answer.words[first:i]):
        return set()
    return answer.list_stems(range(first, i))


# A sentence that begins so tells of another place, time or set: In Asia, Everest is higher.
ELSEWHERE = frozenset("in on at outside beyond among worldwide globally elsewhere today".split())
NOT_ELSEWHERE = (["in", "fact"], ["in", "reality"], ["in", "truth"])


def begins_elsewhere(answer: Text, i: int) -> bool:
    """Return whether the sentence of a word begins with another place, time or set."""
    sentence = answer.find_sentence(i)
    words = answer.words[sentence.start : sentence.start + 2]
    return not ELSEWHERE.isdisjoint(words[:1]) and words not in NOT_ELSEWHERE


def surpasses_reference(answer: Text, i: int, reference: Text) -> bool:
    """Return whether the reference is what is surpassed: harder, harder than it, beats it."""
    behind = range(i + 1, min(len(answer.words), i + 2 + REACH))
    words = [answer.words[j] for j in behind if answer.clause[j] == answer.clause[i]]
    if answer.words[i] not in SURPASSING and "than" not in words:
        is_last = i + 1 == len(answer.words) or answer.clause[i + 1] != answer.clause[i]
        return is_last and EXCEPTING.isdisjoint(answer.words[i + 1 :])
    stems = {answer.stems[j] for j in behind}
    return "it" in words or not stems.isdisjoint(reference.content)


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
