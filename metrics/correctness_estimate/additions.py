"""Two things where one is asked for: an answer adds another, leaves it open or prefers it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .candidates import (
    ADDING_WORDS,
    ALSO_WORDS,
    ASKING_WHO,
    NAME_PARTICLES,
    OPEN_WORDS,
    SHORT_ANSWER,
    Candidate,
    CandidateFinder,
)
from .equality import is_among
from .lexicon import NUMBER_WORDS
from .lists import LONGEST_ANSWER, Finding, split_items
from .matching import Match
from .rivals import find_rival
from .text import HAN_RANGES, Text, read_text

LONGEST_NAME = 6  # words of a reference that is one thing
LONGEST_LISTING = 14  # words of an answer that lists several things where one is asked for
NAMING_WORDS = frozenset("called known named mean meaning termed term".split())
ASKS_FOR_NAME = re.compile(r"\b(?:called|name|named|mean|means|meaning|synonym|term|said|say)\b")
EXCLUSIVE = frozenset("only just solely exclusively nur seulement solo solamente".split())
NAMING_REACH = 6  # words behind "called" that give a name
ARTICLES = frozenset("a an the".split())
# A question for one thing of a kind: which country, what is the capital.
ONE_OF_A_KIND = re.compile(
    r"\W*(?:(?:in|on|at|from|to|for|by|of|under|with|during) )?(?:which|what)(?: (?:is"
    r"|was|'s)(?: the(?! name))?|'s(?: the)?)? "
    r"(?!is |was |are |were |do |does |did |it |the |we |you |on |in |at )((?:[\w']+ ?){1,3})"
)
# The same in German, French and Spanish.
ONE_OF_A_KIND_ELSEWHERE = re.compile(
    r"\W*(?:(?:in|an|auf|aus) )?welche[rsmn]? \w+ (?:ist|war|wurde|\w+t)\b"
    r"|\W*quel(?:le)? (?:\w+ )?(?:est|a|fut)\b|\W*(?:cuál|qué \w+) (?:es|fue|tiene)\b"
)
# A question for what is done: what did the thief take. One thing may be meant, or several.
ONE_OR_SEVERAL = re.compile(r"\W*(?:what|whom?) (?:is|was|do|does|did|has|had|should)\b")
# A question that several words may answer together: what does it mean, what is it for.
ASKS_FOR_SENSE = re.compile(
    r"\b(?:mean|means|meaning|purpose|used? for|use of|source|reason|example|application"
    r"|function)\b"
)


def find_additions(
    answer: Text,
    reference: Text,
    known: Sequence[Text],
    match: Match,
) -> Iterator[Finding]:
    """Yield that an answer names another thing beside the reference: Sydney or Canberra.

    Args:
        answer: the answer.
        reference: the reference that counts.
        known: the question, and all references.
        match: where the answer has the reference.
    """
    if reference.is_chinese:
        yield from find_chinese_additions(answer, reference, known)
        return
    is_thing = 0 < len(reference.words) <= LONGEST_NAME and not split_items(reference.text)
    if not match.inside or not is_thing:
        return
    kind, found = "added", find_listed_additions(answer, reference, known)
    if not found:
        kind, found = "either", find_correction(answer, match, known)
    if not found:
        kind, found = find_candidate(answer, reference, known, match)
    if not found:
        kind, found = "added", find_beyond_only(answer, reference, known, match)
    if not found:
        kind, found = "added", find_second_time(answer, known[1:], known[0])
    if not found:
        kind, found = "either", find_open_choice(answer, match, known, known[0])
    if not found:
        kind, found = "either", find_rival(answer, known[0], known[1:], match)
    if found:
        yield Finding(kind, 1.0, found, reference.text.strip())


def find_candidate(
    answer: Text, reference: Text, known: Sequence[Text], match: Match
) -> tuple[str, str]:
    """Return the kind of finding of the first other candidate that counts, and the words of both.

    Both are "" where there is none.
    """
    if len(answer.words) > LONGEST_ANSWER:
        return "", ""
    finder = CandidateFinder(answer, reference, match, known)
    for candidate in (*finder.find_joined(), *finder.find_in_other_clauses()):
        if not finder.is_another(candidate.words):
            continue
        start = min(candidate.words.start, match.start)
        last = max(candidate.words.stop - 1, match.end)
        if not candidate.is_sure and has_denial(answer, start, last):
            continue
        is_open = candidate.is_open or finder.says_either(start, last)
        if is_open and not gives_other_name(answer, start, known[0], finder.is_name):
            return "either", answer.span(start, last + 1)
        if not is_open and is_one_too_many(answer, known, match, candidate):
            return "added", answer.span(start, last + 1)
    return "", ""


def has_denial(text: Text, first: int, last: int) -> bool:
    """Return whether a denial stands between two words, or is one of them."""
    return any(first <= i <= last for i in text.denials)


def is_one_too_many(
    answer: Text, known: Sequence[Text], match: Match, candidate: Candidate
) -> bool:
    """Return whether the question asks for one thing, and a second one is wrong."""
    question, references = known[0], known[1:]
    if are_several(references):
        return False
    if asks_for_one(question):
        return True
    longest = LONGEST_LISTING if match.start == 0 else SHORT_ANSWER
    is_long = len(answer.words) > longest and not candidate.is_sure
    if is_long or (len(references) > 1 and not candidate.is_sure):
        return False
    if not EXCLUSIVE.isdisjoint(references[0].words):
        return True
    asks_who = not ASKING_WHO.isdisjoint(question.words)
    if asks_who and is_one_name(references[0]):
        return True
    return ONE_OR_SEVERAL.match(question.lower) is not None and not asks_for_sense(question)


def is_one_name(reference: Text) -> bool:
    """Return whether a reference is one name, also with small words in it: Miguel de Cervantes."""
    if len(reference.names) == 1:
        return True
    words = [
        word
        for word, shown in zip(reference.words, reference.shown, strict=True)
        if not shown[0].isupper()
    ]
    return bool(reference.names) and NAME_PARTICLES.issuperset(words)


def are_several(references: Sequence[Text]) -> bool:
    """Return whether two references are different things: no word of one is in the other."""
    first = references[0]
    return any(first.places.keys().isdisjoint(other.places) for other in references[1:])


def asks_for_sense(question: Text) -> bool:
    """Return whether several words may answer a question together: what does it mean."""
    return ASKS_FOR_SENSE.search(question.lower) is not None


def asks_for_one(question: Text) -> bool:
    """Return whether a question asks for one thing of a kind."""
    if ONE_OF_A_KIND_ELSEWHERE.match(question.lower):
        return True
    match = ONE_OF_A_KIND.match(question.lower)
    if match is None or asks_for_sense(question):
        return False
    words = match[1].split()
    shown = question.text[match.start(1) : match.end(1)].split()
    while len(words) > 1 and (words[0] in NUMBER_WORDS or shown[-len(words)][0].isupper()):
        words = words[1:]  # which Central American nations
    return not is_plural(words[0])


def is_plural(word: str) -> bool:
    """Return whether a word may be a plural: countries, but not is, class or census."""
    is_singular = word.endswith(("ss", "us", "is", "'s"))
    return len(word) > 3 and word.endswith(("s", "(s")) and not is_singular


def gives_other_name(answer: Text, start: int, question: Text, is_name: bool) -> bool:
    """Return whether two words with "or" between them are two names for one thing.

    "called" stands before them, or the question asks what a thing is called.
    """
    if not is_name and ASKS_FOR_NAME.search(question.lower):
        return True
    for i in range(max(0, start - NAMING_REACH), start):
        if answer.words[i] in NAMING_WORDS and answer.clause[i] == answer.clause[start]:
            return True
    return False


FURTHER_NUMBER = re.compile(r"\W*(?:plus|and) (?:\w+ )?(?:extra|additional|more|further)\b")


def find_beyond_only(answer: Text, reference: Text, known: Sequence[Text], match: Match) -> str:
    """Return what an answer joins to the only thing that there is, or "".

    The reference says that it is the only one, or how many there are.
    """
    if len(answer.words) > LONGEST_ANSWER or answer.denials:
        return ""
    end = answer.starts[match.end] + len(answer.shown[match.end])
    if reference.quantities and FURTHER_NUMBER.search(answer.lower[end:]):
        return answer.text[answer.starts[match.start] :].strip()
    if EXCLUSIVE.isdisjoint(reference.words):
        return ""
    for i in range(match.end + 1, len(answer.words) - 1):
        is_joint = answer.words[i] in ADDING_WORDS | OPEN_WORDS | ALSO_WORDS
        new = [stem for stem in answer.stems[i + 1 :] if not has_stem(stem, known)]
        if is_joint and set(new) & set(answer.content) and answer.sentence[i] == 0:
            return answer.text[answer.starts[match.start] :].strip()
    return ""


# What joins a second time to a first one: in 1648 and again in 1650.
JOINS_TIMES = re.compile(
    r"[\s,.;]*(?:and|then|und|et|y)(?: (?:and|then|again|also|once|more|later|a second time))*"
    r"(?: (?:in|at|on|um|im|en|à))?\s*"
)
TWICE = re.compile(r"\b(?:twice|two times|there are two|zweimal|deux fois|dos veces)\b")
ASKS_FOR_ONE_TIME = re.compile(
    r"\W*(?:when|(?:in |on |at )?(?:which|what) (?:year|month|day|date|time)|wann|quand|cuándo)\b"
)
FROM_OR_BETWEEN = re.compile(r"\b(?:between|from|both|s)\b")


def find_second_time(answer: Text, references: Sequence[Text], question: Text) -> str:
    """Return a second time that an answer joins to the only reference's, or ""."""
    reference = references[0]
    if len(references) > 1 or len(reference.quantities) != 1 or len(answer.words) > LONGEST_LISTING:
        return ""
    if not ASKS_FOR_ONE_TIME.match(question.lower) or FROM_OR_BETWEEN.search(answer.lower):
        return ""
    for first, second in pairwise(answer.quantities):
        joint = answer.lower[first.end : second.start]
        is_joined = JOINS_TIMES.fullmatch(joint) or TWICE.search(answer.lower)
        if first.kind == second.kind and is_joined and not is_among(second, reference.quantities):
            return answer.text[first.start : second.end]
    return ""


