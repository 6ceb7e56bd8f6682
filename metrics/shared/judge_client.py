"""How a judge's requests are sent: by the openai SDK, through no redirect, and with nothing of the environment."""

import asyncio
import contextlib
import re
from typing import Any
from urllib.parse import urlsplit

SOON = 5.0  # seconds for a server to take up a connection, and for replies under way to arrive after Ctrl-C
LOCAL = re.compile(r"https?://((.*\.)?localhost\.?|127\.[\d.]+|\[::1\]|0\.0\.0\.0)([:/]|$)")


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
