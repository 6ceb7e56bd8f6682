"""Two things that have changed their roles: "Ann taught Bob" and "Bob taught Ann".

Around a word that tells a relation (a verb, a noun, a comparison, a preposition) two things stand
on two sides. An answer that has the same two things around such a word, on the other sides, says
the reverse, unless the word tells the relation from the other side, too: "Bob learned from Ann".
"""

from collections.abc import Iterator, Sequence

from .candidates import DETERMINERS, SHORT_ANSWER
from .lexicon import BE, IRREGULAR_PAST, NAME_VERB, PARTICIPLE, STOP_WORDS
from .lists import Finding
from .opposites import map_opposites
from .outcomes import EQUAL, Decision
from .polarity import PRONOUNS
from .relations import (
    BACKWARD,
    EXCHANGED,
    FORWARD,
    TURNED_ROUND,
    compare_relations,
    decide_comparison,
    find_base,
    is_told_backwards,
    join_phrase,
    measure_chinese_exchange,
    tells_relation,
)
from .text import Text


# ---- roles

# Between two things such words say which is which; "and" or "with" do not.
DIRECTED = frozenset("to over than before after of from under above beats into for onto by".split())
PLACE_WORDS = frozenset("above under of from for onto".split())
ORDERING = frozenset("before then".split())  # first the sand, then the water
JOINTS = frozenset("and or with".split())
SYMMETRIC = frozenset(
    "versus vs & married met between meets marry against both equal equals same".split()
)
RELATIVE_PRONOUNS = frozenset("that which whom".split())
LONGEST_SUBJECT = 3  # words between "that" and a verb
OBJECT_PRONOUNS = frozenset("him her them it".split())
CONTEST = "defeat"
NO_SUBJECT = BE | frozenset("do does did can could would".split())  # whom did they beat
DOER_NOUN = ("er", "or")  # winner, victor
LONGEST_ASKED = 4  # words of a question up to its verb: which team won
HAVE = frozenset("has have had hat hatte".split())
FARTHEST_BE = 2  # words before a participle: was not beaten
MOST_WORDS = 30  # of a text whose roles are compared; in longer ones things are near by chance
SAME_BEGINNING = 4  # letters by which forms of a word are told: dense, denser
LEAST_SHARED = 0.7  # of a sentence's words that another form of it has
MOST_LONGER = 8  # words that another form of a sentence may have more
QUESTION_WORDS = frozenset("who whom whose which what wer wen qui quien 谁".split())
BY = frozenset("by von durch par por".split())  # before the doer: beaten by Ann
ROUTE_START = frozenset("from left leaves leave leaving started starts departed departs".split())
ROUTE_END = frozenset(
    "to into towards toward till until onto reached reaches arrived arrives ended ends".split()
)
# Words of a sentence that tell nothing of its relation's direction.
NO_PIVOTS = STOP_WORDS | DIRECTED | BE | DETERMINERS

# ---- what is found


def compare_roles(answer: Text, reference: Text, question: Text) -> Iterator[Finding]:
    """Yield that two things of the reference have changed roles: Aristotle taught Plato."""
    is_exchanged = has_exchanged_roles(answer, reference)
    if asks_for_both(question) and measure_exchange(answer, reference) is None:
        is_exchanged = has_exchanged_names(answer, reference)
    if is_exchanged or has_lost_contest(answer, reference, question):
        yield Finding("roles", 1.0, answer.text.strip(), reference.text.strip())


