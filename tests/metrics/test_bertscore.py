"""bertscore: the bert_score package scoring one pair at a time, matches worked out by hand, what crashes there."""

import math
import random
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import models
from tests.support.project import functions

module = functions("bertscore")
main = functions("bertscore", "bertscore")
MINILM = models.minilm()
Rows = list[tuple[str, Any]]


def pairs(count: int, longest: int) -> Rows:
    """Return pairs of texts that share words."""
    random.seed(4)
    known = ["".join(random.choices("abcdefgh,.", k=random.randint(1, 6))) for _ in range(40)]
    texts = [" ".join(random.choices(known, k=random.randint(1, longest))) for _ in range(2 * count)]
    return list(zip(texts[::2], texts[1::2], strict=True))


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Models of several kinds, the tiny ones with random weights; and one by a name that the package knows."""
    root, made = tmp_path_factory.mktemp("models"), {"MiniLM": MINILM, "named": "bert-base-uncased"}
    for kind in ("bert", "deberta", "roberta", "t5"):
        made[kind] = getattr(models, f"tiny_{kind}")(root / kind)
    models.put("bert-base-uncased", lambda folder: models.tiny_bert(folder, layers=12))
    return made


def package(folder: str, layers: int, rows: Rows, limit: Any = None, **settings: Any) -> list[Any]:
    """Return what the package gives each row alone; `limit` mends the tokenizers with which it crashes."""
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=folder, num_layers=layers, device="cpu", **settings)
    if limit:
        scorer._tokenizer.model_max_length = limit
    return near([[value.item() for value in scorer.score([p], [r])] for p, r in rows])


def compute(rows: Rows, **settings: Any) -> dict[str, Any]:
    columns = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    result: dict[str, Any] = main.Bertscore().compute(**columns, **{"per_example": True, **settings})
    return result


def row_of(prediction: str, references: Any, **settings: Any) -> dict[str, Any]:
    return dict(compute([(prediction, references)], **settings)["per_example"][0])


def scores(rows: Rows, **settings: Any) -> list[list[float]]:
    return [[row[key] for key in ("precision", "recall", "f1")] for row in compute(rows, **settings)["per_example"]]


def near(want: list[list[float]]) -> list[Any]:
    """Return what equals within the promised tolerance."""
    return [pytest.approx(row, abs=1e-5) for row in want]


@pytest.mark.parametrize(
    ("kind", "layers", "limit", "longest"),
    [
        ("MiniLM", 6, None, 12),
        ("bert", 3, None, 30),  # of which many are cut at 48 tokens
        ("bert", 0, None, 8),
        ("deberta", 2, 512, 30),
        ("roberta", 2, 32, 20),
        ("t5", 2, None, 20),
    ],
)
def test_scores_equal_the_package_one_pair_at_a_time(
    folders: dict[str, str], kind: str, layers: int, limit: int | None, longest: int
) -> None:
    odd = [("\x01", "ab"), ("ab", "ab"), ("[SEP] ab", "ab"), ("北京 ab", "é!"), (" ab ", "ab\n")]
    rows: Rows = [*pairs(20, longest), *odd]
    if kind == "t5":  # the package takes a text of one token and the end mark for an empty one
        rows = [row for row in rows if all(len(text) > 1 for text in row)]
    rows += [(p, [r, p2, r2]) for (p, r), (p2, r2) in zip(rows[:9], rows[9:18], strict=True)]  # the best of each number
    want = package(folders[kind], layers, rows, limit)
    assert scores(rows, model_type=folders[kind], num_layers=layers) == want


def test_idf_weights_and_rescaled_scores_equal_the_package(folders: dict[str, str]) -> None:
    rows: Rows = [*pairs(30, 12), ("ab cd", ["ab ef", "gh"]), ("\x01", "ab")]
    referred = [text for _, r in rows for text in ([r] if isinstance(r, str) else r)]
    want = package(folders["bert"], 2, rows, idf=True, idf_sents=referred, nthreads=0)
    assert scores(rows, model_type=folders["bert"], num_layers=2, idf=True) == want
    for layers in (None, 3):
        rescaled = {"rescale_with_baseline": True, "lang": "en"}
        want = package(folders["named"], layers or 9, rows[20:], **rescaled)
        assert scores(rows[20:], model_type=folders["named"], num_layers=layers, **rescaled) == want


def test_hash_code_and_tables_are_the_package_s(folders: dict[str, str]) -> None:
    from bert_score import BERTScorer
    from bert_score.utils import lang2model, model2layers

    for idf, rescale in ((False, False), (True, True)):
        scorer = BERTScorer(folders["named"], num_layers=9, idf=idf, rescale_with_baseline=rescale, lang="en")
        assert main.hashcode(folders["named"], 9, idf, rescale) == scorer.hash
    assert model2layers == module.LAYERS
    assert (dict(lang2model), lang2model["de"]) == (module.MODEL_OF, module.MODEL_OF_OTHERS)


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


@pytest.mark.parametrize("kind", ["MiniLM", "bert", "deberta", "roberta", "t5"])
def test_tokens_are_those_of_the_text_and_make_up_the_score(folders: dict[str, str], kind: str) -> None:
    for answer in ("ab cd", "北京é 😀!", "a[SEP]b", "\u0301a", "x" * 200, "a b " * 200, "Ab\x00c\u200bd", ".  ."):
        row = row_of(answer, "ab", model_type=folders[kind], num_layers=2)
        letters = iter(answer)
        written = "".join(token.removeprefix("##") for token, *_ in row["prediction_tokens"]).removesuffix("</s>")
        assert all(letter in letters for letter in written), "in the order of the text"
        total = math.fsum(weight for *_, weight in row["prediction_tokens"])
        assert math.fsum(c * w for *_, c, w in row["prediction_tokens"]) / total == pytest.approx(row["precision"])
    best = row_of("ab", ["x", "ab"], model_type=folders[kind], num_layers=2)
    assert (best["reference"], best["score"]) == (1, best["f1"])


@pytest.mark.parametrize(
    ("kind", "limit"), [("MiniLM", 512), ("bert", 48), ("deberta", 512), ("roberta", 32), ("t5", 64)]
)
def test_the_longest_text_that_a_model_reads(folders: dict[str, str], kind: str, limit: int) -> None:
    encoder = module.encoder_of(folders[kind], 2)
    assert encoder.max_length == limit
    one = len(encoder.tokenizer.encode("a a")) - len(encoder.tokenizer.encode("a"))  # tokens of " a"
    fits = "a" + " a" * ((limit - len(encoder.empty) - 1) // one)
    over = fits + " a" * 2
    result = compute([(fits, [over, fits, over]), (over, fits)], model_type=folders[kind], num_layers=2)
    assert (result["predictions_truncated"], result["references_truncated"]) == (1, 2)
    assert [result["per_example"][1][f"{side}_truncated"] for side in ("prediction", "reference")] == [True, False]
    assert result["per_example"][1]["f1"] > 0


@given(st.lists(st.tuples(*[st.text("abc .\u4e2d", max_size=60)] * 2), min_size=1, max_size=6), st.integers(1, 5))
@settings(max_examples=25)
def test_symmetric_and_blind_to_order_and_batch_size(
    folders: dict[str, str], rows: list[tuple[str, str]], batch_size: int
) -> None:
    model = {"model_type": folders["deberta"], "num_layers": 2}
    want = scores(rows, **model)
    assert scores(rows[::-1], batch_size=batch_size, **model)[::-1] == near(want)
    turned = scores([(r, p) for p, r in rows], **model)
    assert [[recall, precision, f1] for precision, recall, f1 in turned] == near(want)
    identical = scores([(p, p) for p, _ in rows], **model)
    assert identical == near([[1.0] * 3 if p.strip() else [0.0] * 3 for p, _ in rows])
    assert all(value <= 1 for row in [*want, *identical] for value in row)


def test_padding_moves_no_score_where_the_model_reads_it(tmp_path: Path) -> None:
    sizes = {"embedding_size": 16, "head_ratio": 1, "conv_kernel_size": 3}
    folder = models.small(tmp_path / "c", "convbert", models.of_bytes(model_max_length=64), **sizes)
    rows: Rows = [("ab", "abc"), ("a " * 20, "b " * 11), ("a", "b")]
    together = scores(rows, model_type=folder, num_layers=2)
    assert together == near([scores([row], model_type=folder, num_layers=2)[0] for row in rows])


def test_each_distinct_text_goes_through_the_model_once_a_window_at_a_time(
    folders: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    systems = [(f"{p[i:]} {i}" if j % 3 else "no", [r]) for i in (1, 2, 3) for j, (p, r) in enumerate(pairs(60, 6))]
    rows: Rows = [*systems, *((p, [r, "shared reference"]) for p, r in pairs(60, 6))]
    want = scores(rows, model_type=folders["bert"], num_layers=2)
    embed = Mock(side_effect=module.embed)
    monkeypatch.setattr(module, "embed", embed)
    monkeypatch.setattr(module, "WINDOW_TOKENS", 960)
    assert scores(rows, model_type=folders["bert"], num_layers=2) == near(want)
    sizes = [len(call.args[1]) for call in embed.call_args_list]
    assert sum(sizes) == len({text.strip() for p, r in rows for text in (p, *r)}) > 2 * max(sizes)


def test_damaged_weights_are_said(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    there = Path(models.tiny_bert(tmp_path / "m")) / "model.safetensors"
    weights = load_file(there)
    weights["encoder.layer.0.output.dense.bias"][0] = float("nan")
    save_file(weights, there, metadata={"format": "pt"})
    with pytest.raises(OSError, match="no numbers; its weights are damaged"):
        module.score("ab", "cd", there.parent, 2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"num_layers": "first"}, "num_layers is 'first'; a whole number"),
        ({"num_layers": 2, "rescale_with_baseline": True, "lang": "en"}, "no baseline for the model .*roberta-large"),
        ({"num_layers": 2, "rescale_with_baseline": True, "lang": "../en"}, "no baseline for the model"),
        ({"model_type": None, "lang": "zh"}, "the model 'bert-base-chinese' could not be loaded: .*HF_HUB_OFFLINE"),
    ],
)
def test_what_cannot_be_computed_is_refused(folders: dict[str, str], wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError, OSError), match=message):
        compute([("a", "b")], **{"model_type": folders["bert"], **wrong})


def test_the_package_of_the_baselines_is_named(folders: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install bert_score"):
        compute([("a", "b")], model_type=folders["named"], lang="en", rescale_with_baseline=True)


def test_the_default_model_is_read_at_its_layer_and_named_with_its_commit() -> None:
    result = compute([("red fox", "red fox")])
    assert f"model:microsoft/deberta-xlarge-mnli|revision:{models.COMMIT}|layers:40|" in result["signature"]
    assert result["hashcode"].startswith("microsoft/deberta-xlarge-mnli_L40_no-idf_version=")


def test_the_model_stays_loaded_between_calls_and_is_cut_anew_for_another_layer(folders: dict[str, str]) -> None:
    first, again, other, last = (module.encoder_of(folders["bert"], layers) for layers in (2, 2, 3, "last"))
    assert first.model is again.model is not other.model
    assert [len(one.model.encoder.layer) for one in (first, other, last)] == [2, 3, 3]
