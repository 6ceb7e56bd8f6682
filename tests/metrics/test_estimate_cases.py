"""correctness_estimate by kinds of answers: values, spellings, options, lists, roles, yes and no."""

import pytest

from tests.support.project import functions, shared_rows

estimate = functions("correctness_estimate")

# What the answer says where the reference says something else: reference, answer, question.
WRONG = [
    # values: a sign, a comparison, an inverse, a unit, half of the day, an era, part of a number
    ("-40 °C", "40 °C", "Where do both scales meet?"),
    ("x < 3", "x > 3", "Solve 2x < 6."),
    ("3/4", "4/3", "Simplify."),
    ("5 mg", "5 mcg", "What is the dose?"),
    ("€50", "$50", "What does it cost?"),
    ("8 am", "8 pm", "When does it open?"),
    ("1990", "in the 1990s", "When was it built?"),
    ("Henry VIII", "Henry VII", "Which king had six wives?"),
    ("12", "12k", "How many?"),
    ("44 BC", "44 AD", "When was Caesar killed?"),
    ("at least 18", "at most 18", "How old must one be?"),
    ("2 1/2", "1/2", "How many cups?"),
    ("1000", "10000", ""),
    ("1.5 million", "1.5 billion", ""),
    ("10^{-3}", "10^{3}", "What is a milli?"),
    ("USD 50", "EUR 50", "What does it cost?"),
    ("USB 3.0", "USB 2.0", "Which port is it?"),
    # lists, additions, roles, candidates
    ("red, green and blue", "red", "What are the primary colours of light?"),
    ("Jupiter, Saturn, Uranus and Neptune", "Saturn", "What are the four giant planets?"),
    ("Spain", "Spain and France", "Which country is Seville in?"),
    ("Bill Gates and Paul Allen", "Bill Gates, Paul Allen and Steve Jobs", "Who founded Microsoft?"),
    ("Plato was the teacher of Aristotle.", "Aristotle was the teacher of Plato.", ""),
    ("France beat Croatia.", "Croatia beat France.", "Who won the final?"),
    ("Canberra", "Sydney or Canberra", "What is the capital of Australia?"),
    ("no", "Yes and no.", "Is the earth flat?"),
    # options, yes and no
    ("A", "Bern is a small capital, so C is right.", "Which? (A) Paris (B) Rome (C) Bern"),
    ("B", "Bern", "Which? (A) Paris (B) Rome (C) Bern"),
    ("Yes", "It is not, so no.", "Is 9 prime?"),
]

# What is right in another spelling or without the reference's words.
RIGHT = [
    ("True", "Yes, 7 is prime.", "Is 7 prime?"),
    ("1e6", "1000000", "How many?"),
    ("2.5", "2 1/2", "How many?"),
    ("3,14", "3.14", "What is pi?"),
    ("1 234 567", "1,234,567", "How many?"),
    ("IV", "4", "Which chapter?"),
    ("H_2O", "H2O", "What is the formula of water?"),
    ("H₂O", "H2O", "What is the formula of water?"),
    ("1/3", "三分之一", "多少？"),
    ("100 °C", "212 degrees Fahrenheit", "At what temperature does water boil?"),
    ("a quarter", "25%", "What share?"),
    ("three quarters", "3/4", "What share?"),
    ("1.5亿", "150 million", "多少？"),
    ("B", "B. Rome", "Which? (A) Paris (B) Rome (C) Bern"),
    ("B", "Rome", "Which? (A) Paris (B) Rome (C) Bern"),
    ("Rome", "B", "Which? (A) Paris (B) Rome (C) Bern"),
    ("ABD", "A, B and D", "Which are right?"),
    ("JFK", "John Fitzgerald Kennedy", "Which president was shot in 1963?"),
    ("red, green and blue", "blue, red and green", "What are the primary colours of light?"),
    ("Bob is younger than Ann.", "Ann is older than Bob.", ""),
    ("Croatia was beaten by France.", "France beat Croatia.", "Who won the final?"),
    ("USB", "It is USB.", "Which port is it?"),
]


@pytest.mark.parametrize(("reference", "answer", "question"), WRONG)
def test_another_value_list_role_or_choice_is_not_right(reference: str, answer: str, question: str) -> None:
    assert estimate.score(answer, reference, question) < 0.5


@pytest.mark.parametrize(("reference", "answer", "question"), RIGHT)
def test_another_spelling_is_right(reference: str, answer: str, question: str) -> None:
    assert estimate.score(answer, reference, question) > 0.5


