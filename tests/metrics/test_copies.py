"""What stands in several folders on purpose is a whole file and equal everywhere."""

from metrics import make_copies
from tests.support.project import METRICS, NAMES, ROOT


def test_every_copy_equals_its_original_and_is_marked_as_generated() -> None:
    copies = make_copies.copies()
    assert len(copies) > 2 * len(NAMES)
    assert not [str(path) for path, text in copies.items() if path.read_text("utf-8") != text], "run `make copies`"
    said = {path for path in METRICS.glob("*/*.py") if path.read_text("utf-8").startswith("# A copy of")}
    assert said == set(copies), "no module names these any more"
    marked = {line.split()[0] for line in (ROOT / ".gitattributes").read_text("utf-8").splitlines() if line}
    assert marked >= {f"metrics/*/{path.name}" for path in copies}
