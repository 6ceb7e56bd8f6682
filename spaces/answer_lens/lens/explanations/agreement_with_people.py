"""The measured agreement of each score with people, and the limits of the measurement.

All figures come from data/agreement.json. `make agreement` computes them from a file of human
verdicts: the AUROC of each score with its 95% interval, overall and by the length of the answer in
words, and Kendall's tau of its ranking of the systems.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lens import DATA
from lens.scoring.catalog import Metric
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission
from lens.words import has_text, join_sentences, say
from lens.words.formats import HAN, format_number

# `make agreement` groups answers by their number of words: short ones have fewer than "low", medium
# ones at most "high".
BOUNDS = {"low": 5, "high": 20}
LENGTHS = ("short", "medium", "long")
# A Chinese character, or a run of other characters: "GPT-4 很好" has three words.
WORD = re.compile(f"{HAN.pattern}|[^\\s{HAN.pattern[1:-1]}]+")
# The name of LV-Eval F1 with keywords in agreement.json.
GATED_F1 = "lv_eval_f1_gate"
# A score is weak if the lower end of its AUROC's interval is below this.
TRUSTED_AUROC = 0.8
# The interpretation of an estimate that is a probability. Other estimates only rank answers; their
# AUROC on people's grades is only 0.6 to 0.85.
PROBABILITY = "probability"

# The AUROC with its 95% interval, overall and by length, and Kendall's tau of the ranking.
Figures = Mapping[str, Sequence[float]]


class LengthGroup(NamedTuple):
    """The agreement on answers of similar length.

    Attributes:
        name: the name of the group.
        auroc: the AUROC with its interval; None if it was not measured.
        is_here: whether the answer whose card is drawn is in the group.
    """

    name: str
    auroc: Sequence[float] | None
    is_here: bool


class AgreementTexts(NamedTuple):
    """The texts on the agreement of a score with people.

    Attributes:
        line: the text in one line.
        figures: sentences on the figures, or on how to measure them.
        limits: sentences on the data of the figures and on their limits.
        lengths: the groups of answers by length.
        data: the content of agreement.json; None if the score was not measured.
    """

    line: str
    figures: str
    limits: str = ""
    lengths: Sequence[LengthGroup] = ()
    data: Mapping[str, Any] | None = None


@functools.cache
def load_agreement() -> Mapping[str, Any]:
    """Return the content of agreement.json, which is read only once."""
    return dict(json.loads((DATA / "agreement.json").read_text(encoding="utf-8")))


def read_figures(measured: Mapping[str, Any]) -> Figures:
    """Return the figures of a score.

    A figure that could not be measured is null in the file, or contains null. It is left out.
    """
    figures = {}
    for name in ("tau", "overall", *LENGTHS):
        figure = measured.get(name)
        if figure and None not in figure:
            figures[name] = figure
    return figures


def describe_agreement_with_people(
    metric: Metric, result: MetricResult, submission: Submission
) -> AgreementTexts:
    """Return the texts on the agreement of a metric with people, for its score of an answer."""
    data = load_agreement()
    # LV-Eval F1 with keywords was measured separately.
    is_gated = metric.takes_keywords and result.reasons.get("gate") == "answer_keywords"
    name = GATED_F1 if is_gated else metric.name
    measured = data["scores"].get(name, {})
    figures = read_figures(measured)
    if "overall" not in figures:
        return describe_missing_measurement(metric)
    is_foreign = is_other_language(submission, data)
    length = "" if is_foreign else group_by_length(submission.answer)
    model = find_used_model(metric, result)
    doubts = list_applicability_doubts(model, measured["model"], submission, is_foreign)
    doubts = doubts or list_weak_points(figures, length, result)
    auroc = figures["overall"][0]
    line = say("agreement.agrees", value=format_number(auroc))
    if doubts:
        line += say("page.in_brackets", text=say("page.comma").join(doubts))
    is_same_model = find_base_name(model) == find_base_name(measured["model"])
    return AgreementTexts(
        line=line,
        figures=describe_figures(figures, data["systems"]),
        limits=describe_limits(data, measured, is_gated, is_same_model),
        lengths=list_length_groups(figures, length),
        data=data,
    )


def describe_missing_measurement(metric: Metric) -> AgreementTexts:
    """Return the texts on a score that was not measured, with the command that measures it."""
    command = "make agreement DATA=path"
    if metric.judge:
        command += " PROVIDER=name MODEL=name"
    return AgreementTexts(
        line=say("agreement.unmeasured"),
        figures=say("agreement.measure", command=command),
    )


def list_length_groups(figures: Figures, own_length: str) -> list[LengthGroup]:
    """Return the figures of each group of answers by length; `own_length` is this answer's."""
    groups = []
    for length in LENGTHS:
        name = say(f"agreement.{length}", **BOUNDS)
        groups.append(LengthGroup(name, figures.get(length), length == own_length))
    return groups


def find_data_language(data: Mapping[str, Any]) -> str:
    """Return the code of the data's language."""
    return str(data["language"].lower().partition("-")[0])


def is_other_language(submission: Submission, data: Mapping[str, Any]) -> bool:
    """Return whether an answer is in another language than the data."""
    measured_language = find_data_language(data)
    if not measured_language or not submission.reference.strip():
        return False
    return measured_language != detect_language(submission)


