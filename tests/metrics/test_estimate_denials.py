"""Test correctness_estimate on answers that deny, dismiss or say the opposite.

Answers that only look like denials are tested, too.
"""

from collections.abc import Sequence

import pytest

from tests.support.project import import_file

estimate = import_file("correctness_estimate")
text = import_file("correctness_estimate", "text")
find_contradictions = import_file("correctness_estimate", "contradictions").find_contradictions

# A question, its reference, answers that are right, and answers that are wrong.
Contrast = tuple[str, str, list[str], list[str]]
CONTRASTS: list[Contrast] = [
    (
        "Who wrote the opera Carmen?",
        "Georges Bizet",
        [
            "Carmen? That would be Bizet, not Verdi.",
            "Contrary to popular belief, it was Bizet.",
            "No one else than Georges Bizet wrote it.",
            "Wasn't it Georges Bizet? Yes, it was.",
            "Nobody doubts that Georges Bizet wrote it.",
            "Georges Bizet, and don't let anyone tell you otherwise.",
        ],
        [
            "Bizet? As if! It was Gounod.",
            "Bizet, my foot.",
            "Bizet? Far from it.",
            "Georges Bizet had no hand in it.",
            "Who says it was Bizet? Certainly not the score.",
            "That Georges Bizet wrote it is a legend.",
            "They say it was Georges Bizet, but it wasn't.",
            "That would be Gounod, not Bizet.",
        ],
    ),
    (
        "Who discovered penicillin?",
        "Alexander Fleming",
        [
            "Alexander Fleming won no prize that year, but he discovered penicillin.",
            "You'd not be wrong to say Fleming.",
            "No one could seriously claim it was anyone but Fleming.",
        ],
        ["Fleming has long been ruled out.", "Everyone but Fleming.", "Fleming? Nonsense!"],
    ),
    (
        "Which grain does Olga use?",
        "spelt",
        ["She uses spelt.", "Without spelt it would not be her bread."],
        [
            "She uses hardly any spelt.",
            "One would expect spelt, but she uses wheat.",
            "Wheat flour, not spelt.",
            "She stopped thinking it was spelt.",
            "Everything but spelt.",
            "It would be wrong to say spelt.",
            "Nobody would suggest spelt.",
            "I refuse to believe it is spelt.",
            "It cannot be spelt.",
            "As if it were spelt.",
            "She avoids spelt.",
            "Wheat in place of spelt.",
            "She used to use spelt, but now it is wheat.",
            "That spelt is in it is a myth.",
            "Keinen spelt.",
            "The one right after spelt.",
        ],
    ),
    (
        "How did voters react?",
        "Most voters supported the plan.",
        ["Most voters did support the plan."],
        ["Most voters opposed the plan.", "Most voters rejected the plan."],
    ),
    ("Is it harmful?", "It is harmless.", ["It is not harmful."], ["It is harmful."]),
    (
        "In which city was Mozart born?",
        "Salzburg",
        ["It would be wrong to say Vienna; he was born in Salzburg.", "Vienna? No, Salzburg."],
        [
            "Salzburg? No way.",
            "Salzburg has been ruled out.",
            "You'd be wrong to say Salzburg.",
            "Nobody would say Salzburg.",
            "I refuse to believe it was Salzburg.",
            "It cannot be Salzburg.",
            "As if he had been born in Salzburg!",
        ],
    ),
    (
        "What was the cause of the fire?",
        "a short circuit",
        ["It can't have been anything but a short circuit."],
        ["It can't have been a short circuit.", "A short circuit? Not at all."],
    ),
    (
        "What did the report find about the bridge?",
        "The bridge is safe.",
        ["The bridge is not unsafe.", "It did not find the bridge unsafe."],
        ["The bridge is far from safe.", "It denied that the bridge is safe."],
    ),
    (
        "What happened to prices last year?",
        "Prices rose.",
        ["Prices went up.", "Prices increased.", "Prices rose instead of falling."],
        ["Prices went down.", "They fell rather than rose.", "Prices failed to rise."],
    ),
    (
        "What did the committee do with the proposal?",
        "It accepted the proposal.",
        ["It didn't reject the proposal.", "It approved the proposal."],
        ["It declined to accept the proposal.", "It did not accept the proposal."],
    ),
    (
        "What did the minister say about taxes?",
        "She denied that taxes would rise.",
        ["She said that taxes would not rise."],
        ["She said that taxes would rise.", "She did not deny that taxes would rise."],
    ),
    (
        "What did the company do in the second quarter?",
        "It gained market share.",
        ["It didn't lose market share, it gained some."],
        ["It lost market share.", "It gained no market share."],
    ),
    (
        "When must the form be sent?",
        "before the interview",
        ["It must be sent before the interview, not after it."],
        ["after the interview", "It must be sent after the interview."],
    ),
    ("How does it compare?", "It is faster.", ["It's quicker."], ["It is less fast."]),
    (
        "What did scientists conclude?",
        "There is no link.",
        ["The link is a myth.", "They found that a link does not exist.", "A link was ruled out."],
        ["They did not rule out a link.", "There is no doubt that there is a link."],
    ),
    (
        "How do penguins move?",
        "Penguins cannot fly.",
        ["Penguins are unable to fly."],
        ["It is a myth that penguins cannot fly."],
    ),
    (
        "What did the witness say?",
        "The light was green.",
        ["The light was not red but green."],
        ["The light was anything but green.", "She denied that the light was green."],
    ),
    ("How common is the disease?", "rare", ["uncommon", "It is not common."], ["far from rare"]),
    (
        "Who stole the painting?",
        "the night guard",
        [
            "None other than the night guard.",
            "The night guard, no doubt.",
            "The cook had an alibi; the night guard did it.",
        ],
        [
            "The night guard had nothing to do with it.",
            "It was never the night guard.",
            "The cook, and not the night guard.",
            "Everybody suspected the night guard, but it was the cook.",
            "The night guard was cleared; it was the cook.",
        ],
    ),
    (
        "What is the currency of Croatia?",
        "the euro",
        [
            "The euro; the kuna was abolished in 2023.",
            "No longer the kuna but the euro.",
            "They pay in euros, not in kunas.",
        ],
        [
            "The euro was never introduced there.",
            "They have not adopted the euro.",
            "Croatia does without the euro.",
            "Anything but the euro.",
            "The euro was abolished there.",
        ],
    ),
    (
        "Which gas do plants take in?",
        "carbon dioxide",
        [
            "Carbon dioxide, not oxygen.",
            "It isn't oxygen, it's carbon dioxide.",
            "Nothing but carbon dioxide.",
        ],
        [
            "Plants take in hardly any carbon dioxide.",
            "They don't take in carbon dioxide.",
            "Oxygen rather than carbon dioxide.",
            "Carbon dioxide plays no role.",
            "Plants take in no carbon dioxide.",
        ],
    ),
    (
        "Where was Chopin born?",
        "Poland",
        [
            "Poland, not France.",
            "He wasn't born in France; it was Poland.",
            "In Poland - he never was a native of France.",
        ],
        [
            "Poland is wrong.",
            "Anywhere but Poland.",
            "He was not born in Poland.",
            "It isn't true that he was born in Poland.",
            "Contrary to what many think, not in Poland.",
        ],
    ),
    (
        "What is the legal status of the agreement?",
        "void",
        ["It is not valid.", "It has no legal force.", "It has no effect."],
        ["It is valid.", "It's still in force.", "It is not void.", "It is in effect."],
    ),
    (
        "Is the mushroom edible?",
        "It is poisonous.",
        ["It's not edible.", "You can't eat it.", "It isn't harmless."],
        ["It is not poisonous.", "It's edible.", "It is harmless.", "It can be eaten."],
    ),
    (
        "How is a whale classified?",
        "It is a mammal.",
        ["It's not a fish but a mammal.", "A mammal, not a fish.", "It is no fish; it's a mammal."],
        [
            "It's not a mammal.",
            "It's not a mammal but a fish.",
            "It is no mammal.",
            "It's a fish, not a mammal.",
        ],
    ),
    (
        "What did the study find?",
        "Coffee does not cause cancer.",
        [
            "Coffee doesn't cause cancer.",
            "That coffee causes cancer is a myth.",
            "It did not find that coffee causes cancer.",
        ],
        [
            "Coffee causes cancer.",
            "Coffee does cause cancer.",
            "It is not true that coffee does not cause cancer.",
        ],
    ),
    (
        "Has he ever smoked?",
        "never",
        ["Not once.", "He never did.", "He's a lifelong non-smoker."],
        ["He used to smoke.", "He did.", "He has never not smoked."],
    ),
    (
        "Wer hat das Lied geschrieben?",
        "Paul",
        ["Paul, nicht John.", "Es war nicht John, sondern Paul.", "Kein anderer als Paul."],
        [
            "Paul war es nicht.",
            "Nicht Paul, sondern John.",
            "Paul hat es nicht geschrieben.",
            "Es war nicht Paul.",
            "Paul hat nichts damit zu tun.",
        ],
    ),
    (
        "Qui a peint ce tableau ?",
        "Monet",
        ["Monet, pas Manet.", "Ce n'est pas Manet, c'est Monet."],
        [
            "Ce n'est pas Monet.",
            "Monet ne l'a pas peint.",
            "Pas Monet, mais Manet.",
            "Ce n'était pas Monet.",
        ],
    ),
    (
        "¿Quién ganó la carrera?",
        "Ana",
        ["Ana, no Luisa.", "No fue Luisa, sino Ana."],
        ["No fue Ana.", "Ana no ganó.", "No fue Ana sino Luisa.", "Ana no la ganó."],
    ),
    (
        "西红柿原产于哪里?",
        "南美洲",
        ["不是欧洲,而是南美洲。", "南美洲,不是欧洲。", "正是南美洲。"],
        ["不是南美洲,而是欧洲。", "并非南美洲。", "绝不是南美洲。", "不在南美洲。", "不是南美洲。"],
    ),
    (
        "谁写了《红楼梦》?",
        "曹雪芹",
        ["是曹雪芹,不是罗贯中。", "不是罗贯中,是曹雪芹。"],
        ["不是曹雪芹写的。", "并非曹雪芹。", "曹雪芹没有写过它。", "罗贯中,而不是曹雪芹。"],
    ),
    (
        "What did Columbus think he had reached?",
        "Asia",
        [
            "He never doubted that it was Asia.",
            "He did not doubt that it was Asia.",
            "He was never in doubt that it was Asia.",
        ],
        [
            "He never thought it was Asia.",
            "He stopped thinking it was Asia.",
            "He doubted that it was Asia.",
            "He didn't believe it was Asia.",
        ],
    ),
    (
        "What material is the roof made of?",
        "copper",
        [
            "Copper; there is no lead in it.",
            "It is copper without any tin.",
            "No tin, only copper.",
        ],
        [
            "There is no copper in it.",
            "It is made without copper.",
            "It contains no copper, only lead.",
        ],
    ),
    (
        "How do the new rules for imports compare with the old ones?",
        "more lenient",
        ["less strict", "They are less severe.", "not as strict as the old ones"],
        ["less lenient", "stricter", "They are not as lenient."],
    ),
    (
        "What is the harbour road like?",
        "safer than before",
        ["less dangerous", "It's not as risky as it used to be."],
        ["more dangerous", "less safe than it was"],
    ),
    (
        "What is the soil like now?",
        "less fertile",
        ["It has become more barren.", "not as fertile as it was"],
        ["more fertile", "It is less barren."],
    ),
    (
        "What did the reviewers think of the sequel?",
        "negative",
        ["far from favourable", "anything but positive"],
        ["far from negative", "anything but negative", "favourable"],
    ),
    (
        "How is the new teacher described?",
        "patient",
        ["anything but impatient", "not impatient"],
        ["impatient", "far from patient", "not very patient"],
    ),
    (
        "How does the lens change the image?",
        "It makes it larger",
        ["The image gets bigger."],
        ["It makes it smaller.", "The image gets smaller."],
    ),
    (
        "导线越长，电阻怎样变化？",
        "增大",
        ["导线越长，电阻越大。", "电阻也随之升高。"],
        ["导线越长，电阻越小。", "反而变小"],
    ),
    (
        "新手机和旧手机相比怎么样？",
        "更轻",
        ["没有旧手机重", "比旧的轻"],
        ["比旧的重", "没有旧手机轻"],
    ),
    ("这本书难不难？", "容易", ["并不难", "不难"], ["很难", "不容易"]),
    ("他对这个计划的态度怎样？", "支持", ["并不反对", "他很赞成。"], ["反对", "不支持"]),
    (
        "How does she see the future of the firm?",
        "optimistically",
        ["She is anything but gloomy.", "She's far from pessimistic."],
        ["She is anything but hopeful.", "far from optimistic", "pessimistically"],
    ),
    (
        "What was the verdict?",
        "not guilty",
        ["He was found innocent.", "The jury cleared him.", "He wasn't guilty."],
        ["He was guilty.", "He was convicted.", "He was not acquitted.", "He was found guilty."],
    ),
]


