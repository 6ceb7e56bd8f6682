"""Find a second thing in an answer where the question asks for one.

Where Paris is right, an answer may give Lyon, too:

| how | example | kind | found in |
|---|---|---|---|
| joined to it, or the same said of it | Paris and Lyon; so is Lyon | added | candidates.py |
| left open | Paris or Lyon; maybe Paris, maybe Lyon | either | candidates.py |
| taken back, or one of two | Paris? Sorry, Lyon; if not Lyon, then Paris | either | here |
| weighed | Paris or Lyon? So Lyon | either, told as replaced | conclusions.py |

found_reference.py reads the answer's clauses and things for all of them.
"""

import re
from collections.abc import Iterator, Sequence

from .candidates import (
    ASKING_WHO,
    SHORT_ANSWER,
    Candidate,
    find_candidates,
    is_lower_degree,
    leaves_two_open,
)
from .conclusions import (
    CORRECTION,
    INTERRUPTION,
    TAKING_BACK,
    may_only_seem,
    read_conclusion,
    settles_on_match,
)
from .found_reference import ADDING_WORDS, ALSO_WORDS, NO_THING, OPEN_WORDS, FoundReference
from .lexicon import (
    BE,
    DETERMINERS,
    PREPOSITIONS,
    SETTLED_ON,
    STOP_WORDS,
)
from .lists import LONGEST_ANSWER, asks_for_list, split_items
from .marked_additions import ASKS_FOR_SOME, find_marked_addition
from .matching import Match
from .parallel_things import find_parallel_addition
from .outcomes import Objection
from .relations import is_verb
from .text import HAN_RANGES, Text

LONGEST_NAME = 6  # words of a reference that is one thing
# Words of a correction that names no other thing: no, seriously; sorry, fresh ones.
NO_OTHER = NO_THING | frozenset("one ones yes right ok okay fine honest joke sure".split())
POSSESSIVES = frozenset("his her their its our my your".split())
JOINING = (
    ADDING_WORDS | ALSO_WORDS | DETERMINERS | frozenset("as well along together with both".split())
)
LONGEST_LISTING = 14  # words of an answer that lists several things where one is asked for
NAMING_WORDS = frozenset("called known named mean meaning termed term".split())
ASKS_FOR_NAME = re.compile(r"\b(?:called|name|named|mean|means|meaning|synonym|term|said|say)\b")
NAMING_REACH = 6  # words behind "called" that give a name
REACH_BEFORE_MATCH = 80  # characters in which words that set the match aside are looked for
# A question for one thing of a kind: which country; in what year; what is the capital.
ONE_OF_A_KIND = re.compile(
    r"""\W* (?:(?:in|on|at|from|to|for|by|of|under|with|during)[ ])?
    (?:which|what) (?: [ ](?:is|was|'s)(?:[ ]the(?![ ]name))? | 's(?:[ ]the)? )? [ ]
    (?! (?:is|was|are|were|do|does|did|it|the|we|you|on|in|at)[ ] )
    [\w']""",
    re.VERBOSE,
)
# The same in German, French and Spanish.
ONE_OF_A_KIND_ELSEWHERE = re.compile(
    r"\W*(?:(?:in|an|auf|aus) )?welche[rsmn]? \w+ (?:ist|war|wurde|\w+t)\b"
    r"|\W*quel(?:le)? (?:\w+ )?(?:est|a|fut)\b|\W*(?:cuál|qué \w+) (?:es|fue|tiene)\b"
)
# A question for what is done: what did the thief take. One thing may be meant, or several.
ONE_OR_SEVERAL = re.compile(r"\W*(?:what|whom?) (?:is|was|do|does|did|has|had|should)\b")
# A question that several words may answer together: what does it mean, what is it for.
ASKS_FOR_SENSE = re.compile(
    r"\b(?:mean|means|meaning|purpose|used? for|use of|source|reason|example|application"
    r"|function)\b"
)


