"""Which column of a table is what, guessed by its name, and a row as the metrics take it.

No text is altered, but that an answer's thinking aloud is set aside (final_answer.py): a cell that is no text where one
belongs is refused with its row, and a list of references stays one.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from lens.tables.cell_texts import describe_inner, read_cells
from lens.tables.cells import Nested, blank, cut, fits, missing
from lens.tables.final_answer import UNFINISHED, after, boxed, without_thinking
from lens.tables.separators import references_in
from lens.tables.verdict_words import OF_JUDGES, OF_PEOPLE, meaning, worth
from lens.words import say, sentences
from lens.words.printed import one_line, short

# The usual names of each column, the most telling first. "answer" is the reference of a dataset, unless it has another;
# then it is what the model answered.
USUAL = {
    "reference": (
        "reference", "references", "ground_truth", "target", "gold_answer", "golden_answer", "gold", "expected",
        "answers", "answer",
    ),
    "prediction": (
        "prediction", "predictions", "pred", "response", "model_answer", "model_output", "llm_output", "output",
        "generated", "completion", "answer",
    ),
    "question": ("question", "query", "user_query", "input", "prompt", "instruction"),
    "keywords": ("answer_keywords", "gold_ans", "keywords"),
    "id": ("id", "_id", "qid", "question_id", "example_id", "uid", "idx", "index"),
    "system": ("system", "model", "model_name", "system_name", "provider"),
    "verdict": OF_PEOPLE,
}  # fmt: skip
# What a name may have at its end, as in "LLM Output (v2)". Blanks first would be tried again from each of a long run.
ADDED = re.compile(r"(\([^()]*\)|\[[^\[\]]*\])\s*$")
LONGEST_NAME = 200  # a longer one is no usual name: a file may call a column by a whole prompt
WORD_ENDS = re.compile(r"[\W_]+")
# As `usual` has them.
PEOPLES_NAMES, JUDGES_NAMES = ({name.replace("_", "") for name in names} for names in (OF_PEOPLE, OF_JUDGES))
# The rows that are scored although a cell is missing (null, NaN) or blank, by what is chosen: an answer of nothing is
# an answer, but without a reference a score says nothing.
SCORED_EMPTY = {
    "answers": ("no_answer", "no_final_answer"),
    "all": ("no_answer", "no_final_answer", "no_reference"),
    "none": (),
}
# What becomes of an answer's thinking aloud: it is set aside, or kept and scored with the rest.
REASONING = ("aside", "keep")
# A final answer that is taken from what is left: the content of TeX's last \\boxed{}; else what follows these words.
BOXED = "boxed"


class BadTable(Exception):
    """A table that cannot be scored, in words for its user, on one line whatever the table brought along."""

    def __init__(self, told: str) -> None:
        super().__init__(one_line(told))


class Unusable(BadTable):
    """A table that has nothing to score; of several systems the others go on without it."""


@dataclass(frozen=True)
class Roles:
    """The name of the column of each role, empty where the table has none: `verdict` is a person's, `judges` have those
    of judges, `stand_in` what stands in for verdicts where nobody read. What stands between several references in one
    text ("json": the text is a list in JSON), the choices of SCORED_EMPTY and REASONING, and where the final answer
    stands: BOXED, or the words before it; empty for the whole answer.
    """

    prediction: str = ""
    reference: str = ""
    question: str = ""
    keywords: str = ""
    group: str = ""
    id: str = ""
    system: str = ""
    cluster: str = ""
    verdict: str = ""
    stand_in: str = ""
    judges: tuple[str, ...] = ()
    separator: str = ""
    empty: str = "answers"
    reasoning: str = REASONING[0]
    final: str = ""

    def named(self) -> dict[str, str]:
        """The roles that have a column, but for the judges, which may have several."""
        return {role: name for role in (*COLUMNS, "stand_in") if (name := getattr(self, role))}

    def columns(self) -> list[str]:
        """The columns that have a role, each once."""
        return list(dict.fromkeys([*self.named().values(), *self.judges]))


COLUMNS = tuple(field.name for field in fields(Roles))[:-6]
# The roles that several columns may have: of several answers each has a column of verdicts.
SEVERAL = ("prediction", "verdict", "judges")


@dataclass(frozen=True, slots=True)
class Item:
    """One row as the metrics take it, and verdicts on it: a person's, those of judges, and what stands in for one.
    `lacks` says why it is not scored: "no_answer", "no_final_answer" or "no_reference". `whole` is the answer as it
    stood, where something of it was left out. `left_out` says what: "aside" or "unfinished" thinking; "final" where the
    final answer was taken, "no_final" where none was found. `repeat`: which answer it is of those in its cell, from 0.
    `converted`: what its cells were that are no texts (cell_texts.py).
    """

    prediction: str
    reference: str | list[str]
    question: str = ""
    keywords: str = ""
    group: str = ""
    id: str = ""
    system: str = ""
    cluster: str = ""
    verdict: str = ""
    judges: tuple[str, ...] = ()
    stand_in: float | None = None
    lacks: str = ""
    whole: str = ""
    left_out: tuple[str, ...] = ()
    repeat: int = 0
    converted: tuple[str, ...] = ()

    def empty(self) -> str:
        """What of it is blank: "no_reference", "no_answer", "no_final_answer" where thinking has no end, or nothing."""
        if blank(self.reference):
            return "no_reference"
        return ("no_final_answer" if UNFINISHED in self.left_out else "no_answer") if blank(self.prediction) else ""


def usual(name: str) -> str:
    """A column's name without what is written in different ways.

    >>> usual(" Model Answer"), usual("model-answer"), usual("modelAnswer"), usual("Gold Answer(s)")
    ('modelanswer', 'modelanswer', 'modelanswer', 'goldanswers')
    """
    return name if len(name) > LONGEST_NAME else "".join(filter(str.isalnum, name.casefold()))


def guess(names: Sequence[str], unfit: Collection[str] = ()) -> Roles:
    """The roles of columns by their usual names, of which one column alone may have a plural or brackets behind it; no
    column has two roles. A group and a cluster are never guessed, nor verdicts where a cell is `unfit` to be one.

    >>> guess(["Question", "Answer", "response"]).named()
    {'prediction': 'response', 'reference': 'Answer', 'question': 'Question'}
    >>> guess(["Questions", "ground truths [human]", "Answer (GPT)"]).named()
    {'prediction': 'Answer (GPT)', 'reference': 'ground truths [human]', 'question': 'Questions'}
    >>> guess(["human", "LLM judge", "is_correct"], unfit=["is_correct"]).judges
    ('LLM judge',)
    """
    found: dict[str, str] = {}
    for role, candidates in USUAL.items():
        free = [name for name in names if name not in found.values()]
        exact = (name for one in candidates for name in free if usual(name) == usual(one))
        alike = ([name for name in free if singular(name) == singular(one)] for one in candidates)
        if role == "verdict":  # answers of people may well be called so
            found[role] = next((name for name in exact if name not in unfit), "")
        else:
            found[role] = next(exact, "") or next((several[0] for several in alike if len(several) == 1), "")
    judges = [name for name in names if of_judge(name) and name not in (*unfit, *found.values())]
    return Roles(**found, judges=tuple(judges))


def may_have_role(name: str) -> bool:
    """Return whether a column could have a role by its name, whatever the others are.

    >>> may_have_role("Model Answers"), may_have_role("Status")
    (True, False)
    """
    known = {singular(one) for names in USUAL.values() for one in names}
    return verdict_like(name) or singular(name) in known


def of_judge(name: str) -> bool:
    """Whether a column has the verdicts of a judge, by its name."""
    return usual(name) in JUDGES_NAMES


def verdict_like(name: str) -> bool:
    """Whether a column has verdicts, by its name."""
    return of_judge(name) or usual(name) in PEOPLES_NAMES


def unfit_of(rows: Iterable[Mapping[str, Any]], found: dict[str, str]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows; of each column that has verdicts by its name, but a cell that is none, note the first such."""
    known: dict[str, bool] = {}
    for number, row in enumerate(rows, 1):
        for name, cell in row.items():
            if name not in known:
                known[name] = verdict_like(name)
            if known[name] and name not in found and meaning(cell) is None:
                found[name] = say("vd_not_taken", column=short(name), row=number, cell=shown(cell))
        yield row