def find_listed_additions(answer: Text, reference: Text, known: Sequence[Text]) -> str:
    """Return the items of a list of three or more with the reference among them.

    Return "" where an answer is none or the question may ask for several: Rust, Go and C++.
    """
    items = split_items(answer.text)
    if len(items) < 3 or len(answer.words) > LONGEST_LISTING or answer.denials:
        return ""
    if are_several(known[1:]) or not asks_for_one(known[0]):
        return ""
    texts = [text for text in map(read_text, items) if text.words]
    if not texts or not are_of_one_sort(texts, reference):
        return ""
    stems = set(reference.stems)
    has_reference = any(stems <= text.places.keys() for text in texts)
    has_new_item = any(not has_stem(text.stems[0], known) for text in texts[1:])
    return ", ".join(items) if has_reference and has_new_item else ""


def are_of_one_sort(items: Sequence[Text], reference: Text) -> bool:
    """Return whether all items have a capital like the reference, or none has one."""
    # Before the first item stands the beginning of the sentence.
    words = [items[0].shown[-1], *(item.shown[0] for item in items[1:])]
    is_name = reference.shown[-1][0].isupper()
    return all(word[0].isupper() == is_name for word in words)


def has_stem(stem: str, known: Sequence[Text]) -> bool:
    """Return whether one of some texts has a stem."""
    return any(stem in text.places for text in known)


