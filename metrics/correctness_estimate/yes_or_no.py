"""Yes and no: what a reference says, what a question asks for, and what an answer says by its
meaning.
"""

import re
from collections.abc import Sequence

from .outcomes import DIFFERENT, EQUAL, LIKELY, OPEN, UNLIKELY, Decision
from .polarity import PRONOUNS, opposites
from .text import Text

YES = re.compile(
    r"\W*(?:(?:yes|yeah|yep|correct|true|right|ja|indeed)\b|(?:是的|没错|对|正确|可以|能|会"
    r"|是)(?=\W|$))",
    re.IGNORECASE,
)


NO = re.compile(
    r"\W*(?:(?:no|nope|not really|incorrect|false|nein)\b|(?:不是|不对|不能|不可以|不会|不|错误?"
    r"|否|没有)(?=\W|$|的))",
    re.IGNORECASE,
)


YES_AND_NO = re.compile(r"\W*(?:yes and no|no and yes|both yes and no|既是也不是)", re.IGNORECASE)


# From the last mark before yes or no: from every mark, a run of them would be read again and again.
CONCLUSION = re.compile(
    r"(?:[.!?:\n][^\w.!?:\n]*|\b(?:so|therefore|thus|hence|answer is|conclusion),?\W+)(yes|no)\b",
    re.IGNORECASE,
)


YES_NO_QUESTION = re.compile(
    r"\W*(?:(?:in|based|according|as|for|if|when|at|during|given|using)\b[^?,]*, ?)?(?:is|are|was"
    r"|were|do|does|did|"
    r"has|have|had|can|could|will|would|should|may|might)\b|.*(?:吗|是否|是不是|能不能|有没有)",
    re.IGNORECASE | re.DOTALL,
)


# A sentence that says whether what was asked is right.
VERDICT = re.compile(
    r"\W*(?:(?:the|that|this) )?(?:statement|claim|that|this|it) (?:is|was)(?: not)?(?: quite"
    r"| completely| entirely)? "
    r"(?:correct|true|right|accurate|false|incorrect|wrong|untrue|inaccurate)\b",
    re.IGNORECASE,
)


UNTRUE_VERDICT = re.compile(
    r".*?(?:\bnot\b(?!.*(?:false|incorrect|wrong))|false|incorrect|wrong|untrue|inaccurate)",
    re.IGNORECASE,
)


NEGATIVE_WORD = re.compile(
    "unable|impossib|fail|lack|incapab|refus|forbid|prohibit|illegal|absen|declin|reject|denie|ban(?:s|ned)?$|avoid|"
    "without|closed|shut|stopped|cancel|abandon|irreversib|insufficien|missing|excluded|few$|little$|hardly|rarely|seldom"
)


TURNED_DOWN = re.compile(
    r"\bturn(?:ed|s)? (?:\w+ ){0,3}down\b|\b(?:left|leave) (?:\w+ )?(?:off|out)\b|\btoo \w+ to\b"
)


ALL_WORDS = frozenset("all every always each any everyone everything".split())


SOME_WORDS = frozenset("some only few sometimes several certain many most".split())


MOST_SENTENCES = 20


LONGEST_READ = 3000  # characters in which yes, no and a question for them are looked for


IMPLIED = (
    0.5  # how sure it is that a sentence with the question's words says yes, or no where it denies
)


REPEATED, REPEATED_BY_PRONOUN = 0.6, 0.3  # of the question's words, that such a sentence has


def read_yes_or_no(text: Text, question: Text) -> float:
    """Return 1 where a text says yes, -1 where it says no, at its beginning or in conclusion.

    Half of that where it says what the question asks in a sentence of its own, or denies it; else
    0.
    """
    if YES.match(text.text):
        return 1.0
    if NO.match(text.text):
        return -1.0
    if VERDICT.match(text.text[:LONGEST_READ]):
        return -1.0 if UNTRUE_VERDICT.match(text.text[:LONGEST_READ]) else 1.0
    if ends := CONCLUSION.findall(text.text[:LONGEST_READ]):
        return 1.0 if ends[-1].lower() == "yes" else -1.0
    return read_implied_answer(text, question)


