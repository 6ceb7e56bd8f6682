"""All code that depends on internal parts of Gradio; tested with Gradio 6.31.

The page stores no typed texts, and no messages that nobody reads. An upload leaves nothing behind,
and the log has no visitor's text.
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

# How long a page may leave messages unread.
UNREAD_SECONDS = 60
# The largest field of an upload that is not a file, in bytes.
MAX_FIELD = 10_000

log = logging.getLogger("answer_lens")


class PrivateBlocks(gr.Blocks):
    """A page that stores nothing that was typed into it or shown on it.

    For each session, Gradio stores the last value of every field and result as long as the program
    runs. It also stores fields that `gr.skip()` replaced, the body of a request until the next
    request, and messages to a page until the page reads them.
    """

    async def process_api(
        self, block_fn: Any, inputs: list[Any], *given: Any, **options: Any
    ) -> dict[str, Any]:
        """Run a call, and then delete its values, which later steps do not need."""
        if options.get("iterator") is not None:
            await self.wait_for_reader(str(options.get("session_hash")))
        try:
            return await super().process_api(block_fn, inputs, *given, **options)
        except gr.Error:
            raise
        except Exception as error:
            note_failure(
                "page", error
            )  # Gradio's own traceback has the message, which may quote a visitor's text
            raise gr.Error(
                say("page.defect", error=type(error).__name__), print_exception=False
            ) from None
        finally:
            self.forget_paths(block_fn)
            inputs[:] = [None] * len(inputs)
            self.forget_state(options.get("state"))
            forget_body(options.get("request"))

    async def wait_for_reader(self, session: str) -> None:
        """Wait until a page has read its messages; end the call if it does not read them."""
        for _ in range(UNREAD_SECONDS * 100):
            messages = self._queue.pending_messages_per_session.get(session)
            if messages is None or messages.empty():
                return
            await asyncio.sleep(0.01)
        self.forget(session)
        raise gr.Error("nobody reads what is said", print_exception=False)

    async def preprocess_data(
        self, block_fn: Any, inputs: list[Any], *given: Any, **options: Any
    ) -> list[Any]:
        """Read the values of an event.

        If the page cannot send such a value, a line without the value is logged.
        """
        try:
            refuse_addresses(inputs)
            return list(await super().preprocess_data(block_fn, inputs, *given, **options))
        except Exception as error:
            log.warning(
                "an event was refused for a value that the page does not offer (%s)",
                type(error).__name__,
            )
            raise gr.Error(say("serving.value_refused"), print_exception=False) from None

    def forget_paths(self, block_fn: Any) -> None:
        """Forget the paths of uploads that are read.

        Gradio deletes the other uploads when the page ends, and would store all paths until then.
        """
        self.upload_file_set.intersection_update(uploads.WAITING)
        for field in getattr(block_fn, "inputs", ()):
            if isinstance(field, gr.File):
                field.temp_files.clear()

    def forget_state(self, state: Any) -> None:
        """Delete the values of a session, and the fields that `gr.skip()` has added to it."""
        if not state:
            return
        state.config_values.clear()
        for number in state.blocks_config.blocks.keys() - self.blocks.keys():
            del state.blocks_config.blocks[number]

    async def close_session(self, request: gr.Request) -> None:
        """End the work for a page that was closed or reloaded, and delete its values."""
        session = str(request.session_hash)
        submissions.overtake(session)
        self.forget(session)

    def forget(self, session: str) -> None:
        """Delete the values and the messages of a page."""
        session_store.drop_session(session)
        messages = self._queue.pending_messages_per_session.get(session)
        if messages is None:
            return
        while not messages.empty():
            messages.get_nowait()


def forget_body(request: Any) -> None:
    """Delete the body of a request, which Starlette stores in two forms."""
    inner = getattr(request, "request", None)
    if inner:
        for name in ("_body", "_json"):
            vars(inner).pop(name, None)


def refuse_addresses(inputs: Sequence[Any]) -> None:
    """Refuse a file that is given by a web address, because Gradio would download it."""

    def check(file: dict[str, Any]) -> dict[str, Any]:
        if is_http_url_like(file["path"]):
            raise ValueError("no upload")
        return file

    traverse(list(inputs), check, is_file_obj_with_meta)


class Parser(route_utils.GradioMultiPartParser):
    """Gradio's parser of uploads, changed so that an incomplete upload leaves no files behind.

    The folder of an upload also depends on its sender. Gradio derives it only from the content, so
    an upload could overwrite a file of the page or for download.
    """

    def on_headers_finished(self) -> None:
        """Begin a part; its folder depends on the sender."""
        super().on_headers_finished()
        file = self._current_part.file
        if file:
            file.sha.update(uploads.SENDER.get().encode())  # type: ignore[attr-defined]

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Read bytes of a part; a part that is not a file is stored in memory, and is limited."""
        part = self._current_part
        size = len(part.data) + end - start
        if part.file is None and size > MAX_FIELD:
            raise MultiPartException(f"A field has at most {MAX_FIELD} bytes.")
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
    """Return the path of a file.

    Gradio's own function makes an empty file next to each file, and leaves it there.
    """
    return str(file.path)


route_utils.GradioMultiPartParser = Parser  # type: ignore[misc]
gr.File._process_single_file = get_path  # type: ignore[method-assign, assignment]


async def answer_unknown_event(request: Request, error: Exception) -> Response:
    """Return a response for an unknown event, for which Gradio raises KeyError.

    Any other error is raised again.
    """
    if not request.url.path.endswith("/queue/join"):
        raise error
    return JSONResponse({"detail": say("serving.value_refused")}, 404)


def order_inputs(fields: Mapping[str, gr.components.Component]) -> list[str]:
    """Return names of fields in the order in which Gradio passes a set of fields to a script."""
    return sorted(fields, key=lambda name: fields[name]._id)


def show_signature(respond: Callable[..., Any], work: Callable[..., Any]) -> Callable[..., Any]:
    """Give a callback the signature of `work`, with a request before it.

    Gradio reads the signature to decide what to send: values, progress, or a selection.
    """
    request, signature = inspect.signature(respond).parameters["request"], inspect.signature(work)
    parameters = [request.replace(annotation=gr.Request), *signature.parameters.values()]
    respond.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    respond.__annotations__ = typing.get_type_hints(work) | {"request": gr.Request}
    respond.__name__ = work.__name__
    return respond
