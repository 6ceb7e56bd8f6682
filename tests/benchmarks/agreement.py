"""How far each score agrees with people: a file of human verdicts in, AUROC, accuracy and ranking of every score out.

Run: make agreement DATA=path, or .venv/bin/python -m tests.benchmarks.agreement --data PATH [--title ... --url ...]

The file has the form that verdicts.py describes. Every score that needs no judge is measured on every answer: its best
over the listed references. The two embedding scores take the tests' own MiniLM, unless another model is named. Figures
go into agreement.json, a data set under the name of its file, and from there into the README, the metric cards and the
demo, which shows the first data set. With --json PATH they go there alone, and nothing else is written.

Judges are measured instead with --provider and --model, on a sample of questions: what it takes is said first, and
nothing is asked before a yes. The key comes from the provider's environment variable.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Read before the tests' own models get a cache of their own: a model that is named here comes from the user's.
import huggingface_hub.constants  # noqa: F401

from tests.benchmarks import costs, judged, pages, tables
from tests.benchmarks.figures import measure
from tests.benchmarks.series import Models, every
from tests.benchmarks.verdicts import HAN, Verdicts, read


def language(verdicts: Verdicts) -> str:
    """Return the language of the references as the metrics tell it: Han characters mean Chinese, all else English."""
    han = sum(bool(HAN.search("".join(several))) for several in verdicts.references)
    return "zh" if 2 * han > len(verdicts.references) else "en"


def described(asked: argparse.Namespace, verdicts: Verdicts, kept: dict[str, Any]) -> dict[str, str]:
    """Return title, source, address and language: as given, else as they were for this file, else as can be told."""
    known = {"title": asked.data.stem, "source": "", "url": "", "language": language(verdicts)}
    return {name: getattr(asked, name) or kept.get(name) or value for name, value in known.items()}


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="PATH", help="the human verdicts")
    parser.add_argument("--title", default="", help="what the data set is called (its file's name)")
    parser.add_argument("--source", default="", help='who made it: "Wang et al. 2023"')
    parser.add_argument("--url", default="", help="where it is described")
    parser.add_argument("--language", default="", help="of the answers, as two letters (told from the references)")
    parser.add_argument("--embedding-model", default="", metavar="MODEL", help="for cosine_similarity (MiniLM)")
    parser.add_argument("--bertscore-model", default="", metavar="MODEL", help="for bertscore (MiniLM)")
    parser.add_argument("--bertscore-layers", type=int, metavar="N", help="its layers (the module's number)")
    parser.add_argument("--json", type=Path, default=pages.RESULTS, metavar="PATH", help="where the figures go")
    parser.add_argument("--pages", action="store_true", help="write the pages anew from the figures, and end")
    judged.add_arguments(parser)
    found = parser.parse_args(given)
    if not found.pages and found.data is None:
        parser.error("--data: the file of human verdicts is missing (make agreement DATA=path)")
    if found.data is not None and not found.data.is_file():
        parser.error(f"--data: {found.data} is not there")
    if not found.json.parent.is_dir():
        parser.error(f"--json: the folder {found.json.parent} is not there")
    judged.check(parser, found)
    return found


def fresh(asked: argparse.Namespace, verdicts: Verdicts) -> dict[str, Any]:
    """Return the figures of all scores without a judge."""
    chosen = Models(asked.embedding_model, asked.bertscore_model, asked.bertscore_layers)
    return measure(verdicts, every(verdicts, chosen))


def run(asked: argparse.Namespace) -> int:
    """Measure, print and write; return the exit code."""
    start = time.perf_counter()
    verdicts = read(asked.data)
    results = pages.known(asked.json)
    before = results["data"].get(asked.data.stem, {})
    kept = before if before.get("sha256") == verdicts.digest else {}
    if before and not kept:
        print(f"{asked.data.stem}: figures of another file of this name are replaced", file=sys.stderr)
    judges = dict(kept.get("judges", {}))
    if asked.model:
        judges |= judged.measured(asked, verdicts)
    # Judges are added to figures that are there; without a judge all other figures are made anew.
    figures = kept if asked.model and kept else fresh(asked, verdicts)
    entry = {**figures, **described(asked, verdicts, kept), "judges": judges}
    results["data"][asked.data.stem] = entry
    # Where the prices are not installed, those that were known stay.
    if costs.priced_by() or "costs" not in results:
        results["costs"] = costs.estimates()
    print(tables.printed(entry))
    pages.keep(asked.json, results)
    print(f"{time.perf_counter() - start:.0f} s; the figures are in {asked.json}", file=sys.stderr)
    if asked.json == pages.RESULTS:
        pages.write(results)
    return 0


def main(command: Sequence[str] | None = None) -> int:
    """Do what the command line asks for, and return the exit code."""
    asked = arguments(command)
    try:
        if asked.pages:
            pages.write(pages.known(asked.json))
            return 0
        return run(asked)
    except (ValueError, OSError, ImportError, RuntimeError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    except KeyError as error:
        print(
            f"{asked.json}: there is no figure {error}; measure its data sets anew, each with --data", file=sys.stderr
        )
        return 2
    except KeyboardInterrupt:
        print("broken off; no file is half-written, and --pages brings the pages to the figures", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
