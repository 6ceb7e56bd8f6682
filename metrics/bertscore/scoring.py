"""BERTScore: how well the tokens of answer and reference match by their embeddings.

Each token has a contextual embedding from a language model. The match of a token is its largest
cosine with a token of the other text. Precision is the mean over the answer's tokens, recall the
mean over the reference's, and F1 their harmonic mean.

Paper: Zhang et al. 2020, "BERTScore: Evaluating Text Generation with BERT", ICLR, arXiv:1904.09675.
Original: the package bert_score 0.3.13, and its call on the card of EVE open-ended (Atrio et al.
2026). Scores equal those of the package within 1e-5 if it scores one pair at a time. In batches the
package's padding raises negative cosines to 0, which changes some pairs by 5e-5 and more. Here the
score of a pair depends on that pair only.

Differences from the original:
- An empty text scores 0; the original crashes with transformers 5. A text whose tokens all have
  weight 0 scores 0 instead of nan.
- If the tokenizer has no maximum length, the model's maximum counts; the original crashes. Longer
  texts are truncated, and the result says how many.
- The model computes in 32 bits even if its file has 16 bits, as bert_score did before transformers
  5. If its files lack weights or a vocabulary, an error is raised.
- A single token before T5's end mark is a text, not an empty one. A cosine never exceeds 1.
- If a baseline is missing, an error is raised; the original warns and returns raw scores. Lone
  surrogates are read as U+FFFD.

This file may be copied alone. `score` then needs torch and transformers, and `num_layers` for any
model but the default one.

From Answer Lens 0.1.0 (metrics/bertscore), Apache-2.0. To cite it: CITATION.cff there, and the
paper above.
"""

import math
import re
import threading
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from numbers import Integral
from types import SimpleNamespace
from typing import Any, NamedTuple

# The model on the card of EVE open-ended, for English. In bert_score's list it agreed best with
# people on WMT16.
DEFAULT_MODEL = "microsoft/deberta-xlarge-mnli"

try:
    from .tables import LAYER_OF_MODEL
    from .text_model import find_token_limit, load_model, make_batches, refuse_incomplete_model
except ImportError:
    # If this file was copied alone: models are loaded without checks, and batches are not sorted by
    # length.
    LAYER_OF_MODEL = {DEFAULT_MODEL: 40}
    refuse_incomplete_model = find_token_limit = lambda *_: None  # type: ignore[assignment]

    @lru_cache(maxsize=1)
    def load_model(load: Any, needs: str, *settings: Any, **_: Any) -> SimpleNamespace:  # type: ignore[misc]
        """Return the model that `load` returns."""
        return load(*settings)  # type: ignore[no-any-return]

    def make_batches(lengths: list[int], size: int, device: str) -> list[list[int]]:  # type: ignore[misc]
        """Return the indices of texts in batches, in their order."""
        indices = list(range(len(lengths)))
        return [indices[start : start + size] for start in range(0, len(indices), size)]


# bert_score's model for a language, and for all other languages (bert_score/utils.py).
MODEL_OF = {
    "en": "roberta-large",
    "zh": "bert-base-chinese",
    "tr": "dbmdz/bert-base-turkish-cased",
    "en-sci": "allenai/scibert_scivocab_uncased",
}
MODEL_OF_OTHERS = "bert-base-multilingual-cased"
# How many tokens a model reads if neither its tokenizer nor its configuration says it.
USUAL_LENGTH = 512
# Two number signs: BERT's mark of a piece that continues a word. Written with chr, since the hash
# of evaluate's loader ignores the text after a number sign.
CONTINUES = chr(35) * 2
# Types of models that read padding. They get one text at a time, so that no other text changes its
# score.
READS_PADDING = ("convbert", "fnet")
# Tokens whose embeddings are in memory at once: 268 MB with 1024 dimensions.
WINDOW_TOKENS = 65_536
# A tokenizer can be used by one thread at a time.
lock = threading.Lock()
# Han ideographs: zero, unified with all extensions, compatibility.
HAN = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


def choose_model(model_type: Any, lang: str | None) -> Any:
    """Return the model: the one that was passed, or bert_score's for the language, or the default.

    >>> choose_model(None, "zh"), choose_model(None, "fr"), choose_model("roberta-base", "zh")
    ('bert-base-chinese', 'bert-base-multilingual-cased', 'roberta-base')
    >>> choose_model(None, None)
    'microsoft/deberta-xlarge-mnli'
    """
    if not isinstance(lang, str | None):
        raise TypeError(
            f"lang is {lang!r:.80} ({type(lang).__name__}); a string or None is expected"
        )
    if model_type is not None:
        return model_type
    if lang is None:
        return DEFAULT_MODEL
    return MODEL_OF.get(lang.lower(), MODEL_OF_OTHERS)


