"""LV-Eval F1: an answer must contain the answer keywords before its token F1 counts.

There are two stages. First the recall of the answer keywords in the prediction is measured. Below a
threshold the score is 0. Otherwise it is the token F1 of prediction and reference.

Paper: LV-Eval, Yuan et al. 2024, arXiv 2402.05136. Original: metrics.py of
github.com/infinigence/LVEval at 63e7ae9, with jieba 0.42.1. Four functions are reproduced:

    language  keyword_gate  original
    en        True          qa_f1_score_with_gold_ans
    en        False         qa_f1_score
    zh        True          qa_f1_zh_score_with_gold_ans
    zh        False         qa_f1_zh_score

Differences from the original:
- If normalization leaves nothing of the keywords, the original divides by zero. Here the row counts
  as one without keywords, and its note says so. A Chinese row without keywords has no gate if its
  reference has no words either.
- `mode="paper"` follows the paper and the dataset card, and not the published code: the keyword
  recall must exceed the threshold, and blacklisted words are removed from both texts before F1 is
  computed. The published tables were made with `mode="code"`.

This file may be copied alone: it needs only Python, and jieba 0.42.1 for Chinese.

From Answer Lens 0.1.0 (metrics/lv_eval_f1), Apache-2.0. To cite it: CITATION.cff there, and the
paper above.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from numbers import Real
from typing import Any, NamedTuple

try:
    from .chinese_words import cut_words as cut_chinese_words
except ImportError:
    # If this file was copied alone: the same words, in twice the time.
    def cut_chinese_words(text: str) -> Sequence[str]:
        """Return the words of jieba."""
        import jieba  # pip install jieba==0.42.1

        return jieba.lcut(text)


# ABANDON_WORDS_EN and ABANDON_WORDS_ZH of the original, which names no source for them.
BLACKLIST_EN = frozenset(
    "and to of in her was with for it from is that his he by she they or at because be on are "
    "their what as had were "
    "about being this who but have has when which does".split()
)
BLACKLIST_ZH = frozenset(
    "的 和 是 等 在 年 可以 为 与 ‰ 了 或 一种 月 c 至 日 有 进行 于 不 中 × 根据 小 由 亩 也 要 "
    "指 法 会 元 主要 "
    "以及 通过 首先 对 然后 号 以 所 后 丁 包括 无 将 用 能 形 方面 因素 位于 而 从 到 一定 用于 "
    "但 使用 让 具有 并 "
    "亿元 万元 上 类 基于 才 来 地 片 其他 个 或者 变得 时 给 你 使 条 受 已经 带 度".split()
)
BLACKLIST = {"en": BLACKLIST_EN, "zh": BLACKLIST_ZH}
# The original's cn_punctuation, which has the closing book-title mark but not the opening one.
PUNCTUATION_ZH = (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』"
    "【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏."
)
# The original returns 0 if the keyword recall is lower.
MIN_KEYWORD_RECALL = {"en": 0.2, "zh": 0.4}
LANGUAGES = tuple(MIN_KEYWORD_RECALL)
MODES = ("code", "paper")
ARTICLES = frozenset(["a", "an", "the"])
ARTICLE = re.compile(r"\b(a|an|the)\b")
# Tables for bytes.translate and str.translate, which are faster than a loop.
LOWER = bytes(range(256)).lower()
PUNCTUATION = string.punctuation.encode()
DROP_PUNCTUATION_ZH = str.maketrans("", "", string.punctuation + PUNCTUATION_ZH)
# Longer words are not cached: they rarely come again, and take much memory.
LONGEST_CACHED_WORD = 32
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# Latin letters with all accents, and signs between them in Unicode such as ° and ×.
LATIN = "A-Za-z\u00aa-\u02ff\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"
# Letters of scripts without spaces between words.
UNSPACED = (
    "\u0e00-\u109f\u1780-\u17ff\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
)
LATIN_WORD = re.compile(f"[{LATIN}]+")
# A word in another script; in a script without spaces, each letter is one.
OTHER_WORD = re.compile(rf"[{UNSPACED}]|[^\W\d_{LATIN}{UNSPACED}]+")
# Text in brackets does not decide: "Beijing (北京)" is an English answer.
GLOSS = re.compile(r"[(（][^()（）]*[)）]")


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
    """Return "zh" if the reference has Han characters, else "en".

    If `is_answer_decisive`, the answer without its words in brackets is tested instead.

    >>> detect_language("东京"), detect_language("1998")
    ('zh', 'en')
    >>> detect_language("1998", "公司成立于1998年。")
    'zh'
    """
    text = reference
    if is_answer_decisive(reference, prediction):
        text = GLOSS.sub(" ", prediction)
    return "zh" if HAN.search(text) else "en"


def tokenize(text: str, language: str) -> list[str]:
    """Return the normalized tokens of a text in `language` "en" or "zh".

    >>> tokenize("The Falls, on the U.S. border.", "en")
    ['falls', 'on', 'us', 'border']
    >>> tokenize("《红楼梦》的作者。", "zh")
    ['《', '红楼梦', '的', '作者']
    """
    if language == "zh":
        return tokenize_chinese(text)
    if text.isascii() and text.isprintable():
        words = text.encode().translate(LOWER, PUNCTUATION).decode().split()
        return [word for word in words if word not in ARTICLES]
    # In UTF-8 no other character has a byte of ASCII punctuation: without them the text is valid.
    data = text.lower().encode("utf-8", "surrogatepass").translate(None, PUNCTUATION)
    tokens = []
    for word in data.decode("utf-8", "surrogatepass").split():
        if not word.isalnum():
            # An article may be surrounded by other signs: in quotation marks, before a dash.
            tokens += ARTICLE.sub(" ", word).split()
        elif word not in ARTICLES:
            tokens.append(word)
    return tokens


def tokenize_chinese(text: str) -> list[str]:
    """Return jieba's words of a text, normalized."""
    tokens = []
    for word in cut_chinese_words(text):
        is_cached = len(word) <= LONGEST_CACHED_WORD
        normalize = normalize_word if is_cached else normalize_word.__wrapped__
        token = normalize(word)
        if token:
            tokens.append(token)
    return tokens


