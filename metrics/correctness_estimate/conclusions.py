"""Find the thing on which an answer settles where it weighs two.

"Ann or Bob? Bob was older, so it must be Bob" settles on Bob, and "I leave that to the reader" on
neither. The last words that conclude something decide. If they name neither thing, the words before
them in the sentence do: "since Bob was older, it must be him".
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from .text import RECENT_TEXTS, Text

# Words with which an answer concludes. "So" is none of degree, and none of "so is Lyon".
CONCLUDING = re.compile(
    r"""\b (?: hence | therefore | thus | consequently | accordingly | ergo
      | in[ ](?:the[ ]end | conclusion | sum) | on[ ](?:balance | reflection)
      | all[ ]in[ ]all | all[ ]things[ ]considered | overall | ultimately | finally | eventually
      | (?:must | (?:has | have | had)[ ]to | (?:can | could)[ ]only)[ ](?:have[ ]been | be)
      | (?:that | which)[ ](?:only[ ])? leaves | (?:this | that | which)[ ]means[ ]that
    ) \b
    | \b (?P<choosing>
      (?:i | we)(?: 'd | 'll | 'm | 've | [ ](?:would | will | am | have | must | shall))?
        (?: [ ](?: finally | therefore | rather | now | thus | hence | so | clearly
          | going[ ]to ) )*
        [ ](?: conclude | come[ ]to[ ]the[ ]conclusion | choose | chose | pick | picked
          | (?:opt | opted | settle | settled | plump | go | going | vote)[ ](?:for | on | with)
          | (?:decide | decided | bet | side | siding | stick | sticking)[ ](?:for | on | with)
          | say | take | answer )
      | (?:my | the[ ](?:final | correct | right))[ ](?:final[ ])?
        (?:answer | choice | pick | verdict | conclusion | vote)
        (?: [ ](?:is | would[ ]be | must[ ]be) | : )
    ) (?!\w)
    | (?: ^ | [,;:.!?–—-][ ] | \band[ ] | \bbut[ ] ) \b so \b
      (?! [ ](?: far | called | that | much | many | long | as | is | was | are | were | do | does
        | did | has | have | had | can | will | would )\b | [ ]\w+[ ]that\b | [-'] )
    | \b it[ ](?:is | was) (?= \W* (?: $ | [.!;,] ) )
    | \b is[ ]my[ ](?:answer | choice | pick | verdict)\b
    | \b (?: wins | prevails | daher | deshalb | folglich | schließlich | letztlich ) \b
    | \b (?: donc | finalement | por[ ](?:lo[ ])?tanto | así[ ]que ) \b""",
    re.VERBOSE,
)
# Words that leave open which of two things is meant.
LEFT_OPEN = re.compile(
    r"""\b (?: (?:i | we | i'll | i'd)[ ](?:\w+[ ])?
        leave[ ](?: \w+[ ]){1,3}?(?: open | to[ ] | undecided )
      | (?:i | we | one | you)[ ](?:can't | cannot | can[ ]not | couldn't | could[ ]not)
        [ ](?:\w+[ ])?(?:decide | tell | say | choose | make[ ]up)
      | hard[ ]to[ ](?:say | tell | decide) | (?:take | make)[ ]your[ ](?:pick | choice)
      | let[ ](?:\w+[ ]){1,2}(?:decide | judge | choose)
      | (?:your | anyone's | anybody's)[ ](?:call | choice | guess) | toss[ -]?up | up[ ]to[ ]you
      | (?:nobody | no[ ]one)[ ](?:knows | can[ ]say | has[ ]told) | who[ ]knows | undecided
      | (?:remains | is | stays)[ ](?:\w+[ ])?(?:open | unresolved | unsettled)
      | either[ ]of[ ](?:them | the[ ]two) | whichever | whoever | opinions[ ]differ | it[ ]depends
      | not[ ]sure[ ]which | (?:don't | do[ ]not)[ ]know[ ]which
      | both[ ](?:\w+[ ]){0,2}(?:defensible | arguable | plausible | possible | conceivable)
    ) \b""",
    re.VERBOSE,
)
# Signs that an answer weighs two things. It settles on the one that it names again at the end.
WEIGHING = re.compile(r"\?|\b(?:or|both|either|versus|vs)\b|\bbetween (?:\w+ ){1,3}and\b")
# What only seems so at first. The answer settles on what it names at the end.
AT_FIRST = re.compile(
    r"\bat first\b|\bfirst (?:thought|idea|guess|instinct|impression|glance|sight|blush|had)\b"
    r"|\bcomes? (?:\w+ )?to mind|\bin mind\b|\bprima facie\b|\bpart of me\b|\bhave guessed\b"
    r"|\b(?:many|most|some|people|others) (?:\w+ ){0,2}"
    r"(?:think|believe|say|assume|guess|name|suggest|write)\b"
    r"|\b(?:wait|scratch that|correction|sorry)\b"
)
# What names a thing by its place among those named before.
LATTER = re.compile(r"\bthe latter\b|\bthe second(?: one)?(?!\w| \w+ )")
FORMER = re.compile(r"\bthe former\b|\bthe first(?: one)?(?!\w| \w+ )")
OTHER = re.compile(r"\bthe other(?: one)?\b(?! \w+ of)")


class Conclusion(NamedTuple):
    """The words with which an answer concludes.

    Attributes:
        clauses: the clauses behind concluding words, up to the end of their sentence: those behind
            the last such words first.
        before: the words of the sentence before the first such words.
        is_choice: whether the writer says that it is a choice: I'd say, my answer is.
        must_repeat: whether the answer must have named before what it settles on, for no word says
            that it concludes: Ann or Bob? Bob.
    """

    clauses: list[range]
    before: range
    is_choice: bool = False
    must_repeat: bool = False


@lru_cache(maxsize=RECENT_TEXTS)
def read_conclusion(text: Text) -> Conclusion:
    """Return the last conclusion of an answer: "it must be Bob", "hence the second one"."""
    matches = list(CONCLUDING.finditer(text.lower))
    markers = [words for match in matches if (words := text.words_between(*match.span()))]
    if not markers:
        return read_last_clause(text)
    number = text.sentence[markers[-1].start]
    sentence = range(bisect_left(text.sentence, number), bisect_right(text.sentence, number))
    markers = [words for words in markers if words.start in sentence]
    clauses = list[range]()
    stop = sentence.stop
    for marker in reversed(markers):
        clauses += cut_clauses(text, range(marker.stop, stop))
        stop = marker.start
    is_choice = any(match["choosing"] for match in matches)
    return Conclusion(clauses, range(sentence.start, stop), is_choice)


def read_last_clause(text: Text) -> Conclusion:
    """Return the last clause as a conclusion if a sign before it says that the answer weighs."""
    first = bisect_left(text.clause, text.clause[-1]) if text.words else 0
    earlier = text.lower[: text.starts[first]] if first else ""
    if earlier.endswith("("):
        return Conclusion([], range(0))  # a remark
    if AT_FIRST.search(earlier):
        return Conclusion([range(first, len(text.words))], range(0))
    if WEIGHING.search(earlier):
        return Conclusion([range(first, len(text.words))], range(0), must_repeat=True)
    return Conclusion([], range(0))


def cut_clauses(text: Text, words: range) -> Iterator[range]:
    """Yield the clauses of a range of words."""
    start = words.start
    for i in words:
        if i + 1 == words.stop or text.clause[i + 1] != text.clause[i]:
            yield range(start, i + 1)
            start = i + 1


def choose_between(text: Text, first: Set[str], second: Set[str]) -> bool | None:
    """Return whether an answer settles on the first of two things, None if it does on neither.

    Args:
        text: the answer.
        first: the stems of one thing.
        second: the stems of the other thing, empty if it is not known.
    """
    conclusion = read_conclusion(text)
    for words in (*conclusion.clauses, conclusion.before if second else range(0)):
        if not words or is_denied(text, words):
            continue
        stems = set(text.stems[words.start : words.stop])
        names_first, names_second = not stems.isdisjoint(first), not stems.isdisjoint(second)
        if names_first or names_second:
            named = stems & (first | second)
            is_new = all(text.places[stem][0] in words for stem in named)
            is_unclear = names_first == names_second or (conclusion.must_repeat and is_new)
            return None if is_unclear else names_first
        place = read_place(text, words, first, second)
        if place is not None:
            return place
    return None


def is_denied(text: Text, words: range) -> bool:
    """Return whether some words deny: not Ann. "The other one does not" may be what is chosen."""
    denials = [i for i in text.denials if i in words]
    return bool(denials) and "other" not in text.words[words.start : denials[0]]


def read_place(text: Text, words: range, first: Set[str], second: Set[str]) -> bool | None:
    """Return whether "the latter" or the like means the first of two things, None without it.

    "The other one" is the one that the answer does not name.
    """
    shown = text.span(words.start, words.stop).lower()
    places = [max(list_places(text, words.start, stems), default=-1) for stems in (first, second)]
    is_first_later = places[0] > places[1]
    if min(places) < 0:
        is_other = OTHER.search(shown) is not None and max(places) >= 0
        return places[0] < 0 if is_other else None
    if LATTER.search(shown):
        return is_first_later
    return not is_first_later if FORMER.search(shown) else None


def list_places(text: Text, stop: int, stems: Set[str]) -> Iterator[int]:
    """Yield the words before a place that have one of some stems."""
    return (i for i in range(stop) if text.stems[i] in stems)


def leaves_open(text: Text) -> bool:
    """Return whether an answer ends with leaving open what it means: take your pick."""
    matches = list(LEFT_OPEN.finditer(text.lower))
    if not matches:
        return False
    concluding = list(CONCLUDING.finditer(text.lower))
    return not concluding or concluding[-1].start() < matches[-1].end()


# ---- Chinese

CHINESE_CONCLUDING = re.compile(
    "(?:所以|因此|因而|可见|看来|最后|最终|到底|答案|结论|应该|应当|肯定|必定|我|那就)"
    "(?:我|就|还|只能|应该|应当|应|必定|肯定|会|决定|认为|觉得|的?答案|结论){0,6}(?:选择?|是|为|选定)"
    "(?P<thing>[^，,。！？；;\n]{1,12})"
)
CHINESE_AT_FIRST = re.compile(
    "一开始|起初|最初|本来|原本|乍一?看|第一反应|原以为|以为|想到|看似|很多人|有人|大家|人们"
)


def choose_in_chinese(text: str, name: str, question: str) -> bool | None:
    """Return whether a Chinese answer settles on a name, None if it concludes nothing.

    It is False if the answer concludes with a thing that it or the question named before, or the
    latter of two things: 甲还是乙？应该是乙.
    """
    matches = list(CHINESE_CONCLUDING.finditer(text))
    if not matches or name not in text:
        return None
    thing, before = matches[-1]["thing"], text[: matches[-1].start()]
    if thing.startswith(("前者", "后者")):
        is_last = before.rstrip("，,。;； ").endswith(name)
        return is_last == thing.startswith("后者")
    if name in thing:
        return True if thing.startswith(name) else None
    is_known = thing[:2] in before or thing[:2] in question
    is_known = is_known or CHINESE_AT_FIRST.search(before) is not None
    return False if is_known else None
