"""Answer Lens: every score for one answer, side by side.

This package has the page, the command, and all that they use, in layers. A layer uses only those
below it:

    page, commands
    explanations, lv_eval, judge_check
    reports
    study
    scoring
    experiment
    tables, inference
    words
"""

from pathlib import Path

# The version of the project, as in CITATION.cff.
VERSION = "0.1.0"
# The folder of app.py and score.py.
SPACE = Path(__file__).resolve().parent.parent
# Examples and figures.
DATA = SPACE / "data"
