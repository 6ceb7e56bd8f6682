"""Reward accuracy: the share of pairs in which a language model finds the chosen text likelier than the rejected one.

reward(text) = log P(text | prompt), the sum over the text's tokens of the log-probability that the model gives each
after the prompt and the tokens before it; accuracy = mean(reward(chosen) > reward(rejected)).

Source: the dataset card of iknow-lab/JudgeBias-DPO-RefFree-testset ("Reward Accuracy (Log-Probability)"), which has
these two formulas and no code. The reward relative to a reference model, beta * (log P - log P_reference), is that of
Rafailov et al. 2023, "Direct Preference Optimization", NeurIPS, arXiv:2305.18290.

Where the prompt ends and the text begins: each is turned into tokens by itself, and the text's tokens follow the
prompt's. So both texts of a pair follow the same tokens, those that the model is given when it is to write one, also
where a tokenizer would merge the end of the prompt with the beginning of a text. The marks that the tokenizer puts in
front of a text stand in front of the prompt, none stand between prompt and text or after it, and a tokenizer that
begins what it is given with a space of its own does so to the prompt alone.

What the card leaves open, and is decided here: a tie is no win, and ties are counted; no end-of-text token is added
(trainers of DPO add one); an empty text has the log-probability 0, that of a certain event.

This file may be copied alone: `score` needs nothing but Python, `log_prob` torch and transformers.
"""

import contextlib
import hashlib
import json
import math
from collections.abc import Callable
from functools import lru_cache, partial
from numbers import Real
from statistics import NormalDist, fmean
from types import SimpleNamespace
from typing import Any, NamedTuple

try:
    from .judge_model import judge_of, log_probs
    from .text_model import lock
