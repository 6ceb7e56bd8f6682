"""A run beside the published results, as HTML: the overall averages by length, and dataset by dataset.

Like is compared with like: where a run lacks datasets or lengths, the averages of the models are over the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from lens.lv_eval.export import figure
from lens.lv_eval.official_result import Official
from lens.lv_eval.published import AVERAGES, COMMIT, MODELS, OVERALL, PUBLISHED, SOURCE
from lens.lv_eval.tasks import DATASETS, LENGTHS
from lens.page.html import escape
from lens.words import say

EVERY = "every"

Figures = Sequence[float | None]


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    found = list(values)
    return fmean(found) if found else None


def model_average(model: str, found: Official, length: str) -> float | None:
    """A model's average at a length: the published one, or where the run lacks datasets there, that over the same."""
    scores = PUBLISHED[model]
    datasets = [name for name in DATASETS if found.score(name, length) is not None]
    return OVERALL[model][length] if len(datasets) == len(DATASETS) else mean(scores[name][length] for name in datasets)


def model_mean(model: str, found: Official) -> float | None:
    """A model's average over the datasets and lengths that the run has."""
    if found.complete:
        return fmean(OVERALL[model].values())
    return mean(PUBLISHED[model][name][length] for name, length in found.scores)


def dataset_average(model: str, found: Official, name: str) -> float | None:
    """A model's average on a dataset: the published one, or where the run lacks lengths there, that over the same."""
    lengths = [length for length in LENGTHS if found.score(name, length) is not None]
    if len(lengths) in (0, len(LENGTHS)):
        return AVERAGES[model][name]
    return mean(PUBLISHED[model][name][length] for length in lengths)


def standings(found: Official, own: str) -> list[tuple[str, Figures]]:
    """The run and the ten models with their averages by length and the average of all, best first."""
    rows: list[tuple[str, Figures]] = [
        (own, [*(found.average(lengths=(length,)) for length in LENGTHS), found.average()])
    ]
    for model in MODELS:
        rows.append((model, [*(model_average(model, found, length) for length in LENGTHS), model_mean(model, found)]))
    return sorted(rows, key=lambda row: row[1][-1] or 0.0, reverse=True)


def draw_published(found: Official, made_up: bool) -> str:
    """The section of the published results."""
    own = say("lv_yours_example" if made_up else "lv_yours")
    source = say("lv_published_info", source=escape(SOURCE), commit=COMMIT[:7])
    same = "" if found.complete else f'<p class="al-detail">{say("lv_published_same")}</p>'
    head = [say("lv_model"), *LENGTHS, say("lv_average")]
    rows = [table_row(name, map(figure, figures), name == own) for name, figures in standings(found, own)]
    return (
        f'<section class="al-overview" aria-labelledby="lv-published"><h2 id="lv-published">{say("lv_published")}</h2>'
        f'<p class="al-detail lv-source">{source}</p>{same}<h3 class="al-small">{say("lv_overall_table")}</h3>'
        f"{table(say('lv_overall_table'), head, rows)}{draw_comparison(found, own)}</section>"
    )


def draw_comparison(found: Official, own: str) -> str:
    """The choice of a model, and the tables of which the chosen one is shown."""
    choices = [(EVERY, say("lv_every_model")), *((model, model) for model in MODELS)]
    options = "".join(f'<option value="{escape(value)}">{escape(shown)}</option>' for value, shown in choices)
    every = f'<p class="al-detail">{say("lv_beside_all")}</p>{draw_every(found, own)}'
    parts = f'<div class="lv-compared" data-model="{EVERY}">{every}</div>'
    for model in MODELS:
        beside = f'<p class="al-detail">{say("lv_beside")}</p>{draw_beside(found, model)}'
        parts += f'<div class="lv-compared" data-model="{escape(model)}" hidden>{beside}</div>'
    return (
        f'<p class="lv-choose"><label for="lv-model">{say("lv_compare")}</label> '
        f'<select id="lv-model" class="lv-model">{options}</select></p>{parts}'
    )


def draw_every(found: Official, own: str) -> str:
    """The run and all models: a row each, a column for each dataset."""
    rows = [table_row(own, (figure(found.average((name,))) for name in DATASETS), True)]
    for model in MODELS:
        rows.append(table_row(model, (figure(dataset_average(model, found, name)) for name in DATASETS)))
    return table(say("lv_with_all"), [say("lv_model"), *DATASETS], rows)


def draw_beside(found: Official, model: str) -> str:
    """The run and one model: a row for each dataset, both scores in each cell."""
    rows = []
    for name in DATASETS:
        pairs = [(found.score(name, length), PUBLISHED[model][name][length]) for length in LENGTHS]
        pairs.append((found.average((name,)), dataset_average(model, found, name) or 0.0))
        cells = "".join(
            f'<td><b>{figure(ours)}</b> <span class="lv-other">{figure(theirs)}</span></td>' for ours, theirs in pairs
        )
        rows.append(f'<tr><th scope="row">{breakable(name)}</th>{cells}</tr>')
    return table(say("lv_with_model", model=model), [say("lv_dataset"), *LENGTHS, say("lv_average")], rows)


def breakable(name: str) -> str:
    """A name that may be broken after an underscore."""
    return escape(name).replace("_", "_<wbr>")


def table_row(name: str, cells: Iterable[str], own: bool = False) -> str:
    """A row of a table; the visitor's own is marked."""
    drawn = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr{" class=lv-own" if own else ""}><th scope="row">{breakable(name)}</th>{drawn}</tr>'


def table(label: str, head: Sequence[str], rows: Iterable[str]) -> str:
    """A table that scrolls in its own box where it is wider than the page."""
    titles = "".join(f'<th scope="col">{breakable(title)}</th>' for title in head)
    return (
        f'<div class="al-scroll" role="region" tabindex="0" aria-label="{escape(label)}">'
        f'<table class="al-table lv-table"><thead><tr>{titles}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
