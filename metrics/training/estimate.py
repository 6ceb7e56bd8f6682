"""Trains correctness_estimate: reads people's verdicts, writes its trees into model.py, and says how good they are.

Run: make estimate DATA=path GRADES=folder, or .venv/bin/python -m metrics.training.estimate --data PATH --grades FOLDER

The file has the form that verdicts.py describes, the folder holds files as grades.py has them. Everything is seeded:
the same files and the same scikit-learn give the same bytes. Figures are of answers that the trees were not made from:
five folds by question, and once more with the system left out, too; those of made-up answers are of wordings that no
tree has seen (wordings/unseen.txt).
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from metrics.correctness_estimate.features import OF_LONG, measure
from metrics.correctness_estimate.model import JOINT, SHARES
from metrics.correctness_estimate.scoring import probability
from metrics.training import changes, chinese, denials, generator, grades, joint, long_answers, pictures
from metrics.training.questions import NumberedAnswer, Question
from metrics.training.sampler import Sampler, collect_distractors
from metrics.training.verdicts import Verdicts, read
from metrics.training.verdicts import words as words_of
from metrics.training.wording_lists import LEARNED, UNSEEN, Wordings
from metrics.training.written import Learned, write_model

FOLDS, SEED = 5, 0
# Trees, and the rows that a leaf stands for at least. Many small steps, each with some of the features to choose from:
# what chance puts into one tree others take out.
TREES = {"early_stopping": False, "max_features": 0.3}
AGREEMENT = TREES | {
    "max_iter": 180, "learning_rate": 0.05, "max_leaf_nodes": 8, "min_samples_leaf": 40, "l2_regularization": 5.0,
}  # fmt: skip
OBJECTION = TREES | {
    "max_iter": 210, "learning_rate": 0.1, "max_leaf_nodes": 16, "min_samples_leaf": 60, "l2_regularization": 1.0,
}  # fmt: skip
# Slope and start of the line through the log odds that there is no objection. Without it the trees object too often,
# for made-up answers are many. Chosen by both figures, those of people's verdicts and those of made-up answers.
OBJECTION_LINE = (1.5, 1.0)
# How much a made-up answer counts against one that people judged, by its kind: in the second ensemble, in the first.
WEIGHTS = {"not X but Y": 0.06, "right, other denied": 0.05, "two candidates": 0.06, "five candidates": 0.06}
WEIGHTS |= {"right in long text": 0.08, "sentence, entity": 0.06, "long reference": 0.09}
WEIGHTS |= {"right": 0.03, "other given name": 0.06}
WEIGHTS |= dict.fromkeys((f"form, {kind}" for kind in changes.FORMS), 0.04)
WEIGHT = 0.02
# Kinds that the first ensemble learns from; the last three it learns from alone.
AGREEING = {"sentence": 0.15, "right, number otherwise": 0.1, "long reference": 0.3}
ALONE = ["magnitude", "yes or no", "long refusal"]
AGREEING |= dict.fromkeys(ALONE, 0.3)
KINDS_OF_LONGER = {"magnitude": 700, "yes or no": 700, "long refusal": 600}  # how many of each
SHARE = 0.4  # of the questions, for each kind of made-up answers that are learned from
CHANGED = 3  # of every third question long answers are changed
SLACK = 0.0005  # of accuracy: so much is chance in where the best threshold lies
OF_TREES = slice(-len(OF_LONG))  # the others are the joint's alone
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


def asked(verdicts: Verdicts) -> list[Question]:
    """Return each question with its references and its right and wrong answers."""
    right: list[list[str]] = [[] for _ in verdicts.questions]
    wrong: list[list[str]] = [[] for _ in verdicts.questions]
    for answer in verdicts.answers:
        (right if answer.right else wrong)[answer.question].append(answer.text)
    return [
        Question(question, references, tuple(right[i]), tuple(wrong[i]))
        for i, (question, references) in enumerate(zip(verdicts.questions, verdicts.references, strict=True))
    ]


def made_up(questions: list[Question], words: Wordings, share: float) -> list[NumberedAnswer]:
    """Return made-up answers to a share of the questions."""
    sampler = Sampler(words, collect_distractors(questions), random.Random(SEED))
    return [
        NumberedAnswer(i, one)
        for i, question in enumerate(questions)
        for one in generator.make_answers([question], sampler)
        if sampler.rng.random() < share
    ]


def rows_of(found: Sequence[NumberedAnswer]) -> Rows:
    """Return made-up answers as rows."""
    _, features = measured([(one.question, one.references, one.answer) for _, one in found])
    columns = ([one.right for _, one in found], [i for i, _ in found], [one.kind for _, one in found])
    return Rows(features, *map(np.array, columns))


def learned_from(questions: list[Question]) -> Rows:
    """Return the made-up answers that are learned from. A Chinese one is in the fold of some question."""
    chance = random.Random(SEED)
    sampler = Sampler(LEARNED, collect_distractors(questions), chance)
    found = [*made_up(questions, LEARNED, SHARE), *chinese.make_chinese_answers(random.Random(SEED))]
    found += denials.make_denials(questions, sampler)
    found += chinese.make_chinese_denials(questions, chance)
    found += denials.make_claims(questions, sampler)
    found += [one for one in changes.make_changed_answers(questions, chance) if one.question_number % CHANGED == 0]
    found += long_answers.pair_long_references(questions, sampler)
    found += long_answers.make_long_answers(questions, KINDS_OF_LONGER, sampler)
    return rows_of(found)


class Model(NamedTuple):
    """Two ensembles of scikit-learn, and slope and start of the line through the second's log odds."""

    agreement: Any
    objection: Any
    columns: Any  # which features the trees read
    line: tuple[float, float] = OBJECTION_LINE

    def odds(self, features: Any) -> joint.Odds:
        """Return the log odds that an answer agrees, and those that nothing takes it back."""
        slope, start = self.line
        features = features[:, self.columns]
        return joint.Odds(
            self.agreement.decision_function(features), start + slope * self.objection.decision_function(features)
        )

    def raw(self, features: Any, names: list[str], joined: joint.Joint) -> Any:
        """Return the log odds of the product before calibration."""
        return joined.odds(self.odds(features), features, names)


