"""Generate hand files: valid deals with auctions, exchanges and play, and slips in them.

Random bytes seldom get past the parser; most of these files reach the rules.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from spadille.base.card_text import CARDS
from spadille.base.errors import SpadilleError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import GAMES
from spadille.pbn.write_deals import block

_WORDS = ("Pass", "hold", "solo", "frog", "tout", "misere", "prop", "accept", "-", "AP", "*", "+")
_TOKENS = ("-", "+", "*", "^R", "^L", "!", "$3", "=1=", "{x}", ";x\n", "??", "SA", "H10", "zz")
_VALUES = ("", "?", "-", "#", "##N", "N", "1 3", "NT", "SA", "1:SA;2:H7", "3@2", "9" * 9, "\\\\")


def hand_file(random: Random, *, small: bool = False) -> str:
    """Return a file of some games, or with `small` one short ending with slips."""
    if small:
        lines = ending(random).splitlines()
        for _ in range(random.choice((1, 1, 2, 4))):
            _slip(random, lines)
        return "\n".join(lines) + "\n"
    return "\n".join(_game(random) for _ in range(random.randint(1, 3)))


def ending(random: Random) -> str:
    """Return a valid game of a few cards a hand, with some of them played."""
    game = random.choice([*GAMES.values()])
    dealt = Deal.random(game.id, random.getrandbits(32), dealer=random.choice(game.seats))
    size = random.choice((3, 4, 5))
    hands = {seat: tuple(random.sample(hand, size)) for seat, hand in dealt.hands.items() if hand}
    deal = replace(
        dealt, hands=hands, talon=(), turn_up=None, leader=random.choice(game.seats), pool=None
    )
    contract = _contract(random, deal)
    if contract is None:
        return block(deal)
    try:
        return block((deal, contract, _play(random, deal, contract)))
    except SpadilleError:
        return block(deal)


def _game(random: Random) -> str:
    game = random.choice([*GAMES.values()])
    options = {
        name: random.choice(option.values)
        for name, option in game.options.items()
        if getattr(option, "values", ()) and random.random() < 0.2
    }
    seed = random.getrandbits(32)
    try:
        deal = Deal.random(game.id, seed, dealer=random.choice(game.seats), options=options)
    except SpadilleError:
        deal = Deal.random(game.id, seed)
    text = block(deal)
    contract = _contract(random, deal)
    if contract is not None:
        text = block((deal, contract, _play(random, deal, contract)))
    lines = text.splitlines()
    if random.random() < 0.4:
        seat = random.choice(game.seats)
        words = [random.choice((*_WORDS, *deal.rules.bidding.words)) for _ in range(9)]
        lines += [f'[Auction "{seat}"]', " ".join(words[: random.randint(0, 9)])]
    if random.random() < 0.3:
        cards = random.sample(deal.undealt or CARDS, min(3, len(deal.undealt) or 3))
        held = random.sample(deal.hands[seat := random.choice(game.seats)] or CARDS, len(cards))
        lines.insert(0, f'[Drawn "{seat}:{" ".join(cards)}"]')
        lines.insert(0, f'[Discard "{seat}:{" ".join(held)}"]')
    if random.random() < 0.2:
        lines.insert(0, f'[Result "{random.randint(0, 14)}"]')
    for _ in range(random.choice((0, 0, 1, 1, 2, 4))):
        _slip(random, lines)
    return "\n".join(lines) + "\n"


def _contract(random: Random, deal: Deal) -> Contract | None:
    rules = deal.rules
    for _ in range(4):
        kind = random.choice([*rules.contracts.values()])
        seat = random.choice(rules.seats)
        trump = random.choice(rules.allowed_trumps(kind, deal))
        called = partner = None
        if kind.side == "called":
            cards = rules.callable_cards(trump, deal.hands[seat] or (), kind)
            called = random.choice(cards) if cards else None
        elif kind.side == "partner":
            partner = random.choice(rules.seats)
        penalty = "H" if kind.aim == "nemo" else None
        try:
            return Contract.make(deal, kind.id, seat, trump, called, partner, penalty)
        except SpadilleError:
            continue
    return None


def _play(random: Random, deal: Deal, contract: Contract) -> list[str]:
    """Return legal cards, rarely with an illegal one."""
    position = Position.of(deal, contract)
    cards: list[str] = []
    for _ in range(random.choice((0, 3, 8, 99))):
        if position.finished:
            break
        card = random.choice(position.legal())
        position.play(card)
        cards.append(card)
    return cards


def _slip(random: Random, lines: list[str]) -> None:
    at = random.randrange(len(lines))
    line = lines[at]
    match random.randrange(7):
        case 0:
            del lines[at]
            lines.append(line)
        case 1:
            lines.insert(at, line)
        case 2:
            words = line.split(" ")
            random.shuffle(words)
            lines[at] = " ".join(words)
        case 3:
            words = line.split(" ")
            words.insert(random.randrange(len(words) + 1), random.choice(_TOKENS))
            lines[at] = " ".join(words)
        case 4 if line.startswith("["):
            lines[at] = f'{line.partition(" ")[0]} "{random.choice(_VALUES)}"]'
        case 5:
            cut = random.randrange(len(line) + 1)
            lines[at] = line[:cut] + line[cut + 1 :]
        case _:
            lines[at] = line.replace(random.choice("SHDCNESW123AKQJ"), random.choice("SHNX1A."), 1)
