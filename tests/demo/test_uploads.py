"""Uploads of visitors: limits for each address, deletion, and that no other file is deleted."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import gradio as gr
import pytest
from gradio.utils import get_upload_folder
from lens.page.serving import uploads, visitors

from tests.demo.metric_samples import FIRST_EXAMPLE
from tests.demo.page_server import find_event, join_queue, read_messages, serve_page
from tests.support.processes import wait_until

TABLE = b"answer,reference\nx,y\n"
# The values of an event that scores one answer; None for choices that the page must offer.
VALUES = (
    FIRST_EXAMPLE.question,
    FIRST_EXAMPLE.reference,
    FIRST_EXAMPLE.answer,
    "",
    False,
    None,
    None,
    False,
    None,
    "",
    "",
    "",
    False,
    False,
)
File = tuple[str, bytes]  # the name and the content


@pytest.fixture
def public_page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The page, served as a public one."""
    monkeypatch.setenv("ANSWER_LENS_PUBLIC", "1")
    uploads.WAITING.clear()
    with serve_page() as page:
        yield page
    # Refused events still count as arrived for a while.
    visitors.ARRIVED.clear()


def write_body(files: Sequence[File]) -> bytes:
    """Return the body of an upload request with files."""
    body = bytearray()
    for name, data in files:
        head = f'--B\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        body += head.encode() + data + b"\r\n"
    return bytes(body) + b"--B--\r\n"


def upload_file(page: Any, *files: File, address: str = "1.1.1.1") -> list[str]:
    """Upload files and return their paths on the server."""
    headers = {
        "Content-Type": "multipart/form-data; boundary=B",
        "X-Forwarded-For": address,
    }
    request = urllib.request.Request(
        f"{page.local_url}gradio_api/upload", write_body(files), headers
    )
    with urllib.request.urlopen(request) as answer:
        return list(json.load(answer))


def name_file(path: str) -> dict[str, Any]:
    """Return the value with which an event names an uploaded file."""
    return {"path": path, "meta": {"_type": "gradio.FileData"}}


def send_file(
    page: Any,
    work: str,
    path: str,
    several: bool = False,
) -> str:
    """Call an event with an uploaded file and return everything that the page sends.

    Args:
        page: the page.
        work: the name of the event's function.
        path: the path of the file.
        several: whether the event takes a list of files.
    """
    number = next(number for number, function in page.fns.items() if function.name == work)
    file: Any = name_file(path)
    other_fields = [None] * (len(page.fns[number].inputs) - 1)
    join_queue(page, "visitor", number, [file] if several else file, *other_fields)
    return read_messages(page, "visitor")


def find_downloads(page: Any) -> list[Path]:
    """Return the paths of the example files that the page offers for download."""
    paths = []
    for block in page.blocks.values():
        if isinstance(block, gr.DownloadButton) and block.value:
            paths.append(Path(block.value["path"]))
    return paths


def test_the_example_files_of_the_page_are_never_deleted(public_page: Any) -> None:
    examples = find_downloads(public_page)
    assert len(examples) == 6
    for path in map(str, examples):
        send_file(public_page, "read_chosen_files", path, several=True)
        send_file(public_page, "receive_file", path)
        send_file(public_page, "score", path, several=True)
    assert all(map(Path.exists, examples)), "a visitor can take the examples away from everybody"

    # A downloaded example that is uploaded unchanged is another file.
    table = next(path for path in examples if path.name == "made_up_files.csv")
    (path,) = upload_file(public_page, (table.name, table.read_bytes()))
    assert path != str(table)
    assert "was read" in send_file(public_page, "read_chosen_files", path, several=True)
    assert not Path(path).exists()
    assert not Path(path).parent.exists()
    assert table.exists()


def test_only_the_uploaded_file_that_was_read_is_deleted(public_page: Any) -> None:
    (read,) = upload_file(public_page, ("a.csv", TABLE), address="1.1.1.1")
    (unread_file,) = upload_file(public_page, ("a.csv", TABLE), address="2.2.2.2")
    send_file(public_page, "read_chosen_files", read, several=True)
    assert not Path(read).exists()
    assert Path(unread_file).exists()


