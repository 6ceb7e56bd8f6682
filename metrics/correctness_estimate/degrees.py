"""Compare words for more or less of one property: heavier and lighter, lengthen and shrink.

Two words say the same if they tell the same direction of one property: "lengthens" and "gets
longer". Words for size and for an amount may stand for other properties, too: what expands may
get longer, or wider. Phrases are read as one word: "weighs more" as "is heavier".
"""

import re
from functools import cache, lru_cache
from itertools import product

from .opposites import find_root
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
    | (?: has | have | had | of ) [ ] (?:(?:a|the)[ ])?
      (?: (?P<noun_more> higher|greater|larger|bigger|more ) | lower|smaller|less ) [ ]
      (?P<noun> {NOUNS} )
    | (?P<changed> {NOUNS} ) [ ] (?: (?P<changed_more> {UP} ) | {DOWN} )
    | (?P<go> goes | went | gone ) [ ] (?: (?P<go_more>up) | down )
    | (?P<speed> speed(?:s|ed)? | sped | slow(?:s|ed)? ) (?:[ ](?:it|them))?
      [ ] (?: (?P<speed_more>up) | down )
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
    "need needs needed goes went gone speed speeds sped slow slows slowed".split()
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
