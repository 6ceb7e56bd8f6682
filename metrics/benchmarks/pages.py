"""The parts of pages that show agreement.json: in README.md, metrics/, the cards and the demo.

`make agreement` writes them. `python -m metrics.benchmarks.agreement --pages` writes them from the
existing figures. tests/test_agreement.py compares them.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from metrics.benchmarks import tables, verdict_samples
from metrics.benchmarks.figures import COMPARED
from metrics.benchmarks.report import replace_section
from tests.support.judges import JUDGES
from tests.support.project import METRICS, NAMES, JUDGE_METRICS, ROOT

RESULTS = ROOT / "metrics" / "benchmarks" / "agreement.json"
RATES = ROOT / "metrics" / "benchmarks" / "results.json"
README = ROOT / "README.md"
GUIDE = METRICS / "README.md"
DETAILS = METRICS / "agreement.md"
DEMO_FIGURES = ROOT / "spaces" / "answer_lens" / "data" / "agreement.json"
TEMPLATES = Path(__file__).resolve().parent / "templates"
# The demo's names for scores whose name is not that of their module.
ON_CARDS = {"rougeL": "rouge"}
# What the demo says of the data set.
DATA_FIELDS = ("title", "source", "url", "language", "questions", "reference_words")


def load_figures(path: Path) -> dict[str, Any]:
    """Return the figures in a file; empty ones if there is no file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {"data": {}}


def get_first_data(results: Mapping[str, Any]) -> tables.Entry:
    """Return the data set that the cards and the demo show: the first one that was measured."""
    return next(iter(results["data"].values()))


def render_template(template: str, results: Mapping[str, Any], **more: Any) -> str:
    """Return a page, or a part of one, from a template in templates/.

    An unknown name in a template raises an error.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "thousands": "{:,}".format,
        "percent": "{:.1%}".format,
        "decimal": tables.format_decimal,
    }
    functions = (
        tables.name_score,
        tables.format_area,
        tables.describe_doubts,
        tables.format_summary,
        tables.format_details,
    )
    environment.globals |= {function.__name__: function for function in functions}
    environment.globals |= {
        "of_length": tables.OF_LENGTH,
        "of_judges": JUDGE_METRICS,
        "entry": get_first_data(results),
    }
    return environment.get_template(template).render(**results, **more).strip()


def render_card(module: str, results: Mapping[str, Any]) -> str:
    """Return the text of a metric card on the first data set."""
    scores = {}
    for name, score in tables.list_scores(get_first_data(results)).items():
        if score["module"] == module:
            scores[name] = score
    return render_template("card.jinja", results, module=module, scores=scores)


def select_demo_figures(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures that the demo shows.

    They are those of the first data set, for the scores on the demo's cards.
    """
    entry = get_first_data(results)
    scores = {}
    for name in COMPARED:
        if name in entry["scores"]:
            figures = select_score_figures(entry["scores"][name])
            scores[ON_CARDS.get(name, name)] = figures
    for name, score in entry.get("judges", {}).items():
        # The name goes on with the model; the first model that was measured is shown.
        judge, _, _ = name.partition(" ")
        scores.setdefault(judge, select_score_figures(score))

    about_data = {name: entry[name] for name in DATA_FIELDS}
    differences = {}
    for group, pairs in entry["differences"].items():
        renamed = {pair.replace("rougeL", "rouge"): ends for pair, ends in pairs.items()}
        differences[group] = dict(sorted(renamed.items()))
    return {
        **about_data,
        "answers": entry["overall"]["answers"],
        "systems": len(entry["systems"]),
        "scores": scores,
        "differences": differences,
    }


def select_score_figures(score: tables.Entry) -> dict[str, Any]:
    """Return one score's figures for the demo."""
    selected: dict[str, Any] = {"model": score["model"]}
    groups = {"overall": score["overall"], **score["lengths"]}
    for group, figures in groups.items():
        selected[group] = [figures.get(name) for name in ("auroc", "low", "high")]
    if score.get("left_out"):
        selected["left_out"] = True
    selected["tau"] = None
    if score["tau"] is not None:
        selected["tau"] = [score[name] for name in ("tau", "tau_low", "tau_high")]
    if "questions" in score:
        selected["questions"] = score["questions"]
    return selected


