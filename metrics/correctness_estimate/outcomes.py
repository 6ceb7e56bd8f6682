"""The results of comparing an answer with a reference: a decision, a difference, an objection."""

from dataclasses import dataclass
from typing import NamedTuple

# The answer has the value of the reference, or another one.
EQUAL, DIFFERENT = "equal", "different"
# The answer is less exact than the reference, which may be right or wrong: the 1990s for 1990.
COARSER = "coarser"
# The words do not tell: the answer says neither yes nor no, for example.
OPEN = "open"
# The answer means the same, or the contrary, in other words. That is less sure than a value.
LIKELY, UNLIKELY = "likely", "unlikely"
# The answer has the reference, and what it denies is something else.
UPHELD = "upheld"


class Decision(NamedTuple):
    """Whether an answer has the value of a reference.

    Attributes:
        outcome: EQUAL, DIFFERENT, COARSER, OPEN, LIKELY, UNLIKELY or UPHELD.
        kind: the kind of value: number, date, denied, yes_no, ...
        found: the words of the answer.
        expected: the words of the reference.
    """

    outcome: str
    kind: str
    found: str
    expected: str


class Difference(NamedTuple):
    """What an answer says (`found`) in place of what the reference says (`expected`)."""

    kind: str
    found: str
    expected: str


@dataclass(frozen=True)
class Objection:
    """Something that speaks against an answer.

    Attributes:
        kind: one of OBJECTION_KINDS in measure.py.
        evidence: how strongly it holds, 0..1.
        found: the words of the answer.
        expected: the words of the reference.
        reason: the kind of its reason if it differs, else "": a date counts as a number.
    """

    kind: str
    evidence: float
    found: str
    expected: str
    reason: str = ""