@lru_cache(maxsize=32768)
def normalize_word(word: str) -> str:
    """Return a Chinese word in lower case, without white space and ASCII and Chinese punctuation.

    The result may be empty.
    """
    if word.isalnum():
        return word.lower()
    return "".join(word.lower().translate(DROP_PUNCTUATION_ZH).split())


def count_shared(prediction: list[str], reference: list[str]) -> int:
    """Return how many tokens two lists share; a repeated token counts as often as both have it.

    >>> count_shared(["of", "the", "red", "red"], ["red", "red", "of"])
    3
    """
    remaining = dict.fromkeys(reference, 0)
    if len(remaining) == len(reference):
        # No token occurs twice, as in most short references: no loop is needed.
        return len(remaining.keys() & prediction)
    for token in reference:
        remaining[token] += 1
    n_shared = 0
    for token in prediction:
        if remaining.get(token):
            remaining[token] -= 1
            n_shared += 1
    return n_shared


class TokenF1(NamedTuple):
    """F1 of two lists of tokens, with its parts."""

    f1: float
    precision: float
    recall: float
    overlap: int
    prediction_length: int
    reference_length: int


def compute_f1(prediction: list[str], reference: list[str]) -> TokenF1:
    """Return F1 of two lists of tokens; 0 if one is empty.

    A repeated token counts as often as both lists have it.

    >>> compute_f1(["the", "red", "red", "fox"], ["red", "fox"])[:4]
    (0.6666666666666666, 0.5, 1.0, 2)
    """
    overlap = count_shared(prediction, reference)
    lengths = (len(prediction), len(reference))
    if not overlap:
        return TokenF1(0.0, 0.0, 0.0, 0, *lengths)
    precision = overlap / len(prediction)
    recall = overlap / len(reference)
    f1 = (2 * precision * recall) / (precision + recall)
    return TokenF1(f1, precision, recall, overlap, *lengths)


def measure_keyword_recall(
    prediction: list[str], keywords: list[str], blacklist: frozenset[str]
) -> float:
    """Return the share of `keywords` that are in `prediction`, in 0..1.

    As in the original, blacklisted words count in the denominator only.

    >>> keywords = ["king", "of", "spain", "spain"]
    >>> measure_keyword_recall(["king", "of", "france"], keywords, BLACKLIST_EN)
    0.25
    """
    n_shared = count_shared(prediction, drop_blacklisted(keywords, blacklist))
    return n_shared / len(keywords)


def drop_blacklisted(tokens: list[str], blacklist: frozenset[str]) -> list[str]:
    """Return the tokens that are not on the blacklist."""
    return [token for token in tokens if token not in blacklist]


