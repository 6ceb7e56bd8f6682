"""Decide by a reference that is one or several options of the question.

An answer chooses options by their letters ("B", "ABD") or by their text. A question may also offer
two words: "Did prices rise or fall?"
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from .found_reference import is_form
from .lexicon import AUXILIARY, PRONOUNS, STOP_WORDS
from .option_choices import (
    ALPHABET,
    LETTERS,
    NUMBERS,
    leaves_open,
    read_choice,
    read_odd_choice,
    read_ruled_out,
    write_letters_for_texts,
)
from .opposites import find_root
from .dismissals import FACT
from .outcomes import DIFFERENT, EQUAL, LIKELY, OPEN, UNLIKELY, Decision
from .taken_back import find_taken_back
from .text import RECENT_TEXTS, Text, read_text

MOST_READ = 4000  # characters in which a choice is looked for


# ---- how references and questions write options

JOINT = r"[\s,;、/&()]|and|和|及"
BEFORE_OPTIONS = r"(?:(?:options?|answers?|statements?|only|just|both) ){0,2}"
# ABD, (A), "A, C", "A and C", "only B".
OPTION_REFERENCE = re.compile(
    rf"\W*{BEFORE_OPTIONS}([{LETTERS}](?:(?:{JOINT})*[{LETTERS}]){{0,9}})(?: only)?\W*",
    re.IGNORECASE,
)
# "B. Paris", "(B) Paris", "B - Paris".
LETTER_AND_TEXT = re.compile(rf"\s*\(?([{LETTERS}])(?:[).:：、]|\s[-–])\s+(\S.*)", re.DOTALL)
# "b. Paris", "2) Rome", "2".
OPTION_MARK = re.compile(rf"\s*\(?[{LETTERS}1-9](?:[).:：、]|\s[-–]|\W*$)", re.IGNORECASE)
# Behind a letter: the two are initials of a name, "J. R. R. Tolkien".
INITIAL = re.compile(r"[A-Z]\.")
# The letter of each option in a question: "Which? (A) Oslo (B) Rome"; a line that begins with it;
# "Which? A Oslo, B Rome or C Bern".
LISTED = re.compile(rf"(?:^|[\s(（\[?？:：])([{LETTERS}])(?:[).）\]:：、．]|\s[-–=](?=\s))\s*")
LISTED_BY_LINES = re.compile(rf"(?:^|\n)([{LETTERS}]) (?=\S)")
LISTED_BY_COMMAS = re.compile(rf"(?:[?？:：,，;；]\s?(?:or )?|\sor )([{LETTERS}]) (?=\S)")
LISTINGS = (LISTED, LISTED_BY_LINES, LISTED_BY_COMMAS)


def read_option_reference(reference: str, options: Mapping[str, str]) -> str:
    """Return the letters that a reference stands for, "" if it is no option.

    >>> [read_option_reference(text, {}) for text in ("ABD", "BAD", "B. Paris")]
    ['ABD', '', 'B']
    """
    match = OPTION_REFERENCE.fullmatch(reference)
    if match:
        letters = re.findall(rf"[{LETTERS}]", match[1])
        return "".join(letters) if letters == sorted(set(letters)) else ""
    named = LETTER_AND_TEXT.fullmatch(reference)
    if named and (options or not INITIAL.match(named[2])):
        return named[1]
    return next((letter for letter, text in options.items() if is_same_text(text, reference)), "")


def is_same_text(one: str, other: str) -> bool:
    """Return whether two texts have the same words."""
    words = [re.findall(r"\w+", text.casefold()) for text in (one, other)]
    return words[0] == words[1] != []


def list_options(question: str) -> dict[str, str]:
    """Return the options that a question lists, by their letters.

    >>> list_options("Which? (A) Oslo (B) Rome")
    {'A': 'Oslo', 'B': 'Rome'}
    """
    marks = find_option_marks(question)
    letters = "".join(mark[1] for mark in marks)
    if len(marks) < 2 or letters != ALPHABET[: len(marks)]:
        return {}
    ends = [mark.start() for mark in marks[1:]] + [len(question)]
    options = dict[str, str]()
    for mark, end in zip(marks, ends, strict=True):
        options[mark[1]] = question[mark.end() : end].strip(" \t\r\n,;[")
    return options


def find_option_marks(question: str) -> list[re.Match[str]]:
    """Return the letters with which a question lists its options, from the A on."""
    marks = list[re.Match[str]]()
    for listing in LISTINGS:
        if len(marks) < 2:
            marks = list(listing.finditer(question))
    # In "I. ... II. ... A) I only", the options begin at the A.
    first = next((i for i, mark in enumerate(marks) if mark[1] == ALPHABET[0]), 0)
    return marks[first:]


# ---- capital letters for numbers, Roman numerals and small letters

# Options with numbers or small letters are read as those with capitals: "1) Oslo", "a. Oslo".
FIRST_OPTION = re.compile(r"(?:^|\s)[(\[]?1[).:\]]")
SECOND_OPTION = re.compile(r"\s[(\[]?2[).:\]]")
NUMBER_OF_OPTION = re.compile(r"\s*\(?[1-9](?:[).:]|\s*$)")
OPTION_NUMBER = re.compile(r"(?<![\w.,])([1-9])(?=[).:\]](?:\s|$)|\W*$)")
NUMBER_LIST = re.compile(r"\W*[1-9](?:(?:[\s,;、/&().]|and|和|及)+[1-9]){0,9}\W*")
LONE_NUMBER = re.compile("([1-9])")
SMALL_OPTION = re.compile(r"(?<![\w'’])([a-j])(?=[).:](?:\s|$)|\W*$)")
LONE_SMALL_LETTER = re.compile(r"\W*[a-j]\W*")
# A small letter of an option in an answer: "b and d", "a, c".
SMALL_MENTION = re.compile(
    r"(?<![\w'’])([a-j])(?=[).:,;]*(?:\s*$| (?:and|or|nor|is|are|only)\b|[).:,;]\s))"
)
# Statements with Roman numerals: "I. Ice floats. II. Iron rusts."
FIRST_STATEMENT = re.compile(r"(?:^|\s)\(?I[).:]\s")
SECOND_STATEMENT = re.compile(r"\s\(?II[).:]\s")
ROMAN_NUMERALS = "I II III IV V VI".split()
# "I" is a pronoun where a word in small letters follows.
ROMAN_OPTION = re.compile(
    r"(?<![\w'’])(?P<numeral>III|II|IV|VI|V"
    r"|I(?! (?!and\b|or\b|nor\b|but\b|is\b|isn't|are\b|only\b|holds\b|does|true\b|false\b"
    r"|yes\b|no\b)[a-z]))"
    r"(?![\w'’])"
)
ROMAN_REFERENCE = re.compile(
    rf"\W*{BEFORE_OPTIONS}[IV]{{1,3}}(?:(?:[\s,;&().]|and)+[IV]{{1,3}})*(?: only)?\W*",
    re.IGNORECASE,
)
# Options with words for numbers: "One: Oslo. Two: Rome."
WORD_OPTION = re.compile(r"(?<!\w )\b(One|Two|Three|Four|Five|Six)(?=[:.)]|\W*$)", re.IGNORECASE)
FIRST_WORD = re.compile(r"(?:^|[.?!:;\n]\s?)One[:.)]", re.IGNORECASE)
SECOND_WORD = re.compile(r"\bTwo[:.)]")


def choose_lettering(question: str, reference: str) -> Callable[[str], str]:
    """Return the function that writes the options of a text as capital letters."""
    first = FIRST_WORD.search(question) if WORD_OPTION.match(reference) else None
    if first and SECOND_WORD.search(question, first.end()):
        return letter_word_options
    if ROMAN_REFERENCE.fullmatch(reference) and has_roman_options(question):
        return letter_roman_options
    if has_numbered_options(question) and NUMBER_OF_OPTION.match(reference):
        return letter_options
    if SMALL_OPTION.findall(question)[:2] == ["a", "b"]:
        return capitalize_options
    return str


def has_numbered_options(question: str) -> bool:
    """Return whether a question lists its options by numbers: 1) Oslo 2) Rome."""
    first = FIRST_OPTION.search(question)
    return first is not None and SECOND_OPTION.search(question, first.end()) is not None


def letter_options(text: str) -> str:
    """Return a text with the numbers of options as letters.

    >>> letter_options("1) Oslo 2) Rome"), letter_options("2")
    ('A) Oslo B) Rome', 'B')
    >>> letter_options("1 and 3"), letter_options("29")
    ('A and C', '29')
    """
    pattern = LONE_NUMBER if NUMBER_LIST.fullmatch(text) else OPTION_NUMBER
    return pattern.sub(lambda match: chr(ord("A") + int(match[1]) - 1), text)


def capitalize_options(text: str) -> str:
    """Return a text with the small letters of options as capitals.

    >>> capitalize_options("a. Oslo"), capitalize_options("a and c"), capitalize_options("a city")
    ('A. Oslo', 'A and C', 'a city')
    """
    return SMALL_MENTION.sub(lambda match: match[0].upper(), text)


def has_roman_options(question: str) -> bool:
    """Return whether a question lists its options by Roman numerals: I. ... II. ..."""
    first = FIRST_STATEMENT.search(question)
    return first is not None and SECOND_STATEMENT.search(question, first.end()) is not None


def letter_roman_options(text: str) -> str:
    """Return a text with the Roman numerals of options as letters.

    >>> letter_roman_options("I. Ice floats. II. Iron rusts."), letter_roman_options("only II")
    ('A. Ice floats. B. Iron rusts.', 'only B')
    """
    return ROMAN_OPTION.sub(lambda match: ALPHABET[ROMAN_NUMERALS.index(match["numeral"])], text)


def letter_word_options(text: str) -> str:
    """Return a text with the words for numbers of options as letters.

    >>> letter_word_options("One: Oslo. Two: Rome."), letter_word_options("Two")
    ('A: Oslo. B: Rome.', 'B')
    """
    return WORD_OPTION.sub(lambda match: ALPHABET[NUMBERS.index(match[1].lower())], text)


# ---- the decision

# A question that asks for the wrong option: "C is no mammal" chooses C.
WRONG_WORD = re.compile(
    r"\b(?:not|never|except|false|incorrect|wrong|least)\b|n['’]t\b|不", re.IGNORECASE
)
# "True or false?" asks for either.
VERDICTS = "true|right|correct|false|wrong|incorrect"
EITHER = re.compile(rf"\b(?:{VERDICTS}) or (?:{VERDICTS}|not)\b", re.IGNORECASE)
# A letter that is part of a name: C++, C#.
LETTER_WITH_SIGNS = re.compile(rf"(?<![A-Za-z])[{LETTERS}](?:\+\+|\x23)")
# Other words for the options "true" and "false".
OTHER_VERDICTS = {
    "true": re.compile(r"\b(?:correct|right)\b"),
    "false": re.compile(r"\b(?:incorrect|wrong)\b"),
}


def decide_option(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer chooses the options that a reference is.

    None if the reference is no option, or the answer does not say.
    """
    if not may_be_option(reference, question):
        return None
    return decide_written_option(answer.raw, reference.raw, question.raw)


