"""Decide by phrases that dismiss a short fact: "Rome? No way", "Rome has nothing to do with it".

In the answer a mark, FACT, replaces the words of the reference. Each pattern is a way to dismiss
what the mark stands for.
"""

import re
from collections.abc import Sequence, Set
from functools import lru_cache

from .denials import denies_verb, find_main_clause, is_correcting, list_denials, list_denied_words
from .equality import can_replace, is_among
from .lexicon import BE, PRONOUNS, SETTLED_ON, STOP_WORDS, SUPERLATIVE, TITLES
from .outcomes import UNLIKELY, UPHELD, Decision
from .quantities import Quantity
from .text import RECENT_TEXTS, Text, is_sentence

# A question that asks about today: is, does, "who runs", "which animal pulls".
ASKS_FOR_TODAY = re.compile(
    r"\b(?:is|are|do|does|ist|sind|est|sont|es)\b"
    r"|^\W*(?:who|what|which(?: \w+){1,2}) (?!was\b|has\b)\w+(?<!s)s\b"
)
# Small words of German and French.
FOREIGN_WORDS = frozenset(
    "der die das wer ist hat qui est le la quel quelle wo wann où quand".split()
)
LONGEST_FACT = 6  # words of a reference
LONGEST_DISMISSAL = 40  # words of an answer
DENIAL_WINDOW = 20  # characters before a phrase in which a denial applies to it
FACT = "\x00"  # stands for the words of the reference
# Replies that dismiss a question: "Rome? Certainly not." A mark or the end of the text follows.
REPLY = (
    r"(?:no way|hardly|far from it|as if|my foot|not so|not at all|not really|never|nope|no|wrong|"
    r"don't be (?:silly|ridiculous|daft|absurd)|"
    r"by no means|not a chance|no chance|forget it|think again|yeah,? right|i doubt it|"
    r"i don't think so|unlikely|not quite|(?:certainly|definitely|absolutely|surely|of course) not|"
    r"(?:that|this|it) (?:can't|cannot|can not) be (?:right|true|correct)|"
    r"(?:(?:that|this|it)(?:'s| is) )?(?:just |simply |plain |utter |complete )?(?:a )?"
    r"(?:nonsense|rubbish|false|untrue|wrong|myth|lie|legend|mistake))(?=\W*(?:$|[.!?;:,–—]))"
)
# "Rome? Oh, no way."
DISMISSED_QUESTION = re.compile(rf"{FACT}\)?\?[\s\"']*(?:oh|well|ha)?,? ?{REPLY}")
# "Rome, my foot!"
DISMISSED_AFTER_COMMA = re.compile(rf"{FACT}, (?:my foot|as if|yeah,? right)\b")
# "Rome played no part in it"
HAS_NO_PART = re.compile(
    rf"{FACT} (?:had|has|have|played|plays|won|wins|did|does|do) (?:\w+ly )?"
    r"(?:nothing(?! but| other| except)|no (?:part|hand|role|share|say|place))\b"
)
# "Rome has been ruled out", "Rome is wrongly named"
IS_SET_ASIDE = re.compile(
    rf"{FACT} (?:has|have|had|was|were|is|are|can|could|must) (?:\w+ ){{0,2}}?"
    r"(?:ruled out|excluded|wrongly|falsely|mistakenly|incorrectly|erroneously)\b"
)
# Any words between the beginning of a phrase and the fact, within a clause.
IN_CLAUSE = r"[^.;:!?\x00]{0,60}?"
SAYING = (
    r"(?:say|says|said|call|calls|called|claim|claims|think|thinks|thought|believe|believes|name|names|"
    r"suggest|suggests|assume|assumes|answer|pick|choose)\b"
)
# "It would be wrong to say that it is Rome"
WRONG_TO_SAY = re.compile(
    rf"(?:wrong|false|mistaken|incorrect|absurd|ridiculous|mistake|error) (?:to|if you) {SAYING}"
    rf"{IN_CLAUSE}{FACT}"
)
# The end of a clause that calls a fact wrong.
WRONG = r"(?:wrong|incorrect|false|untrue|mistaken|a mistake)(?=\W*(?:$|[.!;:,]))"
# "Rome is wrong."
IS_WRONG = re.compile(rf"{FACT} (?:is|was|would be) (?:\w+ly )?{WRONG}")
# "Rome is not wrong."
IS_NOT_WRONG = re.compile(
    rf"{FACT} (?:(?:is|was|would be|would) not|isn't|wasn't|wouldn't)(?: be)? {WRONG}"
)
# "Nobody would seriously suggest Rome"
NOBODY_SAYS = re.compile(
    rf"\b(?:nobody|no one) (?:would |could |should |will |has |ever |seriously ){{0,3}}{SAYING}"
    rf"{IN_CLAUSE}{FACT}"
)
# "I refuse to believe it is Rome"
NOT_BELIEVED = re.compile(
    rf"\b(?:refuse[sd]?|hard|impossible|absurd) to (?:believe|think|accept)\b{IN_CLAUSE}{FACT}"
)
# "I doubt that it is Rome"
DOUBTED = re.compile(
    r"\b(?:i|we|he|she|they|experts|historians|scholars)"
    rf" (?:(?:really|seriously|very much) )?doubt(?:s|ed)? (?!it,|it at)[^.,;:!?\x00]{{0,24}}{FACT}"
)
# "Many think it is Rome, which is a mistake", "The sign says Rome, but the sign is wrong"
IS_CALLED_WRONG = (
    r"(?: is|'s| are|'re| was| were)"
    rf" (?:\w+ )?(?:{WRONG}|not (?:true|so|right|correct|the case)\b|no longer (?:true|right)\b)"
)
IS_BELIEVED = re.compile(
    rf"{FACT}[^.;:!?\x00\d]{{0,24}}[,;] (?:but |and |though |although |yet )?"
    rf"(?:which|that|this|it|they|he|she){IS_CALLED_WRONG}"
)
SOURCE_IS_WRONG = re.compile(
    rf"\b(?P<who>\w+) (?:(?:still|often|will|would|wrongly) )?"
    rf"(?:{SAYING}|states?|shows?|gives?|reads?|lists?){IN_CLAUSE}{FACT}[^.;:!?\x00\d]{{0,24}}[,;]"
    rf" (?:but |and |though |although |yet )?(?:the )?(?P=who){IS_CALLED_WRONG}"
)
# "It is often given as Rome, incorrectly"
SAID_WRONGLY = re.compile(
    rf"{FACT},? (?:but )?(?:wrongly|incorrectly|mistakenly|falsely|erroneously|in error)\W*$"
)
# "Hardly Rome."
HARDLY = re.compile(rf"^\W*(?:hardly|scarcely) (?:in |at |on )?(?:the |an? )?{FACT}")
# "It can't possibly be Rome"
CANNOT_BE = re.compile(
    rf"\b(?:can't|cannot|can not|couldn't|could not) (?:possibly )?(?:be|have been) (?:the )?{FACT}"
)
# "As if it were Rome", "Who says it is Rome?"
AS_IF = re.compile(rf"(?:^|[.!?] )(?:as if|who says|who said)\b{IN_CLAUSE}{FACT}")
# A fact that is said and then taken back: "said to be Rome, but it wasn't", "Rome, but no longer"
HOLDS_NO_MORE = re.compile(
    rf"{FACT}[^.;:!?\x00]{{0,30}}, but (?:(?:it|he|she|they|that|this) )?"
    r"(?:\w+n't|(?:is|was|does|did|has) not|no longer|not|never)"
    r"(?: any ?more| true| so| right| the case)?"
    r"(?=\W*$|[.;!] )"
)
# "That Rome was first is a myth"
IS_A_MYTH = re.compile(
    rf"\bthat {FACT}[^.;:!?\x00]{{0,60}} (?:is|was) (?:\w+ ){{0,3}}?"
    r"(?:legend|myth|lie|rumou?r|mistake|error|misconception|fallacy|false|wrong|untrue|nonsense)\b"
)
# "everyone but Ann"
EVERYONE_BUT = re.compile(
    rf"(?:\bevery(?:one|body|thing|where)|^\W*any(?:one|body|thing|where| \w+)|^\W*every \w+) "
    rf"(?:but|except|except for) (?:in |at |on )?(?:the )?{FACT}"
)
# "Plants take in hardly any oxygen"
HARDLY_ANY = re.compile(
    rf"\b(?:hardly any|scarcely any|barely any|next to no|almost no)(?: of)?(?: the)? {FACT}"
    rf"|{FACT} \w+ (?:up |in |of )?(?:hardly any|scarcely any|barely any|next to no|almost none)\b"
)
# "People stopped thinking it was Rome"
STOPPED_BELIEVING = re.compile(
    rf"\b(?:stopped|ceased|quit|gave up) (?:thinking|believing|saying|claiming){IN_CLAUSE}{FACT}"
)
# "She missed out on the medal"
NOT_GOT = re.compile(
    r"\b(?:(?:miss(?:es|ed)|los(?:t|es)) out on|narrowly miss(?:es|ed)|f(?:ell|alls) short of"
    r"|fail(?:s|ed) to \w+|c(?:ame|omes) close to \w+ing)"
    rf" (?:(?:the|an?|h(?:is|er)) )?{FACT}"
)
# "Kolding failed to win"
FAILED = re.compile(
    rf"{FACT} (?:failed|(?:was|were) unable|(?:did not|didn't) manage|narrowly failed) to\b"
)
ASKS_FOR_LOSS = re.compile(r"\b(?:miss\w*|los[et]\w*|fail\w*|fell|falls?|close|almost|nearly)\b")
# A person did nothing: "Smith was innocent".
IS_INNOCENT = re.compile(
    rf"{FACT} (?:was|is|were|had|has|has been|had been) (?:\w+ly )?"
    r"(?:innocent|cleared|acquitted|exonerated|an alibi|elsewhere)\b"
)
# "The dollar has been abolished", if the question asks about today
IS_ABOLISHED = re.compile(
    rf"{FACT} (?:was|were|has been|have been|had been) (?:\w+ )?"
    r"(?:abolished|scrapped|discontinued|withdrawn|superseded|dissolved|done away with)\b"
)
# Verbs that reject their object: "It refuses seeds", "She advises against seeds".
REJECTING = (
    r"(?:(?:avoid|refus|reject|dislik|declin|detest|loath|shun|discourag|oppos|dismiss|exclud|boycott"
    r"|forbid|prohibit|hat(?=e|ing))(?:e|es|s|ed|d|ing)?"
    r"|ban(?:s|ned|ning)?|(?:warn|advis|decid|vot|argu)(?:e|es|s|ed|ing)? against"
    r"|(?:turn|turns|turned|stay|stays|stayed|keep|keeps|kept|steer|steers) (?:clear of|away from)"
    r"|rul(?:e|es|ed|ing) out|turn(?:s|ed|ing)? down|abstain(?:s|ed)? from)\b"
)
REJECTED = (
    r"(?:avoided|refused|rejected|declined|shunned|discouraged|opposed|dismissed|excluded|boycotted"
    r"|forbidden|prohibited|banned|ruled out|turned down|advised against|warned against)\b"
)
REJECTS_FACT = re.compile(
    rf"\b(?:{REJECTING}) (?:(?:the|an?|any|all|using|eating|drinking|taking|buying) ){{0,2}}?{FACT}"
)
# "Seeds are what it refuses", "Seeds must be avoided"
IS_REJECTED = re.compile(
    rf"{FACT} (?:is|are|was|were|has been|have been|must be|should be|can be)"
    rf"(?: (?:exactly|just|precisely|\w+ly))? (?:{REJECTED}"
    rf"|(?:what|something|the (?:one|only|very) thing)(?: that)? (?:\w+ ){{1,4}}?(?:{REJECTING})"
    r"\W*$)"
)
# "A monkey in place of the parrot"
INSTEAD_OF_FACT = re.compile(
    r"\b(?:in place of|in lieu of|instead of|rather than|as opposed to|in preference to)"
    rf" (?:(?:in|at|on|for|to|by|with|from|of) )?(?:an? )?{FACT}"
)
# "Canberra is far from being the capital"
IS_FAR_FROM = re.compile(
    rf"{FACT} (?:is|are|was|were) (?:\w+ )?(?:(?:far from|nowhere near) being|anything but)\b"
)
# "It was anything but cold"
ANYTHING_BUT = re.compile(rf"\banything but (?:in |at |on )?{FACT}")
# "It was originally Rome, but now it is Oslo", if the question asks about today
ORIGINALLY = re.compile(
    rf"\boriginally\b{IN_CLAUSE}{FACT}[^.:!?\x00]{{0,40}}"
    r"\b(?:now|today|nowadays|these days|currently)\b"
)
AT = r"(?:(?:in|at|on|by|about) )?"
# What was so once, or will be so, if the question asks about today.
AT_OTHER_TIMES = (
    # "It used to be Rome"
    re.compile(rf"\bused to (?:\w+ ){{1,3}}{AT}{FACT}"),
    # "Formerly Rome", but no "formerly unknown Rome"
    re.compile(rf"(?<!\ba )(?<!\ban )(?<!\bthe )\b(?:formerly|previously) {AT}{FACT}"),
    # "Once Rome, now Oslo"
    re.compile(rf"\bonce {AT}{FACT},? (?:but )?now\b"),
    # "It was Rome until last year"
    re.compile(
        rf"\b(?:was|were|had|cost|took|\w+ed) (?:(?:only|just|an?|the) )?{AT}{FACT}(?: \w+)?"
        r" (?:until|till|before|in the past|back then|last (?:year|month|week|season))\b"
    ),
    # "It was Rome, but they changed it"
    re.compile(
        rf"\b(?:was|were|had) (?:(?:an?|the) )?{AT}{FACT}, but (?:they|it|he|she|we)"
        r" (?:(?:was|has|have|had|has been) )?(?:changed|replaced)\b"
    ),
    # "Last year it was Rome"
    re.compile(
        r"\b(?:last (?:year|month|week|season)|in the past|back then|before (?:that|this)),?"
        rf" (?:it|they|he|she|that) \w+ {AT}{FACT}"
    ),
    # "It will be Rome from next year"
    re.compile(
        rf"\b(?:will|is going to|is to) (?:\w+ )?{AT}{FACT}"
        r" (?:from|as of|starting|after|once|when|next)\b"
    ),
    # "Rome until the war, Oslo since then"
    re.compile(
        rf"{FACT} (?:until|in the past|before)\b[^.:!?\x00]{{0,30}}[;,] [^.;:!?\x00]{{0,30}}?"
        r"\b(?:now|since then|today|nowadays)\b"
    ),
)
# "It would be Rome if the plan had worked", but no "it would be Rome, if I remember correctly"
WOULD_BE_IF = re.compile(
    rf"\b(?:would|could|might)(?:'ve| have)? [^.;:!?\x00]{{0,40}}{FACT}[^.,;:!?\x00]{{0,20}} (?:if"
    r" (?!(?:i|we|my|memory|the records)\b)|had (?:it|they|he|she|the)\b|without|under the old)"
)
# "It would have been Rome"
WOULD_HAVE_BEEN = re.compile(
    r"\b(?:would|could|might|should)(?:'ve| have) (?:been|cost|taken|lasted|had)"
    rf" (?:the )?{AT}{FACT}"
)
ASKS_FOR_CONDITION = re.compile(r"\b(?:would|could|might|if)\b")
# "directed by Lucas, a close friend of Spielberg"
RELATED = (
    "friend|pupil|student|teacher|rival|brother|sister|son|daughter|father|mother|wife|husband"
    "|colleague|mentor|disciple|successor|predecessor|contemporary|cousin|nephew|niece|uncle|aunt"
    "|assistant|deputy|secretary|boss|neighbou?r|widow|partner|lawyer|grand(?:son|daughter|father"
    "|mother)"
)
IS_RELATIVE_OF_FACT = re.compile(
    r"\b(?:by|was|is|be) (?!(?:an?|the|queen|king) )[^.,;\x00]{2,40}, (?:who (?:was|is) )?"
    rf"(?:an?|the) (?:\w{{1,20}} )?(?:{RELATED}) (?:and \w{{1,20}} )?of {FACT}"
)
# "Lincoln's son Robert", "Robert, the son of Lincoln"
FACTS_RELATIVE = re.compile(
    rf"{FACT}(?:'s|’s) (?:\w{{1,20}} )?(?:{RELATED})\b|\b(?:{RELATED}) of {FACT}"
)
# "assistant to the head of sales"
IS_AIDE_OF_FACT = re.compile(
    r"\b(?:assistant|deputy|secretary|advis[eo]r|aide|successor|predecessor|substitute) to"
    rf" (?:the )?(?:\w+ (?:of )?)?{FACT}"
)
ASKS_FOR_RELATIVE = re.compile(rf"\b(?:whose|(?:{RELATED})s?)\b")
# "The cheetah comes only second"
IS_SECOND = re.compile(
    rf"{FACT} (?:comes?|came|is|was|ranks|ranked|finished) (?:in )?(?:only |just |a close )?"
    r"(?:second|third|fourth|runner-up)\b(?! (?:largest|to none|\w+est\b))"
    rf"|{FACT} (?:\w+ )?(?:in )?(?:the |a )?(?:second|third|fourth) (?:place|position|rank|spot)\b"
    rf"|\bwith {FACT} (?:in |as )?(?:the )?(?:second|third|runner-up)\b"
)
# "York, just ahead of Leeds", "York overtook Leeds"
IS_BEHIND = re.compile(
    r"^(?!\W*(?:no|nobody|none|nothing|never|not)\b)[^\x00]*"
    rf"\b(?:ahead of|in front of|better than|followed by|overtook|outdid|outsold|surpassed|exceeded"
    rf"|edged out|came before) (?:the )?{FACT}(?=\W*$)"
    rf"|^\W*[^.,;:\x00]{{1,30}}, (?:just |right |narrowly )?before {FACT}"
)
# "Leeds was overtaken by York"
IS_OVERTAKEN = re.compile(
    rf"{FACT} (?:is|was) (?:\w+ )?(?:overtaken|outdone|surpassed|topped|edged out|beaten) by\b"
)
# "because Conti turned it down"
DECLINED = re.compile(
    rf"{FACT} (?:has |had )?"
    r"(?:turned (?:it|them|the \w+) down|declined|withdrew|backed out|said no)\b"
)
# "One would expect spelt, but she uses wheat", "Normally it would be Rome, but"
WOULD_BE = re.compile(
    r"\b(?:(?:one|you|people|many|everyone) (?:would|might|may|had|have)? ?"
    rf"(?:expect|think|guess|assume)(?:ed|d)?|normally|usually|ordinarily|in theory)\b{IN_CLAUSE}"
    rf"{FACT}[^.;:!?\x00]{{0,12}}[,;] but\b"
    rf"|\b(?:where|when|though) (?:one|you|people|many)(?:'d| would| might) (?:have )?"
    rf"(?:expect|think|guess|imagine|assume)(?:ed|d)? (?:an? |the )?{FACT}"
)
# "They would have loved a balloon ride, but", "They first tried the skylight, but"
ONLY_WISHED = re.compile(
    rf"\b(?:(?:would|'d) (?:have )?(?:love|like|prefer|want)(?:d|ed|red)?|should|ought to|tried"
    r"|attempted|hoped|planned|intended|meant|wanted|supposed|scheduled|expected|due|promised)\b"
    rf"{IN_CLAUSE}{FACT}[^.;:!?\x00]{{0,12}}[,;] (?:but|yet)\b"
)
ASKS_FOR_WISH = re.compile(
    r"\b(?:love|like|prefer|want|try|tries|tried|attempt|hope|plan|intend|mean|meant|first)\w*"
)
# "An A, up from last year's B"
UP_FROM = re.compile(
    r"[,;(] ?(?:up|down|improved|raised|lowered) from"
    rf" (?:(?:the|an?) )?(?:\w+(?:'s)? ){{0,2}}?{FACT}"
)
# "I know what it's not: Rome"
NOT_COLON = re.compile(rf"\bnot: (?:the |an? )?{FACT}")
# "Coconut oil, not olive oil."
NOT_AT_END = re.compile(rf",? (?:and |but )?not (?:an? )?{FACT}(?: ones?)?\W*$")
# "It was moved from Lisbon to Porto"
MOVED = r"(?:moved|changed|switched|shifted|transferred|relocated|renamed|postponed)"
MOVED_AWAY = re.compile(
    rf"\b{MOVED}\b[^.;:!?\x00]{{0,20}} from (?:the )?{FACT} to\b"
    rf"|{FACT}[^.;:!?\x00]{{0,20}}\bbut (?:they|it|we|he|she) (?:have |has |was |were |been )*"
    rf"{MOVED} (?:it )?to\b(?! (?:the|an?|room|\d))"
)
ASKS_FOR_EARLIER = re.compile(
    r"\b(?:from|before|original\w*|(?<!how )old|former\w*|first|previous\w*|did|was|were|had"
    r"|born)\b|\d{4}"
)
# "He left Leeds for Hull", if the question asks for where he is now
LEFT = re.compile(rf"\bleft (?:the )?{FACT} (?:for|to join)\b")
CAME_BACK = re.compile(r"\b(?:back|return\w*)\b")
ASKS_FOR_PRESENT = re.compile(r"\b(?:now|nowadays|today|current\w*|at present)\b")
# What was chosen in the end: "After blue they ended up with green"
CHOSEN = re.compile(rf"\b(?:{SETTLED_ON}|decided on|went with) (?:an? )?{FACT}")
# "the day after Saturday", "the house next to the bank"
NEXT_TO_FACT = re.compile(
    r"\bthe (?:day|week|month|year|evening|night|morning|house|street|stop|station|floor|one)"
    r" (?:right |just |immediately )?(?:after|before|behind|next to|past|opposite|following)"
    rf" (?:the )?{FACT}"
)
# "Without chickpeas it would not be hummus" affirms the chickpeas.
WITHOUT_IT_NOT = re.compile(
    rf"\bwithout (?:any )?{FACT},? (?:\w+ ){{0,6}}?"
    r"(?:not|no|never|nothing|impossible|\w+n't|cannot)\b"
)
PATTERNS = (
    HARDLY_ANY,
    IS_FAR_FROM,
    ANYTHING_BUT,
    IS_RELATIVE_OF_FACT,
    IS_AIDE_OF_FACT,
    WOULD_BE,
    NOT_AT_END,
    NOT_COLON,
    NEXT_TO_FACT,
    STOPPED_BELIEVING,
    IS_INNOCENT,
    EVERYONE_BUT,
    HOLDS_NO_MORE,
    IS_A_MYTH,
    DISMISSED_QUESTION,
    DISMISSED_AFTER_COMMA,
    HAS_NO_PART,
    IS_SET_ASIDE,
    WRONG_TO_SAY,
    IS_WRONG,
    NOBODY_SAYS,
    NOT_BELIEVED,
    CANNOT_BE,
    AS_IF,
    DOUBTED,
    IS_BELIEVED,
    SOURCE_IS_WRONG,
    SAID_WRONGLY,
    HARDLY,
)
# Denials in German, French and Spanish. A comma ends the words that a denial applies to.
FOREIGN_PATTERNS = (
    re.compile(
        rf"{FACT} (?:[^\W\d]+ ){{0,4}}?(?:nicht|nie|niemals|nichts)\b(?! (?:nur|allein|bloß))"
    ),
    re.compile(rf"\b(?:nicht|kein|keine|keinen) (?:(?:in|aus|der|die|das|den|dem) ){{0,2}}{FACT}"),
    re.compile(rf"\bn(?:'|’|e )[^.,;]{{1,25}} (?:pas|jamais) (?:\w+ ){{0,2}}{FACT}"),
    re.compile(rf"^\W*(?:surtout )?pas {FACT}"),
    re.compile(rf"{FACT} n(?:'|’|e )[^.,;]{{1,25}} (?:pas|jamais)\b"),
    re.compile(rf"\bno (?:fue|es|era|son|fueron|está) (?:\w+ ){{0,2}}{FACT}"),
)
# Parts of words and phrases that reject their object. Each match of REJECTING has one.
REJECTING_PARTS = (
    *"avoid refus reject dislik declin detest loath shun discourag oppos dismiss exclud".split(),
    *"boycott forbid prohibit hate hating ban against abstain".split(),
    *("clear of", "away from", " out", " down"),
)
# Each phrase that dismisses the fact behind it has one of these parts. Most answers have none, and
# are searched only for phrases that begin with the fact.
PARTS_BEFORE_FACT = (
    *("hardly", "scarcely", "barely", "next to", "almost no", f"of {FACT}", ", but", "; but"),
    *("not ", "not: ", " after ", " before ", " behind ", " past ", " opposite ", " following "),
    *("where ", "when ", "though ", "would", "'d ", "tried", "attempted", "hoped", "planned"),
    *("intended", "meant", "wanted", "up from", "down from", "improved from", "raised from"),
    *("lowered from", "out on", "narrowly miss", "short of", "fail", "close to"),
    *("stopped", "ceased", "quit", "gave up", "but ", "except", "wrong", "false", "mistake"),
    *("incorrect", "absurd", "ridiculous", "error", "nobody", "no one", "hard to", "impossible"),
    *("n't", "cannot", "never", f"that {FACT}", "as if", "who says", "who said"),
    *("nicht", "kein", "pas ", "jamais", "no ", "used to", "formerly", "previously", "originally"),
    *("until", "till", "last ", "in the past", "back then", "once ", "next "),
    *("as of", "starting", "changed", "replaced", "ought", "supposed", "scheduled", "expected"),
    *("could", "might", "should", "doubt", "untrue", "promised", "due "),
    *("assistant to", "deputy to", "secretary to", "adviser to", "advisor to", "aide to"),
    *("successor to", "predecessor to", "substitute to"),
    *("ahead of", "in front of", "better than", "followed by", "overtook", "outdid", "outsold"),
    *("surpassed", "exceeded", "edged out"),
    *("place of", "lieu of", "instead of", "rather than", "preference to"),
    *REJECTING_PARTS,
)
SPANISH_DENIAL = re.compile(rf"{FACT} (?:no|nunca|jamás|tampoco) \w+")
# The fact is right, and something else is denied after a comma: "Ana, no Luisa".
SETS_OTHER_ASIDE = re.compile(
    rf"^\W*{FACT}, (?:no|nicht|pas|y no|und nicht|et pas|et non) [^.,;]+\W*$"
)
# A denial before the phrase: "not wrong to say Rome".
DENIED_BEFORE = re.compile(r"(?:\bnot|n't|\b(?:never|no|hardly|scarcely|barely)) (?:\w+ ){0,3}$")
# An exception within the phrase: "nobody would name anyone but Rome".
EXCEPTION = re.compile(
    r"\b(?:but|except|other than|else than|anyone|not|never|hardly)\b|n't\b|\bdeny"
)
# Beginnings of phrases that dismiss. Their "not" and "but" make no exception.
BEGINNING = re.compile(
    r"^\W*(?:can't|cannot|can not|couldn't|could not|hardly any|scarcely any|barely any"
    r"|hardly|scarcely|(?:every|any|all)\w*(?: \w+)? (?:but|except))\b"
)

