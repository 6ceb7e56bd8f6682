"""How far each score agrees with people, as it was measured, and what that does not speak of.

All figures come from data/agreement.json, which `make agreement` writes from a file of human verdicts: the
AUROC of each score with its 95% interval, overall and by the length of the answer in words, and Kendall's tau of its
ranking of the systems.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lens import DATA
from lens.scoring.catalog import Metric, Submission
from lens.scoring.metric_result import MetricResult
from lens.words import knows, say, sentences
from lens.words.formats import HAN, number

# The groups of `make agreement`, in words by whitespace: fewer than the first, up to the second, more.
BOUNDS = {"low": 5, "high": 20}
LENGTHS = ("short", "medium", "long")
WORD = re.compile(f"{HAN.pattern}|[^\\s{HAN.pattern[1:-1]}]+")
# What the file calls LV-Eval F1 with keywords.
GATE = "lv_eval_f1_gate"
# A score whose AUROC may be lower than this is not to be trusted alone.
TRUSTED = 0.8
# An estimate that is known to be a probability; beyond, its AUROC on people's grades is 0.6 to 0.85.
PROBABILITY = "probability"

# An AUROC or a tau with its 95% interval, by group: overall, by length, and that of the ranking.
Figures = Mapping[str, Sequence[float]]


class Mark(NamedTuple):
    """What is said of a score: one line; where it was measured, what that rests on, by length, and on which data."""

    line: str
    told: list[str]
    lengths: list[tuple[str, Sequence[float] | None, bool]]
    data: Mapping[str, Any] | None = None


@functools.cache
def agreement() -> Mapping[str, Any]:
    """What the file holds, read once."""
    return dict(json.loads((DATA / "agreement.json").read_text(encoding="utf-8")))


def figures_of(found: Mapping[str, Any]) -> Figures:
    """What was measured of a score; a figure that could not be is null in the file, or has a null in it."""
    groups = {group: found.get(group) for group in ("tau", "overall", *LENGTHS)}
    return {group: ends for group, ends in groups.items() if ends and None not in ends}


def mark_of(metric: Metric, outcome: MetricResult, submission: Submission) -> Mark:
    """What is said of a metric's score of an answer."""
    data = agreement()
    # LV-Eval F1 with keywords is a score of its own.
    gated = metric.takes_keywords and outcome.reasons.get("gate") == "answer_keywords"
    found = data["scores"].get(GATE if gated else metric.name, {})
    figures = figures_of(found)
    if "overall" not in figures:
        judge = " PROVIDER=name MODEL=name" if metric.judge else ""
        return Mark(say("ev_unmeasured"), [say("ev_measure", command=f"make agreement DATA=path{judge}")], [])
    language, measured = language_of(submission), data["language"].lower().partition("-")[0]
    foreign = bool(measured and submission.reference.strip()) and measured != language
    length = "" if foreign else length_of(submission.answer)
    used = metric.model.name() if metric.model else str(outcome.reasons.get("model") or "")
    same = base_name(used) == base_name(found["model"])
    other_model = bool(used and found["model"]) and not same
    outside = [say("ev_not_for", language=language_name(language))] * foreign + [say("ev_other_model")] * other_model
    # How weak figures are says nothing of what they do not speak of.
    beyond = outcome.reasons.get("interpretation", PROBABILITY) != PROBABILITY
    doubts = say("comma").join(outside or ([say("ev_weak_here")] if beyond else doubts_of(figures, length)))
    line = say("ev_agrees", value=number(figures["overall"][0])) + (say("in_brackets", text=doubts) if doubts else "")
    lengths = [(say(f"ev_{one}", **BOUNDS), figures.get(one), one == length) for one in LENGTHS]
    limits = sentences(
        say("ev_sample", questions=found["questions"]) if found.get("questions") else "",
        say("ev_limits", language=language_name(measured), **data["reference_words"]),
        say("ev_gate") if gated else "",
        say("ev_model" if same else "ev_model_other", model=found["model"]) if found["model"] else "",
        say("ev_left_out") if found.get("left_out") else "",
    )
    return Mark(line, [meaning_of(figures, data["systems"]), limits], lengths, data)


def base_name(model: str) -> str:
    """What two names of the same model share: it may have an organisation, a provider or a folder before it."""
    return model.rstrip("/").rpartition("/")[2].lower()


def doubts_of(figures: Figures, length: str) -> list[str]:
    """Why the score is not to be trusted, in a few words each: for answers of this length, and for ranking systems."""
    figure, tau = figures.get(length or "overall"), figures.get("tau")
    key = "ev_not_here" if figure is None else "ev_weak_here" if length else "ev_weak"
    doubts = [say(key)] if figure is None or figure[1] < TRUSTED else []
    return doubts + ([say("ev_against" if tau[2] < 0 else "ev_unranked")] if tau and not tau[1] > 0 else [])


def meaning_of(figures: Figures, systems: int) -> str:
    """What the figures are, in plain words."""
    (value, low, high), tau = figures["overall"], figures.get("tau")
    count = min(max(round(100 * value), 1), 99) if 0 < value < 1 else round(100 * value)  # 0 and 100 are exactly that
    pairs = say("ev_pairs", count=count, auroc=number(value, 3), low=number(low, 3), high=number(high, 3))
    ends = dict(zip(("tau", "low", "high"), map(number, tau or ()), strict=False))
    return sentences(pairs, say("ev_tau", systems=systems, **ends) if tau else "")


def words_of(text: str) -> int:
    """The words of a text as `make agreement` counts them: by whitespace, and a Chinese character is one."""
    return len(WORD.findall(text))


def length_of(text: str) -> str:
    """The group of an answer by its words; empty where it has none."""
    words = words_of(text)
    return "" if not words else LENGTHS[(words >= BOUNDS["low"]) + (words > BOUNDS["high"])]


def language_of(submission: Submission) -> str:
    """The language of an answer: "zh" where the reference has Chinese in it or the answer mostly is; "other" where one
    of them is mostly in another script of its own; else "en".
    """
    if HAN.search(submission.reference):
        return "zh"
    for text in (submission.reference, submission.answer):
        letters = [sign for sign in text if sign.isalpha()]
        if 2 * sum(sign.isascii() for sign in letters) < len(letters):
            return "zh" if 2 * len(HAN.findall(text)) > len(letters) else "other"
    return "en"


def language_name(code: str) -> str:
    """What a language is called; its code where this page has no name for it."""
    key = f"ev_language_{code.lower().partition('-')[0] or 'mixed'}"
    return say(key) if knows(key) else code
