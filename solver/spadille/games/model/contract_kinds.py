"""The parts a game is made of, as data: options, contracts, exchanges, and outcomes of hands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from spadille.base.errors import RulesError
from spadille.base.input_words import meant
from spadille.base.json_fields import JsonFields

# The ranks that may be called: only the first tier with a callable card counts.
CALL_TIERS: dict[str, tuple[str, ...]] = {
    "any": ("AKQJT98765432",),
    "ace-only": ("A",),
    "ace-or-king": ("AK",),
    "ace-then-any": ("A", "KQJT98765432"),
    "ace-then-king": ("A", "K", "QJT98765432"),
    "king-or-queen": ("KQ",),
    "queen-only-with-all-kings": ("K", "Q"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """A rule on which sources differ; no `values` means a whole number of chips, 0 or more."""

    name: str
    values: tuple[str, ...]
    default: str
    help: str

    def check(self, value: str) -> str:
        """Return the value as it is stored; raise RulesError, which names the possible values."""
        text = value.strip()
        if self.values:
            if text in self.values:
                return text
            allowed = ", ".join(self.values)
        else:
            if text.isascii() and text.isdecimal() and len(text) <= 6:
                return str(int(text))
            allowed = "whole numbers from 0 to 999999"
        raise RulesError(
            f"option {self.name}={value!r}: the values are {allowed}{meant(text, self.values)}",
            "option-value",
        )


@dataclass(frozen=True, slots=True)
class Changing:
    """An option that changes in the course of a session.

    Under its value `value` it is `at_first` until a contract is made, then that contract's trump.
    Where the option `bid_suffices` has the value named with it, a contract counts as made even if
    the declarer went on for all tricks and lost.
    """

    option: str
    value: str
    at_first: str
    bid_suffices: tuple[str, str]
    text: str  # the rule, for messages


@dataclass(frozen=True, slots=True)
class GameCourse:
    """How the deals of a game follow each other."""

    deal_goes_round: bool = False  # the next player in the direction of play deals the next hand
    trumps: tuple[str, ...] = ()  # the current trump follows this order, deal by deal
    packets: tuple[tuple[int, ...], ...] = ()
    """Packets in which a deal that everybody passed is dealt again unshuffled; () = it is not."""
    chips: int = 0  # chips of each player at the start; 0 = nobody has chips
    clear_winner: bool = False  # additional hands are played after a tie

    def trump_after(self, trump: str | None) -> str:
        """Return the current trump of the deal after one in `trump`; after None, of the first."""
        number = 0 if trump is None else self.trumps.index(trump) + 1
        return self.trumps[number % len(self.trumps)]


NO_COURSE = GameCourse()


@dataclass(frozen=True, slots=True)
class Surrender(JsonFields):
    """The declarer gives up the hand before playing to a trick (tag `Surrender`)."""

    seat: str
    trick: int
    taken_over: str | None = None  # by an opponent, who plays on in the declarer's place
    agreed: tuple[str, ...] = ()  # the opponents, if they are asked

    def precedes(self, trick: int, seat: str) -> bool:
        """Whether a card of this seat to this trick comes after the surrender.

        Opponents may already have played to the trick before which the declarer gives up.
        """
        return trick > self.trick or (trick == self.trick and seat == self.seat)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The facts about a finished hand that scoring needs."""

    tricks: Mapping[str, int]  # seat -> tricks won, all seats
    first_run: str | None = None  # "won"/"lost": EACH of the first ContractType.first_run tricks
    clean: Mapping[str, int] | None = None  # Nemo: seat -> tricks without a penalty card
    went_on: bool = False  # played on for the vole or Tout after the first run
    surrender: Surrender | None = None  # the tricks so far, unless somebody took over

    def impossible(self, kind: ContractType, size: int, runners: Sequence[str]) -> str | None:
        """Return why a hand cannot end so; `runners` go on after the first run."""
        runners_tricks = sum(self.tricks[seat] for seat in runners)
        if self.first_run == "won" and runners_tricks < kind.first_run:
            return f"{runners_tricks} tricks cannot include the first {kind.first_run}"
        if self.first_run == "lost" and size - runners_tricks < kind.first_run:
            return f"{runners_tricks} tricks leave no room for losing the first {kind.first_run}"
        run_won = self.first_run == "won" or runners_tricks == size
        if self.went_on and not (kind.first_run and run_won):
            return "nobody goes on for all tricks who has not won the first run"
        if kind.aim == "nemo":
            clean, tricks = self.clean, self.tricks
            if clean is None or any(not 0 <= clean[seat] <= tricks[seat] for seat in tricks):
                return f"clean tricks {clean} do not fit tricks {dict(tricks)}"
        return None