def singular(name: str) -> str:
    """A usual name without brackets behind it and without the plural.

    >>> singular("LLM Outputs (v2)")
    'llmoutput'
    """
    return usual(ADDED.sub("", name)).removesuffix("s")


def nearest(name: str, known: Iterable[str]) -> str:
    """The question whether another name was meant, where one is near or has it as a word; else nothing."""
    names = {one.casefold(): one for one in known if len(one) <= LONGEST_NAME}
    name = name[:LONGEST_NAME].casefold()
    close = [one for one in names if name in WORD_ENDS.split(one)] or difflib.get_close_matches(name, names, 1)
    return say("did_you_mean", name=short(names[close[0]])) if close else ""


def chosen(names: Sequence[str], given: Mapping[str, Any], unfit: Collection[str] = ()) -> Roles:
    """The roles as guessed, but for what is given; "" takes a role away. A column that is not there, a role that is
    needed and has none, one column for two roles, a judge's verdicts for a person's: BadTable. `unfit`: columns that
    are not taken for verdicts unasked.
    """
    taken = [given.get(role) for role in COLUMNS] + list(given.get("judges") or ())
    free = [name for name in names if name not in taken]
    roles = replace(guess(free, unfit), **{role: name for role, name in given.items() if name is not None})
    roles = replace(roles, judges=tuple(filter(None, roles.judges)))
    every = [*roles.named().items(), *(("judges", name) for name in roles.judges)]
    for role, name in every:
        if name not in names:
            none = say("f_no_column", column=short(name), found=listing(names), role=say(f"f_role_{role}"))
            raise BadTable(sentences(none, nearest(name, names)))
    for role in ("prediction", "reference"):
        if not getattr(roles, role):
            told = {"found": listing(names), "usual": listing(USUAL[role])}
            raise BadTable(say("f_no_role", role=say(f"f_role_{role}"), **told))
    texts = [roles.prediction, roles.reference, roles.question, roles.keywords]
    doubled = next((name for name in texts if name and texts.count(name) > 1), None)
    if doubled is not None:
        raise BadTable(say("f_two_roles", column=short(doubled)))
    if roles.verdict and (of_judge(roles.verdict) or roles.verdict in roles.judges):
        raise BadTable(say("vd_is_judge", column=short(roles.verdict)))
    return roles


