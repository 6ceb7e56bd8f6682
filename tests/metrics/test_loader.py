"""The rules of evaluate's loader, for every metric folder, and a folder or a file taken out of the project alone."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import judges
from tests.support.judges import JUDGES
from tests.support.models import WITH_MODEL
from tests.support.processes import search_path
from tests.support.project import ANSWERS, METRICS, NAMES, functions, provide_model

# May be imported when a metric is loaded; everything else only inside the function that uses it.
LIGHT = {"evaluate", "datasets"}
# What evaluate itself requires, what the openai SDK does, and what an estimate uses only where it is at hand.
WITH_EVALUATE = {"datasets", "huggingface_hub", "numpy", "tqdm", "httpx2", "tiktoken"}
# A call that needs each optional package.
JUDGED = (
    '{}(keep_in_memory=True).compute(questions=["a"], predictions=["a"], references=["a"], model="m", '
    'base_url="http://127.0.0.1:9/v1", cache=False, progress=False)'
)
NEEDS = {
    "bertscore": [
        ("torch", "pip install torch transformers", 'score("a", "a")'),
        ("transformers", "pip install torch transformers", 'score("a", "a")'),
    ],
    "bleu": [("sacrebleu", "pip install sacrebleu", 'score("a", "a")')],
    "cosine_similarity": [
        ("sentence_transformers", "pip install sentence-transformers", 'score("a", "a")'),
        ("torch", "pip install sentence-transformers", 'score("a", "a")'),
    ],
    "eve_judge": [("openai", "pip install 'openai[aiohttp]", JUDGED.format("EveJudge"))],
    "judge_bias": [],
    "l3score": [("openai", "pip install 'openai[aiohttp]", JUDGED.format("L3score"))],
    "lv_eval_f1": [("jieba", "pip install jieba==0.42.1", 'score("北京", "北京")')],
    "lv_eval_rouge": [("jieba", "pip install jieba==0.42.1", 'score("a", "a")')],
    "reward_accuracy": [
        ("torch", "pip install torch transformers", 'log_prob("a", "b", "m")'),
        ("transformers", "pip install torch transformers", 'log_prob("a", "b", "m")'),
    ],
    "rouge": [
        ("nltk", "pip install nltk", 'score("cats", "cats", use_stemmer=True)'),
        ("jieba", "pip install jieba==0.42.1", 'score("北京", "北京")'),
        ("regex", "pip install regex", 'score("мир", "мир")'),
    ],
}


def source(name: str) -> str:
    return (METRICS / name / f"{name}.py").read_text("utf-8")


def siblings(name: str) -> list[Path]:
    """Return the files that the loader copies: the module and those it names."""
    named = re.findall(r"^from \.(\w+) import", source(name), re.M)
    return [METRICS / name / f"{file}.py" for file in (name, *dict.fromkeys(named))]


def run(name: str, program: str, folder: Path, **environment: str) -> str:
    """Run a program that uses a metric in a fresh Python in `folder`, without network and with empty caches, and
    return what it prints.
    """
    environment = {
        **os.environ,
        "HF_HOME": str(folder / "cache"),
        "PYTHONPATH": search_path(name),
        "http_proxy": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
        **environment,
    }
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


# What scoring.py copied alone is asked, where it is not the score of two texts.
PASTED = {
    "eve_judge": """score('Well: {"score": 1}')""",
    "judge_bias": 'score("3", 4, "represent")',
    "l3score": 'score_top_logprobs([{"token": "Yes", "logprob": -1e-9}, {"token": "No", "logprob": -99.0}])',
    "reward_accuracy": "score(-1, -2)",
}

# What is computed with a metric that does not compare an answer with a reference.
OF_ITS_OWN: dict[str, dict[str, object]] = {
    "judge_bias": {"predictions": ["5"], "references": [4], "perturbation_categories": ["represent"]},
    "reward_accuracy": {
        "prompts": ["北京"],
        "chosen": [""],
        "rejected": ["red fox"],
        "model": "HuggingFaceTB/SmolLM2-135M",
        "progress": False,
    },
}

LOAD_ALONE = """
import sys
import evaluate
before = set(sys.modules)
metric = evaluate.load("./{name}")
heavy = {{"jieba", "sacrebleu", "rouge_score", "nltk", "regex", "torch", "transformers", "sentence_transformers"}}
heavy |= {{"openai", "httpx2", "tiktoken", "genai_prices"}}
heavy &= set(sys.modules) - before
assert not heavy, heavy
result = metric.compute(**{given}, per_example=True)
assert result["per_example"][0]["score"] > 0.99, result
print(type(metric).__name__, metric.name)
"""


@pytest.mark.parametrize("offline", ["0", "1"])
@pytest.mark.parametrize("name", NAMES)
def test_a_folder_copied_alone_loads_without_network_and_computes(name: str, offline: str, tmp_path: Path) -> None:
    provide_model(name)
    shutil.copytree(METRICS / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    texts = {"predictions": ["北京 red fox"], "references": ["北京 red fox"]}
    judged = {"questions": ["?"], "model": "judge-1", "base_url": judges.server().url, "cache": "replies.sqlite"}
    given = texts | judged if name in JUDGES else OF_ITS_OWN.get(name, texts)
    program = LOAD_ALONE.format(name=name, given=given)
    names = run(name, program, tmp_path, HF_HUB_OFFLINE=offline, HF_EVALUATE_OFFLINE=offline).split()
    assert names == ["".join(part.capitalize() for part in name.split("_")), name]


@pytest.mark.parametrize("name", NAMES)
def test_scoring_copied_alone_needs_no_evaluate_and_gives_the_same_score(name: str, tmp_path: Path) -> None:
    provide_model(name)
    shutil.copy(METRICS / name / "scoring.py", tmp_path / "pasted.py")
    asked = PASTED.get(name, "score('Sie 北京大学 red fox', '北京 red fox jumps')")
    without = "evaluate" if name in WITH_MODEL else "datasets=None, evaluate"  # sentence-transformers imports datasets
    program = f"import sys; sys.modules.update({without}=None); import pasted; print(pasted.{asked})"
    alone = run(name, program, tmp_path)
    assert alone == f"{eval(f'module.{asked}', {'module': functions(name)})}\n"
    assert re.search(r"\d", alone)


@pytest.mark.parametrize("name", [name for name in ANSWERS if name not in JUDGES])
@pytest.mark.parametrize("text", [None, 5, [None], ["a", 5]])
def test_the_function_names_a_text_that_is_none(name: str, text: object) -> None:
    with pytest.raises(TypeError, match=r"^prediction is .* a string is expected$"):
        functions(name).score(text, "a")
    with pytest.raises(TypeError, match=r"reference.* is .* a string is expected$"):
        functions(name).score("a", text)


def test_what_each_module_needs_is_tested() -> None:
    assert sorted(NEEDS) == NAMES, "NEEDS: a line for each module, [] where it needs no package"


@pytest.mark.parametrize(
    ("name", "package", "command", "call"), [(n, *case) for n in NAMES for case in NEEDS.get(n, [])]
)
def test_a_missing_package_is_named_with_its_command(
    name: str, package: str, command: str, call: str, tmp_path: Path
) -> None:
    program = f"""
