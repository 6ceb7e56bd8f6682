# A copy of metrics/shared/unicode_forms.py: change that one, then run `make copies`.
"""Words that look alike and are other characters: scores of words count them as different, as their originals do."""

import re
import unicodedata
from typing import Any

WORD = re.compile(r"\d+|[^\W\d]+")


def folded(text: str) -> str:
    r"""Return a text composed (NFKC), with ASCII digits and without invisible signs.

    >>> folded("Cafe\u0301 \uff11\u0663 Mal\u00admo\u0308") == "Caf\xe9 13 Malm\xf6"
    True
    """
    shown = (c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return "".join(str(unicodedata.decimal(c, c)) for c in shown)


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
