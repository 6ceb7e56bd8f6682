"""Reward accuracy: the share of pairs in which a language model finds the chosen text likelier than the rejected one.

reward(text) = log P(text | prompt), the sum over the text's tokens of the log-probability that the model gives each
after the prompt and the tokens before it; accuracy = mean(reward(chosen) > reward(rejected)).

Source: the dataset card of iknow-lab/JudgeBias-DPO-RefFree-testset ("Reward Accuracy (Log-Probability)"), which has
these two formulas and no code. The reward relative to a reference model, beta * (log P - log P_reference), is that of
Rafailov et al. 2023, "Direct Preference Optimization", NeurIPS, arXiv:2305.18290.

Where the prompt ends and the text begins: each is turned into tokens by itself, and the text's tokens follow the
prompt's. So both texts of a pair follow the same tokens, those that the model is given when it is to write one, also
where a tokenizer would merge the end of the prompt with the beginning of a text. The marks that the tokenizer puts in
front of a text stand in front of the prompt, none stand between prompt and text or after it, and a tokenizer that
begins what it is given with a space of its own does so to the prompt alone.

What the card leaves open, and is decided here: a tie is no win, and ties are counted; no end-of-text token is added
(trainers of DPO add one); an empty text has the log-probability 0, that of a certain event.
"""

import contextlib
import copy
import hashlib
import importlib.metadata
import importlib.util
import inspect
import json
import math
import os
import platform
import re
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import lru_cache, partial
from numbers import Real
from pathlib import Path
from statistics import NormalDist, fmean
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

NORMALIZE = ("sum", "mean")
DTYPES = ("float32", "float64", "bfloat16", "float16", "auto")
# Wilson 1927, at 95%.
Z = NormalDist().inv_cdf(0.975)
# Texts of one prompt share its computation where it has so many tokens: for fewer, full batches are faster.
SHARED_CPU, SHARED_DEVICE = 16, 256
# Texts of one prompt go through the model together up to so many tokens. On a CPU more gain nothing, and the shorter
# ones are filled.
TOGETHER_CPU = 256
# Tokens that go through the model at once. On a CPU, what leaves its caches is slower than a further batch.
CPU_TOKENS, DEVICE_TOKENS = 2048, 65_536
# What the scores of the whole vocabulary take at once, for as many tokens of texts as fit.
LOGIT_BYTES_CPU, LOGIT_BYTES_DEVICE = 2**25, 2**28
# How near the model's own numbers must come to each other, relative to the largest, to be taken for equal.
CLOSE, CLOSE_16_BITS = 1e-4, 0.03
# Kinds of rotary positions that are chosen by the longest text at hand, so that one text would move the others.
BY_LENGTH = ("longrope", "dynamic")
# Where a configuration says how many tokens the model was made for.
LENGTHS = ("max_position_embeddings", "max_sequence_length", "max_seq_len")
# glibc gives every large block back to the system when it is freed, and has it cleared anew when it is needed again,
# until one of nearly 32 MB was freed once: a third of the time of a small model.
HEAP_BYTES = 31 * 2**20
# The files of a folder that decide what its model computes.
MODEL_FILES = (".safetensors", ".bin", ".json", ".txt", ".model", ".jinja")
HUB_SECONDS = 10
# What a tokenizer names that has no limit is more than this.
UNBOUNDED = 1_000_000
# Its small page compares with this model, of 135 million parameters.
PAGE_FIXES = {"model": "HuggingFaceTB/SmolLM2-135M", "progress": False}

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


class Judge(NamedTuple):
    """A loaded model, what a signature says of it, how many tokens it takes (None: no limit), and what was seen of it:
    whether its scores are those of its last layer as it stands, whether texts may share their prompt's computation, and
    whether texts of different lengths may go through it together.
    """

    model: Any
    tokenizer: Any
    name: str
    revision: str
    max_length: int | None
    device: str
    plain_head: bool = False
    shares: bool = False
    mixes: bool = True


