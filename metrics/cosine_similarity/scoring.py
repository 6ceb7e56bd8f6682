"""Cosine similarity: how near answer and reference lie to each other in the space of a
sentence-embedding model.

Paper: Reimers and Gurevych 2019, "Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks",
arXiv:1908.10084. Original: the card of EVE open-ended (Atrio et al. 2026, arXiv:2604.13071):
sentence-transformers encodes answers and references, scikit-learn's cosine of each pair, then the
mean. Equal within 1e-5, which is what 32-bit sums differ by.

Differences from the original:
- Each distinct text is encoded once, texts of like length together.
- Texts that are longer than the model reads are counted, not passed over in silence.
- Several references: the nearest counts. Lone surrogates, which no tokenizer takes, are read as
  U+FFFD.
- Weights stored in 16 bits are computed in 32; weights or a vocabulary that the files lack are an
  error.

This file may be copied alone: `score` needs nothing but sentence-transformers.

From Answer Lens 0.1.0 (metrics/cosine_similarity), Apache-2.0. To cite it: CITATION.cff there, and
the papers above.
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
    from .text_model import (
        find_cached_folder,
        find_token_limit,
        load_model,
        make_batches,
        refuse_incomplete_model,
    )
except ImportError:
    # This file alone: a model as sentence-transformers loads it, and all texts at once.
    @lru_cache(maxsize=1)
    def load_model(load: Any, needs: str, model: str, device: Any, **_: Any) -> SimpleNamespace:  # type: ignore[misc]
        """Load a model in 32 bits."""
        from sentence_transformers import SentenceTransformer

        loaded = SentenceTransformer(model, device=device, trust_remote_code=False).float()
        return SimpleNamespace(
            model=loaded,
            tokenizer=None,
            max_length=None,
            name=model,
            device=device,
        )

    def make_batches(lengths: list[int], *_: Any) -> list[list[int]]:  # type: ignore[misc]
        """Return one batch."""
        return [list(range(len(lengths)))]


def replace_surrogates(text: str) -> str:
    """Return a text as a tokenizer takes it: halves of surrogate pairs joined, lone ones replaced
    by U+FFFD.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def compute_cosines(left: Any, right: Any) -> list[float]:
    """Return the cosine of each row of `right` with the same row of `left`, or with its only one.

    It is 0 for all zeros.

    >>> compute_cosines([[3.0, 4.0]], [[4.0, 3.0], [0.0, 0.0]])
    [0.96, 0.0]
    """
    import numpy

    left = numpy.asarray(left, dtype=numpy.float64)
    right = numpy.asarray(right, dtype=numpy.float64)
    norms = numpy.linalg.norm(left, axis=1) * numpy.linalg.norm(right, axis=1)
    products = numpy.einsum("ij,ij->i", left, right) / numpy.where(norms == 0, 1, norms)
    # Rounding may lead a hair beyond 1.
    cosines: list[float] = numpy.clip(products, -1, 1).tolist()
    return cosines


