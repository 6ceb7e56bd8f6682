"""Test cases in the form of evaluate's template; their results are the same for every model."""

MODEL = {"model": "HuggingFaceTB/SmolLM2-135M", "progress": False}

test_cases = [
    # identical texts are equally likely: a tie, which is no win; an empty text has log-probability
    # 0, more than any other
    {
        "prompts": ["Score the recipe.", "Score the recipe."],
        "chosen": ["Score: 4", ""],
        "rejected": ["Score: 4", "Score: 2"],
        "groups": ["llm_to_formula_100pct", "action_antonym_100pct"],
        **MODEL,
        "result": {"reward_accuracy": 1 / 2, "ties": 1, "n": 2},
    },
    {  # relative to itself as the reference, every text has the reward 0
        "prompts": ["Score the recipe."],
        "chosen": ["Score: 4"],
        "rejected": ["Score: 2"],
        **MODEL,
        "reference_model": MODEL["model"],
        "beta": 0.1,
        "result": {
            "reward_accuracy": 0.0,
            "mean_margin": 0.0,
            "ties": 1,
            "n": 1,
        },
    },
    {  # margins 1, -1/2, 0 and 1/2: two of four pairs are won, one is a tie
        "configuration": "logprobs",
        "chosen": [-1.0, -3.0, -2.0, -4.0],
        "rejected": [-2.0, -2.5, -2.0, -4.5],
        "result": {
            "reward_accuracy": 2 / 4,
            "mean_margin": 1 / 4,
            "ties": 1,
            "n": 4,
        },
    },
]