def load_model(model: str, local_files_only: bool, device: str, dtype: str) -> tuple[Any, Any]:
    """Return a causal language model of transformers and its tokenizer; raise OSError where its files have gaps, which
    transformers fills with random weights.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if (Path(model) / "adapter_config.json").exists() and importlib.util.find_spec("peft") is None:
        raise ImportError("this folder holds an adapter (LoRA), which needs peft: pip install peft")
    only = {"local_files_only": local_files_only, "trust_remote_code": False}
    tokenizer = AutoTokenizer.from_pretrained(model, **only)
    both: Any = AutoModelForCausalLM.from_pretrained(model, dtype=dtype, output_loading_info=True, **only)
    loaded, about = both
    if problem := gaps(sorted(about["missing_keys"]), tokenizer):
        raise OSError(problem)
    if loaded.get_output_embeddings() is None:
        raise OSError("it has no last layer that scores the vocabulary")
    if max(tokenizer.get_vocab().values()) >= loaded.get_input_embeddings().weight.shape[0]:
        raise OSError("its tokenizer has more tokens than the model")
    return loaded.to(device).eval(), tokenizer


# Two, for a model and its reference.
@lru_cache(maxsize=2)
def load_judge(model: str, device: str, dtype: str, status: tuple[Any, ...]) -> Judge:
    """Load a model; the last two stay loaded while their files stay the same (`status`)."""
    for packed in (device == "cpu", False):
        loaded, tokenizer = fetched(model, partial(load_model, device=device, dtype=dtype))
        limit, mixes = context_of(loaded, tokenizer), rope_of(loaded).get("rope_type") not in BY_LENGTH
        judge = Judge(loaded, tokenizer, *identity(model), limit, device, mixes=mixes)
        if packed:
            pack(loaded)
        try:
            return judge._replace(plain_head=has_plain_head(judge), shares=mixes and may_share(judge))
        except RuntimeError as error:  # of a model that takes its layers' weights itself, and not as they are packed
            problem = str(error).partition("\n")[0][:200]
    raise unavailable(judge.name, f"it cannot compute in {dtype} here: {problem}")


def judge_of(model: Any, device: Any = None, dtype: str = "float32", argument: str = "model") -> Judge:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such device)."""
    try:
        import torch  # noqa: F401 (says what is missing before anything else does)
        import transformers  # noqa: F401
    except ImportError as error:
        raise ImportError("reward accuracy needs torch and transformers: pip install torch transformers") from error
    name, status = located(model_name(argument, model))
    with lock:
        return load_judge(name, device_of(device), dtype, status)


def rope_of(model: Any) -> dict[str, Any]:
    """Return the settings of a model's rotary positions, as its configuration has them; empty where it has none."""
    settings = getattr(model.config.get_text_config(decoder=True), "rope_parameters", None)
    return settings if isinstance(settings, dict) else {}


def context_of(model: Any, tokenizer: Any) -> int | None:
    """Return how many tokens a model takes, or None where nothing limits them.

    Some configurations hold the length before positions were stretched by a factor: then the tokenizer's counts, up to
    the stretched one.
    """
    config, stretched = model.config.get_text_config(decoder=True), rope_of(model).get("factor") or 1
    said = [*(getattr(config, name, None) for name in LENGTHS), position_rows(model)]
    told = [limit for limit in [tokenizer.model_max_length] if limit < UNBOUNDED]
    limits = [limit for limit in said if isinstance(limit, int) and 0 < limit < UNBOUNDED] or told
    limit = min(map(int, limits), default=None)
    return limit and max([limit, *(int(min(one, limit * stretched)) for one in told)])


@contextlib.contextmanager
def answering(head: Any, forward: Callable[[Any], Any]) -> Iterator[None]:
    """Have the last layer of a model compute `forward` instead, for a while."""
    before = vars(head).get("forward")
    head.forward = forward
    try:
        yield
    finally:
        if before is None:
            del head.forward
        else:
            head.forward = before


def hidden_states(judge: Judge, ids: Any, past: Any = None) -> tuple[Any, Any]:
    """Return what the last layer is given for tokens (rows x length), of which it would make scores of the whole
    vocabulary, and what later tokens need of these.
    """
    taken = []

    def take(states: Any) -> Any:
        taken.append(states)
        return states[..., :0]

    with lock, answering(judge.model.get_output_embeddings(), take):
        # No mask: rows are filled at their end, and no token reads what comes after it.
        output = judge.model(ids, past_key_values=past, use_cache=True)
    return taken[0], getattr(output, "past_key_values", None)


def logits_of(judge: Judge, states: Any) -> Any:
    """Return the scores of the vocabulary for hidden states, a row each, as the model's own code has them."""
    import torch

    head = judge.model.get_output_embeddings()
    with lock:  # in another thread, the last layer may stand aside just now
        if judge.plain_head:
            return head(states)
        # The model scales its scores or bounds them. A run over a single token does it, with these states for its own.
        compute, token = head.forward, torch.zeros((1, 1), dtype=torch.long, device=judge.device)
        with answering(head, lambda _: compute(states)[None]):
            return judge.model(token, use_cache=False).logits[0]


def near(one: Any, other: Any) -> bool:
    """Return whether two results of a model are the same but for rounding."""
    if one.shape != other.shape:
        return False
    tolerance = CLOSE_16_BITS if one.element_size() == 2 else CLOSE
    one, other = one.cpu().double(), other.cpu().double()
    return bool((one - other).abs().max() <= tolerance * other.abs().max())


def probe(judge: Judge, change: int = 0) -> Any:
    """Return eight tokens to try a model with, the last four changed by `change`; fewer where it takes fewer."""
    import torch

    size, length = judge.model.get_input_embeddings().weight.shape[0], min(8, judge.max_length or 8)
    ids = [(7 * i + 3 + (change if i > 3 else 0)) % size for i in range(length)]
    return torch.tensor([ids], device=judge.device)


def has_plain_head(judge: Judge) -> bool:
    """Return whether the last layer's numbers are the model's scores. Raise OSError where it is no causal language
    model: what it makes of a token then depends on the tokens after it, and a probability of these would mean nothing.
    """
    import torch

    with torch.inference_mode():
        states, _ = hidden_states(judge, probe(judge))
        others, _ = hidden_states(judge, probe(judge, change=1))
        if not torch.isfinite(states).all():
            raise unavailable(judge.name, "it computes values that are no numbers; its weights are damaged")
        if not near(states[:, :4], others[:, :4]):
            raise unavailable(judge.name, "it is no causal language model: it reads what stands after a token")
        # Large ones, which a model that bounds its scores does not leave as they are.
        large = states[0] * (1000 / states.abs().max())
        return torch.equal(judge.model.get_output_embeddings()(large).float(), logits_of(judge, large).float())


