"""bleu, rouge, lv_eval_f1 and lv_eval_rouge: scores, reasons, languages, references and notes.

Scores are compared with the original packages, slow versions and fractions computed by hand.
"""

import random
import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import import_file, load

NAMES = "bleu", "rouge", "lv_eval_f1", "lv_eval_rouge"
bleu, rouge, f1, lv_rouge = map(import_file, NAMES)


@dataclass(frozen=True)
class Reasons:
    """The expected reasons of a row: its words by their status, and further reasons."""

    metric: str
    prediction: str
    references: list[str]
    prediction_words: dict[str, str]
    reference_words: dict[str, str]
    reasons: dict[str, Any]
    columns: dict[str, list[str]] = field(default_factory=dict)


REASONS = [
    Reasons(
        metric="bleu",
        prediction="the cat sat",
        references=["a dog ran", "the cat ran"],
        prediction_words={"matched": "the cat", "unmatched": "sat"},
        reference_words={"matched": "the cat", "unmatched": "ran"},
        reasons={"matches": [2, 1, 0, 0], "totals": [3, 2, 1, 0]},
    ),
    Reasons(
        metric="rouge",
        prediction="b c a x",
        references=["a b c y"],
        prediction_words={"matched": "b c", "reordered": "a", "unmatched": "x"},
        reference_words={"matched": "b c", "reordered": "a", "unmatched": "y"},
        reasons={"score": 1 / 2},
    ),
    Reasons(
        metric="lv_eval_f1",
        prediction="The falls lie between the United States of Mexico",
        references=["The falls lie between Canada and the United States"],
        prediction_words={
            "matched": "falls lie between united states",
            "blacklisted": "of",
            "unmatched": "mexico",
        },
        reference_words={
            "matched": "falls lie between united states",
            "unmatched": "canada",
            "blacklisted": "and",
        },
        reasons={
            "matched_keywords": ["falls"],
            "missing_keywords": ["canada"],
            "blacklisted_keywords": ["of"],
            "overlap": 5,
            "keyword_recall": 1 / 3,
            "gate_passed": True,
            "prediction_length": 7,
            "reference_length": 7,
            "score": 5 / 7,
            "f1": 5 / 7,
            "precision": 5 / 7,
            "recall": 5 / 7,
        },
        columns={"answer_keywords": ["Canada of the falls"]},
    ),
    Reasons(
        metric="lv_eval_rouge",
        prediction="红楼梦的作者是曹雪芹",
        references=["《红楼梦》是曹雪芹写的"],
        prediction_words={"matched": "红楼梦 曹雪芹", "blacklisted": "的 是", "unmatched": "作者"},
        reference_words={"unmatched": "《 写", "matched": "红楼梦 曹雪芹", "blacklisted": "是 的"},
        reasons={"lcs_words": 2, "prediction_words": 3, "reference_words": 4},
    ),
    Reasons(
        metric="lv_eval_rouge",
        prediction="上海 北京",
        references=["北京 上海 广州"],
        prediction_words={"matched": "上海", "reordered": "北京"},
        reference_words={"reordered": "北京", "matched": "上海", "unmatched": "广州"},
        reasons={},
    ),
]


def join_by_status(tokens: list[list[str]]) -> dict[str, str]:
    """Return the words of each status in order."""
    words: dict[str, list[str]] = {}
    for word, status in tokens:
        words.setdefault(status, []).append(word)
    return {status: " ".join(own_words) for status, own_words in words.items()}


@pytest.mark.parametrize("expected", REASONS, ids=lambda expected: expected.metric)
def test_per_example_has_the_words_and_the_other_reasons(expected: Reasons) -> None:
    rows = {"predictions": [expected.prediction], "references": [expected.references]}
    metric = load(expected.metric)
    [row] = metric.compute(**rows, **expected.columns, per_example=True)["per_example"]
    assert join_by_status(row["prediction_tokens"]) == expected.prediction_words
    assert join_by_status(row["reference_tokens"]) == expected.reference_words
    assert {key: row[key] for key in expected.reasons} == expected.reasons


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("written", ["Cafe\u0301", "Ｃafé", "Ca\u00adfé", "Caf\u200bé"])
def test_words_that_differ_only_in_their_unicode_form_are_named_in_a_note(
    name: str, written: str
) -> None:
    beside = "北京 " if name == "lv_eval_rouge" else ""
    rows = {"predictions": [beside + written, beside + "Café"], "references": [beside + "Café"] * 2}
    notes = [row["note"] for row in load(name).compute(**rows, per_example=True)["per_example"]]
    assert notes == ["words differ only in how Unicode writes them: 'café'", None]