@dataclass(frozen=True, slots=True)
class ExchangeRule:
    """How cards are exchanged before play: by whom, in what order, and which cards.

    `order`: the declaring "side-first", "eldest-first" in order of play, or "any". `takes`: the
    next cards from the "top", any cards of the "talon" that was dealt, or the "whole" of the cards
    that lie there, the discards of the player before. `face_up`: whether everybody sees the
    discards of the last player entitled to exchange.
    """

    who: Literal["none", "side", "opponents", "all"] = "none"
    most: int = 0  # so many cards each
    order: Literal["side-first", "eldest-first", "any"] = "any"
    takes: Literal["top", "talon", "whole"] = "top"
    complete: bool = False  # either all of them exchange or nobody
    from_hand: bool = False  # a declarer without an exchange plays from the hand
    face_up: Literal["never", "of-several", "always"] = "never"

    def entitled(self, seats: Iterable[str], side: Collection[str]) -> frozenset[str]:
        """Return those of `seats` who may exchange, where `side` declares."""
        everybody = frozenset(seats)
        return {
            "none": frozenset[str](),
            "side": everybody.intersection(side),
            "opponents": everybody.difference(side),
            "all": everybody,
        }[self.who]


NO_EXCHANGE = ExchangeRule()


@dataclass(frozen=True, slots=True)
class ContractType:
    """A contract as the rules of a game describe it.

    `trump` says how trumps are fixed: "any" suit, "none", the declarer's choice of both
    ("any-or-none"), a suit letter, the "current" trump of the deal, any suit except that
    ("not-current"), or the suit of the top card of the "talon". `side`: "called" and "partner" have
    a helper, "individual" contractors play each for themselves (several may do so in one hand),
    "all" makes everybody a contractor. `aim`: "tricks", at least `target`; "misere", none; "most",
    more than any single opponent; "nemo", clean tricks. `target` is 0 if the aim is not a fixed
    number of tricks.
    """

    id: str
    name: str
    side: Literal["alone", "called", "partner", "individual", "all"]
    trump: str
    target: int = 0
    aim: Literal["tricks", "misere", "most", "nemo"] = "tricks"
    leader: Literal["eldest", "declarer"] = "eldest"
    values: tuple[int, ...] = ()  # chips or points; the game's payoff knows what each is for
    payoff_text: str = ""
    first_run: int = 0  # whether one side wins the first so many tricks matters to the payoff
    run_alone: bool = False  # the declarer must win them; a partner's tricks do not count
    ends_when_lost: bool = False  # if all tricks are needed, the first one lost ends the hand
    may_call: bool = False  # the declarer need not call a card, and then plays alone
    called_first: bool = False  # before trumps are named, so the called card may be a trump
    trump_late: bool = False  # the declarer names it with the first card
    holder: str | None = None  # the declarer must have been dealt this card
    exchange: ExchangeRule = NO_EXCHANGE
    exposed_after: int = 0  # the declarer's hand lies on the table after so many tricks
    surrender_until: int = 0  # the declarer may give up before playing to this trick
    surrender_agreed: bool = False  # if the opponents agree

    @property
    def counts_tricks(self) -> bool:
        """Whether a number of tricks makes it: at least so many, or none."""
        return self.aim in ("tricks", "misere")
