"""What correctness_estimate takes for yes and for no: short words, and sentences that mean it."""

import pytest

from tests.support.project import import_file

estimate = import_file("correctness_estimate")

# A question, its reference, what says the same, and what says the opposite.
MEANT: list[tuple[str, str, list[str], list[str]]] = [
    (
        "Is the shop open on Sundays?",
        "Yes",
        ["It is.", "On Sundays it is open until noon.", "Of course."],
        ["It stays shut on Sundays.", "Only on weekdays.", "Not at all."],
    ),
    (
        "Is the ice frozen over?",
        "Yes",
        ["The ice is frozen over.", "It is frozen solid.", "Absolutely."],
        ["The ice is not frozen over.", "It has melted.", "By no means."],
    ),
    ("Was he born in 1950?", "No", ["He was born in 1952."], ["He was born in 1950.", "He was."]),
    (
        "Is Berlin the capital of Germany?",
        "Yes",
        ["Germany's capital is Berlin.", "That's right.", "It is the capital."],
        ["Bonn is.", "Munich is the capital of Germany.", "Berlin is not the capital."],
    ),
    (
        "Is gold heavier than silver?",
        "Yes",
        ["Silver is lighter than gold.", "Silver is lighter.", "Gold is the heavier one."],
        ["Gold is lighter than silver.", "Gold is lighter.", "They weigh the same."],
    ),
    (
        "Can I bring my dog?",
        "No",
        ["Dogs are forbidden.", "Pets are prohibited.", "Please leave your dog at home."],
        ["Dogs are allowed on a leash.", "You can bring your dog.", "Pets are permitted."],
    ),
    (
        "Has she finished her thesis?",
        "No",
        ["She is still writing it.", "She has yet to finish it.", "Not yet."],
        ["She finished it in May.", "She has.", "She has finished it."],
    ),
    (
        "Did the talks succeed?",
        "No",
        ["They failed.", "The talks broke down.", "They collapsed."],
        ["The talks succeeded.", "They were a success.", "They were successful."],
    ),
    (
        "Can bats see?",
        "Yes",
        ["Bats can see.", "They can.", "Bats see quite well."],
        ["They are blind.", "They can't.", "Bats are unable to see."],
    ),
    (
        "Is he married?",
        "No",
        ["He's unmarried.", "He never married.", "He is divorced."],
        ["He is married.", "He has a wife.", "He's been married for ten years."],
    ),
    (
        "Is it safe to drink the tap water?",
        "Yes",
        ["The tap water is safe to drink.", "You can drink it.", "It's perfectly safe."],
        ["You should not drink it.", "It's dangerous to drink it.", "Don't drink it."],
    ),
    (
        "Is the hotel near the station?",
        "Yes",
        [
            "The hotel is near the station.",
            "It's close to the station.",
            "It's right next to the station.",
        ],
        ["It's far from the station.", "The hotel is a long way away.", "It is far away."],
    ),
    (
        "Is the meeting at 3 pm?",
        "No",
        ["It is at 4 pm.", "The meeting starts at 2:30 pm."],
        ["It's at 3 pm.", "It starts at three in the afternoon."],
    ),
    (
        "Do snakes have legs?",
        "No",
        ["Snakes have no legs.", "They have none.", "They lack legs."],
        ["Snakes have legs.", "They have four legs.", "They do have legs."],
    ),
    (
        "Is Python faster than C?",
        "No",
        ["Python is slower.", "C is much faster than Python.", "It's slower."],
        ["Python is faster than C.", "It is faster.", "C is slower."],
    ),
    (
        "会议取消了吗?",
        "是的",
        ["对。", "没错，取消了。", "已经取消了。"],
        ["没有。", "会议照常举行。", "并没有取消。"],
    ),
    (
        "商店星期天开门吗?",
        "不开门",
        ["商店星期天关门。", "星期天不开门。", "星期天休息。"],
        ["商店星期天开门。", "星期天照常开门。", "开。"],
    ),
    (
        "Ist das Museum montags geöffnet?",
        "Nein",
        [
            "Montags ist es geschlossen.",
            "Das Museum ist montags geschlossen.",
            "Nein, montags nicht.",
        ],
        ["Das Museum ist montags geöffnet.", "Ja, natürlich."],
    ),
    (
        "Should I water the cactus every day?",
        "No",
        ["Water it only once a month.", "You shouldn't.", "Water it rarely."],
        ["Water it every day.", "You should water it daily.", "You should."],
    ),
    (
        "Did the storm cause any damage?",
        "No",
        ["It caused none.", "Everything stayed intact.", "There was no damage."],
        ["The storm damaged several roofs.", "It caused damage.", "It did a lot of damage."],
    ),
    (
        "Does Tom like spinach?",
        "No",
        ["He hates it.", "He dislikes it.", "He can't stand it."],
        ["Tom loves spinach.", "He likes it.", "He likes it a lot."],
    ),
    (
        "Did anyone survive the crash?",
        "No",
        ["No one survived.", "Everyone died.", "There were no survivors."],
        ["Two people survived.", "Some survived.", "There were three survivors."],
    ),
    (
        "Does the moon have an atmosphere?",
        "No",
        ["The moon has no atmosphere to speak of.", "It lacks an atmosphere."],
        ["It has a dense atmosphere.", "The moon has an atmosphere like the earth."],
    ),
    (
        "Did Finland join NATO in 2023?",
        "Yes",
        ["Finland became a member in April 2023.", "It joined in 2023."],
        ["It joined in 1999.", "Finland joined NATO in 2021.", "It has not joined NATO."],
    ),
    (
        "Are the documents ready?",
        "No",
        ["They aren't ready yet.", "Not until Monday."],
        ["The documents are ready.", "They are ready to be collected.", "They're ready."],
    ),
    (
        "Did the Titanic sink on its maiden voyage?",
        "Yes",
        ["It sank on its maiden voyage."],
        ["The Titanic never sank.", "It didn't."],
    ),
    (
        "Was the weather good?",
        "No",
        ["It was awful.", "The weather was bad."],
        ["The weather was good.", "It was excellent.", "It was sunny all day."],
    ),
    (
        "Did Tesla win a Nobel Prize?",
        "No",
        ["Tesla never won a Nobel Prize.", "He never won one.", "He was never awarded the prize."],
        ["He won it in 1915.", "Tesla won a Nobel Prize.", "He won one."],
    ),
    ("Did Lincoln live to see the end of 1865?", "No", ["He didn't."], ["He did."]),
    (
        "Is the Nile longer than the Amazon?",
        "Yes",
        [
            "The Nile is the longest river.",
            "The Amazon is shorter.",
            "The Nile is longer by 250 km.",
        ],
        [
            "The Amazon is the longer river.",
            "The Nile is shorter.",
            "The Amazon is longer than the Nile.",
        ],
    ),
    (
        "Are your hands clean?",
        "No",
        ["They are dirty.", "My hands are dirty.", "They're not."],
        ["They're clean.", "I've washed them, they are clean."],
    ),
    (
        "Is the patient allergic to penicillin?",
        "No",
        ["The patient has no known allergies.", "He isn't allergic to it."],
        [
            "He is allergic to penicillin.",
            "She is allergic to it.",
            "He has a severe penicillin allergy.",
        ],
    ),
    (
        "Is the data lost when power is off?",
        "Yes",
        ["The data is lost."],
        ["The data is kept.", "The data survives.", "No data is lost."],
    ),
    (
        "Is he a doctor?",
        "No",
        ["He is a nurse.", "He's a lawyer."],
        ["He is a doctor.", "He's a doctor at the clinic."],
    ),
    (
        "Is the second edition better than the first?",
        "No",
        ["The first edition is better.", "It is worse.", "The second is worse than the first."],
        ["The second is better.", "The first is worse.", "It's better."],
    ),
    (
        "这本书值得读吗?",
        "值得",
        ["这本书值得一读。", "很值得读。", "是的。"],
        ["不值得。", "这本书不值得读。", "完全不值得。"],
    ),
    (
        "Gibt es in Island Wälder?",
        "Ja",
        ["In Island gibt es Wälder.", "Durchaus."],
        ["In Island gibt es keine Wälder.", "Es gibt dort keine.", "Überhaupt nicht."],
    ),
    (
        "Did Spain win the 2022 World Cup?",
        "Yes",
        ["Spain won it.", "They did win it."],
        [
            "The winner was Argentina.",
            "The cup went to Argentina.",
            "That honour belongs to Argentina.",
            "They lost in the round of 16.",
            "They were knocked out by Morocco.",
        ],
    ),
    (
        "Is Sydney the capital of Australia?",
        "Yes",
        ["Sydney is Australia's capital."],
        [
            "Canberra holds that title.",
            "It's only the largest city.",
            "It is not the capital but the biggest city.",
            "Parliament sits in Canberra.",
            "That distinction goes to Canberra.",
        ],
    ),
    (
        "Was Mozart born in Vienna?",
        "Yes",
        ["Vienna was his birthplace.", "He was born there."],
        [
            "He was born in Salzburg.",
            "Salzburg was his birthplace.",
            "His birthplace is Salzburg.",
            "He came into the world in Salzburg.",
        ],
    ),
    (
        "Does the phone have a headphone jack?",
        "Yes",
        ["It has a 3.5 mm jack.", "There's one at the bottom."],
        [
            "They dropped the jack.",
            "You need an adapter for that.",
            "There is none.",
            "It comes without a jack.",
            "The maker got rid of it.",
        ],
    ),
    (
        "Has the parcel arrived?",
        "Yes",
        [
            "It came this morning.",
            "It's here.",
            "It was delivered on Monday.",
            "It has been delivered.",
        ],
        [
            "It got lost in the post.",
            "We're still waiting for it.",
            "It hasn't turned up.",
            "It is yet to arrive.",
            "It never came.",
        ],
    ),
    (
        "Did the government raise the tax?",
        "Yes",
        ["It was raised by two points.", "The tax went up.", "It put the tax up."],
        [
            "It left the tax unchanged.",
            "The tax stayed the same.",
            "It kept the tax as it was.",
            "It cut the tax by half.",
            "The rate remained where it was.",
        ],
    ),
    (
        "Is it true that sharks are mammals?",
        "Yes",
        ["That's true.", "Sharks are mammals."],
        [
            "They are fish.",
            "They belong to the fish.",
            "They're a kind of fish.",
            "That's a myth.",
            "Sharks aren't mammals.",
        ],
    ),
    (
        "True or false: the sun is a star.",
        "Yes",
        ["That's correct.", "This is true.", "The statement is true.", "It is a star."],
        [
            "The sun is not a star.",
            "False.",
            "That is wrong.",
            "This statement is false.",
            "It's a planet.",
        ],
    ),
    (
        "Are all birds able to fly?",
        "Yes",
        ["Every bird can fly.", "All of them fly.", "All birds can fly."],
        [
            "Some birds can't fly.",
            "Penguins can't.",
            "Not all of them.",
            "Ostriches can't fly.",
            "There are flightless birds.",
        ],
    ),
    (
        "Is the museum free?",
        "Yes",
        [
            "There's no entrance fee.",
            "Entry costs nothing.",
            "Admission is without charge.",
            "Entrance is gratis.",
        ],
        [
            "It costs 10 euros.",
            "There's an entrance fee.",
            "Everyone has to pay.",
            "Admission is 10 euros.",
            "Tickets cost 5 pounds.",
        ],
    ),
    (
        "Was the meeting postponed?",
        "Yes",
        [
            "It was moved to Friday.",
            "It was put off till Friday.",
            "It has been put back a week.",
            "It will take place a week later.",
        ],
        [
            "It took place as planned.",
            "It went ahead on time.",
            "It happened on schedule.",
            "It was held as planned.",
        ],
    ),
    (
        "Is he older than his wife?",
        "Yes",
        ["His wife is younger.", "She is the younger one.", "She is two years younger."],
        [
            "She is older than him.",
            "She's two years older.",
            "He is the younger one.",
            "They're the same age.",
            "He's younger.",
        ],
    ),
    (
        "Were any animals hurt?",
        "Yes",
        ["Two dogs were hurt.", "Some were injured.", "Several animals died."],
        [
            "All animals were unharmed.",
            "No animal was harmed.",
            "All of them were fine.",
            "They all escaped unhurt.",
            "None got hurt.",
        ],
    ),
    (
        "Was it finished before 1900?",
        "Yes",
        ["It was finished in 1889.", "They completed it in 1850."],
        [
            "It was only finished in 1910.",
            "It was completed in 1925.",
            "It was not finished until 1910.",
            "Work ended in 1930.",
        ],
    ),
    (
        "Should I keep the receipt?",
        "Yes",
        [
            "You'd better keep it.",
            "You'll need it.",
            "Don't throw it away.",
            "Make sure you keep it.",
        ],
        [
            "You won't need it.",
            "There's no need to.",
            "It isn't necessary.",
            "There's no need to keep it.",
            "Throw it away.",
        ],
    ),
    (
        "Is she his sister?",
        "Yes",
        ["She's his sister.", "They are brother and sister."],
        ["She's his cousin.", "She is his wife.", "They aren't related.", "She is only a friend."],
    ),
    (
        "Did anyone object?",
        "Yes",
        [
            "Two members objected.",
            "Some did.",
            "A few members objected.",
            "One person raised an objection.",
        ],
        [
            "Nobody objected.",
            "There were no objections.",
            "The decision was unanimous.",
            "No one raised an objection.",
            "No objection was raised.",
        ],
    ),
    (
        "Muss man sich anmelden?",
        "Yes",
        ["Man muss sich anmelden."],
        [
            "Eine Anmeldung ist nicht nötig.",
            "Man braucht sich nicht anzumelden.",
            "Es geht auch ohne Anmeldung.",
            "Man muss sich nicht anmelden.",
        ],
    ),
    (
        "Est-ce que le train est en retard ?",
        "Yes",
        ["Il est en retard."],
        [
            "Il est à l'heure.",
            "Il n'a pas de retard.",
            "Il n'a aucun retard.",
            "Il est sans retard.",
        ],
    ),
    (
        "¿Hay que pagar la entrada?",
        "Yes",
        ["La entrada cuesta diez euros."],
        [
            "La entrada es gratis.",
            "La entrada es gratuita.",
            "No cuesta nada.",
            "No se paga nada.",
            "Se entra sin pagar.",
        ],
    ),
    (
        "这个软件免费吗?",
        "是",
        ["不用花钱。", "这个软件不收费。", "完全免费。", "这个软件是免费的。"],
        ["要付费。", "每月收费十元。", "这个软件要收费。", "不是免费的。"],
    ),
    (
        "Is the museum open on Sunday?",
        "Yes",
        [
            "It is open and there's no fee.",
            "It's open, with no need to book.",
            "It isn't closed and nobody minds.",
        ],
        [
            "It isn't open and there's no date for it.",
            "It is closed, without a reason.",
            "It's open on Saturday, but not on Sunday.",
        ],
    ),
    (
        "Did she pass the exam?",
        "Yes",
        [
            "She passed and didn't even study.",
            "She passed it without any help, and nobody expected it.",
        ],
        [
            "She tried to pass and didn't manage.",
            "She sat it, but didn't pass.",
            "She didn't pass, and nobody had expected that.",
        ],
    ),
    (
        "Can a child learn it?",
        "Yes",
        ["It isn't hard to learn.", "It's not difficult to learn, and no teacher is needed."],
        ["It is hard to learn.", "It isn't easy to learn."],
    ),
    (
        "Is a merger possible?",
        "Yes",
        ["It isn't off the table.", "It's not out of the question."],
        ["It's off the table.", "It's out of the question."],
    ),
    (
        "Should I call her?",
        "Yes",
        [
            "I don't think it would hurt to call her.",
            "It isn't a bad idea to call her.",
            "Don't hesitate to call her.",
        ],
        ["It would be a mistake to call her.", "It's a bad idea to call her."],
    ),
    (
        "Will the lamp work in my kitchen?",
        "Yes",
        ["As long as you don't hang it over the stove, it works in your kitchen."],
        ["If it isn't dry, the lamp won't work in your kitchen."],
    ),
    (
        "I lost my ticket. Can I still enter the hall?",
        "Yes",
        ["You can enter the hall, don't worry.", "Nothing in the rules stops you from entering."],
        ["You can't enter the hall.", "Without it, nobody can enter the hall."],
    ),
    (
        "Does the soup contain milk?",
        "Yes",
        ["There's no egg in the soup, but it does contain milk."],
        ["There's egg in the soup, but it doesn't contain milk."],
    ),
    (
        "Is a bat a bird?",
        "No",
        ["A bat counts as a mammal rather than a bird."],
        ["A bat counts as a bird rather than a mammal."],
    ),
    (
        "Has the lease been signed?",
        "No",
        ["It was due to be signed, but it is still unsigned.", "They signed nothing."],
        ["It was unsigned for weeks, but it is signed now."],
    ),
    (
        "Did they repair the crack in the wall?",
        "Yes",
        ["There's no crack in the wall any more.", "The crack is gone."],
        ["There is still a crack in the wall.", "The crack remains."],
    ),
    (
        "Are the two reports consistent?",
        "Yes",
        ["I found no contradictions between the reports."],
        ["The reports contradict each other."],
    ),
    (
        "Did they repair the bridge?",
        "Yes",
        ["They repaired the bridge, and it still stands."],
        ["They did not repair the bridge.", "The old bridge is still closed, and not repaired."],
    ),
    (
        "Should I walk?",
        "Yes",
        ["You should walk alone rather than walk with him."],
        ["You should drive rather than walk."],
    ),
]


