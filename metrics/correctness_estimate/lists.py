"""Compare lists: items that an answer lacks, adds or denies, and their order."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from functools import lru_cache
from itertools import pairwise

from .lexicon import (
    AUXILIARY,
    BE,
    DETERMINERS,
    IRREGULAR_PAST,
    MONTHS,
    NAME_VERB,
    PRONOUNS,
    STOP_WORDS,
    WEEKDAYS,
)
from .crossed_facts import CROSSED, compare_joints
from .synonyms import are_synonyms
from .text import HAN, NO_TITLE, RECENT_TEXTS, SAME_SPELLING, Text, compare_spelling, read_text
from .outcomes import DIFFERENT, EQUAL, UNLIKELY, Decision, Objection
from .number_lists import asks_for_order
from .opposites import find_root
from .relations import is_verb
from .slots import find_exchanged_things


# What stands between the items of a list: red, green and blue.
ITEM_SEPARATOR = re.compile(
    r"(?:,(?!\d{3}(?!\d))|[;、\n•]) ?(?:(?:and|&|as well as) )?"
    r"| (?:and|&|as well as|plus) |和|以及|及"
)
# What two items of a list have between them. A comma alone may be in a place: Paris, Texas.
LIST_JOINT = re.compile(r" (?:and|&|as well as|plus) |[、\n•]|和|以及")
# What is no part of an item at its beginning: "- ", "2) ", "the ".
ITEM_MARK = re.compile(
    r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s*(?:the |an? )?|^(?:the|an?) ", re.IGNORECASE
)
LINE_NUMBER = re.compile(r"(?m)^ ?\(?\d{1,2}[.)] (?=\w)")  # 1. flour
SENTENCE_END = re.compile(rf"(?<=[a-z\d)]){NO_TITLE}[.!?](?:\s+|$)|[。！？]")
MOST_ITEMS = 30  # of a list
LONGEST_ITEM = 5  # words of an item
LONGEST_ITEM_OF_MANY = 7  # words of an item of a list of three or more
SHORTEST_LONG_LIST = 3  # items of a list of which no item may be missing
LONGEST_SHORT_ITEM = 3  # words of an item, without its article, that is one thing
LONGEST_FIRST_ITEM = 3  # words of the first item of an answer
LONGEST_LIST = 600  # characters of an answer that are read as a list
SHORTEST_ROOT = 8  # letters of a word that is compared by its root
ROOT_SHARE = 0.7  # of a word's letters that are its root
LONGEST_ANSWER = 25  # words of an answer in which an added item or thing counts
UNASKED_EVIDENCE = 0.6  # of missing items if the question asks for no list
# First words of a remark that is no item: "as far as I know".
CLAUSE_WORDS = frozenset(
    "as i we you it they he she which who where that this if but so because although respectively "
    "both each for to from in on by with that's plain believe".split()
)
# Words before a list that are no item of it: "Today, France and Spain".
INTRODUCTIONS = frozenset(
    "yes no well sure ok okay so right correct true overall together today now there these those "
    "here also then first mainly currently answer answers hello hi sorry thanks total course "
    "general short fact my our your is are was were oh hm hmm ah aha wow easy simple interesting "
    "voilà voila ta-da great good nice question let i'd i'm hands got happy".split()
)
ARTICLES = frozenset("a an the".split())
OPEN_WORDS = frozenset("or oder ou".split())  # without "o", which may be an item: A, B or O
OR_REACH = 3  # words behind "or" up to the head of an item
DENIAL_REACH = 2  # words from "no" or "not" to the item that it denies
# First words of an exception or an example: "the first, but not the last" is no list.
NO_LIST = re.compile(
    r"(?:except|excepting|excluding|including|such as|but|other than|apart from|save)\b", re.I
)
BRACKETS = re.compile(r"\s?\([^()]{0,200}\)")
# The second line: which two rivers, what primary colours.
ASKS_FOR_LIST = re.compile(
    r"""\b(?: (?:which|what|who)(?:[ ]of[ ]these|[ ]of[ ]the[ ]following)?[ ](?:are|were)\b
    | (?:which|what)[ ](?:(?:two|three|four|five|six|all)[ ])?(?:\w+[ ])?\w+[^s\W]s\b
    | how[ ]many\b | members\b )
    | ^\W*(?:please[ ])?(?:name|list|give|enumerate)\b
    | 哪些 | 哪几 | 列出 | [两二三四五六七八九十\d]大""",
    re.VERBOSE,
)


# ---- lists


def split_items(text: str) -> list[str]:
    """Return the items of a list, none if a text is no list: "Seattle, Washington" is a place.

    >>> split_items("red, green and blue"), split_items("Seattle, Washington")
    (['red', 'green', 'blue'], [])
    >>> split_items("These three: a cat, a dog and me.")
    ['cat', 'dog', 'me']
    """
    return list(split_short_list(text[:LONGEST_LIST]))


VERB_BEHIND_SUBJECT = re.compile(r"\s(?:is|are|was|were)\s")


def cut_subject(item: str, sentence: str) -> str:
    """Return the last item of a list without the verb behind it: gas and plasma are the states.

    Behind a comma, "and" begins a clause of its own.
    """
    subject = VERB_BEHIND_SUBJECT.split(item)[0]
    is_joined = f" and {subject} " in sentence and f", and {subject} " not in sentence
    return subject if is_joined else item


@lru_cache(maxsize=1024)
def split_short_list(text: str) -> tuple[str, ...]:
    """Return the items of a short text that is a list, from a cache: several rules ask for them."""
    text = LINE_NUMBER.sub("", re.sub(r"[ \t]+", " ", text.strip()))
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
    if count_words(items[-1]) > LONGEST_ITEM:
        items = (*items[:-1], cut_subject(items[-1], sentence))
    is_short = all(count_words(item) <= LONGEST_ITEM for item in items[1:])
    return items if is_short else ()


def has_short_items(reference: Text) -> bool:
    """Return whether a reference is a list of things of a few words, and not of steps."""
    items = split_items(reference.text)
    is_short = all(count_words(item) <= LONGEST_SHORT_ITEM for item in items)
    return bool(items) and is_short and "then" not in reference.first_place


def count_words(item: str) -> int:
    """Return how many words an item has; two Chinese characters count as one."""
    return max(len(item.split()), len(HAN.findall(item)) // 2)


@lru_cache(maxsize=RECENT_TEXTS)
def split_reference(reference: Text, question: Text) -> Sequence[str]:
    """Return the items of a reference that is a list and no sentence, else none.

    A reference with several numbers is none either: numbers are compared as values.
    """
    if is_clause(reference):
        return split_sentence(reference, question)
    if len(reference.quantities) > 1:
        return []
    if any(LIST_JOINT.search(quantity.text) for quantity in reference.quantities):
        return []  # two and a half hours
    items = split_items(reference.text)
    if not items and "where" not in question.places and asks_for_list(question):
        items = split_pair(reference.text)
    is_bare_list = len(items) >= SHORTEST_LONG_LIST and not reference.text.rstrip().endswith(".")
    longest = LONGEST_ITEM_OF_MANY if is_bare_list else LONGEST_ITEM
    for item in items:
        if count_words(item) > longest or NO_LIST.match(item):
            return []
    return items


def split_sentence(sentence: Text, question: Text) -> Sequence[str]:
    """Return the items of three or more in a sentence that else only repeats the question, or none.

    "She checked his pulse, temperature and wristband" ends with a list, and "A pen, two rings and
    a coin were stolen" begins with one.
    """
    first, *middle, last = split_items(sentence.text) or ("", "")
    if not middle or len(sentence.quantities) > 1:
        return []
    items = [cut_verb(first, from_end=True), *middle, cut_verb(last, from_end=False)]
    texts = [read_text(item) for item in items]
    are_things = all(text.content and not is_clause(text) for text in texts)
    is_short = all(count_words(item) <= LONGEST_ITEM for item in items)
    if not are_things or not is_short:
        return []
    listed = set[str]().union(*(text.places for text in texts))
    others = [sentence.words[i] for i in sentence.telling if sentence.stems[i] not in listed]
    roots = set(map(find_root, question.words))
    return items if roots.issuperset(map(find_root, others)) else []


def cut_verb(item: str, *, from_end: bool) -> str:
    """Return the words of an item behind its last verb, or before its first verb."""
    words = item.split()
    verbs = [i for i, word in enumerate(words) if NAME_VERB.match(word) or word in BE]
    if not verbs:
        return item
    return " ".join(words[verbs[-1] + 1 :] if from_end else words[: verbs[0]])


def is_clause(text: Text) -> bool:
    """Return whether a text has a verb, or begins with a pronoun."""
    if text.words and text.words[0] in PRONOUNS:
        return True
    for before, shown in pairwise(["", *text.shown]):
        is_participle = before.lower() in ARTICLES  # a guided tour
        if shown.islower() and NAME_VERB.match(shown) and not is_participle:
            return True
    return False


def split_pair(text: str) -> list[str]:
    """Return the two items of a text with one comma and no "and", else none."""
    parts = [part.strip() for part in re.split(r",(?!\d{3}(?!\d))", text.strip(" ."))]
    items = list(filter(None, parts))
    return items if len(items) == 2 else []


@lru_cache(maxsize=RECENT_TEXTS)
def asks_for_list(question: Text) -> bool:
    """Return whether a question asks for several things."""
    return ASKS_FOR_LIST.search(question.lower) is not None


# "Only gas and electricity must be switched off; the water can stay on."
ONLY_PART = re.compile(r"\W*only [^;.!?]*", re.IGNORECASE)
ALSO = frozenset("also too well".split())  # as well
LATER = frozenset("then later as".split())


def read_only_part(answer: Text, items: Sequence[str], question: Text) -> Text:
    """Return what an answer that begins with "only" says up to a semicolon or period, or all of it.

    It is all of it where that is no answer to the question, or names no item, or all of them. What
    is only set against the list is left out: whereas bronze has tin.
    """
    contrast = CONTRAST.search(answer.text)
    if contrast and len(find_missing_items(read_text(contrast[0]), items)) == len(items):
        answer = read_text(answer.text[: contrast.start()])
    part = ONLY_PART.match(answer.text)
    if not part or not (ALSO | LATER).isdisjoint(answer.words):
        return answer
    limited = read_text(part[0])
    asked = set(map(find_root, question.words))
    if not any(find_root(limited.words[i]) in asked for i in limited.telling):
        return answer
    n_inside = len(items) - len(find_missing_items(limited, items))
    return limited if 0 < n_inside < len(items) else answer


def find_missing_items(answer: Text, items: Sequence[str]) -> list[str]:
    """Return the items of a list that an answer lacks; words in brackets may be left out."""
    texts = [read_text(BRACKETS.sub("", item) or item) for item in items]
    shared = list_shared_stems(texts)
    surnames = {text.stems[-1] for text in texts if text.stems}
    missing = list[str]()
    for item, text in zip(items, texts, strict=True):
        has_other = not shared.issuperset(text.stems[:1]) and has_other_surname(
            answer, text, surnames
        )
        if has_other or not has_item(answer, text, shared):
            missing.append(item)
    return missing


def list_shared_stems(items: Sequence[Text]) -> set[str]:
    """Return the stems that several items have: "Nile" in the Blue Nile and the White Nile."""
    counts = Counter[str]()
    for item in items:
        counts.update(set(item.stems))
    return {stem for stem, count in counts.items() if count > 1}


def has_item(text: Text, item: Text, shared: Collection[str] = ()) -> bool:
    """Return whether a text has an item, in any spelling.

    One word of a name is enough; of another item, all telling words are needed. Words that other
    items share tell nothing: the Blue Nile and the White Nile.
    """
    telling = list_telling_words(item, shared)
    present = [i for i in telling if has_word_of_item(text, item, i)]
    if all(item.shown[i][0].isupper() for i in telling):
        return bool(present)
    if is_name_behind_noun(item) and names_same_person(text, item):
        return True
    if len(present) < len(telling):
        return False
    stems = [item.stems[i] for i in telling]
    has_own = any(stem not in shared for stem in stems)
    return has_own or stand_in_one_clause(text, stems)


def has_word_of_item(text: Text, item: Text, i: int) -> bool:
    """Return whether a text has a word of an item in any form; "runs" only for "running" alone."""
    if item.stems[i] in text.places or has_spelling(text, item.words[i]):
        return True
    return len(item.words) == 1 and has_act(text, item.words[i])


def has_other_surname(text: Text, item: Text, surnames: Set[str]) -> bool:
    """Return whether a text has the given name of an item only with the surname of another item.

    "Ann Moss and Carl Lee" are not Ann Lee and Carl Moss.
    """
    if len(item.words) != 2 or item.names != [(0, 2)]:
        return False
    places = text.places.get(item.stems[0], [])
    names = [name for name in text.names if name[1] - name[0] == 2 and name[0] in places]
    others = [text.stems[start + 1] for start, _ in names]
    has_only_others = all(other in surnames and other != item.stems[1] for other in others)
    return bool(places) and len(others) == len(places) and has_only_others


def is_name_behind_noun(item: Text) -> bool:
    """Return whether an item is a name behind a noun that tells who that is: her brother Paulo."""
    last = len(item.words) - 1
    return last > 0 and item.words[0] in DETERMINERS and (last, last + 1) in item.names


def names_same_person(text: Text, item: Text) -> bool:
    """Return whether a text has the name of an item, not as an owner or behind another noun.

    "The siblings Paulo and Ines" names her brother Paulo, "her cousin Paulo" does not.
    """
    for i in text.places.get(item.stems[-1], ()):
        before = text.words[i - 1] if i else ""
        is_noun = before != "" and before not in STOP_WORDS and text.shown[i - 1].islower()
        is_other = is_noun and not before.endswith("s") and before not in item.words
        if not is_other and not text.words[i].endswith("'s"):
            return True
    return False


def has_synonym(text: Text, item: Text) -> bool:
    """Return whether a text may have an item in other words: a torch, a flashlight.

    An item whose words it has, but not together, is not in other words.
    """
    telling = list_telling_words(item, ())
    if all(item.stems[i] in text.places for i in telling):
        return False
    return all(
        item.stems[i] in text.places
        or any(are_synonyms(item.words[i], other) for other in text.distinct)
        for i in telling
    )


def stand_in_one_clause(text: Text, stems: Sequence[str]) -> bool:
    """Return whether an item of a text, or else a clause, has all of some stems.

    A clause may have items with a word in common: the left and right ventricles.
    """
    items = [read_text(item) for item in split_items(text.text)]
    if items and all(len(item.content) > 1 for item in items):
        return any(item.places.keys() >= set(stems) for item in items)
    clauses = [{text.clause[i] for i in text.places.get(stem, ())} for stem in stems]
    spelled = [clause for clause in clauses if clause]
    return len(spelled) < len(stems) or bool(set.intersection(*spelled))


def list_telling_words(item: Text, shared: Collection[str]) -> Sequence[int]:
    """Return the places of the words that only this item has, or of all its words if none."""
    words = item.telling or range(len(item.words))
    own = [i for i in words if item.stems[i] not in shared]
    return own or words


def has_spelling(text: Text, word: str) -> bool:
    """Return whether a text has a word in some spelling, its plural, or a word of its root."""
    has_spellings = len(word) > 2
    if has_spellings and any(is_spelling(word, other) for other in text.distinct):
        return True
    if (word in WEEKDAYS or word in MONTHS) and has_short_day(text, word):
        return True
    if word == "two" and not PAIR.isdisjoint(text.words):
        return True  # a pair of cats
    return not text.first_place.keys().isdisjoint(list_plurals(word))


def has_act(text: Text, word: str) -> bool:
    """Return whether a text has the verb of a word that ends in "ing": run or runs for running."""
    return not text.first_place.keys().isdisjoint(list_acts(word))


def has_short_day(text: Text, day: str) -> bool:
    """Return whether a text has the beginning of a day or month with a capital: Sun, Sept."""
    for before, word, shown in zip(["", *text.words], text.words, text.shown, strict=False):
        if abbreviates_name(word, day) and shown.istitle() and before != "the":  # the Sun
            return True
    return False


def abbreviates_name(word: str, name: str) -> bool:
    """Return whether a word is the beginning of the name of a day or month: Sun, Sept."""
    return len(word) > 2 and name.startswith(word)


PAIR = frozenset("pair couple".split())
LATIN_PLURALS = {"um": "a", "us": "i", "is": "es"}  # atrium, nucleus, axis


DOUBLED = re.compile(r"[^aeiou]*[aeiou]([^aeiou])\1")  # the runn of running


def list_acts(word: str) -> list[str]:
    """Return what may be the verb of a word that ends in "ing"."""
    if not word.endswith("ing"):
        return []
    base = word.removesuffix("ing")
    acts = [base[:-1] if DOUBLED.fullmatch(base) else base, f"{base}e"]
    known = [act for act in acts if len(act) > 2 and act not in STOP_WORDS]
    return [*known, *(f"{act}s" for act in known)]


def list_plurals(word: str) -> list[str]:
    """Return what may be the plural of a word: cats, boxes, atria."""
    plurals = [f"{word}s", f"{word}es"]
    ending = LATIN_PLURALS.get(word[-2:])
    return [*plurals, word[:-2] + ending] if ending else plurals


def is_spelling(word: str, other: str) -> bool:
    """Return whether a word is another spelling of a word, or has the same root."""
    if compare_spelling(word, other) >= SAME_SPELLING:
        return True
    return has_same_root(word, other)


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
    """Return the items that an answer's list has and the reference's list lacks.

    The list is empty if the answer's list is no longer than the reference's.
    """
    answer_items, n_known = split_answer(answer, reference, items)
    n_further = len(answer_items) - n_known
    if n_further < 1:
        return []
    texts = [read_text(item) for item in answer_items]
    has_whole = reference.text.strip(" .") in answer.text
    if not has_whole and not any(has_item(reference, text) for text in texts[1:]):
        return []
    # Before the first item, the beginning of a sentence may stand.
    is_item = is_only_item(answer_items[0]) and reference.places.keys().isdisjoint(texts[0].places)
    first = 0 if is_item else 1
    known = reference.places.keys() | question.places.keys()
    shared = list_shared_stems([read_text(item) for item in items])
    comment = read_comment(answer, question)
    added = list[str]()
    for number in range(first, count_items_before_remark(texts)):
        item = answer_items[number]
        if is_apposition(item, answer, items) or is_closing_remark(item, answer):
            continue
        if comment and item in comment.text:
            continue
        is_new = is_new_item(texts[number], reference, known, shared)
        if is_new or is_further_name(texts, number, items, known):
            added.append(item)
    return added if len(added) <= n_further else []


def is_further_name(
    texts: Sequence[Text], number: int, items: Sequence[str], known: Set[str]
) -> bool:
    """Return whether an item is a name that only shares a word with those that stand elsewhere.

    "Station Road" is one too many beside "Castle Road" if the answer has both.

    Args:
        texts: the items of the answer.
        number: which of them is read.
        items: the items of the reference.
        known: the stems of the reference and of the question.
    """
    text = texts[number]
    is_name = len(text.shown) > 1 and all(shown[0].isupper() for shown in text.shown)
    if not is_name or known >= set(text.stems):
        return False
    others = [other.places.keys() for other in texts if other is not text]
    similar = [
        item.places.keys()
        for item in map(read_text, items)
        if not item.places.keys().isdisjoint(text.places)
    ]
    return all(any(stems <= other for other in others) for stems in similar)


def read_comment(answer: Text, question: Text) -> Text | None:
    """Return the clause behind an answer's only semicolon, if it tells of another thing.

    "; Legal moves in June" does so. A clause of two words, one with "as well" or the like, and one
    that else only repeats the question are parts of the list: then the result is None.
    """
    _, mark, behind = answer.text.partition("; ")
    comment = read_text(behind)
    if not mark or ";" in behind or not comment.words or not has_verb(comment):
        return None
    if sum(word not in ARTICLES for word in comment.words) < 3:  # the Eagles advanced
        return None
    rest = [i for i in comment.telling if not comment.shown[i][0].isupper()]
    repeats_question = all(comment.stems[i] in question.places for i in rest)
    return comment if ALSO.isdisjoint(comment.words) and not repeats_question else None


def has_verb(item: Text) -> bool:
    """Return whether an item may be a clause: the fee must be paid, Legal moves in June."""
    return is_clause(item) or any(word in AUXILIARY or is_verb(word) for word in item.words[1:])


# ", whereas printing uses cyan, magenta and yellow" lists other things.
CONTRAST = re.compile(
    r"[,;] (?:whereas|while(?! also\b)|unlike|in contrast to)\b[^.;]*", re.IGNORECASE
)


def is_closing_remark(item: str, answer: Text) -> bool:
    """Return whether an item stands behind the end of a list: Latin and chemistry, poor thing."""
    end = rf" and [^,;]{{1,40}}, (?!not to mention|plus|along|even){re.escape(item)}\W*$"
    return re.search(end, answer.text) is not None


def is_apposition(item: str, answer: Text, items: Sequence[str]) -> bool:
    """Return whether an item only describes the name before it: Bako, the goalkeeper."""
    is_phrase = f", {item}" in answer.text or f"; {item}" in answer.text
    if is_phrase and DESCRIBES.match(item):
        return True
    if not item[0].islower() or not all(name[0].isupper() for name in items):
        return False
    articles = ["the ", "a ", "an "]
    if item.startswith(("two ", "three ", "both ", "then ", "now ", "once ")):
        articles.append("")  # two students at Stanford
    return any(f", {article}{item}" in answer.text for article in articles)


# A phrase between items that describes the one before it: honey, whisked until smooth.
DESCRIBES = re.compile(
    r"(?:often|usually|mostly|always|sometimes|of course|last but|at|in|on|by|for|from|about|some"
    r"|one we|which|who|known|[a-z]{3,}ly|[a-z]{3,}ed(?= [a-z]))\b"
)


def is_only_item(text: str) -> bool:
    """Return whether the beginning of a list is an item, and no introduction: "Well", "Today"."""
    words = text.lower().split()
    if not words or len(words) > LONGEST_FIRST_ITEM or is_clause(read_text(text)):
        return False
    if words[0] in CLAUSE_WORDS or words[-1].endswith("ly"):
        return False
    return INTRODUCTIONS.isdisjoint(words)


def split_answer(answer: Text, reference: Text, items: Sequence[str]) -> tuple[list[str], int]:
    """Return the items of an answer, and how many of them the reference has.

    A reference that stands in the answer word by word is one item: it may be a band or a title.
    """
    whole = reference.text.strip(" .")
    if whole in answer.text:
        answer_items = split_items(answer.text.replace(whole, items[0], 1))
        if answer_items:
            return answer_items, 1
    return split_items(answer.text), len(items)


def count_items_before_remark(items: Sequence[Text]) -> int:
    """Return how many items stand before the first remark: as far as I know."""
    for number, item in enumerate(items):
        if number and item.words and item.words[0] in CLAUSE_WORDS and not is_acronym(item):
            return number
    return len(items)


def is_new_item(item: Text, reference: Text, known: Set[str], shared: Set[str]) -> bool:
    """Return whether an item is not denied and has a word that is not known, but for numbers.

    Args:
        item: an item of the answer.
        reference: the reference, which is a list.
        known: the stems of the reference and of the question.
        shared: the stems that several items of the reference have. They make no item known: the
            White Sea beside the North Sea and the Baltic Sea.
    """
    if 0 in item.denials or has_item(reference, item, shared):
        return False
    # Two words of the reference make it one of its items: the data types of its parameters.
    # So does one in a clause: the alloy is made of zinc.
    n_known = len(reference.places.keys() & set(item.content))
    if n_known > 1 or (n_known and has_verb(item)):
        return False
    if not item.content and is_acronym(item):
        return item.stems[0] not in known
    for i in item.telling:
        tells_item = not item.words[i].endswith("ly") and not item.stems[i][0].isdigit()
        if tells_item and item.stems[i] not in known:
            return True
    return False


def is_acronym(item: Text) -> bool:
    """Return whether an item is a word in capitals, which may look like a small word: IT."""
    return len(item.shown) == 1 and len(item.shown[0]) > 1 and item.shown[0].isupper()


def decide_list(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return EQUAL if an answer has all items of a reference that is a list, and nothing else.

    Return DIFFERENT if the question asks for an order and the answer has another one, else None.
    """
    items = split_reference(reference, question)
    answer = drop_rejected_items(answer, items)
    if not items or answer.denials or answer.untrue or answer.hedges:
        return None
    answer = read_only_part(answer, items, question)
    if any(is_denied_item(answer, read_text(item), question) for item in items):
        return None
    has_order = asks_for_order(question)
    has_same = has_same_items(answer, reference)
    is_same = has_same and not has_order and not has_unknown_name(answer, [reference, question])
    if not is_same and may_mean_another_list(answer, reference, items, question):
        return None
    if has_order and has_other_order(answer, items):
        return Decision(DIFFERENT, "swapped", answer.text.strip(), reference.text.strip())
    if not is_same and not has_just_items(answer, reference, items, question):
        return None
    return Decision(EQUAL, "list", answer.text.strip(), reference.text.strip())


