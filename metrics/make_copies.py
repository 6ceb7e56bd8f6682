"""Puts the files of shared/ into the metric folders that use them: `make copies`.

A metric's folder needs what its module names in a relative import, for evaluate's loader copies just those, and every
folder has the small page. A copy is always a whole file; its first line says so.
"""

import re
from pathlib import Path

METRICS = Path(__file__).resolve().parent
HEADER = "# A copy of metrics/shared/{name}: change that one, then run `make copies`.\n"


def copies() -> dict[Path, str]:
    """Return what each copy must hold, by its path."""
    result = {}
    for module in (path for path in METRICS.glob("*/*.py") if path.stem == path.parent.name):
        named = re.findall(r"^from \.(\w+) import", module.read_text("utf-8"), re.M)
        for original in (METRICS / "shared" / f"{name}.py" for name in ("app", *named)):
            if original.exists():
                text = original.read_text("utf-8")
                result[module.parent / original.name] = HEADER.format(name=original.name) + text
    return result


def main() -> None:
    """Rewrite every copy that differs, and say which."""
    for path, text in copies().items():
        if not path.exists() or path.read_text("utf-8") != text:
            print(path.relative_to(METRICS))
            path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
