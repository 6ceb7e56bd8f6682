"""Which column of a table is what, guessed by its name, and a row as the metrics take it.

No text is altered, but that an answer's thinking aloud is set aside (final_answer.py): a cell that is no text where one
belongs is refused with its row, and a list of references stays one.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from lens.tables.cells import Nested, blank, cut, fits, missing
from lens.tables.final_answer import UNFINISHED, after, boxed, without_thinking
from lens.tables.separators import written
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
}  # fmt: skip
# What a name may have at its end, as in "LLM Output (v2)" and "Answer [GPT]".
ADDED = re.compile(r"\s*(\([^()]*\)|\[[^\[\]]*\])\s*$")
WORD_ENDS = re.compile(r"[\W_]+")
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

# What a verdict is called in a table; an empty cell is a row that nobody read.
RIGHT, WRONG, UNDECIDED, UNREAD = "right", "wrong", "cannot say", ""
VERDICTS = {
    RIGHT: (RIGHT, "correct", "1", "1.0", "true", "yes", "r"),
    WRONG: (WRONG, "incorrect", "0", "0.0", "false", "no", "w"),
    UNDECIDED: (UNDECIDED, "unsure", "?", "s"),
    UNREAD: ("",),
}
MEANT = {word: verdict for verdict, words in VERDICTS.items() for word in words}


class BadTable(Exception):
    """A table that cannot be scored, in words for its user, on one line whatever the table brought along."""

    def __init__(self, told: str) -> None:
        super().__init__(one_line(told))


class Unusable(BadTable):
    """A table that has nothing to score; of several systems the others go on without it."""


@dataclass(frozen=True)
class Roles:
    """The name of the column of each role, empty where the table has none; what stands between several references in
    one text ("json": the text is a list in JSON), the choices of SCORED_EMPTY and REASONING, and where the final answer
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
    separator: str = ""
    empty: str = "answers"
    reasoning: str = REASONING[0]
    final: str = ""

    def named(self) -> dict[str, str]:
        """The roles that have a column."""
        return {role: name for role in COLUMNS if (name := getattr(self, role))}


COLUMNS = tuple(field.name for field in fields(Roles))[:-4]


@dataclass(frozen=True, slots=True)
class Item:
    """One row as the metrics take it, and a person's verdict. `lacks` says why it is not scored: "no_answer",
    "no_final_answer" or "no_reference". `whole` is the answer as it stood, where something of it was left out.
    `left_out` says what: "aside" or "unfinished" thinking; "final" where the final answer was taken, "no_final" where
    none was found. `repeat`: which answer it is of those in its cell, from 0.
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
    lacks: str = ""
    whole: str = ""
    left_out: tuple[str, ...] = ()
    repeat: int = 0

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
    return "".join(filter(str.isalnum, name.casefold()))


def guess(names: Sequence[str]) -> Roles:
    """The roles of columns by their usual names, of which one column alone may have a plural or brackets behind it; no
    column has two roles. A group and a cluster are never guessed.

    >>> guess(["Question", "Answer", "response"]).named()
    {'prediction': 'response', 'reference': 'Answer', 'question': 'Question'}
    >>> guess(["Questions", "ground truths [human]", "Answer (GPT)"]).named()
    {'prediction': 'Answer (GPT)', 'reference': 'ground truths [human]', 'question': 'Questions'}
    """
    found: dict[str, str] = {}
    for role, candidates in USUAL.items():
        free = [name for name in names if name not in found.values()]
        exact = (name for one in candidates for name in free if usual(name) == usual(one))
        alike = ([name for name in free if singular(name) == singular(one)] for one in candidates)
        found[role] = next(exact, "") or next((several[0] for several in alike if len(several) == 1), "")
    return Roles(**found)


def singular(name: str) -> str:
    """A usual name without brackets behind it and without the plural.

    >>> singular("LLM Outputs (v2)")
    'llmoutput'
    """
    return usual(ADDED.sub("", name)).removesuffix("s")


def nearest(name: str, known: Iterable[str]) -> str:
    """The question whether another name was meant, where one is near or has it as a word; else nothing."""
    names = {one.casefold(): one for one in known}
    name = name.casefold()
    close = [one for one in names if name in WORD_ENDS.split(one)] or difflib.get_close_matches(name, names, 1)
    return say("did_you_mean", name=short(names[close[0]])) if close else ""


def chosen(names: Sequence[str], given: Mapping[str, str | None]) -> Roles:
    """The roles as guessed, but for what is given; "" takes a role away. A column that is not there, a role that is
    needed and has none, one column for two roles: BadTable.
    """
    free = [name for name in names if name not in [given.get(role) for role in COLUMNS]]
    roles = replace(guess(free), **{role: name for role, name in given.items() if name is not None})
    for role, name in roles.named().items():
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
    return roles


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
    if fits("texts", cells.get("keywords")):
        cells["keywords"] = " ".join(cells["keywords"])
    texts = {role: cells.get(role, "") for role in ("prediction", "question", "keywords")}
    for role, cell in texts.items():
        if not isinstance(cell, str):
            raise BadTable(say("f_cell_no_text", column=short(getattr(roles, role)), row=number, cell=shown(cell)))
    answer, left_out = read_answer(texts["prediction"], roles.reasoning, roles.final)
    whole = "" if answer == texts["prediction"] else texts["prediction"]
    reference = cells.get("reference", "")
    if isinstance(reference, str) or reference == []:
        reference = references_in(reference or "", roles.separator)
    elif not fits("texts", reference):
        raise BadTable(say("f_cell_no_reference", column=short(roles.reference), row=number, cell=shown(reference)))
    marks = {role: str(cells.get(role, "")) for role in ("group", "id", "system", "cluster")}
    verdict = verdict_of(cells.get("verdict"), roles.verdict, number)
    texts["prediction"] = answer
    told: dict[str, Any] = {**texts, **marks, "verdict": verdict, "left_out": left_out}
    item = Item(reference=reference, whole=whole, repeat=repeat, **told)
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


def references_in(text: str, separator: str) -> str | list[str]:
    """The references in one text: between the separator, or with "json" those of a list in JSON; else the text alone.

    >>> references_in("a / b", "/"), references_in('["a ", "b/c"]', "json"), references_in("[a]", "json")
    (['a', 'b'], ['a ', 'b/c'], '[a]')
    """
    if separator == "json":
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return text
        return found if fits("texts", found) else text
    several = text.split(written(separator)) if separator else [text]
    return ([part.strip() for part in several if part.strip()] or [text]) if len(several) > 1 else text


def verdict_of(cell: Any, column: str, number: int) -> str:
    """The verdict in a cell: "right", "wrong", "cannot say", or empty where nobody read the row; else BadTable.

    >>> [verdict_of(cell, "human", 1) for cell in (True, 0, "Yes", None, " cannot say ")]
    ['right', 'wrong', 'right', '', 'cannot say']
    """
    word = "" if missing(cell) else str(cell).strip().casefold()
    if word not in MEANT:
        raise BadTable(say("vd_unknown", column=short(column), row=number, cell=shown(cell)))
    return MEANT[word]
