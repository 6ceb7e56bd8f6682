"""Find the key `score` and its value in a judge's reply that is not valid JSON.

The JSON may have an extra comma, single quotation marks, a missing brace or bare keys; or there is
no JSON, but a line `**Score:** 1`. Scores in sentences and quotations are not the judge's, but they
are found as well: if scores differ, none counts. The time of every pattern is linear in the length
of the reply. This file needs only Python.
"""

import json
import re
from decimal import Decimal
from typing import Any

# Quotation marks, and marks of bold type and code.
MARKS = r"[\\\"'“”‘’`*_]"
# The key `score` and its value: a number or a word.
SCORE = re.compile(
    rf"(?<![\w.-])score(?P<after_key>{MARKS}{{0,4}})[^\S\n]{{0,8}}[:=：＝][^\S\n]{{0,8}}{MARKS}{{0,6}}[^\S\n]{{0,3}}"
    r"(?:(?P<number>[-+]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:e[-+]?[0-9]{1,3})?)"
    r"|(?P<word>[a-z]{1,20}\b))?",
    re.I,
)
# What follows a number that is the whole value. In "0 or 1", "1/5" and "1, 2" the first number is
# not. \x23 is "#".
ENDS_VALUE = re.compile(
    rf"(?![\w.]){MARKS}{{0,6}}[^\S\n]{{0,20}}"
    r"(?:\Z|\n|[.!。}\])]|<[/|a-z]|/[/*]|\x23|[\"'“‘`]|[,;，；](?![^\S\n]{0,20}[\"']?[0-9])"
    r"|[-–—|]{1,3}[^\S\n]{0,20}[^\W0-9]"
    r"|\((?![^()\n]{0,40}[0-9]))"
)
# The end of each kind of quotation. If a key is quoted, the quotation ends before the colon; if a
# sentence is quoted, it ends later.
QUOTES = {
    '"': '"',
    "'": "'",
    "“": "”",
    "‘": "’",
    "`": "`",
}
# Marks before a key, and what begins a heading (chr(35) is "#") or an item of a list.
BEFORE_KEY = " \t\"'“‘\\*_-+•" + chr(35)
# The most characters before or after a key that are looked at.
WINDOW = 200
REASONING = re.compile(rf"\breasoning{MARKS}{{0,4}}[^\S\n]{{0,8}}[:=：＝]", re.I)


def is_key(text: str, match: re.Match[str]) -> bool:
    r"""Return whether a score in a text is a key with its value.

    It is not if it is part of a sentence or of a quotation.

    >>> texts = ("{score: 1", "**Score:** 1")
    >>> [is_key(text, SCORE.search(text)) for text in texts]
    [True, True]
    >>> texts = ('It says "score: 1"', '"score: 1" it says', "It says:\nscore: 1\nNo.")
    >>> [is_key(text, SCORE.search(text)) for text in texts]
    [False, False, False]
    """
    before = text[max(0, match.start() - WINDOW) : match.start()]
    if opens_quotation(before, match["after_key"]):
        return False
    before = before.rstrip(BEFORE_KEY)
    if before.endswith("\n"):
        line_before = before.rstrip(BEFORE_KEY + "\r\n")
        # A line that ends with a colon announces the verdict if the reply ends here. Otherwise it
        # announces a quotation.
        return not line_before.endswith((":", "：")) or ends_reply(text, match.end())
    if before.endswith(","):
        # After a comma that follows a letter, the score is part of a sentence.
        return not before[:-1].rstrip()[-1:].isalpha()
    return before.endswith("{") or not before.strip("\ufeff")


def opens_quotation(before: str, after_key: str) -> bool:
    """Return whether a quotation mark before a key is not closed right after the key."""
    quote = before[-1:]
    if quote not in QUOTES:
        return False
    return after_key.lstrip("\\")[:1] != QUOTES[quote]


def ends_reply(text: str, place: int) -> bool:
    """Return whether the reply ends at a place, or only the reasoning follows."""
    behind = text[place : place + WINDOW].strip(BEFORE_KEY + "\r\n`”’.},")
    return not behind or REASONING.match(behind) is not None


def read_scores(text: str) -> tuple[list[Any], bool]:
    """Return the values of all scores in a text, and whether any score is a key with its value.

    A number is a Decimal. A number that more text belongs to, such as "1/5", is a text that is no
    verdict: "1...". A word counts only after a key.
    """
    values = list[Any]()
    has_key = False
    for match in SCORE.finditer(text):
        number, word = match["number"], match["word"]
        if not number and not word:
            continue
        is_keyed = is_key(text, match)
        has_key = has_key or is_keyed
        if word:
            if is_keyed:
                values.append(word)
        elif ENDS_VALUE.match(text, match.end()):
            values.append(Decimal(number))
        else:
            values.append(f"{number}...")
    return values, has_key


def find_json_text(text: str) -> str | None:
    """Return the content of a reply that is one JSON string; else None.

    Some judges write their JSON object within such a string.

    >>> find_json_text('"{}"'), find_json_text("{}"), find_json_text('"a" or "b"')
    ('{}', None, None)
    """
    if not text.strip().startswith('"'):
        return None
    try:
        value = json.loads(text.strip(), strict=False)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def read_reasoning(text: str) -> str | None:
    """Return the text under the key `reasoning` in nearly-JSON, up to a later score; else None."""
    key = REASONING.search(text)
    if key is None:
        return None
    end = len(text)
    for match in SCORE.finditer(text, key.end()):
        if is_key(text, match):
            end = match.start()
            break
    reasoning = text[key.end() : end].strip(" \t\r\n\"'“”`{},*")
    return reasoning or None
