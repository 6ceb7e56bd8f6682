"""Read the elements and the visible text of a piece of HTML."""

from __future__ import annotations

from html.parser import HTMLParser

VOID_TAGS = {"wbr", "br", "img", "input"}


class Outline(HTMLParser):
    """The elements and attributes of a piece of HTML, whose tags must be properly nested."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def visible_text(html: str, between: str = "") -> str:
    """Return the text of a piece of HTML, with `between` in place of tags."""
    pieces: list[str] = []
    parser = HTMLParser()
    parser.handle_data = pieces.append  # type: ignore[method-assign, assignment]
    parser.feed(html)
    return between.join(pieces)
