"""Lists of words: data alone, no function.

Small words, denials, hedges, refusals, titles, short names, numbers in words, units of measure,
opposites, and what Chinese names are made of. All but SAME_NAMES are for lower case.

Opposites: English ones are chosen from the antonyms of the Open English WordNet
(github.com/globalwordnet/english-wordnet, CC BY 4.0), derived from Princeton WordNet (WordNet
License): single words that are opposites in most sentences. Opposites with a negating prefix
(possible, impossible) need no list. Comparative forms, further common pairs and those of other
languages: chosen here.
"""

import re


STOP_WORDS = frozenset(
    "a an the of in on at to for from by with as and or is are was were be been being am it its it's this "
    "that these those he she they his her their them him i we you your our my me us which who whom whose what "
    "when where why how do does did done has have had will would shall should can could might must there here "
    "s t also than then so such into onto about over under between during after before up out if while "
    "because until since though although just very more most some any each both own same other only too per "
    "via 's 的 了 是 在 和 与 及 也 都 就 而 着 吗 呢 吧 啊 这 那 其 之".split()
)
AUXILIARY = frozenset(
    "is are was were be been am has have had can could will would shall should may might "
    "must do does did".split()
)
PRONOUNS = frozenset("it they he she its their this that these those".split())
NEGATORS = frozenset(
    "not no never none nobody nothing nowhere neither nor cannot cant dont doesnt didnt isnt arent wasnt "
    "werent wont wouldnt shouldnt couldnt havent hasnt hadnt aint without hardly scarcely barely non nope nicht "
    "kein keine keinen nie niemals jamais nunca keineswegs tampoco 不 没 "
    "未 非 无 否 勿 莫 毫".split()
)
# A word that begins so calls something untrue, or leaves it out.
UNTRUE_WORD = re.compile(
    "fals|wrong|incorrect|inaccura|mistak|mistook|error|erron|untru|myth|misconc|misattrib|misbel|misidentif|"
    "misinform|misled|mislead|misplac|misread|misremember|misquot|fallac|fabricat|hoax|rumou?r|dispro|debunk|deny|"
    "deni|refut|reject|dismiss|disput|contradict|exclud|exclusion|disqualif|doubt|unlikely|improbab|impossib|"
    "implausib|unrelated|confus|contrary|absurd|nonsens|fail|discount|eliminat|rebut|discredit|unfounded|baseless|"
    "groundless|invalid|bogus|suppos(?!e$)|alleg|ostensib|opposite|overlook|forget|ignor|disregard|unable|differ|lack|"
    "refrain|avoid|skip|omit|overrul|legend|fable|fairy|hearsay|gossip|propagand|fake|forger|phon(?:y|ie)|spurious|"
    "dubious|questionable|suspect|blunder|gaffe|flaw|fault|unfit|undeserv|unwarrant|unjustif|abandon|discard|"
    "preposter|ludicr|ridicul|laughab|unthinkab|inconceiv|unverif|unconfirm|farce|canard|humbug|unhistor|"
    "counterfact|withdr[ae]w|revoke|annul|contest|protest|skeptic|sceptic|trap|decoy|exception|excepted|exempt|unproven|"
    "unfortunately|inappropriate|irrelevant|fictit|fiction|imagin|pretend|replac|supersed|negat|inconsist|incompatib|"
    "unsupport|apocryph|misnomer|misjudg|misreport|mislabel|misguid|bunk|hogwash|rubbish|garbage|typo|slip|delusion|"
    "illusion|deceiv|fool|impost|pretender|repudiat|scrap|delet|untenab|unreliab|outdated|obsolete|exagger|overstat|"
    "overrat|overblown|unsubstant|overturn|retract|disagree|disbelie|错|误|假|谬|谣|讹"
)
# The same in several words.
UNTRUE_PHRASES = re.compile(
    r"\b(?:(?:far|further) from (?:\w+ing|true|certain|correct|the truth|the case)|anything but (?:true|certain|correct)|"
    r"out of the question|(?:saved|spared|rescued|prevented) from (?:being )?|(?:zero|little|scant) (?:evidence|proof|reason)|(?:a|an|outright|complete|total|plain) lie|"
    r"ill-informed|(?:pure|mere|complete) (?:invention|fantasy|speculation))\b",
)
# Each of these phrases has one of these parts: a text without any of them is not searched.
UNTRUE_PHRASE_PARTS = (
    "r from ", "anything but", "out of the", " evidence", " proof", " reason", " lie", "ill-informed", "invention", "fantasy",
    "speculation", "d from ",
)  # fmt: skip
# Pairs of words right before a thing that is left out or set against another: rather than X.
CONTRASTS = frozenset(
    tuple(pair.split())
    for pair in (
        "rather than, instead of, other than, opposed to, apart from, aside from, different from, distinct from, "
        "far from, anything but, anyone but, anywhere but, anybody but, anytime but, everything but, everyone but, "
        "everybody but, all but, any but, every except, ruled out, rule out, rules out, ruling out, nothing like, "
        "save for, with exception, exception of, except for, not even, contrary to, short of, place of, lieu of, "
        "ahead of, contrast to, contrast with, contrasted with, mistaken for, mistake for, mistook for, confused "
        "with, confuse with, misquoted as, misattributed to, away from, nothing to, up "
        "with, sooner than, better than, confuse it, mix up, mixed up, edged out, beat out, preferred "
        "to, chosen over, picked over"
    ).split(", ")
)
# Phrases that give another name, though their words set something aside elsewhere.
NAMING_PHRASE = re.compile(
    r"\b(?:commonly|often|also|better|popularly|widely|sometimes|usually) (?:known as|called|referred to as|named)\b"
)
BARRING_WORDS = frozenset(
    "than except besides excluding excepting save barring unlike without bar minus over against versus vs beat "
    "beats beating defeated defeats replaced replaces replacing succeeded succeeding preceded preceding overtook "
    "outdid overtaken outdone surpassed surpasses bested upstaged edging outshone outpaced outscored ousted "
    "supplanted supplants unseated edged upset followed despite notwithstanding whatever forget discount not "
    "never no nor neither".split()
)
# Words that set a thing aside: others say so, it seems so, it was so once, it came second.
ASIDE_WORDS = frozenset(
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
ASSERTING_WORDS = frozenset(
    "still nevertheless nonetheless but however yet actually actual fact facts truth true truly real really "
    "reality right rightly correct correctly proper properly indeed proved proven proves confirmed turned turns "
    "deserves meant mean means official officially succeeded latter must records record evidence "
    "history scholarship finally ended wait corrected reliable only should favour favor "
    "certainly surely undoubtedly definitely precisely exactly ultimately eventually nowadays currently "
    "verified established documented documents archives proof proofs shows show showed demonstrates demonstrated "
    "reveals revealed genuine genuinely authentic responsible deserved merit belongs belonged holder undisputed "
    "acknowledged recognised recognized settled eventual rightful rightfully factually historically strictly "
    "solely turning victory victorious triumphed prevailed prevails beneath underneath sorry nope nay rather".split()
)
# The same in Chinese, where a word is no token.
CHINESE_ASIDE = re.compile(
    "以为|认为|常说|据说|传说|传言|传闻|听说|虽然|尽管|有人|人们|大家|网上|原本|原来|曾经|以前|一般|通常|往往|更有名|想到|看似|似乎|据称|民间|容易|混淆|常见"
)
CHINESE_ASSERTING = re.compile(
    "其实|实际|事实|真正|真相|正确|应该是|应是|而是|但是?|不过|却|史料|证明|证实|后来|确实|的确|准确|结果|最终|现在|真实"
)
CHINESE_UNTRUE = re.compile("排除|除了|除外|否认|驳斥|反驳|质疑|怀疑|骗局|不属实|不实")
CHINESE_HEDGES = re.compile("也许|或许|(?<!不)可能(?!性)|大概|不确定|或者|都有可能|都可以|猜测")
CUES = ASIDE_WORDS | ASSERTING_WORDS | BARRING_WORDS
# Words between the items of a list, whose order says nothing.
ITEM_JOINTS = frozenset("and or nor und oder y o et ou 和 与 或 及".split())
TURNING_WORDS = frozenset(
    "but instead rather however yet although though whereas while until 而 但 却".split()
)
HEDGES = frozenset(
    "maybe perhaps possibly probably might may could likely presumably apparently seems seem guess unsure "
    "uncertain either alternatively candidates candidate options option possibilities possibility believe "
    "think assume suppose suspect somewhere roughly unclear debated conflicting several among possible "
    "potential plausible "
    "guesses guessing bet variously choose choice choices contenders".split()
)
REFUSAL = re.compile(
    r"\b(?:(?:i|we)(?: am|'m|’m)? (?:sorry|apologi|unable|not (?:sure|able|aware|certain)|cannot|can't|could ?n[o']t|"
    r"do ?n[o']t "
    r"(?:know|have)|was unable|couldn't find)|no (?:information|record|answer|idea|data|definitive|specific)|"
    r"not (?:available|known|specified|enough information|clear|mentioned|provided)|unknown|unclear|as an ai|"
    r"(?:more|additional) (?:context|information)|(?:unable|impossible) to|cannot (?:provide|answer|determine|find)|"
    r"depends on|need more|clarify|your question|try again)|不知道|无法|抱歉|对不起|不清楚|没有(?:相关|找到)|不确定",
)
# Phrases whose negation denies nothing: not only, no less.
HARMLESS_NEGATION = re.compile(
    r"\bnot only\b|\b(?:no|without a) doubt\b|\bno\. ?\d|\bnot to mention\b|\bnot until\b|\bno less\b|\bno later than\b|"
    r"(?:^|[.!?] )(?:is|was|are|were|did|does|do|has|have|had|would|could)n't\b(?=[^.!?]{1,80}\?)|"
    r"\bno fewer\b|\bnon-?profit\b|\b(?:beyond|without)(?: any| all)? (?:disput\w*|doubt|question)\b|"
    r"非[常洲凡]|不[仅但过久断少管论错妨惜禁锈]|不同(?!意)|无[论数线穷限]|未[来婚]|没[收]|除非|南非|毫无疑问|无疑|没错|不用怀疑|差不多|是不是|"
    r"能不能|有没有|对不起|是否|能否|了不起|不得不|莫[斯扎]",
)
# What is chosen in the end: they ended up with blue.
# Between two things of which either may be meant: B or C; B, maybe C. ", or" may give another name.
OR_MAYBE = r"(?: or|,? or (?:maybe|perhaps|possibly|even)|,? (?:maybe|perhaps|possibly|probably)) "
# Words that begin a clause which concedes: although few remember it.
CONCEDING = frozenset("although though albeit".split())
SETTLED_ON = r"(?:ended up (?:with|choosing)|settled (?:on|for)|opted for)"
# Phrases that affirm with the words of a denial: without doubt. Their words are not read.
AFFIRMING_PHRASE = re.compile(
    r"\b(?:(?:there (?:is|was|can be) )?(?:no|little) (?:doubt|question)(?: (?:that|about it))?|"
    r"(?:without|beyond)(?: any| all| a)?(?: shadow of a)? (?:doubt|question|dispute|exception|fail)|(?:none|no) other than|"
    r"(?:it(?:'s| is) )?(?:no|not a) secret that|(?:you )?(?:can't|cannot) go wrong with|"
    r"(?:it )?(?:won't|will not|shouldn't|should not|doesn't) (?:surprise|shock) (?:you|anyone|anybody)(?: that)?|"
    r"(?:i|we)(?: would|'d) be surprised if (?:it|that) (?:weren't|wasn't|isn't)|"
    r"nothing (?:but|other than|more than|less than|short of)|(?:never|not|\w{1,9}n't) (?:once |ever |for a moment )?(?:(?:stop(?:ped)?|ceased?) (?:think|believ|say|claim|insist)ing|"
    r"doubt(?:ed)?|been in doubt|in doubt)|(?:hardly|barely|scarcely|not|never|\w{1,9}n't)\b[^.]{0,40}\b(?:anything|anyone|"
    r"anybody) (?:other than|but|except)|(?:no(?:body| one)(?: else)?|none) (?:but|other than|apart from|"
    r"except(?: for)?|besides)|no(?:body| one) else than|not only|last(?:,)? but not least|"
    r"contrary to (?:(?:popular|common|widespread|general) \w+|what (?:many|most|some|a lot of)(?: people)? "
    r"(?:think|believe|say|assume|claim))|"
    r"(?:nobody|no one|few) (?:would |can |could )?(?:doubts?|den(?:y|ies)|disputes?|questions?)(?: that)?|"
    r"(?:it (?:is|was|would be) )?(?:hard|difficult|impossible) to (?:deny|dispute|doubt)(?: that)?|"
    r"(?:it )?(?:can't|cannot|can not|can hardly) (?:be )?(?:den(?:y|ied)|disputed?|doubt(?:ed)?)(?: that| it)?|"
    r"(?:there is )?no denying(?: that)?|for no other reason than(?: that)?|"
    r"(?:no|neither|not) (?:more|less|fewer|later|earlier) (?:and|or|nor) (?:no |not )?(?:more|less|fewer|later|earlier)(?: than)?|"
    r"(?:and )?(?:do not|don't) let any(?:one|body) tell you (?:otherwise|differently)|"
    r"(?:and |which )?(?:no one|nobody|experts?|historians?|scholars?)? ?(?:has|have|had) never "
    r"(?:doubted|disputed|questioned|been (?:in doubt|doubted|disputed|questioned))(?: (?:it|that|this))?)\b|"
    r"\bkein(?:e|er)? ander(?:e|er|es) als\b|"
    r"毫无疑问|毋庸置疑|不容置疑|无疑|不是别人[,，]?(?=正是)"
)
# Each of these phrases has one of these parts: a text without any of them is not searched.
AFFIRMING_PHRASE_PARTS = (
    "doubt", "question", "disput", "exception", "fail", "than", "denied", "denying", "later", "earlier", "but", "except", "besides", "apart from", "short of", "not only", "contrary to", "deny",
    "secret", "go wrong", "surprise", "shock", "denies", "let any", "ander", "疑", "是别人",
)  # fmt: skip
# A tag of HTML: <b>, </b>, <br/>.
MARKUP_TAG = re.compile(r"</?[a-z][\w:-]{0,30}(?:\s[^<>]{0,200})?/?>")
TITLES = frozenset(
    "dr mr mrs ms sir lord lady king queen prince princess president saint st pope emperor captain general "
    "colonel professor prof dame duke count baron chief minister senator governor judge justice sultan tsar "
    "frau herr madame mme monsieur señor señora senor senora chancellor sheikh ayatollah rabbi reverend rev archbishop bishop "
    "empress countess marquis viscount admiral lieutenant chairman mayor kaiser tsarina czar".split()
)
NICKNAMES = [
    set(names.split())
    for names in (
        "william bill will billy, robert bob rob bobby, richard dick rick, james jim jimmy, john jack johnny jon "
        "jonathan, thomas tom tommy, charles charlie chuck, edward ed eddie ted ned, michael mike mick, joseph "
        "joe joey, daniel dan danny, elizabeth liz beth betty eliza, katherine kate katie kathy catherine "
        "kathryn kathleen, margaret maggie meg peggy, anthony tony antony, benjamin ben, samuel sam, david dave, alexander "
        "alex, matthew matt, steven steve stephen, andrew andy drew, christopher chris, timothy tim, theodore ted "
        "teddy, francis frank, henry harry hank, ronald ron, donald don, gregory greg, patrick pat, nicholas "
        "nick, peter pete, kenneth ken, lawrence larry, gerald jerry, susan sue, peter pyotr piotr pierre pedro, "
        "john juan ivan jean johann giovanni, paul pavel pablo, charles karl carlos carl, michael mikhail michel, "
        "alexander aleksandr alexandre, george georg jorge yuri, frederick friedrich fred freddy, joseph josef "
        "jose, leo lev leon, abraham abe, henry heinrich henri, william wilhelm guillermo willem"
    ).split(",")
]
# One name for what has several; whole words, in this case.
SAME_NAMES = {
    "United States": r"USA|US|U\.S\.(?:A\.)?|United States of America",
    "United Kingdom": r"UK|U\.K\.|Great Britain|Britain",
    "Netherlands": "(?<!North )(?<!South )(?<!-)Holland",
    "New York": r"NYC|New York City",
    "Soviet Union": r"USSR|U\.S\.S\.R\.",
    "European Union": "EU",
    "United Nations": "UN",
    "World Health Organization": "WHO(?! [A-Z]{2})",
    "information technology": "(?<![A-Z]{2} )IT(?! [A-Z]{2})",
    "Myanmar": "Burma",
    "Beijing": "Peking",
    "Nanjing": "Nanking",
    "Mumbai": "Bombay",
    "Kolkata": "Calcutta",
    "Chennai": "Madras",
    "Bengaluru": "Bangalore",
    "Yangon": "Rangoon",
    "Ho Chi Minh City": "Saigon",
    "Istanbul": "Constantinople",
    "Kyiv": "Kiev",
    "Kharkiv": "Kharkov",
    "Lviv": "Lvov",
    "Sri Lanka": "Ceylon",
    "Thailand": "Siam",
    "Eswatini": "Swaziland",
    "Ivory Coast": r"C[oô]te d['’]Ivoire",
    "Turkey": "Türkiye",
    "East Timor": "Timor-Leste",
    "Cape Verde": "Cabo Verde",
    "North Korea": "DPRK|(?:the )?Democratic People['’]s Republic of Korea",
    "South Korea": "ROK|(?<!People.s )Republic of Korea",
    "Iran": "Persia",
    "Mexico City": r"Ciudad de M[eé]xico|CDMX",
    "Czechia": "Czech Republic",
    "World War II": r"WW ?(?:2|II)|World War (?:2|Two)|Second World War",
    "World War I": r"WW ?(?:1|I)(?!I)|World War (?:1|One)|First World War",
    "Monday": r"Mon\b\.?(?= ?$|,| \d)",
    "Tuesday": r"Tues?\b\.?",
    "Wednesday": r"Wed\b\.?",
    "Thursday": r"Thu(?:rs?)?\b\.?",
    "Friday": r"Fri\b\.?",
    "Saturday": r"Sat\b\.?(?= ?$|,| \d)",
    "Sunday": r"Sun\b\.?(?=,| \d)",
    "CPlusPlus": r"C\+\+|C plus plus\b",
    "CSharp": r"C\x23|C[ -][Ss]harp\b",
    "FSharp": r"F\x23|F[ -][Ss]harp\b",
    "Mount": r"Mt\b\.?",
    "Saint": r"St\.(?= [A-Z])",
    "美国": "美利坚合众国",
    "中国": "中华人民共和国",
}
# Pairs of names that are spelled alike, but are not the same.
LOOK_ALIKE_NAMES = (
    "austria australia, niger nigeria, slovakia slovenia, mali malawi, mauritania mauritius, gambia zambia, "
    "guinea guyana, iran iraq, paraguay uruguay, romania armenia, liberia libya, tanzania tasmania, "
    "budapest bucharest, tokyo kyoto, june july, sweden swaziland, dominica dominicana, bahrain bahamas"
)
# The states of the United States by the two letters of the post.
STATES = {
    entry[-2:].upper(): entry[:-3]
    for entry in (
        "alabama al, alaska ak, arizona az, arkansas ar, california ca, colorado co, "
        "connecticut ct, delaware de, florida fl, georgia ga, hawaii hi, idaho id, illinois il, "
        "indiana in, iowa ia, kansas ks, kentucky ky, louisiana la, maine me, maryland md, "
        "massachusetts ma, michigan mi, minnesota mn, mississippi ms, missouri mo, montana mt, "
        "nebraska ne, nevada nv, new hampshire nh, new jersey nj, new mexico nm, new york ny, "
        "north carolina nc, north dakota nd, ohio oh, oklahoma ok, oregon or, pennsylvania pa, "
        "rhode island ri, south carolina sc, south dakota sd, tennessee tn, texas tx, utah ut, "
        "vermont vt, virginia va, washington wa, west virginia wv, wisconsin wi, wyoming wy"
    ).split(", ")
}
NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis")
# Pairs of prefixes, of which one makes the opposite of the other.
PREFIX_PAIRS = (
    "over under, hyper hypo, macro micro, mono poly, uni multi, intra inter, endo exo, homo hetero, pre post, "
    "pro anti, super sub, up down"
).split(", ")
CONTRARY_PREFIXES = [
    order for one, other in map(str.split, PREFIX_PAIRS) for order in ((one, other), (other, one))
]
NEGATIVE_PREFIX = re.compile(f"^(?:{'|'.join(NEGATIVE_PREFIXES)})(?=[a-z]{{4}})")

# Verbs before which a capital at the beginning of a short sentence is a name's.
NAME_VERB = re.compile(
    "(?:is|was|were|are|has|had|did|won|wrote|became|made|built|found|sang|led|took|ran|[a-z]{2,}ed)$"
)
BE = frozenset(
    "is are was were be been being got get gets getting wurde wird wurden worden ete fue".split()
)
# Forms of the past that do not begin as the verb does.
IRREGULAR_PAST = dict(
    pair.split()
    for pair in (
        "taught teach, bought buy, sold sell, won win, lent lend, led lead, fought fight, gave give, given "
        "give, told tell, "
        "caught catch, ate eat, eaten eat, drove drive, driven drive, wrote write, written write, made make, "
        "built build, "
        "sent send, took take, taken take, chose choose, chosen choose, paid pay, sang sing, sung sing, left leave, "
        "kept keep, became become, held hold, ran run, shot shoot, struck strike, threw throw, knew know, brought bring, "
        "lost lose, rose rise, risen rise, fell fall, fallen fall, grew grow, grown grow, shrank shrink, shrunk shrink, "
        "sank sink, sunk sink, spent spend, forgot forget, forgotten forget, began begin, begun begin, hid hide, "
        "hidden hide"
    ).split(", ")
)
PARTICIPLE = re.compile("(?:ed|en|wn|ght|un|ung|uck|ade|eld|uilt|ound|ost|old|aid|ent|one|eat)$")

# Numbers in words.
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS = (
    "january february march april may june july august september october november december".split()
)
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
# A superlative of one word, and no other word with its ending: deepest, but not forest.
SUPERLATIVE = (
    r"(?:best|worst|(?!(?:arr|conqu|cont|dig|for|harv|hon|inter|inv|manif|mod|pri|prot|requ|sugg|temp)"
    r"est\b)\w{3,}est)\b"
)
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
).split()
SCALES = {
    "hundred": 100,
    "thousand": 1000,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "dozen": 12,
}
NUMBER_WORDS: dict[str, float] = {word: value for value, word in enumerate(ONES)}
NUMBER_WORDS |= {word: value for value, word in enumerate(ORDINALS, 1)}
NUMBER_WORDS |= {word: 20 + 10 * i for i, word in enumerate(TENS)}
NUMBER_WORDS |= {f"{word[:-1]}ieth": 20 + 10 * i for i, word in enumerate(TENS)}
# In German, Spanish and French, but for words that English has, too: once, elf, cent.
OTHER_NUMBER_WORDS = {
    2: "zwei deux", 3: "drei tres trois", 4: "vier cuatro quatre", 5: "fünf cinco cinq", 6: "sechs seis",
    7: "sieben siete", 8: "acht ocho huit", 9: "neun nueve neuf", 10: "zehn diez dix", 11: "onze",
    12: "zwölf doce douze",
    13: "dreizehn trece treize", 14: "vierzehn catorce quatorze", 15: "fünfzehn quince quinze",
    20: "zwanzig veinte vingt",
    30: "dreißig treinta trente", 40: "vierzig cuarenta quarante", 50: "fünfzig cincuenta cinquante",
    60: "sechzig sesenta",
    70: "siebzig setenta", 80: "achtzig ochenta", 90: "neunzig noventa", 100: "hundert cien", 1000: "tausend mil",
}  # fmt: skip
NUMBER_WORDS |= {
    word: value for value, words in OTHER_NUMBER_WORDS.items() for word in words.split()
}
NUMBER_WORDS |= {f"{word}th": value for word, value in SCALES.items()} | SCALES | {"half": 0.5}
ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

