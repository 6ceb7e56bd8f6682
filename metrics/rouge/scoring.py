"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum of answers against references, as F-measures.

Paper: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", ACL W04-1013.
Original: the package rouge_score 0.1.2 (google-research), whose tokens (a to z and 0 to 9, lower case, on request
Porter-stemmed) and whose precision, recall and F-measure are kept to the last digit for English.

Differences from the original:
- Rows are averaged by the plain mean; the Hub's module `rouge` returns an unseeded bootstrap median.
- rouge_score knows no letters but a to z, so that identical Chinese or Arabic texts score 0. Here a reference with Han
  characters is cut into words by jieba (language "zh"), and one mostly in another script than a to z into words of
  Unicode letters, characters where it has no spaces, and emoji ("other"). Beside a reference with Latin letters and
  digits alone the answer decides, and its "NASA가" is two words. `language="en"` is the original for all.
- Spaces between Chinese characters are left out.

This file may be copied alone: it needs nothing but Python, and for some texts jieba 0.42.1, regex or nltk.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, islice, pairwise
from typing import Any, NamedTuple

try:
    from .chinese_words import words as chinese_words
except ImportError:  # this file alone: the same words, in twice the time

    def chinese_words(text: str) -> Sequence[str]:
        """Return jieba's words."""
        import jieba  # pip install jieba==0.42.1

        return jieba.lcut(text)


LANGUAGES = ("en", "zh", "other")
ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# Letters of the Latin alphabet with all its accents; letters of scripts that put no spaces between words.
LATIN = "A-Za-z\u00aa-\u02ff\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"
UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
LATIN_WORD, OTHER_WORD = re.compile(f"[{LATIN}]+"), re.compile(rf"[{UNSPACED}]|[^\W\d_{LATIN}{UNSPACED}]+")
# Where the letters of another script touch Latin ones or digits: a particle in "NASA가".
SCRIPT_CHANGE = re.compile(rf"(?<=[0-9{LATIN}])(?=[^\W\d_{LATIN}])|(?<=[^\W\d_{LATIN}])(?=[0-9{LATIN}])")
# Between Chinese characters a space means nothing. A BERT tokenizer puts one between all of them, numbers and signs:
# where two characters stand alone, none beside a Chinese character means anything.
SPACE = r"[ \t\u00a0\u3000]"
HAN_SPACE = re.compile(rf"(?<={HAN.pattern}){SPACE}+(?={HAN.pattern})")
LONE_HAN = re.compile(rf"(?<!{HAN.pattern}){HAN.pattern}{SPACE}+{HAN.pattern}(?!{HAN.pattern})")
SPACE_BY_HAN = re.compile(rf"(?<={HAN.pattern}){SPACE}+|(?<!{SPACE}){SPACE}+(?={HAN.pattern})")
GLOSS = re.compile(r"[(（][^()（）]*[)）]")  # "Beijing (北京)" is an English answer
# What is not in a to z and 0 to 9 separates words.
TO_SPACE = bytes(byte if chr(byte) in string.ascii_lowercase + string.digits else ord(" ") for byte in range(256))
EDGE = "\n"  # no token of a line
LONG = 32  # characters: longer words are not remembered, for they rarely come again, and would take the memory
BLOCK = 1024  # rows of the table of common subsequences that are in memory at a time


def deciding_text(reference: str, prediction: str) -> str:
    """Return the text whose script decides on the language: the reference, but where it has no letters but Latin ones,
    a prediction that has more words in another script than Latin ones of its own.

    >>> deciding_text("NASA", "由NASA发射"), deciding_text("NASA", "NASA (美国) did"), deciding_text("东京", "Tokyo")
    ('由NASA发射', 'NASA', '东京')
    """
    if prediction.isascii() or OTHER_WORD.search(reference):
        return reference
    answer = GLOSS.sub(" ", prediction)
    quoted = set(LATIN_WORD.findall(reference.lower()))
    latin = [word for word in LATIN_WORD.findall(answer.lower()) if word not in quoted]
    return answer if len(OTHER_WORD.findall(answer)) > len(latin) else reference


