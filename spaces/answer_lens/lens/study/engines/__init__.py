"""Blocks of rows scored here, in processes or on Ray; resuming."""
