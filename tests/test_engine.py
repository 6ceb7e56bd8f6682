"""The scoring engine: a table scored chunk by chunk gives what the modules give at once; failures are never a score."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from tests.support import judges, models
from tests.support.judge_server import JudgeServer, Reply, Request, error, verdict
from tests.support.project import ANSWERS, ROOT, WITH_TOKENS, load

sys.path.insert(0, str(ROOT / "spaces" / "answer_lens"))

from lens import words
from lens.scoring import catalog, pasted_answer, summary
from lens.scoring import rows as engine
from lens.scoring.rows import Pace, Scorer
from lens.scoring.summary import Tally
from lens.tables import roll
from lens.tables.roles import BadTable, Item, Roles
from lens.tables.roll import Roll

WORDS = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")
MODELS = ("cosine_similarity", "bertscore")
TEXTS = [
    ("Niagara Falls lies in Canada", "Niagara Falls lies in Mexico", "Mexico"),
    ("他在北京大学读书", "他在北京大学学习", "北京大学"),
    ("", "nothing was said", ""),
    ("the same", "the same", "same"),
    ("Ответ такой", "Ответ такой", ""),
    ("a b c d e f", "f e d c b a", "g"),
]


def test_a_metric_of_the_page_stands_in_every_table_of_the_engine() -> None:
    names = {metric.name for metric in catalog.METRICS}
    assert sorted(names) == ANSWERS, "METRICS of scoring/catalog.py"
    assert {one.metric for one in catalog.SERIES} == names, "SERIES of scoring/rows.py"
    for table in words.TABLES.values():
        assert [one.key for one in catalog.SERIES if f"f_series_{one.key}" not in table] == [], "words/file_texts.py"
    assert set(WITH_TOKENS) == engine.TOKENS, 'TOKENS of scoring/rows.py: what takes per_example="brief"'


def table(count: int = 60, several: bool = True) -> list[Item]:
    """Rows in two languages, some with keywords, some with several references."""
    items = []
    for number in range(count):
        prediction, reference, keywords = TEXTS[number % len(TEXTS)]
        prediction = f"{prediction} {number % 7}"
        references: Any = [reference, f"or {reference}"] if several and number % 5 == 0 else reference
        items.append(Item(prediction, references, "?", keywords, group="odd" if number % 2 else "even"))
    return items


def tally_of(items: Sequence[Item], *scorers: Scorer, rows: int = 7) -> Tally:
    """All rows scored, in chunks of so many."""
    tally = Tally(scorers)
    for scorer in scorers:
        for start in range(0, len(items), rows):
            tally.add(scorer, scorer.score(items[start : start + rows]))
    return tally


def columns(items: Sequence[Item]) -> dict[str, list[Any]]:
    """What a module is given for the rows."""
    references = [one.reference if isinstance(one.reference, list) else [one.reference] for one in items]
    return {"predictions": [one.prediction for one in items], "references": references}


@pytest.mark.parametrize("several", [True, False])
def test_words_scored_in_chunks_are_what_the_modules_give_at_once(several: bool) -> None:
    items = table(several=several)
    tally = tally_of(items, *map(Scorer, WORDS))
    summary = tally.summary("rows", roll_of(items))
    means = {figure.series.key: figure.mean for figure in summary.figures}
    rows = columns(items)
    gated = load("lv_eval_f1").compute(**rows, answer_keywords=[one.keywords for one in items])
    assert means["lv_eval_f1"] == pytest.approx(gated["lv_eval_f1"], abs=1e-15)
    bleu, rouge, zh = (load(name).compute(**rows) for name in ("bleu", "rouge", "lv_eval_rouge"))
    assert means["bleu"] == pytest.approx(bleu["sentence_bleu"], abs=1e-15)
    assert summary.corpus_bleu == bleu["bleu"]
    for key in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
        assert means[key] == pytest.approx(rouge[key], abs=1e-15)
    assert means["lv_eval_rouge"] == pytest.approx(zh["lv_eval_rouge"], abs=1e-15)
    signatures = [result["signature"] for result in (gated, bleu, rouge, zh)]
    assert list(summary.signatures.values()) == signatures
    assert [figure.scored for figure in summary.figures] == [len(items)] * len(means)


def test_models_scored_in_chunks_are_what_the_modules_give_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = models.minilm()
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", folder)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", folder)
    items = table(20)
    summary = tally_of(items, *map(Scorer, MODELS)).summary("rows", roll_of(items))
    means = {figure.series.key: figure.mean for figure in summary.figures}
    cosine = load("cosine_similarity").compute(**columns(items), model=folder)
    assert means["cosine_similarity"] == pytest.approx(cosine["average_cosine_similarity"], abs=1e-6)
    bert = load("bertscore").compute(**columns(items), model_type=folder, num_layers=6)
    for key in ("precision", "recall", "f1"):
        assert means[f"bertscore_{key}"] == pytest.approx(bert[key], abs=1e-6)
    assert list(summary.signatures.values()) == [cosine["signature"], bert["signature"]]


def roll_of(items: Sequence[Item], column: str = "") -> Roll:
    """Who is who among the rows."""
    roll = Roll(column=column)
    for item in items:
        roll.add(item)
    return roll


def asking(server: JudgeServer, **more: Any) -> dict[str, Any]:
    """What a judge of the engine is given."""
    return {"model": "judge-1", "base_url": server.url, "cache": False, "progress": False, "on_error": "skip"} | more


def test_judges_are_asked_and_their_pass_rate_has_wilsons_interval() -> None:
    items = [Item("same", "same" if number < 8 else "other", "?") for number in range(10)]
    with JudgeServer(judges.compared) as server:
        tally = tally_of(items, *(Scorer(name, asking(server)) for name in judges.JUDGES))
    passed = next(one for one in tally.figures() if one.series.share)
    assert (passed.series.key, passed.mean, passed.scored) == ("eve_judge", 0.8, 10)
    # Worked by hand: (8 + z2/2)/(10 + z2) -+ z*sqrt(10*0.8*0.2 + z2/4)/(10 + z2), z2 = 3.8415.
    assert passed.interval == pytest.approx((0.49016, 0.94332), abs=1e-5)
    assert tally.columns["L3Score"][0] > 0.99 > 0.01 > tally.columns["L3Score"][9]


def test_a_row_without_a_verdict_is_not_scored_and_says_why() -> None:
    def answer(request: Request, number: int) -> Reply:
        return verdict("I would rather not.") if "bad" in request.prompt else judges.compared(request)

    items = [Item("bad", "x", "?"), Item("x", "x", "?"), Item("y", "x", "?")]
    with JudgeServer(answer) as server:
        scorer = Scorer("eve_judge", asking(server))
        tally = tally_of(items, scorer)
    (figure,) = tally.figures()
    assert (figure.mean, figure.scored, dict(figure.unscored)) == (0.5, 2, {"no_verdict": 1})
    assert math.isnan(tally.columns["eve_judge"][0])
    assert not scorer.stopped


def test_a_judge_that_is_stopped_keeps_what_it_has_and_asks_no_more() -> None:
    def answer(request: Request, number: int) -> Reply:
        return (
            judges.compared(request)
            if number < 3
            else error(401, "Incorrect key sk-secret-987654", code="invalid_api_key")
        )

    items = [Item("x", "x", "?")] * 1 + [Item(str(number), "x", "?") for number in range(30)]
    with JudgeServer(answer) as server:
        scorer = Scorer("eve_judge", asking(server, api_key="sk-secret-987654", max_concurrency=1), "sk-secret-987654")
        tally = tally_of(items, scorer, Scorer("lv_eval_f1"), rows=5)
        asked = len(server.requests)
    by_key = {figure.series.key: figure for figure in tally.figures()}
    assert by_key["eve_judge"].scored == 3
    assert by_key["eve_judge"].mean == pytest.approx(1 / 3)
    assert by_key["lv_eval_f1"].scored == 31
    assert "stopped (bad_key)" in scorer.stopped
    assert "secret" not in repr((scorer.stopped, scorer.signatures, scorer.notes, tally.reasons))
    assert by_key["eve_judge"].unscored["not_scored"] == 26
    assert asked < 10
    summary = tally.summary("x", roll_of(items))
    assert summary.stopped == {"eve_judge": scorer.stopped}


def test_a_metric_that_cannot_be_computed_gives_no_score_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "/nowhere/at/all")
    items = table(10)
    summary = tally_of(items, Scorer("cosine_similarity"), Scorer("rouge")).summary("x", roll_of(items))
    figures = {figure.series.key: figure for figure in summary.figures}
    assert figures["cosine_similarity"].mean is None
    assert figures["cosine_similarity"].interval is None
    assert figures["cosine_similarity"].unscored == {"not_scored": 10}
    assert figures["rougeL"].scored == 10
    assert "cosine_similarity" in summary.stopped
    assert "/nowhere" not in summary.stopped["cosine_similarity"]


def test_a_module_that_is_nowhere_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(name: str, configuration: str | None = None) -> Any:
        raise pasted_answer.Unavailable(name)

    monkeypatch.setattr(pasted_answer, "fresh_module", nowhere)
    scorer = Scorer("bleu")
    tally = tally_of(table(3), scorer)
    assert scorer.stopped.startswith("Not available here")
    assert tally.corpus_bleu() is None


def test_settings_reach_the_module() -> None:
    items = [Item("He was born in Paris and was raised there", "She was born in Paris", keywords="Paris")]
    code, paper = (
        tally_of(items, Scorer("lv_eval_f1", {"mode": mode})).figures()[0].mean for mode in ("code", "paper")
    )
    assert (code, paper) == (pytest.approx(4 / 7), pytest.approx(2 / 3))
    wrong = Scorer("lv_eval_f1", {"mood": "paper"})
    tally_of(items, wrong)
    assert "no argument 'mood'" in wrong.stopped


def test_rows_without_an_answer_are_not_scored_and_counted() -> None:
    items = [Item("a b", "a b"), Item("", "a", lacks="no_answer"), Item("a", "", lacks="no_reference")]
    items.append(Item("c d", "a b"))
    tally = tally_of(items, Scorer("rouge"), Scorer("bleu"), rows=2)
    for figure in tally.figures():
        assert (figure.mean, figure.scored) == (0.5, 2)
        assert dict(figure.unscored) == {"no_answer": 1, "no_reference": 1}
    assert tally.corpus_bleu() == load("bleu").compute(predictions=["a b", "c d"], references=["a b", "a b"])["bleu"]
    assert roll_of(items).lacking == {"no_answer": [2], "no_reference": [3]}
    with pytest.raises(BadTable, match="No row has both"):
        roll_of(items[1:3]).checked(Roles("p", "r"))


def test_groups_have_figures_of_their_own() -> None:
    items = table(60)
    summary = tally_of(items, Scorer("rouge")).summary("x", roll_of(items, "parity"))
    assert list(summary.groups) == ["even", "odd"]
    for name, figures in summary.groups.items():
        own = [item for item in items if item.group == name]
        assert figures[0].mean == pytest.approx(load("rouge").compute(**columns(own))["rouge1"], abs=1e-15)
        assert figures[0].scored == 30
    with pytest.raises(BadTable, match="“n” has more than 200 different values"):
        roll_of([Item("a", "a", group=str(number)) for number in range(201)], "n")


def test_two_systems_are_compared_on_the_rows_scored_for_both() -> None:
    first = [Item("a", "a"), Item("a b", "a"), Item("x", "a"), Item("", "a", lacks="no_answer")]
    second = [Item("x", "a"), Item("a b", "a"), Item("a", "a"), Item("a", "a")]
    tallies = [tally_of(items, Scorer("lv_eval_f1")) for items in (first, [second[i] for i in (3, 2, 1, 0)])]
    # "a" is an article for LV-Eval: three of four are 0 by definition, so the pairs are worked on ROUGE instead.
    tallies = [tally_of(items, Scorer("rouge")) for items in (first, second)]
    found = summary.differences(*tallies, order=[0, 1, 2, 3])[0]
    assert (found.series.key, found.rows, found.first, found.second) == (
        "rouge1",
        3,
        pytest.approx(5 / 9),
        pytest.approx(5 / 9),
    )
    assert (found.difference, found.wins, found.ties, found.losses) == (0.0, 1, 1, 1)
    assert found.p_value == 1.0
    shuffled = summary.differences(
        tallies[0], tally_of([second[i] for i in (2, 0, 1, 3)], Scorer("rouge")), [1, 2, 0, 3]
    )
    assert shuffled[0] == found


def named(*ids: str, question: str = "?") -> Roll:
    """A table whose rows have these ids."""
    return roll_of([Item("a", f"r{one}", question, id=one) for one in ids])


def test_rows_are_matched_by_id_or_by_order() -> None:
    assert roll.paired_rows(named("a", "b", "c"), named("c", "a", "b"), by_id=True) == [1, 2, 0]
    assert roll.paired_rows(named("a", "b"), named("a", "b"), by_id=False) == [0, 1]


MISMATCHES = [
    (named("a", "b"), named("a"), False, "2 and 1 rows"),
    (named("a", "b"), named("b", "a"), False, "Row 1 of the two files differs"),
    (named("a"), named("a", question="!"), True, "id “a” .row 1 of the first file, 1 of the second. differs"),
    (named("a", "a"), named("a", "b"), True, "“a” stands twice in the first file"),
    (named("a", "b"), named("b", "b"), True, "“b” stands twice in the second file"),
    (named("a", "b"), named("a", "c"), True, "1 are not in the second: “b”"),
]


@pytest.mark.parametrize(("first", "second", "by_id", "words"), MISMATCHES)
def test_rows_that_do_not_match_are_refused(first: Roll, second: Roll, by_id: bool, words: str) -> None:
    with pytest.raises(BadTable, match=words):
        roll.paired_rows(first, second, by_id)


def test_chunks_are_small_at_first_and_bounded_by_rows_and_texts() -> None:
    metric, items = engine.BY_NAME["rouge"], [Item("x" * 10, "y")] * 10_000
    pace, sizes, start = Pace(metric), [], 0
    while start < len(items):
        end = pace.end(items, start)
        sizes.append(end - start)
        pace.took(0.01)
        start = end
    assert sizes[:4] == [16, 64, 256, 512]
    assert max(sizes) == engine.MOST
    pace.took(10)
    assert pace.rows == engine.MOST // 2
    long = [Item("x" * 300_000, "y")] * 3
    assert pace.end(long, 0) == 1
    assert pace.end([Item("x" * 1_000_000, "y")], 0) == 1


def test_steps_give_every_row_once_in_order() -> None:
    items = table(100)
    scorer = Scorer("lv_eval_f1")
    found = list(engine.steps(scorer, Pace(scorer.metric), items))
    assert [start for start, _ in found][:3] == [0, 16, 80]
    assert [row for _, rows in found for row in rows] == Scorer("lv_eval_f1").score(items)


def test_signatures_of_chunks_make_one() -> None:
    assert engine.merged([]) == ""
    assert engine.merged(["a|x:none+y"]) == "a|x:none+y"
    parts = ["l3score|served:m1|cache:no", "l3score|served:m2|cache:no", "l3score|cache:no"]
    assert engine.merged(parts) == "l3score|served:m1+m2|cache:no"


def test_what_a_judge_remarks_of_its_chunks_is_added_up() -> None:
    def silent(request: Request, number: int) -> Reply:
        reply = judges.compared(request)
        return Reply({**reply.body, "usage": None})

    with JudgeServer(silent) as server:
        scorer = Scorer("eve_judge", asking(server))
        tally_of([Item(str(number), "x", "?") for number in range(9)], scorer, rows=4)
    assert scorer.notes == ["eve_judge: the server reported no tokens for 9 replies: Cost and tokens leave them out"]


def test_references_that_look_like_lists_are_told() -> None:
    texts = ["['a', 'b']", '["a"]', "[1] a source", "plain", "[]"]
    roll = roll_of([Item("a", text) for text in texts])
    assert roll.listlike == 2
    assert "look like lists written as text" in roll.told()[0]
    assert roll_of([Item("a", ["['a']"])]).told() == []
