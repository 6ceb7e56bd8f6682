"""Reward accuracy: the share of pairs whose chosen text is likelier than the rejected one.

reward(text) = log P(text | prompt): the sum of the log-probabilities that the model gives each
token of the text after the prompt and the tokens before it. accuracy = mean(reward(chosen) >
reward(rejected)).

Source: the dataset card of iknow-lab/JudgeBias-DPO-RefFree-testset ("Reward Accuracy
(Log-Probability)"), which has these two formulas and no code. The reward relative to a reference
model, beta * (log P - log P_reference), is that of Rafailov et al. 2023, "Direct Preference
Optimization", NeurIPS, arXiv:2305.18290.

Prompt and text are tokenized separately, and the text's tokens follow the prompt's. So both texts
of a pair follow the same tokens: those from which the model would write a text. A tokenizer might
otherwise merge the end of the prompt with the beginning of a text. Special tokens at the beginning,
and a space that some tokenizers add there, stand before the prompt only.

The card leaves some points open; here they are decided so. A tie is no win, and ties are counted.
No end-of-text token is added, though trainers of DPO add one. An empty text has the log-probability
0, that of a certain event.

This file may be copied alone: `score` needs only Python; `log_prob` needs torch and transformers.

From Answer Lens 0.1.0 (metrics/reward_accuracy), Apache-2.0. To cite it: CITATION.cff there, and
the sources above.
"""

import math
import re
from functools import lru_cache
from numbers import Real
from statistics import fmean
from types import SimpleNamespace
from typing import Any, NamedTuple

try:
    from .judge_model import compute_log_probs, load_judge
except ImportError:
    # If this file was copied alone: models are loaded without checks, and texts run one by one.
    @lru_cache(maxsize=2)
    def load_judge(model: Any, device: Any = None) -> Any:  # type: ignore[misc]
        """Return a model on the GPU if there is one, else on the CPU."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        network = AutoModelForCausalLM.from_pretrained(
            model, dtype="float32", trust_remote_code=False
        )
        tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
        return SimpleNamespace(
            model=network.to(device).eval(),
            tokenizer=tokenizer,
            name=str(model),
            device=device,
        )

    def compute_log_probs(judge: Any, texts: list[Any], *batching: Any) -> list[float]:  # type: ignore[misc]
        """Return log P(tokens | context) of each text."""
        import torch

        values = []
        for context, tokens, *_ in texts:
            with torch.inference_mode():
                logits = judge.model(
                    torch.tensor([[*context, *tokens]], device=judge.device)
                ).logits[0]
            steps = logits[len(context) - 1 : -1].log_softmax(-1).cpu().double()
            values.append(
                sum(step[token].item() for step, token in zip(steps, tokens, strict=True))
            )
        return values


# The values that each setting may have.
KNOWN_VALUES = {
    "configuration": ("default", "model", "logprobs"),
    "normalize": ("sum", "mean"),
    "truncate": (None, "left"),
    "dtype": ("float32", "float64", "bfloat16", "float16", "auto"),
}
# The settings with which a tokenizer adds a space before a text (Llama 2, Mistral), and the same
# settings without it.
OWN_SPACE = {
    r'"prepend_scheme":"\w+"': '"prepend_scheme":"never"',
    r'"add_prefix_space":true': '"add_prefix_space":false',
    r'\{"type":"Prepend","prepend":"[^"]*"\}': '{"type":"Sequence","normalizers":[]}',
}
# The interval of a share: Clopper and Pearson 1934, "The use of confidence or fiducial limits
# illustrated in the case of the binomial". At least 95% of such intervals contain the true share,
# for any number of pairs.
INTERVAL = "95%-clopper-pearson"
TAIL = 0.025
# A tokenizer without a limit reports a larger number than this.
UNBOUNDED = 1_000_000
# Halvings after which the end of an interval is exact to the last digit of a float.
HALVINGS = 60
# The reward of a text and its parts, by their names in `per_example`.
Side = dict[str, Any]


def score(chosen: float, rejected: float) -> float:
    """Return 1 if the chosen text has the higher reward, else 0: a tie is no win.

    Raises:
        TypeError: one of the two is no number.
        ValueError: one of the two is not finite.

    Source: the dataset card of iknow-lab/JudgeBias-DPO-RefFree-testset.

    >>> score(-12.5, -14.0), score(-14.0, -12.5), score(-12.5, -12.5)
    (1.0, 0.0, 0.0)

    """
    for name, value in (("chosen", chosen), ("rejected", rejected)):
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(
                f"{name} is {value!r:.80} ({type(value).__name__}); a number is expected"
            )
        if not -math.inf < value < math.inf:
            raise ValueError(f"{name} is {value}; a finite number is expected")
    return float(chosen > rejected)


def compute_interval(wins: int, n: int) -> list[float]:
    """Return the 95% interval of a share by Clopper and Pearson 1934.

    >>> [round(end, 4) for end in compute_interval(8, 10)]
    [0.4439, 0.9748]
    >>> [round(end, 4) for end in compute_interval(5, 5)]
    [0.4782, 1.0]
    """
    lowest = find_lowest_share(wins, n)
    highest = 1 - find_lowest_share(n - wins, n)
    return [lowest, highest]


@lru_cache(maxsize=1024)
def find_lowest_share(wins: int, n: int) -> float:
    """Return the share of wins with which this many wins or more have a chance of 2.5%.

    It is 0 if there is no win.
    """
    if not wins:
        return 0.0
    low, high = 0.0, wins / n
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if compute_chance(wins, n, middle) < TAIL:
            low = middle
        else:
            high = middle
    return low


def compute_chance(wins: int, n: int, share: float) -> float:
    """Return the probability of this many wins or more in n pairs.

    Args:
        wins: the number of wins.
        n: the number of pairs.
        share: the true share of wins, at most wins / n.

    >>> round(compute_chance(2, 3, 0.5), 12)
    0.5
    """
    ways = math.lgamma(n + 1) - math.lgamma(wins + 1) - math.lgamma(n - wins + 1)
    term = math.exp(ways + wins * math.log(share) + (n - wins) * math.log1p(-share))
    odds = share / (1 - share)
    chance = 0.0
    count = wins
    # Above the mean each term is smaller than the one before. The sum ends when a term no longer
    # changes it.
    while chance + term > chance:
        chance += term
        term *= (n - count) / (count + 1) * odds
        count += 1
    return chance


def summarize_pairs(pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Return the accuracy with its interval, the mean margin and the ties of pairs of rewards.

    Args:
        pairs: the rewards of the chosen and of the rejected text of each pair.
    """
    wins = [score(chosen, rejected) for chosen, rejected in pairs]
    return {
        "reward_accuracy": fmean(wins),
        "interval": compute_interval(int(sum(wins)), len(pairs)),
        "mean_margin": fmean(chosen - rejected for chosen, rejected in pairs),
        "ties": sum(chosen == rejected for chosen, rejected in pairs),
        "n": len(pairs),
    }


