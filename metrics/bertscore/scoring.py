"""BERTScore: how well each token of the answer is matched by a token of the reference, and the other way round.

Each token is a contextual embedding of a language model; a token's match is the largest cosine with any token of the
other text, precision the mean over the answer's tokens, recall over the reference's, F1 their harmonic mean.

Paper: Zhang et al. 2020, "BERTScore: Evaluating Text Generation with BERT", ICLR, arXiv:1904.09675.
Original: the package bert_score 0.3.13, and its call on the card of EVE open-ended (Atrio et al. 2026). Equal within
1e-5 to the package scoring one pair at a time. (In its own batches, the padding lifts negative cosines to 0, which
moves single pairs by 5e-5 and more; here a pair's score depends on nothing but the pair.)

Differences from the original:
- An empty text scores 0 (it crashes with transformers 5), and so does one whose tokens all weigh 0 (there: nan).
- Where the tokenizer names no maximum length (it crashes), the model's own counts; longer texts are cut and counted.
- The model computes in 32 bits even where its file holds 16, as bert_score did before transformers 5; weights or a
  vocabulary that its files lack are an error.
- A single token before the end mark of T5 is a text, not an empty one; a cosine never exceeds 1.
- A missing baseline is an error, not a warning and a raw score. Lone surrogates are read as U+FFFD.

This file may be copied alone: `score` needs torch and transformers, and `num_layers` for any model but the default.
"""

import math
import re
import threading
from collections import Counter
from functools import lru_cache
from typing import Any, NamedTuple

# The model of the card of EVE open-ended, which agreed best with people in WMT16 (bert_score's list); for English.
DEFAULT_MODEL = "microsoft/deberta-xlarge-mnli"

try:
    from .tables import LAYERS
    from .text_model import batches, loaded, position_rows, refuse_gaps

    ALONE = False
except ImportError:  # models are loaded as transformers does it, and nothing is checked
    ALONE, LAYERS = True, {DEFAULT_MODEL: 40}

# The package's model for a language (bert_score/utils.py), and for any other.
MODEL_OF = {
    "en": "roberta-large",
    "zh": "bert-base-chinese",
    "tr": "dbmdz/bert-base-turkish-cased",
    "en-sci": "allenai/scibert_scivocab_uncased",
}
MODEL_OF_OTHERS = "bert-base-multilingual-cased"
# Where the models of transformers keep their layers.
LAYER_LISTS = ("layer", "encoder.layer", "encoder.block", "block", "transformer.layer", "encoder.layers", "layers")
# Where a configuration says how many tokens the model was made for, if its position table does not.
LENGTHS = ("max_position_embeddings", "n_positions", "max_encoder_position_embeddings")
# What counts where nothing is said, and less than what a tokenizer names that has no limit.
USUAL_LENGTH, UNBOUNDED = 512, 1_000_000
# Two number signs, BERT's sign for a piece that continues a word. (The loader's hash passes over what follows one.)
CONTINUES = chr(35) * 2
# Kinds of model that read padding: one text at a time, or its neighbours would move its score.
READS_PADDING = ("convbert", "fnet")
# Tokens of answers, and of references, whose embeddings are held at once: 268 MB of both with 1024 dimensions.
WINDOW_TOKENS = 32_768
# Tokenizers bear one thread at a time.
lock = threading.Lock()
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


class Encoder(NamedTuple):
    """A loaded model with its tokenizer, and what a signature says of it; `empty` are the tokens of an empty text."""

    model: Any
    tokenizer: Any
    name: str
    revision: str
    device: str
    layers: int
    max_length: int
    empty: list[int]


def known_layers(model_type: str) -> int | None:
    """Return the layer that bert_score lists for a model, or None."""
    return LAYERS.get(model_type)


