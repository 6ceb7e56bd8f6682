"""Find another thing in the place of the reference: platform 3, platform 5.

"It should be taken in the morning, and again in the evening" gives two times, and "Every pie
gets thyme, and every pie gets sage" two things. In the answer a mark, FACT, replaces the reference.
"""

import re
from collections.abc import Iterator

from .denials import RELATIVE_WORDS
from .dismissals import FACT
from .found_reference import FoundReference
from .lexicon import DETERMINERS, MONTHS, PREPOSITIONS, PRONOUNS, WEEKDAYS
from .lists import is_clause
from .marked_additions import asks_for_end
from .outcomes import Objection
from .text import read_text

LONGEST_ANSWER = 25  # words
LONGEST_OTHER = 5  # words of the other thing
# The words between the reference and the joint, which must tell nothing new: may terminate it.
BETWEEN = r"(?P<between>[^.;:!?\x00]{0,40}?)"
OTHER = r"(?P<other>[^.;:!?\x00]{1,50})"
# "Oregano. Oh, and basil", "in the morning and again in the evening", "parking, though also ..."
ALSO_OTHER = re.compile(
    rf"{FACT}{BETWEEN}[.;,]? (?:oh,? and|oh, also|(?:and |but |though |although )?(?:also"
    r"(?! (?:known|called|named|spelled|written|referred|abbreviated))|again|sometimes"
    r"|occasionally|after that|in addition|on top of that)"
    rf"|as well as|in addition to|along with|together with|as do(?:es)?|as did) {OTHER}"
)
# "breakfast, and use of the sauna too"
AND_OTHER_TOO = re.compile(rf"{FACT}{BETWEEN},? and {OTHER} (?:too|as well)$")
# "in the morning and in the evening", "at a school or at a college"
WITH_PREPOSITION = re.compile(
    rf"{FACT}{BETWEEN},? (?:and|or|&|plus|but) (?P<preposition>[a-z]{{2,7}}) {OTHER}"
)
# "sometimes Rome, sometimes Oslo", "Rome in part, and Oslo in part"
BY_TURNS = re.compile(
    rf"\b(?P<turn>sometimes|partly) [^.;,]{{0,20}}{FACT},? (?:and )?(?P=turn) {OTHER}"
    rf"|{FACT} (?P<part>in part|partly),? (?:and )?(?P<rest>[^.;:!?,\x00]{{1,40}}) (?P=part)\b"
)
# "Rome/Oslo", "Rome & Oslo", two lines
PAIR = re.compile(
    rf"^\W*{FACT}(?P<joint> ?[/&,] ?|\n[*•-] )(?:and )?(?P<other>[^.;:!?,\x00\n/&]{{1,40}})$"
)
ENDS_WITH_ALSO = re.compile(r",? (?:too|as well|also)$")
CLAUSE_BEHIND = re.compile(r"(?<=\w),? (?:when|where|which|who|because|since)\b.*")
SEGMENT_END = re.compile(r"[.;!,]\s+(?:and |but |besides, |also,? )?| and ")
DAYS_AND_SEASONS = frozenset(
    "morning noon midday afternoon evening night midnight breakfast lunch dinner spring summer "
    "autumn fall winter weekdays weekends".split()
).union(WEEKDAYS, MONTHS)
PLACE_PREPOSITIONS = frozenset("in on at".split())  # in the garden and on the terrace
NO_THING = frozenset("one ones precise".split())  # the young one, in Grünerløkka to be precise
# Words of a segment that tells of another time, or of what is not so.
NO_ADDITION = re.compile(
    r"\b(?:not|no|never|used to|ago|formerly|earlier|previously|before|once|instead|unlike|although"
    r"|though|while|think|thinks|believe|say|says|said|only|nothing|all)\b|n't\b"
)


def find_parallel_addition(found: FoundReference) -> Objection | None:
    """Return the objection to another thing in the place of the reference, or None."""
    if len(found.words) > LONGEST_ANSWER or found.answer.denials:
        return None
    text = found.answer.lower.rstrip(" .!")
    marked = text[: found.start] + FACT + text[found.end :]
    for other in list_others(marked, found):
        if is_another_thing(other, found):
            return found.report("added", other)
    return None


