"""Metrics: their catalog, loading modules, scoring answers and rows, and asking judges."""
