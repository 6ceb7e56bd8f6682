"""Decide by a reference that is code, in which each word, each sign and their order count."""

import re
from collections.abc import Sequence

from .formulas import FUNCTIONS, LONGEST_FORMULA, REGEX_PART, has_word
from .outcomes import DIFFERENT, EQUAL, LIKELY, Decision
from .text import HAN, Text, strip_bold

# Reasons and model have no kind of their own for code: it counts as a formula.
CODE_KIND = "formula"
LONGEST_CODE = 200  # characters of a reference, or of an answer without backticks
LONGEST_ANSWER = 4000  # characters of an answer that are read
CODE_TOKEN = re.compile(r"\w+|[^\w\s]")
MOST_PIECES = 20  # pieces of code in an answer that are read
# Code in Markdown: a block between three backticks, a span between one.
CODE_BLOCK = re.compile(r"```[a-z]{0,20}\n?(.*?)```", re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]{1,200})`")
# What only code has.
CODE_CONSTRUCT = re.compile(
    "|".join(
        [
            r"[a-z_]\w{0,60}\([^()]*\)",  # a call: print(x)
            r"[a-z]\w{1,60}\.[a-z]\w",  # a dot within a name: os.path
            r"\w_\w",  # an underscore within a name: max_length
            r"(?:^|\s)--?[a-z]",  # an option: --all
            r"</?[a-z]+>",  # a tag: <b>
            r"\w\[\w*\]",  # an index: a[0]
            r"(?<!\w)\\[dwsbnt](?![a-z])",  # a class of characters: \d
        ]
    ),
    re.IGNORECASE,
)
# A formula, which formulas.py compares: sin x, f(x).
FORMULA_CALL = re.compile(rf"\W*(?:{'|'.join(sorted(FUNCTIONS))})\b|\W*[A-Za-z]\(", re.IGNORECASE)
# A text with a mark or a word of prose is no code.
PROSE_MARK = re.compile(
    r"[.!?](?:\s|$)|[\u3002\uff0c\uff1b]|\b(?:is|are|was|the|with|use|call|run|it)\b", re.IGNORECASE
)
OPTIONS = re.compile(r"(?<!\S)-([a-z]+)(?!\S)", re.IGNORECASE)  # of a command: ls -la
BRACKETED = re.compile(r"[(\[{][^()\[\]{}]*[)\]}]")
ONLY_SIGNS = re.compile(r"[^\w\s]{1,6}")  # "!=", ">="
# An operator within prose. Marks of prose, quotes and round brackets are none.
OPERATOR_IN_PROSE = re.compile(r"[^\w\s.,;:?!'\"()`]{1,6}")
# A call or an index: 'Hello'.lower(), x[0]. If a question has one, it asks for the result, in which
# the case of letters counts.
CALL_OR_INDEX = re.compile(r"[\w'\"\])]\.?[(\[][^()\[\]]*[)\]]")
QUOTED = re.compile(r"""\W*["'`]([^"'`]+)["'`]\W*""")  # 'hello'.
SAME_IN_ANY_CASE = frozenset("true false none null nil".split())
# A number that is dialled or that names something: (555) 0199, +49 30 901820.
NUMBER_IN_GROUPS = re.compile(r"(?<![\w.])\+?\(?\d[\d ()/.-]{5,28}\d(?!\w)")
FEWEST_DIGITS_IN_GROUPS = 7
# A sign that only code and formulas have.
OPERATOR_OR_BRACKET = re.compile(r"[<>=\[\]|^~]")
ASCII_OPERATORS = str.maketrans({"≤": "<=", "≥": ">=", "≠": "!="})
# Only a quote, a bracket or a mark of prose may stand beside an operator: "<" is not found in "<=".
NO_SIGN_BEFORE = r"(?<![^\w\s`'\"(])"
NO_SIGN_AFTER = r"(?![^\w\s`'\"),.;:])"
# No letter, digit or operator may stand beside the code of a reference: x=1 is not found in x=1+y.
NO_OPERATOR_BEFORE = r"(?<![\w=<>!+*/^|&%-])"
NO_OPERATOR_AFTER = r"(?![\w=<>!+*/^|&%])"


