"""Large positions, made quickly, on which the bounds are easily wrong.

A bound adds up sure tricks one by one; it is wrong if two of them exclude each other. So hands are
lopsided: few cards, many trumps, one suit each, a player with the top of every suit, matadors in a
row, called cards, a player who wants no tricks. An entry of the table is easily used for the wrong
position, so many positions differ little: by a few cards of the hands, or only by the cards on the
table. The engine must then agree with itself: the value of a position is that of its best
successor, by a new solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from spadille.games.model.following_suit import Following
from spadille.search.engine import Solver, TrickObjective
from spadille.search.engine_problem import LANE, EngineProblem
from tests.support import brute_force

TRUMP = 3  # the lane of trumps
LENGTH = 13
NEIGHBOURS = 40  # positions of one shape in a row
SIZES = {3: (2, 7), 4: (2, 6), 5: (2, 4)}  # cards a hand


class Asked(NamedTuple):
    """A position, the players in concert, and those whose tricks count."""

    problem: EngineProblem
    side: int
    credited: int


def some_players(random: Random) -> int:
    return random.choice((3, 3, 4, 4, 5))


def some_side(random: Random, players: int) -> int:
    """Return one player in most cases, or any."""
    if random.random() < 0.6:
        return 1 << random.randrange(players)
    return random.randint(1, (1 << players) - 2)


def pack(random: Random, number: int, trumps: int) -> list[int]:
    """Draw cards of up to three plain suits and of trumps, fewer if there are not enough."""
    trumps = min(trumps, number)
    suits = random.sample(range(TRUMP), random.randint(1 if trumps else 2, 3))
    plain = [16 * suit + rank for suit in suits for rank in range(LENGTH)]
    cards = random.sample(plain, min(number - trumps, len(plain)))
    cards += [16 * TRUMP + rank for rank in random.sample(range(LENGTH), trumps)]
    random.shuffle(cards)
    return cards


def deal(cards: list[int], players: int) -> list[int]:
    """Deal the cards in order, without the surplus."""
    size = len(cards) // players
    return [
        sum(1 << card for card in cards[size * player : size * (player + 1)])
        for player in range(players)
    ]


def some_hands(random: Random, few: bool = False, trump: bool = True) -> list[int]:
    players = some_players(random)
    least, most = SIZES[players]
    number = players * random.randint(least, 3 if few else most)
    return deal(pack(random, number, random.randint(2, 12) if trump else 0), players)


def asked(
    random: Random,
    hands: list[int],
    trump: int = TRUMP,
    side: int = 0,
    privilege: tuple[int, int, int] = (0, 0, 0),
    called_duty: tuple[int, int] = (0, 0),
    **cards: int,
) -> Asked:
    """Return a question about the tricks of a side, with any player on lead."""
    players = len(hands)
    side = side or some_side(random, players)
    problem = EngineProblem(
        players,
        tuple(hands),
        trump,
        random.randrange(players),
        following=Following(*privilege, *called_duty),
        **cards,
    )
    return Asked(problem, side, side)


def with_tops(random: Random, hands: list[int], player: int, share: float) -> list[int]:
    """Give a player the top of each suit, or of most."""
    for suit in range(4):
        lane = LANE << 16 * suit
        out = sum(hands) & lane
        if not out or random.random() > share:
            continue
        give(hands, 1 << out.bit_length() - 1, player, lane)
    return hands


def give(hands: list[int], top: int, player: int, lane: int) -> None:
    """Give a player a card in exchange for their lowest card, preferably one of these."""
    holder = next(number for number, hand in enumerate(hands) if hand & top)
    own = hands[player] & lane or hands[player]
    swap = top ^ own & -own
    if holder != player:
        hands[player] ^= swap
        hands[holder] ^= swap


# The families


def trumps(random: Random) -> Asked:
    """Return a position with few cards, or with many trumps."""
    return asked(random, some_hands(random, few=random.random() < 0.5))


def voids(random: Random) -> Asked:
    """Return a position with hands of one suit, except for a few cards."""
    players = some_players(random)
    cards = sorted(pack(random, players * random.randint(*SIZES[players]), random.randint(2, 12)))
    for _ in range(random.randint(0, 4)):
        one, other = random.randrange(len(cards)), random.randrange(len(cards))
        cards[one], cards[other] = cards[other], cards[one]
    return asked(random, deal(cards, players))


def tops(random: Random) -> Asked:
    """Return a position with a player who has the tops of most suits but is not on lead."""
    hands = some_hands(random)
    player = random.randrange(len(hands))
    found = asked(random, with_tops(random, hands, player, 0.9), side=1 << player)
    lead = (player + random.randint(1, len(hands) - 1)) % len(hands)
    return found._replace(problem=found.problem._replace(leader=lead))


def held_up(random: Random) -> Asked:
    """Return a position in which a player off lead may hold up the top trump, or win and cash."""
    players = random.choice((3, 3, 3, 4))
    ranks = random.sample(range(LENGTH), players + 2 + random.randint(2, 5))
    ranks.remove(top := max(ranks))
    one, other = random.sample(range(TRUMP), 2)
    plain = [16 * suit + rank for suit in (one, other) for rank in range(LENGTH)]
    plain.sort(key=lambda card: random.random() - (card & 15) // 11)
    own = [16 * TRUMP + rank for rank in (top, *ranks[:2])] + plain[:2]
    rest = [16 * TRUMP + rank for rank in ranks[2:]]
    rest += random.sample(plain[2:], 5 * players - 5 - len(rest))
    random.shuffle(rest)
    hands = deal(own + rest, players)
    found = asked(random, hands, side=1)
    return found._replace(problem=found.problem._replace(leader=random.randint(1, players - 1)))


def matadors(random: Random) -> Asked:
    """Return a position with adjacent matadors, trumps right below them, and called cards."""
    hands = some_hands(random)
    top = max(sum(hands).bit_length() - 1 - 16 * TRUMP, 2)
    plain = [card for card in range(16 * TRUMP) if sum(hands) >> card & 1]
    return asked(
        random,
        hands,
        matadors=0b111 << 16 * TRUMP + top - 2,
        privilege=(random.randint(0, 2), random.randint(0, 1), random.randint(0, 1)),
        called=random.choice(plain) if plain and random.random() < 0.3 else -1,
        called_duty=(random.randint(0, 1), random.randint(0, 1)),
    )


def partners(random: Random) -> Asked:
    """Return a position with partners who share the tops, and may cash, cross, or ruff a winner."""
    players = some_players(random)
    number = players * random.randint(*SIZES[players])
    hands = deal(pack(random, number, random.choice((0, 2, 3, 4, 5, 7))), players)
    members = random.sample(range(players), random.choice((2, 2, 2, 3)) if players > 3 else 2)
    for suit in range(4):
        left = sum(hands) & LANE << 16 * suit
        for _ in range(random.randint(0, 4)):
            if not left:
                break
            top = 1 << left.bit_length() - 1
            left ^= top
            give(hands, top, random.choice(members), left)
    plain = cards_of(sum(hands) & (1 << 16 * TRUMP) - 1)
    trump = TRUMP if sum(hands) >> 16 * TRUMP else -1
    found = asked(
        random,
        hands,
        trump,
        sum(1 << member for member in members),
        called=random.choice(plain) if trump >= 0 and plain and random.random() < 0.3 else -1,
        called_duty=(random.randint(0, 1), random.randint(0, 1)),
    )
    if random.random() < 0.6:
        found = found._replace(problem=found.problem._replace(leader=random.choice(members)))
    return found


def runs(random: Random) -> Asked:
    """Return a position with partners who may run suits: solid between them, blocked, or ruffed."""
    players = some_players(random)
    side = random.randint(1, (1 << players) - 2)
    cards = pack(random, players * random.randint(*SIZES[players]), random.choice((0, 0, 2, 4, 6)))
    size = len(cards) // players
    liking = [[4 * random.random() for _ in range(4)] for _ in range(players)]
    tops = 3 * random.random()
    hands = [0] * players
    for card in cards[: players * size]:
        likes = {
            liking[player][card >> 4]
            + (tops * (card & 15) / LENGTH if side >> player & 1 else 0)
            + 2.5 * random.random(): player
            for player in range(players)
            if hands[player].bit_count() < size
        }
        hands[likes[max(likes)]] |= 1 << card
    trump = TRUMP if sum(hands) >> 16 * TRUMP else -1
    called = random.choice(cards_of(sum(hands))) if random.random() < 0.3 else -1
    return asked(random, hands, trump, side, called=called)


def no_trump(random: Random) -> Asked:
    """Return a position at no trump, often with most tops in one hand."""
    hands = some_hands(random, trump=False)
    share = random.choice((0, 0.7))
    return asked(random, with_tops(random, hands, random.randrange(len(hands)), share), -1)


def misere(random: Random) -> Asked:
    """Return a position with a player who wants no tricks and usually has low cards."""
    players = some_players(random)
    cards = pack(random, players * random.randint(*SIZES[players]), 0)
    size = len(cards) // players
    if random.random() < 0.7:
        cards.sort(key=lambda card: (card & 15) + 8 * random.random())
        rest = cards[size:]
        random.shuffle(rest)
        cards[size:] = rest
    found = asked(random, deal(cards, players), -1, side=1)
    return found._replace(credited=(1 << players) - 2)


def helpers(random: Random) -> Asked:
    """Return a position in which the tricks of only some players of a side count."""
    found = random.choice((trumps, voids, matadors))(random)
    credited = found.side & random.randrange(1 << found.problem.players)
    return found._replace(credited=credited or found.side)


def symmetric(random: Random) -> Asked:
    """Return a position whose hands are rotations of one another, with the suits exchanged."""
    suits = random.sample(range(4), 4)
    hands = [0] * 4
    if random.random() < 0.5:  # each suit lies like the one before it, one seat further on
        for rank in random.sample(range(LENGTH), random.randint(*SIZES[4])):
            holder = random.randrange(4)
            for place in range(4):
                hands[(holder + place) % 4] |= 1 << 16 * suits[place] + rank
    else:  # opposite hands are the same, with the suits exchanged in pairs
        for number in range(2 * random.randint(1, SIZES[4][1] // 2)):
            place = random.choice((0, 2))
            free = [
                rank for rank in range(LENGTH) if not sum(hands) >> 16 * suits[place] + rank & 1
            ]
            holder, rank = number % 2 + random.choice((0, 2)), random.choice(free)
            hands[holder] |= 1 << 16 * suits[place] + rank
            hands[(holder + 2) % 4] |= 1 << 16 * suits[place + 1] + rank
    trump = random.randrange(4) if random.random() < 0.2 else -1
    side = random.choice((0b0101, 0b1010)) if random.random() < 0.8 else 0
    found = asked(random, hands, trump, side)
    credited = random.choice((found.side, found.side, found.side & -found.side))
    return found._replace(credited=credited)


def begun_tricks(random: Random) -> Asked:
    """Return a position within a trick.

    The next positions have the same hands, or almost, but other cards on the table.
    """
    while True:
        found = random.choice((trumps, trumps, matadors, misere, helpers))(random)
        problem = found.problem
        if problem.tricks in (3, 4):  # no answers are stored within the last two tricks
            break
    begun = random.randint(1, problem.players - 1)
    hands = list(problem.hands)
    for place in range(begun):
        player = (problem.leader + place) % problem.players
        hands[player] ^= 1 << random.choice(cards_of(hands[player]))
    called = problem.called if problem.called in cards_of(sum(hands)) else -1
    problem = problem._replace(hands=tuple(hands), called=called)
    return found._replace(problem=with_trick(random, problem, begun))


FAMILIES: tuple[Callable[[Random], Asked], ...] = (
    trumps,
    voids,
    tops,
    held_up,
    matadors,
    partners,
    runs,
    no_trump,
    misere,
    helpers,
    symmetric,
    begun_tricks,
)


def positions(make: Callable[[Random], Asked], seed: object) -> Iterator[Asked]:
    """Yield an endless sequence of a family's positions, some alike, some within a trick."""
    random = Random(f"{make.__name__} {seed}")
    judge = Solver(0)
    while True:
        found = make(random)
        for _ in range(random.choice((1, 1, NEIGHBOURS))):
            problem = found.problem
            if problem.trick:  # the search looks up what it has stored only after the next card
                problem = one_card_earlier(problem)
            while random.random() < 0.3 and problem.tricks > 1:
                problem = problem.played(random.choice(cards_of(judge.legal(problem)[0])))
            yield found._replace(problem=problem)
            found = found._replace(problem=neighbor(random, found.problem))


