"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum of answers against references, as F-measures.

Paper: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", ACL W04-1013.
Original: the package rouge_score 0.1.2 (google-research), whose tokens (a to z and 0 to 9, lower case, on request
Porter-stemmed) and whose precision, recall and F-measure are kept to the last digit for English.

Differences from the original:
- Rows are averaged by the plain mean. (The Hub's module `rouge` returns an unseeded bootstrap median.)
- rouge_score knows no letters but a to z, so that identical Chinese or Arabic texts score 0. Here a reference with Han
  characters is cut into words by jieba (language "zh"), and one that is mostly written in another script than a to z
  into words by the Unicode letters and marks in it, into characters where the script has no spaces, and into single
  emoji (language "other"). `language="en"` is the original for every text.
- The longest common subsequence comes from a table of bits instead of numbers, which is kept in part: the same path,
  less time, bounded memory.
- jieba's two searches, for the likeliest words of its dictionary and for new words, are done here on its own tables:
  the same words in half the time, and in linear time where jieba's takes n squared steps for n Chinese characters.
"""

import importlib.metadata
import logging
import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import inf, isqrt, log
from statistics import fmean
from typing import Any, NamedTuple

# Who pasted this file for its functions need not install these two; only the class at its end does.
try:
    import datasets
    import evaluate
except ModuleNotFoundError:
    evaluate = type("evaluate", (), {"Metric": object, "MetricInfo": None})

# Pasted into a script, this file is alone and needs no more than its functions. (The loader copies a file that the
# module imports only where the import starts a line.)
# fmt: off
try: \
from .checked import Checked
except ImportError:

    class Checked:  # type: ignore[no-redef]
        """Stands in for the checks of the metric class, which this file alone cannot offer."""

        def __init__(self, *args: object, **kwargs: object) -> None:
            raise ImportError("the metric class needs checked.py from the same folder; the functions need no class")
# fmt: on

VERSION = "0.1.0"

LANGUAGES = ("en", "zh", "other")
ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
SINGLE = re.compile(r"\r\n|[\s\S]")
LONG_WORD = 100
# jieba's dictionary as it was last seen, and how many there were.
DICTIONARY: dict[str, Any] = {"last": None, "number": 0}
# What is not in a to z and 0 to 9 separates words.
TO_SPACE = bytes(byte if chr(byte) in string.ascii_lowercase + string.digits else ord(" ") for byte in range(256))
# The package whose tokens of English these are.
TOKENIZER = "rouge_score-0.1.2"
TABLE_BITS = 1 << 28  # 32 MiB
# Up to here bits are put together one by one, which for many columns would take steps that grow with their square.
FEW_COLUMNS = 1000


def detect_language(text: str) -> str:
    """Return "zh" for a text with Han characters, "other" for one that is mostly in another script, else "en".

    Mostly: it has more letters, marks, digits and emoji outside a to z, A to Z and 0 to 9 than inside.

    >>> [detect_language(text) for text in ("Café au lait", "北京 (Beijing)", "Москва", "🎉 ok")]
    ['en', 'zh', 'other', 'en']
    """
    if text.isascii():
        return "en"
    if HAN.search(text):
        return "zh"
    inside = len(re.findall("[a-zA-Z0-9]", text))
    outside = sum(len(token) for token in other_words().findall(text)) - inside
    return "other" if outside > inside else "en"


def language_of(text: str, language: str = "auto") -> str:
    """Return `language`, or for "auto" the detected one; raise ValueError for one that is not known.

    >>> language_of("多伦多"), language_of("多伦多", "en")
    ('zh', 'en')
    """
    if language == "auto":
        return detect_language(text)
    if language not in LANGUAGES:
        raise ValueError(f"language is {language!r:.80}; 'auto' or one of {LANGUAGES} is expected")
    return language


def load_jieba() -> Any:
    """Return jieba, its start-up messages silenced; raise ImportError with the command that installs it."""
    try:
        import jieba
    except ImportError as error:
        raise ImportError("Chinese text needs jieba: pip install jieba==0.42.1") from error
    if not jieba.dt.initialized:
        jieba.setLogLevel(logging.WARNING)
    return jieba


def segment(text: str, alone: Callable[[str, Any], Sequence[str]] | None = None) -> list[str]:
    """Return the words of a Chinese text: those of `jieba.cut(text, cut_all=False)`, in about half its time.

    `alone` cuts a run of characters that stand alone on the likeliest path; by default `single_characters`.

    >>> segment("多伦多在加拿大。")
    ['多伦多', '在', '加拿大', '。']
    """
    jieba = load_jieba()
    jieba.dt.check_initialized()
    words: list[str] = []
    cut = False
    for part in jieba.re_han_default.split(text):  # every other part has the characters that words are made of
        words += likeliest_words(part, jieba, alone or single_characters) if cut else SINGLE.findall(part)
        cut = not cut
    return words


def likeliest_words(part: str, jieba: Any, alone_words: Callable[[str, Any], Sequence[str]]) -> list[str]:
    """Return the words on the likeliest path through jieba's dictionary, of equals the one with the longer first word.

    Characters that stand alone there are looked through for words that are not in the dictionary.
    """
    words: list[str] = []
    ends, start, alone = likeliest_path(part, jieba.dt.FREQ.get, log(jieba.dt.total)), 0, 0
    while start < len(part):
        end = ends[start]
        if end > start + 1:
            words += alone_words(part[alone:start], jieba) if alone < start else ()
            words.append(part[start:end])
            alone = end
        start = end
    return [*words, *alone_words(part[alone:], jieba)] if alone < start else words


def likeliest_path(part: str, frequency_of: Callable[[str], int | None], log_total: float) -> list[int]:
    """Return for each character the end of the word that begins there on the likeliest path from it to the end.

    `frequency_of` is None for what begins no word, 0 for what is no word but begins one.
    """
    length = len(part)
    likelihoods, ends = [0.0] * (length + 1), list(range(1, length + 1))
    for start in range(length - 1, -1, -1):
        likeliest, end = -inf, start + 1
        frequency = frequency_of(part[start])
        while frequency is not None:
            if frequency:
                likelihood = log(frequency) - log_total + likelihoods[end]
                if likelihood >= likeliest:
                    likeliest, ends[start] = likelihood, end
            if end == length:
                break
            end += 1
            frequency = frequency_of(part[start:end])
        likelihoods[start] = likeliest if likeliest > -inf else log(1) - log_total + likelihoods[start + 1]
    return ends


def single_characters(run: str, jieba: Any) -> Sequence[str]:
    """Return the words in a run of characters that stand alone on the likeliest path."""
    if len(run) == 1 or jieba.dt.FREQ.get(run):
        return tuple(run)
    forced = frozenset(jieba.finalseg.Force_Split_Words)
    return new_words(run, forced) if len(run) <= LONG_WORD else new_words.__wrapped__(run, forced)


@lru_cache(maxsize=65536)
def new_words(run: str, forced: frozenset[str]) -> tuple[str, ...]:
    """Return what `jieba.finalseg.cut` makes of a run, remembered as long as the same words are split by force."""
    words: list[str] = []
    finalseg, han = load_jieba().finalseg, False
    for part in finalseg.re_han.split(run):
        found = spelled(part, hidden_states(part)) if han else filter(None, finalseg.re_skip.split(part))
        for word in found:
            words += word if han and word in forced else (word,)
        han = not han
    return tuple(words)


@cache
def hidden_model() -> tuple[Any, ...]:
    """Return the numbers of jieba's model of new words: of no chance, of each state's start, and of what follows what.

    B, M, E: begin, middle, end of a word; S: a word by itself. Each follows one of two, named in order.
    """
    finalseg = load_jieba().finalseg
    none, moves, emissions = finalseg.MIN_FLOAT, finalseg.trans_P, finalseg.emit_P
    steps = [
        (state, one, moves[one].get(state, none), other, moves[other].get(state, none), emissions[state].get)
        for state, one, other in ("BES", "MBM", "EBM", "SES")
    ]
    return none, [(state, finalseg.start_P[state], emissions[state].get) for state in "BMES"], steps


def hidden_states(text: str) -> list[str]:
    """Return the likeliest state of each character, as `jieba.finalseg.viterbi` does, in linear time."""
    none, starts, steps = hidden_model()
    scores = {state: start + emission(text[0], none) for state, start, emission in starts}
    pointers = []
    for character in text[1:]:
        now, came = {}, {}
        for state, one, from_one, other, from_other, emission in steps:
            emitted = emission(character, none)
            score, other_score = scores[one] + from_one + emitted, scores[other] + from_other + emitted
            now[state], came[state] = (score, one) if score > other_score else (other_score, other)
        scores = now
        pointers.append(came)
    path = ["E" if scores["E"] > scores["S"] else "S"]
    for came in reversed(pointers):
        path.append(came[path[-1]])
    return path[::-1]


def spelled(text: str, states: list[str]) -> list[str]:
    """Return the words that the states of their characters make."""
    words: list[str] = []
    begin = done = 0
    for at, state in enumerate(states):
        begin = at if state in "BS" else begin
        if state in "ES":
            words.append(text[begin : at + 1])
            done = at + 1
    return words + [text[done:]] * (done < len(text))


@cache
def other_words() -> Any:
    """Return the pattern of a token in any script: a character of a script without spaces, a word, or an emoji."""
    try:
        import regex
    except ImportError as error:
        raise ImportError("text in this script needs regex: pip install regex") from error
    unspaced = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Hiragana}\p{Katakana}"
    letter = rf"[[\p{{L}}\p{{N}}]--[{unspaced}]]"
    character, word = rf"[{unspaced}--\p{{M}}]\p{{M}}*", rf"{letter}(?:{letter}|\p{{M}})*"
    emoji = r"[\p{So}\p{Extended_Pictographic}][\p{M}\p{Sk}]*"
    return regex.compile(rf"{character}|{word}|{emoji}", regex.V1)


@cache
def stemmer() -> Any:
    """Return nltk's Porter stemmer."""
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise ImportError("use_stemmer needs nltk: pip install nltk") from error
    return PorterStemmer()


@lru_cache(maxsize=65536)
def stem_again(word: str) -> str:
    """Return the Porter stem of a word, remembered."""
    stem: str = stemmer().stem(word)
    return stem


def stem(word: str) -> str:
    """Return the Porter stem of a word of more than three letters; a shorter one as it is, as in rouge_score."""
    if len(word) <= 3:
        return word
    return stem_again(word) if len(word) <= LONG_WORD else stem_again.__wrapped__(word)


def tokenize(text: str, language: str, use_stemmer: bool = False) -> list[str]:
    """Return the tokens of a text in `language` "en" (those of rouge_score), "zh" (jieba words) or "other".

    >>> tokenize("The Falls, in U.S.A.", "en")
    ['the', 'falls', 'in', 'u', 's', 'a']
    >>> tokenize("红楼梦 的作者。", "zh"), tokenize("Москва, 😀!", "other")
    (['红楼梦', '的', '作者'], ['москва', '😀'])
    """
    if language == "en":
        words = text.lower().encode("ascii", "replace").translate(TO_SPACE).decode().split()
        return list(map(stem, words)) if use_stemmer else words
    if language == "other":
        return other_words().findall(text.lower())
    return [token for token in segment(text.lower()) if other_words().search(token)]


def lcs_path(rows: list[str], columns: list[str], mask_of: Callable[[str], int] | None = None) -> list[tuple[int, int]]:
    """Return the index pairs of one longest common subsequence, first to last.

    Of the many, the one that is found from the end: equal tokens are paired; otherwise a column is left out where that
    does not shorten it, else a row. Time: rows * columns / 30 steps of an integer; memory: about 2 * sqrt(rows) *
    columns bits for long texts. `mask_of` is `column_masks(columns)` where it is known already.

    >>> lcs_path(list("abcb"), list("bcab"))
    [(1, 0), (2, 1), (3, 3)]
    """
    i, j, path = len(rows), len(columns), []
    while i and j and rows[i - 1] == columns[j - 1]:
        i, j = i - 1, j - 1
        path.append((i, j))
    for start, block in reversed_blocks(rows[:i], len(columns), mask_of or column_masks(columns)) if i and j else ():
        while i > start and j:
            if rows[i - 1] == columns[j - 1]:
                i, j = i - 1, j - 1
                path.append((i, j))
            elif block[i - start] >> (j - 1) & 1:
                j -= 1
            else:
                i -= 1
    return path[::-1]


def reversed_blocks(rows: list[str], columns: int, mask_of: Callable[[str], int]) -> Iterator[tuple[int, list[int]]]:
    """Yield (index of a first row, rows of bits from there on) for blocks of the table, last block first.

    A table within TABLE_BITS is one block. Of a larger one, the row at each block's start is kept, and the block is
    worked out again when it is asked for.
    """
    full = (1 << columns) - 1
    if len(rows) * columns <= TABLE_BITS:
        yield 0, list(bit_rows(rows, full, mask_of, full))
        return
    step, kept = isqrt(len(rows)), [full]
    starts = [*range(0, len(rows), step), len(rows)]
    for start, end in pairwise(starts[:-1]):
        for row in bit_rows(rows[start:end], kept[-1], mask_of, full):
            last = row
        kept.append(last)
    for (start, end), row in reversed(list(zip(pairwise(starts), kept, strict=False))):
        yield start, list(bit_rows(rows[start:end], row, mask_of, full))


def column_masks(columns: list[str]) -> Callable[[str], int]:
    """Return a function from a token to the bits of the columns where it stands; it keeps TABLE_BITS at most."""
    if len(columns) <= FEW_COLUMNS:
        bits_of: dict[str, int] = {}
        for j, token in enumerate(columns):
            bits_of[token] = bits_of.get(token, 0) | 1 << j
        return lambda token: bits_of.get(token, 0)
    places: dict[str, list[int]] = {}
    for j, token in enumerate(columns):
        places.setdefault(token, []).append(j)

    @lru_cache(maxsize=1 + TABLE_BITS // (len(columns) + 1))
    def mask_of(token: str) -> int:
        bits = bytearray(len(columns) // 8 + 1)
        for j in places.get(token, ()):
            bits[j >> 3] |= 1 << (j & 7)
        return int.from_bytes(bits, "little")

    return mask_of


def bit_rows(tokens: list[str], row: int, mask_of: Callable[[str], int], full: int) -> Iterator[int]:
    """Yield `row` and the row after each token, of the table of lengths of longest common subsequences.

    Bit j of a row is 0 where the length grows from column j to column j + 1; `full` is the row above the first token.
    Recurrence: Hyyrö 2004, "Bit-parallel LCS-length computation revisited".
    """
    yield row
    for token in tokens:
        if both := row & mask_of(token):
            row = (row + both | row ^ both) & full
        yield row


def lcs_length(rows: list[str], columns: list[str]) -> int:
    """Return the length of a longest common subsequence.

    >>> lcs_length(list("abcb"), list("bcab"))
    3
    """
    start, end = 0, 0
    while start < min(len(rows), len(columns)) and rows[start] == columns[start]:
        start += 1
    while end < min(len(rows), len(columns)) - start and rows[-1 - end] == columns[-1 - end]:
        end += 1
    rows, columns = rows[start : len(rows) - end], columns[start : len(columns) - end]
    full = last = (1 << len(columns)) - 1
    for row in bit_rows(rows, full, column_masks(columns), full):
        last = row
    return start + end + (full ^ last).bit_count()


class Score(NamedTuple):
    """One ROUGE value; every part is in 0..1."""

    precision: float
    recall: float
    fmeasure: float


def scored(hits: int, prediction: int, reference: int) -> Score:
    """Return the value for `hits` common units among those of prediction and reference; 0 where there are none."""
    precision, recall = hits / max(prediction, 1), hits / max(reference, 1)
    total = precision + recall
    return Score(precision, recall, 2 * precision * recall / total if total > 0 else 0.0)


def shared(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return how many tokens two lists share, each as often as the list that has it less often.

    >>> shared(["of", "the", "red", "red"], ["red", "red", "of"])
    3
    """
    left: dict[Any, int] = {}
    found = 0
    for token in other:
        if token in left:
            left[token] += 1
        else:
            left[token] = 1
    for token in one:
        if token in left:
            count = left[token]
            if count:
                left[token] = count - 1
                found += 1
    return found


def sequences(tokens: list[str], order: int) -> Sequence[Any]:
    """Return the sequences of `order` tokens that stand in `tokens`."""
    return tokens if order == 1 else list(zip(*(tokens[i:] for i in range(order)), strict=False))


def rouge_n(prediction: list[str], reference: list[str], n: int) -> Score:
    """Return ROUGE-N: n-grams in both, each as often as it stands in both (section 2 of the paper).

    >>> rouge_n(["a", "b", "c"], ["a", "b"], 2)
    Score(precision=0.5, recall=1.0, fmeasure=0.6666666666666666)
    """
    predicted, referred = sequences(prediction, n), sequences(reference, n)
    return scored(shared(predicted, referred), len(predicted), len(referred))


def rouge_l(prediction: list[str], reference: list[str]) -> Score:
    """Return ROUGE-L: the longest common subsequence (section 3.1 of the paper)."""
    return scored(lcs_length(prediction, reference), len(prediction), len(reference))


def rouge_lsum(prediction: list[list[str]], reference: list[list[str]]) -> Score:
    """Return ROUGE-Lsum of texts given as lines of tokens (section 3.2 of the paper).

    For each reference line, the union of its longest common subsequences with all prediction lines; no token counts
    more often than the prediction has it.
    """
    left = Counter(token for line in prediction for token in line)
    predicted, referred, hits = left.total(), sum(map(len, reference)), 0
    unions = Unions(prediction, {token for line in reference for token in line})
    for line in reference:
        for token in unions.of(tuple(token for token in line if token in left)):
            hits += left[token] > 0
            left[token] -= 1
    return scored(hits, predicted, referred)


def reduced(line: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """Return the tokens of a line that are in `known`, each run of others as one "": on the path, a run is like one.

    >>> reduced(["a", "x", "y", "b", "z"], {"a", "b"})
    ('a', '', 'b', '')
    """
    marked = [token if token in known else "" for token in line]
    return tuple(token for token, before in zip(marked, ["x", *marked], strict=False) if token or before)


class Unions:
    """The tokens of a line on its longest common subsequences with any of many other lines, for one line after another.

    Not every line is compared with every other. A place in the union can only come from a line that has its token: so
    for each token a FEW of those are tried first. Where places are left, only frequent tokens can fill them, and the
    lines without a rarer token of the line in question fall into few forms.
    """

    FEW = 32

    def __init__(self, lines: list[list[str]], known: Collection[str]) -> None:
        """Take the other lines, and the tokens that any line to come may have."""
        self.lines = [line for line in dict.fromkeys(reduced(line, known) for line in lines) if any(line)]
        self.places: dict[str, list[int]] = {}
        for i, line in enumerate(self.lines):
            for token in set(line) - {""}:
                self.places.setdefault(token, []).append(i)
        self.of = cache(self.union)
        self.forms = cache(self.count_forms)

    def union(self, line: tuple[str, ...]) -> list[str]:
        """Return the tokens of `line` in the union; each stands in one of the other lines."""
        columns, found, seen = list(line), set[int](), set[int]()
        mask_of = column_masks(columns)

        def compare(others: Iterable[int]) -> None:
            for i in others:
                if i not in seen and len(found) < len(line):
                    seen.add(i)
                    found.update(j for _, j in lcs_path(list(self.lines[i]), columns, mask_of))

        for token in sorted(set(line), key=lambda token: (len(self.places[token]), token)):
            wanted = {j for j, other in enumerate(line) if other == token}
            for i in self.places[token][: self.FEW]:
                if wanted <= found:
                    break
                compare([i])
        frequent = frozenset(token for token in line if len(self.places[token]) > self.FEW)
        if any(token in frequent for j, token in enumerate(line) if j not in found):
            for token in set(line) - frequent:
                compare(self.places[token])
            for form in self.forms(frequent) - Counter(reduced(self.lines[i], frequent) for i in seen):
                if len(found) == len(line):
                    break
                found.update(j for _, j in lcs_path(list(form), columns, mask_of))
        return [line[j] for j in found]

    def count_forms(self, known: frozenset[str]) -> Counter[tuple[str, ...]]:
        """Return how many of the other lines look alike but for tokens that are not `known`, and have one that is."""
        return Counter(form for form in (reduced(line, known) for line in self.lines) if any(form))


def lines_of(text: str, language: str, use_stemmer: bool) -> list[list[str]]:
    """Return the tokens of each line that is not empty."""
    return [tokenize(line, language, use_stemmer) for line in text.split("\n") if line]


class Grade(NamedTuple):
    """One answer graded against one reference: the value of each ROUGE type, and the tokens of both texts."""

    scores: dict[str, Score]
    language: str
    prediction: list[str]
    reference: list[str]


def grade(prediction: str, reference: str, language: str = "auto", use_stemmer: bool = False) -> Grade:
    """Return ROUGE of one answer with its tokens; the arguments are those of `score`."""
    language = language_of(reference, language)
    predicted, referred = (tokenize(text, language, use_stemmer) for text in (prediction, reference))
    longest = rouge_l(predicted, referred)
    several = "\n" in prediction or "\n" in reference
    lines = [lines_of(text, language, use_stemmer) for text in (prediction, reference)] if several else []
    scores = {
        "rouge1": rouge_n(predicted, referred, 1),
        "rouge2": rouge_n(predicted, referred, 2),
        "rougeL": longest,
        "rougeLsum": rouge_lsum(*lines) if several else longest,
    }
    return Grade(scores, language, predicted, referred)


def check_text(name: str, text: Any) -> None:
    """Raise TypeError for what is no text, a null of a JSON file for one.

    >>> check_text("prediction", None)
    Traceback (most recent call last):
    TypeError: prediction is None (NoneType); a string is expected
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")


def check_flag(name: str, value: Any) -> None:
    """Raise TypeError for what is neither True nor False: the word "no" would be true.

    >>> check_flag("lowercase", "no")
    Traceback (most recent call last):
    TypeError: lowercase is 'no' (str); True or False is expected
    """
    if type(value).__name__ not in ("bool", "bool_"):  # Python's and numpy's
        raise TypeError(f"{name} is {value!r:.80} ({type(value).__name__}); True or False is expected")


def score(prediction: str, reference: str, language: str = "auto", use_stemmer: bool = False) -> dict[str, Score]:
    """Return ROUGE of one answer: rouge1, rouge2, rougeL, rougeLsum, each with precision, recall, fmeasure in 0..1.

    Args:
        prediction: the answer to grade.
        reference: the right answer.
        language: "auto" (by the reference: see `detect_language`), "en", "zh" or "other".
        use_stemmer: Porter-stem English tokens of more than three letters.

    Raises:
        ImportError: a package that this language needs is missing.
        TypeError: a text is no string, or use_stemmer neither True nor False.

    Source: Lin 2004; rouge_score 0.1.2.

    >>> result = score("the cat sat", "the cat was sitting")
    >>> [round(result[name].fmeasure, 4) for name in ROUGE_TYPES]
    [0.5714, 0.4, 0.5714, 0.5714]

    """
    check_text("prediction", prediction)
    check_text("reference", reference)
    check_flag("use_stemmer", use_stemmer)
    return grade(prediction, reference, language, use_stemmer).scores


def explain(grades: list[Grade], brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one answer, given its grades against each reference.

    Of several references the best counts, for each type alone, as in rouge_score's score_multi; the tokens are compared
    with the reference of the best ROUGE-L. `brief` leaves out both lists of tokens.
    """
    best = best_of([graded.scores for graded in grades])
    _, language, predicted, referred = max(grades, key=lambda graded: graded.scores["rougeL"].fmeasure)
    silent = [name for name, tokens in (("prediction", predicted), ("reference", referred)) if not tokens]
    return {
        "score": best["rougeL"].fmeasure,
        "language": language,
        **{name: value._asdict() for name, value in best.items()},
        **({} if brief else token_statuses(predicted, referred)),
        "note": f"no word in the {' and the '.join(silent)}" if silent else None,
    }


def token_statuses(predicted: list[str], referred: list[str]) -> dict[str, list[list[str]]]:
    """Return the tokens of both texts with their statuses."""
    path = lcs_path(predicted, referred)
    return {
        "prediction_tokens": statuses(predicted, referred, {i for i, _ in path}),
        "reference_tokens": statuses(referred, predicted, {j for _, j in path}),
    }


def best_of(scores: list[dict[str, Score]]) -> dict[str, Score]:
    """Return for each type the value with the highest F-measure."""
    return {name: max((s[name] for s in scores), key=lambda value: value.fmeasure) for name in ROUGE_TYPES}


def statuses(tokens: list[str], other: list[str], sequence: set[int]) -> list[list[str]]:
    """Return [token, status] for each token.

    "matched": on the longest common subsequence, of which `sequence` has the indices; "reordered": elsewhere in
    `other`, which has it at least as often; "unmatched": not in it.

    >>> statuses(["a", "b", "c", "a"], ["b", "a"], {1})
    [['a', 'reordered'], ['b', 'matched'], ['c', 'unmatched'], ['a', 'unmatched']]
    """
    left, result = Counter(other) - Counter(tokens[i] for i in sequence), []
    for i, token in enumerate(tokens):
        status = "matched" if i in sequence else "reordered" if left[token] > 0 else "unmatched"
        left[token] -= status == "reordered"
        result.append([token, status])
    return result


def dictionary_state() -> tuple[Any, ...]:
    """Return what changes when a word is added to jieba's dictionary or deleted, or a dictionary is loaded.

    The sum of frequencies, the number of entries, the words that were ever deleted with their present frequencies, and
    how many dictionaries were seen so far.
    """
    jieba = load_jieba()
    jieba.dt.check_initialized()
    frequencies = jieba.dt.FREQ
    if frequencies is not DICTIONARY["last"]:
        DICTIONARY["number"] += 1
        DICTIONARY["last"] = frequencies
    deleted = tuple((word, frequencies.get(word)) for word in sorted(jieba.finalseg.Force_Split_Words))
    return jieba.dt.total, len(frequencies), deleted, DICTIONARY["number"]


def is_stock(state: tuple[Any, ...]) -> bool:
    """Return whether jieba's dictionary, in this state, is the one that jieba 0.42.1 carries."""
    # Sum of frequencies and number of entries; no word is split by force.
    return load_jieba().dt.dictionary is None and state[:3] == (60101967, 498113, ())


def jieba_version() -> str:
    """Return jieba's version, and whether its dictionary was changed: that changes the segmentation."""
    version = importlib.metadata.version("jieba")
    return f"jieba-{version}" if is_stock(dictionary_state()) else f"jieba-{version}-custom-dictionary"


class Rouge(Checked, evaluate.Metric):
    """ROUGE as a metric of evaluate."""

    def _info(self) -> evaluate.MetricInfo:
        text, several = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum F-measures and their plain mean, in any script.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": several}),
                datasets.Features({"predictions": text, "references": text}),
            ],
            codebase_urls=["https://github.com/google-research/google-research/tree/master/rouge"],
            reference_urls=["https://aclanthology.org/W04-1013/"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[list[str]],
        language: str | list[str] = "auto",
        use_stemmer: bool = False,
        per_example: bool | str = False,
    ) -> dict[str, Any]:
        languages = self.languages(language, len(predictions), LANGUAGES)
        predictions, references = self.texts(predictions, references=references)
        best, entries, used = [], [], set[str]()
        for prediction, row, row_language in zip(predictions, references, languages, strict=True):
            grades = [grade(prediction, reference, row_language, use_stemmer) for reference in row]
            best.append(best_of([graded.scores for graded in grades]))
            used.update(graded.language for graded in grades)
            if per_example:
                entries.append(explain(grades, per_example == "brief"))
        result: dict[str, Any] = {name: fmean(row[name].fmeasure for row in best) for name in ROUGE_TYPES}
        result["signature"] = self.signature(
            VERSION,
            language=self.said(languages),
            use_stemmer=use_stemmer,
            aggregate="mean",
            multi_reference="max",
            tokenizer=TOKENIZER,
            stemmer=f"nltk-{importlib.metadata.version('nltk')}" if use_stemmer else None,
            tokenizer_zh=jieba_version() if "zh" in used else None,
            words=f"regex-{importlib.metadata.version('regex')}" if used - {"en"} else None,
        )
        return result | {"per_example": entries} if per_example else result


CITATION = """\
@inproceedings{lin2004rouge,
  title={{ROUGE}: A Package for Automatic Evaluation of Summaries},
  author={Lin, Chin-Yew},
  booktitle={Text Summarization Branches Out},
  pages={74--81}, year={2004}, publisher={Association for Computational Linguistics}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; of several, the best counts, for each type alone.
    language ("auto", "en", "zh", "other", or a list of them): the tokens; "auto" goes by the script of each reference.
    use_stemmer (bool): Porter-stem English tokens.
    per_example (bool or "brief"): True adds one dict per row: precision, recall and fmeasure of each type, and the
        tokens. "brief" leaves out the tokens.

Returns:
    rouge1, rouge2, rougeL, rougeLsum (floats in 0..1, F-measures, higher is better), signature (str),
    per_example (list of dict, when asked for).
"""
