"""What a sentence says to a question for yes or no without saying either word.

The sentence is set beside the question: which of the words that the question asks about it has,
which it replaces by an opposite, another name or another number, and what it denies. Each reader
knows one way of saying it and returns 1 for yes, -1 for no, 0 where it cannot tell.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

from .answer_sentences import (
    DEGREES,
    DENYING,
    DENYING_PHRASE,
    LONGEST_QUESTION,
    Sentence,
    count_negators,
    first_word,
    is_asked,
    is_denied_question,
    is_pointing,
    list_sentences,
)
from .implied_amounts import (
    MOST_ASKED,
    SAME_DEGREE,
    read_amount,
    read_comparison,
    read_direction_of_bound,
)
from .lexicon import TURNING_WORDS
from .opposites import opposites
from .polarity import AUXILIARY
from .lexicon import SENSES
from .text import HAN, Text
from .word_roots import are_opposite_roots, find_root, is_derived


# ---- words for a state or its opposite

# Whether a sentence has a word for the state that a question asks for, or for its opposite.

CAN = frozenset("can may could might".split())
NEEDED = frozenset("must need should".split())


@cache
def compile_senses() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return the two sides of each sense as patterns."""
    found = list[tuple[re.Pattern[str], re.Pattern[str]]]()
    for line in SENSES.replace("|\n ", "| ").replace("\n ", " ").strip().splitlines():
        one, _, other = line.partition("|")
        found.append((compile_side(one), compile_side(other)))
    return found


def compile_side(words: str) -> re.Pattern[str]:
    """Return the words of one side of a sense as a pattern."""
    forms = list[str]()
    for word in sorted(words.split(), key=len, reverse=True):
        if HAN.match(word):
            forms.append(word)
        else:
            form = word.replace("*", r"\w*").replace("_", r"\s(?:(?!not)\w+\s){0,2}?")
            forms.append(rf"(?<![\w-]){form}(?![\w-])")
    return re.compile("|".join(forms))


def read_sense(sentence: Sentence) -> int:
    """Return 1 if a sentence has a word for the state that is asked for, -1 for its opposite."""
    question = sentence.question.lower[:LONGEST_QUESTION]
    for sides, asked in list_asked_senses(question, sentence.question.words[0]):
        matches = [side.search(sentence.text) for side in sides]
        said = choose_side(matches)
        if said is None:
            continue
        match = matches[said]
        same = 1 if said == asked else -1
        if same > 0 and match and match[0] in question:
            continue  # its own word: the clause tells
        return same * sign_beside(sentence, match)
    return 0


@lru_cache(maxsize=1024)
def list_asked_senses(
    question: str, first_word: str
) -> list[tuple[tuple[re.Pattern[str], re.Pattern[str]], int]]:
    """Return the senses that a question asks for, each with the side that it names: 0 or 1."""
    found = list[tuple[tuple[re.Pattern[str], re.Pattern[str]], int]]()
    for sides in compile_senses():
        one, other = (bool(side.search(question)) for side in sides)
        if one != other:
            found.append((sides, 0 if one else 1))
        elif not one and asks_in_other_words(first_word, sides):
            found.append((sides, 0))
    return found


def choose_side(matches: Sequence[re.Match[str] | None]) -> int | None:
    """Return which of two matches is the only one, or contains the other.

    "costs nothing" contains "costs".
    """
    one, other = matches
    if one and other:
        if one.start() <= other.start() and other.end() <= one.end():
            return 0
        return 1 if other.start() <= one.start() and one.end() <= other.end() else None
    if one:
        return 0
    return 1 if other else None


def asks_in_other_words(first_word: str, sides: tuple[re.Pattern[str], re.Pattern[str]]) -> bool:
    """Return whether a question asks for the first side by its verb.

    "can I" asks for permission, "must I" for need.
    """
    permits = bool(sides[0].search("permit")) and bool(sides[1].search("forbid"))
    permits = permits or bool(sides[0].search("可以"))
    needs = bool(sides[0].search("mandatory"))
    return (permits and first_word in CAN) or (needs and first_word in NEEDED)


