"""Score a table of any size from the terminal; `python score.py --help` says how."""

from lens.commands.score_file import run_and_exit

if __name__ == "__main__":
    run_and_exit()
