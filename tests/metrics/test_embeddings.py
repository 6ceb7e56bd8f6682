"""cosine_similarity and bertscore: compared with the originals, cases by hand, truncation.

Models that are missing or damaged are tested in test_local_models.py.
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

COSINE, BERT = "cosine_similarity", "bertscore"
cosine = import_file(COSINE)
bert = import_file(BERT)
MINILM = models.find_minilm()
TextPairs = list[tuple[str, Any]]


def draw_text_pairs(count: int, longest: int) -> TextPairs:
    """Return pairs of texts that share words."""
    random.seed(4)
    known = ["".join(random.choices("abcdefgh,.", k=random.randint(1, 6))) for _ in range(40)]
    texts = [
        " ".join(random.choices(known, k=random.randint(1, longest))) for _ in range(2 * count)
    ]
    return list(zip(texts[::2], texts[1::2], strict=True))


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Folders of models of several types by name; "named" is a name that bert_score knows."""
    root = tmp_path_factory.mktemp("models")
    made = {"MiniLM": MINILM, "named": "bert-base-uncased"}
    for kind in ("bert", "deberta", "roberta", "t5"):
        made[kind] = getattr(models, f"make_tiny_{kind}")(root / kind)
    models.put_into_cache(
        "bert-base-uncased", lambda folder: models.make_tiny_bert(folder, layers=12)
    )
    return made


KINDS = {
    COSINE: (import_file(COSINE, COSINE).CosineSimilarity, "model"),
    BERT: (import_file(BERT, BERT).Bertscore, "model_type"),
}


def embed_rows(name: str, rows: TextPairs, model: Any = MINILM, **settings: Any) -> dict[str, Any]:
    kind, argument = KINDS[name]
    columns = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    return dict(kind().compute(**columns, **{argument: model, "per_example": True, **settings}))


def list_row_scores(name: str, rows: TextPairs, **settings: Any) -> list[list[float]]:
    """Return the score of each row; for bertscore precision, recall and F1."""
    keys = ("precision", "recall", "f1") if name == BERT else ("score",)
    return [[row[key] for key in keys] for row in embed_rows(name, rows, **settings)["per_example"]]


