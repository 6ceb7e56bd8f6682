# A copy of metrics/shared/judge_client.py: change that one, then run `make copies`.
"""Send a judge's requests by the openai SDK.

They follow no redirect and take nothing of the environment.

The SDK sends, waits and tries again. The event loop has a thread of its own: notebooks, scripts and
many threads may call.
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

# Seconds for replies under way to arrive after Ctrl-C.
SOON = 5.0
# Where nobody has answered yet: seconds that the first request is alone, and that its connection
# may take by TLS.
ALONE, FIRST_CONNECTION = 1.0, 0.8
# The call that the task at hand sends.
CURRENT_CALL: ContextVar[Call] = ContextVar("CURRENT_CALL")
# The addresses that have answered this process: a server there that cannot be reached is tried
# again.
ANSWERED_ADDRESSES = set[str]()


class RequestSender:
    """Sends the pending calls of a run, many at once, and takes in what comes back.

    Args:
        run: whose calls are sent.
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
        # Whether anybody has answered at the address.
        self.is_met = asyncio.Event()
        # The call that was sent first.
        self.first: Call | None = None
        # Calls that another run was seen to ask for.
        self.passed = set[str]()

    def send_all(self) -> None:
        """Send what is pending, in a thread of its own.

        After Ctrl-C what is under way has some seconds to arrive.
        """
        thread = concurrent.futures.ThreadPoolExecutor(1, "judge")
        future = thread.submit(lambda: asyncio.run(self._run_workers()))
        thread.shutdown(wait=False)
        try:
            while not future.done():
                concurrent.futures.wait([future], 0.2)
        except BaseException:
            self.run.stop = make_failure("interrupted", "Ctrl-C")
            # Looking up a name cannot be broken off, but left.
            concurrent.futures.wait([future], SOON + 1)
            raise
        future.result()

    async def _run_workers(self) -> None:
        """Have as many workers as requests may be under way take call after call.

        End them some time after a stop.
        """
        self.run.queue = deque(self.run.pending)
        if self.judge.address in ANSWERED_ADDRESSES:
            self.is_met.set()
        n_workers = min(len(self.run.queue), self.judge.max_concurrency)
        async with make_async_client(self) as client:
            tasks = [self._take_calls(client, number) for number in range(n_workers)]
            workers = asyncio.gather(*tasks)
            end, renewed = math.inf, 0.0
            while not workers.done() and (now := time.monotonic()) < end:
                await asyncio.wait([workers], timeout=0.1)
                if self.run.stop:
                    end = min(end, now + self._choose_grace_seconds())
                if now > renewed + 1:
                    self.run.cache.renew_claims()
                    renewed = now
            workers.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await workers

    def _choose_grace_seconds(self) -> float:
        """Return how many seconds requests under way may still take after a stop.

        They may have been paid for.
        """
        reason = self.run.stop["reason"]
        if reason == "interrupted":
            return SOON
        if reason == "unreachable":
            return SOON if self.is_met.is_set() else 0.0
        return self.judge.timeout

    async def _take_calls(self, client: Any, number: int) -> None:
        """Take call after call; where nobody has answered yet, the first worker goes ahead."""
        run, judge = self.run, self.judge
        if number:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.is_met.wait(), ALONE)
        while run.queue and not run.stop:
            call = run.queue.popleft()
            # Another run is asking: its reply will be in the cache.
            if not run.cache.claim_request(call.key):
                run.queue.append(call)
                await asyncio.sleep(0.1 if call.key in self.passed else 0)
                self.passed.add(call.key)
                continue
            group = self._claim_group(call)
            unknown = [one for one in group if not run.restore_reply(one)]
            if judge.decision is not None and unknown:
                await self._send_questions(client, unknown)
            elif unknown:
                await self._send_chat(client, call)
            for one in group:
                run.cache.release_request(one.key)
                run.watch_call(one)
                self.on_answer()

    def _claim_group(self, first: Call) -> list[Call]:
        """Return a claimed call with those that may go in the same request, claimed too."""
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
        """Send the request of a call, as often as needed.

        The call has the reply, or why there is none.
        """
        self.first = self.first or call
        CURRENT_CALL.set(call)
        try:
            sending = client.post(f"/{self.judge.path}", cast_to=bytes, content=request)
            n_tries = self.judge.max_retries + 1
            await asyncio.wait_for(sending, self.judge.timeout * n_tries)
        except Exception as error:
            # Not raised again: it holds the request, and with it the key.
            if not (call.outcome or self.run.stop):
                call.outcome = describe_exception(error, self.judge, self.is_met.is_set())

    async def _send_chat(self, client: Any, call: Call) -> None:
        """Send a call to a chat model and take in the reply, or why there is none."""
        run = self.run
        output = run.output
        request = self.judge.encode_request(call.prompt, output)
        await self._post(client, call, request)
        if call.reply:
            call.reply["output"] = output
        if call.reply and not call.outcome:
            call.outcome = run.read_reply(call.reply)
            run.cache.keep_reply(call.key, call.reply)
        elif refuses_output(output, call.reply, call.outcome.get("message", "")):
            run.output = "text"
            await self._send_chat(client, call)
        self._take_outcome(call)

    async def _send_questions(self, client: Any, calls: Sequence[Call]) -> None:
        """Send calls to a decision model in one request, and take in the answer to each.

        A call without an answer says why.
        """
        first = calls[0]
        await self._post(
            client,
            first,
            self.judge.encode_questions(first.state, [call.prompt for call in calls]),
        )
        body, failure = first.reply, first.outcome
        first.reply = {}
        # One text that is too long, or is refused, leaves the others as they are.
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
        """Take in the answer to a question, and keep it, unless it is to be asked for again."""
        reply["output"] = self.judge.path
        call.outcome = self.run.read_reply(reply)
        call.reply = reply
        if not call.outcome.get("kind"):
            self.run.cache.keep_reply(call.key, reply)

    def _take_outcome(self, call: Call) -> None:
        """Stop the run where the outcome of a call says so."""
        call.outcome = self.run.watch.weigh_failure(call.outcome)
        if call.outcome.get("kind") == "stop":
            self.run.set_stop(call.outcome)

    async def start_try(self, request: Any) -> None:
        """Count each try of a call and give it the key; send none once the run is stopped."""
        if self.run.stop:
            raise RuntimeError("the run was stopped")
        call = CURRENT_CALL.get()
        call.requests += 1
        call.reply, call.outcome = {}, {}
        is_first_try = call.requests == 1 and call is self.first
        if self.is_secure and is_first_try and not self.is_met.is_set():
            request.extensions["timeout"]["connect"] = min(self.judge.timeout, FIRST_CONNECTION)
        drop_headers(request, self.judge)
        if self.judge.key:
            request.headers["Authorization"] = f"Bearer {self.judge.key}"

    async def end_try(self, response: Any) -> None:
        """Take in what a response says, and tell the SDK whether to try again."""
        self.is_met.set()
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
        # A failure in a reply of status 200 is tried again too.
        if is_passing:
            response.status_code = max(response.status_code, 500)

    async def stop_if_absent(self, error: Exception) -> None:
        """Stop where the first call finds nobody at its second try, or a server of plain HTTP."""
        call = CURRENT_CALL.get()
        outcome = describe_exception(error, self.judge, self.is_met.is_set())
        if self.is_met.is_set() or self.run.stop or call is not self.first:
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
            # The SDK does not try this again.
            raise RuntimeError("nobody is there") from error


def refuses_output(output: str, reply: Reply, message: str) -> bool:
    """Return whether a server has refused a form of output.

    The reply and the message of its failure say so.
    """
    if output == "text" or reply:
        return False
    return OUTPUT_SIGNS.search(message) is not None


def make_async_client(sender: RequestSender) -> Any:
    """Return a client of the openai SDK that shows the sender each try.

    It follows no redirect.
    """
    try:
        import openai
    except ImportError as error:
        raise ImportError(
            "the judge needs the openai SDK: pip install 'openai[aiohttp]>=3.54'"
        ) from error

    # aiohttp takes a third of the time per call.
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
