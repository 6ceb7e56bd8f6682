"""Verbs of English sentences: their forms, and the denial of a sentence by its verb."""

import re
from random import Random

from metrics.training.text_edits import replace_match
from metrics.training.wording_lists import read_wordings

VERBS = read_wordings("verbs")
# An auxiliary verb that is not denied yet: "was", but not that of "was not" and "wasn't".
AUXILIARY = re.compile(rf"\b(?P<verb>{'|'.join(VERBS['auxiliaries'])})\b(?! not\b|n't)", re.I)
# Past forms that do not end in -ed, and their bases.
PAST_OF_BASE = dict(pair.split() for pair in VERBS["irregular"])
BASE_OF_PAST = {past: base for base, past in PAST_OF_BASE.items()}
# A full verb after another word: an irregular past form, a usual present form, or a word in -ed.
LEXICAL_VERB = re.compile(
    rf"(?<=\s)(?P<verb>{'|'.join([*BASE_OF_PAST, *VERBS['present']])}|[a-z]{{3,}}ed)\b"
)
# Auxiliaries that do not simply add "not" or "n't".
IRREGULAR_DENIALS = {
    "cann't": "can't",
    "willn't": "won't",
    "shalln't": "shan't",
    "can not": "cannot",
    "mayn't": "may not",
}
# The end of "stopp" in "stopped".
DOUBLED_CONSONANT = re.compile(r"([bdgmnprt])\1$")
# Stems of verbs in -ed whose base form has a silent -e: "locat", "us", "produc".
SILENT_E = re.compile(
    r"(?:[^aeiou][aiu]t|[aeiou]s|u[cs]|[vzcg]|[aiu]r|[^aeiou]l|[aeiou]d|iv|[^aeiou]in|duc|os)$"
)


def find_base_form(verb: str) -> str:
    """Return the form of a verb that follows "did not".

    >>> verbs = ("wrote", "played", "located", "stopped", "carried", "contains")
    >>> [find_base_form(verb) for verb in verbs]
    ['write', 'play', 'locate', 'stop', 'carry', 'contain']
    """
    if verb in BASE_OF_PAST:
        return BASE_OF_PAST[verb]
    if verb.endswith("ied"):
        return f"{verb[:-3]}y"
    if verb.endswith("ed"):
        return remove_ed(verb)
    if verb.endswith(("oes", "ches")):
        return verb.removesuffix("es")
    return verb.removesuffix("s")


def remove_ed(verb: str) -> str:
    """Return the base form of a verb that ends in -ed."""
    stem = verb[:-2]
    if DOUBLED_CONSONANT.search(stem):
        return stem[:-1]
    if SILENT_E.search(stem):
        return f"{stem}e"
    return stem


def find_past_form(verb: str) -> str:
    """Return the past form of a verb.

    >>> [find_past_form(verb) for verb in ("write", "die", "open")]
    ['wrote', 'died', 'opened']
    """
    if verb in PAST_OF_BASE:
        return PAST_OF_BASE[verb]
    return f"{verb}d" if verb.endswith("e") else f"{verb}ed"


def deny_verb(sentence: str, rng: Random) -> str | None:
    """Return a sentence with its first verb denied; None if no verb is recognised."""
    auxiliary = AUXILIARY.search(sentence)
    lexical = LEXICAL_VERB.search(sentence)
    if auxiliary and (not lexical or auxiliary.start() <= lexical.start()):
        return replace_match(sentence, auxiliary, deny_auxiliary(auxiliary["verb"], rng))
    if lexical:
        return replace_match(sentence, lexical, deny_lexical_verb(lexical["verb"], rng))
    return None


def deny_auxiliary(verb: str, rng: Random) -> str:
    """Return an auxiliary with "not", "never" or "no longer"."""
    denials = [
        f"{verb} not",
        f"{verb} not",
        f"{verb}n't",
        f"{verb} never",
        f"{verb} no longer",
    ]
    denial = rng.choice(denials)
    return IRREGULAR_DENIALS.get(denial, denial)


def deny_lexical_verb(verb: str, rng: Random) -> str:
    """Return a full verb with "did not", "never" or the like."""
    is_present = verb.endswith("s") and verb not in BASE_OF_PAST
    auxiliary = "does" if is_present else "did"
    base = find_base_form(verb)
    denials = [
        f"{auxiliary} not {base}",
        f"{auxiliary} not {base}",
        f"{auxiliary}n't {base}",
        f"never {verb}",
        f"no longer {verb}",
    ]
    return rng.choice(denials)
