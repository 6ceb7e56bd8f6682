"""Compare words for more or less of one property: heavier and lighter, lengthen and shrink.

Two words say the same if they tell the same direction of one property: "lengthens" and "gets
longer". Words for size and for an amount may stand for other properties, too: what expands may
get longer, or wider. Phrases are read as one word: "weighs more" as "is heavier".
A second part finds what surpasses all others: "no ocean is larger than the Pacific".
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product

from .lexicon import STOP_WORDS
from .opposites import are_opposite_roots, find_root, is_same_degree
from .outcomes import UNLIKELY, UPHELD, Decision
from .text import RECENT_TEXTS, Text

# One property a line. The words before the stroke tell more of it, those behind it tell less. They
# are chosen here from everyday English.
DEGREES = """
size: larger bigger greater expand grow enlarge swell | smaller shrink contract diminish
amount: more rise increase grow climb gain soar surge jump swell multiply raise higher
 | less fewer fall drop decrease decline diminish dwindle plummet sink reduce shrink lower cut
length: longer lengthen elongate extend | shorter shorten
width: wider broader widen broaden | narrower narrow thinner
height: higher taller raise rise climb lift | lower fall drop sink
depth: deeper deepen | shallower
thickness: thicker thicken | thinner thin
weight: heavier | lighter
price: dearer costlier pricier | cheaper
speed: faster quicker sooner accelerate quicken hasten | slower later decelerate slow
strength: stronger strengthen intensify | weaker weaken
heat: hotter warmer heat warm | colder cooler cool chill
loudness: louder noisier | quieter softer
age: older elder | younger newer
quality: better improve | worse worsen deteriorate sicker
light: brighter brighten | darker darken dim
hardness: harder harden stiffen | softer soften
tightness: tighter tighten | looser loosen
density: denser |
"""
# A word for the one property may stand for each of the others.
WIDE_PROPERTIES = {
    "size": frozenset("amount length width height".split()),
    "amount": frozenset("size length width height price heat speed".split()),
}
MORE, LESS = 1, -1


@cache
def map_degrees() -> dict[str, dict[str, int]]:
    """Return for each root the properties of which it tells MORE or LESS."""
    degrees: dict[str, dict[str, int]] = {}
    for line in DEGREES.strip().replace("\n ", " ").split("\n"):
        name, _, words = line.partition(":")
        more, _, less = words.partition("|")
        for direction, side in ((MORE, more), (LESS, less)):
            for word in side.split():
                degrees.setdefault(find_root(word), {})[name] = direction
    return degrees


@lru_cache(maxsize=8192)
def compare_degrees(one: str, other: str) -> int:
    """Return 1 if two words tell the same direction of a property, -1 for the other one, else 0.

    >>> compare_degrees("lengthens", "longer"), compare_degrees("heavier", "lighter")
    (1, -1)
    >>> compare_degrees("expands", "longer"), compare_degrees("wider", "longer")
    (1, 0)
    """
    first, second = (map_degrees().get(find_root(word), {}) for word in (one, other))
    if not first or not second:
        return 0
    directions = {first[name] * second[name] for name in first.keys() & second.keys()}
    if not directions:
        for name, other_name in product(first, second):
            if covers_property(name, other_name) or covers_property(other_name, name):
                directions.add(first[name] * second[other_name])
    return directions.pop() if len(directions) == 1 else 0


def covers_property(name: str, other: str) -> bool:
    """Return whether a word for one property may stand for another: expands, gets longer."""
    return other in WIDE_PROPERTIES.get(name, ())


def tells_degree(word: str) -> bool:
    """Return whether a word tells more or less of a property."""
    return find_root(word) in map_degrees()


# ---- phrases

# A noun for a property, with the words for more and for less of it.
PROPERTIES = {
    "weight": ("heavier", "lighter"),
    "mass": ("heavier", "lighter"),
    "price": ("dearer", "cheaper"),
    "cost": ("dearer", "cheaper"),
    "speed": ("faster", "slower"),
    "length": ("longer", "shorter"),
    "width": ("wider", "narrower"),
    "height": ("taller", "lower"),
    "depth": ("deeper", "shallower"),
    "age": ("older", "younger"),
    "temperature": ("hotter", "colder"),
    "strength": ("stronger", "weaker"),
    "size": ("larger", "smaller"),
    "volume": ("larger", "smaller"),
    "noise": ("louder", "quieter"),
    "density": ("denser", "less dense"),
}
NOUNS = "|".join(PROPERTIES)
UP = r"increas\w*|grow\w*|grew|rise[sn]?|rose"
DOWN = r"decreas\w*|shrink\w*|shrank|f[ae]ll\w*|drop\w*"
PHRASE = re.compile(
    rf"""\b (?:
      (?: you | we | they | one ) [ ] pay [ ] (?:(?P<pay_more>more)|less) [ ] for [ ]
      (?P<pay> (?:the[ ])? \w+ )
    | (?P<weigh> weigh(?:s|ed)? ) [ ] (?:(?P<weigh_more>more)|less)
    | (?P<cost> cost(?:s|ed)? | pays? | paid ) [ ] (?:(?:even|far|much|slightly)[ ])?
      (?:(?P<cost_more>more)|less)
    | (?P<expensive> (?:(?P<expensive_more>more)|less) [ ] (?:expensive|costly|dear) )
    | (?P<take> takes? | took | taken | needs? | needed )
      [ ] (?: (?P<take_more> longer | more[ ]time ) | less[ ](?:time|long) )
    | (?: has | have | had | of | at (?=[ ]a[ ]\w+[ ]speed) ) [ ] (?:(?:a|the)[ ])?
      (?: (?P<noun_more> higher|greater|larger|bigger|more ) | lower|smaller|less ) [ ]
      (?P<noun> {NOUNS} )
    | (?P<changed> {NOUNS} ) [ ] (?: (?P<changed_more> {UP} ) | {DOWN} )
      (?! [ ] (?:is|was|of|led|leads|caused|causes|came|comes|made|makes|meant|means) \b )
    | (?P<go> goes | went | gone ) [ ] (?: (?P<go_more>up) | down )
    | (?P<speed> speed(?:s|ed)? | sped | slow(?:s|ed)? ) (?:[ ](?:it|them))?
      [ ] (?: (?P<speed_more>up) | down )
    | more [ ] (?P<adverb> \w{{3,}} ) ly (?= [ ] than )
    ) \b""",
    re.VERBOSE | re.IGNORECASE,
)
# What a phrase is read as, for more and for less.
READ_AS = {
    "weigh": ("is heavier", "is lighter"),
    "cost": ("is dearer", "is cheaper"),
    "expensive": ("dearer", "cheaper"),
    "take": ("is slower", "is faster"),
    "go": ("rises", "falls"),
    "speed": ("gets faster", "gets slower"),
}
PHRASE_WORDS = frozenset(
    "weigh weighs weighed cost costs pay pays paid expensive costly dear take takes took taken "
    "need needs needed goes went gone speed speeds sped slow slows slowed more".split()
) | frozenset(PROPERTIES)


@lru_cache(maxsize=RECENT_TEXTS)
def read_degree_phrases(text: Text) -> Text:
    """Return a text with one word for each phrase that tells more or less of a property.

    >>> read_degree_phrases(Text("Lead weighs more than iron.")).text
    'Lead is heavier than iron.'
    >>> read_degree_phrases(Text("The coach is less expensive.")).text
    'The coach is cheaper.'
    """
    if PHRASE_WORDS.isdisjoint(text.words):
        return text
    shorter = PHRASE.sub(replace_phrase, text.text)
    return text if shorter == text.text else Text(shorter)


def replace_phrase(match: re.Match[str]) -> str:
    """Return the words that a phrase is read as."""
    if match["adverb"]:  # more slowly than
        comparative = match["adverb"] + "er"
        return comparative if tells_degree(comparative) else match[0]
    if match["pay"]:  # you pay more for the train
        return f"{match['pay']} is {'dearer' if match['pay_more'] else 'cheaper'}"
    for name in ("noun", "changed"):
        if match[name]:
            more, less = PROPERTIES[match[name].lower()]
            verb = "is" if name == "noun" else "gets"
            return f"{verb} {more if match[f'{name}_more'] else less}"
    name = next(name for name in READ_AS if match[name])
    more, less = READ_AS[name]
    return more if match[f"{name}_more"] else less


# "Hemp is not as strong as nylon"
NOT_AS = re.compile(r"(?:\bnot|n't) (?:quite |nearly )?(?:as|so) (?P<degree>\w+) as\b")


def count_denials(text: Text) -> int:
    """Return how often a text denies. "Not as strong as" does not: it compares."""
    return len(text.denials) - len(NOT_AS.findall(text.lower))


# ---- what surpasses all

# Decide where an answer says that something surpasses the reference, or that nothing does. "No
# ocean is larger than the Pacific" says that it is the largest one, and "Nobody got there before
# Tashi" that Tashi was the first. "Diamond is hard, but quartz is harder" says that diamond is not
# the hardest substance.

LONGEST_ANSWER = 20  # words
LONGEST_REFERENCE = 6  # words
# "No ocean is larger than", "there is no better fuel than", "nobody arrived before"
UNSURPASSED = re.compile(
    r"(?:^\W*|[,.;:] (?:but |yet |and )?)"
    r"(?:(?:no(?: other)? \w+|(?:nobody|no one|none|nothing)(?: else)?)(?: \w+){1,6}?"
    r"|(?:there(?:'s| is| was) )?(?:no(?= \w+ (?!than\b)\w+)|nobody|no one|none|nothing))"
    r" (?:(?P<comparative>\w+er|more|less|better|worse)(?: \w+){0,3}? than"
    r"|(?P<order>before|ahead of|after))\b"
)
IRREGULAR = {"more": "most", "less": "least", "fewer": "fewest", "better": "best", "worse": "worst"}
ORDER = {
    "before": "first",
    "ahead of": "first",
    "earlier": "first",
    "after": "last",
    "later": "last",
}
OTHER_END = {"first": "last", "last": "first", "most": "least", "least": "most"}


def decide_unsurpassed(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UPHELD if an answer says that nothing surpasses a reference as the question asks.

    UNLIKELY if it says that of the other end: no ocean is smaller. None without such words.
    """
    if len(answer.words) > LONGEST_ANSWER or not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return None
    asked = find_superlatives(question)
    if asked and is_surpassed_by_none(answer, reference) and SMALL_ENDS.isdisjoint(asked):
        return Decision(UPHELD, "denied", answer.text.strip(), reference.text.strip())
    match = UNSURPASSED.search(answer.lower) if asked else None
    if not match or not stands_in_clause(answer, match.end(), reference):
        return None
    outcome = rate_unsurpassed(match["comparative"] or match["order"], asked)
    if not outcome:
        return None
    return Decision(outcome, "denied", answer.text.strip(), reference.text.strip())


