"""The terminal: score.py."""
