"""A causal language model of transformers, and log P(text | prompt) of many texts.

Memory is bounded. Texts of similar length form a batch. The shorter ones are padded at their end,
without a mask, since no token of a causal model depends on later ones. Scores of the vocabulary are
computed only at the tokens of the texts.
"""

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .text_model import load_model, make_batches, refuse_incomplete_model

# The most bytes of vocabulary scores at once, unless a single text needs more.
LOGIT_BYTES_CPU = 2**27
LOGIT_BYTES_DEVICE = 2**30
# How far rounding may change the scores at a token, relative to the largest score.
CLOSE = 1e-4
CLOSE_16_BITS = 0.03


def load_judge(
    model: Any,
    device: Any = None,
    dtype: str = "float32",
    argument: str = "model",
) -> SimpleNamespace:
    """Return a loaded causal language model.

    Raises:
        ImportError: torch or transformers is not installed.
        OSError: the model cannot be loaded.
        ValueError: there is no such device.
    """
    # Two models stay loaded: the judge and its reference model.
    return load_model(
        read_judge, "torch transformers", model, device, dtype, argument=argument, keep=2
    )


def read_judge(
    name: str,
    device: str,
    dtype: str,
    local_files_only: bool = False,
) -> SimpleNamespace:
    """Read a model and its tokenizer.

    Raises:
        OSError: its files lack weights or a vocabulary, or it is no causal language model.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    options = {"trust_remote_code": False, "local_files_only": local_files_only}
    tokenizer = AutoTokenizer.from_pretrained(name, **options)
    loaded: Any = AutoModelForCausalLM.from_pretrained(
        name, dtype=dtype, output_loading_info=True, **options
    )
    model, loading_info = loaded
    refuse_incomplete_model(loading_info["missing_keys"], tokenizer)
    if max(tokenizer.get_vocab().values()) >= model.get_input_embeddings().num_embeddings:
        raise OSError("its tokenizer has more tokens than the model")
    model.to(device).eval()
    # Two texts with the same first two tokens: a causal model gives these the same scores.
    with torch.inference_mode():
        ids = torch.tensor([[3, 4, 5, 6], [3, 4, 7, 8]], device=device)
        first_row, second_row = score_vocabulary(model, ids)[:, :2]
    close = CLOSE_16_BITS if first_row.element_size() == 2 else CLOSE
    if (first_row - second_row).abs().max() > close * first_row.abs().max():
        raise OSError("it is no causal language model: it reads what stands after a token")
    # This call removes the truncation that the tokenizer's file sets, before other threads use it.
    tokenizer("")
    return SimpleNamespace(model=model, tokenizer=tokenizer)


def score_vocabulary(model: Any, ids: Any, first: int = 0) -> Any:
    """Return the vocabulary scores after each token of some rows, from the column `first` on."""
    options = {}
    if "logits_to_keep" in inspect.signature(model.forward).parameters:
        options["logits_to_keep"] = ids.shape[1] - first
    logits = model(ids, use_cache=False, **options).logits
    return logits[:, first - ids.shape[1] :]


def compute_batch(judge: SimpleNamespace, texts: list[Any]) -> list[float]:
    """Return log P(tokens | context) of the texts of one batch."""
    import torch

    rows = [torch.tensor(context + tokens) for context, tokens in texts]
    ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).to(judge.device)
    # The scores at a token are those of the next one, so the first needed ones stand before the
    # end of the shortest context.
    first = min(len(context) for context, _ in texts) - 1
    vocabulary_scores = score_vocabulary(judge.model, ids, first)
    values = []
    for row_scores, (context, tokens) in zip(vocabulary_scores, texts, strict=True):
        start = len(context) - 1 - first
        end = start + len(tokens)
        scores = row_scores[start:end]
        if scores.element_size() == 2:
            scores = scores.float()
        token_column = torch.tensor(tokens, device=judge.device)[:, None]
        log_probs = scores.log_softmax(-1).gather(1, token_column)
        # Moved to the CPU first: not every device can compute in 64 bits.
        total = log_probs.cpu().double().sum()
        values.append(total.item())
    return values


def compute_log_probs(
    judge: SimpleNamespace,
    texts: list[Any],
    batch_size: int = 16,
    progress: bool = False,
) -> list[float]:
    """Return log P(tokens | context) of each text.

    Equal texts are computed once, so that their values are exactly equal.
    """
    import torch
    from tqdm import tqdm

    values: dict[Any, float] = {}
    for context, tokens, *_ in texts:
        values[context, tokens] = 0.0
    distinct = [(context, tokens) for context, tokens in values if tokens]
    lengths = [len(context) + len(tokens) for context, tokens in distinct]
    if reads_longest(judge):
        batch_size = 1
    title = f"reward_accuracy {Path(judge.name).name}"
    with (
        torch.inference_mode(),
        tqdm(
            total=len(distinct),
            desc=title,
            unit="text",
            disable=not progress,
        ) as bar,
    ):
        for batch in make_batches(lengths, batch_size, judge.device):
            members = [distinct[i] for i in batch]
            shortest_context = min(len(context) for context, _ in members)
            columns = lengths[batch[0]] - shortest_context + 1
            at_once = count_rows_at_once(judge, columns)
            for start in range(0, len(members), at_once):
                part = members[start : start + at_once]
                values |= zip(part, compute_batch(judge, part), strict=True)
                bar.update(len(part))
    return [values[context, tokens] for context, tokens, *_ in texts]


def reads_longest(judge: SimpleNamespace) -> bool:
    """Return whether a batch's longest text changes the positions in the others.

    LongRoPE does so.
    """
    config = judge.model.config.get_text_config(decoder=True)
    rope = getattr(config, "rope_parameters", None) or {}
    return rope.get("rope_type") == "longrope"


def count_rows_at_once(judge: SimpleNamespace, columns: int) -> int:
    """Return how many rows with `columns` columns of scores fit into memory.

    It is at least 1.
    """
    most_bytes = LOGIT_BYTES_CPU if judge.device == "cpu" else LOGIT_BYTES_DEVICE
    most_scores = most_bytes // (4 * judge.model.get_input_embeddings().num_embeddings)
    return max(1, int(most_scores // columns))
