"""What the scores of one answer come to: whether it is right, its reason, and the card that
explains it.

The first line is that of the estimate, and of a judge that was asked (answer_headline.py). The
second says where the scores of words disagree, with that verdict or among themselves, and which to
believe. Its rules are tried in order, the most telling first; each looks at the reasons that the
modules give and says nothing where it does not apply. Scores of embeddings, whose scales are their
own, are only named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from lens.explanations.agreement_with_people import (
    PROBABILITY,
    agreement,
    data_language,
    language_name,
)
from lens.explanations.answer_headline import Headline, describe_headline, is_against
from lens.explanations.estimate_reasons import (
    DIFFERENCES,
    capitalize,
    describe_reason,
)
from lens.scoring.catalog import BY_NAME, ESTIMATE, KEYWORD_GATE, LONGEST_SEQUENCE, WORD_ORDER
from lens.scoring.metric_result import MetricResult
from lens.words import join_sentences, say
from lens.words.formats import cut_text, format_number, format_percent
from lens.words.notes import Note

# Scores by metric, and the reasons that their modules give.
Scores = Mapping[str, float]
Reasons = Mapping[str, Mapping[str, Any]]

# Scores above, below, this far apart, and from which on two texts are the same.
HIGH, LOW, CLOSE, WIDE, SAME = 0.5, 0.4, 0.25, 0.3, 0.99
MAX_KEYWORDS_SAID, MAX_KEYWORD, MAX_DIFFERENCES = 5, 40, 3
# First lines on texts that no score of words can compare.
NOT_COMPARABLE = ("headline.empty_reference", "headline.other_characters")
# The warning of a module on words that differ only in how Unicode writes them.
UNICODE = "unicode"


class Verdict(NamedTuple):
    """One line, its reason, the metric whose card explains it, and the scores that stand apart from
    most.
    """

    line: str
    reason: str = ""
    metric: str = ""
    apart: Sequence[str] = ()


class Finding(NamedTuple):
    """What a rule finds: a line and its reasons, not yet in words, and the metric whose card
    explains it.
    """

    line: Note | None
    reasons: Sequence[Note | str] = ()
    metric: str = ""


def verdict(results: Mapping[str, MetricResult], multi_reference: str = "first") -> Verdict:
    """Return what the results for one answer come to; those without a score are passed over.

    Where they read different references, which one a word is missing from is the metric's own
    matter.
    """
    scores = {name: one.score for name, one in results.items() if one.score is not None}
    why = {name: results[name].reasons for name in scores}
    words, near, judged = (choose_kind(scores, kind) for kind in ("words", "embeddings", "judges"))
    # A judge that said neither yes nor no said nothing, though its score is 0.
    judged = {name: score for name, score in judged.items() if why[name].get("branch") != "neither"}
    if not scores:
        return Verdict(say("explain.line.none"))
    if len(words) > 1 and is_empty_answer(words, why):
        return Verdict(say("explain.line.empty"))
    headline = describe_headline(results.get(ESTIMATE), judged, repeats_reference(words))
    line = capitalize(str(headline.line))
    if has_several_references(results):
        return Verdict(
            line,
            join_sentences(
                as_sentence(Note("explain.line.several")),
                say(f"explain.several_references.{multi_reference}"),
            ),
        )
    if len(words) < 2:
        is_alone = ESTIMATE not in scores
        return Verdict(
            line,
            as_sentence(Note("explain.line.only", {"scores": describe_scores(scores)}))
            if is_alone
            else "",
        )
    if headline.line.key in NOT_COMPARABLE:
        return Verdict(line)
    finding = describe_disagreement(words, why, headline)
    reason = join_sentences(
        *describe_differences(why.get(ESTIMATE, {}), headline),
        as_sentence(finding.line) if finding.line else "",
        *map(str, finding.reasons),
        describe_near(near, why),
        describe_judged(judged),
    )
    metric = ESTIMATE if headline.is_right is not None or headline.difference else finding.metric
    return Verdict(line, reason, metric, list_apart(words, headline))


def as_sentence(note: Note) -> str:
    """Return a line as a sentence."""
    return capitalize(say("difference.sentence", what=note))


def repeats_reference(words: Scores) -> bool:
    """Return whether the answer is the reference almost word for word."""
    return len(words) > 1 and min(words.values()) >= SAME


def list_apart(words: Scores, headline: Headline) -> list[str]:
    """Return the scores of words that are far from the others, but for those that agree with the
    verdict.
    """
    if not words:
        return []
    middle = median(words.values())
    apart = [name for name, score in words.items() if abs(score - middle) >= WIDE]
    if headline.is_right is None:
        return apart
    return [name for name in apart if (words[name] >= HIGH) != headline.is_right]


def describe_differences(entry: Mapping[str, Any], headline: Headline) -> list[str]:
    """Return the differences against the answer that the headline does not say; nothing where it
    calls the answer right.
    """
    if headline.is_right:
        return []
    against = filter(is_against, entry.get("reasons", ()))
    differences = [reason for reason in against if reason["kind"] in DIFFERENCES]
    said = as_sentence(headline.difference) if headline.difference else ""
    unsaid = [sentence for sentence in map(describe_reason, differences) if sentence != said]
    return list(dict.fromkeys(unsaid))[:MAX_DIFFERENCES]


def describe_disagreement(words: Scores, why: Reasons, headline: Headline) -> Finding:
    """Return where the scores of words disagree with the verdict or among themselves, and which to
    believe.
    """
    rule = apply_rules(words, why)
    if rule:
        # Beside a difference, that only the case or the order differs would be said against it.
        keeps_line = rule.metric == KEYWORD_GATE or headline.difference is None
        return rule if keeps_line else rule._replace(line=None)
    finding = describe_spread(words, why)
    if headline.is_right is None:
        return finding
    misled = {name: score for name, score in words.items() if is_misled(score, headline.is_right)}
    if not misled:
        # That the scores agree, with each other and with the verdict, is no news.
        is_news = finding.line and finding.line.key not in (
            "explain.line.same",
            "explain.line.agree",
        )
        return finding if is_news else Finding(None, (), finding.metric)
    key = "explain.reason.low_yet_right" if headline.is_right else "explain.reason.high"
    reasons: list[Note | str] = [Note(key, {"scores": describe_scores(misled)})]
    if finding.line and finding.line.key == "explain.line.long":
        reasons += finding.reasons
    return Finding(None, [*reasons, *describe_evidence(misled, why.get(ESTIMATE, {}))], ESTIMATE)


def is_misled(score: float, is_right: bool) -> bool:
    """Return whether a score of words is low for an answer that is right, or high for one that is
    wrong.
    """
    return score < LOW if is_right else score >= HIGH


def describe_evidence(misled: Scores, entry: Mapping[str, Any]) -> list[Note]:
    """Return that the estimate is to be believed, and what that was measured on; nothing where it
    was not measured.
    """
    data = agreement()
    measured = {
        name: one["overall"][0] for name, one in data["scores"].items() if one.get("overall")
    }
    known = [measured[name] for name in misled if measured.get(name) is not None]
    estimate = measured.get(ESTIMATE)
    if (
        entry.get("interpretation") != PROBABILITY
        or estimate is None
        or not known
        or estimate <= max(known)
    ):
        return []
    values = {
        "estimate": format_number(estimate),
        "words": format_number(max(known)),
        "answers": data["answers"],
    }
    language = language_name(data_language(data))
    return [
        Note("explain.reason.believe", {**values, "language": language, "title": data["title"]})
    ]


def has_several_references(results: Mapping[str, MetricResult]) -> bool:
    """Return whether not all metrics read the same of several references."""
    places = {one.reasons["reference"] for one in results.values() if "reference" in one.reasons}
    return len(places) > 1


def is_empty_answer(words: Scores, why: Reasons) -> bool:
    """Return whether the answer has no word that a score could compare."""
    return not any(words.values()) and not any(why[name].get("prediction_tokens") for name in words)


def apply_rules(words: Scores, why: Reasons) -> Finding | None:
    """Return what the first rule finds that applies."""
    for rule in (find_other_unicode, find_gate, find_other_order, find_low_with_keywords):
        finding = rule(words, why)
        if finding:
            return finding
    return None


def choose_kind(scores: Scores, kind: str) -> Scores:
    """Return the scores of one kind of metrics, without the estimate,
    a probability among scores.
    """
    return {
        name: score
        for name, score in scores.items()
        if BY_NAME[name].kind == kind and name != ESTIMATE
    }


def describe_scores(scores: Scores) -> str:
    """Return scores as words: "BLEU 0.88 and ROUGE-L 0.95"."""
    *first, last = (
        f"{BY_NAME[name].title} {BY_NAME[name].shown(score)}" for name, score in scores.items()
    )
    return (
        say("page.and_last", first=say("page.list_comma").join(first), last=last) if first else last
    )


def describe_near(near: Scores, why: Reasons) -> str:
    """Return what the scores of embeddings are worth; nothing without any."""
    if not near:
        return ""
    unknown = any(
        why[name].get(f"{side}_unknown") for name in near for side in ("prediction", "reference")
    )
    return say(
        "explain.reason.near_unknown" if unknown else "explain.reason.near",
        near=describe_scores(near),
    )


def describe_judged(judged: Scores) -> str:
    """Return the verdicts of judges; nothing without any."""
    return say("explain.reason.judged", judged=describe_scores(judged)) if judged else ""


def describe_high(words: Scores) -> list[Note]:
    """Return which scores of words are high all the same; nothing where none is."""
    high = {name: score for name, score in words.items() if score >= HIGH}
    return [Note("explain.reason.high", {"scores": describe_scores(high)})] if high else []


def list_keywords(words: Sequence[str]) -> str:
    """Return different keywords as words, not all of them where there are many."""
    shown = [cut_text(word, MAX_KEYWORD) for word in dict.fromkeys(words)]
    if len(shown) > MAX_KEYWORDS_SAID:
        shown = [*shown[:MAX_KEYWORDS_SAID], "…"]
    return say("page.list_comma").join(shown)


def find_other_unicode(words: Scores, why: Reasons) -> Finding | None:
    """Find words that are the same to a reader, and not to the scores of words, as the modules
    warn.
    """
    for name in words:
        if UNICODE in (why[name].get("warnings") or ()):
            return Finding(Note("explain.line.unicode"), [Note("explain.reason.unicode")], name)
    return None


def find_gate(words: Scores, why: Reasons) -> Finding | None:
    """Find that the gate of LV-Eval F1 is not met, or that it is though a keyword is missing."""
    gated = why.get(KEYWORD_GATE, {})
    if not gated or gated["gate"] == "none":
        return None
    is_passed, is_reference = gated["gate_passed"], gated["gate"] == "reference"
    missing = [] if is_reference else gated["missing_keywords"]
    if is_passed and (not missing or words[KEYWORD_GATE] < HIGH):
        return None
    # Without keywords the gate is worth a word only where it alone makes the score low.
    if is_reference and max(words.values()) < HIGH:
        return None
    reasons = []
    if missing:
        reasons.append(Note("explain.reason.missing", {"missing": list_keywords(missing)}))
    found, total = keyword_counts(gated)
    needed = {
        "found": found,
        "total": total,
        "threshold": format_percent(gated["min_keyword_recall"]),
    }
    reasons.append(
        Note("explain.reason.gate_reference" if is_reference else "explain.reason.gate", needed)
    )
    if not is_passed:
        banned = gated["blacklisted_keywords"]
        reasons += (
            [Note("explain.reason.banned", {"banned": list_keywords(banned)})] if banned else []
        )
        reasons += describe_high(words)
    line = "explain.line.slipped" if is_passed else "explain.line.gate"
    return Finding(
        Note("explain.line.gate_reference" if is_reference else line), reasons, KEYWORD_GATE
    )


def find_other_order(words: Scores, why: Reasons) -> Finding | None:
    """Find the same words but for case and punctuation, which BLEU alone minds; or they, or many,
    in another order.
    """
    if LONGEST_SEQUENCE not in words:
        return None
    unordered, longest = why[LONGEST_SEQUENCE]["rouge1"]["fmeasure"], words[LONGEST_SEQUENCE]
    bleu = words.get(WORD_ORDER, 1.0)
    ordered = describe_scores(
        {name: words[name] for name in (WORD_ORDER, LONGEST_SEQUENCE) if name in words}
    )
    if longest >= SAME and bleu <= 1 - WIDE:
        return Finding(
            Note("explain.line.case"),
            [Note("explain.reason.case", {"scores": ordered})],
            WORD_ORDER,
        )
    if unordered < HIGH or unordered - longest < CLOSE:
        return None
    reason = Note(
        "explain.reason.scrambled", {"rouge1": format_number(unordered), "ordered": ordered}
    )
    return Finding(
        Note("explain.line.scrambled" if unordered >= SAME else "explain.line.scrambled_many"),
        [reason],
        LONGEST_SEQUENCE,
    )


def find_low_with_keywords(words: Scores, why: Reasons) -> Finding | None:
    """Find that every keyword is there, and scores are low: the answer is long, short, or in other
    words.
    """
    gated = why.get(KEYWORD_GATE, {})
    if (
        gated.get("gate") != "answer_keywords"
        or gated["missing_keywords"]
        or gated["blacklisted_keywords"]
    ):
        return None
    length, total = gated["prediction_length"], gated["reference_length"]
    if not total or min(words.values()) >= LOW:
        return None
    key = "short" if total >= 2 * length else "reworded"
    if length >= 2 * total:
        key = "long"
    values = {"ratio": length / total, "length": length, "total": total, "count": gated["overlap"]}
    return Finding(
        Note(f"explain.line.{key}"), [Note(f"explain.reason.{key}", values)], KEYWORD_GATE
    )


def describe_spread(words: Scores, why: Reasons) -> Finding:
    """Return what holds where no rule applies.

    All of the reference stands among much else, hardly a word is shared, or it is almost the
    reference itself; else how far apart the scores are, and what the lowest of them asks.
    """
    low, *_, high = sorted(words, key=words.__getitem__)
    if words[high] < LOW:
        recall = why.get(LONGEST_SEQUENCE, {}).get("rouge1", {}).get("recall", 0.0)
        if recall >= SAME:
            return Finding(
                Note("explain.line.long"), [Note("explain.reason.contained")], LONGEST_SEQUENCE
            )
        return Finding(None, [Note("explain.reason.low")], LONGEST_SEQUENCE)
    if words[low] >= SAME:
        return Finding(Note("explain.line.same"), metric=LONGEST_SEQUENCE)
    if words[high] - words[low] < WIDE:
        ends = {"low": format_number(words[low]), "high": format_number(words[high])}
        return Finding(Note("explain.line.agree", ends), metric=LONGEST_SEQUENCE)
    ends = {
        "best": describe_scores({high: words[high]}),
        "worst": describe_scores({low: words[low]}),
    }
    metric = BY_NAME[low]
    return Finding(
        Note("explain.line.spread", ends), [metric.title + say("page.colon") + metric.measures], low
    )


def keyword_counts(reason: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many words of the keywords count as found, and how many there are."""
    sizes = [len(reason[f"{kind}_keywords"]) for kind in ("matched", "missing", "blacklisted")]
    return sizes[0], sum(sizes)