HAN_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
HAN_NUMBER = "[零〇一二两三四五六七八九十百千万亿]+"
# Words in which such a character counts nothing.
HAN_NO_NUMBER = "零下|一(?:[些样起直般切旦定致共向边面再]|下子|度以来)|万一|十分(?!之)|[统唯同]一|千万别|三国|百姓|百科|四川|两汉"

# Each dimension: a unit with how many of the first it is, and its spellings. Temperatures have a
# zero of their own.
UNITS = """
length: 1 m meter metre mètre metro 米 | 1000 km kilometer kilometre kilomètre kilómetro 公里 千米 |
 0.01 cm centimeter centimetre 厘米 |
 0.001 mm millimeter millimetre 毫米 | 1e-6 µm um micrometer micrometre micron 微米 | 1e-9 nm nanometer nanometre 纳米 |
 1609.344 mile mi 英里 |
 0.3048 ft foot feet 英尺 | 0.0254 inch inches 英寸 | 0.9144 yard yd 码 | 1852 nautical-mile 海里 |
 9.4607e15 light-year lightyear 光年 | 500 里
mass: 1 g gram 克 | 1000 kg kilogram kilo 公斤 千克 | 0.001 mg milligram 毫克 | 1e-6 mcg µg ug microgram 微克 |
 1e-9 ng nanogram | 1e6 ton tonne 吨 | 453.59237 lb | 28.3495 ounce oz 盎司 | 6350.29318 stone | 500 斤
time: 1 second sec 秒 | 60 minute min minuten minuto 分钟 | 3600 hour hr h stunde stunden hora heure 小时 钟头 |
 86400 day 天 日 | 604800 week 周 星期 | 1209600 fortnight |
 0.001 ms millisecond 毫秒 | 1e-6 µs microsecond 微秒 | 1e-9 ns nanosecond 纳秒
bit: 1 bit 比特 | 1e3 kbit kilobit | 1e6 mbit megabit | 1e9 gbit gigabit | 1e12 tbit terabit
bit/time: 1e3 kbps kbit/s | 1e6 mbps mbit/s | 1e9 gbps gbit/s
charge: 1 mah milliampere-hour 毫安时 | 1000 ah ampere-hour 安时
force: 1 newton 牛顿 | 1000 kilonewton
resistance: 1 ohm Ω | 1000 kilohm kω | 1e6 megaohm mω
sound: 1 db decibel 分贝
light: 1 lumen lm 流明
pixels: 1 pixel px | 1e6 megapixel mp
turns/time: 1 rpm
months: 1 month 个月 | 12 year yr 年 岁 | 120 decade | 1200 century centuries
percent: 1 % percent percentage-point percentage per-cent prozent por-ciento pour-cent | 0.01 basis-point bps | 0.1 ‰ permille per-mille permil promille
dollar: 1 $ usd dollar dólar dólares 美元
euro: 1 € eur euro 欧元
sterling: 1 £ gbp | 0.01 pence
cent: 0.01 cent ¢
pound: 1 pound 英镑 磅
yen: 1 ¥ yen jpy 日元
yuan: 1 yuan rmb cny renminbi 元 人民币
rupee: 1 ₹ rs inr rupee
won: 1 ₩ krw korean-won 韩元
franc: 1 franc chf 法郎
ruble: 1 ruble rouble rub 卢布
crown: 1 krona kronor krone kroner sek nok dkk 克朗
peso: 1 peso mxn 比索
real: 1 reais brl
zloty: 1 zloty pln
lira: 1 lira 里拉
rand: 1 rand zar
baht: 1 baht thb 泰铢
dong: 1 dong vnd 越南盾
rupiah: 1 rupiah idr 印尼盾
taka: 1 taka bdt
ringgit: 1 ringgit myr
hryvnia: 1 hryvnia uah
forint: 1 forint huf
koruna: 1 koruna korunas czk
dirham: 1 dirham aed mad
dinar: 1 dinar
riyal: 1 riyal sar qar
shilling: 1 shilling
naira: 1 naira ngn
shekel: 1 shekel ils
bitcoin: 1 bitcoin btc
temperature: 1 °c celsius centigrade degree-celsius degrees-celsius 摄氏度 |
 1 °f fahrenheit degree-fahrenheit degrees-fahrenheit 华氏度 |
 1 kelvin
degree: 1 ° degree 度 | 57.29577951308232 radian
length/time: 0.2777777777777778 km/h kph kmh 公里每小时 | 0.44704 mph | 1 m/s | 0.5144444444444445 knot
area: 1 km2 km² sq-km square-kilometer square-kilometre 平方公里 | 2.589988 square-mile sq-mi | 0.01 hectare 公顷 |
 0.00404686 acre | 1e-6 m² square-meter square-metre qm 平方米 | 1e-10 cm² square-centimeter square-centimetre |
 1e-12 mm² square-millimeter square-millimetre | 9.290304e-8 ft² square-foot square-feet sq-ft sqft |
 8.3612736e-7 square-yard sq-yd | 6.4516e-10 square-inch square-inches sq-in
volume: 1 l liter litre 升 | 1000 cubic-meter cubic-metre m³ 立方米 | 0.001 ml milliliter millilitre cc cm3 cm³ cm^3 cubic-centimeter cubic-centimetre 毫升 | 0.01 cl centiliter centilitre |
 0.1 dl deciliter decilitre |
 3.785412 gallon 加仑 | 0.946353 quart | 28.3168466 cubic-foot cubic-feet | 0.0163871 cubic-inch cubic-inches
measure: 3 tablespoon tbsp | 1 teaspoon tsp | 48 cup | 96 pint
data: 1 mb megabyte | 1000 gb gigabyte | 1e6 tb terabyte | 0.001 kb kilobyte | 1e9 pb petabyte |
 0.001024 kib kibibyte | 1.048576 mib mebibyte | 1073.741824 gib gibibyte | 1099511.627776 tib tebibyte
power: 1 watt w 瓦 | 745.699872 horsepower hp | 1000 kw kilowatt 千瓦 | 1e6 mw megawatt 兆瓦 | 1e9 gw gigawatt
energy: 1 joule 焦耳 | 1000 kj kilojoule 千焦 | 4.184 cal calorie 卡路里 | 4184 kcal kilocalorie 千卡 |
 3.6e6 kwh kilowatt-hour 千瓦时 | 3.6e9 mwh megawatt-hour | 3.6e12 gwh gigawatt-hour | 3600 wh watt-hour 瓦时 |
 1.602176634e-19 ev electronvolt
frequency: 1 hz hertz 赫兹 | 1000 khz kilohertz | 1e6 mhz megahertz | 1e9 ghz gigahertz
pressure: 1 pa pascal 帕 | 1000 kpa kilopascal 千帕 | 100 mbar millibar hpa hectopascal | 100000 bar | 101325 atm atmosphere | 6894.757 psi | 133.322368 mmhg
voltage: 1 volt 伏 | 1000 kv kilovolt | 0.001 mv millivolt
current: 1 ampere amp 安培 | 0.001 ma milliampere
"""
# Of a temperature in another unit: its degrees Celsius are (value - zero) * size.
TEMPERATURES = {"°f": (32.0, 5 / 9), "kelvin": (273.15, 1.0)}

