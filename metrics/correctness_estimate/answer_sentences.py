"""Compare a sentence of an answer with a yes-no question.

`Sentence` divides the words of the question into three kinds: those that the sentence has, those
that it has only an opposite of, and those that it lacks. It lists the words of the sentence that
the question lacks. It also says whether the sentence affirms or denies. Words are compared by their
roots, so that "opened" and "opening" are one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .lexicon import AUXILIARY, DENYING_WORD, PRONOUNS, STOP_WORDS
from .quantities import Quantity
from .synonyms import are_synonyms
from .text import CachedProperty, Text, cut_words, is_negator
from .opposites import are_opposite_roots, find_root, is_derived

# Patterns search only this many characters at the beginning of a question.
LONGEST_QUESTION = 500
MOST_SENTENCES = 20
LONGEST_SENTENCE = 60  # words
SHORTEST_ADVERB = 5  # letters
# Small words of a question that tell nothing of what it asks.
IGNORED = AUXILIARY | frozenset(
    (
        "ever still yet already any anyone anybody anything really also even please actually kind "
        "sort true case people person thing one ones someone something somebody currently now "
        "today get gets got go goes going went lot lots plenty bit make makes made take takes "
        "took have est ce que le la les un une des du et il elle ist sind das der die den ein "
        "eine im es el los las está esta son hay gibt ne"
    ).split()
)
# Small words and pronouns of German, French and Spanish. English has none of them.
FOREIGN_PRONOUNS = frozenset("er sie man wir ihr elle ils elles nous vous ello él ella".split())
FOREIGN_SMALL = FOREIGN_PRONOUNS | frozenset(
    (
        "sehr ganz noch schon auch dort hier etwas mit zum zur vom als sich ihn ihm den dem einem "
        "einen einer très dans aux avec cette c'est ça muy del qué que se lo su al con como más"
    ).split()
)
NO_CONTENT = STOP_WORDS | IGNORED | FOREIGN_SMALL
# Negators of German, French and Spanish that `Text` does not know.
FOREIGN_NEGATORS = frozenset(
    (
        "nichts keiner keines keinem niemand nirgends ohne kaum pas rien aucun aucune personne "
        "sans jamais nada ningún ninguna ninguno nadie sin no"
    ).split()
)
FOREIGN_QUESTION = re.compile(
    r"\W*(?:¿|(?:ist|sind|war|waren|hat|haben|hatte|kann|können|darf|dürfen|muss|müssen|wird|werden"
    r"|gibt|kostet|est-ce|est|sont|était|peut-on|y a-t-il|le \w+ est-il|la \w+ est-elle)\b)",
    re.IGNORECASE,
)
POINTING = (
    PRONOUNS
    | frozenset("there you i we him her them one ones none some any so both neither".split())
    | FOREIGN_PRONOUNS
)
DEGREES = frozenset(
    "very quite really fully highly rather much far even still also already again too always "
    "certainly actually only just simply perfectly completely mostly usually often clearly indeed "
    "about around longer".split()
)
# What denies in several words, without a negator.
DENYING_PHRASE = re.compile(
    r"\bturn(?:ed|s)? (?:\w+ ){0,3}down\b|\b(?:left|leave) (?:\w+ )?(?:off|out)\b|\btoo \w+ to\b"
    r"|\byet to\b"
    r"|\bmoved away\b|\baway from\b|\banything but\b|\binstead\b|\bother than\b"
    r"|(?<!a )\b(?:few|little)\b|\b(?:stop|cease)(?:s|d|ped)? \w+ing\b|\bfree (?:of|from)\b"
    r"|\brid of\b|\b(?:keep|keeps|kept|stay|stays|stayed) (?:\w+ ){0,2}out of\b"
)
# Words that deny, unless the question asks for them: it is out of the question, a bad idea.
REFUSAL = re.compile(
    r"\b(?:out of the question|off the table"
    r"|(?:a|big|bad) mistake|(?:bad|poor|terrible) idea|(?:wrong|unwise|foolish|hard|difficult) to"
    r"|would (?:hurt|harm|mind|object)|hesitate)\b"
)
# Phrases whose negator denies nothing that is asked.
REASSURING = re.compile(
    r"\b(?:(?:don't|do not|needn't|need not|no need to|(?:don't|do not) (?:need|have) to)"
    r" (?:worry|panic)|no exceptions?|no matter|no wonder)\b"
)
ASIDE_FOR_ANOTHER = re.compile(r"\b(?:rather than|instead of|as opposed to)\b")
LEADING_CONDITION = re.compile(
    r"\W*(?:as long as|so long as|if|unless|provided|although|though|even (?:if|though)|while"
    r"|because|since|once|when)\b"
)
# "Without trouble" denies only where the question asks for trouble.
TROUBLE = re.compile(r"(?:problem|difficult|trouble|issue|hesitation|effort)")
ASKS_FOR_TROUBLE = re.compile(
    r"\b(?:problem|difficult|troubl|issue|hesitat|effort|hard|struggl|fail|bug|reluctan)"
)
# A question for a refusal: is it banned?
ASKS_FOR_REFUSAL = re.compile(
    r"\b(?:ban|banned|forbid\w*|prohibit\w*|ruled out|off the table|excluded|impossible|unthinkable"
    r"|refus\w*|reject\w*|den(?:y|ied))\b"
)
ALL = frozenset("all every always each everyone everybody everything".split())
SOME = frozenset("some only few sometimes several certain many most occasionally".split())
COPULAS = frozenset("is are was were isn't aren't wasn't weren't".split())
# A condition has at least this many words of the question before it.
MIN_WORDS_BEFORE_CONDITION = 3
CONDITIONS = frozenset("when if while unless".split())
SUBORDINATE = frozenset("because although though unless if whereas".split())
AS_LONG_AS = ["as", "long", "as"]


def list_sentences(text: Text) -> Iterator[range]:
    """Yield the positions of the words of each of the first MOST_SENTENCES sentences.

    Of a longer sentence only the first LONGEST_SENTENCE words count.
    """
    starts = [i for i in range(len(text.words)) if text.is_new_sentence(i)]
    bounds = [*starts, len(text.words)]
    for start, end in pairwise(bounds[: MOST_SENTENCES + 1]):
        yield range(start, min(end, start + LONGEST_SENTENCE))


@dataclass(frozen=True)
class Sentence:
    """A sentence of an answer, compared with the question.

    Attributes:
        answer, question: the texts.
        places: the positions of the sentence's words in the answer.
    """

    answer: Text
    question: Text
    places: range

    @CachedProperty
    def first_word(self) -> str:
        """The first word of the sentence, "" if it has none."""
        return self.answer.words[self.places.start] if self.places else ""

    @CachedProperty
    def lower(self) -> str:
        """The sentence in lower case."""
        answer = self.answer
        first, last = self.places.start, self.places.stop - 1
        return answer.lower[answer.starts[first] : answer.find_end_of_word(last)]

    @CachedProperty
    def text(self) -> str:
        """The sentence as it was written."""
        return self.answer.span(self.places.start, self.places.stop)

    def list_words(self) -> list[str]:
        """Return the words of the sentence."""
        return self.answer.words[self.places.start : self.places.stop]

    def locate_words(self, start: int, end: int) -> range:
        """Return the positions of the words between two characters of the sentence."""
        offset = self.answer.starts[self.places.start]
        return self.answer.words_between(offset + start, offset + end)

    @CachedProperty
    def denial_places(self) -> set[int]:
        """The positions of the sentence's negators.

        A "without" after another negator is a condition: “you can't see it without a telescope”.
        """
        words = self.answer.words
        negators = set(self.places).intersection(self.answer.denials)
        if FOREIGN_QUESTION.match(self.question.text):
            negators |= {i for i in self.places if words[i] in FOREIGN_NEGATORS}
        denials = set[int]()
        reassuring = self.list_reassuring_words() if negators else set[int]()
        for i in sorted(negators - reassuring):
            is_condition = words[i] == "without" and (bool(denials) or i == self.places.start)
            if not is_condition and not self.tells_ease(i):
                denials.add(i)
        return denials

    def list_reassuring_words(self) -> set[int]:
        """Return the positions of the words of phrases that deny nothing: don't worry."""
        words = set[int]()
        for match in REASSURING.finditer(self.lower):
            words.update(self.locate_words(match.start(), match.end()))
        return words

    def tells_ease(self, i: int) -> bool:
        """Return whether a "without" says that something is easy: without any problems.

        Where the question asks for trouble, it denies.
        """
        if self.answer.words[i] != "without" or ASKS_FOR_TROUBLE.search(self.question.lower):
            return False
        behind = self.answer.words[i + 1 : i + 3]
        return any(TROUBLE.match(word) for word in behind)

    @CachedProperty
    def question_roots(self) -> list[str]:
        """The roots of the question's content words, without those of a condition."""
        question = self.question
        words = list[str]()
        for i, word in enumerate(cut_condition(question.words[:LONGEST_SENTENCE])):
            # "final" is added to "semi" in "semi-final", unless "semi" was left out.
            has_word_before = bool(words) and words[-1] == question.words[i - 1]
            if has_word_before and is_joined(question, i):
                words[-1] += word
            elif is_content_word(word):
                words.append(word)
        return list(dict.fromkeys(map(find_root, words)))

    @CachedProperty
    def roots(self) -> dict[int, str]:
        """The root of each content word of the sentence, by its position."""
        roots = dict[int, str]()
        for i in self.places:
            word = self.answer.words[i]
            if i > self.places.start and is_joined(self.answer, i):
                roots.pop(i - 1, None)
                word = self.answer.words[i - 1] + word  # semi-final, non-stop
            if is_content_word(word):
                roots[i] = find_root(word)
        return roots

    @CachedProperty
    def common_roots(self) -> set[str]:
        """The question's roots that the sentence has, in any form."""
        common = set[str]()
        for question_root in self.question_roots:
            if any(is_same_sense(question_root, root) for root in self.roots.values()):
                common.add(question_root)
        return common

    @CachedProperty
    def opposite_roots(self) -> set[str]:
        """The question's roots that the sentence has only an opposite of."""
        opposite = set[str]()
        for question_root in self.question_roots:
            if question_root in self.common_roots:
                continue
            if any(are_opposite_roots(question_root, root) for root in self.roots.values()):
                opposite.add(question_root)
        return opposite

    @CachedProperty
    def missing_roots(self) -> list[str]:
        """The question's roots that the sentence has in no form, and no opposite of."""
        known = self.common_roots | self.opposite_roots
        return [root for root in self.question_roots if root not in known]

    @CachedProperty
    def new_places(self) -> list[int]:
        """The positions of content words that the question lacks.

        Words that only say how much something is so are left out.
        """
        new = list[int]()
        for i, root in self.roots.items():
            if is_degree(self.answer.shown[i]):
                continue
            if not has_form(self.question_roots, root):
                new.append(i)
        return new

    @CachedProperty
    def sign(self) -> int:
        """1 if the sentence affirms, -1 if it denies."""
        return -1 if (self.count_denials() + is_denied_question(self.question)) % 2 else 1

    @CachedProperty
    def has_pronoun(self) -> bool:
        """Whether the sentence has a pronoun, which may stand for something in the question."""
        return any(is_pointing(self.answer.words[i]) for i in self.places)

    @CachedProperty
    def predicate_place(self) -> int | None:
        """The position of the first content word after a pronoun that is the subject.

        In “It failed” it is the position of “failed”. It is None if the subject is no pronoun.
        """
        if not is_pointing(self.first_word):
            return None
        for i in self.roots:
            if not is_degree(self.answer.shown[i]):
                return i
        return None

    def count_denials(self) -> int:
        """Return how often the main clause denies, in any word or phrase."""
        count = max(0, count_negators(self) - self.count_corrected_negators())
        count += self.count_denying_phrases() + self.sets_asked_aside()
        for i in self.locate_main_clause():
            word = self.answer.words[i]
            if is_negator(word) or word in self.question.words:
                continue
            if DENYING_WORD.match(word) and not self.is_opposite(i):
                count += 1
        return count

    def sets_asked_aside(self) -> bool:
        """Return whether the question's last word stands only right behind "rather than"."""
        match = ASIDE_FOR_ANOTHER.search(self.lower)
        if not match:
            return False
        place = self.locate_words(0, match.end()).stop
        asked = [i for i, root in self.roots.items() if has_form(self.question_roots[-1:], root)]
        return bool(asked) and asked[0] == next((i for i in self.roots if i >= place), None)

    def count_denying_phrases(self) -> int:
        """Return how many kinds of phrases deny without a negator."""
        count = int(DENYING_PHRASE.search(self.lower) is not None)
        refusal = REFUSAL.search(self.lower)
        if refusal and not asks_for_refusal(self.question, refusal[0]):
            part = find_asked_part(self, self.locate_main_clause())
            count += self.locate_words(*refusal.span()).start in part
        return count

    def count_corrected_negators(self) -> int:
        """Return how many negators of the main clause a "but" corrects: “it is no X, but a Y”.

        If a word of the question stands before the "but", the negators may deny that word. Then
        none of them counts as corrected.
        """
        words = self.answer.words
        main_clause = self.locate_main_clause()
        if "but" not in words[main_clause.start : main_clause.stop]:
            return 0
        place_of_but = words.index("but", main_clause.start)
        if self.has_common_root_before(place_of_but):
            return 0
        before_but = range(main_clause.start, place_of_but)
        return sum(i in before_but for i in self.answer.denials)

    def has_common_root_before(self, place: int) -> bool:
        """Return whether a word of the question stands before a position."""
        roots_before = [root for i, root in self.roots.items() if i < place]
        return any(has_form(self.common_roots, root) for root in roots_before)

    def is_opposite(self, i: int) -> bool:
        """Return whether a word is the opposite of a word of the question."""
        root = find_root(self.answer.words[i])
        return any(are_opposite_roots(opposite, root) for opposite in self.opposite_roots)

    def locate_main_clause(self) -> range:
        """Return the positions of the words without clauses that give a reason or a condition.

        Such a clause at the beginning ends at its comma: "as long as it is not wet, it works".
        """
        start = self.places.start
        if LEADING_CONDITION.match(self.lower):
            clause = self.answer.clause
            start = next((i for i in self.places if clause[i] != clause[start]), start)
        for i in range(start + 1, self.places.stop):
            if self.begins_condition(i):
                return range(start, i)
        return range(start, self.places.stop)

    def begins_condition(self, i: int) -> bool:
        """Return whether a reason or a condition begins at a word: because, as long as."""
        words = self.answer.words
        if words[i] in SUBORDINATE or words[i : i + 3] == AS_LONG_AS:
            return True
        begins_clause = self.answer.clause[i] != self.answer.clause[i - 1]
        return begins_clause and words[i] in ("provided", "once")


