"""Decide by synonyms: "on her bike" says the same as "by bicycle".

The groups are everyday words that say the same in most short answers, among them the British and
the American word for a thing. They are chosen here. Words with an opposite in common say the same,
too: opposites.py.
"""

from functools import cache

from .lexicon import STOP_WORDS
from .opposites import list_contrary_stems, list_forms, say_same
from .outcomes import LIKELY, Decision
from .roles import says_relation
from .text import Text

NOUNS = """
bicycle bike, sofa couch settee, car automobile, film movie, lawyer attorney solicitor, torch
flashlight, drink beverage, doctor physician, aubergine eggplant, courgette zucchini, chickpea
garbanzo, sight vision eyesight, sleepiness drowsiness, shop store, holiday vacation, rubbish
garbage trash, autumn fall, father dad papa, mother mum mom, lift elevator, flat apartment, jail
prison, baby infant, pupil student, taxi cab, photograph photo picture, television tv telly, plane
airplane aeroplane aircraft, policeman cop, maize corn, football soccer, petrol gasoline, stone
rock, trousers pants, sweater jumper pullover, nappy diaper, pavement sidewalk, underground subway
metro, biscuit cookie, sweets candy, postman mailman, tap faucet, road street, path trail, ship
boat vessel, illness sickness disease, injury wound, anger rage fury, happiness joy, sadness
sorrow grief, mistake error, reply answer response, gift present, child kid, woman lady, employee
worker, job occupation profession, salary wage pay, price cost, country nation, area region, house
home, forest woods, shore beach, storm tempest, noise din racket, smell odour odor scent, taste
flavour flavor, speed velocity, altitude elevation, width breadth, start beginning, aim goal
objective purpose, dinner supper, mobile cellphone smartphone, laptop notebook, timetable
schedule, couple pair, wedding marriage, monarch ruler, victory win triumph, defeat loss, crime
offence offense, thief robber burglar, murder killing homicide, author writer, singer vocalist,
luggage baggage, glasses spectacles, stomach belly tummy, rabbit bunny, insect bug, snake serpent,
pig hog, entry admission entrance, ache pain, cash money, rubber eraser, curtain drape, cemetery
graveyard, chemist pharmacist, pharmacy drugstore, cooker stove, dustbin bin, engine motor, fridge
refrigerator, hoover vacuum, lorry truck, mail post, motorway highway freeway, pram stroller, rain
rainfall, seaside coast, tin can, tram streetcar, undertaker mortician, waistcoat vest, hue colour
color, physician doctor
"""
VERBS = """
buy purchase, begin start commence, end finish conclude, stop cease halt, help assist aid, choose
select pick, repair fix mend, allow permit let, forbid prohibit ban, hide conceal, reply answer
respond, shut close, phone call ring telephone, destroy ruin wreck, quit resign, receive get
obtain, throw toss hurl, jump leap, cry weep sob, shout yell scream, speak talk, ask inquire
enquire, need require, want desire wish, like enjoy, hate detest loathe despise, kill slay murder,
die perish, build construct erect, break shatter smash, eat consume devour, leave depart, rise
climb ascend, drop fall decline, grow expand, shrink contract, collect gather, show display
exhibit, teach instruct, find discover, lose misplace, search seek, beat defeat, rent hire lease,
move relocate, postpone delay defer, hurry rush, attempt try, improve enhance, worsen deteriorate,
protect guard defend shield, attack assault, invent devise, produce generate, use utilize utilise
employ, avoid evade dodge, admit confess, reject refuse decline, annoy irritate bother, frighten
scare terrify, surprise astonish amaze, warn alert caution, swallow gulp, wash rinse clean, sack
fire dismiss, mail post send, hit strike, carry transport convey, happen occur, own possess,
supply provide, join connect, split divide
"""
ADJECTIVES = """
big large, huge enormous gigantic massive immense vast, small little, tiny minuscule, quick fast
rapid swift speedy, slow sluggish, angry mad furious irate, ill sick unwell, happy glad joyful
cheerful pleased, sad unhappy sorrowful, afraid scared frightened fearful, smart clever
intelligent bright, stupid dumb foolish silly, rich wealthy affluent, poor impoverished needy,
wrong incorrect false, right correct, difficult hard, easy simple, strange odd weird peculiar
unusual, rare uncommon scarce infrequent, common frequent widespread, old ancient, elderly aged,
young youthful, beautiful pretty lovely, ugly unattractive hideous, famous renowned celebrated,
important significant crucial, dangerous hazardous perilous risky unsafe, safe secure, dirty
filthy unclean grubby, wet damp moist, dry arid, cold chilly, sour tart acidic, sweet sugary,
bland tasteless flavourless insipid, loud noisy, quiet silent, dark gloomy dim, strong powerful
mighty sturdy, weak feeble frail, brave courageous bold fearless, shy timid bashful, stingy
miserly, honest truthful sincere, dishonest deceitful, lazy idle, hardworking diligent
industrious, tired exhausted weary, hungry starving famished, empty vacant, cheap inexpensive,
expensive costly pricey, free gratis, mediocre average, terrible awful dreadful horrible,
excellent outstanding superb, fertile productive, barren infertile, rough coarse, hostile
unfriendly antagonistic, polite courteous, rude impolite discourteous, boring dull tedious,
interesting fascinating, unclear vague ambiguous, illegible unreadable, clear lucid, optional
voluntary, compulsory mandatory obligatory, sufficient enough adequate, insufficient inadequate,
whole entire, wide broad, thin slim slender, fat obese overweight, dead deceased, alive living,
drunk intoxicated, permanent lasting, temporary provisional, annual yearly, near close nearby, far
distant remote, fair just, odd uneven, secret hidden, calm peaceful, stubborn obstinate, curious
inquisitive, grateful thankful, jealous envious, negative bad, positive good
"""
ADVERBS = """
often frequently, seldom rarely, quickly rapidly swiftly, immediately instantly, suddenly
abruptly, together jointly, northward northwards north, southward southwards south, eastward
eastwards east, westward westwards west
"""
LONGEST_REFERENCE = 6  # words
LONGEST_ANSWER = 20  # words
MOST_NEW_WORDS = 3  # telling words of an answer that no other text has
# An answer with one of these may mean something else than it names.
TURNING = frozenset(
    "but or instead rather than unlike before after until not above below beyond".split()
)


