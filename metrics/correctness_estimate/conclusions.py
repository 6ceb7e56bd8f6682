"""Find the thing on which an answer settles where it weighs two.

"Ann or Bob? Bob was older, so it must be Bob" settles on Bob. The last words that conclude
something decide. If they name neither thing, the words before them in the sentence do: "since Bob
was older, it must be him".
"""

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from .equality import can_replace
from .found_reference import FoundReference, choose_alternative
from .lexicon import DETERMINERS, STOP_WORDS
from .outcomes import UNLIKELY, UPHELD, Decision
from .text import RECENT_TEXTS, Text

LONGEST_OTHER_THING = 3  # words of another thing that is no reference
SURE_ADVERBS = frozenset(
    "definitely certainly clearly surely obviously probably undoubtedly naturally actually "
    "finally really".split()
)

# Words with which an answer concludes. "So" is none of degree, and none of "so is Lyon".
SO = r"""so \b
      (?! [ ](?: far | called | that | much | many | long | as | is | was | are | were | do | does
        | did | has | have | had | can | will | would )\b | [ ]\w+[ ]that\b | [-'] )"""
# All but one begin at the edge of a word, which is looked for first: most places have none.
CONCLUDING = re.compile(
    rf"""\b (?=\w) (?: (?: hence | therefore | thus | consequently | accordingly | ergo
      | in[ ](?:the[ ]end | conclusion | sum) | on[ ](?:balance | reflection)
      | all[ ]in[ ]all | all[ ]things[ ]considered | overall | ultimately | finally | eventually
      | (?:must | (?:has | have | had)[ ]to | (?:can | could)[ ]only)[ ](?:have[ ]been | be)
      | (?:that | which)[ ](?:only[ ])? leaves | (?:this | that | which)[ ]means[ ]that
    ) \b
    | (?P<choosing>
      (?:i | we)(?: 'd | 'll | 'm | 've | [ ](?:would | will | am | have | must | shall))?
        (?: [ ](?: finally | therefore | rather | now | thus | hence | so | clearly
          | going[ ]to ) )*
        [ ](?: conclude | come[ ]to[ ]the[ ]conclusion | choose | chose | pick | picked
          | (?:opt | opted | settle | settled | plump | go | going | vote)[ ](?:for | on | with)
          | (?:decide | decided | bet | side | siding | stick | sticking)[ ](?:for | on | with)
          | say | take | answer )
      | (?:my | the[ ](?:final | correct | right))[ ](?:final[ ])?
        (?:answer | choice | pick | verdict | conclusion | vote)
        (?: [ ](?:is | would[ ]be | must[ ]be) | : )
    ) (?!\w)
    | (?: and | but )[ ]{SO}
    | (?: and | then | but )[ ](?: finally[ ])? (?:opted | settled | plumped | decided)
        [ ](?:for | on)\b
    | it[ ](?:is | was) (?= \W* (?: $ | [.!;,] ) )
    | is[ ]my[ ](?:answer | choice | pick | verdict)\b
    | (?: wins | prevails | daher | deshalb | folglich | schließlich | letztlich ) \b
    | (?: donc | finalement | por[ ](?:lo[ ])?tanto | así[ ]que ) \b )
    | (?: ^ | [,;:.!?–—-][ ] ) {SO}""",
    re.VERBOSE,
)
# Signs that an answer weighs two things. It settles on the one that it names again at the end.
WEIGHING = re.compile(
    r"\?|\b(?:options?|candidates?)\b|\b(?:or|both|either|versus|vs)\b|\bbetween (?:\w+ ){1,3}and\b"
)
# Words that name a correction. They stand in patterns with and without free spaces.
CORRECTION = "scratch[ ]that|correction|make[ ]that|i[ ]meant?"
INTERRUPTION = "sorry|no|nope|wait|oops|whoops"  # words before a correction
TAKING_BACK = rf"{CORRECTION}|{INTERRUPTION}|my[ ]mistake|actually|let[ ]me[ ]correct"
# What only seems so at first. The answer settles on what it names at the end.
AT_FIRST = re.compile(
    r"\bat first\b|\bfirst (?:thought|idea|guess|instinct|impression|glance|sight|blush|had)\b"
    r"|\b(?:comes?|came) (?:\w+ )?to mind|\bin (?:mind|my head)\b|\bprima facie\b|\bpart of me\b"
    r"|\bhave guessed\b"
    r"|\b(?:many|most|some|people|others) (?:\w+ ){0,2}"
    r"(?:think|believe|say|assume|guess|name|suggest|write)\b"
    r"|(?<!as )\b(?:you|one)(?:'d| would| might| may| could) (?:think|guess|expect|say|assume)\b"
    rf"|\b(?:wait|sorry|{CORRECTION})\b"
    r"|\b(?:going|about|tempted|inclined|wanted) to say\b"
)