class Keywords(NamedTuple):
    """The keywords of the gate.

    Attributes:
        source: "answer_keywords", "reference", "none" or "off".
        tokens: the keywords; empty if there is no gate.
        note: a note for the row, or None.
    """

    source: str
    tokens: list[str]
    note: str | None = None


def choose_keywords(answer_keywords: str | None, reference: list[str], language: str) -> Keywords:
    """Return the keywords of the gate.

    Without keywords, English texts have no gate; for Chinese texts the reference is the keywords.
    """
    note = None
    if answer_keywords:
        tokens = tokenize(answer_keywords, language)
        if tokens:
            return Keywords("answer_keywords", tokens)
        note = "answer_keywords holds no word after normalization and counts as not given"
    if language == "zh" and reference:
        return Keywords("reference", reference, note)
    return Keywords("none", [], note)


class Settings(NamedTuple):
    """The arguments of `score` besides the texts and the language."""

    keyword_gate: bool = True
    mode: str = "code"
    min_keyword_recall: float | None = None


DEFAULT_SETTINGS = Settings()


class Grade(NamedTuple):
    """One graded answer: the score, its parts, the tokens, and a note."""

    score: float
    language: str
    f1: float
    precision: float
    recall: float
    overlap: int
    prediction_length: int
    reference_length: int
    keyword_recall: float | None
    min_keyword_recall: float | None
    gate: str
    gate_passed: bool
    prediction: list[str]
    reference: list[str]
    keywords: list[str]
    note: str | None


def grade(
    prediction: str,
    reference: str,
    answer_keywords: str | None = None,
    language: str = "auto",
    settings: Settings = DEFAULT_SETTINGS,
    split: Callable[[str, str], list[str]] = tokenize,
) -> Grade:
    """Grade one answer against one reference.

    Args:
        prediction: the answer to grade.
        reference: the right answer.
        answer_keywords: the words that a right answer must contain, or None.
        language: "auto", "en" or "zh".
        settings: the settings, already checked.
        split: splits a text into tokens: `tokenize`, or a cached version of it.
    """
    if language == "auto":
        language = detect_language(reference, prediction)
    predicted = split(prediction, language)
    right = split(reference, language)
    keywords = Keywords("off", [])
    if settings.keyword_gate:
        keywords = choose_keywords(answer_keywords, right, language)

    blacklist = BLACKLIST[language]
    recall = None
    threshold = None
    passed = True
    if keywords.tokens:
        recall = measure_keyword_recall(predicted, keywords.tokens, blacklist)
        threshold = MIN_KEYWORD_RECALL[language]
        if settings.min_keyword_recall is not None:
            threshold = float(settings.min_keyword_recall)
        passed = recall > threshold or (recall == threshold and settings.mode == "code")

    if settings.mode == "paper":
        f1 = compute_f1(drop_blacklisted(predicted, blacklist), drop_blacklisted(right, blacklist))
    else:
        f1 = compute_f1(predicted, right)
    return Grade(
        f1.f1 if passed else 0.0,
        language,
        *f1,
        keyword_recall=recall,
        min_keyword_recall=threshold,
        gate=keywords.source,
        gate_passed=passed,
        prediction=predicted,
        reference=right,
        keywords=keywords.tokens,
        note=keywords.note,
    )


def check_settings(language: str, settings: Settings) -> None:
    """Raise ValueError if a setting has a wrong value."""
    check_choice("language", language, ("auto", *LANGUAGES))
    check_choice("mode", settings.mode, MODES)
    check_choice("keyword_gate", settings.keyword_gate, (True, False))
    recall = settings.min_keyword_recall
    if recall is None:
        return
    is_number = isinstance(recall, Real) and not isinstance(recall, bool)
    if not is_number or not 0 <= recall <= 1:
        raise ValueError(f"min_keyword_recall is {recall!r}; a number in 0..1 or None is expected")


