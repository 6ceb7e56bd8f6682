"""The results that LV-Eval's authors published for ten models, in percent.

Source: README.md of github.com/infinigence/LVEval at 25aebcb, "Overall Result" and "Detail Result
on Each Dataset" (data/lv_eval_published.csv). It writes loogle-MR for the dataset whose files are
named loogle_MIR. Its tables agree with each other up to the rounding of the last digit, except for
the average of ChatGLM3-6B-32k on multifieldqa_zh_mixup.
"""

from __future__ import annotations

from statistics import fmean

import pandas

from lens import DATA
from lens.lv_eval.official_result import AVERAGE, add_averages
from lens.lv_eval.tasks import DATASETS, LENGTHS

COMMIT = "25aebcb36acbbb8338712736cfdd31e06e236df5"
SOURCE = f"https://github.com/infinigence/LVEval/blob/{COMMIT}/README.md"
# The name of the averages over the eleven datasets in the file. The file has no average of these
# averages.
OVERALL = "overall"
PUBLISHED = pandas.read_csv(DATA / "lv_eval_published.csv", index_col=["model", "dataset"])
MODELS = [*PUBLISHED.index.unique("model")]


def select_published_scores(model: str, scores: pandas.DataFrame) -> pandas.DataFrame:
    """Return a published model's table for comparison with the scores of a run.

    If the run is complete for an average, it is the published one. Otherwise it is computed from
    the datasets and lengths that the run has. For a dataset that the run does not have at all, the
    published scores are shown, but no average over datasets.
    """
    figures = PUBLISHED.loc[model]
    overall = fmean(figures.loc[OVERALL, [*LENGTHS]])
    whole = figures.fillna({AVERAGE: overall})
    is_scored = scores.reindex(index=DATASETS, columns=LENGTHS).notna()
    same_part = add_averages(figures.where(is_scored))
    # 1 if the run has everything that an average is computed from.
    share = add_averages(is_scored)
    return whole.where(share == 1, same_part).fillna(whole.drop(OVERALL))
