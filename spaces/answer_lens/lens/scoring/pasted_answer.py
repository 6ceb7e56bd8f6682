"""Loading the metric modules and scoring one answer with one of them.

A module is taken from the folder metrics/<name>, beside this file on a Space, at the top of a clone, or where there is
none from the Hub organisation named in ANSWER_LENS_ORG. `import evaluate` and the modules are slow to load: nothing
here is imported before it is needed.
A model is fetched from the Hub only where the user asked for the score.
"""

import contextlib
import functools
import importlib
import importlib.util
import logging
import os
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lens import SPACE
from lens.scoring import judge as judging
from lens.scoring.catalog import BERTSCORE_LAYERS, METRICS, Metric, Model, Submission
from lens.scoring.judge import NO_JUDGE, Judge
from lens.scoring.outcome import Outcome
from lens.words import say

# The modules of the judge check.
BIAS, ACCURACY = "judge_bias", "reward_accuracy"
MAX_CHARACTERS = 50_000
MAX_MESSAGE = 600
METRICS_FOLDER = SPACE / "metrics" if (SPACE / "metrics").is_dir() else SPACE.parent.parent / "metrics"

log = logging.getLogger("answer_lens")
loading = threading.RLock()
importing = threading.Lock()
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
# Metrics that have scored with a model in this process, with the model's name.
in_memory: set[tuple[str, str]] = set()
# The same for those that someone asked for and that have neither scored nor failed since: they may be under way.
asked_for: set[tuple[str, str]] = set()


class Unavailable(Exception):
    """The module is neither in a clone nor on the Hub as far as this page was told."""


def organisation() -> str:
    """The Hub organisation that holds the modules; empty where none is named."""
    return os.environ.get("ANSWER_LENS_ORG", "").strip()


def location(name: str) -> str:
    """What `evaluate.load` is given for the module `name`."""
    folder = METRICS_FOLDER / name
    if (folder / f"{name}.py").is_file():
        return str(folder)
    if organisation():
        return f"{organisation()}/{name}"
    raise Unavailable(name)


@functools.cache
def loaded_class(name: str) -> Any:
    """The metric class of the module `name`, loaded once."""
    where = location(name)
    evaluate = importlib.import_module("evaluate")
    return type(evaluate.load(where, keep_in_memory=True))


def fresh_module(name: str, configuration: str | None = None) -> Any:
    """A new object for one scoring: threads cannot share one, and in memory no text reaches a disk."""
    with loading:
        metric_class = loaded_class(name)
    return metric_class(config_name=configuration, keep_in_memory=True)


def judge_client() -> Any:
    """What the judges know of their providers. In a clone its file is imported alone, which takes no time."""
    name = next(metric.name for metric in METRICS if metric.judge)
    file = METRICS_FOLDER / name / "judge_providers.py"
    if not file.is_file():
        with loading:
            return importlib.import_module(".judge_providers", loaded_class(name).__module__.rpartition(".")[0])
    spec = importlib.util.spec_from_file_location("judge_providers", file)
    assert spec is not None
    assert spec.loader is not None
    client = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(client)
    return client


@functools.cache
def providers() -> Mapping[str, Any]:
    """The judges' table of providers, looked for once; empty where there are no judges, which their cards say."""
    try:
        return judge_client().PROVIDERS
    except Unavailable:
        return {}
    except Exception as error:  # whatever a module to load does: the other scores go on
        note(next(metric for metric in METRICS if metric.judge), error)
        return {}


def asks(judge: Judge, asked: bool) -> bool:
    """Whether a judge is asked: only one that lacks nothing, and only where the user asked for it."""
    return asked and not judging.what_is_missing(judge, providers())


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


def is_path(name: str) -> bool:
    """Whether a model is named by its folder, there or not, and not by a name that the Hub could have."""
    return os.path.isabs(name) or name.startswith(("~", ".")) or os.path.isdir(name)


def shown_name(name: str) -> str:
    """A model's name for the page. Of a folder only its own: where it lies on the server concerns no visitor."""
    if not is_path(name):
        return name
    expanded = Path(os.path.expanduser(name))
    return (expanded.name.strip(".") and expanded.name) or expanded.resolve().name


def on_disk(name: str) -> bool:
    """Whether a model needs no download: it is a folder, or all of it is in the cache of Hugging Face."""
    if is_path(name):
        return True
    # A name without an organisation is looked for under that of sentence-transformers too.
    return any(in_cache(one) for one in ((name,) if "/" in name else (name, f"sentence-transformers/{name}")))


def in_cache(name: str) -> bool:
    """Whether the cache of Hugging Face holds a model with its weights, which come last and may be under way."""
    from huggingface_hub import try_to_load_from_cache

    try:
        found = [isinstance(try_to_load_from_cache(name, file), str) for file in ("config.json", *WEIGHTS)]
    except ValueError:  # not a name that the Hub could have
        return False
    return found[0] and any(found[1:])


def at_once(metric: Metric, submission: Submission, asked: bool = True, judge: Judge = NO_JUDGE) -> Outcome:
    """What can be said before anything is computed: what is lacking, or what the user now waits for.

    `asked` says that the user asked for this score, so that the metric's model may be fetched, or the judge asked.
    """
    length_message = too_long(submission)
    if length_message:
        return Outcome("needs", message=length_message)
    for field in metric.needs:
        if not getattr(submission, field).strip():
            return Outcome("needs", message=say(f"needs_{field}"))
    if metric.judge and asks(judge, asked):
        return Outcome("pending", message=say("asking_judge", model=judging.without_key(judge.model, judge.key)))
    if metric.model is None:
        return Outcome("pending", message=say("computing"))
    return about_model(metric.name, metric.model, asked)


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