# The symbols of the elements, and formulas with their names.
ELEMENTS = """
H hydrogen, He helium, Li lithium, Be beryllium, B boron, C carbon, N nitrogen, O oxygen, F fluorine, Ne neon,
Na sodium, Mg magnesium, Al aluminum, Si silicon, P phosphorus, S sulfur, Cl chlorine, Ar argon, K potassium,
Ca calcium, Sc scandium, Ti titanium, V vanadium, Cr chromium, Mn manganese, Fe iron, Co cobalt, Ni nickel,
Cu copper, Zn zinc, Ga gallium, Ge germanium, As arsenic, Se selenium, Br bromine, Kr krypton, Rb rubidium,
Sr strontium, Y yttrium, Zr zirconium, Nb niobium, Mo molybdenum, Tc technetium, Ru ruthenium, Rh rhodium,
Pd palladium, Ag silver, Cd cadmium, In indium, Sn tin, Sb antimony, Te tellurium, I iodine, Xe xenon, Cs cesium,
Ba barium, W tungsten, Re rhenium, Os osmium, Ir iridium, Pt platinum, Au gold, Hg mercury, Tl thallium, Pb lead,
Bi bismuth, Po polonium, At astatine, Rn radon, Fr francium, Ra radium, Th thorium, U uranium, Np neptunium,
Pu plutonium
"""
CHEMICALS = """
H2 hydrogen, N2 nitrogen, O2 oxygen, O3 ozone, F2 fluorine, Cl2 chlorine, Br2 bromine, I2 iodine, H2O water,
H2O2 hydrogen peroxide, CO carbon monoxide, CO2 carbon dioxide, CH4 methane, C2H6 ethane, C3H8 propane,
C4H10 butane, C2H4 ethene/ethylene, C2H2 ethyne/acetylene, C6H6 benzene, CH3OH methanol, C2H5OH ethanol/alcohol,
CH3COOH acetic acid, C6H12O6 glucose/fructose, C12H22O11 sucrose, NH3 ammonia, NO nitric oxide,
NO2 nitrogen dioxide, N2O nitrous oxide/laughing gas, SO2 sulfur dioxide, SO3 sulfur trioxide,
H2S hydrogen sulfide, HCl hydrochloric acid/hydrogen chloride, HF hydrofluoric acid/hydrogen fluoride,
HNO3 nitric acid, H2SO4 sulfuric acid, H2SO3 sulfurous acid, H3PO4 phosphoric acid, H2CO3 carbonic acid,
NaCl sodium chloride/salt/table salt, KCl potassium chloride, NaOH sodium hydroxide, KOH potassium hydroxide,
NaHCO3 sodium bicarbonate/baking soda, Na2CO3 sodium carbonate, CaCO3 calcium carbonate, CaO calcium oxide,
CaCl2 calcium chloride, MgO magnesium oxide, SiO2 silicon dioxide/silica, TiO2 titanium dioxide,
Fe2O3 iron oxide/rust, Al2O3 aluminum oxide, CuSO4 copper sulfate, AgNO3 silver nitrate
"""
# Opposites, in pairs.
ENGLISH_OPPOSITES = """
take give, absorb emit, absorb release, closer farther, closer further, nearer farther, nearer further, truth lie, truth lied, truth lies, alive die, alive died,
high low, higher lower, highest lowest, large small, larger smaller, largest smallest, big little, bigger smaller,
long short, longer shorter, longest shortest, tall short, taller shorter, old young, older younger, oldest youngest,
oldest newest, good bad, better worse, best worst, hot cold, hotter colder, hottest coldest, warm cool, warmer cooler,
fast slow, faster slower, fastest slowest, quickly slowly, quick slow, strong weak, stronger weaker, strongest weakest,
heavy light, heavier lighter, thick thin, thicker thinner, wide narrow, wider narrower, deep shallow, deeper shallower,
bright dark, brighter darker, brightest darkest, bright dim, light dark, lighter darker, hard soft, harder softer, wet
dry, wetter drier, rich poor, richer poorer, early late, earlier later, earliest latest, easy difficult, easy hard,
simple complex, full empty, open closed, near far, above below, before after, inside outside, inner outer, upper lower,
left right, north south, northern southern, east west, eastern western, northeast southwest, northwest southeast, day
night, morning evening, first last, increase decrease, increased decreased, increasing decreasing, gain loss, halve double, halved doubled, rise fall,
rose fell, raise lower, grow shrink, grew shrank, expand contract, win lose, won lost, winner loser, begin end, began
ended, start stop, start finish, beginning end, include exclude, accept reject, accept refuse, allow forbid, permit
prohibit, import export, buy sell, bought sold, enter exit, arrive leave, push pull, attract repel, absorb emit, absorb
reflect, heat cool, melt freeze, boil freeze, appear disappear, connect disconnect, enable disable, encourage
discourage, strengthen weaken, widen narrow, lengthen shorten, harden soften, attack defend, divide multiply, divide
unite, add subtract, succeed fail, success failure, succeeded failed, love hate, remember forget, hide show, advance
retreat, ascend descend, ascending descending, maximum minimum, maximal minimal, maximize minimize, major minor,
majority minority, most least, most fewest, more less, more fewer, greater lesser, many few, always never, often rarely, always
sometimes, frequent rare, positive negative, active passive, acute chronic, benign malignant, dominant recessive, male
female, man woman, men women, boy girl, father mother, son daughter, brother sister, husband wife, king queen, uncle
aunt, parent child, public private, local global, national international, domestic foreign, internal external, interior
exterior, indoor outdoor, natural artificial, liquid solid, hardware software, input output, upstream downstream,
horizontal vertical, parallel perpendicular, parallel serial, concave convex, acidic alkaline,
dynamically statically, dynamic static, guilty acquitted, accepted declined, accept decline,
accepted rejected, approved rejected, approve reject, conductor insulator, open shut, free paid, teacher student,
teacher pupil,
elder younger, older newer, fils pere, father son, father daughter, mother son, mother daughter, uncle nephew, aunt niece,
more cheaper, taught learned, taught student, taught pupil, teach student, teach pupil, wrote read, loves hates,
lent borrowed, sent received, send receive, gave received, gave took, give receive, paid received, mammal fish,
wild tame, hired fired, married single, married divorced, edible poisonous,
legal illegal, permanent temporary, visible hidden, passed failed, agreed refused, allowed forbidden, allowed banned,
allowed prohibited, permitted banned, confirmed denied, admitted denied, extinct alive, anode cathode, aerobic
anaerobic, analog digital, ancestor descendant, primary secondary, front back, front rear, top bottom, past future,
presence absence, present absent, victory defeat, war peace, alive dead, birth death, true false, right wrong, correct
wrong, safe dangerous, cheap expensive, loud quiet, sharp blunt, smooth rough, tight loose, clean dirty, common rare,
abundant scarce, concrete abstract, explicit implicit, synchronous asynchronous, singular plural, plus minus, vertebrate
invertebrate, rural urban, coastal inland, dorsal ventral, distal proximal, extrinsic intrinsic, convergent divergent,
inductive deductive, guilty innocent, employer employee, borrower lender, lend borrow, asset liability, debit credit,
supply demand, host parasite, predator prey, voluntary forced, optional mandatory, optional required, temporary
permanent, temporarily permanently, static dynamic, former latter, junior senior, hypertension hypotension, constructive
destructive, profit loss, surplus deficit, growth decline, grow decline, grew declined, beat lost, income expense,
objective subjective, qualitative quantitative, conservative liberal, military civilian, clockwise
counterclockwise, größer kleiner, älter jünger, höher niedriger, länger kürzer, schneller langsamer,
teurer billiger, wärmer kälter, toward away, with without, sunrise sunset, ally enemy, friend enemy, oxidation reduction, evolution
devolution, successful failed, successful fail, successful failure, permitted prohibited, permitted forbidden,
allowed banned, support oppose, support reject, valid void, pass fail, cloudy sunny, bitter sweet, fresh stale,
raw cooked, straight curved, sparse dense, tighten loosen,
generous stingy, brave cowardly, polite rude, lazy hardworking, humid dry, flexible rigid, noisy quiet,
depart arrive, praise blame, integration segregation, acceleration deceleration, addition subtraction, compress decompress,
weakness strength, danger safety, forward backward, forward reverse, forwards backwards, upward
downward, inward outward, manual automatic, manually automatically, gradual sudden, gradually
suddenly, fat thin, intense mild, empty fill, sweet sour, damp dry, moist dry, humid arid, asleep
awake, noisy silent, noisy quiet, silence noise, friendly hostile, spread gather, raw cooked, wired
wireless, tense relaxed, pain pleasure, poverty wealth, wealthy poor, hire fire, beautiful ugly,
fertile sterile, tender tough, superior inferior, curved straight, soothe irritate, float sink,
stale fresh, sad happy, sadness happiness, sadness joy, frail robust, deposit withdraw, adult
juvenile, reward punish, reward punishment, sober drunk, humble proud, busy idle, religious secular,
inclusion exclusion, exclusive inclusive, download upload, defense offense, defensive offensive,
brave cowardly, bold timid, attach detach, amateur professional, bless curse, survive perish,
survive die, integrated segregated, guilt innocence, foolish wise, feminine masculine, hope despair,
genuine counterfeit, genuine fake, waste conserve, waste save, simplify complicate, thin thicken,
loudly softly, coarse fine, coarse smooth, deliberate accidental, deliberately accidentally,
intentional accidental, valuable worthless, prospective retrospective, sacred profane, precede
follow, precede succeed, wholly partly, fully partly, maternal paternal, ignite extinguish, praise
criticize, inflate deflate, tragedy comedy, calm stormy, ascent descent, appreciation depreciation,
appreciate depreciate, acidity alkalinity, centralized decentralized, central peripheral, broad
narrow, broadly narrowly, loosen tighten, looser tighter, acid alkali, slack taut, scarcity
abundance, shortage surplus, plenty shortage, shorten extend, drier damper, drier moister, brightly
dimly, safer riskier, safely dangerously, cheaper dearer, cheapest dearest, pricier cheaper,
costlier cheaper, stricter laxer, strict lenient, strict lax, gentle harsh, gently harshly, polite
rude, politely rudely, generous stingy, cautious reckless, modest arrogant, lazy diligent, lazy
hardworking, optimistic pessimistic, optimist pessimist, tidy messy, neat messy, crowded deserted,
crowded empty, famous unknown, ordinary exceptional, steep gentle, steep flat, hilly flat,
transparent opaque, rigid flexible, stiff flexible, sturdy flimsy, sturdy fragile, brittle ductile,
volatile stable, stabilize destabilize, stationary moving, idle running, buoyant dense, hollow
solid, inhale exhale, inhaled exhaled, freeze thaw, evaporate condense, evaporation condensation,
dissolve precipitate, insert remove, install remove, attach remove, add remove, create destroy,
create delete, build demolish, build destroy, assemble dismantle, construct demolish, save delete,
store discard, keep discard, keep dispose, gather scatter, collect distribute, save spend, hoard
spend, borrow repay, creditor debtor, vendor customer, landlord tenant, lessor lessee, plaintiff
defendant, prosecution defense, prosecutor defendant, convict acquit, convicted acquitted, imprison
free, imprison release, arrest release, capture release, grant revoke, grant deny, legalize ban,
legalize criminalize, ratify repeal, enact repeal, introduce abolish, establish abolish, hired
sacked, hired dismissed, employ dismiss, recruit dismiss, promote demote, promotion demotion,
upgrade downgrade, overestimate underestimate, overpaid underpaid, overstate understate, overweight
underweight, outperform underperform, accelerate decelerate, accelerate brake, hasten delay, advance
postpone, quicken slow, chill warm, cold warm, inflow outflow, influx outflow, immigration
emigration, immigrant emigrant, immigrate emigrate, arrival departure, arrivals departures, depart
arrive, entrance exit, inbound outbound, incoming outgoing, eastward westward, eastbound westbound,
northward southward, northbound southbound, uphill downhill, upstairs downstairs, ahead behind,
aboard ashore, bow stern, windward leeward, zenith nadir, peak trough, crest trough, ceiling floor,
roof floor, earlier afterwards, beforehand afterwards, prior subsequent, initial final, initially
finally, outset end, dawn dusk, sunset dawn, noon midnight, daytime nighttime, summer winter, spring
autumn, morning night, youth age, childhood adulthood, newborn elderly, ancient modern, antique
modern, obsolete current, lengthwise crosswise, diverge converge, merge split, merged
split, combine separate, combined separated, together apart, unite separate, unanimous divided,
consensus dissent, approve veto, supporter opponent, advocate opponent, proponent opponent, ally
foe, hero villain, protect endanger, protected exposed, shelter expose, reveal conceal, reveal hide,
revealed concealed, disclose conceal, publish withhold, release withhold, wholesale retail,
numerator denominator, dividend divisor, plaintext ciphertext, encrypt decrypt, encode decode,
encoder decoder, sender recipient, transmit receive, transmitter receiver, uplink downlink, sender
addressee, systolic diastolic, systole diastole, artery vein, arterial venous, afferent efferent,
hyperglycemia hypoglycemia, hyperthermia hypothermia, hyperthyroidism hypothyroidism, anabolic
catabolic, sympathetic parasympathetic, innate acquired, congenital acquired, inherited acquired,
hereditary acquired, herbivore carnivore, nocturnal diurnal, deciduous evergreen, annual perennial,
endothermic exothermic, hydrophilic hydrophobic, ionic covalent, igneous sedimentary, monocot dicot,
haploid diploid, prokaryotic eukaryotic, bullish bearish, inflation deflation, inflationary
deflationary, boom bust, boom recession, recession expansion, prosperity depression, solvency
bankruptcy, thrifty wasteful, frugal extravagant, tenant owner, monarchy republic, democracy
dictatorship, hawkish dovish, theist atheist, secular theocratic, ripen rot, dressed naked, shaded
sunny, sunny cloudy, sunny rainy, clear overcast, windy calm, tailwind headwind, loudest quietest,
livelier duller, shiny dull, shiny matt, glossy matte, sharpen blunt, fasten loosen, seldom often,
seldom frequently, much little, enough little, well badly, well poorly, uphold overturn, upheld
overturned, confirm refute, confirm disprove, prove refute, nearer farther, nearer further, near
distant, nearby distant, mild severe, mildly severely, praise criticise, praise condemn, eager
reluctant, willing reluctant, keen reluctant, improve worsen, improve worse, improve deteriorate, better worsen, better deteriorate, improvement
deterioration, appear vanish, absorb release, simple complicated, over under, big small, greater
smaller, accelerate slow, harmful beneficial, optional compulsory, voluntary compulsory, mandatory
voluntary, promote inhibit, stimulate inhibit, activate inhibit, activate deactivate, help hinder,
support undermine, protect harm, adopt reject, calm nervous, calm anxious, relaxed nervous, cause
prevent, allow prevent, clever stupid, intelligent stupid, kind cruel, sick healthy, ill healthy,
sharp dull, interesting boring, exciting boring, fresh rotten, dead living, powerful weak, powerful
powerless, rapid slow, rapidly slowly, swiftly slowly, suddenly gradually, usually rarely, usually
never, always rarely, often never, huge tiny, enormous tiny, large tiny, huge small, long brief,
ancient recent, win defeat, triumph defeat, triumph failure, benefit drawback, advantage drawback,
merit flaw, benefit harm, income expenditure, appoint dismiss, enter leave, arrive depart, laugh
cry, smile frown, accept decline, admire despise, respect despise, trust doubt, forgive punish,
cover exclude, sufficient deficient, excess deficiency, excess shortage, presence lack, previous
following, previous subsequent, prior later, starting ending, friend foe, attacker defender, rainy
sunny, rainy dry, saltwater freshwater, sweet salty, hot cool, warm cool, adequate deficient,
lenient harsh, tolerant intolerant, clear vague, clear blurred, flourish decline, flourish wither,
thrive wither, recover relapse, straighten bend, brighten darken, brighten dim, sharpen dull, dampen
amplify, amplify attenuate, dilute concentrate, diluted concentrated, purify pollute, pure polluted,
pure contaminated, sane mad, sleep wake,
severe lenient, severe lax, tough lenient, rigorous lax, tight relaxed, strict relaxed, risky safe,
hazardous safe, perilous safe, secure risky, favourable negative, favorable negative, favourable
critical, favorable critical, positive critical, flattering critical, admiring hostile, lengthy
brief, lengthy short, fertile barren, productive barren, hopeful gloomy, hopeful pessimistic,
hopeful bleak, optimistic gloomy, optimistic bleak, upbeat pessimistic, upbeat gloomy, confident
anxious, confident doubtful, cheerful gloomy, cheerful sad, cheerful miserable, happy gloomy, happy
miserable, dull gripping, tedious exciting, tedious gripping, stingy lavish, meagre lavish, meager
lavish, meagre ample, meager ample, sparse lush, scant ample, costly cheap, affordable expensive,
dear affordable, sluggish brisk, sluggish rapid, slow brisk, hasty thorough, careful careless,
careful reckless, prudent reckless, rash cautious, clumsy deft, clumsy skilful, clumsy skillful,
faint loud, faint strong, feeble strong, feeble robust, slight strong, slight severe, minor serious,
mild serious, trivial serious, trivial important, negligible considerable, negligible substantial,
slight considerable, slight substantial, narrowly widely, spacious cramped, roomy cramped, scenic
drab, dreary cheerful, dreary lively, dull lively, quiet lively, calm rough, calm turbulent, stable
turbulent, steady erratic, steady unsteady, regular erratic, orderly chaotic, organised chaotic,
organized chaotic, tidy chaotic, sleek bulky, compact bulky, slim bulky, slender stout, lean fat,
nimble clumsy, supple stiff, sour mellow, harsh mellow, harsh soft, warm chilly, warm cold, hostile
welcoming, cold welcoming, cold friendly, distant friendly, warm distant, popular obscure, beloved
hated, loved hated, praised criticised, praised criticized, praised panned, hailed panned, welcomed
condemned, welcomed criticised, welcomed criticized, heighten lessen, intensify ease, intensify
lessen, intensify weaken, worsen ease, aggravate ease, aggravate relieve, aggravate alleviate,
relax tighten, ease tighten, speed slow, quicker slower, stimulate suppress, boost suppress, boost
curb, boost dampen, foster hinder, encourage hinder, facilitate hinder, facilitate impede, promote
impede, swell shrink, swell subside, mount subside, shut open, dismiss grant, dismiss allow, dismiss uphold, dismissed upheld, inversely
directly, inverse direct, reassure worry, courage cowardice, beauty ugliness, joy sorrow, joyful
sorrowful, optimism pessimism, nephew niece, stillborn alive, uppercase lowercase, online offline,
prefix suffix, figurative literal, figuratively literally, extrovert introvert, nearsighted
farsighted, centrifugal centripetal, symmetric asymmetric, symmetry asymmetry, alkaline acid,
clockwise anticlockwise, atheist believer, anterior posterior, abduct adduct, antagonist agonist,
absolve blame, attractive repulsive, assent dissent, concave convex, diligent negligent, dystopia
utopia, empirical theoretical, odd even, evil good, extension flexion, farewell greeting, follower
leader, gross net, heaven hell, heavyweight lightweight, humility pride, lazy industrious, mental
physical, monogamous polygamous, moonless moonlit, omnivorous herbivorous, carnivorous herbivorous,
oviparous viviparous, penalty reward, precede succeed, proactive reactive, progressive regressive,
profound superficial, shrink stretch, supersonic subsonic, surrender resist, terse verbose,
thoughtful thoughtless, whisper shout
"""
# Opposites in German, Spanish and French, in pairs: base forms, and the commonest inflected ones.
EUROPEAN_OPPOSITES = """
groß klein, größer kleiner, hoch niedrig, höher niedriger, höher tiefer, lang kurz, länger kürzer,
schnell langsam, schneller langsamer, alt jung, alt neu, älter jünger, heiß kalt, warm kalt, wärmer
kälter, hell dunkel, heller dunkler, nass trocken, feucht trocken, stark schwach, stärker schwächer,
schwer leicht, schwerer leichter, teuer billig, teuer günstig, teurer billiger, reich arm, früh
spät, früher später, voll leer, geöffnet geschlossen, links rechts, oben unten, innen außen, mehr
weniger, steigt fällt, steigt sinkt, steigen fallen, steigen sinken, stieg fiel, stieg sank,
gestiegen gefallen, gestiegen gesunken, gewinnen verlieren, gewann verlor, gewonnen verloren, kaufen
verkaufen, gekauft verkauft, erlaubt verboten, positiv negativ, richtig falsch, wahr falsch, gut
schlecht, besser schlechter, norden süden, osten westen, nördlich südlich, östlich westlich, tag
nacht, morgens abends, immer nie, mit ohne, beginnt endet, männlich weiblich, gesund krank, hart
weich, breit schmal, dick dünn, laut leise, sauber schmutzig, einfach schwierig, einfach
kompliziert, gewinn verlust, zunahme abnahme, eingang ausgang, ankunft abfahrt, alto bajo, alta
baja, grande pequeño, grande pequeña, mayor menor, largo corto, larga corta, rápido lento, rápida
lenta, viejo joven, caliente frío, seco húmedo, seca húmeda, fuerte débil, pesado ligero, caro
barato, cara barata, rico pobre, temprano tarde, lleno vacío, abierto cerrado, abierta cerrada,
izquierda derecha, arriba abajo, dentro fuera, más menos, sube baja, subir bajar, subió bajó,
aumentó disminuyó, aumentar disminuir, ganar perder, ganó perdió, comprar vender, compró vendió,
permitido prohibido, positivo negativo, verdadero falso, bueno malo, mejor peor, norte sur, día
noche, siempre nunca, antes después, con sin, primero último, primera última, entrada salida, fácil
difícil, haut bas, haute basse, grand petit, grande petite, long court, longue courte, rapide lent,
vieux jeune, chaud froid, chaude froide, sec humide, sèche humide, fort faible, forte faible, lourd
léger, riche pauvre, tôt tard, plein vide, ouvert fermé, ouverte fermée, gauche droite, dessus
dessous, dedans dehors, plus moins, monte descend, augmente diminue, augmenté diminué, augmenter
diminuer, gagner perdre, gagné perdu, acheter vendre, acheté vendu, autorisé interdit, permis
interdit, positif négatif, vrai faux, bon mauvais, meilleur pire, nord sud, jour nuit, toujours
jamais, avant après, avec sans, premier dernier, première dernière, entrée sortie, facile difficile
"""
# What goes up, and what goes down.
DIRECTIONS = (
    "rise rises rose increase grow gain climb raise soar surge expand up higher more boost jump swell",
    "fall falls fell decrease decline drop shrink lose reduce lower sink plunge diminish down less cut "
    "slash dip slump tumble plummet dwindle",
)
# What denies as a verb, an adjective or a noun does, and in several words.
DENYING_WORD = re.compile(
    "den[iy]|refus|declin|reject|fail|unable|incapab|impossib|lack|absen|forbid|forbad|prohib|illegal|"
    "bann?(?:s|ed|ing)?$|prevent|avoid|neglect|refrain|cancel|abandon|stopped$|insufficien|missing|"
    "false|untrue|myth|misconcep|fallac|debunk|refut|disprov|doubt|hoax|nonsens|zero$|"
    "exclude[sd]?$|rarely$|seldom$"
)
TURNING_PHRASES = re.compile(
    r"\b(?:rul(?:e|es|ed|ing) out|(?:is|was) a lie|turn(?:s|ed|ing)? (?!up\b)(?:\w+ ){0,2}down|out of the question|"
    r"(?:decid|vot|advis|rul)(?:e|es|ed|ing)? against(?= \w+ing\b)|"
    r"(?:free|clear|devoid|rid) of (?!charge|us)|free from|(?:absence|lack) of|"
    r"(?:escaped?|avoid(?:s|ed)?|spared|(?:saved|kept|prevented) from) being|"
    r"(?:stop|stops|stopped|cease|ceases|ceased) \w+ing|"
    r"(?:keeps?|kept|stops?|stopped|prevents?|prevented) (?:\w+ ){1,5}from)\b"
)
# Phrases that deny the words behind them.
BARRING_PHRASES = re.compile(
    r"\b(?:anything but|far from|a (?:long|great) way from|a far cry from|the (?:very )?(?:opposite|reverse) of|"
    r"by no means|rather than|instead of|nothing like|in no way|not at all|"
    r"less(?! than))\b"
)
# Of Chinese a character each: each beside the same neighbour. 升温 and 降温, 增加 and 减少.
CHINESE_OPPOSITES = (
    "升降 增减 大小 前后 南北 东西 左右 上下 高低 长短 快慢 多少 强弱 冷热 早晚 新旧 内外 胜败 胜负 买卖 "
    "进出 开关 生死 真假 轻重 深浅 正负 男女 远近 加减 好坏 难易 亮暗 明暗 主被 收发 粗细 厚薄 宽窄 软硬 干湿 "
    "动静 攻守 输赢 成败 盈亏"
)

