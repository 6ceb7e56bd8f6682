"""BLEU: the share of the answer's n-grams, of 1 to 4 tokens, that are in the reference, in 0..1.

Paper: Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation", ACL
P02-1040. Original: sacrebleu 2 (Post 2018, "A Call for Clarity in Reporting BLEU Scores",
W18-6319). Its tokenizers, smoothing ("exp") and brevity penalty are used unchanged. The corpus
score equals its corpus_score divided by 100. `sentence_bleu` equals the mean of its sentence_score
with effective order, divided by 100.

Differences from the original:
- Scores are in 0..1 instead of 0..100. sacrebleu gives an identical text slightly more than 100
  through rounding; here it is exactly 1.
- The tokenizer is chosen for each row: sacrebleu's "zh" for Chinese references, "13a" for others.
  If a reference has Latin letters and digits only, the prediction decides.

This file may be copied alone: it needs only Python and sacrebleu.

From Answer Lens 0.1.0 (metrics/bleu), Apache-2.0. To cite it: CITATION.cff there, and the papers
above.
"""

import re
from collections import Counter
from functools import cache, reduce
from operator import or_
from typing import Any, NamedTuple

# The longest n-gram that is counted (Papineni et al. 2002, section 2.3).
MAX_ORDER = 4
# Where the counts of `count_matches` have the matched n-grams of each order, and all n-grams.
MATCHES = slice(2, 2 + MAX_ORDER)
TOTALS = slice(2 + MAX_ORDER, 2 + 2 * MAX_ORDER)
# The tokenizers of sacrebleu that need no download and no other package.
TOKENIZERS = ("13a", "zh", "intl", "char", "none")
TOKENIZER_OF = {"en": "13a", "zh": "zh"}
LANGUAGES = tuple(TOKENIZER_OF)
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


@cache
def load_sacrebleu(tokenizer: str) -> Any:
    """Return sacrebleu's BLEU object with one of its tokenizers.

    Raises:
        ImportError: sacrebleu is not installed; the message has the command.
    """
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise ImportError("BLEU needs sacrebleu: pip install sacrebleu") from error
    return BLEU(tokenize=tokenizer)


def tokenize(text: str, tokenizer: str = "13a", lowercase: bool = False) -> list[str]:
    """Split a text with one of sacrebleu's tokenizers, given by its name.

    >>> tokenize("Niagara Falls, U.S.A.")
    ['Niagara', 'Falls', ',', 'U', '.', 'S', '.', 'A', '.']
    >>> tokenize("在加拿大。", "zh")
    ['在', '加', '拿', '大', '。']
    """
    if lowercase:
        text = text.lower()
    split = load_sacrebleu(tokenizer).tokenizer
    return split(text.rstrip()).split()


def forget_texts(tokenizer: str) -> None:
    """Empty the caches of sacrebleu's tokenizers.

    They keep the last 65,536 texts, which may be long.
    """
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    own_class = type(load_sacrebleu(tokenizer).tokenizer)
    # TokenizerRegexp is the last step of 13a and zh.
    for tokenizer_class in (own_class, TokenizerRegexp):
        if hasattr(tokenizer_class.__call__, "cache_clear"):
            tokenizer_class.__call__.cache_clear()


def count_ngrams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    """Count each sequence of `order` tokens."""
    shifted = [tokens[start:] for start in range(order)]
    return Counter(zip(*shifted, strict=False))


def count_matches(prediction: list[str], references: list[list[str]]) -> list[int]:
    """Count the n-grams that the BLEU of one row is computed from.

    An n-gram of the prediction matches at most as often as it occurs in the reference that has it
    most often.

    Returns:
        one list, so that the counts of rows can be added: the length of the prediction; the length
        of the closest reference (of two equally close ones, the shorter); for orders 1 to 4 the
        number of matched n-grams (MATCHES); for orders 1 to 4 the number of all n-grams (TOTALS).

    >>> count_matches(["a", "b", "c"], [["a", "b"], ["c", "d", "e", "f"]])
    [3, 2, 3, 1, 0, 0, 3, 2, 1, 0]
    """
    length = len(prediction)
    reference_lengths = map(len, references)
    closest = min(reference_lengths, key=lambda size: (abs(size - length), size))
    matches = [0] * MAX_ORDER
    for order in range(1, MAX_ORDER + 1):
        in_references: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            in_references |= count_ngrams(reference, order)
        matched = count_ngrams(prediction, order) & in_references
        if not matched:
            # Longer n-grams cannot match either.
            break
        matches[order - 1] = matched.total()
    totals = [max(length - order, 0) for order in range(MAX_ORDER)]
    return [length, closest, *matches, *totals]


def compute_bleu(counts: list[int], effective_order: bool) -> dict[str, Any]:
    """Compute BLEU and its parts by sacrebleu's formula.

    Args:
        counts: the counts of a row, or their sums over rows (see `count_matches`).
        effective_order: whether to leave out orders for which the prediction is too short, as
            sacrebleu does for sentences.

    Returns:
        bleu, precisions and brevity_penalty, in 0..1, and length_ratio.
    """
    prediction_length, reference_length = counts[:2]
    result = load_sacrebleu("13a").compute_bleu(
        counts[MATCHES],
        counts[TOTALS],
        prediction_length,
        reference_length,
        smooth_method="exp",
        effective_order=effective_order,
    )
    return {
        "bleu": min(result.score / 100, 1.0),
        "precisions": [precision / 100 for precision in result.precisions],
        "brevity_penalty": float(result.bp),
        "length_ratio": float(result.ratio),
    }