def read_encoder(
    name: str,
    device: Any,
    layers: Any,
    local_files_only: bool = False,
) -> SimpleNamespace:
    """Read a model in 32 bits, with its first `layers` only.

    If it has an encoder and a decoder, the encoder is the model.

    Returns:
        the model and its tokenizer; `empty`, the tokens of an empty text; `max_length`, how many
        tokens it reads; `total_layers`, how many layers it had; and `layers`, how many are used.

    Raises:
        OSError: its files lack weights or a vocabulary.
    """
    import torch
    from transformers import AutoModel, AutoTokenizer

    options = {"trust_remote_code": False, "local_files_only": local_files_only}
    tokenizer = AutoTokenizer.from_pretrained(name, **options)
    whole, loading_info = AutoModel.from_pretrained(
        name, dtype=torch.float32, output_loading_info=True, **options
    )
    has_decoder = hasattr(whole, "encoder") and hasattr(whole, "decoder")
    unused_weights = ("pooler", ".decoder.") if has_decoder else ("pooler",)
    refuse_incomplete_model(loading_info["missing_keys"], tokenizer, unused_weights)
    model = whole.encoder if has_decoder else whole
    total_layers = model.config.num_hidden_layers
    n_layers = total_layers if layers == "last" else layers
    if n_layers in range(total_layers):
        cut_layers(model, n_layers)
    limit = find_max_length(model, tokenizer)
    model.to(device or torch.accelerator.current_accelerator(check_available=True) or "cpu").eval()
    return SimpleNamespace(
        name=name,
        model=model,
        device=str(model.device),
        tokenizer=tokenizer,
        empty=tokenizer.encode(""),
        max_length=limit,
        total_layers=total_layers,
        layers=n_layers,
    )


def cut_layers(model: Any, layers: int) -> None:
    """Remove all layers of a model but the first ones."""
    import torch

    config = model.config
    if hasattr(model, "n_layers") or config.model_type == "albert":
        # XLM and ALBERT take the number of layers to compute from here.
        config.num_hidden_layers = model.n_layers = layers
        return
    for part in model.modules():
        if isinstance(part, torch.nn.ModuleList) and len(part) == config.num_hidden_layers:
            del part[layers:]
            return
    raise OSError("its layers were not found")


def find_max_length(model: Any, tokenizer: Any) -> int:
    """Return how many tokens a model reads."""
    limit = find_token_limit(model, tokenizer.model_max_length)
    if limit:
        return limit
    positions = getattr(model.config, "max_position_embeddings", None) or 0
    return int(min(tokenizer.model_max_length, positions if positions > 0 else USUAL_LENGTH))


def load_encoder(
    model_type: Any,
    num_layers: Any,
    lang: str | None = None,
    device: Any = None,
) -> SimpleNamespace:
    """Return a loaded model.

    Raises:
        ImportError: torch or transformers is not installed.
        OSError: the model cannot be loaded.
        ValueError: there is no such layer or device, or num_layers is missing.
    """
    is_number = isinstance(num_layers, Integral) and not isinstance(num_layers, bool)
    if num_layers is not None and num_layers != "last" and not is_number:
        raise ValueError(
            f"num_layers is {num_layers!r:.80}; a whole number, 'last' or None is expected"
        )
    model = choose_model(model_type, lang)
    layers = LAYER_OF_MODEL.get(str(model)) if num_layers is None else num_layers
    encoder = load_model(
        read_encoder, "torch transformers", model, device, layers, argument="model_type"
    )
    title = f"the model {str(model)!r:.200}"
    if layers is None:
        problem = f"which layer of {title} agrees best with people is not known"
        raise ValueError(
            f"{problem}: pass num_layers, a number from 1 to {encoder.total_layers}, or 'last'"
        )
    if not 0 <= encoder.layers <= encoder.total_layers:
        raise ValueError(f"num_layers is {layers}; {title} has layers 0 to {encoder.total_layers}")
    return encoder


class Text(NamedTuple):
    """A text as the model reads it.

    Attributes:
        ids: its tokens, truncated at the model's limit.
        weights: the weight of each token.
        length: how many tokens it has without the limit.
    """

    ids: list[int]
    weights: list[float]
    length: int


