"""Keeps equal what stands in several metric folders on purpose: `make copies` rewrites the copies from the originals.

Whole files are copied byte for byte. Functions and constants that a module file needs to be complete in itself are
copied by name: a metric must work when its one file is pasted somewhere.
"""

import ast
from pathlib import Path

from tests import project
from tests.project import METRICS, ROOT

# file: (the folder of the original, the folders of the copies; none named: all others)
FILES: dict[str, tuple[str, tuple[str, ...]]] = {
    "app.py": ("lv_eval_f1", ()),
    "checked.py": ("lv_eval_f1", ()),
    "llm_client.py": ("l3score", ("eve_judge",)),
}
# names: (the module of the original, the modules of the copies; none named: all others)
NAMES: dict[tuple[str, ...], tuple[str, tuple[str, ...]]] = {
    ("HAN",): ("lv_eval_f1", ("bertscore", "bleu", "cosine_similarity", "lv_eval_rouge", "rouge")),
    ("language_of",): ("lv_eval_f1", ("bleu", "rouge")),
    ("detect_language",): ("lv_eval_f1", ("bleu",)),
    ("load_jieba", "DICTIONARY", "dictionary_state", "is_stock", "jieba_version"): (
        "lv_eval_f1",
        ("lv_eval_rouge", "rouge"),
    ),
    ("segment", "likeliest_words", "likeliest_path", "single_characters", "SINGLE", "LONG_WORD"): (
        "lv_eval_f1",
        ("lv_eval_rouge", "rouge"),
    ),
    ("new_words", "hidden_model", "hidden_states", "spelled"): ("lv_eval_f1", ("lv_eval_rouge", "rouge")),
    ("BLACKLIST_ZH", "PUNCTUATION_ZH", "DROP_ZH", "CITATION"): ("lv_eval_f1", ("lv_eval_rouge",)),
    ("normalize_zh_token", "normalize_zh_word"): ("lv_eval_f1", ("lv_eval_rouge",)),
    ("lcs_path", "reversed_blocks", "column_masks", "bit_rows"): ("lv_eval_rouge", ("rouge",)),
    ("TABLE_BITS", "FEW_COLUMNS"): ("lv_eval_rouge", ("rouge",)),
    ("shared",): ("lv_eval_f1", ("rouge",)),
    ("check_text",): ("lv_eval_f1", ()),
    ("check_number",): ("reward_accuracy", ("judge_bias",)),
    ("check_flag",): ("lv_eval_f1", ("bleu", "reward_accuracy", "rouge")),
    ("reference_list",): ("bleu", ("bertscore", "cosine_similarity")),
    ("datasets", "evaluate", "Checked"): ("lv_eval_f1", ()),
    ("Judge", "fill", "prompt_mark", "PAGE_ASKS", "PAGE_FIXES"): ("l3score", ("eve_judge",)),
    ("model_name", "is_folder", "in_cache", "cached", "reach", "unavailable", "fetched", "gaps"): (
        "cosine_similarity",
        ("bertscore", "reward_accuracy"),
    ),
    ("model_files", "located", "identity", "position_rows", "MODEL_FILES", "HUB_SECONDS", "ask_hub"): (
        "cosine_similarity",
        ("bertscore", "reward_accuracy"),
    ),
    ("device_of", "pack", "packed_linear", "by_rows", "filled_rows", "CPU_TOKENS", "HEAP_BYTES", "lock"): (
        "cosine_similarity",
        ("bertscore", "reward_accuracy"),
    ),
    ("readable", "batches", "UNBOUNDED"): ("cosine_similarity", ("bertscore", "reward_accuracy")),
    ("whole_number",): ("cosine_similarity", ("bertscore", "l3score", "reward_accuracy")),
}


def module(name: str) -> Path:
    """Return the module file of a metric."""
    return METRICS / name / f"{name}.py"


def spans(source: str) -> dict[str, tuple[int, int]]:
    """Return the span of lines, from 0, of each function, class, constant and guarded import, by its name."""
    result = {}
    for node in ast.parse(source).body:
        names = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
        if isinstance(node, ast.Assign):
            names = [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        if isinstance(node, ast.Try):
            names = [
                alias.name
                for part in node.body
                if isinstance(part, ast.Import | ast.ImportFrom)
                for alias in part.names
            ]
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
        result.update(dict.fromkeys(names, (first, node.end_lineno or node.lineno)))
    return result


def definitions(source: str) -> dict[str, str]:
    """Return the text of each function, class, constant and guarded import, by its name."""
    lines = source.splitlines(keepends=True)
    return {name: "".join(lines[start:end]) for name, (start, end) in spans(source).items()}


def copied(target: str, original: str, names: tuple[str, ...]) -> str:
    """Return the text of a module with the definitions of `names` as the original has them."""
    texts = definitions(original)
    for name in names:
        if name not in texts or name not in spans(target):
            raise LookupError(f"{name} is not defined")
        start, end = spans(target)[name]
        lines = target.splitlines(keepends=True)
        target = "".join([*lines[:start], texts[name], *lines[end:]])
    return target


def others(origin: str) -> list[str]:
    """Return the names of the metrics but for one."""
    return [name for name in project.NAMES if name != origin]


def expected() -> dict[Path, str]:
    """Return what each copy must hold."""
    result: dict[Path, str] = {}
    for file, (origin, targets) in FILES.items():
        for folder in targets or others(origin):
            result[METRICS / folder / file] = (METRICS / origin / file).read_text("utf-8")
    for names, (origin, targets) in NAMES.items():
        for target in targets or others(origin):
            path = module(target)
            text = result.get(path, path.read_text("utf-8"))
            result[path] = copied(text, result.get(module(origin), module(origin).read_text("utf-8")), names)
    return result


def main() -> None:
    """Rewrite every copy that differs from its original."""
    for path, text in expected().items():
        if path.is_symlink() or not path.exists() or path.read_text("utf-8") != text:
            path.unlink(missing_ok=True)
            path.write_text(text, "utf-8")
            print(f"rewrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
