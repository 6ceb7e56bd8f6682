"""Reports of a scored file, with names and texts that are meant to break them."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lens.reports import contents, formats
from lens.scoring.catalog import SERIES
from lens.scoring.summary import Difference, Figure, Summary
from lens.words import speaking

BY_KEY = {series.key: series for series in SERIES}
F1, BLEU, VERDICT = (BY_KEY[key] for key in ("lv_eval_f1", "bleu", "eve_judge"))
SIGNATURE = "lv_eval_f1|version:1.0|zh:jieba-0.42.1"
# Names as a file may bring them along.
HOSTILE = [
    "a|b", "`x`", "<img src=x onerror=alert(1)>", "**bold** _it_ [x](http://x)", "# h", "- l", "1. l", "a\nb\r\n\n# c",
    "50% & $x$ #1 {y} ~^\\", "\\input{/etc/passwd}", "[3pt]", "*", "\\\\", "% gone", "", "  ", "\x00\x1b[31mred",
    "中文", "x\u2028y\x85z", "\u202egnp.exe", "\ud800", "é", "a" * 500, "\\end{table}", "}{", "$$", "--", "<!-- gone",
]  # fmt: skip
NAMES = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(codec=None), max_size=20))


def figure(series: Any, mean: float | None, scored: int = 8, unscored: Mapping[str, int] | None = None) -> Figure:
    """One figure, with an interval where there is a mean."""
    interval = None if mean is None else (mean - 0.1, mean + 0.1)
    return Figure(series, mean, interval, scored, unscored or {})


def summary(name: str = "runs.csv", group: str = "easy", note: str = "A note.", **changes: Any) -> Summary:
    """A summary of ten rows; `name` stands wherever a file's own words do."""
    figures = [figure(F1, 0.51234), figure(BLEU, 0.25), figure(VERDICT, None, 0, {"refusal": 7, name: 3})]
    found = Summary(
        source=name,
        rows=1234,
        figures=figures,
        groups={group: figures, f"{group}2": [figure(F1, 0.0)]},
        group_column=name,
        corpus_bleu=0.3,
        costs={"eve_judge": 0.000123, "l3score": None},
        signatures={"lv_eval_f1": SIGNATURE, "bleu": name},
        stopped={"l3score": note},
        notes=[note],
    )
    return dataclasses.replace(found, **changes)


DIFFERENCES = [
    Difference(F1, 10, 0.5, 0.625, -0.125, (-0.3, 0.05), 0.1234, 3, 5, 2),
    Difference(VERDICT, 0, None, None, None, None, None, 0, 0, 0),
]
CORRELATIONS: dict[tuple[str, str], tuple[float | None, int]] = {
    ("lv_eval_f1", "lv_eval_f1"): (1.0, 9),
    ("lv_eval_f1", "bleu"): (-0.25, 8),
    ("bleu", "bleu"): (None, 8),
}


def cells(text: str) -> list[list[str]]:
    """The rows of all tables of Markdown."""
    lines = [line for line in text.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]


# Markdown


def test_what_markdown_says() -> None:
    text = contents.markdown(summary(), DIFFERENCES, CORRELATIONS)
    rows = cells(text)
    assert text.startswith("# Scores of runs.csv\n\n| Metric ")
    assert rows[0] == ["Metric", "Mean", "95% interval", "Scored", "Not scored"]
    assert re.search(r"^\|:-+\|-+:\|-+:\|-+:\|-+:\|$", text, re.MULTILINE), "figures stand on the right"
    assert ["LV-Eval F1", "0.5123", "[0.4123, 0.6123]", "8", "0"] in rows
    assert ["Corpus BLEU (all rows)", "0.3000", "–", "8", "0"] in rows
    assert [VERDICT.title, "–", "–", "0", "10"] in rows
    assert ["easy2", "0.0000", "[-0.1000, 0.1000]", "8", "0"] in rows
    assert ["LV-Eval F1", "0.5000", "0.6250", "-0.1250", "[-0.3000, 0.0500]", "0.1234", "3 / 5 / 2", "10"] in rows
    assert [VERDICT.title, "–", "–", "–", "–", "–", "0 / 0 / 0", "0"] in rows
    assert ["LV-Eval F1", "1.0000 (9)", "-0.2500 (8)"] in rows
    assert [BLEU.title, "-0.2500 (8)", "– (8)"] in rows
    for line in (
        "- Rows: 1,234",
        f"- {VERDICT.title}, rows not scored: The judge refused to judge this (7); runs.csv (3)",
        f"- {VERDICT.title}: 0.00012 USD",
        "- l3score: unknown",
        "- l3score: A note.",
        f"- lv\\_eval\\_f1: `{SIGNATURE}`",
    ):
        assert line in text.split("\n")
    assert "Wilson" in text
    assert "2,000 resamples" in text
    assert "no p is below 0.0005" in text