class Score(NamedTuple):
    """The precision, recall and F1 of one answer.

    They are in 0..1, unless the model has negative cosines.
    """

    precision: float
    recall: float
    f1: float


NO_SCORE = Score(0.0, 0.0, 0.0)


class Match(NamedTuple):
    """The match of one answer and one reference.

    Attributes:
        score: the score of the answer.
        tokens: on request, for the answer and for the reference: the place and the cosine of each
            token's best match.
    """

    score: Score
    tokens: list[list[tuple[int, float]]]


class Row(NamedTuple):
    """One row: the texts of the answer and its references, its score, and all matches.

    The score has the best precision, recall and F1 over the references.
    """

    texts: list[Text]
    score: Score
    matches: list[Match]


def clean_text(text: str) -> str:
    """Return a text for the tokenizer, without white space around it.

    Surrogate pairs become one character; lone surrogates become U+FFFD.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()


def tokenize_texts(encoder: SimpleNamespace, texts: list[str]) -> dict[str, Text]:
    """Return each text as the model reads it.

    All tokens have weight 1, but the special ones at the ends have 0, as in bert_score without idf.
    """
    tokenizer = encoder.tokenizer
    limit = encoder.max_length
    marks = (tokenizer.cls_token_id, tokenizer.sep_token_id)
    tokenized = {}
    with lock:
        all_ids = tokenizer(texts, truncation=False, verbose=False)["input_ids"]
        for text, whole in zip(texts, all_ids, strict=True):
            ids = whole
            if len(whole) > limit:
                ids = tokenizer.encode(text, truncation=True, max_length=limit)
            weights = [float(token not in marks) for token in ids]
            tokenized[text] = Text(ids, weights, len(whole))
    return tokenized


def weigh_by_idf(texts: dict[str, Text], references: list[str]) -> dict[str, Text]:
    """Return the texts with tokens weighed by inverse document frequency in the references."""
    counts: Counter[int] = Counter()
    for reference in references:
        counts.update(set(texts[reference].ids))
    n_all = len(references) + 1
    weighed = {}
    for text, (ids, _, length) in texts.items():
        weights = [math.log(n_all / (counts[token] + 1)) for token in ids]
        weighed[text] = Text(ids, weights, length)
    return weighed


def embed_texts(encoder: SimpleNamespace, texts: list[list[int]], batch_size: int) -> list[Any]:
    """Return the embeddings of each text: a tensor (tokens, dimensions) with rows of length 1."""
    import torch
    from torch.nn.utils.rnn import pad_sequence

    padding = encoder.tokenizer.pad_token_id or 0
    reads_padding = encoder.model.config.model_type in READS_PADDING
    size = 1 if reads_padding else batch_size
    lengths = [len(text) for text in texts]
    embeddings = list[Any](texts)
    for batch in make_batches(lengths, size, encoder.device):
        rows = [torch.tensor(texts[i]) for i in batch]
        ids = pad_sequence(rows, batch_first=True, padding_value=padding)
        # The mask is 1 for tokens and 0 for padding.
        ones = [torch.ones_like(row) for row in rows]
        mask = pad_sequence(ones, batch_first=True)
        with torch.inference_mode():
            output = encoder.model(
                input_ids=ids.to(encoder.device), attention_mask=mask.to(encoder.device)
            )
            states = output[0]
            states /= states.norm(dim=-1, keepdim=True)
        for state, i in zip(states, batch, strict=True):
            embeddings[i] = state[: lengths[i]].clone()
    return embeddings


def average(values: list[float], weights: list[float]) -> float:
    """Return the mean of `values`, weighted by `weights`; 0 if all weights are 0."""
    total = math.fsum(weights)
    if not total:
        return 0.0
    weighted = (value * weight for value, weight in zip(values, weights, strict=True))
    return math.fsum(weighted) / total


def match_tokens(
    embeddings: tuple[Any, Any], weights: tuple[list[float], list[float]], explain: bool
) -> Match:
    """Match the tokens of an answer and of a reference.

    Args:
        embeddings: the embeddings of both texts.
        weights: the weights of the tokens of both texts.
        explain: whether to keep which token matched which.
    """
    similarity = (embeddings[0] @ embeddings[1].T).clamp_(max=1)
    # For each token of one text, the most similar token of the other.
    best_of_answer = similarity.max(dim=1)
    best_of_reference = similarity.max(dim=0)
    precision = average(best_of_answer.values.tolist(), weights[0])
    recall = average(best_of_reference.values.tolist(), weights[1])
    f1 = 0.0
    if precision + recall:
        f1 = 2 * precision * recall / (precision + recall)
    tokens = []
    if explain:
        for best in (best_of_answer, best_of_reference):
            matches = zip(best.indices.tolist(), best.values.tolist(), strict=True)
            tokens.append(list(matches))
    return Match(Score(precision, recall, f1), tokens)


Pair = tuple[str, str]


def match_pairs(
    encoder: SimpleNamespace,
    texts: dict[str, Text],
    pairs: list[Pair],
    batch_size: int,
    explain: bool,
) -> dict[Pair, Match]:
    """Return the match of each pair of texts.

    Each text is embedded once. Its embeddings are kept from the first window of pairs that needs
    them to the last.

    Raises:
        OSError: the model computes values that are not numbers.
    """
    # The match of a pair with an empty text.
    matches = dict.fromkeys(pairs, Match(NO_SCORE, [[], []]))
    empty_texts = {text for text, tokens in texts.items() if tokens.ids == encoder.empty}
    full_pairs = [pair for pair in matches if empty_texts.isdisjoint(pair)]
    windows = split_windows(texts, full_pairs)
    last_window = find_last_windows(windows)
    embeddings: dict[str, Any] = {}
    for number, window in enumerate(windows):
        new_texts = list_new_texts(window, embeddings)
        embedded = embed_texts(encoder, [texts[text].ids for text in new_texts], batch_size)
        embeddings |= zip(new_texts, embedded, strict=True)
        for answer, reference in window:
            weights = (texts[answer].weights, texts[reference].weights)
            embedded_pair = (embeddings[answer], embeddings[reference])
            matches[answer, reference] = match_tokens(embedded_pair, weights, explain)
        drop_embeddings(embeddings, last_window, number)
    check_numbers(encoder, matches.values())
    return matches


def check_numbers(encoder: SimpleNamespace, matches: Iterable[Match]) -> None:
    """Raise OSError if the model computes values that are not numbers."""
    for match in matches:
        if math.isnan(match.score.f1):
            raise OSError(
                f"the model {encoder.name!r:.200} computes no numbers; its weights are damaged"
            )


def find_last_windows(windows: list[list[Pair]]) -> dict[str, int]:
    """Return the number of the last window that needs each text."""
    last_window = {}
    for number, window in enumerate(windows):
        for pair in window:
            last_window.update(dict.fromkeys(pair, number))
    return last_window


def drop_embeddings(embeddings: dict[str, Any], last_window: dict[str, int], number: int) -> None:
    """Remove the embeddings that no window after this number needs."""
    for text in list(embeddings):
        if last_window[text] <= number:
            del embeddings[text]


def list_new_texts(window: list[Pair], embeddings: dict[str, Any]) -> list[str]:
    """Return the distinct texts of a window that have no embeddings yet, in order."""
    new_texts: dict[str, None] = {}
    for pair in window:
        for text in pair:
            if text not in embeddings:
                new_texts[text] = None
    return list(new_texts)


def split_windows(texts: dict[str, Text], pairs: list[Pair]) -> list[list[Pair]]:
    """Return pairs in windows of about WINDOW_TOKENS tokens."""
    windows: dict[int, list[Pair]] = {}
    n_tokens = 0
    for pair in pairs:
        n_tokens += sum(len(texts[text].ids) for text in pair)
        windows.setdefault(n_tokens // WINDOW_TOKENS, []).append(pair)
    return list(windows.values())


def clean_rows(predictions: list[str], references: list[tuple[str, ...]]) -> list[list[str]]:
    """Return the cleaned texts of each row: the answer, then its references."""
    rows = []
    for prediction, row_references in zip(predictions, references, strict=True):
        texts = [prediction, *row_references]
        rows.append(list(map(clean_text, texts)))
    return rows


def list_pairs(rows: list[list[str]]) -> list[Pair]:
    """Return the pairs of an answer and one of its references.

    Pairs with the same reference are neighbours, so that its embeddings are soon dropped.
    """
    pairs = []
    for answer, *references in sorted(rows, key=lambda row: row[1]):
        for reference in references:
            pairs.append((answer, reference))
    return pairs


def compute_best_score(matches: list[Match], baseline: tuple[float, ...]) -> Score:
    """Return the best values over all references, rescaled so that `baseline` becomes 0."""
    values_by_reference = [match.score for match in matches]
    best = map(max, zip(*values_by_reference, strict=True))
    rescaled = []
    for value, low in zip(best, baseline, strict=True):
        rescaled.append((value - low) / (1 - low))
    return Score(*rescaled)


def score_rows(  # noqa: PLR0913
    encoder: SimpleNamespace,
    predictions: list[str],
    references: list[tuple[str, ...]],
    idf: bool = False,
    baseline: tuple[float, ...] = NO_SCORE,
    batch_size: int = 64,
    explain: bool = False,
) -> list[Row]:
    """Score each prediction by its references.

    Args:
        encoder: the model.
        predictions: the answers.
        references: the references of each answer.
        idf: whether to weigh tokens by their inverse document frequency in the references.
        baseline: the precision, recall and F1 that are rescaled to 0, while 1 stays 1.
        batch_size: the most texts in one batch.
        explain: whether to keep which token matched which.
    """
    rows = clean_rows(predictions, references)
    all_texts: list[str] = []
    all_references: list[str] = []
    for row in rows:
        all_texts += row
        all_references += row[1:]
    texts = tokenize_texts(encoder, list(dict.fromkeys(all_texts)))
    if idf:
        texts = weigh_by_idf(texts, all_references)
    all_matches = match_pairs(encoder, texts, list_pairs(rows), batch_size, explain)
    scored = []
    for row in rows:
        matches = [all_matches[row[0], reference] for reference in row[1:]]
        score = compute_best_score(matches, baseline)
        scored.append(Row([texts[text] for text in row], score, matches))
    return scored


def score(
    prediction: str,
    references: str | list[str],
    model_type: str | None = None,
    num_layers: int | str | None = None,
    lang: str | None = None,
    device: str | None = None,
) -> Score:
    """Return precision, recall and F1 of one answer, higher is better.

    Each is in 0..1 with common models, and 0 if a text is empty. With several references, the best
    value of each counts.

    Args:
        prediction: the answer to grade.
        references: the right answer, or a list of them.
        model_type: a model of transformers, by its name on the Hub or the path of its folder. None
            takes the model for `lang`, or without `lang` DEFAULT_MODEL.
        num_layers: how many of its layers to use; "last" is all, None the number in bert_score's
            list.
        lang: the language, which chooses the model if model_type is None.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is available.

    Raises:
        ImportError: torch or transformers is not installed.
        OSError: the model cannot be loaded.
        TypeError: a text is no string.
        ValueError: there is no reference, num_layers is missing, or there is no such layer.

    """
    reference_list = tuple(references) if isinstance(references, list | tuple) else (references,)
    check_text("prediction", prediction)
    for reference in reference_list:
        check_text("a reference", reference)
    if not reference_list:
        raise ValueError("references is empty; at least one reference is needed")
    encoder = load_encoder(model_type, num_layers, lang, device)
    return score_rows(encoder, [prediction], [reference_list])[0].score


def check_text(name: str, text: Any) -> None:
    """Raise TypeError if a value is no string."""
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")


class Piece(NamedTuple):
    """A token as it is written in its text.

    Attributes:
        written: the characters of the token, after CONTINUES if it continues a word.
        is_mark: whether the tokenizer added it to the text.
    """

    written: str
    is_mark: bool


def write_pieces(encoder: SimpleNamespace, text: str) -> list[Piece]:
    """Return the tokens of a text as they are written in it."""
    tokenizer = encoder.tokenizer
    cleaned = clean_text(text)
    options = {"return_special_tokens_mask": True, "return_offsets_mapping": tokenizer.is_fast}
    with lock:
        encoded = tokenizer(cleaned, truncation=True, max_length=encoder.max_length, **options)
    written = list(tokenizer.convert_ids_to_tokens(encoded["input_ids"]))
    if tokenizer.is_fast:
        last_span = last_word = None
        for i, word in enumerate(encoded.word_ids()):
            span = encoded["offset_mapping"][i]
            # The tokenizer's own tokens belong to no word.
            if word is not None:
                # If a character has several byte tokens, only the first shows it.
                is_same_character = (word, span) == (last_word, last_span)
                piece = "" if is_same_character else cleaned[slice(*span)].strip()
                written[i] = CONTINUES + piece if word == last_word else piece
            last_span = span
            last_word = word
    pieces = []
    for token, is_mark in zip(written, encoded["special_tokens_mask"], strict=True):
        pieces.append(Piece(token, bool(is_mark)))
    return pieces


def list_matches(
    row: Row,
    encoder: SimpleNamespace,
    best: int,
    texts: tuple[str, str],
) -> dict[str, list[list[Any]]]:
    """Return the matches of the tokens of both texts.

    Returns:
        for each token with a weight: [token, the token it matched, cosine, weight]; None instead of
        a matched special token. Special tokens at the ends are listed only if they have a weight,
        or if the tokenizer does not mark them as special (T5).
    """
    sides = (row.texts[0], row.texts[1 + best])
    pieces = [write_pieces(encoder, text) for text in texts]
    entries: dict[str, list[list[Any]]] = {}
    for i, name in enumerate(("prediction", "reference")):
        own_pieces = pieces[i]
        other_pieces = pieces[1 - i]
        entry = entries[f"{name}_tokens"] = []
        for place, (match, cosine) in enumerate(row.matches[best].tokens[i]):
            weight = sides[i].weights[place]
            piece = own_pieces[place]
            if weight or not piece.is_mark:
                matched_piece = other_pieces[match]
                matched_token = None if matched_piece.is_mark else matched_piece.written
                entry.append([piece.written, matched_token, cosine, weight])
    return entries


def explain(
    row: Row,
    encoder: SimpleNamespace,
    prediction: str,
    references: tuple[str, ...],
    brief: bool = False,
) -> dict[str, Any]:
    """Return the entry of `per_example` for one row.

    Args:
        row: the row.
        encoder: the model.
        prediction: the answer.
        references: the right answers.
        brief: whether to leave out the tokens. They are shown with the reference of the best F1.
    """
    f1_scores = [match.score.f1 for match in row.matches]
    best = f1_scores.index(max(f1_scores))
    answer = row.texts[0]
    reference = row.texts[1 + best]
    shown = (prediction, references[best])
    unknown_token = encoder.tokenizer.unk_token_id
    unknown = {
        "prediction": answer.ids.count(unknown_token),
        "reference": reference.ids.count(unknown_token),
    }
    entry = {
        "score": row.score.f1,
        **row.score._asdict(),
        "reference": best,
        "prediction_length": answer.length,
        "reference_length": reference.length,
        "max_length": encoder.max_length,
        "prediction_truncated": answer.length > encoder.max_length,
        "reference_truncated": reference.length > encoder.max_length,
        "prediction_unknown": unknown["prediction"],
        "reference_unknown": unknown["reference"],
    }
    if not brief:
        entry |= list_matches(row, encoder, best, shown)
    is_foreign = encoder.name == DEFAULT_MODEL and any(map(HAN.search, shown))
    return entry | describe_doubts(
        encoder, {"prediction": answer, "reference": reference}, unknown, is_foreign
    )


def describe_doubts(
    encoder: SimpleNamespace,
    sides: dict[str, Text],
    unknown: dict[str, int],
    is_foreign: bool,
) -> dict[str, Any]:
    """Return the note of a row: which tokens the model could not read or weigh."""
    empty = []
    weightless = []
    for name, side in sides.items():
        if side.ids == encoder.empty:
            empty.append(name)
        elif not any(side.weights):
            weightless.append(name)
    sentences: list[str] = []
    data: list[dict[str, Any]] = []
    warnings: list[str] = []
    if empty:
        sentences.append(f"no token in the {' and the '.join(empty)}: 0 by definition")
        data.append({"key": "no_token_zero", "sides": empty})
    if weightless:
        sides_in_words = " and the ".join(weightless)
        sentences.append(f"no token of the {sides_in_words} has a weight: 0 by definition")
        data.append({"key": "no_weight_zero", "sides": weightless})
    counts = {name: count for name, count in unknown.items() if count}
    if counts:
        sentences.append(describe_unknown(counts))
        data.append({"key": "unknown_tokens", "counts": counts})
    if is_foreign:
        sentences.append("this model was trained on English; for Chinese, pass lang='zh'")
        data.append({"key": "english_model_lang"})
        warnings.append("english_model")
    return {
        "note": "; ".join(sentences) or None,
        "warnings": warnings,
        "note_data": data,
    }


def describe_unknown(counts: dict[str, int]) -> str:
    """Return the sentence on tokens that the model does not know, with their count by text."""
    texts = [f"{count} in the {name}" for name, count in counts.items()]
    joined = ", ".join(texts)
    return f"the model does not know some tokens and treats them as equal: {joined}"
