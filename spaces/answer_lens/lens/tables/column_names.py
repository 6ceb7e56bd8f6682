"""The usual names of columns, and the roles that columns have by their names.

Case, spaces and punctuation do not matter: "Model Answer", "model_answer" and "modelAnswer" are the
same name. A name may also be in the plural, or have brackets behind it, if only one column has such
a name.
"""

from __future__ import annotations

import difflib
import itertools
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lens.tables.verdict_words import JUDGE_VERDICT_NAMES, PERSON_VERDICT_NAMES
from lens.words import say
from lens.words.printed import shorten_name


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text."""
    return tuple(text.split())


# The usual names of each role, in tiers. A later tier counts only if no column has a name of an
# earlier tier. Names of one tier are equally likely, so two columns with such names leave a doubt.
REFERENCE_NAMES = (
    split_words(
        """
        reference ground_truth target gold_answer golden_answer gold expected
        expected_output expected_answer expected_response expected_result correct_answer
        correct_response best_answer reference_answer reference_output reference_response
        reference_text ref ref_answer standard_answer right_answer true_answer truth
        gold_label gold_text gold_response gold_reference gold_solution gold_standard
        golden_response golden_reference ideal ideal_answer ideal_response gt gt_answer
        ground_truth_answer target_answer target_text target_output y_true 参考答案 标准答案
        正确答案 真实答案 期望答案 期望输出 期望结果 预期答案 预期输出 预期结果 参考回答
        标准回答 正确回答 金标准 真值 參考答案 標準答案 正確答案
        """
    ),
    # In the output of a retrieval system, "references" may be its sources.
    ("references",),
    # In a dataset, "answer" is the reference. If another column is the reference, it is the model's
    # answer.
    ("answers", "answer", "答案"),
    ("label", "labels", "标签"),
    ("solution",),
)
PREDICTION_NAMES = (
    split_words(
        """
        prediction pred predict predicted predicted_answer predicted_output predicted_text
        prediction_text pred_answer pred_text y_pred response response_text model_answer
        model_output model_response model_prediction model_completion model_reply llm_output
        llm_answer llm_response ai_answer ai_response ai_output bot_response bot_answer
        chatbot_response chatbot_answer agent_response agent_answer agent_output
        rag_response rag_answer assistant_response assistant_answer assistant_message
        assistant system_answer system_output system_response actual_output actual_answer
        actual_response generated_answer generated_text generated_output generated_response
        generated generation candidate_answer candidate hypothesis hyp answer_text 模型回答
        模型答案 模型输出 模型回复 模型预测 模型结果 大模型回答 AI回答 机器人回答 系统回答
        系统输出 预测 预测答案 预测结果 生成答案 生成回答 生成结果 生成内容 生成文本
        推理结果 实际输出 实际回答 实际结果 候选答案 預測 模型輸出
        """
    ),
    split_words(
        """
        output output_text completion final_answer reply 回答 回复 输出
        """
    ),
    ("answer", "答案"),
)
QUESTION_NAMES = split_words(
    """
    question query user_query user_question user_input user_prompt user_message
    question_text input input_text prompt instruction problem problem_statement
    origin_prompt 问题 提问 题目 用户问题 用户输入 用户提问 输入 指令 問題
    """
)
OTHER_NAMES = {
    "keywords": ("answer_keywords", "gold_ans", "keywords"),
    "id": ("id", "_id", "qid", "question_id", "example_id", "uid", "idx", "index"),
    "system": ("system", "model", "model_name", "system_name", "provider"),
    "verdict": PERSON_VERDICT_NAMES,
}
USUAL_NAMES: dict[str, tuple[str, ...]] = {
    "reference": tuple(name for tier in REFERENCE_NAMES for name in tier),
    "prediction": tuple(name for tier in PREDICTION_NAMES for name in tier),
    "question": QUESTION_NAMES,
    **OTHER_NAMES,
}
# A message shows at most this many usual names.
MAX_USUAL_NAMES = 12
# A part of the names of columns with more right answers, such as "answer_aliases".
FURTHER_REFERENCES = re.compile("alias|alternat|acceptable|别名|同义", re.I)
# Brackets at the end of a name, as in "LLM Output (v2)". The pattern does not begin with blanks: a
# long run of blanks would make it quadratic.
FINAL_BRACKETS = re.compile(r"(\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）|【[^【】]*】)\s*$")
# A longer name is not a usual one: a file may name a column by a whole prompt.
MAX_NAME_LENGTH = 200
# What stands between the words of a name: "_", " " or "-".
BETWEEN_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Doubt:
    """A column without a role that may be meant for a role.

    Attributes:
        role: the role.
        chosen: the column that has the role now.
        other: the column that may be meant.
        options: the command's options that choose the other column.
        is_addition: whether the other column may be meant in addition, and not instead.
    """

    role: str
    chosen: str
    other: str
    options: str
    is_addition: bool = False

    def describe(self, command: bool) -> str:
        """Return a sentence about the doubt, with the command's options or the page's field."""
        kind = "further" if self.is_addition else "doubt"
        section = "table" if command else "files_tab"
        return say(
            f"{section}.{kind}",
            role=say(f"role.{self.role}"),
            taken=shorten_name(self.chosen),
            other=shorten_name(self.other),
            options=self.options,
        )


def normalize_name(name: str) -> str:
    """Return a column's name in lower case, without spaces and punctuation.

    >>> [normalize_name(name) for name in (" Model Answer", "model-answer", "Gold Answer(s)")]
    ['modelanswer', 'modelanswer', 'goldanswers']
    """
    if len(name) > MAX_NAME_LENGTH:
        return name
    return "".join(filter(str.isalnum, name.casefold()))


def drop_plural(name: str) -> str:
    """Normalize a column's name, and drop the plural "s"."""
    return normalize_name(name).removesuffix("s")


