"""bertscore: the bert_score package scoring one pair at a time, matches worked out by hand, what crashes there."""

import json
import math
import random
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import models
from tests.project import functions

module = functions("bertscore")
MINILM = models.minilm()


def text(alphabet: str, words: int) -> str:
    """Return words of these letters from the shared random state."""
    return " ".join("".join(random.choices(alphabet, k=random.randint(1, 6))) for _ in range(words))


def pairs(count: int, longest: int, alphabet: str = "abcdefgh,.") -> list[tuple[str, str]]:
    """Return pairs of texts that share words."""
    random.seed(4)
    known = text(alphabet, 40).split()
    return [
        (
            " ".join(random.choices(known, k=random.randint(1, longest))),
            " ".join(random.choices(known, k=random.randint(1, longest))),
        )
        for _ in range(count)
    ]


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


def scores(rows: list[tuple[str, Any]], **settings: Any) -> list[list[float]]:
    """Return our precision, recall and F1 of each row of one call."""
    columns = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    result = module.Bertscore(keep_in_memory=True).compute(**columns, per_example=True, **settings)
    return [[row[key] for key in ("precision", "recall", "f1")] for row in result["per_example"]]


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
    want = one_at_a_time(package(folders[kind], layers, limit), rows)
    assert scores(rows, model_type=folders[kind], num_layers=layers) == near(want)


def test_several_references_take_the_best_of_each_number(folders: dict[str, str]) -> None:
    rows = [(p, [r, p2, r2]) for (p, r), (p2, r2) in zip(pairs(20, 9), pairs(40, 9)[20:], strict=True)]
    want = one_at_a_time(package(folders["BERT"], 3), rows)
    assert scores(rows, model_type=folders["BERT"], num_layers=3) == near(want)


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
            assert module.hashcode(named, 9, idf, rescale) == scorer.hash


def test_tables_equal_the_package_s() -> None:
    from bert_score.utils import lang2model, model2layers

    assert model2layers == module.LAYERS
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
    assert weighted == (pytest.approx(((3 + 0.6) / 4, 0.0, 0.0), abs=1e-7), ([], []))


def test_per_example_adds_up_to_the_score(load: Any) -> None:
    answer, reference = "Niagara Falls lies in Mexico.", ["x", "The Niagara falls lie in Canada"]
    settings = {"model_type": MINILM, "num_layers": 6, "per_example": True}
    row = load("bertscore").compute(predictions=[answer], references=[reference], **settings)["per_example"][0]
    assert row["score"] == row["f1"]
    assert row["reference"] == 1
    for key, tokens in (("precision", row["prediction_tokens"]), ("recall", row["reference_tokens"])):
        assert sum(cosine * weight for _, _, cosine, weight in tokens) / len(tokens) == pytest.approx(row[key])
    words = "".join(f" {token}" for token, *_ in row["prediction_tokens"]).replace(" ##", "")
    assert words.split() == ["Niagara", "Falls", "lies", "in", "Mexico", "."]
    matches = {token: match for token, match, *_ in row["prediction_tokens"]}
    assert (matches["Falls"], matches["in"]) == ("falls", "in")
    assert (row["prediction_length"], row["max_length"], row["prediction_truncated"]) == (8, 512, False)


@pytest.mark.parametrize("kind", ["MiniLM", "BERT", "DeBERTa", "RoBERTa", "T5"])
@pytest.mark.parametrize(
    "answer", ["ab cd", "北京é 😀!", "a[SEP]b", "\u0301a", "x" * 200, "a b " * 200, "Ab\x00c\u200bd", ".  ."]
)
def test_tokens_are_those_of_the_text(folders: dict[str, str], kind: str, answer: str) -> None:
    settings = {"model_type": folders[kind], "num_layers": 2, "per_example": True}
    metric = module.Bertscore(keep_in_memory=True)
    row = metric.compute(predictions=[answer], references=["ab"], **settings)["per_example"][0]
    encoder = module.encoder_of(folders[kind], 2)
    read = module.tokenized(encoder, [answer])[0]
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
def test_empty_texts_score_0_and_say_so(load: Any, folders: dict[str, str], prediction: str, reference: str) -> None:
    settings = {"model_type": folders["BERT"], "num_layers": 2, "per_example": True}
    result = load("bertscore").compute(predictions=[prediction], references=[reference], **settings)
    assert [result[key] for key in ("precision", "recall", "f1")] == [0.0, 0.0, 0.0]
    assert result["per_example"][0]["note"].endswith("0 by definition")


