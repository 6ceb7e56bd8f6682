"""Decide by a reference that is one or several options of the question.

An answer chooses options by their letters ("B", "ABD") or by their text.
"""

import re
from collections.abc import Callable, Mapping

from .outcomes import DIFFERENT, EQUAL, Decision
from .text import Text

LETTERS = "A-J"  # of options
# ---- how references and questions write options
JOINT = r"[\s,;、/&()]|and|和|及"
# ABD, (A), "A, C", "A and C".
OPTION_REFERENCE = re.compile(
    rf"\W*(?:option |answer )?([{LETTERS}](?:(?:{JOINT})*[{LETTERS}]){{0,9}})\W*",
    re.IGNORECASE,
)
# "B. Paris", "(B) Paris", "B - Paris".
LETTER_AND_TEXT = re.compile(rf"\s*\(?([{LETTERS}])(?:[).:：、]|\s[-–])\s+(\S.*)", re.DOTALL)
# "b. Paris", "2) Rome", "2".
OPTION_MARK = re.compile(rf"\s*\(?[{LETTERS}1-9](?:[).:：、]|\s[-–]|\W*$)", re.IGNORECASE)
# Behind a letter: the two are initials of a name, "J. R. R. Tolkien".
INITIAL = re.compile(r"[A-Z]\.")
# The letter of each option in a question: "Which? (A) Oslo (B) Rome"; a line that begins with it.
LISTED = re.compile(rf"(?:^|[\s(（?？:：])([{LETTERS}])(?:[).）:：、．]|\s[-–](?=\s))\s*")
LISTED_BY_LINES = re.compile(rf"(?:^|\n)([{LETTERS}]) (?=\S)")
# ---- answers: how they say their choice
# A word such as "answer", and letters behind it: "the answer is B", "answer: A and C".
CHOICE_WORD = re.compile(
    r"(?i:answer|choice|option|choose|select|pick|antwort|respuesta|réponse|答案|选项|应?选择?)"
)
CONCLUDING_WORD = re.compile("answer|choice|choose|select|答案|选")
LETTER_LIST = rf"[{LETTERS}](?:(?:[\s,;、/&]|and|和|及){{1,5}}[{LETTERS}]){{0,9}}"
LETTERS_AFTER = re.compile(
    r"(?:\s?(?:is|are|was|be|:|：|为|是|should be|would be)){0,3}\W{0,5}"
    rf"({LETTER_LIST})(?![A-Za-z'’])"
    r"(?! (?!and|is|are|because|since)[a-z])"  # "option a dog has"
)
# Letters before "is right": "B is right", "A and C are correct".
RIGHT = re.compile(
    r" (?:is|are|must be|should be|seems) (?:the )?(?:right|correct|true|best|answer)"
)
LETTERS_BEFORE = re.compile(rf"(?<![A-Za-z'’])({LETTER_LIST})[)\]*]{{0,3}}$")
NEAR_CHOICE = 40  # characters before "is right" in which letters are looked for
# A letter at the beginning, "B. Rome", and letters alone, "A, C".
AT_START = re.compile(rf"\W*([{LETTERS}])(?:[).,;:：、\]*]+|\s[-–]\s|\s*$)(?![A-Za-z])")
ALONE = re.compile(rf"\W*[{LETTERS}](?:(?:[\s,;、.()*/&]|and|和|及)*[{LETTERS}])*\W*")
# Before a word such as "option": "not option B".
DENIED = re.compile(
    r"\b(?:not|isn't|wrong|incorrect|cannot|can't|neither)\b[^.]{0,12}$|不(?:是|选|能)[^。]{0,4}$",
    re.IGNORECASE,
)
MOST_READ = 4000  # characters in which a choice is looked for


def read_letters(text: str) -> str:
    """Return the letters of some options in their order.

    >>> read_letters("A, B and D"), read_letters("B和D")
    ('ABD', 'BD')
    """
    return "".join(sorted(set(re.findall(rf"[{LETTERS}]", text))))


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


ALPHABET = "ABCDEFGHIJ"


def list_options(question: str) -> dict[str, str]:
    """Return the options that a question lists, by their letters.

    >>> list_options("Which? (A) Oslo (B) Rome")
    {'A': 'Oslo', 'B': 'Rome'}
    """
    places = list(LISTED.finditer(question))
    if len(places) < 2:
        places = list(LISTED_BY_LINES.finditer(question))
    if len(places) < 2:
        return {}
    ends = [place.start() for place in places[1:]] + [len(question)]
    options = dict[str, str]()
    for place, end in zip(places, ends, strict=True):
        options[place[1]] = question[place.end() : end].strip(" \t\r\n,;")
    letters = "".join(place[1] for place in places)
    return options if letters == ALPHABET[: len(places)] else {}


