"""Test the results of correctness_estimate: score, reasons, statements, interpretation, notes."""

import itertools
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.training import grades
from metrics.training.questions import Question
from metrics.training.sampler import Sampler, collect_source_texts
from metrics.training.wording_lists import LEARNED, UNSEEN
from tests.metrics.estimate_pairs import DIFFERENCES, HARMLESS
from tests.support.project import ROOT, import_file, load

estimate = import_file("correctness_estimate")
model = import_file("correctness_estimate", "model")
# Kinds of reasons that accuse an answer of saying something else.
ACCUSING = {*import_file("correctness_estimate", "reasons").SENTENCES} - {
    "found",
    "same",
    "missing",
    "hedged",
}


def reasons(answer: str, reference: str, question: str = "") -> dict[str, dict[str, Any]]:
    return {
        reason["kind"]: reason
        for reason in reversed(estimate.explain(answer, reference, question)["reasons"])
    }


@pytest.mark.parametrize(
    ("answer", "reference", "question", "low", "high"),
    [
        ("I don't know.", "1813", "When was it published?", 0.0, 0.2),
        ("When was it published?", "1813", "When was it published?", 0.0, 0.2),
        ("Jane Austen", "Jane Austen", "who wrote emma", 0.9, 1.0),
        ("It was not Jane Austen.", "Jane Austen", "who wrote emma", 0.0, 0.4),
        ("Anyone but Jane Austen.", "Jane Austen", "who wrote emma", 0.0, 0.4),
        ("Either Charlotte Brontë or Jane Austen.", "Jane Austen", "who wrote emma", 0.0, 0.4),
        ("It is either Paris or Lyon.", "Paris", "what is the capital of france", 0.0, 0.4),
        ("It was Charlotte Brontë, not Jane Austen.", "Jane Austen", "who wrote emma", 0.0, 0.4),
        ("It was not Charlotte Brontë but Jane Austen.", "Jane Austen", "who wrote emma", 0.5, 1.0),
        ("It was Jane Austen, not Charlotte Brontë.", "Jane Austen", "who wrote emma", 0.5, 1.0),
        ("10^4", "10^3", "what is it", 0.0, 0.5),
        ("nineteen ninety-two", "1992", "when was it built", 0.7, 1.0),
        ("It is a myth that Jane Austen wrote Emma.", "Jane Austen", "who wrote emma", 0.0, 0.2),
        (
            "It is false that the capital of Australia is Canberra.",
            "Canberra",
            "What is the capital of Australia?",
            0.0,
            0.4,
        ),
        ("并不是李白。", "李白", "《静夜思》是谁写的？", 0.0, 0.4),
        ("很多人以为是李白，其实是杜甫。", "李白", "《静夜思》是谁写的？", 0.0, 0.4),
        ("《静夜思》的作者是李白，而不是杜甫。", "李白", "《静夜思》是谁写的？", 0.5, 1.0),
    ],
)
def test_estimates(
    answer: str,
    reference: str,
    question: str,
    low: float,
    high: float,
) -> None:
    assert low <= estimate.score(answer, reference, question) <= high


def test_the_wrong_country_is_low_and_named() -> None:
    rows = json.loads((ROOT / "spaces/answer_lens/data/examples/answers.json").read_text("utf-8"))
    row = next(entry_of_list for entry_of_list in rows if entry_of_list["name"] == "wrong_country")
    entry = estimate.explain(row["answer"], row["reference"], row["question"])
    assert (entry["score"] < 0.35, entry["interpretation"], entry["right"]) == (
        True,
        "ranking",
        None,
    )
    named = next(
        entry_of_list for entry_of_list in entry["reasons"] if entry_of_list["kind"] == "name"
    )
    assert (named["found"], named["expected"], named["weight"] < 0) == ("Mexico", "Canada", True)
    assert named["sentence"] == "The name differs: 'Mexico' instead of 'Canada'."


def test_differences_are_named_and_rewordings_are_not_accused() -> None:
    missed = [row for row in DIFFERENCES if row[3] not in reasons(row[1], row[0], row[2])]
    accused = [row for row in HARMLESS if ACCUSING & reasons(row[1], row[0], row[2]).keys()]
    assert (missed, accused) == ([], [])


