"""cosine_similarity: the card's own method, cosines worked out by hand, truncation; and local models, there and not."""

import json
import math
import os
import random
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import models
from tests.support.hub import files_of, hub
from tests.support.project import ROOT, functions

module = functions("cosine_similarity")
text_model = functions("cosine_similarity", "text_model")
MINILM = models.minilm()
LONG = ("one " * 400, "two " * 300)
ROWS = [
    ("Niagara Falls lies in Canada.", "The falls are in Mexico and Canada."),
    ("", "Paris"),
    ("Paris", "Paris"),
    ("北京是首都", "中国的首都是北京"),
    LONG,
    ("dogs bark", "cats"),
]


def compute(rows: list[tuple[str, Any]], **settings: Any) -> dict[str, Any]:
    """Return the result for (prediction, reference) rows."""
    metric = functions("cosine_similarity", "cosine_similarity").CosineSimilarity()
    columns = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    result: dict[str, Any] = metric.compute(**columns, **{"per_example": True, "model": MINILM, **settings})
    return result


def scores(rows: list[tuple[str, Any]], **settings: Any) -> list[float]:
    return [row["score"] for row in compute(rows, **settings)["per_example"]]


def test_scores_equal_the_method_of_the_card(load: Any) -> None:
    from sentence_transformers import SentenceTransformer
    from sklearn.metrics.pairwise import cosine_similarity

    random.seed(2)
    words = [word for row in ROWS for text in row for word in text.split()]
    texts = [[" ".join(random.choices(words, k=random.randint(1, n))) for n in (60, 9)] for _ in range(12)]
    rows = [*ROWS, *((p, r) for p, r in texts)]
    model = SentenceTransformer(MINILM, device="cpu")
    encoded = zip(*(model.encode([row[side] for row in rows]) for side in (0, 1)), strict=True)
    want = [float(cosine_similarity([p], [r])[0][0]) for p, r in encoded]
    assert scores(rows) == pytest.approx(want, abs=1e-5)
    given = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    result = load("cosine_similarity").compute(**given, signature=True)  # the default model
    assert result["average_cosine_similarity"] == pytest.approx(numpy.mean(want), abs=1e-5)
    assert [module.score(p, r, MINILM) for p, r in rows[:5]] == pytest.approx(want[:5], abs=1e-5)
    assert f"model:{module.DEFAULT_MODEL}|revision:{models.COMMIT}|max_length:256|" in result["signature"]
    assert all(name in result["signature"] for name in ("sentence-transformers:6.", "transformers:5.", "torch:2."))


