"""Time and memory of cosine_similarity and bertscore against what they reproduce, on one CPU, with MiniLM.

Run: .venv/bin/python -m tests.benchmarks.embeddings [--rows 1257] [--repeats 5] [--only cosine_similarity]

Peers: the loop of EVE's card (encode both lists, scikit-learn's cosine of each pair, mean), and the bert_score package
with its default batch size of 64. The texts are made from a seed. Both take turns, each in a process of its own with
its model loaded and warm; the ratio is that of the medians. Memory is what a process of its own grows by at its peak.
"""

import argparse
import json
import multiprocessing
import os
import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from tests.benchmarks.long_texts import peak
from tests.support import models
from tests.support.project import functions

# case: words of a text, answers for each reference
CASES = {"100 words": (100, 1), "10 words": (10, 1), "100 words, four systems share the references": (100, 4)}


def rows(words: int, systems: int, count: int) -> tuple[list[str], list[str]]:
    """Return answers and references of about so many words, `count` pairs for each system."""
    random.seed(7)
    with open(f"{models.minilm()}/vocab.txt", encoding="utf-8") as stream:
        known = [word for word in stream.read().split() if word.isascii() and word.isalpha() and len(word) > 1]

    def text() -> str:
        # Word frequencies fall as in real texts: the vocabulary is sorted by them.
        picks = (int(len(known) ** random.random()) for _ in range(max(1, round(random.gauss(words, words / 4)))))
        return " ".join(known[pick - 1] for pick in picks)

    references = [text() for _ in range(count)]
    return [text() for _ in range(count * systems)], references * systems


def card_loop() -> Callable[[list[str], list[str]], float]:
    """Return the card's own method."""
    import numpy
    from sentence_transformers import SentenceTransformer
    from sklearn.metrics.pairwise import cosine_similarity

    model = SentenceTransformer(models.minilm(), device="cpu")

    def average(answers: list[str], references: list[str]) -> float:
        pairs = zip(model.encode(answers), model.encode(references), strict=True)
        return float(numpy.mean([cosine_similarity([answer], [reference])[0][0] for answer, reference in pairs]))

    return average


def package() -> Callable[[list[str], list[str]], float]:
    """Return the F1 of the bert_score package."""
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=models.minilm(), num_layers=6, batch_size=64, device="cpu")
    return lambda answers, references: scorer.score(answers, references)[2].mean().item()


def ours(name: str) -> Callable[[list[str], list[str]], float]:
    """Return the mean score of our module."""
    if name == "cosine_similarity":
        cosine: Any = functions(name, name).CosineSimilarity()
        return lambda p, r: cosine.compute(predictions=p, references=r, model=models.minilm(), device="cpu")[
            "average_cosine_similarity"
        ]
    score: Any = functions(name, name).Bertscore()
    settings = {"model_type": models.minilm(), "num_layers": 6, "device": "cpu"}
    return lambda p, r: score.compute(predictions=p, references=r, **settings)["f1"]


PEERS = {"cosine_similarity": card_loop, "bertscore": package}


def serve(who: str, name: str, case: str, count: int, line: Any) -> None:
    """Score in this process whenever asked to through `line`, and answer with the seconds and the mean."""
    score = PEERS[name]() if who == "peer" else ours(name)
    texts = rows(*CASES[case], count)
    score(texts[0][:64], texts[1][:64])
    while line.recv():
        start = time.perf_counter()
        mean = score(*texts)
        line.send((time.perf_counter() - start, mean))


def measure_time(name: str, case: str, count: int, repeats: int) -> dict[str, Any]:
    """Return the medians, in seconds, of both, their ratio, and by how much their means differ. Each has a process of
    its own, and they take turns.
    """
    context = multiprocessing.get_context("spawn")
    lines = {}
    for who in ("peer", "ours"):
        lines[who], theirs = context.Pipe()
        context.Process(target=serve, args=(who, name, case, count, theirs), daemon=True).start()
    answers: dict[str, list[tuple[float, float]]] = {who: [] for who in lines}
    for _ in range(repeats):
        for who, line in lines.items():
            line.send(True)
            answers[who].append(line.recv())
    for line in lines.values():
        line.send(False)
    medians = {who: median(seconds for seconds, _ in found) for who, found in answers.items()}
    difference = abs(answers["peer"][0][1] - answers["ours"][0][1])
    return {**medians, "ratio": medians["peer"] / medians["ours"], "difference": difference}


def grow(who: str, name: str, case: str, count: int, results: Any) -> None:
    """Measure in this process the megabytes that it grows by."""
    score = PEERS[name]() if who == "peer" else ours(name)
    texts = rows(*CASES[case], count)
    score(texts[0][:4], texts[1][:4])
    before = peak()
    score(*texts)
    results.put(peak() - before)


def measure_memory(who: str, name: str, case: str, count: int) -> float:
    """Return the megabytes that a fresh process grows by."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=grow, args=(who, name, case, count, results))
    process.start()
    megabytes: float = results.get(timeout=1200)
    process.join()
    return megabytes


def main() -> None:
    """Print a table in Markdown, and the same as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1257, help="pairs for each system")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=PEERS)
    parser.add_argument("--no-memory", action="store_true")
    given = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    print("| metric | texts | peer s | ours s | times faster | means differ by | peer MB | ours MB |\n|" + "---|" * 8)
    found = []
    for name in [given.only] if given.only else PEERS:
        for case in CASES:
            result = measure_time(name, case, given.rows, given.repeats)
            memory = {
                f"{who}_mb": 0.0 if given.no_memory else measure_memory(who, name, case, given.rows)
                for who in ("peer", "ours")
            }
            found.append({"metric": name, "case": case, **result, **memory})
            print(
                f"| {name} | {case} | {result['peer']:.2f} | {result['ours']:.2f} | {result['ratio']:.2f} | "
                f"{result['difference']:.1e} | {memory['peer_mb']:.0f} | {memory['ours_mb']:.0f} |",
                flush=True,
            )
    print(json.dumps({"rows": given.rows, "repeats": given.repeats, "results": found}))


if __name__ == "__main__":
    main()
