"""Find what an answer adds to the reference behind a word that says so: plus, too, followed by.

Such a word tells that another thing is so as well. "They burnt the maps, then the flag" gives two
things where the reference has one, and so does "The valve. He also replaced the tap". A clause that
tells something else ("A friend composed the score, too") adds nothing.
"""

import re
from collections.abc import Iterator

from .candidates import PERSONAL, counts_two, is_finite_verb, is_lower_degree
from .denials import RELATIVE_WORDS
from .found_reference import FoundReference
from .lexicon import BE, DETERMINERS, IRREGULAR_PAST, PRONOUNS, STOP_WORDS, SUPERLATIVE
from .outcomes import Objection
from .relations import OBJECT_PRONOUNS
from .text import Text

LONGEST_ANSWER = 25  # words
# Behind these words another thing stands: plus the cups; followed by a sorbet.
BEFORE_THING = re.compile(
    r"\b(?:plus|besides(?= \w)(?! that| \w+ing)"
    r"|(?P<companion>(?:in combination|in conjunction|coupled|together|along) with"
    r"|(?:in )?a (?:tie|draw) with)"
    r"|(?P<order>followed by|(?:(?:and |but )?(?:then|next|afterwards|after that)),?))\b"
)
# A question for an end of an order: what comes behind it is no second answer.
ASKS_FOR_END = re.compile(
    rf"\b(?:{SUPERLATIVE}|(?:most|main|first|last|primary|top|leading|major|chief|won|wins?"
    r"|winner)\b)"
)
# With a clause of its own, these say that the clause adds something.
SAYS_ALSO = re.compile(
    r"\balso\b(?! (?:known|called|named|spelled|written|referred|abbreviated))|\blikewise\b"
    r"|\badded to it\b|\b(?:too|either|as well)(?=\W*$|,)"
)
ANOTHER = re.compile(r"\W*(?:and |but )?(?:another|a (?:second|third))\b")
BEGINS_WITH_ALSO = re.compile(
    r"^\W*(?:and |but )?(?:moreover|furthermore|in addition|on top of that|besides|also)\b"
)
# A part of a thing, and the other part: partly Nepal, partly Sri Lanka.
SHARES = re.compile(
    r"\b(?:partly|half)\b[^;]{1,60}?(?:[.,;]|\band\b)[^.;]{0,12}?"
    r"\b(?:partly|half|the rest)\b(?P<rest>[^.;]{0,60})"
)
# One thing and the other: one went by train and the other by plane; two offices ... the other is.
ONE_AND_OTHER = re.compile(
    r"\b(?P<first>one|two)\b[^;]{1,160}?\b(?:the other|another|a second)\b(?P<rest>[^.;]{1,80})"
)
WHOLE_SET = re.compile(r"\b(?:everyone|everybody|all|each)\b[^.;]{0,60}\bincluded\b")
ASKS_FOR_REASON = re.compile(r"\W*(?:why|for what reason)\b")
ASKS_WHO = re.compile(r"\W*who\b")
ASKS_WHO_OR_WHERE = re.compile(r"\W*(?:who|where)\b")
ASKS_WHERE_OR_WHEN = re.compile(r"\W*(?:\w+ )?(?:where|when|how|why)\b")
# A question that may have several answers, or that itself asks for a further one.
ASKS_FOR_SOME = re.compile(
    r"\b(?:example|examples|can|some|else|also|other|another|besides|mean|means|meaning|purpose"
    r"|used for|use of|source|reasons|function)\b"
    r"|^\W*(?:who|what|which)(?: \w+){0,3} (?:are|were)\b"
)
# An answer that tells the greatest part leaves room for others: primarily in New Mexico.
MOSTLY = re.compile(
    r"\b(?:primarily|mainly|mostly|chiefly|largely|typically|usually|traditionally)\b"
)
# The same is so of another thing: so did the engine, as is the auditor. "As is usual" names none.
SAME_OF_ANOTHER = re.compile(
    r"\b(?:so|as) (?:did|does|do|is|was|are|were|has|had)"
    r" (?P<rest>(?!(?:the |a )?(?:case|rule|norm|custom|tradition|usual|common|often)\b)"
    r"[^.;]{1,60})"
)
# "Ann wrote it, as Ben did."
AS_ANOTHER_DID = re.compile(r", (?:just )?as (?P<rest>[^,.;]{1,40}?) (?:did|does|do|has|had)\W*$")
# "with nitrogen as the second gas"
WITH_SECOND = re.compile(
    r"\bwith (?P<rest>[^,.;]{1,40}?) as (?:the|an?) (?:second|other|third|additional|further)\b"
)
# A question for an act: what did he promise to do, what do you do after frying the rice.
ASKS_FOR_ACT = re.compile(r"\bdo(?=\W{0,5}$|,| (?:after|once|when|with|if|before|by|for|at|in)\b)")
FURTHER_ACT = frozenset("and then before while".split())
LONGEST_NEXT = 4  # words of a thing behind "then"
ASKS_FOR_OBJECT = re.compile(r"\W*(?:what|whom?|which \w+|where) (?:do|does|did|has|have|had)\b")


