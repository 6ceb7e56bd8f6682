"""Test cases in the form of evaluate's template; each fraction can be worked out by hand."""

test_cases = [
    {  # 4 of 5 words, 3 of 4 pairs, 2 of 3 triples, 1 of 2 quadruples; both texts have 5 words
        "predictions": ["the cat sat down quietly"],
        "references": ["the cat sat down again"],
        "result": {
            "bleu": (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4),
            "precisions": [4 / 5, 3 / 4, 2 / 3, 1 / 2],
        },
    },
    {  # all n-grams are right, but there are 4 words instead of 5: brevity penalty exp(1 - 5/4)
        "predictions": ["the cat sat down"],
        "references": ["the cat sat down again"],
        "result": {
            "bleu": 2.718281828459045 ** (1 - 5 / 4),
            "sentence_bleu": 2.718281828459045 ** (1 - 5 / 4),
        },
    },
    # One word has no 2-grams, 3-grams and 4-grams. The corpus score needs them, so it is 0; the
    # sentence score uses only the n-grams that the answer has.
    {
        "predictions": ["Paris"],
        "references": ["Paris"],
        "result": {"bleu": 0.0, "sentence_bleu": 1.0},
    },
    {  # Chinese is scored by characters
        "predictions": ["北京是中国的首都"],
        "references": ["北京是中国的首都"],
        "result": {"bleu": 1.0, "sentence_bleu": 1.0},
    },
]
