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
"""

import csv
import hashlib
import importlib.metadata
import importlib.util
import math
import os
import platform
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache, partial
from itertools import accumulate, pairwise
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

# The model of the card of EVE open-ended, which agreed best with people in WMT16 (bert_score's list); for English.
DEFAULT_MODEL = "microsoft/deberta-xlarge-mnli"
# The package's model for a language (bert_score/utils.py), and for any other.
MODEL_OF = {
    "en": "roberta-large",
    "zh": "bert-base-chinese",
    "tr": "dbmdz/bert-base-turkish-cased",
    "en-sci": "allenai/scibert_scivocab_uncased",
}
MODEL_OF_OTHERS = "bert-base-multilingual-cased"
# The layer that agreed best with people, for each model that was tried (bert_score/utils.py, WMT16).
LAYERS = {
    name: int(line.partition(":")[0])
    for line in """
0: amazon/bort
1: google/bert_uncased_L-2_H-128_A-2 google/bert_uncased_L-2_H-256_A-4 google/bert_uncased_L-2_H-512_A-8 \
    google/byt5-small
2: facebook/blenderbot-400M-distill google/bert_uncased_L-2_H-768_A-12 sshleifer/tiny-mbart
3: google/bert_uncased_L-4_H-128_A-2 google/bert_uncased_L-4_H-256_A-4 google/bert_uncased_L-4_H-512_A-8 \
    google/bert_uncased_L-4_H-768_A-12
4: dbmdz/distilbert-base-turkish-cased distilbert-base-uncased-distilled-squad microsoft/deberta-v3-small \
    microsoft/prophetnet-large-uncased zhiheng-huang/bert-base-uncased-embedding-relative-key
5: distilbert-base-multilingual-cased distilbert-base-uncased distilroberta-base google/bert_uncased_L-6_H-128_A-2 \
    google/bert_uncased_L-6_H-256_A-4 google/bert_uncased_L-6_H-512_A-8 google/bert_uncased_L-6_H-768_A-12 \
    xlnet-base-cased
6: allenai/led-base-16384 facebook/bart-base google/bert_uncased_L-8_H-512_A-8 t5-small xlm-mlm-en-2048
7: allenai/longformer-base-4096 facebook/blenderbot_small-90M google/bert_uncased_L-8_H-128_A-2 \
    google/bert_uncased_L-8_H-256_A-4 google/bert_uncased_L-8_H-768_A-12 microsoft/prophetnet-large-uncased-cnndm \
    microsoft/xprophetnet-large-wiki100-cased roberta-base-openai-detector xlnet-large-cased \
    zhiheng-huang/bert-base-uncased-embedding-relative-key-query
8: SpanBERT/spanbert-base-cased albert-xxlarge-v1 albert-xxlarge-v2 allenai/scibert_scivocab_uncased \
    bert-base-chinese google/bert_uncased_L-10_H-128_A-2 google/bert_uncased_L-10_H-256_A-4 \
    google/bert_uncased_L-10_H-768_A-12 google/bigbird-base-trivia-itc google/mt5-small google/pegasus-large \
    microsoft/mpnet-base princeton-nlp/unsup-simcse-roberta-base
9: YituTech/conv-bert-medium-small albert-base-v2 allenai/scibert_scivocab_cased bert-base-cased-finetuned-mrpc \
    bert-base-multilingual-cased bert-base-uncased facebook/bart-large-xsum google/bert_uncased_L-10_H-512_A-8 \
    google/bert_uncased_L-12_H-768_A-12 google/electra-base-discriminator google/electra-small-generator \
    microsoft/deberta-base microsoft/deberta-base-mnli microsoft/deberta-v3-base nfliu/scibert_basevocab_uncased \
    squeezebert/squeezebert-mnli squeezebert/squeezebert-mnli-headless squeezebert/squeezebert-uncased \
    vinai/bertweet-base xlm-roberta-base
10: ProsusAI/finbert YituTech/conv-bert-base YituTech/conv-bert-small albert-base-v1 dbmdz/bert-base-turkish-cased \
    facebook/bart-large facebook/bart-large-cnn google/bert_uncased_L-12_H-128_A-2 \
    google/bert_uncased_L-12_H-512_A-8 google/bigbird-roberta-base google/electra-base-generator \
    microsoft/deberta-v2-xlarge microsoft/deberta-v3-xsmall microsoft/mdeberta-v3-base \
    princeton-nlp/sup-simcse-bert-base-uncased princeton-nlp/sup-simcse-roberta-base \
    princeton-nlp/unsup-simcse-bert-base-uncased roberta-base xlm-mlm-100-1280
