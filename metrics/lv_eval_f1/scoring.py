"""LV-Eval F1: an answer must contain the answer keywords before its token F1 counts.

Two stages. The recall of the answer keywords in the prediction is measured first; below a threshold the score is 0,
at or above it the score is the token F1 of prediction and reference.

Paper: LV-Eval, Yuan et al. 2024, arXiv 2402.05136.
Original: metrics.py of github.com/infinigence/LVEval at 63e7ae9, with jieba 0.42.1. Four functions are reproduced:

    language  keyword_gate  original
    en        True          qa_f1_score_with_gold_ans
    en        False         qa_f1_score
    zh        True          qa_f1_zh_score_with_gold_ans
    zh        False         qa_f1_zh_score

Differences from the original:
- Keywords of which normalization leaves nothing divide by zero there. Here the row counts as having no keywords, and
  its note says so; a Chinese row whose reference has no word either has no gate.
- `mode="paper"` is what the paper and the dataset card describe and the published code does not do: the keyword recall
  must exceed the threshold, and the blacklisted words leave both texts before F1. The published tables were made with
  `mode="code"`.

This file may be copied alone: `score` and its parts need nothing but Python, and jieba 0.42.1 for Chinese.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from numbers import Real
from typing import Any, NamedTuple

try:
    from .chinese_words import words as chinese_words
except ImportError:  # this file alone: the same words, in twice the time

    def chinese_words(text: str) -> Sequence[str]:
        """Return jieba's words."""
        import jieba  # pip install jieba==0.42.1

        return jieba.lcut(text)


# ABANDON_WORDS_EN and ABANDON_WORDS_ZH of the original, there without a source of their own.
BLACKLIST_EN = frozenset(
    "and to of in her was with for it from is that his he by she they or at because be on are their what as had were "
    "about being this who but have has when which does".split()
)
BLACKLIST_ZH = frozenset(
    "的 和 是 等 在 年 可以 为 与 ‰ 了 或 一种 月 c 至 日 有 进行 于 不 中 × 根据 小 由 亩 也 要 指 法 会 元 主要 "
    "以及 通过 首先 对 然后 号 以 所 后 丁 包括 无 将 用 能 形 方面 因素 位于 而 从 到 一定 用于 但 使用 让 具有 并 "
    "亿元 万元 上 类 基于 才 来 地 片 其他 个 或者 变得 时 给 你 使 条 受 已经 带 度".split()
)
BLACKLIST = {"en": BLACKLIST_EN, "zh": BLACKLIST_ZH}
# The original's cn_punctuation: the closing book-title mark is in it, the opening one is not.
PUNCTUATION_ZH = (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』"
    "【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿–—‘’‛“”„‟…‧﹏."
)
# Below these the original returns 0.
MIN_KEYWORD_RECALL = {"en": 0.2, "zh": 0.4}
LANGUAGES = tuple(MIN_KEYWORD_RECALL)
KNOWN = {"language": ("auto", *LANGUAGES), "mode": ("code", "paper"), "keyword_gate": (True, False)}
ARTICLES, ARTICLES_IN = frozenset(["a", "an", "the"]), re.compile(r"\b(a|an|the)\b")
LOWER, PUNCTUATION = bytes(range(256)).lower(), string.punctuation.encode()
DROP_ZH = str.maketrans("", "", string.punctuation + PUNCTUATION_ZH)
LONG = 32  # characters: longer words are not remembered, for they rarely come again, and would take the memory
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# Letters of the Latin alphabet with all its accents; letters of scripts that put no spaces between words.
LATIN = "A-Za-z\u00aa-\u02ff\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a"
UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
LATIN_WORD, OTHER_WORD = re.compile(f"[{LATIN}]+"), re.compile(rf"[{UNSPACED}]|[^\W\d_{LATIN}{UNSPACED}]+")
GLOSS = re.compile(r"[(（][^()（）]*[)）]")  # "Beijing (北京)" is an English answer


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
    """Return "zh" where the text that decides has Han characters, else "en".

    >>> detect_language("东京"), detect_language("1998"), detect_language("1998", "公司成立于1998年。")
    ('zh', 'en', 'zh')
    """
    return "zh" if HAN.search(deciding_text(reference, prediction)) else "en"


