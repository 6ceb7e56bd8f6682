"""An index of a table's answers, without their texts: rows, groups, clusters, systems, verdicts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lens.experiment.answers import Answer
from lens.experiment.table_notes import TableNotes
from lens.tables.roles import ABSTAIN, NothingToScore, Roles
from lens.words.notes import Note, UserError
from lens.words.printed import shorten_name

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

    Array = NDArray[Any]

MAX_GROUPS = 200
# The roles whose columns may define the clusters of rows; the first that does is used.
CLUSTER_ROLES = ("cluster", "id", "question")
# Texts that are only compared are stored as hashes; this is the hash of no text.
NO_TEXT = 0


class AnswerIndex:
    """An index of a table's answers, without their texts.

    Attributes:
        frame: one row per answer, in the order of the table. `row` is the row in the table, from 0.
            `sample` is the number of the answer in that row's cell. `group` is an index of
            `groups`. `system`, `verdict` and `skip_reason` are texts. `stand_in` is a number, or
            NaN. `id`, `question`, `references` and `cluster_name` are hashes of texts; only the
            needed ones are present.
        rows: the number of rows in the table.
        groups: the names of the groups, in the order of the table.
        judges: the verdicts of judges, by the names of their columns.
        cluster: the cluster of each answer; None if rows are independent.
        clusters: the number of clusters.
        clustered_by: the column that defines the clusters; empty if rows are independent.
        systems: the systems in the column of systems, in the order of the table; empty if there is
            no such column.
        notes: the notes on the table.
    """

    frame: pandas.DataFrame

    def __init__(self, answers: Iterable[Answer], roles: Roles, is_matched: bool = True) -> None:
        """Index the answers of a table.

        Args:
            answers: the answers in the order of the table.
            roles: the column of each role.
            is_matched: whether the answers are matched with those of other tables.

        Raises:
            UserError: there are too many groups.
            NothingToScore: no row has both an answer and a reference, so a column probably has the
                wrong role.
        """
        self.roles = roles
        self.notes = TableNotes(roles)
        self.judges: dict[str, list[str]] = {}
        for name in roles.judges:
            self.judges[name] = []
        self.rows = 0
        self.groups = self.fill_frame(answers, is_matched)
        scores_empty_rows = roles.reading.empty in ("all", ABSTAIN)
        if not self.notes.n_complete and not scores_empty_rows:
            columns = {
                "prediction": shorten_name(roles.prediction),
                "reference": shorten_name(roles.reference),
            }
            raise NothingToScore(Note("table.all_lack", columns))
        self.systems: list[str] = []
        if roles.system:
            names = self.frame["system"].unique()
            self.systems = list(names)
        self.cluster, self.clusters, self.clustered_by = self.find_clusters()

    def __len__(self) -> int:
        return len(self.frame)

    def fill_frame(self, answers: Iterable[Answer], is_matched: bool) -> list[str]:
        """Fill the frame, and return the names of the groups."""
        groups: dict[str, int] = {}
        # Arrays of numbers, and lists of a few distinct texts: a million rows take about 50 MB.
        rows = array("I")
        samples = array("I")
        group_numbers = array("I")
        hash_columns = self.list_hash_columns(is_matched)
        hashes = {name: array("q") for name in hash_columns}
        text_columns = self.list_text_columns()
        texts: dict[str, list[Any]] = {name: [] for name in text_columns}
        judges = list(self.judges.values())
        for answer in answers:
            if answer.sample == 0:
                self.rows += 1
            rows.append(self.rows - 1)
            samples.append(answer.sample)
            group_number = groups.setdefault(answer.group, len(groups))
            group_numbers.append(group_number)
            if len(groups) > MAX_GROUPS:
                column = shorten_name(self.roles.group)
                raise UserError("table.many_groups", column=column, limit=MAX_GROUPS)
            for name, cells in texts.items():
                cells.append(getattr(answer, name))
            for name, hashes_of_column in hashes.items():
                text = getattr(answer, HASHED_FIELDS[name])
                hashes_of_column.append(hash_text(text))
            for verdicts, verdict in zip(judges, answer.judge_verdicts, strict=True):
                verdicts.append(verdict)
            self.notes.add(answer, self.rows)
        numbers = {
            "row": rows,
            "sample": samples,
            "group": group_numbers,
            **hashes,
        }
        self.frame = make_frame(numbers, texts)
        return list(groups)

    def list_text_columns(self) -> list[str]:
        """Return the columns of texts, and `stand_in`: each is a field of `Answer`."""
        names = ["verdict", "skip_reason"]
        if self.roles.system:
            names.append("system")
        if self.roles.stand_in:
            names.append("stand_in")
        return names

    def list_hash_columns(self, is_matched: bool) -> list[str]:
        """Return the columns of hashes that are needed for clusters, or to match answers."""
        names = []
        if self.roles.id:
            names.append("id")
        if self.roles.cluster:
            names.append("cluster_name")
        if is_matched or self.roles.question:
            names += ["question", "references"]
        return names

    def find_clusters(self) -> tuple[Array | None, int, str]:
        """Return the cluster of each answer, the number of clusters, and the column of clusters."""
        for role in CLUSTER_ROLES:
            column = getattr(self.roles, role)
            if not column:
                continue
            cluster = self.number_clusters(role)
            count = int(cluster.max()) + 1
            if count < self.rows:
                return cluster, count, column
        return None, self.rows, ""

    def number_clusters(self, role: str) -> Array:
        """Return the number of each answer's cluster, defined by the column of this role.

        A row with an empty cell is its own cluster.
        """
        frame = self.frame
        if role == "question":
            keys = [frame["question"], frame["references"]]
        else:
            name = frame[HASH_COLUMNS[role]]
            has_no_name = name == NO_TEXT
            row_without_name = frame["row"].where(has_no_name, -1)
            keys = [name, row_without_name]
        clusters = frame.groupby(keys, sort=False)
        numbers: Array = clusters.ngroup().to_numpy()
        return numbers

    def ignore_systems(self) -> None:
        """Ignore the column of systems, so that the table has one system."""
        self.systems = []

    @property
    def has_systems(self) -> bool:
        """True if a column names at least one system."""
        return any(self.systems)

    @property
    def is_cluster_named(self) -> bool:
        """True if the clusters are defined by a column of the role "cluster"."""
        if not self.clustered_by:
            return False
        return self.clustered_by == self.roles.cluster

    def list_notes(self) -> list[Note]:
        """Return notes on rows that will not be scored, and on doubts."""
        notes = self.notes.list_skipped()
        notes += self.list_doubts()
        return notes

    def list_doubts(self) -> list[Note]:
        """Return notes on rows that are scored, but perhaps not as the user expects."""
        notes = self.describe_clusters()
        notes += self.notes.list_answer_notes()
        notes += self.notes.list_texts()
        return notes

    def describe_clusters(self) -> list[Note]:
        """Return a note on the clusters of rows.

        Answers of several systems to one question are not repeats, so they have no note.
        """
        if not self.clustered_by:
            return []
        if self.systems and not self.is_cluster_named:
            return []
        values = {
            "rows": self.rows,
            "clusters": self.clusters,
            "column": shorten_name(self.clustered_by),
        }
        return [Note("table.clusters", values)]


def make_frame(
    numbers: Mapping[str, array[int]],
    texts: Mapping[str, Sequence[Any]],
) -> pandas.DataFrame:
    """Return a frame of these columns; `stand_in` is the only one with fractions."""
    import numpy as np
    import pandas

    columns: dict[str, Array] = {}
    for name, values in numbers.items():
        columns[name] = np.asarray(values)
    for name, cells in texts.items():
        dtype = float if name == "stand_in" else object
        columns[name] = np.array(cells, dtype=dtype)
    return pandas.DataFrame(columns, copy=False)


# The field of an answer that each column of hashes is computed from.
HASHED_FIELDS = {
    "id": "id",
    "cluster_name": "cluster",
    "question": "question",
    "references": "references",
}
# The column of hashes that defines the clusters for each role.
HASH_COLUMNS = {"id": "id", "cluster": "cluster_name"}


def hash_text(text: str | tuple[str, ...]) -> int:
    """Return a hash of a text, or of several texts; NO_TEXT if there is no text."""
    return hash(text) if text else NO_TEXT
