"""Renders HTML from templates, which escape every value that is not already Markup."""

import re
from pathlib import Path
from typing import Any

import jinja2
import markupsafe
from markupsafe import Markup

from lens.words import TABLES, language, say
from lens.words.formats import cut_text as cut_text
from lens.words.formats import format_number, format_percent
from lens.words.printed import show_name

# Control characters cannot be shown, and lone surrogates cannot be sent to the browser.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def rich(key: str, **values: object) -> Markup:
    """Return a text with this project's own HTML, such as <b>; filled-in values are escaped."""
    return Markup(TABLES[language()][key]).format(**values)


def replace_unprintable(value: Any) -> Any:
    """Replace unprintable characters in a text; return any other value unchanged."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return UNPRINTABLE.sub("\ufffd", value)
    return value


def escape(text: object) -> str:
    """Return HTML that shows a text and does nothing else."""
    return str(markupsafe.escape(replace_unprintable(str(text))))


TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
    finalize=replace_unprintable,
)
TEMPLATES.globals.update(
    say=say,
    rich=rich,
    number=format_number,
    percent=format_percent,
)
TEMPLATES.filters.update(cut=cut_text, show_name=show_name)


def render(template: str, **values: Any) -> str:
    """Fill in a template; every value is escaped unless it is Markup."""
    return TEMPLATES.get_template(template).render(**values)


def part(macro: str, *values: Any) -> str:
    """Fill in one of the macros of templates/parts.html."""
    macros = TEMPLATES.get_template("parts.html").module
    return str(getattr(macros, macro)(*values))
