"""Decide by synonyms: "on her bike" says the same as "by bicycle".

The groups are everyday words that say the same in most short answers, among them the British and
the American word for a thing. They are chosen here. Words with an opposite in common say the same,
too: opposites.py.
"""

import re
from functools import cache

from .lexicon import PREPOSITIONS, STOP_WORDS
from .opposites import list_contrary_stems, list_forms, say_same
from .outcomes import LIKELY, Decision
from .relations import says_relation
from .text import Text

NOUNS = """
bicycle bike, sofa couch settee, car automobile, film movie, lawyer attorney, torch flashlight,
drink beverage, doctor physician, aubergine eggplant, courgette zucchini, chickpea garbanzo, sight
eyesight, sleepiness drowsiness, shop store, holiday vacation, rubbish garbage trash, father dad
papa, mother mum mom, jail prison, baby infant, pupil student, taxi cab, photograph photo,
television tv telly, airplane aeroplane, policeman cop, maize corn, petrol gasoline, trousers
pants, sweater jumper pullover, nappy diaper, pavement sidewalk, subway metro, sweets candy,
postman mailman, illness sickness, injury wound, sadness sorrow grief, mistake error, reply answer
response, gift present, woman lady, employee worker, job occupation profession, salary wage pay,
shore beach, smell odour odor scent, taste flavour flavor, altitude elevation, width breadth, aim
goal objective purpose, dinner supper, mobile cellphone, timetable schedule, couple pair, author
writer, singer vocalist, luggage baggage, belly tummy, rabbit bunny, snake serpent, pig hog, ache
pain, curtain drape, cemetery graveyard, pharmacy drugstore, cooker stove, dustbin bin, fridge
refrigerator, lorry truck, motorway highway freeway, pram stroller, rain rainfall, seaside coast,
tram streetcar, undertaker mortician, physician doctor, summit top peak, storm tempest, fog mist,
harbour harbor port, forest woods woodland, path track trail footpath, road street, cellar basement,
attic loft, lift elevator, tap faucet, flat apartment, ground soil earth, stone rock, boat ship
vessel, crew team, coach trainer, boss manager, leader chief, king monarch, soldier trooper,
thief burglar robber, murderer killer, victim casualty, enemy foe, friend pal buddy,
neighbor neighbour, guest
visitor, customer client, passenger traveller traveler, tourist visitor, crowd throng, meeting
gathering, contest competition, match game, race run, victory win triumph, loss defeat, prize award,
rule regulation, law act, contract agreement, permission consent approval, promise pledge vow,
threat menace, danger peril hazard risk, damage harm, accident mishap, crash collision, fire blaze,
explosion blast, cause reason, effect result outcome consequence, proof evidence, lie falsehood
untruth, truth fact, story tale, letter note, parcel package packet, bill invoice, fee charge, price
cost, fine penalty, debt loan, profit gain earnings, money cash, wallet purse, key clue, hint clue,
idea notion, opinion view, plan scheme, task duty chore, problem trouble issue, pain ache, cure
remedy, drug medicine medication, dose dosage, fever temperature, sleep slumber, dream vision, noise
sound, silence quiet, colour color, center centre middle, edge border rim, start beginning, end
ending, part portion piece, whole entirety, amount quantity, number figure, kind sort type, way
manner, place spot site location, home house residence, shelter refuge, garden yard, fence railing,
hat cap, coat jacket, shoe boot, ring band, necklace chain, clock watch, picture image painting,
kid child youngster, wife spouse, husband spouse, cop officer, teacher instructor tutor, exam test
examination, course class, homework assignment, error fault flaw defect, bug error, grey gray,
purple violet
"""
VERBS = """
buy purchase, begin start commence, end finish conclude, stop cease halt, help assist aid, choose
select, repair fix mend, allow permit let, forbid prohibit ban, hide conceal, reply answer
respond, shut close, phone call telephone, destroy ruin wreck, quit resign, receive get obtain,
throw toss hurl, jump leap, cry weep sob, shout yell scream, speak talk, ask inquire enquire, need
require, want desire wish, like enjoy, hate detest loathe despise, kill slay, die perish, build
construct erect, break shatter smash, eat consume devour, rise climb ascend, grow expand, shrink
contract, collect gather, show display exhibit, teach instruct, find discover, lose misplace,
search seek, beat defeat, rent hire lease, move relocate, postpone delay defer, hurry rush,
attempt try, improve enhance, worsen deteriorate, protect guard defend shield, invent devise,
produce generate, use utilize utilise employ, avoid evade dodge, admit confess, reject refuse
decline, annoy irritate bother, frighten scare terrify, surprise astonish amaze, warn alert
caution, swallow gulp, wash rinse clean, carry transport convey, happen occur, own possess, supply
provide, join connect, split divide, arrive come, depart leave go, enter come, remain stay, wait
linger, travel journey, visit tour, walk stroll, run sprint, drive steer, fly soar, fall drop
tumble, drop lower, lift raise hoist, pull drag tug, push shove, carry bear, hold grip, grab seize
snatch, steal rob pinch nick, attack assault, hit strike, hurt harm injure wound, damage harm, heal
cure, rescue save, free release liberate, arrest detain, punish penalize, accuse blame, sue
prosecute, lie fib deceive, cheat swindle trick fool, warn advise, suggest propose recommend,
convince persuade, order command, obey follow, refuse decline, agree consent, disagree differ,
argue quarrel bicker, complain moan grumble, praise commend, thank acknowledge, promise pledge vow
swear, deny dispute, confirm verify affirm, prove demonstrate, explain clarify, describe depict,
mention name cite, announce declare state, reveal disclose, notice spot see observe, watch observe,
look gaze stare, hear listen, think believe reckon suppose, know understand, learn study, forget
overlook, remember recall recollect, plan intend mean, decide determine resolve, prefer favour
favor, love adore, fear dread, hope wish, laugh giggle chuckle, smile grin, win triumph, lose
forfeit, play perform, sing chant, write compose pen, paint draw, cook prepare, bake roast, cut
slice chop, mix blend stir, pour tip, fill load, empty drain, freeze chill, heat warm, burn scorch,
melt thaw, dry wipe, lock bolt secure, unlock open, cover include, contain hold, cost charge, pay
spend, sell vend, lend loan, owe owing, earn make, hire employ recruit, fire dismiss sack, retire
quit, replace substitute swap, change alter modify, adjust adapt, copy duplicate, delete erase
remove, add append, reduce cut lower decrease diminish lessen, increase raise boost, double
duplicate, exceed surpass, vanish disappear, appear emerge, exist be, last endure, deliver bring,
send dispatch mail ship, forward relay, cancel scrap, approve accept, adopt pass, reach attain
achieve, permit authorize authorise, marry wed, divorce separate, born birth, feed nourish
"""
ADJECTIVES = """
big large, huge enormous gigantic massive immense vast, small little, tiny minuscule, quick fast
rapid speedy, slow sluggish, angry mad furious irate, ill sick unwell, happy glad joyful cheerful
pleased, sad unhappy sorrowful, afraid scared frightened fearful, smart clever intelligent, stupid
dumb foolish silly, rich wealthy affluent, impoverished needy, wrong incorrect, right correct,
difficult hard, easy simple, strange weird peculiar unusual, rare uncommon scarce infrequent,
elderly aged, young youthful, beautiful pretty lovely, ugly unattractive hideous, famous renowned
celebrated, important significant crucial, dangerous hazardous perilous risky unsafe, dirty filthy
unclean grubby, wet damp moist, dry arid, cold chilly, sour tart acidic, sweet sugary, bland
tasteless flavourless insipid, loud noisy, quiet silent, dark gloomy dim, strong powerful mighty
sturdy, weak feeble frail, brave courageous bold fearless, shy timid bashful, stingy miserly,
honest truthful sincere, dishonest deceitful, lazy idle, hardworking diligent industrious, tired
exhausted weary, hungry starving famished, empty vacant, cheap inexpensive, expensive costly
pricey, terrible awful dreadful horrible, excellent outstanding superb, fertile productive, barren
infertile, rough coarse, hostile unfriendly antagonistic, polite courteous, rude impolite
discourteous, boring dull tedious, interesting fascinating, unclear vague ambiguous, illegible
unreadable, optional voluntary, compulsory mandatory obligatory, sufficient enough adequate,
insufficient inadequate, wide broad, slim slender, fat obese overweight, dead deceased, alive
living, drunk intoxicated, permanent lasting, temporary provisional, annual yearly, near nearby,
far distant remote, calm peaceful, stubborn obstinate, curious inquisitive, grateful thankful,
jealous envious
"""
ADVERBS = """
often frequently, seldom rarely, quickly rapidly swiftly, immediately instantly, suddenly
abruptly, together jointly, northward northwards north, southward southwards south, eastward
eastwards east, westward westwards west
"""
LONGEST_REFERENCE = 6  # words
LONGEST_ANSWER = 20  # words
MOST_NEW_WORDS = 2  # telling words of an answer that no other text has
# An answer with one of these may mean something else than it names.
TURNING = frozenset(
    "but or and instead rather than unlike before after until not above below beyond".split()
)
# A question for a word itself, and one for a name.
ASKS_FOR_WORD = re.compile(
    r"\b(?:words?|rhym\w*|\w*spel[lt]\w*|tense|opposite|antonym|synonym|password|called|call)\b"
)
ASKS_FOR_NAME = re.compile(r"\b(?:who|whose|names?|named|titles?|entitled)\b")
PLACES = frozenset("in on at by with".split())  # prepositions that may stand for one another
OTHER_PREPOSITIONS = frozenset("behind near outside inside beside opposite around past".split())
PREPOSITION_REACH = 3  # words between a preposition and its noun


