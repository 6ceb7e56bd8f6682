"""The recipes of metrics/README.md do what they say.

Each runs in its own process, in a folder with the metrics that it loads.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support import judges
from tests.support.processes import WITHOUT_TRANSFORMERS
from tests.support.project import METRICS, ROOT

GUIDE = (METRICS / "README.md").read_text("utf-8")
# A heading, and the first block of code below it.
RECIPE = re.compile(r"^### ([^\n]+)\n.*?^```(?:py|yaml)\n(.*?)^```$", re.S | re.M)
# The code of each recipe by its heading.
RECIPES = dict(RECIPE.findall(GUIDE.split("\n## Recipes\n")[1]))
# The Python that has the harnesses installed; `make recipes` creates it.
PYTHON = ROOT / ".venv-recipes" / ("Scripts" if os.name == "nt" else "bin") / "python"
FIND_PACKAGE = "import importlib.util, sys; sys.exit(not importlib.util.find_spec(sys.argv[1]))"
# F1 of "he was born in paris" and "she was born in paris" is 4/5.
ROWS = [
    {
        "model": "small",
        "question": "Where?",
        "answer": "He was born in Paris.",
        "reference": "She was born in Paris.",
    },
    {
        "model": "small",
        "question": "Where?",
        "answer": "",
        "reference": "She was born in Paris.",
    },
    {
        "model": "large",
        "question": "Where?",
        "answer": "Paris",
        "reference": "Paris",
    },
]
# The programs below prepare what a recipe needs, or print its results.
TRAINER = """
import json
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Seq2SeqTrainer, Seq2SeqTrainingArguments, T5Config
from transformers import T5ForConditionalGeneration
words = ["<pad>", "</s>", "paris", "rome"]
raw = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="<pad>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="</s>")
sizes = dict(vocab_size=4, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2)
config = T5Config(**sizes, decoder_start_token_id=0, eos_token_id=1, pad_token_id=0)
model = T5ForConditionalGeneration(config)
# With these weights it always answers "paris".
torch.nn.init.zeros_(model.lm_head.weight)
model.generation_config.forced_eos_token_id = 1
model.generation_config.suppress_tokens = [0, 3]
model.generation_config.begin_suppress_tokens = [1]
model.generation_config.max_length = 3
arguments = Seq2SeqTrainingArguments(
    output_dir="out", predict_with_generate=True, report_to=[], use_cpu=True, disable_tqdm=True
)
rows = [{"input_ids": [2, 1], "labels": [2, 1]}, {"input_ids": [2, 1], "labels": [3, 1]}]
"""
LIGHTEVAL = """
from lighteval.metrics import apply_metric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc
references = ("She was born in Paris.", "Rome")
documents = [Doc(query="Where?", choices=[text], gold_index=0) for text in references]
answers = [ModelResponse(text=["He was born in Paris."]) for _ in documents]
scores = apply_metric(responses=answers, docs=documents, metrics=[lv_eval_f1])
average = lv_eval_f1.get_corpus_aggregations()["lv_eval_f1"]
print([round(row["lv_eval_f1"], 4) for row in scores], average([0.8, 0.0]))
"""
INSPECT = """
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
reply = ModelOutput.from_content("m", "He was born in Paris.").model_copy(update={"usage": usage})
rows = [Sample(input="Where?", target=text) for text in ("She was born in Paris.", "Rome")]
model = get_model("mockllm/model", custom_outputs=[reply, reply])
(log,) = eval(Task(rows, scorer=lv_eval_f1()), model=model, display="none", log_dir="logs")
print(log.status, round(log.results.scores[0].metrics["mean"].value, 4))
"""
NOTEBOOK = """
import asyncio, os
async def cell(code):
    exec(compile(code, "cell", "exec"), globals())
asyncio.run(cell(os.environ["RECIPE"]))
print(result["accuracy"], len(pd.DataFrame(result["per_example"])))
"""
DSPY = """
import dspy
references = ("She was born in Paris.", "Rome")
examples = [dspy.Example(question="Where?", answer=text) for text in references]
examples = [example.with_inputs("question") for example in examples]
class Program(dspy.Module):
    def forward(self, question):
        return dspy.Prediction(answer="He was born in Paris.")
