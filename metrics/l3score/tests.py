"""Test cases in the form of evaluate's template; `replies` has the judge's reply to each row."""


def make_reply(*candidates: tuple[str, float]) -> dict[str, object]:
    """Return a reply whose first token has these candidates, each with its log-probability."""
    listed = [{"token": token, "logprob": logprob} for token, logprob in candidates]
    message = {"role": "assistant", "content": candidates[0][0]}
    choice = {
        "message": message,
        "finish_reason": "length",
        "logprobs": {"content": [{"top_logprobs": listed}]},
    }
    return {"choices": [choice]}


# Natural logarithms of probabilities.
LN_60, LN_10, LN_5 = -0.5108256237659907, -2.3025850929940455, -2.995732273553991

test_cases = [
    {  # yes 0.6 and no 0.1: 0.6 / (0.6 + 0.1)
        "questions": ["What is the capital of France?"],
        "predictions": ["Paris"],
        "references": ["Paris"],
        "replies": [make_reply(("Yes", LN_60), ("No", LN_10))],
        "result": {"L3Score": 6 / 7, "n_neither": 0},
    },
    # no is not listed: the least likely candidate has 0.05, and all unlisted tokens have 0.1; the
    # smaller counts: 0.6 / (0.6 + 0.05)
    {
        "questions": ["What is the capital of Germany?"],
        "predictions": ["Berlin"],
        "references": ["Berlin"],
        "replies": [
            make_reply(("Yes", LN_60), ("I", LN_10), ("The", LN_10), ("Sure", LN_5), ("True", LN_5))
        ],
        "result": {"L3Score": 0.6 / 0.65},
    },
    {  # neither is listed: 0 by definition, and counted
        "questions": ["What is the capital of Germany?"],
        "predictions": ["Moscow"],
        "references": ["Berlin"],
        "replies": [make_reply(("The", LN_60), ("A", LN_10))],
        "result": {
            "L3Score": 0.0,
            "n_scored": 1,
            "n_failed": 0,
            "n_neither": 1,
        },
    },
]
