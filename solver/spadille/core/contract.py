"""`Contract`: an immutable value with the declarer, the partner, the trump and so on.

`spadille.core.validate` finds every fault in a contract. This module raises an error only if it
cannot resolve a contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from spadille.base.argument_checks import check_texts, check_type
from spadille.base.card_text import NO_TRUMP, SUIT_NAMES, SUITS, parse_card
from spadille.base.errors import CardError, ContractError, quoted
from spadille.base.names_in_input import read_seat, read_trump
from spadille.base.words_for_messages import but, many, seat_label
from spadille.core.dealt_cards import DealtCards, check_seats
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules

NOBODY = "-"
"""The called card of a declarer who calls nobody."""
ANYBODY = "?"
"""The partner of a declarer when the holder of the called card is not known."""


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract with all its parts: declarers, contract ids, partner, trump and so on."""

    declarers: tuple[str, ...]  # usually one; several in Squint, everybody in Nemo
    ids: tuple[str, ...]  # contract ids, parallel to declarers
    trump: str | None  # S H D C NT; None = open: the declarer names it with the first card
    called: str | None = None  # None = nobody; in files also NOBODY
    partner: str | None = None  # None = plays alone
    penalty: str | None = None  # only in Nemo: the penalty suit
    trump_by: str | None = None  # the partner, if asked to name trumps; None = the declarer

    def __str__(self) -> str:
        """The contract in the usual notation: "N frog H DA", "1 3 ace-solo misere".

        Open parts are left out, and so is the called card of a declarer who calls nobody: "N frog
        H", for which `parse` expects "-".
        """
        if self.penalty is not None:  # everybody plays it
            return f"{self.ids[0]} {self.penalty}"
        named = (self.trump, self.called or self.partner)
        return " ".join([*self.declarers, *self.ids, *filter(None, named)])

    @property
    def declarer(self) -> str:
        """The declarer; if there are several, the first one."""
        return self.declarers[0]

    @property
    def side(self) -> frozenset[str]:
        """The seats of the declaring side."""
        helpers = () if self.partner is None else (self.partner,)
        return frozenset((*self.declarers, *helpers))

    def to_dict(self) -> dict[str, Any]:
        """Return the first fields of a contract's JSON (see docs/json.md)."""
        several = len(self.declarers) > 1
        return {
            "declarer": list(self.declarers) if several else self.declarer,
            "contract": self.written_ids(),
            "trump": self.trump,
            "called": self.called,
            "partner": self.partner,
            "penalty": self.penalty,
        }

    def written_ids(self) -> str:
        """Return the ids as a string; Nemo is written once, though all players are declarers."""
        return " ".join(dict.fromkeys(self.ids) if self.penalty else self.ids)

    def taken_over(self, seat: str) -> Contract:
        """Return the contract after `seat` takes it over."""
        return replace(self, declarers=(seat,))

    @classmethod
    def make(
        cls,
        deal: DealtCards,
        contract: str | Sequence[str],
        declarer: str | Sequence[str] | None = None,
        trump: str | None = None,
        called: str | None = None,
        partner: str | None = None,
        penalty: str | None = None,
        trump_by: str | None = None,
    ) -> Contract:
        """Create a contract; fill in the trump and the partner if the rules determine them.

        Several declarers are written "ace-solo misere" and "1 3", or as sequences. Seats and suits
        are read as in `parse`. If the declarer may play alone, `called` may be `NOBODY` ("-"); the
        contract then has no called card and no partner. `trump_by` is the player who named trumps:
        the declarer, or the partner in a contract in which a card is called first. `partner` may be
        `ANYBODY` ("?"), if the holder of the called card may be unknown; if the holder is unknown,
        the contract's partner is None. Raises ContractError if the game or the cards do not allow
        the contract, and RulesError if the game has no such seat.
        """
        check_type(deal, DealtCards, "a contract needs a Deal")
        check_texts(trump=trump, called=called, partner=partner, penalty=penalty, trump_by=trump_by)
        rules = deal.rules
        trump, penalty = trump and read_trump(trump), penalty and read_trump(penalty)
        open_partner = partner == ANYBODY
        partner = None if open_partner else partner and read_seat(partner)
        called = called and _read_card(called)
        ids = _words(contract)
        if not ids:
            raise ContractError("no contract is given", "contract-missing")
        kinds = tuple(rules.contract(name) for name in ids)
        kind, trump_by = kinds[0], trump_by and read_seat(trump_by)
        named = tuple(map(read_seat, _words(declarer or ())))
        if is_for_all(rules, kinds):
            # All players are declarers, even if only the bidder is named.
            rules.check_seats(*named)
            declarers, ids = rules.seats, ids[:1] * len(rules.seats)
        else:
            declarers = _declarers(rules, kinds, named)
        rules.check_seats(*(seat for seat in (partner, trump_by) if seat is not None))
        resolved = resolve_trump(deal, kind, trump)
        check_holder(deal, kind, declarers[0])
        if trump_by == declarers[0]:
            trump_by = None
        if trump_by is not None:
            check_namer(kind, declarers[0], deal.holder(called or ""), trump_by)
        if kind.side == "called" and resolved is not None:
            partner = partner or trump_by or (ANYBODY if open_partner else None)
            partner = called_partner(deal, kind, declarers[0], resolved, called, partner)
        else:
            _check_without_call(kind, declarers[0], called, partner)
        _check_penalty(kind, penalty)
        called = None if called == NOBODY else called
        return cls(declarers, ids, resolved, called, partner, penalty, trump_by=trump_by)

    @classmethod
    def parse(cls, deal: DealtCards, text: str, *, open_partner: bool = False) -> Contract:
        """Parse a contract: the seat, the contract's id, and any further choices.

        Examples: "N solo H", "S frog C HA", "W prop-cop E", "1 3 ace-solo misere", "nemo H". The
        trump (or penalty suit), the called card and the partner may follow the contract in any
        order, in upper or lower case; "♥A", "hearts" and "East" also work. A letter such as S may
        be a suit or a seat. Such a letter is read as a suit if the contract still needs a suit or
        has no partner. Raises ContractError for unknown words and in the same cases as `make`.
        """
        if not isinstance(text, str):
            raise ContractError(
                f"a contract must be text, not {quoted(text)}", "contract-unreadable"
            )
        check_type(deal, DealtCards, "a contract needs a Deal")
        rules = deal.rules
        words = text.split()
        seats = list(takewhile(rules.seats.__contains__, map(read_seat, words)))
        rest = (word.lower() for word in words[len(seats) :])
        ids = list(takewhile(rules.contracts.__contains__, rest))
        if not ids:
            raise ContractError(
                f"{text!r} is not a contract: write a seat, one of {' '.join(rules.contracts)}, "
                "and the parts it leaves open, as in 'N solo H'",
                "contract-unreadable",
            )
        if not seats and not is_for_all(
            rules, [rules.contract(contract_id) for contract_id in ids]
        ):
            raise ContractError(
                f"{text!r} does not name a declarer: write the seat first, as in 'N solo H'",
                "declarer-missing",
            )
        kind = rules.contract(ids[0])
        named: dict[str, str] = {}
        suit_for = "penalty" if kind.aim == "nemo" else "trump"
        said = [(word, _read_word(rules, word)) for word in words[len(seats) + len(ids) :]]
        suit_first = (
            kind.aim == "nemo"
            or len(rules.allowed_trumps(kind, deal)) > 1
            or kind.side not in ("partner", "called")
            or sum(word in rules.seats for _, word in said) > 1
        )
        for written, word in said:
            suit = word in (*SUITS, NO_TRUMP)
            if suit and (suit_first or word not in rules.seats) and suit_for not in named:
                named[suit_for] = word
            elif word in rules.seats and "partner" not in named:
                named["partner"] = word
            elif (word in rules.deck or word == NOBODY) and "called" not in named:
                named["called"] = word
            else:
                raise ContractError(
                    f"{written!r} in {text!r} is not a trump, a called card or a partner",
                    "contract-unreadable",
                )
        if open_partner:
            named.setdefault("partner", ANYBODY)
        return cls.make(deal, ids, seats, **named)