def check_choice(name: str, value: Any, choices: tuple[Any, ...]) -> None:
    """Raise ValueError if a setting is none of the choices."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r:.80}; one of {choices} is expected")


def score(
    prediction: str,
    reference: str,
    answer_keywords: str | None = None,
    *,
    language: str = "auto",
    **settings: Any,
) -> float:
    """Return LV-Eval's F1 of one answer, in 0..1, higher is better.

    Args:
        prediction: the answer to grade.
        reference: the right answer.
        answer_keywords: the words that a right answer must contain, or None.
        language: "auto" (see `detect_language`), "en" or "zh".
        **settings: keyword_gate (True), mode ("code", "paper"), min_keyword_recall (None: 0.2 for
            English, 0.4 for Chinese).

    Raises:
        TypeError: a text is no string, or there is no such setting.
        ValueError: a setting has a wrong value.
        ImportError: a text is Chinese and jieba is not installed.

    >>> score("He moved to Paris in 1920", "He moved to Paris", "Paris")
    0.8
    >>> score("He moved to Rome", "He moved to Paris", "Paris")
    0.0

    """
    keywords = "" if answer_keywords is None else answer_keywords
    for name, text in (
        ("prediction", prediction),
        ("reference", reference),
        ("answer_keywords", keywords),
    ):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    checked = Settings(**settings)
    check_settings(language, checked)
    return grade(prediction, reference, answer_keywords, language, checked).score


def mark_tokens(tokens: list[str], other: list[str], blacklist: frozenset[str]) -> list[list[str]]:
    """Return [token, status] for each token.

    The status is "blacklisted" for words on the blacklist. For others it is "matched" for as many
    occurrences as `other` has, then "unmatched".

    >>> mark_tokens(["a", "a", "of"], ["a", "of"], BLACKLIST_EN)
    [['a', 'matched'], ['a', 'unmatched'], ['of', 'blacklisted']]
    """
    remaining = Counter(other)
    marked = []
    for token in tokens:
        if token in blacklist:
            status = "blacklisted"
        elif remaining[token] > 0:
            status = "matched"
        else:
            status = "unmatched"
        remaining[token] -= 1
        marked.append([token, status])
    return marked


def is_gate_shut(graded: Grade) -> bool:
    """Return whether no answer can pass the gate.

    Blacklisted keywords are never found, so too few of the keywords may be left.
    """
    threshold = graded.min_keyword_recall
    if graded.gate_passed or threshold is None:
        return False
    best_possible = measure_keyword_recall(
        graded.keywords, graded.keywords, BLACKLIST[graded.language]
    )
    return best_possible < threshold or best_possible == graded.keyword_recall


def explain(graded: Grade, brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one graded answer: the score and the reasons for it.

    Args:
        graded: the graded answer.
        brief: whether to leave out the tokens.
    """
    entry = graded._asdict()
    for name in ("prediction", "reference", "keywords", "note"):
        del entry[name]
    blacklist = BLACKLIST[graded.language]
    keywords: dict[str, list[str]] = {"matched": [], "unmatched": [], "blacklisted": []}
    for keyword, status in mark_tokens(graded.keywords, graded.prediction, blacklist):
        keywords[status].append(keyword)
    entry["matched_keywords"] = keywords["matched"]
    entry["missing_keywords"] = keywords["unmatched"]
    entry["blacklisted_keywords"] = keywords["blacklisted"]
    if not brief:
        entry["prediction_tokens"] = mark_tokens(graded.prediction, graded.reference, blacklist)
        entry["reference_tokens"] = mark_tokens(graded.reference, graded.prediction, blacklist)
    return entry | describe_doubts(graded)


def list_uncounted_sides(graded: Grade) -> tuple[list[str], list[str]]:
    """Return the texts without words, and those whose words are all blacklisted."""
    empty = []
    dropped = []
    for side, tokens, n_counted in (
        ("prediction", graded.prediction, graded.prediction_length),
        ("reference", graded.reference, graded.reference_length),
    ):
        if not tokens:
            empty.append(side)
        elif not n_counted:
            # Only possible with mode="paper".
            dropped.append(side)
    return empty, dropped


def describe_doubts(graded: Grade) -> dict[str, Any]:
    """Return the note of a graded answer: what in its texts makes the score unreliable."""
    empty, dropped = list_uncounted_sides(graded)
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    if graded.note:
        sentences.append(graded.note)
        data.append({"key": "no_keyword"})
    if empty:
        sentences.append(f"no word in the {' and the '.join(empty)}")
        data.append({"key": "no_word", "sides": empty})
    if dropped:
        sentences.append(f"no word but blacklisted ones in the {' and the '.join(dropped)}")
        data.append({"key": "only_blacklisted", "sides": dropped})
    if is_gate_shut(graded):
        sentences.append("too many keywords are blacklisted: no answer passes the gate")
        data.append({"key": "shut_gate"})
    warnings = [values["key"] for values in data]
    return {"note": "; ".join(sentences) or None, "warnings": warnings, "note_data": data}
