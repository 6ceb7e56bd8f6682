"""The first line on an answer: whether it is right, by the estimate and by a judge.

The line never contradicts the estimate. If the estimate is a probability, the line has its number
and its main reason. If the estimate only ranks answers, the line has no number. If no reason speaks
for or against the answer, it says that words cannot tell.

The wording for estimates that only rank was tested on 8,807 answers that people judged: 6,000 to
short questions (EVOUNA), and 2,807 of students and assistants. So many did people find right:

    probably right               98% and 86%
    right, but check one thing   89% and 82%
    could be right or wrong      67% and 65%
    probably wrong               17% and 38%
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

# An estimate from LIKELY on is called likely right, and one up to UNLIKELY likely wrong. Between
# them, the answer may be either.
LIKELY, UNLIKELY = 0.65, 0.35
# The texts are called close if an estimate that only ranks is at least this.
CLOSE_TO_REFERENCE = 0.8
# Beyond these bounds, a probability is shown as a bound.
NEARLY_SURE, NEARLY_IMPOSSIBLE = 0.99, 0.01
# A judge's score is called sure if it is at least SURE, or at most SURE_NOT.
SURE, SURE_NOT = 0.9, 0.1
# The module's warning about a text without words.
NO_WORD = "no_word"
# The module's warning that one text has simplified and the other traditional Chinese characters.
OTHER_CHARACTERS = "other_characters"


class Headline(NamedTuple):
    """The first line on an answer.

    Attributes:
        line: the line, as a note.
        is_right: whether it calls the answer right; None if it cannot tell.
        difference: the difference that the line describes in full; None if there is none.
    """

    line: Note
    is_right: bool | None = None
    difference: Note | None = None


class Objection(NamedTuple):
    """The main reason against an answer; both notes are None if there is none.

    Attributes:
        short: the reason on one line; None if it is too long.
        difference: the reason in full, if it is a difference that the line describes in full.
    """

    short: Note | None = None
    difference: Note | None = None


def describe_headline(
    estimate: MetricResult | None, judged: Mapping[str, float], repeats_reference: bool
) -> Headline:
    """Return the first line on an answer.

    Args:
        estimate: the result of the estimate; None if it was not chosen.
        judged: the verdicts of judges, by metric.
        repeats_reference: whether the answer is the reference almost word for word.
    """
    judge = describe_judge(list(judged.values()))
    if estimate is None or estimate.score is None:
        missing = Note("headline.not_chosen" if estimate is None else "headline.failed")
        # A judge's verdict comes first if there is no other verdict.
        line = join_lines(judge, missing) if judge else missing
        return Headline(line)
    headline = describe_estimate(estimate.score, estimate.reasons, repeats_reference)
    if not judge:
        return headline
    if headline.line.key == "headline.cannot_tell":
        line = join_lines(judge, Note("headline.words_alone"))
    else:
        line = join_lines(headline.line, judge)
    return headline._replace(line=line)


def join_lines(first: Note, second: Note) -> Note:
    """Return a line that consists of two lines."""
    return Note("headline.and", {"first": first, "second": second})


def describe_judge(verdicts: Sequence[float]) -> Note | None:
    """Return a note on the verdicts of judges; None if no judge was asked."""
    if not verdicts:
        return None
    says_right = max(verdicts) >= SURE
    says_wrong = min(verdicts) <= SURE_NOT
    if says_right and says_wrong:
        return Note("headline.judges_split")
    if says_right:
        return Note("headline.judge_right")
    if says_wrong:
        return Note("headline.judge_wrong")
    return Note("headline.judge_unsure")


def describe_estimate(score: float, entry: Mapping[str, Any], repeats_reference: bool) -> Headline:
    """Return the line on an estimate, given its score and the module's entry."""
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
        line = add_reason(Note("headline.right", share), support)
        return Headline(line, True)
    objection = describe_objection(reasons)
    if score <= UNLIKELY:
        line = add_reason(Note("headline.wrong", share), objection.short)
        return Headline(line, False, objection.difference)
    line = add_reason(Note("headline.even", share), objection.short)
    return Headline(line, None, objection.difference)


