"""What is measured of an answer beside its references and the question: 107 features, each a number.

`measure` is what scoring.py calls; each function below it yields the features of one kind by their names. A name begins
with the kind of evidence that it is: recall_ (the reference is there), denied_, several_, differs_ and so on.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .differences import VERB, Difference, besides, differing_denial, differing_names, differing_quantities
from .final_answer import boxed
from .quantities import Quantity, agree
from .wording import (
    ASIDE,
    ASSERTED,
    BARRING,
    CONTRAST,
    CUES,
    HAN_ASIDE,
    HAN_ASSERTED,
    REFUSAL,
    STOP,
    Text,
    alike,
)

ALIKE = 0.7  # by pairs of characters: words from here on are taken for one in two spellings
NEAR = 400  # words around a match that are looked at in a sentence without end
# Words that only a sentence has, and no list of things.
CLAUSE = frozenset("it he she they we i you there this because that which if when while not can will do does".split())
# What may stand before a negator that denies what comes after it, and no verb.
BARE = re.compile(r"(?:(?:and|but|so|definitely|certainly|surely|absolutely|of|course|really)\b ?)*"
                  r"(?:(?:it|this|that) (?:is|was)|it's|that's)?|而|是|而是")  # fmt: skip
# What takes a match back (asserted: stands by it), and where it stands beside the match and a rival.
STANCES = ("denied", "untrue", "aside", "asserted")
ZONES = ("before", "after", "rival_before", "rival_after", "then_rival", "then_match", "next", "elsewhere")
# The same by sentences alone, whatever the rival: in that of the match before and after it, in others.
PLACES = ("sentence_before", "sentence_after", "earlier", "later")
# What comes before these says what to think of what follows.
CLAIMING = frozenset("that whether 说 为 明 信".split())
# So that long texts cost no more than their length: words of a reference, and places of one word, that are looked at.
MOST_WORDS, MOST_PLACES = 200, 50
LONGEST_VALUE = 6  # words of a reference that is a value and no sentence
MOST_TOGETHER = 1000  # numbers and dates of all references of an answer


class Match(NamedTuple):
    """Where an answer has the words of a reference.

    `wanted` are the words of the reference that the answer has to bring (their places), `exact` the share of them that
    it has letter by letter, `found` pairs (place in the answer, place in the reference), `spelling` the likeness and
    place of the most similar word for those that it has not, `grams` the share of the reference's three characters.
    From `start` to `end` the answer has most of them together: `inside`.
    """

    wanted: list[int]
    exact: float
    found: list[tuple[int, int]]
    spelling: dict[int, tuple[float, int]]
    grams: float
    start: int
    end: int
    inside: int


def wanted_words(reference: Text, question: Text) -> list[int]:
    """Return which words of a reference tell something: no stop words, none of the question's, unless all are."""
    solid = [i for i, word in enumerate(reference.words) if word not in STOP]
    new = [i for i in solid if reference.stems[i] not in question.places]
    return (new or solid or list(range(len(reference.words))))[:MOST_WORDS]


def window(found: list[tuple[int, int]], size: int) -> tuple[int, int, int]:
    """Return start, end and how many different words of the fullest stretch of at most `size` words."""
    best, counts, left, distinct = (0, 0, 0), dict[int, int](), 0, 0
    for place, which in found:
        counts[which] = counts.get(which, 0) + 1
        distinct += counts[which] == 1
        while found[left][0] < place - size or counts[found[left][1]] > 1:
            counts[found[left][1]] -= 1
            distinct -= counts[found[left][1]] == 0
            left += 1
        if distinct > best[2]:
            best = (found[left][0], place, distinct)
    return best


