"""Read the answer to a yes-no question from a word for the state asked for, or its opposite.

Is the shop open? "It stays shut." A sense has two sides, two opposite states, each with its words
(lexicon.SENSES).
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from .answer_sentences import LONGEST_QUESTION, Sentence, is_denied_question
from .lexicon import SENSES
from .text import HAN

Sense = tuple[re.Pattern[str], re.Pattern[str]]
CAN = frozenset("can may could might".split())
NEEDED = frozenset("must need should".split())


@cache
def compile_senses() -> list[Sense]:
    """Return the two sides of each sense as patterns."""
    senses = list[Sense]()
    for line in SENSES.replace("|\n ", "| ").replace("\n ", " ").strip().splitlines():
        one, _, other = line.partition("|")
        senses.append((compile_side(one), compile_side(other)))
    return senses


def compile_side(words: str) -> re.Pattern[str]:
    """Return the words of one side of a sense as a pattern.

    "*" stands for any ending, "_" for a space with up to two words more.
    """
    forms = list[str]()
    for word in sorted(words.split(), key=len, reverse=True):
        if HAN.match(word):
            forms.append(word)
        else:
            form = word.replace("*", r"\w*").replace("_", r"\s(?:(?!not)\w+\s){0,2}?")
            forms.append(rf"(?<![\w-]){form}(?![\w-])")
    return re.compile("|".join(forms))


def read_sense(sentence: Sentence) -> int:
    """Return 1 if a sentence names the state asked for, -1 if the opposite state, else 0.

    A denial in the sentence reverses that.
    """
    question = sentence.question.lower[:LONGEST_QUESTION]
    for sense, asked in list_asked_senses(question, sentence.question.words[0]):
        matches = [side.search(sentence.text) for side in sense]
        chosen = choose_side(matches)
        match = matches[chosen] if chosen is not None else None
        if match is None:
            continue
        if chosen != asked:
            return -sign_beside(sentence, match)
        if match[0] not in question:
            return sign_beside(sentence, match)
        # The question has this very word: `implied_answer.read_clause` compares the clause.
    return 0


@lru_cache(maxsize=1024)
def list_asked_senses(question: str, first_word: str) -> list[tuple[Sense, int]]:
    """Return the senses that a question asks for, each with the side that it names: 0 or 1."""
    senses = list[tuple[Sense, int]]()
    for sense in compile_senses():
        names_first, names_second = (bool(side.search(question)) for side in sense)
        if names_first != names_second:
            senses.append((sense, 0 if names_first else 1))
        elif not names_first and asks_in_other_words(first_word, sense):
            senses.append((sense, 0))
    return senses


def choose_side(matches: Sequence[re.Match[str] | None]) -> int | None:
    """Return which of two matches is the only one or contains the other: 0, 1 or None.

    "costs nothing" contains "costs".
    """
    one, other = matches
    if one and other:
        if one.start() <= other.start() and other.end() <= one.end():
            return 0
        return 1 if other.start() <= one.start() and one.end() <= other.end() else None
    if one:
        return 0
    return 1 if other else None


def asks_in_other_words(first_word: str, sense: Sense) -> bool:
    """Return whether a question asks for the first side of a sense by its verb.

    "can I" asks for permission, "must I" for need.
    """
    first, second = sense
    is_permission = bool(first.search("permit")) and bool(second.search("forbid"))
    is_permission = is_permission or bool(first.search("可以"))
    is_need = bool(first.search("mandatory"))
    return (is_permission and first_word in CAN) or (is_need and first_word in NEEDED)


def sign_beside(sentence: Sentence, match: re.Match[str]) -> int:
    """Return -1 if a sentence denies the words of a match an odd number of times, else 1."""
    start = sentence.answer.starts[sentence.words.start]
    inside = sentence.answer.words_between(start + match.start(), start + match.end())
    main = sentence.main_words()
    count = sum(i in main and i not in inside for i in sentence.denials)
    count += YET_TO.search(sentence.text) is not None
    return -1 if (count + is_denied_question(sentence.question)) % 2 else 1


YET_TO = re.compile(r"\byet to\b")  # it is yet to open
