"""Make up answers with an amount of money or a percentage, right or wrong.

Many wrong ones have another order of magnitude, or one other digit.
"""

import re
from dataclasses import dataclass
from random import Random

from metrics.training.questions import MadeAnswer
from metrics.training.text_edits import replace_match, upper_first_letter
from metrics.training.wording_lists import read_wordings

WORDINGS = read_wordings("long_answers")
SCALES = ("thousand", "million", "billion", "trillion")
ROUND_DIGITS = (1, 2, 3, 5, 7)
# A wrong figure that differs from the right one by less than 6% is no clear error: the right one
# times CLEAR_FACTOR replaces it.
TOO_NEAR = 0.06
CLEAR_FACTOR = 1.4


@dataclass
class Figures:
    """The figure that a question asks for, a wrong one, and an unrelated one.

    They are amounts in millions, or percentages.
    """

    right: float
    wrong: float
    other: float
    are_percentages: bool = False

    def write_figure(self, figure: float, rng: Random) -> str:
        """Return an amount or a percentage in one of its spellings."""
        spellings = list_percentages(figure) if self.are_percentages else list_amounts(figure)
        return rng.choice(spellings)


def make_magnitude(rng: Random) -> MadeAnswer:
    """Return an answer with an amount or a percentage, right or wrong."""
    quantity = rng.choice(WORDINGS["quantities"])
    year = str(rng.randrange(1990, 2024))
    figures = draw_figures(rng)
    right = rng.random() < 0.5
    choose_wrong_figure(figures, right, rng)
    figure = figures.write_figure(figures.right if right else figures.wrong, rng)
    reference = figures.write_figure(figures.right, rng)
    if not right and not figures.are_percentages and rng.random() < 0.2:
        # The answer has the digits of the reference with another scale word.
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
    """Return a figure between 100 and 100,000; two of three have a decimal."""
    digits = rng.randrange(1001, 99999)
    return digits / rng.choice((1, 10, 10))


def draw_figures(rng: Random) -> Figures:
    """Return three amounts, or three percentages; a right amount may be a round number."""
    figures = Figures(draw_figure(rng), draw_figure(rng), draw_figure(rng))
    if rng.random() < 0.2:
        digit = rng.choice(ROUND_DIGITS)
        figures.right = digit * 10 ** rng.randrange(1, 6)
    if rng.random() < 0.25:
        figures.are_percentages = True
        # The remainders are between 1 and 99 percent, and differ even for equal amounts.
        figures.right = figures.right % 97 + 1.5
        figures.wrong = figures.wrong % 89 + 2.5
        figures.other = figures.other % 83 + 3.5
    return figures


def choose_wrong_figure(figures: Figures, right: bool, rng: Random) -> None:
    """Change the wrong figure, unless it stays as it was drawn.

    It becomes ten times or a tenth of the right one, or the right one with another digit. A right
    answer does not use the wrong figure.
    """
    has_other_magnitude = rng.random() < 0.25
    if not right and has_other_magnitude:
        figures.wrong = figures.right * rng.choice((10, 0.1))
    elif not right and rng.random() < 0.5:
        digits = f"{figures.right:.2f}" if figures.are_percentages else f"{figures.right:g}"
        figures.wrong = float(change_digit(digits, rng))
    if abs(figures.wrong / figures.right - 1) < TOO_NEAR:
        figures.wrong = figures.right * CLEAR_FACTOR


def change_digit(number: str, rng: Random) -> str:
    """Return a number with one digit changed, which is among the first three characters.

    The new digit is not 0.
    """
    digits = [match for match in re.finditer(r"\d", number) if match.start() < 3]
    match = rng.choice(digits)
    digit = int(match[0]) + rng.randrange(1, 9)
    return replace_match(number, match, str(digit % 10 or 1))


def list_amounts(figure: float) -> list[str]:
    """Return the spellings of an amount in millions."""
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


def list_percentages(figure: float) -> list[str]:
    """Return the spellings of a percentage; one is a decimal number."""
    return [
        f"{figure:.1f}%",
        f"{figure:.2f}%",
        f"{figure / 100:.3f}",
        f"{figure:.1f} percent",
        f"about {figure:.1f} %",
    ]
