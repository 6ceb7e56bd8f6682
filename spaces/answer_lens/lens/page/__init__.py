"""The page in the browser; the only part that uses Gradio."""