def split_groups(text: str) -> list[str]:
    """Return the groups of a list of words."""
    return [group.strip() for group in text.split(",")]


THINGS = split_groups(NOUNS) + split_groups(VERBS)
PROPERTIES = split_groups(ADJECTIVES) + split_groups(ADVERBS)


@cache
def read_groups() -> dict[str, frozenset[int]]:
    """Return the numbers of the groups of each stem; properties come behind all things."""
    groups = dict[str, set[int]]()
    for number, group in enumerate(THINGS + PROPERTIES):
        for word in group.split():
            for stem in list_forms(word):
                groups.setdefault(stem, set()).add(number)
    return {stem: frozenset(numbers) for stem, numbers in groups.items()}


@cache
def list_groups(word: str) -> frozenset[int]:
    """Return the numbers of the groups of a word, in any of its forms."""
    known = read_groups()
    return frozenset().union(*(known.get(stem, frozenset()) for stem in list_forms(word)))


def are_synonyms(one: str, other: str) -> bool:
    """Return whether two words are in one group.

    >>> are_synonyms("bicycle", "bikes"), are_synonyms("bicycle", "car")
    (True, False)
    """
    return not list_groups(one).isdisjoint(list_groups(other))


def can_replace(word: str, other: str) -> bool:
    """Return whether a word says the same as another: a synonym, or they have one opposite."""
    return are_synonyms(word, other) or say_same(word, other)