def match(answer: Text, grams: set[str], reference: Text, question: Text, close: bool = True) -> Match:
    """Find the words of a reference in an answer."""
    wanted = wanted_words(reference, question)
    found, spelling, exact = list[tuple[int, int]](), dict[int, tuple[float, int]](), 0
    same = same_quantities(answer, reference)
    for i in wanted:
        places = answer.places.get(reference.stems[i], same.get(i, []))[:MOST_PLACES]
        exact += reference.words[i] in answer.by_word
        found += [(place, i) for place in places]
        if not places and close and len(spelling) < 8:
            spelling[i] = nearest(reference.words[i], answer)
            if spelling[i][0] >= ALIKE:
                found.append((spelling[i][1], i))
    found.sort()
    own = reference.grams()
    start, end, inside = window(found, 2 * len(wanted) + 4)
    share = len(own & grams) / len(own) if own else 0.0
    return Match(wanted, exact / (len(wanted) or 1), found, spelling, share, start, end, inside)


def same_quantities(answer: Text, reference: Text) -> dict[int, list[int]]:
    """Return where the answer has a figure or date of the reference in other words: by the reference's words."""
    found = dict[int, list[int]]()
    for one in reference.quantities:
        own = reference.within(one.start, one.end)
        if all(reference.stems[i] in answer.places for i in own):
            continue
        places = [
            i
            for other in answer.quantities
            if agree(one, other) and ("number" in (one.kind, other.kind) or one.value == other.value)
            for i in answer.within(other.start, other.end)
        ]
        if places:
            found |= dict.fromkeys(own, places)
    return found


def nearest(word: str, answer: Text) -> tuple[float, int]:
    """Return how alike the most similar word of an answer is, and where it stands."""
    best, at = 0.0, -1
    if len(word) > 2 and not word[0].isdigit():
        for other in answer.distinct:
            if abs(len(other) - len(word)) <= 4 and not other[0].isdigit():
                close = alike(word, other)
                if close > best:
                    best, at = close, answer.by_word[other]
    return best, at


def recall_features(answer: Text, reference: Text, question: Text, found: Match) -> Iterator[tuple[str, float]]:
    """Yield how much of the reference the answer has, letter by letter, by stems and by spelling, and where."""
    wanted, have = found.wanted, {i for _, i in found.found}
    count = len(wanted) or 1
    near = [found.spelling[i][0] if i in found.spelling else float(i in have) for i in wanted]
    weights = [2.0 if reference.shown[i][0].isupper() or reference.words[i][0].isdigit() else 1.0 for i in wanted]
    solid = [one for one, word in zip(reference.stems, reference.words, strict=True) if word not in STOP]
    told = [i for i, word in enumerate(answer.words) if word not in STOP and answer.stems[i] not in question.places]
    new = [i for i in told if answer.stems[i] not in reference.places]
    yield "recall", found.exact
    yield "recall_stems", sum(i in have and i not in found.spelling for i in wanted) / count
    yield "recall_spelling", sum(near) / count
    yield "recall_least", min(near, default=0.0)
    yield "recall_weighted", sum(w for w, i in zip(weights, wanted, strict=True) if i in have) / (sum(weights) or 1)
    yield "recall_with_question", sum(one in answer.places for one in solid) / (len(solid) or 1)
    yield "recall_grams", found.grams
    yield "recall_first", near[0] if near else 0.0
    yield "recall_last", near[-1] if near else 0.0
    yield "recall_run", longest_run(answer, reference, found)
    yield "recall_dense", found.inside / (found.end - found.start + 1)
    yield "match_place", found.start / len(answer.words) if found.inside else 1.0
    yield "match_sentence", min(answer.sentence[found.start], 5.0) if found.inside else 6.0
    yield "match_at_end", float(found.inside > 0 and found.end >= len(answer.words) - 3)
    yield "precision", (len(told) - len(new)) / (len(told) or 1)
    yield "new_words", math.log1p(len({answer.words[i] for i in new}))