def read_choice(answer: str, options: Mapping[str, str], count: int = 1) -> str:
    """Return the letters that an answer chooses, "" if it does not say.

    Args:
        answer: the answer.
        options: the options of the question, by their letters.
        count: the number of right options, and the most that are read by their texts.

    >>> [read_choice(text, {}) for text in ("Bern is small, so C is right.", "B. Rome", "A city")]
    ['C', 'B', '']
    """
    answer = answer[:MOST_READ]
    if ALONE.fullmatch(answer):
        return read_letters(answer)
    concluding, others = find_choices(answer)
    if concluding or others:
        return read_letters((concluding or others)[-1])
    start = AT_START.match(answer)
    if start:
        return start[1]
    named = [letter for letter, text in options.items() if text and names_option(answer, text)]
    return "".join(named) if len(named) <= count else ""


def find_choices(answer: str) -> tuple[list[str], list[str]]:
    """Return the letters that an answer chooses, and those behind a word such as "option"."""
    concluding, others = list[tuple[int, str]](), list[tuple[int, str]]()
    for word in CHOICE_WORD.finditer(answer):
        letters = LETTERS_AFTER.match(answer, word.end())
        if letters and not DENIED.search(answer[max(0, word.start() - 30) : word.start()]):
            choices = concluding if CONCLUDING_WORD.match(word[0].lower()) else others
            choices.append((word.start(), letters[1]))
    for verdict in RIGHT.finditer(answer):
        before = answer[max(0, verdict.start() - NEAR_CHOICE) : verdict.start()]
        letters = LETTERS_BEFORE.search(before)
        if letters:
            concluding.append((verdict.start(), letters[1]))
    return [letters for _, letters in sorted(concluding)], [letters for _, letters in others]


def names_option(answer: str, text: str) -> bool:
    """Return whether an answer has the text of an option."""
    option = re.escape(text.rstrip("."))
    return re.search(rf"(?<!\w){option}(?!\w)", answer, re.IGNORECASE) is not None


# Options with numbers or small letters are read as those with capitals: "1) Oslo", "a. Oslo".
FIRST_OPTION = re.compile(r"(?:^|\s)\(?1[).:]")
SECOND_OPTION = re.compile(r"\s\(?2[).:]")
NUMBER_OF_OPTION = re.compile(r"\s*\(?[1-9](?:[).:]|\s*$)")
OPTION_NUMBER = re.compile(r"(?<![\w.,])([1-9])(?=[).:](?:\s|$)|\W*$)")
NUMBER_LIST = re.compile(r"\W*[1-9](?:(?:[\s,;、/&().]|and|和|及)+[1-9]){0,9}\W*")
LONE_NUMBER = re.compile("([1-9])")
SMALL_OPTION = re.compile(r"(?<![\w'’])([a-j])(?=[).:](?:\s|$)|\W*$)")
LONE_SMALL_LETTER = re.compile(r"\W*[a-j]\W*")


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
    """Return a text with the small letters of options as capitals: "A. Oslo" for "a. Oslo"."""
    return SMALL_OPTION.sub(lambda match: match[0].upper(), text)


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
    return bool(OPTION_MARK.match(text) or OPTION_REFERENCE.fullmatch(text))


def choose_lettering(question: str, reference: str) -> Callable[[str], str]:
    """Return the function that writes the options of a text as capital letters."""
    if has_numbered_options(question) and NUMBER_OF_OPTION.match(reference):
        return letter_options
    if SMALL_OPTION.findall(question)[:2] == ["a", "b"]:
        return capitalize_options
    return str


def is_called_wrong(answer: str, letters: str) -> bool:
    """Return whether an answer calls an option wrong: B is incorrect."""
    verdict = rf"(?<![A-Za-z]){letters} (?:is|was|seems) (?:wrong|incorrect|false|not)\b"
    return re.search(verdict, answer) is not None


def decide_written_option(answer: str, reference: str, question: str) -> Decision | None:
    """Return the decision of `decide_option` for texts as they were written."""
    write_letters = choose_lettering(question, reference)
    options = list_options(write_letters(question))
    answer = write_letters(answer)
    if LONE_SMALL_LETTER.fullmatch(answer):
        answer = answer.upper()
    wanted = read_option_reference(write_letters(reference), options)
    if not wanted:
        return None
    if is_called_wrong(answer, wanted):
        return Decision(DIFFERENT, "option", answer.strip(), wanted)
    chosen = read_choice(answer, options, len(wanted))
    if not chosen:
        return None
    return Decision(EQUAL if chosen == wanted else DIFFERENT, "option", chosen, wanted)
