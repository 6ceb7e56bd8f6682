"""Answer Lens: every score for one answer, side by side.

The page, the command, and what both are made of.

Layers; each may use those below it: page and commands; runs; explanations, lv_eval and judge_check;
reports; scoring; tables and statistics; words.
"""

from pathlib import Path

# Of the project, as in CITATION.cff.
VERSION = "0.1.0"
# The folder of app.py and score.py.
SPACE = Path(__file__).resolve().parent.parent
DATA = SPACE / "data"
