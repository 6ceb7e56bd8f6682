"""The first line on an answer.

Whether it is right, by the estimate and its heaviest reason, and what a judge says.

The line is never against the estimate. Where the estimate is a probability, the line has its
number. Where it only ranks answers, the line says no number. It says that words cannot tell where
no reason speaks for or against the answer.

What an estimate is called when it only ranks was measured on 8,807 answers that people judged:
6,000 to short questions (EVOUNA) and 2,807 of students and assistants. People found right: of those
called probably right 98% and 86%, with one thing to check 89% and 82%; of those that could be
right or wrong 67% and 65%; of those called probably wrong 17% and 38%.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lens.explanations.agreement_with_people import PROBABILITY
from lens.explanations.estimate_reasons import (
    DIFFERENCES,
    MORE_OR_LESS,
    SAME_VALUE,
    Reason,
    describe_difference,
    describe_difference_line,
    describe_same_value,
    fits_on_line,
    quote_texts,
)
from lens.scoring.metric_result import MetricResult
from lens.words.formats import format_percent
from lens.words.notes import Note

# From here on an answer is called likely right, and from there down likely wrong; between, it may
# be either.
LIKELY, UNLIKELY = 0.65, 0.35
# An estimate that only ranks: from here on the texts are called close.
CLOSE_TO_REFERENCE = 0.8
# Beyond these a probability is not said to the percent.
NEARLY_SURE, NEARLY_IMPOSSIBLE = 0.99, 0.01
# From here on, and from there down, a judge is called sure.
SURE, SURE_NOT = 0.9, 0.1
# The module's warning that a text has no word.
NO_WORD = "no_word"
# Its warning that one text is in simplified and the other in traditional Chinese characters.
OTHER_CHARACTERS = "other_characters"


class Headline(NamedTuple):
    """The first line.

    Attributes:
        line: the line, not yet in words.
        is_right: what it takes the answer for; None where it cannot tell.
        difference: the difference that it says in full.
    """

    line: Note
    is_right: bool | None = None
    difference: Note | None = None


def describe_headline(
    estimate: MetricResult | None, judged: Mapping[str, float], repeats_reference: bool
) -> Headline:
    """Return the first line on an answer.

    Args:
        estimate: what became of the estimate; None where it was not chosen.
        judged: the verdicts of judges, by metric.
        repeats_reference: whether the answer is the reference almost word for word.
    """
    judge = describe_judge(list(judged.values()))
    if estimate is None or estimate.score is None:
        missing = Note("headline.not_chosen" if estimate is None else "headline.failed")
        return Headline(put_judge_first(judge, missing) if judge else missing)
    headline = describe_estimate(estimate.score, estimate.reasons, repeats_reference)
    if not judge:
        return headline
    if headline.line.key == "headline.cannot_tell":
        return headline._replace(line=put_judge_first(judge, Note("headline.words_alone")))
    return headline._replace(line=Note("headline.and", {"first": headline.line, "second": judge}))


def put_judge_first(judge: Note, rest: Note) -> Note:
    """Return the line of a judge's verdict where there is no verdict beside it."""
    return Note("headline.and", {"first": judge, "second": rest})


def describe_judge(verdicts: Sequence[float]) -> Note | None:
    """Return what the judges say; None where none was asked."""
    if not verdicts:
        return None
    says_right = max(verdicts) >= SURE
    says_wrong = min(verdicts) <= SURE_NOT
    if says_right and says_wrong:
        return Note("headline.judges_split")
    if says_right:
        return Note("headline.judge_right")
    return Note("headline.judge_wrong" if says_wrong else "headline.judge_unsure")


def describe_estimate(score: float, entry: Mapping[str, Any], repeats_reference: bool) -> Headline:
    """Return the line on an estimate, for a score and the entry of its module."""
    if score == 0:
        return Headline(Note("explain.line.empty"), False)
    warnings = entry.get("warnings") or ()
    if NO_WORD in warnings:
        return Headline(Note("headline.empty_reference"))
    if OTHER_CHARACTERS in warnings and score < LIKELY:
        return Headline(Note("headline.other_characters"))
    reasons = entry.get("reasons") or ()
    if entry.get("interpretation") == PROBABILITY:
        return describe_probability(score, reasons, repeats_reference)
    return describe_ranking(score, reasons, repeats_reference)