BOTH = "the prediction and the reference"
DROPPED = "no word but blacklisted ones in"
SHUT = "too many keywords are blacklisted: no answer passes the gate"
NO_CHINESE = "The reference has no Chinese; this score is made for Chinese."
# Notes on texts without a word that counts. Such texts score 0 even if they are identical.
NOTES: list[tuple[str, str, str, dict[str, Any], str | None]] = [
    ("bleu", "", "", {}, f"no token in {BOTH}"),
    ("rouge", "?!", "?!", {}, f"no word in {BOTH}"),
    ("lv_eval_f1", "", "", {}, f"no word in {BOTH}"),
    ("lv_eval_f1", "?!...", "?!...", {}, f"no word in {BOTH}"),
    ("lv_eval_f1", "the", "fox", {}, "no word in the prediction"),
    ("lv_eval_f1", "fox", "the", {"answer_keywords": ["fox"]}, "no word in the reference"),
    ("lv_eval_f1", "。", "。", {"language": "zh"}, f"no word in {BOTH}"),
    ("lv_eval_f1", "中", "中", {}, SHUT),
    ("lv_eval_f1", "中", "中", {"keyword_gate": False}, None),
    (
        "lv_eval_f1",
        "红楼梦 的 和 是",
        "红楼梦 的 和 是",
        {},
        SHUT,
    ),  # at most 1 of 4 can be found, and 0.4 is needed
    (
        "lv_eval_f1",
        "fox",
        "fox",
        {"answer_keywords": ["fox of in is"]},
        None,
    ),  # 1 of 4, and 0.2 is needed
    ("lv_eval_f1", "red", "fox", {"answer_keywords": ["fox of in is"]}, None),
    ("lv_eval_f1", "of", "of the", {"mode": "paper"}, f"{DROPPED} {BOTH}"),
    (
        "lv_eval_f1",
        "of",
        "",
        {"mode": "paper"},
        f"no word in the reference; {DROPPED} the prediction",
    ),
    ("lv_eval_rouge", "！", "北京", {}, "no word in the prediction"),
    ("lv_eval_rouge", "中", "中", {}, f"{DROPPED} {BOTH}"),
    ("lv_eval_rouge", "的！", "北京", {}, f"{DROPPED} the prediction"),
    ("lv_eval_rouge", "red fox", "red dog", {}, NO_CHINESE),
    ("lv_eval_rouge", "", "red", {}, f"no word in the prediction; {NO_CHINESE}"),
]


@pytest.mark.parametrize(("name", "prediction", "reference", "more", "note"), NOTES)
def test_a_note_says_if_a_text_has_no_word_that_counts(
    name: str,
    prediction: str,
    reference: str,
    more: dict[str, Any],
    note: str | None,
) -> None:
    rows = {"predictions": [prediction], "references": [reference], **more}
    (row,) = load(name).compute(**rows, per_example="brief")["per_example"]
    assert row["note"] == note
    assert prediction != reference or (row["score"] > 0.99) == (note is None)


@pytest.mark.parametrize("name", ["bleu", "rouge", "lv_eval_f1"])
def test_the_language_is_detected_for_each_row_or_given(name: str) -> None:
    compute = load(name).compute
    rows = {"predictions": ["tower", "东京 tower"], "references": ["tower", "东京 tower"]}
    # BLEU names the language of a row by its tokenizer.
    key = "tokenizer" if name == "bleu" else "language"
    english = "13a" if name == "bleu" else "en"
    languages: list[tuple[Any, list[str]]] = [
        ("auto", [english, "zh"]),
        ("en", [english, english]),
        (["zh", "en"], ["zh", english]),
    ]
    for language, expected in languages:
        result = compute(**rows, language=language, per_example=True)
        assert [row[key] for row in result["per_example"]] == expected
    assert "language:en-1,zh-1" in result["signature"].split("|")
    for wrong, message in (
        (["en", "fr"], r"language\[1\] is 'fr'"),
        (["en"], "language has 1 entries for 2 rows"),
    ):
        with pytest.raises(ValueError, match=message):
            compute(**rows, language=wrong)


