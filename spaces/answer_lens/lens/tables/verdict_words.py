"""The words for verdicts in cells, and the usual names of columns of verdicts."""

from __future__ import annotations

import math
from typing import Any

from lens.tables.cells import fits_column_type, is_missing, parse_number

# The words for each verdict in a table. An empty cell means that nobody has read the row.
# "declined" is an answer that refuses to answer, which is neither right nor wrong.
RIGHT = "right"
WRONG = "wrong"
DECLINED = "declined"
UNDECIDED = "cannot say"
UNREAD = ""
VERDICTS = {
    RIGHT: (RIGHT, "correct", "1", "1.0", "true", "yes", "r"),
    WRONG: (WRONG, "incorrect", "0", "0.0", "false", "no", "w"),
    DECLINED: (
        DECLINED,
        "declines",
        "refused",
        "refusal",
        "abstained",
        "not attempted",
        "not_attempted",
        "d",
    ),
    UNDECIDED: (UNDECIDED, "unsure", "?", "s"),
    UNREAD: ("",),
}
# The key on the keyboard for each verdict, which is also shown to the reader.
VERDICT_KEYS = {
    RIGHT: "r",
    WRONG: "w",
    DECLINED: "d",
    UNDECIDED: "s",
}
VERDICT_OF_WORD: dict[str, str] = {}
for verdict, words in VERDICTS.items():
    VERDICT_OF_WORD |= dict.fromkeys(words, verdict)
# The score of a verdict that stands in for a person's verdict.
VERDICT_SCORES: dict[str, float | None] = {
    RIGHT: 1.0,
    WRONG: 0.0,
    DECLINED: 0.0,
    UNDECIDED: None,
    UNREAD: None,
}
# The grades of inspect_ai, in capitals as it writes them: correct, incorrect, partially correct, no
# answer. A partially correct answer counts as undecided.
INSPECT_GRADES = {
    "C": RIGHT,
    "I": WRONG,
    "P": UNDECIDED,
    "N": DECLINED,
}

# The usual names of columns with verdicts of people, and with verdicts of judges. Verdicts of a
# judge are never taken for a person's.
PERSON_VERDICT_NAMES = (
    "human",
    "human_verdict",
    "human_judgment",
    "human_judgement",
    "human_label",
    "human_grade",
    "my_verdict",
    "your_verdict",
)
JUDGE_VERDICT_NAMES = (
    "judge_verdict",
    "judge",
    "llm_judge",
    "llm_verdict",
    "judge_label",
    "judge_grade",
    "auto_grade",
    "auto_verdict",
    "is_correct",
)


def parse_verdict(cell: Any) -> str | None:
    """Return the verdict in a cell: empty if there is none yet, None if it is not a verdict.

    >>> [parse_verdict(cell) for cell in (True, 0, "Yes", None, " cannot say ", "refused", 0.7)]
    ['right', 'wrong', 'right', '', 'cannot say', 'declined', None]
    >>> [parse_verdict(cell) for cell in ("C", "I", "P", "N", "c")]
    ['right', 'wrong', 'cannot say', 'declined', None]
    """
    if is_missing(cell):
        return ""
    word = str(cell).strip()
    return INSPECT_GRADES.get(word) or VERDICT_OF_WORD.get(word.casefold())


def read_verdict_score(cell: Any) -> float | None:
    """Return the score in a cell that stands in for a verdict.

    A number is the score itself; a verdict is 1 if it is right, and 0 if it is wrong or declined.
    The result is None for a cell without a verdict or an undecided one, and NaN for any other cell.

    >>> read_verdict_score(0.7), read_verdict_score("right"), read_verdict_score("declined")
    (0.7, 1.0, 0.0)
    >>> read_verdict_score(""), read_verdict_score("Paris")
    (None, nan)
    """
    number = parse_number(cell)
    if number is not None:
        return number
    verdict = None if fits_column_type(cell, "texts") else parse_verdict(cell)
    if verdict is None:
        return math.nan
    return VERDICT_SCORES[verdict]
