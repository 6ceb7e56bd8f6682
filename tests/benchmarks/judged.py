"""Judges beside people: a sample of questions, what asking takes, and only then the asking."""

import argparse
import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.benchmarks import agreeing
from tests.benchmarks.figures import Measured
from tests.benchmarks.series import Series, load
from tests.benchmarks.verdicts import Verdicts
from tests.support.judges import JUDGES

SAMPLE = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what says which judges are measured, and how."""
    group = parser.add_argument_group(
        "judges", "measured on a sample, where a model is named; what it takes comes first"
    )
    group.add_argument("--provider", help="openai, deepseek, ..., or vllm, llamacpp, ollama")
    group.add_argument("--model", help="the judge's model, as its provider names it")
    group.add_argument("--base-url", help="the address of another server that speaks the OpenAI API")
    group.add_argument("--key-variable", metavar="NAME", help="the environment variable with the key (the provider's)")
    group.add_argument("--judges", nargs="+", choices=JUDGES, default=list(JUDGES), metavar="JUDGE", help="(both)")
    group.add_argument(
        "--sample", type=int, default=SAMPLE, metavar="N", help=f"questions, drawn with a seed ({SAMPLE})"
    )
    group.add_argument("--yes", action="store_true", help="ask without a question first")


def check(parser: argparse.ArgumentParser, found: argparse.Namespace) -> None:
    """End with a message where judges are asked for in part."""
    if found.model and not (found.provider or found.base_url):
        parser.error("--model: its --provider is missing, or a --base-url")
    if (found.provider or found.base_url) and not found.model:
        parser.error("--provider: its --model is missing; there is no default")
    if found.sample < 1:
        parser.error(f"--sample: {found.sample} questions; at least one is needed")
    if found.key_variable and not os.environ.get(found.key_variable, "").strip():
        parser.error(f"--key-variable: the environment variable {found.key_variable} is empty")


def sampled(verdicts: Verdicts, count: int) -> Verdicts:
    """Return the answers to so many questions, the same ones each time; to all where there are fewer."""
    order = np.random.RandomState(agreeing.SEED).permutation(len(verdicts.questions))
    return verdicts.of(sorted(int(at) for at in order[:count]))


def columns(verdicts: Verdicts) -> dict[str, list[Any]]:
    """Return what a judge is given: each answer with its question and all references, of which the best counts."""
    answers = verdicts.answers
    return {
        "questions": [verdicts.questions[answer.question] for answer in answers],
        "predictions": [answer.text for answer in answers],
        "references": [list(verdicts.references[answer.question]) for answer in answers],
    }


def settings(asked: argparse.Namespace) -> dict[str, Any]:
    """Return how the judges are asked."""
    key = os.environ[asked.key_variable].strip() if asked.key_variable else None
    given = {"provider": asked.provider, "model": asked.model, "base_url": asked.base_url, "api_key": key}
    return {name: value for name, value in given.items() if value}


def estimated(judge: str, given: Mapping[str, Any], answers: int) -> str:
    """Return what a judge would take, in words; nothing is sent."""
    found = load(judge).compute(**given, dry_run=True)
    cost = "at an unknown price" if found["Cost"] is None else f"for about ${found['Cost']:.4f}"
    tokens = found["tokens"]
    return (
        f"{judge}: {answers:,} answers take {found['calls']:,} calls, {found['cached_calls']:,} more are in the cache; "
        f"about {tokens['input']:,} tokens in and {tokens['output']:,} out, {cost}"
    )


def agreed(asked: argparse.Namespace) -> bool:
    """Return whether the judges may be asked: --yes, or a yes at the terminal."""
    if asked.yes:
        return True
    if not sys.stdin.isatty():
        return False
    return input("Ask? [y/N] ").strip().lower() in ("y", "yes")


def scored(judge: str, given: Mapping[str, Any], model: str) -> tuple[Series, Mapping[str, int]]:
    """Return a judge's scores, NaN where it gave none, and why it gave none."""
    result = load(judge).compute(**given, on_error="skip", per_example=True)
    values = [np.nan if row["score"] is None else float(row["score"]) for row in result["per_example"]]
    return Series(judge, judge, result["signature"], np.array(values), model), result["failures"]


def measured(asked: argparse.Namespace, verdicts: Verdicts) -> dict[str, Any]:
    """Return the figures of each judge by "judge provider/model"; raise ValueError without a yes."""
    part = sampled(verdicts, asked.sample)
    given = columns(part) | settings(asked)
    print(f"A sample of {len(part.questions):,} questions with {len(part.answers):,} answers.")
    for judge in asked.judges:
        print(estimated(judge, given, len(part.answers)), flush=True)
    if not agreed(asked):
        raise ValueError("nothing was asked; --yes (make agreement ... YES=1), or a yes at a terminal, asks the judges")
    return each(asked, part, given)


def each(asked: argparse.Namespace, part: Verdicts, given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the figures of each judge that could be asked; ValueError where none could."""
    model = f"{asked.provider}/{asked.model}" if asked.provider else str(asked.model)
    sample, found = Measured(part), {}
    for judge in asked.judges:
        try:
            series, failures = scored(judge, given, model)
        except RuntimeError as error:  # a judge that had to stop: the next one may do without what this one lacks
            print(f"{judge}: {error}", file=sys.stderr)
            continue
        about = {"questions": len(part.questions), "unscored": dict(failures)}
        found[f"{judge} {model}"] = sample.score(series)[0] | about
    if not found:
        raise ValueError("no judge could be measured")
    return found
