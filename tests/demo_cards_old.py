"""The parts of the demo that need no browser: cards, table of metrics, examples, scoring, the sentence."""

from __future__ import annotations

import asyncio
import contextvars
import importlib
import re
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from browsing import small_models
from hypothesis import given
from hypothesis import strategies as st
from lens.explanations import agreement_with_people, disagreement
from lens.page import background, cards, examples, word_matches
from lens.page import html as parts
from lens.scoring import catalog, pasted_answer
from lens.scoring.catalog import METRICS, Submission
from lens.scoring.outcome import Outcome, State
from test_page import FOUR

from tests.support.project import ROOT

BY_NAME = {metric.name: metric for metric in METRICS}
VOID = {"wbr", "br", "img", "input"}
OF_WORDS = [metric for metric in METRICS if metric.kind == "words"]
WITH_MODEL = [metric for metric in METRICS if metric.model]
JUDGES = [metric for metric in METRICS if metric.judge]
OWN = OF_WORDS + WITH_MODEL
# Those whose values in the examples and in the sentences, marks in the texts and figures of agreement the tests know. A
# further metric of words needs its reasons in `reason()` below, and nothing else here.
KNOWN = [BY_NAME[name] for name in FOUR] + WITH_MODEL
LENGTHS = {
    "prediction_length": 300, "reference_length": 12, "max_length": 256,
    "prediction_truncated": True, "reference_truncated": False, "prediction_unknown": 0, "reference_unknown": 0,
}  # fmt: skip
TOKENS_PAID = {"input": 1234, "output": 5}
PAID = {
    "tokens": TOKENS_PAID, "usage": TOKENS_PAID, "cost": 0.00012, "sent": 1, "reason": None, "message": None,
}  # fmt: skip
TOKENS = [["paris", "matched"], ["oslo", "reordered"], ["rome", "unmatched"], ["is", "blacklisted"]]


