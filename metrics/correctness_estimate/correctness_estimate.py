"""The correctness estimate as a metric of evaluate. What is computed: scoring.py."""

from statistics import fmean
from typing import Any

import datasets
import evaluate

from .additions import find_additions
from .answer_sentences import Sentence
from .asked_clauses import decide_asked_clause
from .asked_opposites import decide_asked_opposite
from .asked_roles import decide_asked_role
from .bounds import decide_bound
from .candidates import Candidate
from .changed_names import decide_changed_name
from .formulas import decide_chemical
from .chinese_names import find_differing_chinese_names, is_same_chinese_name
from .chinese_roles import measure_chinese_exchange
from .code_answers import decide_code
from .comparisons import decide_comparison
from .conclusions import read_conclusion
from .comparisons import decide_contest
from .contradictions import Contradiction
from .contraries import decide_contrary
from .contrary_clauses import decide_contrary_clause
from .counted_things import decide_counted_thing
from .crossed_facts import compare_joints
from .decisions import decide
from .degrees import compare_degrees
from .denials import find_negators
from .dismissals import decide_denied_value
from .dismissals import decide_dismissal
from .equality import agree
from .item_order import decide_item_order
from .listed_items import decide_listed_items
from .parallel_things import find_parallel_addition
from .phrasal_verbs import read_phrasal_verbs
from .role_words import has_turned_voice
from .facts import find_differences
from .features import measure_features
from .final_answer import remove_thinking
from .found_reference import FoundReference
from .log_odds import Heads
from .first_and_last import decide_first_or_last
from .first_statement import decide_first_statement
from .formulas import decide_formula
from .frequencies import decide_frequency
from .implied_amounts import read_amount
from .implied_answer import read_implied_answer
from .inputs import Inputs
from .lexicon import STOP_WORDS
from .lists import compare_lists
from .contradictions import find_lone_values
from .marked_additions import find_marked_addition
from .matching import Match
from .measure import Measurement
from .model import THRESHOLD
from .multiples import decide_multiple
from .names import find_differing_names
from .number_lists import decide_sequence
from .changed_names import decide_numeral
from .numerals import UNIT
from .opposites import are_opposite_words
from .option_choices import read_choice
from .offered_things import decide_offered_thing
from .options import decide_option
from .outcomes import Decision, Difference
from .polarity import Stance
from .prepositions import decide_preposition
from .quantifiers import decide_all_but
from .quantities import Quantity
from .quantity_patterns import QUANTITY
from .reasons import Reason
from .relations import compare_relations
from .role_words import list_role_votes
from .roles import compare_roles
from .same_names import decide_name
from .scoring import INTERPRETATIONS, LANGUAGES, explain, grade_answer
from .slots import mark_edits
from .conclusions import decide_emphasis
from .statement_frames import read_framed_statement
from .statements import Statement
from .degrees import decide_unsurpassed
from .swapped_facts import find_swapped_facts
from .synonyms import are_synonyms
from .taken_back import decide_taken_back
from .tex import read_tex
from .text import Text
from .text_rows import format_languages, read_languages, append_warnings, list_writing_warnings
from .value_words import has_other_meaning
from .values import decide_quantity
from .yes_or_no import decide_yes_or_no

VERSION = "0.1.0"
# What scoring.py stands on; evaluate's loader copies the files that are named here.
PARTS: tuple[object, ...] = (
    Candidate,
    FoundReference,
    Contradiction,
    Decision,
    Difference,
    compare_lists,
    Heads,
    INTERPRETATIONS,
    Match,
    Measurement,
    QUANTITY,
    Quantity,
    Reason,
    STOP_WORDS,
    Stance,
    Statement,
    Text,
    UNIT,
    decide_sequence,
    compare_degrees,
    compare_joints,
    compare_roles,
    decide,
    decide_all_but,
    decide_asked_clause,
    decide_asked_opposite,
    decide_bound,
    decide_changed_name,
    decide_chemical,
    decide_code,
    decide_comparison,
    decide_contest,
    decide_contrary,
    decide_contrary_clause,
    decide_counted_thing,
    decide_denied_value,
    decide_dismissal,
    decide_emphasis,
    decide_first_or_last,
    decide_first_statement,
    decide_formula,
    decide_frequency,
    decide_offered_thing,
    decide_option,
    decide_multiple,
    decide_name,
    decide_numeral,
    decide_preposition,
    decide_quantity,
    decide_unsurpassed,
    decide_yes_or_no,
    find_differing_chinese_names,
    find_negators,
    has_turned_voice,
    find_differing_names,
    is_same_chinese_name,
    read_amount,
    read_choice,
    read_conclusion,
    read_implied_answer,
    compare_relations,
    measure_chinese_exchange,
    find_additions,
    find_lone_values,
    find_marked_addition,
    list_role_votes,
    mark_edits,
    Sentence,
    find_differences,
    measure_features,
    agree,
    are_opposite_words,
    are_synonyms,
    read_tex,
    remove_thinking,
    find_swapped_facts,
    has_other_meaning,
    decide_taken_back,
    read_phrasal_verbs,
    decide_asked_role,
    decide_listed_items,
    find_parallel_addition,
    decide_item_order,
    read_framed_statement,
)


