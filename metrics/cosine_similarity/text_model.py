# A copy of metrics/shared/text_model.py: change that one, then run `make copies`.
"""Local models, for the metrics that compute with one: found, checked, kept loaded, and given texts in batches.

A model is named by its name on the Hugging Face Hub or by the path of a folder. One that is on this machine is taken as
it is, without asking the Hub: the same call gives the same score tomorrow. One that cannot be had is an OSError.
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

# Tokens that go through the model at once. On a CPU, what leaves its caches is slower than a further batch.
CPU_TOKENS, DEVICE_TOKENS = 1024, 65_536
# The files of a folder that decide what its model computes.
MODEL_FILES = (".safetensors", ".bin", ".json", ".txt", ".model", ".jinja")
HUB_SECONDS = 10
# What a tokenizer names that has no limit is more than this.
UNBOUNDED = 1_000_000

# Set to False in a thread that must not ask the Hub: a model that is not complete on this machine is then an OSError.
ask_hub: ContextVar[bool] = ContextVar("ask_hub", default=True)
# One thread loads a model or sets a tokenizer's truncation; the others wait. The copies of this file share the lock:
# transformers replaces its own functions while it loads (5.24: PreTrainedModel.tie_weights), and of two loads at once
# one leaves them replaced, so that every model loaded later lacks its tied weights.
lock: threading.RLock = vars(threading).setdefault("answer_lens_model_lock", threading.RLock())
kept: dict[tuple[Any, ...], SimpleNamespace] = {}


def loaded(  # noqa: PLR0913
    load: Callable[..., SimpleNamespace],
    needs: str,
    model: Any,
    device: Any = None,
    *settings: Any,
    argument: str = "model",
    organisation: str = "",
    keep: int = 1,
) -> SimpleNamespace:
    """Return what `load(name, device, *settings, local_files_only=...)` makes of a model, with its `device`, and with
    its `name` and `revision` for a signature. The last `keep` stay loaded while their files stay the same.

    `organisation` is where a name without one is looked for. Raise ImportError where a package that the score `needs`
    is missing, TypeError where `argument` is no name, ValueError where there is no such device, OSError where the model
    cannot be had.
    """
    for package in needs.split():
        try:
            import_module(package.replace("-", "_"))
        except ImportError as error:
            raise ImportError(f"this score needs {package}: pip install {needs}") from error
    if not isinstance(model, str | os.PathLike) or not os.fspath(model):
        raise TypeError(f"{argument} is {model!r:.80} ({type(model).__name__}); the name or path of a model is needed")
    name, device = os.path.expanduser(os.fspath(model)), device_of(device)
    if os.path.isdir(name):
        name = os.path.realpath(name)
    elif organisation and "/" not in name and not cached(name):
        name = f"{organisation}/{name}"
    status = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in model_files(name)]
    key = (load, name, device, *settings, *status)
    with lock:
        found = kept.pop(key, None)
        if not found:
            while len(kept) >= keep:
                del kept[next(iter(kept))]  # before the next is there, or both would need their memory
            found = fetched(load, name, device, *settings)
            found.device, (found.name, found.revision) = device, identity(name)
        kept[key] = found
        return found


def device_of(device: Any = None) -> str:
    """Return the device to compute on: the one named, or for None an accelerator (cuda, mps, ...), else the CPU."""
    import torch

    wanted = torch.accelerator.current_accelerator(check_available=True) or "cpu" if device is None else device
    try:
        return str(torch.zeros(1, device=wanted).device)
    except (
        AssertionError,
        OverflowError,
        RuntimeError,
        TypeError,
        ValueError,
    ) as error:
        raise ValueError(f"device is {device!r:.80}, which torch has not here: {error!s:.200}") from None


def cached(model: str) -> Path | None:
    """Return the folder of the local Hub cache that holds a model of this name, as far as it was downloaded."""
    from huggingface_hub import try_to_load_from_cache

    try:
        found = [try_to_load_from_cache(model, file) for file in ("config.json", "modules.json")]
    except ValueError:  # no name that the Hub can have
        return None
    return next((Path(file).parent for file in found if isinstance(file, str)), None)


def fetched(load: Callable[..., SimpleNamespace], model: str, *settings: Any) -> SimpleNamespace:
    """Return what `load` makes of a model: from disk where it is there, else from the Hub; or raise one OSError."""
    from huggingface_hub import HfApi

    folder, causes = os.path.isdir(model), []
    for local in [True] if folder else [True, False] if cached(model) else [False]:
        try:
            if not local:
                if not ask_hub.get():
                    raise OSError("it is not on this machine, and the Hugging Face Hub was not to be asked")
                HfApi().model_info(model, timeout=HUB_SECONDS)  # loaders ask for a minute before they give up
            return load(model, *settings, local_files_only=local)
        except ImportError:
            raise
        except Exception as error:  # loaders raise what the files make them: KeyError, SafetensorError, ...
            cause = str(error).strip().partition("\n")[0]
            causes.append(f"{type(error).__name__}: {cause:.200}")
    raise OSError(
        f"the model {model!r:.200} could not be loaded: {'; '.join(causes)}. Pass the path of a folder that holds a "
        "model, or the name of one that is in the local Hugging Face cache or can be downloaded"
    )


def refuse_gaps(missing: Iterable[str], tokenizer: Any = None, unused: Sequence[str] = ()) -> None:
    """Raise OSError for a model that was loaded with random weights, but in parts named in `unused`, which the score
    does not ask for; or without a vocabulary.
    """
    lacking = sorted(key for key in missing if not any(part in f".{key}" for part in unused))
    if lacking:
        raise OSError(f"its files lack weights that the score needs, such as {lacking[0]}")
    if tokenizer is not None and set(tokenizer.get_vocab()) <= set(tokenizer.all_special_tokens):
        raise OSError("its files lack the tokenizer: there is no vocabulary")


def model_files(model: str) -> list[Path]:
    """Return the files of a folder that decide what its model computes, in their order; none of a name."""
    files = [file for file in Path(model).rglob("*") if file.suffix in MODEL_FILES] if os.path.isdir(model) else []
    return sorted(file for file in files if file.is_file() and "/." not in f"/{file.relative_to(model).as_posix()}")


def identity(model: str) -> tuple[str, str]:
    """Return what a signature says of a loaded model: its name and its commit on the Hub, or, of a folder, its own name
    and a hash of its files.
    """
    if not os.path.isdir(model):
        folder = cached(model)
        return model, folder.name if folder else "unknown"
    digest = hashlib.sha256()
    for file in model_files(model):
        digest.update(file.relative_to(model).as_posix().encode("utf-8", "surrogateescape") + b"\0")
        with file.open("rb") as stream:
            while block := stream.read(2**20):
                digest.update(block)
    return re.sub(r"[\s|]", "_", Path(model).resolve().name), f"sha256-{digest.hexdigest()[:16]}"


def token_limit(model: Any, said: int | None) -> int | None:
    """Return how many tokens a model reads, by what its tokenizer `said` and by its table of positions, or None."""
    limits = [said]
    for name, table in model.named_modules():
        if name.rpartition(".")[2] in (
            "position_embeddings",
            "embed_positions",
        ) and hasattr(table, "num_embeddings"):
            unused = getattr(table, "offset", 0) if table.padding_idx is None else table.padding_idx + 1
            limits.append(int(table.num_embeddings - unused))  # RoBERTa and BART leave out the first rows
    return min((limit for limit in limits if limit and limit < UNBOUNDED), default=None)


def batches(lengths: list[int], batch_size: int, device: str) -> Iterator[list[int]]:
    """Yield the indices of texts in batches of like length, the longest first: at most `batch_size` texts, and at most
    so many tokens, padding included, as the device likes, unless one text alone has more.

    >>> list(batches([5, 1, 4, 1], 2, "cpu")), list(batches([500, 400, 600], 10, "cpu"))
    ([[0, 2], [1, 3]], [[2], [0, 1]])
    """
    if not batch_size >= 1:
        raise ValueError(f"batch_size is {batch_size!r:.80}; a whole number of at least 1 is expected")
    batch: list[int] = []
    tokens = CPU_TOKENS if device == "cpu" else DEVICE_TOKENS
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and (len(batch) >= batch_size or (len(batch) + 1) * lengths[batch[0]] > tokens):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
