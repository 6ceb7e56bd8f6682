"""EVE's LLM-as-judge as a metric of evaluate. What is asked and read: scoring.py. Who is asked, and how: judge.py."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import datasets
import evaluate

from .final_answer import THINKING_ENDS
from .inputs import Inputs
from .judge import Judge
from .judge_batch import HALF
from .judge_cache import Cache
from .judge_client import connected
from .judge_options import JUDGE_INPUTS, JUDGE_RESULT, with_options
from .judge_panel import agreed, ask_all, declined_of, joint_settings, of_panel, seated, told_of
from .judge_providers import ending, unread, unusable
from .judge_report import entries, estimate, report
from .judge_services import SERVICES
from .judge_watch import Watch
from .near_json import read_scores
from .scoring import SCHEMA, NoVerdict, fill_prompt, find_verdict, prompt_mark, score

# Some are here for evaluate's loader, which copies what a module names.
__all__ = ["HALF", "SERVICES", "THINKING_ENDS", "Cache", "EveJudge", "Judge", "Watch", "connected",
           "fill_prompt", "read_scores", "score"]  # fmt: skip

VERSION = "0.1.0"
COUNTED = {
    "passed": lambda row: row["score"] == 1,
    "failed": lambda row: row["score"] == 0,
    "n_by_key": lambda row: row["reading"] == "key",
}


def read_choice(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the judge's reply says: the verdict with its reasoning, or why there is none."""
    if nothing := unread(reply):
        return nothing
    text = reply["text"]
    if "cut_off" in ending(reply["finish"]):
        return unusable("cut_off", "the reply was cut off at max_tokens", reply=text)
    try:
        verdict = find_verdict(text)
    except NoVerdict as none:
        return unusable(none.reason, str(none), reply=text)
    return {"score": verdict.score, "reasoning": verdict.reasoning, "reading": verdict.reading, "reply": text}


class EveJudge(Inputs, evaluate.Metric):
    """EVE's LLM-as-judge as a metric of evaluate. A dry run sends nothing; a reply is read without a model.

    >>> judge = EveJudge()
    >>> rows = {"questions": ["Where?"], "predictions": ["In Paris."], "references": ["Paris"]}
    >>> judge.compute(**rows, model="gpt-4o-mini", dry_run=True, cache=False)["calls"]
    1
    >>> score('The answer holds. {"score": 1, "reasoning": "Both say Paris."}')
    1
    """

    def _info(self) -> evaluate.MetricInfo:
        text, several = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="The share of answers that a language model, as a strict fact-checker, passes.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({"questions": text, "predictions": text, "references": several}),
            codebase_urls=["https://huggingface.co/datasets/eve-esa/open-ended"],
            reference_urls=["https://arxiv.org/abs/2604.13071"],
        )

    @with_options
    def _compute(
        self,
        questions: list[str],
        predictions: list[str],
        references: list[tuple[str, ...]],
        model: str | None = None,
        prompt: str = "card",
        max_tokens: int | None = 1024,
        samples: int = 1,
        models: list[Any] | None = None,
        dry_run: bool = False,
        per_example: bool = False,
        **settings: Any,
    ) -> dict[str, Any]:
        asked = settings | {"max_tokens": max_tokens, "schema": SCHEMA, "samples": samples}
        judges = seated("eve_judge", model, models, asked)
        rows = list(zip(questions, predictions, references, strict=True))
        ask_all(judges, rows, partial(fill_prompt, prompt=prompt), read_choice, dry_run)
        said = joint_settings(judges) | {"prompt": prompt_mark(prompt), "multi_reference": "max"}
        said |= {"verdicts": "json-or-key"}
        sign = partial(self.signature, VERSION, **said)
        if dry_run:  # a verdict and two or three sentences
            return estimate(judges, 100, sign())
        blank = dict.fromkeys(("reasoning", "reply", "reading")) | ({"verdicts": None} if samples > 1 else {})
        own = {judge: entries(judge, blank, agreed) for judge in judges}
        every = of_panel(own) if models else own[judges[0]]
        more = declined_of(every) | told_of(own, "accuracy", COUNTED)
        return report(own, "accuracy", every, sign, per_example, more, **COUNTED)


CITATION = """\
@misc{atrio2026eve,
  title={{EVE}: A Domain-Specific {LLM} Framework for Earth Intelligence},
  author={Àlex R. Atrio and Antonio Lopez and Jino Rohit and Yassine El Ouahidi and Marcello Politi and Vijayasri Iyer
    and Umar Jamil and Sébastien Bratières and Nicolas Longépé},
  year={2026}, eprint={2604.13071}, archivePrefix={arXiv}, primaryClass={cs.CL}
}
"""
INPUTS = f"""
Args:
    questions (list of str): the questions that were asked.
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; of several, a pass on any counts.
    prompt ("card", "evalkit"): the text of the data set's card, or that of evalkit: a word and blank lines more.
    max_tokens (int): most tokens of a reply, thinking included; None leaves it to the provider.
    samples (int): how often each prompt is asked; more than half of the replies make the verdict.
    models (list): a panel in the place of `model`: names, or dicts with model and its own provider, api_key, base_url,
        temperature, max_tokens, extra_body. More than half of the judges make the verdict.
{JUDGE_INPUTS}
Returns:
    accuracy (float in 0..1, higher is better, mean over the scored rows; None where there are none), lowest and highest
    (the mean if all rows without a verdict were fails, or passes), passed, failed, n_by_key (rows whose verdict was
    read in no JSON, but by its key),
    where the judge says that answers decline: declined, right_of_all, right_of_attempted, attempted (shares, each with
    an _interval), with samples flip_rate and flip_rate_interval (rows whose replies differ), with models judges (dict
    by judge) and agreement (kappa by pair),
    {JUDGE_RESULT}"""
