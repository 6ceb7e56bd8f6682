"""Read a yes or no from a sentence that says neither word.

Is the shop open? "It closes at noon." Each reader knows one way to say yes or no. It compares a
sentence of the answer with the question (answer_sentences.py): which words of the question the
sentence repeats, which it replaces by an opposite, another name or another number, and what it
denies. A reader returns 1 for yes, -1 for no, 0 if it cannot tell.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from .answer_sentences import (
    ALL,
    COPULAS,
    DEGREES,
    DENYING_PHRASE,
    LONGEST_QUESTION,
    SOME,
    Sentence,
    count_negators,
    is_denied_question,
    is_asked,
    locate_quantity,
    is_pointing,
    list_sentences,
)
from .implied_amounts import (
    MOST_ASKED_AMOUNTS,
    list_amounts,
    read_amount,
    read_comparison,
    read_direction_of_bound,
)
from .lexicon import AUXILIARY, DENYING_WORD, TURNING_WORDS
from .opposites import (
    Sense,
    are_opposite_roots,
    choose_side,
    compile_senses,
    find_root,
    is_derived,
)
from .text import Text

# A sentence that has at least this share of the words asked about answers the question.
REPEATED = 0.6
OBJECTS = frozenset("it them him her this that these those there one".split())
ONLY = frozenset("only just merely solely exclusively nur solo seulement".split())
COPULA = re.compile(r"\b(?:is|are|was|were|be|been|remains?|stays?|ist|sind|est|es)\b|'(?:s|re)\b")


def read_implied_answer(text: Text, question: Text) -> int:
    """Return 1 if a sentence says what the question asks, -1 if it says the opposite, else 0."""
    for words in list_sentences(text):
        sentence = Sentence(text, question, words)
        for read in READERS:
            side = read(sentence)
            if side:
                return side
    return 0


def read_quantifier(sentence: Sentence) -> int:
    """Return 1 if all are so, -1 if only some are, and the question asks for all; else 0."""
    if ALL.isdisjoint(sentence.question.words):
        return 0
    words = {sentence.answer.words[i] for i in sentence.places}
    says_all = not ALL.isdisjoint(words)
    says_some = not SOME.isdisjoint(words)
    if sentence.sign < 0 or (says_some and not says_all):
        return -1
    return 1 if says_all and sentence.matched and not sentence.opposed else 0


def read_only(sentence: Sentence) -> int:
    """Return -1 if only something else is so: "only cash is accepted"."""
    words = sentence.answer.words
    only_places = [i for i in sentence.places if words[i] in ONLY]
    if not only_places or not sentence.missing or count_negators(sentence):
        return 0
    if not has_new_word_beside(sentence, only_places[0]):
        return 0
    is_short = len(sentence.places) <= SHORT_ONLY
    return -1 if is_short or lacks_more_than_subject(sentence) else 0


SHORT_ONLY = 4  # words of a sentence such as "only on Mondays"


def has_new_word_beside(sentence: Sentence, i: int) -> bool:
    """Return whether a new word stands after a word, or right before it."""
    return any(place > i or place == i - 1 for place in sentence.new_places)


def lacks_more_than_subject(sentence: Sentence) -> bool:
    """Return whether a sentence lacks another word of the question than the first one."""
    return sentence.missing != sentence.asked[:1]


SOME_SUBJECT = re.compile(
    r"^\W*(?:yes,? )?(?:some|several|many|most|a few|a number|a couple|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|dozens|hundreds|thousands|plenty|lots|at least|\d+)\b"
)
ANY = frozenset("any anyone anybody anything".split())
NO_SUBJECT = re.compile(r"^\W*(?:no|none|nobody|no one|nothing|neither)\b")


def read_any(sentence: Sentence) -> int:
    """Return 1 if some are so, -1 if the sentence denies it, and the question asks for any."""
    if ANY.isdisjoint(sentence.question.words):
        return 0
    if SOME_SUBJECT.match(sentence.text) and not sentence.opposed:
        return sentence.sign
    return 0


def read_no_subject(sentence: Sentence) -> int:
    """Return -1 if the subject asked about is negative: “no harm was done”."""
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


def read_existence(sentence: Sentence) -> int:
    """Return 1 if there is what the question asks for, -1 if there is none, else 0."""
    if not EXISTENCE.match(sentence.question.lower[:LONGEST_QUESTION]):
        return 0
    has_subject = sentence.has_pronoun or bool(sentence.matched)
    if NONE.search(sentence.text) and has_subject:
        return -1
    if sentence.text.startswith("no ") and sentence.matched:
        return -1
    if not SOMETHING.match(sentence.text) or count_negators(sentence):
        return 0
    return 1 if len(sentence.new_places) <= MOST_NEW_WORDS else 0


MOST_NEW_WORDS = 3  # of a sentence that says that there is something


def read_clause(sentence: Sentence) -> int:
    """Return 1 or -1 if a sentence repeats what the question asks, or an opposite of it, else 0."""
    if not sentence.asked:
        return 0
    sign = sentence.sign * (-1 if len(sentence.opposed) % 2 else 1)
    if (sign > 0 and leaves_bound_open(sentence)) or denies_new_noun(sentence):
        return 0
    return sign if repeats_question(sentence) else 0


def repeats_question(sentence: Sentence) -> bool:
    """Return whether a sentence has enough words of the question, or opposites of them."""
    known = sentence.matched | sentence.opposed
    share = 1 - len(sentence.missing) / len(sentence.asked)
    if share >= REPEATED or (len(known) > 1 and not sentence.new_places):
        return True
    if not sentence.has_pronoun or not known:
        return False
    return has_known_verb(sentence, known) or has_known_end(sentence, known)


def has_known_verb(sentence: Sentence, known: set[str]) -> bool:
    """Return whether the verb of a sentence with a pronoun is one of the question, or an opposite.

    A word is the verb if a pronoun follows it as its object, or if it is the first word after a
    pronoun that is the subject.
    """
    verbs = [i for i in sentence.roots if is_object(sentence, i + 1)]
    if sentence.leading is not None:
        verbs.append(sentence.leading)
    return any(is_known(sentence, i, known) for i in verbs)


def denies_new_noun(sentence: Sentence) -> bool:
    """Return whether a sentence denies only a noun that the question lacks: “it does no harm”."""
    if not sentence.denial_places:
        return False
    words = sentence.answer.words
    return all(words[i] == "no" and i + 1 in sentence.new_places for i in sentence.denial_places)


def has_known_end(sentence: Sentence, known: set[str]) -> bool:
    """Return whether a sentence has the question's last word, and no new verb or predicate."""
    if sentence.asked[-1] not in known or has_new_predicate(sentence):
        return False
    leading = sentence.leading
    if leading is None or leading not in sentence.new_places:
        return True
    return COPULA.search(sentence.text) is not None


