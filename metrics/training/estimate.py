"""Train correctness_estimate on people's verdicts, write model.py and report how good it is.

Run: make estimate DATA=path GRADES=folder, or .venv/bin/python -m metrics.training.estimate --data
PATH --grades FOLDER

verdicts.py describes the file, grades.py the files in the folder. All random numbers have a fixed
seed: the same files and the same scikit-learn give the same bytes. Figures are of answers that the
trees were not trained on. There are five folds by question; in another run the system is left out,
too. Figures of made-up answers use wordings that the trees were not trained on
(wordings/unseen.txt).
"""

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from metrics.correctness_estimate.log_odds import HeadWeights, join_heads
from metrics.correctness_estimate.measure import OBJECTION_KINDS
from metrics.correctness_estimate.model import RAREST, RARITY_TEXT
from metrics.training import (
    changes,
    chinese,
    denials,
    generator,
    grades,
    long_answers,
    pictures,
    relations,
)
from metrics.training.fitting import (
    SEED,
    STANCE_LINE,
    Model,
    make_heads,
    apply_objections,
    compute_odds,
    compute_probabilities,
    fit_decided,
    fit_ensembles,
    fit_heads,
    fit_line,
    fit_objections,
    is_open,
    is_relation,
    measure_heads,
)
from metrics.training.questions import NumberedAnswer, Question
from metrics.training.rows import (
    Rows,
    measure_graded_answers,
    measure_made_answers,
    measure_verdicts,
)
from metrics.training.sampler import Sampler, collect_source_texts
from metrics.training.verdicts import Verdicts, count_words, read_verdicts
from metrics.training.wording_lists import LEARNED, UNSEEN, Wordings
from metrics.training.written import Learned, write_model

FOLDS = 5
# How many long answers are made up, by their kind.
COUNTS = {
    "magnitude": 700,
    "yes or no": 700,
    "long refusal": 600,
}
# The share of made-up answers that the model learns from, and that of those it is measured on.
SHARE = 0.4
UNSEEN_SHARE = 0.1
# The model learns from changes of long answers to one question in three.
CHANGED_EVERY = 3
# Thresholds whose accuracy is lower than the best by no more than this are equally good.
SLACK = 0.0005
# The groups of answers by their number of words: the least and the most.
WORD_COUNTS = {
    "under 5": (0, 4),
    "5 to 20": (5, 20),
    "21 to 40": (21, 40),
    "over 40": (41, math.inf),
}
FOLDER = Path(__file__).resolve().parent.parent / "correctness_estimate"
MODEL, REPORT = FOLDER / "model.py", Path(__file__).with_name("README.md")


# ---- the answers to learn from


@dataclass(frozen=True)
class Material:
    """All the answers that the model learns from, or is measured on.

    Attributes:
        rows: people's verdicts.
        made: made-up answers to learn from.
        other: made-up answers in other wordings, to measure.
        graded: graded answers.
    """

    rows: Rows
    made: Rows
    other: Rows
    graded: Rows


def collect_questions(verdicts: Verdicts) -> list[Question]:
    """Return each question with its references and its right and wrong answers."""
    right = defaultdict[int, list[str]](list)
    wrong = defaultdict[int, list[str]](list)
    for answer in verdicts.answers:
        texts = right if answer.right else wrong
        texts[answer.question].append(answer.text)
    questions = []
    for number, text in enumerate(verdicts.questions):
        question = Question(
            text,
            verdicts.references[number],
            tuple(right[number]),
            tuple(wrong[number]),
        )
        questions.append(question)
    return questions


def is_changed(question_number: int) -> bool:
    """Return whether the model learns from changes of the long answers to a question."""
    return question_number % CHANGED_EVERY == 0


def sample_made_answers(
    questions: list[Question], wordings: Wordings, share: float
) -> list[NumberedAnswer]:
    """Return made-up answers to the questions, each kept with the chance `share`."""
    sampler = Sampler(wordings, collect_source_texts(questions), Random(SEED))
    answers = list[NumberedAnswer]()
    for number, question in enumerate(questions):
        for answer in generator.make_answers([question], sampler):
            if sampler.rng.random() < share:
                answers.append(NumberedAnswer(number, answer))
    return answers


def make_learned_answers(questions: list[Question]) -> list[NumberedAnswer]:
    """Return the made-up answers that the model learns from.

    Chinese answers have the number of some question, so that they are in a fold.
    """
    rng = Random(SEED)
    sampler = Sampler(LEARNED, collect_source_texts(questions), rng)
    answers = sample_made_answers(questions, LEARNED, SHARE)
    answers += chinese.make_chinese_answers(Random(SEED))
    answers += denials.make_denials(questions, sampler)
    answers += chinese.make_chinese_denials(questions, rng)
    answers += denials.make_claims(questions, sampler)
    changed = changes.make_changed_answers(questions, rng)
    answers += [answer for answer in changed if is_changed(answer.question_number)]
    answers += long_answers.pair_long_references(questions, sampler)
    answers += long_answers.make_long_answers(questions, COUNTS, sampler)
    return answers


