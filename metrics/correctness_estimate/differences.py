"""What an answer says otherwise than a reference: numbers, dates, units, names, and whether something is denied."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from .quantities import Quantity, agree, compatible
from .wording import HAN, Text, alike, stem
from .stand import figures, same_figure
from .word_lists import NEGATIVE_PREFIX, NEGATORS, NICKNAMES, STOP, TITLES
from .chinese_names import chinese_rival, differing_in_chinese
from .wording import Difference

ALIKE = 0.75  # by pairs of characters: another spelling of the same word
VERB = re.compile("(?:is|was|were|are|has|had|did|won|wrote|became|made|built|found|sang|led|took|ran|[a-z]{2,}ed)$")
MOST_NAMED = 400  # words of all names of a text that are compared with the other's
LONGEST = 800  # characters of two Chinese texts together that are compared one by one
SOFT_DENIALS = re.compile("unable|impossib|fail|lack|absen|refus|illegal|forbid|prohibit|ban|prevent|without|unlike")


def besides(text: Text, other: Text) -> list[Quantity]:
    """Return the numbers and dates of a text that another does not have."""
    return [one for one in text.quantities if not any(agree(one, known) for known in other.quantities)]


def differing_quantities(answer: Text, reference: Text, question: Text, told: Sequence[Quantity]) -> list[Difference]:
    """Return the numbers, dates and units of the reference that the answer gives otherwise; `told` are those of the
    answer that the question does not have.
    """
    wanted = besides(reference, question)
    rivals = [one for one in told if not any(agree(one, known) for known in reference.quantities)] if wanted else []
    found = []
    for one in wanted:
        same_digits = any(abs(rival.written) == one.written for rival in rivals)  # with another sign or unit
        if any(agree(one, other) for other in answer.quantities) or (written_out(one, answer) and not same_digits):
            continue
        if any(same_in_thousands(one, rival) for rival in rivals):
            continue
        close = max(rivals, key=lambda rival: likeness(one, rival), default=None)
        if close and likeness(one, close) > 0:
            unit = one.kind == "number" and close.written == one.written and close.unit != one.unit
            date = "date" in (one.kind, close.kind) and not tenfold(one, close)  # 1000 and 10000 are no years
            kind = "unit" if unit else "date" if date else "number"
            found.append(Difference(kind, close.text, one.text))
            if len(rivals) > 1:
                rivals.remove(close)
    return found


def tenfold(one: Quantity, other: Quantity) -> bool:
    """Return whether one figure is ten, a hundred, ... times the other."""
    less, more = sorted((abs(one.written), abs(other.written)))
    return less > 0 and more > less and more in (less * 10**power for power in range(1, 10))


def other_magnitude(answer: Text, reference: Text, question: Text, told: Sequence[Quantity]) -> bool:
    """Return whether an answer gives a number of the reference ten, a hundred, ... times too large or too small."""
    missed = [one for one in besides(reference, question) if not any(agree(one, other) for other in answer.quantities)]
    return any(tenfold(one, rival) and not same_in_thousands(one, rival) for one in missed for rival in told)


def same_in_thousands(one: Quantity, other: Quantity) -> bool:
    """Return whether one number says its thousands or millions, and the other leaves them to a table's head.

    >>> one, two, three = Text("$1577.00; $1,577 million; $1,577 thousand").quantities
    >>> same_in_thousands(one, two), same_in_thousands(two, three)
    (True, False)
    """
    if not one.kind == other.kind == "number":
        return False
    (mine, *_), (theirs, *_) = ([*figures(q.text), None] for q in (one, other))
    if not mine or not theirs or (mine.value != one.written) == (theirs.value != other.written):
        return False
    return same_figure(mine, theirs) > 0.8


def written_out(one: Quantity, answer: Text) -> bool:
    """Return whether a number stands in the answer letter by letter, as part of something else."""
    return stem(one.text.lower()) in answer.places if " " not in one.text else False


def likeness(one: Quantity, rival: Quantity) -> float:
    """Return how likely a rival stands where the other should: 0 where it tells of something else."""
    if one.kind == rival.kind == "date":
        return 3.0 + sum(a is not None and a == b for a, b in zip(one.value, rival.value, strict=True))
    if one.kind != rival.kind:
        date, number = (one, rival) if one.kind == "date" else (rival, one)
        return 0.5 if not number.dimension and sum(part is not None for part in date.value) == 1 else 0.0
    if one.dimension == rival.dimension:
        return 3.0 + (one.unit == rival.unit)
    if one.written == rival.written:
        return 2.0
    return 1.0 if compatible(one.dimension, rival.dimension) else 0.0


def has(text: Text, word: str, at: str) -> bool:
    """Return whether a text has a word (its stem is `at`), in another spelling if need be."""
    if at in text.places:
        return True
    return len(word) > 3 and any(
        abs(len(other) - len(word)) < 3 and alike(word, other) >= ALIKE for other in text.distinct
    )


def same_given(one: str, other: str) -> bool:
    """Return whether two given names can be one: an initial, a short form, another spelling."""
    if one[0] == other[0] and (
        min(len(one), len(other)) <= 2 or one.startswith(other[:4]) or other.startswith(one[:4])
    ):
        return True
    return alike(one, other) >= ALIKE or any({one, other} <= names for names in NICKNAMES)


def initials(text: Text, start: int, end: int) -> str:
    """Return the first letters of a name's words."""
    return "".join(word[0] for word in text.words[start:end] if word not in STOP)