def describe_probability(
    score: float, reasons: Sequence[Reason], repeats_reference: bool
) -> Headline:
    """Return the line on an estimate that is a probability."""
    share = {"share": describe_share(score)}
    if score >= LIKELY:
        support = Note("explain.line.same") if repeats_reference else describe_support(reasons)
        return Headline(add_reason(Note("headline.right", share), support), True)
    against, difference = describe_objection(reasons)
    if score <= UNLIKELY:
        return Headline(add_reason(Note("headline.wrong", share), against), False, difference)
    return Headline(add_reason(Note("headline.even", share), against), None, difference)


def describe_ranking(score: float, reasons: Sequence[Reason], repeats_reference: bool) -> Headline:
    """Return the line on an estimate that is no probability."""
    has_same_value = bool(reasons) and reasons[0]["kind"] == SAME_VALUE
    if has_same_value:
        support = describe_same_value(reasons[0])
    elif any(is_against(reason) and reason["kind"] in DIFFERENCES for reason in reasons):
        return describe_doubt(score, reasons)
    elif repeats_reference:
        support = Note("explain.line.same")
    elif score < CLOSE_TO_REFERENCE:
        return Headline(Note("headline.cannot_tell"))
    else:
        return describe_close_answer(reasons)
    return Headline(add_reason(Note("headline.probably_right"), support), True)


def describe_close_answer(reasons: Sequence[Reason]) -> Headline:
    """Return the line on an answer that is close to the reference, and in which nothing differs."""
    lack, _ = describe_objection(reasons)
    if lack:
        return Headline(add_reason(Note("headline.right_but_check"), lack), True)
    if not reasons or any(map(is_against, reasons)):
        support = Note("headline.close")
    else:
        support = describe_support(reasons) or Note("headline.all_found")
    return Headline(add_reason(Note("headline.probably_right"), support), True)


def describe_doubt(score: float, reasons: Sequence[Reason]) -> Headline:
    """Return the line for an estimate that is no probability, where something differs."""
    against, difference = describe_objection(reasons)
    if score <= UNLIKELY:
        return Headline(add_reason(Note("headline.probably_wrong"), against), False, difference)
    kinds = {reason["kind"] for reason in reasons if reason["kind"] in DIFFERENCES}
    # Something more or less beside all of the reference; another number or name would make the
    # answer wrong.
    is_close = (
        score >= CLOSE_TO_REFERENCE and kinds <= set(MORE_OR_LESS) and not is_against(reasons[0])
    )
    verdict = Note("headline.right_but_check" if is_close else "headline.either")
    return Headline(add_reason(verdict, against), None, difference)


def describe_share(score: float) -> Note:
    """Return a probability in percent; near to certain it is a bound."""
    if score > NEARLY_SURE:
        return Note("headline.over", {"share": format_percent(NEARLY_SURE)})
    if score < NEARLY_IMPOSSIBLE:
        return Note("headline.under", {"share": format_percent(NEARLY_IMPOSSIBLE)})
    return Note("page.as_it_is", {"text": format_percent(score)})


def add_reason(verdict: Note, reason: Note | None) -> Note:
    """Return a verdict with its reason, where there is one."""
    return Note("headline.why", {"verdict": verdict, "why": reason}) if reason else verdict


def is_against(reason: Reason) -> bool:
    """Return whether a reason speaks against the answer."""
    return bool(reason["weight"] < 0)


def describe_support(reasons: Sequence[Reason]) -> Note | None:
    """Return the heaviest reason for an answer; None where none is short enough."""
    for reason in reasons:
        if reason["kind"] == SAME_VALUE:
            return describe_same_value(reason)
        if reason["kind"] == "found":
            found = Note("headline.found", quote_texts(reason))
            return found if fits_on_line(found) else None
    return None


def describe_objection(reasons: Sequence[Reason]) -> tuple[Note | None, Note | None]:
    """Return the heaviest reason against an answer.

    A difference goes before all others, and is returned in full too.
    """
    against = [reason for reason in reasons if is_against(reason)]
    differences = [reason for reason in against if reason["kind"] in DIFFERENCES]
    if differences:
        line = describe_difference_line(differences[0])
        return line.note, describe_difference(differences[0]) if line.is_full else None
    if not against:
        return None, None
    lack = Note(f"headline.{against[0]['kind']}", quote_texts(against[0]))
    return (lack if fits_on_line(lack) else None), None
