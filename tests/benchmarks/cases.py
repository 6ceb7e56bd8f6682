"""The cases of `make bench`: what is measured, on how many rows of which texts, against whom, and what it is to reach.

The targets are bounds that were reached once, with equal scores.
"""

from functools import partial

from tests.benchmarks import starts, texts, ways
from tests.benchmarks.measuring import Case, Maker, Peer
from tests.benchmarks.texts import Texts

LV_EVAL = "LV-Eval's function"
ENGLISH, CHINESE = ways.original("qa_f1_score_with_gold_ans"), ways.original("qa_f1_zh_score_with_gold_ans")
ENGLISH_MEAN = ways.mean_of(ENGLISH)
F1 = ways.compute("lv_eval_f1", "lv_eval_f1", keywords=True, language="en")
F1_ENGLISH, F1_CHINESE = (ways.pure("lv_eval_f1", 3, language=language) for language in ("en", "zh"))
ROUGE = ways.compute("rouge", parts=ways.ROUGE, language="en")
# Seconds until a judge's server answers, and how many calls it is asked at once.
DELAY, AT_ONCE = 0.3, 64

short = partial(texts.english, most=15)
hundred = partial(texts.english, least=100, most=100)
some_hundred = partial(texts.english, least=50, most=150)


def f1(what: str, rows: int, made: Texts, ours: Maker, theirs: Peer, target: float) -> Case:
    return Case(f"`lv_eval_f1`, {what}", rows, made, ours, LV_EVAL, theirs, target)


def rouge_zh(rows: int, prediction: int, reference: int, target: float | None = None) -> Case:
    """Return a case of lv_eval_rouge on texts of so many characters; without a target it is measured alone."""
    what = f"`lv_eval_rouge`, {prediction:,} against {reference:,} characters"
    made = partial(texts.long_texts, prediction=prediction, reference=reference)
    if target is None:
        return Case(what, rows, made, ways.pure("lv_eval_rouge"), target=0.1, kind="s a row")
    original = ways.original("rouge_zh_score_blacklist")
    return Case(what, rows, made, ways.pure("lv_eval_rouge"), LV_EVAL, original, target)


def rouge(what: str, rows: int, made: Texts, stemmer: bool, target: float, ours: Maker | None = None) -> Case:
    """Return a case of the four types of ROUGE, row by row unless ours is another way."""
    ours = ours or ways.pure("rouge", language="en", use_stemmer=stemmer)
    return Case(f"`rouge`, {what}", rows, made, ours, "rouge_score", ways.rouge_score(stemmer), target)


def bleu(what: str, rows: int, made: Texts) -> Case:
    ours = ways.compute("bleu", "sentence_bleu", "bleu", language="en")
    return Case(f"`bleu`, {what}", rows, made, ours, "sacrebleu", ways.sacrebleu, 1.5)


def cosine(what: str, rows: int, made: Texts, against: str, theirs: Peer, target: float) -> Case:
    ours = ways.compute("cosine_similarity", per_example=True)
    about = f"`cosine_similarity`, {what}"
    return Case(about, rows, made, ours, against, theirs, target, tolerance=1e-5, with_model=True)


def bertscore(what: str, rows: int, made: Texts) -> Case:
    ours, theirs = ways.compute("bertscore", per_example="brief"), ways.bert_score
    about = f"`bertscore`, {what}"
    return Case(about, rows, made, ours, "bert_score", theirs, 1.5, tolerance=1e-4, with_model=True)


def itself(kind: str) -> Case:
    """Return the case of what `compute` takes besides the scoring."""
    what = f"`compute` itself, references as {kind}, {{rows:,}} rows"
    ours = ways.compute("lv_eval_f1", "lv_eval_f1", keywords=True, lists=kind == "lists")
    theirs = ways.mean_of(ways.pure("lv_eval_f1", 3))
    return Case(what, 100_000, short, ours, "our pure functions", theirs, 6, "µs a row more")


def judge(name: str) -> Case:
    what = f"`{name}`, {{rows:,}} calls, {AT_ONCE} at once, a server that takes {DELAY:g} s"
    ours, theirs = ways.compute(name, cache=True, max_concurrency=AT_ONCE), ways.ideal(AT_ONCE, DELAY)
    against = "the server's own time"
    return Case(what, 1_280, texts.english, ours, against, theirs, 1.15, "times its time", None, judge=DELAY)


def start(what: str, ours: Maker, against: str, theirs: Peer, target: float, kind: str = "times its time") -> Case:
    """Return a case that scores nothing."""
    return Case(what, 1, texts.none, ours, against, theirs, target, kind, tolerance=None)


CASES: dict[str, Case] = {
    "f1-en": f1("English, per row", 3_000, texts.english, F1_ENGLISH, ENGLISH, 3),
    "f1-en-compute": f1("English, through `compute`, {rows:,} rows", 10_000, texts.english, F1, ENGLISH_MEAN, 2),
    "f1-zh": f1("Chinese", 600, texts.chinese, F1_CHINESE, CHINESE, 2),
    "f1-zh-shared": f1("Chinese, five systems share the references", 1_000, texts.shared, F1_CHINESE, CHINESE, 3),
    "lv-rouge-100": rouge_zh(200, 100, 100, 4.5),
    "lv-rouge-3000-2000": rouge_zh(2, 3_000, 2_000, 60),
    "lv-rouge-10000": rouge_zh(5, 10_000, 10_000),
    "rouge": rouge("four types, 100 words", 300, hundred, False, 15),
    "rouge-stemmer": rouge("four types, 100 words, stemmer", 200, hundred, True, 10),
    "rouge-lines": rouge("four types, summaries of many lines", 40, texts.lines, False, 6),
    "compute-texts": itself("texts"),
    "compute-lists": itself("lists"),
    "bleu": bleu("sentences and corpus, {rows:,} pairs of 100 words", 1_257, hundred),
    "cosine": cosine("MiniLM, 50 to 150 words", 192, some_hundred, "the loop of EVE's card", ways.card_loop, 1.4),
    "bertscore": bertscore("MiniLM, 5 to 60 words", 64, texts.english),
    "eve-judge-64": judge("eve_judge"),
    "l3score-64": judge("l3score"),
    "files": Case(
        "the demo's tab Files, four scores of {rows:,} answers of 100 words",
        1_257,
        hundred,
        starts.files_tab,
        "`compute` of the four modules",
        ways.words,
        kind="times its time",
        tolerance=None,
    ),
    # With references of two words it counts what a call costs.
    "evouna-f1": f1("EVOUNA, {rows:,} answers", 1_200, texts.evouna, F1, ENGLISH_MEAN, 2),
    "evouna-rouge": rouge("EVOUNA, {rows:,} answers", 1_200, texts.evouna, False, 8, ROUGE),
    "evouna-bleu": bleu("EVOUNA, {rows:,} answers", 1_200, texts.evouna),
    "evouna-cosine": cosine("EVOUNA, {rows:,} answers", 300, texts.evouna, "one `encode`", ways.encode, 1),
    "evouna-bertscore": bertscore("EVOUNA, {rows:,} answers", 200, texts.evouna),
    "load": start(
        "`evaluate.load` of all modules", starts.our_modules, "as many empty ones", starts.empty_modules, 100, "ms"
    ),
    "demo": start(
        "the demo until its page is there", starts.our_page, "an empty page of gradio", starts.empty_page, 1.5
    ),
}
if not texts.EVOUNA.exists():
    CASES = {name: case for name, case in CASES.items() if case.texts is not texts.evouna}