def summarize_groups(pairs: list[tuple[float, float]], groups: list[str]) -> dict[str, Any]:
    """Return the summary of all pairs; with named groups also that of each group.

    Groups are in the order of their first rows.
    """
    summary = summarize_pairs(pairs)
    if not any(groups):
        return summary
    members: dict[str, list[tuple[float, float]]] = {}
    for pair, group in zip(pairs, groups, strict=True):
        members.setdefault(group, []).append(pair)
    summary["by_group"] = [
        {"group": group or None, **summarize_pairs(group_pairs)}
        for group, group_pairs in members.items()
    ]
    return summary


class Text(NamedTuple):
    """A text as tokens.

    Attributes:
        context: the tokens before the text.
        tokens: the tokens of the text.
        place: the name of the text in messages.
        truncated: whether the prompt lost its beginning.
    """

    context: tuple[int, ...]
    tokens: tuple[int, ...]
    place: str
    truncated: bool = False


def prepare_texts(
    judge: Any,
    prompts: list[str],
    sides: dict[str, list[str]],
    chat_template: bool = False,
    truncate: Any = None,
) -> list[Text]:
    """Return the texts of each side as tokens, one side after the other.

    Args:
        judge: the model.
        prompts: the prompts.
        sides: the texts of each side, one for each prompt, by the name of the side.
        chat_template: whether to put each prompt into the model's chat template.
        truncate: "left" removes the beginning of a prompt that is too long.
    """
    prompts = [replace_surrogates(prompt) for prompt in prompts]
    contexts = tokenize_prompts(judge, prompts, chat_template)
    prepared = []
    for name, column in sides.items():
        texts = [replace_surrogates(text) for text in column]
        tokens = tokenize_following(judge.tokenizer, texts)
        for i, prompt in enumerate(prompts):
            ids = tokens[i]
            if not (prompt or chat_template):
                # Nothing stands before the text, so the tokenizer may add its space.
                ids = judge.tokenizer(texts[i], add_special_tokens=False, verbose=False).input_ids
            text = Text(contexts[i], tuple(ids), f"{name}[{i}]")
            prepared.append(fit_text(judge, text, truncate))
    return prepared


