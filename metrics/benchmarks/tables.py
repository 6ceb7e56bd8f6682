"""The tables of `make agreement`, in Markdown, and the words for what they show."""

import math
from collections.abc import Mapping
from typing import Any

from metrics.training.verdicts import LENGTHS
from metrics.benchmarks.report import markdown
from metrics.benchmarks.series import GATE
from tests.support.judges import JUDGES

Entry = Mapping[str, Any]
# An AUROC that may lie below is shown as one not to trust: more than one pair in five the wrong way round.
WEAK = 0.8
OF_LENGTH = {"short": "under 5 words", "medium": "5 to 20 words", "long": "over 20 words"}
# The table at the top of the project: the usual scores, then those that rank systems better.
FINDING = (
    "lv_eval_f1 bleu rougeL cosine_similarity bertscore rougeL_recall bertscore_recall correctness_estimate".split()
)


def label(name: str, score: Entry) -> str:
    """Return what a score is called in a table; for a judge, on how much it was measured.

    >>> label("rougeL_recall", {"model": ""}), label("bertscore", {"model": "MiniLM"})
    ('`rougeL`, its recall', '`bertscore` (MiniLM)')
    >>> label("l3score x/y", {"model": "x/y", "questions": 100, "unscored": {"timeout": 2}})
    '`l3score` (x/y), 100 questions, 2 answers unscored'
    """
    if name == GATE:
        return "`lv_eval_f1`, the reference as keywords"
    base, _, part = name.partition(" ")[0].rpartition("_")
    of_part = part in ("recall", "precision")
    found = f"`{base}`" if of_part else f"`{name.partition(' ')[0]}`"
    found += f" ({score['model']})" if score["model"] else ""
    found += f", its {part}" if of_part else ""
    found += ", each question left out of its training" if score.get("left_out") else ""
    if "questions" in score:
        failed = sum(score["unscored"].values())
        found += f", {score['questions']:,} questions" + (f", {failed:,} answers unscored" if failed else "")
    return found


def decimal(value: float | None, digits: int = 3) -> str:
    """Return a figure, a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def area(figures: Entry) -> str:
    """Return an AUROC with its interval."""
    ends = "" if figures.get("low") is None else f" ({decimal(figures['low'])} – {decimal(figures['high'])})"
    return decimal(figures.get("auroc")) + ends


def cut(figures: Entry) -> str:
    """Return the best accuracy, and from which score up an answer is right there."""
    if "accuracy" not in figures:
        return "–"
    least = figures["threshold"]
    return f"{100 * figures['accuracy']:.1f}%, {'none right' if least is None else f'from {rounded_down(least)}'}"


def rounded_down(value: float) -> str:
    """Return the first three digits of a figure: rounding up, answers that just reach it would be shut out.

    >>> rounded_down(0.666666), rounded_down(0.0078431), rounded_down(0.5), rounded_down(0.0), rounded_down(-0.0213)
    ('0.666', '0.00784', '0.5', '0', '-0.0213')
    """
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{math.floor(round(value * 10**digits, 3)) / 10**digits:g}"


def ranking(score: Entry) -> str:
    """Return Kendall's tau with its interval."""
    ends = "" if score["tau_low"] is None else f" ({score['tau_low']:.2f} to {score['tau_high']:.2f})"
    return decimal(score["tau"], 2) + ends


def doubts(score: Entry) -> str:
    """Return what a score should not be trusted with: an AUROC that may lie below WEAK, a tau that may be 0 or less."""
    lows = {title: score["lengths"][name].get("low") for name, title in OF_LENGTH.items()}
    lengths = [title for title, low in lows.items() if low is not None and low < WEAK]
    found = ["answers of any length"] if len(lengths) == len(lows) else [f"answers of {name}" for name in lengths]
    if score["tau"] is not None and not (score["tau_low"] or 0) > 0:
        found.append("ranking the systems")
    return "; ".join(found)


def all_scores(entry: Entry) -> dict[str, Entry]:
    """Return the scores of a data set, those of judges last."""
    return {**entry["scores"], **entry.get("judges", {})}


def summary(entry: Entry) -> str:
    """Return the table of all scores over all answers."""
    titles = ("score", "AUROC (95% interval)", *OF_LENGTH.values(), "best accuracy, threshold", "tau")
    rows = []
    for name, score in all_scores(entry).items():
        lengths = [decimal(score["lengths"][length].get("auroc")) for length in LENGTHS]
        found = [area(score["overall"]), *lengths, cut(score["overall"]), ranking(score), doubts(score)]
        rows.append([label(name, score), *found])
    missing = {*JUDGES} - {score["module"] for score in all_scores(entry).values()}
    rows += [[f"`{judge}`", "not measured", *[""] * (len(titles) - 1)] for judge in sorted(missing)]
    return markdown((*titles, "not to be trusted with"), rows)


def finding(entry: Entry) -> str:
    """Return the table of FINDING."""
    found = {name: entry["scores"][name] for name in FINDING}
    cells = [
        [label(name, score).partition(", each")[0], decimal(score["overall"]["auroc"]), decimal(score["tau"], 2)]
        for name, score in found.items()
    ]
    return markdown(("score", "AUROC", "tau"), cells)


def parted(entry: Entry, part: str, names: Mapping[str, str]) -> str:
    """Return the table of all scores for each system, or for each length of the answer."""
    heads = []
    for name, title in names.items():
        group = entry[part][name]
        right = f", {100 * group['right']:.0f}% right" if "right" in group else ""
        heads.append(f"{title}, {group['answers']:,} answers{right}")
    rows = [
        [label(name, score), *(f"{area(score[part][one])}; {cut(score[part][one])}" for one in names)]
        for name, score in all_scores(entry).items()
    ]
    return markdown(("score", *heads), rows)


def details(entry: Entry) -> str:
    """Return the further tables of a data set. Ranked are the shares that people find right and each score's means."""
    ranked = sorted(entry["systems"], key=lambda name: -entry["systems"][name]["right"])
    systems = {name: name.replace("|", r"\|") for name in ranked}
    rows = [["people: share right", *(decimal(entry["systems"][name]["right"]) for name in ranked), "1"]]
    for name, score in all_scores(entry).items():
        rows.append([label(name, score), *(decimal(score["means"][one]) for one in ranked), decimal(score["tau"], 2)])
    parts = {
        "By length of the answer": parted(entry, "lengths", OF_LENGTH),
        "For each system": parted(entry, "systems", systems),
        "The ranking of the systems": markdown(("mean", *systems.values(), "tau"), rows),
    }
    return "\n\n".join(f"### {title}\n\n{table}" for title, table in parts.items())
