"""Cosine similarity of the sentence embeddings of answer and reference.

Paper: Reimers and Gurevych 2019, "Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks",
arXiv:1908.10084. Original: the card of EVE open-ended (Atrio et al. 2026, arXiv:2604.13071). It
encodes answers and references with sentence-transformers, takes scikit-learn's cosine of each pair,
and then the mean. The results are equal within 1e-5, the rounding error of 32-bit sums.

Differences from the original:
- Each distinct text is encoded once, together with texts of similar length.
- Texts that are too long for the model are counted, and not silently truncated.
- If there are several references, the nearest one counts. Lone surrogates, which tokenizers refuse,
  are read as U+FFFD.
- Weights stored in 16 bits are computed in 32 bits. If the files lack weights or a vocabulary, an
  error is raised.

This file may be copied alone: `score` needs only sentence-transformers.

From Answer Lens 0.1.0 (metrics/cosine_similarity), Apache-2.0. To cite it: CITATION.cff there, and
the papers above.
"""

import contextlib
import re
import threading
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

# The model on the card of EVE open-ended, trained on English.
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
# Han ideographs: 〇; the unified ones with all extensions; the compatibility ones.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# A tokenizer can be used by one thread at a time.
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
    # If this file was copied alone: models are loaded without checks, and all texts are one batch.
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
    """Return a text with surrogate pairs joined, and lone surrogates replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def compute_cosines(left: Any, right: Any) -> list[float]:
    """Return the cosine of each row of `right` with the row of `left` at the same place.

    If `left` has only one row, each row of `right` is compared with it. The cosine with a vector
    of zeros is 0.

    >>> compute_cosines([[3.0, 4.0]], [[4.0, 3.0], [0.0, 0.0]])
    [0.96, 0.0]
    """
    import numpy

    left = numpy.asarray(left, dtype=numpy.float64)
    right = numpy.asarray(right, dtype=numpy.float64)
    norms = numpy.linalg.norm(left, axis=1) * numpy.linalg.norm(right, axis=1)
    products = numpy.einsum("ij,ij->i", left, right) / numpy.where(norms == 0, 1, norms)
    # Rounding may exceed 1 by a very little.
    cosines: list[float] = numpy.clip(products, -1, 1).tolist()
    return cosines


def score(
    prediction: str,
    references: str | list[str],
    model: str = DEFAULT_MODEL,
    device: str | None = None,
) -> float:
    """Return the cosine similarity of one answer and its reference, in -1..1.

    If there are several references, the nearest one counts.

    Args:
        prediction: the answer to grade.
        references: the right answer, or a list of them.
        model: a model of sentence-transformers, by its name on the Hub or the path of its folder.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is available.

    Raises:
        ImportError: sentence-transformers is not installed.
        OSError: the model cannot be loaded.
        TypeError: a text is no string.
        ValueError: there is no reference, or no such device.

    """
    reference_list = tuple(references) if isinstance(references, list | tuple) else (references,)
    check_text("prediction", prediction)
    for reference in reference_list:
        check_text("a reference", reference)
    if not reference_list:
        raise ValueError("references is empty; at least one reference is needed")
    texts = embed_texts(load_encoder(model, device), [prediction, *reference_list])
    vectors = [texts[reference].vector for reference in reference_list]
    return max(compute_cosines([texts[prediction].vector], vectors))


def check_text(name: str, text: Any) -> None:
    """Raise TypeError if a value is no string."""
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")


def load_encoder(model: Any = DEFAULT_MODEL, device: Any = None) -> SimpleNamespace:
    """Return a loaded model.

    Raises:
        ImportError: sentence-transformers is not installed.
        OSError: the model cannot be loaded.
        ValueError: there is no such device.
    """
    return load_model(
        read_encoder, "sentence-transformers", model, device, organisation="sentence-transformers"
    )


def read_encoder(name: str, device: str, local_files_only: bool = False) -> SimpleNamespace:
    """Read a model of sentence-transformers, in 32 bits.

    Returns:
        the model; its tokenizer, if it is one of the package transformers; and how many tokens
        it reads, or None if there is no limit.

    Raises:
        OSError: its files lack weights or a vocabulary.
    """
    from sentence_transformers import SentenceTransformer
    from transformers import AutoModel, PreTrainedTokenizerBase

    folder = find_cached_folder(name)
    if local_files_only and folder and not (folder / "modules.json").exists():
        # bertscore downloads only the transformer. Without the rest, texts would be pooled in
        # another way, and get other scores.
        raise OSError("the cache holds only part of it")
    model = SentenceTransformer(
        name, device=device, trust_remote_code=False, local_files_only=local_files_only
    ).float()
    tokenizer = model.tokenizer if isinstance(model.tokenizer, PreTrainedTokenizerBase) else None
    missing = []
    # If the model has no transformer, or has it in a subfolder, its weights are not checked.
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


class Embedding(NamedTuple):
    """A text with its embedding.

    Attributes:
        vector: its embedding.
        length: its tokens with the special ones; its characters if the model has no tokenizer of
            the package transformers.
        unknown: how many of its tokens are unknown to the model.
        truncated: whether the model read only the first tokens.
    """

    vector: Any
    length: int
    unknown: int
    truncated: bool


def embed_texts(
    encoder: SimpleNamespace, texts: list[str], batch_size: int = 64
) -> dict[str, Embedding]:
    """Return each text with its embedding; equal texts are encoded once.

    Raises:
        OSError: the model computes values that are not numbers.
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
                embedded[distinct[i]] = Embedding(vector, len(ids), unknown, is_truncated)
    if not all(numpy.isfinite(text.vector).all() for text in embedded.values()):
        raise OSError(
            f"the model {encoder.name!r:.200} computes values that are no numbers; its weights "
            "are damaged"
        )
    return {text: embedded[replace_surrogates(text)] for text in texts}


