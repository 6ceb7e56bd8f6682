"""Test cases in the form of evaluate's template, whose results are the same with every model."""

test_cases = [
    {  # each token matches itself
        "predictions": ["Paris is the capital of France."],
        "references": ["Paris is the capital of France."],
        "result": {"precision": 1.0, "recall": 1.0, "f1": 1.0},
    },
    {  # of several references, the best counts
        "predictions": ["Paris is the capital of France."],
        "references": [["Cats sleep all day.", "Paris is the capital of France."]],
        "result": {"precision": 1.0, "recall": 1.0, "f1": 1.0},
    },
    {  # an empty text has no token to match: 0 by definition, so the mean of two rows is 1/2
        "predictions": ["", "Paris"],
        "references": ["Paris", "Paris"],
        "result": {"precision": 1 / 2, "recall": 1 / 2, "f1": 1 / 2},
    },
]
