"""Find what a chat model marks as its answer: a line "Answer: Rome", or words in bold type.

A marked line stands for the whole answer. Words in bold that are like the reference, but are not
the reference, speak against an answer that names the reference elsewhere.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from .answer_sentences import list_sentences
from .equality import is_among
from .lexicon import DETERMINERS, STOP_WORDS
from .outcomes import UNLIKELY, Decision
from .text import BOLD, Text

LONGEST_REFERENCE = 6  # words of a reference that a marked line or words in bold can give
LONGEST_STATED = 15  # words of a marked line
LONGEST_BOLD = 6  # words in bold that are one thing
LEAST_ASKED = 0.4  # share of a question's telling words that an answer to it repeats
NOT_SURE = frozenset("until formerly previously originally wrong mistake former".split())
MOST_BOLD = 2  # places in bold: more of them are highlights
LONGEST_ANSWER = 100  # words
LONGEST_PLAIN = 5  # words of a sentence that gives an answer and nothing else
# "Answer: Rome", "**Final answer:** Rome", "So the correct answer is: Rome".
MARKED_LINE = re.compile(
    r"[ \t*_\x23>-]*(?:(?:so|the|my|thus|therefore|short|final|correct|right|best),? ){0,3}"
    r"answer(?: is)?[ \t*_]*[:：][ \t*_]*(?P<stated>[^\s*_].*)",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*_]{0,3} ")
# The last sentence: "So my final answer is Rome."
LAST_SENTENCE = re.compile(
    r"(?:so|thus|therefore|hence)?,? ?(?:the|my) (?:final |correct |right |best )?answer"
    r" (?:is|must be|has to be|would be):? (?P<stated>.+)",
    re.IGNORECASE,
)
LONGEST_LAST = 200  # characters of the last sentence
# What points at an answer and is none: see above, the same.
NO_ANSWER = frozenset("see above below same correct short option as".split())


def read_marked_line(prediction: str, references: Sequence[Text]) -> str:
    r"""Return what the last line, such as "Answer: Rome", or sentence gives as the answer.

    Return "" without any, if it gives nothing like a reference, or beside a longer reference,
    which may need the rest of the answer.

    >>> read_marked_line("Oslo? No.\n**Answer:** Rome", [Text("Rome")])
    'Rome'
    >>> read_marked_line("Rome. The answer is simple.", [Text("Rome")])
    ''
    """
    if "nswer" not in prediction and "NSWER" not in prediction:
        return ""
    if any(len(reference.words) > LONGEST_REFERENCE for reference in references):
        return ""
    before, _, last_line = prediction.rstrip().rpartition("\n")
    marked = MARKED_LINE.fullmatch(last_line) if before.strip() else None
    line = marked or LAST_SENTENCE.fullmatch(read_last_sentence(last_line[-LONGEST_LAST:]))
    if not line:
        return ""
    stated = line["stated"].strip("*_ \t\r.!")
    is_final = marked is not None or "final" in line[0].lower()
    if not is_final and not any(map(Text(stated).has_all_content, references)):
        return ""  # the answer is simple
    is_short = 0 < len(stated.split()) <= LONGEST_STATED
    gives = is_short and gives_answer(Text(stated), references, is_marked=marked is not None)
    return stated if gives else ""


def read_last_sentence(line: str) -> str:
    """Return the last sentence of a line if another one stands before it, else ""."""
    sentences = SENTENCE_END.split(line.strip())
    return sentences[-1] if len(sentences) > 1 else ""


def gives_answer(stated: Text, references: Sequence[Text], *, is_marked: bool) -> bool:
    """Return whether a text has a reference's words, or is like one: a name, a value, a noun.

    Args:
        stated: what a line or sentence gives as the answer.
        references: the references.
        is_marked: whether it is a line such as "Answer: Rome", in which a noun needs no article.
    """
    if not stated.words or stated.denials or not NO_ANSWER.isdisjoint(stated.words):
        return False
    is_thing = stated.shown[0][0].isupper() or stated.words[0] in DETERMINERS
    has_name = is_thing and any(len(stated.words[start]) > 1 for start, _ in stated.names)
    for reference in references:
        if stated.has_all_content(reference):
            return True
        if reference.quantities:
            is_like = bool(stated.quantities)
        elif reference.names:
            is_like = has_name
        else:
            is_like = (is_thing or is_marked) and not stated.quantities
        if is_like and len(stated.text.strip()) > 1:
            return True
    return False


def decide_emphasis(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if another thing than a reference answers the question in bold, else None.

    It must be like the reference: a name, a value or other words. Its sentence must answer the
    question, and the answer must have the reference only in passing.
    """
    wanted = set(reference.content) - question.places.keys()
    if "**" not in answer.raw or not may_name_other(answer, reference, wanted):
        return None
    things = [thing for thing in list_bold(answer) if has_new_word(answer, thing, question)]
    if not 0 < len(things) <= MOST_BOLD:
        return None
    if not all(answers_question(answer, thing, wanted, question) for thing in things):
        return None
    if not any(
        is_other_of_form(Text(answer.span(one.start, one.stop)), reference) for one in things
    ):
        return None
    shown = answer.span(things[-1].start, things[-1].stop)
    return Decision(UNLIKELY, "replaced", shown, reference.text.strip())


def may_name_other(answer: Text, reference: Text, wanted: set[str]) -> bool:
    """Return whether an answer has words of a short reference only in passing.

    None stands in the first sentence, or in one that is too short to tell anything else.
    """
    if len(answer.words) > LONGEST_ANSWER or len(reference.words) > LONGEST_REFERENCE:
        return False
    sentences = [
        words
        for words in list_sentences(answer)
        if not wanted.isdisjoint(answer.stems[words.start : words.stop])
    ]
    # "It ended in 1945." answers the question, too.
    is_plain = any(len(words) <= LONGEST_PLAIN for words in sentences)
    return bool(sentences) and sentences[0].start > 0 and not is_plain


def answers_question(answer: Text, thing: range, wanted: set[str], question: Text) -> bool:
    """Return whether a thing's sentence answers the question, for sure and without what is wanted.

    It repeats words of the question: the capital is **Sydney**.
    """
    words = answer.find_sentence(thing.start)
    stems = {answer.stems[i] for i in words}
    asked = question.content
    if not stems.isdisjoint(wanted) or not asked:
        return False
    if not NOT_SURE.isdisjoint(answer.words[i] for i in words):
        return False
    if not answer.hedges.isdisjoint(words) or not set(answer.denials).isdisjoint(words):
        return False
    return len(stems.intersection(asked)) >= LEAST_ASKED * len(set(asked))


def list_bold(answer: Text) -> Iterator[range]:
    """Yield the words in bold type of each of the first places that is no heading."""
    for match in islice(BOLD.finditer(answer.raw), MOST_BOLD + 1):
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


def is_other_of_form(thing: Text, reference: Text) -> bool:
    """Return whether a thing is of the reference's form and differs: name, value or other words."""
    if reference.quantities:
        values = thing.quantities
        return bool(values) and not any(is_among(one, reference.quantities) for one in values)
    if thing.quantities:
        return False
    is_name = bool(reference.names) and bool(thing.names)
    return is_name or not (reference.names or thing.names)