# A question for what is wanted: what it rejects is no answer.
WANTS = re.compile(
    r"\b(?:eats?|drinks?|uses?|used|takes?|choose|chose|chooses|likes?|prefers?|recommend\w*|advis\w*"
    r"|suggest\w*|buys?|wears?|clean|plays?|diagnos\w*|feeds?|serves?|needs?|wants?|best|favou?rite"
    r"|order(?:s|ed)?|picks?|picked|selects?|hires?|supports?|accept\w*|approv\w*)\b"
)
# A question for what something else replaces.
ASKS_FOR_OTHER = re.compile(r"\b(?:replac\w*|substitut\w*|alternatives?|instead|in place)\b")
# A question for the second one, or for whom withdrew.
ASKS_FOR_SECOND = re.compile(
    r"\b(?:second|third|2nd|3rd|runner-?up|silver|bronze|lost|los(?:e|es|er)|declin\w*|refus\w*"
    r"|reject\w*|turned|withdr[ae]w\w*|backed|said)\b"
)
# A question for the first of several: the highest sales, the most employees.
ASKS_FOR_TOP = re.compile(
    r"^(?!.*\b(?:second|third|2nd|3rd|or|than|before|after)\b)"
    rf".*\b(?:{SUPERLATIVE}|(?:the|has|have|had|did) most\b|first\b)"
)
# A question for something bad: what to avoid is an answer.
ASKS_FOR_BAD = re.compile(
    rf"\b(?:bad|dangerous|harm\w*|poison\w*|toxic|allerg\w*|risk\w*|careful|worst|wrong|enem(?:y|ies)"
    rf"|threat\w*|fear\w*|afraid|{REJECTING})\b"
)
# Something else is rejected: "It refuses fruit", "Never use paper", "not the magpie".
SUBJECT = r"(?:\b(?:it|he|she|they|you|we|one|which|that|who|and|but|so)\b,? ?){0,2}"
REJECTS_OTHER = re.compile(
    r"(?:,? ?\b(?:rather than|instead of|in place of|as opposed to|and not)"
    r"|(?:,? ?\b(?:whereas|while|although|though)|[;.])"
    r" (?!(?:it|he|she|they|this|that|there|we|you|i|but|no|not|so|and)\b)"
    rf"|{SUBJECT}\b(?:should |must |to |will )?(?:{REJECTING}"
    r"|(?:won't|will not|wouldn't|doesn't|don't|do not|does not|didn't|did not|never|can't stand)"
    r" (?:touch|use|eat|drink|take|want|like|need|buy|choose|pick|(?:confuse|mistake) (?:it|them)"
    r" (?:with|for))))"
    rf" ?(?P<other>[^.;,:!?\x00]{{2,40}}?)(?= ?(?:[.;,!?]|$|\b(?:and|but|with|by|or) ))"
)
CONCESSION = re.compile(r",? ?\b(?:whereas|while|although|though)\b|[;.] ")

