"""Estimate how likely people would call an answer right, from words alone, with reasons.

    log odds = agreement - what takes the answer back - sum over objections: weight * evidence

1. Agreement: how much of the reference the answer has, and where (features.py). A small ensemble of
   trees reads it; beside a long reference the mean of four shares of its words joins in.
2. What takes the answer back: it denies what it has, sets it aside, or names several candidates
   (polarity.py). A second ensemble reads that, if the answer has a word that may do so.
3. Objections: facts that differ, such as another number, another name, an item that is missing
   (facts.py, contradictions.py, lists.py, roles.py). Each kind has a weight, which a reason shows.
4. If the reference is a value, an option, or yes or no, these decide (decisions.py).

Of several references the one nearest by words counts. The log odds are calibrated on the verdicts
of people (Platt 1999, "Probabilistic outputs for support vector machines"). Thinking aloud, such as
<think>...</think>, is removed first; if it has no end, there is no answer.

The numbers stand in model.py, written by `make estimate` from EVOUNA's Natural Questions (Wang et
al. 2023, "Evaluating Open-QA Evaluation", arXiv 2305.12421; Apache-2.0) and made-up answers. The
trees are gradient boosting (Friedman 2001, "Greedy function approximation"), made by scikit-learn
and read here without it. There is no original that this reproduces. It measures agreement with the
references and not truth; it is no reward to train on.

To copy it, take the whole folder but the files that name evaluate or gradio: it needs nothing but
Python.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from .contraries import asks_for_description
from .equality import is_among
from .final_answer import ASIDE, UNFINISHED, remove_thinking
from .log_odds import compute_log_odds, compute_probability, has_cue, limit_odds
from .code_answers import has_code_sign
from .formulas import is_formula
from .lexicon import STOP_WORDS
from .measure import Measurement, measure_answer
from .model import FEATURES, THRESHOLD, USUAL
from .opposites import has_opposite, strip_negative_prefix
from .outcomes import DIFFERENT, EQUAL
from .reasons import find_reasons
from .relations import says_relation
from .roles import asks_for_both
from .text import HAN, LONGEST_TEXT, Text
from .yes_or_no import asks_yes_or_no, read_expected_yes_or_no


# ---- what an estimate may be taken for

PROBABILITY = "probability"
RANKING = "ranking"
LIKENESS = "likeness"
INTERPRETATIONS = (PROBABILITY, RANKING, LIKENESS)
LONGEST_FACT = 6  # words of a reference: for a longer one no estimate is a probability
LONGEST_RANKED = 25  # words of a reference: for a longer one an estimate tells likeness
LONGEST_PLAIN = 15  # words of an answer: a longer one mostly explains what it added
LEAST_REPEATED = 2  # telling words of the question in a sentence that answers it
MOST_UNUSUAL = 3  # an estimate with this many unusual features is no probability
# Kinds of objections that contradict words which agree: such an estimate ranks.
CONTRADICTING = frozenset(
    {"opposite", "partial", "added", "either", "roles", "name_part", "denied"}
)
# Beginnings of the features of a stance and of an unknown question. They are not counted as
# unusual, for several of them say the same.
STANCE_NAMES = (
    "denied",
    "untrue",
    "set_aside",
    "barred",
    "stance",
    "rival",
    "several",
    "asked_kind",
)
# Forms that prose has not: a block of code, a record, a row of a table, a tag.
CODE = re.compile(r"```|^\s*[\[{].*[\]}]\s*$|\|\s*-{3}|</?[a-z]+>", re.DOTALL)
# Finite verbs. Behind a relative word such a verb makes no statement: "the man who was king".
FINITE_VERBS = frozenset(
    "is are was were has have had can could will would shall should may might must do does did "
    "include includes "
    "contain contains cause causes mean means".split()
)
RELATIVE_WORDS = frozenset("that which who whose where".split())


def interpret(measurement: Measurement) -> str:
    """Return what an estimate may be taken for, by the reference and how unusual the answer is.

    PROBABILITY if a value decides, or if the reference is a short fact and few features of the
    answer are unusual. This holds for questions outside the training data, too. RANKING for
    references of up to 25 words. LIKENESS for longer ones, and for other scripts.
    """
    if measurement.decision:
        is_sure = measurement.decision.outcome in (EQUAL, DIFFERENT)
        return PROBABILITY if is_sure else RANKING
    if tells_likeness(measurement.answer, measurement.reference):
        return LIKENESS
    if needs_meaning(measurement):
        return RANKING
    return PROBABILITY if count_unusual(measurement.features) < MOST_UNUSUAL else RANKING


def count_unusual(features: Mapping[str, float]) -> int:
    """Return how many features lie outside their usual range."""
    return sum(not low <= features[name] <= high for name, low, high in read_usual_ranges())


def is_unsure(measurement: Measurement) -> bool:
    """Return whether an estimate keeps away from 0 and 1.

    It is so for an objection that contradicts words which agree, and for a ranking of an answer
    that lacks a word of the reference.
    """
    if measurement.decision or tells_likeness(measurement.answer, measurement.reference):
        return False
    if has_contradiction(measurement):
        return True
    return measurement.match.exact < 1 and needs_meaning(measurement)


def tells_likeness(answer: Text, reference: Text) -> bool:
    """Return whether an estimate tells no more than likeness.

    It is so for a long reference, for one without a word, and for a foreign language.
    """
    has_rankable_length = 0 < len(reference.words) <= LONGEST_RANKED
    return not has_rankable_length or is_foreign(answer, reference)


def has_contradiction(measurement: Measurement) -> bool:
    """Return whether an objection contradicts words that agree."""
    return any(objection.kind in CONTRADICTING for objection in measurement.objections)


def needs_meaning(measurement: Measurement) -> bool:
    """Return whether only the meaning of an answer decides, so that the estimate ranks.

    An answer with the text of the reference needs no meaning.
    """
    answer, reference, question = measurement.answer, measurement.reference, measurement.question
    if has_contradiction(measurement):
        return True
    if answer.text.strip() == reference.text.strip():
        return False
    if asks_for_both(question) or says_relation(reference) or CODE.search(answer.text):
        return True
    readings = (has_only_spelling, says_more, names_in_passing)
    if any(is_unclear(measurement) for is_unclear in readings):
        return True
    if has_undecided_value(reference, question) or may_be_reworded(measurement):
        return True
    return len(reference.words) > LONGEST_FACT or makes_statement(reference, question)


def may_be_reworded(measurement: Measurement) -> bool:
    """Return whether an answer lacks a word of a reference that other words may tell, too.

    A reference without a name is such a one, or one that describes something. Where answers lacked
    all its words, people called a quarter of them right.
    """
    if measurement.match.exact == 1:
        return False
    if not measurement.reference.names or asks_for_description(measurement.question):
        return True
    return is_ordinary_word(measurement.reference)


def is_ordinary_word(reference: Text) -> bool:
    """Return whether a reference is one word that has an opposite: its capital makes no name."""
    if len(reference.telling) != 1:
        return False
    word = reference.words[reference.telling[0]]
    bare = strip_negative_prefix(word)
    return has_opposite(word) or (bare != word and has_opposite(bare))


def has_only_spelling(measurement: Measurement) -> bool:
    """Return whether an answer has a reference's word only in another spelling: Sophie."""
    return measurement.match.exact < 1 <= measurement.features["recall_weighted"]


