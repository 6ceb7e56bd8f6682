"""EVE's LLM-as-judge as a metric of evaluate.

scoring.py has the prompts and reads the replies; judge.py describes the judge.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import datasets
import evaluate

from .final_answer import THINKING_ENDS
from .inputs import Inputs
from .judge import Judge
from .judge_agreement import compare_judges, count_declined, join_by_majority
from .prompt_injections import count_injections, mark_injections, note_injections
from .judge_batches import send_batches
from .judge_cache import Cache
from .judge_client import RequestSender
from .judge_connection import BatchRequests
from .judge_costs import estimate_cost
from .judge_decisions import Decision
from .judge_options import JUDGE_INPUTS, JUDGE_RESULT, add_options
from .judge_panel import ask_judges, create_judges, join_panel, join_settings
from .judge_probabilities import read_choice
from .judge_providers import PROVIDERS
from .judge_replies import DECLINED, Outcome, find_failure, is_cut_off, make_failure
from .judge_results import ResultForm, make_judged_rows
from .judge_run import JudgeRun
from .judge_services import SERVICES
from .near_json import read_scores
from .scoring import CHOICE_SCORES, CHOICES, SCHEMA, NoVerdict, find_verdict, identify_prompt, score
from .scoring import fill_prompt, fill_question, fill_state

# Some names are imported for evaluate's loader only: it copies the files that a module imports.
__all__ = [
    "PROVIDERS",
    "SERVICES",
    "THINKING_ENDS",
    "BatchRequests",
    "Cache",
    "EveJudge",
    "Judge",
    "RequestSender",
    "fill_prompt",
    "read_scores",
    "score",
    "send_batches",
]

VERSION = "0.1.0"
REPLIES = ("text", "decision")
# The tokens that a reply is assumed to have in a dry run: a verdict and two or three sentences, or
# a choice.
REPLY_TOKENS = {"text": 100, "decision": 1}
# The further keys of a row's entry, which only a reply can fill.
BLANK = {
    "text": ("reasoning", "reply", "reading"),
    "decision": ("reasoning", "reply", "reading", "probabilities"),
}
COUNTS = {
    "passed": lambda row: row["score"] == 1,
    "failed": lambda row: row["score"] == 0,
    "n_by_key": lambda row: row["reading"] == "key",
}


def read_text(reply: Mapping[str, Any]) -> Outcome:
    """Return the verdict in a judge's reply with its reasoning, or why there is none."""
    if failure := find_failure(reply):
        return failure
    text = reply["text"]
    if is_cut_off(reply):
        return make_failure("cut_off", "the reply was cut off at max_tokens", reply=text)
    try:
        verdict = find_verdict(text)
    except NoVerdict as error:
        return make_failure(error.reason, str(error), reply=text)
    return {
        "score": verdict.score,
        "reasoning": verdict.reasoning,
        "reading": verdict.reading,
        "reply": text,
    }


def read_decision(reply: Mapping[str, Any]) -> Outcome:
    """Return the verdict of a decision with the probability of each choice, or the failure."""
    choice, probabilities, failure = read_choice(reply, tuple(CHOICES))
    if failure:
        return failure
    details = {"reading": "decision", "probabilities": probabilities}
    if choice == DECLINED:
        return make_failure(
            DECLINED, "the judge says that the answer declines to answer", **details
        )
    return {"score": CHOICE_SCORES[choice], **details}


def check_reply(reply: str, prompt: str) -> None:
    """Raise ValueError for an unknown form of reply, or one that does not have the prompt."""
    if reply not in REPLIES:
        raise ValueError(f"reply is {reply!r:.80}; one of {REPLIES} is expected")
    if reply == "decision" and prompt != "card":
        why = "reply='decision' has a wording of its own"
        raise ValueError(f"prompt is {prompt!r:.80}; 'card' is expected: {why}")


def describe_settings(judges: list[Judge], reply: str, prompt: str) -> dict[str, str]:
    """Return the settings that can change the verdicts, for the signature."""
    settings = join_settings(judges)
    if reply == "decision":
        return {
            "reply": "decision",
            **settings,
            "prompt": identify_prompt("decision"),
            "multi_reference": "max",
        }
    return {
        **settings,
        "prompt": identify_prompt(prompt),
        "multi_reference": "max",
        "verdicts": "json-or-key",
    }