except ImportError:  # this file alone: transformers' own ways and errors, and one text at a time
    lock = contextlib.nullcontext()  # type: ignore[assignment]

    @lru_cache(maxsize=2)
    def judge_of(model: Any, device: Any = None, dtype: str = "float32", argument: str = "model") -> Any:
        """Load a model to where it computes fastest."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        network = AutoModelForCausalLM.from_pretrained(model, dtype=dtype, trust_remote_code=False).eval()
        limit = getattr(network.config.get_text_config(decoder=True), "max_position_embeddings", None)
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
        parts = {"model": network.to(device), "tokenizer": tokenizer, "name": str(model), "max_length": limit}
        return SimpleNamespace(**parts, device=device)

    def log_probs(  # type: ignore[misc]
        judge: Any, texts: list[Any], batch_size: int = 16, progress: bool = False
    ) -> list[float]:
        """Return log P(tokens | context) of each text."""
        import torch

        found = []
        for context, tokens, _ in texts:
            with torch.inference_mode():
                logits = judge.model(torch.tensor([[*context, *tokens]], device=judge.device)).logits[0]
            steps = logits[len(context) - 1 : -1].log_softmax(-1).cpu().double()
            found.append(sum(step[token].item() for step, token in zip(steps, tokens, strict=True)))
        return found


NORMALIZE = ("sum", "mean")
# Wilson 1927, at 95%.
Z = NormalDist().inv_cdf(0.975)


def score(chosen: float, rejected: float) -> float:
    """Return 1 where the judge prefers the chosen text, by rewards or log-probabilities, and 0 where it does not or
    where both are equal.

    Raises:
        TypeError: one of the two is no number.
        ValueError: one of the two is not finite.

    Source: the dataset card of iknow-lab/JudgeBias-DPO-RefFree-testset.

    >>> score(-12.5, -14.0), score(-14.0, -12.5), score(-12.5, -12.5)
    (1.0, 0.0, 0.0)

    """
    for name, value in (("chosen", chosen), ("rejected", rejected)):
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{name} is {value!r:.80} ({type(value).__name__}); a number is expected")
        if not -math.inf < value < math.inf:
            raise ValueError(f"{name} is {value}; a finite number is expected")
    return float(chosen > rejected)


def wilson(wins: int, n: int) -> list[float]:
    """Return the 95% interval of a share by Wilson 1927, which holds for few pairs and at the ends of the scale too.

    >>> [round(end, 4) for end in wilson(8, 10)], [round(end, 4) for end in wilson(5, 5)]
    ([0.4902, 0.9433], [0.5655, 1.0])
    """
    middle, square = wins + Z**2 / 2, Z**2 / 4
    half = Z * math.sqrt(wins * (n - wins) / n + square)
    return [max(0.0, (middle - half) / (n + Z**2)), min(1.0, (middle + half) / (n + Z**2))]


def summary(pairs: list[tuple[float, float]]) -> dict[str, Any]:
    """Return accuracy with its interval, mean margin and ties of pairs of a chosen and a rejected reward.

    >>> summary([(-1.0, -2.0), (-3.0, -2.5), (-2.0, -2.0), (-4.0, -4.5)])["reward_accuracy"]
    0.5
    """
    wins = [score(chosen, rejected) for chosen, rejected in pairs]
    return {
        "reward_accuracy": fmean(wins),
        "interval": wilson(int(sum(wins)), len(pairs)),
        "mean_margin": fmean(chosen - rejected for chosen, rejected in pairs),
        "ties": sum(chosen == rejected for chosen, rejected in pairs),
        "n": len(pairs),
    }


def summaries(pairs: list[tuple[float, float]], groups: list[str]) -> dict[str, Any]:
    """Return the summary of all pairs, and of each group in the order of the first rows, those without one together;
    of no group where none is named.
    """
    members: dict[str, list[tuple[float, float]]] = {}
    for pair, group in zip(pairs, groups, strict=True) if any(groups) else ():
        members.setdefault(group, []).append(pair)
    found = [{"group": group or None, **summary(some)} for group, some in members.items()]
    return summary(pairs) | {"by_group": found}


def encoded(tokenizer: Any, texts: list[str]) -> list[list[int]]:
    """Return the tokens of texts, without the marks of the tokenizer."""
    if not texts:
        return []
    with lock:
        found = tokenizer(texts, add_special_tokens=False, truncation=False, padding=False, verbose=False)
    return list(found["input_ids"])


def marks_in_front(tokenizer: Any, text: str, tokens: list[int]) -> list[int]:
    """Return the marks that a tokenizer puts in front of a text with these tokens."""
    with lock:
        marked = list(tokenizer(text, truncation=False, padding=False, verbose=False).input_ids)
    places = (at for at in range(len(marked), -1, -1) if marked[at : at + len(tokens)] == tokens)
    return marked[: next(places, 0)]


def without_prefix(settings: Any) -> Any:
    """Return the settings of a part of a tokenizer so that it begins no text with a space of its own.

    >>> without_prefix({"type": "Metaspace", "prepend_scheme": "first"})
    {'type': 'Metaspace', 'prepend_scheme': 'never'}
    >>> without_prefix({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "_"}, {"type": "NFC"}]})
    {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}]}
    """
    if isinstance(settings, list):
        return [part for part in map(without_prefix, settings) if part is not None]
    if not isinstance(settings, dict):
        return settings
    none = {"prepend_scheme": "never", "add_prefix_space": False}
    parts = {name: none.get(name, without_prefix(value)) for name, value in settings.items()}
    return None if settings.get("type") == "Prepend" else parts


@lru_cache(maxsize=2)
def continuing(tokenizer: Any) -> Callable[[list[str]], list[list[int]]]:
    """Return the function that makes tokens of texts which follow another text."""
    backend: Any = getattr(tokenizer, "backend_tokenizer", None)
    whole = json.loads(backend.to_str()) if backend is not None else {}
    changed = {name: without_prefix(whole.get(name)) for name in ("normalizer", "pre_tokenizer")}
    if all(whole.get(name) == part for name, part in changed.items()):
        return partial(encoded, tokenizer)
    following = type(backend).from_str(json.dumps({**whole, **changed, "truncation": None, "padding": None}))
    return lambda texts: [one.ids for one in following.encode_batch(texts, add_special_tokens=False)]


class Text(NamedTuple):
    """A text as the model is given it: the tokens before it, its own, and whether the first ones were left out."""

    context: tuple[int, ...]
    tokens: tuple[int, ...]
    truncated: bool = False


def rendered(judge: Any, prompt: str, row: int = 0) -> str:
    """Return the prompt of a row as the user's turn of a conversation, up to where the model's begins."""
    if not judge.tokenizer.chat_template:
        raise ValueError(f"{judge.name} has no chat template; pass chat_template=False, or a model made to chat")
    turn = [{"role": "user", "content": prompt}]
    try:
        text: str = judge.tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
    except ImportError:
        raise
    except Exception as error:  # whatever a template does with what it is given
        raise ValueError(
            f"the chat template of {judge.name} refuses prompts[{row}] ({prompt!r:.80}): {error}"
        ) from None
    return text


def template_mark(judge: Any) -> str:
    """Return a hash of what the chat template makes of a prompt, for the signature: some write the day's date there."""
    return f"sha256-{hashlib.sha256(rendered(judge, '?').encode()).hexdigest()[:12]}"


