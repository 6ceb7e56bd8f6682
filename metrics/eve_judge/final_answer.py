# A copy of metrics/shared/final_answer.py: change that one, then run `make copies`.
r"""Find the final answer in a model's text: remove the thinking, read a box or a marked line.

Thinking is a block at the beginning of the text or of a later line. It stands in one of the tags
that models use, in the channels of gpt-oss, or before a closing tag whose opening tag was in the
prompt. A tag within a sentence, in quotation marks or in code is text. If a block has no end, all
text behind its beginning is thinking; if nothing stands before it, there is no final answer. A
block that may begin like a usual text is text if it has no end.

A box is \boxed{...} in TeX; a marked line is the line after a marker such as "Final answer:".

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


@dataclass(frozen=True)
class Block:
    """The marks of one kind of thinking.

    Attributes:
        begin: the pattern of the mark that begins it.
        end: the pattern of the mark that ends it.
        needs_end: the first mark may begin a usual text, so a block without an end is text.
        needs_begin: the last mark may stand in a usual text, so it ends no block on its own.
    """

    begin: str
    end: str
    needs_end: bool = False
    needs_begin: bool = False


BLOCKS = {
    "tag": Block(rf"<(?:{NAMES})(?:\s[^<>\n]*)?>", rf"</(?:{NAMES})\s*>"),
    "token": Block(TOKEN_BEGINS, TOKEN_ENDS),
    "square": Block(r"\[THINK\]", r"\[/THINK\]"),  # Magistral
    "bracket": Block(
        rf"[\[【](?:{THINKING_WORDS})[\]】]",
        rf"[\[【]/(?:{THINKING_WORDS})[\]】]",
        needs_end=True,
    ),
    # As pages of HTML have tags.
    "escaped": Block(rf"&lt;(?:{NAMES})&gt;", rf"&lt;/(?:{NAMES})&gt;"),
    "kimi": Block("◁think▷", "◁/think▷"),
    "apertus": Block(r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),
    "gemma": Block(r"<\|channel>thought", r"<channel\|>"),  # Gemma 4
    "medgemma": Block("<unused94>(?:thought)?", "<unused95>"),
    "pangu": Block(r"\[unused16\]", r"\[unused17\]"),
    "apriel": Block(
        "Here are my reasoning steps:",
        r"\[BEGIN FINAL RESPONSE\]",
        needs_end=True,
    ),
    # Granite 3.2 and 3.3
    "granite": Block(
        "Here(?: is|'s) my thought process:",
        "Here(?: is|'s) my response:",
        needs_end=True,
        needs_begin=True,
    ),
    # As Open WebUI exports it.
    "webui": Block(
        r"<details\s[^<>\n]*\btype=[\"']?reasoning\b[^<>\n]*>",
        "</details>",
        needs_begin=True,
    ),
}
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
# A closing tag that follows one of these and a blank stands on its own, in no sentence.
SENTENCE_ENDS = '\n.!?:;。！？：；…)）]】"”*}'
# A closing tag right after one of these is quoted.
QUOTES = "`'\"“‘«"
# The channels of gpt-oss: "<|channel|>analysis<|message|>...<|channel|>final<|message|>...". If a
# server removes the marks, they are "analysis...assistantfinal...".
CHANNEL = re.compile(r"\s*(?:<\|start\|>\w+)?<\|channel\|>")
FINAL_CHANNEL = r"<\|channel\|>final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>"
FINAL = re.compile(FINAL_CHANNEL)
CHANNEL_ENDS = re.compile(r"<\|(?:end|return|start|channel)\|>")
BARE_CHANNEL = re.compile(r"\s*analysis(?=[A-Z])")
BARE_FINAL = "assistantfinal"
# A text without any of these, in any case, has no known mark, so that nothing is searched.
SIGNS = ("<", "[", "◁", "【", "&lt;", BARE_FINAL, "here is my", "here's my")
# The beginning of a box, a brace, or an escaped character, which is neither.
BOX = re.compile(r"\\f?box(?:ed)?\s*(?=\{)|[{}]|\\.", re.S)

# The states of thinking that `remove_thinking` returns.
ASIDE, UNFINISHED = "aside", "unfinished"

Tags = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Marks:
    """Patterns of the marks around thinking.

    Attributes:
        opening: opens a block at the beginning of a line.
        closing: closes a block, by the name of the group that opened it.
        anywhere: code (the group "code"), or a mark that closes a block without an opening mark.
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
    own_blocks = {}
    for place, (begin, end) in enumerate(tags):
        own_blocks[f"own{place}"] = Block(re.escape(begin), re.escape(end))
    blocks = own_blocks | BLOCKS
    opening = "|".join(f"(?P<{name}>{block.begin})" for name, block in blocks.items())
    # A tag of the user's may begin with "`": then it is no code.
    parts = [block.end for block in own_blocks.values()]
    parts.append(f"(?P<code>{CODE})")
    parts += [block.end for block in BLOCKS.values() if not block.needs_begin]
    return Marks(
        re.compile(rf"^[^\S\n]*(?:{opening})", re.I | re.M),
        {name: re.compile(block.end, re.I) for name, block in blocks.items()},
        re.compile("|".join(parts), re.I | re.S),
    )


