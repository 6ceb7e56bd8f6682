"""What the scores of one answer come to, and one card per metric, as HTML.

The verdict and the chart stand in templates/overview.html, what a card says in templates/card.html,
the reasons of each metric in templates/reasons.html. One card is open at a time: so the texts are
marked once, as its metric reads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from lens.explanations.agreement_with_people import PROBABILITY, mark_of
from lens.explanations.answer_verdict import Verdict, keyword_counts, verdict
from lens.explanations.estimate_reasons import (
    IN_ANSWER,
    IN_REFERENCE,
    describe_reason,
    describe_statements,
)
from lens.page.answer.word_matches import mark_words
from lens.page.html import TEMPLATES, escape, render
from lens.page.serving.access import card_address
from lens.scoring.catalog import BY_NAME, ESTIMATE, Metric
from lens.scoring.failures import describe_failure
from lens.scoring.metric_result import MetricResult
from lens.scoring.submission import Submission
from lens.words import join_sentences, say
from lens.words.formats import HAN, format_money, format_number
from lens.words.module_notes import describe_entry_note

# Cards by their metric: what became of it, whether the card is open, and the card.
Drawn = dict[str, tuple[MetricResult, bool, str]]
# Signs for what would not be seen in a token, as tokenizers write them.
UNSEEN = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥", "\r": "↵"})


def format_score(metric: Metric, outcome: MetricResult) -> str:
    """Return the score as the metric shows it, or what stands in its place."""
    if outcome.score is not None:
        sure = outcome.reasons.get("interpretation", PROBABILITY) == PROBABILITY
        return metric.shown(outcome.score) if sure else format_number(outcome.score)
    return "…" if outcome.state == "pending" else outcome.brief or say("card.not_scored")


def keep_returns(text: str) -> Markup:
    """Return a text to be copied: its carriage returns as they stand would be
    read as line feeds.
    """
    return Markup(escape(text).replace("\r", "&#13;"))


def pieces(text: str, reasons: Sequence[Mapping[str, Any]], side: str) -> list[str]:
    """Return a text in pieces, of which every second is what a reason names as different on this
    side.

    Args:
        text: the answer or the reference.
        reasons: the reasons of a score.
        side: "found" or "expected".
    """
    kinds = IN_ANSWER if side == "found" else IN_REFERENCE
    named = {str(one[side]) for one in reasons if one["kind"] in kinds and one[side]}
    longest = "|".join(match_whole(one) for one in sorted(named, key=len, reverse=True))
    return re.split(f"({longest})", text) if named else [text]


def match_whole(text: str) -> str:
    """Return a pattern that finds a text where it is no part of a longer word or number.

    So it finds no C in "Clouds", and no 5 in 15.
    """
    first, last = (
        "[a-zA-Z]" if end.isascii() and end.isalpha() else "[0-9]" for end in (text[0], text[-1])
    )
    return f"(?<!{first}){re.escape(text)}(?!{last})"


def choose_chart_kind(metric: Metric) -> str:
    """Return under which head of the chart a score stands."""
    return "estimate" if metric.estimate else metric.kind


OF_CARDS = [card_address, keep_returns, keyword_counts, mark_of, mark_words, format_money, pieces]
OF_CARDS += [describe_reason, format_score, describe_entry_note]
TEMPLATES.globals.update({function.__name__: function for function in OF_CARDS})
TEMPLATES.filters["chart_kind"] = choose_chart_kind
TEMPLATES.filters["visible"] = lambda token: token.translate(UNSEEN)
TEMPLATES.filters["chinese"] = lambda text: 2 * len(HAN.findall(text)) > len(text)


def draw_cards(
    outcomes: Mapping[str, MetricResult],
    submission: Submission,
    told: Verdict | None = None,
    prefix: str = "al",
    turn: int = 0,
    drawn: Drawn | None = None,
    note: str = "",
) -> list[str]:
    """Return the overview and a card for each metric, of which the one that explains the verdict is
    open.

    Of a submission's cards that are `drawn` already, those that are still the same are not drawn
    again. A `note` follows the reason.

    `told` is said instead of what the scores come to. The ids begin with `prefix`, for a page may
    have two cards of a metric. `turn` makes the overview of one submission another text than that
    of any before.
    """
    found = told or verdict(outcomes, submission.multi_reference)
    rows = [(BY_NAME[name], outcome) for name, outcome in outcomes.items()]
    left = sum(outcome.state == "pending" for outcome in outcomes.values())
    found = found._replace(
        reason=join_sentences(
            found.reason, note, say("answer_tab.still_more", count=left) if left else ""
        )
    )
    if told and is_empty_submission(submission):
        # One sentence says what to do; a score of nothing would say nothing.
        return [draw_empty(found, len(rows), prefix, turn), *[""] * len(rows)]
    line, statements = describe_statements(
        outcomes[ESTIMATE].reasons if ESTIMATE in outcomes else {}
    )
    said = {"statements_line": line, "statements": statements, "done": len(rows) - left}
    overview = render("overview.html", rows=rows, verdict=found, prefix=prefix, turn=turn, **said)
    drawn = {} if drawn is None else drawn
    for metric, outcome in rows:
        before, opened = drawn.get(metric.name), metric.name == found.metric
        if before is None or before[0] is not outcome or before[1] != opened:
            drawn[metric.name] = (
                outcome,
                opened,
                draw_card(metric, outcome, submission, prefix, opened),
            )
    return [overview, *(drawn[metric.name][2] for metric, _ in rows)]


def is_empty_submission(submission: Submission) -> bool:
    """Return whether there is neither an answer nor a reference."""
    return not (submission.answer.strip() or submission.reference.strip())


def draw_empty(found: Verdict, done: int, prefix: str, turn: int) -> str:
    """Return the overview where nothing is to be scored: one sentence."""
    nothing = {"rows": [], "statements": [], "statements_line": ""}
    return render(
        "overview.html",
        verdict=found._replace(reason=""),
        prefix=prefix,
        turn=turn,
        done=done,
        **nothing,
    )


def draw_card(
    metric: Metric,
    outcome: MetricResult,
    submission: Submission | None = None,
    prefix: str = "al",
    opened: bool = False,
) -> str:
    """Return the card of `metric` in the state that `outcome` says, for the texts of `submission`.

    Where a module's reasons cannot be drawn, a card that says so.
    """
    values = {
        "metric": metric,
        "submission": submission or Submission(),
        "prefix": prefix,
        "opened": opened,
    }
    try:
        return render("card.html", outcome=outcome, **values)
    except Exception as error:  # reasons that a module gives in another form than documented
        return render("card.html", outcome=describe_failure(metric, error), **values)
