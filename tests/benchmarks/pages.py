"""What readers see of agreement.json: the README's tables, a line in each metric card, and what the demo shows.

All of it is written by `make agreement`, or from the figures as they are by `python -m tests.benchmarks.agreement
--pages`; tests/test_agreement.py compares.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import COMPARED
from tests.benchmarks.report import markdown, placed
from tests.benchmarks.series import GATE
from tests.benchmarks.verdicts import LENGTHS
from tests.judges import JUDGES
from tests.project import METRICS, NAMES, OF_JUDGES, ROOT

Entry = Mapping[str, Any]
RESULTS = ROOT / "tests" / "benchmarks" / "agreement.json"
RATES = ROOT / "tests" / "benchmarks" / "results.json"
README = ROOT / "README.md"
SHOWN = ROOT / "spaces" / "answer_lens" / "agreement.json"
CHOOSING = ROOT / "tests" / "benchmarks" / "choosing.md"
COMMAND = "make agreement"
# An AUROC that may lie below is shown as one not to trust: more than one pair in five the wrong way round.
WEAK = 0.8
OF_LENGTH = {"short": "under 5 words", "medium": "5 to 20 words", "long": "over 20 words"}
LANGUAGES = {"en": "English", "zh": "Chinese"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# What the demo calls its scores; the others have the names of their modules.
ON_CARDS = {"rougeL": "rouge"}


def known(path: Path) -> dict[str, Any]:
    """Return the figures of a file, or none where it is not there; ValueError where it holds something else."""
    if not path.exists():
        return {"data": {}}
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is broken, restore it or take it away: {error}") from None
    if not isinstance(found, dict) or not isinstance(found.get("data"), dict):
        raise ValueError(f"{path} has no figures of this command (--json names another file)")
    return found


def keep(path: Path, results: Mapping[str, Any]) -> None:
    """Write the figures."""
    put(path, json.dumps(results, indent=1, ensure_ascii=False) + "\n")


def put(path: Path, text: str) -> None:
    """Write a file whole or not at all, wherever it is broken off."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, "utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def first(results: Mapping[str, Any]) -> Entry:
    """Return the data set that cards and demo show: the first one measured."""
    if not results["data"]:
        raise ValueError("nothing has been measured yet (make agreement DATA=path)")
    return next(iter(results["data"].values()))


def label(name: str, score: Entry) -> str:
    """Return what a score is called in a table; for a judge, on how much it was measured.

    >>> label("rougeL_recall", {"model": ""}), label("bertscore", {"model": "MiniLM"})
    ('`rougeL`, its recall', '`bertscore` (MiniLM)')
    >>> label("l3score x/y", {"model": "x/y", "questions": 100, "unscored": {"timeout": 2}})
    '`l3score` (x/y), 100 questions, 2 answers unscored'
    """
    if "questions" in score:
        failed = sum(score["unscored"].values())
        of_sample = f", {score['questions']:,} questions" + (f", {failed:,} answers unscored" if failed else "")
        return f"`{name.partition(' ')[0]}` ({score['model']}){of_sample}"
    if name == GATE:
        return "`lv_eval_f1`, the reference as keywords"
    base, _, part = name.rpartition("_")
    of_part = part in ("recall", "precision") and base
    model = f" ({score['model']})" if score["model"] else ""
    return f"`{base}`{model}, its {part}" if of_part else f"`{name}`{model}"


def decimal(value: float | None, digits: int = 3) -> str:
    """Return a figure, a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def area(figures: Entry) -> str:
    """Return an AUROC with its interval."""
    value = figures.get("auroc")
    if value is None:
        return "–"
    ends = "" if figures["low"] is None else f" ({decimal(figures['low'])} – {decimal(figures['high'])})"
    return decimal(value) + ends


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
    if value == 0:
        return "0"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{math.floor(round(value * 10**digits, 3)) / 10**digits:g}"


def ranking(score: Entry) -> str:
    """Return Kendall's tau with its interval."""
    if score["tau"] is None:
        return "–"
    ends = "" if score["tau_low"] is None else f" ({score['tau_low']:.2f} to {score['tau_high']:.2f})"
    return f"{score['tau']:.2f}{ends}"


