"""Make up answers with a sum of money or a share, right or of another order of magnitude."""

import re
from dataclasses import dataclass
from random import Random

from metrics.training.questions import MadeAnswer
from metrics.training.text_edits import replace_match, upper_first_letter
from metrics.training.wording_lists import read_wordings

WORDINGS = read_wordings("long_answers")
SCALES = ("thousand", "million", "billion", "trillion")
ROUND_DIGITS = (1, 2, 3, 5, 7)
# A wrong figure that differs from the right one by a smaller share is no clear error: the right one
# times CLEAR_FACTOR replaces it.
TOO_NEAR = 0.06
CLEAR_FACTOR = 1.4


@dataclass
class Figures:
    """The figure that a question asks for, a wrong one, and an unrelated one."""

    right: float
    wrong: float
    other: float
    are_shares: bool = False

    def write_figure(self, figure: float, rng: Random) -> str:
        """Return a figure of this kind in one of several forms."""
        forms = list_shares(figure) if self.are_shares else list_sums(figure)
        return rng.choice(forms)


def make_magnitude(rng: Random) -> MadeAnswer:
    """Return an answer with a figure in thousands, millions or percent, right or wrong."""
    quantity = rng.choice(WORDINGS["quantities"])
    year = str(rng.randrange(1990, 2024))
    figures = draw_figures(rng)
    right = rng.random() < 0.5
    choose_wrong_figure(figures, right, rng)
    figure = figures.write_figure(figures.right if right else figures.wrong, rng)
    reference = figures.write_figure(figures.right, rng)
    if not right and not figures.are_shares and rng.random() < 0.2:
        # The same digits with another scale word.
        digits = f"{figures.right % 1000:.4g}"
        answered, expected = rng.sample(SCALES, 2)
        figure = f"{digits} {answered}"
        reference = f"{digits} {expected}"
    sentence = rng.choice(WORDINGS["figure_sentences"])
    answer = sentence.format(
        figure=figure,
        other=figures.write_figure(figures.other, rng),
        third=figures.write_figure(figures.other * 1.3, rng),
        quantity=quantity,
        year=year,
    )
    question = f"what was {quantity} in {year}"
    return MadeAnswer("magnitude", question, (reference,), upper_first_letter(answer), right)


def draw_figure(rng: Random) -> float:
    """Return a figure between 100 and 100,000."""
    digits = rng.randrange(1001, 99999)
    return digits / rng.choice((1, 10, 10))


def draw_figures(rng: Random) -> Figures:
    """Return three figures, or three shares; the right one may be a round number."""
    figures = Figures(draw_figure(rng), draw_figure(rng), draw_figure(rng))
    if rng.random() < 0.2:
        digit = rng.choice(ROUND_DIGITS)
        figures.right = digit * 10 ** rng.randrange(1, 6)
    if rng.random() < 0.25:
        figures.are_shares = True
        # Remainders are below 100 percent.
        figures.right = figures.right % 97 + 1.5
        figures.wrong = figures.wrong % 89 + 2.5
        figures.other = figures.other % 83 + 3.5
    return figures


def choose_wrong_figure(figures: Figures, right: bool, rng: Random) -> None:
    """Set the wrong figure: ten times or a tenth of the right one, with one other digit, or as is.

    For a right answer the wrong figure is not used.
    """
    is_tenfold = rng.random() < 0.25
    if not right and is_tenfold:
        figures.wrong = figures.right * rng.choice((10, 0.1))
    elif not right and rng.random() < 0.5:
        digits = f"{figures.right:.2f}" if figures.are_shares else f"{figures.right:g}"
        figures.wrong = float(change_digit(digits, rng))
    if abs(figures.wrong / figures.right - 1) < TOO_NEAR:
        figures.wrong = figures.right * CLEAR_FACTOR


def change_digit(number: str, rng: Random) -> str:
    """Return a number with one of its first three digits changed."""
    digits = [match for match in re.finditer(r"\d", number) if match.start() < 3]
    match = rng.choice(digits)
    digit = int(match[0]) + rng.randrange(1, 9)
    return replace_match(number, match, str(digit % 10 or 1))


def list_sums(figure: float) -> list[str]:
    """Return the spellings of a sum in millions."""
    grouped = f"{figure:,.10g}"
    billions = f"{figure / 1000:.4g} billion"
    return [
        f"{figure:g}",
        f"${figure:.2f}",
        grouped,
        f"${grouped} million",
        f"{grouped} million",
        f"${billions}",
        billions,
        f"{figure * 1e6:,.0f}",
        f"${figure * 1e3:,.0f} thousand",
    ]


def list_shares(figure: float) -> list[str]:
    """Return the spellings of a share in percent."""
    return [
        f"{figure:.1f}%",
        f"{figure:.2f}%",
        f"{figure / 100:.3f}",
        f"{figure:.1f} percent",
        f"about {figure:.1f} %",
    ]
