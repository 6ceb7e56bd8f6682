"""Test cosine_similarity and bertscore: the originals' scores, cases by hand, truncation.

test_local_models.py tests models that are missing or damaged.
"""

import math
import random
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import models
from tests.support.project import import_file, load

COSINE = "cosine_similarity"
BERT = "bertscore"
cosine = import_file(COSINE)
bert = import_file(BERT)
MINILM = models.find_minilm()
TextPairs = list[tuple[str, Any]]


def draw_text_pairs(count: int, longest: int) -> TextPairs:
    """Return pairs of texts that share words."""
    rng = random.Random(4)
    words = ["".join(rng.choices("abcdefgh,.", k=rng.randint(1, 6))) for _ in range(40)]

    def draw_text() -> str:
        return " ".join(rng.choices(words, k=rng.randint(1, longest)))

    return [(draw_text(), draw_text()) for _ in range(count)]


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Folders of models of several types by name; "named" is a name that bert_score knows."""
    root = tmp_path_factory.mktemp("models")
    folders_by_name = {"MiniLM": MINILM, "named": "bert-base-uncased"}
    for kind in ("bert", "deberta", "roberta", "t5"):
        folders_by_name[kind] = getattr(models, f"make_tiny_{kind}")(root / kind)
    models.put_into_cache(
        "bert-base-uncased", lambda folder: models.make_tiny_bert(folder, layers=12)
    )
    return folders_by_name


KINDS = {
    COSINE: (import_file(COSINE, COSINE).CosineSimilarity, "model"),
    BERT: (import_file(BERT, BERT).Bertscore, "model_type"),
}


def embed_rows(name: str, rows: TextPairs, model: Any = MINILM, **settings: Any) -> dict[str, Any]:
    """Return the result of a metric, with an entry for each row."""
    kind, model_argument = KINDS[name]
    columns = {
        "predictions": [prediction for prediction, _ in rows],
        "references": [references for _, references in rows],
    }
    arguments = {model_argument: model, "per_example": True, **settings}
    return dict(kind().compute(**columns, **arguments))


def list_row_scores(name: str, rows: TextPairs, **settings: Any) -> list[list[float]]:
    """Return the score of each row; for bertscore precision, recall and F1."""
    keys = ("precision", "recall", "f1") if name == BERT else ("score",)
    scores = []
    for entry in embed_rows(name, rows, **settings)["per_example"]:
        scores.append([entry[key] for key in keys])
    return scores


def approximate_rows(expected: list[list[float]]) -> list[Any]:
    """Return rows that compare as equal within the promised tolerance of 1e-5."""
    return [pytest.approx(row, abs=1e-5) for row in expected]


def exchange_texts(rows: TextPairs) -> TextPairs:
    """Return rows whose prediction is the reference, and the other way round."""
    return [(reference, prediction) for prediction, reference in rows]


TEXT = st.text("abc .\u4e2d", max_size=60) | st.text(max_size=30)


@pytest.mark.parametrize(
    ("name", "kind", "layers"), [(COSINE, "roberta", {}), (BERT, "deberta", {"num_layers": 2})]
)
@given(rows=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6), batch_size=st.integers(1, 5))
@settings(max_examples=25)
def test_scores_are_symmetric_and_do_not_depend_on_order_or_batch_size(
    folders: dict[str, str],
    name: str,
    kind: str,
    layers: Any,
    rows: TextPairs,
    batch_size: int,
) -> None:
    model = {"model": folders[kind], **layers}
    scores = list_row_scores(name, rows, **model)
    in_reverse = list_row_scores(name, rows[::-1], batch_size=batch_size, **model)
    assert in_reverse[::-1] == approximate_rows(scores)

    exchanged = list_row_scores(name, exchange_texts(rows), **model)
    if name == BERT:
        # Precision and recall are exchanged, too.
        exchanged = [[recall, precision, f1] for precision, recall, f1 in exchanged]
    assert exchanged == approximate_rows(scores)

    values = numpy.array(scores)
    assert values.min() >= -1
    assert values.max() <= 1


@pytest.mark.parametrize(
    ("name", "kind", "layers"), [(COSINE, "roberta", {}), (BERT, "deberta", {"num_layers": 2})]
)
@given(texts=st.lists(TEXT, min_size=1, max_size=6))
@settings(max_examples=15)
def test_a_text_has_the_score_1_for_itself(
    folders: dict[str, str],
    name: str,
    kind: str,
    layers: Any,
    texts: list[str],
) -> None:
    """Only BERTScore gives an empty text 0."""
    scores = list_row_scores(name, [(text, text) for text in texts], model=folders[kind], **layers)
    for text, row in zip(texts, scores, strict=True):
        is_empty = name == BERT and not text.strip()
        assert row == pytest.approx([0.0 if is_empty else 1.0] * len(row), abs=1e-5)


LENGTHS = [
    (COSINE, "MiniLM", 256),
    (COSINE, "roberta", 32),
    (BERT, "MiniLM", 512),
    (BERT, "bert", 48),
    (BERT, "deberta", 512),
    (BERT, "roberta", 32),
    (BERT, "t5", 64),
]


@pytest.mark.parametrize(("name", "kind", "limit"), LENGTHS)
def test_the_limit_of_a_model_is_the_longest_text_that_is_not_truncated(
    folders: dict[str, str],
    name: str,
    kind: str,
    limit: int,
) -> None:
    layers = {"num_layers": 2} if name == BERT else {}
    encode = import_file(name).load_encoder(folders[kind], *layers.values()).tokenizer.encode
    tokens_of_one_word = len(encode("a"))
    tokens_of_next_word = len(encode("a a")) - tokens_of_one_word
    more_words = (limit - tokens_of_one_word) // tokens_of_next_word
    fits = "a" + " a" * more_words
    over = fits + " a" * 2
    rows: TextPairs = [(fits, [over, fits, over]), (over, fits)]
    result = embed_rows(name, rows, folders[kind], **layers)
    assert result["predictions_truncated"] == 1
    assert result["references_truncated"] == 2
    row = result["per_example"][1]
    assert row["prediction_truncated"] is True
    assert row["reference_truncated"] is False
    assert row["max_length"] == limit
    assert row["prediction_length"] > limit >= row["reference_length"] > limit - 2
    assert row["score"] > 0


# cosine_similarity


def test_cosines_equal_those_of_sentence_transformers() -> None:
    from sentence_transformers import SentenceTransformer
    from sklearn.metrics.pairwise import cosine_similarity

    rows: TextPairs = [
        ("Niagara Falls lies in Canada.", "The falls are in Mexico and Canada."),
        ("", "Paris"),
        ("Paris", "Paris"),
        ("北京是首都", "中国的首都是北京"),
        ("one " * 400, "two " * 300),
        *draw_text_pairs(12, 60),
    ]
    model = SentenceTransformer(MINILM, device="cpu")
    predictions = [prediction for prediction, _ in rows]
    references = [reference for _, reference in rows]
    cosines = cosine_similarity(model.encode(predictions), model.encode(references))
    expected = cosines.diagonal().tolist()
    assert list_row_scores(COSINE, rows) == approximate_rows([[score] for score in expected])
    scores = [cosine.score(prediction, reference, MINILM) for prediction, reference in rows[:5]]
    assert scores == pytest.approx(expected[:5], abs=1e-5)

    with_default_model = load(COSINE).compute(
        predictions=predictions, references=references, signature=True
    )
    mean = with_default_model["average_cosine_similarity"]
    assert mean == pytest.approx(numpy.mean(expected), abs=1e-5)
    for part in (
        f"model:{cosine.DEFAULT_MODEL}|revision:{models.COMMIT}|max_length:256|",
        "sentence-transformers:6.",
        "transformers:5.",
        "torch:2.",
    ):
        assert part in with_default_model["signature"]


def test_cosines_equal_those_computed_by_hand() -> None:
    east = [1.0, 0.0]
    north = [0.0, 1.0]
    north_east = [1.0, 1.0]
    left = numpy.array([east, east, north_east, [2.0, 1.0]])
    right = numpy.array([north, [-1.0, 0.0], east, east])
    expected = [0.0, -1.0, math.sqrt(1 / 2), 2 / math.sqrt(5)]
    assert cosine.compute_cosines(left, right) == pytest.approx(expected, abs=1e-7)


def test_the_nearest_of_several_references_counts() -> None:
    references = ["dogs bark", "red foxes", "cats"]
    (row,) = embed_rows(COSINE, [("a red fox", references)])["per_example"]
    assert row["score"] == pytest.approx(cosine.score("a red fox", "red foxes", MINILM))
    assert row["reference"] == 1


def test_each_distinct_text_is_encoded_once_in_bounded_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = cosine.load_encoder(MINILM).model
    encode = Mock(side_effect=model.encode)
    monkeypatch.setattr(model, "encode", encode)
    rows: TextPairs = [
        ("red fox", ["a fox", "red fox"]),
        ("red fox", "a fox"),
        ("a fox", ["red fox", "x"]),
    ]
    embed_rows(COSINE, rows * 20)
    encoded: list[str] = []
    for call in encode.call_args_list:
        encoded += call.args[0]
    assert sorted(encoded) == ["a fox", "red fox", "x"]

    embed_rows(COSINE, [(f"{'word ' * 200}{number}", "x") for number in range(9)])
    largest_batch = max(len(call.args[0]) for call in encode.call_args_list)
    # Each text has 200 words, a number and the two marks of its ends: 203 tokens.
    assert largest_batch == import_file(COSINE, "text_model").CPU_TOKENS // 203


def test_tokens_that_the_model_does_not_know_are_counted_in_a_note() -> None:
    (row,) = embed_rows(COSINE, [("吴承恩", "曹雪芹")], cosine.DEFAULT_MODEL)["per_example"]
    unknown = (
        "treats them as equal: 3 in the prediction, 3 in the reference; this model was trained"
    )
    assert unknown in row["note"]


# bertscore


def score_with_package(
    folder: str, layers: int, rows: TextPairs, limit: Any = None, **settings: Any
) -> list[Any]:
    """Return the scores of the package bert_score, one row at a time.

    `limit` sets the maximum length of tokenizers without one, with which the package crashes.
    """
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=folder, num_layers=layers, device="cpu", **settings)
    if limit:
        scorer._tokenizer.model_max_length = limit
    scores = []
    for prediction, references in rows:
        tensors = scorer.score([prediction], [references])
        scores.append([tensor.item() for tensor in tensors])
    return approximate_rows(scores)


@pytest.mark.parametrize(
    ("kind", "layers", "limit", "longest"),
    [
        ("MiniLM", 6, None, 12),
        ("bert", 3, None, 30),  # many of these texts are cut at 48 tokens
        ("bert", 0, None, 8),
        ("deberta", 2, 512, 30),
        ("roberta", 2, 32, 20),
        ("t5", 2, None, 20),
    ],
)
def test_scores_equal_the_package_one_pair_at_a_time(
    folders: dict[str, str],
    kind: str,
    layers: int,
    limit: int | None,
    longest: int,
) -> None:
    rows: TextPairs = [
        *draw_text_pairs(20, longest),
        ("\x01", "ab"),
        ("ab", "ab"),
        ("[SEP] ab", "ab"),
        ("北京 ab", "é!"),
        (" ab ", "ab\n"),
    ]
    if kind == "t5":
        # The package takes a text of one token and the end mark for an empty one.
        rows = [row for row in rows if min(map(len, row)) > 1]
    # Of several references the best of each figure counts.
    for (prediction, reference), more_references in zip(rows[:9], rows[9:18], strict=True):
        rows.append((prediction, [reference, *more_references]))
    expected = score_with_package(folders[kind], layers, rows, limit)
    assert list_row_scores(BERT, rows, model=folders[kind], num_layers=layers) == expected


def test_scores_with_idf_weights_equal_the_package(folders: dict[str, str]) -> None:
    pairs = draw_text_pairs(30, 12)
    rows: TextPairs = [*pairs, ("ab cd", ["ab ef", "gh"]), ("\x01", "ab")]
    all_references = [*(reference for _, reference in pairs), "ab ef", "gh", "ab"]
    model = folders["bert"]
    expected = score_with_package(model, 2, rows, idf=True, idf_sents=all_references, nthreads=0)
    assert list_row_scores(BERT, rows, model=model, num_layers=2, idf=True) == expected


@pytest.mark.parametrize(("layers", "package_layers"), [(None, 9), (3, 3)])
def test_rescaled_scores_equal_the_package(
    folders: dict[str, str], layers: int | None, package_layers: int
) -> None:
    rows: TextPairs = [*draw_text_pairs(10, 12), ("ab cd", ["ab ef", "gh"]), ("\x01", "ab")]
    rescaled = {"rescale_with_baseline": True, "lang": "en"}
    model = folders["named"]
    expected = score_with_package(model, package_layers, rows, **rescaled)
    assert list_row_scores(BERT, rows, model=model, num_layers=layers, **rescaled) == expected


@pytest.mark.parametrize(("idf", "rescale"), [(False, False), (True, True)])
def test_the_hash_code_equals_that_of_the_package(
    folders: dict[str, str], idf: bool, rescale: bool
) -> None:
    from bert_score import BERTScorer

    model = folders["named"]
    scorer = BERTScorer(model, num_layers=9, idf=idf, rescale_with_baseline=rescale, lang="en")
    assert import_file(BERT, BERT).format_hashcode(model, 9, idf, rescale) == scorer.hash


def test_the_tables_of_models_equal_those_of_the_package() -> None:
    from bert_score.utils import lang2model, model2layers

    assert model2layers == bert.LAYER_OF_MODEL
    assert dict(lang2model) == bert.MODEL_OF
    assert lang2model["de"] == bert.MODEL_OF_OTHERS


def test_matches_of_tokens_computed_by_hand() -> None:
    import torch

    answer = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    reference = torch.tensor([[1.0, 0.0], [0.8, 0.6]])
    equal_weights = [1.0, 1.0, 1.0], [1.0, 1.0]
    matches = bert.match_tokens((answer, reference), equal_weights, explain=True)
    precision = (1 + 0.6 + 0.96) / 3
    recall = (1 + 0.96) / 2
    f1 = 2 * precision * recall / (precision + recall)
    assert matches.score == pytest.approx((precision, recall, f1), abs=1e-7)
    answer_tokens, reference_tokens = matches.tokens
    assert [position for position, _ in answer_tokens] == [0, 1, 1]
    assert [position for position, _ in reference_tokens] == [0, 2]

    weights = [3.0, 1.0, 0.0], [0.0, 0.0]
    weighted = bert.match_tokens((answer, reference), weights, explain=False)
    assert weighted == (pytest.approx(((3 + 0.6) / 4, 0.0, 0.0), abs=1e-7), [])


@pytest.mark.parametrize("kind", ["MiniLM", "bert", "deberta", "roberta", "t5"])
@pytest.mark.parametrize(
    "answer",
    [
        "ab cd",
        "北京é 😀!",
        "a[SEP]b",
        "\u0301a",
        "x" * 200,
        "a b " * 200,
        "Ab\x00c\u200bd",
        ".  .",
    ],
)
def test_listed_tokens_are_in_the_order_of_the_text_and_give_the_score(
    folders: dict[str, str], kind: str, answer: str
) -> None:
    (row,) = embed_rows(BERT, [(answer, "ab")], folders[kind], num_layers=2)["per_example"]
    tokens = "".join(token.removeprefix("##") for token, *_ in row["prediction_tokens"])
    remaining_letters = iter(answer)
    # `in` consumes the iterator, so each letter is looked for after the one before.
    assert all(letter in remaining_letters for letter in tokens.removesuffix("</s>"))

    cosines = [cosine for *_, cosine, _ in row["prediction_tokens"]]
    weights = [weight for *_, weight in row["prediction_tokens"]]
    assert numpy.average(cosines, weights=weights) == pytest.approx(row["precision"])


def test_the_reference_with_the_best_f1_is_shown(folders: dict[str, str]) -> None:
    (row,) = embed_rows(BERT, [("ab", ["x", "ab"])], folders["bert"], num_layers=2)["per_example"]
    assert row["reference"] == 1
    assert row["score"] == row["f1"]


def test_padding_changes_no_score_of_a_model_that_reads_it(tmp_path: Path) -> None:
    sizes = {"embedding_size": 16, "head_ratio": 1, "conv_kernel_size": 3}
    folder = models.make_small_model(
        tmp_path / "c", "convbert", models.make_byte_tokenizer(model_max_length=64), **sizes
    )
    rows: TextPairs = [("ab", "abc"), ("a " * 20, "b " * 11), ("a", "b")]
    together = list_row_scores(BERT, rows, model=folder, num_layers=2)
    one_by_one = []
    for row in rows:
        one_by_one += list_row_scores(BERT, [row], model=folder, num_layers=2)
    assert together == approximate_rows(one_by_one)


def test_each_distinct_text_goes_through_the_model_once_a_window_at_a_time(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: TextPairs = []
    pairs = draw_text_pairs(60, 6)
    for system in (1, 2, 3):
        for number, (prediction, reference) in enumerate(pairs):
            answer = f"{prediction[system:]} {system}" if number % 3 else "no"
            rows.append((answer, [reference]))
    for prediction, reference in pairs:
        rows.append((prediction, [reference, "shared reference"]))
    distinct_texts = set()
    for prediction, references in rows:
        distinct_texts |= {text.strip() for text in (prediction, *references)}

    expected = list_row_scores(BERT, rows, model=folders["bert"], num_layers=2)
    embed = Mock(side_effect=bert.embed_texts)
    monkeypatch.setattr(bert, "embed_texts", embed)
    monkeypatch.setattr(bert, "WINDOW_TOKENS", 960)
    scores = list_row_scores(BERT, rows, model=folders["bert"], num_layers=2)
    assert scores == approximate_rows(expected)
    window_sizes = [len(call.args[1]) for call in embed.call_args_list]
    assert sum(window_sizes) == len(distinct_texts)
    assert max(window_sizes) < len(distinct_texts) / 2


def write_deep_bert(folder: Path) -> None:
    """Write a small BERT with twelve layers, as many as BERT has."""
    models.make_tiny_bert(folder, 12)


def test_a_language_uses_the_same_model_as_the_package() -> None:
    for name in ("bert-base-chinese", "bert-base-multilingual-cased"):
        models.put_into_cache(name, write_deep_bert)
    rows = {"predictions": ["red fox"], "references": ["red fox"]}
    expected = {
        "zh": "bert-base-chinese|",
        "ZH": "bert-base-chinese|",
        "fr": "bert-base-multilingual-cased|",
    }
    for lang, model in expected.items():
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            result = load(BERT).compute(**rows, lang=lang, per_example=True)
        assert f"|model:{model}" in result["signature"]
        assert result["per_example"][0]["warnings"] == []
    named = load(BERT).compute(
        **rows, model_type="bert-base-multilingual-cased", lang="zh", per_example=True
    )
    assert named["per_example"][0]["note"] is None
    assert named["per_example"][0]["warnings"] == []


def test_a_warning_says_if_the_named_model_is_for_another_language_than_lang() -> None:
    rows = {"predictions": ["red fox", ""], "references": ["red fox", "red"]}
    model = "microsoft/deberta-xlarge-mnli"
    with pytest.warns(
        UserWarning, match="lang is 'zh', and the model '.*mnli' was trained on 'en': leave out"
    ):
        result = load(BERT).compute(**rows, model_type=model, lang="zh", per_example=True)
    assert f"|model:{model}|" in result["signature"]
    for row in result["per_example"]:
        assert row["warnings"] == ["other_language"]
        assert f"lang is 'zh', and the model '{model}' was trained on 'en'" in row["note"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"num_layers": "first"}, "num_layers is 'first'; a whole number"),
        (
            {"num_layers": 2, "rescale_with_baseline": True, "lang": "en"},
            "no baseline for the model .*roberta-large",
        ),
        (
            {"num_layers": 2, "rescale_with_baseline": True, "lang": "../en"},
            "no baseline for the model",
        ),
        (
            {"model": None, "lang": "tr"},
            "the model 'dbmdz/bert-base-turkish-cased' could not be loaded: .*HF_HUB_OFFLINE",
        ),
    ],
)
def test_invalid_settings_are_refused_with_the_reason(
    folders: dict[str, str], wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises((TypeError, ValueError, OSError), match=message):
        embed_rows(BERT, [("a", "b")], **{"model": folders["bert"], **wrong})


def test_the_error_names_the_package_that_has_the_baselines(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install bert_score"):
        embed_rows(BERT, [("a", "b")], folders["named"], lang="en", rescale_with_baseline=True)


def test_the_default_model_is_read_at_its_layer_and_named_with_its_commit() -> None:
    result = load(BERT).compute(predictions=["red fox"], references=["red fox"], signature=True)
    model = f"model:microsoft/deberta-xlarge-mnli|revision:{models.COMMIT}|layers:40|"
    assert model in result["signature"]
    assert result["hashcode"].startswith("microsoft/deberta-xlarge-mnli_L40_no-idf_version=")


def test_the_model_stays_loaded_between_calls_and_is_changed_for_another_layer(
    folders: dict[str, str],
) -> None:
    two_layers = bert.load_encoder(folders["bert"], 2).model
    again = bert.load_encoder(folders["bert"], 2).model
    three_layers = bert.load_encoder(folders["bert"], 3).model
    all_layers = bert.load_encoder(folders["bert"], "last").model
    assert again is two_layers
    assert three_layers is not two_layers
    assert len(two_layers.encoder.layer) == 2
    assert len(three_layers.encoder.layer) == 3
    assert len(all_layers.encoder.layer) == 3