def test_tokens_without_weight_score_0_and_say_so(load: Any, folders: dict[str, str]) -> None:
    settings = {"model_type": folders["BERT"], "num_layers": 2, "per_example": True}
    row = load("bertscore").compute(predictions=["ab"], references=["ab"], idf=True, **settings)["per_example"][0]
    assert (row["f1"], row["note"]) == (
        0.0,
        "no token of the prediction and the reference has a weight: 0 by definition",
    )
    row = load("bertscore").compute(predictions=["[SEP]"], references=["ab"], **settings)["per_example"][0]
    assert (row["precision"], row["f1"]) == (0.0, 0.0)
    assert row["recall"] == pytest.approx(one_at_a_time(package(folders["BERT"], 2), [("[SEP]", "ab")])[0][1], abs=1e-5)


def test_unknown_tokens_are_counted(load: Any) -> None:
    settings = {"model_type": MINILM, "num_layers": 6, "per_example": True}
    row = load("bertscore").compute(predictions=["吴承恩"], references=["曹雪芹 x"], **settings)["per_example"][0]
    assert row["note"].endswith("to which they are all the same: 3 in the prediction, 3 in the reference")


@pytest.mark.parametrize(
    ("kind", "limit"), [("MiniLM", 512), ("BERT", 48), ("DeBERTa", 512), ("RoBERTa", 32), ("T5", 64)]
)
def test_the_longest_text_that_a_model_reads(folders: dict[str, str], kind: str, limit: int) -> None:
    encoder = module.encoder_of(folders[kind], 2)
    assert encoder.max_length == limit
    marks = len(encoder.empty)
    fits, over = ("a " * n for n in (600, 601))
    one = len(encoder.tokenizer.encode("a a")) - len(encoder.tokenizer.encode("a"))  # tokens of " a"
    fits = "a" + " a" * ((limit - marks - 1) // one)
    over = fits + " a" * 2
    read = module.tokenized(encoder, [fits, over])
    assert [len(text.ids) <= limit for text in read] == [True, True]
    assert [text.length > limit for text in read] == [False, True]
    assert module.score(over, fits, folders[kind], 2).f1 > 0


def test_truncated_texts_are_counted_per_side(load: Any, folders: dict[str, str]) -> None:
    long, fits = "a " * 47, "a " * 46
    settings = {"model_type": folders["BERT"], "num_layers": 2, "per_example": True}
    result = load("bertscore").compute(predictions=[fits, long], references=[[long, fits, long], fits], **settings)
    assert result["truncated"] == {"predictions": 1, "references": 2}
    second = result["per_example"][1]
    assert (second["prediction_length"], second["prediction_truncated"], second["reference_truncated"]) == (
        49,
        True,
        False,
    )


def test_a_table_of_positions_bounds_what_the_tokenizer_says(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    folder = models.tiny_bert(tmp_path / "m", maximum=20)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.model_max_length = 512
    tokenizer.save_pretrained(folder)
    assert module.encoder_of(folder, 2).max_length == 20
    assert module.score("a " * 100, "b " * 100, folder, 2).f1 != 0


def test_lone_surrogates_are_read_as_replacement_characters(folders: dict[str, str]) -> None:
    assert module.score("a\ud800b", "a\ufffdb", folders["DeBERTa"], 2).f1 == pytest.approx(1, abs=1e-6)
    assert module.score("\ud83d\ude00", "😀", folders["DeBERTa"], 2).f1 == pytest.approx(1, abs=1e-6)


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
    rows: list[tuple[str, Any]] = [(p, [r, "shared reference"]) for p, r in pairs(60, 6)] * 2
    rows += [("the same answer", r) for _, r in pairs(60, 6)]
    want = scores(rows, model_type=folders["BERT"], num_layers=2)
    encoded, most = 0, 0
    alive: list[Any] = []
    embed = module.embed

    def counting(encoder: Any, texts: list[list[int]], batch_size: int) -> list[Any]:
        nonlocal encoded, most
        result = embed(encoder, texts, batch_size)
        encoded += len(texts)
        alive.extend(weakref.ref(tensor) for tensor in result)
        most = max(most, sum(reference() is not None for reference in alive))
        return result

    monkeypatch.setattr(module, "embed", counting)
    monkeypatch.setattr(module, "WINDOW_TOKENS", 200)
    assert scores(rows, model_type=folders["BERT"], num_layers=2) == near(want)
    distinct = {text for p, r in rows for text in (p, *([r] if isinstance(r, str) else r))}
    assert encoded == len(distinct)
    assert len(distinct) > 100
    assert most < len(distinct) / 2


def test_an_answer_with_a_long_and_a_short_reference_is_not_held_for_long(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[tuple[str, Any]] = [(f"answer {p}", [f"long {r} {'a ' * 12}", r[:5]]) for p, r in pairs(80, 3)]
    copies = 0
    embed = module.embed

    def counting(encoder: Any, texts: list[list[int]], batch_size: int) -> list[Any]:
        nonlocal copies
        copies += len(texts)
        return embed(encoder, texts, batch_size)

    monkeypatch.setattr(module, "WINDOW_TOKENS", 300)
    monkeypatch.setattr(module, "embed", counting)
    order = module.ordered({(3 * i, 3 * i + j) for i in range(80) for j in (1, 2)}, [9, 30, 3] * 80)
    assert all(abs(order.index((3 * i, 3 * i + 1)) - order.index((3 * i, 3 * i + 2))) == 1 for i in range(80))
    scores(rows, model_type=folders["BERT"], num_layers=2)
    assert copies == len({text for p, r in rows for text in (p, *r)})


@pytest.mark.parametrize("batch_size", [1, 64])
def test_a_tokenizer_without_marks_and_empty_texts(tmp_path: Path, batch_size: int) -> None:
    folder = models.tiny_unmarked(tmp_path / "m")
    rows = [("", ""), ("ab", "ab"), ("", "ab")]
    got = scores(rows, model_type=folder, num_layers=2, batch_size=batch_size)
    assert got == near([[0.0] * 3, [1.0] * 3, [0.0] * 3])


def test_random_weights_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = Path(models.tiny_bert(tmp_path / "m"))
    weights = {k: v for k, v in load_file(folder / "model.safetensors").items() if ".layer.1." not in k}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(OSError, match=r"lack weights that the score needs, such as encoder\.layer\.1\."):
        module.score("ab", "cd", folder, 2)
    assert module.score("ab", "ab", folder, 1).f1 == pytest.approx(1, abs=1e-6)  # the first layer is there


def test_damaged_weights_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = Path(models.tiny_bert(tmp_path / "m"))
    weights = load_file(folder / "model.safetensors")
    weights["encoder.layer.0.output.dense.bias"][0] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(OSError, match="no numbers; its weights are damaged"):
        module.score("ab", "cd", folder, 2)


def test_code_of_a_folder_is_never_run(tmp_path: Path) -> None:
    folder = Path(models.tiny_bert(tmp_path / "m"))
    config = {"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModel": "own.Model"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(OSError, match="could not be loaded"):
        module.score("ab", "cd", folder, 2)
    assert not (tmp_path / "ran").exists()


# Models, layers, languages


def test_a_model_whose_layer_is_not_known_asks_for_it(load: Any, folders: dict[str, str]) -> None:
    rows = {"predictions": ["ab"], "references": ["cd"]}
    with pytest.raises(ValueError, match="pass num_layers, a number from 1 to 3, or 'last'"):
        load("bertscore").compute(**rows, model_type=folders["BERT"])
    last = load("bertscore").compute(**rows, model_type=folders["BERT"], num_layers="last")
    assert "|layers:3|" in last["signature"]
    assert last["f1"] == load("bertscore").compute(**rows, model_type=folders["BERT"], num_layers=3)["f1"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"num_layers": 4}, "num_layers is 4; the model .* has layers 0 to 3"),
        ({"num_layers": -1}, "num_layers is -1"),
        ({"num_layers": 2.0}, "num_layers is 2.0; a whole number"),
        ({"num_layers": [2]}, r"num_layers is \[2\]; a whole number"),
        ({"num_layers": True}, "num_layers is True; a whole number"),
        ({"num_layers": "first"}, "num_layers is 'first'; a whole number"),
        ({"batch_size": 0}, "batch_size is 0"),
        ({"device": "gpu"}, "device is 'gpu', which torch has not here"),
        ({"model_type": 5}, "model_type is 5 .int.; the name or path"),
        ({"model_type": None}, "model_type and lang are both None"),
        ({"model_type": None, "lang": 3}, "lang is 3 .int.; a language"),
        ({"num_layers": 2, "rescale_with_baseline": True}, "rescale_with_baseline needs lang"),
        ({"num_layers": 2, "rescale_with_baseline": True, "lang": "en"}, "no baseline for the model .*roberta-large"),
        ({"num_layers": 2, "rescale_with_baseline": True, "lang": "../en"}, "no baseline for the model"),
    ],
)
def test_settings_that_mean_nothing_are_refused(
    load: Any, folders: dict[str, str], wrong: dict[str, Any], message: str
) -> None:
    settings = {"model_type": folders["BERT"], **wrong}
    with pytest.raises((TypeError, ValueError), match=message):
        load("bertscore").compute(predictions=["a"], references=["b"], **settings)


def test_a_model_that_keeps_its_layers_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="keeps its layers in a way that BERTScore does not know"):
        module.encoder_of(models.tiny_gpt2(tmp_path / "m"), 2)


