"""Test cases in the form of evaluate's template, for all-MiniLM-L6-v2; checked to 6 decimals."""

test_cases = [
    {  # the vectors of identical texts have the same direction
        "predictions": ["Paris is the capital of France."],
        "references": ["Paris is the capital of France."],
        "result": {"average_cosine_similarity": 1.0},
    },
    {  # the nearest reference counts
        "predictions": ["Paris is the capital of France."],
        "references": [["Cats sleep all day.", "Paris is the capital of France."]],
        "result": {"average_cosine_similarity": 1.0},
    },
    {  # the mean over the rows
        "predictions": ["The capital is Paris.", "The capital is Paris."],
        "references": ["The capital is Paris.", "The capital is Rome."],
        "result": {"average_cosine_similarity": (1 + 0.5791669) / 2},
    },
]
