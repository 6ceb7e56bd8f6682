"""Phrases that dismiss a short fact: "Rome? No way", "Rome has nothing to do with it".

The words of the reference in the answer are replaced by a mark; patterns tell what is said of it.
"""

import re

from .lexicon import STOP_WORDS
from .outcomes import LIKELY, UNLIKELY, Decision
from .roles import is_sentence
from .text import Text, stem_word

PRESENT_TENSE = frozenset("is are do does ist sind est sont es".split())
FOREIGN_WORDS = frozenset(
    "der die das wer ist hat qui est le la quel quelle wo wann où quand".split()
)
LONGEST_FACT = 6  # words of a reference
LONGEST_DISMISSAL = 40  # words of an answer
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
# Hardly any of it: plants take in hardly any oxygen.
HARDLY_ANY = re.compile(
    rf"\b(?:hardly any|scarcely any|barely any|next to no|almost no)(?: of)?(?: the)? {FACT}"
    rf"|{FACT} \w+ (?:up |in |of )?(?:hardly any|scarcely any|barely any|next to no|almost none)\b"
)
STOPPED_BELIEVING = re.compile(
    rf"\b(?:stopped|ceased|quit|gave up) (?:thinking|believing|saying|claiming){IN_CLAUSE}{FACT}"
)
# Of a person: nothing was done by him.
IS_INNOCENT = re.compile(
    rf"{FACT} (?:was|is|were|had|has|has been|had been) (?:\w+ly )?"
    r"(?:innocent|cleared|acquitted|exonerated|an alibi|elsewhere)\b"
)
# Of what is the case today: it was so once.
IS_ABOLISHED = re.compile(
    rf"{FACT} (?:was|were|has been|have been|had been) (?:\w+ )?"
    r"(?:abolished|scrapped|discontinued|withdrawn|superseded|dissolved|done away with)\b"
)
PATTERNS = (
    HARDLY_ANY,
    STOPPED_BELIEVING,
    IS_INNOCENT,
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
# The same in German, French and Spanish. A comma ends what a denial bears on.
FOREIGN_PATTERNS = (
    re.compile(
        rf"{FACT} (?:[^\W\d]+ ){{0,4}}?(?:nicht|nie|niemals|nichts)\b(?! (?:nur|allein|bloß))"
    ),
    re.compile(rf"\b(?:nicht|kein|keine|keinen) (?:(?:in|aus|der|die|das|den|dem) ){{0,2}}{FACT}"),
    re.compile(rf"\bn(?:'|’|e )[^.,;]{{1,25}} (?:pas|jamais) (?:\w+ ){{0,2}}{FACT}"),
    re.compile(rf"^\W*(?:surtout )?pas {FACT}"),
    re.compile(rf"{FACT} n(?:'|’|e )[^.,;]{{1,25}} (?:pas|jamais)\b"),
    re.compile(rf"\bno (?:fue|es|era|son|fueron|está) (?:\w+ ){{0,2}}{FACT}"),
)
SPANISH_DENIAL = re.compile(rf"{FACT} (?:no|nunca|jamás|tampoco) \w+")
# Another is set aside behind a comma: Ana, no Luisa.
SETS_OTHER_ASIDE = re.compile(
    rf"^\W*{FACT}, (?:no|nicht|pas|y no|und nicht|et pas|et non) [^.,;]+\W*$"
)
# "don't", "did not", and words of the question up to the fact.
DENIES_ASKED = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had)(?:n't| not| never) "
    rf"(?P<asked>(?:\w+ ){{0,4}}){FACT}\W*$"
)
# What turns such a phrase round: nobody but Rome, not wrong to say Rome, hardly anyone would deny.
DENIED_BEFORE = re.compile(r"(?:\bnot|n't|\b(?:never|no|hardly|scarcely|barely)) (?:\w+ ){0,3}$")
# How a phrase may begin that dismisses, although its words would make an exception elsewhere.
BEGINNING = re.compile(
    r"^\W*(?:can't|cannot|can not|couldn't|could not|hardly any|scarcely any|barely any"
    r"|every\w+ (?:but|except))\b"
)
EXCEPTION = re.compile(
    r"\b(?:but|except|other than|else than|anyone|not|never|hardly)\b|n't\b|\bdeny"
)


