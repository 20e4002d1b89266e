"""Seeded positions that expose wrong shortcuts in the engine.

Plain random endings hardly ever combine a matador, a called card and a table entry of the wrong
shape. These positions do: few suits, the matadors in play, gaps between ranks, unfinished tricks,
any sides. Positions come in families that share everything one table of the engine may share
(players, trump, options, the places of matadors), so that one solver can be used for a whole
family.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from spadille.games.model.following_suit import Following, MatadorRule
from spadille.search.engine_problem import EngineProblem
from tests.support.brute_force import cards_of, legal, winner

SUIT_LENGTH = 13
Sizes = Mapping[int, tuple[tuple[int, int], ...]]  # number of players: (cards a hand, weight)
# Sizes that brute force settles in a few hundredths of a second.
SIZES: Sizes = {
    3: ((2, 1), (3, 4), (4, 7), (5, 3)),
    4: ((2, 1), (3, 6), (4, 5)),
    5: ((2, 2), (3, 6), (4, 1)),
}


@dataclass(frozen=True)
class Case:
    """A problem, and one question of each kind about it."""

    problem: EngineProblem
    side: int  # bit set of players in concert
    credited: int  # bit set of players whose tricks count, usually part of side
    player: int  # the lone player of misere, most tricks and Nemo
    horizon: int  # the first m tricks
    penalty: int  # suit of Nemo
    won: tuple[int, ...]  # tricks each player already has
    pick: int  # selects one of the states that a payoff can have reached


@dataclass(frozen=True)
class Family:
    """The common properties of positions over one table."""

    players: int
    trump: int
    suits: tuple[int, ...]
    lengths: tuple[int, ...]  # cards of each suit as dealt; rank length - 1 is the top
    matador_rule: int = 0
    matador_trigger: int = 0
    mixed_matadors: int = 0
    with_called: bool = False
    called_lead: int = 0
    called_early: int = 0
    # Not part of repr, from which the positions of a family are drawn.
    calls_trump: bool = field(default=False, repr=False)

    @property
    def following(self) -> Following:
        """The rules of following suit."""
        return Following(
            MatadorRule(self.matador_rule),
            bool(self.matador_trigger),
            bool(self.mixed_matadors),
            bool(self.called_lead),
            bool(self.called_early),
        )

    @property
    def matadors(self) -> int:
        """The three top cards of the trump suit as dealt."""
        if not self.matador_rule:
            return 0
        length = self.lengths[self.suits.index(self.trump)]
        return 0b111 << 16 * self.trump + length - 3


def family(random: Random) -> Family:
    """Return a family with random players, trump and options."""
    players = random.choice((3, 4, 4, 5))
    trump = random.choice((-1, 0, 1, 2, 3))
    number = random.choice((1, 2, 2, 2, 3, 3, 4))
    plain = random.sample([suit for suit in range(4) if suit != trump], min(number, 3))
    suits = [trump, *plain[: number - 1]] if trump >= 0 else plain
    lengths = [random.randint(8, SUIT_LENGTH) for _ in suits]
    if len(suits) == 1:
        lengths = [SUIT_LENGTH]
    rule = random.choice((0, 1, 1, 2, 2, 2)) if trump >= 0 else 0
    return Family(
        players=players,
        trump=trump,
        suits=tuple(suits),
        lengths=tuple(lengths),
        matador_rule=rule,
        matador_trigger=random.choice((0, 0, 1)) if rule else 0,
        mixed_matadors=random.choice((0, 1)) if rule else 0,
        with_called=trump >= 0 and len(suits) > 1 and random.random() < 0.5,
        called_lead=random.randrange(2),
        called_early=random.randrange(2),
    )


def families(seed: int) -> Iterator[Family]:
    """Yield an endless sequence of families, the same for the same seed."""
    random = Random(seed)
    while True:
        yield family(random)


def families_calling_trumps(seed: int) -> Iterator[Family]:
    """Yield families with matadors in which a trump is called."""
    for kind in families(seed):
        if kind.matador_rule:
            yield replace(kind, with_called=True, calls_trump=True)


def deck(kind: Family, number: int, random: Random) -> list[int]:
    """Draw some cards of the family's suits, preferring high ones, and above all matadors."""
    cards = [
        16 * s + rank
        for s, length in zip(kind.suits, kind.lengths, strict=True)
        for rank in range(length)
    ]
    matadors = list(cards_of(kind.matadors))
    if matadors and random.random() < 0.3:  # some have been played
        gone = random.sample(matadors, random.randint(1, 3))
        cards = [card for card in cards if card not in gone]
    sure = [card for card in cards if card in matadors][:number]
    rest = [card for card in cards if card not in sure]
    number -= len(sure)
    if random.random() < 0.5:  # few suits, with the others only for an occasional discard
        heavy = random.sample(kind.suits, random.randint(1, len(kind.suits)))
        rest.sort(key=lambda card: (card >> 4 in heavy, random.random()), reverse=True)
        spare = random.randint(0, 3)
        rest = random.sample(rest[: number + spare], number)
    else:
        rest = random.sample(rest, number)
    return sure + rest


