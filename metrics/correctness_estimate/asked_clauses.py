"""Find the part of an answer that says what the question asks, where the reference is in another.

The deciders compare clauses, opposites, the two things that a question offers, and two values.
"A move to Postgres is planned, but production runs on MySQL" answers with MySQL what production
runs on. The clause has more words of the question, and it gives something new. A word such as "but"
or "today" sets it against the clause of the reference.
"""

import re
from collections.abc import Set

from .lexicon import STOP_WORDS, TITLES
from .opposites import are_opposite_words, find_root, has_opposite
from .equality import agree, can_replace, is_among
from .first_and_last import PLACED_LAST
from .offered_things import read_offer
from .outcomes import UNLIKELY, Decision
from .quantities import Quantity
from .text import Text, cut_words, stem_word
from .values import is_value

LONGEST_REFERENCE = 10  # words
LONGEST_ANSWER = 50  # words
LONGEST_WITH_VALUES = 25  # words of an answer of which two values or things are compared
FEWEST_MORE_ASKED = 2  # words of the question that one part has more than another
# Words that begin a clause which stands against the one before it.
CONTRASTING = frozenset("but yet although though while whereas so".split())
SUBORDINATING = frozenset("although though while whereas".split())
# Words that set a later clause or sentence against an earlier one.
TURNS = re.compile(
    r"^\W*(?:but|yet|whereas|so|instead)\b|\b(?:however|in the end|ultimately|actually|in fact"
    r"|in reality|in truth|(?:real|true|actual) (?:cause|culprit|reason|problem|name|answer))\b"
)
# What was only meant or suspected: she had her eye on it, a move is planned.
INTENDED = re.compile(
    r"\b(?:consider(?:s|ed|ing)?(?! it| him| her| them)|want(?:s|ed)?|hop(?:e|es|ed)"
    r"|plan(?:s|ned)?|meant|intend(?:s|ed)?|going to|eye on|(?:would|'d|could|should|might) have"
    r"|lov(?:e|ed) to|suspect(?:s|ed)?"
    r"|argu(?:e|es|ed)|propos(?:al|e|es|ed)|recommend(?:s|ed)?|suggest(?:s|ed)?|tempted|thought"
    r"|almost|nearly|applied|expect(?:s|ed)?|blamed|first tried|tried|would (?:work|do|be)"
    r"|discussed|cancell?ed|postponed|refused|legend|admit(?:s|ted)?|conced(?:es|ed)"
    r"|acknowledg(?:es|ed)|favou?r(?:s|ed)?|used to)\b"
)
# What came to nothing: a proposal was rejected.
DROPPED = re.compile(
    r"\b(?:proposal|plan|idea|request|motion|offer|bid)\b.{0,120}?\b(?:rejected|dropped|abandoned"
    r"|shelved|cancelled|canceled|scrapped|refused|turned down|voted down|withdrawn)\b"
)
ASKS_FOR_DROPPED = re.compile(
    r"\b(?:reject|drop|abandon|shelv|cancel|scrap|refus|turned? down|vot(?:e|ed) down|withdr)\w*"
)
# More than the one before: Ida is younger still, Oslo is even older.
STILL_MORE = re.compile(r"\b\w{3,}er still\b|\b(?:even|still) \w{3,}er\b")
FORMER = re.compile(
    r"\b(?:former|formerly|previous|previously|at first|initially|early)\b|\bthe old\b"
)
LATER = re.compile(r"\b(?:today|now|nowadays|current|currently|final|new|in the end|since then)\b")
# What others think is no answer.
OPINION = re.compile(
    r"\b(?:people|many|some|others|often|commonly|think|thinks|thought|believe[sd]?|assume[sd]?"
    r"|suspected|claim|claims|claimed|guess|guessed|said|says|myth|mistake|confuse[sd]?)\b"
)


