"""One game of a hand file: from its tags to `Deal`, `Contract` and `RecordedPlay`.

Where the format leaves a choice:

- "?" and "" are unknown values, as in PBN export format.
- The dealer of a deal without a Dealer tag is the first seat in its Deal tag, as in PBN export
  format. Without a Leader tag, the leader of an end position is the player named by Play (PBN
  3.10).
- A contract in bridge notation ("4HX", "3NT", "S") is ignored in a file that does not name its
  game, so that the user can read a bridge file as another game. "Pass" is never a contract.
- Unknown hands are filled in from the play (see `spadille.pbn.inferred_hands`).
- Lower case, and "10" for the ten, are accepted wherever cards and seats are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from spadille.base.errors import MOST_FAULTS, ContractError, Fault, Faults, RulesError, attempt
from spadille.base.words_for_messages import many
from spadille.core.contract import ANYBODY, Contract
from spadille.core.deal import Deal
from spadille.core.deal_faults import warning
from spadille.core.reachable_contracts import excluded_findings
from spadille.core.validate import (
    Finding,
    bid_findings,
    contract_findings,
    deal_findings,
    passed_findings,
)
from spadille.core.validate.surrender_faults import surrender_findings
from spadille.games.model.contract_types_and_options import Surrender
from spadille.games.model.game import Rules
from spadille.pbn.document import PbnGame
from spadille.pbn.play_section import (
    RecordedPlay,
    check_cards,
    has_small_cards,
    read_play,
)
from spadille.pbn.problem_tags import Posed, read_posed
from spadille.pbn.session_facts import Session
from spadille.pbn.tags import TagReader

# Codes of faults to ignore if some of the cards could not be read.
_COUNTS = frozenset(
    {"hand-size", "talon-size", "deck-incomplete", "leader-missing", "won-too-many"}
    | {"exchange-hand-unknown", "exchange-draw", "exchange-draw-unknown", "exchange-more-than-left"}
)


class Entry:
    """One game of a hand file.

    `deal` is None if the tags do not describe a valid deal, and `contract` is None if it is missing
    or faulty. `terms` is the contract as written and completed from the auction, but not resolved.
    `seen_contract` is the known part of the contract. If the holder of the called card is unknown,
    `seen_contract` has no partner; `unresolved` then says why, and `contract` is None. `play` is
    the recorded play of `seen_contract`. `result` is the number of tricks the declaring side took,
    if recorded; `tricks` and `paid` map seats to their tricks and payoffs. `surrender` is the
    surrender, and `passed_out` means that nobody played. `players` maps seats to names. `posed` is
    the problem, if any, that the entry poses to the player to move. `game` is the game in the
    document, for edits. `faults` are in file order; `warnings` are separate because they do not
    make anything unusable.
    """

    __slots__ = (
        "_reader",
        "board",
        "contract",
        "deal",
        "game",
        "index",
        "paid",
        "passed_out",
        "play",
        "players",
        "posed",
        "result",
        "rules",
        "seen_contract",
        "surrender",
        "terms",
        "tricks",
        "unresolved",
    )

    def __init__(
        self,
        game: PbnGame,
        default_game: str | None,
        options: Mapping[str, str],
        session: Session,
    ) -> None:
        self.game = game
        self.index = game.index
        self._reader = reader = TagReader(game)
        self.board: str | None = None
        self.rules: Rules | None = None
        self.deal: Deal | None = None
        self.terms: Contract | None = None
        self.contract: Contract | None = None
        self.seen_contract: Contract | None = None
        self.unresolved: Fault | None = None
        self.play: RecordedPlay | None = None
        self.surrender: Surrender | None = None
        self.result: int | None = None
        self.tricks: Mapping[str, int] = {}
        self.paid: Mapping[str, int] = {}
        self.passed_out = False
        self.players: Mapping[str, str] = {}
        self.posed: Posed | None = None
        error = attempt(partial(self._read, default_game, options, session))
        if error is not None:  # everything read so far is kept, and the other games are still read
            line, column = game.document.position(game.start)
            reader.faults.append(Fault(error.code, str(error), line=line, column=column))
            session.failed(self)
        attempt(reader.forget)

    def _read(self, default_game: str | None, options: Mapping[str, str], session: Session) -> None:
        """Read the tags, each part independently."""
        game, reader = self.game, self._reader
        self.board = reader.value("Board")
        reader.check_names()
        rules = reader.rules(default_game, options)
        if rules is None:
            return
        self.rules = session.rules(reader, rules)
        self.players = reader.players()
        self.result = reader.result()
        deal = reader.deal(self.rules)
        if deal is not None:
            deal = self._checked_deal(deal)
            if len(reader.faults) == len(game.faults):
                self.deal = deal
        # Faults from here on leave the deal usable.
        self.tricks = reader.tricks()
        self.paid = reader.paid()
        self.posed = read_posed(reader)
        by_file = reader.value("Game") is not None
        self.terms = reader.terms(by_file)
        if self.deal is not None and "Auction" in game.names:
            from spadille.pbn.auction_section import follow_auction

            self.terms, self.passed_out = follow_auction(reader, self.deal, self.terms, by_file)
        if not self.terms.ids and (reader.value("Contract") or "").lower() == "pass":
            self._pass_out()
        if deal is not None and self.posed is None:
            self.terms = self._in_turn(deal, self.terms, session)
        if deal is not None and self.terms.ids:
            self.contract = self._resolve(deal, self.terms)
        if self.deal is not None and self.contract is not None:
            self._follow_surrender(reader.surrender(), self.deal, self.contract)
            if "Auction" not in game.names:
                excluded = excluded_findings if self.dealer_named else bid_findings
                for finding in excluded(self.deal, self.contract):
                    reader.add(finding)
        self._read_cards(by_file)
        session.add(self, rules)

    def _checked_deal(self, deal: Deal) -> Deal:
        """Return the deal with the cards that the play shows, and add its faults."""
        game, reader = self.game, self._reader
        if None in deal.hands.values() or has_small_cards(game.names.get("Play")):
            from spadille.pbn.inferred_hands import fill_hands

            deal = fill_hands(reader, deal)
        unreadable = not reader.unreadable.isdisjoint(("Deal", "Talon"))
        for finding in deal_findings(deal):
            if not (unreadable and finding.fault.code in _COUNTS):
                reader.add(finding)
        return deal

    def _pass_out(self) -> None:
        """Check that everyone was allowed to pass."""
        findings = []
        if self.deal is not None and "Auction" not in self.game.names:
            findings = passed_findings(self.deal)
        self.passed_out = all(finding.fault.severity == "warning" for finding in findings)
        for finding in findings:
            self._reader.add(finding)

    def _read_cards(self, by_file: bool) -> None:
        """Read the Play section as far as the deal and the contract allow."""
        reader, deal, seen = self._reader, self.deal, self.seen_contract
        if deal is None:
            return
        if seen is not None and None in deal.hands.values():
            self._read_seen(deal, seen)
        elif self.contract is not None:
            self.play = read_play(reader, deal, self.contract, self.surrender)
        elif by_file and "Play" in self.game.names:
            check_cards(reader, deal)

    def _read_seen(self, deal: Deal, contract: Contract) -> None:
        """Follow the play with unknown hands, which the play may determine."""
        from spadille.pbn.play_with_unknown_hands import read_seen

        seen = read_seen(self._reader, deal, contract)
        if seen is None:
            return
        self.play = seen.play
        if seen.hands is not None and self.terms is not None:
            self.deal = replace(deal, hands=seen.hands)
            self.unresolved = None
            self.contract = self.seen_contract = self._resolve(self.deal, self.terms)

    def __repr__(self) -> str:
        rules = "" if self.rules is None else f" {self.rules.game.id}"
        played = f": {self.contract}" if self.contract else ""
        faults = f", {many(len(self.faults), 'fault')}" if self.faults else ""
        return f"<Entry #{self.index + 1}{rules}{played}{faults}>"

    @property
    def dealer_named(self) -> bool:
        """Whether the file names the dealer; the default is the first seat in the Deal tag."""
        return self._reader.value("Dealer") is not None

    @property
    def faults(self) -> list[Fault]:
        """The faults in the game, in file order; in a long list, the last ones are only counted."""
        return faults_in_order([self._reader.faults])

    @property
    def warnings(self) -> list[Fault]:
        """The warnings of the game, in file order: usable input that is probably a mistake."""
        return faults_in_order([self._reader.warnings])

    @property
    def findings(self) -> list[Fault]:
        """All faults and warnings, in file order."""
        return faults_in_order([self._reader.faults, self._reader.warnings])

    @property
    def auction(self) -> list[str] | None:
        """The tokens of the Auction section as written, or None if there is none."""
        tag = self.game.names.get("Auction")
        return None if tag is None else [token for token, _ in tag.play_tokens()]

    @property
    def calls(self) -> tuple[str, list[str]] | None:
        """The first caller of the auction, and all calls in turn; None without an auction."""
        tag = self.game.names.get("Auction")
        if tag is None or self.deal is None:
            return None
        from spadille.pbn.auction_section import calls_of

        return calls_of(tag, self.deal)

    @property
    def at_take_over(self) -> tuple[Deal, Contract, tuple[str, ...]] | None:
        """The deal and contract after an opponent took over, with the earlier cards, or None."""
        given, deal, contract = self.surrender, self.deal, self.contract
        if given is None or given.taken_over is None or deal is None or contract is None:
            return None
        cards = self.play.cards[: self.play.before(given, deal.rules)] if self.play else ()
        return deal.taken_over(), contract.taken_over(given.taken_over), cards

    def replay(self, deal: Deal, contract: Contract) -> tuple[RecordedPlay | None, list[Fault]]:
        """Follow the recorded play in a deal or contract other than the file's.

        Returns the play in the form of `play`, and its faults.
        """
        reader = TagReader(self.game)
        reader.seats = deal.rules.seats
        reader.unnoted = self._reader.unnoted
        reader.open_cards = self._reader.open_cards
        play = read_play(reader, deal, contract)
        return play, [fault for fault in reader.faults if fault.tag == "Play"]

    def _follow_surrender(self, given: Surrender | None, deal: Deal, contract: Contract) -> None:
        if given is not None:
            findings = surrender_findings(deal, contract, given)
            for finding in findings:
                self._reader.add(finding)
            self.surrender = None if findings else given

    def _in_turn(self, deal: Deal, terms: Contract, session: Session) -> Contract:
        """Add the current trump of this deal in the session to a contract played in that trump.

        This applies only if neither the deal nor the contract names the trump.
        """
        kind = deal.rules.contracts.get(terms.ids[0]) if terms.ids else None
        due, course = session.trump(deal.rules), deal.rules.game.course
        if kind is None or kind.trump != "current" or deal.current_trump or terms.trump or not due:
            return terms
        message = f"CurrentTrump is missing: {kind.name} is played in {due}, which is due now"
        rule = f"the current trump goes {' '.join(course.trumps)}, deal by deal"
        self._reader.add(
            warning("current-trump-taken", message, "CurrentTrump", "", deal.rules.cite(rule))
        )
        return replace(terms, trump=due)

    def _resolve(self, deal: Deal, terms: Contract) -> Contract | None:
        """Return the contract, or None after recording its faults; also set `seen_contract`."""
        unreadable = self._reader.unreadable
        contract = None
        holder = self._reader.played.get(terms.called or "")
        if terms.partner is None and holder not in (None, *terms.declarers):
            terms = replace(terms, partner=holder)  # even if the called card has been played
        try:
            contract = _made(deal, terms, terms.partner)
        except (ContractError, RulesError) as error:
            rule = deal.rules.cite(str(error))
            findings = contract_findings(deal, terms) or [
                Finding(Fault(error.code, error.args[0], "Contract", "", rule))
            ]
        else:
            # Other tags seldom affect the contract.
            rare = deal.leader is not None or deal.exchangers or deal.from_hand
            findings = contract_findings(deal, terms) if rare else []
        self.seen_contract = contract
        codes = {finding.fault.code for finding in findings}
        if codes == {"partner-missing"} and terms.called and None in deal.hands.values():
            self.seen_contract = _made(deal, terms, ANYBODY)
            self.unresolved = placed(self, findings[0].fault)
            return None
        for finding in findings:
            fault = finding.fault
            # An unreadable value should not also be reported as missing, and its consequences are
            # not separate faults.
            turned = fault.code == "trump-missing" and "TurnUp" in unreadable
            if fault.text or not (turned or fault.tag in unreadable):
                self._reader.add(finding)
        return None if findings or "Called" in unreadable else contract


def _made(deal: Deal, terms: Contract, partner: str | None) -> Contract:
    """Return the contract with this partner; raise ContractError or RulesError if it is invalid."""
    return Contract.make(
        deal=deal,
        contract=terms.ids,
        declarer=terms.declarers,
        trump=terms.trump or None,
        called=terms.called,
        partner=partner,
        penalty=terms.penalty,
        trump_by=terms.trump_by,
    )


def contract_missing(entry: Entry) -> ContractError:
    """Return the error for an entry that has no contract, or only a bridge contract."""
    said = (entry.game.get("Contract") or "?").strip()
    if said.lower() == "pass":
        text = "all passed, and no option gives a contract"
    elif said in ("", "?"):
        text = "no contract is given"
    else:
        name = entry.rules.game.name if entry.rules else "the game"
        text = f"{said!r} is a bridge contract, not a contract of {name}: name one with --contract"
    return ContractError(text, "contract-missing")


def placed(entry: Entry, fault: Fault) -> Fault:
    """If a fault has no position, use the position of its tag or of the start of the deal."""
    names = entry.game.names
    tag = names.get(fault.tag or "") or names.get("Contract") or names.get("Deal")
    if fault.line is not None:
        return fault
    line, column = entry.game.document.position(entry.game.start if tag is None else tag.start)
    return replace(fault, line=line, column=column)


def faults_in_order(lists: list[Faults]) -> list[Fault]:
    """Return faults in file order, followed by one that counts any others."""
    faults = sorted((fault for part in lists for fault in part), key=_place)
    more = sum(part.more for part in lists)
    if more:
        last = faults[-1]
        message = f"{many(more, 'more fault')} in this deal, not shown"
        rule = f"hand files: at most {MOST_FAULTS} faults are shown per deal"
        summary = Fault("faults-more", message, rule=rule, line=last.line, column=last.column)
        faults.append(summary)
    return faults


def _place(fault: Fault) -> tuple[int, int]:
    return fault.line or 0, fault.column or 0
