"""How far each score agrees with people, as it was measured; page/agreement_mark.py says it.

All figures come from data/agreement.json, which `make agreement` writes from a file of human verdicts: the
AUROC of each score with its 95% interval, overall and by the length of the answer in words, Kendall's tau of its
ranking of the systems, and the intervals of the differences between two scores. Without it the page has
no marks.
"""

from __future__ import annotations

import functools
import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lens import DATA
from lens.scoring.catalog import BY_NAME, Metric, Submission
from lens.scoring.outcome import Outcome
from lens.words import knows, say, sentences
from lens.words.formats import HAN, number

FILE = DATA / "agreement.json"
# The groups of `make agreement`, in words by whitespace: fewer than the first, up to the second, more.
BOUNDS = {"low": 5, "high": 20}
LENGTHS = ("short", "medium", "long")
WORD = re.compile(f"{HAN.pattern}|[^\\s{HAN.pattern[1:-1]}]+")
# What the file calls LV-Eval F1 with keywords.
GATE = "lv_eval_f1_gate"
# A score whose AUROC may be lower than this is not to be trusted alone.
TRUSTED = 0.8

log = logging.getLogger("answer_lens")


@dataclass(frozen=True)
class Figure:
    """An AUROC or a tau, and its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Agreement:
    """How far one score agrees with people; `figures` by group, without those groups that have none.

    `model` is what it was measured with, `questions` how many were taken where it was a sample.
    """

    model: str
    questions: int | None
    tau: Figure | None
    figures: Mapping[str, Figure]


@dataclass(frozen=True)
class Evidence:
    """A data set of human verdicts and what was measured on it; 95% of the references have at most `most` words."""

    title: str
    source: str
    url: str
    language: str
    questions: int
    answers: int
    systems: int
    median: float
    most: float
    scores: Mapping[str, Agreement]
    differences: Mapping[str, Mapping[str, Sequence[float]]]

    def of(self, name: str, outcome: Outcome) -> Agreement | None:
        """What was measured of a metric."""
        found = self.scores.get(key_of(name, outcome))
        return found if found and "overall" in found.figures else None

    def foreign(self, language: str) -> bool:
        """Whether a text is in another language than the data, as far as that can be told."""
        return bool(self.language) and self.language.lower().partition("-")[0] != language

    def differ(self, one: str, other: str, length: str) -> bool:
        """Whether two scores agree with people differently: the interval of their difference does not hold 0.

        Where that is not measured, their own intervals must lie apart.
        """
        pairs = self.differences.get(length, {})
        ends = pairs.get(f"{one}|{other}") or pairs.get(f"{other}|{one}")
        if ends:
            return ends[0] > 0 or ends[1] < 0
        first, second = (self.scores[name].figures[length] for name in (one, other))
        return first.low > second.high or second.low > first.high


@functools.cache
def agreement() -> Evidence | None:
    """The evidence, read once; nothing where the file is missing or broken, which the log says."""
    try:
        return parsed(json.loads(FILE.read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        log.warning("%s: %r; the cards show no agreement with people (make agreement writes it)", FILE.name, error)
        return None


def parsed(data: Mapping[str, Any]) -> Evidence:
    """The evidence in the JSON of the file, which `make agreement` writes."""
    words = data["reference_words"]
    named = {name: data[name] for name in ("title", "source", "url", "language", "questions", "answers", "systems")}
    return Evidence(
        **named,
        median=words["median"],
        most=words["most"],
        scores={name: parsed_score(given) for name, given in data["scores"].items()},
        differences={
            group: {pair: ends for pair, ends in pairs.items() if ends and None not in ends}
            for group, pairs in data["differences"].items()
        },
    )


def parsed_score(given: Mapping[str, Any]) -> Agreement:
    """What the file says of one score; a figure that could not be measured is null there, or has a null in it."""
    found = {
        name: Figure(*ends)
        for name in ("tau", "overall", *LENGTHS)
        if (ends := given.get(name)) is not None and None not in ends
    }
    tau = found.pop("tau", None)
    return Agreement(given["model"], given.get("questions"), tau, found)


def key_of(name: str, outcome: Outcome) -> str:
    """What the file calls the score of a card: LV-Eval F1 with keywords is one of its own."""
    gated = name == "lv_eval_f1" and (outcome.per_example or {}).get("gate") == "answer_keywords"
    return GATE if gated else name


def words_of(text: str) -> int:
    """The words of a text as `make agreement` counts them: by whitespace, and a Chinese character is one."""
    return len(WORD.findall(text))


def length_of(text: str) -> str:
    """The group of an answer by its words; empty where it has none."""
    words = words_of(text)
    return "" if not words else LENGTHS[(words >= BOUNDS["low"]) + (words > BOUNDS["high"])]


def language_of(outcomes: Mapping[str, Outcome], submission: Submission) -> str:
    """The language of an answer: "zh" where LV-Eval F1 says so or the reference has Chinese in it, else that of the
    script of the reference or of the answer, whichever is not "en".
    """
    gated = outcomes.get("lv_eval_f1")
    if (gated and (gated.per_example or {}).get("language") == "zh") or HAN.search(submission.reference):
        return "zh"
    found = (script_of(text) for text in (submission.reference, submission.answer))
    return next((one for one in found if one != "en"), "en")


def script_of(text: str) -> str:
    """The language that the script of a text stands for: "zh" where it is mostly Chinese, "other" where it is mostly in
    another script of its own, else "en".
    """
    letters = [sign for sign in text if sign.isalpha()]
    if 2 * sum(sign.isascii() for sign in letters) >= len(letters):
        return "en"
    return "zh" if 2 * sum(bool(HAN.match(sign)) for sign in letters) > len(letters) else "other"


def used_model(metric: Metric, outcome: Outcome) -> str:
    """The model that a score comes from, as far as that is known."""
    return metric.model.name() if metric.model else str((outcome.per_example or {}).get("model") or "")


def same_model(one: str, other: str) -> bool:
    """Whether two names mean the same model: with or without an organisation or a provider before it, or a folder."""
    first, second = (name.rstrip("/").rpartition("/")[2].lower() for name in (one, other))
    return first == second


def language_name(code: str) -> str:
    """What a language is called; its code where this page has no name for it."""
    key = f"ev_language_{code.lower().partition('-')[0]}"
    return say(key) if knows(key) else code


def length_name(length: str) -> str:
    """A group of lengths in words."""
    return say(f"ev_{length}", **BOUNDS)


@dataclass(frozen=True)
class Best:
    """The score of a camp that agrees best with people, by its name in the file."""

    title: str
    key: str
    figure: Figure


def weighed(high: Mapping[str, Outcome], low: Mapping[str, Outcome], submission: Submission) -> str:
    """Which of two camps of scores agrees better with people for answers of this length, by the best score of each.

    Nothing where a camp is empty, nothing was measured of its scores, or there is no answer.
    """
    data, length = agreement(), length_of(submission.answer)
    if data is None or not length or not high or not low:
        return ""
    language = language_of({**high, **low}, submission)
    if data.foreign(language):
        return say("ev_foreign", language=language_name(language))
    first, second = best(data, high, length), best(data, low, length)
    if first is None or second is None:
        return ""
    gated, longer = GATE in (first.key, second.key), words_of(submission.reference) > data.most
    limits = [*([say("ev_own_keywords")] if gated else []), *([say("ev_shorter", most=data.most)] if longer else [])]
    measured = say("ev_measured_with", limits=say("ev_limits_and").join(limits)) if limits else ""
    return sentences(contrasted(data, length, first, second), measured)


def best(data: Evidence, camp: Mapping[str, Outcome], length: str) -> Best | None:
    """The score of a camp that agrees best with people; nothing where none was measured.

    What was measured with another model than the one that gave a score says nothing of it.
    """
    known = []
    for name, outcome in camp.items():
        found, metric = data.of(name, outcome), BY_NAME[name]
        if found and length in found.figures and same_model(found.model, used_model(metric, outcome)):
            known.append(Best(metric.title, key_of(name, outcome), found.figures[length]))
    return max(known, key=lambda one: one.figure.value, default=None)


def contrasted(data: Evidence, length: str, *pair: Best) -> str:
    """The sentence on two scores, the one that agrees better with people first."""
    better, other = sorted(pair, key=lambda one: -one.figure.value)
    if better.figure.low < TRUSTED:
        key = "ev_neither"
    else:
        key = "ev_better" if data.differ(better.key, other.key, length) else "ev_equal"
    digits = 2 if number(better.figure.value) != number(other.figure.value) else 3
    first, second = (number(one.figure.value, digits) for one in (better, other))
    answers = say(
        "ev_answers_in" if data.language else "ev_answers",
        length=length_name(length),
        language=language_name(data.language),
    )
    return say(key, answers=answers, better=better.title, other=other.title, first=first, second=second)
