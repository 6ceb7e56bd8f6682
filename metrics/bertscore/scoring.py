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
from itertools import accumulate, groupby
from numbers import Integral
from operator import itemgetter
from types import SimpleNamespace
from typing import Any, NamedTuple

# The model of the card of EVE open-ended, which agreed best with people in WMT16 (bert_score's list); for English.
DEFAULT_MODEL = "microsoft/deberta-xlarge-mnli"

try:
    from .tables import LAYERS
    from .text_model import batches, loaded, refuse_gaps, token_limit
except ImportError:  # this file alone: a model as transformers loads it, unchecked, and all texts at once
    LAYERS = {DEFAULT_MODEL: 40}
    refuse_gaps = token_limit = lambda *_: None  # type: ignore[assignment]

    @lru_cache(maxsize=1)
    def loaded(load: Any, needs: str, *settings: Any, **_: Any) -> SimpleNamespace:  # type: ignore[misc]
        """Return what `load` makes of a model."""
        return load(*settings)  # type: ignore[no-any-return]

    def batches(lengths: list[int], size: int, device: str) -> list[list[int]]:  # type: ignore[misc]
        """Return batches of texts as they come."""
        return [list(range(len(lengths)))[at : at + size] for at in range(0, len(lengths), size)]


# The package's model for a language (bert_score/utils.py), and for any other.
MODEL_OF = {
    "en": "roberta-large",
    "zh": "bert-base-chinese",
    "tr": "dbmdz/bert-base-turkish-cased",
    "en-sci": "allenai/scibert_scivocab_uncased",
}
MODEL_OF_OTHERS = "bert-base-multilingual-cased"
# What a model reads of which neither tokenizer nor configuration say it.
USUAL_LENGTH = 512
# Two number signs, BERT's sign for a piece that continues a word. (The loader's hash passes over what follows one.)
CONTINUES = chr(35) * 2
# Kinds of model that read padding: one text at a time, or its neighbours would move its score.
READS_PADDING = ("convbert", "fnet")
# Tokens of answers and references whose embeddings are held at once: 268 MB with 1024 dimensions.
WINDOW_TOKENS = 65_536
# Tokenizers bear one thread at a time.
lock = threading.Lock()
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


def model_for(model_type: Any, lang: str | None) -> Any:
    """Return the model: the one named, else the package's model for the language, else the default.

    >>> model_for(None, "zh"), model_for(None, "fr"), model_for("roberta-base", "zh")
    ('bert-base-chinese', 'bert-base-multilingual-cased', 'roberta-base')
    >>> model_for(None, None)
    'microsoft/deberta-xlarge-mnli'
    """
    if not isinstance(lang, str | None):
        raise TypeError(f"lang is {lang!r:.80} ({type(lang).__name__}); a string or None is expected")
    if model_type is not None:
        return model_type
    return DEFAULT_MODEL if lang is None else MODEL_OF.get(lang.lower(), MODEL_OF_OTHERS)


def load(name: str, device: Any, layers: Any, local_files_only: bool = False) -> SimpleNamespace:
    """Return a model in 32 bits (of an encoder with a decoder, the encoder) cut to its first `layers`, its tokenizer,
    the tokens of an `empty` text, how many it reads, and how many layers were `there` and are left.
    """
    import torch
    from transformers import AutoModel, AutoTokenizer

    only = {"trust_remote_code": False, "local_files_only": local_files_only}
    tokenizer = AutoTokenizer.from_pretrained(name, **only)
    whole, about = AutoModel.from_pretrained(name, dtype=torch.float32, output_loading_info=True, **only)
    paired = hasattr(whole, "encoder") and hasattr(whole, "decoder")
    refuse_gaps(about["missing_keys"], tokenizer, ("pooler", ".decoder.") if paired else ("pooler",))
    model = whole.encoder if paired else whole
    there = model.config.num_hidden_layers
    left = there if layers == "last" else layers
    if left in range(there):
        lists = (part for part in model.modules() if isinstance(part, torch.nn.ModuleList) and len(part) == there)
        if hasattr(model, "n_layers") or model.config.model_type == "albert":
            model.config.num_hidden_layers = model.n_layers = left  # XLM and ALBERT run through their layers by these
        else:
            del next(lists)[left:]
    said, named = tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", None) or 0
    limit = token_limit(model, said) or min(said, named if named > 0 else USUAL_LENGTH)
    model.to(device or torch.accelerator.current_accelerator(check_available=True) or "cpu").eval()
    parts = {"name": name, "model": model, "device": str(model.device), "tokenizer": tokenizer}
    return SimpleNamespace(**parts, empty=tokenizer.encode(""), max_length=limit, there=there, layers=left)


