"""Copy the files of shared/ into the metric folders that use them: `make copies`.

evaluate's loader copies only the files that a module imports by a relative import, so each folder
needs them. Every folder also gets the page, app.py, and the demo gets final_answer.py. A copy is
always a whole file, and its first line says so.
"""

import re
from pathlib import Path

METRICS = Path(__file__).resolve().parent
# The files that the demo needs too, each with its folder there.
DEMO_FOLDERS = {"final_answer": METRICS.parent / "spaces" / "answer_lens" / "lens" / "tables"}
# An import of a file beside the module: "from .inputs import Inputs".
RELATIVE_IMPORT = re.compile(r"^from \.(\w+) import", re.MULTILINE)
HEADER = "# A copy of metrics/shared/{name}: change that one, then run `make copies`.\n"


def list_copies() -> dict[Path, str]:
    """Return the text of each copy, by its path."""
    needed_files = [(folder, name) for name, folder in DEMO_FOLDERS.items()]
    for folder in METRICS.iterdir():
        module = folder / f"{folder.name}.py"
        if module.exists():
            imports = RELATIVE_IMPORT.findall(module.read_text("utf-8"))
            needed_files += [(folder, name) for name in ("app", *imports)]

    copies = {}
    for folder, name in needed_files:
        original = METRICS / "shared" / f"{name}.py"
        # The other imports are the metric's own files.
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
