"""L3Score as a metric of evaluate; scoring.py computes it, and judge.py describes the judge."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import datasets
import evaluate

from .final_answer import FIRST_TOKEN
from .inputs import Inputs
from .judge import Judge
from .judge_agreement import join_by_share
from .prompt_injections import count_injections, mark_injections, note_injections
from .judge_batches import send_batches
from .judge_cache import Cache
from .judge_client import RequestSender
from .judge_connection import BatchRequests
from .judge_costs import add_note, estimate_cost
from .judge_decisions import Decision
from .judge_options import JUDGE_INPUTS, JUDGE_RESULT, add_options
from .judge_panel import ask_judges
from .judge_probabilities import read_probability
from .judge_providers import PROVIDERS
from .judge_replies import Outcome, find_failure, is_cut_off, look_up, make_failure
from .judge_results import Counts, Entry, ResultForm, make_judged_rows
from .judge_run import FillPrompt, FillState, JudgeRun, ReadReply
from .judge_services import SERVICES
from .scoring import (
    LOW_MASS,
    MATCHES,
    explain,
    fill_prompt,
    fill_question,
    fill_state,
    has_low_mass,
    opens_thoughts,
)
from .scoring import identify_prompt, read_candidates, read_word, score_top_logprobs

# Some names are imported for evaluate's loader only: it copies the files that a module imports.
__all__ = [
    "FIRST_TOKEN",
    "PROVIDERS",
    "SERVICES",
    "BatchRequests",
    "Cache",
    "L3score",
    "RequestSender",
    "fill_prompt",
    "score_top_logprobs",
    "send_batches",
]

VERSION = "0.1.0"
PROBABILITIES = ("logprobs", "share", "decision")
THINKING = (
    "the judge thinks before it answers, so its first token is no verdict. Switch that off: with "
    "extra_body="
    "{'chat_template_kwargs': {'enable_thinking': False}} on a server of your own, else as the "
    "provider has it"
)


def read_choice(reply: Mapping[str, Any], top_logprobs: int, match: str) -> Outcome:
    """Return the score in a judge's reply with its reasons, or why there is none."""
    token = look_up(reply, "first_token", "token")
    if reply.get("thinking") or opens_thoughts(token) or opens_thoughts(reply["text"]):
        return make_failure("thinking", THINKING, reply=reply["text"])
    if failure := find_failure(reply):
        return failure
    candidates = look_up(reply, "first_token", "top_logprobs")
    if not isinstance(candidates, list) or not candidates:
        return make_failure(
            "logprobs_missing", "the reply has no log-probabilities for its first token"
        )
    try:
        return explain(read_candidates(candidates), top_logprobs, match)
    except ValueError as error:
        return make_failure("logprobs_malformed", str(error))


def read_share(reply: Mapping[str, Any]) -> Outcome:
    """Return the word of a whole reply, with score 1 for yes and 0 for others, or the failure.

    The mean of several such scores is the share of yes.
    """
    if failure := find_failure(reply):
        return failure
    if is_cut_off(reply):
        return make_failure("cut_off", "the reply was cut off")
    word = read_word(reply["text"])
    return {"score": int(word == "yes"), "word": word}


@dataclass(frozen=True)
class Source:
    """One way to get the probability of yes, by the setting `probability`.

    Args:
        judge: the judge that is asked.
        read_reply: returns the outcome of a reply.
        fill_prompt: returns the prompt.
        settings: the settings that can change the score, for the signature.
        output_tokens: the tokens that a reply is assumed to have in a dry run.
        blank: the further keys of a row's entry, with the values that they have without a reply.
        counts: for each count, by its key: the function that says whether a row is counted.
        add_source_note: adds notes about the source to a result.
        fill_state: returns the state for a decision model.
    """

    judge: Judge
    read_reply: ReadReply
    fill_prompt: FillPrompt
    settings: Mapping[str, str]
    output_tokens: int
    blank: Entry
    counts: Counts
    add_source_note: Callable[[dict[str, Any]], None]
    fill_state: FillState | None = None


def is_neither(row: Entry) -> bool:
    """Return whether a row scores 0 because neither yes nor no is listed."""
    return row["branch"] == "neither"


def has_neither(row: Entry) -> bool:
    """Return whether a reply for a row is neither yes nor no."""
    return "neither" in (row["words"] or ())


def use_logprobs(
    model: str | None,
    prompt: str,
    samples: int,
    top_logprobs: int,
    match: str,
    options: Mapping[str, Any],
) -> Source:
    """Return the source of the published score: the log-probabilities of the first token."""
    if samples != 1:
        why = "one reply has the probability of both words; probability='share' asks several times"
        raise ValueError(f"samples is {samples!r:.80}; 1 is expected: {why}")
    parameters = {"logprobs": True, "top_logprobs": int(top_logprobs)}
    judge = Judge("l3score", model, parameters, max_tokens=1, **options)
    if judge.asks_provider and not judge.service.logprobs:
        why = "which L3Score is made of; probability='share' does without, and is another score"
        raise ValueError(f"provider {judge.provider!r} gives no log-probabilities, {why}")
    return Source(
        judge,
        partial(read_choice, top_logprobs=top_logprobs, match=match),
        partial(fill_prompt, prompt=prompt),
        {**judge.describe_settings(), "prompt": identify_prompt(prompt), "match": match},
        output_tokens=1,
        blank=dict.fromkeys(("branch", "p_yes", "p_no", "mass", "top_tokens")),
        counts={"n_neither": is_neither, "n_low_mass": has_low_mass},
        add_source_note=note_low_mass,
    )