def find_additions(
    answer: Text,
    reference: Text,
    known: Sequence[Text],
    match: Match,
) -> Iterator[Objection]:
    """Yield the first objection to another thing next to the reference: Sydney or Canberra.

    Args:
        answer: the answer.
        reference: the reference that counts.
        known: the question, and all references.
        match: where the answer has the reference.
    """
    if reference.is_chinese:
        yield from find_chinese_additions(answer, reference, known)
    elif match.inside and is_one_thing(reference) and may_have_other_thing(answer, known):
        objection = find_addition(FoundReference(answer, reference, known[1:], known[0], match))
        if objection:
            yield objection


def is_one_thing(reference: Text) -> bool:
    """Return whether a reference is one thing: no sentence, no list, no choice of two things."""
    if not 0 < len(reference.words) <= LONGEST_NAME or split_items(reference.text):
        return False
    # "the breast or lower chest" leaves it open itself. "O negative" does not.
    return not any(
        word in OPEN_WORDS and shown.islower()
        for word, shown in zip(reference.words, reference.shown, strict=True)
    )


def may_have_other_thing(answer: Text, known: Sequence[Text]) -> bool:
    """Return whether an answer is short, and has a word that the other texts lack."""
    if len(answer.words) > LONGEST_ANSWER:
        return False
    return any(all(stem not in text.places for text in known) for stem in answer.places)


def find_addition(found: FoundReference) -> Objection | None:
    """Return the first objection to another thing next to a reference, or None.

    There is none if the answer weighs both things and settles on the reference.
    """
    is_settled = settles_on_match(found)
    if is_settled is not None:
        return None if is_settled else report_conclusion(found)
    return (
        find_correction(found)
        or find_chosen_thing(found)
        or find_other_answer(found)
        or find_contrast(found)
        or find_candidate(found)
        or find_open_choice(found)
        or find_further_thing(found)
    )


def find_further_thing(found: FoundReference) -> Objection | None:
    """Return the objection to a thing that an answer adds to the reference, or None."""
    objection = find_marked_addition(found) if may_add(found) else None
    if objection or are_several(found.references) or ASKS_FOR_SOME.search(found.question.lower):
        return objection
    return find_parallel_addition(found)


ASKS_WHY_OR_HOW = re.compile(r"\W*(?:why|how)\b")


def may_add(found: FoundReference) -> bool:
    """Return whether a question has one answer, so that another thing is one too many."""
    question = found.question
    if ASKS_WHY_OR_HOW.match(question.lower) or asks_for_one(question):
        return True
    return asks_about_past(question) or expects_one_thing(question, found.reference)


def find_candidate(found: FoundReference) -> Objection | None:
    """Return the objection to the first candidate that counts, or None.

    Its words begin with the match or the candidate, and end with the other one.
    """
    for candidate in find_candidates(found):
        if not found.is_another(candidate.words):
            continue
        start = min(candidate.words.start, found.match.start)
        last = max(candidate.words[-1], found.match[-1])
        is_denied = any(start <= i <= last for i in found.answer.denials)
        if is_denied and not candidate.is_sure:
            continue
        if candidate.is_open or leaves_two_open(found, start):
            kind = "either"
            counts = not gives_other_name(found, start)
        else:
            kind = "added"
            counts = is_one_too_many(found, candidate)
        if counts:
            return found.report(kind, found.answer.span(start, last + 1))
    return None


def is_one_too_many(found: FoundReference, candidate: Candidate) -> bool:
    """Return whether the question asks for one thing, so that a second one is wrong."""
    question, references = found.question, found.references
    if are_several(references):
        return False
    if asks_for_one(question) or gives_just_two_things(found, candidate):
        return True
    is_marked = marks_two(found, candidate)
    may_have_two = asks_for_list(question) or ASKS_FOR_EXAMPLE.search(question.lower)
    if is_marked and not may_have_two:
        return True
    if not candidate.is_sure and not is_marked and not is_short_for_candidate(found, candidate):
        return False
    return expects_one_thing(question, references[0]) or names_two_persons(found, candidate)


