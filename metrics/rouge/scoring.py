"""ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum of answers against references, as F-measures.

Paper: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries", ACL W04-1013. Original:
the package rouge_score 0.1.2 (google-research). For English, its tokens (a to z and 0 to 9, in
lower case, optionally Porter-stemmed) and its precision, recall and F-measure are reproduced to the
last digit.

Differences from the original:
- The result is the plain mean of the rows. The Hub's module `rouge` returns the median of an
  unseeded bootstrap.
- rouge_score recognises only the letters a to z, so that identical Chinese or Arabic texts score 0.
  Here jieba splits texts into words if the reference has Han characters (language "zh"). If most
  letters of the reference are in another script, the tokens are words of Unicode letters, single
  characters in scripts without spaces, and emoji ("other"). If the reference has Latin letters and
  digits only, the answer decides; then a Latin word and a Korean particle in one ("NASA가") are two
  words. `language="en"` uses the original's tokens for all texts.
- Spaces between Chinese characters are left out.

This file may be copied alone: it needs only Python, and for some texts jieba 0.42.1, regex or nltk.

From Answer Lens 0.1.0 (metrics/rouge), Apache-2.0. To cite it: CITATION.cff there, and the paper
above.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate, compress, islice, pairwise
from typing import Any, NamedTuple

try:
    from .chinese_words import cut_words as cut_chinese_words
except ImportError:
    # If this file was copied alone: the same words, in twice the time.
    def cut_chinese_words(text: str) -> Sequence[str]:
        """Return the words of jieba."""
        import jieba  # pip install jieba==0.42.1

        return jieba.lcut(text)


LANGUAGES = ("en", "zh", "other")
ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# Latin letters with all accents, and other characters that lie between them in Unicode, such as °
# and ×.
LATIN = "A-Za-z\u00aa-\u02ff\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"
# Letters of scripts without spaces between words.
UNSPACED = (
    "\u0e00-\u109f\u1780-\u17ff\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
)
LATIN_WORD = re.compile(f"[{LATIN}]+")
# A word in another script; in a script without spaces, each letter is one.
OTHER_WORD = re.compile(rf"[{UNSPACED}]|[^\W\d_{LATIN}{UNSPACED}]+")
# Places between Latin letters or digits and letters of another script: a particle in "NASA가".
SCRIPT_CHANGE = re.compile(
    rf"(?<=[0-9{LATIN}])(?=[^\W\d_{LATIN}])|(?<=[^\W\d_{LATIN}])(?=[0-9{LATIN}])"
)
# Spaces between Chinese characters mean nothing. A BERT tokenizer also puts spaces around numbers
# and signs: if a text has two single Chinese characters, no space beside a Chinese character
# counts.
SPACE = r"[ \t\u00a0\u3000]"
HAN_SPACE = re.compile(rf"(?<={HAN.pattern}){SPACE}+(?={HAN.pattern})")
LONE_HAN = re.compile(rf"(?<!{HAN.pattern}){HAN.pattern}{SPACE}+{HAN.pattern}(?!{HAN.pattern})")
SPACE_BY_HAN = re.compile(rf"(?<={HAN.pattern}){SPACE}+|(?<!{SPACE}){SPACE}+(?={HAN.pattern})")
# Text in brackets does not decide: "Beijing (北京)" is an English answer.
GLOSS = re.compile(r"[(（][^()（）]*[)）]")
# A table for bytes: each character that is not in a to z and 0 to 9 becomes a space.
WORD_CHARACTERS = string.ascii_lowercase + string.digits
TO_SPACE = bytes(byte if chr(byte) in WORD_CHARACTERS else ord(" ") for byte in range(256))
# Marks the beginning of each line in the columns; it is no token.
EDGE = "\n"
# Stands for each token of a prediction line that no reference line has; it is no token.
UNKNOWN = "\n\n"
# Longer words are not cached: they rarely come again, and take much memory.
LONGEST_CACHED_WORD = 32
# Only every BLOCK-th row of the table of common subsequences is stored; the others are computed
# again.
BLOCK = 1024


def is_answer_decisive(reference: str, prediction: str) -> bool:
    """Return whether the answer's script decides on the language, and not the reference's.

    It does if the reference has no letter of another script than Latin, and the answer has more
    words in another script than Latin words. Words in brackets do not count, nor do Latin words
    that the reference has, too.

    >>> is_answer_decisive("NASA", "由NASA发射"), is_answer_decisive("NASA", "NASA (美国) did")
    (True, False)
    >>> is_answer_decisive("东京", "Tokyo"), is_answer_decisive("1998", "成立于1998年")
    (False, True)
    """
    if prediction.isascii() or OTHER_WORD.search(reference):
        return False
    answer = GLOSS.sub(" ", prediction)
    # Latin words that the reference also has are quotations: they do not make the answer English.
    quoted = set(LATIN_WORD.findall(reference.lower()))
    latin_words = [word for word in LATIN_WORD.findall(answer.lower()) if word not in quoted]
    other_words = OTHER_WORD.findall(answer)
    return len(other_words) > len(latin_words)


def detect_language(reference: str, prediction: str = "") -> str:
    """Return the language of a pair, by the script of the reference or of the answer.

    The text is the reference. If `is_answer_decisive`, it is the answer without its words in
    brackets.

    Returns:
        "zh" if the text has Han characters; else "other" if the text is the answer, or if more than
        half of its letters, marks, digits and emoji are not in a to z, A to Z and 0 to 9; else
        "en".

    >>> [detect_language(text) for text in ("Café au lait", "北京 (Beijing)", "Москва", "🎉 ok")]
    ['en', 'zh', 'other', 'en']
    >>> [detect_language("1998", answer) for answer in ("成立于1998年", "в 1998 году", "in 1998")]
    ['zh', 'other', 'en']
    """
    is_answer = is_answer_decisive(reference, prediction)
    text = GLOSS.sub(" ", prediction) if is_answer else reference
    if text.isascii():
        return "en"
    if HAN.search(text):
        return "zh"
    if is_answer:
        return "other"
    n_all = sum(map(len, load_word_pattern().findall(text)))
    n_inside = len(re.findall("[a-zA-Z0-9]", text))
    return "other" if n_all > 2 * n_inside else "en"


@cache
def load_word_pattern() -> Any:
    """Return the pattern of a token in any script.

    A token is a word, an emoji, or a single character of a script without spaces.

    Raises:
        ImportError: regex is not installed; the message has the command.
    """
    try:
        import regex
    except ImportError as error:
        raise ImportError("text in this script needs regex: pip install regex") from error
    unspaced = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Hiragana}\p{Katakana}"
    letter = rf"[[\p{{L}}\p{{N}}]--[{unspaced}]]"
    character = rf"[{unspaced}--\p{{M}}]\p{{M}}*"
    word = rf"{letter}(?:{letter}|\p{{M}})*"
    emoji = r"[\p{So}\p{Extended_Pictographic}][\p{M}\p{Sk}]*"
    return regex.compile(rf"{character}|{word}|{emoji}", regex.V1)


@lru_cache(maxsize=65536)
def stem_word(word: str) -> str:
    """Return the Porter stem of a word; up to three letters it is unchanged, as in rouge_score.

    Raises:
        ImportError: nltk is not installed; the message has the command.
    """
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise ImportError("use_stemmer needs nltk: pip install nltk") from error
    if len(word) <= 3:
        return word
    return str(PorterStemmer().stem(word))


def tokenize(text: str, language: str, use_stemmer: bool = False) -> list[str]:
    """Split a text into tokens.

    Args:
        text: the text.
        language: "en" (the tokens of rouge_score), "zh" (jieba's words) or "other" (words in any
            script).
        use_stemmer: Porter-stem English tokens.

    >>> tokenize("The Falls, in U.S.A.", "en")
    ['the', 'falls', 'in', 'u', 's', 'a']
    >>> tokenize("红楼梦 的作者。", "zh"), tokenize("Москва, 😀!", "other")
    (['红楼梦', '的', '作者'], ['москва', '😀'])
    """
    if language == "en":
        return tokenize_english(text, use_stemmer)
    if language == "other":
        return load_word_pattern().findall(text.lower())
    spaces = SPACE_BY_HAN if LONE_HAN.search(text) else HAN_SPACE
    words = cut_chinese_words(spaces.sub("", text.lower()))
    return [word for word in words if load_word_pattern().search(word)]


def tokenize_english(text: str, use_stemmer: bool) -> list[str]:
    """Split a text into the tokens of rouge_score."""
    data = text.lower().encode("ascii", "replace")
    words = data.translate(TO_SPACE).decode().split()
    if not use_stemmer:
        return words
    stems = []
    for word in words:
        stem = stem_word if len(word) <= LONGEST_CACHED_WORD else stem_word.__wrapped__
        stems.append(stem(word))
    return stems


class Score(NamedTuple):
    """One ROUGE value; every part is in 0..1."""

    precision: float
    recall: float
    fmeasure: float


def compute_score(n_shared: int, n_prediction: int, n_reference: int) -> Score:
    """Return precision, recall and F-measure; all are 0 if the texts share nothing.

    Args:
        n_shared: the number of shared units: words, bigrams or words of the sequence.
        n_prediction: the number of units in the prediction.
        n_reference: the number of units in the reference.
    """
    if not n_shared:
        return Score(0.0, 0.0, 0.0)
    precision = n_shared / n_prediction
    recall = n_shared / n_reference
    fmeasure = 2 * precision * recall / (precision + recall)
    return Score(precision, recall, fmeasure)


def count_shared(prediction: Sequence[Any], reference: Sequence[Any]) -> int:
    """Return how many tokens two lists share; a repeated token counts as often as both have it."""
    remaining = dict.fromkeys(reference, 0)
    if len(remaining) == len(reference):
        # No token occurs twice, as in most short references: no loop is needed.
        return len(remaining.keys() & prediction)
    for token in reference:
        remaining[token] += 1
    n_shared = 0
    for token in filter(remaining.__contains__, prediction):
        if remaining[token]:
            remaining[token] -= 1
            n_shared += 1
    return n_shared


# The longest common subsequence. Its table of lengths has a row for each token of one text (`rows`)
# and a column for each token of the other (`columns`). A row is stored as an integer with one bit
# for each column. The bit is 0 if the length grows from column j to j + 1 (Hyyrö 2004,
# "Bit-parallel LCS-length computation revisited").


def make_masks(columns: Sequence[str]) -> dict[str, int]:
    """Return, for each token, an integer whose bits are set at the columns of the token."""
    masks: dict[str, int] = {}
    for j, token in enumerate(columns):
        masks[token] = masks.get(token, 0) | 1 << j
    return masks


def build_lcs_table(rows: Sequence[str], columns: Sequence[str]) -> list[int]:
    """Return every BLOCK-th row of the table of common subsequences, and the last row.

    The number of 0 bits in the last row is the length of the longest common subsequence.

    >>> [f"{row:04b}" for row in build_lcs_table(list("abcb"), list("bcab"))]
    ['1111', '0100']
    """
    masks = make_masks(columns)
    all_bits = (1 << len(columns)) - 1
    kept = []
    row = all_bits
    for start in range(0, len(rows), BLOCK):
        kept.append(row)
        for token in filter(masks.__contains__, rows[start : start + BLOCK]):
            matches = row & masks[token]
            row = ((row + matches) | (row ^ matches)) & all_bits
    return [*kept, row]


def walk_table_back(
    rows: Sequence[str],
    masks: dict[str, int],
    all_bits: int,
    table: list[int] | None = None,
) -> Iterator[int]:
    """Yield the rows of a table of common subsequences from the last to the first.

    Args:
        rows: the tokens of the rows.
        masks: the result of `make_masks` for the columns.
        all_bits: the row before the first: a 1 at each column where a subsequence may grow. All
            other bits stay 0 in every row, so a carry of the addition ends there.
        table: the result of `build_lcs_table`, if it is known. The other rows are computed again,
            one block at a time.
    """

    def next_row(row: int, token: str) -> int:
        matches = row & masks.get(token, 0)
        return ((row + matches) | (row ^ matches)) & all_bits if matches else row

    if not table:
        before_last_block = rows[: (len(rows) - 1) // BLOCK * BLOCK]
        every_row = accumulate(before_last_block, next_row, initial=all_bits)
        table = list(islice(every_row, 0, None, BLOCK))
    for start in reversed(range(0, len(rows), BLOCK)):
        block = rows[start : start + BLOCK]
        computed = list(accumulate(block, next_row, initial=table[start // BLOCK]))
        yield from reversed(computed[1:])


def find_lcs_path(
    rows: Sequence[str], columns: Sequence[str], table: list[int] | None = None
) -> list[tuple[int, int]]:
    """Return the index pairs of one longest common subsequence, first to last.

    If there are several, it is the one that rouge_score finds. From the end, equal tokens
    are paired. Otherwise a column is skipped if the rest still has a subsequence of the same
    length; else a row is skipped.

    Args:
        rows: the tokens of one text.
        columns: the tokens of the other.
        table: the result of `build_lcs_table` for them, if it is known.

    >>> find_lcs_path(list("abcb"), list("bcab"))
    [(1, 0), (2, 1), (3, 3)]
    """
    masks = make_masks(columns)
    all_bits = (1 << len(columns)) - 1
    j = len(columns)
    path = []
    indices = reversed(range(len(rows)))
    for i, row in zip(indices, walk_table_back(rows, masks, all_bits, table), strict=True):
        while j and columns[j - 1] != rows[i] and row >> (j - 1) & 1:
            j -= 1
        if j and columns[j - 1] == rows[i]:
            j -= 1
            path.append((i, j))
    path.reverse()
    return path


def find_lcs_unions(
    prediction: Iterable[Sequence[str]], reference: Iterable[Sequence[str]]
) -> dict[Sequence[str], list[str]]:
    """Return the union LCS of each reference line: its tokens in its LCS with any prediction line.

    The LCS is the longest common subsequence (LCS-union: Lin 2004, section 3.2); if there are
    several, it is the path that `find_lcs_path` finds. The paths through all reference lines are
    walked at once (see `walk_paths`).

    >>> find_lcs_unions([("b", "c"), ("d",)], [("a", "b", "d"), ("c", "b")])
    {('a', 'b', 'd'): ['b', 'd'], ('c', 'b'): ['c']}
    """
    lines = dict.fromkeys(reference)
    # The columns of all reference lines, one line after the other, with an edge before each line.
    columns = []
    for line in lines:
        columns += [EDGE, *line]
    masks = make_masks(columns)
    edges = masks.pop(EDGE, 0)
    # Equal prediction lines are walked once. Tokens that no reference line has are made equal.
    prediction_lines: dict[tuple[str, ...], None] = {}
    for line in prediction:
        known_tokens = tuple(token if token in masks else UNKNOWN for token in line)
        prediction_lines[known_tokens] = None
    on_path = 0
    for tokens in prediction_lines:
        on_path |= walk_paths(tokens, masks, edges, len(columns))

    unions: dict[Sequence[str], list[str]] = {}
    # One character for each column, the first column first: "1" if it is on a path.
    signs = f"{on_path:0{len(columns)}b}"[::-1]
    start = 0
    for line in lines:
        start += 1  # the edge before the line
        end = start + len(line)
        is_on_path = [sign == "1" for sign in signs[start:end]]
        unions[line] = list(compress(line, is_on_path))
        start = end
    return unions


def walk_paths(
    tokens: Sequence[str],
    masks: dict[str, int],
    edges: int,
    n_columns: int,
) -> int:
    """Return the columns on the paths of one prediction line through all reference lines.

    This does what `find_lcs_path` does, for all reference lines at once: a walk begins at the last
    column of each line and goes back through the rows. The walk of all lines together is not in
    Hyyrö 2004; tests compare it with `find_lcs_path`.

    For the lines ("a", "b") and ("b", "c") and the prediction line ("b", "c"), with the first
    column on the left:

        columns   | a b | b c   "|" is an edge
        walks     0 0 1 0 0 1   at the last column of each line
        row "c"   0 1 0 0 0 0   no walk stands where a column may be skipped (1, and not "c")
        paired    0 0 0 0 0 1   the walk that stands at "c" pairs it
        walks     0 0 1 0 1 0   this walk goes on one column before
        row "b"   0 1 0 0 0 1
        paired    0 0 1 0 1 0   both walks stand at "b"
        on path   0 0 1 0 1 1

    Args:
        tokens: the prediction line.
        masks: the result of `make_masks` for the columns of all reference lines.
        edges: the columns that are edges, as bits.
        n_columns: the number of columns.

    Returns:
        the columns that are on a path, as bits.
    """
    all_bits = (1 << n_columns) - 1
    on_path = 0
    # The column that each walk has reached, as one bit per reference line; at first the last column
    # of the line, which is the one before the next edge.
    walks = (edges | (1 << n_columns)) >> 1
    table = walk_table_back(tokens, masks, all_bits ^ edges)
    for token, row in zip(reversed(tokens), table, strict=True):
        mask = masks.get(token, 0)
        # A column is skipped if its bit is 1 (the rest has a subsequence of the same length) and it
        # is not the token. Each pass moves a walk twice as far: `skipped` has the columns from
        # which `stride` columns can be skipped. A walk leaves a bit at each column that it passes.
        skipped = row & ~mask
        stride = 1
        while moving := walks & skipped:
            walks |= moving >> stride
            skipped &= skipped << stride
            stride *= 2
        # Of these bits only the last stays: the column that is not skipped.
        walks &= (all_bits ^ row) | mask
        paired = walks & mask
        on_path |= paired
        # A walk that has paired its column goes on one column before.
        walks ^= paired | (paired >> 1)
    return on_path


def score_lsum(prediction: list[list[str]], reference: list[list[str]]) -> Score:
    """Return ROUGE-Lsum of texts, given as lines of tokens (section 3.2 of the paper).

    For each reference line, its longest common subsequences with all prediction lines are joined. A
    token counts at most as often as the prediction has it.
    """
    remaining: Counter[str] = Counter()
    for line in prediction:
        remaining.update(line)
    n_prediction = remaining.total()
    # Tokens that the prediction lacks are on no common subsequence.
    reference_lines = [tuple(filter(remaining.__contains__, line)) for line in reference]
    unions = find_lcs_unions(map(tuple, prediction), reference_lines)
    n_shared = 0
    for reference_line in reference_lines:
        for token in unions[reference_line]:
            if remaining[token] > 0:
                n_shared += 1
            remaining[token] -= 1
    return compute_score(n_shared, n_prediction, sum(map(len, reference)))


class Grade(NamedTuple):
    """One answer graded against one reference.

    Attributes:
        scores: the value of each ROUGE type.
        language: the language of the tokens.
        prediction: the tokens of the answer.
        reference: the tokens of the reference.
        table: the result of `build_lcs_table` for them; empty if they share at most one token.
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
    tokenizer: Callable[[str, str, bool], list[str]] = tokenize,
) -> Grade:
    """Return the ROUGE values of one answer, with its tokens.

    The arguments are those of `score`, and `tokenizer`, which splits a text into tokens: the
    function `tokenize`, or a cached version of it.
    """
    check_choice("language", language, ("auto", *LANGUAGES))
    check_choice("use_stemmer", use_stemmer, (True, False))
    if language == "auto":
        language = detect_language(reference, prediction)
    if language == "other" and not OTHER_WORD.search(reference):
        prediction = SCRIPT_CHANGE.sub(" ", prediction)
    prediction_tokens = tokenizer(prediction, language, use_stemmer)
    reference_tokens = tokenizer(reference, language, use_stemmer)
    n_words = count_shared(prediction_tokens, reference_tokens)
    n_bigrams = 0
    n_sequence = n_words
    table = []
    # If at most one token is shared, no bigram is, and no table is needed.
    if n_words > 1:
        n_bigrams = count_shared(
            list(pairwise(prediction_tokens)), list(pairwise(reference_tokens))
        )
        table = build_lcs_table(prediction_tokens, reference_tokens)
        n_sequence = len(reference_tokens) - table[-1].bit_count()
    sequence = compute_score(n_sequence, len(prediction_tokens), len(reference_tokens))
    scores = {
        "rouge1": compute_score(n_words, len(prediction_tokens), len(reference_tokens)),
        "rouge2": compute_score(n_bigrams, len(prediction_tokens) - 1, len(reference_tokens) - 1),
        "rougeL": sequence,
        "rougeLsum": sequence,
    }
    if "\n" in prediction or "\n" in reference:
        prediction_lines = [
            tokenizer(line, language, use_stemmer) for line in prediction.split("\n")
        ]
        reference_lines = [tokenizer(line, language, use_stemmer) for line in reference.split("\n")]
        scores["rougeLsum"] = score_lsum(prediction_lines, reference_lines)
    return Grade(scores, language, prediction_tokens, reference_tokens, table)


