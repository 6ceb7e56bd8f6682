"""Another thing in the place that the question asks for, and the reference in another place.

"He was charged with fraud but convicted of theft" answers "What was he convicted of?" with theft:
the words of the question stand beside the other thing. "Formerly Java, now Kotlin" answers a
question about today with Kotlin.
"""

import re
from collections.abc import Iterator, Sequence

from .candidates import PREPOSITIONS
from .lexicon import BE, IRREGULAR_FORMS, IRREGULAR_PAST, STOP_WORDS, TURNING_WORDS
from .matching import Match
from .text import Text
from .opposites import find_root, is_derived, is_same_degree

LONGEST_ANSWER = 30  # words of an answer whose clauses are compared
LONGEST_PAIR = 18  # words of an answer that sets two things side by side
LONGEST_OTHER = 2  # words that the match's clause says of it
LONGEST_RIVAL = 3  # words of another thing
SHORTEST_STEM = 4  # letters that two forms of a word share: convict, conviction
VERB_ENDINGS = ("ed", "s")
# Words that tell nothing new of a thing.
EMPTY_WORDS = STOP_WORDS | BE | TURNING_WORDS | frozenset("one other".split())
CONDITIONS = frozenset("if when after once since because as".split())
CIRCUMSTANCES = frozenset("when where how why".split())
SPLITTING_WORDS = frozenset("and und et y e".split())

LINKING_WORDS = frozenset("it its this that which who by they i".split())

# Words for what was so, and for what has been so since then.
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
    """Return the words with which an answer gives another thing in place of the reference, or "".

    Args:
        answer: the answer.
        question: the question.
        references: all references; what they have is no other thing.
        match: where the answer has the reference that counts.
    """
    if not 2 < len(answer.words) <= LONGEST_ANSWER or answer.denials:
        return ""
    finder = RivalFinder(answer, question, references, match)
    return finder.find_successor() or finder.find_better_clause()


