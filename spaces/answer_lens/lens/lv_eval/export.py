"""The official LV-Eval result as files: result.json and result.csv as the original writes them, byte for byte, and the
table of a paper in Markdown and LaTeX, and for the terminal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas

from lens.lv_eval.official_result import Official
from lens.lv_eval.tasks import DATASETS, LENGTHS, MULTI_HOP, SINGLE_HOP
from lens.reports.latex import code_in_latex, in_latex
from lens.words import say

DASH = "–"


@dataclass(frozen=True)
class Line:
    """A line of the table: what it is called, and as text its figures at the five lengths and their average.

    `group` is "single", "multi" or "all"; `average` says that the line averages over datasets.
    """

    name: str
    group: str
    average: bool
    cells: Sequence[str]


def lines(found: Official) -> Iterator[Line]:
    """The lines of the table: the single-hop datasets and their average, the multi-hop ones, the average of all."""
    for group, datasets in (("single", SINGLE_HOP), ("multi", MULTI_HOP), ("all", DATASETS)):
        for name in datasets if group != "all" else ():
            scores = [*(found.score(name, length) for length in LENGTHS), found.average((name,))]
            yield Line(name, group, False, [figure(score) for score in scores])
        averages = [*(found.average(datasets, (length,)) for length in LENGTHS), found.average(datasets)]
        yield Line(say(f"lv_average_{group}"), group, True, [figure(average) for average in averages])


def figure(value: float | None) -> str:
    """A percentage with the two digits that the original gives; a dash for none.

    >>> figure(12.5), figure(0.0), figure(None)
    ('12.50', '0.00', '–')
    """
    return DASH if value is None else f"{value:.2f}"


def head() -> list[str]:
    """The titles of the columns."""
    return [say("lv_dataset"), *LENGTHS, say("lv_average")]


def result_json(found: Official) -> str:
    """result.json: the scores by dataset and length, in the order of the files."""
    return json.dumps({key: found.scores[cell] for cell, key in found.keys.items()}, ensure_ascii=False, indent=4)


def result_csv(found: Official) -> str:
    """result.csv: a row for each dataset, a column for each length, both in the order of their first file."""
    datasets = dict.fromkeys(dataset for dataset, _ in found.scores)
    lengths = dict.fromkeys(length for _, length in found.scores)
    rows = [["dataset_name", *lengths]]
    for name in datasets:
        cells = [found.score(name, length) for length in lengths]
        rows.append([name, *("" if cell is None else repr(cell) for cell in cells)])
    return "".join(",".join(row) + "\n" for row in rows)


def markdown(found: Official) -> str:
    """The table in Markdown, with what it rests on and the signatures."""
    rows = [head(), ["---", *["---:"] * (len(LENGTHS) + 1)]]
    for line in lines(found):
        cells = [line.name, *line.cells]
        rows.append([f"**{cell}**" for cell in cells] if line.average else cells)
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    signatures = "\n".join(f"- `{signature}`" for signature in found.signed)
    return f"{table}\n\n{found.coverage()}\n\n{say('lv_signatures')}\n\n{signatures}\n"


def latex(found: Official) -> str:
    """The table in LaTeX (booktabs), with what it rests on and the signatures."""
    body = []
    for line in lines(found):
        cells = [in_latex(cell) for cell in (line.name, *line.cells)]
        body.append(" & ".join(rf"\textbf{{{cell}}}" for cell in cells) if line.average else " & ".join(cells))
        body[-1] += r" \\"
        if line.average and line.group != "all":
            body.append(r"\midrule")
    table = [
        r"% \usepackage{booktabs}",
        r"\begin{table}[htbp]",
        r"\centering",
        rf"\caption{{{in_latex(say('lv_caption'))} {in_latex(found.coverage())}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(LENGTHS) + 1)}}}",
        r"\toprule",
        " & ".join(map(in_latex, head())) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\medskip\footnotesize\raggedright",
        *(rf"{code_in_latex(signature)}\par" for signature in found.signed),
        r"\end{table}",
    ]
    return "\n".join(table) + "\n"


def plain(found: Official) -> str:
    """The table for the terminal, with what it rests on and the signatures."""
    told = list(lines(found))
    first, *others = head()
    table = pandas.DataFrame([line.cells for line in told], [line.name for line in told], others)
    with pandas.option_context("display.unicode.east_asian_width", True):
        drawn = table.rename_axis(columns=first).to_string()
    return "\n".join([drawn, "", found.coverage(), "", say("lv_signatures"), *found.signed, ""])
