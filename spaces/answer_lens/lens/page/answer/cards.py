"""Draws the results for one answer as HTML: an overview, and one card per metric.

The verdict and the chart are in templates/overview.html, the card in templates/card.html, and the
reasons of each metric in templates/reasons.html. One card is open at a time, so the texts are
marked only as its metric reads them.
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
UNSEEN = str.maketrans(
    {
        " ": "␣",
        "\n": "↵",
        "\t": "⇥",
        "\r": "↵",
    }
)


class DrawnCard(NamedTuple):
    """A card: the result of its metric, whether it is open, and its HTML."""

    outcome: MetricResult
    is_open: bool
    text: str


def format_score(metric: Metric, outcome: MetricResult) -> str:
    """Return the score in the metric's format, or a text in its place."""
    if outcome.score is not None:
        sure = outcome.reasons.get("interpretation", PROBABILITY) == PROBABILITY
        return metric.shown(outcome.score) if sure else format_number(outcome.score)
    if outcome.state == "pending":
        return "…"
    return outcome.brief or say("card.not_scored")


def keep_returns(text: str) -> Markup:
    """Return a text for copying; carriage returns are escaped, or they would become line feeds."""
    return Markup(escape(text).replace("\r", "&#13;"))


def split_pieces(text: str, reasons: Sequence[Mapping[str, Any]], side: str) -> list[str]:
    """Split a text so that every second piece is a part that a reason names as different.

    Args:
        text: the answer or the reference.
        reasons: the reasons of a score.
        side: "found" or "expected".
    """
    kinds = IN_ANSWER if side == "found" else IN_REFERENCE
    parts = set()
    for reason in reasons:
        if reason["kind"] in kinds and reason[side]:
            parts.add(str(reason[side]))
    if not parts:
        return [text]
    longest_first = sorted(parts, key=len, reverse=True)
    pattern = "|".join(map(match_whole, longest_first))
    return re.split(f"({pattern})", text)


def match_whole(text: str) -> str:
    """Return a pattern that finds a text only if it is not part of a longer word or number.

    So it finds no C in "Clouds", and no 5 in 15.
    """
    before = match_neighbor(text[0])
    after = match_neighbor(text[-1])
    return f"(?<!{before}){re.escape(text)}(?!{after})"


def match_neighbor(character: str) -> str:
    """Return a pattern of the characters that would continue a word or a number."""
    if character.isascii() and character.isalpha():
        return "[a-zA-Z]"
    return "[0-9]"


def choose_chart_kind(metric: Metric) -> str:
    """Return the group of a metric in the chart."""
    return "estimate" if metric.estimate else metric.kind


CARD_FUNCTIONS = [
    find_card_address,
    keep_returns,
    count_keywords,
    describe_agreement_with_people,
    mark_words,
    format_money,
    split_pieces,
]
CARD_FUNCTIONS += [describe_estimate_reason, format_score, describe_entry_note]
TEMPLATES.globals.update({function.__name__: function for function in CARD_FUNCTIONS})
TEMPLATES.filters["chart_kind"] = choose_chart_kind
TEMPLATES.filters["visible"] = lambda token: token.translate(UNSEEN)
TEMPLATES.filters["chinese"] = lambda text: 2 * len(HAN.findall(text)) > len(text)


@dataclass
class Drawing:
    """The state of drawing the results of one submission.

    Attributes:
        prefix: the prefix of ids, because a page may have two cards of a metric.
        turn: a number that makes the overview different from that of any earlier submission.
        note: a note behind the reason.
        cards: the cards drawn so far; unchanged ones are not drawn again.
    """

    prefix: str = "al"
    turn: int = 0
    note: str = ""
    cards: dict[str, DrawnCard] = field(default_factory=dict)


def draw_cards(
    outcomes: Mapping[str, MetricResult],
    submission: Submission,
    drawing: Drawing,
    problem: Explanation | None = None,
) -> list[str]:
    """Return the overview and one card per metric; the card that explains the verdict is open.

    Args:
        outcomes: the result of each metric.
        submission: the scored texts.
        drawing: the state of drawing.
        problem: a message in the place of the explanation; None for no problem.
    """
    shown = problem or explain_answer(outcomes, submission.multi_reference)
    left = sum(outcome.state == "pending" for outcome in outcomes.values())
    waiting = say("answer_tab.still_more", count=left) if left else ""
    shown = shown._replace(reason=join_sentences(shown.reason, drawing.note, waiting))
    done = len(outcomes) - left
    if problem and is_empty_submission(submission):
        # Without texts, there is only a sentence that says what to do, and no cards.
        overview = draw_overview(shown._replace(reason=""), {}, drawing, len(outcomes))
        return [overview, *[""] * len(outcomes)]
    cards = []
    for name, outcome in outcomes.items():
        is_open = name == shown.metric
        card = drawing.cards.get(name)
        if card is None or card.outcome is not outcome or card.is_open != is_open:
            text = draw_card(BY_NAME[name], outcome, submission, drawing.prefix, is_open)
            card = drawing.cards[name] = DrawnCard(outcome, is_open, text)
        cards.append(card.text)
    return [draw_overview(shown, outcomes, drawing, done), *cards]


def draw_overview(
    shown: Explanation,
    outcomes: Mapping[str, MetricResult],
    drawing: Drawing,
    done: int,
) -> str:
    """Return the verdict with its reason, and the chart of all scores."""
    estimate = outcomes[ESTIMATE].reasons if ESTIMATE in outcomes else {}
    line, statements = describe_statements(estimate)
    return render(
        "overview.html",
        rows=[(BY_NAME[name], outcome) for name, outcome in outcomes.items()],
        verdict=shown,
        prefix=drawing.prefix,
        turn=drawing.turn,
        statements_line=line,
        statements=statements,
        done=done,
    )


def is_empty_submission(submission: Submission) -> bool:
    """Return whether there is neither an answer nor a reference."""
    return not (submission.answer.strip() or submission.reference.strip())


def draw_card(
    metric: Metric,
    outcome: MetricResult,
    submission: Submission | None = None,
    prefix: str = "al",
    opened: bool = False,
) -> str:
    """Return the card of a metric for its result and the scored texts.

    If a module's reasons cannot be drawn, the card says so.
    """
    values = {
        "metric": metric,
        "submission": submission or Submission(),
        "prefix": prefix,
        "opened": opened,
    }
    try:
        return render("card.html", outcome=outcome, **values)
    except Exception as error:  # a module may return reasons in an unknown form
        return render("card.html", outcome=describe_failure(metric, error), **values)