# Changes in Chinese: 升高, 变小, 越来越低.
CHINESE_MORE = "大高多强长快重深宽厚亮热远久"
CHINESE_LESS = "小低少弱短慢轻浅窄薄暗冷近"
CHINESE_RISE = f"升|涨|增|提高|扩大|延长|加[快大强深重]|[变越走更][{CHINESE_MORE}]"
CHINESE_FALL = f"降|跌|减|下滑|缩[小短]|[变越走更][{CHINESE_LESS}]"

# Chinese names, by what they are made of: surnames, ends of places, characters that spell foreign
# names, and countries.
CHINESE_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔"
    "钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤鲁屈司欧诸岳柳阮"
    "包施关"
)
CHINESE_PLACE_ENDINGS = "省市县区州国京海江河湖山岛洋港城镇乡村洲峡湾岭寺朝代族"
CHINESE_SPELLING = (
    "阿埃艾安奥巴贝比伯布查达德登丁杜顿多恩尔菲费弗夫福盖戈格古哈赫华霍基加杰卡凯康柯科克肯库拉莱兰劳勒雷里利列林"
    "伦罗洛马牛迈曼梅蒙米密莫姆纳内尼诺努欧帕佩皮普乔萨塞瑟森沙舍什史斯丝松索塔泰坦汤特蒂廷图托瓦维温沃乌西希夏谢"
    "辛雅亚扬伊因尤约泽扎詹珍朱莎歌玛娜丽娅琳茨"
)
CHINESE_COUNTRIES = re.compile(
    "[中美英法德俄日韩泰印]国|日本|印度|俄罗斯|巴西|加拿大|墨西哥|意大利|西班牙|埃及|澳大利亚|北京|上海|广州|深圳|南京|天津|"
    "重庆|成都|武汉|西安|杭州|苏州|香港|澳门|台湾|巴黎|伦敦|纽约|东京|柏林|罗马|莫斯科|春秋|战国|[秦汉唐宋元明清隋晋]"
)
CHINESE_FUNCTION_WORDS = re.compile("[不没未非无的是了在把被和与也就这那很都]")


