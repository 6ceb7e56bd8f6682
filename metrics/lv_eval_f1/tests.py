"""Test cases in the form of evaluate's template; each fraction can be worked out by hand."""

test_cases = [
    {  # both keywords found; 5 of the answer's 6 words and 5 of the reference's 7 are in both
        "predictions": ["Doreen Mantle played Mrs Warboys well"],
        "references": ["Mrs. Warboys was played by Doreen Mantle"],
        "answer_keywords": ["Doreen Mantle"],
        "result": {"lv_eval_f1": 10 / 13},
    },
    {  # the keyword is not in the answer: the score is 0, however many words are in both
        "predictions": ["The falls are on the border between the United States and Mexico."],
        "references": ["The falls are on the border between the United States and Canada."],
        "answer_keywords": ["Canada"],
        "result": {"lv_eval_f1": 0.0},
    },
    {  # 北京大学 is found; each text has 4 words, of which 他, 在 and 北京大学 are in both
        "predictions": ["他在北京大学读书"],
        "references": ["他在北京大学学习"],
        "answer_keywords": ["北京大学"],
        "result": {"lv_eval_f1": 3 / 4},
    },
    # Without keywords, the 3 words of a Chinese reference are the keywords. The answer has 加拿大
    # and 在, but 在 is blacklisted: a recall of 1/3, which is below 0.4.
    {
        "predictions": ["多伦多在加拿大"],
        "references": ["渥太华在加拿大"],
        "answer_keywords": [""],
        "result": {"lv_eval_f1": 0.0},
    },
]