11: facebook/bart-large-mnli google/bert_uncased_L-12_H-256_A-4 google/electra-small-discriminator google/mt5-base \
    google/pegasus-xsum ramsrigouthamg/t5_paraphraser t5-base
12: Vamsi/T5_Paraphrase_Paws facebook/mbart-large-50 facebook/mbart-large-50-many-to-many-mmt \
    facebook/mbart-large-50-one-to-many-mmt facebook/mbart-large-cc25 facebook/mbart-large-en-ro \
    microsoft/deberta-v3-large
13: albert-xlarge-v2 princeton-nlp/unsup-simcse-roberta-large
14: albert-large-v2 allenai/longformer-large-4096 allenai/longformer-large-4096-finetuned-triviaqa \
    google/bigbird-roberta-large google/electra-large-discriminator
15: roberta-large-openai-detector tuner007/pegasus_paraphrase
16: albert-xlarge-v1 microsoft/deberta-large princeton-nlp/sup-simcse-roberta-large
17: SpanBERT/spanbert-large-cased albert-large-v1 google/byt5-base microsoft/deberta-v2-xlarge-mnli roberta-large \
    xlm-roberta-large
18: bert-large-uncased google/electra-large-generator khalidalt/DeBERTa-v3-large-mnli microsoft/deberta-large-mnli \
    microsoft/deberta-xlarge princeton-nlp/sup-simcse-bert-large-uncased \
    princeton-nlp/unsup-simcse-bert-large-uncased
19: google/mt5-large roberta-large-mnli \
    zhiheng-huang/bert-large-uncased-whole-word-masking-embedding-relative-key-query
