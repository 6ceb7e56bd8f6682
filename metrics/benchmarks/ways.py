"""The ways to score rows that are compared: ours, the originals', and lower bounds of the time.

A way takes rows and returns the values to compare, or the seconds that it measured itself. Models
stay loaded: the first repeat loads them, and is not counted.
"""

import os
import runpy
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from metrics.benchmarks import texts
from metrics.benchmarks.texts import Rows
from tests.support import models
from tests.support.judges import JUDGES
from tests.support.processes import WITHOUT_TRANSFORMERS
from tests.support.project import METRICS, NAMES, ROOT, import_file, load

ROUGE = ("rouge1", "rouge2", "rougeL", "rougeLsum")
# The address of a judge's server, and a checkout of LV-Eval's repository; the caller sets them.
SETTINGS = {"judge": "", "lveval": ""}
# A program that prints the seconds for loading the modules in some folders.
LOAD = """
import sys, time
import evaluate
start = time.perf_counter()
for path in sys.argv[1:]:
    evaluate.load(path)
print(time.perf_counter() - start)
"""
# A program with an empty page of Gradio.
BLANK = """
import gradio
with gradio.Blocks() as page:
    pass
page.launch(quiet=True, prevent_thread_lock=True)
print(page.local_url, flush=True)
page.block_thread()
"""
metric = cache(load)


class MeasuredSeconds(float):
    """Seconds that a way measured itself."""


def choose_model(name: str) -> dict[str, Any]:
    """Return the settings with which an embedding score uses MiniLM; empty for other modules."""
    settings: dict[str, dict[str, Any]] = {
        "cosine_similarity": {"model": models.find_minilm(), "device": "cpu"},
        "bertscore": {"model_type": models.find_minilm(), "num_layers": 6, "device": "cpu"},
    }
    return settings.get(name, {})


def compute_with_rows(
    name: str,
    over_all: Sequence[str],
    rows: Rows,
    keywords: bool = False,
    lists: bool = False,
    **more: Any,
) -> Any:
    """Return the figures of `compute` over all rows, after the score of each row with per_example.

    Args:
        name: the module.
        over_all: the keys of the figures.
        rows: the rows.
        keywords: whether the rows' keywords are passed.
        lists: whether each reference is passed in a list.
        **more: further settings.
    """
    columns: dict[str, Any] = {"predictions": rows.predictions, "references": rows.references}
    if lists:
        columns["references"] = [[text] for text in rows.references]
    if keywords:
        columns["answer_keywords"] = rows.keywords
    if name in (*JUDGES, "correctness_estimate"):
        columns["questions"] = ["What does the text say?"] * len(rows.references)
    settings = choose_model(name)
    if name in JUDGES:
        settings |= {
            "model": "judge-1",
            "base_url": SETTINGS["judge"],
            "api_key": "sk-benchmark",
            "progress": False,
            "cache": False,
        }
    result = metric(name).compute(**columns, **settings | more)
    scores = [row["score"] for row in result.get("per_example", [])]
    return scores + [result[key] for key in over_all]


def score_row_by_row(name: str, columns: int, rows: Rows, **settings: Any) -> Any:
    """Return the scores of a module's pure function, row by row.

    The first `columns` columns of the rows are its arguments; the third has the keywords.
    """
    score = import_file(name).score
    return [score(*row, **settings) for row in zip(*rows[:columns], strict=True)]


@cache
def load_lv_eval() -> dict[str, Any]:
    """Return LV-Eval's functions."""
    path = Path(SETTINGS["lveval"]) / "metrics.py"
    return runpy.run_path(str(path))


def score_with_lv_eval(name: str, rows: Rows) -> Any:
    """Return the scores of one of LV-Eval's functions, row by row."""
    score = load_lv_eval()[name]
    return [score(*row) for row in zip(*rows, strict=True)]


def average_scores(way: Any, rows: Rows) -> Any:
    """Return the mean of another way's scores."""
    return [fmean(way(rows))]


def score_with_rouge_score(use_stemmer: bool, rows: Rows) -> Any:
    """Return the scores of rouge_score for each row, of four types."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer([*ROUGE], use_stemmer=use_stemmer)
    pairs = zip(rows.references, rows.predictions, strict=True)
    return [scorer.score(reference, prediction) for reference, prediction in pairs]


def average_rouge_score(rows: Rows) -> Any:
    """Return rouge_score's mean F-measure of each type."""
    scores = score_with_rouge_score(False, rows)
    means = []
    for name in ROUGE:
        means.append(fmean(row_scores[name].fmeasure for row_scores in scores))
    return means


def score_with_sacrebleu(rows: Rows) -> Any:
    """Return the mean of sacrebleu's sentence scores and its corpus score, in 0..1."""
    from sacrebleu.metrics import BLEU

    of_sentences = BLEU(effective_order=True)
    shares = []
    for prediction, reference in zip(rows.predictions, rows.references, strict=True):
        percent = of_sentences.sentence_score(prediction, [reference]).score
        shares.append(min(percent / 100, 1.0))
    of_corpus = BLEU().corpus_score(rows.predictions, [rows.references])
    return [fmean(shares), min(of_corpus.score / 100, 1.0)]


