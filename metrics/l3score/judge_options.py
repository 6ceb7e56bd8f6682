# A copy of metrics/shared/judge_options.py: change that one, then run `make copies`.
"""The options of a judge: their text for `help`, and the signature of `_compute` with them."""

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

from .judge import Judge
from .judge_providers import PROVIDERS

# The options of `compute` that a metric passes on to its judge.
OPTIONS = (
    "provider",
    "api_key",
    "base_url",
    "temperature",
    "max_concurrency",
    "timeout",
    "max_retries",
    "on_error",
    "cache",
    "retry_unusable",
    "progress",
    "extra_body",
    "batch",
    "api",
)
# Inputs checks the types of these options by their annotation; Judge checks all other options.
ANNOTATED_OPTIONS = {"provider", "retry_unusable", "progress"}
JUDGE_INPUTS = f"""\
    model (str): the judge's model, as its provider names it; there is no default.
    provider (str): {", ".join(PROVIDERS)}.
    api_key (str): None takes the provider's own environment variable, and sends it to the
        provider's own address only.
    base_url (str): the address of another server that speaks the OpenAI API.
    temperature (float): None sends none, and the server chooses. Local servers sample by default:
        give them 0.
    max_concurrency (int): how many requests may run at once.
    timeout (float): seconds to wait for the next byte. All tries of a request together take at
        most max_retries + 1 times as long.
    max_retries (int): how often a request is sent again after a passing failure.
    on_error ("raise", "skip"): "raise" raises an error after all rows are done if a row has no
        score; "skip" leaves such rows out.
    cache (bool or path): where replies are stored. True: in a file in the user's cache folder; a
        path: in this file; False: nowhere.
    retry_unusable (bool): True asks again if the cached reply has no verdict. The signature then
        says so.
    progress (bool): True shows a progress bar on the error stream.
    extra_body (dict): further parameters of each request. A parameter that is None is left out:
        {{"max_tokens": None}}.
    batch (bool or "later"): True sends batches at half the price (openai, anthropic, mistral), and
        waits up to a day. "later" does not wait: call again with it, or with True, for the results.
    api ("decisions", "systemone"): the server's format for decisions; None takes the provider's.
    dry_run (bool): True sends nothing and says how many calls, tokens and dollars a run would take.
    per_example (bool): True adds one dict per row with its score and the reasons for it.
"""
JUDGE_RESULT = """\
n_scored, n_failed, Cost (USD, None where the price is unknown), tokens (dict), calls (dict),
    failures (dict), notes (list of str), note_data (list of dict: the key and the values of each
    note), signature (str), per_example (list of dict, when asked for). With dry_run: calls,
    cached_calls, tokens, counted_by, Cost, with batch Cost_batch, first_prompt, notes, note_data,
    signature."""


def add_options(
    compute: Callable[..., dict[str, Any]],
) -> Callable[..., dict[str, Any]]:
    """Replace **settings in the signature of `_compute` by the options of a judge.

    `Inputs` reads the names and the types of the settings from this signature.
    """
    signature = inspect.signature(compute)
    fields = {field.name: field for field in dataclasses.fields(Judge)}
    parameters = []
    for parameter in signature.parameters.values():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            parameters.append(parameter)
    for name in OPTIONS:
        default = fields[name].default
        annotation = fields[name].type if name in ANNOTATED_OPTIONS else Any
        option = inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=annotation,
        )
        parameters.append(option)
    compute.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return compute
