"""Read a text as words, clauses and sentences, with its numbers, denials, hedges and names."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, Generic, TypeVar

from .lexicon import (
    AFFIRMING_PHRASE,
    AFFIRMING_PHRASE_PARTS,
    BE,
    CHINESE_HEDGES,
    CHINESE_UNTRUE,
    HARMLESS_NEGATION,
    HEDGES,
    MARKUP_TAG,
    MONTHS,
    NEGATORS,
    NUMBER_WORDS,
    SAME_NAMES,
    STOP_WORDS,
    TURNING_WORDS,
    UNTRUE_PHRASE_PARTS,
    UNTRUE_PHRASES,
    UNTRUE_WORD,
)
from .equality import Figure, find_figures
from .quantities import Quantity, find_quantities
from .tex import read_tex

HAN_RANGES = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
HAN = re.compile(f"[{HAN_RANGES}]")
HAN_OR_ZERO = f"[\u3007{HAN_RANGES}]"
# Before a mark that ends a sentence stands no initial and no title.
NO_TITLE = "".join(f"(?<!{title})" for title in "Dr Mr St Mrs Ms Prof Gen Rev Sen Capt Mme".split())
NO_ABBREVIATION = rf"(?<![ .][A-Za-z])(?<!\A[A-Za-z]){NO_TITLE}"
# "1,000", "12:30", "√2", "21st".
NUMBER = r"√?\d+(?:[.,:⁄]\d+)*(?:st\b|nd\b|rd\b|th\b)?"
# "boils", "isn't", "non-profit".
WORD = r"(?:(?i:non|anti|counter)-(?=[a-z]))?[^\W_\u3400-\u9fff]+(?:['’][^\W\d_]+)?"
TOKEN = re.compile(
    rf"(?P<han>{HAN_OR_ZERO})|(?P<word>{NUMBER}|{WORD})|"
    # "King Jr. and": the point ends no sentence.
    r"(?<=\b[JS]r)\.(?=\s[a-z])|"
    # A point ends a sentence only before a space or a closing sign.
    rf"(?=[.!?]){NO_ABBREVIATION}[.!?]+(?P<end>(?=[\s\"”)\]]|$))?|"
    r"(?P<stop>[。！？\n；;])|"
    # These end a clause.
    r"(?P<pause>[,，、()（）—–]|\s-\s|:(?=\s))"
)
# Characters of a text that are read. The answers that were learned from have up to 300 words.
LONGEST_TEXT = 20_000
# Characters of a word that is cached. Longer ones rarely come again, and would take much memory.
LONGEST_CACHED = 32
LONGEST_OTHER_NAME = 4  # words of another name of a thing, with the "or" before it
LONGEST_CACHED_TEXT = 500  # characters of a text that is cached
MOST_QUANTITIES = 200  # of a text: each is compared with each of the other text
MOST_DISTINCT = 400  # words of a text among which another spelling is looked for
# Texts for which a result is cached: several rules ask for it, and they do for each reference.
RECENT_TEXTS = 16
MOST_SKIPPED = 20  # marks and phrases of a text that are left out
QUOTED_NEIGHBOURS = 4  # words on either side of a quoted word
LONGEST_BARE_NAME = 3  # words of a text that may be a name and nothing else
# Python's normalize takes n squared steps for n combining marks in a row: 30 are taken at a time.
MANY_SIGNS = re.compile(r"[^\w\s\x00-\x7f]{30}")
MIXED_NUMBER = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")  # 9½ is 9 1/2
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
# Spaces between Chinese characters mean nothing. A BERT tokenizer also puts them around numbers and
# signs. If two characters stand alone, no space beside a Chinese character means anything.
HAN_SPACE = re.compile(rf"(?<={HAN_OR_ZERO})[ \t]+(?={HAN_OR_ZERO})")
LONE_HAN = re.compile(rf"(?<!{HAN_OR_ZERO}){HAN_OR_ZERO}[ \t]+{HAN_OR_ZERO}(?!{HAN_OR_ZERO})")
SPACE_BY_HAN = re.compile(rf"(?<={HAN_OR_ZERO})[ \t]+|(?<![ \t])[ \t]+(?={HAN_OR_ZERO})")
OTHER_NAMES = "|".join(f"({forms})" for forms in SAME_NAMES.values())
SAME_NAME_PATTERN = re.compile(rf"(?<![A-Za-z])(?=[A-Z\u4e00-\u9fff])(?:{OTHER_NAMES})(?![A-Za-z])")
# It fails sooner than SAME_NAME_PATTERN, for it has no groups.
ANY_OTHER_NAME = re.compile(rf"(?=[A-Z\u4e00-\u9fff])(?:{'|'.join(SAME_NAMES.values())})")
NAME_BY_GROUP = dict(enumerate(SAME_NAMES, 1))
SHORT_MONTHS = {name[:3]: name for name in MONTHS} | {"sept": "september"}
SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ed", "es", "ly", "s")
SAME_SPELLING = 0.75  # least likeness of two spellings of one word, by pairs of characters
OTHER_FIRST_LETTER = 0.1  # taken from the likeness of Tokyo and Kyoto


def compose(text: str) -> str:
    """Return a text in NFKC; a sign behind thirty others in a row does not combine with them."""
    text = MIXED_NUMBER.sub(" ", text)
    # Marks that count as letters, as NFKC has them.
    text = text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a")
    ends = [match.end() for match in MANY_SIGNS.finditer(text)]
    bounds = pairwise([0, *ends, len(text)])
    return "".join(unicodedata.normalize("NFKC", text[start:end]) for start, end in bounds)


RAISED_DIGITS = re.compile(r"(?<=\d)(?=[⁰¹²³⁴-⁹])")  # between the 2 and the ¹⁰ of 2¹⁰


def clean_text(text: str) -> str:
    """Return a text in one way of writing.

    NFKC, no invisible signs, straight quotes, no spaces in Chinese.
    """
    if text.isascii():
        return text
    text = RAISED_DIGITS.sub("^", text)  # a power, or the number of a footnote
    text = INVISIBLE.sub("", compose(text)).replace("’", "'").replace("\u2212", "-")
    spaces = SPACE_BY_HAN if LONE_HAN.search(text) else HAN_SPACE
    return spaces.sub("", text)


# Comments and struck words, which are not part of the text: <!-- todo -->, ~~$49~~.
UNSAID = re.compile(
    r"<!--.{0,500}?-->|~~[^~\n]{1,200}~~|<(s|del|strike)>.{0,500}?</\1>", re.DOTALL | re.IGNORECASE
)
LOW_AND_HIGH = re.compile(r"<(/?)su([bp])>", re.IGNORECASE)


VERSION_MARK = re.compile(r"(?<![\w.])[vV](?=\d{1,3}\.\d)")  # v2.4


def read_version_mark(text: str) -> str:
    """Return a text with "version 2.4" for "v2.4"."""
    return VERSION_MARK.sub("version ", text) if "." in text and "v" in text.lower() else text


# "**Rome**", and no power: 2**3.
BOLD = re.compile(r"(?<![^\s\"'“‘(>-])\*\*(?=[^\s*])(?P<words>[^*\n]{1,200})(?<=\S)\*\*(?![\w*/(])")


def strip_bold(text: str) -> str:
    """Return a text without the marks of bold type.

    >>> strip_bold("**O(n)**, not 2**n")
    'O(n), not 2**n'
    """
    return BOLD.sub(r"\g<words>", text) if "**" in text else text


def strip_markup(text: str) -> str:
    """Return a text without comments, struck words and bold type, and with H<sub>2</sub>O as H2O.

    >>> strip_markup("~~$49~~ **$59**, H<sub>2</sub>O, x<sup>2</sup>")
    ' $59, H2O, x^2'
    """
    text = strip_bold(text)
    if "<" not in text and "~~" not in text:
        return text
    without = UNSAID.sub("", text)
    return LOW_AND_HIGH.sub(replace_tag, without)


def replace_tag(match: re.Match[str]) -> str:
    """Return "^" for <sup>, and "" for another tag of LOW_AND_HIGH."""
    begins_power = not match[1] and match[2] in "pP"
    return "^" if begins_power else ""


def unify_names(text: str) -> str:
    """Return a text with one name for each thing that has several names (SAME_NAMES)."""
    if not ANY_OTHER_NAME.search(text):
        return text
    return SAME_NAME_PATTERN.sub(lambda match: NAME_BY_GROUP[match.lastindex or 1], text)


def fold_word(word: str) -> str:
    """Return a word in lower case, without accents and hyphens: nonprofit for non-profit."""
    if word.isascii():
        return word.lower().replace("-", "")
    parts = unicodedata.normalize("NFD", word.casefold())
    return "".join(c for c in parts if unicodedata.category(c) != "Mn")


@lru_cache(maxsize=32768)
def stem_word(word: str) -> str:
    """Return the stem of a word, which its forms have in common; of a number its digits.

    >>> [stem_word(word) for word in ("scatters", "boxes", "cities", "five", "1,000", "1st", "jan")]
    ['scatter', 'box', 'citi', '5', '1000', '1', 'january']
    """
    if word[:1].isdigit():
        return re.sub(r"[a-z,]", "", word)
    if word in NUMBER_WORDS and word != "second":
        return f"{NUMBER_WORDS[word]:g}"
    if word in SHORT_MONTHS:
        return SHORT_MONTHS[word]
    word = cut_suffix(word.removesuffix("'s"))
    if word.endswith("y") and len(word) > 3:
        return word[:-1] + "i"
    ends_with_e = word.endswith("e") and (len(word) > 4 or word.endswith("xe"))
    return word[:-1] if ends_with_e else word


@lru_cache(maxsize=32768)
def read_word(shown: str) -> tuple[str, str]:
    """Return a word in lower case and without accents, and its stem.

    >>> read_word("Cafés")
    ('cafes', 'cafe')
    """
    word = fold_word(shown)
    return word, stem_word.__wrapped__(word)


def cut_suffix(word: str) -> str:
    """Return a word without its suffix, if four letters are left, or three of a plural."""
    for suffix in SUFFIXES:
        least = 3 if suffix == "s" else 4
        if word.endswith(suffix) and len(word) - len(suffix) >= least and not word.endswith("ss"):
            return word[: -len(suffix)]
    return word


# Spellings of one sound in names from other scripts and languages: Tschaikowsky is Tchaikovsky.
SOUNDS = [
    (re.compile("tsch|tch|tsh|ch(?=[aeiou])"), "c"),
    (re.compile("sch|sh"), "s"),
    (re.compile("ch"), "k"),
    (re.compile("ph"), "f"),
    (re.compile("[qx]u?(?=[aeiou])|kh|ck|c(?=[aou]|$)"), "k"),
    (re.compile("w"), "v"),
    (re.compile("th"), "t"),
    (re.compile("dh"), "d"),
    (re.compile("gh"), "g"),
    (re.compile("[yj]"), "i"),
    (re.compile("ou|oo"), "u"),
    (re.compile("i{1,2}e?(?=[aeou])"), "i"),
    (re.compile(r"([a-z])\1+"), r"\1"),
]


@lru_cache(maxsize=8192)
def fold_sounds(word: str) -> str:
    """Return a word with one spelling for each sound.

    >>> fold_sounds("tschaikowsky"), fold_sounds("tchaikovsky"), fold_sounds("qaddafi")
    ('kaikovski', 'kaikovski', 'kadafi')
    """
    for pattern, sound in SOUNDS:
        word = pattern.sub(sound, word)
    return word


@lru_cache(maxsize=8192)
def letter_pairs(word: str) -> frozenset[str]:
    """Return the pairs of neighbouring characters of a word."""
    word = fold_sounds.__wrapped__(word)
    return frozenset(word[i : i + 2] for i in range(len(word) - 1))


def compare_spelling(one: str, other: str) -> float:
    """Return how alike two words are by their pairs of characters (Dice).

    It is a bit less if their first letters differ.

    >>> round(compare_spelling("tchaikovsky", "chaikovsky"), 2)
    0.9
    """
    is_long = len(one) > LONGEST_CACHED or len(other) > LONGEST_CACHED
    list_pairs = letter_pairs.__wrapped__ if is_long else letter_pairs
    pairs, other_pairs = list_pairs(one), list_pairs(other)
    if not pairs or not other_pairs:
        return float(one == other)
    likeness = 2 * len(pairs & other_pairs) / (len(pairs) + len(other_pairs))
    return likeness - OTHER_FIRST_LETTER * (one[0] != other[0])


def is_negator(word: str) -> bool:
    """Return whether a word denies: not, never, isn't."""
    return word in NEGATORS or word.endswith("n't")