def check_choice(name: str, value: Any, choices: tuple[Any, ...]) -> None:
    """Raise ValueError if a setting is none of the choices."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r:.80}; one of {choices} is expected")


def score(
    prediction: str,
    reference: str,
    language: str = "auto",
    use_stemmer: bool = False,
) -> dict[str, Score]:
    """Return rouge1, rouge2, rougeL and rougeLsum of one answer.

    Each has precision, recall and fmeasure, in 0..1.

    Args:
        prediction: the answer to grade.
        reference: the right answer.
        language: "auto" (see `detect_language`), "en", "zh" or "other".
        use_stemmer: whether to Porter-stem English tokens of more than three letters.

    Raises:
        ImportError: a package that this language needs is missing.
        TypeError: a text is no string.
        ValueError: a setting has a wrong value.

    Source: Lin 2004; rouge_score 0.1.2.

    >>> result = score("the cat sat", "the cat was sitting")
    >>> [round(result[name].fmeasure, 4) for name in ROUGE_TYPES]
    [0.5714, 0.4, 0.5714, 0.5714]

    """
    for name, text in (("prediction", prediction), ("reference", reference)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    return grade(prediction, reference, language, use_stemmer).scores


def take_best(grades: list[Grade]) -> dict[str, Score]:
    """Return, for each type, the value with the highest F-measure, as rouge_score's score_multi."""
    best = dict(grades[0].scores)
    for later_grade in grades[1:]:
        for name, value in later_grade.scores.items():
            if value.fmeasure > best[name].fmeasure:
                best[name] = value
    return best


