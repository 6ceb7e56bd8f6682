"""Test cases in the form of evaluate's template; each fraction can be worked out by hand."""

test_cases = [
    # 红楼梦 and 曹雪芹 are common; without 的 and 是 the answer has 3 words, the reference 4 (《 is
    # one)
    {
        "predictions": ["红楼梦的作者是曹雪芹"],
        "references": ["《红楼梦》是曹雪芹写的"],
        "result": {"lv_eval_rouge": 2 * (2 / 3 * 2 / 4) / (2 / 3 + 2 / 4 + 1e-8)},
    },
    {  # an identical pair scores 0.999999995, as the rouge package adds 1e-8 to the denominator
        "predictions": ["北京是中国的首都"],
        "references": ["北京是中国的首都"],
        "result": {"lv_eval_rouge": 2 / (2 + 1e-8)},
    },
    {  # nothing in common
        "predictions": ["不知道"],
        "references": ["北京是中国的首都"],
        "result": {"lv_eval_rouge": 0.0},
    },
]
