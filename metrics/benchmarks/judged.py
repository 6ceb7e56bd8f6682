"""What judges cost, and judges beside people: a sample of questions, what asking takes, with --yes
the asking.

What a thousand answers cost is the judges' own estimate, which sends nothing and needs no key.
"""

import argparse
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np

from metrics.training.verdicts import Verdicts
from metrics.benchmarks.figures import SEED, DataSet
from metrics.benchmarks.series import Series, make_columns
from tests.support.judges import JUDGES
from tests.support.project import load

# What asks a decision model, by the judge.
DECISIONS: dict[str, dict[str, Any]] = {
    "l3score": {"probability": "decision"},
    "eve_judge": {"reply": "decision"},
}
# Of whom the price is told: a decision model, and a model of text that gives log-probabilities, at
# one price all day.
DECIDER, WRITER = "gpt-6-luna", "deepseek-v4p1-flash"
MODELS = (DECIDER, WRITER)
ROWS = 1000
SENTENCE = "Air molecules scatter short blue wavelengths of sunlight much more than long red ones."
LONG = " ".join((f"{SENTENCE} " * 8).split()[:100])
# Question, answer and reference: about 15 words beside a reference of two, and 100 words beside
# 100.
AUSTEN = (
    "Pride and Prejudice was written by Jane Austen, who published it in London in January 1813."
)
TEXTS = {
    "short": {
        "questions": "Who wrote Pride and Prejudice?",
        "predictions": AUSTEN,
        "references": "Jane Austen",
    },
    "long": {"questions": "Why is the sky blue?", "predictions": LONG, "references": LONG},
}


def find_price_source() -> str:
    """Return the package that knows the prices with its version.

    It is empty where it is not installed.
    """
    return (
        f"genai-prices {version('genai-prices')}"
        if importlib.util.find_spec("genai_prices")
        else ""
    )


def choose_settings(judge: str, model: str) -> dict[str, Any]:
    """Return how a judge asks one of MODELS."""
    if model == DECIDER:
        return {"provider": "openai", "model": model, **DECISIONS[judge]}
    return {"provider": "fireworks", "model": f"accounts/fireworks/models/{model}"}


def estimate_prices() -> dict[str, Any]:
    """Return the dollars for ROWS answers by judge, model and length, None where a price is
    unknown.
    """
    found: dict[str, Any] = {"prices": find_price_source()} | {
        judge: {model: {} for model in MODELS} for judge in JUDGES
    }
    for judge, model, kind in product(JUDGES, MODELS, TEXTS):
        given = {name: [text] * ROWS for name, text in TEXTS[kind].items()}
        with patch.dict(
            sys.modules, tiktoken=None
        ):  # by characters on every machine; a cache would ask equal ones once
            plan = load(judge).compute(
                **given, **choose_settings(judge, model), dry_run=True, cache=False
            )
        found[judge][model][kind] = plan["Cost"]
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says which judges are measured, and how."""
    group = parser.add_argument_group(
        "judges, on a sample, where a model is named; what it takes is said first"
    )
    group.add_argument("--provider", help="openai, deepseek, ..., or vllm, llamacpp, ollama")
    group.add_argument("--model", help="the judge's model, as its provider names it")
    group.add_argument(
        "--base-url", help="the address of another server that speaks the OpenAI API"
    )
    group.add_argument(
        "--key-variable",
        metavar="NAME",
        help="the environment variable with the key (the provider's)",
    )
    group.add_argument(
        "--decision", action="store_true", help="the model answers with a probability and no text"
    )
    group.add_argument(
        "--api",
        choices=["decisions", "systemone"],
        help="with --decision, the format of the server",
    )
    group.add_argument(
        "--judges",
        nargs="+",
        choices=JUDGES,
        default=list(JUDGES),
        metavar="JUDGE",
        help="(both)",
    )
    group.add_argument(
        "--sample",
        type=int,
        default=100,
        metavar="N",
        help="questions, drawn with a seed (100)",
    )
    group.add_argument(
        "--yes", action="store_true", help="ask; without it, what asking takes is said and no more"
    )


def describe_cost(judge: str, given: Mapping[str, Any]) -> str:
    """Return what a judge would take, in words; nothing is sent."""
    found = load(judge).compute(**given, dry_run=True)
    cost = "at an unknown price" if found["Cost"] is None else f"for about ${found['Cost']:.4f}"
    tokens = found["tokens"]
    return (
        f"{judge}: {len(given['predictions']):,} answers take {found['calls']:,} calls, "
        f"{found['cached_calls']:,} "
        f"more are in the cache; about {tokens['input']:,} tokens in and {tokens['output']:,} "
        f"out, {cost}"
    )


def name_model(asked: argparse.Namespace) -> str:
    """Return the model's name, with the word decision where it is asked for one."""
    return f"{asked.model} (decision)" if asked.decision else str(asked.model)


def draw_sample(asked: argparse.Namespace, verdicts: Verdicts) -> Verdicts:
    """Return the answers to some questions, the same ones each time."""
    order = np.random.RandomState(SEED).permutation(len(verdicts.questions))
    return verdicts.select_questions(sorted(order[: asked.sample].tolist()))


def ask_judges(asked: argparse.Namespace, part: Verdicts) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each judge with its result.

    What it takes is said first, and ValueError raised without a yes.
    """
    key = os.environ[asked.key_variable].strip() if asked.key_variable else None
    settings = {
        "provider": asked.provider,
        "model": asked.model,
        "base_url": asked.base_url,
        "api_key": key,
    }
    common = make_columns(part) | {
        name: value for name, value in (settings | {"api": asked.api}).items() if value
    }
    given = {judge: common | (DECISIONS[judge] if asked.decision else {}) for judge in asked.judges}
    print(f"A sample of {len(part.questions):,} questions with {len(part.answers):,} answers.")
    for judge in asked.judges:
        print(describe_cost(judge, given[judge]), flush=True)
    if not asked.yes:
        raise ValueError("nothing was asked; --yes (make agreement ... YES=1) asks the judges")
    for judge in asked.judges:
        try:
            yield judge, load(judge).compute(**given[judge], on_error="skip", per_example=True)
        except (
            RuntimeError
        ) as error:  # a judge that had to stop: the next one may do without what this one lacks
            print(f"{judge}: {error}", file=sys.stderr)


def measure_judges(asked: argparse.Namespace, verdicts: Verdicts) -> dict[str, Any]:
    """Return the figures of each judge by "judge provider/model", on the answers to some questions.

    Raise ValueError without a yes, or where none could be asked.
    """
    part = draw_sample(asked, verdicts)
    model = f"{asked.provider}/{name_model(asked)}" if asked.provider else name_model(asked)
    of_part, found = DataSet(part), {}
    for judge, result in ask_judges(asked, part):
        values = np.array(
            [
                np.nan if row["score"] is None else float(row["score"])
                for row in result["per_example"]
            ]
        )
        about = {"questions": len(part.questions), "unscored": dict(result["failures"])}
        found[f"{judge} {model}"] = (
            of_part.measure_score(Series(judge, judge, result["signature"], values, model)) | about
        )
    if not found:
        raise ValueError("no judge could be measured")
    return found