def find_marked_addition(found: FoundReference) -> Objection | None:
    """Return the objection to another thing that an answer marks as added, or None."""
    if len(found.words) > LONGEST_ANSWER or ASKS_FOR_SOME.search(found.question.lower):
        return None
    if MOSTLY.search(found.answer.lower):
        return None
    for words in list_added_words(found):
        if found.list_new_words(words, found.match):
            return found.report("added", found.quote(words))
    return None


def list_added_words(found: FoundReference) -> Iterator[range]:
    """Yield the words of an answer that it marks as added to the match."""
    yield from list_things_behind(found)
    yield from list_adding_clauses(found)
    yield from list_joined_clauses(found)
    yield from list_further_acts(found)
    text = found.answer.lower
    for pattern in (SAME_OF_ANOTHER, AS_ANOTHER_DID, WITH_SECOND):
        other = pattern.search(text, found.end)
        if other:
            yield found.answer.words_between(*other.span("rest"))
    shares = SHARES.search(text)
    if shares:
        yield found.answer.words_between(*shares.span("rest"))
    other = ONE_AND_OTHER.search(text)
    if other and other.end("first") <= found.start and found.end <= other.start("rest"):
        yield found.answer.words_between(*other.span("rest"))
    if counts_two(found) and len(found.references) == 1:
        yield from list_second_of_two(found)
    whole = WHOLE_SET.search(text)
    if whole:
        yield found.answer.words_between(*whole.span())


def list_further_acts(found: FoundReference) -> Iterator[range]:
    """Yield the words behind an "and" and the like where a question asks what is done."""
    question = found.question
    if "what" not in question.first_place or not ASKS_FOR_ACT.search(question.lower):
        return
    sentence = found.answer.find_sentence(found.match.start)
    for i in range(found.match.stop, sentence.stop - 1):
        rest = range(i + 1, sentence.stop)
        if found.words[i] in FURTHER_ACT and not any(j in rest for j in found.answer.denials):
            yield rest
    for clause in found.list_clauses():
        if clause.start >= found.match.stop and SAYS_ALSO.search(found.quote(clause).lower()):
            yield clause


def list_second_of_two(found: FoundReference) -> Iterator[range]:
    """Yield the words behind an "and" that follows the match in its sentence."""
    sentence = found.answer.find_sentence(found.match.start)
    for i in range(found.match.stop, sentence.stop - 1):
        if found.words[i] == "and":
            yield range(i + 1, sentence.stop)


def list_things_behind(found: FoundReference) -> Iterator[range]:
    """Yield the words behind a mark that stands behind the match: plus the cups."""
    asks_where = ASKS_WHERE_OR_WHEN.match(found.question.lower) is not None
    for mark in BEFORE_THING.finditer(found.answer.lower, found.end):
        words = found.answer.words_between(mark.start(), mark.end())
        if not words or words.stop >= len(found.words):
            continue
        first = words.stop
        begins_clause = words.start == found.match.stop or found.ends_clause(words.start - 1)
        is_companion = not asks_where and may_accompany(found, first)
        if not begins_clause or (mark["companion"] and not is_companion):
            continue
        last = first
        while not found.ends_clause(last):
            last += 1
        thing = range(first, last + 1)
        if not mark["order"] and any(is_finite_verb(found, i) for i in thing):
            continue  # plus the score is by Williams
        is_aside = found.answer.text.endswith("(", 0, mark.start())  # (then East Bengal)
        if not is_aside and (not mark["order"] or may_follow(found, thing)):
            yield thing


SHARING = frozenset("half part rest too also other remainder".split())
PRO_VERBS = frozenset("did does do has had have".split())


