"""Measure how far each score agrees with people: AUROC, accuracy and ranking on human verdicts.

Run: make agreement DATA=path, or .venv/bin/python -m metrics.benchmarks.agreement --data PATH
[--title ... --url ...]

verdicts.py describes the file. Every score without a judge is measured on every answer, by its best
value over the listed references; the two embedding scores use MiniLM. The figures are written into
agreement.json, under the name of the file. From there they go into the README, the metric cards and
the demo, which shows the first data set. With --json PATH the figures are written into that file
only.

With --provider and --model judges are measured instead, on a sample of questions. What they would
take is printed first, and they are asked only with --yes. The key is that of the provider's
environment variable.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from metrics.training.verdicts import HAN, Verdicts, read_verdicts
from metrics.benchmarks import judged, pages, tables
from metrics.benchmarks.figures import measure_scores
from metrics.benchmarks.series import score_all_ways


def describe_data(
    options: argparse.Namespace, verdicts: Verdicts, earlier_figures: dict[str, Any]
) -> dict[str, str]:
    """Return the title, source, address and language of a data set.

    Options of the command count first, then the values that this file had before, then defaults.
    """
    defaults = {
        "title": options.data.stem,
        "source": "",
        "url": "",
        "language": detect_data_language(verdicts),
    }
    description = {}
    for name, default in defaults.items():
        description[name] = getattr(options, name) or earlier_figures.get(name) or default
    return description


def detect_data_language(verdicts: Verdicts) -> str:
    """Return "zh" if most questions have a reference with Chinese characters, else "en"."""
    n_chinese = 0
    for references in verdicts.references:
        n_chinese += HAN.search("".join(references)) is not None
    return "zh" if 2 * n_chinese > len(verdicts.references) else "en"


def parse_arguments(command: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="PATH", help="the human verdicts")
    parser.add_argument("--title", default="", help="what the data set is called (its file's name)")
    parser.add_argument("--source", default="", help='who made it: "Wang et al. 2023"')
    parser.add_argument("--url", default="", help="where it is described")
    parser.add_argument(
        "--language", default="", help="of the answers, as two letters (told from the references)"
    )
    parser.add_argument(
        "--json",
        type=Path,
        default=pages.RESULTS,
        metavar="PATH",
        help="where the figures go",
    )
    parser.add_argument(
        "--pages", action="store_true", help="write the pages anew from the figures, and end"
    )
    judged.add_arguments(parser)
    options = parser.parse_args(command)
    if not options.pages and options.data is None:
        parser.error("--data: the file of human verdicts is missing (make agreement DATA=path)")
    if not options.json.parent.is_dir():
        parser.error(f"--json: the folder {options.json.parent} is not there")
    if bool(options.model) != bool(options.provider or options.base_url):
        parser.error("--model and --provider (or --base-url): a judge is both")
    return options


def measure_data(options: argparse.Namespace) -> None:
    """Measure a data set, print the figures and write them."""
    verdicts = read_verdicts(options.data)
    results = pages.load_figures(options.json)
    name = options.data.stem
    earlier_figures = results["data"].get(name, {})
    # Figures of another file of this name do not count.
    if earlier_figures.get("sha256") != verdicts.digest:
        earlier_figures = {}
    judges = dict(earlier_figures.get("judges", {}))
    if options.model:
        judges |= judged.measure_judges(options, verdicts)
    # A judge is added to existing figures. Without a judge all other figures are measured again.
    figures = earlier_figures
    if not options.model or not earlier_figures:
        figures = measure_scores(verdicts, score_all_ways(verdicts))
    entry = {
        **figures,
        **describe_data(options, verdicts, earlier_figures),
        "judges": judges,
    }
    results["data"][name] = entry
    # If the prices are not installed, the earlier costs stay.
    if judged.find_price_source() or "costs" not in results:
        results["costs"] = judged.estimate_prices()
    details = pages.render_template("details.jinja", {"data": {name: entry}})
    print(f"{details}\n\n{tables.format_summary(entry)}")
    options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"the figures are in {options.json}", file=sys.stderr)
    if options.json == pages.RESULTS:
        pages.write_pages(results)


def main(command: Sequence[str] | None = None) -> int:
    """Run the command, and return the exit code."""
    options = parse_arguments(command)
    try:
        if options.pages:
            pages.write_pages(pages.load_figures(options.json))
        else:
            measure_data(options)
    except (ValueError, OSError, ImportError, RuntimeError, KeyError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