class Outline(HTMLParser):
    """Collects elements and attributes, and checks that every element is closed in its turn."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def reason(name: str, text: str = "rome", **changes: Any) -> dict[str, Any]:
    """Reasons in the form that the module `name` documents, with `text` wherever a text stands."""
    tokens = [[text, "matched"], [text, "reordered"], [text, "unmatched"], [text, "blacklisted"]]
    measure = {"precision": 0.5, "recall": 0.25, "fmeasure": 1 / 3}
    shared = {"score": 0.5, "language": "en", "prediction_tokens": tokens, "reference_tokens": tokens, "note": text}
    own: dict[str, dict[str, Any]] = {
        "lv_eval_f1": {
            "f1": 0.5, "precision": 0.5, "recall": 0.5, "keyword_recall": 0.5, "min_keyword_recall": 0.2,
            "gate": "answer_keywords", "gate_passed": True, "matched_keywords": [text], "missing_keywords": [text],
            "blacklisted_keywords": [text], "overlap": 1, "prediction_length": 2, "reference_length": 2,
        },
        "bleu": {
            "precisions": [0.5, 0.4, 0.3, 0.2],
            "matches": [5, 4, 3, 2],
            "totals": [10, 10, 10, 10],
            "brevity_penalty": 1.0,
            "length_ratio": 1.0,
            "tokenizer": text,
        },
        "rouge": {key: dict(measure) for key in ("rouge1", "rouge2", "rougeL", "rougeLsum")},
        "lv_eval_rouge": {
            "precision": 0.5, "recall": 0.5, "lcs_words": 1, "prediction_words": 2, "reference_words": 2,
        },
        "cosine_similarity": LENGTHS,
        "bertscore": LENGTHS | {
            "precision": 0.5, "recall": 0.5, "f1": 0.5,
            "prediction_tokens": [[text, text, 0.4, 1.0], ["sky", None, 0.6, 1.0]],
            "reference_tokens": [[text, "sky", 0.8, 1.0], ["sky", text, 0.95, 1.0]],
        },
        "l3score": PAID | {
            "branch": "both", "p_yes": 0.6, "p_no": 0.2, "mass": 0.8, "model": text,
            "top_tokens": [[text, 0.6], ["No", 0.2]],
        },
        "eve_judge": PAID | {"reasoning": text, "reply": text, "model": text},
    }  # fmt: skip
    if name not in own:
        raise LookupError(f"reason() in tests/browser/test_cards.py needs what explain() gives for {name}")
    return shared | own[name] | changes


def scored(name: str, score: float = 0.5, text: str = "rome", **changes: Any) -> Outcome:
    """A score with such reasons, and for a judge with its prompt."""
    prompt = f"prompt {text}" if BY_NAME[name].judge else ""
    return Outcome("scored", score, reason(name, text, score=score, **changes), f"{name}|{text}", prompt=prompt)


def visible(html: str) -> str:
    """The text of a card."""
    pieces: list[str] = []
    parser = HTMLParser()
    parser.handle_data = pieces.append  # type: ignore[method-assign, assignment]
    parser.feed(html)
    return "".join(pieces)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "\"'><script>x</script>", "</bdi></article>&lt;"])
def test_a_text_never_becomes_markup(metric: catalog.Metric, text: str) -> None:
    plain = Outline(cards.draw_card(metric, scored(metric.name)))
    attacked = cards.draw_card(metric, scored(metric.name, text=text))
    outline = Outline(attacked)
    assert outline.tags == plain.tags
    assert outline.attributes == plain.attributes
    assert text in visible(attacked)


@given(st.text(st.characters(blacklist_categories=()), max_size=30))
def test_escaped_text_is_one_text_and_can_be_sent(text: str) -> None:
    drawn = parts.escape(text)
    assert not set("<>\"'") & set(drawn)
    drawn.encode("utf-8")
    assert "\x00" not in drawn


@pytest.mark.parametrize("state", ["pending", "needs", "unavailable", "error"])
def test_a_card_without_a_score_says_why_and_shows_no_number(state: State) -> None:
    html = cards.draw_card(BY_NAME["lv_eval_f1"], Outcome(state, message="<b>why</b>"))
    Outline(html)
    assert f'data-state="{state}"' in html
    value = re.search(r'class="al-score">([^<]*)<', html)
    assert value is not None
    assert value.group(1) == ("…" if state == "pending" else "No score")
    assert "<b>why</b>" in visible(html)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_scored_card_has_value_direction_range_reasons_signature_and_links(metric: catalog.Metric) -> None:
    html = cards.draw_card(metric, scored(metric.name, 0.123))
    text = visible(html)
    scale = f"higher is better, {metric.low:g} to 1"
    for part in (metric.shown(0.123), scale, metric.measures, f"{metric.name}|rome", metric.paper):
        assert part in text
    if metric.name in FOUR:
        for kind in ("matched", "reordered", "extra", "missing", "blacklisted"):
            assert f'<bdi class="al-token al-{kind}">rome</bdi>' in html
    assert f'href="{metric.paper_url}"' in html
    assert f"metrics/{metric.name}/README.md" in text
    assert f'href="https://huggingface.co/spaces/org/{metric.name}"' in cards.draw_card(metric, Outcome("error"), "org")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"gate_passed": False, "keyword_recall": 0.1}, "Gate not met: at least 20% is needed, so the score is 0."),
        ({"gate_passed": True}, "Gate met: at least 20% is needed."),
        ({"gate": "none", "keyword_recall": None, "min_keyword_recall": None}, "No keywords, no gate"),
        ({"gate": "off", "keyword_recall": None, "min_keyword_recall": None}, "The gate is off"),
        ({"gate": "reference"}, "recall of the whole reference"),
    ],
)
def test_the_gate_is_said(changes: dict[str, Any], said: str) -> None:
    assert said in visible(cards.draw_card(BY_NAME["lv_eval_f1"], scored("lv_eval_f1", **changes)))


def test_the_threshold_is_marked_in_the_bar() -> None:
    html = cards.draw_card(BY_NAME["lv_eval_f1"], scored("lv_eval_f1"))
    assert '<span class="al-tick" style="left:20.0%">' in html


@pytest.mark.parametrize(
    ("value", "low", "high", "width"), [(0.25, 0, 1, "25.0%"), (0.0, -1, 1, "50.0%"), (1.7, 0, 1, "100.0%")]
)
def test_a_bar_fills_its_share_of_the_range(value: float, low: float, high: float, width: str) -> None:
    assert f"width:{width}" in parts.bar(value, low, high)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.00"),
        (1.0, "1.00"),
        (0.004, "<0.01"),
        (0.9999, ">0.99"),
        (0.999999995, "1.00"),
        (None, "–"),
        (-1, "-1.00"),
    ],
)
def test_a_number_never_looks_like_0_or_1_without_being_it(value: float | None, shown: str) -> None:
    assert parts.number(value) == shown


def test_a_long_text_is_cut_and_says_so() -> None:
    tokens = [["word", "matched"]] * (parts.MAX_TOKENS + 1234)
    html = parts.words("Title", tokens, "extra", "only", "en")
    assert html.count("<bdi") == parts.MAX_TOKENS
    assert "1,234 more not shown" in html
    assert len(parts.words("Title", [["x" * 100_000, "matched"]], "extra", "only", "en")) < 1000


def test_the_legend_counts_each_kind() -> None:
    text = visible(parts.legend(TOKENS, [*TOKENS, ["bern", "unmatched"]]))
    assert re.findall(r"\d", text) == ["1", "1", "1", "2", "2"]


def test_the_overview_says_how_much_is_still_to_come() -> None:
    outcomes = [scored(metric.name) for metric in METRICS]
    waiting = [*outcomes[:-1], Outcome("pending")]
    assert "Because." in cards.draw_overview(METRICS, outcomes, "Because.")
    half = cards.draw_overview(METRICS, waiting, "Because.", "<i>")
    assert "Because. 1 score is still to come." in half
    assert f"{len(METRICS) - 1} of {len(METRICS)} scores ready" in cards.draw_overview(METRICS, waiting, "")
    assert "&lt;i&gt;" in half
    Outline(half)


# The table, the examples and the texts


def test_the_table_names_metrics_that_exist_and_what_they_need() -> None:
    mine = (ROOT / "spaces" / "answer_lens" / "requirements.txt").read_text(encoding="utf-8").split("\n")
    for metric in METRICS:
        folder = ROOT / "metrics" / metric.name
        assert (folder / f"{metric.name}.py").is_file()
        assert metric.paper_url.startswith("https://")
        needed = (folder / "requirements.txt").read_text(encoding="utf-8").split("\n")
        # The demo has one torch, and sends nothing on trial, which is what tiktoken counts for.
        more = {line for line in needed if line.startswith(("torch>", "tiktoken"))}
        assert {line for line in needed if line and line[0] != "#"} <= {*mine, *more}
    assert len(BY_NAME) == len(METRICS)


def test_the_readme_has_the_settings_of_a_space() -> None:
    readme = (ROOT / "spaces" / "answer_lens" / "README.md").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+): (.+)$", readme.split("---")[1], re.MULTILINE))
    assert settings["sdk"] == "gradio"
    assert settings["app_file"] == "app.py"
    assert settings["license"] == "apache-2.0"
    assert len(settings["short_description"]) <= 60
    for metric in METRICS:
        row = re.search(rf"^\| {re.escape(metric.title)} \| .+ \| `{metric.name}` \|$", readme, re.MULTILINE)
        assert row is not None, f"spaces/answer_lens/README.md's table lacks a row for {metric.title} (`{metric.name}`)"


@pytest.fixture(scope="module", autouse=True)
def models() -> Iterator[None]:
    """Both metrics with a model use the small one that the tests bring along."""
    with pytest.MonkeyPatch.context() as patch:
        for variable, folder in small_models().items():
            patch.setenv(variable, folder)
        yield


@pytest.fixture(scope="module")
def example_outcomes() -> dict[str, dict[str, Outcome]]:
    """The real scores of all examples."""
    return {
        example.label: {metric.name: pasted_answer.score(metric, example.submission) for metric in KNOWN}
        for example in examples.EXAMPLES
    }


def test_the_examples_show_what_they_claim(example_outcomes: dict[str, dict[str, Outcome]]) -> None:
    def values(label: str) -> dict[str, float]:
        return {name: example_outcomes[label][name].score or 0.0 for name in FOUR}

    wrong = values("One wrong country")
    assert wrong["lv_eval_f1"] == 0
    assert wrong["bleu"] == pytest.approx(0.8787, abs=1e-4)
    assert wrong["rouge"] == pytest.approx(20 / 21)
    assert max(values("Right, in other words").values()) < 0.2
    long = example_outcomes["Right, but long"]["lv_eval_f1"]
    assert long.per_example is not None
    assert long.per_example["keyword_recall"] == 1
    assert max(values("Right, but long").values()) < 0.25
    scrambled = values("Same words, scrambled")
    assert scrambled["lv_eval_f1"] == 1
    assert scrambled["bleu"] < 0.3
    assert scrambled["rouge"] == pytest.approx(0.5)
    name = example_outcomes["中文: one wrong name"]["lv_eval_f1"]
    assert name.per_example is not None
    assert name.per_example["missing_keywords"] == ["曹雪芹"]
    assert min(values("中文: one wrong name").values()) > 0.85
    reworded = example_outcomes["中文: reworded"]["lv_eval_f1"]
    assert reworded.per_example is not None
    assert reworded.per_example["keyword_recall"] == 1
    assert max(values("中文: reworded").values()) < 0.4


def test_each_example_has_a_sentence_of_its_own(example_outcomes: dict[str, dict[str, Outcome]]) -> None:
    said = {label: disagreement.explain(outcomes) for label, outcomes in example_outcomes.items()}
    expected = {
        "One wrong country": "keyword gate is not met: none of the keywords",
        "Right, in other words": "Scores of words agree that little wording is shared",
        "Right, but long": "7.4 times as long as the reference",
        "Same words, scrambled": "the same words in another order",
        "中文: one wrong name": "A keyword is missing (曹雪芹)",
        "中文: reworded": "only 6 of the answer’s 20 are among them",
    }
    for label, part in expected.items():
        assert part in said[label]


# The sentence


NIAGARA = "The falls lie between the United States and {}"
MANY = [f"k{i}" for i in range(51)]


@pytest.mark.parametrize(
    ("reference", "answer", "keywords", "sentence"),
    [
        (NIAGARA.format("Canada"), NIAGARA.format("Mexico"), "Canada", "reward the shared words, but LV-Eval F1 is 0"),
        (
            "Mercury is closest to the Sun",
            "Venus is the hottest planet",
            "Mercury",
            "LV-Eval F1 is 0, because the keyword",
        ),
        ("The Who in London", "The Who in Leeds", "The Who", "the keywords “who” never count, being on"),
        ("with her dog", "with her cat", "with her dog", "none of the keywords is in the answer (missing: dog); “with"),
        (
            "这是我的和你的",
            "这是我的和你的",
            "",
            "of which 2 of 7 count as found (words on LV-Eval’s blacklist, here 5,",
        ),
        (" ".join(MANY), " ".join(MANY[:10]), " ".join(MANY), "10 of the 51 words of the keywords are in the answer"),
        ("Rome", "Oslo", "paris paris paris", "(missing: paris)"),
        ("Rome", "Oslo", "x" * 3000, f"(missing: {'x' * 40}…)"),
        ("一二三四五六七", "一二三四五六七", "九十 一二三四五六七", "A keyword is missing (九十)"),
        (
            "The Capital Is Paris",
            "THE CAPITAL IS PARIS",
            "Paris",
            "BLEU 0.00 minds upper and lower case and punctuation",
        ),
        ("Paris", "paris", "", "without them the two texts are the same (ROUGE-L 1.00)"),
        ("dog bit the man", "man bit the dog", "", "the same words in another order. ROUGE-1 1.00"),
        ("alpha beta gamma delta", "delta gamma zeta alpha", "", "many words are shared, but in another order"),
        ("Paris is in France", "well " * 20 + "Paris", "Paris", "5.2 times as long as the reference"),
        ("It is well known that Paris is big and old", "Paris", "Paris", "the answer is short (1 against 10 words)"),
        (
            "he wrote it in 1813 alone",
            "1813 saw her publish several novels",
            "1813",
            "only 1 of the answer’s 6 are among",
        ),
        ("red fox", "blue dog", "", "Scores of words agree that little wording is shared (0.00)"),
        ("red fox runs on", "red fox runs on", "...", "Scores of words agree (1.00): the answer repeats the reference"),
        ("!!!", "!!!", "", "found no word to compare, which is 0 by definition"),
        ("the a an", "the a an", "", "but LV-Eval F1 0.00 found no word to compare"),
        ("It is safe for children.", "It is not safe for children.", "safe", "1 of 4 stand in the reference, and BLEU"),
        ("1,000,000", "1000000", "", "of those that compare words LV-Eval F1 1.00 is highest, BLEU 0.00 lowest."),
        ("one two three four five", "one two three four six", "", "No keywords were given"),
        ("Paris", "", "", "The answer has no words that a metric could compare"),
    ],
)
def test_the_sentence_is_true_of_real_scores(reference: str, answer: str, keywords: str, sentence: str) -> None:
    submission = Submission("", reference, answer, keywords)
    found = {metric.name: pasted_answer.score(metric, submission) for metric in OWN}
    assert sentence in disagreement.explain({metric.name: found[metric.name] for metric in KNOWN})
    said = disagreement.explain(found)
    assert len(said) < 600
    words = {metric.name: found[metric.name] for metric in OF_WORDS}
    assert said.startswith(disagreement.explain(words)), "the embeddings changed what is said of the words"


def test_one_score_or_none_is_not_compared() -> None:
    assert "No score could be computed" in disagreement.explain({})
    assert "Only BLEU 0.30 could be computed" in disagreement.explain({"bleu": scored("bleu", 0.3)})


def test_a_metric_of_words_need_not_give_tokens() -> None:
    given = {name: value for name, value in reason("bleu", score=0.0).items() if not name.endswith("_tokens")}
    found = {"bleu": Outcome("scored", 0.0, given, "bleu"), "rouge": scored("rouge", 0.5)}
    assert "BLEU" in disagreement.explain(found)


@given(
    st.dictionaries(
        st.sampled_from(sorted(BY_NAME)),
        st.tuples(st.floats(0, 1), st.booleans(), st.sampled_from(["answer_keywords", "reference", "none"])),
    )
)
def test_there_is_always_one_sentence(found: dict[str, tuple[float, bool, str]]) -> None:
    outcomes = {}
    for name, (score, passed, gate) in found.items():
        changes: dict[str, Any] = {"gate_passed": passed, "gate": gate} if name == "lv_eval_f1" else {}
        outcomes[name] = scored(name, score, **changes)
    sentence = disagreement.explain(outcomes)
    assert sentence.strip()
    assert "{" not in sentence


# Scoring


NIAGARA = examples.EXAMPLES[0].submission


def test_scoring_from_a_clone_asks_no_other_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError(f"network: {arguments[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    pasted_answer.loaded_class.cache_clear()
    pasted_answer.in_memory.clear()
    assert [pasted_answer.score(metric, NIAGARA).state for metric in OWN] == ["scored"] * len(OWN)
    assert [pasted_answer.score(metric, NIAGARA).state for metric in JUDGES] == ["needs"] * len(JUDGES)


def test_threads_do_not_disturb_each_other() -> None:
    wrong: list[tuple[str, float | None]] = []

    def work(submission: Submission, expected: dict[str, float | None]) -> None:
        for _ in range(10):
            for metric in OF_WORDS:
                found = pasted_answer.score(metric, submission).score
                if found != expected[metric.name]:
                    wrong.append((metric.name, found))

    jobs = [
        (
            example.submission,
            {metric.name: pasted_answer.score(metric, example.submission).score for metric in OF_WORDS},
        )
        for example in examples.EXAMPLES
    ]
    threads = [threading.Thread(target=work, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_where_a_module_comes_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ANSWER_LENS_ORG", raising=False)
    assert pasted_answer.location("bleu") == str(ROOT / "metrics" / "bleu")
    monkeypatch.setattr(pasted_answer, "METRICS_FOLDER", tmp_path)
    with pytest.raises(pasted_answer.Unavailable):
        pasted_answer.location("bleu")
    monkeypatch.setenv("ANSWER_LENS_ORG", " some-org ")
    assert pasted_answer.location("bleu") == "some-org/bleu"


class Failing:
    """A module whose compute fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def compute(self, **arguments: object) -> dict[str, Any]:
        raise self.error


