"""Turns requirements into the lowest versions that their ranges admit, for `make test-lowest`.

Run: python tests/support/lowest.py requirements.txt tests/requirements.txt

A range therefore begins with a version that was released. Needs nothing but Python: with this the installing begins.
"""

import re
import sys
from pathlib import Path

REQUIREMENT = re.compile(r"([\w.-]+(?:\[[\w,-]+\])?)(?:>=|==)([\w.]+)(?:,[\w.<>!=,]+)?(\s*;.+)?")


def lowest(requirement: str) -> str:
    """Return the requirement of the lowest version in a range: 'x[y]>=1.2,<2; marker' gives 'x[y]==1.2; marker'."""
    found = REQUIREMENT.fullmatch(requirement)
    if not found:
        raise ValueError(f"no lower end in {requirement!r}: write name>=1.2,<2 or name==1.2")
    name, version, marker = found.groups(default="")
    return f"{name}=={version}{marker}"


def requirements(text: str) -> list[str]:
    """Return the requirements in a file, without comments and empty lines."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    for file in sys.argv[1:]:
        for one in requirements(Path(file).read_text("utf-8")):
            print(lowest(one))