def read_implied_answer(text: Text, question: Text) -> float:
    """Return half of yes or no where a sentence says what the question asks, or denies it; else 0.

    The sentence has most of the question's words, or the last of them and a pronoun for what it
    asks about.
    """
    asked = {stem for stem in question.content if stem != "ever"}
    if not asked:
        return 0.0
    for sentence in sorted(set(text.sentence))[:MOST_SENTENCES]:
        words = [i for i, number in enumerate(text.sentence) if number == sentence]
        stems = {text.stems[i] for i in words}
        against = find_opposites(asked - stems, stems)
        stems |= against | {stem for stem in asked - stems if has_same_beginning(stem, stems)}
        share = len(asked & stems) / len(asked)
        has_pronoun = bool(PRONOUNS & {text.words[i] for i in words})
        says_predicate = (
            has_pronoun and question.content[-1] in stems and share >= REPEATED_BY_PRONOUN
        )
        if share >= REPEATED or says_predicate:
            return IMPLIED * (1 - 2 * ((count_denials(text, question, words) + len(against)) % 2))
        if against and has_pronoun:
            return -IMPLIED  # She declined it.
    return 0.0


def find_opposites(wanted: set[str], stems: set[str]) -> set[str]:
    """Return the wanted stems that have an opposite among some stems: closed, where open is asked
    for.
    """
    table = opposites()
    return {stem for stem in wanted if stems & table.get(stem, frozenset())}


def has_same_beginning(stem: str, stems: set[str]) -> bool:
    """Return whether a stem has a long beginning in common with one of some stems: photograph,
    photography.
    """
    return len(stem) >= LONGEST_BEGINNING and any(
        other[:LONGEST_BEGINNING] == stem[:LONGEST_BEGINNING] for other in stems
    )


LONGEST_BEGINNING = 6  # letters


def count_denials(text: Text, question: Text, words: Sequence[int]) -> int:
    """Return how often a sentence denies what the question asks.

    "only some" denies a question for all.
    """
    inside = range(words[0], words[-1] + 1)
    count = sum(i in inside for i in text.denials) + len(question.denials)
    count += bool(TURNED_DOWN.search(" ".join(text.words[i] for i in words)))
    count += sum(
        bool(NEGATIVE_WORD.match(text.words[i])) and text.stems[i] not in question.places
        for i in words
    )
    asks_all = bool(ALL_WORDS & set(question.words))
    says_some = bool(SOME_WORDS & {text.words[i] for i in words})
    return count + (asks_all and says_some)


def asks_yes_or_no(question: Text) -> bool:
    """Return whether a question asks for yes or no."""
    return YES_NO_QUESTION.match(question.text[:LONGEST_READ]) is not None


def read_expected_yes_or_no(reference: Text) -> float:
    """Return 1 where a reference says yes, -1 where it says no, else 0."""
    if YES.match(reference.text):
        return 1.0
    return -1.0 if NO.match(reference.text) else 0.0


def decide_yes_or_no(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return whether an answer says yes or no as the reference does.

    OPEN where it does not say so in these words.
    """
    expected = read_expected_yes_or_no(reference)
    if not expected or len(reference.words) > 1 + reference.is_chinese:
        return None
    if "or" in question.first_place and reference.stems[0] in question.places:
        return None  # left or right
    shown = reference.text.strip()
    if YES_AND_NO.match(answer.text):
        return Decision(DIFFERENT, "yes_no", answer.text.strip()[:20], shown)
    side = read_yes_or_no(answer, question) * expected
    if abs(side) == 1:
        word = "yes" if side == expected else "no"
        return Decision(EQUAL if side > 0 else DIFFERENT, "yes_no", word, shown)
    if side == 0:
        return Decision(OPEN, "yes_no", "", shown)
    first = answer.span(0, answer.sentence.count(answer.sentence[0]))
    return Decision(LIKELY if side > 0 else UNLIKELY, "yes_no", first, shown)
