"""What correctness_estimate reads in a text and compares: quantities, contradictions, decisions,
features, trees.
"""

from typing import Any

import numpy as np
import pytest

from tests.support.project import METRICS, import_file

equality = import_file("correctness_estimate", "equality")
text = import_file("correctness_estimate", "text")
measure = import_file("correctness_estimate", "measure")
log_odds = import_file("correctness_estimate", "log_odds")
model = import_file("correctness_estimate", "model")
decide = import_file("correctness_estimate", "decisions").decide
find_contradictions = import_file("correctness_estimate", "contradictions").find_contradictions

# A text, and its numbers and dates: kind, value, and of a number its dimension.
QUANTITIES = [
    ("January 28th, 1813", [("date", (1813, 1, 28), "")]),
    ("1813-01-28", [("date", (1813, 1, 28), "")]),
    ("28/1/1813", [("date", (1813, 1, 28), "")]),
    ("3/4/2015", [("date", (2015, None, None), "")]),
    ("一八一三年一月二十八日", [("date", (1813, 1, 28), "")]),
    ("in May 1813", [("date", (1813, 5, None), "")]),
    ("44 BC", [("date", (-44, None, None), "")]),
    ("it may be", []),
    ("1939–45", [("date", (1939, None, None), ""), ("date", (1945, None, None), "")]),
    ("1,000 and 1.5 million", [("number", (1000,), ""), ("number", (1500000,), "")]),
    (
        "1e6, 3,14 and -5",
        [("number", (1000000,), ""), ("number", (3.14,), ""), ("number", (-5,), "")],
    ),
    ("1 234 567", [("number", (1234567,), "")]),
    ("1.234.567", [("number", (1234567,), "")]),
    ("12k", [("number", (12000,), "")]),
    ("1亿5000万", [("number", (150000000,), "")]),
    ("one hundred and twenty-one", [("number", (121,), "")]),
    ("nineteen eighty-four", [("number", (1984,), "")]),
    ("one of them, at first", []),
    ("two thirds", [("number", (2 / 3,), "")]),
    ("三分之一", [("number", (1 / 3,), "")]),
    ("2 1/2", [("number", (2.5,), "")]),
    ("9½", [("number", (9.5,), "")]),
    (r"$2\frac{1}{2}$", [("number", (2.5,), "")]),
    ("a quarter", [("number", (0.25,), "")]),
    ("IV", [("number", (4,), "")]),
    ("Henry VIII", [("number", (8,), "")]),
    ("3:30 pm, 15:30", [("number", (930,), "clock"), ("number", (930,), "clock")]),
    ("$3.5bn", [("number", (3.5e9,), "dollar")]),
    ("€50 or USD 50", [("number", (50,), "euro"), ("number", (50,), "dollar")]),
    ("212 °F", [("number", (100,), "temperature")]),
    ("40.7 S", [("number", (-40.7,), "latitude")]),
    ("the 19th century", [("number", (19,), "age")]),
    ("the 1990s", [("number", (1990,), "decade")]),
    ("一起", []),
]


@pytest.mark.parametrize(("given", "expected"), QUANTITIES)
def test_the_numbers_and_dates_of_a_text(
    given: str, expected: list[tuple[str, tuple[float | None, ...], str]]
) -> None:
    found = text.Text(given).quantities
    assert [(one.kind, one.dimension) for one in found] == [
        (kind, dimension) for kind, _, dimension in expected
    ]
    assert [one.value for one in found] == [pytest.approx(value) for _, value, _ in expected]


# Two quantities, and whether they can be the same.
AGREEING = [
    ("1813", "28 January 1813", True),
    ("50%", "half", True),
    ("1990s", "1990", False),
    ("5 km", "5000 m", True),
    ("5 km", "5 miles", False),
    ("5 mg", "5 mcg", False),
    ("100 °C", "212 °F", True),
    ("8 am", "8 pm", False),
    ("8:00", "8 pm", True),
    ("$50", "€50", False),
    ("-5", "5", False),
    ("44 BC", "44 AD", False),
    ("40.7 N", "40.7 S", False),
]


@pytest.mark.parametrize(("one", "other", "expected"), AGREEING)
def test_quantities_that_agree(one: str, other: str, expected: bool) -> None:
    (first,), (second,) = text.Text(one).quantities, text.Text(other).quantities
    assert equality.agree(first, second) is equality.agree(second, first) is expected