def make_contrast_rows(questions: list[Question]) -> list[NumberedAnswer]:
    """Return the made-up answers that only the weights of objections are fitted to."""
    sampler = Sampler(LEARNED, collect_source_texts(questions), Random(SEED))
    return list(relations.make_relations(questions, sampler))


def collect_material(verdicts: Verdicts, graded: Sequence[grades.Graded]) -> Material:
    """Return all answers as measured rows."""
    questions = collect_questions(verdicts)
    other = sample_made_answers(questions, UNSEEN, UNSEEN_SHARE)
    sampler = Sampler(UNSEEN, collect_source_texts(questions), Random(SEED))
    other += denials.make_claims(questions, sampler)
    made = [*make_learned_answers(questions), *make_contrast_rows(questions)]
    return Material(
        measure_verdicts(verdicts),
        measure_made_answers(made),
        measure_made_answers(other),
        measure_graded_answers(graded),
    )


# ---- training


def assign_folds(questions: int) -> Any:
    """Return the fold of each question."""
    return np.random.RandomState(SEED).permutation(np.arange(questions)) % FOLDS


def hold_out(
    targets: Sequence[Rows],
    rows: Rows,
    made: Rows,
    seed: int = SEED,
) -> list[Any]:
    """Return the values of both ensembles for rows whose questions they were not trained on.

    Args:
        targets: the rows to measure.
        rows: people's verdicts, to train on.
        made: made-up answers, to train on.
        seed: the seed of the ensembles.

    Returns:
        for each target an array of two rows: the agreement, and the log odds that it is upheld.
    """
    last_question = max(target.question.max() for target in (rows, made, *targets))
    fold = assign_folds(1 + int(last_question))
    learned = made.select(~is_relation(made))
    results = [np.zeros((2, len(target.right))) for target in targets]
    for k in range(FOLDS):
        trained_on = rows.select(fold[rows.question] != k)
        made_trained_on = learned.select(fold[learned.question] != k)
        model = fit_ensembles(trained_on, made_trained_on, seed)
        for result, target in zip(results, targets, strict=True):
            is_in_fold = fold[target.question] == k
            if is_in_fold.any():
                heads = measure_heads(target.select(is_in_fold), model)
                result[:, is_in_fold] = heads.agreement, heads.upheld
    return results


@dataclass(frozen=True)
class Trained:
    """A model, and the values of models that were not trained on the question.

    Attributes:
        model: the model.
        threshold: the least estimate with which an answer counts as right.
        rows, other: the probabilities of people's answers, and of made-up ones in other wordings.
        graded: the log odds of graded answers, by heads that were joined without their source.
    """

    model: Model
    threshold: float
    rows: Any
    other: Any
    graded: Any


def train(material: Material, seed: int = SEED) -> Trained:
    """Return all that is fitted, with ensembles of one seed."""
    rows, made, other = material.rows, material.made, material.other
    learned = made.select(~is_relation(made))
    model = fit_heads(material.graded, fit_ensembles(rows, learned, seed))
    held_out = hold_out([rows, made, other], rows, made, seed)
    model = fit_calibration(material, model, held_out)
    probabilities = estimate_held(rows, model, held_out[0])
    return Trained(
        model,
        find_threshold(probabilities, rows.right),
        probabilities,
        estimate_held(other, model, held_out[2]),
        leave_sources_out(material.graded, model),
    )


def fit_calibration(material: Material, model: Model, held_out: Sequence[Any]) -> Model:
    """Return a model with its calibration, the weights of objections, and those of decisions.

    Calibration and weights are fitted twice, in turn. At first no objections are known.
    """
    rows, made, graded = material.rows, material.made, material.graded
    undecided = is_open(rows)
    against = np.zeros(len(rows.right))
    for _ in range(2):
        odds = join_heads(make_heads(rows, model, *held_out[0]), model.heads, np)
        line = fit_line(odds[undecided], rows.right[undecided], against[undecided])
        model = replace(model, calibration=line)
        natural_odds = compute_odds(make_heads(rows, model, *held_out[0]), model)
        made_odds = compute_odds(make_heads(made, model, *held_out[1]), model)
        graded_odds = compute_odds(measure_heads(graded, model), model)
        objections = fit_objections((rows, natural_odds), (made, made_odds), (graded, graded_odds))
        model = replace(model, objections=objections)
        against = apply_objections(rows, np.zeros(len(rows.right)), model)
    return replace(model, decided=fit_decided(rows, natural_odds))