program = Program()
"""
DSPY_RESULTS = """
print(result.score, grade_f1(examples[1], program(question="Where?"), trace=[]))
"""
LANGSMITH = """
import datetime
import uuid
from langsmith.schemas import Example
examples = []
for reference in ("She was born in Paris.", "Rome"):
    example = Example(
        id=uuid.uuid4(),
        dataset_id=uuid.uuid4(),
        created_at=datetime.datetime.now(datetime.timezone.utc),
        inputs={"question": "Where?"},
        outputs={"answer": reference},
    )
    examples.append(example)
def answer_question(inputs):
    return {"answer": "He was born in Paris."}
"""
LANGSMITH_RESULTS = """
graded = [row["evaluation_results"]["results"][0] for row in results]
print(sorted(round(result.score, 4) for result in graded))
"""
MLFLOW = """
rows = []
for reference in ("She was born in Paris.", "Rome"):
    row = {"inputs": {"question": "Where?"}, "outputs": "He was born in Paris."}
    rows.append(row | {"expectations": {"expected_response": reference}})
"""
PROMPTFOO = """
for reference in ("She was born in Paris.", "Rome"):
    result = get_assert("He was born in Paris.", {"vars": {"reference": reference}})
    print(result["pass"], round(result["score"], 4), result["reason"])
"""
PYTEST = "def ask(question):\n    return 'He was born in Paris.'"
PYTEST_RESULTS = """
test_the_answer_is_like_the_reference("Where?", "She was born in Paris.")
try:
    test_the_answer_is_like_the_reference("Where?", "Rome")
except AssertionError:
    print("another answer fails")