# ---- an answer that takes the reference back for another name: "Thoreau? Sorry, I meant Emerson"

CORRECTED_AFTER = re.compile(
    r"^['\"”)]?\s{0,3}[?.,;…–—-]{1,5}\s{0,3}(?:oh |ah |er,? |hmm,? )?(?:sorry|no\b|nope|wait"
    r"|scratch that|correction|i meant?|make that|my mistake|actually|let me correct)\b[^.]{0,40}?"
    r"(?-i:(?P<name>[A-Z][\w'-]+))",
    re.IGNORECASE,
)
SET_ASIDE_BEFORE = re.compile(
    r"(?:first (?:thought|guess|idea|instinct)|i (?:initially|at first) (?:said|thought|wrote)"
    r"|tempted to say|almost said|wanted to say|had (?:thought|guessed)|mistook|confus\w{1,10})"
    r"(?: (?:was|of|it was|to be|it is|that it was|i thought of|with|it for))?[ :]{0,3}$",
    re.IGNORECASE,
)
LONGEST_ASIDE = 80  # characters before a name


EITHER_OF_TWO = re.compile(
    r"\bif (?:not|it (?:is|was) ?n[o']t|it'?s not|it wasn't|it isn't)(?! (?:mistaken|wrong|for\b))"
    r"|\bone or the other\b|\bone of the two\b"
)
SOME_SAY = re.compile(
    r"\b(?:some|others|many|other people)(?: (?:people|sources|experts))? "
    r"(?:say|think|believe|claim|argue|suggest)s?\b(?! that is| so\b)[^.]{0,30}$"
)


