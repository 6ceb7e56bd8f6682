"""Test cases in the form of evaluate's template; each fraction can be worked out by hand."""

test_cases = [
    {  # represent: (0.5 + 0 + 0.5) / 3, error: (1.5 + 0 - 1) / 3
        "predictions": ['{"overall_score": 3.5}', "3", '{"overall_score": "5"}', "2.5", "3.5", "4"],
        "references": [4.0, 3.0, 4.5, 4.0, 3.5, 3.0],
        "perturbation_categories": ["represent"] * 3 + ["error"] * 3,
        "result": {
            "repr_bias": 1 / 3,
            "error_sensitivity": 1 / 6,
            "n_scored": 6,
            "unparsed": 0,
        },
    },
    # thinking is not the answer, the last object counts, and 9 is outside the range: that row could
    # have any deviation from 0 to 3
    {
        "predictions": [
            '<think>{"overall_score": 1}</think>{"overall_score": 4}',
            "1, or {'overall_score': 2}?",
            "9",
        ],
        "references": [3.0, 4.0, 4.0],
        "perturbation_categories": ["represent", "error", "represent"],
        "score_range": [1, 5],
        "signature": True,
        "result": {
            "repr_bias": 1.0,
            "repr_bias_bounds": [1 / 2, 4 / 2],
            "error_sensitivity_bounds": [-1.0, 3.0],
            "n_scored": 1,
            "unparsed": 2,
        },
    },
    # scores that rise for errors: the sensitivity is below 0. With two rows on a scale of 4 points
    # the interval has all possible means
    {
        "predictions": [
            '```json\n{"reasoning": "Fluent.", "overall_score": 4.5}\n```',
            '{"overall_score": 3.5}',
        ],
        "references": [4.0, 3.0],
        "perturbation_categories": ["error", "error"],
        "score_range": [1, 5],
        "signature": True,
        "result": {
            "error_sensitivity": -1 / 2,
            "error_sensitivity_interval": [-4.0, 4.0],
            "n_represent": 0,
        },
    },
]