def longest_run(answer: Text, reference: Text, found: Match) -> float:
    """Return the longest run of neighbouring words that both have, as a share of the reference."""
    best, said, own = 0, answer.stems, reference.stems
    for place, i in found.found[:40]:
        before, after = 0, 1
        while min(place, i) > before and said[place - before - 1] == own[i - before - 1]:
            before += 1
        while place + after < len(said) and i + after < len(own) and said[place + after] == own[i + after]:
            after += 1
        best = max(best, before + after)
    return best / (len(own) or 1)


def around(answer: Text, found: Match) -> range:
    """Return the words of the sentences that the match stands in; of a text without sentences, those near it."""
    start, end = found.start, found.end
    while start and answer.sentence[start - 1] == answer.sentence[found.start] and found.start - start < NEAR:
        start -= 1
    last = len(answer.words) - 1
    while end < last and answer.sentence[end + 1] == answer.sentence[found.end] and end - found.end < NEAR:
        end += 1
    return range(start, end + 1)


def stance_features(
    answer: Text, reference: Text, question: Text, found: Match, here: range
) -> Iterator[tuple[str, float]]:
    """Yield what takes the match back or stands by it: in its own clause and beside it, before it and after it.

    Where the reference denies, too, `differing_denial` compares the two, and nothing here counts as a denial.
    """
    words, denials, untrue = answer.words, set(answer.denials), set(answer.untrue)
    if reference.denials or reference.untrue:
        denials, untrue = set(), set()
    region = beside(answer, here)
    clauses = clauses_of(answer, found)
    new = [i for i in region if answer.stems[i] not in reference.places and answer.stems[i] not in question.places]
    rival = rival_of(answer, reference, found, [i for i in new if words[i] not in STOP | CUES and i not in untrue])
    zone = {i: zone_of(answer, i, found, clauses, rival) for i in region}
    place = {i: place_of(answer, i, found, here) for i in region}
    claimed = max((i for i in here if i < found.start and words[i] in CLAIMING), default=-1)
    cues = ((ASIDE, HAN_ASIDE), (ASSERTED, HAN_ASSERTED))
    listed = [{i for i in new if words[i] in known} | answer.found(chinese) for known, chinese in cues]
    balance = 0.0
    for kind, places in zip(STANCES, (denials, untrue, *listed), strict=True):
        counts = Counter(zone[i] for i in region if i in places)
        for name in ZONES:
            yield f"{kind}_{name}", min(3.0, counts[name])
        sentences = Counter(place[i] for i in region if i in places)
        for name in PLACES:
            yield f"{kind}_{name}", min(3.0, sentences[name])
        yield f"{kind}_claim", min(3.0, sum(i in places for i in here if i < claimed)) if claimed >= 0 else -1.0
        side = 1 if kind == "asserted" else -1
        balance += side * sum(counts[name] for name in ("before", "after", "then_rival", "next"))
        balance -= side * sum(counts[name] for name in ("rival_before", "rival_after", "then_match"))
    yield "rival_first", float(rival.start < found.start) if rival else -1.0
    yield "rival_distance", min(20.0, max(rival.start - found.end, found.start - rival.stop + 1)) if rival else 20.0
    yield "rival_clause", float(answer.clause[rival.start] in clauses) if rival else -1.0
    asked = Counter(answer.clause[i] for i in region if answer.stems[i] in question.places and words[i] not in STOP)
    restated = max((asked[one] for one in clauses), default=0) - (asked[answer.clause[rival.start]] if rival else 0)
    yield "rival_asked", max(-4.0, min(4.0, restated)) if rival else 5.0
    # A contrast stands where it ends: "but" begins a clause, that of what "anyone but" bars.
    contrasts = [i for i in here if words[i] in BARRING or (i > here.start and (words[i - 1], words[i]) in CONTRAST)]
    passive = {i for i in contrasts if words[i + 1 : i + 2] == ["by"]}  # "beaten by" bars what comes before it
    gaps = ((i, i - found.end if i in passive else found.start - i) for i in contrasts if answer.clause[i] in clauses)
    barred = [i for i, gap in gaps if 0 < gap <= 4]
    strange = set(new)
    yield "denied_another", min(3.0, sum(denies_another(answer, i, found, strange) for i in denials if i in region))
    yield "barred", float(bool(barred))
    yield "barred_other", float(len(contrasts) > len(barred))
    yield "denied_distance", min([abs(i - found.start) for i in denials if i in here], default=20.0)
    yield "denied_all", min(4.0, len(denials))
    yield "stance", max(-4.0, min(4.0, balance + (len(contrasts) > len(barred)) - 4 * bool(barred)))