def find_used_model(metric: Metric, result: MetricResult) -> str:
    """Return the model that computed a score; empty if there is none."""
    if metric.model:
        return metric.model.name()
    return str(result.reasons.get("model") or "")


def find_base_name(model: str) -> str:
    """Return a model's name without organisation, provider and folder."""
    return model.rstrip("/").rpartition("/")[2].lower()


def list_applicability_doubts(
    model: str,
    measured_model: str,
    submission: Submission,
    is_foreign: bool,
) -> list[str]:
    """Return the reasons why the figures do not apply to this score.

    Args:
        model: the model that computed the score.
        measured_model: the model that was measured.
        submission: the answer.
        is_foreign: whether the answer is in another language than the data.
    """
    doubts = []
    if is_foreign:
        language = name_language(detect_language(submission))
        doubts.append(say("agreement.not_for", language=language))
    has_models = bool(model and measured_model)
    if has_models and find_base_name(model) != find_base_name(measured_model):
        doubts.append(say("agreement.other_model"))
    return doubts


def list_weak_points(figures: Figures, length: str, result: MetricResult) -> list[str]:
    """Return the reasons why a score is weak, in a few words each.

    Args:
        figures: the figures of the score.
        length: the group of the answer by length; empty if it has none.
        result: the result; an estimate that is not a probability is always weak, because the
            measurement was on short facts.
    """
    interpretation = result.reasons.get("interpretation", PROBABILITY)
    if interpretation != PROBABILITY:
        return [say("agreement.weak_here")]
    points = []
    auroc = figures.get(length or "overall")
    if auroc is None:
        points.append(say("agreement.not_here"))
    else:
        _, auroc_low, _ = auroc
        if auroc_low < TRUSTED_AUROC:
            points.append(say("agreement.weak_here" if length else "agreement.weak"))
    tau = figures.get("tau")
    if tau:
        _, tau_low, tau_high = tau
        if tau_high < 0:
            points.append(say("agreement.against"))
        elif not tau_low > 0:
            points.append(say("agreement.unranked"))
    return points


def describe_limits(
    data: Mapping[str, Any],
    measured: Mapping[str, Any],
    is_gated: bool,
    is_same_model: bool,
) -> str:
    """Return sentences on the data of the figures, and on their limits."""
    limits = []
    if measured.get("questions"):
        limits.append(say("agreement.sample", questions=measured["questions"]))
    language = name_language(find_data_language(data))
    limits.append(say("agreement.limits", language=language, **data["reference_words"]))
    if is_gated:
        limits.append(say("agreement.gate"))
    if measured["model"]:
        key = "agreement.model" if is_same_model else "agreement.model_other"
        limits.append(say(key, model=measured["model"]))
    if measured.get("left_out"):
        limits.append(say("agreement.left_out"))
    return join_sentences(*limits)


def describe_figures(figures: Figures, systems: int) -> str:
    """Return sentences on the figures."""
    value, low, high = figures["overall"]
    # Of so many among 100 pairs of a right and a wrong answer, the right one has the higher score.
    count = round(100 * value)
    if 0 < value < 1:
        # 0 and 100 are only shown if they are exact.
        count = min(max(count, 1), 99)
    pairs = say(
        "agreement.pairs",
        count=count,
        auroc=format_number(value, 3),
        low=format_number(low, 3),
        high=format_number(high, 3),
    )
    if "tau" not in figures:
        return pairs
    tau, tau_low, tau_high = figures["tau"]
    ranking = say(
        "agreement.tau",
        systems=systems,
        tau=format_number(tau),
        low=format_number(tau_low),
        high=format_number(tau_high),
    )
    return join_sentences(pairs, ranking)


def count_words(text: str) -> int:
    """Count the words of a text like `make agreement`: a Chinese character is a word."""
    return len(WORD.findall(text))


def group_by_length(text: str) -> str:
    """Return the group of an answer by its number of words; empty if it has no words."""
    words = count_words(text)
    if not words:
        return ""
    short, medium, long = LENGTHS
    if words < BOUNDS["low"]:
        return short
    if words <= BOUNDS["high"]:
        return medium
    return long


def detect_language(submission: Submission) -> str:
    """Return the language of an answer.

    It is "zh" if the reference contains Chinese, or if the reference or the answer is mostly
    Chinese. It is "other" if one of them is mostly in another non-Latin script, or else "en".
    """
    if HAN.search(submission.reference):
        return "zh"
    for text in (submission.reference, submission.answer):
        letters = [sign for sign in text if sign.isalpha()]
        latin_letters = [sign for sign in letters if sign.isascii()]
        if 2 * len(latin_letters) >= len(letters):
            continue
        chinese_signs = HAN.findall(text)
        if 2 * len(chinese_signs) > len(letters):
            return "zh"
        return "other"
    return "en"


def name_language(code: str) -> str:
    """Return the name of a language; its code if there is no name."""
    base_code, _, _ = code.lower().partition("-")
    key = f"agreement.language.{base_code or 'mixed'}"
    if not has_text(key):
        return code
    return say(key)