def weak(figures: Entry) -> bool:
    """Return whether an AUROC may lie below WEAK."""
    return figures.get("low") is not None and figures["low"] < WEAK


def doubts(score: Entry) -> str:
    """Return what a score should not be trusted with."""
    lengths = [OF_LENGTH[name] for name in LENGTHS if weak(score["lengths"][name])]
    found = ["answers of any length"] if len(lengths) == len(LENGTHS) else [f"answers of {name}" for name in lengths]
    if score["tau"] is not None and score["tau"] <= 0:
        found.append("ranking the systems")
    return "; ".join(found)


def all_scores(entry: Entry) -> dict[str, Entry]:
    """Return the scores of a data set, those of judges last."""
    return {**entry["scores"], **entry.get("judges", {})}


def summary(entry: Entry) -> str:
    """Return the table of all scores over all answers."""
    titles = (
        "score",
        "AUROC (95% interval)",
        *OF_LENGTH.values(),
        "best accuracy, threshold",
        "tau",
        "not to be trusted with",
    )
    rows: list[list[str]] = []
    for name, score in all_scores(entry).items():
        lengths = [decimal(score["lengths"][length].get("auroc")) for length in LENGTHS]
        rows.append(
            [label(name, score), area(score["overall"]), *lengths, cut(score["overall"]), ranking(score), doubts(score)]
        )
    measured = {score["module"] for score in all_scores(entry).values()}
    rows += [[f"`{judge}`", "not measured", *[""] * (len(titles) - 2)] for judge in JUDGES if judge not in measured]
    return markdown(titles, rows)


def parted(entry: Entry, part: str, names: Mapping[str, str]) -> str:
    """Return the table of all scores for each system, or for each length of the answer."""
    cells = {name: score[part] for name, score in all_scores(entry).items()}
    rows = [
        [label(name, score), *(f"{area(cells[name][one])}; {cut(cells[name][one])}" for one in names)]
        for name, score in all_scores(entry).items()
    ]
    heads = [
        f"{title}, {entry[part][name]['answers']:,} answers{right(entry[part][name])}" for name, title in names.items()
    ]
    return markdown(("score", *heads), rows)


def right(figures: Entry) -> str:
    """Return the share of right answers as it follows their number."""
    return f", {100 * figures['right']:.0f}% right" if "right" in figures else ""


def told(entry: Entry) -> str:
    """Return the title of a data set with its source."""
    source = f"[{entry['source'] or entry['url']}]({entry['url']})" if entry["url"] else entry["source"]
    return f"**{entry['title']}**" + (f" ({source})" if source else "")


def counted(count: int, thing: str) -> str:
    """Return how many of something, a small number as a word.

    >>> counted(1, "system"), counted(3020, "question")
    ('one system', '3,020 questions')
    """
    number = NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"
    return f"{number} {thing}" + ("s" if count != 1 else "")


def median(words: Entry) -> str:
    """Return how long the references are."""
    return f"{words['median']} word{'' if words['median'] == 1 else 's'} in the median"


def about(entry: Entry) -> str:
    """Return a paragraph on a data set."""
    overall, words = entry["overall"], entry["reference_words"]
    share = overall["right"]
    left_out = "; ".join(f"{what}: {count:,}" for what, count in entry["left_out"].items())
    return (
        f"{told(entry)}: {counted(overall['answers'], 'answer')} of {counted(len(entry['systems']), 'system')} to "
        f"{counted(entry['questions'], 'question')}, {100 * share:.1f}% of them right, so calling every answer "
        f"{'right' if share >= 0.5 else 'wrong'} has an accuracy of {100 * max(share, 1 - share):.1f}%. "
        f"{entry['references']:.1f} references a question, of {median(words)}, 95% of at most "
        f"{words['most']}; language: {LANGUAGES.get(entry['language'], entry['language'])}."
        + mixed(entry)
        + (f" Left out: {left_out}." if left_out else "")
    )