def sign_beside(sentence: Sentence, match: re.Match[str] | None) -> int:
    """Return -1 where a sentence denies the words of a match, else 1."""
    if match is None:
        return 1
    start = sentence.answer.starts[sentence.words.start]
    inside = sentence.answer.words_between(start + match.start(), start + match.end())
    main = sentence.main_words()
    count = sum(i in main and i not in inside for i in sentence.answer.denials)
    count += bool(re.search(r"\byet to\b", sentence.text))
    return -1 if (count + is_denied_question(sentence.question)) % 2 else 1


# ---- something else in the question's place

# Whether a sentence has another name, kind of thing or place where a question for yes or no has
# one.

ALL = frozenset("all every always each everyone everybody everything".split())
SOME = frozenset("some only few sometimes several certain many most occasionally".split())
NO_NAMES = ALL | SOME | DEGREES | TURNING_WORDS | frozenset("no not yes".split())
COPULAS = frozenset("is are was were isn't aren't wasn't weren't".split())
PLACE_WORDS = frozenset("in at from near to of by on with into for en à dans aus bei zu".split())
ARTICLES = frozenset("the a an this his her their its my your".split())


def read_substitute(sentence: Sentence) -> int:
    """Return -1 if another name or another kind of thing replaces that of the question."""
    if count_negators(sentence):
        return 0
    if has_other_name(sentence) or has_other_noun(sentence) or has_other_place(sentence):
        return -1
    return 0


def list_name_words(text: Text, start: int, stop: int) -> list[int]:
    """Return the words with a capital; the first of a text only where it is no small word."""
    found = list[int]()
    for i in range(start, stop):
        if text.shown[i][0].isupper() and is_asked(text.words[i]) and text.words[i] not in NO_NAMES:
            found.append(i)
    return found


def has_other_name(sentence: Sentence) -> bool:
    """Return whether a new name replaces one of the question: as subject, after "is" or "by"."""
    answer, question = sentence.answer, sentence.question
    asked = [
        i
        for i in list_name_words(question, 1, len(question.words))
        if find_root(question.words[i]) in sentence.missing
    ]
    new = [
        i
        for i in list_name_words(answer, sentence.words.start, sentence.words.stop)
        if i in sentence.new
    ]
    if not asked or not new:
        return False
    for i in new:
        before = answer.words[i - 1] if i > sentence.words.start else ""
        if not before and is_subject(sentence, i):
            return True
        if before in ("is", "was", "are", "were", "by", "it's") and (
            sentence.matched or len(sentence.words) < 5
        ):
            return True
    return False


def is_subject(sentence: Sentence, i: int) -> bool:
    """Return whether the name that begins a sentence is the subject of what the question asks."""
    last = len(sentence.words)
    following = [
        k for k in range(i + 1, sentence.words.stop) if not sentence.answer.shown[k][0].isupper()
    ]
    if not following or sentence.answer.words[following[0]].endswith("s'"):
        return False
    is_elliptic = last <= 4 and sentence.answer.words[sentence.words.stop - 1] in AUXILIARY
    return is_elliptic or bool(sentence.matched)


def has_other_noun(sentence: Sentence) -> bool:
    """Return whether a sentence names another kind of thing than the question asks about."""
    answer, question = sentence.answer, sentence.question
    if (
        question.words[0] not in COPULAS
        or not 0 < len(sentence.missing) <= 2
        or len(sentence.new) != 1
    ):
        return False
    missing = (i for i, word in enumerate(question.words) if find_root(word) in sentence.missing)
    asked = max(missing, default=0)  # its last word that the sentence lacks
    new = sentence.new[0]
    if asked < 2 or not (sentence.matched or sentence.points) or new == sentence.words.start:
        return False
    has_article = has_indefinite_article(question, asked) and has_indefinite_article(answer, new)
    asks_several = question.words[0] in ("are", "were") and question.words[asked].endswith("s")
    return has_article or (asks_several and answer.words[new].endswith("s"))


