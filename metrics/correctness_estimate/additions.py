"""Two things where one is asked for: another that an answer adds, leaves open or puts in place of
the reference.
"""

import re
from collections.abc import Iterator, Sequence

from .lexicon import NUMBER_WORDS, STOP_WORDS
from .matching import Match
from .text import HAN_RANGES, Text, read_text

from .lists import Finding, LONGEST_ANSWER, WITH, split_items

LONGEST_NAME, LONGEST_THING = 6, 3  # words
ASKING_WHO = frozenset("who whom wer wen quien qui 谁".split())
LONGEST_LISTING = 14  # words of an answer that lists several things where one person is asked for
NAMING_WORDS = frozenset("called known named means mean meaning termed term".split())
SHORT_ANSWER = 9  # words of an answer that says two things and nothing else
ADDING = frozenset({"and", "y", "&", "plus", "und", "sowie", "et", "和", "及", "与"})
# Several words that join two things; of each the last.
ADDING_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "as well as, along with, together with, jointly with, tied with, in addition to, zusammen "
        "mit, junto con, "
        "avec l'aide de, co-written with, shared with"
    ).split(", ")
)
SHORTEST_LIST = 3  # words of an answer that is two things with a comma
LEAVING_OPEN = frozenset({"or", "oder", "ou", "或"})
EITHER = re.compile(
    r"\b(?:either|entweder|soit|(?:torn|hesitat\w+|undecided|choice|toss-?up) between"
    r"|one of (?:the )?two)\b"
    r"|要么|不是.{1,8}就是"
)
# A question for one thing of a kind: which country, what is the capital. Who wrote a song may be
# one or two.
ONE_OF_A_KIND = re.compile(
    r"\W*(?:(?:in|on|at|from|to|for|by|of|under|with|during) )?(?:which|what)(?: (?:is"
    r"|was)(?: the(?! name))?)? "
    r"(?!is |was |are |were |do |does |did |it |the |we |you )((?:\w+ ?){1,3})"
)


# ---- two things where one is asked for


def find_company(
    answer: Text,
    reference: Text,
    known: Sequence[Text],
    match: Match,
) -> Iterator[Finding]:
    """Yield that an answer names another thing beside the one of the reference: Spain and France,
    Sydney or Canberra.

    Args:
        answer: the answer.
        reference: the reference that counts.
        known: the question, and all references.
        match: where the answer has the reference.
    """
    is_name = 0 < len(reference.words) <= LONGEST_NAME and not split_items(reference.text)
    if reference.is_chinese:
        yield from find_chinese_company(answer, reference, known)
        return
    if not match.inside or not is_name:
        return
    items = find_listed_company(answer, reference, known)
    if items and wants_one(known[0], known[1:], answer, LONGEST_LISTING):
        yield Finding("added", 1.0, ", ".join(items), reference.text.strip())
        return
    corrected = find_correction(answer, match, known)
    if corrected:
        yield Finding("either", 1.0, corrected, reference.text.strip())
        return
    also = find_also(answer, match, known) if len(answer.words) <= LONGEST_ANSWER else ""
    if also and wants_one(known[0], known[1:], answer, LONGEST_LISTING):
        yield Finding("added", 1.0, also, reference.text.strip())
        return
    for joint, words in (*follow_joint(answer, match.end), *precede_joint(answer, match.start)):
        start, end = min(words.start, match.start), max(words.stop, match.end + 1)
        kind = "either" if joint in LEAVING_OPEN or says_either(answer, start, end) else "added"
        is_long = len(answer.words) > LONGEST_ANSWER or (
            kind == "either" and gives_names(answer, start)
        )
        most = (
            LONGEST_ANSWER
            if joint == WITH
            else LONGEST_LISTING
            if match.start == 0
            else SHORT_ANSWER
        )
        if is_long or (kind == "added" and not wants_one(known[0], known[1:], answer, most)):
            continue
        is_denied = any(start <= i < end for i in answer.denials)
        is_new = not is_denied and names_new_thing(answer, words, match, known)
        if (
            is_new
            and answer.words[words.start] not in STOP_WORDS
            and is_alike(answer, words, match)
        ):
            yield Finding(kind, 1.0, answer.span(start, end), reference.text.strip())
            return


