"""The cases of `make bench`: what is measured, on which texts, against whom, and what it is to reach.

The targets are bounds that were reached once, with equal scores.
"""

import functools
import gc
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any

from tests.benchmarks import texts, ways
from tests.benchmarks.texts import Rows
from tests.benchmarks.ways import Given, Missing, Way

Texts = Callable[[Random, int], Rows]
Maker = Callable[[Given], Way]
# How ours compares with a peer, in seconds a row; those that a target bounds from above are in AT_MOST.
KINDS: dict[str, Callable[[float, float], float]] = {
    "times faster": lambda ours, theirs: theirs / ours,
    "times its time": lambda ours, theirs: ours / theirs,
    "µs a row more": lambda ours, theirs: (ours - theirs) * 1e6,
    "µs a row": lambda ours, theirs: theirs * 1e6,
    "s a row": lambda ours, theirs: ours,
}
AT_MOST = ("times its time", "µs a row more", "s a row", "ms")
LV_EVAL = "LV-Eval's function"


@dataclass(frozen=True)
class Aim:
    """A comparison with one peer: who it is, in what it is measured, and the target; `tolerance` None compares no
    scores.
    """

    against: str
    make: Maker | None
    kind: str = "times faster"
    target: float | None = None
    tolerance: float | None = 0.0


@dataclass(frozen=True)
class Case:
    """What one process measures: so many rows of some texts, scored by us and by each peer in turn.

    `language` says which rows of a file may stand for the made-up ones; "" for texts of a form of their own.
    """

    what: str
    rows: int
    texts: Texts
    ours: Maker
    aims: tuple[Aim, ...]
    language: str = ""
    with_model: bool = False
    asks: bool = False

    def measure(self, name: str, given: Given) -> dict[str, Any]:
        """Return the case with its comparisons, each over all repeats."""
        made, missing = self.ways(given)
        times: dict[str, list[float]] = {who: [] for who in made}
        differences: dict[str, str] = {}
        count = 0
        for repeat in range(-1, given.repeats):  # the first is there to get warm
            rows = self.inputs(name, given, repeat + 1)
            count = len(rows.references)
            found = timed(made, rows, reverse=repeat % 2 == 1)
            self.compare(made, rows, found, differences)
            if repeat >= 0:
                for who, (seconds, _) in found.items():
                    times[who].append(seconds / count)
        lines = [self.line(aim, times, missing, differences) for aim in self.aims]
        what = self.what.format(rows=count) + (" (instead: rows of a file)" if given.data and self.language else "")
        return {"case": name, "what": what, "rows": count, "repeats": given.repeats, "lines": lines}

    def ways(self, given: Given) -> tuple[dict[str, Way], dict[str, str]]:
        """Return the ways to score, ours first, and for each peer that is not at hand what it needs."""
        made, missing = {"ours": self.ours(given)}, {}
        for aim in self.aims:
            if aim.make:
                try:
                    made[aim.against] = aim.make(given)
                except Missing as error:
                    missing[aim.against] = str(error)
        return made, missing

    def inputs(self, name: str, given: Given, number: int) -> Rows:
        """Return the rows of one repeat, none of them those of another."""
        count = max(2, round(self.rows * given.scale))
        if given.data and self.language:
            return texts.portion(texts.from_file(given.data, self.language), number, given.repeats + 1, count)
        return self.texts(Random(f"{name} {number}"), count)

    def compare(self, made: dict[str, Way], rows: Rows, found: dict[str, Any], differences: dict[str, str]) -> None:
        """Note for each peer the first row whose score differs from ours."""
        aims = [aim for aim in self.aims if aim.tolerance is not None and aim.against in made]
        ours = made["ours"].scores(rows, found["ours"][1]) if aims else []
        for aim in aims:
            theirs = made[aim.against].scores(rows, found[aim.against][1])
            difference = first_difference(ours, theirs, aim.tolerance or 0.0, rows)
            if difference and aim.against not in differences:
                differences[aim.against] = difference

    def line(
        self, aim: Aim, times: dict[str, list[float]], missing: dict[str, str], differences: dict[str, str]
    ) -> dict[str, Any]:
        """Return one line of the table."""
        about = {"against": aim.against, "kind": aim.kind, "target": aim.target}
        ours = times["ours"]
        theirs = times.get(aim.against) or [math.nan] * len(ours)
        if aim.against in missing:
            return {**about, "missing": missing[aim.against], "ours": median(ours)}
        each = [KINDS[aim.kind](*pair) for pair in zip(ours, theirs, strict=True)]
        about |= {"value": KINDS[aim.kind](median(ours), median(theirs)), "low": min(each), "high": max(each)}
        about |= {"ours": median(ours)} | ({"theirs": median(theirs)} if aim.make else {})
        if aim.make and aim.tolerance is not None:
            about |= {"equal": aim.against not in differences, "tolerance": aim.tolerance}
        return about | ({"difference": differences[aim.against]} if aim.against in differences else {})


