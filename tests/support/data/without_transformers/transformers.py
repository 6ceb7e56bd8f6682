"""Hides transformers from a process that has this folder
on its path (tests/support/processes.py).
"""

raise ImportError("a test that needs no model goes without transformers")
