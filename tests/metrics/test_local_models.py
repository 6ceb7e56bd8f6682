"""Local models of three metrics: found, downloaded, kept in memory, and refused if unusable.

All three have the same text_model.py, so most tests use cosine_similarity.
"""

import contextlib
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any
from unittest import mock

import pytest

from tests.support import models
from tests.support.hub import read_files, serve_hub
from tests.support.project import ROOT, import_file

module = import_file("cosine_similarity")
text_model = import_file("cosine_similarity", "text_model")
MINILM = models.find_minilm()
# A function for each metric, which scores the texts "ab" and "cd" with the model of a folder.
SCORE_PAIR: dict[str, Callable[[Path], Any]] = {
    "cosine_similarity": lambda folder: module.score("ab", "cd", folder),
    "bertscore": lambda folder: import_file("bertscore").score("ab", "cd", folder, 2),
    "reward_accuracy": lambda folder: import_file("reward_accuracy").log_prob("ab", "cd", folder),
}


def test_threads_share_one_model_that_stays_until_its_files_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "m"
    texts = [f"{'word ' * (i % 7)}number {i}" for i in range(24)]
    expected = [module.score(text, "a number", MINILM) for text in texts]
    shutil.copytree(MINILM, folder)
    fetched = mock.Mock(side_effect=text_model.fetch_model)
    monkeypatch.setattr(text_model, "loaded_models", {})
    monkeypatch.setattr(text_model, "fetch_model", fetched)
    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(lambda text: module.score(text, "a number", folder), texts))
    assert scores == pytest.approx(expected, abs=1e-6)
    (folder / "README.md").write_text("changes nothing")
    before = module.load_encoder(folder)
    assert fetched.call_count == 1
    (folder / "config.json").write_text((folder / "config.json").read_text("utf-8") + " ", "utf-8")
    after = module.load_encoder(folder)
    assert after.revision[:7] == "sha256-"
    assert after.revision != before.revision
    assert fetched.call_count == 2
    assert len(text_model.loaded_models) == 1


def test_a_name_without_its_organisation_is_one_of_sentence_transformers() -> None:
    assert module.load_encoder("all-MiniLM-L6-v2").name == module.DEFAULT_MODEL


def test_two_scores_never_load_a_model_at_the_same_time(tmp_path: Path) -> None:
    """Two loads at once leave functions of transformers replaced.

    Models that are loaded later then lack weights.
    """
    from transformers import PreTrainedModel

    # Importing takes longer than a load, so it must not be part of one of the two.
    importlib.import_module("sentence_transformers")
    tie_weights = PreTrainedModel.tie_weights
    init = PreTrainedModel.__init__
    barrier = Barrier(2)
    loads_at_once = []

    def wait_for_other_load(self: Any, *arguments: Any, **settings: Any) -> None:
        # The barrier breaks if the other load does not begin within 3 seconds.
        with contextlib.suppress(BrokenBarrierError):
            loads_at_once.append(barrier.wait(timeout=3))
        init(self, *arguments, **settings)

    folders = [models.make_tiny_bert(tmp_path / str(number)) for number in range(2)]
    jobs = [(SCORE_PAIR["cosine_similarity"], folders[0]), (SCORE_PAIR["bertscore"], folders[1])]
    with (
        mock.patch.object(PreTrainedModel, "__init__", wait_for_other_load),
        ThreadPoolExecutor(2) as pool,
    ):
        list(pool.map(lambda job: job[0](job[1]), jobs))
    assert loads_at_once == []
    assert barrier.broken
    assert PreTrainedModel.tie_weights is tie_weights


def test_a_missing_model_is_refused_with_one_clear_error() -> None:
    offline = "OfflineModeIsEnabled: Cannot reach .*HF_HUB_OFFLINE"
    invalid = "HFValidationError: Repo id must"
    for model, reason in (("org/none", offline), ("bad name", invalid)):
        with pytest.raises(
            OSError, match=rf"^[^\n]*{reason}[^\n]*Pass the path of a folder that[^\n]*$"
        ) as caught:
            module.score("a", "b", model)
        assert caught.value.__cause__ is caught.value.__context__ is None


# Scores a text with each model twice. An argument is "metric:model". Prints the score and the
# revision of the model, or the error.
SCORING_PROGRAM = """
import sys
from metrics.bertscore import scoring as bertscore, text_model as bertscore_models
from metrics.cosine_similarity import scoring as cosine, text_model as cosine_models
for argument in sys.argv[1:] * 2:
    metric, model = argument.split(":")
    try:
        if metric == "cosine":
            score = cosine.score("ab", "a b", model)
            encoder = cosine.load_encoder(model)
        else:
            score = bertscore.score("ab", "a b", model, 2).f1
            encoder = bertscore.load_encoder(model, 2)
        print(f"{score:.3f}")
        print(encoder.revision)
    except OSError as error:
        print(error)
    cosine_models.loaded_models.clear()
    bertscore_models.loaded_models.clear()
"""


