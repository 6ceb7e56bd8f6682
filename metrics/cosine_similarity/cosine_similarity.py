"""Cosine similarity: how near answer and reference lie to each other in the space of a sentence-embedding model.

Paper: Reimers and Gurevych 2019, "Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks", arXiv:1908.10084.
Original: the card of EVE open-ended (Atrio et al. 2026, arXiv:2604.13071): sentence-transformers encodes answers and
references, scikit-learn's cosine of each pair, then the mean. Equal within 1e-5, which is what 32-bit sums differ by.

Differences from the original:
- Each distinct text is encoded once, texts of like length together; on a CPU with oneDNN's matrix products where they
  are at hand, which are the same 32-bit products in another order.
- Texts that are longer than the model reads are counted, not passed over in silence.
- Several references: the nearest counts. Lone surrogates, which no tokenizer takes, are read as U+FFFD.
- Weights stored in 16 bits are computed in 32; weights or a vocabulary that the files lack are an error.
"""

import contextlib
import hashlib
import importlib.metadata
import json
import os
import platform
import re
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import lru_cache, partial
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

# Who pasted this file for its functions need not install these two; only the class at its end does.
try:
    import datasets
    import evaluate
except ModuleNotFoundError:
    evaluate = type("evaluate", (), {"Metric": object, "MetricInfo": None})

# Pasted into a script, this file is alone and needs no more than its functions. (The loader copies a file that the
# module imports only where the import starts a line.)
# fmt: off
try: \
from .checked import Checked
except ImportError:

    class Checked:  # type: ignore[no-redef]
        """Stands in for the checks of the metric class, which this file alone cannot offer."""

        def __init__(self, *args: object, **kwargs: object) -> None:
            raise ImportError("the metric class needs checked.py from the same folder; the functions need no class")
# fmt: on

VERSION = "0.1.0"

# The model of the card of EVE open-ended; trained on English.
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
# Where sentence-transformers looks for a name without an organisation.
ORGANISATION = "sentence-transformers"
# Tokens that go through the model at once. On a CPU, what leaves its caches is slower than a further batch.
CPU_TOKENS, DEVICE_TOKENS = 2048, 65_536
# glibc gives every large block back to the system when it is freed, and has it cleared anew when it is needed again,
# until one of nearly 32 MB was freed once: a third of the time of a small model.
HEAP_BYTES = 31 * 2**20
# The files of a folder that decide what its model computes.
MODEL_FILES = (".safetensors", ".bin", ".json", ".txt", ".model", ".jinja")
HUB_SECONDS = 10
# The libraries whose version a signature names.
LIBRARIES = ("sentence-transformers", "transformers", "tokenizers", "torch")
# What a tokenizer names that has no limit is more than this.
UNBOUNDED = 1_000_000
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")

# Set to False in a thread that must not ask the Hub: a model that is not complete on this machine is then an OSError.
ask_hub: ContextVar[bool] = ContextVar("ask_hub", default=True)
# One thread loads a model or sets a tokenizer's truncation; the others wait.
lock = threading.RLock()


def readable(text: str) -> str:
    r"""Return `text` as a tokenizer takes it: halves of surrogate pairs joined, lone ones replaced by U+FFFD.

    >>> readable("\ud83d\ude00") == "\U0001f600", readable("a\ud800b") == "a\ufffdb"
    (True, True)
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def model_name(argument: str, model: Any) -> str:
    """Return a model's name or path as text; raise TypeError that names the argument where it is neither.

    >>> model_name("model", Path("models") / "mine")
    'models/mine'
    """
    if not isinstance(model, str | os.PathLike) or not os.fspath(model):
        raise TypeError(
            f"{argument} is {model!r:.80} ({type(model).__name__}); the name or path of a model is expected"
        )
    return os.path.expanduser(os.fspath(model))


def whole_number(name: str, value: Any) -> int:
    """Return a setting that counts something; raise ValueError where it is no whole number above 0.

    >>> whole_number("batch_size", 8)
    8
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < 1:
        raise ValueError(f"{name} is {value!r:.80}; a whole number of at least 1 is expected")
    return int(value)


def device_of(device: Any = None) -> str:
    """Return the device to compute on: the one named, or for None cuda, mps or cpu, the first that is there."""
    import torch

    if device is None:
        mps = torch.backends.mps.is_available()
        return "cuda" if torch.cuda.is_available() else "mps" if mps else "cpu"
    try:
        found = torch.empty(0, device=device).device
    except (AssertionError, ImportError, RuntimeError, TypeError):
        found = None
    if found is None or found.type == "meta":
        raise ValueError(f"device is {device!r:.80}, which torch has not here; None picks one that it has")
    return "cpu" if found.type == "cpu" else str(found)


