"""Make up answers that give a figure: a sum of money or a share, right or in another order of magnitude."""

import random
from dataclasses import dataclass

from metrics.training.questions import MadeAnswer
from metrics.training.text_edits import upper_first_letter
from metrics.training.wording_lists import read_wordings

WORDINGS = read_wordings("long_answers")
SCALES = ("thousand", "million", "billion", "trillion")
TOO_NEAR = 0.06  # a wrong figure that is nearer to the right one is no clear error


@dataclass
class Figures:
    """The figure that a question asks for, a wrong one, and one that nobody asked for."""

    right: float
    wrong: float
    other: float
    are_shares: bool

    def write(self, figure: float) -> list[str]:
        """Return the ways of writing a figure of this kind."""
        return list_shares(figure) if self.are_shares else list_sums(figure)


def make_magnitude(rng: random.Random) -> MadeAnswer:
    """Return an answer with a figure in thousands, millions or percent, right or wrong."""
    quantity = rng.choice(WORDINGS["quantities"])
    year = str(rng.randrange(1990, 2024))
    figures = draw_figures(rng)
    right = rng.random() < 0.5
    choose_wrong_figure(figures, right, rng)
    figure = rng.choice(figures.write(figures.right if right else figures.wrong))
    reference = rng.choice(figures.write(figures.right))
    if not right and not figures.are_shares and rng.random() < 0.2:
        # The same digits, with another word for their scale.
        first, second = rng.sample(SCALES, 2)
        figure = f"{figures.right % 1000:.4g} {first}"
        reference = f"{figures.right % 1000:.4g} {second}"
    sentence = rng.choice(WORDINGS["figure_sentences"])
    answer = sentence.format(
        figure=figure,
        other=rng.choice(figures.write(figures.other)),
        third=rng.choice(figures.write(figures.other * 1.3)),
        quantity=quantity,
        year=year,
    )
    question = f"what was {quantity} in {year}"
    return MadeAnswer("magnitude", question, (reference,), upper_first_letter(answer), right)


def draw_figures(rng: random.Random) -> Figures:
    """Return three figures between 100 and 100,000, or three shares; the right one may be a round number."""
    right, wrong, other = (rng.randrange(1001, 99999) / rng.choice((1, 10, 10)) for _ in range(3))
    if rng.random() < 0.2:
        right = rng.choice((1, 2, 3, 5, 7)) * 10 ** rng.randrange(1, 6)
    are_shares = rng.random() < 0.25
    if are_shares:
        right, wrong, other = right % 97 + 1.5, wrong % 89 + 2.5, other % 83 + 3.5
    return Figures(right, wrong, other, are_shares)


def choose_wrong_figure(figures: Figures, right: bool, rng: random.Random) -> None:
    """Make the wrong figure ten times the right one, or change one digit, or leave it.

    An answer that is right has no use for it, but the random numbers are drawn all the same.
    """
    is_tenfold = rng.random() < 0.25
    if not right and is_tenfold:
        figures.wrong = figures.right * rng.choice((10, 0.1))
    elif not right and rng.random() < 0.5:
        digits = f"{figures.right:.2f}" if figures.are_shares else f"{figures.right:g}"
        figures.wrong = float(change_digit(digits, rng))
    if abs(figures.wrong / figures.right - 1) < TOO_NEAR:
        figures.wrong = figures.right * 1.4


def change_digit(number: str, rng: random.Random) -> str:
    """Return a number with one of its first digits changed."""
    places = [place for place, character in enumerate(number[:3]) if character.isdigit()]
    place = rng.choice(places)
    digit = (int(number[place]) + rng.randrange(1, 9)) % 10 or 1
    return f"{number[:place]}{digit}{number[place + 1 :]}"


def list_sums(figure: float) -> list[str]:
    """Return the ways of writing a sum in millions."""
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
    """Return the ways of writing a share in percent."""
    return [
        f"{figure:.1f}%",
        f"{figure:.2f}%",
        f"{figure / 100:.3f}",
        f"{figure:.1f} percent",
        f"about {figure:.1f} %",
    ]