def test_cosines_by_hand_and_the_nearest_of_several_references() -> None:
    east, north, both = [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]
    found = module.cosines(numpy.array([east, east, both, [2.0, 1.0]]), numpy.array([north, [-1.0, 0.0], east, east]))
    assert list(found) == pytest.approx([0.0, -1.0, math.sqrt(1 / 2), 2 / math.sqrt(5)], abs=1e-7)
    row = compute([("a red fox", ["dogs bark", "red foxes", "cats"])])["per_example"][0]
    assert (row["score"], row["reference"]) == (pytest.approx(module.score("a red fox", "red foxes", MINILM)), 1)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A RoBERTa for 32 tokens, whose tokenizer names no limit."""
    return models.tiny_roberta(tmp_path_factory.mktemp("roberta") / "m")


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=1, max_size=6), st.integers(1, 5))
@settings(max_examples=25)
def test_symmetric_and_blind_to_order_and_batch_size(small: str, rows: list[tuple[str, str]], batch_size: int) -> None:
    want = scores(rows, model=small)
    assert scores([(r, p) for p, r in rows], model=small) == pytest.approx(want, abs=1e-5)
    assert scores(rows[::-1], model=small, batch_size=batch_size)[::-1] == pytest.approx(want, abs=1e-5)
    assert scores([(p, p) for p, _ in rows], model=small) == pytest.approx([1.0] * len(rows), abs=1e-5)
    assert all(-1 <= score <= 1 for score in want)


def test_each_distinct_text_is_encoded_once_in_bounded_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    model = module.encoder_of(MINILM).model
    encode = mock.Mock(side_effect=model.encode)
    monkeypatch.setattr(model, "encode", encode)
    compute([("red fox", ["a fox", "red fox"]), ("red fox", "a fox"), ("a fox", ["red fox", "x"])] * 20)
    assert sorted(text for call in encode.call_args_list for text in call.args[0]) == ["a fox", "red fox", "x"]
    compute([(f"{'word ' * 200}{i}", "x") for i in range(9)])
    assert max(len(call.args[0]) for call in encode.call_args_list) == text_model.CPU_TOKENS // 203


def test_truncated_texts_are_counted_per_side(small: str) -> None:
    fits, long = "word " * 254, "word " * 255  # with the two marks of the model 256 and 257 tokens
    result = compute([(fits, long), (long, [long, fits]), ("word", "word")])
    assert (result["predictions_truncated"], result["references_truncated"]) == (1, 2)
    first = result["per_example"][0]
    assert (first["prediction_length"], first["reference_length"], first["max_length"]) == (256, 257, 256)
    assert (first["prediction_truncated"], first["reference_truncated"]) == (False, True)
    assert module.encoder_of(small).max_length == 32  # by its table of positions


def test_what_the_model_does_not_know_is_noted() -> None:
    note = compute([("吴承恩", "曹雪芹")], model=module.DEFAULT_MODEL)["per_example"][0]["note"]
    assert "to which they are all the same: 3 in the prediction, 3 in the reference; this model was trained" in note


# Local models: text_model.py, of which the other two have the same copy


def test_threads_share_one_model_that_stays_until_its_files_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, texts = tmp_path / "m", [f"{'word ' * (i % 7)}number {i}" for i in range(24)]
    want = [module.score(text, "a number", MINILM) for text in texts]
    shutil.copytree(MINILM, folder)
    fetched = mock.Mock(side_effect=text_model.fetched)
    monkeypatch.setattr(text_model, "kept", {})
    monkeypatch.setattr(text_model, "fetched", fetched)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: module.score(text, "a number", folder), texts))
    assert found == pytest.approx(want, abs=1e-6)
    (folder / "README.md").write_text("changes nothing")
    before = module.encoder_of(folder)
    assert fetched.call_count == 1
    (folder / "config.json").write_text((folder / "config.json").read_text("utf-8") + " ", "utf-8")
    after = module.encoder_of(folder)
    assert (after.revision[:7], after.revision != before.revision) == ("sha256-", True)
    assert (fetched.call_count, len(text_model.kept)) == (2, 1)
    assert module.encoder_of("all-MiniLM-L6-v2").name == module.DEFAULT_MODEL  # found without its organisation


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("org/none", "OfflineModeIsEnabled: Cannot reach .*HF_HUB_OFFLINE"),
        ("bad name", "HFValidationError: Repo id must"),
    ],
)
def test_a_model_that_is_not_there_gives_one_clear_error(model: str, reason: str) -> None:
    with pytest.raises(OSError, match=rf"^[^\n]*{reason}[^\n]*Pass the path of a folder that[^\n]*$") as caught:
        module.score("a", "b", model)
    assert caught.value.__cause__ is caught.value.__context__ is None


ASK = """
import sys
from metrics.cosine_similarity import scoring as c, text_model as of_c
from metrics.bertscore import scoring as b, text_model as of_b
for module, name in [ask.split(":") for ask in sys.argv[1:]] * 2:
    try:
        print(f"{c.score('ab', 'a b', name):.3f}" if module == "c" else f"{b.score('ab', 'a b', name, 2).f1:.3f}")
        print((c.encoder_of(name) if module == "c" else b.encoder_of(name, 2)).revision)
    except OSError as error:
        print(error)
    of_c.kept.clear(), of_b.kept.clear()