def replaced(answer: Text, reference: Text) -> list[tuple[int, int, int, int]]:
    """Return which words of the reference the answer replaces: between the same neighbours other words stand.

    Each is (start, end) in the reference and (start, end) in the answer. An end of the text is a neighbour, too.
    """
    words, found, i = reference.stems, [], 0
    while i < len(words):
        if words[i] in answer.places:
            i += 1
            continue
        end = i + 1
        while end < len(words) and words[end] not in answer.places:
            end += 1
        if end - i <= 6 and end - i < len(words):
            stretch = between(answer, words[i - 1] if i else "", words[end] if end < len(words) else "", reference)
            if stretch:
                found.append((i, end, *stretch))
        i = end
    return found


def between(answer: Text, before: str, after: str, reference: Text) -> tuple[int, int] | None:
    """Return the first words of an answer between two neighbours, if the reference has none of them."""
    last = len(answer.stems)
    for left in answer.places[before][:50] if before else [-1]:
        right = left + 1
        while right < last and right <= left + 7 and answer.stems[right] not in reference.places:
            right += 1
        if right == left + 1:
            continue
        if (right < last and answer.stems[right] == after) or (right == last and not after):
            return left + 1, right
    return None


def differing_names(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the names of the reference in whose place the answer has another, and other given names."""
    if HAN.search(reference.text) and len(reference.words) + len(answer.words) < LONGEST:
        found = differing_in_chinese(answer, reference)
        return found or (chinese_rival(answer, reference, question) if len(reference.words) <= 6 else [])
    found = []
    for start, end, begin, stop in replaced(answer, reference):
        start, end = trimmed(reference, start, end)
        begin, stop = trimmed(answer, begin, stop)
        if (
            start == end
            or begin == stop
            or part_of_a_name(reference, start, end)
            or not named(reference, start, end)
            or not named(answer, begin, stop)
        ):
            continue
        if not same_name(answer, (begin, stop), reference, (start, end)):
            found.append(Difference("name", answer.span(begin, stop), reference.span(start, end)))
    if found:
        return found
    known = reference.places.keys() | question.places.keys()
    rivals = [name for name in [*answer.names, *subject(answer)] if not known & set(answer.stems[slice(*name)])]
    rivals = compared(answer, rivals)
    for name in compared(reference, reference.names):
        one = differing_name(answer, reference, name, question, rivals)
        if one and one not in found:
            found.append(one)
    return found


def compared(text: Text, names: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the names that begin with a capital and are no number or date, as far as they have MOST_NAMED words."""
    names = [name for name in names if named(text, *name)]
    words = accumulate(end - start for start, end in names)
    return [name for name, count in zip(names, words, strict=True) if count <= MOST_NAMED]


def part_of_a_name(text: Text, start: int, end: int) -> bool:
    """Return whether some words are part of a longer name."""
    one, other = text.names[bisect_right(text.names, (start, len(text.words))) - 1] if text.names else (0, 0)
    return one <= start and end <= other and end - start < other - one


def trimmed(text: Text, start: int, end: int) -> tuple[int, int]:
    """Return some words without the stop words at their ends."""
    while start < end and text.words[start] in STOP:
        start += 1
    while start < end and text.words[end - 1] in STOP:
        end -= 1
    return start, end


def named(text: Text, start: int, end: int) -> bool:
    """Return whether some words begin with a capital and are no number or date."""
    if not text.shown[start][0].isupper() or text.words[start] in NEGATORS:
        return False
    return not any(text.starts[start] < one.end and one.start <= text.starts[end - 1] for one in text.quantities)


def subject(text: Text) -> list[tuple[int, int]]:
    """Return the first word of a short sentence if it may be a name: a capital alone does not tell there."""
    if not 1 < len(text.words) <= 12 or not text.shown[0][0].isupper() or text.words[0] in STOP | NEGATORS | TITLES:
        return []
    return [(0, 1)] if VERB.match(text.words[1]) else []


def differing_name(
    answer: Text, reference: Text, name: tuple[int, int], question: Text, rivals: list[tuple[int, int]]
) -> Difference | None:
    """Return how an answer differs in one name of the reference."""
    places = [i for i in range(*name) if reference.words[i] not in TITLES and not reference.words[i].isdigit()]
    if not places or all(reference.stems[i] in question.places for i in places):
        return None
    there = [has(answer, reference.words[i], reference.stems[i]) for i in places]
    expected = reference.span(*name)
    if not any(there):
        rival = next((one for one in rivals if not same_name(answer, one, reference, name)), None)
        letters = initials(answer, 0, min(len(answer.words), 40))
        if initials(reference, *name) in answer.places or (
            name[1] - name[0] == 1 and expected.isupper() and reference.words[name[0]] in letters
        ):
            return None
        if rival:
            return Difference("name", answer.span(*rival), expected)
        short = len(answer.words) <= 4 and not any(s in reference.places or s in question.places for s in answer.stems)
        if (
            short
            and answer.words
            and not answer.quantities
            and not answer.denials
            and initials(answer, 0, len(answer.words)) != "".join(reference.words[slice(*name)])
        ):
            return Difference("name", answer.text.strip(), expected)
        return None
    if len(places) > 1 and there[-1] and not there[0]:
        last = answer.places.get(reference.stems[places[-1]], [0])[0]
        before = last - 1
        if before >= 0 and answer.shown[before][0].isupper() and answer.sentence[before] == answer.sentence[last]:
            word = answer.words[before]
            strange = word not in TITLES and word not in STOP and answer.stems[before] not in question.places
            if strange and not any(same_given(word, reference.words[i]) for i in places[:-1]):
                return Difference("given_name", answer.span(before, last + 1), expected)
    if len(places) > 1 and there[0] and not there[-1] and len(places) == 2:
        after = answer.places.get(reference.stems[places[0]], [len(answer.words)])[0] + 1
        if (
            after < len(answer.words)
            and answer.shown[after][0].isupper()
            and answer.clause[after] == answer.clause[after - 1]
        ):
            word = answer.words[after]
            if (
                answer.stems[after] not in reference.places
                and answer.stems[after] not in question.places
                and word not in STOP
                and not same_given(word, reference.words[places[-1]])
            ):
                return Difference("name", answer.span(after - 1, after + 1), expected)
    return None


def same_name(answer: Text, rival: tuple[int, int], reference: Text, name: tuple[int, int]) -> bool:
    """Return whether two names can be one: the letters of the one are the words of the other, or a spelling."""
    one, other = answer.words[slice(*rival)], reference.words[slice(*name)]
    if initials(answer, *rival) == "".join(other) or initials(reference, *name) == "".join(one):
        return True
    if alike("".join(one), "".join(other)) >= ALIKE:
        return True
    return len(one) == len(other) and one[-1] == other[-1] and all(map(same_given, one[:-1], other[:-1]))


def differing_denial(answer: Text, reference: Text) -> list[Difference]:
    """Return where one text denies what the other says, of texts that have most of their words in common."""
    first = [text.words[0] if text.words else "" for text in (answer, reference)]
    if set(first) == {"yes", "no"}:
        return [Difference("denied", answer.shown[0], reference.shown[0])]
    if set(first) == {"是", "否"} or set(first) == {"是", "不"}:
        return [Difference("denied", answer.shown[0], reference.shown[0])]
    solid = [s for s, word in zip(reference.stems, reference.words, strict=True) if word not in STOP]
    if len(reference.words) < 3 or sum(s in answer.places for s in solid) < 0.5 * len(solid):
        return []
    sentences = {answer.sentence[i] for s in set(solid) for i in answer.places.get(s, ())}
    here = [i for i in answer.denials if answer.sentence[i] in sentences]
    here = here[1:] if len(here) > 1 and here[0] == 0 and answer.words[0] == "no" else here
    flips = prefix_flips(answer, reference) - prefix_flips(reference, answer)
    if (len(here) + len(reference.denials) + flips) % 2 == 0:
        return []
    soft = [SOFT_DENIALS.match(word) for text in (answer, reference) for word in text.words]
    if any(soft):
        return []
    return [Difference("denied", clause_of(answer, here), clause_of(reference, reference.denials))]


def prefix_flips(one: Text, other: Text) -> int:
    """Return how many words of one text are words of the other with a negating prefix: possible, impossible."""
    bare = (NEGATIVE_PREFIX.sub("", word) for word in one.words if word not in other.by_word)
    return sum(word in other.by_word for word in bare)


def clause_of(text: Text, denials: list[int]) -> str:
    """Return the words around the first negator, or the beginning of a text without one."""
    if not denials:
        return text.span(0, min(len(text.words), 8))
    at = denials[0]
    start, end = at, at + 1
    while start > 0 and at - start < 4 and text.clause[start - 1] == text.clause[at]:
        start -= 1
    while end < len(text.words) and end - at < 5 and text.clause[end] == text.clause[at]:
        end += 1
    return text.span(start, end)
