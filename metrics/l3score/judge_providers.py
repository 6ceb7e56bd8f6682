# A copy of metrics/shared/judge_providers.py: change that one, then run `make copies`.
"""The providers of judges: their addresses, and the differences of their APIs."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Provider(NamedTuple):
    """A provider of judges.

    Args:
        base_url: its address.
        key_variable: the environment variable of its key; empty for a server of the user's own.
        output: the structured output that it offers: "json_schema", "json_object", or "text" for
            none.
        max_tokens_name: its name of the parameter for the most tokens of a reply.
        chat: whether it has OpenAI's chat completions.
        logprobs: whether its chat completions have log-probabilities.
        batches: whether it takes batches; judge_services.py has their APIs.
        decisions: the format of its decisions, "decisions" or "systemone"; empty if it has none.
        body: parameters that each chat request has, unless `extra_body` changes them.
    """

    base_url: str
    key_variable: str = ""
    output: str = "json_schema"
    max_tokens_name: str = "max_tokens"
    chat: bool = True
    logprobs: bool = True
    batches: bool = False
    decisions: str = ""
    body: Mapping[str, Any] = {}


# DeepSeek thinks by default, so that the first token of a reply is not that of the answer.
NO_THINKING = {"thinking": {"type": "disabled"}}
# The keys are the providers' names in genai-prices. Anthropic ignores logprobs and response_format.
PROVIDERS = {
    "openai": Provider(
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        max_tokens_name="max_completion_tokens",
        batches=True,
        decisions="decisions",
    ),
    "deepseek": Provider(
        "https://api.deepseek.com", "DEEPSEEK_API_KEY", "json_object", body=NO_THINKING
    ),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY"),
    "anthropic": Provider(
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
        "text",
        logprobs=False,
        batches=True,
    ),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY", batches=True),
    "openrouter": Provider(
        "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", decisions="systemone"
    ),
    "together": Provider("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "fireworks": Provider(
        "https://api.fireworks.ai/inference/v1",
        "FIREWORKS_API_KEY",
        decisions="decisions",
    ),
    "typesafe": Provider(
        "https://api.typesafe.ai/v1",
        "TYPESAFE_API_KEY",
        chat=False,
        decisions="systemone",
    ),
    "vllm": Provider("http://127.0.0.1:8000/v1", decisions="systemone"),
    "llamacpp": Provider("http://127.0.0.1:8080/v1", decisions="systemone"),
    "ollama": Provider("http://127.0.0.1:11434/v1", decisions="systemone"),
}
