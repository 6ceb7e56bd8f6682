"""Change one fact of a text, which a score should notice, or its form alone, which a score should ignore.

Each change takes a text, a reference and a random generator, and returns the changed text, or None if there is nothing
to change. What is changed must occur in the reference, too; with "" as the reference anything may be changed. FACTS has
the changes of facts, FORMS those of the form.
"""

import itertools
import random
import re
from collections.abc import Callable, Iterator, Sequence

from metrics.training.number_edits import NUMBER, YEAR, falsify_number, respell_number
from metrics.training.questions import NumberedAnswer, Question
from metrics.training.text_edits import SENTENCE, replace_match
from metrics.training.verbs import deny_verb
from metrics.training.vocabulary import OPPOSITE_PAIRS
from metrics.training.wording_lists import read_wordings

Match = re.Match[str]
Change = Callable[[str, str, random.Random], str | None]

WORDINGS = read_wordings("changes")
# A capitalized word that does not begin a sentence, and up to two that follow it.
NAME = re.compile(r"(?<![.!?\n] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}\b")
LOWER_CASE_WORD = re.compile(r"\b[a-z]+\b")
LINE_NUMBER = re.compile(r"^\W*\d+(?=[.):](?!\d))", re.M)  # it is no fact
# A respelled number that was the end of a longer one, such as a date or a decimal.
BROKEN_NUMBER = re.compile(r"\d[.,:/]?hundred")
SENTENCE_END = re.compile(r"[.!?](?:\s|$)")
NEAREST_SENTENCES = 2  # those with most words of the reference, of which one is denied
LEAST_WORDS = 15  # of an answer that is changed


def map_opposites(pairs: str) -> dict[str, str]:
    """Return the opposite of each word of comma-separated pairs; the first pair of a word counts."""
    opposites: dict[str, str] = {}
    for pair in pairs.replace("\n", " ").split(","):
        first, second = pair.split()
        opposites.setdefault(first, second)
        opposites.setdefault(second, first)
    return opposites


OPPOSITES = map_opposites(OPPOSITE_PAIRS)


def keep_shared(matches: Sequence[Match], reference: str) -> list[Match]:
    """Return the matches that occur in the reference, too."""
    if not reference:
        return list(matches)
    return [match for match in matches if re.search(rf"(?<!\w){re.escape(match[0])}(?!\w)", reference)]


def change_number(text: str, reference: str, rng: random.Random) -> str | None:
    """Change one number or year."""
    line_numbers = {match.end() for match in LINE_NUMBER.finditer(text)}
    matches = [*YEAR.finditer(text), *NUMBER.finditer(text)]
    numbers = [match for match in matches if match.end() not in line_numbers]
    shared = keep_shared(numbers, reference)
    if not shared:
        return None
    match = rng.choice(shared)
    other = falsify_number(match[0], rng)
    return replace_match(text, match, other) if other else None


def change_name(text: str, reference: str, rng: random.Random) -> str | None:
    """Change one name wherever it occurs."""
    shared = keep_shared(list(NAME.finditer(text)), reference)
    if not shared:
        return None
    name = rng.choice(shared)[0]
    other = rng.choice(WORDINGS["names"])
    if other in text:
        return None
    return re.sub(rf"\b{re.escape(name)}\b", other, text)


def find_long_words(text: str) -> set[str]:
    """Return the words of four letters or more, in lower case."""
    return set(re.findall(r"\w{4,}", text.lower()))


def deny_sentence(text: str, reference: str, rng: random.Random) -> str | None:
    """Deny one sentence, of those that have most words in common with the reference."""
    known = find_long_words(reference)
    sentences = [match for match in SENTENCE.finditer(text) if len(match[0].split()) > 3]
    if reference:
        # Sorting is stable: of sentences that share as many words the first one comes first.
        nearest = sorted(sentences, key=lambda match: -len(known & find_long_words(match[0])))
        candidates = nearest[:NEAREST_SENTENCES]
    else:
        candidates = rng.sample(sentences, len(sentences))
    for match in candidates:
        denial = deny_verb(match[0], rng)
        if denial and denial != match[0]:
            return replace_match(text, match, denial)
    return None


def use_opposite(text: str, reference: str, rng: random.Random) -> str | None:
    """Replace one word by its opposite."""
    matches = [match for match in LOWER_CASE_WORD.finditer(text) if match[0] in OPPOSITES]
    shared = keep_shared(matches, reference)
    if not shared:
        return None
    match = rng.choice(shared)
    return replace_match(text, match, OPPOSITES[match[0]])


def swap_facts(text: str, reference: str, rng: random.Random) -> str | None:
    """Exchange two numbers, or two names."""
    pairs = []
    for pattern in (NUMBER, YEAR, NAME):
        matches = keep_shared(list(pattern.finditer(text)), reference)
        for first, second in itertools.combinations(matches, 2):
            if first[0] != second[0] and first.end() < second.start():
                pairs.append((first, second))
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    # The second one is replaced first, so that the place of the first one stays as it was.
    return replace_match(replace_match(text, second, first[0]), first, second[0])


def write_number_otherwise(text: str, reference: str, rng: random.Random) -> str | None:
    """Write one number in words, or in digits."""
    changed = respell_number(text)
    if not changed or BROKEN_NUMBER.search(changed):
        return None
    return changed


def reorder_sentences(text: str, reference: str, rng: random.Random) -> str | None:
    """Move the last sentence to the beginning, or the first one."""
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    if len(sentences) < 2:
        return None
    moved = sentences.pop() if rng.random() < 0.5 else sentences.pop(0)
    if not sentences[-1].endswith((".", "!", "?")):
        return None
    return " ".join([moved, *sentences])


def add_filler(text: str, reference: str, rng: random.Random) -> str | None:
    """Put words that say nothing before and after a text."""
    opening = rng.choice(WORDINGS["openings"])
    ending = rng.choice(WORDINGS["endings"])
    return f"{opening} {text} {ending}"


FACTS: dict[str, Change] = {
    "number": change_number,
    "name": change_name,
    "not": deny_sentence,
    "opposite": use_opposite,
    "swapped": swap_facts,
}
FORMS: dict[str, Change] = {
    "number in words": write_number_otherwise,
    "order": reorder_sentences,
    "filler": add_filler,
}


def is_long(answer: str) -> bool:
    """Return whether an answer has two sentences or more, and words enough to change one."""
    return len(SENTENCE_END.findall(answer)) >= 2 and len(answer.split()) >= LEAST_WORDS


def make_changed_answers(questions: Sequence[Question], rng: random.Random) -> Iterator[NumberedAnswer]:
    """Yield long right answers with one fact or their form changed; the reference is a long right answer, too."""
    for number, question in enumerate(questions):
        long_answers = [answer for answer in question.right_answers if is_long(answer)]
        if not long_answers:
            continue
        paired = question.use_reference(rng.choice(long_answers))
        answer = rng.choice(long_answers)
        for prefix, changes, right in (("changed", FACTS, False), ("form", FORMS, True)):
            for kind, change in changes.items():
                changed = change(answer, paired.references[0], rng)
                if changed:
                    yield NumberedAnswer(number, paired.make_answer(f"{prefix}, {kind}", changed, right))