def list_cases(contrasts: Sequence[Contrast]) -> list[tuple[str, str, str, bool]]:
    """Return the question, the reference, each answer, and whether it is right."""
    cases = []
    for question, reference, right_answers, wrong_answers in contrasts:
        for answer in right_answers:
            cases.append((question, reference, answer, True))
        for answer in wrong_answers:
            cases.append((question, reference, answer, False))
    return cases


@pytest.mark.parametrize(("question", "reference", "answer", "is_right"), list_cases(CONTRASTS))
def test_two_denials_affirm_and_one_denies(
    question: str,
    reference: str,
    answer: str,
    is_right: bool,
) -> None:
    assert (estimate.score(answer, reference, question) > 0.5) is is_right


# Only meaning tells these: none is called a probability.
@pytest.mark.parametrize(
    ("question", "reference", "answer"),
    [
        ("Who wrote the opera Carmen?", "Georges Bizet", "Bizet, my foot."),
        ("What happened to prices?", "Prices rose.", "Prices went up."),
        ("What happened to prices?", "Prices rose.", "Prices went down."),
    ],
)
def test_estimates_of_denials_are_rankings(question: str, reference: str, answer: str) -> None:
    entry = estimate.explain(answer, reference, question)
    assert (entry["interpretation"], entry["right"]) == ("ranking", None)
    assert 0.1 < entry["score"] < 0.9