def approximate_rows(want: list[list[float]]) -> list[Any]:
    """Return rows that compare as equal within the promised tolerance of 1e-5."""
    return [pytest.approx(row, abs=1e-5) for row in want]


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
    rows: list[tuple[str, str]],
    batch_size: int,
) -> None:
    model = {"model": folders[kind], **layers}
    want = list_row_scores(name, rows, **model)
    in_reverse = list_row_scores(name, rows[::-1], batch_size=batch_size, **model)
    assert in_reverse[::-1] == approximate_rows(want)
    # Exchanged texts exchange precision and recall, if there are any.
    exchanged = list_row_scores(
        name, [(reference, prediction) for prediction, reference in rows], **model
    )
    assert [[*reversed(row[:2]), *row[2:]] for row in exchanged] == approximate_rows(want)
    values = numpy.array(want)
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
def test_the_limit_of_a_model_is_the_longest_text_that_is_not_cut(
    folders: dict[str, str],
    name: str,
    kind: str,
    limit: int,
) -> None:
    layers = {"num_layers": 2} if name == BERT else {}
    encode = import_file(name).load_encoder(folders[kind], *layers.values()).tokenizer.encode
    fits = "a" + " a" * ((limit - len(encode("a"))) // (len(encode("a a")) - len(encode("a"))))
    over = fits + " a" * 2
    result = embed_rows(name, [(fits, [over, fits, over]), (over, fits)], folders[kind], **layers)
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

    falls = ("Niagara Falls lies in Canada.", "The falls are in Mexico and Canada.")
    odd = [
        ("", "Paris"),
        ("Paris", "Paris"),
        ("北京是首都", "中国的首都是北京"),
        ("one " * 400, "two " * 300),
    ]
    rows: TextPairs = [falls, *odd, *draw_text_pairs(12, 60)]
    model = SentenceTransformer(MINILM, device="cpu")
    predictions = [prediction for prediction, _ in rows]
    references = [reference for _, reference in rows]
    cosines = cosine_similarity(model.encode(predictions), model.encode(references))
    want = cosines.diagonal().tolist()
    assert list_row_scores(COSINE, rows) == approximate_rows([[score] for score in want])
    # The default model.
    result = load(COSINE).compute(predictions=predictions, references=references, signature=True)
    assert result["average_cosine_similarity"] == pytest.approx(numpy.mean(want), abs=1e-5)
    assert [cosine.score(p, r, MINILM) for p, r in rows[:5]] == pytest.approx(want[:5], abs=1e-5)
    for part in (
        f"model:{cosine.DEFAULT_MODEL}|revision:{models.COMMIT}|max_length:256|",
        "sentence-transformers:6.",
        "transformers:5.",
        "torch:2.",
    ):
        assert part in result["signature"]


def test_cosines_by_hand_and_the_nearest_of_several_references() -> None:
    east = [1.0, 0.0]
    north = [0.0, 1.0]
    both = [1.0, 1.0]
    left = numpy.array([east, east, both, [2.0, 1.0]])
    right = numpy.array([north, [-1.0, 0.0], east, east])
    expected = [0.0, -1.0, math.sqrt(1 / 2), 2 / math.sqrt(5)]
    assert cosine.compute_cosines(left, right) == pytest.approx(expected, abs=1e-7)
    row = embed_rows(COSINE, [("a red fox", ["dogs bark", "red foxes", "cats"])])["per_example"][0]
    assert row["score"] == pytest.approx(cosine.score("a red fox", "red foxes", MINILM))
    assert row["reference"] == 1


def test_each_distinct_text_is_encoded_once_in_bounded_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = cosine.load_encoder(MINILM).model
    encode = Mock(side_effect=model.encode)
    monkeypatch.setattr(model, "encode", encode)
    embed_rows(
        COSINE,
        [("red fox", ["a fox", "red fox"]), ("red fox", "a fox"), ("a fox", ["red fox", "x"])] * 20,
    )
    assert sorted(text for call in encode.call_args_list for text in call.args[0]) == [
        "a fox",
        "red fox",
        "x",
    ]
    embed_rows(COSINE, [(f"{'word ' * 200}{i}", "x") for i in range(9)])
    assert (
        max(len(call.args[0]) for call in encode.call_args_list)
        == import_file(COSINE, "text_model").CPU_TOKENS // 203
    )


def test_tokens_that_the_model_does_not_know_are_counted_in_a_note() -> None:
    note = embed_rows(COSINE, [("吴承恩", "曹雪芹")], cosine.DEFAULT_MODEL)["per_example"][0][
        "note"
    ]
    assert (
        "treats them as equal: 3 in the prediction, 3 in the reference; this model was "
        "trained" in note
    )


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
    return approximate_rows([[value.item() for value in scorer.score([p], [r])] for p, r in rows])


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
    odd = [("\x01", "ab"), ("ab", "ab"), ("[SEP] ab", "ab"), ("北京 ab", "é!"), (" ab ", "ab\n")]
    rows: TextPairs = [*draw_text_pairs(20, longest), *odd]
    if kind == "t5":  # the package takes a text of one token and the end mark for an empty one
        rows = [row for row in rows if all(len(text) > 1 for text in row)]
    rows += [
        (p, [r, p2, r2]) for (p, r), (p2, r2) in zip(rows[:9], rows[9:18], strict=True)
    ]  # the best of each number
    want = score_with_package(folders[kind], layers, rows, limit)
    assert list_row_scores(BERT, rows, model=folders[kind], num_layers=layers) == want


def test_idf_weights_and_rescaled_scores_equal_the_package(folders: dict[str, str]) -> None:
    rows: TextPairs = [*draw_text_pairs(30, 12), ("ab cd", ["ab ef", "gh"]), ("\x01", "ab")]
    referred = [text for _, r in rows for text in ([r] if isinstance(r, str) else r)]
    want = score_with_package(folders["bert"], 2, rows, idf=True, idf_sents=referred, nthreads=0)
    assert list_row_scores(BERT, rows, model=folders["bert"], num_layers=2, idf=True) == want
    for layers in (None, 3):
        rescaled = {"rescale_with_baseline": True, "lang": "en"}
        want = score_with_package(folders["named"], layers or 9, rows[20:], **rescaled)
        assert (
            list_row_scores(BERT, rows[20:], model=folders["named"], num_layers=layers, **rescaled)
            == want
        )


def test_hash_code_and_tables_equal_those_of_the_package(folders: dict[str, str]) -> None:
    from bert_score import BERTScorer
    from bert_score.utils import lang2model, model2layers

    for idf, rescale in ((False, False), (True, True)):
        scorer = BERTScorer(
            folders["named"],
            num_layers=9,
            idf=idf,
            rescale_with_baseline=rescale,
            lang="en",
        )
        assert (
            import_file(BERT, BERT).format_hashcode(folders["named"], 9, idf, rescale)
            == scorer.hash
        )
    assert model2layers == bert.LAYER_OF_MODEL
    assert dict(lang2model) == bert.MODEL_OF
    assert lang2model["de"] == bert.MODEL_OF_OTHERS


def test_matches_of_tokens_computed_by_hand() -> None:
    import torch

    answer = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    reference = torch.tensor([[1.0, 0.0], [0.8, 0.6]])
    found = bert.match_tokens((answer, reference), ([1.0, 1.0, 1.0], [1.0, 1.0]), explain=True)
    precision = (1 + 0.6 + 0.96) / 3
    recall = (1 + 0.96) / 2
    assert found.score == pytest.approx(
        (precision, recall, 2 * precision * recall / (precision + recall)), abs=1e-7
    )
    assert [[position for position, _ in side] for side in found.tokens] == [[0, 1, 1], [0, 2]]
    weighted = bert.match_tokens((answer, reference), ([3.0, 1.0, 0.0], [0.0, 0.0]), explain=False)
    assert weighted == (pytest.approx(((3 + 0.6) / 4, 0.0, 0.0), abs=1e-7), [])


@pytest.mark.parametrize("kind", ["MiniLM", "bert", "deberta", "roberta", "t5"])
def test_listed_tokens_are_in_the_order_of_the_text_and_give_the_score(
    folders: dict[str, str], kind: str
) -> None:
    for answer in (
        "ab cd",
        "北京é 😀!",
        "a[SEP]b",
        "\u0301a",
        "x" * 200,
        "a b " * 200,
        "Ab\x00c\u200bd",
        ".  .",
    ):
        (row,) = embed_rows(BERT, [(answer, "ab")], folders[kind], num_layers=2)["per_example"]
        letters = iter(answer)
        written = "".join(
            token.removeprefix("##") for token, *_ in row["prediction_tokens"]
        ).removesuffix("</s>")
        assert all(letter in letters for letter in written), (
            "the tokens are not in the order of the text"
        )
        total = math.fsum(weight for *_, weight in row["prediction_tokens"])
        assert math.fsum(c * w for *_, c, w in row["prediction_tokens"]) / total == pytest.approx(
            row["precision"]
        )
    (best,) = embed_rows(BERT, [("ab", ["x", "ab"])], folders[kind], num_layers=2)["per_example"]
    assert best["reference"] == 1
    assert best["score"] == best["f1"]


def test_padding_changes_no_score_of_a_model_that_reads_it(tmp_path: Path) -> None:
    sizes = {"embedding_size": 16, "head_ratio": 1, "conv_kernel_size": 3}
    folder = models.make_small_model(
        tmp_path / "c", "convbert", models.make_byte_tokenizer(model_max_length=64), **sizes
    )
    rows: TextPairs = [("ab", "abc"), ("a " * 20, "b " * 11), ("a", "b")]
    together = list_row_scores(BERT, rows, model=folder, num_layers=2)
    assert together == approximate_rows(
        [list_row_scores(BERT, [row], model=folder, num_layers=2)[0] for row in rows]
    )


def test_each_distinct_text_goes_through_the_model_once_a_window_at_a_time(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = [
        (f"{p[i:]} {i}" if j % 3 else "no", [r])
        for i in (1, 2, 3)
        for j, (p, r) in enumerate(draw_text_pairs(60, 6))
    ]
    rows: TextPairs = [*systems, *((p, [r, "shared reference"]) for p, r in draw_text_pairs(60, 6))]
    want = list_row_scores(BERT, rows, model=folders["bert"], num_layers=2)
    embed = Mock(side_effect=bert.embed_texts)
    monkeypatch.setattr(bert, "embed_texts", embed)
    monkeypatch.setattr(bert, "WINDOW_TOKENS", 960)
    assert list_row_scores(BERT, rows, model=folders["bert"], num_layers=2) == approximate_rows(
        want
    )
    sizes = [len(call.args[1]) for call in embed.call_args_list]
    assert sum(sizes) == len({text.strip() for p, r in rows for text in (p, *r)}) > 2 * max(sizes)


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
        assert (
            "lang is 'zh', and the model 'microsoft/deberta-xlarge-mnli' was trained on 'en'"
            in row["note"]
        )


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
    assert (
        f"model:microsoft/deberta-xlarge-mnli|revision:{models.COMMIT}|layers:40|"
        in result["signature"]
    )
    assert result["hashcode"].startswith("microsoft/deberta-xlarge-mnli_L40_no-idf_version=")


def test_the_model_stays_loaded_between_calls_and_is_changed_for_another_layer(
    folders: dict[str, str],
) -> None:
    first, again, other, last = (
        bert.load_encoder(folders["bert"], layers) for layers in (2, 2, 3, "last")
    )
    assert first.model is again.model is not other.model
    assert [len(one.model.encoder.layer) for one in (first, other, last)] == [2, 3, 3]
