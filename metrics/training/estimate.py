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
    Line,
    Model,
    OpenAnswers,
    Scale,
    DecidedOdds,
    TreeOdds,
    apply_objections,
    compute_odds,
    compute_probabilities,
    fit_decided,
    fit_ensembles,
    fit_heads,
    fit_line,
    fit_objections,
    is_relation,
    is_undecided,
    make_heads,
    measure_trees,
)
from metrics.training.questions import NumberedAnswer, Question
from metrics.training.rows import (
    Array,
    Rows,
    measure_graded_answers,
    measure_made_answers,
    measure_verdicts,
)
from metrics.training.sampler import Sampler, collect_source_texts
from metrics.training.verdicts import Verdicts, count_words, read_verdicts
from metrics.training.wording_lists import LEARNED, UNSEEN, Wordings
from metrics.training.written import ModelNumbers, write_model

FOLDS = 5
# How many long answers are made up, by their kind.
LONG_ANSWER_COUNTS = {
    "magnitude": 700,
    "yes or no": 700,
    "long refusal": 600,
}
# The share of made-up answers that the model learns from, and that of those it is measured on.
LEARNED_SHARE = 0.4
UNSEEN_SHARE = 0.1
# The model learns from changes of long answers to one question in three. The others are left for
# `make sensitivity`.
CHANGED_EVERY = 3
# The estimates that may become the threshold.
THRESHOLDS = np.arange(300, 701) / 1000
# Thresholds whose accuracy is lower than the best by no more than this are equally good.
ACCURACY_SLACK = 0.0005
# The usual values of a feature are the middle 99% of the answers.
USUAL_QUANTILES = (0.005, 0.995)
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
        judged: people's verdicts.
        made: made-up answers to learn from.
        unseen: made-up answers in wordings that the model does not learn from, to measure.
        graded: graded answers.
    """

    judged: Rows
    made: Rows
    unseen: Rows
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


def has_learned_changes(question_number: int) -> bool:
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

    Chinese answers belong to no question of the data. Each gets the number of some question, so
    that it is in a fold.
    """
    rng = Random(SEED)
    sampler = Sampler(LEARNED, collect_source_texts(questions), rng)
    answers = sample_made_answers(questions, LEARNED, LEARNED_SHARE)
    answers += chinese.make_chinese_answers(Random(SEED))
    answers += denials.make_denials(questions, sampler)
    answers += chinese.make_chinese_denials(questions, rng)
    answers += denials.make_claims(questions, sampler)
    changed = changes.make_changed_answers(questions, rng)
    answers += [answer for answer in changed if has_learned_changes(answer.question_number)]
    answers += long_answers.pair_long_references(questions, sampler)
    answers += long_answers.make_long_answers(questions, LONG_ANSWER_COUNTS, sampler)
    return answers


def make_relation_answers(questions: list[Question]) -> list[NumberedAnswer]:
    """Return the made-up answers that only the weights of objections are fitted to."""
    sampler = Sampler(LEARNED, collect_source_texts(questions), Random(SEED))
    return list(relations.make_relations(questions, sampler))


def collect_material(verdicts: Verdicts, graded: Sequence[grades.Graded]) -> Material:
    """Return all answers as measured rows."""
    questions = collect_questions(verdicts)
    unseen = sample_made_answers(questions, UNSEEN, UNSEEN_SHARE)
    sampler = Sampler(UNSEEN, collect_source_texts(questions), Random(SEED))
    unseen += denials.make_claims(questions, sampler)
    made = [*make_learned_answers(questions), *make_relation_answers(questions)]
    return Material(
        judged=measure_verdicts(verdicts),
        made=measure_made_answers(made),
        unseen=measure_made_answers(unseen),
        graded=measure_graded_answers(graded),
    )


# ---- training


def assign_folds(*all_rows: Rows) -> Array:
    """Return the fold of each question of some rows, by the question's number."""
    last_question = max(rows.question.max() for rows in all_rows)
    numbers = np.arange(1 + int(last_question))
    folds: Array = np.random.RandomState(SEED).permutation(numbers) % FOLDS
    return folds


def compute_held_out_odds(
    targets: Sequence[Rows],
    judged: Rows,
    made: Rows,
    seed: int = SEED,
) -> list[TreeOdds]:
    """Return the log odds of ensembles for rows whose questions they were not trained on.

    Args:
        targets: the rows to measure.
        judged: people's verdicts, to train on.
        made: made-up answers, to train on.
        seed: the seed of the ensembles.

    Returns:
        the log odds for each of the targets.
    """
    folds = assign_folds(judged, made, *targets)
    learned = made.select(~is_relation(made))
    results = [make_empty_odds(target) for target in targets]
    for fold in range(FOLDS):
        judged_to_learn = judged.select(folds[judged.question] != fold)
        made_to_learn = learned.select(folds[learned.question] != fold)
        model = fit_ensembles(judged_to_learn, made_to_learn, seed)
        for result, target in zip(results, targets, strict=True):
            is_held_out = folds[target.question] == fold
            if is_held_out.any():
                fill_odds(result, is_held_out, measure_trees(target.select(is_held_out), model))
    return results


