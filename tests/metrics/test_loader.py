"""Every metric folder can be loaded alone by evaluate, and its files can be copied and used alone.

Also its page, and the copies of shared files.
"""

import ast
import doctest
import inspect
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import evaluate
import gradio as gr
import pytest

from metrics import make_copies
from tests.support import judges
from tests.support.judges import JUDGES
from tests.support.models import WITH_MODEL
from tests.support.processes import WITHOUT_TRANSFORMERS
from tests.support.project import (
    ANSWER_METRICS,
    METRICS,
    NAMES,
    ROOT,
    find_file,
    import_file,
    provide_model,
)

# Packages that a metric need not name: requirements of evaluate and of the openai SDK, and
# tiktoken, which the estimate of tokens uses only if it is installed.
WITH_EVALUATE = {"datasets", "huggingface_hub", "numpy", "tqdm", "httpx2", "tiktoken"}
# A call that needs each optional package, and the command that its error names.
JUDGED = (
    '{}(keep_in_memory=True).compute(questions=["a"], predictions=["a"], references=["a"], '
    'model="m", '
    'base_url="http://127.0.0.1:9/v1", cache=False, progress=False)'
)
SCORE = 'score("a", "a")'
CHINESE = 'score("北京", "北京")'
LOG_PROB = 'log_prob("a", "b", "m")'
TORCH = "torch transformers"
JIEBA = "jieba==0.42.1"
OPENAI = "'openai[aiohttp]"
NEEDS = [
    ("bertscore", "torch", TORCH, SCORE),
    ("bertscore", "transformers", TORCH, SCORE),
    ("bleu", "sacrebleu", "sacrebleu", SCORE),
    ("cosine_similarity", "sentence_transformers", "sentence-transformers", SCORE),
    ("eve_judge", "openai", OPENAI, JUDGED.format("EveJudge")),
    ("l3score", "openai", OPENAI, JUDGED.format("L3score")),
    ("lv_eval_f1", "jieba", JIEBA, CHINESE),
    ("lv_eval_rouge", "jieba", JIEBA, SCORE),
    ("reward_accuracy", "torch", TORCH, LOG_PROB),
    ("reward_accuracy", "transformers", TORCH, LOG_PROB),
    ("rouge", "nltk", "nltk", 'score("cats", "cats", use_stemmer=True)'),
    ("rouge", "jieba", JIEBA, CHINESE),
    ("rouge", "regex", "regex", 'score("мир", "мир")'),
]
# The call of a copied scoring.py, if it does not score two texts.
PASTED = {
    "eve_judge": """score('Well: {"score": 1}')""",
    "judge_bias": 'score("3", 4, "represent")',
    "l3score": (
        'score_top_logprobs([{"token": "Yes", "logprob": -1e-9}, {"token": "No", '
        '"logprob": -99.0}])'
    ),
    "reward_accuracy": "score(-1, -2)",
}
# The files that a copied scoring.py needs in its package: those of the folder, except the files of
# evaluate's class.
OF_THE_CLASS = {"correctness_estimate", "inputs", "text_rows", "app", "tests"}
BESIDE = {
    "correctness_estimate": sorted(
        {file.stem for file in (METRICS / "correctness_estimate").glob("*.py")} - OF_THE_CLASS
    ),
    "eve_judge": ["final_answer", "near_json"],
    "judge_bias": ["broken_json", "final_answer"],
    "l3score": ["final_answer"],
}
# Arguments of the metrics that do not compare an answer with a reference.
MODEL = {"model": "HuggingFaceTB/SmolLM2-135M", "progress": False}
OF_ITS_OWN: dict[str, dict[str, object]] = {
    "judge_bias": {
        "predictions": ["5"],
        "references": [4],
        "perturbation_categories": ["represent"],
    },
    "reward_accuracy": {"prompts": ["北京"], "chosen": [""], "rejected": ["red fox"], **MODEL},
}


def list_siblings(name: str) -> list[Path]:
    """Return the files that evaluate's loader copies: the module and those that it imports."""
    source = (METRICS / name / f"{name}.py").read_text("utf-8")
    named = re.findall(r"^from \.(\w+) import", source, re.M)
    return [METRICS / name / f"{file}.py" for file in (name, *dict.fromkeys(named))]


def run_program(program: str, about: Any, folder: Path, **environment: str) -> list[str]:
    """Run a program in a new Python process and return the lines that it prints.

    It runs in `folder`, without network and with empty caches.
    """
    away = {
        "HF_HOME": str(folder / "cache"),
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
    }
    command = [sys.executable, "-c", program, json.dumps(about), WITHOUT_TRANSFORMERS]
    environment = {**os.environ, **away, "PYTHONPATH": WITHOUT_TRANSFORMERS, **environment}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