def decide_code(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer has the code of the reference.

    None if the reference is no code, or if the answer does not decide.
    """
    expected = reference.raw.strip().strip("`")
    answer_text = answer.raw[:LONGEST_ANSWER].strip()
    if "**" not in expected:
        answer_text = strip_bold(answer_text)
    if not expected or len(expected) > LONGEST_CODE:
        return None
    if ONLY_SIGNS.fullmatch(expected):
        return decide_operator(answer_text, expected)
    if has_other_case(answer_text, expected, question):
        return Decision(DIFFERENT, CODE_KIND, answer_text, expected)
    pieces = find_pieces(answer_text)
    if not pieces and expected.replace(" ", "").isalnum():
        return None  # only signs, or a piece of code in the answer, tell that words are code
    if is_longer_name(pieces, expected):
        return Decision(DIFFERENT, CODE_KIND, pieces[0], expected)
    decision = None
    if is_code(expected):
        decision = compare_pieces(pieces, answer_text, expected)
    return decision or compare_signs(answer_text, expected)


def decide_number_in_groups(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer has a number such as a telephone number, however it is grouped.

    None if the reference is none, or a quantity or a date. The code of a country may be missing.
    """
    expected = reference.text.strip()
    spelled = find_spelled_digits(answer, reference)
    if spelled:
        return Decision(EQUAL, CODE_KIND, spelled, expected)
    if not NUMBER_IN_GROUPS.fullmatch(expected) or names_quantity(reference):
        return None
    digits = list_digits(expected)
    if len(digits) < FEWEST_DIGITS_IN_GROUPS:
        return None
    numbers = [match[0] for match in NUMBER_IN_GROUPS.finditer(answer.text[:LONGEST_ANSWER])]
    for number in numbers:
        shorter, longer = sorted((list_digits(number), digits), key=len)
        if longer.endswith(shorter.lstrip("0")) and len(shorter) >= FEWEST_DIGITS_IN_GROUPS:
            return Decision(EQUAL, CODE_KIND, number, expected)
    return Decision(DIFFERENT, CODE_KIND, numbers[0], expected) if numbers else None


# A number digit by digit: 4-4-1-7.
SPELLED_DIGITS = re.compile(r"(?<![\w-])\d(?:[ -]\d){2,15}(?![\w-])")


def find_spelled_digits(answer: Text, reference: Text) -> str:
    """Return the number of a reference that an answer gives digit by digit, "" for none."""
    if len(reference.quantities) != 1:
        return ""
    numbers = {match[0] for match in SPELLED_DIGITS.finditer(answer.text[:LONGEST_ANSWER])}
    expected = list_digits(reference.text)
    if len(numbers) != 1 or len(expected) <= len("12"):
        return ""
    number = numbers.pop()
    return number if list_digits(number) == expected else ""


def list_digits(text: str) -> str:
    """Return the digits of a text."""
    return "".join(character for character in text if character.isdigit())


def names_quantity(reference: Text) -> bool:
    """Return whether a reference has one quantity, or a date or a year."""
    quantities = reference.quantities
    return len(quantities) == 1 or any(quantity.kind == "date" for quantity in quantities)


def is_code(expected: str) -> bool:
    """Return whether a reference has what only code has, and is no formula."""
    if ", " in BRACKETED.sub("", expected):
        return False  # a list: parser.py, line 88
    if FORMULA_CALL.match(expected) or PROSE_MARK.search(expected) or HAN.search(expected):
        return False
    return CODE_CONSTRUCT.search(expected) is not None


def decide_operator(answer_text: str, expected: str) -> Decision | None:
    """Decide whether an answer has the expected operator, None if it has no operator at all."""
    if re.search(NO_SIGN_BEFORE + re.escape(expected) + NO_SIGN_AFTER, answer_text):
        return Decision(EQUAL, CODE_KIND, answer_text, expected)
    other = find_operator(answer_text)
    return Decision(DIFFERENT, CODE_KIND, other, expected) if other else None


def find_operator(answer: str) -> str:
    """Return the operator between backticks in an answer, else its first one, "" for none."""
    for piece in find_pieces(answer):
        if ONLY_SIGNS.fullmatch(piece):
            return piece
    sign = OPERATOR_IN_PROSE.search(answer)
    return sign[0] if sign else ""


def has_other_case(answer_text: str, expected: str, question: Text) -> bool:
    """Return whether a question asks for a result, and the answer has it in another case.

    'abc' for 'ABC'. Words such as True and NULL count in any case.
    """
    if not has_call_or_index(question.raw):
        return False
    result = strip_quotes(expected)
    if not result.isalpha() or result.lower() in SAME_IN_ANY_CASE:
        return False
    has_one_case = result.islower() or result.isupper()
    if not has_one_case:
        return False
    answer_result = strip_quotes(CODE_BLOCK.sub(r"\1", answer_text))
    return answer_result != result and answer_result.lower() == result.lower()


def has_call_or_index(text: str) -> bool:
    """Return whether a text has a call or an index: len(x), x[0]."""
    has_bracket = "(" in text or "[" in text  # most questions have none, and the search is slow
    return has_bracket and CALL_OR_INDEX.search(text) is not None


def strip_quotes(text: str) -> str:
    """Return a text without the quotes around it."""
    quoted = QUOTED.fullmatch(text)
    inside = quoted[1] if quoted else text
    return inside.strip(" \n.`'\"")


def find_pieces(answer: str) -> list[str]:
    """Return the pieces of code that an answer has between backticks."""
    if "`" not in answer:
        return []
    pieces = CODE_BLOCK.findall(answer) or CODE_SPAN.findall(answer)
    return [piece.strip() for piece in pieces[:MOST_PIECES] if piece.strip()]


def is_longer_name(pieces: Sequence[str], expected: str) -> bool:
    """Return whether an answer's only code is a longer name: background-color for color."""
    if len(pieces) != 1 or not expected.isidentifier():
        return False
    name, expected_name = pieces[0].lower(), expected.lower()
    if not re.fullmatch(r"[\w-]+", pieces[0]) or name == expected_name:
        return False
    return expected_name in re.split("[-_]", name)


def is_bare_code(answer: str) -> bool:
    """Return whether an answer is code and nothing else, without backticks around it."""
    return len(answer) <= LONGEST_CODE and not PROSE_MARK.search(answer)


def compare_pieces(pieces: Sequence[str], answer_text: str, expected: str) -> Decision | None:
    """Decide by the pieces of code in an answer.

    EQUAL if the only piece is the expected code. None if a piece has the expected code, and the
    answer more code. If no piece has it: LIKELY if a piece is the expected command with more
    options, DIFFERENT if a piece is like it (`is_like_code`), else None.

    Args:
        pieces: the pieces of code between backticks.
        answer_text: the answer, which is a piece if it has no backticks and no prose.
        expected: the code of the reference.
    """
    if not pieces and is_bare_code(answer_text):
        pieces = [answer_text]
    tokens = split_code(expected)
    if any(split_code(piece) == tokens for piece in pieces):
        is_only_piece = len(pieces) == 1
        return Decision(EQUAL, CODE_KIND, pieces[0], expected) if is_only_piece else None
    if any(has_options(piece, expected) for piece in pieces):
        return Decision(LIKELY, CODE_KIND, pieces[0], expected)
    is_like = any(is_like_code(piece, expected) for piece in pieces)
    return Decision(DIFFERENT, CODE_KIND, pieces[0], expected) if is_like else None


def split_code(text: str) -> list[str]:
    """Return the tokens of code, without a prompt and empty brackets; all quotes become single."""
    text = text.strip().removeprefix("$ ")
    text = text.replace('"', "'").replace("()", "").rstrip(".;")
    has_character_class = "\\" in text  # \D is not \d
    return CODE_TOKEN.findall(text if has_character_class else text.lower())


def has_options(text: str, expected: str) -> bool:
    """Return whether a text is the expected command, with all its options or more: ls -la, ls -a.

    False if the expected command has no options.
    """
    if OPTIONS.sub("", text).split() != OPTIONS.sub("", expected).split():
        return False
    options = set("".join(OPTIONS.findall(text)))
    expected_options = set("".join(OPTIONS.findall(expected)))
    return bool(expected_options) and expected_options <= options


def is_like_code(text: str, expected: str) -> bool:
    """Return whether a piece shares a word with the expected code, or has what only code has."""
    words = {token for token in split_code(text) if token[0].isalnum()}
    if not words.isdisjoint(split_code(expected)):
        return True
    return CODE_CONSTRUCT.search(text) is not None


def has_code_sign(text: str) -> bool:
    """Return whether a text has an operator, a square bracket or a part of a regular expression."""
    return bool(OPERATOR_OR_BRACKET.search(text) or REGEX_PART.search(text))


def compare_signs(answer_text: str, expected: str) -> Decision | None:
    """Decide by the signs between the words of short code: age > 18 differs from age >= 18.

    EQUAL if the answer is the code and no prose. DIFFERENT if it has the same words with other
    signs. None if the reference is no short code, if the answer has prose beside the code, or if it
    has other words.
    """
    code = expected.translate(ASCII_OPERATORS)
    if not is_short_code(code):
        return None
    tokens = CODE_TOKEN.findall(code)
    words = [token for token in tokens if token[0].isalnum()]
    if not words:
        return None
    text = answer_text.translate(ASCII_OPERATORS)
    spaced_code = r"\s*".join(map(re.escape, tokens))
    same_code = re.compile(NO_OPERATOR_BEFORE + spaced_code + NO_OPERATOR_AFTER)
    if same_code.search(text):
        has_more = has_word(same_code.sub(" ", text))
        return None if has_more else Decision(EQUAL, CODE_KIND, text, code)
    words_with_any_signs = r"\W{0,4}".join(map(re.escape, words))
    other_code = re.search(rf"(?<!\w){words_with_any_signs}(?!\w)", text)
    if not other_code or not has_code_sign(text):
        return None
    return Decision(DIFFERENT, CODE_KIND, other_code[0], code)


def is_short_code(text: str) -> bool:
    """Return whether a text is a short piece of code.

    It has an operator or a bracket and a name of three letters (age > 18; x > 1 is a formula), or
    a part of a regular expression.
    """
    if len(text) > LONGEST_FORMULA or not has_code_sign(text):
        return False
    return has_word(text) or REGEX_PART.search(text) is not None
