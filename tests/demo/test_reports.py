"""Reports of scored files in each format, also with names and texts that might break a format."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lens import VERSION
from lens.reports.contents import Commentary, make_sections
from lens.reports.json_report import format_json
from lens.reports.latex import format_latex
from lens.reports.markdown import format_markdown
from lens.reports.plain_text import WIDTH, format_plain_text, measure_width, wrap_text
from lens.reports.score_sections import RankingDoubt
from lens.reports.section import Section, SectionText, format_sections
from lens.scoring.catalog import SERIES
from lens.words import speaking
from lens.words.printed import make_one_line

from tests.demo.result_samples import SampleSystem, make_figure, make_results

BY_KEY = {series.key: series for series in SERIES}
F1 = BY_KEY["lv_eval_f1"]
BLEU = BY_KEY["bleu"]
VERDICT = BY_KEY["eve_judge"]
# The name of the second system, and the same name escaped in Markdown.
OTHER = "b|_mo-del"
OTHER_IN_MARKDOWN = "b&#124;\\_mo-del"
SIGNATURE = "lv_eval_f1|version:1.0|zh:jieba-0.42.1"
# Names from a file that might break a report.
HOSTILE = [
    "a|b",
    "`x`",
    "<img src=x onerror=alert(1)>",
    "**bold** _it_ [x](http://x)",
    "# h",
    "- l",
    "1. l",
    "a\nb\r\n\n# c",
    "50% & $x$ #1 {y} ~^\\",
    "\\input{/etc/passwd}",
    "[3pt]",
    "*",
    "\\\\",
    "% gone",
    "",
    "  ",
    "\x00\x1b[31mred",
    "中文",
    "x\u2028y\x85z",
    "\u202egnp.exe",
    "\ud800",
    "é",
    "a" * 500,
    "\\end{table}",
    "}{",
    "$$",
    "--",
    "<!-- gone",
]
NAMES = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec=None), max_size=20))


def make_system(
    name: str = "runs.csv", group: str = "easy", note: str = "A note.", **changes: Any
) -> SampleSystem:
    """Return a system whose texts from a file are `name`, `group` and `note`."""
    figures = [
        make_figure(F1, 0.51234),
        make_figure(BLEU, 0.25),
        make_figure(VERDICT, None, 0, {"refusal": 7, name: 3}),
    ]
    system = SampleSystem(
        name,
        rows=1234,
        figures=figures,
        groups={group: figures, f"{group}2": [make_figure(F1, 0.0)]},
        group_column=name,
        corpus_bleu=0.3,
        costs={"eve_judge": 0.000123, "l3score": None},
        signatures={"lv_eval_f1": SIGNATURE, "bleu": name},
        stopped={"l3score": note},
        notes=[note],
    )
    return dataclasses.replace(system, **changes)


def make_comparison(first: str, second: str) -> dict[str, Any]:
    """Return the tables of differences and ranks of two systems, with made-up figures.

    By the F1 they may be equal (the interval contains 0); by BLEU the first is better.
    """
    f1 = {"metric": "lv_eval_f1", "questions": 10, "repeats": None}
    bleu = {"metric": "bleu", "questions": 10, "repeats": 0.0625}
    pair = {"first": first, "second": second}
    differences = [
        {
            **f1,
            **pair,
            "mean_first": 0.5,
            "mean_second": 0.625,
            "difference": -0.125,
            "low": -0.3,
            "high": 0.05,
            "p": 0.1234,
            "won": 3,
            "tied": 5,
            "lost": 2,
        },
        {
            **bleu,
            **pair,
            "mean_first": 0.5,
            "mean_second": 0.25,
            "difference": 0.25,
            "low": 0.125,
            "high": 0.5,
            "p": 0.01,
            "won": 9,
            "tied": 0,
            "lost": 1,
        },
    ]
    ranks = [
        {**f1, "system": first, "mean": 0.5, "best_rank": 1, "worst_rank": 2, "is_best": True},
        {**f1, "system": second, "mean": 0.625, "best_rank": 1, "worst_rank": 2, "is_best": True},
        {**bleu, "system": first, "mean": 0.5, "best_rank": 1, "worst_rank": 1, "is_best": True},
        {**bleu, "system": second, "mean": 0.25, "best_rank": 2, "worst_rank": 2, "is_best": False},
    ]
    return {"differences": differences, "ranks": ranks}


# Spearman's rho and the number of rows, by pairs of metrics.
Correlations = dict[tuple[str, str], tuple[float | None, int]]
CORRELATIONS: Correlations = {
    ("lv_eval_f1", "lv_eval_f1"): (1.0, 9),
    ("lv_eval_f1", "bleu"): (-0.25, 8),
    ("bleu", "lv_eval_f1"): (-0.25, 8),
    ("bleu", "bleu"): (None, 8),
}


def make_two_system_report(
    system: SampleSystem, correlations: Correlations | None = None
) -> list[Section]:
    """Return the report on two systems: the second has no groups and a higher F1."""
    figures = [make_figure(F1, 0.625), *system.figures[1:]]
    second_system = dataclasses.replace(
        system,
        name=OTHER,
        figures=figures,
        groups={},
        notes=[],
    )
    results = make_results(
        [system, second_system], **make_comparison(system.name, OTHER), correlations=correlations
    )
    doubt = RankingDoubt(["bleu"], "Made up", 3, 3)
    return make_sections(results, Commentary("What is certain.", doubt))


def write_markdown(sections: list[Section]) -> str:
    """Return a report in Markdown."""
    return format_markdown(format_sections(sections))


def write_latex(sections: list[Section]) -> str:
    """Return a report in LaTeX."""
    return format_latex(format_sections(sections))


def write_plain(sections: list[Section]) -> str:
    """Return a report as plain text."""
    return format_plain_text(format_sections(sections))


def measure_widest_line(text: str) -> int:
    """Return the width of the widest line of a report in plain text.

    Signatures do not count: they are not wrapped, so that they can be copied.
    """
    lines = [line for line in text.split("\n") if not line.startswith(("lv_eval_f1: ", "bleu: "))]
    return max(map(measure_width, lines))


def split_cells(text: str) -> list[list[str]]:
    """Return the cells of all tables of a report in Markdown, row by row."""
    rows = []
    for line in text.split("\n"):
        if line.startswith("| "):
            cells = line[1:-1].split("|")
            rows.append([cell.strip() for cell in cells])
    return rows


# Markdown


def test_a_report_in_markdown() -> None:
    text = write_markdown(make_two_system_report(make_system(), CORRELATIONS))
    other = OTHER_IN_MARKDOWN
    rows = split_cells(text)
    assert text.startswith("# Systems\n\n| System ")
    assert rows[0] == ["System", "Rank", "LV-Eval F1", f"{BLEU.title} †", VERDICT.title]
    assert rows[1:3] == [
        [other, "1 to 2", "**0.625 ± 0.100**", "0.250 ± 0.100", "–"],
        ["runs.csv", "1 to 2", "**0.512 ± 0.100**", "**0.250 ± 0.100**", "–"],
    ], (
        "the system with the best first metric must come first; the best, and those that are not "
        "significantly worse, must be bold"
    )
    assert re.search(r"^\|:-+\|-+:\|-+:\|-+:\|-+:\|$", text, re.MULTILINE), (
        "figures are not aligned to the right"
    )
    for row in (
        ["LV-Eval F1", "runs.csv", "0.5123", "[0.4123, 0.6123]", "8", "0"],
        ["Corpus BLEU (all rows)", other, "0.3000", "–", "8", "0"],
        [VERDICT.title, other, "–", "–", "0", "10"],
        ["easy2", "0.000 ± 0.100", "–", "–", "8"],
        [
            "Metric",
            "System A",
            "System B",
            "Mean A",
            "Mean B",
            "Difference",
            "95% interval",
            "p",
            "Won / tied / lost",
            "Questions",
        ],
        [
            "LV-Eval F1",
            "runs.csv",
            other,
            "0.5000",
            "0.6250",
            "-0.1250",
            "[-0.3000, 0.0500]",
            "0.1234",
            "3 / 5 / 2",
            "10",
        ],
        ["LV-Eval F1", "1.0000 (9)", "-0.2500 (8)"],
        [BLEU.title, "-0.2500 (8)", "– (8)"],
    ):
        assert row in rows
    for line in (
        "- What is certain.",
        f"- † On human verdicts the mean of {BLEU.title} ranks systems no better than chance "
        "(Made up: 3 systems, 3 pairs of them). Read a sample before you report it.",
        "- How far scores of one system’s answers to a question differ (standard deviation, in "
        "the mean): "
        f"{BLEU.title} 0.0625.",
        "- EVE judge: The judge refused to judge this (7); runs.csv (3)",
        "- runs.csv: A note.",
        "- EVE judge: 0.00012 USD",
        "- L3Score: price unknown",
        "- L3Score: A note.",
        f"- lv\\_eval\\_f1: `{SIGNATURE}`",
    ):
        assert line in text.split("\n")
    for words in (
        "Clopper and Pearson",
        "Agresti and Min 2005",
        "No p is corrected for several metrics",
    ):
        assert words in text


def test_a_report_has_no_section_without_content() -> None:
    without_content: dict[str, Any] = {
        "groups": {},
        "costs": {},
        "stopped": {},
        "notes": [],
        "signatures": {},
    }
    text = write_markdown(
        make_sections(
            make_results(
                [make_system(figures=[make_figure(F1, 0.5)], corpus_bleu=None, **without_content)]
            )
        )
    )
    assert split_cells(text)[1:] == [["LV-Eval F1", "0.5000", "[0.4000, 0.6000]", "8", "0"]]
    heads = re.findall("^#+ .*", text, re.MULTILINE)
    assert heads == ["# Scores of runs.csv", "## To paste into a paper"]
    assert "correctness estimates" not in text


def read_json_rows(sections: list[Section]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each section of a JSON report by the section's id."""
    report = json.loads(format_json(sections))
    return {section["id"]: section["rows"] for section in report["sections"]}


