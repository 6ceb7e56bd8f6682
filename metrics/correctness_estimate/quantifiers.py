"""Decide by how many of some things are meant: all but two, everyone except Tom, most of them."""

import re

from .denials import denies_in_main_clause, is_content, list_denials
from .lexicon import AFFIRMING_PHRASE
from .opposites import find_root
from .outcomes import LIKELY, UNLIKELY, UPHELD, Decision
from .synonyms import are_synonyms
from .text import Text, read_text

LONGEST = 12  # words of an answer or a reference
LONGEST_FACT = 6  # words of a reference that an answer may set apart from all others
ALL_WORDS = "all|each|every|everyone|everybody|everything|any|anyone|anybody"
NONE_WORDS = r"none|nobody|no one|nothing|no(?= \w+ (?:other than|but|except)\b)"
# "all but two", "everyone, with the exception of Tom", "none of them except Ann".
ALL_BUT = re.compile(
    rf"\b(?:(?P<all>{ALL_WORDS})|(?P<none>{NONE_WORDS}))\b[^.;]{{0,40}}?"
    r"\b(?:but|except(?: for)?|apart from|aside from|other than|excluding|save"
    r"|with the exception of) (?P<exception>[^.;,]{1,60})"
)
# "Only Tom did not come" is everyone but Tom.
ONLY_NOT = re.compile(
    r"\W*(?P<all>only) (?P<exception>[^.;,]{1,40}?) (?:(?:did|does|do|was|were|is|are|has|have|had"
    r"|could|can)(?:n't| not)|failed to|missed|lacked)\b(?P<none>\0)?"
)
PRO_FORMS = frozenset("one ones get got do so".split())  # they stand for what is asked
ALL_OR_NONE = re.compile(rf"\b(?:{ALL_WORDS}|{NONE_WORDS})\b")


