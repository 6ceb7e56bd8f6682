"""Every regular expression of the project that reads somebody's text, and how it is used."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.support.project import METRICS, ROOT

LENS = ROOT / "spaces" / "answer_lens"
# What reads from one place on, and what else a pattern can be asked.
ANCHORED = {"match", "fullmatch"}
ASKED = ANCHORED | {"search", "sub", "subn", "split", "findall", "finditer"}
# Parts that read no text of a user: training, and the forms of single metrics.
PASSED_OVER = ("training", "shared")
# How deep patterns lie in tables of patterns.
DEPTH = 4


@dataclass(frozen=True)
class Use:
    """A pattern, where it stands, and whether it is matched from one place alone."""

    pattern: re.Pattern[str]
    place: str
    anchored: bool


def files() -> list[Path]:
    """Return the files of the metrics and the demo; copies of one file count once."""
    copies = {path.name for path in (METRICS / "shared").glob("*.py")}
    found = {path.name if path.name in copies else path: path for path in sorted(METRICS.glob("*/*.py"))
             if path.parent.name not in PASSED_OVER and path.name not in ("app.py", "tests.py")}  # fmt: skip
    return [*found.values(), *sorted((LENS / "lens").rglob("*.py"))]


def import_file(path: Path) -> ModuleType:
    """Return the module of a file."""
    base = LENS if path.is_relative_to(LENS) else ROOT
    parts = path.relative_to(base).with_suffix("").parts
    return importlib.import_module(".".join(parts).removesuffix(".__init__"))


def find_patterns(value: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a value of a module: itself, or in tables and dataclasses."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth == DEPTH or isinstance(value, type):
        return
    elif isinstance(value, dict):
        yield from find_patterns([*value.keys(), *value.values()], depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from find_patterns(one, depth + 1)
    elif is_dataclass(value):
        yield from find_patterns([getattr(value, field.name, None) for field in fields(value)], depth + 1)


@dataclass
class Source:
    """A file: its tree, what its names are asked ("" where they are handed on), what it imports and what it assigns."""

    tree: ast.Module
    asked: dict[str, set[str]]
    imported: dict[str, set[str]]
    assigned: set[str]


def read_source(path: Path) -> Source:
    """Return what a file says of its names; `module.NAME` counts as the name "module.NAME"."""
    found = Source(ast.parse(path.read_text("utf-8")), {}, {}, set())
    owners = {id(node.value): node.attr for node in ast.walk(found.tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(found.tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.asked.setdefault(node.id, set()).add(owners.get(id(node), ""))
        elif isinstance(node, ast.Name):
            found.assigned.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.asked.setdefault(f"{node.value.id}.{node.attr}", set()).add(owners.get(id(node), ""))
        elif isinstance(node, ast.ImportFrom):
            names = found.imported.setdefault((node.module or "").split(".")[-1], set())
            names.update(alias.name for alias in node.names)
    return found


def is_anchored(name: str, path: Path, sources: dict[Path, Source]) -> bool:
    """Return whether a name of a file is matched from one place alone, there and wherever it is imported."""
    asked = set(sources[path].asked.get(name, ()))
    for source in sources.values():
        if name in source.imported.get(path.stem, ()):
            asked |= source.asked.get(name, set())
        asked |= source.asked.get(f"{path.stem}.{name}", set())
    return bool(asked) and asked <= ANCHORED


def inline_patterns(tree: ast.Module) -> Iterator[tuple[re.Pattern[str], bool, int]]:
    """Yield the patterns that are written where they are used, whether they are anchored, and their lines."""
    owners = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    # What a module makes when it is loaded is found there.
    named = {id(part) for node in tree.body if isinstance(node, ast.Assign) for part in ast.walk(node.value)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        owner, pattern, asked = node.func.value, node.args[0], node.func.attr
        if not (isinstance(owner, ast.Name) and owner.id == "re" and asked in ASKED | {"compile"}):
            continue
        if id(node) in named or not (isinstance(pattern, ast.Constant) and isinstance(pattern.value, str)):
            continue
        given = [*node.args[1:], *(one.value for one in node.keywords if one.arg == "flags")]
        flags = [ast.unparse(one) for one in given if ast.unparse(one).startswith("re.")]
        asked = owners.get(id(node), "") if asked == "compile" else asked
        yield re.compile(pattern.value, eval(flags[0], {"re": re}) if flags else 0), asked in ANCHORED, node.lineno


def collect_uses() -> list[Use]:
    """Return every pattern of the project once, as it is used where that costs most."""
    sources = {path: read_source(path) for path in files()}
    found: dict[tuple[str, int], Use] = {}
    for path, source in sources.items():
        place = str(path.relative_to(ROOT))
        every = [
            Use(pattern, f"{place} {name}", is_anchored(name, path, sources))
            for name, value in vars(import_file(path)).items()
            for pattern in (find_patterns(value) if name in source.assigned else ())
        ]
        every += [Use(pattern, f"{place}:{line}", anchored) for pattern, anchored, line in inline_patterns(source.tree)]
        for use in every:
            key = (use.pattern.pattern, use.pattern.flags)
            if key not in found or not use.anchored:
                found[key] = use
    return list(found.values())