def test_a_report_in_json_has_every_column_even_of_equal_names() -> None:
    """A column of the file may have the name of a column of the report, here "mean"."""
    rows = read_json_rows(
        make_two_system_report(make_system("p", group_column="mean"), CORRELATIONS)
    )
    assert [row["system"] for row in rows["systems"]] == [OTHER, "p"]
    best = {
        "lv_eval_f1": 0.625,
        "lv_eval_f1_low": 0.525,
        "lv_eval_f1_high": 0.725,
        "lv_eval_f1_best": True,
    }
    best |= {"bleu": 0.25, "best_rank": 1, "worst_rank": 2}
    assert rows["systems"][0].items() >= best.items()
    mean = {"group": "easy", "system": "p", "lv_eval_f1": 0.51234, "rows": 8}
    assert rows["groups"][0].items() >= mean.items(), "a figure is rounded"
    pair = {
        "first": "p",
        "second": OTHER,
        "p": 0.1234,
        "low": -0.3,
        "high": 0.05,
        "won": 3,
        "tied": 5,
        "lost": 2,
    }
    assert rows["differences"][0].items() >= pair.items()
    correlation = {"metric": "lv_eval_f1", "bleu": -0.25, "bleu_n": 8}
    assert rows["correlations"][0].items() >= correlation.items()
    assert {"system": "p", "metric": "l3score", "usd": None} in rows["costs"]
    refusals = {"system": "p", "metric": "eve_judge", "reason": "refusal", "count": 7}
    assert refusals in rows["reasons"]