def decide_all_but(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer names all with the exception of the reference, else UNLIKELY.

    None if the reference names no exception, if the answer has its words, or says who was left out
    in another way.
    """
    if not 0 < len(answer.words) <= LONGEST or len(reference.words) > LONGEST:
        return None
    expected = ALL_BUT.search(reference.lower)
    if not expected:
        return None
    exception = list_exception(expected, reference, question)
    said = ALL_BUT.search(answer.lower) or read_only_not(answer, question)
    if said:
        has_same_side = bool(said["all"]) == bool(expected["all"])
        is_same = has_same_side and list_exception(said, answer, question) == exception
        if is_same and answer.has_all_content(reference):
            return None
        outcome = LIKELY if is_same else UNLIKELY
    elif exception and has_only_one_part(answer, exception):
        outcome = UNLIKELY
    else:
        return None
    return Decision(outcome, "replaced", answer.text.strip(), reference.text.strip())


def read_only_not(answer: Text, question: Text) -> re.Match[str] | None:
    """Return the match of "only Tom did not", if what is denied is what the question asks."""
    said = ONLY_NOT.match(answer.lower)
    if not said:
        return None
    behind = answer.words_between(said.end(), len(answer.lower))
    telling = [i for i in behind if is_content(answer, i) and answer.words[i] not in PRO_FORMS]
    roots = [find_root(word) for word in question.words]
    return said if all(find_root(answer.words[i]) in roots for i in telling) else None


def has_only_one_part(answer: Text, exception: set[str]) -> bool:
    """Return whether an answer names all, or the exception, but not both, and denies nothing."""
    if answer.words[0] in ("yes", "no") or list_denials(answer):
        return False
    names_all = ALL_OR_NONE.search(answer.lower) is not None
    return names_all != (exception <= answer.places.keys())


def list_exception(match: re.Match[str], text: Text, question: Text) -> set[str]:
    """Return the telling stems of an exception that the question does not have."""
    places = text.words_between(*match.span("exception"))
    stems = {text.stems[i] for i in places}
    return stems.intersection(text.content) - question.places.keys()


# ---- all but the reference

# Words with which "every port but this one" means just this one.
REJECTING_WORD = re.compile(
    "refus|reject|ignor|avoid|dislik|declin|exclud|forb[ia]d|prohibit|block|lack|skip|omit|shun|"
    "disregard|hat(?:e|es|ed|ing)$|bann?(?:s|ed|ing)?$|miss(?:es|ed|ing)?$"
)


def decide_exception(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide whether an answer sets a reference apart as the only thing that is not meant.

    "Any port but 8080" is UNLIKELY beside the reference "8080", and "It refuses everything but
    seeds" is UPHELD beside "seeds". None if the reference itself makes an exception, or if a text
    tells anything else.
    """
    if not 0 < len(answer.words) <= LONGEST or not 0 < len(reference.words) <= LONGEST_FACT:
        return None
    said = ALL_BUT.search(answer.lower)
    if not said or AFFIRMING_PHRASE.search(answer.lower) or denies_in_main_clause(question):
        return None
    wanted = set(reference.content) - question.places.keys()
    if not wanted or ALL_BUT.search(reference.lower):
        return None
    if list_exception(said, answer, question) != wanted:
        return None
    outside = set(range(len(answer.words))) - set(answer.words_between(*said.span()))
    rejecting = {i for i in outside if REJECTING_WORD.match(answer.words[i])}
    turns = rejecting | outside.intersection(list_denials(answer))
    for i in outside - turns:
        if is_content(answer, i) and answer.stems[i] not in question.places:
            return None
    means_reference = (len(turns) + bool(said["none"])) % 2 == 1
    outcome = UPHELD if means_reference else UNLIKELY
    return Decision(outcome, "denied", answer.text.strip(), reference.text.strip())


# ---- all, and not all

WITHOUT_EXCEPTION = re.compile(r"\b(?:all|each|every\w*|always|without exception)\b")
NOT_ALL = re.compile(r"\b(?:not|almost|nearly) (?:all|each|every\w*|always)\b|\b(?:most|mostly)\b")


def decide_not_all(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if only one of a reference and an answer tells of all, else None.

    "All employees except the managers" and "not all employees" differ from "all employees".
    """
    if not 0 < len(answer.words) <= LONGEST or not 0 < len(reference.words) <= LONGEST:
        return None
    if ALL_BUT.search(reference.lower):
        return None  # the exception may be told in other words: all after the first
    expected = read_scope(reference)
    scope = read_scope(answer) if expected else ""
    if not scope or scope == expected:
        return None
    return Decision(UNLIKELY, "replaced", answer.text.strip(), reference.text.strip())


def read_scope(text: Text) -> str:
    """Return "all" if a text tells of all, "some" if it makes an exception, "" for neither."""
    exception = ALL_BUT.search(text.lower)
    has_exception = exception is not None and "," not in exception[0]
    is_some = has_exception or NOT_ALL.search(text.lower) is not None
    rest = NOT_ALL.sub(" ", text.lower)
    is_all = exception is None and WITHOUT_EXCEPTION.search(rest) is not None
    if is_some == is_all:
        return ""  # neither, or both: all of them, most in December
    return "some" if is_some else "all"


# ---- all, most, half, few, none

# Words for a share of some things, by the share that they mean.
SHARES = {
    "all": "all every everyone everybody everything each always",
    "most": "most majority mostly mainly",
    "half": "half",
    "some": "some several sometimes",
    "few": "few minority hardly barely scarcely seldom rarely rare",
    "none": "none nobody nothing neither never",
}
# "next to none", "almost never"
NEXT_TO_NONE = re.compile(
    r"\b(?:next to|almost|practically|virtually) (?:none|nobody|nothing|no|never)\b"
)
NO_SHARE = frozenset("ever very any next almost practically virtually".split())
SHARE_BY_WORD = {word: share for share, words in SHARES.items() for word in words.split()}


def decide_quantifier(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if an answer tells the share that a reference is, UNLIKELY for another share.

    "The majority did" says the same as "most of them". None if a text tells anything else, too, or
    if the answer has the reference's words.
    """
    expected = read_share(reference, question)
    share = read_share(answer, question) if expected else ""
    is_same = share == expected
    is_vague = "some" in (share, expected) and not is_same  # some may be most or few
    if not share or is_vague or (is_same and answer.has_all_content(reference)):
        return None
    if is_same and share == "none":
        return None  # a zero, which values.py decides
    outcome = LIKELY if is_same else UNLIKELY
    return Decision(outcome, "replaced", answer.text.strip(), reference.text.strip())


def read_share(text: Text, question: Text) -> str:
    """Return the share that a short text tells and nothing else: "all", "most", ..., or ""."""
    if not 0 < len(text.words) <= LONGEST or text.quantities or text.is_chinese:
        return ""
    shares = list[str]()
    if NEXT_TO_NONE.search(text.lower):
        shares.append("few")
    for i, word in enumerate(text.words):
        is_at_all = text.words[max(0, i - 1) : i + 1] == ["at", "all"]
        if word in SHARE_BY_WORD and not is_at_all:
            shares.append(read_few(text, i) or SHARE_BY_WORD[word])
        elif word in NO_SHARE or is_at_all:
            continue
        elif is_content(text, i) and text.stems[i] not in question.places:
            return ""
    shares = list(dict.fromkeys(shares))
    if shares[:1] == ["few"]:
        shares = [share for share in shares if share != "none"]
    denies = any(text.words[i] not in SHARE_BY_WORD for i in list_denials(text))
    return shares[0] if len(shares) == 1 and not denies else ""


def read_few(text: Text, i: int) -> str:
    """Return "some" for "a few" that is not "only a few", else ""."""
    is_some = text.words[i - 1 : i + 1] == ["a", "few"] and "only" not in text.first_place
    return "some" if is_some else ""


# ---- none

LONGEST_NONE = 14  # words of a text that says that there is none
# "none", "nobody", "not one of them", "not a single window", "no windows", "zero"
NONE = re.compile(
    r"\b(?:none|nobody|no one|nothing|zero|0|not (?:even )?(?:one|a (?:single|thing)|any|once)"
    r"|never|no(?= \w))\b"
)
# Words that make an exception, or doubt that there is none.
NO_NONE = re.compile(
    r"\b(?:but|except\w*|apart|until|later|first|before|some|others?|several|most|many|few|half|both"
    r"|all|every\w*|always|only|least|more|less|almost|nearly|hardly|true|false|not none"
    r"|wrong|know|sure|thought|said|longer)\b|\?"
)
# Words beside "none" that tell nothing: according to the text, I could find none.
FILLING = frozenset(
    "whatsoever text passage article report according seem seems appear appears found find see "
    "sees could can there were was fortunately luckily sadly absolutely definitely single people "
    "persons person thing things anything ever them zero 0 none nobody nothing one no not "
    "says item items object objects allowed permitted possible take took get got".split()
)
NEGATIVE_QUESTION = re.compile(r"\b(?:without|lack\w*|miss\w*|fail\w*|refus\w*|avoid\w*|except)\b")


def decide_none(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide beside a reference that says that there is none: nobody, "No window was left open".

    LIKELY if the answer says so, too, and UNLIKELY if it says that there is some. None if it tells
    anything else.
    """
    if question.denials or not ASKS_WHICH.match(question.lower):
        return None
    # "None" is then a value, zero.
    is_number = ASKS_HOW_MANY.search(question.lower) and len(reference.words) <= 2
    if is_number or NEGATIVE_QUESTION.search(question.lower):
        return None
    if not says_none(reference, question):
        return None
    found, expected = answer.text.strip(), reference.text.strip()
    if says_none(answer, question):
        return Decision(LIKELY, "denied", found, expected)
    says_some = SOME.search(answer.lower) and not ENDS_WITH_NONE.search(answer.lower)
    if len(answer.words) <= LONGEST_NONE and says_some:
        return Decision(UNLIKELY, "denied", found, expected)
    return None


ASKS_WHICH = re.compile(r"(?:[^?]{1,60}[,:] )?\W*(?:\w+ )?(?:who|whom|which|what|how)\b")
ASKS_HOW_MANY = re.compile(r"\bhow (?:many|much)\b")
# "none except the last", "not all of them", "none at first, but later three", "only one"
SOME = re.compile(
    r"\bnot (?:all|every\w*|none)\b"
    r"|\b(?:none|nobody|no one|nothing) (?:but|except\w*) \w|\bnot one but\b"
    r"|\b(?:nearly|almost) (?:none|nobody|no one|nothing)\b"
    r"|\bbut later\b|\bbut there (?:was|were)\b|\bnot true that no"
    r"|\b(?:more than|at least|only) one (?!answer)\w|^\W*some \w.*\bothers\b"
)
# "Some were dirty, but none broken."
ENDS_WITH_NONE = re.compile(r"\b(?:but|so|and|no|answer)\W{1,3}(?:none|nobody|no one|nothing)\b")


def says_none(text: Text, question: Text) -> bool:
    """Return whether a text says that none of what a question asks for is so, and nothing else."""
    if not 0 < len(text.words) <= LONGEST_NONE:
        return False
    plain = read_text(NOTHING_WRONG.sub(r"\g<none>", NO_DOUBT.sub("", text.text)))
    if any(word not in question.first_place for word in NO_NONE.findall(plain.lower)):
        return False
    has_none = NONE.search(plain.lower) is not None or denies_what_is_asked(plain, question)
    if not has_none:
        return False
    known = {*FILLING, *(find_root(word) for word in question.words)}
    if not FINDING.isdisjoint(question.words):
        known |= SOUND
    for i in plain.telling:
        is_known = plain.words[i] in known or find_root(plain.words[i]) in known
        if i not in plain.denials and not is_known and not has_asked_form(plain, i, question):
            return False
    return True


# "nothing wrong"
NOTHING_WRONG = re.compile(r"(?P<none>\b(?:nothing|not anything)\b) wrong\b", re.IGNORECASE)
# What was found wrong with it? Not a thing, it is fine.
FINDING = frozenset("find found wrong inspect inspection test examination check".split())
SOUND = frozenset("problem problems fault faults issue issues fine ok okay".split())


SHORTEST_BEGINNING = 5  # letters


def is_beginning(one: str, other: str) -> bool:
    """Return whether a stem is the beginning of another one: photo, photograph."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= SHORTEST_BEGINNING and longer.startswith(shorter)


def has_asked_form(text: Text, i: int, question: Text) -> bool:
    """Return whether a question has a form or a synonym of a word: photos, to photograph."""
    if text.stems[i] in question.places:
        return True
    if any(is_beginning(text.stems[i], stem) for stem in question.content):
        return True
    return any(are_synonyms(text.words[i], word) for word in question.words)


NO_DOUBT = re.compile(r"\bas far as (?:we|i) know,? |\bat all\b", re.IGNORECASE)


def denies_what_is_asked(text: Text, question: Text) -> bool:
    """Return whether a text denies a verb of a question once: the samples did not contain lead."""
    if len(text.denials) != 1:
        return False
    behind = text.denials[0] + 1
    return behind in text.telling and text.stems[behind] in question.places