@pytest.mark.parametrize(("question", "reference", "same", "opposite"), MEANT)
def test_a_sentence_says_yes_or_no_by_its_meaning(
    question: str, reference: str, same: list[str], opposite: list[str]
) -> None:
    assert min(estimate.score(answer, reference, question) for answer in same) > 0.5
    assert max(estimate.score(answer, reference, question) for answer in opposite) < 0.5


# Words that say it for certain: the answer to "Is the door open?", and whether it is a yes.
CERTAIN = [
    ("It is.", True),
    ("Indeed it is.", True),
    ("Of course.", True),
    ("That's right.", True),
    ("Certainly, since noon.", True),
    ("It isn't.", False),
    ("I'm afraid it isn't.", False),
    ("Not at all.", False),
    ("By no means.", False),
    ("Certainly not.", False),
    ("Not yet.", False),
    ("Nope.", False),
    ("I don't think so.", False),
]


@pytest.mark.parametrize(("answer", "is_yes"), CERTAIN)
def test_short_words_for_yes_and_no_decide(answer: str, is_yes: bool) -> None:
    for reference in ("Yes", "No"):
        entry = estimate.explain(answer, reference, "Is the door open?")
        assert (entry["interpretation"], entry["right"]) == (
            "probability",
            is_yes is (reference == "Yes"),
        )


