"""Lists and roles: items that are missing, added or left open, and two things that have changed their roles."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .lexicon import BE, NAME_VERB, NUMBER_WORDS, PARTICIPLE, STOP_WORDS
from .matching import Match
from .polarity import opposites
from .text import HAN, Text, compare_spelling, stem_word
from .values import EQUAL, Decision


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
ITEM_SEPARATOR = re.compile(r"[,;、\n•] ?(?:(?:and|&|as well as) )?| (?:and|&|as well as|plus) |和|以及|及")
LIST_JOINT = re.compile(r" (?:and|&|as well as|plus) |[、\n•]|和|以及")
ITEM_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s*(?:the |an? )?|^(?:the|an?) ", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[a-z\d)])[.!?](?:\s+|$)|[。！？]")
MOST_ITEMS, LONGEST_ITEM = 30, 5  # items of a list, words of one
LONGEST_LIST = 600  # characters of an answer that are read as a list
SAME_SPELLING = 0.75  # by pairs of characters
LONGEST_NAME = 6  # words
LONGEST_ANSWER = 25  # words of an answer whose second thing counts
NAMING_WORDS = frozenset("called known named means mean meaning termed term".split())
SHORT_ANSWER = 9  # words of an answer that says two things and nothing else
SEVERAL_TIMES_LESS = 0.6  # what missing items count where the question asks for no list
# What a remark begins with that is no item: "as far as I know".
CLAUSE_WORDS = frozenset("as i we you it they he she which who that this if but so because although".split())
ADDING = frozenset({"and", "&", "plus", "和", "及", "与"})
LEAVING_OPEN = frozenset({"or", "或"})
EITHER = re.compile(
    r"\b(?:either|(?:torn|hesitat\w+|undecided|choice|toss-?up) between|one of (?:the )?two)\b"
    r"|要么|不是.{1,8}就是"
)
# A question for one thing of a kind: which country, what is the capital. Who wrote a song may be one or two.
ONE_OF_A_KIND = re.compile(
    r"\W*(?:(?:in|on|at|from|to|for|by|of|under|with|during) )?(?:which|what)(?: (?:is|was)(?: the(?! name))?)? "
    r"(?!is |was |are |were |do |does |did |it |the |we |you )((?:\w+ ?){1,3})"
)
ASKS_FOR_LIST = re.compile(
    r"\b(?:which|what|who)(?: of these| of the following)? (?:are|were)\b|"
    r"\b(?:which|what) (?:(?:two|three|four|five|six|all) )?(?:\w+ )?\w+[^s\W]s\b|"
    r"\b(?:name|list|give|enumerate)\b|\bhow many\b|\bmembers\b|哪些|哪几|列出"
)
# Between two things such words say which is which; "and" or "with" do not.
DIRECTED = frozenset("to over than before after of from under above beats into for onto by".split())
SYMMETRIC = frozenset("and or with versus vs & married met between meets marry against both equal equals same".split())
MOST_WORDS = 30  # of a text whose roles are compared; in longer ones things stand side by side by chance
SAME_BEGINNING = 4  # letters by which forms of an irregular verb are told: beat, beaten


# ---- lists


def split_items(text: str) -> list[str]:
    """Return the items of a text that is a list, none where it is something else: "Seattle, Washington" is a place.

    >>> split_items("red, green and blue"), split_items("Seattle, Washington")
    (['red', 'green', 'blue'], [])
    >>> split_items("These three: a cat, a dog and me.")
    ['cat', 'dog', 'me']
    """
    text = re.sub(r"[ \t]+", " ", text[:LONGEST_LIST].strip())
    for colon in (":", "："):
        text = text.rpartition(colon)[2].strip()
    sentence = SENTENCE_END.split(text)[0].strip()
    parts = ITEM_SEPARATOR.split(sentence)[: MOST_ITEMS + 1]
    items = [ITEM_MARK.sub("", part.strip()).strip() for part in parts]
    items = [item for item in items if item]
    is_list = LIST_JOINT.search(sentence) or len(items) > 2
    is_short = all(count_words(item) <= LONGEST_ITEM for item in items[1:])
    return items if is_list and is_short and 1 < len(items) <= MOST_ITEMS else []


def count_words(item: str) -> int:
    """Return how many words an item has; of Chinese two characters are about one."""
    return max(len(item.split()), len(HAN.findall(item)) // 2)


def split_reference(reference: Text) -> list[str]:
    """Return the items of a reference that is a list and no sentence; its numbers are compared as values."""
    has_verb = any(shown.islower() and NAME_VERB.match(shown) for shown in reference.shown)
    if len(reference.quantities) > 1 or has_verb:
        return []
    items = split_items(reference.text)
    return items if all(count_words(item) <= LONGEST_ITEM for item in items) else []


def find_missing_items(answer: Text, items: Sequence[str]) -> list[str]:
    """Return the items of a list that an answer lacks."""
    texts = [Text(item) for item in items]
    return [item for item, text in zip(items, texts, strict=True) if not has_item(answer, text)]


def has_item(text: Text, item: Text) -> bool:
    """Return whether a text has an item, in any spelling: of a name one word, else all words that tell something."""
    wanted = [i for i, word in enumerate(item.words) if word not in STOP_WORDS] or list(range(len(item.words)))
    found = [item.stems[i] in text.places or has_spelling(text, item.words[i]) for i in wanted]
    is_name = all(item.shown[i][0].isupper() for i in wanted)
    if is_name:
        return any(found)
    return all(found) and bool(found)


def has_spelling(text: Text, word: str) -> bool:
    """Return whether a text has a word in another spelling."""
    return len(word) > 3 and any(compare_spelling(word, other) >= SAME_SPELLING for other in text.distinct)


def find_added_items(answer: Text, reference: Text, items: Sequence[str], question: Text) -> list[str]:
    """Return the items of an answer's list that a reference which is a list does not have."""
    said = split_items(answer.text)
    if len(said) < len(items) + 1:
        return []
    own = [item for item in said[1:] if has_item(reference, Text(item))]
    added = list[str]()
    for item in said[1:]:  # before the first stands the beginning of the sentence
        text = Text(item)
        is_known = has_item(reference, text) or not text.content or set(text.content) <= question.places.keys()
        is_aside = bool(text.words) and text.words[0] in CLAUSE_WORDS
        if not is_known and not is_aside and not text.denials:
            added.append(item)
    return added if own and len(added) < len(said) - len(items) + 1 else []


