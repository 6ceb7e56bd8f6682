"""LV-Eval ROUGE: ROUGE-L F of two Chinese texts, on jieba words that are not blacklisted.

Paper: LV-Eval, Yuan et al. 2024, arXiv 2402.05136; there it is used for the dureader task.
Original: rouge_zh_score_blacklist in metrics.py of github.com/infinigence/LVEval at 63e7ae9, with
jieba 0.42.1 and the package rouge 1.0.1. The package's ROUGE-L is reproduced exactly: it counts the
distinct words on the path that its backtracking takes through the table of longest common
subsequences. It also adds 1e-8 to the denominator, so that an identical pair scores 0.999999995.

Difference from the original: the package calls itself recursively at each step of the path. If the
text is long, LV-Eval catches the RecursionError and returns 0. Here long texts get their true
score.

This file may be copied alone: it needs only Python and jieba 0.42.1.

From Answer Lens 0.1.0 (metrics/lv_eval_rouge), Apache-2.0. To cite it: CITATION.cff there, and the
paper above.
"""

import re
import string
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any, NamedTuple

try:
    from .chinese_words import cut_words, cut_words_twice
except ImportError:
    # If this file was copied alone: the same words, in twice the time.
    def cut_words(text: str) -> Sequence[str]:
        """Return the words of jieba."""
        import jieba  # pip install jieba==0.42.1

        return jieba.lcut(text)

    def cut_words_twice(text: str) -> list[str]:
        """Return the words of a text after each of its words was cut again by itself."""
        parts: list[str] = []
        for word in cut_words(text):
            parts += cut_words(word)
        return parts


# ABANDON_WORDS_ZH of the original, which names no source for it.
BLACKLIST_ZH = frozenset(
    "的 和 是 等 在 年 可以 为 与 ‰ 了 或 一种 月 c 至 日 有 进行 于 不 中 × 根据 小 由 亩 也 要 "
    "指 法 会 元 主要 "
    "以及 通过 首先 对 然后 号 以 所 后 丁 包括 无 将 用 能 形 方面 因素 位于 而 从 到 一定 用于 "
    "但 使用 让 具有 并 "
    "亿元 万元 上 类 基于 才 来 地 片 其他 个 或者 变得 时 给 你 使 条 受 已经 带 度".split()
)
# The original's cn_punctuation, which has the closing book-title mark but not the opening one.
PUNCTUATION_ZH = (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』"
    "【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏."
)
DROP_PUNCTUATION_ZH = str.maketrans("", "", string.punctuation + PUNCTUATION_ZH)
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# Added to the denominator of F by the rouge package.
EPSILON = 1e-8
# Longer words are not cached: they rarely come again, and take much memory.
LONGEST_CACHED_WORD = 32
# Only every BLOCK-th row of the table of common subsequences is stored; the others are computed
# again.
BLOCK = 1024


@lru_cache(maxsize=32768)
def normalize_word(word: str) -> str:
    """Return a word in lower case, without white space and ASCII and Chinese punctuation.

    The result may be empty.
    """
    if word.isalnum():
        return word.lower()
    return "".join(word.lower().translate(DROP_PUNCTUATION_ZH).split())


def tokenize(text: str) -> list[str]:
    """Return the normalized jieba words of a text, split twice as the original does.

    They include blacklisted words. For a text without other words, the original may join empty
    tokens with spaces. If there are two or more, the rouge package reads one empty word, and the
    result here ends with "". With fewer, the package refuses the text, and the result has no "".

    >>> tokenize("红楼梦的作者，是曹雪芹。")
    ['红楼梦', '的', '作者', '是', '曹雪芹']
    >>> tokenize("！？"), tokenize("！")
    ([''], [])
    """
    parts = cut_words_twice(text)
    tokens = []
    for part in parts:
        is_cached = len(part) <= LONGEST_CACHED_WORD
        normalize = normalize_word if is_cached else normalize_word.__wrapped__
        token = normalize(part)
        if token:
            tokens.append(token)
    if drop_blacklisted(tokens):
        return tokens
    # The original joins the words of the first cut with spaces: each space is an empty token.
    n_spaces = len(cut_words(text)) - 1
    n_empty = n_spaces + len(parts) - len(tokens)
    return [*tokens, ""] if n_empty > 1 else tokens


def drop_blacklisted(tokens: list[str]) -> list[str]:
    """Return the tokens that are not on the blacklist."""
    return [token for token in tokens if token not in BLACKLIST_ZH]


