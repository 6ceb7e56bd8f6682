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
    ("Which city did they move to?", "New York City", [], ["York"]),
    ("Where does Maria come from?", "South Korea", ["Republic of Korea"], []),
    ("Which day is the meeting?", "Tuesday", ["Tue."], ["any day but Tuesday"]),
    ("How long does the battery last?", "24 hours", ["a full day"], []),
    ("How much does the ticket cost?", "$15", [], ["15 cents"]),
    ("What does the coffee cost?", "€2.50", ["2 euros and 50 cents"], []),
    ("How much does he earn an hour?", "20 dollars an hour", [], ["$20 a day"]),
    ("How much change did she get?", "50 cents", ["$0.50", "half a dollar"], ["50 dollars"]),
    ("How big is the flat?", "60 square meters", [], ["60 square feet"]),
    ("What is the ratio of sand to cement?", "3 to 1", ["3:1"], []),
    ("How many mistakes are allowed?", "fewer than 5", [], ["exactly 5"]),
    (
        "Are dogs allowed in the park?",
        "Yes, but only on a leash.",
        [],
        ["Yes, only without a leash"],
    ),
    ("True or false: The sun is a star.", "True", ["T"], []),
    (
        "What happens when you press the button twice?",
        "The lamp turns off.",
        [],
        ["The lamp turns on."],
    ),
    ("How did her health change?", "It got better.", ["It improved.", "Her health improved"], []),
    ("How are Lisa and Mark related?", "Lisa is Mark's mother.", [], ["Mark is Lisa's father."]),
    (
        "Who hired whom?",
        "Ms. Grant hired Joe.",
        [],
        ["Joe hired Ms. Grant.", "Ms. Grant was hired by Joe."],
    ),
    (
        "Who gave whom the ring?",
        "Frodo got the ring from Bilbo.",
        [],
        ["Frodo gave the ring to Bilbo."],
    ),
    ("Where is the key?", "under the mat", [], ["on the mat", "next to the mat"]),
    (
        "Where does the village lie?",
        "10 km north of Munich",
        [],
        ["10 miles north of Munich", "100 km north of Munich"],
    ),
    (
        "When is parking allowed here?",
        "Every day except on Sundays",
        [],
        ["only on Sundays", "every day including Sundays", "every day except on Saturdays"],
    ),
    (
        "Can I get a refund?",
        "Yes, within 14 days with the receipt",
        [],
        ["Yes, within 14 months with the receipt", "Yes, within 14 days, no receipt needed"],
    ),
    (
        "Is Canada north or south of the United States?",
        "North",
        [],
        ["Canada lies south of the US", "The US lies north of Canada"],
    ),
    (
        "Who won the Battle of Waterloo?",
        "Wellington and Blücher defeated Napoleon",
        [],
        [
            "Napoleon defeated Wellington and Blücher",
            "Wellington and Blücher were defeated by Napoleon",
        ],
    ),
    ("How far did he throw the javelin?", "87.5 m", ["eighty-seven and a half metres"], []),
    ("What is the minimum Python version?", "3.9 or later", [], ["at most 3.9"]),
    ("For which x is the function positive?", "For x > 2", [], ["for x = 2"]),
    ("What is the derivative of x^3?", "3x^2", ["3*x**2"], []),
    ("On which day is the shop closed?", "Monday", ["Mon."], ["It's open on Mondays"]),
    ("Where do I change trains?", "In Cologne", [], ["anywhere but Cologne"]),
    ("What time does the last ferry leave?", "23:45", ["quarter to midnight", "at 23.45"], []),
    ("How cold was it last night?", "-5 °C", ["five below zero, Celsius"], []),
    ("How many children do they have?", "Two daughters and a son", [], ["two sons and a daughter"]),
    (
        "What must you do first?",
        "Turn off the power",
        [],
        ["turn on the power", "Leave the power on", "do it last: turn off the power"],
    ),
    (
        "Which way do you turn the screw?",
        "Clockwise",
        [],
        ["anti-clockwise", "anticlockwise, to the left"],
    ),
    ("Which wire do I cut?", "The red one, not the blue one", [], ["the blue wire"]),
    (
        "Where should the device be stored?",
        "In a dry place out of reach of children",
        [],
        ["in a dry place within reach of children"],
    ),
    (
        "When do I get the bonus?",
        "If I sell at least 100 units",
        [],
        [
            "if I sell fewer than 100 units",
            "if I sell at most 100 units",
            "unless I sell at least 100 units",
            "if I sell at least 1000 units",
        ],
    ),
    ("Will he come to the party?", "Only if his sister comes too", [], ["unless his sister comes"]),
    (
        "How many students passed?",
        "All but one",
        ["everyone except one"],
        ["only one", "all of them", "all but ten"],
    ),
    (
        "Did the guests like the food?",
        "Most of them did",
        [],
        ["none of them did", "only a few did"],
    ),
    ("How many apples are left?", "A dozen", [], ["two dozen"]),
    (
        "How many of the questions did he answer correctly?",
        "More than half, but not all",
        [],
        ["all of them"],
    ),
    (
        "Which US president was impeached in 1868?",
        "Andrew Johnson",
        ["andrew johnson", "johnson", "president johnson"],
        ["andrew jackson", "lyndon johnson"],
    ),
    (
        "Who won?",
        "Jessica Ennis",
        ["jessica ennis", "ennis", "jess ennis"],
        ["jessica judd", "serena ennis"],
    ),
    (
        "Who wrote it?",
        "Jane Austen",
        ["jane austen", "austen", "j. austen"],
        ["emily bronte", "jane smith"],
    ),
    (
        "Which of the two bridges is older?",
        "The Stone Bridge is older than the Rail Bridge",
        [],
        ["The Stone Bridge is newer than the Rail Bridge."],
    ),
    (
        "From where to where did the caravan travel?",
        "From Kashgar to Samarkand",
        [],
        [
            "The caravan set out from Samarkand, and after several weeks on the road it reached "
            "Kashgar, where the journey ended."
        ],
    ),
    (
        "Who interviewed whom on the podcast?",
        "Nadia interviewed the mayor",
        [],
        ["The mayor interviewed Nadia.", "Nadia was interviewed by the mayor."],
    ),
    (
        "What turns into what when cream is whipped too long?",
        "Cream turns into butter",
        [],
        ["The butter becomes cream."],
    ),
    (
        "What was converted into what?",
        "The church was converted into a library",
        [],
        ["A library became a church."],
    ),
    (
        "Which currency was exchanged for which?",
        "Euros were exchanged for yen",
        [],
        ["Yen were changed into euros at the counter."],
    ),
    (
        "From which language into which was the manual translated?",
        "From Finnish into Portuguese",
        [],
        ["It was rendered in Finnish from the Portuguese original."],
    ),
    (
        "Which numbers open the safe, in any order?",
        "7, 19 and 42",
        ["42, 7 and 19", "You need 19 and 42, plus 7."],
        [],
    ),
    (
        "Which bus lines stop at the hospital?",
        "Lines 4, 11 and 26",
        [],
        ["Lines 4 and 11.", "Lines 4, 11, 26 and 30"],
    ),
    (
        "What did the detective find under the bed?",
        "A key",
        [],
        ["A key and a bloodstained letter"],
    ),
    (
        "What metal is liquid at room temperature?",
        "Mercury",
        ["Mercury, once widely used in thermometers."],
        ["Mercury and iron", "Mercury, and also copper"],
    ),
    (
        "Which colour did they choose for the front door?",
        "Dark green",
        ["Dark green, a colour that hides dirt well."],
        ["Both dark green and red"],
    ),
    (
        "What is the largest ocean?",
        "The Pacific",
        [],
        ["The Pacific or the Indian Ocean", "The Pacific, and equally the Arctic Ocean"],
    ),
    ("Which insect makes honey?", "The honeybee", [], ["The honeybee or the dragonfly"]),
    (
        "What is the hardest natural mineral?",
        "Diamond",
        ["That would be diamond, with a value of 10 on the Mohs scale."],
        ["Diamond and quartz", "Diamond or talc", "Diamond, tied with gypsum"],
    ),
    (
        "What did the patient turn out to be allergic to?",
        "Penicillin",
        [],
        ["Penicillin and peanuts", "Penicillin or latex"],
    ),
    (
        "How did the patient's condition develop overnight?",
        "It got worse.",
        ["It deteriorated."],
        [],
    ),
    ("Which spice gives the rice its yellow colour?", "Saffron", [], ["Saffron or else turmeric."]),
    (
        "What is the longest river in Africa?",
        "The Nile",
        ["I wavered between the Congo and the Nile and settled on the Nile."],
        [],
    ),
    (
        "Which bone is the longest in the human body?",
        "The femur",
        ["The tibia or the femur? The femur, clearly."],
        [],
    ),
    (
        "Which country has the city of Marrakesh?",
        "Morocco",
        ["Tunisia or Morocco? Definitely Morocco."],
        [],
    ),
    (
        "Which of the two routes is shorter?",
        "The coastal route",
        [],
        ["The coastal route? Or the mountain route? I couldn't tell you."],
    ),
]


