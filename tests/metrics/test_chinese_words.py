"""chinese_words: jieba's words, also when its dictionary was changed, and its tables in the user's own folder."""

import itertools
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jieba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import ROOT, functions, load

ours = functions("lv_eval_f1", "chinese_words")
f1, rouge = functions("lv_eval_f1"), functions("lv_eval_rouge")


def twice(text: str) -> list[str]:
    return [again for word in jieba.lcut(text) for again in jieba.lcut(word)]


# Words of the dictionary and none, and every sign that jieba treats apart.
PIECES = st.sampled_from(
    ["北京", "北京大学", "图书馆", "的", "云计算", "AT&T", "3.14%", "C++", "\r\n", "\r", "\n", " ", "\u3000", "é"]
)
CHARACTERS = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD8) | st.sampled_from(
    "一丁七万丈三上下乖𠮷龘鱻a1+#&._%-，。《\ud800"
)


@given(st.lists(PIECES | CHARACTERS, max_size=60).map("".join) | st.text())
@settings(max_examples=500)
def test_words_are_jiebas_once_and_twice(text: str) -> None:
    assert list(ours.words(text)) == jieba.lcut(text)
    assert ours.words_twice(text) == twice(text)
    with patch.object(ours, "STOCK", None):  # as with a changed dictionary
        assert ours.words_twice(text) == twice(text)


def test_words_are_jiebas_in_texts_of_its_dictionary() -> None:
    jieba.initialize()
    numbers = random.Random(5)
    words, weights = zip(*((word, n) for word, n in jieba.dt.FREQ.items() if n), strict=True)
    picks = iter(numbers.choices(words, weights, k=20_000) + numbers.choices(words, k=10_000))
    texts = ["".join(itertools.islice(picks, numbers.randint(1, 60))) for _ in range(800)]
    for text in (*texts, "".join(chr(0x4E00 + i * 7919 % 20000) for i in range(3000))):  # and a long run
        assert (ours.segment(text), ours.words_twice(text)) == (jieba.lcut(text), twice(text))


CHANGES: list[Callable[[], Any]] = [
    lambda: jieba.add_word("云计算平台"),
    lambda: jieba.add_word("学图", 1),
    lambda: jieba.del_word("图书馆"),
    lambda: jieba.suggest_freq(("北京", "大学"), tune=True),
    lambda: jieba.add_word("图书馆", 99),
    lambda: jieba.del_word("图书馆"),
]


@pytest.fixture
def stock_afterwards() -> Iterator[None]:
    yield
    jieba.finalseg.Force_Split_Words.clear()
    jieba.dt.initialized = False
    jieba.initialize()
    assert ours.version() == "jieba-0.42.1"


@pytest.mark.usefixtures("stock_afterwards")
def test_words_and_signature_follow_each_change_of_the_dictionary() -> None:
    text, rows = "他在云计算平台和北京大学图书馆工作，平台很好", {"predictions": ["北京"], "references": ["北京"]}
    ours.words(text)  # and remembered
    assert load("lv_eval_f1").compute(**rows, signature=True)["signature"].endswith("tokenizer_zh:jieba-0.42.1")
    for change in CHANGES:
        change()
        assert list(ours.words(text)) == ours.segment(text) == jieba.lcut(text)
        assert ours.words_twice(text) == twice(text)
        assert f1.tokenize(text, "zh") == [word for word in jieba.lcut(text) if word != "，"]
        assert rouge.tokenize(text) == [word for word in twice(text) if word != "，"]
        assert load("lv_eval_f1").compute(**rows, signature=True)["signature"].endswith("custom-dictionary")


def test_jiebas_tables_are_kept_where_only_their_user_writes(tmp_path: Path) -> None:
    """In the common folder for temporary files anyone could put a dictionary that changes scores."""
    program = "from metrics.lv_eval_f1.chinese_words import words; print(*words('多伦多在加拿大'))"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "TMPDIR": str(tmp_path / "common")}
    (tmp_path / "common").mkdir()
    said = subprocess.run([sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert said.stdout.split() == ["多伦多", "在", "加拿大"], said.stderr
    assert [path.name for path in (tmp_path / "answer_lens").iterdir()] == ["jieba.cache"]
    assert not list((tmp_path / "common").iterdir())
