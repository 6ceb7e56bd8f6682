"""What the scores of one answer come to: one line, its reason, and the card that explains it.

What differs between answer and reference comes first, as correctness_estimate names it: whatever the scores say, a
number that differs is the news. Then a judge that contradicts the words, then where the scores of words disagree, and
why. Those rules are tried in order, the most telling first; each looks at the reasons that the modules give and says
nothing where it does not apply. Scores of embeddings, whose scales are their own, are only named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from lens.explanations.agreement_with_people import PROBABILITY
from lens.scoring.catalog import BY_NAME, ESTIMATE, KEYWORD_GATE, LONGEST_SEQUENCE, WORD_ORDER
from lens.scoring.metric_result import MetricResult
from lens.words import say, sentences
from lens.words.formats import HAN, cut, number, percent

# Scores by metric, and the reasons that their modules give.
Scores = Mapping[str, float]
Reasons = Mapping[str, Mapping[str, Any]]

# What the answer makes of a statement of the reference, and what it says besides.
STATEMENTS = ("said", "differs", "missing", "besides")
HIGH, LOW, CLOSE, WIDE, SAME = 0.5, 0.4, 0.25, 0.3, 0.99
# From here on, and from there down, a judge is called sure, and an estimate.
SURE, SURE_NOT = 0.9, 0.1
MAX_KEYWORDS_SAID, MAX_KEYWORD, MAX_QUOTED = 5, 40, 120
# What is read at one glance; a Chinese character is as wide as two letters.
MAX_WORDS, MAX_WIDTH = 15, 100
# The warning of a module on words that differ only in how Unicode writes them.
UNICODE = "unicode"
# The estimate's reason that the answer says the same: a value, an option, yes or no, a name by its initials, a text.
SAME_VALUE = "same"
# The estimate's reasons that are a difference between the texts: those with one thing instead of another, with
# something more or less, and those that take all of the answer back.
INSTEAD = (
    "number", "date", "unit", "option", "formula", "yes_no", "name", "surname", "given_name", "opposite", "coarser",
    "roles", "asked", "swapped", "moved",
)  # fmt: skip
MORE_OR_LESS = ("partial", "added", "either")
DIFFERENCES = (*INSTEAD, *MORE_OR_LESS, "denied", "candidates", "refusal")
# What of a difference stands in the answer, and what in the reference: of a partial list the answer lacks the rest.
IN_ANSWER = tuple(kind for kind in DIFFERENCES if kind != "partial")
IN_REFERENCE = (*INSTEAD, "partial", "denied")


class Verdict(NamedTuple):
    """One line, its reason, the metric whose card explains it, and the scores that stand apart from most."""

    line: str
    reason: str = ""
    metric: str = ""
    apart: Sequence[str] = ()


def verdict(outcomes: Mapping[str, MetricResult], multi_reference: str = "first") -> Verdict:
    """What the outcomes of one answer come to, by metric name; those without a score are passed over. Where they read
    different references, which one a word is missing from is the metric's own matter.
    """
    if len({one.reasons["reference"] for one in outcomes.values() if "reference" in one.reasons}) > 1:
        return Verdict(say("l_several"), say(f"several_{multi_reference}"))
    scored = {name: one.score for name, one in outcomes.items() if one.score is not None}
    why = {name: outcomes[name].reasons for name in scored}
    words, near, judged = (of_kind(scored, kind) for kind in ("words", "embeddings", "judges"))
    # A judge that said neither yes nor no said nothing, though its score is 0.
    judged = {name: one for name, one in judged.items() if why[name].get("branch") != "neither"}
    if len(words) < 2:
        return Verdict(say("l_only", scores=said(scored)) if scored else say("l_none"))
    if not any(words.values()) and not any(why[name].get("prediction_tokens") for name in words):
        return Verdict(say("l_empty"))
    rule = by_writing(words, why) or by_keywords(words, why) or by_order(words, why) or keywords_but_low(words, why)
    found = rule or spread(words, why)
    estimate = scored.get(ESTIMATE)
    if found.line == say("l_low") and estimate is not None and is_probability(why) and not SURE_NOT <= estimate <= SURE:
        line = say("l_sure_right" if estimate > SURE else "l_sure_wrong", estimate=percent(estimate))
        found = Verdict(line, say("v_sure_right") if estimate > SURE else "", ESTIMATE)
    if line := contradiction(words, judged):
        found = found._replace(line=line, metric=next(iter(judged)))
    found = by_estimate(words, why.get(ESTIMATE, {}), rule) or found
    unknown = any(why[name].get(f"{side}_unknown") for name in near for side in ("prediction", "reference"))
    reason = sentences(
        found.reason,
        say("v_near_unknown" if unknown else "v_near", near=said(near)) if near else "",
        say("v_judged", judged=said(judged)) if judged else "",
    )
    # An embedding has a scale of its own.
    middle = median(words.values())
    apart = [name for name, one in scored.items() if name not in near and abs(one - middle) >= WIDE]
    return Verdict(begun(found.line), reason, found.metric, apart)


def by_estimate(words: Scores, entry: Mapping[str, Any], rule: Verdict | None) -> Verdict | None:
    """What the estimate's reasons say: the same value, or what differs where the answer does not count as right."""
    reasons = entry.get("reasons", ())
    if reasons and reasons[0]["kind"] == SAME_VALUE:
        why = sentences(say("d_sentence", what=rule.line), rule.reason) if rule else ""
        return Verdict(same_value_line(reasons[0]), why, ESTIMATE)
    differences = [one for one in reasons if one["kind"] in DIFFERENCES]
    if not differences or entry.get("right"):
        return None
    line = difference_line(differences[0], bool(high_told(words)))
    others = [reason_told(one) for one in differences[:3] if in_full(one) not in line]
    return Verdict(line, sentences(*others, rule.reason if rule else high_told(words)), ESTIMATE)


