"""Judges beside people: a sample of questions, what asking takes, and only then the asking."""

import argparse
import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics.training.verdicts import Verdicts
from tests.benchmarks import agreeing
from tests.benchmarks.figures import Measured
from tests.benchmarks.series import Series
from tests.support.judges import JUDGES
from tests.support.project import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says which judges are measured, and how."""
    group = parser.add_argument_group("judges, on a sample, where a model is named; what it takes is said first")
    group.add_argument("--provider", help="openai, deepseek, ..., or vllm, llamacpp, ollama")
    group.add_argument("--model", help="the judge's model, as its provider names it")
    group.add_argument("--base-url", help="the address of another server that speaks the OpenAI API")
    group.add_argument("--key-variable", metavar="NAME", help="the environment variable with the key (the provider's)")
    group.add_argument("--judges", nargs="+", choices=JUDGES, default=list(JUDGES), metavar="JUDGE", help="(both)")
    group.add_argument("--sample", type=int, default=100, metavar="N", help="questions, drawn with a seed (100)")
    group.add_argument("--yes", action="store_true", help="ask without a question first")


def check(parser: argparse.ArgumentParser, found: argparse.Namespace) -> None:
    """End with a message where judges are asked for in part."""
    if bool(found.model) != bool(found.provider or found.base_url):
        parser.error("--model and --provider (or --base-url): a judge is both")
    if found.sample < 1:
        parser.error(f"--sample: {found.sample} questions; at least one is needed")
    if found.key_variable and not os.environ.get(found.key_variable, "").strip():
        parser.error(f"--key-variable: the environment variable {found.key_variable} is empty")


def sampled(verdicts: Verdicts, count: int) -> Verdicts:
    """Return the answers to so many questions, the same ones each time; to all where there are fewer."""
    order = np.random.RandomState(agreeing.SEED).permutation(len(verdicts.questions))
    return verdicts.of(sorted(int(at) for at in order[:count]))


def given(asked: argparse.Namespace, verdicts: Verdicts) -> dict[str, Any]:
    """Return what the judges are given: each answer with its question and all references, of which the best counts."""
    key = os.environ[asked.key_variable].strip() if asked.key_variable else None
    settings = {"provider": asked.provider, "model": asked.model, "base_url": asked.base_url, "api_key": key}
    return {
        "questions": [verdicts.questions[answer.question] for answer in verdicts.answers],
        "predictions": [answer.text for answer in verdicts.answers],
        "references": [list(verdicts.references[answer.question]) for answer in verdicts.answers],
        **{name: value for name, value in settings.items() if value},
    }


def estimated(judge: str, columns: Mapping[str, Any]) -> str:
    """Return what a judge would take, in words; nothing is sent."""
    found = load(judge).compute(**columns, dry_run=True)
    cost = "at an unknown price" if found["Cost"] is None else f"for about ${found['Cost']:.4f}"
    tokens = found["tokens"]
    return (
        f"{judge}: {len(columns['predictions']):,} answers take {found['calls']:,} calls, {found['cached_calls']:,} "
        f"more are in the cache; about {tokens['input']:,} tokens in and {tokens['output']:,} out, {cost}"
    )


def agreed(asked: argparse.Namespace) -> bool:
    """Return whether the judges may be asked: --yes, or a yes at the terminal."""
    return asked.yes or (sys.stdin.isatty() and input("Ask? [y/N] ").strip().lower() in ("y", "yes"))


def measured(asked: argparse.Namespace, verdicts: Verdicts) -> dict[str, Any]:
    """Return the figures of each judge by "judge provider/model"; ValueError without a yes, or where none could be
    asked.
    """
    part = sampled(verdicts, asked.sample)
    columns, sample = given(asked, part), Measured(part)
    print(f"A sample of {len(part.questions):,} questions with {len(part.answers):,} answers.")
    for judge in asked.judges:
        print(estimated(judge, columns), flush=True)
    if not agreed(asked):
        raise ValueError("nothing was asked; --yes (make agreement ... YES=1), or a yes at a terminal, asks the judges")
    model = f"{asked.provider}/{asked.model}" if asked.provider else asked.model
    found = {}
    for judge in asked.judges:
        try:
            result = load(judge).compute(**columns, on_error="skip", per_example=True)
        except RuntimeError as error:  # a judge that had to stop: the next one may do without what this one lacks
            print(f"{judge}: {error}", file=sys.stderr)
            continue
        values = np.array([np.nan if row["score"] is None else float(row["score"]) for row in result["per_example"]])
        figures, _ = sample.score(Series(judge, judge, result["signature"], values, model))
        about = {"questions": len(part.questions), "unscored": dict(result["failures"])}
        found[f"{judge} {model}"] = figures | about
    if not found:
        raise ValueError("no judge could be measured")
    return found
