"""The texts of a row that are scored.

Thinking is removed from answers, and final answers are extracted if the user asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from lens.tables.final_answer import Tags, remove_thinking
from lens.tables.final_marks import find_final, find_own_final

# What happens to the thinking in an answer: it is set aside, or scored with the rest.
REASONING = ("aside", "keep")
# Codes for final answers: one was extracted, or none was found and the whole text is scored.
FINAL, NO_FINAL = "final", "no_final"


def read_answer(
    text: str,
    reasoning: str = REASONING[0],
    final: str = "",
    tags: Tags = (),
) -> tuple[str, tuple[str, ...]]:
    r"""Return the scored part of an answer, and codes of what was done to it.

    The codes are "aside" and "unfinished" (of `remove_thinking`), "final" and "no_final".

    >>> read_answer("<think>5?</think> so 4"), read_answer(r"so \boxed{4}.", final="boxed")
    (('so 4', ('aside',)), ('4', ('final',)))
    >>> read_answer("4", final="Answer:")
    ('4', ('no_final',))
    """
    answer = text
    codes: list[str] = []
    if reasoning == "aside":
        answer, thinking_code = remove_thinking(text, tags)
        if thinking_code:
            codes.append(thinking_code)
    if not final or not answer.strip():
        return answer, tuple(codes)
    final_answer = find_final(answer, final)
    if final_answer is None:
        return answer, (*codes, NO_FINAL)
    return final_answer, (*codes, FINAL)


def read_final_references(texts: Sequence[str], final: str) -> tuple[list[str], str]:
    r"""Return the final answers of a row's references, and a code.

    The code is "final" if at least one reference has a final answer, "no_final" if none has. It is
    empty if no final answer was asked for. A reference without a final answer stays whole.

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
    """Return the final answer of a reference, or None.

    It follows the given mark, or else one of the marks that worked solutions use (#### or a box).
    """
    answer = find_final(text, mark)
    if answer is not None:
        return answer
    mark_and_answer = find_own_final(text)
    return mark_and_answer[1] if mark_and_answer else None
