"""Texts in whatever encoding they are.

UTF-8, what a mark at the beginning says, or what a user says.

Nothing is guessed silently. A text in another encoding is refused with the likely one, and what was
taken is told where a text could decode to nonsense without an error.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from lens.tables.reading import Reading
from lens.words import join_sentences, say
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# UTF-8, whether it begins with its mark or not.
UTF8 = "utf-8-sig"
# The marks of encodings; that of UTF-32 begins with UTF-16's.
MARKS = {
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xef\xbb\xbf": UTF8,
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
# How files of other kinds begin, and the end that their name should have.
OTHER_KINDS = {
    b"PK\x03\x04": ".xlsx",
    b"PAR1": ".parquet",
    b"\x1f\x8b": ".gz",
    b"\xd0\xcf\x11\xe0": ".xls",
}
# Usual encodings besides UTF-8. Of equally likely ones, the first is named.
ENCODINGS = (
    "gb18030",
    "big5",
    "shift_jis",
    "euc_jp",
    "euc_kr",
    "cp1252",
    "cp1251",
    "cp1250",
    "utf-16-le",
    "utf-16-be",
)
# So much of a text is looked at before it is read, and around a byte that does not fit.
HEAD, AROUND = 65_536, 10_000
NOT_ASCII = re.compile("[^\x00-\x7f]+(?:[ \x00-\x7f]{0,2}[^\x00-\x7f]+)*")
MAX_SHOWN = 40
# Of the bytes of a text in UTF-16 whose letters are Latin every second one is 0.
MANY_ZEROS = 0.2
# A text counts as damaged UTF-8 if it has more than this many whole characters beyond ASCII for
# each damaged one.
WHOLE_PER_DAMAGED = 4


class WrongEncoding(UserError):
    """A text that is not in the encoding in which it was read; another one may be chosen."""


def open_text(file: IO[bytes], newline: str | None, reading: Reading) -> io.TextIOWrapper:
    """Return the text of a file in its encoding; what was taken is told, unless it is plain UTF-8.

    Raises:
        UserError: for a file of another kind, and for UTF-16 without a mark.
    """
    head = read_head(file)
    refuse_other_kind(head)
    marked = find_marked_encoding(head)
    if marked and (marked != UTF8 or reading.encoding):
        reading.add_note(say("encoding.marked", encoding=marked.removesuffix("-sig").upper()))
    elif reading.encoding:
        tell_encoding(head, reading)
    else:
        refuse_unmarked_utf16(head)
    return io.TextIOWrapper(file, marked or reading.encoding or UTF8, newline=newline)


def find_marked_encoding(head: bytes) -> str:
    """Return the encoding that the mark at the beginning of a text names.

    It is empty where it has none.
    """
    for mark, encoding in MARKS.items():
        if head.startswith(mark):
            return encoding
    return ""


def refuse_unmarked_utf16(head: bytes) -> None:
    """Refuse a text that is likely in UTF-16, but does not say so."""
    zeros = head.count(0)
    if not head or zeros < MANY_ZEROS * len(head):
        return
    # The first byte of a Latin letter is 0 in big-endian texts, the second one in little-endian
    # texts.
    is_big_endian = head[::2].count(0) > head[1::2].count(0)
    raise WrongEncoding("encoding.unmarked", encoding="utf-16-be" if is_big_endian else "utf-16-le")


def read_head(file: IO[bytes]) -> bytes:
    """Return the first bytes of a file that can be read from its beginning again."""
    if not file.seekable():
        return b""
    head = file.read(HEAD)
    file.seek(0)
    return head


def refuse_other_kind(head: bytes) -> None:
    """Refuse a file that is no text."""
    for mark, ending in OTHER_KINDS.items():
        if head.startswith(mark):
            raise UserError("encoding.other_kind", ending=ending)


def tell_encoding(head: bytes, reading: Reading) -> None:
    """Tell in which encoding a text is read, and how it begins there.

    Tell too whether it could be UTF-8 as well.
    """
    notes = [say("encoding.taken", encoding=reading.encoding)]
    letters = find_letters(head, reading.encoding)
    if letters:
        notes.append(say("encoding.shown", text=letters))
        if is_utf8(head) and not is_utf8_name(reading.encoding):
            notes.append(say("encoding.is_utf8"))
    reading.add_note(join_sentences(*notes))


def find_letters(text: bytes, encoding: str) -> str:
    """Return the first letters of a text beyond ASCII as an encoding reads them, for a message.

    It is empty without any.
    """
    letters = NOT_ASCII.search(text.decode(encoding, "ignore"))
    return shorten_name(letters[0], MAX_SHOWN) if letters else ""


def is_utf8(head: bytes) -> bool:
    """Return whether the first bytes of a text are UTF-8; the last character may be cut off."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(head)
    except UnicodeDecodeError:
        return False
    return True


