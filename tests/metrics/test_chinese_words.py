"""chinese_words gives jieba's words, and reads jieba's tables only from the user's own folder."""

import itertools
import marshal
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jieba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import ROOT, import_file, load

ours = import_file("lv_eval_f1", "chinese_words")
f1 = import_file("lv_eval_f1")
lv_eval_rouge = import_file("lv_eval_rouge")


def split_twice(text: str) -> list[str]:
    words = []
    for word in jieba.lcut(text):
        words += jieba.lcut(word)
    return words


# Words in and outside of the dictionary, and all signs that jieba treats specially.
PIECES = st.sampled_from(
    [
        "北京",
        "北京大学",
        "图书馆",
        "的",
        "云计算",
        "AT&T",
        "3.14%",
        "C++",
        "\r\n",
        "\r",
        "\n",
        " ",
        "\u3000",
        "é",
    ]
)
CHARACTERS = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD8) | st.sampled_from(
    "一丁七万丈三上下乖𠮷龘鱻a1+#&._%-，。《\ud800"
)


@given(st.lists(PIECES | CHARACTERS, max_size=60).map("".join) | st.text())
@settings(max_examples=500)
def test_words_equal_those_of_jieba_cut_once_or_twice(text: str) -> None:
    assert list(ours.cut_words(text)) == jieba.lcut(text)
    assert ours.cut_words_twice(text) == split_twice(text)
    with patch.object(ours, "STOCK", None):  # like with a changed dictionary
        assert ours.cut_words_twice(text) == split_twice(text)


def test_words_equal_those_of_jieba_in_texts_of_dictionary_words() -> None:
    jieba.initialize()
    numbers = random.Random(5)
    words, weights = zip(*((word, n) for word, n in jieba.dt.FREQ.items() if n), strict=True)
    picks = iter(numbers.choices(words, weights, k=20_000) + numbers.choices(words, k=10_000))
    texts = ["".join(itertools.islice(picks, numbers.randint(1, 60))) for _ in range(800)]
    long_run = "".join(chr(0x4E00 + i * 7919 % 20000) for i in range(3000))
    for text in (*texts, long_run):
        assert ours.split_words(text) == jieba.lcut(text)
        assert ours.cut_words_twice(text) == split_twice(text)


CHANGES: list[Callable[[], Any]] = [
    lambda: jieba.add_word("云计算平台"),
    lambda: jieba.add_word("学图", 1),
    lambda: jieba.del_word("图书馆"),
    lambda: jieba.suggest_freq(("北京", "大学"), tune=True),
    lambda: jieba.add_word("图书馆", 99),
    lambda: jieba.del_word("图书馆"),
]


@pytest.fixture
def restore_dictionary() -> Iterator[None]:
    """Restore jieba's own dictionary after a test."""
    yield
    jieba.finalseg.Force_Split_Words.clear()
    jieba.dt.initialized = False
    jieba.initialize()
    assert ours.read_version() == "jieba-0.42.1"


@pytest.mark.usefixtures("restore_dictionary")
def test_words_and_signature_follow_each_change_of_the_dictionary() -> None:
    text = "他在云计算平台和北京大学图书馆工作，平台很好"
    rows = {"predictions": ["北京"], "references": ["北京"]}
    ours.cut_words(text)  # and remembered
    assert (
        load("lv_eval_f1")
        .compute(**rows, signature=True)["signature"]
        .endswith("tokenizer_zh:jieba-0.42.1")
    )
    for change in CHANGES:
        change()
        assert list(ours.cut_words(text)) == ours.split_words(text) == jieba.lcut(text)
        assert ours.cut_words_twice(text) == split_twice(text)
        assert f1.tokenize(text, "zh") == [word for word in jieba.lcut(text) if word != "，"]
        assert lv_eval_rouge.tokenize(text) == [word for word in split_twice(text) if word != "，"]
        assert (
            load("lv_eval_f1")
            .compute(**rows, signature=True)["signature"]
            .endswith("custom-dictionary")
        )


