"""correctness_estimate by what a short answer is: a name, a value, a piece of code.

Each table has a question, its reference, the answers that are right, and those that are not.
"""

import pytest

from tests.support.project import import_file

estimate = import_file("correctness_estimate")

WHO, WHERE = "Who was it?", "Where was it?"
NAMES = [
    # another name beside the same title, given name, surname or kind of place
    (WHO, "Princess Victoria", ["Victoria"], ["Princess Madeleine", "It was Princess Sofia."]),
    (WHO, "Ludwig von Mises", ["L. v. Mises"], ["Ludwig Erhard", "Ludwig van Beethoven"]),
    (WHO, "Felipe de Borbón", ["Felipe de Borbon"], ["Carlos de Borbón", "Felipe de Habsburgo"]),
    (WHO, "Robert J. Hill", ["R. J. Hill", "Bob Hill", "Robert John Hill"], ["Robert J. Hall"]),
    (WHERE, "Saint Petersburg", ["St. Petersburg"], ["Saint Paul", "St. Louis"]),
    (WHERE, "New Zealand", ["NZ"], ["New Guinea", "New York"]),
    (WHERE, "Springfield, Illinois", ["Springfield, IL"], ["Springfield, MA"]),
    (
        "Which university was it?",
        "Massachusetts Institute of Technology",
        ["MIT"],
        ["University of Massachusetts"],
    ),
    # the same person in another form
    (WHO, "Marie Curie", ["Maria Skłodowska-Curie"], ["Pierre Curie"]),
    (WHO, "Elizabeth Bennet", ["Lizzy Bennet", "Eliza Bennet"], ["Lydia Bennet"]),
    (WHO, "Anthony Brown", ["Tony Brown", "A. Brown"], ["Antonia Brown"]),
    (WHO, "Anton Chekhov", ["Tschechow", "A. P. Chekhov"], ["Anton Bruckner"]),
    (WHO, "Nikita Khrushchev", ["Chruschtschow"], ["Leonid Brezhnev"]),
    # Wade-Giles and Pinyin
    (WHO, "Mao Zedong", ["Mao Tse-tung"], ["Mao Dun"]),
    (WHO, "Zhou Enlai", ["Chou En-lai"], ["Zhu De"]),
    (WHO, "Deng Xiaoping", ["Teng Hsiao-p'ing", "Teng Hsiao-ping"], ["Deng Pufang"]),
    (WHO, "Laozi", ["Lao Tzu", "Lao-tzu"], ["Chuang Tzu"]),
    # states by their two letters, cities by their former names
    ("Which state is it in?", "Nevada", ["NV", "NV, USA"], ["NE", "California"]),
    (WHERE, "Kyiv", ["Kiev"], ["Odesa"]),
    (WHERE, "Kolkata", ["Calcutta"], ["Bombay"]),
    # a title before the name, an office, a list of names, companies
    (WHO, "President John F. Kennedy", ["John F. Kennedy", "Mr. Kennedy"], ["Robert Kennedy"]),
    (WHO, "District Judge Amelia Hart", ["Sessions Judge Amelia Hart"], ["District Judge Cole"]),
    ("Who heard the case?", "District Judge", ["the Sessions Judge"], []),
    (WHO, "George H. W. Bush", ["George Bush Sr.", "G. H. W. Bush"], ["George W. Bush"]),
    (WHO, "Martin Luther King Jr.", ["MLK", "Martin Luther King"], ["Coretta Scott King"]),
    (WHO, "Henry VIII", ["King Henry the Eighth"], ["Henry the Seventh", "Henry VII"]),
    (WHO, "Maria Alvarez", ["María Álvarez"], ["Mario Alvarez", "Maria Alvarado"]),
    ("Which company?", "Procter & Gamble", ["P&G", "P & G"], ["Unilever"]),
    # a mention that fits beside one that does not
    (WHO, "Robert J. Hill", ["By Robert J. Hill; his brother James Hill drew the maps."], []),
]
CAPITAL = "Which city is the capital of Norway?\nA) Bergen\nB) Oslo\nC) Tromsø\nD) Stavanger"
GASES = "Which are noble gases? A. neon B. oxygen C. argon D. chlorine"
FIRST_STEP = "What comes first? (A) Call the doctor (B) Check the airway (C) Give oxygen"
CONDUCTORS = "Which of these conduct? a) copper b) glass c) graphite d) rubber"
ISLANDS = "Mark what fits: A Elba, B Corsica, C Ischia"
NO_SPICE = "Which one is NOT a spice? A cumin, B cloves, C gravel, D mace"
OPTIONS = [
    # the others are left out
    (
        CAPITAL,
        "B",
        ["Not A, C or D.", "All but B are wrong.", "It can't be A, and it can't be C or D."],
        ["Not A, B or D.", "B is out, and so is A.", "Any of them except B.", "Not Oslo."],
    ),
    (CAPITAL, "B", ["I would rule out A, C and D."], ["I would rule out A, B and C."]),
    (
        ISLANDS,
        "B",
        ["Elba and Ischia are Italian, which leaves just one."],
        ["Elba and Corsica are Italian, so only one is left."],
    ),
    (CAPITAL, "B", ["Neither Bergen nor Tromsø nor Stavanger."], ["Bergen rather than Oslo."]),
    ("Which is NOT a city? A. Rome B. Peru C. Oslo", "B", ["B is not a city."], ["C is not one."]),
    # the place of the option
    (
        CAPITAL,
        "B",
        ["The second one.", "I would go with the second option.", "Number two.", "Option 2"],
        ["The third one.", "The last option.", "Number four.", "It is the first."],
    ),
    (CAPITAL, "C", ["the second to last"], ["the last but two", "the second"]),
    (
        "法国首都是哪里？A. 里昂 B. 巴黎 C. 马赛",
        "B",
        ["第二个", "不是A或C。"],
        ["第三个选项", "不是B。"],
    ),
    (ISLANDS, "B", ["the one in the middle", "The middle option."], ["the last", "first"]),
    ("哪个是首都？A. 大阪 B. 东京 C. 京都", "B", ["中间那个"], ["最后一个"]),
    # a question that asks for the wrong one
    (
        NO_SPICE,
        "C",
        [
            "Cumin, cloves and mace are spices, gravel is not.",
            "All are spices except gravel.",
            "A, B and D are spices; C is stone.",
        ],
        ["Cumin, gravel and mace are spices, cloves are not.", "All but the mace are spices."],
    ),
    ("下列哪个不是水果？A.苹果 B.葡萄 C.土豆", "C", ["苹果和葡萄是水果"], ["苹果和土豆是水果"]),
    # its text in other words
    (
        FIRST_STEP,
        "B",
        ["Checking the airway.", "Check that the airway is free."],
        ["Giving oxygen."],
    ),
    (CAPITAL, "B", ["Oslo, not Bergen.", "I first thought Bergen, but it is Oslo."], ["Bergen."]),
    # several letters
    (
        GASES,
        "A, C",
        ["Both A and C.", "All but B and D.", "C as well as A", "the first and the third"],
        [
            "A only",
            "Only C.",
            "A, B and C",
            "A, but not C.",
            "neon and oxygen",
            "the first and the last",
        ],
    ),
    (
        ISLANDS,
        "A and C",
        ["first and third", "1st and 3rd", "Elba, Ischia"],
        ["the first two", "Only C", "second and third"],
    ),
    ("Who spoke? A. Ann Lee B. Bo Sand", "B", ["Sand", "the last"], ["Lee", "just Ann Lee"]),
    (
        CONDUCTORS,
        "a and c",
        ["copper and graphite", "All except b and d.", "Not glass or rubber.", "a and c only"],
        ["a", "a, c and d", "copper and glass"],
    ),
]
CODE = [
    # operators, which have no word
    ("How are two values compared in Python?", "!=", ["`!=`", "Use `!=`."], ["`==`", "Use `<>`."]),
    ("Which operator raises to a power?", "**", ["Use **.", "`**`"], ["`*`", "^"]),
    ("Which operator is the logical and?", "&&", ["With &&, as in a && b."], ["`&`", "`||`"]),
    # calls, names, options: each word and sign counts
    ("How is x added?", "xs.append(x)", ["Call `xs.append(x)`."], ["xs.remove(x)", "xs.pop(x)"]),
    ("How long is s?", "len(s)", ["`len(s)`", "len( s )"], ["len[s]", "len(t)"]),
    ("How is it read?", "open('a', 'r')", ['open("a", "r")'], ["open('a', 'w')"]),
    ("Which file?", "config.yaml", ["`config.yaml`"], ["config.json", "config.yml"]),
    ("Which branches?", "git branch -a", ["```\ngit branch -a\n```"], ["`git checkout -a`"]),
    ("Which files?", "ls -a", ["ls -la", "`ls -a`"], ["ls -l", "`ls -r`"]),
    ("Which property?", "color", ["`color`", "color: red;"], ["`background-color`"]),
    ("Which regular expression?", r"\d", [r"`\d`"], [r"`\D`", r"`\w`"]),
    # letters matter in the result of code
    ("What does 'Hello'.lower() return?", "'hello'", ["hello", '"hello"'], ["'Hello'", "`HELLO`"]),
    # the value beside the key that is asked for, the row of the rank
]

