"""One sentence: where the scores of one answer disagree, and why; and which of them agrees better with people.

Scores of words are compared with each other. Those of embeddings, whose scales are their own, are named after them with
what they show: likeness of subject; then the verdicts of judges, and whether they contradict the words. Rules are tried
in order, the most telling first; each looks at the reasons that the modules give and says nothing where it does not
apply. A reason is given only where those numbers show it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lens.explanations.agreement_with_people import weighed
from lens.scoring.catalog import BY_NAME, Submission
from lens.scoring.outcome import Outcome
from lens.words import say
from lens.words.formats import number, percent

Scored = Mapping[str, Outcome]
OVERLAP = ("bleu", "rouge", "lv_eval_rouge")
HIGH, LOW, CLOSE, WIDE, SAME = 0.5, 0.4, 0.25, 0.3, 0.99
# From here on an embedding score is called high. With roberta-large, unrelated texts already have a BERTScore of 0.83.
NEAR = 0.9
# From here on, and from there down, a judge is called sure.
SURE, SURE_NOT = 0.9, 0.1
MAX_KEYWORDS_SAID = 5
MAX_KEYWORD_LENGTH = 40


def explain(outcomes: Mapping[str, Outcome], submission: Submission | None = None) -> str:
    """The sentence for the outcomes of one answer, by metric name; those without a score are passed over.

    Where the texts are given, a line follows on which of the scores that disagree agrees better with people.
    """
    words, near, judged = (of_kind(outcomes, kind) for kind in ("words", "embeddings", "judges"))
    if judged and not words and not near:
        return say("v_only_judged", judged=said(judged, list(judged)))
    told = beside(words, near) + judgement(words, judged)
    if submission is None or (words and empty_answer(words)):
        return told
    return "\n".join(filter(None, (told, weighed(*camps(words, near, judged), submission))))


def of_kind(outcomes: Mapping[str, Outcome], kind: str) -> dict[str, Outcome]:
    """The outcomes of one kind of metrics that have a score."""
    return {
        name: outcome for name, outcome in outcomes.items() if outcome.score is not None and BY_NAME[name].kind == kind
    }


def beside(words: Scored, near: Scored) -> str:
    """The sentence on the scores of words, and those of embeddings beside them."""
    if near and not words:
        return say("v_only_near", near=said(near, list(near)))
    if near and len(words) == 1:
        return say("v_one_of_words", best=said(words, list(words))) + nearness(words, near)
    return compared(words) + nearness(words, near)


def compared(scored: Scored) -> str:
    """The sentence on the scores of words."""
    return next(filter(None, (rule(scored) for rule in RULES)), "") or spread(scored)


def nearness(words: Scored, near: Scored) -> str:
    """What the embeddings say beside the scores of words; nothing where there are none."""
    return say(nearness_key(words, near), near=said(near, list(near))) if near else ""


def nearness_key(words: Scored, near: Scored) -> str:
    """Which text says what the embeddings show."""
    best, least = max(value(words, name) for name in words), min(value(near, name) for name in near)
    if empty_answer(words):
        return "v_near_empty"
    if any(unknown_words(near, name) for name in near):
        return "v_near_unknown"
    if least >= NEAR and best >= HIGH:
        return "v_near_too"
    return "v_near_higher" if least > best + CLOSE else "v_near"


def judgement(words: Scored, judged: Scored) -> str:
    """What judges say beside the other scores, and whether it contradicts the words; nothing where none was asked."""
    judged = heard(judged)
    if not judged:
        return ""
    key, same = judgement_key(words, judged)
    return say(key, judged=said(judged, list(judged)), words=together([BY_NAME[name].title for name in same]))


def heard(judged: Scored) -> Scored:
    """The judges that said something of the answer: one that said neither yes nor no did not, though its score is 0."""
    return {name: one for name, one in judged.items() if reasons(judged, name).get("branch") != "neither"}


def judgement_key(words: Scored, judged: Scored) -> tuple[str, list[str]]:
    """Which text says what judges say, and the scores of words on their side.

    They contradict the words where all lie on the other side; where only some do, they side with those on their own.
    """
    right, wrong = sure(judged)
    high, low = sides(words)
    same, other = (high, low) if right else (low, high)
    if right and wrong:
        return "v_judges_split", same
    if (right or wrong) and other and len(other) == len(words):
        return "v_judged_right" if right else "v_judged_wrong", same
    return "v_judge_sides" if (right or wrong) and other and same else "v_judged", same


def sure(judged: Scored) -> tuple[list[str], list[str]]:
    """The judges that are sure that the answer is right, and those that are sure that it is wrong."""
    return divided(judged, SURE, SURE_NOT)


def sides(words: Scored) -> tuple[list[str], list[str]]:
    """The scores of words that are high, and those that are low."""
    return divided(words, HIGH, LOW)


def divided(scored: Scored, high: float, low: float) -> tuple[list[str], list[str]]:
    """The scores from `high` on, and those from `low` down."""
    return [name for name in scored if value(scored, name) >= high], [
        name for name in scored if value(scored, name) <= low
    ]


def camps(words: Scored, near: Scored, judged: Scored) -> tuple[Scored, Scored]:
    """The high and the low scores where the sentence says that scores disagree; one of them is empty where it does not.

    Embeddings are among the high ones where they are called higher, judges on either side where they are sure.
    """
    right, wrong = sure(heard(judged))
    key, _ = judgement_key(words, heard(judged))
    higher = list(near) if words and near and nearness_key(words, near) == "v_near_higher" else []
    if key == "v_judged_right":
        high, low = [*higher, *right], list(words)
    elif key == "v_judged_wrong":
        high, low = [*words, *higher], wrong
    else:
        high, low = sides(words) if key == "v_judge_sides" else camps_of_words(words)
        high, low = [*high, *higher], low or (list(words) if higher else [])
        if (high and low) or key == "v_judges_split":
            high, low = [*high, *right], [*low, *wrong]
    scored = {**words, **near, **judged}
    return {name: scored[name] for name in high}, {name: scored[name] for name in low}


def camps_of_words(words: Scored) -> tuple[list[str], list[str]]:
    """The scores of words that are high and those that are low, or else the highest and the lowest if far apart.

    None where the sentence says that they agree, though some be called high and others low.
    """
    high, low = sides(words)
    ranked = sorted(words, key=lambda name: value(words, name))
    apart = len(ranked) > 1 and value(words, ranked[-1]) - value(words, ranked[0]) >= WIDE
    if high and low:
        return (high, low) if apart or any(rule(words) for rule in RULES) else ([], [])
    return (ranked[-1:], ranked[:1]) if apart and not all_low(words) else ([], [])


def unknown_words(near: Scored, name: str) -> bool:
    """Whether a metric's model met tokens that it does not know."""
    return any(reasons(near, name).get(f"{side}_unknown", 0) > 0 for side in ("prediction", "reference"))


