"""Cues that take an answer back or support it: denials, contrasts, claims.

A cue is a word that denies, calls something untrue, sets something aside or asserts it. The match
is where the answer has the words of the reference. The rival is the nearest new words of the same
sort, which may be another answer. By its place a cue applies to the match or to the rival.

Refusals are found here, too.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from .denials import denies_verb, stands_before_reason
from .lexicon import (
    ASIDE_WORDS,
    ASSERTING_WORDS,
    BARRING_WORDS,
    CHINESE_ASIDE,
    CHINESE_ASSERTING,
    CONTRASTS,
    CUES,
    NAMING_PHRASE,
    REFUSAL,
    STOP_WORDS,
)
from .matching import Match, add_neighbours, find_clauses
from .text import CachedProperty, Text, is_negator

# Zones of an answer (`Stance.find_zone`) in which a cue applies to the match, and to the rival.
ON_MATCH = frozenset({"before", "after", "next", "between, of the match"})
ON_RIVAL = frozenset({"before rival", "after rival", "between, of the rival"})
MOST_CUES = 3.0  # cues of a kind that count
# Values of features without a rival, a denial, a denied verb or a claim.
NO_RIVAL_DISTANCE = 20.0
NO_RIVAL_IN_CLAUSE = -1.0
NO_DENIAL_DISTANCE = 20.0
NO_DENIED_VERB = 9.0
NO_RIVAL_TO_COMPARE = 5.0
NO_CLAIM = -1.0
NO_DENIED_QUESTION = -1.0
LARGEST_BALANCE = 4.0  # of cues, and of words of the question
BARRING_DISTANCE = 4  # words between "rather than" and the match
BARRED_STANCE = 4.0  # what "rather than" before the match takes from the balance
NO_RIVAL_WORDS = STOP_WORDS | CUES
# A question with one of these names an opponent, so a contrast answers it.
RIVALRY = frozenset(
    "beat beats beaten defeat defeats defeated fight fights fought against versus vs over win "
    "wins won replaced "
    "replace replaces succeed succeeds succeeded".split()
)
# Last words of contrasts. Only at these a contrast is looked for.
CONTRAST_ENDS = BARRING_WORDS | {last for _, last in CONTRASTS}
# Words that introduce a claim: it is false that ...
CLAIMING = frozenset("that whether 说 为 明 信".split())
# Adverbs that set something aside before a word for an opinion: widely believed, once thought.
FREQUENCY_ADVERBS = frozenset("once widely often commonly usually sometimes frequently".split())
OPINIONS = frozenset(
    "believed thought said called known assumed credited considered regarded attributed cited "
    "named mentioned supposed claimed confused mistaken taken held guessed reported "
    "suggested".split()
)
ADVERB_REACH = 2  # words between such an adverb and the word for an opinion
LONGEST_REFUSAL = 2000  # characters in which a refusal is looked for


def is_plain(words: Sequence[str], i: int) -> bool:
    """Return whether a word that may set something aside does not: used in, that would be.

    "Used to be" does, and "widely believed".
    """
    word, following = words[i], words[i + 1 : i + 2]
    if word == "used":
        return following != ["to"]
    if word == "would":
        return following == ["be"] and words[i - 1 : i] in (["that"], ["it"], ["this"])
    return word in FREQUENCY_ADVERBS and OPINIONS.isdisjoint(words[i + 1 : i + 1 + ADVERB_REACH])


@dataclass(frozen=True)
class Stance:
    """The cues of an answer around its match.

    Attributes:
        answer, reference, question: the texts.
        match: where the answer has the reference's words.
        sentences: the words of the match's sentences.
    """

    answer: Text
    reference: Text
    question: Text
    match: Match
    sentences: range

    @CachedProperty
    def region(self) -> range:
        """The words of the match's sentences and of their neighbours."""
        return add_neighbours(self.answer, self.sentences)

    @CachedProperty
    def clauses(self) -> set[int]:
        """The clauses of the match."""
        return find_clauses(self.answer, self.match)

    @CachedProperty
    def denials(self) -> set[int]:
        """The negators, without those that the question quotes.

        Empty if the reference denies, too: facts.py and contradictions.py compare denials.
        """
        if self.reference.denials or self.reference.untrue:
            return set()
        denials = {i for i in self.answer.denials if not is_quoted(self.answer, i, self.question)}
        fact = self.match.start
        reasons = {i for i in denials if stands_before_reason(self.answer, i, fact, self.question)}
        return denials - reasons

    @CachedProperty
    def new_words(self) -> list[int]:
        """The words of the region that neither the reference nor the question has."""
        stems, expected, asked = self.answer.stems, self.reference.places, self.question.places
        return [i for i in self.region if stems[i] not in expected and stems[i] not in asked]

    @CachedProperty
    def rival(self) -> range:
        """The run of new words of the reference's sort that stands nearest to the match."""
        words, untrue = self.answer.words, set(self.answer.untrue)
        new_words = [i for i in self.new_words if words[i] not in NO_RIVAL_WORDS]
        candidates = [i for i in new_words if i not in untrue and not is_negator(words[i])]
        return find_rival(self.answer, self.reference, self.match, candidates)

    @CachedProperty
    def cues(self) -> dict[str, set[int]]:
        """The places of each kind of cue."""
        aside, asserted = self.find_aside_words(), self.select_new(ASSERTING_WORDS)
        return {
            "denied": self.denials,
            "untrue": self.find_untrue_words(),
            "aside": aside | self.answer.find_chinese(CHINESE_ASIDE),
            "asserted": asserted | self.answer.find_chinese(CHINESE_ASSERTING),
        }

    def select_new(self, words: Set[str]) -> set[int]:
        """Return the new words of the region that are in a set."""
        return {i for i in self.new_words if self.answer.words[i] in words}

    def find_untrue_words(self) -> set[int]:
        """Return the words for "untrue" that the question lacks; none if the reference denies."""
        if self.reference.denials or self.reference.untrue:
            return set()
        return {i for i in self.answer.untrue if not self.is_asked(i)}

    def find_aside_words(self) -> set[int]:
        """Return the new words that set something aside, without those in a naming phrase."""
        aside = {i for i in self.select_new(ASIDE_WORDS) if not is_plain(self.answer.words, i)}
        return aside - find_phrases(self.answer, NAMING_PHRASE) if aside else aside

    @CachedProperty
    def zones(self) -> dict[str, list[str]]:
        """Where the cues of each kind stand, in the words of `find_zone`."""
        zones = dict[str, list[str]]()
        for kind, places in self.cues.items():
            zones[kind] = [self.find_zone(i) for i in sorted(places) if i in self.region]
        return zones

    def is_asked(self, i: int) -> bool:
        """Return whether the question has a word, too: who was eliminated."""
        return self.answer.stems[i] in self.question.places

    @CachedProperty
    def contrasts(self) -> list[int]:
        """Where a contrast stands in the match's clauses: rather than, instead of, unlike."""
        if not RIVALRY.isdisjoint(self.question.words):
            return []  # "A over B" answers "Who beat B?"
        words = self.answer.words
        return [i for i in self.sentences if words[i] in CONTRAST_ENDS and self.is_contrast(i)]

    def is_contrast(self, i: int) -> bool:
        """Return whether a word, alone or with the one before, sets one thing against another."""
        words = self.answer.words
        ends_pair = i > self.sentences.start and (words[i - 1], words[i]) in CONTRASTS
        if not ends_pair and words[i] not in BARRING_WORDS:
            return False
        repeats_question = self.is_asked(i) and (not ends_pair or self.is_asked(i - 1))
        if repeats_question:
            return False
        is_before_number = i + 1 < len(words) and words[i + 1][0].isdigit()
        is_amount = words[i] == "over" and is_before_number  # over 100
        return not is_amount

    @CachedProperty
    def n_contrasts_on_match(self) -> int:
        """How many contrasts set the match aside.

        The match follows them, or stands before them if "by" comes next.
        """
        count = 0
        for i in self.contrasts:
            is_passive = self.answer.words[i + 1 : i + 2] == ["by"]
            distance = i - self.match.end if is_passive else self.match.start - i
            is_near = 0 < distance <= BARRING_DISTANCE
            if is_near and self.answer.clause[i] in self.clauses:
                count += 1
        return count

    def find_zone(self, i: int) -> str:
        """Return the zone of a word: its place relative to the match and the rival."""
        match, rival = self.match, self.rival
        on_match = self.answer.clause[i] in self.clauses
        if not rival:
            return self.find_zone_by_match(i, on_match)
        on_rival = self.answer.clause[i] == self.answer.clause[rival.start]
        is_match_first = match.start < rival.start
        is_between = min(match.end, rival.stop - 1) < i < max(match.start, rival.start)
        if is_between:
            return self.find_zone_between(i, on_match, on_rival)
        is_on_rivals_side = (i > rival.start) == is_match_first
        if on_rival and (is_on_rivals_side or not on_match):
            return "before rival" if i < rival.start else "after rival"
        if is_match_first and not on_match:
            return "elsewhere"
        return self.find_zone_by_match(i, on_match)

    def find_zone_by_match(self, i: int, on_match: bool) -> str:
        """Return the zone of a word that is not near the rival."""
        if on_match:
            return "before" if i < self.match.start else "after"
        return "next" if i > self.match.end else "elsewhere"

    def find_zone_between(self, i: int, on_match: bool, on_rival: bool) -> str:
        """Return the zone of a word between match and rival."""
        is_match_first = self.match.start < self.rival.start
        if on_match and on_rival:
            # In one clause, an "and" between the two tells to which of them the word belongs.
            joint = self.find_joint(i)
            on_match = i != joint and (i < joint) == is_match_first
            on_rival = i != joint and (i > joint) == is_match_first
        if on_match:
            return "after" if is_match_first else "before"
        if on_rival:
            return "before rival" if is_match_first else "after rival"
        return "between, of the match" if is_match_first else "between, of the rival"

    def find_joint(self, i: int) -> int:
        """Return the "and" between match and rival, or the given word if there is none."""
        start = min(self.match.end + 1, self.rival.stop)
        end = max(self.match.start, self.rival.start)
        between = self.answer.words[start:end]
        return start + between.index("and") if "and" in between else i

    def count_claims(self, kind: str) -> float:
        """Return how many cues of a kind stand before the last "that" in front of the match.

        At most MOST_CUES; NO_CLAIM without a "that".
        """
        before_match = range(self.sentences.start, min(self.match.start, self.sentences.stop))
        claims = [i for i in before_match if self.answer.words[i] in CLAIMING]
        if not claims:
            return NO_CLAIM
        before_claim = range(self.sentences.start, claims[-1])
        return min(MOST_CUES, sum(i in self.cues[kind] for i in before_claim))

    def balance(self) -> float:
        """Return how far the cues support the match (above 0) or take it back (below 0).

        The number is bounded by LARGEST_BALANCE on both sides.
        """
        balance = 0.0
        for kind, zones in self.zones.items():
            side = 1 if kind == "asserted" else -1
            on_match = sum(zone in ON_MATCH for zone in zones)
            on_rival = sum(zone in ON_RIVAL for zone in zones)
            balance += side * (on_match - on_rival)
        if len(self.contrasts) > self.n_contrasts_on_match:
            balance += 1
        if self.n_contrasts_on_match:
            balance -= BARRED_STANCE
        return clip_balance(balance)


