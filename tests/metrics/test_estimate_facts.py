"""Test what correctness_estimate reads in a text and compares, step by step.

The steps are quantities, contradictions, decisions, features, trees and the joined log odds.
"""

import numpy as np
import pytest

from tests.support.project import METRICS, import_file

scoring = import_file("correctness_estimate")
equality = import_file("correctness_estimate", "equality")
text = import_file("correctness_estimate", "text")
measure = import_file("correctness_estimate", "measure")
log_odds = import_file("correctness_estimate", "log_odds")
model = import_file("correctness_estimate", "model")
decide = import_file("correctness_estimate", "decisions").decide
find_contradictions = import_file("correctness_estimate", "contradictions").find_contradictions


@pytest.mark.parametrize(
    ("passage", "dates"),
    [
        ("January 28th, 1813", [(1813, 1, 28)]),
        ("1813-01-28", [(1813, 1, 28)]),
        ("28/1/1813", [(1813, 1, 28)]),
        # 3 April in Europe, 4 March in the United States: only the year is certain.
        ("3/4/2015", [(2015, None, None)]),
        ("一八一三年一月二十八日", [(1813, 1, 28)]),
        ("in May 1813", [(1813, 5, None)]),
        ("44 BC", [(-44, None, None)]),
        ("1939–45", [(1939, None, None), (1945, None, None)]),
    ],
)
def test_dates_are_read_with_year_month_and_day(
    passage: str, dates: list[tuple[int | None, ...]]
) -> None:
    quantities = text.Text(passage).quantities
    assert {quantity.kind for quantity in quantities} == {"date"}
    assert [quantity.value for quantity in quantities] == dates


@pytest.mark.parametrize(
    ("passage", "numbers"),
    [
        ("1,000 and 1.5 million", [1000, 1500000]),
        ("1e6, 3,14 and -5", [1000000, 3.14, -5]),
        ("1 234 567", [1234567]),
        ("1.234.567", [1234567]),
        ("12k", [12000]),
        ("1亿5000万", [150000000]),
        ("one hundred and twenty-one", [121]),
        ("nineteen eighty-four", [1984]),
        ("two thirds", [2 / 3]),
        ("三分之一", [1 / 3]),
        ("2 1/2", [2.5]),
        ("9½", [9.5]),
        (r"$2\frac{1}{2}$", [2.5]),
        ("a quarter", [0.25]),
        ("IV", [4]),
        ("Henry VIII", [8]),
    ],
)
def test_numbers_without_a_unit(passage: str, numbers: list[float]) -> None:
    quantities = text.Text(passage).quantities
    assert {(quantity.kind, quantity.dimension) for quantity in quantities} == {("number", "")}
    values = [quantity.value for quantity in quantities]
    assert values == [pytest.approx((number,)) for number in numbers]


@pytest.mark.parametrize(
    ("passage", "dimensions", "numbers"),
    [
        # Minutes since midnight: 15 * 60 + 30 = 930.
        ("3:30 pm, 15:30", ["clock", "clock"], [930, 930]),
        ("$3.5bn", ["dollar"], [3.5e9]),
        ("€50 or USD 50", ["euro", "dollar"], [50, 50]),
        # Degrees Celsius: (212 - 32) * 5/9 = 100.
        ("212 °F", ["temperature"], [100]),
        ("40.7 S", ["latitude"], [-40.7]),
        ("the 19th century", ["age"], [19]),
        ("the 1990s", ["decade"], [1990]),
    ],
)
def test_numbers_with_a_unit_are_converted_to_the_base_unit_of_their_dimension(
    passage: str, dimensions: list[str], numbers: list[float]
) -> None:
    quantities = text.Text(passage).quantities
    assert {quantity.kind for quantity in quantities} == {"number"}
    assert [quantity.dimension for quantity in quantities] == dimensions
    values = [quantity.value for quantity in quantities]
    assert values == [pytest.approx((number,)) for number in numbers]


@pytest.mark.parametrize("passage", ["it may be", "one of them, at first", "一起"])
def test_words_that_only_look_like_quantities_are_none(passage: str) -> None:
    assert not text.Text(passage).quantities


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
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
    ],
)
def test_two_quantities_agree_if_they_can_be_the_same(one: str, other: str, agree: bool) -> None:
    (one_quantity,) = text.Text(one).quantities
    (other_quantity,) = text.Text(other).quantities
    assert equality.agree(one_quantity, other_quantity) is agree
    assert equality.agree(other_quantity, one_quantity) is agree


RIVERS = "In 1900 the Elbe rose by 4 metres. The Oder, further east, rose by 2 metres in 1903."


def exchange(passage: str, one: str, other: str) -> str:
    """Return a passage in which two words have changed places."""
    return passage.replace(one, "\0").replace(other, one).replace("\0", other)