def reasons(scored: Scored, name: str) -> Mapping[str, Any]:
    """The reasons of one metric; empty where it gave no score."""
    return (scored[name].per_example or {}) if name in scored else {}


def value(scored: Scored, name: str) -> float:
    """The score of a metric that is there."""
    return scored[name].score or 0.0


def f_of(scored: Scored, measure: str) -> float:
    """The F of a ROUGE measure; 0 where ROUGE gave no score."""
    measures = reasons(scored, "rouge")
    return float(measures[measure]["fmeasure"]) if measures else 0.0


def said(scored: Scored, names: Sequence[str]) -> str:
    """Scores as words: "BLEU 0.88 and ROUGE-L 0.95"."""
    return together(
        [f"{BY_NAME[name].title} {BY_NAME[name].shown(value(scored, name))}" for name in names if name in scored]
    )


def together(parts: Sequence[str]) -> str:
    """Words in a row: "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return say("and_last", first=say("list_comma").join(parts[:-1]), last=parts[-1])


def span(scored: Scored) -> str:
    """Lowest to highest score as words."""
    low, high = (number(end(value(scored, name) for name in scored)) for end in (min, max))
    return low if low == high else say("from_to", low=low, high=high)


def listed(words: Sequence[str]) -> str:
    """Different keywords as words, not all of them where there are many."""
    different = list(dict.fromkeys(words))
    cut = [word if len(word) <= MAX_KEYWORD_LENGTH else word[:MAX_KEYWORD_LENGTH] + "…" for word in different]
    return say("list_comma").join([*cut[:MAX_KEYWORDS_SAID], *(["…"] if len(cut) > MAX_KEYWORDS_SAID else [])])


def too_few(scored: Scored) -> str:
    """Fewer than two scores: nothing to compare."""
    if not scored:
        return say("v_none")
    return say("v_one", best=said(scored, list(scored))) if len(scored) == 1 else ""


def empty_answer(scored: Scored) -> str:
    """No metric found a word in the answer."""
    found = any(reasons(scored, name).get("prediction_tokens") or value(scored, name) > 0 for name in scored)
    return "" if found else say("v_empty")


def wordless(scored: Scored) -> str:
    """Some metrics drop all that the answer or the reference has, and others do not."""
    sides = ("prediction_tokens", "reference_tokens")
    others = [name for name in scored if value(scored, name) > 0]
    empty = [name for name in scored if any(not reasons(scored, name).get(side, True) for side in sides)]
    silent = [name for name in empty if name not in others]
    return say("v_wordless", silent=said(scored, silent), others=said(scored, others)) if silent and others else ""


def gate_failed(scored: Scored) -> str:
    """The gate of LV-Eval F1 is not met."""
    gated = reasons(scored, "lv_eval_f1")
    if gated.get("gate_passed", True):
        return ""
    high = [name for name in OVERLAP if name in scored and value(scored, name) >= HIGH]
    opening = say("v_gate_high", overlap=said(scored, high)) if high else say("v_gate_low")
    return opening + found_of(gated) + say("v_gate_needed", threshold=percent(gated["min_keyword_recall"]))


def found_of(gated: Mapping[str, Any]) -> str:
    """How many words of the keywords were found, and what became of the others."""
    missing, banned = gated["missing_keywords"], gated["blacklisted_keywords"]
    found, total = keyword_counts(gated)
    if gated["gate"] == "reference":
        return say("v_reference_found", found=found, total=total) + (
            say("v_reference_banned", count=len(banned)) if banned else ""
        )
    if not missing:
        return say("v_banned_only", banned=listed(banned))
    text = say("v_found" if found else "v_found_none", missing=listed(missing), found=found, total=total)
    return text + (say("v_banned", banned=listed(banned)) if banned else "")


def keyword_slipped(scored: Scored) -> str:
    """A keyword is missing, and the gate was passed all the same."""
    gated = reasons(scored, "lv_eval_f1")
    if gated.get("gate") != "answer_keywords" or not gated["missing_keywords"] or value(scored, "lv_eval_f1") < HIGH:
        return ""
    found, total = keyword_counts(gated)
    return say(
        "v_slipped",
        missing=listed(gated["missing_keywords"]),
        found=found,
        total=total,
        threshold=percent(gated["min_keyword_recall"]),
        scores=said(scored, ("lv_eval_f1", *OVERLAP)),
    )


def only_case(scored: Scored) -> str:
    """The same words in the same order, but for case and punctuation, which BLEU alone minds."""
    if "bleu" not in scored or f_of(scored, "rougeL") < SAME or value(scored, "bleu") > 1 - WIDE:
        return ""
    return say("v_case", bleu=said(scored, ["bleu"]), rouge=said(scored, ["rouge"]))


def scrambled(scored: Scored) -> str:
    """The same words, or many of them, in another order."""
    one, longest = f_of(scored, "rouge1"), f_of(scored, "rougeL")
    if one < HIGH or one - longest < CLOSE:
        return ""
    key = "v_scrambled" if one >= SAME else "v_scrambled_many"
    return say(key, rouge1=number(one), ordered=said(scored, ("bleu", "rouge")))


def keywords_but_low(scored: Scored) -> str:
    """Every keyword is there, and scores are low: the answer is long, short, or in other words."""
    gated = reasons(scored, "lv_eval_f1")
    if gated.get("gate") != "answer_keywords" or gated["missing_keywords"] or gated["blacklisted_keywords"]:
        return ""
    low = [name for name in ("lv_eval_f1", *OVERLAP) if name in scored and value(scored, name) < LOW]
    length, total = gated["prediction_length"], gated["reference_length"]
    if not low or not total:
        return ""
    if length >= 2 * total:
        return say("v_long", overlap=said(scored, low), ratio=length / total)
    if total >= 2 * length:
        return say("v_short", overlap=said(scored, low), length=length, total=total)
    return say("v_reworded", overlap=said(scored, low), count=gated["overlap"], length=length)


def all_low(scored: Scored) -> str:
    """Hardly a word in common."""
    return "" if max(value(scored, name) for name in scored) >= LOW else say("v_low", span=span(scored))


def all_same(scored: Scored) -> str:
    """Almost the reference itself."""
    return say("v_same", span=span(scored)) if min(value(scored, name) for name in scored) >= SAME else ""


def spread(scored: Scored) -> str:
    """Where no rule applies: how far apart the scores are, and what sets the lowest apart, if the numbers show it."""
    ranked = sorted(scored, key=lambda name: value(scored, name))
    width = value(scored, ranked[-1]) - value(scored, ranked[0])
    if width < WIDE:
        gated = reasons(scored, "lv_eval_f1")
        unasked = gated.get("gate") in ("none", "reference") and not gated.get("note")
        return say("v_agree", width=width, span=span(scored)) + (say("v_no_keywords") if unasked else "")
    best, worst = said(scored, ranked[-1:]), said(scored, ranked[:1])
    return say("v_spread", best=best, worst=worst) + why(scored, ranked[0])


def why(scored: Scored, worst: str) -> str:
    """What sets the lowest score apart; nothing where the numbers do not show it."""
    bleu = reasons(scored, "bleu")
    if worst == "bleu" and bleu["brevity_penalty"] < 1 - WIDE:
        return say("v_why_brevity")
    if worst == "bleu" and bleu["totals"][-1]:
        return say("v_why_ngrams", count=bleu["matches"][-1], total=bleu["totals"][-1])
    return say("v_why_order") if worst == "rouge" and f_of(scored, "rouge1") - f_of(scored, "rougeL") > 0.1 else ""


RULES: tuple[Callable[[Scored], str], ...] = (
    too_few, empty_answer, gate_failed, wordless, keyword_slipped, only_case, scrambled, keywords_but_low, all_low,
    all_same,
)  # fmt: skip


def keyword_counts(reason: Mapping[str, Any]) -> tuple[int, int]:
    """How many words of the keywords count as found, and how many there are."""
    sizes = [len(reason[f"{kind}_keywords"]) for kind in ("matched", "missing", "blacklisted")]
    return sizes[0], sum(sizes)
