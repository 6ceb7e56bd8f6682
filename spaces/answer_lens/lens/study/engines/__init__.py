"""Scores blocks of rows: in this process, in several processes or on Ray; resumes runs."""