def test_a_name_of_digits_is_no_number_in_json() -> None:
    results = make_results([make_system("7"), make_system("8")], **make_comparison("7", "8"))
    rows = read_json_rows(make_sections(results))
    assert {row["system"] for row in rows["systems"]} == {"7", "8"}


def test_a_report_in_json_is_equal_in_both_languages() -> None:
    english = read_json_rows(make_two_system_report(make_system(), CORRELATIONS))
    with speaking("zh"):
        chinese = read_json_rows(make_two_system_report(make_system(), CORRELATIONS))
    assert english == chinese


def test_a_chinese_report_has_the_chinese_titles_of_metrics() -> None:
    with speaking("zh"):
        text = write_markdown(make_two_system_report(make_system(), CORRELATIONS))
    assert "\n| BLEU（逐行平均）" in text
    assert "mean of rows" not in text


def test_a_report_has_a_sentence_to_paste_into_a_paper() -> None:
    text = write_markdown(make_two_system_report(make_system()))
    assert (
        "- Over 10 questions, runs.csv and b&#124;\\_mo-del have a mean LV-Eval F1 of 0.500 and "
        "0.625: a difference of "
        "-0.125 (95% interval &#91;-0.300, 0.050&#93;, p = 0.1234; two-sided Student’s test of "
        "the paired differences "
        "with two made-up questions (Agresti and Min 2005), without random draws; Answer Lens "
        f"{VERSION})."
    ) in text
    one_system = write_markdown(make_sections(make_results([make_system()])))
    assert (
        "- runs.csv has a mean LV-Eval F1 of 0.512 over 8 answers (95% interval &#91;0.412, "
        "0.612&#93;, " in one_system
    )
    short = format_sections(
        make_sections(
            make_results([make_system(), make_system(OTHER)], **make_comparison("runs.csv", OTHER)),
            full=False,
        )
    )
    assert "paper" not in {section.id for section in short}, "the short report has only tables"