@pytest.mark.parametrize(
    ("answer", "contradictions"),
    [
        (RIVERS, []),
        (RIVERS.replace("4 metres", "7 metres"), [("number", "7", "4")]),
        (RIVERS.replace("4 metres", "four metres"), []),
        (RIVERS.replace("rose by 4", "fell by 4"), [("opposite", "fell", "rose")]),
        (RIVERS.replace("rose by 4", "did not rise by 4"), [("denied", "not", "rose")]),
        (RIVERS.replace("rose by 4", "never fell by 4"), []),
        (
            exchange(RIVERS, "4 metres", "2 metres"),
            [("swapped", "2", "4"), ("swapped", "4", "2")],
        ),
        (
            exchange(RIVERS, "Elbe", "Oder"),
            [("swapped", "Oder", "Elbe"), ("swapped", "Elbe", "Oder")],
        ),
        ("In 1900 the Oder rose by 4 metres.", []),
        (
            "The Oder, further east, rose by 2 metres in 1903. In 1900 the Elbe rose by 4 metres.",
            [],
        ),
        ("I like rivers. There were 7 of us, and I never fell.", []),
    ],
)
def test_a_contradiction_is_another_thing_in_the_same_place(
    answer: str, contradictions: list[tuple[str, str, str]]
) -> None:
    """A contradiction has its kind, the word of the answer and the word of the reference."""
    answer_text = text.Text(answer)
    reference = text.Text(RIVERS)
    question = text.Text("Which rivers rose?")
    found = []
    for contradiction in find_contradictions(answer_text, reference, question):
        answer_word = answer_text.shown[contradiction.found]
        reference_word = reference.shown[contradiction.expected]
        found.append((contradiction.kind, answer_word, reference_word))
    assert found == contradictions


MATCH = "The Battle of the Sexes tennis match was a 1973 exhibition match between King and Riggs."


def test_the_only_year_of_two_texts_is_compared_whatever_stands_around_it() -> None:
    right, wrong = (
        scoring.explain(f"King won the tennis match on September 20, {year}.", MATCH)
        for year in ("1973", "1937")
    )
    assert wrong["score"] < right["score"] - 0.2
    assert ("September 20, 1937", "1973") in {
        (reason["found"], reason["expected"]) for reason in wrong["reasons"]
    }
    other = scoring.explain("King was born in 1943.", MATCH)
    assert "date" not in {reason["kind"] for reason in other["reasons"]}


def test_a_number_is_compared_with_one_behind_the_same_word() -> None:
    reference = "The second episode belongs to season 2, and many people have seen it at home."
    right, wrong = (
        scoring.score(f"It is an episode of season {number}.", reference) for number in ("2", "20")
    )
    assert wrong < right - 0.2


PACKETS = "With 20 packets the queue is served in 5 seconds."


@pytest.mark.parametrize(
    ("answer", "question", "kinds"),
    [
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
    ],
)
def test_a_number_of_the_question_does_not_contradict_the_reference(
    answer: str, question: str, kinds: list[str]
) -> None:
    reference = text.Text(PACKETS)
    found = find_contradictions(text.Text(answer), reference, text.Text(question))
    assert [contradiction.kind for contradiction in found] == kinds


CITIES = "Which? (A) Oslo (B) Rome (C) None of these"


# What decides (a value, an option, yes or no, ...) and how; None if nothing decides.
@pytest.mark.parametrize(
    ("answer", "reference", "question", "expected"),
    [
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
        ("CO2", "carbon dioxide", "Which gas is it?", ("formula", "equal")),
        ("JFK", "John Fitzgerald Kennedy", "Who?", ("name", "equal")),
        ("It was not JFK", "John Fitzgerald Kennedy", "Who?", None),
        ("Austen wrote it.", "Jane Austen", "Who?", None),
        ("?!", "5", "", None),
    ],
)
def test_a_value_an_option_and_yes_or_no_decide(
    answer: str,
    reference: str,
    question: str,
    expected: tuple[str, str] | None,
) -> None:
    decision = decide(text.Text(answer), [text.Text(reference)], text.Text(question))
    assert (decision and (decision.kind, decision.outcome)) == expected


@pytest.mark.parametrize(
    ("answer", "references", "outcome"),
    [
        ("7", ["5", "7"], "equal"),
        ("6", ["5", "7"], "different"),
        ("6", ["5", "the Elbe"], None),
    ],
)
def test_one_of_several_references_decides_for_an_answer_and_only_all_against_it(
    answer: str, references: list[str], outcome: str | None
) -> None:
    texts = [text.Text(reference) for reference in references]
    decision = decide(text.Text(answer), texts, text.Text(""))
    assert (decision and decision.outcome) == outcome


