"""A file that arrives in a call of the tab "Files": read within limits, and held.

It travels as text in base64, so Gradio's endpoint for uploads stays shut, and is never on a disk.
"""

from __future__ import annotations

import functools
from dataclasses import replace

from lens import DATA
from lens.page.background import Bounded
from lens.page.files_held import Held, Sent
from lens.tables.untrusted import BadFile, decoded, kind_of, read
from lens.tables.visitors_file import MAX_BYTES
from lens.words import say

EXAMPLE = DATA / "examples" / "made_up_files.csv"
MEGABYTES = MAX_BYTES // 1_000_000
MAX_NAME = 300
# Files of all visitors that are read or wait for it; each is some 10 MB in memory.
READ_THREADS, MAX_READ = 2, 8
# What the page says it sends, where it is no file.
PROBLEMS = {"none": "check_no_file", "unread": "file_unsent"}

READERS = Bounded("files", READ_THREADS, MAX_READ)


def received(content: str, name: str, source: str) -> Sent:
    """The file of a call; BadFile where there is none, or it cannot be read."""
    if source == "large":
        raise BadFile(say("ft_too_large", limit=MEGABYTES))
    if source in PROBLEMS:
        raise BadFile(say(PROBLEMS[source]))
    if source == "example":
        return Sent(EXAMPLE.name, read("csv", example_bytes(), everything=True), made_up=True)
    kind = kind_of(name)
    if len(content) > 4 * (MAX_BYTES // 3 + 1):
        raise BadFile(say("ft_too_large", limit=MEGABYTES))
    data = decoded(content)
    if len(data) > MAX_BYTES:
        raise BadFile(say("ft_too_large", limit=MEGABYTES))
    return Sent(name[:MAX_NAME], read(kind, data, everything=True))


@functools.cache
def example_bytes() -> bytes:
    """The made-up example."""
    return EXAMPLE.read_bytes()


def kept(content: str, name: str, source: str, given: Held | None, session: str) -> Held | str:
    """The file of a call, as one to be held, or beside the one that is `given`; or, in words, why not."""
    try:
        sent = None if source == "unsecond" and given else received(content, name, source)
    except BadFile as error:
        return str(error)
    if given is None:
        return Held(session, sent) if sent else say("ft_gone")
    return replace(given, second=sent)
