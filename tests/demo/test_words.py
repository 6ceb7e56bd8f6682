"""The words in English and Chinese: the two tables, who speaks which language, the modules' notes."""

from __future__ import annotations

import ast
import asyncio
import functools
import re
import string
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any

import pytest
from lens import words
from lens.words import module_notes as notes

from tests.support.project import ROOT, load

SPACE = ROOT / "spaces" / "answer_lens"
ENGLISH, CHINESE = words.TABLES["en"], words.TABLES["zh"]
HAN = re.compile("[\u3400-\u9fff]")
# Names of the two Chinese examples, and a text in both languages at once.
WITH_HAN = {"example_wrong_name", "example_reworded", "foreign_host"}


def placeholders(text: str) -> list[tuple[str, str]]:
    """The names that are filled in, with their formats."""
    return sorted((name, form or "") for _, name, form, _ in string.Formatter().parse(text) if name is not None)


def sources() -> Iterator[ast.Module]:
    """The program of the demo."""
    for path in sorted(SPACE.rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


def strings(tree: ast.Module) -> Iterator[str]:
    """Patterns of the strings of a program: those of f-strings, and of strings with something added, fit whatever is
    filled in, if they say anything.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield re.escape(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            yield re.escape(node.left.value) + r"\w+"
        if isinstance(node, ast.JoinedStr):
            parts = [str(one.value) if isinstance(one, ast.Constant) else None for one in node.values]
            if any(parts):
                yield "".join(r"\w+" if part is None else re.escape(part) for part in parts)


def in_templates() -> Iterator[str]:
    """Patterns of the strings in templates; one to which something is added fits whatever that is."""
    for path in sorted(SPACE.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        yield from (re.escape(found) for found in re.findall(r'"(\w+)"', text))
        yield from (re.escape(found) + r"\w+" for found in re.findall(r'"(\w+)" ~', text))
        yield from (r"\w+" + re.escape(found) for found in re.findall(r'~ "(\w+)"', text))


def keys_said() -> Iterator[str]:
    """The keys that templates and the program name in say("...")."""
    for path in (*SPACE.rglob("*.py"), *SPACE.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        yield from re.findall(r"""\b(?:say|rich|both|detail)\(["'](\w+)["'](?! [~+])""", text)


def test_both_languages_have_the_same_texts_with_the_same_placeholders() -> None:
    assert set(ENGLISH) == set(CHINESE)
    assert {key for key in ENGLISH if placeholders(ENGLISH[key]) != placeholders(CHINESE[key])} == set()
    tags = re.compile("</?(?:code|p|b|ul|li|a)>")
    assert {key for key in ENGLISH if sorted(tags.findall(ENGLISH[key])) != sorted(tags.findall(CHINESE[key]))} == set()


def test_each_table_is_in_its_language() -> None:
    assert {key for key, text in ENGLISH.items() if HAN.search(text)} == WITH_HAN
    # What has no Chinese word in it is a name, or has signs and placeholders alone.
    names = {key for key, text in CHINESE.items() if not HAN.search(text) and text != ENGLISH[key]}
    assert {key for key in names if re.search("[A-Za-z]", re.sub(r"\{[^}]*\}", "", CHINESE[key]))} == set()
    same = {text for key, text in CHINESE.items() if text == ENGLISH[key] and key not in WITH_HAN}
    assert {text for text in same if len(re.findall(r"\b[a-z]{3,}", text)) > 1} == set()


def test_chinese_has_the_punctuation_of_chinese() -> None:
    code = re.compile("<[^>]*>|&lt;|&gt;")
    texts_of = {key: code.sub("", text) for key, text in CHINESE.items()}
    wrong = re.compile("[\u4e00-\u9fff][,;:?!()\"']|[,;:?!()\"'][\u4e00-\u9fff]")
    assert {key: text for key, text in texts_of.items() if wrong.search(text)} == {}
    unspaced = re.compile("[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]")
    assert {key: text for key, text in texts_of.items() if unspaced.search(text)} == {}


def test_every_text_is_used_and_every_text_used_is_there() -> None:
    used = re.compile("|".join({f"(?:{one})" for tree in sources() for one in strings(tree)} | {*in_templates()}))
    assert {key for key in ENGLISH if not used.fullmatch(key)} == set()
    assert {*keys_said()} - set(ENGLISH) == set()


@pytest.mark.parametrize("forged", ["", "fr", "EN", None, 5, ["zh"], {"zh": 1}, b"zh"])
def test_what_is_no_known_language_counts_as_english(forged: object) -> None:
    with words.speaking("zh"), words.speaking(forged):
        assert (words.language(), words.say("score")) == ("en", "Score")


def test_a_language_holds_until_its_end() -> None:
    assert words.language() == "en"
    with words.speaking("zh"):
        with words.speaking("en"):
            assert words.say("precision") == "Precision"
        assert words.say("precision") == "精确率"
    with pytest.raises(ZeroDivisionError), words.speaking("zh"):
        raise ZeroDivisionError
    assert words.language() == "en"


async def languages(closed: list[str]) -> AsyncGenerator[str, None]:
    """The language, three times."""
    try:
        for _ in range(3):
            await asyncio.sleep(0)
            yield words.language()
    finally:
        closed.append("closed")


def test_steps_of_two_pages_taken_in_turn_keep_their_languages() -> None:
    async def taken() -> list[str]:
        first, second = (words.each_step(one, languages([])) for one in ("zh", "en"))
        found = []
        for _ in range(3):
            # Each step in a task of its own, as a server may do it.
            found += [await asyncio.create_task(step_of(one)) for one in (first, second)]
            assert words.language() == "en"
        return found

    async def step_of(steps: Any) -> str:
        return str(await anext(steps))

    assert asyncio.run(taken()) == ["zh", "en"] * 3


def test_steps_that_nobody_wants_any_more_are_ended() -> None:
    closed: list[str] = []

    async def begin() -> None:
        steps: Any = words.each_step("zh", languages(closed))
        assert await anext(steps) == "zh"
        await steps.aclose()

    asyncio.run(begin())
    assert closed == ["closed"]


NOTED: list[tuple[str, dict[str, Any]]] = [
    ("bleu", {"predictions": [""], "references": ["Paris"]}),
    ("bleu", {"predictions": [""], "references": [""]}),
    ("rouge", {"predictions": ["…"], "references": [""]}),
    ("lv_eval_rouge", {"predictions": [""], "references": ["巴黎"]}),
    ("lv_eval_rouge", {"predictions": ["Paris"], "references": ["Paris"]}),
    ("lv_eval_f1", {"predictions": ["Paris"], "references": ["Paris"], "answer_keywords": ["the"]}),
]


@pytest.mark.parametrize(("name", "given"), NOTED)
def test_notes_of_the_modules_are_in_the_language_of_the_page(name: str, given: dict[str, Any]) -> None:
    note = load(name).compute(**given, per_example=True)["per_example"][0]["note"]
    assert note
    assert notes.worded_note(note) == note
    with words.speaking("zh"):
        said = notes.worded_note(note)
    assert HAN.search(said)
    assert not re.search("[A-Za-z]", said)


def l3score_notes() -> list[str]:
    """The notes of l3score."""
    explain: Callable[..., dict[str, Any]] = sys.modules[type(load("l3score")).__module__].explain  # type: ignore[attr-defined]
    replies = ([("Yes", -0.1), ("No", -3.0)], [("Yes", -0.1)], [("no", -0.1)], [("Maybe; {x}", -0.1)])
    return [explain(reply, 5, "first")["note"] for reply in replies]


def test_notes_of_a_judge_keep_its_own_words() -> None:
    with words.speaking("zh"):
        said = [notes.worded_note(note) for note in l3score_notes()]
    assert said[0] == "只列出了 5 个候选中的 2 个"
    assert said[1] == "只列出了 yes：另一个的概率为估计值；只列出了 5 个候选中的 1 个"
    assert said[2].startswith("只列出了 no：")
    assert "Maybe" in said[3]


def test_every_note_in_the_table_is_one_that_a_module_gives() -> None:
    given = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "metrics").glob("*/*.py"))
    groups = {notes.SIDES: "|", notes.COUNTS: "|", "\\": ""}
    for pattern in notes.CHINESE:
        written = functools.reduce(lambda text, one: text.replace(one, groups[one]), groups, pattern)
        longest = max(re.split(r"\(\?P[^)]*\)|\|", written), key=len)
        assert len(longest) > 7
        assert longest in given, pattern


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("no token in the prediction and the reference: 0 by definition", "答案和参考答案中没有词元：按定义为 0"),
        ("no token of the reference has a weight: 0 by definition", "参考答案的词元都没有权重：按定义为 0"),
        (
            "tokens unknown to the model, to which they are all the same: 3 in the prediction, 1 in the reference",
            "模型不认识、一律等同看待的词元：答案中 3 个，参考答案中 1 个",
        ),
        (
            "no text in the prediction: the model's idea of nothing was compared; this model was trained on English; "
            "for Chinese, name a multilingual one",
            "答案中没有文本：比较的是模型对空文本的表示；该模型是用英文训练的；对中文请指定一个多语言模型",
        ),
        ("something that no table has", "something that no table has"),
        ("", ""),
    ],
)
def test_notes_of_models(note: str, said: str) -> None:
    with words.speaking("zh"):
        assert notes.worded_note(note) == said
