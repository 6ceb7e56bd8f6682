"""All that reaches into Gradio's inner parts, tried with Gradio 6.31.

The page keeps nothing of what was typed, nor what nobody reads; an upload leaves nothing behind;
the log has no visitor's text.
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

# How long a page may leave unread what was said to it.
UNREAD_SECONDS = 60
# Of a field of an upload that is no file.
MAX_FIELD = 10_000

log = logging.getLogger("answer_lens")


class PrivateBlocks(gr.Blocks):
    """A page that keeps no reference to what was typed into it or shown on it.

    Gradio keeps the last value of every field and of every result for each session as long as the
    program runs, and what its `gr.skip()` replaces under further numbers; the body of a request
    until the next one comes; and what was said to a page until somebody reads it.
    """

    async def process_api(
        self, block_fn: Any, inputs: list[Any], *given: Any, **options: Any
    ) -> dict[str, Any]:
        """Answer a call, whose later steps do not read the values again, and forget them."""
        if options.get("iterator") is not None:
            await self.wait_for_reader(str(options.get("session_hash")))
        try:
            return await super().process_api(block_fn, inputs, *given, **options)
        except gr.Error:
            raise
        except Exception as error:
            note_failure(
                "page", error
            )  # Gradio's own traceback ends with the message, which may quote a visitor
            raise gr.Error(
                say("page.defect", error=type(error).__name__), print_exception=False
            ) from None
        finally:
            self.forget_paths(block_fn)
            inputs[:] = [None] * len(inputs)
            self.forget_state(options.get("state"))
            forget_body(options.get("request"))

    async def wait_for_reader(self, session: str) -> None:
        """Wait until a page has read what was said to it.

        End what is under way for one that reads nothing.
        """
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

        Of one that no page would send the log has a line, without the value.
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
        """Forget uploads that are read.

        Gradio deletes the others when the page ends, and would keep all names.
        """
        self.upload_file_set.intersection_update(uploads.WAITING)
        for field in getattr(block_fn, "inputs", ()):
            if isinstance(field, gr.File):
                field.temp_files.clear()

    def forget_state(self, state: Any) -> None:
        """Forget the values of a session, and the fields that `gr.skip()` left in it under further
        numbers.
        """
        if not state:
            return
        state.config_values.clear()
        for number in state.blocks_config.blocks.keys() - self.blocks.keys():
            del state.blocks_config.blocks[number]

    async def close_session(self, request: gr.Request) -> None:
        """End the work for a page that was closed or reloaded, and hold nothing for it."""
        session = str(request.session_hash)
        submissions.overtake(session)
        self.forget(session)

    def forget(self, session: str) -> None:
        """Hold nothing for a page any more, nor what was said to it."""
        session_store.drop_session(session)
        messages = self._queue.pending_messages_per_session.get(session)
        if messages is None:
            return
        while not messages.empty():
            messages.get_nowait()


def forget_body(request: Any) -> None:
    """Forget the body of a request, which Starlette keeps in two forms."""
    inner = getattr(request, "request", None)
    if inner:
        for name in ("_body", "_json"):
            vars(inner).pop(name, None)


def refuse_addresses(inputs: Sequence[Any]) -> None:
    """Refuse a file that is named by an address of the web: Gradio would
    fetch it, however large.
    """

    def check(file: dict[str, Any]) -> dict[str, Any]:
        if is_http_url_like(file["path"]):
            raise ValueError("no upload")
        return file

    traverse(list(inputs), check, is_file_obj_with_meta)


class Parser(route_utils.GradioMultiPartParser):
    """Gradio's reading of uploads, without what a broken upload would leave behind.

    It never puts an upload where a file of the page or for download lies: Gradio takes the folder
    from the content alone.
    """

    def on_headers_finished(self) -> None:
        """Begin with a part, whose folder is its sender's own."""
        super().on_headers_finished()
        file = self._current_part.file
        if file:
            file.sha.update(uploads.SENDER.get().encode())  # type: ignore[attr-defined]

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Take some bytes of a part; what is no file is held in memory, and has a bound."""
        part = self._current_part
        size = len(part.data) + end - start
        if part.file is None and size > MAX_FIELD:
            raise MultiPartException(f"A field has at most {MAX_FIELD} bytes.")
        super().on_part_data(data, start, end)

    async def parse(self) -> Any:
        """Read a whole request."""
        try:
            return await super().parse()
        except BaseException:
            for file in self._files_to_close_on_error:
                file.close()
                Path(file.name).unlink(missing_ok=True)
            raise


def get_path(field: gr.File, file: Any) -> str:
    """Return where a file lies.

    Gradio's own function makes an empty file beside each, and leaves it there.
    """
    return str(file.path)


route_utils.GradioMultiPartParser = Parser  # type: ignore[misc]
gr.File._process_single_file = get_path  # type: ignore[method-assign, assignment]


async def answer_unknown_event(request: Request, error: Exception) -> Response:
    """Answer that the page has no such event, which Gradio looks up by its number.

    Any other error is a defect.
    """
    if not request.url.path.endswith("/queue/join"):
        raise error
    return JSONResponse({"detail": say("serving.value_refused")}, 404)


def order_inputs(fields: Mapping[str, gr.components.Component]) -> list[str]:
    """Return names of fields in the order in which Gradio hands the values of a set of fields to a
    script.
    """
    return sorted(fields, key=lambda name: fields[name]._id)


def show_signature(respond: Callable[..., Any], work: Callable[..., Any]) -> Callable[..., Any]:
    """Return a callback with the signature of `work`, and a request before it.

    Gradio looks at the signature to see what to send: values, progress, a selection.
    """
    request, signature = inspect.signature(respond).parameters["request"], inspect.signature(work)
    parameters = [request.replace(annotation=gr.Request), *signature.parameters.values()]
    respond.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    respond.__annotations__ = typing.get_type_hints(work) | {"request": gr.Request}
    respond.__name__ = work.__name__
    return respond
