"""Measure how much each part of correctness_estimate contributes, by training without it.

A part is a group of features, a family of objections or a kind of decision.

Run: make ablation DATA=path GRADES=folder

The files are those of `make estimate`. All answers are measured once; one in four of the made-up
ones is used for training. There are five trainings with different seeds. Each leaves out another
fifth of the questions, and is measured on that fifth and on the grading sets. Objections and
decisions are not part of the trees: without them only the calibration is fitted again. The table is
written into metrics/benchmarks/README.md.
"""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial, reduce
from multiprocessing import get_context
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from metrics.benchmarks.report import replace_section
from metrics.correctness_estimate.measure import OBJECTION_KINDS
from metrics.correctness_estimate.model import THRESHOLD
from metrics.training import grades
from metrics.training.estimate import (
    FOLDS,
    Material,
    assign_folds,
    collect_material,
    estimate_held,
    fit_calibration,
    make_parser,
    measure_set_areas,
    measure_made,
)
from metrics.training.fitting import (
    Model,
    apply_objections,
    compute_odds,
    fit_ensembles,
    fit_heads,
    is_relation,
    measure_heads,
)
from metrics.training.rows import Rows, concatenate_rows
from metrics.training.verdicts import read_verdicts
from tests.support.project import ROOT

# One made-up answer in this many is used for training, which is enough to compare.
EVERY = 4
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
    """The model of a fold, and its values for the answers to the fold's questions.

    Attributes:
        rows, made, other: people's answers, made-up ones, and made-up ones in other wordings, to
            questions that were left out.
        model: the model before calibration.
        held: for each of the three, the agreement and the log odds that it is upheld.
    """

    rows: Rows
    made: Rows
    other: Rows
    model: Model
    held: list[Any]


@dataclass(frozen=True)
class Worth:
    """The figures of a training.

    Attributes:
        natural: the AUROC on people's verdicts.
        graded: the mean AUROC on the grading sets.
        made: the share of made-up answers with the right verdict, as a mean over their kinds.
    """

    natural: float
    graded: float
    made: float


def train_folds(material: Material) -> list[Training]:
    """Return five trainings, each without another fifth of the questions."""
    parts = (material.rows, material.made, material.other)
    last_question = max(rows.question.max() for rows in parts)
    folds = assign_folds(1 + int(last_question))
    return [train_fold(material, folds, fold) for fold in range(FOLDS)]


def train_fold(material: Material, folds: Any, fold: int) -> Training:
    """Return a training without the questions of a fold; its seed is the fold's number."""
    learned_rows = material.rows.select(folds[material.rows.question] != fold)
    made = material.made.select(~is_relation(material.made))
    learned_made = made.select(folds[made.question] != fold)
    model = fit_ensembles(learned_rows, learned_made, fold)
    model = fit_heads(material.graded, model)
    parts = []
    held_out = list[Any]()
    for part in (material.rows, material.made, material.other):
        rows = part.select(folds[part.question] == fold)
        heads = measure_heads(rows, model)
        parts.append(rows)
        held_out.append(np.array([heads.agreement, heads.upheld]))
    rows, made, other = parts
    return Training(rows, made, other, model, held_out)


def fit_joint_calibration(trainings: Sequence[Training], graded: Rows) -> Model:
    """Return a model with one calibration, fitted to all trainings together."""
    rows = reduce(concatenate_rows, [training.rows for training in trainings])
    made = reduce(concatenate_rows, [training.made for training in trainings])
    of_rows = np.hstack([training.held[0] for training in trainings])
    of_made = np.hstack([training.held[1] for training in trainings])
    joined = Material(rows, made, made, graded)
    return fit_calibration(joined, trainings[0].model, [of_rows, of_made])


def measure_worths(trainings: Sequence[Training], graded: Rows) -> list[Worth]:
    """Return the figures of each training, with one calibration for all."""
    calibrated = fit_joint_calibration(trainings, graded)
    return [measure_worth(training, graded, calibrated) for training in trainings]


