"""Answers to questions: single answers, an index of a table's answers, and matched systems."""