def tokenize(text: str, language: str) -> list[str]:
    """Return the normalized tokens of a text in `language` "en" or "zh".

    >>> tokenize("The Falls, on the U.S. border.", "en")
    ['falls', 'on', 'us', 'border']
    >>> tokenize("《红楼梦》的作者。", "zh")
    ['《', '红楼梦', '的', '作者']
    """
    if language == "zh":
        words = chinese_words(text)
        plain = [normalized(word) if len(word) <= LONG else normalized.__wrapped__(word) for word in words]
        return list(filter(None, plain))
    if text.isascii() and text.isprintable():
        words = text.encode().translate(LOWER, PUNCTUATION).decode().split()
        return [word for word in words if word not in ARTICLES]
    data = text.lower().encode("utf-8", "surrogatepass").translate(None, PUNCTUATION)
    tokens = list[str]()
    for word in data.decode("utf-8", "surrogatepass").split():
        if not word.isalnum():  # an article may stand between other signs: in quotation marks, before a dash
            tokens += ARTICLES_IN.sub(" ", word).split()
        elif word not in ARTICLES:
            tokens.append(word)
    return tokens


@lru_cache(maxsize=32768)
def normalized(word: str) -> str:
    """Return a Chinese word in lower case without ASCII and Chinese punctuation and white space; possibly nothing."""
    return word.lower() if word.isalnum() else "".join(word.lower().translate(DROP_ZH).split())


def shared(one: list[str], other: list[str]) -> int:
    """Return how many tokens two lists share, each as often as the list that has it less often.

    >>> shared(["of", "the", "red", "red"], ["red", "red", "of"])
    3
    """
    left, found = dict.fromkeys(other, 0), 0
    if len(left) == len(other):
        return len(left.keys() & one)
    for token in other:
        left[token] += 1
    for token in one:
        if left.get(token):
            left[token] -= 1
            found += 1
    return found


def token_f1(prediction: list[str], reference: list[str]) -> tuple[float, float, float, int, int, int]:
    """Return F1, precision, recall, overlap and the lengths of two token lists, repeated tokens counted as often as
    they stand in both; 0 for an empty one.

    >>> token_f1(["the", "red", "red", "fox"], ["red", "fox"])
    (0.6666666666666666, 0.5, 1.0, 2, 4, 2)
    """
    overlap, lengths = shared(prediction, reference), (len(prediction), len(reference))
    if not overlap:
        return 0.0, 0.0, 0.0, 0, *lengths
    precision, recall = overlap / lengths[0], overlap / lengths[1]
    return (2 * precision * recall) / (precision + recall), precision, recall, overlap, *lengths


def keyword_recall(prediction: list[str], keywords: list[str], blacklist: frozenset[str]) -> float:
    """Return the share of `keywords` found in `prediction`, in 0..1.

    Blacklisted words are left out of the numerator and not of the denominator, as in the original.

    >>> keyword_recall(["king", "of", "france"], ["king", "of", "spain", "spain"], BLACKLIST_EN)
    0.25
    """
    return shared(prediction, [word for word in keywords if word not in blacklist]) / len(keywords)


def gate_keywords(given: str | None, reference: list[str], language: str) -> tuple[str, list[str], str | None]:
    """Return where the keywords of the gate come from ("answer_keywords", "reference", "none"), them, and a note.

    Without keywords English has no gate, and Chinese gates on the whole reference.
    """
    keywords = tokenize(given, language) if given else []
    if keywords:
        return "answer_keywords", keywords, None
    note = "answer_keywords holds no word after normalization and counts as not given" if given else None
    return ("reference", reference, note) if language == "zh" and reference else ("none", [], note)


class Grade(NamedTuple):
    """One graded answer: the score, the parts that lead to it, the tokens, and a note."""

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
    keyword_gate: bool = True,
    mode: str = "code",
    min_keyword_recall: float | None = None,
    cut: Callable[[str, str], list[str]] = tokenize,
) -> Grade:
    """Return the score of one answer with its parts; the arguments are those of `score`, checked before, and what cuts
    a text into tokens.
    """
    if language == "auto":
        language = detect_language(reference, prediction)
    predicted, referred = cut(prediction, language), cut(reference, language)
    blacklist, threshold = BLACKLIST[language], MIN_KEYWORD_RECALL[language]
    threshold = threshold if min_keyword_recall is None else float(min_keyword_recall)
    gate, keywords, note = gate_keywords(answer_keywords, referred, language) if keyword_gate else ("off", [], None)
    found = keyword_recall(predicted, keywords, blacklist) if keywords else None
    passed = found is None or found > threshold or (found == threshold and mode == "code")
    counted = [predicted, referred]
    if mode == "paper":
        counted = [[token for token in tokens if token not in blacklist] for tokens in counted]
    f1 = token_f1(*counted)
    gated = (found, threshold if keywords else None, gate, passed)
    return Grade(f1[0] if passed else 0.0, language, *f1, *gated, predicted, referred, keywords, note)


