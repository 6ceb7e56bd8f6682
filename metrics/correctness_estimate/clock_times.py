"""Times of day: the half of the day that a time is in, and time zones."""

from .quantities import EITHER_HALF, Quantity

NOON = 720.0  # minutes
# Words of time zones, which do not change what a time is.
TIME_ZONES = frozenset(
    "local time utc gmt est edt cst cdt mst mdt pst pdt cet cest bst ist jst eet msk eastern "
    "central pacific mountain standard daylight greenwich mean uhr".split()
)


def is_other_half(one: Quantity, other: Quantity) -> bool:
    """Return whether two times of day are of different halves: 05:20 and 17:20, 12:00, midnight.

    A time without am or pm may be of either half, but a zero before the hour says the first one,
    and 12:00 is noon beside midnight.
    """
    if one.dimension != "clock" or other.dimension != "clock":
        return False
    early, late = sorted((one, other), key=lambda time: time.value[0] or 0.0)
    if (late.value[0] or 0.0) - (early.value[0] or 0.0) != NOON:
        return False
    if early.unit == EITHER_HALF:
        return early.text.startswith("0")
    return late.unit == EITHER_HALF and late.text.strip() == "12:00"
