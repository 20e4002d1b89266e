"""A web service that solves deals: an ASGI application of one file, without a framework.

    GET /solve?deal=german-solo N:... ... ... ...&contract=N solo H

answers with the JSON of `spadille solve`. Any ASGI server runs it, for example
`uvicorn --app-dir examples service:app`. docs/services.md explains the choices made here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any
from urllib.parse import parse_qs

from spadille import Deal, Interruption, Limits, Solver, SpadilleError, solve

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

THREADS = 2
MEMORY = 64 << 20  # bytes for the table of each thread
SECONDS = 5.0  # for each request

_pool = ThreadPoolExecutor(THREADS)
_of_thread = local()


def answer(deal: str, contract: str, token: Interruption) -> dict[str, Any]:
    """Solve on a thread of the pool; each thread keeps its solver."""
    if not hasattr(_of_thread, "solver"):
        _of_thread.solver = Solver(MEMORY)
    limits = Limits(seconds=SECONDS, interruption=token)
    return solve(Deal.parse(deal), contract, solver=_of_thread.solver, limits=limits).to_dict()


async def app(scope: Message, receive: Receive, send: Send) -> None:
    """Answer a request; a client that goes away ends its search."""
    if scope["type"] != "http":
        return
    query = parse_qs(scope["query_string"].decode())
    try:
        deal, contract = query["deal"][0], query["contract"][0]
    except KeyError as missing:
        await reply(send, 400, {"error": f"the query has no {missing.args[0]!r}"})
        return
    await receive()  # the request has no body
    token = Interruption()
    loop = asyncio.get_running_loop()
    searching = loop.run_in_executor(_pool, answer, deal, contract, token)
    leaving = asyncio.ensure_future(receive())
    await asyncio.wait((searching, leaving), return_when=asyncio.FIRST_COMPLETED)
    if not searching.done():
        token.stop()
    leaving.cancel()
    try:
        await reply(send, 200, await searching)
    except SpadilleError as error:
        await reply(send, 422, {"error": error.code, "message": str(error)})


async def reply(send: Send, status: int, fields: dict[str, Any]) -> None:
    """Send fields as JSON."""
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(fields).encode()})
