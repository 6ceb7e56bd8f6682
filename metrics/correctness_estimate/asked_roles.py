"""Decide by who does what a question asks: who composed the music, who is the treasurer.

"Ilse directed the film; its music was composed by Theo" names Theo as the composer, though it has
the reference, Ilse. The same is read where the answer exchanges the doer and the object: "The
postman bit the dog" if the question is whom the dog bit.
"""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from .comparisons import QUESTION_WORDS
from .denials import RELATIVE_WORDS
from .lexicon import BE, DETERMINERS, IRREGULAR_FORMS, PREPOSITIONS, PRONOUNS, STOP_WORDS
from .opposites import find_root
from .outcomes import UNLIKELY, Decision
from .relations import BY, OBJECT_PRONOUNS, has_same_beginning, is_passive, is_verb
from .text import RECENT_TEXTS, Text, is_sentence

LONGEST_ANSWER = 30  # words
LONGEST_REFERENCE = 5  # words
LONGEST_DOER = 5  # words
KIND_REACH = 4  # words of a question from "which" to its verb: which big company bought
AUXILIARIES = frozenset("has have had will would can could may might should must".split())
DO = frozenset("do does did".split())  # whom did Ann teach? Theo did
# Words at which a clause ends without a comma.
CONJUNCTIONS = RELATIVE_WORDS | frozenset(
    "after before while whereas because since although though but when as if until so than then "
    "whom where with without".split()
)
LEADING_WORDS = DETERMINERS | frozenset("and but so then".split())  # before a thing
# Words between a doer and its verb.
ADVERBS = frozenset("only also then just even always really actually first later still".split())
# A doer that names nobody, or everybody.
NOBODY = frozenset(
    "nobody none no one someone somebody everyone everybody people they many some most all both "
    "others another other each either neither few several any anyone nothing something everything "
    "there it this that these those not never".split()
).union(QUESTION_WORDS)
# An answer with one of these may name several that did it: originally, in the film version.
UNCLEAR = frozenset(
    "also originally version versions too if later respectively usually normally former formerly "
    "previous vice deputy assistant other next similar copy nearby another once thought said "
    "assumed believed last".split()
)
ORDER = frozenset("before after else other besides".split())  # who spoke after Lee?
# Words behind a doer at which a turn begins: by Theo after Ilse had refused.
TURNS = frozenset("after while whereas although though but because since not as".split())
HOLDING = frozenset("is was became".split())  # Theo is the treasurer
# Words before a thing that an answer ends with: now it is the Otter.
BEFORE_LAST_THING = re.compile(r"(?:\b(?:is|was|by|to|but)|:) (?:the |an? )?$")
# The first name and the reference may be names of one person.
ALIAS = re.compile(
    r"\b(?:known|calls?|called|(?:pen|stage|real) name|born|alias|name (?:is|was)|namely"
    r"|specifically|exact(?:ly)?|precise(?:ly)?)\b"
)
ASKED_NOUN = re.compile(
    r"\bwho(?:'s| is| was) (?:the|an?|your|their|our|his|her|its|[a-z]+'s) "
    r"(?:(?:current|present|new|first|last) )?"
    r"(?P<noun>[a-z]+(?: [a-z]+){0,2}?)(?= (?:of|for|at|in|to)\b|\W*$)"
)


