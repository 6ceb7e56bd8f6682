"""LV-Eval ROUGE: ROUGE-L F of two Chinese texts on jieba words, without LV-Eval's blacklisted words.

Paper: LV-Eval, Yuan et al. 2024, arXiv 2402.05136; used there for the dureader task.
Original: rouge_zh_score_blacklist in metrics.py of github.com/infinigence/LVEval at 63e7ae9, with jieba 0.42.1 and the
package rouge 1.0.1, whose ROUGE-L is kept to the letter: it counts distinct words on the path that its backtracking
picks through the table of longest common subsequences, not the length of the subsequence; it adds 1e-8 to the
denominator, so that an identical pair scores 0.999999995.

Differences from the original:
- The package recurses once for every step of the path; LV-Eval swallows the RecursionError and returns 0, so that a
  long answer scores 0 there. Here every text gets its true score, from a table of bits that is kept in part, so that
  memory stays bounded.
- jieba's two searches, for the likeliest words of its dictionary and for new words, are done here on its own tables:
  the same words in half the time, and in linear time where jieba's takes n squared steps for n Chinese characters.
"""

import importlib.metadata
import logging
import re
import string
from collections.abc import Callable, Iterator, Sequence
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

# ABANDON_WORDS_ZH of the original, there without a source of its own.
BLACKLIST_ZH = frozenset(
    "的 和 是 等 在 年 可以 为 与 ‰ 了 或 一种 月 c 至 日 有 进行 于 不 中 × 根据 小 由 亩 也 要 指 法 会 元 主要 "
    "以及 通过 首先 对 然后 号 以 所 后 丁 包括 无 将 用 能 形 方面 因素 位于 而 从 到 一定 用于 但 使用 让 具有 并 "
    "亿元 万元 上 类 基于 才 来 地 片 其他 个 或者 变得 时 给 你 使 条 受 已经 带 度".split()
)
# The original's cn_punctuation: the closing book-title mark is in it, the opening one is not.
PUNCTUATION_ZH = (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』"
    "【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏."
)
DROP_ZH = str.maketrans("", "", string.punctuation + PUNCTUATION_ZH)
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
SINGLE = re.compile(r"\r\n|[\s\S]")
LONG_WORD = 100
# jieba's dictionary as it was last seen, and how many there were.
DICTIONARY: dict[str, Any] = {"last": None, "number": 0}
TABLE_BITS = 1 << 28  # 32 MiB
# Up to here bits are put together one by one, which for many columns would take steps that grow with their square.
FEW_COLUMNS = 1000
# In the denominator of the rouge package's F.
EPSILON = 1e-8


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


def normalize_zh_token(token: str) -> str:
    """Return a token in lower case without ASCII and Chinese punctuation and white space; possibly nothing."""
    return normalize_zh_word(token) if len(token) <= LONG_WORD else normalize_zh_word.__wrapped__(token)


@lru_cache(maxsize=65536)
def normalize_zh_word(token: str) -> str:
    """Return what `normalize_zh_token` returns, remembered."""
    # No letter or digit is dropped, and none becomes in lower case what is.
    return token.lower() if token.isalnum() else "".join(token.lower().translate(DROP_ZH).split())


def segment_twice(text: str) -> list[str]:
    """Return the words that jieba finds in each of its words, which between spaces has no neighbours.

    In jieba's own dictionary, a word on the likeliest path stays whole: it is likelier than its parts or less likely by
    a factor of 1.00008 at least (a test looks at every word), which no rounding reaches. So only what is not on the
    path is cut again.
    """
    state = dictionary_state()
    if is_stock(state):
        return segment(text, lambda run, jieba: segment_again(single_characters(run, jieba), state))
    return segment_again(segment(text), state)


def segment_again(words: Sequence[str], state: tuple[Any, ...]) -> list[str]:
    """Return the words that jieba finds in each word alone."""
    found: list[str] = []
    for word in words:
        if len(word) == 1:
            found.append(word)
        else:
            found += segment_word(word, state) if len(word) <= LONG_WORD else segment(word)
    return found


