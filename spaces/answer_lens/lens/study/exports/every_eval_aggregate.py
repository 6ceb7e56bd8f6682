"""Exports the aggregate of Every Eval Ever: one system's means, intervals and metrics.

Source: eval.schema.json of every-eval-ever 0.3.0 (MIT,
https://github.com/evaleval/every_eval_ever). Required values that a table does not have are
"unknown" or "other".
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens import VERSION
from lens.experiment.answers import Answer
from lens.scoring import judge, modules
from lens.scoring.catalog import BY_NAME, SERIES, Series
from lens.scoring.scorer import Scorer
from lens.study.exports.every_eval_samples import SCHEMA_VERSION, UNKNOWN, Evaluation
from lens.study.exports.scored_answers import list_signatures
from lens.study.results import make_mean_rows
from lens.tables import places

if TYPE_CHECKING:
    from lens.study.study import Study

LIBRARY = "answer-lens"
# The method of the intervals of means (lens/inference/intervals.py).
INTERVAL_METHOD = (
    "Clopper-Pearson for the effective number of rows (Korn and Graubard 1998), clusters "
    "after Kish 1965"
)
CONFIDENCE = 0.95
# Characters that are not allowed in names of folders in the datastore.
UNSAFE_CHARACTERS = re.compile(r'[<>:"\\|?*/\x00-\x1f]')
BY_KEY = {series.key: series for series in SERIES}
Json = dict[str, Any]


@dataclass(frozen=True)
class SamplesFile:
    """The file of samples that belongs to an aggregate.

    Attributes:
        name: the name of the file.
        rows: the number of lines.
        sha256: the SHA-256 of the file.
    """

    name: str
    rows: int
    sha256: str


def make_aggregate(
    study: Study,
    evaluation: Evaluation,
    scorers: Sequence[Scorer],
    samples: SamplesFile,
) -> Json:
    """Return the aggregate of one system.

    Args:
        study: the scored study.
        evaluation: the values that the files of the system share.
        scorers: the metrics, with the settings of judges.
        samples: the file of samples, which is already written.
    """
    aggregate = {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": evaluation.id,
        "retrieved_timestamp": evaluation.time,
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": UNKNOWN,
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": LIBRARY, "version": VERSION},
        "model_info": describe_model(evaluation.model),
        "evaluation_results": list(list_evaluation_results(study, evaluation, scorers)),
    }
    if samples.rows:
        aggregate["detailed_evaluation_results"] = {
            "format": "jsonl",
            "file_path": find_datastore_path(evaluation, samples.sha256),
            "hash_algorithm": "sha256",
            "checksum": samples.sha256,
            "total_rows": samples.rows,
            "additional_details": {"file_name": samples.name},
        }
    return aggregate


def describe_model(model: str) -> Json:
    """Return the description of a model whose name alone is known."""
    details = {"deployment_type": UNKNOWN, "model_availability": UNKNOWN}
    return {"name": model, "id": model, "additional_details": details}


def find_datastore_path(evaluation: Evaluation, sha256: str) -> str:
    """Return the path of the samples in the datastore of Every Eval Ever.

    The schema requires this form of path: folders for the evaluation, the developer and the model,
    and a UUID, which is made from the checksum.
    """
    developer, _, model = evaluation.model.rpartition("/")
    folders = [evaluation.dataset, developer or UNKNOWN, model]
    name = uuid.UUID(hex=sha256[:32], version=4)
    return "/".join(["data", *map(make_folder_name, folders), f"{name}_samples.jsonl"])


def make_folder_name(name: str) -> str:
    """Return a name as it can be the name of a folder.

    >>> make_folder_name("org/data (test)."), make_folder_name("data")
    ('org_data (test)', 'data_')
    """
    name = UNSAFE_CHARACTERS.sub("_", name).rstrip(". ")
    # "data" is the root folder of the datastore.
    return f"{name}_" if name in ("", "data") else name


def list_evaluation_results(
    study: Study, evaluation: Evaluation, scorers: Sequence[Scorer]
) -> Iterator[Json]:
    """Yield the mean of a system by each series that has scores."""
    signatures = list_signatures(study, evaluation.system)
    scorer_of_metric = {scorer.name: scorer for scorer in scorers}
    for row in make_mean_rows(study):
        is_whole_system = row["system"] == evaluation.name and row["group"] is None
        if not is_whole_system or row["mean"] is None:
            continue
        series = BY_KEY[row["metric"]]
        signature = signatures.get(series.metric, "")
        scorer = scorer_of_metric.get(series.metric)
        yield {
            "evaluation_result_id": series.key,
            "evaluation_name": evaluation.dataset,
            "source_data": {"dataset_name": evaluation.dataset, "source_type": "other"},
            "metric_config": describe_metric(series, row["mean"], signature, scorer),
            "score_details": describe_score(row),
        }


def describe_score(row: Mapping[str, Any]) -> Json:
    """Return a mean with its interval and its number of scores."""
    uncertainty: Json = {"num_samples": row["scored"]}
    if row["low"] is not None:
        uncertainty["confidence_interval"] = {
            "lower": row["low"],
            "upper": row["high"],
            "confidence_level": CONFIDENCE,
            "method": INTERVAL_METHOD,
        }
    details = {"unscored": str(row["unscored"]), "independent_units": str(row["units"])}
    return {"score": row["mean"], "details": details, "uncertainty": uncertainty}


def describe_metric(
    series: Series,
    mean: float,
    signature: str,
    scorer: Scorer | None,
) -> Json:
    """Return the description of a series, with its judge, if any."""
    metric = BY_NAME[series.metric]
    config: Json = {
        "metric_id": series.key,
        "metric_name": series.title,
        "lower_is_better": False,
        "score_type": "binary" if series.share else "continuous",
        # In rare cases, a score is below the scale that is shown.
        "min_score": series.low if mean >= series.low else "-Infinity",
        "max_score": metric.high,
        "additional_details": {"signature": signature},
    }
    if metric.judge and scorer is not None:
        config["llm_scoring"] = make_judge_entry(scorer)
    return config


def make_judge_entry(scorer: Scorer) -> Json:
    """Return the description of the judge and its prompt, without the key."""
    settings = scorer.settings
    model = str(settings.get("model") or UNKNOWN)
    details = {}
    for name in ("provider", "base_url"):
        if settings.get(name):
            details[name] = places.hide_secrets(str(settings[name]))
    return {
        "judges": [{"model_info": describe_model(model), "additional_details": details}],
        "input_prompt": find_prompt(scorer),
    }


def find_prompt(scorer: Scorer) -> str:
    """Return the prompt of a judge, with placeholders for the texts."""
    setting, value = scorer.metric.decision
    is_decision = scorer.settings.get(setting) == value
    code = modules.load_code(scorer.name)
    own_prompt = scorer.settings.get("prompt")
    if not is_decision and "prompt" in scorer.settings:
        return str(code.fill_prompt("{question}", "{answer}", "{reference}", own_prompt))
    placeholders = Answer("{answer}", ("{reference}",), "{question}")
    return judge.fill_prompt(code, placeholders, "{reference}", is_decision)
