"""Writes reports in Markdown, LaTeX, plain text, JSON and SVG."""
