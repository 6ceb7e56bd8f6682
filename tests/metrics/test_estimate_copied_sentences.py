"""A sentence of the reference, copied with one change, is right or wrong by that change."""

import pytest

from metrics.correctness_estimate import scoring as estimate

# A reference, a copy with a changed fact or two exchanged things, and one with the same facts.
COPIES = {
    "exchanged nouns": (
        "A mentor advises a student over years, while a tutor helps with a single course.",
        "A tutor advises a student over years, while a mentor helps with a single course.",
        "A tutor helps with a single course, while a mentor advises a student over years.",
    ),
    "exchanged in two sentences": (
        "Cats hunt mice at night. Dogs guard the house during the day.",
        "Dogs hunt mice at night. Cats guard the house during the day.",
        "Dogs guard the house during the day. Cats hunt mice at night.",
    ),
    "exchanged adjectives": (
        "The inner layer absorbs water and the outer layer repels dirt from the road.",
        "The outer layer absorbs water and the inner layer repels dirt from the road.",
        "The outer layer repels dirt from the road and the inner layer absorbs water.",
    ),
    "exchanged objects": (
        "Anna teaches French on Mondays and Paul teaches Latin on Fridays.",
        "Anna teaches Latin on Mondays and Paul teaches French on Fridays.",
        "Paul teaches Latin on Fridays and Anna teaches French on Mondays.",
    ),
    "exchanged verbs": (
        "The bond price falls when interest rates rise and rises when interest rates fall.",
        "The bond price rises when interest rates rise and falls when interest rates fall.",
        "If interest rates rise, the bond price falls, and it rises when interest rates fall.",
    ),
    "exchanged numbers": (
        "Women over 50 and men over 45 should have the test every second year.",
        "Women over 45 and men over 50 should have the test every second year.",
        "Men over 45 and women over 50 should have the test every second year.",
    ),
    "exchanged steps": (
        "First salt the water, then add the pasta and stir it once in a while.",
        "First add the pasta, then salt the water and stir it once in a while.",
        "First you salt the water, then you add the pasta and stir it once in a while.",
    ),
    "exchanged in German": (
        "Die Pumpe drückt das kalte Wasser nach oben, während das warme Wasser nach unten sinkt.",
        "Die Pumpe drückt das warme Wasser nach oben, während das kalte Wasser nach unten sinkt.",
        "Während das warme Wasser nach unten sinkt, drückt die Pumpe das kalte Wasser nach oben.",
    ),
    "exchanged in Chinese": (
        "白细胞负责抵抗感染，红细胞负责运输氧气，血小板负责凝血。",
        "红细胞负责抵抗感染，白细胞负责运输氧气，血小板负责凝血。",
        "红细胞负责运输氧气，白细胞负责抵抗感染，血小板负责凝血。",
    ),
    "another order of a list": (
        "The mayor signed it, and red, green and blue are the colours of the new flag.",
        "The mayor signed it, and red, green and blue are not the colours of the new flag.",
        "The mayor signed it, and blue, green and red are the colours of the new flag.",
    ),
    "another number": (
        "The company was sold for 3 million dollars in 2011 to a competitor.",
        "The company was sold for 5 million dollars in 2011 to a competitor.",
        "The company was sold for three million dollars in 2011 to a competitor.",
    ),
    "another share": (
        "Of the nurses who were asked, one in eight wanted to leave the clinic within a year.",
        "Of the nurses who were asked, one in five wanted to leave the clinic within a year.",
        "One in eight of the nurses who were asked wanted to leave the clinic within a year.",
    ),
    "another share in Chinese": (
        "调查显示，百分之四十二的读者支持延长开放时间，其余的人没有意见。",
        "调查显示，百分之二十四的读者支持延长开放时间，其余的人没有意见。",
        "调查显示，42%的读者支持延长开放时间，其余的人没有意见。",
    ),
    "another date in other words": (
        "The dam near the village burst on 9 May 1963 after a week of rain and filled the mill.",
        "It was on 9 May 1968, after a week of rain, that the dam near the village burst; the "
        "mill was filled.",
        "It was on 9 May 1963, after a week of rain, that the dam near the village burst; the "
        "mill was filled.",
    ),
    "a negating prefix": (
        "The song has become the unofficial anthem of the fishermen on the northern islands.",
        "The song has become the official anthem of the fishermen on the northern islands.",
        "The song has become an unofficial anthem of fishermen on the northern islands.",
    ),
    "a denial behind a denied clause": (
        "The tests found no leaks in the pipes, but the valves had not been cleaned since 2015.",
        "The tests found no leaks in the pipes, the valves had been cleaned since 2015.",
        "The tests found no leaks in the pipes, the valves had not been cleaned since 2015.",
    ),
    "another name": (
        "The treaty ended the war in 1648 and gave Alsace to France for good.",
        "The treaty ended the war in 1648 and gave Alsace to Spain for good.",
        "The treaty ended the war in 1648 and gave France Alsace for good.",
    ),
    "an opposite": (
        "A short seller hopes to buy the borrowed shares back later at a lower price.",
        "A short seller hopes to buy the borrowed shares back later at a higher price.",
        "A short seller hopes to buy the borrowed shares back at a lower price later.",
    ),
    "a denial less": (
        "The vaccine does not prevent infection but reduces severe disease in adults.",
        "The vaccine does prevent infection but reduces severe disease in adults.",
        "The vaccine doesn't prevent infection but reduces severe disease in adults.",
    ),
    "a denial of two things": (
        "The drug should not be taken with alcohol or grapefruit juice in the evening.",
        "The drug should be taken with alcohol or grapefruit juice in the evening.",
        "The drug shouldn't be taken with grapefruit juice or alcohol in the evening.",
    ),
    "a denial of what the clause says": (
        "错误。顺序栈是指使用顺序存储结构实现的栈，栈中的元素不一定是有序的。",
        "正确。顺序栈是指使用顺序存储结构实现的栈，栈中的元素一定是有序的。",
        "错误。顺序栈是指使用顺序存储结构实现的栈，不代表栈中的元素一定是有序的。",
    ),
    "a denial less in Chinese": (
        "报告指出，新桥的维修费用并不比旧桥高，而且通行时间更短。",
        "报告指出，新桥的维修费用比旧桥高，而且通行时间更短。",
        "报告指出，新桥的维修费用不比旧桥高，而且通行时间更短。",
    ),
    "a moved denial in Chinese": (
        "这种鱼并不靠视觉，而是靠电流的变化来寻找食物。",
        "这种鱼靠的是视觉，而不是靠电流的变化来寻找食物。",
        "这种鱼靠的是电流的变化，而不是靠视觉来寻找食物。",
    ),
    "a moved denial": (
        "The grant covers travel to the conference and not meals that are eaten at home.",
        "The grant covers meals that are eaten at home and not travel to the conference.",
        "The grant does not cover meals that are eaten at home, only travel to the conference.",
    ),
    "a denial at another place": (
        "Visitors must not touch the exhibits, but they may take pictures without flash.",
        "Visitors may touch the exhibits, but they must not take pictures without flash.",
        "Visitors may not touch the exhibits, but they can take pictures without flash.",
    ),
}