def asks_for_refusal(question: Text, refusal: str) -> bool:
    """Return whether a question asks for a refusal, or has a word of it: “is it wrong to lie?”."""
    if ASKS_FOR_REFUSAL.search(question.lower):
        return True
    return any(is_content_word(word) and word in question.words for word in refusal.split())


def has_form(roots: Iterable[str], root: str) -> bool:
    """Return whether `roots` has the root itself, one of its forms or a synonym."""
    return any(is_same_sense(other, root) for other in roots)


def is_same_sense(one: str, other: str) -> bool:
    """Return whether one root is made from the other, or a synonym: payment for pay."""
    return is_derived(one, other) or are_synonyms(one, other)


def is_joined(text: Text, i: int) -> bool:
    """Return whether a hyphen joins a word to the one before it."""
    hyphen = text.starts[i] - 1
    return text.text[hyphen] == "-" and text.find_end_of_word(i - 1) == hyphen


def cut_condition(words: Sequence[str]) -> Sequence[str]:
    """Return a question's words without a condition at its end.

    “Is data lost when the power is off?” asks whether data is lost.
    """
    for i, word in enumerate(words):
        if i >= MIN_WORDS_BEFORE_CONDITION and word in CONDITIONS:
            return words[:i]
    return words


def is_degree(word: str) -> bool:
    """Return whether a word only says how much something is so."""
    if word in DEGREES:
        return True
    return word.endswith("ly") and word.islower() and len(word) >= SHORTEST_ADVERB