@pytest.mark.parametrize(
    ("feature", "answer", "reference", "question", "expected"),
    [
        (
            "recall_weighted",
            "It is Paris.",
            "Paris in France",
            "What is the capital of France?",
            1.0,
        ),
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
    ],
)
def test_features_equal_those_computed_by_hand(
    feature: str,
    answer: str,
    reference: str,
    question: str,
    expected: float,
) -> None:
    features = measure.measure_answer(answer, [reference], question).features
    assert features[feature] == pytest.approx(expected, abs=0.005)


# The sum begins with 0.5. The first tree has -2 for a first value up to 1.5; beyond, 3 for a second
# value up to 0, and 4 above. The second tree is one leaf. The third splits the first value.
THREE_TREES = "500 0:1.5 -2000 1:0 3000 4000 250 0:1 125 0:2 -125 0"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0.5, 9), 0.5 - 2 + 0.25 + 0.125),
        ((1, 9), 0.5 - 2 + 0.25 + 0.125),
        ((1.5, 9), 0.5 - 2 + 0.25 - 0.125),
        ((2, 0.0), 0.5 + 3 + 0.25 - 0.125),
        ((2, 0.1), 0.5 + 4 + 0.25 - 0.125),
        ((3, -1), 0.5 + 3 + 0.25),
    ],
)
def test_the_leaves_of_three_trees_are_summed(values: tuple[float, float], expected: float) -> None:
    ensemble = log_odds.read_ensemble(THREE_TREES)
    assert log_odds.sum_leaves(ensemble, values) == expected


def test_trees_are_read_as_scikit_learn_has_them() -> None:
    pytest.importorskip(
        "sklearn", reason="scikit-learn, which only training needs, is not installed"
    )
    from sklearn.ensemble import HistGradientBoostingClassifier

    from metrics.training.written import format_ensemble

    rng = np.random.RandomState(0)
    ranges = np.array([1, 1, 1, 25, 1, 1])
    lowest = np.array([0, 0, 0, -4, 0, 0])
    values = np.round(rng.rand(4000, 6) * ranges + lowest, 2)
    slopes = np.array([1, -1, 2, 0.2, 0, 1])
    verdicts = values @ slopes + rng.randn(4000) > 3
    classifier = HistGradientBoostingClassifier(random_state=0, max_iter=60, max_leaf_nodes=8)
    classifier.fit(values, verdicts)
    ensemble = log_odds.read_ensemble(format_ensemble(classifier))
    sums = np.array([log_odds.sum_leaves(ensemble, row) for row in values.tolist()])
    # Leaves are rounded to thousandths: 60 errors of at most 0.0005, most of which cancel.
    assert np.abs(sums - classifier.decision_function(values)).max() < 0.02


@pytest.mark.parametrize(
    ("heads", "weights", "expected"),
    [
        # A short reference (length 0): the probabilities of the two heads multiply, and
        # 1/2 * 3/4 = 3/8 has the odds 3 : 5.
        ((0.0, np.log(3), 9.0, 0.0), (1.0, 1.0, 1.0, 1.0), np.log(3 / 5)),
        # 1/2 * 1 = 1/2, whose log odds are 0.
        ((0.0, 99.0, 9.0, 0.0), (1.0, 1.0, 1.0, 1.0), 0.0),
        # A long reference (length 1): 1.5 * 2 + 0.25 of the completeness replace the agreement, and
        # contradictions are not subtracted.
        ((5.0, -99.0, 2.0, 1.0), (1.0, 1.5, 0.25, 1.0), 3.25),
    ],
)
def test_the_heads_are_joined_by_the_length_of_the_reference(
    heads: tuple[float, ...], weights: tuple[float, ...], expected: float
) -> None:
    joined = log_odds.join_heads(log_odds.Heads(*heads), log_odds.HeadWeights(*weights))
    assert joined == pytest.approx(expected)


def test_an_objection_subtracts_its_weight_times_its_evidence_from_the_log_odds() -> None:
    reference = "Plato was the teacher of Aristotle"
    answer = "Aristotle was the teacher of Plato"
    measurement = measure.measure_answer(answer, [reference])
    (objection,) = measurement.objections
    assert objection.kind == "roles"
    length = len(measurement.reference.words)
    agreement = log_odds.compute_agreement(measurement.features, length)
    subtracted = agreement - log_odds.compute_log_odds(measurement)
    weight = log_odds.weigh_objection("roles", length)
    assert subtracted == pytest.approx(weight * objection.evidence)


def test_the_model_is_small_and_plain() -> None:
    source = (METRICS / "correctness_estimate" / "model.py").read_text("utf-8")
    features = measure.measure_answer("a", ["b"]).features
    assert len(source.encode()) <= 60_000
    assert len(model.FEATURES) <= 40
    assert list(model.FEATURES) == list(features)
    assert set(model.OBJECTION_WEIGHTS) == set(measure.OBJECTION_KINDS)
    for short_weight, long_weight in model.OBJECTION_WEIGHTS.values():
        assert short_weight >= 0
        assert long_weight >= 0