def may_be_option(reference: Text, question: Text) -> bool:
    """Return whether a reference begins with the mark of an option, or is in the question."""
    if reference.places.keys() <= question.places.keys():
        return True
    text = reference.raw
    if OPTION_MARK.match(text) or OPTION_REFERENCE.fullmatch(text) or WORD_OPTION.match(text):
        return True
    return ROMAN_REFERENCE.fullmatch(text) is not None


def decide_written_option(answer: str, reference: str, question: str) -> Decision | None:
    """Return the decision of `decide_option` for texts as they were written."""
    if LETTER_WITH_SIGNS.search(reference):
        return None
    write_letters = choose_lettering(question, reference)
    options = list_options(write_letters(question))
    if not options and has_numbered_options(question):
        # The reference is an option's text: "option 2" chooses it, but "2" may be a value.
        options = list_options(letter_options(question))
    wanted = read_option_reference(write_letters(reference), options)
    if not wanted:
        return None
    answer = write_letters(answer)
    if LONE_SMALL_LETTER.fullmatch(answer):
        answer = answer.upper()
    answer = unify_verdicts(LETTER_WITH_SIGNS.sub("", answer[:MOST_READ]), options)
    lettered = OTHERS_CHOICE.sub("", write_letters_for_texts(answer, options))
    if leaves_open(lettered, wanted):
        return Decision(UNLIKELY, "either", answer.strip(), wanted)
    if asks_for_wrong(question, options):
        ruled_out = set[str]()
        chosen = read_odd_choice(lettered, options, len(wanted))
    else:
        ruled_out = read_ruled_out(lettered)
        chosen = read_choice(lettered, options, len(wanted), ruled_out)
    if not chosen and ruled_out.isdisjoint(wanted):
        # An answer that names several options by their texts has no letter that decides.
        named = set(re.findall(rf"‹([{LETTERS}])›", lettered))
        is_open = set(wanted) < named and len(reference.strip()) == 1
        return Decision(OPEN, "option", "", wanted) if is_open else None
    is_right = chosen == wanted
    if is_right and not asks_for_wrong(question, options):
        is_right = not takes_back_letter(lettered, wanted, question)
    outcome = EQUAL if is_right else DIFFERENT
    return Decision(outcome, "option", chosen or answer.strip(), wanted)