def problem(kind: Family, random: Random, sizes: Sizes = SIZES) -> EngineProblem:
    """Return a position of the family; half of them are within a trick."""
    room = (sum(kind.lengths) - 3) // kind.players
    fitting = [(size, weight) for size, weight in sizes[kind.players] if size <= room]
    size = random.choices(*zip(*(fitting or [(room, 1)]), strict=True))[0]
    cards = deck(kind, size * kind.players, random)
    random.shuffle(cards)
    if random.random() < 0.3:  # long suits: a few swaps away from a sorted deal
        cards.sort(key=lambda card: (card >> 4, random.random()))
        for _ in range(random.randint(0, 4)):
            i, j = random.randrange(len(cards)), random.randrange(len(cards))
            cards[i], cards[j] = cards[j], cards[i]
    dealt = [cards[i * size : (i + 1) * size] for i in range(kind.players)]
    if kind.matadors and random.random() < 0.6:
        privilege(kind, dealt, random)
    start = EngineProblem(
        players=kind.players,
        hands=tuple(sum(1 << card for card in hand) for hand in dealt),
        trump=kind.trump,
        leader=random.randrange(kind.players),
        trick=(),
        matadors=kind.matadors,
        called=called_card(kind, dealt, random) if kind.with_called else -1,
        following=kind.following,
    )
    if random.random() < 0.5:
        return start
    return play_some(start, random.randint(1, kind.players - 1), random)


def privilege(kind: Family, dealt: list[list[int]], random: Random) -> None:
    """Give one player matadors and, if possible, no other trumps."""
    holder = random.choice(dealt)
    others = [hand for hand in dealt if hand is not holder]
    low, middle, high = cards_of(kind.matadors)
    pairs = ([low, middle], [middle, high], [low, high], [low, high])
    wanted = random.choice(([low], [middle], [high], *pairs, [low, middle, high]))
    swaps = [(card, True) for card in wanted] + [(-1, False)] * len(holder)
    for matador, take in swaps:
        own = [card for card in holder if card >> 4 == kind.trump and card not in wanted]
        own += [card for card in holder if card >> 4 != kind.trump] if take else []
        for hand in others:
            theirs = [
                card for card in hand if (card == matador if take else card >> 4 != kind.trump)
            ]
            if own and theirs:
                mine, yours = own[0], random.choice(theirs)
                holder[holder.index(mine)], hand[hand.index(yours)] = yours, mine
                break