def is_pointing(word: str) -> bool:
    """Return whether a word is a pronoun, with or without a short verb: “it”, “they're”."""
    return word.partition("'")[0] in POINTING


def is_content_word(word: str) -> bool:
    """Return whether a word is neither a stop word nor a negator."""
    if is_negator(word):
        return False
    bare = word.partition("'")[0]
    return NO_CONTENT.isdisjoint({word, bare})


def is_denied_question(question: Text) -> bool:
    """Return whether a question denies what it asks.

    A negator among the first two words does not count: "Isn't it?" only expects a yes.
    """
    later_denials = [i for i in question.denials if i >= 2 and question.words[i] != "without"]
    return len(later_denials) % 2 == 1


def locate_quantity(text: Text, quantity: Quantity) -> int:
    """Return the number of the word at which a quantity begins."""
    return text.words_between(quantity.start, quantity.end + 1).start


def compute_negator_sign(sentence: Sentence) -> int:
    """Return -1 if the main clause has an odd number of negators, else 1.

    `Sentence.sign` considers other denying words and the question, too.
    """
    return -1 if count_negators(sentence) % 2 else 1


def count_negators(sentence: Sentence) -> int:
    """Return how many negators the main clause has.

    Negators in several parts turn nothing round twice: "it isn't waterproof and can't fly in the
    rain". Only those of the part with most words of the question count.
    """
    main_clause = sentence.locate_main_clause()
    negators = [i for i in sentence.denial_places if i in main_clause]
    part = main_clause
    if len(negators) > 1:
        part = find_asked_part(sentence, main_clause)
        negators = [i for i in negators if i in part]
    if len(negators) == 1 and is_denied_aside(sentence, part, negators[0]):
        return 0
    return len(negators)


