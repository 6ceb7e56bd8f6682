"""Rows and blocks scored: what the modules give at once comes out of chunks and blocks; failures are never a score."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import lens
import pytest
from lens.runs.blocks import Block, blocks_of, score_block
from lens.scoring import catalog, rows, summary
from lens.scoring.marks import Outcome
from lens.scoring.rows import Scorer, Told
from lens.scoring.summary import Tally
from lens.tables.roles import BadTable, Item, Roles
from lens.tables.roll import Roll

from tests.support import judges, models
from tests.support.judge_server import JudgeServer, Reply, Request, verdict
from tests.support.project import ANSWERS, WITH_TOKENS, load

TEXTS = [
    ("Niagara Falls lies in Canada", "Niagara Falls lies in Mexico", "Mexico"),
    ("他在北京大学读书", "他在北京大学学习", "北京大学"),
    ("", "nothing was said", ""),
    ("the same", "the same", "same"),
    ("Ответ такой", "Ответ такой", ""),
    ("a b c d e f", "f e d c b a", "g"),
]
LACKING = [Item("a b", "a b"), Item("", "a", lacks="no_answer"), Item("a", "", lacks="no_reference"), Item("c", "a b")]


def test_a_metric_of_the_page_stands_in_every_table() -> None:
    names = {metric.name for metric in catalog.METRICS}
    assert sorted(names) == ANSWERS, "METRICS of scoring/catalog.py"
    assert {one.metric for one in catalog.SERIES} == names, "SERIES of scoring/catalog.py"
    assert all(one.title for one in catalog.SERIES)
    assert set(WITH_TOKENS) == rows.TOKENS, 'TOKENS of scoring/rows.py: what takes per_example="brief"'


def test_examples_in_the_code_run() -> None:
    names = [one.name for one in pkgutil.walk_packages(lens.__path__, "lens.") if not one.name.startswith("lens.page")]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert (sum(one.failed for one in results), sum(one.attempted for one in results) > 30) == (0, True)


def table(count: int = 60, several: bool = True) -> list[Item]:
    """Rows in two languages, some with keywords, some with several references."""
    items = []
    for number in range(count):
        prediction, reference, keywords = TEXTS[number % len(TEXTS)]
        references: Any = [reference, f"or {reference}"] if several and number % 5 == 0 else reference
        group = "odd" if number % 2 else "even"
        items.append(Item(f"{prediction} {number % 7}", references, "?", keywords, group=group))
    return items


def tally_of(items: Sequence[Item], *scorers: Scorer, size: int = 7) -> Tally:
    """All rows scored in blocks of a size, each as it comes back from its text."""
    tally = Tally(scorers)
    for block in blocks_of(items, size):
        tally.take(Outcome.from_json(score_block(scorers, block).to_json()))
    return tally


def columns(items: Sequence[Item]) -> dict[str, list[Any]]:
    """What a module is given for the rows."""
    references = [one.reference if isinstance(one.reference, list) else [one.reference] for one in items]
    return {"predictions": [one.prediction for one in items], "references": references}


def roll_of(items: Sequence[Item], column: str = "") -> Roll:
    """Who is who among the rows."""
    found = Roll(column=column)
    for item in items:
        found.add(item)
    return found


def means_of(found: summary.Summary) -> dict[str, float | None]:
    """The means by series."""
    return {figure.series.key: figure.mean for figure in found.figures}


# What the modules give at once


@pytest.mark.parametrize("several", [True, False])
def test_words_scored_in_blocks_are_what_the_modules_give_at_once(several: bool) -> None:
    items = table(several=several)
    scorers = map(Scorer, ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge"))
    found = tally_of(items, *scorers).summary("rows", roll_of(items))
    given_: dict[str, Any] = {**columns(items), "signature": True}
    keywords = [one.keywords for one in items]
    gated = load("lv_eval_f1").compute(**given_, answer_keywords=keywords)
    bleu, rouge, zh = (load(name).compute(**given_) for name in ("bleu", "rouge", "lv_eval_rouge"))
    expected = {"lv_eval_f1": gated["lv_eval_f1"], "bleu": bleu["sentence_bleu"], "lv_eval_rouge": zh["lv_eval_rouge"]}
    expected |= {key: rouge[key] for key in ("rouge1", "rouge2", "rougeL", "rougeLsum")}
    entries = {
        name: load(name).compute(**given_, per_example=True, **more)["per_example"]
        for name, more in (("rouge", {}), ("lv_eval_f1", {"answer_keywords": keywords}))
    }
    expected["rougeL_recall"] = fmean(entry["rougeL"]["recall"] for entry in entries["rouge"])
    expected["lv_eval_f1_recall"] = fmean(entry["recall"] for entry in entries["lv_eval_f1"])
    assert means_of(found) == pytest.approx(expected, abs=1e-15)
    assert found.corpus_bleu == bleu["bleu"]
    assert list(found.signatures.values()) == [result["signature"] for result in (gated, bleu, rouge, zh)]
    told = "Rows with several references: 12. These read the first only: LV-Eval F1, LV-Eval ROUGE."
    assert [note.startswith(told) for note in found.notes] == [True] * several
    assert [figure.scored for figure in found.figures] == [len(items)] * len(expected)


def test_models_scored_in_blocks_are_what_the_modules_give_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = models.minilm()
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", folder)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", folder)
    items = table(12)
    found = tally_of(items, Scorer("cosine_similarity"), Scorer("bertscore")).summary("rows", roll_of(items))
    cosine = load("cosine_similarity").compute(**columns(items), model=folder, signature=True)
    bert = load("bertscore").compute(**columns(items), model_type=folder, num_layers=6, signature=True)
    expected = {f"bertscore_{key}": bert[key] for key in ("precision", "recall", "f1")}
    expected["cosine_similarity"] = cosine["average_cosine_similarity"]
    assert means_of(found) == pytest.approx(expected, abs=1e-6)
    assert list(found.signatures.values()) == [cosine["signature"], bert["signature"]]


def test_settings_reach_the_module() -> None:
    items = [Item("He was born in Paris and was raised there", "She was born in Paris", keywords="Paris")]
    tallies = [tally_of(items, Scorer("lv_eval_f1", {"mode": mode})) for mode in ("code", "paper")]
    assert [tally.scores("lv_eval_f1")[0] for tally in tallies] == [pytest.approx(4 / 7), pytest.approx(2 / 3)]
    wrong = Scorer("lv_eval_f1", {"mood": "paper"})
    assert "no argument 'mood'" in wrong.refused_setting()
    tally_of(items, wrong)
    assert "no argument 'mood'" in wrong.stopped


# Judges


def asking(server: JudgeServer, **more: Any) -> dict[str, Any]:
    """What a judge is given."""
    return {"model": "judge-1", "base_url": server.url, "cache": False, "progress": False, "on_error": "skip"} | more


def test_a_row_without_a_verdict_is_not_scored_and_says_why() -> None:
    def answer(request: Request, number: int) -> Reply:
        return verdict("I would rather not.") if "bad" in request.prompt else judges.compared(request)

    with JudgeServer(answer) as server:
        scorer = Scorer("eve_judge", asking(server))
        outcome = score_block([scorer], Block(0, 0, [Item(text, "x", "?") for text in ("bad", "x", "y")]))
    tally = Tally([scorer])
    tally.take(outcome)
    (figure,) = tally.figures()
    assert (figure.mean, figure.scored, dict(figure.unscored)) == (0.5, 2, {"no_verdict": 1})
    assert tally.scores("eve_judge") == [None, 1.0, 0.0]
    assert (scorer.stopped, outcome.complete) == ("", False)
    assert outcome.scored(0)["eve_judge"].reason == "no_verdict"


def test_signatures_of_blocks_make_one_and_remarks_are_added_up() -> None:
    assert Told().signature() == ""
    assert Told(["a|x:none+y"]).signature() == "a|x:none+y"
    served = Told(["l3score|served:m1|cache:no", "l3score|served:m2|cache:no", "l3score|cache:no"])
    assert served.signature() == "l3score|served:m1+m2|cache:no"

    def silent(request: Request, number: int) -> Reply:
        return Reply({**judges.compared(request).body, "usage": None})

    items = [Item(str(number), "x", "?") for number in range(9)]
    with JudgeServer(silent) as server:
        found = tally_of(items, Scorer("eve_judge", asking(server)), size=4).summary("x", roll_of(items))
    assert found.notes == ["eve_judge: the server reported no tokens for 9 replies: Cost and tokens leave them out"]
    assert found.costs == {"eve_judge": None}


# What has no score


def test_a_metric_that_cannot_be_computed_gives_no_score_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "/nowhere/at/all")
    items = table(10)
    found = tally_of(items, Scorer("cosine_similarity"), Scorer("rouge")).summary("x", roll_of(items))
    figures = {figure.series.key: figure for figure in found.figures}
    cosine = figures["cosine_similarity"]
    assert (cosine.mean, cosine.interval, cosine.unscored) == (None, None, {"not_scored": 10})
    assert figures["rougeL"].scored == 10
    assert "/nowhere" not in found.stopped["cosine_similarity"]


def test_rows_without_an_answer_are_not_scored_and_counted() -> None:
    tally = tally_of(LACKING, Scorer("rouge"), Scorer("bleu"), size=2)
    for figure in tally.figures():
        assert (figure.mean, figure.scored) == (0.5, 2)
        assert dict(figure.unscored) == {"no_answer": 1, "no_reference": 1}
    assert tally.corpus_bleu() == load("bleu").compute(predictions=["a b", "c"], references=["a b", "a b"])["bleu"]
    assert roll_of(LACKING).lacking == {"no_answer": [2], "no_reference": [3]}
    with pytest.raises(BadTable, match="No row has both"):
        roll_of(LACKING[1:3]).checked(Roles("p", "r"))


# Groups, two systems


def test_groups_have_figures_of_their_own() -> None:
    items = table(60)
    found = tally_of(items, Scorer("rouge")).summary("x", roll_of(items, "parity"))
    for name in ("even", "odd"):
        own = columns([item for item in items if item.group == name])
        assert found.groups[name][0].mean == pytest.approx(load("rouge").compute(**own)["rouge1"], abs=1e-15)
    with pytest.raises(BadTable, match="“n” has more than 200 different values"):
        roll_of([Item("a", "a", group=str(number)) for number in range(201)], "n")


def test_two_systems_are_compared_on_the_rows_scored_for_both() -> None:
    first = [Item("a", "a"), Item("a b", "a"), Item("x", "a"), Item("", "a", lacks="no_answer")]
    second = [Item("x", "a"), Item("a b", "a"), Item("a", "a"), Item("a", "a")]
    tallies = [tally_of(items, Scorer("rouge")) for items in (first, second)]
    found = summary.differences(*tallies, order=[0, 1, 2, 3])[0]
    assert (found.series.key, found.rows) == ("rouge1", 3)
    assert (found.first, found.second, found.difference) == (pytest.approx(5 / 9), pytest.approx(5 / 9), 0.0)
    assert (found.wins, found.ties, found.losses, found.p_value) == (1, 1, 1, 1.0)
    shuffled = tally_of([second[at] for at in (2, 0, 1, 3)], Scorer("rouge"))
    assert summary.differences(tallies[0], shuffled, [1, 2, 0, 3])[0] == found
    nothing = tally_of(LACKING[1:2] * 4, Scorer("rouge"))
    assert {one.p_value for one in summary.differences(tallies[0], nothing, range(4))} == {None}


def test_references_that_look_like_lists_are_told() -> None:
    found = roll_of([Item("a", text) for text in ("['a', 'b']", '["a"]', "[1] a source", "plain", "[]")])
    assert found.listlike == 2
    assert "look like lists written as text" in found.told()[0]
    assert roll_of([Item("a", ["['a']"])]).told() == []