def contexts(judge: Any, prompts: list[str], chat_template: bool) -> dict[str, tuple[int, ...]]:
    """Return for each prompt the tokens that its texts follow; equal prompts are read once."""
    tokenizer, first_row = judge.tokenizer, dict[str, int]()
    for row, prompt in enumerate(prompts):
        first_row.setdefault(prompt, row)
    if chat_template:
        front, several = [], encoded(tokenizer, [rendered(judge, *one) for one in first_row.items()])
    else:
        several = encoded(tokenizer, list(first_row))
        written = [(prompt, ids) for prompt, ids in zip(first_row, several, strict=True) if ids]
        front = marks_in_front(tokenizer, *written[0]) if written else []
    # What a text without any prompt follows: the mark of a beginning, or, as in GPT-2, the one between texts.
    marks = [mark for mark in (tokenizer.bos_token_id, tokenizer.eos_token_id) if mark is not None][:1]
    result = {prompt: tuple([*front, *ids] or marks) for prompt, ids in zip(first_row, several, strict=True)}
    for prompt, ids in result.items():
        if not ids:
            raise ValueError(
                f"prompts[{first_row[prompt]}] is {prompt!r:.80}, of which {judge.name} makes no token, and it has "
                "no mark for the beginning of a text: there is nothing that the texts could follow"
            )
    return result


def fitted(judge: Any, text: Text, truncate: str | None, place: str) -> Text:
    """Return a text that the model takes, on request without the beginning of its prompt; raise ValueError that names
    its `place` where it is too long.
    """
    limit, length = judge.max_length, len(text.context) + len(text.tokens)
    if limit is None or length <= limit:
        return text
    if len(text.tokens) >= limit:
        raise ValueError(
            f"{place} alone has {len(text.tokens)} tokens, and {judge.name} takes {limit}, of which at least one must "
            "be the prompt's: shorten it (without its beginning it would be another text)"
        )
    if truncate is None:
        raise ValueError(
            f"{place} has {length} tokens with its prompt, and {judge.name} takes {limit}: shorten it, or pass "
            "truncate='left' to leave out the beginning of the prompt"
        )
    # The mark of a beginning stays: without it many models give other numbers altogether.
    front = text.context[:1] if text.context[0] == judge.tokenizer.bos_token_id else ()
    kept = limit - len(text.tokens) - len(front)
    return Text((*front, *text.context[len(text.context) - kept :]), text.tokens, True)


def read(
    judge: Any,
    prompts: list[str],
    chosen: list[str],
    rejected: list[str],
    chat_template: bool = False,
    truncate: str | None = None,
    names: tuple[str, str] = ("chosen", "rejected"),
) -> list[Text]:
    """Return the chosen texts, and after them the rejected ones, as the model is given them; `names` are those of the
    two in messages. Equal texts are read once. After an empty prompt, a text is the beginning.
    """
    prompts, texts = ([readable(text) for text in texts] for texts in (prompts, [*chosen, *rejected]))
    before = contexts(judge, prompts, chat_template)
    begins = [not (prompt or chat_template) for prompt in prompts * 2]
    made: dict[tuple[str, bool], list[int]] = {}
    for begin, make in ((False, continuing(judge.tokenizer)), (True, partial(encoded, judge.tokenizer))):
        distinct = list(dict.fromkeys(text for text, first in zip(texts, begins, strict=True) if first is begin))
        made |= {(text, begin): ids for text, ids in zip(distinct, make(distinct), strict=True)}
    places = [f"{name}[{i}]" for name in names for i in range(len(prompts))]
    rows = zip(prompts * 2, texts, begins, places, strict=True)
    return [
        fitted(judge, Text(before[prompt], tuple(made[text, begin])), truncate, place)
        for prompt, text, begin, place in rows
    ]


