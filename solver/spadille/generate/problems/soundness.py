"""Check a composed problem: its key, cooks, duals, and cards that can be left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from spadille.base.errors import Fault, SpadilleError
from spadille.base.names_in_input import meant, slug
from spadille.base.words_for_messages import listed, seat_name
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.generate.problems.goal_and_winning_cards import Stake, over, position, stake_of
from spadille.generate.problems.key_line import Ply
from spadille.generate.problems.plan_decision import PLAN, plan_decision, reasoned
from spadille.generate.problems.problem_from_decision import LEAST
from spadille.generate.problems.themes import THEMES, KeyDecision, themes_of
from spadille.pbn.entry import Entry
from spadille.pbn.problem_tags import Posed
from spadille.search.encoding import Situation, situation
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.verdict import lost_at

_NODES = 50_000_000
_MOST_LEFT_OUT = 3
_TRIED = 3_000
"""The maximum number of attempts to leave out a card from each hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The results of checking a problem."""

    seat: str = ""
    winning: tuple[str, ...] = ()
    """All winning cards; any that is not equivalent to the key is a cook."""
    cooks: tuple[str, ...] = ()
    choices: int = 0
    line: tuple[Ply, ...] = ()
    """The key line, starting with a winning key."""
    themes: tuple[str, ...] = ()
    """The themes that were verified, whether claimed or not."""
    left_out: tuple[tuple[str, ...], ...] = ()
    """The first few ways to leave out a trick (a card from each hand) without changing the key."""
    faults: tuple[Fault, ...] = ()

    @property
    def duals(self) -> dict[int, tuple[str, ...]]:
        """The plies of the line where several choices win, with a card of each choice.

        Plies are numbered  from 1.
        """
        return {
            number: tuple(group[0] for group in ply.winning)
            for number, ply in enumerate(self.line, 1)
            if 1 < len(ply.winning) < ply.choices
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON object."""
        return {
            "seat": self.seat,
            "winning": list(self.winning),
            "cooks": list(self.cooks),
            "choices": self.choices,
            "line": [ply.card for ply in self.line],
            "duals": [
                {"ply": number, "cards": list(cards)} for number, cards in self.duals.items()
            ],
            "themes": list(self.themes),
            "left_out": [list(cards) for cards in self.left_out],
        }


def verify(entry: Entry) -> Checked | None:
    """Check the problem in an entry; None if it has no problem, or faults that prevent the check.

    Raises the errors of the engine for contracts that it cannot solve, and TooHardError if the
    check takes too long.
    """
    posed = entry.posed
    if posed is None or entry.deal is None or entry.contract is None:
        return None
    if any(fault.tag in ("Play", "Key") for fault in entry.faults):
        return None
    check = _verified_plan if PLAN in map(slug, posed.themes) else _verified
    checked = check(entry, posed, entry.deal, entry.contract)
    return replace(checked, faults=tuple(_placed(entry, fault) for fault in checked.faults))


def _placed(entry: Entry, fault: Fault) -> Fault:
    """Return a fault with its place: the quoted text, its tag, or the Question or Deal tag."""
    names = entry.game.names
    tag = names.get(fault.tag or "") or names.get("Question") or names["Deal"]
    at = tag.value.find(fault.text) if fault.text and tag.name == fault.tag else -1
    offset = tag.start if at < 0 else tag.offset(at)
    line, column = entry.game.document.position(offset)
    return replace(fault, text=fault.text if at >= 0 else "", line=line, column=column)


def _verified(entry: Entry, posed: Posed, deal: Deal, contract: Contract) -> Checked:
    play = entry.play.cards if entry.play else ()
    search = Search(Solver(), Limits(nodes=_NODES))
    stake = position(deal, contract, play, search)
    faults = list(_unknown_themes(posed))
    if stake is None:
        faults.append(_fault("key-nothing", _nothing(deal, contract, play)))
        return Checked(faults=tuple(faults))
    winning, key = stake.winning() if stake.won else [], posed.key
    checked = Checked(
        seat=stake.seat(stake.hero),
        winning=tuple(name for group in winning for name in stake.names(group)),
        choices=len(stake.choices),
    )
    written = (entry.game.get("Key") or "").strip()
    wrong = _wrong_key(stake, winning, key, written)
    if wrong is not None:
        return replace(checked, faults=(*faults, wrong))
    group = next(choice for choice in winning if key is None or key in stake.names(choice))
    decision = KeyDecision(stake, tuple(group), not play and not deal.is_ending)
    checked = replace(checked, line=decision.line)
    cooks = tuple(stake.names(choice)[0] for choice in winning if choice != group)
    if cooks:
        message = f"{listed(cooks, 'and')} also win{'s' * (len(cooks) == 1)}"
        faults += [_fault("key-cooked", message, written), *_unverified_themes(posed, ())]
        return replace(checked, cooks=cooks, faults=tuple(faults))
    themes = themes_of(decision)
    faults += _unverified_themes(posed, themes)
    if posed.method == "reasoned":
        faults += _method_faults(deal, contract, play, (key,) if key else stake.names(group))
    search.limit(_NODES)
    left_out = tuple(islice(_left_out(stake, group), _MOST_LEFT_OUT))
    return replace(checked, themes=themes, left_out=left_out, faults=tuple(faults))


def _unknown_themes(posed: Posed) -> Iterator[Fault]:
    for name in posed.themes:
        if slug(name) not in THEMES:
            yield Fault(
                "theme-unknown",
                f"{name!r} is not a verified theme{meant(name, THEMES)}",
                "Theme",
                name,
                f"hand files: the themes are {', '.join(THEMES)}",
                severity="warning",
            )