21: microsoft/deberta-v2-xxlarge
22: microsoft/deberta-v2-xxlarge-mnli
23: t5-large
24: google/mt5-xl
30: google/byt5-large
40: microsoft/deberta-xlarge-mnli
""".strip().splitlines()
    for name in line.partition(":")[2].split()
}
# The version by which the package's release 0.3.13 calls itself in its hash code.
BERT_SCORE = "0.3.12"
# Where the models of transformers keep their layers.
LAYER_LISTS = ("layer", "encoder.layer", "encoder.block", "block", "transformer.layer", "encoder.layers", "layers")
# Where a configuration says how many tokens the model was made for, if its position table does not.
LENGTHS = ("max_position_embeddings", "n_positions", "max_encoder_position_embeddings")
USUAL_LENGTH = 512
# Two number signs, BERT's sign for a piece that continues a word. (Written so because the loader's hash of this file
# passes over what follows such a sign on its line.)
CONTINUES = chr(35) * 2
# Kinds of model that read padding: one text at a time, or its neighbours would move its score.
READS_PADDING = ("convbert", "fnet")
# Tokens whose embeddings are held at once: 134 MB with 1024 dimensions.
WINDOW_TOKENS = 32_768
# Tokens that go through the model at once. On a CPU, what leaves its caches is slower than a further batch.
CPU_TOKENS, DEVICE_TOKENS = 2048, 65_536
# glibc gives every large block back to the system when it is freed, and has it cleared anew when it is needed again,
# until one of nearly 32 MB was freed once: a third of the time of a small model.
HEAP_BYTES = 31 * 2**20
# The files of a folder that decide what its model computes.
MODEL_FILES = (".safetensors", ".bin", ".json", ".txt", ".model", ".jinja")
HUB_SECONDS = 10
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
    """A loaded model with its tokenizer, and what a signature says of it; `empty` are the tokens of an empty text."""

    model: Any
    tokenizer: Any
    name: str
    revision: str
    layers: int
    max_length: int
    device: str
    empty: list[int]


def known_layers(model_type: str) -> int | None:
    """Return the layer that bert_score lists for a model, or None.

    >>> known_layers("microsoft/deberta-xlarge-mnli"), known_layers("roberta-large"), known_layers("./mine")
    (40, 17, None)
    """
    return LAYERS.get(model_type)


def model_for(model_type: Any, lang: str | None) -> str:
    """Return the model: the one named, or for None the package's model for the language.

    >>> model_for(None, "zh"), model_for(None, "fr"), model_for("roberta-base", "zh")
    ('bert-base-chinese', 'bert-base-multilingual-cased', 'roberta-base')
    """
    if lang is not None and not isinstance(lang, str):
        raise TypeError(f"lang is {lang!r:.80} ({type(lang).__name__}); a language such as 'en' is expected")
    if model_type is None:
        if lang is None:
            raise ValueError("model_type and lang are both None; name a model, or the language to take its model for")
        return MODEL_OF.get(lang.lower(), MODEL_OF_OTHERS)
    return model_name("model_type", model_type)


def cut(model: Any, name: str, layers: int | str | None) -> int:
    """Keep the first `layers` layers of a model ("last": all) as bert_score does, and return how many those are."""
    for path in LAYER_LISTS:
        *parents, last = path.split(".")
        owner = model
        for parent in parents:
            owner = getattr(owner, parent, None)
        found: Any = getattr(owner, last, None)
        if type(found).__name__ == "ModuleList":
            count = layer_count(name, layers, len(found))
            setattr(owner, last, found[:count])
            return count
    if hasattr(model, "n_layers"):  # XLM runs through its layers by this number
        model.n_layers = layer_count(name, layers, model.n_layers)
        return model.n_layers
    if hasattr(getattr(model, "encoder", None), "albert_layer_groups"):  # ALBERT runs through one group again and again
        config = model.encoder.config
        config.num_hidden_layers = layer_count(name, layers, config.num_hidden_layers)
        return config.num_hidden_layers
    raise ValueError(f"the model {name!r:.200} keeps its layers in a way that BERTScore does not know; name another")


def layer_count(name: str, layers: int | str | None, there: int) -> int:
    """Return the number of layers to keep of those that are there; raise ValueError that says what can be asked for."""
    if layers is None:
        raise ValueError(
            f"which layer of the model {name!r:.200} agrees best with people is not known: pass num_layers, a number "
            f"from 1 to {there}, or 'last'"
        )
    count = there if isinstance(layers, str) else layers
    if not 0 <= count <= there:
        raise ValueError(f"num_layers is {count}; the model {name!r:.200} has layers 0 to {there}")
    return count


def asked_layers(name: str, num_layers: Any) -> int | str | None:
    """Return which layer to take of a model: the one asked for, or for None the one that bert_score lists.

    >>> asked_layers("roberta-large", None), asked_layers("roberta-large", 5), asked_layers("./mine", "last")
    (17, 5, 'last')
    """
    if num_layers is None:
        return known_layers(name)
    if isinstance(num_layers, str) and num_layers == "last":
        return "last"
    if isinstance(num_layers, bool) or not hasattr(num_layers, "__index__"):
        raise ValueError(f"num_layers is {num_layers!r:.80}; a whole number, 'last' or None is expected")
    return int(num_layers)


def length_limit(model: Any, tokenizer: Any) -> int:
    """Return how many tokens the model reads: what its tokenizer names, its table of positions holds or, where neither
    says anything, its configuration.
    """
    limits = [tokenizer.model_max_length] if tokenizer.model_max_length < UNBOUNDED else []
    rows = position_rows(model)
    if rows:
        limits.append(rows)
    if not limits:
        named = [getattr(model.config, key, None) for key in LENGTHS]
        limits = [value for value in named if isinstance(value, int) and value > 0][:1]
    return min(limits, default=USUAL_LENGTH)


def load_parts(model_type: str, local_files_only: bool) -> tuple[Any, Any, set[int]]:
    """Return the tokenizer of a model, the model itself in 32 bits (of an encoder with a decoder, the encoder), and the
    identities of the parameters that its files lack.
    """
    import torch
    from transformers import AutoModel, AutoTokenizer

    only = {"local_files_only": local_files_only, "trust_remote_code": False}
    tokenizer = AutoTokenizer.from_pretrained(model_type, **only)
    if problem := gaps([], tokenizer):
        raise OSError(problem)
    whole, about = AutoModel.from_pretrained(model_type, dtype=torch.float32, output_loading_info=True, **only)
    missing = {id(value) for key, value in whole.named_parameters() if key in about["missing_keys"]}
    return tokenizer, (whole.encoder if hasattr(whole, "encoder") and hasattr(whole, "decoder") else whole), missing


@lru_cache(maxsize=1)
def load_encoder(model_type: str, num_layers: int | str | None, device: str, status: tuple[Any, ...]) -> Encoder:
    """Load a model and cut it; the last one stays loaded while its files stay the same (`status`)."""
    tokenizer, model, missing = fetched(model_type, load_parts)
    layers = cut(model.eval(), model_type, num_layers)
    lacking = [key for key, p in model.named_parameters() if id(p) in missing and "pooler" not in key]
    if problem := gaps(lacking, None):
        raise unavailable(model_type, problem)
    limit = length_limit(model, tokenizer)
    name, revision = identity(model_type)
    model.to(device)
    if device == "cpu":
        pack(model)
    return Encoder(model, tokenizer, name, revision, layers, limit, device, tokenizer.encode(""))


def encoder_of(model_type: Any, num_layers: Any, lang: str | None = None, device: Any = None) -> Encoder:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such layer or device)."""
    try:
        device, name = device_of(device), model_for(model_type, lang)
        importlib.import_module("transformers")
    except ImportError as error:
        raise ImportError("BERTScore needs torch and transformers: pip install torch transformers") from error
    layers = asked_layers(name, num_layers)
    name, status = located(name)
    with lock:
        return load_encoder(name, layers, device, status)


