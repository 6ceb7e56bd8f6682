"""Lists: items that are missing or too many, and their order."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import NAME_VERB, STOP_WORDS
from .polarity import PRONOUNS
from .text import HAN, SAME_SPELLING, Text, compare_spelling, read_text
from .outcomes import DIFFERENT, EQUAL, Decision
from .number_lists import asks_for_order


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
SHORTEST_ROOT = 8  # letters of a word that is compared by its root
ROOT_SHARE = 0.7  # of a word's letters that are its root
LONGEST_ANSWER = 25  # words of an answer whose second thing counts
SEVERAL_TIMES_LESS = 0.6  # what missing items count where the question asks for no list
# What a remark begins with that is no item: "as far as I know".
CLAUSE_WORDS = frozenset(
    "as i we you it they he she which who where that this if but so because although respectively "
    "both each for to from in on by with".split()
)
OPEN_WORDS = frozenset("or oder ou".split())
OPEN_WORDS = frozenset("or oder ou".split())
DENIAL_REACH = 2  # words from "no" or "not" to the item that it denies
# What an exception begins with: "all but the last" is no list.
EXCEPTION = re.compile(r"(?:except|excepting|excluding|but|other than|apart from|save)\b", re.I)
BRACKETS = re.compile(r"\s?\([^()]{0,200}\)")
WITH = "with"
ASKS_FOR_LIST = re.compile(
    r"\b(?:which|what|who)(?: of these| of the following)? (?:are|were)\b|"
    r"\b(?:which|what) (?:(?:two|three|four|five|six|all) )?(?:\w+ )?\w+[^s\W]s\b|"
    r"^\W*(?:please )?(?:name|list|give|enumerate)\b|\bhow many\b|\bmembers\b|"
    r"哪些|哪几|列出|[两二三四五六七八九十\d]大"
)


# ---- lists


def split_items(text: str) -> list[str]:
    """Return the items of a text that is a list, else none: "Seattle, Washington" is a place.

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
    stripped = [ITEM_MARK.sub("", part.strip()).strip() for part in parts]
    items = tuple(filter(None, stripped))
    if not 1 < len(items) <= MOST_ITEMS:
        return ()
    if len(items) == 2 and not LIST_JOINT.search(sentence):
        return ()
    is_short = all(count_words(item) <= LONGEST_ITEM for item in items[1:])
    return items if is_short else ()