def measure_worth(training: Training, graded: Rows, calibrated: Model) -> Worth:
    """Return the figures of a training."""
    model = replace(
        training.model,
        calibration=calibrated.calibration,
        objections=calibrated.objections,
        decided=calibrated.decided,
    )
    graded_odds = compute_odds(measure_heads(graded, model), model)
    areas = measure_set_areas(graded, apply_objections(graded, graded_odds, model))
    estimates = estimate_held(training.rows, model, training.held[0])
    made_estimates = estimate_held(training.other, model, training.held[2])
    made = measure_made(training.other, made_estimates, THRESHOLD)
    return Worth(
        natural=float(roc_auc_score(training.rows.right, estimates)),
        graded=float(np.mean(list(areas.values()))),
        made=float(np.mean(list(made.values()))),
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


def measure_without_rules(material: Material) -> dict[str, list[Worth]]:
    """Return the figures of trainings as they are, and without each kind of rule.

    A rule is an objection or a decision.
    """
    trainings, graded = train_folds(material), material.graded
    figures = {"": measure_worths(trainings, graded)}
    every_kind = [kind for kinds in DECISION_KINDS.values() for kind in kinds]
    families: dict[str, Sequence[str]] = {"all objections": OBJECTION_KINDS, **OBJECTION_FAMILIES}
    decisions: dict[str, Sequence[str]] = {"all decisions": every_kind, **DECISION_KINDS}
    for name, kinds in families.items():
        drop = partial(drop_objections, kinds=kinds)
        changed = change_rows(trainings, drop)
        figures[f"objections: {name}"] = measure_worths(changed, drop(graded))
    for name, kinds in decisions.items():
        drop = partial(drop_decisions, kinds=kinds)
        changed = change_rows(trainings, drop)
        figures[f"decisions: {name}"] = measure_worths(changed, drop(graded))
    return figures


def change_rows(trainings: Sequence[Training], change: Callable[[Rows], Rows]) -> list[Training]:
    """Return trainings with all of their rows changed by a function."""
    changed = list[Training]()
    for training in trainings:
        rows, made, other = map(change, (training.rows, training.made, training.other))
        changed.append(replace(training, rows=rows, made=made, other=other))
    return changed


def measure_part(group: str, material: Material) -> dict[str, list[Worth]]:
    """Return the figures of trainings without a group of features.

    If `group` is empty, all features stay, and each kind of objection and decision is left out.
    """
    if not group:
        return measure_without_rules(material)
    blank = partial(blank_features, beginnings=FEATURE_GROUPS[group])
    parts = (material.rows, material.made, material.other, material.graded)
    blanked = Material(*map(blank, parts))
    return {f"features: {group}": measure_worths(train_folds(blanked), blanked.graded)}


def measure_trainings(material: Material) -> dict[str, list[Worth]]:
    """Return the figures of the five trainings, with all parts and without each."""
    # Each process has one thread: trees of so few rows gain little from more threads.
    os.environ["OMP_NUM_THREADS"] = "1"
    figures = dict[str, list[Worth]]()
    with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
        measure = partial(measure_part, material=material)
        for worths in pool.map(measure, ("", *FEATURE_GROUPS)):
            print(".", end="", flush=True, file=sys.stderr)
            figures |= worths
    return figures


def format_losses(figures_of_parts: dict[str, list[Worth]]) -> str:
    """Return the table of losses without each part.

    A loss is the mean over the trainings, with the standard deviation.
    """
    whole = figures_of_parts[""]
    lines = [
        "| without | NQ, AUROC | grading sets, mean AUROC | made-up answers, mean share correct |",
        "|---|---|---|---|",
    ]
    for part, without in figures_of_parts.items():
        cells = [part or "nothing: the figures themselves"]
        for figure in ("natural", "graded", "made"):
            values = np.array([getattr(worth, figure) for worth in without])
            if not part:
                cells.append(f"{values.mean():.4f} ({values.std(ddof=1):.4f})")
                continue
            losses = values - [getattr(worth, figure) for worth in whole]
            cells.append(f"{losses.mean():+.4f} ({losses.std(ddof=1):.4f})")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main(command: Sequence[str] | None = None) -> int:
    """Measure, print and write the table."""
    arguments = make_parser(__doc__).parse_args(command)
    graded, _ = grades.read_grades(arguments.grades)
    material = collect_material(read_verdicts(arguments.data), graded)
    numbers = np.arange(len(material.made.right))
    made = material.made.select(numbers % EVERY == 0)
    material = replace(material, made=made)
    table = format_losses(measure_trainings(material))
    print(table)
    page = replace_section(PAGE.read_text("utf-8"), "ablation", table, "make ablation")
    PAGE.write_text(page, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
