"""Local models, for the metrics that compute with one: found, checked, kept loaded, and given texts in batches.

A model is named by its name on the Hugging Face Hub or by the path of a folder. One that is on this machine is taken as
it is, without asking the Hub: the same call gives the same score tomorrow. One that cannot be had is one OSError that
says why. What a loader makes up for (missing weights by random ones, a missing vocabulary by none) is refused.
"""

import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

# Tokens that go through the model at once. On a CPU, what leaves its caches is slower than a further batch.
CPU_TOKENS, DEVICE_TOKENS = 1024, 65_536
# The files of a folder that decide what its model computes.
MODEL_FILES = (".safetensors", ".bin", ".json", ".txt", ".model", ".jinja")
HUB_SECONDS = 10

# Set to False in a thread that must not ask the Hub: a model that is not complete on this machine is then an OSError.
ask_hub: ContextVar[bool] = ContextVar("ask_hub", default=True)
# One thread loads a model or sets a tokenizer's truncation; the others wait.
lock = threading.RLock()
kept: dict[tuple[Any, ...], tuple[Any, str, str, str]] = {}


def loaded(
    load: Callable[..., Any],
    model: Any,
    device: Any = None,
    *settings: Any,
    argument: str = "model",
    organisation: str = "",
    keep: int = 1,
) -> tuple[Any, str, str, str]:
    """Return what `load(name, device, *settings, local_files_only=...)` makes of a model, its name and its revision for
    a signature, and the device. The last `keep` stay loaded while their files stay the same.

    `organisation` is where a name without one is looked for.

    Raises:
        TypeError: `argument` is neither a name nor a path.
        ValueError: there is no such device.
        OSError: the model cannot be had.

    """
    if not isinstance(model, str | os.PathLike) or not os.fspath(model):
        raise TypeError(
            f"{argument} is {model!r:.80} ({type(model).__name__}); the name or path of a model is expected"
        )
    name, device = os.path.expanduser(os.fspath(model)), device_of(device)
    if is_folder(name):
        name = os.path.realpath(name)
    elif organisation and "/" not in name and not cached(name):
        name = f"{organisation}/{name}"
    status = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in model_files(name)]
    key = (load, name, device, *settings, *status)
    with lock:
        found = kept.pop(key, None)
        while not found and len(kept) >= keep:
            del kept[next(iter(kept))]  # before the next is there, or both would need their memory
        kept[key] = found or (fetched(load, name, device, *settings), *identity(name), device)
        return kept[key]


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


def cached(model: str) -> Path | None:
    """Return the folder of the local Hub cache that holds a model of this name, as far as it was downloaded."""
    import huggingface_hub
    from huggingface_hub.errors import HFValidationError

    try:
        several = [huggingface_hub.try_to_load_from_cache(model, file) for file in ("config.json", "modules.json")]
    except HFValidationError:
        return None
    return next((Path(found).parent for found in several if isinstance(found, str)), None)


def fetched(load: Callable[..., Any], model: str, *settings: Any) -> Any:
    """Return what `load` makes of a model: from disk where it is there, else from the Hub."""
    folder, problem = is_folder(model), ""
    for local in (True, False):
        if local and not folder and not cached(model):
            continue
        if not local:
            reach(model, problem)
        try:
            return load(model, *settings, local_files_only=local)
        except ImportError:
            raise
        except Exception as error:  # loaders raise what the files make them: KeyError, SafetensorError, ...
            first_line = str(error).strip().partition("\n")[0][:200]
            problem = f"{type(error).__name__}: {first_line}"
            if folder or not local:
                raise unavailable(model, problem) from None
    raise AssertionError("one of the two ways returns or raises")


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


def refuse_gaps(missing: list[str], tokenizer: Any = None) -> None:
    """Raise OSError for a model that was loaded with random weights, or without a vocabulary."""
    if missing:
        raise OSError(f"its files lack weights that the score needs, such as {missing[0]}")
    if tokenizer is not None and set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens):
        raise OSError("its files lack the tokenizer: there is no vocabulary")


def model_files(model: str) -> list[Path]:
    """Return the files of a folder that decide what its model computes, in their order; none of a name."""
    files = [file for file in Path(model).rglob("*") if file.suffix in MODEL_FILES] if is_folder(model) else []
    return sorted(file for file in files if file.is_file() and "/." not in f"/{file.relative_to(model).as_posix()}")


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
            # RoBERTa and BART leave out the first rows.
            first = getattr(table, "offset", 0) if table.padding_idx is None else table.padding_idx + 1
            return int(table.num_embeddings - first)
    return None


def batches(lengths: list[int], batch_size: int, device: str) -> Iterator[list[int]]:
    """Yield the indices of texts in batches of like length, the longest first: at most `batch_size` texts, and at most
    so many tokens, padding included, as the device likes, unless one text alone has more.

    >>> list(batches([5, 1, 4, 1], 2, "cpu")), list(batches([500, 400, 600], 10, "cpu"))
    ([[0, 2], [1, 3]], [[2], [0, 1]])
    """
    batch: list[int] = []
    tokens = CPU_TOKENS if device == "cpu" else DEVICE_TOKENS
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and (len(batch) == batch_size or (len(batch) + 1) * lengths[batch[0]] > tokens):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def whole_number(name: str, value: Any) -> int:
    """Return a setting that counts something; raise ValueError where it is no whole number above 0.

    >>> whole_number("batch_size", 8)
    8
    """
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < 1:
        raise ValueError(f"{name} is {value!r:.80}; a whole number of at least 1 is expected")
    return int(value)
