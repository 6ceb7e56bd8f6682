"""The texts of the page and the command, in the languages of en.json and zh.json.

`say("report.mean")` returns the text "mean" of the section "report" in the current language. A
callback sets the language by `with speaking(language):`, and a generator is passed to
`iterate_steps`. Another thread gets the language by `contextvars.copy_context().run`.

Both files have the same keys, and the same placeholders in each text.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

# The languages by code, each with its own name for itself.
LANGUAGES = {"en": "English", "zh": "中文"}

Step = TypeVar("Step")

CURRENT: ContextVar[str] = ContextVar("language", default="en")


def read_words(code: str) -> dict[str, str]:
    """Return the texts of a language, by their keys.

    The key "role.question" is the text "question" in the section "role".
    """
    path = Path(__file__).with_name(f"{code}.json")
    return flatten_sections(json.loads(path.read_text(encoding="utf-8")))


def flatten_sections(sections: Mapping[str, Any], beginning: str = "") -> dict[str, str]:
    """Return the texts of nested sections, by key.

    A key has the names of the sections and of the text, joined by dots.

    >>> texts = {"page": {"title": "Answer Lens"}, "explain": {"line": {"none": "No score"}}}
    >>> flatten_sections(texts)
    {'page.title': 'Answer Lens', 'explain.line.none': 'No score'}
    """
    texts = {}
    for name, content in sections.items():
        key = beginning + name
        if isinstance(content, str):
            texts[key] = content
        else:
            texts |= flatten_sections(content, f"{key}.")
    return texts


TABLES = {code: read_words(code) for code in LANGUAGES}


def language() -> str:
    """Return the code of the current language: "en" or "zh"."""
    return CURRENT.get()


@contextlib.contextmanager
def speaking(chosen: object) -> Iterator[None]:
    """Use this language until the end of the `with` statement.

    An unknown language becomes English, because a forged call may send anything.
    """
    is_known = isinstance(chosen, str) and chosen in LANGUAGES
    token = CURRENT.set(str(chosen) if is_known else "en")
    try:
        yield
    finally:
        CURRENT.reset(token)


async def iterate_steps(chosen: object, steps: AsyncGenerator[Step, None]) -> AsyncIterator[Step]:
    """Yield the steps of a generator, each of which runs in this language.

    `speaking` alone cannot be used, because a generator may be resumed in another context.
    """
    async with contextlib.aclosing(steps):
        while True:
            with speaking(chosen):
                try:
                    step = await anext(steps)
                except StopAsyncIteration:
                    return
            yield step


def has_text(key: str) -> bool:
    """Return whether there is a text with this key."""
    return key in TABLES["en"]


def join_sentences(*texts: str) -> str:
    """Join sentences; empty ones are left out."""
    return say("page.between_sentences").join(filter(None, texts))


def say(key: str, **values: object) -> str:
    """Return the text with this key in the current language, with `values` filled in."""
    return TABLES[language()][key].format(**values)
