"""cosine_similarity: the card's own method, cosines worked out by hand, truncation, models that are there and not."""

import json
import math
import os
import platform
import random
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import models
from tests.hub import hub
from tests.project import ROOT, functions

module = functions("cosine_similarity")
MINILM = models.minilm()
ROWS = [
    ("Niagara Falls lies in Canada.", "The falls are in Mexico and Canada."),
    ("", "Paris"),
    ("Paris", "Paris"),
    ("北京是首都", "中国的首都是北京"),
    ("one " * 400, "two " * 300),
    ("dogs bark", "cats"),
]


def card(predictions: list[str], references: list[str]) -> list[float]:
    """Return the cosines as the card of EVE open-ended computes them."""
    from sentence_transformers import SentenceTransformer
    from sklearn.metrics.pairwise import cosine_similarity

    model = SentenceTransformer(MINILM, device="cpu")
    encoded = zip(model.encode(predictions), model.encode(references), strict=True)
    return [float(cosine_similarity([p], [r])[0][0]) for p, r in encoded]


def compute(load: Any, rows: list[tuple[str, Any]], **settings: Any) -> dict[str, Any]:
    """Return the result for (prediction, reference) rows."""
    columns = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    result: dict[str, Any] = load("cosine_similarity").compute(**columns, per_example=True, **settings)
    return result


def test_scores_equal_the_method_of_the_card(load: Any) -> None:
    random.seed(2)
    words = [word for row in ROWS for text in row for word in text.split()]
    rows = ROWS + [
        (" ".join(random.choices(words, k=random.randint(1, 60))), " ".join(random.choices(words, k=9)))
        for _ in range(60)
    ]
    want = card([p for p, _ in rows], [r for _, r in rows])
    result = compute(load, rows, model=MINILM)
    assert [row["score"] for row in result["per_example"]] == pytest.approx(want, abs=1e-5)
    assert result["average_cosine_similarity"] == pytest.approx(numpy.mean(want), abs=1e-5)
    assert [module.score(p, r, MINILM) for p, r in rows[:5]] == pytest.approx(want[:5], abs=1e-5)


@pytest.fixture(scope="module")
def two_words(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model that knows "east" as (1, 0), "north" as (0, 1) and "west" as (-1, 0), and takes the mean of a text."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "east": 1, "north": 2, "west": 3}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    weights = numpy.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]], dtype=numpy.float32)
    folder = tmp_path_factory.mktemp("two_words")
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)]).save(str(folder))
    return str(folder)


@pytest.mark.parametrize(
    ("prediction", "reference", "cosine"),
    [
        ("east", "east", 1.0),
        ("east", "north", 0.0),
        ("east", "west", -1.0),
        ("east north", "east", math.sqrt(1 / 2)),
        ("east east north", "east", 2 / math.sqrt(5)),
        ("east", ["west", "north", "east north"], math.sqrt(1 / 2)),
        ("elsewhere", "east", 0.0),  # all zeros, which scikit-learn's cosine takes for 0 too
    ],
)
def test_cosines_by_hand(two_words: str, prediction: str, reference: Any, cosine: float) -> None:
    assert module.score(prediction, reference, two_words) == pytest.approx(cosine, abs=1e-7)


def test_the_nearest_of_several_references_counts(load: Any, two_words: str) -> None:
    row = compute(load, [("east", ["west", "north", "east"])], model=two_words)["per_example"][0]
    assert (row["score"], row["reference"], row["max_length"]) == (1.0, 2, None)


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=1, max_size=6), st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_symmetric_and_blind_to_order_and_batch_size(rows: list[tuple[str, str]], batch_size: int) -> None:
    metric = module.CosineSimilarity(keep_in_memory=True)
    left, right = [p for p, _ in rows], [r for _, r in rows]

    def scores(predictions: list[str], references: list[str], size: int) -> list[float]:
        settings = {"model": MINILM, "batch_size": size, "per_example": True}
        result = metric.compute(predictions=predictions, references=references, **settings)
        return [row["score"] for row in result["per_example"]]

    want = scores(left, right, 64)
    assert scores(right, left, 64) == pytest.approx(want, abs=1e-5)
    assert scores(left[::-1], right[::-1], batch_size)[::-1] == pytest.approx(want, abs=1e-5)
    assert scores(left, left, batch_size) == pytest.approx([1.0] * len(rows), abs=1e-5)
    assert all(-1 <= score <= 1 for score in want)