def check_players(rules: Rules, contract: Contract) -> None:
    """Raise an error if a contract that was not built by `make` has impossible players.

    Raises RulesError for an unknown seat, and ContractError for anything else.
    """
    check_type(contract, Contract, "a contract must be a Contract")
    declarers = contract.declarers
    if not declarers or len(declarers) != len(contract.ids):
        raise ContractError(
            f"{many(len(contract.ids), 'contract')} for {many(len(declarers), 'declarer')}",
            "declarer-count" if declarers else "declarer-missing",
        )
    partner = () if contract.partner is None else (contract.partner,)
    rules.check_seats(*declarers, *partner)
    if contract.called is not None and contract.called not in rules.deck:
        raise ContractError(
            f"called card {contract.called} is not in the pack", "called-not-in-deck"
        )


def first_leader(deal: DealtCards, contract: Contract) -> str:
    """Return the leader of the first trick or, in an end position, of the next trick.

    Raises RulesError if the leader is unknown.
    """
    check_seats(deal)
    if deal.leader is not None:
        return deal.leader
    if deal.rules.contract(contract.ids[0]).leader == "declarer":
        return contract.declarer
    return deal.rules.eldest(deal.dealer)


def discards_face_up(deal: DealtCards, contract: Contract) -> str | None:
    """Return the seat whose discards are face up; None if all discards are face down.

    If the last of several declarers declines the exchange, cards that are passed on stay face down.
    """
    rules = deal.rules
    exchange = rules.contract(contract.ids[0]).exchange
    entitled = exchange.entitled(rules.seats, contract.side)
    if exchange.face_up == "never" or (exchange.face_up == "of-several" and len(entitled) < 2):
        return None
    return max(entitled, key=rules.in_turn(rules.eldest(deal.dealer)).index)


