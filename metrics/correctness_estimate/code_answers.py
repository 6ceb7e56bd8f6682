"""A reference that is code, or an answer that is a record or a table: what stands where counts.

Of code each word and each sign counts, and their order. Of a record or a table the value beside
the key that the question names counts, and not that a word stands anywhere in it.
"""

import json
import re
from collections.abc import Sequence

from .formulas import FUNCTIONS
from .lexicon import ORDINALS
from .outcomes import DIFFERENT, EQUAL, LIKELY, Decision
from .text import HAN, Text, stem_word

LONGEST_CODE, LONGEST_ANSWER = 200, 4000  # characters
MOST_PIECES = 20  # of code in an answer
# Code in an answer: between three marks, between one, or all of an answer.
FENCED = re.compile(r"```[a-z]*\n?(.*?)```", re.DOTALL)
MARKED = re.compile(r"`([^`\n]{1,200})`")
TOKEN = re.compile(r"\w+|[^\w\s]")
# What only code has: a call, a dot or a low line within a name, an option, a tag, a path.
CODE_FORM = re.compile(
    r"[a-z_]\w*\([^)]*\)|[a-z]\w+\.[a-z]\w+|\w_\w|(?:^|\s)--?[a-z]\w*|</?[a-z]+>|\w\[\w*\]|(?<!\w)\\[dwsbnt](?![a-z])",
    re.IGNORECASE,
)
FORMULA_CALL = re.compile(rf"\W*(?:{'|'.join(sorted(FUNCTIONS))})\b|\W*[A-Za-z]\(", re.IGNORECASE)
PROSE_SIGN = re.compile(
    r"[.!?](?:\s|$)|[\u3002\uff0c\uff1b]|\b(?:is|are|was|the|with|use|call|run|it)\b", re.IGNORECASE
)
OPTIONS = re.compile(r"(?<!\S)-([a-z]+)(?!\S)", re.IGNORECASE)
# Signs that are no marks of prose.
SIGNS_ALONE = re.compile(r"[^\w\s]{1,6}")
OPERATOR = re.compile(r"[^\w\s.,;:?!'\"()`]{1,6}")
# A question that shows code: its result has capitals or small letters for a reason.
ASKS_FOR_RESULT = re.compile(r"[\w'\"\])]\.?\w*[(\[][^)\]]*[)\]]")
QUOTED = re.compile(r"""\W*["'`]([^"'`]+)["'`]\W*""")
SAME_IN_ANY_CASE = frozenset("true false none null nil".split())