PART_STARTS = frozenset("and or nor so but".split())  # words before another part of a sentence
# Words before something that is told beside the answer: it is open, with no fee.
ASIDE_STARTS = frozenset("and nor so with without".split())


def is_denied_aside(sentence: Sentence, places: range, negator: int) -> bool:
    """Return whether a negator denies only what a sentence tells beside its answer.

    "It is open and there's no fee": the words before the "and" repeat the question, and those
    behind it have no word of the question.
    """
    words = sentence.answer.words
    start = next((i for i in range(negator, places.start, -1) if words[i] in ASIDE_STARTS), None)
    if start is None or not has_content(sentence, range(negator + 1, places.stop)):
        return False
    aside = Sentence(sentence.answer, sentence.question, range(start, places.stop))
    if aside.common_roots or aside.opposite_roots:
        return False
    answering = Sentence(sentence.answer, sentence.question, range(places.start, start))
    return repeats_question(answering) and not is_attempt(answering)


def has_content(sentence: Sentence, places: range) -> bool:
    """Return whether a content word stands at one of some positions."""
    return any(i in places for i in sentence.roots)


def is_attempt(sentence: Sentence) -> bool:
    """Return whether a word of the question follows "to": "she tried to pass"."""
    for i, root in sentence.roots.items():
        if sentence.answer.words[i - 1] == "to" and has_form(sentence.common_roots, root):
            return True
    return False


