"""What readers see of agreement.json: the README's tables, a line in each metric card, and what the demo shows.

All of it is written by `make agreement`, or from the figures as they are by `python -m tests.benchmarks.agreement
--pages`; tests/test_agreement.py compares.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import COMPARED
from tests.benchmarks.report import placed
from tests.benchmarks.tables import (
    OF_LENGTH,
    Entry,
    about,
    all_scores,
    area,
    decimal,
    details,
    doubts,
    label,
    language,
    median,
    summary,
    told,
)
from tests.support.judges import JUDGES
from tests.support.project import METRICS, NAMES, OF_JUDGES, ROOT

RESULTS = ROOT / "tests" / "benchmarks" / "agreement.json"
RATES = ROOT / "tests" / "benchmarks" / "results.json"
README = ROOT / "README.md"
SHOWN = ROOT / "spaces" / "answer_lens" / "data" / "agreement.json"
CHOOSING = ROOT / "tests" / "benchmarks" / "choosing.md"
COMMAND = "make agreement"
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


def folded(title: str, text: str) -> str:
    """Return a text that a reader opens."""
    return f"<details>\n<summary>{title}</summary>\n\n{text}\n\n</details>"


def section(results: Mapping[str, Any]) -> str:
    """Return the README's tables of all data sets."""
    parts = []
    for entry in results["data"].values():
        parts += [about(entry), summary(entry), *(folded(title, table) for title, table in details(entry).items())]
    return "\n\n".join(parts)


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
    if not found and module not in JUDGES:
        return "Not measured yet: `make agreement DATA=verdicts.json` measures it, in a clone of the project."
    if not found:
        return (
            "Not measured: a judge agrees with people as far as its model does. `make agreement DATA=verdicts.json "
            "PROVIDER=... MODEL=...` measures one, in a clone of the project."
        )
    lines = [f"- {label(name, score)}: {one_line(score)}" for name, score in found.items()]
    return "\n".join(
        [
            f"On {told(entry)}, {entry['overall']['answers']:,} answers to {entry['questions']:,} questions (in "
            f"{language(entry)}, with references of {median(entry['reference_words'])}):",
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
    tau = None if score["tau"] is None else [score[part] for part in ("tau", "tau_low", "tau_high")]
    return found | {"tau": tau} | ({"questions": score["questions"]} if "questions" in score else {})


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
