"""Find other candidates in an answer: things that could stand in place of the reference's words.

A candidate is joined to these words ("Paris and Lyon", "Lyon or Paris", "Paris as well as Lyon"),
or it stands in another clause ("Paris. Lyon is another one", "maybe Paris, maybe Lyon"). It must
have the form of the reference's words: both are names, years or nouns ("a watch", "a ring").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .denials import RELATIVE_WORDS
from .found_reference import (
    ADDING_WORDS,
    ALSO_WORDS,
    AUXILIARY,
    CONNECTING_WORDS,
    INDEFINITE,
    LIKELY_WORDS,
    LONGEST_NAME,
    NO_THING,
    OPEN_WORDS,
    FoundReference,
)
from .lists import split_items
from .lexicon import (
    BE,
    CONCEDING,
    DETERMINERS,
    IRREGULAR_PAST,
    NAME_VERB,
    ORDINALS,
    PREPOSITIONS,
    PRONOUNS,
    STOP_WORDS,
)
from .opposites import find_root, is_same_degree

SHORTEST_LIST = 3  # words of an answer that may be a series without "and": tennis, football
# An item of a series: cash, a watch.
NOUN_ALONE = re.compile(r"(?:(?:an?|the|some|two|three) )?[^\W\d_]+(?<!ed)(?<!ing)(?<!ly)\W*")
# A question with one of these asks for a property, which several words may tell.
DESCRIBING = frozenset("like colour color kind how".split())
SUPERLATIVE_ENDING = "est"  # the ending of tallest
SHORT_ANSWER = 9  # words of an answer that says two things and nothing else
MOST_CLAUSES = 4  # after the match in which candidates are looked for
NEAR = 12  # words behind the match in which a partner is looked for
LONGEST_ASIDE = 4  # words between "and" and a thing: and, in equal measure, beans
EITHER_BEFORE = 4  # words before two things in which "either" stands

# ---- what joins two things
WORDS_BEFORE_NOUNS = frozenset("plus besides alongside sowie".split())  # of ADDING_WORDS
PERSONAL = frozenset("his her their".split())  # before a person: and her deputy
ADDING_SIGNS, OPEN_SIGN = frozenset({"&", "+"}), "/"
ADDING_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "as well as, along with, together with, jointly with, tied with, in addition to, "
        "in partnership with, in collaboration with, in cooperation with, shared with, "
        "zusammen mit, junto con, junto a, asi como, ainsi que, insieme a, avec l'aide de, "
        "co written with, level with, even with, equal with, joint with, on a par with, "
        "neck and neck with"
    ).split(", ")
)
EITHER_WORDS = frozenset("either entweder soit".split())
BETWEEN_REACH = 7  # words before two things in which "between" and what wavers stand
WAVERS = re.compile(
    r"\b(?:torn|hesitat\w*|undecided|choice|choose|waver\w*|toss up|vacillat\w*|decide|minds)\b"
    r".{0,12}\bbetween(?: \w+){0,2}$"
)
UNDECIDED = tuple(f"{word} between" for word in "torn hesitate undecided choice it's".split())

# ---- what says that the same holds for another thing
ALSO_PHRASES = ("as well", "just as", "exactly as", "the same", "the other", "a second")
ITSELF = frozenset("it them this that one too also".split())
CONDITIONS = ("unless it is", "unless it was", "unless it's", "unless that is", "if not")
GUESSING = frozenset("maybe perhaps possibly".split())
MODAL_REACH = 3  # first words of a clause in which its modal stands: and it could be Lyon
MODALS = frozenset("could might may".split())
JOINT_WORK = frozenset("co shared split divided tied jointly together along".split())


@dataclass(frozen=True)
class Candidate:
    """Another thing that could stand in place of the reference's words.

    Attributes:
        words: the range of its words.
        is_open: whether the answer leaves open which of the two it means.
        is_sure: whether the answer clearly means both, so that it counts in a long answer, too.
    """

    words: range
    is_open: bool = False
    is_sure: bool = False


def find_candidates(found: FoundReference) -> Iterator[Candidate]:
    """Yield the other things that an answer adds or leaves open."""
    yield from find_joined_behind(found)
    yield from find_joined_before(found)
    yield from find_partner(found)
    yield from find_in_other_clauses(found)


def leaves_two_open(found: FoundReference, first: int) -> bool:
    """Return whether "either" or the like stands before two things."""
    start = max(0, first - EITHER_BEFORE)
    before = found.words[start:first]
    if not EITHER_WORDS.isdisjoint(before):
        return True
    shown = " ".join(found.words[max(0, first - BETWEEN_REACH) : first])
    return " ".join(before).endswith(UNDECIDED) or WAVERS.search(shown) is not None


# ---- things that are joined to the match


def find_joined_behind(found: FoundReference) -> Iterator[Candidate]:
    """Yield the thing that is joined to the match behind it."""
    answer, last = found.answer, found.match[-1]
    joint = last + 1
    if joint >= len(found.words):
        return
    sign = read_sign(found, last, joint)
    is_open = found.words[joint] in OPEN_WORDS
    if sign:
        yield Candidate(found.read_thing(joint, is_noun=True), sign == OPEN_SIGN)
    elif stands_in_series(found, joint):
        yield Candidate(found.read_thing(joint, is_noun=not found.is_name))
    elif is_open or answer.sentence[joint] == answer.sentence[last]:
        yield from read_behind_joint(found, joint)


def read_behind_joint(found: FoundReference, joint: int) -> Iterator[Candidate]:
    """Yield the thing behind "as well as", "and" or "or", but not another name of the match."""
    word = found.words[joint]
    after_phrase = skip_phrase(found, joint)
    if after_phrase:
        yield from read_behind_phrase(found, joint, after_phrase)
    elif " ".join(found.words[joint : joint + 3]) in CONDITIONS:
        thing = found.read_thing(joint + 3, is_noun=True)
        yield Candidate(thing, is_open=True, is_sure=thing.stop == len(found.words))
    elif (word in OPEN_WORDS or word in ADDING_WORDS) and not has_lower_place(found, joint):
        yield from read_behind_word(found, joint)


def read_behind_phrase(found: FoundReference, joint: int, start: int) -> Iterator[Candidate]:
    """Yield the thing behind a phrase such as "as well as", if it takes no other part."""
    thing = found.read_thing(skip_same_preposition(found, start), is_noun=True)
    if found.words[joint] != "with" or not has_other_part(found, thing):
        yield Candidate(thing, is_sure=True)


def read_behind_word(found: FoundReference, joint: int) -> Iterator[Candidate]:
    """Yield the thing behind an "and" or "or", but not another name of the match."""
    is_open = found.words[joint] in OPEN_WORDS
    if is_open and found.answer.names_again(joint) and not found.is_name:
        return
    start = skip_same_preposition(found, skip_aside(found, skip_hedges(found, joint + 1)))
    before = found.words[max(0, found.match.start - 2) : found.match.start]
    if "both" in before and not is_open:
        yield Candidate(read_second_of_both(found, start), is_sure=True)
        return
    has_aside = start > joint + 1  # and, being greedy, a plate of waffles
    is_noun = found.words[joint] in WORDS_BEFORE_NOUNS or has_aside or "between" in before
    thing = found.read_thing(start, is_noun=is_noun) or read_parallel_thing(found, start)
    if is_open and is_other_name(found, joint, thing):
        return
    # It is Monday, and Tuesday is a holiday.
    is_subject = thing.stop < len(found.words) and is_finite_verb(found, thing.stop)
    if is_subject and found.words[thing.stop] not in BE:
        is_subject = found.words[thing.stop] not in found.question.words  # who has it: Ann has it
    is_subject = is_subject or is_short_clause(found, thing)
    if is_open or not is_subject or not found.ends_clause(joint - 1):
        is_sure = has_aside or (counts_two(found) and thing.stop == len(found.words))
        yield Candidate(thing, is_open, is_sure=is_sure and not is_open)


def is_short_clause(found: FoundReference, thing: range) -> bool:
    """Return whether a thing is a noun with a past form behind it: and the kids cheered."""
    if len(thing) < 2 or not found.ends_clause(thing[-1]):
        return False
    if found.words[thing.start - 1] not in DETERMINERS:
        return False
    last = found.words[thing[-1]]
    return last.endswith("ed") or last in IRREGULAR_PAST


def skip_hedges(found: FoundReference, i: int) -> int:
    """Return the place behind hedges: or perhaps from the liver."""
    while i < len(found.words) - 1 and i in found.answer.hedges:
        i += 1
    return i


OTHER_PART = re.compile(
    r"on|close|not|trailing|\w+ing"
    r"|as (?!(?:(?:the|an?) )?(?:second|other|another|co|fellow|further|joint)\b)\w+"
)


def has_other_part(found: FoundReference, thing: range) -> bool:
    """Return whether a thing takes another part: with Foxconn assembling it, with Bo on guitar."""
    is_end = not thing or thing.stop >= len(found.words) or found.ends_clause(thing[-1])
    behind = " ".join(found.words[thing.stop : thing.stop + 3])
    return not is_end and OTHER_PART.match(behind) is not None


LOWER_PLACE = re.compile(
    r"\b(?:comes?|came|is|was|ranks?|ranked|finished|took) (?:\w+ )?"
    r"(?:second|third|next|close|behind|after)\b|\b(?:almost|nearly)\b"
)
PLACE_REACH = 7  # words behind a joint in which it is told that a thing is behind


def has_lower_place(found: FoundReference, joint: int) -> bool:
    """Return whether what is joined comes behind: and Mount Kenya comes second."""
    behind = " ".join(found.words[joint + 1 : joint + 1 + PLACE_REACH])
    return LOWER_PLACE.search(behind) is not None


def counts_two(found: FoundReference) -> bool:
    """Return whether an answer says before the match that there are two: two people signed it."""
    words = found.words[: found.match.start]
    if "two" not in words or "two" in found.question.first_place:
        return False
    place = words.index("two")
    quantity = found.answer.find_quantity(place)
    has_unit = quantity is not None and bool(quantity.dimension)  # two hours
    return not has_unit and words[max(0, place - 1) : place] != ["the"]


ASKING_WHO = frozenset("who whom wer wen quien qui".split())


def read_parallel_thing(found: FoundReference, start: int) -> range:
    """Return the range of a thing behind "and" that is like the match in another way, or empty.

    It is an act beside an act (parking there and insulting), or a person without a name beside a
    person (Ann and her deputy).
    """
    if start >= len(found.words) or any(map(found.ends_clause, (start - 2, start - 1))):
        return range(0)
    first = found.words[found.match.start]
    if first.endswith("ing") and found.words[start].endswith("ing"):
        return range(start, start + 1)
    asks_who = not ASKING_WHO.isdisjoint(found.question.words)
    if not asks_who or not found.is_name or found.words[start] not in PERSONAL:
        return range(0)
    stop = found.find_end_of_noun(start + 1)
    is_subject = stop < len(found.words) and is_finite_verb(found, stop)
    is_other_clause = is_subject and not found.is_asked(stop)  # and her publisher was Egerton
    return range(0) if is_other_clause else range(start + 1, stop)


def skip_same_preposition(found: FoundReference, i: int) -> int:
    """Return the place behind a preposition that stands before the match, too: and in York."""
    before = found.words[max(0, found.match.start - 1) : found.match.start]
    is_same = before == found.words[i : i + 1] and not PREPOSITIONS.isdisjoint(before)
    return i + 1 if is_same and i + 1 < len(found.words) else i


def is_finite_verb(found: FoundReference, i: int) -> bool:
    """Return whether a word is a verb in a finite form: was, failed."""
    return found.shown[i].islower() and NAME_VERB.match(found.words[i]) is not None


def read_second_of_both(found: FoundReference, start: int) -> range:
    """Return the range of the second thing behind "both", of any form: both Ann and her guide."""
    start = found.skip_leading_words(start)
    if start >= len(found.words):
        return range(0)
    has_determiner = found.words[start] in DETERMINERS and start + 1 < len(found.words)
    stop = found.find_end_of_noun(start + has_determiner)
    stop -= stop > start + 1 and found.is_asked(stop - 1)  # saffron and paprika give it
    return range(start, stop)


# The first words of a remark behind an answer, and of a name for the one who asked.
BEFORE_REMARK = frozenset(
    "of in for after at by on from as to with my that's what mind back these those once if i "
    "indeed right yes yeah anyway however instead though cheers thanks thank please today now "
    "sir madam ma'am mate folks friend friends dear guys buddy period full hands plain case".split()
)


def stands_in_series(found: FoundReference, i: int) -> bool:
    """Return whether a word begins the next item of a series: tennis, football."""
    if found.answer.read_between(i - 1, i) != "," or found.words[i] in CONNECTING_WORDS | NO_THING:
        return False
    if found.words[i].endswith("ly") or found.words[i] in BEFORE_REMARK:
        return False  # hydrogen, formerly diesel; waffles, of course
    if len(found.words) <= SHORTEST_LIST:
        return not found.is_name and found.shown[i].islower()
    begins_answer = found.match.start <= found.has_determiner
    if not begins_answer and (found.is_name or not begins_series(found)):
        return False
    if not found.is_name:
        items = split_items(found.answer.text)
        are_words = all(NOUN_ALONE.fullmatch(item) for item in items[1:])
        has_joint = " and " in found.answer.lower and AUXILIARY.isdisjoint(found.words)
        is_described = not DESCRIBING.isdisjoint(found.question.words)
        return has_joint and are_words and len(items) > 2 and not is_described
    thing = found.read_thing(i)
    return bool(thing) and found.words[thing.stop : thing.stop + 1] in (["and"], ["or"])


def begins_series(found: FoundReference) -> bool:
    """Return whether nothing new stands before the match: he stole a watch, a ring and cash."""
    before = range(found.match.start - found.has_determiner)
    return all(found.words[i] in STOP_WORDS or found.is_asked(i) for i in before)


def find_joined_before(found: FoundReference) -> Iterator[Candidate]:
    """Yield the thing that is joined to the match before it."""
    start = found.match.start
    sign = read_sign(found, start - 1, start) if start > 0 else ""
    if sign:
        yield Candidate(range(start - 1, start), sign == OPEN_SIGN)
        return
    before_phrase = find_phrase_before(found)
    if before_phrase:
        yield Candidate(read_thing_before(found, before_phrase), is_sure=True)
        return
    start = found.match.start
    is_whole = not found.words[found.match[-1]].endswith("'s")
    has_so = found.words[max(0, start - 2) : start - 1] == ["so"]
    if is_whole and has_so and found.words[start - 1] in AUXILIARY:
        yield Candidate(read_subject(found, 0), is_sure=True)  # Ann had one, and so did Bob
        return
    joint = find_joint_before(found)
    if joint and found.answer.names_again(joint) and not found.is_name:
        return
    is_open = found.words[joint] in OPEN_WORDS
    if joint and (is_open or not found.ends_clause(joint - 1)):
        yield Candidate(read_thing_before(found, joint), is_open)


def find_phrase_before(found: FoundReference) -> int:
    """Return where a phrase such as "as well as" begins that ends at the match, else 0."""
    stop = found.match.start
    while stop > 0 and found.words[stop - 1] in DETERMINERS:
        stop -= 1
    for length in (2, 3, 4):
        start = stop - length
        if start > 0 and tuple(found.words[start:stop]) in ADDING_PHRASES:
            return start
    return 0


def find_joint_before(found: FoundReference) -> int:
    """Return the place of the "and" or "or" before the match, 0 where there is none."""
    for i in range(found.match.start - 1, 0, -1):
        if found.words[i] in ADDING_WORDS or found.words[i] in OPEN_WORDS:
            return i
        if not found.is_small(i):
            break
    return 0


def read_thing_before(found: FoundReference, joint: int) -> range:
    """Return the range of the thing before a joint, or an empty one if its form differs."""
    first = joint - 1
    word = found.words[first]
    if found.is_figure:
        return range(first, first + word.isdigit())
    if word in STOP_WORDS or word in NO_THING or is_finite_verb(found, first):
        return range(0)
    if not found.is_name:
        return range(first, joint)
    return range(find_start_of_name(found, joint), joint)


def find_start_of_name(found: FoundReference, stop: int) -> int:
    """Return the first word of the name before a word, or that word if no name is there."""
    first = stop
    while first > 0 and stop - first < LONGEST_NAME and found.shown[first - 1][0].isupper():
        is_apart = first < stop and found.ends_clause(first - 1)
        if is_apart or found.words[first - 1] in STOP_WORDS:
            break
        first -= 1
    return first


def read_sign(found: FoundReference, first: int, second: int) -> str:
    """Return the sign that joins two words: femur / tibia, blue & gold."""
    between = found.answer.read_between(first, second)
    if between == OPEN_SIGN:
        return between if len(found.words) <= SHORT_ANSWER else ""
    return between if between in ADDING_SIGNS else ""


def skip_phrase(found: FoundReference, start: int) -> int:
    """Return the place behind a phrase such as "as well as" that begins at a word, else 0."""
    for length in (2, 3, 4):
        if tuple(found.words[start : start + length]) in ADDING_PHRASES:
            return start + length
    if not found.is_name or found.words[start] != "with":
        return 0
    following = found.shown[start + 1 : start + 2]
    return start + 1 if following and following[0][0].isupper() else 0


def skip_aside(found: FoundReference, start: int) -> int:
    """Return the place behind an aside between two commas: and, in equal measure, beans."""
    if not found.ends_clause(start - 1):
        return start
    for i in range(start, min(len(found.words) - 1, start + LONGEST_ASIDE)):
        if found.ends_clause(i):
            return i + 1
    return start


def is_other_name(found: FoundReference, joint: int, thing: range) -> bool:
    """Return whether "or" gives another name of the match: a barometer, or pressure gauge.

    Then a comma or bracket stands before "or", and the thing is no name.
    """
    following = found.words[joint + 1 : joint + 3]  # or a papaya, or was it a papaya
    is_question = following == ["was", "it"] or not INDEFINITE.isdisjoint(following[:1])
    is_hedged = joint + 1 in found.answer.hedges  # or perhaps the liver
    is_apart = found.ends_clause(joint - 1) and not is_question and not is_hedged
    return bool(thing) and not found.is_name and is_apart


# ---- a partner


def find_partner(found: FoundReference) -> Iterator[Candidate]:
    """Yield the partner with whom somebody did it together: she co-wrote it with Mars."""
    sentence = found.answer.sentence
    last = found.match[-1]
    is_joint = False
    for i in range(last + 1, min(len(found.words) - 1, last + NEAR)):
        if sentence[i] != sentence[last]:
            return
        is_joint = is_joint or found.words[i] in JOINT_WORK
        if found.words[i] == "with" and is_joint:
            yield Candidate(found.read_thing(i + 1, is_noun=True), is_sure=True)


def asks_for_object(found: FoundReference) -> bool:
    """Return whether the question asks for what is done, not for who does it."""
    return not {"do", "does", "did"}.isdisjoint(found.question.words)


# ---- things in clauses of their own


def find_in_other_clauses(found: FoundReference) -> Iterator[Candidate]:
    """Yield the things of other clauses that the answer adds or leaves open."""
    clauses = found.list_clauses()
    number = next(i for i, clause in enumerate(clauses) if found.match.start in clause)
    own = clauses[number]
    before = clauses[:number][-1:]
    behind = clauses[number + 1 : number + 1 + MOST_CLAUSES]
    for clause in (*before, *behind):
        yield from read_open_clause(found, clause, own)
    for clause in behind:
        yield from read_adding_clause(found, clause, own)
        yield from read_rival_statement(found, clause, own)


def read_open_clause(found: FoundReference, clause: range, own: range) -> Iterator[Candidate]:
    """Yield the thing that a clause leaves open: maybe Lyon; unless it is Lyon.

    Args:
        found: the reference in the answer.
        clause: the clause.
        own: the clause of the match.
    """
    words = found.list_words(clause)
    if words[0] in RELATIVE_WORDS:
        return  # a belt, which could be replaced
    both_hedged = has_hedge(found, clause) and has_hedge(found, own)
    is_condition = " ".join(words).startswith(CONDITIONS)
    begins_with_or = words[0] in OPEN_WORDS
    is_alternative = (
        begins_with_or and found.answer.read_between(clause.start - 1, clause.start) == "?"
    )
    is_second_guess = words[0] in GUESSING and clause.start == own.stop  # Lyon, maybe Paris
    if not (both_hedged or is_condition or is_alternative or is_second_guess):
        return
    thing = found.read_last_thing(clause)
    if says_nothing_else(found, clause, thing, own):
        yield Candidate(thing, True, is_sure=not both_hedged)


def has_hedge(found: FoundReference, clause: range) -> bool:
    """Return whether a clause is hedged: maybe, it could be."""
    has_modal = not MODALS.isdisjoint(found.list_words(clause)[:MODAL_REACH])  # could be Lyon
    return has_modal or any(i in found.answer.hedges for i in clause)


def says_nothing_else(found: FoundReference, clause: range, thing: range, own: range) -> bool:
    """Return whether a clause has no new words but those of a thing."""
    return bool(thing) and all(i in thing for i in found.list_new_words(clause, own))


def read_adding_clause(found: FoundReference, clause: range, own: range) -> Iterator[Candidate]:
    """Yield the thing for which a clause says the same: Lyon is another one, so does Lyon."""
    if found.words[clause.start] in RELATIVE_WORDS or is_conceding(found, clause):
        return  # which is a mistake; although Lyon is large, too
    start = skip_joints(found, clause)
    first_words = found.words[start : start + 2]
    if first_words[0] == "so" and not AUXILIARY.isdisjoint(first_words[1:]):
        thing = found.read_thing(start + 2, is_noun=True) or range(start + 2, clause.stop)
        yield Candidate(thing, is_sure=start == clause.start or found.words[start - 1] == "and")
        return
    words = found.list_words(clause)
    is_tie = not {"as", "equally", "same"}.isdisjoint(words)
    if not is_tie and any(is_lower_degree(found, i) for i in clause):
        return  # what is tall, too, is not the tallest
    if first_words == ["the", "other"] and "one" in found.list_words(own):
        yield Candidate(found.read_last_thing(clause), is_sure=True)
        return
    is_likely = not LIKELY_WORDS.isdisjoint(words)
    has_verb = has_asked_verb(found, clause)
    if not has_verb and not says_also(words):
        return
    subject = read_subject(found, start)
    if says_nothing_else(found, clause, subject, own):
        yield Candidate(subject, is_likely)
    elif subject and has_verb and not ITSELF.isdisjoint(words):
        yield Candidate(subject, is_sure=True)
    elif asks_for_object(found) and not is_likely and BE.isdisjoint(words):
        thing = found.read_last_thing(clause)
        if says_nothing_else(found, clause, thing, own):
            yield Candidate(thing, is_sure=has_verb and says_also(words))


QUALIFYING = frozenset("sometimes almost nearly later afterwards".split())


def is_conceding(found: FoundReference, clause: range) -> bool:
    """Return whether a clause concedes or qualifies what it adds: too, but in 1497."""
    words = found.list_words(clause)
    concedes = words[0] in CONCEDING and not {"as", "equally", *LIKELY_WORDS}.intersection(words)
    if concedes or not QUALIFYING.isdisjoint(words):
        return True
    return found.words[clause.stop : clause.stop + 1] == ["but"]


def read_rival_statement(found: FoundReference, clause: range, own: range) -> Iterator[Candidate]:
    """Yield the thing of which the last sentence says what is asked: the capital is Lyon."""
    answer, words = found.answer, found.list_words(clause)
    is_last_sentence = answer.find_sentence(-1) == clause and own.stop <= clause.start
    if not is_last_sentence or words[0] in PRONOUNS or words[0] in BE or answer.denials:
        return
    asks_same = any(found.is_asked(i) and found.has_meaning(i) for i in clause)
    if not asks_same or has_hedge(found, clause):
        return
    thing = found.read_last_thing(clause)
    if says_nothing_else(found, clause, thing, own) and is_what_is_asked(found, thing, clause):
        yield Candidate(thing, is_open=True, is_sure=True)


def is_what_is_asked(found: FoundReference, thing: range, clause: range) -> bool:
    """Return whether a clause says that a thing is, or did, what is asked: it was won by Lyon."""
    first = thing.start
    while first > clause.start and found.words[first - 1] in DETERMINERS:
        first -= 1
    before = found.words[first - 1] if first > clause.start else ""
    if before == "by" or before in BE:
        return True
    return found.is_figure and before == "in" and not BE.isdisjoint(found.list_words(clause))


def skip_joints(found: FoundReference, clause: range) -> int:
    """Return the first word of a clause that is no "and", "but" or hedge, or its last word."""
    for i in clause[:-1]:
        if found.words[i] not in CONNECTING_WORDS and i not in found.answer.hedges:
            return i
    return clause[-1]


def has_asked_verb(found: FoundReference, clause: range) -> bool:
    """Return whether a clause has a verb of the question behind its first word."""
    words = found.list_words(clause)
    if not set(ORDINALS).isdisjoint(words):
        return False  # Lyon is the third largest
    if words[0] in BE or words[0] in OPEN_WORDS or words[0] in INDEFINITE:
        return False  # the pia mater, is attached; or pressure gauge; a colour that they like
    for i in clause[1:]:
        if not found.shown[i].islower() or not found.has_meaning(i):
            continue
        if found.is_asked(i):
            return True
    return False


def is_lower_degree(found: FoundReference, i: int) -> bool:
    """Return whether a word is an adjective of which the question has the superlative: tall."""
    if found.words[i].endswith(SUPERLATIVE_ENDING):
        return False
    roots = [find_root(word) for word in found.question.words if word.endswith(SUPERLATIVE_ENDING)]
    return any(is_same_degree(find_root(found.words[i]), root) for root in roots)


def says_also(words: Sequence[str]) -> bool:
    """Return whether a clause has "also", "as well" or the like."""
    text = f" {' '.join(words)} "
    return not ALSO_WORDS.isdisjoint(words) or any(f" {phrase} " in text for phrase in ALSO_PHRASES)


def read_subject(found: FoundReference, start: int) -> range:
    """Return the range of a new thing, or an empty one at a hedge, pronoun or known word."""
    if found.words[start] in NO_THING or start in found.answer.hedges:
        return range(0)
    thing = found.read_thing(start, is_noun=True)
    return range(0) if all(found.is_known(i) for i in thing) else thing