def test_what_is_not_there_is_not_spoken_of() -> None:
    bare = summary(
        figures=[figure(F1, 0.5)], groups={}, corpus_bleu=None, costs={}, stopped={}, notes=[], signatures={}
    )
    text = contents.markdown(bare)
    assert cells(text)[1:] == [["LV-Eval F1", "0.5000", "[0.4000, 0.6000]", "8", "0"]]
    assert text.count("#") == 1
    assert "Wilson" not in text


@given(NAMES, NAMES, NAMES)
def test_no_name_breaks_markdown(name: str, group: str, note: str) -> None:
    """The same lines of the same kind as with plain names; what stands in them is escaped."""
    plain = contents.markdown(summary(), DIFFERENCES, CORRELATIONS).split("\n")
    hostile = contents.markdown(summary(name, group, note), DIFFERENCES, CORRELATIONS).split("\n")
    assert [kind_of_line(line) for line in hostile] == [kind_of_line(line) for line in plain]
    for line in hostile:
        rest = re.sub(r"(`+) ?.*?[^`]? ?\1$", "", line) if re.match(r"- (lv\\_eval\\_f1|bleu): `", line) else line
        assert not re.search(r"[<>\x00-\x1f\x7f-\x9f\u2028\u2029\u202e\ud800-\udfff]", rest)
        assert not re.search(r"(?<!\\)(?:\\\\)*[`*_~]", rest)
        assert not re.match(r"- ([-+#=]|[0-9]+[.)])", rest)
        line.encode()


def kind_of_line(line: str) -> tuple[str, int]:
    """What a line begins with, and into how many cells it is divided."""
    begin = re.match(r"#+ |\| |- |", line)
    return (begin[0] if begin else "", line.count("|") if line.startswith("|") else 0)


@given(NAMES)
def test_code_comes_out_of_markdown_as_it_went_in(text: str) -> None:
    """A code span ends at the first run of as many backticks as it began with."""
    drawn = formats.code_in_markdown(text)
    fence = re.match("`+", drawn)
    assert fence
    inner = drawn[len(fence[0]) : -len(fence[0])]
    assert drawn.endswith(fence[0])
    assert fence[0] not in re.findall("`+", inner)
    assert inner.strip(" ") == formats.one_line(text).strip(" ")


# LaTeX

TOKEN = re.compile(
    r"(?P<begin>\\begin\{(?P<opened>[a-z]+)\})|(?P<end>\\end\{(?P<closed>[a-z]+)\})|(?P<row>\\\\$)"
    r"|(?P<escaped>\\[{}$&#_%])|(?P<word>\\[a-zA-Z]+)|(?P<brace>[{}])|(?P<minus>\$-\$)|(?P<cell> & )"
    r"|(?P<wrong>[\\$&#^_~%<>|\"\x00-\x09\x0b-\x1f])|[^\\]",
    re.MULTILINE,
)
WORDS = {
    "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar", "ldots", "texttt",
    "allowbreak", "centering", "caption", "small", "scriptsize", "setlength", "tabcolsep", "toprule", "midrule",
    "bottomrule", "item", "raggedright", "endfirsthead", "endhead", "endfoot", "endlastfoot", "multicolumn",
}  # fmt: skip


def check_latex(text: str) -> None:
    """Balanced braces and environments, no special character as it stands, only the commands that are meant."""
    body = text.split("\n", 1)[1] if text.startswith("% ") else text
    body = body.split("\n", 1)[1] if body.startswith("% ") else body
    depth, opened = 0, []
    for found in TOKEN.finditer(body):
        assert not found["wrong"] or (found["wrong"] == '"' and depth), found
        assert not found["word"] or found["word"][1:] in WORDS, found
        depth += {"{": 1, "}": -1}.get(found["brace"], 0)
        assert depth >= 0
        if found["begin"]:
            opened.append(found["opened"])
        if found["end"]:
            assert opened.pop() == found["closed"]
    assert not depth
    assert not opened