def is_folder(model: str) -> bool:
    """Return whether a model is named by the path of a folder that is there."""
    try:
        return Path(model).is_dir()
    except (OSError, ValueError):  # a path that no system takes: too long, with a NUL
        return False


def in_cache(model: str, file: str) -> Path | None:
    """Return where the local Hub cache holds a file of a model, or None."""
    import huggingface_hub
    from huggingface_hub.errors import HFValidationError

    try:
        found = huggingface_hub.try_to_load_from_cache(model, file)
    except HFValidationError:
        return None
    return Path(found) if isinstance(found, str) else None


def cached(model: str) -> Path | None:
    """Return the folder of the local Hub cache that holds a model of this name, as far as it was downloaded."""
    found = in_cache(model, "config.json") or in_cache(model, "modules.json")
    return found.parent if found else None


def reach(model: str, problem: str) -> None:
    """Ask the Hub for a model once; raise OSError that says why it cannot be had. (Loaders ask for a minute.)

    `problem` is what the copy on this machine lacks, where there is one.
    """
    import huggingface_hub
    from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, HFValidationError, OfflineModeIsEnabled

    here = f"its copy on this machine cannot be loaded ({problem})" if problem else "it is not on this machine"
    if not ask_hub.get():
        raise unavailable(model, f"{here}, and the Hugging Face Hub was not to be asked")
    try:
        huggingface_hub.HfApi().model_info(model, timeout=HUB_SECONDS)
        return
    except HFValidationError:
        reason = "it is neither a folder on this machine nor a name that the Hugging Face Hub can have"
    except GatedRepoError:
        reason = "the Hugging Face Hub gives it only to those who were granted access and are logged in"
    except HfHubHTTPError as error:
        status = error.response.status_code
        reason = f"{here}, and the Hugging Face Hub answers with status {status}"
        if status in (401, 404):  # to those who are not logged in, the Hub says 401 of what does not exist
            reason = "it is neither a folder on this machine nor a public model of the Hugging Face Hub"
    except OfflineModeIsEnabled:
        reason = f"{here}, and HF_HUB_OFFLINE forbids to ask the Hugging Face Hub"
    except Exception as error:  # of whatever kind: refused, timed out, no name server, a certificate
        reason = f"{here}, and the Hugging Face Hub cannot be reached ({type(error).__name__})"
    raise unavailable(model, reason)


def unavailable(model: str, reason: str) -> OSError:
    """Return the error for a model that cannot be had: what was tried, and what to do instead."""
    return OSError(
        f"the model {model!r:.200} could not be loaded: {reason}. Pass the path of a folder that holds a model, or the "
        "name of one that is in the local Hugging Face cache or can be downloaded"
    )


def fetched(model: str, load: Callable[..., Any]) -> Any:
    """Return `load(model, local_files_only=...)`: from disk where the model is there, else from the Hub.

    A model in the cache is taken as it is, without asking the Hub: the same call gives the same score tomorrow.
    """
    folder, problem = is_folder(model), ""
    for local in (True, False):
        if local and not folder and not cached(model):
            continue
        if not local:
            reach(model, problem)
        try:
            return load(model, local_files_only=local)
        except ImportError:
            raise
        except Exception as error:  # loaders raise what the files make them: KeyError, SafetensorError, ...
            first_line = str(error).strip().partition("\n")[0][:200]
            problem = f"{type(error).__name__}: {first_line}"
            if folder or not local:
                raise unavailable(model, problem) from None
    raise AssertionError("one of the two ways returns or raises")


def gaps(missing: list[str], tokenizer: Any) -> str:
    """Return what the files of a model lack that was loaded with random weights or without a vocabulary, or ""."""
    if missing:
        return f"its files lack weights that the score needs, such as {missing[0]}"
    if tokenizer is not None and set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens):
        return "its files lack the tokenizer: there is no vocabulary"
    return ""


def model_files(model: str) -> list[Path]:
    """Return the files of a folder that decide what its model computes, in their order."""
    path = Path(model)
    files = [file for file in path.rglob("*") if file.suffix in MODEL_FILES and file.is_file()]
    return sorted(file for file in files if not any(part.startswith(".") for part in file.relative_to(path).parts))


