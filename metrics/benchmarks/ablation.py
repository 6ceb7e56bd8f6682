"""What is each group of features worth?

Trains correctness_estimate without it, and says what that costs.

Run: make ablation DATA=path GRADES=folder

The files are those of `make estimate`. Each figure is the mean of SEEDS trainings with other seeds,
beside their deviation. The table goes into metrics/benchmarks/README.md.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from metrics.training import grades
from metrics.training.estimate import Material, collect_material, measure_areas, measure_made, train
from metrics.training.rows import Rows
from metrics.training.verdicts import read
from metrics.benchmarks.report import replace_section
from tests.support.project import ROOT

PAGE = ROOT / "metrics" / "benchmarks" / "README.md"
SEEDS = 5
# Groups by what they ask; what the names of their features begin with.
GROUPS = {
    "the reference's letters and words": (
        "trigrams",
        "recall_weighted",
        "recall_spelling",
        "recall_rare",
        "f_rare",
    ),
    "its words side by side, and where they stand": ("recall_run", "recall_dense", "match_"),
    "its words with the question's, and by clauses": ("recall_with_question", "recall_clauses"),
    "how many words are new": ("precision", "new_words"),
    "lengths": ("length",),
    "figures in other magnitudes": ("figure",),
    "several references": ("references_found",),
    "the question: what is asked, what the reference repeats": (
        "asked_kind",
        "reference_asked",
        "reference_names",
    ),
    "yes or no, and refusals": ("yes_or_no", "refusal"),
    "denials, and what calls something untrue": ("denied_", "untrue_", "barred"),
    "what sets aside or stands by, and the rival": ("set_aside_", "stance", "rival_"),
    "several candidates, and hedges": ("several_", "strange_names", "hedges"),
}
OBJECTIONS = "objections: facts that differ"
DECISIONS = "decisions: values, options, yes or no"


@dataclass(frozen=True)
class Worth:
    """What a training is worth: AUROC on verdicts and on grading sets, share of made-up answers
    judged well.
    """

    natural: float
    graded: float
    made: float


def measure_worth(material: Material, seed: int) -> Worth:
    """Return what a training is worth."""
    trained = train(material, seed)
    areas = measure_areas(material.graded, trained.graded)
    kinds = measure_made(material.other, trained.other, trained.threshold)
    return Worth(
        float(roc_auc_score(material.rows.right, trained.rows)),
        float(np.mean(list(areas.values()))),
        float(np.mean(list(kinds.values()))),
    )


def blank_features(rows: Rows, beginnings: tuple[str, ...]) -> Rows:
    """Return rows whose features of a group say nothing."""
    features = rows.features.copy()
    for i, name in enumerate(rows.names):
        if name.startswith(beginnings):
            features[:, i] = 0
    return replace(rows, features=features)


def leave_out(material: Material, group: str) -> Material:
    """Return the material without a group of features, without objections, or without decisions."""
    parts = (material.rows, material.made, material.other, material.graded)
    if group == OBJECTIONS:
        return Material(*(replace(rows, evidence=np.zeros_like(rows.evidence)) for rows in parts))
    if group == DECISIONS:
        return Material(
            *(replace(rows, decisions=np.full(len(rows.right), None)) for rows in parts)
        )
    return Material(*(blank_features(rows, GROUPS[group]) for rows in parts))


def format_line(group: str, without: Sequence[Worth], whole: Sequence[Worth]) -> str:
    """Return a row of the table: what is lost without a group, mean and
    deviation over the seeds.
    """
    cells = [group]
    for name in ("natural", "graded", "made"):
        losses = [getattr(a, name) - getattr(b, name) for a, b in zip(without, whole, strict=True)]
        cells.append(f"{np.mean(losses):+.4f} ({np.std(losses, ddof=1):.4f})")
    return f"| {' | '.join(cells)} |"


def main(command: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, required=True, metavar="PATH", help="people's verdicts"
    )
    parser.add_argument("--grades", type=Path, required=True, metavar="FOLDER", help="grading sets")
    parser.add_argument(
        "--seeds",
        type=int,
        default=SEEDS,
        metavar="N",
        help="how many trainings (default: %(default)s)",
    )
    arguments = parser.parse_args(command)
    material = collect_material(read(arguments.data), grades.read(arguments.grades)[0])
    seeds = range(arguments.seeds)
    whole = [measure_worth(material, seed) for seed in seeds]
    lines = [
        "| without | NQ, AUROC | grading sets, mean AUROC | made-up answers judged well, mean |",
        "|---|---|---|---|",
    ]
    print(*lines, sep="\n")
    for group in (*GROUPS, OBJECTIONS, DECISIONS):
        part = leave_out(material, group)
        lines.append(format_line(group, [measure_worth(part, seed) for seed in seeds], whole))
        print(lines[-1], flush=True)
    page = replace_section(PAGE.read_text("utf-8"), "ablation", "\n".join(lines), "make ablation")
    PAGE.write_text(page, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