def _unverified_themes(posed: Posed, verified: Sequence[str]) -> Iterator[Fault]:
    for name in posed.themes:
        theme = slug(name)
        if theme in THEMES and theme not in verified:
            message = f"the theme {theme} does not fit: {_definition(theme)}"
            yield Fault("theme-unverified", message, "Theme", name, "hand files: Theme is verified")


def _wrong_key(
    stake: Stake, winning: list[list[int]], key: str | None, written: str
) -> Fault | None:
    """Return the fault if the key does not win or, without a key, if no card wins."""
    who = seat_name(stake.seat(stake.hero))
    if key is not None and all(key not in stake.names(group) for group in stake.choices):
        return _fault("key-illegal", f"{who} may not play {key} here", written)
    if not winning:
        return _fault("key-wrong", f"no card of {who} wins", written)
    names = [name for group in winning for name in stake.names(group)]
    if key is not None and key not in names:
        return _fault("key-wrong", f"{key} does not win: {listed(names, 'and')} would", written)
    return None


def _verified_plan(entry: Entry, posed: Posed, deal: Deal, contract: Contract) -> Checked:
    """Check that the key alone is best with hidden hands, but not double-dummy."""
    plan = plan_decision(deal, contract, entry.play.cards if entry.play else ())
    key, best = posed.key, () if plan is None else (plan.key.card, *plan.key.equals)
    faults = []
    if plan is None:
        rule = "hand files: Theme is verified"
        message = "not a plan: hidden hands must leave one best card, and another must look as good"
        faults.append(Fault("theme-unverified", message, "Theme", PLAN, rule))
    elif key is not None and key not in best:
        message = f"{key} is not the best card with hidden hands: {listed(best, 'or')} is"
        faults.append(_fault("key-wrong", message, (entry.game.get("Key") or "").strip()))
    return Checked(
        seat="" if plan is None else plan.known.seat,
        winning=best,
        choices=0 if plan is None else len(plan.search.valued),
        themes=() if plan is None else (PLAN,),
        faults=tuple(faults),
    )


def _method_faults(
    deal: Deal, contract: Contract, play: tuple[str, ...], keys: Sequence[str]
) -> Iterator[Fault]:
    if not any(reasoned(deal, contract, play, key) for key in keys):
        yield Fault(
            "method-unverified",
            f"it is not certain that {listed(keys, 'or')} is the best card with hidden hands; "
            'write "double-dummy", or leave Method out',
            "Method",
            "reasoned",
            "hand files: Method is verified",
        )


def _fault(code: str, message: str, text: str = "") -> Fault:
    rule = "hand files: Key is the only card that wins"
    return Fault(code, message, "Key", text, rule)


def _nothing(deal: Deal, contract: Contract, play: tuple[str, ...]) -> str:
    """Return the reason why nothing is at stake after these cards."""
    at = situation(deal, contract, play)
    if over(contract, at):
        finished = not at.problem.tricks or lost_at(contract, at) is not None
        why = "the hand is over" if finished else "another choice comes first"
        return f"no card is asked for: {why}"
    seat = deal.rules.turn_order[at.problem.to_play]
    if len(contract.declarers) > 1 and seat not in contract.declarers:
        return f"{seat_name(seat)} has no contract to make"
    return "the contract fails whatever is played"


def _definition(name: str) -> str:
    first = " ".join((THEMES[name].holds.__doc__ or "").split())
    return first[:1].lower() + first[1:].rstrip(".")


def _left_out(stake: Stake, key: list[int]) -> Iterator[tuple[str, ...]]:
    """Yield sets of one card per hand whose removal makes the problem a trick shorter.

    The omitted trick is credited to the declarer or to another player; it is enough if the key
    stays the only winning card in one of these cases. At least three choices must remain.
    """
    at, search = stake.question.at, stake.question.search
    hands = []
    for player, hand in enumerate(stake.problem.hands):
        cards = [card for card in range(hand.bit_length()) if hand >> card & 1]
        hands.append([c for c in cards if player != stake.hero or c not in key])
    if stake.problem.tricks < 2 or not all(hands):
        return
    question = stake.question
    for dropped in islice(product(*hands), _TRIED):
        shorter = tuple(h ^ 1 << c for h, c in zip(stake.problem.hands, dropped, strict=True))
        if stake.problem.called in dropped:
            continue  # without the called card, the duty to play it would also disappear
        for taker in _takers(at, question.contract, question.seat):
            won = tuple(t + (p == taker) for p, t in enumerate(at.won))
            smaller = Situation(
                at.encoding, stake.problem._replace(hands=shorter), won, (), at.trumps, at.goes_on
            )
            if _same(question.deal, question.contract, smaller, stake, key, search):
                yield stake.names(list(dropped))
                break


def _takers(at: Situation, contract: Contract, seat: str) -> list[int]:
    """List the players to whom the omitted trick can be credited: the declarer and an opponent."""
    contractor = at.encoding.player[seat]
    others = [p for s, p in at.encoding.player.items() if s not in contract.side]
    if len(contract.declarers) > 1:
        others = [(contractor + 1) % len(at.won)]
    return [contractor, *others]


def _same(
    deal: Deal, contract: Contract, at: Situation, stake: Stake, key: list[int], search: Search
) -> bool:
    try:
        smaller = stake_of(deal, contract, at, search)
        if smaller is None or smaller.gains != stake.gains or len(smaller.choices) < LEAST:
            return False
        winning = smaller.winning(2) if smaller.won else []
    except SpadilleError:
        return False  # the answer needs earlier play, which is unknown, or takes too long
    return len(winning) == 1 and not {*key}.isdisjoint(winning[0])