def stance_features(stance: Stance) -> Iterator[tuple[str, float]]:
    """Yield features that tell what takes the match back, and where the rival stands."""
    yield from cue_features(stance)
    yield from denial_features(stance)
    yield from rival_features(stance)


def cue_features(stance: Stance) -> Iterator[tuple[str, float]]:
    """Yield how many cues apply to the match, and whether they take it back."""
    zones = stance.zones
    for kind in ("denied", "untrue"):
        n_on_match = sum(zone in ON_MATCH for zone in zones[kind])
        yield f"{kind}_on_match", min(MOST_CUES, n_on_match)
    yield "denied_before", min(MOST_CUES, zones["denied"].count("before"))
    yield "set_aside_before", min(MOST_CUES, zones["aside"].count("before"))
    yield "untrue_claim", stance.count_claims("untrue")
    yield "barred", float(stance.n_contrasts_on_match > 0)
    yield "stance", stance.balance()


def denial_features(stance: Stance) -> Iterator[tuple[str, float]]:
    """Yield how near the denials of the match's sentences are, and what they deny."""
    answer, start = stance.answer, stance.match.start
    denials = [i for i in stance.denials if i in stance.sentences]
    distances = [abs(i - start) for i in denials]
    yield "denied_distance", min(distances, default=NO_DENIAL_DISTANCE)
    verbs = [i for i in denials if denies_verb(answer.words, i)]
    clauses_apart = [abs(answer.clause[start] - answer.clause[i]) for i in verbs]
    yield "denied_verb", min(clauses_apart, default=NO_DENIED_VERB)
    yield "denied_question", measure_denied_question(stance, verbs)


