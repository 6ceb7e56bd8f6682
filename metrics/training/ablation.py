"""What is each family of features worth? Trains the trees of correctness_estimate without it, and says what that costs.

Run: make ablation DATA=path GRADES=folder

The files are those of `make estimate`. The table goes into tests/benchmarks/README.md. Everything is seeded.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from metrics.correctness_estimate.features import OF_LONG
from metrics.training import grades, joint
from metrics.training.estimate import Material, fitted, held_out, likely, material, platt, threshold_of
from metrics.training.verdicts import read

PAGE = Path(__file__).resolve().parents[2] / "tests" / "benchmarks" / "README.md"
BEGIN, END = "<!-- ablation: written by `make ablation` -->", "<!-- end of ablation -->"
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
    "how much of a list": "list_found",
    "lengths": "length|reference_length",
    "names and the question's words in the reference": "reference_(names|asked)",
    "several references": "references",
    "the question's words": "asked_(share|recall)",
    "what is asked for": "asked_kind",
    "figures in other magnitudes": "figures_",
    "yes or no": "yes_same",
    "statements": "statements_",
}


class Cost(NamedTuple):
    """What trees are worth: AUROC on people's verdicts and on each grading set, made-up answers judged well by kind."""

    natural: float
    graded: dict[str, float]
    kinds: dict[str, float]


def worth(some: Material, columns: Sequence[int]) -> Cost:
    """Return what trees are worth that read some of the features."""
    from sklearn.metrics import roc_auc_score

    names, rows, made, other, graded = some
    odds = fitted(rows, made, columns).odds(graded.features)
    joined, apart = joint.fitted(graded, odds, names), joint.left_out(graded, odds, names)
    held = held_out(rows, made, other, names, joined, columns)
    line = platt(held.natural, rows.right)
    chance, hard = (likely(one, *line) for one in held)
    well = (hard >= threshold_of(chance, rows.right)) == other.right

    def each(side: Any, measure: Any) -> dict[str, float]:
        kinds, counts = np.unique(side.kind, return_counts=True)
        return {str(kind): measure(side.kind == kind) for kind, n in zip(kinds, counts, strict=True) if n >= FEWEST}

    return Cost(
        roc_auc_score(rows.right, chance),
        each(graded, lambda kept: roc_auc_score(graded.right[kept], apart[kept])),
        each(other, lambda kept: float(well[kept].mean())),
    )


def line(family: str, features: int, whole: Cost, without: Cost) -> str:
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
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text("\n".join([f"{before}{BEGIN}\n", *lines, f"\n{END}{after}"]), "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