@pytest.mark.parametrize("name", COPIES)
def test_a_copied_sentence_with_one_changed_fact_is_wrong(name: str) -> None:
    """The changed copy shares as many words with the reference as the right one, or more."""
    reference, changed, same = COPIES[name]
    assert estimate.score(changed, reference) < 0.5 < estimate.score(same, reference)


def test_a_changed_fact_weighs_less_if_other_words_around_it_differ() -> None:
    """A free wording may have the number in another sense."""
    reference = "The tower was finished in 1889 after two years and is 330 metres high."
    copied = "The tower was finished in 1898 after two years and is 330 metres high."
    in_own_words = "They completed it within two years, by 1898, and it rises to 330 metres."
    weights = []
    for answer in (copied, in_own_words):
        reasons = estimate.explain(answer, reference)["reasons"]
        weights.append(sum(reason["weight"] for reason in reasons if reason["kind"] == "date"))
    assert weights[0] < weights[1] <= 0


def test_a_thousand_exchanged_things_are_bounded() -> None:
    """Each thing stands in a slot of every other one."""
    reference = " ".join(f"the word{i} of it is" for i in range(1000))
    answer = " ".join(f"the word{999 - i} of it is" for i in range(1000))
    assert 0 <= estimate.score(answer, reference) <= 1