# LaTeX

KNOWN = re.compile(
    r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|ldots|texttt"
    r"|allowbreak|centering"
    r"|caption|label|small|scriptsize|setlength|tabcolsep|toprule|midrule|bottomrule|item"
    r"|raggedright|endfirsthead|endhead"
    r"|endfoot|endlastfoot|multicolumn|textbf|tiny|textdagger)(?![a-zA-Z])|\\(begin|end)\{[a-z]+\}"
    r"|\\[{}$&#_%]"
    r"|\\\\$|\$-\$|\$\\pm\$| & ",
    re.MULTILINE,
)


def check_latex(text: str) -> None:
    """Check that LaTeX is well formed.

    Braces and environments are balanced, special characters are escaped, only known commands are
    used, and each row has as many cells as its table has columns.
    """
    body = re.sub("^(% .*\n)+", "", text)
    environments: list[str] = []
    for command, name in re.findall(r"\\(begin|end)\{([a-z]+)\}", body):
        if command == "begin":
            environments.append(name)
        else:
            assert environments.pop() == name
    assert not environments
    stacked = re.sub(
        r"\\shortstack\[r\]\{((?:[^{}]|\{\})*)\}", lambda head: head[1].replace(r"\\ ", " "), body
    )
    unknown = KNOWN.sub("", stacked)
    # Balanced braces are taken away, the inner ones first.
    replacements = 1
    while replacements:
        unknown, replacements = re.subn(r"\{([^{}]*)\}", r"\1", unknown)
    assert not re.search(r"[\\{}$&#^_~%<>|\x00-\x09\x0b-\x1f]", unknown)
    for columns, rows in re.findall(
        r"\\begin\{tabular\}\{(l?r*)\}(.*?)\\end\{tabular\}", body, re.DOTALL
    ):
        for row in re.findall(r"^(.*) \\\\$", rows, re.MULTILINE):
            assert len(re.split(r"(?<!\\) & |(?<=\\\\) & ", row)) == len(columns)


