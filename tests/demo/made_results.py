"""Results of a study that were never computed, for reports of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lens.study import results
from lens.study.results import Results, make_frame
from lens.words.notes import Note

Figure = Mapping[str, Any]


@dataclass(frozen=True)
class MadeSystem:
    """A system and what its scores come to."""

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


def figure(series: Any, mean: float | None, scored: int = 8, unscored: Mapping[str, int] | None = None) -> Figure:
    """The scores of one series, with an interval where there is a mean."""
    low, high = (None, None) if mean is None else (mean - 0.1, mean + 0.1)
    reasons = dict(unscored or {})
    counts = {"scored": scored, "unscored": sum(reasons.values()), "units": 0, "reasons": reasons}
    return {"metric": series.key, "mean": mean, "low": low, "high": high, **counts}


def make_results(
    systems: Sequence[MadeSystem],
    differences: Iterable[Mapping[str, Any]] = (),
    ranks: Iterable[Mapping[str, Any]] = (),
    correlations: Mapping[tuple[str, str], tuple[float | None, int]] | None = None,
) -> Results:
    """Results of some systems; a pair and a rank name theirs."""
    pairs = (correlations or {}).items()
    return Results(
        systems=make_frame(map(system_row, systems), results.SYSTEM_COLUMNS),
        scores=make_frame([row for one in systems for row in score_rows(one)], results.SCORE_COLUMNS),
        reasons=make_frame([row for one in systems for row in reason_rows(one)], results.REASON_COLUMNS),
        estimates=make_frame((), results.ESTIMATE_COLUMNS),
        differences=make_frame(map(dict, differences), results.DIFFERENCE_COLUMNS),
        ranks=make_frame(map(dict, ranks), results.RANK_COLUMNS),
        correlations=make_frame(
            ({"metric": one, "other": other, "rho": rho, "n": n} for (one, other), (rho, n) in pairs),
            results.CORRELATION_COLUMNS,
        ),
        metrics=make_frame([row for one in systems for row in metric_rows(one)], results.METRIC_COLUMNS),
        cascade=make_frame((), results.CASCADE_COLUMNS),
        **{name: results.make_verdict_frame(name) for name in results.VERDICT_COLUMNS},
        notes={one.name: [Note("page.as_it_is", {"text": text}) for text in one.notes] for one in systems},
        group_column=systems[0].group_column,
    )


def system_row(one: MadeSystem) -> dict[str, Any]:
    return {"system": one.name, "rows": one.rows, "clusters": one.rows, "corpus_bleu": one.corpus_bleu}


def score_rows(one: MadeSystem) -> list[dict[str, Any]]:
    rows = []
    every: dict[Any, Sequence[Figure]] = {None: one.figures, **one.groups}
    for group, figures in every.items():
        rows += [{"system": one.name, "group": group, "repeats": None, **own} for own in figures]
    return rows


def reason_rows(one: MadeSystem) -> list[dict[str, Any]]:
    return [
        {"system": one.name, "metric": own["metric"], "reason": reason, "count": count}
        for own in one.figures
        for reason, count in own["reasons"].items()
    ]


def metric_rows(one: MadeSystem) -> list[dict[str, Any]]:
    names = dict.fromkeys([*one.costs, *one.signatures, *one.stopped])
    return [
        {
            "system": one.name,
            "metric": name,
            "cost": one.costs.get(name, 0.0),
            "signature": one.signatures.get(name, ""),
            "stopped": one.stopped.get(name, ""),
        }
        for name in names
    ]