class Conclusion(NamedTuple):
    """The words with which an answer concludes.

    Attributes:
        clauses: the clauses behind concluding words, up to the end of their sentence: those behind
            the last such words first.
        before: the words of the sentence before the first such words.
        is_choice: whether the writer says that it is a choice: I'd say, my answer is.
        must_repeat: whether the answer must have named before what it settles on, for no word says
            that it concludes: Ann or Bob? Bob.
    """

    clauses: list[range]
    before: range
    is_choice: bool = False
    must_repeat: bool = False


@lru_cache(maxsize=RECENT_TEXTS)
def read_conclusion(text: Text) -> Conclusion:
    """Return the last conclusion of an answer: "it must be Bob", "hence Bob"."""
    matches = list(CONCLUDING.finditer(text.lower))
    markers = [words for match in matches if (words := text.words_between(*match.span()))]
    if not markers:
        return read_last_clause(text)
    sentence = text.find_sentence(markers[-1].start)
    markers = [words for words in markers if words.start in sentence]
    clauses = list[range]()
    stop = sentence.stop
    for marker in reversed(markers):
        clauses += cut_clauses(text, range(marker.stop, stop))
        stop = marker.start
    is_choice = any(match["choosing"] for match in matches)
    return Conclusion(clauses, range(sentence.start, stop), is_choice)


def read_last_clause(text: Text) -> Conclusion:
    """Return the last clause as a conclusion if a sign before it says that the answer weighs."""
    last = len(text.words) - 1
    while last > 0 and text.words[last] in SURE_ADVERBS:
        last -= 1  # the femur, clearly
    first = text.find_clause(last).start if text.words else 0
    earlier = text.lower[: text.starts[first]] if first else ""
    if earlier.endswith("("):
        return Conclusion([], range(0))  # a remark
    if AT_FIRST.search(earlier):
        return Conclusion([range(first, len(text.words))], range(0))
    if WEIGHING.search(earlier):
        return Conclusion([range(first, len(text.words))], range(0), must_repeat=True)
    return Conclusion([], range(0))


def cut_clauses(text: Text, words: range) -> Iterator[range]:
    """Yield the clauses of a range of words."""
    start = words.start
    for i in words:
        if i + 1 == words.stop or text.clause[i + 1] != text.clause[i]:
            yield range(start, i + 1)
            start = i + 1


def choose_between(text: Text, first: Set[str], second: Set[str]) -> bool | None:
    """Return whether an answer settles on the first of two things, None if it does on neither.

    Args:
        text: the answer.
        first: the stems of one thing.
        second: the stems of the other thing, empty if it is not known.
    """
    conclusion = read_conclusion(text)
    for words in (*conclusion.clauses, conclusion.before if second else range(0)):
        if not words or any(i in words for i in text.denials):
            continue
        stems = set(text.stems[words.start : words.stop])
        names_first, names_second = not stems.isdisjoint(first), not stems.isdisjoint(second)
        if names_first or names_second:
            named = stems & (first | second)
            is_new = all(text.places[stem][0] in words for stem in named)
            is_unclear = names_first == names_second or (conclusion.must_repeat and is_new)
            return None if is_unclear else names_first
    return None


# ---- an answer that takes back what it said

# "Wait, I misread it", "I must correct myself"
WITHDRAWS = re.compile(
    r"(?:^|[.,;:!?…–—-] ?)(?:no,? )?wait[,.!…]"
    rf"|\b(?:scratch that|(?:{CORRECTION})[:,]|oops|on second thoughts?"
    r"|ignore (?:it|that)"
    r"|(?:must|have to|need to|let me|should) correct (?:myself|that|it)|i stand corrected"
    r"|i (?:misread|misspoke|miscounted|mixed (?:them|it|this) up|made (?:a|an) (?:mistake|error))"
    r"|my (?:mistake|apologies|bad)|the text says otherwise)(?!\w)"
)
RECALLED = frozenset("saying said say of with not than about called instead".split())