def for_each_answer(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is given for a table, for each of its columns of answers: columns of verdicts and of a judge's go to the
    answers in their order. BadTable where there are not as many.
    """
    answers = given["prediction"]
    if len(answers or ()) < 2:
        several = given.get("verdict") or ()
        if len(several) > 1:
            raise BadTable(say("vd_several", columns=listing(several)))
        return [{**given, **{role: one and one[0] for role in ("prediction", "verdict") for one in [given.get(role)]}}]
    found = [{**given, "prediction": name, "verdict": "", "judges": ()} for name in answers]
    for role in ("verdict", "judges", "stand_in"):
        named = given.get(role) or ()
        columns = [named] if isinstance(named, str) else list(filter(None, named))
        if columns and len(columns) != len(answers):
            told = {"role": say(f"f_role_{role}"), "columns": len(columns), "answers": len(answers)}
            raise BadTable(say("vd_each_answer", **told))
        for one, name in zip(found, columns, strict=False):
            one[role] = (name,) if role == "judges" else name
    return found


def listing(names: Iterable[str], most: int = 30) -> str:
    """Names in a row, not all of them where there are many."""
    names = list(names)
    shown = say("list_comma").join(f"“{short(name)}”" for name in names[:most])
    return shown + (say("and_more", count=len(names) - most) if len(names) > most else "") or "–"


def shown(cell: Any) -> str:
    """A cell for a message."""
    kind = type(cell).__name__
    if isinstance(cell, Nested):
        kind = "list" if cell.text.startswith("[") else "dict"
    return say("f_cell_null") if missing(cell) else cut(f"{cell!r} ({kind})")


def item_of(row: Mapping[str, Any], roles: Roles, number: int, repeat: int = 0) -> Item:
    """A row of one answer as the metrics take it; `number`, counted from 1, is for messages. Where an answer or a
    reference is missing or blank that is no mistake, and the roles say whether it is scored.
    """
    cells: dict[str, Any] = {role: cell for role, name in roles.named().items() if not missing(cell := row.get(name))}
    cells, converted = read_cells(cells)
    if fits("texts", cells.get("keywords")):
        cells["keywords"] = " ".join(cells["keywords"])
    texts: dict[str, Any] = {role: cells.get(role, "") for role in ("prediction", "question", "keywords")}
    for role, cell in texts.items():
        if not isinstance(cell, str):
            name = getattr(roles, role)
            told = say("f_cell_no_text", column=short(name), row=number, cell=shown(cell))
            raise BadTable(sentences(told, describe_inner(name, cell)))
    answer, left_out = read_answer(texts["prediction"], roles.reasoning, roles.final)
    whole = "" if answer == texts["prediction"] else texts["prediction"]
    reference = cells.get("reference", "")
    if isinstance(reference, str) or reference == []:
        reference = references_in(reference or "", roles.separator)
    elif not fits("texts", reference):
        told = say("f_cell_no_reference", column=short(roles.reference), row=number, cell=shown(reference))
        raise BadTable(sentences(told, describe_inner(roles.reference, reference)))
    said: dict[str, Any] = {role: str(cells.get(role, "")) for role in ("group", "id", "system", "cluster")}
    said |= {
        "verdict": verdict_of(cells.get("verdict"), roles.verdict, number),
        "judges": tuple(verdict_of(row.get(name), name, number) for name in roles.judges),
        "stand_in": stand_in_of(cells.get("stand_in"), roles.stand_in, number) if roles.stand_in else None,
    }
    texts["prediction"] = answer
    item = Item(**texts, **said, reference=reference, whole=whole, left_out=left_out, repeat=repeat,
                converted=converted)  # fmt: skip
    empty = item.empty()
    return item if empty in ("", *SCORED_EMPTY[roles.empty]) else replace(item, lacks=empty)


def read_answer(text: str, reasoning: str = REASONING[0], final: str = "") -> tuple[str, tuple[str, ...]]:
    r"""What is scored of an answer, and what was left out of it.

    >>> read_answer("<think>5?</think> so 4"), read_answer(r"so \boxed{4}.", final=BOXED)
    (('so 4', ('aside',)), ('4', ('final',)))
    >>> read_answer("4", final="Answer:")
    ('4', ('no_final',))
    """
    answer, thinking = without_thinking(text) if reasoning == REASONING[0] else (text, "")
    left_out = [thinking] if thinking else []
    if final and answer.strip():
        found = boxed(answer) if final == BOXED else after(final, answer)
        left_out.append("no_final" if found is None else "final")
        answer = answer if found is None else found
    return answer, tuple(left_out)


def verdict_of(cell: Any, column: str, number: int) -> str:
    """The verdict in a cell, empty where nobody read the row; else BadTable."""
    if (found := meaning(cell)) is None:
        raise BadTable(say("vd_unknown", column=short(column), row=number, cell=shown(cell)))
    return found


def stand_in_of(cell: Any, column: str, number: int) -> float | None:
    """What stands in for a verdict in a cell, None where nothing does; BadTable for neither a number nor a verdict."""
    found = worth(cell)
    if found != found:
        raise BadTable(say("vd_no_stand_in", column=short(column), row=number, cell=shown(cell)))
    return found
