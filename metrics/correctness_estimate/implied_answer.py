"""What a sentence says to a question for yes or no without saying either word.

The sentence is set beside the question: which of the words that the question asks about it has,
which it replaces by an opposite, another name or another number, and what it denies. Each reader
knows one way of saying it and returns 1 for yes, -1 for no, 0 where it cannot tell.
"""

import re
from collections.abc import Callable

from .answer_sentences import (
    DENYING,
    DENYING_PHRASE,
    LONGEST_QUESTION,
    Sentence,
    count_negators,
    first_word,
    is_pointing,
    list_sentences,
)
from .chinese_answers import read_chinese_answer
from .implied_amounts import MOST_ASKED, read_amount, read_comparison, read_direction_of_bound
from .implied_senses import read_sense
from .implied_substitutes import ALL, SOME, read_substitute
from .text import Text
from .word_roots import are_opposite, find_root, is_derived

REPEATED = 0.6  # of the question's words, that a sentence has which answers it
OBJECTS = frozenset("it them him her this that these those there one".split())
ONLY = frozenset("only just merely solely exclusively nur solo seulement".split())
COPULA = re.compile(r"\b(?:is|are|was|were|be|been|remains?|stays?|ist|sind|est|es)\b|'(?:s|re)\b")


def read_implied_answer(text: Text, question: Text) -> int:
    """Return 1 where a sentence of a text says what the question asks, -1 where one says that it
    is not so,
    else 0.
    """
    if not question.words:
        return 0
    if question.is_chinese:
        return read_chinese_answer(text, question)
    for words in list_sentences(text):
        sentence = Sentence(text, question, words)
        for read in READERS:
            side = read(sentence)
            if side:
                return side
    return 0


def read_quantifier(sentence: Sentence) -> int:
    """Return whether all are so, where the question asks for all."""
    if not ALL & set(sentence.question.words):
        return 0
    words = {sentence.answer.words[i] for i in sentence.words}
    if sentence.sign < 0 or (SOME & words and not ALL & words):
        return -1
    return 0


def read_only(sentence: Sentence) -> int:
    """Return -1 where only something else is so: "only cash is accepted"."""
    words = sentence.answer.words
    places = [i for i in sentence.words if words[i] in ONLY]
    if not places or not sentence.missing or count_negators(sentence):
        return 0
    after = [i for i in sentence.new if i > places[0]] or [
        i for i in sentence.new if i == places[0] - 1
    ]
    others = (
        sentence.missing[1:]
        if sentence.points or sentence.missing == sentence.asked[:1]
        else sentence.missing
    )
    if sentence.asked[0] not in sentence.missing:
        others = sentence.missing
    return -1 if after and (others or len(sentence.words) <= 4) else 0


def read_still(sentence: Sentence) -> int:
    """Return -1 where something else still is, and the question asks whether a thing has
    happened.
    """
    words = [sentence.answer.words[i] for i in sentence.words]
    asks_done = sentence.question.words[0] in ("has", "have", "had")
    asks_done = asks_done and not {"ever", "still", "always"} & set(sentence.question.words)
    return -1 if asks_done and "still" in words and not sentence.matched else 0


EXISTENCE = re.compile(
    r"^\W*(?:is|are|was|were) there|^\W*(?:do|does|did) .*\b(?:have|contain|own|include)\b"
    r"|^\W*ha(?:s|ve) \w+ got"
)
NONE = re.compile(
    r"\bnone\b|\black(?:s|ed)?\b|\bno (?:such )?\w+ (?:left|there)\b|\bwithout\b|\bzero\b"
)
SOMETHING = re.compile(
    r"^\W*(?:there (?:is|are|was|were)|there's|it has|they have|it does have"
    r"|it comes with) (?:an?|one|two|three|four|five"
    r"|six|several|some|many|plenty|lots|a few|\d+)\b"
)
COMMAND = re.compile(r"\W*(?:please )?(?:don't|do not|never|avoid|refrain|stop|leave)\b")
ASKS_LEAVE = re.compile(r"\W*(?:can|could|may|might|should|must|do i|do you|am i|are you|is it)\b")