def count_words(item: str) -> int:
    """Return how many words an item has; of Chinese two characters are about one."""
    return max(len(item.split()), len(HAN.findall(item)) // 2)


def split_reference(reference: Text, question: Text) -> list[str]:
    """Return the items of a reference that is a list and no sentence.

    Its numbers are compared as values.
    """
    if len(reference.quantities) > 1 or is_clause(reference):
        return []
    items = split_items(reference.text)
    if not items and "where" not in question.places and asks_for_list(question):
        items = split_pair(reference.text)
    is_list = all(count_words(item) <= LONGEST_ITEM and not EXCEPTION.match(item) for item in items)
    return items if is_list else []


def is_clause(text: Text) -> bool:
    """Return whether a text has a verb, or begins with a pronoun."""
    if text.words and text.words[0] in PRONOUNS:
        return True
    return any(shown.islower() and NAME_VERB.match(shown) for shown in text.shown)


def split_pair(text: str) -> list[str]:
    """Return two items with a comma alone; where no list is asked for, they may be a place."""
    parts = [part.strip() for part in text.strip(" .").split(",")]
    items = list(filter(None, parts))
    return items if len(items) == 2 else []


def asks_for_list(question: Text) -> bool:
    """Return whether a question asks for several things."""
    return ASKS_FOR_LIST.search(question.lower) is not None


def find_missing_items(answer: Text, items: Sequence[str]) -> list[str]:
    """Return the items of a list that an answer lacks; what stands in brackets may be left out."""
    texts = [read_text(BRACKETS.sub("", item) or item) for item in items]
    counts = Counter[str]()
    for text in texts:
        counts.update(set(text.stems))
    shared = {stem for stem, count in counts.items() if count > 1}
    missing = list[str]()
    for item, text in zip(items, texts, strict=True):
        if not has_item(answer, text, shared):
            missing.append(item)
    return missing


def has_item(text: Text, item: Text, shared: Collection[str] = ()) -> bool:
    """Return whether a text has an item, in any spelling.

    Of a name one word does, else all words that tell something. Words that other items share tell
    nothing: the Blue Nile and the White Nile.
    """
    telling = list_telling_words(item, shared)
    found = [
        i for i in telling if item.stems[i] in text.places or has_spelling(text, item.words[i])
    ]
    is_name = all(item.shown[i][0].isupper() for i in telling)
    if is_name:
        return any(not continues_as_other_name(text, item, i) for i in found)
    return len(found) == len(telling)


def list_telling_words(item: Text, shared: Collection[str]) -> Sequence[int]:
    """Return the places of the words that tell an item from others; all, where none does."""
    content = [i for i, word in enumerate(item.words) if word not in STOP_WORDS]
    words = content or range(len(item.words))
    own = [i for i in words if item.stems[i] not in shared]
    return own or words


def continues_as_other_name(text: Text, item: Text, i: int) -> bool:
    """Return whether another name follows a word of a name in a text.

    This is National Oceanic, where National Aeronautics is meant.
    """
    if i + 1 >= len(item.words) or item.stems[i] not in text.places:
        return False
    after = text.places[item.stems[i]][0] + 1
    if after >= len(text.words) or text.clause[after] != text.clause[after - 1]:
        return False
    return text.shown[after][0].isupper() and text.stems[after] not in item.places


def has_spelling(text: Text, word: str) -> bool:
    """Return whether a text has a word in another spelling, or its root: judicial, judiciary."""
    if len(word) > 2 and any(is_spelling(word, other) for other in text.distinct):
        return True
    return f"{word}s" in text.first_place or f"{word}es" in text.first_place


def is_spelling(word: str, other: str) -> bool:
    """Return whether a word is another spelling of a word, or has the same root."""
    return compare_spelling(word, other) >= SAME_SPELLING or has_same_root(word, other)


def has_same_root(one: str, other: str) -> bool:
    """Return whether two words share most of their first letters: legislative, legislature."""
    shorter = min(len(one), len(other))
    if shorter < SHORTEST_ROOT:
        return False
    length = round(ROOT_SHARE * shorter)
    return one[:length] == other[:length]


def find_added_items(
    answer: Text,
    reference: Text,
    items: Sequence[str],
    question: Text,
) -> list[str]:
    """Return the items of an answer's list that a reference which is a list does not have."""
    own_items = split_items(answer.text)
    n_known = len(items)
    whole = reference.text.strip(" .")
    has_whole = whole in answer.text
    if has_whole:
        # Word by word in the answer it is one thing, for it may be a band or a title.
        rest = split_items(answer.text.replace(whole, items[0], 1))
        if rest:
            own_items, n_known = rest, 1
    n_further = len(own_items) - n_known
    if n_further < 1:
        return []
    # Before the first item stands the beginning of the sentence.
    texts = [read_text(item) for item in own_items[1:]]
    if not has_whole and not any(has_item(reference, text) for text in texts):
        return []
    n_items = count_items_before_remark(texts)
    known = reference.places.keys() | question.places.keys()
    added = list[str]()
    for item, text in zip(own_items[1 : n_items + 1], texts[:n_items], strict=True):
        if is_new_item(text, reference, known):
            added.append(item)
    return added if len(added) <= n_further else []


def count_items_before_remark(items: Sequence[Text]) -> int:
    """Return how many items stand before a remark on the list: as far as I know."""
    for number, item in enumerate(items):
        if item.words and item.words[0] in CLAUSE_WORDS:
            return number
    return len(items)


def is_new_item(item: Text, reference: Text, known: Set[str]) -> bool:
    """Return whether an item is not denied, and says what neither reference nor question says."""
    if 0 in item.denials or has_item(reference, item):
        return False
    content = {stem for stem in item.content if not stem[0].isdigit()}
    return not content <= known


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
    if not has_just_items(answer, reference, items, question):
        return None
    return Decision(EQUAL, "list", answer.text.strip(), reference.text.strip())


def has_just_items(answer: Text, reference: Text, items: Sequence[str], question: Text) -> bool:
    """Return whether an answer has all items of a reference in one place, and nothing else."""
    if not stand_together(answer, items) or find_missing_items(answer, items):
        return False
    if find_added_items(answer, reference, items, question):
        return False
    return not has_further_words(answer, [reference, question], len(items))


def leaves_open(answer: Text, known: Sequence[Text]) -> bool:
    """Return whether an answer has an "or" that neither reference nor question has."""
    open_words = OPEN_WORDS & answer.first_place.keys()
    return any(all(word not in text.first_place for text in known) for word in open_words)


def is_denied_item(answer: Text, item: Text) -> bool:
    """Return whether an answer denies an item right before it: but no map, but not Czech."""
    places = list[int]()
    for stem in item.content:
        places += answer.places.get(stem, ())
    return bool(places) and all(follows_denial(answer, i) for i in places)


def find_denied_items(answer: Text, items: Sequence[str], missing: Sequence[str]) -> list[str]:
    """Return the items that an answer denies, but the missing ones."""
    present = [item for item in items if item not in missing]
    return [item for item in present if is_denied_item(answer, read_text(item))]


def follows_denial(text: Text, i: int) -> bool:
    """Return whether a word stands right behind a denial."""
    return any(0 < i - denial <= DENIAL_REACH for denial in text.denials)


def has_further_words(answer: Text, known: Sequence[Text], most: int) -> bool:
    """Return whether an answer has many words that are not known, or such a name.

    Its first word is no such name: Anna and Tom shared it with Peter.
    """
    stems = set[str]().union(*(text.places for text in known))
    n_new = sum(stem not in stems for stem in answer.content)
    if n_new > most:
        return True
    return any(
        start > 0 and stems.isdisjoint(answer.stems[start:end]) for start, end in answer.names
    )


def stand_together(answer: Text, items: Sequence[str]) -> bool:
    """Return whether the items that an answer has are in one sentence, or one on each line."""
    sentences = set[int]()
    for item in items:
        place = find_first_word(answer, read_text(item))
        if place is not None:
            sentences.add(answer.sentence[place])
    return len(sentences) < 2 or "\n" in answer.text


def find_first_word(answer: Text, item: Text) -> int | None:
    """Return where an answer has the first of an item's words that it has."""
    for stem in item.stems:
        if stem in answer.places:
            return answer.places[stem][0]
    return None


def has_other_order(answer: Text, items: Sequence[str]) -> bool:
    """Return whether an answer has all items of a list, in some form, in another order."""
    places = list[int]()
    for item in items:
        stems = read_text(item).stems
        own = [answer.places[stem][0] for stem in stems if stem in answer.places]
        if not own:
            return False
        places.append(min(own))
    return places != sorted(places)


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
    yield from report_added_items(answer, reference, items, question)
    missing = find_missing_items(answer, items)
    missing += find_denied_items(answer, items, missing)
    # "a solid, a liquid or a gas" may say all three.
    is_pair = len(items) == 2 and answer.sentence[-1:] == [0]
    if not missing and is_pair and leaves_open(answer, [*references, question]):
        yield Finding("either", 1.0, answer.text.strip(), reference.text.strip())
    if 0 < len(missing) < len(items):
        yield from report_missing_items(items, missing, question)


def report_added_items(
    answer: Text, reference: Text, items: Sequence[str], question: Text
) -> Iterator[Finding]:
    """Yield that an answer has further items, or else names behind "with" that are new."""
    added = find_added_items(answer, reference, items, question)
    if added and len(answer.words) > LONGEST_ANSWER:
        return
    further = added or find_companions(answer, [reference, question])
    if further:
        yield Finding("added", 1.0, ", ".join(further), reference.text.strip())


def report_missing_items(
    items: Sequence[str], missing: Sequence[str], question: Text
) -> Iterator[Finding]:
    """Yield that an answer lacks some items of a list, unless it is a place."""
    is_asked = asks_for_list(question)
    if "where" in question.places and not is_asked:  # Toronto, Ontario, Canada
        return
    is_most = len(items) > 2 and 2 * len(missing) >= len(items)
    evidence = 1.0 if is_asked or is_most else SEVERAL_TIMES_LESS
    present = [item for item in items if item not in missing]
    yield Finding("partial", evidence, ", ".join(present), ", ".join(missing))


def find_companions(answer: Text, known: Sequence[Text]) -> list[str]:
    """Return the new names behind "with": they shared it with Peter.

    A name is new where neither reference nor question has a word of it.
    """
    companions = list[str]()
    for start, end in answer.names:
        if not start or answer.words[start - 1] != WITH:
            continue
        stems = answer.stems[start:end]
        if all(text.places.keys().isdisjoint(stems) for text in known):
            companions.append(answer.span(start, end))
    return companions
