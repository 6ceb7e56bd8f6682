"""Rows per second and core of each module: through `compute`, in one process with one thread, its model loaded.

The judges are asked through a server on loopback that answers at once: what is left is the work of the process.
"""

import functools
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from tests.benchmarks import texts, ways
from tests.benchmarks.measuring import Given
from tests.benchmarks.texts import Rows
from tests.support.models import save
from tests.support.project import load

KINDS = {
    "English, 15 words": functools.partial(texts.english, least=15, most=15),
    "English, 100 words": functools.partial(texts.english, least=100, most=100),
    "Chinese, 100 characters": functools.partial(texts.chinese, least=100, most=100),
}
# Rows of one repeat: about a second of work.
ROWS = {"bertscore": 24, "cosine_similarity": 32, "reward_accuracy": 6, "eve_judge": 200, "l3score": 200}
MOST_ROWS, REPEATS = 1_000, 3
TOKENS = ["<pad>", "<s>", *(f"w{i}" for i in range(15_998))]


def biases(given: Given) -> Callable[[Rows], Any]:
    """Return what reads a judge's replies: an explanation of the row's length, and a score."""
    metric = load("judge_bias")

    def run(rows: Rows) -> Any:
        replies = [f'{text}\n{{"overall_score": {i % 5}}}' for i, text in enumerate(rows.predictions)]
        kinds = ["represent" if i % 2 else "error" for i in range(len(replies))]
        return metric.compute(predictions=replies, references=[3.0] * len(replies), perturbation_categories=kinds)

    return run


def causal_model(folder: Path) -> str:
    """Make a Llama of about 20 million weights whose tokens are words."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(TOKENS)}, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>")
    sizes: dict[str, Any] = {"hidden_size": 384, "intermediate_size": 1024, "num_hidden_layers": 8}
    config = LlamaConfig(vocab_size=len(TOKENS), num_attention_heads=6, max_position_embeddings=1024, **sizes)
    config.tie_word_embeddings = True
    return save(folder, fast, lambda: LlamaForCausalLM(config))


def rewarded(given: Given) -> Callable[[Rows], Any]:
    """Return what compares two texts after a prompt, all of the row's length, with that model."""
    metric, folder = load("reward_accuracy"), tempfile.TemporaryDirectory()
    model = causal_model(Path(folder.name))

    def known(text: str) -> str:
        return " ".join(TOKENS[2 + zlib.crc32(word.encode()) % (len(TOKENS) - 2)] for word in text.split())

    def run(rows: Rows, _keep: Any = folder) -> Any:
        chosen, rejected = (list(map(known, column)) for column in rows[:2])
        pairs = {"prompts": rejected, "chosen": chosen, "rejected": rejected}
        return metric.compute(**pairs, model=model, device="cpu", progress=False)

    return run


MAKERS = {"judge_bias": biases, "reward_accuracy": rewarded}


def measure(name: str, given: Given) -> dict[str, Any]:
    """Return the rows per second of one module in this process, for each kind of text."""
    run = MAKERS[name](given) if name in MAKERS else ways.compute(name)(given).run
    count = max(2, round(ROWS.get(name, MOST_ROWS) * given.scale))
    found: dict[str, float] = {}
    for kind, make in KINDS.items():
        if name == "reward_accuracy" and not kind.startswith("English"):  # its model's words are parted by spaces
            continue
        run(make(Random(f"{name} {kind}"), max(2, count // 10)))
        times = []
        for repeat in range(min(REPEATS, given.repeats)):
            rows = make(Random(f"{name} {kind} {repeat}"), count)
            start = time.perf_counter()
            run(rows)
            times.append(time.perf_counter() - start)
        found[kind] = count / median(times)
    return {"module": name, "rows": count, "per_second": found}