def takes_back_letter(answer: str, letter: str, question: str) -> bool:
    """Return whether words around the only mention of a letter take it back: I doubt it is B."""
    if len(letter) > 1:
        return False
    marked, count = re.subn(rf"(?<![A-Za-z'’])[‹(]?{letter}[)›]?(?![A-Za-z'’])", FACT, answer)
    return count == 1 and bool(find_taken_back(marked.lower(), Text(question)))


# "..., although many choose C"
OTHERS_CHOICE = re.compile(
    r",? (?:although|though|even if|even though|while|but) (?:many|most|some|people|others|a lot)\b"
    r"[^.;!?]*",
    re.IGNORECASE,
)


def asks_for_wrong(question: str, options: Mapping[str, str]) -> bool:
    """Return whether a question asks for the wrong option, its options left out of account.

    >>> asks_for_wrong("Which is no mammal, and not a fish? A) newt B) cod", {})
    True
    >>> asks_for_wrong("Why? A) It is not B) It may", {"A": "It is not", "B": "It may"})
    False
    """
    question = EITHER.sub(" ", question)
    for text in options.values():
        question = question.replace(text, " ")
    return WRONG_WORD.search(question) is not None


def unify_verdicts(answer: str, options: Mapping[str, str]) -> str:
    """Return an answer with "true" for "correct", if the options are true and false."""
    if {text.lower() for text in options.values()} != OTHER_VERDICTS.keys():
        return answer
    for verdict, other in OTHER_VERDICTS.items():
        answer = other.sub(verdict, answer)
    return answer