def decide_withdrawn(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer takes back the reference for another name or value, else None.

    "Pickwick, but I must correct myself, for the owl is Barnaby" does so.
    """
    matches = list(WITHDRAWS.finditer(answer.lower))
    if not matches or not 0 < len(reference.words) <= LONGEST_RESTATED:
        return None
    start = answer.words_between(matches[-1].end(), len(answer.text)).start
    if start >= len(answer.words):
        return None
    wanted = set(reference.content) - question.places.keys() or set(reference.content)
    if not wanted or not wanted <= answer.places.keys():
        return None
    last = max(min(answer.places[stem]) for stem in wanted)
    repeats = all(answer.places[stem][-1] >= start for stem in wanted)
    is_behind = last >= start
    if repeats or is_behind or not gives_another(answer, start, reference, question):
        return None
    return Decision(UNLIKELY, "replaced", answer.text.strip(), reference.text.strip())


def gives_another(answer: Text, start: int, reference: Text, question: Text) -> bool:
    """Return whether an answer gives from a word on a new value or name, like the reference."""
    known = reference.places.keys() | question.places.keys()
    if reference.quantities:
        values = [value for value in answer.quantities if value.start >= answer.starts[start]]
        return any(can_replace(value, reference.quantities[0]) for value in values)
    names = [name for name in answer.names if name[0] >= start]
    names = [name for name in names if RECALLED.isdisjoint(answer.words[name[0] - 2 : name[0]])]
    return any(known.isdisjoint(answer.stems[first:stop]) for first, stop in names)


# ---- an answer that repeats the reference at its end

LONGEST_RESTATED = 6  # words of a reference
OWN_QUESTION = re.compile(r"[^.?!:]{1,80} or [^.?!:]{1,80}\?")  # Kassel or Fulda?
NO_DOUBT = frozenset(
    "think guess believe say pick choose final answer so then definitely certainly".split()
)


def decide_restated(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UPHELD if an answer weighs several things and settles on the reference, or None.

    "Kassel or Fulda? Fulda." and "Kassel or Fulda? Fulda, by one goal" do so.
    """
    if not 0 < len(reference.words) <= LONGEST_RESTATED or len(set(answer.sentence)) < 2:
        return None
    place = read_place_of_two(answer, reference, question)
    is_upheld = place > 0 or ends_with_reference(answer, reference)
    if not is_upheld and not answers_own_question(answer, reference):
        return None
    outcome = UNLIKELY if place < 0 else UPHELD
    return Decision(outcome, "replaced", answer.text.strip(), reference.text.strip())


# A place behind the first one, where a question asks for the best or the first.
LOWER_PLACE = re.compile(
    r"\b(?:came|comes?|finished|ranked|was|is)(?: in| only| a close)?"
    r" (?:second|third|last|runner-up)\b"
    r"|\blost\b"
)


ASKS_FOR_LOWER_PLACE = re.compile(r"\b(?:second|third|last|lost|loser)\b")


def find_own_question(answer: Text) -> range:
    """Return the words of the question "this or that?" with which an answer begins, or none."""
    own_question = OWN_QUESTION.match(answer.lower)
    return answer.words_between(*own_question.span()) if own_question else range(0)


def read_place_of_two(answer: Text, reference: Text, question: Text) -> int:
    """Return -1 if an answer puts the reference behind another thing, 1 if before it, else 0.

    "Kassel or Fulda? Fulda came second" puts Fulda behind.
    """
    asked = find_own_question(answer)
    if not asked or ASKS_FOR_LOWER_PLACE.search(question.lower):
        return 0
    if not LOWER_PLACE.search(answer.lower, answer.find_end_of_word(asked[-1])):
        return 0
    named = set(answer.stems[asked.stop :])
    wanted = set(reference.content)
    others = answer.list_stems(asked) - wanted
    names_wanted, names_other = not named.isdisjoint(wanted), not named.isdisjoint(others)
    if names_wanted == names_other or not wanted <= set(answer.stems[: asked.stop]):
        return 0
    return -1 if names_wanted else 1


def ends_with_reference(answer: Text, reference: Text) -> bool:
    """Return whether the last sentence of an answer that weighs things is just the reference."""
    first = answer.find_sentence(-1).start
    before = answer.lower[: answer.starts[first]]
    if not WEIGHING.search(before) or any(i >= first for i in answer.denials):
        return False
    wanted = set(reference.content)
    return bool(wanted) and list_settling_stems(answer, first) == wanted


def answers_own_question(answer: Text, reference: Text) -> bool:
    """Return whether an answer asks "this or that?", and then names only the reference of both."""
    asked = find_own_question(answer)
    if not asked:
        return False
    rest = range(asked.stop, len(answer.words))
    if any(i in rest for i in (*answer.denials, *answer.hedges, *answer.untrue)):
        return False
    wanted = set(reference.content)
    others = answer.list_stems(asked) - wanted
    named = list_settling_stems(answer, asked.stop)
    return bool(wanted) and wanted <= named and others.isdisjoint(named)


def list_settling_stems(answer: Text, first: int) -> set[str]:
    """Return the stems of an answer from a word on that tell more than that something is right."""
    stems = set[str]()
    for i in range(first, len(answer.words)):
        if answer.words[i] not in STOP_WORDS | NO_DOUBT:
            stems.add(answer.stems[i])
    return stems


# ---- the reference and what the answer settles on

# What is only possible.
POSSIBLE = re.compile(
    r"\b(?:sounds?|seems?|looks?|appears?|could|would|might|may|can)\b"
    r"|\b(?:was|were) (?:going )?to be\b|\b(?:supposed|planned|intended|applied|nominated|bid)\b"
    r"|\b(?:contender|candidate|favou?rite|expected|possible|plausible|guess|argue)"
)
# Words that tell only that a thing is the right one.
CHOOSING_WORDS = frozenset(
    "right correct true best better likely clear obvious sure answer choice one thing name term "
    "reason matter call goes wins go say choose pick trust put money suppose let's no hmm "
    "wait".split()
)


def settles_on_match(found: FoundReference) -> bool | None:
    """Return whether an answer settles on the match, None if it concludes nothing.

    It is False for "Kotlin is newer, so it must be Kotlin" where the match is Java.
    """
    own = found.answer.list_stems(found.match)
    alternatives = choose_alternative(found.question, found.reference)
    others = alternatives[1] if alternatives else set[str]()
    if not others:
        others = {found.stems[i] for i in find_concluded_thing(found)}
    return choose_between(found.answer, own - others, others - own)


def find_concluded_thing(found: FoundReference) -> range:
    """Return the new thing that an answer's conclusion gives alone, or an empty range.

    A conclusion without new words may mean a name that stands before it: Lyon, that is my answer.
    """
    conclusion = read_conclusion(found.answer)
    for words in conclusion.clauses:
        thing = find_new_thing(found, words)
        if thing and is_given_alone(found, words, thing):
            return thing
        if list_other_words(found, words, range(0)):
            return range(0)
    return find_only_name(found, conclusion.before)


def is_given_alone(found: FoundReference, words: range, thing: range) -> bool:
    """Return whether concluding words tell nothing but that a thing is right: it must be Lyon.

    They may tell more if the answer names the match only tentatively. A common noun was named
    before, has a "the" (so the copper) or is chosen (I'd say copper).
    """
    own_sentence = found.answer.find_sentence(found.match.start)
    if list_other_words(found, words, thing) and not may_only_seem(found.quote(own_sentence)):
        return False
    if found.is_name or found.answer.places[found.stems[thing[-1]]][0] < words.start:
        return True
    has_determiner = found.words[thing.start - 1] in DETERMINERS
    is_chosen = has_determiner or read_conclusion(found.answer).is_choice
    return is_chosen and found.ends_clause(thing[-1])


def list_other_words(found: FoundReference, words: range, thing: range) -> list[int]:
    """Return the new words that tell more than that a thing is the right one."""
    new = found.list_new_words(words, thing)
    return [i for i in new if found.words[i] not in CHOOSING_WORDS]


def may_only_seem(shown: str) -> bool:
    """Return whether some words say that a thing may only seem so: at first, possibly."""
    lower = shown.lower()
    return AT_FIRST.search(lower) is not None or POSSIBLE.search(lower) is not None


def find_only_name(found: FoundReference, words: range) -> range:
    """Return the last new name of some words if they have no other new name, or an empty range."""
    if not found.is_name:
        return range(0)
    names = [range(*name) for name in found.answer.names if name[0] in words]
    new = [name for name in names if not found.is_known(name.start)]
    is_single = len({found.stems[name.start] for name in new}) == 1
    return new[-1] if is_single else range(0)


def find_new_thing(found: FoundReference, clause: range) -> range:
    """Return the new words of a clause if they stand together and are like the match."""
    new = found.list_new_words(clause, found.match)
    new = [i for i in new if found.words[i] not in SURE_ADVERBS]
    if found.is_name:
        has_number = any(found.words[i].isdigit() for i in found.match)  # line 12
        numbers = {i for i in new if has_number and found.words[i].isdigit()}
        new = [i for i in new if i in numbers or found.shown[i][0].isupper()]
    if not new:
        return range(0)
    first, last = new[0], new[-1]
    if last - first >= LONGEST_OTHER_THING:
        return range(0)
    # The first word of an answer has a capital in any case.
    is_name = found.shown[last][0].isupper() or (found.is_name and found.words[last].isdigit())
    has_same_form = is_name == found.is_name or first == 0
    return range(first, last + 1) if has_same_form else range(0)
