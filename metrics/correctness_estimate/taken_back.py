"""Decide whether words beside what a reference says take it back: twice 12 km, $8 last year.

The answer has the right words, but says another thing with them: a value that is computed from the
right one, a fact of another time, one that holds on a condition, or one that many believe, wrongly.
In the answer a mark, FACT, replaces the right words.
"""

import re

from .bounds import read_bounds
from .dismissals import FACT, LONGEST_DISMISSAL, find_dismissal
from .outcomes import DIFFERENT, UNLIKELY, Decision
from .relations import is_comparative
from .text import Text

# Kinds of decisions that no words beside the right ones can turn: B; yes; x + 1; max_length.
FIXED_KINDS = frozenset({"option", "yes_no", "formula", "code"})
VALUE_KINDS = frozenset({"value", "number", "date", "list"})

COUNT = r"(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|several|many|a few)"
# "twice 12 km", "half of that 12 km", "a third of $8", "three times 14"
MULTIPLE = re.compile(
    rf"\b(?:twice|thrice|(?:double|triple|quadruple|half)(?: of)?|{COUNT} times"
    r"|(?:a|one|two|three) (?:third|quarter|fifth|sixth|tenth|fraction)s? of)"
    rf" (?:(?:the|that|those|about|around) )?\$?{FACT}"
)
# "far more than 12 km", "well over $8", "well short of 40 kg", "nowhere near 60%"
DISTANT = re.compile(
    r"\b(?:(?:much|far|well|way|a lot|a good deal|considerably|significantly|substantially"
    r"|noticeably|many times) (?:(?:more|greater|less|fewer|higher|lower|\w+er) than"
    r"|over|above|under|below|beyond|short of|in excess of|before|after)"
    r"|(?:nowhere|not anywhere) (?:near|close to)|nothing like|not even|not nearly|far from"
    rf"|short of) (?:(?:the|that|about) )?{FACT}"
)
# "ten years after 1893", "the year before 1893", "shortly after March 2015", "not until after noon"
SPAN_AWAY = re.compile(
    rf"\b(?:(?:the|an?|one|some|half an|{COUNT}) (?:\w+ )?"
    r"(?:year|month|week|day|decade|century|hour|minute|time)s?"
    r"|(?:not )?(?:long|shortly|soon|just|right|immediately|some time|sometime))"
    rf" (?:before|after|(?:later|earlier) than) (?:the )?{FACT}|\bnot until after {FACT}"
)
# "$8 more than the bus", "12 km longer than the other", "18 m too deep", "3 kg short of", "$8 off"
DIFFERENCE = re.compile(
    rf"{FACT}(?: \w+)? (?:(?:more|less|fewer|(?!rather\b|other\b)\w+er) (?:\w+ )?than\b"
    r"|too \w+(?= *(?:$|[.,;!]))|short of\b|extra\b|off\b(?! (?:the|road|shore)))"
)
# "It differs from the other by 5 kg"
DIFFERS_BY = re.compile(
    r"\b(?:differ(?:s|ed)?|exceed(?:s|ed)|miss(?:es|ed)|change[sd]?|(?:is|was) off)\b"
    rf"[^.,;:!?\x00]{{0,30}} by {FACT}"
)
# "It isn't 3-1", "not 12 km, I'm afraid", "9 am is the wrong answer"
DENIED = re.compile(
    rf"(?:\bnot|n't|\bno longer|\bnever) (?:(?:the|in|at|on) )?{FACT}(?=\W*(?:$|[.;,]))"
    rf"|{FACT}(?: (?:is|was) (?:not|never)|(?: isn't| wasn't)) (?:correct|right|true|so)\b"
    rf"|{FACT} (?:is|was) (?:the |a )?(?:wrong|incorrect|false)\b"
)
# "The text doesn't say, but $40 is mentioned", "the fee is not mentioned"
NOT_SAID = re.compile(
    r"\b(?:text|article|passage|document|leaflet|source|story|manual|it) (?:doesn't|does not|didn't"
    r"|did not) (?:say|mention|state|tell|specify)(?: (?:it|that|so))?(?=\W*$|[.,;])"
    r"|\b(?:is|was|are|were)(?: not|n't) (?:mentioned|given|stated|specified|said)(?=\W*$|[.,;])"
)
OTHER_VALUES = (MULTIPLE, DISTANT, SPAN_AWAY, DIFFERENCE, DIFFERS_BY)
# A question that asks for such a difference or multiple.
ASKS_FOR_DIFFERENCE = re.compile(
    r"\b(?:more|less|fewer|than|differ\w*|gap|margin|lead|ahead|behind|chang\w*|gain\w*|extra"
    r"|additional|add\w*|discount|save[sd]?|saving|times|twice|half|multiple|factor|compare\w*"
    r"|increas\w*|decreas\w*|rais\w*|r[io]se\w*|f[ae]ll\w*|gr[eo]w\w*|drop\w*|reduc\w*|improv\w*"
    r"|beat\w*|won?|win|late|early|over|under|short|miss\w*)\b"
)


