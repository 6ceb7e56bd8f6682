"""Answer a yes-no question with no by something else: another name, kind of thing or place.

Is Sydney the capital? "Canberra is." Is he a doctor? "He's a nurse."
"""

import re

from .answer_sentences import ALL, COPULAS, DEGREES, SOME, Sentence, count_negators, is_asked
from .lexicon import TURNING_WORDS
from .opposites import find_root, is_derived
from .polarity import AUXILIARY
from .text import Text

NO_NAMES = ALL | SOME | DEGREES | TURNING_WORDS | frozenset("no not yes".split())
PLACE_WORDS = frozenset("in at from near to of on into en à dans aus bei zu".split())
OTHER_PREPOSITIONS = PLACE_WORDS | frozenset("by with for than over under".split())
POSSESSIVES = frozenset("his her their its my your our".split())
ARTICLES = frozenset("the a an this his her their its my your".split())


def read_substitute(sentence: Sentence) -> int:
    """Return -1 if another name or another kind of thing replaces that of the question."""
    if count_negators(sentence):
        return 0
    has_other = has_other_kind(sentence) or has_other_noun(sentence) or has_other_place(sentence)
    return -1 if has_other else 0


def read_other_name(sentence: Sentence) -> int:
    """Return -1 if another name has the part that the question gives to its name."""
    return -1 if not count_negators(sentence) and has_other_name(sentence) else 0


def list_name_words(text: Text, start: int, stop: int) -> list[int]:
    """Return the words with a capital; the first of a text only where it is no small word."""
    found = list[int]()
    for i in range(start, stop):
        if text.shown[i][0].isupper() and is_asked(text.words[i]) and text.words[i] not in NO_NAMES:
            found.append(i)
    return found


def has_other_name(sentence: Sentence) -> bool:
    """Return whether a new name replaces one of the question: as subject, after "is" or "by"."""
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
    return BELONGS_TO_NAME.search(sentence.shown) is not None


# Another has what the question speaks of: that title belongs to Ankara, the cup went to Argentina.
BELONGS_TO_NAME = re.compile(
    r"^\W*(?i:that|this|the|it|its)\b(?: [a-z]+){0,3} (?:goes|went|belongs?|belonged|fell) to "
    r"(?:the )?[A-Z]"
    r"|^\W*(?i:that|this|it) (?:would|must|will|has to|had to) (?:be|have been) (?:the )?[A-Z]"
    r"|^\W*(?:The )?[A-Z][\w' -]{1,40}? (?:holds?|held|has|had|bears?|plays?|played|fills?|filled"
    r"|claims?|claimed|takes?|took|gets?|got|earned) (?:that|this) \w+\b"
)


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


# What names the kind of a thing in place of "is": it counts as a fruit.
CLASSIFYING = re.compile(
    r"\b(?:class(?:es|ed|ify|ifies|ified)?|count(?:s|ed)?|regard(?:s|ed)?|group(?:s|ed)?|list(?:s|ed)?"
    r"|treat(?:s|ed)?|defin\w+|describ\w+|consider(?:s|ed)?|rank(?:s|ed)?|belong(?:s|ed)?|fall(?:s)?)"
    r" (?:\w+ )?(?:as|to|among|under|with|into)(?: the)?(?: an?)? (?P<kind>\w+(?: \w+)?)"
)


def has_other_kind(sentence: Sentence) -> bool:
    """Return whether a sentence puts a thing among another kind than the question asks about."""
    match = CLASSIFYING.search(sentence.text)
    if not match or sentence.question.words[0] not in COPULAS or not sentence.missing:
        return False
    words = sentence.answer.words_between(
        *(sentence.answer.starts[sentence.words.start] + place for place in match.span("kind"))
    )
    return bool(words) and words.stop - 1 in sentence.new and not is_known_kind(sentence, words)


def is_known_kind(sentence: Sentence, words: range) -> bool:
    """Return whether some words have one that the question asks about."""
    roots = [sentence.roots[i] for i in words if i in sentence.roots]
    return any(is_derived(one, root) for one in sentence.asked for root in roots)


def has_other_noun(sentence: Sentence) -> bool:
    """Return whether a sentence has another noun in the place of the last one of the question."""
    answer, question = sentence.answer, sentence.question
    if question.words[0] not in COPULAS or not 0 < len(sentence.missing) <= 2:
        return False
    missing = (i for i, word in enumerate(question.words) if find_root(word) in sentence.missing)
    asked = max(missing, default=0)  # its last word that the sentence lacks
    new = find_new_noun(sentence)
    if asked < 2 or new is None:
        return False
    if has_indefinite_article(question, asked) and has_indefinite_article(answer, new):
        return True
    if has_possessive(question, asked) and has_possessive(answer, new):
        return True
    asks_several = question.words[0] in ("are", "were") and question.words[asked].endswith("s")
    return asks_several and answer.words[new].endswith("s") and len(sentence.new) == 1


def find_new_noun(sentence: Sentence) -> int | None:
    """Return the last of one or two new words, which stand side by side behind the subject."""
    new = sentence.new
    is_said_of_it = bool(sentence.matched) or sentence.points
    if not is_said_of_it or not 0 < len(new) <= 2 or new[-1] - new[0] + 1 != len(new):
        return None
    if new[-1] == sentence.words.start:
        return None
    before = sentence.answer.words[new[0] - 1 : new[-1]]
    return new[-1] if OTHER_PREPOSITIONS.isdisjoint(before) else None


def has_other_place(sentence: Sentence) -> bool:
    """Return whether the question's preposition has a new word behind it: to the harbour."""
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


def has_possessive(text: Text, i: int) -> bool:
    """Return whether "his" or the like stands right before a word."""
    return bool(i) and text.words[i - 1] in POSSESSIVES
