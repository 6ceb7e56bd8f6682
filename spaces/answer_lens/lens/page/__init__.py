"""The page in the browser; the only part that knows Gradio."""
