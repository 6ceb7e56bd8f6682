"""L3Score as a metric of evaluate. What is computed: scoring.py. Who is asked, and how: judge.py."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import datasets
import evaluate

from .final_answer import FIRST_TOKEN
from .inputs import Inputs
from .judge import Judge
from .judge_batch import HALF
from .judge_cache import Cache
from .judge_client import connected
from .judge_options import JUDGE_INPUTS, JUDGE_RESULT, with_options
from .judge_panel import shared
from .judge_providers import PROVIDERS, at, ending, unread, unusable
from .judge_report import entries, estimate, report
from .judge_services import SERVICES
from .judge_watch import Watch
from .scoring import LOW_MASS, MATCHES, explain, fill_prompt, has_low_mass, opens_thoughts, prompt_mark
from .scoring import read_candidates, read_word, score_top_logprobs

# Some are here for evaluate's loader, which copies what a module names.
__all__ = ["FIRST_TOKEN", "HALF", "SERVICES", "Cache", "L3score", "Watch", "connected", "fill_prompt",
           "score_top_logprobs"]  # fmt: skip

VERSION = "0.1.0"
# What of a row's entry only a reply can fill.
BLANK = dict.fromkeys(("branch", "p_yes", "p_no", "mass", "top_tokens"))
THINKING = (
    "the judge thinks before it answers, so its first token is no verdict. Switch that off: with extra_body="
    "{'chat_template_kwargs': {'enable_thinking': False}} on a server of your own, else as the provider has it"
)


def read_choice(reply: Mapping[str, Any], asked: int, match: str) -> dict[str, Any]:
    """Return what the judge's reply says: the score with its reasons, or why there is none."""
    listed, token = (at(reply, "first_token", name) for name in ("top_logprobs", "token"))
    if reply.get("thinking") or opens_thoughts(token) or opens_thoughts(reply["text"]):
        return unusable("thinking", THINKING, reply=reply["text"])
    if nothing := unread(reply):
        return nothing
    if not isinstance(listed, list) or not listed:
        return unusable("logprobs_missing", "the reply has no log-probabilities for its first token")
    try:
        return explain(read_candidates(listed), asked, match)
    except ValueError as error:
        return unusable("logprobs_malformed", str(error))


def read_share(reply: Mapping[str, Any]) -> dict[str, Any]:
    """Return which word a whole reply says, 1 for yes, or why there is none: one of the replies that make a share."""
    if nothing := unread(reply):
        return nothing
    if "cut_off" in ending(reply["finish"]):
        return unusable("cut_off", "the reply was cut off")
    word = read_word(reply["text"])
    return {"score": int(word == "yes"), "word": word}


