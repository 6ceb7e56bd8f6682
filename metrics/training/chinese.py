"""Made-up answers in Chinese, so that denials and contrasts are known there, too: facts, and wordings for them.

A line of FACTS is a question, its answer, another of the same kind, and a sentence with the answer in place of {}.
In the wordings {x} is what is denied and {sx} the sentence with it, {y} and {sy} what is named instead; in RIGHT {x} is
the right answer.
"""

import random
from collections.abc import Iterator

from metrics.training.generator import Made

FACTS = """
谁写了《红楼梦》？|曹雪芹|吴承恩|《红楼梦》的作者是{}
《静夜思》是谁写的？|李白|杜甫|《静夜思》的作者是{}
谁发现了万有引力定律？|牛顿|爱因斯坦|发现万有引力定律的是{}
谁发明了电话？|贝尔|爱迪生|电话的发明者是{}
相对论是谁提出的？|爱因斯坦|玻尔|相对论是{}提出的
《蒙娜丽莎》是谁画的？|达·芬奇|拉斐尔|《蒙娜丽莎》是{}的作品
第一个登上月球的人是谁？|阿姆斯特朗|加加林|第一个登上月球的人是{}
秦朝的第一个皇帝是谁？|秦始皇|汉武帝|秦朝的第一个皇帝是{}
谁写了《哈姆雷特》？|莎士比亚|狄更斯|《哈姆雷特》是{}写的
京剧大师中以《贵妃醉酒》闻名的是谁？|梅兰芳|程砚秋|以《贵妃醉酒》闻名的是{}
中国的首都是哪里？|北京|上海|中国的首都是{}
日本的首都是哪个城市？|东京|大阪|日本的首都是{}
澳大利亚的首都是哪里？|堪培拉|悉尼|澳大利亚的首都是{}
埃菲尔铁塔在哪个城市？|巴黎|伦敦|埃菲尔铁塔位于{}
世界上最长的河流是什么？|尼罗河|亚马孙河|世界上最长的河流是{}
世界最高峰叫什么？|珠穆朗玛峰|乔戈里峰|世界最高峰是{}
太阳系中最大的行星是哪颗？|木星|土星|太阳系中最大的行星是{}
兵马俑在哪个省？|陕西|河南|兵马俑位于{}
故宫在哪座城市？|北京|南京|故宫坐落在{}
长江流入哪个海？|东海|黄海|长江最后流入{}
水的化学式是什么？|H2O|CO2|水的化学式是{}
光合作用产生什么气体？|氧气|氮气|光合作用产生的气体是{}
人体最大的器官是什么？|皮肤|肝脏|人体最大的器官是{}
哪种血型被称为万能供血者？|O型|AB型|被称为万能供血者的是{}血
蜜蜂采集什么来酿蜜？|花蜜|花粉|蜜蜂采集{}来酿蜜
新中国成立于哪一年？|1949年|1945年|新中国成立于{}
第二次世界大战哪一年结束？|1945年|1918年|第二次世界大战结束于{}
北京奥运会是哪一年举办的？|2008年|2004年|北京奥运会于{}举办
辛亥革命发生在哪一年？|1911年|1919年|辛亥革命发生在{}
一年有多少天？|365天|300天|一年有{}
三国演义中赤壁之战的胜方是谁？|孙刘联军|曹操|赤壁之战的胜方是{}
西游记里孙悟空的师父是谁？|唐僧|如来佛祖|孙悟空的师父是{}
中国的国宝动物是什么？|大熊猫|金丝猴|中国的国宝动物是{}
奥运会每几年举办一次？|四年|两年|奥运会每{}举办一次
足球比赛一队有几名球员上场？|11名|9名|足球比赛一队有{}球员上场
微信是哪家公司开发的？|腾讯|阿里巴巴|微信是{}开发的
特斯拉的首席执行官是谁？|马斯克|库克|特斯拉的首席执行官是{}
《三体》的作者是谁？|刘慈欣|王晋康|《三体》的作者是{}
世界上面积最大的国家是哪个？|俄罗斯|加拿大|世界上面积最大的国家是{}
钢琴有多少个键？|88个|76个|钢琴有{}键
""".strip().splitlines()
RIGHT = """
{x}
{x}。
是{x}。
答案是{x}。
正确答案是{x}。
应该是{x}。
{sx}。
众所周知，{sx}。
根据资料，{sx}。
我认为{sx}。
毫无疑问，{sx}。
没错，{sx}。
据我所知，{sx}。
史料记载，{sx}。
这个问题的答案是{x}。
不用怀疑，{sx}。
""".strip().splitlines()
DENIED = """
不是{x}。
并不是{x}。
并非{x}。
绝不是{x}。
肯定不是{x}。
答案不是{x}。
不可能是{x}。
从来不是{x}。
{x}不对。
{x}是错的。
{x}是错误答案。
{x}？不是。
{x}？不对。
{x}与此无关。
{x}不符合事实。
说{sx}是错误的。
“{sx}”这种说法不正确。
“{sx}”是误传。
{sx}，这是谣言。
{sx}，这并不属实。
{sx}的说法没有根据。
没有证据表明{sx}。
没有人能证明{sx}。
我不认为{sx}。
我不相信{sx}。
并不能说{sx}。
人们常说{sx}，但这不是事实。
有人说{sx}，其实是错的。
很多人误以为{sx}。
认为{sx}是一种误解。
除了{x}，都有可能。
我不知道答案，但不是{x}。
可以排除{x}。
""".strip().splitlines()
CONTRASTED = """
不是{x}，而是{y}。
不是{x}，是{y}。
并非{x}，而是{y}。
是{y}，不是{x}。
{y}，而不是{x}。
{y}，不是{x}。
{sy}，而不是{x}。
{sy}，不是{x}。
答案不是{x}，而是{y}。
正确答案是{y}，{x}是错误的。
很多人以为是{x}，其实是{y}。
很多人认为{sx}，实际上{sy}。
人们常说{sx}，但事实上{sy}。
虽然常有人说是{x}，但正确答案是{y}。
尽管{x}更有名，但{sy}。
{x}是常见的误解，正确的是{y}。
与其说是{x}，不如说是{y}。
网上说是{x}，但真正的答案是{y}。
原本以为是{x}，后来发现是{y}。
传说{sx}，但史料证明{sy}。
不要以为是{x}，其实{sy}。
你可能会想到{x}，不过答案是{y}。
{x}？不，是{y}。
{x}是错的，{sy}。
说{sx}是错误的，应该是{y}。
我以前认为{sx}，现在知道{sy}。
有传言说{sx}，真相是{sy}。
{sy}。{x}只是谣言。
{sy}，很多人误以为是{x}。
""".strip().splitlines()
LISTED = """
可能是{list}。
也许是{list}。
{list}都有可能。
不确定，大概是{list}。
有人说是{list}。
答案是{list}中的一个。
""".strip().splitlines()


def made(chance: random.Random) -> Iterator[tuple[int, Made]]:
    """Yield made-up answers to each fact, with its number."""
    facts = [line.split("|") for line in FACTS]
    for number, (question, x, y, sentence) in enumerate(facts):
        others = chance.sample([one[1] for one in facts if one[1] not in (x, y)], 2)
        for kind, wordings, right, swapped in (
            ("right", RIGHT, True, False),
            ("denial", DENIED, False, False),
            ("not X but Y", CONTRASTED, False, False),
            ("right, other denied", CONTRASTED, True, True),
            ("five candidates", LISTED, False, False),
        ):
            one, other = (y, x) if swapped else (x, y)
            listed = chance.sample([x, y, *others], 4)
            texts = {"list": chance.choice(("、", "或者", "，或", "还是")).join(listed)}
            texts |= {"x": one, "y": other, "sx": sentence.format(one), "sy": sentence.format(other)}
            for wording in chance.sample(wordings, len(wordings) // 2):
                yield number, Made(kind, question, (x,), wording.format(**texts), right)
