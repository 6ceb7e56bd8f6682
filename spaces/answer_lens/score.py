"""Score a table of any size from the terminal; `python score.py --help` says how."""

from lens.commands.score_file import command

if __name__ == "__main__":
    command()