# Behind the reference: another thing that is so, too.
ALSO = re.compile(
    r"^[ ]?(?:[,;.]|,? (?:but|and|or)\b,?) ?(?:the |equally,? |also "
    r"|just as much )*(?P<thing>[\w.'-]+(?: (?!is|"
    r"are|was|does|do)[\w.'-]+){0,2}?),?"
    r" (?:is |are |was |were |does |do |did |can |counts? )?(?:also|too|as well|likewise|equally"
    r"|just as)\b"
    r"|^[ ]?,? (?:and|or) so (?:do|does|is|are|did|was|were) (?:the )?(?P<same>[\w.'-]+)"
    r"|^[ ]?,? (?:and|or),? (?:equally|also|likewise|just as well),? (?:the )?(?P<other>[\w.'-]+)"
    r"|^[ ]?,? (?:shared|split|divided|jointly"
    r"|tied)\b.{0,30}? with (?:the )?(?P<partner>[A-Z][\w.'-]+)",
)
NO_THING = frozenset("it he she they this that which who there one we you i known called".split())


def find_also(answer: Text, match: Match, known: Sequence[Text]) -> str:
    """Return another thing that an answer names behind the reference as well: and the spleen does
    as well.
    """
    end = answer.starts[match.end] + len(answer.shown[match.end])
    also = ALSO.match(answer.text[end:])
    if not also:
        return ""
    thing = also["thing"] or also["other"] or also["partner"] or also["same"]
    text = Text(thing)
    if (
        not text.words
        or text.words[0] in NO_THING
        or any(text.stems[-1] in other.places for other in known)
    ):
        return ""
    return thing


# What takes a name back for another one: "Thoreau? Sorry, I meant Emerson", "Debussy, though at
# first I said Ravel".
CORRECTED_AFTER = re.compile(
    r"^['\"”)]?\s{0,3}[?.,;…–—-]{1,5}\s{0,3}(?:oh |ah |er,? |hmm,? )?(?:sorry|no\b|nope|wait"
    r"|scratch that|"
    r"correction|i meant?|"
    r"make that|my mistake|actually|let me correct)\b[^.]{0,40}?(?-i:(?P<name>[A-Z][\w'-]+))",
    re.IGNORECASE,
)
SET_ASIDE_BEFORE = re.compile(
    r"(?:first (?:thought|guess|idea|instinct)|i (?:initially|at first) (?:said|thought|wrote)"
    r"|tempted to say|"
    r"almost said|wanted to say|"
    r"had (?:thought|guessed)|mistook|confus\w{1,10})(?: (?:was|of|it was|to be|it is|that it was"
    r"|i thought of|with|"
    r"it for))?[ :]{0,3}$",
    re.IGNORECASE,
)


LONGEST_ASIDE = 80  # characters before a name


def find_correction(answer: Text, match: Match, known: Sequence[Text]) -> str:
    """Return the words with which an answer takes the reference back for another name.

    "" where it does not.
    """
    start, end = answer.starts[match.start], answer.starts[match.end] + len(answer.shown[match.end])
    after = CORRECTED_AFTER.match(answer.text[end:])
    if after and not any(
        word in text.places for word in Text(after["name"]).stems for text in known
    ):
        return answer.text[start : end + after.end()]
    before = SET_ASIDE_BEFORE.search(answer.text[max(0, start - LONGEST_ASIDE) : start])
    others = [
        name
        for name in answer.names
        if not any(answer.stems[name[0]] in text.places for text in known)
    ]
    first_is_name = (
        bool(answer.shown)
        and answer.shown[0][0].isupper()
        and answer.stems[0] not in known[1].places
    )
    if before and (others or first_is_name):
        return answer.text[max(0, start - LONGEST_ASIDE) + before.start() : end]
    return ""


def find_listed_company(answer: Text, reference: Text, known: Sequence[Text]) -> list[str]:
    """Return the items of an answer that is a list of three or more with the reference among them:
    Rust, Go and C++.
    """
    items = split_items(answer.text)
    if len(items) < 3 or len(answer.words) > LONGEST_ANSWER:
        return []
    texts = [read_text(item) for item in items]
    is_among = any(set(reference.stems) <= text.places.keys() for text in texts)
    is_same_sort = all(
        text.shown and text.shown[0][0].isupper() == reference.shown[-1][0].isupper()
        for text in texts
    )
    new = [
        text
        for text in texts[1:]
        if text.stems and not any(text.stems[0] in other.places for other in known)
    ]
    return items if is_among and is_same_sort and new and not answer.denials else []


