"""Compare the order in which an answer names some things: green, then amber, then red.

The order is that in which the things stand, but for words that give one of them a place: "red comes
last", "first the eggs".
"""

import re
from collections.abc import Sequence

from .dismissals import FACT as ITEM
from .lexicon import ORDINALS
from .listed_items import list_mentions, mark_items
from .number_lists import asks_for_order
from .outcomes import DIFFERENT, EQUAL, LIKELY, OPEN, Decision
from .text import Text, read_text

LONGEST_REFERENCE = 30  # words
LONGEST_ANSWER = 40  # words
FEWEST_ITEMS, MOST_ITEMS = 3, 10
LONGEST_ITEM = 4  # words
# What stands between the items of a reference that tells an order: green, then amber; A → B.
ORDER_JOINT = re.compile(
    r"(?:→|->|=>|;|,|\n|\s\d{1,2}[.)]\s|\bfollowed by\b|\band then\b|\bthen\b|\bafter that\b"
    r"|\bnext\b|\bfinally\b|\blastly\b|\band\b)"
)
# Words of a reference that say that its items are in an order.
TELLS_ORDER = re.compile(r"→|->|=>|\bthen\b|\bfollowed by\b|\bafter that\b|(?:^|\s)1[.)] ")
# Words that only give the beginning or the end of a reference a place.
PLACE_WORDS = re.compile(r"^(?:1[.)] |first(?:ly)?,? )|(?: first| last)$")
# Words of an answer that may turn the order round, or doubt it.
TURNING = re.compile(
    r"\b(?:before|between|preced\w+|reverse\w*|backwards?|opposite|order of|follows?|or|not|earlier"
    r"|later|unlike|instead|until)\b|n't\b|\bafter (?!that\b)"
)
AFTER_LAST = re.compile(r"\blast,? after ")  # red comes last, after green and amber
LAST = frozenset("last finally lastly".split())
# "green comes first", "first comes green", "first green"
PLACE_BEHIND = re.compile(
    rf"(?P<item>{ITEM}),? (?:(?:is|was|are|were|comes?|came|goes|went|stands?|lights? up|in) )?"
    r"(?:the |at )?(?P<place>first|second|third|fourth|fifth|last)\b(?! (?:comes?|came|is|was)\b)"
)
PLACE_BEFORE = re.compile(
    r"\b(?P<place>first|second|third|fourth|fifth|last|finally|lastly)(?: (?:one|of all))?,? "
    rf"(?:(?:is|was|are|were|comes?|came|goes|went) )?(?P<item>{ITEM})"
)


def decide_item_order(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer names the things of a reference in its order, else return None.

    The question must ask for an order, or the reference must tell one: green, then amber.
    """
    is_short = len(reference.words) <= LONGEST_REFERENCE and len(answer.words) <= LONGEST_ANSWER
    tells_order = TELLS_ORDER.search(reference.lower) or asks_for_order(question)
    items = split_ordered_items(reference.lower) if is_short and tells_order else []
    mentions = list_mentions(answer, items) if items else []
    if not items or set(mentions) != set(range(len(items))):
        return None
    found, expected = answer.text.strip(), reference.text.strip()
    marked = AFTER_LAST.sub("last; then ", mark_items(answer, items))
    if TURNING.search(marked):
        return Decision(OPEN, "swapped", found, expected)
    order = read_item_order(marked, mentions, len(items))
    if not order:
        return None
    if order != sorted(order):
        return Decision(DIFFERENT, "swapped", found, expected)
    outcome = LIKELY if has_many_new_words(answer, [reference, question]) else EQUAL
    return Decision(outcome, "list", found, expected)


def split_ordered_items(text: str) -> Sequence[str]:
    """Return the items of a text in their order, none if it is no list of three or more things."""
    parts = [PLACE_WORDS.sub("", part.strip(" .")) for part in ORDER_JOINT.split(text.strip(" ."))]
    items = [part.strip(" .") for part in parts if part.strip(" .")]
    is_short = all(len(item.split()) <= LONGEST_ITEM for item in items)
    are_things = all(read_text(item).words for item in items)
    is_list = FEWEST_ITEMS <= len(items) <= MOST_ITEMS and len(set(items)) == len(items)
    return items if is_list and is_short and are_things else []


def read_item_order(marked: str, mentions: Sequence[int], n_items: int) -> list[int]:
    """Return the numbers of items in the order that an answer gives them, none if it is unclear.

    Args:
        marked: the answer, with ITEM in place of each item.
        mentions: the numbers of the items as they stand in the answer.
        n_items: how many items there are.
    """
    places = read_places(marked, n_items)
    if len(mentions) != n_items or places is None:
        return []
    order = [-1] * n_items
    for mention, place in places.items():
        order[place] = mentions[mention]
    rest = [number for mention, number in enumerate(mentions) if mention not in places]
    return [number if number >= 0 else rest.pop(0) for number in order]


def read_places(marked: str, n_items: int) -> dict[int, int] | None:
    """Return the place that words give to each mention of an item, None if two have the same."""
    places = dict[int, int]()
    for pattern in (PLACE_BEHIND, PLACE_BEFORE):
        for match in pattern.finditer(marked):
            mention = marked.count(ITEM, 0, match.start("item"))
            word = match["place"]
            place = n_items - 1 if word in LAST else ORDINALS.index(word)
            places.setdefault(mention, place)
    is_each_once = len(set(places.values())) == len(places)
    has_room = max(places.values(), default=0) < n_items
    return places if is_each_once and has_room else None


def has_many_new_words(answer: Text, known: Sequence[Text]) -> bool:
    """Return whether an answer has more new words than it may need to tell an order."""
    stems = set[str]().union(*(text.places for text in known))
    return sum(stem not in stems for stem in answer.content) > FEWEST_ITEMS
