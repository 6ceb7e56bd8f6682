"""Many visitors at once: their addresses, turns, held files, and unread messages."""

from __future__ import annotations

import asyncio
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lens.page.serving import gradio_internals, session_store, visitors
from lens.page.serving.submissions import LONG_LANE, WORDS_LANE, choose_lane
from lens.page.serving.visitors import Lane, find_address
from lens.page.tab import Tab, VisitorFile, read_upload
from lens.scoring.submission import Submission
from lens.tables.untrusted import Table
from starlette.datastructures import Headers

from tests.demo.metric_samples import FIRST_EXAMPLE
from tests.demo.page_server import find_event, join_queue, read_messages, serve_page
from tests.demo.page_visits import VISITOR, collect_steps
from tests.support.processes import wait_until

VALUES = (
    FIRST_EXAMPLE.question,
    FIRST_EXAMPLE.reference,
    FIRST_EXAMPLE.answer,
    FIRST_EXAMPLE.keywords,
    False,
    "first",
    None,
    False,
    None,
    "",
    "",
    "",
    False,
    False,
)


@pytest.mark.parametrize(
    ("peer", "header", "proxies", "address"),
    [
        ("10.0.0.1", "", "", "10.0.0.1"),
        ("10.0.0.1", "made up, 1.2.3.4", "", "1.2.3.4"),
        ("127.0.0.1", "1.2.3.4", "", "1.2.3.4"),
        # Without a proxy before the page, the visitor wrote the header.
        ("9.9.9.9", "1.2.3.4", "", "9.9.9.9"),
        ("9.9.9.9", "1.2.3.4", "1", "1.2.3.4"),
        ("10.0.0.1", "made up, 1.2.3.4, 10.0.0.2", "2", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4", "2", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4", "0", "10.0.0.1"),
        ("10.0.0.1", " ,, ", "", "10.0.0.1"),
        # A proxy may add its own header after the visitor's.
        ("10.0.0.1", "made up\n1.2.3.4", "", "1.2.3.4"),
        ("10.0.0.1", "made up\n1.2.3.4\n10.0.0.2", "2", "1.2.3.4"),
        ("10.0.0.1", "2001:db8:1:2:3::4", "", "2001:db8:1:2::/64"),
        ("", "", "", ""),
    ],
)
def test_a_visitors_address_is_the_one_that_the_outermost_proxy_saw(
    monkeypatch: pytest.MonkeyPatch,
    peer: str,
    header: str,
    proxies: str,
    address: str,
) -> None:
    monkeypatch.setenv(visitors.PROXIES_VARIABLE, proxies)
    lines = [(b"x-forwarded-for", line.encode()) for line in header.split("\n") if line]
    assert find_address(peer, Headers(raw=lines)) == address


def test_visitors_take_turns_in_a_lane_and_long_texts_have_a_lane_of_their_own() -> None:
    order: list[str] = []
    lane = Lane(2)

    async def do_work(address: str) -> None:
        async with lane.wait_for_turn(address):
            order.append(address)
            await asyncio.sleep(0.01)

    async def run_visits() -> None:
        rude = [asyncio.create_task(do_work("rude")) for _ in range(6)]
        await asyncio.sleep(0)
        assert (lane.is_busy("rude"), lane.is_busy("other")) == (True, False)
        await asyncio.gather(do_work("other"), do_work("third"), *rude)
        cancelled = [asyncio.create_task(do_work("rude")) for _ in range(3)]
        await asyncio.sleep(0.005)
        for task in cancelled:
            task.cancel()
        await asyncio.gather(*cancelled, return_exceptions=True)
        assert not lane.is_busy("rude"), "a cancelled turn is still counted"

    asyncio.run(run_visits())
    assert order.index("other") < 2
    assert order.index("third") < 4
    assert not lane.limits
    assert choose_lane(Submission("q", "r", "a" * 4_000)) is WORDS_LANE
    assert choose_lane(Submission("q", "r" * 2_000, "a" * 4_000)) is LONG_LANE


# Held files


def make_file(size: int) -> VisitorFile:
    """Return an uploaded file with a cell of `size` characters."""
    return VisitorFile("a.csv", Table(["x"], 1, {"x": ["x" * size]}))


