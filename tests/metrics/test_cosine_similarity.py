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

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import models
from tests.support.hub import hub
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
    texts = [[" ".join(random.choices(words, k=random.randint(1, n))) for n in (60, 9)] for _ in range(60)]
    rows = [*ROWS, *((p, r) for p, r in texts)]
    model = SentenceTransformer(MINILM, device="cpu")
    encoded = zip(*(model.encode([row[side] for row in rows]) for side in (0, 1)), strict=True)
    want = [float(cosine_similarity([p], [r])[0][0]) for p, r in encoded]
    assert scores(rows) == pytest.approx(want, abs=1e-5)
    given = {"predictions": [p for p, _ in rows], "references": [r for _, r in rows]}
    result = load("cosine_similarity").compute(**given)  # the default model
    assert result["average_cosine_similarity"] == pytest.approx(numpy.mean(want), abs=1e-5)
    assert [module.score(p, r, MINILM) for p, r in rows[:5]] == pytest.approx(want[:5], abs=1e-5)
    assert f"model:{module.DEFAULT_MODEL}|revision:{models.COMMIT}|max_length:256|" in result["signature"]
    assert all(name in result["signature"] for name in ("sentence-transformers:6.", "transformers:5.", "torch:2."))


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
    ("prediction", "reference", "cosine", "nearest"),
    [
        ("east", "east", 1.0, 0),
        ("east", "north", 0.0, 0),
        ("east", "west", -1.0, 0),
        ("east north", "east", math.sqrt(1 / 2), 0),
        ("east east north", "east", 2 / math.sqrt(5), 0),
        ("east", ["west", "north", "east north"], math.sqrt(1 / 2), 2),
        ("elsewhere", "east", 0.0, 0),  # all zeros, which scikit-learn's cosine takes for 0 too
    ],
)
def test_cosines_by_hand(two_words: str, prediction: str, reference: Any, cosine: float, nearest: int) -> None:
    assert module.score(prediction, reference, two_words) == pytest.approx(cosine, abs=1e-7)
    row = compute([(prediction, reference)], model=two_words)["per_example"][0]
    assert (row["score"], row["reference"], row["max_length"]) == (pytest.approx(cosine, abs=1e-7), nearest, None)


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=1, max_size=6), st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_symmetric_and_blind_to_order_and_batch_size(rows: list[tuple[str, str]], batch_size: int) -> None:
    want = scores(rows)
    assert scores([(r, p) for p, r in rows]) == pytest.approx(want, abs=1e-5)
    assert scores(rows[::-1], batch_size=batch_size)[::-1] == pytest.approx(want, abs=1e-5)
    assert scores([(p, p) for p, _ in rows], batch_size=batch_size) == pytest.approx([1.0] * len(rows), abs=1e-5)
    assert all(-1 <= score <= 1 for score in want)


def test_each_distinct_text_is_encoded_once_in_bounded_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = module.encoder_of(MINILM)
    seen: list[list[str]] = []
    encode = encoder.model.encode

    def noting(texts: list[str], **given: Any) -> Any:
        seen.append(texts)
        return encode(texts, **given)

    monkeypatch.setattr(encoder.model, "encode", noting)
    compute([("red fox", ["a fox", "red fox"]), ("red fox", "a fox"), ("a fox", ["red fox", "x"])] * 20)
    assert sorted(text for batch in seen for text in batch) == ["a fox", "red fox", "x"]
    seen.clear()
    compute([(f"{'word ' * 200}{i}", "x") for i in range(9)])
    assert max(len(batch) for batch in seen) == text_model.CPU_TOKENS // 203


def test_truncated_texts_are_counted_per_side() -> None:
    fits, long = "word " * 254, "word " * 255  # with the two marks of the model 256 and 257 tokens
    result = compute([(fits, long), (long, [long, fits]), ("word", "word")])
    assert result["truncated"] == {"predictions": 1, "references": 2}
    first, second, _ = result["per_example"]
    assert (first["prediction_length"], first["reference_length"], first["max_length"]) == (256, 257, 256)
    assert (first["prediction_truncated"], first["reference_truncated"]) == (False, True)
    assert second["prediction_truncated"]


