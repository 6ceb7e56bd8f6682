# A copy of metrics/shared/languages.py: change that one, then run `make copies`.
"""The language of each row, and the references of it that count."""

from collections import Counter
from typing import Any

from .inputs import rows_of, shown


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


def considered(references: list[list[str]], multi_reference: str) -> list[list[str]]:
    """Return the references of each row that count: for "first" the first alone, for "max" all."""
    if multi_reference not in ("first", "max"):
        raise ValueError(f"multi_reference is {multi_reference!r:.80}; 'first' or 'max' is expected")
    return references if multi_reference == "max" else [row[:1] for row in references]
