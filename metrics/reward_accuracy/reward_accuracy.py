"""Reward accuracy as a metric of evaluate. What is computed, and after whom: scoring.py."""

from functools import partial
from importlib.metadata import version
from numbers import Real
from typing import Any

import datasets
import evaluate

from .inputs import Inputs
from .judge_model import judge_of
from .scoring import NORMALIZE, compared, explain, factor, log_prob, one_of, read, rewards, score
from .scoring import side_of, summaries, template_mark
from .text_model import ask_hub, whole_number

__all__ = ["RewardAccuracy", "ask_hub", "log_prob", "score"]

VERSION = "0.1.0"
DTYPES = ("float32", "float64", "bfloat16", "float16", "auto")
# Where what was given belongs, by whether it was given to the configuration "logprobs".
ELSEWHERE = {
    True: "Texts and a model go to the other configuration: evaluate.load(...) without 'logprobs'",
    False: "Log-probabilities go to the other configuration: evaluate.load(..., 'logprobs')",
}


class RewardAccuracy(Inputs, evaluate.Metric):
    """Reward accuracy as a metric of evaluate, with the configurations "model" (default) and "logprobs"."""

    optional_columns = ("groups",)

    def __init__(self, config_name: str | None = None, **settings: Any) -> None:
        super().__init__(config_name=config_name, **settings)
        if self.config_name == "logprobs":
            self._compute = self._compare  # type: ignore[method-assign, assignment]

    def _checked(self, columns: dict[str, Any]) -> dict[str, list[Any]]:
        try:
            return super()._checked(columns)
        except TypeError as error:
            numeric, given = self.config_name == "logprobs", columns.get("chosen")
            cell = next(iter(given), None) if isinstance(given, list | tuple) else None
            if not isinstance(cell, str if numeric else Real):
                raise
            raise TypeError(f"{error}. {ELSEWHERE[numeric]}") from None

    def _checked_settings(self, settings: dict[str, Any]) -> dict[str, Any]:
        try:
            return super()._checked_settings(settings)
        except TypeError as error:
            if self.config_name == "logprobs" and not settings.keys().isdisjoint({"prompts", "model"}):
                raise TypeError(f"{error}. {ELSEWHERE[True]}") from None
            raise

    def _info(self) -> evaluate.MetricInfo:
        one_of("the configuration of reward_accuracy", self.config_name, ("default", "model", "logprobs"))
        text, number = datasets.Value("string"), datasets.Value("float64")
        columns = {"prompts": text, "chosen": text, "rejected": text}
        if self.config_name == "logprobs":
            columns = {"chosen": number, "rejected": number}
        return evaluate.MetricInfo(
            description="The share of pairs in which a language model finds the chosen text likelier than the other.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({**columns, "groups": text}),
            codebase_urls=["https://huggingface.co/datasets/iknow-lab/JudgeBias-DPO-RefFree-testset"],
            reference_urls=["https://arxiv.org/abs/2305.18290"],
        )

    def _compare(
        self, chosen: list[float], rejected: list[float], groups: list[str], per_example: bool = False
    ) -> dict[str, Any]:
        pairs = list(zip(chosen, rejected, strict=True))
        result = summaries(pairs, groups) | {"signature": self.signature(VERSION, configuration="logprobs")}
        entries = (compared(*pair, group) for pair, group in zip(pairs, groups, strict=True))
        return result | {"per_example": list(entries)} if per_example else result

    def _compute(
        self,
        prompts: list[str],
        chosen: list[str],
        rejected: list[str],
        groups: list[str],
        model: str | None = None,
        normalize: str = "sum",
        reference_model: str | None = None,
        beta: float = 1.0,
        chat_template: bool = False,
        truncate: str | None = None,
        batch_size: int = 16,
        dtype: str = "float32",
        device: str | None = None,
        progress: bool = True,
        per_example: bool = False,
    ) -> dict[str, Any]:
        normalize, truncate = one_of("normalize", normalize, NORMALIZE), one_of("truncate", truncate, (None, "left"))
        dtype = one_of("dtype", str(dtype).removeprefix("torch."), DTYPES)
        batch_size, weight = whole_number("batch_size", batch_size), factor(beta, reference_model)
        judge = judge_of(model, device, dtype)
        reference = None if reference_model is None else judge_of(reference_model, device, dtype, "reference_model")
        asked = [one for one in (judge, reference) if one]
        texts = [read(one, prompts, chosen, rejected, chat_template, truncate) for one in asked]
        found = [rewards(*one, normalize, batch_size, progress) for one in zip(asked, texts, strict=True)]
        sides = list(map(partial(side_of, weight), zip(*found, strict=True), zip(*texts, strict=True)))
        both = {"chosen": sides[: len(prompts)], "rejected": sides[len(prompts) :]}
        rows = list(zip(both["chosen"], both["rejected"], strict=True))
        result = summaries([(one.reward, other.reward) for one, other in rows], groups)
        result["truncated"] = {name: sum(side.truncated for side in column) for name, column in both.items()}
        result["empty"] = {name: sum(not side.text.tokens for side in column) for name, column in both.items()}
        result["signature"] = self.signature(
            VERSION,
            configuration="model",
            model=judge.name,
            revision=judge.revision,
            normalize=normalize,
            reference=reference and f"{reference.name}@{reference.revision},beta-{weight:g}",
            chat_template=chat_template and template_mark(judge),
            truncate=truncate,
            max_length=judge.max_length,
            dtype=dtype,
            **{name: version(name) for name in ("transformers", "tokenizers", "torch")},
        )
        entries = (explain(*row, group) for row, group in zip(rows, groups, strict=True))
        return result | {"per_example": list(entries)} if per_example else result