def names_two_persons(found: FoundReference, candidate: Candidate) -> bool:
    """Return whether a question for a person is answered by two: the manager and the director."""
    asks_who = not ASKING_WHO.isdisjoint(found.question.words)
    before = found.words[candidate.words.start - 1]
    return asks_who and found.has_determiner and before == "the"


BOTH_REACH = 4  # words before and behind two things in which "both" or the like stands
EQUALLY = re.compile(r"(?:both|alike|equally|in equal (?:amounts?|measures?|parts|shares))\b")


def marks_two(found: FoundReference, candidate: Candidate) -> bool:
    """Return whether an answer says that two things are right: both A and B, A and B alike."""
    start = min(candidate.words.start, found.match.start)
    stop = max(candidate.words.stop, found.match[-1] + 1)
    before = found.words[max(0, start - BOTH_REACH) : start]
    if not {"both", "equally", "jointly"}.isdisjoint(before):
        return True
    behind = " ".join(found.words[stop : stop + BOTH_REACH])
    return EQUALLY.match(behind) is not None


def gives_just_two_things(found: FoundReference, candidate: Candidate) -> bool:
    """Return whether an answer is the reference and a candidate, and nothing else.

    "The drivers and the cooks" adds to "the drivers", though a question may ask for several.
    """
    if len(found.references) > 1 or candidate.is_open or not asks_about_past(found.question):
        return False
    if candidate.is_sure and len(found.words) <= SHORT_ANSWER:
        return True  # so did the cooks
    if not POSSESSIVES.isdisjoint(found.words):
        return False  # the owner and his family
    known = {*found.match, *candidate.words}
    others = [found.words[i] for i in range(len(found.words)) if i not in known]
    return all(word in JOINING or word in PREPOSITIONS for word in others)


# A question for an example, or for the reason.
PRESENT = frozenset("is are has made".split())
ASKS_FOR_EXAMPLE = re.compile(r"\b(?:name|example|can|why|usually|typically)\b")


def asks_about_past(question: Text) -> bool:
    """Return whether a question asks what happened: then no other thing is right, too.

    "What are the symptoms?" may have more answers than the reference has.
    """
    if ASKS_FOR_EXAMPLE.search(question.lower):
        return False
    verbs = filter(is_verb, question.words)
    return "got" in question.first_place or not PRESENT.issuperset(verbs)


def is_short_for_candidate(found: FoundReference, candidate: Candidate) -> bool:
    """Return whether a short answer to a single reference means each of its things.

    It may be longer if else it only repeats the question.
    """
    if len(found.references) > 1:
        return False
    longest = LONGEST_LISTING if found.match.start == 0 else SHORT_ANSWER
    if len(found.answer.words) <= longest:
        return True
    return found.says_nothing_else(candidate.words)


def expects_one_thing(question: Text, reference: Text) -> bool:
    """Return whether a question that may have several answers has one by its reference.

    The reference is a person's name, or tells what is done.
    """
    asks_who = not ASKING_WHO.isdisjoint(question.words)
    if asks_who and reference.names:
        return True
    return ONE_OR_SEVERAL.match(question.lower) is not None and not asks_for_sense(question)


def are_several(references: Sequence[Text]) -> bool:
    """Return whether a reference has no word of the first one: they are different things."""
    first = references[0]
    return any(first.places.keys().isdisjoint(other.places) for other in references[1:])


def asks_for_sense(question: Text) -> bool:
    """Return whether several words may answer a question together: what does it mean."""
    return ASKS_FOR_SENSE.search(question.lower) is not None


def asks_for_one(question: Text) -> bool:
    """Return whether a question asks for one thing of a kind."""
    if ONE_OF_A_KIND_ELSEWHERE.match(question.lower):
        return True
    return ONE_OF_A_KIND.match(question.lower) is not None and not asks_for_sense(question)


