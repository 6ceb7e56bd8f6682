"""A causal language model, and log P(text | prompt) of many texts by it: those of like length together, a prompt that
several texts follow once, in bounded memory.

A text has the tokens before it (`context`) and its own (`tokens`): scoring.py. The scores of the vocabulary are made at
the text's own tokens only, a piece at a time where the model can go on from what it has read.
"""

import copy
import importlib.util
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .text_model import batches, loaded, position_rows, refuse_gaps

# Texts of one prompt share its computation where it has so many tokens: for fewer, full batches are faster.
SHARED_CPU, SHARED_DEVICE = 16, 256
# What the scores of the whole vocabulary take at once.
LOGIT_BYTES_CPU, LOGIT_BYTES_DEVICE = 2**26, 2**30
# How near the model's own numbers must come to each other, relative to the largest, to be taken for equal.
CLOSE, CLOSE_16_BITS = 1e-4, 0.03
# Kinds of rotary positions that are chosen by the longest text at hand, so that one text would move the others.
BY_LENGTH = ("longrope", "dynamic")
# Where a configuration says how many tokens the model was made for.
LENGTHS = ("max_position_embeddings", "max_sequence_length", "max_seq_len")
# What a tokenizer names that has no limit is more than this.
UNBOUNDED = 1_000_000


class Judge(NamedTuple):
    """A loaded model, what a signature says of it, how many tokens it takes (None: no limit), whether texts of several
    lengths may go through it together, and whether it can go on from what it kept of the first tokens.
    """

    model: Any
    tokenizer: Any
    name: str
    revision: str
    device: str
    max_length: int | None = None
    mixes: bool = True
    shares: bool = False


def load_parts(name: str, device: str, dtype: str, local_files_only: bool = False) -> tuple[Any, ...]:
    """Return a causal language model of transformers, its tokenizer and the last three parts of a `Judge`; raise
    OSError where its files have gaps, which transformers fills with random weights, or where it is no such model.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if (Path(name) / "adapter_config.json").exists() and importlib.util.find_spec("peft") is None:
        raise ImportError("this folder holds an adapter (LoRA), which needs peft: pip install peft")
    only = {"trust_remote_code": False, "local_files_only": local_files_only}
    tokenizer = AutoTokenizer.from_pretrained(name, **only)
    both: Any = AutoModelForCausalLM.from_pretrained(name, dtype=dtype, output_loading_info=True, **only)
    model, about = both
    refuse_gaps(sorted(about["missing_keys"]), tokenizer)
    if max(tokenizer.get_vocab().values()) >= model.get_input_embeddings().weight.shape[0]:
        raise OSError("its tokenizer has more tokens than the model")
    limit, mixes = context_of(model, tokenizer), rope_of(model).get("rope_type") not in BY_LENGTH
    judge = Judge(model.to(device).eval(), tokenizer, name, "", device, limit, mixes=mixes)
    return model, tokenizer, limit, mixes, may_share(judge)


def judge_of(model: Any, device: Any = None, dtype: str = "float32", argument: str = "model") -> Judge:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such device)."""
    try:
        import torch  # noqa: F401 (says what is missing before anything else does)
        import transformers  # noqa: F401
    except ImportError as error:
        raise ImportError("reward accuracy needs torch and transformers: pip install torch transformers") from error
    # Two, for a model and its reference.
    parts, name, revision, device = loaded(load_parts, model, device, dtype, argument=argument, keep=2)
    network, tokenizer, *about = parts
    return Judge(network, tokenizer, name, revision, device, *about)


def rope_of(model: Any) -> dict[str, Any]:
    """Return the settings of a model's rotary positions, as its configuration has them; empty where it has none."""
    settings = getattr(model.config.get_text_config(decoder=True), "rope_parameters", None)
    return settings if isinstance(settings, dict) else {}


def context_of(model: Any, tokenizer: Any) -> int | None:
    """Return how many tokens a model takes, or None where nothing limits them.

    Some configurations hold the length before positions were stretched by a factor: then the tokenizer's counts, up to
    the stretched one.
    """
    config, stretched = model.config.get_text_config(decoder=True), rope_of(model).get("factor") or 1
    said = [*(getattr(config, name, None) for name in LENGTHS), position_rows(model)]
    told = [limit for limit in [tokenizer.model_max_length] if limit < UNBOUNDED]
    limits = [limit for limit in said if isinstance(limit, int) and 0 < limit < UNBOUNDED] or told
    limit = min(map(int, limits), default=None)
    return limit and max([limit, *(int(min(one, limit * stretched)) for one in told)])


def run(judge: Judge, ids: Any, first: int = 0, past: Any = None) -> tuple[Any, Any]:
    """Return the scores of the vocabulary after tokens (rows x length), from the column `first` on, and what the model
    kept for later tokens. It may go on from what it kept of earlier ones.
    """
    known = inspect.signature(judge.model.forward).parameters
    some = {"logits_to_keep": ids.shape[1] - first} if "logits_to_keep" in known else {}
    before = {"past_key_values": past} if past is not None else {}
    # No mask: rows are filled at their end, and no token reads what comes after it.
    output = judge.model(ids, use_cache=True, **some, **before)
    return output.logits[:, first - ids.shape[1] :], getattr(output, "past_key_values", None)