def estimate_held(rows: Rows, model: Model, held_out: Any) -> Any:
    """Return the estimates of rows by ensembles that were not trained on their questions."""
    odds = compute_odds(make_heads(rows, model, *held_out), model)
    return compute_probabilities(apply_objections(rows, odds, model))


def leave_sources_out(graded: Rows, model: Model) -> Any:
    """Return the log odds of graded answers, each by heads that were joined without its source."""
    result = np.zeros(len(graded.right))
    for source in sorted(set(graded.kind)):
        is_of_source = graded.kind == source
        joined = fit_heads(graded.select(~is_of_source), model)
        source_rows = graded.select(is_of_source)
        odds = compute_odds(measure_heads(source_rows, joined), joined)
        result[is_of_source] = apply_objections(source_rows, odds, joined)
    return result


def find_threshold(probabilities: Any, right: Any) -> float:
    """Return the least estimate with which an answer counts as right.

    It is the median of the thresholds that are as good as the best one.
    """
    steps = np.arange(300, 701) / 1000
    accuracies = []
    for step in steps:
        is_correct = (probabilities >= step) == right
        accuracies.append(is_correct.mean())
    is_good = np.array(accuracies) >= max(accuracies) - SLACK
    return float(np.median(steps[is_good]))


def estimate_unseen_questions(verdicts: Verdicts) -> Any:
    """Return the estimate of each answer, by ensembles that were not trained on its question.

    All numbers but those of the ensembles are those in model.py.
    """
    rows = measure_verdicts(verdicts)
    made = measure_made_answers(make_learned_answers(collect_questions(verdicts)))
    (held_out,) = hold_out([rows], rows, made)
    return estimate_held(rows, read_model(), held_out)


def read_model() -> Model:
    """Return the numbers in model.py, without the ensembles."""
    from metrics.correctness_estimate import model

    objections = np.array([model.OBJECTION_WEIGHTS[kind] for kind in OBJECTION_KINDS])
    heads = HeadWeights(*model.HEADS)
    return Model(None, None, heads, model.SHARES, model.CALIBRATION, objections, model.DECIDED)


def estimate_unseen_systems(material: Material, model: Model) -> Any:
    """Return estimates by ensembles that were trained without the question and the system."""
    rows = material.rows
    learned = material.made.select(~is_relation(material.made))
    fold = assign_folds(1 + int(max(rows.question.max(), learned.question.max())))
    held_out = np.zeros((2, len(rows.right)))
    for system in sorted(set(rows.kind)):
        for k in range(FOLDS):
            is_trained_on = (fold[rows.question] != k) & (rows.kind != system)
            is_measured = (fold[rows.question] == k) & (rows.kind == system)
            made = learned.select(fold[learned.question] != k)
            trees = fit_ensembles(rows.select(is_trained_on), made)
            heads = measure_heads(rows.select(is_measured), trees)
            held_out[:, is_measured] = heads.agreement, heads.upheld
    return estimate_held(rows, model, held_out)


# ---- figures


def measure_tau(probabilities: Any, rows: Rows) -> float:
    """Return Kendall's tau of the systems' mean estimates and their shares of right answers."""
    from scipy.stats import kendalltau

    systems = sorted(set(rows.kind))
    estimates = [probabilities[rows.kind == system].mean() for system in systems]
    shares = [rows.right[rows.kind == system].mean() for system in systems]
    return float(kendalltau(estimates, shares)[0])


def measure_calibration_error(probabilities: Any, right: Any) -> float:
    """Return the expected calibration error over ten bins."""
    error = 0.0
    for tenth in pictures.group_by_tenths(probabilities, right):
        error += tenth.answers * abs(tenth.chance - tenth.right)
    return error / len(right)


def format_accuracy(probabilities: Any, right: Any, threshold: float) -> str:
    """Return AUROC, accuracy, Brier score and expected calibration error as a text."""
    from sklearn.metrics import roc_auc_score

    accuracy = ((probabilities >= threshold) == right).mean()
    brier = ((probabilities - right) ** 2).mean()
    error = measure_calibration_error(probabilities, right)
    area = roc_auc_score(right, probabilities)
    return (
        f"AUROC {area:.4f}  accuracy {accuracy:.4f}  Brier {brier:.4f}  ECE {error:.4f}  "
        f"n {len(right)}"
    )


