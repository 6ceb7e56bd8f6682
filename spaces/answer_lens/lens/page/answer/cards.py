"""Draws the results for one answer as HTML: an overview, and one card per metric.

Templates: overview.html has the verdict and the chart, card.html the card, and reasons.html the
reasons of each metric.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from markupsafe import Markup

from lens.explanations.agreement_with_people import PROBABILITY, describe_agreement_with_people
from lens.explanations.answer_explanation import Explanation, explain_answer
from lens.explanations.estimate_reasons import (
    IN_ANSWER,
    IN_REFERENCE,
    describe_estimate_reason,
    describe_statements,
)
from lens.explanations.word_score_rules import count_keywords
from lens.page.answer.word_matches import mark_words
from lens.page.html import TEMPLATES, escape, render
from lens.page.serving.access import find_card_address
from lens.scoring.catalog import BY_NAME, ESTIMATE, Metric
from lens.scoring.failures import describe_failure
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission
from lens.words import join_sentences, say
from lens.words.formats import HAN, format_money, format_number
from lens.words.module_notes import describe_entry_note

# Visible characters for white space in tokens, as tokenizers write them.
VISIBLE_WHITE_SPACE = str.maketrans(
    {
        " ": "␣",
        "\n": "↵",
        "\t": "⇥",
        "\r": "↵",
    }
)


class DrawnCard(NamedTuple):
    """A card: the result of its metric, whether it is open, and its HTML."""

    result: MetricResult
    is_open: bool
    text: str


def format_score(metric: Metric, result: MetricResult) -> str:
    """Return the score in the metric's format, or a text in its place."""
    if result.score is not None:
        interpretation = result.reasons.get("interpretation", PROBABILITY)
        if interpretation != PROBABILITY:
            return format_number(result.score)
        return metric.format_score(result.score)
    if result.state == "pending":
        return "…"
    return result.brief or say("card.not_scored")


def keep_returns(text: str) -> Markup:
    """Return a text for copying; carriage returns are escaped, or they would become line feeds."""
    return Markup(escape(text).replace("\r", "&#13;"))


def split_pieces(text: str, reasons: Sequence[Mapping[str, Any]], side: str) -> list[str]:
    """Split a text at what the reasons name as different, so that every second piece differs.

    "in 1990 or so" becomes ["in ", "1990", " or so"] if a reason names 1990.

    Args:
        text: the answer or the reference.
        reasons: the reasons of a score.
        side: "found" for the answer, "expected" for the reference.
    """
    kinds = IN_ANSWER if side == "found" else IN_REFERENCE
    different = set()
    for reason in reasons:
        if reason["kind"] in kinds and reason[side]:
            different.add(str(reason[side]))
    if not different:
        return [text]
    longest_first = sorted(different, key=len, reverse=True)
    pattern = "|".join(map(make_whole_pattern, longest_first))
    return re.split(f"({pattern})", text)


def make_whole_pattern(text: str) -> str:
    """Return a pattern that finds a text only if it is not part of a longer word or number.

    So it finds no C in "Clouds", and no 5 in 15.
    """
    before = make_neighbor_pattern(text[0])
    after = make_neighbor_pattern(text[-1])
    return f"(?<!{before}){re.escape(text)}(?!{after})"


def make_neighbor_pattern(character: str) -> str:
    """Return a pattern of the characters that would make a word or a number longer."""
    if character.isascii() and character.isalpha():
        return "[a-zA-Z]"
    return "[0-9]"


def choose_chart_group(metric: Metric) -> str:
    """Return the group of a metric in the chart: the estimate stands alone."""
    return "estimate" if metric.estimate else metric.kind


def show_white_space(token: str) -> str:
    """Return a token with visible white space."""
    return token.translate(VISIBLE_WHITE_SPACE)


def is_mostly_chinese(text: str) -> bool:
    """Return whether more than half of the characters of a text are Chinese."""
    return 2 * len(HAN.findall(text)) > len(text)