CHINESE_JOINT = "(?:和|与|及|以及|、|跟|或|或者)"
CHINESE_ALSO = "[，,;；]?(?:另外|此外|同时)?也(?:属于|是|在|有|可以说|可以是)"
ASKS_FOR_ONE_IN_CHINESE = re.compile("谁|哪一?[个位条座种国首部项年家颗省市]|什么")
LONGEST_CHINESE_NAME = 8  # characters


def find_chinese_company(answer: Text, reference: Text, known: Sequence[Text]) -> Iterator[Finding]:
    """Yield that a Chinese answer names another thing beside the one of the reference:
    吴承恩和罗贯中.
    """
    name = reference.text.strip(" 。.")
    if not 1 < len(name) <= LONGEST_CHINESE_NAME or not ASKS_FOR_ONE_IN_CHINESE.search(
        known[0].text
    ):
        return
    if re.search("哪些|哪几", known[0].text) or split_items(reference.text):
        return
    quoted = re.escape(name)
    after = re.search(
        f"{quoted}(?:{CHINESE_JOINT}|{CHINESE_ALSO})([{HAN_RANGES}]{{2,6}})", answer.text
    )
    before = re.search(
        f"(?:^|[，,是为])([{HAN_RANGES}]{{2,6}}){CHINESE_JOINT}{quoted}", answer.text
    )
    for match in (after, before):
        if match and not any(match[1][:2] in text.text for text in known):
            kind = "either" if "或" in match[0] else "added"
            yield Finding(kind, 1.0, match[0], reference.text.strip())
            return


def names_new_thing(
    answer: Text,
    words: range,
    match: Match,
    known: Sequence[Text],
) -> bool:
    """Return whether some words name another thing than the match does: the Red Sea beside the Dead
    Sea.
    """
    new = [i for i in words if not any(answer.stems[i] in text.places for text in known)]
    last = words.stop - 1
    return bool(new) and (last in new or answer.stems[last] == answer.stems[match.end])


def says_either(answer: Text, start: int, end: int) -> bool:
    """Return whether "either" or the like stands beside two things."""
    first, last = max(0, start - 3), min(len(answer.words), end + 8)
    return EITHER.search(answer.span(first, last).lower()) is not None


def gives_names(answer: Text, start: int) -> bool:
    """Return whether two words stand for one thing: called, known as, means."""
    clause = answer.clause[start]
    return any(
        answer.words[i] in NAMING_WORDS and answer.clause[i] == clause
        for i in range(max(0, start - 6), start)
    )


# A question that several words may answer together: what does it mean, what is it for.
ASKS_FOR_SENSE = re.compile(
    r"\b(?:mean|means|meaning|purpose|used? for|use of|source|reason|example|application"
    r"|function)\b"
)


def asks_for_one(question: Text) -> bool:
    """Return whether a question asks for one thing of a kind."""
    match = ONE_OF_A_KIND.match(question.lower)
    if match is None or ASKS_FOR_SENSE.search(question.lower):
        return False
    words = match[1].split()
    shown = question.text[match.start(1) : match.end(1)].split()
    while len(words) > 1 and (words[0] in NUMBER_WORDS or shown[-len(words)][0].isupper()):
        words = words[1:]  # which Central American nations
    return not is_plural(words[0])


def wants_one(
    question: Text,
    references: Sequence[Text],
    answer: Text,
    most_words: int,
) -> bool:
    """Return whether a second thing is one too many.

    The question asks for one of a kind, or for a person and the answer is short. Who wrote a song
    may be two, where the references name several.
    """
    asks_who = (
        bool(ASKING_WHO & set(question.words))
        and len(references) == 1
        and len(references[0].names) == 1
    )
    return asks_for_one(question) or (asks_who and len(answer.words) <= most_words)


def is_plural(word: str) -> bool:
    """Return whether a word may be a plural: countries, but not is, class or census."""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def follow_joint(answer: Text, end: int) -> Iterator[tuple[str, range]]:
    """Yield the words behind "and" or "or" after a place, with the joint."""
    joint = max(end + 1, end_of_phrase(answer, end + 1))
    if joint >= len(answer.words):
        return
    if stands_behind_comma(answer, joint):
        yield "and", range(joint, len(answer.words))
        return
    is_phrase = joint > end + 1 or is_with_name(answer, joint)
    if not is_phrase and not is_joint(answer, joint):
        if stands_behind_slash(answer, joint):
            yield "or", range(joint, end_of_name(answer, joint))
        return
    start = skip_small_words(answer, joint + 1)
    if start >= len(answer.words) or answer.sentence[end] != answer.sentence[start]:
        return
    yield WITH if is_phrase else answer.words[joint], range(start, end_of_name(answer, start))


