"""Many visitors at once: who is served when, what is held for whom, and what becomes of what nobody
reads.
"""

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
from lens.page.tab import Sent, Tab, read_upload
from lens.scoring.submission import Submission
from lens.tables.untrusted import Table
from starlette.datastructures import Headers

from tests.demo.metric_samples import FIRST_EXAMPLE
from tests.demo.page_server import find_event, join_queue, read_messages, serve_page
from tests.demo.page_visits import VISITOR, collect_steps

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
        # Where nothing stands before the page, the header is the visitor's own.
        ("9.9.9.9", "1.2.3.4", "", "9.9.9.9"),
        ("9.9.9.9", "1.2.3.4", "1", "1.2.3.4"),
        ("10.0.0.1", "made up, 1.2.3.4, 10.0.0.2", "2", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4", "2", "1.2.3.4"),
        ("10.0.0.1", "1.2.3.4", "0", "10.0.0.1"),
        ("10.0.0.1", " ,, ", "", "10.0.0.1"),
        # A proxy may add a line of its own below the visitor's.
        ("10.0.0.1", "made up\n1.2.3.4", "", "1.2.3.4"),
        ("10.0.0.1", "made up\n1.2.3.4\n10.0.0.2", "2", "1.2.3.4"),
        ("10.0.0.1", "2001:db8:1:2:3::4", "", "2001:db8:1:2::/64"),
        ("", "", "", ""),
    ],
)
def test_the_address_is_the_one_that_the_outermost_proxy_heard(
    monkeypatch: pytest.MonkeyPatch,
    peer: str,
    header: str,
    proxies: str,
    address: str,
) -> None:
    monkeypatch.setenv(visitors.PROXIES_VARIABLE, proxies)
    lines = [(b"x-forwarded-for", line.encode()) for line in header.split("\n") if line]
    assert find_address(peer, Headers(raw=lines)) == address


def test_in_a_lane_visitors_take_turns_and_long_texts_have_their_own() -> None:
    order: list[str] = []
    lane = Lane(2)

    async def do_work(address: str) -> None:
        async with lane.turn(address):
            order.append(address)
            await asyncio.sleep(0.01)

    async def run_visits() -> None:
        rude = [asyncio.create_task(do_work("rude")) for _ in range(6)]
        await asyncio.sleep(0)
        assert (lane.is_busy("rude"), lane.is_busy("other")) == (True, False)
        await asyncio.gather(do_work("other"), do_work("third"), *rude)
        cancelled = [asyncio.create_task(do_work("rude")) for _ in range(3)]
        await asyncio.sleep(0.005)
        for one in cancelled:
            one.cancel()
        await asyncio.gather(*cancelled, return_exceptions=True)
        assert not lane.is_busy("rude"), "a turn that was cancelled is kept"

    asyncio.run(run_visits())
    assert order.index("other") < 2
    assert order.index("third") < 4
    assert not lane.turns
    assert choose_lane(Submission("q", "r", "a" * 4_000)) is WORDS_LANE
    assert choose_lane(Submission("q", "r" * 2_000, "a" * 4_000)) is LONG_LANE


# What is held


def make_file(size: int) -> Sent:
    return Sent("a.csv", Table(["x"], 1, {"x": ["x" * size]}))


def test_all_that_is_held_has_one_bound_and_the_longest_unused_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session_store, "MOST_BYTES", 35_000)

    async def run_visits() -> None:
        first, second, third = (
            session_store.keep(session, "first", make_file(10_000)) for session in "abc"
        )
        assert first
        assert session_store.take(first).name == "a.csv"
        fourth = session_store.keep("d", "first", make_file(10_000))
        assert [
            session_store.take(key) is None for key in (first, second, third, fourth) if key
        ] == [
            False,
            True,
            False,
            False,
        ]
        session_store.keep("d", "scored", make_file(90_000))
        assert list(session_store.SESSIONS) == ["d"], (
            "what a visitor is at work on stays, however large"
        )
        session_store.keep("d", "scored", None)
        assert session_store.keep("a", "first", make_file(10_000))
        assert list(session_store.SESSIONS) == ["d", "a"]
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + session_store.KEPT_SECONDS + 1)
        session_store.expire_sessions()
        assert not session_store.SESSIONS

    asyncio.run(run_visits())


def test_a_file_that_was_taken_away_is_said_to_be_gone(tmp_path: Path) -> None:
    import gradio as gr

    with gr.Blocks():
        tab = Tab("files", "en", lambda text: {"status": text})
        tab.parts = {"first": gr.State(None), "status": gr.HTML()}
    (tmp_path / "a.csv").write_text("answer,reference\nx,y\n")
    chosen = lambda path: {"first": read_upload(path, everything=True)}  # noqa: E731
    asked = lambda sent: {"status": sent and sent.name}  # noqa: E731

    def show_work(work: Any, *values: object) -> Any:
        return next(iter(collect_steps(tab.callback(work, tab.refusal), *values)[-1].values()))

    key = show_work(chosen, str(tmp_path / "a.csv"))
    assert show_work(asked, key) == "a.csv"
    session_store.drop_session(VISITOR.session_hash)
    assert "taken away after an hour, or to make room for others. Choose it again." in show_work(
        asked, key
    )
    assert show_work(asked, None) is None


# A page that is served


@pytest.fixture(scope="module")
def page_server() -> Iterator[Any]:
    with serve_page() as page:
        yield page


def count_messages(page: Any, session: str) -> int:
    said = page._queue.pending_messages_per_session.get(session)
    return said.qsize() if said is not None else 0


def wait_until(condition: Any) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_what_nobody_reads_is_neither_computed_nor_kept(
    page_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gradio_internals, "UNREAD_SECONDS", 1)
    scores = find_event(page_server, "sent(false")
    join_queue(page_server, "unread", scores, *VALUES)
    wait_until(lambda: count_messages(page_server, "unread"))
    wait_until(lambda: not visitors.UNDER_WAY)
    assert count_messages(page_server, "unread") <= 2, "more than that it came to nothing is kept"
    join_queue(page_server, "read", scores, *VALUES)
    assert '"success":true' in read_messages(page_server, "read")
    assert count_messages(page_server, "read") == 0


def test_what_a_page_held_is_gone_with_it(page_server: Any) -> None:
    example = next(at for at, one in page_server.fns.items() if one.name == "choose_example")
    join_queue(page_server, "left", example)
    assert '"success":true' in read_messages(page_server, "left")
    assert "left" in session_store.SESSIONS
    request: Any = type(VISITOR)(session_hash="left")
    asyncio.run(page_server.close_session(request))
    assert "left" not in session_store.SESSIONS


def test_who_has_too_much_under_way_is_told_before_the_queue_when_to_ask_again(
    page_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(visitors.UNDER_WAY, "1.1.1.1", visitors.MOST_UNDER_WAY)
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    scores = find_event(page_server, "sent(false")
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
