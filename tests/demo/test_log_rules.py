"""Which responses in a log of lm-evaluation-harness are answers, and which targets references."""

from __future__ import annotations

from typing import Any

import pytest

from tests.demo.log_samples import GENERATE, INSTRUCTIONS, Row, format_json_lines, lm_eval, read_log


def name_requests(*requests: list[Any]) -> Row:
    """Return the requests of a sample in the format of newer versions, an object."""
    by_name: Row = {}
    for number, request in enumerate(requests):
        arguments = {f"arg_{place}": argument for place, argument in enumerate(request)}
        by_name[f"gen_args_{number}"] = arguments
    return by_name


def list_requests(*requests: list[Any]) -> list[Any]:
    """Return the requests of a sample in the format of older versions, a list."""
    return list(requests)


LIKELIHOOD = ["-4.75", "False"]
# Requests and responses of one sample, and the expected answers.
REQUESTS = [
    (
        [GENERATE, ["Q?", " unanswerable"]],
        ["the Normans", LIKELIHOOD],
        ["the Normans"],
    ),
    (
        [["Q?", " no"], GENERATE],
        [LIKELIHOOD, "France"],
        ["France"],
    ),
    (
        [GENERATE, ["Q?", " a"], GENERATE, ["Q?", " b"]],
        ["x", LIKELIHOOD, "y", LIKELIHOOD],
        ["x", "y"],
    ),
    (
        [GENERATE, ["rolling"]],
        [["x", "y"], "-9.5"],
        ["x", "y"],
    ),
    (
        [["Q?", {"until": []}, {"visual": []}]],
        ["a cat"],
        ["a cat"],
    ),
    (
        [GENERATE],
        [],
        [None],
    ),
]


@pytest.mark.parametrize(("requests", "responses", "answers"), REQUESTS)
@pytest.mark.parametrize("write", [name_requests, list_requests])
def test_only_responses_to_requests_for_a_text_are_answers(
    requests: Any,
    responses: Any,
    answers: Any,
    write: Any,
) -> None:
    sample = lm_eval(arguments=write(*requests), filtered_resps=responses)
    rows, _ = read_log(format_json_lines(sample))
    assert [row["prediction"] for row in rows] == answers


def test_samples_with_only_likelihood_requests_are_left_out_and_counted() -> None:
    likely = lm_eval(
        doc_id=1,
        arguments=[["Q?", " a"], ["Q?", " b"]],
        filtered_resps=[LIKELIHOOD, LIKELIHOOD],
    )
    rows, log = read_log(format_json_lines(likely, lm_eval()))
    assert [row["id"] for row in rows] == [0]
    assert "only asked how likely given texts are, and are left out: 1." in log.describe()


# Responses of the model, outputs of the filter, and the expected answers.
FILTERED: list[tuple[Any, Any, list[str | None]]] = [
    (["It is 7."], ["[invalid]"], [None]),
    (["[invalid]"], ["[invalid]"], ["[invalid]"]),
    (["#### 7", "7"], [["7", "[invalid]"]], ["7", None]),
    (["It is 7, [sic]"], ["[no match]"], [None]),
    (["It is [sic]"], ["[sic]"], ["[sic]"]),
]


def test_a_filters_placeholder_is_no_answer_unless_the_model_wrote_it() -> None:
    samples = []
    expected: list[str | None] = []
    for number, (written, filtered, answers) in enumerate(FILTERED):
        samples.append(lm_eval(doc_id=number, resps=[written], filtered_resps=filtered))
        expected += answers
    rows, log = read_log(format_json_lines(*samples))
    assert [row["prediction"] for row in rows] == expected
    assert (
        "Where its filter found nothing in what the model wrote, there is no answer."
        in log.describe()
    )


WORKED = "48/2 = 24 pens\n48+24 = 72 pens\n#### "


def make_gsm8k_sample(
    number: int,
    response: str,
    answer: str,
    name: str,
) -> Row:
    """Return a sample of GSM8K: its target is a worked solution that ends with a number.

    Args:
        number: the number, and the sample's id.
        response: the model's response.
        answer: the output of the filter.
        name: the name of the filter.
    """
    solution = f"{WORKED}{number}"
    return lm_eval(
        doc_id=number,
        doc={"answer": solution},
        target=solution,
        resps=[[response]],
        filtered_resps=[answer],
        filter=name,
    )


def test_a_filter_that_extracts_final_answers_gets_final_answers_as_references() -> None:
    final = [
        make_gsm8k_sample(7, "So #### 7", "7", "strict"),
        make_gsm8k_sample(8, "No idea", "[invalid]", "strict"),
        make_gsm8k_sample(2900, "#### 2,900", "2900", "strict"),
    ]
    samples = [
        make_gsm8k_sample(7, "So #### 7", "So #### 7", "none"),
        make_gsm8k_sample(8, "No idea", "No idea", "none"),
    ]
    rows, log = read_log(format_json_lines(*final, *samples))
    assert [row["reference"] for row in rows] == ["7", "8", "2900"]
    assert "the reference of a worked solution is its final answer" in log.describe()

    rows, log = read_log(format_json_lines(*samples))
    assert [row["reference"] for row in rows] == [f"{WORKED}7", f"{WORKED}8"]
    assert "worked solutions" not in log.describe()


