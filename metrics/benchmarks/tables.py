"""The tables of `make agreement` in Markdown, with the names of scores in them."""

import math
from collections.abc import Mapping
from typing import Any

from metrics.training.verdicts import LENGTHS
from metrics.benchmarks.report import format_table
from metrics.benchmarks.series import GATE
from tests.support.judges import JUDGES

Entry = Mapping[str, Any]
# If an AUROC may be lower, the score is not to be trusted: in more than one of five pairs the wrong
# answer may score higher than the right one.
TRUSTED_AUROC = 0.8
# The lengths of an answer in words, as tables have them.
OF_LENGTH = {"short": "under 5 words", "medium": "5 to 20 words", "long": "over 20 words"}
# The scores in the table of README.md: first the usual ones, then those that rank systems better.
FINDING = (
    "lv_eval_f1 bleu rougeL cosine_similarity bertscore rougeL_recall bertscore_recall "
    "correctness_estimate"
).split()


def name_score(name: str, score: Entry) -> str:
    """Return the name of a score in a table; for a judge, with the size of its sample.

    >>> name_score("rougeL_recall", {"model": ""}), name_score("bertscore", {"model": "MiniLM"})
    ('`rougeL`, its recall', '`bertscore` (MiniLM)')
    >>> name_score("l3score x/y", {"model": "x/y", "questions": 100, "unscored": {"timeout": 2}})
    '`l3score` (x/y), 100 questions, 2 answers unscored'
    """
    if name == GATE:
        return "`lv_eval_f1`, the reference as keywords"
    module, _, _ = name.partition(" ")
    base, _, part = module.rpartition("_")
    has_part = part in ("recall", "precision")
    label = f"`{base if has_part else module}`"
    if score["model"]:
        label += f" ({score['model']})"
    if has_part:
        label += f", its {part}"
    if score.get("left_out"):
        label += ", each question left out of its training"
    if "questions" in score:
        label += f", {score['questions']:,} questions"
        failed = sum(score["unscored"].values())
        if failed:
            label += f", {failed:,} answers unscored"
    return label


def format_decimal(value: float | None, digits: int = 3) -> str:
    """Return a figure with its decimals, or a dash if there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def format_area(figures: Entry) -> str:
    """Return an AUROC with its interval."""
    area = format_decimal(figures.get("auroc"))
    if figures.get("low") is None:
        return area
    return f"{area} ({format_decimal(figures['low'])} – {format_decimal(figures['high'])})"


def format_accuracy(figures: Entry) -> str:
    """Return the best accuracy, and the least score that counts as right for it."""
    if "accuracy" not in figures:
        return "–"
    least = figures["threshold"]
    rule = "none right" if least is None else f"from {round_down(least)}"
    return f"{100 * figures['accuracy']:.1f}%, {rule}"


def round_down(value: float) -> str:
    """Return a figure rounded down to three digits.

    Rounded up, it would exclude answers that just reach it.

    >>> [round_down(value) for value in (0.666666, 0.0078431, 0.5, 0.0, -0.0213)]
    ['0.666', '0.00784', '0.5', '0', '-0.0213']
    """
    if not value:
        return "0"
    decimals = 2 - math.floor(math.log10(abs(value)))
    # `round` removes the error of the product, which might be a little too small.
    three_digits = math.floor(round(value * 10**decimals, 3))
    return f"{three_digits / 10**decimals:g}"


def format_tau(score: Entry) -> str:
    """Return Kendall's tau with its interval."""
    tau = format_decimal(score["tau"], 2)
    if score["tau_low"] is None:
        return tau
    return f"{tau} ({score['tau_low']:.2f} to {score['tau_high']:.2f})"


def describe_doubts(score: Entry) -> str:
    """Return what a score is not to be trusted with: lengths of answers, or the ranking of systems.

    The AUROC of these lengths may be below TRUSTED_AUROC; the tau of the ranking may be 0 or less.
    """
    doubts = []
    for name, title in OF_LENGTH.items():
        low = score["lengths"][name].get("low")
        if low is not None and low < TRUSTED_AUROC:
            doubts.append(f"answers of {title}")
    if len(doubts) == len(OF_LENGTH):
        doubts = ["answers of any length"]
    is_ranking_sure = (score["tau_low"] or 0) > 0
    if score["tau"] is not None and not is_ranking_sure:
        doubts.append("ranking the systems")
    return "; ".join(doubts)


def list_scores(entry: Entry) -> dict[str, Entry]:
    """Return the scores of a data set, those of judges last."""
    return {**entry["scores"], **entry.get("judges", {})}


def format_summary(entry: Entry) -> str:
    """Return the table of all scores over all answers."""
    titles = (
        "score",
        "AUROC (95% interval)",
        *OF_LENGTH.values(),
        "best accuracy, threshold",
        "tau",
    )
    rows = []
    measured = set()
    for name, score in list_scores(entry).items():
        measured.add(score["module"])
        row = [name_score(name, score), format_area(score["overall"])]
        for length in LENGTHS:
            row.append(format_decimal(score["lengths"][length].get("auroc")))
        row += [
            format_accuracy(score["overall"]),
            format_tau(score),
            describe_doubts(score),
        ]
        rows.append(row)
    empty_cells = [""] * (len(titles) - 1)
    for judge in sorted({*JUDGES} - measured):
        rows.append([f"`{judge}`", "not measured", *empty_cells])
    return format_table((*titles, "not to be trusted with"), rows)


def format_finding(entry: Entry) -> str:
    """Return the table of the scores in FINDING."""
    rows = []
    for name in FINDING:
        score = entry["scores"][name]
        title, _, _ = name_score(name, score).partition(", each")
        auroc = format_decimal(score["overall"]["auroc"])
        tau = format_decimal(score["tau"], 2)
        rows.append([title, auroc, tau])
    return format_table(("score", "AUROC", "tau"), rows)


def format_groups(entry: Entry, part: str, names: Mapping[str, str]) -> str:
    """Return the table of all scores for each system, or for each length of the answer."""
    heads = []
    for name, title in names.items():
        group = entry[part][name]
        right = f", {100 * group['right']:.0f}% right" if "right" in group else ""
        heads.append(f"{title}, {group['answers']:,} answers{right}")
    rows = []
    for score_name, score in list_scores(entry).items():
        row = [name_score(score_name, score)]
        for name in names:
            figures = score[part][name]
            row.append(f"{format_area(figures)}; {format_accuracy(figures)}")
        rows.append(row)
    return format_table(("score", *heads), rows)


def format_details(entry: Entry) -> str:
    """Return the further tables of a data set.

    The table of the ranking has people's shares of right answers, and each score's means.
    """
    shares = {name: figures["right"] for name, figures in entry["systems"].items()}
    ranked = sorted(shares, key=lambda name: -shares[name])
    systems = {name: name.replace("|", r"\|") for name in ranked}
    peoples_shares = [format_decimal(shares[system]) for system in ranked]
    rows = [["people: share right", *peoples_shares, "1"]]
    for name, score in list_scores(entry).items():
        means = [format_decimal(score["means"][system]) for system in ranked]
        tau = format_decimal(score["tau"], 2)
        rows.append([name_score(name, score), *means, tau])
    sections = {
        "By length of the answer": format_groups(entry, "lengths", OF_LENGTH),
        "For each system": format_groups(entry, "systems", systems),
        "The ranking of the systems": format_table(("mean", *systems.values(), "tau"), rows),
    }
    return "\n\n".join(f"### {title}\n\n{table}" for title, table in sections.items())
