"""The sections that compare judges with a person: agreement, counts and disagreements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lens.reports.notes import describe_effective_n
from lens.reports.section import (
    Column,
    Figure,
    Row,
    Section,
    make_interval_column,
    make_name_column,
    make_system_columns,
    show_count,
    show_decimal,
)
from lens.study.annotations import MIN_VERDICTS
from lens.study.judge_results import JUDGE_COUNTS, JUDGE_FIGURES
from lens.study.result_columns import make_frame
from lens.tables.verdict_words import VERDICT_KEYS
from lens.words import say
from lens.words.formats import Percent
from lens.words.notes import Note

if TYPE_CHECKING:
    from pandas import DataFrame

# How many disagreements are listed for a judge of a system.
MAX_DISAGREEMENTS = 20
# If this figure is unknown, it has no row. Other unknown figures are a dash.
OPTIONAL_FIGURE = "corrected"

# Returns the text of an answer, given the name of its system and the number of its question.
ShowAnswer = Callable[[str, int], str]


def describe_judges(
    judges: DataFrame,
    disagreements: DataFrame,
    is_comparison: bool,
    show_answer: ShowAnswer | None = None,
) -> list[Section]:
    """Return the sections on judges; an empty list if there are no judges.

    Args:
        judges: the table `Results.judges`.
        disagreements: the table `Results.disagreements`.
        is_comparison: whether there are several systems.
        show_answer: returns the text of an answer on which a judge and the person differ; None
            to show no texts.
    """
    unchecked = describe_unchecked(judges, is_comparison)
    if unchecked:
        return unchecked
    # `n` is the number of answers that both the judge and the person decided.
    measured = judges[judges["n"] >= MIN_VERDICTS]
    too_few = warn_of_few_answers(judges)
    if measured.empty and not too_few:
        return []
    if measured.empty:
        return [Section("judges", Note("judges.title"), notes=too_few)]
    identity = make_identity_columns(is_comparison)
    return [
        describe_judge_agreement(measured, identity, too_few),
        count_verdicts(measured, identity),
        *list_disagreements(disagreements, identity, show_answer),
    ]


def make_identity_columns(is_comparison: bool) -> list[Column]:
    """Return the columns of the judge, and of the system if there are several."""
    return [*make_system_columns(is_comparison), make_name_column("judge", Note("judges.judge"))]


def warn_of_few_answers(judges: DataFrame) -> list[Note]:
    """Return a note for each judge with too few answers that the person judged, too."""
    notes: list[Note] = []
    for row in judges[judges["n"] < MIN_VERDICTS].to_dict("records"):
        values = {"judge": row["judge"], "rows": row["n"], "least": MIN_VERDICTS}
        note = Note("judges.few", values)
        if note not in notes:
            notes.append(note)
    return notes


def describe_judge_agreement(
    measured: DataFrame, identity: Sequence[Column], too_few: Sequence[Note]
) -> Section:
    """Return the table of the judges' figures.

    Args:
        measured: the judges that have figures.
        identity: the columns of the system and the judge.
        too_few: the notes on judges without figures.
    """
    rows: list[Row] = []
    notes: list[Note] = []
    for judge in measured.to_dict("records"):
        rows += list_figures(judge)
        name = name_judge(judge, len(identity) > 1)
        notes += describe_judge_figures(judge, name)
    columns = [
        *identity,
        Column("figure", Note("judges.figure"), show_figure, is_name=True),
        Column("value", Note("judges.value"), show_decimal),
        make_interval_column(),
        Column("rows", Note("judges.rows"), show_count),
    ]
    notes += [*too_few, Note("judges.rates"), Note("judges.shares")]
    return Section("judges", Note("judges.title"), make_frame(rows), columns, notes)


def name_judge(judge: Row, is_comparison: bool) -> str:
    """Return the name of a judge, with that of the system if there are several."""
    return f"{judge['judge']}, {judge['system']}" if is_comparison else str(judge["judge"])


def list_figures(judge: Row) -> Iterator[Row]:
    """Yield one row per figure of a judge: its name, value, interval and number of answers."""
    for figure in JUDGE_FIGURES:
        if figure == OPTIONAL_FIGURE and judge[figure] is None:
            continue
        yield {
            "system": judge["system"],
            "judge": judge["judge"],
            "figure": figure,
            "value": judge[figure],
            "low": judge[f"{figure}_low"],
            "high": judge[f"{figure}_high"],
            "rows": judge[f"{figure}_n"],
        }


def show_figure(row: Row, column: Column, digits: int) -> str:
    """Return the shown name of a judge's figure."""
    return say(f"judges.{row['figure']}")


