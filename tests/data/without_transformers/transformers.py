"""Hides transformers from a process that has this folder on its path (tests/processes.py)."""

raise ImportError("a test that needs no model goes without transformers")