def report_verdicts(
    rows: Rows,
    words: Any,
    probabilities: Any,
    threshold: float,
) -> None:
    """Print the figures on people's verdicts: for all answers, by length, and by system."""
    figures = format_accuracy(probabilities, rows.right, threshold)
    print(f"five folds by question: {figures}  tau {measure_tau(probabilities, rows):.2f}")
    print(f"threshold {threshold:.4f}")
    groups = {}
    for name, (least, most) in WORD_COUNTS.items():
        groups[f"{name} words"] = (words >= least) & (words <= most)
    for system in sorted(set(rows.kind)):
        groups[system] = rows.kind == system
    for name, mask in groups.items():
        print(f"  {name}: {format_accuracy(probabilities[mask], rows.right[mask], threshold)}")


def make_kind_measures(rows: Rows, measure: Callable[[Any], float]) -> dict[str, float]:
    """Return a measure of each kind; it gets a mask of the rows of that kind."""
    kinds = sorted(set(rows.kind.tolist()))
    return {kind: float(measure(rows.kind == kind)) for kind in kinds}


def measure_made(made: Rows, probabilities: Any, threshold: float) -> dict[str, float]:
    """Return the share of made-up answers of each kind that get the right verdict."""
    hits = (probabilities >= threshold) == made.right
    return make_kind_measures(made, lambda mask: hits[mask].mean())


def measure_set_areas(graded: Rows, values: Any) -> dict[str, float]:
    """Return the AUROC of values on each grading set."""
    from sklearn.metrics import roc_auc_score

    return make_kind_measures(graded, lambda mask: roc_auc_score(graded.right[mask], values[mask]))


def report_made(made: Rows, probabilities: Any, threshold: float) -> None:
    """Print the share of made-up answers of each kind that get the right verdict."""
    print("made-up answers in wordings that the model was not trained on, share judged correctly:")
    for kind, share in measure_made(made, probabilities, threshold).items():
        print(f"  {kind}: {share:.3f} of {(made.kind == kind).sum()}")


def report_graded(rows: Rows, odds: Any) -> None:
    """Print the AUROC of the estimate and of the recall of words on each grading set."""
    ours = measure_set_areas(rows, odds)
    recall = measure_set_areas(rows, rows.column("recall_with_question"))
    print("grading sets, the source left out of the joint: AUROC, that of recall of words")
    for source, area in ours.items():
        print(f"  {source}: {area:.3f}, {recall[source]:.3f}  n {(rows.kind == source).sum()}")
    mean = float(np.mean(list(ours.values())))
    mean_recall = float(np.mean(list(recall.values())))
    print(f"  mean: {mean:.4f}, {mean_recall:.4f}")


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a command that reads people's verdicts and grading sets."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        metavar="PATH",
        help="people's verdicts",
    )
    parser.add_argument(
        "--grades",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="grading sets, as training/grades.py describes",
    )
    return parser


def main(command: Sequence[str] | None = None) -> int:
    """Train, write and report."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="leave out the figures of unseen systems, which take the longest",
    )
    arguments = parser.parse_args(command)
    verdicts = read_verdicts(arguments.data)
    graded, digest = grades.read_grades(arguments.grades)
    material = collect_material(verdicts, graded)
    rows = material.rows
    trained = train(material)
    words = np.array([count_words(answer.text) for answer in verdicts.answers])
    report_verdicts(rows, words, trained.rows, trained.threshold)
    report_made(material.other, trained.other, trained.threshold)
    report_graded(material.graded, trained.graded)
    if not arguments.quick:
        unseen = estimate_unseen_systems(material, trained.model)
        print(
            f"question and system unseen: {format_accuracy(unseen, rows.right, trained.threshold)}"
        )
        print(f"  tau {measure_tau(unseen, rows):.2f}")
    learned = describe_model(rows, trained)
    digests = {"TRAINED_ON": verdicts.digest, "GRADED_BY": digest}
    size = write_model(MODEL, learned, f"{arguments.data.name} and grading sets", digests)
    picture = pictures.draw_calibration(trained.rows, rows.right)
    print(picture)
    pictures.write_picture(REPORT, picture)
    print(f"{MODEL.name}: {size} bytes")
    return 0


def describe_model(rows: Rows, trained: Trained) -> Learned:
    """Return all the numbers that model.py has."""
    model = trained.model
    usual = np.quantile(rows.features, (0.005, 0.995), axis=0, method="nearest").T.tolist()
    objections = {
        kind: (float(a), float(b))
        for kind, (a, b) in zip(OBJECTION_KINDS, model.objections, strict=True)
    }
    slope, start = model.calibration
    return Learned(
        features=rows.names,
        agreement=model.agreement,
        stance=model.stance,
        stance_line=STANCE_LINE,
        heads=tuple(model.heads),
        shares=list(model.shares),
        calibration=(round(slope, 4), round(start, 4)),
        decided=model.decided,
        objections=objections,
        threshold=trained.threshold,
        usual=usual,
        rarest=RAREST,
        rarity=RARITY_TEXT,
    )


if __name__ == "__main__":
    sys.exit(main())