@pytest.mark.parametrize(
    ("answer", "reference", "question", "low", "high"),
    [
        (
            "The Olympic anthem is not sung in Greek.",
            "Greek",
            "in which language is the olympic anthem sung",
            0.0,
            0.4,
        ),
        (
            "The Olympic anthem is sung in Greek.",
            "Greek",
            "in which language is the olympic anthem sung",
            0.6,
            1.0,
        ),
        (
            "Jane Austen did not write Pride and Prejudice.",
            "Jane Austen",
            "who wrote pride and prejudice",
            0.0,
            0.4,
        ),
        (
            "Jane Austen never wrote Pride and Prejudice.",
            "Jane Austen",
            "who wrote pride and prejudice",
            0.0,
            0.4,
        ),
        (
            "The river no longer flows through Vienna.",
            "Vienna",
            "which city does the river flow through",
            0.0,
            0.4,
        ),
        ("红楼梦不是曹雪芹写的", "曹雪芹", "谁写了《红楼梦》？", 0.0, 0.4),
        ("曹雪芹没有写《红楼梦》。", "曹雪芹", "谁写了《红楼梦》？", 0.0, 0.4),
        (
            'The song "It Ain\'t Me" is sung by Selena Gomez.',
            "Selena Gomez",
            "who sings the song it ain't me",
            0.8,
            1.0,
        ),
        ("Yes, it is.", "Yes", "Is the earth round?", 0.6, 1.0),
        ("No.", "Yes", "Is the earth round?", 0.0, 0.3),
        (
            "It came to $1,757 million.",
            "$1577.00",
            "What was the revenue in 2018, in millions?",
            0.0,
            0.4,
        ),
        ("$1,577 million", "$1577.00", "What was the revenue in 2018?", 0.4, 1.0),
        (
            "As of my last update, I do not have access to that figure.",
            "$1577.00",
            "What was the revenue?",
            0.0,
            0.2,
        ),
    ],
)
def test_denials_yes_or_no_figures_and_refusals(
    answer: str,
    reference: str,
    question: str,
    low: float,
    high: float,
) -> None:
    assert low <= estimate.score(answer, reference, question) <= high


CLOUDS = (
    "Clouds do not stop the signal of the radar. It sees the floods by day and by night "
    "in every season."
)
RADAR = (
    "Sentinel-1 carries an active C band radar with a wavelength of 5.6 cm. It revisits every "
    "place after 12 days. "
    "Water looks "
    "dark in its images, because the smooth surface reflects the signal away. Cities appear "
    "bright. The L band, at "
    "23 cm, "
    "penetrates deeper into forests."
)
REWORDED = (
    "The radar aboard Sentinel-1 works in C band (5.6 cm) and is an active sensor. Each place is "
    "seen again after "
    "twelve days. "
    "In the images water is dark since its smooth surface sends the signal away; cities are "
    "bright. An L band radar, "
    "with a "
    "wavelength of 23 cm, gets deeper into forests. It was launched from Kourou on a Soyuz rocket."
)
WAR = (
    "Serbia attacked Austria in 1914. Then Belgium was invaded by Germany, and Britain "
    "declared war."
)


@pytest.mark.parametrize(
    ("answer", "reference", "differing"),
    [
        (RADAR, RADAR, []),
        (REWORDED, RADAR, []),
        (RADAR.replace("active", "passive"), RADAR, ["opposite"]),
        (RADAR.replace("12 days", "16 days"), RADAR, ["number"]),
        (RADAR.replace("12 days", "twelve days"), RADAR, []),
        (RADAR.replace("looks dark", "does not look dark"), RADAR, ["denied"]),
        (RADAR.replace("looks dark", "does not look bright"), RADAR, []),
        (WAR.replace("Serbia attacked Austria", "Austria attacked Serbia"), WAR, ["swapped"]),
        (WAR.replace("Serbia attacked Austria", "Austria was attacked by Serbia"), WAR, []),
        (WAR.replace("Britain", "Portugal"), WAR, ["name"]),
        (CLOUDS, CLOUDS, []),
        (CLOUDS.replace("do not stop", "stop"), CLOUDS, ["denied"]),
        (
            "价格上升了百分之五，销量也明显增加。",
            "价格下降了百分之五，销量也明显增加。",
            ["opposite"],
        ),
        (
            "雷达是被动传感器，它记录回波。云层会阻挡信号。",
            "雷达是主动传感器，它记录回波。云层不会阻挡信号。",
            ["opposite", "denied"],
        ),
    ],
)
def test_a_long_reference_is_compared_statement_by_statement(
    answer: str, reference: str, differing: list[str]
) -> None:
    statements = estimate.explain(answer, reference, "")["statements"]
    assert [
        statement["differs"] for statement in statements if statement["kind"] == "differs"
    ] == differing
    assert all(
        statement["kind"] in ("said", "differs", "missing", "besides") for statement in statements
    )