def has_other_place(sentence: Sentence) -> bool:
    """Return whether the question's preposition has a new word behind it: to the harbour."""
    answer, question = sentence.answer, sentence.question
    heads = set[str]()
    for i, word in enumerate(question.words):
        if find_root(word) in sentence.missing:
            heads.add(find_preposition(question, i))
    measured = {i for one in answer.quantities for i in answer.words_between(one.start, one.end)}
    said = {find_preposition(answer, i) for i in sentence.new if i not in measured}
    return bool((said & heads) - {""}) and (sentence.points or bool(sentence.matched))


def find_preposition(text: Text, i: int) -> str:
    """Return the preposition before a word, behind which an article may stand; else ""."""
    before = text.words[max(0, i - 2) : i]
    if before and before[-1] in ARTICLES:
        before = before[:-1]
    return before[-1] if before and before[-1] in PLACE_WORDS else ""


def has_indefinite_article(text: Text, i: int) -> bool:
    """Return whether "a" stands before a word, or before the word in front of it."""
    return bool({"a", "an"} & set(text.words[max(0, i - 2) : i]))


# ---- Chinese

# What a Chinese sentence says to a question for yes or no without saying either word.

MOST_SENTENCES = 20
LONGEST_PART = 200  # characters of a sentence or a question that are read
QUESTION_END = "吗呢?？。 \t\n"  # characters at the end of a Chinese question
REPEATED_VERB = 0.6  # of the question's characters, that a sentence has which answers it


def read_chinese_answer(text: Text, question: Text) -> int:
    """Return what `read_implied_answer` does, of Chinese texts."""
    asked = question.text[:LONGEST_PART].rstrip(QUESTION_END)
    for part in list_parts(text):
        for read in (compare_chinese, read_chinese_sense, classify_chinese, read_chinese_clause):
            side = read(part, asked)
            if side:
                return side
    return 0


def list_parts(text: Text) -> list[str]:
    """Return the first sentences of a Chinese text."""
    parts = re.split("[。！!；;\n]", text.text, maxsplit=MOST_SENTENCES)[:MOST_SENTENCES]
    return [part.strip()[:LONGEST_PART] for part in parts if part.strip()]


CHINESE_DENIAL = re.compile("不是|没有|并非|并未|从未|绝非|[不没未无非]")
CHINESE_SMALL = frozenset(
    "完全非常真还已经早就根的了是在会能可以有很也都就这那吗呢啊吧一个种们它他她我你"
)


def sign_chinese(part: str, skipped: str = "") -> int:
    """Return -1 where a Chinese sentence denies, but for some words."""
    rest = part.replace(skipped, "") if skipped else part
    return -1 if len(CHINESE_DENIAL.findall(rest)) % 2 else 1


def compare_chinese(part: str, asked: str) -> int:
    """Return whether the first of two things is more than the second: A比B重."""
    match = re.fullmatch(r"(.{1,12}?)比(.{2,14})", asked)
    if not match:
        return 0
    first, rest = match.groups()
    length = 1 if rest[-1] in opposites() else 2
    second, degree = re.sub("[更还要]$", "", rest[:-length]), rest[-length:]
    if SAME_DEGREE.search(part):
        return -1
    turned = [other for char in degree for other in opposites().get(char, ())]
    if degree in part:
        sign = 1
    elif any(other in part for other in turned):
        sign = -1
    else:
        return 0
    sign *= sign_chinese(part)
    subject = re.split("比|更|较|是|最", part)[0]
    if second in subject and first not in subject:
        return -sign
    return sign if first in subject or first not in part else 0


def read_chinese_sense(part: str, asked: str) -> int:
    """Return 1 if a Chinese sentence has a word for the state asked for, -1 for its opposite."""
    for sides in compile_senses():
        wanted = [side.search(asked) for side in sides]
        if (wanted[0] is None) == (wanted[1] is None):
            continue
        side = 0 if wanted[0] else 1
        match = sides[1 - side].search(part)
        if match and not HAN.match(match[0]):
            continue
        if match and not sides[side].search(part):
            return -sign_chinese(part, match[0])
        match = sides[side].search(part)
        if match and HAN.match(match[0]):
            return sign_chinese(part, match[0])
    return 0


