"""Rows and blocks scored: what the modules give at once comes out of chunks and blocks; failures are never a score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens import words
from lens.runs import blocks, parts
from lens.runs.blocks import Block, blocks_of, score_block
from lens.scoring import catalog, failures, judge, model_files, modules, pasted_answer, rows, summary
from lens.scoring.catalog import BY_NAME, Submission
from lens.scoring.judge import Judge
from lens.scoring.marks import Marks, Outcome
from lens.scoring.rows import Scored, Scorer, Told
from lens.scoring.scored_columns import Layout
from lens.scoring.summary import Tally
from lens.tables import roll
from lens.tables.roles import BadTable, Item, Roles
from lens.tables.roll import Roll

from tests.support import judges, models
from tests.support.judge_server import JudgeServer, Reply, Request, error, verdict
from tests.support.project import ANSWERS, WITH_TOKENS, load

WORDS = ("lv_eval_f1", "bleu", "rouge", "lv_eval_rouge")
TEXTS = [
    ("Niagara Falls lies in Canada", "Niagara Falls lies in Mexico", "Mexico"),
    ("他在北京大学读书", "他在北京大学学习", "北京大学"),
    ("", "nothing was said", ""),
    ("the same", "the same", "same"),
    ("Ответ такой", "Ответ такой", ""),
    ("a b c d e f", "f e d c b a", "g"),
]
KEY = "sk-secret-987654"


def test_a_metric_of_the_page_stands_in_every_table() -> None:
    names = {metric.name for metric in catalog.METRICS}
    assert sorted(names) == ANSWERS, "METRICS of scoring/catalog.py"
    assert {one.metric for one in catalog.SERIES} == names, "SERIES of scoring/catalog.py"
    for table in words.TABLES.values():
        assert [one.key for one in catalog.SERIES if f"f_series_{one.key}" not in table] == []
    assert set(WITH_TOKENS) == rows.TOKENS, 'TOKENS of scoring/rows.py: what takes per_example="brief"'


def table(count: int = 60, several: bool = True) -> list[Item]:
    """Rows in two languages, some with keywords, some with several references."""
    items = []
    for number in range(count):
        prediction, reference, keywords = TEXTS[number % len(TEXTS)]
        prediction = f"{prediction} {number % 7}"
        references: Any = [reference, f"or {reference}"] if several and number % 5 == 0 else reference
        items.append(Item(prediction, references, "?", keywords, group="odd" if number % 2 else "even"))
    return items


def tally_of(items: Sequence[Item], *scorers: Scorer, size: int = 7, order: Sequence[int] | None = None) -> Tally:
    """All rows scored in blocks of a size, taken in an order, each as it comes back from its text."""
    tally, cut = Tally(scorers), cut_of(items, size)
    for number in order or range(len(cut)):
        tally.take(Outcome.from_json(score_block(scorers, cut[number]).to_json()))
    return tally


def cut_of(items: Sequence[Item], size: int) -> list[Block]:
    """Rows in blocks."""
    return list(blocks_of((({}, item) for item in items), size))


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


@pytest.mark.parametrize("several", [True, False])
def test_words_scored_in_blocks_are_what_the_modules_give_at_once(several: bool) -> None:
    items = table(several=several)
    found = tally_of(items, *map(Scorer, WORDS)).summary("rows", roll_of(items))
    means, given_ = means_of(found), columns(items)
    gated = load("lv_eval_f1").compute(**given_, answer_keywords=[one.keywords for one in items])
    bleu, rouge, zh = (load(name).compute(**given_) for name in ("bleu", "rouge", "lv_eval_rouge"))
    expected = {"lv_eval_f1": gated["lv_eval_f1"], "bleu": bleu["sentence_bleu"], "lv_eval_rouge": zh["lv_eval_rouge"]}
    expected |= {key: rouge[key] for key in ("rouge1", "rouge2", "rougeL", "rougeLsum")}
    assert means == pytest.approx(expected, abs=1e-15)
    assert found.corpus_bleu == bleu["bleu"]
    assert list(found.signatures.values()) == [result["signature"] for result in (gated, bleu, rouge, zh)]
    assert [figure.scored for figure in found.figures] == [len(items)] * len(means)


def test_models_scored_in_blocks_are_what_the_modules_give_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = models.minilm()
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", folder)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", folder)
    items = table(20)
    found = tally_of(items, Scorer("cosine_similarity"), Scorer("bertscore")).summary("rows", roll_of(items))
    cosine = load("cosine_similarity").compute(**columns(items), model=folder)
    bert = load("bertscore").compute(**columns(items), model_type=folder, num_layers=6)
    expected = {f"bertscore_{key}": bert[key] for key in ("precision", "recall", "f1")}
    expected["cosine_similarity"] = cosine["average_cosine_similarity"]
    assert means_of(found) == pytest.approx(expected, abs=1e-6)
    assert list(found.signatures.values()) == [cosine["signature"], bert["signature"]]


def asking(server: JudgeServer, **more: Any) -> dict[str, Any]:
    """What a judge is given."""
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
        outcome = score_block([scorer], cut_of(items, 3)[0])
    tally = Tally([scorer])
    tally.take(outcome)
    (figure,) = tally.figures()
    assert (figure.mean, figure.scored, dict(figure.unscored)) == (0.5, 2, {"no_verdict": 1})
    assert tally.scores("eve_judge") == [None, 1.0, 0.0]
    assert (scorer.stopped, outcome.complete) == ("", False)
    assert outcome.scored(0)["eve_judge"].reason == "no_verdict"


def test_a_judge_that_is_stopped_keeps_what_it_has_and_asks_no_more() -> None:
    def answer(request: Request, number: int) -> Reply:
        return judges.compared(request) if number < 3 else error(401, f"Incorrect key {KEY}", code="invalid_api_key")

    items = [Item("x", "x", "?")] * 1 + [Item(str(number), "x", "?") for number in range(30)]
    with JudgeServer(answer) as server:
        scorer = Scorer("eve_judge", asking(server, api_key=KEY, max_concurrency=1), KEY)
        tally = tally_of(items, scorer, Scorer("lv_eval_f1"), size=5)
        asked = len(server.requests)
    by_key = {figure.series.key: figure for figure in tally.figures()}
    assert (by_key["eve_judge"].scored, by_key["lv_eval_f1"].scored) == (3, 31)
    assert by_key["eve_judge"].mean == pytest.approx(1 / 3)
    assert "stopped (bad_key)" in scorer.stopped
    found = tally.summary("x", roll_of(items))
    assert "secret" not in repr((scorer.stopped, found, tally.reasons))
    assert by_key["eve_judge"].unscored["not_scored"] == 26
    assert asked < 10
    assert found.stopped == {"eve_judge": scorer.stopped}


def test_a_metric_that_cannot_be_computed_gives_no_score_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "/nowhere/at/all")
    items = table(10)
    found = tally_of(items, Scorer("cosine_similarity"), Scorer("rouge")).summary("x", roll_of(items))
    figures = {figure.series.key: figure for figure in found.figures}
    cosine = figures["cosine_similarity"]
    assert (cosine.mean, cosine.interval, cosine.unscored) == (None, None, {"not_scored": 10})
    assert figures["rougeL"].scored == 10
    assert "/nowhere" not in found.stopped["cosine_similarity"]


def test_a_module_that_is_nowhere_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(name: str, configuration: str | None = None) -> Any:
        raise modules.Unavailable(name)

    monkeypatch.setattr(modules, "fresh_module", nowhere)
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
    assert "no argument 'mood'" in wrong.refused_setting()
    tally_of(items, wrong)
    assert "no argument 'mood'" in wrong.stopped


def test_rows_without_an_answer_are_not_scored_and_counted() -> None:
    items = [Item("a b", "a b"), Item("", "a", lacks="no_answer"), Item("a", "", lacks="no_reference")]
    items.append(Item("c d", "a b"))
    tally = tally_of(items, Scorer("rouge"), Scorer("bleu"), size=2)
    for figure in tally.figures():
        assert (figure.mean, figure.scored) == (0.5, 2)
        assert dict(figure.unscored) == {"no_answer": 1, "no_reference": 1}
    assert tally.corpus_bleu() == load("bleu").compute(predictions=["a b", "c d"], references=["a b", "a b"])["bleu"]
    assert roll_of(items).lacking == {"no_answer": [2], "no_reference": [3]}
    with pytest.raises(BadTable, match="No row has both"):
        roll_of(items[1:3]).checked(Roles("p", "r"))


def test_groups_have_figures_of_their_own() -> None:
    items = table(60)
    found = tally_of(items, Scorer("rouge")).summary("x", roll_of(items, "parity"))
    assert list(found.groups) == ["even", "odd"]
    for name, figures in found.groups.items():
        own = [item for item in items if item.group == name]
        assert figures[0].mean == pytest.approx(load("rouge").compute(**columns(own))["rouge1"], abs=1e-15)
        assert figures[0].scored == 30
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


# Blocks


def test_blocks_may_come_in_any_order() -> None:
    items = [Item(f"a b c {number}", "a b c d", lacks="no_answer" if number == 3 else "") for number in range(10)]
    whole = tally_of(items, Scorer("bleu"), Scorer("rouge"), size=10)
    for order in ([0, 1, 2, 3], [2, 0, 3, 1]):
        tally = tally_of(items, Scorer("bleu"), Scorer("rouge"), size=3, order=order)
        assert tally.summary("x", roll_of(items)) == whole.summary("x", roll_of(items))
        assert {key: tally.scores(key) for key in tally.columns} == {key: whole.scores(key) for key in whole.columns}
        assert tally.row(3) == dict.fromkeys(tally.columns)


def test_a_stop_is_that_of_the_first_block_that_has_one() -> None:
    tally = Tally([Scorer("rouge")])
    for number, stopped in ((2, "later"), (1, "earlier"), (3, "last"), (0, "")):
        tally.take(Outcome(number, number, 1, {"rouge": Marks([(1.0,) * 4], stopped=stopped)}))
    assert tally.scorers[0].stopped == "earlier"


def test_a_metric_that_is_stopped_scores_no_later_block() -> None:
    scorer = Scorer("rouge", {"use_stammer": True})
    items = [Item("a", "a"), Item("", "a", lacks="no_answer")]
    first = score_block([scorer], cut_of(items, 2)[0])
    assert "use_stammer" in first.marks["rouge"].stopped
    assert (scorer.stopped, first.complete) == ("", False)
    Tally([scorer]).take(first)
    scorer.settings = {}
    later = score_block([scorer], cut_of(items, 2)[0])
    assert later.marks["rouge"].reasons() == {0: "not_scored", 1: "no_answer"}
    assert (later.marks["rouge"].stopped, later.complete) == (scorer.stopped, False)


@given(
    st.lists(st.tuples(st.none() | st.floats(allow_nan=False)), min_size=1, max_size=5),
    st.dictionaries(st.integers(0, 4), st.tuples(st.text(), st.text(), st.text())),
    st.none() | st.floats(0, 10),
)
def test_an_outcome_comes_back_from_its_text_as_it_was(
    values: list[tuple[float | None]], said: dict[int, tuple[str, str, str]], cost: float | None
) -> None:
    marks = Marks([*values], {**said}, Told(["a|b"], {"{} rows": 2}, cost))
    outcome = Outcome(7, 70, len(values), {"eve_judge": marks}, 99)
    assert Outcome.from_json(outcome.to_json()) == outcome


GOOD = Outcome(0, 0, 2, {"rouge": Marks([(1.0,) * 4, (0.5,) * 4])}).to_json()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", "{}", '{"format": 1}', '{"format": 2, "number": 1}', GOOD.replace('"rows": 2', '"rows": 3')],
)
def test_what_is_no_outcome_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Outcome.from_json(text)


def test_a_block_is_written_the_same_again(tmp_path: Path) -> None:
    scorers = [Scorer("rouge")]
    texts = [{"response": f"a {number}", "answer": "a b"} for number in range(3)]
    block = Block(0, 0, texts, [Item(row["response"], row["answer"]) for row in texts])
    layout = Layout({"response": "text", "answer": "text"}, ["rouge"])
    found = []
    for name in ("a", "b"):
        folder = parts.Parts(str(tmp_path / name), "parquet")
        folder.make()
        for _ in range(2):
            blocks.write_part(folder, layout, block, score_block(scorers, block))
        found.append({file: folder.read(file) for file in folder.sizes()})
        assert blocks.Finished(folder).outcome(0) is not None
    assert found[0] == found[1]
    assert sorted(found[0]) == ["000000.json", "part-000000.parquet"]


@pytest.mark.parametrize(
    ("name", "settings", "lengths"),
    [
        ("rouge", {}, [512, 512, 476]),
        ("cosine_similarity", {}, [64] * 23 + [28]),
        ("l3score", {"max_concurrency": 100}, [400, 400, 400, 300]),
        ("l3score", {}, [128] * 11 + [92]),
    ],
)
def test_chunks_are_bounded_by_rows(name: str, settings: dict[str, Any], lengths: list[int]) -> None:
    chunks = blocks.chunks(Scorer(name, settings), [Item("x", "y")] * 1500)
    assert [len(chunk) for chunk in chunks] == lengths


def test_chunks_are_bounded_by_their_texts() -> None:
    items = [Item("x" * 300_000, "y"), Item("x" * 1_000_000, "y"), Item("x", ["y"] * 9), Item("x", "y")]
    assert [len(chunk) for chunk in blocks.chunks(Scorer("rouge"), items)] == [1, 1, 2]


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


# Who is who


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


@pytest.mark.parametrize(("first", "second", "by_id", "told"), MISMATCHES)
def test_rows_that_do_not_match_are_refused(first: Roll, second: Roll, by_id: bool, told: str) -> None:
    with pytest.raises(BadTable, match=told):
        roll.paired_rows(first, second, by_id)


def test_references_that_look_like_lists_are_told() -> None:
    found = roll_of([Item("a", text) for text in ("['a', 'b']", '["a"]', "[1] a source", "plain", "[]")])
    assert found.listlike == 2
    assert "look like lists written as text" in found.told()[0]
    assert roll_of([Item("a", ["['a']"])]).told() == []


# One answer, and the judge


def test_a_key_is_shown_nowhere() -> None:
    assert KEY not in repr(Judge("openai", "m", "", KEY))
    entry = {"message": f"bad {KEY}", KEY: [KEY, 1], "model": None}
    assert judge.without_key(entry, KEY) == {"message": "bad [key]", "[key]": ["[key]", 1], "model": None}
    assert judge.without_key("none of it", "none") == "none of it", "a short key is a word"


@pytest.mark.parametrize(
    ("given_", "missing"),
    [
        (("openai", "m", "k", ""), ""),
        (("", "m", "k", ""), "a provider"),
        (("openai", "", "", ""), "a model and a key"),
        (("", "m", "", "http://localhost:1/v1"), ""),
        (("nobody", "m", "k", ""), "does not ask"),
    ],
)
def test_what_a_judge_lacks_is_said(given_: tuple[str, ...], missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "0")
    provider, model, key, address = given_
    told = judge.what_is_missing(Judge(provider, model, address, key), modules.providers())
    assert (missing in told) if missing else not told


def test_an_address_alone_is_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "0")
    submission = Submission("?", "same", "same")
    with JudgeServer(judges.compared) as server:
        outcome = pasted_answer.score(BY_NAME["eve_judge"], submission, True, Judge("", "m", server.url))
    assert (outcome.state, outcome.score) == ("scored", 1.0)


def test_a_folder_of_a_model_is_called_by_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", str(tmp_path / "mine"))
    assert model_files.shown_name(str(tmp_path / "mine")) == "mine"
    told = failures.shortened(BY_NAME["cosine_similarity"], OSError(f"{tmp_path}/mine is empty\nand more"))
    assert told == "mine is empty"


def test_a_scored_row_without_a_score_is_none_and_never_zero() -> None:
    tally = Tally([Scorer("rouge")])
    marks = Marks()
    marks.add([Scored((None,) * 4, "no_answer"), Scored((0.0,) * 4)])
    tally.take(Outcome(0, 0, 2, {"rouge": marks}))
    assert math.isnan(tally.columns["rouge1"][0])
    assert tally.scores("rouge1") == [None, 0.0]