def read_command(sentence: Sentence) -> int:
    """Return -1 where a command forbids what the question asks leave for: "don't drink it"."""
    return -1 if COMMAND.match(sentence.text) and ASKS_LEAVE.match(sentence.question.lower) else 0


def read_existence(sentence: Sentence) -> int:
    """Return whether there is what the question asks for: none, or some."""
    if not EXISTENCE.match(sentence.question.lower[:LONGEST_QUESTION]):
        return 0
    starts_with_no = sentence.text.startswith("no ") and bool(sentence.matched)
    if starts_with_no or (NONE.search(sentence.text) and (sentence.points or sentence.matched)):
        return -1
    if SOMETHING.match(sentence.text) and not sentence.new[3:] and not count_negators(sentence):
        return 1
    return 0


def read_clause(sentence: Sentence) -> int:
    """Return whether a sentence has what the question asks, in its own words, or an opposite of
    it.
    """
    if not sentence.asked:
        return 0
    sign = sentence.sign * (-1 if len(sentence.opposed) % 2 else 1)
    if sign > 0 and leaves_bound_open(sentence):
        return 0
    share = 1 - len(sentence.missing) / len(sentence.asked)
    if share >= REPEATED:
        return sign
    known = sentence.matched | sentence.opposed
    if len(known) > 1 and not sentence.new:
        return sign
    if not sentence.points or not known:
        return 0
    leading = sentence.leading
    has_verb = any(
        is_known(sentence, i, known) for i in sentence.roots if is_object(sentence, i + 1)
    )
    has_verb = has_verb or (leading is not None and is_known(sentence, leading, known))
    has_end = sentence.asked[-1] in known and (
        leading is None or leading not in sentence.new or COPULA.search(sentence.text) is not None
    )
    return sign if has_verb or has_end else 0


def leaves_bound_open(sentence: Sentence) -> bool:
    """Return whether a question asks for a bound and a sentence has no amount."""
    start, end = sentence.words.start, sentence.words.stop
    if any(start <= first_word(sentence.answer, one) < end for one in sentence.answer.quantities):
        return False
    question = sentence.question
    asked = [
        one for one in question.quantities[:MOST_ASKED] if read_direction_of_bound(question, one)
    ]
    return any(
        find_root(question.words[first_word(question, one)]) in sentence.missing for one in asked
    )


def is_known(sentence: Sentence, i: int, known: set[str]) -> bool:
    """Return whether a word is one that the question asks about, or its opposite."""
    root = sentence.roots[i]
    return any(is_derived(one, root) or are_opposite(one, root) for one in known)


def is_object(sentence: Sentence, i: int) -> bool:
    """Return whether a word of a sentence is a pronoun for the object of the verb before it."""
    return i in sentence.words and sentence.answer.words[i] in OBJECTS


def read_refusal(sentence: Sentence) -> int:
    """Return -1 where a pronoun's verb denies: it failed, they refused it."""
    is_pronoun = bool(sentence.words) and is_pointing(sentence.answer.words[sentence.words.start])
    if not is_pronoun or sentence.question.denials:
        return 0
    leading = sentence.leading
    is_denying = leading is not None and DENYING.match(sentence.answer.words[leading])
    is_denying = is_denying or DENYING_PHRASE.search(sentence.text)
    count = count_negators(sentence) + bool(is_denying)
    return -1 if count % 2 else 0


READERS: tuple[Callable[[Sentence], int], ...] = (
    read_quantifier,
    read_comparison,
    read_amount,
    read_only,
    read_sense,
    read_command,
    read_existence,
    read_substitute,
    read_clause,
    read_still,
    read_refusal,
)