def test_each_distinct_text_is_encoded_once(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = module.encoder_of(MINILM)
    seen: list[str] = []
    encode = encoder.model.encode

    def noting(texts: list[str], **given: Any) -> Any:
        seen.extend(texts)
        return encode(texts, **given)

    monkeypatch.setattr(encoder.model, "encode", noting)
    rows = [("red fox", ["a fox", "red fox"]), ("red fox", "a fox"), ("a fox", ["red fox", "x"])] * 20
    metric = module.CosineSimilarity(keep_in_memory=True)
    metric.compute(predictions=[p for p, _ in rows], references=[r for _, r in rows], model=MINILM)
    assert sorted(seen) == ["a fox", "red fox", "x"]


def test_truncated_texts_are_counted_per_side(load: Any) -> None:
    fits, long = "word " * 254, "word " * 255  # with the two marks of the model 256 and 257 tokens
    result = compute(load, [(fits, long), (long, [long, fits]), ("word", "word")], model=MINILM)
    assert result["truncated"] == {"predictions": 1, "references": 2}
    assert "max_length:256" in result["signature"]
    first, second, _ = result["per_example"]
    assert (first["prediction_length"], first["reference_length"], first["max_length"]) == (256, 257, 256)
    assert (first["prediction_truncated"], first["reference_truncated"]) == (False, True)
    assert second["prediction_truncated"]


def test_a_prompt_of_the_model_counts_as_read(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(MINILM, device="cpu", prompts={"query": "word word "}, default_prompt_name="query")
    model.save(str(tmp_path))
    assert module.token_counts(module.encoder_of(tmp_path), ["word"]) == [(5, 0)]


def test_notes_say_what_a_reader_must_know(load: Any) -> None:
    rows = [("", " "), ("a", "b"), ("北京", "北京"), ("吴承恩", "曹雪芹")]
    notes = [row["note"] for row in compute(load, rows)["per_example"]]
    assert "no text in the prediction and the reference" in notes[0]
    assert (notes[1], "trained on English" in notes[2]) == (None, True)
    unknown = "tokens unknown to the model, to which they are all the same: 3 in the prediction, 3 in the reference"
    assert notes[3].startswith(f"{unknown}; this model was trained on English")


def test_lone_surrogates_are_read_as_replacement_characters() -> None:
    assert module.score("a \ud800 b", "a \ufffd b", MINILM) == pytest.approx(1, abs=1e-6)
    assert module.score("\ud83d\ude00", "😀", MINILM) == pytest.approx(1, abs=1e-6)


def test_threads_share_the_model() -> None:
    texts = [f"{'word ' * (i % 7)}number {i}" for i in range(24)]
    want = [module.score(text, "a number", MINILM) for text in texts]
    got: dict[int, float] = {}
    module.load_encoder.cache_clear()

    def work(i: int) -> None:
        got[i] = module.score(texts[i], "a number", MINILM)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [got[i] for i in range(len(texts))] == pytest.approx(want, abs=1e-6)
    assert module.load_encoder.cache_info().misses == 1


def test_the_model_stays_loaded_between_calls_and_objects(load: Any) -> None:
    first, second = load("cosine_similarity"), load("cosine_similarity")
    loader = sys.modules[type(first).__module__]
    first.compute(predictions=["a"], references=["b"])
    loads = loader.load_encoder.cache_info().misses  # type: ignore[attr-defined]
    second.compute(predictions=["a"], references=["b"])
    first.compute(predictions=["a"], references=["b"])
    assert loader.load_encoder.cache_info().misses == loads  # type: ignore[attr-defined]


# Models, there and not


def test_the_signature_names_the_commit_of_a_model_of_the_hub(load: Any) -> None:
    signature = compute(load, [("a", "b")])["signature"]
    assert f"model:sentence-transformers/all-MiniLM-L6-v2|revision:{models.COMMIT}|" in signature
    for name in ("sentence-transformers:6.", "transformers:5.", "torch:2."):
        assert name in signature


def test_a_name_without_its_organisation_is_found() -> None:
    assert module.encoder_of("all-MiniLM-L6-v2").name == module.DEFAULT_MODEL


def test_the_signature_tells_two_folders_of_one_name_apart(tmp_path: Path) -> None:
    folder = tmp_path / "kind" / "model"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "README.md").write_text("changes nothing")
    name, before = module.identity(str(folder))
    (folder / "README.md").write_text("edited")
    (folder / ".git").mkdir()
    (folder / ".git" / "index.json").write_text("1")
    assert (name, module.identity(str(folder))[1]) == ("model", before)
    (folder / "config.json").write_text("{ }")
    assert module.identity(str(folder))[1] != before
    assert before.startswith("sha256-")


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("org/none", "HF_HUB_OFFLINE forbids to ask"),
        ("/no/such/folder", "neither a folder on this machine nor a name"),
        ("bad name", "neither a folder on this machine nor a name"),
    ],
)
def test_a_model_that_is_not_there_gives_one_clear_error(load: Any, model: str, reason: str) -> None:
    with pytest.raises(OSError, match=reason) as caught:
        compute(load, [("a", "b")], model=model)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert "Pass the path of a folder that holds a model" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_model_and_a_damaged_one(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"could not be loaded: .*Pass the path"):
        module.score("a", "b", tmp_path)
    broken = tmp_path / "broken"
    shutil.copytree(MINILM, broken)
    weights = broken / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(OSError, match=r"could not be loaded: \w+: .*Pass the path"):
        module.score("a", "b", broken)


