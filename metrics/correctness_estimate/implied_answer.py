"""What a sentence says to a question for yes or no without saying either word.

The sentence is set beside the question: which of the words that the question asks about it has,
which it replaces by an opposite, another name or another number, and what it denies. Each reader
knows one way of saying it and returns 1 for yes, -1 for no, 0 where it cannot tell.
"""

import re
from collections.abc import Callable

from .answer_sentences import (
    ALL,
    COPULAS,
    DENYING,
    DENYING_PHRASE,
    LONGEST_QUESTION,
    SOME,
    Sentence,
    count_negators,
    locate_quantity,
    is_pointing,
    list_sentences,
)
from .implied_amounts import (
    MOST_ASKED,
    read_amount,
    read_comparison,
    read_direction_of_bound,
)
from .implied_chinese import read_chinese_answer
from .implied_senses import read_sense
from .implied_substitutes import read_other_name, read_substitute
from .opposites import are_opposite_roots, find_root, is_derived
from .text import Text

LONGEST_IMPLYING = 60  # words of a text that is read for what it implies
REPEATED = 0.6  # of the question's words, that a sentence has which answers it
OBJECTS = frozenset("it them him her this that these those there one".split())
ONLY = frozenset("only just merely solely exclusively nur solo seulement".split())
COPULA = re.compile(r"\b(?:is|are|was|were|be|been|remains?|stays?|ist|sind|est|es)\b|'(?:s|re)\b")


def read_implied_answer(text: Text, question: Text) -> int:
    """Return 1 if a sentence says what the question asks, -1 if it says the opposite, else 0."""
    if not question.words or len(text.words) > LONGEST_IMPLYING:
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
    return 1 if ALL & words and sentence.matched and not sentence.opposed else 0


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
    """Return -1 if something else still is the case, and the question asks whether it is done."""
    words = [sentence.answer.words[i] for i in sentence.words]
    asks_done = sentence.question.words[0] in ("has", "have", "had")
    asks_done = asks_done and not {"ever", "still", "always"} & set(sentence.question.words)
    return -1 if asks_done and "still" in words and not sentence.matched else 0


NEEDING = frozenset("need needs needed require requires required necessary must".split())
WORKING = re.compile(
    r"\b(?:can|could|may|fine|well|works?|runs?|possible|do|does|ok|okay|easily)\b"
)
NEED_WITHOUT = re.compile(r"\b(?:without|ohne|sans|sin)\b")


def read_need(sentence: Sentence) -> int:
    """Return whether a thing is needed, by what happens without it.

    Nothing works without what is needed: "it won't run without oil", "without it they fall ill".
    """
    if NEEDING.isdisjoint(sentence.question.words) or not sentence.points | bool(sentence.matched):
        return 0
    without = NEED_WITHOUT.search(sentence.text)
    if not without:
        return 0
    negators = [
        i for i in sentence.answer.denials if i in sentence.words and not is_without(sentence, i)
    ]
    if negators:
        return 1 if len(negators) % 2 else -1
    return -1 if WORKING.search(sentence.text) else 1


def is_without(sentence: Sentence, i: int) -> bool:
    """Return whether a word is "without" in one of the languages."""
    return NEED_WITHOUT.fullmatch(sentence.answer.words[i]) is not None


SOME_SUBJECT = re.compile(
    r"^\W*(?:yes,? )?(?:some|several|many|most|a few|a number|a couple|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|dozens|hundreds|thousands|plenty|lots|at least|\d+)\b"
)
ANY = frozenset("any anyone anybody anything".split())
NO_SUBJECT = re.compile(r"^\W*(?:no|none|nobody|no one|nothing|neither)\b")


def read_any(sentence: Sentence) -> int:
    """Return whether there was one, where the question asks for any: some did, none was."""
    if ANY.isdisjoint(sentence.question.words):
        return 0
    if SOME_SUBJECT.match(sentence.text) and not sentence.opposed:
        return sentence.sign
    return 0


def read_no_subject(sentence: Sentence) -> int:
    """Return -1 if the subject denies and the question asks about it: no harm was done."""
    if not NO_SUBJECT.match(sentence.text) or sentence.question.denials or sentence.opposed:
        return 0
    if "only" in sentence.question.words or "else" in sentence.text.split():
        return 0
    return -1 if sentence.matched and count_negators(sentence) == 1 else 0


# Nothing has changed: it stays the same, they kept it as it was.
UNCHANGED = re.compile(
    r"\b(?:stay|remain|keep|kept|leave|left|is|are|was|were|be|been)\w*\b[^.;,]{0,40}?"
    r"\b(?:(?:the )?same|unchanged|untouched|unaltered|as (?:it|they|he|she) (?:is|was|are|were)"
    r"|where (?:it|they|he|she) (?:is|was|are|were)|constant)\b"
)
KEEPING = re.compile(r"\b(?:stay|remain|keep|kept|leave|same|still|unchanged|equal|constant)")