@cache
def load_bert_scorer() -> Any:
    """Return the scorer of the package bert_score, with MiniLM."""
    from bert_score import BERTScorer

    return BERTScorer(model_type=models.find_minilm(), num_layers=6, device="cpu")


def score_with_bert_score(batch_size: int, rows: Rows) -> Any:
    """Return the F1 of the package bert_score."""
    scorer = load_bert_scorer()
    *_, f1 = scorer.score(rows.predictions, rows.references, batch_size=batch_size)
    return f1.tolist()


@cache
def load_encoder() -> Any:
    """Return MiniLM, loaded by sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(models.find_minilm(), device="cpu")


def score_with_card_loop(rows: Rows) -> Any:
    """Return cosines as in the code on EVE's card.

    It encodes both lists, and calls scikit-learn for each pair.
    """
    from sklearn.metrics.pairwise import cosine_similarity

    predictions = load_encoder().encode(rows.predictions)
    references = load_encoder().encode(rows.references)
    cosines = []
    for prediction, reference in zip(predictions, references, strict=True):
        ((cosine,),) = cosine_similarity([prediction], [reference])
        cosines.append(float(cosine))
    return cosines


def score_with_one_encode(rows: Rows) -> Any:
    """Return cosines from one batched `encode` of the distinct texts by sentence-transformers."""
    distinct = list(dict.fromkeys([*rows.predictions, *rows.references]))
    vectors = load_encoder().encode(distinct, normalize_embeddings=True, show_progress_bar=False)
    vector_of = dict(zip(distinct, vectors, strict=True))
    cosines = []
    for prediction, reference in zip(rows.predictions, rows.references, strict=True):
        cosine = vector_of[prediction] @ vector_of[reference]
        cosines.append(float(cosine))
    return cosines


def measure_biases(rows: Rows) -> Any:
    """Return the biases from a judge's replies: an explanation as long as the row, and a score."""
    replies = []
    kinds = []
    for number, text in enumerate(rows.predictions):
        replies.append(f'{text}\n{{"overall_score": {number % 5}}}')
        kinds.append("represent" if number % 2 else "error")
    return metric("judge_bias").compute(
        predictions=replies,
        references=[3.0] * len(replies),
        perturbation_categories=kinds,
    )


@cache
def make_causal_model() -> str:
    """Return the folder of a new Llama of about 20 million weights, whose tokens are words."""
    from tokenizers import Tokenizer, pre_tokenizers
    from tokenizers.models import WordLevel
    from transformers import PreTrainedTokenizerFast

    # 16,000 tokens with the special ones.
    words = texts.load_english().words[:15_997]
    tokens = ["<unk>", "<pad>", "<s>", *words]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    word_tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    word_tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=word_tokenizer, pad_token="<pad>", bos_token="<s>"
    )
    folder = Path(tempfile.mkdtemp(dir=os.environ["HF_HOME"]))
    return models.make_small_model(
        folder,
        "llama",
        tokenizer,
        head="AutoModelForCausalLM",
        hidden_size=384,
        intermediate_size=1024,
        num_hidden_layers=8,
        num_attention_heads=6,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
    )


def measure_rewards(rows: Rows) -> Any:
    """Return the rewards of two texts after a prompt, all as long as the row, by that model."""
    return metric("reward_accuracy").compute(
        prompts=rows.references,
        chosen=rows.predictions,
        rejected=rows.references,
        model=make_causal_model(),
        device="cpu",
        progress=False,
    )


def find_ideal_time(at_once: int, delay: float, rows: Rows) -> MeasuredSeconds:
    """Return the least possible time: the server's own, with `at_once` calls at once."""
    return MeasuredSeconds(len(rows.references) * delay / at_once)


def time_loading(rows: Rows) -> MeasuredSeconds:
    """Return the time to load all modules in a new process, after evaluate is imported."""
    folders = [str(METRICS / name) for name in NAMES]
    command = [sys.executable, "-c", LOAD, *folders]
    environment = {
        **os.environ,
        "PYTHONPATH": WITHOUT_TRANSFORMERS,
        # Empty: compiled files are kept, as for any user.
        "PYTHONDONTWRITEBYTECODE": "",
    }
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return MeasuredSeconds(process.stdout)


def time_page(program: str, rows: Rows) -> MeasuredSeconds:
    """Return the time from the start of the demo, or of another program, until its page loads."""
    from tests.browser.browsing import Demo, find_free_port

    folder = ROOT / "spaces" / "answer_lens"
    if program:
        folder = Path(tempfile.mkdtemp(dir=os.environ["HF_HOME"]))
        (folder / "app.py").write_text(program)
    start = time.perf_counter()
    demo = Demo.start(folder, find_free_port())
    with urllib.request.urlopen(demo.url) as page:
        page.read()
    seconds = MeasuredSeconds(time.perf_counter() - start)
    demo.stop()
    return seconds
