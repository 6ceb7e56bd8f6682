"""chinese_words: jieba's words, also when its dictionary was changed, and its tables in the user's own folder."""

import itertools
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import jieba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.project import ROOT, functions

ours = functions("lv_eval_f1", "chinese_words")
f1 = functions("lv_eval_f1")


@pytest.fixture
def stock_afterwards() -> Any:
    yield
    jieba.finalseg.Force_Split_Words.clear()
    jieba.dt.initialized = False
    jieba.initialize()
    assert ours.version() == "jieba-0.42.1"


@pytest.mark.usefixtures("stock_afterwards")
@pytest.mark.parametrize("change", [lambda: jieba.add_word("云计算平台"), lambda: jieba.del_word("图书馆")])
def test_words_added_to_jieba_or_deleted_show_in_the_signature(change: Any, load: Any) -> None:
    rows = {"predictions": ["北京"], "references": ["北京"]}
    assert "tokenizer_zh:jieba-0.42.1" in load("lv_eval_f1").compute(**rows)["signature"].split("|")
    change()
    assert load("lv_eval_f1").compute(**rows)["signature"].endswith("custom-dictionary")


# Words of the dictionary and none, and every sign that jieba treats apart.
PIECES = st.sampled_from(
    ["北京", "北京大学", "图书馆", "的", "云计算", "AT&T", "3.14%", "C++", "\r\n", "\r", "\n", " ", "\u3000", "é"]
)
CHARACTERS = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD8) | st.sampled_from(
    "一丁七万丈三上下乖𠮷龘鱻a1+#&._%-，。《\ud800"
)
CHINESE = st.lists(PIECES | CHARACTERS, max_size=60).map("".join)


@given(CHINESE | st.text())
@settings(max_examples=500, deadline=None)
def test_words_are_jiebas(text: str) -> None:
    assert ours.segment(text) == jieba.lcut(text)


def test_words_are_jiebas_in_texts_of_its_dictionary() -> None:
    jieba.initialize()
    numbers = random.Random(5)
    words, weights = zip(*((word, n) for word, n in jieba.dt.FREQ.items() if n), strict=True)
    picks = iter(numbers.choices(words, weights, k=20_000))
    for _ in range(1000):
        text = "".join(itertools.islice(picks, numbers.randint(1, 20)))
        assert ours.segment(text) == jieba.lcut(text)


CHANGES = {
    "add": lambda: jieba.add_word("云计算平台"),
    "add_rare": lambda: jieba.add_word("学图", 1),
    "delete": lambda: jieba.del_word("图书馆"),
    "split": lambda: jieba.suggest_freq(("北京", "大学"), tune=True),
}


@pytest.mark.usefixtures("stock_afterwards")
@pytest.mark.parametrize("change", CHANGES)
def test_words_are_jiebas_when_its_dictionary_was_changed(change: str) -> None:
    text = "他在云计算平台和北京大学图书馆工作，平台很好"
    f1.tokenize(text, "zh")  # and remembered
    CHANGES[change]()
    assert ours.segment(text) == jieba.lcut(text)
    assert f1.tokenize(text, "zh") == [word for word in jieba.lcut(text) if word != "，"]


@pytest.mark.usefixtures("stock_afterwards")
def test_words_deleted_again_and_words_of_another_dictionary_are_not_remembered() -> None:
    def add_and_delete() -> None:
        jieba.add_word("图书馆", 99)
        assert f1.tokenize("图书馆", "zh") == ["图书馆"]
        jieba.del_word("图书馆")

    def load_and_add(word: str) -> None:
        jieba.dt.initialized = False
        jieba.initialize()
        jieba.add_word(word, 10_000)

    text = "他在云计算平台和北京大学图书馆工作"
    for change in (add_and_delete, add_and_delete, lambda: load_and_add("计算"), lambda: load_and_add("书馆")):
        change()
        assert f1.tokenize("图书馆", "zh") == jieba.lcut("图书馆")
        assert f1.tokenize(text, "zh") == jieba.lcut(text)
        assert ours.version().endswith("custom-dictionary")


@given(st.text(st.sampled_from("一丁七万丈三上下乖𠮷龘鱻abc1。"), min_size=1, max_size=60) | st.text(min_size=1))
@settings(max_examples=200, deadline=None)
def test_the_linear_search_for_new_words_is_jiebas(text: str) -> None:
    from jieba import finalseg

    arguments = text, "BMES", finalseg.start_P, finalseg.trans_P, finalseg.emit_P
    assert ours.hidden_states(text) == finalseg.viterbi(*arguments)[1]


def test_a_long_run_of_chinese_is_cut_as_jieba_cuts_it() -> None:
    text = "".join(chr(0x4E00 + i * 7919 % 20000) for i in range(6000))
    assert ours.segment(text) == jieba.lcut(text)


def test_jiebas_tables_are_kept_where_only_their_user_writes(tmp_path: Path) -> None:
    """In the common folder for temporary files anyone could put a dictionary that changes scores."""
    program = "from metrics.lv_eval_f1.chinese_words import words; print(*words('多伦多在加拿大'))"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "TMPDIR": str(tmp_path / "common")}
    (tmp_path / "common").mkdir()
    said = subprocess.run([sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True)
    assert said.stdout.split() == ["多伦多", "在", "加拿大"], said.stderr
    assert [path.name for path in (tmp_path / "answer_lens").iterdir()] == ["jieba.cache"]
    assert not list((tmp_path / "common").iterdir())
