"""What stands in several folders on purpose is a whole file and equal everywhere."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from metrics import make_copies
from tests.support.project import METRICS, NAMES, ROOT


def test_every_copy_equals_its_original() -> None:
    copies = make_copies.copies()
    assert len(copies) > 2 * len(NAMES)
    different = [str(path) for path, text in copies.items() if path.is_symlink() or path.read_text("utf-8") != text]
    assert not different, "run `make copies`"


def test_every_file_of_a_folder_is_its_own_or_a_copy() -> None:
    """A copy that no module names any more would stay behind."""
    for path in METRICS.glob("*/*.py"):
        if path.parent.name != "shared" and path.read_text("utf-8").startswith("# A copy of"):
            assert path in make_copies.copies(), f"{path} is not used any more"


def test_copies_are_marked_as_generated() -> None:
    paths = [str(path.relative_to(ROOT)) for path in make_copies.copies()]
    originals = [str(path.relative_to(ROOT)) for path in METRICS.glob("*/*.py") if path not in make_copies.copies()]
    said = subprocess.run(
        ["git", "check-attr", "linguist-generated", *paths, *originals], cwd=ROOT, capture_output=True, text=True
    ).stdout
    if not said:
        pytest.skip("no git here")
    marked = set(re.findall(r"^(.+): linguist-generated: set$", said, re.M))
    assert marked == set(paths)


def test_a_changed_original_is_copied_whole_and_a_link_replaced(tmp_path: Path) -> None:
    shutil.copytree(METRICS / "shared", tmp_path / "shared")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text("from .inputs import Inputs\n", "utf-8")
    (tmp_path / "two" / "inputs.py").symlink_to(tmp_path / "shared" / "inputs.py")
    original = (tmp_path / "shared" / "inputs.py").read_text("utf-8")
    shutil.copy(METRICS / "make_copies.py", tmp_path)
    run = ["python3", str(tmp_path / "make_copies.py")]
    assert subprocess.run(run, capture_output=True, text=True).stdout.count("inputs.py") == 2
    for name in ("one", "two"):
        first, _, rest = (tmp_path / name / "inputs.py").read_text("utf-8").partition("\n")
        assert first == "# A copy of metrics/shared/inputs.py: change that one, then run `make copies`."
        assert rest == original == (tmp_path / "shared" / "inputs.py").read_text("utf-8")
    assert not subprocess.run(run, capture_output=True).stdout
