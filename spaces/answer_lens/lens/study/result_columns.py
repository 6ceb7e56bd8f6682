"""The columns of the tables in `Results`.

None means that there is no value. A metric is named by the key of its series. `low` and `high` are
the ends of a 95% interval. A figure NAME of a judge has its interval in `NAME_low` and `NAME_high`,
and its number of answers in `NAME_n`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lens.study.judge_results import JUDGE_COUNTS, JUDGE_FIGURES

if TYPE_CHECKING:
    from pandas import DataFrame

SYSTEM_COLUMNS = (
    "system",
    "rows",
    "clusters",
    "corpus_bleu",  # BLEU of all rows together
)
SCORE_COLUMNS = (
    "system",
    "metric",
    "group",  # None: all rows
    "mean",
    "low",
    "high",
    "scored",
    "unscored",
    "units",  # the number of independent units among the scored rows
    "repeats",  # mean standard deviation of the scores of one question's answers
)
REASON_COLUMNS = (
    "system",
    "metric",
    "reason",
    "count",  # of rows without a score for this reason
)
ESTIMATE_COLUMNS = (
    "system",
    "metric",
    "right",  # share of the probabilities that count as right
    "low",
    "high",
    "probability",
    "ranking",
    "likeness",
)
DIFFERENCE_COLUMNS = (
    "metric",
    "first",
    "second",
    "mean_first",
    "mean_second",
    "difference",
    "low",
    "high",
    "p",  # not corrected for several metrics
    "won",  # by the first system; these three count questions
    "tied",
    "lost",
    "questions",
    "repeats",
)
RANK_COLUMNS = (
    "metric",
    "system",
    "mean",
    "best_rank",
    "worst_rank",
    "is_best",  # not worse than the best beyond chance
    "questions",
    "repeats",
)
CORRELATION_COLUMNS = (
    "metric",
    "other",
    "rho",  # Spearman's
    "n",
)
METRIC_COLUMNS = (
    "system",
    "metric",
    "cost",  # in dollars; None: unknown
    "signature",
    "stopped",  # why the metric was stopped; None: it was not
)
CASCADE_COLUMNS = (
    "system",
    "judge",
    "settled_right",  # by the estimate
    "settled_wrong",
    "judged",
    "judge_mean",
    "undecided",
    "cost",  # in dollars; None: unknown
    "saved",  # the judge's cost on the settled rows, had it been asked
)
# The columns of each table on verdicts, by the name of its field in `Results`.
VERDICT_COLUMNS = {
    "verdicts": (
        "system",
        "source",  # the kind of the share: a constant of annotations.py
        "share",
        "low",
        "high",
        "n_read",  # the number of verdicts
        "effective_n",  # the number of verdicts that alone would give the same standard error
        "method",  # how the read answers were drawn; None: not by this tool
        "rows",
        "undecided",
        "stand_in",
    ),
    "agreement": (
        "system",
        "metric",
        "auroc",
        "low",
        "high",
        "accuracy",  # of the best threshold
        "threshold",  # the best threshold; None: every answer is called wrong
        "verdicts",
    ),
    "verdict_differences": (
        "first",
        "second",
        "source",
        "difference",
        "low",
        "high",
        "n_read",
        "rows",
        "method",
        "stand_in",
    ),
    "verdict_ranks": (
        "system",
        "source",
        "best_rank",
        "worst_rank",
        "n_read",
        "rows",
        "method",
        "stand_in",
    ),
    "judges": (
        "judge",
        "system",
        "n",  # answers with a verdict of both; below 20 the figures are None
        *(f"{figure}{end}" for figure in JUDGE_FIGURES for end in ("", "_low", "_high", "_n")),
        "effective_n",
        *JUDGE_COUNTS,
        "overall",  # the share of right answers by all verdicts of the judge
        "overall_n",
        "rows",
        "is_read",  # whether the person has read any answer
    ),
    "disagreements": (
        "judge",
        "system",
        "question",
        "row",
        "person",
        "judge_verdict",
    ),
    "recalibration": (
        "system",
        "before",  # mean estimate
        "after",
        "error_before",  # calibration error
        "error_after",
        "verdicts",
    ),
    "readers": (
        "system",
        "readers",  # people and judges
        "alpha",  # Krippendorff's
        "low",
        "high",
        "modal_share",
        "n",
    ),
    "bridged_shares": (
        "system",
        "old",
        "new",
        "source",  # the source of the share: a constant of reader_results.py
        "share",
        "low",
        "high",
        "n",
        "kappa",  # of the two judges
        "kappa_low",
        "kappa_high",
        "kappa_n",
    ),
    "lead_changes": (
        "first",
        "second",
        "before",  # the lead of the first system by the old judge
        "after",
        "change",
        "low",
        "high",
        "p",  # corrected for all pairs
        "changes_places",
        "n",
    ),
}


def make_frame(
    rows: Iterable[Mapping[str, Any]] = (), columns: Sequence[str] | None = None
) -> DataFrame:
    """Return a table of rows, by default with the columns of the rows; None stays None."""
    import pandas

    return pandas.DataFrame(list(rows), columns=columns, dtype=object)


def make_verdict_frame(name: str, rows: Iterable[Mapping[str, Any]] = ()) -> DataFrame:
    """Return the table on verdicts that has this name, with these rows."""
    return make_frame(rows, VERDICT_COLUMNS[name])