def decide_range_of_days(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer has a range of days where a reference lists them, else None.

    "Monday to Sunday" are more days than "Monday and Sunday".
    """
    n_days = sum(word.rstrip("s") in WEEKDAYS for word in reference.words)
    if n_days < 2 or "and" not in reference.first_place or RANGE_OF_DAYS.search(reference.lower):
        return None
    if not RANGE_OF_DAYS.search(answer.lower):
        return None
    return Decision(UNLIKELY, "added", answer.text.strip(), reference.text.strip())


def list_words_of_comment(answer: Text, question: Text) -> range:
    """Return the words of a comment on a list without a verb: A and B; C came later."""
    before = answer.text.partition("; ")[0]
    if not read_comment(answer, question) or has_verb(read_text(before)):
        return range(0)
    return range(answer.words_between(0, len(before)).stop, len(answer.words))


# Monday to Sunday
DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?"
RANGE_OF_DAYS = re.compile(rf"\b{DAY} ?(?:to|through|thru|till|until|[-–]) ?{DAY}\b")
# "Not sugar: flour and salt", "flour and salt. Not sugar.", "flour and salt; sugar is not one"
REJECTED_FIRST = re.compile(r"^\W*not [^,.;:!?]{1,30}[:;,.] (?=\w)", re.IGNORECASE)
REJECTED_LAST = re.compile(
    r"(?:[.;,] (?:but |and )?not|[.;,]? rather than|[.;,]? instead of) [^,.;:!?]{1,30}\W*$"
    r"|[.;] (?:but |and )?[^,.;:!?]{1,30} (?:is|are|was|were)(?: not|n't)"
    r" (?:one|part|among|any)\b[^,.;:!?]{0,20}\W*$",
    re.IGNORECASE,
)


def drop_rejected_items(answer: Text, items: Sequence[str]) -> Text:
    """Return an answer without a thing that it rejects and that is no item: not sugar."""
    if not items or not (answer.denials or REJECTED_LAST.search(answer.text)):
        return answer
    for pattern in (REJECTED_FIRST, REJECTED_LAST):
        match = pattern.search(answer.text)
        if match and len(find_missing_items(read_text(match[0]), items)) == len(items):
            answer = read_text(pattern.sub("", answer.text))
    return answer


LONGEST_LISTING = 40  # words of an answer that is compared with a longer list, item by item
MOST_OTHER_WORDS = 2  # of an answer that may mean a missing item in other words


def decide_incomplete_list(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer has items of a list of three or more, but not just all of them.

    None if an item may be there in other words, or in part.
    """
    items = split_reference(reference, question)
    if len(items) < SHORTEST_LONG_LIST or len(answer.words) > LONGEST_LISTING:
        return None
    answer = read_only_part(answer, items, question)
    lacking = find_lacking_items(answer, items, [reference, question])
    if lacking:
        present = [item for item in items if item not in lacking]
        return Decision(UNLIKELY, "partial", ", ".join(present), ", ".join(lacking))
    if find_missing_items(answer, items) or len(answer.words) > LONGEST_ANSWER:
        return None
    added = find_added_items(answer, reference, items, question)
    found = ", ".join(added)
    return Decision(UNLIKELY, "added", found, reference.text.strip()) if added else None


def find_lacking_items(answer: Text, items: Sequence[str], known: Sequence[Text]) -> list[str]:
    """Return the items that an answer denies, or surely lacks while it has two others or more."""
    denied = [item for item in items if is_denied_item(answer, read_text(item), known[1])]
    if denied:
        return denied if len(denied) < len(items) else []
    missing = find_missing_items(answer, items)
    is_part = len(missing) < len(items) - 1
    return missing if is_part and not may_be_in_other_words(answer, missing, known) else []


def may_be_in_other_words(answer: Text, missing: Sequence[str], known: Sequence[Text]) -> bool:
    """Return whether an answer may have missing items in part, or in words that no text has."""
    if not all(is_absent(answer, item) for item in missing):
        return True
    return count_new_words(answer, known) > MOST_OTHER_WORDS


def is_absent(answer: Text, item: str) -> bool:
    """Return whether an answer has no telling word of an item, nor a synonym of all of them."""
    text = read_text(item)
    return text.places.keys().isdisjoint(answer.content) and not has_synonym(answer, text)


def count_new_words(answer: Text, known: Sequence[Text]) -> int:
    """Return how many telling words of an answer no other text has, by their roots."""
    roots = {find_root(word) for text in known for word in text.words}
    return sum(find_root(answer.words[i]) not in roots for i in answer.telling)


def may_mean_another_list(
    answer: Text, reference: Text, items: Sequence[str], question: Text
) -> bool:
    """Return whether an answer tells of two things in exchanged roles, or leaves two items open."""
    if compare_joints(answer, reference) == CROSSED or find_exchanged_things(answer, reference):
        return True  # clauses with commas between them look like items
    return len(items) == 2 and leaves_open(answer, reference, question)


def has_same_items(answer: Text, reference: Text) -> bool:
    """Return whether an answer is a list of the same short items as a reference, in any order."""
    if not has_short_items(reference):
        return False
    one, other = (split_items(text.text) for text in (answer, reference))
    return sorted(map(sort_stems, one)) == sorted(map(sort_stems, other))


def sort_stems(item: str) -> list[str]:
    """Return the telling stems of an item, sorted."""
    return sorted(read_text(item).content)


def has_just_items(answer: Text, reference: Text, items: Sequence[str], question: Text) -> bool:
    """Return whether an answer has all items of a reference together, and nothing else."""
    if find_missing_items(answer, items):
        return False
    if find_added_items(answer, reference, items, question):
        return False
    if adds_behind_items(answer, reference, question):
        return False
    return not has_further_words(answer, [reference, question], len(items))


def has_any_form(text: Text, word: str) -> bool:
    """Return whether a text has a word in some spelling, or its singular or plural."""
    if has_spelling(text, word):
        return True
    return any(word in list_plurals(text.words[i]) for i in text.telling)


# What joins a further thing to a list: and garlic, with a spoonful of vinegar.
FURTHER = re.compile(
    r",? (?:and(?: also)? (?P<clause>(?:it|they|he|she|that|this|these|those|so|both|all|we|you"
    r"|i|each|in|at|then|nothing|nobody|none|no|if|when)\b)?"
    r"|but also |plus |as well as |along with |together with |(?<=\w )with (?:an?|some) )"
    r"(?P<rest>[^.;]+)"
)
LONGEST_FURTHER = 4  # words of a thing that is joined to a list


def adds_behind_items(
    answer: Text, reference: Text, question: Text, *, is_sure: bool = False
) -> bool:
    """Return whether an answer joins something new to its last word of a reference.

    It is surely an addition if it is a thing, and no clause or act: and they taste good, and lost.
    """
    places = [answer.places[stem][-1] for stem in reference.content if stem in answer.places]
    if not places:
        return False
    further = FURTHER.match(answer.lower, answer.find_end_of_word(max(places)))
    if not further:
        return False
    rest = answer.words_between(*further.span("rest"))
    words = [answer.words[i] for i in rest if answer.words[i] not in STOP_WORDS]
    is_clause = bool(further["clause"]) or len(rest) > LONGEST_FURTHER or tells_act(words)
    if is_sure and is_clause:
        return False
    return any(
        not has_any_form(reference, word) and not has_any_form(question, word) for word in words
    )


def tells_act(words: Sequence[str]) -> bool:
    """Return whether some words begin with a past form or a word for nothing: lost."""
    first = "".join(words[:1])
    return first in IRREGULAR_PAST or first.endswith("ed") or first == "nothing"


def leaves_open(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer joins words of a reference by an "or" that no other text has."""
    for i, word in enumerate(answer.words):
        is_known = word in reference.first_place or word in question.first_place
        if word not in OPEN_WORDS or is_known:
            continue
        behind = i + 1
        neighbours = set(answer.stems[behind : behind + OR_REACH])
        neighbours.update(answer.stems[max(0, i - 1) : i])
        if len(neighbours & reference.places.keys()) > 1:
            return True
    return False


def is_denied_item(answer: Text, item: Text, question: Text) -> bool:
    """Return whether a denial stands right before each word of an item: but no map, not Czech.

    Or each stands in a clause of contrast: while marketing stays.
    """
    places = list[int]()
    for stem in item.content:
        places += answer.places.get(stem, ())
    denied = set[int]()
    for i in answer.denials:
        reach = range(i + 1, min(i + 1 + DENIAL_REACH, len(answer.words)))
        denied.update(j for j in reach if answer.clause[j] == answer.clause[i])
    denied.update(list_contrasted_words(answer, question))
    return bool(places) and denied.issuperset(places)


CONTRASTING = frozenset("while whereas unlike except".split())
# In a clause of its own with these, a thing is none of those that belong together.
SEPARATE = re.compile(
    r"\bseparately\b|\b(?:costs?|is|are|comes?|sold) (?:\w+ )?(?:extra|optional)\b"
)


def list_contrasted_words(answer: Text, question: Text) -> list[int]:
    """Return the words behind a "while" or the like in its clause, but not: while shopping."""
    contrasted = list[int]()
    for i, word in enumerate(answer.words[:-1]):
        if i and word in CONTRASTING and not answer.words[i + 1].endswith("ing"):
            contrasted += range(i + 1, answer.find_clause(i).stop)
    contrasted += list_words_of_comment(answer, question)
    separate = SEPARATE.search(answer.lower)
    if separate and not SEPARATE.search(question.lower):
        clause = answer.find_clause(answer.words_between(*separate.span()).start)
        if clause.start:  # a charger, but the case is sold separately
            contrasted += clause
    return contrasted


def has_further_words(answer: Text, known: Sequence[Text], most: int) -> bool:
    """Return whether an answer has more than `most` unknown words, or an unknown name.

    A name at the beginning may be known by a longer form, and is not counted.
    """
    known_stems = set[str]().union(*(text.places for text in known))
    n_new = sum(stem not in known_stems for stem in answer.content)
    return n_new > most or has_unknown_name(answer, known)


def has_unknown_name(answer: Text, known: Sequence[Text]) -> bool:
    """Return whether an answer has behind its beginning a name that no other text has."""
    known_stems = set[str]().union(*(text.places for text in known))
    days = [day for text in known for day in text.words if day in WEEKDAYS]
    for start, end in answer.names:
        stems = answer.stems[start:end]
        is_day = end == start + 1 and any(
            abbreviates_name(answer.words[start], day) for day in days
        )
        if start > 0 and known_stems.isdisjoint(stems) and not is_day:
            return True
    return False


def has_other_order(answer: Text, items: Sequence[str]) -> bool:
    """Return whether an answer has a word of each item of a list, in another order."""
    places = list[int]()
    for item in items:
        stems = read_text(item).stems
        item_places = [answer.places[stem][0] for stem in stems if stem in answer.places]
        if not item_places:
            return False
        places.append(min(item_places))
    return places != sorted(places)


def compare_lists(
    answer: Text,
    reference: Text,
    references: Sequence[Text],
    question: Text,
) -> Iterator[Objection]:
    """Yield objections to items that an answer lacks, adds or leaves open.

    Args:
        answer: the answer.
        reference: the reference that counts.
        references: all references; if one of them is no list, a single item may be enough.
        question: the question.
    """
    items = split_reference(reference, question)
    if not items or not all(split_reference(text, question) for text in references):
        return
    answer = read_only_part(answer, items, question)
    yield from report_added_items(answer, reference, items, question)
    missing = find_missing_items(answer, items)
    if len(split_items(answer.text)) >= len(items):
        missing = [item for item in missing if not has_synonym(answer, read_text(item))]
    for item in items:
        if item not in missing and is_denied_item(answer, read_text(item), question):
            missing.append(item)
    # "a solid, a liquid or a gas" may say all three.
    is_pair = len(items) == 2 and answer.sentence[-1:] == [0]
    if not missing and is_pair and leaves_open(answer, reference, question):
        yield Objection("either", 1.0, answer.text.strip(), reference.text.strip())
    if 0 < len(missing) < len(items):
        yield report_missing_items(items, missing, question)


def report_added_items(
    answer: Text, reference: Text, items: Sequence[str], question: Text
) -> Iterator[Objection]:
    """Yield an objection to added items, or else of new names behind "with"."""
    added = find_added_items(answer, reference, items, question)
    if added and len(answer.words) > LONGEST_ANSWER:
        return
    further = added or find_companions(answer, [reference, question])
    has_all = not further and not find_missing_items(answer, items)
    if has_all and adds_behind_items(answer, reference, question, is_sure=True):
        further = [answer.text.strip()]
    if further:
        yield Objection("added", 1.0, ", ".join(further), reference.text.strip())


def report_missing_items(items: Sequence[str], missing: Sequence[str], question: Text) -> Objection:
    """Return the objection to missing items, a weak one if the question asks for no list."""
    is_most = len(items) > 2 and 2 * len(missing) >= len(items)
    evidence = 1.0 if is_most or asks_for_list(question) else UNASKED_EVIDENCE
    present = [item for item in items if item not in missing]
    return Objection("partial", evidence, ", ".join(present), ", ".join(missing))


def find_companions(answer: Text, known: Sequence[Text]) -> list[str]:
    """Return the names behind "with" of which no known text has a word: shared it with Peter."""
    companions = list[str]()
    for start, end in answer.names:
        if not start or answer.words[start - 1] != "with":
            continue
        stems = answer.stems[start:end]
        if all(text.places.keys().isdisjoint(stems) for text in known):
            companions.append(answer.span(start, end))
    return companions