def says_more(measurement: Measurement) -> bool:
    """Return whether a short answer goes on after the reference's words, or may take them back.

    An addition may deny the words, name a second thing or be about something else: only its
    meaning tells. In a long answer most additions explain.
    """
    answer, match = measurement.answer, measurement.match
    if not match.inside or len(answer.words) > LONGEST_PLAIN:
        return False
    if has_cue(measurement.features):
        return True
    known = measurement.reference.places.keys() | measurement.question.places.keys()
    for i, word in enumerate(answer.words):
        if word in STOP_WORDS or answer.stems[i] in known:
            continue
        if i > match.end or answer.sentence[i] != answer.sentence[match.start]:
            return True
    return False


def names_in_passing(measurement: Measurement) -> bool:
    """Return whether an answer has the reference in one sentence and answers in another.

    The other sentence repeats telling words of the question, and the one with the reference
    repeats none. Both have new words: "Germany fought hard. The World Cup went to Argentina".
    """
    answer, question = measurement.answer, measurement.question
    asked = set(question.content) - measurement.reference.places.keys()
    if not measurement.match.inside or len(asked) < LEAST_REPEATED:
        return False
    own = {answer.sentence[i] for i in measurement.sentences}
    repeated, new = set[tuple[int, str]](), set[int]()
    known = question.places.keys() | measurement.reference.places.keys()
    for i in answer.telling:
        if answer.stems[i] in asked:
            repeated.add((answer.sentence[i], answer.stems[i]))
        elif answer.stems[i] not in known:
            new.add(answer.sentence[i])
    counts = Counter(sentence for sentence, _ in repeated)
    if new.isdisjoint(own) or not own.isdisjoint(counts):
        return False
    return any(count >= LEAST_REPEATED and sentence in new for sentence, count in counts.items())


