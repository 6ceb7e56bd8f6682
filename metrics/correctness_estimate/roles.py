"""Lists and roles: items that are missing, added or left open, and two things that have changed
their roles.
"""

import re
from collections.abc import Iterator

from .lexicon import BE, IRREGULAR_PAST, NAME_VERB, PARTICIPLE, STOP_WORDS
from .opposites import opposites
from .polarity import PRONOUNS
from .text import HAN_RANGES, Text, stem_word
from .outcomes import EQUAL, Decision

from .lists import Finding

from .candidates import SHORT_ANSWER

# Between two things such words say which is which; "and" or "with" do not.
DIRECTED = frozenset("to over than before after of from under above beats into for onto by".split())
JOINTS = frozenset("and or with".split())
SYMMETRIC = frozenset(
    "versus vs & married met between meets marry against both equal equals same".split()
)
FARTHEST_BE = 2  # words before a participle: was not beaten
MOST_WORDS = (
    30  # of a text whose roles are compared; in longer ones things stand side by side by chance
)
SAME_BEGINNING = 4  # letters by which forms of an irregular verb are told: beat, beaten


# ---- roles


def compare_roles(answer: Text, reference: Text, question: Text) -> Iterator[Finding]:
    """Yield that two things of the reference have changed their roles: Aristotle was the teacher of
    Plato.
    """
    exchange = measure_exchange(answer, reference)
    if exchange < 0 and not says_the_same_things(answer, reference):
        return
    if exchange < 0 or (
        not exchange and asks_for_both(question) and has_exchanged_names(answer, reference)
    ):
        yield Finding("roles", 1.0, answer.text.strip(), reference.text.strip())


LEAST_SHARED, MOST_LONGER = (
    0.7,
    8,
)  # of a sentence's words that another form of it has; words that it may have more


def says_the_same_things(answer: Text, reference: Text) -> bool:
    """Return whether an answer has nearly all the words of a reference, or their opposites, and few
    others.
    """
    shared = sum(
        has_stem_or_opposite(answer, stem) or has_form(answer, stem) for stem in reference.content
    )
    is_short = len(answer.words) <= len(reference.words) + MOST_LONGER
    return is_short and shared >= LEAST_SHARED * len(reference.content)


def has_form(text: Text, stem: str) -> bool:
    """Return whether a text has a word with the same beginning, or of the same irregular verb."""
    root = IRREGULAR_PAST.get(stem, stem)[:SAME_BEGINNING]
    return len(root) > 2 and any(
        IRREGULAR_PAST.get(word, word)[: len(root)] == root for word in text.words
    )