@lru_cache(maxsize=65536)
def segment_word(word: str, state: tuple[Any, ...]) -> tuple[str, ...]:
    """Return what `segment` returns, remembered for a state of jieba's dictionary."""
    return tuple(segment(word))


def tokenize(text: str) -> list[str]:
    """Return the normalized jieba words of a text, cut twice as the original does; blacklisted words are still in it.

    Nothing but punctuation gives [""] where the original joins two or more empty tokens, and [] where it does not: the
    rouge package takes the first for a text of one empty word, and refuses the second.

    >>> tokenize("红楼梦的作者，是曹雪芹。")
    ['红楼梦', '的', '作者', '是', '曹雪芹']
    >>> tokenize("！？"), tokenize("！")
    ([''], [])
    """
    twice = segment_twice(text)
    words = list(filter(None, map(normalize_zh_token, twice)))
    if any(word not in BLACKLIST_ZH for word in words):
        return words
    spaces = len(segment(text)) - 1  # the original joins the words of the first cut: each space is an empty token
    return words + [""] * (spaces + len(twice) - len(words) > 1)


def without_blacklist(tokens: list[str]) -> list[str]:
    """Return the tokens that are not in LV-Eval's Chinese blacklist."""
    return [token for token in tokens if token not in BLACKLIST_ZH]


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


class Overlap(NamedTuple):
    """ROUGE-L of one pair as the rouge package counts it: distinct words, and those of them on the common path."""

    f: float
    precision: float
    recall: float
    lcs_words: int
    prediction_words: int
    reference_words: int
    common: frozenset[str]


def rouge_l(prediction: list[str], reference: list[str]) -> Overlap:
    """Return ROUGE-L of two token lists as `rouge.Rouge` 1.0.1 does; all 0 when one is empty.

    >>> rouge_l(["a", "b", "b"], ["b", "c"])[:6]
    (0.4999999950000001, 0.5, 0.5, 1, 2, 2)
    """
    words, referred = len(set(prediction)), len(set(reference))
    if not words or not referred:
        return Overlap(0.0, 0.0, 0.0, 0, words, referred, frozenset())
    common = frozenset(reference[i] for i, _ in lcs_path(reference, prediction))
    precision, recall = len(common) / words, len(common) / referred
    f = 2.0 * ((precision * recall) / (precision + recall + EPSILON))
    return Overlap(f, precision, recall, len(common), words, referred, common)


class Grade(NamedTuple):
    """One graded answer: ROUGE-L without blacklisted words, and the words of both texts with them."""

    overlap: Overlap
    prediction: list[str]
    reference: list[str]


def grade(prediction: str, reference: str) -> Grade:
    """Return the ROUGE-L of one answer with its words."""
    predicted, referred = tokenize(prediction), tokenize(reference)
    return Grade(rouge_l(without_blacklist(predicted), without_blacklist(referred)), predicted, referred)


def check_text(name: str, text: Any) -> None:
    """Raise TypeError for what is no text, a null of a JSON file for one.

    >>> check_text("prediction", None)
    Traceback (most recent call last):
    TypeError: prediction is None (NoneType); a string is expected
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")


def score(prediction: str, reference: str) -> float:
    """Return LV-Eval's Chinese ROUGE-L F of one answer, in 0..1, higher is better; 0 when a text has no words.

    Raises:
        ImportError: jieba is not installed.
        TypeError: a text is no string.

    Source: rouge_zh_score_blacklist of LV-Eval, arXiv 2402.05136; metrics.py at 63e7ae9.

    >>> score("红楼梦的作者是曹雪芹", "《红楼梦》是曹雪芹写的")
    0.5714285665306124

    """
    check_text("prediction", prediction)
    check_text("reference", reference)
    return grade(prediction, reference).overlap.f


def explain(graded: Grade, brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one graded answer: the score and the reasons for it; `brief` without the
    tokens.
    """
    f, precision, recall, lcs_words, prediction_words, reference_words, common = graded.overlap
    tokens = {"prediction": (graded.prediction, graded.reference), "reference": (graded.reference, graded.prediction)}
    sides = {"prediction": graded.prediction, "reference": graded.reference}
    silent = [name for name, tokens in sides.items() if not any(tokens)]
    return {
        "score": f,
        "language": "zh",
        "precision": precision,
        "recall": recall,
        "lcs_words": lcs_words,
        "prediction_words": prediction_words,
        "reference_words": reference_words,
        **{f"{name}_tokens": statuses(*texts, common) for name, texts in tokens.items() if not brief},
        "note": f"no word in the {' and the '.join(silent)}" if silent else foreign_note(graded.reference),
    }