def test_a_dismissed_fact_has_a_denial_among_its_reasons() -> None:
    entry = estimate.explain("Bizet, my foot.", "Georges Bizet", "Who wrote Carmen?")
    (reason,) = [one for one in entry["reasons"] if one["kind"] == "denied"]
    assert reason["weight"] < 0
    assert "my foot" in reason["sentence"]


TREE = (
    "In a binary tree each node has up to two children, and the search visits the left child "
    "before the right one. A character is sent between a start bit and a stop bit at a low rate."
)
# An answer beside TREE, and the kinds of what contradicts it.
BESIDE_LONG = [
    ("In a binary tree each node has no more than two children.", []),
    ("If a node has not two children in the binary tree, the search ends.", []),
    ("A character is sent with a stop and a start bit.", []),
    ("In a binary tree each node has not up to two children.", ["denied"]),
    ("A character is sent at a high rate.", ["opposite"]),
]


@pytest.mark.parametrize(("answer", "kinds"), BESIDE_LONG)
def test_a_denial_in_a_long_text_must_deny_something(answer: str, kinds: list[str]) -> None:
    found = find_contradictions(text.Text(answer), text.Text(TREE), text.Text("How is it sent?"))
    assert [one.kind for one in found] == kinds


# A question, its reference, the same in other words, and the opposite.
OPPOSITES = [
    ("How is bread stored?", "in a dry place", "a dry place is best", "in a damp place"),
    ("What is the frame like?", "sturdy", "The frame is sturdy.", "The frame is fragile."),
    ("What did the court do?", "convicted him", "He was convicted.", "The court acquitted him."),
    ("Was macht der Preis?", "er steigt", "Der Preis steigt.", "Der Preis sinkt."),
    ("Wo ist der Schalter?", "links neben der Tür", "Links neben der Tür.", "rechts neben der Tür"),
    ("Liegt Bonn nördlich von Köln?", "südlich", "Es liegt südlich.", "Es liegt nördlich."),
    ("¿Qué hizo el equipo?", "ganó el partido", "El equipo lo ganó.", "perdió el partido"),
    ("¿Cómo está la puerta?", "abierta", "Está abierta.", "Está cerrada."),
    ("Où est la gare ?", "à gauche de l'église", "La gare est à gauche.", "à droite de l'église"),
    ("Comment est l'eau ?", "chaude", "L'eau est chaude.", "L'eau est froide."),
]