@pytest.mark.parametrize("metric", [BY_NAME["lv_eval_f1"], *WITH_MODEL], ids=lambda metric: metric.name)
@pytest.mark.parametrize(
    ("error", "state", "said"),
    [
        (ValueError("row 0: None\nsecond line"), "error", "refused this input: row 0: None"),
        (ImportError("pip install jieba==0.42.1"), "unavailable", "pip install jieba==0.42.1"),
        (RuntimeError("secret"), "error", "could not be computed (RuntimeError)"),
        (KeyError("secret"), "error", "could not be computed (KeyError)"),
    ],
)
def test_what_goes_wrong_is_said_and_is_no_score(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    metric: catalog.Metric,
    error: Exception,
    state: str,
    said: str,
) -> None:
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", "2")
    monkeypatch.setattr(pasted_answer, "fresh_module", lambda name: Failing(error))
    outcome = pasted_answer.score(metric, NIAGARA)
    assert (outcome.state, outcome.score) == (state, None)
    assert said in outcome.message
    assert "secret" not in outcome.message + caplog.text
    assert "second line" not in outcome.message


@pytest.mark.parametrize("field", ["question", "reference", "answer", "keywords"])
def test_the_length_of_every_field_is_limited(field: str) -> None:
    limit = pasted_answer.MAX_CHARACTERS
    texts_given = {"reference": "Paris", "answer": "Paris"}
    assert not pasted_answer.problem(Submission(**(texts_given | {field: "x" * limit})))
    too_long = Submission(**(texts_given | {field: "x" * (limit + 1)}))
    assert "50,001" in pasted_answer.problem(too_long)
    assert pasted_answer.score(BY_NAME["lv_eval_f1"], too_long).state == "needs"