def classify_chinese(part: str, asked: str) -> int:
    """Return whether a thing is of the kind that is asked for: A是B, A属于C."""
    wanted = re.fullmatch(r"(.*?)(?:是|属于)(?!不是)(.+)", asked)
    said = re.fullmatch(r"(.*?)(?:是|属于|为)(.+)", part)
    if not wanted or not said:
        return 0
    subject, kind = (set(one) - CHINESE_SMALL for one in wanted.groups())
    own, other = (set(one) - CHINESE_SMALL - set("不没未并非") for one in said.groups())
    sign = sign_chinese(part)
    known_kind = kind & (other | own if kind - subject else other)
    if 2 * len(known_kind) < len(kind):
        return -1 if sign > 0 else 0
    has_subject = not subject or subject & (own | other) or not own
    return sign if has_subject else -sign


def read_chinese_clause(part: str, asked: str) -> int:
    """Return whether a Chinese sentence has the characters that the question asks about."""
    wanted = set(asked) - CHINESE_SMALL - set("不没未")
    if not wanted:
        return 0
    if re.search("只(?!是)", part) and wanted - set(part):
        return -1
    said = set(re.findall(HAN, part)) - CHINESE_SMALL - set("不没未")
    if said and said <= wanted:
        return sign_chinese(part)
    share = len(wanted & said) / len(wanted)
    tail = set(asked[-2:]) - CHINESE_SMALL
    is_predicate = bool(tail) and tail <= set(part)
    return sign_chinese(part) if share >= REPEATED_VERB or is_predicate else 0


# ---- all together

LONGEST_IMPLYING = 60  # words of a text that is read for what it implies
REPEATED = 0.6  # of the question's words, that a sentence has which answers it
OBJECTS = frozenset("it them him her this that these those there one".split())
ONLY = frozenset("only just merely solely exclusively nur solo seulement".split())
COPULA = re.compile(r"\b(?:is|are|was|were|be|been|remains?|stays?|ist|sind|est|es)\b|'(?:s|re)\b")


def read_implied_answer(text: Text, question: Text) -> int:
    """Return 1 if a sentence says what the question asks, -1 if it says the opposite, else 0."""
    if not question.words or len(text.words) > LONGEST_IMPLYING:
        return 0
    if question.is_chinese:
        return read_chinese_answer(text, question)
    for words in list_sentences(text):
        sentence = Sentence(text, question, words)
        for read in READERS:
            side = read(sentence)
            if side:
                return side
    return 0


def read_quantifier(sentence: Sentence) -> int:
    """Return whether all are so, where the question asks for all."""
    if not ALL & set(sentence.question.words):
        return 0
    words = {sentence.answer.words[i] for i in sentence.words}
    if sentence.sign < 0 or (SOME & words and not ALL & words):
        return -1
    return 0


def read_only(sentence: Sentence) -> int:
    """Return -1 where only something else is so: "only cash is accepted"."""
    words = sentence.answer.words
    places = [i for i in sentence.words if words[i] in ONLY]
    if not places or not sentence.missing or count_negators(sentence):
        return 0
    after = [i for i in sentence.new if i > places[0]] or [
        i for i in sentence.new if i == places[0] - 1
    ]
    others = (
        sentence.missing[1:]
        if sentence.points or sentence.missing == sentence.asked[:1]
        else sentence.missing
    )
    if sentence.asked[0] not in sentence.missing:
        others = sentence.missing
    return -1 if after and (others or len(sentence.words) <= 4) else 0


def read_still(sentence: Sentence) -> int:
    """Return -1 if something else still is the case, and the question asks whether it is done."""
    words = [sentence.answer.words[i] for i in sentence.words]
    asks_done = sentence.question.words[0] in ("has", "have", "had")
    asks_done = asks_done and not {"ever", "still", "always"} & set(sentence.question.words)
    return -1 if asks_done and "still" in words and not sentence.matched else 0


