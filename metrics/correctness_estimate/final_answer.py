# A copy of metrics/shared/final_answer.py: change that one, then run `make copies`.
r"""The final answer in what a model wrote: its thinking aloud is set aside; on request a box or a line is read.

Thinking stands in a block at the beginning, or at the beginning of a later line: in one of the tags that models use, in
the channels of gpt-oss, or before a closing tag whose opening one the model's template wrote. A tag within a sentence,
in quotation marks or in code is text. A block that never ends leaves no final answer.

Not handled: thinking that no mark tells apart from the answer.
"""

import re

# DeepSeek-R1, Qwen 3 and most others: think; Magistral: [THINK]; Kimi: ◁think▷; Seed-OSS: seed:think; Sky-T1: the last.
# The others stand in prompts that ask for thinking.
NAMES = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|seed:think"
OPENING = re.compile(
    rf"^[^\S\n]*(?:<(?P<tag>{NAMES})(?:\s[^<>\n]*)?>|(?P<square>\[THINK\])|(?P<kimi>◁think▷)|(?P<sky><\|begin_of_thought\|>))",
    re.I | re.M,
)
CLOSING = {"square": r"\[/THINK\]", "kimi": "◁/think▷", "sky": r"<\|end_of_thought\|>", "tag": f"</(?:{NAMES})\\s*>"}
# Code, in which a tag is text, or a closing tag.
MARK = re.compile(rf"(?P<code>```.*?```|`[^`\n]+`)|{'|'.join(CLOSING.values())}", re.I | re.S)
# Before a closing tag that is not in a sentence; before one that is spoken of.
SENTENCE_ENDS, QUOTES = '\n.!?:;。！？：；…)）]】"”*}', "`'\"“‘«"
# gpt-oss with its marks, and as servers that take them out hand it on.
CHANNEL = re.compile(r"\s*(?:<\|start\|>\w+)?<\|channel\|>")
FINAL = re.compile(r"<\|channel\|>final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>")
CHANNEL_ENDS = re.compile(r"<\|(?:end|return|start|channel)\|>")
BARE_CHANNEL, BARE_FINAL = re.compile(r"\s*analysis(?=[A-Z])"), "assistantfinal"
BOX = re.compile(r"\\f?box(?:ed)?\s*(?=\{)|[{}]|\\.", re.S)

ASIDE, UNFINISHED = "aside", "unfinished"


def without_thinking(text: str) -> tuple[str, str]:
    """Return the answer in a model's text, and what became of its thinking: "" where there is none, "aside" where it
    was set aside, "unfinished" where it has no end, so that there is no answer. Linear in the length.

    >>> without_thinking("<think>Paris? Or Lyon?</think> Lyon"), without_thinking("<think>Paris? Or")
    (('Lyon', 'aside'), ('', 'unfinished'))
    >>> without_thinking("Paris, I guess.</think>Lyon"), without_thinking("The tag `</think>` ends it.")
    (('Lyon', 'aside'), ('The tag `</think>` ends it.', ''))
    """
    if not any(sign in text for sign in ("<", "[", "◁", BARE_FINAL)):
        return text, ""
    if CHANNEL.match(text):
        finals = [final.end() for final in FINAL.finditer(text)]
        return (CHANNEL_ENDS.split(text[finals[-1] :], maxsplit=1)[0].strip(), ASIDE) if finals else ("", UNFINISHED)
    if BARE_CHANNEL.match(text) and BARE_FINAL in text:
        return text.rpartition(BARE_FINAL)[2].strip(), ASIDE
    left, unfinished = without_blocks(text)
    left = left[last_closing(left) :]
    if unfinished and not left.strip():
        return "", UNFINISHED
    return (text, "") if left == text else (left.strip(), ASIDE)


def without_blocks(text: str) -> tuple[str, bool]:
    """Return a text without its blocks of thinking, and whether the last of them has no end."""
    first = len(text) - len(text.lstrip())
    code = iter([found.span() for found in MARK.finditer(text) if found["code"]])
    span, kept, place = next(code, None), list[str](), 0
    for opening in OPENING.finditer(text):
        while span and span[1] <= opening.start():
            span = next(code, None)
        in_code = span is not None and span[0] <= opening.start() and first < opening.start()
        if opening.start() < place or in_code:
            continue
        kept.append(text[place : opening.start()])
        closing = re.compile(CLOSING[str(opening.lastgroup)], re.I).search(text, opening.end())
        if closing is None:
            return "".join(kept), True
        place = closing.end()
    return "".join([*kept, text[place:]]), False


def last_closing(text: str) -> int:
    """Return where the last closing tag ends that ends thinking, though nothing opened it; 0 where there is none."""
    ends = 0
    for mark in MARK.finditer(text):
        place = mark.start()
        while place and text[place - 1] in " \t":
            place -= 1
        before, spaced = text[place - 1] if place else "\n", place < mark.start()
        spoken_of = before in QUOTES if not spaced else before not in SENTENCE_ENDS and not ends_line(text, mark.end())
        if not (mark["code"] or spoken_of):
            ends = mark.end()
    return ends


def ends_line(text: str, place: int) -> bool:
    """Return whether nothing but white space follows on the line."""
    return re.compile(r"[^\S\n]*(?:\n|\Z)").match(text, place) is not None


def boxed(text: str) -> str | None:
    r"""Return the content of the last \boxed{...} in TeX, braces within it and all; None where there is none.

    >>> boxed(r"so \boxed{1} or \boxed{\frac{3}{4}}."), boxed(r"\boxed{1"), boxed("4")
    ('\\frac{3}{4}', None, None)
    """
    found, opened = None, list[int | None]()  # of each open brace where its box begins, None where it is no box's
    box = False
    for mark in BOX.finditer(text):
        if mark[0] == "{":
            opened.append(mark.end() if box else None)
        elif mark[0] == "}" and opened and (start := opened.pop()) is not None:
            found = text[start : mark.start()].strip()
        box = "box" in mark[0]
    return found


def after(marker: str, text: str) -> str | None:
    r"""Return what follows the last `marker` on its line, or where that is nothing on the next one that has something,
    without the asterisks of bold type; None where there is no marker. Case does not count.

    >>> after("Final answer:", "Final answer: 4?\n**final answer:** 5\nSure."), after("Final answer:", "5")
    ('5', None)
    """
    ends = [found.end() for found in re.finditer(re.escape(marker), text, re.I)]
    lines = (line.strip(" \t\r*_") for line in text[ends[-1] :].split("\n")) if ends else ()
    return next(filter(None, lines), "") if ends else None
