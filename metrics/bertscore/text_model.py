# A copy of metrics/shared/text_model.py: change that one, then run `make copies`.
"""Local models: find them, check them, keep them loaded and send them texts in batches.

A model is given by its name on the Hugging Face Hub or by the path of a folder. If it is on this
machine, the Hub is not asked, so the same call gives the same score tomorrow. If it cannot be
loaded, an OSError is raised.
"""

import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

# The most tokens of a batch. On a CPU two batches are faster than one that exceeds its caches.
CPU_TOKENS = 1024
DEVICE_TOKENS = 65_536
# The suffixes of the files that decide what a model computes.
MODEL_FILES = (".safetensors", ".bin", ".json", ".txt", ".model", ".jinja")
# Seconds until the Hub has to answer.
HUB_SECONDS = 10
# A tokenizer without a limit reports a larger number than this.
UNBOUNDED = 1_000_000

# Set to False in a thread that must not ask the Hub. If the model is not complete on this machine,
# an OSError is then raised.
ask_hub: ContextVar[bool] = ContextVar("ask_hub", default=True)
# One thread loads a model or sets a tokenizer's truncation; the others wait. All copies of this
# file share the lock. The reason: while transformers loads a model, it replaces its own function
# PreTrainedModel.tie_weights (5.24). If two loads overlap, one leaves it replaced, and every later
# model lacks its tied weights.
lock: threading.RLock = vars(threading).setdefault("answer_lens_model_lock", threading.RLock())
loaded_models: dict[tuple[Any, ...], SimpleNamespace] = {}


def load_model(  # noqa: PLR0913
    load: Callable[..., SimpleNamespace],
    needs: str,
    model: Any,
    device: Any = None,
    *settings: Any,
    argument: str = "model",
    organisation: str = "",
    keep: int = 1,
) -> SimpleNamespace:
    """Return a loaded model with its `device`, and its `name` and `revision` for a signature.

    Args:
        load: the function that loads it: `load(name, device, *settings, local_files_only=...)`.
        needs: the packages that the score needs, separated by spaces.
        model: the name or path of the model.
        device: the device to compute on; see `choose_device`.
        *settings: further arguments of `load`.
        argument: the name of the argument that holds the model, for messages.
        organisation: the organisation on the Hub of a name without one, unless it is cached.
        keep: how many models stay loaded. A model is loaded again if its files have changed.

    Raises:
        ImportError: a package is missing.
        TypeError: the model is no text or path, or is empty.
        ValueError: there is no such device.
        OSError: the model cannot be loaded.
    """
    for package in needs.split():
        try:
            import_module(package.replace("-", "_"))
        except ImportError as error:
            raise ImportError(f"this score needs {package}: pip install {needs}") from error
    if not isinstance(model, str | os.PathLike) or not os.fspath(model):
        raise TypeError(
            f"{argument} is {model!r:.80} ({type(model).__name__}); the name or path of a model "
            "is needed"
        )
    name = os.path.expanduser(os.fspath(model))
    device = choose_device(device)
    if os.path.isdir(name):
        name = os.path.realpath(name)
    elif organisation and "/" not in name and not find_cached_folder(name):
        name = f"{organisation}/{name}"
    files = []
    for file in list_model_files(name):
        status = file.stat()
        files.append((str(file), status.st_size, status.st_mtime_ns))
    key = (load, name, device, *settings, *files)
    with lock:
        loaded = loaded_models.pop(key, None)
        if not loaded:
            # The oldest model is freed first: memory may not hold both.
            while len(loaded_models) >= keep:
                oldest = next(iter(loaded_models))
                del loaded_models[oldest]
            loaded = fetch_model(load, name, device, *settings)
            loaded.device = device
            loaded.name, loaded.revision = identify_model(name)
        loaded_models[key] = loaded
        return loaded


