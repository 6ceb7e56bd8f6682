# A copy of metrics/shared/text_rows.py: change that one, then run `make copies`.
"""The rows of metrics that compare texts: their languages, references and warnings.

A warning has a name, a sentence, and the values in the sentence. An entry of `per_example` has the
sentences as its `note`, the names as its `warnings`, and names with values as its `note_data`, so
that no program has to parse a sentence.
"""

import re
import unicodedata
from collections import Counter
from typing import Any

from .inputs import list_rows, show_value

WORD = re.compile(r"\d+|[^\W\d]+")
HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
HAN_CHARACTER = re.compile(f"[{HAN}]")
# Two single Chinese characters with a space between them. BERT tokenizers put a space between all
# characters.
SPACED_HAN = re.compile(rf"(?<![{HAN}])[{HAN}][ \t\u00a0\u3000]+[{HAN}](?![{HAN}])")
# unicodedata.normalize takes n squared steps for n combining marks in a row, so a text is split
# after thirty.
MANY_SIGNS = re.compile(r"[^\w\s\x00-\x7f]{30}")

# The sentence of a warning and the values in it.
Warning = tuple[str, dict[str, Any]]

# Warnings if one text has spaces between its Chinese characters and the other has none.
SPACES = {
    "spaces_left_out": "spaces between Chinese characters are left out",
    "spaces_end_words": (
        "one text has spaces between its Chinese characters, and each counts as the end of a word"
    ),
}


def read_languages(language: Any, rows: int, known: tuple[str, ...]) -> list[str]:
    """Return one language per row, from "auto", one of `known`, or a list of them."""
    if isinstance(language, str):
        check_language("language", language, known)
        return [language] * rows
    values = list_rows("language", language)
    if len(values) != rows:
        raise ValueError(f"language has {len(values)} entries for {rows} rows")
    for i, value in enumerate(values):
        check_language(f"language[{i}]", value, known)
    return values


def check_language(name: str, language: Any, known: tuple[str, ...]) -> None:
    """Raise ValueError if a language is neither "auto" nor one of `known`."""
    if language not in ("auto", *known):
        raise ValueError(f"{name} is {show_value(language)}; 'auto' or one of {known} is expected")


def format_languages(languages: list[str]) -> str:
    """Return the languages for a signature: that of all rows, or the rows that have each."""
    counts = sorted(Counter(languages).items())
    if len(counts) == 1:
        return languages[0]
    return ",".join(f"{language}-{count}" for language, count in counts)


def select_references(
    references: list[tuple[str, ...]], multi_reference: str
) -> list[tuple[str, ...]]:
    """Return the references of each row that count: the first for "first", all for "max"."""
    if multi_reference == "max":
        return references
    if multi_reference == "first":
        return [row[:1] for row in references]
    raise ValueError(f"multi_reference is {multi_reference!r:.80}; 'first' or 'max' is expected")


def compose_text(text: str) -> str:
    """Return a text in NFKC; a mark after more than thirty others does not combine with them."""
    # NFKC turns these halfwidth marks, which count as letters, into combining marks.
    text = text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a")
    parts = []
    start = 0
    for match in MANY_SIGNS.finditer(text):
        parts.append(text[start : match.end()])
        start = match.end()
    parts.append(text[start:])
    return "".join(unicodedata.normalize("NFKC", part) for part in parts)


def fold_text(text: str) -> str:
    r"""Return a text in NFKC, with ASCII digits and without invisible characters.

    >>> fold_text("Cafe\u0301 \uff11\u0663 Mal\u00admo\u0308") == "Caf\xe9 13 Malm\xf6"
    True
    """
    text = compose_text(text)
    replacements = {}
    for character in set(text):
        is_invisible = unicodedata.category(character) == "Cf"
        digit = str(unicodedata.decimal(character, character))
        replacements[ord(character)] = "" if is_invisible else digit
    return text.translate(replacements)


