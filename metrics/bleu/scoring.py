"""BLEU: how many of the answer's word sequences of length 1 to 4 stand in the reference, on a scale of 0 to 1.

Paper: Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation", ACL P02-1040.
Original: sacrebleu 2 (Post 2018, "A Call for Clarity in Reporting BLEU Scores", W18-6319), whose tokenizers, smoothing
("exp") and brevity penalty are used as they are; the corpus score equals its corpus_score, and `sentence_bleu` the mean
of its sentence_score with effective order, each divided by 100.

Differences from the original:
- 0..1 instead of 0..100; the last bit by which an identical text exceeds 100 in sacrebleu is cut off.
- Chinese references are tokenized with sacrebleu's "zh", row by row, instead of with "13a" for all. Beside a reference
  with Latin letters and digits alone the prediction decides.

This file may be copied alone: it needs nothing but Python and sacrebleu.
"""

import re
from collections import Counter
from functools import cache, reduce
from operator import or_
from typing import Any, NamedTuple

# Longest word sequence that is counted (Papineni et al. 2002, section 2.3).
MAX_ORDER = 4
# The tokenizers of sacrebleu that need neither a download nor another package.
TOKENIZERS = ("13a", "zh", "intl", "char", "none")
TOKENIZER_OF = {"en": "13a", "zh": "zh"}
LANGUAGES = tuple(TOKENIZER_OF)
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


@cache
def sacrebleu_bleu(tokenizer: str) -> Any:
    """Return sacrebleu's BLEU object; raise ImportError with the command that installs it."""
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise ImportError("BLEU needs sacrebleu: pip install sacrebleu") from error
    return BLEU(tokenize=tokenizer)


def tokenize(text: str, tokenizer: str = "13a", lowercase: bool = False) -> list[str]:
    """Return the tokens that sacrebleu's tokenizer of this name makes.

    >>> tokenize("Niagara Falls, U.S.A.")
    ['Niagara', 'Falls', ',', 'U', '.', 'S', '.', 'A', '.']
    >>> tokenize("在加拿大。", "zh")
    ['在', '加', '拿', '大', '。']
    """
    text = text.lower() if lowercase else text
    return sacrebleu_bleu(tokenizer).tokenizer(text.rstrip()).split()


def forget_texts(tokenizer: str) -> None:
    """Empty the caches in which sacrebleu's tokenizers keep the last 65,536 texts of the program, however long."""
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp  # the last step of 13a and zh

    for kind in (type(sacrebleu_bleu(tokenizer).tokenizer), TokenizerRegexp):
        getattr(kind.__call__, "cache_clear", lambda: None)()


def ngrams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    """Return how often each sequence of `order` tokens stands in `tokens`."""
    return Counter(zip(*(tokens[i:] for i in range(order)), strict=False))


def statistics_of(prediction: list[str], references: list[list[str]]) -> list[int]:
    """Return the counts of one row: length of the prediction, of the reference closest to it (the shorter of two), then
    for orders 1 to 4 the matched n-grams, each as often as the reference that has it most often, then all n-grams.

    >>> statistics_of(["a", "b", "c"], [["a", "b"], ["c", "d", "e", "f"]])
    [3, 2, 3, 1, 0, 0, 3, 2, 1, 0]
    """
    length = len(prediction)
    closest = min((len(reference) for reference in references), key=lambda n: (abs(n - length), n))
    matched = list[int]()
    for order in range(1, MAX_ORDER + 1):
        if matched and not matched[-1]:  # where no shorter sequence matches, no longer one does
            break
        clip: Counter[tuple[str, ...]] = reduce(or_, (ngrams(reference, order) for reference in references))
        matched.append((ngrams(prediction, order) & clip).total())
    matched += [0] * (MAX_ORDER - len(matched))
    return [length, closest, *matched, *(max(length - order, 0) for order in range(MAX_ORDER))]


def bleu_of(counts: list[int], effective_order: bool) -> dict[str, Any]:
    """Return bleu, precisions, brevity_penalty and length_ratio from counts, by sacrebleu's formula, in 0..1.

    `effective_order` leaves out the orders for which the prediction is too short; for single sentences.
    """
    matched, total = counts[2 : 2 + MAX_ORDER], counts[2 + MAX_ORDER :]
    result = sacrebleu_bleu("13a").compute_bleu(
        matched, total, *counts[:2], smooth_method="exp", effective_order=effective_order
    )
    return {
        "bleu": min(result.score / 100, 1.0),
        "precisions": [precision / 100 for precision in result.precisions],
        "brevity_penalty": float(result.bp),
        "length_ratio": float(result.ratio),
    }


