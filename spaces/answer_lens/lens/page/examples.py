"""Six examples, each a different way in which scores disagree with each other or with a reader."""

from dataclasses import dataclass

from lens.scoring.catalog import Submission
from lens.words import say


@dataclass(frozen=True)
class Example:
    """`label` is its button, `shows` says what to look at."""

    name: str
    submission: Submission

    @property
    def label_key(self) -> str:
        """What lens.words calls its label."""
        return f"example_{self.name}"

    @property
    def label(self) -> str:
        """Its label."""
        return say(self.label_key)

    @property
    def shows(self) -> str:
        """What it shows."""
        return say(f"shows_{self.name}")


EXAMPLES = (
    Example(
        "wrong_country",
        Submission(
            "Where is Niagara falls located?",
            "Niagara Falls is located on the border between the United States and Canada, specifically between New "
            "York State and Ontario Province.",
            "Niagara Falls is located on the border between the United States and Mexico, specifically between New "
            "York State and Ontario Province.",
            "Canada",
        ),
    ),
    Example(
        "other_words",
        Submission(
            "Why is the sky blue?",
            "Air molecules scatter short blue wavelengths of sunlight much more than long red ones.",
            "Because gas particles in our atmosphere deflect the bluish part of the sun's rays far better than the "
            "rest.",
        ),
    ),
    Example(
        "long",
        Submission(
            "Who wrote Pride and Prejudice, and when did it appear?",
            "Jane Austen published Pride and Prejudice in 1813.",
            "Great question! Pride and Prejudice is one of the best loved novels in English literature. It was "
            "written by Jane Austen, who grew up in Hampshire, and it first appeared anonymously in January 1813, two "
            "years after Sense and Sensibility. Readers still admire its irony, its dialogue and its heroine, "
            "Elizabeth Bennet, and it has been filmed many times since.",
            "Jane Austen 1813",
        ),
    ),
    Example(
        "scrambled",
        Submission(
            "What happened in the garden?",
            "The old dog chased the black cat across the garden.",
            "Across the garden the black cat chased the old dog.",
            "dog chased cat",
        ),
    ),
    Example(
        "wrong_name",
        Submission(
            "《红楼梦》的作者是谁？全书有多少回？",
            "《红楼梦》的作者是清代作家曹雪芹，全书共一百二十回，是中国古典小说的巅峰之作。",
            "《红楼梦》的作者是清代作家吴承恩，全书共一百二十回，是中国古典小说的巅峰之作。",
            "曹雪芹 一百二十回",
        ),
    ),
    Example(
        "reworded",
        Submission(
            "古人为什么要修建长城？",
            "修建长城是为了抵御北方游牧民族的入侵，保护边境的安全。",
            "长城主要用来防守：北方的游牧民族常常南下侵扰，有了城墙，朝廷就能抵御他们，守住边境。",
            "抵御 游牧民族",
        ),
    ),
)


def shown_by(submission: Submission) -> str:
    """What the example with exactly these texts shows; nothing where it is no example."""
    return next((example.shows for example in EXAMPLES if example.submission == submission), "")