@pytest.mark.parametrize(
    ("name", "prediction", "references", "first", "best"),
    [
        ("lv_eval_f1", "in Paris", ["in Rome", "in Paris"], 1 / 2, 1.0),
        (
            "lv_eval_rouge",
            "北京 北京 北京",
            ["上海", "北京 上海"],
            0.0,
            2 * 1.0 * 0.5 / (1.0 + 0.5 + 1e-8),
        ),
    ],
)
def test_the_first_reference_counts_or_on_request_the_best(
    name: str,
    prediction: str,
    references: list[str],
    first: float,
    best: float,
) -> None:
    compute = load(name).compute
    rows = {"predictions": [prediction], "references": [references]}
    assert compute(**rows)[name] == first
    assert compute(**rows, multi_reference="max")[name] == pytest.approx(best, abs=1e-15)
    with pytest.raises(ValueError, match="multi_reference is 'best'"):
        compute(**rows, multi_reference="best")


# bleu

WORDS = st.lists(
    st.sampled_from(["3,000.5", "U.S.", "don't", "well-known", "the", "The", "&amp;", "$5"])
).map(" ".join)
TEXT = st.text(st.sampled_from("ab c.,-\n&;1'中。"), max_size=40) | st.text(max_size=30) | WORDS
ROWS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=2, max_size=2)), min_size=1, max_size=5)


@given(ROWS, st.sampled_from(bleu.TOKENIZERS), st.booleans())
@settings(max_examples=150)
def test_scores_equal_sacrebleu(
    rows: list[tuple[str, list[str]]], tokenizer: str, lowercase: bool
) -> None:
    from sacrebleu.metrics import BLEU

    predictions = [p for p, _ in rows]
    references = [r for _, r in rows]
    result = (
        import_file("bleu", "bleu")
        .Bleu()
        .compute(
            predictions=predictions,
            references=references,
            tokenizer=tokenizer,
            lowercase=lowercase,
            per_example=True,
        )
    )
    reference_columns = [list(column) for column in zip(*references, strict=True)]
    corpus = BLEU(tokenize=tokenizer, lowercase=lowercase, force=True)
    of_corpus = corpus.corpus_score(predictions, reference_columns)
    expected = {
        "bleu": min(of_corpus.score / 100, 1.0),
        "precisions": [precision / 100 for precision in of_corpus.precisions],
        "brevity_penalty": of_corpus.bp,
        "length_ratio": of_corpus.ratio,
    }
    assert {key: result[key] for key in expected} == expected

    sentence = BLEU(tokenize=tokenizer, lowercase=lowercase, effective_order=True)
    sentence_scores = []
    for prediction, row_references in rows:
        percent = sentence.sentence_score(prediction, row_references).score
        sentence_scores.append(min(percent / 100, 1.0))
    assert [row["score"] for row in result["per_example"]] == sentence_scores
    assert result["sentence_bleu"] == pytest.approx(fmean(sentence_scores), abs=1e-15)


def test_sacrebleus_caches_keep_no_text() -> None:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

    texts = ["a secret of mine", "我的秘密"]
    result = load("bleu").compute(predictions=texts, references=texts, signature=True)
    assert result["bleu"] == 1.0
    assert "|tokenizer:13a+zh|" in result["signature"]
    caches: list[Any] = [kind.__call__ for kind in (Tokenizer13a, TokenizerRegexp, TokenizerZh)]
    assert [cache.cache_info().currsize for cache in caches] == [0, 0, 0]


# rouge


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("zh", ["北京是中国的首都", "東京は日本の首都です"]),
        (
            "other",
            ["ひらがな カタカナ", "مرحبا بالعالم اليوم", "हिन्दी में लिखना अच्छा है", "สวัสดีชาวโลก"],
        ),
        (
            "other",
            ["Москва — столица России", "한국어 문장입니다", "😀 🎉 👩‍🚀 ❤️ 🇨🇦", "Ελληνικά κείμενα"],
        ),
        ("en", ["Café au lait, naïve"]),
    ],
)
def test_identical_texts_of_any_script_score_1(language: str, texts: list[str]) -> None:
    for text in texts:
        assert rouge.detect_language(text) == language
        assert [value.fmeasure for value in rouge.score(text, text).values()] == [
            1.0,
            1.0,
            1.0,
            1.0,
        ]


def test_words_of_other_scripts_are_not_cut_and_match_only_equal_words() -> None:
    assert rouge.tokenize("हिन्दी में", "other") == ["हिन्दी", "में"]
    assert rouge.tokenize("В 1961 году", "other") == ["в", "1961", "году"]
    assert rouge.tokenize("ลิ้น", "other") == ["ลิ้", "น"]
    for text, other in [
        ("Москва столица", "Париж город"),
        ("สวัสดี", "ลาก่อน"),
        ("👍🏽", "👍🏿"),
        ("‼️", "↔️"),
    ]:
        assert all(rouge.score(text, other)[name].fmeasure < 0.5 for name in ("rouge2", "rougeL"))


