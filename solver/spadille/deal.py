"""`Deal` and `Contract`: what was dealt, what was bid, as values.

Whether the cards make a proper deal is asked of `spadille.validate`; here only what cannot be
worked out raises an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from random import Random

from spadille.cards import (
    NO_TRUMP,
    SUIT_NAMES,
    SUITS,
    check_held_once,
    parse_card,
    parse_cards,
    parse_hand,
    sort_cards,
)
from spadille.errors import ContractError, DealError
from spadille.games import rules_for
from spadille.rules import ContractType, Rules
from spadille.words import many, read_seat

NOBODY = "-"
"""What stands for the called card where the declarer calls nobody."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards as dealt, or as they lie in an end position, with all that goes before play.

    `hands` has every seat of the game, sorted cards or None for an unknown hand. `drawn` and
    `discard` list the exchange, seats and cards in order.
    """

    rules: Rules
    dealer: str
    hands: Mapping[str, tuple[str, ...] | None]
    talon: tuple[str, ...] = ()  # top first when talon_ordered; () = what is left, unordered
    talon_ordered: bool = False
    current_trump: str | None = None  # where it follows from `turn_up` it need not be given
    pool: int | None = None  # chips; None = the antes of one deal
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    discard: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    from_hand: tuple[str, ...] = ()
    leader: str | None = None  # end positions: who is on lead
    won: Mapping[str, int] = field(default_factory=dict)  # end positions: tricks won so far
    turn_up: str | None = None  # Solo Whist: the dealer's card that was turned up

    def __post_init__(self) -> None:
        if self.turn_up and self.rules.game.turns_up and self.current_trump is None:
            object.__setattr__(self, "current_trump", self.turn_up[0])

    @property
    def is_ending(self) -> bool:
        """Whether cards have been played already: hands shorter than those of a full deal."""
        size = self.rules.game.hand_size
        return any(hand is not None and len(hand) < size for hand in self.hands.values())

    @property
    def undealt(self) -> tuple[str, ...]:
        """The talon, or where it is not given what is left of the pack, sorted.

        () in an end position, where the rest counts as played, and while a hand is unknown.
        """
        if self.talon or self.is_ending or None in self.hands.values():
            return self.talon
        dealt = {card for hand in self.hands.values() for card in hand or ()}
        return tuple(card for card in self.rules.deck if card not in dealt)

    @property
    def exchangers(self) -> tuple[str, ...]:
        """The seats that exchange cards, in order: as `drawn` names them, then `discard`."""
        return tuple(dict.fromkeys((*self.drawn, *self.discard)))

    def holder(self, card: str) -> str | None:
        """Who was dealt `card`; None if nobody is known to hold it."""
        for seat, hand in self.hands.items():
            if hand is not None and card in hand:
                return seat
        return None

    def must_hold(self, card: str) -> str | None:
        """Who was dealt `card`; the one unknown hand has what the others do not have."""
        unknown = [seat for seat, hand in self.hands.items() if hand is None]
        if len(unknown) == 1 and not self.is_ending and not self.rules.game.talon_size:
            return self.holder(card) or unknown[0]
        return self.holder(card)

    def playing_hands(self) -> Mapping[str, tuple[str, ...] | None]:
        """Work out the hands that are played, after the exchange.

        Seats exchange in the order of `exchangers`. A seat that is not in `drawn`
        draws as many cards as it puts away, from the top of the talon. Raises DealError.
        """
        if not self.drawn and not self.discard:
            return self.hands
        game = self.rules.game
        pile = list(self.undealt)
        ordered = self.talon_ordered and bool(self.talon)
        hands = dict(self.hands)
        for seat in self.exchangers:
            hand = hands.get(seat)
            if hand is None:
                raise DealError(
                    f"{seat} exchanges cards, but has no known hand", "exchange-hand-unknown"
                )
            away = self.discard.get(seat, ())
            taken = self.drawn.get(seat)
            if taken is None:
                if len(away) > len(pile):
                    raise DealError(
                        f"{seat} puts away {len(away)} cards, but only {len(pile)} are left in "
                        f"the {game.talon_name}",
                        "exchange-more-than-left",
                    )
                if not (ordered or len(away) in (0, len(pile))):
                    raise DealError(
                        f"{seat} puts away {' '.join(away)}, but what it draws is not known: "
                        f"give Drawn, or the {game.talon_name} in order",
                        "exchange-draw-unknown",
                    )
                taken = tuple(pile[: len(away)])
            for card in taken:
                if card not in pile:
                    raise DealError(
                        f"{seat} cannot draw {card}: it does not lie in the {game.talon_name}",
                        "exchange-draw",
                    )
                pile.remove(card)
            held = [*hand, *taken] if game.draws_first else list(hand)
            for card in away:
                if card not in held:
                    raise DealError(
                        f"{seat} cannot put away {card}: it does not hold it", "exchange-discard"
                    )
                held.remove(card)
            if not game.draws_first:
                held.extend(taken)
            if len(held) != len(hand):
                raise DealError(
                    f"{seat} draws {len(taken)} and puts away {len(away)}: the numbers differ",
                    "exchange-count",
                )
            if game.passes_on:
                pile.extend(away)
            hands[seat] = tuple(card for card in self.rules.deck if card in held)
            if len(hands[seat] or ()) < len(held):
                check_held_once({seat: held})
        return hands

    @classmethod
    def parse(
        cls,
        text: str,
        game: str,
        dealer: str | None = None,
        options: str | Mapping[str, str] | None = None,
        talon: str = "",
        current_trump: str | None = None,
        pool: int | None = None,
        leader: str | None = None,
        won: Mapping[str, int] | None = None,
        turn_up: str | None = None,
    ) -> Deal:
        """Read a deal in the notation of the Deal tag, "N:AK.QJ..987 ...", hands clockwise.

        The dealer defaults to the seat named first; `talon` lists cards, top first. One hand may be
        "-" where the rest of the pack tells it. Raises RulesError for the game and its options,
        CardError for what is no card, DealError for what is no deal, with all its faults, and for
        a seat, current trump or number the game cannot have.
        """
        rules = rules_for(game, options)
        seats = rules.seats
        first, colon, rest = text.strip().partition(":")
        first = read_seat(first)
        words = rest.split()
        if not colon or first not in seats or len(words) != len(seats):
            raise DealError(
                f"{text!r} is not a deal: write one of {' '.join(seats)}, a colon and "
                f"{len(seats)} hands",
                "deal-unreadable",
            )
        start = seats.index(first)
        order = seats[start:] + seats[:start]
        cards = parse_cards(talon)
        hands = completed(
            rules,
            {
                seat: None if word == "-" else parse_hand(word)
                for seat, word in zip(order, words, strict=True)
            },
            cards,
        )
        deal = cls(
            rules=rules,
            dealer=read_seat(dealer or first),
            hands={seat: hands[seat] for seat in seats},
            talon=cards,
            talon_ordered=bool(cards),
            current_trump=current_trump,
            pool=pool,
            leader=leader,
            won=won or {},
            turn_up=turn_up and parse_card(turn_up),
        )
        check_seats(deal)
        allowed, current_trump = rules.game.current_trumps, deal.current_trump
        if current_trump is not None and current_trump not in allowed:
            raise DealError(
                f"{current_trump!r} cannot be the current trump of {rules.game.name}, only "
                f"{', '.join(allowed) or 'none'}",
                "current-trump-not-allowed",
            )
        if pool is not None and pool < 0:
            raise DealError(f"the pool has 0 chips or more, not {pool}", "number-invalid")
        _check_cards(deal)
        return deal

    @classmethod
    def random(
        cls,
        game: str,
        seed: int | None = None,
        *,
        dealer: str | None = None,
        options: str | Mapping[str, str] | None = None,
    ) -> Deal:
        """Deal the whole pack at random; the same `seed` gives the same deal.

        The talon lies in order. Where the game has a current trump it is drawn, too, in Solo Whist
        as the suit of the dealer's last card. Raises RulesError for the game and its options,
        DealError for a dealer who is no seat.
        """
        rules = rules_for(game, options)
        draw = Random(seed)
        cards = list(rules.deck)
        draw.shuffle(cards)
        size = rules.game.hand_size
        hands = {
            seat: cards[start : start + size]
            for seat, start in zip(rules.seats, range(0, len(cards), size), strict=False)
        }
        talon = tuple(cards[size * len(rules.seats) :])
        dealer = draw.choice(rules.seats) if dealer is None else dealer
        trumps = rules.game.current_trumps
        current = draw.choice(trumps) if trumps else None
        if dealer in hands and current is not None and NO_TRUMP not in trumps:
            current = hands[dealer][-1][0]
        deal = cls(
            rules=rules,
            dealer=dealer,
            hands={seat: sort_cards(hand) for seat, hand in hands.items()},
            talon=talon,
            talon_ordered=bool(talon),
            current_trump=current,
        )
        check_seats(deal)
        return deal

    def contract(
        self,
        contract: str | Sequence[str],
        declarer: str | Sequence[str] | None = None,
        trump: str | None = None,
        called: str | None = None,
        partner: str | None = None,
        penalty: str | None = None,
    ) -> Contract:
        """Resolve a contract on this deal, see `Contract.make`."""
        return Contract.make(self, contract, declarer, trump, called, partner, penalty)


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract with everything resolved: who plays what, with whom, in which trump."""

    declarers: tuple[str, ...]  # one, but several soloists in Squint, and everybody in Nemo
    ids: tuple[str, ...]  # contract ids, parallel to declarers
    trump: str | None  # S H D C NT; None = open, the declarer names it with his first card
    called: str | None = None  # None = nobody; as somebody wrote it also NOBODY
    partner: str | None = None  # None = alone
    penalty: str | None = None  # Nemo: the penalty suit

    @property
    def declarer(self) -> str:
        """The declarer; of several the first."""
        return self.declarers[0]

    @property
    def side(self) -> frozenset[str]:
        """The seats of the declaring side."""
        helpers = () if self.partner is None else (self.partner,)
        return frozenset((*self.declarers, *helpers))

    def taken_over(self, seat: str) -> Contract:
        """Return the contract as `seat` plays it, to whom the declarer has surrendered it."""
        return replace(self, declarers=(seat,))

    @classmethod
    def make(
        cls,
        deal: Deal,
        contract: str | Sequence[str],
        declarer: str | Sequence[str] | None = None,
        trump: str | None = None,
        called: str | None = None,
        partner: str | None = None,
        penalty: str | None = None,
    ) -> Contract:
        """Resolve a contract on a deal, working out trump and partner where they follow.

        Several soloists: "ace-solo misere" by "1 3", or sequences. `called` may be `NOBODY`, "-",
        where the rules leave it to the declarer to call; the contract then has no called card and
        no partner. Raises ContractError for
        whatever the game or the cards do not allow.
        """
        rules = deal.rules
        ids = _words(contract)
        if not ids:
            raise ContractError("no contract is named", "contract-missing")
        kinds = tuple(rules.contract(name) for name in ids)
        kind = kinds[0]
        named = _words(declarer or ())
        if is_for_all(rules, kinds):
            # All are contractors, whoever may be named as the bidder.
            _check_seats(rules, named)
            declarers, ids = rules.seats, ids[:1] * len(rules.seats)
        else:
            declarers = _declarers(rules, kinds, named)
        resolved = resolve_trump(deal, kind, trump)
        check_holder(deal, kind, declarers[0])
        if kind.side == "called" and resolved is not None:
            partner = called_partner(deal, kind, declarers[0], resolved, called, partner)
        elif called not in (None, NOBODY):
            raise ContractError(f"{kind.name} calls no card, not {called}", "called-unexpected")
        elif kind.side == "partner":
            if partner is None or partner not in rules.seats or partner == declarers[0]:
                raise ContractError(
                    f"{kind.name} needs a partner of {declarers[0]}, not {partner}",
                    "partner-missing" if partner is None else "partner-invalid",
                )
        elif partner is not None:
            raise ContractError(f"{kind.name} has no partner", "partner-unexpected")
        if kind.aim == "nemo":
            if penalty is None or penalty not in SUITS:
                raise ContractError(
                    f"{kind.name} needs a penalty suit, one of {SUITS}, not {penalty}",
                    "penalty-missing" if penalty is None else "penalty-invalid",
                )
        elif penalty is not None:
            raise ContractError(f"{kind.name} has no penalty suit", "penalty-unexpected")
        nobody = called in (None, NOBODY)
        return cls(declarers, ids, resolved, None if nobody else called, partner, penalty)

    @classmethod
    def parse(cls, deal: Deal, text: str) -> Contract:
        """Read a contract as people write it: seat, contract, then what it leaves open.

        "N solo H", "S frog C HA", "W prop-cop E", "1 3 ace-solo misere", "nemo H". After the
        contract stand trumps (or the penalty suit), the card that is called, or the partner, in
        any order; a letter that could be a suit or a seat is the suit where the contract still
        needs one. Raises ContractError for words it does not understand, and as `make` does.
        """
        rules = deal.rules
        words = text.split()
        seats = list(takewhile(lambda word: word in rules.seats, words))
        ids = list(takewhile(lambda word: word in rules.contracts, words[len(seats) :]))
        if not ids:
            raise ContractError(
                f"{text!r} is no contract: write a seat, one of {' '.join(rules.contracts)}, and "
                "what it leaves open, as in 'N solo H'",
                "contract-unreadable",
            )
        kind = rules.contract(ids[0])
        named: dict[str, str] = {}
        suit_for = "penalty" if kind.aim == "nemo" else "trump"
        open_suit = kind.aim == "nemo" or len(rules.allowed_trumps(kind, deal)) > 1
        for word in words[len(seats) + len(ids) :]:
            suit = word in (*SUITS, NO_TRUMP)
            if suit and (open_suit or word not in rules.seats) and suit_for not in named:
                named[suit_for] = word
            elif word in rules.seats and "partner" not in named:
                named["partner"] = word
            elif (word in rules.deck or word == NOBODY) and "called" not in named:
                named["called"] = word
            else:
                raise ContractError(f"{word!r} in {text!r} says nothing", "contract-unreadable")
        return cls.make(deal, ids, seats, **named)


