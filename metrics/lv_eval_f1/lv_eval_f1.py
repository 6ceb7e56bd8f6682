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
- jieba's two searches, for the likeliest words of its dictionary and for new words, are done here on its own tables:
  the same words in half the time, and in linear time where jieba's takes n squared steps for n Chinese characters.
"""

import importlib.metadata
import logging
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import filterfalse
from math import inf, log
from numbers import Real
from operator import attrgetter
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
MODES = ("code", "paper")
LANGUAGES = ("en", "zh")

ARTICLES = frozenset(["a", "an", "the"])
ARTICLES_IN = re.compile(r"\b(a|an|the)\b")
DROP_EN = str.maketrans("", "", string.punctuation)
LOWER, PUNCTUATION = bytes(range(256)).lower(), string.punctuation.encode()
LETTERS = (string.ascii_letters + string.digits + string.whitespace).encode()
DROP_ZH = str.maketrans("", "", string.punctuation + PUNCTUATION_ZH)
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
SINGLE = re.compile(r"\r\n|[\s\S]")
LONG_WORD = 100
# jieba's dictionary as it was last seen, and how many there were.
DICTIONARY: dict[str, Any] = {"last": None, "number": 0}
SHORT_TEXT = 250


def detect_language(text: str) -> str:
    """Return "zh" for a text with Han characters, "en" for any other.

    >>> detect_language("Niagara Falls"), detect_language("尼亚加拉瀑布 (Niagara Falls)")
    ('en', 'zh')
    """
    return "zh" if not text.isascii() and HAN.search(text) else "en"


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


def normalize_zh_token(token: str) -> str:
    """Return a token in lower case without ASCII and Chinese punctuation and white space; possibly nothing."""
    return normalize_zh_word(token) if len(token) <= LONG_WORD else normalize_zh_word.__wrapped__(token)


@lru_cache(maxsize=65536)
def normalize_zh_word(token: str) -> str:
    """Return what `normalize_zh_token` returns, remembered."""
    # No letter or digit is dropped, and none becomes in lower case what is.
    return token.lower() if token.isalnum() else "".join(token.lower().translate(DROP_ZH).split())


def tokenize_zh(text: str) -> tuple[str, ...]:
    """Return the normalized tokens of a Chinese text."""
    return tuple(filter(None, map(normalize_zh_token, segment(text))))


@lru_cache(maxsize=16384)
def tokenize_zh_again(text: str, state: tuple[Any, ...]) -> tuple[str, ...]:
    """Return what `tokenize_zh` returns, remembered for a state of jieba's dictionary: systems share references."""
    return tokenize_zh(text)


def tokenize(text: str, language: str) -> list[str]:
    """Return the normalized tokens of a text in `language` "en" or "zh".

    >>> tokenize("The Falls, on the U.S. border.", "en")
    ['falls', 'on', 'us', 'border']
    >>> tokenize("《红楼梦》的作者。", "zh")
    ['《', '红楼梦', '的', '作者']
    """
    if language == "zh":
        return list(tokenize_zh_again(text, dictionary_state()) if len(text) <= SHORT_TEXT else tokenize_zh(text))
    if text.isascii():
        cleaned = text.encode().translate(LOWER, PUNCTUATION)
        tokens, plain = cleaned.decode().split(), not cleaned.translate(None, LETTERS)
    else:
        tokens = text.lower().translate(DROP_EN).split()
        plain = "".join(tokens).isalnum()
    if plain:  # an article is a token, and not a part of one between other signs
        return list(filterfalse(ARTICLES.__contains__, tokens))
    return [part for token in tokens for part in ARTICLES_IN.sub(" ", token).split()]


class F1(NamedTuple):
    """Overlap of two token lists; every part is in 0..1."""

    f1: float
    precision: float
    recall: float
    overlap: int
    prediction_length: int
    reference_length: int


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


def token_f1(prediction: list[str], reference: list[str]) -> F1:
    """Return the F1 of two token lists, counting repeated tokens as often as they stand in both; 0 for an empty one.

    >>> token_f1(["the", "red", "red", "fox"], ["red", "fox"])
    F1(f1=0.6666666666666666, precision=0.5, recall=1.0, overlap=2, prediction_length=4, reference_length=2)
    """
    overlap = shared(prediction, reference)
    if not overlap:
        return F1(0.0, 0.0, 0.0, 0, len(prediction), len(reference))
    precision, recall = overlap / len(prediction), overlap / len(reference)
    f1 = (2 * precision * recall) / (precision + recall)
    return F1(f1, precision, recall, overlap, len(prediction), len(reference))


