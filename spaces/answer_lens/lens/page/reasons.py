"""The reasons for each score, drawn from the dict that a module gives for one answer under `per_example`.

One function per metric; all it knows is the documented names in that dict.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from lens.explanations.disagreement import keyword_counts
from lens.page.html import bar, escape, legend, listed, measured, token, words
from lens.words import say
from lens.words.formats import number, percent

PerExample = Mapping[str, Any]
ROUGE_MEASURES = (("rouge1", "ROUGE-1"), ("rouge2", "ROUGE-2"), ("rougeL", "ROUGE-L"), ("rougeLsum", "ROUGE-Lsum"))


def draw_texts(reason: PerExample, blacklist_note: str = "") -> str:
    """Answer and reference with their words marked, and the legend."""
    answer, reference, language = reason["prediction_tokens"], reason["reference_tokens"], reason["language"]
    return (
        words(say("answer_words"), answer, "extra", say("answer_only"), language)
        + words(say("reference_words"), reference, "missing", say("missing"), language)
        + legend(answer, reference, blacklist_note)
    )


def draw_chips(title: str, kind: str, chips: Sequence[str]) -> str:
    """A line of keywords that share a fate."""
    drawn = " ".join(token(chip, "", kind) for chip in chips[:50])
    return f'<div class="al-chips"><dt>{title}</dt><dd>{drawn}</dd></div>' if chips else ""


def draw_gate(reason: PerExample) -> str:
    """Keyword recall against its threshold, and which keywords were found."""
    gate, recall, threshold = reason["gate"], reason["keyword_recall"], reason["min_keyword_recall"]
    if gate in ("none", "off") or recall is None or threshold is None:
        return f'<p class="al-gate">{say("gate_off" if gate == "off" else "gate_none")}</p>'
    name = say("keyword_recall" if gate == "answer_keywords" else "reference_recall")
    passed = bool(reason["gate_passed"])
    verdict = say("gate_passed" if passed else "gate_failed", threshold=percent(threshold))
    found, total = keyword_counts(reason)
    detail = say("of_keywords", count=found, total=total)
    rows = listed([measured(name, recall, detail, threshold)])
    chips = ""
    if gate == "answer_keywords":
        chips = (
            draw_chips(say("keywords_matched"), "matched", reason["matched_keywords"])
            + draw_chips(say("keywords_missing"), "missing", reason["missing_keywords"])
            + draw_chips(say("keywords_blacklisted"), "blacklisted", reason["blacklisted_keywords"])
        )
    mark = "✓" if passed else "✕"
    state = "al-passed" if passed else "al-failed"
    return (
        f'<div class="al-gate {state}">{rows}<p><span aria-hidden="true">{mark}</span> {verdict}</p>'
        f"{f'<dl>{chips}</dl>' if chips else ''}</div>"
    )


def draw_lv_eval_f1(reason: PerExample) -> str:
    """The gate, then F1 and what it is made of."""
    rows = [
        measured(
            say("precision"),
            reason["precision"],
            say("of_answer", count=reason["overlap"], total=reason["prediction_length"]),
        ),
        measured(
            say("recall"),
            reason["recall"],
            say("of_reference", count=reason["overlap"], total=reason["reference_length"]),
        ),
    ]
    if not reason["gate_passed"]:
        rows.insert(0, measured(say("before_gate"), reason["f1"]))
    return draw_gate(reason) + listed(rows) + draw_texts(reason, say("blacklist_note"))


def draw_lv_eval_rouge(reason: PerExample) -> str:
    """Precision, recall and the words in common."""
    common = reason["lcs_words"]
    in_answer = say("of_distinct_answer", count=common, total=reason["prediction_words"])
    in_reference = say("of_distinct_reference", count=common, total=reason["reference_words"])
    rows = [
        measured(say("precision"), reason["precision"], in_answer),
        measured(say("recall"), reason["recall"], in_reference),
    ]
    return listed(rows) + draw_texts(reason, say("blacklist_removed"))


def draw_bleu(reason: PerExample) -> str:
    """The four n-gram precisions and the brevity penalty."""
    orders = zip(reason["precisions"], reason["matches"], reason["totals"], strict=True)
    rows = [
        measured(say("ngrams", n=n), value, say("of_ngrams", count=matched, total=total))
        for n, (value, matched, total) in enumerate(orders, start=1)
    ]
    rows.append(measured(say("brevity"), reason["brevity_penalty"]))
    detail = say("length_ratio", ratio=reason["length_ratio"], tokenizer=reason["tokenizer"])
    return f'{listed(rows)}<p class="al-detail">{escape(detail)}</p>{draw_texts(reason)}'


def draw_rouge(reason: PerExample) -> str:
    """The four ROUGE measures with F, precision and recall."""
    rows = "".join(
        f'<tr><th scope="row">{title}</th>'
        f"<td>{bar(reason[key]['fmeasure'])}<span>{escape(number(reason[key]['fmeasure']))}</span></td>"
        f"<td>{escape(number(reason[key]['precision']))}</td><td>{escape(number(reason[key]['recall']))}</td></tr>"
        for key, title in ROUGE_MEASURES
    )
    heads = "".join(f'<th scope="col">{say(key)}</th>' for key in ("measure", "f", "p", "r"))
    return f'<table class="al-table"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{draw_texts(reason)}'


def length_row(reason: PerExample, side: str) -> str:
    """How many tokens a text has, against what the model reads."""
    length, limit = reason[f"{side}_length"], reason["max_length"]
    shown = f"{length:,}" if limit is None else say("of_at_most", length=length, limit=limit)
    drawn = "" if limit is None else bar(length, high=limit)
    return f'<div class="al-row al-length"><dt>{say(f"{side}_tokens")}</dt><dd>{drawn}<span>{shown}</span></dd></div>'


def draw_lengths(reason: PerExample) -> str:
    """How long the two texts are for the model, and what it left unread."""
    return listed([length_row(reason, side) for side in ("prediction", "reference")]) + draw_cuts(reason)


def draw_cuts(reason: PerExample) -> str:
    """What the model left unread because a text is too long for it."""
    return "".join(
        f'<p class="al-note">{say(f"{side}_cut", limit=reason["max_length"])}</p>'
        for side in ("prediction", "reference")
        if reason[f"{side}_truncated"]
    )


def draw_cosine_similarity(reason: PerExample) -> str:
    """How to read the number, and how much of the texts the model read."""
    return f'<p class="al-how">{say("how_cosine")}</p>{draw_lengths(reason)}'