def decide_roles(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer says the same the other way round: Denmark lies south of Norway.

    Return None otherwise.
    """
    if measure_exchange(answer, reference) <= 0 or answer.denials or reference.denials:
        return None
    if not all(has_stem_or_opposite(answer, stem) for stem in reference.content):
        return None
    return Decision(EQUAL, "roles", answer.text.strip(), reference.text.strip())


def has_stem_or_opposite(text: Text, stem: str) -> bool:
    """Return whether a text has a word or one of its opposites."""
    return stem in text.places or any(other in text.places for other in opposites().get(stem, ()))


def measure_exchange(answer: Text, reference: Text) -> int:
    """Return -1 where two things have changed their roles, 1 where the answer says the same turned
    round, else 0.
    """
    if reference.is_chinese:
        return -has_chinese_exchange(answer.text, reference.text)
    if (
        not 2 < len(answer.words) <= MOST_WORDS
        or not says_relation(reference)
        or is_symmetric(reference)
    ):
        return 0
    if says_both_sides(answer, reference):
        return 0
    said, wanted = read_route(answer), read_route(reference)
    if said and wanted and said[0] & wanted[1] and said[1] & wanted[0]:
        return -1
    votes = [
        vote
        for pivot in list_pivots(reference)
        for vote in compare_around(answer, reference, pivot)
    ]
    if not votes or min(votes) == 0 == max(votes):
        return 0
    return 1 if max(votes) > 0 else -1 if 0 not in votes else 0


def compare_around(answer: Text, reference: Text, pivot: int) -> Iterator[int]:
    """Yield -1 where things around a word have changed sides, 1 where they are turned round
    rightly, 0 where not.
    """
    for other in find_pivot(answer, reference.words[pivot]):
        turned = is_turned(answer, other, reference, pivot)
        if turned is None:
            continue
        flips = is_passive(answer, other) != is_passive(reference, pivot)
        flips ^= has_opposite_pivot(answer, reference)
        yield -1 if turned != flips else int(turned)


QUESTION_WORDS = frozenset("who whom which what wer wen qui quien 谁".split())
# Verbs whose subject is the one to whom it happens.
SUFFERING = frozenset(
    "lost fell yielded surrendered succumbed received got learned learnt suffered borrowed "
    "inherited followed "
    "lost fled was "
    "is were are been".split()
)


def asks_for_both(question: Text) -> bool:
    """Return whether a question asks for both sides of a relation: who beat whom, which bought
    which.
    """
    return sum(word in QUESTION_WORDS for word in question.words) > 1


def has_exchanged_names(answer: Text, reference: Text) -> bool:
    """Return whether two names, with whatever verb between them, stand in an answer the other way
    round.
    """
    names = [
        i
        for i, shown in enumerate(reference.shown)
        if shown[0].isupper() and reference.words[i] not in STOP_WORDS
    ]
    if (
        len(names) < 2
        or len(answer.words) > SHORT_ANSWER
        or SUFFERING & {*answer.words, *reference.words}
    ):
        return False
    first, last = reference.stems[names[0]], reference.stems[names[-1]]
    if first == last or first not in answer.places or last not in answer.places or answer.denials:
        return False
    return answer.places[last][-1] < answer.places[first][0]


def is_symmetric(text: Text) -> bool:
    """Return whether a text says of two things what holds either way round: A met B, A and B are
    twins.
    """
    words = set(text.words)
    return bool(SYMMETRIC & words) or bool(JOINTS & words and not DIRECTED & words)


def says_relation(text: Text) -> bool:
    """Return whether a text is a sentence, or has a word of its own between two names: Socrates
    taught Plato.
    """
    if is_sentence(text):
        return True
    if not 2 < len(text.words) <= MOST_WORDS or text.sentence[-1] > 0:
        return False
    if text.words[0] in PRONOUNS or text.words[0] == "from":
        return True
    if text.words[0] == "the" and any(
        IRREGULAR_PAST.get(word) or NAME_VERB.match(word) for word in text.words[2:-1]
    ):
        return True
    capitals = [i for i, shown in enumerate(text.shown) if shown[0].isupper()]
    if len(capitals) < 2:
        return False
    between = range(capitals[0] + 1, capitals[-1])
    return any(text.shown[i].islower() and text.words[i] not in STOP_WORDS for i in between)


def says_both_sides(answer: Text, reference: Text) -> bool:
    """Return whether an answer has a word of the reference and its opposite: the larger one, the
    smaller one.
    """
    table = opposites()
    shared = [stem for stem in reference.content if stem in answer.places]
    return any(other in answer.places for stem in shared for other in table.get(stem, ()))


ROUTE_END = frozenset("to into towards toward till until onto".split())


def read_route(text: Text) -> tuple[set[str], set[str]] | None:
    """Return the stems of where something goes from, and of where to.

    It is empty where a text does not say both.
    """
    if "from" not in text.first_place:
        return None
    start = text.first_place["from"]
    ends = [i for i, word in enumerate(text.words) if word in ROUTE_END]
    if not ends:
        return None
    end = next((i for i in ends if i > start), ends[-1])
    if end > start:
        source, target = range(start + 1, end), range(end + 1, len(text.words))
    else:
        source, target = range(start + 1, len(text.words)), range(end + 1, start)
    stems = [
        {text.stems[i] for i in words if text.words[i] not in STOP_WORDS}
        for words in (source, target)
    ]
    bare = [{strip_comparative(stem) for stem in side} for side in stems]
    return bare[0] - bare[1], bare[1] - bare[0]


def strip_comparative(stem: str) -> str:
    """Return an adjective without its comparative: hotter is hot, colder is cold."""
    if not stem.endswith("er") or len(stem) < 5:
        return stem
    return stem[:-3] if stem[-3] == stem[-4] else stem[:-2]


LONGEST_EXCHANGE = 16  # characters of a Chinese sentence whose parts are exchanged one by one
CHINESE_PASSIVE = re.compile(
    rf"([{HAN_RANGES}]{{2,6}})被([{HAN_RANGES}]{{2,6}}?)([{HAN_RANGES}]{{2}})了?$"
)


def has_chinese_exchange(answer: str, reference: str) -> bool:
    """Return whether two things have changed their roles in a short Chinese sentence.

    >>> has_chinese_exchange("曹操被袁绍打败", "曹操打败袁绍")
    True
    >>> has_chinese_exchange("地球比太阳大", "太阳比地球大")
    True
    """
    answer, reference = answer.strip(" 。."), reference.strip(" 。.")
    passive = CHINESE_PASSIVE.search(answer)
    if passive and "被" not in reference:
        patient, agent, verb = passive.groups()
        return reference.startswith(patient + verb) and agent in reference[len(patient + verb) :]
    if (
        len(answer) != len(reference)
        or not 4 < len(reference) <= LONGEST_EXCHANGE
        or answer == reference
    ):
        return False
    end = len(reference)
    for first in range(1, end):
        for second in range(first + 1, end):
            one, middle = reference[:first], reference[first:second]
            for third in range(second + 1, end + 1):
                other, rest = reference[second:third], reference[third:]
                if answer == other + middle + one + rest and one != other:
                    return middle[0] not in "和与及、" and (middle != "是" or bool(rest))
    return False


def is_sentence(text: Text) -> bool:
    """Return whether a text is one sentence of some words: it has a form of "be", or ends with a
    full stop.
    """
    if not 2 < len(text.words) <= MOST_WORDS or text.sentence[-1] > 0:
        return False
    return bool(BE & set(text.words)) or text.text.rstrip().endswith((".", "。"))


def is_passive(text: Text, i: int) -> bool:
    """Return whether a word is the participle of a passive: was beaten, can be stored."""
    if i > 0 and text.words[i - 1] == "suffered":
        return True  # suffered defeat at the hands of
    has_be = bool(BE & set(text.words[max(0, i - FARTHEST_BE) : i]))
    return has_be and PARTICIPLE.search(text.words[i]) is not None


def list_pivots(text: Text) -> list[int]:
    """Return the words of a sentence that say what one thing is to another: verbs, comparisons,
    prepositions.
    """
    names = {i for start, end in text.names for i in range(start, end)}
    inner = [i for i in range(1, len(text.words) - 1) if i not in names]
    figures = {i for one in text.quantities for i in text.words_between(one.start, one.end)}
    content = [
        i for i in inner if text.words[i] not in STOP_WORDS and text.words[i] not in DIRECTED
    ]
    content = [
        i
        for i in content
        if i not in figures and not JOINTS & {text.words[i - 1], text.words[i + 1]}
    ]
    directed = [i for i in inner if text.words[i] in DIRECTED]
    return [*content, *directed]


def find_pivot(answer: Text, word: str) -> list[int]:
    """Return where an answer has a word, another form of it, or its opposite."""
    stem = stem_word(word)
    against = opposites().get(stem, frozenset())
    root = IRREGULAR_PAST.get(word, word)
    found = list[int]()
    for i in range(1, len(answer.words) - 1):
        other = IRREGULAR_PAST.get(answer.words[i], answer.words[i])
        is_form = min(len(root), len(other)) > 2 and other[:SAME_BEGINNING] == root[:SAME_BEGINNING]
        if (
            answer.stems[i] == stem
            or answer.stems[i] in against
            or (is_form and word not in DIRECTED)
        ):
            found.append(i)
    return found


def is_turned(
    answer: Text,
    at: int,
    reference: Text,
    pivot: int,
) -> bool | None:
    """Return whether the things on either side of a pivot have changed sides.

    None where the same things do not stand on either side.
    """
    before, behind = (
        collect_things(reference, 0, pivot),
        collect_things(reference, pivot + 1, len(reference.words)),
    )
    own_before, own_behind = (
        collect_things(answer, 0, at),
        collect_things(answer, at + 1, len(answer.words)),
    )
    before, behind = before - behind, behind - before
    own_before, own_behind = own_before - own_behind, own_behind - own_before
    is_straight = bool(before & own_before) and bool(behind & own_behind)
    is_crossed = bool(before & own_behind) and bool(behind & own_before)
    if is_straight == is_crossed:
        return None
    return is_crossed


def collect_things(text: Text, start: int, end: int) -> set[str]:
    """Return the stems that name things from one word up to another: names if there are any, else
    what tells something.

    Of a name the last word counts.
    """
    names = {text.stems[stop - 1] for first, stop in text.names if start <= first and stop <= end}
    if (
        start == 0
        and end > 0
        and text.shown[0][0].isupper()
        and text.words[0] not in STOP_WORDS
        and not names
    ):
        names = {text.stems[0]} if end == 1 else set()
    if names:
        return names
    return {text.stems[i] for i in range(start, end) if text.words[i] not in STOP_WORDS | DIRECTED}


def has_opposite_pivot(answer: Text, reference: Text) -> bool:
    """Return whether an odd number of the reference's words have their opposites in the answer."""
    count = 0
    for stem in set(reference.stems):
        against = opposites().get(stem, frozenset())
        count += stem not in answer.places and any(other in answer.places for other in against)
    return count % 2 == 1