def note_low_mass(result: dict[str, Any]) -> None:
    """Add a note if the judge was about to write something else in any row."""
    n_low = result["n_low_mass"]
    if n_low:
        sentence = f"in {n_low} rows yes and no hold less than {LOW_MASS} of what is listed"
        add_note(result, sentence, "rows_low_mass", count=n_low, least=LOW_MASS)


def use_share(
    model: str | None,
    prompt: str,
    samples: int,
    options: Mapping[str, Any],
) -> Source:
    """Return the source for judges without log-probabilities: the share of yes in replies."""
    judge = Judge("l3score", model, {}, samples=samples, **options)
    if judge.samples < 2:
        raise ValueError("samples is 1; probability='share' is a share among at least 2 replies")
    sentence = f"the share of yes among {samples} replies to a prompt: not the published L3Score"
    return Source(
        judge,
        read_share,
        partial(fill_prompt, prompt=prompt),
        {
            "probability": "share",
            **judge.describe_settings(),
            "prompt": identify_prompt(prompt),
        },
        output_tokens=2,
        blank={"words": None},
        counts={"n_neither": has_neither},
        add_source_note=partial(add_note, sentence=sentence, key="share_of_yes", samples=samples),
    )


def use_decision(
    model: str | None,
    prompt: str,
    samples: int,
    options: Mapping[str, Any],
) -> Source:
    """Return the source for decision models, which answer with a probability."""
    if prompt != "card":
        why = "probability='decision' has a wording of its own"
        raise ValueError(f"prompt is {prompt!r:.80}; 'card' is expected: {why}")
    judge = Judge("l3score", model, {}, samples=samples, decision=Decision(), **options)
    sentence = "the probability that a decision model gives: not the published L3Score"
    return Source(
        judge,
        read_probability,
        fill_question,
        {
            "probability": "decision",
            **judge.describe_settings(),
            "prompt": identify_prompt("decision"),
        },
        output_tokens=1,
        blank={"probabilities": None},
        counts={},
        add_source_note=partial(add_note, sentence=sentence, key="decision_probability"),
        fill_state=fill_state,
    )


def check_choices(match: str, top_logprobs: int, probability: str) -> None:
    """Raise ValueError if a setting is none of its choices."""
    if match not in MATCHES:
        raise ValueError(f"match is {match!r:.80}; one of {MATCHES} is expected")
    if isinstance(top_logprobs, bool) or not hasattr(top_logprobs, "__index__") or top_logprobs < 1:
        raise ValueError(
            f"top_logprobs is {top_logprobs!r:.80}; a whole number of at least 1 is expected"
        )
    if probability not in PROBABILITIES:
        expected = "'logprobs', 'share' or 'decision'"
        raise ValueError(f"probability is {probability!r:.80}; {expected} is expected")


class L3score(Inputs, evaluate.Metric):
    """L3Score as a metric of evaluate. The example sends no request: it is a dry run.

    >>> l3score = L3score()
    >>> rows = {"questions": ["Where?"], "predictions": ["In Paris."], "references": ["Paris"]}
    >>> settings = {"model": "gpt-6-luna", "probability": "decision", "cache": False}
    >>> l3score.compute(**rows, **settings, dry_run=True)["calls"]
    1
    >>> listed = [{"token": "Yes", "logprob": -0.5108256}, {"token": "No", "logprob": -1.609438}]
    >>> round(score_top_logprobs(listed), 4)
    0.75
    """

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        texts = datasets.Sequence(text)
        return evaluate.MetricInfo(
            description="How sure a language model is, by its first token, that answer and "
            "reference mean the same.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features(
                {"questions": text, "predictions": text, "references": texts}
            ),
            codebase_urls=["https://github.com/google/spiqa"],
            reference_urls=["https://arxiv.org/abs/2407.09413"],
        )

    @add_options
    def _compute(  # noqa: PLR0913
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
        **options: Any,
    ) -> dict[str, Any]:
        check_choices(match, top_logprobs, probability)
        if probability == "decision":
            source = use_decision(model, prompt, samples, options)
        elif probability == "share":
            source = use_share(model, prompt, samples, options)
        else:
            source = use_logprobs(model, prompt, samples, top_logprobs, match, options)
        rows = zip(questions, predictions, references, strict=True)
        run = JudgeRun(source.judge, rows, source.fill_prompt, source.read_reply, source.fill_state)
        ask_judges([run], dry_run)
        sign = partial(self.make_signature, VERSION, **source.settings, multi_reference="max")
        if dry_run:
            return estimate_cost([run], source.output_tokens, sign())
        judged = make_judged_rows(run, source.blank, join_by_share)
        mark_injections(judged.entries, predictions)
        form = ResultForm("L3Score", source.counts, sign, per_example)
        result = form.make_result([judged], judged.entries, count_injections(judged.entries))
        source.add_source_note(result)
        note_injections(result)
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
    references (list of str, or of lists of str): the right answers; if a row has several, the one
        with the best score counts.
    prompt ("card", "spiqa"): the wording of the metric's card, or of the paper's code.
    top_logprobs (int): how many candidates for the first token are requested.
    match ("first", "sum"): whether the likeliest spelling of yes and of no counts, or the sum of
        all spellings.
    probability ("logprobs", "share", "decision"): the source of the probability: the first token;
        the share of yes among `samples` whole replies; or the answer of a decision model.
    samples (int): how often each prompt is sent: at least 2 for "share", otherwise 1.
{JUDGE_INPUTS}
Returns:
    L3Score (float in 0..1, higher is better, mean over the scored rows; None if there are none),
    lowest and highest (the mean if all failed rows scored 0, or 1), n_neither (rows that scored 0
    because neither yes nor no was listed), n_low_mass (scored rows in which yes and no have less
    than {LOW_MASS} of what is listed), n_address_judge and rows_address_judge (how many answers may
    address the judge, and their rows; their scores stay the same),
    {JUDGE_RESULT}"""
