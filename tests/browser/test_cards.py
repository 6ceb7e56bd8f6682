"""The parts of the demo that need no browser: cards, table of metrics, examples, scoring, the sentence."""

from __future__ import annotations

import asyncio
import importlib
import re
import socket
import threading
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cards
import disagreement
import examples
import parts
import pytest
import registry
import scoring
import texts
from cards import Outcome
from hypothesis import given
from hypothesis import strategies as st
from registry import METRICS, Submission

from tests.project import ROOT

BY_NAME = {metric.name: metric for metric in METRICS}
VOID = {"wbr", "br", "img", "input"}
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
    }  # fmt: skip
    return shared | own[name] | changes


def scored(name: str, score: float = 0.5, text: str = "rome", **changes: Any) -> Outcome:
    """A score with such reasons."""
    return Outcome("scored", score, reason(name, text, score=score, **changes), f"{name}|{text}")


def visible(html: str) -> str:
    """The text of a card."""
    pieces: list[str] = []
    parser = HTMLParser()
    parser.handle_data = pieces.append  # type: ignore[method-assign, assignment]
    parser.feed(html)
    return "".join(pieces)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "\"'><script>x</script>", "</bdi></article>&lt;"])
def test_a_text_never_becomes_markup(metric: registry.Metric, text: str) -> None:
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
def test_a_card_without_a_score_says_why_and_shows_no_number(state: cards.State) -> None:
    html = cards.draw_card(METRICS[0], Outcome(state, message="<b>why</b>"))
    Outline(html)
    assert f'data-state="{state}"' in html
    value = re.search(r'class="al-score">([^<]*)<', html)
    assert value is not None
    assert value.group(1) == ("…" if state == "pending" else "No score")
    assert ("<b>why</b>" in visible(html)) == (state != "pending")


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_scored_card_has_value_direction_range_reasons_signature_and_links(metric: registry.Metric) -> None:
    html = cards.draw_card(metric, scored(metric.name, 0.123))
    text = visible(html)
    for part in ("0.12", "higher is better, 0 to 1", metric.measures, f"{metric.name}|rome", metric.paper):
        assert part in text
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
    assert '<span class="al-tick" style="left:20.0%">' in cards.draw_card(METRICS[0], scored("lv_eval_f1"))


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


def test_the_overview_shows_the_sentence_only_when_all_is_ready() -> None:
    outcomes = [scored(metric.name) for metric in METRICS]
    waiting = [*outcomes[:-1], Outcome("pending")]
    assert "Because." in cards.draw_overview(METRICS, outcomes, "Because.")
    half = cards.draw_overview(METRICS, waiting, "Because.", "<i>")
    assert "3 of 4 scores ready" in half
    assert "Because." not in half
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
        assert {line for line in needed if line and line[0] != "#"} <= set(mine)
    assert len(BY_NAME) == len(METRICS)


def test_the_readme_has_the_settings_of_a_space() -> None:
    readme = (ROOT / "spaces" / "answer_lens" / "README.md").read_text(encoding="utf-8")
    settings = dict(re.findall(r"^(\w+): (.+)$", readme.split("---")[1], re.MULTILINE))
    assert settings["sdk"] == "gradio"
    assert settings["app_file"] == "app.py"
    assert settings["license"] == "apache-2.0"
    assert len(settings["short_description"]) <= 60
    for metric in METRICS:
        assert f"| {metric.title} |" in readme
        assert f"`{metric.name}`" in readme


def test_every_text_is_used_and_every_text_used_is_there() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "spaces" / "answer_lens").glob("*.py")]
    code = "\n".join(source for source in sources if "ENGLISH = {" not in source)
    built = {"needs_reference", "higher", "lower", "question", "reference", "answer", "keywords"}
    assert not {key for key in texts.ENGLISH if f'"{key}"' not in code and f"'{key}'" not in code} - built
    for key in re.findall(r"""\bsay\(["'](\w+)["']""", code):
        assert key in texts.ENGLISH


@pytest.fixture(scope="module")
def example_outcomes() -> dict[str, dict[str, Outcome]]:
    """The real scores of all examples."""
    return {
        example.label: {metric.name: scoring.score(metric, example.submission) for metric in METRICS}
        for example in examples.EXAMPLES
    }