def foreign_note(reference: list[str]) -> str | None:
    """Return a note for a reference without Han characters: jieba cuts most other scripts into single letters."""
    return None if any(map(HAN.search, reference)) else "no Chinese in the reference: this score is made for Chinese"


def statuses(tokens: list[str], other: list[str], common: frozenset[str]) -> list[list[str]]:
    """Return [token, status] for each word.

    "blacklisted", "matched" (on the common path), "reordered" (in `other` too, not on the path) or "unmatched".

    >>> statuses(["曹雪芹", "的", "写", "书"], ["书", "曹雪芹"], frozenset(["曹雪芹"]))
    [['曹雪芹', 'matched'], ['的', 'blacklisted'], ['写', 'unmatched'], ['书', 'reordered']]
    """
    status = dict.fromkeys(tokens, "unmatched") | dict.fromkeys(other, "reordered") | dict.fromkeys(common, "matched")
    status |= dict.fromkeys(BLACKLIST_ZH, "blacklisted")
    return [[token, status[token]] for token in tokens if token]


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


class LvEvalRouge(Checked, evaluate.Metric):
    """LV-Eval's Chinese ROUGE-L as a metric of evaluate."""

    def _info(self) -> evaluate.MetricInfo:
        text, several = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="LV-Eval's ROUGE-L F on jieba words without blacklisted words, for Chinese answers.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": several}),
                datasets.Features({"predictions": text, "references": text}),
            ],
            codebase_urls=["https://github.com/infinigence/LVEval"],
            reference_urls=["https://arxiv.org/abs/2402.05136"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[list[str]],
        multi_reference: str = "first",
        per_example: bool | str = False,
    ) -> dict[str, Any]:
        predictions, references = self.texts(predictions, references=references)
        references = self.considered(references, multi_reference)
        scores, entries = [], []
        for prediction, row in zip(predictions, references, strict=True):
            best = max((grade(prediction, reference) for reference in row), key=lambda graded: graded.overlap.f)
            scores.append(best.overlap.f)
            if per_example:
                entries.append(explain(best, per_example == "brief"))
        result: dict[str, Any] = {
            "lv_eval_rouge": fmean(scores),
            "signature": self.signature(VERSION, multi_reference=multi_reference, tokenizer=jieba_version()),
        }
        return result | {"per_example": entries} if per_example else result


CITATION = """\
@misc{yuan2024lveval,
  title={LV-Eval: A Balanced Long-Context Benchmark with 5 Length Levels Up to 256K},
  author={Yuan, Tao and Ning, Xuefei and Zhou, Dong and Yang, Zhijie and Li, Shiyao and Zhuang, Minghui and
          Tan, Zheyue and Yao, Zhuyu and Lin, Dahua and Li, Boxun and Dai, Guohao and Yan, Shengen and Wang, Yu},
  year={2024}, eprint={2402.05136}, archivePrefix={arXiv}, primaryClass={cs.CL}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers.
    multi_reference ("first" or "max"): the original looks at the first reference only; "max" takes the best.
    per_example (bool or "brief"): True adds one dict per row with the score and the reasons for it.
        "brief" leaves out the tokens.

Returns:
    lv_eval_rouge (float in 0..1, higher is better), signature (str), per_example (list of dict, when asked for).
"""