def mean_scores(entry: Entry) -> str:
    """Return the table of what is ranked: the share that people find right, and each score's mean, for each system."""
    names = systems(entry)
    people = ["people: share right", *(decimal(entry["systems"][name].get("right")) for name in names), "1"]
    rows = [
        [label(name, score), *(decimal(score["means"][one]) for one in names), decimal(score["tau"], 2)]
        for name, score in all_scores(entry).items()
    ]
    return markdown(("mean", *names.values(), "tau"), [people, *rows])


def mixed(entry: Entry) -> str:
    """Return which lengths are for the most part one system's, so that both are measured in one."""
    told = []
    for length, title in OF_LENGTH.items():
        count, counts = entry["lengths"][length]["answers"], entry["lengths"][length].get("of", {})
        for system, own in counts.items():
            if len(counts) > 1 and 2 * own > count:
                told.append(f" {own:,} of the {count:,} answers of {title} are those of {system}.")
    return "".join(told)


def folded(title: str, text: str) -> str:
    """Return a text that a reader opens."""
    return f"<details>\n<summary>{title}</summary>\n\n{text}\n\n</details>"


def systems(entry: Entry) -> dict[str, str]:
    """Return the systems as a table calls them, those that people rank highest first."""
    return {
        name: name.replace("|", r"\|")
        for name in sorted(entry["systems"], key=lambda name: -entry["systems"][name].get("right", 0))
    }


def section(results: Mapping[str, Any]) -> str:
    """Return the README's tables of all data sets."""
    parts = []
    for entry in results["data"].values():
        parts += [about(entry), summary(entry), *(folded(title, table) for title, table in details(entry).items())]
    return "\n\n".join(parts)


def details(entry: Entry) -> dict[str, str]:
    """Return the further tables of a data set by their titles."""
    return {
        "By length of the answer": parted(entry, "lengths", OF_LENGTH),
        "For each system": parted(entry, "systems", systems(entry)),
        "The ranking of the systems": mean_scores(entry),
    }


def printed(entry: Entry) -> str:
    """Return what the command prints of a data set."""
    return "\n\n".join(
        [about(entry), summary(entry), *(f"{name}:\n\n{table}" for name, table in details(entry).items())]
    )


def one_line(score: Entry) -> str:
    """Return the figures of a score as a card says them."""
    lengths = ", ".join(f"{decimal(score['lengths'][name].get('auroc'))} {title}" for name, title in OF_LENGTH.items())
    text = f"AUROC {area(score['overall'])}; by length of the answer {lengths}"
    text += "" if score["tau"] is None else f"; ranking of the systems: tau {score['tau']:.2f}"
    return f"{text}. **Not to be trusted with: {doubts(score)}.**" if doubts(score) else f"{text}."


def card_line(module: str, results: Mapping[str, Any]) -> str:
    """Return what a metric card says of the data set that is shown."""
    if module in OF_JUDGES:
        return "It grades judges, not answers: there is no verdict of people on an answer to compare it with."
    entry = first(results)
    found = {name: score for name, score in all_scores(entry).items() if score["module"] == module}
    if not found:
        return (
            "Not measured: a judge agrees with people as far as its model does. `make agreement DATA=verdicts.json "
            "PROVIDER=... MODEL=...` measures one, in a clone of the project."
        )
    words = entry["reference_words"]
    lines = [f"- {label(name, score)}: {one_line(score)}" for name, score in found.items()]
    return "\n".join(
        [
            f"On {told(entry)}, {entry['overall']['answers']:,} answers to {entry['questions']:,} questions (in "
            f"{LANGUAGES.get(entry['language'], entry['language'])}, with references of {median(words)}):",
            "",
            *lines,
            "",
            "AUROC: of a right and a wrong answer, how often the right one scores higher; 0.5 is chance. It says "
            "nothing of other languages, longer references and other tasks. All scores: the project's README.",
        ]
    )