def describe_ranking(score: float, reasons: Sequence[Reason], repeats_reference: bool) -> Headline:
    """Return the line on an estimate that is not a probability."""
    has_same_value = bool(reasons) and reasons[0]["kind"] == SAME_VALUE
    if has_same_value:
        return call_probably_right(describe_same_value(reasons[0]))
    if any(map(is_difference_against, reasons)):
        return describe_doubt(score, reasons)
    if repeats_reference:
        return call_probably_right(Note("explain.line.same"))
    if score < CLOSE_TO_REFERENCE:
        return Headline(Note("headline.cannot_tell"))
    return describe_close_answer(reasons)


def call_probably_right(support: Note) -> Headline:
    """Return the line that calls an answer probably right, with the reason."""
    line = add_reason(Note("headline.probably_right"), support)
    return Headline(line, True)


def describe_close_answer(reasons: Sequence[Reason]) -> Headline:
    """Return the line on an answer that is close to the reference, without differences."""
    lack = describe_objection(reasons).short
    if lack:
        line = add_reason(Note("headline.right_but_check"), lack)
        return Headline(line, True)
    if not reasons or any(map(is_against, reasons)):
        return call_probably_right(Note("headline.close"))
    support = describe_support(reasons) or Note("headline.all_found")
    return call_probably_right(support)


def describe_doubt(score: float, reasons: Sequence[Reason]) -> Headline:
    """Return the line on an estimate that is not a probability, for an answer with a difference."""
    objection = describe_objection(reasons)
    if score <= UNLIKELY:
        line = add_reason(Note("headline.probably_wrong"), objection.short)
        return Headline(line, False, objection.difference)
    # Only something is added or missing. Another number or name would make the answer wrong.
    kinds = {reason["kind"] for reason in reasons if reason["kind"] in DIFFERENCES}
    has_only_more_or_less = kinds.issubset(MORE_OR_LESS) and not is_against(reasons[0])
    is_close = score >= CLOSE_TO_REFERENCE and has_only_more_or_less
    verdict = Note("headline.right_but_check" if is_close else "headline.either")
    line = add_reason(verdict, objection.short)
    return Headline(line, None, objection.difference)


def describe_share(score: float) -> Note:
    """Return a probability in percent; a bound if it is nearly certain."""
    if score > NEARLY_SURE:
        return Note("headline.over", {"share": format_percent(NEARLY_SURE)})
    if score < NEARLY_IMPOSSIBLE:
        return Note("headline.under", {"share": format_percent(NEARLY_IMPOSSIBLE)})
    return Note("page.as_it_is", {"text": format_percent(score)})


def add_reason(verdict: Note, reason: Note | None) -> Note:
    """Return a verdict with its reason, if there is one."""
    if reason is None:
        return verdict
    return Note("headline.why", {"verdict": verdict, "why": reason})


def is_against(reason: Reason) -> bool:
    """Return whether a reason speaks against the answer."""
    return bool(reason["weight"] < 0)


def is_difference_against(reason: Reason) -> bool:
    """Return whether a reason is a difference that speaks against the answer."""
    return is_against(reason) and reason["kind"] in DIFFERENCES


def describe_support(reasons: Sequence[Reason]) -> Note | None:
    """Return the main reason for an answer; None if there is none that is short enough."""
    for reason in reasons:
        if reason["kind"] == SAME_VALUE:
            return describe_same_value(reason)
        if reason["kind"] == "found":
            found = Note("headline.found", quote_texts(reason))
            return found if fits_on_line(found) else None
    return None


def describe_objection(reasons: Sequence[Reason]) -> Objection:
    """Return the main reason against an answer; a difference comes before all other reasons."""
    differences = list(filter(is_difference_against, reasons))
    if differences:
        line = describe_difference_line(differences[0])
        full = describe_difference(differences[0]) if line.is_full else None
        return Objection(line.note, full)
    against = list(filter(is_against, reasons))
    if not against:
        return Objection()
    main = against[0]
    lack = Note(f"headline.{main['kind']}", quote_texts(main))
    return Objection(lack) if fits_on_line(lack) else Objection()
