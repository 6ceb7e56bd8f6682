"""Find another thing that answers the question, where the reference's words answer another one.

"He was charged with fraud but convicted of theft" answers "What was he convicted of?" with theft,
because the question's words stand next to it. "Formerly Java, now Kotlin" answers a question about
today with Kotlin. "Java or Kotlin? Kotlin is newer, so Kotlin" settles on Kotlin (conclusions.py).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from .conclusions import (
    AT_FIRST,
    CONCLUDING,
    FORMER,
    LATTER,
    choose_between,
    leaves_open,
    read_conclusion,
)
from .found_reference import DETERMINERS, FoundReference, is_form, read_alternatives
from .lexicon import BE, IRREGULAR_FORMS, IRREGULAR_PAST, STOP_WORDS
from .opposites import find_root

SHORTEST_ANSWER = 3  # words of an answer that has two clauses
LONGEST_PAIR = 18  # words of an answer that compares two things
LONGEST_REMARK = 2  # new words that the match's clause says of it
LONGEST_RIVAL = 3  # words of another thing
VERB_ENDINGS = ("ed", "s")
CONDITIONS = frozenset("if when after once since because as".split())
REASONS = frozenset("since because as although though while whereas even".split())
CIRCUMSTANCES = frozenset("when where how why".split())
SPLITTING_WORDS = frozenset("and und et y e".split())
LINKING_WORDS = frozenset("it its this that which who by they i".split())

# Words for what was so, and for what is so now.
PAST = re.compile(
    r"\b(?:used to|formerly|once|previously|originally|initially|at first|until|till"
    r"|for (?:many |some |several )?(?:years|decades|ages|months)|in the past|früher|ehemals|einst"
    r"|autrefois|jadis|antes|antiguamente)\b"
)
PRESENT = re.compile(
    r"\b(?:now|nowadays|today|currently|these days|since then|then|moved to|switched to"
    r"|changed to|migrated to|replaced (?:it )?(?:by|with)|heute|jetzt|inzwischen|aujourd'hui"
    r"|maintenant|désormais|ahora|hoy|actualmente)\b"
)
# What is only believed, and what is really so.
BELIEF = re.compile(
    r"\b(?:(?:many|most|some|people) (?:\w+ )?(?:think|believe|say|assume|guess)"
    r"|(?:you|one)(?:'d| would) (?:think|expect|guess|say)|pourrait croire|on croit"
    r"|beaucoup pensent|könnte (?:meinen|denken)|viele (?:glauben|denken|meinen)"
    r"|muchos (?:creen|piensan)|se suele (?:creer|pensar))\b"
)
TRUTH = re.compile(
    r"\b(?:but|however|actually|really|in fact|in reality|mais|en réalité|en fait|aber|doch"
    r"|in wirklichkeit|tatsächlich|pero|en realidad|de hecho)\b"
)
CHANGE_FROM = re.compile(
    r"\b(?:switch|chang|mov|migrat|convert|transition)\w{1,5} (?:\w+ )?from (?:the )?$"
)
ASKS_FOR_TODAY = re.compile(r"\b(?:is|are|does|do|has|have|now|current|currently|ist|est|es)\b")
ASKS_FOR_PAST = re.compile(
    r"\b(?:was|were|did|had|old|former|formerly|first|original|originally|previous|before|from"
    r"|war|wurde|était|fue|era)\b"
)


def find_rival(found: FoundReference) -> range:
    """Return the thing that an answer gives in place of the reference, or an empty range."""
    if len(found.words) < SHORTEST_ANSWER or found.answer.denials:
        return range(0)
    return find_successor(found) or find_first_named(found) or find_better_clause(found)


# ---- what the answer settles on

# What is only possible.
POSSIBLE = re.compile(
    r"\b(?:sounds?|seems?|looks?|appears?|could|would|might|may|can)\b"
    r"|\b(?:contender|candidate|favou?rite|expected|possible|plausible|guess|argue)"
)
# Words that tell only that a thing is the right one.
CHOOSING_WORDS = frozenset(
    "right correct true best better likely clear obvious sure answer choice one thing name term "
    "reason matter call goes wins go say choose pick trust put money suppose let's no hmm "
    "wait".split()
)


def settles_on_match(found: FoundReference) -> bool | None:
    """Return whether an answer settles on the match, None if it concludes nothing.

    It is False for "Kotlin is newer, so it must be Kotlin" where the match is Java.
    """
    if CONCLUDING.search(found.question.lower):
        return None  # a title, as in "Who wrote You Must Have Been a Beautiful Baby?"
    own = {found.stems[i] for i in found.match if found.words[i] not in STOP_WORDS}
    others = find_other_alternative(found)
    if not others and names_place(found):
        others = {
            found.stems[start] for start, _ in found.answer.names if not found.is_known(start)
        }
    elif not others:
        others = {found.stems[i] for i in find_concluded_thing(found)}
    return choose_between(found.answer, own - others, others - own)


def names_place(found: FoundReference) -> bool:
    """Return whether a conclusion names a thing by its place before: the latter."""
    words = " ".join(map(found.quote, read_conclusion(found.answer).clauses)).lower()
    return LATTER.search(words) is not None or FORMER.search(words) is not None


def find_other_alternative(found: FoundReference) -> set[str]:
    """Return the stems of the thing to which a question compares the reference, empty for none."""
    alternatives = read_alternatives(found.question)
    if alternatives is None:
        return set()
    expected = set(found.reference.content)
    first, second = alternatives
    if expected.isdisjoint(first - second) == expected.isdisjoint(second - first):
        return set()
    return first if expected.isdisjoint(first - second) else second


def find_concluded_thing(found: FoundReference) -> range:
    """Return the new thing that an answer's conclusion gives alone, or an empty range.

    A conclusion without new words may mean a name that stands before it: Lyon, that is my answer.
    """
    conclusion = read_conclusion(found.answer)
    for words in conclusion.clauses:
        thing = find_new_thing(found, words)
        if thing and is_given_alone(found, words, thing):
            return thing
        if list_other_words(found, words, range(0)):
            return range(0)
    return find_only_name(found, conclusion.before)


def is_given_alone(found: FoundReference, words: range, thing: range) -> bool:
    """Return whether concluding words tell nothing but that a thing is right: it must be Lyon.

    They may tell more if the answer names the match only tentatively. A common noun was named
    before, has a "the" (so the copper) or is chosen (I'd say copper).
    """
    if list_other_words(found, words, thing) and not is_tentative(found):
        return False
    if found.is_name or found.answer.places[found.stems[thing[-1]]][0] < words.start:
        return True
    has_determiner = found.words[thing.start - 1] in DETERMINERS
    is_chosen = has_determiner or read_conclusion(found.answer).is_choice
    return is_chosen and found.ends_clause(thing[-1])


def list_other_words(found: FoundReference, words: range, thing: range) -> list[int]:
    """Return the new words that tell more than that a thing is the right one."""
    new = found.list_new_words(words, thing)
    return [i for i in new if found.words[i] not in CHOOSING_WORDS and not is_adverb(found, i)]


def is_adverb(found: FoundReference, i: int) -> bool:
    """Return whether a word is an adverb: surely."""
    return found.words[i].endswith("ly") and found.shown[i].islower()


def is_tentative(found: FoundReference) -> bool:
    """Return whether the sentence of the match says that it may only seem so."""
    sentence = found.answer.sentence
    number = sentence[found.match.start]
    words = range(bisect_left(sentence, number), bisect_right(sentence, number))
    shown = found.quote(words).lower()
    return AT_FIRST.search(shown) is not None or POSSIBLE.search(shown) is not None


def find_only_name(found: FoundReference, words: range) -> range:
    """Return the last new name of some words if they have no other new name, or an empty range."""
    if not found.is_name:
        return range(0)
    names = [range(*name) for name in found.answer.names if name[0] in words]
    new = [name for name in names if not found.is_known(name.start)]
    is_single = len({found.stems[name.start] for name in new}) == 1
    return new[-1] if is_single else range(0)


def leaves_match_open(found: FoundReference) -> bool:
    """Return whether an answer names another thing, too, and leaves open which one it means."""
    if not leaves_open(found.answer):
        return False
    others = find_other_alternative(found)
    if others and not others.isdisjoint(found.answer.places.keys()):
        return True
    clauses = [clause for clause in found.list_clauses() if found.list_new_words(clause, range(0))]
    return any(find_new_thing(found, clause) for clause in clauses)


# ---- once and now


def find_successor(found: FoundReference) -> range:
    """Return what has replaced the match (formerly Java, now Kotlin), or an empty range.

    If the question is not about today, only a mistaken belief can be replaced.
    """
    question = found.question.lower
    if ASKS_FOR_PAST.search(question) or not ASKS_FOR_TODAY.search(question):
        return find_after(found, BELIEF, TRUTH)
    following = found.match.stop
    if found.words[following : following + 1] == ["to"]:
        text_before = found.answer.lower[: found.start]
        if CHANGE_FROM.search(text_before):
            return find_new_thing(found, range(following + 1, len(found.words)))
    return find_after(found, PAST, PRESENT) or find_after(found, BELIEF, TRUTH)


def find_after(found: FoundReference, before: re.Pattern[str], after: re.Pattern[str]) -> range:
    """Return the new thing of a clause behind the match's clause, or an empty range.

    Args:
        found: the reference in the answer.
        before: what the match's clause must have.
        after: what the later clause must have.
    """
    if before.search(found.answer.lower) is None:
        return range(0)
    clauses = found.list_clauses(SPLITTING_WORDS)
    own = find_own_clause(found, clauses)
    if before.search(found.quote(own).lower()) is None:
        return range(0)
    for clause in clauses[clauses.index(own) + 1 :]:
        if not has_reference(found, clause) and after.search(found.quote(clause).lower()):
            return find_new_thing(found, clause)
    return range(0)


# ---- a thing that is named alone at the beginning


def find_first_named(found: FoundReference) -> range:
    """Return the thing that begins an answer if the match only tells why, or an empty range.

    Oxygen, since carbon dioxide is what they give off.
    """
    clauses = found.list_clauses()
    first, own = clauses[0], find_own_clause(found, clauses)
    if first == own or found.words[own.start] not in REASONS:
        return range(0)
    thing = find_new_thing(found, first)
    return range(0) if list_other_words(found, first, thing) else thing


# ---- the clause that has the words of the question


def find_better_clause(found: FoundReference) -> range:
    """Return the new thing of a clause that has more words of the question, or an empty range.

    The match's own clause must say something else of the match: the green one is neutral.
    """
    if not can_compare_things(found):
        return range(0)
    clauses = found.list_clauses(SPLITTING_WORDS)
    own = find_own_clause(found, clauses)
    if len(clauses) == 1 or not says_something_else(found, own):
        return range(0)
    own_words = find_asked_words(found, own)
    for clause in clauses:
        if clause == own or not can_have_rival(found, clause):
            continue
        rival = find_new_thing(found, clause)
        has_more_asked_words = own_words < find_asked_words(found, clause)
        if rival and has_more_asked_words and not found.list_new_words(clause, rival):
            return rival
    return range(0)


def can_compare_things(found: FoundReference) -> bool:
    """Return whether an answer can compare two things: it is short and has no colon.

    The question must ask for a thing. A name with several spellings is not compared.
    """
    if len(found.words) > LONGEST_PAIR or ":" in found.answer.text:
        return False
    asks_for_thing = CIRCUMSTANCES.isdisjoint(found.question.words)
    has_spellings = found.is_name and len(found.references) > 1
    return asks_for_thing and not has_spellings


def says_something_else(found: FoundReference, own: range) -> bool:
    """Return whether the match's clause has a verb and says something new of the match.

    A pronoun or "by" may stand for what the question asks: it is German, played by Ann.
    """
    words = found.list_words(own)
    if not LINKING_WORDS.isdisjoint(words):
        return False
    # A verb right after "and" belongs to the clause before: it is old and means twin.
    first = own.start + 1 + (words[0] in SPLITTING_WORDS)
    if not any(is_verb(found, i) for i in range(first, own.stop)):
        return False
    return 0 < len(found.list_new_words(own, found.match)) <= LONGEST_REMARK


def is_verb(found: FoundReference, i: int) -> bool:
    """Return whether a word with a small letter has the form of a verb."""
    word = found.words[i]
    if word in BE:
        return True
    is_irregular = word in IRREGULAR_FORMS or word in IRREGULAR_PAST
    has_verb_form = is_irregular or word.endswith(VERB_ENDINGS)
    return has_verb_form and found.shown[i].islower()


def can_have_rival(found: FoundReference, clause: range) -> bool:
    """Return whether a clause lacks the reference and is no condition: if, when, because."""
    is_condition = found.words[clause.start] in CONDITIONS
    return not is_condition and not has_reference(found, clause)


# ---- clauses and their words


def find_own_clause(found: FoundReference, clauses: Sequence[range]) -> range:
    """Return the clause of the match."""
    return next(clause for clause in clauses if found.match.start in clause)


def has_reference(found: FoundReference, clause: range) -> bool:
    """Return whether a clause has a telling word of a reference that the question lacks."""
    for i in clause:
        is_telling = found.has_meaning(i) and found.stems[i] not in found.question.places
        if is_telling and found.is_known(i):
            return True
    return False


def find_asked_words(found: FoundReference, clause: range) -> set[str]:
    """Return the roots of the question's words that a clause has, in any form."""
    asked = set[str]()
    for i in clause:
        if found.words[i] not in STOP_WORDS:
            root = find_root(found.words[i])
            asked.update(other for other in found.asked_roots if is_form(root, other))
    return asked


def find_new_thing(found: FoundReference, clause: range) -> range:
    """Return the new words of a clause if they stand together and are like the match."""
    new = found.list_new_words(clause, found.match)
    if found.is_name:
        new = [i for i in new if found.shown[i][0].isupper()]
    if not new:
        return range(0)
    first, last = new[0], new[-1]
    if last - first >= LONGEST_RIVAL:
        return range(0)
    # The first word of an answer has a capital in any case.
    is_name = found.shown[last][0].isupper()
    has_same_form = is_name == found.is_name or first == 0
    return range(first, last + 1) if has_same_form else range(0)