def extract(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the demo shows: the first data set's figures of the scores on its cards."""
    entry = first(results)
    scores = {name: entry["scores"][name] for name in COMPARED if name in entry["scores"]}
    for name, score in entry.get("judges", {}).items():
        scores.setdefault(name.partition(" ")[0], score)
    return {
        **{name: entry[name] for name in ("title", "source", "url", "language", "questions", "reference_words")},
        "answers": entry["overall"]["answers"],
        "systems": len(entry["systems"]),
        "scores": {ON_CARDS.get(name, name): on_card(score) for name, score in scores.items()},
        "differences": {group: on_cards(pairs) for group, pairs in entry["differences"].items()},
    }


def on_card(score: Entry) -> dict[str, Any]:
    """Return one score's figures for the demo."""
    groups = {"overall": score["overall"], **score["lengths"]}
    found: dict[str, Any] = {"model": score["model"]}
    found |= {group: [figures.get(part) for part in ("auroc", "low", "high")] for group, figures in groups.items()}
    return found | {"tau": score["tau"]} | ({"questions": score["questions"]} if "questions" in score else {})


def on_cards(pairs: Mapping[str, Sequence[float]]) -> dict[str, list[float]]:
    """Return the differences under the names that the demo has; the first name is the first by the alphabet."""
    found = {}
    for names, (low, high) in pairs.items():
        one, other = (ON_CARDS.get(name, name) for name in names.split("|"))
        found[f"{min(one, other)}|{max(one, other)}"] = [low, high] if one < other else [-high, -low]
    return dict(sorted(found.items()))


def filled(text: str, results: Mapping[str, Any], rates: Mapping[str, Any]) -> str:
    """Return a text with the figures that it asks for; KeyError where there is none of that name.

    {auroc:SCORE:LENGTH} or {auroc:SCORE}, {tau:SCORE}, {seconds:MODULE:TEXTS} for a thousand answers, by the rates of
    `make bench`, {usd:JUDGE:MODEL:short} or long for a thousand, and {prices:usd}, whose prices those are.
    """

    def figure(found: re.Match[str]) -> str:
        kind, name, *more = found[1].split(":")
        if kind in ("usd", "prices"):
            return dollars(results["costs"], name, *more)
        if kind == "seconds":
            return two_digits(1000 / rates[name]["per_second"][more[0]])
        score = all_scores(first(results))[name]
        figures = score["lengths"][more[0]] if more else score["overall"]
        return decimal(score["tau"], 2) if kind == "tau" else decimal(figures.get(kind))

    return re.sub(r"\{((?:auroc|tau|seconds|usd|prices):[^{}]+)\}", figure, text)


def dollars(costs: Mapping[str, Any], judge: str, model: str = "", kind: str = "") -> str:
    """Return what a thousand answers cost, or whose prices those are."""
    if not model:
        return costs["prices"] or "an unknown source"
    cost = costs[judge][model][kind]
    return "–" if cost is None else two_digits(cost)


def two_digits(value: float) -> str:
    """Return a figure of which no more than its size is known.

    >>> two_digits(0.0158), two_digits(8.04), two_digits(99.8)
    ('0.016', '8', '100')
    """
    return f"{float(f'{value:.2g}'):g}"


def expected(results: Mapping[str, Any]) -> dict[Path, str]:
    """Return what each page must hold."""
    readme = inserted(README, README.read_text("utf-8"), "agreement", section(results))
    rates = json.loads(RATES.read_text("utf-8"))["rates"]
    readme = inserted(README, readme, "choosing a score", filled(CHOOSING.read_text("utf-8").strip(), results, rates))
    found = {README: readme, SHOWN: json.dumps(extract(results), indent=1, ensure_ascii=False) + "\n"}
    for name in NAMES:
        path = METRICS / name / "README.md"
        found[path] = inserted(path, path.read_text("utf-8"), "agreement", card_line(name, results))
    return found


def inserted(path: Path, page: str, name: str, text: str) -> str:
    """Return a page with a text in its place; ValueError with the page's name where it has none."""
    try:
        return placed(page, name, text, COMMAND)
    except ValueError as error:
        raise ValueError(f"{path.relative_to(ROOT)}: {error}") from None


def write(results: Mapping[str, Any]) -> None:
    """Write every page that differs from the figures."""
    for path, text in expected(results).items():
        if not path.exists() or path.read_text("utf-8") != text:
            put(path, text)
            print(f"rewrote {path.relative_to(ROOT)}")