def explain(grades: list[Grade], brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one answer.

    Args:
        grades: the answer graded against each reference.
        brief: whether to leave out the tokens, which are compared with the reference of the best
            ROUGE-L.
    """
    best = take_best(grades)
    rouge_l = [graded.scores["rougeL"].fmeasure for graded in grades]
    reference = rouge_l.index(max(rouge_l))
    shown = grades[reference]
    entry: dict[str, Any] = {
        "score": best["rougeL"].fmeasure,
        "reference": reference,
        "language": shown.language,
    }
    for name, value in best.items():
        entry[name] = value._asdict()
    if not brief:
        path = find_lcs_path(shown.prediction, shown.reference, shown.table)
        in_prediction = {i for i, _ in path}
        in_reference = {j for _, j in path}
        entry["prediction_tokens"] = mark_tokens(shown.prediction, shown.reference, in_prediction)
        entry["reference_tokens"] = mark_tokens(shown.reference, shown.prediction, in_reference)
    return entry | describe_empty(shown)


def describe_empty(shown: Grade) -> dict[str, Any]:
    """Return the note of an answer: which of the two texts have no word."""
    empty = []
    if not shown.prediction:
        empty.append("prediction")
    if not shown.reference:
        empty.append("reference")
    if not empty:
        return {"note": None, "warnings": [], "note_data": []}
    note = f"no word in the {' and the '.join(empty)}"
    return {
        "note": note,
        "warnings": ["no_word"],
        "note_data": [{"key": "no_word", "sides": empty}],
    }


def mark_tokens(tokens: list[str], other: list[str], sequence: set[int]) -> list[list[str]]:
    """Return [token, status] for each token.

    The status is "matched" on the common subsequence. Elsewhere it is "reordered" for as many
    occurrences as `other` has outside the subsequence, then "unmatched".

    Args:
        tokens: the tokens of a text.
        other: the tokens of the other text.
        sequence: the indices of the tokens on the common subsequence.

    >>> mark_tokens(["a", "b", "c", "a"], ["b", "a"], {1})
    [['a', 'reordered'], ['b', 'matched'], ['c', 'unmatched'], ['a', 'unmatched']]
    """
    remaining = Counter(other) - Counter(tokens[i] for i in sequence)
    marked = []
    for i, token in enumerate(tokens):
        if i in sequence:
            status = "matched"
        elif remaining[token] > 0:
            status = "reordered"
            remaining[token] -= 1
        else:
            status = "unmatched"
        marked.append([token, status])
    return marked
