"""Facts about the dealt hands that follow from the contract and the bids.

The caller does not hold the called card. The cards that the caller could have called instead also
reveal something about the caller's hand. In some contracts, the declarer must hold a certain card.
A player who showed a bid card was dealt it. All this follows from the rules. Duties to bid are
taken into account only on request, because players may have overlooked them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from spadille.base.card_text import SUIT_NAMES, parse_card
from spadille.base.errors import CardError
from spadille.base.words_for_messages import seat_name
from spadille.core.auction import result, spoken
from spadille.core.knowledge.card_facts import Condition, Fact
from spadille.core.knowledge.starting_knowledge import Start
from spadille.games.model.contract_types_and_options import CALL_TIERS


def contract_facts(start: Start, partner_shown: bool = False) -> None:
    """Record the facts that follow from the contract."""
    contract, kind, hidden = start.contract, start.kind, start.hidden
    declarer = contract.declarer
    if kind.holder is not None and not start.deal.is_ending:
        text = f"{seat_name(declarer)} holds {kind.holder}: only its holder can play {kind.name}"
        start.put(kind.holder, declarer, text)  # rule: falls-to-holder
    if kind.side != "called":
        return
    called = contract.called
    if called is not None:
        who = seat_name(declarer)
        if called in start.own:
            assert start.seat is not None
            holder = seat_name(start.seat)
            hidden.tell(f"{holder} holds the called {called} and is {who}'s partner")
        text = f"{who} called {called} and so does not hold it"
        hidden.deny(declarer, [called], text)  # rule: called-card-not-with-caller
        if contract.trump_by is not None:
            namer = seat_name(contract.trump_by)
            text = f"{namer} named trumps, so {namer} was dealt the called {called}"
            start.put(called, contract.trump_by, text)
        elif partner_shown and contract.partner is not None:
            text = f"{seat_name(contract.partner)} has shown that they hold the called {called}"
            start.put(called, contract.partner, text)
    if not start.deal.is_ending:
        _what_could_be_called(start)


def _what_could_be_called(start: Start) -> None:
    """Record what the choice of the called card reveals about the caller's hand."""
    rules, contract, kind = start.rules, start.contract, start.kind
    if contract.trump is None or contract.declarer not in start.hidden.sizes:
        return
    called = contract.called
    unsaid = start.hands[contract.declarer] is None
    if called is None and (kind.may_call or unsaid or contract.partner is not None):
        return
    who = seat_name(contract.declarer)
    suits = dict(rules.suits(contract.trump))
    suit = rules.suit_of(contract.trump).get(called or "")
    if not rules.trumps_callable(kind):
        suits.pop(contract.trump, None)
    if suit is not None and rules.game.call_needs_suit:
        text = (
            f"{who} called {called}, so {who} must have been dealt another {SUIT_NAMES[suit][:-1]}"
        )
        cards = suits[suit]
        numbers = range(1, len(cards))  # rule: caller-holds-the-suit
        _require(start, dict.fromkeys(cards, 1), dict.fromkeys(numbers, 1), text)
    above = ""
    for tier in CALL_TIERS[rules.options["call_rank"]]:
        if called is not None and called[1] in tier:
            break
        above += tier
    call = f"called {called}" if called else "called nobody"
    for letter, cards in suits.items():
        higher = [card for card in cards if card[1] in above]
        if not higher:
            continue
        names = f"{'all' if len(higher) > 4 else ' '.join(higher)} of the {SUIT_NAMES[letter]}"
        text = f"{who} {call}, so {who} was dealt {names}"
        if not rules.game.call_needs_suit:
            for card in higher:
                start.put(card, contract.declarer, text)
            continue
        size = len(cards) + 1
        values = {card: size if card in higher else 1 for card in cards}
        sums = (0, *range(size * len(higher), size * (len(higher) + 1)))
        _require(start, values, dict.fromkeys(sums, 1), f"{text}, or none of them")


def _require(start: Start, values: dict[str, int], weights: dict[int, int], text: str) -> None:
    fact = Fact(text, frozenset(values))
    start.hidden.require(Condition(start.contract.declarer, values, weights, fact))


def auction_facts(start: Start, calls: Sequence[str], first: str | None, trusted: bool) -> None:
    """Record the facts that follow from the calls and, if `trusted`, from the duty to bid."""
    deal, bidding = start.deal, start.rules.bidding
    if deal.is_ending:
        return
    seats = start.rules.in_turn(first or start.rules.eldest(deal.dealer))
    if bidding.cards is not None:
        for seat, text in zip(seats, calls, strict=False):
            with suppress(CardError):
                card = parse_card(text)
                start.put(card, seat, f"{seat_name(seat)} showed {card}")
        return
    heard = spoken(deal, calls, first)
    passed = all(call.height < 0 for call in heard)
    if bidding.falls_to and passed and result(deal, calls, first) is not None:
        card, _ = bidding.falls_to
        who = seat_name(start.contract.declarer)
        start.put(card, start.contract.declarer, f"{who} holds {card}: everybody passed")
    if trusted and bidding.duty is not None:
        _duties(start, calls, first)


def _duties(start: Start, calls: Sequence[str], first: str | None) -> None:
    """Record the number of duty cards (those that create a duty to bid) in each hand."""
    rules, bidding = start.rules, start.rules.bidding
    cards = bidding.duty_cards
    others = [card for card in rules.deck if card not in cards]
    size = rules.game.hand_size
    assert bidding.duty is not None
    for seat, height, standing in spoken(start.deal, calls, first):
        if seat not in start.hidden.sizes:
            continue
        fits = []
        for number in range(min(len(cards), size) + 1):
            hand = (*cards[:number], *others[: size - number])
            standing.deal = replace(start.deal, hands={**start.deal.hands, seat: hand})
            least = bidding.duty(standing, seat)
            if least is None or height >= bidding.height(least):  # rule: duty-to-bid
                fits.append(number)
        if len(fits) > min(len(cards), size):
            continue
        word = "" if height < 0 else bidding.words[height]
        kind = rules.contracts.get(word)
        did = f"bid {kind.name if kind else word}" if word else "passed"
        who = seat_name(seat)
        text = (
            f"{who} {did}, so {who} was dealt at most {max(fits)} of {' '.join(cards)}: "
            f"{bidding.duty_text}"
        )
        fact = Fact(text, frozenset(cards))
        values = dict.fromkeys(cards, 1)
        start.hidden.require(Condition(seat, values, dict.fromkeys(fits, 1), fact))
