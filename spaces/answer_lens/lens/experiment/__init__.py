"""Answers to questions.

One answer, an index of a table's answers, and which questions several systems share.
"""
