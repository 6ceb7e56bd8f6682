"""Reports in Markdown, LaTeX and text."""
