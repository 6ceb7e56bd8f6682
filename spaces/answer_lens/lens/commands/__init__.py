"""The command score.py."""