def decide_dismissal(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that an answer dismisses the fact that a reference is; None where it does not."""
    if not 0 < len(reference.words) <= LONGEST_FACT or len(answer.words) > LONGEST_DISMISSAL:
        return None
    if is_sentence(reference) or reference.denials or question.denials:
        return None  # contraries.py compares sentences
    marked = mark_fact(answer, reference)
    if FACT not in marked:
        return None
    shown = reference.text.strip()
    dismissal = find_dismissal(marked, question)
    if dismissal:
        return Decision(UNLIKELY, "denied", dismissal.replace(FACT, shown), shown)
    if is_foreign(question) and SETS_OTHER_ASIDE.match(marked):
        return Decision(LIKELY, "denied", answer.text.strip(), shown)
    return None


def find_dismissal(marked: str, question: Text) -> str:
    """Return the words that dismiss a fact, with the mark in place of it; "" where none do."""
    for pattern in select_patterns(question):
        match = pattern.search(marked)
        if match and not is_turned_round(marked, match) and FACT not in marked[match.end() :]:
            return match[0]
    return marked.strip() if denies_what_is_asked(marked, question) else ""


def select_patterns(question: Text) -> list[re.Pattern[str]]:
    """Return the patterns of dismissals that suit a question's language and tense."""
    patterns = [*PATTERNS, *FOREIGN_PATTERNS]
    if PRESENT_TENSE & set(question.words):
        patterns.append(IS_ABOLISHED)
    if question.text[:1] == "¿":
        patterns.append(SPANISH_DENIAL)
    return patterns


def is_foreign(question: Text) -> bool:
    """Return whether a question has small words of German, French or Spanish, or a Spanish mark."""
    return question.text[:1] == "¿" or not FOREIGN_WORDS.isdisjoint(question.words)


def denies_what_is_asked(marked: str, question: Text) -> bool:
    """Return whether an answer denies the question's verb before a fact: they don't take in X."""
    match = DENIES_ASKED.search(marked)
    if not match:
        return False
    words = match["asked"].split()
    has_verb = any(stem_word(word) in question.places for word in words)
    return has_verb and all(stem_word(w) in question.places or w in STOP_WORDS for w in words)


def mark_fact(answer: Text, reference: Text) -> str:
    """Return an answer in lower case with FACT in place of the reference's words.

    If the reference is a name, only its last word is replaced.
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


# ---- Chinese

# What is only believed, and what is really so: 很多人以为是悉尼，其实是堪培拉.
CHINESE_BELIEF = "(?:以为|认为|觉得|误作|误传)[^。！？]{0,4}"
CHINESE_TRUTH = "[^。！？]{0,6}[，,][^。！？]{0,4}(?:其实|实际上|事实上)"
# What denies right before a fact, and behind it.
CHINESE_DENIED_BEFORE = "(?<![是莫岂要能])(?:不是|并非|绝非|而非|决非|不在|不属于|不叫)"
CHINESE_DENIED_BEHIND = "(?:并?没有?|从未|不曾|并不|纯属|是个?(?:谣言|误会|误解))"
LONGEST_CHINESE_FACT = 8  # characters


def decide_chinese_dismissal(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return that a Chinese answer denies a fact, or says that it is only believed."""
    fact = reference.text.strip(" 。.")
    if not reference.is_chinese or not 1 < len(fact) <= LONGEST_CHINESE_FACT:
        return None
    if answer.text.count(fact) != 1 or reference.denials or question.denials:
        return None
    quoted = re.escape(fact)
    for pattern in (
        f"{CHINESE_BELIEF}{quoted}{CHINESE_TRUTH}",
        f"{CHINESE_DENIED_BEFORE}{quoted}",
        f"{quoted}{CHINESE_DENIED_BEHIND}",
    ):
        match = re.search(pattern, answer.text)
        if match:
            return Decision(UNLIKELY, "denied", match[0], fact)
    return None