def test_a_prompt_of_the_model_counts_as_read(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(MINILM, device="cpu", prompts={"query": "word word "}, default_prompt_name="query")
    model.save(str(tmp_path))
    assert module.embed(module.encoder_of(tmp_path), ["word"])["word"].length == 5


def test_notes_say_what_a_reader_must_know() -> None:
    rows = [("", " "), ("a", "b"), ("北京", "北京"), ("吴承恩", "曹雪芹")]
    notes = [row["note"] for row in compute(rows, model=module.DEFAULT_MODEL)["per_example"]]
    assert "no text in the prediction and the reference" in notes[0]
    assert (notes[1], "trained on English" in notes[2]) == (None, True)
    unknown = "tokens unknown to the model, to which they are all the same: 3 in the prediction, 3 in the reference"
    assert notes[3].startswith(f"{unknown}; this model was trained on English")


# Local models: text_model.py, of which the other two have the same copy


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The models that are loaded from now on."""
    found: list[str] = []
    fetched = text_model.fetched

    def noting(load: Any, model: str, *settings: Any) -> Any:
        found.append(model)
        return fetched(load, model, *settings)

    monkeypatch.setattr(text_model, "kept", {})
    monkeypatch.setattr(text_model, "fetched", noting)
    return found


def test_threads_share_one_model_that_stays_loaded(loads: list[str]) -> None:
    texts = [f"{'word ' * (i % 7)}number {i}" for i in range(24)]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda text: module.score(text, "a number", MINILM), texts))
    assert got == pytest.approx([module.score(text, "a number", MINILM) for text in texts], abs=1e-6)
    assert len(loads) == 1


def test_the_last_model_stays_until_its_files_change(
    loads: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(MINILM, tmp_path / "m")
    monkeypatch.chdir(tmp_path)
    before = module.encoder_of("m")
    assert module.encoder_of(tmp_path / "m").model is before.model
    config = tmp_path / "m" / "config.json"
    config.write_text(config.read_text("utf-8") + " ", "utf-8")
    (tmp_path / "m" / "README.md").write_text("changes nothing")
    changed = module.encoder_of("m")
    assert (changed.name, changed.revision[:7]) == ("m", "sha256-")
    assert changed.revision != before.revision
    assert (len(loads), len(text_model.kept)) == (2, 1)
    assert module.encoder_of("all-MiniLM-L6-v2").name == module.DEFAULT_MODEL  # found without its organisation


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("org/none", "OfflineModeIsEnabled: Cannot reach .*HF_HUB_OFFLINE"),
        ("/no/such/folder", "HFValidationError: Repo id must"),
        ("bad name", "HFValidationError: Repo id must"),
        ("\x00", "HFValidationError: Repo id must"),
    ],
)
def test_a_model_that_is_not_there_gives_one_clear_error(model: str, reason: str) -> None:
    with pytest.raises(OSError, match=reason) as caught:
        compute([("a", "b")], model=model)
    assert caught.value.__cause__ is caught.value.__context__ is None
    assert "Pass the path of a folder that holds a model" in str(caught.value)
    assert "\n" not in str(caught.value)
    token = functions("cosine_similarity", "cosine_similarity").ask_hub.set(False)
    try:
        with pytest.raises(OSError, match="the Hugging Face Hub was not to be asked"):
            module.score("a", "b", model)
    finally:
        text_model.ask_hub.reset(token)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        *(({"model": model}, r"model is .*; the name or path") for model in (None, 5, "", b"x")),
        ({"batch_size": 0}, "batch_size is 0; a whole number"),
        ({"batch_size": True}, "batch_size is True"),
        ({"batch_size": 1.5}, "batch_size is 1.5"),
        ({"batch_size": "8"}, "batch_size is '8'"),
        ({"device": "gpu"}, "device is 'gpu', which torch has not here"),
        ({"device": 5.0}, "device is 5.0, which torch has not here"),
    ],
)
def test_settings_that_mean_nothing_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        compute([("a", "b")], **wrong)


ASK = """
import sys
from metrics.cosine_similarity import scoring as c
from metrics.bertscore import scoring as b
for ask in sys.argv[1:]:
    module, name = ask.split(":", 1)
    try:
        print(f"{c.score('ab', 'a b', name):.3f}" if module == "c" else f"{b.score('ab', 'a b', name, 2).f1:.3f}")
        print((c.encoder_of(name) if module == "c" else b.encoder_of(name, 2)).revision)
    except OSError as error:
        print(error)
"""


def asked(*models: str, **environment: str) -> list[str]:
    """Return what a fresh process says of some models."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-c", ASK, *models]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()


