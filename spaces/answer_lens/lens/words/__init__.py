"""What the page and the command say, in the language of whoever reads it.

The words stand in en.json and zh.json.

The language is that of the context: a callback says `with speaking(language):`, one that yields
hands what it does to `each_step`, and what goes to another thread takes the language along with
`contextvars.copy_context().run`. Both files have the same keys, and the same placeholders in each
text.

In the files the texts lie in rooms, such as "report" or "explain.line": `say("report.mean")` finds
"mean" in the room "report".
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

# Each language by its code, with the name that it has for itself.
LANGUAGES = {"en": "English", "zh": "中文"}

Step = TypeVar("Step")

CURRENT: ContextVar[str] = ContextVar("language", default="en")


def read_words(code: str) -> dict[str, str]:
    """Return the texts of a language by their keys.

    "role.question" is "question" in the room "role".
    """
    path = Path(__file__).with_name(f"{code}.json")
    return flatten_rooms(json.loads(path.read_text(encoding="utf-8")))


def flatten_rooms(rooms: Mapping[str, Any], beginning: str = "") -> dict[str, str]:
    """Return the texts of nested rooms by key.

    A key has the names of the rooms and the text's own, with dots between.

    >>> flatten_rooms({"page": {"title": "Answer Lens"}, "explain": {"line": {"none": "No score"}}})
    {'page.title': 'Answer Lens', 'explain.line.none': 'No score'}
    """
    texts = {}
    for name, content in rooms.items():
        key = beginning + name
        if isinstance(content, str):
            texts[key] = content
        else:
            texts |= flatten_rooms(content, f"{key}.")
    return texts


TABLES = {code: read_words(code) for code in LANGUAGES}


def language() -> str:
    """Return the code of the language that is spoken here: "en" or "zh"."""
    return CURRENT.get()


@contextlib.contextmanager
def speaking(chosen: object) -> Iterator[None]:
    """Say all in this language meanwhile.

    One that is not known counts as English, for a forged call may send it.
    """
    before = CURRENT.set(chosen if isinstance(chosen, str) and chosen in LANGUAGES else "en")
    try:
        yield
    finally:
        CURRENT.reset(before)


async def each_step(chosen: object, steps: AsyncGenerator[Step, None]) -> AsyncIterator[Step]:
    """Yield the steps of a generator, each made in this language.

    `speaking` itself must not hold while a generator yields: whoever asks for its steps may do so
    in another context.
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
    """Return whether there is a text called `key`."""
    return key in TABLES["en"]


def join_sentences(*texts: str) -> str:
    """Return sentences after each other, the empty ones left out."""
    return say("page.between_sentences").join(filter(None, texts))


def say(key: str, **values: object) -> str:
    """Return the text called `key` in the language that is spoken here, with `values` filled in."""
    return TABLES[language()][key].format(**values)
