"""Words that made-up answers use: number words, months and opposites."""

from metrics.correctness_estimate.lexicon import MONTHS, NUMBER_WORDS, ONES, SCALES, TENS

__all__ = ["MONTHS", "NUMBER_WORDS", "ONES", "OPPOSITE_PAIRS", "SCALES", "TENS"]

# The opposites that changed answers are made with. They are fixed: were they those of the estimate,
# each new pair there would change the cases of `make sensitivity`, and only the estimate would know
# all of them.
OPPOSITE_PAIRS = """
high low, higher lower, highest lowest, large small, larger smaller, largest smallest, big little,
bigger smaller, long short, longer shorter, longest shortest, tall short, taller shorter, old
young, older younger, oldest youngest, oldest newest, good bad, better worse, best worst, hot
cold, hotter colder, hottest coldest, warm cool, warmer cooler, fast slow, faster slower, fastest
slowest, quickly slowly, quick slow, strong weak, stronger weaker, strongest weakest, heavy light,
heavier lighter, thick thin, thicker thinner, wide narrow, wider narrower, deep shallow, deeper
shallower, bright dark, brighter darker, brightest darkest, bright dim, light dark, lighter
darker, hard soft, harder softer, wet dry, wetter drier, rich poor, richer poorer, early late,
earlier later, earliest latest, easy difficult, easy hard, simple complex, full empty, open
closed, near far, above below, before after, inside outside, inner outer, upper lower, left right,
north south, northern southern, east west, eastern western, northeast southwest, northwest
southeast, day night, morning evening, first last, increase decrease, increased decreased,
increasing decreasing, gain loss, rise fall, rose fell, raise lower, grow shrink, grew shrank,
expand contract, win lose, won lost, winner loser, begin end, began ended, start stop, start
finish, beginning end, include exclude, accept reject, accept refuse, allow forbid, permit
prohibit, import export, buy sell, bought sold, enter exit, arrive leave, push pull, attract
repel, absorb emit, absorb reflect, heat cool, melt freeze, boil freeze, appear disappear, connect
disconnect, enable disable, encourage discourage, strengthen weaken, widen narrow, lengthen
shorten, harden soften, attack defend, divide multiply, divide unite, add subtract, succeed fail,
success failure, succeeded failed, love hate, remember forget, hide show, advance retreat, ascend
descend, ascending descending, maximum minimum, maximal minimal, maximize minimize, major minor,
majority minority, most least, more less, more fewer, greater lesser, many few, always never,
often rarely, always sometimes, frequent rare, positive negative, active passive, acute chronic,
benign malignant, dominant recessive, male female, man woman, men women, boy girl, father mother,
son daughter, brother sister, husband wife, king queen, uncle aunt, parent child, public private,
local global, national international, domestic foreign, internal external, interior exterior,
indoor outdoor, natural artificial, liquid solid, hardware software, input output, upstream
downstream, horizontal vertical, parallel perpendicular, parallel serial, concave convex, acidic
alkaline, anode cathode, aerobic anaerobic, analog digital, ancestor descendant, primary
secondary, front back, front rear, top bottom, past future, presence absence, present absent,
victory defeat, war peace, alive dead, birth death, true false, right wrong, correct wrong, safe
dangerous, cheap expensive, loud quiet, sharp blunt, smooth rough, tight loose, clean dirty,
common rare, abundant scarce, concrete abstract, explicit implicit, synchronous asynchronous,
singular plural, plus minus, vertebrate invertebrate, rural urban, coastal inland, dorsal ventral,
distal proximal, extrinsic intrinsic, convergent divergent, inductive deductive, guilty innocent,
employer employee, borrower lender, lend borrow, asset liability, debit credit, supply demand,
host parasite, predator prey, voluntary forced, optional mandatory, optional required, temporary
permanent, temporarily permanently, static dynamic, former latter, junior senior, hypertension
hypotension, constructive destructive, objective subjective, qualitative quantitative,
conservative liberal, military civilian, clockwise counterclockwise, toward away, with without,
sunrise sunset, ally enemy, friend enemy, oxidation reduction, evolution devolution, integration
segregation, acceleration deceleration, addition subtraction, compress decompress
"""