def tokenize_texts(encoder: SimpleNamespace, texts: list[str]) -> list[Any]:
    """Return the tokens of each text, with those of the model's prompt before it.

    If the model has no tokenizer of the package transformers, return the texts: their lengths are
    then in characters, and no token is unknown.
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
    texts: dict[str, Embedding],
    prediction: str,
    references: tuple[str, ...],
) -> dict[str, Any]:
    """Return the entry of `per_example` for one row.

    Args:
        encoder: the model.
        texts: the result of `embed_texts` for the row's texts.
        prediction: the answer.
        references: the right answers.
    """
    vectors = [texts[reference].vector for reference in references]
    similarities = compute_cosines([texts[prediction].vector], vectors)
    nearest = similarities.index(max(similarities))
    answer = texts[prediction]
    nearest_reference = texts[references[nearest]]
    return {
        "score": similarities[nearest],
        "reference": nearest,
        "prediction_length": answer.length,
        "reference_length": nearest_reference.length,
        "max_length": encoder.max_length,
        "prediction_truncated": answer.truncated,
        "reference_truncated": nearest_reference.truncated,
        "prediction_unknown": answer.unknown,
        "reference_unknown": nearest_reference.unknown,
        **describe_doubts(
            encoder, texts, {"prediction": prediction, "reference": references[nearest]}
        ),
    }


def describe_doubts(
    encoder: SimpleNamespace, texts: dict[str, Embedding], shown: dict[str, str]
) -> dict[str, Any]:
    """Return a row's note, its warnings and its note_data: reasons to doubt the score."""
    empty = []
    unknown = {}
    for name, text in shown.items():
        if not text.strip():
            empty.append(name)
        if texts[text].unknown:
            unknown[name] = texts[text].unknown
    is_foreign = encoder.name == DEFAULT_MODEL and any(map(HAN.search, shown.values()))
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    if empty:
        sentences.append(
            f"no text in the {' and the '.join(empty)}: the embedding of an empty text was compared"
        )
        data.append({"key": "no_text", "sides": empty})
    if unknown:
        counts = ", ".join(f"{count} in the {name}" for name, count in unknown.items())
        sentences.append(f"the model does not know some tokens and treats them as equal: {counts}")
        data.append({"key": "unknown_tokens", "counts": unknown})
    if is_foreign:
        sentences.append("this model was trained on English; for Chinese, name a multilingual one")
        data.append({"key": "english_model"})
    return {
        "note": "; ".join(sentences) or None,
        "warnings": ["english_model"] if is_foreign else [],
        "note_data": data,
    }