def readable(text: str) -> str:
    r"""Return `text` as a tokenizer takes it: halves of surrogate pairs joined, lone ones replaced by U+FFFD.

    >>> readable("\ud83d\ude00") == "\U0001f600", readable("a\ud800b") == "a\ufffdb"
    (True, True)
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def rewards(
    judge: Any, texts: list[Text], normalize: str = "sum", batch_size: int = 16, progress: bool = False
) -> list[tuple[float, float]]:
    """Return of each text log P, and log P by the rule of `normalize`, which for an empty text is 0 in both; raise
    ValueError where a model gives none.
    """
    found = log_probs(judge, texts, batch_size, progress)
    for i, value in enumerate(found):
        if not math.isfinite(value):
            place = ("chosen", "rejected")[i >= len(found) // 2]
            raise ValueError(
                f"{judge.name} gives {place}[{i % (len(found) // 2)}] the log-probability {value}; dtype='float32' or "
                "'float64' bears more than 16 bits do"
            )
    counts = [max(len(text.tokens), 1) if normalize == "mean" else 1 for text in texts]
    return [(value, value / count) for value, count in zip(found, counts, strict=True)]


def one_of(name: str, value: Any, known: tuple[Any, ...]) -> Any:
    """Return a setting; raise ValueError where it is none of those known.

    >>> one_of("normalize", "mean", NORMALIZE)
    'mean'
    """
    if not any(value is one or (isinstance(value, str) and value == one) for one in known):
        raise ValueError(f"{name} is {value!r:.80}; one of {', '.join(map(repr, known))} is expected")
    return value


def factor(beta: Any, reference_model: Any) -> float:
    """Return beta; raise ValueError where it is no number above 0, or where there is nothing that it could weigh."""
    number = isinstance(beta, int | float) and not isinstance(beta, bool)
    if not number or not 0 < beta < math.inf:
        raise ValueError(f"beta is {beta!r:.80}; a number above 0 is expected")
    if reference_model is None and beta != 1:
        raise ValueError(f"beta is {beta!r:.80}, but it weighs a reward relative to a reference_model; none is given")
    return float(beta)


def log_prob(
    prompt: str,
    text: str,
    model: str,
    normalize: str = "sum",
    chat_template: bool = False,
    device: str | None = None,
    truncate: str | None = None,
) -> float:
    """Return log P(text | prompt), in nats, at most 0: the sum over the text's tokens, or their mean.

    Args:
        prompt: what the model was asked.
        text: what it might have written.
        model: a causal language model of transformers, by its name on the Hub or the path of its folder.
        normalize: "sum", or "mean" for the mean per token.
        chat_template: put the prompt into the model's chat template, as the user's turn.
        device: "cuda", "mps", "cpu", ...; None takes the first of these that is there.
        truncate: "left" leaves out the beginning of a prompt that is too long for the model; None is an error there.

    Raises:
        ImportError: torch or transformers is not installed.
        OSError: the model cannot be had.
        TypeError: a text is no string, or chat_template neither True nor False.
        ValueError: the text is too long for the model, or a setting does not exist.

    Source: the dataset card of iknow-lab/JudgeBias-DPO-RefFree-testset; see the head of this file for the boundary.

    """
    for name, value in (("prompt", prompt), ("text", text)):
        if not isinstance(value, str):
            raise TypeError(f"{name} is {value!r:.80} ({type(value).__name__}); a string is expected")
    if type(chat_template).__name__ not in ("bool", "bool_"):  # Python's and numpy's; the word "no" would be true
        raise TypeError(f"chat_template is {chat_template!r:.80}; True or False is expected")
    one_of("normalize", normalize, NORMALIZE)
    one_of("truncate", truncate, (None, "left"))
    judge = judge_of(model, device)
    texts = read(judge, [prompt], [text], [text], chat_template, truncate, ("text", "text"))
    return rewards(judge, texts, normalize)[0][1]


class Side(NamedTuple):
    """One text of a pair: its reward, its tokens, and what the reward is made of."""

    reward: float
    text: Text
    log_prob: float
    reference_log_prob: float | None
    truncated: bool


def side_of(beta: float, found: tuple[tuple[float, float], ...], texts: tuple[Text, ...]) -> Side:
    """Return one text of a pair from what the model, and the reference where there is one, gave it."""
    relative = beta * (found[0][1] - found[1][1]) if len(found) > 1 else found[0][1]
    reference = found[1][0] if len(found) > 1 else None
    return Side(relative, texts[0], found[0][0], reference, any(text.truncated for text in texts))


def compared(chosen: float, rejected: float, group: str) -> dict[str, Any]:
    """Return what `per_example` says of any pair."""
    return {
        "score": score(chosen, rejected),
        "chosen": chosen,
        "rejected": rejected,
        "margin": chosen - rejected,
        "tie": chosen == rejected,
        "group": group or None,
        "note": "equal rewards: no win" if chosen == rejected else None,
    }


def explain(chosen: Side, rejected: Side, group: str) -> dict[str, Any]:
    """Return the entry of `per_example` for one pair: its rewards, and what they are made of."""
    sides = {"chosen": chosen, "rejected": rejected}
    empty = [name for name, side in sides.items() if not side.text.tokens]
    entry = compared(chosen.reward, rejected.reward, group)
    if empty:
        certain = f"no token in {' and '.join(empty)}: log-probability 0, that of a certain event"
        entry["note"] = "; ".join(note for note in (certain, entry["note"]) if note)
    for name, side in sides.items():
        entry |= {
            f"{name}_log_prob": side.log_prob,
            f"{name}_reference_log_prob": side.reference_log_prob,
            f"{name}_tokens": len(side.text.tokens),
            f"{name}_prompt_tokens": len(side.text.context),
            f"{name}_truncated": side.truncated,
        }
    return entry
