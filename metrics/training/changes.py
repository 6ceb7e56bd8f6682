"""Change one fact of a text, which a score should notice, or only its form, which it should ignore.

Each change takes a text, a reference and a random generator. It returns the changed text, or None
if there is nothing to change. A changed fact must be in the reference, too; with "" as the
reference any fact may change. FACTS has the changes of facts, FORMS those of the form.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from metrics.training.number_edits import NUMBER, YEAR, falsify_number, respell_number
from metrics.training.questions import NumberedAnswer, Question
from metrics.training.text_edits import SENTENCE, count_spaced_words, replace_match
from metrics.training.verbs import deny_verb
from metrics.training.vocabulary import OPPOSITE_PAIRS
from metrics.training.wording_lists import read_wordings

Match = re.Match[str]
Change = Callable[[str, str, Random], str | None]

WORDINGS = read_wordings("changes")
# A capitalized word that does not begin a sentence, and up to two that follow it: "Jane Austen".
NAME = re.compile(r"(?<![.!?\n] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}\b")
LOWER_CASE_WORD = re.compile(r"\b[a-z]+\b")
# Words that deny: a sentence with one of them is not denied once more.
DENIAL = re.compile(r"\b(?:not|never|no|none|nor|neither|cannot|without)\b|n['’]t\b", re.I)
# The number of a line, as in "2. Emma", is no fact.
LINE_NUMBER = re.compile(r"^\W*\d+(?=[.):](?!\d))", re.M)
# A number that was respelled although it was a part of a date or of a decimal.
BROKEN_NUMBER = re.compile(r"\d[.,:/]?hundred")
SENTENCE_MARKS = (".", "!", "?")
SENTENCE_END = re.compile(r"[.!?](?:\s|$)")
# The fewest words of a sentence that can be denied.
DENIABLE_WORDS = 4
# One of this many sentences is denied: those that share most words with the reference.
NEAREST_SENTENCES = 2
# The fewest words of a long answer.
LONG_ANSWER_WORDS = 15


def map_opposites(pairs: str) -> dict[str, str]:
    """Return the opposite of each word in comma-separated pairs.

    If a word is in several pairs, the first one counts.
    """
    opposites: dict[str, str] = {}
    for pair in pairs.replace("\n", " ").split(","):
        first, second = pair.split()
        opposites.setdefault(first, second)
        opposites.setdefault(second, first)
    return opposites


OPPOSITES = map_opposites(OPPOSITE_PAIRS)


def select_shared(matches: Iterable[Match], reference: str) -> list[Match]:
    """Return the matches that are in the reference, too; all if the reference is empty."""
    shared = []
    for match in matches:
        pattern = rf"(?<!\w){re.escape(match[0])}(?!\w)"
        if not reference or re.search(pattern, reference):
            shared.append(match)
    return shared


def choose_shared(matches: Iterable[Match], reference: str, rng: Random) -> Match | None:
    """Return one of the matches that `select_shared` returns, or None."""
    shared = select_shared(matches, reference)
    return rng.choice(shared) if shared else None


def change_number(text: str, reference: str, rng: Random) -> str | None:
    """Return a text with one number or year changed."""
    line_numbers = {match.end() for match in LINE_NUMBER.finditer(text)}
    numbers = itertools.chain(YEAR.finditer(text), NUMBER.finditer(text))
    facts = [number for number in numbers if number.end() not in line_numbers]
    number = choose_shared(facts, reference, rng)
    if not number:
        return None
    wrong_number = falsify_number(number[0], rng)
    return replace_match(text, number, wrong_number) if wrong_number else None


def find_names(text: str) -> Iterator[Match]:
    """Yield the names of a text.

    A word that the text also has in small letters, such as "The" at the beginning of a line, is
    none.
    """
    small_words = set(LOWER_CASE_WORD.findall(text))
    for name in NAME.finditer(text):
        if name[0].lower() not in small_words:
            yield name


def change_name(text: str, reference: str, rng: Random) -> str | None:
    """Return a text with one name changed wherever it occurs."""
    name = choose_shared(find_names(text), reference, rng)
    if not name:
        return None
    wrong_name = rng.choice(WORDINGS["names"])
    if wrong_name in text:
        return None
    pattern = rf"\b{re.escape(name[0])}\b"
    return re.sub(pattern, wrong_name, text)


def find_long_words(text: str) -> set[str]:
    """Return the words of four letters or more, in lower case."""
    return set(re.findall(r"\w{4,}", text.lower()))


def deny_sentence(text: str, reference: str, rng: Random) -> str | None:
    """Return a text with one sentence denied, which shares most words with the reference.

    A sentence that denies is left out: "does not do not have" is no denial of "does not have".
    """
    candidates = []
    for sentence in SENTENCE.finditer(text):
        is_long = count_spaced_words(sentence[0]) >= DENIABLE_WORDS
        if is_long and not DENIAL.search(sentence[0]):
            candidates.append(sentence)
    for sentence in order_sentences(candidates, reference, rng):
        denial = deny_verb(sentence[0], rng)
        if denial and denial != sentence[0]:
            return replace_match(text, sentence, denial)
    return None


def order_sentences(sentences: Sequence[Match], reference: str, rng: Random) -> list[Match]:
    """Return the sentences that share most words with a reference.

    Without a reference, return all sentences in random order.
    """
    if not reference:
        return rng.sample(sentences, len(sentences))
    reference_words = find_long_words(reference)

    def count_shared(sentence: Match) -> int:
        words = find_long_words(sentence[0])
        return len(reference_words & words)

    # The sort is stable: if two sentences share equally many words, the first one comes first.
    nearest = sorted(sentences, key=count_shared, reverse=True)
    return nearest[:NEAREST_SENTENCES]


def use_opposite(text: str, reference: str, rng: Random) -> str | None:
    """Return a text with one word replaced by its opposite."""
    words = LOWER_CASE_WORD.finditer(text)
    words_with_opposite = [word for word in words if word[0] in OPPOSITES]
    word = choose_shared(words_with_opposite, reference, rng)
    if not word:
        return None
    return replace_match(text, word, OPPOSITES[word[0]])


def swap_facts(text: str, reference: str, rng: Random) -> str | None:
    """Return a text with two numbers, or two names, exchanged.

    Two that stand side by side, such as "Protocol" behind "Dynamic Host Configuration", are parts
    of one.
    """
    pairs = []
    for facts in (NUMBER.finditer(text), YEAR.finditer(text), find_names(text)):
        matches = select_shared(facts, reference)
        for first, second in itertools.combinations(matches, 2):
            is_apart = text[first.end() : second.start()].strip() != ""
            if is_apart and first[0] != second[0]:
                pairs.append((first, second))
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    # The second one is replaced first, so that the position of the first one stays valid.
    text = replace_match(text, second, first[0])
    return replace_match(text, first, second[0])


def write_number_otherwise(text: str, reference: str, rng: Random) -> str | None:
    """Return a text with one number in words instead of digits, or the reverse."""
    changed = respell_number(text)
    if not changed or BROKEN_NUMBER.search(changed):
        return None
    return changed


def reorder_sentences(text: str, reference: str, rng: Random) -> str | None:
    """Return a text with its last sentence moved to the beginning, or its first one to the end.

    Return None for a single sentence, or if the moved text would lack a mark at its end.
    """
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    if len(sentences) < 2:
        return None
    place = -1 if rng.random() < 0.5 else 0
    moved = sentences.pop(place)
    if not sentences[-1].endswith(SENTENCE_MARKS):
        return None
    return " ".join([moved, *sentences])


def add_filler(text: str, reference: str, rng: Random) -> str | None:
    """Return a text with words before and after it that say nothing."""
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


def is_long_answer(answer: str) -> bool:
    """Return whether an answer has at least two sentences, and enough words to change one."""
    ends = SENTENCE_END.findall(answer)
    return len(ends) >= 2 and count_spaced_words(answer) >= LONG_ANSWER_WORDS


def make_changed_answers(questions: Sequence[Question], rng: Random) -> Iterator[NumberedAnswer]:
    """Yield long right answers with a changed fact, or with only their form changed.

    The reference is a long right answer, too.
    """
    for number, question in enumerate(questions):
        long_answers = [answer for answer in question.right_answers if is_long_answer(answer)]
        if not long_answers:
            continue
        reference = rng.choice(long_answers)
        paired = question.use_reference(reference)
        answer = rng.choice(long_answers)
        for kind, change in FACTS.items():
            if text := change(answer, reference, rng):
                changed = paired.make_answer(f"changed, {kind}", text, False)
                yield NumberedAnswer(number, changed)
        for kind, change in FORMS.items():
            if text := change(answer, reference, rng):
                changed = paired.make_answer(f"form, {kind}", text, True)
                yield NumberedAnswer(number, changed)
