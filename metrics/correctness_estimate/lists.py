"""Lists: items that are missing or too many, and their order."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import NAME_VERB, STOP_WORDS
from .polarity import PRONOUNS
from .text import HAN, SAME_SPELLING, Text, compare_spelling, read_text
from .outcomes import DIFFERENT, EQUAL, Decision
from .values import asks_for_order


@dataclass(frozen=True)
class Finding:
    """Something in a list or a relation that speaks against an answer.

    Attributes:
        kind: partial, added, either or roles.
        evidence: how far it holds, 0..1.
        found: what the answer has.
        expected: what the reference has.
    """

    kind: str
    evidence: float
    found: str
    expected: str


# What stands between the items of a list, and makes several words one.
ITEM_SEPARATOR = re.compile(
    r"[,;、\n•] ?(?:(?:and|&|as well as) )?| (?:and|&|as well as|plus) |和|以及|及"
)
LIST_JOINT = re.compile(r" (?:and|&|as well as|plus) |[、\n•]|和|以及")
ITEM_MARK = re.compile(
    r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s*(?:the |an? )?|^(?:the|an?) ", re.IGNORECASE
)
SENTENCE_END = re.compile(r"(?<=[a-z\d)])[.!?](?:\s+|$)|[。！？]")
MOST_ITEMS, LONGEST_ITEM = 30, 5  # items of a list, words of one
LONGEST_LIST = 600  # characters of an answer that are read as a list
SHORTEST_ROOT, ROOT_SHARE = (
    8,
    0.7,
)  # letters of a word that is compared by its root, and the share of them
LONGEST_ANSWER = 25  # words of an answer whose second thing counts
SEVERAL_TIMES_LESS = 0.6  # what missing items count where the question asks for no list
# What a remark begins with that is no item: "as far as I know".
CLAUSE_WORDS = frozenset(
    "as i we you it they he she which who where that this if but so because although respectively "
    "both each for to from in on by with".split()
)
OPEN_WORDS = frozenset("or oder ou".split())
DENIAL_REACH = 2  # words from "no" or "not" to the item that it denies
# What an exception begins with: "all but the last" is no list.
EXCEPTION = re.compile(r"(?:except|excepting|excluding|but|other than|apart from|save)\b", re.I)
BRACKETS = re.compile(r"\s*\([^()]*\)")
WITH = "with"
ASKS_FOR_LIST = re.compile(
    r"\b(?:which|what|who)(?: of these| of the following)? (?:are|were)\b|"
    r"\b(?:which|what) (?:(?:two|three|four|five|six|all) )?(?:\w+ )?\w+[^s\W]s\b|"
    r"^\W*(?:please )?(?:name|list|give|enumerate)\b|\bhow many\b|\bmembers\b|"
    r"哪些|哪几|列出|[两二三四五六七八九十\d]大"
)


# ---- lists


def split_items(text: str) -> list[str]:
    """Return the items of a text that is a list, none where it is something else: "Seattle,
    Washington" is a place.

    >>> split_items("red, green and blue"), split_items("Seattle, Washington")
    (['red', 'green', 'blue'], [])
    >>> split_items("These three: a cat, a dog and me.")
    ['cat', 'dog', 'me']
    """
    return list(split_short_list(text[:LONGEST_LIST]))


@lru_cache(maxsize=1024)
def split_short_list(text: str) -> tuple[str, ...]:
    """Return the items of a list, and remember them: several rules ask for them."""
    text = re.sub(r"[ \t]+", " ", text.strip())
    for colon in (":", "："):
        text = text.rpartition(colon)[2].strip()
    sentence = SENTENCE_END.split(text)[0].strip()
    parts = ITEM_SEPARATOR.split(sentence)[: MOST_ITEMS + 1]
    items = [ITEM_MARK.sub("", part.strip()).strip() for part in parts]
    items = [item for item in items if item]
    is_list = LIST_JOINT.search(sentence) or len(items) > 2
    is_short = all(count_words(item) <= LONGEST_ITEM for item in items[1:])
    return tuple(items) if is_list and is_short and 1 < len(items) <= MOST_ITEMS else ()


def count_words(item: str) -> int:
    """Return how many words an item has; of Chinese two characters are about one."""
    return max(len(item.split()), len(HAN.findall(item)) // 2)


def split_reference(reference: Text, question: Text) -> list[str]:
    """Return the items of a reference that is a list and no sentence.

    Its numbers are compared as values.

    Two items with a comma alone are a list where the question asks for one; else they may be a
    place.
    """
    has_verb = any(shown.islower() and NAME_VERB.match(shown) for shown in reference.shown)
    begins_sentence = bool(reference.words) and reference.words[0] in PRONOUNS
    if len(reference.quantities) > 1 or has_verb or begins_sentence:
        return []
    items = split_items(reference.text)
    if not items and "where" not in question.places and asks_for_list(question):
        items = [item.strip() for item in reference.text.strip(" .").split(",") if item.strip()]
        items = items if len(items) == 2 else []
    is_list = all(count_words(item) <= LONGEST_ITEM and not EXCEPTION.match(item) for item in items)
    return items if is_list else []


def asks_for_list(question: Text) -> bool:
    """Return whether a question asks for several things."""
    return ASKS_FOR_LIST.search(question.lower) is not None


def find_missing_items(answer: Text, items: Sequence[str]) -> list[str]:
    """Return the items of a list that an answer lacks; what stands in brackets may be left out."""
    texts = [read_text(BRACKETS.sub("", item) or item) for item in items]
    counts = Counter(stem for text in texts for stem in set(text.stems))
    shared = {stem for stem, count in counts.items() if count > 1}
    return [
        item for item, text in zip(items, texts, strict=True) if not has_item(answer, text, shared)
    ]


def has_item(text: Text, item: Text, shared: Collection[str] = ()) -> bool:
    """Return whether a text has an item, in any spelling: of a name one word, else all words that
    tell something.

    Words that other items share tell nothing: the Blue Nile and the White Nile.
    """
    wanted = [i for i, word in enumerate(item.words) if word not in STOP_WORDS] or list(
        range(len(item.words))
    )
    wanted = [i for i in wanted if item.stems[i] not in shared] or wanted
    found = [item.stems[i] in text.places or has_spelling(text, item.words[i]) for i in wanted]
    is_name = all(item.shown[i][0].isupper() for i in wanted)
    if is_name:
        return any(
            has and not has_other_name(text, item, i) for has, i in zip(found, wanted, strict=True)
        )
    return all(found) and bool(found)


def has_other_name(text: Text, item: Text, i: int) -> bool:
    """Return whether another name follows a word of a name: National Oceanic, where National
    Aeronautics is meant.
    """
    if i + 1 >= len(item.words) or item.stems[i] not in text.places:
        return False
    after = text.places[item.stems[i]][0] + 1
    if (
        after >= len(text.words)
        or text.clause[after] != text.clause[after - 1]
        or not text.shown[after][0].isupper()
    ):
        return False
    return text.stems[after] not in item.places


def has_spelling(text: Text, word: str) -> bool:
    """Return whether a text has a word in another spelling, or one of the same root: judicial,
    judiciary.
    """
    return (
        len(word) > 2
        and any(
            compare_spelling(word, other) >= SAME_SPELLING or has_same_root(word, other)
            for other in text.distinct
        )
    ) or any(form in text.first_place for form in (f"{word}s", f"{word}es"))


def has_same_root(one: str, other: str) -> bool:
    """Return whether two words have most of their letters in common from the first on: legislative,
    legislature.
    """
    shorter = min(len(one), len(other))
    return (
        shorter >= SHORTEST_ROOT
        and one[: round(ROOT_SHARE * shorter)] == other[: round(ROOT_SHARE * shorter)]
    )


def find_added_items(
    answer: Text,
    reference: Text,
    items: Sequence[str],
    question: Text,
) -> list[str]:
    """Return the items of an answer's list that a reference which is a list does not have."""
    said, n_known = split_items(answer.text), len(items)
    whole = reference.text.strip(" .")
    has_whole = whole in answer.text
    if has_whole:
        # Word by word in the answer it is one thing, for it may be a band or a title.
        rest = split_items(answer.text.replace(whole, items[0], 1))
        said, n_known = (rest, 1) if rest else (said, n_known)
    if len(said) < n_known + 1:
        return []
    own = [item for item in said[1:] if has_item(reference, read_text(item))]
    known = reference.places.keys() | question.places.keys()
    added = list[str]()
    for item in said[1:]:  # before the first stands the beginning of the sentence
        text = read_text(item)
        if text.words and text.words[0] in CLAUSE_WORDS:
            break  # a remark on the list
        content = {stem for stem in text.content if not stem[0].isdigit()}
        is_known = has_item(reference, text) or content <= known
        if not is_known and 0 not in text.denials:
            added.append(item)
    is_list = has_whole or bool(own)
    return added if is_list and len(added) < len(said) - n_known + 1 else []