def timed(made: dict[str, Way], rows: Rows, reverse: bool) -> dict[str, tuple[float, Any]]:
    """Return for each way its seconds and its result; who begins changes from one repeat to the next."""
    found = {}
    for who, way in reversed(made.items()) if reverse else made.items():
        gc.collect()
        start = time.perf_counter()
        result = way.run(rows)
        found[who] = time.perf_counter() - start, result
    return found


def first_difference(ours: list[Any], theirs: list[Any], tolerance: float, rows: Rows) -> str:
    """Return a sentence on the first score that differs, "" where none does. Where a peer fails, it has none."""
    if len(ours) != len(theirs):
        return f"{len(ours)} scores of ours and {len(theirs)} of the peer's"
    if theirs and all(other is None for other in theirs):
        return "the peer has no score for any row"
    over_all = len(ours) - len(ours) % len(rows.references)
    for i, (own, other) in enumerate(zip(ours, theirs, strict=True)):
        if other is None or own == other or (tolerance and abs(own - other) <= tolerance):
            continue
        if i >= over_all:
            return f"over all rows ours is {own!r}, the peer's {other!r}"
        row = f"prediction {rows.predictions[i]!r:.300}, reference {rows.references[i]!r:.300}"
        return f"row {i}: ours is {own!r}, the peer's {other!r}; {row}, keywords {rows.keywords[i]!r:.100}"
    return ""


def f1_cases() -> dict[str, Case]:
    """Return the cases of lv_eval_f1."""
    en, zh = (ways.original_way(ways.ORIGINALS[language]) for language in ("en", "zh"))
    limit = Aim("jieba.cut of the distinct texts", ways.cut_alone, "times its time", 1.15, None)

    def case(what: str, rows: int, made: Texts, ours: Maker, aims: tuple[Aim, ...], language: str = "") -> Case:
        return Case(f"`lv_eval_f1`, {what}", rows, made, ours, aims, language)

    per_row, mean = (Aim(LV_EVAL, en, target=3),), (Aim(LV_EVAL, ways.original_mean, target=2),)
    through = "English, through `compute`, {rows:,} rows"
    cut, shared = (Aim(LV_EVAL, zh, target=2), limit), (Aim(LV_EVAL, zh, target=3),)
    return {
        "f1-en": case("English, per row", 3_000, texts.english, ways.f1("en"), per_row, "en"),
        "f1-en-compute": case(through, 10_000, texts.english, ways.f1_compute("en"), mean, "en"),
        "f1-zh": case("Chinese", 600, texts.chinese, ways.f1("zh"), cut, "zh"),
        "f1-zh-shared": case("Chinese, five systems share the references", 1_000, texts.shared, ways.f1("zh"), shared),
    }


def rouge_zh_cases() -> dict[str, Case]:
    """Return the cases of lv_eval_rouge: characters of the answer and of the reference, and the target."""
    sizes = {"100": (100, 100, 200, 4.5), "3000-100": (3_000, 100, 20, 12), "3000-2000": (3_000, 2_000, 2, 60)}
    against = ways.original_way("rouge_zh_score_blacklist")
    cases = {}
    for name, (prediction, reference, rows, target) in sizes.items():
        made = functools.partial(texts.long_texts, prediction=prediction, reference=reference)
        what = f"`lv_eval_rouge`, {prediction:,} against {reference:,} characters"
        cases[f"lv-rouge-{name}"] = Case(what, rows, made, ways.lv_eval_rouge, (Aim(LV_EVAL, against, target=target),))
    made = functools.partial(texts.long_texts, prediction=10_000, reference=10_000)
    alone = (Aim("", None, "s a row", 0.1),)
    what = "`lv_eval_rouge`, 10,000 against 10,000 characters"
    return cases | {"lv-rouge-10000": Case(what, 5, made, ways.lv_eval_rouge, alone)}