def rival_features(stance: Stance) -> Iterator[tuple[str, float]]:
    """Yield how near the rival is, and how much of the question stands beside it."""
    match, rival = stance.match, stance.rival
    if rival:
        distance = max(rival.start - match.end, match.start - rival.stop + 1)
        yield "rival_distance", min(NO_RIVAL_DISTANCE, distance)
        yield "rival_in_clause", float(stance.answer.clause[rival.start] in stance.clauses)
    else:
        yield "rival_distance", NO_RIVAL_DISTANCE
        yield "rival_in_clause", NO_RIVAL_IN_CLAUSE
    yield "rival_asked", compare_asked_words(stance)


def measure_denied_question(stance: Stance, verbs: Sequence[int]) -> float:
    """Return the share of the question's words that a sentence with a denied verb repeats.

    Of several such sentences, the highest share counts.
    """
    if not verbs:
        return NO_DENIED_QUESTION
    answer, question = stance.answer, stance.question
    n_repeated = Counter[int]()
    for i in stance.sentences:
        if answer.stems[i] in question.places and answer.words[i] not in STOP_WORDS:
            n_repeated[answer.sentence[i]] += 1
    n_asked = len(set(question.content)) or 1
    return max(n_repeated[answer.sentence[i]] / n_asked for i in verbs)


