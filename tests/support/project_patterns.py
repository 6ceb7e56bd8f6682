"""Every regular expression of the project that reads somebody's text, and how it is used."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.support.project import METRICS, ROOT

LENS = ROOT / "spaces" / "answer_lens"
# What reads from one place on, and what else a pattern can be asked.
ANCHORED = {"match", "fullmatch"}
ASKED = ANCHORED | {"search", "sub", "subn", "split", "findall", "finditer"}
# Parts that read no text of a user: training, and the forms of single metrics.
PASSED_OVER = ("benchmarks", "training", "shared")
# How deep patterns lie in tables of patterns.
DEPTH = 4


@dataclass(frozen=True)
class Use:
    """A pattern, where it stands, and whether it is matched from one place alone."""

    pattern: re.Pattern[str]
    place: str
    anchored: bool


def list_files() -> list[Path]:
    """Return the files of the metrics and the demo; copies of one file count once."""
    copies = {path.name for path in (METRICS / "shared").glob("*.py")}
    files: dict[str | Path, Path] = {}
    for path in sorted(METRICS.glob("*/*.py")):
        if path.parent.name in PASSED_OVER or path.name in ("app.py", "tests.py"):
            continue
        key = path.name if path.name in copies else path
        files[key] = path
    return [*files.values(), *sorted((LENS / "lens").rglob("*.py"))]


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
        for part in value:
            yield from find_patterns(part, depth + 1)
    elif is_dataclass(value):
        parts = [getattr(value, field.name, None) for field in fields(value)]
        yield from find_patterns(parts, depth + 1)


@dataclass
class Source:
    """A file: its tree, what its names are asked ("" where they are handed on), what it imports and
    what it assigns.
    """

    tree: ast.Module
    asked: dict[str, set[str]]
    imported: dict[str, set[str]]
    assigned: set[str]


def find_attributes(tree: ast.Module) -> dict[int, str]:
    """Return the attribute that is asked of each expression, by the expression's id."""
    attributes = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            attributes[id(node.value)] = node.attr
    return attributes


def read_source(path: Path) -> Source:
    """Return what a file says of its names; `module.NAME` counts as the name "module.NAME"."""
    source = Source(ast.parse(path.read_text("utf-8")), {}, {}, set())
    attributes = find_attributes(source.tree)
    for node in ast.walk(source.tree):
        attribute = attributes.get(id(node), "")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            source.asked.setdefault(node.id, set()).add(attribute)
        elif isinstance(node, ast.Name):
            source.assigned.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            source.asked.setdefault(name, set()).add(attribute)
        elif isinstance(node, ast.ImportFrom):
            *_, module = (node.module or "").split(".")
            names = source.imported.setdefault(module, set())
            names.update(alias.name for alias in node.names)
    return source


def is_anchored(name: str, path: Path, sources: dict[Path, Source]) -> bool:
    """Return whether a name of a file is matched from one place alone, there and wherever it is
    imported.
    """
    asked = set(sources[path].asked.get(name, ()))
    for source in sources.values():
        if name in source.imported.get(path.stem, ()):
            asked |= source.asked.get(name, set())
        asked |= source.asked.get(f"{path.stem}.{name}", set())
    return bool(asked) and asked <= ANCHORED


def find_constants(tree: ast.Module) -> set[int]:
    """Return the ids of all expressions that a module works out when it is loaded."""
    constants: set[int] = set()
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            constants.update(map(id, ast.walk(statement.value)))
    return constants


def find_re_calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls of functions of `re` that take a pattern, with the
    names of these functions.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = node.func.value
        name = node.func.attr
        is_re = isinstance(owner, ast.Name) and owner.id == "re"
        if is_re and node.args and name in ASKED | {"compile"}:
            yield node, name


def read_flags(call: ast.Call) -> int:
    """Return the flags of a call of `re`; 0 where it has none."""
    arguments = call.args[1:]
    for keyword in call.keywords:
        if keyword.arg == "flags":
            arguments.append(keyword.value)
    for argument in map(ast.unparse, arguments):
        if argument.startswith("re."):
            return int(eval(argument, {"re": re}))
    return 0


def find_inline_uses(tree: ast.Module, place: str) -> Iterator[Use]:
    """Yield the patterns that are written where they are used."""
    attributes = find_attributes(tree)
    # Those that a module makes when it is loaded are found among its names.
    constants = find_constants(tree)
    for call, name in find_re_calls(tree):
        text = call.args[0]
        if (
            id(call) in constants
            or not isinstance(text, ast.Constant)
            or not isinstance(text.value, str)
        ):
            continue
        asked = attributes.get(id(call), "") if name == "compile" else name
        pattern = re.compile(text.value, read_flags(call))
        yield Use(pattern, f"{place}:{call.lineno}", asked in ANCHORED)


def find_named_uses(path: Path, place: str, sources: dict[Path, Source]) -> Iterator[Use]:
    """Yield the patterns that a file gives a name."""
    for name, value in vars(import_file(path)).items():
        if name not in sources[path].assigned:
            continue
        anchored = is_anchored(name, path, sources)
        for pattern in find_patterns(value):
            yield Use(pattern, f"{place} {name}", anchored)


def collect_uses() -> list[Use]:
    """Return every pattern of the project once, as it is used where that costs most."""
    sources = {path: read_source(path) for path in list_files()}
    uses: dict[tuple[str, int], Use] = {}
    for path, source in sources.items():
        place = str(path.relative_to(ROOT))
        named = find_named_uses(path, place, sources)
        inline = find_inline_uses(source.tree, place)
        for use in chain(named, inline):
            key = (use.pattern.pattern, use.pattern.flags)
            if key not in uses or not use.anchored:
                uses[key] = use
    return list(uses.values())