def model_for(model_type: Any, lang: str | None) -> Any:
    """Return the model: the one named, or for None the package's model for the language.

    >>> model_for(None, "zh"), model_for(None, "fr"), model_for("roberta-base", "zh")
    ('bert-base-chinese', 'bert-base-multilingual-cased', 'roberta-base')
    """
    if lang is not None and not isinstance(lang, str):
        raise TypeError(f"lang is {lang!r:.80} ({type(lang).__name__}); a language such as 'en' is expected")
    if model_type is None and lang is None:
        raise ValueError("model_type and lang are both None; name a model, or the language to take its model for")
    return MODEL_OF.get(str(lang).lower(), MODEL_OF_OTHERS) if model_type is None else model_type


def cut(model: Any, name: str, num_layers: Any) -> int:
    """Keep the first layers of a model as bert_score does ("last": all, None: those that it lists), and return how many
    those are.
    """
    modules, config = dict(model.named_modules()), model.config
    path = next((path for path in LAYER_LISTS if type(modules.get(path)).__name__ == "ModuleList"), None)
    by_number = hasattr(model, "n_layers") or "encoder.albert_layer_groups" in modules
    if path is None and not by_number:
        raise ValueError(
            f"the model {name!r:.200} keeps its layers in a way that BERTScore does not know; name another"
        )
    there = len(modules[path]) if path else getattr(model, "n_layers", config.num_hidden_layers)
    count = known_layers(name) if num_layers is None else there if num_layers == "last" else int(num_layers)
    if count is None:
        raise ValueError(
            f"which layer of the model {name!r:.200} agrees best with people is not known: pass num_layers, a number "
            f"from 1 to {there}, or 'last'"
        )
    if not 0 <= count <= there:
        raise ValueError(f"num_layers is {count}; the model {name!r:.200} has layers 0 to {there}")
    if path:
        parent, _, last = path.rpartition(".")
        setattr(modules[parent], last, modules[path][:count])
    else:  # ALBERT and XLM run through their layers by these numbers
        config.num_hidden_layers = model.n_layers = count
    return count


def length_limit(model: Any, tokenizer: Any) -> int:
    """Return how many tokens the model reads, by its tokenizer and table of positions, else by its configuration."""
    rows = None if ALONE else position_rows(model)
    said = [limit for limit in (tokenizer.model_max_length, rows) if limit and limit < UNBOUNDED]
    named = [getattr(model.config, key, None) for key in LENGTHS]
    return min(said or [limit for limit in named if isinstance(limit, int) and limit > 0][:1], default=USUAL_LENGTH)


def load_parts(name: str, device: str, num_layers: Any, local_files_only: bool = False) -> tuple[Any, Any, set[int]]:
    """Return the tokenizer of a model, the model itself in 32 bits (of an encoder with a decoder, the encoder), and the
    identities of the parameters that its files lack. (One that was cut to `num_layers` is another model.)
    """
    import torch
    from transformers import AutoModel, AutoTokenizer

    only = {"trust_remote_code": False, "local_files_only": local_files_only}
    tokenizer = AutoTokenizer.from_pretrained(name, **only)
    if not ALONE:
        refuse_gaps([], tokenizer)
    whole, about = AutoModel.from_pretrained(name, dtype=torch.float32, output_loading_info=True, **only)
    missing = {id(value) for key, value in whole.named_parameters() if key in about["missing_keys"]}
    model = whole.encoder if hasattr(whole, "encoder") and hasattr(whole, "decoder") else whole
    return tokenizer, model.to(device).eval(), missing


@lru_cache(maxsize=1)
def plainly_loaded(name: str, device: str | None, num_layers: Any) -> tuple[Any, str, str, str]:
    """Return what text_model.loaded returns, for this file alone."""
    import torch

    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    return load_parts(name, device, num_layers), name, "", device