def count_verdicts(measured: DataFrame, identity: Sequence[Column]) -> Section:
    """Return the table of counts by the verdicts of the judge and the person."""
    columns = list(identity)
    for name in JUDGE_COUNTS:
        columns.append(Column(name, Note(f"judges.{name}"), show_count))
    frame = measured[["system", "judge", *JUDGE_COUNTS]]
    return Section("judge_counts", Note("judges.counts"), frame, columns)


def describe_judge_figures(judge: Row, name: str) -> Iterator[Note]:
    """Yield notes on a judge's figures."""
    yield from describe_kappa(judge, name)
    if judge["corrected"] is None:
        return
    shares = {
        "raw": Percent(judge["raw"]),
        "corrected": Percent(judge["corrected"]),
        "low": Percent(judge["corrected_low"]),
        "high": Percent(judge["corrected_high"]),
    }
    if not shares["low"] <= shares["raw"] <= shares["high"]:
        yield Note("judges.off", {"judge": name, **shares})
    yield from describe_effective_n(name, judge["corrected_n"], judge["effective_n"], judge["rows"])


def describe_kappa(judge: Row, name: str) -> Iterator[Note]:
    """Yield a note if a judge agrees with the person fully, or perhaps only by chance.

    It also says so if the person found all answers right, or all wrong.
    """
    values: dict[str, Any] = {"judge": name, "rows": judge["n"]}
    if judge["specificity"] is None:
        yield Note("judges.all_right", values)
    elif judge["sensitivity"] is None:
        yield Note("judges.all_wrong", values)
    elif judge["kappa_low"] is not None and judge["kappa_low"] <= 0:
        values["kappa"] = Figure(judge["kappa"])
        values["low"] = Figure(judge["kappa_low"])
        values["high"] = Figure(judge["kappa_high"])
        yield Note("judges.chance", values)
    elif judge["judge_right"] + judge["you_right"] == 0:
        # No answer is right for only one of them.
        yield Note("judges.same", values)


def list_disagreements(
    disagreements: DataFrame, identity: Sequence[Column], show_answer: ShowAnswer | None
) -> list[Section]:
    """Return the table of the first answers on which each judge and the person differ.

    There is no table if they do not differ.

    Args:
        disagreements: the table `Results.disagreements`.
        identity: the columns of the system and the judge.
        show_answer: returns the text of an answer; None to show no texts.
    """
    if disagreements.empty:
        return []
    rows: list[Row] = []
    n_left_out = 0
    for _, frame in disagreements.groupby(["system", "judge"], sort=False):
        n_left_out += max(len(frame) - MAX_DISAGREEMENTS, 0)
        for record in frame.head(MAX_DISAGREEMENTS).to_dict("records"):
            rows.append(make_disagreement_row(record, show_answer))
    columns = list(identity)
    has_texts = show_answer is not None
    columns.append(Column("row", Note("files_tab.row_head"), show_count, is_name=has_texts))
    if has_texts:
        # An answer is a text of the user, which reports escape like names.
        columns.append(make_name_column("answer", Note("reading.answer")))
    columns.append(Column("person", Note("reading.you"), show_verdict))
    columns.append(Column("judge_verdict", Note("judges.says"), show_verdict))
    notes = [Note("page.and_more_alone", {"count": n_left_out})] if n_left_out else []
    title = Note("judges.apart")
    return [Section("judge_disagreements", title, make_frame(rows), columns, notes)]


def make_disagreement_row(record: Row, show_answer: ShowAnswer | None) -> Row:
    """Return the row of an answer on which a judge and the person differ."""
    answer = None
    if show_answer:
        answer = show_answer(record["system"], record["question"])
    return {
        "system": record["system"],
        "judge": record["judge"],
        "row": record["row"],
        "answer": answer,
        "person": record["person"],
        "judge_verdict": record["judge_verdict"],
    }


def show_verdict(row: Row, column: Column, digits: int) -> str:
    """Return a verdict in words."""
    return say(f"reading.{VERDICT_KEYS[row[column.name]]}")


def describe_unchecked(judges: DataFrame, is_comparison: bool) -> list[Section]:
    """Return the section on judges whose verdicts no person has checked.

    There is no section if a person has read an answer.
    """
    is_read = judges["is_read"].astype(bool)
    notes = []
    for judge in judges[~is_read].to_dict("records"):
        values = {
            "judge": name_judge(judge, is_comparison),
            "share": Percent(judge["overall"]),
            "rows": judge["overall_n"],
        }
        notes.append(Note("judges.unchecked", values))
    if not notes:
        return []
    return [Section("judges", Note("judges.title"), notes=notes)]
