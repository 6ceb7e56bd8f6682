"""Scoring one answer with one metric. A model is fetched from the Hub only where the user asked for the score."""

import contextlib
from typing import Any

from lens.scoring import judge as judging
from lens.scoring import modules
from lens.scoring.catalog import METRICS, Metric, Model, Submission
from lens.scoring.failures import compute_failure, load_failure, note_failure
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.model_files import download_size, is_path, on_disk, shown_name
from lens.scoring.outcome import Outcome
from lens.words import say

MAX_CHARACTERS = 50_000

# Metrics that have scored with a model in this process, with the model's name.
in_memory: set[tuple[str, str]] = set()
# The same for those that someone asked for and that have neither scored nor failed since: they may be under way.
asked_for: set[tuple[str, str]] = set()


def asks(judge: Judge, asked: bool) -> bool:
    """Whether a judge is asked: only one that lacks nothing, and only where the user asked for it."""
    return asked and not judging.what_is_missing(judge, modules.providers())


def too_long(submission: Submission) -> str:
    """What to say where a text is longer than the page takes; nothing where none is."""
    for field in ("question", "reference", "answer", "keywords"):
        length = len(getattr(submission, field))
        if length > MAX_CHARACTERS:
            label = say("keywords_alone" if field == "keywords" else field)
            return say("too_long", field=label, length=length, limit=MAX_CHARACTERS)
    return ""


def problem(submission: Submission) -> str:
    """What the page says about input that some score cannot be computed from; nothing where all is well."""
    return too_long(submission) or ("" if submission.reference.strip() else say("no_reference"))


def at_once(metric: Metric, submission: Submission, asked: bool = True, judge: Judge = NO_JUDGE) -> Outcome:
    """What can be said before anything is computed: what is lacking, or what the user now waits for.

    `asked` says that the user asked for this score, so that the metric's model may be fetched, or the judge asked.
    """
    if trouble := too_long(submission):
        return Outcome("needs", message=trouble)
    if not submission.reference.strip():
        return Outcome("needs", message=say("needs_reference"))
    if metric.judge and asks(judge, asked):
        return Outcome("pending", message=say("asking_judge", model=judging.without_key(judge.model, judge.key)))
    return (
        about_model(metric.name, metric.model, asked) if metric.model else Outcome("pending", message=say("computing"))
    )


def about_model(metric_name: str, model: Model, asked: bool) -> Outcome:
    """What the user waits for where a metric has a model, or that the model would have to be fetched."""
    name = model.name()
    if (metric_name, name) in in_memory:
        return Outcome("pending", message=say("computing_again"))
    if asked:
        asked_for.add((metric_name, name))
    if on_disk(name):
        return Outcome("pending", message=say("loading_model", model=shown_name(name)))
    if (metric_name, name) in asked_for:
        return Outcome("pending", message=say("fetching_model", model=name, size=download_size(model)))
    return not_here(model)


def not_here(model: Model) -> Outcome:
    """A model of the Hub would have to be fetched, and nobody asked for it."""
    message = say("model_not_here", model=model.name(), size=download_size(model), variable=model.variable)
    return Outcome("needs", message=message)


def score(metric: Metric, submission: Submission, asked: bool = True, judge: Judge = NO_JUDGE) -> Outcome:
    """Score one answer with one metric. Whatever goes wrong is said in plain words and is never a score."""
    first = at_once(metric, submission, asked, judge)
    if first.state != "pending":
        return first
    key = (metric.name, metric.model.name() if metric.model else "")
    try:
        # What someone asked for is under way: whoever comes meanwhile waits for it too.
        outcome = attempted(metric, submission, asked or key in asked_for, judge)
    finally:
        asked_for.discard(key)
    if metric.model and outcome.state == "scored":
        in_memory.add(key)
    return outcome


def attempted(metric: Metric, submission: Submission, may_fetch: bool, judge: Judge) -> Outcome:
    """The score, or why there is none."""
    try:
        module = modules.fresh_module(metric.name)
    except Exception as error:  # whatever a module to load does: the other scores go on
        return load_failure(metric, error)
    try:
        if metric.judge:
            return judged(module, metric, submission, may_fetch, judge)
        return computed(module, metric, submission, may_fetch)
    except Exception as error:  # the same for one that computes
        if metric.model and isinstance(error, OSError) and not may_fetch and not is_path(metric.model.name()):
            return not_here(metric.model)
        return compute_failure(metric, error)


def computed(module: Any, metric: Metric, submission: Submission, may_fetch: bool) -> Outcome:
    """The score of a loaded module with its reasons; its model is taken from the Hub only where it `may_fetch` it."""
    code = modules.code_of(module)
    if metric.model is not None:
        modules.import_packages(metric.model)
    texts = {"predictions": [submission.answer], "references": [submission.reference]}
    with modules.asking_hub(code, may_fetch):
        result = module.compute(**texts, per_example=True, **metric.arguments(submission, code))
    reason = result["per_example"][0]
    return Outcome("scored", float(reason["score"]), reason, str(result["signature"]))


def judged(module: Any, metric: Metric, submission: Submission, asked: bool, judge: Judge) -> Outcome:
    """The verdict of a judge, or, where it is not asked, what it lacks and the prompt to copy. Where a visitor chose a
    judge and the question is empty, that is said too.
    """
    prompt = modules.code_of(module).fill_prompt(submission.question, submission.answer, submission.reference)
    outcome = judging.unasked(judge, asked, modules.providers(), prompt) or verdict(
        module, metric, submission, judge, prompt
    )
    return outcome if submission.question.strip() or judge == NO_JUDGE else judging.without_question(outcome)


def verdict(module: Any, metric: Metric, submission: Submission, judge: Judge, prompt: str) -> Outcome:
    """The verdict of a judge that is asked, or why there is none."""
    texts = {"questions": submission.question, "predictions": submission.answer, "references": submission.reference}
    try:
        result = module.compute(**{name: [text] for name, text in texts.items()}, **judging.arguments(judge))
    except Exception as error:  # whatever becomes of a question to another computer
        if not judging.expected(error):
            note_failure(metric.name, error)
        return judging.failure(error, judge, prompt, modules.providers())
    return judging.verdict(result, judge, prompt)


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