def list_joined_clauses(found: FoundReference) -> Iterator[range]:
    """Yield clauses behind "and" with a new name that did what was asked: and Ben did half."""
    if not ASKS_WHO.match(found.question.lower):
        return
    for i in range(found.match.stop, len(found.words) - 2):
        noun = i + 1
        if found.words[i] != "and" or not found.shown[noun][0].isupper():
            continue
        stop = found.find_end_of_noun(noun)
        if not noun < stop < len(found.words) or any(map(found.is_known, range(noun, stop))):
            continue
        has_verb = any(is_finite_verb(found, j) for j in range(found.match.stop, i))
        does_share = found.words[stop] in PRO_VERBS and not SHARING.isdisjoint(found.words[stop:])
        if has_verb and (does_share or found.is_asked(stop)):
            yield range(noun, len(found.words))


def may_accompany(found: FoundReference, i: int) -> bool:
    """Return whether the thing at a word is like the match: a name or a person beside a name."""
    if not found.is_name:
        return True
    return found.shown[i][0].isupper() or found.words[i] in PERSONAL


def asks_for_end(question: Text) -> bool:
    """Return whether a question asks for the first or the last of several."""
    return ASKS_FOR_END.search(question.lower) is not None


def may_follow(found: FoundReference, thing: range) -> bool:
    """Return whether some words are a thing, and no further act: then the flag."""
    if asks_for_end(found.question) or len(thing) > LONGEST_NEXT:
        return False
    first = thing.start
    asks_who_or_where = ASKS_WHO_OR_WHERE.match(found.question.lower) is not None
    if asks_who_or_where and found.words[first] in ("a", "an"):
        return False  # then a young director
    is_thing = found.words[first] in DETERMINERS or found.shown[first][0].isupper()
    has_verb = any(is_finite_verb(found, i) or found.words[i] in IRREGULAR_PAST for i in thing)
    return is_thing and not has_verb


def list_adding_clauses(found: FoundReference) -> Iterator[range]:
    """Yield the other clauses of an answer that say that they add something."""
    for clause in found.list_clauses():
        if found.match.start in clause or clause.stop <= found.match.start:
            continue
        shown = found.quote(clause).lower()
        if ASKS_FOR_REASON.match(found.question.lower):
            if BEGINS_WITH_ALSO.match(shown):
                yield clause
            continue
        closing = found.words[clause.stop : clause.stop + 2]  # it turned up, too
        is_closed = " ".join(closing).startswith(("too", "as well", "either"))
        says_also = is_closed or SAYS_ALSO.search(shown) or ANOTHER.match(shown)
        if says_also and may_be_another(found, clause) and tells_of_another(found, clause):
            yield clause


def may_be_another(found: FoundReference, clause: range) -> bool:
    """Return whether a clause may give another answer, and tells nothing more of the match.

    "Radium was also discovered by her" does.
    """
    words = found.list_words(clause)
    if not OBJECT_PRONOUNS.isdisjoint(words[1:]):
        return False
    return "also" not in words or not ASKS_WHERE_OR_WHEN.match(found.question.lower)


def tells_of_another(found: FoundReference, clause: range) -> bool:
    """Return whether a clause says of a new thing what was asked, and tells no more of the match.

    It repeats the question's verb (he replaced the tap, too), or has "did" or the like for it.
    """
    first = next((i for i in clause if found.words[i] not in ("and", "but", "though")), clause[0])
    word = found.words[first].partition("'")[0]
    if word in RELATIVE_WORDS or any(is_lower_degree(found, i) for i in clause):
        return False
    asks_for_object = ASKS_FOR_OBJECT.match(found.question.lower) is not None
    if word in PRONOUNS or word in BE:
        verb = next((i for i in clause if found.has_meaning(i) and i != first), first)
        return asks_for_object and found.is_asked(verb)
    has_verb = any(found.is_asked(i) for i in clause)
    lexical = [i for i in clause if is_finite_verb(found, i) and found.words[i] not in PRO_VERBS]
    if lexical and not has_verb:
        return False  # it tells something else: John Williams composed the score, too
    if ANOTHER.match(found.quote(clause).lower()):
        return has_verb and PRONOUNS.isdisjoint(found.list_words(clause))
    return names_new_thing(found, range(first, clause.stop), asks_for_object)


def names_new_thing(found: FoundReference, words: range, asks_for_object: bool) -> bool:
    """Return whether some words begin with a new thing, which is an object if one is asked for.

    "The tap he replaced as well" begins with an object.
    """
    new = found.list_new_words(words, found.match)
    if not new or any(found.words[i] not in STOP_WORDS for i in range(words.start, new[0])):
        return False
    last = next((i for i in new if i + 1 not in new), new[0])
    is_object = not (PRONOUNS | BE).isdisjoint(found.words[last + 1 : last + 2])
    return is_object or not asks_for_object