def make_empty_odds(rows: Rows) -> TreeOdds:
    """Return log odds for rows, to be filled fold by fold."""
    n_rows = len(rows.right)
    return TreeOdds(agreement=np.zeros(n_rows), upheld=np.zeros(n_rows))


def fill_odds(odds: TreeOdds, mask: Array, new_odds: TreeOdds) -> None:
    """Set the log odds of the rows that a mask selects."""
    odds.agreement[mask] = new_odds.agreement
    odds.upheld[mask] = new_odds.upheld


@dataclass(frozen=True)
class Trained:
    """A model, and what models that were not trained on the question say of all answers.

    Attributes:
        model: the model.
        threshold: the least estimate with which an answer counts as right.
        judged_estimates: the estimates of people's answers.
        unseen_estimates: the estimates of made-up answers in unseen wordings.
        graded_odds: the log odds of graded answers, by heads that were joined without their source.
    """

    model: Model
    threshold: float
    judged_estimates: Array
    unseen_estimates: Array
    graded_odds: Array


def train(material: Material, seed: int = SEED) -> Trained:
    """Return all that is fitted, with ensembles of one seed."""
    judged, made, unseen = material.judged, material.made, material.unseen
    learned = made.select(~is_relation(made))
    model = fit_heads(material.graded, fit_ensembles(judged, learned, seed))
    judged_odds, made_odds, unseen_odds = compute_held_out_odds(
        [judged, made, unseen], judged, made, seed
    )
    model = fit_calibration(material, model, judged_odds, made_odds)
    judged_estimates = compute_estimates(judged, model, judged_odds)
    return Trained(
        model,
        threshold=find_threshold(judged_estimates, judged.right),
        judged_estimates=judged_estimates,
        unseen_estimates=compute_estimates(unseen, model, unseen_odds),
        graded_odds=compute_graded_odds(material.graded, model),
    )


def fit_calibration(
    material: Material, model: Model, judged_odds: TreeOdds, made_odds: TreeOdds
) -> Model:
    """Return a model with its calibration, the weights of objections, and those of decisions.

    Calibration and weights are fitted twice, in turn. At first no objections are known.

    Args:
        material: the answers.
        model: the model with its heads.
        judged_odds: the log odds of ensembles for people's verdicts.
        made_odds: their log odds for made-up answers.
    """
    judged = material.judged
    judged_heads = make_heads(judged, model, judged_odds)
    made_heads = make_heads(material.made, model, made_odds)
    graded_heads = make_heads(material.graded, model, measure_trees(material.graded, model))
    joined = join_heads(judged_heads, model.heads, np)
    undecided = is_undecided(judged)
    no_odds = np.zeros(len(judged.right))
    objections = no_odds
    for _ in range(2):
        line = fit_line(joined[undecided], judged.right[undecided], objections[undecided])
        model = replace(model, calibration=line)
        calibrated = compute_odds(judged_heads, model)
        weights = fit_objections(
            OpenAnswers(judged, calibrated),
            OpenAnswers(material.made, compute_odds(made_heads, model)),
            OpenAnswers(material.graded, compute_odds(graded_heads, model)),
        )
        model = replace(model, objections=weights)
        objections = apply_objections(judged, no_odds, model)
    return replace(model, decided=fit_decided(judged, calibrated))


def compute_estimates(rows: Rows, model: Model, tree_odds: TreeOdds) -> Array:
    """Return the estimates of rows, given the log odds of the ensembles."""
    odds = compute_odds(make_heads(rows, model, tree_odds), model)
    return compute_probabilities(apply_objections(rows, odds, model))


def compute_graded_odds(graded: Rows, model: Model) -> Array:
    """Return the log odds of graded answers, each by heads that were joined without its source."""
    odds = np.zeros(len(graded.right))
    for source in sorted(set(graded.kind)):
        is_of_source = graded.kind == source
        model_without = fit_heads(graded.select(~is_of_source), model)
        odds[is_of_source] = measure_odds(graded.select(is_of_source), model_without)
    return odds