def test_a_report_in_latex() -> None:
    text = write_latex(make_two_system_report(make_system("50%_off.csv")))
    assert text.startswith(
        "% In the preamble: \\usepackage{booktabs}\n\\begin{table}[htbp]\n\\centering\n"
    )
    signature = (
        r"\texttt{lv\_\allowbreak{}eval\_\allowbreak{}f1\textbar{}\allowbreak{}"
        r"version:\allowbreak{}1."
    )
    for part in (
        r"\caption{Systems}\label{tab:systems}",
        r"\label{tab:differences}",
        r"System & Rank & LV-Eval F1 & \shortstack[r]{BLEU (mean\\ of rows) \textdagger{}} & ",
        r"50\%\_off.csv & 1 to 2 & \textbf{0.512{\tiny$\pm$0.100}} & "
        r"\textbf{0.250{\tiny$\pm$0.100}} & {--} \\",
        r"LV-Eval F1 & 50\%\_off.csv & b\textbar{}\_mo-del & 0.5000 & 0.6250 & $-$0.1250 & "
        r"{[}$-$0.3000, 0.0500{]}",
        VERDICT.title + r" & 50\%\_off.csv & {--} & {--} & 0 & 10 \\",
        rf"\item lv\_eval\_f1: {signature}",
    ):
        assert part in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 4
    assert "pdfLaTeX" not in text
    check_latex(text)


def test_a_table_of_many_groups_is_a_longtable_in_latex() -> None:
    groups = {f"group {number}": [make_figure(F1, 0.5)] for number in range(100)}
    text = write_latex(make_sections(make_results([make_system(groups=groups)])))
    assert text.count(r"\begin{table}") == text.count(r"\begin{longtable}") == 1
    assert text.count("group 99 &") == 1
    assert r"\usepackage{booktabs,longtable}" in text
    check_latex(text)


# Plain text, and both languages


RANKS = {"en": ["1", "to", "2"], "zh": ["1", "至", "2"]}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_columns_in_plain_text_are_aligned(language: str) -> None:
    with speaking(language):
        lines = write_plain(make_two_system_report(make_system("中文.csv"))).split("\n")
    assert lines[1] == "=" * measure_width(lines[0])
    # The rule below the head of a table. The first table has two rows, the third one eight.
    rules = [number for number, line in enumerate(lines) if line.startswith("---")]
    first_rule, _, third_rule, *_ = rules
    for table in (lines[first_rule : first_rule + 3], lines[third_rule - 1 : third_rule + 9]):
        assert len({measure_width(line) for line in table}) == 1
    assert lines[first_rule + 1].split()[1:] == [
        *RANKS[language],
        "0.625",
        "±",
        "0.100*",
        "0.250",
        "±",
        "0.100",
        "–",
    ]
    assert lines[third_rule + 1].split()[-4:] == ["[0.4123,", "0.6123]", "8", "0"]


def test_reports_in_chinese() -> None:
    with speaking("zh"):
        report = make_two_system_report(make_system())
        markdown = write_markdown(report)
        tex = write_latex(report)
    assert markdown.startswith("# 各系统\n\n| 系统 ")
    assert ["指标", "系统", "均值", "95% 区间", "已评分", "未评分"] in split_cells(markdown)
    assert "ctex" in tex.split("\n")[1]
    check_latex(tex)


# Names from files


def describe_line(line: str) -> tuple[str, int]:
    """Return the kind of a line of Markdown, and the number of its cells."""
    begin = re.match(r"#+ |\| |- |", line)
    return (begin[0] if begin else "", line.count("|") if line.startswith("|") else 0)


def check_markdown_line(line: str, codes: tuple[str, ...]) -> None:
    """Check that names put no markup into a line of a report.

    Args:
        line: the line.
        codes: the texts that may stand between backticks, which are signatures.
    """
    # Code ends where as many backticks follow as it began with.
    code = re.match(r"- (?:lv\\_eval\\_f1|bleu): (`+)(?!`)(.*?)(?<!`)\1(?!`)", line)
    if code:
        assert code.end() == len(line)
        assert code[2].strip() in codes
        return
    # The best mean is in bold.
    unmarked = re.sub(r"\*\*(0\.[0-9]{3} ± 0\.[0-9]{3})\*\*", r"\1", line)
    assert not re.search(r"[<>\x00-\x1f\x7f-\x9f\u2028\u2029\u202e\ud800-\udfff]", unmarked)
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_~]", unmarked)
    assert not re.match(r"- ([-+#=]|[0-9]+[.)])", unmarked)


