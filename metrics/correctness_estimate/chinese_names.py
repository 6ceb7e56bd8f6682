"""Names in Chinese, told by what they are made of, and which of them differ between an answer and a reference."""

import re
from difflib import SequenceMatcher
from .wording import HAN, Text
from .word_lists import STOP
from .wording import Difference

# Chinese names, by what they are made of: surnames, ends of places, characters that spell foreign names, and countries.
SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔"
    "钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤鲁屈司欧诸岳柳阮"
    "包施关"
)
PLACES = "省市县区州国京海江河湖山岛洋港城镇乡村洲峡湾岭寺朝代族"
SPELLING = (
    "阿埃艾安奥巴贝比伯布查达德登丁杜顿多恩尔菲费弗夫福盖戈格古哈赫华霍基加杰卡凯康柯科克肯库拉莱兰劳勒雷里利列林"
    "伦罗洛马牛迈曼梅蒙米密莫姆纳内尼诺努欧帕佩皮普乔萨塞瑟森沙舍什史斯丝松索塔泰坦汤特蒂廷图托瓦维温沃乌西希夏谢"
    "辛雅亚扬伊因尤约泽扎詹珍朱莎歌玛娜丽娅琳茨"
)
COUNTRIES = re.compile(
    "[中美英法德俄日韩泰印]国|日本|印度|俄罗斯|巴西|加拿大|墨西哥|意大利|西班牙|埃及|澳大利亚|北京|上海|广州|深圳|南京|天津|"
    "重庆|成都|武汉|西安|杭州|苏州|香港|澳门|台湾|巴黎|伦敦|纽约|东京|柏林|罗马|莫斯科|春秋|战国|[秦汉唐宋元明清隋晋]"
)
FUNCTION = re.compile("[不没未非无的是了在把被和与也就这那很都]")


def named_in_chinese(text: Text, start: int, end: int) -> bool:
    """Return whether some characters of a text look like a name."""
    found = "".join(text.words[start:end])
    if not HAN.search(found):
        return any(shown[0].isupper() for shown in text.shown[start:end])
    wide = widened(text, start, end)
    if FUNCTION.search(found):
        return False
    person = 2 <= len(wide) <= 4 and wide[0] in SURNAMES
    foreign = len(found) >= 2 and sum(c in SPELLING for c in found) >= 0.6 * len(found)
    place = len(wide) <= 6 and wide[-1] in PLACES and len(wide) >= 2
    return person or foreign or place or bool(COUNTRIES.search(wide))


def widened(text: Text, start: int, end: int) -> str:
    """Return some characters with what belongs to them: the surname before, the end of a place after."""
    if start and end - start <= 2 and text.words[start - 1] in SURNAMES and text.words[start] not in SURNAMES:
        start -= 1
    if end < len(text.words) and end - start <= 2 and text.words[end] in PLACES and text.words[end - 1] not in PLACES:
        end += 1
    return text.span(start, end)


def differing_in_chinese(answer: Text, reference: Text) -> list[Difference]:
    """Return the names that stand in each other's place where two Chinese texts are else alike."""
    compared = SequenceMatcher(None, reference.words, answer.words, autojunk=False)
    if compared.ratio() < (0.3 if len(reference.words) <= 6 else 0.4):
        return []
    found = []
    for change, start, end, begin, stop in compared.get_opcodes():
        if change != "replace" or max(end - start, stop - begin) > 8:
            continue
        names = named_in_chinese(reference, start, end), named_in_chinese(answer, begin, stop)
        sides = [widened(reference, start, end), widened(answer, begin, stop)]
        plain = all(len(side) > 1 and not FUNCTION.search(side) for side in sides)
        if plain and any(names):
            found.append(Difference("name", sides[1], sides[0]))
    return found


def chinese_rival(answer: Text, reference: Text, question: Text) -> list[Difference]:
    """Return the name that a short Chinese reference finds in its place: what follows 是, or the whole short answer."""
    if any(s in answer.places for s in reference.stems if s not in STOP) or reference.quantities:
        return []
    if not named_in_chinese(reference, 0, len(reference.words)):
        return []
    said_of = re.findall("[是为叫在于由：:]([\u4e00-\u9fff·]{2,8})(?=$|[，。,.；、的])", answer.text)
    whole = re.findall("^([\u4e00-\u9fff·]{2,6})[。.]?$", answer.text)
    for said in [*said_of, *whole]:
        part = Text(said)
        if ((said in whole and not FUNCTION.search(said)) or named_in_chinese(part, 0, len(part.words))) and not set(
            part.stems
        ) <= question.places.keys():
            return [Difference("name", said, reference.text.strip(" 。."))]
    return []
