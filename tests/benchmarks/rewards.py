"""Time and memory of reward_accuracy against a loop over one text at a time and against padded batches, on one CPU.

Run: .venv/bin/python -m tests.benchmarks.rewards [--pairs 200] [--repeats 3] [--kind llama] [--only-time]

The model is made on the spot, with about 20 million random weights and a vocabulary of 16,000 (Llama) or of 50,257
(GPT-2). A pair has 50 to 800 tokens with its prompt, which its two texts share. Each way has a process of its own with
its model loaded, and they take turns; the ratio is that of the medians. Memory is what a fresh process grows by at its
peak while it scores, its model being loaded and warm.
"""

import argparse
import json
import multiprocessing
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.long_texts import peak
from tests.support.models import save
from tests.support.project import functions

BATCH = 16
Rows = tuple[list[str], list[str], list[str]]


def vocabulary(size: int) -> list[str]:
    """Return so many words."""
    return ["<pad>", "<s>", *(f"w{i}" for i in range(size - 2))]


def make(folder: Path, kind: str) -> str:
    """Make a model of about 20 million weights whose tokens are words."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    size = {"llama": 16_000, "gpt2": 50_257}[kind]
    words = {word: i for i, word in enumerate(vocabulary(size))}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>")
    if kind == "gpt2":
        gpt2 = GPT2Config(vocab_size=size, n_embd=256, n_layer=9, n_head=8, n_positions=1024)
        return save(folder, fast, lambda: GPT2LMHeadModel(gpt2))
    sizes: dict[str, Any] = {
        "hidden_size": 384,
        "intermediate_size": 1024,
        "num_hidden_layers": 8,
        "num_attention_heads": 6,
    }
    llama = LlamaConfig(vocab_size=size, max_position_embeddings=1024, tie_word_embeddings=True, **sizes)
    return save(folder, fast, lambda: LlamaForCausalLM(llama))


def rows(count: int, kind: str) -> Rows:
    """Return prompts, chosen and rejected texts: 50 to 800 tokens with the prompt, of which it is half on average."""
    numbers = random.Random(5)
    words = vocabulary(16_000)[2:]
    columns: Rows = ([], [], [])
    for _ in range(count):
        longest = numbers.randint(50, 800)
        prompt = numbers.randint(longest // 4, 3 * longest // 4)
        texts = [longest - prompt, numbers.randint((longest - prompt + 1) // 2, longest - prompt)]
        numbers.shuffle(texts)
        for column, length in zip(columns, [prompt, *texts], strict=True):
            column.append(" ".join(numbers.choices(words, k=length)))
    return columns


def loaded(model: str) -> tuple[Any, Any]:
    """Return a model and its tokenizer as anyone loads them."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    return AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval(), AutoTokenizer.from_pretrained(model)


def loop(model: str) -> Callable[[Rows], list[float]]:
    """Return log P of each text by a plain loop over one text at a time."""
    import torch

    network, tokenizer = loaded(model)

    @torch.inference_mode()
    def one(prompt: str, text: str) -> float:
        before, after = (tokenizer(part, add_special_tokens=False).input_ids for part in (prompt, text))
        ids = torch.tensor([before + after])
        found = network(ids).logits[0, :-1].log_softmax(-1).gather(1, ids[0, 1:, None])[:, 0]
        return float(found[len(before) - 1 :].double().sum())

    return lambda pairs: [
        one(prompt, text) for texts in pairs[1:] for prompt, text in zip(pairs[0], texts, strict=True)
    ]


