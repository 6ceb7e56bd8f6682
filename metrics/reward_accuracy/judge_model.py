"""A causal language model of transformers, and log P(text | prompt) of many texts by it, in bounded memory.

Texts of like length go through the model together. The shorter ones are filled at their end, without any mask: no token
of a causal model reads what comes after it. The scores of the vocabulary are made at the texts' own tokens only.
"""

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .text_model import batches, loaded, refuse_gaps

# What the scores of the vocabulary take at once, unless those of one text take more.
LOGIT_BYTES_CPU, LOGIT_BYTES_DEVICE = 2**27, 2**30
# How far rounding moves the scores at a token, relative to the largest.
CLOSE, CLOSE_16_BITS = 1e-4, 0.03


def judge_of(model: Any, device: Any = None, dtype: str = "float32", argument: str = "model") -> SimpleNamespace:
    """Return a loaded model; raise ImportError, OSError (it cannot be had) or ValueError (no such device)."""
    # Two, for a model and its reference.
    return loaded(load, "torch transformers", model, device, dtype, argument=argument, keep=2)


def load(name: str, device: str, dtype: str, local_files_only: bool = False) -> SimpleNamespace:
    """Return a model and its tokenizer; raise OSError where its files have gaps or it is no causal language model."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    only = {"trust_remote_code": False, "local_files_only": local_files_only}
    tokenizer = AutoTokenizer.from_pretrained(name, **only)
    both: Any = AutoModelForCausalLM.from_pretrained(name, dtype=dtype, output_loading_info=True, **only)
    model, about = both
    refuse_gaps(about["missing_keys"], tokenizer)
    if max(tokenizer.get_vocab().values()) >= model.get_input_embeddings().num_embeddings:
        raise OSError("its tokenizer has more tokens than the model")
    model.to(device).eval()
    with torch.inference_mode():  # two texts that part after two tokens
        one, other = scores_after(model, torch.tensor([[3, 4, 5, 6], [3, 4, 7, 8]], device=device))[:, :2]
    close = CLOSE_16_BITS if one.element_size() == 2 else CLOSE
    if (one - other).abs().max() > close * one.abs().max():
        raise OSError("it is no causal language model: it reads what stands after a token")
    tokenizer("")  # forgets the truncation in its file here, where no other thread uses it
    return SimpleNamespace(model=model, tokenizer=tokenizer)


def scores_after(model: Any, ids: Any, first: int = 0) -> Any:
    """Return the scores of the vocabulary after each token of some rows, from the column `first` on."""
    known = inspect.signature(model.forward).parameters
    some = {"logits_to_keep": ids.shape[1] - first} if "logits_to_keep" in known else {}
    return model(ids, use_cache=False, **some).logits[:, first - ids.shape[1] :]


def together(judge: SimpleNamespace, texts: list[Any]) -> list[float]:
    """Return log P(tokens | context) of texts that go through the model at once."""
    import torch

    rows = [torch.tensor(context + tokens) for context, tokens in texts]
    ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).to(judge.device)
    first, found = min(len(context) for context, _ in texts) - 1, []
    for row, (context, tokens) in zip(scores_after(judge.model, ids, first), texts, strict=True):
        own = row[len(context) - 1 - first :][: len(tokens)]
        own = own.float() if own.element_size() == 2 else own
        steps = own.log_softmax(-1).gather(1, torch.tensor(tokens, device=judge.device)[:, None])
        found.append(steps.cpu().double().sum().item())  # in this order: not every device has 64 bits
    return found


def log_probs(judge: SimpleNamespace, texts: list[Any], batch_size: int = 16, progress: bool = False) -> list[float]:
    """Return log P(tokens | context) of each text; equal ones are computed once, so they are equal to the last bit."""
    import torch
    from tqdm import tqdm

    found: dict[Any, float] = {text[:2]: 0.0 for text in texts}
    distinct = [(context, tokens) for context, tokens in found if tokens]
    rope = getattr(judge.model.config.get_text_config(decoder=True), "rope_parameters", None) or {}
    if rope.get("rope_type") == "longrope":  # the longest text at hand would choose the positions of the others
        batch_size = 1
    most = LOGIT_BYTES_CPU if judge.device == "cpu" else LOGIT_BYTES_DEVICE
    scores = most // (4 * judge.model.get_input_embeddings().num_embeddings)
    title = f"reward_accuracy {Path(judge.name).name}"
    lengths = [len(context) + len(tokens) for context, tokens in distinct]
    with torch.inference_mode(), tqdm(total=len(distinct), desc=title, unit="text", disable=not progress) as bar:
        for batch in batches(lengths, batch_size, judge.device):
            columns = lengths[batch[0]] - min(len(distinct[i][0]) for i in batch) + 1
            at_once = max(1, scores // columns)
            for at in range(0, len(batch), at_once):
                some = [distinct[i] for i in batch[at : at + at_once]]
                found |= zip(some, together(judge, some), strict=True)
                bar.update(len(some))
    return [found[text[:2]] for text in texts]