def rival_of(answer: Text, reference: Text, found: Match, new: Sequence[int]) -> range:
    """Return the words that may stand for another answer: new ones side by side, of the reference's sort, near by."""
    runs: list[range] = []
    for i in new:
        if runs and i - runs[-1].stop < 2 and answer.clause[i] == answer.clause[i - 1]:
            runs[-1] = range(runs[-1].start, i + 1)
        else:
            runs.append(range(i, i + 1))
    figure, name = bool(reference.quantities), any(shown[0].isupper() for shown in reference.shown)
    named = {i for start, end in answer.names for i in range(start, end)}

    def fits(run: range) -> bool:
        return any(answer.stems[i][0].isdigit() for i in run) if figure else not name or not named.isdisjoint(run)

    near = (run for run in runs if found.inside and fits(run))
    return min(near, key=lambda run: max(run.start - found.end, found.start - run.stop), default=range(0))


def zone_of(answer: Text, at: int, found: Match, clauses: set[int], rival: range) -> str:
    """Return where a word stands: before or after match or rival in their clauses, between them, next, elsewhere."""
    own, others = answer.clause[at] in clauses, bool(rival) and answer.clause[at] == answer.clause[rival.start]
    first = bool(rival) and found.start < rival.start
    if rival and min(found.end, rival.stop - 1) < at < max(found.start, rival.start):
        if own and others:
            start = min(found.end, rival.stop - 1) + 1
            between = answer.words[start : max(found.start, rival.start)]
            joint = start + between.index("and") if "and" in between else at
            own, others = (at < joint) == first and at != joint, (at > joint) == first and at != joint
        if own:
            return "after" if first else "before"
        if others:
            return "rival_before" if first else "rival_after"
        return "then_rival" if first else "then_match"
    if others and (not own or (at > rival.start) == first):
        return "rival_before" if at < rival.start else "rival_after"
    if own:
        return "before" if at < found.start else "after"
    return "next" if at > found.end and not first else "elsewhere"


def place_of(answer: Text, at: int, found: Match, here: range) -> str:
    """Return where a word stands: in the match's sentence before or after it, in an earlier or a later one."""
    if at not in here:
        return "earlier" if at < here.start else "later"
    return "sentence_before" if at < found.start else "sentence_after"


def denies_another(answer: Text, at: int, found: Match, new: set[int]) -> bool:
    """Return whether a negator bears on something that neither reference nor question has, as in "X, not Y"; the verb
    of a sentence, as in "X was not found", is another matter.
    """
    same = [i for i in range(max(at - 6, 0), min(at + 5, len(answer.words))) if answer.clause[i] == answer.clause[at]]
    before, borne = [answer.words[i] for i in same if i < at], [i for i in same if i > at]
    other = [i for i in borne if i in new and answer.words[i] not in STOP | CUES and i not in answer.untrue]
    bare = bool(BARE.fullmatch(" ".join(before)))
    return bare and bool(other) and not any(found.start <= i <= found.end for i in borne)


def clauses_of(answer: Text, found: Match) -> set[int]:
    """Return which clauses a match stands in."""
    return {answer.clause[i] for i in range(found.start, found.end + 1)} if found.inside else set()