def check_settings(
    language: str = "auto", keyword_gate: bool = True, mode: str = "code", min_keyword_recall: float | None = None
) -> None:
    """Raise ValueError for a setting that does not exist."""
    for name, value in (("language", language), ("mode", mode), ("keyword_gate", keyword_gate)):
        if value not in KNOWN[name]:
            raise ValueError(f"{name} is {value!r:.80}; one of {KNOWN[name]} is expected")
    recall = min_keyword_recall
    if recall is not None and (isinstance(recall, bool) or not isinstance(recall, Real) or not 0 <= recall <= 1):
        raise ValueError(f"min_keyword_recall is {recall!r}; a number in 0..1 or None is expected")


def score(prediction: str, reference: str, answer_keywords: str | None = None, **settings: Any) -> float:
    """Return LV-Eval's F1 of one answer, in 0..1, higher is better.

    Args:
        prediction: the answer to grade.
        reference: the right answer.
        answer_keywords: the words that a right answer must contain, or None.
        **settings: language ("auto": see `detect_language`; "en", "zh"), keyword_gate (True), mode ("code", "paper"),
            min_keyword_recall (None: 0.2 for English, 0.4 for Chinese).

    Raises:
        TypeError: a text is no string.
        ValueError: a setting that does not exist.
        ImportError: Chinese text without jieba.

    >>> score("He moved to Paris in 1920", "He moved to Paris", "Paris")
    0.8
    >>> score("He moved to Rome", "He moved to Paris", "Paris")
    0.0

    """
    keywords = "" if answer_keywords is None else answer_keywords
    for name, text in (("prediction", prediction), ("reference", reference), ("answer_keywords", keywords)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    check_settings(**settings)
    return grade(prediction, reference, answer_keywords, **settings).score


def statuses(tokens: list[str], other: list[str], blacklist: frozenset[str]) -> list[list[str]]:
    """Return [token, status] for each token: "blacklisted", or "matched" as often as it stands in `other`, "unmatched".

    >>> statuses(["a", "a", "of"], ["a", "of"], BLACKLIST_EN)
    [['a', 'matched'], ['a', 'unmatched'], ['of', 'blacklisted']]
    """
    left, result = Counter(other), []
    for token in tokens:
        status = "blacklisted" if token in blacklist else "matched" if left[token] > 0 else "unmatched"
        left[token] -= 1
        result.append([token, status])
    return result


def shut(graded: Grade) -> bool:
    """Return whether no answer passes the gate: blacklisted keywords are never found, and the others are too few."""
    threshold = graded.min_keyword_recall
    if graded.gate_passed or threshold is None:
        return False
    most = keyword_recall(graded.keywords, graded.keywords, BLACKLIST[graded.language])
    return most < threshold or most == graded.keyword_recall


def explain(graded: Grade, brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one graded answer: the score and the reasons for it; `brief` without the
    tokens.
    """
    entry, blacklist = graded._asdict(), BLACKLIST[graded.language]
    prediction, reference, keywords, note = map(entry.pop, ("prediction", "reference", "keywords", "note"))
    marked = statuses(keywords, prediction, blacklist)
    for name, status in (("matched", "matched"), ("missing", "unmatched"), ("blacklisted", "blacklisted")):
        entry[f"{name}_keywords"] = [word for word, found in marked if found == status]
    if not brief:
        entry["prediction_tokens"] = statuses(prediction, reference, blacklist)
        entry["reference_tokens"] = statuses(reference, prediction, blacklist)
    sides = ("prediction", prediction, graded.prediction_length), ("reference", reference, graded.reference_length)
    silent = [side for side, tokens, _ in sides if not tokens]
    dropped = [side for side, tokens, counted in sides if tokens and not counted]  # with mode="paper"
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    if note:
        sentences.append(note)
        data.append({"key": "no_keyword"})
    if silent:
        sentences.append(f"no word in the {' and the '.join(silent)}")
        data.append({"key": "no_word", "sides": silent})
    if dropped:
        sentences.append(f"no word but blacklisted ones in the {' and the '.join(dropped)}")
        data.append({"key": "only_blacklisted", "sides": dropped})
    if shut(graded):
        sentences.append("too many keywords are blacklisted: no answer passes the gate")
        data.append({"key": "shut_gate"})
    warnings = [one["key"] for one in data]
    return entry | {"note": "; ".join(sentences) or None, "warnings": warnings, "note_data": data}