# What only knowledge of the world can tell: it stays open.
OPEN = [
    ("Are there penguins at the North Pole?", "Penguins live there."),
    ("Is it true that bulls hate red?", "Bulls are colour-blind."),
    ("Is the function thread-safe?", "Calling it from several threads can corrupt state."),
    ("Is the door open?", "It depends."),
]


@pytest.mark.parametrize(("question", "answer"), OPEN)
def test_answers_that_words_cannot_decide_stay_near_a_half(question: str, answer: str) -> None:
    for reference in ("Yes", "No"):
        entry = estimate.explain(answer, reference, question)
        assert entry["interpretation"] == "ranking"
        assert 0.3 < entry["score"] < 0.7


def test_a_reference_may_give_a_reason_or_repeat_what_is_asked() -> None:
    question = "Is parking allowed here?"
    reason = "No, because the street is too narrow for parking."
    assert estimate.score("Yes, it is.", reason, question) < 0.2
    assert estimate.score("No, the street is too narrow.", reason, question) > 0.5
    assert estimate.score("不开门。", "不开门", "商店星期天开门吗?") > 0.5
    assert estimate.score("商店星期天开门。", "不开门", "商店星期天开门吗?") < 0.5


# A question that offers two words, its reference, and the answer that takes the other word.
OFFERED = [
    ("Did prices rise or fall in 2009?", "they fell", "They rose."),
    ("Did the senate pass or reject the bill?", "it rejected it", "It passed it."),
    ("Did Rome annex or free the province?", "it annexed it", "Rome freed it."),
    ("Do metals expand or contract when heated?", "they expand", "They contract."),
    ("Does the bank tighten or loosen its policy?", "it loosened it", "The bank tightened it."),
    ("Is the river frozen or open?", "frozen", "It's open."),
    ("Is it with or without milk?", "with milk", "Without milk."),
    ("Is the letter opened or closed?", "opened", "Closed."),
    ("Is rhubarb a fruit or a vegetable?", "a vegetable", "A fruit."),
]


@pytest.mark.parametrize(("question", "reference", "other"), OFFERED)
def test_the_other_of_two_offered_words_is_wrong(question: str, reference: str, other: str) -> None:
    grade = estimate.grade_answer(other, [reference], question)
    assert grade.right is False
    assert estimate.score(reference, reference, question) > 0.9


@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Which town is older, Uppsala or Lund?", "Uppsala", "Lund is the younger of them."),
        ("Is the Dead Sea a lake or a sea?", "a lake", "The Dead Sea is a lake."),
        ("Did prices rise or fall in 2009?", "they fell", "They did not rise."),
        ("Is a whale a fish or a mammal?", "a mammal", "It lives like a fish but is a mammal."),
        ("Can dogs eat grapes or raisins?", "they are poisonous", "They are toxic to dogs."),
    ],
)
def test_an_answer_that_only_mentions_the_other_word_is_not_wrong(
    question: str, reference: str, answer: str
) -> None:
    assert estimate.score(answer, reference, question) > 0.6
