"""What a few verdicts are worth with the estimate: how often the interval holds the true share, and
how wide it is.

Of answers that people judged all of, some are drawn as if only they had been read, `DRAWS` times
with a seed. Of two systems, or of all, all answers to a question are read, and all intervals of
differences are to hold at once; beside them stand as many verdicts alone on questions that are
drawn by chance. `shuffled` is the same with the estimates of other answers: a useless score must
not cost anything.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metrics.training.verdicts import Verdicts
from metrics.benchmarks.report import format_table
from metrics.benchmarks.series import Array
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.inference import sampling, share_differences, shares
from lens.inference.ranking import Ranking

DRAWS, SEED = 1000, 0
READ, QUESTIONS = (20, 50), (20, 30, 50, 100)
# Fifty of fewer questions are no sample of many.
LEAST = 500


def draw_verdicts(
    stratum: Sequence[int], read: int, *verdicts: Array
) -> Iterator[list[list[bool | None]]]:
    """Yield the verdicts of the rows that are read, None for the others, DRAWS times: as many of
    each stratum.
    """
    stream = np.random.RandomState(SEED)
    for _ in range(DRAWS):
        chosen = {
            *sampling.alternate_strata(stream.permutation(len(stratum)).tolist(), stratum)[:read]
        }
        yield [
            [bool(one) if row in chosen else None for row, one in enumerate(right)]
            for right in verdicts
        ]


def measure_share(right: Array, estimates: Array, read: int) -> dict[str, float]:
    """Return coverage, the width of the interval, and that of the verdicts alone, for one system's
    share.
    """
    scores = estimates.tolist()
    quarters = sampling.assign_strata(len(scores), scores)
    found = [
        (
            shares.estimate_share_with_scores(given, scores, quarters).interval,
            shares.estimate_share(given).interval,
        )
        for (given,) in draw_verdicts(quarters, read, right)
    ]
    return summarize_intervals(found, right.mean())


def measure_differences(
    right: Sequence[Array], estimates: Sequence[Array], read: int
) -> dict[str, float]:
    """Return what the verdicts on all systems' answers to some questions say of all pairs, alone
    (`alone_`) and with the estimates: how often all intervals hold at once, their mean width, pairs
    told apart, systems tied for best.
    """
    scores = [estimate.tolist() for estimate in estimates]
    stratum, plain = (
        sampling.assign_strata(len(scores[0]), *scores),
        sampling.assign_strata(len(scores[0])),
    )
    found: dict[str, list[Ranking]] = {"": [], "alone_": []}
    for chosen, plainly in zip(
        draw_verdicts(stratum, read, *right), draw_verdicts(plain, read, *right), strict=True
    ):
        joined = share_differences.compare_shares(chosen, scores, stratum)
        alone = share_differences.compare_shares(plainly, [], plain)
        if joined and alone:
            found[""].append(joined)
            found["alone_"].append(alone)
    true = np.array([one.mean() - other.mean() for one, other in combinations(right, 2)])
    figures = {"of_alone": 0.0}
    for name, rankings in found.items():
        low, high = np.array([[pair.interval for pair in one.pairs] for one in rankings]).transpose(
            2, 0, 1
        )
        figures[f"{name}holds"] = ((low <= true) & (true <= high)).all(axis=1).mean()
        figures[f"{name}width"] = (high - low).mean()
        figures[f"{name}apart"] = ((low > 0) | (high < 0)).sum(axis=1).mean()
        figures[f"{name}tied"] = np.mean([sum(one.best) for one in rankings])
    figures["of_alone"] = figures["width"] / figures["alone_width"]
    return {name: round(float(figure), 3) for name, figure in figures.items()}


def summarize_intervals(found: Sequence[tuple[Any, Any]], true: float) -> dict[str, float]:
    """Return how often the first of each two intervals holds what is true, and its mean width, also
    as a share of that of the second.
    """
    (low, high), (left, right) = np.array(found).transpose(1, 2, 0)
    holds, width = ((low <= true) & (true <= high)).mean(), (high - low).mean()
    figures = {"holds": holds, "width": width, "of_alone": width / (right - left).mean()}
    return {name: round(float(figure), 3) for name, figure in figures.items()}


def measure_reading(verdicts: Verdicts, estimates: Array) -> dict[str, Any]:
    """Return the figures of every system and pair of systems of a data set, over the questions that
    every system answered; nothing of a small one.
    """
    answers = pd.DataFrame([vars(answer) for answer in verdicts.answers]).assign(likely=estimates)
    table = answers.pivot(index="question", columns="system").dropna()
    if len(table) < LEAST:
        return {}
    right, useful = (
        {name: table[kind, name].to_numpy() for name in verdicts.systems}
        for kind in ("right", "likely")
    )
    right = {name: column.astype(bool) for name, column in right.items()}
    streams = (np.random.RandomState(SEED + at) for at in range(len(verdicts.systems)))
    useless = {
        name: stream.permutation(useful[name]) for name, stream in zip(useful, streams, strict=True)
    }
    asked = [(str(read), read, useful) for read in READ] + [("shuffled", READ[-1], useless)]
    of_all = [(str(read), read, useful) for read in QUESTIONS] + [("shuffled", READ[-1], useless)]
    return {
        "systems": {
            name: {
                key: measure_share(right[name], likely[name], read) for key, read, likely in asked
            }
            for name in right
        },
        "pairs": {
            f"{one}|{other}": {
                key: measure_differences(
                    [right[one], right[other]], [likely[one], likely[other]], read
                )
                for key, read, likely in asked
            }
            for one, other in combinations(right, 2)
        },
        "together": {
            key: measure_differences([*right.values()], [likely[name] for name in right], read)
            for key, read, likely in (of_all if len(right) > 2 else [])
        },
    }


def format_shares(found: Mapping[str, Any]) -> str:
    """Return the figures of the systems, and in the last row those of their differences."""
    systems, pairs = (
        pd.json_normalize(list(found[part].values())) for part in ("systems", "pairs")
    )
    formats = {"50.holds": ".3f", "50.of_alone": ".2f", "20.holds": ".3f", "20.of_alone": ".2f"}
    formats["shuffled.of_alone"] = ".2f"
    rows = [[name] for name in found["systems"]]
    last = [f"difference of two, {len(pairs)} pairs"]
    for column, form in formats.items():
        for row, value in zip(rows, systems[column], strict=True):
            row.append(f"{value:{form}}")
        least, mean, most = (
            f"{value:{form}}" for value in pairs[column].agg(["min", "mean", "max"])
        )
        last.append(f"{least} or more" if "holds" in column else f"{mean} ({least} – {most})")
    last[-1] = f"{most} or less"
    heads = (
        "system",
        "50 verdicts: holds",
        "width, of the verdicts alone",
        "20 verdicts: holds",
        "width",
        "useless score",
    )
    return format_table(heads, [*rows, last])


def format_rankings(found: Mapping[str, Any]) -> str:
    """Return what so many questions say of all systems together, alone and with the estimate, and
    of a useless one.
    """
    systems, pairs = len(found["systems"]), len(found["pairs"])
    rows = []
    for key, one in found["together"].items():
        read = f"{READ[-1]}, a useless score" if key == "shuffled" else key
        both = [
            [one[part + name] for part in ("alone_", "")]
            for name in ("holds", "width", "apart", "tied")
        ]
        forms = (".3f", ".3f", ".1f", ".1f")
        cells = [
            " / ".join(f"{value:{form}}" for value in two)
            for two, form in zip(both, forms, strict=True)
        ]
        rows.append([read, cells[0], f"{cells[1]} ({one['of_alone']:.2f})", *cells[2:]])
    heads = (
        "questions read",
        f"all {pairs} intervals hold: verdicts alone / with the estimate",
        "mean width (of the verdicts alone)",
        f"pairs told apart, of {pairs}",
        f"systems tied for best, of {systems}",
    )
    return format_table(heads, rows)