EXISTENCE = re.compile(
    r"^\W*(?:is|are|was|were) there|^\W*(?:do|does|did) .*\b(?:have|contain|own|include)\b"
    r"|^\W*ha(?:s|ve) \w+ got"
)
NONE = re.compile(
    r"\bnone\b|\black(?:s|ed)?\b|\bno (?:such )?\w+ (?:left|there)\b|\bwithout\b|\bzero\b"
)
SOMETHING = re.compile(
    r"^\W*(?:there (?:is|are|was|were)|there's|it has|they have|it does have"
    r"|it comes with) (?:an?|one|two|three|four|five"
    r"|six|several|some|many|plenty|lots|a few|\d+)\b"
)
COMMAND = re.compile(r"\W*(?:please )?(?:don't|do not|never|avoid|refrain|stop|leave)\b")
ASKS_LEAVE = re.compile(r"\W*(?:can|could|may|might|should|must|do i|do you|am i|are you|is it)\b")


def read_command(sentence: Sentence) -> int:
    """Return -1 where a command forbids what the question asks leave for: "don't drink it"."""
    return -1 if COMMAND.match(sentence.text) and ASKS_LEAVE.match(sentence.question.lower) else 0


def read_existence(sentence: Sentence) -> int:
    """Return whether there is what the question asks for: none, or some."""
    if not EXISTENCE.match(sentence.question.lower[:LONGEST_QUESTION]):
        return 0
    starts_with_no = sentence.text.startswith("no ") and bool(sentence.matched)
    if starts_with_no or (NONE.search(sentence.text) and (sentence.points or sentence.matched)):
        return -1
    if SOMETHING.match(sentence.text) and not sentence.new[3:] and not count_negators(sentence):
        return 1
    return 0


def read_clause(sentence: Sentence) -> int:
    """Return whether a sentence has the question's words, or an opposite of one."""
    if not sentence.asked:
        return 0
    sign = sentence.sign * (-1 if len(sentence.opposed) % 2 else 1)
    if sign > 0 and leaves_bound_open(sentence):
        return 0
    share = 1 - len(sentence.missing) / len(sentence.asked)
    if share >= REPEATED:
        return sign
    known = sentence.matched | sentence.opposed
    if len(known) > 1 and not sentence.new:
        return sign
    if not sentence.points or not known:
        return 0
    leading = sentence.leading
    has_verb = any(
        is_known(sentence, i, known) for i in sentence.roots if is_object(sentence, i + 1)
    )
    has_verb = has_verb or (leading is not None and is_known(sentence, leading, known))
    has_end = sentence.asked[-1] in known and (
        leading is None or leading not in sentence.new or COPULA.search(sentence.text) is not None
    )
    return sign if has_verb or has_end else 0


def leaves_bound_open(sentence: Sentence) -> bool:
    """Return whether a question asks for a bound and a sentence has no amount."""
    start, end = sentence.words.start, sentence.words.stop
    if any(start <= first_word(sentence.answer, one) < end for one in sentence.answer.quantities):
        return False
    question = sentence.question
    asked = [
        one for one in question.quantities[:MOST_ASKED] if read_direction_of_bound(question, one)
    ]
    return any(
        find_root(question.words[first_word(question, one)]) in sentence.missing for one in asked
    )


def is_known(sentence: Sentence, i: int, known: set[str]) -> bool:
    """Return whether a word is one that the question asks about, or its opposite."""
    root = sentence.roots[i]
    return any(is_derived(one, root) or are_opposite_roots(one, root) for one in known)


def is_object(sentence: Sentence, i: int) -> bool:
    """Return whether a word of a sentence is a pronoun for the object of the verb before it."""
    return i in sentence.words and sentence.answer.words[i] in OBJECTS


def read_refusal(sentence: Sentence) -> int:
    """Return -1 where a pronoun's verb denies: it failed, they refused it."""
    is_pronoun = bool(sentence.words) and is_pointing(sentence.answer.words[sentence.words.start])
    if not is_pronoun or sentence.question.denials:
        return 0
    leading = sentence.leading
    is_denying = leading is not None and DENYING.match(sentence.answer.words[leading])
    is_denying = is_denying or DENYING_PHRASE.search(sentence.text)
    count = count_negators(sentence) + bool(is_denying)
    return -1 if count % 2 else 0


READERS: tuple[Callable[[Sentence], int], ...] = (
    read_quantifier,
    read_comparison,
    read_amount,
    read_only,
    read_sense,
    read_command,
    read_existence,
    read_substitute,
    read_clause,
    read_still,
    read_refusal,
)