def is_refused(page: Any, *files: File, address: str = "1.1.1.1") -> bool:
    """Return whether an upload is refused; check that the refusal says when to try again."""
    try:
        upload_file(page, *files, address=address)
        return False
    except urllib.error.HTTPError as error:
        refusal = error
    assert refusal.code == 429
    assert refusal.headers["Retry-After"] == "5"
    assert "Try again in 5 seconds" in refusal.read().decode()
    return True


def test_an_address_with_too_many_unread_uploads_must_wait_and_others_need_not(
    public_page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_BYTES_OF_VISITOR", 100_000)
    large = b"x" * 45_000
    assert not is_refused(public_page, ("a", large))
    assert not is_refused(public_page, ("b", large))
    assert is_refused(public_page, ("c", large))
    assert not is_refused(public_page, ("c", large), address="2.2.2.2")
    send_file(public_page, "read_chosen_files", next(iter(uploads.WAITING)), several=True)
    assert not is_refused(public_page, ("c", large)), "a file that was read still counts"

    monkeypatch.setattr(uploads, "MAX_FILES_OF_VISITOR", 3)
    for name in "abc":
        assert not is_refused(public_page, (name, b"x"), address="3.3.3.3")
    assert is_refused(public_page, ("d", b"x"), address="3.3.3.3")
    monkeypatch.setattr(uploads, "MAX_BYTES_OF_ALL", 100_000)
    assert is_refused(public_page, ("a", b"x"), address="4.4.4.4")
    four = [(name, large) for name in "abcd"]
    with pytest.raises(urllib.error.HTTPError, match="413"):
        upload_file(public_page, *four, address="5.5.5.5")

    monkeypatch.setattr(uploads, "KEPT_SECONDS", -1)
    waiting = list(map(Path, uploads.WAITING))
    uploads.expire_uploads()
    assert not any(map(Path.exists, waiting))


def test_an_interrupted_upload_counts_until_it_ends_and_leaves_no_file(
    public_page: Any,
) -> None:
    folder, address = Path(get_upload_folder()), urlsplit(public_page.local_url)
    before = set(folder.iterdir())
    head = (
        "POST /gradio_api/upload HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.1.1.1\r\n"
        "Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 1000000\r\n\r\n"
    )
    body = write_body([("a.csv", b"x" * 300_000)])
    connections = []
    for _ in range(uploads.MAX_REQUESTS_OF_VISITOR):
        connection = socket.create_connection((address.hostname, address.port))
        connection.sendall(head.encode() + body[:200_000])
        connections.append(connection)
    wait_until(lambda: len(set(folder.iterdir()) - before) == uploads.MAX_REQUESTS_OF_VISITOR)
    with pytest.raises(urllib.error.HTTPError, match="429"):
        upload_file(public_page, ("b.csv", TABLE))
    for connection in connections:
        connection.close()
    wait_until(lambda: not uploads.UNDER_WAY)
    assert set(folder.iterdir()) == before


def test_values_that_the_page_does_not_offer_are_refused_and_not_logged(
    public_page: Any, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    scores = find_event(public_page, "send_values(false")
    text = "a text of a visitor"
    folder = set(Path(get_upload_folder()).iterdir())
    refused = "The page does not offer this value. Reload the page and choose again."
    wrong: list[list[Any]] = [
        [text if value is None else value for value in VALUES],
        [text],
        [text] * 4,
        [name_file(f"http://127.0.0.1:9/{text}"), *VALUES[1:]],
        [name_file(f"/{text}"), *VALUES[1:]],
    ]
    for number, values in enumerate(wrong):
        join_queue(public_page, "visitor", scores, *values, X_Forwarded_For=f"1.1.1.{number}")
        assert refused in read_messages(public_page, "visitor")
    # This value passes the check of choices and makes the page's own code fail.
    join_queue(public_page, "visitor", scores, *VALUES[:5], "first", text, *VALUES[7:])
    assert "defect" in read_messages(public_page, "visitor")
    for number in (99_999, -1):
        with pytest.raises(urllib.error.HTTPError, match="404") as unknown:
            join_queue(public_page, "visitor", number, text)
        assert refused in unknown.value.read().decode()
    logged = caplog.text + "".join(capfd.readouterr())
    assert text not in logged
    assert logged.count("an event was refused for a value that the page does not offer") == 5
    assert set(Path(get_upload_folder()).iterdir()) == folder
