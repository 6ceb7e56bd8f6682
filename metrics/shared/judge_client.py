"""Send a judge's requests through the openai SDK.

The SDK sends them, waits and tries again. Its event loop runs in a thread of its own, so notebooks,
scripts and several threads can call it. Requests follow no redirect, and take from the environment
only what judge_connection.py allows.
"""

import asyncio
import concurrent.futures
import contextlib
import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from .judge_connection import (
    describe_exception,
    drop_headers,
    make_http_settings,
    make_sdk_settings,
    speaks_plain_http,
)
from .judge_decisions import read_decisions, split_reply
from .judge_replies import OUTPUT_SIGNS, Reply, make_failure, read_response
from .judge_run import Call, JudgeRun, can_join

# Seconds that requests under way still have after Ctrl-C.
GRACE_SECONDS = 5.0
# Until the server has answered once: seconds that the first request is sent alone, and seconds for
# its TLS connection.
ALONE_SECONDS, FIRST_CONNECTION_SECONDS = 1.0, 0.8
# Seconds between two looks at a run: at its workers, and whether they are to be stopped.
CHECK_SECONDS = 0.1
# Seconds between two signs of life that other runs see.
HEARTBEAT_SECONDS = 1
# The call that the current task sends.
CURRENT_CALL: ContextVar[Call] = ContextVar("CURRENT_CALL")
# The addresses that have answered in this process: if one cannot be reached later, its requests are
# tried again.
ANSWERED_ADDRESSES = set[str]()


