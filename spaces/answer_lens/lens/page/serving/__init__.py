"""Who is served, when, and what is kept of it: all that stands between the page and Gradio's
server.
"""