def _read_word(rules: Rules, written: str) -> str:
    """Return a suit, seat or card in the usual notation, and other text unchanged."""
    word = written.upper()
    if word in (*SUITS, NO_TRUMP, NOBODY, *rules.seats, *rules.deck):
        return word
    if (trump := read_trump(written)) in (*SUITS, NO_TRUMP):
        return trump
    if (seat := read_seat(written)) in rules.seats:
        return seat
    return _read_card(written)


def _read_card(written: str) -> str:
    try:
        return parse_card(written)
    except CardError:
        return written


def _words(value: str | Iterable[str]) -> tuple[str, ...]:
    if not isinstance(value, Iterable):
        raise ContractError(f"contracts and seats must be text or lists, not {quoted(value)}")
    words = tuple(value.split()) if isinstance(value, str) else tuple(value)
    for word in words:
        check_type(word, str, "contracts and seats must be text or lists of strings")
    return words


def is_for_all(rules: Rules, kinds: Sequence[ContractType]) -> bool:
    """Return whether this is a contract for all players, named once or once for each seat."""
    return len(kinds) in (1, len(rules.seats)) and all(kind.side == "all" for kind in kinds)


def _declarers(
    rules: Rules, kinds: tuple[ContractType, ...], declarers: tuple[str, ...]
) -> tuple[str, ...]:
    if not declarers:
        raise ContractError("no declarer is given: write a seat first", "declarer-missing")
    if len(declarers) != len(kinds):
        raise ContractError(
            f"{many(len(kinds), 'contract')} for {many(len(declarers), 'declarer')}",
            "declarer-count",
        )
    rules.check_seats(*declarers)
    if len(set(declarers)) < len(declarers):
        raise ContractError(f"{' '.join(declarers)} names a declarer twice", "declarer-duplicate")
    for kind in kinds[1:] and kinds:
        if kind.side != "individual":
            raise ContractError(f"{kind.name} has only one declarer", "declarer-count")
    return declarers


def resolve_trump(deal: DealtCards, kind: ContractType, trump: str | None) -> str | None:
    """Return a contract's trump, None if it is named later; raise ContractError if invalid."""
    allowed = deal.rules.allowed_trumps(kind, deal)
    if trump is None:
        if len(allowed) == 1:
            return allowed[0]
        if kind.trump_late and not deal.is_ending:
            return None
        tag = "CurrentTrump" if kind.trump == "current" else "Trump"
        raise ContractError(
            f"{kind.name} needs a trump, one of {' '.join(allowed)}: name it with {tag} or --trump",
            "trump-missing",
        )
    if trump not in allowed:
        raise ContractError(
            f"{kind.name} cannot be played with trump {trump} here, only {' '.join(allowed)}",
            "trump-not-allowed",
        )
    return trump


def _check_without_call(
    kind: ContractType, declarer: str, called: str | None, partner: str | None
) -> None:
    """Raise ContractError for a called card or a partner that the contract cannot have."""
    if called not in (None, NOBODY):
        raise ContractError(
            f"{kind.name} has no called card, but got {called}", "called-unexpected"
        )
    if kind.side == "partner":
        if partner is None or partner == declarer:
            raise ContractError(
                f"{kind.name} needs a partner for {seat_label(declarer)}"
                f"{but(partner and seat_label(partner))}",
                "partner-missing" if partner is None else "partner-invalid",
            )
    elif partner is not None:
        raise ContractError(f"{kind.name} has no partner", "partner-unexpected")


def _check_penalty(kind: ContractType, penalty: str | None) -> None:
    if kind.aim == "nemo":
        if penalty is None or penalty not in SUITS:
            raise ContractError(
                f"{kind.name} needs a penalty suit, one of {SUITS}{but(penalty)}",
                "penalty-missing" if penalty is None else "penalty-invalid",
            )
    elif penalty is not None:
        raise ContractError(f"{kind.name} has no penalty suit", "penalty-unexpected")