def detect_language(reference: str, prediction: str = "") -> str:
    """Return the language of a pair by the text that decides: "zh" where it has Han characters, "other" where it has
    more letters, marks, digits and emoji outside a to z, A to Z and 0 to 9 than inside, else "en".

    >>> [detect_language(text) for text in ("Café au lait", "北京 (Beijing)", "Москва", "🎉 ok")]
    ['en', 'zh', 'other', 'en']
    >>> [detect_language("1998", answer) for answer in ("成立于1998年", "в 1998 году", "in 1998")]
    ['zh', 'other', 'en']
    """
    text = deciding_text(reference, prediction)
    if text.isascii():
        return "en"
    if HAN.search(text):
        return "zh"
    if text != reference:
        return "other"
    inside = len(re.findall("[a-zA-Z0-9]", text))
    return "other" if sum(map(len, other_words().findall(text))) > 2 * inside else "en"


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


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the Porter stem of a word of more than three letters; a shorter one as it is, as in rouge_score."""
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise ImportError("use_stemmer needs nltk: pip install nltk") from error
    return word if len(word) <= 3 else str(PorterStemmer().stem(word))


def tokenize(text: str, language: str, use_stemmer: bool = False) -> list[str]:
    """Return the tokens of a text in `language` "en" (those of rouge_score), "zh" (jieba words) or "other".

    >>> tokenize("The Falls, in U.S.A.", "en")
    ['the', 'falls', 'in', 'u', 's', 'a']
    >>> tokenize("红楼梦 的作者。", "zh"), tokenize("Москва, 😀!", "other")
    (['红楼梦', '的', '作者'], ['москва', '😀'])
    """
    if language == "en":
        words = text.lower().encode("ascii", "replace").translate(TO_SPACE).decode().split()
        if use_stemmer:
            return [stem(word) if len(word) <= LONG else stem.__wrapped__(word) for word in words]
        return words
    if language == "other":
        return other_words().findall(text.lower())
    spaces = SPACE_BY_HAN if LONE_HAN.search(text) else HAN_SPACE
    chinese = chinese_words(spaces.sub("", text.lower()))
    return [token for token in chinese if other_words().search(token)]


class Score(NamedTuple):
    """One ROUGE value; every part is in 0..1."""

    precision: float
    recall: float
    fmeasure: float


def scored(hits: int, prediction: int, reference: int) -> Score:
    """Return the value for `hits` common units among those of prediction and reference; 0 where there are none."""
    if not hits:
        return Score(0.0, 0.0, 0.0)
    precision, recall = hits / prediction, hits / reference
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


def shared(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return how many tokens two lists share, each as often as the list that has it less often."""
    left, found = dict.fromkeys(other, 0), 0
    if len(left) == len(other):
        return len(left.keys() & one)
    for token in other:
        left[token] += 1
    for token in filter(left.__contains__, one):
        if left[token]:
            left[token] -= 1
            found += 1
    return found


def positions(columns: Sequence[str]) -> dict[str, int]:
    """Return for each token an integer whose bits are set where the token stands."""
    masks: dict[str, int] = {}
    for j, token in enumerate(columns):
        masks[token] = masks.get(token, 0) | 1 << j
    return masks


def lcs_table(rows: Sequence[str], columns: Sequence[str]) -> list[int]:
    """Return of the table of longest common subsequences every BLOCK-th row, and the last.

    The table is one of bits, 0 where the length grows from column j to j + 1 (Hyyrö 2004, "Bit-parallel LCS-length
    computation revisited"): in the last row as often as a longest common subsequence has tokens.

    >>> [f"{row:04b}" for row in lcs_table(list("abcb"), list("bcab"))]
    ['1111', '0100']
    """
    masks, full = positions(columns), (1 << len(columns)) - 1
    kept, row = list[int](), full
    for start in range(0, len(rows), BLOCK):
        kept.append(row)
        for token in filter(masks.__contains__, rows[start : start + BLOCK]):
            both = row & masks[token]
            row = (row + both | row ^ both) & full
    return [*kept, row]


