"""Models that compute scores: whether their files are on this machine, and how they are shown."""

from __future__ import annotations

import os
from pathlib import Path

from lens.scoring.catalog import Metric, Model
from lens.words import say

CONFIG = "config.json"
WEIGHTS = ("model.safetensors", "pytorch_model.bin")


def is_path(name: str) -> bool:
    """Return whether a model is named by the path of a folder, and not as on the Hub.

    An absolute path, and one that begins with "~" or ".", need not exist.
    """
    return os.path.isabs(name) or name.startswith(("~", ".")) or os.path.isdir(name)


def name_model(name: str) -> str:
    """Return a model's name for the page: for a folder, only the folder's own name.

    Visitors should not see paths of the server.
    """
    if not is_path(name):
        return name
    expanded = Path(os.path.expanduser(name))
    if expanded.name.strip("."):
        return expanded.name
    # The name of a folder like ".." is that of the folder that it leads to.
    return expanded.resolve().name


def hide_path(metric: Metric, message: str) -> str:
    """Replace the path of a metric's model in a message by the folder's own name."""
    if not metric.model:
        return message
    name = metric.model.name()
    if not is_path(name):
        return message
    folder = name_model(name)
    expanded = os.path.expanduser(name)
    # The longest path comes first, because one may be the beginning of another. A path of only "."
    # is skipped, because every sentence contains it.
    spellings = {name, expanded, os.path.abspath(expanded), os.path.realpath(expanded)}
    for path in sorted(spellings, key=len, reverse=True):
        if path.strip("./"):
            message = message.replace(path, folder)
    return message


def is_on_disk(name: str) -> bool:
    """Return whether a model needs no download.

    It is named by a path, or is in the cache of Hugging Face. A path counts even if nothing is
    there, because it is never downloaded.
    """
    if is_path(name) or is_in_cache(name):
        return True
    # A name without an organisation may also be one of sentence-transformers.
    return "/" not in name and is_in_cache(f"sentence-transformers/{name}")


def is_in_cache(name: str) -> bool:
    """Return whether the cache of Hugging Face has the configuration and the weights of a model.

    Weights are downloaded last: after an interrupted download, only other files are there.
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
    """Return the size of a model's download as a text.

    It is empty for a model that the user chose, whose size is unknown.
    """
    if model.name() != model.default:
        return ""
    return say("card.download_size", size=model.size)
