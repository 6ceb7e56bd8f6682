"""Changes Gradio so that it keeps nothing that a visitor typed, uploaded or was shown.

All code that depends on internal parts of Gradio is here; it was tested with Gradio 6.31.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import typing
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr
from gradio import route_utils
from gradio_client.utils import is_file_obj_with_meta, is_http_url_like, traverse
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lens.page.serving import session_store, submissions, uploads
from lens.scoring.failures import note_failure
from lens.words import say

# How long a page may leave messages unread, and how often this is checked.
UNREAD_SECONDS = 60
CHECKS_PER_SECOND = 100
# The largest field of an upload that is not a file.
MAX_FIELD_BYTES = 10_000

log = logging.getLogger("answer_lens")


class PrivateBlocks(gr.Blocks):
    """A page that stores nothing that was typed into it or shown on it.

    Without this class, Gradio stores four things per session, and keeps the first as long as the
    program runs: the last value of every field and result, the components that it makes for
    `gr.skip()`, the body of the last request, and messages that the page has not read.
    """

    async def process_api(
        self, block_fn: Any, inputs: list[Any], *arguments: Any, **options: Any
    ) -> dict[str, Any]:
        """Run one step of an event, and then delete its values, which later steps do not need."""
        if options.get("iterator") is not None:
            await self.wait_for_reader(str(options.get("session_hash")))
        try:
            return await super().process_api(block_fn, inputs, *arguments, **options)
        except gr.Error:
            raise
        except Exception as error:
            # Gradio would log the error's message, which may quote a visitor's text.
            note_failure("page", error)
            message = say("page.defect", error=type(error).__name__)
            raise gr.Error(message, print_exception=False) from None
        finally:
            self.forget_paths(block_fn)
            inputs[:] = [None] * len(inputs)
            self.forget_state(options.get("state"))
            forget_body(options.get("request"))

    async def wait_for_reader(self, session: str) -> None:
        """Wait until a page has read its messages; end the event if it does not read them."""
        for _ in range(UNREAD_SECONDS * CHECKS_PER_SECOND):
            messages = self._queue.pending_messages_per_session.get(session)
            if messages is None or messages.empty():
                return
            await asyncio.sleep(1 / CHECKS_PER_SECOND)
        self.forget_session(session)
        raise gr.Error("nobody reads what is said", print_exception=False)

    async def preprocess_data(
        self, block_fn: Any, inputs: list[Any], *arguments: Any, **options: Any
    ) -> list[Any]:
        """Return the values of an event's fields.

        If the page cannot send such a value, the event is refused and the log does not quote it.
        """
        try:
            refuse_web_addresses(inputs)
            return list(await super().preprocess_data(block_fn, inputs, *arguments, **options))
        except Exception as error:
            log.warning(
                "an event was refused for a value that the page does not offer (%s)",
                type(error).__name__,
            )
            raise gr.Error(say("serving.value_refused"), print_exception=False) from None

    def forget_paths(self, block_fn: Any) -> None:
        """Forget the paths of uploads that were read and deleted.

        Gradio would keep all paths until the page is closed. It then deletes the remaining uploads.
        """
        self.upload_file_set.intersection_update(uploads.WAITING)
        for field in getattr(block_fn, "inputs", ()):
            if isinstance(field, gr.File):
                field.temp_files.clear()

    def forget_state(self, state: Any) -> None:
        """Delete the values of a session, and the components that `gr.skip()` has added to it."""
        if not state:
            return
        state.config_values.clear()
        for block_id in state.blocks_config.blocks.keys() - self.blocks.keys():
            del state.blocks_config.blocks[block_id]

    async def close_session(self, request: gr.Request) -> None:
        """End the work for a page that was closed or reloaded, and delete its values."""
        session = str(request.session_hash)
        submissions.end_submission(session)
        self.forget_session(session)

    def forget_session(self, session: str) -> None:
        """Delete the values and the unread messages of a page."""
        session_store.drop_session(session)
        messages = self._queue.pending_messages_per_session.get(session)
        if messages is None:
            return
        while not messages.empty():
            messages.get_nowait()


def forget_body(request: Any) -> None:
    """Delete the body of a request, which Starlette stores as bytes and as parsed JSON."""
    starlette_request = getattr(request, "request", None)
    if starlette_request:
        for name in ("_body", "_json"):
            vars(starlette_request).pop(name, None)


def refuse_web_addresses(inputs: Sequence[Any]) -> None:
    """Refuse a file whose path is a web address, because Gradio would download it."""

    def refuse_web_address(file: dict[str, Any]) -> dict[str, Any]:
        if is_http_url_like(file["path"]):
            raise ValueError("no upload")
        return file

    traverse(list(inputs), refuse_web_address, is_file_obj_with_meta)


class UploadParser(route_utils.GradioMultiPartParser):
    """Gradio's parser of uploads with two changes.

    An incomplete upload leaves no files behind. And the folder of an upload depends on its sender
    too: Gradio derives it from the content alone, so an upload could overwrite a file of the page
    or a file for download.
    """

    def on_headers_finished(self) -> None:
        """Begin a part; the sender is added to the hash that names its folder."""
        super().on_headers_finished()
        file = self._current_part.file
        if file:
            file.sha.update(uploads.SENDER.get().encode())  # type: ignore[attr-defined]

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Read bytes of a part; one that is not a file is kept in memory, so it is limited."""
        part = self._current_part
        size = len(part.data) + end - start
        if part.file is None and size > MAX_FIELD_BYTES:
            raise MultiPartException(f"A field has at most {MAX_FIELD_BYTES} bytes.")
        super().on_part_data(data, start, end)

    async def parse(self) -> Any:
        """Read a whole request; delete its files if this fails."""
        try:
            return await super().parse()
        except BaseException:
            for file in self._files_to_close_on_error:
                file.close()
                Path(file.name).unlink(missing_ok=True)
            raise


def get_path(field: gr.File, file: Any) -> str:
    """Return the path of an uploaded file, as a method of Gradio's file field.

    Gradio's own method makes an empty file next to each file, and leaves it there.
    """
    return str(file.path)


route_utils.GradioMultiPartParser = UploadParser  # type: ignore[misc]
gr.File._process_single_file = get_path  # type: ignore[method-assign, assignment]


async def answer_unknown_event(request: Request, error: Exception) -> Response:
    """Return the response to an unknown event, for which Gradio raises KeyError.

    At any other endpoint, the error is raised again.
    """
    if not request.url.path.endswith("/queue/join"):
        raise error
    return JSONResponse({"detail": say("serving.value_refused")}, 404)


def order_inputs(fields: Mapping[str, gr.components.Component]) -> list[str]:
    """Return names of fields in the order in which Gradio passes a set of fields to a script."""
    return sorted(fields, key=lambda name: fields[name]._id)


def copy_signature(callback: Callable[..., Any], work: Callable[..., Any]) -> Callable[..., Any]:
    """Give a callback the signature of `work`, with a request as its first parameter.

    Gradio reads the signature to decide what to pass: values, progress, or a selection.
    """
    signature = inspect.signature(work)
    request = inspect.signature(callback).parameters["request"].replace(annotation=gr.Request)
    parameters = [request, *signature.parameters.values()]
    callback.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    callback.__annotations__ = typing.get_type_hints(work) | {"request": gr.Request}
    callback.__name__ = work.__name__
    return callback