def is_probability(why: Reasons) -> bool:
    """Whether the estimate is a probability: of short facts, as it was learned from."""
    return bool(why[ESTIMATE].get("interpretation") == PROBABILITY)


def statements_of(reasons: Mapping[str, Any]) -> tuple[str, list[Mapping[str, Any]]]:
    """What the answer makes of the statements of a long reference: a line with their counts, and each; nothing of a
    short one.
    """
    found = list(reasons.get("statements") or ())
    counts = {kind: sum(one["kind"] == kind for one in found) for kind in STATEMENTS}
    if not found:
        return "", []
    told = [say(f"st_{kind}_count", count=counts[kind]) for kind in STATEMENTS[1:] if counts[kind]]
    line = say("st_said_count", count=counts["said"], all=len(found) - counts["besides"])
    return say("list_comma").join([line, *told]), found


def of_kind(scored: Scores, kind: str) -> Scores:
    """The scores of one kind of metrics, without the estimate, a probability among scores."""
    return {name: one for name, one in scored.items() if BY_NAME[name].kind == kind and name != ESTIMATE}


def said(scored: Scores) -> str:
    """Scores as words: "BLEU 0.88 and ROUGE-L 0.95"."""
    *first, last = (f"{BY_NAME[name].title} {BY_NAME[name].shown(one)}" for name, one in scored.items())
    return say("and_last", first=say("list_comma").join(first), last=last) if first else last


def difference_line(difference: Mapping[str, Any], high: bool) -> str:
    """The line on a difference, with what stands instead of what, where that is read at one glance; where the scores of
    words are `high`, not to trust them.
    """
    short = say(f"d_{difference['kind']}")
    whole = in_full(difference) if difference["kind"] in (*INSTEAD, *MORE_OR_LESS) else short
    lines = [say("l_distrust", what=whole), whole, say("l_distrust", what=short)] if high else [whole]
    return next((line for line in lines if fits(line)), short)


def in_full(difference: Mapping[str, Any]) -> str:
    """What differs, and what stands there."""
    kind = difference["kind"]
    form = "d_instead" if kind in INSTEAD else "d_lacking" if kind == "partial" else "d_quoted"
    return say(form, what=say(f"d_{kind}"), **quoted(difference))


def same_value_line(reason: Mapping[str, Any]) -> str:
    """The line on an answer that has the value of the reference, with both where they are written otherwise."""
    whole = say("l_same_value_in", **quoted(reason))
    return whole if reason["found"] != reason["expected"] and fits(whole) else say("l_same_value")


def reason_told(reason: Mapping[str, Any]) -> str:
    """A reason of the estimate in a sentence."""
    if reason["kind"] in DIFFERENCES:
        return begun(say("d_sentence", what=in_full(reason)))
    return say(f"why_{reason['kind']}", **quoted(reason))


def quoted(reason: Mapping[str, Any]) -> dict[str, str]:
    """What a reason found, and what it looked for, where that is not too long."""
    return {key: cut(reason[key], MAX_QUOTED) for key in ("found", "expected")}


def high_told(words: Scores) -> str:
    """Which scores of words are high all the same; nothing where none is."""
    high = {name: one for name, one in words.items() if one >= HIGH}
    return say("v_high", scores=said(high)) if high else ""


def fits(line: str) -> bool:
    """Whether a line is read at one glance."""
    return len(line.split()) <= MAX_WORDS and len(line) + len(HAN.findall(line)) <= MAX_WIDTH


