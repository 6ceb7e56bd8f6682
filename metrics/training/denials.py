"""Plain denials made from the data: "not" behind the verb of the sentence that has the answer, in English and Chinese.

Of each sentence that people found right stand several denials beside the sentence itself, so that nothing but the
denial tells them apart; questions are turned into sentences, too ("who wrote Emma": "Jane Austen did not write Emma").
"""

import random
import re
from collections.abc import Iterator, Sequence
from types import ModuleType

from metrics.training import chinese
from metrics.training.generator import Asked, Made, Others, another, inner, replaced

AUXILIARY = "is are was were has have had can could will would shall should may might must do does did".split()
AUX = re.compile(rf"\b(?P<verb>{'|'.join(AUXILIARY)})\b(?! not\b|n't)", re.I)
# Past forms that do not end in -ed; base and past.
IRREGULAR = dict(
    pair.split()[::-1]
    for pair in (
        "begin began, break broke, bring brought, build built, buy bought, catch caught, choose chose, come came, "
        "cut cut, "
        "draw drew, drive drove, fall fell, feel felt, fight fought, find found, fly flew, get got, give gave, go "
        "went, grow grew, "
        "hit hit, hold held, keep kept, know knew, lead led, leave left, lend lent, lose lost, make made, mean "
        "meant, meet met, "
        "pay paid, read read, ride rode, rise rose, run ran, say said, see saw, sell sold, send sent, set set, shoot "
        "shot, "
        "sing sang, sink sank, sit sat, speak spoke, spend spent, stand stood, steal stole, strike struck, swim "
        "swam, take took, "
        "teach taught, tell told, think thought, throw threw, understand understood, wear wore, win won, write wrote"
    ).split(", ")
)
PRESENT = (
    "comes goes lives plays means stands makes takes gives has does lies contains includes belongs refers occurs "
    "happens begins "
    "starts ends flows connects produces uses needs forms holds runs says shows represents consists provides covers "
    "works"
).split()
LEXICAL = re.compile(rf"(?<=\s)(?P<verb>{'|'.join([*IRREGULAR, *PRESENT])}|[a-z]{{3,}}ed)\b")
MOST = 2  # sentences of a question's answers
PARTS = re.compile(r"[^.!?\n]+[.!?]?")
SUBJECT = re.compile(r"(?:who|which [\w ]{2,30}?|what [\w]{3,15}) (?P<rest>(?P<verb>\w+) .+)", re.I)
WHEN = re.compile(r"(?P<w>when|where) (?P<aux>did|was|were|is|are|does|do) (?P<rest>.+)", re.I)
WHAT = re.compile(r"(?:what|who|which) (?P<aux>is|was|are|were) (?P<rest>.+)", re.I)
ENDING = (
    "happen open start end die live play occur originate located born made written released published founded "
    "built found filmed held invented discovered"
).split()
LAST_VERB = re.compile(
    rf"(?P<subject>.+) (?P<verb>{'|'.join([*dict.fromkeys(IRREGULAR.values()), *ENDING])})(?P<tail>.*)"
)


def base_of(verb: str) -> str:
    """Return the form of a verb that stands after "did not".

    >>> [base_of(verb) for verb in ("wrote", "played", "located", "stopped", "carried", "contains")]
    ['write', 'play', 'locate', 'stop', 'carry', 'contain']
    """
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("ied"):
        return f"{verb[:-3]}y"
    if verb.endswith("ed"):
        bare = verb[:-2]
        if re.search(r"([bdgmnprt])\1$", bare):
            return bare[:-1]
        silent = re.search(
            r"(?:[^aeiou][aiu]t|[aeiou]s|u[cs]|[vzcg]|[aiu]r|[^aeiou]l|[aeiou]d|iv|[^aeiou]in|duc|os)$", bare
        )
        return f"{bare}e" if silent else bare
    return verb.removesuffix("s") if not verb.endswith(("oes", "ches")) else verb.removesuffix("es")


def denied(sentence: str, chance: random.Random) -> str | None:
    """Return a sentence with its verb denied, None where no verb is known."""
    aux = AUX.search(sentence)
    lexical = LEXICAL.search(sentence)
    if aux and (not lexical or aux.start() <= lexical.start()):
        verb = aux["verb"]
        no = chance.choice([f"{verb} not", f"{verb} not", f"{verb}n't", f"{verb} never", f"{verb} no longer"])
        no = {
            "cann't": "can't",
            "willn't": "won't",
            "shalln't": "shan't",
            "can not": "cannot",
            "mayn't": "may not",
        }.get(no, no)
        return sentence[: aux.start()] + no + sentence[aux.end() :]
    if not lexical:
        return None
    verb = lexical["verb"]
    helper = "does" if verb.endswith("s") and verb not in IRREGULAR else "did"
    base = base_of(verb)
    no = chance.choice(
        [f"{helper} not {base}", f"{helper} not {base}", f"{helper}n't {base}", f"never {verb}", f"no longer {verb}"]
    )
    return sentence[: lexical.start()] + no + sentence[lexical.end() :]


def sentence_with(text: str, x: str) -> tuple[int, int] | None:
    """Return where the first sentence with a phrase begins and ends."""
    return next((part.span() for part in PARTS.finditer(text) if replaced(part[0], x, x)), None)