class RivalFinder:
    """Looks for another thing in the place that a question asks for.

    Attributes:
        answer, question: the texts.
        references: all references.
        match: the words of the answer that the reference has.
        is_name: whether these are a name.
        asked: the stems of the question's words that tell something.
    """

    def __init__(
        self, answer: Text, question: Text, references: Sequence[Text], match: Match
    ) -> None:
        """Read which words the question has, and what the match is."""
        self.answer = answer
        self.question = question
        self.references = references
        self.match = range(match.start, match.end + 1)
        self.is_name = answer.shown[match.end][0].isupper()
        self.asked = [find_root(word) for word in question.words if word not in STOP_WORDS]

    # ---- once and now

    def find_successor(self) -> str:
        """Return what has come in the place of the match: formerly Java, now Kotlin.

        Return "" if the question asks for what was, or nothing has come in its place.
        """
        lower = self.question.lower
        if ASKS_FOR_PAST.search(lower) or not ASKS_FOR_TODAY.search(lower):
            return self.find_after(BELIEF, TRUTH)
        answer = self.answer
        start = answer.starts[self.match.start]
        is_left = CHANGE_FROM.search(answer.lower[:start]) is not None
        following = self.match.stop
        if is_left and answer.words[following : following + 1] == ["to"]:
            rival = self.find_new_thing(range(following + 1, len(answer.words)))
            return self.quote(rival)
        return self.find_after(PAST, PRESENT) or self.find_after(BELIEF, TRUTH)

    def find_after(self, before: re.Pattern[str], after: re.Pattern[str]) -> str:
        """Return a new thing in a clause with one pattern, behind the match's with another one.

        Return "" if there is none, or the later clause has the reference, too.
        """
        own = range(0)
        for segment in self.list_segments():
            if self.match.start in segment:
                own = segment
            elif not own or self.has_reference(segment):
                continue
            elif before.search(self.read_segment(own)) and after.search(self.read_segment(segment)):
                return self.quote(self.find_new_thing(segment))
        return ""

    # ---- the clause that has the words of the question

    def find_better_clause(self) -> str:
        """Return another thing that has more words of the question beside it than the match.

        The match's own clause must say something else of it: the green one is neutral.
        Return "" where there is none.
        """
        segments = self.list_segments()
        own = next(segment for segment in segments if self.match.start in segment)
        if not self.sets_side_by_side() or not self.says_something_else(own):
            return ""
        own_words = self.find_asked_words(own)
        for segment in segments:
            is_condition = self.answer.words[segment.start] in CONDITIONS
            if segment == own or is_condition or self.has_reference(segment):
                continue
            rival = self.find_new_thing(segment)
            says_more = own_words < self.find_asked_words(segment)
            if says_more and rival and not self.list_new_words(segment, rival):
                return self.quote(rival)
        return ""

    def sets_side_by_side(self) -> bool:
        """Return whether an answer is short enough to set two things side by side, and no title."""
        is_short = len(self.answer.words) <= LONGEST_PAIR and ":" not in self.answer.text
        asks_for_thing = CIRCUMSTANCES.isdisjoint(self.question.words)
        return is_short and asks_for_thing and (len(self.references) == 1 or not self.is_name)

    def says_something_else(self, own: range) -> bool:
        """Return whether the match's clause has a verb of its own and says something new of it.

        A pronoun or "by" may stand for what the question asks: it is German, played by Ann.
        """
        words = self.answer.words[own.start : own.stop]
        # Behind "and" a verb alone goes on with the clause before: it is old and means twin.
        first = own.start + 1 + (words[0] in SPLITTING_WORDS)
        has_verb = any(self.is_verb(i) for i in range(first, own.stop))
        if not LINKING_WORDS.isdisjoint(words) or not has_verb:
            return False
        return 0 < len(self.list_new_words(own, self.match)) <= LONGEST_OTHER

    # ---- clauses and their words

    def list_segments(self) -> list[range]:
        """Return the clauses of the answer; "and" begins a new one, too."""
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

    def read_segment(self, segment: range) -> str:
        """Return the text of a clause in lower case."""
        start = self.answer.starts[segment.start]
        last = segment.stop - 1
        return self.answer.lower[start : self.answer.starts[last] + len(self.answer.shown[last])]

    def quote(self, rival: range) -> str:
        """Return the words of another thing as they were written, or ""."""
        return self.answer.span(rival.start, rival.stop) if rival else ""

    def has_reference(self, segment: range) -> bool:
        """Return whether a clause has a word of a reference that the question does not have."""
        return any(self.is_in_reference(i) for i in segment)

    def is_in_reference(self, i: int) -> bool:
        """Return whether a reference, but not the question, has a word that tells something."""
        stem = self.answer.stems[i]
        if self.answer.words[i] in EMPTY_WORDS or stem in self.question.places:
            return False
        return any(stem in reference.places for reference in self.references)

    def find_asked_words(self, segment: range) -> set[int]:
        """Return which of the question's words a clause has, in any form."""
        found = set[int]()
        for i in segment:
            found.update(self.find_asked_word(i))
        return found

    def find_asked_word(self, i: int) -> Iterator[int]:
        """Yield which word of the question a word is, in any form."""
        if self.answer.words[i] in STOP_WORDS:
            return
        root = find_root(self.answer.words[i])
        for number, asked in enumerate(self.asked):
            if is_form(root, asked):
                yield number

    def is_verb(self, i: int) -> bool:
        """Return whether a word with a small letter has the form of a verb."""
        word = self.answer.words[i]
        if word in BE:
            return True
        is_verb = word in IRREGULAR_FORMS or word in IRREGULAR_PAST or word.endswith(VERB_ENDINGS)
        return is_verb and self.answer.shown[i].islower()

    def list_new_words(self, segment: range, but: range) -> list[int]:
        """Return the words of a clause that tell something new, but for some."""
        return [i for i in segment if i not in but and self.is_new(i)]

    def is_new(self, i: int) -> bool:
        """Return whether a word tells something that neither question nor references say."""
        word = self.answer.words[i]
        if word in EMPTY_WORDS or word in PREPOSITIONS:
            return False
        if i in self.answer.hedges or self.is_in_reference(i):
            return False
        return not any(True for _ in self.find_asked_word(i)) and not PRESENT.fullmatch(word)

    def find_new_thing(self, segment: range) -> range:
        """Return the new words of a clause if they stand together and are like the match."""
        new = self.list_new_words(segment, self.match)
        if self.is_name:
            new = [i for i in new if self.answer.shown[i][0].isupper()]
        if not new or len(new) > LONGEST_RIVAL or new[-1] - new[0] >= LONGEST_RIVAL:
            return range(0)
        is_name = self.answer.shown[new[-1]][0].isupper()
        has_form = is_name == self.is_name or new[0] == 0
        return range(new[0], new[-1] + 1) if has_form else range(0)


def is_form(root: str, other: str) -> bool:
    """Return whether two roots are forms of one word: convict, conviction; long, longest."""
    if is_derived(root, other) or is_same_degree(root, other):
        return True
    shorter, longer = sorted((root, other), key=len)
    return len(shorter) > SHORTEST_STEM and longer.startswith(shorter)
