"""Find what a chat model marks as its answer: a line "Answer: Rome", or words in bold type.

A marked line stands for the whole answer. Words in bold that are like the reference, but are not
the reference, speak against an answer that names the reference elsewhere.
"""

import re
from collections.abc import Iterator, Sequence

from .equality import is_among
from .lexicon import STOP_WORDS
from .outcomes import UNLIKELY, Decision
from .text import BOLD, Text

LONGEST_REFERENCE = 6  # words of a reference that a marked line or words in bold can give
LONGEST_STATED = 15  # words of a marked line
LONGEST_BOLD = 6  # words in bold that are one thing
MOST_BOLD = 2  # places in bold: more of them are highlights
LONGEST_ANSWER = 100  # words
# "Answer: Rome", "**Final answer:** Rome", "So the correct answer is: Rome".
MARKED_LINE = re.compile(
    r"^[ \t*_#>-]*(?:(?:so|the|my|thus|therefore|short|final|correct|right|best),? ){0,3}"
    r"answer(?: is)?[ \t*_]*[:：][ \t*_]*(?P<stated>[^\s*_][^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
# The last sentence: "So my final answer is Rome."
LAST_SENTENCE = re.compile(
    r"[.!?\n][\"')*_]{0,3}\s{1,3}(?:so|thus|therefore|hence)?,? ?(?:the|my) "
    r"(?:final |correct |right |best )?answer (?:is|must be|has to be|would be)[ \t*_:]+"
    r"(?P<stated>[^\s.!?][^.!?\n]*)[.!*_\"]{0,4}\s*$",
    re.IGNORECASE,
)


def read_marked_line(prediction: str, references: Sequence[Text]) -> str:
    r"""Return what the only line such as "Answer: Rome", or the last sentence, gives as the answer.

    Return "" without any, and beside a longer reference, which may need the rest of the answer.

    >>> read_marked_line("Oslo? No.\n**Answer:** Rome", [Text("Rome")])
    'Rome'
    """
    if "nswer" not in prediction and "NSWER" not in prediction:
        return ""
    if any(len(reference.words) > LONGEST_REFERENCE for reference in references):
        return ""
    lines = list(MARKED_LINE.finditer(prediction))
    if not lines:
        lines = list(LAST_SENTENCE.finditer(prediction))
    if len(lines) != 1 or lines[0][0].strip() == prediction.strip():
        return ""
    stated = lines[0]["stated"].strip("*_ \t\r")
    return stated if 0 < len(stated.split()) <= LONGEST_STATED else ""


def decide_emphasis(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if another thing than a reference stands in bold type, else None.

    It must be like the reference: a name, a value or other words. None if the sentence in bold has
    the reference, too.
    """
    if "**" not in answer.raw or len(answer.words) > LONGEST_ANSWER:
        return None
    wanted = set(reference.content) - question.places.keys()
    if wanted.isdisjoint(answer.places) or len(reference.words) > LONGEST_REFERENCE:
        return None
    things = [thing for thing in list_bold(answer) if has_new_word(answer, thing, question)]
    if not 0 < len(things) <= MOST_BOLD:
        return None
    for thing in things:
        sentence = answer.sentence[thing.start]
        words = [i for i, number in enumerate(answer.sentence) if number == sentence]
        if any(answer.stems[i] in wanted or i in answer.denials for i in words):
            return None
    if not any(has_form(Text(answer.span(one.start, one.stop)), reference) for one in things):
        return None
    shown = answer.span(things[-1].start, things[-1].stop)
    return Decision(UNLIKELY, "replaced", shown, reference.text.strip())


def list_bold(answer: Text) -> Iterator[range]:
    """Yield the words in bold type of each place that is no heading."""
    for match in BOLD.finditer(answer.raw):
        is_heading = match["words"].endswith((":", "：")) or answer.raw[match.end() :][:1] == ":"
        start = len(Text(answer.raw[: match.start()]).words)
        stop = start + len(Text(match["words"]).words)
        if start < stop <= min(len(answer.words), start + LONGEST_BOLD) and not is_heading:
            yield range(start, stop)


def has_new_word(answer: Text, words: range, question: Text) -> bool:
    """Return whether some words tell something that the question does not have; no letter does."""
    for i in words:
        word = answer.words[i]
        is_letter = len(word) == 1 and word.isalpha()
        if not is_letter and word not in STOP_WORDS and answer.stems[i] not in question.places:
            return True
    return False


def has_form(thing: Text, reference: Text) -> bool:
    """Return whether a thing is of the reference's form and differs: name, value or other words."""
    if reference.quantities:
        values = thing.quantities
        return bool(values) and not any(is_among(one, reference.quantities) for one in values)
    if thing.quantities:
        return False
    is_name = bool(reference.names) and bool(thing.names)
    return is_name or not (reference.names or thing.names)


# ---- the conclusion of a long answer

# "Therefore, the 7:48 is the best choice."
CONCLUDES = re.compile(
    r"\W*(?:so|therefore|thus|hence|consequently|in conclusion|overall|ultimately|in the end"
    r"|all in all|accordingly|(?:that|this|which) leaves|(?:the|my) (?:final |correct )?answer)\b"
)
LONGEST_CONCLUSION = 15  # words


def decide_conclusion(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the last sentence concludes another thing than a reference, else None.

    The reference must stand in another sentence, and the thing must have its form: a name for a
    name, a time for a time. Another number may be about something else.
    """
    wanted = set(reference.content) - question.places.keys()
    is_short = 0 < len(reference.words) <= LONGEST_REFERENCE and len(answer.words) <= LONGEST_ANSWER
    if not is_short or wanted.isdisjoint(answer.places) or len(set(answer.sentence)) < 2:
        return None
    start = answer.sentence.index(answer.sentence[-1])
    shown = answer.text[answer.starts[start] :].strip()
    if not CONCLUDES.match(shown.lower()) or len(answer.words) - start > LONGEST_CONCLUSION:
        return None
    conclusion = Text(shown)
    if conclusion.denials or not wanted.isdisjoint(conclusion.places):
        return None
    new = set(conclusion.content) - question.places.keys()
    is_time = any(one.kind == "date" or one.dimension == "clock" for one in reference.quantities)
    if not new or not (reference.names or is_time) or not has_form(conclusion, reference):
        return None
    return Decision(UNLIKELY, "replaced", shown, reference.text.strip())
