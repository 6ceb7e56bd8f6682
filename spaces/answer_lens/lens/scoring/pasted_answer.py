"""Scores one pasted answer with one metric.

A model is downloaded from the Hub only if the user asked for its score.
"""

import contextlib

from lens.experiment.answers import Answer
from lens.scoring import judge as judging
from lens.scoring import modules
from lens.scoring.catalog import METRICS, Metric, Model
from lens.scoring.failures import describe_failure, note_failure
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.judge_failures import explain_failure, is_expected
from lens.scoring.metric_result import MetricResult
from lens.scoring.model_files import format_download_size, is_on_disk, is_path, name_model
from lens.scoring.scorer import Scorer
from lens.scoring.submission import Submission
from lens.scoring.work import MAX_ANSWER_CHARACTERS, count_characters
from lens.words import say

# The longest text that a user may paste.
MAX_CHARACTERS = 50_000
MAX_REFERENCES = 20


def can_ask_judge(judge: Judge, is_asked: bool) -> bool:
    """Return whether a judge can be asked: it has all settings, and the user asked for it."""
    return is_asked and not judging.describe_missing_settings(judge, modules.load_providers())


def find_problem(submission: Submission) -> str:
    """Return a message if the input cannot be scored; empty if it can."""
    for name, text in vars(submission).items():
        if isinstance(text, str) and len(text) > MAX_CHARACTERS:
            field = say(f"answer_tab.field.{name}")
            return say("answer_tab.too_long", field=field, length=len(text), limit=MAX_CHARACTERS)
    count = len(submission.references)
    if count > MAX_REFERENCES:
        return say("answer_tab.too_many_references", count=count, limit=MAX_REFERENCES)
    length = count_characters(submission.answer, submission.references)
    limit = MAX_ANSWER_CHARACTERS
    if length > limit:
        return say("answer_tab.too_long_together", count=count, length=length, limit=limit)
    if not 0 <= (submission.min_keyword_recall or 0) <= 1:
        return say("answer_tab.bad_recall")
    return "" if submission.reference.strip() else say("answer_tab.no_reference")


def begin_result(
    metric: Metric,
    submission: Submission,
    is_asked: bool = True,
    judge: Judge = NO_JUDGE,
) -> MetricResult:
    """Return the result before anything is computed: what is missing, or what is being done.

    Args:
        metric: the metric.
        submission: the texts that the user pasted.
        is_asked: whether the user asked for this score, so that a model may be downloaded or a
            judge asked.
        judge: the judge that the user chose.
    """
    problem = find_problem(submission)
    if problem:
        return MetricResult("needs", message=problem)
    if metric.judge and can_ask_judge(judge, is_asked):
        model = judging.hide_key(judge.model, judge.key)
        return MetricResult("pending", message=say("judge.asking", model=model))
    if not metric.model:
        return MetricResult("pending", message=say("card.computing"))
    name = metric.model.name()
    if is_on_disk(name):
        message = say("card.loading_model", model=name_model(name))
    elif is_asked:
        size = format_download_size(metric.model)
        message = say("card.fetching_model", model=name, size=size)
    else:
        return explain_missing_model(metric.model)
    return MetricResult("pending", message=message)


def explain_missing_model(model: Model) -> MetricResult:
    """Return a result that says that a model is not downloaded unless the user asks for it."""
    message = say(
        "failure.model_not_here",
        model=model.name(),
        size=format_download_size(model),
        variable=model.variable,
    )
    return MetricResult("needs", message=message)


def score(
    metric: Metric,
    submission: Submission,
    is_asked: bool = True,
    judge: Judge = NO_JUDGE,
) -> MetricResult:
    """Score one answer with one metric.

    Every error becomes a message, and never a score.

    Args:
        metric: the metric.
        submission: the texts that the user pasted.
        is_asked: whether the user asked for this score.
        judge: the judge that the user chose.
    """
    first = begin_result(metric, submission, is_asked, judge)
    if first.state != "pending":
        return first
    settings = {name: getattr(submission, name) for name in metric.settings}
    scorer = Scorer(metric.name, settings)
    answer = Answer(
        submission.answer,
        tuple(submission.references),
        submission.question,
        submission.keywords.strip(),
    )
    try:
        scorer.prepare()
        if metric.judge:
            return ask_judge(scorer, answer, is_asked, judge)
        return scorer.score_with_reasons(answer, is_asked)
    except Exception as error:  # a module may raise any error; the other scores are still computed
        is_model_missing = isinstance(error, OSError) and not is_asked
        if metric.model and is_model_missing and not is_path(metric.model.name()):
            return explain_missing_model(metric.model)
        return describe_failure(metric, error)


def ask_judge(
    scorer: Scorer,
    answer: Answer,
    is_asked: bool,
    judge: Judge,
) -> MetricResult:
    """Return the result of a judge, or a message if it was not asked.

    The message says what is missing, with the prompt for the first reference to copy. If the user
    chose a judge but the question is empty, a note says so.

    Args:
        scorer: the judge's metric.
        answer: the answer.
        is_asked: whether the user asked for the verdict.
        judge: the judge that the user chose.
    """
    code = modules.find_code(scorer.module)
    prompt = judging.fill_prompt(code, answer, answer.references[0], judge.decides)
    result = judging.explain_unasked(judge, is_asked, modules.load_providers(), prompt)
    if result is None:
        try:
            arguments = judging.make_arguments(judge, scorer.name)
            computed = scorer.module.compute(**scorer.make_columns([answer]), **arguments)
            result = judging.make_verdict(computed, judge, prompt)
        except Exception as error:  # a request to another computer may raise any error
            if not is_expected(error):
                note_failure(scorer.name, error)
            result = explain_failure(error, judge, prompt)
    if answer.question.strip() or judge == NO_JUDGE:
        return result
    return judging.note_missing_question(result)


def warm_up() -> None:
    """Load the modules of the first page, but no models.

    Their first Chinese answer loads the word list. The modules of the judge check come last.
    """
    for metric in METRICS:
        if metric.model is None:
            score(metric, Submission(reference="预热", answer="预热"))
    with_model = [metric.name for metric in METRICS if metric.model]
    for name in (*with_model, modules.BIAS, modules.ACCURACY):
        with contextlib.suppress(Exception):  # the error is shown when the module is used
            modules.make_module(name)