def called_card(kind: Family, dealt: list[list[int]], random: Random) -> int:
    """Return a plain card, preferably from a hand with others of its suit, else -1.

    If trumps are called, return a trump, preferably a matador beside another.
    """
    if kind.calls_trump:
        trumps = [card for hand in dealt for card in hand if card >> 4 == kind.trump]
        held = [[card for card in cards_of(kind.matadors) if card in hand] for hand in dealt]
        pairs = [card for matadors in held if len(matadors) > 1 for card in matadors]
        return random.choice(pairs if pairs and random.random() < 0.8 else trumps or [-1])
    plain = [card for hand in dealt for card in hand if card >> 4 != kind.trump]
    beside = [
        card
        for hand in dealt
        for card in hand
        if card >> 4 != kind.trump and any(c >> 4 == card >> 4 and c != card for c in hand)
    ]
    return random.choice(beside if beside and random.random() < 0.8 else plain or [-1])


def play_some(start: EngineProblem, number: int, random: Random) -> EngineProblem:
    """Return the problem after some random legal cards, possibly with complete tricks."""
    hands, leader, trick = list(start.hands), start.leader, start.trick
    for _ in range(number):
        mover = (leader + len(trick)) % start.players
        now = start._replace(called=still_out(start.called, hands))
        card = random.choice(list(cards_of(legal(now, hands[mover], trick))))
        hands[mover] ^= 1 << card
        trick += (card,)
        if len(trick) == start.players:
            leader, trick = winner(start, leader, trick), ()
    return start._replace(
        hands=tuple(hands),
        leader=leader,
        trick=trick,
        called=still_out(start.called, hands),
    )


def still_out(called: int, hands: list[int]) -> int:
    """Return the called card while it is in a hand, else -1."""
    return called if called >= 0 and any(hand >> called & 1 for hand in hands) else -1


def sides(players: int, random: Random) -> tuple[int, int]:
    """Choose the players in concert, and those whose tricks count."""
    everybody = (1 << players) - 1
    side = random.randint(1, everybody - 1)
    draw = random.random()
    if draw < 0.5:
        return side, side
    if draw < 0.9:  # helpers who are not credited
        return side, side & random.randint(1, everybody) or side
    return side, everybody ^ side  # the side plays to lose


def neighbor(before: EngineProblem, random: Random) -> EngineProblem:
    """Return a position of the same shape: some cards are swapped, or another card is called."""
    hands, called = list(before.hands), before.called
    if called >= 0 and random.random() < 0.5:
        out = [card for hand in hands for card in cards_of(hand) if card >> 4 == called >> 4]
        return before._replace(called=random.choice(out))
    for _ in range(random.randint(1, 3)):
        one, other = random.sample(range(before.players), 2)
        mine = random.choice(list(cards_of(hands[one])) or [-1])
        theirs = [card for card in cards_of(hands[other]) if card >> 4 == mine >> 4]
        if mine >= 0 and theirs:
            swap = 1 << mine | 1 << random.choice(theirs)
            hands[one] ^= swap
            hands[other] ^= swap
    return before._replace(hands=tuple(hands))


def cases(kind: Family, seed: object, number: int, sizes: Sizes = SIZES) -> Iterator[Case]:
    """Return some positions of one family with the same questions, the same for the same seed."""
    random = Random(repr((kind, seed)))
    side, credited = sides(kind.players, random)
    player, penalty = random.randrange(kind.players), random.choice(kind.suits)
    if kind.trump < 0 and random.random() < 0.6:  # misere, which the engine treats separately
        side, credited = 1 << player, (1 << kind.players) - 1 ^ 1 << player
    horizon = random.randint(1, SIZES[kind.players][-1][0])
    start = None
    for _ in range(number):
        if start is None or random.random() < 0.5:
            start = problem(kind, random, sizes)
        else:
            start = neighbor(start, random)
        yield Case(
            problem=start,
            side=side,
            credited=credited,
            player=player,
            horizon=horizon,
            penalty=penalty,
            won=tuple(random.choice((0, 0, 1, 2)) for _ in range(kind.players)),
            pick=random.randrange(1 << 16),
        )