class Text(NamedTuple):
    """A text as the model reads it: its tokens, cut at the limit, and how many it would have without."""

    ids: list[int]
    length: int


def tokenized(encoder: Encoder, texts: list[str]) -> list[Text]:
    """Return each text as the model reads it."""
    tokenizer, limit = encoder.tokenizer, encoder.max_length
    stripped = [readable(text).strip() for text in texts]
    with lock:
        whole = tokenizer(stripped, truncation=False, padding=False, verbose=False)["input_ids"]
        return [
            Text(ids if len(ids) <= limit else tokenizer.encode(text, truncation=True, max_length=limit), len(ids))
            for text, ids in zip(stripped, whole, strict=True)
        ]


def idf_of(references: list[list[int]]) -> dict[int, float]:
    """Return the inverse document frequency of each token of the references, log((N + 1) / (n + 1)).

    >>> idf_of([[0, 7], [0, 8], [0, 8]])[7] == math.log(4 / 2), idf_of([[0], [0]])[0]
    (True, 0.0)
    """
    counts = Counter(token for ids in references for token in set(ids))
    return {token: math.log((len(references) + 1) / (count + 1)) for token, count in counts.items()}


def weights_of(encoder: Encoder, ids: list[int], idf: Mapping[int, float] | None, references: int) -> list[float]:
    """Return the weight of each token: its idf or, without one, 1, and 0 for the marks around a text."""
    if idf is None:
        marks = (encoder.tokenizer.cls_token_id, encoder.tokenizer.sep_token_id)
        return [float(token not in marks) for token in ids]
    unseen = math.log(references + 1)
    return [idf.get(token, unseen) for token in ids]


def embed(encoder: Encoder, texts: list[list[int]], batch_size: int) -> list[Any]:
    """Return the embeddings of the tokens of each text, each a tensor (tokens, dimensions) of length-1 rows.

    They are parts of one block of memory: thousands of small ones leave holes that nothing else fits into.
    """
    import torch

    padding = encoder.tokenizer.pad_token_id or 0
    starts = [0, *accumulate(map(len, texts))]
    block: Any = None
    limit = CPU_TOKENS if encoder.device == "cpu" else DEVICE_TOKENS
    batch_size = 1 if encoder.model.config.model_type in READS_PADDING else batch_size
    for batch in batches([len(ids) for ids in texts], batch_size, limit):
        longest = len(texts[batch[0]])
        ids = [texts[i] + [padding] * (longest - len(texts[i])) for i in batch]
        mask = [[1] * len(texts[i]) + [0] * (longest - len(texts[i])) for i in batch]
        given = {"input_ids": ids, "attention_mask": mask}
        with torch.inference_mode():
            tensors = {k: torch.tensor(rows, dtype=torch.long, device=encoder.device) for k, rows in given.items()}
            states = encoder.model(**tensors)[0]
            states /= states.norm(dim=-1, keepdim=True)
            block = states.new_empty(starts[-1], states.shape[-1]) if block is None else block
            for row, index in enumerate(batch):
                block[starts[index] : starts[index + 1]] = states[row, : len(texts[index])]
    if block is not None and not bool(torch.isfinite(block).all()):
        raise unavailable(encoder.name, "it computes values that are no numbers; its weights are damaged")
    return [block[start:end] for start, end in pairwise(starts)]


class Score(NamedTuple):
    """The score of one answer: precision, recall and F1; 0 to 1 but for models whose cosines go below 0."""

    precision: float
    recall: float
    f1: float


class Match(NamedTuple):
    """What became of one answer and one reference: the score and, on request, for each token of the answer, then of the
    reference, its best match's position and their cosine.
    """

    score: Score
    tokens: tuple[list[tuple[int, float]], list[tuple[int, float]]] = ([], [])


