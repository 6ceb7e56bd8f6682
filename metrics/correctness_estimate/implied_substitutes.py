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
    """Return the words with a capital, without stop words and words such as "All" or "Not"."""
    names = list[int]()
    for i in range(start, stop):
        has_capital = text.shown[i][0].isupper()
        if has_capital and is_asked(text.words[i]) and text.words[i] not in NO_NAMES:
            names.append(i)
    return names


def has_other_name(sentence: Sentence) -> bool:
    """Return whether a new name replaces one of the question: as subject, after "is" or "by"."""
    names = list_new_names(sentence)
    if not names or not lacks_asked_name(sentence):
        return False
    if any(has_role_of_name(sentence, i) for i in names):
        return True
    return BELONGS_TO_NAME.search(sentence.shown) is not None


def list_new_names(sentence: Sentence) -> list[int]:
    """Return the words of names in a sentence that the question does not have."""
    places = sentence.places
    names = list_name_words(sentence.answer, places.start, places.stop)
    return [i for i in names if i in sentence.new_places]


def lacks_asked_name(sentence: Sentence) -> bool:
    """Return whether a sentence lacks a name of the question."""
    question = sentence.question
    names = list_name_words(question, 1, len(question.words))
    return any(find_root(question.words[i]) in sentence.missing for i in names)


BEFORE_NAME = frozenset({"is", "was", "are", "were", "by", "it's"})
SHORT_SENTENCE = 4  # words


def has_role_of_name(sentence: Sentence, i: int) -> bool:
    """Return whether a name is the subject, or follows "is" or "by"."""
    if i == sentence.places.start:
        return is_subject(sentence, i)
    if sentence.answer.words[i - 1] not in BEFORE_NAME:
        return False
    return bool(sentence.matched) or len(sentence.places) <= SHORT_SENTENCE


# Something else has what the question asks about: that title belongs to Ankara.
BELONGS_TO_NAME = re.compile(
    r"^\W*(?i:that|this|the|it|its)\b(?: [a-z]+){0,3} (?:goes|went|belongs?|belonged|fell) to "
    r"(?:the )?[A-Z]"
    r"|^\W*(?i:that|this|it) (?:would|must|will|has to|had to) (?:be|have been) (?:the )?[A-Z]"
    r"|^\W*(?:The )?[A-Z][\w' -]{1,40}? (?:holds?|held|has|had|bears?|plays?|played|fills?|filled"
    r"|claims?|claimed|takes?|took|gets?|got|earned) (?:that|this) \w+\b"
)


def is_subject(sentence: Sentence, i: int) -> bool:
    """Return whether the name that begins a sentence is the subject of what the question asks."""
    answer = sentence.answer
    following = [k for k in range(i + 1, sentence.places.stop) if not answer.shown[k][0].isupper()]
    if not following or answer.words[following[0]].endswith("s'"):
        return False
    is_short = len(sentence.places) <= SHORT_SENTENCE
    is_elliptic = is_short and answer.words[sentence.places.stop - 1] in AUXILIARY  # Canberra is
    return is_elliptic or bool(sentence.matched)


# Verbs that tell the kind of a thing, as "is" does: it counts as a fruit.
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
    start = sentence.answer.starts[sentence.places.start]
    words = sentence.answer.words_between(start + match.start("kind"), start + match.end("kind"))
    if not words or words.stop - 1 not in sentence.new_places:
        return False
    return not is_known_kind(sentence, words)


def is_known_kind(sentence: Sentence, words: range) -> bool:
    """Return whether some words have one that the question asks about."""
    roots = [sentence.roots[i] for i in words if i in sentence.roots]
    return any(is_derived(asked, root) for asked in sentence.asked for root in roots)


def has_other_noun(sentence: Sentence) -> bool:
    """Return whether a sentence has another noun in the place of the question's last one.

    Both nouns have an indefinite article (a doctor, a nurse), both a possessive (his son, his
    nephew), or both are plurals.
    """
    answer, question = sentence.answer, sentence.question
    if question.words[0] not in COPULAS or not 0 < len(sentence.missing) <= 2:
        return False
    asked = find_last_missing(sentence)
    new = find_new_noun(sentence)
    if asked < 2 or new is None:
        return False
    for has_determiner in (has_indefinite_article, has_possessive):
        if has_determiner(question, asked) and has_determiner(answer, new):
            return True
    return are_plurals(sentence, asked, new) and len(sentence.new_places) == 1


def find_last_missing(sentence: Sentence) -> int:
    """Return the last word of the question that a sentence lacks, 0 if there is none."""
    last = 0
    for i, word in enumerate(sentence.question.words):
        if find_root(word) in sentence.missing:
            last = i
    return last


def are_plurals(sentence: Sentence, asked: int, new: int) -> bool:
    """Return whether the question says "are", and its noun and a new noun end in -s."""
    question = sentence.question.words
    asks_several = question[0] in ("are", "were") and question[asked].endswith("s")
    return asks_several and sentence.answer.words[new].endswith("s")


def find_new_noun(sentence: Sentence) -> int | None:
    """Return the last of one or two new words side by side, if a noun may stand there; else None.

    A noun does not begin the sentence and follows no preposition.
    """
    new = sentence.new_places
    has_subject = bool(sentence.matched) or sentence.points
    if not has_subject or not 0 < len(new) <= 2 or new[-1] - new[0] + 1 != len(new):
        return None
    if new[-1] == sentence.places.start:
        return None
    before = sentence.answer.words[new[0] - 1 : new[-1]]
    return new[-1] if OTHER_PREPOSITIONS.isdisjoint(before) else None


def has_other_place(sentence: Sentence) -> bool:
    """Return whether a new word follows a preposition of a missing one: to the harbour."""
    answer, question = sentence.answer, sentence.question
    if not sentence.points and not sentence.matched:
        return False
    asked = set[str]()
    for i, word in enumerate(question.words):
        if find_root(word) in sentence.missing:
            asked.add(find_preposition(question, i))
    measured = set[int]()
    for quantity in answer.quantities:
        measured.update(answer.words_between(quantity.start, quantity.end))
    new = {find_preposition(answer, i) for i in sentence.new_places if i not in measured}
    return bool((new & asked) - {""})


def find_preposition(text: Text, i: int) -> str:
    """Return the preposition before a word, with or without an article between them; else ""."""
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