def end_of_name(answer: Text, start: int) -> int:
    """Return where a name ends that begins at a word: behind the last word with a capital.

    A thing with small letters goes on to the end of a short answer: cello and double bass.
    """
    stop = start + 1
    ends_answer = len(answer.words) <= SHORT_ANSWER and len(answer.words) - start <= LONGEST_THING
    if ends_answer and answer.clause[-1] == answer.clause[start] and answer.shown[start].islower():
        return len(answer.words)
    while (
        stop < len(answer.words)
        and stop < start + LONGEST_NAME
        and answer.clause[stop] == answer.clause[start]
    ):
        if not answer.shown[stop][0].isupper():
            break
        stop += 1
    return stop


def is_with_name(answer: Text, i: int) -> bool:
    """Return whether a word is "with" before a name."""
    return (
        answer.words[i] == WITH and i + 1 < len(answer.words) and answer.shown[i + 1][0].isupper()
    )


def stands_behind_comma(answer: Text, i: int) -> bool:
    """Return whether a word of a very short answer stands behind a comma and is no place: tennis,
    football.
    """
    if len(answer.words) > SHORTEST_LIST or not answer.shown[i].islower():
        return False
    before = answer.starts[i - 1] + len(answer.shown[i - 1])
    return answer.text[before : answer.starts[i]].strip() == ","


def precede_joint(answer: Text, start: int) -> Iterator[tuple[str, range]]:
    """Yield the words before "and" or "or" in front of a place, with the joint."""
    joint = start - 1
    if joint >= 0 and stands_behind_slash(answer, start):
        yield "or", range(joint, start)
        return
    while (
        joint > 0
        and not is_joint(answer, joint)
        and (answer.words[joint] in STOP_WORDS or joint in answer.hedges)
    ):
        joint -= 1
    if (
        joint <= 0
        or not is_joint(answer, joint)
        or answer.sentence[joint - 1] != answer.sentence[start]
    ):
        return
    first = joint - 1
    while (
        first > 0
        and answer.shown[first - 1][0].isupper()
        and answer.clause[first - 1] == answer.clause[joint - 1]
    ):
        first -= 1
    yield answer.words[joint], range(first, joint)


def is_joint(answer: Text, i: int) -> bool:
    """Return whether a word joins two things."""
    return answer.words[i] in ADDING or answer.words[i] in LEAVING_OPEN


def end_of_phrase(answer: Text, i: int) -> int:
    """Return the last word of a phrase such as "as well as" that begins at a word, or -1."""
    for length in (3, 2):
        if tuple(answer.words[i : i + length]) in ADDING_PHRASES:
            return i + length - 1
    return -1


def stands_behind_slash(answer: Text, i: int) -> bool:
    """Return whether a word of a short answer stands behind a stroke: femur / tibia."""
    if not 0 < i < min(SHORT_ANSWER, len(answer.words)) or len(answer.words) > SHORT_ANSWER:
        return False
    before = answer.starts[i - 1] + len(answer.shown[i - 1])
    return answer.text[before : answer.starts[i]].strip() == "/"


def skip_small_words(answer: Text, i: int) -> int:
    """Return the next place of a word that is not small: or possibly the Nile."""
    while i < len(answer.words) - 1 and (answer.words[i] in STOP_WORDS or i in answer.hedges):
        i += 1
    return i


def is_alike(answer: Text, words: range, match: Match) -> bool:
    """Return whether some words could stand where the match does: names beside names, years beside
    years.

    Other words in that place are mostly another word for the same ("a bank or credit union"),
    unless the answer says these two and nothing else, or "either".
    """
    both_names = answer.shown[words.start][0].isupper() and answer.shown[match.end][0].isupper()
    both_years = is_year(answer.words[words.start]) and is_year(answer.words[match.end])
    says_nothing_else = len(answer.words) <= SHORT_ANSWER and max(words.stop, match.end + 1) == len(
        answer.words
    )
    says_both = "both" in answer.words[match.end : match.end + 6]
    says_either_one = says_either(answer, min(words.start, match.start), words.stop)
    return both_names or both_years or says_nothing_else or says_both or says_either_one


def is_year(word: str) -> bool:
    """Return whether a word is a year in digits."""
    return len(word) == 4 and word.isdigit()
