"""Cosine similarity: how near answer and reference lie to each other in the space of a sentence-embedding model.

Paper: Reimers and Gurevych 2019, "Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks", arXiv:1908.10084.
Original: the card of EVE open-ended (Atrio et al. 2026, arXiv:2604.13071): sentence-transformers encodes answers and
references, scikit-learn's cosine of each pair, then the mean. Equal within 1e-5, which is what 32-bit sums differ by.

Differences from the original:
- Each distinct text is encoded once, texts of like length together.
- Texts that are longer than the model reads are counted, not passed over in silence.
- Several references: the nearest counts. Lone surrogates, which no tokenizer takes, are read as U+FFFD.
- Weights stored in 16 bits are computed in 32; weights or a vocabulary that the files lack are an error.

This file may be copied alone: `score` needs nothing but sentence-transformers.
"""

import contextlib
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

try:
    from .text_model import batches, loaded, lock, position_rows, refuse_gaps
except ImportError:  # this file alone: sentence-transformers' own ways and errors, and batches of any number of tokens
    lock = contextlib.nullcontext()  # type: ignore[assignment]

    @lru_cache(maxsize=1)
    def loaded(load: Any, model: Any, device: Any = None, **_: Any) -> tuple[Any, str, str, str]:
        """Load a model of sentence-transformers, which finds the device."""
        return load(str(model), device), str(model), "", str(device)

    def batches(lengths: list[int], batch_size: int, device: str) -> Iterator[list[int]]:
        """Return the indices of texts, the longest first, so many at a time."""
        order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
        return (order[at : at + batch_size] for at in range(0, len(order), batch_size))

    def position_rows(model: Any) -> int | None:
        """Return None: the tokenizer knows."""

    def refuse_gaps(missing: list[str], tokenizer: Any = None) -> None:
        """Leave it to the user."""


# The model of the card of EVE open-ended; trained on English.
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
# Where sentence-transformers looks for a name without an organisation.
ORGANISATION = "sentence-transformers"
# What a tokenizer names that has no limit is more than this.
UNBOUNDED = 1_000_000
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


def readable(text: str) -> str:
    r"""Return `text` as a tokenizer takes it: halves of surrogate pairs joined, lone ones replaced by U+FFFD.

    >>> readable("\ud83d\ude00") == "\U0001f600", readable("a\ud800b") == "a\ufffdb"
    (True, True)
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Encoder(NamedTuple):
    """A loaded model, what a signature says of it, and how many tokens it reads (None: no limit)."""

    model: Any
    name: str
    revision: str
    device: str
    max_length: int | None


def load_model(name: str, device: str | None, local_files_only: bool = False) -> Any:
    """Return a model of sentence-transformers, in 32 bits; raise OSError where its files are not complete.

    sentence-transformers makes up for missing files with modules of its own, and transformers for missing weights with
    random ones.
    """
    from huggingface_hub import try_to_load_from_cache
    from sentence_transformers import SentenceTransformer
    from transformers import AutoModel, PreTrainedTokenizerBase

    if local_files_only and not Path(name).is_dir():
        modules = try_to_load_from_cache(name, "modules.json")
        parts = json.loads(Path(modules).read_text("utf-8")) if isinstance(modules, str) else []
        paths = [part["path"] for part in parts if part["path"] and not part["type"].endswith("Normalize")]
        if not parts or not all(isinstance(try_to_load_from_cache(name, f"{path}/config.json"), str) for path in paths):
            raise OSError("the cache holds only part of it")
    model = SentenceTransformer(name, device=device, trust_remote_code=False, local_files_only=local_files_only).float()
    missing: list[str] = []
    if hasattr(model[0], "auto_model"):
        with contextlib.suppress(OSError, ValueError):  # the transformer lies in a folder of its own
            _, about = AutoModel.from_pretrained(
                name, trust_remote_code=False, local_files_only=True, output_loading_info=True
            )
            missing = sorted(key for key in about["missing_keys"] if "pooler" not in key)
    refuse_gaps(missing, model.tokenizer if isinstance(model.tokenizer, PreTrainedTokenizerBase) else None)
    return model


def encoder_of(model: Any = DEFAULT_MODEL, device: Any = None) -> Encoder:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such device)."""
    try:
        import sentence_transformers  # noqa: F401 (says what is missing before anything else does)
    except ImportError as error:
        raise ImportError("cosine similarity needs sentence-transformers: pip install sentence-transformers") from error
    network, name, revision, device = loaded(load_model, model, device, organisation=ORGANISATION)
    limits = [limit for limit in (network.max_seq_length, position_rows(network)) if limit and limit < UNBOUNDED]
    if limits and network.max_seq_length != min(limits):
        network.max_seq_length = min(limits)
    return Encoder(network, name, revision, device, min(limits, default=None))


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
    for batch in batches(lengths, batch_size, encoder.device):
        with lock:
            found = encoder.model.encode([texts[i] for i in batch], batch_size=len(batch), show_progress_bar=False)
        for index, vector in zip(batch, found, strict=True):
            vectors[index] = vector
    array = numpy.array(vectors, dtype=numpy.float64)
    if not numpy.isfinite(array).all():
        raise OSError(f"the model {encoder.name!r:.200} computes values that are no numbers; its weights are damaged")
    return array, counts