# ---- two words that a question offers

# "rise or fall", "the newest or the oldest", "opened or be closed"
OFFERED_WORDS = re.compile(
    r"\b(?P<first>[a-z]{2,20}) or (?:(?:a|an|the|to|be|his|her|its|their|my|your|more) ){0,2}"
    r"(?P<second>[a-z]{2,20})\b",
    re.IGNORECASE,
)
# These offer no choice: "more or less", "one or several", "true or not".
NO_OFFER = frozenset("more less one two several all none both other others not so no yes".split())
LONGEST_OFFERED = 30  # words of an answer that may take one of the words
# Words behind a side: north of, taller than, away from.
BEHIND_SIDE = frozenset(("of", "than", "from"))
DENIAL_REACH = 3  # words from a negator to the offered word that it denies
# Words beside it that tell nothing: at all, at that hour, it turned out.
EMPTY_WORDS = frozenset(
    "all least really quite particularly especially hour time moment now then turned out".split()
)
# "Is the second edition cheaper or dearer than the first?"
COMPARED = re.compile(
    r"\W*(?:is|are|was|were) (?P<thing>.{1,60}?) \w+ or (?:more )?\w+ than (?P<other>[^?]{1,60})"
)


def decide_offered_side(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the side of which a question asks, if an answer names both things.

    "The city is south of the river" says that the river is north of the city. None if the question
    offers no two sides, or if the answer says anything else.
    """
    offered = list_offered_words(question)
    wanted = find_offered_word(reference, offered)
    if not wanted or len(reference.content) > 1 or answer.denials or reference.denials:
        return None
    if offered[1] not in question.first_place:
        return None  # Tim or Tom's brother
    asked = read_things(question, question.words.index(offered[1]))
    found = [word for word in offered if word in answer.first_place]
    if not asked or len(found) != 1:
        return None
    stated = read_things(answer, answer.words.index(found[0]))
    is_straight = bool(stated) and not any(map(set.isdisjoint, asked, stated))
    is_crossed = bool(stated) and not any(map(set.isdisjoint, asked, reversed(stated)))
    if is_straight == is_crossed:
        return None
    is_right = (found[0] == wanted) == is_straight
    return Decision(EQUAL if is_right else DIFFERENT, "option", answer.text.strip(), wanted)


def read_things(text: Text, side: int) -> list[set[str]]:
    """Return the telling stems before a side and behind it: "the city" and "the river".

    The list is empty if no thing follows the side: "south of" does, "in the south" does not.
    """
    behind = side + 2
    if behind > len(text.words) or text.words[side + 1] not in BEHIND_SIDE:
        return []
    return [text.list_stems(range(side)), text.list_stems(range(behind, len(text.words)))]


# "Bergen? No, Oslo."
DISMISSED_OFFER = re.compile(
    r"^\W*[^?.,;:!]{1,40}\? (?:no|nope|no way|not at all|wrong)[,.;:!]+ (?=\w)", re.IGNORECASE
)


def decide_offered_word(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return DIFFERENT if an answer takes the other of two words that a question offers.

    "Did prices rise or fall?" offers two: "They rose" is wrong beside "they fell". "They did not
    fall" takes the other one, and is LIKELY or UNLIKELY. None if the answer says something else,
    too, or a text denies more.
    """
    offered = list_offered_words(question)
    if not offered or len(answer.words) > LONGEST_OFFERED:
        return None
    answer = read_text(DISMISSED_OFFER.sub("", answer.text))
    wanted = find_offered_word(reference, offered)
    found = find_offered_word(answer, offered)
    if not wanted or not found:
        return None
    if says_more(answer, question, found):
        answer = read_text(answer.span(0, answer.find_clause(0).stop))
        if not denies_just(answer, found) or says_more(answer, question, found):
            return None  # "Not deep at all, it barely reaches your knees" says enough
    if denies_just(answer, found) and not question.denials:
        outcome = LIKELY if found != wanted else UNLIKELY
        return Decision(outcome, "denied", answer.text.strip(), wanted)
    if not set(answer.denials) <= set(list_places(answer, found)):
        return None  # it denies something else than "without" does
    is_other = (found != wanted) != says_of_other_thing(answer, question, found)
    return Decision(DIFFERENT, "option", found, wanted) if is_other else None


def denies_just(answer: Text, found: str) -> bool:
    """Return whether an answer's only denial is of an offered word: isn't off, Ann didn't call."""
    places = list_places(answer, found)
    if len(answer.denials) != 1 or len(places) != 1:
        return False
    place, denial = places[0], answer.denials[0]
    is_subject = place == 0 or answer.words[:place] == ["the"]
    if is_subject and not AUXILIARY.isdisjoint(answer.words[place + 1 : denial + 1]):
        return True
    is_contracted = is_subject and denial == place + 1 and answer.words[denial].endswith("n't")
    is_behind = 0 < place - denial <= DENIAL_REACH and answer.clause[place] == answer.clause[denial]
    return is_contracted or is_behind


def says_of_other_thing(answer: Text, question: Text, found: str) -> bool:
    """Return whether an answer says an offered comparative of the other of two compared things.

    "The first edition is cheaper" does so where the question is whether the second one is cheaper.
    """
    compared = COMPARED.match(question.lower)
    if not compared or answer.denials:
        return False
    places = list_places(answer, found)
    if len(places) != 1 or "than" in answer.words[: places[0]]:
        return False
    thing = question.list_stems(question.words_between(*compared.span("thing")))
    other = question.list_stems(question.words_between(*compared.span("other")))
    subject = [i for i in range(places[0]) if answer.words[i] != "one"]
    before = answer.list_stems(subject)
    return not before.isdisjoint(other - thing) and not before >= thing - other


def takes_offered_word(text: Text, question: Text) -> bool:
    """Return whether a text has one of two words that a question offers: rise or fall."""
    return find_offered_word(text, list_offered_words(question)) != ""


@lru_cache(maxsize=RECENT_TEXTS)
def list_offered_words(question: Text) -> tuple[str, ...]:
    """Return the two words that a question offers, or () if there are none or more than two."""
    if "or" not in question.first_place:
        return ()
    offers = OFFERED_WORDS.findall(question.text)
    if len(offers) != 1:
        return ()
    first, second = (word.lower() for word in offers[0])
    if {first, second} & NO_OFFER or is_form(find_root(first), find_root(second)):
        return ()
    # In "Is the Dead Sea a lake or a sea?" an answer with "sea" may only repeat the name.
    is_clear = all(len(list_places(question, word)) == 1 for word in (first, second))
    return (first, second) if is_clear else ()


def list_places(text: Text, offered: str) -> list[int]:
    """Return the places at which a text has a word in any form; a small word has only one."""
    if offered in STOP_WORDS:
        return [i for i, word in enumerate(text.words) if word == offered]
    root = find_root(offered)
    return [i for i, word in enumerate(text.words) if is_form(root, find_root(word))]


def find_offered_word(text: Text, offered: tuple[str, ...]) -> str:
    """Return the one of the offered words that a text has, "" if it has both or neither."""
    taken = [word for word in offered if list_places(text, word)]
    return taken[0] if len(taken) == 1 else ""


def says_more(answer: Text, question: Text, taken: str) -> bool:
    """Return whether an answer has words besides those of the question and the word it takes.

    A negator is none: `denies_just` reads it.
    """
    known_places = {*list_places(answer, taken), *answer.denials}
    for i, word in enumerate(answer.words):
        is_pronoun = word.partition("'")[0] in PRONOUNS  # she's
        if word in STOP_WORDS or word in EMPTY_WORDS or is_pronoun or i in known_places:
            continue
        if answer.stems[i] not in question.places:
            return True
    return False
