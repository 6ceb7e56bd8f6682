"""Write into correctness_estimate's model.py how rare words are, by EVOUNA's answers.

Run: make estimate DATA=path, or .venv/bin/python -m metrics.training.rarity --data PATH
"""

import argparse
import math
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from metrics.correctness_estimate.text import Text
from metrics.training.verdicts import read_verdicts
from metrics.training.written import wrap_words

# The most stems in the table: more of them did not improve the estimate.
MOST_STEMS = 1500
# A level is a logarithm in tenths, rounded to this step.
LEVEL_STEP = 5
MODEL = Path(__file__).resolve().parent.parent / "correctness_estimate" / "model.py"
# The table of stems in model.py.
TABLE = re.compile(r'^RAREST = .*\nRARITY_TEXT = """\n.*?\n"""\n', re.MULTILINE | re.DOTALL)


def count_stems(answers: Sequence[str]) -> tuple[float, str]:
    """Return the rarity of a stem outside the table, and the table as a text."""
    counts = Counter[str]()
    for answer in answers:
        counts.update(set(Text(answer).content))
    # By frequency; equally frequent stems by the alphabet.
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    levels: dict[int, list[str]] = {}
    for stem, count in ordered[:MOST_STEMS]:
        rarity = math.log(len(answers) / count)
        level = LEVEL_STEP * round(10 * rarity / LEVEL_STEP)
        levels.setdefault(level, []).append(stem)
    lines = [f"+{level} {' '.join(levels[level])}" for level in sorted(levels)]
    return math.log(len(answers)), " ".join(lines)


def main(command: Sequence[str] | None = None) -> int:
    """Count the stems in the answers, and write the table into model.py."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        metavar="PATH",
        help="people's verdicts",
    )
    arguments = parser.parse_args(command)
    rarest, text = count_stems([answer.text for answer in read_verdicts(arguments.data).answers])
    table = f'RAREST = {rarest:.1f}\nRARITY_TEXT = """\n{wrap_words(text)}\n"""\n'
    source = MODEL.read_text("utf-8")
    MODEL.write_text(TABLE.sub(lambda _: table, source), "utf-8", newline="\n")
    print(f"{MODEL.name}: {len(text.split())} words")
    return 0


if __name__ == "__main__":
    sys.exit(main())
