"""The parts of a game, as data: options, contracts, exchanges, and outcomes of hands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from spadille.base.errors import RulesError
from spadille.base.json_fields import JsonFields
from spadille.base.names_in_input import meant

# The ranks that may be called, in tiers; only the first tier with a callable card counts.
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
    """A rule on which sources differ; without `values`, it is a whole number, 0 or more."""

    name: str
    values: tuple[str, ...]
    default: str
    help: str

    def check(self, value: str) -> str:
        """Return the value in its stored form, or raise RulesError with the allowed values."""
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


def option(name: str, default: str, *others: str, text: str) -> Option:
    """Return an option; its first value is the default."""
    return Option(name, (default, *others), default, text)


@dataclass(frozen=True, slots=True)
class Changing:
    """An option that changes during a session.

    While the option is set to `value`, `at_first` applies until a contract is made, and the trump
    of that contract applies from then on. If the `bid_suffices` option has the given value, a
    contract counts as made even if the declarer went on for all tricks and lost.
    """

    option: str
    value: str
    at_first: str
    bid_suffices: tuple[str, str]
    text: str  # the rule, for messages


@dataclass(frozen=True, slots=True)
class GameCourse:
    """How a game moves from one deal to the next."""

    deal_goes_round: bool = False  # the next player in the direction of play deals next
    trumps: tuple[str, ...] = ()  # the order of the current trumps, deal by deal
    packets: tuple[tuple[int, ...], ...] = ()
    """The packets in which a passed-out hand is dealt again unshuffled; () to shuffle it."""
    chips: int = 0  # initial chips of each player; 0 = nobody has chips
    clear_winner: bool = False  # extra hands are played after a tie

    def trump_after(self, trump: str | None) -> str:
        """Return the trump that follows `trump` in the next deal; the first trump if it is None."""
        number = 0 if trump is None else self.trumps.index(trump) + 1
        return self.trumps[number % len(self.trumps)]


NO_COURSE = GameCourse()


@dataclass(frozen=True, slots=True)
class Surrender(JsonFields):
    """The declarer gives up the hand before playing to a trick (`Surrender` tag)."""

    seat: str
    trick: int
    taken_over: str | None = None  # the opponent, if any, who plays on in the declarer's place
    agreed: tuple[str, ...] = ()  # the opponents who agreed, if they had to

    def precedes(self, trick: int, seat: str) -> bool:
        """Return whether this seat would play its card to this trick after the surrender.

        Opponents may already have played to the trick at which the declarer gives up.
        """
        return trick > self.trick or (trick == self.trick and seat == self.seat)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The facts about a finished hand on which its payoff depends."""

    tricks: Mapping[str, int]  # the tricks won by each seat
    first_run: str | None = None  # "won"/"lost": each of the first ContractType.first_run tricks
    clean: Mapping[str, int] | None = None  # Nemo: each seat's tricks without a penalty card
    went_on: bool = False  # the side played on for the Vole or Tout after the first run
    surrender: Surrender | None = None  # tricks so far, unless a player took over

    def impossible(self, kind: ContractType, size: int, runners: Sequence[str]) -> str | None:
        """Return the reason why a hand cannot end like this; `runners` may have gone on."""
        runners_tricks = sum(self.tricks[seat] for seat in runners)
        if self.first_run == "won" and runners_tricks < kind.first_run:
            return f"{runners_tricks} tricks cannot include the first {kind.first_run}"
        if self.first_run == "lost" and size - runners_tricks < kind.first_run:
            return f"{runners_tricks} tricks leave no room for losing the first {kind.first_run}"
        run_won = self.first_run == "won" or runners_tricks == size
        if self.went_on and not (kind.first_run and run_won):
            return "going on for all tricks requires winning the first run"
        if kind.aim == "nemo":
            clean, tricks = self.clean, self.tricks
            if clean is None or any(not 0 <= clean[seat] <= tricks[seat] for seat in tricks):
                return f"clean tricks {clean} contradict tricks {dict(tricks)}"
        return None


@dataclass(frozen=True, slots=True)
class ExchangeRule:
    """The exchange of cards before play: who exchanges, in which order, and which cards.

    `order` is "side-first" for the declaring side first, "eldest-first" for the order of play, or
    "any". `takes` is "top" for the next cards from the top, "talon" for any cards of the talon as
    dealt, or "whole" for all the cards that the previous player discarded. `face_up` says when the
    last player entitled to exchange discards face up.
    """

    who: Literal["none", "side", "opponents", "all"] = "none"
    most: int = 0  # the limit for each player
    order: Literal["side-first", "eldest-first", "any"] = "any"
    takes: Literal["top", "talon", "whole"] = "top"
    complete: bool = False  # either all of them exchange, or nobody does
    from_hand: bool = False  # a declarer who does not exchange plays from the hand
    face_up: Literal["never", "of-several", "always"] = "never"

    def entitled(self, seats: Iterable[str], side: Collection[str]) -> frozenset[str]:
        """Return the seats that may exchange when `side` declares."""
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

    `trump` says how trumps are fixed: "any" suit, "none", the declarer's choice of either
    ("any-or-none"), a suit letter, the "current" trump of the deal, any other suit ("not-current"),
    or the suit of the top card of the "talon". `side` is "called" or "partner" if the declarer has
    a helper, "individual" if each declarer plays alone (a hand may have several), and "all" if
    everybody is a declarer. `aim` is "tricks" for at least `target`, "misere" for none, "most" for
    more than any single opponent, and "nemo" for clean tricks. `target` is 0 if the aim is not a
    fixed number of tricks.
    """

    id: str
    name: str
    side: Literal["alone", "called", "partner", "individual", "all"]
    trump: str
    target: int = 0
    aim: Literal["tricks", "misere", "most", "nemo"] = "tricks"
    leader: Literal["eldest", "declarer"] = "eldest"
    values: tuple[int, ...] = ()  # chips or points, as the game's payoff function defines them
    payoff_text: str = ""
    first_run: int = 0  # the payoff depends on whether one side wins this many first tricks
    run_alone: bool = False  # the declarer must win them alone; a partner's tricks do not count
    ends_when_lost: bool = False  # if all tricks are needed, losing one ends the hand
    may_call: bool = False  # the declarer may play alone instead of calling a card
    called_first: bool = False  # before trumps are named, so it may be a trump
    trump_late: bool = False  # the declarer names the trump with the first card
    holder: str | None = None  # the declarer must have been dealt this card
    exchange: ExchangeRule = NO_EXCHANGE
    exposed_after: int = 0  # the number of tricks after which the declarer's hand is exposed
    surrender_until: int = 0  # the declarer may give up before playing to this trick
    surrender_agreed: bool = False  # if the opponents agree

    @property
    def counts_tricks(self) -> bool:
        """Whether a number of tricks makes the contract: at least the target, or none."""
        return self.aim in ("tricks", "misere")
