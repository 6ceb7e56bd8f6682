"""Decodes texts: in UTF-8, in the encoding of a byte order mark, or as the user says.

No encoding is guessed silently. If a text is not UTF-8, it is refused with a message that names the
likely encoding. If the user chose an encoding, a note shows the first letters, because a wrong
encoding may give nonsense without an error.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from lens.tables.file_reading import FileReading
from lens.words import join_sentences, say
from lens.words.notes import UserError
from lens.words.printed import shorten_name

# UTF-8, with or without a byte order mark.
UTF8 = "utf-8-sig"
# The byte order marks. UTF-32 comes first, because its mark begins with that of UTF-16.
BYTE_ORDER_MARKS = {
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xef\xbb\xbf": UTF8,
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
# The first bytes of files of other kinds, and the extensions that these should have.
OTHER_FILE_MARKS = {
    b"PK\x03\x04": ".xlsx",
    b"PAR1": ".parquet",
    b"\x1f\x8b": ".gz",
    b"\xd0\xcf\x11\xe0": ".xls",
}
# Usual encodings besides UTF-8. If several are equally likely, the first is named.
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
# The number of bytes checked at the beginning of a text, and before and after a wrong byte.
HEAD_BYTES = 65_536
CONTEXT_BYTES = 10_000
# Words of letters beyond ASCII, with up to two others between them: "Привет, мир".
NOT_ASCII = re.compile("[^\x00-\x7f]+(?:[ \x00-\x7f]{0,2}[^\x00-\x7f]+)*")
MAX_SHOWN_LETTERS = 40
# The share of zero bytes above which a text is likely UTF-16. Latin letters have one in two.
UTF16_ZERO_SHARE = 0.2
# A text counts as damaged UTF-8 if it has more than this many intact characters beyond ASCII per
# damaged character.
INTACT_PER_DAMAGED = 4


class WrongEncoding(UserError):
    """Raised if a text is not in the encoding in which it was read; the user may choose another."""


def open_text(file: IO[bytes], newline: str | None, reading: FileReading) -> io.TextIOWrapper:
    """Open the text of a file in its encoding, with a note on it unless it is plain UTF-8.

    Raises:
        UserError: the file is of another kind, or is UTF-16 without a byte order mark.
    """
    head = read_head(file)
    refuse_other_kind(head)
    marked = find_marked_encoding(head)
    if marked and (marked != UTF8 or reading.encoding):
        reading.add_note(say("encoding.marked", encoding=marked.removesuffix("-sig").upper()))
    elif reading.encoding:
        note_encoding(head, reading)
    else:
        refuse_unmarked_utf16(head)
    return io.TextIOWrapper(file, marked or reading.encoding or UTF8, newline=newline)


def find_marked_encoding(head: bytes) -> str:
    """Return the encoding of a text's byte order mark; empty if it has none."""
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return encoding
    return ""


def refuse_unmarked_utf16(head: bytes) -> None:
    """Raise WrongEncoding if a text is likely UTF-16 without a byte order mark."""
    zeros = head.count(0)
    if not head or zeros < UTF16_ZERO_SHARE * len(head):
        return
    # The first byte of a Latin letter is 0 in big-endian texts, the second one in little-endian
    # texts.
    is_big_endian = head[::2].count(0) > head[1::2].count(0)
    raise WrongEncoding("encoding.unmarked", encoding="utf-16-be" if is_big_endian else "utf-16-le")


def read_head(file: IO[bytes]) -> bytes:
    """Return the first bytes of a seekable file; empty if it is not seekable."""
    if not file.seekable():
        return b""
    head = file.read(HEAD_BYTES)
    file.seek(0)
    return head


def refuse_other_kind(head: bytes) -> None:
    """Raise UserError if a file is not a text."""
    for mark, extension in OTHER_FILE_MARKS.items():
        if head.startswith(mark):
            raise UserError("encoding.other_kind", ending=extension)


