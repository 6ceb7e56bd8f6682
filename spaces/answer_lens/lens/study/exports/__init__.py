"""Exports scores in the formats of other tools."""
