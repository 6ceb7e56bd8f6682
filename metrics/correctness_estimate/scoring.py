"""How likely people would call an answer right: a probability from words alone, with its reasons.

    log odds = agreement - what takes the answer back - sum over objections: weight * evidence

1. Agreement: how much of the reference the answer has, and where (features.py). A small ensemble of
   trees reads it; beside a long reference the mean of four shares of its words joins in.
2. What takes the answer back: it denies what it has, sets it aside, or names several candidates
   (polarity.py). A second ensemble reads that, where the answer has a word that may do so.
3. Objections: facts that differ, such as another number, another name, an item that is missing
   (facts.py, contradictions.py, lists.py, roles.py). Each kind has a weight, and a reason counts by
   just that.
4. Where the reference is a value, an option, or yes or no, these decide (decisions.py).

Of several references the one nearest by words counts. The log odds are calibrated on the verdicts
of people (Platt 1999, "Probabilistic outputs for support vector machines"). Thinking aloud, such as
<think>...</think>, is set aside first; where it has no end there is no answer.

The numbers stand in model.py, written by `make estimate` from EVOUNA's Natural Questions (Wang et
al. 2023, "Evaluating Open-QA Evaluation", arXiv 2305.12421; Apache-2.0) and made-up answers. The
trees are gradient boosting (Friedman 2001, "Greedy function approximation"), made by scikit-learn
and read here without it. There is no original that this reproduces. It measures agreement with the
references and not truth; it is no reward to train on.

To copy it, take the whole folder but the files that name evaluate or gradio: it needs nothing but
Python.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .final_answer import ASIDE, UNFINISHED, remove_thinking
from .formula import compute_log_odds, compute_probability, limit_odds
from .interpretation import PROBABILITY, interpret, is_unsure
from .measure import Measurement, measure_answer
from .model import THRESHOLD
from .reasons import find_reasons
from .text import HAN, LONGEST_TEXT, Text

LANGUAGES = ("en", "zh")
UNKNOWN = 0.5  # where a reference has no word to look for
LONG_ANSWER = 40  # words: beyond, the estimate is known to be weak


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
    names = [
        f"reference[{i}]" if len(references) > 1 else "reference" for i in range(len(references))
    ]
    named = [
        ("prediction", prediction),
        *zip(names, references, strict=True),
        ("question", question),
    ]
    for name, text in named:
        if not isinstance(text, str):
            raise TypeError(f"{name} is {text!r:.80} ({type(text).__name__}); a string is expected")
    if not references:
        raise ValueError("reference is an empty list; at least one reference is needed")
    return references


def measure_prediction(
    prediction: str, reference: str | Sequence[str], question: str
) -> Measurement:
    """Return an answer set beside its references, its thinking set aside.

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
    """A score, what it may be taken for (see interpretation.py), and the verdict: None where it is
    no probability.
    """

    score: float
    interpretation: str
    right: bool | None


def grade_answer(prediction: str, reference: str | Sequence[str], question: str = "") -> Grade:
    """Return `score` with what it may be taken for; arguments and errors are its.

    >>> grade_answer("on 28 January 1831", "1813", "When was it published?")[1:]
    ('probability', False)
    >>> grade_answer("李白", "李白").interpretation
    'likeness'
    """
    return grade_measurement(measure_prediction(prediction, reference, question))


def grade_measurement(measurement: Measurement) -> Grade:
    """Return the score of an answer that was measured, with what it may be taken for."""
    probability = estimate(measurement)
    interpretation = interpret(measurement)
    right = probability >= THRESHOLD if interpretation == PROBABILITY else None
    return Grade(probability, interpretation, right)


def estimate(measurement: Measurement) -> float:
    """Return the probability: 0 for an answer without a word, 0.5 (not known) where the reference
    has none.
    """
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
    """Return the entry of `per_example`: score, verdict, interpretation, which reference counted,
    the reasons, a note.

    The arguments are those of `score`, and the language: "auto" goes by `detect_language`.
    """
    references = check_texts(prediction, reference, question)
    final, thinking = remove_thinking(prediction)
    measurement = measure_answer(final, references, question)
    answer, known = measurement.answer, measurement.reference
    grade = grade_measurement(measurement)
    if language == "auto":
        language = detect_language(answer, known)
    notes = [THINKING_NOTES[thinking]] if thinking in THINKING_NOTES else []
    notes += note_limits(measurement, language)
    is_silent = not known.words or (not answer.words and bool(answer.text.strip()))
    return {
        "score": grade.score,
        "right": grade.right,
        "interpretation": grade.interpretation,
        "reference": measurement.reference_number,
        "reasons": [reason._asdict() for reason in find_reasons(measurement)],
        "statements": [statement._asdict() for statement in measurement.statements],
        "language": language,
        "note": "; ".join(note.sentence for note in notes) or None,
        "warnings": ["no_word"] if is_silent else [],
        "note_data": [{"key": note.key, **note.values} for note in notes],
    }


def detect_language(answer: Text, reference: Text) -> str:
    """Return "zh" for a reference with Han characters, or without a word but Latin ones and numbers
    beside an answer that is mostly in Chinese; else "en".
    """
    if all(word.isascii() for word in reference.words):
        chinese = sum(bool(HAN.match(word)) for word in answer.words)
        return "zh" if 2 * chinese > len(answer.words) else "en"
    return "zh" if reference.is_chinese else "en"


def note_limits(measurement: Measurement, language: str) -> Iterator[Note]:
    """Yield what makes an estimate worth little."""
    answer, reference = measurement.answer, measurement.reference
    latin = sum(word.isascii() for word in answer.words + reference.words)
    if not reference.words:
        yield Note(
            "reference_without_word",
            "the reference has no word to look for: 0.5 stands for not knowing",
            {},
        )
    elif language == "zh":
        yield Note(
            "weak_in_chinese",
            "learned from English answers alone: in Chinese the estimate is weak",
            {},
        )
    elif 2 * latin < len(answer.words) + len(reference.words):
        sentence = "learned from English answers alone: in another language the estimate is weak"
        yield Note("weak_in_other_language", sentence, {})
    if reference.words and not answer.words and answer.text.strip():
        yield Note("no_word", "no word in the prediction", {"sides": ["prediction"]})
    if reference.words and len(answer.words) > LONG_ANSWER:
        sentence = (
            f"the answer has {len(answer.words)} words: over {LONG_ANSWER} the estimate is weaker"
        )
        yield Note("long_answer", sentence, {"words": len(answer.words), "most": LONG_ANSWER})
    if not (answer.is_whole and reference.is_whole):
        sentence = f"only the first {LONGEST_TEXT:,} characters of a text are read"
        yield Note("text_cut", sentence, {"most": LONGEST_TEXT})
    if reference.words and not measurement.question.words:
        yield Note("no_question", "no question was given: the estimate knows less", {})