import importlib.machinery
import sys

class Without(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] == {package!r} else super().find_spec(name, path, target)

sys.meta_path = [Without if finder is importlib.machinery.PathFinder else finder for finder in sys.meta_path]
sys.path.insert(0, {str(METRICS.parent)!r})
from metrics.{name} import {name} as module, scoring
try:
    {"module" if "compute" in call else "scoring"}.{call}
except ImportError as error:
    print(error)
"""
    assert command in run(name, program, tmp_path)


def is_metric(node: ast.ClassDef) -> bool:
    """Whether a class derives from evaluate.Metric, written so."""
    return any(ast.unparse(base) == "evaluate.Metric" for base in node.bases)


@pytest.mark.parametrize("name", NAMES)
def test_one_metric_class_named_after_the_folder(name: str) -> None:
    classes = [node for node in ast.walk(ast.parse(source(name))) if isinstance(node, ast.ClassDef) and is_metric(node)]
    assert len(classes) == 1
    assert "from evaluate import Metric" not in source(name)


@pytest.mark.parametrize("name", NAMES)
def test_relative_imports_are_as_the_loader_reads_them(name: str) -> None:
    """It copies a sibling only for a line `from .sibling import name` of the module; a comment at its end is an address
    to it. A sibling finds another only where the module names that one too.
    """
    named = set(re.findall(r"^from \.(\w+) import [\w, ]+$", source(name), re.M))
    assert "scoring" in named
    for path in siblings(name):
        for line in path.read_text("utf-8").splitlines():
            if re.match(r"\s*(from\s+\.|import\s+\.)", line):
                found = re.fullmatch(r"(\s*)from \.(\w+) import [\w, ]+", line)
                assert found, f"{path.name}: {line}"
                assert found[2] in named, f"{path.name} imports {found[2]}, which {name}.py does not name"
                assert path.stem != name or not found[1], "the loader sees imports at the start of a line only"


@pytest.mark.parametrize("name", NAMES)
def test_only_light_packages_are_imported_at_load(name: str) -> None:
    for path in siblings(name):
        lines = re.findall(r"^(?:import|from) (\w+)", path.read_text("utf-8"), re.M)
        assert {line for line in lines if line not in sys.stdlib_module_names} <= LIGHT
        assert not re.search(r"^import .*,", path.read_text("utf-8"), re.M)


@pytest.mark.parametrize("name", NAMES)
def test_no_text_that_scores_hides_behind_a_number_sign(name: str) -> None:
    """The loader's hash ignores what follows # on a line, in strings too: an edit there would not be seen."""
    for path in siblings(name):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, str) and "#" in node.value)


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_holds_what_the_loader_copies_and_no_links(name: str) -> None:
    files = {path for path in (METRICS / name).iterdir() if path.name != "__pycache__"}
    others = {"README.md", "app.py", "requirements.txt", "tests.py"}
    assert {path.name for path in files} == others | {path.name for path in siblings(name)}
    assert not any(path.is_symlink() for path in files)


@pytest.mark.parametrize("name", NAMES)
def test_requirements_name_every_package_the_folder_imports(name: str) -> None:
    imported = {
        (node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for path in siblings(name)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0)
    }
    lines = re.findall(r"^[\w-]+", (METRICS / name / "requirements.txt").read_text("utf-8"), re.M)
    listed = {line.replace("-", "_") for line in lines}
    assert imported - set(sys.stdlib_module_names) - WITH_EVALUATE <= listed
    assert listed <= imported | {"evaluate"}
