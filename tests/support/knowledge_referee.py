"""A seat's knowledge, compared with every layout of the hidden cards that the referees accept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

from spadille.base.card_text import SUITS, sort_cards
from spadille.base.errors import SpadilleError
from spadille.core.auction import judge_auction, result
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import Assumptions, Knowledge, know
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.games.model.game import Rules
from tests.support.auction_referee import BIDDERS
from tests.support.deals_and_outcomes import random_deal
from tests.support.random_endings import case

MOST = 400  # limit for the layouts tried


def splits(cards: Sequence[str], sizes: Sequence[int]) -> Iterator[tuple[frozenset[str], ...]]:
    """Yield every way to deal cards to hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in splits(rest, sizes[1:]):
            yield (frozenset(hand), *others)


def number_of(sizes: Sequence[int]) -> int:
    found, total = 1, 0
    for size in sizes:
        total += size
        found *= comb(total, size)
    return found


def possible(deal: Deal, contract: Contract, cards: Sequence[str]) -> bool:
    """Return whether the referee accepts this deal, called card and play."""
    if contract.called and contract.called in (deal.hands[contract.declarer] or ()):
        return False
    position = Position.of(deal, contract)
    try:
        for card in cards:
            position.play(card)
    except SpadilleError:
        return False
    return True


def replayed(
    known: Knowledge, deal: Deal, contract: Contract, cards: Sequence[str]
) -> set[tuple[frozenset[str], ...]]:
    """Return all layouts in which the recorded cards were legal."""
    found = set()
    gone: dict[str, list[str]] = {seat: [] for seat in deal.rules.seats}
    for seat, card in known.played:
        gone[seat].append(card)
    for layout in splits(list(known.unseen), list(known.sizes.values())):
        hands = dict.fromkeys(deal.rules.seats, (*known.own,))
        hands |= known.open_hands
        hands |= {place: (*held,) for place, held in zip(known.sizes, layout, strict=True)}
        full = {seat: (*hands[seat], *gone[seat]) for seat in deal.rules.seats}
        if possible(replace(deal, hands=full), contract, cards):
            found.add(layout)
    return found


def some_play(deal: Deal, contract: Contract, random: Random, least: int) -> list[str]:
    """Play random cards, at least a given number if the hand lasts."""
    position = Position.of(deal, contract)
    cards: list[str] = []
    while len(cards) < least and (legal := position.legal()):
        card = random.choice(legal)
        position.play(card)
        cards.append(card)
    return cards


def compare(game: str, options: str, contract_id: str, seed: int) -> int:
    """Compare one ending from one player's seat; return its number of layouts."""
    deal, contract = case(game, options, contract_id, seed)
    random = Random(seed)
    seats = deal.rules.seats
    size = len(deal.hands[seats[0]] or ())
    cards = some_play(deal, contract, random, random.randint(1, len(seats) * size - 2))
    seat = random.choice(seats)
    while True:
        known = know(deal, contract, seat, cards)
        if number_of([*known.sizes.values()]) <= MOST or len(cards) >= len(seats) * size:
            break
        more = some_play(deal, contract, Random(seed), len(cards) + 1)
        if len(more) <= len(cards):
            return 0
        cards = more
    expected = replayed(known, deal, contract, cards)
    found = [tuple(map(frozenset, layout)) for layout in known.layouts]
    assert len(found) == len(set(found)) == known.layouts.distinct
    assert set(found) == expected, (game, options, contract_id, seed, seat, cards)
    hands = left(deal, contract, cards)
    assert tuple(frozenset(hands[place]) for place in known.sizes) in expected
    return len(expected)


def left(deal: Deal, contract: Contract, cards: Sequence[str]) -> dict[str, set[str]]:
    position = Position.of(deal, contract)
    for card in cards:
        position.play(card)
    return position.hands


def fresh(rules: Rules, random: Random) -> Deal:
    """Deal all cards; only the suit of a turned-up card is known."""
    deal = replace(random_deal(rules, random), talon=())
    if rules.game.turns_up:
        turned = random.choice(deal.hands[deal.dealer] or ())
        deal = replace(deal, current_trump=turned[0])
    return deal


def full_case(game: str, options: str, kind_id: str, seed: int) -> tuple[Deal, Contract, list[str]]:
    """Return a full deal, a contract, and the calls that led to it if the game has a bidder."""
    random = Random(f"{game} {options} {kind_id} {seed}")
    rules = rules_for(game, options)
    kind = rules.contract(kind_id)
    deal = fresh(rules, random)
    calls: list[str] = []
    declarer = deal.holder(kind.holder) if kind.holder else random.choice(rules.seats)
    name = f"{game} {rules.options['bidding_order']}" if game == "german-solo" else game
    if name in BIDDERS:
        for _ in range(300):
            calls, _ = BIDDERS[name](deal, random)
            settled = result(deal, calls)
            if settled and settled.ids == (kind_id,) and settled.declarers:
                (declarer,) = settled.declarers
                break
            deal = fresh(rules, random)
        else:
            calls, declarer = [], deal.holder(kind.holder or "") or declarer
    trump = random.choice(rules.allowed_trumps(kind, deal))
    called = partner = None
    assert declarer is not None
    if kind.side == "called":
        free = rules.callable_cards(trump, deal.hands[declarer] or (), kind)
        called = random.choice(free) if free else None
        partner = deal.holder(called or "")
    elif kind.side == "partner":
        partner = random.choice([seat for seat in rules.seats if seat != declarer])
    if kind.side == "all":
        ids = (kind_id,) * len(rules.seats)
        return deal, Contract(rules.seats, ids, trump, penalty=random.choice(SUITS)), calls
    return deal, Contract((declarer,), (kind_id,), trump, called, partner), calls


