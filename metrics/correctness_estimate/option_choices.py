"""Read which options of a question an answer chooses.

An answer names an option by its letter ("B"), its text, its place ("the second one") or the words
of its text. It chooses an option, or rules out all others.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from .lexicon import OR_MAYBE, ORDINALS, STOP_WORDS
from .text import Text

ALPHABET = "ABCDEFGHIJ"
LETTERS = "A-J"  # of options
LETTER = "[^\\W\u4e00-\u9fff]"  # a letter or digit of a word; Chinese words have no ends

# ---- an answer with letters for the texts and the places of options

ORDINAL = rf"{'|'.join(ORDINALS[:10])}|1st|2nd|3rd|[4-9]th|last|final|middle"
FROM_LAST = "[ -](?:to|but)[ -](?:last|one)"
# "the second one", "the third", "option two", "number 2", "the second to last", "the last two"
PLACE = re.compile(
    rf"\b(?:the )?(?P<first>{ORDINAL})(?P<from_last>{FROM_LAST})?"
    r" (?:one|option|answer|choice|possibility|alternative|statement|claim)\b"
    rf"|(?:\bthe |(?<=\band )|(?<=\bor ))(?P<alone>{ORDINAL})(?P<alone_from_last>{FROM_LAST})?"
    r"(?=\s*(?:$|[.,;:!?)]|and\b|or\b|is\b))"
    r"|\b(?:the )?one in the (?P<inside>middle)\b"
    r"|\bthe (?P<end>first|last) (?P<count>two|three)\b"
    r"|\b(?:option|number|choice|statement) (?:no\. ?)?"
    r"(?P<number>[1-9]|one|two|three|four|five|six)\b"
    r"|第(?P<han>[一二三四五六七八九十])(?:个|项)(?:选项|答案)?"
    r"|(?P<han_end>最后|中间)(?:那|的)?(?:那|一)?[个项](?:选项|答案)?",
    re.IGNORECASE,
)
# An answer that has nothing but places: "first and third".
PLACES_ALONE = re.compile(rf"(?:(?:{ORDINAL}|and|or|the)\b\W*)+", re.IGNORECASE)
PLACE_ALONE = re.compile(rf"(?:the )?\b(?P<first>{ORDINAL})\b", re.IGNORECASE)
HAN_DIGITS = "一二三四五六七八九十"
HAN_ENDS = {"最后": "last", "中间": "middle"}
NUMBERS = "one two three four five six".split()
SHORTEST_NAME = 4  # letters of the last word of an option that may stand for it


def write_letters_for_texts(answer: str, options: Mapping[str, str]) -> str:
    """Return an answer with the letters of options in place of their texts and places.

    The letters stand between marks, for a text at the beginning is no choice as a letter is.

    >>> write_letters_for_texts("Rome, not the first one.", {"A": "Oslo", "B": "Rome"})
    '‹B›, not ‹A›.'
    """
    if not options:
        return answer
    texts = list_texts(options)
    if texts:
        pattern = "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
        named = re.compile(
            rf"(?<!{LETTER})(?:the )?({pattern})(?:(?<=[a-z])e?s)?(?!{LETTER})", re.IGNORECASE
        )
        answer = named.sub(lambda match: f"‹{texts[match[1].lower()]}›", answer)
    if PLACES_ALONE.fullmatch(answer):
        return PLACE_ALONE.sub(lambda match: write_letter(match["first"], options), answer)
    return PLACE.sub(lambda match: find_letters(match, options), answer)


def list_texts(options: Mapping[str, str]) -> dict[str, str]:
    """Return the letter for each text of an option, and for the last word of a name.

    >>> list_texts({"A": "Mary Shelley", "B": "oil and water"})
    {'mary shelley': 'A', 'oil and water': 'B', 'shelley': 'A'}
    """
    texts = dict[str, str]()
    counts = Counter[str]()
    for letter, option in options.items():
        text = option.rstrip(".").lower()
        if has_content(text):
            texts[text] = letter
        counts.update(set(text.split()))
    for letter, option in options.items():
        words = option.rstrip(".").split()
        surname = words[-1].lower() if words else ""
        is_name = len(words) > 1 and words[0].istitle() and words[-1].istitle()
        if is_name and len(surname) >= SHORTEST_NAME and counts[surname] == 1:
            texts[surname] = letter
    return texts


def has_content(text: str) -> bool:
    """Return whether a text has a word or number that is no stop word."""
    words = re.findall(r"\w+", text)
    return bool(words) and not STOP_WORDS.issuperset(words)


def find_letters(match: re.Match[str], options: Mapping[str, str]) -> str:
    """Return the letters of options that a match of PLACE names, or its words as they are."""
    if match["end"]:
        count = NUMBERS.index(match["count"].lower()) + 1
        letters = ALPHABET[: len(options)]
        chosen = letters[:count] if match["end"].lower() == "first" else letters[-count:]
        return "‹" + "› and ‹".join(chosen) + "›"
    if match["han"]:
        return mark_option(HAN_DIGITS.index(match["han"]), options) or match[0]
    if match["number"]:
        number = match["number"].lower()
        place = NUMBERS.index(number) if number in NUMBERS else int(number) - 1
        return mark_option(place, options) or match[0]
    word = match["first"] or match["alone"] or match["inside"] or HAN_ENDS[match["han_end"]]
    is_from_last = bool(match["from_last"] or match["alone_from_last"])
    return write_letter(word, options, is_from_last) or match[0]


def write_letter(ordinal: str, options: Mapping[str, str], is_from_last: bool = False) -> str:
    """Return the letter of the option at a place, "" for none: ‹B› for "second".

    Args:
        ordinal: the place in words, such as "third", "3rd", "last" or "middle".
        options: the options of the question.
        is_from_last: whether the place is counted from the end: second to last.
    """
    word = ordinal.lower()
    last = len(options) - 1
    if word == "middle":
        return mark_option(last // 2, options) if last % 2 == 0 else ""
    if word in ("last", "final"):
        return mark_option(last, options)
    place = int(word[0]) - 1 if word[0].isdigit() else ORDINALS.index(word)
    return mark_option(last - place if is_from_last else place, options)


def mark_option(place: int, options: Mapping[str, str]) -> str:
    """Return the letter of the option at a place from 0, between marks; "" without one."""
    return f"‹{ALPHABET[place]}›" if 0 <= place < len(options) else ""


# ---- the letters that an answer chooses

# A word such as "answer", and letters behind it: "the answer is B", "answer: A and C".
CHOICE_WORD = re.compile(
    r"(?i:answer|choice|option|choose|chose|select|selected|pick|picked|went with|settled on"
    r"|preferred|antwort|respuesta|réponse|答案|选项|应?选择?"
    r"|\bit(?:['’]s| is| must be| has to be| should be)\b|\bgo(?:ing)? (?:with|for)\b"
    r"|\b(?:so|thus|hence|therefore)\b)"
)
CONCLUDING_WORD = re.compile(
    "answer|choice|choose|chose|preferred|select|it|go|so|thus|hence|therefore|答案|选"
)
JOINED = r"(?:[\s,;、/&‹›]|and|also|as well as|和|及){1,8}"
LETTER_LIST = rf"[{LETTERS}](?:{JOINED}[{LETTERS}]){{0,9}}"
LETTERS_AFTER = re.compile(
    r"(?:\s?(?:is|are|was|be|:|：|为|是|should be|would be)){0,3}\W{0,5}"
    rf"({LETTER_LIST})(?![A-Za-z'’])"
    r"(?! (?!and|is|are|because|since)[a-z])"  # "option a dog has"
)
# Letters before "is right": "B is right", "A and C are correct".
RIGHT = re.compile(
    r" (?:is|are|must be|should be|seems) (?:the )?(?:right|correct|true|best|answer)"
)
LETTERS_BEFORE = re.compile(rf"(?<![A-Za-z'’])({LETTER_LIST})[)\]*›]{{0,3}}$")
NEAR_CHOICE = 40  # characters before "is right" in which letters are looked for
# A letter at the beginning, "B. Rome", and letters alone, "A, C" or "only B".
AT_START = re.compile(
    rf"\W*([{LETTERS}])(?:[).,;:：、\]*]+|\s[-–]\s|\s*$)(?![A-Za-z])(?! (?:and )?[{LETTERS}]\b)"
)
ALONE = re.compile(
    r"\W*(?:(?i:only|just|both|只有|只选|仅)\W*)?"
    rf"(?P<letters>[{LETTERS}](?:(?:[\s,;、.()*/&‹›]|and|和|及)*[{LETTERS}])*)\W*"
)
# Before a word such as "option": "not option B".
DENIED = re.compile(
    r"\b(?:not|isn't|wrong|incorrect|cannot|can't|neither)\b[^.]{0,12}$|不(?:是|选|能)[^。]{0,4}$",
    re.IGNORECASE,
)
# The verdict on some letters: "A: true", "A and C are correct", "B does not hold".
JUDGED = rf"[{LETTERS}](?:›?,? (?:and )?‹?[{LETTERS}]){{0,4}}"
VERDICT = re.compile(
    rf"(?<![\w'’])‹?(?P<letters>{JUDGED})›?(?: ?[:=–-] ?| (?:is|are|was|were) | )"
    r"(?:both |all |also |of course |\w+ly )?"
    r"(?:(?P<right>(?:(?:not|isn['’]t|aren['’]t) (?:wrong|false|incorrect)|true|right"
    r"|correct|yes|valid|holds?|accurate)\b)"
    r"|(?:not|isn['’]t|aren['’]t|does not|doesn['’]t|do not|don['’]t|false|wrong|incorrect|no"
    r"|untrue|invalid|inaccurate)\b)"
    rf"|\bso (?:is|are) ‹?(?P<also>{JUDGED})",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    r"\b(?:wait|sorry|actually|oops|correction|(?<![A-J] )(?<![A-J] [-–:] )no,)", re.IGNORECASE
)
# "B, no, excuse me, C"
CORRECTED_LETTER = re.compile(
    rf"\W*(?:the answer is |it is )?[{LETTERS}][,.;!?…–—-]* "
    r"(?:(?:no|wait|sorry|oops|actually|correction|excuse me|i mean|i meant|make that|scratch that"
    r"|it is|it's)[,.:;!…–—-]* ){1,4}"
    rf"(?-i:(?P<last>[{LETTERS}]))\W*$",
    re.IGNORECASE,
)
# An option's text or place that begins an answer, with a reason: the queen, because ...
WITH_REASON = re.compile(rf"\W*‹([{LETTERS}])›,? (?:because|since)\b")
# A letter in a sentence. "A" and "I" are words where a word in small letters follows.
MENTION = re.compile(
    rf"(?<![\w'’-])([{LETTERS}])(?![\w'’-])"
    r"(?!(?<=[AI]) (?!and\b|or\b|nor\b|but\b|is\b|are\b|as well\b|only\b|because\b|since\b)[a-z])"
)


# "B or C", "B, maybe C"
LEFT_OPEN = re.compile(
    rf"(?<![A-Za-z'’])‹?([{LETTERS}])›?{OR_MAYBE}‹?([{LETTERS}])›?(?![A-Za-z'’?])"
)


def leaves_open(answer: str, letter: str) -> bool:
    """Return whether the last letters of an answer are two of which either may be meant."""
    left_open = LEFT_OPEN.search(answer)
    if not left_open or letter not in left_open.groups():
        return False
    return MENTION.search(answer, left_open.end()) is None


def read_letters(text: str) -> str:
    """Return the letters of some options in their order.

    >>> read_letters("A, B and D"), read_letters("B和D")
    ('ABD', 'BD')
    """
    return sort_letters(re.findall(rf"[{LETTERS}]", text))


def sort_letters(letters: Iterable[str]) -> str:
    """Return each of some letters once, in their order."""
    return "".join(sorted(set(letters)))


def read_choice(
    answer: str, options: Mapping[str, str], count: int = 1, ruled_out: Collection[str] = ()
) -> str:
    """Return the letters that an answer chooses, "" if it does not say.

    Args:
        answer: the answer, with letters for the texts of options.
        options: the options of the question, by their letters.
        count: the number of right options.
        ruled_out: the letters that the answer rules out.

    >>> [read_choice(text, {}) for text in ("Bern is small, so C is right.", "B.", "A city")]
    ['C', 'B', '']
    >>> cities = {"A": "Oslo", "B": "Rome", "C": "Bern"}
    >>> read_choice("Not A or B.", cities, ruled_out="AB"), read_choice("All but B.", cities, 2)
    ('C', 'AC')
    """
    alone = ALONE.fullmatch(answer)
    if alone:
        return read_letters(alone["letters"])
    corrected = read_corrected_letter(answer)
    if corrected:
        return corrected
    choice = (
        read_each_option(answer, options)
        or read_all_but(answer, options)
        or read_verdicts(answer)
        or read_concluding_choice(answer)
    )
    if choice:
        return choice
    start = AT_START.match(answer) or WITH_REASON.match(answer)
    if start and start[1] not in ruled_out:
        return start[1]
    return read_named_options(answer, options, count, ruled_out) if options else ""


def read_corrected_letter(answer: str) -> str:
    """Return the letter with which an answer ends that takes back another one, or "".

    >>> read_corrected_letter("B, no, sorry, C."), read_corrected_letter("B, no, not A.")
    ('C', '')
    """
    corrected = CORRECTED_LETTER.match(answer)
    return corrected["last"] if corrected else ""


# "both", "all of them", "both statements are correct"
EACH_OPTION = re.compile(
    r"\W*(?P<amount>both|all)(?: of (?:them|these|the above))?(?: the)?"
    r"(?: (?:options|answers|statements|three|four))?(?: (?:are|is) (?:right|correct|true))?\W*",
    re.IGNORECASE,
)


def read_verdicts(answer: str, asks_for_wrong: bool = False) -> str:
    """Return the letters that an answer calls right if it has a verdict on several, else "".

    >>> read_verdicts("A is true, B is true."), read_verdicts("A: false. B: true.")
    ('AB', 'B')
    >>> read_verdicts("A is true, B isn't.", asks_for_wrong=True)
    'B'
    """
    if TAKEN_BACK.search(answer):
        return ""
    right, judged = "", ""
    for match in VERDICT.finditer(answer):
        letters = read_letters(match["letters"] or match["also"])
        judged += letters
        if match["right"] or match["also"]:
            right += letters
    has_each_once = len(judged) > 1 and len(set(judged)) == len(judged)
    if not has_each_once:
        return ""
    return sort_letters(set(judged) - set(right)) if asks_for_wrong else sort_letters(right)


SEVERAL_OPTIONS = re.compile(r"\b(?:all|both|none|neither)\b", re.IGNORECASE)


def read_each_option(answer: str, options: Mapping[str, str]) -> str:
    """Return the letters of all options if an answer is "both" or "all of them", else "".

    It is "" if an option stands for several: all of the above.
    """
    each = EACH_OPTION.fullmatch(answer)
    if not each or any(SEVERAL_OPTIONS.search(text) for text in options.values()):
        return ""
    has_other_count = each["amount"].lower() == "both" and len(options) != 2
    return "" if has_other_count else sort_letters(options)


def read_named_options(
    answer: str, options: Mapping[str, str], count: int, ruled_out: Collection[str]
) -> str:
    """Return the options that an answer names and does not rule out, "" for too many.

    Without any, these are the options that are left, or those that the answer describes.
    """
    named = set(MENTION.findall(answer)).difference(ruled_out)
    if named:
        return sort_letters(named) if len(named) <= count else ""
    if not ruled_out:
        described = find_described_options(answer, options)
        return sort_letters(described) if len(described) <= count else ""
    rest = options.keys() - set(ruled_out)
    return sort_letters(rest) if len(rest) == count else ""


def read_concluding_choice(answer: str) -> str:
    """Return the letters of the last choice of an answer, "" for none."""
    concluding, others = find_choices(answer)
    choices = concluding or others
    return read_letters(choices[-1]) if choices else ""


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


# ---- the letters that an answer rules out

ANY_LETTERS = (
    rf"[{LETTERS}](?:(?:[\s,;、/&‹›]|and|n?or|和|及|或){{1,8}}[{LETTERS}]){{0,9}}(?![\w'’])"
)
WRONG = r"(?:wrong|incorrect|false|out\b|impossible|eliminated|excluded|ruled out)"
RULED_OUT_BEFORE = re.compile(
    r"(?:\b(?i:not|neither|nor|none of|rather than|instead of|cannot)\b|n['’]t\b"
    r"|\b(?i:rul|eliminat|exclud|discard|reject|dismiss|cross|strik)\w*\b"
    rf"|不[是选能]|排除)(?! only)[a-z ]{{0,20}}?\s?‹?(?P<letters>{ANY_LETTERS})"
)
RULED_OUT_AFTER = re.compile(
    rf"(?<![\w'’])(?P<letters>{ANY_LETTERS})[)\]*›]{{0,2}} ?(?:is|are|was|were|can|seems?|looks?)?"
    rf"(?: all| both| clearly| also)?(?: not?\b|n['’]t\b|not\b| {WRONG})"
)
ALL_BUT = re.compile(
    r"\b(?P<all>all|every(?:thing|one)?|any(?:thing)?|none|nothing)\b(?: of (?:them|these))?"
    r"(?: (?:options|answers))? (?:but|except(?: for)?|other than|apart from|besides) ‹?"
    rf"(?P<letters>{ANY_LETTERS})(?P<rest>[^.;]*)",
    re.IGNORECASE,
)
WRONG_WORD = re.compile(rf"\b{WRONG}")
# Behind the options that do not fit: "A and B are metals, which leaves just one".
LEAVES_REST = re.compile(
    r"\bleav(?:es|ing) (?:(?:us|me|with|only|just) ){0,3}(?:one|a single|the (?:other|rest))\b"
    r"|\b(?:only|just) (?:one|a single)\b[^.,;]{0,20}\b(?:remains|left)\b|只剩|剩下[的一那]"
)


def read_ruled_out(answer: str) -> set[str]:
    """Return the letters of the options that an answer denies or calls wrong.

    >>> sorted(read_ruled_out("It is not A or B, and D is wrong."))
    ['A', 'B', 'D']
    """
    ruled_out = set[str]()
    for pattern in (RULED_OUT_BEFORE, RULED_OUT_AFTER):
        for match in pattern.finditer(answer):
            ruled_out.update(read_letters(match["letters"]))
    leaving = LEAVES_REST.search(answer)
    if leaving:
        ruled_out.update(MENTION.findall(answer[: leaving.start()]))
    return ruled_out


def read_all_but(answer: str, options: Mapping[str, str]) -> str:
    """Return the choice of an answer such as "all but B are wrong", "" for none."""
    match = ALL_BUT.search(answer)
    if not match:
        return ""
    excepted = read_letters(match["letters"])
    chooses_them = match["all"].lower() in ("none", "nothing") or WRONG_WORD.search(match["rest"])
    return excepted if chooses_them else sort_letters(options.keys() - set(excepted))


# ---- the choice of an answer to a question that asks for the wrong options

# "All have wings except C."
ALL_EXCEPT = re.compile(
    rf"\b(?:all|every|each)\b[^.;]{{0,60}}?\b(?:except(?: for)?|but|apart from|besides|save)"
    rf"(?: not)? ‹?(?P<letters>{ANY_LETTERS})",
    re.IGNORECASE,
)
GROUP = re.compile(rf"(?<![\w'’])‹?(?P<letters>{LETTER_LIST})(?![\w'’])")


def read_odd_choice(answer: str, options: Mapping[str, str], count: int) -> str:
    """Return the letters that an answer chooses as those that do not fit, "" if it does not say.

    An answer that groups all others sets them apart.

    >>> animals = {"A": "newt", "B": "toad", "C": "trout"}
    >>> read_odd_choice("A and B are amphibians, C is a fish.", animals, 1)
    'C'
    """
    exception = ALL_EXCEPT.search(answer)
    if exception:
        return read_letters(exception["letters"])
    right = read_verdicts(answer)
    rest = options.keys() - set(right)
    if right and len(rest) == count:
        return sort_letters(rest)
    choice = read_verdicts(answer, asks_for_wrong=True) or read_choice(answer, options, count)
    if choice or not options:
        return choice
    for group in GROUP.finditer(answer):
        rest = options.keys() - set(read_letters(group["letters"]))
        if len(rest) == count:
            return sort_letters(rest)
    return ""


# ---- options in other words


def find_described_options(answer: str, options: Mapping[str, str]) -> set[str]:
    """Return the options whose words an answer has, in any order and form.

    An option whose words are part of another's counts only without the other. An answer that denies
    something describes none.

    >>> find_described_options("Checking the airway.", {"A": "Call help", "B": "Check the airway"})
    {'B'}
    """
    text = Text(answer)
    if text.denials or text.untrue:
        return set()
    words = {letter: set(Text(option).content) for letter, option in options.items()}
    told = set(text.content)
    named = [letter for letter, content in words.items() if told and told <= content]
    if len(named) == 1:
        return set(named)  # Rio for Rio de Janeiro
    described = list[str]()
    for letter, content in words.items():
        if content and content <= text.places.keys():
            described.append(letter)
    found = set[str]()
    for letter in described:
        if not any(words[letter] < words[other] for other in described):
            found.add(letter)
    return found
