"""How the page says how far scores agree with people: a mark on each card, a sentence on two that disagree.

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
from lens.page.html import escape
from lens.scoring.catalog import METRICS, Metric, Submission
from lens.words import say, sentences
from lens.words.formats import number

if TYPE_CHECKING:
    from lens.scoring.outcome import Outcome

BY_NAME = {metric.name: metric for metric in METRICS}


# The mark on a card


def draw_mark(metric: Metric, outcome: Outcome, submission: Submission | None = None) -> str:
    """A line that says how far a metric agrees with people, and opens to say on what that rests."""
    data = agreement_with_people.agreement()
    if data is None:
        return ""
    found, given = data.of(metric.name, outcome), submission or Submission()
    if found is None:
        return boxed(say("ev_unmeasured"), draw_command(metric))
    language = language_of({metric.name: outcome}, given) if given.reference.strip() else ""
    foreign = bool(language) and data.foreign(language)
    length = "" if foreign else length_of(given.answer)
    summary = say("ev_agrees", value=number(found.figures["overall"].value))
    beyond = [say("ev_not_for", language=language_name(language))] if foreign else []
    if other_model(found, metric, outcome):
        beyond.append(say("ev_other_model"))
    doubts = beyond or doubts_of(found, length)  # how weak the figures are says nothing of what they do not speak of
    if doubts:
        summary = say("ev_doubted", said=summary, doubts=say("comma").join(doubts))
    limits = limits_of(data, found, metric, outcome)
    here = here_of(data, given, language if foreign else "")
    told = (pairs_of(found.figures["overall"]), ranking_of(data, found), draw_data(data, found), limits + here)
    first, *others = (f"<p>{one}</p>" for one in told if one)
    return boxed(summary, first + draw_lengths(found, length) + "".join(others))


def boxed(summary: str, body: str) -> str:
    """The mark, closed; `body` is HTML."""
    return f'<details class="al-details al-agrees"><summary>{escape(summary)}</summary>{body}</details>'


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
    auroc, low, high = (escape(number(one, 3)) for one in (figure.value, figure.low, figure.high))
    return say("ev_pairs", count=count, auroc=auroc, low=low, high=high)


def draw_lengths(found: Agreement, length: str) -> str:
    """The table of the three lengths, with that of the answer shown marked."""
    rows = ""
    for one in LENGTHS:
        figure, name = found.figures.get(one), length_name(one)
        cells = [number(None)] * 2
        if figure:
            low, high = (number(end, 3) for end in (figure.low, figure.high))
            cells = [number(figure.value, 3), say("from_to", low=low, high=high)]
        head = escape(say("ev_here", length=name) if one == length else name)
        drawn = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        marked = ' class="al-here"' if one == length else ""
        rows += f'<tr{marked}><th scope="row">{head}</th>{drawn}</tr>'
    heads = "".join(f'<th scope="col">{say(key)}</th>' for key in ("ev_length", "ev_auroc", "interval"))
    note = "" if set(LENGTHS) <= found.figures.keys() else f'<p class="al-detail">{say("ev_dash")}</p>'
    return f'<table class="al-table"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{note}'


def ranking_of(data: Evidence, found: Agreement) -> str:
    """What the score does with the ranking of the systems; nothing where there is no ranking."""
    if found.tau is None:
        return ""
    key = "ev_tau_with" if found.tau.low > 0 else "ev_tau_against" if found.tau.high < 0 else "ev_tau_none"
    tau, low, high = (escape(number(one)) for one in (found.tau.value, found.tau.low, found.tau.high))
    return sentences(say(key, systems=data.systems), say("ev_tau", tau=tau, low=low, high=high))


def draw_data(data: Evidence, found: Agreement) -> str:
    """The data set, and how much of it was taken."""
    title = escape(data.title)
    if data.url.startswith(("https://", "http://")):
        title = f'<a href="{escape(data.url)}" target="_blank" rel="noopener noreferrer">{title}</a>'
    named = say("ev_source", title=title, source=escape(data.source)) if data.source else title
    key = "ev_data_one" if data.systems == 1 else "ev_data"
    told = say(key, title=named, answers=data.answers, systems=data.systems, questions=data.questions)
    return sentences(told, say("ev_sample", questions=found.questions) if found.questions else "")


def limits_of(data: Evidence, found: Agreement, metric: Metric, outcome: Outcome) -> str:
    """What the figure does not speak of: languages, longer references, other models, other keywords."""
    key = "ev_limits" if data.language else "ev_limits_mixed"
    told = [say(key, language=escape(language_name(data.language)), median=data.median, most=data.most)]
    if found is data.scores.get(GATE):
        told.append(say("ev_gate"))
    if found.model:
        key = "ev_model_other" if other_model(found, metric, outcome) else "ev_model"
        key = key if used_model(metric, outcome) else "ev_model_alone"
        told.append(say(key, model=escape(found.model)))
    return sentences(*told)


def here_of(data: Evidence, submission: Submission, foreign: str) -> str:
    """What the texts at hand are beyond the data: in another language, or with a longer reference."""
    words = words_of(submission.reference)
    told = sentences(
        say("ev_foreign_here", language=language_name(foreign)) if foreign else "",
        say("ev_longer_here", words=words) if words > data.most else "",
    )
    return say("between_sentences") + told if told else ""


def draw_command(metric: Metric) -> str:
    """How a metric without a figure is measured."""
    command = "make agreement DATA=path" + (" PROVIDER=name MODEL=name" if metric.judge else "")
    return f"<p>{say('ev_measure_judge' if metric.judge else 'ev_measure', command=f'<kbd>{command}</kbd>')}</p>"


# The sentence on scores that disagree