RIVERS = "In 1900 the Elbe rose by 4 metres. The Oder, further east, rose by 2 metres in 1903."

# An answer beside RIVERS, and its contradictions: kind, the word of the answer and the word of the
# reference.
CONTRADICTIONS: list[tuple[str, list[tuple[str, str, str]]]] = [
    (RIVERS, []),
    (RIVERS.replace("4 metres", "7 metres"), [("number", "7", "4")]),
    (RIVERS.replace("4 metres", "four metres"), []),
    (RIVERS.replace("rose by 4", "fell by 4"), [("opposite", "fell", "rose")]),
    (RIVERS.replace("rose by 4", "did not rise by 4"), [("denied", "not", "rose")]),
    (RIVERS.replace("rose by 4", "never fell by 4"), []),
    (
        RIVERS.replace("4", "x").replace("2 metres", "4 metres").replace("x", "2"),
        [("swapped", "2", "4"), ("swapped", "4", "2")],
    ),
    (
        RIVERS.replace("Elbe", "x").replace("Oder", "Elbe").replace("x", "Oder"),
        [("swapped", "Oder", "Elbe"), ("swapped", "Elbe", "Oder")],
    ),
    ("In 1900 the Oder rose by 4 metres.", []),
    (". ".join(reversed(RIVERS.rstrip(".").split(". "))) + ".", []),
    ("I like rivers. There were 7 of us, and I never fell.", []),
]


@pytest.mark.parametrize(("answer", "expected"), CONTRADICTIONS)
def test_a_contradiction_is_another_thing_in_the_same_place(
    answer: str, expected: list[tuple[str, str, str]]
) -> None:
    one, other = text.Text(answer), text.Text(RIVERS)
    found = find_contradictions(one, other, text.Text("Which rivers rose?"))
    assert [
        (each.kind, one.shown[each.found], other.shown[each.expected]) for each in found
    ] == expected


PACKETS = "With 20 packets the queue is served in 5 seconds."

ASKED = [
    ("With 10 packets the queue is served in 5 seconds.", "", ["number"]),
    (
        "With 10 packets the queue is served in 5 seconds.",
        "How soon is a queue of 10 packets served?",
        [],
    ),
    (PACKETS, "How soon is a queue of 20 packets served?", []),
    (
        "A queue of 30 packets is served soon.",
        "How soon is a queue of 10 packets served?",
        ["number"],
    ),
    (f"No, {PACKETS}", "Is it slow?", []),
]


@pytest.mark.parametrize(("answer", "question", "kinds"), ASKED)
def test_a_number_contradicts_the_reference_where_the_question_has_another(
    answer: str, question: str, kinds: list[str]
) -> None:
    found = find_contradictions(text.Text(answer), text.Text(PACKETS), text.Text(question))
    assert [one.kind for one in found] == kinds


CITIES = "Which? (A) Oslo (B) Rome (C) None of these"

# An answer, a reference, a question, what decides and how; None where nothing does.
DECISIONS: list[tuple[str, str, str, tuple[str, str] | None]] = [
    ("B", "B", "", ("option", "equal")),
    ("B. Rome", "B", CITIES, ("option", "equal")),
    ("Rome", "B", CITIES, ("option", "equal")),
    ("(B)", "Rome", CITIES, ("option", "equal")),
    ("The answer is C, not B.", "B", CITIES, ("option", "different")),
    ("A small capital, so C is right.", "A", "", ("option", "different")),
    ("A, B and D", "ABD", "", ("option", "equal")),
    ("A and B", "ABD", "", ("option", "different")),
    ("Yes, 7 is prime.", "True", "Is 7 prime?", ("yes_no", "equal")),
    ("It is not, so no.", "Yes", "Is 7 prime?", ("yes_no", "different")),
    ("Yes and no.", "no", "Is 7 prime?", ("yes_no", "different")),
    ("Penguins are flightless birds.", "no", "Can penguins fly?", ("yes_no", "open")),
    ("1000000", "1e6", "", ("value", "equal")),
    ("about 5 miles", "5 km", "How far?", ("unit", "different")),
    ("-5", "5", "", ("number", "different")),
    ("It began in the 1990s.", "1995", "When did it begin?", ("date", "coarser")),
    ("4", "IV", "", ("value", "equal")),
    ("xs[::1]", "xs[::-1]", "", ("formula", "different")),
    ("x^2 - 1", "x^2+1", "", ("formula", "different")),
    ("CO2", "CO_2", "", ("formula", "equal")),
    ("CO2", "carbon dioxide", "Which gas is it?", ("formula", "open")),
    ("JFK", "John Fitzgerald Kennedy", "Who?", ("name", "equal")),
    ("It was not JFK", "John Fitzgerald Kennedy", "Who?", None),
    ("Austen wrote it.", "Jane Austen", "Who?", None),
    ("?!", "5", "", None),
]


