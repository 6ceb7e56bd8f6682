"""The values that Start sends: those of the form, and of the judge if one is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from lens.page.answer import judge_form
from lens.page.files.files_form import CHOICES, find_column
from lens.page.serving.gradio_internals import order_inputs
from lens.scoring import judge as judging
from lens.scoring import modules
from lens.scoring.catalog import JUDGE_NAMES
from lens.scoring.judge import Judge
from lens.tables.roles import CELL_OPTIONS, COLUMN_ROLES, MULTI_COLUMN_ROLES
from lens.tables.thinking_marks import parse_tags
from lens.words import say

# The fields that Start sends, besides those of the judge.
FIELDS = ("files", *COLUMN_ROLES, "judges", "stand_in", *CHOICES, "metrics", "unsure")
# The fields of the judge, with its key, are sent only if a judge is asked.
SEND_VALUES = """(...values) => {
  const names = NAMES, empty_judge = EMPTY;
  const metrics = values[names.indexOf('metrics')];
  if (metrics.some((metric) => JUDGES.includes(metric))) return values;
  return values.map((value, position) => {
    const name = names[position];
    return name in empty_judge ? empty_judge[name] : value;
  });
}"""


def write_send_script(fields: Mapping[str, Any]) -> str:
    """Return the script that sends the values of fields.

    The values of the judge, with its key, are sent only if a judge is asked.
    """
    empty = {judge_form.PREFIX + name: value for name, value in judge_form.EMPTY.items()}
    names = order_inputs(fields)
    script = SEND_VALUES.replace("NAMES", json.dumps(names))
    script = script.replace("EMPTY", json.dumps(empty))
    return script.replace("JUDGES", json.dumps(JUDGE_NAMES))


def read_chosen_columns(names: Sequence[str], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chosen columns by role, and the options of reading cells.

    Args:
        names: the columns of the file.
        values: the values of the fields, by name; columns are positions.
    """
    chosen: dict[str, Any] = {}
    for role in (*COLUMN_ROLES, "judges", "stand_in"):
        value = values[role]
        if role in MULTI_COLUMN_ROLES:
            places = value or []
            chosen[role] = [find_column(names, place) for place in places]
        else:
            chosen[role] = find_column(names, value)
    for option in CELL_OPTIONS:
        chosen[option] = values[option] or ""
    chosen["reasoning_tags"] = parse_tags(chosen["reasoning_tags"])
    return chosen


def describe_missing_judge(metrics: Sequence[str], judge: Judge) -> str:
    """Return a message if a chosen judge cannot be asked; else empty."""
    if set(metrics).isdisjoint(JUDGE_NAMES):
        return ""
    table = modules.load_providers()
    if not judging.describe_missing_settings(judge, table):
        return ""
    # The message of the other tab names its fields, so a shorter message is used here.
    return judging.describe_refusal(judge, table) or say("files_tab.needs_judge")
