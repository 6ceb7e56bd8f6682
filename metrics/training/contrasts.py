"""Make up answers in full sentences, with the right answer affirmed, denied or one of several."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from metrics.training.compositions import (
    compose_contrast,
    compose_denial,
    join_candidates,
    list_candidates,
)
from metrics.training.questions import MadeAnswer, Question
from metrics.training.sampler import Sampler
from metrics.training.text_edits import (
    has_reference_with_context,
    lower_first_letter,
    replace_phrase,
    upper_first_letter,
)

# One line of at most 250 characters before its last full stop, without : ; ? !. It may have several
# sentences. It does not begin with "No", "As an" ("As an AI ...") or "Yes" (nor "Yesterday").
PLAIN_ANSWER = re.compile(r"(?!As an|Yes|No\b)[^\n:;?!]{1,250}?\.?")
# The beginning of "who wrote emma": the rest is the predicate of a sentence with the answer.
WHO = re.compile(r"who (?!'s)", re.I)
# Beginnings of a sentence that does not say which candidate is right.
GUESSES = ["", "I think ", "One of ", "Either ", "Perhaps ", "Possibly "]
# One of these is drawn; a number that is listed twice is drawn twice as often.
NUMBERS_OF_DISTRACTORS = [2, 3, 4, 4]


class DistractorPair(NamedTuple):
    """A question, the reference for its made-up answers, and a distractor."""

    question: Question
    reference: str
    distractor: str


class Contrast(NamedTuple):
    """What an answer affirms, and what it denies."""

    affirmed: str
    denied: str


class Frame(NamedTuple):
    """A right answer, and the reference in it, which another phrase can replace."""

    sentence: str
    reference: str


class SentenceWriter:
    """Writes sentences that give a phrase as the answer to a question."""

    def __init__(self, question: Question, sampler: Sampler) -> None:
        self.sampler = sampler
        self.frames = find_frames(question)
        self.predicate = None
        if who := WHO.match(question.text):
            self.predicate = question.text[who.end() :].rstrip(" ?.")

    def can_write(self) -> bool:
        """Return whether sentences can be made: from a right answer or from the question."""
        return bool(self.frames) or self.predicate is not None

    def write_sentence(self, phrase: str) -> str:
        """Return a sentence with a phrase as the answer, without a full stop."""
        if not self.frames:
            return f"{phrase} {self.predicate}"
        if self.predicate is not None and self.sampler.rng.random() < 0.4:
            return f"{phrase} {self.predicate}"
        frame = self.sampler.choose(self.frames)
        sentence = replace_phrase(frame.sentence, frame.reference, phrase) or ""
        return sentence.rstrip(" .")

    def embed(self, phrase: str) -> str:
        """Return a sentence with a phrase as the answer, for use within another sentence."""
        return lower_first_letter(self.write_sentence(phrase))


def find_frames(question: Question) -> list[Frame]:
    """Return the right answers on one line that have a reference with context."""
    frames = []
    for answer in question.right_answers:
        if not PLAIN_ANSWER.fullmatch(answer):
            continue
        for reference in question.references:
            if has_reference_with_context(answer, reference):
                frames.append(Frame(answer, reference))
    return frames


def make_contrasts(pair: DistractorPair, sampler: Sampler) -> Iterator[MadeAnswer]:
    """Yield answers in full sentences.

    They are contrasts, denials, an affirmation and lists of candidates.
    """
    question, reference = pair.question, pair.reference
    writer = SentenceWriter(question, sampler)
    if not sampler.has_wordings("contrast_phrases") or not writer.can_write():
        return
    reference_denied = Contrast(affirmed=pair.distractor, denied=reference)
    for answer in write_contrasts(reference_denied, writer):
        yield question.make_answer("not X but Y", answer, False)
    distractor_denied = Contrast(affirmed=reference, denied=pair.distractor)
    for answer in write_contrasts(distractor_denied, writer):
        yield question.make_answer("right, other denied", answer, True)
    for _ in range(2):
        template = compose_denial(sampler)
        denial = template.format(x=reference, sx=writer.embed(reference))
        yield question.make_answer("denial", denial, False)
    template = sampler.choose_wording("affirmed_claims")
    affirmation = template.format(sx=writer.embed(reference))
    yield question.make_answer("right", f"{affirmation}.", True)
    for answer in write_candidates(pair, writer):
        yield question.make_answer("several candidates", answer, False)


def write_contrasts(contrast: Contrast, writer: SentenceWriter) -> list[str]:
    """Return answers that affirm one thing and deny another."""
    sampler = writer.sampler
    within_sentence = contrast_in_sentence(contrast, writer)
    sentences = contrast_in_two_sentences(contrast, writer)
    templates = [sampler.choose_wording("sentence_contrasts")]
    templates += [compose_contrast(sampler) for _ in range(2)]
    composed = [fill_template(template, contrast, writer) for template in templates]
    if sampler.rng.random() >= 0.6:
        sentences.reverse()
    answers = [within_sentence, " ".join(sentences), *composed]
    return [upper_first_letter(answer) for answer in answers]


def fill_template(template: str, contrast: Contrast, writer: SentenceWriter) -> str:
    """Return a wording filled with the denied and the affirmed phrase, alone and as sentences."""
    return template.format(
        x=contrast.denied,
        y=contrast.affirmed,
        sx=writer.embed(contrast.denied),
        sy=writer.embed(contrast.affirmed),
    )


def contrast_in_sentence(contrast: Contrast, writer: SentenceWriter) -> str:
    """Return a sentence that has the contrast in place of its answer, or begins with "Unlike"."""
    sampler = writer.sampler
    template = sampler.choose_wording("contrast_phrases")
    phrase = template.format(x=contrast.denied, y=contrast.affirmed)
    if sampler.rng.random() < 0.3:
        opener = sampler.choose_wording("openers")
        sentence = f"{opener} {writer.embed(phrase)}"
    else:
        sentence = writer.write_sentence(phrase)
    # This takes the place of the sentence above, whose random choices are made all the same.
    if sampler.rng.random() < 0.2:
        template = sampler.choose_wording("truths")
        sentence = writer.embed(contrast.affirmed)
        truth = template.format(y=contrast.affirmed, sy=sentence)
        return f"Unlike {contrast.denied}, {truth}"
    return sentence


def contrast_in_two_sentences(contrast: Contrast, writer: SentenceWriter) -> list[str]:
    """Return a denial, and a sentence that affirms the other phrase."""
    sampler = writer.sampler
    asides = [f"{aside}." for aside in sampler.wordings["asides"]]
    denial = sampler.choose(sampler.wordings["denials"] + asides)
    sentence = writer.write_sentence(contrast.affirmed)
    return [denial.format(x=contrast.denied), f"{sentence}."]


def write_candidates(pair: DistractorPair, writer: SentenceWriter) -> list[str]:
    """Return a sentence and a list with several candidates, which do not say which is right."""
    sampler = writer.sampler
    distractors = sampler.choose_distractors(pair.question, pair.reference, NUMBERS_OF_DISTRACTORS)
    guess = sampler.choose(GUESSES)
    candidate_list = list_candidates(pair.reference, distractors, sampler.rng)
    candidates = join_candidates(pair.reference, distractors, sampler.rng)
    return [writer.write_sentence(guess + candidates), candidate_list]