LINES = st.lists(st.lists(st.sampled_from("abcdxyz"), max_size=7).map(" ".join), max_size=7).map(
    "\n".join
)
ENGLISH = (
    st.text(st.sampled_from("abcAB 1.'\n-éß"), max_size=60) | st.text(max_size=30) | WORDS | LINES
)


@given(ENGLISH, ENGLISH, st.booleans())
@settings(max_examples=600)
def test_scores_equal_rouge_score(prediction: str, reference: str, use_stemmer: bool) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(rouge.ROUGE_TYPES), use_stemmer=use_stemmer)
    expected = scorer.score(reference, prediction)
    scores = rouge.score(prediction, reference, "en", use_stemmer)
    assert scores.keys() == expected.keys()
    for name, score in scores.items():
        assert tuple(score) == tuple(expected[name])


def test_the_best_reference_counts_for_each_rouge_type_and_rows_have_equal_weight() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    prediction = "the cat sat on the mats"
    references = ["mat the on sat cat the", "the cat sat by"]
    scorer = RougeScorer(list(rouge.ROUGE_TYPES), use_stemmer=True)
    expected = scorer.score_multi(references, prediction)
    rows = {"predictions": [prediction, "x"], "references": [references, "y"]}
    result = load("rouge").compute(**rows, use_stemmer=True, per_example=True)
    for name in rouge.ROUGE_TYPES:
        # The second row has the score 0.
        assert result[name] == expected[name].fmeasure / 2
    row = result["per_example"][0]
    assert row["score"] == expected["rougeL"].fmeasure
    assert row["rougeL"]["fmeasure"] == expected["rougeL"].fmeasure
    assert join_by_status(row["reference_tokens"]) == {"matched": "the cat sat", "unmatched": "by"}
    assert re.search(r"\|use_stemmer:yes\|.*\|stemmer:nltk-", result["signature"])


# lv_eval_f1

BORN = ("He was born in Paris and was raised there", "She was born in Paris", "Paris")
ONE = "one two was of is that his"


@pytest.mark.parametrize(
    ("texts", "settings", "score"),
    [
        (("the red fox", "a red dog"), {}, 1 / 2),  # 1 of 2 and 1 of 2: articles are dropped
        (("red red", "red red red blue"), {}, 2 / 3),  # precision 1, recall 1/2
        (("多伦多在加拿大", "渥太华在加拿大"), {"min_keyword_recall": 1 / 3}, 2 / 3),
        (("one two", "one two", "one three"), {"min_keyword_recall": 0.6}, 0.0),
        (("one two", "one two", "three"), {"min_keyword_recall": 0}, 1.0),
        (
            ("one two", "one two", "one six seven eight nine"),
            {"mode": "paper"},
            0.0,
        ),  # a recall of 1/5 is exactly the threshold
        (
            (ONE, ONE, "was of one"),
            {"min_keyword_recall": 1 / 3},
            1.0,
        ),  # blacklisted words count only in the denominator
        ((ONE, ONE, "was of is that one his"), {}, 0.0),
        # 4 common words (was, born, in, paris) of 9 and of 5. Without blacklisted words: 2 (born,
        # paris) of 4 (born, paris, raised, there) and of 2.
        (BORN, {"mode": "code"}, 2 * (4 / 9 * 4 / 5) / (4 / 9 + 4 / 5)),
        (BORN, {"mode": "paper"}, 2 * (2 / 4 * 2 / 2) / (2 / 4 + 2 / 2)),
    ],
)
def test_f1_by_hand(texts: tuple[str, ...], settings: dict[str, Any], score: float) -> None:
    assert f1.score(*texts, **settings) == pytest.approx(score, abs=1e-15)


@pytest.mark.parametrize("keywords", ["...", "the", " ", "\n\t", "!!! a"])
def test_keywords_without_a_word_are_ignored_with_a_note(keywords: str) -> None:
    graded = f1.grade(ONE, ONE, keywords)
    assert graded.gate == "none"
    assert graded.score == 1.0
    assert "no word" in graded.note
    assert f1.grade("北京", "北京", "。！").gate == "reference"


def test_settings_as_numpy_numbers_give_plain_python_results() -> None:
    rows = {
        "predictions": ["red"],
        "references": ["red"],
        "answer_keywords": ["red"],
        "language": np.array(["en"]),
    }
    row = load("lv_eval_f1").compute(**rows, min_keyword_recall=np.float32(0.5), per_example=True)[
        "per_example"
    ][0]
    assert type(row["min_keyword_recall"]) is float
    assert type(row["gate_passed"]) is bool
    assert type(row["language"]) is str


