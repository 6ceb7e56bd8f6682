"""Chinese numerals as digits."""

import re

HAN_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
HAN_NUMBER = "[零〇一二两三四五六七八九十百千万亿]+"
# Words in which such a character counts nothing.
HAN_NO_NUMBER = "一(?:[些样起直般切旦定致共向边面再]|下子|度以来)|万一|十分|[统唯同]一|千万别|三国|百姓|百科|四川|两汉"
LONGEST_NUMERAL = 30  # characters: what is longer counts nothing
HAN_NUMERAL = re.compile(f"(?:{HAN_NO_NUMBER})|(?:第)?({HAN_NUMBER})")


def han_digits(match: re.Match[str]) -> str:
    """Return a Chinese numeral as digits; a single character only before what is counted."""
    numeral = match[1]
    if not numeral or len(numeral) > LONGEST_NUMERAL:
        return match[0]
    after = match.string[match.end() : match.end() + 1]
    counted = (
        after and after in "个年月日号天岁回次人名位只条本部座米公千克斤吨秒分小周星世元美英度章集场届代国省种州层万亿"
    )
    if len(numeral) == 1 and not counted and len(match.string) > 3 and not match[0].startswith("第"):
        return match[0]
    if match.string[match.start() - 1 : match.start()].isdigit():
        return match[0]  # 3万: a scale
    if all(c in HAN_DIGITS for c in numeral):
        return "".join(str(HAN_DIGITS[c]) for c in numeral)
    total = part = digit = 0
    for c in numeral:
        if c in HAN_DIGITS:
            digit = HAN_DIGITS[c]
        elif HAN_SCALES[c] >= 10**4:
            total, part, digit = (total + part + digit or 1) * HAN_SCALES[c], 0, 0
        else:
            part, digit = part + (digit or 1) * HAN_SCALES[c], 0
    return str(total + part + digit)
