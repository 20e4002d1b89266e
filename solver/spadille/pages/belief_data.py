"""The strength tables and the calls for the page's players, who believe the bids.

`script/call_likelihood.js` computes from them how likely the calls are in a layout, like
`spadille.analysis.chances.belief`. The vectors are rounded (see `quantum`). The rounded tables of a
game take up less than 50 kB in a page.
"""

from __future__ import annotations

import gzip
import json
from array import array
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, pairwise
from typing import Any

from spadille.analysis.chances.belief import smallest_stake
from spadille.core.knowledge.calls_heard import HeardBidder, Offered
from spadille.core.knowledge.seat_knowledge import DEFAULT_SPREAD, Knowledge
from spadille.core.strength.strength_tables import SHARE_UNIT, GameTables, HandTable, tables_for
from spadille.games.model.game import Rules
from spadille.search.encoding import encoding

_QUANTA = (8, 10, 12, 14, 16, 20, 24, 32)
_MOST = 47_400  # bytes of a game's tables, compressed


@cache
def _offers(rules: Rules) -> Mapping[Offered, int]:
    """Number the contracts that have tables, one for each possible trump suit."""
    tables = tables_for(rules)
    if tables is None:
        return {}
    every = [Offered(kind, trump) for kind in tables.contracts for trump in tables.trumps(kind)]
    return {offered: number for number, offered in enumerate(every)}


@cache
def quantum(rules: Rules) -> int:
    """Return the step to whose multiples the vectors are rounded.

    It is the smallest step for which each number fits into a byte and the tables fit into a page.
    """
    tables = tables_for(rules)
    assert tables is not None
    hand_tables = [tables.table(offered.contract, offered.trump) for offered in _offers(rules)]
    groups = {id(table.vectors): table.vectors for table in hand_tables if table}
    largest = max(
        abs(weight) for group in groups.values() for row in group.values() for weight in row
    )
    for unit in _QUANTA:
        if round(largest / unit) < 128:
            blob = bytearray()
            header = _game(rules, tables, blob, unit)
            if len(gzip.compress(json.dumps(header).encode() + blob, 9)) <= _MOST:
                return unit
    return _QUANTA[-1]


def belief_tables(games: Iterable[tuple[str, Rules]]) -> bytes:
    """Return the packed tables of games: the length of a header, the header, and the vectors."""
    blob = bytearray()
    header = {}
    for key, rules in games:
        tables = tables_for(rules)
        if tables is not None:
            header[key] = _game(rules, tables, blob, quantum(rules))
    header_json = json.dumps(header, separators=(",", ":")).encode()
    return len(header_json).to_bytes(4, "little") + header_json + blob


def _game(rules: Rules, tables: GameTables, blob: bytearray, unit: int) -> dict[str, Any]:
    parts: list[dict[str, Any]] = []
    places: dict[int, dict[str, int]] = {}
    known: dict[bytes, int] = {}
    numbers: dict[tuple[int, tuple[str, ...]], int] = {}
    offers = []
    for offered in _offers(rules):
        table = tables.table(offered.contract, offered.trump)
        assert table is not None
        vectors = id(table.vectors)
        if vectors not in places:
            places[vectors] = _written(table, unit, blob, known)
        # Equal tables may list their plain suits in different orders.
        part = numbers.setdefault((vectors, table.shape.lanes), len(parts))
        if part == len(parts):
            parts.append(_part(table, places[vectors], unit))
        kind, code = rules.contracts[offered.contract], encoding(rules, offered.trump)
        calls = kind.side == "called"
        tiers = rules.call_tiers(offered.trump, kind) if calls else ()
        offers.append(
            {
                "part": part,
                "unit": table.unit,
                "trump": offered.trump,
                "calls": calls,
                "tiers": [[code.numbers[card] for card in tier] for tier in tiers],
            }
        )
    return {
        "spread": DEFAULT_SPREAD * smallest_stake(tables),
        "needsSuit": rules.game.call_needs_suit,
        "parts": parts,
        "offers": offers,
    }


def _written(
    table: HandTable, unit: int, blob: bytearray, known: dict[bytes, int]
) -> dict[str, int]:
    """Append the groups of vectors and the layers to `blob`; return the place of each.

    `known` has the places of the groups and layers that are in `blob` already.
    """
    parts = {
        name: array("b", [round(weight / unit) for weight in group]).tobytes()
        for name, group in table.vectors.items()
    }
    for number, (layer, _) in enumerate(table.layers):
        # The weights from the first input to all units come first.
        weights = chain(*zip(*layer["weights"], strict=True))
        parts[f"layer {number}"] = b"".join(
            weight.to_bytes(2, "little", signed=True) for weight in weights
        )
    for numbers in parts.values():
        if numbers not in known:
            known[numbers] = len(blob)
            blob += numbers
    return {name: known[numbers] for name, numbers in parts.items()}


def _part(table: HandTable, at: Mapping[str, int], unit: int) -> dict[str, Any]:
    """Return a table; `at` has the place of each group of vectors."""
    shape = table.shape
    suits = [
        (
            shape.plain[ranks].length,
            shape.plain[ranks].low,
            at[f"plain {ranks}"],
            at.get(f"called {ranks}"),
            at.get(f"called suit {ranks}"),
        )
        for ranks in shape.lanes
    ]
    if shape.trump is not None:
        suits.append((shape.trump.length, shape.trump.low, at["trump"], None, None))
    paid = [table.least, *(score["payoff"] for score in table.scores)]
    scores = [
        {
            "weights": score["weights"],
            "bias": score["bias"],
            "start": score["start"],
            "step": score["step"],
            "shares": [share / SHARE_UNIT for share in score["shares"]],
            "rise": high - low,
        }
        for score, (low, high) in zip(table.scores, pairwise(paid), strict=True)
    ]
    return {
        "suits": suits,
        "position": at["position"],
        "positions": table.positions,
        "quantum": unit,
        "layers": [
            {"weights": at[f"layer {number}"], "bias": layer["bias"], "shift": shift}
            for number, (layer, shift) in enumerate(table.layers)
        ],
        "scores": scores,
        "least": table.least,
    }


def heard_bidder(rules: Rules, bidder: HeardBidder) -> dict[str, Any]:
    """Return the choices that a bidder had."""
    numbers = _offers(rules)
    called = None
    if bidder.called is not None:
        offered, card = bidder.called
        called = {
            "offer": numbers[offered],
            "card": encoding(rules, offered.trump).numbers[card],
        }
    return {
        "place": bidder.position,
        "exchanged": bidder.exchanged,
        "called": called,
        "choices": [
            {
                "options": [
                    (option.height, [numbers[offered] for offered in option.offers])
                    for option in choice.options
                ],
                "chosen": choice.chosen,
                "duty": choice.duty_cards,
                "least": choice.least,
            }
            for choice in bidder.choices
        ],
    }


def heard_by(known: Knowledge) -> dict[str, Any]:
    """Return the seats whose calls a seat takes into account, and its knowledge of exchanges."""
    dealt = known.deal.hands[known.seat] or ()
    view: dict[str, Any] = {"heard": [bidder.seat for bidder in known.heard]}
    if known.exchanges is not None and any(bidder.exchanged for bidder in known.heard):
        view["pile"] = [card for card in known.unseen if card not in dealt]
        view["exchanges"] = known.exchanges._asdict()
    return view