def completed(
    rules: Rules, hands: Mapping[str, tuple[str, ...] | None], talon: tuple[str, ...]
) -> Mapping[str, tuple[str, ...] | None]:
    """Return the hands of a full deal, the one that is not known too where the pack tells it."""
    unknown = [seat for seat, hand in hands.items() if hand is None]
    known = [card for hand in hands.values() for card in hand or ()]
    size = rules.game.hand_size
    if len(unknown) != 1 or len(known) != size * (len(hands) - 1):
        return hands
    seen = {*known, *talon}
    rest = tuple(card for card in rules.deck if card not in seen)
    if len(rest) != size or len(seen) != len(known) + len(talon):
        return hands
    return {**hands, unknown[0]: sort_cards(rest)}


def _check_cards(deal: Deal) -> None:
    """Raise DealError, with all faults, for cards that are no deal and no end of one."""
    from spadille.validate.deal import deal_findings

    found = [finding.fault for finding in deal_findings(deal)]
    # Who leads to an end position may be said later.
    faults = [one for one in found if one.severity == "error" and one.code != "leader-missing"]
    if faults:
        raise DealError("; ".join(fault.message for fault in faults), faults[0].code)


def check_seats(deal: Deal) -> None:
    """Raise DealError unless dealer, leader and winners of tricks can be those of the game."""
    rules = deal.rules
    named = [deal.dealer, *deal.won]
    if deal.leader is not None:
        named.append(deal.leader)
    for seat in named:
        if seat not in rules.seats:
            raise DealError(
                f"{seat!r} is no seat of {rules.game.name}: {' '.join(rules.seats)}",
                "seat-unknown",
            )
    if any(tricks < 0 for tricks in deal.won.values()):
        raise DealError(f"tricks won are 0 or more, not {dict(deal.won)}", "number-invalid")
    if deal.won:
        left = max((len(hand) for hand in deal.hands.values() if hand is not None), default=0)
        total, played = sum(deal.won.values()), rules.game.hand_size - left
        if total > played:
            raise DealError(
                f"Won has {many(total, 'trick')}, but {many(played, 'trick')} can have been played",
                "won-too-many",
            )


