"""The texts of a row that are scored.

Answers without thinking, final answers on request, several references.
"""

from __future__ import annotations

from collections.abc import Sequence

from lens.tables.final_answer import Tags, remove_thinking
from lens.tables.final_marks import find_final, find_own_final

# What becomes of an answer's thinking aloud: it is set aside, or kept and scored with the rest.
REASONING = ("aside", "keep")
# What was left out of an answer, or of a reference: its final answer was taken, or none was found.
FINAL, NO_FINAL = "final", "no_final"


def read_answer(
    text: str,
    reasoning: str = REASONING[0],
    final: str = "",
    tags: Tags = (),
) -> tuple[str, tuple[str, ...]]:
    r"""Return what is scored of an answer, and codes of what was left out of it.

    >>> read_answer("<think>5?</think> so 4"), read_answer(r"so \boxed{4}.", final="boxed")
    (('so 4', ('aside',)), ('4', ('final',)))
    >>> read_answer("4", final="Answer:")
    ('4', ('no_final',))
    """
    answer = text
    left_out: list[str] = []
    if reasoning == REASONING[0]:
        answer, thinking = remove_thinking(text, tags)
        if thinking:
            left_out.append(thinking)
    if not final or not answer.strip():
        return answer, tuple(left_out)
    final_answer = find_final(answer, final)
    if final_answer is None:
        return answer, (*left_out, NO_FINAL)
    return final_answer, (*left_out, FINAL)


def read_final_references(texts: Sequence[str], final: str) -> tuple[list[str], str]:
    r"""Return the final answers of a row's references, and whether they have one.

    It is "final" or "no_final", and "" where no final answer was asked for.

    >>> read_final_references(["6*12 = 72\n#### 72", "72"], "The answer is")
    (['72', '72'], 'final')
    """
    if not final:
        return list(texts), ""
    answers = [find_reference_final(text, final) for text in texts]
    code = FINAL if any(answers) else NO_FINAL
    references = [answer or text for answer, text in zip(answers, texts, strict=True)]
    return references, code


def find_reference_final(text: str, mark: str) -> str | None:
    """Return the final answer of a reference.

    It stands behind the mark, else behind a mark that worked solutions have of their own.
    """
    answer = find_final(text, mark)
    if answer is not None:
        return answer
    own = find_own_final(text)
    return own[1] if own else None
