"""bertscore: the bert_score package scoring one pair at a time, matches worked out by hand, what crashes there."""

import math
import random
import weakref
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import models
from tests.support.project import functions

module = functions("bertscore")
main = functions("bertscore", "bertscore")
tables = functions("bertscore", "tables")
MINILM = models.minilm()


def pairs(count: int, longest: int) -> list[tuple[str, Any]]:
    """Return pairs of texts that share words."""
    random.seed(4)
    known = ["".join(random.choices("abcdefgh,.", k=random.randint(1, 6))) for _ in range(40)]
    texts = [" ".join(random.choices(known, k=random.randint(1, longest))) for _ in range(2 * count)]
    return list(zip(texts[::2], texts[1::2], strict=True))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Models of several kinds, the tiny ones with random weights."""
    root = tmp_path_factory.mktemp("models")
    return {
        "MiniLM": MINILM,
        "BERT": models.tiny_bert(root / "bert"),
        "DeBERTa": models.tiny_deberta(root / "deberta"),
        "RoBERTa": models.tiny_roberta(root / "roberta"),
        "T5": models.tiny_t5(root / "t5"),
    }


def package(folder: str, layers: int, limit: int | None = None, **settings: Any) -> Any:
    """Return the package's scorer; `limit` mends the tokenizers with which it crashes."""
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=folder, num_layers=layers, device="cpu", **settings)
    if limit:
        scorer._tokenizer.model_max_length = limit
    return scorer


def one_at_a_time(scorer: Any, rows: list[tuple[str, Any]]) -> list[list[float]]:
    """Return the package's precision, recall and F1 of each row, each scored alone."""
    return [[value.item() for value in scorer.score([p], [r])] for p, r in rows]


def compute(rows: list[tuple[str, Any]], **settings: Any) -> dict[str, Any]:
    columns = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    result: dict[str, Any] = main.Bertscore().compute(**columns, **{"per_example": True, **settings})
    return result


def row_of(prediction: str, references: Any, **settings: Any) -> dict[str, Any]:
    row: dict[str, Any] = compute([(prediction, references)], **settings)["per_example"][0]
    return row


def scores(rows: list[tuple[str, Any]], **settings: Any) -> list[list[float]]:
    return [[row[key] for key in ("precision", "recall", "f1")] for row in compute(rows, **settings)["per_example"]]


def near(want: list[list[float]]) -> list[Any]:
    """Return what equals within the promised tolerance."""
    return [pytest.approx(row, abs=1e-5) for row in want]


@pytest.mark.parametrize(
    ("kind", "layers", "limit", "longest"),
    [
        ("MiniLM", 6, None, 60),
        ("MiniLM", 2, None, 30),
        ("BERT", 3, None, 30),  # of which many are cut at 48 tokens
        ("BERT", 0, None, 8),
        ("DeBERTa", 2, 512, 30),
        ("RoBERTa", 2, 32, 20),
        ("T5", 2, None, 20),
    ],
)
def test_scores_equal_the_package_one_pair_at_a_time(
    folders: dict[str, str], kind: str, layers: int, limit: int | None, longest: int
) -> None:
    rows = [*pairs(40, longest), ("\x01", "ab"), ("ab", "ab"), ("[SEP] ab", "ab"), ("北京 ab", "é!"), (" ab ", "ab\n")]
    if kind == "T5":  # the package takes a text of one token and the end mark for an empty one
        rows = [row for row in rows if all(len(text) > 1 for text in row)]
    rows += [(p, [r, p2, r2]) for (p, r), (p2, r2) in zip(rows[:9], rows[9:18], strict=True)]  # the best of each number
    want = one_at_a_time(package(folders[kind], layers, limit), rows)
    assert scores(rows, model_type=folders[kind], num_layers=layers) == near(want)


