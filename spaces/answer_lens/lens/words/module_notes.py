"""The notes that the modules give in English, in Chinese; what is not in the table stays as it is.

A module's note is made of parts with "; " between them. In the table a part is a pattern, and its groups are texts of
the module ("prediction and the reference", "3 in the prediction, 1 in the reference") or values that stay.
"""

from __future__ import annotations

import re

from lens.words import language

SIDE = "(?:prediction|reference)"
SIDES = rf"(?P<sides>{SIDE}(?: and the {SIDE})?)"
COUNTS = rf"(?P<counts>[0-9]+ in the {SIDE}(?:, [0-9]+ in the {SIDE})?)"
# By module: BLEU, ROUGE and LV-Eval ROUGE, BERTScore, cosine similarity, both, LV-Eval, L3Score.
CHINESE = {
    rf"no token in the {SIDES}": "{sides}中没有词元",
    rf"no word in the {SIDES}": "{sides}中没有词",
    rf"no token in the {SIDES}: 0 by definition": "{sides}中没有词元：按定义为 0",
    rf"no token of the {SIDES} has a weight: 0 by definition": "{sides}的词元都没有权重：按定义为 0",
    "this model was trained on English; for Chinese, pass model_type=None and lang='zh'": "该模型是用英文训练的；"
    "对中文请使用 model_type=None 和 lang='zh'",
    rf"no text in the {SIDES}: the model's idea of nothing was compared": "{sides}中没有文本："
    "比较的是模型对空文本的表示",
    "this model was trained on English; for Chinese, name a multilingual one": "该模型是用英文训练的；"
    "对中文请指定一个多语言模型",
    rf"tokens unknown to the model, to which they are all the same: {COUNTS}": "模型不认识、"
    "一律等同看待的词元：{counts}",
    "answer_keywords holds no word after normalization and counts as not given": "关键词规范化后没有剩下任何词，"
    "视为未给出",
    r"The reference has no Chinese; this score is made for Chinese\.": "参考答案中没有中文；这项评分是为中文设计的。",
    r"neither yes nor no is among the candidates \(the first is (?P<first>.+)\): 0 by definition": "yes 和 no 都不在"
    "候选之列（第一个是 {first}）：按定义为 0",
    "only (?P<answer>yes|no) is listed: the other's probability is estimated": "只列出了 {answer}："
    "另一个的概率为估计值",
    "words differ only in how Unicode writes them: (?P<words>.+)": "有些词的区别只在于 Unicode 的写法：{words}",
    "(?P<listed>[0-9]+) of (?P<asked>[0-9]+) candidates listed": "只列出了 {asked} 个候选中的 {listed} 个",
}
BETWEEN = re.compile("; (?!for Chinese|this score)")
NAMES = {"prediction": "答案", "reference": "参考答案"}


def worded_note(note: str) -> str:
    """A note in the language that is spoken."""
    return note if language() == "en" else "；".join(map(in_chinese, BETWEEN.split(note)))


def in_chinese(part: str) -> str:
    """A part of a note in Chinese, where it is known.

    >>> in_chinese("no word in the prediction and the reference"), in_chinese("something new")
    ('答案和参考答案中没有词', 'something new')
    """
    for pattern, said in CHINESE.items():
        found = re.fullmatch(pattern, part)
        if found:
            values = {name: WORDED[name](text) if name in WORDED else text for name, text in found.groupdict().items()}
            return said.format(**values)
    return part


def sides(text: str) -> str:
    """Which texts are meant."""
    return "和".join(NAMES[name] for name in text.split(" and the "))


def counts(text: str) -> str:
    """How many there are in which text.

    >>> counts("3 in the prediction, 1 in the reference")
    '答案中 3 个，参考答案中 1 个'
    """
    pairs = (one.split(" in the ") for one in text.split(", "))
    return "，".join(f"{NAMES[name]}中 {count} 个" for count, name in pairs)


WORDED = {"sides": sides, "counts": counts}
