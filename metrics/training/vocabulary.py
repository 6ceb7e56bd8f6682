"""Words of correctness_estimate that made-up answers use: number words, months and opposites."""

from metrics.correctness_estimate.lexicon import ENGLISH_OPPOSITES as OPPOSITE_PAIRS
from metrics.correctness_estimate.lexicon import MONTHS, NUMBER_WORDS, ONES, SCALES, TENS

__all__ = ["MONTHS", "NUMBER_WORDS", "ONES", "OPPOSITE_PAIRS", "SCALES", "TENS"]
