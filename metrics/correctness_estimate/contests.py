"""Decide by who won: "Harrow won 3-1" is "3-1 to Harrow", and not "3-1 to Belfield"."""

import re
from functools import lru_cache
from typing import NamedTuple

from .outcomes import DIFFERENT, LIKELY, Decision
from .text import RECENT_TEXTS, Text

LONGEST_TEXT = 30  # words
TEAM = r"(?<![\w'-])(?P<{}>[A-Z][\w'-]{{0,30}}(?: [A-Z][\w'-]{{0,30}}){{0,3}})"
FOR_TEAM = r"(?:\d{1,3}|win|victory|triumph) (?:to|for|by) (?:the )?"
WINNER = re.compile(
    rf"{TEAM.format('subject')}"
    r" (?:won|wins|beat|beats|defeated|edged|prevailed|triumphed|thrashed)\b"
    rf"|(?i:{FOR_TEAM}){TEAM.format('recipient')}"
)
LOSER = re.compile(
    rf"{TEAM.format('subject')} (?:lost|loses|(?:was|were|got) (?:beaten|defeated)|went down)\b"
    rf"|\b(?:defeat|loss) for (?:the )?{TEAM.format('recipient')}"
    rf"|\b(?:beat|beats|beating|defeat(?:ed|ing)|edged|thrashed) (?:the )?{TEAM.format('object')}"
)


class Contest(NamedTuple):
    """The stems of the words of the winner and of the loser; empty if a text does not tell."""

    winner: frozenset[str]
    loser: frozenset[str]


def decide_contest(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return DIFFERENT if an answer gives a win to the other team than the reference, else None.

    LIKELY if it gives the win to the same team, with the same numbers. The other team is one that
    the question names, or the loser.
    """
    if max(len(answer.words), len(reference.words)) > LONGEST_TEXT:
        return None
    expected = read_contest(reference)
    if not expected.winner or answer.denials or reference.denials:
        return None
    found = read_contest(answer)
    losers = question.places.keys() | expected.loser
    is_other = not found.winner.isdisjoint(losers) or found.loser & expected.winner
    if is_other and found.winner.isdisjoint(expected.winner):
        return Decision(DIFFERENT, "roles", answer.text.strip(), reference.text.strip())
    numbers = [value.written for value in answer.quantities]
    expected_numbers = [value.written for value in reference.quantities]
    is_same = found.winner and is_same_team(found.winner, expected.winner)
    if not is_same or numbers != expected_numbers or not numbers:
        return None
    return Decision(LIKELY, "roles", answer.text.strip(), reference.text.strip())


def is_same_team(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether all words of one name are in the other: Velm, FC Velm."""
    return one <= other or other <= one


@lru_cache(maxsize=RECENT_TEXTS)
def read_contest(text: Text) -> Contest:
    """Return who won and who lost, as a text tells it first."""
    return Contest(read_team(text, WINNER), read_team(text, LOSER))


def read_team(text: Text, pattern: re.Pattern[str]) -> frozenset[str]:
    """Return the stems of the team that a pattern finds first, or none."""
    match = pattern.search(text.text)
    if match is None or match.lastgroup is None:
        return frozenset()
    return frozenset(text.list_stems(text.words_between(*match.span(match.lastgroup))))
