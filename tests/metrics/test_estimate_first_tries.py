"""Answers that anybody might try first, of many kinds: whether the estimate calls them right."""

import pytest

from tests.support.project import import_file

estimate = import_file("correctness_estimate")

# A question, its reference, right answers and wrong ones.
QUESTIONS: list[tuple[str, str, list[str], list[str]]] = [
    ("Which day is the meeting?", "Tuesday", ["Tue"], []),
    ("What is the phone number?", "555-0199", ["5550199", "555 0199", "(555) 0199"], ["555-0198"]),
    ("How tall is she?", "1.75 m", ["1 m 75"], []),
    ("What was the final score?", "2-1", ["2:1"], ["1-2"]),
    ("How many errors were found?", "none", ["no errors"], []),
    ("Solve x^2 = 9.", "x = 3 or x = -3", ["3 and -3"], []),
    ("How many people live there?", "1.4 billion", ["1400 million"], []),
    (
        "What did the court decide?",
        "The appeal was dismissed",
        [],
        ["The appeal was allowed", "It upheld the appeal.", "The appeal was granted."],
    ),
    ("True or false: water boils at 50 °C.", "False", ["F"], []),
    (
        "What is photosynthesis?",
        "the process by which plants turn light into energy",
        [],
        ["the process by which plants turn energy into light"],
    ),
    (
        "What must be done first?",
        "switch off the power",
        ["The power must be switched off."],
        [
            "switch on the power",
            "turn on the power",
            "switch the power on",
            "The power is switched on.",
        ],
    ),
    (
        "Where is the key?",
        "under the mat",
        ["It's under the mat.", "beneath the mat"],
        ["on the mat", "above the mat", "behind the mat", "It is on the old mat."],
    ),
    ("Which king ruled then?", "Louis XIV", [], ["Henry XIV"]),
    ("What is the IP address?", "192.168.0.1", [], ["192.168.1.0", "192.168.0.10", "192.168.0"]),
    ("What's the maximum weight?", "20 kg", [], ["at least 20 kg"]),
    ("When do I take the medicine?", "before meals", [], ["with meals"]),
    ("What is allowed?", "dogs on a leash", [], ["dogs without a leash"]),
    (
        "Are refunds possible?",
        "Only within 30 days",
        ["Yes, but only within 30 days."],
        ["Only after 30 days", "Never"],
    ),
    ("Did all students pass?", "All but two passed", [], ["All passed", "Two passed"]),
    ("Which state?", "New Mexico", [], ["Mexico"]),
    ("Which country?", "Mexico", [], ["New Mexico"]),
    ("Which state?", "West Virginia", [], ["Virginia"]),
    ("Which state?", "Virginia", [], ["West Virginia"]),
    ("Which country?", "South Sudan", [], ["Sudan"]),
    ("Which country?", "Sudan", [], ["South Sudan"]),
    (
        "Which country?",
        "North Korea",
        ["DPRK", "the Democratic People's Republic of Korea"],
        ["Korea"],
    ),
    ("Which country?", "Niger", [], ["Nigeria"]),
    ("Which country?", "Austria", [], ["Australia"]),
    ("Which country?", "Iran", ["Persia"], []),
    ("Which country?", "Guinea", [], ["Equatorial Guinea"]),
    ("Which city?", "York", [], ["New York"]),
    ("Which city?", "New York", [], ["York"]),
    ("Which city?", "Mexico City", ["Ciudad de México", "CDMX"], []),
    (
        "Which film?",
        "The Godfather",
        ["The Godfather (1972)"],
        ["The Godfather Part II", "The Godfather 2"],
    ),
    ("Which gas?", "carbon dioxide", ["CO2", "CO₂"], ["carbon monoxide"]),
    ("Which gas?", "nitrogen", ["N2", "N"], ["nitrogen dioxide"]),
    ("Which acid?", "sulfuric acid", ["H2SO4", "sulphuric acid"], ["sulfurous acid"]),
    ("Which flight?", "BA 249", ["British Airways 249"], ["AA 249"]),
    ("How is the solution?", "hypertonic", [], ["hypotonic"]),
    ("How was the value?", "overvalued", [], ["undervalued"]),
    ("What was the company?", "understaffed", [], ["overstaffed"]),
    ("What is the economy based on?", "microeconomics", [], ["macroeconomics"]),
    ("What kind of fats?", "monounsaturated", [], ["polyunsaturated"]),
    ("Which bond?", "intramolecular", [], ["intermolecular"]),
    ("How did he act?", "thoughtfully", [], ["thoughtlessly"]),
    (
        "How did the firm react?",
        "It apologized",
        [],
        ["It refused to apologize", "It did not apologize"],
    ),
    ("Was the child born alive?", "stillborn", [], ["It was born alive"]),
    ("What is the relation?", "inversely proportional", [], ["directly proportional"]),
    (
        "Which is cheaper?",
        "the bus",
        ["The train is dearer than the bus."],
        ["The bus is more expensive.", "The bus is dearer."],
    ),
    (
        "How many passed?",
        "all but two",
        ["everyone except two", "all except two"],
        ["all", "two", "all but three"],
    ),
    (
        "Who came?",
        "everyone except Tom",
        [],
        ["everyone", "only Tom", "Tom", "everyone except Ann"],
    ),
    ("How many?", "at least three", [], ["fewer than three"]),
    ("How old?", "in her forties", ["in her 40s", "between 40 and 49"], ["in her fifties"]),
    (
        "Where did she move?",
        "She moved to Spain",
        ["She moved to Spain from Italy."],
        ["from Spain"],
    ),
    ("When can I return it?", "within 30 days", ["In 30 days or less"], ["after 30 days"]),
    ("How long was he king?", "until 1990", [], ["since 1990"]),
    ("Where did it happen?", "outside the building", [], ["in the building"]),
    ("Where is the kitchen?", "behind the stairs", [], ["on the stairs", "under the stairs"]),
    ("Where's the cat?", "on the roof", [], ["under the roof", "behind the roof"]),
    ("Where does the river flow?", "into the sea", [], ["from the sea"]),
    ("Who is the oldest?", "Anna", [], ["Anna is the youngest"]),
    ("Which country has the highest GDP?", "USA", [], ["The USA has the lowest GDP."]),
    (
        "Which metal melts at the lowest temperature?",
        "mercury",
        [],
        ["Mercury has the highest melting point."],
    ),
    (
        "Which animal is faster?",
        "the cheetah",
        ["The lion is slower than the cheetah."],
        ["The cheetah is slower."],
    ),
    ("Who has more money?", "Tom", ["Ben has less than Tom."], ["Tom has less."]),
]


@pytest.mark.parametrize(("question", "reference", "right", "wrong"), QUESTIONS)
def test_first_tries(question: str, reference: str, right: list[str], wrong: list[str]) -> None:
    threshold = estimate.THRESHOLD
    scores = {answer: estimate.score(answer, reference, question) for answer in [*right, *wrong]}
    assert [answer for answer in right if scores[answer] < threshold] == []
    assert [answer for answer in wrong if scores[answer] >= threshold] == []
