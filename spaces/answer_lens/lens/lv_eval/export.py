"""The official LV-Eval result as files: result.json and result.csv as the original writes them, byte for byte, and the
table of a paper in Markdown and LaTeX, and for the terminal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.lv_eval.tasks import DATASETS, LENGTHS, MULTI_HOP, SINGLE_HOP
from lens.reports.contents import DASH
from lens.reports.formats import width
from lens.reports.latex import code_in_latex, in_latex
from lens.words import say, sentences

if TYPE_CHECKING:
    from lens.lv_eval.official_result import Official


@dataclass(frozen=True)
class Line:
    """A line of the table: what it is called, its figures at the five lengths, and their average.

    `group` is "single", "multi" or "all"; `average` says that the line averages over datasets.
    """

    name: str
    group: str
    average: bool
    figures: Sequence[float | None]
    mean: float | None


def lines(found: Official) -> Iterator[Line]:
    """The lines of the table: the single-hop datasets and their average, the multi-hop ones, the average of all."""
    for group, datasets in (("single", SINGLE_HOP), ("multi", MULTI_HOP), ("all", DATASETS)):
        for name in datasets if group != "all" else ():
            scores = [found.score(name, length) for length in LENGTHS]
            yield Line(name, group, False, scores, found.average((name,)))
        averages = [found.average(datasets, (length,)) for length in LENGTHS]
        yield Line(say(f"lv_average_{group}"), group, True, averages, found.average(datasets))


def figure(value: float | None) -> str:
    """A percentage with the two digits that the original gives; a dash for none.

    >>> figure(12.5), figure(0.0), figure(None)
    ('12.50', '0.00', '–')
    """
    return DASH if value is None else f"{value:.2f}"


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


def cells_of(line: Line) -> list[str]:
    """The figures of a line as text."""
    return [figure(value) for value in (*line.figures, line.mean)]


def head() -> list[str]:
    """The titles of the columns."""
    return [say("lv_dataset"), *LENGTHS, say("lv_average")]


def signed(found: Official) -> list[str]:
    """The signatures of the metrics, each once."""
    return list(dict.fromkeys(found.signatures.values()))


def markdown(found: Official) -> str:
    """The table in Markdown, with what it rests on and the signatures."""
    rows = [head(), ["---", *["---:"] * (len(LENGTHS) + 1)]]
    for line in lines(found):
        cells = [line.name, *cells_of(line)]
        rows.append([f"**{cell}**" for cell in cells] if line.average else cells)
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    signatures = "\n".join(f"- `{signature}`" for signature in signed(found))
    return f"{table}\n\n{coverage(found)}\n\n{say('lv_signatures')}\n\n{signatures}\n"


def coverage(found: Official) -> str:
    """How much of LV-Eval is there, in words."""
    count, total = len(found.scores), len(DATASETS) * len(LENGTHS)
    told = [say("lv_complete") if found.complete else say("lv_incomplete", count=count, total=total)]
    if found.partial:
        told.append(say("lv_partial", count=len(found.partial)))
    return sentences(*told)


def latex(found: Official) -> str:
    """The table in LaTeX (booktabs), with what it rests on and the signatures."""
    body = []
    for line in lines(found):
        cells = [in_latex(cell) for cell in (line.name, *cells_of(line))]
        body.append(" & ".join(rf"\textbf{{{cell}}}" for cell in cells) if line.average else " & ".join(cells))
        body[-1] += r" \\"
        if line.average and line.group != "all":
            body.append(r"\midrule")
    table = [
        r"% \usepackage{booktabs}",
        r"\begin{table}[htbp]",
        r"\centering",
        rf"\caption{{{in_latex(say('lv_caption'))} {in_latex(coverage(found))}}}",
        rf"\begin{{tabular}}{{l{'r' * (len(LENGTHS) + 1)}}}",
        r"\toprule",
        " & ".join(map(in_latex, head())) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\medskip\footnotesize\raggedright",
        *(rf"{code_in_latex(signature)}\par" for signature in signed(found)),
        r"\end{table}",
    ]
    return "\n".join(table) + "\n"


def plain(found: Official) -> str:
    """The table for the terminal, with what it rests on and the signatures."""
    rows = [head(), *([line.name, *cells_of(line)] for line in lines(found))]
    first = max(width(row[0]) for row in rows)
    others = max(width(cell) for row in rows for cell in row[1:])
    drawn = []
    for name, *cells in rows:
        aligned = (" " * (others - width(cell)) + cell for cell in cells)
        drawn.append(f"{name}{' ' * (first - width(name))}  {'  '.join(aligned)}")
    return "\n".join([*drawn, "", coverage(found), "", say("lv_signatures"), *signed(found), ""])