def may_share(judge: Judge) -> bool:
    """Return whether a model can go on from a prompt with the same numbers as in one go; those that keep of a prompt
    anything but keys and values of all its tokens are not asked to.
    """
    import torch
    from transformers.cache_utils import DynamicCache, DynamicLayer

    ids = probe(judge)
    with torch.inference_mode():
        whole, past = hidden_states(judge, ids)
        if type(past) is not DynamicCache or any(type(layer) is not DynamicLayer for layer in past.layers):
            return False
        try:
            _, past = hidden_states(judge, ids[:, :4])
            later, _ = hidden_states(judge, ids[:, 4:].expand(2, -1), expanded(past, 2))
        except (IndexError, RuntimeError, TypeError, ValueError):  # what a model raises that does not go on
            return False
    return near(later, whole[:, 4:].expand(2, -1, -1))


def expanded(past: Any, rows: int) -> Any:
    """Return what a model kept of one prompt, for so many texts after it. (Its own is left as it is.)"""
    from transformers.cache_utils import DynamicCache

    layers = [(layer.keys, layer.values) for layer in past.layers]
    return DynamicCache([tuple(part.expand(rows, -1, -1, -1) for part in layer) for layer in layers])


def encoded(tokenizer: Any, texts: list[str]) -> list[list[int]]:
    """Return the tokens of texts, without the marks of the tokenizer."""
    if not texts:
        return []
    with lock:
        found = tokenizer(texts, add_special_tokens=False, truncation=False, padding=False, verbose=False)
    return list(found["input_ids"])


def marks_in_front(tokenizer: Any, text: str, tokens: list[int]) -> list[int]:
    """Return the marks that a tokenizer puts in front of a text with these tokens."""
    with lock:
        marked = list(tokenizer(text, truncation=False, padding=False, verbose=False).input_ids)
    places = (at for at in range(len(marked), -1, -1) if marked[at : at + len(tokens)] == tokens)
    return marked[: next(places, 0)]


def without_prefix(settings: Any) -> Any:
    """Return the settings of a part of a tokenizer so that it begins no text with a space of its own.

    >>> without_prefix({"type": "Metaspace", "prepend_scheme": "first"})
    {'type': 'Metaspace', 'prepend_scheme': 'never'}
    >>> without_prefix({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "_"}, {"type": "NFC"}]})
    {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}]}
    """
    if isinstance(settings, list):
        return [without_prefix(one) for one in settings if not is_prepend(one)]
    if not isinstance(settings, dict):
        return settings
    none = {"prepend_scheme": "never", "add_prefix_space": False}
    return {name: none.get(name, without_prefix(value)) for name, value in settings.items()}


def is_prepend(settings: Any) -> bool:
    """Return whether a part of a tokenizer does nothing but to put something in front."""
    return isinstance(settings, dict) and settings.get("type") == "Prepend"


def continuing(tokenizer: Any) -> Callable[[list[str]], list[list[int]]]:
    """Return the function that makes tokens of texts which follow another text."""
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    parts = {name: getattr(backend, name, None) for name in ("normalizer", "pre_tokenizer")}
    changed = {}
    for name, part in parts.items():
        settings = json.loads(part.__getstate__()) if part is not None else None
        bare = None if is_prepend(settings) else without_prefix(settings)
        if bare != settings:
            changed[name] = bare
    if not changed:
        return partial(encoded, tokenizer)
    following: Any = copy.deepcopy(backend)
    following.no_truncation()
    following.no_padding()
    for name, settings in changed.items():
        part = copy.deepcopy(parts[name]) if settings is not None else None
        if part is not None:
            part.__setstate__(json.dumps(settings).encode())
        setattr(following, name, part)
    return lambda texts: [one.ids for one in following.encode_batch(texts, add_special_tokens=False)]


class Text(NamedTuple):
    """A text as the model is given it: the tokens before it, its own, and whether the first ones were left out."""

    context: tuple[int, ...]
    tokens: tuple[int, ...]
    truncated: bool = False


def rendered(judge: Judge, prompt: str, row: int = 0) -> str:
    """Return the prompt of a row as the user's turn of a conversation, up to where the model's begins."""
    if not judge.tokenizer.chat_template:
        raise ValueError(f"{judge.name} has no chat template; pass chat_template=False, or a model made to chat")
    turn = [{"role": "user", "content": prompt}]
    try:
        text: str = judge.tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
    except ImportError:
        raise
    except Exception as error:  # whatever a template does with what it is given
        raise ValueError(
            f"the chat template of {judge.name} refuses prompts[{row}] ({prompt!r:.80}): {error}"
        ) from None
    return text


def template_mark(judge: Judge) -> str:
    """Return a hash of what the chat template makes of a prompt, for the signature: some write the day's date there."""
    return f"sha256-{hashlib.sha256(rendered(judge, '?').encode()).hexdigest()[:12]}"


