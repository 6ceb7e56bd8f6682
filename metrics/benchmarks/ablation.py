"""Measure how much each part of correctness_estimate contributes, by training without it.

A part is a group of features, a family of objections or a kind of decision.

Run: make ablation DATA=path GRADES=folder

The files are those of `make estimate`. One in four of the made-up answers is used for training.
There are five trainings with different seeds. Each leaves out another fifth of the questions, and
is measured on that fifth and on the grading sets. Objections and decisions are not part of the
trees: without them only the calibration is fitted again. The table is written into
metrics/benchmarks/README.md.
"""

import itertools
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial, reduce
from multiprocessing import get_context

import numpy as np
from sklearn.metrics import roc_auc_score

from metrics.benchmarks.report import format_table, write_section
from metrics.correctness_estimate.measure import OBJECTION_KINDS
from metrics.correctness_estimate.model import THRESHOLD
from metrics.training import grades
from metrics.training.estimate import (
    FOLDS,
    Material,
    assign_folds,
    collect_material,
    compute_estimates,
    fit_calibration,
    make_parser,
    measure_made_accuracy,
    measure_odds,
    measure_set_areas,
)
from metrics.training.fitting import (
    Model,
    TreeOdds,
    fit_ensembles,
    fit_heads,
    is_relation,
    measure_trees,
)
from metrics.training.rows import Array, Rows, concatenate_rows
from metrics.training.verdicts import read_verdicts
from tests.support.project import ROOT

# One made-up answer in this many is used for training, which is enough to compare.
MADE_ANSWER_STEP = 4
PAGE = ROOT / "metrics" / "benchmarks" / "README.md"
# Groups of features, each with the beginnings of its features' names.
FEATURE_GROUPS = {
    "the reference's letters and words": (
        "trigrams",
        "recall_weighted",
        "recall_spelling",
        "recall_rare",
        "f_rare",
    ),
    "its words in sequence, and their places": ("recall_run", "recall_dense", "match_"),
    "its words with the question's, and by clauses": ("recall_with_question", "recall_clauses"),
    "how many words are new": ("precision", "new_words"),
    "lengths": ("length",),
    "figures in other magnitudes": ("figure",),
    "several references": ("references_found",),
    "what the question asks for": ("asked_kind",),
    "yes or no, and refusals": ("yes_or_no", "refusal"),
    "denials, and words such as untrue": ("denied_", "untrue_", "barred"),
    "what dismisses or confirms an answer, and a rival answer": ("set_aside_", "stance", "rival_"),
    "several candidates, and hedges": ("several_", "strange_names", "hedges"),
}
OBJECTION_FAMILIES = {
    "another number, date or unit": ("number",),
    "another name": ("name", "name_part"),
    "an opposite": ("opposite",),
    "a denial": ("denied", "affirmed"),
    "items missing or added": ("partial", "added"),
    "two candidates": ("either",),
    "exchanged roles": ("roles",),
    "things in exchanged places": ("swapped",),
    "a changed copied sentence": ("edited",),
}
# Kinds of decisions (outcomes.Decision.kind).
DECISION_KINDS = {
    "a value": ("value", "number", "date", "unit"),
    "a formula or code": ("formula",),
    "an option": ("option",),
    "yes or no": ("yes_no",),
    "initials, a surname": ("name",),
    "a denied opposite": ("opposite",),
    "a list": ("list", "added", "swapped"),
    "roles": ("roles",),
}


@dataclass(frozen=True)
class Training:
    """The model of a fold, and the answers to the fold's questions, which it was not trained on.

    Attributes:
        judged, made, unseen: people's answers, made-up ones, and made-up ones in unseen wordings.
        judged_odds, made_odds, unseen_odds: the log odds of the model's ensembles for each.
        model: the model before calibration.
    """

    judged: Rows
    made: Rows
    unseen: Rows
    judged_odds: TreeOdds
    made_odds: TreeOdds
    unseen_odds: TreeOdds
    model: Model


