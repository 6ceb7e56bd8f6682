"""Ways from one place to another, and the same way back: from Hull to Oslo."""

from .lexicon import STOP_WORDS
from .text import Text

BY = frozenset("by von durch par por".split())  # before the one who does what is done
ROUTE_START = frozenset("from left leaves leave leaving started starts departed departs".split())
ROUTE_END = frozenset(
    "to into towards toward till until onto reached reaches arrived arrives ended ends".split()
)


def has_exchanged_route(answer: Text, reference: Text) -> bool:
    """Return whether an answer goes from where the reference goes to, and the other way round."""
    said, wanted = read_route(answer), read_route(reference)
    if not said or not wanted:
        return False
    return not said[0].isdisjoint(wanted[1]) and not said[1].isdisjoint(wanted[0])


def read_route(text: Text) -> tuple[set[str], set[str]] | None:
    """Return the stems of where something goes from, and of where to.

    It is empty where a text does not say both.
    """
    starts = [i for i, word in enumerate(text.words) if word in ROUTE_START]
    ends = [i for i, word in enumerate(text.words) if word in ROUTE_END]
    has_by = not BY.isdisjoint(text.words)
    if not starts and not has_by and len(ends) == 1 and 0 < ends[0] < len(text.words) - 1:
        return read_route_without_start(text, ends[0])
    if not starts or not ends:
        return None
    start = starts[0]
    end = next((i for i in ends if i > start), ends[-1])
    n_words = len(text.words)
    source = collect_places(text, range(start + 1, end if end > start else n_words))
    target = collect_places(text, range(end + 1, n_words if end > start else start))
    return source - target, target - source


def read_route_without_start(text: Text, end: int) -> tuple[set[str], set[str]]:
    """Return the stems before "to" or "into", and those behind it: milk into the tea."""
    source = collect_places(text, range(end))
    target = collect_places(text, range(end + 1, len(text.words)))
    return source - target, target - source


def collect_places(text: Text, words: range) -> set[str]:
    """Return the stems of some words that tell something, without their comparatives."""
    stems = [text.stems[i] for i in words if text.words[i] not in STOP_WORDS]
    return {strip_comparative(stem) for stem in stems}


def strip_comparative(stem: str) -> str:
    """Return an adjective without its comparative: hotter is hot, colder is cold."""
    if not stem.endswith("er") or len(stem) < 5:
        return stem
    return stem[:-3] if stem[-3] == stem[-4] else stem[:-2]