def may_share(judge: Judge) -> bool:
    """Return whether a model can go on from a prompt with the same numbers as in one go; those that keep of a prompt
    anything but keys and values of all its tokens are not asked to. Raise OSError where it is no causal language model:
    what it makes of a token then depends on the tokens after it, and a probability of these would mean nothing.
    """
    import torch
    from transformers import DynamicCache

    def near(one: Any, other: Any) -> bool:
        tolerance = (CLOSE_16_BITS if one.element_size() == 2 else CLOSE) * other.abs().max().item()
        return bool((one.float() - other.float()).abs().max() <= tolerance)

    size, length = judge.model.get_input_embeddings().weight.shape[0], min(8, judge.max_length or 8)
    rows = [[(7 * i + 3 + change * (i > 3)) % size for i in range(length)] for change in (0, 1)]
    whole, other = (torch.tensor([row], device=judge.device) for row in rows)
    with torch.inference_mode():
        (scores, past), (others, _) = run(judge, whole), run(judge, other)
        if not torch.isfinite(scores).all():
            raise OSError("it computes values that are no numbers; its weights are damaged")
        if not near(scores[:, :4], others[:, :4]):
            raise OSError("it is no causal language model: it reads what stands after a token")
        if not judge.mixes or length < 8 or type(past) is not DynamicCache or any(past.is_sliding):
            return False
        try:
            past = expanded(run(judge, whole[:, :4])[1], 2)
            later, _ = run(judge, whole[:, 4:].expand(2, -1), 0, past)
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):  # of a model that does not go on
            return False
        return near(later, scores[:, 4:].expand(2, -1, -1))


def expanded(past: Any, rows: int) -> Any:
    """Return what a model kept of one prompt, for so many texts after it. (Its own is left as it is.)"""
    several = copy.deepcopy(past)
    several.batch_repeat_interleave(rows)
    return several


def by_batch(judge: Judge, texts: list[Any], past: Any = None, done: int = 0) -> list[float]:
    """Return the log-probabilities of texts run through the model together, shorter ones filled at their end; `past` is
    what the model kept of the first `done` tokens, which are those of all of them.

    Where the model can go on, a piece is taken at a time, so that the scores of the vocabulary stay small.
    """
    import torch

    rows = [(*text.context[done:], *text.tokens) for text in texts]
    longest = max(map(len, rows))
    ids = torch.tensor([row + (0,) * (longest - len(row)) for row in rows], device=judge.device)
    starts = [len(text.context) - done - 1 for text in texts]
    aims = [(0,) * start + text.tokens for start, text in zip(starts, texts, strict=True)]
    step, sums = longest, [0.0] * len(texts)
    if judge.shares:
        most = LOGIT_BYTES_CPU if judge.device == "cpu" else LOGIT_BYTES_DEVICE
        step = max(1, most // (4 * len(texts) * judge.model.get_input_embeddings().weight.shape[0]))
    at, first = 0, min(starts)
    while at < longest:
        end = min(longest, max(at, first) + step)
        logits, past = run(judge, ids[:, at:end], max(first - at, 0), past)
        for i, (start, aim) in enumerate(zip(starts, aims, strict=True)):
            here = range(max(start, at), min(end, len(aim)))
            if here:
                part = logits[i, here[0] - max(first, at) :][: len(here)]
                part = part.float() if part.element_size() == 2 else part
                chosen = torch.tensor(aim[here[0] : here[-1] + 1], device=judge.device)
                found = part.log_softmax(-1).gather(1, chosen[:, None])
                sums[i] += found.cpu().double().sum().item()  # in this order: not every device has 64 bits
        at = end
    return sums


def steps(judge: Judge, texts: list[Any], batch_size: int) -> Iterator[tuple[list[Any], list[float]]]:
    """Yield texts, which are all different and not empty, with their log-probabilities, a few at a time."""
    import torch

    least = SHARED_CPU if judge.device == "cpu" else SHARED_DEVICE
    families: dict[tuple[int, ...], list[Any]] = {}
    for text in texts:
        families.setdefault(text.context, []).append(text)
    alone: list[Any] = []
    for context, family in families.items():
        if not judge.shares or len(family) < 2 or len(context) < least:
            alone += family
            continue
        # Its last token goes with each text: what the model makes of it is the text's first.
        _, past = run(judge, torch.tensor([context[:-1]], device=judge.device), len(context) - 2)
        for batch in batches([len(context) + len(text.tokens) for text in family], batch_size, judge.device):
            some = [family[i] for i in batch]
            yield some, by_batch(judge, some, expanded(past, len(some)), len(context) - 1)
    lengths = [len(text.context) + len(text.tokens) for text in alone]
    for batch in batches(lengths, batch_size if judge.mixes else 1, judge.device):
        some = [alone[i] for i in batch]
        yield some, by_batch(judge, some)


def log_probs(judge: Judge, texts: list[Any], batch_size: int = 16, progress: bool = False) -> list[float]:
    """Return log P(tokens | context) of each text; equal ones are computed once, so they are equal to the last bit."""
    import torch
    from tqdm import tqdm

    found: dict[tuple[Any, ...], float] = {text[:2]: 0.0 for text in texts}
    distinct = list({text[:2]: text for text in texts if text.tokens}.values())
    title = f"reward_accuracy {Path(judge.name).name}"
    with torch.inference_mode(), tqdm(total=len(distinct), desc=title, unit="text", disable=not progress) as bar:
        for some, values in steps(judge, distinct, batch_size):
            found |= zip((text[:2] for text in some), values, strict=True)
            bar.update(len(some))
    return [found[text[:2]] for text in texts]
