"""The texts in English and Chinese: both tables, the chosen language, and the modules' notes."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator

import pytest
from lens import words
from lens.scoring import modules
from lens.words import module_notes

from tests.support.project import ROOT

SPACE = ROOT / "spaces" / "answer_lens"
ENGLISH = words.TABLES["en"]
CHINESE = words.TABLES["zh"]
HAN = re.compile("[\u3400-\u9fff]")
# The English texts that have Chinese characters: two examples have Chinese answers, and one text is
# in both languages.
ENGLISH_KEYS_WITH_HAN = {"example.wrong_name", "example.reworded", "serving.foreign_host"}
# A text whose whole key is named, as in say("card.precision").
WHOLE_KEY = re.compile(
    r"""
    \b(?:say|rich|detail)
    \( ["'] ([\w.]+) ["']
    (?! [ ] [~+] )          # this operator would join something to the key
    """,
    re.VERBOSE,
)


def find_placeholders(text: str) -> list[tuple[str, str]]:
    """Return the placeholders of a text with their formats: "{share:.2f}" has share and .2f."""
    placeholders = []
    for _literal, name, format_spec, _conversion in string.Formatter().parse(text):
        if name is not None:
            placeholders.append((name, format_spec or ""))
    return sorted(placeholders)


def list_strings() -> Iterator[str]:
    """Yield a pattern for each string of the program and of its templates.

    Some parts of a string are known only at run time: those in the braces of an f-string, and those
    that `~` joins to a string in a template. For such a part the pattern matches any word.
    """
    for path in SPACE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.escape(node.value)
            elif isinstance(node, ast.JoinedStr):
                yield make_pattern(node)
    for path in SPACE.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for before, key, after in re.findall(r'(~ )?"([\w.]+)"( ~)?', text):
            start = r"\w+" if before else ""
            end = r"\w+" if after else ""
            yield f"{start}{re.escape(key)}{end}"


def make_pattern(string: ast.JoinedStr) -> str:
    """Return a pattern for an f-string; "" if it has no text of its own."""
    pattern = ""
    for part in string.values:
        pattern += re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
    has_text = any(isinstance(part, ast.Constant) and part.value for part in string.values)
    return pattern if has_text else ""


def list_used_keys() -> Iterator[str]:
    """Yield the keys that the program and its templates name, as in say("...")."""
    for path in (*SPACE.rglob("*.py"), *SPACE.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        yield from WHOLE_KEY.findall(text)


def test_both_languages_have_the_same_keys_placeholders_and_tags() -> None:
    assert list(ENGLISH) == list(CHINESE), (
        "en.json and zh.json must have the same keys in the same order"
    )
    tags = re.compile("</?(?:code|p|b|ul|li|a)>")
    for key, english in ENGLISH.items():
        chinese = CHINESE[key]
        assert find_placeholders(english) == find_placeholders(chinese), key
        assert sorted(tags.findall(english)) == sorted(tags.findall(chinese)), key


def test_every_text_is_used_and_every_used_key_exists() -> None:
    used = re.compile("|".join({f"(?:{pattern})" for pattern in list_strings()}))
    assert {key for key in ENGLISH if not used.fullmatch(key)} == set()
    assert {*list_used_keys()} - set(ENGLISH) == set()


def test_each_table_is_written_in_its_language() -> None:
    assert {key for key, text in ENGLISH.items() if HAN.search(text)} == ENGLISH_KEYS_WITH_HAN
    for key, text in CHINESE.items():
        if HAN.search(text):
            continue
        without_placeholders = re.sub(r"\{[^}]*\}", "", text)
        # Only a name, which is the same in both languages, may have Latin letters.
        is_same_in_both = text == ENGLISH[key]
        has_latin_letters = re.search("[A-Za-z]", without_placeholders) is not None
        assert is_same_in_both or not has_latin_letters, key
        # With several words in small letters it would be a sentence that nobody translated.
        small_words = re.findall(r"\b[a-z]{3,}", without_placeholders)
        assert len(small_words) <= 1, key


def test_chinese_texts_have_chinese_punctuation_and_spaces_around_latin_words() -> None:
    wrong = re.compile("[\u4e00-\u9fff][,;:?!()\"'A-Za-z0-9]|[,;:?!()\"'A-Za-z0-9][\u4e00-\u9fff]")
    texts = {key: re.sub("<[^>]*>|&lt;|&gt;", "", text) for key, text in CHINESE.items()}
    assert {key: text for key, text in texts.items() if wrong.search(text)} == {}


# The chosen language


def test_a_language_holds_within_its_block_and_an_unknown_one_counts_as_english() -> None:
    for english in ("en", "", "fr", "EN", None, 5, ["zh"], b"zh"):
        with words.speaking("zh"):
            with words.speaking(english):
                assert (words.language(), words.say("card.precision")) == ("en", "Precision")
            assert words.say("card.precision") == "精确率"
    with pytest.raises(ZeroDivisionError), words.speaking("zh"):
        raise ZeroDivisionError
    assert words.language() == "en"


# The modules' notes


# A module, an answer, a reference, and the note of the module in Chinese.
NOTES = [
    ("bleu", "", "", "答案和参考答案中没有词元"),
    ("rouge", "", "Paris", "答案中没有词"),
    ("rouge", "北 京", "北京大学", "汉字之间的空格已略去"),
    ("rouge", "Cafe\u0301", "Café", "有些词的区别只在于 Unicode 的写法：'café'"),
    ("lv_eval_rouge", "?", "Paris", "答案中没有词；参考答案中没有中文；这项评分是为中文设计的。"),
    ("lv_eval_rouge", "魯迅", "鲁迅", "答案为繁体，参考答案为简体，被视为不同的字"),
    ("lv_eval_rouge", "的", "鲁迅", "答案中除黑名单词外没有词"),
    ("lv_eval_f1", "北 京", "北京大学", "一方的汉字之间有空格，每个空格都被当作词的结尾"),
    ("lv_eval_f1", "答案是一千零八", "1008", "参考答案只有拉丁字母和数字，按答案的语言处理"),
    ("correctness_estimate", "Paris", "Paris", "没有给出问题：估计的依据较少"),
]


@pytest.mark.parametrize(("name", "prediction", "reference", "chinese"), NOTES)
def test_a_modules_note_is_shown_in_the_chosen_language(
    name: str,
    prediction: str,
    reference: str,
    chinese: str,
) -> None:
    module = modules.make_module(name)
    result = module.compute(predictions=[prediction], references=[reference], per_example=True)
    entry = result["per_example"][0]
    assert module_notes.describe_entry_note(entry) == entry["note"]
    with words.speaking("zh"):
        assert module_notes.describe_entry_note(entry) == chinese


# The data of notes by modules that need a model or a judge, and the notes in English and Chinese.
NOTES_BY_DATA = [
    (
        {"key": "unknown_tokens", "counts": {"prediction": 3, "reference": 1}},
        (
            "the model does not know some tokens and treats them as equal: 3 in the prediction, 1 "
            "in the reference"
        ),
        "模型不认识、一律等同看待的词元：答案中 3 个，参考答案中 1 个",
    ),
    (
        {"key": "neither_listed", "first": "the prediction {x}"},
        (
            "neither yes nor no is among the candidates (the first is the prediction {x}): 0 by "
            "definition"
        ),
        "yes 和 no 都不在候选之列（第一个是 the prediction {x}）：按定义为 0",
    ),
    (
        {"key": "addresses_judge", "kind": "asks for a verdict"},
        "the answer may address the judge: it asks for a verdict",
        "待评答案可能在对评判模型说话：要求给出某个结论",
    ),
]


@pytest.mark.parametrize(("data", "english", "chinese"), NOTES_BY_DATA)
def test_a_note_is_built_from_its_key_and_values(
    data: dict[str, object], english: str, chinese: str
) -> None:
    entry = {"note": "as the module says it", "note_data": [data]}
    assert module_notes.describe_entry_note(entry) == english
    with words.speaking("zh"):
        assert module_notes.describe_entry_note(entry) == chinese


@pytest.mark.parametrize(
    "data", [{}, {"note_data": []}, {"note_data": [{"key": "of_a_newer_module", "value": 3}]}]
)
def test_a_note_with_an_unknown_key_is_shown_in_the_modules_words(data: dict[str, object]) -> None:
    entry = {"note": "something that no table has", **data}
    with words.speaking("zh"):
        assert module_notes.describe_entry_note(entry) == "something that no table has"


def test_an_entry_without_a_note_has_no_text() -> None:
    with words.speaking("zh"):
        assert module_notes.describe_entry_note({"note": None, "note_data": []}) == ""


# How the modules name the keys of their notes in their code.
KEY_PATTERNS = [
    # The data of a note as a dictionary.
    r'"key": "(\w+)"',
    # The notes of judges, whose key may be bound beforehand (functools.partial).
    r'add_note\(result, sentence, "(\w+)"',
    r' key="(\w+)"',
    # Warnings by their keys (text_rows.py).
    r'warnings\["(\w+)"\] = \(',
    r'return \{"(\w+)": \(sentence',
    # The notes of correctness_estimate (scoring.py).
    r'\bNote\(\s*"(\w+)"',
]
# The keys that text_rows.py gets as an argument.
KEYS_IN_ARGUMENTS = {"spaces_left_out", "spaces_end_words"}


def test_every_key_of_a_modules_note_has_a_text_and_every_such_text_a_key() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "metrics").glob("*/*.py")
    )
    # Join calls that are written on several lines.
    sources = re.sub(r"\s+", " ", re.sub(r"\(\s+", "(", sources))
    keys = set(KEYS_IN_ARGUMENTS)
    for pattern in KEY_PATTERNS:
        keys.update(re.findall(pattern, sources))
    known = {key.removeprefix("module.note.") for key in ENGLISH if key.startswith("module.note.")}
    # The notes of a dry run are not shown.
    assert keys - {"output_assumed"} == known
