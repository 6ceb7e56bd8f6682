"""What a few verdicts are worth with the estimate: how often the interval holds the true share, and how wide it is.

Of answers that people judged all of, some are drawn as if only they had been read, `DRAWS` times with a seed, and for a
difference as many of all rows alike, whose verdicts stand alone. `shuffled` is the same with the estimates of other
answers: a useless score must not cost anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.training.verdicts import Verdicts
from tests.benchmarks.agreeing import verdicts as inference
from tests.benchmarks.report import markdown

Right = NDArray[np.bool_]
Estimates = NDArray[np.float64]

DRAWS, SEED = 1000, 0
READ = (20, 50)
# Fifty of fewer questions are no sample of many.
LEAST = 500


def drawn(stratum: Sequence[int], read: int) -> Iterator[Right]:
    """Yield which rows are read, DRAWS times: as many of each stratum."""
    stream = np.random.RandomState(SEED)
    for _ in range(DRAWS):
        chosen = np.zeros(len(stratum), bool)
        chosen[inference.in_turn(stream.permutation(len(stratum)).tolist(), stratum)[:read]] = True
        yield chosen


def shown(verdicts: Right, chosen: Right) -> list[bool | None]:
    """Return the verdicts of the rows that are read, None for the others."""
    return [bool(one) if there else None for one, there in zip(verdicts, chosen, strict=True)]


def shares(verdicts: Right, estimates: Estimates, read: int) -> dict[str, float]:
    """Return coverage, the width of the interval, and that of the verdicts alone, for one system's share."""
    found, scores = [], estimates.tolist()
    quarters = inference.strata(len(scores), scores)
    for chosen in drawn(quarters, read):
        given = shown(verdicts, chosen)
        joined = inference.share_with_scores(given, scores, quarters)
        found.append((joined.interval, inference.share_alone(given).interval))
    return summary(found, float(verdicts.mean()))


def differences(verdicts: Sequence[Right], estimates: Sequence[Estimates], alike: Right, read: int) -> dict[str, float]:
    """Return the same for the difference of two systems' shares; of `alike` answers to a question none is read."""
    found, rows = [], ~alike
    scores = [estimate[rows].tolist() for estimate in estimates]
    stratum, plain = inference.strata(int(rows.sum()), *scores), inference.strata(len(alike))
    for chosen, plainly in zip(drawn(stratum, read), drawn(plain, read), strict=True):
        first, second = (shown(right[rows], chosen) for right in verdicts)
        joined = inference.difference(first, second, scores, stratum, int(alike.sum()))
        first, second = (shown(right, plainly) for right in verdicts)
        alone = inference.difference(first, second, [], plain)
        if joined and alone:
            found.append((joined.interval, alone.interval))
    return summary(found, float(verdicts[0].mean() - verdicts[1].mean()))


def summary(found: Sequence[tuple[tuple[float, float], tuple[float, float]]], true: float) -> dict[str, float]:
    """Return how often the first of each two intervals holds what is true, and its mean width, also as a share of that
    of the second.
    """
    (low, high), (left, right) = np.array(found).transpose(1, 2, 0)
    width = (high - low).mean()
    figures = {
        "holds": ((low <= true) & (true <= high)).mean(),
        "width": width,
        "of_alone": width / (right - left).mean(),
    }
    return {name: round(float(figure), 3) for name, figure in figures.items()}


def measured(
    verdicts: Mapping[str, Right], estimates: Mapping[str, Estimates], texts: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return the figures of every system and pair of systems; rows are the same questions in the same order."""
    streams = (np.random.RandomState(SEED + at) for at in range(len(estimates)))
    useless = {name: stream.permutation(estimates[name]) for name, stream in zip(estimates, streams, strict=True)}
    asked = [(str(read), read, estimates) for read in READ] + [("shuffled", READ[-1], useless)]
    found: dict[str, Any] = {"systems": {}, "pairs": {}}
    for name, right in verdicts.items():
        found["systems"][name] = {key: shares(right, scores[name], read) for key, read, scores in asked}
    for one, other in combinations(verdicts, 2):
        alike = np.array(texts[one]) == np.array(texts[other])
        both = [verdicts[one], verdicts[other]]
        found["pairs"][f"{one}|{other}"] = {
            key: differences(both, [scores[one], scores[other]], alike, read) for key, read, scores in asked
        }
    return found


def of_data(verdicts: Verdicts, estimates: NDArray[Any]) -> dict[str, Any]:
    """Return the figures of a data set, over the questions that every system answered; nothing of a small one."""
    given: dict[str, dict[int, tuple[bool, float, str]]] = {name: {} for name in verdicts.systems}
    for answer, estimate in zip(verdicts.answers, estimates.tolist(), strict=True):
        given[answer.system][answer.question] = answer.right, estimate, answer.text
    asked = sorted(set.intersection(*(set(one) for one in given.values())))
    if len(asked) < LEAST:
        return {}
    columns = {name: list(zip(*(one[question] for question in asked), strict=True)) for name, one in given.items()}
    right, likely, texts = ({name: column[at] for name, column in columns.items()} for at in range(3))
    return measured(
        {name: np.array(one) for name, one in right.items()},
        {name: np.array(one) for name, one in likely.items()},
        texts,
    )


def table(found: Mapping[str, Any]) -> str:
    """Return the figures of the systems, and in the last row those of their differences."""
    heads = (
        "system",
        "50 verdicts: holds",
        "width, of the verdicts alone",
        "20 verdicts: holds",
        "width",
        "useless score",
    )
    rows = []
    for name, one in found["systems"].items():
        few, many, useless = (one[key] for key in ("20", "50", "shuffled"))
        cells = [f"{many['holds']:.3f}", f"{many['of_alone']:.2f}", f"{few['holds']:.3f}", f"{few['of_alone']:.2f}"]
        rows.append([name, *cells, f"{useless['of_alone']:.2f}"])
    pairs = list(found["pairs"].values())
    cells = []
    for key in ("50", "20"):
        widths = [pair[key]["of_alone"] for pair in pairs]
        cells.append(f"{min(pair[key]['holds'] for pair in pairs):.3f} or more")
        cells.append(f"{sum(widths) / len(widths):.2f} ({min(widths):.2f} – {max(widths):.2f})")
    most = max(pair["shuffled"]["of_alone"] for pair in pairs)
    rows.append([f"difference of two, {len(pairs)} pairs", *cells, f"{most:.2f} or less"])
    return markdown(heads, rows)