def gives_other_name(found: FoundReference, start: int) -> bool:
    """Return whether "or" joins two names for one thing.

    Then "called" stands before them, or the question asks what a thing is called or means.
    """
    if asks_for_sense(found.question):
        return True
    if not found.is_name and ASKS_FOR_NAME.search(found.question.lower):
        return True
    clause = found.answer.clause
    for i in range(max(0, start - NAMING_REACH), start):
        if found.words[i] in NAMING_WORDS and clause[i] == clause[start]:
            return True
    return False


# ---- an answer that takes the reference back for another name: "Thoreau? Sorry, I meant Emerson"

CORRECTED_AFTER = re.compile(
    rf"""^['"”)]? \s{{0,3}} [?.,;…–—-]{{1,5}} \s{{0,3}}
    (?: oh[ ] | ah[ ] | er,?[ ] | hmm,?[ ] )?
    (?: {TAKING_BACK} )\b
    [^.]{{0,40}}?
    (?-i: (?P<name> [A-Z][\w'-]+ ) )""",
    re.IGNORECASE | re.VERBOSE,
)
# "Merge sort, correction: quicksort", "Apricots, I mean peaches", "12, oops, 13"
CORRECTED_LAST = re.compile(
    rf"""^['"”)]? \s{{0,3}} [?.,;…–—-]{{1,5}} \s{{0,3}}
    (?: oh | ah | er | no | wait | sorry )?,? \s?
    (?: (?: {CORRECTION} )[,:]?
        | (?: {INTERRUPTION} | hang[ ]on | pardon )[,:;.!…–—-]{{1,3}} )
    [ ] (?:it[ ]is[ ]|it's[ ])? (?:the[ ]|an?[ ])?
    (?P<other>[^\W_]{{2,20}}(?:[ ][^\W_]{{2,20}})?)
    \W* $""",
    re.IGNORECASE | re.VERBOSE,
)
SET_ASIDE_BEFORE = re.compile(  # my first thought was Thoreau
    r"""(?: first[ ](?:thought|guess|idea|instinct)
        | i[ ](?:initially|at[ ]first)[ ](?:said|thought|wrote)
        | tempted[ ]to[ ]say | almost[ ]said | wanted[ ]to[ ]say | had[ ](?:thought|guessed)
        | mistook | confus\w{1,10} )
    (?: [ ](?: was | of | it[ ]was | to[ ]be | it[ ]is | that[ ]it[ ]was | i[ ]thought[ ]of
        | with | it[ ]for ) )?
    [ :]{0,3} $""",
    re.IGNORECASE | re.VERBOSE,
)
EITHER_OF_TWO = re.compile(  # if not Ann, then Bob
    r"""\b if[ ] (?: not | it[ ](?:is|was)[ ]?n[o']t | it'?s[ ]not | it[ ]wasn't | it[ ]isn't )
        (?! [ ](?:mistaken|wrong|for\b) )
    | \b one[ ]of[ ]the[ ]two \b""",
    re.VERBOSE,
)


# "It could be the krone and it could just as well be the euro"
MAY_BE = re.compile(r"\b(?:could|might|may)(?: \w+){0,4}? (?:be|have been)\b")
# A second thing that it may be, and no clause about the first one: which could be replaced.
SECOND_MAY_BE = re.compile(
    r"\b(?:it|this|they|he|she|or|and|else)(?: also| as well)? (?:could|might|may)(?: \w+){0,4}?"
    r" (?:be|have been) (?!\w+(?:ed|en)\b)"
)