def decide_code_text(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer has the code that a reference is, None where it is no code."""
    expected, said = reference.raw.strip().strip("`"), answer.raw[:LONGEST_ANSWER].strip()
    if not expected or len(expected) > LONGEST_CODE:
        return None
    if SIGNS_ALONE.fullmatch(expected):
        return decide_operator(said, expected)
    if has_other_case(said, expected, question):
        return Decision(DIFFERENT, "formula", said, expected)
    pieces = find_pieces(said)
    if is_named_like(pieces, expected):
        return Decision(DIFFERENT, "formula", pieces[0], expected)
    if not is_code(pieces, expected):
        return None
    if not pieces and is_bare_code(said):
        pieces = [said]
    return compare_pieces(pieces, expected)


def is_code(pieces: Sequence[str], expected: str) -> bool:
    """Return whether a reference is code and no formula, by its form or by the answer's command."""
    if FORMULA_CALL.match(expected) or PROSE_SIGN.search(expected) or HAN.search(expected):
        return False
    return CODE_FORM.search(expected) is not None or is_command(pieces, expected)


def decide_operator(said: str, expected: str) -> Decision | None:
    """Return whether an answer has the operator that a reference is, alone among its signs."""
    own = re.compile(rf"(?<![^\w\s`'\"(]){re.escape(expected)}(?![^\w\s`'\"),.;:])")
    if own.search(said):
        return Decision(EQUAL, "formula", said, expected)
    others = [piece for piece in find_pieces(said) if SIGNS_ALONE.fullmatch(piece.strip())]
    other = others[0] if others else None
    if not other:
        sign = OPERATOR.search(said)
        other = sign[0] if sign else None
    return Decision(DIFFERENT, "formula", other, expected) if other else None


def has_other_case(said: str, expected: str, question: Text) -> bool:
    """Return whether an answer has the result of some code in other letters: 'abc' for 'ABC'."""
    if not ASKS_FOR_RESULT.search(question.raw):
        return False
    own, other = strip_quotes(expected), strip_quotes(FENCED.sub(r"\1", said))
    if not own.isalpha() or own.lower() in SAME_IN_ANY_CASE:
        return False
    return own != other and own.lower() == other.lower() and (own.islower() or own.isupper())


def strip_quotes(text: str) -> str:
    """Return what stands in the quotes around a text."""
    quoted = QUOTED.fullmatch(text)
    return (quoted[1] if quoted else text).strip(" \n.`'\"")


def find_pieces(answer: str) -> list[str]:
    """Return the pieces of code that an answer marks as such."""
    if "`" not in answer:
        return []
    pieces = FENCED.findall(answer) or MARKED.findall(answer)
    return [piece.strip() for piece in pieces[:MOST_PIECES] if piece.strip()]


def is_command(pieces: Sequence[str], expected: str) -> bool:
    """Return whether the only code of an answer is a command with the name of the expected one."""
    words = expected.split()
    return len(pieces) == 1 and len(words) > 1 and pieces[0].split()[:1] == words[:1]


def is_named_like(pieces: Sequence[str], expected: str) -> bool:
    """Return whether the only code of an answer is one name with more parts than the expected."""
    if len(pieces) != 1 or not expected.isidentifier() or not re.fullmatch(r"[\w-]+", pieces[0]):
        return False
    return pieces[0].lower() != expected.lower() and expected.lower() in split_name(pieces[0])


def split_name(name: str) -> list[str]:
    """Return the parts of a name of code: background-color."""
    return re.split("[-_]", name.lower())


def is_bare_code(answer: str) -> bool:
    """Return whether an answer is code and nothing else, without marks around it."""
    return len(answer) <= LONGEST_CODE and not PROSE_SIGN.search(answer)


def compare_pieces(pieces: Sequence[str], expected: str) -> Decision | None:
    """Return whether one of some pieces of code is the expected one, or none of them has it."""
    for piece in pieces:
        if split_code(piece) == split_code(expected):
            is_alone = len(pieces) == 1
            return Decision(EQUAL, "formula", piece, expected) if is_alone else None
    if any(has_code(piece, expected) for piece in pieces):
        return None
    if any(has_options(piece, expected) for piece in pieces):
        return Decision(LIKELY, "formula", pieces[0], expected)
    if not any(is_like_code(piece, expected) for piece in pieces):
        return None
    return Decision(DIFFERENT, "formula", pieces[0], expected)


def split_code(text: str) -> list[str]:
    """Return the tokens of code; one kind of quotes, an empty call and a prompt tell nothing."""
    text = re.sub(r"^\$ ", "", text.strip()).replace('"', "'").replace("()", "")
    text = text.rstrip(".;")
    return TOKEN.findall(text if "\\" in text else text.lower())  # \D is not \d


def has_code(text: str, expected: str) -> bool:
    """Return whether some code has other code within it, token by token."""
    tokens, own = split_code(text), split_code(expected)
    starts = range(len(tokens) - len(own) + 1)
    return any(tokens[i : i + len(own)] == own for i in starts)


def has_options(text: str, expected: str) -> bool:
    """Return whether a command has the words of another, and all of its options: ls -la, ls -a."""
    if OPTIONS.sub("", text).split() != OPTIONS.sub("", expected).split():
        return False
    own = set("".join(OPTIONS.findall(expected)))
    return bool(own) and own <= set("".join(OPTIONS.findall(text)))


def is_like_code(text: str, expected: str) -> bool:
    """Return whether two pieces of code can stand for each other: they share a word or a form."""
    words = {token for token in split_code(text) if token[0].isalnum()}
    own = {token for token in split_code(expected) if token[0].isalnum()}
    return bool(words & own) or CODE_FORM.search(text) is not None


# ---- records and tables

ELEMENT = re.compile(r"<([a-z]\w*)>([^<>]{1,200})</\1>", re.IGNORECASE)
TABLE_ROW = re.compile(r"^\s*\|(.+)\|\s*$", re.MULTILINE)
LINE_OF_TABLE = re.compile(r"[\s|:-]+")


def decide_record(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether a record or a table has the reference where the question asks for it."""
    said = answer.raw[:LONGEST_ANSWER].strip()
    value = read_asked_value(said, question) or read_asked_row(said, question)
    if not value:
        return None
    expected = reference.text.strip(" .'\"")
    has_value = set(reference.stems) <= set(Text(value).stems)
    return Decision(EQUAL if has_value else DIFFERENT, "name", value, expected)


def read_asked_value(answer: str, question: Text) -> str:
    """Return the value beside the only key of a record that the question names, "" for none."""
    record = read_record(answer)
    asked = [key for key in record if stem_word(key.lower() or "-") in question.places]
    return record[asked[0]] if len(asked) == 1 and len(record) > 1 else ""


def read_record(answer: str) -> dict[str, str]:
    """Return the keys and values of an answer that is a record in JSON or XML."""
    if answer.startswith("<") and answer.endswith(">"):
        return dict(reversed(ELEMENT.findall(answer)))
    if not answer.startswith("{"):
        return {}
    try:
        record = json.loads(answer)
    except (ValueError, RecursionError):
        return {}
    return {key: str(value) for key, value in record.items() if not isinstance(value, dict | list)}


def read_asked_row(answer: str, question: Text) -> str:
    """Return the row of a table that has the rank which a question names; "-" if none has it."""
    rows = [row for row in TABLE_ROW.findall(answer) if not LINE_OF_TABLE.fullmatch(row)]
    ranks = [ORDINALS.index(word) + 1 for word in question.words if word in ORDINALS]
    if len(rows) < 2 or len(ranks) != 1:
        return ""
    cells = [[cell.strip(" *") for cell in row.split("|")] for row in rows[1:]]
    if not any(cell.isdigit() for row in cells for cell in row[:1]):
        return ""
    matches = [row for row in cells if row[0] == str(ranks[0])]
    return " ".join(matches[0][1:]) if matches else "-"
