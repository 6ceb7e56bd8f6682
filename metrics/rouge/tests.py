"""Test cases in the form of evaluate's template; each fraction can be worked out by hand."""

test_cases = [
    # 2 of 3 words against 2 of 4; 1 of 2 pairs against 1 of 3; "the cat" is the common subsequence
    {
        "predictions": ["the cat sat"],
        "references": ["the cat was sitting"],
        "result": {
            "rouge1": 4 / 7,
            "rouge2": 2 / 5,
            "rougeL": 4 / 7,
            "rougeLsum": 4 / 7,
        },
    },
    {  # all words, no order: of 4 words one remains in sequence
        "predictions": ["four three two one"],
        "references": ["one two three four"],
        "result": {
            "rouge1": 1.0,
            "rouge2": 0.0,
            "rougeL": 1 / 4,
            "rougeLsum": 1 / 4,
        },
    },
    {  # Chinese words by jieba: 北京 / 是 / 中国 / 的 / 首都 against 南京 / 是 / 中国 / 的 / 城市
        "predictions": ["北京是中国的首都"],
        "references": ["南京是中国的城市"],
        "result": {
            "rouge1": 3 / 5,
            "rouge2": 2 / 4,
            "rougeL": 3 / 5,
            "rougeLsum": 3 / 5,
        },
    },
    {  # other scripts by their own letters
        "predictions": ["Москва столица"],
        "references": ["Москва столица России"],
        "result": {
            "rouge1": 4 / 5,
            "rouge2": 2 / 3,
            "rougeL": 4 / 5,
            "rougeLsum": 4 / 5,
        },
    },
]
