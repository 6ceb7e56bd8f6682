"""The lists of words that tell a denial, a guess, a refusal, a title or a short name: all but SAME for lower case."""

import re

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
    "preposter|ludicr|ridicul|laughab|unthinkab|inconceiv|unverif|unconfirm|farce|canard|humbug|unhistor|"
    "counterfact|withdr[ae]w|revoke|annul|contest|protest|skeptic|sceptic|trap|decoy|exception|excepted|exempt|unproven|"
    "unfortunately|inappropriate|irrelevant|fictit|fiction|imagin|pretend|replac|supersed|negat|inconsist|incompatib|"
    "unsupport|apocryph|misnomer|misjudg|misreport|mislabel|misguid|bunk|hogwash|rubbish|garbage|typo|slip|delusion|"
    "illusion|deceiv|fool|impost|pretender|repudiat|scrap|delet|untenab|unreliab|outdated|obsolete|exagger|overstat|"
    "overrat|overblown|unsubstant|overturn|retract|disagree|disbelie|错|误|假|谬|谣|讹"
)
# The same in several words.
UNTRUE_PHRASES = re.compile(
    r"\b(?:(?:far|further) from (?:true|certain|correct|the truth|the case)|anything but (?:true|certain|correct)|"
    r"out of the question|(?:zero|little|scant) (?:evidence|proof|reason)|(?:a|an|outright|complete|total|plain) lie|"
    r"ill-informed|(?:pure|mere|complete) (?:invention|fantasy|speculation))\b",
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
)
# The same in more words, as systems that lack data say it.
WITHOUT_DATA = re.compile(
    r"as of my (?:last|latest|most recent)|my (?:last|latest|knowledge|training)[\w ]{0,20}(?:update|cut-?off|data)|"
    r"real-?time (?:access|data|information)|language model|insufficient|(?:i am|i'm|we are) (?:sorry|unable|not)\b|"
    r"(?:do|does|did|ca|could)(?:n't| not|nnot)? ?(?:n't |not )(?:currently |directly |explicitly |actually "
    r")?(?:have|has|contain|"
    r"include|provide|specify|mention|disclose|access|find|locate|determine|calculate|answer|identify|verify|confirm)\b|"
    r"(?:is|are|was|were)(?: not|n't) (?:explicitly |directly |specifically )?(?:provided|available|included|mentioned|"
    r"specified|disclosed|given|stated|found|enough|sufficient)\b|"
    r"(?:would|you) (?:need|have) to (?:refer|check|consult|look|review|access|obtain)|please (?:refer|check|consult|"
    r"provide)|"
    r"no (?:information|mention|data|details|evidence|relevant)\b|without (?:access|additional|more|further)\b|"
    r"没有(?:提供|足够|提到)|作为一个|语言模型|请提供|weiß (?:ich )?nicht|keine (?:ahnung|angabe)",
)
# Where these stand, the negation in them denies nothing.
NO_DENIAL = re.compile(
    r"\bnot only\b|\b(?:no|without a) doubt\b|\bno\. ?\d|\bnot to mention\b|\bnot until\b|\bno less\b|"
    r"\bno fewer\b|\bnon-?profit\b|\b(?:beyond|without)(?: any| all)? (?:disput\w*|doubt|question)\b|"
    r"非[常洲凡]|不[仅但过久断少管论错妨惜禁锈]|不同(?!意)|无[论数线穷限]|未[来婚]|没[收]|除非|南非|毫无疑问|无疑|没错|不用怀疑|差不多|是不是|"
    r"能不能|有没有|对不起|是否|能否|了不起|不得不|莫[斯扎]",
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
NEGATIVE_PREFIX = re.compile("^(?:un|in|im|ir|il|dis|non|mis)(?=[a-z]{4})")
