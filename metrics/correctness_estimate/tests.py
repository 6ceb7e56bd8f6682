"""Test cases in the form of evaluate's template."""

test_cases = [
    {  # one of two is right
        "questions": [
            "When was Pride and Prejudice published?",
            "When was Pride and Prejudice published?",
        ],
        "predictions": [
            "It was published on 28 January 1813.",
            "It was published on 28 January 1831.",
        ],
        "references": ["1813", "1813"],
        "result": {"share_right": 1 / 2},
    },
    {  # an answer without a word is not right
        "questions": ["What is the capital of France?"],
        "predictions": [""],
        "references": ["Paris"],
        "result": {"correctness_estimate": 0.0, "share_right": 0.0},
    },
    {  # a reference without a word: 0.5 stands for not knowing; the mean of 0 and 0.5
        "questions": ["What is the capital of France?", "What?"],
        "predictions": ["", "Paris"],
        "references": ["Paris", "?!"],
        "result": {"correctness_estimate": 0.25, "share_right": 0.0},
    },
]
