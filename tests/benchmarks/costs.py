"""What a thousand answers cost when a judge is asked: its own estimate, which sends nothing and needs no key."""

import importlib.util
import sys
from importlib.metadata import version
from typing import Any
from unittest.mock import patch

from tests.support.judges import JUDGES
from tests.support.project import load

MODELS = ("gpt-4o-mini", "gpt-4.1")
ROWS = 1000
SENTENCE = "Air molecules scatter short blue wavelengths of sunlight much more than long red ones."
LONG = " ".join((f"{SENTENCE} " * 8).split()[:100])
# Question, answer and reference: about 15 words beside a reference of two, and 100 words beside 100.
AUSTEN = "Pride and Prejudice was written by Jane Austen, who published it in London in January 1813."
TEXTS = {
    "short": ("Who wrote Pride and Prejudice?", AUSTEN, "Jane Austen"),
    "long": ("Why is the sky blue?", LONG, LONG),
}


def priced_by() -> str:
    """Return the package that knows the prices with its version; empty where it is not installed."""
    return f"genai-prices {version('genai-prices')}" if importlib.util.find_spec("genai_prices") else ""


def estimates() -> dict[str, Any]:
    """Return the dollars for ROWS answers by judge, model and length, None where a price is unknown."""
    found: dict[str, Any] = {"prices": priced_by()}
    for judge in JUDGES:
        metric = load(judge)
        found[judge] = {model: {kind: dollars(metric, model, row) for kind, row in TEXTS.items()} for model in MODELS}
    return found


def dollars(metric: Any, model: str, row: tuple[str, str, str]) -> float | None:
    """Return what ROWS such rows cost, by characters on every machine; a cache would ask equal ones once."""
    columns = dict(zip(("questions", "predictions", "references"), ([text] * ROWS for text in row), strict=True))
    with patch.dict(sys.modules, tiktoken=None):
        plan = metric.compute(**columns, provider="openai", model=model, dry_run=True, cache=False)
    return plan["Cost"]