def rouge_cases() -> dict[str, Case]:
    """Return the cases of rouge."""
    hundred = functools.partial(texts.english, least=100, most=100)

    def case(what: str, rows: int, made: Texts, stemmer: bool, target: float, language: str = "") -> Case:
        aims = (Aim("rouge_score", ways.rouge_score(stemmer), target=target),)
        return Case(f"`rouge`, four types, {what}", rows, made, ways.rouge(stemmer), aims, language)

    return {
        "rouge": case("100 words", 300, hundred, False, 15, "en"),
        "rouge-stemmer": case("100 words, stemmer", 200, hundred, True, 10, "en"),
        "rouge-lines": case("summaries of many lines", 40, texts.lines, False, 6),
    }


def compute_cases() -> dict[str, Case]:
    """Return the cases of `compute` itself."""
    short, cases = functools.partial(texts.english, most=15), {}
    for name, lists in (("texts", False), ("lists", True)):
        aims = (
            Aim("our pure functions", ways.f1_pure_mean, "µs a row more", 6),
            Aim("a module that does nothing", ways.nothing(lists), "µs a row", None, None),
        )
        what = f"`compute` itself, references as {name}, " + "{rows:,} rows"
        cases[f"compute-{name}"] = Case(what, 100_000, short, ways.f1_compute("auto", lists, each=False), aims)
    return cases


def other_cases() -> dict[str, Case]:
    """Return the cases of bleu, and of the modules that have their own peers."""
    hundred = functools.partial(texts.english, least=100, most=100)
    pairs = "`bleu`, sentences and corpus, {rows:,} pairs of 100 words"
    counted = (Aim("sacrebleu", ways.sacrebleu, target=1.5),)
    near = (Aim("bert_score", ways.bert_score, tolerance=1e-4),)  # there a pair's score depends on the others
    model = "`bertscore`, MiniLM, 5 to 60 words"
    calls = "`eve_judge`, one call after the other, a server that answers at once"
    asked = (Aim("the plain openai SDK", ways.openai),)
    return {
        "bleu": Case(pairs, 1_257, hundred, ways.bleu, counted, "en"),
        "bertscore": Case(model, 64, texts.english, ways.bertscore, near, "en", with_model=True),
        "eve-judge": Case(calls, 150, texts.english, ways.eve_judge, asked, asks=True),
    }


def real_cases() -> dict[str, Case]:
    """Return the cases on EVOUNA's answers and references, as far as they are at hand: through `compute`, for with
    references of two words it counts what a call costs.
    """
    if not texts.EVOUNA.exists():
        return {}

    def case(name: str, rows: int, ours: Maker, aim: Aim, with_model: bool = False) -> Case:
        return Case(f"`{name}`, EVOUNA, {{rows:,}} answers", rows, texts.evouna, ours, (aim,), with_model=with_model)

    near = Aim("bert_score", ways.bert_score, target=1.5, tolerance=5e-3)  # there a pair depends on its batch
    return {
        "evouna-f1": case("lv_eval_f1", 1_200, ways.f1_compute("en"), Aim(LV_EVAL, ways.original_mean, target=2)),
        "evouna-rouge": case("rouge", 1_200, ways.rouge_compute, Aim("rouge_score", ways.rouge_score(False), target=8)),
        "evouna-bleu": case("bleu", 1_200, ways.bleu, Aim("sacrebleu", ways.sacrebleu, target=1.5)),
        "evouna-cosine": case(
            "cosine_similarity", 300, ways.cosine, Aim("one `encode`", ways.encode, target=1, tolerance=1e-5), True
        ),
        "evouna-bertscore": case("bertscore", 200, ways.bertscore, near, True),
    }


CASES: dict[str, Case] = {
    **f1_cases(), **rouge_zh_cases(), **rouge_cases(), **compute_cases(), **other_cases(), **real_cases()
}  # fmt: skip
