"""Explains what scores mean together, and how reliable they are."""