def check_players(rules: Rules, contract: Contract) -> None:
    """Raise ContractError unless those who play a contract can: one that `make` has not made."""
    declarers = contract.declarers
    if not declarers or len(declarers) != len(contract.ids):
        raise ContractError(
            f"{many(len(contract.ids), 'contract')} for {many(len(declarers), 'declarer')}",
            "declarer-count" if declarers else "declarer-missing",
        )
    partner = () if contract.partner is None else (contract.partner,)
    _check_seats(rules, (*declarers, *partner))
    if contract.called is not None and contract.called not in rules.deck:
        raise ContractError(
            f"called card {contract.called} is not in the pack", "called-not-in-deck"
        )


def first_leader(deal: Deal, contract: Contract) -> str:
    """Who leads to the first trick, in an end position to the next; raises DealError."""
    check_seats(deal)
    if deal.leader is not None:
        return deal.leader
    if deal.rules.contract(contract.ids[0]).leader == "declarer":
        return contract.declarer
    return deal.rules.eldest(deal.dealer)


def _words(value: str | Iterable[str]) -> tuple[str, ...]:
    return tuple(value.split()) if isinstance(value, str) else tuple(value)


def is_for_all(rules: Rules, kinds: Sequence[ContractType]) -> bool:
    """Tell whether everybody is a contractor of these, named once or once for each seat."""
    return len(kinds) in (1, len(rules.seats)) and all(kind.side == "all" for kind in kinds)


