"""The tags of one game in a hand file, read into values; unreadable ones become faults.

Each tag is first read as a whole and, if that fails, word by word, so that every unreadable word is
reported at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from spadille.base.card_text import parse_card, parse_hand
from spadille.base.errors import CardError, Fault, Faults, RulesError
from spadille.base.names_in_input import (
    meant,
    read_contracts,
    read_seat,
    read_seats,
    read_trump,
    slug,
)
from spadille.base.words_for_messages import many, seat_label
from spadille.core.contract import NOBODY, Contract
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding
from spadille.core.dealt_cards import completed
from spadille.games import GAMES, OTHER_NAMES, get_game, rules_for
from spadille.games.model.contract_types_and_options import Surrender
from spadille.games.model.deal_protocols import Hands
from spadille.games.model.game import Game, Rules
from spadille.pbn import fault_places
from spadille.pbn.document import PbnGame
from spadille.pbn.hands_in_tags import (
    PartialHand,
    card_rule,
    check_hand,
    read_hands,
    without_small,
)
from spadille.pbn.tag_names import meant_tag

_SURRENDER = re.compile(r"(\w+)\s*(?::\s*(\w+)\s*)?((?:\+\s*\w+\s*)*)@\s*([0-9]{1,2})")
_BRIDGE_CONTRACT = re.compile(r"[1-7]?(?:[SHDC]|NT?)X{0,2}", re.IGNORECASE)

# A missing tag is reported at the first of these tags that the game has.
_INSTEAD = dict.fromkeys(
    ("Declarer", "Trump", "Called", "Partner", "Penalty", "TrumpBy"), ("Contract", "Auction")
)

_T = TypeVar("_T")


class TagReader:
    """Reads the tags of one game, and collects faults and warnings separately."""

    def __init__(self, game: PbnGame) -> None:
        self.game = game
        self.names = game.names
        self.faults = Faults(game.faults)
        self.faults.more = game.faults.more
        self.warnings = Faults()
        self.seats: tuple[str, ...] = ()
        self.contracts: dict[str, str] = {}  # ids and names
        self.partial: dict[str, PartialHand] = {}  # hands with unrecorded low cards
        self.played: dict[str, str] = {}  # cards played from unknown hands, and their players
        self.unnoted: dict[
            int, str
        ] = {}  # unrecorded low cards that were determined, by their offsets in the play
        self.open_cards: dict[
            int, str
        ] = {}  # messages for undetermined low cards, by their offsets
        self._indexes: dict[str, fault_places.Index] = {}  # one pass, however many faults there are

    def value(self, name: str) -> str | None:
        """Return the value of a tag, or None if it is missing, "", "?", or "#" without a source."""
        tag = self.names.get(name)
        if tag is None:
            return None
        value = tag.value.strip()
        return None if value in ("", "?", "#") else value

    # Faults

    @property
    def unreadable(self) -> set[str | None]:
        """The tags whose values have faults (syntax faults excepted)."""
        return {fault.tag for fault in self.faults[len(self.game.faults) :]}

    def fail(self, code: str, message: str, tag: str, index: int, text: str, rule: str) -> None:
        """Record a fault at a character in a tag's value."""
        if self.faults.full:
            self.faults.more += 1
            return
        line, column = self.game.document.position(self.names[tag].offset(index))
        self.faults.append(Fault(code, message, tag, text, rule, line=line, column=column))

    def add(self, finding: Finding) -> None:
        """Record a finding, with the place of its text."""
        fault = finding.fault
        kept = self.warnings if fault.severity == "warning" else self.faults
        if kept.full:
            kept.more += 1
            return
        name = fault.tag or ""
        tag = self.names.get(name)
        if tag is not None:
            if name not in self._indexes:
                self._indexes[name] = fault_places.Index(name, tag.value, self.seats)
            index, text = self._indexes[name].find(finding)
            offset = tag.offset(index)
        else:
            instead = (self.names.get(other) for other in _INSTEAD.get(name, ("Deal",)))
            tag = next(filter(None, [*instead, *self.game.tags]), None)
            offset, text = (self.game.start if tag is None else tag.start), ""
        message = fault.message
        if fault.code == "seat-unknown":
            for seat, player in self.players().items():
                if player.lower() == text.lower():
                    message += f"; {player} is {seat}"
        line, column = self.game.document.position(offset)
        self.record(replace(fault, message=message, text=text, line=line, column=column))

    def forget(self) -> None:
        """Release data that only reading needs, because a file may have very many deals."""
        self._indexes = {}
        self.contracts = {}

    def record(self, fault: Fault) -> None:
        """Keep a fault whose place is known."""
        (self.warnings if fault.severity == "warning" else self.faults).append(fault)

    def check_names(self) -> None:
        """Warn about tags with names close to known ones."""
        for tag in self.game.first.values():
            name = meant_tag(tag.name)
            if name is not None:
                line, column = self.game.document.position(tag.start + 1)
                self.record(
                    Fault(
                        code="tag-misspelt",
                        message=f"{tag.name!r} is not a known tag; did you mean {name!r}?",
                        tag=tag.name,
                        text=tag.name,
                        rule="hand files: other tags are kept, but ignored",
                        line=line,
                        column=column,
                        severity="warning",
                    )
                )

    # Game and Rules

    def rules(self, default: str | None, options: Mapping[str, str]) -> Rules | None:
        """Settle the game and its options; None if the game is unknown."""
        game = self.value("Game")
        text = self.value("Rules")
        if game is None:
            if default is None:
                self._missing("Game", "game-missing", "the file does not name its game")
                return None
            game = default
        try:
            game = get_game(game).id
        except RulesError as error:
            if error.code == "game-unloadable":
                message = f"{game!r} is not a known game, and {error}"
                self.add(Finding(Fault(error.code, message, "Game", game)))
                return None
        try:
            rules = rules_for(game, text) if not options else None
        except RulesError:
            rules = None
        if rules is None:
            rules = self._settle(game, options)
        if rules is not None:
            self.seats = rules.seats
            self.contracts = {name: kind.name for name, kind in rules.contracts.items()}
        return rules

    def _settle(self, game_id: str, options: Mapping[str, str]) -> Rules | None:
        game = GAMES.get(game_id)
        if game is None:
            ids = " ".join(GAMES)
            self.add(
                Finding(
                    Fault(
                        "game-unknown",
                        f"{game_id!r} is not a known game"
                        f"{OTHER_NAMES.get(slug(game_id)) or meant(game_id, GAMES)}",
                        "Game",
                        game_id,
                        f"RULES 1: the games are {ids}",
                    )
                )
            )
            return None
        # Options given outside the file apply to many deals, so a game ignores those it does not
        # have.
        chosen: dict[str, str] = {}
        rule = f"RULES 12: the options of {game.name} are {', '.join(game.options)}"
        for name in [name for name in options if name in game.options]:
            try:
                chosen[name] = game.options[name].check(options[name])
            except RulesError as error:
                self.add(Finding(Fault(error.code, error.args[0], "Game", "", rule)))
        return rules_for(game_id, chosen | self._options(game, rule))

    def _options(self, game: Game, rule: str) -> dict[str, str]:
        """Read the options in the Rules tag; those that the game does not have are faults."""
        chosen: dict[str, str] = {}
        given: set[str] = set()
        value = self.names["Rules"].value if self.value("Rules") else ""
        start = 0
        for piece in value.split(";"):
            name, equals, choice = (part.strip() for part in piece.partition("="))
            index = start + len(piece) - len(piece.lstrip())
            start += len(piece) + 1
            if not piece.strip():
                continue
            code = message = ""
            if not equals:
                code, message = "option-unreadable", f"{name!r} is not an option: write key=value"
            elif name in given:
                code, message = "option-duplicate", f"option {name!r} is given twice"
            elif name not in game.options:
                code = "option-unknown"
                message = f"{game.name} has no option {name!r}{meant(name, game.options)}"
            else:
                try:
                    chosen[name] = game.options[name].check(choice)
                except RulesError as error:
                    code, message = error.code, error.args[0]
            given.add(name)
            if code:
                self.fail(code, message, "Rules", index, piece.strip(), rule)
        return chosen

    def _missing(self, tag: str, code: str, message: str) -> None:
        faults = self.game.faults
        if any(fault.tag == tag for fault in faults) or (faults and not self.game.tags):
            return  # it is unreadable or missing
        written = (other.name for other in self.game.first.values())
        misspelt = next((name for name in written if meant_tag(name) == tag), None)
        if misspelt is not None:
            message += f", but there is a tag {misspelt!r}"
        rule = f"hand files: {tag} is needed; an empty line ends a deal"
        self.add(Finding(Fault(code, message, tag, "", rule)))

    # Deal

    def deal(self, rules: Rules) -> Deal | None:
        """Read as many tags of the deal as possible; return None if there are no hands."""
        text = self.value("Deal")
        if text is None:
            self._missing("Deal", "deal-missing", "no cards are dealt")
            return None
        value, self.partial = without_small(self.names["Deal"].value, rules)
        hands = read_hands(value, rules, self.fail)
        if hands is None:
            return None
        self._check_partial(rules, hands)
        dealer = self.value("Dealer")
        talon: tuple[str, ...] = ()
        ordered = False
        if "Talon" in self.names:
            talon, ordered = self._talon()
        if not self.partial:
            hands = completed(rules, hands, talon)
        deal = Deal(
            rules,
            read_seat(dealer or text.partition(":")[0]),
            hands,
            talon,
            ordered,
            self._trump("CurrentTrump"),
        )
        if all(name not in self.names for name in _RARE):
            return deal
        turn_up = self.value("TurnUp")
        leader = self.value("Leader") or (self.value("Play") if deal.is_ending else None)
        pool = self.value("Pool")
        return replace(
            deal,
            pool=None if pool is None else self._number("Pool", pool),
            drawn=self._per_seat("Drawn", self._cards),
            discard=self._per_seat("Discard", self._cards),
            from_hand=read_seats(self.value("FromHand") or ""),
            leader=read_seat(leader) if leader else None,
            won=self._per_seat("Won", self._tricks),
            turn_up=None if turn_up is None else self._card("TurnUp", 0, turn_up),
        )

    def _check_partial(self, rules: Rules, hands: Hands) -> None:
        """Count the cards of hands with unrecorded low cards."""
        size = next((len(hand) for hand in hands.values() if hand), rules.game.hand_size)
        for seat, part in [*self.partial.items()]:
            number = len(part.cards) + sum(map(len, part.small.values()))
            if number != size:
                message = f"{seat_label(seat)} has {many(number, 'card')} instead of {size}"
                del self.partial[seat]
                rule = f"RULES 1: a hand of {rules.game.name} has {size} cards"
                index = min(place for places in part.small.values() for place in places)
                self.fail("hand-size", message, "Deal", index, "x", rule)

    def _talon(self) -> tuple[tuple[str, ...], bool]:
        value = self.names["Talon"].value
        if self.value("Talon") is None:
            return (), False
        if "." not in value:
            return self._cards("Talon", 0, value), True
        return self._talon_as_hand(value), False

    def _talon_as_hand(self, value: str) -> tuple[str, ...]:
        try:
            return parse_hand(value)
        except CardError:
            text = value.strip()
            if not check_hand("Talon", value.index(text), text, self.fail):
                return ()
            return parse_hand(fault_places.readable_hand(text))

    def _cards(self, tag: str, index: int, text: str) -> tuple[str, ...]:
        cards = []
        for at, word in fault_places.words(text, index):
            card = self._card(tag, at, word)
            if card is not None:
                cards.append(card)
        return tuple(cards)

    def _card(self, tag: str, index: int, text: str) -> str | None:
        try:
            return parse_card(text)
        except CardError as error:
            self.fail("card-unreadable", no_card(error), tag, index, text, card_rule(text))
            return None

    def played_card(self, text: str, offset: int) -> str:
        """Read a card of the play at its offset in the file; raise CardError if that fails."""
        if offset in self.open_cards:
            raise CardError(self.open_cards[offset], "card-unnoted")
        return self.unnoted.get(offset) or parse_card(text)

    def _tricks(self, tag: str, index: int, text: str) -> int | None:
        return self._number(tag, text.strip(), index + len(text) - len(text.lstrip()))

    def _number(self, tag: str, text: str, index: int = 0) -> int | None:
        if re.fullmatch("[0-9]{1,6}", text):
            return int(text)
        rule = "hand files: chips and tricks are whole numbers"
        message = f"{text!r} is not a whole number from 0 to 999999"
        self.fail("number-unreadable", message, tag, index, text, rule)
        return None

    def _per_seat(self, tag: str, read: Callable[[str, int, str], _T | None]) -> dict[str, _T]:
        values: dict[str, _T] = {}
        if self.value(tag) is None:
            return values
        rule = f"hand files: {tag} is seat:...;seat:..., each seat once"
        for index, name, start, text in fault_places.seat_parts(self.names[tag].value):
            if not text.strip() or not name or read_seat(name) in values:
                message = f"{name + ':' + text!r} cannot be read, or its seat was given before"
                self.fail("seat-unreadable", message, tag, index, name, rule)
            elif (value := read(tag, start, text)) is not None:
                values[read_seat(name)] = value
        return values

    def _trump(self, tag: str) -> str | None:
        value = self.value(tag)
        return None if value is None else read_trump(value)

    def surrender(self) -> Surrender | None:
        """Read a surrender: the player, the trick, and who took over or agreed."""
        text = self.value("Surrender")
        if text is None:
            return None
        match = _SURRENDER.fullmatch(text)
        if match is None:
            rule = (
                "hand files: Surrender is 3@2, or 3:1@2 (1 takes over), or 3+1+2@2 (1 and 2 agree)"
            )
            self.fail(
                "surrender-unreadable", f"{text!r} cannot be read", "Surrender", 0, text, rule
            )
            return None
        seat, taker, agreed, trick = match.groups()
        names = tuple(filter(None, (name.strip().upper() for name in agreed.split("+"))))
        return Surrender(seat.upper(), int(trick), None if taker is None else taker.upper(), names)

    def result(self) -> int | None:
        """Read the number of tricks of the declaring side; None if the value is not a number."""
        text = self.value("Result")
        return int(text) if text is not None and re.fullmatch("[0-9]{1,2}", text) else None

    def tricks(self) -> dict[str, int]:
        """Read each seat's final number of tricks, if recorded."""
        return self._per_seat("Tricks", self._tricks)

    def paid(self) -> dict[str, int]:
        """Read the payoff to each seat, antes included, if recorded."""

        def points(tag: str, index: int, text: str) -> int | None:
            number = text.strip()
            if re.fullmatch("[-+]?[0-9]{1,6}", number):
                return int(number)
            rule = "hand files: points and chips are whole numbers"
            message = f"{number!r} is not a whole number from -999999 to 999999"
            self.fail("number-unreadable", message, tag, index, number, rule)
            return None

        return self._per_seat("Paid", points)

    def players(self) -> dict[str, str]:
        """Read the names of the players, by seat."""
        names = {seat: self.value(_NAMES[seat]) for seat in self.seats}
        return {seat: name for seat, name in names.items() if name is not None}

    # Contract

    def terms(self, by_file: bool) -> Contract:
        """Read the contract as written, without resolving it; its `ids` are empty if there is none.

        If `by_file` is true, the file itself names the game, and a bridge contract is a fault.
        """
        text = self.value("Contract") or ""
        if text.lower() == "pass" or (not by_file and _BRIDGE_CONTRACT.fullmatch(text)):
            text = ""
        declarers = self.value("Declarer") or ""
        called = self.value("Called")
        partner, namer = self.value("Partner"), self.value("TrumpBy")
        ids, named = read_contracts(text, self.contracts)
        written = self._trump("Trump")
        if named and written and named != written:
            self.fail(
                "trump-contradicts-contract",
                f"Contract names {named} as trump, but Trump names {written}",
                "Contract",
                0,
                text,
                "hand files: give Trump if the contract leaves it open",
            )
        return Contract(
            declarers=read_seats(declarers.replace("^", "")),
            ids=ids,
            trump=written or named or "",
            called=called if called in (None, NOBODY) else self._card("Called", 0, called),
            partner=None if partner in (None, "-") else read_seat(partner),
            penalty=self._trump("Penalty"),
            trump_by=None if namer is None else read_seat(namer),
        )


def no_card(error: CardError) -> str:
    """Return the message of a fault about a word that is not a card, without the rule."""
    message: str = error.args[0]
    return message.partition(": write")[0]


_NAMES = {
    "N": "North",
    "E": "East",
    "S": "South",
    "W": "West",
    "1": "Player1",
    "2": "Player2",
    "3": "Player3",
    "4": "Player4",
    "5": "Player5",
}
_RARE = frozenset({"Pool", "Leader", "Won", "FromHand", "Drawn", "Discard", "Play", "TurnUp"})