def with_trick(random: Random, problem: EngineProblem, number: int) -> EngineProblem:
    """Put cards on the table that the first players of the trick could legally play."""
    while True:
        held = sum(problem.hands)
        top = problem.matadors.bit_length() or 64  # no card is above a matador
        suits = [suit for suit in range(4) if held >> 16 * suit & LANE or random.random() < 0.1]
        gone = [16 * suit + rank for suit in suits for rank in range(LENGTH)]
        gone = [card for card in gone if card < top and not held >> card & 1]
        trick: tuple[int, ...] = ()
        for place in range(number):
            hand = problem.hands[(problem.leader + place) % problem.players]
            fitting = [
                card
                for card in gone
                if brute_force.legal(problem, hand | 1 << card, trick) >> card & 1
            ]
            if not fitting:
                break
            trick += (random.choice(fitting),)
            gone.remove(trick[-1])
        else:
            return problem._replace(trick=trick)


def one_card_earlier(problem: EngineProblem) -> EngineProblem:
    hands = list(problem.hands)
    *trick, card = problem.trick
    hands[(problem.leader + len(trick)) % problem.players] ^= 1 << card
    return problem._replace(hands=tuple(hands), trick=tuple(trick))


def neighbor(random: Random, problem: EngineProblem) -> EngineProblem:
    """Lead a card after two players have swapped a card of one suit, once or twice.

    The suit lengths stay the same, so the table's entries for one position apply to the next: a
    proof that forgot a card it depends on shows here. Within a trick, there are other cards on the
    table, and usually no swap, so that an entry that forgot what has been played shows.
    """
    hands = list(problem.hands)
    begun = len(problem.trick)
    for _ in range(random.choice((0, 0, 1)) if begun else random.randint(1, 2)):
        one, other = random.sample(range(problem.players), 2)
        lane = LANE << 16 * random.randrange(4)
        if (own := cards_of(hands[one] & lane)) and (foreign := cards_of(hands[other] & lane)):
            swap = 1 << random.choice(own) | 1 << random.choice(foreign)
            hands[one] ^= swap
            hands[other] ^= swap
    problem = problem._replace(hands=tuple(hands))
    if begun:
        return with_trick(random, problem, begun)
    return problem._replace(leader=random.randrange(problem.players))


def cards_of(hand: int) -> list[int]:
    return [card for card in range(64) if hand >> card & 1]


def worth(solver: Solver, question: Asked) -> int:
    """Return the incomplete tricks that the side wins for the credited players."""
    problem, side, credited = question
    left = problem.tricks
    low, high = TrickObjective(side, credited).bounds(solver, problem, 0, 0, left, left // 2)
    assert low == high
    return low


def best_successor(solver: Solver, question: Asked) -> int:
    """Return the value from the positions after each card."""
    problem, side, credited = question
    values = []
    for card in cards_of(solver.legal(problem)[0]):
        after = problem.played(card)
        won = 0 if after.trick else credited >> after.leader & 1
        values.append(won + worth(solver, question._replace(problem=after)))
    return max(values) if side >> problem.to_play & 1 else min(values)


def sound(kept: Solver, fresh: Solver, question: Asked) -> bool:
    """Check that the value of a position is that of its best successor."""
    fresh.clear()
    return worth(kept, question) == best_successor(fresh, question)