@pytest.mark.parametrize(("answer", "reference", "question", "expected"), DECISIONS)
def test_a_value_an_option_and_yes_or_no_decide(
    answer: str,
    reference: str,
    question: str,
    expected: tuple[str, str] | None,
) -> None:
    decision = decide(text.Text(answer), [text.Text(reference)], text.Text(question))
    assert (decision and (decision.kind, decision.outcome)) == expected


def test_of_several_references_any_may_decide_for_and_all_together_against() -> None:
    def outcome(answer: str, *references: str) -> str | None:
        decision = decide(text.Text(answer), list(map(text.Text, references)), text.Text(""))
        return decision and decision.outcome

    assert outcome("7", "5", "7") == "equal"
    assert outcome("6", "5", "7") == "different"
    assert outcome("6", "5", "the Elbe") is None


# A feature, an answer, its reference, the question, and what the feature is.
FEATURES = [
    ("recall_weighted", "It is Paris.", "Paris in France", "What is the capital of France?", 1.0),
    ("recall_weighted", "scattering", "scatters", "", 1.0),
    ("recall_weighted", "作者是曹雪芹", "曹雪芹", "", 1.0),
    ("recall_run", "the old dog", "old dog barks", "", 2 / 3),
    ("recall_dense", "Paris lies in old France", "Paris France", "", 2 / 5),
    ("recall_clauses", "Rome is old.", "Rome is old. Oslo is foggy.", "", 0.5),
    ("precision", "Paris and Rome", "Paris", "", 0.5),
    ("match_place", "It is surely Paris", "Paris", "", 3 / 4),
    ("match_sentence", "I wonder. Paris.", "Paris", "", 1.0),
    ("figures_found", "1,577 million", "1.577 billion", "", 1.0),
    ("figures_found", "many", "some", "", -1.0),
    ("asked_kind", "x", "y", "In what year was it?", 0.0),
    ("asked_kind", "x", "y", "How many are there?", 1.0),
    ("yes_or_no", "No.", "Yes", "Is it round?", -1.0),
    ("yes_or_no", "It is round.", "Yes", "Is it round?", 0.5),
    ("denied_before", "It is not Paris", "Paris", "", 1.0),
    ("denied_before", "It is not Rome but Paris", "Paris", "", 0.0),
    ("denied_on_match", "Paris is not right", "Paris", "", 1.0),
    ("denied_distance", "It is not Paris", "Paris", "", 1.0),
    ("denied_verb", "He did not paint Paris", "Paris", "", 0.0),
    ("denied_question", "Jane Austen did not write Emma", "Jane Austen", "who wrote emma", 0.5),
    ("untrue_on_match", "Paris is wrong", "Paris", "", 1.0),
    ("untrue_on_match", "It is Paris. That is wrong.", "Paris", "", 1.0),
    ("untrue_claim", "It is false that it is Paris", "Paris", "", 1.0),
    ("set_aside_before", "Although it was Paris once, it is Rome", "Paris", "", 1.0),
    ("barred", "Rome rather than Paris", "Paris", "", 1.0),
    ("stance", "People say Paris, but it is Rome", "Paris", "", -3.0),
    ("stance", "People say Rome, but it is Paris", "Paris", "", 3.0),
    ("rival_distance", "It is Rome Paris", "Paris", "", 1.0),
    (
        "rival_asked",
        "Paris is close. The capital of France is Rome.",
        "Paris",
        "capital of France",
        -2.0,
    ),
    ("several_or", "Paris or Rome or Oslo", "Paris", "", 2.0),
    ("several_names", "Perhaps it is Paris or Rome", "Paris", "", 1.0),
    ("refusal", "I'm sorry, I don't know.", "Paris", "", 1.0),
    ("hedges", "Maybe it is Paris", "Paris", "", 1.0),
]


