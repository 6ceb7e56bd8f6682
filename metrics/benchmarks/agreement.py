"""How far each score agrees with people: a file of human verdicts in, AUROC, accuracy and ranking
of every score out.

Run: make agreement DATA=path, or .venv/bin/python -m metrics.benchmarks.agreement --data PATH
[--title ... --url ...]

The file has the form that verdicts.py describes. Every score that needs no judge is measured on
every answer: its best over the listed references; the two embedding scores with MiniLM. Figures go
into agreement.json, a data set under the name of its file, and from there into the README, the
metric cards and the demo, which shows the first data set. With --json PATH they go there alone, and
nothing else is written.

Judges are measured instead with --provider and --model, on a sample of questions: what it takes is
said first, and nothing is asked without --yes. The key comes from the provider's environment
variable.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from metrics.training.verdicts import HAN, Verdicts, read
from metrics.benchmarks import judged, pages, tables
from metrics.benchmarks.figures import measure_scores
from metrics.benchmarks.series import score_all_ways


def describe_data(
    asked: argparse.Namespace, verdicts: Verdicts, kept: dict[str, Any]
) -> dict[str, str]:
    """Return title, source, address and language: as given, else as they were for this file, else
    as can be told.
    """
    chinese = sum(bool(HAN.search("".join(several))) for several in verdicts.references)
    language = "zh" if 2 * chinese > len(verdicts.references) else "en"
    known = {
        "title": asked.data.stem,
        "source": "",
        "url": "",
        "language": language,
    }
    return {name: getattr(asked, name) or kept.get(name) or value for name, value in known.items()}


def parse_arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line says."""
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
    found = parser.parse_args(given)
    if not found.pages and found.data is None:
        parser.error("--data: the file of human verdicts is missing (make agreement DATA=path)")
    if not found.json.parent.is_dir():
        parser.error(f"--json: the folder {found.json.parent} is not there")
    if bool(found.model) != bool(found.provider or found.base_url):
        parser.error("--model and --provider (or --base-url): a judge is both")
    return found


def measure_data(asked: argparse.Namespace) -> None:
    """Measure, print and write."""
    verdicts = read(asked.data)
    results, name = pages.load_figures(asked.json), asked.data.stem
    before = results["data"].get(name, {})
    kept = before if before.get("sha256") == verdicts.digest else {}
    judges = kept.get("judges", {}) | (
        judged.measure_judges(asked, verdicts) if asked.model else {}
    )
    # Judges are added to figures that are there; without a judge all other figures are made anew.
    figures = kept if asked.model and kept else measure_scores(verdicts, score_all_ways(verdicts))
    entry = results["data"][name] = {
        **figures,
        **describe_data(asked, verdicts, kept),
        "judges": judges,
    }
    # Where the prices are not installed, those that were known stay.
    if judged.find_price_source() or "costs" not in results:
        results["costs"] = judged.estimate_prices()
    print(
        pages.render_template("details.jinja", {"data": {name: entry}}),
        tables.format_summary(entry),
        sep="\n\n",
    )
    asked.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"the figures are in {asked.json}", file=sys.stderr)
    if asked.json == pages.RESULTS:
        pages.write_pages(results)


def main(command: Sequence[str] | None = None) -> int:
    """Do what the command line asks for, and return the exit code."""
    asked = parse_arguments(command)
    try:
        if asked.pages:
            pages.write_pages(pages.load_figures(asked.json))
        else:
            measure_data(asked)
    except (ValueError, OSError, ImportError, RuntimeError, KeyError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
