"""What a cell says as a verdict on an answer, and by which names columns of verdicts go."""

from __future__ import annotations

import math
from typing import Any

from lens.tables.cells import is_kind, is_missing, parse_number

# What a verdict is called in a table; an empty cell is a row that nobody read. An answer that
# declines to answer is neither right nor wrong.
RIGHT, WRONG, DECLINED, UNDECIDED, UNREAD = "right", "wrong", "declined", "cannot say", ""
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
# The key that gives each verdict, by which it is also named to a reader.
KEYS = {
    RIGHT: "r",
    WRONG: "w",
    DECLINED: "d",
    UNDECIDED: "s",
}
MEANT: dict[str, str] = {}
for verdict, words in VERDICTS.items():
    MEANT |= dict.fromkeys(words, verdict)
# What a verdict counts as where it stands in for another.
VALUES: dict[str, float | None] = {
    RIGHT: 1.0,
    WRONG: 0.0,
    DECLINED: 0.0,
    UNDECIDED: None,
    UNREAD: None,
}
# The grades of inspect_ai, in capitals as it writes them: correct, incorrect, partially right, no
# answer. An answer that is right in part is neither.
GRADES = {
    "C": RIGHT,
    "I": WRONG,
    "P": UNDECIDED,
    "N": DECLINED,
}

# The usual names of columns with verdicts of people, and of judges. A judge's are never taken for a
# person's.
OF_PEOPLE = (
    "human",
    "human_verdict",
    "human_judgment",
    "human_judgement",
    "human_label",
    "human_grade",
    "my_verdict",
    "your_verdict",
)
OF_JUDGES = (
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
    """Return the verdict in a cell, empty where there is none yet; None for what is no verdict.

    >>> [parse_verdict(cell) for cell in (True, 0, "Yes", None, " cannot say ", "refused", 0.7)]
    ['right', 'wrong', 'right', '', 'cannot say', 'declined', None]
    >>> [parse_verdict(cell) for cell in ("C", "I", "P", "N", "c")]
    ['right', 'wrong', 'cannot say', 'declined', None]
    """
    if is_missing(cell):
        return ""
    word = str(cell).strip()
    return GRADES.get(word) or MEANT.get(word.casefold())


def verdict_value(cell: Any) -> float | None:
    """Return the score in a cell that stands in for a verdict.

    It is a number, or 1 for a verdict of right and 0 for another. None where there is none, NaN for
    what is neither.

    >>> verdict_value(0.7), verdict_value("right"), verdict_value("declined")
    (0.7, 1.0, 0.0)
    >>> verdict_value(""), verdict_value("Paris")
    (None, nan)
    """
    number = parse_number(cell)
    if number is not None:
        return number
    verdict = None if is_kind(cell, "texts") else parse_verdict(cell)
    if verdict is None:
        return math.nan
    return VALUES[verdict]