def f1_of(precision: float, recall: float) -> float:
    """Return the harmonic mean of two values; 0 where their sum is 0.

    >>> f1_of(0.5, 1.0), f1_of(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def weighted_mean(values: list[float], weights: list[float]) -> float:
    """Return the mean of `values` by `weights`; 0 where nothing has weight.

    >>> weighted_mean([1.0, 0.5, 0.2], [1.0, 1.0, 0.0]), weighted_mean([1.0], [0.0])
    (0.75, 0.0)
    """
    total = math.fsum(weights)
    return math.fsum(v * w for v, w in zip(values, weights, strict=True)) / total if total else 0.0


def match(embeddings: tuple[Any, Any], weights: tuple[list[float], list[float]], explain: bool) -> Match:
    """Match the tokens of an answer and of a reference; `explain` keeps which token matched which."""
    similarity = (embeddings[0] @ embeddings[1].T).clamp_(max=1)
    best = [similarity.max(dim=1), similarity.max(dim=0)]
    values = [side.values.tolist() for side in best]
    precision, recall = (weighted_mean(v, w) for v, w in zip(values, weights, strict=True))
    result = Match(Score(precision, recall, f1_of(precision, recall)))
    if not explain:
        return result
    pairs = [list(zip(side.indices.tolist(), v, strict=True)) for side, v in zip(best, values, strict=True)]
    return result._replace(tokens=(pairs[0], pairs[1]))


def windows(pairs: list[tuple[int, int]], lengths: list[int]) -> Iterator[tuple[int, int]]:
    """Yield (first, end) of runs of pairs whose texts have at most WINDOW_TOKENS tokens together, or of one pair.

    >>> list(windows([(0, 1), (2, 1), (3, 4)], [20_000, 10_000, 9_000, 5, 5]))
    [(0, 1), (1, 3)]
    """
    first, seen, tokens = 0, set[int](), 0
    for position, pair in enumerate(pairs):
        tokens += sum(lengths[text] for text in set(pair) - seen)
        if tokens > WINDOW_TOKENS and position > first:
            yield first, position
            first, seen, tokens = position, set(), sum(lengths[text] for text in set(pair))
        seen |= set(pair)
    if pairs:
        yield first, len(pairs)


class Job(NamedTuple):
    """Distinct texts with the weights of their tokens, and which of them to match: (answer, reference)."""

    texts: list[list[int]]
    weights: list[list[float]]
    pairs: set[tuple[int, int]]


def together(pairs: set[tuple[int, int]]) -> dict[int, int]:
    """Return for each text a text that stands for all it is connected with by pairs.

    >>> groups = together({(0, 1), (2, 1), (3, 4)})
    >>> groups[0] == groups[1] == groups[2], groups[3] == groups[4], groups[0] == groups[3]
    (True, True, False)
    """
    above = {text: text for pair in pairs for text in pair}

    def top(text: int) -> int:
        while above[text] != text:
            above[text] = above[above[text]]
            text = above[text]
        return text

    for answer, reference in pairs:
        above[top(answer)] = top(reference)
    return {text: top(text) for text in above}


def ordered(pairs: set[tuple[int, int]], lengths: list[int]) -> list[tuple[int, int]]:
    """Return pairs in an order in which no text waits long for its last pair: connected ones together, the longest
    first, and among them those of one reference.
    """
    group = together(pairs)
    longest: dict[int, int] = {}
    for text, head in group.items():
        longest[head] = max(longest.get(head, 0), lengths[text])
    heads = {pair: group[pair[1]] for pair in pairs}
    return sorted(pairs, key=lambda pair: (-longest[heads[pair]], heads[pair], pair[1], -lengths[pair[0]], pair[0]))


def match_all(encoder: Encoder, job: Job, batch_size: int, explain: bool) -> dict[tuple[int, int], Match]:
    """Return the match of each pair. Each text goes through the model once; its embeddings are held from the first
    window of pairs that needs them to the last.
    """
    lengths = [len(ids) for ids in job.texts]
    result = {pair: Match(Score(0.0, 0.0, 0.0)) for pair in job.pairs}  # what an empty text scores
    pairs = ordered({pair for pair in job.pairs if encoder.empty not in (job.texts[i] for i in pair)}, lengths)
    last_use = {text: position for position, pair in enumerate(pairs) for text in pair}
    held: dict[int, Any] = {}
    for first, end in windows(pairs, lengths):
        new = sorted({text for pair in pairs[first:end] for text in pair} - held.keys())
        held.update(zip(new, embed(encoder, [job.texts[text] for text in new], batch_size), strict=True))
        for answer, reference in pairs[first:end]:
            weights = job.weights[answer], job.weights[reference]
            result[answer, reference] = match((held[answer], held[reference]), weights, explain)
        # A copy of what is new lets the rest of its block go.
        kept = {text: held[text].clone() for text in new if last_use[text] >= end}
        held = {text: embeddings for text, embeddings in held.items() if last_use[text] >= end} | kept
    return result


def best_of(scores: list[Score]) -> Score:
    """Return the best precision, the best recall and the best F1 over the references, each by itself, as bert_score.

    >>> best_of([Score(0.9, 0.1, 0.18), Score(0.5, 0.5, 0.5)])
    Score(precision=0.9, recall=0.5, f1=0.5)
    """
    return Score(*map(max, zip(*scores, strict=True)))


@lru_cache(maxsize=8)
def baselines(model_type: str, lang: str | None) -> list[Score]:
    """Return the baselines of the bert_score package for a model and a language, one for each number of layers: the
    mean scores of unrelated sentences. Raise ImportError where the package is missing, ValueError where it has none.
    """
    if lang is None:
        raise ValueError("rescale_with_baseline needs lang, the language whose baseline to take")
    package = importlib.util.find_spec("bert_score")
    if package is None or package.origin is None:
        raise ImportError("the baselines to rescale with come with bert_score: pip install bert_score")
    folder = Path(package.origin).parent / "rescale_baseline"
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.tsv")}
    file = files.get(f"{lang}/{model_type}.tsv")
    if file is None:
        there = sorted(name.partition("/")[2].removesuffix(".tsv") for name in files if name.startswith(f"{lang}/"))
        raise ValueError(
            f"bert_score has no baseline for the model {model_type!r:.200} and lang {lang!r:.80}"
            + (f"; for this language it has {', '.join(there)}" if there else "")
        )
    with file.open(newline="") as stream:
        return [Score(*map(float, row[1:])) for row in list(csv.reader(stream))[1:]]


def baseline_of(rows: list[Score], layers: int) -> Score:
    """Return the baseline for a number of layers; raise ValueError where there is none."""
    if layers >= len(rows):
        raise ValueError(f"bert_score has baselines for num_layers 0 to {len(rows) - 1} of this model, not {layers}")
    return rows[layers]


def rescaled(score: Score, base: Score | None) -> Score:
    """Return a score on the scale where the baseline is 0 and 1 stays 1.

    >>> rescaled(Score(0.75, 1.0, 0.5), Score(0.5, 0.5, 0.5))
    Score(precision=0.5, recall=1.0, f1=0.0)
    """
    return score if base is None else Score(*((s - b) / (1 - b) for s, b in zip(score, base, strict=True)))


class Row(NamedTuple):
    """One row: its texts, its score, and the match with each reference."""

    prediction: Text
    references: list[Text]
    score: Score
    matches: list[Match]
    weights: list[list[float]]


def rows_of_texts(
    encoder: Encoder,
    predictions: list[str],
    references: list[list[str]],
    idf: bool = False,
    base: Score | None = None,
    batch_size: int = 64,
    explain: bool = False,
) -> list[Row]:
    """Return one row for each prediction and its references; equal texts go through the model once."""
    index: dict[str, int] = {}
    rows = [
        [index.setdefault(text, len(index)) for text in (prediction, *several)]
        for prediction, several in zip(predictions, references, strict=True)
    ]
    texts = tokenized(encoder, list(index))
    referred = [texts[i].ids for row in rows for i in row[1:]]
    frequencies = idf_of(referred) if idf else None
    weights = [weights_of(encoder, text.ids, frequencies, len(referred)) for text in texts]
    pairs = {(row[0], i) for row in rows for i in row[1:]}
    matches = match_all(encoder, Job([text.ids for text in texts], weights, pairs), batch_size, explain)
    result = []
    for answer, *several in rows:
        found = [matches[answer, i] for i in several]
        best = rescaled(best_of([one.score for one in found]), base)
        result.append(
            Row(texts[answer], [texts[i] for i in several], best, found, [weights[i] for i in (answer, *several)])
        )
    return result


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


def score(
    prediction: str,
    references: str | list[str],
    model_type: str | None = DEFAULT_MODEL,
    num_layers: int | str | None = None,
    lang: str | None = None,
    device: str | None = None,
) -> Score:
    """Return precision, recall and F1 of one answer, each 0..1 with common models, higher is better; 0 when a text is
    empty.

    Args:
        prediction: the answer to grade.
        references: the right answer, or several: the best of each of the three numbers counts.
        model_type: a model of transformers, by its name on the Hub or the path of its folder; None takes lang's.
        num_layers: how many of its layers; None takes the number that bert_score lists, "last" all.
        lang: the language, for `model_type=None`.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is there.

    Raises:
        ImportError: torch or transformers is not installed.
        OSError: the model cannot be had.
        ValueError: num_layers is needed, or there is no such layer.
        TypeError: a text is no string.

    Source: Zhang et al. 2020; the package bert_score 0.3.13 scoring one pair at a time.

    """
    check_text("prediction", prediction)
    references = reference_list(references)
    if not references:
        raise ValueError("references is empty; at least one reference is needed")
    encoder = encoder_of(model_type, num_layers, lang, device)
    return rows_of_texts(encoder, [prediction], [references])[0].score


def pieces(encoder: Encoder, text: str) -> list[str]:
    """Return the tokens of a text as it writes them, one for each id; CONTINUES stands before what continues a word."""
    tokenizer, stripped = encoder.tokenizer, readable(text).strip()
    limits = {"truncation": True, "max_length": encoder.max_length}
    with lock:
        encoded = tokenizer(stripped, return_offsets_mapping=tokenizer.is_fast, **limits)
    if not tokenizer.is_fast:
        return list(tokenizer.convert_ids_to_tokens(encoded["input_ids"]))
    result, before, word = [], (0, 0), None
    for token, span, number in zip(encoded["input_ids"], encoded["offset_mapping"], encoded.word_ids(), strict=True):
        # Bytes of one character have its span each: the first one stands for it.
        again = number is not None and number == word
        written = "" if again and span == before else stripped[slice(*span)].strip()
        written = tokenizer.convert_ids_to_tokens(token) if number is None else written
        result.append(CONTINUES + written if again else written)
        before, word = span, number
    return result


def token_entries(
    mine: list[str], theirs: list[str], pairs: list[tuple[int, float]], weights: list[float], marks: list[set[int]]
) -> list[list[Any]]:
    """Return [token, token it matched or None for a mark of the model, cosine, weight] for each token that counts: the
    marks around a text do only where the tokenizer does not call them so (T5).
    """
    return [
        [mine[i], None if match in marks[1] else theirs[match], cosine, weights[i]]
        for i, (match, cosine) in enumerate(pairs)
        if i not in marks[0] or weights[i]
    ]


def marks_of(encoder: Encoder, ids: list[int]) -> set[int]:
    """Return the positions of the marks that the tokenizer puts around a text, all but the last before it.

    An empty text is nothing but its marks, of which every tokenizer puts one or none in front.
    """
    front = int(len(encoder.empty) > 1 and ids[0] == encoder.empty[0])
    return {*range(front), *range(len(ids) - len(encoder.empty) + front, len(ids))}


def explain(row: Row, encoder: Encoder, prediction: str, references: list[str], brief: bool = False) -> dict[str, Any]:
    """Return the entry of `per_example` for one row: its score, and which token matched which, for the reference with
    the best F1; `brief` without the tokens.
    """
    best = max(range(len(references)), key=lambda i: row.matches[i].score.f1)
    texts, sides = (prediction, references[best]), (row.prediction, row.references[best])
    shown = dict(zip(("prediction", "reference"), sides, strict=True))
    return {
        "score": row.score.f1,
        **row.score._asdict(),
        "reference": best,
        **{f"{name}_length": side.length for name, side in shown.items()},
        "max_length": encoder.max_length,
        **{f"{name}_truncated": side.length > encoder.max_length for name, side in shown.items()},
        **{f"{name}_unknown": side.ids.count(encoder.tokenizer.unk_token_id) for name, side in shown.items()},
        **({} if brief else matched_tokens(row, encoder, best, texts)),
        "note": note_of(encoder, row, best, texts),
    }


def matched_tokens(row: Row, encoder: Encoder, best: int, texts: tuple[str, str]) -> dict[str, list[list[Any]]]:
    """Return the tokens of both texts, each with the one that it matched."""
    written = [pieces(encoder, text) for text in texts]
    marks = [marks_of(encoder, side.ids) for side in (row.prediction, row.references[best])]
    tokens, weights = row.matches[best].tokens, (row.weights[0], row.weights[1 + best])
    return {
        "prediction_tokens": token_entries(written[0], written[1], tokens[0], weights[0], marks),
        "reference_tokens": token_entries(written[1], written[0], tokens[1], weights[1], marks[::-1]),
    }


def note_of(encoder: Encoder, row: Row, best: int, texts: tuple[str, str]) -> str | None:
    """Return what a reader must know of a row besides its score, or None."""
    sides = {"prediction": row.prediction.ids, "reference": row.references[best].ids}
    weights = dict(zip(sides, (row.weights[0], row.weights[1 + best]), strict=True))
    empty = [name for name, ids in sides.items() if ids == encoder.empty]
    light = [name for name in sides if name not in empty and not any(weights[name])]
    counts = {name: ids.count(encoder.tokenizer.unk_token_id) for name, ids in sides.items()}
    unknown = [f"{count} in the {name}" for name, count in counts.items() if count]
    notes = [
        empty and f"no token in the {' and the '.join(empty)}: 0 by definition",
        light and f"no token of the {' and the '.join(light)} has a weight: 0 by definition",
        unknown and f"tokens unknown to the model, to which they are all the same: {', '.join(unknown)}",
        encoder.name == DEFAULT_MODEL
        and any(map(HAN.search, texts))
        and "this model was trained on English; for Chinese, pass model_type=None and lang='zh'",
    ]
    return "; ".join(note for note in notes if note) or None


class Bertscore(Checked, evaluate.Metric):
    """BERTScore as a metric of evaluate."""

    def _info(self) -> evaluate.MetricInfo:
        text, several = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="BERTScore: tokens of answer and reference matched by their contextual embeddings.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": several}),
                datasets.Features({"predictions": text, "references": text}),
            ],
            codebase_urls=["https://github.com/Tiiiger/bert_score"],
            reference_urls=["https://arxiv.org/abs/1904.09675", "https://huggingface.co/datasets/eve-esa/open-ended"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[list[str]],
        model_type: str | None = DEFAULT_MODEL,
        num_layers: int | str | None = None,
        lang: str | None = None,
        idf: bool = False,
        rescale_with_baseline: bool = False,
        batch_size: int = 64,
        device: str | None = None,
        per_example: bool | str = False,
    ) -> dict[str, Any]:
        predictions, references = self.texts(predictions, references=references)
        batch_size, name = whole_number("batch_size", batch_size), model_for(model_type, lang)
        lang = lang.lower() if lang else None
        scale = baselines(name, lang) if rescale_with_baseline else None
        encoder = encoder_of(name, num_layers, lang, device)
        base = baseline_of(scale, encoder.layers) if scale else None
        rows = rows_of_texts(encoder, predictions, references, idf, base, batch_size, per_example is True)
        result: dict[str, Any] = {key: fmean(getattr(row.score, key) for row in rows) for key in Score._fields}
        result["hashcode"] = hashcode(name, encoder.layers, idf, rescale_with_baseline)
        result["truncated"] = {
            "predictions": sum(row.prediction.length > encoder.max_length for row in rows),
            "references": sum(text.length > encoder.max_length for row in rows for text in row.references),
        }
        result["signature"] = self.signature(
            VERSION,
            model=encoder.name,
            revision=encoder.revision,
            layers=encoder.layers,
            idf=idf,
            rescaled=f"{lang},bert_score-{importlib.metadata.version('bert_score')}" if scale else False,
            max_length=encoder.max_length,
            **{name: importlib.metadata.version(name) for name in ("transformers", "tokenizers", "torch")},
        )
        brief, given = per_example == "brief", zip(rows, predictions, references, strict=True)
        entries = (explain(row, encoder, prediction, several, brief) for row, prediction, several in given)
        return result | {"per_example": list(entries)} if per_example else result


def hashcode(model_type: str, layers: int, idf: bool, rescale_with_baseline: bool) -> str:
    """Return the settings in the form of bert_score's hash code."""
    version = importlib.metadata.version("transformers")
    settings = f"{model_type}_L{layers}{'_idf' if idf else '_no-idf'}_version={BERT_SCORE}(hug_trans={version})"
    return settings + ("-rescaled" if rescale_with_baseline else "")


