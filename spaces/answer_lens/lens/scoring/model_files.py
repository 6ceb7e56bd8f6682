"""The models of metrics on this machine: which are here, what they are called before a visitor."""

from __future__ import annotations

import os
from pathlib import Path

from lens.scoring.catalog import Metric, Model
from lens.words import say

CONFIG = "config.json"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")


def is_path(name: str) -> bool:
    """Return whether a model is named by its folder, and not by a name that the Hub could have.

    The folder need not be there.
    """
    return os.path.isabs(name) or name.startswith(("~", ".")) or os.path.isdir(name)


def name_model(name: str) -> str:
    """Return a model's name for the page.

    Of a folder only its own: where it lies on the server concerns no visitor.
    """
    if not is_path(name):
        return name
    expanded = Path(os.path.expanduser(name))
    return (expanded.name.strip(".") and expanded.name) or expanded.resolve().name


def hide_path(metric: Metric, message: str) -> str:
    """Return a message in which the folder of a metric's model has only its own name."""
    name = metric.model.name() if metric.model else ""
    if not is_path(name):
        return message
    expanded = os.path.expanduser(name)
    # The longest first, for one may be the beginning of another; and never a lone ".", which is in
    # every sentence.
    spellings = {name, expanded, os.path.abspath(expanded), os.path.realpath(expanded)}
    for path in sorted(spellings, key=len, reverse=True):
        if path.strip("./"):
            message = message.replace(path, name_model(name))
    return message


def is_on_disk(name: str) -> bool:
    """Return whether a model needs no download.

    It is a folder, or all of it is in the cache of Hugging Face.
    """
    if is_path(name) or is_in_cache(name):
        return True
    # A name without an organisation is looked for under that of sentence-transformers too.
    return "/" not in name and is_in_cache(f"sentence-transformers/{name}")


def is_in_cache(name: str) -> bool:
    """Return whether the cache of Hugging Face holds a model with its weights.

    The weights come last and may be under way.
    """
    from huggingface_hub import try_to_load_from_cache

    files = set()
    for file in (CONFIG, *WEIGHTS):
        try:
            path = try_to_load_from_cache(name, file)
        except ValueError:  # not a name that the Hub could have
            return False
        if isinstance(path, str):
            files.add(file)
    return CONFIG in files and not files.isdisjoint(WEIGHTS)


def format_download_size(model: Model) -> str:
    """Return how large a download is, where that is known."""
    return say("card.download_size", size=model.size) if model.name() == model.default else ""