class L3score(Inputs, evaluate.Metric):
    """L3Score as a metric of evaluate. A dry run sends nothing; the formula needs no model.

    >>> l3score = L3score()
    >>> rows = {"questions": ["Where?"], "predictions": ["In Paris."], "references": ["Paris"]}
    >>> l3score.compute(**rows, model="gpt-4o-mini", dry_run=True, cache=False)["calls"]
    1
    >>> listed = [{"token": "Yes", "logprob": -0.5108256}, {"token": "No", "logprob": -1.609438}]
    >>> round(score_top_logprobs(listed), 4)
    0.75
    """

    def _info(self) -> evaluate.MetricInfo:
        text, several = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="How sure a language model is, by its first token, that answer and reference mean the same.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({"questions": text, "predictions": text, "references": several}),
            codebase_urls=["https://github.com/google/spiqa"],
            reference_urls=["https://arxiv.org/abs/2407.09413"],
        )

    @with_options
    def _compute(
        self,
        questions: list[str],
        predictions: list[str],
        references: list[tuple[str, ...]],
        model: str | None = None,
        prompt: str = "card",
        top_logprobs: int = 5,
        match: str = "first",
        probability: str = "logprobs",
        samples: int = 1,
        dry_run: bool = False,
        per_example: bool = False,
        **settings: Any,
    ) -> dict[str, Any]:
        if match not in MATCHES:
            raise ValueError(f"match is {match!r:.80}; one of {MATCHES} is expected")
        if isinstance(top_logprobs, bool) or not hasattr(top_logprobs, "__index__") or top_logprobs < 1:
            raise ValueError(f"top_logprobs is {top_logprobs!r:.80}; a whole number of at least 1 is expected")
        if probability not in ("logprobs", "share"):
            raise ValueError(f"probability is {probability!r:.80}; 'logprobs' or 'share' is expected")
        if probability == "share":
            return self.share(zip(questions, predictions, references, strict=True), model, prompt, samples,
                              dry_run, per_example, settings)  # fmt: skip
        if samples != 1:
            why = "one reply has the probability of both words; probability='share' asks several times"
            raise ValueError(f"samples is {samples!r:.80}; 1 is expected: {why}")
        judge = Judge("l3score", model, {"logprobs": True, "top_logprobs": int(top_logprobs)}, max_tokens=1, **settings)
        if judge.at_home and not PROVIDERS[judge.provider].logprobs:
            why = "which L3Score is made of; probability='share' does without, and is another score"
            raise ValueError(f"provider {judge.provider!r} gives no log-probabilities, {why}")
        rows = zip(questions, predictions, references, strict=True)
        read = partial(read_choice, asked=top_logprobs, match=match)
        judge.ask(rows, partial(fill_prompt, prompt=prompt), read, dry_run)
        said = judge.settings() | {"prompt": prompt_mark(prompt), "match": match, "multi_reference": "max"}
        sign = partial(self.signature, VERSION, **said)
        if dry_run:
            return estimate([judge], 1, sign())
        counted = {"n_neither": lambda row: row["branch"] == "neither", "n_low_mass": has_low_mass}
        own = {judge: entries(judge, BLANK, shared)}
        result = report(own, "L3Score", own[judge], sign, per_example, {}, **counted)
        if low := result["n_low_mass"]:
            result["notes"].append(f"in {low} rows yes and no hold less than {LOW_MASS} of what is listed")
        return result

    def share(
        self, rows: Any, model: Any, prompt: str, samples: int, dry_run: bool, per_example: bool, settings: Any
    ) -> dict[str, Any]:
        """Return the share of yes among several replies, for judges without log-probabilities: another score."""
        judge = Judge("l3score", model, {}, samples=samples, **settings)
        if judge.samples < 2:
            raise ValueError("samples is 1; probability='share' is a share among at least 2 replies")
        judge.ask(rows, partial(fill_prompt, prompt=prompt), read_share, dry_run)
        said = {"probability": "share", **judge.settings(), "prompt": prompt_mark(prompt), "multi_reference": "max"}
        sign = partial(self.signature, VERSION, **said)
        if dry_run:
            return estimate([judge], 2, sign())
        own = {judge: entries(judge, {"words": None}, shared)}
        counted = {"n_neither": lambda row: "neither" in (row["words"] or ())}
        result = report(own, "L3Score", own[judge], sign, per_example, {}, **counted)
        result["notes"].append(f"the share of yes among {samples} replies to a prompt: not the published L3Score")
        return result


CITATION = """\
@inproceedings{pramanick2024spiqa,
  title={{SPIQA}: A Dataset for Multimodal Question Answering on Scientific Papers},
  author={Pramanick, Shraman and Chellappa, Rama and Venugopalan, Subhashini},
  booktitle={Advances in Neural Information Processing Systems, Datasets and Benchmarks Track},
  year={2024}
}
"""
INPUTS = f"""
Args:
    questions (list of str): the questions that were asked.
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; of several, the one with the best score counts.
    prompt ("card", "spiqa"): the wording of the metric's card, or of the paper's code.
    top_logprobs (int): how many candidates for the first token are asked for.
    match ("first", "sum"): the likeliest spelling of yes and of no, or the sum of all.
    probability ("logprobs", "share"): that of the first token, or the share of yes among `samples` whole replies.
    samples (int): how often each prompt is asked for a share, at least 2; 1 otherwise.
{JUDGE_INPUTS}
Returns:
    L3Score (float in 0..1, higher is better, mean over the scored rows; None where there are none), lowest and highest
    (the mean if all failed rows scored 0, or 1), n_neither (scored 0 because neither yes nor no was listed), n_low_mass
    (scored where yes and no hold less than {LOW_MASS} of what is listed),
    {JUDGE_RESULT}"""
