"""Reward accuracy as a metric of evaluate; scoring.py computes it."""

import math
from hashlib import sha256
from importlib.metadata import version
from os import PathLike
from typing import Any

import datasets
import evaluate

from .inputs import Inputs
from .judge_model import load_judge
from .scoring import (
    INTERVAL,
    check_settings,
    compute_rewards,
    explain,
    find_max_length,
    log_prob,
    prepare_texts,
)
from .scoring import render_chat, score, subtract_reference, summarize_groups
from .text_model import ask_hub

__all__ = ["RewardAccuracy", "ask_hub", "log_prob", "score"]

VERSION = "0.1.0"


class RewardAccuracy(Inputs, evaluate.Metric):
    """Reward accuracy as a metric of evaluate.

    It has the configurations "model" (the default) and "logprobs".

    >>> accuracy = RewardAccuracy("logprobs")
    >>> pairs = {"chosen": [-1.0, -3.0, -2.0, -4.0], "rejected": [-2.0, -2.5, -2.0, -4.5]}
    >>> result = accuracy.compute(**pairs)
    >>> result["reward_accuracy"], result["mean_margin"], result["ties"]
    (0.5, 0.25, 1)
    """

    optional_columns = ("groups",)

    def __init__(self, config_name: str | None = None, **settings: Any) -> None:
        super().__init__(config_name=config_name, **settings)
        if self.config_name == "logprobs":
            self._compute = self._compare  # type: ignore[method-assign, assignment]

    def _info(self) -> evaluate.MetricInfo:
        check_settings(configuration=self.config_name)
        text, number = datasets.Value("string"), datasets.Value("float64")
        columns = {"prompts": text, "chosen": text, "rejected": text}
        if self.config_name == "logprobs":
            columns = {"chosen": number, "rejected": number}
        return evaluate.MetricInfo(
            description="The share of pairs in which a language model finds the chosen text "
            "likelier than the other.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({**columns, "groups": text}),
            codebase_urls=[
                "https://huggingface.co/datasets/iknow-lab/JudgeBias-DPO-RefFree-testset"
            ],
            reference_urls=["https://arxiv.org/abs/2305.18290"],
        )

    def _compare(
        self,
        chosen: list[float],
        rejected: list[float],
        groups: list[str],
        per_example: bool = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        pairs = zip(chosen, rejected, groups, strict=True)
        rows = [({"reward": first}, {"reward": second}, group) for first, second, group in pairs]
        return self._result(rows, {"configuration": "logprobs"}, per_example, signature)

    def _result(
        self,
        rows: list[tuple[Any, Any, str]],
        settings: dict[str, Any],
        per_example: bool,
        signature: bool,
    ) -> dict[str, Any]:
        pairs = [(chosen["reward"], rejected["reward"]) for chosen, rejected, _ in rows]
        result = summarize_groups(pairs, [group for _, _, group in rows])
        interval = result.pop("interval")
        if per_example or signature:
            result |= {
                "interval": interval,
                "signature": self.make_signature(VERSION, **settings, interval=INTERVAL),
            }
        if per_example:
            result["per_example"] = [explain(*row) for row in rows]
        return result

    def _compute(  # noqa: PLR0913
        self,
        prompts: list[str],
        chosen: list[str],
        rejected: list[str],
        groups: list[str],
        model: str | PathLike[str] | None = None,
        normalize: str = "sum",
        reference_model: str | PathLike[str] | None = None,
        beta: float = 1.0,
        chat_template: bool = False,
        truncate: str | None = None,
        batch_size: int = 16,
        dtype: Any = "float32",  # torch.float32 too
        device: Any = None,
        progress: bool = True,
        per_example: bool = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        dtype = str(dtype).removeprefix("torch.")
        check_settings(normalize=normalize, truncate=truncate, dtype=dtype)
        if not 0 < beta < math.inf:
            raise ValueError(f"beta is {beta!r:.80}; a number above 0 is expected")
        if reference_model is None and beta != 1:
            raise ValueError(
                f"beta is {beta}, but it weighs a reward relative to a reference_model; none is "
                "given"
            )
        judge = load_judge(model, device, dtype)
        reference = None
        if reference_model is not None:
            reference = load_judge(reference_model, device, dtype, "reference_model")
        columns = {"chosen": chosen, "rejected": rejected}
        # Both models tokenize all texts before either computes, so that a text that is too long
        # raises its error at once.
        texts = prepare_texts(judge, prompts, columns, chat_template, truncate)
        reference_texts = []
        if reference:
            reference_texts = prepare_texts(reference, prompts, columns, chat_template, truncate)
        sides = compute_rewards(judge, texts, normalize, batch_size, progress)
        if reference:
            reference_sides = compute_rewards(
                reference, reference_texts, normalize, batch_size, progress
            )
            sides = [
                subtract_reference(side, reference_side, float(beta))
                for side, reference_side in zip(sides, reference_sides, strict=True)
            ]
        # The sides of all chosen texts come before those of the rejected ones.
        sides_by_name = {"chosen": sides[: len(prompts)], "rejected": sides[len(prompts) :]}
        rows = list(zip(*sides_by_name.values(), groups, strict=True))
        template = None
        if chat_template:
            # Some templates write the current date into the prompt, so the hash is that of a
            # prompt.
            template = sha256(render_chat(judge.tokenizer, "?").encode()).hexdigest()[:12]
        settings = {
            "configuration": "model",
            "model": judge.name,
            "revision": judge.revision,
            "normalize": normalize,
            "reference": reference
            and f"{reference.name}@{reference.revision},beta-{float(beta):g}",
            "chat_template": f"sha256-{template}" if template else chat_template,
            "truncate": truncate,
            "max_length": find_max_length(judge),
            "dtype": dtype,
            **{name: version(name) for name in ("transformers", "tokenizers", "torch")},
        }
        result = self._result(rows, settings, per_example, signature)
        for name, column in sides_by_name.items():
            result[f"{name}_truncated"] = sum(side["truncated"] for side in column)
            result[f"{name}_empty"] = sum(side["tokens"] == 0 for side in column)
        return result


CITATION = """\
@misc{judgebias2026,
  title={{JudgeBias-DPO-RefFree-testset}},
  author={{iknow-lab}},
  year={2026}, howpublished={https://huggingface.co/datasets/iknow-lab/JudgeBias-DPO-RefFree-testset}
}
@inproceedings{rafailov2023dpo,
  title={Direct Preference Optimization: Your Language Model is Secretly a Reward Model},
  author={Rafailov, Rafael and Sharma, Archit and Mitchell, Eric and Manning, Christopher D. and
    Ermon, Stefano and Finn, Chelsea},
  booktitle={Advances in Neural Information Processing Systems},
  year={2023}, eprint={2305.18290}, archivePrefix={arXiv}
}
"""
INPUTS = """
Args, configuration "model" (the default): prompts, chosen, rejected (lists of str): the prompt, the
    better text and the worse text of each pair. groups (list of str, optional): the group of each
    pair, such as its perturbation_type. model (str): a causal language model of transformers, by
    its name on the Hub or the path of a folder; no default. normalize ("sum", "mean"): the
    log-probability of the whole text, as on the card, or its mean per token. reference_model (str
    or None): another model; the reward is then beta * (log P - log P of the reference), as in DPO.
    beta (float): the weight of that reward; it changes mean_margin only. chat_template (bool):
    whether to put the prompt into the model's chat template, as the user's turn. truncate (None,
    "left"): whether texts too long for the model raise an error, or lose the beginning of their
    prompt. batch_size (int): the most texts in one batch; it does not change the scores. dtype
    ("float32", "float64", "bfloat16", "float16", "auto"): the precision of the computation; "auto"
    is that of the file. device (str or None): "cuda", "mps", "cpu", ...; None takes the first of
    these that is available. progress (bool): shows a progress bar on the error stream. per_example
    (bool): adds one dict per pair. signature (bool): adds the interval and the signature; so does
    per_example.
Args, configuration "logprobs": chosen, rejected (lists of float): log-probabilities, or any
    rewards; groups, per_example, signature: as above.

Returns:
    reward_accuracy (float in 0..1, higher is better): the share of pairs with a higher reward for
        the chosen text.
    mean_margin (float): the mean of reward(chosen) - reward(rejected).
    ties, n (int): the number of pairs with equal rewards, which are no wins; that of all pairs.
    by_group (list of dict): the same for each group, if there are groups.
    chosen_truncated, rejected_truncated (int, "model"): how many texts lost a part of their prompt.
    chosen_empty, rejected_empty (int, "model"): how many texts have no token.
    interval ([low, high], on request): the 95% interval of reward_accuracy by Clopper and Pearson.
    signature (str, on request): everything that can change the score, for a paper.
    per_example (list of dict, on request).
"""