LOAD_ALONE = """
import json, sys
import evaluate
before, given = set(sys.modules), json.loads(sys.argv[1])
metrics = {name: evaluate.load(f"./{name}") for name in given}
heavy = {"jieba", "sacrebleu", "rouge_score", "nltk", "regex", "torch", "transformers"}
heavy |= {"sentence_transformers", "openai", "httpx2", "tiktoken", "genai_prices"}
assert not heavy & set(sys.modules) - before, heavy & set(sys.modules) - before
sys.path.remove(sys.argv[2])
sys.modules.pop("transformers", None)
for name, metric in metrics.items():
    result = metric.compute(**given[name], per_example=True)
    assert result["per_example"][0]["score"] > 0.99, (name, result)
    print(type(metric).__name__, metric.name)
"""


def test_a_copied_folder_loads_without_network_and_computes(tmp_path: Path) -> None:
    texts = {"predictions": ["北京 red fox"], "references": ["北京 red fox"]}
    judged = {
        "questions": ["?"],
        "model": "judge-1",
        "base_url": judges.start_server().url,
        "cache": "replies.sqlite",
    }
    given = {
        name: texts | judged if name in JUDGES else OF_ITS_OWN.get(name, texts) for name in NAMES
    }
    for name in NAMES:
        provide_model(name)
        shutil.copytree(
            METRICS / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    said = run_program(LOAD_ALONE, given, tmp_path, HF_HUB_OFFLINE="0", HF_EVALUATE_OFFLINE="0")
    expected = []
    for name in NAMES:
        parts = [part.capitalize() for part in name.split("_")]
        expected.append(f"{''.join(parts)} {name}")
    assert said == expected


PASTE = """
import importlib, json, sys
sys.modules.update(evaluate=None, datasets=None)
for name, call, with_model in json.loads(sys.argv[1]):
    if with_model and sys.argv[2] in sys.path:  # sentence-transformers imports datasets
        sys.path.remove(sys.argv[2])
        del sys.modules["datasets"]
    print(eval(call, vars(importlib.import_module(f"pasted_{name}.scoring"))))
"""


def test_a_copied_scoring_file_needs_no_evaluate_and_gives_equal_scores(tmp_path: Path) -> None:
    calls = {
        name: PASTED.get(name, "score('Sie 北京大学 red fox', '北京 red fox jumps')")
        for name in NAMES
    }
    asked = sorted(
        ((name, call, name in WITH_MODEL) for name, call in calls.items()), key=lambda one: one[2]
    )
    for name in NAMES:
        provide_model(name)
        (tmp_path / f"pasted_{name}").mkdir()
        for file in ("scoring", *BESIDE.get(name, ())):
            shutil.copy(METRICS / name / f"{file}.py", tmp_path / f"pasted_{name}")
    assert run_program(PASTE, asked, tmp_path) == [
        str(eval(call, vars(import_file(name)))) for name, call, _ in asked
    ]


@pytest.mark.parametrize("name", [name for name in ANSWER_METRICS if name not in JUDGES])
@pytest.mark.parametrize("text", [None, 5, [None], ["a", 5]])
def test_the_pure_function_refuses_a_value_that_is_no_text(name: str, text: object) -> None:
    with pytest.raises(TypeError, match=r"^prediction is .* a string is expected$"):
        import_file(name).score(text, "a")
    with pytest.raises(TypeError, match=r"reference.* is .* a string is expected$"):
        import_file(name).score("a", text)


@pytest.mark.parametrize(("name", "package", "command", "call"), NEEDS)
def test_a_missing_package_is_named_with_its_command(
    name: str,
    package: str,
    command: str,
    call: str,
) -> None:
    provide_model(name)
    missing = {package, *(key for key in sys.modules if key.startswith(f"{package}."))}
    with mock.patch.dict(sys.modules, dict.fromkeys(missing)):
        for key in [key for key in sys.modules if key.startswith(f"metrics.{name}.")]:
            del sys.modules[key]  # and its caches
        module = import_file(name, name if "compute" in call else "scoring")
        with pytest.raises(ImportError, match=re.escape(f"pip install {command}")):
            eval(call, vars(module))


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_has_every_file_that_the_loader_copies_and_names_every_package(name: str) -> None:
    others = {"README.md", "app.py", "requirements.txt", "tests.py"}
    expected = others | {path.name for path in list_siblings(name)}
    files = {path.name for path in (METRICS / name).iterdir()}
    assert files - {"__pycache__"} == expected, (
        f"what is to lie in metrics/{name}; `make copies` puts in app.py"
    )
    imported = set()
    for path in list_siblings(name):
        imported |= find_packages(path)
    requirements = find_file(name, "requirements.txt").read_text("utf-8")
    lines = re.findall(r"^[\w-]+", requirements, re.M)
    listed = {line.replace("-", "_") for line in lines}
    needed = imported - set(sys.stdlib_module_names) - WITH_EVALUATE
    assert not needed - listed, f"metrics/{name}/requirements.txt lacks these"
    unused = listed - imported - {"evaluate"}
    assert not unused, f"metrics/{name}/requirements.txt has these, which nothing imports"
    known = {module for module, *_ in NEEDS}
    if needed - {"evaluate"}:
        assert name in known, f"NEEDS has no line for a package that {name} cannot do without"


def find_packages(path: Path) -> set[str]:
    """Return the packages that a file imports, without its own siblings."""
    packages = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            packages |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            packages.add(str(node.module).split(".")[0])
    return packages


@pytest.mark.parametrize("name", NAMES)
def test_no_text_in_the_code_hides_an_edit_from_the_modules_hash(name: str) -> None:
    """The hash ignores what follows "#" on a line, also within a text."""
    for path in list_siblings(name):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert "#" not in node.value, f"{path}:{node.lineno}"


@pytest.mark.parametrize("name", NAMES)
def test_a_module_passes_evaluates_own_test_of_metrics(name: str) -> None:
    """The checks of LocalModuleTest.test_load in evaluate's tests/test_metric_common.py."""
    factory = evaluate.loading.evaluation_module_factory(str(METRICS / name), module_type="metric")
    module = import_module(factory.module_path)
    parameters = inspect.signature(
        evaluate.loading.import_main_class(module.__name__)._compute
    ).parameters.values()
    assert not [one for one in parameters if one.kind is one.VAR_KEYWORD], (
        "every setting must be an argument of _compute"
    )
    found = doctest.testmod(module, raise_on_error=True)
    assert found.failed == 0
    assert found.attempted > 1, "the docstring of the class must have at least two examples"


def test_every_copied_file_equals_its_original_and_is_marked_as_a_copy() -> None:
    copies = make_copies.list_copies()
    assert len(copies) > 2 * len(NAMES)
    different = [path for path, text in copies.items() if path.read_text("utf-8") != text]
    assert not different, "run `make copies`"
    written = [*METRICS.glob("*/*.py"), *(ROOT / "spaces").glob("answer_lens/lens/*/*.py")]
    called_copies = {path for path in written if path.read_text("utf-8").startswith("# A copy of")}
    assert called_copies == set(copies), "no module imports these copies any more"


def test_git_marks_every_copied_file() -> None:
    attributes = (ROOT / ".gitattributes").read_text("utf-8")
    marked = set(re.findall(r"^\S+", attributes, re.M))
    for path in make_copies.list_copies():
        folder = "metrics/*" if path.is_relative_to(METRICS) else path.parent.relative_to(ROOT)
        assert f"{folder}/{path.name}" in marked


def read_example_rows(page: Any, compute: Any) -> list[list[Any]]:
    """Return the examples of a page, as its function gets them."""
    (samples,) = (
        block.samples for block in page.blocks.values() if type(block).__name__ == "Dataset"
    )
    rows = []
    for sample in samples:
        fields = zip(compute.inputs, sample, strict=True)
        rows.append([field.preprocess(value) for field, value in fields])
    return rows


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_copied_folder_computes_its_examples(name: str, tmp_path: Path) -> None:
    provide_model(name)
    folder = tmp_path / "app"  # the folder's name on Spaces
    shutil.copytree(METRICS / name, folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert (folder / "app.py").exists(), (
        f"metrics/{name}/app.py is missing: `make copies` puts it in"
    )
    page: Any = runpy.run_path(str(folder / "app.py"))["build_page"]()
    (compute,) = (function for function in page.fns.values() if function.fn.__name__ == "compute")
    assert compute.api_visibility == "private"
    rows = read_example_rows(page, compute)
    assert len(rows) >= 2
    for row in rows:
        result = compute.fn(*row)
        if name in JUDGES:  # a dry run: nothing is sent, no key is needed
            assert result["calls"] == 1
            assert all(text in result["first_prompt"] for text in row)
        else:
            assert result["per_example"][0]["score"] is not None
    with pytest.raises(gr.Error, match="None"):
        compute.fn(*[None for _ in rows[0]])