def decide_synonym(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return LIKELY if a short answer says a short reference in synonyms, else None."""
    if not 0 < len(reference.words) <= LONGEST_REFERENCE or len(answer.words) > LONGEST_ANSWER:
        return None
    telling = list_new_words(reference, question)
    missing = [i for i in telling if reference.stems[i] not in answer.places]
    # Most answers lack no word of the reference, or one that has no synonym.
    if not missing or not all(has_synonyms(reference, i, question) for i in missing):
        return None
    if ASKS_FOR_WORD.search(question.lower) or not may_say_same(answer, reference):
        return None
    said = list_new_words(answer, question)
    known = {reference.stems[i] for i in telling}
    for i in missing:
        same = [place for place in said if says_same_thing(answer, place, reference, i)]
        if not same:
            return None
        known.update(answer.stems[place] for place in same)
    n_new = sum(answer.stems[i] not in known for i in said)
    if n_new > MOST_NEW_WORDS:
        return None
    return Decision(LIKELY, "same", answer.text.strip(), reference.text.strip())


def has_synonyms(reference: Text, i: int, question: Text) -> bool:
    """Return whether some word may say the same as one of a reference.

    A name has none. With a capital, a word may be a name, unless it tells a property.
    """
    word = reference.words[i]
    if reference.shown[i][0].isupper():
        tells_property = any(number >= len(THINGS) for number in list_groups(word))
        if i > 0 or not tells_property or ASKS_FOR_NAME.search(question.lower):
            return False
    return bool(list_groups(word) or list_contrary_stems(word))


def says_same_thing(answer: Text, place: int, reference: Text, i: int) -> bool:
    """Return whether a word of an answer stands for one of a reference.

    It must be the thing itself (no bike helmet, no dad's boss), behind a similar preposition.
    """
    if not can_replace(answer.words[place], reference.words[i]):
        return False
    following = place + 1
    has_word_behind = following < len(answer.words) and answer.words[following] not in STOP_WORDS
    continues = has_word_behind and answer.clause[following] == answer.clause[place]
    if continues or answer.words[place].endswith("'s"):
        return False
    said, expected = read_preposition(answer, place), read_preposition(reference, i)
    return said == expected or not said or not expected or {said, expected} <= PLACES


def read_preposition(text: Text, i: int) -> str:
    """Return the preposition shortly before a word, "" for none."""
    for word in reversed(text.words[max(0, i - PREPOSITION_REACH) : i]):
        if word in PREPOSITIONS or word in OTHER_PREPOSITIONS:
            return word
    return ""


def may_say_same(answer: Text, reference: Text) -> bool:
    """Return whether neither of two texts denies, doubts, counts, or tells a relation."""
    if answer.denials or answer.untrue or answer.hedges or not TURNING.isdisjoint(answer.words):
        return False
    if reference.denials or reference.quantities or answer.quantities:
        return False
    return not says_relation(reference)  # roles.py compares who did it to whom


def list_new_words(text: Text, question: Text) -> list[int]:
    """Return the places of the telling words of a text that a question does not have."""
    return [i for i in text.telling if text.stems[i] not in question.places]
