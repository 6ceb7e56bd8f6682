"""Read a statement out of the words that frame it: many think that it is open, but it is closed.

What others think, or what was so once, is dropped. "It would be wrong to say that it is open"
denies the statement, and "It is unclear if it is open" leaves it open.
"""

import re
from functools import lru_cache

from .text import RECENT_TEXTS, Text, read_text

LONGEST_FRAME = 40  # words of an answer that is read
PART = r"[^.;:!?]{1,80}"
# Behind "but" the statement that counts, and not only a verdict: but that is wrong.
IN_FACT = (
    r"(?:,? (?:in fact|actually|in reality|really|in truth))?,? "
    r"(?!(?:that|this|it|they)(?:'s| is| are) (?:wrong|false|not|untrue|incorrect|mistaken"
    r"|a myth)\b)"
)
# What others think and what was so once, before the statement that counts.
DROPPED = (
    # many think that it is open, but in fact it is closed
    re.compile(
        r"^\W*(?:many|some|most|people|you|one|everyone|everybody)(?: people)?"
        r"(?: (?:might|may|would|could|will))? (?:think|believe|say|assume|expect|suppose|claim)"
        rf"(?:ed|d)?(?: that)? {PART}, (?:but|yet){IN_FACT}",
        re.IGNORECASE,
    ),
    # contrary to rumours that it is open, it is closed
    re.compile(
        r"^\W*contrary to (?:rumou?rs?|reports?|claims?|what|popular belief|the \w+)\b"
        r"[^.,;:!?]{0,80}, ",
        re.IGNORECASE,
    ),
    # it used to be that it was open; now it is closed
    re.compile(
        rf"^\W*it used to be (?:so |true |the case )?that {PART}[,;]"
        r" (?:but |and )?(?:now|today),? ",
        re.IGNORECASE,
    ),
    # it is open, some say, but it is closed
    re.compile(
        rf"^{PART}, (?:some|many|people|they) (?:say|think|believe|claim), but{IN_FACT}",
        re.IGNORECASE,
    ),
)
# Frames that deny a statement: it would be wrong to say that it is open.
WRONG_TO_SAY = re.compile(
    r"^\W*it (?:would be|is|'s) (?:wrong|false|a mistake|incorrect|a lie) to (?:say|think|claim"
    r"|believe|assume)(?: that)? ",
    re.IGNORECASE,
)
DENIED_QUESTION = re.compile(
    rf"^(?P<statement>{PART})\? (?:not at all|no way|by no means|far from it|hardly|nonsense)\W*$",
    re.IGNORECASE,
)
# Frames that leave a statement open.
LEFT_OPEN = re.compile(
    r"^\W*(?:the \w+ (?:does not|doesn't|did not|didn't) (?:say|tell|mention|state|specify)"
    r"|(?:i|we|they) (?:do not|don't) know|it (?:is|'s) (?:unclear|unknown|not clear|not known"
    r"|uncertain|an open question))(?: me| us)? (?:whether|if)\b"
    r"|^\W*whether\b[^.;:!?]{1,80}\bdepends\b"
    r"|^\W*(?:if only|i wish|(?:they|he|she|we|people|many|some) (?:only )?"
    r"(?:hoped|hope|wished|wish|planned|wanted|meant|intended))\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=RECENT_TEXTS)
def read_framed_statement(answer: Text) -> Text:
    """Return an answer without what others think, and with a plain denial of what it calls wrong.

    >>> read_framed_statement(Text("Many think that it is open, but in fact it is closed.")).text
    'it is closed.'
    """
    if not 0 < len(answer.words) <= LONGEST_FRAME:
        return answer
    text = answer.text
    for pattern in DROPPED:
        text = pattern.sub("", text)
    text = WRONG_TO_SAY.sub("It is not true that ", text)
    text = DENIED_QUESTION.sub(r"It is not true that \g<statement>.", text)
    return read_text(text) if text.strip(" .!") and text != answer.text else answer


def leaves_statement_open(answer: Text) -> bool:
    """Return whether an answer does not say whether a statement is so: it is unclear if it is."""
    return len(answer.words) <= LONGEST_FRAME and LEFT_OPEN.search(answer.text) is not None
