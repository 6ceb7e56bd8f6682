"""Checks how good a judge is."""