# What a question asks for, and the patterns that suit it.
SuitablePatterns = tuple[tuple[re.Pattern[str], tuple[re.Pattern[str], ...]], ...]
PATTERNS_IF_ASKED: SuitablePatterns = (
    (WANTS, (REJECTS_FACT, IS_REJECTED)),
    (ASKS_FOR_TOP, (IS_BEHIND, IS_OVERTAKEN)),
    (ASKS_FOR_TODAY, (IS_ABOLISHED, ORIGINALLY)),
)
PATTERNS_UNLESS_ASKED: SuitablePatterns = (
    (ASKS_FOR_OTHER, (INSTEAD_OF_FACT,)),
    (ASKS_FOR_WISH, (ONLY_WISHED,)),
    (ASKS_FOR_EARLIER, (UP_FROM,)),
    (ASKS_FOR_CONDITION, (WOULD_BE_IF, WOULD_HAVE_BEEN)),
    (ASKS_FOR_LOSS, (NOT_GOT, FAILED)),
    (ASKS_FOR_SECOND, (IS_SECOND, DECLINED)),
)

LONGEST_CONTRAST = 12  # words of a reference that denies a thing, and of such an answer


def decide_denied_part(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY for an answer that is just what a reference denies, else None.

    "The blue one" is wrong beside "the red one, not the blue one".
    """
    if max(len(answer.words), len(reference.words)) > LONGEST_CONTRAST:
        return None
    if not reference.denials or answer.denials:
        return None
    denied = list_contrasted_stems(reference)
    stated = set(reference.content) - denied - question.places.keys()
    said = set(answer.content) - question.places.keys()
    if not said or not stated or not said <= denied - stated:
        return None
    return Decision(UNLIKELY, "denied", answer.text.strip(), reference.text.strip())


def list_contrasted_stems(reference: Text) -> set[str]:
    """Return the stems that a "not" denies, up to a "but", and no verb: not the blue one."""
    stems = set[str]()
    for place in reference.denials:
        if denies_verb(reference.words, place):
            continue
        for i in sorted(list_denied_words(reference, place)):
            if is_correcting(reference.words, i):
                break
            stems.add(reference.stems[i])
    return stems


def decide_dismissal(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY, with the phrase, if an answer dismisses the reference, else None.

    UPHELD if the answer says that the reference is not wrong to say. Also if the question is not
    English, and the answer says the reference and denies something else: "Ana, no Luisa".
    """
    if not may_be_dismissed(answer, reference, question):
        return None
    marked = mark_fact(answer, reference, question)
    if FACT not in marked:
        return None
    shown = reference.text.strip()
    if WITHOUT_IT_NOT.search(marked) or CHOSEN.search(marked):
        return Decision(UPHELD, "denied", answer.text.strip(), shown)
    dismissal = find_dismissal(marked, question) or find_move(marked, question)
    if not dismissal and says_otherwise(answer, reference, question):
        dismissal = answer.text.strip()
    if dismissal:
        return Decision(UNLIKELY, "denied", dismissal.replace(FACT, shown), shown)
    sets_other_aside = is_foreign(question) and SETS_OTHER_ASIDE.match(marked)
    rejects_other = may_reject(answer) and rejects_only_others(marked, reference, question)
    if sets_other_aside or rejects_other or is_said_not_to_be_wrong(marked):
        return Decision(UPHELD, "denied", answer.text.strip(), shown)
    return None


# Each match of REJECTS_OTHER that counts has one of the first, or one of the second and a denial.
PARTS_THAT_REJECT = (
    *("rather than", "instead of", "place of", "opposed to", "and not", "n't", "not ", "never"),
    *REJECTING_PARTS,
)
CONCEDING_PARTS = ("; ", ". ", "whereas", "while", "although", "though")


def may_reject(answer: Text) -> bool:
    """Return whether an answer may reject a thing: most have no word that does."""
    if any(map(answer.lower.__contains__, PARTS_THAT_REJECT)):
        return True
    begins_concession = any(map(answer.lower.__contains__, CONCEDING_PARTS))
    return begins_concession and bool(list_denials(answer))


def rejects_only_others(marked: str, reference: Text, question: Text) -> bool:
    """Return whether an answer rejects another thing than the reference, and denies nothing else.

    "It eats seeds and refuses fruit" affirms the seeds.
    """
    others = list(REJECTS_OTHER.finditer(marked))
    if not others:
        return False
    for match in others:
        begins_concession = CONCESSION.match(match[0]) is not None
        if begins_concession and not list_denials(Text(match[0])):
            return False
        stems = set(Text(match["other"]).content)
        if stems <= question.places.keys() or not stems.isdisjoint(reference.places):
            return False
    rest = Text(REJECTS_OTHER.sub(" ", marked))
    return FACT in rest.raw and not (rest.denials or rest.untrue or rest.hedges)


def is_said_not_to_be_wrong(marked: str) -> bool:
    """Return whether an answer denies that the fact is wrong, or that it is wrong to say it."""
    if IS_NOT_WRONG.search(marked):
        return True
    match = WRONG_TO_SAY.search(marked)
    return match is not None and is_turned_round(marked, match)


def may_be_dismissed(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether a reference is a short fact, and the answer short enough to dismiss it.

    `contraries.decide_contrary` compares sentences.
    """
    is_short_fact = 0 < len(reference.words) <= LONGEST_FACT and not is_sentence(reference)
    if not is_short_fact or len(answer.words) > LONGEST_DISMISSAL:
        return False
    if list_denials(reference) or not set(question.denials).isdisjoint(find_main_clause(question)):
        return False
    return not asks_for_bad(question)


@lru_cache(maxsize=RECENT_TEXTS)
def asks_for_bad(question: Text) -> bool:
    """Return whether a question asks for something bad, so that what to avoid is an answer."""
    return ASKS_FOR_BAD.search(question.lower) is not None


def find_dismissal(marked: str, question: Text) -> str:
    """Return the words that dismiss a fact, with the mark in place of it, or "" if none do."""
    may_dismiss_before = any(map(marked.__contains__, PARTS_BEFORE_FACT))
    if not may_dismiss_before and not DISMISSED_BEHIND.search(marked):
        return ""
    for pattern in select_patterns(question):
        if not may_dismiss_before and not begins_with_fact(pattern):
            continue
        match = pattern.search(marked)
        if not match or FACT in marked[match.end() :]:
            continue
        if not is_turned_round(marked, match):
            return match[0]
    return ""


@lru_cache(maxsize=RECENT_TEXTS)
def select_patterns(question: Text) -> Sequence[re.Pattern[str]]:
    """Return the patterns of dismissals that suit the language and tense of a question."""
    patterns = [*PATTERNS, *FOREIGN_PATTERNS]
    for asked, suitable in PATTERNS_IF_ASKED:
        if asked.search(question.lower):
            patterns += suitable
    for asked, suitable in PATTERNS_UNLESS_ASKED:
        if not asked.search(question.lower):
            patterns += suitable
    if ASKS_FOR_TODAY.search(question.lower) and not ASKS_FOR_EARLIER.search(question.lower):
        patterns += AT_OTHER_TIMES
    if question.text.startswith("¿"):
        patterns.append(SPANISH_DENIAL)
    return patterns


def begins_with_fact(pattern: re.Pattern[str]) -> bool:
    """Return whether a pattern begins with the fact, so that nothing before it counts."""
    return pattern.pattern.startswith(FACT)


def join_patterns_behind() -> re.Pattern[str]:
    """Return one pattern that finds what any pattern that begins with the fact finds."""
    depending = [*PATTERNS_IF_ASKED, *PATTERNS_UNLESS_ASKED]
    patterns = [*PATTERNS, *FOREIGN_PATTERNS, *AT_OTHER_TIMES, SPANISH_DENIAL]
    for _, suitable in depending:
        patterns += suitable
    return re.compile(
        "|".join(pattern.pattern for pattern in patterns if begins_with_fact(pattern))
    )


DISMISSED_BEHIND = join_patterns_behind()


def says_otherwise(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer only denies the fact, or names a relative of the person."""
    is_denial = denies_only_fact(answer, reference, question)
    return is_denial or names_relative(answer, reference, question)


def names_relative(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer names a relative of the person that is asked for.

    "Judith's father, Amos Pell", "Amos Pell, the father of Judith" for "Judith Pell".
    """
    is_name = len(reference.names) == 1 and reference.names[0][1] == len(reference.words)
    if not is_name or ASKS_FOR_RELATIVE.search(question.lower):
        return False
    if not ASKS_FOR_RELATIVE.search(answer.lower):
        return False
    parts = [word for word in reference.words if word not in TITLES]
    if len(parts) < 2 or not names_other_person(answer, reference):
        return False
    full, given, surname = " ".join(parts), parts[0], parts[-1]
    for short in [given] if given in answer.first_place else [given, surname]:
        marked = answer.lower.replace(full, FACT).replace(short, FACT)
        if FACTS_RELATIVE.search(marked) and marked.count(FACT) == 1:
            return True
    return False


def names_other_person(answer: Text, reference: Text) -> bool:
    """Return whether an answer has a word of a name that a reference lacks."""
    words = [word for start, end in answer.names for word in answer.words[start:end]]
    return any(word not in reference.first_place for word in words)


def find_move(marked: str, question: Text) -> str:
    """Return the words that move a thing away from a fact, "" for none: from Lisbon to Porto."""
    if ASKS_FOR_EARLIER.search(question.lower):
        return ""
    moved = MOVED_AWAY.search(marked)
    if not moved and ASKS_FOR_PRESENT.search(question.lower) and not CAME_BACK.search(marked):
        moved = LEFT.search(marked)
    return moved[0] if moved else ""


def is_foreign(question: Text) -> bool:
    """Return whether a question has small words of German, French or Spanish, or a "¿"."""
    return question.text.startswith("¿") or not FOREIGN_WORDS.isdisjoint(question.words)


DENIAL_REACH = 4  # words from a negator to the fact that it denies
ASKS_FOR_USE = re.compile(r"\b(?:eats?|drinks?|uses?|runs? on|wears?|plays?|feeds?)\b")
# "You can't top diesel", and "He doesn't have rice" where the question is what he eats.
CANNOT = frozenset("can't cannot couldn't".split())
OTHER_VERBS = frozenset("have has had got leave can could there".split())
# With one of these, a denial affirms: nothing but diesel, not until May, you can't beat diesel.
AFFIRMING_WITH_DENIAL = frozenset(
    "until till before after only just merely simply even always so too enough unless if yet but "
    "except without other than else more less later earlier anything anyone nothing beat match "
    "resist stop miss forget wrong help mind".split()
)


def denies_only_fact(answer: Text, reference: Text, question: Text) -> bool:
    """Return whether an answer denies a fact, and says nothing else: "She isn't a plumber".

    None of its words may tell more than the question.
    """
    negators = answer.denials
    if len(negators) != 1 or list_denials(answer) != negators or not is_plain_denial(answer):
        return False
    negator = negators[0]
    fact = set(reference.content) - question.places.keys()
    places = [i for i in answer.telling if answer.stems[i] in fact]
    if not fact or sorted(answer.stems[i] for i in places) != sorted(fact):
        return False
    is_near = 0 < places[0] - negator <= DENIAL_REACH
    if not is_near or answer.clause[negator] != answer.clause[places[-1]]:
        return False
    if not denies_what_is_asked(answer, negator, places[0], question):
        return False
    outside = [i for i in answer.telling if i not in range(negator, places[0])]
    return all(is_known(answer, i, question.places.keys() | fact) for i in outside)


def is_plain_denial(answer: Text) -> bool:
    """Return whether an answer is one sentence that asks nothing and is sure of its denial."""
    if "?" in answer.text or answer.hedges or len(set(answer.sentence)) > 1:
        return False
    return AFFIRMING_WITH_DENIAL.isdisjoint(answer.words)


def is_known(answer: Text, i: int, stems: Set[str]) -> bool:
    """Return whether a word has one of some stems, or is a pronoun: she, she's."""
    return answer.stems[i] in stems or answer.words[i].partition("'")[0] in PRONOUNS


def denies_what_is_asked(answer: Text, negator: int, fact: int, question: Text) -> bool:
    """Return whether the words from a negator to a fact deny that it is what the question asks for.

    The denied verb is "be" or one of the question, or the question asks what is used: "It doesn't
    run on diesel".
    """
    between = range(negator + 1, fact)
    word, before = answer.words[negator], answer.words[negator - 1] if negator else ""
    denies_be = word.partition("n't")[0] in BE or before in BE or before.endswith("'s")
    if denies_be and before != "there" and all(answer.words[i] in STOP_WORDS for i in between):
        return True
    is_plain = word not in CANNOT and OTHER_VERBS.isdisjoint(answer.words)
    if is_plain and ASKS_FOR_USE.search(question.lower):
        return True
    verbs = [i for i in between if answer.words[i] not in STOP_WORDS]
    return any(answer.stems[i] in question.places for i in verbs)


def mark_fact(answer: Text, reference: Text, question: Text) -> str:
    """Return an answer in lower case with FACT in place of the reference's last telling word.

    FACT also replaces other words of the reference, and "the", that stand directly before it. So a
    surname alone is enough. A word of the question may be missing: the S8 for "the S8 line". Empty
    if the reference has no telling word.
    """
    stems = list(reference.content)
    while stems and stems[-1] not in answer.places and stems[-1] in question.places:
        stems.pop()
    if not stems:
        return ""
    marked = list[str]()
    end = 0  # of the text that is already marked
    places = answer.places.get(stems[-1], [])
    whole = [i for i in places if i - find_beginning(answer, i, stems) >= len(stems) - 1]
    for i in whole or places:  # of "coconut oil, not olive oil" the last one
        start = answer.starts[find_beginning(answer, i, stems)]
        marked += [answer.lower[end : max(end, start)], FACT]
        end = answer.find_end_of_word(i)
        if answer.lower.startswith("'s", end - 2):
            end -= 2  # Lincoln's
    return "".join([*marked, answer.lower[end:]])


def find_beginning(answer: Text, i: int, stems: Sequence[str]) -> int:
    """Return the first of the words with some stems, or "the", that lead up to a word."""
    while i and (answer.stems[i - 1] in stems or answer.words[i - 1] == "the"):
        i -= 1
    return i


def is_turned_round(marked: str, match: re.Match[str]) -> bool:
    """Return whether a phrase that dismisses is itself denied, or makes an exception."""
    before = marked[max(0, match.start() - DENIAL_WINDOW) : match.start()]
    if DENIED_BEFORE.search(before):
        return True
    phrase = BEGINNING.sub("", match[0])
    return phrase.endswith(FACT) and EXCEPTION.search(phrase) is not None


# ---- Chinese

# What people believe, and what is really so: 很多人以为是悉尼，其实是堪培拉.
CHINESE_BELIEF = "(?:以为|认为|觉得|误作|误传)[^。！？]{0,4}"
CHINESE_TRUTH = "[^。！？]{0,6}[，,][^。！？]{0,4}(?:其实|实际上|事实上)"
# Words that deny right before a fact (不是悉尼), and right after it (悉尼纯属谣言).
CHINESE_DENIED_BEFORE = "(?<![是莫岂要能])(?:不是|并非|绝非|而非|决非|不在|不属于|不叫)"
CHINESE_DENIED_AFTER = "(?:并?没有?|从未|不曾|并不|纯属|是个?(?:谣言|误会|误解))"
LONGEST_CHINESE_FACT = 8  # characters


def decide_chinese_dismissal(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY, with the words, if a Chinese answer denies a fact, else None.

    It is also denied if the answer says that people only believe it.
    """
    fact = reference.text.strip(" 。.")
    if not reference.is_chinese or not 1 < len(fact) <= LONGEST_CHINESE_FACT:
        return None
    if answer.text.count(fact) != 1 or reference.denials or question.denials:
        return None
    quoted = re.escape(fact)
    for pattern in (
        f"{CHINESE_BELIEF}{quoted}{CHINESE_TRUTH}",
        f"{CHINESE_DENIED_BEFORE}{quoted}",
        f"{quoted}{CHINESE_DENIED_AFTER}",
    ):
        match = re.search(pattern, answer.text)
        if match:
            return Decision(UNLIKELY, "denied", match[0], fact)
    return None


# ---- denied values

# Tell the values that an answer denies from those that it states: not 25 minutes but 40.

VALUE_DENIAL_REACH = 3  # words from a denial to the value that it denies: not the full 25 minutes
NEAR_VALUE = STOP_WORDS | frozenset("full usual whole exactly just about old".split())


def decide_denied_value(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by what an answer denies, if each denial stands right before a value.

    UPHELD if only other values are denied, and UNLIKELY if the reference's is and another one is
    stated. None if the reference is more than a value.
    """
    if not answer.denials or question.denials or not is_only_value(reference):
        return None
    expected = reference.quantities[0]
    denied = list_denied_values(answer)
    stated = [value for value in answer.quantities if value not in denied]
    if len(denied) < len(answer.denials) or "no" in answer.words:
        return None  # a denial of something else, or a correction: 12, no, 13
    is_denied, is_stated = is_among(expected, denied), is_among(expected, stated)
    if is_stated and not is_denied:
        return Decision(UPHELD, "denied", answer.text.strip(), reference.text.strip())
    if is_denied and not is_stated and any(can_replace(value, expected) for value in stated):
        return Decision(UNLIKELY, "denied", answer.text.strip(), reference.text.strip())
    return None


def is_only_value(reference: Text) -> bool:
    """Return whether a reference has one value, and no other word that tells something."""
    if len(reference.quantities) != 1:
        return False
    value = reference.quantities[0]
    inside = reference.words_between(value.start, value.end)
    return all(i in inside for i in reference.telling)


def list_denied_values(answer: Text) -> list[Quantity]:
    """Return the values that a denial stands before, with nothing but small words between."""
    denied = list[Quantity]()
    for value in answer.quantities:
        first = answer.words_between(value.start, value.end).start
        start = max(
            [i for i in answer.denials if first - VALUE_DENIAL_REACH <= i + 1 <= first], default=-1
        )
        if start >= 0 and NEAR_VALUE.issuperset(answer.words[start + 1 : first]):
            denied.append(value)
    return denied