def stands_in_clause(answer: Text, start: int, reference: Text) -> bool:
    """Return whether a clause has all telling words of a reference from a character on."""
    behind = answer.words_between(start, len(answer.text))
    stems = {answer.stems[i] for i in behind if answer.clause[i] == answer.clause[behind.start]}
    return set(reference.content) <= stems


def rate_unsurpassed(word: str, asked: Sequence[str]) -> str:
    """Return UPHELD for a comparative of an asked superlative, UNLIKELY for its opposite, or ""."""
    superlative = ORDER.get(word) or IRREGULAR.get(word)
    for other in asked:
        if other == superlative or is_same_degree(find_root(other), find_root(word)):
            return UPHELD
        is_other_end = superlative and OTHER_END.get(superlative) == other
        if is_other_end or are_opposite_roots(cut_superlative(other), find_root(word)):
            return UNLIKELY
    return ""


# Superlatives of the lesser end: what is surpassed by none is not the slowest.
SMALL_ENDS = frozenset(
    "slowest smallest lowest least fewest worst last shortest cheapest weakest youngest".split()
)
# "Jupiter is surpassed by no other planet", "has no equal"
BY_NONE = re.compile(
    r"\b(?:(?:surpassed|exceeded|outdone|beaten|topped|matched|rivalled|equalled) by"
    r" (?:no(?! (?:fewer|less))|none|nothing|nobody)(?![^.]{0,60}\b(?:until|till|but)\b)"
    r"|unsurpassed|unrivalled|unmatched|has no (?:equal|rival)s?)\b"
)