def located(model: str) -> tuple[str, tuple[Any, ...]]:
    """Return a model's name, or the real path of its folder, and what changes when the folder's files do."""
    if not is_folder(model):
        return model, ()
    path = os.path.realpath(model)
    status = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in model_files(path)]
    return path, tuple(status)


def identity(model: str) -> tuple[str, str]:
    """Return what a signature says of a loaded model: its name and its commit on the Hub, or, of a folder, its own name
    and a hash of its files.
    """
    if not is_folder(model):
        folder = cached(model)
        return model, folder.name if folder else "unknown"
    digest = hashlib.sha256()
    for file in model_files(model):
        digest.update(file.relative_to(model).as_posix().encode("utf-8", "surrogateescape") + b"\0")
        with file.open("rb") as stream:
            while block := stream.read(2**20):
                digest.update(block)
    return re.sub(r"[\s|]", "_", Path(model).resolve().name), f"sha256-{digest.hexdigest()[:16]}"


def position_rows(model: Any) -> int | None:
    """Return how many positions a model's table of positions has for tokens, or None where it has no table."""
    for name, table in model.named_modules():
        if name.rpartition(".")[2] in ("position_embeddings", "embed_positions") and hasattr(table, "num_embeddings"):
            if type(table).__name__.startswith("ProphetNet"):  # whose last tokens share a position
                return int(table.num_embeddings)
            # RoBERTa and BART leave out the first rows.
            first = getattr(table, "offset", 0) if table.padding_idx is None else table.padding_idx + 1
            return int(table.num_embeddings - first)
    return None


def pack(model: Any) -> None:
    """Have the linear layers of a model on a CPU computed by oneDNN, their weights laid out for it once.

    The same products in 32 bits; up to twice as fast where torch's own library takes a slow path (seen on AMD). Done
    where it was tried, and elsewhere left to torch.
    """
    import torch

    operations = torch.ops.mkldnn
    tried = platform.machine() in ("x86_64", "AMD64") and torch.backends.mkldnn.is_available()
    if not tried or not hasattr(operations, "_linear_pointwise"):
        return
    torch.empty(HEAP_BYTES, dtype=torch.uint8)
    for layer in model.modules():
        turned = type(layer).__name__ == "Conv1D"  # GPT-2's linear layer, whose weight lies the other way round
        weight = layer.weight.detach() if turned or type(layer) is torch.nn.Linear else None
        if weight is not None and weight.dtype is torch.float32 and weight.device.type == "cpu":
            weight = weight.t().contiguous() if turned else weight
            packed = operations._reorder_linear_weight(weight, CPU_TOKENS)
            layer.weight = torch.nn.Parameter(packed, requires_grad=False)
            setattr(layer, "forward", partial(by_rows, partial(packed_linear, packed, layer.bias)))  # noqa: B010
        elif "GELU" in type(layer).__name__:  # torch leaves these to oneDNN by itself
            setattr(layer, "forward", partial(by_rows, layer.forward))  # noqa: B010
    for parameter in model.parameters():
        if parameter.layout is torch.strided:  # the others, copied too, or the whole file would stay in memory
            parameter.data = parameter.data.clone()


def packed_linear(weight: Any, bias: Any, inputs: Any) -> Any:
    """Return what a linear layer with a packed weight makes of `inputs`, by oneDNN."""
    import torch

    return torch.ops.mkldnn._linear_pointwise(inputs, weight, bias, "none", [], "")


def by_rows(compute: Callable[[Any], Any], inputs: Any) -> Any:
    """Return compute(inputs), where `compute` treats each row alone, for one of few numbers of rows: oneDNN keeps what
    it prepared for each that it meets, in memory that grows with every batch.
    """
    import torch

    rows = inputs.reshape(-1, inputs.shape[-1])
    filled = torch.nn.functional.pad(rows, (0, 0, 0, filled_rows(len(rows)) - len(rows)))
    outputs = compute(filled)[: len(rows)]
    return outputs.reshape(*inputs.shape[:-1], outputs.shape[-1])


