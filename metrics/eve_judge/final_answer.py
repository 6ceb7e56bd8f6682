# A copy of metrics/shared/final_answer.py: change that one, then run `make copies`.
r"""The final answer in the text of a model: its thinking is set aside, a box or a line can be read.

Thinking is a block at the beginning of the text or of a later line. It stands in one of the tags
that models use, in the channels of gpt-oss, or before a closing tag whose opening tag was in the
prompt. A tag within a sentence, in quotation marks or in code is text. If a block has no end, there
is no final answer.

Answers and the replies of judges are read with the same list of tags.

Thinking without any mark is not recognised.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

# The names of tags of thinking: <think> (DeepSeek, Qwen, GLM, MiniMax and most others), <thought>
# (EXAONE Deep), <cot>, <analysis>. The unambiguous ones may have a name before them, or "process"
# and the like behind: <seed:think>, <longcat_think>, <mm:think>, <chain_of_thought>,
# <thought_process>.
THINK = "think|thinking|thoughts?|reasoning|思考|推理"
THINKING_WORDS = f"{THINK}|reflection|scratchpad|analysis|cot|rationale|monologue"
NAMES = (
    rf"(?:\w{{1,20}}[_:.-])?(?:{THINK}|monologue)(?:[_:.-]?(?:process|steps|trace|content"
    rf"|过程))?|{THINKING_WORDS}"
)
# Special tokens: <|begin_of_thought|> (Sky-T1, OpenThoughts), <|START_THINKING|> (Command A),
# <|think:start|> (Solar).
TOKEN_BEGINS = rf"<\|(?:(?:begin|start)(?:_of)?_)?(?:{THINK})(?:[:_](?:begin|start))?\|>"
TOKEN_ENDS = rf"<\|(?:/|end(?:_of)?_)(?:{THINK})\|>|<\|(?:{THINK})[:_]end\|>"
# The patterns of the marks that begin and end a block of thinking, by the kind of mark.
BLOCKS = {
    "tag": (rf"<(?:{NAMES})(?:\s[^<>\n]*)?>", rf"</(?:{NAMES})\s*>"),
    "token": (TOKEN_BEGINS, TOKEN_ENDS),
    "square": (r"\[THINK\]", r"\[/THINK\]"),  # Magistral
    "bracket": (rf"[\[【](?:{THINKING_WORDS})[\]】]", rf"[\[【]/(?:{THINKING_WORDS})[\]】]"),
    "escaped": (rf"&lt;(?:{NAMES})&gt;", rf"&lt;/(?:{NAMES})&gt;"),  # as pages of HTML have tags
    "kimi": ("◁think▷", "◁/think▷"),
    "apertus": (r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),
    "gemma": (r"<\|channel>thought", r"<channel\|>"),  # Gemma 4
    "medgemma": ("<unused94>(?:thought)?", "<unused95>"),
    "pangu": (r"\[unused16\]", r"\[unused17\]"),
    "apriel": ("Here are my reasoning steps:", r"\[BEGIN FINAL RESPONSE\]"),
    "granite": ("Here(?: is|'s) my thought process:", "Here(?: is|'s) my response:"),  # 3.2 and 3.3
    "webui": (
        r"<details\s[^<>\n]*\btype=[\"']?reasoning\b[^<>\n]*>",
        "</details>",
    ),  # as Open WebUI exports it
}
# These blocks may begin like a usual text: without an end they are text.
IN_WORDS = ("apriel", "granite", "bracket")
# If only the end of these blocks is found, it is text.
OPENED = ("granite", "webui")
# Marks around the answer after the thinking: Command A (two kinds), Sky-T1 and Apriel; prompts ask
# for the last two.
WRAPPERS = (
    ("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
    ("<|START_TEXT|>", "<|END_TEXT|>"),
    ("<|begin_of_solution|>", "<|end_of_solution|>"),
    ("[BEGIN FINAL RESPONSE]", "[END FINAL RESPONSE]"),
    ("<answer>", "</answer>"),
    ("<response>", "</response>"),
)
# The special tokens among them: they are removed even if no thinking stands before them.
TOKEN_WRAPPERS = WRAPPERS[:3]
CODE = "```.*?```|`[^`\n]+`"
# What may stand before a closing tag that is not part of a sentence, and before a mentioned one.
SENTENCE_ENDS, QUOTES = '\n.!?:;。！？：；…)）]】"”*}', "`'\"“‘«"
# gpt-oss: with its marks, and as servers show it that remove the marks.
CHANNEL = re.compile(r"\s*(?:<\|start\|>\w+)?<\|channel\|>")
FINAL_CHANNEL = r"<\|channel\|>final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>"
FINAL = re.compile(FINAL_CHANNEL)
CHANNEL_ENDS = re.compile(r"<\|(?:end|return|start|channel)\|>")
BARE_CHANNEL, BARE_FINAL = re.compile(r"\s*analysis(?=[A-Z])"), "assistantfinal"
# A text without any of these has no thinking and no marks.
SIGNS = ("<", "[", "◁", "【", "&lt;", BARE_FINAL, "Here is my", "Here's my")
BOX = re.compile(r"\\f?box(?:ed)?\s*(?=\{)|[{}]|\\.", re.S)

ASIDE, UNFINISHED = "aside", "unfinished"

Tags = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Marks:
    """Patterns of the marks around thinking.

    Attributes:
        opening: opens a block at the beginning of a line.
        closing: closes a block, by the name of the group that opened it.
        anywhere: code, or a closing mark anywhere.
    """

    opening: re.Pattern[str]
    closing: dict[str, re.Pattern[str]]
    anywhere: re.Pattern[str]


@lru_cache(maxsize=8)
def compile_marks(tags: Tags = ()) -> Marks:
    """Return the patterns of all known marks and of further tags.

    Args:
        tags: pairs of texts that open and close thinking.
    """
    own_blocks = {f"own{place}": tuple(map(re.escape, pair)) for place, pair in enumerate(tags)}
    blocks = {**own_blocks, **BLOCKS}
    opening = "|".join(f"(?P<{name}>{begin})" for name, (begin, _) in blocks.items())
    closing = "|".join(end for name, (_, end) in blocks.items() if name not in OPENED)
    return Marks(
        re.compile(rf"^[^\S\n]*(?:{opening})", re.I | re.M),
        {name: re.compile(end, re.I) for name, (_, end) in blocks.items()},
        re.compile(f"(?P<code>{CODE})|{closing}", re.I | re.S),
    )


# The beginnings and ends of thinking in the replies of judges; the patterns have no groups. A reply
# may begin like the blocks in IN_WORDS without being thinking.
THINKING_BEGINS = "|".join(begin for name, (begin, _) in BLOCKS.items() if name not in IN_WORDS)
THINKING_BEGINS += r"|<\|channel\|>(?!final)"
THINKING_ENDS = (
    "|".join(end for name, (_, end) in BLOCKS.items() if name != "granite") + f"|{FINAL_CHANNEL}"
)
# The ends of thinking whose beginning was in the prompt.
LONE_ENDS = (
    "|".join(end for name, (_, end) in BLOCKS.items() if name not in OPENED) + f"|{FINAL_CHANNEL}"
)
# The beginning of a reply, or its first token, if it is one of thinking. A tag may be split into
# tokens: "<think" and ">".
FIRST_TOKEN = re.compile(
    rf"\s*(?:[<\[◁]/?[|:\w]{{0,20}}(?:{THINKING_WORDS})|{THINKING_BEGINS})", re.I
)


def remove_thinking(text: str, tags: Tags = ()) -> tuple[str, str]:
    """Return a model's text without its thinking; the time is linear in its length.

    Args:
        text: what the model wrote.
        tags: pairs of texts that open and close thinking, besides the known ones.

    Returns:
        the answer, and the state of the thinking: "" if there is none, "aside" if it was removed,
        "unfinished" if it has no end, so that there is no answer.

    >>> remove_thinking("<think>Paris? Or Lyon?</think> Lyon")
    ('Lyon', 'aside')
    >>> remove_thinking("<think>Paris? Or")
    ('', 'unfinished')
    >>> remove_thinking("Paris, I guess.</think>Lyon")
    ('Lyon', 'aside')
    >>> remove_thinking("The tag `</think>` ends it.")
    ('The tag `</think>` ends it.', '')
    >>> remove_thinking("Notes: Paris? So: Lyon", tags=(("Notes:", "So:"),))
    ('Lyon', 'aside')
    """
    if not tags and not any(sign in text for sign in SIGNS):
        return text, ""
    if CHANNEL.match(text):
        return read_final_channel(text)
    if BARE_CHANNEL.match(text) and BARE_FINAL in text:
        return text.rpartition(BARE_FINAL)[2].strip(), ASIDE
    marks = compile_marks(tags)
    remaining, unfinished = remove_thinking_blocks(text, marks)
    remaining = remaining[find_last_closing(remaining, marks) :]
    if unfinished and not remaining.strip():
        return "", UNFINISHED
    thought = remaining != text
    remaining = remove_wrapper(remaining, WRAPPERS if thought else TOKEN_WRAPPERS)
    return (text, "") if remaining == text else (remaining.strip(), ASIDE)


def read_final_channel(text: str) -> tuple[str, str]:
    """Return the final channel in a reply of gpt-oss, with the state of its thinking."""
    finals = [final.end() for final in FINAL.finditer(text)]
    if not finals:
        return "", UNFINISHED
    return CHANNEL_ENDS.split(text[finals[-1] :], maxsplit=1)[0].strip(), ASIDE


def remove_thinking_blocks(text: str, marks: Marks) -> tuple[str, bool]:
    """Return a text without its blocks of thinking, and whether the last block has no end."""
    first = len(text) - len(text.lstrip())
    code = iter([mark.span() for mark in marks.anywhere.finditer(text) if mark["code"]])
    span = next(code, None)
    kept: list[str] = []
    place = 0
    for opening in marks.opening.finditer(text):
        while span and span[1] <= opening.start():
            span = next(code, None)
        in_code = span is not None and span[0] <= opening.start() and first < opening.start()
        if opening.start() < place or in_code:
            continue
        name = str(opening.lastgroup)
        closing = marks.closing[name].search(text, opening.end())
        if closing is None and name in IN_WORDS:
            break
        kept.append(text[place : opening.start()])
        if closing is None:
            return "".join(kept), True
        place = closing.end()
    return "".join([*kept, text[place:]]), False


def find_last_closing(text: str, marks: Marks) -> int:
    """Return the end of the last closing tag that no tag opened, or 0 if there is none.

    Tags in code and mentioned tags do not count.
    """
    ends = 0
    for mark in marks.anywhere.finditer(text):
        if not (mark["code"] or is_mentioned(text, mark)):
            ends = mark.end()
    return ends


def is_mentioned(text: str, mark: re.Match[str]) -> bool:
    """Return whether a closing tag is mentioned in a sentence or in quotation marks."""
    place = mark.start()
    while place and text[place - 1] in " \t":
        place -= 1
    before = text[place - 1] if place else "\n"
    if place == mark.start():
        return before in QUOTES
    return before not in SENTENCE_ENDS and not ends_line(text, mark.end())


def ends_line(text: str, place: int) -> bool:
    """Return whether only white space follows on the line."""
    return re.compile(r"[^\S\n]*(?:\n|\Z)").match(text, place) is not None


def remove_wrapper(text: str, wrappers: Iterable[tuple[str, str]]) -> str:
    """Return an answer without the marks around it.

    If the marks are not tags, one of the two may be missing: the prompt had the first, or the text
    was cut off before the second.

    >>> remove_wrapper("<|START_RESPONSE|>Lyon", WRAPPERS)
    'Lyon'
    >>> remove_wrapper("<answer>Lyon</answer>", WRAPPERS)
    'Lyon'
    >>> remove_wrapper("<answer>Lyon</answer>, I guess", WRAPPERS)
    '<answer>Lyon</answer>, I guess'
    """
    answer = text.strip()
    for begin, end in wrappers:
        is_tag = end.startswith("</")
        if is_tag and answer.startswith(begin) and answer.endswith(end):
            return answer[len(begin) : -len(end)].strip()
        if not is_tag and (answer.startswith(begin) or end in answer):
            return answer.removeprefix(begin).partition(end)[0].strip()
    return text


def read_box(text: str) -> str | None:
    r"""Return the content of the last \boxed{...} in TeX, or None if there is none.

    The content may have braces.

    >>> read_box(r"so \boxed{1} or \boxed{\frac{3}{4}}."), read_box(r"\boxed{1"), read_box("4")
    ('\\frac{3}{4}', None, None)
    """
    content = None
    # For each open brace: the start of its content if it is that of a box, else None.
    open_braces: list[int | None] = []
    is_box = False
    for mark in BOX.finditer(text):
        if mark[0] == "{":
            open_braces.append(mark.end() if is_box else None)
        elif mark[0] == "}" and open_braces:
            start = open_braces.pop()
            if start is not None:
                content = text[start : mark.start()].strip()
        is_box = "box" in mark[0]
    return content


def read_after(marker: str, text: str) -> str | None:
    r"""Return the text after the last `marker` on its line, without the asterisks of bold type.

    The case of the marker does not matter. If nothing follows on its line, the next line with text
    counts. Return None if there is no marker, and "" if nothing follows it.

    >>> read_after("Final answer:", "Final answer: 4?\n**final answer:** 5\nSure.")
    '5'
    >>> read_after("Final answer:", "5") is None
    True
    """
    ends = [mark.end() for mark in re.finditer(re.escape(marker), text, re.I)]
    if not ends:
        return None
    for line in text[ends[-1] :].split("\n"):
        content = line.strip(" \t\r*_")
        if content:
            return content
    return ""