def keyword_recall(prediction: list[str], keywords: list[str], blacklist: frozenset[str]) -> float:
    """Return the share of `keywords` found in `prediction`, in 0..1.

    Blacklisted words are left out of the numerator and not of the denominator, as in the original.

    >>> keyword_recall(["king", "of", "france"], ["king", "of", "spain", "spain"], BLACKLIST_EN)
    0.25
    """
    return shared(prediction, [word for word in keywords if word not in blacklist]) / len(keywords)


class Grade(NamedTuple):
    """One graded answer: the score, and the parts that lead to it."""

    score: float
    language: str
    f1: F1
    keyword_recall: float | None
    min_keyword_recall: float | None
    gate: str
    gate_passed: bool
    prediction: list[str]
    reference: list[str]
    keywords: list[str]
    note: str | None


def gate_keywords(answer_keywords: str, reference: list[str], language: str) -> tuple[str, list[str], str | None]:
    """Return where the keywords of the gate come from ("answer_keywords", "reference", "none"), them, and a note.

    Without keywords English has no gate, and Chinese gates on the whole reference.
    """
    keywords = tokenize(answer_keywords, language) if answer_keywords else []
    if keywords:
        return "answer_keywords", keywords, None
    note = "answer_keywords holds no word after normalization and counts as not given" if answer_keywords else None
    if language == "zh" and reference:
        return "reference", reference, note
    return "none", [], note


def grade(
    prediction: str,
    reference: str,
    answer_keywords: str | None = None,
    language: str = "auto",
    keyword_gate: bool = True,
    mode: str = "code",
    min_keyword_recall: float | None = None,
) -> Grade:
    """Return the score of one answer with its parts; the arguments are those of `score`."""
    check_settings(keyword_gate, mode, min_keyword_recall)
    language = language_of(reference, language)
    predicted, referred = tokenize(prediction, language), tokenize(reference, language)
    threshold = MIN_KEYWORD_RECALL[language] if min_keyword_recall is None else float(min_keyword_recall)
    gated: tuple[str, list[str], str | None] = ("off", [], None)
    if keyword_gate:
        gated = gate_keywords(answer_keywords or "", referred, language)
    gate, keywords, note = gated
    found, passed = None, True
    if keywords:
        found = keyword_recall(predicted, keywords, BLACKLIST[language])
        passed = found > threshold if mode == "paper" else found >= threshold
    if mode == "paper":
        f1 = token_f1(counted(predicted, language), counted(referred, language))
    else:
        f1 = token_f1(predicted, referred)
    limit = threshold if keywords else None
    score = f1.f1 if passed else 0.0
    return Grade(score, language, f1, found, limit, gate, passed, predicted, referred, keywords, note)


def check_settings(keyword_gate: bool, mode: str, min_keyword_recall: float | None) -> None:
    """Raise ValueError for a mode that does not exist or a threshold outside 0..1, TypeError for a gate that is neither
    on nor off.
    """
    check_flag("keyword_gate", keyword_gate)
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r:.80}; one of {MODES} is expected")
    if min_keyword_recall is None:
        return
    number = isinstance(min_keyword_recall, Real) and not isinstance(min_keyword_recall, bool)
    if not number or not 0 <= min_keyword_recall <= 1:
        raise ValueError(f"min_keyword_recall is {min_keyword_recall!r}; a number in 0..1 or None is expected")


def counted(tokens: list[str], language: str) -> list[str]:
    """Return the tokens that enter F1 in mode "paper": those that are not blacklisted."""
    return [token for token in tokens if token not in BLACKLIST[language]]


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


def score(prediction: str, reference: str, answer_keywords: str | None = None, **settings: Any) -> float:
    """Return LV-Eval's F1 of one answer, in 0..1, higher is better.

    Args:
        prediction: the answer to grade.
        reference: the right answer.
        answer_keywords: the words that a right answer must contain, or None.
        **settings: language ("auto", "en", "zh"), keyword_gate (True), mode ("code", "paper"), min_keyword_recall
            (None: 0.2 for English, 0.4 for Chinese).

    Raises:
        ValueError: a setting that does not exist.
        ImportError: Chinese text without jieba.
        TypeError: a text is no string, or keyword_gate neither True nor False.

    Source: LV-Eval, arXiv 2402.05136; metrics.py at 63e7ae9.

    >>> score("He moved to Paris in 1920", "He moved to Paris", "Paris")
    0.8
    >>> score("He moved to Rome", "He moved to Paris", "Paris")
    0.0

    """
    check_text("prediction", prediction)
    check_text("reference", reference)
    check_text("answer_keywords", "" if answer_keywords is None else answer_keywords)
    return grade(prediction, reference, answer_keywords, **settings).score