def check_holder(deal: DealtCards, kind: ContractType, declarer: str) -> None:
    """Raise ContractError if `kind` requires a certain card that `declarer` does not hold."""
    if kind.holder is None or deal.is_ending:
        return
    hand = deal.hands[declarer]
    if hand is not None and kind.holder not in hand:
        raise ContractError(
            f"{seat_label(declarer)} cannot play {kind.name}: only the holder of {kind.holder} can",
            "declarer-not-holder",
        )


def check_namer(
    kind: ContractType, declarer: str, holder: str | None, trump_by: str | None
) -> None:
    """Raise ContractError if `trump_by` is a player who cannot have named trumps.

    `holder` is the seat that has the called card, if it is known.
    """
    if trump_by is None or trump_by == declarer:
        return
    if not kind.called_first:
        raise ContractError(
            f"only {seat_label(declarer)} names trumps in {kind.name}", "trump-by-not-allowed"
        )
    if trump_by != holder and holder is not None:
        raise ContractError(
            f"{seat_label(trump_by)} cannot have named trumps, only {seat_label(declarer)} or the "
            f"partner {seat_label(holder)}",
            "trump-by-not-partner",
        )


def called_partner(
    deal: DealtCards,
    kind: ContractType,
    declarer: str,
    trump: str,
    called: str | None,
    partner: str | None,
) -> str | None:
    """Return the holder of the called card; None if no card is called.

    `called` is `NOBODY` if the declarer calls nobody. `called` may be None only if no card can be
    called. `partner` is `ANYBODY` if the holder of the card may be unknown. Raises ContractError if
    the card may not be called, or if the partner does not fit.
    """
    rules = deal.rules
    hand = deal.hands[declarer]
    open_partner = partner == ANYBODY
    partner = None if open_partner else partner
    if partner == declarer:
        name = seat_label(declarer)
        raise ContractError(f"{name} cannot be the partner of {name}", "partner-invalid")
    if called == NOBODY and kind.may_call:
        if partner is not None:
            raise ContractError(
                f"{seat_label(declarer)} calls nobody and so has no partner", "partner-invalid"
            )
        return None
    if called in (None, NOBODY):
        # An end position does not show which cards the declarer could have called.
        free = None if hand is None or deal.is_ending else rules.callable_cards(trump, hand, kind)
        if free:
            alone = f', or nobody ("{NOBODY}")' if kind.may_call else ""
            raise ContractError(
                f"{kind.name} needs a called card; {seat_label(declarer)} may call "
                f"{' '.join(free)}{alone}",
                "called-missing",
            )
        if partner is not None and free == ():
            raise ContractError(
                f"{seat_label(declarer)} cannot call a card and so has no partner",
                "partner-invalid",
            )
        return partner
    _check_called(deal, kind, trump, hand, declarer, called)
    holder = deal.holder(called)
    unknown = [seat for seat, cards in deal.hands.items() if cards is None and seat != declarer]
    if holder is None and not deal.is_ending and len(unknown) == 1 and hand is not None:
        holder = unknown[0]
    if holder is None:
        if partner is None and open_partner:
            return None
        if partner is None:
            raise ContractError(
                f"the holder of the called card {called} is unknown: "
                "name the partner with Partner or --partner",
                "partner-missing",
            )
        holder = partner
    if partner is not None and partner != holder:
        raise ContractError(
            f"partner {seat_label(partner)} contradicts the called card {called}, which "
            f"{seat_label(holder)} holds",
            "partner-contradicts-called",
        )
    return holder


def _check_called(
    deal: DealtCards,
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
    if hand is not None and called in hand:
        raise ContractError(f"{seat_label(declarer)} holds the called card {called}", "called-held")
    # In an end position, the hand that was dealt is unknown, but some ranks may never be called.
    dealt = None if deal.is_ending else hand
    if dealt is None:
        allowed = tuple([card for tier in rules.call_tiers(trump, kind) for card in tier])
    else:
        allowed = rules.callable_cards(trump, dealt, kind)
    if called in allowed:
        return
    if (
        dealt is not None
        and rules.game.call_needs_suit
        and not any(rules.suit_of(trump).get(card) == suit for card in dealt)
    ):
        raise ContractError(
            f"{seat_label(declarer)} cannot call {called} without a card in {SUIT_NAMES[suit]}",
            "called-suit-not-held",
        )
    raise ContractError(
        f"{seat_label(declarer)} cannot call {called}: call_rank={rules.options['call_rank']}",
        "called-rank",
    )
