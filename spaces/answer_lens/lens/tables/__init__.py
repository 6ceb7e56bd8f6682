"""Reads tables from files, and finds the role of each column."""
