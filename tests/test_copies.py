"""What stands in several folders on purpose is equal everywhere."""

import pytest

from tests import copies
from tests.project import METRICS, NAMES


def test_every_copy_equals_its_original() -> None:
    different = [
        str(path.relative_to(METRICS)) for path, text in copies.expected().items() if path.read_text("utf-8") != text
    ]
    assert not different, "run `make copies`"


def test_copies_are_files_and_no_links() -> None:
    assert not [path for path in copies.expected() if path.is_symlink()]


def test_every_folder_has_every_whole_file() -> None:
    for file, (origin, targets) in copies.FILES.items():
        folders = [origin, *targets] if targets else NAMES
        assert [name for name in folders if not (METRICS / name / file).exists()] == []


def test_nothing_is_defined_twice_without_being_kept_equal() -> None:
    """A function with the same text in two modules is a copy, and must be listed as one."""
    listed = {name for names in copies.NAMES for name in names}
    seen: dict[str, str] = {}
    for module in NAMES:
        for name, text in copies.definitions(copies.module(module).read_text("utf-8")).items():
            if name not in listed and text.count("\n") > 1:
                assert text not in seen, f"{name} stands in {seen[text]} and {module}"
                seen[text] = module


def test_what_a_module_took_over_is_kept_equal() -> None:
    missing = []
    for names, (origin, targets) in copies.NAMES.items():
        originals = copies.definitions(copies.module(origin).read_text("utf-8"))
        for module in {*NAMES} - {origin, *(targets or copies.others(origin))}:
            own = copies.definitions(copies.module(module).read_text("utf-8"))
            missing += [f"{module} at {name!r}" for name in names if name in own and own[name] == originals[name]]
    assert not missing, f"add to NAMES of tests/copies.py: {missing}"


def test_a_changed_copy_is_rewritten() -> None:
    original = "A = 1\n\n\n@cache\ndef f():\n    return A\n\n\nB = 2\n"
    target = "B = 3\n\n\ndef f():\n    return 0\n\n\nA = 0\n"
    assert copies.copied(target, original, ("f", "A")) == "B = 3\n\n\n@cache\ndef f():\n    return A\n\n\nA = 1\n"
    with pytest.raises(LookupError, match="g is not defined"):
        copies.copied(target, original, ("g",))