def replace_surrogates(text: str) -> str:
    """Return a text with surrogate pairs joined, and lone surrogates replaced by U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def tokenize_prompts(judge: Any, prompts: list[str], chat_template: bool) -> list[tuple[int, ...]]:
    """Return the tokens of each prompt, with special tokens before it but none after it.

    Raises:
        ValueError: a prompt has no token, and the model has no token for the beginning of a text.
    """
    tokenizer = judge.tokenizer
    written = prompts
    if chat_template:
        written = [render_chat(tokenizer, prompt) for prompt in prompts]
    encoded = tokenizer(
        written,
        add_special_tokens=not chat_template,
        return_special_tokens_mask=True,
        verbose=False,
    )
    contexts = []
    for row, (ids, is_mark) in enumerate(
        zip(encoded["input_ids"], encoded["special_tokens_mask"], strict=True)
    ):
        if 0 in is_mark:
            # The special tokens after the prompt are cut off.
            n_marks_behind = is_mark[::-1].index(0)
            context = tuple(ids[: len(ids) - n_marks_behind])
        else:
            context = find_beginning(tokenizer)
        if not context:
            problem = (
                f"prompts[{row}] is {prompts[row]!r:.80}, of which {judge.name} makes no token"
            )
            raise ValueError(
                f"{problem}, and it has no mark for the beginning of a text that the texts could "
                "follow"
            )
        contexts.append(context)
    return contexts


def find_beginning(tokenizer: Any) -> tuple[int, ...]:
    """Return the tokens before a text without a prompt.

    That is the token for the beginning of a text or, as in GPT-2, the one between texts.
    """
    for mark in (tokenizer.bos_token_id, tokenizer.eos_token_id):
        if mark is not None:
            return (mark,)
    return ()


def render_chat(tokenizer: Any, prompt: str) -> str:
    """Return a prompt as the user's turn of a chat, up to the beginning of the model's turn."""
    turn = [{"role": "user", "content": prompt}]
    return str(tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True))


def tokenize_following(tokenizer: Any, texts: list[str]) -> list[list[int]]:
    """Return the tokens of texts that follow a prompt: without special tokens and added spaces."""
    if not tokenizer.is_fast:
        return list(tokenizer(texts, add_special_tokens=False, verbose=False).input_ids)
    encoded = remove_own_space(tokenizer).encode_batch(texts, add_special_tokens=False)
    return [text.ids for text in encoded]


@lru_cache(maxsize=2)
def remove_own_space(tokenizer: Any) -> Any:
    """Return a copy of a tokenizer that adds no space before a text.

    The copy is one of the package tokenizers, as is the inner part of a tokenizer of transformers.
    """
    backend = tokenizer.backend_tokenizer
    settings = backend.to_str()
    for pattern, replacement in OWN_SPACE.items():
        settings = re.sub(pattern, replacement, settings)
    changed = type(backend).from_str(settings)
    changed.no_truncation()
    changed.no_padding()
    return changed


def find_max_length(judge: Any) -> int | None:
    """Return how many tokens a model takes, or None if there is no limit.

    Its configuration counts, or else its tokenizer.
    """
    config = judge.model.config.get_text_config(decoder=True)
    limit = getattr(config, "max_position_embeddings", None) or judge.tokenizer.model_max_length
    # A tokenizer without a limit reports 10**30.
    return limit if limit < UNBOUNDED else None


def fit_text(judge: Any, text: Text, truncate: str | None) -> Text:
    """Return a text that the model can take, on request with a shorter prompt.

    Raises:
        ValueError: the text is too long.
    """
    limit = find_max_length(judge)
    n_own = len(text.tokens)
    length = len(text.context) + n_own
    if limit is None or length <= limit:
        return text
    if n_own >= limit or truncate is None:
        remedy = ""
        if n_own < limit:
            remedy = ", or pass truncate='left' to leave out the beginning of the prompt"
        problem = (
            f"{text.place} has {length} tokens with its prompt, and {judge.name} takes {limit}"
        )
        raise ValueError(f"{problem}: shorten it{remedy}")
    # The token for the beginning stays: without it many models give very different scores.
    has_mark = text.context[0] == judge.tokenizer.bos_token_id
    front = text.context[:1] if has_mark else ()
    first = length - limit + len(front)
    return text._replace(context=front + text.context[first:], truncated=True)


def compute_rewards(
    judge: Any, texts: list[Text], normalize: str = "sum", *batching: Any
) -> list[Side]:
    """Return the reward of each text by a judge, with its parts.

    Raises:
        ValueError: the log-probability of a text is no finite number.
    """
    sides = []
    for text, value in zip(texts, compute_log_probs(judge, texts, *batching), strict=True):
        if not math.isfinite(value):
            problem = f"{judge.name} gives {text.place} the log-probability {value}"
            raise ValueError(f"{problem}; dtype='float32' or 'float64' bears more than 16 bits do")
        reward = value
        if normalize == "mean":
            reward = value / max(len(text.tokens), 1)
        side = {
            "reward": reward,
            "log_prob": value,
            "reference_log_prob": None,
            "tokens": len(text.tokens),
            "prompt_tokens": len(text.context),
            "truncated": text.truncated,
        }
        sides.append(side)
    return sides


def subtract_reference(side: Side, reference: Side, beta: float) -> Side:
    """Return a text with its reward relative to a reference model (Rafailov et al. 2023)."""
    return side | {
        "reward": beta * (side["reward"] - reference["reward"]),
        "reference_log_prob": reference["log_prob"],
        "truncated": side["truncated"] or reference["truncated"],
    }


def check_settings(**settings: Any) -> None:
    """Raise ValueError if a setting has none of its known values."""
    for name, value in settings.items():
        if value not in KNOWN_VALUES[name]:
            known = ", ".join(map(repr, KNOWN_VALUES[name]))
            raise ValueError(f"{name} is {value!r:.80}; one of {known} is expected")


def log_prob(  # noqa: PLR0913
    prompt: str,
    text: str,
    model: str,
    normalize: str = "sum",
    chat_template: bool = False,
    device: str | None = None,
    truncate: str | None = None,
) -> float:
    """Return log P(text | prompt), in nats, at most 0.

    Args:
        prompt: the text before `text`.
        text: the text.
        model: a causal language model of transformers, by its name on the Hub or the path of its
            folder.
        normalize: "sum" for the sum over the text's tokens, "mean" for their mean.
        chat_template: whether to put the prompt into the model's chat template, as the user's turn.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is available.
        truncate: "left" removes the beginning of a prompt that is too long for the model.

    Raises:
        ImportError: torch or transformers is not installed.
        OSError: the model cannot be loaded.
        TypeError: a text is no string.
        ValueError: the text is too long for the model, or a setting has an unknown value.
    """
    for name, value in (("prompt", prompt), ("text", text)):
        if not isinstance(value, str):
            raise TypeError(
                f"{name} is {value!r:.80} ({type(value).__name__}); a string is expected"
            )
    check_settings(normalize=normalize, truncate=truncate)
    judge = load_judge(model, device)
    texts = prepare_texts(judge, [prompt], {"text": [text]}, chat_template, truncate)
    (side,) = compute_rewards(judge, texts, normalize)
    return float(side["reward"])


def explain(chosen: Side, rejected: Side, group: str = "") -> dict[str, Any]:
    """Return the entry of `per_example` for one pair.

    Args:
        chosen: the `reward` of the chosen text, and its parts if they are known.
        rejected: the same of the rejected text.
        group: the group of the pair.
    """
    sides = {"chosen": chosen, "rejected": rejected}
    margin = chosen["reward"] - rejected["reward"]
    notes = []
    empty = [name for name, side in sides.items() if side.get("tokens") == 0]
    if empty:
        notes.append(
            f"no token in {' and '.join(empty)}: log-probability 0, that of a certain event"
        )
    if margin == 0:
        notes.append("equal rewards: no win")
    entry = {
        "score": score(chosen["reward"], rejected["reward"]),
        "chosen": chosen["reward"],
        "rejected": rejected["reward"],
        "margin": margin,
        "tie": margin == 0,
        "group": group or None,
        "note": "; ".join(notes) or None,
    }
    for name, side in sides.items():
        for key, value in side.items():
            if key != "reward":
                entry[f"{name}_{key}"] = value
    return entry
