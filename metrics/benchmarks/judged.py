"""Measure judges against people's verdicts on a sample of questions, and estimate their costs.

What a run would take is printed first; judges are asked only with --yes. The costs of a thousand
answers are the judges' own estimates, which send nothing and need no key.
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
from metrics.benchmarks.series import Series, collect_columns
from tests.support.judges import JUDGES
from tests.support.project import load

# The setting with which each judge asks a decision model.
DECISIONS: dict[str, dict[str, Any]] = {
    "l3score": {"probability": "decision"},
    "eve_judge": {"reply": "decision"},
}
# The models whose costs are shown: a decision model, and a text model that gives log-probabilities
# and has one price all day.
DECISION_MODEL = "gpt-6-luna"
TEXT_MODEL = "deepseek-v4p1-flash"
MODELS = (DECISION_MODEL, TEXT_MODEL)
ROWS = 1000
SENTENCE = "Air molecules scatter short blue wavelengths of sunlight much more than long red ones."
LONG_TEXT = " ".join((f"{SENTENCE} " * 8).split()[:100])
SHORT_TEXT = (
    "Pride and Prejudice was written by Jane Austen, who published it in London in January 1813."
)
# The texts of the rows whose costs are shown: a short answer of about 15 words with a reference of
# two, and a long answer and reference of 100 words each.
TEXTS = {
    "short": {
        "questions": "Who wrote Pride and Prejudice?",
        "predictions": SHORT_TEXT,
        "references": "Jane Austen",
    },
    "long": {
        "questions": "Why is the sky blue?",
        "predictions": LONG_TEXT,
        "references": LONG_TEXT,
    },
}


def find_price_source() -> str:
    """Return the package that knows the prices, with its version; empty if it is not installed."""
    if importlib.util.find_spec("genai_prices") is None:
        return ""
    return f"genai-prices {version('genai-prices')}"


def choose_settings(judge: str, model: str) -> dict[str, Any]:
    """Return the settings with which a judge asks one of MODELS."""
    if model == DECISION_MODEL:
        return {"provider": "openai", "model": model, **DECISIONS[judge]}
    return {"provider": "fireworks", "model": f"accounts/fireworks/models/{model}"}


def estimate_prices() -> dict[str, Any]:
    """Return the dollars for ROWS answers by judge, model and length; None for an unknown price."""
    prices: dict[str, Any] = {"prices": find_price_source()}
    for judge in JUDGES:
        prices[judge] = {model: {} for model in MODELS}
    for judge, model, length in product(JUDGES, MODELS, TEXTS):
        columns = {name: [text] * ROWS for name, text in TEXTS[length].items()}
        # Tokens are counted by characters, so that all machines get the same figures. Without the
        # cache, equal prompts count each.
        with patch.dict(sys.modules, tiktoken=None):
            plan = load(judge).compute(
                **columns, **choose_settings(judge, model), dry_run=True, cache=False
            )
        prices[judge][model][length] = plan["Cost"]
    return prices


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which judges are measured, and how."""
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


def describe_cost(judge: str, arguments: Mapping[str, Any]) -> str:
    """Return the calls, tokens and cost that a judge would take, as a sentence; send nothing."""
    plan = load(judge).compute(**arguments, dry_run=True)
    cost = "at an unknown price" if plan["Cost"] is None else f"for about ${plan['Cost']:.4f}"
    tokens = plan["tokens"]
    return (
        f"{judge}: {len(arguments['predictions']):,} answers take {plan['calls']:,} calls, "
        f"{plan['cached_calls']:,} more are in the cache; "
        f"about {tokens['input']:,} tokens in and {tokens['output']:,} out, {cost}"
    )


def name_model(options: argparse.Namespace) -> str:
    """Return the model's name, with "(decision)" if it is asked for decisions."""
    return f"{options.model} (decision)" if options.decision else str(options.model)


def draw_sample(options: argparse.Namespace, verdicts: Verdicts) -> Verdicts:
    """Return the answers to some questions; the same questions are drawn each time."""
    order = np.random.RandomState(SEED).permutation(len(verdicts.questions))
    return verdicts.select_questions(sorted(order[: options.sample].tolist()))


def make_judge_arguments(
    options: argparse.Namespace, sample: Verdicts
) -> dict[str, dict[str, Any]]:
    """Return the arguments of `compute` for each judge, by its name."""
    key = os.environ[options.key_variable].strip() if options.key_variable else None
    settings = {
        "provider": options.provider,
        "model": options.model,
        "base_url": options.base_url,
        "api_key": key,
        "api": options.api,
    }
    arguments = {}
    for judge in options.judges:
        arguments[judge] = collect_columns(sample)
        arguments[judge] |= {name: value for name, value in settings.items() if value}
        if options.decision:
            arguments[judge] |= DECISIONS[judge]
    return arguments


def ask_judges(
    options: argparse.Namespace, sample: Verdicts
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each judge with its result, after printing what all of them would take.

    Raises:
        ValueError: --yes is missing.
    """
    arguments = make_judge_arguments(options, sample)
    print(f"A sample of {len(sample.questions):,} questions with {len(sample.answers):,} answers.")
    for judge in options.judges:
        print(describe_cost(judge, arguments[judge]), flush=True)
    if not options.yes:
        raise ValueError("nothing was asked; --yes (make agreement ... YES=1) asks the judges")
    for judge in options.judges:
        try:
            yield judge, load(judge).compute(**arguments[judge], on_error="skip", per_example=True)
        # The judge had to stop; the next one may need less, so it is still asked.
        except RuntimeError as error:
            print(f"{judge}: {error}", file=sys.stderr)


def measure_judges(options: argparse.Namespace, verdicts: Verdicts) -> dict[str, Any]:
    """Return the figures of each judge on a sample, by "judge provider/model".

    Raises:
        ValueError: --yes is missing, or no judge could be asked.
    """
    sample = draw_sample(options, verdicts)
    model = name_model(options)
    if options.provider:
        model = f"{options.provider}/{model}"
    data = DataSet(sample)
    figures = {}
    for judge, result in ask_judges(options, sample):
        scores = [row["score"] for row in result["per_example"]]
        values = np.array(scores, dtype=float)  # None becomes NaN
        series = Series(judge, judge, result["signature"], values, model)
        figures[f"{judge} {model}"] = data.measure_score(series) | {
            "questions": len(sample.questions),
            "unscored": dict(result["failures"]),
        }
    if not figures:
        raise ValueError("no judge could be measured")
    return figures