@dataclass(frozen=True)
class Figures:
    """The figures of a training.

    Attributes:
        judged: the AUROC on people's verdicts.
        graded: the mean AUROC on the grading sets.
        made: the share of made-up answers with the right verdict, as a mean over their kinds.
    """

    judged: float
    graded: float
    made: float


def train_folds(material: Material) -> list[Training]:
    """Return five trainings, each without another fifth of the questions."""
    folds = assign_folds(material.judged, material.made, material.unseen)
    return [train_fold(material, folds, fold) for fold in range(FOLDS)]


def train_fold(material: Material, folds: Array, fold: int) -> Training:
    """Return a training without the questions of a fold; its seed is the fold's number."""
    judged_to_learn = material.judged.select(folds[material.judged.question] != fold)
    made = material.made.select(~is_relation(material.made))
    made_to_learn = made.select(folds[made.question] != fold)
    model = fit_ensembles(judged_to_learn, made_to_learn, fold)
    model = fit_heads(material.graded, model)

    judged = material.judged.select(folds[material.judged.question] == fold)
    made = material.made.select(folds[material.made.question] == fold)
    unseen = material.unseen.select(folds[material.unseen.question] == fold)
    return Training(
        judged,
        made,
        unseen,
        judged_odds=measure_trees(judged, model),
        made_odds=measure_trees(made, model),
        unseen_odds=measure_trees(unseen, model),
        model=model,
    )


def fit_joint_calibration(trainings: Sequence[Training], graded: Rows) -> Model:
    """Return a model with one calibration, fitted to all trainings together."""
    judged = reduce(concatenate_rows, [training.judged for training in trainings])
    made = reduce(concatenate_rows, [training.made for training in trainings])
    judged_odds = join_odds([training.judged_odds for training in trainings])
    made_odds = join_odds([training.made_odds for training in trainings])
    # Calibration does not read the answers in unseen wordings.
    material = Material(judged, made, unseen=made, graded=graded)
    return fit_calibration(material, trainings[0].model, judged_odds, made_odds)


def join_odds(all_odds: Sequence[TreeOdds]) -> TreeOdds:
    """Return the log odds of the answers of several trainings."""
    return TreeOdds(
        agreement=np.concatenate([odds.agreement for odds in all_odds]),
        upheld=np.concatenate([odds.upheld for odds in all_odds]),
    )


def measure_trainings(trainings: Sequence[Training], graded: Rows) -> list[Figures]:
    """Return the figures of each training, with one calibration for all."""
    calibrated = fit_joint_calibration(trainings, graded)
    return [measure_training(training, graded, calibrated) for training in trainings]


def measure_training(training: Training, graded: Rows, calibrated: Model) -> Figures:
    """Return the figures of a training."""
    model = replace(
        training.model,
        calibration=calibrated.calibration,
        objections=calibrated.objections,
        decided=calibrated.decided,
    )
    areas = measure_set_areas(graded, measure_odds(graded, model))
    estimates = compute_estimates(training.judged, model, training.judged_odds)
    unseen_estimates = compute_estimates(training.unseen, model, training.unseen_odds)
    accuracies = measure_made_accuracy(training.unseen, unseen_estimates, THRESHOLD)
    return Figures(
        judged=float(roc_auc_score(training.judged.right, estimates)),
        graded=float(np.mean(list(areas.values()))),
        made=float(np.mean(list(accuracies.values()))),
    )


def blank_features(rows: Rows, beginnings: tuple[str, ...]) -> Rows:
    """Return rows whose features of a group are all 0."""
    features = rows.features.copy()
    for i, name in enumerate(rows.names):
        if name.startswith(beginnings):
            features[:, i] = 0
    return replace(rows, features=features)


def drop_objections(rows: Rows, kinds: Sequence[str]) -> Rows:
    """Return rows without objections of some kinds."""
    is_dropped = np.isin(OBJECTION_KINDS, kinds)
    evidence = np.where(is_dropped, 0.0, rows.evidence)
    return replace(rows, evidence=evidence)


def drop_decisions(rows: Rows, kinds: Sequence[str]) -> Rows:
    """Return rows without decisions of some kinds."""
    decisions = rows.decisions.copy()
    for i, decision in enumerate(decisions):
        if decision and decision.kind in kinds:
            decisions[i] = None
    return replace(rows, decisions=decisions)