def contexts(judge: Judge, prompts: list[str], chat_template: bool) -> dict[str, tuple[int, ...]]:
    """Return for each prompt the tokens that its texts follow; equal prompts are read once."""
    tokenizer, first_row = judge.tokenizer, dict[str, int]()
    for row, prompt in enumerate(prompts):
        first_row.setdefault(prompt, row)
    if chat_template:
        front, several = [], encoded(tokenizer, [rendered(judge, *one) for one in first_row.items()])
    else:
        several = encoded(tokenizer, list(first_row))
        written = [(prompt, ids) for prompt, ids in zip(first_row, several, strict=True) if ids]
        front = marks_in_front(tokenizer, *written[0]) if written else []
    # What a text without any prompt follows: the mark of a beginning, or, as in GPT-2, the one between texts.
    marks = [mark for mark in (tokenizer.bos_token_id, tokenizer.eos_token_id) if mark is not None][:1]
    result = {prompt: tuple([*front, *ids] or marks) for prompt, ids in zip(first_row, several, strict=True)}
    for prompt, ids in result.items():
        if not ids:
            raise ValueError(
                f"prompts[{first_row[prompt]}] is {prompt!r:.80}, of which {judge.name} makes no token, and it has "
                "no mark for the beginning of a text: there is nothing that the texts could follow"
            )
    return result


def fitted(judge: Judge, text: Text, truncate: str | None, place: str) -> Text:
    """Return a text that the model takes, on request without the beginning of its prompt; raise ValueError that names
    its `place` where it is too long.
    """
    limit, length = judge.max_length, len(text.context) + len(text.tokens)
    if limit is None or length <= limit:
        return text
    if len(text.tokens) >= limit:
        raise ValueError(
            f"{place} alone has {len(text.tokens)} tokens, and {judge.name} takes {limit}, of which at least one must "
            "be the prompt's: shorten it (without its beginning it would be another text)"
        )
    if truncate is None:
        raise ValueError(
            f"{place} has {length} tokens with its prompt, and {judge.name} takes {limit}: shorten it, or pass "
            "truncate='left' to leave out the beginning of the prompt"
        )
    # The mark of a beginning stays: without it many models give other numbers altogether.
    front = text.context[:1] if text.context[0] == judge.tokenizer.bos_token_id else ()
    kept = limit - len(text.tokens) - len(front)
    return Text((*front, *text.context[len(text.context) - kept :]), text.tokens, True)


def tokens_of(judge: Judge, prompts: list[str], texts: list[str], chat_template: bool) -> list[tuple[int, ...]]:
    """Return the tokens of each text; equal texts are read once. After an empty prompt, a text is the beginning."""
    begins = [not (prompt or chat_template) for prompt in prompts]
    made: dict[tuple[str, bool], tuple[int, ...]] = {}
    for begin, make in ((False, continuing(judge.tokenizer)), (True, partial(encoded, judge.tokenizer))):
        distinct = list(dict.fromkeys(text for text, first in zip(texts, begins, strict=True) if first is begin))
        made |= {(text, begin): tuple(ids) for text, ids in zip(distinct, make(distinct), strict=True)}
    return [made[row] for row in zip(texts, begins, strict=True)]


def read(
    judge: Judge,
    prompts: list[str],
    chosen: list[str],
    rejected: list[str],
    chat_template: bool = False,
    truncate: str | None = None,
    names: tuple[str, str] = ("chosen", "rejected"),
) -> list[Text]:
    """Return the chosen texts, and after them the rejected ones, as the model is given them; `names` are those of the
    two in messages.
    """
    prompts = [readable(prompt) for prompt in prompts]
    before = contexts(judge, prompts, chat_template)
    tokens = tokens_of(judge, prompts * 2, [readable(text) for text in (*chosen, *rejected)], chat_template)
    places = [f"{name}[{i}]" for name in names for i in range(len(prompts))]
    rows = zip(prompts * 2, tokens, places, strict=True)
    return [fitted(judge, Text(before[prompt], ids), truncate, place) for prompt, ids, place in rows]


def filled(rows: list[tuple[int, ...]], device: str) -> Any:
    """Return rows of tokens as one tensor, the shorter ones filled at their end with their last token."""
    import torch

    longest = max(map(len, rows))
    return torch.tensor([row + (row or (0,))[-1:] * (longest - len(row)) for row in rows], device=device)


def token_log_probs(judge: Judge, states: Any, targets: list[int]) -> Any:
    """Return the log-probability of each target after the hidden state of its row, in 64 bits.

    The scores of the vocabulary are made for as many rows at a time as fit into a few megabytes.
    """
    import torch

    aims = torch.tensor(targets, device=states.device)
    most = LOGIT_BYTES_CPU if judge.device == "cpu" else LOGIT_BYTES_DEVICE
    rows = most // (4 * judge.model.get_input_embeddings().weight.shape[0])
    step = 1 << max(rows.bit_length() - 1, 0)
    found = []
    for part, aim in zip(states.split(step), aims.split(step), strict=True):
        logits = logits_of(judge, part)
        logits = logits.float() if logits.element_size() == 2 else logits
        found.append(logits.log_softmax(-1).gather(1, aim[:, None])[:, 0])
    return torch.cat(found).cpu().double()  # in this order: not every device has 64 bits