# "Toronto, unless it is Ottawa", and "Ottawa? Toronto? I mix them up"
UNLESS = re.compile(r"\b(?:unless|if) it(?:'s| is| was)(?: not|n't)?(?: the| an?)? $")
TWO_QUESTIONS = re.compile(
    r"\?\s*(?:[Oo]r )?[^.?!]{1,30}\?(?=\W*$|[^?]*\b(?:i|I|I'm|me|who knows|your guess|no idea)\b)"
)
# "I'm unable to say which of them it is"
UNDECIDED = re.compile(
    r"(?<!not )\b(?:(?:unable|impossible|hard|difficult|not able) to (?:say|tell|decide|choose)"
    r"|(?:cannot|can't|couldn't|could not) (?:say|tell|decide|choose))"
    r" (?:which|who|whether|between)\b"
)


# "Bronze, copper, iron: take your pick", "I waver between Lima and Quito"
LEAVES_CHOICE = re.compile(
    r"\b(?:(?:take your|you) pick|pick one|any of (?:these|them)|one or the other"
    r"|(?:one of|among) (?:these|those|them)(?: two| three)?(?=\W*$|[.:;,])"
    r"|(?:i|i'm) waver(?:ing)? between|(?:left|leaves) (?:it )?open (?:whether|which)"
    r"|(?:unless it(?:'s| is| was)|if it (?:isn't|wasn't)) (?!an?\b|too\b)\w+(?=\W*$)"
    r"|(?<=, )or (?:you|they|we|one) (?:can|could|may|might)"
    r" (?:also|instead|leave|bring|take|use|hand|give|drop|put|collect|order|try)\b"
    r"|your guess is as good|(?:numbers|names|times|things|places) (?:it might be|come to mind))\b"
)


def find_open_choice(found: FoundReference) -> Objection | None:
    """Return the objection to an answer that leaves two names open, or None.

    If not Ann, then Bob; Jane or Charlotte Austen.
    """
    is_open = may_be_either(found) or is_undecided(found) or has_alternative(found)
    is_open = is_open or leaves_choice(found)
    return found.report("either", found.answer.text.strip()) if is_open else None


def leaves_choice(found: FoundReference) -> bool:
    """Return whether an answer with another thing says that it may be any of them."""
    if not LEAVES_CHOICE.search(found.answer.lower):
        return False
    return bool(found.list_new_words(range(len(found.words)), found.match))


def may_be_either(found: FoundReference) -> bool:
    """Return whether an answer says of two things that it may be each of them."""
    lower = found.answer.lower
    first = MAY_BE.search(lower)
    if first is None or not SECOND_MAY_BE.search(lower, first.end()):
        return False
    return bool(found.list_new_words(range(len(found.words)), found.match))


def is_undecided(found: FoundReference) -> bool:
    """Return whether an answer cannot tell which of two things of a question it is."""
    if "or" not in found.question.first_place or found.match.start <= 1:
        return False
    return UNDECIDED.search(found.answer.lower) is not None


def has_alternative(found: FoundReference) -> bool:
    """Return whether a short answer with another thing leaves open which of both it is."""
    answer = found.answer
    if len(answer.words) > LONGEST_LISTING or not has_other_thing(found):
        return False
    if "or" in found.list_words(found.match) or EITHER_OF_TWO.search(answer.lower):
        return True
    if UNLESS.search(answer.lower[: found.start]) or TWO_QUESTIONS.match(answer.text[found.end :]):
        return True
    start = found.match.start
    is_one_of = found.words[max(0, start - 3) : start][:2] == ["one", "of"]
    return is_one_of and not found.words[found.match[-1]].endswith("'s")


def has_other_thing(found: FoundReference) -> bool:
    """Return whether an answer has a name or a single letter that no other text has."""
    if has_new_name(found):
        return True
    return any(len(word) == 1 and not found.is_known_stem(word) for word in found.answer.words)