def measure_without_rules(material: Material) -> dict[str, list[Figures]]:
    """Return the figures of trainings as they are, and without each kind of rule.

    A rule is an objection or a decision.
    """
    trainings, graded = train_folds(material), material.graded
    figures = {"": measure_trainings(trainings, graded)}
    every_kind = itertools.chain.from_iterable(DECISION_KINDS.values())
    families: dict[str, Sequence[str]] = {"all objections": OBJECTION_KINDS, **OBJECTION_FAMILIES}
    decisions: dict[str, Sequence[str]] = {"all decisions": tuple(every_kind), **DECISION_KINDS}
    for name, kinds in families.items():
        drop = partial(drop_objections, kinds=kinds)
        changed = change_rows(trainings, drop)
        figures[f"objections: {name}"] = measure_trainings(changed, drop(graded))
    for name, kinds in decisions.items():
        drop = partial(drop_decisions, kinds=kinds)
        changed = change_rows(trainings, drop)
        figures[f"decisions: {name}"] = measure_trainings(changed, drop(graded))
    return figures


def change_rows(trainings: Sequence[Training], change: Callable[[Rows], Rows]) -> list[Training]:
    """Return trainings with all of their rows changed by a function."""
    changed = []
    for training in trainings:
        new_training = replace(
            training,
            judged=change(training.judged),
            made=change(training.made),
            unseen=change(training.unseen),
        )
        changed.append(new_training)
    return changed


def measure_without_features(group: str, material: Material) -> dict[str, list[Figures]]:
    """Return the figures of trainings without a group of features."""
    blank = partial(blank_features, beginnings=FEATURE_GROUPS[group])
    blanked = Material(
        judged=blank(material.judged),
        made=blank(material.made),
        unseen=blank(material.unseen),
        graded=blank(material.graded),
    )
    return {f"features: {group}": measure_trainings(train_folds(blanked), blanked.graded)}


def measure_parts(material: Material) -> dict[str, list[Figures]]:
    """Return the figures of the five trainings, with all parts ("") and without each."""
    # Each process has one thread: trees of so few rows gain little from more threads.
    os.environ["OMP_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
        results = [pool.submit(measure_without_rules, material)]
        for group in FEATURE_GROUPS:
            results.append(pool.submit(measure_without_features, group, material))
        figures = dict[str, list[Figures]]()
        for result in results:
            figures |= result.result()
            print(".", end="", flush=True, file=sys.stderr)
    return figures


def format_losses(figures_of_parts: dict[str, list[Figures]]) -> str:
    """Return the table of losses without each part.

    A loss is the mean over the trainings, with the standard deviation in brackets. The first line
    has the figures with all parts.
    """
    titles = {
        "judged": "NQ, AUROC",
        "graded": "grading sets, mean AUROC",
        "made": "made-up answers, mean share correct",
    }
    rows = []
    for part, trainings in figures_of_parts.items():
        row = [part or "nothing: the figures themselves"]
        for name in titles:
            values = np.array([getattr(figures, name) for figures in trainings])
            if part:
                losses = values - [getattr(figures, name) for figures in figures_of_parts[""]]
                row.append(f"{losses.mean():+.4f} ({losses.std(ddof=1):.4f})")
            else:
                row.append(f"{values.mean():.4f} ({values.std(ddof=1):.4f})")
        rows.append(row)
    return format_table(("without", *titles.values()), rows)


def main(command: Sequence[str] | None = None) -> int:
    """Measure, print and write the table."""
    arguments = make_parser(__doc__).parse_args(command)
    graded, _ = grades.read_grades(arguments.grades)
    material = collect_material(read_verdicts(arguments.data), graded)
    numbers = np.arange(len(material.made.right))
    made = material.made.select(numbers % MADE_ANSWER_STEP == 0)
    material = replace(material, made=made)
    table = format_losses(measure_parts(material))
    print(table)
    write_section(PAGE, "ablation", table, "make ablation")
    return 0


if __name__ == "__main__":
    sys.exit(main())