def filled_rows(rows: int) -> int:
    """Return the number of rows to compute for so many: a multiple of 16, one of eight between a power of 2 and the
    next.

    >>> [filled_rows(rows) for rows in (1, 16, 17, 100, 129, 2000)]
    [16, 16, 32, 112, 144, 2048]
    """
    step = max(16, 1 << rows.bit_length() >> 4)
    return -(-rows // step) * step


def batches(lengths: list[int], batch_size: int, tokens: int) -> Iterator[list[int]]:
    """Yield the indices of texts in batches of like length: at most `batch_size` texts, and at most `tokens` tokens,
    padding included, unless one text alone has more. The longest come first: what later ones need fits where they were.

    >>> list(batches([5, 1, 4, 1], 2, 100)), list(batches([5, 1, 4, 1], 10, 8))
    ([[0, 2], [1, 3]], [[0], [2, 1], [3]])
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and (len(batch) == batch_size or (len(batch) + 1) * lengths[batch[0]] > tokens):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


class Encoder(NamedTuple):
    """A loaded model, what a signature says of it, and how many tokens it reads (None: no limit)."""

    model: Any
    name: str
    revision: str
    max_length: int | None
    device: str


def sentence_transformer() -> Any:
    """Return the class that loads models; raise ImportError with the command that installs it."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ImportError("cosine similarity needs sentence-transformers: pip install sentence-transformers") from error
    return SentenceTransformer


def load_model(model: str, local_files_only: bool, device: str) -> Any:
    """Return a model of sentence-transformers, in 32 bits; raise OSError where its files are not complete.

    sentence-transformers makes up for missing files with modules of its own, and transformers for missing weights with
    random ones.
    """
    from transformers import AutoModel, PreTrainedTokenizerBase

    if local_files_only and not is_folder(model):
        modules = in_cache(model, "modules.json")
        parts = json.loads(modules.read_text("utf-8")) if modules else []
        configured = [part["path"] for part in parts if part["path"] and not part["type"].endswith("Normalize")]
        if not modules or not all(in_cache(model, f"{path}/config.json") for path in configured):
            raise OSError("the cache holds only part of it")
    only = {"local_files_only": local_files_only, "trust_remote_code": False}
    loaded = sentence_transformer()(model, device=device, **only).float()
    missing: list[str] = []
    if hasattr(loaded[0], "auto_model") and (is_folder(model) or in_cache(model, "config.json")):
        with contextlib.suppress(OSError, ValueError):  # the transformer lies in a folder of its own
            _, about = AutoModel.from_pretrained(model, local_files_only=True, output_loading_info=True)
            missing = [key for key in about["missing_keys"] if "pooler" not in key]
    tokenizer = loaded.tokenizer if isinstance(loaded.tokenizer, PreTrainedTokenizerBase) else None
    if problem := gaps(sorted(missing), tokenizer):
        raise OSError(problem)
    return loaded


@lru_cache(maxsize=1)
def load_encoder(model: str, device: str, status: tuple[Any, ...]) -> Encoder:
    """Load a model of sentence-transformers; the last one stays loaded while its files stay the same (`status`)."""
    loaded = fetched(model, partial(load_model, device=device))
    name, revision = identity(model)
    limits = [loaded.max_seq_length, position_rows(loaded)]
    limit = min((limit for limit in limits if limit and limit < UNBOUNDED), default=None)
    if limit and limit != loaded.max_seq_length:
        loaded.max_seq_length = limit
    if device == "cpu":
        pack(loaded)
    return Encoder(loaded, name, revision, limit, device)


def encoder_of(model: Any = DEFAULT_MODEL, device: Any = None) -> Encoder:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such device)."""
    sentence_transformer()  # says what is missing before anything else does
    name, status = located(model_name("model", model))
    if "/" not in name and not status and not cached(name):
        name = f"{ORGANISATION}/{name}"
    with lock:
        return load_encoder(name, device_of(device), status)


class Count(NamedTuple):
    """How many tokens a text has, and how many of them are unknown to the model: to it they are all the same."""

    length: int
    unknown: int


def token_counts(encoder: Encoder, texts: list[str]) -> list[Count]:
    """Return the counts of tokens of each text, uncut; of its characters where the model has no tokenizer to ask."""
    from transformers import PreTrainedTokenizerBase

    model = encoder.model
    if not isinstance(model.tokenizer, PreTrainedTokenizerBase):
        return [Count(len(text), 0) for text in texts]
    prompt = model.prompts.get(model.default_prompt_name) or ""
    with lock:
        ids = model.tokenizer([prompt + text for text in texts], truncation=False, padding=False, verbose=False)
    return [Count(len(text), text.count(model.tokenizer.unk_token_id)) for text in ids["input_ids"]]


def embed(encoder: Encoder, texts: list[str], batch_size: int = 64) -> tuple[Any, list[Count]]:
    """Return the embeddings of texts, an array of one row each, and the counts of their tokens."""
    import numpy

    counts = token_counts(encoder, texts)
    lengths = [min(count.length, encoder.max_length or count.length) for count in counts]
    vectors: list[Any] = [None] * len(texts)
    limit = CPU_TOKENS if encoder.device == "cpu" else DEVICE_TOKENS
    for batch in batches(lengths, batch_size, limit):
        chosen = [texts[i] for i in batch]
        with lock:
            encoded = encoder.model.encode(chosen, batch_size=len(batch), show_progress_bar=False)
        for index, vector in zip(batch, encoded, strict=True):
            vectors[index] = vector
    found = numpy.array(vectors, dtype=numpy.float64)
    if not numpy.isfinite(found).all():
        raise unavailable(encoder.name, "it computes values that are no numbers; its weights are damaged")
    return found, counts


def cosines(left: Any, right: Any) -> list[float]:
    """Return the cosine of each row of `left` with the same row of `right`; 0 where a row is all zeros.

    >>> import numpy
    >>> cosines(numpy.array([[3.0, 4.0], [0.0, 0.0]]), numpy.array([[4.0, 3.0], [1.0, 0.0]]))
    [0.96, 0.0]
    """
    import numpy

    norms = numpy.linalg.norm(left, axis=1) * numpy.linalg.norm(right, axis=1)
    products = numpy.einsum("ij,ij->i", left, right) / numpy.where(norms == 0, 1, norms)
    return numpy.clip(products, -1, 1).tolist()


class Row(NamedTuple):
    """What became of one row: the cosine with each reference, and the tokens of the prediction and of each."""

    similarities: list[float]
    prediction: Count
    references: list[Count]


def rows_of_texts(
    encoder: Encoder, predictions: list[str], references: list[list[str]], batch_size: int = 64
) -> list[Row]:
    """Return one row for each prediction and its references; equal texts are encoded once."""
    index: dict[str, int] = {}
    rows = [
        [index.setdefault(readable(text), len(index)) for text in (prediction, *several)]
        for prediction, several in zip(predictions, references, strict=True)
    ]
    vectors, counts = embed(encoder, list(index), batch_size)
    left = [row[0] for row in rows for _ in row[1:]]
    right = [i for row in rows for i in row[1:]]
    similarities = iter(cosines(vectors[left], vectors[right]))
    return [Row([next(similarities) for _ in row[1:]], counts[row[0]], [counts[i] for i in row[1:]]) for row in rows]


def check_text(name: str, text: Any) -> None:
    """Raise TypeError for what is no text, a null of a JSON file for one.

    >>> check_text("prediction", None)
    Traceback (most recent call last):
    TypeError: prediction is None (NoneType); a string is expected
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")


