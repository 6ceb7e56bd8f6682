r"""TeX's usual forms as plain text: \frac{3}{4} is 3⁄4, 2 \times 10^{5} is 200000, \boxed{9} is 9, $x$ is x.

A small reader and no TeX: what it does not know stays as it is written, and so does a text without such a form.
"""

import re
from decimal import Decimal

# What is worth reading: a command, a power, a power of ten in high digits, a sum in dollars that closes again.
SIGN = re.compile(r"\\[A-Za-z,;:!%$&(\[{ ]|\^|\{,\}|(?<![\d.,])10[⁰¹²³⁴-⁹⁻]|\$[^$\n]*\$")
HIGH, LOW = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"
HIGH_POWER = re.compile(f"(?<![\\d.,])10([{HIGH}]+)")  # of 10 alone: elsewhere such a digit may be a footnote's
# Between dollars: what has a formula's sign, or is a number or a letter alone. "$5 to $10" is money.
FORMULA_SIGN = re.compile(r"[\\^_={]")
NUMBER_OR_LETTER = re.compile(r"\s*-?\d[\d.,/ ]*|\s*[A-Za-z]\s*")
CLOSING_DOLLARS = re.compile(r"\$\$?(?!\d)")
# Commands that stand for a sign.
SIGNS = {"times": "×", "cdot": "×", "div": "÷", "pm": "±", "approx": "≈", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥"}
SIGNS |= {"ne": "≠", "neq": "≠", "circ": "°", "degree": "°", "pi": "π", "infty": "∞", "dots": "...", "ldots": "..."}
SIGNS |= {"to": "→", "rightarrow": "→", "percent": "%", "pounds": "£", "euro": "€", "\\": "\n"}
SIGNS |= {c: c for c in "%$&_"} | dict.fromkeys((*",;: ()[]", "quad", "qquad"), " ")
SIGNS |= dict.fromkeys(("!", "left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "limits"), "")
COMMAND = re.compile(r"(?<=\d)\\,(?=\d{3}(?!\d))|\{,\}|\\(?:[A-Za-z]+|[%$&_,;: ()\[\]!\\])")
TRANSPARENT = (
    "f?boxed|fbox|text(?:bf|it|rm|sf|tt|normal)?|emph|underline|[mh]box|math(?:rm|bf|it|sf|tt|bb|cal)|operatorname|bm|"
    "boldsymbol|hat|bar|vec|overline"
)
INNERMOST = re.compile(
    r"\\[tdc]?frac\s*(?:\{(?P<top>[^{}]*)\}|(?P<digit>\d))\s*(?:\{(?P<bottom>[^{}]*)\}|(?P<other>\d))|"
    r"\\sqrt\s*(?:\{(?P<under>[^{}]*)\}|(?P<root>\d+))|"
    rf"\\(?:{TRANSPARENT})\*?\s*\{{(?P<text>[^{{}}]*)\}}|\\(?:begin|end)\s*\{{[^{{}}]*\}}|"
    r"\^\s*\{(?P<power>[^{}]*)\}|(?<=\d)\^\s*\\?°"
)
DEEPEST = 8  # braces within braces that are read
POWER = re.compile(
    r"(?:(?<![\d.,])(?P<times>\d[\d,]{0,30}(?:\.\d{1,30})?)\s?[×x*·]\s?)?(?<![\d.,^])(?P<base>\d{1,20}(?:\.\d{1,20})?)"
    r"\s?\^\s?(?P<exponent>-?\d{1,2})(?!\d|\s?\^)"
)
MOST_DIGITS = 28  # of a power that is worked out: those that Python's decimals keep
NUMBER = re.compile(r"-?\d{1,40}(?:\.\d{1,40})?")


def plain(text: str) -> str:
    r"""Return a text with TeX's usual forms in plain text. Linear in the length.

    >>> plain(r"It is $\frac{3}{4}$, or \boxed{0.75}."), plain(r"2 \times 10^{5}\,\text{km}"), plain("10³ m, $5 to $10")
    ('It is 3⁄4, or 0.75.', '200000 km', '1000 m, $5 to $10')
    """
    if not SIGN.search(text):
        return text
    text = HIGH_POWER.sub(lambda found: f"10^{found[1].translate(str.maketrans(HIGH, LOW))}", text)
    text = COMMAND.sub(sign, open_formulas(text))
    for _ in range(DEEPEST):
        text, count = INNERMOST.subn(made, text)
        if not count:
            break
    return POWER.sub(worked_out, text)


def open_formulas(text: str) -> str:
    """Return a text without the dollars around formulas.

    The next dollar is looked for first: a pattern of the whole would try each sign after a lone dollar to the end.

    >>> open_formulas("$x^2$ or $$5$$, $5 to $10")
    'x^2 or 5, $5 to $10'
    """
    parts, done = list[str](), 0
    at = text.find("$")
    while at >= 0:
        start = at + 2 if text.startswith("$$", at) else at + 1
        end = text.find("$", start)
        if end < 0:
            break
        formula = text[start:end]
        closing = CLOSING_DOLLARS.match(text, end)
        if closing and is_formula(formula):
            parts += [text[done:at], formula]
            done = closing.end()
            at = text.find("$", done)
        else:
            at = text.find("$", at + 1)
    return "".join([*parts, text[done:]])


def is_formula(text: str) -> bool:
    """Return whether what stands between dollars is a formula, a number or a letter."""
    if "\n" not in text and FORMULA_SIGN.search(text):
        return True
    return NUMBER_OR_LETTER.fullmatch(text) is not None


def sign(found: re.Match[str]) -> str:
    """Return what a command without arguments stands for."""
    if found[0] == "{,}":
        return ","
    between_digits = found[0] == "\\," and found.string[found.start() - 1 : found.start()].isdigit()
    if between_digits and re.match(r"\d{3}(?!\d)", found.string[found.end() : found.end() + 4]):
        return ""  # 1\,000
    return SIGNS.get(found[0][1:], found[0])


def made(found: re.Match[str]) -> str:
    """Return what a command makes of its arguments."""
    if found["bottom"] is not None or found["other"]:
        top, bottom = (found[name] or found[digit] or "" for name, digit in (("top", "digit"), ("bottom", "other")))
        mixed = found.string[found.start() - 1 : found.start()].isdigit()  # 1 1/2
        return " " * mixed + divided(top.strip(), bottom.strip())
    if found["under"] is not None or found["root"]:
        under = (found["root"] or found["under"]).strip()
        return f"√{under}" if re.fullmatch(r"[\w.]+", under) else f"√({under})"
    if found["power"] is not None:
        return f"^{found['power'].strip()}" if found["power"].strip() != "°" else "°"
    return "°" if found[0][0] == "^" else found["text"] or ""


def divided(one: str, other: str) -> str:
    """Return a fraction: of whole numbers with the stroke that Unicode has for it, of other numbers its value."""
    if (one.removeprefix("-") + other).isdigit():
        return f"{one}⁄{other}"
    if not (NUMBER.fullmatch(one) and NUMBER.fullmatch(other)):
        return f"{one}/{other}"
    return f"{float(one) / (float(other) or 1.0):.10g}"


def worked_out(found: re.Match[str]) -> str:
    """Return the value of a power, times what stands before it; the power itself where that has too many digits."""
    base, exponent = Decimal(found["base"]), int(found["exponent"])
    if not base:
        return found[0]
    digits = f"{Decimal((found['times'] or '1').replace(',', '')) * base**exponent:f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return digits if len(digits) <= MOST_DIGITS else found[0]
