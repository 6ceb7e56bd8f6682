# A copy of metrics/shared/text_rows.py: change that one, then run `make copies`.
"""What the metrics of text against text share: each row's language, the references that count, and a note on words that
look alike and are other characters, which scores of words count as different, as their originals do.
"""

import re
import unicodedata
from collections import Counter
from itertools import pairwise
from typing import Any

from .inputs import rows_of, shown

WORD = re.compile(r"\d+|[^\W\d]+")
# Python's normalize takes n squared steps for n combining marks in a row: so many at a time.
MANY_SIGNS = re.compile(r"[^\w\s\x00-\x7f]{30}")


def languages_of(language: Any, rows: int, known: tuple[str, ...]) -> list[str]:
    """Return one language per row from "auto", one of `known`, or a list of them."""
    single = isinstance(language, str)
    values = [language] * rows if single else rows_of("language", language)
    if len(values) != rows:
        raise ValueError(f"language has {len(values)} entries for {rows} rows")
    for i, value in enumerate(values):
        if value not in ("auto", *known):
            where = "language" if single else f"language[{i}]"
            raise ValueError(f"{where} is {shown(value)}; 'auto' or one of {known} is expected")
    return values


def said_languages(languages: list[str]) -> str:
    """Return the languages for a signature: the one of all rows, or how many rows have which."""
    counts = sorted(Counter(languages).items())
    return languages[0] if len(counts) == 1 else ",".join(f"{language}-{n}" for language, n in counts)


def considered(references: list[tuple[str, ...]], multi_reference: str) -> list[tuple[str, ...]]:
    """Return the references of each row that count: for "first" the first alone, for "max" all."""
    if multi_reference not in ("first", "max"):
        raise ValueError(f"multi_reference is {multi_reference!r:.80}; 'first' or 'max' is expected")
    return references if multi_reference == "max" else [row[:1] for row in references]


def composed(text: str) -> str:
    """Return a text in NFKC; signs that follow thirty others do not combine with them."""
    text = text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a")  # marks that count as letters, as NFKC has them
    ends = [match.end() for match in MANY_SIGNS.finditer(text)]
    return "".join(unicodedata.normalize("NFKC", text[i:j]) for i, j in pairwise([0, *ends, len(text)]))


def folded(text: str) -> str:
    r"""Return a text composed (NFKC), with ASCII digits and without invisible signs.

    >>> folded("Cafe\u0301 \uff11\u0663 Mal\u00admo\u0308") == "Caf\xe9 13 Malm\xf6"
    True
    """
    text = composed(text)
    shown = {ord(c): "" if unicodedata.category(c) == "Cf" else str(unicodedata.decimal(c, c)) for c in set(text)}
    return text.translate(shown)


def noted(entry: dict[str, Any], prediction: str, reference: str) -> dict[str, Any]:
    r"""Return an entry of `per_example`; where words differ only in how Unicode writes them, its note says so.

    >>> noted({"note": None}, "Cafe\u0301", "Caf\xe9")["note"]
    "words differ only in how Unicode writes them: 'caf\xe9'"
    """
    if prediction.isascii() and reference.isascii():
        return entry
    same, alike = (
        set(WORD.findall(form(prediction).lower())) & set(WORD.findall(form(reference).lower()))
        for form in (str, folded)
    )
    words = sorted(alike - same)
    if not words:
        return entry
    said = f"words differ only in how Unicode writes them: {', '.join(map(repr, words)):.80}"
    return entry | {"note": "; ".join(filter(None, [entry["note"], said]))}
