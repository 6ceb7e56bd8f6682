"""What is each family of features worth? Trains the trees of correctness_estimate without it, and says what that costs.

Run: make ablation DATA=path GRADES=folder

The files are those of `make estimate`. The table goes into tests/benchmarks/README.md. Everything is seeded.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.metrics import roc_auc_score

from metrics.correctness_estimate.features import OF_LONG
from metrics.training import grades, joint
from metrics.training.estimate import Material, judged_well, material, told_apart, trained
from metrics.training.verdicts import read
from tests.benchmarks.report import placed
from tests.support.project import ROOT

PAGE = ROOT / "tests" / "benchmarks" / "README.md"
FEWEST = 100  # made-up answers of a kind, from which on it is looked at
ZONES = "(before|after|rival_before|rival_after|then_rival|then_match|next|elsewhere)$"
# Families by what they ask, and a pattern of their features' names.
FAMILIES = {
    "other forms and spellings of the reference's words": "recall_(stems|spelling|least)",
    "its names and numbers more than its other words": "recall_weighted",
    "its words with the question's": "recall_with_question",
    "its letters": "recall_grams",
    "its first and its last word": "recall_(first|last)",
    "its words side by side": "recall_(run|dense)",
    "where its words stand": "match_",
    "how many words are new": "precision|new_words",
    "which are new before and after, in the same clause and in others": "new_(own|other)",
    "negators by their place": f"denied_{ZONES}",
    "words that call something untrue, by their place": "untrue_",
    "words that set something aside, by their place": "aside_",
    "words that stand by something, by their place": "asserted_",
    "another thing that may be meant": "rival_",
    "denials of another thing": "denied_another",
    'contrasts, as in "anyone but"': "barred",
    "which verb is denied, and how near": "denied_(distance|verb|asked|all)",
    "what all of it comes to": "stance",
    'how often it says "or"': "several_or",
    "other names": "several_names|names_strange",
    "other numbers": "several_figures",
    "how unsure it is": "hedges",
    "whether it refuses": "refusal$",
    "whether it refuses in more words": "refusals|refusal_place",
    "another name in a name's place": "differs_(name|given_name)",
    "another value in a value's place": "differs_(date|number)|figures$",
    "a finer value of another reference": "differs_finer",
    "lengths": "length|reference_length",
    "names and the question's words in the reference": "reference_(names|asked)",
    "several references": "references",
    "the question's words": "asked_(share|recall)",
    "what is asked for": "asked_kind",
    "figures in other magnitudes": "figures_",
    "yes or no": "yes_same",
    "statements": "statements_",
}


class Worth(NamedTuple):
    """What trees are worth: AUROC on people's verdicts and on each grading set, made-up answers judged well by kind."""

    natural: float
    graded: dict[str, float]
    kinds: dict[str, float]


def worth(some: Material, columns: Sequence[int]) -> Worth:
    """Return what trees are worth that read some of the features."""
    found = trained(some, columns)
    kinds = judged_well(some.other, found.hard, found.threshold)
    return Worth(
        roc_auc_score(some.rows.right, found.chance),
        told_apart(some.graded, joint.left_out(some.graded, found.graded, some.names)),
        {kind: share for kind, share in kinds.items() if (some.other.kind == kind).sum() >= FEWEST},
    )


def line(family: str, features: int, whole: Worth, without: Worth) -> str:
    """Return a row of the table: how much is lost without a family."""
    sets = {one: without.graded[one] - whole.graded[one] for one in whole.graded}
    kinds = {one: without.kinds[one] - whole.kinds[one] for one in whole.kinds}
    least, most = min(sets, key=sets.__getitem__), min(kinds, key=kinds.__getitem__)
    mean = float(np.mean(list(sets.values())))
    return (
        f"| {family} | {features} | {without.natural - whole.natural:+.4f} | {mean:+.3f} | {least} {sets[least]:+.3f} "
        f"| {most} {kinds[most]:+.3f} |"
    )


def main(command: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="PATH", help="people's verdicts")
    parser.add_argument("--grades", type=Path, required=True, metavar="FOLDER", help="grading sets")
    given = parser.parse_args(command)
    some = material(read(given.data), grades.read(given.grades)[0])
    read_by_trees = range(len(some.names) - len(OF_LONG))
    whole = worth(some, read_by_trees)
    head = "| without | features | NQ | grading sets, mean | the worst of them | the worst made-up kind |"
    lines = [head, "|---|---|---|---|---|---|"]
    print(*lines, sep="\n")
    for what, family in FAMILIES.items():
        kept = [i for i in read_by_trees if not re.match(family, some.names[i])]
        lines.append(line(what, len(read_by_trees) - len(kept), whole, worth(some, kept)))
        print(lines[-1], flush=True)
    page = placed(PAGE.read_text("utf-8"), "ablation", "\n".join(lines), "make ablation")
    PAGE.write_text(page, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