def has_new_predicate(sentence: Sentence) -> bool:
    """Return whether the first telling word after “is” is not in the question: “it is unknown”."""
    words = sentence.answer.words
    for place in sentence.places:
        if words[place] in COPULAS or words[place].endswith(("'s", "'re")):
            after = [i for i in sentence.roots if i > place]
            return bool(after) and after[0] in sentence.new_places
    return False


def leaves_bound_open(sentence: Sentence) -> bool:
    """Return whether a question asks for a bound that a sentence leaves out.

    The sentence has neither an amount nor the word of the bound.
    """
    if list_amounts(sentence):
        return False
    question = sentence.question
    for quantity in question.quantities[:MOST_ASKED_AMOUNTS]:
        if not read_direction_of_bound(question, quantity):
            continue
        word = question.words[locate_quantity(question, quantity)]
        if find_root(word) in sentence.missing:
            return True
    return False


def is_known(sentence: Sentence, i: int, known: set[str]) -> bool:
    """Return whether a word is one that the question asks about, or its opposite."""
    root = sentence.roots[i]
    return any(is_derived(asked, root) or are_opposite_roots(asked, root) for asked in known)


def is_object(sentence: Sentence, i: int) -> bool:
    """Return whether a word of a sentence is a pronoun that may be the object of a verb."""
    return i in sentence.places and sentence.answer.words[i] in OBJECTS


# Words for people in general, or for those who speak.
SPEAKERS = frozenset("i we you one anyone people my our your".split())


def read_denied_pronoun(sentence: Sentence) -> int:
    """Return -1 if a sentence that begins with a pronoun denies (“it failed”), else 0.

    Return 1 if it denies twice (“they did not refuse it”).
    """
    is_pronoun = bool(sentence.places) and is_pointing(sentence.answer.words[sentence.places.start])
    if not is_pronoun or sentence.question.denials or is_general_subject(sentence):
        return 0
    is_denying = has_denying_verb(sentence)
    count = count_negators(sentence) + is_denying
    if is_denying and count == 2:
        return 1
    return -1 if count % 2 else 0


def has_denying_verb(sentence: Sentence) -> bool:
    """Return whether a sentence denies by the verb of a pronoun, or by a phrase."""
    leading = sentence.leading
    if leading is not None and DENYING_WORD.match(sentence.answer.words[leading]):
        return True
    return DENYING_PHRASE.search(sentence.text) is not None


def is_general_subject(sentence: Sentence) -> bool:
    """Return whether the subject is a general “you” or “we”: “you can't see it”.

    The question then has no such person.
    """
    subject = sentence.answer.words[sentence.places.start].partition("'")[0]
    return subject in ("you", "we") and SPEAKERS.isdisjoint(sentence.question.words)


# ---- words for a state

CAN = frozenset("can may could might".split())
NEEDED = frozenset("must need should".split())
YET_TO = re.compile(r"\byet to\b")  # it is yet to open


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
    start = sentence.answer.starts[sentence.places.start]
    inside = sentence.answer.words_between(start + match.start(), start + match.end())
    main = sentence.main_words()
    count = sum(i in main and i not in inside for i in sentence.denial_places)
    count += YET_TO.search(sentence.text) is not None
    return -1 if (count + is_denied_question(sentence.question)) % 2 else 1


# ---- another name, kind of thing or place: "Canberra is", "he's a nurse"

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
    has_subject = bool(sentence.matched) or sentence.has_pronoun
    if not has_subject or not 0 < len(new) <= 2 or new[-1] - new[0] + 1 != len(new):
        return None
    if new[-1] == sentence.places.start:
        return None
    before = sentence.answer.words[new[0] - 1 : new[-1]]
    return new[-1] if OTHER_PREPOSITIONS.isdisjoint(before) else None


def has_other_place(sentence: Sentence) -> bool:
    """Return whether a new word follows a preposition of a missing one: to the harbour."""
    answer, question = sentence.answer, sentence.question
    if not sentence.has_pronoun and not sentence.matched:
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


# The first that can tell decides.
READERS: tuple[Callable[[Sentence], int], ...] = (
    read_quantifier,
    read_comparison,
    read_amount,
    read_only,
    read_other_name,
    read_any,
    read_unchanged,
    read_sense,
    read_no_subject,
    read_existence,
    read_substitute,
    read_clause,
    read_denied_pronoun,
)
