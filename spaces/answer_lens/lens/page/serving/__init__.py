"""Serves visitors: access, turns, uploads and stored values, between the page and Gradio."""