# A question that names the reference, and a last sentence that gives another thing.
GIVES_LAST = re.compile(
    r"^\s?\?(?:[^.!?]{1,40}\?)* ?(?:no|nope|it's|it is|it was|actually|the answer is)?,? ?"
    r"(?P<other>[^.,;:!?]{2,40})[.!]?\s*$"
)
# Another thing was chosen: but Madrid was chosen.
CHOOSES_OTHER = re.compile(
    r"\bbut (?:in the end |eventually |finally )?(?P<other>[^.,;:!?]{2,40}?)"
    r" (?:was|were|got|has been)(?: eventually| finally)?"
    r" (?:chosen|selected|picked|preferred|elected|appointed|hired)(?=\W*$|[.;!])"
)
# Where a question asks for a loser, the first one or the like, what comes last is no answer.
ASKS_FOR_EARLIER = re.compile(
    r"\b(?:los[et]|lost|loser|resign\w*|retire\w*|original\w*|candidates?|before|against|first|old"
    r"|former)\b"
)
# Another thing was taken in the end: they ended up with blue.
ENDS_WITH_OTHER = re.compile(rf"\b{SETTLED_ON} (?P<other>[^.,;:!?]{{2,40}})")


def find_chosen_thing(found: FoundReference) -> Objection | None:
    """Return the objection to another thing that an answer gives in the end, or None.

    "Vivaldi? Handel? It's Bach" and "Lisbon applied, but Madrid was chosen" do so.
    """
    answer = found.answer
    if answer.denials and answer.words[answer.denials[0]] != "no":
        return None
    if ASKS_FOR_EARLIER.search(found.question.lower):
        return None
    last = GIVES_LAST.match(answer.lower[found.end :])
    offset = found.end if last else 0
    chosen = last or CHOOSES_OTHER.search(answer.lower, found.end)
    chosen = chosen or ENDS_WITH_OTHER.search(answer.lower, found.end)
    if not chosen:
        return None
    start, end = chosen.span("other")
    other = answer.words_between(offset + start, offset + end)
    if not other or any(found.stems[i] in found.reference.content for i in other):
        return None
    new = found.list_new_words(other, found.match)
    has_form = not found.is_name or any(found.shown[i][0].isupper() for i in new)
    if not new or not has_form:
        return None
    return found.report_replacement(other)


# A clause that gives what is asked for: but the answer is Lyon, yet the longest is the tibia.
GIVES_OTHER = re.compile(
    r"[,;.]? (?:but|however,?|yet)(?:,? (?:in fact|actually|really))? "
    r"(?P<subject>[^.,;:!?]{2,60}?)"
    r" (?:is|was|are|were|will be|has been|goes to|went to|turned out to be)"
    r"(?: (?:actually|really|in fact|now))? (?P<other>[^,;:!?]{2,60})"
)
ASKED_THING = frozenset("answer right correct one real actual true".split())


def find_other_answer(found: FoundReference) -> Objection | None:
    """Return the objection to an answer that gives another thing in the end, or None.

    "The femur is long as well, but the longest is the tibia" does so. The clause must name what the
    question asks for, and nothing else, before its "is".
    """
    answer = found.answer
    clause = GIVES_OTHER.search(answer.lower, found.end - 1)
    if not clause or answer.denials:
        return None
    subject = answer.words_between(*clause.span("subject"))
    other = answer.words_between(*clause.span("other"))
    new_subject = [i for i in subject if found.has_meaning(i) and not found.is_asked(i)]
    new_subject = [i for i in new_subject if found.words[i] not in ASKED_THING]
    names_asked = any(found.words[i] in ASKED_THING or found.is_asked(i) for i in subject)
    if new_subject or not names_asked or not ALSO_WORDS.isdisjoint(found.list_words(other)):
        return None
    has_reference = any(found.stems[i] in found.reference.content for i in (*subject, *other))
    if has_reference or not found.list_new_words(other, found.match):
        return None
    return found.report_replacement(range(subject.start, other.stop))