def list_others(marked: str, found: FoundReference) -> Iterator[str]:
    """Yield what stands in an answer in the place of FACT, or is joined to it."""
    also = ALSO_OTHER.search(marked)
    is_next = also is not None and "after that" in also[0] and asks_for_end(found.question)
    if also and not is_next and tells_nothing_new(also["between"], found):
        yield also["other"]
    too = AND_OTHER_TOO.search(marked)
    if too and tells_nothing_new(too["between"], found) and not may_be_verb(too["other"]):
        yield too["other"]
    prepositional = WITH_PREPOSITION.search(marked)
    if prepositional and tells_nothing_new(prepositional["between"], found):
        is_same = is_same_preposition(prepositional["preposition"], marked, found)
        if is_same and is_place_or_time(prepositional["other"], found):
            yield prepositional["other"]
    by_turns = BY_TURNS.search(marked)
    if by_turns:
        yield by_turns["other"] or by_turns["rest"]
    pair = PAIR.search(marked)
    if pair and (pair["joint"].strip() != "," or begins_like_reference(pair["other"], found)):
        yield pair["other"]
    yield from list_parallel_segments(marked)


def list_parallel_segments(marked: str) -> Iterator[str]:
    """Yield what other segments have in place of FACT, if they are else the same: he stole X."""
    segments = SEGMENT_END.split(marked)
    own = next((segment for segment in segments if FACT in segment), "")
    before, _, behind = own.partition(FACT)
    if not RELATIVE_WORDS.isdisjoint(before.split()):
        return
    for segment in segments:
        if segment == own or NO_ADDITION.search(segment):
            continue
        other = ENDS_WITH_ALSO.sub("", segment)
        is_same = other.startswith(before) and other.endswith(behind)
        if is_same and has_telling_word(before + behind) and len(before) + len(behind) < len(other):
            yield other[len(before) : len(other) - len(behind)]


def tells_nothing_new(words: str, found: FoundReference) -> bool:
    """Return whether some words tell nothing that the question or a reference lacks."""
    is_relative = not RELATIVE_WORDS.isdisjoint(words.split())
    return not is_relative and all(found.is_known_stem(stem) for stem in read_text(words).content)


def is_same_preposition(word: str, marked: str, found: FoundReference) -> bool:
    """Return whether a preposition is the one before FACT, or the one that begins the reference."""
    before = marked.partition(FACT)[0].split()[-1:]
    expected = {*before, *found.reference.words[:1]} & PREPOSITIONS
    return word in expected or {word, *expected} <= PLACE_PREPOSITIONS


def may_be_verb(words: str) -> bool:
    """Return whether some words may begin with a verb or are adverbs: lasted long, very well."""
    first, *others = words.split() or [""]
    if first in ("very", "quite", "rather", "so") or first.endswith("ly"):
        return True
    return len(others) < 2 and first.endswith(("s", "ed")) and first not in DETERMINERS


def is_place_or_time(other: str, found: FoundReference) -> bool:
    """Return whether words and the reference both have a name, or a part of the day or year."""
    reference, words = found.reference, read_text(other).words
    if any(word.isdigit() for word in words):
        return False
    if not DAYS_AND_SEASONS.isdisjoint(reference.words):
        return not DAYS_AND_SEASONS.isdisjoint(words)
    return bool(reference.names) and not list_capitals(found).isdisjoint(words)


def has_telling_word(words: str) -> bool:
    """Return whether some words are more than an article or a preposition."""
    return not (DETERMINERS | PREPOSITIONS).issuperset(words.split())


def begins_like_reference(other: str, found: FoundReference) -> bool:
    """Return whether a thing has the first word of the match: the licensee, the guarantor."""
    first = other.split()[:1]
    start = found.match.start
    return first == found.words[start : start + 1] or first == found.words[start - 1 : start]


def is_another_thing(other: str, found: FoundReference) -> bool:
    """Return whether some words are a new thing of a few words, and no clause."""
    thing = read_text(CLAUSE_BEHIND.sub("", ENDS_WITH_ALSO.sub("", other)))
    if not 0 < len(thing.words) <= LONGEST_OTHER or NO_ADDITION.search(thing.lower):
        return False
    if is_clause(thing) or not (PRONOUNS | NO_THING).isdisjoint(thing.words):
        return False
    if not begins_like_thing(thing.words[0], found):
        return False
    has_figure = any(word.isdigit() for word in thing.words)
    if has_figure and not any(word.isdigit() for word in found.reference.words):
        return False
    return any(not found.is_known_stem(stem) for stem in thing.content)


def begins_like_thing(first: str, found: FoundReference) -> bool:
    """Return whether a word may begin another thing: a name beside a name, no verb.

    A preposition may if it stands before the match, too, or in the reference or the question.
    """
    if first.endswith(("ing", "en", "ed")):
        return False
    if found.is_name and first not in list_capitals(found) and first not in ("a", "an"):
        return False
    before = found.words[max(0, found.match.start - 1) : found.match.start]
    known = {*found.reference.words, *found.question.words, *before}
    return first not in PREPOSITIONS or first in known


def list_capitals(found: FoundReference) -> set[str]:
    """Return the words of an answer that have a capital, in lower case."""
    return {
        word for word, shown in zip(found.words, found.shown, strict=True) if shown[0].isupper()
    }