def encoder_of(model_type: Any, num_layers: Any, lang: str | None = None, device: Any = None) -> Encoder:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such layer or device)."""
    try:
        import torch  # noqa: F401 (says what is missing before anything else does)
        import transformers  # noqa: F401
    except ImportError as error:
        raise ImportError("BERTScore needs torch and transformers: pip install torch transformers") from error
    asked, index = model_for(model_type, lang), hasattr(num_layers, "__index__") and not isinstance(num_layers, bool)
    if not index and (not isinstance(num_layers, str | None) or num_layers not in (None, "last")):
        raise ValueError(f"num_layers is {num_layers!r:.80}; a whole number, 'last' or None is expected")
    if ALONE:
        found = plainly_loaded(asked, device, num_layers)
    else:
        found = loaded(load_parts, asked, device, num_layers, argument="model_type")
    (tokenizer, model, missing), name, revision, device = found
    layers = cut(model, str(asked), num_layers)
    lacking = [key for key, value in model.named_parameters() if id(value) in missing and "pooler" not in key]
    if lacking:
        raise OSError(f"the files of the model {name!r:.200} lack weights that the score needs, such as {lacking[0]}")
    limit = length_limit(model, tokenizer)
    return Encoder(model, tokenizer, name, revision, device, layers, limit, tokenizer.encode(""))


class Text(NamedTuple):
    """A text as the model reads it: its tokens, cut at the limit, their weights, and how many it would have without."""

    ids: list[int]
    weights: list[float]
    length: int


class Score(NamedTuple):
    """The score of one answer: precision, recall and F1; 0 to 1 but for models whose cosines go below 0."""

    precision: float
    recall: float
    f1: float


class Match(NamedTuple):
    """The score of one answer and one reference and, on request, of each one's tokens the best match and its cosine."""

    score: Score
    tokens: list[list[tuple[int, float]]]


class Row(NamedTuple):
    """One row: the answer and its references, the best of each number over these, and the match with each."""

    texts: list[Text]
    score: Score
    matches: list[Match]


