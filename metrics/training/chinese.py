"""Make up answers in Chinese from facts and wordings, so that Chinese denials are learned, too."""

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from metrics.training.questions import MadeAnswer, NumberedAnswer, Question
from metrics.training.wording_lists import read_wordings

WORDINGS = read_wordings("chinese")
CONJUNCTIONS = ("、", "或者", "，或", "还是")


class Fact(NamedTuple):
    """A question, its answer, a wrong answer of the same kind, and a sentence.

    The sentence has {} in place of the answer.
    """

    question: str
    answer: str
    distractor: str
    sentence: str

    def make_answer(self, kind: str, text: str, right: bool) -> MadeAnswer:
        """Return a made-up answer to the question."""
        question = Question(self.question, (self.answer,))
        return question.make_answer(kind, text, right)


class Quota(NamedTuple):
    """A list of wordings and the kind of its answers.

    Half of the wordings are used for each fact. If `is_swapped`, the distractor stands in place of
    the right answer, and the other way round.
    """

    kind: str
    wordings: str
    right: bool
    is_swapped: bool = False


class Negation(NamedTuple):
    """The pattern that is replaced to deny a sentence, and its replacement."""

    pattern: str
    replacement: str


FACTS = [Fact(*line.split("|")) for line in WORDINGS["facts"]]
QUOTAS = [
    Quota("right", "right", True),
    Quota("denial", "denials", False),
    Quota("not X but Y", "contrasts", False),
    Quota("right, other denied", "contrasts", True, is_swapped=True),
    Quota("several candidates", "candidates", False),
]
NEGATIONS = [
    Negation("是", "不是"),
    Negation("是", "并不是"),
    Negation("(位于|坐落在|发生在|结束于|流入|采集|成立于)", r"不\1"),
    Negation("每|有", r"没有"),
]


def make_chinese_answers(rng: Random) -> Iterator[NumberedAnswer]:
    """Yield made-up answers to each fact, with the number of the fact."""
    for number, fact in enumerate(FACTS):
        for answer in fill_chinese_wordings(fact, rng):
            yield NumberedAnswer(number, answer)


def fill_chinese_wordings(fact: Fact, rng: Random) -> Iterator[MadeAnswer]:
    """Yield answers to a fact, from half of the wordings of each list."""
    candidates = [fact.answer, fact.distractor]
    others = [other.answer for other in FACTS if other.answer not in candidates]
    candidates += rng.sample(others, 2)
    for quota in QUOTAS:
        x, y = fact.answer, fact.distractor
        if quota.is_swapped:
            x, y = y, x
        shuffled = rng.sample(candidates, len(candidates))
        conjunction = rng.choice(CONJUNCTIONS)
        fields = {
            "list": conjunction.join(shuffled),
            "x": x,
            "y": y,
            "sx": fact.sentence.format(x),
            "sy": fact.sentence.format(y),
        }
        wordings = WORDINGS[quota.wordings]
        for wording in rng.sample(wordings, len(wordings) // 2):
            answer = wording.format(**fields)
            yield fact.make_answer(quota.kind, answer, quota.right)


def make_chinese_denials(questions: Sequence[Question], rng: Random) -> Iterator[NumberedAnswer]:
    """Yield Chinese sentences and their denials by 不是, 没有 or 不.

    Each has the number of a random question.
    """
    for fact in FACTS:
        for answer in deny_fact(fact, rng):
            number = rng.randrange(len(questions))
            yield NumberedAnswer(number, answer)


def deny_fact(fact: Fact, rng: Random) -> Iterator[MadeAnswer]:
    """Yield the sentence of a fact and its denials."""
    right = fact.sentence.format(fact.answer)
    wrong = fact.sentence.format(fact.distractor)
    for negation in NEGATIONS:
        denied = deny_chinese_sentence(right, negation)
        if denied == right:
            continue
        yield fact.make_answer("plain denial", f"{denied}。", False)
        yield fact.make_answer("plain, affirmed", f"{right}。", True)
        wrong_denied = deny_chinese_sentence(wrong, negation)
        both_sentences = [
            f"{wrong_denied}，{right}。",
            f"{right}，{wrong_denied}。",
            f"{wrong_denied}。{right}。",
        ]
        yield fact.make_answer("plain, affirmed", rng.choice(both_sentences), True)
    if fact.question.startswith("谁"):
        yield from deny_question(fact)


def deny_chinese_sentence(sentence: str, negation: Negation) -> str:
    """Return a sentence with its first verb denied; unchanged if it has no such verb."""
    return re.sub(negation.pattern, negation.replacement, sentence, count=1)


def deny_question(fact: Fact) -> Iterator[MadeAnswer]:
    """Yield a question with 谁 (who) as a sentence with its answer, denied and affirmed."""
    predicate = fact.question[1:].rstrip("？?")
    # 了 marks a completed action; a denial has none.
    before, particle, after = predicate.partition("了")
    plain = before + after
    thing = after if particle else plain
    yield fact.make_answer("question denied", f"{fact.answer}没有{plain}。", False)
    yield fact.make_answer("question denied", f"{thing}不是{fact.answer}的。", False)
    yield fact.make_answer("question affirmed", f"{fact.answer}{predicate}。", True)