def has_undecided_value(reference: Text, question: Text) -> bool:
    """Return whether a reference is a formula, or a short text with a value.

    Such a reference mostly decides. If it does not, the words of an answer only rank it. A number
    of the question is no value: "city 5", if the question asks for it.
    """
    if is_formula(reference.text) or has_code_sign(reference.text):
        return True
    if len(reference.words) > LONGEST_FACT:
        return False
    return any(not is_among(value, question.quantities) for value in reference.quantities)


def is_foreign(answer: Text, reference: Text) -> bool:
    """Return whether most words are not in Latin script, or the reference is Chinese."""
    return reference.is_chinese or has_few_latin_words(answer, reference)


def has_few_latin_words(answer: Text, reference: Text) -> bool:
    """Return whether fewer than half of the words of two texts are in Latin script."""
    words = answer.words + reference.words
    n_latin = sum(map(str.isascii, words))
    return 2 * n_latin < len(words)


@cache
def read_usual_ranges() -> list[tuple[str, float, float]]:
    """Return the usual range of each feature: its name, the least and the greatest value."""
    ranges = list[tuple[str, float, float]]()
    for name, bounds in zip(FEATURES, USUAL, strict=True):
        if name.startswith(STANCE_NAMES):
            continue
        low, _, high = bounds.partition(":")
        ranges.append((name, float(low), float(high)))
    return ranges


def makes_statement(reference: Text, question: Text) -> bool:
    """Return whether a reference is a statement, and not a name, a value or a few words.

    It has a finite verb (not after "that" or "which"), or at least half of its words are the
    question's, or it says neither yes nor no to such a question.
    """
    words, content = reference.words, reference.content
    if len(words) <= 2:
        return False
    for before, word in pairwise(["", *words]):
        if word in FINITE_VERBS and before not in RELATIVE_WORDS:
            return True
    n_repeated = sum(stem in question.places for stem in content)
    if content and 2 * n_repeated >= len(content):
        return True
    return asks_yes_or_no(question) and not read_expected_yes_or_no(reference)


# ---- the score

LANGUAGES = ("en", "zh")
UNKNOWN = 0.5  # the score if a reference has no word to look for
LONG_ANSWER = 40  # words: for longer answers the estimate is known to be weaker


class Note(NamedTuple):
    """A remark on a row: a sentence, its key, and the values in it."""

    key: str
    sentence: str
    values: dict[str, Any]


THINKING_NOTES = {
    ASIDE: Note("thinking_set_aside", "thinking aloud was set aside", {}),
    UNFINISHED: Note(
        "thinking_without_end", "thinking aloud has no end: there is no final answer", {}
    ),
}


def check_texts(prediction: str, reference: str | Sequence[str], question: str) -> list[str]:
    """Return the references as a list.

    Raises:
        TypeError: a text is no string.
        ValueError: there is no reference.
    """
    references: list[Any] = [*reference] if isinstance(reference, list | tuple) else [reference]
    texts: list[tuple[str, Any]] = [("prediction", prediction)]
    for i, text in enumerate(references):
        texts.append((f"reference[{i}]" if len(references) > 1 else "reference", text))
    texts.append(("question", question))
    for name, text in texts:
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    if not references:
        raise ValueError("reference is an empty list; at least one reference is needed")
    return references


def measure_prediction(
    prediction: str, reference: str | Sequence[str], question: str
) -> Measurement:
    """Return what is measured of an answer, without its thinking aloud.

    Arguments and errors are those of `score`.
    """
    references = check_texts(prediction, reference, question)
    return measure_answer(remove_thinking(prediction)[0], references, question)


def score(prediction: str, reference: str | Sequence[str], question: str = "") -> float:
    """Return how likely people would call an answer right, 0..1.

    Args:
        prediction: the answer to grade.
        reference: the right answer, or several.
        question: what was asked; without it the estimate knows less.

    Raises:
        TypeError: a text is no string.
        ValueError: there is no reference.

    Source: trained on Wang et al. 2023 (EVOUNA, Natural Questions).

    >>> score("It was published on 28 January 1813.", "1813", "When was it published?") > 0.8
    True
    >>> score("It was published on 28 January 1831.", "1813", "When was it published?") < 0.2
    True

    """
    return estimate(measure_prediction(prediction, reference, question))


class Grade(NamedTuple):
    """A score, its interpretation, and the verdict (None if it is no probability)."""

    score: float
    interpretation: str
    right: bool | None


def grade_answer(prediction: str, reference: str | Sequence[str], question: str = "") -> Grade:
    """Return `score`, its interpretation and the verdict.

    Arguments and errors are those of `score`.

    >>> grade_answer("on 28 January 1831", "1813", "When was it published?")[1:]
    ('probability', False)
    >>> grade_answer("李白", "李白").interpretation
    'likeness'
    """
    return grade_measurement(measure_prediction(prediction, reference, question))