class RequestSender:
    """Sends the pending calls of a run, many at once, and stores their outcomes.

    Args:
        run: the run whose calls are sent.
        on_answer: called after each call.
    """

    def __init__(
        self,
        run: JudgeRun,
        on_answer: Callable[[], object],
    ) -> None:
        self.run = run
        self.judge = run.judge
        self.on_answer = on_answer
        self.is_secure = not self.judge.address.startswith("http:")
        # Set once any request got a response from the server.
        self.is_reached = asyncio.Event()
        # The first call that was sent. It finds out whether there is a server.
        self.first_call: Call | None = None
        # The keys of calls that were put off, since another run asks for them.
        self.deferred = set[str]()

    def send_all(self) -> None:
        """Send the pending calls, in a thread of its own.

        After Ctrl-C requests under way still have some seconds.
        """
        thread = concurrent.futures.ThreadPoolExecutor(1, "judge")
        future = thread.submit(lambda: asyncio.run(self._run_workers()))
        thread.shutdown(wait=False)
        try:
            while not future.done():
                concurrent.futures.wait([future], 0.2)
        except BaseException:
            self.run.stop = make_failure("interrupted", "Ctrl-C")
            # A DNS look-up cannot be interrupted: its thread is left behind.
            concurrent.futures.wait([future], GRACE_SECONDS + 1)
            raise
        future.result()

    async def _run_workers(self) -> None:
        """Start as many workers as there may be requests at once; each takes call after call.

        After a stop, cancel them at the end of the grace time.
        """
        self.run.queue = deque(self.run.pending)
        if self.judge.address in ANSWERED_ADDRESSES:
            self.is_reached.set()
        n_workers = min(len(self.run.queue), self.judge.max_concurrency)
        async with make_async_client(self) as client:
            tasks = [self._take_calls(client, is_first=not number) for number in range(n_workers)]
            workers = asyncio.gather(*tasks)
            deadline = math.inf
            last_heartbeat = 0.0
            while not workers.done() and (now := time.monotonic()) < deadline:
                await asyncio.wait([workers], timeout=CHECK_SECONDS)
                if self.run.stop:
                    deadline = min(deadline, now + self._get_grace_seconds())
                if now > last_heartbeat + HEARTBEAT_SECONDS:
                    self.run.cache.renew_claims()
                    last_heartbeat = now
            workers.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await workers

    def _get_grace_seconds(self) -> float:
        """Return how many seconds requests under way still have after a stop.

        They may have been paid for.
        """
        reason = self.run.stop["reason"]
        if reason == "interrupted":
            return GRACE_SECONDS
        if reason == "unreachable":
            return GRACE_SECONDS if self.is_reached.is_set() else 0.0
        return self.judge.timeout

    async def _take_calls(self, client: Any, is_first: bool) -> None:
        """Send calls one after the other.

        All workers but the first wait a little until the server has answered once.
        """
        run, judge = self.run, self.judge
        if not is_first:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.is_reached.wait(), ALONE_SECONDS)
        while run.queue and not run.stop:
            call = run.queue.popleft()
            if not run.cache.claim_request(call.key):
                # Another run has sent it: its reply will be in the cache.
                run.queue.append(call)
                await asyncio.sleep(CHECK_SECONDS if call.key in self.deferred else 0)
                self.deferred.add(call.key)
                continue
            group = self._claim_group(call)
            unanswered = [member for member in group if not run.restore_reply(member)]
            if judge.decision is not None and unanswered:
                await self._send_questions(client, unanswered)
            elif unanswered:
                await self._send_chat(client, call)
            for member in group:
                run.cache.release_request(member.key)
                run.watch_call(member)
                self.on_answer()

    def _claim_group(self, first: Call) -> list[Call]:
        """Return a claimed call and the next ones that fit into its request, claimed too."""
        queue = self.run.queue
        group = [first]
        while queue and can_join(group, queue[0], self.judge.max_questions):
            if not self.run.cache.claim_request(queue[0].key):
                break
            group.append(queue.popleft())
        return group

    async def _post(
        self,
        client: Any,
        call: Call,
        request: bytes,
    ) -> None:
        """Send the request of a call, again after passing failures.

        The hooks `start_try` and `end_try` store the reply in the call, or the failure.
        """
        self.first_call = self.first_call or call
        CURRENT_CALL.set(call)
        try:
            sending = client.post(f"/{self.judge.path}", cast_to=bytes, content=request)
            n_tries = self.judge.max_retries + 1
            await asyncio.wait_for(sending, self.judge.timeout * n_tries)
        except Exception as error:
            # Not raised again: the error holds the request, and with it the key.
            if not (call.outcome or self.run.stop):
                call.outcome = describe_exception(error, self.judge, self.is_reached.is_set())

    async def _send_chat(self, client: Any, call: Call) -> None:
        """Send a call to a chat model, and store the reply or the failure in it."""
        run = self.run
        output = run.output
        request = self.judge.encode_request(call.prompt, output)
        await self._post(client, call, request)
        if call.reply:
            call.reply["output"] = output
        if call.reply and not call.outcome:
            call.outcome = run.read_reply(call.reply)
            run.cache.store_reply(call.key, call.reply)
        elif refuses_output(output, call.reply, call.outcome.get("message", "")):
            run.output = "text"
            await self._send_chat(client, call)
        self._take_outcome(call)

    async def _send_questions(self, client: Any, calls: Sequence[Call]) -> None:
        """Send calls to a decision model in one request, and store the answer of each in it."""
        first = calls[0]
        await self._post(
            client,
            first,
            self.judge.encode_questions(first.state, [call.prompt for call in calls]),
        )
        body, failure = first.reply, first.outcome
        first.reply = {}
        # If one text is too long or refused, only its own call fails: each is sent alone.
        if len(calls) > 1 and failure.get("kind") == "row":
            for call in calls:
                await self._send_questions(client, [call])
            return
        replies = split_reply(self.judge.path, body, len(calls)) if body else []
        for place, call in enumerate(calls):
            call.outcome = failure
            if replies:
                self._take_answer(call, replies[place])
            self._take_outcome(call)

    def _take_answer(self, call: Call, reply: Reply) -> None:
        """Store the answer to a question, and cache it unless it has to be asked for again."""
        reply["output"] = self.judge.path
        call.outcome = self.run.read_reply(reply)
        call.reply = reply
        if not call.outcome.get("kind"):
            self.run.cache.store_reply(call.key, reply)

    def _take_outcome(self, call: Call) -> None:
        """Note the outcome of a call, and stop the run if it has to stop."""
        call.outcome = self.run.watch.limit_refusal_to_row(call.outcome)
        if call.outcome.get("kind") == "stop":
            self.run.set_stop(call.outcome)

    async def start_try(self, request: Any) -> None:
        """Count a try of a call and add the key; raise RuntimeError if the run was stopped."""
        if self.run.stop:
            raise RuntimeError("the run was stopped")
        call = CURRENT_CALL.get()
        call.requests += 1
        call.reply, call.outcome = {}, {}
        is_first_try = call.requests == 1 and call is self.first_call
        if self.is_secure and is_first_try and not self.is_reached.is_set():
            seconds = min(self.judge.timeout, FIRST_CONNECTION_SECONDS)
            request.extensions["timeout"]["connect"] = seconds
        drop_headers(request, self.judge)
        if self.judge.key:
            request.headers["Authorization"] = f"Bearer {self.judge.key}"

    async def end_try(self, response: Any) -> None:
        """Store a response in its call, and tell the SDK whether to try again."""
        self.is_reached.set()
        ANSWERED_ADDRESSES.add(self.judge.address)
        call = CURRENT_CALL.get()
        content = await response.aread()
        text = self.judge.hide_key(content.decode(errors="replace"))
        if self.judge.decision is None:
            call.reply, call.outcome = read_response(response.status_code, text)
        else:
            call.reply, call.outcome = read_decisions(self.judge.path, response.status_code, text)
        is_passing = call.outcome.get("kind") == "again"
        response.headers["x-should-retry"] = str(is_passing).lower()
        # A passing failure within a response of status 200 is tried again too.
        if is_passing:
            response.status_code = max(response.status_code, 500)

    async def stop_if_absent(self, error: Exception) -> None:
        """Stop the run if the first call finds no server in two tries, or one of plain HTTP."""
        call = CURRENT_CALL.get()
        outcome = describe_exception(error, self.judge, self.is_reached.is_set())
        if self.is_reached.is_set() or self.run.stop or call is not self.first_call:
            return
        if self.is_secure and await speaks_plain_http(self.judge.address):
            message = (
                "the server there speaks plain HTTP: its address begins with http:// and "
                "not with https://"
            )
            outcome = make_failure("unreachable", message, kind="stop")
        elif call.requests == 1:
            return
        if outcome["kind"] == "stop":
            call.outcome = self.run.stop = outcome
            # The SDK does not try again after this error.
            raise RuntimeError("nobody is there") from error