def decide_list(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer has all items of a reference that is a list, and no other; None else."""
    items = split_reference(reference)
    if not items or answer.denials or answer.untrue or answer.hedges:
        return None
    if find_missing_items(answer, items) or find_added_items(answer, reference, items, question):
        return None
    known = reference.places.keys() | question.places.keys()
    new = [stem for stem in answer.content if stem not in known]
    if len(new) > len(items):
        return None
    return Decision(EQUAL, "list", answer.text.strip(), reference.text.strip())


def compare_lists(answer: Text, reference: Text, references: Sequence[Text], question: Text) -> Iterator[Finding]:
    """Yield that an answer lacks items of a reference that is a list, or has further ones.

    Args:
        answer: the answer.
        reference: the one that counts.
        references: all references; where one of them is no list, one item may do.
        question: the question.
    """
    items = split_reference(reference)
    if not items or not all(split_reference(text) for text in references):
        return
    added = find_added_items(answer, reference, items, question)
    if added and len(answer.words) <= LONGEST_ANSWER:
        yield Finding("added", 1.0, ", ".join(added), reference.text.strip())
    missing = find_missing_items(answer, items)
    asks_for_list = ASKS_FOR_LIST.search(question.lower) is not None
    is_place = "where" in question.places and not asks_for_list  # Toronto, Ontario, Canada
    if missing and len(missing) < len(items) and not is_place:
        evidence = 1.0 if asks_for_list else SEVERAL_TIMES_LESS
        found = ", ".join(item for item in items if item not in missing)
        yield Finding("partial", evidence, found, ", ".join(missing))


# ---- two things where one is asked for


def find_company(answer: Text, reference: Text, known: Sequence[Text], match: Match) -> Iterator[Finding]:
    """Yield that an answer names another thing beside the one of the reference: Spain and France, Sydney or Canberra.

    Args:
        answer: the answer.
        reference: the reference that counts.
        known: the question, and all references.
        match: where the answer has the reference.
    """
    is_name = 0 < len(reference.words) <= LONGEST_NAME and not split_items(reference.text)
    if not match.inside or not is_name:
        return
    for joint, words in (*follow_joint(answer, match.end), *precede_joint(answer, match.start)):
        start, end = min(words.start, match.start), max(words.stop, match.end + 1)
        kind = "either" if joint in LEAVING_OPEN or says_either(answer, start, end) else "added"
        is_long = len(answer.words) > LONGEST_ANSWER or (kind == "either" and gives_names(answer, start))
        if is_long or (kind == "added" and not wants_one(known[0], known[1:], answer)):
            continue
        is_denied = any(start <= i < end for i in answer.denials)
        is_new = not is_denied and not any(answer.stems[i] in text.places for i in words for text in known)
        if is_new and answer.words[words.start] not in STOP_WORDS and is_alike(answer, words, match):
            yield Finding(kind, 1.0, answer.span(start, end), reference.text.strip())
            return


def says_either(answer: Text, start: int, end: int) -> bool:
    """Return whether "either" or the like stands beside two things."""
    first, last = max(0, start - 3), min(len(answer.words), end + 5)
    return EITHER.search(answer.span(first, last).lower()) is not None


def gives_names(answer: Text, start: int) -> bool:
    """Return whether two words stand for one thing: called, known as, means."""
    clause = answer.clause[start]
    return any(answer.words[i] in NAMING_WORDS and answer.clause[i] == clause for i in range(max(0, start - 6), start))


def asks_for_one(question: Text) -> bool:
    """Return whether a question asks for one thing of a kind."""
    match = ONE_OF_A_KIND.match(question.lower)
    if match is None:
        return False
    noun, *rest = match[1].split()
    if noun in NUMBER_WORDS and rest:
        noun = rest[0]
    return not is_plural(noun)


def wants_one(question: Text, references: Sequence[Text], answer: Text) -> bool:
    """Return whether a second thing is one too many.

    The question asks for one of a kind, or for a person and the answer is short. Who wrote a song may be two, where the
    references name several.
    """
    asks_who = bool({"who", "whom"} & set(question.words)) and len(references) == 1 and len(references[0].names) == 1
    return asks_for_one(question) or (asks_who and len(answer.words) <= SHORT_ANSWER)


def is_plural(word: str) -> bool:
    """Return whether a word may be a plural: countries, but not is, class or census."""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def follow_joint(answer: Text, end: int) -> Iterator[tuple[str, range]]:
    """Yield the words behind "and" or "or" after a place, with the joint."""
    joint = end + 1
    if joint >= len(answer.words):
        return
    if not is_joint(answer, joint):
        if stands_behind_slash(answer, joint):
            yield "or", range(joint, joint + 1)
        return
    start = skip_small_words(answer, joint + 1)
    if start >= len(answer.words) or answer.sentence[end] != answer.sentence[start]:
        return
    stop = start + 1
    while stop < len(answer.words) and stop < start + LONGEST_NAME and answer.clause[stop] == answer.clause[start]:
        if not answer.shown[stop][0].isupper():
            break
        stop += 1
    yield answer.words[joint], range(start, stop)


def precede_joint(answer: Text, start: int) -> Iterator[tuple[str, range]]:
    """Yield the words before "and" or "or" in front of a place, with the joint."""
    joint = start - 1
    if joint >= 0 and stands_behind_slash(answer, start):
        yield "or", range(joint, start)
        return
    while joint > 0 and not is_joint(answer, joint) and (answer.words[joint] in STOP_WORDS or joint in answer.hedges):
        joint -= 1
    if joint <= 0 or not is_joint(answer, joint) or answer.sentence[joint - 1] != answer.sentence[start]:
        return
    first = joint - 1
    while first > 0 and answer.shown[first - 1][0].isupper() and answer.clause[first - 1] == answer.clause[joint - 1]:
        first -= 1
    yield answer.words[joint], range(first, joint)


def is_joint(answer: Text, i: int) -> bool:
    """Return whether a word joins two things."""
    return answer.words[i] in ADDING or answer.words[i] in LEAVING_OPEN


def stands_behind_slash(answer: Text, i: int) -> bool:
    """Return whether a word of a short answer stands behind a stroke: femur / tibia."""
    if not 0 < i <= SHORT_ANSWER or len(answer.words) > SHORT_ANSWER:
        return False
    before = answer.starts[i - 1] + len(answer.shown[i - 1])
    return answer.text[before : answer.starts[i]].strip() == "/"


def skip_small_words(answer: Text, i: int) -> int:
    """Return the next place of a word that is not small: or possibly the Nile."""
    while i < len(answer.words) - 1 and (answer.words[i] in STOP_WORDS or i in answer.hedges):
        i += 1
    return i


def is_alike(answer: Text, words: range, match: Match) -> bool:
    """Return whether some words could stand where the match does: names beside names, years beside years.

    Other words in that place are mostly another word for the same ("a bank or credit union"), unless the answer says
    these two and nothing else, or "either".
    """
    both_names = answer.shown[words.start][0].isupper() and answer.shown[match.end][0].isupper()
    both_years = is_year(answer.words[words.start]) and is_year(answer.words[match.end])
    says_nothing_else = len(answer.words) <= SHORT_ANSWER and max(words.stop, match.end + 1) == len(answer.words)
    return (
        both_names or both_years or says_nothing_else or says_either(answer, min(words.start, match.start), words.stop)
    )


def is_year(word: str) -> bool:
    """Return whether a word is a year in digits."""
    return len(word) == 4 and word.isdigit()


# ---- roles


def compare_roles(answer: Text, reference: Text) -> Iterator[Finding]:
    """Yield that two things of the reference have changed their roles: Aristotle was the teacher of Plato."""
    if measure_exchange(answer, reference) < 0:
        yield Finding("roles", 1.0, answer.text.strip(), reference.text.strip())


def decide_roles(answer: Text, reference: Text) -> Decision | None:
    """Return that an answer says the same the other way round: Denmark lies south of Norway; None else."""
    if measure_exchange(answer, reference) <= 0 or answer.denials or reference.denials:
        return None
    if not all(has_stem_or_opposite(answer, stem) for stem in reference.content):
        return None
    return Decision(EQUAL, "roles", answer.text.strip(), reference.text.strip())


def has_stem_or_opposite(text: Text, stem: str) -> bool:
    """Return whether a text has a word or one of its opposites."""
    return stem in text.places or any(other in text.places for other in opposites().get(stem, ()))


def measure_exchange(answer: Text, reference: Text) -> int:
    """Return -1 where two things have changed their roles, 1 where the answer says the same turned round, else 0."""
    if not 2 < len(answer.words) <= MOST_WORDS or not is_sentence(reference) or SYMMETRIC & set(reference.words):
        return 0
    for pivot in list_pivots(reference):
        for other in find_pivot(answer, reference.words[pivot]):
            turned = is_turned(answer, other, reference, pivot)
            if turned is None:
                continue
            flips = is_passive(answer, other) != is_passive(reference, pivot)
            flips ^= has_opposite_pivot(answer, reference)
            if turned != flips:
                return -1
            return 1 if turned else 0
    return 0


def is_sentence(text: Text) -> bool:
    """Return whether a text is one sentence of some words: it has a form of "be", or ends with a full stop."""
    if not 2 < len(text.words) <= MOST_WORDS or text.sentence[-1] > 0:
        return False
    return bool(BE & set(text.words)) or text.text.rstrip().endswith((".", "。"))


def is_passive(text: Text, i: int) -> bool:
    """Return whether a word is the participle of a passive: was beaten, can be stored."""
    return i > 0 and text.words[i - 1] in BE and PARTICIPLE.search(text.words[i]) is not None


def list_pivots(text: Text) -> list[int]:
    """Return the words of a sentence that say what one thing is to another: verbs, comparisons, prepositions."""
    names = {i for start, end in text.names for i in range(start, end)}
    inner = [i for i in range(1, len(text.words) - 1) if i not in names]
    content = [i for i in inner if text.words[i] not in STOP_WORDS and text.words[i] not in DIRECTED]
    directed = [i for i in inner if text.words[i] in DIRECTED]
    return [*content, *directed]


def find_pivot(answer: Text, word: str) -> list[int]:
    """Return where an answer has a word, another form of it, or its opposite."""
    stem = stem_word(word)
    against = opposites().get(stem, frozenset())
    found = list[int]()
    for i in range(1, len(answer.words) - 1):
        is_form = len(word) > 3 and answer.words[i][:SAME_BEGINNING] == word[:SAME_BEGINNING]
        if answer.stems[i] == stem or answer.stems[i] in against or (is_form and word not in DIRECTED):
            found.append(i)
    return found


def is_turned(answer: Text, at: int, reference: Text, pivot: int) -> bool | None:
    """Return whether the things on either side of a pivot have changed sides.

    None where the same things do not stand on either side.
    """
    before, behind = collect_things(reference, 0, pivot), collect_things(reference, pivot + 1, len(reference.words))
    own_before, own_behind = collect_things(answer, 0, at), collect_things(answer, at + 1, len(answer.words))
    before, behind = before - behind, behind - before
    own_before, own_behind = own_before - own_behind, own_behind - own_before
    is_straight = bool(before & own_before) and bool(behind & own_behind)
    is_crossed = bool(before & own_behind) and bool(behind & own_before)
    if is_straight == is_crossed:
        return None
    return is_crossed


def collect_things(text: Text, start: int, end: int) -> set[str]:
    """Return the stems that name things from one word up to another: names if there are any, else what tells something.

    Of a name the last word counts.
    """
    names = {text.stems[stop - 1] for first, stop in text.names if start <= first and stop <= end}
    if start == 0 and end > 0 and text.shown[0][0].isupper() and text.words[0] not in STOP_WORDS and not names:
        names = {text.stems[0]} if end == 1 else set()
    if names:
        return names
    return {text.stems[i] for i in range(start, end) if text.words[i] not in STOP_WORDS | DIRECTED}


def has_opposite_pivot(answer: Text, reference: Text) -> bool:
    """Return whether an odd number of the reference's words have their opposites in the answer."""
    count = 0
    for stem in set(reference.stems):
        against = opposites().get(stem, frozenset())
        count += stem not in answer.places and any(other in answer.places for other in against)
    return count % 2 == 1
