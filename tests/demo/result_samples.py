"""Made-up results of a study, for tests of its reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.study import result_columns as columns
from lens.study.result_columns import make_frame
from lens.study.results import Results
from lens.words.notes import Note

Figure = Mapping[str, Any]
Row = dict[str, Any]


@dataclass(frozen=True)
class SampleSystem:
    """A system and its results."""

    name: str
    figures: Sequence[Figure] = ()
    rows: int = 20
    groups: Mapping[str, Sequence[Figure]] = field(default_factory=dict)
    group_column: str = ""
    corpus_bleu: float | None = None
    costs: Mapping[str, float | None] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    stopped: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()


def make_figure(
    series: Any,
    mean: float | None,
    scored: int = 8,
    unscored: Mapping[str, int] | None = None,
) -> Figure:
    """Return the result of one series, with an interval of ±0.1 if there is a mean."""
    reasons = dict(unscored or {})
    counts = {
        "scored": scored,
        "unscored": sum(reasons.values()),
        "units": 0,
        "reasons": reasons,
    }
    if mean is None:
        return {"metric": series.key, "mean": None, "low": None, "high": None, **counts}
    return {"metric": series.key, "mean": mean, "low": mean - 0.1, "high": mean + 0.1, **counts}


def make_results(
    systems: Sequence[SampleSystem],
    differences: Iterable[Mapping[str, Any]] = (),
    ranks: Iterable[Mapping[str, Any]] = (),
    correlations: Mapping[tuple[str, str], tuple[float | None, int]] | None = None,
) -> Results:
    """Return the results of a study.

    Args:
        systems: the systems, and their own results.
        differences: rows of the table of differences, which name their two systems.
        ranks: rows of the table of ranks, which name their system.
        correlations: Spearman's rho and the number of rows, by pairs of metrics.
    """
    pairs = []
    for (metric, other), (rho, n) in (correlations or {}).items():
        pairs.append(
            {
                "metric": metric,
                "other": other,
                "rho": rho,
                "n": n,
            }
        )
    return Results(
        systems=make_frame(map(make_system_row, systems), columns.SYSTEM_COLUMNS),
        scores=make_frame(join_rows(make_score_rows, systems), columns.SCORE_COLUMNS),
        reasons=make_frame(join_rows(make_reason_rows, systems), columns.REASON_COLUMNS),
        estimates=make_frame((), columns.ESTIMATE_COLUMNS),
        differences=make_frame(map(dict, differences), columns.DIFFERENCE_COLUMNS),
        ranks=make_frame(map(dict, ranks), columns.RANK_COLUMNS),
        correlations=make_frame(pairs, columns.CORRELATION_COLUMNS),
        metrics=make_frame(join_rows(make_metric_rows, systems), columns.METRIC_COLUMNS),
        cascade=make_frame((), columns.CASCADE_COLUMNS),
        **{name: columns.make_verdict_frame(name) for name in columns.VERDICT_COLUMNS},
        notes={system.name: make_notes(system) for system in systems},
        group_column=systems[0].group_column,
    )


def join_rows(
    make_rows: Callable[[SampleSystem], list[Row]], systems: Sequence[SampleSystem]
) -> list[Row]:
    """Return the rows of all systems, one system after another."""
    rows = []
    for system in systems:
        rows += make_rows(system)
    return rows


def make_notes(system: SampleSystem) -> list[Note]:
    """Return the notes of a system, whose texts are shown unchanged."""
    return [Note("page.as_it_is", {"text": text}) for text in system.notes]


def make_system_row(system: SampleSystem) -> Row:
    """Return a system's row of the table of systems."""
    return {
        "system": system.name,
        "rows": system.rows,
        "clusters": system.rows,
        "corpus_bleu": system.corpus_bleu,
    }


def make_score_rows(system: SampleSystem) -> list[Row]:
    """Return a system's rows of the table of scores: for all its rows, and for each group."""
    rows = []
    groups: list[tuple[str | None, Sequence[Figure]]] = [
        (None, system.figures),
        *system.groups.items(),
    ]
    for group, figures in groups:
        for figure in figures:
            rows.append({"system": system.name, "group": group, "repeats": None, **figure})
    return rows


def make_reason_rows(system: SampleSystem) -> list[Row]:
    """Return a system's rows of the table of reasons why rows have no score."""
    rows = []
    for figure in system.figures:
        for reason, count in figure["reasons"].items():
            rows.append(
                {
                    "system": system.name,
                    "metric": figure["metric"],
                    "reason": reason,
                    "count": count,
                }
            )
    return rows


def make_metric_rows(system: SampleSystem) -> list[Row]:
    """Return a system's rows of the table of metrics that have costs or a signature, or stopped."""
    rows = []
    for name in dict.fromkeys([*system.costs, *system.signatures, *system.stopped]):
        row = {
            "system": system.name,
            "metric": name,
            "cost": system.costs.get(name, 0.0),
            "signature": system.signatures.get(name, ""),
            "stopped": system.stopped.get(name, ""),
        }
        rows.append(row)
    return rows
