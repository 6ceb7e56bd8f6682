"""The tables of `make bench`, in Markdown, and their place in the README."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from metrics.benchmarks.cases import CASES, KINDS_OF_TEXT, Case
from tests.support.judges import JUDGES

Results = dict[str, Any]
ROWS, CORES = 100_000_000, 100
TITLES = ("what", "against", "target", "reached", "from, to", "ours", "theirs", "scores")
# The seconds of a unit, and how many of it there are at least.
UNITS = {"days": (86_400, 2), "hours": (3_600, 2), "minutes": (60, 2), "s": (1, 1), "ms": (1e-3, 1), "µs": (1e-6, 0)}
# Decimals of a figure where the size of the number alone does not say enough.
DECIMALS = {"s a row": 3, "times its time": 2}


def duration(value: float) -> str:
    """Return a time in the largest unit of which there is enough.

    >>> duration(0.0000254), duration(0.2601), duration(2.04), duration(7_000), duration(190_000)
    ('25 µs', '260 ms', '2.0 s', '117 minutes', '2.2 days')
    """
    unit, size = next((unit, size) for unit, (size, least) in UNITS.items() if value >= least * size)
    return f"{value / size:.{1 if value / size < 9.95 else 0}f} {unit}"


def cells(case: Case, found: dict[str, Any]) -> list[str]:
    """Return one row of the table of all cases."""

    def number(name: str) -> str:
        return f"{found[name]:.{DECIMALS.get(case.kind, 1 if abs(found[name]) < 100 else 0)}f}"

    at_most = case.kind != "times faster"
    bound = "" if case.target is None else f"{'at most ' * at_most}{case.target:g} {case.kind}"
    about = [case.what, case.peer.name if case.peer else "–", bound]
    if "value" not in found:
        return [*about, "not measured: needs --lveval", "", duration(found["ours"]), "", ""]
    missed = case.target is not None and (found["value"] > case.target if at_most else found["value"] < case.target)
    value = f"{number('value')} {case.kind}{', missed' * missed}"
    theirs = duration(found["theirs"]) if "theirs" in found else ""
    same = f"within {case.peer.tolerance:g}" if case.peer and case.peer.tolerance else "equal"
    scores = "" if "equal" not in found else same if found["equal"] else "**differ**"
    return [*about, value, f"{number('low')} – {number('high')}", duration(found["ours"]), theirs, scores]


def markdown(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [f"| {' | '.join(row)} |" for row in (titles, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(titles), *lines[1:]])


def speed_table(results: Results) -> str:
    """Return the table of all cases, and a sentence on where and how they were measured."""
    cases, about = results["cases"], results["machine"]
    table = markdown(TITLES, [cells(case, cases[name]) for name, case in CASES.items() if name in cases])
    return f"{table}\n\nMedians of 5 repeats on a machine of {about['cores']} cores, Python {about['python']}."


def rates_table(results: Results) -> str:
    """Return the table of rows per second and core, and what so many rows take on so many cores."""
    rows = []
    for name, rates in sorted(results["rates"].items()):
        figures = [f"{short(rates[kind]):,}" if kind in rates else "–" for kind in KINDS_OF_TEXT]
        total = duration(ROWS / (short(rates["English, 100 words"]) * CORES))
        rows.append([f"`{name}`", *figures, "what the provider allows" if name in JUDGES else total])
    long = f"{ROWS:,} rows on {CORES} cores".replace(",000,000", " million")
    return markdown(("module", *KINDS_OF_TEXT, f"{long}, English, 100 words"), rows)


def short(rate: float) -> float | int:
    """Return a rate with three digits.

    >>> short(12345.6), short(17.27)
    (12300, 17.3)
    """
    rate = float(f"{rate:.3g}")
    return int(rate) if rate >= 100 else rate


def placed(page: str, name: str, text: str, command: str = "make bench") -> str:
    """Return a page with a text in its place, between the marks that name it; ValueError where it has no such place."""
    begin, end = f"<!-- {name}: written by `{command}` -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.S)
    if len(pattern.findall(page)) != 1:
        raise ValueError(f"the page has no place for {name!r}: {begin} ... {end}")
    return pattern.sub(lambda _: f"{begin}\n\n{text}\n\n{end}", page)


def with_tables(readme: str, results: Results) -> str:
    """Return the README with both tables as the results have them; raise ValueError where their place is missing."""
    return placed(placed(readme, "speed", speed_table(results)), "rows per second", rates_table(results))
