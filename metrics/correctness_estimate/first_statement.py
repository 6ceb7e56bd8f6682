"""Read what the first sentence of an answer states, where the reference stands only behind it.

"Six months. The three paragraphs on page two ..." states six months, and "Argentina won it. They
beat Germany" states Argentina. A first sentence that only introduces states nothing. Where the
reference stands first, a denial behind it may be about something else.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from .denials import list_denials
from .equality import can_replace, is_among
from .lexicon import PRONOUNS, STOP_WORDS
from .options import decide_offered_word
from .opposites import find_root
from .outcomes import DIFFERENT, UNLIKELY, UPHELD, Decision
from .relations import has_same_beginning, is_comparative
from .comparisons import decide_comparison
from .conclusions import AT_FIRST
from .text import Text

LONGEST_REFERENCE = 6  # words
LONGEST_STATEMENT = 8  # words of a first sentence that states one thing
LONGEST_THING = 3  # words
# "Strictly speaking, "
ADVERBIAL = re.compile(r"^\w+ly speaking,? ")
# What others think, and a further question.
OTHERS = re.compile(r"\b(?:people|some|many|most|often|commonly|used to|seems?|looks?)\b|\?")
# "1. Oslo": the first line of a list.
LIST_MARK = re.compile(r"\W*\d{1,2}[.)]\s")
ASKS_FOR_THING = re.compile(
    r"\W*(?:\w+ ){0,3}?(?:who|whom|whose|what|which|where|when|how (?:many|much|long))\b"
)


def decide_first_sentence(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer first takes the other of two things that a question offers.

    "The Danube is longer. The Nile is shorter than people think" does so. None if the first
    sentence is hedged, or tells what others think.
    """
    if "or" not in question.first_place or len(set(answer.sentence)) < 2:
        return None
    first = read_first_sentence(answer)
    if first is None:
        return None
    deciders = [decide_offered_word]
    if any(map(is_comparative, first.words)):
        deciders.append(decide_comparison)
    for decider in deciders:
        decision = decider(first, reference, question)
        if decision and decision.outcome == DIFFERENT:
            return decision._replace(outcome=UNLIKELY)
    return None


def read_first_sentence(answer: Text) -> Text | None:
    """Return the first sentence of an answer, None if it is hedged or tells what others think."""
    n_words = answer.sentence.count(answer.sentence[0])
    first = Text(ADVERBIAL.sub("", answer.span(0, n_words)))
    is_sure = not first.hedges and not AT_FIRST.search(first.lower)
    return first if first.words and is_sure and not OTHERS.search(first.lower) else None


