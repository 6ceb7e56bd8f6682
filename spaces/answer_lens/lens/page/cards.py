"""One card per metric, as HTML: its value, what it means, and its reasons, or why there is no value.

What a card says stands in templates/card.html, the reasons of each metric in templates/reasons.html.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from lens.explanations.disagreement import keyword_counts
from lens.page import word_matches
from lens.page.agreement_mark import draw_mark
from lens.page.html import TEMPLATES, printable, render
from lens.scoring.catalog import Metric, Submission
from lens.scoring.outcome import Outcome
from lens.words import say, sentences
from lens.words.formats import UNPRINTABLE, money, passed
from lens.words.module_notes import worded_note

# Signs for what would not be seen in a token, as tokenizers write them.
UNSEEN = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥", "\r": "↵"})

TEMPLATES.filters["visible"] = lambda token: token.translate(UNSEEN)
TEMPLATES.globals.update(keyword_counts=keyword_counts, money=money, passed=passed)
TEMPLATES.globals.update(matched_words=word_matches.matched_words, weakest=word_matches.weakest)


def draw_card(
    metric: Metric, outcome: Outcome, organisation: str = "", submission: Submission | None = None, prefix: str = "al"
) -> str:
    """The card of `metric` in the state that `outcome` says, for the texts of `submission`.

    The ids in it begin with `prefix`, for a page may have two cards of a metric.
    """
    numbers = say("range", low=f"{metric.low:g}", high=f"{metric.high:g}")
    # A carriage return as it stands would be read as a line feed.
    prompt = str(escape(printable(outcome.prompt))).replace("\r", "&#13;")
    return render(
        "card.html",
        metric=metric,
        outcome=outcome,
        organisation=organisation,
        prefix=prefix,
        value=shown_value(metric, outcome),
        scale=say("comma").join(part for part in (say(metric.direction), numbers, metric.remark) if part),
        note=worded_note(str((outcome.per_example or {}).get("note") or "")),
        prompt=Markup(prompt),
        replaced=bool(UNPRINTABLE.search(outcome.prompt)),
        mark=Markup(draw_mark(metric, outcome, submission)),
    )


def shown_value(metric: Metric, outcome: Outcome) -> str:
    """The score as the metric shows it, or what stands in its place."""
    return outcome.brief or say("not_scored") if outcome.score is None else metric.shown(outcome.score)


def draw_overview(
    metrics: Sequence[Metric], outcomes: Sequence[Outcome], sentence: str, example: str = "", turn: int = 0
) -> str:
    """All scores under each other, and the sentence on where they disagree.

    `turn` makes the overview of one submission another text than that of any before.
    """
    done = sum(outcome.state != "pending" for outcome in outcomes)
    left = len(outcomes) - done
    awaited = say("still_one" if left == 1 else "still_more", count=left) if left else ""
    text = sentences(sentence, awaited) if sentence else say("progress", done=done, total=len(outcomes))
    return render("overview.html", rows=rows_of(metrics, outcomes), done=done, example=example, text=text, turn=turn)


def rows_of(metrics: Sequence[Metric], outcomes: Sequence[Outcome]) -> list[tuple[Metric, Outcome, str]]:
    """Each metric with what became of it, and what stands in the place of its score."""
    pairs = zip(metrics, outcomes, strict=True)
    return [(metric, outcome, shown_value(metric, outcome)) for metric, outcome in pairs]
