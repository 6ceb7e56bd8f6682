"""The folder in which a run leaves its parts, on this machine or behind any address that fsspec knows.

    scored.parquet.parts/part-000000.parquet    the scored rows of a block, a file of its own
    scored.parquet.parts/_run/run.json          which run it is (resume.py)
    scored.parquet.parts/_run/000000.json       what the block came to; written last: without it the block is not done

Names that begin with an underscore are passed over by what reads a folder of Parquet as one table. A file is there
whole or not at all: on this machine it is written under another name and renamed, and an object store shows none before
it is complete. Only files of these names are ever removed.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens.tables.places import is_address, local_path, system_of

RUN = "run.json"
OWN = re.compile(r"part-\d{6,}\.\w+|(against-)?\d{6,}\.json|run\.json|_.*\.\d+\.new")


def storage(place: str) -> tuple[Any, str]:
    """The filesystem of a place, and the path in it."""
    from fsspec.implementations.local import LocalFileSystem

    if is_address(place):
        return system_of(place)
    return LocalFileSystem(), os.path.abspath(local_path(place))


def is_local(filesystem: Any) -> bool:
    """Whether a filesystem is that of this machine, where a file can be renamed."""
    from fsspec.implementations.local import LocalFileSystem

    return isinstance(filesystem, LocalFileSystem)


@dataclass(frozen=True)
class Parts:
    """The folder of the parts of one run; it can be sent to other processes. `kind` is that of the pieces: "csv",
    "jsonl" or "parquet". `prefix`: of the outcomes of the second system, which has no pieces.
    """

    folder: str
    kind: str
    prefix: str = ""

    def piece_name(self, number: int) -> str:
        """The name of a block's scored rows."""
        return f"part-{number:06}.{self.kind}"

    def outcome_name(self, number: int) -> str:
        """The name of what a block came to."""
        return f"{self.prefix}{number:06}.json"

    def path(self, name: str) -> tuple[Any, str]:
        """The filesystem and where in it a file of this name lies."""
        filesystem, folder = storage(self.folder)
        return filesystem, f"{folder.rstrip('/')}/{'_run/' if name.endswith('.json') else ''}{name}"

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole."""
        filesystem, path = self.path(name)
        if not is_local(filesystem):
            filesystem.pipe_file(path, data)
            return
        new = Path(path).with_name(f"_{name}.{os.getpid()}.new")
        try:
            new.write_bytes(data)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)

    def read(self, name: str) -> bytes | None:
        """What a file holds; None where there is none."""
        filesystem, path = self.path(name)
        try:
            return bytes(filesystem.cat_file(path))
        except FileNotFoundError:
            return None

    def opened(self, number: int) -> Any:
        """A block's scored rows, as a file of bytes."""
        filesystem, path = self.path(self.piece_name(number))
        return filesystem.open(path, "rb")

    def make(self) -> None:
        """Make the folder, where there is none."""
        filesystem, path = self.path(RUN)
        filesystem.makedirs(path.rpartition("/")[0], exist_ok=True)

    def listed(self, place: str = "") -> list[Mapping[str, Any]]:
        """What lies in the folder, or in a place of it."""
        filesystem, folder = storage(self.folder)
        filesystem.invalidate_cache()
        try:
            found = filesystem.ls(f"{folder.rstrip('/')}{place}", detail=True)
        except FileNotFoundError:
            return []
        return [one for one in found if one["name"].rstrip("/") != folder.rstrip("/")]

    def names(self) -> list[str]:
        """The names of all that lies in the folder itself."""
        return sorted(one["name"].rstrip("/").rpartition("/")[2] for one in self.listed())

    def files(self) -> dict[str, int]:
        """The paths of the files that runs wrote, with their sizes."""
        found = {one["name"]: int(one["size"] or 0) for one in (*self.listed(), *self.listed("/_run"))}
        return {path: size for path, size in found.items() if OWN.fullmatch(path.rpartition("/")[2])}

    def sizes(self) -> dict[str, int]:
        """The names of the files that runs wrote, with their sizes."""
        return {path.rpartition("/")[2]: size for path, size in self.files().items()}

    def clear(self) -> None:
        """Remove what runs wrote, and the folder where nothing else is in it. What says which run it was goes last:
        nothing is left that another run could take for its own.
        """
        filesystem, folder = storage(self.folder)
        for path in sorted(self.files(), key=lambda path: path.endswith(f"/{RUN}")):
            filesystem.rm_file(path)
        if is_local(filesystem):
            for place in (f"{folder}/_run", folder):
                with contextlib.suppress(OSError):
                    os.rmdir(place)