def decide_first_statement(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the first sentence of an answer states another thing than the reference.

    The other sentences must have the reference, or words say nothing about it. None if the first
    sentence has a word of the reference, or states no single thing.
    """
    if len(set(answer.sentence)) < 2 or not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return None
    n_words = answer.sentence.count(answer.sentence[0])
    if n_words > LONGEST_STATEMENT or specifies(answer, n_words, reference):
        return None
    if not ends_with_period(answer, n_words) or not ASKS_FOR_THING.match(question.lower):
        return None
    first = read_first_sentence(answer)
    if first is None or first.denials or first.untrue or not answer.has_all_content(reference):
        return None
    thing = find_stated_value(first, reference, question)
    if not thing and first.places.keys().isdisjoint(reference.content):
        thing = find_stated_thing(first, question)
        if reference.names and describes(thing, reference):
            thing = ""
    return Decision(UNLIKELY, "replaced", thing, reference.text.strip()) if thing else None


def specifies(answer: Text, n_words: int, reference: Text) -> bool:
    """Return whether a second sentence is just the reference, as if in a list: A king. Louis."""
    if LIST_MARK.match(answer.text):
        return True
    second = answer.sentence[n_words]
    places = [i for i in answer.telling if answer.sentence[i] == second]
    return all(answer.stems[i] in reference.places or answer.words[i] == "name" for i in places)


def describes(thing: str, reference: Text) -> bool:
    """Return whether a thing is a form of a reference: the Germans, Germany."""
    return any(
        has_same_beginning(one, other) for one in Text(thing).content for other in reference.content
    )


# Behind a first thing, these begin what else is to be said: Max, although Cleo offered.
CONCEDING = re.compile(r",? (?:although|(?:even )?though|while|whereas|but|with) (?:the |an? )?")
# A "with" concedes only another place: Aldrin, with Armstrong second.
BEHIND = re.compile(r"\b(?:second|third|behind|runner-up)\b")
# The first name and the reference may be names of one person.
ALIAS = re.compile(r"\b(?:known|called|(?:pen|stage|real) name|born|alias|name (?:is|was))\b")


def decide_first_thing(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer is another name, with the reference only in what it concedes.

    "Max, although Cleo offered" gives Max.
    """
    if not reference.names or not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return None
    start, stop = find_first_name(answer)
    known = question.places.keys() | reference.places.keys()
    if start == stop or stop >= len(answer.words) or not known.isdisjoint(answer.stems[start:stop]):
        return None
    conceding = CONCEDING.match(answer.lower, answer.find_end_of_word(stop - 1))
    if not conceding or not answer.has_all_content(reference) or ALIAS.search(answer.lower):
        return None
    if "with" in conceding[0] and not BEHIND.search(answer.lower):
        return None  # Universal, with Spielberg directing
    behind = answer.words_between(conceding.end(), len(answer.text)).start
    if answer.stems[behind] not in reference.content:
        return None
    return Decision(UNLIKELY, "replaced", answer.span(start, stop), reference.text.strip())


def find_first_name(answer: Text) -> tuple[int, int]:
    """Return the range of the name with which an answer begins (it was Max), or an empty one."""
    start = 0
    while start < len(answer.words) and answer.words[start] in ("the", "it", "was", "is"):
        start += 1
    stop = start
    while stop < len(answer.words) and answer.shown[stop][0].isupper():
        stop += 1
        if answer.clause[stop - 1 : stop] != answer.clause[stop : stop + 1]:
            break
    return start, stop


def ends_with_period(answer: Text, n_words: int) -> bool:
    """Return whether the first sentence ends with a period, and none of an abbreviation: Sr. on."""
    is_closed = answer.text.startswith(".", answer.find_end_of_word(n_words - 1))
    return is_closed and not answer.shown[n_words][0].islower()


def find_stated_value(first: Text, reference: Text, question: Text) -> str:
    """Return the only value of a sentence that says nothing else, if it could be the reference."""
    if len(first.quantities) != 1 or len(reference.quantities) != 1:
        return ""
    found, expected = first.quantities[0], reference.quantities[0]
    if is_among(found, (*question.quantities, expected)) or not can_replace(found, expected):
        return ""
    inside = first.words_between(found.start, found.end)
    others = [i for i in list_unasked(first, question) if i not in inside]
    return "" if others else found.text


def find_stated_thing(first: Text, question: Text) -> str:
    """Return the thing with which a sentence begins that else only repeats the question, or "".

    "Argentina won it" begins with Argentina where the question is who won.
    """
    new = list(list_unasked(first, question))
    if not new or new[-1] - new[0] + 1 != len(new) or len(new) > LONGEST_THING:
        return ""
    behind = range(new[-1] + 1, len(first.words))
    repeats = any(first.words[i] not in STOP_WORDS for i in behind)
    begins = all(first.words[i] in ("the", "a", "an") for i in range(new[0]))
    return first.span(new[0], new[-1] + 1) if begins and repeats else ""


def list_unasked(text: Text, question: Text) -> Iterator[int]:
    """Yield the telling words of a text that the question has in no form."""
    roots = set(map(find_root, question.words))
    for i in text.telling:
        if find_root(text.words[i]) not in roots:
            yield i


# ---- a denial behind the answer that is about something else

LONGEST_WITH_ASIDE = 25  # words of an answer
# Words with which an aside begins that tells more of what was said: a mould that isn't harmful.
ASIDE_STARTS = frozenset("that which who though although even because since".split())
# A denial of these takes the answer back: though I'm not sure.
VERDICT = re.compile(
    r"right|true|correct|sure|certain|kn[eo]w|think|thought|believ|doubt|fact$|case$|so$|evidence"
    r"|proof|prove|longer|exist|real|answer|wrong|false|actual|more$|anymore|exact|mean|agree"
    r"|confirm|said|says?$|claim|one$|i$|i'm$|possib|myth|legend|rumou?r|idea$|better$|find$|there$"
)


def decide_denied_aside(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UPHELD if an answer gives the reference first, and then denies something else of it.

    "The trombone; he never goes anywhere without it" does so. None if the denied words are those
    of the question or the reference, or doubt the answer.
    """
    has_length = 1 < len(answer.words) <= LONGEST_WITH_ASIDE
    if not has_length or not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return None
    if reference.denials or question.denials or answer.untrue or "?" in answer.text:
        return None
    denials = list_denials(answer)
    start = find_aside(answer, reference, question) if denials else 0
    if not start or denials[0] < start or any(i < start for i in answer.hedges):
        return None
    if all(denies_something_else(answer, i, start, reference, question) for i in denials):
        return Decision(UPHELD, "denied", answer.text.strip(), reference.text.strip())
    return None


def find_aside(answer: Text, reference: Text, question: Text) -> int:
    """Return the first word of the aside behind a reference that an answer gives first, else 0."""
    missing = set(reference.content)
    if not missing:
        return 0
    for i, word in enumerate(answer.words):
        is_new_clause = i > 0 and answer.clause[i] != answer.clause[i - 1]
        if not missing and (is_new_clause or word in ASIDE_STARTS):
            is_own = word in ASIDE_STARTS or word.partition("'")[0] in PRONOUNS
            return i if is_own or PRONOUNS.intersection(answer.words[i:]) else 0
        is_known = answer.stems[i] in question.places or answer.stems[i] in reference.places
        if word not in STOP_WORDS and not is_known:
            return 0
        missing.discard(answer.stems[i])
    return 0


def denies_something_else(
    answer: Text, denial: int, start: int, reference: Text, question: Text
) -> bool:
    """Return whether a denial in an aside denies neither the reference nor what was asked."""
    first = max(start, bisect_left(answer.clause, answer.clause[denial]))
    clause = range(first, bisect_right(answer.clause, answer.clause[denial]))
    telling = [i for i in clause if answer.words[i] not in STOP_WORDS and i != denial]
    if not telling or answer.words[first] in ("but", "or", "no", "not"):
        return False
    if any(VERDICT.match(answer.words[i]) for i in clause):
        return False
    roots = set(map(find_root, question.words))
    return not any(
        answer.stems[i] in reference.content or find_root(answer.words[i]) in roots for i in telling
    )
