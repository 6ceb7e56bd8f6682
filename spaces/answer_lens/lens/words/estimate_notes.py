"""The notes of correctness_estimate, which have no keys yet, in Chinese; what is not in the table stays as it is.

A note is made of parts with "; " between them. In the table a part is a pattern, and its groups are values that stay.
"""

from __future__ import annotations

import re

from lens.words import language

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
    "no word in the prediction": "答案中没有词",
    "words differ only in how Unicode writes them: (?P<words>.+)": "有些词的区别只在于 Unicode 的写法：{words}",
    "spaces between Chinese characters are left out": "汉字之间的空格已略去",
    "the prediction is in simplified and the reference in traditional Chinese characters, which count as different": (
        "答案为简体，参考答案为繁体，被视为不同的字"
    ),
    "the prediction is in traditional and the reference in simplified Chinese characters, which count as different": (
        "答案为繁体，参考答案为简体，被视为不同的字"
    ),
}


def translate(note: str) -> str:
    """Return a note in the language that is spoken."""
    if language() == "en":
        return note
    parts = [translate_part(part) for part in note.split("; ")]
    return "；".join(parts)


def translate_part(part: str) -> str:
    """Return a part of a note in Chinese, where it is known.

    >>> translate_part("no word in the prediction"), translate_part("something new")
    ('答案中没有词', 'something new')
    """
    for pattern, chinese in CHINESE.items():
        match = re.fullmatch(pattern, part)
        if match:
            return chinese.format(**match.groupdict())
    return part
