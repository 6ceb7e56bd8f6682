"""Compose English wordings from their parts, and lists of candidates."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from metrics.training.sampler import Sampler
from metrics.training.text_edits import upper_first_letter


class ListStyle(NamedTuple):
    """A style of lists: the text before each candidate, and that between candidates."""

    marker: str
    separator: str


LIST_STYLES = [
    ListStyle("- ", "\n"),
    ListStyle("* ", "\n"),
    ListStyle("{n}. ", "\n"),
    ListStyle("{n}) ", " "),
    ListStyle("", " / "),
    ListStyle("", "; "),
    ListStyle("", "\n"),
]
# Lists of wordings and connecting words. A name that is listed twice is drawn twice as often.
ASIDES = ("claims", "claims", "refuted_claims", "doubts", "asides")
DENIALS = ("claims", "refuted_claims", "refuted_claims", "doubts")
JOINTS_AFTER_TRUTH = (". ", ". ", "; ", " - ")
JOINTS_BEFORE_TRUTH = (". ", ". ", ". ", "; ", ": ", ", but ", " - ", "\n")
SENTENCE_ENDS = (". ", "\n")
CONJUNCTIONS = (" or ", " or ", " and ", ", ")


def compose_aside(sampler: Sampler) -> str:
    """Return a wording that names {x} and denies it, or at least does not affirm it."""
    name = sampler.choose(ASIDES)
    aside = sampler.choose_wording(name)
    if name in ("claims", "asides") and sampler.rng.random() < 0.4:
        return f"{aside}. {sampler.choose_wording('retractions')}"
    return aside


def compose_contrast(sampler: Sampler) -> str:
    """Return a wording that denies {x} and affirms {y}, in either order."""
    aside = compose_aside(sampler)
    truth = sampler.choose_wording("truths")
    if sampler.rng.random() < 0.25:
        joint = sampler.choose(JOINTS_AFTER_TRUTH)
        return f"{begin_sentence(truth)}{joint}{aside}."
    joint = sampler.choose(JOINTS_BEFORE_TRUTH)
    if joint in SENTENCE_ENDS:
        truth = begin_sentence(truth)
    return f"{aside}{joint}{truth}."


def compose_denial(sampler: Sampler) -> str:
    """Return a wording that denies {x}."""
    name = sampler.choose(DENIALS)
    denial = sampler.choose_wording(name)
    if name == "claims":
        return f"{denial}. {sampler.choose_wording('retractions')}."
    return f"{denial}."


def compose_joint(sampler: Sampler) -> str:
    """Return a wording that joins an aside on {x} and a correction that names {y}."""
    joint = sampler.choose_wording("joints")
    aside = sampler.choose_wording("asides")
    correction = sampler.choose_wording("corrections")
    embedded = aside
    if not joint.startswith("{a}"):
        embedded = aside[0].lower() + aside[1:]
    sentence = joint.format(
        a=embedded,
        A=aside,
        b=correction,
        B=begin_sentence(correction),
    )
    return f"{sentence}."


def begin_sentence(wording: str) -> str:
    """Return a wording with its first letter in upper case, unless a placeholder comes first."""
    return wording if wording.startswith("{") else upper_first_letter(wording)


def join_candidates(reference: str, distractors: Sequence[str], rng: Random) -> str:
    """Return the right answer among others in random order, as in "A, B or C"."""
    candidates = [reference, *distractors]
    rng.shuffle(candidates)
    conjunction = rng.choice(CONJUNCTIONS)
    if conjunction != ", " and rng.random() < 0.3:
        conjunction = f",{conjunction}"
    *before, last = candidates
    return ", ".join(before) + conjunction + last


def list_candidates(reference: str, distractors: Sequence[str], rng: Random) -> str:
    """Return the right answer among others in random order, as a list in one of several styles."""
    candidates = [reference, *distractors]
    rng.shuffle(candidates)
    style = rng.choice(LIST_STYLES)
    items = []
    for number, candidate in enumerate(candidates, 1):
        marker = style.marker.format(n=number)
        items.append(f"{marker}{candidate}")
    return style.separator.join(items)