def test_models_are_downloaded_once_and_refusals_of_the_hub_are_reported(
    tmp_path: Path,
) -> None:
    """A process loads models twice from a fake Hub on loopback."""
    served = {
        "org/minilm": read_files(Path(MINILM)),
        "org/tiny": read_files(Path(models.make_tiny_bert(tmp_path / "tiny"))),
    }
    with serve_hub(served, gated=("org/gated",)) as (address, requests):
        environment = {
            **os.environ,
            "HF_ENDPOINT": address,
            "HF_HUB_CACHE": str(tmp_path),
            "HF_HUB_OFFLINE": "0",
        }
        environment["PYTHONPATH"] = str(ROOT)
        command = [
            sys.executable,
            "-c",
            SCORING_PROGRAM,
            "cosine:org/minilm",
            "bertscore:org/tiny",
            "bertscore:org/none",
            "cosine:org/gated",
        ]
        run = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    # Two lines for each of two models, and one for each of two errors; then all of them again.
    lines = run.stdout.splitlines()
    assert lines[:6] == lines[6:]
    assert lines[1] == lines[3] == models.COMMIT
    assert float(lines[0]) == pytest.approx(module.score("ab", "a b", MINILM), abs=1e-3)
    assert "'org/none' could not be loaded: HfHubHTTPError: Client error '401" in lines[4]
    assert "'org/gated' could not be loaded: GatedRepoError" in lines[5]
    weights = [
        request
        for request in requests
        if request.startswith("GET") and "model.safetensors" in request
    ]
    assert sorted(request.split("/")[1] for request in weights) == ["minilm", "tiny"]


def test_an_incomplete_model_in_the_cache_is_refused_offline() -> None:
    """The cache has the model as bertscore downloads it: without modules.json and its modules.

    Without them sentence-transformers would pool texts in another way.
    """
    left_out = shutil.ignore_patterns("modules.json", "1_Pooling", "2_*", "sentence*")
    models.put_into_cache(
        "org/part", lambda folder: shutil.copytree(MINILM, folder, ignore=left_out)
    )
    with pytest.raises(
        OSError, match="could not be loaded: OSError: the cache holds only part of it; OfflineMode"
    ):
        module.score("ab", "a b", "org/part")


def test_a_missing_model_is_refused_if_the_hub_is_not_to_be_asked() -> None:
    token = text_model.ask_hub.set(False)
    try:
        with pytest.raises(OSError, match="the Hugging Face Hub was not to be asked"):
            module.score("a", "b", "org/none")
    finally:
        text_model.ask_hub.reset(token)


def copy_minilm(folder: Path, *left_out: str) -> None:
    """Copy MiniLM to a folder without some of its files."""
    shutil.copytree(MINILM, folder, ignore=shutil.ignore_patterns(*left_out))


def change_weights(
    make: Callable[[Path], Any], change: Callable[[dict[str, Any]], None]
) -> Callable[[Path], None]:
    """Return a function that makes a model and changes the weights in its file."""
    from safetensors.torch import load_file, save_file

    def make_changed(folder: Path) -> None:
        make(folder)
        weights = load_file(folder / "model.safetensors")
        change(weights)
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    return make_changed


def remove_layer(weights: dict[str, Any]) -> None:
    """Remove the weights of a layer."""
    for key in [key for key in weights if ".layer.1." in key]:
        del weights[key]


def set_nan(weights: dict[str, Any]) -> None:
    """Make one weight NaN."""
    weights["encoder.layer.0.output.dense.bias"][0] = float("nan")


LACKS = "could not be loaded: OSError: its files lack"
DAMAGED = "no numbers; its weights are damaged"
TOKENIZER = ("tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json")
REFUSED: list[tuple[str, Callable[[Path], Any], str]] = [
    ("cosine_similarity", lambda at: copy_minilm(at, *TOKENIZER), f"{LACKS} the tokenizer"),
    (
        "cosine_similarity",
        change_weights(copy_minilm, remove_layer),
        rf"{LACKS} weights that the score needs, such as encoder\.layer\.1\.",
    ),
    ("cosine_similarity", change_weights(copy_minilm, set_nan), DAMAGED),
    ("bertscore", change_weights(models.make_tiny_bert, set_nan), DAMAGED),
    (
        "reward_accuracy",
        lambda at: models.make_causal_model(
            at, "bert", models.make_gpt2_tokenizer(), pad_token_id=0
        ),
        "could not be loaded: .*it is no causal language model: it reads what stands after a token",
    ),
    (
        "reward_accuracy",
        models.make_tiny_bert,
        f"{LACKS} weights that the score needs, such as cls",
    ),
    (
        "reward_accuracy",
        lambda at: models.make_causal_gpt2(at, vocab_size=100),
        "could not be loaded: .*its tokenizer has more tokens than the model",
    ),
    (
        "reward_accuracy",
        lambda at: Path(models.make_causal_gpt2(at), "model.safetensors").write_bytes(
            b"\x00" * 100
        ),
        "could not be loaded",
    ),
]


@pytest.mark.parametrize(("name", "make", "message"), REFUSED, ids=range(len(REFUSED)))
def test_a_damaged_model_or_one_of_another_type_is_refused(
    name: str,
    make: Callable[[Path], Any],
    message: str,
    tmp_path: Path,
) -> None:
    make(tmp_path / "model")
    with pytest.raises(OSError, match=f"^the model '.*model' .*{message}"):
        SCORE_PAIR[name](tmp_path / "model")


@pytest.mark.parametrize("name", SCORE_PAIR)
def test_code_of_a_model_is_never_run(name: str, tmp_path: Path) -> None:
    folder = Path(models.make_tiny_bert(tmp_path / "m"))
    own = {
        "AutoConfig": "own.Config",
        "AutoModel": "own.Model",
        "AutoModelForCausalLM": "own.Model",
    }
    (folder / "config.json").write_text(json.dumps({"model_type": "own", "auto_map": own}))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(OSError, match="could not be loaded"):
        SCORE_PAIR[name](folder)
    assert not (tmp_path / "ran").exists()


def test_a_model_with_16_bit_weights_computes_with_32_bits(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer

    SentenceTransformer(MINILM, device="cpu").half().save(str(tmp_path))
    assert {p.dtype.itemsize for p in module.load_encoder(tmp_path).model.parameters()} == {4}
