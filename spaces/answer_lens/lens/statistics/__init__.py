"""Intervals, means, comparisons."""
