"""The key `score` with its value in a judge's reply that is nearly JSON, or no JSON.

A comma too much, single quotation marks, a missing brace, bare keys, a line `**Score:** 1`: people
read them at once. A score in a sentence or in quotation marks is none of the judge's, but it is
found: where scores differ, none counts. Every pattern is linear in the length. This file needs
nothing but Python.
"""

import json
import re
from decimal import Decimal
from typing import Any

# Of a reply that is no JSON: the key, between quotation marks or in bold type or bare, and its
# value. A number has to end there: "0 or 1", "1/5", "1, 2" are none.
MARKS = r"[\\\"'“”‘’`*_]"
SCORE = re.compile(
    rf"(?<![\w.-])score(?P<after_key>{MARKS}{{0,4}})[^\S\n]{{0,8}}[:=：＝][^\S\n]{{0,8}}{MARKS}{{0,6}}[^\S\n]{{0,3}}"
    r"(?:(?P<number>[-+]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:e[-+]?[0-9]{1,3})?)"
    r"|(?P<word>[a-z]{1,20}\b))?",
    re.I,
)
ENDS_VALUE = re.compile(
    rf"(?![\w.]){MARKS}{{0,6}}[^\S\n]{{0,20}}"
    r"(?:\Z|\n|[.!。}\])]|<[/|a-z]|/[/*]|\x23|[\"'“‘`]|[,;，；](?![^\S\n]{0,20}[\"']?[0-9])"
    r"|[-–—|]{1,3}[^\S\n]{0,20}[^\W0-9]"
    r"|\((?![^()\n]{0,40}[0-9]))"
)
# What closes a quotation mark; a key that is quoted is closed before the colon, a sentence is not.
QUOTES = {
    '"': '"',
    "'": "'",
    "“": "”",
    "‘": "’",
    "`": "`",
}
BEFORE_KEY = " \t\"'“‘\\*_-+•" + chr(
    35
)  # marks before a key, and what begins a heading or an item of a list
WINDOW = 200  # characters before a key that are looked at
REASONING = re.compile(rf"\breasoning{MARKS}{{0,4}}[^\S\n]{{0,8}}[:=：＝]", re.I)


def is_key(text: str, match: re.Match[str]) -> bool:
    r"""Return whether a score in a text is a key with its value, and neither in a sentence nor in a
    quotation.

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
        # A line may announce a quotation, if something else follows; or the verdict.
        return not line_before.endswith((":", "：")) or ends_reply(text, match.end())
    if before.endswith(","):
        return not before[:-1].rstrip()[-1:].isalpha()  # not a part of a sentence
    return before.endswith("{") or not before.strip("\ufeff")


def opens_quotation(before: str, after_key: str) -> bool:
    """Return whether the quotation mark before a key is not closed right after it."""
    quote = before[-1:]
    if quote not in QUOTES:
        return False
    return after_key.lstrip("\\")[:1] != QUOTES[quote]


def ends_reply(text: str, place: int) -> bool:
    """Return whether nothing but the reasoning follows a place of a reply."""
    behind = text[place : place + WINDOW].strip(BEFORE_KEY + "\r\n`”’.},")
    return not behind or REASONING.match(behind) is not None


def read_scores(text: str) -> tuple[list[Any], bool]:
    """Return the values of all scores in a text that is no JSON, and whether any is a key with its
    value.
    """
    values = list[Any]()
    has_key = False
    for match in SCORE.finditer(text):
        number, word = match["number"], match["word"]
        if not number and not word:
            continue
        is_own = is_key(text, match)
        has_key = has_key or is_own
        if word:
            if is_own:
                values.append(word)
        elif ENDS_VALUE.match(text, match.end()):
            values.append(Decimal(number))
        else:
            values.append(f"{number}...")
    return values, has_key


def find_json_text(text: str) -> str | None:
    """Return the text that a whole reply is as JSON, as where JSON was written as a text.

    It is None for any other.

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
    """Return what stands under the key `reasoning` in a text that is nearly JSON, up to a score
    behind it.
    """
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