def score(
    prediction: str,
    references: str | list[str],
    model: str = DEFAULT_MODEL,
    device: str | None = None,
) -> float:
    """Return the cosine similarity of one answer to its reference, or to the nearest of several, in
    -1..1.

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
    check_text("prediction", prediction)
    for reference in several:
        check_text("a reference", reference)
    if not several:
        raise ValueError("references is empty; at least one reference is needed")
    texts = embed_texts(load_encoder(model, device), [prediction, *several])
    vectors = [texts[reference].vector for reference in several]
    return max(compute_cosines([texts[prediction].vector], vectors))


def check_text(name: str, text: Any) -> None:
    """Raise TypeError for what is no text."""
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")


def load_encoder(model: Any = DEFAULT_MODEL, device: Any = None) -> SimpleNamespace:
    """Return a loaded model.

    Raises:
        ImportError: sentence-transformers is not installed.
        OSError: the model cannot be had.
        ValueError: there is no such device.
    """
    return load_model(
        read_encoder, "sentence-transformers", model, device, organisation="sentence-transformers"
    )


def read_encoder(name: str, device: str, local_files_only: bool = False) -> SimpleNamespace:
    """Read a model of sentence-transformers, in 32 bits.

    Returns:
        the model; its tokenizer, if transformers has one; and how many tokens it reads, None for
        all.

    Raises:
        OSError: its files have gaps.
    """
    from sentence_transformers import SentenceTransformer
    from transformers import AutoModel, PreTrainedTokenizerBase

    folder = find_cached_folder(name)
    if local_files_only and folder and not (folder / "modules.json").exists():
        # As bertscore leaves it: its texts would be pooled in another way.
        raise OSError("the cache holds only part of it")
    model = SentenceTransformer(
        name, device=device, trust_remote_code=False, local_files_only=local_files_only
    ).float()
    tokenizer = model.tokenizer if isinstance(model.tokenizer, PreTrainedTokenizerBase) else None
    missing = []
    # Its transformer may lie in a folder of its own, or it has none.
    with contextlib.suppress(OSError, ValueError):
        loaded = AutoModel.from_pretrained(
            name, output_loading_info=True, trust_remote_code=False, local_files_only=True
        )
        missing = loaded[1]["missing_keys"]
    refuse_incomplete_model(missing, tokenizer, ("pooler", ".decoder."))
    limit = find_token_limit(model, model.max_seq_length)
    if limit:
        model.max_seq_length = limit
    return SimpleNamespace(model=model, tokenizer=tokenizer, max_length=limit)


class Text(NamedTuple):
    """What a model makes of a text.

    Attributes:
        vector: its embedding.
        length: its tokens with the model's marks; its characters if the model has no tokenizer to
            ask.
        unknown: how many of the tokens the model does not know.
        truncated: whether the model read only the first tokens.
    """

    vector: Any
    length: int
    unknown: int
    truncated: bool


def embed_texts(
    encoder: SimpleNamespace, texts: list[str], batch_size: int = 64
) -> dict[str, Text]:
    """Return what the model makes of each text; equal ones go through it once.

    Raises:
        OSError: the model computes what is no number.
    """
    import numpy

    distinct = list(dict.fromkeys(map(replace_surrogates, texts)))
    limit = encoder.max_length
    embedded = {}
    with lock:
        tokens = tokenize_texts(encoder, distinct)
        lengths = [min(len(ids), limit) if limit else len(ids) for ids in tokens]
        for batch in make_batches(lengths, batch_size, encoder.device):
            inputs = [distinct[i] for i in batch]
            vectors = encoder.model.encode(inputs, batch_size=len(batch), show_progress_bar=False)
            for i, vector in zip(batch, vectors, strict=True):
                ids = tokens[i]
                unknown = ids.count(encoder.tokenizer.unk_token_id) if encoder.tokenizer else 0
                is_truncated = bool(limit and len(ids) > limit)
                embedded[distinct[i]] = Text(vector, len(ids), unknown, is_truncated)
    if not all(numpy.isfinite(text.vector).all() for text in embedded.values()):
        raise OSError(
            f"the model {encoder.name!r:.200} computes values that are no numbers; its weights "
            "are damaged"
        )
    return {text: embedded[replace_surrogates(text)] for text in texts}


def tokenize_texts(encoder: SimpleNamespace, texts: list[str]) -> list[Any]:
    """Return the tokens of each text behind the model's prompt.

    The texts as they are if it has no tokenizer to ask.
    """
    if not encoder.tokenizer:
        return list(texts)
    model = encoder.model
    prompt = model.prompts.get(model.default_prompt_name) or ""
    prompted = [prompt + text for text in texts]
    return list(
        encoder.tokenizer(prompted, truncation=False, padding=False, verbose=False)["input_ids"]
    )


def explain(
    encoder: SimpleNamespace,
    texts: dict[str, Text],
    prediction: str,
    references: tuple[str, ...],
) -> dict[str, Any]:
    """Return the entry of `per_example` for one row.

    Args:
        encoder: the model.
        texts: what `embed_texts` makes of the row's texts.
        prediction: the answer.
        references: the right answers.
    """
    vectors = [texts[reference].vector for reference in references]
    similarities = compute_cosines([texts[prediction].vector], vectors)
    nearest = similarities.index(max(similarities))
    own = texts[prediction]
    right = texts[references[nearest]]
    return {
        "score": similarities[nearest],
        "reference": nearest,
        "prediction_length": own.length,
        "reference_length": right.length,
        "max_length": encoder.max_length,
        "prediction_truncated": own.truncated,
        "reference_truncated": right.truncated,
        "prediction_unknown": own.unknown,
        "reference_unknown": right.unknown,
        **describe_doubts(
            encoder, texts, {"prediction": prediction, "reference": references[nearest]}
        ),
    }


def describe_doubts(
    encoder: SimpleNamespace, texts: dict[str, Text], shown: dict[str, str]
) -> dict[str, Any]:
    """Return the note of a row: what the model could not read of its two texts."""
    empty = [name for name, text in shown.items() if not text.strip()]
    unknown = {name: texts[text].unknown for name, text in shown.items() if texts[text].unknown}
    is_foreign = encoder.name == DEFAULT_MODEL and any(map(HAN.search, shown.values()))
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    if empty:
        sentences.append(
            f"no text in the {' and the '.join(empty)}: the model's idea of nothing was compared"
        )
        data.append({"key": "no_text", "sides": empty})
    if unknown:
        counts = ", ".join(f"{count} in the {name}" for name, count in unknown.items())
        sentences.append(f"tokens unknown to the model, to which they are all the same: {counts}")
        data.append({"key": "unknown_tokens", "counts": unknown})
    if is_foreign:
        sentences.append("this model was trained on English; for Chinese, name a multilingual one")
        data.append({"key": "english_model"})
    return {
        "note": "; ".join(sentences) or None,
        "warnings": ["english_model"] if is_foreign else [],
        "note_data": data,
    }
