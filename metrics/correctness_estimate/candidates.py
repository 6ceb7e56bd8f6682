"""Find other candidates in an answer: things that could stand in place of the reference's words.

A candidate is joined to these words ("Paris and Lyon", "Lyon or Paris", "Paris as well as Lyon"),
or it stands in another clause ("Paris. Lyon is another one", "maybe Paris, maybe Lyon"). It must
have the form of the reference's words: both are names, years or nouns ("a watch", "a ring").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .lexicon import BE, ORDINALS, STOP_WORDS
from .lists import OPEN_WORDS as LIST_OPEN_WORDS
from .matching import Match
from .text import Text
from .opposites import find_root, is_same_degree

LONGEST_NAME = 6  # words
LONGEST_THING = 3  # words of a thing with small letters
LONGEST_PLAIN_THING = 2  # words of a thing without "a" or "the"
SHORTEST_LIST = 3  # words of an answer that may be a series without "and": tennis, football
SHORT_ANSWER = 9  # words of an answer that says two things and nothing else
MOST_CLAUSES = 4  # after the match in which candidates are looked for
LONGEST_CLAUSE = 12  # words of a clause that names a candidate
LONGEST_REMARK = 6  # words before the name of a joint doer: half of the work is by
LONGEST_ASIDE = 4  # words between "and" and a thing: and, in equal measure, beans
EITHER_BEFORE = 4  # words before two things in which "either" stands
EITHER_BEHIND = 8  # words behind two things in which "one of the two" stands

# ---- what joins two things
ADDING_WORDS = frozenset("and y und et sowie plus besides".split())
NOUN_JOINTS = frozenset("plus besides sowie".split())  # only before nouns
# Spanish and Italian "o"; in lists it may be an item: A, B or O.
OPEN_WORDS = LIST_OPEN_WORDS | {"o"}
ADDING_SIGNS, OPEN_SIGN = frozenset({"&", "+"}), "/"
ADDING_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "as well as, along with, together with, jointly with, tied with, in addition to, "
        "in partnership with, in collaboration with, in cooperation with, shared with, "
        "zusammen mit, junto con, junto a, asi como, ainsi que, insieme a, avec l'aide de, "
        "co written with, level with, even with, equal with, joint with, on a par with, "
        "neck and neck with"
    ).split(", ")
)
EITHER_WORDS = frozenset("either entweder soit".split())
UNDECIDED = tuple(f"{word} between" for word in "torn hesitate undecided choice it's".split())
ONE_OF_TWO = ("one of the two", "one of two", "one of them", "one or the other", "not sure which")
# Words between a joint and a thing: and also, or else, or was it.
LEADING_WORDS = frozenset(
    "also else then later even equally again perhaps maybe sometimes occasionally "
    "auch aussi tambien vielleicht peut etre quizas".split()
)

# ---- what a thing begins with, and what it never begins with
DETERMINERS = frozenset(
    "a an another one two three four the his her its their my our your this that der die das ein "
    "eine einen el la los las un una le les une".split()
)
INDEFINITE = frozenset("a an another ein eine einen un una une".split())
RELATIVES = frozenset(
    "brother sister wife husband son daughter father mother friend colleague partner".split()
)
NO_THING = frozenset(
    "it he she they this that which who there one we you i known called very quite rather so no "
    "not nothing nobody more less some any many most much often never always again".split()
)
PREPOSITIONS = frozenset("in on at of for from to with by into over under".split())
VERB_ENDINGS = ("ed", "ly")
ACTION_ENDINGS = ("ing", "ed", "s")
AUXILIARY = BE | frozenset("do does did has have had can could will would may might both".split())

# ---- what says that the same holds for another thing
ALSO_WORDS = frozenset("also too likewise equally another auch aussi tambien".split())
ALSO_PHRASES = ("as well", "just as", "exactly as", "the same", "the other", "a second")
LIKELY_WORDS = frozenset("likely possible plausible probable conceivable".split())
PRO_FORMS = frozenset("one other another second same right well just exactly".split())
NAME_PARTICLES = frozenset("de da di del della du la le van von der den bin ibn al".split())
PARTS = frozenset("half part parts some others rest remainder".split())
FURTHER = frozenset("another other second further".split())
JOINED_BY = frozenset("by was is were being named called".split())
DOER_ENDINGS = ("er", "or", "ist", "ect")  # of nouns that say who does something: author, architect
ASKING_WHO = frozenset("who whom wer wen quien qui 谁".split())
ITSELF = frozenset("it them this that one too also".split())
CONDITIONS = ("unless it is", "unless it was", "unless it's", "unless that is", "if not")
JOINT_WORK = frozenset("co shared split divided tied jointly together along".split())
JOINTS = ADDING_WORDS | OPEN_WORDS | frozenset("but though although while unless if not".split())
# Words that say no more of a thing than that it is so, too.
EMPTY_WORDS = STOP_WORDS | ALSO_WORDS | LIKELY_WORDS | PRO_FORMS | JOINTS | AUXILIARY


@dataclass(frozen=True)
class Candidate:
    """Another thing that could stand in place of the reference's words.

    Attributes:
        words: the range of its words.
        is_open: whether the answer leaves open which of the two it means.
        is_sure: whether the answer clearly means both, so that it counts in a long answer, too.
    """

    words: range
    is_open: bool
    is_sure: bool = False


class CandidateFinder:
    """Looks for other candidates in one answer.

    Attributes:
        answer: the answer.
        reference: the reference whose words the answer has.
        start, end: the first and the last word of the match, the reference's words in the answer.
        known: the question and all references; their words are not new.
        is_name, is_figure: the form of the match.
        has_determiner: whether "a", "the" or the like stands before the match.
    """

    def __init__(self, answer: Text, reference: Text, match: Match, known: Sequence[Text]) -> None:
        """Find the words of the match and their form."""
        self.answer = answer
        self.known = known
        self.start, self.end = match.start, match.end
        while self.end > self.start and not self.is_part_of_match(self.end, reference):
            self.end -= 1
        self.end = self.find_end_of_match(reference)
        self.reference = reference
        self.start = self.find_start_of_match(reference)
        before = answer.words[max(0, match.start - 2) : match.start]
        self.has_determiner = not DETERMINERS.isdisjoint(before)
        has_capital = answer.shown[self.start][0].isupper() and is_capitalized(reference)
        self.is_name = has_capital and INDEFINITE.isdisjoint(before)
        self.is_figure = self.start == self.end and answer.words[self.end].isdigit()

    def find_end_of_match(self, reference: Text) -> int:
        """Return the last word of the match, with words that the question has, too."""
        stems, end = self.answer.stems, self.end
        own = set(stems[self.start : end + 1])
        while not self.ends_clause(end) and stems[end + 1] in reference.places.keys() - own:
            end += 1
            own.add(stems[end])
        return end

    def is_part_of_match(self, i: int, reference: Text) -> bool:
        """Return whether a reference has a word of the answer that is no particle of a name: de."""
        is_small = self.answer.words[i] in NAME_PARTICLES
        return not is_small and self.answer.stems[i] in reference.places

    def find_start_of_match(self, reference: Text) -> int:
        """Return the first word of the match, with words that the question has, too."""
        stems, start = self.answer.stems, self.start
        own = set(stems[start : self.end + 1])
        content = set(reference.content)
        while start > 0 and not self.ends_clause(start - 1) and stems[start - 1] in content - own:
            start -= 1
            own.add(stems[start])
        return start

    # ---- things

    def is_known(self, i: int) -> bool:
        """Return whether the question or a reference has a word of the answer."""
        return any(self.answer.stems[i] in text.places for text in self.known)

    def is_another(self, thing: range) -> bool:
        """Return whether a thing differs from the match: the Red Sea from the Dead Sea."""
        stems = self.answer.stems
        if not thing or all(self.is_known(i) for i in thing):
            return False
        own = set(stems[self.start : self.end + 1])
        last = stems[thing[-1]]
        is_head_known = self.is_known(thing[-1]) and last != stems[self.end]
        return not is_head_known and not own <= set(stems[thing.start : thing.stop])

    def ends_clause(self, i: int) -> bool:
        """Return whether a word is the last of its clause."""
        clause = self.answer.clause
        return i + 1 >= len(clause) or clause[i + 1] != clause[i]

    def read_thing(self, start: int, *, is_noun: bool = False) -> range:
        """Return the range of a thing that has the form of the match, or an empty one.

        Args:
            start: its first word, or a small word before it.
            is_noun: whether only a noun can stand there: behind "as well as", not behind "and".
        """
        words = self.answer.words
        start = self.skip_leading_words(start)
        if start >= len(words) or words[start] in NO_THING - DETERMINERS:
            return range(0)
        if self.is_figure:
            return range(start, start + words[start].isdigit())
        has_determiner = words[start] in DETERMINERS and not self.ends_clause(start)
        start += has_determiner
        if self.is_name:
            return self.read_name(start)
        return self.read_common_thing(start, has_determiner, is_noun)

    def skip_leading_words(self, i: int) -> int:
        """Return the first word of a thing behind small words: or possibly the Nile."""
        answer = self.answer
        while i < len(answer.words) - 1:
            if answer.words[i] in DETERMINERS or not self.is_small(i):
                break
            i += 1
        return i

    def read_name(self, start: int) -> range:
        """Return the range of words with a capital, also behind a word such as "brother"."""
        answer = self.answer
        is_relative = answer.words[start] in RELATIVES and answer.shown[start].islower()
        start += is_relative and not self.ends_clause(start)
        stop = start
        for i in range(start, min(len(answer.words), start + LONGEST_NAME)):
            if not answer.shown[i][0].isupper():
                break
            stop = i + 1
            if self.ends_clause(i):
                break
        return range(start, stop)

    def read_common_thing(self, start: int, has_determiner: bool, is_noun: bool) -> range:
        """Return the range of a thing with small letters, or an empty one: "a necklace".

        Behind "and" a single word may be a verb ("took a watch and ran"). It is a thing if it ends
        the clause and the match has no "a" or "the", or if the match begins the answer.
        """
        stop = self.find_end_of_noun(start)
        is_verb = self.answer.words[start].endswith(VERB_ENDINGS) and not is_noun
        if stop == start or is_verb:
            return range(0)
        thing = range(start, stop)
        if is_noun:
            is_thing = True
        elif has_determiner:
            is_thing = self.has_determiner or self.start <= 1
        else:
            is_thing = self.is_bare_thing(thing)
        return thing if is_thing else range(0)

    def is_bare_thing(self, thing: range) -> bool:
        """Return whether words behind "and" without "a" or "the" are a thing and no verb."""
        words, stop = self.answer.words, thing.stop
        begins_answer = self.start <= self.has_determiner
        if stop < len(words) and words[stop] in AUXILIARY:
            return begins_answer
        if not self.ends_clause(stop - 1):
            return begins_answer and words[stop] in PREPOSITIONS
        is_plain = not self.has_determiner and len(thing) <= LONGEST_PLAIN_THING
        return begins_answer or is_plain

    def find_end_of_noun(self, start: int) -> int:
        """Return the place behind a noun: that of a small word, or behind the clause."""
        answer = self.answer
        longest_stop = min(len(answer.words), start + LONGEST_THING)
        for i in range(start, longest_stop):
            word = answer.words[i]
            if word in STOP_WORDS or word in PREPOSITIONS or word in ALSO_WORDS:
                return i
            if self.ends_clause(i):
                return i + 1
        return longest_stop

    # ---- things that are joined to the match

    def find_joined(self) -> Iterator[Candidate]:
        """Yield the things that "and", "or" or the like join to the match."""
        yield from self.find_joined_behind()
        yield from self.find_joined_before()
        yield from self.find_partner()
        yield from self.find_joint_doer()
        yield from self.find_second_action()

    def find_second_action(self) -> Iterator[Candidate]:
        """Yield a second action if the question asks for what is done: and locks the doors.

        Both actions are verbs with the same ending: turns, locks.
        """
        ending = self.find_action_ending()
        if not ending:
            return
        answer = self.answer
        is_joined = False
        for i in range(self.end + 1, min(len(answer.words) - 1, self.end + LONGEST_CLAUSE)):
            word = answer.words[i]
            is_joined = is_joined or word in ADDING_WORDS or word in ALSO_WORDS
            if is_joined and word.endswith(ending) and not self.is_small(i):
                stop = min(len(answer.words), i + LONGEST_THING)
                yield Candidate(range(i, stop), False, is_sure=True)
                return

    def find_action_ending(self) -> str:
        """Return the ending of the verb with which match and reference begin, or ""."""
        verb = self.answer.words[self.start]
        if self.is_name or verb not in self.reference.words[:1] or not self.asks_for_object():
            return ""
        return next((ending for ending in ACTION_ENDINGS if verb.endswith(ending)), "")

    def find_joint_doer(self) -> Iterator[Candidate]:
        """Yield the names of joint doers: co-designed by Ann, Ann co-designed it, half is by Ann.

        "co" does not count behind "of" and the like: Bob, a co-founder of Acme.
        """
        first, last = self.end + 1, self.end + 1 + 2 * LONGEST_CLAUSE
        for start, stop in self.answer.names:
            is_near = first <= start < min(last, len(self.answer.words))
            if not is_near or self.is_known(start):
                continue
            before = self.answer.words[max(first, start - LONGEST_REMARK) : start]
            is_joint = self.answer.words[stop : stop + 1] == ["co"] or says_joint(before)
            if is_joint or self.names_another(start, before):
                yield Candidate(range(start, stop), False, is_sure=True)

    def names_another(self, start: int, before: Sequence[str]) -> bool:
        """Return whether a name follows "another" and a noun: another author was Ann.

        The noun is one of the question, "one", or a word for a doer: author, designer.

        Args:
            start: the first word of the name.
            before: the words before the name.
        """
        if not JOINED_BY & set(before[-1:]) or not self.is_name:
            return False
        for i in range(max(self.end + 1, start - 2 * LONGEST_ASIDE), start - 1):
            word, noun = self.answer.words[i], self.answer.words[i + 1]
            asks_who = not ASKING_WHO.isdisjoint(self.known[0].words)
            is_doer = asks_who and noun.endswith(DOER_ENDINGS)
            is_same_kind = self.answer.stems[i + 1] in self.known[0].places or noun == "one"
            if word in FURTHER and (is_doer or is_same_kind):
                return True
        return False

    def find_partner(self) -> Iterator[Candidate]:
        """Yield the partner with whom somebody did it together: she co-wrote it with Mars."""
        answer = self.answer
        is_joint = False
        for i in range(self.end + 1, min(len(answer.words) - 1, self.end + LONGEST_CLAUSE)):
            if answer.sentence[i] != answer.sentence[self.end]:
                return
            is_joint = is_joint or answer.words[i] in JOINT_WORK
            if answer.words[i] == "with" and is_joint:
                yield Candidate(self.read_thing(i + 1, is_noun=True), False, is_sure=True)

    def find_joined_behind(self) -> Iterator[Candidate]:
        """Yield the thing that is joined to the match behind it."""
        answer, end = self.answer, self.end
        joint = end + 1
        if joint >= len(answer.words):
            return
        sign = self.read_sign(end, joint)
        if sign:
            thing = self.read_thing(joint, is_noun=True)
            yield Candidate(thing, sign == OPEN_SIGN)
            return
        if self.stands_in_series(joint):
            yield Candidate(self.read_thing(joint), False)
            return
        is_open = answer.words[joint] in OPEN_WORDS
        if answer.sentence[joint] != answer.sentence[end] and not is_open:
            return
        after_phrase = self.skip_phrase(joint)
        if after_phrase:
            yield Candidate(self.read_thing(after_phrase, is_noun=True), False, is_sure=True)
        elif is_open or answer.words[joint] in ADDING_WORDS:
            yield from self.read_behind_joint(joint)

    def read_behind_joint(self, joint: int) -> Iterator[Candidate]:
        """Yield the thing behind "and" or "or", unless it is another name of the match."""
        word = self.answer.words[joint]
        is_open = word in OPEN_WORDS
        start = self.skip_aside(joint + 1)
        is_between = self.answer.words[max(0, self.start - 2) : self.start].count("between") > 0
        is_noun = word in NOUN_JOINTS or start > joint + 1 or is_between
        thing = self.read_thing(start, is_noun=is_noun)
        if not (is_open and self.is_other_name(joint, thing)):
            yield Candidate(thing, is_open)

    def stands_in_series(self, i: int) -> bool:
        """Return whether a word begins the next item of a series: tennis, football."""
        answer = self.answer
        if self.read_between(i - 1, i) != "," or answer.words[i] in JOINTS:
            return False
        if len(answer.words) <= SHORTEST_LIST:
            return not self.is_name and answer.shown[i].islower()
        thing = self.read_thing(i) if self.is_name and self.start == 0 else range(0)
        return bool(thing) and answer.words[thing.stop : thing.stop + 1] in (["and"], ["or"])

    def find_joined_before(self) -> Iterator[Candidate]:
        """Yield the thing that is joined to the match before it."""
        answer, start = self.answer, self.start
        if start > 0 and self.read_sign(start - 1, start):
            is_open = self.read_sign(start - 1, start) == OPEN_SIGN
            yield Candidate(range(start - 1, start), is_open)
            return
        joint = self.find_joint_before()
        if not joint:
            return
        is_open = answer.words[joint] in OPEN_WORDS
        is_near = not self.ends_clause(joint - 1)
        if is_open or is_near:
            yield Candidate(self.read_thing_before(joint), is_open)

    def find_joint_before(self) -> int:
        """Return the place of the "and" or "or" before the match, 0 where there is none."""
        for i in range(self.start - 1, 0, -1):
            if self.answer.words[i] in ADDING_WORDS | OPEN_WORDS:
                return i
            if not self.is_small(i):
                break
        return 0

    def is_small(self, i: int) -> bool:
        """Return whether a word may stand between a joint and a thing: also, perhaps, the."""
        word = self.answer.words[i]
        return word in STOP_WORDS or word in LEADING_WORDS or i in self.answer.hedges

    def read_thing_before(self, joint: int) -> range:
        """Return the range of the thing before a joint, or an empty one if its form differs."""
        first = joint - 1
        word = self.answer.words[first]
        if self.is_figure:
            return range(first, first + word.isdigit())
        if word in STOP_WORDS or word in NO_THING:
            return range(0)
        if not self.is_name:
            return range(first, joint)
        if not self.answer.shown[first][0].isupper():
            return range(0)
        return range(self.find_start_of_name(first), joint)

    def find_start_of_name(self, last: int) -> int:
        """Return the first word of the name that ends with a word."""
        first = last
        while first > 0 and last - first < LONGEST_NAME - 1 and not self.ends_clause(first - 1):
            is_small = self.answer.words[first - 1] in STOP_WORDS
            if is_small or not self.answer.shown[first - 1][0].isupper():
                break
            first -= 1
        return first

    def read_sign(self, first: int, second: int) -> str:
        """Return the sign that joins two words: femur / tibia, blue & gold."""
        between = self.read_between(first, second)
        if between == OPEN_SIGN:
            return between if len(self.answer.words) <= SHORT_ANSWER else ""
        return between if between in ADDING_SIGNS else ""

    def read_between(self, first: int, second: int) -> str:
        """Return the characters between two words, without spaces at their ends."""
        end = self.answer.starts[first] + len(self.answer.shown[first])
        return self.answer.text[end : self.answer.starts[second]].strip()

    def skip_phrase(self, start: int) -> int:
        """Return the place behind a phrase such as "as well as" that begins at a word, else 0."""
        for length in (2, 3, 4):
            if tuple(self.answer.words[start : start + length]) in ADDING_PHRASES:
                return start + length
        if not self.is_name or self.answer.words[start] != "with":
            return 0
        following = self.answer.shown[start + 1 : start + 2]
        return start + 1 if following and following[0][0].isupper() else 0

    def skip_aside(self, start: int) -> int:
        """Return the place behind an aside between two commas: and, in equal measure, beans."""
        if start >= len(self.answer.words) or not self.ends_clause(start - 1):
            return start
        for i in range(start, min(len(self.answer.words) - 1, start + LONGEST_ASIDE)):
            if self.ends_clause(i):
                return i + 1
        return start

    def is_other_name(self, joint: int, thing: range) -> bool:
        """Return whether "or" gives another name of the match: a barometer, or pressure gauge.

        Then a comma or bracket stands before "or", no hedge behind it, and the thing is no name.
        """
        if not thing or self.is_name or self.is_figure:
            return False
        hedged = range(joint + 1, thing.start)
        has_hedge = any(i in self.answer.hedges or self.answer.words[i] == "else" for i in hedged)
        is_apart = self.ends_clause(joint - 1)
        is_new_sentence = self.answer.sentence[joint] != self.answer.sentence[joint - 1]
        return is_apart and not has_hedge and not is_new_sentence

    def says_either(self, first: int, last: int) -> bool:
        """Return whether "either" or the like stands before or behind two things."""
        words = self.answer.words
        start = max(0, first - EITHER_BEFORE)
        before = " ".join(words[start:first])
        if not EITHER_WORDS.isdisjoint(words[start:first]) or before.endswith(UNDECIDED):
            return True
        behind = " ".join(words[last + 1 : last + 1 + EITHER_BEHIND])
        return any(phrase in behind for phrase in ONE_OF_TWO)

    # ---- things in clauses of their own

    def list_clauses(self, start: int, stop: int) -> list[range]:
        """Return the clauses that begin between two words."""
        clauses = list[range]()
        first = start
        for i in range(start, stop):
            if self.ends_clause(i):
                clauses.append(range(first, i + 1))
                first = i + 1
        return clauses

    def find_in_other_clauses(self) -> Iterator[Candidate]:
        """Yield the things of other clauses that the answer adds or leaves open."""
        own = self.find_own_clause()
        first = max(0, own.start - LONGEST_CLAUSE)
        last = min(len(self.answer.words), own.stop + MOST_CLAUSES * LONGEST_CLAUSE)
        before = self.list_clauses(first, own.start)[-1:]
        behind = self.list_clauses(own.stop, last)[:MOST_CLAUSES]
        for clause in (*before, *behind):
            if len(clause) <= LONGEST_CLAUSE:
                yield from self.read_open_clause(clause, own)
        for clause in behind:
            if len(clause) <= LONGEST_CLAUSE:
                yield from self.read_adding_clause(clause, own)

    def find_own_clause(self) -> range:
        """Return the clause that the match ends in."""
        clause, start, stop = self.answer.clause, self.start, self.end + 1
        while start > 0 and clause[start - 1] == clause[self.end]:
            start -= 1
        while stop < len(clause) and clause[stop] == clause[self.end]:
            stop += 1
        return range(start, stop)

    def read_adding_clause(self, clause: range, own: range) -> Iterator[Candidate]:
        """Yield the thing for which a clause says the same: Lyon is another one, so does Lyon.

        Args:
            clause: the clause.
            own: the clause of the match.
        """
        start = self.skip_joints(clause)
        first_words = self.answer.words[start : start + 2]
        if first_words[0] == "so" and not AUXILIARY.isdisjoint(first_words[1:]):
            yield Candidate(self.read_thing(start + 2, is_noun=True), False)
            return
        if first_words == ["the", "other"] and "one" in self.list_words(own):
            yield Candidate(self.read_last_thing(clause), False, is_sure=True)
            return
        is_likely = not LIKELY_WORDS.isdisjoint(self.list_words(clause))
        has_asked_verb = self.has_asked_verb(clause)
        if is_likely or has_asked_verb or self.says_also(clause):
            yield from self.read_same_clause(clause, own, is_likely, has_asked_verb)

    def read_same_clause(
        self, clause: range, own: range, is_likely: bool, has_asked_verb: bool
    ) -> Iterator[Candidate]:
        """Yield the subject or the object of a clause that says the same of it as of the match."""
        subject = self.read_subject(self.skip_joints(clause))
        if subject and self.says_nothing_else(clause, subject, own):
            yield Candidate(subject, is_likely)
        elif subject and has_asked_verb and not ITSELF.isdisjoint(self.list_words(clause)):
            yield Candidate(subject, False, is_sure=True)
        elif self.asks_for_object() and not is_likely:
            thing = self.read_last_thing(clause)
            if self.says_nothing_else(clause, thing, own):
                yield Candidate(thing, False)

    def has_asked_verb(self, clause: range) -> bool:
        """Return whether a clause has a verb of the question behind its first word."""
        words = self.list_words(clause)
        # Lyon is the third largest; the pia mater, is attached; or pressure gauge
        if not set(ORDINALS).isdisjoint(words) or words[0] in BE | OPEN_WORDS:
            return False
        telling = [i for i in clause[1:] if self.has_meaning(i) and self.answer.shown[i].islower()]
        if not telling:
            return False
        asked_words = [word for word in self.known[0].words if word not in STOP_WORDS]
        asked_roots = set(map(find_root, asked_words))
        return any(find_root(self.answer.words[i]) in asked_roots for i in telling)

    def read_subject(self, start: int) -> range:
        """Return the range of a new thing, or an empty one at a hedge, pronoun or known word."""
        if self.answer.words[start] in NO_THING or start in self.answer.hedges:
            return range(0)
        thing = self.read_thing(start, is_noun=True)
        return range(0) if all(self.is_known(i) for i in thing) else thing

    def read_open_clause(self, clause: range, own: range) -> Iterator[Candidate]:
        """Yield the thing that a clause leaves open: maybe Lyon; unless it is Lyon; or Lyon?"""
        words = self.list_words(clause)
        both_hedged = self.has_hedge(clause) and self.has_hedge(own)
        both_asked = self.is_question(clause) and self.is_question(own)
        is_condition = " ".join(words).startswith(CONDITIONS)
        if not (both_hedged or both_asked or is_condition):
            return
        thing = self.read_last_thing(clause)
        if thing and self.says_nothing_else(clause, thing, own):
            yield Candidate(thing, True, is_sure=is_condition)

    def list_words(self, places: range) -> list[str]:
        """Return the words of the answer in a range."""
        return self.answer.words[places.start : places.stop]

    def skip_joints(self, clause: range) -> int:
        """Return the first word of a clause that is no "and", "but" or hedge, or its last word."""
        last = clause.stop - 1
        for i in range(clause.start, last):
            if self.answer.words[i] not in JOINTS and i not in self.answer.hedges:
                return i
        return last

    def says_also(self, clause: range) -> bool:
        """Return whether a clause has "also", "as well" or the like."""
        words = self.list_words(clause)
        text = " ".join(words)
        return not ALSO_WORDS.isdisjoint(words) or any(phrase in text for phrase in ALSO_PHRASES)

    def has_hedge(self, clause: range) -> bool:
        """Return whether a clause is hedged: maybe, it could be."""
        return any(i in self.answer.hedges for i in clause)

    def is_question(self, clause: range) -> bool:
        """Return whether a clause ends with a question mark."""
        last = clause.stop - 1
        end = self.answer.starts[last] + len(self.answer.shown[last])
        return self.answer.text[end : end + 1] == "?"

    def list_new_words(self, clause: range, own: range) -> list[int]:
        """Return the telling words of a clause that are new, also to the match's clause."""
        stems = self.answer.stems
        own_stems = {stems[i] for i in own}
        words = [i for i in clause if stems[i] not in own_stems]
        new = [i for i in words if self.has_meaning(i) and not self.is_known(i)]
        return [i for i in new if not self.is_asked_degree(i)]

    def is_asked_degree(self, i: int) -> bool:
        """Return whether the question has a word in any degree: deep, deepest."""
        root = find_root(self.answer.words[i])
        return any(is_same_degree(root, find_root(word)) for word in self.known[0].words)

    def has_meaning(self, i: int) -> bool:
        """Return whether a word says more than that something is so, too, or may be so."""
        return self.answer.words[i] not in EMPTY_WORDS and i not in self.answer.hedges

    def read_last_thing(self, clause: range) -> range:
        """Return the range of the last new thing with the form of the match, or an empty one."""
        new = self.list_new_words(clause, self.match_words())
        if not new:
            return range(0)
        first = new[-1]
        while first - 1 in new:
            first -= 1
        before = first - 1 if first > clause.start else first
        has_determiner = self.answer.words[before] in DETERMINERS
        thing = self.read_thing(before if has_determiner else first, is_noun=True)
        return thing if thing.stop <= clause.stop else range(0)

    def match_words(self) -> range:
        """Return the range of the match."""
        return range(self.start, self.end + 1)

    def says_nothing_else(self, clause: range, thing: range, own: range) -> bool:
        """Return whether a clause has no new words but those of a thing."""
        return bool(thing) and all(i in thing for i in self.list_new_words(clause, own))

    def asks_for_object(self) -> bool:
        """Return whether the question asks for what is done, not for who does it."""
        return not {"do", "does", "did"}.isdisjoint(self.known[0].words)


def is_capitalized(text: Text) -> bool:
    """Return whether the first telling word of a text has a capital."""
    for word, shown in zip(text.words, text.shown, strict=True):
        if word not in STOP_WORDS:
            return shown[0].isupper()
    return False


def says_joint(before: Sequence[str]) -> bool:
    """Return whether the words before a name say that its part is joint: co-written by, half by."""
    is_object = not JOINED_BY.isdisjoint(before[-1:])
    if "co" in before and (is_object or before[-2:-1] == ["co"]):
        return True
    return "by" in before[-1:] and not PARTS.isdisjoint(before)