def columns_of(text: str) -> Iterator[tuple[int, int]]:
    """How many columns each table has, and how many cells each of its rows."""
    for columns, body in re.findall(r"\\begin\{tabular\}\{(l?r*)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
        for row in re.findall(r"^(.*) \\\\$", body, re.MULTILINE):
            yield len(columns), len(re.split(r"(?<!\\) & |(?<=\\\\) & ", row))


def test_what_latex_says() -> None:
    text = contents.latex(summary("50%_off.csv"), DIFFERENCES)
    assert text.startswith("% In the preamble: \\usepackage{booktabs}\n\\begin{table}[htbp]\n\\centering\n")
    assert r"\caption{Scores of 50\%\_off.csv}" in text
    assert r"LV-Eval F1 & 0.5123 & {[}0.4123, 0.6123{]} & 8 & 0 \\" in text
    assert r"LV-Eval F1 & 0.5000 & 0.6250 & $-$0.1250 & {[}$-$0.3000, 0.0500{]} & 0.1234 & 3 / 5 / 2 & 10 \\" in text
    assert VERDICT.title + r" & {--} & {--} & 0 & 10 \\" in text
    signature = r"\texttt{lv\_\allowbreak{}eval\_\allowbreak{}f1\textbar{}\allowbreak{}version:\allowbreak{}1."
    assert rf"\item lv\_eval\_f1: {signature}" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 5
    check_latex(text)


@given(NAMES, NAMES, NAMES)
def test_no_name_breaks_latex(name: str, group: str, note: str) -> None:
    text = contents.latex(summary(name, group, note), DIFFERENCES)
    check_latex(text)
    assert all(columns == found for columns, found in columns_of(text))
    assert text.count(r"\begin{table}") == 5
    text.encode()


@pytest.mark.parametrize("broken", [r"\begin{table}", "{", "}", "a_b", "50%", r"\input{x}", "a & b & $", "~", r"\x{"])
def test_the_check_of_latex_finds_what_is_broken(broken: str) -> None:
    with pytest.raises(AssertionError):
        check_latex(broken)


def test_many_groups_go_on_on_the_next_page() -> None:
    groups = {f"group {number}": [figure(F1, 0.5)] for number in range(1000)}
    text = contents.latex(summary(groups=groups))
    assert text.count(r"\begin{table}") == text.count(r"\begin{longtable}") == 1
    assert text.count("group 999 &") == 1
    assert r"\usepackage{booktabs,longtable}" in text
    check_latex(text)


@pytest.mark.skipif(
    not shutil.which("pdflatex")
    or subprocess.run(["kpsewhich", "longtable.sty"], capture_output=True, check=False).returncode != 0,
    reason="pdflatex with booktabs is not installed",
)
def test_pdflatex_sets_it(tmp_path: Path) -> None:
    """Names of ASCII alone: of other alphabets pdflatex knows few letters, which the report says at its top."""
    names = [name for name in HOSTILE if name.isascii()]
    groups = {name: [figure(F1, -0.5)] for name in names}
    tables = [contents.latex(summary(name, note=name, groups=groups), DIFFERENCES) for name in names[:12]]
    head = "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n"
    (tmp_path / "report.tex").write_text(head + "\\clearpage\n".join(tables) + "\\end{document}\n", "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=120)
    log = (tmp_path / "report.log").read_text("latin-1")
    assert done.returncode == 0, log[-3000:]
    assert "Float too large" not in log


# Plain text


def test_columns_of_the_terminal_are_aligned() -> None:
    for language in ("en", "zh"):
        with speaking(language):
            lines = contents.plain(summary("中文.csv"), DIFFERENCES).split("\n")
        at = next(number for number, line in enumerate(lines) if line.startswith("---"))
        table = lines[at - 1 : at + 5]
        assert len({formats.width(line) for line in table}) == 1
        assert table[2].split()[-4:] == ["[0.4123,", "0.6123]", "8", "0"]
        assert lines[1] == "=" * formats.width(lines[0])


@given(NAMES, NAMES, NAMES)
def test_no_name_breaks_the_terminal(name: str, group: str, note: str) -> None:
    text = contents.plain(summary(name, group, note), DIFFERENCES)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]", text)
    assert text.count("\n") == contents.plain(summary(), DIFFERENCES).count("\n")


def test_reports_in_chinese() -> None:
    with speaking("zh"):
        drawn = contents.markdown(summary(), DIFFERENCES, CORRELATIONS), contents.latex(summary(), DIFFERENCES)
    assert drawn[0].startswith("# runs.csv 的得分\n\n| 指标 ")
    assert cells(drawn[0])[0] == ["指标", "均值", "95% 区间", "已评分", "未评分"]
    assert "配对自助法" in drawn[0]
    assert "ctex" in drawn[1].split("\n")[1]
    check_latex(drawn[1])
