"""Simulate a judge that is asked only if the estimate is unsure: saved calls, error and intervals.

Run: make cascade DATA=path. It writes the table into metrics/README.md.

A cascade is the estimate's verdict where it is sure, and else the judge's. Every answer in the data
set has a person's verdict. A made-up judge gives the same verdict with a fixed probability, its
accuracy, whatever the answer. The estimate settles the answers that `--judge-rows unsure` lets it
settle. Then, in each of `DRAWS` draws, a person judges `READ` answers of a system, which are drawn
by the cascade's verdicts. The interval of the share should contain the true share in 95% of the
draws, for a judge of any accuracy.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metrics.benchmarks.report import format_table, write_section
from metrics.benchmarks.series import Array, collect_columns
from metrics.training import verdicts as verdict_files
from tests.support.project import METRICS, ROOT, load

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens.inference import sampling, shares  # isort: skip
from lens.scoring.cascade import Thresholds  # isort: skip
from lens.scoring.row_scores import RowResult  # isort: skip

# The accuracies of the judges that are made up.
ACCURACIES = (0.7, 0.8, 0.9, 0.95, 0.97)
DRAWS, SEED = 500, 0
# How many answers of a system a person judges.
READ = 100
PAGE, RESULTS = METRICS / "README.md", Path(__file__).with_name("cascade.json")
HEADS = (
    "accuracy of the judge",
    "accuracy of both",
    "judge alone: error of the share",
    "both: error of the share",
    f"{READ} verdicts alone: width",
    "with both: width",
    "with both: holds",
)


def settle_answers(data: verdict_files.Verdicts) -> Array:
    """Return the estimate's verdict on each answer: 1, 0, or NaN if it is unsure."""
    result = load("correctness_estimate").compute(**collect_columns(data), per_example=True)
    settled = []
    for entry in result["per_example"]:
        scores = (entry["score"],)
        scored = RowResult(scores, interpretation=entry["interpretation"])
        settled.append(Thresholds().settle(scored))
    return np.array(settled, dtype=float)


def simulate_judge(right: Array, accuracy: float) -> Array:
    """Return the verdicts of a made-up judge with this accuracy."""
    rng = np.random.RandomState(SEED)
    is_correct = rng.rand(len(right)) < accuracy
    return np.where(is_correct, right, 1 - right)


def measure_intervals(right: Array, cascade: Array) -> dict[str, list[float]]:
    """Return the widths of the intervals of a system's share, and whether they hold.

    Each list has one value for each draw.
    """
    rng = np.random.RandomState(SEED)
    scores = cascade.tolist()
    stratum = sampling.assign_strata(len(scores), scores)
    figures: dict[str, list[float]] = {"alone": [], "joined": [], "holds": []}
    for _ in range(DRAWS):
        shuffled = rng.permutation(len(scores)).tolist()
        order = sampling.alternate_strata(shuffled, stratum)
        verdicts: list[bool | None] = [None] * len(scores)
        for row in order[:READ]:
            verdicts[row] = bool(right[row])
        weights = shares.weigh_verdicts(verdicts, stratum)
        alone_low, alone_high = shares.estimate_share(verdicts, None, weights).interval
        low, high = shares.estimate_share_with_scores(verdicts, scores, stratum).interval
        holds = low <= right.mean() <= high
        figures["alone"].append(alone_high - alone_low)
        figures["joined"].append(high - low)
        figures["holds"].append(float(holds))
    return figures


def measure_accuracy(
    right: Array,
    settled: Array,
    system: Sequence[str],
    accuracy: float,
) -> dict[str, float]:
    """Return the figures of a judge with this accuracy.

    They are means over the systems. `holds`, the share of intervals that contain the true share, is
    that of the system with the lowest.

    Args:
        right: for each answer, whether it is right (1 or 0).
        settled: the estimate's verdict, NaN if it is unsure.
        system: the system of each answer.
        accuracy: the accuracy of the judge.
    """
    judge = simulate_judge(right, accuracy)
    cascade = np.where(np.isnan(settled), judge, settled)
    errors: dict[str, list[float]] = {"judge": [], "cascade": []}
    widths: dict[str, list[float]] = {"alone": [], "joined": []}
    holds = []
    for name in dict.fromkeys(system):
        mask = np.array(system) == name
        true_share = right[mask].mean()
        errors["judge"].append(abs(judge[mask].mean() - true_share))
        errors["cascade"].append(abs(cascade[mask].mean() - true_share))
        intervals = measure_intervals(right[mask], cascade[mask])
        holds.append(float(np.mean(intervals["holds"])))
        for kind, values in widths.items():
            values.append(float(np.mean(intervals[kind])))
    return {
        "accuracy": accuracy,
        "cascade_accuracy": float((cascade == right).mean()),
        "judge_error": float(np.mean(errors["judge"])),
        "cascade_error": float(np.mean(errors["cascade"])),
        "width_alone": float(np.mean(widths["alone"])),
        "width_joined": float(np.mean(widths["joined"])),
        "holds": min(holds),
    }


def simulate_judges(data: verdict_files.Verdicts) -> dict[str, Any]:
    """Return the figures of all judges, and the share of answers that the estimate settles."""
    settled = settle_answers(data)
    right = np.array([answer.right for answer in data.answers], dtype=float)
    system = [answer.system for answer in data.answers]
    is_settled = ~np.isnan(settled)
    rows = []
    for accuracy in ACCURACIES:
        rows.append(measure_accuracy(right, settled, system, accuracy))
        print(rows[-1], flush=True)
    return {
        "answers": len(right),
        "settled": float(is_settled.mean()),
        "settled_accuracy": float((settled[is_settled] == right[is_settled]).mean()),
        "judges": rows,
    }


def format_cascade(figures: dict[str, Any]) -> str:
    """Return the table of all judges, and a sentence on the settled answers."""
    rows = []
    for judge in figures["judges"]:
        rows.append(
            [
                f"{judge['accuracy']:.2f}",
                f"{judge['cascade_accuracy']:.3f}",
                f"{100 * judge['judge_error']:.1f} points",
                f"{100 * judge['cascade_error']:.1f} points",
                f"{judge['width_alone']:.3f}",
                f"{judge['width_joined']:.3f}",
                f"{judge['holds']:.3f}",
            ]
        )
    sentence = (
        f"The estimate settles {figures['settled']:.0%} of {figures['answers']:,} answers, so as "
        f"many calls are saved; it is right in {figures['settled_accuracy']:.1%} of them."
    )
    return f"{sentence}\n\n{format_table(HEADS, rows)}"


def main() -> None:
    """Measure, print and write the figures, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a file in the form of EVOUNA")
    arguments = parser.parse_args()
    figures = simulate_judges(verdict_files.read_verdicts(arguments.data))
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    section = format_cascade(figures)
    write_section(PAGE, "cascade", section, "make cascade")


if __name__ == "__main__":
    main()