def decide_taken_back(
    right: Decision, answer: Text, reference: Text, question: Text
) -> Decision | None:
    """Return the decision against an answer that has the right words and takes them back, or None.

    Args:
        right: the decision that the answer has what the reference says.
        answer: the answer.
        reference: the reference.
        question: the question.
    """
    if right.kind in FIXED_KINDS or len(answer.words) > LONGEST_DISMISSAL:
        return None
    marked = mark_words(answer, reference.text.strip()) or mark_words(answer, right.found)
    if not marked:
        return None
    if right.kind in VALUE_KINDS:
        other_value = find_other_value(marked, reference, question)
        if other_value:
            found = other_value.replace(FACT, right.found)
            return Decision(DIFFERENT, "number", found, right.expected)
    dismissal = find_taken_back(marked, question)
    if dismissal:
        found = dismissal.replace(FACT, right.found)
        return Decision(UNLIKELY, "denied", found, right.expected)
    return None


def find_taken_back(marked: str, question: Text) -> str:
    """Return the words that take back the last mark of an answer, "" if none do."""
    return find_dismissal(marked, question) or find_denial(marked)


def mark_words(answer: Text, words: str) -> str:
    """Return an answer in lower case with FACT in place of some words, "" if it is just these."""
    wanted = words.lower()
    marked = list[str]()
    end = 0  # of the text that is already marked
    start = answer.lower.find(wanted)
    while start >= 0:
        stop = start + len(wanted)
        if stands_alone(answer.lower, start, stop):
            before = answer.lower[end:start].removesuffix("the ")
            marked += [before, FACT]
            end = stop
        start = answer.lower.find(wanted, stop)
    rest = answer.lower[end:]
    has_more = any(piece.strip(" .") for piece in (*marked[::2], rest))
    return "".join([*marked, rest]) if marked and has_more else ""


def stands_alone(text: str, start: int, stop: int) -> bool:
    """Return whether a part of a text is no part of a longer word or number."""
    before, behind = text[max(0, start - 1) : start], text[stop : stop + 2]
    continues_number = behind[:1] in (".", ",") and behind[1:].isdigit()
    is_inside = before.isalnum() or before == "." or behind[:1].isalnum()
    return not is_inside and not continues_number


def find_other_value(marked: str, reference: Text, question: Text) -> str:
    """Return the words that tell another value by each mark of an answer, "" if one is plain.

    Nothing is found beside a reference that is a bound, or if a difference is asked for.
    """
    if ASKS_FOR_DIFFERENCE.search(question.lower) or any(map(is_comparative, question.words)):
        return ""
    if any(read_bounds(reference.text, value).bound for value in reference.quantities[:1]):
        return ""
    matches = [match for pattern in OTHER_VALUES for match in pattern.finditer(marked)]
    is_taken_back = len(matches) >= marked.count(FACT)
    return matches[0][0] if is_taken_back and matches else ""


def find_denial(marked: str) -> str:
    """Return the words that deny the last mark of an answer, "" if none do."""
    not_said = NOT_SAID.search(marked)
    if not_said:
        return not_said[0]
    denial = DENIED.search(marked)
    return denial[0] if denial and FACT not in marked[denial.end() :] else ""