def measure_odds(rows: Rows, model: Model) -> Array:
    """Return the log odds of rows by a whole model, after objections and decisions."""
    heads = make_heads(rows, model, measure_trees(rows, model))
    return apply_objections(rows, compute_odds(heads, model), model)


def find_threshold(estimates: Array, right: Array) -> float:
    """Return the least estimate with which an answer counts as right.

    It is the median of the thresholds that are as good as the best one.
    """
    accuracies = []
    for threshold in THRESHOLDS:
        is_correct = (estimates >= threshold) == right
        accuracies.append(is_correct.mean())
    is_good = np.array(accuracies) >= max(accuracies) - ACCURACY_SLACK
    return float(np.median(THRESHOLDS[is_good]))


def estimate_unseen_questions(verdicts: Verdicts) -> Array:
    """Return the estimate of each answer, by ensembles that were not trained on its question.

    All numbers but those of the ensembles are those in model.py.
    """
    judged = measure_verdicts(verdicts)
    made = measure_made_answers(make_learned_answers(collect_questions(verdicts)))
    (tree_odds,) = compute_held_out_odds([judged], judged, made)
    return compute_estimates(judged, read_model(), tree_odds)


def read_model() -> Model:
    """Return the numbers in model.py, without the ensembles."""
    from metrics.correctness_estimate import model

    different, equal = model.DECIDED
    return Model(
        agreement=None,
        stance=None,
        heads=HeadWeights(*model.HEADS),
        scales=[Scale(*scale) for scale in model.SHARES],
        calibration=Line(*model.CALIBRATION),
        objections=np.array([model.OBJECTION_WEIGHTS[kind] for kind in OBJECTION_KINDS]),
        decided=(DecidedOdds(*different), DecidedOdds(*equal)),
    )


def estimate_unseen_systems(material: Material, model: Model) -> Array:
    """Return estimates by ensembles that were trained without the question and the system."""
    judged = material.judged
    learned = material.made.select(~is_relation(material.made))
    folds = assign_folds(judged, learned)
    odds = make_empty_odds(judged)
    for system in sorted(set(judged.kind)):
        for fold in range(FOLDS):
            is_in_fold = folds[judged.question] == fold
            is_learned = ~is_in_fold & (judged.kind != system)
            is_held_out = is_in_fold & (judged.kind == system)
            made = learned.select(folds[learned.question] != fold)
            trees = fit_ensembles(judged.select(is_learned), made)
            fill_odds(odds, is_held_out, measure_trees(judged.select(is_held_out), trees))
    return compute_estimates(judged, model, odds)


# ---- figures


def measure_tau(estimates: Array, judged: Rows) -> float:
    """Return Kendall's tau of the systems' mean estimates and their shares of right answers."""
    from scipy.stats import kendalltau

    systems = sorted(set(judged.kind))
    means = [estimates[judged.kind == system].mean() for system in systems]
    shares = [judged.right[judged.kind == system].mean() for system in systems]
    return float(kendalltau(means, shares)[0])


def measure_calibration_error(estimates: Array, right: Array) -> float:
    """Return the expected calibration error over ten bins."""
    error = 0.0
    for tenth in pictures.group_by_tenths(estimates, right):
        error += tenth.answers * abs(tenth.mean_estimate - tenth.share_right)
    return error / len(right)


def format_figures(estimates: Array, right: Array, threshold: float) -> str:
    """Return AUROC, accuracy, Brier score and expected calibration error as a text."""
    from sklearn.metrics import roc_auc_score

    accuracy = ((estimates >= threshold) == right).mean()
    brier = ((estimates - right) ** 2).mean()
    error = measure_calibration_error(estimates, right)
    area = roc_auc_score(right, estimates)
    return (
        f"AUROC {area:.4f}  accuracy {accuracy:.4f}  Brier {brier:.4f}  ECE {error:.4f}  "
        f"n {len(right)}"
    )


def measure_by_kind(rows: Rows, measure: Callable[[Array], float]) -> dict[str, float]:
    """Return a measure of each kind of rows; it gets a mask of the rows of that kind."""
    kinds = sorted(set(rows.kind.tolist()))
    return {kind: float(measure(rows.kind == kind)) for kind in kinds}


def measure_made_accuracy(made: Rows, estimates: Array, threshold: float) -> dict[str, float]:
    """Return the share of made-up answers of each kind that get the right verdict."""
    hits = (estimates >= threshold) == made.right
    return measure_by_kind(made, lambda mask: hits[mask].mean())


def measure_set_areas(graded: Rows, values: Array) -> dict[str, float]:
    """Return the AUROC of values on each grading set."""
    from sklearn.metrics import roc_auc_score

    return measure_by_kind(graded, lambda mask: roc_auc_score(graded.right[mask], values[mask]))