VALUES = [
    # ratios in words, in the order of the question
    # times: German ones, halves of the day, zones
    ("Wann ist Feierabend?", "17:30 Uhr", ["halb sechs abends"], ["halb sieben abends"]),
    (
        "Wann beginnt es?",
        "20:15 Uhr",
        ["Viertel nach acht", "8 Uhr 15 abends"],
        ["Viertel vor acht"],
    ),
    ("Wann endet es?", "19 Uhr", ["um 7 Uhr abends", "sieben Uhr"], ["um 7 Uhr morgens"]),
    ("When did it ring?", "05:20 local time", ["5:20 a.m."], ["17:20", "5:20 p.m."]),
    ("When did it launch?", "6:12 a.m. EST", ["at 6:12 in the morning"], ["6:12 p.m. EST"]),
    ("When does it end?", "midnight", ["12 a.m.", "00:00"], ["12:00", "noon"]),
    # a number far behind feet is no inches
    ("When was he measured?", "3 March", ["He was 6 ft tall on March 3."], ["6 ft on March 4."]),
    ("How tall is he?", "6 ft 2 in", ["six foot two", "6 feet, 2"], ["6 ft, and his son is 2."]),
    # the unit that is asked for, pairs, a sign behind the number
    ("How many days is it?", "seven", ["a week", "one week"], ["a fortnight"]),
    ("How many socks are there?", "12", ["six pairs", "a dozen"], ["twelve pairs"]),
    ("What is the charge?", "-2", ["2-", "two minus"], ["+2", "two plus"]),
    ("By how much did it rise?", "0.5 percentage points", ["50 basis points"], ["5 basis points"]),
    # a fall has a minus, a loss is no income
    ("How did it close?", "down 2.4%", ["-2.4%", "minus 2.4 percent"], ["up 2.4%", "-4.2%"]),
    (
        "What was the net income?",
        "$7 million",
        ["a profit of $7 million"],
        ["a loss of $7 million"],
    ),
    ("What was the result?", "a loss of €4m", ["-€4 million"], ["It earned 4 million euros."]),
    # half of a scale, more than a count, a year of two digits, a date with slashes
    ("How many?", "six", ["half a dozen", "6"], ["a dozen", "more than six", "fewer than 6"]),
    ("How many were hurt?", "none", ["0", "none of them", "nobody"], ["two"]),
    ("How many people?", "500,000", ["half a million"], ["a million"]),
    ("When was it?", "1994", ["in '94"], ["in '49", "in '93"]),
    ("When was it?", "12 March 1994", ["03/12/1994", "12/03/1994"], ["12/04/1994"]),
    # formulas with raised digits
    ("What is the area?", "a²", ["a^2", "$a^2$"], ["2a", "a³"]),
    ("What is the energy?", "½mv²", ["1/2 mv^2"], ["mv²", "2mv²", "$E_k = mv^2$"]),
    ("How much is it?", "25,000 dong", ["25,000 VND"], ["25,000 baht", "25,000 rupiah"]),
    ("How much goes in?", "1 1/2 teaspoons", ["1.5 tsp"], ["1 1/2 tablespoons"]),
]


@pytest.mark.parametrize(
    ("question", "reference", "right", "wrong"), [*NAMES, *OPTIONS, *CODE, *VALUES]
)
def test_answers(question: str, reference: str, right: list[str], wrong: list[str]) -> None:
    for answer in right:
        assert estimate.score(answer, reference, question) > 0.5, answer
    for answer in wrong:
        assert estimate.score(answer, reference, question) < 0.5, answer


def test_a_name_list_in_another_order_is_not_the_same() -> None:
    presidents = "Washington, Adams, Jefferson"
    question = "List the first three US presidents in order."
    assert estimate.score("Jefferson, Adams, Washington", presidents, question) < 0.5


def test_an_answer_without_a_number_is_compared_with_a_ratio_in_words() -> None:
    assert estimate.score("I do not know.", "one to twenty-five", "What is the ratio?") < 0.5