def find_lcs_path(rows: Sequence[str], columns: Sequence[str]) -> list[tuple[int, int]]:
    """Return the index pairs of one longest common subsequence, first to last.

    If there are several, it is the one that the rouge package finds. From the end, equal
    tokens are paired. Otherwise a column is skipped if the rest still has a subsequence of the same
    length; else a row is skipped.

    A row of the table is stored as an integer with one bit for each column. The bit is 0 if the
    length grows from column j to j + 1 (Hyyrö 2004, "Bit-parallel LCS-length computation
    revisited"). Of a long table every BLOCK-th row is kept; the others are computed again.

    >>> find_lcs_path(list("abcb"), list("bcab"))
    [(1, 0), (2, 1), (3, 3)]
    """
    masks: dict[str, int] = {}
    for j, token in enumerate(columns):
        masks[token] = masks.get(token, 0) | 1 << j
    all_bits = (1 << len(columns)) - 1

    def next_row(row: int, token: str) -> int:
        matches = row & masks.get(token, 0)
        return (row + matches | row ^ matches) & all_bits if matches else row

    before_last_block = rows[: (len(rows) - 1) // BLOCK * BLOCK]
    every_row = accumulate(before_last_block, next_row, initial=all_bits)
    stored_rows = list(islice(every_row, 0, None, BLOCK))
    i = len(rows)
    j = len(columns)
    path = []
    while i and j:
        start = (i - 1) // BLOCK * BLOCK
        table = list(accumulate(rows[start:i], next_row, initial=stored_rows[start // BLOCK]))
        while i > start and j:
            if rows[i - 1] == columns[j - 1]:
                i -= 1
                j -= 1
                path.append((i, j))
            elif table[i - start] >> (j - 1) & 1:
                j -= 1
            else:
                i -= 1
    path.reverse()
    return path


class Overlap(NamedTuple):
    """ROUGE-L of one pair, as the rouge package counts it.

    Only distinct words count; `common` has those on the common path.
    """

    f: float
    precision: float
    recall: float
    lcs_words: int
    prediction_words: int
    reference_words: int
    common: frozenset[str]


def score_lcs(prediction: list[str], reference: list[str]) -> Overlap:
    """Return ROUGE-L of two lists of tokens, as `rouge.Rouge` 1.0.1; all 0 if one is empty.

    >>> score_lcs(["a", "b", "b"], ["b", "c"])[:6]
    (0.4999999950000001, 0.5, 0.5, 1, 2, 2)
    """
    n_prediction = len(set(prediction))
    n_reference = len(set(reference))
    if not n_prediction or not n_reference:
        return Overlap(0.0, 0.0, 0.0, 0, n_prediction, n_reference, frozenset())
    path = find_lcs_path(reference, prediction)
    common = frozenset(reference[i] for i, _ in path)
    n_common = len(common)
    precision = n_common / n_prediction
    recall = n_common / n_reference
    f = 2.0 * ((precision * recall) / (precision + recall + EPSILON))
    return Overlap(f, precision, recall, n_common, n_prediction, n_reference, common)


class Grade(NamedTuple):
    """One graded answer: its ROUGE-L without blacklisted words, and all words of both texts."""

    overlap: Overlap
    prediction: list[str]
    reference: list[str]


def grade(prediction: str, reference: str, split: Callable[[str], list[str]] = tokenize) -> Grade:
    """Grade one answer against one reference.

    Args:
        prediction: the answer to grade.
        reference: the right answer.
        split: splits a text into words: `tokenize`, or a cached version of it.
    """
    predicted = split(prediction)
    right = split(reference)
    overlap = score_lcs(drop_blacklisted(predicted), drop_blacklisted(right))
    return Grade(overlap, predicted, right)


def score(prediction: str, reference: str) -> float:
    """Return LV-Eval's Chinese ROUGE-L F of one answer, in 0..1, higher is better.

    It is 0 if a text has no words, or only blacklisted ones.

    Args:
        prediction: the answer to grade.
        reference: the right answer.

    Raises:
        ImportError: jieba is not installed.
        TypeError: a text is no string.

    Source: rouge_zh_score_blacklist of LV-Eval, arXiv 2402.05136; metrics.py at 63e7ae9.

    >>> score("红楼梦的作者是曹雪芹", "《红楼梦》是曹雪芹写的")
    0.5714285665306124

    """
    for name, text in (("prediction", prediction), ("reference", reference)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    return grade(prediction, reference).overlap.f


def explain(graded: Grade, brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one answer: the score and the reasons for it.

    Args:
        graded: the graded answer.
        brief: whether to leave out the tokens.
    """
    overlap, predicted, right = graded
    entry: dict[str, Any] = {"score": overlap.f, "language": "zh", **overlap._asdict()}
    del entry["f"], entry["common"]
    if not brief:
        entry["prediction_tokens"] = mark_tokens(predicted, right, overlap.common)
        entry["reference_tokens"] = mark_tokens(right, predicted, overlap.common)
    return entry | describe_doubts(predicted, right)


def describe_doubts(prediction: list[str], reference: list[str]) -> dict[str, Any]:
    """Return the note of an answer: what in the two texts makes the score unreliable."""
    empty = []
    dropped = []
    for side, tokens in (("prediction", prediction), ("reference", reference)):
        words = [token for token in tokens if token]
        if not words:
            empty.append(side)
        elif not drop_blacklisted(words):
            dropped.append(side)
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    if empty:
        sentences.append(f"no word in the {' and the '.join(empty)}")
        data.append({"key": "no_word", "sides": empty})
    if dropped:
        sentences.append(f"no word but blacklisted ones in the {' and the '.join(dropped)}")
        data.append({"key": "only_blacklisted", "sides": dropped})
    # jieba splits most other scripts into single letters, so their scores mean little.
    if any(reference) and not any(map(HAN.search, reference)):
        sentences.append("The reference has no Chinese; this score is made for Chinese.")
        data.append({"key": "no_chinese"})
    warnings = [values["key"] for values in data]
    return {"note": "; ".join(sentences) or None, "warnings": warnings, "note_data": data}


def mark_tokens(tokens: list[str], other: list[str], common: frozenset[str]) -> list[list[str]]:
    """Return [token, status] for each word.

    The status is "blacklisted"; "matched" on the common path; "reordered" if both texts have the
    word, but not on the path; or "unmatched". The empty word of `tokenize` is left out.

    >>> mark_tokens(["曹雪芹", "的", "写", "书"], ["书", "曹雪芹"], frozenset(["曹雪芹"]))
    [['曹雪芹', 'matched'], ['的', 'blacklisted'], ['写', 'unmatched'], ['书', 'reordered']]
    """
    other_tokens = set(other)
    marked = []
    for token in tokens:
        if token in BLACKLIST_ZH:
            status = "blacklisted"
        elif token in common:
            status = "matched"
        elif token in other_tokens:
            status = "reordered"
        else:
            status = "unmatched"
        if token:
            marked.append([token, status])
    return marked