CHECK = "def check(candidate):\n    assert candidate(1) == 2\n\ncheck(increment)"
ASSERTIONS = "assert add(1, 2) == 3\nassert add(0, 0) == 0"
CODE = "def add(a, b):\n    assert a\n    return a + b"
AUTHOR = {"question": "Q?", "choices": ["Bath", "Steventon"], "answer": 1}
# A target, the sample's document, and the expected reference.
TARGETS: list[tuple[Any, Row, Any]] = [
    # A placeholder number, of a task without references.
    ("0", INSTRUCTIONS, None),
    (0, INSTRUCTIONS, None),
    ("0", INSTRUCTIONS | {"id": 0}, None),
    ("-1", {"prompt": "Write 3 lines."}, None),
    # The position of an option.
    ("1", AUTHOR, "Steventon"),
    ("B", AUTHOR, "B"),
    (
        "1",
        {
            "question": "Q?",
            "choices": {"label": ["A", "B"], "text": ["Bath", "Steventon"]},
            "key": 1,
        },
        "Steventon",
    ),
    ("0", {"question": "Q?", "options": ["Bath", "Steventon"], "right": 1}, None),
    # A number that is the answer itself.
    ("2", {"question": "Q?", "options": ["1", "2", "3"], "answer": "2"}, "2"),
    ("72", {"question": "Q?", "answer": "48+24\n#### 72"}, "72"),
    ("0", {"question": "How many?", "answer": 0}, "0"),
    ("2900", {"question": "How many?", "answer": "#### 2,900"}, "2900"),
    # Tests of a program are no reference; a program is one.
    (CHECK, {"prompt": "def increment(n):"}, None),
    (ASSERTIONS, {"text": "Add."}, None),
    (CODE, {"text": "Add."}, CODE),
    ("I assert that it is Paris.", {"question": "Q?"}, "I assert that it is Paris."),
    ("['4821', '9930']", {"outputs": ["4821", "9930"]}, ["4821", "9930"]),
]


@pytest.mark.parametrize(("target", "doc", "reference"), TARGETS)
def test_only_targets_that_answers_can_be_compared_with_are_references(
    target: Any, doc: Row, reference: Any
) -> None:
    samples = [lm_eval(doc_id=number, doc=doc, target=target) for number in range(2)]
    rows, log = read_log(format_json_lines(*samples))
    assert [row["reference"] for row in rows] == [reference, reference]
    has_none = "No sample has anything to compare an answer with" in log.describe()
    assert has_none == (reference is None)


def test_numbers_that_differ_between_samples_or_equal_an_answer_are_references() -> None:
    zero = lm_eval(target="0", doc={})
    second_sample = lm_eval(doc_id=1, target="1", doc={})
    rows, _ = read_log(format_json_lines(zero, second_sample))
    assert [row["reference"] for row in rows] == ["0", "1"]

    doc = {"question": "Which is it?", "choices": ["Bath", "Steventon"], "label": 1}
    rows, _ = read_log(format_json_lines(lm_eval(target="1", doc=doc, filtered_resps=["1"])))
    assert [row["reference"] for row in rows] == ["1"]


NUMBERS = ["4821", "9930", "1175", "6604"]
# References, an answer, the tool's scores, and whether an answer needs all references; None if that
# is unknown.
USES: list[tuple[list[str], str, Row, bool | None]] = [
    (NUMBERS, "One is 4821.", {"4096": 0.25, "8192": -1}, True),
    (NUMBERS, "One is 4821.", {"recall": 0.25, "exact": 0.0}, True),
    (NUMBERS, "One is 4821.", {"exact": 1.0}, False),
    (NUMBERS, "One is 4821.", {"exact": 0.0}, None),
    (NUMBERS, "One is 4821.", {}, None),
    (["Jane Austen", "Austen"], "Austen", {"exact": 0.5}, False),
    (["1", "12", "5"], "It is 5.", {"recall": 1 / 3}, True),
]


@pytest.mark.parametrize(("references", "answer", "scores", "needed"), USES)
def test_the_scores_in_a_log_show_whether_all_references_are_needed(
    references: list[str],
    answer: str,
    scores: Row,
    needed: bool | None,
) -> None:
    sample = lm_eval(target=str(references), filtered_resps=[answer], **scores)
    _, log = read_log(format_json_lines(sample))
    assert log.needs_all == bool(needed)
    is_open = "does not say whether an answer must name all of them" in log.describe()
    assert is_open == (needed is None)


def test_exact_scores_show_whether_all_references_are_needed() -> None:
    target = str(NUMBERS)
    one_wrong = lm_eval(target=target, filtered_resps=["4821"], exact=0.0)
    all_right = lm_eval(
        doc_id=1,
        target=target,
        filtered_resps=[", ".join(NUMBERS)],
        exact=1.0,
    )
    _, log = read_log(format_json_lines(one_wrong, all_right))
    assert log.needs_all

    one_right = lm_eval(
        doc_id=2,
        target=target,
        filtered_resps=["9930"],
        exact=1.0,
    )
    _, log = read_log(format_json_lines(one_wrong, all_right, one_right))
    assert not log.needs_all