def split_sentence(sentence: Sentence, places: range) -> list[range]:
    """Return the parts of some words of a sentence, cut before "and" and the like."""
    starts = [i for i in places if sentence.answer.words[i] in PART_STARTS]
    return cut_words(places, starts)


def find_asked_part(sentence: Sentence, places: range) -> range:
    """Return the part of some words that has most words of the question.

    Of several, it is the first one without a negator.
    """

    def rate_part(part: range) -> tuple[int, bool]:
        return count_known(sentence, part), sentence.denial_places.isdisjoint(part)

    return max(split_sentence(sentence, places), key=rate_part)


def count_known(sentence: Sentence, part: range) -> int:
    """Return how many words of a part are words of the question, or opposites of them."""
    n_known = 0
    for i, root in sentence.roots.items():
        if i in part:
            n_known += has_form(sentence.common_roots, root) or sentence.is_opposite(i)
    return n_known


# A sentence that has at least this share of the question's words answers the question.
LEAST_REPEATED_SHARE = 0.6
OBJECT_PRONOUNS = frozenset("it them him her this that these those there one".split())
COPULA = re.compile(r"\b(?:is|are|was|were|be|been|remains?|stays?|ist|sind|est|es)\b|'(?:s|re)\b")


def repeats_question(sentence: Sentence) -> bool:
    """Return whether a sentence has enough words of the question, or opposites of them."""
    if not sentence.question_roots:
        return False
    known = sentence.common_roots | sentence.opposite_roots
    share = 1 - len(sentence.missing_roots) / len(sentence.question_roots)
    if share >= LEAST_REPEATED_SHARE:
        return True
    if len(known) > 1 and not sentence.new_places:
        return True
    if not sentence.has_pronoun or not known:
        return False
    return has_known_verb(sentence, known) or has_known_end(sentence, known)


