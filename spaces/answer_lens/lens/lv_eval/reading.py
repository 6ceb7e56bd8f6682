"""Where prediction files come from: a folder or a zip of one's own, or a visitor's files, which a child process reads
(lv_eval/predictions.py), so that nothing in them can take this one's memory or time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lens.lv_eval.predictions import MAX_BYTES, MAX_FILES, Predictions, read
from lens.lv_eval.tasks import is_predictions
from lens.tables.read import Unreadable
from lens.tables.untrusted import WAIT_SECONDS, BadFile, by_child
from lens.words import say

READER = ("-m", "lens.lv_eval.predictions")
MEGABYTES = MAX_BYTES // 1_000_000
# Base64 takes 4 bytes for 3; the rest is for names and signs between them.
MAX_SENT = 4 * (MAX_BYTES // 3 + MAX_FILES) + 1000 * MAX_FILES


class BadRun(Exception):
    """Prediction files that cannot be scored, in words for the page and the terminal."""


def in_folder(path: Path) -> list[tuple[str, bytes]]:
    """The prediction files that lie in a folder; other files and folders in it do not count, as in the original."""
    return [(one.name, one.read_bytes()) for one in path.iterdir() if one.is_file() and is_predictions(one.name)]


def from_disk(path: Path) -> list[Predictions]:
    """The prediction files of a folder or a zip of one's own, however large; or BadRun."""
    try:
        if path.is_dir():
            files = in_folder(path)
        elif path.suffix.lower() == ".zip":
            files = [(path.name, path.read_bytes())]
        else:
            raise BadRun(say("lv_no_folder", path=path))
    except OSError as error:
        raise BadRun(say("lv_unreadable", path=path, error=error.strerror)) from None
    try:
        return read(files)
    except Unreadable as error:
        raise BadRun(say(error.problem, **error.values)) from None


def from_page(sent: str) -> Sequence[Predictions]:
    """The prediction files of a visitor, as the page sends them, or BadRun."""
    if len(sent) > MAX_SENT:
        raise BadRun(say("lv_bytes", limit=MEGABYTES))
    try:
        answer = by_child(READER, sent.encode("utf-8", "replace"), "lv", WAIT_SECONDS)
    except BadFile as error:
        raise BadRun(str(error)) from None
    return [Predictions(**file) for file in answer["files"]]