def render_choosing(results: Mapping[str, Any], rates: Mapping[str, Any]) -> str:
    """Return the section "Choosing a score" with its figures.

    The template can use auroc(SCORE, LENGTH), auroc(SCORE) and tau(SCORE); seconds(MODULE, TEXTS)
    for a thousand answers, by the rates of `make bench`; usd(JUDGE, MODEL, LENGTH) for a thousand
    answers; and `prices`, the source of the prices.
    """
    scores = tables.list_scores(get_first_data(results))
    costs = results["costs"]

    def format_auroc(name: str, length: str = "") -> str:
        score = scores[name]
        figures = score["lengths"][length] if length else score["overall"]
        return tables.format_decimal(figures.get("auroc"))

    def format_tau(name: str) -> str:
        return tables.format_decimal(scores[name]["tau"], 2)

    def format_seconds(module: str, texts: str) -> str:
        return format_two_digits(1000 / rates[module][texts])

    def format_dollars(judge: str, model: str, length: str) -> str:
        return format_two_digits(costs[judge][model][length])

    return render_template(
        "choosing.jinja",
        results,
        auroc=format_auroc,
        tau=format_tau,
        seconds=format_seconds,
        usd=format_dollars,
        prices=costs["prices"] or "an unknown source",
    )


def fill_costs(module: str, per_second: Mapping[str, float]) -> str:
    """Return a card with the seconds for a thousand answers filled into its table of costs."""
    card = (METRICS / module / "README.md").read_text("utf-8")
    for texts, rate in per_second.items():
        card, rows = re.subn(
            rf"(?m)^\| {texts} \| .* s \|$",
            f"| {texts} | {format_two_digits(1000 / rate)} s |",
            card,
        )
        if rows != 1:
            row = f"| {texts} | 0.1 s |"
            raise ValueError(
                f"metrics/{module}/README.md has {rows} rows such as {row!r} under Cost; one is "
                "expected"
            )
    return card


def format_two_digits(value: float | None) -> str:
    """Return a figure rounded to two digits, or a dash if there is none.

    >>> [format_two_digits(value) for value in (0.0158, 8.04, 99.8, None)]
    ['0.016', '8', '100', '–']
    """
    return "–" if value is None else f"{float(f'{value:.2g}'):g}"


def build_pages(results: Mapping[str, Any]) -> dict[Path, str]:
    """Return the text that each page must have."""
    rates = load_figures(RATES)["rates"]
    pages = {
        DEMO_FIGURES: json.dumps(select_demo_figures(results), indent=1, ensure_ascii=False) + "\n",
        DETAILS: render_template("details.jinja", results) + "\n",
    }
    for name in NAMES:
        if name in rates and name not in JUDGES:
            pages[METRICS / name / "README.md"] = fill_costs(name, rates[name])
    for section in list_sections(results, rates):
        path = section.path
        page = pages.get(path) or path.read_text("utf-8")
        try:
            pages[path] = replace_section(page, section.name, section.text, "make agreement")
        except ValueError as error:
            raise ValueError(f"{path.relative_to(ROOT)}: {error}") from None
    return pages


@dataclass(frozen=True)
class Section:
    """A section of a page that is written by the figures."""

    path: Path
    name: str
    text: str


def list_sections(results: Mapping[str, Any], rates: Mapping[str, Any]) -> list[Section]:
    """Return the sections of all pages."""
    entry = get_first_data(results)
    own_verdicts = verdicts_on_systems = "Not measured yet."
    figures = entry.get("reading")
    if figures:
        own_verdicts = verdict_samples.format_shares(figures)
    if figures and figures.get("together"):
        verdicts_on_systems = verdict_samples.format_rankings(figures)

    cards = [
        Section(METRICS / name / "README.md", "agreement", render_card(name, results))
        for name in NAMES
    ]
    return [
        *cards,
        Section(GUIDE, "agreement", render_template("section.jinja", results)),
        Section(GUIDE, "choosing a score", render_choosing(results, rates)),
        Section(README, "finding", tables.format_finding(entry)),
        Section(GUIDE, "own verdicts", own_verdicts),
        Section(GUIDE, "verdicts on several systems", verdicts_on_systems),
    ]


def write_pages(results: Mapping[str, Any]) -> None:
    """Write every page whose text differs from the figures."""
    for path, text in build_pages(results).items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"rewrote {path.relative_to(ROOT)}")