def report_verdicts(judged: Rows, words: Array, estimates: Array, threshold: float) -> None:
    """Print the figures on people's verdicts: for all answers, by length, and by system.

    Args:
        judged: people's verdicts.
        words: the number of words of each answer.
        estimates: the estimates.
        threshold: the least estimate that counts as right.
    """
    figures = format_figures(estimates, judged.right, threshold)
    print(f"five folds by question: {figures}  tau {measure_tau(estimates, judged):.2f}")
    print(f"threshold {threshold:.4f}")
    groups = {}
    for name, (least, most) in WORD_COUNTS.items():
        groups[f"{name} words"] = (words >= least) & (words <= most)
    for system in sorted(set(judged.kind)):
        groups[system] = judged.kind == system
    for name, mask in groups.items():
        print(f"  {name}: {format_figures(estimates[mask], judged.right[mask], threshold)}")


def report_made(made: Rows, estimates: Array, threshold: float) -> None:
    """Print the share of made-up answers of each kind that get the right verdict."""
    print("made-up answers in wordings that the model was not trained on, share judged correctly:")
    for kind, share in measure_made_accuracy(made, estimates, threshold).items():
        print(f"  {kind}: {share:.3f} of {(made.kind == kind).sum()}")


def report_graded(graded: Rows, odds: Array) -> None:
    """Print the AUROC of the estimate and of the recall of words on each grading set."""
    ours = measure_set_areas(graded, odds)
    recall = measure_set_areas(graded, graded.column("recall_with_question"))
    print("grading sets, the source left out of the joint: AUROC, that of recall of words")
    for source, area in ours.items():
        print(f"  {source}: {area:.3f}, {recall[source]:.3f}  n {(graded.kind == source).sum()}")
    mean = float(np.mean(list(ours.values())))
    mean_recall = float(np.mean(list(recall.values())))
    print(f"  mean: {mean:.4f}, {mean_recall:.4f}")


def report_unseen_systems(material: Material, trained: Trained) -> None:
    """Print the figures of ensembles that were trained without the question and the system."""
    judged = material.judged
    estimates = estimate_unseen_systems(material, trained.model)
    figures = format_figures(estimates, judged.right, trained.threshold)
    print(f"question and system unseen: {figures}")
    print(f"  tau {measure_tau(estimates, judged):.2f}")


# ---- the command


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
    """Train, report the figures, and write the model and the picture of its calibration."""
    parser = make_parser(__doc__)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="leave out the figures of unseen systems, which take the longest",
    )
    arguments = parser.parse_args(command)
    verdicts = read_verdicts(arguments.data)
    graded, graded_digest = grades.read_grades(arguments.grades)
    material = collect_material(verdicts, graded)
    judged = material.judged
    trained = train(material)

    words = np.array([count_words(answer.text) for answer in verdicts.answers])
    report_verdicts(judged, words, trained.judged_estimates, trained.threshold)
    report_made(material.unseen, trained.unseen_estimates, trained.threshold)
    report_graded(material.graded, trained.graded_odds)
    if not arguments.quick:
        report_unseen_systems(material, trained)

    numbers = list_model_numbers(judged, trained)
    digests = {"TRAINED_ON": verdicts.digest, "GRADED_BY": graded_digest}
    size = write_model(MODEL, numbers, f"{arguments.data.name} and grading sets", digests)
    picture = pictures.draw_calibration(trained.judged_estimates, judged.right)
    print(picture)
    pictures.write_picture(REPORT, picture)
    print(f"{MODEL.name}: {size} bytes")
    return 0


def list_model_numbers(judged: Rows, trained: Trained) -> ModelNumbers:
    """Return all the numbers that model.py has."""
    model = trained.model
    usual = np.quantile(judged.features, USUAL_QUANTILES, axis=0, method="nearest").T.tolist()
    objections = {}
    for kind, (short, long) in zip(OBJECTION_KINDS, model.objections, strict=True):
        objections[kind] = (float(short), float(long))
    slope, intercept = model.calibration
    different, equal = model.decided
    return ModelNumbers(
        features=judged.names,
        agreement=model.agreement,
        stance=model.stance,
        stance_line=STANCE_LINE,
        heads=tuple(model.heads),
        shares=[tuple(scale) for scale in model.scales],
        calibration=(round(slope, 4), round(intercept, 4)),
        decided=(tuple(different), tuple(equal)),
        objections=objections,
        threshold=trained.threshold,
        usual=usual,
        rarest=RAREST,
        rarity=RARITY_TEXT,
    )


if __name__ == "__main__":
    sys.exit(main())