CITATION = """\
@misc{judgebias2026,
  title={{JudgeBias-DPO-RefFree-testset}},
  author={{iknow-lab}},
  year={2026}, howpublished={https://huggingface.co/datasets/iknow-lab/JudgeBias-DPO-RefFree-testset}
}
@inproceedings{rafailov2023dpo,
  title={Direct Preference Optimization: Your Language Model is Secretly a Reward Model},
  author={Rafailov, Rafael and Sharma, Archit and Mitchell, Eric and Manning, Christopher D. and Ermon, Stefano and
    Finn, Chelsea},
  booktitle={Advances in Neural Information Processing Systems},
  year={2023}, eprint={2305.18290}, archivePrefix={arXiv}
}
"""
INPUTS = """
Args, configuration "model" (the default):
    prompts (list of str): what the model was asked.
    chosen (list of str): the better text of each pair.
    rejected (list of str): the worse one.
    groups (list of str, may be left out): what each pair belongs to, such as its perturbation_type.
    model (str): a causal language model of transformers, by its name on the Hub or the path of a folder; no default.
    normalize ("sum", "mean"): the log-probability of the whole text, as the card has it, or its mean per token.
    reference_model (str or None): another model; the reward is then beta * (log P - log P of the reference), as in DPO.
    beta (float): the weight of that reward; it moves mean_margin alone.
    chat_template (bool): put the prompt into the model's chat template, as the user's turn.
    truncate (None, "left"): what is done with texts longer than the model's context: an error that names the row, or
        the beginning of their prompt is left out, and they are counted.
    batch_size (int): texts that go through the model at once, at most; it moves no score.
    dtype ("float32", "float64", "bfloat16", "float16", "auto"): what the model computes in; "auto" as it is stored.
    device (str or None): "cuda", "mps", "cpu", ...; None takes the first of these that is there.
    progress (bool): a progress bar on the error stream.
    per_example (bool): True adds one dict per pair.
Args, configuration "logprobs":
    chosen, rejected (lists of float): the log-probabilities, or any rewards, of the two texts of each pair.
    groups, per_example: as above.

Returns:
    reward_accuracy (float in 0..1, higher is better): share of pairs with a higher reward for the chosen text.
    interval (list of two float): its 95% Wilson interval.
    mean_margin (float): mean of reward(chosen) - reward(rejected), in nats for log-probabilities.
    ties (int): pairs with equal rewards, which are no wins.
    n (int): the number of pairs.
    by_group (list of dict): the same for each group; empty without groups.
    truncated (dict, configuration "model"): how many chosen and rejected texts lost the beginning of their prompt.
    empty (dict, configuration "model"): how many chosen and rejected texts have no token, and so are certain.
    signature (str): everything that moves the score, for a paper.
    per_example (list of dict, on request).
"""