"""
# A model of two words, which is trained for one step.
TRL = """
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig
words = ["<pad>", "</s>", "paris", "where"]
raw = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, unk_token="<pad>"))
raw.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="</s>")
layers = dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2)
config = LlamaConfig(vocab_size=4, **layers, pad_token_id=0, eos_token_id=1)
model = LlamaForCausalLM(config)
rows = Dataset.from_list([{"prompt": "where", "reference": "paris"}] * 2)
arguments = GRPOConfig(
    output_dir="out",
    num_generations=2,
    per_device_train_batch_size=2,
    max_completion_length=1,
    max_steps=1,
    logging_steps=1,
    report_to=[],
    use_cpu=True,
    disable_tqdm=True,
)
"""
TRAINED = """
trainer.train()
print(trainer.state.global_step, "rewards/reward/mean" in trainer.state.log_history[0])
print(reward(["where", "where"], ["paris", "rome"], ["paris", "paris"]))
"""
# Settings that keep the harnesses from asking the network for prices, versions and news, and let
# them write into the folder.
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_ENDPOINT": "http://127.0.0.1:9",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "MLFLOW_ALLOW_FILE_STORE": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_TRACKING_URI": "mlruns",
}


@dataclass(frozen=True)
class RecipeRun:
    """How a recipe is run, and what it must print.

    Attributes:
        printed: the lines that it prints last.
        before: the code before it.
        after: the code after it.
        package: the package of its harness; "" if it needs none.
        runs_alone: the recipe is not part of the script: it is in the variable RECIPE.
    """

    printed: list[str]
    before: str = ""
    after: str = ""
    package: str = ""
    runs_alone: bool = False


RUNS = {
    "Trainer": RecipeRun(
        ["0.5"],
        before=TRAINER,
        after="print(trainer.evaluate()['eval_lv_eval_f1'])",
        package="accelerate",
    ),
    "A pandas column": RecipeRun(
        ["model", "large    1.0", "small    0.4", "Name: lv_eval_f1, dtype: float64"]
    ),
    "datasets.map": RecipeRun(
        ["[0.8, 0.0, 1.0]"], after="print([round(score, 4) for score in rows['lv_eval_f1']])"
    ),
    "lighteval": RecipeRun(["[0.8, 0.0] 0.4"], after=LIGHTEVAL, package="lighteval"),
    "inspect_ai": RecipeRun(["success 0.4"], after=INSPECT, package="inspect_ai"),
    "DSPy": RecipeRun(["40.0 False"], before=DSPY, after=DSPY_RESULTS, package="dspy"),
    "LangSmith": RecipeRun(
        ["[0.0, 0.8]"], before=LANGSMITH, after=LANGSMITH_RESULTS, package="langsmith"
    ),
    "MLflow": RecipeRun(
        ["0.4"],
        before=MLFLOW,
        after="print(round(float(result.metrics['lv_eval_f1/mean']), 4))",
        package="mlflow",
    ),
    "promptfoo": RecipeRun(["True 0.8 F1 is 0.80", "False 0.0 F1 is 0.00"], after=PROMPTFOO),
    "pytest": RecipeRun(["another answer fails"], before=PYTEST, after=PYTEST_RESULTS),
    "TRL": RecipeRun(["1 True", "[1, 0]"], before=TRL, after=TRAINED, package="trl"),
    "A notebook": RecipeRun(["0.0 1"], after=NOTEBOOK, runs_alone=True),
    "A LaTeX table from a JSON file": RecipeRun([r"small & 40.0 & 2 \\", r"large & 100.0 & 1 \\"]),
}


# Recipes whose harness imports transformers.
WITH_TRANSFORMERS = ("Trainer", "lighteval", "TRL")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the metrics that the recipes load, rows, and a copy of one scoring.py."""
    for name in ("lv_eval_f1", "eve_judge"):
        shutil.copytree(
            METRICS / name,
            tmp_path / "metrics" / name,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    shutil.copy(METRICS / "lv_eval_f1" / "scoring.py", tmp_path)
    write_answers(tmp_path, ROWS)
    results = []
    for row in ROWS:
        texts = {"prediction": row["answer"], "answer": row["reference"], "keywords": "Paris"}
        results.append({"model": row["model"], **texts})
    (tmp_path / "results.json").write_text(json.dumps(results), "utf-8")
    return tmp_path


def write_answers(folder: Path, rows: list[dict[str, str]]) -> None:
    """Write rows into answers.jsonl, which the recipes read."""
    lines = [json.dumps(row) + "\n" for row in rows]
    (folder / "answers.jsonl").write_text("".join(lines), "utf-8")


def run_recipe(folder: Path, command: list[str], recipe: str = "", search_path: str = "") -> str:
    """Run a command in a folder, offline, and return its output.

    Args:
        folder: the folder, in which all caches are, too.
        command: the command and its arguments.
        recipe: the value of the environment variable RECIPE.
        search_path: the value of PYTHONPATH.
    """
    environment = {**os.environ, **OFFLINE, "RECIPE": recipe, "PYTHONPATH": search_path}
    environment |= dict.fromkeys(["HF_HOME", "XDG_CACHE_HOME", "DSPY_CACHEDIR"], str(folder))
    process = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    return process.stdout


def find_harness(package: str = "") -> str:
    """Return the Python with the harnesses; skip the test if it or a package is missing."""
    if not PYTHON.exists():
        pytest.skip("the harnesses are not installed: make recipes")
    if package and subprocess.run([PYTHON, "-c", FIND_PACKAGE, package], check=False).returncode:
        pytest.skip(f"{package} is not installed: make recipes")
    return str(PYTHON)


def test_every_recipe_has_a_test() -> None:
    # "Several scores at once" is a doctest; lm-evaluation-harness has a test of its own.
    run_here = {*RECIPES} - {"Several scores at once", "lm-evaluation-harness"}
    assert run_here == {*RUNS}


@pytest.mark.parametrize("name", RUNS)
def test_a_recipe_prints_the_expected_lines(name: str, folder: Path) -> None:
    run = RUNS[name]
    python = find_harness(run.package) if run.package else sys.executable
    recipe = RECIPES[name].replace(judges.ADDRESS, judges.start_server().url)
    script = run.after if run.runs_alone else f"{run.before}\n{recipe}\n{run.after}"
    search_path = "" if name in WITH_TRANSFORMERS else WITHOUT_TRANSFORMERS
    output = run_recipe(folder, [python, "-c", script], recipe, search_path)
    assert output.splitlines()[-len(run.printed) :] == run.printed


def test_lm_evaluation_harness_can_use_a_module_as_its_metric(folder: Path) -> None:
    (folder / "trivia.yaml").write_text(RECIPES["lm-evaluation-harness"], "utf-8")
    # The harness's dummy model always answers "lol".
    rows = [{"question": "What?", "reference": text} for text in ("lol", "lol and more", "nothing")]
    write_answers(folder, rows)
    options = ["run", "--model", "dummy", "--tasks", "trivia.yaml", "--output_path", "out"]
    run_recipe(folder, [find_harness(), "-m", "lm_eval", *options])
    (written,) = folder.glob("out/**/*.json")
    results = json.loads(written.read_text("utf-8"))["results"]["trivia"]
    assert results["lv_eval_f1,none"] == pytest.approx((1 + 0.5 + 0) / 3)
