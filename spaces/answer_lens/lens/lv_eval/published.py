"""The results that LV-Eval's authors published for ten models, in percent.

Source: README.md of github.com/infinigence/LVEval at 25aebcb, "Overall Result" and "Detail Result
on Each Dataset" (data/lv_eval_published.csv). This README writes loogle-MR for the dataset whose
files are named loogle_MIR. Its tables agree with each other up to the rounding of the last digit,
except for the average of ChatGLM3-6B-32k on multifieldqa_zh_mixup.
"""

from __future__ import annotations

from statistics import fmean

import pandas

from lens import DATA
from lens.lv_eval.official_result import AVERAGE, add_averages
from lens.lv_eval.tasks import DATASETS, LENGTHS

COMMIT = "25aebcb36acbbb8338712736cfdd31e06e236df5"
SOURCE = f"https://github.com/infinigence/LVEval/blob/{COMMIT}/README.md"
# The row of the file with the averages over the eleven datasets. It has no average over the
# lengths, which is computed below.
OVERALL = "overall"
PUBLISHED = pandas.read_csv(DATA / "lv_eval_published.csv", index_col=["model", "dataset"])
MODELS = [*PUBLISHED.index.unique("model")]


def select_published_scores(model: str, scores: pandas.DataFrame) -> pandas.DataFrame:
    """Return a published model's table for comparison with the scores of a run.

    Where the run has no score, the published one is shown. An average is the published one if the
    run has all scores that it is made of. Otherwise it is computed from the published scores of the
    datasets and lengths that the run has.
    """
    in_file = PUBLISHED.loc[model]
    overall = fmean(in_file.loc[OVERALL, [*LENGTHS]])
    published = in_file.fillna({AVERAGE: overall})
    is_scored = scores.reindex(index=DATASETS, columns=LENGTHS).notna()
    recomputed = add_averages(in_file.where(is_scored))
    # An average of True and False is 1 if the run has all scores that the figure is made of.
    is_complete = add_averages(is_scored) == 1
    compared = published.where(is_complete, recomputed)
    # If the run has none of these scores, the average cannot be recomputed. The published one is
    # shown then, except in the row of the overall averages, which stays empty.
    return compared.fillna(published.drop(OVERALL))