def cosines(left: Any, right: Any) -> list[float]:
    """Return the cosine of each row of `left` with the same row of `right`; 0 where a row is all zeros.

    >>> import numpy
    >>> cosines(numpy.array([[3.0, 4.0], [0.0, 0.0]]), numpy.array([[4.0, 3.0], [1.0, 0.0]]))
    [0.96, 0.0]
    """
    import numpy

    norms = numpy.linalg.norm(left, axis=1) * numpy.linalg.norm(right, axis=1)
    products = numpy.einsum("ij,ij->i", left, right) / numpy.where(norms == 0, 1, norms)
    found: list[float] = numpy.clip(products, -1, 1).tolist()
    return found


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
    pairs = [(row[0], i) for row in rows for i in row[1:]]
    similarities = iter(cosines(*(vectors[list(side)] for side in zip(*pairs, strict=True))))
    return [Row([next(similarities) for _ in row[1:]], counts[row[0]], [counts[i] for i in row[1:]]) for row in rows]


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
        ValueError: no reference, or no such device.

    Source: Reimers and Gurevych 2019; the card of EVE open-ended.

    """
    several = list(references) if isinstance(references, list | tuple) else [references]
    for name, text in (("prediction", prediction), *(("a reference", text) for text in several)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    if not several:
        raise ValueError("references is empty; at least one reference is needed")
    return max(rows_of_texts(encoder_of(model, device), [prediction], [several])[0].similarities)


def explain(row: Row, encoder: Encoder, prediction: str, references: list[str]) -> dict[str, Any]:
    """Return the entry of `per_example` for one row: its cosine, and what the model read of both texts."""
    nearest = row.similarities.index(max(row.similarities))
    sides = {"prediction": row.prediction, "reference": row.references[nearest]}
    texts = {"prediction": prediction, "reference": references[nearest]}
    empty = [name for name, text in texts.items() if not text.strip()]
    unknown = [f"{side.unknown} in the {name}" for name, side in sides.items() if side.unknown]
    foreign = encoder.name == DEFAULT_MODEL and any(map(HAN.search, texts.values()))
    notes = [
        empty and f"no text in the {' and the '.join(empty)}: the model's idea of nothing was compared",
        unknown and f"tokens unknown to the model, to which they are all the same: {', '.join(unknown)}",
        foreign and "this model was trained on English; for Chinese, name a multilingual one",
    ]
    return {
        "score": row.similarities[nearest],
        "reference": nearest,
        **{f"{name}_length": side.length for name, side in sides.items()},
        "max_length": encoder.max_length,
        **{f"{name}_truncated": is_truncated(side, encoder) for name, side in sides.items()},
        **{f"{name}_unknown": side.unknown for name, side in sides.items()},
        "note": "; ".join(note for note in notes if note) or None,
    }


def is_truncated(count: Count, encoder: Encoder) -> bool:
    """Return whether the model reads only the beginning of a text with so many tokens.

    >>> small = Encoder(None, "small", "", "cpu", 256)
    >>> is_truncated(Count(256, 0), small), is_truncated(Count(257, 0), small)
    (False, True)
    """
    return encoder.max_length is not None and count.length > encoder.max_length
