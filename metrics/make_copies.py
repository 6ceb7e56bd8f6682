"""Copies the files of shared/ into the metric folders that use them: `make copies`.

evaluate's loader copies only the files that a module imports by a relative import, so each folder
needs them. Every folder also gets the page, app.py, and the demo gets final_answer.py. A copy is
always a whole file, and its first line says so.
"""

import re
from pathlib import Path

METRICS = Path(__file__).resolve().parent
IN_DEMO = {"final_answer": METRICS.parent / "spaces" / "answer_lens" / "lens" / "tables"}
HEADER = "# A copy of metrics/shared/{name}: change that one, then run `make copies`.\n"


def list_copies() -> dict[Path, str]:
    """Return the text of each copy, by its path."""
    needed = [(folder, name) for name, folder in IN_DEMO.items()]
    for folder in METRICS.iterdir():
        module = folder / f"{folder.name}.py"
        if module.exists():
            imported = re.findall(r"^from \.(\w+) import", module.read_text("utf-8"), re.M)
            needed += [(folder, name) for name in ("app", *imported)]

    copies = {}
    for folder, name in needed:
        original = METRICS / "shared" / f"{name}.py"
        if original.exists():
            header = HEADER.format(name=original.name)
            copies[folder / original.name] = header + original.read_text("utf-8")
    return copies


def main() -> None:
    """Rewrite every copy that differs, and say which."""
    for path, text in list_copies().items():
        if not path.exists() or path.read_text("utf-8") != text:
            print(path.relative_to(METRICS.parent))
            path.write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