def has_known_verb(sentence: Sentence, known: set[str]) -> bool:
    """Return whether the verb of a sentence with a pronoun is one of the question, or an opposite.

    A word is the verb if a pronoun follows it as its object, or if it is the first word after a
    pronoun that is the subject.
    """
    verbs = list[int]()
    for i in sentence.roots:
        if i + 1 in sentence.places and sentence.answer.words[i + 1] in OBJECT_PRONOUNS:
            verbs.append(i)
    if sentence.predicate_place is not None:
        verbs.append(sentence.predicate_place)
    return any(is_asked_or_opposite(sentence, i, known) for i in verbs)


def is_asked_or_opposite(sentence: Sentence, i: int, known: set[str]) -> bool:
    """Return whether a word is a form of a known root, or its opposite."""
    root = sentence.roots[i]
    if has_form(known, root):
        return True
    return any(are_opposite_roots(known_root, root) for known_root in known)


def has_known_end(sentence: Sentence, known: set[str]) -> bool:
    """Return whether a sentence has the question's last word, and no new verb or predicate."""
    if sentence.question_roots[-1] not in known or has_new_predicate(sentence):
        return False
    if sentence.predicate_place not in sentence.new_places:
        return True
    return COPULA.search(sentence.lower) is not None


def has_new_predicate(sentence: Sentence) -> bool:
    """Return whether the first content word after “is” is not in the question: “it is unknown”."""
    for place in sentence.places:
        word = sentence.answer.words[place]
        if word in COPULAS or word.endswith(("'s", "'re")):
            predicate = next((i for i in sentence.roots if i > place), None)
            return predicate in sentence.new_places
    return False