def test_reasons_in_another_form_make_no_trouble_for_the_page() -> None:
    app = importlib.import_module("lens.page.build")
    html = app.card(BY_NAME["lv_eval_f1"], Outcome("scored", 0.5, {"score": 0.5}, "signature"))
    assert 'data-state="error"' in html
    assert "could not be computed (KeyError)" in html


def test_a_request_that_is_too_large_is_refused_unread() -> None:
    app = importlib.import_module("lens.page.build")
    passed: list[str] = []
    sent: list[dict[str, Any]] = []

    async def inner(scope: dict[str, Any], receive: Any, send: Any) -> None:
        passed.append(scope["type"])

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    limit = app.OnlyThePage(inner)
    sizes = [b"16000000", b"16000001", b"-1", b"x"]
    for headers in [[], *([(b"content-length", size)] for size in sizes), [(b"transfer-encoding", b"chunked")]]:
        asyncio.run(limit({"type": "http", "headers": [(b"host", b"localhost"), *headers]}, None, send))
    assert len(passed) == 2
    assert [message["status"] for message in sent if "status" in message] == [413] * 4


def test_a_model_that_cannot_be_had_is_said_with_the_variable(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    error = OSError("no model X. Pass a folder\nsecond line")
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", "2")
    monkeypatch.setattr(pasted_answer, "fresh_module", lambda name: Failing(error))
    for metric in WITH_MODEL:
        assert metric.model is not None
        outcome = pasted_answer.score(metric, NIAGARA)
        assert outcome.state == "unavailable"
        assert outcome.message.startswith("No model X. Pass a folder. ")
        assert metric.model.variable in outcome.message
        assert f"{metric.name}: no score, for its model cannot be had (OSError)" in caplog.text
    assert "File " not in caplog.text  # no traceback: it is no defect


# Models


@pytest.mark.parametrize("named", ["", "  ", "org/other"])
def test_a_blank_variable_names_no_model(monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    for metric in WITH_MODEL:
        assert metric.model is not None
        monkeypatch.setenv(metric.model.variable, named)
        assert metric.model.name() == (named.strip() or metric.model.default)


@pytest.mark.parametrize(
    ("named", "layers", "arguments"),
    [
        ("", "", {"model_type": "microsoft/deberta-xlarge-mnli"}),
        ("roberta-large", "", {"model_type": "roberta-large"}),
        ("./mine", "", {"model_type": "./mine", "num_layers": "last"}),
        ("./mine", " 5 ", {"model_type": "./mine", "num_layers": 5}),
        ("./mine", "-1", {"model_type": "./mine", "num_layers": -1}),
        ("./mine", "five", {"model_type": "./mine", "num_layers": "five"}),
    ],
)
def test_the_layer_of_bertscore(
    monkeypatch: pytest.MonkeyPatch, named: str, layers: str, arguments: dict[str, Any]
) -> None:
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", named)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", layers)
    module: Any = SimpleNamespace(known_layers=lambda model: None if model == "./mine" else 17)
    assert catalog.bertscore_model(NIAGARA, module) == arguments


@pytest.mark.parametrize(
    ("files", "there"),
    [
        ([], False),
        (["config.json"], False),
        (["model.safetensors"], False),
        (["config.json", "model.safetensors"], True),
        (["config.json", "pytorch_model.bin"], True),
        (["config.json", "model.safetensors.index.json"], False),
    ],
)
def test_a_model_is_on_disk_when_all_of_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, files: list[str], there: bool
) -> None:
    import huggingface_hub

    def cached(name: str, file: str) -> str | None:
        return str(tmp_path / file) if name == "sentence-transformers/small" and file in files else None

    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", cached)
    assert pasted_answer.on_disk("sentence-transformers/small") == pasted_answer.on_disk("small") == there
    assert not pasted_answer.on_disk("sentence-transformers/other")
    assert pasted_answer.on_disk(str(tmp_path))