def reduce_name(name: str) -> str:
    """Normalize a column's name, and drop brackets at its end and the plural "s".

    >>> reduce_name("LLM Outputs (v2)")
    'llmoutput'
    """
    return drop_plural(FINAL_BRACKETS.sub("", name))


# The names as `normalize_name` returns them.
NORMALIZED_PERSON_NAMES = frozenset(map(normalize_name, PERSON_VERDICT_NAMES))
NORMALIZED_JUDGE_NAMES = frozenset(map(normalize_name, JUDGE_VERDICT_NAMES))


def is_judge_column(name: str) -> bool:
    """Return whether a column's name says that it has the verdicts of a judge."""
    return normalize_name(name) in NORMALIZED_JUDGE_NAMES


def is_verdict_column(name: str) -> bool:
    """Return whether a column's name says that it has verdicts."""
    return is_judge_column(name) or normalize_name(name) in NORMALIZED_PERSON_NAMES


def may_have_role(name: str) -> bool:
    """Return whether a column's name is a usual name of any role.

    >>> may_have_role("Model Answers"), may_have_role("Status")
    (True, False)
    """
    if is_verdict_column(name):
        return True
    reduced = reduce_name(name)
    return any(reduced in map(reduce_name, names) for names in USUAL_NAMES.values())


def find_column(names: Sequence[str], tiers: Sequence[Sequence[str]]) -> str:
    """Return the column whose name comes first in the tiers; empty if no column fits.

    In each tier, equal names come first. Then come the plural, and then brackets behind the name,
    each only if one column alone fits. A plural that is itself a usual name ("references") is not
    taken as a plural.
    """
    usual_names = {normalize_name(name) for name in itertools.chain.from_iterable(tiers)}
    unusual = [name for name in names if normalize_name(name) not in usual_names]
    for tier in tiers:
        column = find_equal(names, tier)
        column = column or find_similar(unusual, tier, drop_plural)
        column = column or find_similar(unusual, tier, reduce_name)
        if column:
            return column
    return ""


def find_equal(names: Sequence[str], candidates: Iterable[str]) -> str:
    """Return the column that has the first possible candidate as its name; empty if none does."""
    # If several columns have the same normalized name, the first counts.
    columns = {normalize_name(name): name for name in reversed(names)}
    for candidate in candidates:
        column = columns.get(normalize_name(candidate))
        if column is not None:
            return column
    return ""


def find_similar(
    names: Sequence[str], candidates: Iterable[str], simplify: Callable[[str], str]
) -> str:
    """Return the only column whose simplified name equals that of a candidate; empty if none."""
    columns: dict[str, list[str]] = {}
    for name in names:
        same_name = columns.setdefault(simplify(name), [])
        same_name.append(name)
    for candidate in candidates:
        similar = columns.get(simplify(candidate), [])
        if len(similar) == 1:
            return similar[0]
    return ""


