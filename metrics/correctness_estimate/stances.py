"""What takes a match back or stands by it: denials, contrasts, what others say, and a rival in its place."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from .wording import Text
from .word_lists import ASIDE, ASSERTED, BARRING, CONTRAST, CUES, HAN_ASIDE, HAN_ASSERTED, STOP
from .matching import Match, beside, clauses_of

# What may stand before a negator that denies what comes after it, and no verb.
BARE = re.compile(r"(?:(?:and|but|so|definitely|certainly|surely|absolutely|of|course|really)\b ?)*"
                  r"(?:(?:it|this|that) (?:is|was)|it's|that's)?|而|是|而是")  # fmt: skip
# What takes a match back (asserted: stands by it), and where it stands beside the match and a rival.
STANCES = ("denied", "untrue", "aside", "asserted")
ON_MATCH, ON_RIVAL = ("before", "after", "then_rival", "next"), ("rival_before", "rival_after", "then_match")
ZONES = ("before", "after", "rival_before", "rival_after", "then_rival", "then_match", "next", "elsewhere")
AUXILIARY = frozenset(
    "is are was were be been am has have had can could will would shall should may might must do does did".split()
)
# What comes before these says what to think of what follows.
CLAIMING = frozenset("that whether 说 为 明 信".split())


def stance_features(
    answer: Text, reference: Text, question: Text, found: Match, here: range
) -> Iterator[tuple[str, float]]:
    """Yield what takes the match back or stands by it: in its own clause and beside it, before it and after it.

    Where the reference denies, too, `differing_denial` compares the two, and nothing here counts as a denial.
    """
    words, untrue = answer.words, set(answer.untrue)
    denials = {i for i in answer.denials if not quoted(answer, i, question)}
    if reference.denials or reference.untrue:
        denials, untrue = set(), set()
    region = beside(answer, here)
    clauses = clauses_of(answer, found)
    new = [i for i in region if answer.stems[i] not in reference.places and answer.stems[i] not in question.places]
    rival = rival_of(answer, reference, found, [i for i in new if words[i] not in STOP | CUES and i not in untrue])
    zone = {i: zone_of(answer, i, found, clauses, rival) for i in region}
    claimed = max((i for i in here if i < found.start and words[i] in CLAIMING), default=-1)
    cues = ((ASIDE, HAN_ASIDE), (ASSERTED, HAN_ASSERTED))
    listed = [{i for i in new if words[i] in known} | answer.found(chinese) for known, chinese in cues]
    balance = 0.0
    for kind, places in zip(STANCES, (denials, untrue, *listed), strict=True):
        stands = [zone[i] for i in places if i in zone]
        for name in ZONES:
            yield f"{kind}_{name}", min(3.0, stands.count(name))
        if kind in ("denied", "untrue"):
            yield f"{kind}_claim", min(3.0, sum(i in places for i in here if i < claimed)) if claimed >= 0 else -1.0
        side = 1 if kind == "asserted" else -1
        balance += side * sum((name in ON_MATCH) - (name in ON_RIVAL) for name in stands)
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
    main = [i for i in denials if i in here and denies_verb(words, i)]
    restating = Counter(answer.sentence[i] for i in here if answer.stems[i] in question.places and words[i] not in STOP)
    solid = len(set(question.solid)) or 1
    yield "denied_verb", min((abs(answer.clause[found.start] - answer.clause[i]) for i in main), default=9.0)
    yield "denied_asked", max((restating[answer.sentence[i]] / solid for i in main), default=-1.0)
    yield "denied_all", min(4.0, len(denials))
    yield "stance", max(-4.0, min(4.0, balance + (len(contrasts) > len(barred)) - 4 * bool(barred)))


def quoted(answer: Text, at: int, question: Text) -> bool:
    """Return whether the question has a negator with the same word before or after it: "the song It Ain't Me"."""
    stems, own = answer.stems, question.stems
    return any(
        (at and i and own[i - 1] == stems[at - 1]) or own[i + 1 : i + 2] == stems[at + 1 : at + 2] != []
        for i in question.places.get(stems[at], ())
    )


def denies_verb(words: Sequence[str], at: int) -> bool:
    """Return whether a negator denies a verb: was not, didn't, never, no longer, 不, 没."""
    word, before = words[at], words[at - 1] if at else ""
    if word in ("no", "not"):
        return before in AUXILIARY or words[at + 1 : at + 2] == ["longer"]
    return word.endswith(("n't", "nt")) or word in ("never", "cannot", "不", "没", "未")


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


def denies_another(answer: Text, at: int, found: Match, new: set[int]) -> bool:
    """Return whether a negator bears on something that neither reference nor question has, as in "X, not Y"; the verb
    of a sentence, as in "X was not found", is another matter.
    """
    same = [i for i in range(max(at - 6, 0), min(at + 5, len(answer.words))) if answer.clause[i] == answer.clause[at]]
    before, borne = [answer.words[i] for i in same if i < at], [i for i in same if i > at]
    other = [i for i in borne if i in new and answer.words[i] not in STOP | CUES and i not in answer.untrue]
    bare = bool(BARE.fullmatch(" ".join(before)))
    return bare and bool(other) and not any(found.start <= i <= found.end for i in borne)