@settings(max_examples=30, deadline=None)
@given(NAMES, NAMES, NAMES)
@example("a``b`c", "`", "``")
def test_no_name_breaks_a_report(name: str, group: str, note: str) -> None:
    """The report has the same kinds of lines as with plain names, and the names are escaped."""
    named = make_system(name, group, note)
    plain = write_markdown(make_two_system_report(make_system(), CORRELATIONS)).split("\n")
    hostile = write_markdown(make_two_system_report(named, CORRELATIONS)).split("\n")
    assert [describe_line(line) for line in hostile] == [describe_line(line) for line in plain]
    for line in hostile:
        check_markdown_line(line, ("", SIGNATURE, make_one_line(name).strip()))
    latex = write_latex(make_two_system_report(named))
    check_latex(latex)
    assert latex.count(r"\begin{table}") == 4
    terminal = write_plain(make_two_system_report(named))
    unprintable = r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]"
    assert not re.search(unprintable, terminal)
    assert terminal.splitlines() == terminal.split("\n")[:-1]
    assert measure_widest_line(terminal) <= WIDTH
    # A lone surrogate, which cannot be written to a file, would raise an error here.
    "\n".join([*hostile, latex]).encode()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "name", ["gpt4.jsonl", "a" * 30, "a system with quite a long name", "名" * 30]
)
def test_plain_text_fits_the_terminal_and_has_every_figure(name: str, language: str) -> None:
    note = "Words that take more than a line. " * 20
    with speaking(language):
        report = make_two_system_report(make_system(name, note=note), CORRELATIONS)
        sections = format_sections(report)
        text = format_plain_text(sections)
    assert measure_widest_line(text) <= WIDTH
    text_without_spaces = "".join(text.split())
    for section in sections:
        for row in section.rows:
            for figure in row[section.n_names :]:
                assert figure in text
        for label, code in section.lines:
            if code:
                assert f"{label}: {code}" in text
            else:
                # Without code the label is a whole note, which may be wrapped anywhere.
                assert "".join(label.split()) in text_without_spaces


@pytest.mark.parametrize("n_names", [1, 3])
def test_a_wide_table_is_split_into_blocks_in_plain_text(n_names: int) -> None:
    heads = [f"column {number}" for number in range(20)]
    rows = []
    for row in (1, 2):
        figures = [f"{row}.{number:04}" for number in range(n_names, 20)]
        rows.append([*(f"name {row} {number}" for number in range(n_names)), *figures])
    lines = format_plain_text([SectionText("Title", heads, rows, n_names=n_names)]).split("\n")
    assert max(map(len, lines)) <= WIDTH
    for row in (1, 2):
        shown = " ".join(line for line in lines if line.startswith(f"name {row} 0"))
        assert re.findall(rf"{row}\.\d{{4}}", shown) == rows[row - 1][n_names:]


def test_a_note_cannot_forge_a_message_of_the_program() -> None:
    """If the text of a file has "score.py:", no line of a wrapped note begins with it."""
    forged = "x " * 60 + "score.py: everything is fine " * 5
    text = format_plain_text([SectionText("Notes", lines=[(forged, "")])])
    assert [line for line in text.split("\n")[2:] if line.startswith("score.py")] == []


@pytest.mark.parametrize(
    ("text", "size", "lines"),
    [
        ("", 10, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("Won / tied / lost", 6, ["Won /", "tied /", "lost"]),
        ("LV-Eval ROUGE †", 14, ["LV-Eval", "ROUGE †"]),
        ("a" * 25, 10, ["a" * 10, "a" * 10, "a" * 5]),
        ("均值与区间。", 8, ["均值与区", "间。"]),
        ("用 ROUGE-L 计", 9, ["用", "ROUGE-L", "计"]),
    ],
)
def test_texts_are_wrapped_at_spaces_and_between_chinese_characters(
    text: str, size: int, lines: list[str]
) -> None:
    assert wrap_text(text, size) == lines