def reference_list(references: str | list[str]) -> list[str]:
    """Return one reference, or several, as a list; TypeError for what is no text."""
    if not isinstance(references, list | tuple):
        check_text("references", references)
        return [references]
    for text in references:
        check_text("a reference", text)
    return references


def score(prediction: str, references: str | list[str], model: str = DEFAULT_MODEL, device: str | None = None) -> float:
    """Return the cosine similarity of one answer to its reference, or to the nearest of several, in -1..1.

    Args:
        prediction: the answer to grade.
        references: the right answer, or several.
        model: a model of sentence-transformers, by its name on the Hub or the path of its folder.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is there.

    Raises:
        ImportError: sentence-transformers is not installed.
        OSError: the model cannot be had.
        TypeError: a text is no string.

    Source: Reimers and Gurevych 2019; the card of EVE open-ended.

    """
    check_text("prediction", prediction)
    references = reference_list(references)
    if not references:
        raise ValueError("references is empty; at least one reference is needed")
    return max(rows_of_texts(encoder_of(model, device), [prediction], [references])[0].similarities)


def explain(row: Row, encoder: Encoder, prediction: str, references: list[str]) -> dict[str, Any]:
    """Return the entry of `per_example` for one row: its cosine, and what the model read of both texts."""
    nearest = row.similarities.index(max(row.similarities))
    sides = {"prediction": row.prediction, "reference": row.references[nearest]}
    return {
        "score": row.similarities[nearest],
        "reference": nearest,
        **{f"{name}_length": side.length for name, side in sides.items()},
        "max_length": encoder.max_length,
        **{f"{name}_truncated": is_truncated(side, encoder) for name, side in sides.items()},
        **{f"{name}_unknown": side.unknown for name, side in sides.items()},
        "note": note_of(encoder, sides, {"prediction": prediction, "reference": references[nearest]}),
    }


