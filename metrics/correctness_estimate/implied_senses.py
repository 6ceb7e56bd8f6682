"""Answer a yes-no question by a word for the state that it asks for, or for its opposite.

Is the shop open? "It stays shut." The words are those of lexicon.SENSES.
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
    found = list[Sense]()
    for line in SENSES.replace("|\n ", "| ").replace("\n ", " ").strip().splitlines():
        one, _, other = line.partition("|")
        found.append((compile_side(one), compile_side(other)))
    return found


def compile_side(words: str) -> re.Pattern[str]:
    """Return the words of one side of a sense as a pattern."""
    forms = list[str]()
    for word in sorted(words.split(), key=len, reverse=True):
        if HAN.match(word):
            forms.append(word)
        else:
            form = word.replace("*", r"\w*").replace("_", r"\s(?:(?!not)\w+\s){0,2}?")
            forms.append(rf"(?<![\w-]){form}(?![\w-])")
    return re.compile("|".join(forms))


def read_sense(sentence: Sentence) -> int:
    """Return 1 if a sentence has a word for the state that is asked for, -1 for its opposite."""
    question = sentence.question.lower[:LONGEST_QUESTION]
    for sides, asked in list_asked_senses(question, sentence.question.words[0]):
        matches = [side.search(sentence.text) for side in sides]
        said = choose_side(matches)
        if said is None:
            continue
        match = matches[said]
        same = 1 if said == asked else -1
        if same > 0 and match and match[0] in question:
            continue  # its own word: the clause tells
        return same * sign_beside(sentence, match)
    return 0


@lru_cache(maxsize=1024)
def list_asked_senses(question: str, first_word: str) -> list[tuple[Sense, int]]:
    """Return the senses that a question asks for, each with the side that it names: 0 or 1."""
    found = list[tuple[Sense, int]]()
    for sides in compile_senses():
        one, other = (bool(side.search(question)) for side in sides)
        if one != other:
            found.append((sides, 0 if one else 1))
        elif not one and asks_in_other_words(first_word, sides):
            found.append((sides, 0))
    return found


def choose_side(matches: Sequence[re.Match[str] | None]) -> int | None:
    """Return which of two matches is the only one, or contains the other.

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


def asks_in_other_words(first_word: str, sides: Sense) -> bool:
    """Return whether a question asks for the first side by its verb.

    "can I" asks for permission, "must I" for need.
    """
    permits = bool(sides[0].search("permit")) and bool(sides[1].search("forbid"))
    permits = permits or bool(sides[0].search("可以"))
    needs = bool(sides[0].search("mandatory"))
    return (permits and first_word in CAN) or (needs and first_word in NEEDED)


def sign_beside(sentence: Sentence, match: re.Match[str] | None) -> int:
    """Return -1 where a sentence denies the words of a match, else 1."""
    if match is None:
        return 1
    start = sentence.answer.starts[sentence.words.start]
    inside = sentence.answer.words_between(start + match.start(), start + match.end())
    main = sentence.main_words()
    count = sum(i in main and i not in inside for i in sentence.denials)
    count += bool(re.search(r"\byet to\b", sentence.text))
    return -1 if (count + is_denied_question(sentence.question)) % 2 else 1