@lru_cache(maxsize=32768)
def is_untrue_word(word: str) -> bool:
    """Return whether a word calls something untrue, or excludes it."""
    return word not in NEGATORS and UNTRUE_WORD.match(word) is not None


def is_inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a place lies in one of some spans."""
    return any(start <= place < end for start, end in spans)


Value = TypeVar("Value")


class CachedProperty(Generic[Value]):
    """functools.cached_property without its lock, which Python has up to 3.11 and is slow."""

    def __init__(self, read: Callable[[Any], Value]) -> None:
        self.read = read
        self.name = read.__name__
        self.__doc__ = read.__doc__

    def __get__(self, owner: Any, owner_type: type) -> Value:
        """Return the value, and keep it in place of the property."""
        value = self.read(owner)
        owner.__dict__[self.name] = value
        return value


class Text:
    """A text as words, each with its stem, sentence and clause.

    Denials, hedges, names, quantities, figures, trigrams and the distinct words are read when they
    are first needed.

    Attributes:
        raw: the text as it was given.
        is_whole: whether the text was short enough to be read to its end.
        text: the normalized text that is read.
        lower: `text` in lower case, of the same length.
        is_chinese: whether it has a Chinese character.
        words: the words in lower case and without accents.
        shown: the words as they were written.
        starts: where each word begins in `text`.
        sentence, clause: the number of the sentence and the clause of each word.
        stems: the stem of each word.
        telling: the places of words that are no stop words.
        content: the stems of these words.
        places: the places of each stem.
        first_place: the first place of each word.
    """

    def __init__(self, text: str) -> None:
        """Read a text; of a long one the first LONGEST_TEXT characters."""
        self.raw = text[:LONGEST_TEXT]
        read = clean_text(read_tex(strip_markup(self.raw)))
        # NFKC makes up to 18 characters of one.
        self.is_whole = max(len(text), len(read)) <= LONGEST_TEXT
        self.text = unify_names(read_version_mark(read[:LONGEST_TEXT]))
        self.lower = self.text.replace("\u0130", "i").lower()
        self.is_chinese = not self.text.isascii() and HAN.search(self.text) is not None
        self.words: list[str] = []
        self.shown: list[str] = []
        self.starts: list[int] = []
        self.sentence: list[int] = []
        self.clause: list[int] = []
        self.stems: list[str] = []
        self._cut_words()
        self.places: dict[str, list[int]] = {}
        for i, stem in enumerate(self.stems):
            self.places.setdefault(stem, []).append(i)
        places = reversed(range(len(self.words)))
        self.first_place = dict(zip(reversed(self.words), places, strict=True))
        self.telling = [i for i, word in enumerate(self.words) if word not in STOP_WORDS]
        self.content = [self.stems[i] for i in self.telling]

    def _cut_words(self) -> None:
        """Cut the text into words, and number their sentences and clauses.

        Words of phrases that deny nothing are left out, if there are others.
        """
        skipped = self._find_skipped()
        self._add_words(skipped)
        if skipped and not self.words:  # It cannot be denied.
            self._add_words([])

    def _add_words(self, skipped: Sequence[tuple[int, int]]) -> None:
        """Add the words of the text that do not begin in one of some spans."""
        sentence = clause = 0
        words, stems, shown_words, starts = self.words, self.stems, self.shown, self.starts
        sentences, clauses = self.sentence, self.clause
        for match in TOKEN.finditer(self.text):
            kind = match.lastgroup
            if kind in ("word", "han"):
                start, shown = match.start(), match[0]
                read = read_word if len(shown) <= LONGEST_CACHED else read_word.__wrapped__
                word, stem = read(shown)
                if not word or (skipped and is_inside(start, skipped)):
                    continue
                if word in TURNING_WORDS:
                    clause += 1
                words.append(word)
                stems.append(stem)
                shown_words.append(shown)
                starts.append(start)
                sentences.append(sentence)
                clauses.append(clause)
            elif kind == "pause":
                clause += 1
            elif kind in ("end", "stop"):
                sentence += 1
                clause += 1

    def _find_skipped(self) -> list[tuple[int, int]]:
        """Return the spans of marks of markup, and of phrases that deny nothing: without doubt."""
        spans: list[tuple[int, int]] = []
        if any(map(self.lower.__contains__, AFFIRMING_PHRASE_PARTS)):
            phrases = islice(AFFIRMING_PHRASE.finditer(self.lower), MOST_SKIPPED)
            spans += [match.span() for match in phrases]
        if "</" in self.text:
            tags = islice(MARKUP_TAG.finditer(self.lower), MOST_SKIPPED)
            spans += [match.span() for match in tags]
        return spans

    @CachedProperty
    def denials(self) -> list[int]:
        """The places of negators that deny something."""
        if NEGATORS.isdisjoint(self.words) and "n't" not in self.lower:
            return []
        denials = list[int]()
        for i, word in enumerate(self.words):
            if not is_negator(word) or i in self._harmless_words:
                continue
            if not self._stands_in_title(i):
                denials.append(i)
        return denials

    @CachedProperty
    def untrue(self) -> list[int]:
        """The places of words and phrases that call something untrue."""
        untrue = self._find_untrue_words()
        return sorted(untrue - self._harmless_words) if untrue else []

    @CachedProperty
    def _harmless_words(self) -> set[int]:
        """The words of phrases that deny nothing: not only."""
        harmless: set[int] = set()
        for match in HARMLESS_NEGATION.finditer(self.lower):
            harmless.update(self.words_between(match.start(), match.end()))
        return harmless

    def _find_untrue_words(self) -> set[int]:
        """Return the places of words and phrases that call something untrue."""
        words = {i for i, word in enumerate(self.words) if is_untrue_word(word[:LONGEST_CACHED])}
        if self.is_chinese:
            return words | self.find_chinese(CHINESE_UNTRUE)
        if not any(map(self.lower.__contains__, UNTRUE_PHRASE_PARTS)):
            return words
        phrases = UNTRUE_PHRASES.finditer(self.lower)
        return words | {bisect_left(self.starts, match.start()) for match in phrases}

    def _stands_in_title(self, i: int) -> bool:
        """Return whether a negator is part of a title, as in "Everything Is Not as It Seems"."""
        shown = self.shown[i]
        has_capital = shown[0].isupper() and not shown.isupper()
        if not has_capital or self.is_new_sentence(i):
            return False
        return self.shown[i - 1][0].isupper()

    @CachedProperty
    def hedges(self) -> set[int]:
        """The places where a hedge begins; "option B" is none."""
        hedges = self.find_chinese(CHINESE_HEDGES)
        for i, word in enumerate(self.words):
            if word in HEDGES and not self._has_other_meaning(i):
                hedges.add(i)
        return hedges

    def _has_other_meaning(self, i: int) -> bool:
        """Return whether a word for a doubt doubts nothing: option B, in May, roughly 290 km."""
        return self._is_roughly(i) or self._names_option(i) or self._is_month(i)

    def _is_roughly(self, i: int) -> bool:
        """Return whether a word is "roughly" before no name, so that it doubts none."""
        if self.words[i] != "roughly" or i + 1 == len(self.words):
            return False
        return self.find_quantity(i + 1) is not None or not self.shown[i + 1][0].isupper()

    def _is_month(self, i: int) -> bool:
        """Return whether a word is the month: in May."""
        return self.shown[i] == "May" and self.find_quantity(i) is not None

    def _names_option(self, i: int) -> bool:
        """Return whether a word stands before a letter: option B."""
        following = self.shown[i + 1] if i + 1 < len(self.shown) else ""
        return len(following) == 1 and following.isupper() and following != "I"

    @CachedProperty
    def names(self) -> list[tuple[int, int]]:
        """From where to where each name stands: words with a capital, side by side."""
        names: list[tuple[int, int]] = []
        start = end = 0  # of the last name
        for i, shown in enumerate(self.shown):
            if not shown[0].isupper() or not self._may_be_name(i):
                continue
            continues_name = i > 0 and end == i and self.clause[i] == self.clause[i - 1]
            if continues_name:
                names[-1] = (start, i + 1)
            else:
                start = i
                names.append((start, i + 1))
            end = i + 1
        return names

    def _may_be_name(self, i: int) -> bool:
        """Return whether a word has its capital not only because a sentence begins."""
        if self.words[i] in STOP_WORDS or self.words[i] in NEGATORS:
            return False
        next_is_name = i + 1 < len(self.shown) and self.shown[i + 1][0].isupper()
        is_plain = self.shown[i][1:].islower() and not next_is_name
        is_short_text = len(self.shown) <= LONGEST_BARE_NAME
        return is_short_text or not is_plain or not self.is_new_sentence(i)

    @CachedProperty
    def distinct(self) -> list[str]:
        """The different words, of a long text the first MOST_DISTINCT."""
        return list(self.first_place)[-MOST_DISTINCT:]

    @CachedProperty
    def word_string(self) -> str:
        """The words with a space before and after each."""
        return f" {' '.join(self.words)} "

    @CachedProperty
    def trigrams(self) -> set[str]:
        """Every three neighbouring characters of `word_string`."""
        spaced = self.word_string
        return {spaced[i : i + 3] for i in range(len(spaced) - 2)}

    @CachedProperty
    def quantities(self) -> list[Quantity]:
        """The numbers and dates."""
        return find_quantities(self.text)[:MOST_QUANTITIES]

    @CachedProperty
    def figures(self) -> list[Figure]:
        """The figures in digits."""
        return find_figures(self.text)

    def words_between(self, start: int, end: int) -> range:
        """Return the words that begin from one character on and before another."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def find_quantity(self, i: int) -> Quantity | None:
        """Return the number or date that a word is part of, or None."""
        for quantity in self.quantities:
            if i in self.words_between(quantity.start, quantity.end):
                return quantity
        return None

    def find_chinese(self, pattern: re.Pattern[str]) -> set[int]:
        """Return the words where a pattern of Chinese is found in the text."""
        if not self.is_chinese:
            return set()
        return {bisect_left(self.starts, match.start()) for match in pattern.finditer(self.text)}

    def span(self, start: int, end: int) -> str:
        """Return the words from `start` up to `end` as they were written."""
        return self.text[self.starts[start] : self.find_end_of_word(end - 1)]

    def find_end_of_word(self, i: int) -> int:
        """Return the first character behind a word."""
        return self.starts[i] + len(self.shown[i])

    def read_between(self, first: int, second: int) -> str:
        """Return the characters between two words, without spaces at their ends."""
        return self.text[self.find_end_of_word(first) : self.starts[second]].strip()

    def find_sentence(self, i: int) -> range:
        """Return the words of the sentence in which a word stands."""
        number = self.sentence[i]
        return range(bisect_left(self.sentence, number), bisect_right(self.sentence, number))

    def find_clause(self, i: int) -> range:
        """Return the words of the clause in which a word stands."""
        number = self.clause[i]
        return range(bisect_left(self.clause, number), bisect_right(self.clause, number))

    def list_stems(self, words: Iterable[int]) -> set[str]:
        """Return the stems of the telling words among some words."""
        return {self.stems[i] for i in words if self.words[i] not in STOP_WORDS}

    def names_again(self, i: int) -> bool:
        """Return whether an "or" gives another name, between commas: N2, or nitrogen, makes up.

        More of the sentence must follow.
        """
        if i == 0 or self.clause[i - 1] == self.clause[i] or self.is_new_sentence(i):
            return False
        stop = self.find_clause(i).stop
        is_short = 1 < stop - i <= LONGEST_OTHER_NAME
        return is_short and stop < len(self.words) and not self.is_new_sentence(stop)

    def has_all_content(self, other: "Text") -> bool:
        """Return whether this text has all telling words of another one."""
        return set(other.content) <= self.places.keys()

    def is_new_sentence(self, i: int) -> bool:
        """Return whether a word is the first of its sentence."""
        return i == 0 or self.sentence[i - 1] != self.sentence[i]