@pytest.mark.parametrize("model", [None, 5, "", b"x"])
def test_a_model_that_is_no_name_is_refused(load: Any, model: Any) -> None:
    with pytest.raises((TypeError, OSError), match=r"model is .*; the name or path|could not be loaded"):
        compute(load, [("a", "b")], model=model)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"batch_size": 0}, "batch_size is 0; a whole number"),
        ({"batch_size": True}, "batch_size is True"),
        ({"batch_size": 1.5}, "batch_size is 1.5"),
        ({"batch_size": "8"}, "batch_size is '8'"),
        ({"device": "gpu"}, "device is 'gpu', which torch has not here"),
        ({"device": 5.0}, "device is 5.0, which torch has not here"),
    ],
)
def test_settings_that_mean_nothing_are_refused(load: Any, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compute(load, [("a", "b")], **wrong)


ASK = """
import sys
from metrics.cosine_similarity import cosine_similarity as c
from metrics.bertscore import bertscore as b
for ask in sys.argv[1:]:
    module, name = ask.split(":", 1)
    try:
        print(f"{c.score('ab', 'a b', name):.3f}" if module == "c" else f"{b.score('ab', 'a b', name, 2).f1:.3f}")
        print((c.encoder_of(name) if module == "c" else b.encoder_of(name, 2)).revision)
    except OSError as error:
        print(error)
"""


def test_models_are_downloaded_from_the_hub_once_and_what_it_refuses_is_said(tmp_path: Path) -> None:
    """The whole way of a download, from a server that speaks as the Hub does."""
    tiny = models.tiny_bert(tmp_path / "tiny")
    asked = ["c:org/minilm", "b:org/tiny", "b:org/none", "c:org/gated", "c:plain"]
    command = [sys.executable, "-c", ASK, *asked]
    with hub({"org/minilm": Path(MINILM), "org/tiny": Path(tiny)}, gated=("org/gated",)) as (address, requests):
        environment = {**os.environ, "HF_ENDPOINT": address, "HF_HUB_CACHE": str(tmp_path / "cache")}
        environment |= {"HF_HUB_OFFLINE": "0", "PYTHONPATH": str(ROOT)}
        said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
        assert len(said) == 7
        assert said[1] == said[3] == models.COMMIT
        assert float(said[0]) == pytest.approx(module.score("ab", "a b", MINILM), abs=1e-3)
        for line in (said[4], said[6]):
            assert "neither a folder on this machine nor a public model of the Hugging Face Hub" in line
        assert "sentence-transformers/plain" in said[6]
        assert "only to those who were granted access" in said[5]
        first = [request for request in requests if "org/minilm" in request or "org/tiny" in request]
        assert any("model.safetensors" in request for request in first)
        again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
        assert again == said
        assert first == [request for request in requests if "org/minilm" in request or "org/tiny" in request]


def test_a_half_downloaded_model_is_completed(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()

    def only_its_configuration(folder: Path) -> None:
        folder.mkdir()
        for name in ("config.json", "modules.json"):
            shutil.copy(Path(MINILM) / name, folder)

    models.put("org/minilm", only_its_configuration, str(cache))
    with hub({"org/minilm": Path(MINILM)}) as (address, _):
        environment = {**os.environ, "HF_ENDPOINT": address, "HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "0"}
        command = [sys.executable, "-c", ASK, "c:org/minilm"]
        environment["PYTHONPATH"] = str(ROOT)
        said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    assert float(said[0]) == pytest.approx(module.score("ab", "a b", MINILM), abs=1e-3)


def test_a_cache_that_holds_only_part_of_a_model_is_no_model(tmp_path: Path) -> None:
    """As bertscore leaves it: without the modules, sentence-transformers would pool and cut in a way of its own."""
    cache = tmp_path / "cache"
    cache.mkdir()

    def without_modules(folder: Path) -> None:
        shutil.copytree(MINILM, folder, ignore=shutil.ignore_patterns("modules.json", "1_Pooling"))

    models.put("org/minilm", without_modules, str(cache))
    environment = {**os.environ, "HF_HUB_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", ASK, "c:org/minilm"]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert "cannot be loaded (OSError: the cache holds only part of it), and HF_HUB_OFFLINE forbids" in said


def test_random_weights_and_an_empty_vocabulary_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    gaps = tmp_path / "gaps"
    shutil.copytree(MINILM, gaps)
    weights = load_file(gaps / "model.safetensors")
    left = {key: value for key, value in weights.items() if ".layer.1." not in key}
    save_file(left, gaps / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(OSError, match=r"lack weights that the score needs, such as encoder\.layer\.1\."):
        module.score("a", "b", gaps)
    mute = tmp_path / "mute"
    names = ("tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json")
    shutil.copytree(MINILM, mute, ignore=shutil.ignore_patterns(*names))
    with pytest.raises(OSError, match="could not be loaded: OSError: its files lack the tokenizer"):
        module.score("a", "b", mute)


def test_a_folder_whose_files_change_is_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "m"
    shutil.copytree(MINILM, folder)
    monkeypatch.chdir(tmp_path)
    before = module.encoder_of("m")
    assert module.encoder_of(folder) is before
    config = folder / "config.json"
    config.write_text(config.read_text("utf-8") + " ", "utf-8")
    assert module.encoder_of(folder).revision != before.revision


def test_weights_of_16_bits_are_computed_in_32(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(MINILM, device="cpu").half().save(str(tmp_path))
    rows = [(f"text {'word ' * i}", f"word {i}") for i in range(12)]
    one, many = (
        module.CosineSimilarity(keep_in_memory=True).compute(
            predictions=[p for p, _ in rows], references=[r for _, r in rows], model=tmp_path, batch_size=size
        )["average_cosine_similarity"]
        for size in (1, 64)
    )
    assert one == pytest.approx(many, abs=1e-6)


def test_a_limit_of_positions_counts_where_the_tokenizer_names_none(tmp_path: Path) -> None:
    folder = models.tiny_roberta(tmp_path / "m")
    assert module.encoder_of(folder).max_length == 32
    assert -1 <= module.score("a " * 100, "b " * 100, folder) <= 1


def test_the_hub_is_not_asked_where_that_is_forbidden() -> None:
    token = module.ask_hub.set(False)
    try:
        with pytest.raises(OSError, match="the Hugging Face Hub was not to be asked"):
            module.score("a", "b", "org/none")
    finally:
        module.ask_hub.reset(token)


def test_linear_layers_packed_for_one_processor_compute_the_same() -> None:
    import torch

    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(12, 7), torch.nn.Linear(7, 5, bias=False))
    inputs = torch.randn(3, 4, 12)
    with torch.inference_mode():
        want = model(inputs)
        module.pack(model)
        assert torch.allclose(model(inputs), want, atol=1e-6)
    if torch.backends.mkldnn.is_available() and platform.machine() in ("x86_64", "AMD64"):
        assert all("forward" in vars(layer) for layer in model), "nothing was packed"


def test_a_result_with_truncation_can_be_saved(load: Any, tmp_path: Path) -> None:
    import evaluate

    result = compute(load, [("a", "b")])
    path = evaluate.save(tmp_path / "result.json", **result)
    assert json.loads(Path(path).read_text("utf-8"))["truncated"] == {"predictions": 0, "references": 0}