# The beginnings and ends of thinking in the replies of judges; the patterns have no groups. A mark
# that may stand in a usual reply is left out.
THINKING_BEGINS = "|".join(block.begin for block in BLOCKS.values() if not block.needs_end)
THINKING_BEGINS += r"|<\|channel\|>(?!final)"
THINKING_ENDS = "|".join(
    block.end for block in BLOCKS.values() if not (block.needs_begin and block.needs_end)
)
THINKING_ENDS += f"|{FINAL_CHANNEL}"
# The ends of thinking whose beginning was in the prompt.
LONE_ENDS = "|".join(block.end for block in BLOCKS.values() if not block.needs_begin)
LONE_ENDS += f"|{FINAL_CHANNEL}"
# Matches the first token of a reply that begins with thinking. The token may be only a part of a
# tag, such as "<think".
FIRST_TOKEN = re.compile(
    rf"\s*(?:[<\[◁]/?[|:\w]{{0,20}}(?:{THINKING_WORDS})|{THINKING_BEGINS})", re.I
)


def remove_thinking(text: str, tags: Tags = ()) -> tuple[str, str]:
    r"""Return a model's text without its thinking; the time is linear in its length.

    Args:
        text: what the model wrote.
        tags: pairs of texts that open and close thinking, besides the known ones.

    Returns:
        the answer, and the state of the thinking: "" if there is none, "aside" if thinking or
        marks around the answer were removed, "unfinished" if nothing stands before a block that
        has no end, so that the answer is empty.

    >>> remove_thinking("<think>Paris? Or Lyon?</think> Lyon")
    ('Lyon', 'aside')
    >>> remove_thinking("<think>Paris? Or")
    ('', 'unfinished')
    >>> remove_thinking("Lyon\n<think>Paris? Or")
    ('Lyon', 'aside')
    >>> remove_thinking("Paris, I guess.</think>Lyon")
    ('Lyon', 'aside')
    >>> remove_thinking("The tag `</think>` ends it.")
    ('The tag `</think>` ends it.', '')
    >>> remove_thinking("Notes: Paris? So: Lyon", tags=(("Notes:", "So:"),))
    ('Lyon', 'aside')
    """
    folded = text.casefold()
    if not tags and not any(sign in folded for sign in SIGNS):
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
    """Return the last final channel in a reply of gpt-oss, with the state of its thinking."""
    finals = [final.end() for final in FINAL.finditer(text)]
    if not finals:
        return "", UNFINISHED
    return CHANNEL_ENDS.split(text[finals[-1] :], maxsplit=1)[0].strip(), ASIDE


def remove_thinking_blocks(text: str, marks: Marks) -> tuple[str, bool]:
    """Return a text without its blocks of thinking, and whether the last block has no end."""
    code_spans = iter([mark.span() for mark in marks.anywhere.finditer(text) if mark["code"]])
    code = next(code_spans, None)
    kept: list[str] = []
    place = 0
    for opening in marks.opening.finditer(text):
        while code and code[1] <= opening.start():
            code = next(code_spans, None)
        begin = opening.start(str(opening.lastgroup))
        # A tag of the user's may begin like code: then it stands at its start, not within it.
        is_in_code = code is not None and code[0] < begin
        if opening.start() < place or is_in_code:
            continue
        name = str(opening.lastgroup)
        closing = marks.closing[name].search(text, opening.end())
        if closing is None and name in BLOCKS and BLOCKS[name].needs_end:
            break
        kept.append(text[place : opening.start()])
        if closing is None:
            return "".join(kept), True
        place = closing.end()
    return "".join([*kept, text[place:]]), False


def find_last_closing(text: str, marks: Marks) -> int:
    """Return the end of the last closing tag in a text whose blocks are removed, or 0.

    Tags in code and mentioned tags do not count.
    """
    end = 0
    for mark in marks.anywhere.finditer(text):
        if not (mark["code"] or is_mentioned(text, mark)):
            end = mark.end()
    return end


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