def begun(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def listed(words: Sequence[str]) -> str:
    """Different keywords as words, not all of them where there are many."""
    shown = [cut(word, MAX_KEYWORD) for word in dict.fromkeys(words)]
    return say("list_comma").join([*shown[:MAX_KEYWORDS_SAID], *["…"] * (len(shown) > MAX_KEYWORDS_SAID)])


def contradiction(words: Scores, judged: Scores) -> str:
    """The line on judges that contradict each other, or all the scores of words; nothing where they do not."""
    right = any(one >= SURE for one in judged.values())
    wrong = any(one <= SURE_NOT for one in judged.values())
    if right and wrong:
        return say("l_judges_split")
    if right and max(words.values()) <= LOW:
        return say("l_judged_right")
    return say("l_distrust", what=say("d_judged")) if wrong and min(words.values()) >= HIGH else ""


def by_writing(words: Scores, why: Reasons) -> Verdict | None:
    """Words that are the same to a reader, and not to the scores of words, as the modules' notes say."""
    told = [name for name in words if UNICODE in (why[name].get("warnings") or ())]
    return Verdict(say("l_unicode"), say("v_unicode"), told[0]) if told else None


def by_keywords(words: Scores, why: Reasons) -> Verdict | None:
    """The gate of LV-Eval F1 is not met, or it is though a keyword is missing."""
    gated = why.get(KEYWORD_GATE, {})
    if not gated or gated["gate"] == "none":
        return None
    passed, own = gated["gate_passed"], gated["gate"] == "reference"
    missing = [] if own else gated["missing_keywords"]
    if passed and (not missing or words[KEYWORD_GATE] < HIGH):
        return None
    found, total = keyword_counts(gated)
    needed = {"found": found, "total": total, "threshold": percent(gated["min_keyword_recall"])}
    banned = gated["blacklisted_keywords"]
    reason = sentences(
        say("v_missing", missing=listed(missing)) if missing else "",
        say("v_gate_reference" if own else "v_gate", **needed),
        say("v_banned", banned=listed(banned)) if banned and not passed else "",
        "" if passed else high_told(words),
    )
    return Verdict(say("l_slipped" if passed else "l_gate"), reason, KEYWORD_GATE)


def by_order(words: Scores, why: Reasons) -> Verdict | None:
    """The same words but for case and punctuation, which BLEU alone minds; or they, or many, in another order."""
    if LONGEST_SEQUENCE not in words:
        return None
    one, longest, bleu = (
        why[LONGEST_SEQUENCE]["rouge1"]["fmeasure"],
        words[LONGEST_SEQUENCE],
        words.get(WORD_ORDER, 1.0),
    )
    ordered = {name: words[name] for name in (WORD_ORDER, LONGEST_SEQUENCE) if name in words}
    if longest >= SAME and bleu <= 1 - WIDE:
        return Verdict(say("l_case"), say("v_case", scores=said(ordered)), WORD_ORDER)
    if one < HIGH or one - longest < CLOSE:
        return None
    reason = say("v_scrambled", rouge1=number(one), ordered=said(ordered))
    return Verdict(say("l_scrambled" if one >= SAME else "l_scrambled_many"), reason, LONGEST_SEQUENCE)


def keywords_but_low(words: Scores, why: Reasons) -> Verdict | None:
    """Every keyword is there, and scores are low: the answer is long, short, or in other words."""
    gated = why.get(KEYWORD_GATE, {})
    if gated.get("gate") != "answer_keywords" or gated["missing_keywords"] or gated["blacklisted_keywords"]:
        return None
    length, total = gated["prediction_length"], gated["reference_length"]
    if not total or min(words.values()) >= LOW:
        return None
    key = "long" if length >= 2 * total else "short" if total >= 2 * length else "reworded"
    reason = say(f"v_{key}", ratio=length / total, length=length, total=total, count=gated["overlap"])
    return Verdict(say(f"l_{key}"), reason, KEYWORD_GATE)


def spread(words: Scores, why: Reasons) -> Verdict:
    """Where no rule applies: all of the reference among much else, hardly a word in common, or almost the reference
    itself; else how far apart the scores are, and what the lowest of them asks.
    """
    low, *_, high = sorted(words, key=words.__getitem__)
    if words[high] < LOW and why.get(LONGEST_SEQUENCE, {}).get("rouge1", {}).get("recall", 0.0) >= SAME:
        return Verdict(say("l_long"), say("v_contained"), LONGEST_SEQUENCE)
    if words[high] < LOW:
        return Verdict(say("l_low"), say("v_low"), LONGEST_SEQUENCE)
    if words[low] >= SAME:
        return Verdict(say("l_same"), "", LONGEST_SEQUENCE)
    if words[high] - words[low] < WIDE:
        unasked = why.get(KEYWORD_GATE, {}).get("gate") in ("none", "reference")
        line = say("l_agree", low=number(words[low]), high=number(words[high]))
        return Verdict(line, say("v_no_keywords") if unasked else "", LONGEST_SEQUENCE)
    best, worst = (said({name: words[name]}) for name in (high, low))
    metric = BY_NAME[low]
    return Verdict(say("l_spread", best=best, worst=worst), metric.title + say("colon") + metric.measures, low)


def keyword_counts(reason: Mapping[str, Any]) -> tuple[int, int]:
    """How many words of the keywords count as found, and how many there are."""
    sizes = [len(reason[f"{kind}_keywords"]) for kind in ("matched", "missing", "blacklisted")]
    return sizes[0], sum(sizes)