def read_unchanged(sentence: Sentence) -> int:
    """Return -1 if nothing has changed, and the question asks whether something happened."""
    if sentence.question.words[0] in COPULAS or KEEPING.search(sentence.question.lower):
        return 0
    return -1 if UNCHANGED.search(sentence.text) and not count_negators(sentence) else 0


ONE_ONLY = re.compile(r"\bthe (?:only|sole) (?:\w+ ){0,3}")
NO_OTHER = re.compile(
    r"\b(?:no one|nobody|none|nothing|no other)\b(?: \w+){0,2} (?:else|other|but|except)\b"
    r"|^\W*(?:nobody|no one|nothing) else\b|\bno other\b|\bonly\b|\balone\b"
    r"|\b(?:everyone|everybody|all) (?:else|the others?|the rest|others)\b"
)
OTHERS_TOO = re.compile(
    r"\b(?:too|also|as well|others?|another|both|several|two|three|four|five)\b"
)


def read_only_one(sentence: Sentence) -> int:
    """Return whether something was the only one, as the question asks."""
    if not ONE_ONLY.search(sentence.question.lower[:LONGEST_QUESTION]):
        return 0
    if NO_OTHER.search(sentence.text):
        return 1
    if OTHERS_TOO.search(sentence.text) or re.match(r"\W*(?:every|all|no)", sentence.text):
        return -1
    return 0


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
    """Return whether a sentence has the question's words, or an opposite of one."""
    if not sentence.asked:
        return 0
    sign = sentence.sign * (-1 if len(sentence.opposed) % 2 else 1)
    if (sign > 0 and leaves_bound_open(sentence)) or denies_new_noun(sentence):
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
    return sign if has_verb or has_known_end(sentence, known) else 0


def denies_new_noun(sentence: Sentence) -> bool:
    """Return whether all that a sentence denies is a noun of its own: it does no harm."""
    words = sentence.answer.words
    return bool(sentence.denials) and all(
        words[i] == "no" and i + 1 in sentence.new for i in sentence.denials
    )


def has_known_end(sentence: Sentence, known: set[str]) -> bool:
    """Return whether a sentence has the end of the question, and no new verb or predicate."""
    if sentence.asked[-1] not in known or has_new_predicate(sentence):
        return False
    leading = sentence.leading
    if leading is None or leading not in sentence.new:
        return True
    return COPULA.search(sentence.text) is not None


def has_new_predicate(sentence: Sentence) -> bool:
    """Return whether the first word that tells something behind "is" is new: it is unknown."""
    words = sentence.answer.words
    for place in sentence.words:
        if words[place] in COPULAS or words[place].endswith(("'s", "'re")):
            after = [i for i in sentence.roots if i > place]
            return bool(after) and after[0] in sentence.new
    return False


def leaves_bound_open(sentence: Sentence) -> bool:
    """Return whether a question asks for a bound and a sentence has no amount."""
    start, end = sentence.words.start, sentence.words.stop
    if any(
        start <= locate_quantity(sentence.answer, one) < end for one in sentence.answer.quantities
    ):
        return False
    question = sentence.question
    asked = [
        one for one in question.quantities[:MOST_ASKED] if read_direction_of_bound(question, one)
    ]
    return any(
        find_root(question.words[locate_quantity(question, one)]) in sentence.missing
        for one in asked
    )


def is_known(sentence: Sentence, i: int, known: set[str]) -> bool:
    """Return whether a word is one that the question asks about, or its opposite."""
    root = sentence.roots[i]
    return any(is_derived(one, root) or are_opposite_roots(one, root) for one in known)


def is_object(sentence: Sentence, i: int) -> bool:
    """Return whether a word of a sentence is a pronoun for the object of the verb before it."""
    return i in sentence.words and sentence.answer.words[i] in OBJECTS


SPEAKERS = frozenset("i we you one anyone people my our your".split())


def read_refusal(sentence: Sentence) -> int:
    """Return -1 where a pronoun's verb denies: it failed, they refused it."""
    is_pronoun = bool(sentence.words) and is_pointing(sentence.answer.words[sentence.words.start])
    if not is_pronoun or sentence.question.denials or speaks_of_others(sentence):
        return 0
    leading = sentence.leading
    is_denying = leading is not None and DENYING.match(sentence.answer.words[leading])
    is_denying = is_denying or DENYING_PHRASE.search(sentence.text)
    count = count_negators(sentence) + bool(is_denying)
    if is_denying and count == 2:
        return 1
    return -1 if count % 2 else 0


def speaks_of_others(sentence: Sentence) -> bool:
    """Return whether "you" is the subject, and the question speaks of nobody: you can't see it."""
    subject = sentence.answer.words[sentence.words.start].partition("'")[0]
    return subject in ("you", "we") and SPEAKERS.isdisjoint(sentence.question.words)


READERS: tuple[Callable[[Sentence], int], ...] = (
    read_only_one,
    read_quantifier,
    read_comparison,
    read_amount,
    read_need,
    read_only,
    read_other_name,
    read_any,
    read_unchanged,
    read_sense,
    read_no_subject,
    read_command,
    read_existence,
    read_substitute,
    read_clause,
    read_still,
    read_refusal,
)