def readable(text: str) -> str:
    """Return a text as the tokenizer is given it: stripped, halves of surrogate pairs joined, lone ones U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()


def tokenized(encoder: Encoder, texts: list[str]) -> dict[str, Text]:
    """Return each text as the model reads it, the marks around it without weight, as bert_score weighs without idf."""
    tokenizer, limit, found = encoder.tokenizer, encoder.max_length, {}
    marks = (tokenizer.cls_token_id, tokenizer.sep_token_id)
    with lock:
        for text, whole in zip(texts, tokenizer(texts, truncation=False, verbose=False)["input_ids"], strict=True):
            ids = whole if len(whole) <= limit else tokenizer.encode(text, truncation=True, max_length=limit)
            found[text] = Text(ids, [float(token not in marks) for token in ids], len(whole))
    return found


def embed(encoder: Encoder, texts: list[list[int]], batch_size: int) -> list[Any]:
    """Return the embeddings of the tokens of each text, each a tensor (tokens, dimensions) of length-1 rows."""
    import torch

    padding, found = encoder.tokenizer.pad_token_id or 0, list[Any](texts)
    size = 1 if encoder.model.config.model_type in READS_PADDING else batch_size
    order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
    plain = (order[at : at + size] for at in range(0, len(order), size))
    for batch in plain if ALONE else batches(list(map(len, texts)), size, encoder.device):
        longest = len(texts[batch[0]])
        ids = [texts[i] + [padding] * (longest - len(texts[i])) for i in batch]
        mask = [[1] * len(texts[i]) + [0] * (longest - len(texts[i])) for i in batch]
        with torch.inference_mode():
            tensors = {"input_ids": torch.tensor(ids), "attention_mask": torch.tensor(mask)}
            states = encoder.model(**{key: rows.to(encoder.device) for key, rows in tensors.items()})[0]
            states /= states.norm(dim=-1, keepdim=True)
        for row, i in zip(states, batch, strict=True):
            found[i] = row[: len(texts[i])].clone()
    return found


def weighted_mean(values: list[float], weights: list[float]) -> float:
    """Return the mean of `values` by `weights`; 0 where nothing has weight."""
    total = math.fsum(weights)
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / total if total else 0.0


def match(embeddings: tuple[Any, Any], weights: tuple[list[float], list[float]], explain: bool) -> Match:
    """Match the tokens of an answer and of a reference; `explain` keeps which token matched which."""
    similarity = (embeddings[0] @ embeddings[1].T).clamp_(max=1)
    best = [similarity.max(dim=1), similarity.max(dim=0)]
    values = [side.values.tolist() for side in best]
    precision, recall = map(weighted_mean, values, weights)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    tokens = [list(zip(side.indices.tolist(), side.values.tolist(), strict=True)) for side in best if explain]
    return Match(Score(precision, recall, f1), tokens)


def matches_of(
    encoder: Encoder, read: dict[str, Text], pairs: list[tuple[str, str]], batch_size: int, explain: bool
) -> dict[tuple[str, str], Match]:
    """Return the match of each pair of texts. Each text goes through the model once, and its embeddings are held from
    the first window of pairs that needs them to the last.
    """
    result = dict.fromkeys(pairs, Match(Score(0.0, 0.0, 0.0), [[], []]))  # what an empty text scores
    full = [pair for pair in result if encoder.empty not in (read[text].ids for text in pair)]
    last_use = {text: position for position, pair in enumerate(full) for text in pair}
    held: dict[str, Any] = {}
    window = max(1, WINDOW_TOKENS // encoder.max_length)
    for first in range(0, len(full), window):
        now = full[first : first + window]
        new = list(dict.fromkeys(text for pair in now for text in pair if text not in held))
        held |= zip(new, embed(encoder, [read[text].ids for text in new], batch_size), strict=True)
        for a, b in now:
            result[a, b] = match((held[a], held[b]), (read[a].weights, read[b].weights), explain)
        held = {text: embeddings for text, embeddings in held.items() if last_use[text] >= first + window}
    if any(math.isnan(found.score.f1) for found in result.values()):
        raise OSError(f"the model {encoder.name!r:.200} computes no numbers; its weights are damaged")
    return result


def rows_of_texts(
    encoder: Encoder,
    predictions: list[str],
    references: list[list[str]],
    idf: bool = False,
    base: list[tuple[float, ...]] | None = None,
    batch_size: int = 64,
    explain: bool = False,
) -> list[Row]:
    """Return one row for each prediction and its references, with `idf` weighed by the inverse document frequency of
    tokens in the references, with a baseline rescaled: its number for so many layers becomes 0, and 1 stays 1.
    """
    if base and encoder.layers >= len(base):
        raise ValueError(
            f"bert_score has baselines for num_layers 0 to {len(base) - 1} of this model, not {encoder.layers}"
        )
    zero = base[encoder.layers] if base else (0.0, 0.0, 0.0)
    rows = [list(map(readable, (answer, *several))) for answer, several in zip(predictions, references, strict=True)]
    read = tokenized(encoder, list(dict.fromkeys(text for row in rows for text in row)))
    if idf:
        referred = [text for row in rows for text in row[1:]]
        counts, n = Counter(token for text in referred for token in set(read[text].ids)), len(referred)
        for text, (ids, _, length) in read.items():
            read[text] = Text(ids, [math.log((n + 1) / (counts[token] + 1)) for token in ids], length)
    # Pairs with the same reference stand together, so that it need not be held for long.
    pairs = [(row[0], text) for row in sorted(rows, key=lambda row: row[1]) for text in row[1:]]
    matches, result = matches_of(encoder, read, pairs, batch_size, explain), []
    for answer, *several in rows:
        found = [matches[answer, text] for text in several]
        best = map(max, zip(*(one.score for one in found), strict=True))
        score = Score(*((value - low) / (1 - low) for value, low in zip(best, zero, strict=True)))
        result.append(Row([read[text] for text in (answer, *several)], score, found))
    return result


def score(
    prediction: str,
    references: str | list[str],
    model_type: str | None = DEFAULT_MODEL,
    num_layers: int | str | None = None,
    lang: str | None = None,
    device: str | None = None,
) -> Score:
    """Return precision, recall and F1 of one answer, each 0..1 with common models, higher is better; 0 for no text.
    Of several references the best of each number counts.

    Args:
        prediction: the answer to grade.
        references: the right answer, or several.
        model_type: a model of transformers, by its name on the Hub or the path of its folder; None takes lang's.
        num_layers: how many of its layers; None takes the number that bert_score lists, "last" all.
        lang: the language, for `model_type=None`.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is there.

    Raises:
        ImportError, OSError: torch or transformers is not installed; the model cannot be had.
        TypeError, ValueError: a text is no string; num_layers is needed, or there is no such layer.

    """
    several = list(references) if isinstance(references, list | tuple) else [references]
    for name, text in (("prediction", prediction), *(("a reference", text) for text in several)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    if not several:
        raise ValueError("references is empty; at least one reference is needed")
    return rows_of_texts(encoder_of(model_type, num_layers, lang, device), [prediction], [several])[0].score


def pieces(encoder: Encoder, text: str) -> list[str]:
    """Return the tokens of a text as it writes them, one for each id; CONTINUES stands before what continues a word."""
    tokenizer, given = encoder.tokenizer, readable(text)
    limits = {"truncation": True, "max_length": encoder.max_length}
    with lock:
        encoded = tokenizer(given, return_offsets_mapping=tokenizer.is_fast, **limits)
    if not tokenizer.is_fast:
        return list(tokenizer.convert_ids_to_tokens(encoded["input_ids"]))
    result, before, word = [], (0, 0), None
    for token, span, number in zip(encoded["input_ids"], encoded["offset_mapping"], encoded.word_ids(), strict=True):
        # Bytes of one character have its span each: the first one stands for it.
        again = number is not None and number == word
        written = "" if again and span == before else given[slice(*span)].strip()
        written = tokenizer.convert_ids_to_tokens(token) if number is None else written
        result.append(CONTINUES + written if again else written)
        before, word = span, number
    return result


def token_entries(row: Row, encoder: Encoder, best: int, texts: tuple[str, str]) -> dict[str, list[list[Any]]]:
    """Return for both texts [token, token it matched or None for a mark, cosine, weight] of each token that counts: the
    marks around a text do only where the tokenizer does not call them so (T5).
    """
    written, sides, marks = [pieces(encoder, text) for text in texts], (row.texts[0], row.texts[1 + best]), []
    for side in sides:  # the marks are those of an empty text, at most one of which stands in front
        front = int(len(encoder.empty) > 1 and side.ids[0] == encoder.empty[0])
        marks.append({*range(front), *range(len(side.ids) - len(encoder.empty) + front, len(side.ids))})
    return {
        f"{name}_tokens": [
            [written[i][at], None if match in marks[1 - i] else written[1 - i][match], cosine, sides[i].weights[at]]
            for at, (match, cosine) in enumerate(row.matches[best].tokens[i])
            if at not in marks[i] or sides[i].weights[at]
        ]
        for i, name in enumerate(("prediction", "reference"))
    }


def explain(row: Row, encoder: Encoder, prediction: str, references: list[str], brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one row, its tokens for the reference of the best F1; `brief` without."""
    best = max(range(len(references)), key=lambda i: row.matches[i].score.f1)
    texts = (prediction, references[best])
    sides = {"prediction": row.texts[0], "reference": row.texts[1 + best]}
    unknown = {name: side.ids.count(encoder.tokenizer.unk_token_id) for name, side in sides.items()}
    empty = [name for name, side in sides.items() if side.ids == encoder.empty]
    light = [name for name in sides if name not in empty and not any(sides[name].weights)]
    counts = [f"{count} in the {name}" for name, count in unknown.items() if count]
    foreign = encoder.name == DEFAULT_MODEL and any(map(HAN.search, texts))
    notes = [
        empty and f"no token in the {' and the '.join(empty)}: 0 by definition",
        light and f"no token of the {' and the '.join(light)} has a weight: 0 by definition",
        counts and f"tokens unknown to the model, to which they are all the same: {', '.join(counts)}",
        foreign and "this model was trained on English; for Chinese, pass model_type=None and lang='zh'",
    ]
    return {
        "score": row.score.f1,
        **row.score._asdict(),
        "reference": best,
        **{f"{name}_length": side.length for name, side in sides.items()},
        "max_length": encoder.max_length,
        **{f"{name}_truncated": side.length > encoder.max_length for name, side in sides.items()},
        **{f"{name}_unknown": count for name, count in unknown.items()},
        **({} if brief else token_entries(row, encoder, best, texts)),
        "note": "; ".join(note for note in notes if note) or None,
    }