@pytest.mark.parametrize(("feature", "answer", "reference", "question", "expected"), FEATURES)
def test_features_by_hand(
    feature: str,
    answer: str,
    reference: str,
    question: str,
    expected: float,
) -> None:
    found = measure.measure_answer(answer, [reference], question).features
    assert found[feature] == pytest.approx(expected, abs=0.005)


def test_trees_by_hand() -> None:
    # It begins with 0.5. The first tree has -2 for a first value up to 1.5; beyond, 3 for a second
    # value up to 0, and 4 above. The second tree is one leaf. The third splits the first value.
    ensemble = log_odds.read_ensemble("500 0:1.5 -2000 1:0 3000 4000 250 0:1 125 0:2 -125 0")
    expected = {
        (0.5, 9): 0.5 - 2 + 0.25 + 0.125,
        (1, 9): 0.5 - 2 + 0.25 + 0.125,
        (1.5, 9): 0.5 - 2 + 0.25 - 0.125,
        (2, 0.0): 0.5 + 3 + 0.25 - 0.125,
        (2, 0.1): 0.5 + 4 + 0.25 - 0.125,
        (3, -1): 0.5 + 3 + 0.25,
    }
    assert {values: log_odds.sum_leaves(ensemble, values) for values in expected} == expected


def test_trees_are_read_as_scikit_learn_has_them() -> None:
    pytest.importorskip(
        "sklearn", reason="scikit-learn, which only training needs, is not installed"
    )
    from sklearn.ensemble import HistGradientBoostingClassifier

    from metrics.training.written import format_ensemble

    draw = np.random.RandomState(0)
    values = np.round(draw.rand(4000, 6) * [1, 1, 1, 25, 1, 1] - [0, 0, 0, 4, 0, 0], 2)
    verdicts = values @ [1, -1, 2, 0.2, 0, 1] + draw.randn(4000) > 3
    trained = HistGradientBoostingClassifier(random_state=0, max_iter=60, max_leaf_nodes=8).fit(
        values, verdicts
    )
    ensemble = log_odds.read_ensemble(format_ensemble(trained))
    ours = [log_odds.sum_leaves(ensemble, row) for row in values.tolist()]
    assert (
        np.abs(ours - trained.decision_function(values)).max() < 0.02
    )  # leaves are in thousandths


# Log odds of both heads, the completeness and the length; what joins them; and what comes of it.
JOINED: list[tuple[tuple[float, ...], tuple[float, ...], float]] = [
    # Beside a short reference two probabilities multiply: 1/2 of 3/4, and a half alone.
    ((0.0, np.log(3), 9.0, 0.0), (1.0, 1.0, 1.0, 1.0), np.log(3 / 5)),
    ((0.0, 99.0, 9.0, 0.0), (1.0, 1.0, 1.0, 1.0), 0.0),
    # Beside a long one the completeness stands in place of the agreement, and nothing is taken
    # back.
    ((5.0, -99.0, 2.0, 1.0), (1.0, 1.5, 0.25, 1.0), 3.25),
]


@pytest.mark.parametrize(("heads", "weights", "expected"), JOINED)
def test_the_heads_are_joined_by_the_length_of_the_reference(
    heads: tuple[float, ...], weights: tuple[float, ...], expected: float
) -> None:
    joined = log_odds.join_heads(log_odds.Heads(*heads), log_odds.HeadWeights(*weights))
    assert joined == pytest.approx(expected)


def measurement(answer: str, reference: str) -> Any:
    return measure.measure_answer(answer, [reference])


def test_an_objection_takes_its_weight_times_its_evidence_from_the_log_odds() -> None:
    one = measurement("Aristotle was the teacher of Plato", "Plato was the teacher of Aristotle")
    assert [objection.kind for objection in one.objections] == ["roles"]
    words = len(one.reference.words)
    taken = log_odds.compute_agreement(one.features, words) - log_odds.compute_log_odds(one)
    assert taken == pytest.approx(
        log_odds.weigh_objection("roles", words) * one.objections[0].evidence
    )


def test_the_model_is_small_and_plain() -> None:
    source = (METRICS / "correctness_estimate" / "model.py").read_text("utf-8")
    assert len(source.encode()) <= 60_000
    assert len(model.FEATURES) <= 40
    assert list(model.FEATURES) == list(measurement("a", "b").features)
    assert set(model.OBJECTION_WEIGHTS) == set(measure.KINDS)
    assert min(min(pair) for pair in model.OBJECTION_WEIGHTS.values()) >= 0
