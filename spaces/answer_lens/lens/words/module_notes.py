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
# By module: the estimate, BLEU, ROUGE and LV-Eval, BERTScore, cosine similarity, both, LV-Eval, L3Score.
CHINESE = {
    "the reference has no word to look for: 0.5 stands for not knowing": "参考答案中没有可查找的词：0.5 表示不知道",
    "learned from English answers alone: in Chinese the estimate is weak": "只从英文答案学得：用于中文时估计不可靠",
    "learned from English answers alone: in another language the estimate is weak": "只从英文答案学得：用于其他语言时"
    "估计不可靠",
    r"the answer has (?P<words>\d+) words: over (?P<most>\d+) the estimate is weaker": "答案有 {words} 个词："
    "超过 {most} 个词时估计较不可靠",
    r"only the first (?P<most>[\d,]+) characters of a text are read": "每个文本只读前 {most} 个字符",
    "thinking aloud was set aside": "思考过程已略去",
    "thinking aloud has no end: there is no final answer": "思考过程没有结束：没有最终答案",
    "no question was given: the estimate knows less": "没有给出问题：估计的依据较少",
    rf"no token in the {SIDES}": "{sides}中没有词元",
    rf"no word in the {SIDES}": "{sides}中没有词",
    rf"no word but blacklisted ones in the {SIDES}": "{sides}中除黑名单词外没有词",
    "too many keywords are blacklisted: no answer passes the gate": "关键词中黑名单词过多：任何答案都过不了门槛",
    rf"no token in the {SIDES}: 0 by definition": "{sides}中没有词元：按定义为 0",
    rf"no token of the {SIDES} has a weight: 0 by definition": "{sides}的词元都没有权重：按定义为 0",
    "this model was trained on English; for Chinese, pass lang='zh'": "该模型是用英文训练的；对中文请使用 lang='zh'",
    "lang is (?P<lang>.+), and the model (?P<model>.+) was trained on (?P<other>.+): leave out model_type to take the "
    "model of lang": "lang 为 {lang}，而模型 {model} 是用 {other} 训练的：不写 model_type 即可使用该语言的模型",
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
    "yes and no hold less than (?P<least>[0-9.]+) of what is listed": "yes 和 no 所占概率不到所列的 {least}",
    "the answer may address the judge: it (?P<appeal>.+)": "待评答案可能在对评判模型说话：{appeal}",
    "words differ only in how Unicode writes them: (?P<words>.+)": "有些词的区别只在于 Unicode 的写法：{words}",
    "the reference has Latin letters and digits alone, so the language is the prediction's": "参考答案只有拉丁字母和"
    "数字，按答案的语言处理",
    "spaces between Chinese characters are left out": "汉字之间的空格已略去",
    "one text has spaces between its Chinese characters, and each counts as the end of a word": "一方的汉字之间有空格，"
    "每个空格都被当作词的结尾",
    r"the prediction is in (?P<own>\w+) and the reference in (?P<other>\w+) Chinese characters, which count as "
    "different": "答案为{own}，参考答案为{other}，被视为不同的字",
    "(?P<listed>[0-9]+) of (?P<asked>[0-9]+) candidates listed": "只列出了 {asked} 个候选中的 {listed} 个",
}
BETWEEN = re.compile("; (?!for Chinese|this score)")
# The groups that are words of the modules and not values.
SAID = {"reference": "参考答案", "prediction": "答案", " and the ": "和", ", ": "，"}
SAID |= {
    "asks to ignore the instructions": "要求忽略指令",
    "asks for a verdict": "要求给出某个结论",
    "speaks to the judge": "直接称呼评判者",
    "imitates the prompt": "模仿提示词的格式",
}
SAID |= {"simplified": "简体", "traditional": "繁体"}


def worded_note(note: str) -> str:
    """A note in the language that is spoken."""
    return note if language() == "en" else "；".join(map(in_chinese, BETWEEN.split(note)))


def in_chinese(part: str) -> str:
    """A part of a note in Chinese, where it is known.

    >>> in_chinese("no word in the prediction and the reference"), in_chinese("something new")
    ('答案和参考答案中没有词', 'something new')
    """
    for pattern, said in CHINESE.items():
        if found := re.fullmatch(pattern, part):
            values = found.groupdict()
            for name in values.keys() & {"sides", "counts", "own", "other", "appeal"}:
                text = re.sub("(?<![0-9])([0-9]+) in the ([a-z]+)", r"\2中 \1 个", values[name])
                values[name] = re.sub("|".join(SAID), lambda word: SAID[word[0]], text)
            return said.format(**values)
    return part
