"""Find another thing that answers the question, where the reference's words answer another one.

"He was charged with fraud but convicted of theft" answers "What was he convicted of?" with theft,
because the question's words stand next to it. "Formerly Java, now Kotlin" answers a question about
today with Kotlin.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from .candidates import PREPOSITIONS
from .lexicon import BE, IRREGULAR_FORMS, IRREGULAR_PAST, STOP_WORDS, TURNING_WORDS
from .matching import Match
from .text import Text
from .opposites import find_root, is_derived, is_same_degree

LONGEST_ANSWER = 30  # words of an answer whose clauses are compared
LONGEST_PAIR = 18  # words of an answer that compares two things
LONGEST_REMARK = 2  # new words that the match's clause says of it
LONGEST_RIVAL = 3  # words of another thing
SHORTEST_STEM = 4  # letters that two forms of a word share: convict, conviction
VERB_ENDINGS = ("ed", "s")
# Words that tell nothing new of a thing.
EMPTY_WORDS = STOP_WORDS | BE | TURNING_WORDS | frozenset("one other".split())
CONDITIONS = frozenset("if when after once since because as".split())
CIRCUMSTANCES = frozenset("when where how why".split())
SPLITTING_WORDS = frozenset("and und et y e".split())

LINKING_WORDS = frozenset("it its this that which who by they i".split())

# Words for what was so, and for what is so now.
PAST = re.compile(
    r"\b(?:used to|formerly|once|previously|originally|initially|at first|until|till"
    r"|for (?:many |some |several )?(?:years|decades|ages|months)|in the past|früher|ehemals|einst"
    r"|autrefois|jadis|antes|antiguamente)\b"
)
PRESENT = re.compile(
    r"\b(?:now|nowadays|today|currently|these days|since then|then|moved to|switched to"
    r"|changed to|migrated to|replaced (?:it )?(?:by|with)|heute|jetzt|inzwischen|aujourd'hui"
    r"|maintenant|désormais|ahora|hoy|actualmente)\b"
)
# What is only believed, and what is really so.
BELIEF = re.compile(
    r"\b(?:(?:many|most|some|people) (?:\w+ )?(?:think|believe|say|assume|guess)"
    r"|(?:you|one)(?:'d| would) (?:think|expect|guess|say)|pourrait croire|on croit"
    r"|beaucoup pensent|könnte (?:meinen|denken)|viele (?:glauben|denken|meinen)"
    r"|muchos (?:creen|piensan)|se suele (?:creer|pensar))\b"
)
TRUTH = re.compile(
    r"\b(?:but|however|actually|really|in fact|in reality|mais|en réalité|en fait|aber|doch"
    r"|in wirklichkeit|tatsächlich|pero|en realidad|de hecho)\b"
)
CHANGE_FROM = re.compile(
    r"\b(?:switch|chang|mov|migrat|convert|transition)\w{1,5} (?:\w+ )?from (?:the )?$"
)
ASKS_FOR_TODAY = re.compile(r"\b(?:is|are|does|do|has|have|now|current|currently|ist|est|es)\b")
ASKS_FOR_PAST = re.compile(
    r"\b(?:was|were|did|had|old|former|formerly|first|original|originally|previous|before|from"
    r"|war|wurde|était|fue|era)\b"
)


def find_rival(answer: Text, question: Text, references: Sequence[Text], match: Match) -> str:
    """Return the thing that an answer gives in place of the reference, or "".

    Args:
        answer: the answer.
        question: the question.
        references: all references; their words are no rival.
        match: where the answer has the words of the nearest reference.
    """
    if not 2 < len(answer.words) <= LONGEST_ANSWER or answer.denials:
        return ""
    finder = RivalFinder(answer, question, references, match)
    return finder.find_successor() or finder.find_better_clause()


class RivalFinder:
    """Looks for a rival: another thing of the answer that the question asks for.

    Attributes:
        answer, question: the texts.
        references: all references.
        match: the words of the answer that the reference has.
        is_name: whether the match is a name.
        asked_roots: the roots of the question's words that tell something.
    """

    def __init__(
        self, answer: Text, question: Text, references: Sequence[Text], match: Match
    ) -> None:
        """Find the roots of the question, and whether the match is a name."""
        self.answer = answer
        self.question = question
        self.references = references
        self.match = range(match.start, match.end + 1)
        self.is_name = answer.shown[match.end][0].isupper()
        self.asked_roots = [find_root(word) for word in question.words if word not in STOP_WORDS]

    # ---- once and now

    def find_successor(self) -> str:
        """Return what has replaced the match (formerly Java, now Kotlin), or "".

        If the question is not about today, only a mistaken belief can be replaced.
        """
        lower = self.question.lower
        if ASKS_FOR_PAST.search(lower) or not ASKS_FOR_TODAY.search(lower):
            return self.find_after(BELIEF, TRUTH)
        answer, following = self.answer, self.match.stop
        text_before = answer.lower[: answer.starts[self.match.start]]
        if CHANGE_FROM.search(text_before) and answer.words[following : following + 1] == ["to"]:
            return self.quote(self.find_new_thing(range(following + 1, len(answer.words))))
        return self.find_after(PAST, PRESENT) or self.find_after(BELIEF, TRUTH)

    def find_after(self, before: re.Pattern[str], after: re.Pattern[str]) -> str:
        """Return the new thing of a clause behind the match's clause, or "".

        Args:
            before: what the match's clause must have.
            after: what the later clause must have.
        """
        if before.search(self.answer.lower) is None:
            return ""
        segments = self.list_segments()
        own = self.find_own_segment(segments)
        if before.search(self.read_segment(own)) is None:
            return ""
        for segment in segments[segments.index(own) + 1 :]:
            if not self.has_reference(segment) and after.search(self.read_segment(segment)):
                return self.quote(self.find_new_thing(segment))
        return ""

    # ---- the clause that has the words of the question

    def find_better_clause(self) -> str:
        """Return the new thing of a clause that has more words of the question, or "".

        The match's own clause must say something else of the match: the green one is neutral.
        """
        if not self.can_compare_things():
            return ""
        segments = self.list_segments()
        own = self.find_own_segment(segments)
        if len(segments) == 1 or not self.says_something_else(own):
            return ""
        own_words = self.find_asked_words(own)
        for segment in segments:
            if segment == own or not self.can_have_rival(segment):
                continue
            rival = self.find_new_thing(segment)
            has_more_asked_words = own_words < self.find_asked_words(segment)
            if rival and has_more_asked_words and not self.list_new_words(segment, rival):
                return self.quote(rival)
        return ""

    def can_have_rival(self, segment: range) -> bool:
        """Return whether a clause lacks the reference and is no condition: if, when, because."""
        is_condition = self.answer.words[segment.start] in CONDITIONS
        return not is_condition and not self.has_reference(segment)

    def can_compare_things(self) -> bool:
        """Return whether an answer can compare two things: it is short and has no colon.

        The question must ask for a thing. A name with several spellings is not compared.
        """
        if len(self.answer.words) > LONGEST_PAIR or ":" in self.answer.text:
            return False
        asks_for_thing = CIRCUMSTANCES.isdisjoint(self.question.words)
        has_spellings = self.is_name and len(self.references) > 1
        return asks_for_thing and not has_spellings

    def says_something_else(self, own: range) -> bool:
        """Return whether the match's clause has a verb and says something new of the match.

        A pronoun or "by" may stand for what the question asks: it is German, played by Ann.
        """
        words = self.answer.words[own.start : own.stop]
        if not LINKING_WORDS.isdisjoint(words):
            return False
        # A verb right after "and" belongs to the clause before: it is old and means twin.
        first = own.start + 1 + (words[0] in SPLITTING_WORDS)
        if not any(self.is_verb(i) for i in range(first, own.stop)):
            return False
        return 0 < len(self.list_new_words(own, self.match)) <= LONGEST_REMARK

    # ---- clauses and their words

    def list_segments(self) -> list[range]:
        """Return the clauses of the answer; "and" begins a clause, too."""
        answer = self.answer
        segments = list[range]()
        first = 0
        for i in range(1, len(answer.words)):
            is_new = answer.clause[i] != answer.clause[i - 1]
            is_joint = answer.words[i] in SPLITTING_WORDS and i not in self.match
            if (is_new or is_joint) and i not in self.match[1:]:
                segments.append(range(first, i))
                first = i
        segments.append(range(first, len(answer.words)))
        return segments

    def find_own_segment(self, segments: Sequence[range]) -> range:
        """Return the clause in which the match begins."""
        return next(segment for segment in segments if self.match.start in segment)

    def read_segment(self, segment: range) -> str:
        """Return the text of a clause in lower case."""
        start = self.answer.starts[segment.start]
        last = segment.stop - 1
        return self.answer.lower[start : self.answer.starts[last] + len(self.answer.shown[last])]

    def quote(self, rival: range) -> str:
        """Return the words of a rival as they were written, or ""."""
        return self.answer.span(rival.start, rival.stop) if rival else ""

    def has_reference(self, segment: range) -> bool:
        """Return whether a clause has a telling word of a reference that the question lacks."""
        return any(self.is_in_reference(i) for i in segment)

    def is_in_reference(self, i: int) -> bool:
        """Return whether a word tells something and a reference, but not the question, has it."""
        stem = self.answer.stems[i]
        if self.answer.words[i] in EMPTY_WORDS or stem in self.question.places:
            return False
        return any(stem in reference.places for reference in self.references)

    def find_asked_words(self, segment: range) -> set[int]:
        """Return the numbers of the question's words that a clause has, in any form."""
        numbers = set[int]()
        for i in segment:
            numbers.update(self.find_asked_word(i))
        return numbers

    def find_asked_word(self, i: int) -> Iterator[int]:
        """Yield the numbers of the question's words of which a word is a form."""
        if self.answer.words[i] in STOP_WORDS:
            return
        root = find_root(self.answer.words[i])
        for number, asked_root in enumerate(self.asked_roots):
            if is_form(root, asked_root):
                yield number

    def is_verb(self, i: int) -> bool:
        """Return whether a word with a small letter has the form of a verb."""
        word = self.answer.words[i]
        if word in BE:
            return True
        is_irregular = word in IRREGULAR_FORMS or word in IRREGULAR_PAST
        has_verb_form = is_irregular or word.endswith(VERB_ENDINGS)
        return has_verb_form and self.answer.shown[i].islower()

    def list_new_words(self, segment: range, excluded: range) -> list[int]:
        """Return the words of a clause, outside an excluded range, that tell something new."""
        return [i for i in segment if i not in excluded and self.is_new(i)]

    def is_new(self, i: int) -> bool:
        """Return whether a word tells something that neither question nor references say."""
        word = self.answer.words[i]
        if word in EMPTY_WORDS or word in PREPOSITIONS or PRESENT.fullmatch(word):
            return False
        if i in self.answer.hedges or self.is_in_reference(i):
            return False
        return next(self.find_asked_word(i), None) is None

    def find_new_thing(self, segment: range) -> range:
        """Return the new words of a clause if they stand together and are like the match."""
        new = self.list_new_words(segment, self.match)
        if self.is_name:
            new = [i for i in new if self.answer.shown[i][0].isupper()]
        if not new:
            return range(0)
        first, last = new[0], new[-1]
        if len(new) > LONGEST_RIVAL or last - first >= LONGEST_RIVAL:
            return range(0)
        # The first word of an answer has a capital in any case.
        is_name = self.answer.shown[last][0].isupper()
        has_same_form = is_name == self.is_name or first == 0
        return range(first, last + 1) if has_same_form else range(0)


@lru_cache(maxsize=8192)
def is_form(root: str, other: str) -> bool:
    """Return whether two roots are forms of one word: convict, conviction; long, longest."""
    if is_derived(root, other) or is_same_degree(root, other):
        return True
    shorter, longer = sorted((root, other), key=len)
    return len(shorter) > SHORTEST_STEM and longer.startswith(shorter)
