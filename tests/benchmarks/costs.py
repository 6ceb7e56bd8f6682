"""What a thousand answers cost when a judge is asked: its own estimate, which sends nothing and needs no key."""

import importlib.util
import sys
from importlib.metadata import version
from typing import Any
from unittest.mock import patch

from tests.benchmarks.series import load
from tests.support.judges import JUDGES

PROVIDER, MODELS = "openai", ("gpt-4o-mini", "gpt-4.1")
ROWS = 1000
SENTENCE = "Air molecules scatter short blue wavelengths of sunlight much more than long red ones."
LONG = " ".join((f"{SENTENCE} " * 8).split()[:100])
# About 15 words beside a reference of two, and 100 words beside 100.
TEXTS = {
    "short": {
        "questions": "Who wrote Pride and Prejudice?",
        "predictions": "Pride and Prejudice was written by Jane Austen, who published it in London in January 1813.",
        "references": "Jane Austen",
    },
    "long": {"questions": "Why is the sky blue?", "predictions": LONG, "references": LONG},
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


def dollars(metric: Any, model: str, row: dict[str, str]) -> float | None:
    """Return what ROWS such rows cost, by characters on every machine; a cache would ask equal ones once."""
    columns = {name: [text] * ROWS for name, text in row.items()}
    with patch.dict(sys.modules, tiktoken=None):
        plan = metric.compute(**columns, provider=PROVIDER, model=model, dry_run=True, cache=False)
    cost: float | None = plan["Cost"]
    return cost
