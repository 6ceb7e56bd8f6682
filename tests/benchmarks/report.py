"""The tables of `make bench`, in Markdown, and their place in the README."""

import math
import re
from typing import Any

from tests.benchmarks.measuring import AT_MOST
from tests.support.judges import JUDGES

Results = dict[str, Any]
ROWS, CORES = 100_000_000, 100
TITLES = ("what", "against", "target", "reached", "from, to", "ours", "theirs", "scores")
COMMAND = "python -m tests.benchmarks.speed --readme"
# From so many seconds on, a unit and its seconds.
UNITS = (
    (2 * 86_400.0, 86_400.0, "days"),
    (2 * 3_600.0, 3_600.0, "hours"),
    (120.0, 60.0, "minutes"),
    (1.0, 1.0, "s"),
    (1e-3, 1e-3, "ms"),
    (1e-6, 1e-6, "µs"),
)
# Decimals of a figure where the size of the number alone does not say enough.
DECIMALS = {"s a row": 3, "times its time": 2}


def duration(value: float) -> str:
    """Return a time in the largest unit of which there is enough.

    >>> duration(0.0000254), duration(0.2601), duration(2.04), duration(7_000), duration(190_000)
    ('25 µs', '260 ms', '2.0 s', '117 minutes', '2.2 days')
    """
    _, size, unit = next((one for one in UNITS if value >= one[0]), UNITS[-1])
    return f"{value / size:.{1 if value / size < 9.95 else 0}f} {unit}"


def number(value: float, kind: str) -> str:
    """Return a figure of the table."""
    return f"{value:.{DECIMALS.get(kind, 1 if abs(value) < 100 else 0)}f}"


def missed(case: dict[str, Any]) -> bool:
    """Return whether a case has a target and does not reach it."""
    if case["target"] is None:
        return False
    return bool(case["value"] > case["target"] if case["kind"] in AT_MOST else case["value"] < case["target"])


def scores(case: dict[str, Any]) -> str:
    """Return how the scores of both compare."""
    if "difference" not in case:
        return ""
    same = f"within {case['tolerance']:g}" if case["tolerance"] else "equal"
    return "**differ**" if case["difference"] else same


def cells(case: dict[str, Any]) -> list[str]:
    """Return one row of the table."""
    kind, target = case["kind"], case["target"]
    bound = "" if target is None else f"{'at most ' if kind in AT_MOST else ''}{target:g} {kind}"
    about = [case["what"], case["against"] or "–", bound]
    if "missing" in case:
        return [*about, f"not measured: {case['missing']}", "", duration(case["ours"]), "", ""]
    value = f"{number(case['value'], kind)} {kind}" + (", missed" if missed(case) else "")
    spread = f"{number(case['low'], kind)} – {number(case['high'], kind)}"
    theirs = duration(case["theirs"]) if "theirs" in case else ""
    return [*about, value, spread, duration(case["ours"]), theirs, scores(case)]


def markdown(titles: tuple[str, ...], rows: list[list[str]]) -> str:
    """Return a table."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(titles)} |", "|" + "---|" * len(titles), *lines])


def speed_table(results: Results) -> str:
    """Return the table of all cases, and a sentence on where and how they were measured."""
    cases, about = results["cases"].values(), results["machine"]
    table = markdown(TITLES, [cells(case) for case in cases])
    times = " or ".join(map(str, sorted({case["repeats"] for case in cases})))
    return f"{table}\n\nMedians of {times} repeats on a machine of {about['cores']} cores, Python {about['python']}."


def rates_table(results: Results) -> str:
    """Return the table of rows per second and core, and what so many rows take on so many cores."""
    kinds = list(dict.fromkeys(kind for rate in results["rates"].values() for kind in rate["per_second"]))
    rows = []
    for name, rate in sorted(results["rates"].items()):
        found = rate["per_second"]
        figures = [f"{short(found[kind]):,}" if kind in found else "–" for kind in kinds]
        rows.append([f"`{name}`", *figures, "what the provider allows" if name in JUDGES else total(found)])
    long = f"{ROWS:,} rows on {CORES} cores".replace(",000,000", " million")
    return markdown(("module", *kinds, f"{long}, English, 100 words"), rows)


def short(rate: float) -> float | int:
    """Return a rate with three digits.

    >>> short(12345.6), short(17.27)
    (12300, 17.3)
    """
    digits = 2 - math.floor(math.log10(rate))
    return round(rate, digits) if digits > 0 else int(round(rate, digits))


def total(per_second: dict[str, float]) -> str:
    """Return what ROWS rows take on CORES cores."""
    rate = per_second.get("English, 100 words")
    return duration(ROWS / (short(rate) * CORES)) if rate else "–"


def printed(results: Results) -> str:
    """Return both tables as far as there are figures."""
    speeds = [speed_table(results)] if results["cases"] else []
    return "\n\n".join(speeds + ([f"Rows per second and core:\n\n{rates_table(results)}"] if results["rates"] else []))


def placed(page: str, name: str, text: str, command: str = COMMAND) -> str:
    """Return a page with a text in its place, between the marks that name it; ValueError where it has no such place."""
    begin, end = f"<!-- {name}: written by `{command}` -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.S)
    if len(pattern.findall(page)) != 1:
        raise ValueError(f"the page has no place for {name!r}: {begin} ... {end}")
    return pattern.sub(lambda _: f"{begin}\n\n{text}\n\n{end}", page)


def with_tables(readme: str, results: Results) -> str:
    """Return the README with both tables as the results have them; raise ValueError where their place is missing."""
    return placed(placed(readme, "speed", speed_table(results)), "rows per second", rates_table(results))
