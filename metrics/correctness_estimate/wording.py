"""A text as words, clauses and sentences, and the lists of words that tell a denial, a guess, a refusal or a name."""

import re
import unicodedata
from bisect import bisect_left
from functools import lru_cache
from itertools import pairwise

from .quantities import MONTHS, WORDS, Quantity, quantities
from .tex import plain

STOP = frozenset(
    "a an the of in on at to for from by with as and or is are was were be been being am it its it's this "
    "that these those he she they his her their them him i we you your our my me us which who whom whose what "
    "when where why how do does did done has have had will would shall should can could might must there here "
    "s t also than then so such into onto about over under between during after before up out if while "
    "because until since though although just very more most some any each both own same other only too per "
    "via 's 的 了 是 在 和 与 及 也 都 就 而 着 吗 呢 吧 啊 这 那 其 之".split()
)
NEGATORS = frozenset(
    "not no never none nobody nothing nowhere neither nor cannot cant dont doesnt didnt isnt arent wasnt "
    "werent wont wouldnt shouldnt couldnt havent hasnt hadnt aint without hardly scarcely barely non nope 不 没 "
    "未 非 无 否 勿 莫 毫".split()
)
# A word that begins so calls something untrue, or leaves it out.
UNTRUE = re.compile(
    "fals|wrong|incorrect|inaccura|mistak|mistook|error|erron|untru|myth|misconc|misattrib|misbel|misidentif|"
    "misinform|misled|mislead|misplac|misread|misremember|misquot|fallac|fabricat|hoax|rumou?r|dispro|debunk|deny|"
    "deni|refut|reject|dismiss|disput|contradict|exclud|exclusion|disqualif|doubt|unlikely|improbab|impossib|"
    "implausib|unrelated|confus|contrary|absurd|nonsens|fail|discount|eliminat|rebut|discredit|unfounded|baseless|"
    "groundless|invalid|bogus|suppos|alleg|ostensib|opposite|overlook|forget|ignor|disregard|unable|differ|lack|"
    "refrain|avoid|skip|omit|overrul|legend|fable|fairy|hearsay|gossip|propagand|fake|forger|phon(?:y|ie)|spurious|"
    "dubious|questionable|suspect|blunder|gaffe|flaw|fault|unfit|undeserv|unwarrant|unjustif|abandon|discard|"
    "withdr[ae]w|revoke|annul|contest|protest|skeptic|sceptic|trap|decoy|exception|excepted|exempt|unproven|"
    "unfortunately|inappropriate|irrelevant|fictit|fiction|imagin|pretend|replac|supersed|negat|inconsist|incompatib|"
    "unsupport|apocryph|misnomer|misjudg|misreport|mislabel|misguid|bunk|hogwash|rubbish|garbage|typo|slip|delusion|"
    "illusion|deceiv|fool|impost|pretender|repudiat|scrap|delet|untenab|unreliab|outdated|obsolete|exagger|overstat|"
    "overrat|overblown|unsubstant|overturn|retract|disagree|disbelie|错|误|假|谬|谣|讹"
)
# What stands right before a thing that is left out or set against another.
CONTRAST = frozenset(
    tuple(pair.split())
    for pair in (
        "rather than, instead of, other than, opposed to, apart from, aside from, different from, distinct from, "
        "far from, anything but, anyone but, anywhere but, anybody but, anytime but, everything but, everyone but, "
        "everybody but, all but, any but, every except, ruled out, rule out, rules out, ruling out, nothing like, "
        "save for, with exception, exception of, except for, not even, contrary to, short of, place of, lieu of, "
        "ahead of, contrast to, contrast with, contrasted with, mistaken for, mistake for, mistook for, confused "
        "with, confuse with, misquoted as, misattributed to, credited to, attributed to, away from, nothing to, up "
        "with, sooner than, better than, confuse it, mix up, mixed up, ascribed to, edged out, beat out, preferred "
        "to, chosen over, picked over"
    ).split(", ")
)
BARRING = frozenset(
    "than except besides excluding excepting save barring unlike without bar minus over against versus vs beat "
    "beats beating defeated defeats replaced replaces replacing succeeded succeeding preceded preceding overtook "
    "outdid overtaken outdone surpassed surpasses bested upstaged edging outshone outpaced outscored ousted "
    "supplanted supplants unseated edged upset followed despite notwithstanding whatever forget discount not "
    "never no nor neither".split()
)
# What sets a thing aside: others say so, it seems so, it was so once, it came second.
ASIDE = frozenset(
    "leave drop skip strike cross gave gives yielded yields stepped ceded conceded bowed surrendered falls fell "
    "invention error errors layman answer people many most some others everyone everybody authors sources often "
    "commonly popularly widely usually sometimes frequently popular common belief believed believe think thought "
    "thinks thinking say says said name names named assumed assume claimed claim claims supposed supposedly "
    "originally formerly previously initially earlier once used reported announced expected expect guess guessed "
    "tempting tempted inclined seem seems sound sounds look looks appear appears obvious instinct rumour "
    "tradition folklore legend film fiction movie fame famous credit credited favourite favorite nominated "
    "nominee candidate tried close second lost beaten dropped planned wanted would could might called less first "
    "aside ruled suspected known remember favours usual textbooks opinion assumes presumed reportedly "
    "traditionally conventional wisdom intuitively superficially nominally rumoured suggest suggests suggested "
    "attributed regarded considered cited quoted mentioned runner finalist contender rival view views told "
    "alternative initial original predecessor although though while despite spite guesses suggestion suggesting "
    "recall recalls misremember folk folks public press media headlines textbook encyclopedia school schools "
    "teacher taught teach learned tell tells hear heard hears read reads written cite cites citing list lists "
    "listed mention mentions assumption assumptions impression expectation expectations notion theory theories "
    "hypothesis claimant consensus older old past longtime decades centuries generations merely mere superficial "
    "first-glance instinctively intuition reputed purported purportedly apparent apparently ostensibly allegedly "
    "tentatively provisional provisionally temporarily briefly nearly almost runnerup trailing trailed behind "
    "loser losers losing imitator understudy deputy assistant intended slated scheduled rejected shortlisted "
    "overlooked eclipsed whereas swear insist insists maintain maintains confuse confuses mix even if whatever "
    "matter unlike much albeit regardless idea ideas story stories tale forgiven excused persistent widespread "
    "sources internet websites trivia quiz hearsay stereotype hunch".split()
)
ASSERTED = frozenset(
    "still nevertheless nonetheless but however yet actually actual fact facts truth true truly real really "
    "reality right rightly correct correctly proper properly indeed proved proven proves confirmed turned turns "
    "deserves meant mean means official officially winner won succeeded latter must records record evidence "
    "history scholarship now today later finally ended wait corrected reliable only should favour favor "
    "certainly surely undoubtedly definitely precisely exactly ultimately eventually nowadays currently "
    "verified established documented documents archives proof proofs shows show showed demonstrates demonstrated "
    "reveals revealed genuine genuinely authentic responsible deserved merit belongs belonged holder undisputed "
    "acknowledged recognised recognized settled eventual rightful rightfully factually historically strictly "
    "solely turning victory victorious triumphed prevailed prevails beneath underneath sorry nope nay rather".split()
)
# The same in Chinese, where a word is no token.
HAN_ASIDE = re.compile(
    "以为|认为|常说|据说|传说|传言|传闻|听说|虽然|尽管|有人|人们|大家|网上|原本|原来|曾经|以前|一般|通常|往往|更有名|想到|看似|似乎|据称|民间|容易|混淆|常见"
)
HAN_ASSERTED = re.compile(
    "其实|实际|事实|真正|真相|正确|应该是|应是|而是|但是?|不过|却|史料|证明|证实|后来|确实|的确|准确|结果|最终|现在|真实"
)
HAN_UNTRUE = re.compile("排除|除了|除外|否认|驳斥|反驳|质疑|怀疑|骗局|不属实|不实")
HAN_HEDGES = re.compile("也许|或许|(?<!不)可能(?!性)|大概|不确定|或者|都有可能|都可以|猜测")
CUES = ASIDE | ASSERTED | BARRING
TURNS = frozenset("but instead rather however yet although though whereas while until 而 但 却".split())
HEDGES = frozenset(
    "maybe perhaps possibly probably might may could likely presumably apparently seems seem guess unsure "
    "uncertain either alternatively candidates candidate options option possibilities possibility believe "
    "think assume suspect somewhere roughly unclear debated conflicting several among possible potential plausible "
    "guesses guessing bet variously choose choice choices contenders".split()
)
REFUSAL = re.compile(
    r"\b(?:(?:i|we)(?: am|'m|’m)? (?:sorry|apologi|unable|not (?:sure|able|aware|certain)|cannot|can't|could ?n[o']t|"
    r"do ?n[o']t "
    r"(?:know|have)|was unable|couldn't find)|no (?:information|record|answer|idea|data|definitive|specific)|"
    r"not (?:available|known|specified|enough information|clear|mentioned|provided)|unknown|unclear|as an ai|"
    r"(?:more|additional) (?:context|information)|(?:unable|impossible) to|cannot (?:provide|answer|determine|find)|"
    r"depends on|need more|clarify|your question|try again)|不知道|无法|抱歉|对不起|不清楚|没有(?:相关|找到)|不确定",
    re.I,
)
# Where these stand, the negation in them denies nothing.
NO_DENIAL = re.compile(
    r"\bnot only\b|\b(?:no|without(?: a)?) doubt\b|\bno\. ?\d|\bnot to mention\b|\bnot until\b|\bno less\b|"
    r"\bno fewer\b|\bnon-?profit\b|"
    r"非[常洲凡]|不[仅但过久断少管论错妨惜禁锈]|不同(?!意)|无[论数线穷限]|未[来婚]|没[收]|除非|南非|毫无疑问|无疑|没错|不用怀疑|差不多|是不是|"
    r"能不能|有没有|对不起|是否|能否|了不起|不得不|莫[斯扎]",
    re.I,
)
TITLES = frozenset(
    "dr mr mrs ms sir lord lady king queen prince princess president saint st pope emperor captain general "
    "colonel professor prof dame duke count baron chief minister senator governor judge justice sultan tsar".split()
)
NICKNAMES = [
    set(names.split())
    for names in (
        "william bill will billy, robert bob rob bobby, richard dick rick, james jim jimmy, john jack johnny jon "
        "jonathan, thomas tom tommy, charles charlie chuck, edward ed eddie ted ned, michael mike mick, joseph "
        "joe joey, daniel dan danny, elizabeth liz beth betty eliza, katherine kate katie kathy catherine "
        "kathryn, margaret maggie meg peggy, anthony tony antony, benjamin ben, samuel sam, david dave, alexander "
        "alex, matthew matt, steven steve stephen, andrew andy drew, christopher chris, timothy tim, theodore ted "
        "teddy, francis frank, henry harry hank, ronald ron, donald don, gregory greg, patrick pat, nicholas "
        "nick, peter pete, kenneth ken, lawrence larry, gerald jerry, susan sue, peter pyotr piotr pierre pedro, "
        "john juan ivan jean johann giovanni, paul pavel pablo, charles karl carlos carl, michael mikhail michel, "
        "alexander aleksandr alexandre, george georg jorge yuri, frederick friedrich fred freddy, joseph josef "
        "jose, henry heinrich henri, william wilhelm guillermo willem"
    ).split(",")
]
# One name for what has several; whole words, in this case.
SAME = {
    "United States": r"USA|US|U\.S\.(?:A\.)?|United States of America",
    "United Kingdom": r"UK|U\.K\.|Great Britain|Britain",
    "Netherlands": "Holland",
    "New York": r"NYC|New York City",
    "Soviet Union": r"USSR|U\.S\.S\.R\.",
    "European Union": "EU",
    "United Nations": "UN",
    "Myanmar": "Burma",
    "Beijing": "Peking",
    "Mumbai": "Bombay",
    "Istanbul": "Constantinople",
    "Czechia": "Czech Republic",
    "World War ": r"WW(?=[12I])",
    "Mount": r"Mt\b\.?",
    "Saint": r"St\.(?= [A-Z])",
    "美国": "美利坚合众国",
    "中国": "中华人民共和国",
}
SAME_PATTERN = re.compile(
    rf"(?<![A-Za-z])(?=[A-Z\u4e00-\u9fff])(?:{'|'.join(f'({forms})' for forms in SAME.values())})(?![a-z])"
)
NEGATIVE_PREFIX = re.compile("^(?:un|in|im|ir|il|dis|non|mis)(?=[a-z]{4})")
TOKEN = re.compile(
    r"(?P<han>[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd])|"
    r"(?P<word>√?\d+(?:[.,:⁄]\d+)*(?:st\b|nd\b|rd\b|th\b)?|[^\W_\u3400-\u9fff]+(?:['’][^\W\d_]+)?)|"
    r"(?<![ .][A-Za-z])(?<!Dr)(?<!Mr)(?<!St)(?<!Mrs)[.!?]+(?P<end>(?=[\s\"”)\]]|$))?|(?P<stop>[。！？\n；;])|"
    r"(?P<pause>[,，、()（）—–]|\s-\s|:(?=\s))"
)
MOST = 20_000  # characters of a text that are read; the answers that were learned from have up to 300 words
LONG = 250  # characters: longer words are not remembered, for they rarely come again, and would take the memory
MOST_QUANTITIES = 200  # of a text: each is compared with each of the other
# Python's normalize takes n squared steps for n combining marks in a row: so many at a time.
MANY_SIGNS = re.compile(r"[^\w\s\x00-\x7f]{30}")
MIXED = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")  # 9½ is 9 1/2
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")


