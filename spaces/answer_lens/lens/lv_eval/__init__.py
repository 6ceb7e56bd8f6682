"""Computes LV-Eval's official result from prediction files."""