@cache
def read_groups() -> dict[str, frozenset[int]]:
    """Return the numbers of the groups of each stem."""
    groups = dict[str, set[int]]()
    lists = (NOUNS, VERBS, ADJECTIVES, ADVERBS)
    for number, group in enumerate(",".join(lists).split(",")):
        for word in group.split():
            for stem in list_forms(word.lower()):
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
    if not missing or not all(has_synonyms(reference.words[i]) for i in missing):
        return None
    if not may_say_same(answer, reference):
        return None
    said = list_new_words(answer, question)
    known = {reference.stems[i] for i in telling}
    for i in missing:
        same = [place for place in said if can_replace(answer.words[place], reference.words[i])]
        if not same:
            return None
        known.update(answer.stems[place] for place in same)
    n_new = sum(answer.stems[i] not in known for i in said)
    if n_new > MOST_NEW_WORDS:
        return None
    return Decision(LIKELY, "same", answer.text.strip(), reference.text.strip())


def has_synonyms(word: str) -> bool:
    """Return whether some word may say the same as a word."""
    return bool(list_groups(word) or list_contrary_stems(word))


def may_say_same(answer: Text, reference: Text) -> bool:
    """Return whether neither of two texts denies, doubts, counts, or tells a relation."""
    if answer.denials or answer.untrue or answer.hedges or not TURNING.isdisjoint(answer.words):
        return False
    if reference.denials or reference.quantities or answer.quantities:
        return False
    return not says_relation(reference)  # roles.py compares who did it to whom


def list_new_words(text: Text, question: Text) -> list[int]:
    """Return the places of the telling words of a text that a question does not have."""
    return [
        i
        for i, word in enumerate(text.words)
        if word not in STOP_WORDS and text.stems[i] not in question.places
    ]
