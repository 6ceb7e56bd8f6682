"""The models of metrics on this machine: which are here, what they are called before a visitor."""

from __future__ import annotations

import os
from pathlib import Path

from lens.scoring.catalog import Metric, Model
from lens.words import say

WEIGHTS = ("model.safetensors", "pytorch_model.bin")


def is_path(name: str) -> bool:
    """Whether a model is named by its folder, there or not, and not by a name that the Hub could have."""
    return os.path.isabs(name) or name.startswith(("~", ".")) or os.path.isdir(name)


def shown_name(name: str) -> str:
    """A model's name for the page. Of a folder only its own: where it lies on the server concerns no visitor."""
    if not is_path(name):
        return name
    expanded = Path(os.path.expanduser(name))
    return (expanded.name.strip(".") and expanded.name) or expanded.resolve().name


def without_path(metric: Metric, message: str) -> str:
    """A message in which the folder of a metric's model has only its own name."""
    name = metric.model.name() if metric.model else ""
    if not is_path(name):
        return message
    expanded = os.path.expanduser(name)
    # The longest first, for one may be the beginning of another; and never a lone ".", which is in every sentence.
    for path in sorted({name, expanded, os.path.abspath(expanded), os.path.realpath(expanded)}, key=len, reverse=True):
        if path.strip("./"):
            message = message.replace(path, shown_name(name))
    return message


def on_disk(name: str) -> bool:
    """Whether a model needs no download: it is a folder, or all of it is in the cache of Hugging Face."""
    # A name without an organisation is looked for under that of sentence-transformers too.
    return is_path(name) or in_cache(name) or ("/" not in name and in_cache(f"sentence-transformers/{name}"))


def in_cache(name: str) -> bool:
    """Whether the cache of Hugging Face holds a model with its weights, which come last and may be under way."""
    from huggingface_hub import try_to_load_from_cache

    try:
        found = [isinstance(try_to_load_from_cache(name, file), str) for file in ("config.json", *WEIGHTS)]
    except ValueError:  # not a name that the Hub could have
        return False
    return found[0] and any(found[1:])


def download_size(model: Model) -> str:
    """How large a download is, where that is known."""
    return say("card.download_size", size=model.size) if model.name() == model.default else ""
