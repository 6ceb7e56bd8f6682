"""Judge bias as a metric of evaluate; scoring.py computes it."""

from collections import Counter
from typing import Any

import datasets
import evaluate

from .broken_json import read_object
from .final_answer import THINKING_ENDS
from .inputs import Inputs
from .scoring import INTERVAL, MEASURES, find_bounds, check_anchor, check_range
from .scoring import explain, find_scale, score, summarize, summarize_types

# Some names are imported for evaluate's loader only: it copies the files that a module imports.
__all__ = ["THINKING_ENDS", "JudgeBias", "read_object", "score"]

VERSION = "0.1.0"


class JudgeBias(Inputs, evaluate.Metric):
    """The bias and the sensitivity of a judge as a metric of evaluate.

    >>> bias = JudgeBias()
    >>> rows = {"predictions": ["3", 'Weak. {"overall_score": 2}'], "references": [4, 4]}
    >>> result = bias.compute(**rows, perturbation_categories=["represent", "error"])
    >>> result["repr_bias"], result["error_sensitivity"], result["unparsed"]
    (1.0, 2.0, 0)
    """

    optional_columns = ("perturbation_types",)

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        kinds = {"perturbation_categories": text, "perturbation_types": text}
        return evaluate.MetricInfo(
            description="How far a judge's scores move where texts are only written differently, "
            "and fall for errors.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features(
                {"predictions": text, "references": datasets.Value("float64"), **kinds}
            ),
            codebase_urls=[
                "https://huggingface.co/datasets/iknow-lab/JudgeBias-DPO-RefFree-testset"
            ],
        )

    def _check_columns(self, columns: dict[str, Any]) -> dict[str, list[Any]]:
        checked = super()._check_columns(columns)
        categories = enumerate(checked["perturbation_categories"])
        wrong = [f"[{i}] is {name!r:.80}" for i, name in categories if name not in MEASURES]
        if wrong:
            more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
            known = " or ".join(map(repr, MEASURES))
            raise ValueError(
                f"perturbation_categories{', '.join(wrong[:3])}{more}; {known} is expected"
            )
        return checked

    def _compute(  # noqa: PLR0913
        self,
        predictions: list[str],
        references: list[float],
        perturbation_categories: list[str],
        perturbation_types: list[str],
        score_range: tuple[float, float] | None = None,
        per_example: bool = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        ends = check_range(score_range)
        for i, anchor in enumerate(references):
            check_anchor(f"references[{i}]", anchor, ends)
        columns = zip(
            predictions, references, perturbation_categories, perturbation_types, strict=True
        )
        rows = [
            explain(reply, anchor, category, kind or None, ends)
            for reply, anchor, category, kind in columns
        ]
        scale = find_scale(rows, ends)
        result: dict[str, Any] = {}
        details: dict[str, Any] = {}
        for category, measure in MEASURES.items():
            category_rows = [row for row in rows if row["perturbation_category"] == category]
            summary = summarize(category_rows, category, scale)
            result |= {measure: summary["mean"], f"n_{category}": summary["n"]}
            details |= {
                f"{measure}_interval": summary["interval"],
                f"{measure}_bounds": find_bounds(category_rows, ends),
            }
        failures = Counter(row["reason"] for row in rows)
        result["n_scored"] = failures.pop(None, 0)
        result["unparsed"] = len(rows) - result["n_scored"]
        if any(perturbation_types):
            result["by_type"] = summarize_types(rows, scale)
        if per_example or signature:
            span = "..".join(map(str, ends or ()))
            result |= {**details, "failures": dict(failures.most_common())}
            result["signature"] = self.make_signature(
                VERSION, score_range=span or None, interval=INTERVAL
            )
        if per_example:
            result["per_example"] = rows
        return result


CITATION = """\
@misc{iknowlab2026judgebias,
  title={JudgeBias-DPO-RefFree-testset},
  author={{iknow-lab}},
  year={2026}, howpublished={https://huggingface.co/datasets/iknow-lab/JudgeBias-DPO-RefFree-testset}
}
"""
INPUTS = """
Args:
    predictions (list of str): the judge's replies to the altered texts, or its scores as text
        ("4.5").
    references (list of float): the anchor scores: the right score of each text without its
        alteration.
    perturbation_categories (list of str): "represent" (written differently) or "error" (made
        wrong).
    perturbation_types (list of str, optional): the type of each perturbation, for the table; "" or
        None for none.
    score_range (two floats): the lowest and the highest possible score; None for any.
    per_example (bool): True adds one dict per row with its score, or the reason why it has none.
    signature (bool): adds the signature, the intervals, the bounds and the failures; so does
        per_example.

Returns:
    repr_bias (float, 0 and up, lower is better), error_sensitivity (float, higher is better), both
    None if no row has a score; n_represent, n_error, n_scored, unparsed (int); by_type (list of
    dict, if there are perturbation_types). On request: repr_bias_interval and
    error_sensitivity_interval ([low, high], 95%, Student's with two made-up rows; None for fewer
    than two scored rows, and if all anchors and scores are the same and there is no score_range),
    repr_bias_bounds and error_sensitivity_bounds ([low, high]: the possible means if all replies
    had scores within score_range; None without it), failures (dict of reason and rows), signature
    (str), per_example (list of dict).
"""
