"""docs/services.md and the service in examples/, called without a server."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlencode

import pytest

import spadille

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "services.md").read_text(encoding="utf-8")
DEAL = "german-solo N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98"


@pytest.fixture
def service() -> Iterator[ModuleType]:
    spec = spec_from_file_location("service", TOP / "examples" / "service.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["service"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    module._pool.shutdown()
    del sys.modules["service"]


async def request(app: Any, leaves: bool = False, **query: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the JSON with which an application answers."""
    sent: list[dict[str, Any]] = []
    events = [{"type": "http.request", "body": b"", "more_body": False}]
    events += [{"type": "http.disconnect"}] if leaves else []

    async def receive() -> dict[str, Any]:
        if events:
            return events.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/solve", "query_string": urlencode(query).encode()}
    await app(scope, receive, send)
    start, body = sent
    return start["status"], json.loads(body["body"])


def test_the_service_solves(service: ModuleType) -> None:
    async def many() -> list[tuple[int, dict[str, Any]]]:
        contracts = ["N frog H DA", "N solo H", "E tout C", "S solo S"]
        return await asyncio.gather(
            *(request(service.app, deal=DEAL, contract=contract) for contract in contracts)
        )

    answers = asyncio.run(many())
    assert [status for status, _ in answers] == [200] * 4
    frog = answers[0][1]
    expected = spadille.solve(spadille.Deal.parse(DEAL), "N frog H DA").to_dict()
    assert {**frog, "ms": 0} == {**expected, "ms": 0}


def test_the_service_answers_faults(service: ModuleType) -> None:
    for query, status, words in [
        ({"deal": DEAL}, 400, "contract"),
        ({"deal": DEAL, "contract": "N bolo"}, 422, "bolo"),
        ({"deal": "german-solo N:XX", "contract": "N solo H"}, 422, "4 hands"),
    ]:
        found, fields = asyncio.run(request(service.app, **query))
        assert found == status
        assert words in json.dumps(fields)


def test_a_client_that_leaves_ends_its_search(
    service: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = []
    stop = spadille.Interruption.stop

    def heard(token: spadille.Interruption) -> None:
        stopped.append(token)
        stop(token)

    monkeypatch.setattr(spadille.Interruption, "stop", heard)
    hard = spadille.Deal.random("solo-whist", 3).text
    status, fields = asyncio.run(request(service.app, leaves=True, deal=hard, contract="N misere"))
    assert status == 200
    assert stopped
    assert "bounds" in fields, "it was not solved to the end"


def test_the_page_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(block, names)
    fields = asyncio.run(names["value"](DEAL, "N frog H DA"))
    assert (fields["tricks"], fields["makes"]) == (8, True)