@pytest.mark.parametrize(("question", "reference", "same", "opposite"), OPPOSITES)
def test_an_opposite_is_wrong_in_several_languages(
    question: str, reference: str, same: str, opposite: str
) -> None:
    assert estimate.score(same, reference, question) > 0.5
    assert estimate.score(opposite, reference, question) < 0.3


# A longer reference, or one of several parts: the same in other words, and the contrary of a part.
PARTS: list[Contrast] = [
    (
        "What does the vaccine do?",
        "The vaccine reduced the number of severe cases in older adults.",
        ["In older adults the vaccine reduced severe cases."],
        [
            "The vaccine increased the number of severe cases in older adults.",
            "The vaccine did not reduce the number of severe cases in older adults.",
            "The vaccine reduced the number of mild cases in older adults.",
        ],
    ),
    (
        "What did the doctor say about the tumour?",
        "The tumour is benign and does not need surgery.",
        ["It's benign, so no surgery is needed."],
        [
            "The tumour is malignant and needs surgery.",
            "The tumour is benign but needs surgery.",
            "The tumour is not benign and does need surgery.",
        ],
    ),
    (
        "What did the audit find?",
        "The records were complete and accurate.",
        ["The records were accurate and complete."],
        [
            "The records were incomplete and inaccurate.",
            "The records were neither complete nor accurate.",
        ],
    ),
    (
        "What is the relation between price and demand?",
        "When the price rises, demand falls.",
        ["Demand falls when the price rises."],
        ["When the price rises, demand rises.", "When the price rises, demand does not fall."],
    ),
    (
        "What did the study find about sleep?",
        "People who sleep less than six hours gain more weight.",
        ["Those who sleep less than six hours gain more weight."],
        [
            "People who sleep less than six hours lose more weight.",
            "People who sleep less than six hours do not gain more weight.",
        ],
    ),
    (
        "Why did the cake not rise?",
        "There was too little baking powder.",
        ["There wasn't enough baking powder."],
        ["There was too much baking powder."],
    ),
    (
        "How did the patient react to the drug?",
        "She tolerated the drug well.",
        ["The drug was well tolerated."],
        ["She tolerated the drug badly.", "She tolerated the drug poorly."],
    ),
    (
        "How are the two engines compared?",
        "The new engine is quieter and uses less fuel than the old one.",
        ["Compared with the old one, the new engine is quieter and needs less fuel."],
        ["The new engine is louder and uses less fuel than the old one."],
    ),
    (
        "How does the new tariff treat households?",
        "Under the new tariff small households pay less per unit, while large ones pay more.",
        ["Large households pay more per unit under the new tariff, small ones less."],
        ["Under the new tariff small households pay more per unit, while large ones pay less."],
    ),
    (
        "Which one is denser?",
        "Liquid water at that temperature is denser than the ice on it.",
        ["The ice on it is less dense than liquid water at that temperature."],
        ["Liquid water at that temperature is not denser than the ice on it."],
    ),
]


@pytest.mark.parametrize(("question", "reference", "answer", "is_right"), list_cases(PARTS))
def test_one_contrary_part_makes_an_answer_wrong(
    question: str, reference: str, answer: str, is_right: bool
) -> None:
    assert (estimate.score(answer, reference, question) > 0.5) is is_right