def decide_asked_role(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer says that another thing does what is asked, else None.

    The answer must have the reference, and nowhere say that it does it.
    """
    if not may_tell_doer(answer, reference, question):
        return None
    wanted = list_wanted(reference, question)
    rivals = list[range]()
    for act in list_acts(answer, question):
        if is_exchange(answer, act, wanted, question):
            rivals.append(act.doer)
        elif asks_for_object(question):
            return None
        elif tells_what_is_asked(answer, act, question):
            if not is_rival(answer, act, reference, wanted):
                return None
            if is_given_alone(answer, reference, question):
                return None
            rivals.append(act.doer)
    if not rivals:
        return None
    shown = answer.span(rivals[0].start, rivals[0].stop)
    return Decision(UNLIKELY, "replaced", shown, reference.text.strip())


class Act(NamedTuple):
    """What an answer says that somebody does.

    Attributes:
        verb: the place of the verb.
        doer: the words of who does it.
        other: the words of the other thing in the clause.
        is_behind: whether the doer stands behind the verb: by Theo, is Theo.
    """

    verb: int
    doer: range
    other: range
    is_behind: bool


def is_rival(answer: Text, act: Act, reference: Text, wanted: Set[str]) -> bool:
    """Return whether the doer of an act is a thing like the reference, not joined to it."""
    is_like = is_like_reference(answer, act.doer, reference, wanted)
    return is_like and not is_joined(answer, act, wanted)


def is_joined(answer: Text, act: Act, wanted: Set[str]) -> bool:
    """Return whether the doer of an act, or what is joined to it, has one of some stems."""
    near = range(act.doer.start, find_end_of_doer(answer, act))
    return is_about(answer, near, wanted) or has_form(answer, near, wanted)


def list_wanted(reference: Text, question: Text) -> set[str]:
    """Return the telling stems of a reference that a question lacks, all if it lacks none."""
    return set(reference.content) - question.places.keys() or set(reference.content)


def is_given_alone(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer begins with the reference alone, or says at its end that it is it.

    "Odd Lervik. Kari Moe runs the bar", "Kari Moe was it until May. Now it is Odd Lervik".
    """
    shown = reference.text.strip(" .").lower()
    before, found, behind = answer.lower.rpartition(shown)
    if found and BEFORE_LAST_THING.search(before) and not any(map(str.isalnum, behind)):
        return True
    first = answer.find_clause(0)
    stems = {answer.stems[i] for i in answer.telling if i in first}
    is_all = first.stop == len(answer.words)
    tells_more = stems - reference.places.keys() - question.places.keys()
    return not is_all and not tells_more and not stems.isdisjoint(reference.content)


def may_tell_doer(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether a short answer has a short reference, is sure and gives no second name."""
    is_thing = 0 < len(reference.words) <= LONGEST_REFERENCE and not is_sentence(reference)
    if not is_thing or not 2 < len(answer.words) <= LONGEST_ANSWER:
        return False
    if question.denials or answer.hedges or "?" in answer.text:
        return False
    if not UNCLEAR.isdisjoint(answer.words) or not ORDER.isdisjoint(question.words):
        return False
    wanted = list_wanted(reference, question)
    # Of "the cart service" one word may be the question's: the stock service.
    named = wanted if reference.names else set(reference.content)
    if named.isdisjoint(answer.places) or all(stem.isdigit() for stem in wanted):
        return False
    alias = ALIAS.search(answer.lower)
    return not alias or find_root(alias[0]) in read_asked_verbs(question)


def is_about(answer: Text, words: range, stems: Set[str]) -> bool:
    """Return whether some words have one of some stems, and not as an owner: Ilse's friend."""
    named = [i for i in words if not answer.words[i].endswith("'s")]
    return any(answer.stems[i] in stems for i in named)


def has_form(answer: Text, words: range, stems: Set[str]) -> bool:
    """Return whether some words have a word that begins like one of some stems: Norian, Noria."""
    new = answer.stems[words.start : words.stop]
    return any(has_same_beginning(one, other) for one in new for other in stems)


def is_exchange(answer: Text, act: Act, wanted: Set[str], question: Text) -> bool:
    """Return whether an act is done to what the reference names, or by it where that is the object.

    The doer is a thing of the question, or the answer says nothing else.
    """
    if asks_for_object(question):
        is_done_to_asked = any(answer.stems[i] in question.content for i in act.other)
        return is_about(answer, act.doer, wanted) and is_done_to_asked
    if answer.words[act.verb] in HOLDING or not is_about(answer, act.other, wanted):
        return False
    if is_joined(answer, act, wanted):
        return False
    behind = answer.words[act.verb + 1 : act.verb + 2]
    if not act.is_behind and not PREPOSITIONS.isdisjoint(behind):
        return False
    is_known = all(answer.stems[i] in question.places for i in act.doer)
    return is_known or answer.clause[-1] == 0


def tells_what_is_asked(answer: Text, act: Act, question: Text) -> bool:
    """Return whether an act is done to a thing of the question, or to "it", or is just "did"."""
    if answer.words[act.verb] in DO:
        return True
    for i in act.other:
        is_asked = answer.words[i] not in STOP_WORDS and answer.stems[i] in question.places
        if is_asked or answer.words[i] in OBJECT_PRONOUNS:
            return True
    return False


def find_end_of_doer(answer: Text, act: Act) -> int:
    """Return the place behind what may still belong to a doer: by X, the mayor; X sang with Y."""
    stop = answer.find_sentence(act.verb).stop
    if act.is_behind:
        return next((i for i in range(act.doer.stop, stop) if answer.words[i] in TURNS), stop)
    return stop if "with" in answer.words[act.verb + 1 : stop] else act.doer.stop


def list_acts(answer: Text, question: Text) -> Iterator[Act]:
    """Yield what an answer says of who does, or is, what a question asks for."""
    roots = read_asked_verbs(question)
    for i, word in enumerate(answer.words if roots else ()):
        is_asked = find_root(word) in roots and is_used_as_verb(answer, i)
        if is_asked or (word in DO and answer.find_clause(i).stop == i + 1):
            act = read_act(answer, i)
            if act and act.doer:
                yield act
    noun = read_asked_noun(question)
    if noun:
        yield from (act for act in list_holders(answer, noun) if act.doer)


@lru_cache(maxsize=RECENT_TEXTS)
def asks_for_object(question: Text) -> bool:
    """Return whether a question asks for the object of its verb: whom did the dog bite?"""
    start = find_question_word(question)
    words = question.words[start : start + KIND_REACH] if start is not None else []
    return words[:1] != ["who"] and not DO.isdisjoint(words)


def find_question_word(question: Text) -> int | None:
    """Return the place of "who" or the like, None for none or one behind a preposition."""
    words = [word.partition("'")[0] for word in question.words]
    start = next((i for i, word in enumerate(words) if word in QUESTION_WORDS), None)
    return None if start and words[start - 1] in PREPOSITIONS else start


@lru_cache(maxsize=RECENT_TEXTS)
def read_asked_verbs(question: Text) -> frozenset[str]:
    """Return the root of the verb of which a question asks for the subject, none if it is unclear.

    Where it asks for the object, any of its telling words may be the verb.

    >>> sorted(read_asked_verbs(Text("Which company has acquired Nortek?")))
    ['acquir']
    """
    start = find_question_word(question)
    if start is None:
        return frozenset()
    if asks_for_object(question):
        return frozenset(find_root(question.words[i]) for i in question.telling if i > start)
    verb = find_verb_behind(question, start)
    words = question.words
    while verb is not None and verb < len(words) and words[verb] in AUXILIARIES | BE:
        is_be = words[verb] in BE
        verb += 1
        if is_be and not "".join(words[verb : verb + 1]).endswith("ing"):
            return frozenset()  # who is the treasurer?
    if verb is None or verb >= len(words) or words[verb] in STOP_WORDS:
        return frozenset()
    return frozenset([find_root(words[verb])])


def find_verb_behind(question: Text, start: int) -> int | None:
    """Return the place of the first verb behind "who" or "which company", None for none."""
    words = question.words
    if words[start] in ("who", "who's"):
        return start + 1 if start + 1 < len(words) else None
    for i in range(start + 1, min(start + 1 + KIND_REACH, len(words) - 1)):
        if is_verb(words[i]) or words[i] in BE | AUXILIARIES | DO:
            return i
        begins_object = words[i + 1] in DETERMINERS or question.shown[i + 1][0].isupper()
        is_plain = question.shown[i].islower() and words[i] not in STOP_WORDS
        has_kind = words[start] == "what" or i > start + 1
        if begins_object and is_plain and has_kind:
            return i  # which component calls the service
    return None


@lru_cache(maxsize=RECENT_TEXTS)
def read_asked_noun(question: Text) -> Sequence[str]:
    """Return the words of the noun that a question asks who that is: treasurer."""
    asked = ASKED_NOUN.search(question.lower)
    if not asked:
        return ()
    noun = question.words_between(*asked.span("noun"))
    return [question.words[i] for i in noun if question.words[i] not in STOP_WORDS]


def is_used_as_verb(answer: Text, i: int) -> bool:
    """Return whether a word is a verb and no noun: Theo composed it; but not: the composer."""
    word, before = answer.words[i], answer.words[i - 1] if i else ""
    is_noun = before in DETERMINERS or before.endswith("'s") or word.endswith(("er", "or", "ion"))
    is_name = answer.shown[i][0].isupper()
    is_progressive = word.endswith("ing") and before in BE  # is suing
    is_form = is_verb(word) or word in IRREGULAR_FORMS or word.endswith("s") or is_progressive
    return is_form and not is_noun and not is_name


def read_act(answer: Text, verb: int) -> Act | None:
    """Return the doer of a verb and the other thing, None if the clause is denied.

    In a passive the doer stands behind "by", else before the verb in its clause.
    """
    start = find_start_of_clause(answer, verb)
    before, behind = range(start, verb), range(verb + 1, find_end_of_clause(answer, verb))
    if is_denied(answer, before):
        return None
    if is_passive(answer, verb):
        by = next((i for i in answer.find_sentence(verb) if i > verb and answer.words[i] in BY), 0)
        doer = read_thing(answer, by + 1) if by else range(0)
        return Act(verb, doer, before, is_behind=True)
    stop = verb
    while stop > start and is_beside_verb(answer.words[stop - 1]):
        stop -= 1
    doer = trim_thing(answer, range(start, stop))
    return Act(verb, doer, behind, is_behind=False)


def find_start_of_clause(answer: Text, verb: int) -> int:
    """Return the first word of a verb's clause, which may begin behind "and" or "after"."""
    first = answer.find_clause(verb).start
    for start in range(verb, first, -1):
        word = answer.words[start - 1]
        has_verb = any(is_verb(earlier) for earlier in answer.words[first : start - 1])
        if word in CONJUNCTIONS or (word == "and" and has_verb):
            return start
    return first


def find_end_of_clause(answer: Text, verb: int) -> int:
    """Return the place behind the last word of a verb's clause, which may end before "and"."""
    last = answer.find_clause(verb).stop
    for i in range(verb + 1, last):
        word = answer.words[i]
        has_verb = any(is_verb(later) for later in answer.words[i + 1 : last])
        if word in CONJUNCTIONS or (word == "and" and has_verb):
            return i
    return last


def is_denied(answer: Text, words: range) -> bool:
    """Return whether some words have a denial."""
    return any(i in words for i in answer.denials)


def is_beside_verb(word: str) -> bool:
    """Return whether a word may stand between a doer and its verb: has only, really."""
    return word in AUXILIARIES | DO | ADVERBS | BE or word.endswith("ly")


def read_thing(answer: Text, start: int) -> range:
    """Return the words of the thing that begins at a word, up to the end of its clause."""
    if start >= len(answer.words) or answer.read_between(start - 1, start).strip():
        return range(0)  # won by: Gold: Lee
    clause = answer.find_clause(start)
    rest = range(start, clause.stop)
    words = list(takewhile(lambda i: continues_thing(answer, i, start), rest))
    return trim_thing(answer, range(start, start + len(words)))


def continues_thing(answer: Text, i: int, start: int) -> bool:
    """Return whether a thing that begins at `start` may go on at a word."""
    word = answer.words[i]
    return i == start or not (word in CONJUNCTIONS | PREPOSITIONS | BE or word == "and")


def trim_thing(answer: Text, words: range) -> range:
    """Return words without an article; none if they are no thing of a few words."""
    start = words.start
    while start < words.stop and answer.words[start] in LEADING_WORDS:
        start += 1
    thing = range(start, words.stop)
    inside = answer.words[start : words.stop]
    is_thing = 0 < len(thing) <= LONGEST_DOER and (NOBODY | PRONOUNS | BE).isdisjoint(inside)
    has_verb = any(is_verb(word) for word in inside) or "and" in inside
    return thing if is_thing and not has_verb else range(0)


def list_holders(answer: Text, noun: Sequence[str]) -> Iterator[Act]:
    """Yield what an answer says of who "is" a noun: the treasurer is Odd Lervik."""
    for i, word in enumerate(answer.words):
        if word not in HOLDING:
            continue
        before = range(find_start_of_clause(answer, i), i)
        behind = range(i + 1, find_end_of_clause(answer, i))
        if is_denied(answer, range(before.start, behind.stop)):
            continue
        if has_all(answer, before, noun):
            yield Act(i, read_thing(answer, i + 1), before, is_behind=True)
        elif has_all(answer, behind, noun):
            yield Act(i, trim_thing(answer, before), behind, is_behind=False)


def has_all(answer: Text, words: range, wanted: Sequence[str]) -> bool:
    """Return whether some words of an answer have all of some words."""
    return set(wanted) <= set(answer.words[words.start : words.stop])


def is_like_reference(answer: Text, thing: range, reference: Text, wanted: Set[str]) -> bool:
    """Return whether a thing is a name beside a name, or a common noun beside a common noun.

    A form of the reference is not like it, but the same: the Germans, Germany.

    Args:
        answer: the answer.
        thing: the words of a thing in it.
        reference: the reference.
        wanted: the stems of the reference that the question does not have.
    """
    if not thing or has_form(answer, thing, wanted):
        return False
    is_name = all(answer.shown[i][0].isupper() for i in thing)
    if reference.names:
        return is_name and answer.words[max(0, thing.start - 1)] not in ("a", "an")  # an Italian
    begins_sentence = thing.start == answer.find_sentence(thing.start).start
    return begins_sentence or not is_name


def names_doer(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer says plainly that the reference does what is asked."""
    wanted = list_wanted(reference, question)
    for act in list_acts(answer, question):
        if is_about(answer, act.doer, wanted) and tells_what_is_asked(answer, act, question):
            return True
    return False
