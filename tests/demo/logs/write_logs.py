"""Write the logs in this folder by running the tools themselves on the questions below, offline.

    .venv-recipes/bin/python tests/demo/logs/write_logs.py [the folder with node_modules/promptfoo]

`make recipes` installs three of the tools. promptfoo is installed with `npm install promptfoo`; it
is left out if no folder is given. The model's answers are those in REPLIES, with thinking before
them for lighteval. promptfoo gets one more question and a failure. The logs are not changed, except
that transcripts and tracebacks, which are large, are removed from those of inspect_ai.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

HERE = Path(__file__).parent
MODEL = "some-org/parrot"
QUESTIONS = [
    {"question": "Who wrote Emma?", "answers": ["Jane Austen", "Austen"]},
    {"question": "Where was she born?", "answers": ["Steventon"]},
    {"question": "中国的首都是哪里？", "answers": ["北京", "北京市"]},
]
PROMPTFOO_FILES = ("facts.json", "facts.jsonl", "facts.csv")
REPLIES = {"Emma": "It was Jane Austen. #### Austen", "born": "In Bath.", "首都": ""}


def find_reply(prompt: str) -> str:
    """Return the model's answer to the last question in a prompt."""
    return REPLIES[max(REPLIES, key=prompt.rfind)]


def write_questions(folder: Path) -> Path:
    """Write the questions as JSON Lines, each with a wrong and a right option; return the path."""
    rows = [{**row, "options": ["Bath", row["answers"][0]], "right": 1} for row in QUESTIONS]
    (folder / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder / "train.jsonl"


def run_lm_eval(folder: Path) -> None:
    """Run lm-evaluation-harness with a model that repeats the answers in REPLIES.

    The logs have several filters and references, chats as prompts, two answers to each question,
    and likelihoods of options.
    """
    import lm_eval
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.models.api_models import JsonChatStr

    class Parrot(LM):
        tokenizer_name = "parrot"

        def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
            return [
                find_reply(str(json.loads(request.args[0].prompt)[-1]["content"]))
                for request in requests
            ]

        def loglikelihood(
            self, requests: Any, disable_tqdm: bool = False
        ) -> list[tuple[float, bool]]:
            return [(-float(len(request.args[1])), False) for request in requests]

        def loglikelihood_rolling(self, requests: Any, disable_tqdm: bool = False) -> list[float]:
            raise NotImplementedError

        def apply_chat_template(self, chat_history: Any, add_generation_prompt: bool = True) -> Any:
            return JsonChatStr(json.dumps(chat_history, ensure_ascii=False))

        def chat_template(self, chat_template: Any = False) -> str:
            return ""

    dataset: dict[str, Any] = {
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": str(write_questions(folder))},
        "test_split": "train",
        "doc_to_text": "Question: {{question}}",
    }
    after_hashes = {"function": "regex", "regex_pattern": "#### (.*)"}
    take_first = {"function": "take_first"}
    take_both = {"function": "take_first_k", "k": 2}
    facts = dataset | {
        "task": "facts",
        "output_type": "generate_until",
        "doc_to_target": lambda row: row["answers"],
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        "filter_list": [
            {"name": "strict", "filter": [after_hashes, take_first]},
            {"name": "whole", "filter": [take_first]},
        ],
    }
    twice = dataset | {
        "task": "twice",
        "output_type": "generate_until",
        "doc_to_target": "{{answers[0]}}",
        "metric_list": [{"metric": "bypass"}],
        "filter_list": [{"name": "both", "filter": [take_both]}],
        "repeats": 2,
    }
    options = dataset | {
        "task": "options",
        "output_type": "multiple_choice",
        "doc_to_target": "right",
        "doc_to_choice": "{{options}}",
        "metric_list": [{"metric": "acc"}],
    }
    tasks = [facts, twice, options]
    tracker = EvaluationTracker(output_path=str(folder / "out"))
    tracker.general_config_tracker.log_experiment_args(
        "parrot", f"pretrained={MODEL}", "", "", False
    )
    results = lm_eval.simple_evaluate(
        model=Parrot(),
        tasks=tasks,
        apply_chat_template=True,
        bootstrap_iters=0,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results | {"pretty_env_info": ""}, samples=samples)
    for name in results["configs"]:
        tracker.save_results_samples(name, samples[name])
    shutil.copytree(folder / "out", HERE / "lm_eval")


def run_inspect(folder: Path) -> None:
    """Run inspect_ai.

    The logs have two epochs, several references, messages as input, a sample that fails once, and
    scores of several types.
    """
    import inspect_ai
    from inspect_ai.dataset import Sample
    from inspect_ai.log import read_eval_log, write_eval_log
    from inspect_ai.model import (
        ChatMessageSystem,
        ChatMessageUser,
        ModelOutput,
        ModelUsage,
        get_model,
    )
    from inspect_ai.scorer import Score, f1, match, mean, scorer
    from inspect_ai.solver import solver

    def style() -> Any:
        async def score(state: Any, target: Any) -> Any:
            return Score(value={"words": len(state.output.completion.split()), "polite": 1})

        return score

    def fails() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            if "born" in state.input_text and state.epoch == 1:
                raise ValueError("the model is gone")
            return await generate(state)

        return solve

    def reply(messages: Any, *_: Any) -> Any:
        reply_of_model = ModelOutput.from_content("mockllm/parrot", find_reply(messages[-1].text))
        return reply_of_model.model_copy(
            update={"usage": ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)}
        )

    emma, born, capital = QUESTIONS
    chat = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content=str(born["question"]))]
    samples = [
        Sample(
            id="emma",
            input=str(emma["question"]),
            target=emma["answers"],
            metadata={"topic": "books"},
        ),
        Sample(id=2, input=chat, target=born["answers"][0]),
        Sample(id="../北京", input=str(capital["question"]), target=capital["answers"]),
    ]
    both = scorer(metrics={"words": [mean()], "polite": [mean()]})(style)
    task = inspect_ai.Task(
        samples, name="facts", solver=solver(fails)(), scorer=[match(), f1(), both()]
    )
    options: dict[str, Any] = {
        "model": get_model("mockllm/parrot", custom_outputs=reply),
        "epochs": 2,
    }
    options |= {"fail_on_error": False, "display": "none", "log_dir": str(folder)}
    (log,) = inspect_ai.eval(task, **options)
    (HERE / "inspect").mkdir()
    log = read_eval_log(log.location)
    for sample in log.samples or []:
        sample.events, sample.messages, sample.events_data, sample.timelines = [], [], None, None
        if sample.error:
            sample.error.traceback = sample.error.traceback_ansi = ""
    for ending in ("eval", "json"):
        write_eval_log(log, str(HERE / "inspect" / f"facts.{ending}"))