def test_the_examples_show_what_they_claim(example_outcomes: dict[str, dict[str, Outcome]]) -> None:
    def values(label: str) -> dict[str, float]:
        return {name: outcome.score or 0.0 for name, outcome in example_outcomes[label].items()}

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
        "Right, in other words": "Scores agree that little wording is shared",
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
        ("red fox", "blue dog", "", "Scores agree that little wording is shared (0.00)"),
        ("red fox runs on", "red fox runs on", "...", "Scores agree (1.00): the answer repeats the reference"),
        ("!!!", "!!!", "", "found no word to compare, which is 0 by definition"),
        ("the a an", "the a an", "", "but LV-Eval F1 0.00 found no word to compare"),
        ("It is safe for children.", "It is not safe for children.", "safe", "1 of 4 stand in the reference, and BLEU"),
        ("1,000,000", "1000000", "", "Scores disagree: LV-Eval F1 1.00 is highest, BLEU 0.00 lowest."),
        ("one two three four five", "one two three four six", "", "No keywords were given"),
        ("Paris", "", "", "The answer has no words that a metric could compare"),
    ],
)
def test_the_sentence_is_true_of_real_scores(reference: str, answer: str, keywords: str, sentence: str) -> None:
    submission = Submission("", reference, answer, keywords)
    said = disagreement.explain({metric.name: scoring.score(metric, submission) for metric in METRICS})
    assert sentence in said
    assert len(said) < 500


def test_one_score_or_none_is_not_compared() -> None:
    assert "No score could be computed" in disagreement.explain({})
    assert "Only BLEU 0.30 could be computed" in disagreement.explain({"bleu": scored("bleu", 0.3)})


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
    scoring.loaded_class.cache_clear()
    assert [scoring.score(metric, NIAGARA).state for metric in METRICS] == ["scored"] * len(METRICS)


def test_threads_do_not_disturb_each_other() -> None:
    wrong: list[tuple[str, float | None]] = []

    def work(submission: Submission, expected: dict[str, float | None]) -> None:
        for _ in range(10):
            for metric in METRICS:
                found = scoring.score(metric, submission).score
                if found != expected[metric.name]:
                    wrong.append((metric.name, found))

    jobs = [
        (example.submission, {metric.name: scoring.score(metric, example.submission).score for metric in METRICS})
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
    assert scoring.location("bleu") == str(ROOT / "metrics" / "bleu")
    monkeypatch.setattr(scoring, "METRICS_FOLDER", tmp_path)
    with pytest.raises(scoring.Unavailable):
        scoring.location("bleu")
    monkeypatch.setenv("ANSWER_LENS_ORG", " some-org ")
    assert scoring.location("bleu") == "some-org/bleu"


class Failing:
    """A module whose compute fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def compute(self, **arguments: object) -> dict[str, Any]:
        raise self.error


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
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, state: str, said: str
) -> None:
    monkeypatch.setattr(scoring, "fresh_module", lambda name: Failing(error))
    outcome = scoring.score(METRICS[0], NIAGARA)
    assert (outcome.state, outcome.score) == (state, None)
    assert said in outcome.message
    assert "secret" not in outcome.message + caplog.text
    assert "second line" not in outcome.message


@pytest.mark.parametrize("field", ["question", "reference", "answer", "keywords"])
def test_the_length_of_every_field_is_limited(field: str) -> None:
    limit = scoring.MAX_CHARACTERS
    texts_given = {"reference": "Paris", "answer": "Paris"}
    assert not scoring.problem(Submission(**(texts_given | {field: "x" * limit})))
    too_long = Submission(**(texts_given | {field: "x" * (limit + 1)}))
    assert "50,001" in scoring.problem(too_long)
    assert scoring.score(METRICS[0], too_long).state == "needs"


def test_reasons_in_another_form_make_no_trouble_for_the_page() -> None:
    app = importlib.import_module("app")
    html = app.card(METRICS[0], Outcome("scored", 0.5, {"score": 0.5}, "signature"))
    assert 'data-state="error"' in html
    assert "could not be computed (KeyError)" in html


def test_a_request_that_is_too_large_is_refused_unread() -> None:
    app = importlib.import_module("app")
    passed: list[str] = []
    sent: list[dict[str, Any]] = []

    async def inner(scope: dict[str, Any], receive: Any, send: Any) -> None:
        passed.append(scope["type"])

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    limit = app.OnlyThePage(inner)
    sizes = [b"16000000", b"16000001", b"-1", b"x"]
    for headers in [[], *([(b"content-length", size)] for size in sizes), [(b"transfer-encoding", b"chunked")]]:
        asyncio.run(limit({"type": "http", "headers": headers}, None, send))
    assert len(passed) == 2
    assert [message["status"] for message in sent if "status" in message] == [413] * 4


def test_the_page_scores_one_metric_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    app = importlib.import_module("app")
    monkeypatch.setattr(app, "scoring", SimpleNamespace(**vars(scoring)))
    app.scoring.score = lambda metric, submission: scored(metric.name)
    steps = list(app.score_all(NIAGARA))
    changed = [[isinstance(card, str) for card in step[1:]] for step in steps]
    assert changed == [[True] * 4] + [[position == turn for position in range(4)] for turn in range(4)]
