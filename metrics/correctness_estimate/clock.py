"""Times of day in minutes: 7:30 am, half past seven, 15:00, 20 Uhr, 下午三点."""

import re

from .lexicon import NUMBER_WORDS

from .quantity_patterns import HAN_PARTS_OF_DAY

# "half past seven", "twenty-five minutes to 9".
MINUTES_BESIDE_HOUR = re.compile(
    r"(?:a )?(?P<minutes>\w+(?:[ -]five)?)(?: minutes?)? (?P<side>past|to) (?P<hour>\w+)"
)
HOUR_AND_MINUTE = re.compile(
    r"(?P<hour>\d+|[a-z]+)(?:[:.点时](?P<minute>\d{1,2}|半|[13一三]刻)?)?(?::(?P<second>\d\d))?"
)
MINUTE_WORDS = {
    "half": 30,
    "quarter": 15,
    "twenty-five": 25,
    "半": 30,
    "1刻": 15,
    "3刻": 45,
    "一刻": 15,
    "三刻": 45,
}
NOON, HALF_A_DAY = 12, 720.0  # hours, minutes


def read_clock(match: re.Match[str]) -> tuple[float, str]:
    """Return a time of day in minutes; and "a" before noon, "p" after it, "" where the half is not
    said.
    """
    clock = re.sub(r"\s", " ", match["clock"].lower())
    if clock.endswith(("noon", "midday", "midnight")):
        return (0.0 if "midnight" in clock else 60.0 * NOON), "p"
    beside = MINUTES_BESIDE_HOUR.match(clock)
    minutes = 0.0
    if beside:
        hour = read_hour(beside["hour"])
        minutes = read_minutes(beside["minutes"]) * (1 if beside["side"] == "past" else -1)
    else:
        parts = HOUR_AND_MINUTE.match(clock)
        hour = read_hour(parts["hour"]) if parts else 0
        minutes = (
            read_minutes(parts["minute"] or "0") + int(parts["second"] or 0) / 60 if parts else 0
        )
    half = read_half_of_day(clock, match.string[max(0, match.start() - 2) : match.start()], hour)
    if half:
        hour = hour % NOON + NOON * (half == "p")
    return 60.0 * hour + minutes, half


def read_hour(word: str) -> int:
    """Return an hour in digits or words."""
    return int(word) if word.isdigit() else int(NUMBER_WORDS[word])


def read_minutes(word: str) -> int:
    """Return minutes in digits or words: half, quarter, twenty five."""
    if word.isdigit():
        return int(word)
    return int(MINUTE_WORDS.get(word.replace(" ", "-")) or NUMBER_WORDS[word])


def read_half_of_day(clock: str, before: str, hour: int) -> str:
    """Return "a" for a time before noon, "p" for one after it, "" where it is not said."""
    if hour > NOON:
        return ""
    if before in HAN_PARTS_OF_DAY:
        is_noon = before == "中午" and hour < NOON - 1
        return "p" if before in ("下午", "晚上", "傍晚", "夜里") or is_noon or hour == NOON else "a"
    if clock.endswith("night"):
        return "p" if 6 <= hour < NOON else "a"
    if "uhr " in clock:
        return "a" if clock.endswith(("morgens", "vormittags")) else "p"
    mark = re.search(r"(morning|[ap])\.?m?\.?$|(afternoon|evening)$", clock)
    if not mark:
        return ""
    return "a" if (mark[1] or "p")[0] in "am" else "p"
