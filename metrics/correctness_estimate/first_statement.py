"""Read what the first sentence of an answer states, where the reference stands only behind it.

"Six months. The three paragraphs on page two ..." states six months, and "Argentina won it. They
beat Germany" states Argentina. A first sentence that only introduces states nothing. Where the
reference stands first, a denial behind it may be about something else.
"""

import re
from collections.abc import Iterator, Set

from .asked_roles import ALIAS, names_doer
from .contraries import decide_contrary, decide_state
from .denials import list_denials
from .equality import can_replace, is_among, is_ordinal
from .lexicon import BE, DETERMINERS, PREPOSITIONS, PRONOUNS, STOP_WORDS
from .options import decide_offered_word
from .opposites import find_root, say_same
from .outcomes import DIFFERENT, LIKELY, UNLIKELY, UPHELD, Decision
from .relations import has_same_beginning, is_comparative
from .comparisons import decide_comparison
from .conclusions import AT_FIRST, TAKING_BACK
from .text import Text

LONGEST_REFERENCE = 6  # words
LONGEST_STATEMENT = 8  # words of a first sentence that states one thing
LONGEST_THING = 3  # words
# "Strictly speaking, "
ADVERBIAL = re.compile(r"^\w+ly speaking,? ")
# What others think, and a further question.
OTHERS = re.compile(
    r"\b(?:people|(?:some|many|most)(?! of)|often|commonly|used to|seems?|looks?)\b|\?"
)
# "1. Oslo": the first line of a list.
LIST_MARK = re.compile(r"\W*\d{1,2}[.)]\s")
ASKS_FOR_THING = re.compile(
    r"(?:[^?]{1,200}[.!] )?(?:[^,?.]{1,80}, )?\W*(?:\w+ ){0,3}?"
    r"(?:(?:who|whom|whose|what|which|where|when|how (?:many|much|long))\b"
    r"|(?:give|name|state|tell) (?:me )?the )"
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


LONGEST_STATE = 3  # words of a reference that names a state or a change


def decide_first_state(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the first sentence of an answer, for a reference that names a state or a change.

    "Rents rose. They had fallen the year before" says that they went up.
    """
    if len(set(answer.sentence)) < 2 or not 0 < len(reference.words) <= LONGEST_STATE:
        return None
    first = read_first_sentence(answer)
    if first is None:
        return None
    decision = decide_contrary(first, reference, question)
    decision = decision or decide_state(first, reference, question)
    return decision if decision and decision.outcome in (LIKELY, UNLIKELY) else None


def read_first_sentence(answer: Text) -> Text | None:
    """Return the first sentence of an answer, None if it is hedged or tells what others think."""
    n_words = answer.find_sentence(0).stop
    first = Text(ADVERBIAL.sub("", answer.span(0, n_words)))
    if answer.text.startswith("?", answer.find_end_of_word(n_words - 1)):
        return None
    is_sure = not first.hedges and not AT_FIRST.search(first.lower)
    return first if first.words and is_sure and not OTHERS.search(first.lower) else None


def decide_first_statement(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the first sentence of an answer states another thing than the reference.

    The other sentences must have the reference, or words say nothing about it. None if the first
    sentence has a word of the reference, or states no single thing.
    """
    if not has_reference(answer, reference) or not ASKS_FOR_THING.match(question.lower):
        return None
    first = read_first_statement(answer, reference)
    if first is None or names_doer(answer, reference, question):
        return None
    thing = find_stated_value(first, reference, question)
    if not thing and first.places.keys().isdisjoint(reference.content):
        thing = find_stated_thing(first, reference, question)
    return Decision(UNLIKELY, "replaced", thing, reference.text.strip()) if thing else None


# What takes back a first sentence: Anna. Scratch that, Julia.
CORRECTED = re.compile(rf"\W*(?:(?:oh|ah|er|hmm|no),? )?(?:{TAKING_BACK}|(?:or )?rather)\b")


def read_first_statement(answer: Text, reference: Text) -> Text | None:
    """Return the first of several sentences if it is short, denies nothing and is not corrected."""
    n_words = answer.find_sentence(0).stop
    if n_words == len(answer.words) or n_words > LONGEST_STATEMENT:
        return None
    if not ends_with_period(answer, n_words) or specifies(answer, n_words, reference):
        return None
    if CORRECTED.match(answer.lower, answer.find_end_of_word(n_words - 1)):
        return None
    if ALIAS.search(answer.lower):
        return None
    first = read_first_sentence(answer)
    return None if first is None or first.denials or first.untrue else first


def specifies(answer: Text, n_words: int, reference: Text) -> bool:
    """Return whether a second sentence is just the reference, as if in a list: A king. Louis."""
    if LIST_MARK.match(answer.text):
        return True
    if says_more_of_reference(answer, n_words, reference):
        return False  # Anna. Julia was out
    second = answer.sentence[n_words]
    places = [i for i in answer.telling if answer.sentence[i] == second]
    return all(answer.stems[i] in reference.places or answer.words[i] == "name" for i in places)


def says_more_of_reference(answer: Text, start: int, reference: Text) -> bool:
    """Return whether a sentence begins with the reference, and goes on with "is" or "was"."""
    stop = start
    while stop < len(answer.words) and answer.stems[stop] in reference.places:
        stop += 1
    is_longer = stop + 1 < len(answer.words) and answer.sentence[stop] == answer.sentence[start]
    return start < stop and is_longer and answer.words[stop] in BE


def describes(thing: str, reference: Text) -> bool:
    """Return whether a thing is a form of a reference: the Germans, Germany."""
    return any(
        has_same_beginning(one, other) for one in Text(thing).content for other in reference.content
    )


# What begins an aside behind a comma.
OPENS_ASIDE = re.compile(
    r"[ ,;(–—-]{1,3}(?:although|(?:even )?though|while|whereas|but|with|without|after|before|since"
    r"|because|despite|unlike|like|as|formerly|previously|once|which|who|whom|whose|where|when|and|an?|the|his|her|their|its"
    r"|ahead of|behind|in front of|just|only"
    # roughly 290 kilometers from
    r"|(?:about |around |roughly |some |nearly |almost )?\d[\d.,]* \w+"
    r" (?:ahead|behind|before|after|from)"
    r"|one of|then|followed by|by (?:the|an?) \w+ (?:of|to|for)"  # by the author of
    r"|\w{3,12}ed (?:on|in|at|near|from|after|for|with|to))\b"  # photographed in
)
# Behind a thing, these give it a lower place: diamond second, with Ida as the runner-up.
LOWER_PLACE = re.compile(
    r"\W{0,2}\s?(?:(?:came|comes|comes in|is|was|being|finished|ranks|ranked) )?(?:a close )?"
    r"(?:in |as )?(?:the )?(?:second|third|last|runner-?up|behind)\b"
)
RANKING_WORDS = frozenset(
    "first place top come comes came take takes took win wins won lead leads".split()
)
# Words with which an aside may give the answer: but it was Monet.
OPEN_STATEMENTS = frozenset("and but which who".split())
# Words before what answers: is Monet, by Monet.
ANSWERING = frozenset("is are was were by it's that's".split())
SMALL_WORDS = DETERMINERS | frozenset("it its that's it's was is were are".split())
ASKS_FOR_PLACE_OR_TIME = re.compile(r"\W*(?:where|when|since when|until when)\b")


def decide_first_thing(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the first clause of an answer states another thing than the reference.

    The reference stands only in an aside: "Max, although Cleo offered", "the tenant, after giving
    notice to the landlord".
    """
    if not has_reference(answer, reference) or not ASKS_FOR_THING.match(question.lower):
        return None
    if answer.denials or answer.hedges or ALIAS.search(answer.lower):
        return None
    first = read_first_clause(answer)
    wanted = set(reference.content) - question.places.keys()
    if first is None or not wanted or not wanted.isdisjoint(first.places):
        return None
    if names_doer(answer, reference, question) or not is_in_aside(
        answer, len(first.words), reference, question
    ):
        return None
    is_amount = bool(reference.quantities) and not is_ordinal(reference.quantities[0])
    find_thing = find_stated_value if is_amount else find_stated_thing
    thing = find_thing(first, reference, question)
    if not thing or not may_answer(first, thing, question):
        return None
    return Decision(UNLIKELY, "replaced", thing, reference.text.strip())


def has_reference(answer: Text, reference: Text) -> bool:
    """Return whether an answer has each telling word of a short reference."""
    is_short = 0 < len(reference.words) <= LONGEST_REFERENCE
    return is_short and bool(reference.content) and answer.has_all_content(reference)


def read_first_clause(answer: Text) -> Text | None:
    """Return the first clause of an answer, None if it is long, or the only one, or no statement.

    "According to the label" and "in spring" are none.
    """
    n_words = answer.clause.count(0)
    if not 0 < n_words <= LONGEST_STATEMENT or n_words == len(answer.words):
        return None
    if answer.words[0] in PREPOSITIONS or answer.words[0] == "according":
        return None
    first = Text(answer.span(0, n_words))
    ends_in_quote = first.text.count('"') % 2 == 1  # "Help
    return None if ends_in_quote or OTHERS.search(first.lower) else first


def is_in_aside(answer: Text, n_words: int, reference: Text, question: Text) -> bool:
    """Return whether the reference stands only in an aside behind the first clause of an answer.

    The aside puts the reference in a lower place, or it begins with a word such as "although" and
    does not answer the question.
    """
    wanted = set(reference.content) - question.places.keys()
    behind = range(n_words, len(answer.words))
    start = next((i for i in behind if answer.stems[i] in wanted), None)
    if start is None:
        return False
    if LOWER_PLACE.match(answer.lower, answer.find_end_of_word(start)):
        return True
    if not OPENS_ASIDE.match(answer.lower, answer.find_end_of_word(n_words - 1)):
        return False
    return not answers_question(answer, range(n_words, start), wanted, question)


def answers_question(answer: Text, before: range, wanted: Set[str], question: Text) -> bool:
    """Return whether an aside gives the reference as the answer.

    It does if nothing but small words stands before the reference, if the reference is what
    something "is" or is done "by", or if most of its clause are words of the question. "A friend of
    Monet" only tells who somebody is.

    Args:
        answer: the answer.
        before: the words of the aside before the reference.
        wanted: the stems of the reference.
        question: the question.
    """
    words = answer.words[before.start : before.stop]
    if SMALL_WORDS.issuperset(words):
        return True
    gives_answer = not ANSWERING.isdisjoint(words)
    if words[0] in DETERMINERS or (words[0] in OPEN_STATEMENTS and gives_answer):
        return gives_answer
    clause = answer.find_clause(before.stop)
    others = [i for i in answer.telling if i in clause and answer.stems[i] not in wanted]
    roots = set(map(find_root, question.words))
    n_asked = sum(find_root(answer.words[i]) in roots for i in others)
    return 2 * n_asked > len(others)


def may_answer(first: Text, thing: str, question: Text) -> bool:
    """Return whether a thing of a clause may be what a question asks for.

    Behind a preposition it may be so only if the question has that preposition, or asks for a place
    or a time.
    """
    place = first.words_between(first.text.find(thing), len(first.text)).start
    before = [word for word in first.words[max(0, place - 2) : place] if word not in DETERMINERS]
    if not before or before[-1] not in PREPOSITIONS:
        return True
    has_verb = any(word not in PREPOSITIONS | SMALL_WORDS for word in first.words[:place])
    is_asked = before[-1] in question.words or ASKS_FOR_PLACE_OR_TIME.match(question.lower)
    return has_verb and bool(is_asked)


def ends_with_period(answer: Text, n_words: int) -> bool:
    """Return whether the first sentence ends with a period or semicolon.

    The period of an abbreviation does not count: Sr. on.
    """
    end = answer.find_end_of_word(n_words - 1)
    if answer.text.startswith(";", end):
        return True
    return answer.text.startswith(".", end) and not answer.shown[n_words][0].islower()


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


def find_stated_thing(first: Text, reference: Text, question: Text) -> str:
    """Return the only thing of a sentence that else only repeats the question, or "".

    "Argentina won it" begins with Argentina where the question is who won, and "He lives in Bergen"
    ends with Bergen where it is where he lives.
    """
    new = list(list_unasked(first, question))
    if not new or new[-1] - new[0] + 1 != len(new) or len(new) > LONGEST_THING:
        return ""
    thing = first.span(new[0], new[-1] + 1)
    if reference.names and describes(thing, reference):
        return ""
    begins = all(first.words[i] in ("the", "a", "an") for i in range(new[0]))
    repeats = any(i > new[-1] for i in first.telling)
    if begins and repeats:
        return thing
    if reference.names:
        is_kind = first.words[new[0] - 1] in ("a", "an") and new[0] > 0  # an Englishwoman
        is_name = all(first.shown[i][0].isupper() for i in new)
        return thing if is_name and not is_kind else ""
    ends = new[-1] == len(first.words) - 1 and "or" not in question.first_place
    return thing if ends and first.find_quantity(new[0]) is None else ""


def list_unasked(text: Text, question: Text) -> Iterator[int]:
    """Yield the telling words of a text that the question has in no form, and no like word."""
    roots = set(map(find_root, question.words))
    for i in text.telling:
        word = text.words[i]
        is_short_form = word.partition("'")[0] in STOP_WORDS  # that's
        if is_short_form or word in RANKING_WORDS or find_root(word) in roots:
            continue
        if not any(say_same(word, asked) for asked in question.words):
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
    clause = answer.find_clause(denial)
    first = max(start, clause.start)
    clause = range(first, clause.stop)
    telling = [i for i in clause if answer.words[i] not in STOP_WORDS and i != denial]
    if not telling or answer.words[first] in ("but", "or", "no", "not"):
        return False
    if any(VERDICT.match(answer.words[i]) for i in clause):
        return False
    roots = set(map(find_root, question.words))
    return not any(
        answer.stems[i] in reference.content or find_root(answer.words[i]) in roots for i in telling
    )