# The functions that the templates call.
CARD_FUNCTIONS = (
    find_card_address,
    keep_returns,
    count_keywords,
    describe_agreement_with_people,
    mark_words,
    format_money,
    split_pieces,
    describe_estimate_reason,
    format_score,
    describe_entry_note,
)
TEMPLATES.globals.update({function.__name__: function for function in CARD_FUNCTIONS})
TEMPLATES.filters["chart_group"] = choose_chart_group
TEMPLATES.filters["visible"] = show_white_space
TEMPLATES.filters["chinese"] = is_mostly_chinese


@dataclass
class Drawing:
    """The state of drawing the results of one submission.

    Attributes:
        prefix: the prefix of ids, because a page may have two cards of a metric.
        serial: a number that makes the overview different from any earlier one.
        note: a note after the reason of the verdict.
        cards: the cards drawn so far, by metric; unchanged ones are not drawn again.
    """

    prefix: str = "al"
    serial: int = 0
    note: str = ""
    cards: dict[str, DrawnCard] = field(default_factory=dict)


def draw_cards(
    results: Mapping[str, MetricResult],
    submission: Submission,
    drawing: Drawing,
    problem: Explanation | None = None,
) -> list[str]:
    """Return the overview and one card per metric; the card that explains the verdict is open.

    Args:
        results: the result of each metric.
        submission: the scored texts.
        drawing: the state of drawing.
        problem: a message in the place of the explanation; None for no problem.
    """
    explanation = problem or explain_answer(results, submission.multi_reference)
    if problem and is_empty_submission(submission):
        # Without texts, there is only a sentence that says what to do, and no cards.
        overview = draw_overview(explanation._replace(reason=""), {}, drawing, len(results))
        no_cards = [""] * len(results)
        return [overview, *no_cards]
    n_pending = sum(result.state == "pending" for result in results.values())
    waiting = say("answer_tab.still_more", count=n_pending) if n_pending else ""
    reason = join_sentences(explanation.reason, drawing.note, waiting)
    explanation = explanation._replace(reason=reason)
    cards = []
    for name, result in results.items():
        is_open = name == explanation.metric
        card = drawing.cards.get(name)
        if card is None or card.result is not result or card.is_open != is_open:
            text = draw_card(BY_NAME[name], result, submission, drawing.prefix, is_open)
            card = DrawnCard(result, is_open, text)
            drawing.cards[name] = card
        cards.append(card.text)
    n_done = len(results) - n_pending
    return [draw_overview(explanation, results, drawing, n_done), *cards]


def draw_overview(
    explanation: Explanation,
    results: Mapping[str, MetricResult],
    drawing: Drawing,
    n_done: int,
) -> str:
    """Return the verdict with its reason, and the chart of all scores."""
    estimate = results[ESTIMATE].reasons if ESTIMATE in results else {}
    line, statements = describe_statements(estimate)
    return render(
        "overview.html",
        rows=[(BY_NAME[name], result) for name, result in results.items()],
        verdict=explanation,
        prefix=drawing.prefix,
        serial=drawing.serial,
        statements_line=line,
        statements=statements,
        done=n_done,
    )


def is_empty_submission(submission: Submission) -> bool:
    """Return whether there is neither an answer nor a reference."""
    return not (submission.answer.strip() or submission.reference.strip())


def draw_card(
    metric: Metric,
    result: MetricResult,
    submission: Submission | None = None,
    prefix: str = "al",
    is_open: bool = False,
) -> str:
    """Return the card of a metric for its result and the scored texts.

    If a module's reasons cannot be drawn, the card says so.
    """
    values = {
        "metric": metric,
        "submission": submission or Submission(),
        "prefix": prefix,
        "is_open": is_open,
    }
    try:
        return render("card.html", result=result, **values)
    # A module may return reasons in an unknown form.
    except Exception as error:
        return render("card.html", result=describe_failure(metric, error), **values)