def compute_f1_plainly(prediction: str, reference: str) -> float:
    """Return the token F1 in a slow, obvious way."""

    def words(text: str) -> Counter[str]:
        text = "".join(
            character for character in text.lower() if character not in string.punctuation
        )
        return Counter(re.sub(r"\b(a|an|the)\b", " ", text).split())

    prediction_words = words(prediction)
    reference_words = words(reference)
    matches = (prediction_words & reference_words).total()
    total = prediction_words.total() + reference_words.total()
    return 2 * matches / total if total else 0.0


ODD = st.text(
    st.sampled_from("aAnb the.,'’–_\"\t\n\x00\x1c\xa0ßİ1é中\u0301\ud800"), max_size=30
) | st.text(max_size=30)


@given(ODD, ODD)
@settings(max_examples=300)
def test_english_f1_equals_an_obvious_version(prediction: str, reference: str) -> None:
    expected = compute_f1_plainly(prediction, reference)
    assert f1.score(prediction, reference, language="en") == pytest.approx(expected, abs=1e-15)


# lv_eval_rouge


def find_path_plainly(rows: Sequence[str], columns: Sequence[str]) -> list[tuple[int, int]]:
    """Return a longest common subsequence, from the whole table of lengths.

    It is walked back in the same order as in the rouge package.
    """
    table = [[0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if row == column else max(table[i][j + 1], table[i + 1][j])
            )
    i = len(rows)
    j = len(columns)
    path = []
    while i and j:
        if rows[i - 1] == columns[j - 1]:
            i = i - 1
            j = j - 1
            path.append((i, j))
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return path[::-1]


TOKENS = st.lists(st.sampled_from("abcdefg"), max_size=40)


@given(TOKENS, TOKENS, st.sampled_from([4096, 1, 7]), st.sampled_from([lv_rouge, rouge]))
@settings(max_examples=500)
def test_the_common_subsequence_equals_that_of_the_whole_table_for_any_block_size(
    a: list[str],
    b: list[str],
    block: int,
    module: Any,
) -> None:
    with patch.object(module, "BLOCK", block):
        assert module.find_lcs_path(a, b) == find_path_plainly(a, b)
        table = rouge.build_lcs_table(a, b)
        assert len(b) - table[-1].bit_count() == len(find_path_plainly(a, b))
        assert rouge.find_lcs_path(a, b, table) == find_path_plainly(a, b)


TOKEN_LINES = st.lists(st.lists(st.sampled_from("abcdx"), max_size=6).map(tuple), max_size=4)


@given(TOKEN_LINES, TOKEN_LINES)
@settings(max_examples=300)
def test_the_union_of_subsequences_equals_that_of_the_paths_of_all_pairs_of_lines(
    prediction: list[tuple[str, ...]], reference: list[tuple[str, ...]]
) -> None:
    unions = rouge.find_lcs_unions(prediction, reference)
    for line in reference:
        on_path = set()
        for predicted in prediction:
            on_path |= {j for _, j in find_path_plainly(list(predicted), list(line))}
        assert unions[line] == [line[j] for j in sorted(on_path)]


@given(TOKENS.filter(bool), TOKENS.filter(bool))
@settings(max_examples=300)
def test_rouge_l_equals_the_rouge_package(a: list[str], b: list[str]) -> None:
    from rouge import Rouge

    want = Rouge(metrics=["rouge-l"]).get_scores(" ".join(a), " ".join(b))[0]["rouge-l"]
    got = lv_rouge.score_lcs(a, b)
    assert got.f == want["f"]
    assert got.precision == want["p"]
    assert got.recall == want["r"]


def test_long_texts_have_their_true_score_although_the_original_fails() -> None:
    """The original catches a RecursionError and returns 0; the slow table gives the true score."""
    random.seed(5)
    words = ["天气", "北京", "火车", "学习", "电影", "音乐", "城市", "历史", "经济", "大学"]
    prediction, reference = (" ".join(random.choices(words, k=1200)) for _ in range(2))
    a, b = (lv_rouge.tokenize(text) for text in (prediction, reference))
    common = {b[i] for i, _ in find_path_plainly(b, a)}
    precision = len(common) / len(set(a))
    recall = len(common) / len(set(b))
    assert (
        lv_rouge.score(prediction, reference)
        == 2 * precision * recall / (precision + recall + 1e-8)
        > 0.5
    )
    assert lv_rouge.score(prediction, prediction) == 2 / (2 + 1e-8)