def is_utf8_name(encoding: str) -> bool:
    """Return whether an encoding is UTF-8 by one of its names.

    "utf-8-sig" writes a mark before the text.
    """
    return "é".encode(encoding, "ignore").endswith("é".encode())


@contextmanager
def refuse_wrong_bytes(file: IO[bytes], reading: Reading) -> Iterator[None]:
    """Refuse a text that is not in its encoding, with the line and the encoding that is likely."""
    try:
        yield
    except UnicodeDecodeError as error:
        # The error has the piece that was read last, and the place of the byte in that piece.
        place = file.tell() - len(error.object) + error.start
        text = describe_wrong_byte(file, place, error.encoding, reading)
        raise WrongEncoding("page.as_it_is", text=text) from None


def describe_wrong_byte(
    file: IO[bytes],
    wrong: int,
    encoding: str,
    reading: Reading,
) -> str:
    """Return, in words, where a text is not in its encoding, and which encoding is likely."""
    line = find_line(file, wrong)
    begin = max(wrong - AROUND, 0)
    file.seek(begin)
    around = file.read(2 * AROUND)
    # The codec of "utf-8-sig" calls itself "utf-8" in an error.
    if encoding != "utf-8":
        note = say("encoding.wrong", encoding=encoding, line=line)
    elif is_nearly_utf8(around):
        return say("encoding.damaged", line=line)
    else:
        note = say("file.not_utf8", line=line)
    # The first line of a piece may begin in the middle of a character.
    start = around.find(b"\n") + 1 if begin else 0
    likely = guess_encoding(around[start:])
    if not likely or likely == reading.encoding:
        return join_sentences(note, say("encoding.name_it"))
    return join_sentences(
        note, say("encoding.likely", encoding=likely, text=find_letters(around, likely))
    )


def find_line(file: IO[bytes], place: int) -> int:
    """Return the number of the line that has the byte at a place of a file."""
    file.seek(0)
    end = 0
    for number, line in enumerate(file, 1):
        end += len(line)
        if end > place:
            return number
    return 1


def is_nearly_utf8(text: bytes) -> bool:
    """Return whether a text is UTF-8 but for few bytes, which are damaged."""
    decoded = text.decode("utf-8", "replace")
    wrong = decoded.count("\ufffd")
    right = sum(character > "\x7f" for character in decoded) - wrong
    return right > WHOLE_PER_DAMAGED * wrong


def guess_encoding(text: bytes) -> str:
    """Return the encoding that a text is likely in; empty where nothing can tell."""
    try:
        import charset_normalizer
    except ImportError:
        return ""
    matches = charset_normalizer.from_bytes(text[: 2 * AROUND], cp_isolation=list(ENCODINGS))
    likely = set()
    for match in matches:
        # Matches with the same chaos as the best are equally likely.
        if match.chaos == matches[0].chaos:
            likely |= {codecs.lookup(name).name for name in match.could_be_from_charset}
    return next((name for name in ENCODINGS if codecs.lookup(name).name in likely), "")
