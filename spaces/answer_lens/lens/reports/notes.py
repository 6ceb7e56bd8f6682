"""What stands below the tables of a report: what is missing and why, cost, notes, signatures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from lens.reports.formats import Section
from lens.scoring.catalog import BY_NAME
from lens.study.annotations import LEAST, count_missing
from lens.tables.verdict_words import UNDECIDED, UNREAD
from lens.words import knows, say
from lens.words.formats import money

if TYPE_CHECKING:
    from lens.inference.shares import Share
    from lens.scoring.table_scores import Figure
    from lens.study.annotations import Sample
    from lens.study.results import Summary

T = TypeVar("T")


def reason_of(code: str) -> str:
    """A reason code in words, where there are any."""
    return say(f"reason_{code}") if knows(f"reason_{code}") else code


def why_unscored(figures: Sequence[Figure]) -> list[str]:
    """Why rows have no score, once for all metrics of which the same is to be said."""
    said: dict[str, dict[str, None]] = {}
    for figure in figures:
        counts = (say("f_report_reason", reason=reason_of(code), count=n) for code, n in figure.unscored.items() if n)
        said.setdefault(say("f_report_and").join(counts), {})[figure.series.metric] = None
    every = say("f_report_all") if len(said) == 1 and len(figures) > 1 else ""
    titles = {
        reasons: every or say("list_comma").join(BY_NAME[one].title for one in of) for reasons, of in said.items()
    }
    return [f"{title}{say('colon')}{reasons}" for reasons, title in titles.items() if reasons]


def of_all(said: Sequence[Sequence[T]], names: Sequence[str]) -> Iterator[tuple[T, str]]:
    """Yield what is said of systems, and of which, where not the same is said of all of them."""
    every = dict.fromkeys(one for own in said for one in own)
    for one in every:
        of = [at for at, own in enumerate(said) if one in own]
        yield one, "" if len(of) == len(said) else say("list_comma").join(names[at] for at in of)


def lines_of(said: Sequence[Sequence[str]], names: Sequence[str]) -> list[tuple[str, str]]:
    """Lines on systems, each with the names of those that it is about, where it is not about all."""
    return [(f"{of}{say('colon')}{line}" if of else line, "") for line, of in of_all(said, names)]


def told(summaries: Sequence[Summary], names: Sequence[str], notes: Sequence[str] = ()) -> list[Section]:
    """What stands below the tables: what is missing and why, cost, notes."""

    def by_metric(said: Mapping[str, str]) -> list[str]:
        return [f"{BY_NAME[name].title}{say('colon')}{one}" for name, one in said.items()]

    lines = {
        "reasons": [why_unscored(one.figures) for one in summaries],
        "stops": [by_metric(one.stopped) for one in summaries],
        "costs": [by_metric({name: money(usd) for name, usd in one.costs.items()}) for one in summaries],
        "notes": [list(one.notes) for one in summaries],
    }
    found = []
    for key, said in lines.items():
        first = [(line, "") for line in notes] if key == "notes" else []
        found.append(Section(say(f"f_report_{key}"), lines=[*first, *lines_of(said, names)]))
    return [section for section in found if section.lines]


def signed(summaries: Sequence[Summary], names: Sequence[str]) -> list[Section]:
    """The signatures, to cite."""
    said = of_all([list(one.signatures.items()) for one in summaries], names)
    lines = [(f"{name} · {of}" if of else name, signature) for (name, signature), of in said]
    return [Section(say("f_report_signatures"), lines=lines)] if lines else []


def describe_worth(share: Share | None, by: str, rows: int) -> list[str]:
    """How many verdicts alone a share is worth that rests on something else too, where that says something."""
    if not share or not share.read < round(share.effective_n) <= rows:
        return []
    return [say("vd_worth", by=by, read=share.read, worth=round(share.effective_n))]


def describe_missing(said: Sequence[Sequence[str]], ways: Sequence[Sample], unread: Collection[int]) -> str:
    """What to do until something is said of these systems; nothing where it is. `unread` are the places of the answers
    that are drawn and have no verdict yet.
    """
    count, questions = count_missing(*said), len(said[0])
    cells = {row: [one[row] for one in said] for row in ways[0].rows}
    free = [row for row, own in cells.items() if UNREAD in own and UNDECIDED not in own]
    drawn = [row for row in free if all(one or at * questions + row in unread for at, one in enumerate(cells[row]))]
    few = "rd_few" if len(said) == 1 else "rd_few_questions"
    key = few if count <= len(drawn) else "rd_more" if count <= len(free) else "rd_too_few"
    return say(key, missing=count, least=LEAST) if count else ""