class EveJudge(Inputs, evaluate.Metric):
    """EVE's LLM-as-judge as a metric of evaluate.

    The example sends no request: it makes a dry run, and reads a reply.

    >>> judge = EveJudge()
    >>> rows = {"questions": ["Where?"], "predictions": ["In Paris."], "references": ["Paris"]}
    >>> settings = {"model": "deepseek-flash", "provider": "deepseek", "cache": False}
    >>> judge.compute(**rows, **settings, dry_run=True)["calls"]
    1
    >>> score('The answer holds. {"score": 1, "reasoning": "Both say Paris."}')
    1
    """

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        texts = datasets.Sequence(text)
        return evaluate.MetricInfo(
            description="The share of answers that a language model, as a strict fact-checker, "
            "passes.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features(
                {"questions": text, "predictions": text, "references": texts}
            ),
            codebase_urls=["https://huggingface.co/datasets/eve-esa/open-ended"],
            reference_urls=["https://arxiv.org/abs/2604.13071"],
        )

    @add_options
    def _compute(  # noqa: PLR0913
        self,
        questions: list[str],
        predictions: list[str],
        references: list[tuple[str, ...]],
        model: str | None = None,
        prompt: str = "card",
        max_tokens: int | None = 1024,
        reply: str = "text",
        samples: int = 1,
        models: list[Any] | None = None,
        dry_run: bool = False,
        per_example: bool = False,
        **options: Any,
    ) -> dict[str, Any]:
        check_reply(reply, prompt)
        settings = options | {"samples": samples}
        if reply == "decision":
            settings["decision"] = Decision(CHOICES)
            make_run = partial(
                JudgeRun, fill_prompt=fill_question, read_reply=read_decision, fill_state=fill_state
            )
        else:
            settings |= {"max_tokens": max_tokens, "schema": SCHEMA}
            make_run = partial(
                JudgeRun, fill_prompt=partial(fill_prompt, prompt=prompt), read_reply=read_text
            )
        judges = create_judges("eve_judge", model, models, settings)
        rows = list(zip(questions, predictions, references, strict=True))
        runs = [make_run(judge, rows) for judge in judges]
        ask_judges(runs, dry_run)
        sign = partial(self.make_signature, VERSION, **describe_settings(judges, reply, prompt))
        if dry_run:
            return estimate_cost(runs, REPLY_TOKENS[reply], sign())

        blank = dict.fromkeys(BLANK[reply])
        if samples > 1:
            blank["verdicts"] = None
        judged = [make_judged_rows(run, blank, join_by_majority) for run in runs]
        entries = join_panel(judged) if models else judged[0].entries
        mark_injections(entries, predictions)
        extras = (
            count_declined(entries)
            | compare_judges(judged, "accuracy", COUNTS)
            | count_injections(entries)
        )
        result = ResultForm("accuracy", COUNTS, sign, per_example).make_result(
            judged, entries, extras
        )
        note_injections(result)
        return result


CITATION = """\
@misc{atrio2026eve,
  title={{EVE}: A Domain-Specific {LLM} Framework for Earth Intelligence},
  author={Àlex R. Atrio and Antonio Lopez and Jino Rohit and Yassine El Ouahidi and Marcello Politi
    and Vijayasri Iyer and Umar Jamil and Sébastien Bratières and Nicolas Longépé},
  year={2026}, eprint={2604.13071}, archivePrefix={arXiv}, primaryClass={cs.CL}
}
"""
INPUTS = f"""
Args:
    questions (list of str): the questions that were asked.
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; if a row has several, a
        pass on any of them counts.
    prompt ("card", "evalkit"): the text of the data set's card, or that of evalkit, which has one
        more word and more blank lines.
    max_tokens (int): the most tokens of a reply, thinking included; None leaves it to the provider.
    reply ("text", "decision"): the form of the reply: a text with a verdict, or the choice of a
        decision model: right, wrong or declined.
    samples (int): how often each prompt is sent; the verdict is that of more than half of the
        replies.
    models (list): a panel instead of `model`: names, or dicts with model and its own provider,
        api_key, base_url, temperature, max_tokens, extra_body. The verdict is that of more than
        half of the judges.
{JUDGE_INPUTS}
Returns:
    accuracy (float in 0..1, higher is better, mean over the scored rows; None if there are none),
    lowest and highest (the share of passes among all rows if every failed row were a fail, or a
    pass; a declined row is no pass in both, so accuracy can lie above highest), passed, failed,
    n_by_key (rows whose verdict was not in JSON but under a key), n_address_judge and
    rows_address_judge (how many answers may address the judge, and their rows; their verdicts stay
    the same),
    if the judge finds that answers decline: declined, right_of_all, right_of_attempted, attempted
    (shares, each with an _interval), with samples flip_rate and flip_rate_interval (share of rows
    whose replies differ), with models judges (dict by judge) and agreement (kappa by pair),
    {JUDGE_RESULT}"""