def test_what_a_model_card_says_before_it_is_scored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    metric = BY_NAME["bertscore"]
    monkeypatch.setattr(pasted_answer, "in_memory", set())
    monkeypatch.setattr(pasted_answer, "asked_for", set())
    assert "Loading the model" in pasted_answer.at_once(metric, NIAGARA, asked=False).message
    assert "/" not in pasted_answer.at_once(metric, NIAGARA).message
    assert pasted_answer.score(metric, NIAGARA).state == "scored"
    assert pasted_answer.at_once(metric, NIAGARA).message == "Computing."
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", "org/elsewhere")
    unasked, asked = pasted_answer.at_once(metric, NIAGARA, asked=False), pasted_answer.at_once(metric, NIAGARA)
    assert (unasked.state, asked.state) == ("needs", "pending")
    assert "org/elsewhere is not on this machine" in unasked.message
    assert "GB" not in unasked.message + asked.message
    assert pasted_answer.at_once(metric, NIAGARA, asked=False) == asked, (
        "what someone asked for is not said to be under way"
    )
    pasted_answer.asked_for.clear()
    assert pasted_answer.score(metric, NIAGARA, asked=False) == unasked
    assert pasted_answer.at_once(metric, Submission(answer="x"), asked=False).message.startswith("Needs a reference")


