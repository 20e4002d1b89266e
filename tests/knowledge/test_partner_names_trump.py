"""Forced Spadille: a partner who was asked to name trumps is known to everybody.

Quadrille: "if the bidder does not opt to declare trump he may ask his partner to do so, thus making
it obvious which of the other players is his partner".
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from click.testing import CliRunner

from spadille.base.errors import ContractError
from spadille.core.contract import ANYBODY, Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import know, winning_card
from spadille.pbn.hand_file import read
from spadille.pbn.write_deals import dumps
from spadille_cli import main

CALLED = ("SK", "HK", "DK", "CK")


def forced(game: str, number: int) -> Iterator[tuple[Deal, Contract]]:
    """Yield deals of Forced Spadille with a partner who named trumps."""
    for seed in range(number):
        deal = Deal.random(game, seed)
        caller = deal.holder("SA")
        for card in CALLED:
            partner = deal.holder(card)
            if caller and partner not in (None, caller):
                yield (
                    deal,
                    deal.contract("forced-spadille", caller, "H", card, trump_by=partner),
                )
                break


@pytest.mark.ci
@pytest.mark.parametrize("game", ["quadrille", "quintille"])
def test_everybody_knows_who_named_trumps(game: str) -> None:
    for deal, contract in forced(game, 12):
        called, partner = contract.called, contract.partner
        assert called is not None
        for seat in deal.rules.seats:
            silent = know(deal, replace(contract, trump_by=None), seat)
            known = know(deal, contract, seat)
            if seat == partner:
                assert known.partner == silent.partner == partner
                continue
            assert (silent.partner, silent.partner_open) == (None, True)
            assert (known.partner, known.partner_open) == (partner, False)
            assert known.unseen[called] == (partner,)
            # The layouts in which the partner has the card remain.
            held = [name for name in silent.places if name != contract.declarer]
            assert len(silent.unseen[called]) == len(held)
            total = sum(silent.sizes[name] for name in held)
            share = known.layouts.count * total
            assert share == silent.layouts.count * silent.sizes[partner or ""]
        text = f"was dealt the called {called}"
        outsider = next(s for s in deal.rules.seats if s not in contract.side)
        assert sum(text in line for line in know(deal, contract, outsider).sentences) == 1


def test_the_card_is_his_though_his_hand_is_not_written_down() -> None:
    deal, contract = next(forced("quadrille", 5))
    seat = next(s for s in deal.rules.seats if s not in contract.side)
    hidden = replace(deal, hands={s: h if s == seat else None for s, h in deal.hands.items()})
    words = (contract.ids, contract.declarers, "H", contract.called, ANYBODY, None)
    silent = Contract.make(hidden, *words)
    told = Contract.make(hidden, *words, contract.partner)
    assert (silent.partner, told.partner) == (None, contract.partner)
    assert know(hidden, told, seat).partner == contract.partner
    text = dumps([hidden]).replace('[Contract "?"]', '[Contract "forced-spadille"]')
    text = text.replace('[Declarer "?"]', f'[Declarer "{contract.declarer}"]').rstrip("\n")
    text += f'\n[Trump "H"]\n[Called "{contract.called}"]\n[TrumpBy "{contract.partner}"]\n'
    (entry,) = read(text)
    assert entry.seen_contract == told


# The tag


def test_the_tag_is_read_and_written() -> None:
    deal, contract = next(forced("quadrille", 5))
    text = dumps([(deal, contract)])
    assert f'[TrumpBy "{contract.partner}"]' in text
    (entry,) = read(text)
    assert (entry.contract, entry.findings) == (contract, [])
    assert dumps([entry]) == text
    own = text.replace(f'TrumpBy "{contract.partner}"', f'TrumpBy "{contract.declarer}"')
    (entry,) = read(own)
    assert (entry.contract, entry.findings) == (replace(contract, trump_by=None), [])


def test_what_the_tag_cannot_say() -> None:
    deal, contract = next(forced("quadrille", 5))
    text = dumps([(deal, contract)])
    other = next(s for s in deal.rules.seats if s not in contract.side)
    for value, code in ((other, "trump-by-not-partner"), ("5", "seat-unknown")):
        (entry,) = read(text.replace(f'TrumpBy "{contract.partner}"', f'TrumpBy "{value}"'))
        (fault,) = entry.faults
        assert (fault.code, fault.tag, fault.text) == (code, "TrumpBy", value)
        assert fault.line == text[: text.index("[TrumpBy")].count("\n") + 1
    solo = dumps([(deal, deal.contract("solo", "N", "H"))]).rstrip("\n") + '\n[TrumpBy "E"]\n'
    (entry,) = read(solo)
    assert [fault.code for fault in entry.faults] == ["trump-by-not-allowed"]
    (entry,) = read(solo.replace('TrumpBy "E"', 'TrumpBy "N"'))
    assert entry.faults == []
    with pytest.raises(ContractError, match="names trumps in Alliance"):
        deal.contract(
            "alliance", contract.declarer, "H", contract.called, trump_by=contract.partner
        )
    with pytest.raises(
        ContractError, match="can have named trumps" if False else "cannot have named"
    ):
        deal.contract("forced-spadille", contract.declarer, "H", contract.called, trump_by=other)


def test_the_command_knows_it() -> None:
    """A leader who is not on the bidder's side knows the partner."""
    deal, contract = next(
        (deal, contract)
        for deal, contract in forced("quadrille", 20)
        if deal.rules.eldest(deal.dealer) not in contract.side
    )
    text = dumps([(deal, contract)])
    words = ["cards", "--chances", "--samples", "4", "--seed", "1", "--format", "jsonl", "-"]
    silent = text.replace(f'[TrumpBy "{contract.partner}"]\n', "")

    def known(given: str) -> list[str]:
        result = CliRunner().invoke(main, words, input=given)
        assert result.exit_code == 0, result.stderr
        found: list[str] = json.loads(result.stdout.splitlines()[0])["known"]
        return found

    said = f"was dealt the called {contract.called}"
    assert sum(said in line for line in known(text)) == 1
    assert not any(said in line for line in known(silent))


def test_a_card_outside_the_pack_never_wins() -> None:
    rules = Deal.random("german-solo", 1).rules
    assert winning_card(rules, "H", ["S2", "D7", "S7"]) == 2
    assert winning_card(rules, "H", ["S7", "S2", "D7"]) == 0