def sums(judge: Judge, states: list[Any], several: list[tuple[int, ...]]) -> list[float]:
    """Return the log-probability of each of several texts, from the hidden states before each of its tokens."""
    import torch

    targets = [token for tokens in several for token in tokens]
    found = token_log_probs(judge, torch.cat(states), targets)
    return [part.sum().item() for part in found.split([len(tokens) for tokens in several])]


def by_batch(judge: Judge, texts: list[Text]) -> list[float]:
    """Return the log-probabilities of texts, each run through the model with its own prompt."""
    ids = filled([(*text.context, *text.tokens) for text in texts], judge.device)
    states, _ = hidden_states(judge, ids)
    spans = [slice(len(text.context) - 1, len(text.context) + len(text.tokens) - 1) for text in texts]
    return sums(judge, [row[span] for row, span in zip(states, spans, strict=True)], [text.tokens for text in texts])


def by_prompt(judge: Judge, texts: list[Text], batch_size: int) -> Iterator[tuple[list[Text], list[float]]]:
    """Yield texts that all follow one prompt, which is computed once, with their log-probabilities, a few at a time."""
    import torch

    context = texts[0].context
    states, past = hidden_states(judge, filled([context], judge.device))
    last, longest = states[0, -1:], len(context) + max(len(text.tokens) for text in texts)
    lengths = [len(text.tokens) for text in texts]
    most = TOGETHER_CPU if judge.device == "cpu" else DEVICE_TOKENS
    for batch in batches(lengths, min(batch_size, max(1, DEVICE_TOKENS // longest)), most):
        some = [texts[i] for i in batch]
        several, before = [text.tokens for text in some], [last] * len(some)
        if max(map(len, several)) > 1:
            ids = filled([tokens[:-1] for tokens in several], judge.device)
            later, _ = hidden_states(judge, ids, expanded(past, len(some)))
            before = [torch.cat([last, row[: len(tokens) - 1]]) for row, tokens in zip(later, several, strict=True)]
        yield some, sums(judge, before, several)


def steps(judge: Judge, texts: list[Text], batch_size: int) -> Iterator[tuple[list[Text], list[float]]]:
    """Yield texts, which are all different and not empty, with their log-probabilities, a few at a time."""
    least, most = (SHARED_CPU, CPU_TOKENS) if judge.device == "cpu" else (SHARED_DEVICE, DEVICE_TOKENS)
    families: dict[tuple[int, ...], list[Text]] = {}
    for text in texts:
        families.setdefault(text.context, []).append(text)
    alone: list[Text] = []
    for context, family in families.items():
        if judge.shares and len(family) > 1 and len(context) >= least:
            yield from by_prompt(judge, family, batch_size)
        else:
            alone += family
    lengths = [len(text.context) + len(text.tokens) for text in alone]
    for batch in batches(lengths, batch_size if judge.mixes else 1, most):
        some = [alone[i] for i in batch]
        yield some, by_batch(judge, some)


def log_probs(judge: Judge, texts: list[Text], batch_size: int = 16, progress: bool = False) -> list[float]:
    """Return log P(tokens | context) of each text; equal ones are computed once, so they are equal to the last bit."""
    import torch
    from tqdm import tqdm

    found: dict[tuple[Any, ...], float] = {text[:2]: 0.0 for text in texts}
    distinct = [Text(*key) for key in found if key[1]]
    title = f"reward_accuracy {Path(judge.name).name}"
    with torch.inference_mode(), tqdm(total=len(distinct), desc=title, unit="text", disable=not progress) as bar:
        for some, values in steps(judge, distinct, batch_size):
            found |= zip((text[:2] for text in some), values, strict=True)
            bar.update(len(some))
    return [found[text[:2]] for text in texts]


class Side(NamedTuple):
    """One text of a pair: its reward, its tokens, and what the reward is made of."""

    reward: float
    text: Text
    log_prob: float
    reference_log_prob: float | None
    truncated: bool


def per_token(log_prob: float, text: Text, normalize: str) -> float:
    """Return a log-probability as it is, or by token for "mean"; that of an empty text is 0 in both."""
    return log_prob / max(len(text.tokens), 1) if normalize == "mean" else log_prob


def rewards(
    judge: Judge,
    texts: list[Text],
    normalize: str = "sum",
    batch_size: int = 16,
    progress: bool = False,
) -> list[tuple[float, float]]:
    """Return of each text log P, and log P by the rule of `normalize`; raise ValueError where a model gives none."""
    found = log_probs(judge, texts, batch_size, progress)
    for i, value in enumerate(found):
        if not math.isfinite(value):
            place = ("chosen", "rejected")[i >= len(found) // 2]
            raise ValueError(
                f"{judge.name} gives {place}[{i % (len(found) // 2)}] the log-probability {value}; dtype='float32' or "
                "'float64' bears more than 16 bits do"
            )
    return [(value, per_token(value, text, normalize)) for value, text in zip(found, texts, strict=True)]


def check_text(name: str, text: Any) -> None:
    """Raise TypeError for what is no text, a null of a JSON file for one.

    >>> check_text("prediction", None)
    Traceback (most recent call last):
    TypeError: prediction is None (NoneType); a string is expected
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")


def check_flag(name: str, value: Any) -> None:
    """Raise TypeError for what is neither True nor False: the word "no" would be true.

    >>> check_flag("lowercase", "no")
    Traceback (most recent call last):
    TypeError: lowercase is 'no' (str); True or False is expected
    """
    if type(value).__name__ not in ("bool", "bool_"):  # Python's and numpy's
        raise TypeError(f"{name} is {value!r:.80} ({type(value).__name__}); True or False is expected")


def check_number(name: str, value: Any) -> None:
    """Raise TypeError for what is no number, and ValueError for one that is not finite.

    >>> check_number("chosen", "-1.0")
    Traceback (most recent call last):
    TypeError: chosen is '-1.0' (str); a number is expected
    """
    real = isinstance(value, Real) and not isinstance(value, bool)
    if not real:
        raise TypeError(f"{name} is {value!r:.80} ({type(value).__name__}); a number is expected")
    if not -math.inf < value < math.inf:
        raise ValueError(f"{name} is {value}; a finite number is expected")


def score(chosen: float, rejected: float) -> float:
    """Return 1 where the judge prefers the chosen text, by rewards or log-probabilities, and 0 where it does not or
    where both are equal.

    Raises:
        TypeError: one of the two is no number.
        ValueError: one of the two is not finite.

    Source: the dataset card of iknow-lab/JudgeBias-DPO-RefFree-testset.

    >>> score(-12.5, -14.0), score(-14.0, -12.5), score(-12.5, -12.5)
    (1.0, 0.0, 0.0)

    """
    check_number("chosen", chosen)
    check_number("rejected", rejected)
    return float(chosen > rejected)


def log_prob(
    prompt: str,
    text: str,
    model: str,
    normalize: str = "sum",
    chat_template: bool = False,
    device: str | None = None,
    truncate: str | None = None,
) -> float:
    """Return log P(text | prompt), in nats, at most 0: the sum over the text's tokens, or their mean.

    Args:
        prompt: what the model was asked.
        text: what it might have written.
        model: a causal language model of transformers, by its name on the Hub or the path of its folder.
        normalize: "sum", or "mean" for the mean per token.
        chat_template: put the prompt into the model's chat template, as the user's turn.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is there.
        truncate: "left" leaves out the beginning of a prompt that is too long for the model; None is an error there.

    Raises:
        ImportError: torch or transformers is not installed.
        OSError: the model cannot be had.
        TypeError: a text is no string, or chat_template neither True nor False.
        ValueError: the text is too long for the model, or a setting does not exist.

    Source: the dataset card of iknow-lab/JudgeBias-DPO-RefFree-testset; see the head of this file for the boundary.

    """
    check_text("prompt", prompt)
    check_text("text", text)
    check_flag("chat_template", chat_template)
    one_of("normalize", normalize, NORMALIZE)
    one_of("truncate", truncate, (None, "left"))
    judge = judge_of(model, device)
    texts = read(judge, [prompt], [text], [text], chat_template, truncate, ("text", "text"))
    return rewards(judge, texts, normalize)[0][1]


def wilson(wins: int, n: int) -> list[float]:
    """Return the 95% interval of a share by Wilson 1927, which holds for few pairs and at the ends of the scale too.

    >>> [round(end, 4) for end in wilson(8, 10)], [round(end, 4) for end in wilson(5, 5)]
    ([0.4902, 0.9433], [0.5655, 1.0])
    """
    middle, square = wins + Z**2 / 2, Z**2 / 4
    half = Z * math.sqrt(wins * (n - wins) / n + square)
    return [max(0.0, (middle - half) / (n + Z**2)), min(1.0, (middle + half) / (n + Z**2))]


def summary(pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Return accuracy with its interval, mean margin and ties of pairs of a chosen and a rejected reward.

    >>> summary([(-1.0, -2.0), (-3.0, -2.5), (-2.0, -2.0), (-4.0, -4.5)])["reward_accuracy"]
    0.5
    """
    wins = [score(chosen, rejected) for chosen, rejected in pairs]
    return {
        "reward_accuracy": fmean(wins),
        "interval": wilson(int(sum(wins)), len(pairs)),
        "mean_margin": fmean(chosen - rejected for chosen, rejected in pairs),
        "ties": sum(chosen == rejected for chosen, rejected in pairs),
        "n": len(pairs),
    }


def summaries(pairs: list[tuple[float, float]], groups: list[str]) -> dict[str, Any]:
    """Return the summary of all pairs, and of each group in the order of the first rows, those without one together;
    of no group where none is named.
    """
    members: dict[str, list[tuple[float, float]]] = {}
    for pair, group in zip(pairs, groups, strict=True) if any(groups) else ():
        members.setdefault(group, []).append(pair)
    found = [{"group": group or None, **summary(some)} for group, some in members.items()]
    return summary(pairs) | {"by_group": found}


def compared(chosen: float, rejected: float, group: str) -> dict[str, Any]:
    """Return what `per_example` says of any pair."""
    return {
        "score": score(chosen, rejected),
        "chosen": chosen,
        "rejected": rejected,
        "margin": chosen - rejected,
        "tie": chosen == rejected,
        "group": group or None,
        "note": "equal rewards: no win" if chosen == rejected else None,
    }


def explain(chosen: Side, rejected: Side, group: str) -> dict[str, Any]:
    """Return the entry of `per_example` for one pair: its rewards, and what they are made of."""
    sides = {"chosen": chosen, "rejected": rejected}
    empty = [name for name, side in sides.items() if not side.text.tokens]
    entry = compared(chosen.reward, rejected.reward, group)
    if empty:
        certain = f"no token in {' and '.join(empty)}: log-probability 0, that of a certain event"
        entry["note"] = "; ".join(note for note in (certain, entry["note"]) if note)
    for name, side in sides.items():
        entry |= {
            f"{name}_log_prob": side.log_prob,
            f"{name}_reference_log_prob": side.reference_log_prob,
            f"{name}_tokens": len(side.text.tokens),
            f"{name}_prompt_tokens": len(side.text.context),
            f"{name}_truncated": side.truncated,
        }
    return entry


def one_of(name: str, value: Any, known: tuple[Any, ...]) -> Any:
    """Return a setting; raise ValueError where it is none of those known.

    >>> one_of("normalize", "mean", NORMALIZE)
    'mean'
    """
    if not any(value is one or (isinstance(value, str) and value == one) for one in known):
        raise ValueError(f"{name} is {value!r:.80}; one of {', '.join(map(repr, known))} is expected")
    return value


def factor(beta: Any, reference_model: Any) -> float:
    """Return beta; raise ValueError where it is no number above 0, or where there is nothing that it could weigh."""
    number = isinstance(beta, int | float) and not isinstance(beta, bool)
    if not number or not 0 < beta < math.inf:
        raise ValueError(f"beta is {beta!r:.80}; a number above 0 is expected")
    if reference_model is None and beta != 1:
        raise ValueError(f"beta is {beta!r:.80}, but it weighs a reward relative to a reference_model; none is given")
    return float(beta)


# Where what was given belongs, by whether it was given to the configuration "logprobs".
ELSEWHERE = {
    True: "Texts and a model go to the other configuration: evaluate.load(...) without 'logprobs'",
    False: "Log-probabilities go to the other configuration: evaluate.load(..., 'logprobs')",
}


class RewardAccuracy(Checked, evaluate.Metric):
    """Reward accuracy as a metric of evaluate, with the configurations "model" (default) and "logprobs"."""

    optional_columns = ("groups",)

    def __init__(self, config_name: str | None = None, **settings: Any) -> None:
        super().__init__(config_name=config_name, **settings)
        if self.config_name == "logprobs":
            self._compute = self._compare  # type: ignore[method-assign, assignment]

    def _checked(self, columns: dict[str, Any], first: int = 0) -> dict[str, list[Any]]:
        try:
            return super()._checked(columns, first)
        except TypeError as error:
            numeric, given = self.config_name == "logprobs", columns.get("chosen")
            cell = next(iter(given), None) if isinstance(given, list | tuple) else None
            if not isinstance(cell, str if numeric else Real):
                raise
            raise TypeError(f"{error}. {ELSEWHERE[numeric]}") from None

    def _known(self, settings: dict[str, Any], caller: Any) -> dict[str, Any]:
        try:
            return super()._known(settings, caller)
        except TypeError as error:
            compute, compare = (set(inspect.signature(one).parameters) for one in (type(self)._compute, self._compare))
            if self.config_name != "logprobs" or not set(settings) & (compute - compare):
                raise
            raise TypeError(f"{error}. {ELSEWHERE[True]}") from None

    def _info(self) -> evaluate.MetricInfo:
        one_of("the configuration of reward_accuracy", self.config_name, ("default", "model", "logprobs"))
        text, number = datasets.Value("string"), datasets.Value("float64")
        columns = {"prompts": text, "chosen": text, "rejected": text}
        if self.config_name == "logprobs":
            columns = {"chosen": number, "rejected": number}
        return evaluate.MetricInfo(
            description="The share of pairs in which a language model finds the chosen text likelier than the other.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({**columns, "groups": text}),
            codebase_urls=["https://huggingface.co/datasets/iknow-lab/JudgeBias-DPO-RefFree-testset"],
            reference_urls=["https://arxiv.org/abs/2305.18290"],
        )

    def _compare(
        self, chosen: list[float], rejected: list[float], groups: list[str], per_example: bool = False
    ) -> dict[str, Any]:
        (groups,) = self.texts(groups)
        pairs = list(zip(chosen, rejected, strict=True))
        result = summaries(pairs, groups) | {"signature": self.signature(VERSION, configuration="logprobs")}
        entries = (compared(*pair, group) for pair, group in zip(pairs, groups, strict=True))
        return result | {"per_example": list(entries)} if per_example else result

    def _compute(
        self,
        prompts: list[str],
        chosen: list[str],
        rejected: list[str],
        groups: list[str],
        model: str | None = None,
        normalize: str = "sum",
        reference_model: str | None = None,
        beta: float = 1.0,
        chat_template: bool = False,
        truncate: str | None = None,
        batch_size: int = 16,
        dtype: str = "float32",
        device: str | None = None,
        progress: bool = True,
        per_example: bool = False,
    ) -> dict[str, Any]:
        normalize, truncate = one_of("normalize", normalize, NORMALIZE), one_of("truncate", truncate, (None, "left"))
        dtype = one_of("dtype", str(dtype).removeprefix("torch."), DTYPES)
        batch_size, weight = whole_number("batch_size", batch_size), factor(beta, reference_model)
        model_name("model", model)
        prompts, chosen, rejected, groups = self.texts(prompts, chosen, rejected, groups)
        judge = judge_of(model, device, dtype)
        reference = None if reference_model is None else judge_of(reference_model, device, dtype, "reference_model")
        asked = [one for one in (judge, reference) if one]
        texts = [read(one, prompts, chosen, rejected, chat_template, truncate) for one in asked]
        found = [rewards(*one, normalize, batch_size, progress) for one in zip(asked, texts, strict=True)]
        sides = list(map(partial(side_of, weight), zip(*found, strict=True), zip(*texts, strict=True)))
        rows = list(zip(sides[: len(sides) // 2], sides[len(sides) // 2 :], strict=True))
        result = summaries([(one.reward, other.reward) for one, other in rows], groups)
        result["truncated"] = {
            "chosen": sum(one.truncated for one, _ in rows),
            "rejected": sum(other.truncated for _, other in rows),
        }
        result["empty"] = {
            "chosen": sum(not one.text.tokens for one, _ in rows),
            "rejected": sum(not other.text.tokens for _, other in rows),
        }
        result["signature"] = self.signature(
            VERSION,
            configuration="model",
            model=judge.name,
            revision=judge.revision,
            normalize=normalize,
            reference=reference and f"{reference.name}@{reference.revision},beta-{weight:g}",
            chat_template=chat_template and template_mark(judge),
            truncate=truncate,
            max_length=judge.max_length,
            dtype=dtype,
            **{name: importlib.metadata.version(name) for name in ("transformers", "tokenizers", "torch")},
        )
        entries = (explain(*row, group) for row, group in zip(rows, groups, strict=True))
        return result | {"per_example": list(entries)} if per_example else result


def side_of(beta: float, found: tuple[tuple[float, float], ...], texts: tuple[Text, ...]) -> Side:
    """Return one text of a pair from what the model, and the reference where there is one, gave it."""
    relative = beta * (found[0][1] - found[1][1]) if len(found) > 1 else found[0][1]
    reference = found[1][0] if len(found) > 1 else None
    return Side(relative, texts[0], found[0][0], reference, any(text.truncated for text in texts))


CITATION = """\
@misc{judgebias2026,
  title={{JudgeBias-DPO-RefFree-testset}},
  author={{iknow-lab}},
  year={2026}, howpublished={https://huggingface.co/datasets/iknow-lab/JudgeBias-DPO-RefFree-testset}
}
@inproceedings{rafailov2023dpo,
  title={Direct Preference Optimization: Your Language Model is Secretly a Reward Model},
  author={Rafailov, Rafael and Sharma, Archit and Mitchell, Eric and Manning, Christopher D. and Ermon, Stefano and
    Finn, Chelsea},
  booktitle={Advances in Neural Information Processing Systems},
  year={2023}, eprint={2305.18290}, archivePrefix={arXiv}
}
"""
INPUTS = """
Args, configuration "model" (the default):
    prompts (list of str): what the model was asked.
    chosen (list of str): the better text of each pair.
    rejected (list of str): the worse one.
    groups (list of str, may be left out): what each pair belongs to, such as its perturbation_type.
    model (str): a causal language model of transformers, by its name on the Hub or the path of a folder; no default.
    normalize ("sum", "mean"): the log-probability of the whole text, as the card has it, or its mean per token.
    reference_model (str or None): another model; the reward is then beta * (log P - log P of the reference), as in DPO.
    beta (float): the weight of that reward; it moves mean_margin alone.
    chat_template (bool): put the prompt into the model's chat template, as the user's turn.
    truncate (None, "left"): what is done with texts longer than the model's context: an error that names the row, or
        the beginning of their prompt is left out, and they are counted.
    batch_size (int): texts that go through the model at once, at most; it moves no score.
    dtype ("float32", "float64", "bfloat16", "float16", "auto"): what the model computes in; "auto" as it is stored.
    device (str or None): "cuda", "mps", "cpu", ...; None takes the first of these that is there.
    progress (bool): a progress bar on the error stream.
    per_example (bool): True adds one dict per pair.
Args, configuration "logprobs":
    chosen, rejected (lists of float): the log-probabilities, or any rewards, of the two texts of each pair.
    groups, per_example: as above.

Returns:
    reward_accuracy (float in 0..1, higher is better): share of pairs with a higher reward for the chosen text.
    interval (list of two float): its 95% Wilson interval.
    mean_margin (float): mean of reward(chosen) - reward(rejected), in nats for log-probabilities.
    ties (int): pairs with equal rewards, which are no wins.
    n (int): the number of pairs.
    by_group (list of dict): the same for each group; empty without groups.
    truncated (dict, configuration "model"): how many chosen and rejected texts lost the beginning of their prompt.
    empty (dict, configuration "model"): how many chosen and rejected texts have no token, and so are certain.
    signature (str): everything that moves the score, for a paper.
    per_example (list of dict, on request).
"""
