"""A text as words, clauses and sentences, with the numbers, denials, hedges and names in it."""

import re
import unicodedata
from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from .quantities import MONTHS, WORDS, Quantity, quantities
from .tex import plain
from .word_lists import HAN_HEDGES, HAN_UNTRUE, HEDGES, NEGATORS, NO_DENIAL, SAME, STOP, TURNS, UNTRUE, UNTRUE_PHRASES

SAME_PATTERN = re.compile(
    rf"(?<![A-Za-z])(?=[A-Z\u4e00-\u9fff])(?:{'|'.join(f'({forms})' for forms in SAME.values())})(?![a-z])"
)
TOKEN = re.compile(
    r"(?P<han>[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd])|"
    r"(?P<word>√?\d+(?:[.,:⁄]\d+)*(?:st\b|nd\b|rd\b|th\b)?|[^\W_\u3400-\u9fff]+(?:['’][^\W\d_]+)?)|"
    r"(?<![ .][A-Za-z])(?<!Dr)(?<!Mr)(?<!St)(?<!Mrs)[.!?]+(?P<end>(?=[\s\"”)\]]|$))?|(?P<stop>[。！？\n；;])|"
    r"(?P<pause>[,，、()（）—–]|\s-\s|:(?=\s))"
)
MOST = 20_000  # characters of a text that are read; the answers that were learned from have up to 300 words
LONG = 32  # characters: longer words are not remembered, for they rarely come again, and would take the memory
MOST_QUANTITIES = 200  # of a text: each is compared with each of the other
# Python's normalize takes n squared steps for n combining marks in a row: so many at a time.
MANY_SIGNS = re.compile(r"[^\w\s\x00-\x7f]{30}")
MIXED = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")  # 9½ is 9 1/2
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
HAN_CHARACTERS = "[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]"
# Between Chinese characters a space means nothing. A BERT tokenizer puts one between all of them, numbers and signs:
# where two characters stand alone, none beside a Chinese character means anything.
HAN_SPACE = re.compile(rf"(?<={HAN_CHARACTERS})[ \t]+(?={HAN_CHARACTERS})")
LONE_HAN = re.compile(rf"(?<!{HAN_CHARACTERS}){HAN_CHARACTERS}[ \t]+{HAN_CHARACTERS}(?!{HAN_CHARACTERS})")
SPACE_BY_HAN = re.compile(rf"(?<={HAN_CHARACTERS})[ \t]+|(?<![ \t])[ \t]+(?={HAN_CHARACTERS})")
HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


def composed(text: str) -> str:
    """Return a text in NFKC; signs that follow thirty others do not combine with them."""
    text = MIXED.sub(" ", text)
    text = text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a")  # marks that count as letters, as NFKC has them
    ends = [match.end() for match in MANY_SIGNS.finditer(text)]
    return "".join(unicodedata.normalize("NFKC", text[i:j]) for i, j in pairwise([0, *ends, len(text)]))


def cleaned(text: str) -> str:
    """Return a text in one way of writing: NFKC, no invisible signs, straight quotes, no spaces in Chinese."""
    if text.isascii():
        return text
    text = INVISIBLE.sub("", composed(text)).replace("’", "'")
    return (SPACE_BY_HAN if LONE_HAN.search(text) else HAN_SPACE).sub("", text)


def named_alike(text: str) -> str:
    """Return a text with one name for what has several."""
    return SAME_PATTERN.sub(lambda match: NAMES_OF_SAME[match.lastindex or 1], text)


NAMES_OF_SAME = dict(enumerate(SAME, 1))