@pytest.mark.parametrize("question", ["", "What is the capital of Australia?"])
def test_a_sentence_with_another_name_is_below_a_tenth(question: str) -> None:
    assert (
        estimate.score(
            "<think>Canberra? Or Sydney...</think> The capital of Australia is Sydney.",
            "Canberra",
            question,
        )
        < 0.1
    )


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("10000", "1000"),
        ("100", "1000"),
        ("10,000", "1,000"),
        ("1.5 billion", "1.5 million"),
        ("15 million", "1.5 million"),
    ],
)
def test_another_magnitude_is_another_number(answer: str, reference: str) -> None:
    assert estimate.score(answer, reference) < 0.2


def test_statements_mark_missing_and_additional_facts() -> None:
    kinds = [statement["kind"] for statement in estimate.explain(REWORDED, RADAR)["statements"]]
    assert kinds.count("besides") == 1
    kinds = [
        statement["kind"]
        for statement in estimate.explain("It revisits every place after 12 days.", RADAR)[
            "statements"
        ]
    ]
    assert (kinds.count("said"), kinds.count("missing")) == (1, len(kinds) - 1)
    assert estimate.explain("Paris", "Paris")["statements"] == []


def test_every_main_fact_inverted_is_far_below_a_rewording() -> None:
    inverted = RADAR.replace("active C", "passive L").replace("12", "16").replace("bright", "faint")
    inverted = inverted.replace("dark", "bright").replace("The L", "The C")
    asked = "How does the radar of Sentinel-1 work?"
    assert (
        estimate.score(inverted, RADAR, asked) < 0.5 < 0.9 < estimate.score(REWORDED, RADAR, asked)
    )


@pytest.mark.parametrize(
    ("answer", "reference", "interpretation"),
    [
        ("It was published in 1813.", "1813", "probability"),
        (
            "Water looks dark in radar images of the sea.",
            "Smooth water reflects radar away and so looks dark",
            "ranking",
        ),
        (REWORDED, RADAR, "likeness"),
        ("曹雪芹", "曹雪芹", "likeness"),
        ("Москва", "Москва", "likeness"),
        ("Paris", "!?", "likeness"),
    ],
)
def test_the_interpretation_says_if_the_score_is_a_probability(
    answer: str, reference: str, interpretation: str
) -> None:
    entry = estimate.explain(answer, reference, "What is it?")
    assert entry["interpretation"] == interpretation
    assert entry["right"] is (
        entry["score"] >= model.THRESHOLD if interpretation == "probability" else None
    )