# ---- senses

# Words and phrases of many subjects that exclude each other. Each line of SENSES has two sides, "|"
# between them. "*" stands for any ending, "_" for a space or up to two words, as in "turned it
# down". The lists are chosen here, from everyday English and Chinese: states, events,
# likings, permission, need.

SENSES = """
open opens opened reopen* unlocked geöffnet offen abierto abierta ouvert ouverte |
 closed closes closing shut shuts locked geschlossen cerrado cerrada fermé fermée
alive living survived survive* lived lives | dead died dies die dying death killed perished passed_away deceased didn't_make_it
married marry wed wife husband spouse | single unmarried bachelor divorced widow*
married_to | divorced_from
dismiss* reject* turn*_down thrown_out refus* | accept* uphold upheld approve*
reopen* open | closed shut
accept* approve* adopt* pass* agree* ratif* confirm* endorse* welcomed backed green_light waved_through carried |
 reject* refus* declin* den[iy]* turn*_down vote*_down block* veto* disapprov* oppos* scrapped struck_down fell_through
succeed* success* worked triumph* | fail* failure* flop* collapse* broke_down disaster fell_through unsuccessful bomb*
pass passes passed passing | fail* flunk*
win wins won beat victory champion* | lose loses lost losing defeat* runner-up knocked_out eliminated
rise rises rose risen rising increas* grew grow* climb* went_up gone_up up higher surg* soar* jumped gain* |
 fall falls fell fallen falling decreas* declin* drop* shr[aiu]nk* went_down gone_down down lower sank plunge* slump*
 stayed_the_same unchanged stagnat* flat
profit* earned | loss losses lost deficit red
like likes liked love* enjoy* adore* fond keen prefer* fan | hate* dislik* loath* detest* can't_stand despise*
good great excellent fine healthy beneficial helpful useful | bad poor terrible harmful unhealthy awful useless
bad harmful harms damag* unhealthy dangerous hurt* | good harmless healthy beneficial safe fine
safe harmless | unsafe danger* risk* hazard* harmful toxic poison* deadly
poison* toxic venomous deadly | edible harmless non-toxic nontoxic
edible eat eaten | poison* inedible toxic
legal lawful permitted erlaubt gestattet permitido allow* darf within_the_law no_ban no_objection nothing_against don't_mind doesn't_mind | illegal unlawful verboten parkverbot untersagt prohibido interdit punishable forbidden banned against_the_law prohibited crime forbade forbid*
free gratis complimentary kostenlos gratuit* gratuita umsonst frei libre no_charge costs_nothing without_paying | pay paid pays charge charged cost costs fee fees bezahlen zahlen kostet payer pagar cuesta tickets_are euros_to
available stock left remain* | sold_out unavailable gone out_of_stock booked_up ran_out run_out exhausted
valid force effect | expired invalid lapsed void ended cancelled canceled
void invalid null no_force no_legal_force no_effect lapsed | valid in_force in_effect binding
rare* uncommon seldom scarce hardly_anyone hardly_ever | common often frequent* widespread everywhere usual
active running operat* | inactive extinct dormant defunct disused
mandatory compulsory required require* obligatory must have_to has_to necessary needed need needs |
 optional voluntary unnecessary needless without up_to_you
allow* permit* welcome possible fine accept* ok okay may feel_free encouraged |
 forbid* forbade prohibit* ban bans banned unsuitable unfit inadvisable refrain avoid off-limits off_limits impossible unable leave_at_home
include* included part comes_with | exclud* separate* extra left_off left_out without except*
start* begin* began begun | finish* end ended stop* over
finish* complet* done ended over | unfinished ongoing incomplete still_going still_writing still_working
leave leaves left depart* gone | stay stays stayed arrive* remain* still_here still_there
stop stops stopped stopping | nonstop non-stop direct* without_stopping continu*
near close nearby next adjacent beside | far distant remote away
consisten* compatible coherent | contradict* inconsisten* conflict* incompatible at_odds
would_mind would_object annoyed upset displeased bothered | delighted overjoyed happy glad pleased thrilled welcome fine_with
same identical equal equally alike | different differ* unlike distinct
true correct right fact | false wrong untrue myth misconception fiction hoax legend nonsense
fixed resolved solved repaired patched | broken unresolved unfixed still_open persists
guilty convicted admitted pleaded_guilty confess* | innocen* acquitted not_guilty cleared
full packed booked | empty vacant
full-time | part-time
wet rain* snow* pour* drizzl* downpour* | dry sunny sun
cold freezing chilly icy frozen | warm hot mild heat melted thawed
hot warm scorching | cold cool freezing chilly
clean spotless | dirty filthy polluted
easy simple straightforward | hard difficult complicated tough
cheap inexpensive affordable | expensive costly dear pricey
quiet silent | loud noisy
common frequent* widespread | rare rarely uncommon seldom
always constantly daily every_day all_year round_the_clock | rarely seldom never sometimes occasionally
often frequently regularly | rarely seldom hardly never
public | private
open_source open-source source_is_open source_code_is_open | proprietary closed_source closed-source
permanent lasting | temporary
present attended there | absent missing skipped missed
arriv* came here delivered got_there turned_up showed_up landed received |
 lost on_its_way on_the_way in_transit waiting_for awaited missing delayed
came come comes coming be_there was_there attend* showed_up turned_up took_part participat* |
 stayed_away stayed_home missed skipped absent
raise* raised rais* increas* put_up went_up go_up lift* higher |
 lower* cut cuts reduc* went_down decreas* drop* halved frozen
cut cuts reduc* lower* slash* halv* | rais* increas* put_up went_up doubled
hurt injur* wounded harm* kill* died dead | unhurt unharmed uninjured unscathed safe_and_sound
blocked locked frozen suspended disabled | unblocked unlocked active enabled usable as_usual
postpone* delayed put_off put_back moved_to pushed_back rescheduled later |
 as_planned on_time on_schedule as_scheduled went_ahead took_place held_as
on_time punctual* on_schedule as_scheduled to_schedule |
 late delay* behind_schedule overdue held_up
late delay* behind retard verspätet | on_time punctual* on_schedule à_l'heure pünktlich
confirm* support* in_line_with proved_right bear_out borne_out backs backed prove* |
 disprov* refut* contradict* proved_wrong at_odds_with conflict*_with rebut* undermin*
need needs needed necessary essential vital indispensable crucial depend* require* rely relies |
 unnecessary needless superfluous dispensable do_without
guilty convict* sentenced jailed imprisoned | innocent acquitted cleared exonerated walked_free let_go
left free available remain* vacant spare |
 taken booked sold_out full gone fully_booked nothing_left
object objected objection* oppos* protest* against | agreed unanimous* in_favour consent* approved
keep kept save* retain* hold_on_to | throw*_away discard* bin delete* get_rid_of remove* lost destroy*
delete* erase* wipe* remove* lose lost | keep keeps kept stay stays remain* preserve* intact untouched survive*
live lives living reside* stayed | left leave leaves moved_to moved_away emigrated relocated
curable cure* | incurable untreatable
deep | shallow
full | empty hungry
fresh | stale rotten frozen
modern new recent | old ancient outdated obsolete
rich wealthy | poor broke penniless
healthy well fit | ill sick unwell
strong sturdy robust | weak fragile feeble flimsy
smooth | rough bumpy
tight | loose
straight | bent crooked curved
fast quick rapid* swift | slow slowly sluggish
heavy | light lightweight
thick | thin
soft | hard stiff
sweet | bitter sour salty
asleep sleeping | awake
inside indoors | outside outdoors
online | offline
odd | even
even | odd
prime | composite
finite | infinite endless unlimited limitless
limited | unlimited limitless boundless
single-player | multiplayer
portable mobile | stationary fixed
renewable | finite fossil
nocturnal night | diurnal daytime by_day
carnivor* meat | herbivor* plants grass vegetarian
cold-blooded | warm-blooded
reversible undone | irreversible permanent final
transparent clear see-through | opaque
edit* modify modified writable | read-only readonly locked immutable
synchronous blocking | asynchronous non-blocking
compiled | interpreted
stateful | stateless
sequential serial | parallel concurrent
refundable refund* money_back | non-refundable nonrefundable
optional skip up_to_you voluntary | mandatory compulsory obligatory required forced
married wed | engaged single
employed job works working | unemployed jobless out_of_work retired
retired | working works active
owned own owns owner | rented rents rent leased tenant
alone single-handed* on_his_own on_her_own | accomplice* together helpers
friendly kind | hostile unfriendly rude
strict* stern* sever* tough* harsh* rigorous | lenient* lax* relaxed indulgent permissive
safe safer safest secure | dangerous* unsafe risk* hazardous perilous
positive* favourabl* favorabl* flattering complimentary admiring glowing enthusiastic* impressed |
 negative* unfavourabl* unfavorabl* critical* hostile scathing damning unflattering unimpressed
optimis* hopeful* upbeat | pessimis* hopeless* gloom* bleak* grim* downbeat despair*
cheerful* happy joyful* merry | gloom* sad sadder miserabl* depressed unhappy glum
quiet* silent* | loud* nois*
short shorter shortest brief briefly concise | long longer longest lengthy
fertile rich productive | barren infertile unproductive
clean cleaner cleanest pure | dirt* filthy pollut* contaminat*
easy easier easiest simple simpler straightforward effortless* |
 hard harder hardest difficult* complicated tricky demanding
cautious* careful* prudent* | careless* reckless* rash*
generous* lavish* | stingy mean miserly meagre meager
happy glad pleased satisfied delighted joy joyful* cheer* overjoyed thrilled | unhappy sad angry disappointed upset
interesting exciting gripping fascinating thrilling | boring dull tedious monotonous uninteresting
satisfied | dissatisfied
clear | unclear vague ambiguous
known | unknown anonymous
famous well-known | obscure unknown
vegetarian vegan | meat
male man boy he | female woman girl
solid | liquid gas*
encrypt* | plain_text unencrypted plaintext
native indigenous | introduced imported foreign
see sees sight | blind
hear hears hearing | deaf
painful pain hurt* | painless
survive* survivor* | died dead killed perished
flat | round sphere spherical globe
confirmed | denied refuted
on_time punctual* | late delay* postpone*
cancel* called_off | went_ahead takes_place took_place goes_ahead
happen* took_place takes_place held | cancel* called_off postpone*
lend lent lends | borrow* returned
remember* | forgot* forget*
awake | asleep sleeping
visible seen see | invisible hidden
damage* harm* destroyed | intact unharmed undamaged spared
mutable change* | immutable
dependent depends | independent
conductor conduct* | insulat*
开门 营业 | 关门 休息 歇业 打烊 停业
成功 | 失败
取消 | 照常 如期 按时 举行了
按时 准时 如期 | 推迟 延期 延误 迟到 取消
盈利 赚 | 亏损 亏
可以 能 允许 准许 行 | 禁止 严禁 不准 不许 不得
承认 供认 供认不讳 | 否认 抵赖
有毒 不能吃 | 能吃 可以吃 可食用 食用 无毒
免费 | 收费 付费 花钱 要钱
晚点 延误 迟到 | 准点 按时 准时
按时 准点 | 晚点 延误
需要 必须 要 得 | 不用 不必 无需 不需要 直接来
一样 相同 | 不同 不一样
同意 接受 批准 支持 赞成 | 拒绝 反对 否决
容易 简单 轻松 | 难 困难 复杂
高兴 开心 快乐 | 难过 伤心 不快
通过 | 否决 挂科 没过
活着 在世 | 去世 死 逝世
结婚 已婚 | 单身 未婚 离婚
上涨 涨 上升 | 下跌 跌 下降
喜欢 爱 | 讨厌 恨
安全 | 危险
赢 胜 | 输 败
merge* united unite* combined joined_together | separate* apart independent fell_through
paid settled | unpaid outstanding overdue owed owes still_open
separate* apart split* | mix* blend* combine* dissolve*
freeze* freezes solid ice | melt* thaw* liquid
above over on_top atop | below under underneath beneath
approve* favour* favor* in_favour in_favor nothing_against | disapprov* oppos* object* against dislik*
bland tasteless flavourless flavorless insipid no_flavour no_taste | tasty flavourful delicious spicy savoury
shy timid reserved introvert* | outgoing confident extrovert* sociable
brave courageous fearless bold heroic | coward* fearful scared afraid
lazy idle | hard-working hardworking diligent industrious
polite courteous respectful well-mannered | rude impolite disrespectful
honest truthful sincere | dishonest lying deceitful insincere
calm peaceful composed tranquil relaxed | nervous agitated anxious tense restless stormy
crowded packed busy | empty deserted
cloudy overcast grey | sunny cloudless clear
accurate precise exact | inaccurate imprecise
efficient economical | inefficient wasteful
reliable dependable trustworthy | unreliable undependable
flexible adaptable pliable | rigid stiff inflexible
sharp | blunt
rough uneven coarse | smooth even
humid damp moist muggy wet | dry arid
bright well-lit light | dark dim gloomy unlit
spacious roomy | cramped tiny
ripe | unripe
stable steady | unstable shaky wobbly volatile
simple plain | complex complicated elaborate intricate
popular well-liked | unpopular disliked
profitable lucrative | unprofitable loss-making
temporary short-term provisional | permanent long-term lasting
improv* better got_better progress* | worsen* worse deteriorat*
strengthen* stronger | weaken* weaker
speed*_up sped_up sped_it_up accelerat* faster quicker less_time | slow* slower decelerat*
warmer hotter heat* warm* | cooler colder cool* chill*
darken* darker | lighten* lighter brighten* brighter paler
harden* harder solidif* stiffen* | soften* softer
evaporat* vaporis* vaporiz* steam | condens*
float* | sink* sank sunk
attract* | repel*
smaller shrink* shrank contract* constrict* narrow* | larger bigger expand* widen* dilat* swell* enlarg*
widen* wider broaden* broader | narrow*
lengthen* longer | shorten* shorter
thicken* thicker | thinner
loosen* looser | tighten* tighter
earlier sooner ahead_of_time | later delayed
agree* consent* | disagree* refus*
prais* compliment* applaud* | criticis* criticiz* condemn* blam*
help* assist* benefit* | hinder* hamper* harm* obstruct*
protect* defend* guard* shield* | attack* endanger*
tired exhausted weary sleepy | rested energetic
drunk intoxicated | sober
wide broad | narrow
thin slim skinny lean | fat overweight stout
beautiful pretty attractive lovely | ugly hideous unattractive
clever smart intelligent | stupid foolish dumb
kind caring | cruel unkind heartless
patient | impatient
proud | ashamed
scared frightened afraid terrified | unafraid fearless
angry furious annoyed irritated | pleased calm
sad unhappy miserable heartbroken | happy glad cheerful joyful
grateful thankful | ungrateful
fair just impartial | unfair unjust biased
formal | informal casual
ordinary normal usual | unusual strange odd extraordinary
similar alike comparable | different unlike dissimilar
complete whole | incomplete partial
sufficient enough adequate | insufficient inadequate not_enough too_little
rural countryside | urban
wild | tame domesticated
natural | artificial synthetic man-made
major significant important | minor insignificant unimportant
easily readily | with_difficulty
down downward* downhill descend* | up upward* uphill ascend* climb*
north northward* | south southward*
east eastward* | west westward*
inward* | outward*
advanc* moved_forward pushed_ahead pressed_on | retreat* withdrew pulled_back fell_back
fired sacked dismiss* laid_off laid_them_off let_go lost_their_jobs | hired recruited employed
"""