ask_hub = contextvars.ContextVar("ask_hub", default=True)


class Asking:
    """A module whose model is not here: it notes whether it may ask the Hub, which does not answer."""

    def __init__(self) -> None:
        self.asked: list[bool] = []

    def compute(self, **arguments: object) -> dict[str, Any]:
        self.asked.append(ask_hub.get())
        raise OSError("no model")


def test_a_module_asks_the_hub_only_where_someone_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    module = Asking()
    monkeypatch.setattr(pasted_answer, "fresh_module", lambda name: module)
    monkeypatch.setattr(pasted_answer, "on_disk", lambda name: True)
    monkeypatch.setattr(pasted_answer, "asked_for", set())
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "org/half-here")
    metric = BY_NAME["cosine_similarity"]
    unasked = pasted_answer.score(metric, NIAGARA, asked=False)
    assert unasked.state == "needs"
    assert "org/half-here is not on this machine. Press Score" in unasked.message
    assert pasted_answer.score(metric, NIAGARA).state == "unavailable"
    assert not pasted_answer.asked_for, "a fetch that failed counts as under way"
    pasted_answer.at_once(metric, NIAGARA)
    assert pasted_answer.score(metric, NIAGARA, asked=False).state == "unavailable"
    assert module.asked == [False, True, True]
    assert ask_hub.get()
    monkeypatch.setenv("ANSWER_LENS_EMBEDDING_MODEL", "./no-folder")
    assert pasted_answer.score(metric, NIAGARA, asked=False).state == "unavailable"


@pytest.mark.parametrize("error", [OSError, ValueError])
@pytest.mark.parametrize("named", ["{}/mine", "{}/mine/", "./mine", "~/mine", "mine", "../own/mine", "."])
def test_no_message_says_where_a_folder_lies(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: type[Exception], named: str
) -> None:
    home = tmp_path / "own"
    (home / "mine").mkdir(parents=True)
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    named = named.format(home)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_MODEL", named)
    folder = Path(named).expanduser().resolve()
    failing = Failing(error(f"no model in {named!r}, that is in {folder}/config.json"))
    monkeypatch.setattr(pasted_answer, "fresh_module", lambda name: failing)
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", "2")
    metric = BY_NAME["bertscore"]
    for message in (pasted_answer.score(metric, NIAGARA).message, pasted_answer.at_once(metric, NIAGARA).message):
        assert folder.name in message
        assert str(tmp_path) not in message
        assert "~" not in message
        assert f"/{folder.name}" not in message


@pytest.mark.parametrize("layers", ["abc", "99", "-1"])
def test_a_wrong_layer_is_blamed_on_the_variable(monkeypatch: pytest.MonkeyPatch, layers: str) -> None:
    monkeypatch.setenv("ANSWER_LENS_BERTSCORE_LAYERS", layers)
    outcome = pasted_answer.score(BY_NAME["bertscore"], NIAGARA)
    assert outcome.state == "unavailable"
    assert "environment variable ANSWER_LENS_BERTSCORE_LAYERS" in outcome.message
    assert layers in outcome.message


def test_warming_up_loads_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    scored_ones: list[str] = []
    monkeypatch.setattr(pasted_answer, "score", lambda metric, submission: scored_ones.append(metric.name))
    pasted_answer.warm_up()
    assert scored_ones == [metric.name for metric in METRICS if not metric.model]


# The sentence beside embeddings


@pytest.mark.parametrize(
    ("words", "near", "said"),
    [
        (
            {"bleu": 0.8, "rouge": 0.9},
            {"cosine_similarity": 0.97, "bertscore": 0.95},
            "is high too (Cosine similarity 0.97",
        ),
        (
            {"bleu": 0.1, "rouge": 0.2},
            {"cosine_similarity": 0.7},
            "is higher (Cosine similarity 0.70), on a scale of its",
        ),
        ({"bleu": 0.6, "rouge": 0.7}, {"bertscore": 0.6}, "space, on a scale of its own: BERTScore 0.60."),
        ({"bleu": 0.3}, {"bertscore": 0.6}, "Of the scores that compare words only BLEU 0.30 could be computed."),
        ({}, {"bertscore": 0.6}, "No score that compares words could be computed, only nearness"),
    ],
)
def test_embeddings_are_named_beside_the_words(words: dict[str, float], near: dict[str, float], said: str) -> None:
    outcomes = {name: scored(name, score) for name, score in (words | near).items()}
    sentence = disagreement.explain(outcomes)
    assert said in sentence
    for name in near:
        assert not re.search(f"{BY_NAME[name].title} [0-9.]+ (is highest|lowest)", sentence)


def test_words_that_a_model_does_not_know_are_said() -> None:
    words = {"bleu": scored("bleu", 0.8), "rouge": scored("rouge", 0.9)}
    near = {name: scored(name, 0.97, reference_unknown=2) for name in ("cosine_similarity", "bertscore")}
    said = disagreement.explain(words | near)
    assert "(Cosine similarity 0.97 and BERTScore 0.97) says little here: the model does not know" in said


def test_only_the_words_are_compared() -> None:
    words = {"bleu": scored("bleu", 0.5), "rouge": scored("rouge", 0.55)}
    near = {"cosine_similarity": scored("cosine_similarity", -0.2), "bertscore": scored("bertscore", 0.99)}
    assert "within 0.05 (0.50 to 0.55)" in disagreement.explain(words | near)


# One submission after another