LIGHTEVAL_MODEL = """
from lighteval.models.abstract_model import LightevalModel
from lighteval.models.model_output import ModelResponse
from lighteval.utils.cache_management import SampleCache
from write_logs import find_reply
class Parrot(LightevalModel):
    tokenizer, add_special_tokens, max_length = None, False, 2048
    def __init__(self, config):
        self.config, self._cache = config, SampleCache(config)
    def greedy_until(self, docs):
        answers = [f"<think>Who knows?</think>{find_reply(one.query)}" for one in docs]
        responses = []
        for one, answer in zip(docs, answers):
            texts, tokens = [answer] * one.num_samples, [[1]] * one.num_samples
            responses.append(ModelResponse(input=one.query, text=texts, output_tokens=tokens))
        return responses
    def loglikelihood(self, docs):
        responses = []
        for one in docs:
            logprobs = [-1.0] * len(one.choices)
            responses.append(ModelResponse(logprobs=logprobs, output_tokens=[[1]] * 2))
        return responses
    def loglikelihood_rolling(self, docs):
        raise NotImplementedError
"""
LIGHTEVAL_TASKS = """
from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc
def facts(line, task_name=None):
    right = list(range(len(line["answers"])))
    question = line["question"]
    return Doc(task_name=task_name, query=question, choices=line["answers"], gold_index=right)
def options(line, task_name=None):
    question, right = line["question"], line["right"]
    return Doc(task_name=task_name, query=question, choices=line["options"], gold_index=right)
common = dict(
    hf_repo="FOLDER",
    hf_subset="default",
    hf_avail_splits=["train"],
    evaluation_splits=["train"],
    few_shots_split=None,
    few_shots_select=None,
    generation_size=20,
    stop_sequence=None,
)
matches = [Metrics.exact_match, Metrics.f1_score]
likeliest = [Metrics.loglikelihood_acc]
twice = Metrics.avg_at_n_math(sample_params={"n": 2})
TASKS_TABLE = [
    LightevalTaskConfig(name="facts", prompt_function=facts, metrics=matches, **common),
    LightevalTaskConfig(name="twice", prompt_function=facts, metrics=[twice], **common),
    LightevalTaskConfig(name="options", prompt_function=options, metrics=likeliest, **common),
]
"""