def decide_asked_clause(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if a clause without the reference says what is asked, else None."""
    wanted = set(reference.content) - question.places.keys() - TITLES
    if not may_be_answered_elsewhere(answer, reference) or not wanted <= answer.places.keys():
        return None
    roots = read_asked_roots(question)
    parts = cut_parts(answer)
    own_parts = [part for part in parts if has_any_stem(answer, part, wanted)]
    if len(own_parts) != 1:
        return None
    own = own_parts[0]
    if is_direct_answer(answer, own, wanted, roots) or asks_for_other_part(question):
        return None
    for part in parts:
        if part == own or not gives_other_thing(answer, part, reference, roots):
            continue
        if is_set_against(answer, own, part, roots):
            shown = answer.span(part.start, part.stop)
            return Decision(UNLIKELY, "replaced", shown, reference.text.strip())
    return None


def asks_for_other_part(question: Text) -> bool:
    """Return whether a question asks for what was before, or what came to nothing."""
    patterns = (FORMER, ASKS_FOR_DROPPED, INTENDED)
    return any(pattern.search(question.lower) for pattern in patterns)


MEASURING = frozenset("much many long often old far".split())  # how much


def read_asked_roots(question: Text) -> set[str]:
    """Return the roots of the words of a question that tell what is asked."""
    words = [question.words[i] for i in question.telling]
    return {find_root(word) for word in words if word not in MEASURING}


def may_be_answered_elsewhere(answer: Text, reference: Text) -> bool:
    """Return whether an answer has several clauses, and a reference is short."""
    if not reference.content or len(reference.words) > LONGEST_REFERENCE:
        return False
    return len(answer.words) <= LONGEST_ANSWER and answer.clause[-1] > 0


def cut_parts(answer: Text) -> list[range]:
    """Return the parts of an answer: its sentences, cut before "but" and the like.

    A part that begins with "although" ends at its comma.
    """
    starts = list[int]()
    for i in range(1, len(answer.words)):
        is_new_clause = answer.clause[i] != answer.clause[i - 1]
        first_word = answer.words[starts[-1] if starts else 0]
        ends_concession = is_new_clause and first_word in SUBORDINATING
        if answer.is_new_sentence(i) or answer.words[i] in CONTRASTING or ends_concession:
            starts.append(i)
    return cut_words(range(len(answer.words)), starts)


def has_any_stem(answer: Text, part: range, stems: set[str]) -> bool:
    """Return whether a part of an answer has one of some stems."""
    return not stems.isdisjoint(answer.stems[part.start : part.stop])


def count_asked(answer: Text, part: range, roots: set[str]) -> int:
    """Return how many words of the question a part of an answer has, in any form."""
    return len(roots.intersection(map(find_root, answer.words[part.start : part.stop])))


def is_direct_answer(answer: Text, own: range, wanted: set[str], roots: set[str]) -> bool:
    """Return whether a part says nothing but the reference and words of the question."""
    for i in own:
        word = answer.words[i]
        if word in STOP_WORDS or word in CONTRASTING or answer.stems[i] in wanted:
            continue
        if find_root(word) not in roots:
            return False
    return True


def gives_other_thing(answer: Text, part: range, reference: Text, roots: set[str]) -> bool:
    """Return whether a part affirms something new; beside a name, a name."""
    if any(i in part for i in (*answer.denials, *answer.hedges)):
        return False
    if OPINION.search(answer.span(part.start, part.stop).lower()):
        return False
    for i in part:
        if answer.words[i] in STOP_WORDS or answer.words[i] in CONTRASTING:
            continue
        is_new = find_root(answer.words[i]) not in roots and answer.stems[i] not in reference.places
        has_form = not begins_with_name(reference) or answer.shown[i][0].isupper()
        if is_new and has_form:
            return True
    return False


def begins_with_name(reference: Text) -> bool:
    """Return whether the first telling word of a reference is that of a name."""
    return bool(reference.names) and reference.names[0][0] <= reference.telling[0]


def is_set_against(answer: Text, own: range, part: range, roots: set[str]) -> bool:
    """Return whether a part gives the answer in place of the part that has the reference.

    It has more words of the question and a word of contrast. Or the part of the reference tells
    what was before, or what somebody only meant.
    """
    n_asked_own, n_asked = (count_asked(answer, words, roots) for words in (own, part))
    if answer.words[own.start] in SUBORDINATING:
        return tells_what_was_before(answer, own, part) or n_asked > max(1, n_asked_own)
    if part.start < own.start:
        return False
    first, second = (answer.span(words.start, words.stop).lower() for words in (own, part))
    if (FORMER.search(first) and LATER.search(second)) or DROPPED.search(first):
        return True
    if not TURNS.search(second):
        return False
    is_only_meant = INTENDED.search(first) is not None or STILL_MORE.search(second) is not None
    return is_only_meant or n_asked > n_asked_own


def tells_what_was_before(answer: Text, own: range, part: range) -> bool:
    """Return whether only a later part tells what had been: dull, although they had liked it."""
    has_had = ["had" in answer.words[words.start : words.stop] for words in (own, part)]
    return part.start < own.start and has_had == [True, False]


# ---- a part that says the opposite where the question is answered

LONGEST_STATE = 3  # words of a reference that has an opposite
ON_AND_OFF = {"on", "off"}


def decide_opposite_part(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the first part of an answer says the opposite of a short reference.

    "Keep it shut while the boiler heats, and open it afterwards": the first part has more words of
    the question than the part that has the reference.
    """
    if not names_state(reference) or len(answer.words) > LONGEST_ANSWER:
        return None
    if answer.denials or answer.places.keys().isdisjoint(reference.stems):
        return None
    first, *others = cut_at_and(answer)
    own = [part for part in others if has_any_stem(answer, part, set(reference.stems))]
    opposite = find_opposite_word(answer, first, reference)
    if not own or not opposite or has_any_stem(answer, first, set(reference.stems)):
        return None
    roots = read_asked_roots(question)
    n_own = max(count_asked(answer, part, roots) for part in own)
    if count_asked(answer, first, roots) <= n_own or FORMER.search(answer.lower):
        return None
    return Decision(UNLIKELY, "opposite", opposite, reference.text.strip())


def names_state(reference: Text) -> bool:
    """Return whether a short reference has a word with an opposite: open, reduce it, on."""
    if not 0 < len(reference.words) <= LONGEST_STATE:
        return False
    return any(has_opposite(word) or word in ON_AND_OFF for word in reference.words)


def find_opposite_word(answer: Text, part: range, reference: Text) -> str:
    """Return a word of a part that is the opposite of a word of the reference, or ""."""
    for i in part:
        for word in reference.words:
            if are_opposite_words(answer.words[i], word) or {answer.words[i], word} == ON_AND_OFF:
                return answer.shown[i]
    return ""


# ---- which of the two things that a question offers


# A question for what two things are to each other offers none of them.
COMPARES = frozenset("difference differ compare relationship relation link connection same".split())


def decide_asked_alternative(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the other thing that a question offers stands where it is answered.

    "Bile is made in the gallbladder and stored in the liver" answers with the gallbladder.
    """
    if len(answer.words) > LONGEST_WITH_VALUES or answer.denials:
        return None
    offer = read_offer(question, reference)
    if not offer or not COMPARES.isdisjoint(question.words):
        return None
    own, other = set(offer.right), set(offer.other)
    parts = cut_at_and(answer)
    own_parts = [part for part in parts if has_any_stem(answer, part, own)]
    other_parts = [part for part in parts if has_any_stem(answer, part, other)]
    if len(own_parts) != 1 or len(other_parts) != 1 or own_parts == other_parts:
        return None
    offered = {find_root(word) for word in question.words if stem_word(word) in own | other}
    roots = read_asked_roots(question) - offered
    n_own, n_other = (count_asked(answer, part[0], roots) for part in (own_parts, other_parts))
    known = own | other | question.places.keys()
    is_other_act = tells_other_act(answer, own_parts[0], other_parts[0], known)
    least = 1 if is_other_act else FEWEST_MORE_ASKED
    if n_own or n_other < least or OPINION.search(answer.lower):
        return None
    shown = answer.span(other_parts[0].start, other_parts[0].stop)
    if INTENDED.search(shown.lower()) or PLACED_LAST.search(shown.lower()):
        return None  # the castle came later, so it is the church
    return Decision(UNLIKELY, "replaced", shown, reference.text.strip())


def tells_other_act(answer: Text, own: range, other: range, known: Set[str]) -> bool:
    """Return whether only the part with the other thing tells the asked act.

    "It was negotiated in Vienna and signed in Paris" does so, where the question is where it was
    signed. "The sheep ate grass" tells more than the act that is asked.
    """
    if not any(answer.words[i].endswith("ed") for i in own):
        return False
    if not {"over", "than"}.isdisjoint(answer.words[other.start : other.stop]):
        return False
    return all(answer.stems[i] in known for i in answer.telling if i in other)


def cut_at_and(answer: Text) -> list[range]:
    """Return the clauses of an answer, also cut before "and"."""
    starts = [i for i in range(1, len(answer.words)) if begins_part(answer, i)]
    return cut_words(range(len(answer.words)), starts)


# ---- which of several values is the one asked for

# A calculation or a range.
CALCULATES = re.compile(
    r"[=+×*]|\bfrom\b[^.;]{1,40}\bto\b|\b(?:between|so|total|sum|therefore|thus|hence|minus|plus|times)\b"
)


def decide_asked_value(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if another value than the reference's stands where the question is answered.

    "The daughter gets two thirds, and one third goes to charity" gives the daughter two thirds.
    """
    if len(answer.words) > LONGEST_WITH_VALUES or not is_value(reference, question):
        return None
    if CALCULATES.search(answer.lower) or len(answer.quantities) != 2:
        return None
    expected = reference.quantities[0]
    same = [value for value in answer.quantities if agree(value, expected)]
    others = [value for value in answer.quantities if is_rival_value(value, expected, question)]
    if not same or not others:
        return None
    roots = read_asked_roots(question)
    own, part = find_part(answer, same[0]), find_part(answer, others[0])
    behind = answer.words_between(same[0].start, same[0].end).stop
    is_counted = "how many" in question.lower and is_asked_word(answer, behind, roots)
    is_direct = is_direct_answer(answer, own, set(reference.content), roots) and own.start == 0
    if part == own or has_own_name(answer, own, part, question):
        return None
    is_clear = not is_counted and not is_direct and is_more_asked(answer, part, own, roots)
    if not is_clear and not tells_just_what_is_asked(answer, part, own, roots):
        return None
    return Decision(UNLIKELY, "replaced", others[0].text, expected.text)


def tells_just_what_is_asked(answer: Text, part: range, own: range, roots: Set[str]) -> bool:
    """Return whether a part tells nothing but what is asked, and that of the reference does not.

    "Two players were booked, and three were sent off" answers with three how many were sent off.
    """
    asked = list_roots(answer, part)
    other = list_roots(answer, own)
    return asked <= roots and not asked <= other and not other <= roots


def list_roots(answer: Text, words: range) -> set[str]:
    """Return the roots of the telling words among some words that are no value, nor "ones"."""
    places = [i for i in answer.telling if i in words and answer.find_quantity(i) is None]
    return {find_root(answer.words[i]) for i in places if answer.words[i] != "ones"}


def is_more_asked(answer: Text, part: range, own: range, roots: set[str]) -> bool:
    """Return whether a part has clearly more words of the question than that of the reference.

    One more is enough if it has all that the other lacks.
    """
    n_asked, n_asked_own = (count_asked(answer, words, roots) for words in (part, own))
    has_rest = n_asked > n_asked_own and n_asked_own <= 1 and n_asked + n_asked_own == len(roots)
    return has_rest or n_asked - n_asked_own >= FEWEST_MORE_ASKED


def is_asked_word(answer: Text, i: int, roots: set[str]) -> bool:
    """Return whether a word of an answer, if there is one, is a word of the question."""
    return any(find_root(word) in roots for word in answer.words[i : i + 1])


def has_own_name(answer: Text, own: range, part: range, question: Text) -> bool:
    """Return whether only the part of the reference has a name of the question: and Bob $40."""
    names = {answer.stems[i] for i in own if answer.shown[i][0].isupper()}
    asked = names.intersection(question.content)
    return bool(asked) and not has_any_stem(answer, part, asked)


def is_rival_value(value: Quantity, expected: Quantity, question: Text) -> bool:
    """Return whether a value differs from the expected one, but is like it, and is not asked."""
    if agree(value, expected) or is_among(value, question.quantities):
        return False
    is_like = value.kind == expected.kind and value.dimension == expected.dimension
    return is_like and can_replace(value, expected)


def find_part(answer: Text, value: Quantity) -> range:
    """Return the part of an answer in which a value stands: a clause, or what follows "and"."""
    place = answer.words_between(value.start, value.end).start
    parts = cut_at_and(answer)
    return next((part for part in parts if place in part), parts[-1])


def begins_part(answer: Text, i: int) -> bool:
    """Return whether a word begins a clause, or is an "and"."""
    return answer.words[i] == "and" or answer.clause[i] != answer.clause[i - 1]
