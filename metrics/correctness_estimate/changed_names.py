"""Find a changed name in an answer: the First Federal Bank for the First National Bank.

names.py finds other persons, and same_names.py compares an answer that is just a name.
"""

from .names import asks_for_person, is_full_name
from .outcomes import LIKELY, UNLIKELY, Decision
from .same_names import (
    ShortName,
    compare_short_names,
    has_missing_word,
    read_expected_name,
    read_short_name,
)
from .text import Text

LONGEST_APART = 25  # words of an answer in which a surname may stand without its given name
NAME_LINKS = frozenset("of the for".split())


def decide_changed_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Return UNLIKELY if the only name that shares a part with the reference's is another one.

    None if the answer has all words of the reference's name. But "Cristina Kahlo, the sister of
    Frida" does not name Frida Kahlo.
    """
    expected = read_expected_name(reference)
    if not expected or len(expected.words) < 2 or says_more_of_person(question, expected):
        return None
    is_apart = stands_apart(answer, reference)
    if answer.has_all_content(reference) and not is_apart:
        return None
    wanted = set(reference.content) - question.places.keys()
    if is_apart:
        wanted = set(reference.content[-1:])
    names = [name for name in join_names(answer) if any(answer.stems[i] in wanted for i in name)]
    if len(names) != 1:
        return None
    name = Text(answer.span(names[0].start, names[0].stop))
    said = read_short_name(name)
    if not said or (not is_apart and has_missing_word(said, expected, answer)):
        return None
    if compare_short_names(name, reference, question) != UNLIKELY:
        return None
    return Decision(UNLIKELY, "name", name.text, reference.text.strip())


def decide_other_name(answer: Text, reference: Text, question: Text) -> Decision | None:
    """Decide by the letters if a question asks for another name of what it names.

    Mumbai and Bombay are read as one name, but here only Bombay is right: what was Mumbai called?
    """
    wanted = reference.raw.strip(" .")
    is_other_name = (
        reference.text.strip(" .") != wanted and wanted.lower() not in question.raw.lower()
    )
    if not is_other_name or not question.has_all_content(reference) or answer.denials:
        return None
    has_name = wanted.lower() in answer.raw.lower()
    return Decision(LIKELY if has_name else UNLIKELY, "name", answer.raw.strip(), wanted)


def says_more_of_person(question: Text, expected: ShortName) -> bool:
    """Return whether a question asks for a person and a name is no office.

    Of persons, names.py compares the given name and the surname.
    """
    return bool(question.words) and asks_for_person(question) and not expected.is_office


def stands_apart(answer: Text, reference: Text) -> bool:
    """Return whether a given name stands in no clause of a short answer with its surname."""
    if len(answer.words) > LONGEST_APART or not is_full_name(reference):
        return False
    given = answer.places.get(reference.stems[0], [])
    surname = answer.places.get(reference.stems[-1], [])
    if not given or not surname or given[0] < surname[0]:
        return False  # Frida, the daughter of Guillermo Kahlo
    return {answer.clause[i] for i in given}.isdisjoint(answer.clause[i] for i in surname)


def join_names(text: Text) -> list[range]:
    """Return the names of a text, those with "of the" and the like between them as one."""
    names = list[range]()
    for start, stop in text.names:
        between = range(names[-1].stop, start) if names else range(0)
        is_linked = between and NAME_LINKS.issuperset(text.words[between.start : between.stop])
        if is_linked and text.clause[between.start - 1] == text.clause[start]:
            names[-1] = range(names[-1].start, stop)
        else:
            names.append(range(start, stop))
    return names
