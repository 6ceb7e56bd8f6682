"""The cases of `make bench`: ours and a peer's way to score some rows, and the target.

Targets are bounds that were reached once, with equal scores.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from metrics.benchmarks import texts, ways
from metrics.benchmarks.texts import MakeRows, Rows, load_evouna, draw_text_rows

# The figures that compare our time with the peer's, both in seconds per row. The target of "times
# faster" is a lower bound, all others are upper bounds.
COMPARISONS: dict[str, Callable[..., float]] = {
    "times faster": lambda ours, theirs: theirs / ours,
    "times its time": lambda ours, theirs: ours / theirs,
    "µs a row more": lambda ours, theirs: (ours - theirs) * 1e6,
    "s a row": lambda ours: ours,
    "ms": lambda ours: ours * 1e3,
}
Way = Callable[[Rows], Any]


class Peer(NamedTuple):
    """The program that ours is compared with.

    Attributes:
        name: its name in the table.
        way: the way that is timed.
        tolerance: how far its scores may differ from ours.
        scores: the way to its scores, if the timed one gives others.
    """

    name: str
    way: Way
    tolerance: float = 0.0
    scores: Way | None = None


class Case(NamedTuple):
    """Rows that we and a peer score.

    Attributes:
        title: the title in the table.
        rows: the number of rows.
        make_rows: makes the rows.
        ours: our way to score them.
        peer: the program to compare with.
        target: the bound of the figure.
        kind: the figure, one of COMPARISONS.
    """

    title: str
    rows: int
    make_rows: MakeRows
    ours: Way
    peer: Peer | None = None
    target: float | None = None
    kind: str = "times faster"


f1 = partial(ways.compute_with_rows, "lv_eval_f1", ["lv_eval_f1"], keywords=True)
f1_english = partial(f1, language="en")
f1_rows = partial(ways.score_row_by_row, "lv_eval_f1", 3)
f1_en = partial(f1_rows, language="en")
f1_zh = partial(f1_rows, language="zh")
lv_rouge = partial(ways.score_row_by_row, "lv_eval_rouge", 2)
rouge = partial(ways.compute_with_rows, "rouge", ways.ROUGE, language="en")
rouge_rows = partial(ways.score_row_by_row, "rouge", 2, language="en")
bleu = partial(ways.compute_with_rows, "bleu", ["sentence_bleu", "bleu"], language="en")
cosine = partial(ways.compute_with_rows, "cosine_similarity", [], per_example=True)
bertscore = partial(ways.compute_with_rows, "bertscore", [], per_example="brief")
# Seconds until the judge's server answers, and the number of calls at once.
DELAY, AT_ONCE = 0.3, 64
SERVER = f"1,280 calls, {AT_ONCE} at once, a server that takes {DELAY:g} s"
eve_judge = partial(ways.compute_with_rows, "eve_judge", [], cache=True, max_concurrency=AT_ONCE)
l3score = partial(ways.compute_with_rows, "l3score", [], cache=True, max_concurrency=AT_ONCE)

LV_EVAL = "LV-Eval's function"
F1_EN = Peer(LV_EVAL, partial(ways.score_with_lv_eval, "qa_f1_score_with_gold_ans"))
F1_EN_MEAN = Peer(LV_EVAL, partial(ways.average_scores, F1_EN.way))
F1_ZH = Peer(LV_EVAL, partial(ways.score_with_lv_eval, "qa_f1_zh_score_with_gold_ans"))
LV_ROUGE = Peer(LV_EVAL, partial(ways.score_with_lv_eval, "rouge_zh_score_blacklist"))
ROUGE = Peer("rouge_score", partial(ways.score_with_rouge_score, False))
STEMMED = Peer("rouge_score", partial(ways.score_with_rouge_score, True))
ROUGE_MEANS = Peer("rouge_score", ways.average_rouge_score)
PURE = Peer("our pure functions", partial(ways.average_scores, f1_rows))
SACREBLEU = Peer("sacrebleu", ways.score_with_sacrebleu)
CARD = Peer("the loop of EVE's card", ways.score_with_card_loop, 1e-5)
ENCODE = Peer("one `encode`", ways.score_with_one_encode, 1e-5)
# Scores are compared pair by pair: in a batch, the package reads padding as tokens of cosine 0.
BERT_SCORE = Peer(
    "bert_score",
    partial(ways.score_with_bert_score, 64),
    1e-4,
    partial(ways.score_with_bert_score, 1),
)
IDEAL = Peer("the server's own time", partial(ways.find_ideal_time, AT_ONCE, DELAY))
BLANK = Peer("a gradio page with nothing in it", partial(ways.time_page, ways.BLANK))

# Texts of some lengths: in words in English, in characters in Chinese.
english = partial(draw_text_rows, texts.load_english)
short = partial(english, least=5, most=15)
usual = partial(english, least=5, most=60)
hundred = partial(english, least=100, most=100)
some_hundred = partial(english, least=50, most=150)
chinese = partial(draw_text_rows, texts.load_chinese)
zh = partial(chinese, least=10, most=200)
zh_100 = partial(chinese, least=100, most=100)
zh_2000 = partial(chinese, least=2_000, most=2_000, answer_characters=3_000)
zh_10000 = partial(chinese, least=10_000, most=10_000)

F1 = "`lv_eval_f1`"
COMPUTE = "`compute` itself, references as"
LV = "`lv_eval_rouge`"
TYPES = "`rouge`, four types"
CASES = {
    "f1-en": Case(f"{F1}, English, per row", 3_000, usual, f1_en, F1_EN, target=3),
    "f1-en-compute": Case(
        f"{F1}, English, through `compute`, 10,000 rows",
        10_000,
        usual,
        f1_english,
        F1_EN_MEAN,
        target=2,
    ),
    "f1-zh": Case(f"{F1}, Chinese", 600, zh, f1_zh, F1_ZH, target=2),
    "f1-zh-shared": Case(
        f"{F1}, Chinese, five systems share the references",
        1_000,
        texts.make_rows_of_systems,
        f1_zh,
        F1_ZH,
        target=3,
    ),
    "lv-rouge-100": Case(
        f"{LV}, 100 against 100 characters", 200, zh_100, lv_rouge, LV_ROUGE, target=4.5
    ),
    "lv-rouge-3000-2000": Case(
        f"{LV}, 3,000 against 2,000 characters", 2, zh_2000, lv_rouge, LV_ROUGE, target=60
    ),
    "lv-rouge-10000": Case(
        f"{LV}, 10,000 against 10,000 characters",
        5,
        zh_10000,
        lv_rouge,
        None,
        target=0.1,
        kind="s a row",
    ),
    "rouge": Case(f"{TYPES}, 100 words", 300, hundred, rouge_rows, ROUGE, target=15),
    "rouge-stemmer": Case(
        f"{TYPES}, 100 words, stemmer",
        200,
        hundred,
        partial(rouge_rows, use_stemmer=True),
        STEMMED,
        target=10,
    ),
    "rouge-lines": Case(
        f"{TYPES}, summaries of many lines", 40, texts.make_summaries, rouge_rows, ROUGE, target=6
    ),
    "compute-texts": Case(
        f"{COMPUTE} texts, 100,000 rows", 100_000, short, f1, PURE, target=6, kind="µs a row more"
    ),
    "compute-lists": Case(
        f"{COMPUTE} lists, 100,000 rows",
        100_000,
        short,
        partial(f1, lists=True),
        PURE,
        target=6,
        kind="µs a row more",
    ),
    "bleu": Case(
        "`bleu`, sentences and corpus, 1,257 pairs of 100 words",
        1_257,
        hundred,
        bleu,
        SACREBLEU,
        target=1.5,
    ),
    "cosine": Case(
        "`cosine_similarity`, MiniLM, 50 to 150 words", 192, some_hundred, cosine, CARD, target=1.4
    ),
    "bertscore": Case(
        "`bertscore`, MiniLM, 5 to 60 words", 64, usual, bertscore, BERT_SCORE, target=1.5
    ),
    "eve-judge-64": Case(
        f"`eve_judge`, {SERVER}", 1_280, usual, eve_judge, IDEAL, target=1.15, kind="times its time"
    ),
    "l3score-64": Case(
        f"`l3score`, {SERVER}", 1_280, usual, l3score, IDEAL, target=1.15, kind="times its time"
    ),
    # With references of two words, these measure the overhead of a call.
    "evouna-f1": Case(
        f"{F1}, EVOUNA, 1,200 answers", 1_200, load_evouna, f1_english, F1_EN_MEAN, target=2
    ),
    "evouna-rouge": Case(
        "`rouge`, EVOUNA, 1,200 answers", 1_200, load_evouna, rouge, ROUGE_MEANS, target=8
    ),
    "evouna-bleu": Case(
        "`bleu`, EVOUNA, 1,200 answers", 1_200, load_evouna, bleu, SACREBLEU, target=1.5
    ),
    "evouna-cosine": Case(
        "`cosine_similarity`, EVOUNA, 300 answers", 300, load_evouna, cosine, ENCODE, target=1
    ),
    "evouna-bertscore": Case(
        "`bertscore`, EVOUNA, 200 answers", 200, load_evouna, bertscore, BERT_SCORE, target=1.5
    ),
    "load": Case(
        "`evaluate.load` of all modules", 1, short, ways.time_loading, None, target=100, kind="ms"
    ),
    "demo": Case(
        "the demo, from its start to the page",
        1,
        short,
        partial(ways.time_page, ""),
        BLANK,
        target=1.5,
        kind="times its time",
    ),
}

# Rows per second: the kinds of texts, and the rows that take about a second; 1,000 rows if a module
# is not listed.
KINDS_OF_TEXT = {
    "English, 15 words": partial(english, least=15, most=15),
    "English, 100 words": hundred,
    "Chinese, 100 characters": zh_100,
}
RATE_ROWS = {
    "bertscore": 24,
    "cosine_similarity": 32,
    "reward_accuracy": 6,
    "eve_judge": 200,
    "l3score": 200,
}