def beside(answer: Text, here: range) -> range:
    """Return the words of some sentences and of those beside them, as far as they are near."""
    if not here:
        return here
    start, end, last = here.start, here.stop, len(answer.words)
    while start and here.start - start < 13 and answer.sentence[start - 1] == answer.sentence[here.start - 1]:
        start -= 1
    while end < last and end - here.stop < 13 and answer.sentence[end] == answer.sentence[here.stop]:
        end += 1
    return range(start, end)


def candidate_features(
    answer: Text, reference: Text, question: Text, found: Match, here: range
) -> Iterator[tuple[str, float]]:
    """Yield what else the answer names, and whether it guesses or says nothing."""
    words = answer.words
    known = reference.places.keys() | question.places.keys()
    strange = [start for start, end in answer.names if not known & set(answer.stems[start:end])]
    figures = (*reference.quantities, *question.quantities)
    ors = [i for i in here if words[i] in ("or", "或")]
    yield "several_or", min(4.0, len(ors))
    yield "several_clauses", min(8.0, answer.clause[here.stop - 1] - answer.clause[here.start] if here else 0.0)
    yield "several_names", min(6.0, sum(i in here for i in strange))
    yield "several_lines", min(6.0, len(re.findall(r"(?m)^[ \t]*(?:[-*•]|\d+[.)])\s", answer.text)))
    yield "several_figures", min(5.0, sum(not any(agree(q, other) for other in figures) for q in answer.quantities))
    region, own = beside(answer, here), clauses_of(answer, found)
    new = [i for i in region if answer.stems[i] not in known and words[i] not in STOP | CUES and i not in answer.untrue]
    for where, inside in (("own", True), ("other", False)):
        some = [i for i in new if (answer.clause[i] in own) == inside]
        yield f"new_{where}_before", min(6.0, sum(i < found.start for i in some))
        yield f"new_{where}_after", min(6.0, sum(i > found.end for i in some))
    yield "names_strange", min(8.0, len(strange))
    yield "hedges", float(sum(i in answer.hedges for i in here))
    yield "hedges_all", min(4.0, len(answer.hedges))
    yield "refusal", float(bool(REFUSAL.search(answer.text[:2000])))


def difference_features(
    answer: Text, reference: Text, question: Text, differences: Sequence[Difference]
) -> Iterator[tuple[str, float]]:
    """Yield how often the answer says something otherwise than the reference."""
    kinds = [one.kind for one in differences]
    for kind in ("date", "name", "given_name"):
        yield f"differs_{kind}", float(kinds.count(kind))
    yield "differs_number", float(kinds.count("number") + kinds.count("unit"))
    agreeing = sum(any(agree(one, other) for other in answer.quantities) for one in reference.quantities)
    yield "figures", agreeing / len(reference.quantities) if reference.quantities else -1.0
    parts = list_parts(reference, question)
    there = sum(2 * sum(s in answer.places for s in part) >= len(part) for part in parts)
    yield "list_found", there / len(parts) if parts else -1.0


def differing_finer(
    answer: Text, reference: Text, others: Sequence[Text], question: Text, told: Sequence[Quantity]
) -> list[Difference]:
    """Return how an answer differs from all references that say the same more exactly: 1979, 21 July 1979."""
    figures = reference.quantities
    finer = [one for one in others if figures and all(any(agree(q, more) for more in one.quantities) for q in figures)]
    found = [differing_quantities(answer, other, question, told) for other in finer]
    return found[0] if found and all(found) else []


def list_parts(reference: Text, question: Text) -> list[list[str]]:
    """Return the stems of each thing that a reference lists; nothing where it is no list of things but a sentence."""
    parts: list[list[str]] = [[]]
    for i, word in enumerate(reference.words):
        if VERB.match(word) or word in CLAUSE:
            return []
        if i and (word in ("and", "和", "与", "及") or reference.clause[i] != reference.clause[i - 1]):
            parts.append([])
        if word not in STOP and reference.stems[i] not in question.places:
            parts[-1].append(reference.stems[i])
    parts = [part for part in parts if part]
    dated = any(one.kind == "date" for one in reference.quantities)
    return parts if 2 <= len(parts) <= 12 and max(map(len, parts)) <= 4 and not dated else []