def rows_back(rows: Sequence[str], masks: dict[str, int], full: int, table: list[int] | None = None) -> Iterator[int]:
    """Yield the rows of an `lcs_table` from the last to the first token's; a block at a time is worked out again."""

    def below(row: int, token: str) -> int:
        both = row & masks.get(token, 0)
        return (row + both | row ^ both) & full if both else row

    before_last = rows[: (len(rows) - 1) // BLOCK * BLOCK]
    kept = table or list(islice(accumulate(before_last, below, initial=full), 0, None, BLOCK))
    for start in reversed(range(0, len(rows), BLOCK)):
        yield from list(accumulate(rows[start : start + BLOCK], below, initial=kept[start // BLOCK]))[:0:-1]


def lcs_path(rows: Sequence[str], columns: Sequence[str], table: list[int] | None = None) -> list[tuple[int, int]]:
    """Return the index pairs of one longest common subsequence, first to last; of the many, rouge_score's.

    Found from the end: equal tokens are paired; otherwise a column is left out where that does not shorten it, else a
    row. `table` is their `lcs_table`, if it is known.

    >>> lcs_path(list("abcb"), list("bcab"))
    [(1, 0), (2, 1), (3, 3)]
    """
    masks, full = positions(columns), (1 << len(columns)) - 1
    j, path = len(columns), []
    for i, row in zip(reversed(range(len(rows))), rows_back(rows, masks, full, table), strict=True):
        while j and columns[j - 1] != rows[i] and row >> (j - 1) & 1:
            j -= 1
        if j and columns[j - 1] == rows[i]:
            j -= 1
            path.append((i, j))
    return path[::-1]


def unions(prediction: Iterable[Sequence[str]], reference: Iterable[Sequence[str]]) -> dict[Sequence[str], list[str]]:
    """Return for each reference line its tokens that are on its `lcs_path` with any of the prediction lines.

    The paths through all reference lines are walked at once: their columns stand side by side, an edge before each
    line, and `at` has the bit of one column of each.

    >>> unions([("b", "c"), ("d",)], [("a", "b", "d"), ("c", "b")])
    {('a', 'b', 'd'): ['b', 'd'], ('c', 'b'): ['c']}
    """
    lines = dict.fromkeys(reference)
    columns = [token for line in lines for token in (EDGE, *line)]
    masks, whole, found = positions(columns), (1 << len(columns)) - 1, 0
    edges = masks.pop(EDGE, 0)
    for one in dict.fromkeys(tuple(token if token in masks else EDGE for token in line) for line in prediction):
        at = (edges | 1 << len(columns)) >> 1
        for token, row in zip(reversed(one), rows_back(one, masks, whole ^ edges), strict=True):
            mask, step = masks.get(token, 0), 1
            free = row ^ row & mask  # those to leave out, in strides of 1, 2, 4
            while moving := at & free:
                at |= moving >> step
                free &= free << step
                step *= 2
            at &= whole ^ row | mask
            paired = at & mask
            found |= paired
            at ^= paired | paired >> 1
    signs = iter(f"{found:0{len(columns)}b}"[::-1])
    return {line: [token for token, sign in zip((EDGE, *line), signs, strict=False) if sign == "1"] for line in lines}


def rouge_lsum(prediction: list[list[str]], reference: list[list[str]]) -> Score:
    """Return ROUGE-Lsum of texts given as lines of tokens (section 3.2 of the paper).

    For each reference line, the union of its longest common subsequences with all prediction lines; no token counts
    more often than the prediction has it.
    """
    left, hits = Counter(token for line in prediction for token in line), 0
    lines = [tuple(token for token in line if token in left) for line in reference]
    found = unions(map(tuple, prediction), lines)
    for line in lines:
        for token in found[line]:
            hits += left[token] > 0
            left[token] -= 1
    return scored(hits, sum(map(len, prediction)), sum(map(len, reference)))


class Grade(NamedTuple):
    """One answer graded against one reference: the value of each ROUGE type, the tokens of both texts, and their
    `lcs_table`; none where they share a token at most.
    """

    scores: dict[str, Score]
    language: str
    prediction: list[str]
    reference: list[str]
    table: list[int]


def grade(
    prediction: str,
    reference: str,
    language: str = "auto",
    use_stemmer: bool = False,
    cut: Callable[[str, str, bool], list[str]] = tokenize,
) -> Grade:
    """Return ROUGE of one answer with its tokens; the arguments are those of `score`, and what cuts a text."""
    for name, value, known in (
        ("language", language, ("auto", *LANGUAGES)),
        ("use_stemmer", use_stemmer, (True, False)),
    ):
        if value not in known:
            raise ValueError(f"{name} is {value!r:.80}; one of {known} is expected")
    language = detect_language(reference, prediction) if language == "auto" else language
    if language == "other" and not OTHER_WORD.search(reference):
        prediction = SCRIPT_CHANGE.sub(" ", prediction)
    predicted, referred = cut(prediction, language, use_stemmer), cut(reference, language, use_stemmer)
    words = shared(predicted, referred)
    pairs = shared(list(pairwise(predicted)), list(pairwise(referred))) if words > 1 else 0
    table = lcs_table(predicted, referred) if words > 1 else []
    sequence = len(referred) - table[-1].bit_count() if table else words
    lengths = len(predicted), len(referred)
    scores = {
        "rouge1": scored(words, *lengths),
        "rouge2": scored(pairs, lengths[0] - 1, lengths[1] - 1),
        "rougeL": scored(sequence, *lengths),
        "rougeLsum": scored(sequence, *lengths),
    }
    if "\n" in prediction or "\n" in reference:
        lines = (text.split("\n") for text in (prediction, reference))
        scores["rougeLsum"] = rouge_lsum(*([cut(line, language, use_stemmer) for line in text] for text in lines))
    return Grade(scores, language, predicted, referred, table)


def score(prediction: str, reference: str, language: str = "auto", use_stemmer: bool = False) -> dict[str, Score]:
    """Return rouge1, rouge2, rougeL and rougeLsum of one answer, each with precision, recall, fmeasure in 0..1.

    Args:
        prediction: the answer to grade.
        reference: the right answer.
        language: "auto" (see `detect_language`), "en", "zh" or "other".
        use_stemmer: Porter-stem English tokens of more than three letters.

    Raises:
        ImportError: a package that this language needs is missing.
        TypeError: a text is no string.
        ValueError: a setting that does not exist.

    Source: Lin 2004; rouge_score 0.1.2.

    >>> result = score("the cat sat", "the cat was sitting")
    >>> [round(result[name].fmeasure, 4) for name in ROUGE_TYPES]
    [0.5714, 0.4, 0.5714, 0.5714]

    """
    for name, text in (("prediction", prediction), ("reference", reference)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    return grade(prediction, reference, language, use_stemmer).scores


def best_of(grades: list[Grade]) -> dict[str, Score]:
    """Return for each type the value with the highest F-measure, as rouge_score's score_multi does."""
    if len(grades) == 1:
        return grades[0].scores
    return {name: max((one.scores[name] for one in grades), key=lambda value: value.fmeasure) for name in ROUGE_TYPES}


def explain(grades: list[Grade], brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for the grades of one answer against each reference; the tokens are compared
    with the reference of the best ROUGE-L, and `brief` leaves them out.
    """
    best = best_of(grades)
    reference = max(range(len(grades)), key=lambda i: grades[i].scores["rougeL"].fmeasure)
    _, language, predicted, referred, table = grades[reference]
    entry: dict[str, Any] = {"score": best["rougeL"].fmeasure, "reference": reference, "language": language}
    entry |= {name: value._asdict() for name, value in best.items()}
    if not brief:
        path = lcs_path(predicted, referred, table)
        entry["prediction_tokens"] = statuses(predicted, referred, {i for i, _ in path})
        entry["reference_tokens"] = statuses(referred, predicted, {j for _, j in path})
    silent = [name for name, tokens in (("prediction", predicted), ("reference", referred)) if not tokens]
    if not silent:
        return entry | {"note": None, "warnings": [], "note_data": []}
    note = f"no word in the {' and the '.join(silent)}"
    return entry | {"note": note, "warnings": ["no_word"], "note_data": [{"key": "no_word", "sides": silent}]}


def statuses(tokens: list[str], other: list[str], sequence: set[int]) -> list[list[str]]:
    """Return [token, status] for each token: "matched" on the common subsequence, of which `sequence` has the indices;
    "reordered" where `other` has it at another place, as often as it does; "unmatched".

    >>> statuses(["a", "b", "c", "a"], ["b", "a"], {1})
    [['a', 'reordered'], ['b', 'matched'], ['c', 'unmatched'], ['a', 'unmatched']]
    """
    left, result = Counter(other) - Counter(tokens[i] for i in sequence), []
    for i, token in enumerate(tokens):
        status = "matched" if i in sequence else "reordered" if left[token] > 0 else "unmatched"
        left[token] -= status == "reordered"
        result.append([token, status])
    return result
