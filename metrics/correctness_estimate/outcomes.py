"""What setting an answer beside a reference can find: a decision, or a difference."""

from typing import NamedTuple

EQUAL, DIFFERENT = "equal", "different"
# The answer says less than the reference, which may do or not (the 1990s for 1990); it does not say
# yes or no.
COARSER, OPEN = "coarser", "open"
LIKELY, UNLIKELY = "likely", "unlikely"  # it says yes or no by meaning alone


class Decision(NamedTuple):
    """Whether an answer has the value of a reference, with the kind of value and both texts.

    `outcome` is EQUAL, DIFFERENT, COARSER, OPEN, LIKELY or UNLIKELY.
    """

    outcome: str
    kind: str
    found: str
    expected: str


class Difference(NamedTuple):
    """What an answer says (`found`) where the reference says something else (`expected`)."""

    kind: str
    found: str
    expected: str
