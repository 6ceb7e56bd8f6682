"""Decide by the opposite of what a question asks for, and where the question itself denies.

Where the question is which is cheaper, "The bus is dearer" does not say that the bus is cheaper.
Where it asks who missed the meeting, "Karen did not come" is right beside the reference "Karen",
and "Karen was there" is wrong.
"""

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import pairwise

from .answer_sentences import has_form, list_sentences
from .contrary_clauses import Part, list_parts
from .denials import denies_verb, find_denying_words, find_main_clause, list_denials
from .implied_answer import list_asked_senses
from .lexicon import (
    AUXILIARY,
    BE,
    DETERMINERS,
    IRREGULAR_PAST,
    PRONOUNS,
    STOP_WORDS,
    SUPERLATIVE,
)
from .opposites import are_opposite_words, find_root, have_same_stem, may_have_opposites
from .outcomes import UNLIKELY, UPHELD, Decision
from .quantifiers import ALL_BUT
from .relations import CONTEST, compare_relations, is_passive
from .text import RECENT_TEXTS, Text, is_negator, is_sentence

LONGEST_ANSWER = 30  # words
LONGEST_REFERENCE = 6  # words
# Relations whose two sides are compared in roles.py: who beat whom, who is whose mother.
TOLD_BY_ROLES = (CONTEST, "parent")
QUESTION_WORDS = frozenset("which what how".split())
PARTICLES = frozenset("up down".split())  # take up, turn down
ASKS_FOR_EXTREME = re.compile(rf"\bthe (?:most\b|least\b|{SUPERLATIVE})")
POINTING = frozenset("it this that them".split())