class Row(NamedTuple):
    """The tokens of one row, with their language and tokenizer."""

    prediction: list[str]
    references: list[list[str]]
    language: str
    tokenizer: str


def tokenize_row(
    prediction: str,
    references: tuple[str, ...],
    language: str,
    tokenizer: str,
    lowercase: bool,
) -> Row:
    """Split the texts of one row into tokens; the arguments are those of `score`."""
    if language == "auto":
        language = detect_language(" ".join(references), prediction)
    check_choice("language", language, LANGUAGES)
    check_choice("tokenizer", tokenizer, ("auto", *TOKENIZERS))
    if tokenizer == "auto":
        tokenizer = TOKENIZER_OF[language]
    return Row(
        prediction=tokenize(prediction, tokenizer, lowercase),
        references=[tokenize(reference, tokenizer, lowercase) for reference in references],
        language=language,
        tokenizer=tokenizer,
    )


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise ValueError if a setting is none of the choices."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r:.80}; one of {choices} is expected")


def check_text(name: str, text: Any) -> None:
    """Raise TypeError if a value is no string."""
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")


def score(
    prediction: str,
    references: str | list[str],
    language: str = "auto",
    tokenizer: str = "auto",
    lowercase: bool = False,
) -> float:
    """Return the sentence BLEU of one answer, in 0..1, higher is better.

    It is 0 if the answer has no tokens, or if no reference has any.

    Args:
        prediction: the answer to grade.
        references: the right answer, or a list of them; n-grams of all references count.
        language: "auto" (see `detect_language`), "en" or "zh".
        tokenizer: "auto" (13a for English, zh for Chinese), or "13a", "zh", "intl", "char", "none".
        lowercase: whether to compare in lower case.

    Raises:
        ImportError: sacrebleu is not installed.
        TypeError: a text is no string, or lowercase is neither True nor False.
        ValueError: the list of references is empty, or there is no such language or tokenizer.

    Source: Papineni et al. 2002; sacrebleu's sentence_score with effective order.

    >>> score("the cat sat", "the cat sat"), round(score("the cat sat down", "the cat sat"), 4)
    (1.0, 0.5946)

    """
    reference_list = tuple(references) if isinstance(references, list | tuple) else (references,)
    if not reference_list:
        raise ValueError("references is empty; at least one reference is needed")
    check_text("prediction", prediction)
    for reference in reference_list:
        check_text("references", reference)
    # The text "no" would count as true.
    if not isinstance(lowercase, bool):
        raise TypeError(
            f"lowercase is {lowercase!r:.80} ({type(lowercase).__name__}); True or False is "
            "expected"
        )
    row = tokenize_row(prediction, reference_list, language, tokenizer, lowercase)
    counts = count_matches(row.prediction, row.references)
    return compute_bleu(counts, effective_order=True)["bleu"]


def explain(
    row: Row,
    counts: list[int],
    sentence: dict[str, Any],
    brief: bool = False,
) -> dict[str, Any]:
    """Return the entry of `per_example` for one row.

    Args:
        row: the tokens of the row.
        counts: the result of `count_matches` for the row.
        sentence: the result of `compute_bleu` for the counts.
        brief: whether to leave out all tokens.
    """
    prediction_counts = Counter(row.prediction)

    def count_shared(reference: list[str]) -> int:
        return (prediction_counts & Counter(reference)).total()

    # The reference that shares most tokens with the prediction is shown.
    closest = max(row.references, key=count_shared)
    entry = {
        "score": sentence["bleu"],
        "language": row.language,
        "tokenizer": row.tokenizer,
        "precisions": sentence["precisions"],
        "brevity_penalty": sentence["brevity_penalty"],
        "length_ratio": sentence["length_ratio"],
        "prediction_length": counts[0],
        "reference_length": counts[1],
        "matches": counts[MATCHES],
        "totals": counts[TOTALS],
    }
    if not brief:
        # `or_` keeps the highest count of each token in any reference.
        reference_counts = reduce(or_, map(Counter, row.references))
        entry["prediction_tokens"] = mark_tokens(row.prediction, reference_counts)
        entry["reference_tokens"] = mark_tokens(closest, prediction_counts)
    return entry | describe_empty(row.prediction, closest)


def describe_empty(prediction: list[str], reference: list[str]) -> dict[str, Any]:
    """Return the note of a row: which of its texts have no token."""
    empty = []
    if not prediction:
        empty.append("prediction")
    if not reference:
        empty.append("reference")
    if not empty:
        return {"note": None, "warnings": [], "note_data": []}
    note = f"no token in the {' and the '.join(empty)}"
    return {
        "note": note,
        "warnings": ["no_word"],
        "note_data": [{"key": "no_token", "sides": empty}],
    }


def mark_tokens(tokens: list[str], other_counts: Counter[str]) -> list[list[str]]:
    """Return [token, status] for each token.

    The status is "matched" for as many occurrences as the other text has, then "unmatched".

    >>> mark_tokens(["a", "a"], Counter("ab"))
    [['a', 'matched'], ['a', 'unmatched']]
    """
    remaining = Counter(other_counts)
    marked = []
    for token in tokens:
        is_matched = remaining[token] > 0
        remaining[token] -= 1
        marked.append([token, "matched" if is_matched else "unmatched"])
    return marked