def compare_asked_words(stance: Stance) -> float:
    """Return how many more words of the question the match's clause has than the rival's.

    The number is bounded by LARGEST_BALANCE on both sides.
    """
    if not stance.rival:
        return NO_RIVAL_TO_COMPARE
    answer = stance.answer
    asked = Counter[int]()
    for i in stance.region:
        if answer.stems[i] in stance.question.places and answer.words[i] not in STOP_WORDS:
            asked[answer.clause[i]] += 1
    by_match = max((asked[clause] for clause in stance.clauses), default=0)
    by_rival = asked[answer.clause[stance.rival.start]]
    return clip_balance(by_match - by_rival)


def clip_balance(balance: float) -> float:
    """Return a number within LARGEST_BALANCE on both sides of 0."""
    return max(-LARGEST_BALANCE, min(LARGEST_BALANCE, balance))


def find_phrases(text: Text, pattern: re.Pattern[str]) -> set[int]:
    """Return the words of all matches of a pattern."""
    words = set[int]()
    for match in pattern.finditer(text.lower):
        words.update(text.words_between(match.start(), match.end()))
    return words


def is_quoted(answer: Text, i: int, question: Text) -> bool:
    """Return whether the question has the same negator beside the same word.

    The negator may be part of a title: the song "It Ain't Me".
    """
    stems, asked = answer.stems, question.stems
    negator = stems[i]
    places = [
        *question.places.get(negator, ()),
        *question.places.get(negator.replace("'", ""), ()),
    ]
    following = stems[i + 1 : i + 2]
    for place in places:
        if i > 0 and place > 0 and asked[place - 1] == stems[i - 1]:
            return True
        if following and asked[place + 1 : place + 2] == following:
            return True
    return False


def find_rival(
    answer: Text,
    reference: Text,
    match: Match,
    candidates: Sequence[int],
) -> range:
    """Return the run of words that may be another answer.

    It is the nearest to the match among the runs of candidates of the reference's sort.
    """
    if not match.inside:
        return range(0)

    def measure_distance(run: range) -> int:
        return max(run.start - match.end, match.start - run.stop)

    for run in sorted(list_runs(answer, candidates), key=measure_distance):
        if is_same_sort(answer, run, reference):
            return run
    return range(0)


def list_runs(text: Text, places: Sequence[int]) -> list[range]:
    """Return the runs of words that stand side by side in a clause, but for one word."""
    runs = list[range]()
    start = stop = -2  # of the last run
    for i in places:
        # One word may be left out.
        if i - stop <= 1 and text.clause[i] == text.clause[i - 1]:
            runs.pop()
        else:
            start = i
        stop = i + 1
        runs.append(range(start, stop))
    return runs


def is_same_sort(answer: Text, run: range, reference: Text) -> bool:
    """Return whether words are of the reference's sort: numbers, names, or any words."""
    if reference.quantities:
        return any(answer.stems[i][0].isdigit() for i in run)
    if not any(shown[0].isupper() for shown in reference.shown):
        return True
    return has_name(answer, run)


def has_name(text: Text, run: range) -> bool:
    """Return whether some words have part of a name."""
    return any(start < run.stop and run.start < end for start, end in text.names)


def find_refusal(text: Text) -> re.Match[str] | None:
    """Return the words with which a text refuses to answer or says that it does not know."""
    return REFUSAL.search(text.lower[:LONGEST_REFUSAL])