def append_warnings(entry: dict[str, Any], warnings: dict[str, Warning]) -> dict[str, Any]:
    """Return an entry of `per_example` with further warnings, by their names.

    >>> entry = {"note": None, "warnings": [], "note_data": []}
    >>> warnings = {"unicode": ("words differ only in Unicode: 'a'", {"words": "'a'"})}
    >>> warned = append_warnings(entry, warnings)
    >>> warned["note"], warned["warnings"]
    ("words differ only in Unicode: 'a'", ['unicode'])
    >>> warned["note_data"]
    [{'key': 'unicode', 'words': "'a'"}]
    """
    sentences = [entry["note"]] if entry["note"] else []
    sentences += [sentence for sentence, _ in warnings.values()]
    data = [{"key": name, **values} for name, (_, values) in warnings.items()]
    warned = entry | {
        "note": "; ".join(sentences) or None,
        "warnings": [*entry["warnings"], *warnings],
    }
    if "note_data" in entry:
        warned["note_data"] = entry["note_data"] + data
    return warned


def list_writing_warnings(
    prediction: str, reference: str, spaces: str | None = None
) -> dict[str, Warning]:
    r"""Return the warnings for two texts that are written in different ways.

    Scores that compare words take such words as different.

    Args:
        prediction: the answer.
        reference: the best reference.
        spaces: the key in SPACES of the warning for spaces between Chinese characters; None if they
            do not change the score.

    >>> list_writing_warnings("Cafe\u0301", "Caf\xe9")
    {'unicode': ("words differ only in how Unicode writes them: 'caf\xe9'", {'words': "'caf\xe9'"})}
    """
    if prediction.isascii() and reference.isascii():
        return {}
    warnings: dict[str, Warning] = {}
    words = find_words_in_other_unicode(prediction, reference)
    if words:
        word_list = ", ".join(map(repr, words))[:80]
        warnings["unicode"] = (
            f"words differ only in how Unicode writes them: {word_list}",
            {"words": word_list},
        )
    if spaces and has_spaced_han(prediction) != has_spaced_han(reference):
        warnings[spaces] = (SPACES[spaces], {})
    own_script = identify_chinese_script(prediction)
    right_script = identify_chinese_script(reference)
    if {own_script, right_script} == {"simplified", "traditional"}:
        scripts = f"the prediction is in {own_script} and the reference in {right_script}"
        sentence = f"{scripts} Chinese characters, which count as different"
        warnings["other_characters"] = (
            sentence,
            {"prediction": own_script, "reference": right_script},
        )
    return warnings


def has_spaced_han(text: str) -> bool:
    """Return whether a text has spaces between single Chinese characters."""
    return SPACED_HAN.search(text) is not None


def list_language_warnings(
    language: str, row_language: str, reference_language: str
) -> dict[str, Warning]:
    """Return a warning if the language of a row was taken from its answer.

    Args:
        language: the language that was passed, or "auto".
        row_language: the language of the row.
        reference_language: the language of the reference, without the answer.
    """
    if language != "auto" or row_language == reference_language:
        return {}
    sentence = (
        "the reference has Latin letters and digits alone, so the language is the prediction's"
    )
    return {"answer_language": (sentence, {})}


def find_words_in_other_unicode(prediction: str, reference: str) -> list[str]:
    """Return the words that both texts share only after Unicode is normalized."""
    as_written = find_words(prediction) & find_words(reference)
    as_folded = find_words(fold_text(prediction)) & find_words(fold_text(reference))
    return sorted(as_folded - as_written)


def find_words(text: str) -> set[str]:
    """Return the words and numbers of a text, in small letters."""
    return set(WORD.findall(text.lower()))


def identify_chinese_script(text: str) -> str:
    """Return "simplified" or "traditional" if the characters of a text show which it is.

    Return "" if they show neither or both. The character sets of mainland China (GB 2312) and
    Taiwan (Big5) tell the scripts apart: the first lacks most traditional characters, the second
    most simplified ones.

    >>> [identify_chinese_script(text) for text in ("台湾大学", "臺灣大學", "北京", "陶喆说")]
    ['simplified', 'traditional', '', 'simplified']
    """
    characters = "".join(set(HAN_CHARACTER.findall(text)))
    mainland = set(characters.encode("gb2312", "ignore").decode("gb2312"))
    taiwan = set(characters.encode("big5", "ignore").decode("big5"))
    simplified = mainland - taiwan
    traditional = taiwan - mainland
    if bool(simplified) == bool(traditional):
        return ""
    return "simplified" if simplified else "traditional"