def test_held_files_have_a_common_limit_and_the_least_recently_used_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_store, "MAX_BYTES", 35_000)

    async def run_visits() -> None:
        first, second, third = (
            session_store.store_value(session, "first", make_file(10_000)) for session in "abc"
        )
        assert first
        assert session_store.find_value(first).name == "a.csv"
        fourth = session_store.store_value("d", "first", make_file(10_000))
        assert [
            session_store.find_value(key) is None for key in (first, second, third, fourth) if key
        ] == [
            False,
            True,
            False,
            False,
        ]
        session_store.store_value("d", "scored", make_file(90_000))
        assert list(session_store.SESSIONS) == ["d"], (
            "the session in use must stay, however large it is"
        )
        session_store.store_value("d", "scored", None)
        assert session_store.store_value("a", "first", make_file(10_000))
        assert list(session_store.SESSIONS) == ["d", "a"]
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + session_store.KEPT_SECONDS + 1)
        session_store.expire_sessions()
        assert not session_store.SESSIONS

    asyncio.run(run_visits())


def test_a_message_says_that_a_held_file_was_removed(tmp_path: Path) -> None:
    import gradio as gr

    with gr.Blocks():
        tab = Tab("files", "en", lambda text: {"status": text})
        tab.parts = {"first": gr.State(None), "status": gr.HTML()}
    (tmp_path / "a.csv").write_text("answer,reference\nx,y\n")
    choose_file = lambda path: {"first": read_upload(path, everything=True)}  # noqa: E731
    show_name = lambda sent: {"status": sent and sent.name}  # noqa: E731

    def show_work(work: Any, *values: object) -> Any:
        return next(iter(collect_steps(tab.make_callback(work, tab.refusal), *values)[-1].values()))

    key = show_work(choose_file, str(tmp_path / "a.csv"))
    assert show_work(show_name, key) == "a.csv"
    session_store.drop_session(VISITOR.session_hash)
    assert "taken away after an hour, or to make room for others. Choose it again." in show_work(
        show_name, key
    )
    assert show_work(show_name, None) is None


# A served page


@pytest.fixture(scope="module")
def page_server() -> Iterator[Any]:
    """The page, served for all tests of this file."""
    with serve_page() as page:
        yield page


def count_messages(page: Any, session: str) -> int:
    """Return the number of unread messages of a session."""
    messages = page._queue.pending_messages_per_session.get(session)
    return messages.qsize() if messages is not None else 0


def test_results_that_nobody_reads_are_neither_computed_nor_kept(
    page_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradio_internals, "UNREAD_SECONDS", 1)
    scores = find_event(page_server, "send_values(false")
    join_queue(page_server, "unread", scores, *VALUES)
    wait_until(lambda: count_messages(page_server, "unread"))
    wait_until(lambda: not visitors.UNDER_WAY)
    assert count_messages(page_server, "unread") <= 2, (
        "more than the beginning and the end of the event is kept"
    )
    join_queue(page_server, "read", scores, *VALUES)
    assert '"success":true' in read_messages(page_server, "read")
    assert count_messages(page_server, "read") == 0


def test_the_session_of_a_closed_page_is_dropped(page_server: Any) -> None:
    example = next(
        number for number, event in page_server.fns.items() if event.name == "show_example"
    )
    join_queue(page_server, "left", example)
    assert '"success":true' in read_messages(page_server, "left")
    assert "left" in session_store.SESSIONS
    request: Any = type(VISITOR)(session_hash="left")
    asyncio.run(page_server.close_session(request))
    assert "left" not in session_store.SESSIONS


def test_an_address_with_too_much_in_progress_is_refused_before_the_queue(
    page_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(visitors.UNDER_WAY, "1.1.1.1", visitors.MAX_EVENTS_OF_VISITOR)
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    scores = find_event(page_server, "send_values(false")
    with serve_page() as page:
        for referer, words in (
            ("", "Try again in 5 seconds"),
            (f"{page.local_url}zh", "5 秒后再试"),
        ):
            with pytest.raises(urllib.error.HTTPError) as refused:
                join_queue(
                    page,
                    "rude",
                    scores,
                    *VALUES,
                    X_Forwarded_For="made up, 1.1.1.1",
                    Referer=referer,
                )
            assert (refused.value.code, refused.value.headers["Retry-After"]) == (429, "5")
            assert words in refused.value.read().decode(
                "unicode_escape" if words.isascii() else "utf-8"
            )
        join_queue(page, "other", scores, *VALUES, X_Forwarded_For="1.1.1.1, 2.2.2.2")
        assert '"success":true' in read_messages(page, "other")