def note_of(encoder: Encoder, sides: dict[str, Count], texts: dict[str, str]) -> str | None:
    """Return what a reader must know of a row besides its score, or None."""
    empty = [name for name, text in texts.items() if not text.strip()]
    unknown = [f"{side.unknown} in the {name}" for name, side in sides.items() if side.unknown]
    notes = [
        empty and f"no text in the {' and the '.join(empty)}: the model's idea of nothing was compared",
        unknown and f"tokens unknown to the model, to which they are all the same: {', '.join(unknown)}",
        encoder.name == DEFAULT_MODEL
        and any(map(HAN.search, texts.values()))
        and "this model was trained on English; for Chinese, name a multilingual one",
    ]
    return "; ".join(note for note in notes if note) or None


def is_truncated(count: Count, encoder: Encoder) -> bool:
    """Return whether the model reads only the beginning of a text with so many tokens.

    >>> small = Encoder(None, "small", "", 256, "cpu")
    >>> is_truncated(Count(256, 0), small), is_truncated(Count(257, 0), small)
    (False, True)
    """
    return encoder.max_length is not None and count.length > encoder.max_length


class CosineSimilarity(Checked, evaluate.Metric):
    """Cosine similarity of sentence embeddings as a metric of evaluate."""

    def _info(self) -> evaluate.MetricInfo:
        text, several = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="Cosine similarity of answer and reference in the space of a sentence-embedding model.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": several}),
                datasets.Features({"predictions": text, "references": text}),
            ],
            codebase_urls=["https://github.com/huggingface/sentence-transformers"],
            reference_urls=["https://arxiv.org/abs/1908.10084", "https://huggingface.co/datasets/eve-esa/open-ended"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[list[str]],
        model: str = DEFAULT_MODEL,
        batch_size: int = 64,
        device: str | None = None,
        per_example: bool = False,
    ) -> dict[str, Any]:
        predictions, references = self.texts(predictions, references=references)
        batch_size, encoder = whole_number("batch_size", batch_size), encoder_of(model, device)
        rows = rows_of_texts(encoder, predictions, references, batch_size)
        result = {
            "average_cosine_similarity": fmean(max(row.similarities) for row in rows),
            "truncated": {
                "predictions": sum(is_truncated(row.prediction, encoder) for row in rows),
                "references": sum(is_truncated(count, encoder) for row in rows for count in row.references),
            },
            "signature": self.signature(
                VERSION,
                model=encoder.name,
                revision=encoder.revision,
                max_length=encoder.max_length,
                **{
                    name: importlib.metadata.version(name)
                    for name in ("sentence-transformers", "transformers", "torch")
                },
            ),
        }
        entries = map(explain, rows, [encoder] * len(rows), predictions, references)
        return result | {"per_example": list(entries)} if per_example else result


CITATION = """\
@inproceedings{reimers2019sentencebert,
  title={Sentence-{BERT}: Sentence Embeddings using {S}iamese {BERT}-Networks},
  author={Reimers, Nils and Gurevych, Iryna},
  booktitle={Proceedings of the 2019 Conference on Empirical Methods in Natural Language Processing},
  pages={3982--3992}, year={2019}
}
@misc{atrio2026eve,
  title={{EVE}: A Domain-Specific {LLM} Framework for Earth Intelligence},
  author={Atrio, {\\`A}lex R. and Lopez, Antonio and Rohit, Jino and El Ouahidi, Yassine and Politi, Marcello and
    Iyer, Vijayasri and Jamil, Umar and Brati{\\`e}res, S{\\'e}bastien and Long{\\'e}p{\\'e}, Nicolas},
  year={2026}, eprint={2604.13071}, archivePrefix={arXiv}, primaryClass={cs.CL}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; the nearest reference of a row counts.
    model (str): a model of sentence-transformers, by its name on the Hub or the path of a folder.
    batch_size (int): texts that go through the model at once, at most; it moves no score.
    device (str or None): "cuda", "mps", "cpu", ...; None takes the first of these that is there.
    per_example (bool): True adds one dict per row with its cosine and what the model read.

Returns:
    average_cosine_similarity (float): mean of the rows, -1..1, higher is better.
    truncated (dict): how many predictions and how many references the model read only the beginning of.
    signature (str): everything that moves the score, for a paper.
    per_example (list of dict, on request).
"""
