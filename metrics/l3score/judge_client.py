# A copy of metrics/shared/judge_client.py: change that one, then run `make copies`.
"""How a judge's requests are sent: by the openai SDK, through no redirect, and with nothing of the environment."""

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from .judge_providers import plain_line, read_response, unusable

SOON = 5.0  # seconds for a server to take up a connection, and for replies under way to arrive after Ctrl-C
LOCAL = re.compile(r"https?://((.*\.)?localhost\.?|127\.[\d.]+|\[::1\]|0\.0\.0\.0)([:/]|$)")
# What servers are sent of the headers that the SDK makes: others may come from the environment.
HEADERS = {"host", "content-length", "content-type", "accept", "accept-encoding", "connection", "user-agent"}


async def answers_plain_http(address: str) -> bool:
    """Tell whether a server at an https address speaks plain HTTP; others answer that with 400, elsewhere or not."""
    url = urlsplit(address)
    with contextlib.suppress(OSError, ValueError, asyncio.TimeoutError):
        reader, writer = await asyncio.wait_for(asyncio.open_connection(url.hostname, url.port or 443), 1)
        with contextlib.closing(writer):
            writer.write(b"HEAD / HTTP/1.0\r\n\r\n")
            return bool(re.match(rb"HTTP/1\.\d (?!400|3)", await asyncio.wait_for(reader.readline(), 1)))
    return False


def connected(judge: Any) -> Any:
    """Return a client of the openai SDK that follows no redirect and shows the judge what becomes of each request."""
    try:
        import openai
    except ImportError as error:
        raise ImportError("the judge needs the openai SDK: pip install 'openai[aiohttp]>=3.54'") from error

    class Client(openai.DefaultAioHttpClient):  # a third of the time per call
        async def send(self, *given: Any, **settings: Any) -> Any:
            try:
                return await super().send(*given, **settings)
            except Exception as error:
                await judge.missed(error)
                raise

    http = Client(
        follow_redirects=False,
        trust_env=not LOCAL.match(judge.address),  # no proxy can reach this machine
        verify=judge.secure,  # reading certificates takes 50 ms
        event_hooks={"request": [judge.before], "response": [judge.after]},
    )
    timeout = openai.Timeout(judge.timeout, connect=min(judge.timeout, SOON))
    given = {"base_url": judge.address, "max_retries": judge.max_retries, "timeout": timeout, "http_client": http}
    return openai.AsyncOpenAI(api_key="none", **given)  # without one the SDK sends nothing


class Trouble(Exception):
    """A request about a batch failed; `found` says why, as for a call."""

    def __init__(self, found: dict[str, Any]) -> None:
        super().__init__(found["message"])
        self.found = found


@contextlib.contextmanager
def asking(judge: Any, headers: Mapping[str, str]) -> Iterator["Asking"]:
    """Give a client for requests about batches, with these headers, which say who asks. What the run has claimed in the
    cache is renewed meanwhile: files take their time.
    """
    import openai

    def dress(request: Any) -> None:
        for name in set() if judge.with_organization else set(request.headers) - HEADERS:
            del request.headers[name]
        request.headers.update({name: value for name, value in headers.items() if value})

    http = openai.DefaultHttpxClient(
        follow_redirects=False,
        trust_env=not LOCAL.match(judge.address),
        verify=judge.secure,
        event_hooks={"request": [dress]},
    )
    timeout = openai.Timeout(judge.timeout, connect=min(judge.timeout, SOON))
    ended, given = threading.Event(), {"base_url": judge.address, "timeout": timeout, "http_client": http}

    def renew() -> None:
        while not ended.wait(1):
            judge.kept.renew()

    thread = threading.Thread(target=renew, name="judge_renewing", daemon=True)
    with openai.OpenAI(api_key="none", max_retries=judge.max_retries, **given) as client:
        thread.start()
        try:
            yield Asking(judge, client)
        finally:
            ended.set()
            thread.join()


class Asking:
    """Sends requests and returns what comes as JSON; raises Trouble. What changes nothing is tried again."""

    def __init__(self, judge: Any, client: Any) -> None:
        self.judge, self.client, self.once = judge, client, client.with_options(max_retries=0)

    def sent(self, send: Any, *given: Any, **more: Any) -> bytes:
        """Return the body of a response."""
        import openai

        try:
            return bytes(send(*given, cast_to=bytes, **more))
        except openai.APIStatusError as error:
            said, status = self.judge.hidden(error.response.text), error.response.status_code
            _, found = read_response(status, said)
            if status in (404, 410) and send == self.client.get:
                lost = "it was submitted with another key, or deleted; batch=False asks anew"
                found = unusable("batch_unknown", f"the batch, or its file, is not there: {lost}", kind="stop")
        except openai.OpenAIError as error:
            found = self.judge.unanswered(error)
        raise Trouble(found)  # from none: the errors above hold the request, and with it the key

    def is_own(self, url: Any) -> bool:
        """Tell whether an address is of the server that is asked."""
        own = urlsplit(self.judge.address)
        return isinstance(url, str) and url.startswith(f"{own.scheme}://{own.netloc}/")

    def read(self, body: bytes) -> Any:
        """Return a body as JSON."""
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            said = plain_line(self.judge.hidden(body.decode(errors="replace")), 80)
            raise Trouble(unusable("not_json", f"the body is no JSON: {said}", kind="again")) from None

    def get(self, path: str) -> Any:
        """Return what is at a path."""
        return self.read(self.content(path))

    def content(self, path: str) -> bytes:
        """Return the file at a path."""
        return self.sent(self.client.get, path)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Have something done, once."""
        return self.read(self.sent(self.once.post, path, body=body))

    def upload(self, path: str, name: str, data: bytes, about: Mapping[str, str]) -> Any:
        """Upload a file."""
        kind = {"headers": {"Content-Type": "multipart/form-data"}}
        files = [("file", (name, data, "application/jsonl"))]
        return self.read(self.sent(self.client.post, path, body=about, files=files, options=kind))
