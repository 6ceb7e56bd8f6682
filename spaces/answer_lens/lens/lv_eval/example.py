"""The example of the tab "LV-Eval": prediction files with questions of our own about places that do not exist, and
answers that no model ever gave, worse and worse with the length.
"""

from __future__ import annotations

import base64
import functools
import io
import json
import zipfile
from dataclasses import dataclass

from lens.lv_eval.tasks import LENGTHS

NAME = "made_up_lv_eval.zip"
# A zip holds a time for each file; this one makes it the same zip every time.
WHEN = (2026, 1, 1, 0, 0, 0)
SHOWN_LENGTHS = LENGTHS[:4]


@dataclass(frozen=True)
class Question:
    """A question with its answer, its keywords, and replies from right to wrong."""

    question: str
    answer: str
    keywords: str | None
    replies: tuple[str, str, str]


QUESTIONS = {
    "multifieldqa_en_mixup": (
        Question(
            "Who built the lighthouse of Vell?",
            "The lighthouse of Vell was built by the engineer Ada Torvin.",
            "Ada Torvin",
            ("Ada Torvin built it.", "The engineer Torvin built the lighthouse.", "It was built by Jon Marsh."),
        ),
        Question(
            "When did the harbour of Vell freeze?",
            "The harbour of Vell froze in the winter of 1903.",
            "1903",
            ("In the winter of 1903.", "It froze in 1903, after a storm.", "The harbour of Vell froze in summer."),
        ),
        Question(
            "What does the mill of Orrin grind?",
            "The mill of Orrin grinds chestnuts.",
            "chestnuts",
            ("The mill grinds chestnuts.", "Mostly chestnuts, I think, and rye.", "The mill of Orrin grinds wheat."),
        ),
    ),
    "factrecall_en": (
        Question(
            "What is the name of the ferryman of Vell?",
            "Tobias Rook",
            "Tobias Rook",
            ("Tobias Rook", "The ferryman is called Tobias Rook.", "The name is not given."),
        ),
        Question(
            "What colour is the door of the mill of Orrin?",
            "green",
            "green",
            ("Green.", "The door of the mill is green.", "It is red."),
        ),
    ),
    "cmrc_mixup": (
        Question(
            "维尔灯塔是谁建造的？",
            "维尔灯塔由工程师艾达建造",
            "工程师艾达",
            ("由工程师艾达建造", "是一位叫艾达的工程师建造的", "由市长建造"),
        ),
        Question(
            "奥林的磨坊磨什么？",
            "奥林的磨坊磨栗子",
            "栗子",
            ("磨坊磨栗子", "主要是栗子，也磨黑麦", "磨坊磨小麦"),
        ),
        Question(
            "维尔的港口哪一年结冰？",
            "维尔的港口在1903年冬天结冰",
            "1903年",
            ("1903年冬天", "大约在1903年", "港口在夏天结冰"),
        ),
    ),
    "hotpotwikiqa_mixup": (
        Question(
            "In which country was the builder of the lighthouse of Vell born?",
            "The builder of the lighthouse was born in Norland.",
            "Norland",
            ("She was born in Norland.", "Ada Torvin came from Norland.", "The builder was born in Sudland."),
        ),
        Question(
            "Which river runs past the mill whose door is green?",
            "The river Lam runs past the mill.",
            "Lam",
            ("The river Lam.", "It stands on the Lam, near Orrin.", "The river Ost runs past the mill."),
        ),
    ),
    "dureader_mixup": (
        Question(
            "怎样保存栗子？",
            "把栗子晾干，装进布袋，放在阴凉通风的地方保存。",
            None,
            ("把栗子晾干，装进布袋，放在通风的地方。", "栗子晾干后放在阴凉处保存。", "栗子应该煮熟再吃。"),
        ),
        Question(
            "灯塔为什么要夜里点灯？",
            "灯塔夜里点灯，是为了给船只指引方向，避免触礁。",
            None,
            ("灯塔夜里点灯是为了给船只指引方向。", "为了让船只避免触礁。", "因为夜里很冷。"),
        ),
    ),
    "lic_mixup": (
        Question(
            "建造维尔灯塔的人出生在哪个国家？",
            "出生在诺兰国",
            "诺兰国",
            ("她出生在诺兰国", "诺兰国", "出生在苏兰国"),
        ),
        Question(
            "门是绿色的磨坊在哪条河边？",
            "磨坊在拉姆河边",
            "拉姆河",
            ("在拉姆河边", "磨坊靠近拉姆河和奥林镇", "在奥斯特河边"),
        ),
    ),
}


def reply(question: Question, place: int, level: int) -> str:
    """What the made-up model says: right at the first length, later questions go wrong at shorter ones."""
    return question.replies[min((level + place) // 2, len(question.replies) - 1)]


def file_of(dataset: str, level: int) -> str:
    """One prediction file, as LV-Eval's prediction.py writes it."""
    lines = []
    for place, question in enumerate(QUESTIONS[dataset]):
        row = {
            "pred": reply(question, place, level),
            "answers": [question.answer],
            "gold_ans": question.keywords,
            "input": question.question,
            "all_classes": None,
            "length": 0,
        }
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)


@functools.cache
def example_zip() -> bytes:
    """All files of the example in one zip, the same bytes every time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for dataset in QUESTIONS:
            for level, length in enumerate(SHOWN_LENGTHS):
                entry = zipfile.ZipInfo(f"made_up_lv_eval/{dataset}_{length}.jsonl", WHEN)
                archive.writestr(entry, file_of(dataset, level), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def example_sent() -> str:
    """The example as the page would send it."""
    return json.dumps([[NAME, base64.b64encode(example_zip()).decode()]])