def _declarers(
    rules: Rules, kinds: tuple[ContractType, ...], declarers: tuple[str, ...]
) -> tuple[str, ...]:
    if len(declarers) != len(kinds):
        raise ContractError(
            f"{many(len(kinds), 'contract')} for {many(len(declarers), 'declarer')}",
            "declarer-missing" if not declarers else "declarer-count",
        )
    _check_seats(rules, declarers)
    if len(set(declarers)) < len(declarers):
        raise ContractError(f"a declarer twice in {' '.join(declarers)}", "declarer-duplicate")
    for kind in kinds[1:] and kinds:
        if kind.side != "individual":
            raise ContractError(f"{kind.name} has one declarer only", "declarer-count")
    return declarers


def _check_seats(rules: Rules, players: tuple[str, ...]) -> None:
    for seat in players:
        if seat not in rules.seats:
            raise ContractError(
                f"{seat!r} is no seat of {rules.game.name}: {' '.join(rules.seats)}",
                "seat-unknown",
            )


def resolve_trump(deal: Deal, kind: ContractType, trump: str | None) -> str | None:
    """Return the trump `kind` is played in, None while it may be open; raises ContractError."""
    allowed = deal.rules.allowed_trumps(kind, deal)
    if trump is None:
        if len(allowed) == 1:
            return allowed[0]
        if kind.trump_late and not deal.is_ending:
            return None
        raise ContractError(
            f"{kind.name} needs a trump, one of {' '.join(allowed)}: name it with Trump or --trump",
            "trump-missing",
        )
    if trump not in allowed:
        raise ContractError(
            f"{kind.name} cannot be played with trump {trump} here, only {' '.join(allowed)}",
            "trump-not-allowed",
        )
    return trump