def test_without_a_model_the_language_chooses_it(load: Any) -> None:
    rows = {"predictions": ["北京"], "references": ["北京"]}
    for lang, name in (("zh", "bert-base-chinese"), ("fr", "bert-base-multilingual-cased"), ("EN", "roberta-large")):
        with pytest.raises(OSError, match=f"the model '{name}' could not be loaded: .*HF_HUB_OFFLINE"):
            load("bertscore").compute(**rows, model_type=None, lang=lang)
    note = load("bertscore").compute(**rows, per_example=True)["per_example"][0]["note"]
    assert "trained on English" in note


def test_without_the_package_baselines_name_it(named: str, load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = load("bertscore")
    loaded: Any = sys.modules[type(metric).__module__]
    loaded.baselines.cache_clear()
    monkeypatch.setattr(loaded.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install bert_score"):
        metric.compute(predictions=["a"], references=["b"], model_type=named, lang="en", rescale_with_baseline=True)


def test_the_default_model_is_read_at_its_layer_and_named_with_its_commit(load: Any) -> None:
    result = load("bertscore").compute(predictions=["red fox"], references=["red fox"])
    assert f"model:microsoft/deberta-xlarge-mnli|revision:{models.COMMIT}|layers:40|" in result["signature"]
    assert result["hashcode"].startswith("microsoft/deberta-xlarge-mnli_L40_no-idf_version=")


def test_the_model_stays_loaded_between_calls_and_objects(load: Any, folders: dict[str, str]) -> None:
    loaded: Any = sys.modules[type(load("bertscore")).__module__]
    rows = {"predictions": ["a"], "references": ["b"], "model_type": folders["BERT"], "num_layers": 2}
    load("bertscore").compute(**rows)
    loads = loaded.load_encoder.cache_info().misses
    load("bertscore").compute(**rows)
    assert loaded.load_encoder.cache_info().misses == loads