def choose_device(device: Any = None) -> str:
    """Return the device to compute on.

    Args:
        device: the name of a device; None takes an accelerator (cuda, mps, ...) or else the CPU.

    Raises:
        ValueError: torch cannot use the device on this machine.
    """
    import torch

    chosen_device = device
    if device is None:
        chosen_device = torch.accelerator.current_accelerator(check_available=True) or "cpu"
    try:
        return str(torch.zeros(1, device=chosen_device).device)
    except (AssertionError, OverflowError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(
            f"device is {device!r:.80}, which torch has not here: {error!s:.200}"
        ) from None


def find_cached_folder(model: str) -> Path | None:
    """Return the folder of a model in the local Hub cache, or None.

    The download may be incomplete.
    """
    from huggingface_hub import try_to_load_from_cache

    for file in ("config.json", "modules.json"):
        try:
            path = try_to_load_from_cache(model, file)
        except ValueError:
            # The Hub allows no such name.
            return None
        if isinstance(path, str):
            return Path(path).parent
    return None


def fetch_model(
    load: Callable[..., SimpleNamespace], model: str, *settings: Any
) -> SimpleNamespace:
    """Load a model from this machine, or else from the Hub.

    Raises:
        ImportError: a package is missing.
        OSError: it cannot be loaded; the message lists the causes.
    """
    # Whether each attempt looks on this machine only, in order.
    if os.path.isdir(model):
        attempts = [True]
    elif find_cached_folder(model):
        attempts = [True, False]
    else:
        attempts = [False]
    causes = []
    for local in attempts:
        try:
            if not local:
                check_hub(model)
            return load(model, *settings, local_files_only=local)
        except ImportError:
            raise
        except Exception as error:
            # Loaders raise many errors for bad files: KeyError, SafetensorError, ...
            cause = str(error).strip().partition("\n")[0]
            causes.append(f"{type(error).__name__}: {cause:.200}")
    raise OSError(
        f"the model {model!r:.200} could not be loaded: {'; '.join(causes)}. Pass the path of a "
        "folder that holds a "
        "model, or the name of one that is in the local Hugging Face cache or can be downloaded"
    )


def check_hub(model: str) -> None:
    """Raise an error if the Hub must not be asked, or has no model of this name.

    Loaders ask for a minute before they give up; this asks for some seconds.
    """
    from huggingface_hub import HfApi

    if not ask_hub.get():
        raise OSError("it is not on this machine, and the Hugging Face Hub was not to be asked")
    HfApi().model_info(model, timeout=HUB_SECONDS)


def refuse_incomplete_model(
    missing: Iterable[str], tokenizer: Any = None, unused: Sequence[str] = ()
) -> None:
    """Raise an error if a model's files lack weights or a vocabulary.

    transformers fills missing weights with random ones.

    Args:
        missing: the names of the weights that its files lack.
        tokenizer: its tokenizer, if it has one.
        unused: parts of names of weights that the score does not use.

    Raises:
        OSError: the files lack something that the score needs.
    """
    needed = []
    for key in missing:
        if not any(part in f".{key}" for part in unused):
            needed.append(key)
    if needed:
        raise OSError(f"its files lack weights that the score needs, such as {min(needed)}")
    if tokenizer is not None and set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens):
        raise OSError("its files lack the tokenizer: there is no vocabulary")


def list_model_files(model: str) -> list[Path]:
    """Return the files of a folder that decide what its model computes, sorted by path.

    The list is empty if `model` is the name of a model.
    """
    if not os.path.isdir(model):
        return []
    files = []
    for file in Path(model).rglob("*"):
        is_hidden = "/." in f"/{file.relative_to(model).as_posix()}"
        if file.suffix in MODEL_FILES and file.is_file() and not is_hidden:
            files.append(file)
    return sorted(files)


def identify_model(model: str) -> tuple[str, str]:
    """Return the name and the revision of a model, for a signature.

    Returns:
        for a name: the name and its commit on the Hub, "unknown" if it is not cached; for a folder:
        its own name and a hash of its files.
    """
    if not os.path.isdir(model):
        folder = find_cached_folder(model)
        return model, folder.name if folder else "unknown"
    digest = hashlib.sha256()
    for file in list_model_files(model):
        name = file.relative_to(model).as_posix()
        digest.update(name.encode("utf-8", "surrogateescape") + b"\0")
        with file.open("rb") as stream:
            while block := stream.read(2**20):
                digest.update(block)
    # White space and the bar separate the parts of a signature.
    name = re.sub(r"[\s|]", "_", Path(model).resolve().name)
    return name, f"sha256-{digest.hexdigest()[:16]}"


def find_token_limit(model: Any, tokenizer_limit: int | None) -> int | None:
    """Return how many tokens a model reads, or None if there is no limit.

    Args:
        model: the model; the size of its position tables is one limit.
        tokenizer_limit: the limit of its tokenizer.
    """
    limits = [tokenizer_limit]
    for name, table in model.named_modules():
        is_positions = name.rpartition(".")[2] in ("position_embeddings", "embed_positions")
        if not is_positions or not hasattr(table, "num_embeddings"):
            continue
        # RoBERTa and BART do not use the first rows.
        n_unused = getattr(table, "offset", 0)
        if table.padding_idx is not None:
            n_unused = table.padding_idx + 1
        limits.append(int(table.num_embeddings - n_unused))
    known = [limit for limit in limits if limit and limit < UNBOUNDED]
    return min(known, default=None)


def make_batches(lengths: list[int], batch_size: int, device: str) -> Iterator[list[int]]:
    """Yield the indices of texts in batches of similar length, the longest first.

    A batch has at most `batch_size` texts. Its tokens, with padding, are at most CPU_TOKENS or
    DEVICE_TOKENS, unless a single text has more.

    >>> list(make_batches([5, 1, 4, 1], 2, "cpu")), list(make_batches([500, 400, 600], 10, "cpu"))
    ([[0, 2], [1, 3]], [[2], [0, 1]])
    """
    if not batch_size >= 1:
        raise ValueError(
            f"batch_size is {batch_size!r:.80}; a whole number of at least 1 is expected"
        )
    most_tokens = CPU_TOKENS if device == "cpu" else DEVICE_TOKENS
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch:
            n_tokens = (len(batch) + 1) * lengths[batch[0]]
            if len(batch) >= batch_size or n_tokens > most_tokens:
                yield batch
                batch = []
        batch.append(index)
    if batch:
        yield batch