# Forms of verbs that do not begin as the verb does, but for those of lexicon.IRREGULAR_PAST.
IRREGULAR_FORMS = dict(
    pair.split()
    for pair in (
        "coming come, buses bus, gases gas, going go, goes go, doing do, using use, dying die, "
        "died die, dies die, lying lie, flies fly, tries try, "
        "rose rise, risen rise, fell fall, fallen fall, came come, went go, gone go, began begin, begun begin, spoke "
        "speak, spoken speak, drank drink, drunk drink, swam swim, flew fly, flown fly, flight fly, grew grow, grown "
        "grow, lay lie, lost lose, shook shake, stole steal, stolen steal, wore wear, worn wear, hid hide, rode ride, "
        "ridden ride, saw see, seen see, said say, sat sit, stood stand, slept sleep, spent spend, understood "
        "understand, woke wake, bit bite, bitten bite, blew blow, broke break, broken break, dealt deal, did do, "
        "done do, drew draw, drawn draw, dug dig, fed feed, felt feel, fled flee, forgot forget, froze freeze, frozen "
        "freeze, hung hang, heard hear, laid lay, lit light, meant mean, rang ring, sought seek, shone shine, slid "
        "slide, sprang spring, stuck stick, stung sting, swept sweep, swore swear, sworn swear, thought think, bore "
        "bear, born bear, bound bind, bred breed, dreamt dream, learnt learn, burnt burn, spelt spell, met meet, shown "
        "show, beaten beat, got get, had have, has have, lain lie, sank sink, sunk sink, shrank shrink, melted melt, "
        "was be, were be, is be, are be, proven prove, sown sow, sewn sew, torn tear, tore tear, trod tread, lives "
        "live, wives wife, children child, people person, mice mouse, feet foot, teeth tooth, geese goose, found find, birth bear, birthplace bear, sat sit"
    ).split(", ")
)


# What a thing begins with, and what it never begins with.
DETERMINERS = frozenset(
    "a an another one two three four the his her its their my our your this that der die das ein "
    "eine einen el la los las un una le les une".split()
)
PREPOSITIONS = frozenset("in on at of for from to with by into over under".split())
