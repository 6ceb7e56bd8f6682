"""Words of correctness_estimate that made-up answers use: number words, months and opposites."""

from metrics.correctness_estimate.opposites import ENGLISH as OPPOSITE_PAIRS
from metrics.correctness_estimate.quantities import MONTHS, ONES, SCALES, TENS
from metrics.correctness_estimate.quantities import WORDS as NUMBER_WORDS

__all__ = ["MONTHS", "NUMBER_WORDS", "ONES", "OPPOSITE_PAIRS", "SCALES", "TENS"]