def find_open_choice(answer: Text, match: Match, known: Sequence[Text], question: Text) -> str:
    """Return the sentence in which an answer leaves two names open, or "".

    If not Ann, then Bob; Jane or Charlotte Austen; some say that it was Bob.
    """
    if len(answer.words) > LONGEST_LISTING or not has_other_thing(answer, known):
        return ""
    words = answer.words[match.start : match.end + 1]
    is_split = "or" in words[1:-1]
    start = answer.starts[match.start]
    is_open = EITHER_OF_TWO.search(answer.lower) is not None or is_split
    behind = answer.lower[start:]
    is_disputed = any(
        SOME_SAY.search(behind[: answer.starts[first] - start])
        for first, _ in answer.names
        if first > match.end and not has_stem(answer.stems[first], known)
    )
    return answer.text.strip() if is_open or is_disputed else ""


def has_other_thing(answer: Text, known: Sequence[Text]) -> bool:
    """Return whether an answer has a name or a letter that no other text has."""
    return has_new_name(answer, known) or any(
        len(word) == 1 and not has_stem(word, known) for word in answer.words
    )


def find_correction(answer: Text, match: Match, known: Sequence[Text]) -> str:
    """Return the words with which an answer takes the reference back for another name.

    "" where it does not.
    """
    start = answer.starts[match.start]
    end = answer.starts[match.end] + len(answer.shown[match.end])
    after = CORRECTED_AFTER.match(answer.text[end:])
    if after and not any(has_stem(stem, known) for stem in Text(after["name"]).stems):
        return answer.text[start : end + after.end()]
    aside = max(0, start - LONGEST_ASIDE)
    before = SET_ASIDE_BEFORE.search(answer.text[aside:start])
    if before and has_new_name(answer, known):
        return answer.text[aside + before.start() : end]
    return ""


def has_new_name(answer: Text, known: Sequence[Text]) -> bool:
    """Return whether an answer has a name that no other text has, or begins with one."""
    if answer.shown[0][0].isupper() and answer.stems[0] not in known[1].places:
        return True
    return any(not has_stem(answer.stems[start], known) for start, _ in answer.names)


# ---- Chinese

CHINESE_JOINT = "[，,;；。]?(?:和|与|及|以及|、|跟|或|或者|还有|加上)"
CHINESE_ALSO = "[，,;；]?(?:另外|此外|同时)?也(?:属于|是|在|有|可以说|可以是|可能是)"
ASKS_FOR_ONE_IN_CHINESE = re.compile("谁|哪里|哪儿|多少年|哪一?[个位条座种国首部项年家颗省市]|什么")
ASKS_FOR_SEVERAL_IN_CHINESE = re.compile("哪些|哪几")
LONGEST_CHINESE_NAME = 8  # characters


def find_chinese_additions(
    answer: Text, reference: Text, known: Sequence[Text]
) -> Iterator[Finding]:
    """Yield that a Chinese answer names another thing beside the reference: 吴承恩和罗贯中."""
    name = reference.text.strip(" 。.")
    is_name = 1 < len(name) <= LONGEST_CHINESE_NAME and not split_items(reference.text)
    if not is_name or not asks_for_one_in_chinese(known[0].text):
        return
    name = name.removeprefix("只")
    quoted, other = re.escape(name), f"([{HAN_RANGES}]{{2,6}})"
    after = re.search(f"{quoted}(?:{CHINESE_JOINT}|{CHINESE_ALSO}){other}", answer.text)
    before = re.search(f"(?:^|[，,是为]){other}{CHINESE_JOINT}{quoted}", answer.text)
    clause = f"{quoted}[^，,;；。]{{0,4}}[，,;；。](?:另外|此外|同时|而且)?[，,]?"
    also = re.search(f"{clause}([{HAN_RANGES}]{{2,5}}?)也", answer.text)
    another = re.search(f"{clause}另外?一[^，。]{{0,6}}[是为]{other}", answer.text)
    excluded = re.search(f"不是{other}就是{quoted}|不是{quoted}就是{other}", answer.text)
    if excluded:
        yield Finding("either", 1.0, excluded[0], reference.text.strip())
        return
    for match in (after, before, also, another):
        if match and not any(match[1][:2] in text.text for text in known):
            kind = "either" if "或" in match[0] or "可能" in match[0] else "added"
            yield Finding(kind, 1.0, match[0], reference.text.strip())
            return


def asks_for_one_in_chinese(question: str) -> bool:
    """Return whether a Chinese question asks for one thing."""
    if ASKS_FOR_SEVERAL_IN_CHINESE.search(question):
        return False
    return ASKS_FOR_ONE_IN_CHINESE.search(question) is not None