def guess_columns(names: Sequence[str], unfit: Collection[str] = ()) -> dict[str, str]:
    """Return the column of each role by its usual name; no column has two roles.

    "answer" is the reference of a dataset. If another column is the reference, it is the model's
    answer. A group and a cluster are never guessed. A column in `unfit` has a cell that is no
    verdict, so it is not taken for verdicts.
    """
    reference, prediction = guess_pair(names)
    columns = {"reference": reference, "prediction": prediction}
    for role in ("question", *OTHER_NAMES):
        free = [name for name in names if name not in columns.values()]
        if role == "verdict":
            # With brackets behind it, such a name may belong to answers of people: it must be equal
            # here.
            fitting = [name for name in free if name not in unfit]
            columns[role] = find_equal(fitting, PERSON_VERDICT_NAMES)
        else:
            columns[role] = find_column(free, [USUAL_NAMES[role]])
    return columns


def guess_pair(names: Sequence[str]) -> tuple[str, str]:
    """Return the columns of references and of answers by their usual names."""
    reference = find_column(names, REFERENCE_NAMES)
    free = [name for name in names if name != reference]
    prediction = find_column(free, PREDICTION_NAMES)
    if prediction or not find_column([reference], PREDICTION_NAMES):
        return reference, prediction
    # The column, such as "answer", may have the answers if another column has the references.
    only_references = [name for name in free if not find_column([name], PREDICTION_NAMES)]
    second_reference = find_column(only_references, REFERENCE_NAMES)
    if not second_reference:
        return reference, ""
    return second_reference, reference


def find_doubts(
    names: Sequence[str], columns: Mapping[str, str], guessed: Collection[str]
) -> list[Doubt]:
    """Return the columns without a role that may be meant for the reference or the answer.

    Only guessed roles are in doubt.

    Args:
        names: all columns.
        columns: the column of each role.
        guessed: the roles whose column the user did not name.
    """
    tiers_of_role = {"reference": REFERENCE_NAMES, "prediction": PREDICTION_NAMES}
    pair = {role: columns.get(role, "") for role in tiers_of_role}
    has_role = set(columns.values())
    free = [name for name in names if name not in has_role and len(name) <= MAX_NAME_LENGTH]
    doubts = []
    for role, tiers in tiers_of_role.items():
        column = pair[role]
        if role not in guessed or not column:
            continue
        tier = find_tier(column, tiers)
        for name in free:
            if find_column([name], [tier]):
                options = format_options({**pair, role: name})
                doubts.append(Doubt(role, column, name, options))
            elif role == "reference" and FURTHER_REFERENCES.search(name):
                options = format_options({**pair, "more": name})
                doubts.append(Doubt(role, column, name, options, is_addition=True))
    return doubts


def find_tier(column: str, tiers: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the first tier that has a column's name; an empty tier if none has it."""
    for tier in tiers:
        if find_column([column], [tier]):
            return tier
    return ()


def format_options(columns: Mapping[str, str]) -> str:
    """Return the command's options that choose the columns of references and answers.

    >>> format_options({"reference": "gold", "more": "gold aliases"})
    "--reference gold 'gold aliases' --prediction COLUMN"
    """
    quoted = {role: shlex.quote(name) for role, name in columns.items() if name}
    references = [quoted[role] for role in ("reference", "more") if role in quoted]
    prediction = quoted.get("prediction", "COLUMN")
    return f"--reference {' '.join(references)} --prediction {prediction}"


def suggest_name(wrong_name: str, names: Iterable[str]) -> str:
    """Return a question whether a similar name was meant; empty if no name is similar.

    A name is similar if it contains the wrong one as a word, or has nearly the same letters.
    """
    folded_names = {name.casefold(): name for name in names if len(name) <= MAX_NAME_LENGTH}
    wrong_name = wrong_name[:MAX_NAME_LENGTH].casefold()
    similar = [name for name in folded_names if wrong_name in BETWEEN_WORDS.split(name)]
    if not similar:
        similar = difflib.get_close_matches(wrong_name, folded_names, 1)
    if not similar:
        return ""
    return say("page.did_you_mean", name=shorten_name(folded_names[similar[0]]))