def shape_features(
    answer: Text, reference: Text, question: Text, references: int, found: Match
) -> Iterator[tuple[str, float]]:
    """Yield lengths, how much of the question comes again, and what is asked for."""
    words = question.words
    how = words.index("how") + 1 if "how" in words else 0
    kinds = (
        "when" in words or ("what" in words and not {"year", "date"}.isdisjoint(words)),
        how and words[how : how + 1] not in (["did"], ["do"], ["does"]),
        "where" in words,
        not {"who", "whose", "whom"}.isdisjoint(words),
        bool(words),
    )
    yield "length", math.log1p(len(answer.words))
    yield "reference_length", math.log1p(len(reference.words))
    yield "reference_names", min(3.0, len(reference.names))
    yield "reference_asked", sum(s in question.places for s in reference.stems) / (len(reference.stems) or 1)
    yield "references", min(8.0, references)
    yield "asked_share", sum(s in question.places for s in answer.stems) / (len(answer.words) or 1)
    yield "asked_recall", sum(s in answer.places for s in question.places) / (len(question.places) or 1)
    yield "asked_kind", float(next((i for i, kind in enumerate(kinds) if kind), len(kinds)))


class Measured(NamedTuple):
    """One answer beside the reference that counts: which it is, what was measured, and the texts."""

    reference: int
    features: dict[str, float]
    differences: list[Difference]
    match: Match
    here: range
    texts: tuple[Text, Text, Text]


def texts_of(references: Sequence[str]) -> list[Text]:
    """Return references as texts; of all their numbers and dates together, so many as are compared."""
    texts, left = [Text(one) for one in references], MOST_TOGETHER
    for one in texts:
        one.quantities = one.quantities[:left]
        left -= len(one.quantities)
    return texts


def final_value(prediction: str, references: Sequence[Text]) -> Text:
    """Return an answer as a text: where it has a number in TeX's box, and a value is wanted, that is the answer."""
    box = boxed(prediction) if "box" in prediction and "\\" in prediction else None
    value = any(one.quantities and len(one.words) <= LONGEST_VALUE for one in references)
    inside = Text(box) if box and value else None
    return inside if inside and inside.quantities else Text(prediction)


def measure(prediction: str, references: Sequence[str], question: str = "") -> Measured:
    """Return an answer compared with the nearest of its references, not yet with a probability."""
    asked, known = Text(question), texts_of(references)
    answer = final_value(prediction, known)
    grams = answer.grams()
    quick = [match(answer, grams, one, asked, close=False) for one in known] if len(known) > 1 else []
    near = [one.exact + one.inside / (len(one.wanted) or 1) + one.grams for one in quick]
    chosen = near.index(max(near)) if near else 0
    reference = known[chosen]
    found = match(answer, grams, reference, asked)
    here = around(answer, found) if found.inside else range(0)
    told = besides(answer, asked)
    differences = differing_quantities(answer, reference, asked, told) + differing_names(answer, reference, asked)
    differences += differing_denial(answer, reference)
    features = dict(recall_features(answer, reference, asked, found))
    features |= stance_features(answer, reference, asked, found, here)
    features |= candidate_features(answer, reference, asked, found, here)
    features |= difference_features(answer, reference, asked, differences)
    finer = differing_finer(answer, reference, [one for one in known if one is not reference], asked, told)
    features["differs_finer"] = float(bool(finer))
    differences = differences or finer
    features |= shape_features(answer, reference, asked, len(known), found)
    features["references_found"] = sum(one > 2.5 for one in near) / len(near) if near else float(found.exact == 1)
    # Two digits after the point: what is finer is chance, and the trees' thresholds stay short.
    features = {name: round(value, 2) for name, value in features.items()}
    return Measured(chosen, features, differences, found, here, (answer, reference, asked))