def grade_measurement(measurement: Measurement) -> Grade:
    """Return the score of a measured answer, its interpretation and the verdict."""
    probability = estimate(measurement)
    interpretation = interpret(measurement)
    right = probability >= THRESHOLD if interpretation == PROBABILITY else None
    return Grade(probability, interpretation, right)


def estimate(measurement: Measurement) -> float:
    """Return the probability that people call an answer right.

    It is 0 for an answer without a word, and 0.5 (not known) if the reference has none.
    """
    if not measurement.decision:
        if not measurement.reference.words:
            return UNKNOWN
        if not measurement.answer.words:
            return 0.0
    odds = compute_log_odds(measurement)
    return compute_probability(limit_odds(odds) if is_unsure(measurement) else odds)


def explain(
    prediction: str,
    reference: str | Sequence[str],
    question: str = "",
    language: str = "auto",
) -> dict[str, Any]:
    """Return the entry of `per_example`: score, verdict, interpretation, reference, reasons, note.

    The first arguments are those of `score`. The language is "en", "zh", or "auto", which stands
    for the one of `detect_language`.
    """
    references = check_texts(prediction, reference, question)
    final, thinking = remove_thinking(prediction)
    measurement = measure_answer(final, references, question)
    grade = grade_measurement(measurement)
    if language == "auto":
        language = detect_language(measurement.answer, measurement.reference)
    notes = list[Note]()
    if thinking in THINKING_NOTES:
        notes.append(THINKING_NOTES[thinking])
    notes += note_limits(measurement, language)
    return {
        "score": grade.score,
        "right": grade.right,
        "interpretation": grade.interpretation,
        "reference": measurement.reference_number,
        "reasons": [reason._asdict() for reason in find_reasons(measurement)],
        "statements": [statement._asdict() for statement in measurement.statements],
        "language": language,
        "note": "; ".join(note.sentence for note in notes) or None,
        "warnings": ["no_word"] if lacks_words(measurement) else [],
        "note_data": [{"key": note.key, **note.values} for note in notes],
    }


def lacks_words(measurement: Measurement) -> bool:
    """Return whether a reference has no word, or an answer that is not empty has none."""
    answer, reference = measurement.answer, measurement.reference
    return not reference.words or (not answer.words and bool(answer.text.strip()))


def detect_language(answer: Text, reference: Text) -> str:
    """Return "zh" or "en".

    It is "zh" for a reference with Han characters. If the reference has only Latin words and
    numbers, it is "zh" for an answer that is mostly Chinese.
    """
    if all(word.isascii() for word in reference.words):
        n_chinese = sum(HAN.match(word) is not None for word in answer.words)
        return "zh" if 2 * n_chinese > len(answer.words) else "en"
    return "zh" if reference.is_chinese else "en"


def note_limits(measurement: Measurement, language: str) -> Iterator[Note]:
    """Yield the notes on what makes an estimate weak."""
    answer, reference = measurement.answer, measurement.reference
    if not reference.words and not measurement.decision:
        sentence = "the reference has no word to look for: 0.5 stands for not knowing"
        yield Note("reference_without_word", sentence, {})
    else:
        yield from note_language(answer, reference, language)
    if reference.words:
        yield from note_words(answer)
    if not (answer.is_whole and reference.is_whole):
        sentence = f"only the first {LONGEST_TEXT:,} characters of a text are read"
        yield Note("text_cut", sentence, {"most": LONGEST_TEXT})
    if reference.words and not measurement.question.words:
        yield Note("no_question", "no question was given: the estimate knows less", {})


def note_language(answer: Text, reference: Text, language: str) -> Iterator[Note]:
    """Yield a note on texts in another language than English."""
    if language == "zh":
        sentence = "learned from English answers alone: in Chinese the estimate is weak"
        yield Note("weak_in_chinese", sentence, {})
    elif has_few_latin_words(answer, reference):
        sentence = "learned from English answers alone: in another language the estimate is weak"
        yield Note("weak_in_other_language", sentence, {})


def note_words(answer: Text) -> Iterator[Note]:
    """Yield a note on an answer without a word, or with many."""
    count = len(answer.words)
    if not count and answer.text.strip():
        yield Note("no_word", "no word in the prediction", {"sides": ["prediction"]})
    if count > LONG_ANSWER:
        sentence = f"the answer has {count} words: over {LONG_ANSWER} the estimate is weaker"
        yield Note("long_answer", sentence, {"words": count, "most": LONG_ANSWER})
