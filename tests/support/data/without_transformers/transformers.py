"""Hide transformers from a process with this folder on its path (tests/support/processes.py)."""

raise ImportError("a test that needs no model goes without transformers")