@pytest.mark.parametrize(("question", "reference", "right", "wrong"), QUESTIONS)
def test_first_tries(question: str, reference: str, right: list[str], wrong: list[str]) -> None:
    threshold = estimate.THRESHOLD
    entries = {answer: estimate.explain(answer, reference, question) for answer in [*right, *wrong]}
    assert [answer for answer in right if entries[answer]["score"] < threshold] == []
    assert [answer for answer in wrong if entries[answer]["score"] >= threshold] == []
    assert all(entry["reasons"] for entry in entries.values())


@pytest.mark.parametrize(
    "reference", ["nobody", "none", "all", "all of them", "never", "most of them", "all but two"]
)
def test_an_answer_with_the_words_of_a_reference_is_surely_right(reference: str) -> None:
    assert estimate.score(reference, reference, "How many passed?") > 0.95


def test_a_change_without_an_end_is_compared() -> None:
    reference = "The light changed from green."
    assert estimate.score("The light changed from green.", reference) > 0.9
    assert estimate.score("The light changed from red.", reference) <= 0.9


def test_a_property_in_other_words_is_ranked_and_gets_no_verdict() -> None:
    for question in ("What is the soup like?", "How does it taste?"):
        grade = estimate.grade_answer("It lacks flavour.", "Bland", question)
        assert (grade.interpretation, grade.right) == ("ranking", None)
    assert estimate.grade_answer("Bland", "Bland", "What is the soup like?").right is True
    assert estimate.grade_answer("7 km", "5 km", "How far is it?").right is False