def folded(text: str) -> str:
    """Return a text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in parts if unicodedata.category(c) != "Mn")


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Return what different forms of a word have in common; of a number its digits.

    >>> [stem(word) for word in ("scattering", "scatters", "cities", "five", "1,000", "1st", "jan")]
    ['scatter', 'scatter', 'citi', '5', '1000', '1', 'january']
    """
    if word[0].isdigit():
        return re.sub(r"[a-z,]", "", word)
    if word in WORDS and word != "second":
        return f"{WORDS[word]:g}"
    if word in SHORT_MONTHS:
        return SHORT_MONTHS[word]
    word = word.removesuffix("'s")
    for suffix in ("ations", "ation", "ings", "ing", "edly", "ed", "es", "ly", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 4 - (suffix == "s") and not word.endswith("ss"):
            word = word[: -len(suffix)]
            break
    if word.endswith("y") and len(word) > 3:
        return word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


SHORT_MONTHS = {name[:3]: name for name in MONTHS} | {"sept": "september"}


@lru_cache(maxsize=8192)
def pairs(word: str) -> frozenset[str]:
    """Return the pairs of neighbouring characters of a word."""
    return frozenset(word[i : i + 2] for i in range(len(word) - 1))


def alike(one: str, other: str) -> float:
    """Return how alike two words are by their pairs of characters (Dice), a bit less where the first differs.

    >>> round(alike("tchaikovsky", "chaikovsky"), 2)
    0.85
    """
    known = pairs.__wrapped__ if len(one) > LONG or len(other) > LONG else pairs
    a, b = known(one), known(other)
    if not a or not b:
        return float(one == other)
    return 2 * len(a & b) / (len(a) + len(b)) - 0.1 * (one[0] != other[0])  # Tokyo is not Kyoto


class Difference(NamedTuple):
    """What an answer says (`found`) where the reference says something else (`expected`)."""

    kind: str
    found: str
    expected: str


class Text:
    """A text as words, with what is known of each.

    `words` are in lower case and without accents, `shown` as they were written; `sentence` and `clause` number what
    each word stands in; `solid` are the stems of words that tell something, `places` has where each stem stands.
    """

    def __init__(self, text: str) -> None:
        read = cleaned(plain(text[:MOST]))
        self.whole = max(len(text), len(read)) <= MOST  # NFKC makes up to 18 characters of one
        self.text = named_alike(read[:MOST])
        self.lower = self.text.replace("\u0130", "i").lower()  # of the same length
        self.words: list[str] = []
        self.shown: list[str] = []
        self.starts: list[int] = []
        self.sentence: list[int] = []
        self.clause: list[int] = []
        self._cut()
        self.stems = [stem(word) if len(word) <= LONG else stem.__wrapped__(word) for word in self.words]
        self.solid = [one for one, word in zip(self.stems, self.words, strict=True) if word not in STOP]
        self.places: dict[str, list[int]] = {}
        for i, one in enumerate(self.stems):
            self.places.setdefault(one, []).append(i)
        self.by_word = {word: i for i, word in reversed(list(enumerate(self.words)))}
        self.distinct = list(self.by_word)[-400:]  # a bound for long texts
        self.quantities: list[Quantity] = quantities(self.text)[:MOST_QUANTITIES]
        self.han = not self.text.isascii() and bool(HAN.search(self.text))
        self.denials, self.untrue = self._denials()
        # Where a hedge begins.
        self.hedges = {i for i, word in enumerate(self.words) if word in HEDGES}
        self.hedges |= self.found(HAN_HEDGES)
        self.names = self._names()

    def _cut(self) -> None:
        sentence = clause = 0
        for match in TOKEN.finditer(self.text):
            kind, found = match.lastgroup, match[0]
            if kind in ("end", "stop"):
                sentence, clause = sentence + 1, clause + 1
            elif kind == "pause":
                clause += 1
            elif kind:
                word = folded(found)
                if not word:
                    continue
                clause += word in TURNS
                self.words.append(word)
                self.shown.append(found)
                self.starts.append(match.start())
                self.sentence.append(sentence)
                self.clause.append(clause)

    def _denials(self) -> tuple[list[int], list[int]]:
        """Return where a negator stands that denies something, and where a word that calls something untrue."""
        denials = [i for i, word in enumerate(self.words) if word in NEGATORS or word.endswith("n't")]
        untrue = [i for i, word in enumerate(self.words) if word not in NEGATORS and UNTRUE.match(word)]
        phrases = () if self.han else UNTRUE_PHRASES.finditer(self.lower)
        untrue = sorted({*untrue, *self.found(HAN_UNTRUE), *(bisect_left(self.starts, one.start()) for one in phrases)})
        if not denials and not untrue:
            return denials, untrue
        # "Everything Is Not as It Seems": a capital within a sentence is a title's
        spared = {i for i in denials if self.shown[i][0].isupper() and not self.shown[i].isupper() and self._inside(i)}
        spared |= {i for match in NO_DENIAL.finditer(self.lower) for i in self.within(match.start(), match.end())}
        return [i for i in denials if i not in spared], [i for i in untrue if i not in spared]

    def _inside(self, i: int) -> bool:
        """Return whether a word stands after another of its sentence, and both have a capital."""
        return i > 0 and self.sentence[i - 1] == self.sentence[i] and self.shown[i - 1][0].isupper()

    def _names(self) -> list[tuple[int, int]]:
        """Return from where to where each name stands: words with a capital, side by side."""
        found: list[tuple[int, int]] = []
        for i, shown in enumerate(self.shown):
            if not shown[0].isupper() or self.words[i] in STOP or self.words[i] in NEGATORS:
                continue
            first = i == 0 or self.sentence[i - 1] != self.sentence[i]
            alone = shown[1:].islower() and not (i + 1 < len(self.shown) and self.shown[i + 1][0].isupper())
            if first and alone and len(self.shown) > 3:
                continue  # every sentence begins with a capital
            if found and found[-1][1] == i and self.clause[i] == self.clause[i - 1]:
                found[-1] = (found[-1][0], i + 1)
            else:
                found.append((i, i + 1))
        return found

    def grams(self) -> set[str]:
        """Return every three neighbouring characters of the words."""
        text = f" {' '.join(self.words)} "
        return {text[i : i + 3] for i in range(len(text) - 2)}

    def within(self, start: int, end: int) -> range:
        """Return the words that begin from one character up to another."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def found(self, pattern: re.Pattern[str]) -> set[int]:
        """Return the words where a pattern of Chinese is found in the text."""
        found = pattern.finditer(self.text) if self.han else ()
        return {bisect_left(self.starts, match.start()) for match in found}

    def span(self, start: int, end: int) -> str:
        """Return the words from `start` up to `end` as they were written."""
        return self.text[self.starts[start] : self.starts[end - 1] + len(self.shown[end - 1])]
