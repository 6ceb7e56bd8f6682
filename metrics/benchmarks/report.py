"""The tables of `make bench`, in Markdown, and their place in the README."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from metrics.benchmarks.cases import CASES, KINDS_OF_TEXT, Case
from tests.support.judges import JUDGES

Results = dict[str, Any]
ROWS = 100_000_000
CORES = 100
TITLES = ("what", "against", "target", "reached", "from, to", "ours", "theirs", "scores")
# The seconds of each unit, and the least number of units with which it is used.
UNITS = {
    "days": (86_400, 2),
    "hours": (3_600, 2),
    "minutes": (60, 2),
    "s": (1, 1),
    "ms": (1e-3, 1),
    "µs": (1e-6, 0),
}
# Decimals for the kinds of figures that need more than the usual ones.
DECIMALS = {"s a row": 3, "times its time": 2}


def format_duration(value: float) -> str:
    """Return a time in the largest suitable unit.

    >>> [format_duration(seconds) for seconds in (0.0000254, 0.2601, 2.04, 7_000, 190_000)]
    ['25 µs', '260 ms', '2.0 s', '117 minutes', '2.2 days']
    """
    large_enough = [unit for unit, (size, least) in UNITS.items() if value >= least * size]
    unit = large_enough[0]
    size, _ = UNITS[unit]
    decimals = 1 if value / size < 9.95 else 0
    return f"{value / size:.{decimals}f} {unit}"


def format_case(case: Case, figures: dict[str, Any]) -> list[str]:
    """Return one row of the table of all cases."""
    is_upper_bound = case.kind != "times faster"
    bound = ""
    if case.target is not None:
        bound = f"{'at most ' if is_upper_bound else ''}{case.target:g} {case.kind}"
    peer = case.peer.name if case.peer else "–"
    ours = format_duration(figures["ours"])
    if "value" not in figures:
        return [case.title, peer, bound, "not measured: needs --lveval", "", ours, "", ""]
    value, low, high = (format_number(case, figures[name]) for name in ("value", "low", "high"))
    reached = f"{value} {case.kind}"
    if is_missed(case, figures["value"]):
        reached += ", missed"
    theirs = format_duration(figures["theirs"]) if "theirs" in figures else ""
    return [
        case.title,
        peer,
        bound,
        reached,
        f"{low} – {high}",
        ours,
        theirs,
        describe_equality(case, figures),
    ]


def format_number(case: Case, value: float) -> str:
    """Return a figure of a case with its decimals."""
    usual = 1 if abs(value) < 100 else 0
    return f"{value:.{DECIMALS.get(case.kind, usual)}f}"


def is_missed(case: Case, value: float) -> bool:
    """Return whether a figure misses the target of its case."""
    if case.target is None:
        return False
    if case.kind == "times faster":
        return value < case.target
    return value > case.target


def describe_equality(case: Case, figures: dict[str, Any]) -> str:
    """Return words that say if the peer's scores equal ours; "" if they were not compared."""
    if "equal" not in figures:
        return ""
    if not figures["equal"]:
        return "**differ**"
    tolerance = case.peer.tolerance if case.peer else 0
    return f"within {tolerance:g}" if tolerance else "equal"


def format_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [f"| {' | '.join(row)} |" for row in (titles, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(titles), *lines[1:]])


def format_speed(results: Results) -> str:
    """Return the table of all cases, and a sentence on the machine and the repeats."""
    rows = []
    for name, case in CASES.items():
        if name in results["cases"]:
            rows.append(format_case(case, results["cases"][name]))
    machine = results["machine"]
    conditions = (
        f"Medians of 5 repeats on a machine of {machine['cores']} cores, Python "
        f"{machine['python']}."
    )
    return f"{format_table(TITLES, rows)}\n\n{conditions}"


def format_rates(results: Results) -> str:
    """Return the table of rows per second and core, with the time of ROWS rows on CORES cores."""
    rows = []
    for name, rates in sorted(results["rates"].items()):
        row = [f"`{name}`"]
        for kind in KINDS_OF_TEXT:
            row.append(f"{round_rate(rates[kind]):,}" if kind in rates else "–")
        total = format_duration(ROWS / (round_rate(rates["English, 100 words"]) * CORES))
        row.append("what the provider allows" if name in JUDGES else total)
        rows.append(row)
    long = f"{ROWS:,} rows on {CORES} cores".replace(",000,000", " million")
    return format_table(("module", *KINDS_OF_TEXT, f"{long}, English, 100 words"), rows)


def round_rate(rate: float) -> float | int:
    """Return a rate rounded to three digits; a whole number from 100 on.

    >>> round_rate(12345.6), round_rate(17.27)
    (12300, 17.3)
    """
    rate = float(f"{rate:.3g}")
    return int(rate) if rate >= 100 else rate


def replace_section(
    page: str,
    name: str,
    text: str,
    command: str = "make bench",
) -> str:
    """Return a page with a text between the marks of a section.

    Raises:
        ValueError: the page does not have these marks exactly once.
    """
    begin, end = f"<!-- {name}: written by `{command}` -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.S)
    if len(pattern.findall(page)) != 1:
        raise ValueError(f"the page has no place for {name!r}: {begin} ... {end}")
    return pattern.sub(lambda _: f"{begin}\n\n{text}\n\n{end}", page)


def write_section(path: Path, name: str, text: str, command: str) -> None:
    """Write a text between the marks of a section of a page's file.

    Raises:
        ValueError: the page does not have these marks exactly once.
    """
    page = replace_section(path.read_text("utf-8"), name, text, command)
    path.write_text(page, "utf-8", newline="\n")


def fill_tables(readme: str, results: Results) -> str:
    """Return the README with both tables filled from the results.

    Raises:
        ValueError: the README lacks the marks of a table.
    """
    readme = replace_section(readme, "speed", format_speed(results))
    return replace_section(readme, "rows per second", format_rates(results))