def composed(text: str) -> str:
    """Return a text in NFKC; signs that follow thirty others do not combine with them."""
    text = MIXED.sub(" ", text)
    text = text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a")  # marks that count as letters, as NFKC has them
    ends = [match.end() for match in MANY_SIGNS.finditer(text)]
    return "".join(unicodedata.normalize("NFKC", text[i:j]) for i, j in pairwise([0, *ends, len(text)]))


def cleaned(text: str) -> str:
    """Return a text in one way of writing: NFKC, no invisible signs, straight quotes."""
    if text.isascii():
        return text
    return INVISIBLE.sub("", composed(text)).replace("’", "'")


def named_alike(text: str) -> str:
    """Return a text with one name for what has several."""
    return SAME_PATTERN.sub(lambda match: NAMES_OF_SAME[match.lastindex or 1], text)


NAMES_OF_SAME = dict(enumerate(SAME, 1))


def folded(text: str) -> str:
    """Return a text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(c for c in parts if unicodedata.category(c) != "Mn")


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Return what different forms of a word have in common; of a number its digits.

    >>> [stem(word) for word in ("scattering", "scatters", "cities", "five", "1,000", "1st", "jan")]
    ['scatter', 'scatter', 'citi', '5', '1000', '1', 'january']
    """
    if word[0].isdigit():
        return re.sub(r"[a-z,]", "", word)
    if word in WORDS and word != "second":
        return f"{WORDS[word]:g}"
    if word in SHORT_MONTHS:
        return SHORT_MONTHS[word]
    word = word.removesuffix("'s")
    for suffix in ("ations", "ation", "ings", "ing", "edly", "ed", "es", "ly", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 4 - (suffix == "s") and not word.endswith("ss"):
            word = word[: -len(suffix)]
            break
    if word.endswith("y") and len(word) > 3:
        return word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


SHORT_MONTHS = {name[:3]: name for name in MONTHS} | {"sept": "september"}


@lru_cache(maxsize=32768)
def pairs(word: str) -> frozenset[str]:
    """Return the pairs of neighbouring characters of a word."""
    return frozenset(word[i : i + 2] for i in range(len(word) - 1))


def alike(one: str, other: str) -> float:
    """Return how alike two words are by their pairs of characters (Dice), a bit less where the first differs.

    >>> round(alike("tchaikovsky", "chaikovsky"), 2)
    0.85
    """
    known = pairs.__wrapped__ if len(one) > LONG or len(other) > LONG else pairs
    a, b = known(one), known(other)
    if not a or not b:
        return float(one == other)
    return 2 * len(a & b) / (len(a) + len(b)) - 0.1 * (one[0] != other[0])  # Tokyo is not Kyoto


class Text:
    """A text as words, with what is known of each.

    `words` are in lower case and without accents, `shown` as they were written; `sentence` and `clause` number what
    each word stands in; `places` has where each stem stands.
    """

    def __init__(self, text: str) -> None:
        read = cleaned(plain(text[:MOST]))
        self.whole = max(len(text), len(read)) <= MOST  # NFKC makes up to 18 characters of one
        self.text = named_alike(read[:MOST])
        self.words: list[str] = []
        self.shown: list[str] = []
        self.starts: list[int] = []
        self.sentence: list[int] = []
        self.clause: list[int] = []
        self._cut()
        self.stems = [stem(word) if len(word) <= LONG else stem.__wrapped__(word) for word in self.words]
        self.places: dict[str, list[int]] = {}
        for i, one in enumerate(self.stems):
            self.places.setdefault(one, []).append(i)
        self.by_word = {word: i for i, word in reversed(list(enumerate(self.words)))}
        self.distinct = list(self.by_word)[-400:]  # a bound for long texts
        self.quantities: list[Quantity] = quantities(self.text)[:MOST_QUANTITIES]
        self.han = not self.text.isascii() and bool(HAN.search(self.text))
        self.denials, self.untrue = self._denials()
        # Where a hedge begins.
        self.hedges = {i for i, word in enumerate(self.words) if word in HEDGES}
        self.hedges |= self.found(HAN_HEDGES)
        self.names = self._names()

    def _cut(self) -> None:
        sentence = clause = 0
        for match in TOKEN.finditer(self.text):
            kind, found = match.lastgroup, match[0]
            if kind in ("end", "stop"):
                sentence, clause = sentence + 1, clause + 1
            elif kind == "pause":
                clause += 1
            elif kind:
                word = folded(found)
                if not word:
                    continue
                clause += word in TURNS
                self.words.append(word)
                self.shown.append(found)
                self.starts.append(match.start())
                self.sentence.append(sentence)
                self.clause.append(clause)

    def _denials(self) -> tuple[list[int], list[int]]:
        """Return where a negator stands that denies something, and where a word that calls something untrue."""
        denials = [i for i, word in enumerate(self.words) if word in NEGATORS or word.endswith("n't")]
        untrue = [i for i, word in enumerate(self.words) if word not in NEGATORS and UNTRUE.match(word)]
        untrue = sorted({*untrue, *self.found(HAN_UNTRUE)})
        if not denials:
            return denials, untrue
        spared = {i for match in NO_DENIAL.finditer(self.text) for i in self.within(match.start(), match.end())}
        return [i for i in denials if i not in spared], [i for i in untrue if i not in spared]

    def _names(self) -> list[tuple[int, int]]:
        """Return from where to where each name stands: words with a capital, side by side."""
        found: list[tuple[int, int]] = []
        for i, shown in enumerate(self.shown):
            if not shown[0].isupper() or self.words[i] in STOP or self.words[i] in NEGATORS:
                continue
            first = i == 0 or self.sentence[i - 1] != self.sentence[i]
            alone = shown[1:].islower() and not (i + 1 < len(self.shown) and self.shown[i + 1][0].isupper())
            if first and alone and len(self.shown) > 3:
                continue  # every sentence begins with a capital
            if found and found[-1][1] == i and self.clause[i] == self.clause[i - 1]:
                found[-1] = (found[-1][0], i + 1)
            else:
                found.append((i, i + 1))
        return found

    def grams(self) -> set[str]:
        """Return every three neighbouring characters of the words."""
        text = f" {' '.join(self.words)} "
        return {text[i : i + 3] for i in range(len(text) - 2)}

    def within(self, start: int, end: int) -> range:
        """Return the words that begin from one character up to another."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def found(self, pattern: re.Pattern[str]) -> set[int]:
        """Return the words where a pattern of Chinese is found in the text."""
        found = pattern.finditer(self.text) if self.han else ()
        return {bisect_left(self.starts, match.start()) for match in found}

    def span(self, start: int, end: int) -> str:
        """Return the words from `start` up to `end` as they were written."""
        return self.text[self.starts[start] : self.starts[end - 1] + len(self.shown[end - 1])]
