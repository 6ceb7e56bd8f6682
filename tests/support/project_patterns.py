"""Find every regular expression of the project that reads a user's text, and how it is used."""

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
# Methods of a pattern that match at one position, and all methods that read a text.
ANCHORED = {"match", "fullmatch"}
METHODS = ANCHORED | {"search", "sub", "subn", "split", "findall", "finditer"}
# Folders that are left out: benchmarks and training read no user's text, and the files of shared
# are found as copies in the metrics.
PASSED_OVER = ("benchmarks", "training", "shared")
# How deep a pattern may be nested in tables.
DEPTH = 4


@dataclass(frozen=True)
class Use:
    """A pattern, its place in the source, and whether it is matched at one position only."""

    pattern: re.Pattern[str]
    place: str
    anchored: bool


def list_files() -> list[Path]:
    """Return the files of the metrics and the demo, with one copy of each shared file."""
    shared = METRICS / "shared"
    copies = {path.name for path in shared.glob("*.py")}
    files: dict[str | Path, Path] = {}
    for path in sorted(METRICS.glob("*/*.py")):
        if path.parent.name in PASSED_OVER or path.name in ("app.py", "tests.py"):
            continue
        key = path.name if path.name in copies else path
        files[key] = path
    files_of_demo = sorted((LENS / "lens").rglob("*.py"))
    return [*files.values(), *files_of_demo]


def import_file(path: Path) -> ModuleType:
    """Import a file and return its module."""
    base = LENS if path.is_relative_to(LENS) else ROOT
    names = path.relative_to(base).with_suffix("").parts
    module = ".".join(names).removesuffix(".__init__")
    return importlib.import_module(module)


def find_patterns(value: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """Yield the patterns in a value of a module: the value itself, or parts of its tables."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth == DEPTH or isinstance(value, type):
        return
    elif isinstance(value, dict):
        keys_and_values = [*value.keys(), *value.values()]
        yield from find_patterns(keys_and_values, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from find_patterns(part, depth + 1)
    elif is_dataclass(value):
        values = [getattr(value, field.name, None) for field in fields(value)]
        yield from find_patterns(values, depth + 1)


@dataclass
class Source:
    """What a file does with its names.

    Attributes:
        tree: the syntax tree.
        used: the attributes that are taken of each name; "" for a use without an attribute.
        imported: the names that are imported from each module.
        assigned: the names that are assigned.
    """

    tree: ast.Module
    used: dict[str, set[str]]
    imported: dict[str, set[str]]
    assigned: set[str]


Sources = dict[Path, Source]


def find_attributes(tree: ast.Module) -> dict[int, str]:
    """Return the attribute that is taken of each expression, by the expression's id."""
    attributes = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            attributes[id(node.value)] = node.attr
    return attributes


def read_source(path: Path) -> Source:
    """Return what a file does with its names; `module.NAME` counts as the name "module.NAME"."""
    tree = ast.parse(path.read_text("utf-8"))
    source = Source(tree, {}, {}, set())
    attributes = find_attributes(source.tree)
    for node in ast.walk(source.tree):
        attribute = attributes.get(id(node), "")
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            source.used.setdefault(node.id, set()).add(attribute)
        elif isinstance(node, ast.Name):
            source.assigned.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            source.used.setdefault(name, set()).add(attribute)
        elif isinstance(node, ast.ImportFrom):
            *_, module = (node.module or "").split(".")
            names = source.imported.setdefault(module, set())
            names.update(alias.name for alias in node.names)
    return source


def is_anchored(name: str, path: Path, sources: Sources) -> bool:
    """Return whether a file and all that import the name only match it at one position."""
    used_here = sources[path].used.get(name, set())
    used = set(used_here)
    for source in sources.values():
        if name in source.imported.get(path.stem, ()):
            used |= source.used.get(name, set())
        used |= source.used.get(f"{path.stem}.{name}", set())
    return bool(used) and used <= ANCHORED


def find_constants(tree: ast.Module) -> set[int]:
    """Return the ids of all expressions that are assigned at the top of a module."""
    constants: set[int] = set()
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            expressions = ast.walk(statement.value)
            constants.update(id(expression) for expression in expressions)
    return constants


def find_re_calls(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls of functions of `re` that take a pattern, and the names of the functions."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if not isinstance(node.func, ast.Attribute):
            continue
        owner = ast.unparse(node.func.value)
        name = node.func.attr
        takes_pattern = name in METHODS or name == "compile"
        if owner == "re" and node.args and takes_pattern:
            yield node, name


def read_flags(call: ast.Call) -> int:
    """Return the flags of a call of `re`; 0 if it has none."""
    arguments = call.args[1:]
    for keyword in call.keywords:
        if keyword.arg == "flags":
            arguments.append(keyword.value)
    for argument in map(ast.unparse, arguments):
        if argument.startswith("re."):
            return int(eval(argument, {"re": re}))
    return 0


def find_inline_uses(tree: ast.Module, place: str) -> Iterator[Use]:
    """Yield the patterns that are written in the call that uses them."""
    attributes = find_attributes(tree)
    # Patterns in assignments at the top of a module are found by `find_named_uses`.
    constants = find_constants(tree)
    for call, name in find_re_calls(tree):
        pattern_argument, *_ = call.args
        if id(call) in constants or not isinstance(pattern_argument, ast.Constant):
            continue
        text = pattern_argument.value
        if not isinstance(text, str):
            continue
        method = name
        if name == "compile":
            method = attributes.get(id(call), "")
        pattern = re.compile(text, read_flags(call))
        line = f"{place}:{call.lineno}"
        yield Use(pattern, line, method in ANCHORED)


def find_named_uses(path: Path, place: str, sources: Sources) -> Iterator[Use]:
    """Yield the patterns that a file assigns to names."""
    for name, value in vars(import_file(path)).items():
        if name in sources[path].assigned:
            anchored = is_anchored(name, path, sources)
            for pattern in find_patterns(value):
                yield Use(pattern, f"{place} {name}", anchored)


def collect_uses() -> list[Use]:
    """Return every pattern of the project once; a use that searches wins over an anchored one."""
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