def note_encoding(head: bytes, reading: FileReading) -> None:
    """Add a note on the chosen encoding, with the first letters beyond ASCII.

    The note also says whether the text could be UTF-8.
    """
    notes = [say("encoding.taken", encoding=reading.encoding)]
    letters = find_letters(head, reading.encoding)
    if letters:
        notes.append(say("encoding.shown", text=letters))
        if is_utf8(head) and not is_utf8_name(reading.encoding):
            notes.append(say("encoding.is_utf8"))
    reading.add_note(join_sentences(*notes))


def find_letters(text: bytes, encoding: str) -> str:
    """Return the first letters beyond ASCII in an encoding; empty if there are none."""
    letters = NOT_ASCII.search(text.decode(encoding, "ignore"))
    return shorten_name(letters[0], MAX_SHOWN_LETTERS) if letters else ""


def is_utf8(head: bytes) -> bool:
    """Return whether the first bytes of a text are UTF-8; the last character may be incomplete."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(head)
    except UnicodeDecodeError:
        return False
    return True


def is_utf8_name(encoding: str) -> bool:
    """Return whether the name of an encoding is one of UTF-8's names.

    The comparison ignores the mark that "utf-8-sig" writes before a text.
    """
    return "é".encode(encoding, "ignore").endswith("é".encode())


@contextmanager
def refuse_wrong_bytes(file: IO[bytes], reading: FileReading) -> Iterator[None]:
    """Raise WrongEncoding, with the line and the likely encoding, if a text cannot be decoded."""
    try:
        yield
    except UnicodeDecodeError as error:
        # The error has the piece that was read last, and the position of the byte in that piece.
        position = file.tell() - len(error.object) + error.start
        text = describe_wrong_byte(file, position, error.encoding, reading)
        raise WrongEncoding("page.as_it_is", text=text) from None


def describe_wrong_byte(
    file: IO[bytes],
    position: int,
    encoding: str,
    reading: FileReading,
) -> str:
    """Return sentences that say where a text has a wrong byte, and which encoding is likely."""
    line = find_line(file, position)
    begin = max(position - CONTEXT_BYTES, 0)
    file.seek(begin)
    context = file.read(2 * CONTEXT_BYTES)
    # The error of the codec "utf-8-sig" has the name "utf-8".
    if encoding != "utf-8":
        note = say("encoding.wrong", encoding=encoding, line=line)
    elif is_nearly_utf8(context):
        return say("encoding.damaged", line=line)
    else:
        note = say("file.not_utf8", line=line)
    # The context may begin in the middle of a character, so its first line is left out.
    first_line_end = context.find(b"\n") + 1 if begin else 0
    likely = guess_encoding(context[first_line_end:])
    if not likely or likely == reading.encoding:
        return join_sentences(note, say("encoding.name_it"))
    letters = find_letters(context, likely)
    return join_sentences(note, say("encoding.likely", encoding=likely, text=letters))


def find_line(file: IO[bytes], position: int) -> int:
    """Return the number of the line with the byte at this position of a file."""
    file.seek(0)
    end = 0
    for number, line in enumerate(file, 1):
        end += len(line)
        if end > position:
            return number
    return 1


def is_nearly_utf8(text: bytes) -> bool:
    """Return whether a text is UTF-8 with few damaged bytes."""
    decoded = text.decode("utf-8", "replace")
    damaged = decoded.count("\ufffd")
    intact = sum(character > "\x7f" for character in decoded) - damaged
    return intact > INTACT_PER_DAMAGED * damaged


def guess_encoding(text: bytes) -> str:
    """Return the likely encoding of a text; empty if none is found."""
    try:
        import charset_normalizer
    except ImportError:
        return ""
    matches = charset_normalizer.from_bytes(text[: 2 * CONTEXT_BYTES], cp_isolation=list(ENCODINGS))
    likely_codecs = set()
    for match in matches:
        # charset_normalizer measures "chaos"; matches with the chaos of the best are equally
        # likely.
        if match.chaos == matches[0].chaos:
            likely_codecs |= {codecs.lookup(name).name for name in match.could_be_from_charset}
    for name in ENCODINGS:
        if codecs.lookup(name).name in likely_codecs:
            return name
    return ""