# A clause that contrasts with what stands before it.
CONTRAST = re.compile(
    r"[,;.]? (?:but|however,?|yet"
    r"|(?:al)?though(?= (?:really|actually|in (?:fact|truth|reality))\b)) (?P<rest>[^.,;:!?]{2,80})"
)
IN_TRUTH = re.compile(
    r"\b(?:in truth|in fact|in reality|in the end|actually|really|eventually|finally|ultimately"
    r"|at last|the truth is)\b"
)
IT_IS = re.compile(
    r"(?:in (?:truth|fact|reality|the end) |actually |really )?"
    r"(?:it's|it is|it was|they are|they were|it (?:turn|prove)(?:s|ed)(?: out)? to be)"
    r"(?: (?:actually|really|in fact|just))? "
)
LONGEST_SUBJECT = 3  # words of a thing of which a clause says what is asked


def find_contrast(found: FoundReference) -> Objection | None:
    """Return the objection to an answer that contrasts the reference with another thing, or None.

    "It looks like a clarinet, but it's an oboe" and "Diamond is hard, but corundum is the hardest"
    do so.
    """
    answer = found.answer
    contrast = CONTRAST.search(answer.lower, found.end)
    if not contrast or answer.denials:
        return None
    clause = answer.words_between(*contrast.span("rest"))
    words = found.list_words(clause)
    if not clause or not ALSO_WORDS.isdisjoint(words) or "more" in words:
        return None
    if any(found.stems[i] in found.reference.content for i in clause):
        return None
    thing = find_contrasted_thing(found, clause, contrast["rest"])
    if not found.is_another(thing):
        return None
    return found.report_replacement(clause)


def find_contrasted_thing(found: FoundReference, clause: range, shown: str) -> range:
    """Return the thing that a contrasting clause gives in place of the match, or an empty range."""
    subject = read_contrasted_subject(found, clause)
    it_is = IT_IS.match(shown)
    if subject or not it_is:
        return subject
    only_seems_so = may_only_seem(found.quote(range(clause.start)))
    if not only_seems_so and not IN_TRUTH.search(shown):
        return range(0)
    offset = found.answer.starts[clause.start] + it_is.end()
    thing = found.read_thing(found.answer.words_between(0, offset).stop, is_noun=True)
    return thing if thing and found.ends_clause(thing[-1]) else range(0)


def read_contrasted_subject(found: FoundReference, clause: range) -> range:
    """Return the thing of which a clause says what is asked: corundum is the hardest.

    The range is empty if the clause says anything else, or less: corundum is hard.
    """
    stop = clause.start
    while stop < clause.stop and found.words[stop] not in BE and not found.is_asked(stop):
        stop += 1
    rest = [i for i in range(stop, clause.stop) if found.words[i] not in STOP_WORDS]
    if not rest or not all(found.is_asked(i) and not is_lower_degree(found, i) for i in rest):
        return range(0)
    has_determiner = found.words[clause.start] in DETERMINERS
    subject = range(clause.start + has_determiner, stop)
    words = found.list_words(subject)
    has_name = any(found.shown[i][0].isupper() for i in subject)
    is_thing = 0 < len(subject) <= LONGEST_SUBJECT and (has_name or not found.is_name)
    is_thing = is_thing and NO_THING.isdisjoint(words) and PREPOSITIONS.isdisjoint(words)
    return subject if is_thing else range(0)


def find_correction(found: FoundReference) -> Objection | None:
    """Return the objection to an answer that takes the reference back for another name, or None."""
    text = found.answer.text
    after = CORRECTED_AFTER.match(text[found.end :])
    if after and not any(found.is_known_stem(stem) for stem in Text(after["name"]).stems):
        return found.report("either", text[found.start : found.end + after.end()])
    last = CORRECTED_LAST.match(text[found.end :])
    thing = read_corrected_thing(last["other"]) if last else None
    if thing:
        is_known = not thing.content or found.is_known_stem(thing.content[-1])
        return None if is_known else found.report("either", text[found.start :].strip())
    reach = max(0, found.start - REACH_BEFORE_MATCH)
    before = SET_ASIDE_BEFORE.search(text[reach : found.start])
    if before and has_new_name(found):
        return found.report("either", text[reach + before.start() : found.end])
    return None


