"""Writes how rare words are, for correctness_estimate: how many of EVOUNA's answers have each stem.

Run: make estimate DATA=path, or .venv/bin/python -m metrics.training.rarity --data PATH
"""

import argparse
import math
import sys
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from metrics.correctness_estimate.wording import Text
from metrics.training.verdicts import read

MOST = 1500  # stems of the table: a longer one made nothing better
STEP = 5  # tenths of a logarithm from one level to the next
TARGET = Path(__file__).resolve().parent.parent / "correctness_estimate" / "rarity.py"
HEAD = '''"""How rare words are, written by `make estimate` from the answers of {source}: change nothing here by hand.

A level, ten times the natural logarithm of all answers to those with a stem, stands before the stems of that level.
"""

'''


def table(answers: Sequence[str]) -> tuple[float, str]:
    """Return how rare a stem outside the table is, and the table as a text."""
    counts: Counter[str] = Counter(stem for answer in answers for stem in set(Text(answer).solid))
    common = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MOST]
    levels: dict[int, list[str]] = {}
    for stem, count in common:
        levels.setdefault(STEP * round(10 * math.log(len(answers) / count) / STEP), []).append(stem)
    return math.log(len(answers)), " ".join(f"+{level} {' '.join(levels[level])}" for level in sorted(levels))


def main(command: Sequence[str] | None = None) -> int:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="PATH", help="people's verdicts")
    given = parser.parse_args(command)
    rarest, text = table([answer.text for answer in read(given.data).answers])
    lines = "\n".join(textwrap.wrap(text, 118, break_long_words=False, break_on_hyphens=False))
    source = f'{HEAD.format(source=given.data.name)}RAREST = {rarest:.1f}\nRARITY_TEXT = """\n{lines}\n"""\n'
    TARGET.write_text(source, "utf-8", newline="\n")
    print(f"{TARGET.name}: {len(source.encode())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