def told(question: str, x: str) -> str | None:
    """Return a question as a sentence with its answer, None where it is of no usual form.

    >>> told("who wrote the novel emma", "Jane Austen"), told("when did the berlin wall fall", "1989")
    ('Jane Austen wrote the novel emma.', 'The berlin wall fell in 1989.')
    """
    asked = question.strip().rstrip("?. ")
    if found := WHEN.fullmatch(asked):
        verb = LAST_VERB.fullmatch(found["rest"])
        place = (
            ""
            if re.match(r"(?:in|on|at|from|near)\b", x, re.I)
            else "in "
            if found["w"].lower() == "where" or len(x) == 4
            else "on "
        )
        if not verb:
            return None
        past = {base: past for past, base in IRREGULAR.items()}
        helped = found["aux"].lower() in ("did", "does", "do")
        said = verb["verb"]
        said = (
            (past.get(said) or (said + ("d" if said.endswith("e") else "ed"))) if helped else f"{found['aux']} {said}"
        )
        if " " in verb["verb"] and helped:
            first, _, rest = verb["verb"].partition(" ")
            said = f"{past.get(first, first)} {rest}"
        text = f"{verb['subject']} {said}{verb['tail']} {place}{x}."
    elif found := WHAT.fullmatch(asked):
        text = f"{found['rest']} {found['aux']} {x}."
    elif found := SUBJECT.fullmatch(asked):
        text = f"{x} {found['rest']}."
    else:
        return None
    return text[0].upper() + text[1:]


def made(questions: Sequence[Asked], lent: Others, chance: random.Random) -> Iterator[tuple[int, Made]]:
    """Yield right sentences and their denials, and right ones in which something else is denied beside."""
    for i, one in enumerate(questions):
        yield from ((i, found) for found in sentences_denied(one, chance))
        yield from ((i, found) for found in questions_denied(one, lent, chance))


def sentences_denied(one: Asked, chance: random.Random) -> Iterator[Made]:
    """Yield sentences of right answers with their verb denied, and as they are."""
    texts = [(text, x) for text in one.right if 4 <= len(text.split()) <= 80 for x in one.references]
    chance.shuffle(texts)
    done = 0
    for text, x in texts:
        place = sentence_with(text, x)
        if done == MOST or not place or len(text[slice(*place)].split()) < len(x.split()) + 3:
            continue
        sentence = text[slice(*place)]
        if said := denied(sentence, chance):
            whole = text[: place[0]] + said + text[place[1] :]
            answers = chance.choice([said.strip(), whole]), chance.choice([sentence.strip(), text])
            yield Made("plain denial", one.question, one.references, answers[0], False)
            yield Made("plain, affirmed", one.question, one.references, answers[1], True)
            done += 1


def questions_denied(one: Asked, lent: Others, chance: random.Random) -> Iterator[Made]:
    """Yield the question as a sentence with its answer, affirmed and denied, alone and beside another thing."""
    x = chance.choice(one.references)
    sentence, other = told(one.question, x), told(one.question, another(one, x, lent, chance))
    said, denied_other = sentence and denied(sentence, chance), other and denied(other, chance)
    if not sentence or not said:
        return
    yield Made("question denied", one.question, one.references, said, False)
    yield Made("question affirmed", one.question, one.references, sentence, True)
    if denied_other and chance.random() < 0.6:
        both = chance.choice([f"{sentence} {denied_other}", f"{denied_other} {sentence}"])
        yield Made("question affirmed", one.question, one.references, both, True)
        both = chance.choice([f"{said} {other}", f"{other} {said}"])
        yield Made("question denied", one.question, one.references, both, False)


def claims(questions: Sequence[Asked], wordings: ModuleType, chance: random.Random) -> Iterator[tuple[int, Made]]:
    """Yield the question as a sentence with its answer, in a claim that is refuted and in one that is affirmed."""
    for i, one in enumerate(questions):
        if sentence := told(one.question, chance.choice(one.references)):
            for kind, some, right in (
                ("claim refuted", wordings.REFUTED, False),
                ("claim affirmed", wordings.AFFIRMED, True),
            ):
                said = chance.choice(some).format(sx=inner(sentence.rstrip(".")))
                if not right and chance.random() < 0.3:
                    joint = chance.choice((". ", "; ", " - ", "? "))
                    said = sentence.rstrip(".") + joint + chance.choice(wordings.CLOSED)
                yield i, Made(kind, one.question, one.references, f"{said}.", right)


def made_in_chinese(questions: int, chance: random.Random) -> Iterator[tuple[int, Made]]:
    """Yield Chinese sentences and their denials by 不是, 没有, 不, each with the number of some question."""
    for one in chinese_denials(chance):
        yield chance.randrange(questions), one


def chinese_denials(chance: random.Random) -> Iterator[Made]:
    """Yield Chinese sentences and their denials."""
    for line in chinese.FACTS:
        question, x, other, sentence = line.split("|")
        said = sentence.format(x)
        for pattern, no in (
            ("是", "不是"),
            ("是", "并不是"),
            ("(位于|坐落在|发生在|结束于|流入|采集|成立于)", r"不\1"),
            ("每|有", r"没有"),
        ):
            changed = re.sub(pattern, no, said, count=1)
            if changed != said:
                yield Made("plain denial", question, (x,), changed + "。", False)
                yield Made("plain, affirmed", question, (x,), said + "。", True)
                wrong = re.sub(pattern, no, sentence.format(other), count=1)
                both = chance.choice([f"{wrong}，{said}。", f"{said}，{wrong}。", f"{wrong}。{said}。"])
                yield Made("plain, affirmed", question, (x,), both, True)
        if question.startswith("谁"):
            rest = question[1:].rstrip("？?")
            plain = rest.replace("了", "", 1)
            yield Made("question denied", question, (x,), f"{x}没有{plain}。", False)
            yield Made(
                "question denied",
                question,
                (x,),
                f"{rest[rest.index('了') + 1 :] if '了' in rest else plain}不是{x}的。",
                False,
            )
            yield Made("question affirmed", question, (x,), f"{x}{rest}。", True)
