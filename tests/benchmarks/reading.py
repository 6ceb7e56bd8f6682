"""What a few verdicts are worth with the estimate: how often the interval holds the true share, and how wide it is.

Of answers that people judged all of, some are drawn as if only they had been read, `DRAWS` times with a seed, and for a
difference as many of all rows alike, whose verdicts stand alone. `shuffled` is the same with the estimates of other
answers: a useless score must not cost anything.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metrics.training.verdicts import Verdicts
from tests.benchmarks.report import markdown
from tests.benchmarks.series import Array
from tests.support.project import ROOT

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.statistics import verdicts as inference

DRAWS, SEED = 1000, 0
READ = (20, 50)
# Fifty of fewer questions are no sample of many.
LEAST = 500


def drawn(stratum: Sequence[int], read: int, *verdicts: Array) -> Iterator[list[list[bool | None]]]:
    """Yield the verdicts of the rows that are read, None for the others, DRAWS times: as many of each stratum."""
    stream = np.random.RandomState(SEED)
    for _ in range(DRAWS):
        chosen = {*inference.in_turn(stream.permutation(len(stratum)).tolist(), stratum)[:read]}
        yield [[bool(one) if row in chosen else None for row, one in enumerate(right)] for right in verdicts]


def share(right: Array, estimates: Array, read: int) -> dict[str, float]:
    """Return coverage, the width of the interval, and that of the verdicts alone, for one system's share."""
    scores = estimates.tolist()
    quarters = inference.strata(len(scores), scores)
    found = [
        (inference.share_with_scores(given, scores, quarters).interval, inference.share_alone(given).interval)
        for (given,) in drawn(quarters, read, right)
    ]
    return summary(found, right.mean())


def difference(right: Sequence[Array], estimates: Sequence[Array], alike: Array, read: int) -> dict[str, float]:
    """Return the same for the difference of two systems' shares; of `alike` answers to a question none is read."""
    scores = [estimate[~alike].tolist() for estimate in estimates]
    stratum, plain = inference.strata(len(scores[0]), *scores), inference.strata(len(alike))
    samples = drawn(stratum, read, *(one[~alike] for one in right)), drawn(plain, read, *right)
    found = []
    for chosen, plainly in zip(*samples, strict=True):
        joined = inference.difference(*chosen, scores, stratum, int(alike.sum()))
        alone = inference.difference(*plainly, [], plain)
        if joined and alone:
            found.append((joined.interval, alone.interval))
    return summary(found, right[0].mean() - right[1].mean())


def summary(found: Sequence[tuple[Any, Any]], true: float) -> dict[str, float]:
    """Return how often the first of each two intervals holds what is true, and its mean width, also as a share of that
    of the second.
    """
    (low, high), (left, right) = np.array(found).transpose(1, 2, 0)
    holds, width = ((low <= true) & (true <= high)).mean(), (high - low).mean()
    figures = {"holds": holds, "width": width, "of_alone": width / (right - left).mean()}
    return {name: round(float(figure), 3) for name, figure in figures.items()}


def of_data(verdicts: Verdicts, estimates: Array) -> dict[str, Any]:
    """Return the figures of every system and pair of systems of a data set, over the questions that every system
    answered; nothing of a small one.
    """
    answers = pd.DataFrame([vars(answer) for answer in verdicts.answers]).assign(likely=estimates)
    table = answers.pivot(index="question", columns="system").dropna()
    if len(table) < LEAST:
        return {}
    right, texts, useful = (
        {name: table[kind, name].to_numpy() for name in verdicts.systems} for kind in ("right", "text", "likely")
    )
    right = {name: column.astype(bool) for name, column in right.items()}
    streams = (np.random.RandomState(SEED + at) for at in range(len(verdicts.systems)))
    useless = {name: stream.permutation(useful[name]) for name, stream in zip(useful, streams, strict=True)}
    asked = [(str(read), read, useful) for read in READ] + [("shuffled", READ[-1], useless)]
    return {
        "systems": {
            name: {key: share(right[name], likely[name], read) for key, read, likely in asked} for name in right
        },
        "pairs": {
            f"{one}|{other}": {
                key: difference(
                    [right[one], right[other]], [likely[one], likely[other]], texts[one] == texts[other], read
                )
                for key, read, likely in asked
            }
            for one, other in combinations(right, 2)
        },
    }


def table(found: Mapping[str, Any]) -> str:
    """Return the figures of the systems, and in the last row those of their differences."""
    systems, pairs = (pd.json_normalize(list(found[part].values())) for part in ("systems", "pairs"))
    formats = {"50.holds": ".3f", "50.of_alone": ".2f", "20.holds": ".3f", "20.of_alone": ".2f"}
    formats["shuffled.of_alone"] = ".2f"
    rows = [[name] for name in found["systems"]]
    last = [f"difference of two, {len(pairs)} pairs"]
    for column, form in formats.items():
        for row, value in zip(rows, systems[column], strict=True):
            row.append(f"{value:{form}}")
        least, mean, most = (f"{value:{form}}" for value in pairs[column].agg(["min", "mean", "max"]))
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
    return markdown(heads, [*rows, last])
