"""Whether a sentence has another name, kind of thing or place where a question for yes or no has
one.
"""

from .answer_sentences import DEGREES, Sentence, count_negators, is_asked
from .lexicon import TURNING_WORDS
from .polarity import AUXILIARY
from .text import Text
from .word_roots import find_root

ALL = frozenset("all every always each everyone everybody everything".split())
SOME = frozenset("some only few sometimes several certain many most occasionally".split())
NO_NAMES = ALL | SOME | DEGREES | TURNING_WORDS | frozenset("no not yes".split())
COPULAS = frozenset("is are was were isn't aren't wasn't weren't".split())
PLACE_WORDS = frozenset("in at from near to of by on with into for en à dans aus bei zu".split())
ARTICLES = frozenset("the a an this his her their its my your".split())


def read_substitute(sentence: Sentence) -> int:
    """Return -1 where another name or another kind of thing stands in the place of the
    question's.
    """
    if count_negators(sentence):
        return 0
    if has_other_name(sentence) or has_other_noun(sentence) or has_other_place(sentence):
        return -1
    return 0


def list_name_words(text: Text, start: int, stop: int) -> list[int]:
    """Return the words with a capital; the first of a text only where it is no small word."""
    found = list[int]()
    for i in range(start, stop):
        if text.shown[i][0].isupper() and is_asked(text.words[i]) and text.words[i] not in NO_NAMES:
            found.append(i)
    return found


def has_other_name(sentence: Sentence) -> bool:
    """Return whether a new name stands where the question has one: as subject, behind "is", "by",
    "in".
    """
    answer, question = sentence.answer, sentence.question
    asked = [
        i
        for i in list_name_words(question, 1, len(question.words))
        if find_root(question.words[i]) in sentence.missing
    ]
    new = [
        i
        for i in list_name_words(answer, sentence.words.start, sentence.words.stop)
        if i in sentence.new
    ]
    if not asked or not new:
        return False
    for i in new:
        before = answer.words[i - 1] if i > sentence.words.start else ""
        if not before and is_subject(sentence, i):
            return True
        if before in ("is", "was", "are", "were", "by", "it's") and (
            sentence.matched or len(sentence.words) < 5
        ):
            return True
    return False


def is_subject(sentence: Sentence, i: int) -> bool:
    """Return whether the name that begins a sentence is the subject of what the question asks."""
    last = len(sentence.words)
    following = [
        k for k in range(i + 1, sentence.words.stop) if not sentence.answer.shown[k][0].isupper()
    ]
    if not following or sentence.answer.words[following[0]].endswith("s'"):
        return False
    is_elliptic = last <= 4 and sentence.answer.words[sentence.words.stop - 1] in AUXILIARY
    return is_elliptic or bool(sentence.matched)


def has_other_noun(sentence: Sentence) -> bool:
    """Return whether a sentence says of what kind a thing is, and the question asks for another
    kind.
    """
    answer, question = sentence.answer, sentence.question
    if (
        question.words[0] not in COPULAS
        or not 0 < len(sentence.missing) <= 2
        or len(sentence.new) != 1
    ):
        return False
    asked = [i for i, word in enumerate(question.words) if find_root(word) in sentence.missing][-1]
    new = sentence.new[0]
    if asked < 2 or not (sentence.matched or sentence.points) or new == sentence.words.start:
        return False
    has_article = has_indefinite_article(question, asked) and has_indefinite_article(answer, new)
    asks_several = question.words[0] in ("are", "were") and question.words[asked].endswith("s")
    return has_article or (asks_several and answer.words[new].endswith("s"))


def has_other_place(sentence: Sentence) -> bool:
    """Return whether something new stands behind the preposition of what the question asks for:
    to the harbour.
    """
    answer, question = sentence.answer, sentence.question
    heads = set[str]()
    for i, word in enumerate(question.words):
        if find_root(word) in sentence.missing:
            heads.add(find_preposition(question, i))
    measured = {i for one in answer.quantities for i in answer.words_between(one.start, one.end)}
    said = {find_preposition(answer, i) for i in sentence.new if i not in measured}
    return bool((said & heads) - {""}) and (sentence.points or bool(sentence.matched))


def find_preposition(text: Text, i: int) -> str:
    """Return the preposition before a word, behind which an article may stand; else ""."""
    before = text.words[max(0, i - 2) : i]
    if before and before[-1] in ARTICLES:
        before = before[:-1]
    return before[-1] if before and before[-1] in PLACE_WORDS else ""


def has_indefinite_article(text: Text, i: int) -> bool:
    """Return whether "a" stands before a word, or before the word in front of it."""
    return bool({"a", "an"} & set(text.words[max(0, i - 2) : i]))