PROGRAM = """
import importlib.metadata, os, sys
import jieba
from metrics.lv_eval_f1.chinese_words import cut_words, read_version
importlib.metadata.version("jieba")
# This user may not read Python's folder, so everything is imported before.
if len(sys.argv) > 1:
    os.setgroups([])
    os.setgid(int(sys.argv[1]))
    os.setuid(int(sys.argv[1]))
print(*cut_words("多伦多在加拿大"), read_version())
"""
NOBODY, RIGHT = "54321", "多伦多 在 加拿大 jieba-0.42.1"


@pytest.fixture
def common() -> Iterator[Path]:
    """A folder for temporary files with jieba's tables in which somebody has joined two words."""
    entries = {
        "多": 0,
        "多伦": 0,
        "多伦多": 0,
        "多伦多在": 10**6,
        "加": 0,
        "加拿": 0,
        "加拿大": 1,
    }
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o1777)
        (Path(name) / "jieba.cache").write_bytes(marshal.dumps((entries, 10**6 + 1)))
        yield Path(name)


def find_words_in_new_process(common: Path, *user: str, **environment: str) -> str:
    """Return the words that a new Python process finds.

    It has no home or cache folder except those in `environment`.
    """
    kept = {
        name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")
    }
    environment = {
        **kept,
        "TMPDIR": str(common),
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        **environment,
    }
    command = [sys.executable, "-c", PROGRAM, *user]
    process = subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert process.stderr == ""
    return process.stdout.strip()


def test_jiebas_tables_are_stored_in_a_folder_that_only_the_user_can_write(
    tmp_path: Path, common: Path
) -> None:
    """In the shared folder for temporary files, anyone could write tables that change scores."""
    assert find_words_in_new_process(common, XDG_CACHE_HOME=str(tmp_path)) == RIGHT
    assert [path.name for path in (tmp_path / "answer_lens").iterdir()] == ["jieba.cache"]
    assert [path.name for path in common.iterdir()] == ["jieba.cache"]


@pytest.mark.skipif(sys.platform == "win32", reason="there, folders have no modes")
def test_without_a_folder_of_the_user_no_tables_are_read(tmp_path: Path, common: Path) -> None:
    # os.devnull is no folder and cannot be written.
    for environment in (
        {"HOME": os.devnull},
        {"HOME": os.devnull, "TMPDIR": os.devnull},
    ):
        assert find_words_in_new_process(common, **environment) == RIGHT
    shared = tmp_path / "answer_lens"
    shared.mkdir()
    (common / "jieba.cache").rename(shared / "jieba.cache")
    shared.chmod(0o777)
    assert find_words_in_new_process(common, XDG_CACHE_HOME=str(tmp_path)) == RIGHT
    assert not list(common.iterdir())


@pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 1)() != 0, reason="only root can become another user"
)
def test_a_user_without_a_home_folder_reads_no_tables(common: Path) -> None:
    path = Path(jieba.__file__).resolve()
    if not all(folder.stat().st_mode & 0o001 for folder in path.parents):
        pytest.skip(f"other users cannot read {path}")
    for environment in ({}, {"HOME": "/"}, {"XDG_CACHE_HOME": str(common)}):
        assert find_words_in_new_process(common, NOBODY, **environment) == RIGHT


def test_the_caches_hold_no_long_words_and_no_texts() -> None:
    rouge = import_file("rouge")
    wording = import_file("correctness_estimate", "text")
    kept: list[tuple[Any, Callable[[str], Any]]] = [
        (f1.normalize_word, lambda word: f1.tokenize(word, "zh")),
        (lv_eval_rouge.normalize_word, lv_eval_rouge.tokenize),
        (rouge.stem_word, lambda word: rouge.tokenize(word, "en", True)),
        (wording.read_word, wording.Text),
        (wording.letter_pairs, lambda word: wording.compare_spelling(word, "x")),
    ]
    for cache, work in kept:
        added = []
        for length in (33, 32):
            cache.cache_clear()
            work("q" * length)
            added.append(cache.cache_info().currsize)
        assert added[0] < added[1], cache.__name__
    ours.find_hidden_words.cache_clear()
    ours.cut_words("龘鱻" * 9)
    assert ours.find_hidden_words.cache_info().currsize == 0
    ours.cut_words("龘鱻" * 8)
    assert ours.find_hidden_words.cache_info().currsize == 1
    lengths = ours.measure_words("多伦多在加拿大。", ours.read_dictionary_state())
    assert lengths == bytes([3, 1, 3, 1])