# A value decides: not equal is at most 0.2, equal at least 0.8.
DECIDED = [
    ("-5 °C", "5 °C", False),
    ("€50", "$50", False),
    ("5 km", "5 miles", False),
    ("3/4", "It is 4/3.", False),
    ("5", "The result is 5 after all.", True),
    ("1e6", "a million", True),
    ("half", "50%", True),
]


@pytest.mark.parametrize(("reference", "answer", "same"), DECIDED)
def test_a_value_decides_and_its_reason_comes_first(reference: str, answer: str, same: bool) -> None:
    entry = estimate.explain(answer, reference, "What is it?")
    assert entry["score"] >= 0.8 if same else entry["score"] <= 0.2
    first = entry["reasons"][0]
    assert (first["kind"] == "same", first["weight"] > 0) == (same, same)
    # An answer that has the value lacks nothing.
    assert not (same and "missing" in [one["kind"] for one in entry["reasons"]])
    assert (entry["interpretation"], entry["right"]) == ("probability", same)


# What words alone cannot tell is called a ranking: reference, answer, question.
UNSURE = [
    ("no", "Penguins are flightless birds.", "Can penguins fly?"),
    ("Spain", "Spain and France", "Which country is Seville in?"),
    ("It is hot.", "It is cold.", "How is it?"),
]


@pytest.mark.parametrize(("reference", "answer", "question"), UNSURE)
def test_what_words_cannot_tell_is_no_probability(reference: str, answer: str, question: str) -> None:
    entry = estimate.explain(answer, reference, question)
    assert (entry["interpretation"], entry["right"]) == ("ranking", None)


# A reason against an answer counts by its weight: the answer, its reference, the question, the kind.
COUNTED = [
    ("Aristotle was the teacher of Plato", "Plato was the teacher of Aristotle", "", "roles"),
    ("red", "red, green and blue", "What are the colours?", "partial"),
    ("It is cold.", "It is hot.", "", "opposite"),
    ("Kate Bush", "George Bush", "Who was president?", "given_name"),
]


@pytest.mark.parametrize(("answer", "reference", "question", "kind"), COUNTED)
def test_a_reason_is_told_with_its_weight_and_a_sentence(answer: str, reference: str, question: str, kind: str) -> None:
    told = [one for one in estimate.explain(answer, reference, question)["reasons"] if one["kind"] == kind]
    (reason,) = told
    assert reason["weight"] < 0
    assert repr(reason["found"]) in reason["sentence"] or repr(reason["expected"]) in reason["sentence"]
    assert reason["found"] in answer


def test_reasons_come_in_the_order_of_their_weight_behind_what_decides() -> None:
    for reference, answer, question in WRONG + RIGHT:
        first, *weights = [one["weight"] for one in estimate.explain(answer, reference, question)["reasons"]]
        sizes = [abs(weight) for weight in weights]
        assert sizes == sorted(sizes, reverse=True), answer
        assert abs(first) > 0, answer


def test_values_of_many_kinds_are_told_apart() -> None:
    rows = list(shared_rows("cases/values.jsonl"))
    missed = []
    for row in rows:
        score = estimate.score(row["answer"], row["references"], row["question"])
        if (score > 0.5) is not bool(row["truth"]):
            missed.append((row["answer"], row["references"]))
    assert len(missed) <= 0.1 * len(rows), missed


# Texts that are no usual answers; each stands as the answer and as the reference.
AWKWARD = [
    "9" * 10_000,
    "1e999",
    "1/0",
    "-" * 5000 + "5",
    "5 " + "km/" * 3000,
    "√" * 3000,
    "MDCLXVI" * 2000,
    "三分之" * 3000,
    "red, " * 1000 + "blue",
    "A, B " * 1000,
    "".join(f"({letter}) x " for letter in "ABCDEFGHIJ" * 100),
    "Ann beat Bob and " * 500,
    "yes and no " * 1000,
    r"\frac{" * 3000,
    "\ud800 5",
    "",
]


@pytest.mark.parametrize("text", AWKWARD, ids=[text[:10].encode("ascii", "replace").decode() for text in AWKWARD])
def test_no_text_fails_and_every_score_is_between_0_and_1(text: str) -> None:
    for answer, reference, question in ((text, "5 km", ""), ("5 km", text, ""), (text, text, text)):
        entry = estimate.explain(answer, reference, question)
        assert 0 <= entry["score"] <= 1
        assert entry["score"] == estimate.score(answer, reference, question)