def statuses(tokens: list[str], other: list[str], blacklist: frozenset[str]) -> list[list[str]]:
    """Return [token, status] for each token: "blacklisted", or "matched" as often as it stands in `other`, "unmatched".

    >>> statuses(["a", "a", "of"], ["a", "of"], BLACKLIST_EN)
    [['a', 'matched'], ['a', 'unmatched'], ['of', 'blacklisted']]
    """
    left = Counter(other)
    result = []
    for token in tokens:
        status = "blacklisted" if token in blacklist else "matched" if left[token] > 0 else "unmatched"
        left[token] -= 1
        result.append([token, status])
    return result


def explain(graded: Grade, brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one graded answer: the score and the reasons for it; `brief` without the
    tokens.
    """
    blacklist = BLACKLIST[graded.language]
    keywords = statuses(graded.keywords, graded.prediction, blacklist)
    tokens = {"prediction": (graded.prediction, graded.reference), "reference": (graded.reference, graded.prediction)}
    return {
        "score": graded.score,
        "language": graded.language,
        **graded.f1._asdict(),
        "keyword_recall": graded.keyword_recall,
        "min_keyword_recall": graded.min_keyword_recall,
        "gate": graded.gate,
        "gate_passed": graded.gate_passed,
        "matched_keywords": [word for word, status in keywords if status == "matched"],
        "missing_keywords": [word for word, status in keywords if status == "unmatched"],
        "blacklisted_keywords": [word for word, status in keywords if status == "blacklisted"],
        **{f"{name}_tokens": statuses(*texts, blacklist) for name, texts in tokens.items() if not brief},
        "note": graded.note,
    }


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


class LvEvalF1(Checked, evaluate.Metric):
    """LV-Eval's keyword-gated F1 as a metric of evaluate."""

    optional_columns = ("answer_keywords",)

    def _info(self) -> evaluate.MetricInfo:
        texts = {"predictions": datasets.Value("string"), "answer_keywords": datasets.Value("string")}
        several = datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="LV-Eval's F1: recall of the answer keywords first, then token F1. English and Chinese.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=[
                datasets.Features({**texts, "references": several}),
                datasets.Features({**texts, "references": datasets.Value("string")}),
            ],
            codebase_urls=["https://github.com/infinigence/LVEval"],
            reference_urls=["https://arxiv.org/abs/2402.05136"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[list[str]],
        answer_keywords: list[str],
        language: str | list[str] = "auto",
        keyword_gate: bool = True,
        mode: str = "code",
        min_keyword_recall: float | None = None,
        multi_reference: str = "first",
        per_example: bool | str = False,
    ) -> dict[str, Any]:
        languages = self.languages(language, len(predictions), LANGUAGES)
        predictions, answer_keywords, references = self.texts(predictions, answer_keywords, references=references)
        references = self.considered(references, multi_reference)
        scores, entries, used, score_of = [], [], set(), attrgetter("score")
        for p, row, k, lang in zip(predictions, references, answer_keywords, languages, strict=True):
            grades = [grade(p, r, k, lang, keyword_gate, mode, min_keyword_recall) for r in row]
            best = max(grades, key=score_of) if len(grades) > 1 else grades[0]
            scores.append(best.score)
            used.add(best.language)
            if per_example:
                entries.append(explain(best, per_example == "brief"))
        thresholds = ",".join(f"{k}-{v}" for k, v in MIN_KEYWORD_RECALL.items())
        result: dict[str, Any] = {
            "lv_eval_f1": fmean(scores),
            "signature": self.signature(
                VERSION,
                language=self.said(languages),
                keyword_gate=keyword_gate,
                mode=mode,
                min_keyword_recall=thresholds if min_keyword_recall is None else float(min_keyword_recall),
                multi_reference=multi_reference,
                tokenizer_zh=jieba_version() if "zh" in used else None,
            ),
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
    answer_keywords (list of str, optional): the words that a right answer must contain; "" or None for none.
    language ("auto", "en", "zh", or a list of them): "auto" takes Han characters in the reference for Chinese.
    keyword_gate (bool): False leaves out the first stage.
    mode ("code" or "paper"): the published code, or the text of the paper and the dataset card.
    min_keyword_recall (float in 0..1): the threshold of the gate; None is 0.2 for English, 0.4 for Chinese.
    multi_reference ("first" or "max"): the original looks at the first reference only; "max" takes the best.
    per_example (bool or "brief"): True adds one dict per row with the score and the reasons for it.
        "brief" leaves out the tokens.

Returns:
    lv_eval_f1 (float in 0..1, higher is better), signature (str), per_example (list of dict, when asked for).
"""