def decide_list(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer has all items of a reference that is a list, and no other.

    Return None otherwise.
    """
    items = split_reference(reference, question)
    if not items or answer.denials or answer.untrue or answer.hedges:
        return None
    if len(items) == 2 and leaves_open(answer, [reference, question]):
        return None
    if asks_for_order(question) and has_other_order(answer, items):
        return Decision(DIFFERENT, "swapped", answer.text.strip(), reference.text.strip())
    has_all = stand_together(answer, items) and not find_missing_items(answer, items)
    if not has_all or find_added_items(answer, reference, items, question):
        return None
    if has_further_words(answer, [reference, question], len(items)):
        return None
    return Decision(EQUAL, "list", answer.text.strip(), reference.text.strip())


def leaves_open(answer: Text, known: Sequence[Text]) -> bool:
    """Return whether an answer has an "or" that neither reference nor question has."""
    open_words = OPEN_WORDS & answer.first_place.keys()
    return any(all(word not in text.first_place for text in known) for word in open_words)


def is_denied_item(answer: Text, item: Text) -> bool:
    """Return whether an answer denies an item right before it: but no map, but not Czech."""
    places = [i for stem in item.content for i in answer.places.get(stem, ())]
    return bool(places) and all(
        any(0 < i - denial <= DENIAL_REACH for denial in answer.denials) for i in places
    )


def has_further_words(answer: Text, known: Sequence[Text], most: int) -> bool:
    """Return whether an answer has a name behind its first word, or many words, that some texts do
    not have: Anna and Tom shared it with Peter.
    """
    stems = {stem for text in known for stem in text.places}
    names = [name for name in answer.names if not stems & set(answer.stems[slice(*name)])]
    new = [stem for stem in answer.content if stem not in stems]
    return len(new) > most or any(start > 0 for start, _ in names)


def stand_together(answer: Text, items: Sequence[str]) -> bool:
    """Return whether an answer has all the items that it has in one sentence, or
    one on each line.
    """
    sentences = set[int]()
    for item in items:
        places = [i for stem in read_text(item).stems for i in answer.places.get(stem, ())]
        sentences |= {answer.sentence[i] for i in places[:1]}
    return len(sentences) < 2 or "\n" in answer.text


def has_other_order(answer: Text, items: Sequence[str]) -> bool:
    """Return whether an answer has the items of a list in another order.

    Each is one that it has in some form.
    """
    texts = [read_text(item) for item in items]
    places = [
        min((answer.places[stem][0] for stem in text.stems if stem in answer.places), default=-1)
        for text in texts
    ]
    return min(places) >= 0 and places != sorted(places)


def compare_lists(
    answer: Text,
    reference: Text,
    references: Sequence[Text],
    question: Text,
) -> Iterator[Finding]:
    """Yield that an answer lacks items of a reference that is a list, or has further ones.

    Args:
        answer: the answer.
        reference: the one that counts.
        references: all references; where one of them is no list, one item may do.
        question: the question.
    """
    items = split_reference(reference, question)
    if not items or not all(split_reference(text, question) for text in references):
        return
    added = find_added_items(answer, reference, items, question)
    if added and len(answer.words) <= LONGEST_ANSWER:
        yield Finding("added", 1.0, ", ".join(added), reference.text.strip())
    companions = find_companions(answer, [reference, question])
    if companions and not added:
        yield Finding("added", 1.0, ", ".join(companions), reference.text.strip())
    missing = find_missing_items(answer, items)
    missing += [
        item for item in items if item not in missing and is_denied_item(answer, read_text(item))
    ]
    # "a solid, a liquid or a gas" may say all three.
    is_pair = len(items) == 2 and answer.sentence[-1:] == [0]
    if not missing and is_pair and leaves_open(answer, [*references, question]):
        yield Finding("either", 1.0, answer.text.strip(), reference.text.strip())
    is_asked = asks_for_list(question)
    is_place = "where" in question.places and not is_asked  # Toronto, Ontario, Canada
    if missing and len(missing) < len(items) and not is_place:
        is_most = len(items) > 2 and 2 * len(missing) >= len(items)
        evidence = 1.0 if is_asked or is_most else SEVERAL_TIMES_LESS
        found = ", ".join(item for item in items if item not in missing)
        yield Finding("partial", evidence, found, ", ".join(missing))


def find_companions(answer: Text, known: Sequence[Text]) -> list[str]:
    """Return the names behind "with" that neither reference nor question has: they shared it with
    Peter.
    """
    found = list[str]()
    for start, end in answer.names:
        is_new = not any(
            answer.stems[i] in text.places for i in range(start, end) for text in known
        )
        if start and answer.words[start - 1] == WITH and is_new:
            found.append(answer.span(start, end))
    return found