def check_holder(deal: Deal, kind: ContractType, declarer: str) -> None:
    """Raise ContractError when `kind` falls to the holder of a card `declarer` was not dealt."""
    if kind.holder is None or deal.is_ending:
        return
    hand = deal.hands[declarer]
    if hand is not None and kind.holder not in hand:
        raise ContractError(
            f"{kind.name} falls to the holder of {kind.holder}, and that is not {declarer}",
            "declarer-not-holder",
        )


def called_partner(
    deal: Deal,
    kind: ContractType,
    declarer: str,
    trump: str,
    called: str | None,
    partner: str | None,
) -> str | None:
    """Return the holder of the called card, None when nothing is called.

    `called` is `NOBODY` where the caller says so, None where nothing is said: then a card must be
    called if one can be.

    Raises ContractError for a card that may not be called and for another partner.
    """
    rules = deal.rules
    hand = deal.hands[declarer]
    if partner is not None and (partner == declarer or partner not in rules.seats):
        raise ContractError(f"{partner} cannot be the partner of {declarer}", "partner-invalid")
    if called == NOBODY and kind.may_call:
        if partner is not None:
            raise ContractError(f"{declarer} calls nobody, so has no partner", "partner-invalid")
        return None
    if called in (None, NOBODY):
        # An end position does not show what the caller could have called.
        free = None if hand is None or deal.is_ending else rules.callable_cards(trump, hand, kind)
        if free:
            alone = f', or nobody: Called "{NOBODY}"' if kind.may_call else ""
            raise ContractError(
                f"{kind.name} needs a called card; {declarer} may call {' '.join(free)}{alone}",
                "called-missing",
            )
        if partner is not None and free == ():
            raise ContractError(
                f"{declarer} can call no card, so has no partner", "partner-invalid"
            )
        return partner
    _check_called(deal, kind, trump, hand, declarer, called)
    holder = deal.holder(called)
    unknown = [seat for seat, cards in deal.hands.items() if cards is None and seat != declarer]
    if holder is None and not deal.is_ending and len(unknown) == 1 and hand is not None:
        holder = unknown[0]
    if holder is None:
        if partner is None:
            raise ContractError(
                f"nobody is known to hold the called card {called}: name the partner",
                "partner-missing",
            )
        holder = partner
    if partner is not None and partner != holder:
        raise ContractError(
            f"partner {partner} contradicts the called card {called}, which {holder} holds",
            "partner-contradicts-called",
        )
    return holder


def _check_called(
    deal: Deal,
    kind: ContractType,
    trump: str,
    hand: tuple[str, ...] | None,
    declarer: str,
    called: str,
) -> None:
    rules = deal.rules
    suit = rules.suit_of(trump).get(called) if trump != NO_TRUMP else called[0]
    if suit is None:
        raise ContractError(f"called card {called} is not in the pack", "called-not-in-deck")
    if suit == trump and not rules.trumps_callable(kind):
        raise ContractError(
            f"called card {called} is a trump in {SUIT_NAMES[trump]}", "called-trump"
        )
    if hand is None:
        return
    if called in hand:
        raise ContractError(f"{declarer} holds the called card {called}", "called-held")
    if not deal.is_ending and called not in rules.callable_cards(trump, hand, kind):
        if rules.game.call_needs_suit and not any(
            rules.suit_of(trump).get(card) == suit for card in hand
        ):
            raise ContractError(
                f"{declarer} cannot call {called}: a card of {SUIT_NAMES[suit]} must be held",
                "called-suit-not-held",
            )
        raise ContractError(
            f"{declarer} cannot call {called}: call_rank={rules.options['call_rank']}",
            "called-rank",
        )