def is_surpassed_by_none(answer: Text, reference: Text) -> bool:
    """Return whether an answer says before anything else that nothing surpasses the reference."""
    match = BY_NONE.search(answer.lower)
    if not match:
        return False
    before = answer.words_between(0, match.start())
    return answer.list_stems(before) == set(reference.content)


SURPASSING = frozenset("beats beat exceeds surpasses outstrips outdoes tops".split())
EXCEPTING = frozenset("but though although".split())  # the Nile is longer, but in Africa
# Words of a clause that tells an opinion or an exception: some say, only the Sun is larger.
UNSURE = frozenset(
    "only some many others people say says think thinks claim claims believe argue if may might "
    "could once used".split()
)
REACH = 3  # words behind "than" or "beats" in which the thing stands that is surpassed


def decide_surpassed(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if an answer says that another thing surpasses the reference, else None."""
    if len(answer.words) > LONGEST_ANSWER or not 0 < len(reference.words) <= LONGEST_REFERENCE:
        return None
    superlatives = find_superlatives(question)
    if not superlatives or not answer.has_all_content(reference):
        return None
    answer = read_degree_phrases(answer)
    is_surpassed = False
    for i in list_surpassing_words(answer, superlatives):
        holder = read_holder(answer, i)
        if not holder.isdisjoint(reference.content):
            return None  # corundum is harder, yet diamond beats both
        is_new = not holder <= question.places.keys()
        is_surpassed = is_surpassed or (is_new and surpasses_reference(answer, i, reference))
    if not is_surpassed:
        return None
    return Decision(UNLIKELY, "replaced", answer.text.strip(), reference.text.strip())


def list_surpassing_words(answer: Text, superlatives: Sequence[str]) -> Iterator[int]:
    """Yield the words that say that one thing has more of what is asked for: harder, beats."""
    roots = {cut_superlative(word) for word in superlatives}
    for i, word in enumerate(answer.words):
        is_better = word == "better" and "best" in superlatives
        is_degree = word.endswith("er") and find_root(word) in roots
        if is_degree or is_better or word in SURPASSING:
            yield i


def read_holder(answer: Text, i: int) -> set[str]:
    """Return the telling stems before a word in its clause, none if it denies or tells opinions."""
    first = answer.find_clause(i).start
    if begins_elsewhere(answer, i):
        return set()
    if any(first <= j <= i for j in answer.denials):
        return set()
    if not UNSURE.isdisjoint(answer.words[first:i]):
        return set()
    return answer.list_stems(range(first, i))


# A sentence that begins so tells of another place, time or set: In Asia, Everest is higher.
ELSEWHERE = frozenset("in on at outside beyond among worldwide globally elsewhere today".split())
NOT_ELSEWHERE = (["in", "fact"], ["in", "reality"], ["in", "truth"])


def begins_elsewhere(answer: Text, i: int) -> bool:
    """Return whether the sentence of a word begins with another place, time or set."""
    sentence = answer.find_sentence(i)
    words = answer.words[sentence.start : sentence.start + 2]
    return not ELSEWHERE.isdisjoint(words[:1]) and words not in NOT_ELSEWHERE


def surpasses_reference(answer: Text, i: int, reference: Text) -> bool:
    """Return whether the reference is what is surpassed: harder, harder than it, beats it."""
    behind = range(i + 1, min(len(answer.words), i + 2 + REACH))
    words = [answer.words[j] for j in behind if answer.clause[j] == answer.clause[i]]
    if answer.words[i] not in SURPASSING and "than" not in words:
        is_last = i + 1 == len(answer.words) or answer.clause[i + 1] != answer.clause[i]
        return is_last and EXCEPTING.isdisjoint(answer.words[i + 1 :])
    stems = {answer.stems[j] for j in behind}
    return "it" in words or not stems.isdisjoint(reference.content)


@lru_cache(maxsize=RECENT_TEXTS)
def find_superlatives(question: Text) -> list[str]:
    """Return the superlatives of a question, and "first" and "last"."""
    known = {*IRREGULAR.values(), *ORDER.values()}
    found = list[str]()
    for word in question.words:
        is_regular = word.endswith("est") and word not in STOP_WORDS
        if is_regular or word in known:
            found.append(word)
    return found


def cut_superlative(word: str) -> str:
    """Return the root of a comparative for a superlative: that of "larger" for "largest"."""
    return find_root(word.removesuffix("est") + "er") if word.endswith("est") else find_root(word)