class CorrectnessEstimate(Inputs, evaluate.Metric):
    """How likely people would call an answer right, as a metric of evaluate.

    >>> estimate = CorrectnessEstimate()
    >>> answers = ["It is in Canada.", "It is in Mexico."]
    >>> rows = {"predictions": answers, "references": ["Canada"] * 2}
    >>> result = estimate.compute(**rows, questions=["Where is Toronto?"] * 2, per_example=True)
    >>> [row["score"] > 0.5 for row in result["per_example"]], result["share_right"]
    ([True, False], 0.5)
    """

    optional_columns = ("questions",)

    def _info(self) -> evaluate.MetricInfo:
        texts = {"predictions": datasets.Value("string"), "questions": datasets.Value("string")}
        several = datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description="How likely people would call an answer right, from words alone: no model, "
            "key or network.",
            citation=CITATION,
            inputs_description=INPUTS,
            features=datasets.Features({**texts, "references": several}),
            reference_urls=["https://arxiv.org/abs/2305.12421"],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[tuple[str, ...]],
        questions: list[str],
        language: str | list[str] = "auto",
        per_example: bool = False,
        signature: bool = False,
    ) -> dict[str, Any]:
        languages = read_languages(language, len(predictions), LANGUAGES)
        entries = list[dict[str, Any]]()
        if per_example:
            entries += map(explain, predictions, references, questions, languages)
            scores = [entry["score"] for entry in entries]
            verdicts = [entry["right"] for entry in entries]
        else:
            grades = list(map(grade_answer, predictions, references, questions))
            scores = [grade.score for grade in grades]
            verdicts = [grade.right for grade in grades]
        verdicts = [verdict for verdict in verdicts if verdict is not None]
        result: dict[str, Any] = {
            "correctness_estimate": fmean(scores),
            "share_right": fmean(verdicts) if verdicts else None,
            "n_probability": len(verdicts),
        }
        if per_example or signature:
            settings = {
                "language": format_languages(languages),
                "multi_reference": "nearest",
                "threshold": f"{THRESHOLD:.4f}",
            }
            result["signature"] = self.make_signature(VERSION, **settings, trained_on="evouna-nq")
        if per_example:
            rows = zip(entries, predictions, references, strict=True)
            result["per_example"] = [add_warnings(*row) for row in rows]
        return result


def add_warnings(
    entry: dict[str, Any], prediction: str, references: tuple[str, ...]
) -> dict[str, Any]:
    """Return an entry of `per_example` with warnings of how its texts are written."""
    reference = references[entry["reference"]]
    warnings = list_writing_warnings(prediction, reference, "spaces_left_out")
    return append_warnings(entry, warnings)


CITATION = """\
@inproceedings{wang2023evaluating,
  title={Evaluating Open-{QA} Evaluation},
  author={Wang, Cunxiang and Cheng, Sirui and Guo, Qipeng and Yue, Yuanhao and Ding, Bowen and
    Xu, Zhikun and
          Wang, Yidong and Hu, Xiangkun and Zhang, Zheng and Zhang, Yue},
  booktitle={Advances in Neural Information Processing Systems}, year={2023},
  note={arXiv:2305.12421}
}
"""
INPUTS = """
Args:
    predictions (list of str): the answers to grade.
    references (list of str, or of lists of str): the right answers; of several, the nearest by
        words counts.
    questions (list of str, optional): what was asked; without it the estimate knows less.
    language ("auto", "en", "zh", or a list of them): what an entry says of the language; the
        estimate is the same.
    per_example (bool): adds one dict per row with the score and the reasons for it, and the
        signature.
    signature (bool): adds the signature.

Returns:
    correctness_estimate (float in 0..1, higher is better), share_right (float in 0..1: of the rows
    whose estimate is a probability, the share from the threshold up; None where there is no such
    row), n_probability (int, how many they are), signature (str, when asked for), per_example (list
    of dict, when asked for).
"""