def test_idf_weights_equal_the_package(folders: dict[str, str]) -> None:
    rows: list[tuple[str, Any]] = [*pairs(30, 12), ("ab cd", ["ab ef", "gh"])]
    referred = [text for _, r in rows for text in ([r] if isinstance(r, str) else r)]
    scorer = package(folders["BERT"], 2, idf=True, idf_sents=referred, nthreads=0)
    got = scores(rows, model_type=folders["BERT"], num_layers=2, idf=True)
    assert got == near(one_at_a_time(scorer, rows))


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny model under a name for which the package has a baseline."""
    models.put("bert-base-uncased", lambda folder: models.tiny_bert(folder, layers=12))
    return "bert-base-uncased"


def test_rescaled_scores_equal_the_package(named: str) -> None:
    rows: list[tuple[str, Any]] = [*pairs(20, 9), ("\x01", "ab"), ("ab", ["cd", "ab c"])]
    for layers in (None, 3):
        want = one_at_a_time(package(named, layers or 9, rescale_with_baseline=True, lang="en"), rows)
        settings = {"rescale_with_baseline": True, "lang": "en", "num_layers": layers}
        assert scores(rows, model_type=named, **settings) == near(want)


def test_the_hash_code_is_the_package_s(named: str) -> None:
    for idf in (False, True):
        for rescale in (False, True):
            scorer = package(named, 9, idf=idf, rescale_with_baseline=rescale, lang="en")
            assert main.hashcode(named, 9, idf, rescale) == scorer.hash


def test_tables_equal_the_package_s() -> None:
    from bert_score.utils import lang2model, model2layers

    assert model2layers == tables.LAYERS == module.LAYERS
    assert dict(lang2model) == module.MODEL_OF
    assert lang2model["de"] == module.MODEL_OF_OTHERS


# By hand


def test_a_match_by_hand() -> None:
    import torch

    answer = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    reference = torch.tensor([[1.0, 0.0], [0.8, 0.6]])
    found = module.match((answer, reference), ([1.0, 1.0, 1.0], [1.0, 1.0]), explain=True)
    precision, recall = (1 + 0.6 + 0.96) / 3, (1 + 0.96) / 2
    assert found.score == pytest.approx((precision, recall, 2 * precision * recall / (precision + recall)), abs=1e-7)
    assert [[position for position, _ in side] for side in found.tokens] == [[0, 1, 1], [0, 2]]
    weighted = module.match((answer, reference), ([3.0, 1.0, 0.0], [0.0, 0.0]), explain=False)
    assert weighted == (pytest.approx(((3 + 0.6) / 4, 0.0, 0.0), abs=1e-7), [])


def test_per_example_shows_the_best_reference_and_which_token_matched_which() -> None:
    row = row_of(
        "Niagara Falls lies in Mexico.", ["x", "The Niagara falls lie in Canada"], model_type=MINILM, num_layers=6
    )
    assert (row["score"], row["reference"]) == (row["f1"], 1)
    for key, tokens in (("precision", row["prediction_tokens"]), ("recall", row["reference_tokens"])):
        assert sum(cosine * weight for _, _, cosine, weight in tokens) / len(tokens) == pytest.approx(row[key])
    matches = {token: match for token, match, *_ in row["prediction_tokens"]}
    assert (matches["Falls"], matches["in"]) == ("falls", "in")


@pytest.mark.parametrize("kind", ["MiniLM", "BERT", "DeBERTa", "RoBERTa", "T5"])
@pytest.mark.parametrize(
    "answer", ["ab cd", "北京é 😀!", "a[SEP]b", "\u0301a", "x" * 200, "a b " * 200, "Ab\x00c\u200bd", ".  ."]
)
def test_tokens_are_those_of_the_text(folders: dict[str, str], kind: str, answer: str) -> None:
    row = row_of(answer, "ab", model_type=folders[kind], num_layers=2)
    encoder = module.encoder_of(folders[kind], 2)
    (read,) = module.tokenized(encoder, [module.readable(answer)]).values()
    marks = 0 if kind == "T5" else 2  # T5's end mark counts, there as here
    assert len(row["prediction_tokens"]) == len(read.ids) - marks
    written = "".join(token.removeprefix("##") for token, *_ in row["prediction_tokens"]).removesuffix("</s>")
    letters = iter(answer)
    assert all(letter in letters for letter in written), "in the order of the text"
    if not row["prediction_truncated"] and kind in ("DeBERTa", "RoBERTa"):
        assert written == "".join(answer.split())
    total = math.fsum(weight for *_, weight in row["prediction_tokens"])
    assert math.fsum(c * w for *_, c, w in row["prediction_tokens"]) / total == pytest.approx(row["precision"])


# Where the package crashes


@pytest.mark.parametrize(
    ("prediction", "reference"), [("", "ab"), ("ab", ""), ("", ""), (" \n", "ab"), ("\x01", "\x02")]
)
def test_empty_texts_score_0_and_say_so(folders: dict[str, str], prediction: str, reference: str) -> None:
    result = compute([(prediction, reference)], model_type=folders["BERT"], num_layers=2)
    assert [result[key] for key in ("precision", "recall", "f1")] == [0.0, 0.0, 0.0]
    assert result["per_example"][0]["note"].endswith("0 by definition")


def test_tokens_without_weight_score_0_and_say_so(folders: dict[str, str]) -> None:
    settings = {"model_type": folders["BERT"], "num_layers": 2}
    row = row_of("ab", "ab", idf=True, **settings)
    note = "no token of the prediction and the reference has a weight: 0 by definition"
    assert (row["f1"], row["note"]) == (0.0, note)
    row = row_of("[SEP]", "ab", **settings)
    assert (row["precision"], row["f1"]) == (0.0, 0.0)
    assert row["recall"] == pytest.approx(one_at_a_time(package(folders["BERT"], 2), [("[SEP]", "ab")])[0][1], abs=1e-5)


def test_notes_say_what_a_reader_must_know() -> None:
    note = row_of("吴承恩", "曹雪芹 x", model_type=MINILM, num_layers=6)["note"]
    assert note.endswith("to which they are all the same: 3 in the prediction, 3 in the reference")
    assert "trained on English" in row_of("北京", "北京")["note"]


@pytest.mark.parametrize(
    ("kind", "limit"), [("MiniLM", 512), ("BERT", 48), ("DeBERTa", 512), ("RoBERTa", 32), ("T5", 64)]
)
def test_the_longest_text_that_a_model_reads(folders: dict[str, str], kind: str, limit: int) -> None:
    encoder = module.encoder_of(folders[kind], 2)
    assert encoder.max_length == limit
    one = len(encoder.tokenizer.encode("a a")) - len(encoder.tokenizer.encode("a"))  # tokens of " a"
    fits = "a" + " a" * ((limit - len(encoder.empty) - 1) // one)
    over = fits + " a" * 2
    read = module.tokenized(encoder, [fits, over]).values()
    assert [(len(text.ids) <= limit, text.length > limit) for text in read] == [(True, False), (True, True)]
    assert module.score(over, fits, folders[kind], 2).f1 > 0


def test_truncated_texts_are_counted_per_side(folders: dict[str, str]) -> None:
    long, fits = "a " * 47, "a " * 46
    result = compute([(fits, [long, fits, long]), (long, fits)], model_type=folders["BERT"], num_layers=2)
    assert result["truncated"] == {"predictions": 1, "references": 2}
    shown = ("prediction_length", "prediction_truncated", "reference_truncated")
    assert [result["per_example"][1][key] for key in shown] == [49, True, False]


def test_weights_of_16_bits_are_computed_in_32(tmp_path: Path) -> None:
    from transformers import AutoModel

    folder = models.tiny_bert(tmp_path / "m")
    AutoModel.from_pretrained(folder).half().save_pretrained(folder)
    assert {p.dtype.itemsize for p in module.encoder_of(folder, 2).model.parameters()} == {4}


# Properties


@given(st.lists(st.tuples(*[st.text("abc .\u4e2d", max_size=60)] * 2), min_size=1, max_size=6), st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_symmetric_and_blind_to_order_and_batch_size(rows: list[tuple[str, str]], batch_size: int) -> None:
    model = {"model_type": MINILM, "num_layers": 6}
    want = scores(rows, **model)
    assert scores(rows[::-1], batch_size=batch_size, **model)[::-1] == near(want)
    turned = scores([(r, p) for p, r in rows], **model)
    assert [[recall, precision, f1] for precision, recall, f1 in turned] == near(want)
    identical = scores([(p, p) for p, _ in rows], **model)
    assert identical == near([[1.0] * 3 if p.strip() else [0.0] * 3 for p, _ in rows])
    assert all(value <= 1 for row in [*want, *identical] for value in row)


def test_padding_moves_no_score_where_the_model_reads_it(tmp_path: Path) -> None:
    folder = models.tiny_convbert(tmp_path / "m")
    rows = [("ab", "abc"), ("a " * 20, "b " * 11), ("a", "b")]
    together = scores(rows, model_type=folder, num_layers=2)
    assert together == near([scores([row], model_type=folder, num_layers=2)[0] for row in rows])


def test_each_distinct_text_goes_through_the_model_once_and_is_let_go(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = [(f"{p[i:]} {i}" if j % 3 else "no", [r]) for i in (1, 2, 3) for j, (p, r) in enumerate(pairs(60, 6))]
    rows = [*systems, *((p, [r, "shared reference"]) for p, r in pairs(60, 6))]
    want = scores(rows, model_type=folders["BERT"], num_layers=2)
    encoded: list[list[int]] = []
    alive: list[Any] = []
    held: list[int] = []
    embed = module.embed

    def counting(encoder: Any, texts: list[list[int]], batch_size: int) -> list[Any]:
        result: list[Any] = embed(encoder, texts, batch_size)
        encoded.extend(texts)
        alive.extend(weakref.ref(tensor) for tensor in result)
        held.append(sum(tensor() is not None for tensor in alive))
        return result

    monkeypatch.setattr(module, "embed", counting)
    monkeypatch.setattr(module, "WINDOW_TOKENS", 480)
    assert scores(rows, model_type=folders["BERT"], num_layers=2) == near(want)
    assert len(encoded) == len({text.strip() for p, r in rows for text in (p, *r)}) > 100
    assert max(held) < len(encoded) / 2


@pytest.mark.parametrize("batch_size", [1, 64])
def test_a_tokenizer_without_marks_and_empty_texts(tmp_path: Path, batch_size: int) -> None:
    folder = models.tiny_unmarked(tmp_path / "m")
    rows = [("", ""), ("ab", "ab"), ("", "ab")]
    got = scores(rows, model_type=folder, num_layers=2, batch_size=batch_size)
    assert got == near([[0.0] * 3, [1.0] * 3, [0.0] * 3])


def test_random_and_damaged_weights_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = Path(models.tiny_bert(tmp_path / "m"))
    weights = load_file(folder / "model.safetensors")
    left = {k: v for k, v in weights.items() if ".layer.1." not in k}
    save_file(left, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(
        OSError, match=r"could not be loaded: .*lack weights that the score needs, such as encoder\.layer"
    ):
        module.score("ab", "cd", folder, 2)
    weights["encoder.layer.0.output.dense.bias"][0] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(OSError, match="no numbers; its weights are damaged"):
        module.score("ab", "cd", folder, 2)


# Models, layers, languages


def test_a_model_whose_layer_is_not_known_asks_for_it(folders: dict[str, str]) -> None:
    assert [main.known_layers(name) for name in (module.DEFAULT_MODEL, folders["BERT"])] == [40, None]
    with pytest.raises(ValueError, match="pass num_layers, a number from 1 to 3, or 'last'"):
        compute([("ab", "cd")], model_type=folders["BERT"])
    last, third = (compute([("ab", "cd")], model_type=folders["BERT"], num_layers=n) for n in ("last", 3))
    assert "|layers:3|" in last["signature"]
    assert last["f1"] == third["f1"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"num_layers": 4}, "num_layers is 4; the model .* has layers 0 to 3"),
        ({"num_layers": -1}, "num_layers is -1"),
        ({"num_layers": 2.0}, "num_layers is 2.0; a whole number"),
        ({"num_layers": [2]}, r"num_layers is \[2\]; a whole number"),
        ({"num_layers": "first"}, "num_layers is 'first'; a whole number"),
        ({"model_type": 5}, "model_type is 5 .int.; the name or path"),
        ({"model_type": None}, "model_type and lang are both None"),
        ({"num_layers": 2, "rescale_with_baseline": True}, "rescale_with_baseline needs lang"),
        ({"num_layers": 2, "rescale_with_baseline": True, "lang": "en"}, "no baseline for the model .*roberta-large"),
        ({"num_layers": 2, "rescale_with_baseline": True, "lang": "../en"}, "no baseline for the model"),
    ],
)
def test_settings_that_mean_nothing_are_refused(folders: dict[str, str], wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        compute([("a", "b")], **{"model_type": folders["BERT"], **wrong})


def test_the_layers_of_any_model_are_found(tmp_path: Path) -> None:
    """Also of those that the package refuses: the score at a layer is that of what the whole model says of it."""
    import torch

    folder = models.tiny_gpt2(tmp_path / "m")
    whole, one = (module.encoder_of(folder, layers) for layers in ("last", 1))
    ids = one.tokenizer("ab cd", return_tensors="pt")
    with torch.inference_mode():
        states = whole.model.ln_f(whole.model(**ids, output_hidden_states=True).hidden_states[1])
        assert torch.allclose(one.model(**ids)[0], states, atol=1e-6)


def test_without_a_model_the_language_chooses_it() -> None:
    for lang, name in (("zh", "bert-base-chinese"), ("fr", "bert-base-multilingual-cased"), ("EN", "roberta-large")):
        with pytest.raises(OSError, match=f"the model '{name}' could not be loaded: .*HF_HUB_OFFLINE"):
            compute([("北京", "北京")], model_type=None, lang=lang)


def test_without_the_package_baselines_name_it(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install bert_score"):
        compute([("a", "b")], model_type=named, lang="en", rescale_with_baseline=True)


def test_the_default_model_is_read_at_its_layer_and_named_with_its_commit(load: Any) -> None:
    result = load("bertscore").compute(predictions=["red fox"], references=["red fox"])
    assert f"model:microsoft/deberta-xlarge-mnli|revision:{models.COMMIT}|layers:40|" in result["signature"]
    assert result["hashcode"].startswith("microsoft/deberta-xlarge-mnli_L40_no-idf_version=")


def test_the_model_stays_loaded_between_calls_and_is_cut_anew_for_another_layer(folders: dict[str, str]) -> None:
    first, again, other = (module.encoder_of(folders["BERT"], layers) for layers in (2, 2, 3))
    assert first.model is again.model is not other.model
    assert [len(one.model.encoder.layer) for one in (first, other)] == [2, 3]