# A reference, an answer in other words in which two facts stand in each other's place, and one in
# which each stands in its own place.
REWORDED = {
    "cities": (
        "The treaty was negotiated in Geneva during the spring. After long talks in a hotel, which "
        "went on for eleven days and were interrupted twice because of a strike of the staff, it "
        "was signed in Oslo by all parties, and the guns fell silent.",
        "All parties signed in Geneva. They had negotiated the treaty in Oslo before; the talks "
        "in a hotel went on for eleven days.",
        "All parties signed in Oslo. They had negotiated the treaty in Geneva before; the talks "
        "in a hotel went on for eleven days.",
    ),
    "teams in the passive": (
        "Kenya borders the ocean. In the league final, Nairobi defeated Mombasa after extra time. "
        "The city celebrated all night, the mayor gave a speech, and on the next day the players "
        "were driven through the streets in an open bus with music.",
        "The players were driven through the streets in an open bus: in the league final, Nairobi "
        "had been defeated by Mombasa after extra time.",
        "The players were driven through the streets in an open bus: in the league final, Mombasa "
        "had been defeated by Nairobi after extra time.",
    ),
    "measures": (
        "The bridge crosses the strait between two islands. It is 840 metres long and 31 metres "
        "wide, it carries both trains and trucks, and it was paid for by the toll that drivers had "
        "to pay on the ferries for nearly twenty years before.",
        "Trains and trucks use the bridge between two islands, which is 31 metres long and 840 "
        "metres wide. Drivers had to pay a toll on the ferries for it.",
        "Trains and trucks use the bridge between two islands, which is 31 metres wide and 840 "
        "metres long. Drivers had to pay a toll on the ferries for it.",
    ),
    "names that recur": (
        "Krampus is a figure of the Alps who walks beside Saint Nicholas in December. While "
        "Nicholas rewards children who were good, Krampus frightens the naughty ones. The custom "
        "spread from Austria to Slovenia, and clubs make the masks out of wood.",
        "The custom comes from Austria. Nicholas frightens naughty children, and Krampus rewards "
        "the others. Clubs carve the masks.",
        "The custom comes from Austria. Krampus frightens naughty children, and Nicholas rewards "
        "the others. Clubs carve the masks.",
    ),
}
# The order of a list's items tells nothing.
LISTED = (
    "The members of the band are Maria, Jonas, Aiko and Peter, who met at a school in Leeds.",
    "The band met at a school in Leeds. Its members are Peter, Aiko, Jonas and Maria.",
)


@pytest.mark.parametrize(("reference", "swapped", "right"), REWORDED.values(), ids=REWORDED)
def test_facts_in_each_others_place_lower_an_answer_in_other_words(
    reference: str, swapped: str, right: str
) -> None:
    assert estimate.score(swapped, reference) < estimate.score(right, reference) - 0.1
    assert "swapped" in list_reasons(swapped, reference)
    assert "swapped" not in list_reasons(right, reference)


# The denials in these agree with the reference.
BATHS = (
    "The baths were built by the emperor in the year 216 for 1,600 guests. They were heated with "
    "wood from the hills and fed by an aqueduct until the Goths cut it in 537. Concerts are given "
    "there today.",
    (
        "The baths were heated with wood, not coal.",
        "The baths for 1,600 guests, not 2,000, were fed by an aqueduct.",
        "The baths were not given up until the Goths cut the aqueduct in 537.",
        "The emperor, not the senate, built the baths.",
    ),
    "The baths for 1,600 guests were not built by the emperor.",
)


def test_a_rejected_thing_and_a_not_until_deny_nothing() -> None:
    reference, agreeing, denying = BATHS
    assert "denied" in list_reasons(denying, reference)
    accused = [answer for answer in agreeing if "denied" in list_reasons(answer, reference)]
    assert accused == []


def test_items_of_a_list_may_stand_in_another_order() -> None:
    reference, answer = LISTED
    assert "swapped" not in list_reasons(answer, reference)


def test_swapped_facts_are_set_beside_the_statement_that_they_contradict() -> None:
    reference, swapped, _ = REWORDED["names that recur"]
    statements = estimate.explain(swapped, reference)["statements"]
    (differing,) = [one for one in statements if one["kind"] == "differs"]
    assert "frightens" in differing["found"]
    assert "frightens" in differing["expected"]


def list_reasons(answer: str, reference: str) -> set[str]:
    """Return the kinds of the reasons for a score."""
    reasons = estimate.explain(answer, reference)["reasons"]
    return {reason["kind"] for reason in reasons}