def padded(model: str) -> Callable[[Rows], list[float]]:
    """Return log P of each text by padded batches in the order of the rows."""
    import torch

    network, tokenizer = loaded(model)

    @torch.inference_mode()
    def some(prompts: list[str], texts: list[str]) -> list[float]:
        before = [len(ids) for ids in tokenizer(prompts, add_special_tokens=False).input_ids]
        both = [f"{prompt} {text}" for prompt, text in zip(prompts, texts, strict=True)]
        batch = tokenizer(both, add_special_tokens=False, padding=True, padding_side="right", return_tensors="pt")
        ids, mask = batch.input_ids, batch.attention_mask
        found = network(ids, attention_mask=mask).logits[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None])[..., 0]
        lengths = mask.sum(1).tolist()
        return [float(row[n - 1 : end - 1].double().sum()) for row, n, end in zip(found, before, lengths, strict=True)]

    def score(pairs: Rows) -> list[float]:
        result: list[float] = []
        for texts in pairs[1:]:
            for at in range(0, len(texts), BATCH):
                result += some(pairs[0][at : at + BATCH], texts[at : at + BATCH])
        return result

    return score


def ours(model: str) -> Callable[[Rows], list[float]]:
    """Return log P of each text by our module, its result through `compute`."""
    metric: Any = functions("reward_accuracy", "reward_accuracy").RewardAccuracy()
    settings = {"model": model, "device": "cpu", "batch_size": BATCH, "progress": False, "per_example": True}

    def score(pairs: Rows) -> list[float]:
        result = metric.compute(prompts=pairs[0], chosen=pairs[1], rejected=pairs[2], **settings)["per_example"]
        return [row[side] for side in ("chosen", "rejected") for row in result]

    return score


WAYS = {"loop": loop, "padded": padded, "ours": ours}


def serve(who: str, model: str, kind: str, count: int, line: Any) -> None:
    """Score in this process whenever asked to, and answer with the seconds, the scores and the megabytes it grew by."""
    score, texts = WAYS[who](model), rows(count, kind)
    score((["w1 w2"], ["w3"], ["w4"]))
    before = peak()
    while line.recv():
        start = time.perf_counter()
        found = score(texts)
        line.send((time.perf_counter() - start, found, peak() - before))


def measure(model: str, kind: str, count: int, repeats: int) -> dict[str, dict[str, float]]:
    """Return for each way the median of seconds, the megabytes, and the largest difference of a score to the loop's."""
    context = multiprocessing.get_context("spawn")
    lines = {}
    for who in WAYS:
        lines[who], theirs = context.Pipe()
        context.Process(target=serve, args=(who, model, kind, count, theirs), daemon=True).start()
    answers: dict[str, list[tuple[float, list[float], float]]] = {who: [] for who in WAYS}
    for _ in range(repeats):
        for who, line in lines.items():
            line.send(True)
            answers[who].append(line.recv())
    for line in lines.values():
        line.send(False)
    want = answers["loop"][0][1]
    return {
        who: {
            "seconds": median(one[0] for one in found),
            "mb": found[-1][2],
            "difference": max(abs(a - b) for a, b in zip(found[0][1], want, strict=True)),
        }
        for who, found in answers.items()
    }


def main() -> None:
    """Print a table in Markdown, and the same as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--kind", choices=("llama", "gpt2"))
    given = parser.parse_args()
    print("| model | way | pairs per second | ours is faster | peak MB | ours to it | differs by |\n|" + "---|" * 7)
    results = {}
    for kind in [given.kind] if given.kind else ["llama", "gpt2"]:
        with tempfile.TemporaryDirectory() as folder:
            found = results[kind] = measure(make(Path(folder) / kind, kind), kind, given.pairs, given.repeats)
        for who, one in found.items():
            rate, faster = given.pairs / one["seconds"], one["seconds"] / found["ours"]["seconds"]
            less = found["ours"]["mb"] / max(one["mb"], 1e-9)
            numbers = f"{rate:.2f} | {faster:.2f} | {one['mb']:.0f} | {less:.2f} | {one['difference']:.1e}"
            print(f"| {kind} | {who} | {numbers} |", flush=True)
    print(json.dumps({"pairs": given.pairs, "repeats": given.repeats, "results": results}))


if __name__ == "__main__":
    main()