def stepped(steps: AsyncIterator[list[Any]]) -> list[list[Any]]:
    """All that an asynchronous generator yields."""

    async def collect() -> list[list[Any]]:
        return [step async for step in steps]

    return asyncio.run(collect())


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The app, with scores that take no time."""
    monkeypatch.setattr(pasted_answer, "score", lambda metric, *others: scored(metric.name))
    return importlib.import_module("lens.page.build")


def positions(metrics: list[catalog.Metric]) -> list[int]:
    """Where on the page the cards of these metrics stand."""
    return [position for position, metric in enumerate(METRICS) if metric in metrics]


def drawn(step: list[Any]) -> list[bool]:
    """Which cards a step changes."""
    return [isinstance(card, str) for card in step[1:]]


def test_the_page_scores_one_metric_after_another(app: Any) -> None:
    first, *steps, last, empty = stepped(app.score_all(NIAGARA))
    again = stepped(app.score_all(NIAGARA))[0]
    assert all(one != other for one, other in zip(first, again, strict=True)), "what is the same stays marked as old"
    assert drawn(first) == drawn(last) == [True] * len(METRICS)
    turns, others = positions(OF_WORDS), positions(WITH_MODEL + JUDGES)
    words = [[position == turn for position in range(len(METRICS))] for turn in turns]
    assert [drawn(step) for step in steps[: len(turns)]] == words
    assert sorted(drawn(step).index(True) for step in steps[len(turns) :]) == others
    assert not any(isinstance(part, str) for part in empty), "Gradio would send it again after a newer turn"


def test_marks_and_sentence_know_the_texts(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first = examples.EXAMPLES[0].submission
    values = {"lv_eval_f1": 0.0, "bleu": 0.9, "rouge": 0.9, "lv_eval_rouge": 0.9}
    outcomes = [scored(metric.name, values.get(metric.name, 0.5)) for metric in METRICS]
    overview, *drawn = app.page_of(first, outcomes)
    marked = [METRICS[position] for position, one in enumerate(drawn) if "over 20 words (this answer)" in one]
    assert [metric for metric in KNOWN + JUDGES if metric in marked] == KNOWN
    assert "\nFor English answers of over 20 words" in overview
    answerless = app.page_of(Submission("", first.reference), outcomes)
    assert "this answer)" not in "".join(answerless)
    assert "For English answers of" not in answerless[0]
    monkeypatch.setattr(agreement_with_people, "agreement", lambda: None)
    without, *plain = app.page_of(first, outcomes)
    assert "For English answers of" not in without
    assert without.partition("</p></section>")[0] == overview.partition("\nFor English answers of")[0]
    assert "al-agrees" not in "".join(plain)


@pytest.mark.parametrize("after", [1, 3, 5])
def test_a_submission_that_was_overtaken_writes_nothing_more(app: Any, after: int) -> None:
    async def run() -> list[list[Any]]:
        steps: list[list[Any]] = []
        async for step in app.score_all(NIAGARA, wanted=lambda: len(steps) < after):
            steps.append(step)
        return steps

    steps = asyncio.run(run())
    assert len(steps) == after + 1
    assert not any(isinstance(part, str) for part in steps[-1])


def test_turns_know_the_newest_of_each_session() -> None:
    turns = background.Turns(most=2)
    assert turns.begin("a", 1)
    assert turns.begin("a", 3)
    assert not turns.begin("a", 2)
    assert [turns.holds("a", turn) for turn in (1, 2, 3)] == [False, False, True]
    turns.begin("b", 1)
    turns.begin("c", 1)
    assert not turns.holds("a", 3), "more sessions are kept than allowed"
    turns.forget("c")
    assert not turns.holds("c", 1)
    turns.forget("never seen")


def test_what_is_no_text_counts_as_empty(app: Any) -> None:
    request = SimpleNamespace(session_hash="forged")
    first = stepped(app.respond(["x"], "Rome", {}, None, "1", "unasked", 5, None, {"x": 1}, [], ["zh"], request))[0]
    assert "Computing" in first[1]


@pytest.mark.parametrize(("sent", "number"), [("12", 12), ("", 0), (None, 0), ("x", 0), ("-1", 0), ("9" * 5000, 0)])
def test_a_turn_that_no_page_sends_is_the_oldest(app: Any, sent: object, number: int) -> None:
    assert app.turn_number(sent) == number


def test_a_worker_passes_over_what_was_cancelled_and_goes_on_after_an_error() -> None:
    worker, gate, done = background.Worker("test"), threading.Event(), list[str]()

    def job(name: str) -> Callable[[], Outcome]:
        def work() -> Outcome:
            gate.wait(5)
            done.append(name)
            if name == "broken":
                raise RuntimeError(name)
            return Outcome("pending")

        return work

    first, broken, cancelled, last = (worker.submit(job(name)) for name in ("first", "broken", "cancelled", "last"))
    cancelled.cancel()
    gate.set()
    assert last.result(5) == first.result(5) == Outcome("pending")
    assert isinstance(broken.exception(5), RuntimeError)
    assert done == ["first", "broken", "last"]


def test_a_slow_model_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def slow(metric: catalog.Metric, *others: object) -> Outcome:
        if metric.name == "cosine_similarity":
            gate.wait(10)
        return scored(metric.name)

    async def run() -> list[str]:
        order: list[str] = []
        pending = list(range(len(METRICS)))
        async for position, _ in background.results(NIAGARA, True, pending, lambda: True):
            order.append(METRICS[position].name)
            if len(order) == len(METRICS) - 1:
                gate.set()
        return order

    monkeypatch.setattr(pasted_answer, "score", slow)
    assert asyncio.run(run())[-1] == "cosine_similarity"


def test_nobody_waits_for_a_model_longer_than_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, until, ended = threading.Event(), time.monotonic() + 0.3, []

    def slow(metric: catalog.Metric, *others: object) -> Outcome:
        gate.wait(10)
        ended.append(metric.name)
        return scored(metric.name)

    async def run() -> int:
        wanted = background.results(NIAGARA, True, positions(WITH_MODEL), lambda: time.monotonic() < until)
        return len([one async for one in wanted])

    monkeypatch.setattr(pasted_answer, "score", slow)
    assert asyncio.run(run()) == 0
    assert ended == []
    gate.set()


# BERTScore word by word


def texts_of(words: list[word_matches.Word]) -> list[str]:
    """The words as text."""
    return [word.text for word in words]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["Nia", "##gara", "Falls"], ["Niagara", "Falls"]),
        (["border", "##,", "##specially"], ["border", ",", "specially"]),
        (["长", "##城", "##用", "##来"], ["长", "城", "用", "来"]),
        (["中", "##", "##", "##国", "##"], ["中", "国"]),
        (["##", "Title"], ["##", "Title"]),
        (["a", "##", "b"], ["a", "##", "b"]),
        (["ق", "##ب", "##ل"], ["قبل"]),
        (["👩", "##", "##"], ["👩"]),
        (["", "x"], ["", "x"]),
        ([], []),
    ],
)
def test_pieces_become_words(pieces: list[str], words: list[str]) -> None:
    assert texts_of(word_matches.words_of([[piece, None, 0.5, 1.0] for piece in pieces])) == words


def test_a_word_has_the_weighted_mean_of_its_pieces() -> None:
    heavy = word_matches.words_of([["Nia", "x", 0.9, 3.0], ["##gara", "x", 0.1, 1.0]])[0]
    assert heavy.similarity == pytest.approx(0.7)
    assert heavy.weight == 4
    weightless = word_matches.words_of([["Nia", "x", 0.9, 0.0], ["##gara", "x", 0.1, 0.0]])[0]
    assert weightless.similarity == pytest.approx(0.5)


def test_a_word_matches_whole_words() -> None:
    answer = [["Via", "Nia", 0.5, 1.0], ["##gra", "##gara", 0.5, 1.0], ["x", None, 0.1, 1.0], ["y", "##s", 0.1, 1.0]]
    reference = [["Nia", "Via", 0.5, 1.0], ["##gara", "##gra", 0.5, 1.0], *([w, "x", 0.2, 1.0] for w in ("a", "##s"))]
    reference += [["b", "x", 0.2, 1.0], ["##s", "x", 0.2, 1.0]]
    words, others = word_matches.words_of(answer), word_matches.words_of(reference)
    word_matches.find_matches(words, others)
    assert [word.match for word in words] == ["Niagara", "(no word)", "…s"]


def test_the_weakest_words_are_listed_once() -> None:
    answer = word_matches.words_of([["Mexico", "Canada", 0.62, 1.0], ["is", "is", 0.98, 1.0], ["so", "it", 0.3, 1.0]])
    reference = word_matches.words_of([["Canada", "Mexico", 0.62, 1.0], ["is", "is", 0.98, 1.0]])
    word_matches.find_matches(answer, reference)
    word_matches.find_matches(reference, answer)
    assert [(word.text, side) for word, side in word_matches.weakest(answer, reference)] == [
        ("so", "answer_side"),
        ("Mexico", "answer_side"),
    ]
    text = visible(word_matches.draw_weakest(answer, reference))
    assert "Mexico → Canada (answer)0.62" in text


@pytest.mark.parametrize(
    ("similarity", "kind"), [(1, "near"), (0.9, "near"), (0.89, "close"), (0.5, "far"), (-1, "weak")]
)
def test_the_mark_of_a_similarity(similarity: float, kind: str) -> None:
    assert word_matches.kind_of(similarity) == kind


def test_long_texts_are_cut_in_the_words_and_in_the_table() -> None:
    tokens = [[f"w{i}", f"w{i}", 0.5, 1.0] for i in range(parts.MAX_TOKENS + 200)]
    html = word_matches.draw_bertscore(reason("bertscore", prediction_tokens=tokens, reference_tokens=tokens))
    assert html.count('<th scope="row">') == 2 * parts.MAX_TOKENS
    assert html.count("200 more not shown") == 4
    Outline(html)


def test_a_text_without_words_leaves_nothing_to_mark() -> None:
    drawn = word_matches.draw_bertscore(reason("bertscore", prediction_tokens=[]))
    assert "F1" in visible(drawn)
    assert "300 tokens in the answer" in visible(drawn)
    assert "al-token" not in drawn
    assert "<table" not in drawn
    Outline(drawn)


def test_weights_are_shown_only_where_there_are_some() -> None:
    plain = visible(word_matches.draw_bertscore(reason("bertscore")))
    weighted = word_matches.draw_bertscore(reason("bertscore", prediction_tokens=[["a", "b", 0.5, 2.5]]))
    assert "Weight" not in plain
    assert "Weight" in visible(weighted)
    Outline(weighted)


@pytest.mark.parametrize(("text", "chinese"), [("长城", True), ("日本の長城は", False), ("Paris 城 here", False)])
def test_only_chinese_is_marked_as_chinese(text: str, chinese: bool) -> None:
    words = word_matches.words_of([[piece, None, 0.5, 1.0] for piece in text.split()])
    assert ('lang="zh"' in word_matches.draw_text("Title", words)) == chinese
