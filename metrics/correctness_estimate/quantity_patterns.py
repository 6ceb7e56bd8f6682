"""Patterns of numbers, dates, times and units, which quantities.py reads."""

import re
from collections.abc import Iterable
from functools import cache

from .lexicon import MONTHS, NUMBER_WORDS, ONES, TENS
from .numerals import DECADES, FRACTIONS, HAN_PARTS_OF_DAY, UNIT


def join_names(names: Iterable[str]) -> str:
    """Return a pattern for one of some names, the longest first.

    Names are grouped by their first letter, so that few of hundreds are tried at each place.

    >>> join_names(["m", "mile", "km", "ms"])
    'm(?:ile|s|)|k(?:m)'
    """
    groups = dict[str, list[str]]()
    for name in sorted(names, key=len, reverse=True):
        groups.setdefault(name[0], []).append(re.escape(name[1:]))
    patterns = list[str]()
    for first_letter, endings in groups.items():
        patterns.append(f"{re.escape(first_letter)}(?:{'|'.join(endings)})")
    return "|".join(patterns)


FRACTION_NAMES = join_names(FRACTIONS)
# Words that are looked up in a table ignore the case of ASCII letters only, by (?a:...). In Unicode
# i is also Turkish \u0130 and \u0131, s is also \u017f and k the Kelvin sign; no table has these.
MONTH_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS if name != "may")
MONTH = rf"(?P<{{}}>(?a:{MONTH_NAMES}|may|sept))\b\.?"
DECADE_NAMES = f"(?a:{'|'.join(DECADES)})"
CENTURY_WORDS = "(?a:sixteen|seventeen|eighteen|nineteen)"
DAY = r"(?P<{}>\d?\d)(?:st|nd|rd|th)?\b"
WORD_NUMBER = f"(?a:{join_names(NUMBER_WORDS)})"
# Behind one of these "90s" is a decade and no time in seconds.
BEFORE_DECADE = (
    r"(?:(?<![\s\S])|(?<=')|(?<=the )|(?<=early )|(?<=late )|(?<=his )|(?<=her )|(?<=their ))"
)
# After a word for 1 to 9 only a large number goes on: "two four" are two numbers, "two hundred" is
# one.
AFTER_ONES = "".join(f"(?<!{word})" for word in ONES[1:10])
LARGE_NUMBER = "(?a:hundred|thousand|million|billion|trillion|dozen)"
SPOKEN = (
    rf"(?:{WORD_NUMBER})"
    rf"(?:(?:{AFTER_ONES}(?:[\s-]+|\s+and\s+)|[\s-]+(?={LARGE_NUMBER}))(?:{WORD_NUMBER}))*"
)
DECIMALS = rf"(?:\spoint(?:\s(?a:{'|'.join(ONES)}))+)?"  # three point one four
TENS_WORDS = "|".join(TENS)
UP_TO_NINETY_NINE = f"(?:{TENS_WORDS})[ -](?:{'|'.join(ONES[1:10])})|{TENS_WORDS}|{'|'.join(ONES)}"
# Digits in the usual spellings: 1,234.5; 1.234.567 or 1.234,5; 1 234 567 or 1'234'567; 3,14; 3.14,
# .5 and 1e6.
DIGITS = (
    r"(?:(?!0,)\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|(?<![,(\d])0,\d{3}(?![\d,])"
    r"|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?![\d.])"
    r"|\d{1,3}(?:\.\d{3})+,\d+"
    r"|\d{1,3}(?:[ ']\d{3})+(?:[.,]\d+)?(?![\d/⁄])|(?<![,(\d])\d+,(?:\d{1,2}|\d{4,})(?![\d,])"
    r"|\d+(?:\.\d+)?|\.\d+)"
    r"(?:e[+-]?\d{1,3}(?![\w.]))?"
)
UNIT_NAMES = f"(?a:{join_names(UNIT)})"
GROUPED = r"\d{1,3}(?:\.\d{3}){2,}(?!\.?\d)"  # 1.234.567
HOUR = f"(?:{'|'.join(ONES[1:13])})"
PART_OF_DAY = r"\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight)"
MARK_OF_DAY = rf"(?:\s?[ap]\.?m\b\.?|{PART_OF_DAY})"
SPOKEN_MINUTES = (
    "(?:oh[ -](?:one|two|three|four|five|six|seven|eight|nine)|ten|fifteen"
    "|(?:twenty|thirty|forty|fifty)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)"
)
GERMAN_HOUR = "(?:eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)"
GERMAN_PART = r"(?:\s(?:morgens|vormittags|mittags|nachmittags|abends|nachts)\b)"
CLOCK = "|".join(
    [
        # "12 noon"
        r"\b(?:12(?::00)?\s)?(?:noon|midday|midnight)\b",
        # "17:05:30", "5:05 pm", "17:05", "5 pm", "5 o'clock"
        rf"\b\d{{1,2}}:[0-5]\d:[0-5]\d\b{MARK_OF_DAY}?",
        rf"\b[0-2]?\d[:.][0-5]\d{MARK_OF_DAY}",
        r"\b[0-2]?\d:[0-5]\d\b(?![:\d]|,\d)",
        rf"\b\d{{1,2}}(?:(?:\so'clock)?{MARK_OF_DAY}|\so'clock\b)",
        # "17 Uhr 5", "halb neun", "Viertel nach acht"
        rf"\b(?:\d{{1,2}}(?:[:.][0-5]\d)?|{GERMAN_HOUR})\sUhr(?:\s[0-5]\d\b)?{GERMAN_PART}?",
        rf"\b(?:halb|(?:viertel|fünf|zehn|zwanzig)\s(?:vor|nach))\s(?:{GERMAN_HOUR}|\d{{1,2}})\b"
        rf"{GERMAN_PART}?",
        # "seven thirty", "nine oh five"; without am or pm only before a mark or the end
        rf"\b{HOUR}[\s-]{SPOKEN_MINUTES}"
        rf"(?:{MARK_OF_DAY}|(?=\s?(?:[.,;!?)]|$)|\s(?:sharp|tonight)\b))",
        # "half past seven", "five o'clock"
        r"\b(?:half|(?:a\s)?quarter|(?:five|ten|twenty(?:[\s-]five)?)(?:\sminutes)?"
        r"|\d{1,2}\sminutes?)\s(?:past|to)\s"
        rf"(?:{HOUR}|\d{{1,2}}|noon|midday|midnight)\b{MARK_OF_DAY}?",
        rf"\b{HOUR}(?:\so'clock\b{MARK_OF_DAY}?|{PART_OF_DAY})",
        # "5点30分", "下午5点"
        r"\d{1,2}[点时](?:\d{1,2}分?|半|[13一三]刻|整|钟)",
        rf"(?<={'|'.join(HAN_PARTS_OF_DAY)})\d{{1,2}}[点时]",
    ]
)
# "3√2", "√2/2".
ROOT = (
    r"(?P<root>-?(?:(?P<times>\d+(?:\.\d+)?)\s?)?√\s?\(?(?P<under>\d+(?:\.\d+)?)\)?"
    r"(?:\s?/\s?(?P<below>\d+))?)"
)
ROMAN = "M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
# A Roman numeral and nothing else; of C, D and M at least three, for CD, DC and MD are other
# things.
ROMAN_ALONE = re.compile(rf"\s*((?=[IVXL]{{2,}}\W*$|[IVXLCDM]{{3,}}\W*$){ROMAN})[\s.]*")
SCALE_WORD = "(?a:hundred|thousand|million|billion|trillion)"
# The kinds of quantities, each as a group with its name. The groups within it are its parts. A name
# may stand in a pattern only once: the years of the kinds are y1, y2 and so on. The first kind that
# matches counts.
QUANTITY = "|".join(
    [
        ROOT,
        # 1813-01-28
        r"(?P<iso>\b(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})\b)",
        # 28 January 1813
        (
            rf"(?P<dmy>\b{DAY.format('d2')}(?: of)?[ -]+{MONTH.format('m2')}"
            r"(?:,?(?: of)?[ -]+(?P<y2>\d{3,4})\b)?)"
        ),
        # January 28, 1813
        (
            rf"(?P<mdy>\b{MONTH.format('m3')} {DAY.format('d3')}(?![:,.]?\d)"
            r"(?:,? (?P<y3>\d{3,4})\b)?)"
        ),
        # A day in words behind a month: September twenty-five, 2017. Without a year a sign or the
        # end follows, for "In May twenty people came" names no day.
        rf"(?P<day_words>\b{MONTH.format('m8')} (?:the )?(?P<d8>{SPOKEN})"
        r"(?:,? (?P<y8>\d{4})\b|(?=[,.;)]|$)))",
        # January 1813
        rf"(?P<my>\b{MONTH.format('m4')},?(?: of)?(?: (?P<y4>\d{{4}})\b)?)",
        # 28/1/1813
        r"(?P<slash>\b(?P<a5>\d{1,2})[/.](?P<b5>\d{1,2})[/.](?P<y5>\d{4})\b)",
        # 3.10.2
        rf"(?P<version>(?<![\d.])(?!{GROUPED})\d+(?:\.\d+){{2,}}(?![\d%]))",
        # AD 79, 79 CE
        r"(?P<era>(?-i:\bAD\s)(?P<y0>\d{1,4})\b|\b(?P<y00>\d{1,4})\s(?-i:AD|CE|A\.D\.)(?!\w))",
        # 1813年1月28日
        r"(?P<han_date>(?P<y6>\d{2,4})年(?!代)(?:(?P<m6>\d{1,2})月)?(?:(?P<d6>\d{1,2})[日号])?)",
        # 1月28日
        r"(?P<han_day>(?P<m7>\d{1,2})月(?:(?P<d7>\d{1,2})[日号])?)",
        rf"(?P<clock>{CLOCK})",
        # 1:25,000, "one to twenty-five"
        r"(?P<ratio>\b(?P<first>\d{1,3}(?:,\d{3})+"
        r"|\d+(?:\.\d+)?)\s?:\s?(?P<second>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\b"
        rf"|(?<!from\s)\b(?:one|1)\sto\s(?P<to_one>\d{{1,3}}(?:,\d{{3}})+|\d{{2,}}|{SPOKEN})\b)",
        # "nine out of ten", "one in five", "one villager in four"
        rf"(?P<share_of>\b(?P<some>\d{{1,3}}|{'|'.join(ONES[1:])})"
        rf"(?:(?<=[a-z])\s(?a:[a-z]{{3,15}})(?=\sin\s(?:every\s)?{SPOKEN}\s?(?:$|[.,;])))?\s(?:out\sof(?:\severy)?"
        r"|in(?:\severy)?|of\severy)\s"
        rf"(?P<all>\d{{1,3}}(?![\d.,]\d|\d)|(?:an?\s)?{SPOKEN})\b)",
        # 1990s, "the 90s", 1990年代
        rf"(?P<decade>\b\d{{3}}0(?:'?s\b|年代)|{BEFORE_DECADE}\d0'?s\b)",
        # "the nineties", "nineteen-nineties"
        rf"(?P<decade_name>\b(?:(?:the|his|her|their) |(?P<hundreds>{CENTURY_WORDS})[ -])"
        rf"(?P<decade_word>{DECADE_NAMES})\b)",
        # "19th century", 19世纪
        (
            r"(?P<age>\b(?P<century>\d{1,2})(?:st|nd|rd|th)?[ -]+(?a:centur(?:y|ies))\b"
            r"|(?P<han_century>\d{1,2})世纪)"
        ),
        # 1939, 1939-45
        r"(?P<year>(?<![\d.,$£€¥-])(?P<y10>1\d{3}|20\d{2})(?![\d%e]|[,.]\d"
        r"|\s(?a:million|billion|trillion)\b)"
        r"(?:\s*[-–/]\s*(?P<to>\d{2})(?!\d))?)",
        # "one and a half", "a mile and a half", "two million and three quarters"
        rf"(?P<and_part>\b(?P<whole2>an?|\d+|(?a:{UP_TO_NINETY_NINE}))(?:\s(?P<unit2>{UNIT_NAMES}))?"
        rf"(?:\s(?P<scale2>{SCALE_WORD}))?\sand\s(?P<part2>an?|{'|'.join(ONES[1:10])})[ -]"
        rf"(?P<name2>{FRACTION_NAMES})\b(?:\s(?P<scale3>{SCALE_WORD})\b)?)",
        # 2 1/2
        r"(?P<mixed>-?\b(?P<whole>\d+)\s+(?:and\s+)?(?P<over>\d+)[/⁄](?P<under2>\d+)\b(?!/))",
        # 2/3, "two thirds"
        rf"(?P<part>-?\b(?P<top>\d+|(?a:{'|'.join(ONES)}))"
        rf"(?:[/⁄](?P<bottom>\d+)\b(?!/)|[ -](?P<name>(?a:{FRACTION_NAMES}))\b))",
        # "half a dozen"
        rf"(?P<half_scale>\bhalf(?:\sof)?\sa\s(?P<half_name>{LARGE_NUMBER})\b)",
        # "a quarter", the half of "half an hour"
        (
            r"(?P<single>\b(?:a[ -](?P<share>quarter|half|third(?=\s+of\b|\W*$)"
            r"|(?:fourth|fifth|sixth|eighth|tenth)(?=\s+of\b))\b"
            r"|(?<!first )(?<!second )(?<!last )(?<!other )(?P<half_of>half)"
            r"(?=\san?\s|(?:\sof)?\s(?:the|her|his|its|their|my|our|all)\s)))"
        ),
        # $5, "twenty-one", 1.5 million, 5k, 1亿5000万
        rf"(?P<number>(?:(?P<money>[$£€¥₹])\s?)?(?<![a-z\d.])(?:(?P<digits>-?{DIGITS})"
        rf"|(?P<words>\b{SPOKEN}{DECIMALS}\b))(?:st\b|nd\b|rd\b|th\b)?"
        r"(?P<scale>\s*(?:[万亿百千]+|(?a:hundred|thousand|million|billion|trillion|dozen|mn"
        r"|bn|tausend|millionen|milliarden|mil|millones)\b)|(?<=\d)[kKM]\b)?"
        r"(?:(?<=亿)(?P<rest>\d+(?:\.\d+)?)万)?)",
        # the XIV of "Louis XIV"
        r"(?P<roman>(?-i:(?<=[a-z] )[IVXL]{2,}\b|(?<=[a-z] )[VX]\b|(?<=[a-z] )I(?![ \w'’])))",
    ]
)
# A country may stand before a currency: 300 Swiss francs.
CURRENCY_NAMES = "dollar|pound|franc|peso|yen|krona|kronor|krone|kroner|rupee|won|lira|crown"
COUNTRY = rf"(?:(?-i:(?P<country>[A-Z][a-z]+(?:\s[A-Z][a-z]+)?))\s(?={CURRENCY_NAMES}))?"
# A unit ends where its word ends: the m of "5 men" is none.
UNIT_AFTER = rf"[\s-]?{COUNTRY}(?P<unit>{UNIT_NAMES})(?![a-z\d\u00c0-\u024f])"
PER_UNIT = rf"\s?(?:/|per\s|an?\s)\s?({UNIT_NAMES}|s)(?![a-z])"
OF_UNIT = rf"\s(?:of\s)?an?\s({UNIT_NAMES})(?![a-z])"  # a quarter of an hour, half an hour
# What follows the first digits of a number: ",754".
REST_OF_NUMBER = re.compile(r"(?:[.,]?\d+)*")
# Words with which a quantity may begin.
BEGINNINGS = {
    *NUMBER_WORDS,
    "half",
    "quarter",
    "noon",
    *"halb viertel ein eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split(),
    "zwanzig",
    "midday",
    "midnight",
    "ad",
    "sept",
    *MONTHS,
    *(name[:3] for name in MONTHS),
}
# A quantity begins with an article only before one of these: the nineties, a quarter past, a mile
# and a half. Articles are frequent: trying every pattern at each takes half of the time.
A_PART = re.compile(
    r"[\s-](?:quarter|half|third|fourth|fifth|sixth|eighth|tenth)|\s(?:\S+\s){0,2}and\s",
    re.IGNORECASE,
)
DECADE_BEHIND = re.compile(" [a-z]+ies", re.IGNORECASE)
BEHIND_ARTICLE = {
    "the": DECADE_BEHIND,
    "his": DECADE_BEHIND,
    "her": DECADE_BEHIND,
    "their": DECADE_BEHIND,
    "a": A_PART,
    "an": A_PART,
}
# A quantity begins with digits, a root, a sign of money, a Roman numeral or one of these words. The
# text is in lower case, for a pattern that ignores the case takes twice the time.
LETTER = r"[a-z\u00c0-\u024f]"
START = re.compile(
    rf"\.?\d+|[√$£€¥₹]"
    rf"|(?<!{LETTER})(?:{join_names([*BEGINNINGS, *BEHIND_ARTICLE])}|[ivxl]+)(?!{LETTER})"
)
# Words that mostly are no number: one of them, at first.
NO_NUMBER_ALONE = re.compile("one|second|first|half", re.IGNORECASE)
# Words beside a number that do not change what it is.
ABOUT = frozenset(
    "about around approximately roughly nearly almost circa ca some exactly precisely "
    "only total just".split()
)
# Signs and words before or after a number that belong to its value.
MINUS = re.compile(r"(?:minus|negative|负|零下)\s?$|(?<!\w)-$", re.IGNORECASE)
BELOW_ZERO = re.compile(
    r"\s?(?:degrees?)? ?below (?:zero|freezing)\b(?:,? (?:celsius|centigrade))?",
    re.IGNORECASE,
)
# The era behind a year or a century: 44 BC.
BEFORE_CHRIST = re.compile(
    r"\s*(?:BC|BCE|B\.C\.(?:E\.)?|before (?:Christ|the Common Era)|v\. ?Chr\.?|av(?:ant"
    r"|\.) J\.-C\.?|"
    r"a\. ?C\.)(?![A-Za-z])"
)
HAN_RATIO = re.compile(r"(?<=\d)比(?=\d)")  # 3比1
HAN_BEFORE_CHRIST = "公元前"
# The direction behind a latitude or a longitude: 12° N.
DIRECTION = re.compile(r"\s?°?\s?([NSEW])(?![A-Za-z])")
DIRECTIONS = {
    "N": ("latitude", 1.0),
    "S": ("latitude", -1.0),
    "E": ("longitude", 1.0),
    "W": ("longitude", -1.0),
}
# "5 °C", "40F", "300 K".
DEGREES = re.compile(r"\s?°?\s?([CF])(?![A-Za-z.])|\s(K)(?![A-Za-z.])")
# A code before a number: EUR 5. The "US" of US$5 is no code.
CURRENCY_CODE = re.compile(
    r"(?:(USD|EUR|GBP|CNY|RMB|JPY|INR|CHF|SEK|NOK|DKK|KRW|MXN|THB|ZAR|PLN)|US)\s?$"
)
# The dimension of the currency that a code stands for.
CODES = {
    "USD": "dollar",
    "EUR": "euro",
    "GBP": "sterling",
    "CNY": "yen",
    "RMB": "yen",
    "JPY": "yen",
    "INR": "rupee",
    "CHF": "franc",
    "SEK": "crown",
    "NOK": "crown",
    "DKK": "crown",
    "KRW": "won",
    "MXN": "peso",
    "THB": "baht",
    "ZAR": "rand",
    "PLN": "zloty",
}
# Names of units that are such a code.
CODE_UNITS = frozenset(code.lower() for code in CODES)


@cache
def compile_ignoring_case(pattern: str) -> re.Pattern[str]:
    """Return a pattern for both cases of letters, compiled when it is first needed.

    Compiling takes 5 ms, a third of loading. The pattern has re.ASCII: so a digit beside a Chinese
    character stands at the edge of a word.
    """
    return re.compile(pattern, re.IGNORECASE | re.ASCII)