def test_models_are_downloaded_from_the_hub_once_and_what_it_refuses_is_said(tmp_path: Path) -> None:
    """The whole way of a download, from a server that speaks as the Hub does."""
    tiny = models.tiny_bert(tmp_path / "tiny")
    names = ["c:org/minilm", "b:org/tiny", "b:org/none", "c:org/gated", "c:plain"]
    with hub({"org/minilm": Path(MINILM), "org/tiny": Path(tiny)}, gated=("org/gated",)) as (address, requests):
        environment = {"HF_ENDPOINT": address, "HF_HUB_CACHE": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "0"}
        said = asked(*names, **environment)
        assert len(said) == 7
        assert said[1] == said[3] == models.COMMIT
        assert float(said[0]) == pytest.approx(module.score("ab", "a b", MINILM), abs=1e-3)
        assert "'org/none' could not be loaded: HfHubHTTPError: Client error '401" in said[4]
        assert "'org/gated' could not be loaded: GatedRepoError" in said[5]
        assert "'sentence-transformers/plain' could not be loaded: HfHubHTTPError: Client error '401" in said[6]
        first = [request for request in requests if "org/minilm" in request or "org/tiny" in request]
        assert any("model.safetensors" in request for request in first)
        assert asked(*names, **environment) == said
        assert first == [request for request in requests if "org/minilm" in request or "org/tiny" in request]


def test_a_cache_that_holds_only_part_of_a_model_is_completed_or_refused(tmp_path: Path) -> None:
    """As bertscore leaves it: without the modules, texts would be pooled in another way."""
    parts = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "vocab.txt")

    def only(folder: Path) -> None:
        folder.mkdir()
        for name in parts:
            shutil.copy(Path(MINILM) / name, folder)

    models.put("org/minilm", only, str(tmp_path))
    (line,) = asked("c:org/minilm", HF_HUB_CACHE=str(tmp_path))
    assert "could not be loaded: OSError: the cache holds only part of it; OfflineModeIsEnabled" in line
    with hub({"org/minilm": Path(MINILM)}) as (address, _):
        said = asked("c:org/minilm", HF_ENDPOINT=address, HF_HUB_CACHE=str(tmp_path), HF_HUB_OFFLINE="0")
    assert float(said[0]) == pytest.approx(module.score("ab", "a b", MINILM), abs=1e-3)


def changed(folder: Path, keep: Any = None, leave_out: tuple[str, ...] = (), cut: int = 0) -> Path:
    """Copy MiniLM without some weights or files, or with its weights cut off."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(MINILM, folder, ignore=shutil.ignore_patterns(*leave_out))
    weights = folder / "model.safetensors"
    if keep:
        left = {key: value for key, value in load_file(weights).items() if keep(key)}
        save_file(left, weights, metadata={"format": "pt"})
    if cut:
        weights.write_bytes(weights.read_bytes()[:cut])
    return folder


TOKENIZER = ("tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"leave_out": ("*",)}, r"could not be loaded: .*Pass the path"),
        ({"cut": 1000}, r"could not be loaded: \w+: .*Pass the path"),
        ({"keep": lambda key: ".layer.1." not in key}, r"weights that the score needs, such as encoder\.layer\.1\."),
        ({"leave_out": TOKENIZER}, "could not be loaded: OSError: its files lack the tokenizer"),
    ],
)
def test_a_folder_with_gaps_is_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=message):
        module.score("a", "b", changed(tmp_path / "m", **change))


@pytest.mark.parametrize("name", ["cosine_similarity", "bertscore", "reward_accuracy"])
def test_no_code_of_a_model_is_ever_run(name: str, tmp_path: Path) -> None:
    folder = Path(models.tiny_bert(tmp_path / "m"))
    own = {"AutoConfig": "own.Config", "AutoModel": "own.Model", "AutoModelForCausalLM": "own.Model"}
    (folder / "config.json").write_text(json.dumps({"model_type": "own", "auto_map": own}))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    score = functions(name).log_prob if name == "reward_accuracy" else functions(name).score
    with pytest.raises(OSError, match="could not be loaded"):
        score("ab", "cd", str(folder))
    assert not (tmp_path / "ran").exists()


def test_weights_of_16_bits_are_computed_in_32(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(MINILM, device="cpu").half().save(str(tmp_path))
    rows: list[tuple[str, Any]] = [(f"text {'word ' * i}", f"word {i}") for i in range(12)]
    one, many = (scores(rows, model=tmp_path, batch_size=size) for size in (1, 64))
    assert one == pytest.approx(many, abs=1e-6)


def test_a_limit_of_positions_counts_where_the_tokenizer_names_none(tmp_path: Path) -> None:
    folder = models.tiny_roberta(tmp_path / "m")
    assert module.encoder_of(folder).max_length == 32
    assert -1 <= module.score("a " * 100, "b " * 100, folder) <= 1
