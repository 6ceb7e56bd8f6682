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
import re
import threading
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

# The model of the card of EVE open-ended; trained on English.
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# Tokenizers bear one thread at a time.
lock = threading.Lock()

try:
    from .text_model import batches, cached, loaded, refuse_gaps, token_limit
except ImportError:  # this file alone: a model as sentence-transformers loads it, and all texts at once

    @lru_cache(maxsize=1)
    def loaded(load: Any, needs: str, model: str, device: Any, **_: Any) -> SimpleNamespace:  # type: ignore[misc]
        """Return a model in 32 bits."""
        from sentence_transformers import SentenceTransformer

        own = SentenceTransformer(model, device=device, trust_remote_code=False).float()
        return SimpleNamespace(model=own, tokenizer=None, max_length=None, name=model, device=device)

    def batches(lengths: list[int], *_: Any) -> list[list[int]]:  # type: ignore[misc]
        """Return one batch."""
        return [list(range(len(lengths)))]


def readable(text: str) -> str:
    """Return a text as a tokenizer takes it: halves of surrogate pairs joined, lone ones replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def cosines(left: Any, right: Any) -> list[float]:
    """Return the cosine of each row of `right` with the same row of `left`, or with its only one; 0 for all zeros.

    >>> cosines([[3.0, 4.0]], [[4.0, 3.0], [0.0, 0.0]])
    [0.96, 0.0]
    """
    import numpy

    left, right = (numpy.asarray(rows, dtype=numpy.float64) for rows in (left, right))
    norms = numpy.linalg.norm(left, axis=1) * numpy.linalg.norm(right, axis=1)
    products = numpy.einsum("ij,ij->i", left, right) / numpy.where(norms == 0, 1, norms)
    found: list[float] = numpy.clip(products, -1, 1).tolist()
    return found


def score(prediction: str, references: str | list[str], model: str = DEFAULT_MODEL, device: str | None = None) -> float:
    """Return the cosine similarity of one answer to its reference, or to the nearest of several, in -1..1.

    Args:
        prediction: the answer to grade.
        references: the right answer, or several.
        model: a model of sentence-transformers, by its name on the Hub or the path of its folder.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is there.

    Raises:
        ImportError, OSError: sentence-transformers is not installed; the model cannot be had.
        TypeError, ValueError: a text is no string; there is no reference, or no such device.

    """
    several = tuple(references) if isinstance(references, list | tuple) else (references,)
    for name, text in (("prediction", prediction), *(("a reference", text) for text in several)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    if not several:
        raise ValueError("references is empty; at least one reference is needed")
    read = embed(encoder_of(model, device), [prediction, *several])
    return max(cosines([read[prediction].vector], [read[text].vector for text in several]))


def encoder_of(model: Any = DEFAULT_MODEL, device: Any = None) -> SimpleNamespace:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such device)."""
    return loaded(load, "sentence-transformers", model, device, organisation="sentence-transformers")


def load(name: str, device: str, local_files_only: bool = False) -> SimpleNamespace:
    """Return a model of sentence-transformers in 32 bits, its tokenizer if transformers has one, and how many tokens it
    reads, None for all; raise OSError where its files have gaps.
    """
    from sentence_transformers import SentenceTransformer
    from transformers import AutoModel, PreTrainedTokenizerBase

    folder = cached(name)
    if local_files_only and folder and not (folder / "modules.json").exists():
        raise OSError("the cache holds only part of it")  # as bertscore leaves it: texts would be pooled in another way
    model = SentenceTransformer(name, device=device, trust_remote_code=False, local_files_only=local_files_only).float()
    tokenizer = model.tokenizer if isinstance(model.tokenizer, PreTrainedTokenizerBase) else None
    only, missing = {"trust_remote_code": False, "local_files_only": True}, []
    with contextlib.suppress(OSError, ValueError):  # its transformer lies in a folder of its own, or it has none
        missing = AutoModel.from_pretrained(name, output_loading_info=True, **only)[1]["missing_keys"]
    refuse_gaps(missing, tokenizer, ("pooler", ".decoder."))
    limit = token_limit(model, model.max_seq_length)
    if limit:
        model.max_seq_length = limit
    return SimpleNamespace(model=model, tokenizer=tokenizer, max_length=limit)


class Text(NamedTuple):
    """The embedding of a text, its tokens with the model's marks (characters where the model has no tokenizer to ask),
    how many of them the model does not know, and whether it read only the first.
    """

    vector: Any
    length: int
    unknown: int
    truncated: bool


def embed(encoder: SimpleNamespace, texts: list[str], batch_size: int = 64) -> dict[str, Text]:
    """Return what the model makes of each text; equal ones go through it once."""
    import numpy

    model, tokenizer, limit = encoder.model, encoder.tokenizer, encoder.max_length
    given = list(dict.fromkeys(map(readable, texts)))
    prompt, found = model.prompts.get(model.default_prompt_name) or "", {}
    with lock:
        said = [prompt + text for text in given]
        ids = tokenizer(said, truncation=False, padding=False, verbose=False)["input_ids"] if tokenizer else given
        lengths = [min(len(tokens), limit or len(tokens)) for tokens in ids]
        for batch in batches(lengths, batch_size, encoder.device):
            vectors = model.encode([given[i] for i in batch], batch_size=len(batch), show_progress_bar=False)
            for i, vector in zip(batch, vectors, strict=True):
                unknown = ids[i].count(tokenizer.unk_token_id) if tokenizer else 0
                found[given[i]] = Text(vector, len(ids[i]), unknown, bool(limit and len(ids[i]) > limit))
    if not all(numpy.isfinite(text.vector).all() for text in found.values()):
        raise OSError(f"the model {encoder.name!r:.200} computes values that are no numbers; its weights are damaged")
    return {text: found[readable(text)] for text in texts}


def explain(
    encoder: SimpleNamespace, read: dict[str, Text], prediction: str, references: tuple[str, ...]
) -> dict[str, Any]:
    """Return the entry of `per_example` for one row: its cosine, and what the model `read` of both texts."""
    similarities = cosines([read[prediction].vector], [read[text].vector for text in references])
    nearest = similarities.index(max(similarities))
    texts = {"prediction": prediction, "reference": references[nearest]}
    sides = {name: read[text] for name, text in texts.items()}
    empty = [name for name, text in texts.items() if not text.strip()]
    unknown = {name: side.unknown for name, side in sides.items() if side.unknown}
    foreign = encoder.name == DEFAULT_MODEL and any(map(HAN.search, texts.values()))
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    if empty:
        sentences.append(f"no text in the {' and the '.join(empty)}: the model's idea of nothing was compared")
        data.append({"key": "no_text", "sides": empty})
    if unknown:
        counts = ", ".join(f"{count} in the {name}" for name, count in unknown.items())
        sentences.append(f"tokens unknown to the model, to which they are all the same: {counts}")
        data.append({"key": "unknown_tokens", "counts": unknown})
    if foreign:
        sentences.append("this model was trained on English; for Chinese, name a multilingual one")
        data.append({"key": "english_model"})
    return {
        "score": similarities[nearest],
        "reference": nearest,
        **{f"{name}_length": side.length for name, side in sides.items()},
        "max_length": encoder.max_length,
        **{f"{name}_truncated": side.truncated for name, side in sides.items()},
        **{f"{name}_unknown": side.unknown for name, side in sides.items()},
        "note": "; ".join(sentences) or None,
        "warnings": ["english_model"] if foreign else [],
        "note_data": data,
    }
