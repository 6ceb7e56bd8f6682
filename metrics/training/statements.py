"""Turn English questions and their answers into sentences."""

import re

from metrics.training.text_edits import upper_first_letter
from metrics.training.verbs import PAST_OF_BASE, VERBS, find_past_form

# "who wrote the novel emma", "which river flows through paris", "what company made the ipod"
WHO_DOES = re.compile(
    r"(?:who|which [\w ]{2,30}?|what [\w]{3,15}) (?P<predicate>(?P<verb>\w+) .+)", re.I
)
# "what is the capital of france"
WHAT_IS = re.compile(r"(?:what|who|which) (?P<verb>is|was|are|were) (?P<subject>.+)", re.I)
# "when did the berlin wall fall", "where is the louvre located"
WHEN = re.compile(
    r"(?P<adverb>when|where) (?P<auxiliary>did|was|were|is|are|does|do) (?P<rest>.+)", re.I
)
# A verb in its base form, or a participle, after the subject.
FINAL_VERB = "|".join([*PAST_OF_BASE, *VERBS["final_verbs"]])
CLAUSE = re.compile(rf"(?P<subject>.+) (?P<verb>{FINAL_VERB})(?P<tail>.*)")
PREPOSITION = re.compile(r"(?:in|on|at|from|near)\b", re.I)


def write_statement(question: str, answer: str) -> str | None:
    """Return a question as a sentence with its answer; None if the question has no usual form.

    >>> write_statement("who wrote the novel emma", "Jane Austen")
    'Jane Austen wrote the novel emma.'
    >>> write_statement("when did the berlin wall fall", "1989")
    'The berlin wall fell in 1989.'
    """
    question = question.strip().rstrip("?. ")
    if when := WHEN.fullmatch(question):
        sentence = state_when(when, answer)
    elif what := WHAT_IS.fullmatch(question):
        sentence = f"{what['subject']} {what['verb']} {answer}."
    elif who := WHO_DOES.fullmatch(question):
        sentence = f"{answer} {who['predicate']}."
    else:
        sentence = None
    return sentence and upper_first_letter(sentence)


def state_when(question: re.Match[str], answer: str) -> str | None:
    """Return a question with when or where as a sentence with its answer.

    Return None if the question is not recognised.
    """
    clause = CLAUSE.fullmatch(question["rest"])
    if not clause:
        return None
    auxiliary = question["auxiliary"]
    if auxiliary.lower() in ("did", "does", "do"):
        predicate = find_past_form(clause["verb"])
    else:
        predicate = f"{auxiliary} {clause['verb']}"
    place = add_preposition(answer, question["adverb"].lower())
    return f"{clause['subject']} {predicate}{clause['tail']} {place}."


def add_preposition(answer: str, adverb: str) -> str:
    """Return a place or a time with its preposition."""
    if PREPOSITION.match(answer):
        return answer
    is_year = len(answer) == len("1989")
    if adverb == "where" or is_year:
        return f"in {answer}"
    return f"on {answer}"