def read_text(text: str) -> Text:
    """Return a question or a reference as a text.

    A short one is cached, because several systems answer the same questions, one after another.
    """
    return read_short_text(text) if len(text) <= LONGEST_CACHED_TEXT else Text(text)


@lru_cache(maxsize=4096)
def read_short_text(text: str) -> Text:
    """Return a text, from the cache if it was read before."""
    return Text(text)


def quote_clause(text: Text, i: int) -> str:
    """Return a word with up to four words of its clause on each side, as they were written."""
    clause = text.find_clause(i)
    first = max(clause.start, i - QUOTED_NEIGHBOURS)
    return text.span(first, min(clause.stop, i + 1 + QUOTED_NEIGHBOURS))


def cut_words(words: range, starts: Iterable[int]) -> list[range]:
    """Return the parts of a range of words, cut before some of them."""
    bounds = [words.start, *starts, words.stop]
    return [range(start, stop) for start, stop in pairwise(bounds)]


SENTENCE_LENGTHS = range(3, 31)  # words of a text that may be one sentence


def has_length_of_sentence(text: Text) -> bool:
    """Return whether a text is one sentence, of as many words as in SENTENCE_LENGTHS."""
    has_length = len(text.words) in SENTENCE_LENGTHS
    return has_length and text.sentence[-1] == 0


@lru_cache(maxsize=RECENT_TEXTS)
def is_sentence(text: Text) -> bool:
    """Return whether a text is one sentence: it has a form of "be", or ends with a full stop."""
    if not has_length_of_sentence(text):
        return False
    if not BE.isdisjoint(text.words):
        return True
    return text.text.rstrip().endswith((".", "。"))