def could_be(
    deal: Deal, contract: Contract, cards: Sequence[str], calls: list[str], trusted: bool
) -> bool:
    """Return whether the referees accept this deal, auction, called card and play."""
    kind = deal.rules.contract(contract.ids[0])
    turned = {card[0] for card in deal.hands[deal.dealer] or ()}
    if deal.rules.game.turns_up and deal.current_trump not in turned:
        return False
    if kind.side != "all":
        try:
            deal.contract(
                kind.id,
                contract.declarer,
                None if kind.trump == "none" else contract.trump,
                contract.called,
                contract.partner if kind.side == "partner" else None,
            )
        except SpadilleError:
            return False
    if calls:
        found, settled = judge_auction(deal, calls)
        if settled is None or settled.declarers != (contract.declarer,) or (trusted and found):
            return False
    return possible(deal, contract, cards)


def claims(deal: Deal, contract: Contract, cards: Sequence[str]) -> bool:
    """Return whether the side has won all of the first tricks, announced it, and gone on."""
    kind = deal.rules.contract(contract.ids[0])
    run = kind.first_run * len(deal.rules.seats)
    if kind.side != "called" or kind.run_alone or len(cards) <= run:
        return False
    position = Position.of(deal, contract)
    for card in cards[:run]:
        position.play(card)
    side = {contract.declarer, deal.holder(contract.called or "")}
    return contract.called not in cards[:run] and {t.winner for t in position.tricks} <= side


def compare_full(game: str, options: str, kind_id: str, seed: int) -> int:
    """Compare a full deal near its end, and with only the seat's own hand known."""
    deal, contract, calls = full_case(game, options, kind_id, seed)
    random = Random(seed)
    rules = deal.rules
    number = len(rules.seats) * rules.game.hand_size
    cards = some_play(deal, contract, random, number - 2)
    seat, trusted = random.choice(rules.seats), seed % 2 == 1
    trust = "duties" if trusted else "none"
    calls = [] if seed % 3 == 2 else calls
    known = know(deal, contract, seat, auction=calls, assumptions=Assumptions(belief=trust))
    for length in range(len(cards) * 3 // 4, len(cards) + 1):
        known = know(
            deal,
            contract,
            seat,
            cards[:length],
            auction=calls,
            assumptions=Assumptions(belief=trust),
        )
        if number_of([*known.sizes.values()]) <= MOST:
            cards = cards[:length]
            break
    else:
        return 0
    gone: dict[str, list[str]] = {seat: [] for seat in rules.seats}
    for who, card in known.played:
        gone[who].append(card)
    expected = set()
    for layout in splits(list(known.unseen), list(known.sizes.values())):
        hands = {seat: known.own, **known.open_hands, **dict(zip(known.sizes, layout, strict=True))}
        full = {who: sort_cards((*hands[who], *gone[who])) for who in rules.seats}
        other = replace(deal, hands=full, talon=())
        if could_be(other, contract, cards, calls, trusted) and (
            claims(other, contract, cards) == claims(deal, contract, cards)
        ):
            expected.add(layout)
    weighed = {tuple(map(frozenset, each)): weight for each, weight in known.layouts.weighed()}
    if rules.game.turns_up and seat != deal.dealer and deal.dealer not in known.open_hands:
        # Any of the dealer's cards of the suit may have been turned up.
        at = known.places.index(deal.dealer)
        suit = [card[0] for card in gone[deal.dealer]].count(deal.current_trump or "")
        ratios = {
            Fraction(weight, suit + sum(card[0] == deal.current_trump for card in layout[at]))
            for layout, weight in weighed.items()
        }
        assert len(ratios) == 1
    assert set(weighed) == expected, (game, options, kind_id, seed, seat, cards, calls)
    hands = left(deal, contract, cards)
    hands["pile"] = {*rules.deck}.difference(cards, *hands.values())
    assert tuple(frozenset(hands[place]) for place in known.sizes) in expected
    if not known.open_hands:
        alone = {who: hand if who == seat else None for who, hand in deal.hands.items()}
        mine = know(
            replace(deal, hands=alone, talon=()),
            contract,
            seat,
            cards,
            auction=calls,
            assumptions=Assumptions(belief=trust),
        )
        assert (mine.layouts.count, mine.sentences) == (known.layouts.count, known.sentences)
        assert [*mine.layouts] == [*known.layouts]
    return len(expected)