"""


def test_models_are_downloaded_from_the_hub_once_and_what_it_refuses_is_said(tmp_path: Path) -> None:
    """The whole way of a download, from a server that speaks as the Hub does; asked twice, in a process of its own."""
    served = {"org/minilm": files_of(Path(MINILM)), "org/tiny": files_of(Path(models.tiny_bert(tmp_path / "tiny")))}
    with hub(served, gated=("org/gated",)) as (address, requests):
        environment = {**os.environ, "HF_ENDPOINT": address, "HF_HUB_CACHE": str(tmp_path), "HF_HUB_OFFLINE": "0"}
        environment["PYTHONPATH"] = str(ROOT)
        command = [sys.executable, "-c", ASK, "c:org/minilm", "b:org/tiny", "b:org/none", "c:org/gated"]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    said = run.stdout.splitlines()
    assert said[:6] == said[6:]
    assert said[1] == said[3] == models.COMMIT
    assert float(said[0]) == pytest.approx(module.score("ab", "a b", MINILM), abs=1e-3)
    assert "'org/none' could not be loaded: HfHubHTTPError: Client error '401" in said[4]
    assert "'org/gated' could not be loaded: GatedRepoError" in said[5]
    weights = [request for request in requests if request.startswith("GET") and "model.safetensors" in request]
    assert sorted(request.split("/")[1] for request in weights) == ["minilm", "tiny"]


def test_what_the_cache_lacks_is_said_where_the_hub_is_not_to_be_asked() -> None:
    """Of a model that bertscore took the modules are missing, without which texts would be pooled otherwise."""
    left_out = shutil.ignore_patterns("modules.json", "1_Pooling", "2_*", "sentence*")
    models.put("org/part", lambda folder: shutil.copytree(MINILM, folder, ignore=left_out))
    with pytest.raises(OSError, match="could not be loaded: OSError: the cache holds only part of it; OfflineMode"):
        module.score("ab", "a b", "org/part")
    token = text_model.ask_hub.set(False)
    with pytest.raises(OSError, match="the Hugging Face Hub was not to be asked"):
        module.score("a", "b", "org/none")
    text_model.ask_hub.reset(token)


TOKENIZER = ("tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json")


@pytest.mark.parametrize(
    ("left_out", "message"),
    [
        (TOKENIZER, "could not be loaded: OSError: its files lack the tokenizer"),
        ((), r"weights that the score needs, such as encoder\.layer\.1\."),
    ],
)
def test_a_folder_with_gaps_is_refused(left_out: tuple[str, ...], message: str, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    shutil.copytree(MINILM, tmp_path / "m", ignore=shutil.ignore_patterns(*left_out))
    if not left_out:
        weights = load_file(tmp_path / "m" / "model.safetensors")
        left = {key: value for key, value in weights.items() if ".layer.1." not in key}
        save_file(left, tmp_path / "m" / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(OSError, match=message):
        module.score("a", "b", tmp_path / "m")


def test_no_code_of_a_model_is_ever_run(tmp_path: Path) -> None:
    folder = Path(models.tiny_bert(tmp_path / "m"))
    own = {"AutoConfig": "own.Config", "AutoModel": "own.Model", "AutoModelForCausalLM": "own.Model"}
    (folder / "config.json").write_text(json.dumps({"model_type": "own", "auto_map": own}))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    for score in (module.score, functions("bertscore").score, functions("reward_accuracy").log_prob):
        with pytest.raises(OSError, match="could not be loaded"):
            score("ab", "cd", str(folder))
    assert not (tmp_path / "ran").exists()


def test_weights_of_16_bits_are_computed_in_32(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(MINILM, device="cpu").half().save(str(tmp_path))
    assert {p.dtype.itemsize for p in module.encoder_of(tmp_path).model.parameters()} == {4}