def refuses_output(output: str, reply: Reply, message: str) -> bool:
    """Return whether a server has refused a form of output.

    Args:
        output: the form that was requested.
        reply: the reply, empty after a failure.
        message: the message of the failure.
    """
    if output == "text" or reply:
        return False
    return OUTPUT_SIGNS.search(message) is not None


def make_async_client(sender: RequestSender) -> Any:
    """Return a client of the openai SDK that calls the sender's hooks at each try.

    Raises:
        ImportError: the SDK is not installed.
    """
    try:
        import openai
    except ImportError as error:
        raise ImportError(
            "the judge needs the openai SDK: pip install 'openai[aiohttp]>=3.54'"
        ) from error

    # With aiohttp a call takes a third of the time.
    class Client(openai.DefaultAioHttpClient):
        async def send(self, *arguments: Any, **settings: Any) -> Any:
            try:
                return await super().send(*arguments, **settings)
            except Exception as error:
                await sender.stop_if_absent(error)
                raise

    judge = sender.judge
    hooks: dict[str, list[Callable[..., Any]]] = {
        "request": [sender.start_try],
        "response": [sender.end_try],
    }
    http = Client(event_hooks=hooks, **make_http_settings(judge))
    return openai.AsyncOpenAI(
        http_client=http, max_retries=judge.max_retries, **make_sdk_settings(judge)
    )