def encoder_of(model_type: Any, num_layers: Any, lang: str | None = None, device: Any = None) -> SimpleNamespace:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such layer or device)."""
    if isinstance(num_layers, bool) or (not isinstance(num_layers, Integral | None) and num_layers != "last"):
        raise ValueError(f"num_layers is {num_layers!r:.80}; a whole number, 'last' or None is expected")
    asked = model_for(model_type, lang)
    layers = LAYERS.get(str(asked)) if num_layers is None else num_layers
    encoder = loaded(load, "torch transformers", asked, device, layers, argument="model_type")
    who, there = f"the model {str(asked)!r:.200}", encoder.there
    if layers is None:
        problem = f"which layer of {who} agrees best with people is not known"
        raise ValueError(f"{problem}: pass num_layers, a number from 1 to {there}, or 'last'")
    if not 0 <= encoder.layers <= there:
        raise ValueError(f"num_layers is {layers}; {who} has layers 0 to {there}")
    return encoder


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


def tokenized(encoder: SimpleNamespace, texts: list[str]) -> dict[str, Text]:
    """Return each text as the model reads it, the marks around it without weight, as bert_score weighs without idf."""
    tokenizer, limit, found = encoder.tokenizer, encoder.max_length, {}
    marks = (tokenizer.cls_token_id, tokenizer.sep_token_id)
    with lock:
        for text, whole in zip(texts, tokenizer(texts, truncation=False, verbose=False)["input_ids"], strict=True):
            ids = whole if len(whole) <= limit else tokenizer.encode(text, truncation=True, max_length=limit)
            found[text] = Text(ids, [float(token not in marks) for token in ids], len(whole))
    return found


def embed(encoder: SimpleNamespace, texts: list[list[int]], batch_size: int) -> list[Any]:
    """Return the embeddings of the tokens of each text, each a tensor (tokens, dimensions) of length-1 rows."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    padding, found = encoder.tokenizer.pad_token_id or 0, list[Any](texts)
    size = 1 if encoder.model.config.model_type in READS_PADDING else batch_size
    for batch in batches(list(map(len, texts)), size, encoder.device):
        rows = [torch.tensor(texts[i]) for i in batch]
        ids = pad_sequence(rows, batch_first=True, padding_value=padding).to(encoder.device)
        mask = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True).to(encoder.device)
        with torch.inference_mode():
            states = encoder.model(input_ids=ids, attention_mask=mask)[0]
            states /= states.norm(dim=-1, keepdim=True)
        for state, i in zip(states, batch, strict=True):
            found[i] = state[: len(texts[i])].clone()
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
    encoder: SimpleNamespace, read: dict[str, Text], pairs: list[tuple[str, str]], batch_size: int, explain: bool
) -> dict[tuple[str, str], Match]:
    """Return the match of each pair of texts. Each text goes through the model once, and its embeddings are held from
    the first window of pairs that needs them to the last.
    """
    result = dict.fromkeys(pairs, Match(Score(0.0, 0.0, 0.0), [[], []]))  # what an empty text scores
    full = [pair for pair in result if encoder.empty not in (read[text].ids for text in pair)]
    sizes = accumulate(sum(len(read[text].ids) for text in pair) for pair in full)
    windows = [size // WINDOW_TOKENS for size in sizes]
    last = {text: window for window, pair in zip(windows, full, strict=True) for text in pair}
    held: dict[str, Any] = {}
    for window, some in groupby(zip(windows, full, strict=True), key=itemgetter(0)):
        now = [pair for _, pair in some]
        new = list(dict.fromkeys(text for pair in now for text in pair if text not in held))
        held |= zip(new, embed(encoder, [read[text].ids for text in new], batch_size), strict=True)
        for a, b in now:
            result[a, b] = match((held[a], held[b]), (read[a].weights, read[b].weights), explain)
        held = {text: embeddings for text, embeddings in held.items() if last[text] > window}
    if any(math.isnan(found.score.f1) for found in result.values()):
        raise OSError(f"the model {encoder.name!r:.200} computes no numbers; its weights are damaged")
    return result


def rows_of_texts(  # noqa: PLR0913
    encoder: SimpleNamespace,
    predictions: list[str],
    references: list[tuple[str, ...]],
    idf: bool = False,
    zero: tuple[float, ...] = (0.0, 0.0, 0.0),
    batch_size: int = 64,
    explain: bool = False,
) -> list[Row]:
    """Return one row for each prediction and its references, with `idf` weighed by the inverse document frequency of
    tokens in the references, and rescaled so that precision, recall and F1 of `zero` become 0 while 1 stays 1.
    """
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
    model_type: str | None = None,
    num_layers: int | str | None = None,
    lang: str | None = None,
    device: str | None = None,
) -> Score:
    """Return precision, recall and F1 of one answer, each 0..1 with common models, higher is better; 0 for no text.
    Of several references the best of each number counts.

    Args:
        prediction: the answer to grade.
        references: the right answer, or several.
        model_type: a model of transformers, by its name on the Hub or the path of its folder; None takes lang's, and
            without lang DEFAULT_MODEL.
        num_layers: how many of its layers; None takes the number that bert_score lists, "last" all.
        lang: the language, whose model is taken where model_type names none.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is there.

    Raises:
        ImportError, OSError: torch or transformers is not installed; the model cannot be had.
        TypeError, ValueError: a text is no string; num_layers is needed, or there is no such layer.

    """
    several = tuple(references) if isinstance(references, list | tuple) else (references,)
    for name, text in (("prediction", prediction), *(("a reference", text) for text in several)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    if not several:
        raise ValueError("references is empty; at least one reference is needed")
    return rows_of_texts(encoder_of(model_type, num_layers, lang, device), [prediction], [several])[0].score


def pieces(encoder: SimpleNamespace, text: str) -> tuple[list[str], list[int]]:
    """Return the tokens of a text as it writes them, CONTINUES before what continues a word, and for each whether it is
    a mark that the tokenizer put around the text.
    """
    tokenizer, given = encoder.tokenizer, readable(text)
    asked = {"return_special_tokens_mask": True, "return_offsets_mapping": tokenizer.is_fast}
    with lock:
        encoded = tokenizer(given, truncation=True, max_length=encoder.max_length, **asked)
    written, before, word = list(tokenizer.convert_ids_to_tokens(encoded["input_ids"])), None, None
    for i, number in enumerate(encoded.word_ids() if tokenizer.is_fast else []):
        span = encoded["offset_mapping"][i]
        if number is not None:  # bytes of one character have its span each: the first one stands for it
            own = "" if (number, span) == (word, before) else given[slice(*span)].strip()
            written[i] = CONTINUES + own if number == word else own
        before, word = span, number
    return written, encoded["special_tokens_mask"]


def token_entries(row: Row, encoder: SimpleNamespace, best: int, texts: tuple[str, str]) -> dict[str, list[list[Any]]]:
    """Return for both texts [token, token it matched or None for a mark, cosine, weight] of each token that counts: the
    marks around a text do only where the tokenizer does not call them so (T5).
    """
    written, marks = zip(*(pieces(encoder, text) for text in texts), strict=True)
    sides = (row.texts[0], row.texts[1 + best])
    return {
        f"{name}_tokens": [
            [written[i][at], None if marks[1 - i][match] else written[1 - i][match], cosine, sides[i].weights[at]]
            for at, (match, cosine) in enumerate(row.matches[best].tokens[i])
            if sides[i].weights[at] or not marks[i][at]
        ]
        for i, name in enumerate(("prediction", "reference"))
    }


def explain(
    row: Row, encoder: SimpleNamespace, prediction: str, references: tuple[str, ...], brief: bool = False
) -> dict[str, Any]:
    """Return the entry of `per_example` for one row, its tokens for the reference of the best F1; `brief` without."""
    best = max(range(len(references)), key=lambda i: row.matches[i].score.f1)
    texts = (prediction, references[best])
    sides = {"prediction": row.texts[0], "reference": row.texts[1 + best]}
    unknown = {name: side.ids.count(encoder.tokenizer.unk_token_id) for name, side in sides.items()}
    empty = [name for name, side in sides.items() if side.ids == encoder.empty]
    light = [name for name in sides if name not in empty and not any(sides[name].weights)]
    counts = [f"{count} in the {name}" for name, count in unknown.items() if count]
    foreign = encoder.name == DEFAULT_MODEL and any(map(HAN.search, texts))
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    if empty:
        sentences.append(f"no token in the {' and the '.join(empty)}: 0 by definition")
        data.append({"key": "no_token_zero", "sides": empty})
    if light:
        sentences.append(f"no token of the {' and the '.join(light)} has a weight: 0 by definition")
        data.append({"key": "no_weight_zero", "sides": light})
    if counts:
        sentences.append(f"tokens unknown to the model, to which they are all the same: {', '.join(counts)}")
        data.append({"key": "unknown_tokens", "counts": {name: count for name, count in unknown.items() if count}})
    if foreign:
        sentences.append("this model was trained on English; for Chinese, pass lang='zh'")
        data.append({"key": "english_model_lang"})
    return {
        "score": row.score.f1,
        **row.score._asdict(),
        "reference": best,
        **{f"{name}_length": side.length for name, side in sides.items()},
        "max_length": encoder.max_length,
        **{f"{name}_truncated": side.length > encoder.max_length for name, side in sides.items()},
        **{f"{name}_unknown": count for name, count in unknown.items()},
        **({} if brief else token_entries(row, encoder, best, texts)),
        "note": "; ".join(sentences) or None,
        "warnings": ["english_model"] if foreign else [],
        "note_data": data,
    }
