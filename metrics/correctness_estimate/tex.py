r"""Turn TeX into plain text: \frac{3}{4} is 3⁄4, 2 \times 10^{5} is 200000, \boxed{9} is 9.

This reader knows the usual forms. Everything else stays as it is written.
"""

import re
from decimal import Decimal

# Only a text with one of these is read: a command, a power, a power of ten in high digits, a text
# between two dollars.
SIGN = re.compile(
    r"\\[A-Za-z,;:!%$&(\[{ ]|\^|\{,\}|10(?<![\d.,]10)[⁰¹²³⁴-⁹⁻]|10的负?\d{1,2}次方"
    r"|to the (?:power|-?\d)|\$[^$\n]*\$"
)
HIGH, LOW = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"
LOWERED = str.maketrans(HIGH, LOW)
# "ten to the power of minus 3", "10 to the sixth".
SPOKEN_POWER = re.compile(
    r"\b(?:ten|10) to the (?:power(?: of)? )?(minus |-|negative )?(\d{1,2})(?:st|nd|rd"
    r"|th)?(?: power)?",
    re.IGNORECASE,
)
HAN_POWER = re.compile(r"10的(负)?(\d{1,2})次方")
# A power of 10. Behind another number a high digit may be a footnote's.
HIGH_POWER = re.compile(f"(?<![\\d.,])10([{HIGH}]+)")
# A text between dollars is a formula if it has one of these signs, or is a number or a letter. But
# "$5 to $10" is money.
FORMULA_SIGN = re.compile(r"[\\^_={]")
NUMBER_OR_LETTER = re.compile(r"\s*-?\d[\d.,/ ]*|\s*[A-Za-z]\s*")
CLOSING_DOLLARS = re.compile(r"\$\$?(?!\d)")
# Commands that stand for a sign.
SIGNS = {
    "times": "×",
    "cdot": "×",
    "div": "÷",
    "pm": "±",
    "approx": "≈",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "ne": "≠",
    "neq": "≠",
    "circ": "°",
    "degree": "°",
    "pi": "π",
    "infty": "∞",
    "dots": "...",
    "ldots": "...",
    "to": "→",
    "rightarrow": "→",
    "percent": "%",
    "pounds": "£",
    "euro": "€",
    "\\": "\n",
}
SIGNS |= {escaped: escaped for escaped in "%$&_"}
SIGNS |= dict.fromkeys((*",;: ()[]", "quad", "qquad"), " ")
SIGNS |= dict.fromkeys(
    ("!", "left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "limits"), ""
)
# 1\,000 and 1{,}000; any other command without arguments.
COMMAND = re.compile(
    r"(?P<between_thousands>(?<=\d)\\,(?=\d{3}(?!\d)))|(?P<comma>\{,\})"
    r"|\\(?P<name>[A-Za-z]+|[%$&_,;: ()\[\]!\\])"
)
# Commands that only change the look of their text.
TRANSPARENT = (
    "f?boxed|fbox|text(?:bf|it|rm|sf|tt|normal)?|emph|underline|[mh]box|math(?:rm|bf|it|sf|tt|bb|cal)|operatorname|bm|"
    "boldsymbol|hat|bar|vec|overline"
)
# A command with its arguments, or a power in braces, with no braces inside.
INNERMOST = re.compile(
    r"\\[tdc]?frac\s*(?:\{(?P<top>[^{}]*)\}|(?P<digit>\d))\s*(?:\{(?P<bottom>[^{}]*)\}"
    r"|(?P<other>\d))|"
    r"\\sqrt\s*(?:\{(?P<under>[^{}]*)\}|(?P<root>\d+))|"
    rf"\\(?:{TRANSPARENT})\*?\s*\{{(?P<text>[^{{}}]*)\}}|\\(?:begin|end)\s*\{{[^{{}}]*\}}|"
    r"\^\s*\{(?P<power>[^{}]*)\}|(?<=\d)\^\s*\\?°"
)
DEEPEST = 8  # braces within braces that are read
# "3 × 10^5", "2^10".
POWER = re.compile(
    r"(?:(?<![\d.,])(?P<times>\d[\d,]{0,30}(?:\.\d{1,30})?)\s?[×x*·]\s?)?(?<![\d.,^])(?P<base>\d{1,20}(?:\.\d{1,20})?)"
    r"\s?\^\s?(?P<exponent>-?\d{1,2})(?!\d|\s?\^)"
)
TEN = Decimal(10)
MOST_DIGITS = 28  # of a power that is worked out: those that Python's decimals keep
NUMBER = re.compile(r"-?\d{1,40}(?:\.\d{1,40})?")


def read_tex(text: str) -> str:
    r"""Return a text with TeX's usual forms in plain text. Linear in the length.

    >>> read_tex(r"It is $\frac{3}{4}$, or \boxed{0.75}."), read_tex(r"2 \times 10^{5}\,\text{km}")
    ('It is 3⁄4, or 0.75.', '200000 km')
    >>> read_tex("10³ m, $5 to $10")
    '1000 m, $5 to $10'
    """
    if not SIGN.search(text):
        return text
    text = text.replace("乘以10的", "×10的")
    text = SPOKEN_POWER.sub(write_power_of_ten, text)
    text = HAN_POWER.sub(write_power_of_ten, text)
    text = HIGH_POWER.sub(lambda match: f"10^{match[1].translate(LOWERED)}", text)
    text = COMMAND.sub(replace_command, open_formulas(text))
    for _ in range(DEEPEST):
        text, count = INNERMOST.subn(replace_group, text)
        if not count:
            break
    return POWER.sub(compute_power, text)


def write_power_of_ten(match: re.Match[str]) -> str:
    """Return a power of ten in words as 10^6 or 10^-6; the first group is its minus."""
    minus = "-" if match[1] else ""
    return f"10^{minus}{match[2]}"


def open_formulas(text: str) -> str:
    """Return a text without the dollars around formulas.

    The next dollar is looked for first: a pattern of the whole would try each sign after a lone
    dollar to the end.

    >>> open_formulas("$x^2$ or $$5$$, $5 to $10")
    'x^2 or 5, $5 to $10'
    """
    parts = list[str]()
    done = 0
    dollar = text.find("$")
    while dollar >= 0:
        start = dollar + 2 if text.startswith("$$", dollar) else dollar + 1
        end = text.find("$", start)
        if end < 0:
            break
        formula = text[start:end]
        closing = CLOSING_DOLLARS.match(text, end)
        if closing and is_formula(formula):
            parts += [text[done:dollar], formula]
            done = closing.end()
            dollar = text.find("$", done)
        else:
            dollar = text.find("$", dollar + 1)
    parts.append(text[done:])
    return "".join(parts)


def is_formula(text: str) -> bool:
    """Return whether what stands between dollars is a formula, a number or a letter."""
    if "\n" not in text and FORMULA_SIGN.search(text):
        return True
    return NUMBER_OR_LETTER.fullmatch(text) is not None


def replace_command(match: re.Match[str]) -> str:
    """Return the sign for a command without arguments; an unknown command stays."""
    if match["between_thousands"]:
        return ""
    if match["comma"]:
        return ","
    return SIGNS.get(match["name"], match[0])


def replace_group(match: re.Match[str]) -> str:
    """Return a command with its arguments, or a power, in plain text."""
    if match["bottom"] is not None or match["other"]:
        return read_fraction(match)
    if match["under"] is not None or match["root"]:
        return format_root((match["root"] or match["under"]).strip())
    if match["power"] is not None:
        power = match["power"].strip()
        return "°" if power == "°" else f"^{power}"
    return "°" if match[0][0] == "^" else match["text"] or ""


def format_root(number: str) -> str:
    """Return a root: √2, and √(x + 1) in brackets."""
    return f"√{number}" if re.fullmatch(r"[\w.]+", number) else f"√({number})"


def read_fraction(match: re.Match[str]) -> str:
    """Return a fraction; behind a digit it belongs to a mixed number, as in 1 1/2."""
    top = (match["top"] or match["digit"] or "").strip()
    bottom = (match["bottom"] or match["other"] or "").strip()
    fraction = format_fraction(top, bottom)
    is_mixed = match.string[match.start() - 1 : match.start()].isdigit()
    return f" {fraction}" if is_mixed else fraction


def format_fraction(top: str, bottom: str) -> str:
    """Return a fraction of whole numbers with Unicode's stroke, and of other numbers its value."""
    if (top.removeprefix("-") + bottom).isdigit():
        return f"{top}⁄{bottom}"
    if not NUMBER.fullmatch(top) or not NUMBER.fullmatch(bottom):
        return f"{add_brackets(top, SUM)}/{add_brackets(bottom, SUM_OR_PRODUCT)}"
    return f"{float(top) / (float(bottom) or 1.0):.10g}"


SUM = re.compile(r"[\w)] ?[-+]")  # "x + 1"
SUM_OR_PRODUCT = re.compile(r"[\w)] ?[-+*/ (]|[a-z]\w")  # "x + 1", "2(x)", "ab"


def add_brackets(text: str, needing: re.Pattern[str]) -> str:
    """Return a part of a fraction, in brackets if it matches a pattern that needs them."""
    outside = re.sub(r"\([^()]*\)", "()", text)  # the sum of n(n+1) is in brackets already
    return f"({text})" if needing.search(outside) else text


def compute_power(match: re.Match[str]) -> str:
    """Return the value of a power times the number before it.

    If it has too many digits, a power of ten is written as 2e30, and another power stays.
    """
    base, exponent = Decimal(match["base"]), int(match["exponent"])
    if not base:
        return match[0]
    times = Decimal((match["times"] or "1").replace(",", ""))
    digits = f"{times * base**exponent:f}"
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    if len(digits) > MOST_DIGITS:
        return f"{times}e{exponent}" if base == TEN else match[0]
    return digits
