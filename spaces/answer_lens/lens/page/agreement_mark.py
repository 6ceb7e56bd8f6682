"""The mark under a card: how far its score agrees with people.

The figures, their data and their limits are those of explanations/agreement_with_people.py. What they were not
measured for is said with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.explanations import agreement_with_people
from lens.explanations.agreement_with_people import (
    GATE,
    LENGTHS,
    TRUSTED,
    Agreement,
    Evidence,
    Figure,
    language_name,
    language_of,
    length_name,
    length_of,
    same_model,
    used_model,
    words_of,
)
from lens.page.html import render
from lens.scoring.catalog import Metric, Submission
from lens.words import say, sentences
from lens.words.formats import number

if TYPE_CHECKING:
    from lens.scoring.outcome import Outcome


def draw_mark(metric: Metric, outcome: Outcome, submission: Submission | None = None) -> str:
    """A line that says how far a metric agrees with people, and opens to say on what that rests."""
    data = agreement_with_people.agreement()
    if data is None:
        return ""
    found, given = data.of(metric.name, outcome), submission or Submission()
    if found is None:
        return render("agreement.html", summary=say("ev_unmeasured"), found=None, metric=metric)
    language = language_of({metric.name: outcome}, given) if given.reference.strip() else ""
    foreign = language_name(language) if language and data.foreign(language) else ""
    length = "" if foreign else length_of(given.answer)
    return render(
        "agreement.html",
        summary=summary_of(metric, outcome, found, foreign, length),
        found=found,
        data=data,
        linked=data.url.startswith(("https://", "http://")),
        pairs=pairs_of(found.figures["overall"]),
        lengths=[(length_name(one), found.figures.get(one), one == length) for one in LENGTHS],
        ranking=ranking_of(data, found),
        limits=sentences(limits_of(data, found, metric, outcome), beyond(data, given, foreign)),
    )


def summary_of(metric: Metric, outcome: Outcome, found: Agreement, foreign: str, length: str) -> str:
    """The line that is always seen: the figure, and what speaks against it."""
    said = say("ev_agrees", value=number(found.figures["overall"].value))
    doubts = [say("ev_not_for", language=foreign)] if foreign else []
    if other_model(found, metric, outcome):
        doubts.append(say("ev_other_model"))
    doubts = doubts or doubts_of(found, length)  # how weak figures are says nothing of what they do not speak of
    return say("ev_doubted", said=said, doubts=say("comma").join(doubts)) if doubts else said


def other_model(found: Agreement, metric: Metric, outcome: Outcome) -> bool:
    """Whether the score is known to come from another model than the one that was measured."""
    used = used_model(metric, outcome)
    return bool(found.model and used) and not same_model(used, found.model)


def doubts_of(found: Agreement, length: str) -> list[str]:
    """Why the score is not to be trusted, in a few words each: for answers of this length, and for ranking systems."""
    figure = found.figures.get(length or "overall")
    key = "ev_not_here" if figure is None else f"ev_weak_{length or 'overall'}" if figure.low < TRUSTED else ""
    doubts = [say(key)] if key else []
    if found.tau and not found.tau.low > 0:
        doubts.append(say("ev_against" if found.tau.high < 0 else "ev_unranked"))
    return doubts


def pairs_of(figure: Figure) -> str:
    """What the AUROC is, in plain words."""
    count = round(100 * figure.value)
    count = min(max(count, 1), 99) if 0 < figure.value < 1 else count  # 0 and 100 are exactly that
    auroc, low, high = (number(one, 3) for one in (figure.value, figure.low, figure.high))
    return say("ev_pairs", count=count, auroc=auroc, low=low, high=high)


def ranking_of(data: Evidence, found: Agreement) -> str:
    """What the score does with the ranking of the systems; nothing where there is no ranking."""
    if found.tau is None:
        return ""
    key = "ev_tau_with" if found.tau.low > 0 else "ev_tau_against" if found.tau.high < 0 else "ev_tau_none"
    tau, low, high = (number(one) for one in (found.tau.value, found.tau.low, found.tau.high))
    return sentences(say(key, systems=data.systems), say("ev_tau", tau=tau, low=low, high=high))


def limits_of(data: Evidence, found: Agreement, metric: Metric, outcome: Outcome) -> str:
    """What the figure does not speak of: languages, longer references, other models, other keywords."""
    key = "ev_limits" if data.language else "ev_limits_mixed"
    told = [say(key, language=language_name(data.language), median=data.median, most=data.most)]
    if found is data.scores.get(GATE):
        told.append(say("ev_gate"))
    if found.model:
        key = "ev_model_other" if other_model(found, metric, outcome) else "ev_model"
        key = key if used_model(metric, outcome) else "ev_model_alone"
        told.append(say(key, model=found.model))
    return sentences(*told)


def beyond(data: Evidence, submission: Submission, foreign: str) -> str:
    """What the texts at hand are beyond the data: in another language, or with a longer reference."""
    words = words_of(submission.reference)
    return sentences(
        say("ev_foreign_here", language=foreign) if foreign else "",
        say("ev_longer_here", words=words) if words > data.most else "",
    )