def has_lost_contest(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer makes the reference a loser where a question asks for the winner.

    So does "Spain lost to Italy" beside the reference Spain.
    """
    asked = find_asked_contest(question)
    if not asked or len(answer.words) > MOST_WORDS or answer.denials:
        return False
    own = {stem for stem in reference.content if stem not in question.places}
    votes = set[bool]()
    for i, word in enumerate(answer.words):
        relation = compare_relations(asked, word)
        before = answer.words[max(0, i - 1) : i]
        is_noun = word.endswith(DOER_NOUN) or not DETERMINERS.isdisjoint(before)
        if not relation or is_noun or word in STOP_WORDS:
            continue
        doer, other = read_sides(answer, i)
        winner, loser = (doer, other) if relation == FORWARD else (other, doer)
        if own.isdisjoint(winner) != own.isdisjoint(loser):
            votes.add(own.isdisjoint(winner))
    return votes == {True}


def find_asked_contest(question: Text) -> str:
    """Return the verb of a question for who won or lost something, or ""."""
    for i in range(1, min(LONGEST_ASKED, len(question.words))):
        word = question.words[i]
        if compare_relations(word, CONTEST) and QUESTION_WORDS & set(question.words[:i]):
            return "" if not NO_SUBJECT.isdisjoint(question.words[:i]) else word
    return ""


def has_exchanged_roles(answer: Text, reference: Text) -> bool:
    """Return whether two things of the reference have changed their roles in an answer."""
    is_exchanged = measure_exchange(answer, reference) == EXCHANGED
    return is_exchanged and says_the_same_things(answer, reference)


def decide_roles(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer says the same the other way round: Denmark lies south of Norway.

    Return None otherwise.
    """
    comparison = decide_comparison(answer, reference, question)
    if comparison:
        return comparison
    if measure_exchange(answer, reference) != TURNED_ROUND:
        return None
    # 泰山没有黄山高 denies nothing.
    if not answer.is_chinese and (answer.denials or reference.denials):
        return None
    if not all(has_equivalent(answer, i, reference) for i in list_content(reference)):
        return None
    return Decision(EQUAL, "roles", answer.text.strip(), reference.text.strip())


def says_the_same_things(answer: Text, reference: Text) -> bool:
    """Return whether an answer has nearly all words of a reference, or opposites, and few more."""
    content = list_content(reference)
    shared = sum(has_equivalent(answer, i, reference) for i in content)
    is_short = count_words_beside(answer, reference) <= len(reference.words) + MOST_LONGER
    return is_short and shared >= LEAST_SHARED * len(content)


def count_words_beside(answer: Text, reference: Text) -> int:
    """Return how many words the sentences of an answer have that share a word with a reference."""
    sentences = set[int]()
    for stem in reference.content:
        sentences.update(answer.sentence[i] for i in answer.places.get(stem, ()))
    return sum(sentence in sentences for sentence in answer.sentence)


def list_content(text: Text) -> list[int]:
    """Return the words that tell something."""
    return [i for i, word in enumerate(text.words) if word not in STOP_WORDS]


def has_equivalent(answer: Text, i: int, reference: Text) -> bool:
    """Return whether an answer has a word of the reference in some form or another word for it.

    Its opposite or another word for its relation will do.
    """
    if reference.stems[i] in answer.places:
        return True
    return any(compare_words(reference, i, answer, j) for j in range(len(answer.words)))


# ---- whether two things are exchanged


def measure_exchange(answer: Text, reference: Text) -> int | None:
    """Return -1 where two things have changed their roles, 1 where the answer turns all round.

    Return 0 where it says the same, and None where words do not tell.
    """
    if reference.is_chinese:
        return measure_chinese_exchange(answer.text, reference.text)
    if len(answer.words) <= MOST_WORDS and has_exchanged_route(answer, reference):
        return -1
    if not can_exchange_roles(answer, reference):
        return 0
    votes: dict[str, list[int]] = {"relation": [], "word": [], "preposition": []}
    for pivot in list_pivots(reference):
        votes[sort_pivot(reference.words[pivot])] += compare_around(answer, reference, pivot)
    vote = join_votes(votes["relation"] or votes["word"])
    if vote or has_passive(answer) != has_passive(reference):
        return vote
    return join_votes(votes["preposition"]) or vote


def can_exchange_roles(answer: Text, reference: Text) -> bool:
    """Return whether a reference has roles that an answer of some words can exchange."""
    if not 2 < len(answer.words) <= MOST_WORDS:
        return False
    if not says_relation(reference) or is_symmetric(reference):
        return False
    return not says_both_sides(answer, reference)


def sort_pivot(word: str) -> str:
    """Return of what sort a word is that tells what one thing is to another."""
    if word in DIRECTED:
        return "preposition"
    return "relation" if tells_relation(word) else "word"


def join_votes(votes: Sequence[int]) -> int | None:
    """Return what several words say.

    That the same is told turned round goes before that nothing has changed, and this before that
    two things are exchanged.
    """
    return next((vote for vote in (1, 0, -1) if vote in votes), None)


def compare_around(answer: Text, reference: Text, pivot: int) -> Iterator[int]:
    """Yield -1 where things around a word have changed sides, 1 where all is turned, else 0."""
    places = answer.places.get(reference.stems[pivot], [])
    if not places:
        places = [i for i in range(len(answer.words)) if compare_words(reference, pivot, answer, i)]
    if len(places) != 1:
        return  # of two such words each may tell of other things
    i = places[0]
    is_turned = compare_sides(answer, i, reference, pivot)
    if is_turned is None:
        return
    relation = compare_words(reference, pivot, answer, i)
    flips = (relation == BACKWARD) != has_other_opposite(answer, i, reference, pivot)
    yield -1 if is_turned != flips else int(is_turned)


def compare_words(reference: Text, i: int, answer: Text, j: int) -> int:
    """Return 1 where two words tell one relation from the same side, -1 from the other, else 0.

    The same is told by forms of one word, from opposite sides by opposites: older, younger.
    """
    word, other = reference.words[i], answer.words[j]
    stem, other_stem = reference.stems[i], answer.stems[j]
    if compare_relations(word, other) == BACKWARD:
        return BACKWARD  # depends, dependency
    if stem == other_stem or is_same_form(word, other):
        return -1 if is_lessened(answer, j, reference) else 1
    if other_stem in map_opposites().get(stem, ()):
        return -1
    if word in ORDERING and other in ORDERING:
        return 1
    if word in NO_PIVOTS and other in NO_PIVOTS:
        return 0
    return compare_relations(join_phrase(reference.words, i), join_phrase(answer.words, j))


def is_lessened(answer: Text, i: int, reference: Text) -> bool:
    """Return whether "less" stands before a word, and the reference does not have it."""
    return i > 0 and answer.words[i - 1] == "less" and "less" not in reference.first_place


def is_same_form(one: str, other: str) -> bool:
    """Return whether two words are forms of one: beat and beaten, dense and denser."""
    if one in NO_PIVOTS or other in NO_PIVOTS:
        return one == other
    shorter, longer = sorted((find_base(one), find_base(other)), key=len)
    return len(shorter) > 2 and longer.startswith(shorter[:SAME_BEGINNING])


def has_other_opposite(answer: Text, i: int, reference: Text, pivot: int) -> bool:
    """Return whether the answer has the opposites of an odd number of words, but the pivot's."""
    count = 0
    for stem in set(reference.stems) - {reference.stems[pivot]}:
        against = map_opposites().get(stem, frozenset()) - {answer.stems[i]}
        count += stem not in answer.places and not answer.places.keys().isdisjoint(against)
    return count % 2 == 1


def says_both_sides(answer: Text, reference: Text) -> bool:
    """Return whether an answer has a word of the reference and its opposite: larger, smaller."""
    table = map_opposites()
    for stem in reference.content:
        others = table.get(stem, frozenset()) - reference.places.keys()
        if stem in answer.places and not answer.places.keys().isdisjoint(others):
            return True
    return False


def list_pivots(text: Text) -> list[int]:
    """Return the words of a sentence that say what one thing is to another.

    They are verbs, comparisons and prepositions.
    """
    named = set[int]()
    for start, end in text.names:
        named.update(range(start, end))
    figures = set[int]()
    for quantity in text.quantities:
        figures.update(text.words_between(quantity.start, quantity.end))
    places = [i for i in range(1, len(text.words)) if i not in named]
    return [i for i in places if is_pivot(text, i, figures)]


def is_pivot(text: Text, i: int, figures: set[int]) -> bool:
    """Return whether a word outside names may say what one thing is to another.

    Args:
        text: the sentence.
        i: the place of the word.
        figures: the places of the words that are figures.
    """
    if i + 1 == len(text.words) and not find_owner(text, i):
        return False
    if text.words[i] in DIRECTED:
        return True
    if text.words[i] in NO_PIVOTS or i in figures:
        return False
    neighbours = (text.words[i - 1], *text.words[i + 1 : i + 2])
    return JOINTS.isdisjoint(neighbours)


# ---- the two sides of a word


def compare_sides(answer: Text, i: int, reference: Text, pivot: int) -> bool | None:
    """Return whether the things on either side of a word have changed sides.

    None where the same things do not stand on either side.
    """
    doer, other = read_sides(reference, pivot)
    own_doer, own_other = read_sides(answer, i)
    is_straight = not doer.isdisjoint(own_doer) and not other.isdisjoint(own_other)
    is_crossed = not doer.isdisjoint(own_other) and not other.isdisjoint(own_doer)
    return None if is_straight == is_crossed else is_crossed


def read_sides(text: Text, pivot: int) -> tuple[set[str], set[str]]:
    """Return the things on the side of the one who does something, and those on the other side.

    The one stands before the word, in a passive behind "by"; an owner before it is on the other
    side: "Bob is Ann's pupil" is "Bob is the pupil of Ann".
    """
    end = len(text.words)
    before, behind = range(pivot), range(pivot + 1, end)
    owner = find_owner(text, pivot)
    subject = find_relative_subject(text, pivot)
    if subject:
        doer = collect_things(text, subject)
        rest = collect_things(text, range(subject.start)) | collect_things(text, behind)
        return doer, rest - doer
    by = find_doer(text, pivot)
    if by:
        doer = collect_things(text, by)
        other = collect_things(text, range(min(pivot, by.start - 1)))
        other |= collect_things(text, range(pivot + 1, by.start - 1))
    elif is_passive(text, pivot):
        doer, other = collect_things(text, behind), collect_things(text, before)
    elif owner:
        doer = collect_things(text, range(owner.start))
        other = collect_things(text, owner)
        doer |= set() if doer else collect_things(text, behind)
    elif is_earlier_object(text, pivot):
        start = text.clause.index(text.clause[pivot])
        doer, other = collect_things(text, range(start, pivot)), collect_things(text, range(start))
    elif has_possessed(text, pivot):
        doer, other = collect_things(text, behind), collect_things(text, before)
    else:
        doer, other = collect_things(text, before), collect_things(text, behind)
    return doer - other, other - doer


def is_earlier_object(text: Text, pivot: int) -> bool:
    """Return whether a pronoun behind a verb means a thing of an earlier clause: Ann shot him."""
    following = text.words[pivot + 1 : pivot + 2]
    return not OBJECT_PRONOUNS.isdisjoint(following) and text.clause[pivot] > 0


def has_possessed(text: Text, pivot: int) -> bool:
    """Return whether a noun stands behind "has a": Ann has a daughter, Eve."""
    before = text.words[max(0, pivot - FARTHEST_BE) : pivot]
    return not HAVE.isdisjoint(before) and not DETERMINERS.isdisjoint(before[-1:])


def find_relative_subject(text: Text, pivot: int) -> range:
    """Return the words between "that" and a verb: the coat that Ann lent her, or none."""
    for i in range(pivot - 1, max(-1, pivot - LONGEST_SUBJECT - 2), -1):
        if text.words[i] in RELATIVE_PRONOUNS and i:
            has_thing = any(text.words[j] not in NO_PIVOTS for j in range(i + 1, pivot))
            return range(i + 1, pivot) if has_thing else range(0)
    return range(0)


def find_owner(text: Text, pivot: int) -> range:
    """Return the words of an owner before a noun, or none: Ann's, in "Ann's pupil"."""
    for i in range(pivot - 1, max(-1, pivot - 1 - FARTHEST_BE), -1):
        if text.words[i].endswith("'s") and text.words[i] not in STOP_WORDS:
            start = next((first for first, stop in text.names if first <= i < stop), i)
            return range(start, i + 1)
    return range(0)


def find_doer(text: Text, pivot: int) -> range:
    """Return the words behind "by" of a passive: was beaten by Ann, wurde von Ann besiegt."""
    words = text.words
    first_be = next((i for i, word in enumerate(words[:pivot]) if word in BE), None)
    if first_be is None:
        return range(0)
    by = next((i for i in range(first_be, len(words) - 1) if words[i] in BY), None)
    if by is None:
        return range(0)
    if by <= pivot:
        return range(by + 1, pivot)
    return range(by + 1, len(words)) if is_passive(text, pivot) else range(0)


def is_passive(text: Text, i: int) -> bool:
    """Return whether a word is the participle of a passive: was beaten, can be stored."""
    before = text.words[max(0, i - FARTHEST_BE) : i]
    if not DETERMINERS.isdisjoint(before[-1:]):
        return False  # was a patient
    if "suffered" in before[-1:]:
        return True  # suffered defeat at the hands of
    # Before "by" any form is a participle: was shot by.
    if not BE.isdisjoint(before) and text.words[i + 1 : i + 2] in (["by"], ["por"]):
        return True
    is_french = "ete" in before or "fue" in before
    return not BE.isdisjoint(before) and (is_french or bool(PARTICIPLE.search(text.words[i])))


def has_passive(text: Text) -> bool:
    """Return whether a text says something in the passive."""
    return any(is_passive(text, i) for i in range(len(text.words)))


def collect_things(text: Text, places: range) -> set[str]:
    """Return the stems that name things among some words.

    These are names, of which the last word counts, or else the words that tell something.
    """
    names = set[str]()
    for start, stop in text.names:
        if places.start <= start and stop <= places.stop:
            names.add(text.stems[stop - 1])
    if names:
        return names
    if places == range(1) and text.words[0] not in STOP_WORDS and text.shown[0][0].isupper():
        return {text.stems[0]}
    return {text.stems[i] for i in places if text.words[i] not in NO_PIVOTS}


# ---- what a sentence is


def asks_for_both(question: Text) -> bool:
    """Return whether a question asks for both sides of a relation: who beat whom."""
    return sum(word in QUESTION_WORDS for word in question.words) > 1


def is_symmetric(text: Text) -> bool:
    """Return whether a text says what holds either way round: A met B, A and B are twins."""
    words = set(text.words)
    return bool(SYMMETRIC & words) or bool(JOINTS & words and not DIRECTED & words)


def says_relation(text: Text) -> bool:
    """Return whether a text tells a relation of two things, with or without a full stop."""
    if is_sentence(text):
        return True
    if not has_length_of_sentence(text):
        return False
    if text.words[0] in PRONOUNS or text.words[0] == "from":
        return True
    if text.words[0] == "the" and any(is_verb(word) for word in text.words[2:-1]):
        return True
    return has_word_between_names(text) or has_word_between_things(text)


def has_word_between_things(text: Text) -> bool:
    """Return whether two things have a preposition or a verb of a relation between them.

    So do "light into electricity" and "bees pollinate clover".
    """
    last = len(text.words) - 1
    for i in range(1, last):
        is_between = text.words[i - 1] not in NO_PIVOTS
        if not is_between or not JOINTS.isdisjoint(text.words):
            continue
        if text.words[i] in DIRECTED - PLACE_WORDS or tells_relation(text.words[i]):
            return True
    return (
        last == 2 and NO_PIVOTS.isdisjoint(text.words) and text.words[1].endswith(("s", "ed", "te"))
    )


def is_verb(word: str) -> bool:
    """Return whether a word has the form of a verb."""
    return word in IRREGULAR_PAST or NAME_VERB.match(word) is not None


def has_word_between_names(text: Text) -> bool:
    """Return whether a text has a word of its own between two names: Socrates taught Plato."""
    capitals = [i for i, shown in enumerate(text.shown) if shown[0].isupper()]
    if len(capitals) < 2:
        return False
    between = range(capitals[0] + 1, capitals[-1])
    return any(text.shown[i].islower() and text.words[i] not in STOP_WORDS for i in between)


def has_length_of_sentence(text: Text) -> bool:
    """Return whether a text has some words, in one sentence."""
    return 2 < len(text.words) <= MOST_WORDS and text.sentence[-1] == 0


def is_sentence(text: Text) -> bool:
    """Return whether a text is one sentence: it has a form of "be", or ends with a full stop."""
    if not has_length_of_sentence(text):
        return False
    return not BE.isdisjoint(text.words) or text.text.rstrip().endswith((".", "。"))


# ---- names that are exchanged, whatever verb stands between them


def has_exchanged_names(answer: Text, reference: Text) -> bool:
    """Return whether two names stand the other way round, with whatever verb between them."""
    names = [i for i in list_content(reference) if reference.shown[i][0].isupper()]
    if len(names) < 2 or len(answer.words) > SHORT_ANSWER or answer.denials:
        return False
    words = (*answer.words, *reference.words)
    if not BE.isdisjoint(words) or any(is_told_backwards(word) for word in words):
        return False  # whichever stands first, the verb may say it from the other side
    first, last = reference.stems[names[0]], reference.stems[names[-1]]
    if first == last or first not in answer.places or last not in answer.places:
        return False
    return answer.places[last][-1] < answer.places[first][0]


# ---- a way from one place to another, and the same way back: from Hull to Oslo


def has_exchanged_route(answer: Text, reference: Text) -> bool:
    """Return whether an answer goes from where the reference goes to, and the other way round."""
    said, wanted = read_route(answer), read_route(reference)
    if not said or not wanted:
        return False
    return not said[0].isdisjoint(wanted[1]) and not said[1].isdisjoint(wanted[0])


def read_route(text: Text) -> tuple[set[str], set[str]] | None:
    """Return the stems of where something goes from, and of where to.

    It is empty where a text does not say both.
    """
    starts = [i for i, word in enumerate(text.words) if word in ROUTE_START]
    ends = [i for i, word in enumerate(text.words) if word in ROUTE_END]
    has_by = not BY.isdisjoint(text.words)
    if not starts and not has_by and len(ends) == 1 and 0 < ends[0] < len(text.words) - 1:
        return read_route_without_start(text, ends[0])
    if not starts or not ends:
        return None
    start = starts[0]
    end = next((i for i in ends if i > start), ends[-1])
    n_words = len(text.words)
    source = collect_places(text, range(start + 1, end if end > start else n_words))
    target = collect_places(text, range(end + 1, n_words if end > start else start))
    return source - target, target - source


def read_route_without_start(text: Text, end: int) -> tuple[set[str], set[str]]:
    """Return the stems before "to" or "into", and those behind it: milk into the tea."""
    source = collect_places(text, range(end))
    target = collect_places(text, range(end + 1, len(text.words)))
    return source - target, target - source


def collect_places(text: Text, words: range) -> set[str]:
    """Return the stems of some words that tell something, without their comparatives."""
    stems = [text.stems[i] for i in words if text.words[i] not in STOP_WORDS]
    return {strip_comparative(stem) for stem in stems}


def strip_comparative(stem: str) -> str:
    """Return an adjective without its comparative: hotter is hot, colder is cold."""
    if not stem.endswith("er") or len(stem) < 5:
        return stem
    return stem[:-3] if stem[-3] == stem[-4] else stem[:-2]