def decide_asked_opposite(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the opposite of what a question asks for, else return None.

    Where the question is which is cheaper, "The bus is dearer" is UNLIKELY beside the reference
    "the bus", and "The train is dearer than the bus" is UPHELD, like "The bus is not dearer".
    """
    if not 0 < len(answer.words) <= LONGEST_ANSWER or len(reference.words) > LONGEST_REFERENCE:
        return None
    if not reference.content or not answer.has_all_content(reference):
        return None
    offers_two = "or" in question.first_place and not ASKS_FOR_EXTREME.search(question.lower)
    if offers_two or question.denials:
        return None
    if not asks_for_side(question) and not may_have_opposites(question, answer):
        return None
    parts = list_parts_keeping_pairs(reference, answer)
    votes = [read_opposite_part(part, reference, question) for part in parts]
    outcome = join_votes(votes)
    if not outcome:
        return None
    return Decision(outcome, "opposite", answer.text.strip(), reference.text.strip())


def decide_other_extreme(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer says "least" where "most" is asked, or "for" for "against"."""
    if not asks_for_side(question) and not ASKS_FOR_EXTREME.search(question.lower):
        return None
    decision = decide_asked_opposite(answer, reference, question)
    return decision if decision and decision.outcome == UNLIKELY else None


def join_votes(votes: Sequence[bool | None]) -> str:
    """Return UPHELD or UNLIKELY if all parts that vote say the same, else ""; None is no vote."""
    if True in votes and False in votes:
        return ""
    if True in votes:
        return UPHELD
    return UNLIKELY if False in votes else ""


def read_opposite_part(part: Part, reference: Text, question: Text) -> bool | None:
    """Return False if a part of an answer says the opposite of a reference, True if it denies that.

    None for a part without the reference or without such an opposite.
    """
    words = part.list_words()
    opposites = find_asked_opposites(part, reference, question)
    if not opposites:
        return None
    if not part.has_all_content(reference):
        return False if points_at_reference(part, question, opposites) else None
    named = [i for i in part.places if part.text.stems[i] in reference.content]
    is_turned_round = is_place_turned_round(part, question, opposites, named)
    if "than" in words:  # "dearer than the bus"
        than = part.places.start + words.index("than")
        is_turned_round = max(opposites) < than < min(named)
        is_said_of_reference = max(named) < min(opposites) < than
        if not is_turned_round and not is_said_of_reference:
            return None
    denials = set(list_denials(part.text)).intersection(part.places)
    denials -= set(opposites)  # "less" may be both
    return is_turned_round != (len(denials) % 2 == 1)


# The things on both sides of such words are exchanged with the word: over, under.
SIDES = frozenset("over above under below beneath underneath before after".split())


def is_place_turned_round(
    part: Part, question: Text, opposites: Sequence[int], named: Sequence[int]
) -> bool:
    """Return whether a part says the same from the other side: the sand lies under the clay."""
    text, place = part.text, opposites[0]
    if text.words[place] not in SIDES or min(named) < place:
        return False
    return any(text.stems[i] in question.content for i in range(part.places.start, place))


def points_at_reference(part: Part, question: Text, opposites: Sequence[int]) -> bool:
    """Return whether a part has a pronoun for a thing and no thing itself: do it last."""
    text = part.text
    if POINTING.isdisjoint(part.list_words()):
        return False
    telling = [i for i in part.places if text.words[i] not in STOP_WORDS and i not in opposites]
    return all(text.stems[i] in question.places for i in telling)


def find_asked_opposites(part: Part, reference: Text, question: Text) -> list[int]:
    """Return the places of opposites of words that a question asks for; none beside such a word."""
    text = part.text
    known = reference.places.keys() | question.places.keys()
    places = list[int]()
    for i, (before, asked) in enumerate(pairwise(["", *question.words])):
        is_told_by_roles = any(compare_relations(asked, word) for word in TOLD_BY_ROLES)
        if before in QUESTION_WORDS or asked in PARTICLES or is_told_by_roles:
            continue  # "on which day?"
        opposites = find_opposites(asked, part, reference, question)
        # They were given what they received.
        if not (is_passive(question, i) or "by" in part.list_words()):
            opposites = [j for j in opposites if not is_passive(text, j)]
        if opposites and any(have_same_stem(asked, word) for word in part.list_words()):
            return []
        new = [j for j in opposites if text.stems[j] not in known]
        if new and has_open_verb(text, asked, part):
            return []
        places += new
    return places


# Who spoke for the plan, and who against it?
SIDE_ASKED = re.compile(
    r"\b(?:vot|speak|spoke|argu|campaign|decid|protest|fight|fought)\w* (?:\w+ )?(?:for|against)\b"
)


@lru_cache(maxsize=RECENT_TEXTS)
def asks_for_side(question: Text) -> bool:
    """Return whether a question asks who or what somebody was for or against."""
    return SIDE_ASKED.search(question.lower) is not None


def find_opposites(asked: str, part: Part, reference: Text, question: Text) -> list[int]:
    """Return the places of the opposites of an asked word: dearer for cheaper, "for" for "against".

    "For" is one only before the thing that is asked about: she did not vote for the tax.
    """
    text = part.text
    places = [i for i in part.places if are_opposite_words(asked, text.words[i])]
    if asked not in ("for", "against") or not asks_for_side(question):
        return places
    other = "against" if asked == "for" else "for"
    known = reference.places.keys() | question.places.keys()
    for i in part.places:
        behind = [j for j in part.places if j > i and text.words[j] not in DETERMINERS][:1]
        is_known = any(text.words[j] in POINTING or text.stems[j] in known for j in behind)
        if text.words[i] == other and is_known:
            places.append(i)
    return places


def has_open_verb(text: Text, asked: str, part: Part) -> bool:
    """Return whether the word before a part's "and" is an asked one: it arrives at and leaves X."""
    before = [i for i in range(part.places.start) if text.words[i] not in STOP_WORDS]
    return bool(before) and have_same_stem(asked, text.words[before[-1]])


# ---- questions that deny

QUESTION_START = re.compile(r"\W*(?:\w+ )?(?:who|whom|what|which|where)\b")
# A negator further behind may be part of a title, or of an aside: (but not a majority of).
LAST_NEGATOR = 7
TITLED = frozenset(
    "sing sings sang sung wrote recorded song movie film book show called says said i me we".split()
)
# Words that deny in a question, besides those of denials.py.
NEGATIVE_WORD = re.compile(
    r"miss(?:es|ed|ing)$|lack(?:s|ed|ing)?$|omit|skip|exempt|without$|quit(?:s|ting)?$|ceased?$"
)
# A question for what ended, and words that say that it goes on.
ENDING = frozenset("quit quits quitting cease ceased up".split())
GOING_ON = re.compile(r"\b(?:still|continue[sd]?|kept|keeps|goes on|went on|carried on)\b")
# A question for what is missing, and words that say that it is there.
LACKING = re.compile("missing|lack")
HAVING = frozenset("has have had contains contained includes included there".split())
CLOSED = re.compile(
    r"\b(?:is|are|was|were|be|stays?|remains?)\b[^?]{0,40}?\b(?P<word>closed|shut)\b"
)
NEGATIVE_PHRASE = re.compile(
    r"\b(?:leav(?:e|es|ing)|left) (?:\w+ )?out\b|\bg(?:ive|ives|ave|iven|iving) up\b"
)
NO_VERBS = STOP_WORDS | {"longer", "ever", "yet"}  # behind a negator: no longer
STATE_REACH = 2  # words from a "not" of the question to the state that it denies: not yet open
# Words with which a part may deny though it has no denial: too heavy to fly, outside the EU.
NO_AFFIRMATION = frozenset(
    "too outside away before could would if toxic dangerous poisonous late beyond off".split()
)
# "Norway is not the right answer"
NOT_THE_ANSWER = re.compile(
    r"\b(?:is|was|are|were)(?:n't| not) (?:the |a )?(?:right|correct|wanted) (?:answer|choice)\b"
)
JUDGING = frozenset("right correct wrong".split())
# What must not be there may be there: food waste is fine.
FORBIDDING = re.compile(
    r"\b(?:(?:must|may|should|could|is|are)(?:n't| not)|can't|cannot|can not) (?:\w+ )?"
    r"(?:be|go|allowed|permitted)\b"
    r"|\b(?:forbidden|prohibited|banned)\b"
)
PERMITTED = re.compile(
    r"\b(?:is|are|may|can) (?:(?:always|also|perfectly|quite|still|all) )?"
    r"(?:allowed|permitted|safe|fine|ok|okay|right|acceptable|welcome|be (?:put|thrown))\b"
)
LEAST_REPEATED = 0.6  # share of what the question denies that an answer repeats


def decide_denied_question(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UPHELD if an answer denies of a reference what the question denies, else UNLIKELY.

    None if the question denies nothing, or if the answer only names the reference, or tells
    something else of it.
    """
    if not 0 < len(answer.words) <= LONGEST_ANSWER or not reference.content:
        return None
    if NOT_ENDED.search(question.lower) and not ALL_BUT.search(answer.lower):
        return decide_continued(answer, reference)
    if NOT_DONE.search(question.lower) and says_that_it_was_done(answer, reference):
        return Decision(UNLIKELY, "denied", answer.text.strip(), reference.text.strip())
    negatives = find_negative_words(question)
    is_short = len(reference.words) <= LONGEST_REFERENCE and not is_sentence(reference)
    if not negatives or not is_short or reference.denials:
        return None
    has_exception = ALL_BUT.search(answer.lower) is not None
    parts = (
        list_sentence_parts(answer)
        if has_exception
        else list_parts_keeping_pairs(reference, answer)
    )
    outcome = join_votes([read_denied_part(part, reference, question, negatives) for part in parts])
    if not outcome:
        return None
    return Decision(outcome, "denied", answer.text.strip(), reference.text.strip())


# "Who did not give up?" asks for who went on.
ENDED = r"(?:g[ia]ve[sn]?(?: \w+)? up|quit(?:s|ted)?|stop(?:s|ped)?|ceased?|drop(?:s|ped)? out)"
NOT_ENDED = re.compile(
    rf"\b(?:who|which|what)\b[^?]{{0,30}}(?:\bnot|n't|\bnever) (?:\w+ )?{ENDED}\b"
)
HAS_ENDED = re.compile(rf"\b{ENDED}\b")


def decide_continued(answer: Text, reference: Text) -> Decision | None:
    """Return UPHELD if an answer says that a reference went on, UNLIKELY if it ended, or None."""
    outcome = join_votes([read_continued_part(part, reference) for part in list_parts(answer)])
    if not outcome:
        return None
    return Decision(outcome, "denied", answer.text.strip(), reference.text.strip())


def read_continued_part(part: Part, reference: Text) -> bool | None:
    """Return whether a part says that a reference went on, None if it tells nothing of that."""
    if not part.has_all_content(reference):
        return None
    shown = part.quote().lower()
    is_denied = len(set(part.text.denials).intersection(part.places)) % 2 == 1
    if GOING_ON.search(shown):
        return not is_denied
    ended = HAS_ENDED.search(shown)
    if ended:
        return is_denied if names_last(Text(shown[: ended.start()]), reference) else None
    # while Ben gave up, Ann did not
    return True if is_denied and HAS_ENDED.search(part.text.lower) else None


def names_last(text: Text, reference: Text) -> bool:
    """Return whether a reference has the last telling words of a text: Ann did not."""
    telling = [text.stems[i] for i in text.telling if not is_negator(text.words[i])]
    telling = [stem for stem in telling if stem not in ("onli", "one", "1")]
    return bool(telling) and telling[-1] in reference.content


# "What did she refuse to do?" asks for what she did not do.
NOT_DONE = re.compile(
    r"\bwhat\b[^?]{0,60}\b(?:refus|declin|fail|forg[eo]t|neglect|omit)\w* to do\b"
)
SHOULD = frozenset("should must ought could would".split())
DONE = re.compile(r"\b(?:managed to|succeeded in)\b")
NOT_DOING = re.compile(r"(?:refus|declin|fail|forg[eo]t|neglect|omit|skip|miss|unable|without)")


def says_that_it_was_done(answer: Text, reference: Text) -> bool:
    """Return whether an answer says that what a reference tells was done: she signed it."""
    if answer.denials or any(NOT_DOING.match(word) for word in answer.words):
        return False
    if not reference.telling or not answer.has_all_content(reference):
        return False
    verb = find_root(reference.words[reference.telling[0]])
    if DONE.search(answer.lower):
        return True
    for before, word in pairwise(["", *answer.words]):
        is_past = word in IRREGULAR_PAST or word.endswith("ed")
        is_other_form = word not in reference.words or before in PRONOUNS
        if find_root(word) == verb and is_past and is_other_form:
            return SHOULD.isdisjoint(answer.words)
    return False


def list_parts_keeping_pairs(reference: Text, answer: Text) -> list[Part]:
    """Return the parts of an answer, not cut at the "and" between two things of a reference."""
    is_whole = "and" in reference.first_place and answer.clause[-1] == 0
    return list_sentence_parts(answer) if is_whole else list_parts(answer)


def list_sentence_parts(text: Text) -> list[Part]:
    """Return the sentences of a text as parts, for a "but" may make an exception."""
    return [Part(text, words) for words in list_sentences(text)]


@lru_cache(maxsize=RECENT_TEXTS)
def find_negative_words(question: Text) -> frozenset[int]:
    """Return the places of words with which a question for a thing denies, mostly none."""
    if question.is_chinese or not QUESTION_START.match(question.lower):
        return frozenset()
    if not TITLED.isdisjoint(question.words) or "but" in question.first_place:
        return frozenset()
    if len(question.denials) > 1:
        return frozenset()  # what can you not live without
    main_clause = find_main_clause(question)
    places = {i for i in question.denials if 0 < i <= LAST_NEGATOR and i in main_clause}
    places |= find_denying_words(question)
    places.update(i for i, word in enumerate(question.words) if NEGATIVE_WORD.match(word))
    closed = CLOSED.search(question.lower)
    if closed:
        places.update(question.words_between(*closed.span("word")))
    for match in NEGATIVE_PHRASE.finditer(question.lower):
        places.update(question.words_between(*match.span()))
    return frozenset(places)


def read_denied_part(
    part: Part, reference: Text, question: Text, negatives: frozenset[int]
) -> bool | None:
    """Return whether a part of an answer denies of a reference what the question denies.

    Each denial turns a statement round, and so does an exception. None if the part has not the
    reference, or tells nothing of what the question denies.
    """
    if not part.has_all_content(reference):
        return None
    text = part.text
    repeated = find_repeated_negatives(part, question, negatives)
    denials = find_new_denials(part, repeated, reference, question)
    if is_ruled_out(part, reference, question) or any(
        contrasts(part, i, reference) for i in denials
    ):
        return False
    if any(denies_only_thing(part, i, reference) for i in denials):
        return True if text.words[part.places.start] == "but" else None  # Oslo, but not Rome
    exception = find_exception(part, set(reference.content) - question.places.keys())
    if exception:
        denials = {i for i in denials if text.words[i] not in EXCEPTING_WORDS}
    excepts_from_all = exception is not None and exception["all"] is not None
    if repeated and not denials and not excepts_from_all:
        return None  # it repeats the question
    affirms = affirms_denied(part, reference, question, negatives)
    has_verb = affirms or has_predicate(part, reference, question)
    takes_verb_of_question = exception is not None and not has_verb  # all but Karen
    n_turns = len(denials) + excepts_from_all + names_other_state(part, question)
    n_turns += bool(repeated) or takes_verb_of_question
    if n_turns or exception:
        return n_turns % 2 == 1
    is_plain = NO_AFFIRMATION.isdisjoint(part.list_words())
    return False if affirms and is_plain else None


def is_ruled_out(part: Part, reference: Text, question: Text) -> bool:
    """Return whether a part denies that a reference is the answer, or allows what is forbidden."""
    shown = part.quote().lower()
    if NOT_THE_ANSWER.search(shown) and JUDGING.isdisjoint(question.words):
        return True
    denies_too = "but not " in part.text.lower or part.list_denials(set())
    if denies_too or ALL_BUT.search(shown) or not FORBIDDING.search(question.lower):
        return False
    return PERMITTED.search(shown) is not None or repeats_permission(part, reference)


def repeats_permission(part: Part, reference: Text) -> bool:
    """Return whether a part says of a reference that it is, where the one before denies it.

    "Paper isn't allowed; food waste is."
    """
    words = [word for word in part.list_words() if word not in DETERMINERS | {"and", "but"}]
    is_short = len(words) == len(reference.words) + 1 and words[-1] in ("is", "are")
    return is_short and any(i < part.places.start for i in part.text.denials)


def find_repeated_negatives(part: Part, question: Text, negatives: frozenset[int]) -> set[str]:
    """Return the stems of a part's words with which the question denies: missed, gave up."""
    telling = [i for i in negatives if question.words[i] not in STOP_WORDS]
    roots = {find_root(question.words[i]) for i in telling if not is_negator(question.words[i])}
    text = part.text
    return {text.stems[i] for i in part.places if find_root(text.words[i]) in roots}


def find_new_denials(part: Part, repeated: Set[str], reference: Text, question: Text) -> set[int]:
    """Return the words of a part that deny and do not repeat the question."""
    denials = set(part.places).intersection(list_denials(part.text))
    denials = {i for i in denials if part.text.stems[i] not in repeated}
    return {i for i in denials if not is_other_without(part, i, reference, question)}


def is_other_without(part: Part, i: int, reference: Text, question: Text) -> bool:
    """Return whether a "without" has no word of the reference or the question behind it."""
    behind = part.text.stems[i + 1 : i + 4]
    known = {*reference.content, *question.content}
    return part.text.words[i] == "without" and known.isdisjoint(behind)


def contrasts(part: Part, i: int, reference: Text) -> bool:
    """Return whether "rather than" or "instead of" stands before the reference."""
    if part.text.words[i] not in ("rather", "instead"):
        return False
    return not set(reference.content).isdisjoint(part.text.stems[i + 2 : i + 5])


# Words that make an exception, with those for all and none.
EXCEPTING_WORDS = frozenset(
    "all each every everyone everybody everything any anyone anybody none nobody nothing no one "
    "but except apart aside other excluding save exception".split()
)


def has_predicate(part: Part, reference: Text, question: Text) -> bool:
    """Return whether a part tells more than who is excepted: everyone came but Karen."""
    text = part.text
    for i in part.places:
        word, stem = text.words[i], text.stems[i]
        if stem in reference.places or word in EXCEPTING_WORDS:
            continue
        is_new = word not in STOP_WORDS and stem not in question.places
        if is_new or word in AUXILIARY:
            return True
    return False


def denies_only_thing(part: Part, i: int, reference: Text) -> bool:
    """Return whether a "not" before the reference denies no verb: not on Monday."""
    text = part.text
    if denies_verb(text.words, i) or text.words[i] != "not":
        return False
    behind = [place for place in part.places if place > i and text.words[place] not in STOP_WORDS]
    return bool(behind) and text.stems[behind[0]] in reference.places


def find_exception(part: Part, wanted: Set[str]) -> re.Match[str] | None:
    """Return the words with which a part excepts the reference: everyone but Karen."""
    text = part.text
    end = text.find_end_of_word(part.places.stop - 1)
    match = ALL_BUT.search(text.lower, text.starts[part.places.start], end)
    if not match:
        return None
    excepted = {text.stems[i] for i in part.places if text.starts[i] >= match.start("exception")}
    return match if wanted <= excepted else None


def affirms_denied(part: Part, reference: Text, question: Text, negatives: frozenset[int]) -> bool:
    """Return whether a part says what the question denies.

    "It is open on Monday" says so where the question asks when it is closed.
    """
    negative_words = {question.words[i] for i in negatives}
    if any(state[0] in negative_words for state in find_opposed_states(part, question)):
        return True
    asks_for_lack = any(LACKING.match(word) for word in negative_words)
    if asks_for_lack and says_that_it_is_there(part, reference):
        return True
    asks_for_end = not ENDING.isdisjoint(negative_words)
    if asks_for_end and GOING_ON.search(part.quote().lower()):
        return True
    return repeats_denied(part, question, negatives)


def says_that_it_is_there(part: Part, reference: Text) -> bool:
    """Return whether a part has "has" or the like and then the reference: it has the door.

    "It has a nitrogen deficiency" says that nitrogen is not there.
    """
    text = part.text
    for i in part.places:
        if text.words[i] not in HAVING:
            continue
        behind = [place for place in part.places if place > i and text.words[place] not in BE]
        while behind and text.words[behind[0]] in DETERMINERS | {"plenty", "of", "enough"}:
            behind.pop(0)
        things = [place for place in behind if text.words[place] not in STOP_WORDS]
        if things[:1] != behind[:1] or len(things) != len(reference.content):
            continue
        if things and text.stems[things[0]] == reference.content[0]:
            return True
    return False


def names_other_state(part: Part, question: Text) -> bool:
    """Return whether a part names the other state of one that the question denies.

    "It is closed" does so where the question asks when it is not open.
    """
    for state in find_opposed_states(part, question):
        place = question.words_between(*state.span()).start
        if any(0 < place - i <= STATE_REACH for i in question.denials):
            return True
    return False


def find_opposed_states(part: Part, question: Text) -> Iterator[re.Match[str]]:
    """Yield the words of a question for a state whose opposite a part names."""
    shown = part.quote().lower()
    for sense, asked_side in list_asked_senses(question.lower, "who"):
        named = sense[asked_side].search(question.lower)
        if named and sense[1 - asked_side].search(shown):
            yield named


def repeats_denied(part: Part, question: Text, negatives: frozenset[int]) -> bool:
    """Return whether a part has the verb that the question denies, or most of what it denies."""
    denied_roots = list[str]()
    for word in question.words[max(negatives) + 1 :]:
        if word not in NO_VERBS and not is_negator(word):
            denied_roots.append(find_root(word))
    roots = [find_root(word) for word in part.list_words()]
    repeated = [root for root in denied_roots if has_form(roots, root)]
    if not repeated:
        return False
    has_verb = denied_roots[0] in repeated
    return has_verb or len(repeated) >= LEAST_REPEATED * len(denied_roots)
