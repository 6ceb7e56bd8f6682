"""Trains correctness_estimate: reads people's verdicts, writes its trees into model.py, and says how good they are.

Run: make estimate DATA=path, or .venv/bin/python -m metrics.training.estimate --data PATH

The file has the form that verdicts.py describes. Everything is seeded: the same file and the same
scikit-learn give the same bytes. Figures are of answers that the trees were not made from: five folds by question, and
once more with the system left out, too; those of made-up answers are of wordings that no tree has seen (unseen.py).
"""

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from metrics.correctness_estimate.features import measure
from metrics.correctness_estimate.scoring import probability
from metrics.training import chinese, generator, pictures, unseen, wordings
from metrics.training.verdicts import Verdicts, read
from metrics.training.verdicts import words as words_of
from metrics.training.written import write_model

FOLDS, SEED = 5, 0
# Trees, and the rows that a leaf stands for at least.
TREES = {"max_leaf_nodes": 8, "min_samples_leaf": 20, "l2_regularization": 1.0, "early_stopping": False}
AGREEMENT = TREES | {"max_iter": 90, "learning_rate": 0.1, "min_samples_leaf": 40, "l2_regularization": 5.0}
OBJECTION = TREES | {"max_iter": 110, "learning_rate": 0.2, "min_samples_leaf": 60, "max_leaf_nodes": 16}
# Slope and start of the line through the log odds that there is no objection. Without it the trees object too often,
# for made-up answers are many. Chosen by both figures, those of people's verdicts and those of made-up answers.
OBJECTION_LINE = (1.5, 1.0)
# How much a made-up answer counts against one that people judged, by its kind: in the second ensemble, in the first.
WEIGHTS = {"not X but Y": 0.05, "right, other denied": 0.05, "five candidates": 0.03, "other given name": 0.03}
WEIGHTS |= {"right in long text": 0.08, "sentence, entity": 0.06}
WEIGHT = 0.02
AGREEING = {"sentence": 0.05, "right, number otherwise": 0.1}  # kinds that the first ensemble learns from
SHARE = 0.4  # of the questions, for each kind of made-up answers that are learned from
SLACK = 0.0005  # of accuracy: so much is chance in where the best threshold lies
FOLDER = Path(__file__).resolve().parent.parent / "correctness_estimate"
MODEL, CARD = FOLDER / "model.py", FOLDER / "README.md"


class Rows(NamedTuple):
    """Answers as numbers: features, whether right, which question, and what kind of answer each is."""

    features: Any
    right: Any
    question: Any
    kind: Any

    def of(self, kept: Any) -> "Rows":
        """Return some of the rows."""
        return Rows(*(column[kept] for column in self))


def measured(texts: Sequence[tuple[str, Sequence[str], str]]) -> tuple[list[str], Any]:
    """Return the names of the features, and the features of (question, references, answer)."""
    rows = [measure(answer, references, question).features for question, references, answer in texts]
    return list(rows[0]), np.array([list(row.values()) for row in rows])


def natural(verdicts: Verdicts) -> tuple[list[str], Rows]:
    """Return the names of the features and the rows that people judged."""
    texts = [(verdicts.questions[a.question], verdicts.references[a.question], a.text) for a in verdicts.answers]
    names, features = measured(texts)
    right = np.array([a.right for a in verdicts.answers])
    question = np.array([a.question for a in verdicts.answers])
    return names, Rows(features, right, question, np.array([a.system for a in verdicts.answers]))


def asked(verdicts: Verdicts) -> list[generator.Asked]:
    """Return each question with its references and its right and wrong answers."""
    right: list[list[str]] = [[] for _ in verdicts.questions]
    wrong: list[list[str]] = [[] for _ in verdicts.questions]
    for answer in verdicts.answers:
        (right if answer.right else wrong)[answer.question].append(answer.text)
    return [
        generator.Asked(question, references, tuple(right[i]), tuple(wrong[i]))
        for i, (question, references) in enumerate(zip(verdicts.questions, verdicts.references, strict=True))
    ]


Numbered = tuple[int, generator.Made]  # a made-up answer with the number of its question


def made_up(questions: list[generator.Asked], words: ModuleType, share: float) -> list[Numbered]:
    """Return made-up answers to a share of the questions."""
    chance, lent = random.Random(SEED), generator.others(questions)
    return [
        (i, one)
        for i, question in enumerate(questions)
        for one in generator.made([question], words, chance, lent)
        if chance.random() < share
    ]


