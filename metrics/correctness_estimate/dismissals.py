"""Phrases that dismiss a short fact: "Rome? No way", "Rome has nothing to do with it", "nobody
would say Rome".
"""

import re

from .lexicon import STOP_WORDS
from .outcomes import UNLIKELY, Decision
from .roles import is_sentence
from .text import Text

LONGEST_FACT = 6  # words of a reference
LONGEST_ANSWER = 40  # words of an answer
FACT = "\x00"  # stands for the words of the reference
# What dismisses a fact that was put as a question, or before a comma.
REPLY = (
    r"(?:no way|hardly|far from it|as if|my foot|not so|not at all|not really|never|nope|no|wrong|"
    r"don't be (?:silly|ridiculous|daft|absurd)|"
    r"by no means|not a chance|no chance|forget it|think again|yeah,? right|i doubt it|"
    r"i don't think so|unlikely|not quite|(?:certainly|definitely|absolutely|surely|of course) not|"
    r"(?:(?:that|this|it)(?:'s| is) )?(?:just |simply |plain |utter |complete )?(?:a )?"
    r"(?:nonsense|rubbish|false|untrue|wrong|myth|lie|legend|mistake))(?=\W*(?:$|[.!?;:,–—]))"
)
DISMISSED_QUESTION = re.compile(rf"{FACT}\?[\s\"']*(?:oh|well|ha)?,? ?{REPLY}")
DISMISSED_AFTER_COMMA = re.compile(rf"{FACT}, (?:my foot|as if|yeah,? right)\b")
# What is said of a fact that stands first.
HAS_NO_PART = re.compile(
    rf"{FACT} (?:had|has|have|played|plays|won|wins|did|does|do) (?:\w+ly )?"
    r"(?:nothing(?! but| other| except)|no (?:part|hand|role|share|say|place))\b"
)
IS_SET_ASIDE = re.compile(
    rf"{FACT} (?:has|have|had|was|were|is|are|can|could|must) (?:\w+ ){{0,2}}?"
    r"(?:ruled out|excluded|wrongly|falsely|mistakenly|incorrectly|erroneously)\b"
)
# What comes before a fact in its clause.
IN_CLAUSE = r"[^.;:!?\x00]{0,60}?"
SAYING = (
    r"(?:say|says|said|call|calls|called|claim|claims|think|thinks|thought|believe|believes|name|names|"
    r"suggest|suggests|assume|assumes|answer|pick|choose)\b"
)
WRONG_TO_SAY = re.compile(
    rf"(?:wrong|false|mistaken|incorrect|absurd|ridiculous|mistake|error) (?:to|if you) {SAYING}"
    rf"{IN_CLAUSE}{FACT}"
)
NOBODY_SAYS = re.compile(
    rf"\b(?:nobody|no one) (?:would |could |should |will |has |ever |seriously ){{0,3}}{SAYING}"
    rf"{IN_CLAUSE}{FACT}"
)
NOT_BELIEVED = re.compile(
    rf"\b(?:refuse[sd]?|hard|impossible|absurd) to (?:believe|think|accept)\b{IN_CLAUSE}{FACT}"
)
CANNOT_BE = re.compile(
    rf"\b(?:can't|cannot|can not|couldn't|could not) (?:possibly )?(?:be|have been) (?:the )?{FACT}"
)
AS_IF = re.compile(rf"(?:^|[.!?] )(?:as if|who says|who said)\b{IN_CLAUSE}{FACT}")
# What is said to be so, or was so once: but it wasn't, but no longer.
HOLDS_NO_MORE = re.compile(
    rf"{FACT}[^.;:!?\x00]{{0,30}}, but (?:(?:it|he|she|they|that|this) )?"
    r"(?:\w+n't|(?:is|was|does|did|has) not|no longer|not|never)"
    r"(?: any ?more| true| so| right| the case)?"
    r"(?=\W*$|[.;!] )"
)
IS_A_MYTH = re.compile(
    rf"\bthat {FACT}[^.;:!?\x00]{{0,60}} (?:is|was) (?:\w+ ){{0,3}}?"
    r"(?:legend|myth|lie|rumou?r|mistake|error|misconception|fallacy|false|wrong|untrue|nonsense)\b"
)
EVERYONE_BUT = re.compile(
    rf"\bevery(?:one|body|thing|where) (?:but|except|except for) (?:the )?{FACT}"
)
PATTERNS = (
    EVERYONE_BUT,
    HOLDS_NO_MORE,
    IS_A_MYTH,
    DISMISSED_QUESTION,
    DISMISSED_AFTER_COMMA,
    HAS_NO_PART,
    IS_SET_ASIDE,
    WRONG_TO_SAY,
    NOBODY_SAYS,
    NOT_BELIEVED,
    CANNOT_BE,
    AS_IF,
)
# What turns such a phrase round: nobody but Rome, not wrong to say Rome, hardly anyone would deny.
DENIED_BEFORE = re.compile(r"(?:\bnot|n't|\b(?:never|no|hardly|scarcely|barely)) (?:\w+ ){0,3}$")
# How a phrase may begin that dismisses, although its words would make an exception elsewhere.
BEGINNING = re.compile(r"^\W*(?:can't|cannot|can not|couldn't|could not|every\w+ (?:but|except))\b")
EXCEPTION = re.compile(
    r"\b(?:but|except|other than|else than|anyone|not|never|hardly)\b|n't\b|\bdeny"
)


def decide_dismissal(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer dismisses the fact that a reference is; None where it does not."""
    if not 0 < len(reference.words) <= LONGEST_FACT or len(answer.words) > LONGEST_ANSWER:
        return None
    if is_sentence(reference) or reference.denials:
        return None  # contraries.py
    marked = mark_fact(answer, reference)
    if FACT not in marked:
        return None
    for pattern in PATTERNS:
        match = pattern.search(marked)
        if match and not is_turned_round(marked, match) and FACT not in marked[match.end() :]:
            found = match[0].replace(FACT, reference.text.strip())
            return Decision(UNLIKELY, "denied", found, reference.text.strip())
    return None


def mark_fact(answer: Text, reference: Text) -> str:
    """Return an answer in lower case with FACT in place of the reference's words, or of their last
    one where it is a name.
    """
    content = [i for i, word in enumerate(reference.words) if word not in STOP_WORDS]
    if not content:
        return ""
    stems = [reference.stems[i] for i in content]
    last = stems[-1]
    marked, end = list[str](), 0
    for i, stem in enumerate(answer.stems):
        if stem != last:
            continue
        first = i
        while first and (answer.stems[first - 1] in stems or answer.words[first - 1] == "the"):
            first -= 1
        marked += [answer.lower[end : max(end, answer.starts[first])], FACT]
        end = answer.starts[i] + len(answer.shown[i])
    return "".join([*marked, answer.lower[end:]])


def is_turned_round(marked: str, match: re.Match[str]) -> bool:
    """Return whether a phrase that dismisses is itself denied, or makes an exception."""
    if DENIED_BEFORE.search(marked[max(0, match.start() - 20) : match.start()]):
        return True
    phrase = BEGINNING.sub("", match[0])
    return phrase.endswith(FACT) and EXCEPTION.search(phrase) is not None