CITATION = """\
@inproceedings{zhang2020bertscore,
  title={{BERTScore}: Evaluating Text Generation with {BERT}},
  author={Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav},
  booktitle={International Conference on Learning Representations},
  year={2020}, url={https://openreview.net/forum?id=SkeHuCVFDr}
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
    references (list of str, or of lists of str): the right answers; of several, the best of each number counts.
    model_type (str or None): a model of transformers, by its name on the Hub or the path of a folder; None takes the
        package's model for `lang`.
    num_layers (int, "last" or None): how many of the model's layers; None takes the number that bert_score lists.
    lang (str or None): the language, for model_type=None and for the baseline.
    idf (bool): weigh each token by its inverse document frequency in the references of this call.
    rescale_with_baseline (bool): put the scores on the scale where unrelated sentences get 0; needs lang.
    batch_size (int): texts that go through the model at once, at most; it moves no score.
    device (str or None): "cuda", "mps", "cpu", ...; None takes the first of these that is there.
    per_example (bool or "brief"): True adds one dict per row with its score and which token matched which.
        "brief" leaves out the tokens.

Returns:
    precision, recall, f1 (float): means of the rows, 0..1 with common models, higher is better.
    hashcode (str): the settings as bert_score writes them.
    truncated (dict): how many predictions and how many references the model read only the beginning of.
    signature (str): everything that moves the score, for a paper.
    per_example (list of dict, on request).
"""
