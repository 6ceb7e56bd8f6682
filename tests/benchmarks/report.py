"""The tables of `make bench`, in Markdown, and their place in the README."""

import math
import re
from typing import Any

from tests.benchmarks.cases import AT_MOST
from tests.support.judges import JUDGES

Results = dict[str, Any]
ROWS, CORES = 100_000_000, 100
TITLES = ("what", "against", "target", "reached", "from, to", "ours", "theirs", "scores")
BEGIN, END = "<!-- {}: written by `{}` -->", "<!-- end of {} -->"
COMMAND = "python -m tests.benchmarks.speed --readme"
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
SPANS = ((2 * 86_400.0, 86_400.0, "days"), (2 * 3_600.0, 3_600.0, "hours"), (120.0, 60.0, "minutes"))


def seconds(value: float | None) -> str:
    """Return a short time with its unit.

    >>> seconds(0.0000254), seconds(2.04), seconds(0.2601), seconds(None)
    ('25 µs', '2.0 s', '260 ms', '')
    """
    if value is None:
        return ""
    size, unit = next((pair for pair in UNITS if value >= pair[0]), UNITS[-1])
    return f"{value / size:.{1 if value / size < 9.95 else 0}f} {unit}"


def span(value: float) -> str:
    """Return a long time in the largest unit of which there are two.

    >>> span(50.2), span(7_000), span(9_000), span(190_000)
    ('50 seconds', '117 minutes', '2.5 hours', '2.2 days')
    """
    for least, size, unit in SPANS:
        if value >= least:
            return f"{value / size:.{1 if value / size < 9.95 else 0}f} {unit}"
    return f"{max(1, round(value))} seconds"


def number(value: float, kind: str) -> str:
    """Return a figure of the table: two decimals where a target is near 1, else as many as tell."""
    if kind == "s a row":
        return f"{value:.3f}"
    if kind == "times its time":
        return f"{value:.2f}"
    return f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"


def reached(line: dict[str, Any]) -> bool | None:
    """Return whether a line reaches its target; None where it has none, or was not measured."""
    if line.get("target") is None or "value" not in line:
        return None
    near = line["value"] <= line["target"] if line["kind"] in AT_MOST else line["value"] >= line["target"]
    return bool(near) and not line.get("heavy")


def scores(line: dict[str, Any]) -> str:
    """Return how the scores of both compare."""
    if "equal" not in line:
        return ""
    if not line["equal"]:
        return "**differ**"
    return f"within {line['tolerance']:g}" if line["tolerance"] else "equal"


def cells(case: dict[str, Any], line: dict[str, Any]) -> list[str]:
    """Return one row of the table."""
    kind, target = line["kind"], line["target"]
    bound = "" if target is None else f"{'at most ' if kind in AT_MOST else ''}{target:g} {kind}"
    about = [case["what"], line["against"] or "–", bound]
    if "missing" in line:
        return [*about, f"not measured: {line['missing']}", "", seconds(line["ours"]), "", ""]
    value = f"{number(line['value'], kind)} {kind}" + (", missed" if reached(line) is False else "")
    value += f" (imports {', '.join(line['heavy'])})" if line.get("heavy") else ""
    spread = f"{number(line['low'], kind)} – {number(line['high'], kind)}"
    return [*about, value, spread, seconds(line["ours"]), seconds(line.get("theirs")), scores(line)]


def markdown(titles: tuple[str, ...], rows: list[list[str]]) -> str:
    """Return a table."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(titles)} |", "|" + "---|" * len(titles), *lines])


def speed_table(results: Results) -> str:
    """Return the table of all cases."""
    cases = results["cases"].values()
    return markdown(TITLES, [cells(case, line) for case in cases for line in case["lines"]])


def machine(results: Results) -> str:
    """Return a sentence on where and how the figures were measured."""
    about, repeats = results["machine"], {case["repeats"] for case in results["cases"].values()}
    times = " or ".join(map(str, sorted(repeats)))
    return f"Medians of {times} repeats on a machine of {about['cores']} cores, Python {about['python']}."


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
    return span(ROWS / (short(rate) * CORES)) if rate else "–"


def placed(page: str, name: str, text: str, command: str = COMMAND) -> str:
    """Return a page with a text in its place, between the marks that name it; ValueError where it has no such place."""
    begin, end = BEGIN.format(name, command), END.format(name)
    pattern = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.S)
    if len(pattern.findall(page)) != 1:
        raise ValueError(f"the page has no place for {name!r}: {begin} ... {end}")
    return pattern.sub(lambda _: f"{begin}\n\n{text}\n\n{end}", page)


def with_tables(readme: str, results: Results) -> str:
    """Return the README with both tables as the results have them; raise ValueError where their place is missing."""
    readme = placed(readme, "speed", f"{speed_table(results)}\n\n{machine(results)}")
    return placed(readme, "rows per second", rates_table(results))