def test_only_probabilities_are_counted_as_right() -> None:
    metric = load("correctness_estimate")
    rows = {
        "predictions": ["1813", "in 1813", "1850", RADAR],
        "references": ["1813", "1813", "1813", RADAR],
    }
    result = metric.compute(**rows, questions=["When was it published?"] * 4)
    assert (result["share_right"], result["n_probability"]) == (pytest.approx(2 / 3), 3)
    alone = metric.compute(predictions=[RADAR], references=[RADAR])
    assert (alone["share_right"], alone["n_probability"]) == (None, 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"question": "a", "references": ["b"], "answer": "c"}',
            "line 1: right is None; true or false is expected",
        ),
        (
            '{"question": "a", "references": "b", "answer": "c", "right": true}',
            "line 1: references are 'b'",
        ),
        ("[1]", "line 1: [1] is no object with a question"),
    ],
)
def test_a_malformed_grading_set_is_refused_with_its_line(
    tmp_path: Path, line: str, message: str
) -> None:
    (tmp_path / "own.jsonl").write_text(line, "utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        grades.read_grades(tmp_path)


QUESTIONS = [
    Question(
        "who wrote the novel emma",
        ("Jane Austen",),
        ("Emma was written by Jane Austen in 1815.",),
        (),
    ),
    Question(
        "who discovered radium",
        ("Marie Curie",),
        ("Marie Curie discovered radium with Pierre.",),
        (),
    ),
    Question(
        "what is the capital of australia",
        ("Canberra",),
        ("The capital of Australia is Canberra.",),
        (),
    ),
    Question(
        "where is the louvre located",
        ("Paris",),
        ("The Louvre is located in Paris, near the Seine.",),
        (),
    ),
    Question(
        "when did the berlin wall fall",
        ("1989", "9 November 1989"),
        ("It fell in November 1989.",),
        (),
    ),
    Question(
        "when did titanic sink",
        ("April 15, 1912",),
        ("It sank on April 15, 1912 after an iceberg.",),
        (),
    ),
    Question(
        "how many bones in the human body", ("206",), ("An adult has 206 bones in the body.",), ()
    ),
    Question(
        "how many players in a football team", ("11", "eleven"), ("Each team has 11 players.",), ()
    ),
]


@pytest.mark.parametrize(
    ("kind", "share"),
    [
        ("denials", 0.7),
        ("contrasts", 0.85),
        ("later_contrasts", 0.65),
        ("all_but", 0.75),
        ("right", 0.7),
    ],
)
def test_wordings_that_were_not_learned_from(kind: str, share: float) -> None:
    sampler = Sampler(UNSEEN, collect_source_texts(QUESTIONS), random.Random(0))
    hits = []
    for question in QUESTIONS:
        x = question.references[0]
        for text in UNSEEN[kind]:
            answer = text.format(x=x, y=sampler.choose_distractor(question, x))
            hits.append(
                (estimate.score(answer, question.references, question.text) >= model.THRESHOLD)
                is (kind == "right")
            )
    assert np.mean(hits) >= share


def test_no_unseen_wording_is_among_those_learned_from() -> None:
    learned = set(itertools.chain.from_iterable(LEARNED.values()))
    assert not learned.intersection(itertools.chain.from_iterable(UNSEEN.values()))
    assert len(LEARNED["denials"]) >= 100


@pytest.mark.parametrize(
    ("answer", "reference", "same"),
    [
        (r"\boxed{0.75}", r"\frac{3}{4}", True),
        (r"The answer is $\boxed{\dfrac{3}{4}}$.", "0.75", True),
        (r"\tfrac34", "3/4", True),
        (r"\frac{4}{3}", r"\frac{3}{4}", False),
        (r"-\frac{1}{2}", "-0.5", True),
        (r"\frac{1}{2}", "-0.5", False),
        ("√2", r"\sqrt{2}", True),
        ("1.414", r"$\sqrt{2}$", True),
        ("1.732", r"\sqrt{2}", False),
        ("2", r"\sqrt{2}", False),
        (r"\frac{\sqrt{2}}{2}", "0.7071", True),
        ("1000", "10^{3}", True),
        ("10³", "1,000", True),
        (r"2 \times 10^{5}", "200,000", True),
        (r"1\,000 or 1{,}000", "1000", True),
        (r"50\,\%", "50%", True),
        (r"\$5", "$5", True),
        (r"\( 5\,\text{km} \)", "5 km", True),
        (r"\boxed{10 \text{ apples}}", "10", True),
        (r"\boxed{9}", "10", False),
        (r"... and 10 would be one more, so the answer is \boxed{9}", "10", False),
        (r"Not London: \boxed{\text{Paris}}", "Paris", True),
        ("9½", "91/2", False),
    ],
)
def test_a_value_in_tex_is_that_value(answer: str, reference: str, same: bool) -> None:
    score = estimate.score(answer, reference, "What is it?")
    assert score > 0.8 if same else score < 0.2


@pytest.mark.parametrize(
    "text",
    [
        "$5, not $10",
        r"C:\Users\x",
        "in 2011⁶",
        "5 km²",
        "{a}",
        "a_b",
        r"\boxed{9",
        "10^100",
        "2^3^2",
    ],
)
def test_unusual_tex_stays_unchanged(text: str) -> None:
    assert import_file("correctness_estimate", "tex").read_tex(text) == text


def test_of_several_references_the_nearest_counts() -> None:
    asked = ("It fell in 1989.", ["9 November", "1989", "the eighties"], "when did the wall fall")
    entry = estimate.explain(*asked)
    assert (entry["reference"], entry["score"]) == (1, estimate.score(*asked))


@pytest.mark.parametrize(
    ("answer", "reference", "question", "said"),
    [
        ("Paris", "Paris", "What is the capital of France?", None),
        ("Paris", "!?", "", "the reference has no word to look for"),
        ("北京", "北京", "中国的首都是哪里？", "in Chinese the estimate is weak"),
        ("Москва", "Москва", "Какой город?", "in another language the estimate is weak"),
        ("word " * 50, "Paris", "Where?", "the answer has 50 words"),
        ("Paris", "Paris", "", "no question was given"),
    ],
)
def test_the_note_says_how_little_is_known(
    answer: str,
    reference: str,
    question: str,
    said: str | None,
) -> None:
    note = estimate.explain(answer, reference, question)["note"]
    assert note is None if said is None else said in note


def test_it_needs_nothing_but_the_standard_library() -> None:
    program = (
        "import sys; import metrics.correctness_estimate.scoring as s; s.score('a', 'b'); "
        "known = (*sys.stdlib_module_names, 'metrics', '__main__'); "
        "print([m for m in sys.modules if m.partition('.')[0] not in known])"
    )
    process = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True
    )
    assert process.stdout.strip() == "[]", process.stderr