def read_corrected_thing(shown: str) -> Text | None:
    """Return what stands in the place of a corrected thing, or None if it is none: I mean it."""
    thing = Text(shown)
    is_other = NO_OTHER.isdisjoint(thing.words) and POSSESSIVES.isdisjoint(thing.words)
    is_adverb = thing.words[-1:] and thing.words[-1].endswith("ly")
    return thing if is_other and not is_adverb else None


def has_new_name(found: FoundReference) -> bool:
    """Return whether an answer has a name that no other text has, or begins with one.

    Its first word is new if the first reference lacks it.
    """
    answer = found.answer
    if answer.shown[0][0].isupper() and answer.stems[0] not in found.references[0].places:
        return True
    return any(not found.is_known(start) for start, _ in answer.names)


def report_conclusion(found: FoundReference) -> Objection:
    """Return the objection to an answer that settles on another thing: so it must be Lyon."""
    conclusion = read_conclusion(found.answer)
    return found.report_replacement((*conclusion.clauses, conclusion.before)[0])


# ---- Chinese

CHINESE_JOINT = "[，,;；。]?(?:和|与|及|以及|、|跟|或|或者|还有|加上)"
CHINESE_ALSO = "[，,;；]?(?:另外|此外|同时)?也(?:属于|是|在|有|可以说|可以是|可能是)"
ASKS_FOR_ONE_IN_CHINESE = re.compile(
    "还是|谁|哪里|哪儿|多少年|哪一?[个位条座种国首部项年家颗省市]|什么"
)
ASKS_FOR_SEVERAL_IN_CHINESE = re.compile("哪些|哪几")
LONGEST_CHINESE_NAME = 8  # characters


def find_chinese_additions(
    answer: Text, reference: Text, known: Sequence[Text]
) -> Iterator[Objection]:
    """Yield that a Chinese answer names another thing next to the reference: 吴承恩和罗贯中."""
    name = reference.text.strip(" 。.")
    is_name = 1 < len(name) <= LONGEST_CHINESE_NAME and not split_items(reference.text)
    if not is_name or not asks_for_one_in_chinese(known[0].text):
        return
    name = re.escape(name.removeprefix("只"))
    other = f"[{HAN_RANGES}]{{2,6}}"
    excluded = re.search(f"不是{other}就是{name}|不是{name}就是{other}", answer.text)
    if excluded:
        yield Objection("either", 1.0, excluded[0], reference.text.strip())
        return
    for pattern in list_chinese_additions(name):
        match = re.search(pattern, answer.text)
        if match is None or any(match["other"][:2] in text.text for text in known):
            continue
        is_open = "或" in match[0] or "可能" in match[0]
        yield Objection("either" if is_open else "added", 1.0, match[0], reference.text.strip())
        return


def list_chinese_additions(name: str) -> list[str]:
    """Return the patterns of an answer that adds an "other" thing to an escaped name."""
    other = f"(?P<other>[{HAN_RANGES}]{{2,6}})"
    clause = f"{name}[^，,;；。]{{0,4}}[，,;；。](?:另外|此外|同时|而且)?[，,]?"
    return [
        f"{name}(?:{CHINESE_JOINT}|{CHINESE_ALSO}){other}",  # 吴承恩和罗贯中
        f"(?:^|[，,是为]){other}{CHINESE_JOINT}{name}",  # 罗贯中和吴承恩
        f"{clause}(?P<other>[{HAN_RANGES}]{{2,5}}?)也",  # 吴承恩写的，罗贯中也写了
        f"{clause}另外?一[^，。]{{0,6}}[是为]{other}",  # 吴承恩，另一个作者是罗贯中
    ]


def asks_for_one_in_chinese(question: str) -> bool:
    """Return whether a Chinese question asks for one thing."""
    if ASKS_FOR_SEVERAL_IN_CHINESE.search(question):
        return False
    return ASKS_FOR_ONE_IN_CHINESE.search(question) is not None
