"""Scoring one answer with one metric. A model is fetched from the Hub only where the user asked for the score."""

import contextlib

from lens.experiment.answers import Answer
from lens.scoring import judge as judging
from lens.scoring import modules
from lens.scoring.catalog import METRICS, Metric, Submission
from lens.scoring.failures import compute_failure, note_failure
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.metric_result import MetricResult
from lens.scoring.model_files import download_size, is_path, on_disk, shown_name
from lens.scoring.rows import Scorer
from lens.scoring.work import MOST_OF_ANSWER, characters_read
from lens.words import say

MAX_CHARACTERS, MAX_REFERENCES = 50_000, 20


def asks(judge: Judge, asked: bool) -> bool:
    """Whether a judge is asked: only one that lacks nothing, and only where the user asked for it."""
    return asked and not judging.what_is_missing(judge, modules.providers())


def problem(submission: Submission) -> str:
    """What the page says about input that some score cannot be computed from; nothing where all is well."""
    for field, text in vars(submission).items():
        if isinstance(text, str) and len(text) > MAX_CHARACTERS:
            return say(
                "answer_tab.too_long", field=say(f"answer_tab.field.{field}"), length=len(text), limit=MAX_CHARACTERS
            )
    if (count := len(submission.references)) > MAX_REFERENCES:
        return say("answer_tab.too_many_references", count=count, limit=MAX_REFERENCES)
    if (length := characters_read(submission.answer, submission.references)) > MOST_OF_ANSWER:
        return say("answer_tab.too_long_together", count=count, length=length, limit=MOST_OF_ANSWER)
    if not 0 <= (submission.min_keyword_recall or 0) <= 1:
        return say("answer_tab.bad_recall")
    return "" if submission.reference.strip() else say("answer_tab.no_reference")


def at_once(metric: Metric, submission: Submission, asked: bool = True, judge: Judge = NO_JUDGE) -> MetricResult:
    """What can be said before anything is computed: what is lacking, or what the user now waits for.

    `asked` says that the user asked for this score, so that the metric's model may be fetched, or the judge asked.
    """
    if trouble := problem(submission):
        return MetricResult("needs", message=trouble)
    if metric.judge and asks(judge, asked):
        return MetricResult("pending", message=say("judge.asking", model=judging.without_key(judge.model, judge.key)))
    if not metric.model:
        return MetricResult("pending", message=say("card.computing"))
    name = metric.model.name()
    if on_disk(name):
        return MetricResult("pending", message=say("card.loading_model", model=shown_name(name)))
    if asked:
        return MetricResult("pending", message=say("card.fetching_model", model=name, size=download_size(metric.model)))
    return not_here(metric)


def not_here(metric: Metric) -> MetricResult:
    """A model of the Hub would have to be fetched, and nobody asked for it."""
    model = metric.model
    assert model
    message = say("failure.model_not_here", model=model.name(), size=download_size(model), variable=model.variable)
    return MetricResult("needs", message=message)


def score(metric: Metric, submission: Submission, asked: bool = True, judge: Judge = NO_JUDGE) -> MetricResult:
    """Score one answer with one metric. Whatever goes wrong is said in plain words and is never a score."""
    first = at_once(metric, submission, asked, judge)
    if first.state != "pending":
        return first
    scorer = Scorer(metric.name, {name: getattr(submission, name) for name in metric.settings})
    references = tuple(submission.references)
    item = Answer(submission.answer, references, submission.question, submission.keywords.strip())
    try:
        scorer.prepare()
        return judged(scorer, item, asked, judge) if metric.judge else scorer.outcome(item, asked)
    except Exception as error:  # whatever a module to load or to compute does: the other scores go on
        if metric.model and isinstance(error, OSError) and not asked and not is_path(metric.model.name()):
            return not_here(metric)
        return compute_failure(metric, error)


def judged(scorer: Scorer, item: Answer, asked: bool, judge: Judge) -> MetricResult:
    """The verdict of a judge or why there is none, or, where it is not asked, what it lacks and the prompt to copy, of
    several references for the first. Where a visitor chose a judge and the question is empty, that is said too.
    """
    table = modules.providers()
    reference = item.references[0]
    prompt = judging.fill_prompt(modules.code_of(scorer.module), item, reference, judge.decides)
    outcome = judging.unasked(judge, asked, table, prompt)
    if outcome is None:
        try:
            result = scorer.module.compute(**scorer.columns([item]), **judging.arguments(judge, scorer.name))
            outcome = judging.verdict(result, judge, prompt)
        except Exception as error:  # whatever becomes of a question to another computer
            if not judging.expected(error):
                note_failure(scorer.name, error)
            outcome = judging.failure(error, judge, prompt)
    return outcome if item.question.strip() or judge == NO_JUDGE else judging.without_question(outcome)


def warm_up() -> None:
    """Load the modules behind the first page, and what they load themselves on their first Chinese answer; no model.
    Those of the judge check come last.
    """
    for metric in METRICS:
        if metric.model is None:
            score(metric, Submission(reference="预热", answer="预热"))
    for name in (*(metric.name for metric in METRICS if metric.model), modules.BIAS, modules.ACCURACY):
        with contextlib.suppress(Exception):  # said where it is scored
            modules.fresh_module(name)