class Row(NamedTuple):
    """The tokens of one row's prediction and references, and how they were made."""

    prediction: list[str]
    references: list[list[str]]
    language: str
    tokenizer: str


def row_of(prediction: str, references: tuple[str, ...], language: str, tokenizer: str, lowercase: bool) -> Row:
    """Return one row in tokens; the arguments are those of `score`."""
    if language == "auto":
        language = detect_language(" ".join(references), prediction)
    for name, value, known in (("language", language, LANGUAGES), ("tokenizer", tokenizer, ("auto", *TOKENIZERS))):
        if value not in known:
            raise ValueError(f"{name} is {value!r:.80}; one of {known} is expected")
    tokenizer = TOKENIZER_OF[language] if tokenizer == "auto" else tokenizer
    predicted, *referred = (tokenize(text, tokenizer, lowercase) for text in (prediction, *references))
    return Row(predicted, referred, language, tokenizer)


def score(
    prediction: str,
    references: str | list[str],
    language: str = "auto",
    tokenizer: str = "auto",
    lowercase: bool = False,
) -> float:
    """Return the sentence BLEU of one answer, in 0..1, higher is better; 0 when a text is empty.

    Args:
        prediction: the answer to grade.
        references: the right answer, or several: an n-gram of any of them counts.
        language: "auto" (see `detect_language`), "en" or "zh".
        tokenizer: "auto" (13a for English, zh for Chinese), or "13a", "zh", "intl", "char", "none".
        lowercase: compare in lower case.

    Raises:
        ImportError: sacrebleu is not installed.
        TypeError: a text is no string, or lowercase neither True nor False.

    Source: Papineni et al. 2002; sacrebleu's sentence_score with effective order.

    >>> score("the cat sat", "the cat sat"), round(score("the cat sat down", "the cat sat"), 4)
    (1.0, 0.5946)

    """
    several = tuple(references) if isinstance(references, list | tuple) else (references,)
    if not several:
        raise ValueError("references is empty; at least one reference is needed")
    for name, text in (("prediction", prediction), *(("references", one) for one in several)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    if not isinstance(lowercase, bool):  # the word "no" would be true
        raise TypeError(f"lowercase is {lowercase!r:.80} ({type(lowercase).__name__}); True or False is expected")
    row = row_of(prediction, several, language, tokenizer, lowercase)
    return bleu_of(statistics_of(row.prediction, row.references), effective_order=True)["bleu"]


def explain(row: Row, counts: list[int], sentence: dict[str, Any], brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one row; `reference_tokens` are those of the reference that shares most
    tokens with the prediction, and `brief` leaves out all tokens.
    """
    predicted = Counter(row.prediction)
    closest = max(row.references, key=lambda reference: (predicted & Counter(reference)).total())
    entry = {
        "score": sentence["bleu"],
        "language": row.language,
        "tokenizer": row.tokenizer,
        **{name: sentence[name] for name in ("precisions", "brevity_penalty", "length_ratio")},
        "prediction_length": counts[0],
        "reference_length": counts[1],
        "matches": counts[2 : 2 + MAX_ORDER],
        "totals": counts[2 + MAX_ORDER :],
    }
    if not brief:
        entry["prediction_tokens"] = statuses(row.prediction, reduce(or_, map(Counter, row.references)))
        entry["reference_tokens"] = statuses(closest, predicted)
    silent = [name for name, tokens in (("prediction", row.prediction), ("reference", closest)) if not tokens]
    if not silent:
        return entry | {"note": None, "warnings": [], "note_data": []}
    note = f"no token in the {' and the '.join(silent)}"
    return entry | {"note": note, "warnings": ["no_word"], "note_data": [{"key": "no_token", "sides": silent}]}


def statuses(tokens: list[str], other: Counter[str]) -> list[list[str]]:
    """Return [token, status] for each token: "matched" as often as `other` counts it, then "unmatched".

    >>> statuses(["a", "a"], Counter("ab"))
    [['a', 'matched'], ['a', 'unmatched']]
    """
    left, result = Counter(other), []
    for token in tokens:
        result.append([token, "matched" if left[token] > 0 else "unmatched"])
        left[token] -= 1
    return result