def rows_of(found: Sequence[Numbered]) -> Rows:
    """Return made-up answers as rows."""
    _, features = measured([(one.question, one.references, one.answer) for _, one in found])
    columns = ([one.right for _, one in found], [i for i, _ in found], [one.kind for _, one in found])
    return Rows(features, *map(np.array, columns))


def learned_from(questions: list[generator.Asked]) -> Rows:
    """Return the made-up answers that are learned from. A Chinese one is in the fold of some question."""
    return rows_of([*made_up(questions, wordings, SHARE), *chinese.made(random.Random(SEED))])


class Model(NamedTuple):
    """Two ensembles of scikit-learn, and slope and start of the line through the second's log odds."""

    agreement: Any
    objection: Any
    line: tuple[float, float] = OBJECTION_LINE

    def raw(self, features: Any) -> Any:
        """Return the log odds of the product before calibration."""
        slope, start = self.line
        one = np.exp(-self.agreement.decision_function(features))
        other = np.exp(-start - slope * self.objection.decision_function(features))
        return -np.log(one + other + one * other)


def fitted(rows: Rows, made: Rows) -> Model:
    """Return the ensembles for these rows.

    The first learns from people's verdicts, from whole answers as references, and from numbers in words and digits. The
    second tells an answer that takes back what it has from one that does not: made-up answers against those that people
    found right.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    agreeing, right = np.isin(made.kind, list(AGREEING)), rows.right
    takes_part = ~agreeing | made.right
    agreement = HistGradientBoostingClassifier(random_state=SEED, **AGREEMENT).fit(
        np.r_[rows.features, made.features[agreeing]],
        np.r_[rows.right, made.right[agreeing]],
        np.r_[np.ones(len(rows.right)), [AGREEING[kind] for kind in made.kind[agreeing]]],
    )
    objection = HistGradientBoostingClassifier(random_state=SEED, **OBJECTION).fit(
        np.r_[rows.features[right], made.features[takes_part]],
        np.r_[np.ones(right.sum(), bool), made.right[takes_part]],
        np.r_[np.ones(right.sum()), [WEIGHTS.get(kind, WEIGHT) for kind in made.kind[takes_part]]],
    )
    return Model(agreement, objection)


def likely(odds: Any, slope: float, start: float) -> Any:
    """Return the probabilities of log odds after calibration."""
    return np.array([probability(one) for one in start + slope * odds])


def platt(odds: Any, right: Any) -> tuple[float, float]:
    """Return slope and start of the line through log odds that makes the verdicts likeliest (Newton's method)."""
    slope, start = 1.0, 0.0
    columns = np.stack([odds, np.ones(len(odds))])
    for _ in range(50):
        expected = likely(odds, slope, start)
        curve = (columns * (expected * (1 - expected))) @ columns.T
        step = np.linalg.solve(curve, columns @ (right - expected))
        slope, start = slope + step[0], start + step[1]
    return float(slope), float(start)


def threshold_of(chance: Any, right: Any) -> float:
    """Return from which estimate on an answer counts as right: the middle of those that are as good as the best."""
    steps = np.arange(300, 701) / 1000
    accuracy = np.array([((chance >= one) == right).mean() for one in steps])
    return float(np.median(steps[accuracy >= accuracy.max() - SLACK]))


def folds(questions: int) -> Any:
    """Return which fold each question is in."""
    return np.random.RandomState(SEED).permutation(np.arange(questions)) % FOLDS


class Held(NamedTuple):
    """Log odds of rows that were not trained on: those of people, and made-up ones with seen and unseen wordings."""

    natural: Any
    unseen: Any


def held_out(rows: Rows, made: Rows, other: Rows, fold: Any) -> Held:
    """Return log odds by models that have not seen the question."""
    result = Held(np.zeros(len(rows.right)), np.zeros(len(other.right)))
    for k in range(FOLDS):
        model = fitted(rows.of(fold[rows.question] != k), made.of(fold[made.question] != k))
        for target, some in zip(result, (rows, other), strict=True):
            kept = fold[some.question] == k
            if kept.any():
                target[kept] = model.raw(some.features[kept])
    return result


def left_out(verdicts: Verdicts) -> Any:
    """Return the estimate for each answer by models that have not seen its question."""
    questions = asked(verdicts)
    _, rows = natural(verdicts)
    made = learned_from(questions)
    held = held_out(rows, made, made.of(slice(0)), folds(len(questions)))
    return likely(held.natural, *platt(held.natural, rows.right))


def both_unseen(rows: Rows, made: Rows, fold: Any) -> Any:
    """Return log odds by models that have seen neither the question nor the system."""
    result = np.zeros(len(rows.right))
    for system in sorted(set(rows.kind)):
        for k in range(FOLDS):
            seen = (fold[rows.question] != k) & (rows.kind != system)
            kept = (fold[rows.question] == k) & (rows.kind == system)
            result[kept] = fitted(rows.of(seen), made.of(fold[made.question] != k)).raw(rows.features[kept])
    return result


def tau(chance: Any, rows: Rows) -> float:
    """Return Kendall's tau between the systems' mean estimates and their shares of right answers."""
    from scipy.stats import kendalltau

    systems = sorted(set(rows.kind))
    return float(kendalltau(*([side[rows.kind == one].mean() for one in systems] for side in (chance, rows.right)))[0])


def figures(chance: Any, right: Any, threshold: float) -> str:
    """Return AUROC, accuracy, Brier score and expected calibration error in words."""
    from sklearn.metrics import roc_auc_score

    off = sum(one.answers * abs(one.chance - one.right) for one in pictures.tenths(chance, right)) / len(right)
    return (
        f"AUROC {roc_auc_score(right, chance):.4f}  accuracy {((chance >= threshold) == right).mean():.4f}  "
        f"Brier {((chance - right) ** 2).mean():.4f}  ECE {off:.4f}  n {len(right)}"
    )


def report(rows: Rows, words: Any, chance: Any, threshold: float) -> None:
    """Print how good the estimate is on people's verdicts: in all, by length, by system."""
    print(f"five folds by question: {figures(chance, rows.right, threshold)}  tau {tau(chance, rows):.2f}")
    print(f"threshold {threshold:.4f}")
    for name, low, high in (("under 5", 0, 5), ("5 to 20", 5, 21), ("21 to 40", 21, 41), ("over 40", 41, 10**9)):
        kept = (words >= low) & (words < high)
        print(f"  {name} words: {figures(chance[kept], rows.right[kept], threshold)}")
    for system in sorted(set(rows.kind)):
        kept = rows.kind == system
        print(f"  {system}: {figures(chance[kept], rows.right[kept], threshold)}")


def hard_cases(made: Rows, chance: Any, threshold: float) -> None:
    """Print how many made-up answers of each kind are judged as they should be."""
    print("made-up answers in wordings that were not learned from, share judged as they should be:")
    for kind in sorted(set(made.kind)):
        kept = made.kind == kind
        hits = ((chance >= threshold) == made.right)[kept]
        print(f"  {kind}: {hits.mean():.3f} of {kept.sum()}")


def main(command: Sequence[str] | None = None) -> int:
    """Train, write and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="PATH", help="people's verdicts")
    parser.add_argument(
        "--quick", action="store_true", help="leave out the figures of unseen systems, which take the longest"
    )
    given = parser.parse_args(command)
    verdicts = read(given.data)
    questions = asked(verdicts)
    names, rows = natural(verdicts)
    made, other = learned_from(questions), rows_of(made_up(questions, unseen, 0.1))
    fold = folds(len(questions))
    held = held_out(rows, made, other, fold)
    slope, start = platt(held.natural, rows.right)
    chance, hard = (likely(odds, slope, start) for odds in held)
    threshold = threshold_of(chance, rows.right)
    words = np.array([words_of(answer.text) for answer in verdicts.answers])
    report(rows, words, chance, threshold)
    hard_cases(other, hard, threshold)
    if not given.quick:
        again = likely(both_unseen(rows, made, fold), slope, start)
        print(f"question and system unseen: {figures(again, rows.right, threshold)}")
    size = write_model(MODEL, names, fitted(rows, made), (slope, start), threshold, given.data.name, verdicts.digest)
    picture = pictures.calibration(chance, rows.right)
    print(picture)
    pictures.write(CARD, picture)
    print(f"{MODEL.name}: {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