def fitted(rows: Rows, made: Rows, columns: Any = OF_TREES) -> Model:
    """Return the ensembles for these rows, of trees that read some of the features.

    The first learns from people's verdicts, from whole answers as references, and from numbers in words and digits. The
    second tells an answer that takes back what it has from one that does not: made-up answers against those that people
    found right.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier

    agreeing, right = np.isin(made.kind, list(AGREEING)), rows.right
    takes_part = (~agreeing | made.right) & ~np.isin(made.kind, ALONE)
    agreement = HistGradientBoostingClassifier(random_state=SEED, **AGREEMENT).fit(
        np.r_[rows.features, made.features[agreeing]][:, columns],
        np.r_[rows.right, made.right[agreeing]],
        np.r_[np.ones(len(rows.right)), [AGREEING[kind] for kind in made.kind[agreeing]]],
    )
    objection = HistGradientBoostingClassifier(random_state=SEED, **OBJECTION).fit(
        np.r_[rows.features[right], made.features[takes_part]][:, columns],
        np.r_[np.ones(right.sum(), bool), made.right[takes_part]],
        np.r_[np.ones(right.sum()), [WEIGHTS.get(kind, WEIGHT) for kind in made.kind[takes_part]]],
    )
    return Model(agreement, objection, columns)


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


def held_out(
    rows: Rows, made: Rows, other: Rows, names: list[str], joined: joint.Joint, columns: Any = OF_TREES
) -> Held:
    """Return log odds by models that have not seen the question."""
    fold = folds(1 + int(max(some.question.max() for some in (rows, made, other) if len(some.question))))
    result = Held(np.zeros(len(rows.right)), np.zeros(len(other.right)))
    for k in range(FOLDS):
        model = fitted(rows.of(fold[rows.question] != k), made.of(fold[made.question] != k), columns)
        for target, some in zip(result, (rows, other), strict=True):
            kept = fold[some.question] == k
            if kept.any():
                target[kept] = model.raw(some.features[kept], names, joined)
    return result


def graded_rows(found: Sequence[grades.Graded]) -> Rows:
    """Return graded answers as rows: `kind` is the source, `question` a number of its own for each question."""
    number = {text: i for i, text in enumerate(dict.fromkeys((one.source, one.question) for one in found))}
    _, features = measured([(one.question, one.references, one.answer) for one in found])
    columns = ([one.right for one in found], [number[one.source, one.question] for one in found])
    return Rows(features, *map(np.array, (*columns, [one.source for one in found])))


class Material(NamedTuple):
    """All that is learned from and measured on: the features' names, people's verdicts, made-up answers to learn from
    and in other wordings, graded answers.
    """

    names: list[str]
    rows: Rows
    made: Rows
    other: Rows
    graded: Rows


def material(verdicts: Verdicts, graded: Sequence[grades.Graded]) -> Material:
    """Return everything as rows."""
    questions, (names, rows) = asked(verdicts), natural(verdicts)
    unseen = Sampler(UNSEEN, collect_distractors(questions), random.Random(SEED))
    other = [*made_up(questions, UNSEEN, 0.1), *denials.make_claims(questions, unseen)]
    return Material(names, rows, learned_from(questions), rows_of(other), graded_rows(graded))


class Trained(NamedTuple):
    """The ensembles and what joins and calibrates them; the log odds of graded answers; and, by models that have not
    seen the question, the probabilities of people's answers and of the made-up ones in other wordings.
    """

    model: Model
    joined: joint.Joint
    line: tuple[float, float]
    threshold: float
    graded: joint.Odds
    chance: Any
    hard: Any


def trained(some: Material, columns: Any = OF_TREES) -> Trained:
    """Return all that is learned, with trees that read some of the features."""
    model = fitted(some.rows, some.made, columns)
    odds = model.odds(some.graded.features)
    joined = joint.fitted(some.graded, odds, some.names)
    held = held_out(some.rows, some.made, some.other, some.names, joined, columns)
    line = platt(held.natural, some.rows.right)
    chance, hard = (likely(found, *line) for found in held)
    return Trained(model, joined, line, threshold_of(chance, some.rows.right), odds, chance, hard)


def left_out(verdicts: Verdicts) -> Any:
    """Return the estimate for each answer by models that have not seen its question."""
    questions = asked(verdicts)
    names, rows = natural(verdicts)
    made = learned_from(questions)
    held = held_out(rows, made, made.of(slice(0)), names, joint.Joint(SHARES, JOINT))
    return likely(held.natural, *platt(held.natural, rows.right))


def both_unseen(rows: Rows, made: Rows, names: list[str], joined: joint.Joint) -> Any:
    """Return log odds by models that have seen neither the question nor the system."""
    fold = folds(1 + int(max(rows.question.max(), made.question.max())))
    result = np.zeros(len(rows.right))
    for system in sorted(set(rows.kind)):
        for k in range(FOLDS):
            seen = (fold[rows.question] != k) & (rows.kind != system)
            kept = (fold[rows.question] == k) & (rows.kind == system)
            model = fitted(rows.of(seen), made.of(fold[made.question] != k))
            result[kept] = model.raw(rows.features[kept], names, joined)
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


def each_kind(rows: Rows, measure: Callable[[Any], float]) -> dict[str, float]:
    """Return a measure of each kind of the rows, which is told the rows that are of it."""
    return {kind: float(measure(rows.kind == kind)) for kind in sorted(set(rows.kind.tolist()))}


def judged_well(made: Rows, chance: Any, threshold: float) -> dict[str, float]:
    """Return the share of made-up answers of each kind that are judged as they should be."""
    hits = (chance >= threshold) == made.right
    return each_kind(made, lambda kept: hits[kept].mean())


def told_apart(graded: Rows, values: Any) -> dict[str, float]:
    """Return how well values tell right answers of each grading set from wrong ones (AUROC)."""
    from sklearn.metrics import roc_auc_score

    return each_kind(graded, lambda kept: roc_auc_score(graded.right[kept], values[kept]))


def hard_cases(made: Rows, chance: Any, threshold: float) -> None:
    """Print how many made-up answers of each kind are judged as they should be."""
    print("made-up answers in wordings that were not learned from, share judged as they should be:")
    for kind, share in judged_well(made, chance, threshold).items():
        print(f"  {kind}: {share:.3f} of {(made.kind == kind).sum()}")


def graded_report(rows: Rows, odds: Any, names: list[str]) -> None:
    """Print how well the estimate, joined by the other sources, and recall of words tell right from wrong."""
    ours, recall = told_apart(rows, odds), told_apart(rows, rows.features[:, names.index("recall_with_question")])
    print("grading sets, the source left out of the joint: AUROC, that of recall of words")
    for source, area in ours.items():
        print(f"  {source}: {area:.3f}, {recall[source]:.3f}  n {(rows.kind == source).sum()}")
    print("  mean: {:.4f}, {:.4f}".format(*(np.mean([*side.values()]) for side in (ours, recall))))


def main(command: Sequence[str] | None = None) -> int:
    """Train, write and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="PATH", help="people's verdicts")
    parser.add_argument(
        "--grades", type=Path, required=True, metavar="FOLDER", help="grading sets, as grades.py describes"
    )
    parser.add_argument(
        "--quick", action="store_true", help="leave out the figures of unseen systems, which take the longest"
    )
    given = parser.parse_args(command)
    verdicts = read(given.data)
    graded, digest = grades.read(given.grades)
    some = material(verdicts, graded)
    names, rows, made, other, others = some
    model, joined, line, threshold, odds, chance, hard = trained(some)
    words = np.array([words_of(answer.text) for answer in verdicts.answers])
    report(rows, words, chance, threshold)
    hard_cases(other, hard, threshold)
    graded_report(others, joint.left_out(others, odds, names), names)
    if not given.quick:
        again = likely(both_unseen(rows, made, names, joined), *line)
        print(f"question and system unseen: {figures(again, rows.right, threshold)}")
    usual = np.quantile(rows.features[:, OF_TREES], (0.005, 0.995), axis=0, method="nearest").T.tolist()
    learned = Learned(names[OF_TREES], model, joined, line, threshold, usual)
    digests = {"TRAINED_ON": verdicts.digest, "GRADED_BY": digest}
    size = write_model(MODEL, learned, f"{given.data.name} and grading sets", digests)
    picture = pictures.calibration(chance, rows.right)
    print(picture)
    pictures.write(CARD, picture)
    print(f"{MODEL.name}: {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