def download_size(model: Model) -> str:
    """How large a download is, where that is known."""
    return say("download_size", size=model.size) if model.name() == model.default else ""


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


def attempted(metric: Metric, submission: Submission, may_fetch: bool, judge: Judge = NO_JUDGE) -> Outcome:
    """The score, or why there is none."""
    try:
        module = fresh_module(metric.name)
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
    code = sys.modules[type(module).__module__]
    if metric.model is not None:
        import_packages(metric.model)
    with asking_hub(code, may_fetch):
        result = module.compute(
            predictions=[submission.answer],
            references=[submission.reference],
            per_example=True,
            **metric.arguments(submission, code),
        )
    reason = result["per_example"][0]
    return Outcome("scored", float(reason["score"]), reason, str(result["signature"]))


def judged(module: Any, metric: Metric, submission: Submission, asked: bool, judge: Judge) -> Outcome:
    """What a judge's card says; where the visitor chose a judge and the question is empty, that too."""
    outcome = verdict(module, metric, submission, asked, judge)
    return outcome if submission.question.strip() or judge == NO_JUDGE else judging.without_question(outcome)


def verdict(module: Any, metric: Metric, submission: Submission, asked: bool, judge: Judge) -> Outcome:
    """The verdict of a judge, or, where it is not asked, what it lacks and the prompt to copy."""
    code = sys.modules[type(module).__module__]
    prompt = code.fill_prompt(submission.question, submission.answer, submission.reference)
    unasked = judging.unasked(judge, asked, providers(), prompt)
    if unasked:
        return unasked
    try:
        result = module.compute(
            questions=[submission.question],
            predictions=[submission.answer],
            references=[submission.reference],
            **judging.arguments(judge),
        )
    except Exception as error:  # whatever becomes of a question to another computer
        if not judging.expected(error):
            note(metric, error)
        return judging.failure(error, judge, prompt, providers())
    return judging.verdict(result, judge, prompt)


@contextlib.contextmanager
def asking_hub(code: Any, may_fetch: bool) -> Iterator[None]:
    """Let a module ask the Hub for what its model lacks on this machine, or forbid it, where it has a model."""
    ask_hub = getattr(code, "ask_hub", None)
    if ask_hub is None:
        yield
        return
    before = ask_hub.set(may_fetch)
    try:
        yield
    finally:
        ask_hub.reset(before)


def import_packages(model: Model) -> None:
    """Import what a model needs, one thread at a time: packages this large, begun in two, may meet half-imported.

    One that is missing is left to the module, which says how to install it.
    """
    with importing:
        for package in model.packages:
            with contextlib.suppress(ImportError):
                importlib.import_module(package)


def load_failure(metric: Metric, error: Exception) -> Outcome:
    """Why a module could not be loaded."""
    if isinstance(error, Unavailable):
        return Outcome("unavailable", message=say("unavailable", name=metric.name))
    note(metric, error)
    if isinstance(error, ImportError):
        return Outcome("unavailable", message=say("package_missing", message=shortened(metric, error)))
    message = say("not_loaded", module=metric.name, error=type(error).__name__)
    return Outcome("unavailable", message=message)


def compute_failure(metric: Metric, error: Exception) -> Outcome:
    """Why a module gave no score."""
    told = shortened(metric, error)
    if isinstance(error, OSError) and metric.model is not None:
        # A model that cannot be had is no defect: the card says why, and no traceback frightens who reads the log.
        log.warning("%s: no score, for its model cannot be had (%s)", metric.name, type(error).__name__)
        told = told.rstrip(".")
        message = say("model_unavailable", message=told[:1].upper() + told[1:], variable=metric.model.variable)
        return Outcome("unavailable", message=message)
    note(metric, error)
    if isinstance(error, ImportError):
        return Outcome("unavailable", message=say("package_missing", message=told))
    if isinstance(error, ValueError) and told.startswith("num_layers") and os.environ.get(BERTSCORE_LAYERS, "").strip():
        message = say("wrong_layers", message=told.rstrip("."), variable=BERTSCORE_LAYERS)
        return Outcome("unavailable", message=message)
    if isinstance(error, ValueError):
        return Outcome("error", message=say("refused", message=told))
    return Outcome("error", message=say("failed", error=type(error).__name__))


def shortened(metric: Metric, error: Exception) -> str:
    """The first line of an error's message, for the page."""
    return without_path(metric, str(error).strip().partition("\n")[0])[:MAX_MESSAGE]


def without_path(metric: Metric, message: str) -> str:
    """A message in which the folder of a metric's model has only its own name."""
    name = metric.model.name() if metric.model else ""
    if not name or not is_path(name):
        return message
    expanded = os.path.expanduser(name)
    # The longest first, for one may be the beginning of another; and never a lone ".", which is in every sentence.
    for path in sorted({name, expanded, os.path.abspath(expanded), os.path.realpath(expanded)}, key=len, reverse=True):
        if path.strip("./"):
            message = message.replace(path, shown_name(name))
    return message


def note(metric: Metric, error: Exception) -> None:
    """Where a metric failed, for the log."""
    note_failure(metric.name, error)


def note_failure(name: str, error: Exception) -> None:
    """Where a module failed, for the log; without the message, which may hold the user's text."""
    log.error("%s: %s\n%s", name, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))


def warm_up() -> None:
    """Load the modules behind the first page, and what they load themselves on their first Chinese answer; no model.
    Those of the judge check come last.
    """
    for metric in METRICS:
        if metric.model is None:
            score(metric, Submission(reference="预热", answer="预热"))
        else:
            with contextlib.suppress(Exception):  # said where it is scored
                fresh_module(metric.name)
    for name in (BIAS, ACCURACY):
        with contextlib.suppress(Exception):  # said where it is asked for
            fresh_module(name)