def run_lighteval(folder: Path) -> None:
    """Run lighteval.

    The logs have several references, thinking that lighteval removes, two answers to each question,
    and likelihoods of options.
    """
    import xxhash
    from lighteval.logging import info_loggers
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.custom.custom_model import CustomModelConfig
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry

    # lighteval's own tasks need the network when they are loaded, and newer versions of xxhash do
    # not hash texts.
    for method in ("_load_from_files", "_load_from_subdirs"):
        setattr(Registry, method, staticmethod(lambda *_: {}))
    info_loggers.xxhash = SimpleNamespace(xxh64=lambda text: xxhash.xxh64(text.encode()))
    (folder / "data").mkdir()
    write_questions(folder / "data")
    (folder / "model.py").write_text(LIGHTEVAL_MODEL, "utf-8")
    (folder / "tasks.py").write_text(
        LIGHTEVAL_TASKS.replace("FOLDER", str(folder / "data")), "utf-8"
    )
    sys.path.append(str(HERE))
    options = {"custom_tasks_directory": str(folder / "tasks.py"), "remove_reasoning_tags": True}
    pipeline = Pipeline(
        tasks="facts|0,twice|0,options|0",
        pipeline_parameters=PipelineParameters(launcher_type=ParallelismManager.CUSTOM, **options),
        evaluation_tracker=EvaluationTracker(output_dir=str(folder / "out"), save_details=True),
        model_config=CustomModelConfig(
            model_name=MODEL, model_definition_file_path=str(folder / "model.py")
        ),
    )
    pipeline.evaluate()
    pipeline.save_and_push_results()
    for path in (folder / "out").glob("details/**/*.parquet"):
        # Windows has no "|" in names of files.
        plain_path = path.relative_to(folder / "out").with_name(path.name.replace("|", "_"))
        copy = HERE / "lighteval" / plain_path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)


PROMPTFOO_PROVIDER = """
const says = REPLIES;
module.exports = class {
  constructor(options) { this.options = options; }
  id() { return this.options.config.name; }
  async callApi(prompt) {
    if (prompt.includes('born')) return { error: 'the model is gone' };
    if (prompt.includes('JSON')) return { output: { city: 'Paris' } };
    return { output: says[Object.keys(says).find((one) => prompt.includes(one))] };
  }
};
"""


def run_promptfoo(folder: Path, program: Path) -> None:
    """Run promptfoo.

    The logs have references in variables and in assertions, two providers, a failure, and an answer
    that is an object.
    """
    (folder / "provider.js").write_text(
        PROMPTFOO_PROVIDER.replace("REPLIES", json.dumps(REPLIES)), "utf-8"
    )
    emma, born, capital = QUESTIONS
    tests = [
        {
            "vars": {"question": emma["question"], "answer": "Jane Austen"},
            "assert": [{"type": "icontains", "value": "{{answer}}", "metric": "named"}],
        },
        {
            "vars": {"question": born["question"]},
            "assert": [{"type": "equals", "value": "Steventon"}],
        },
        {
            "vars": {"place": capital["question"]},
            "assert": [{"type": "contains-any", "value": capital["answers"]}],
        },
        {
            "vars": {"question": "JSON: capital of France?", "references": ["Paris", "Lutetia"]},
            "options": {"disableVarExpansion": True},
        },
    ]
    providers = [{"id": "file://provider.js", "config": {"name": "parrot"}}]
    providers.append({"id": "file://provider.js", "label": MODEL, "config": {"name": "other"}})
    config = {
        "prompts": ["Be brief. {{question}}{{place}}"],
        "providers": providers,
        "tests": tests,
    }
    (folder / "promptfooconfig.json").write_text(json.dumps(config), "utf-8")
    no_network = {
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_CONFIG_DIR": str(folder),
    }
    command = [
        "node",
        str(program / "node_modules" / "promptfoo" / "dist" / "src" / "entrypoint.js"),
        "eval",
    ]
    command += ["--config", "promptfooconfig.json", "--no-cache", "--no-table"]
    for name in PROMPTFOO_FILES:
        command += ["-o", name]
    # Its exit code is 100 if an assertion fails.
    subprocess.run(command, cwd=folder, env=os.environ | no_network, check=False)
    (HERE / "promptfoo").mkdir()
    for name in PROMPTFOO_FILES:
        shutil.copy(folder / name, HERE / "promptfoo")


def replace_logs(name: str, maker: Callable[..., None], *more: Path) -> None:
    """Delete the logs of one tool, and write those of a new run."""
    shutil.rmtree(HERE / name, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # so that no log contains the folder's path
        maker(Path(), *more)
        os.chdir(HERE)


if __name__ == "__main__":
    folders = [Path(argument).resolve() for argument in sys.argv[1:]]
    os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HOME": tempfile.mkdtemp()}
    replace_logs("lm_eval", run_lm_eval)
    replace_logs("inspect", run_inspect)
    replace_logs("lighteval", run_lighteval)
    for folder in folders:
        replace_logs("promptfoo", run_promptfoo, folder)
