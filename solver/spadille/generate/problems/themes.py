"""The themes of a problem, each verified by solving again with a changed rule or card.

A theme is a function of a `KeyDecision`, and its docstring is its definition. Add new themes to
`THEMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from spadille.base.cached import cached_property
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.following_suit import MatadorRule
from spadille.games.model.game import Rules
from spadille.generate.problems.goal_and_winning_cards import Stake
from spadille.generate.problems.key_line import Ply, key_line
from spadille.search.engine_problem import EngineProblem

Groups = Iterable[list[int]]
"""Cards, with equivalent ones grouped."""


@dataclass(frozen=True)
class KeyDecision:
    """A decision with one winning card."""

    stake: Stake
    key: tuple[int, ...]
    """The winning card, with the cards equivalent to it, from high to low."""
    opening: bool
    """Whether the decision is the opening lead."""

    @cached_property
    def line(self) -> tuple[Ply, ...]:
        """The key line, starting with the key."""
        return tuple(ply for _, ply in key_line(self.stake, self.key[-1]))


def lead(decision: KeyDecision) -> bool:
    """The only winning lead to the first trick."""
    return decision.opening


def privilege(decision: KeyDecision) -> bool:
    """The Matador privilege is decisive.

    If matadors had to follow suit like other trumps (`matador_rule=none`), the key would lose, or
    would not be the only winning card.
    """
    problem = decision.stake.problem
    bound = problem.following._replace(matador_rule=MatadorRule.NONE)
    return bool(problem.following.matador_rule and problem.matadors) and _differs(
        decision, following=bound, matadors=0
    )


def called_card(decision: KeyDecision) -> bool:
    """The duty to play the called card is decisive.

    Without this duty (`called_card_duty=none`), the key would lose, or would not be the only
    winning card.
    """
    return decision.stake.problem.called >= 0 and _differs(decision, called=-1)


def misere_exit(decision: KeyDecision) -> bool:
    """In a Misère, the player on lead must give up the lead.

    Another player's card takes the key's trick. If these two cards changed places, the position
    would be lost.
    """
    stake, problem = decision.stake, decision.stake.problem
    if stake.question.kind.aim != "misere" or problem.trick or len(decision.line) < problem.players:
        return False
    numbers = stake.question.at.encoding.numbers
    cards = tuple(numbers[ply.card] for ply in decision.line[: problem.players])
    taker = problem._replace(trick=cards).winner()
    if taker == stake.hero:
        return False
    mine, his = 1 << cards[0], 1 << cards[(taker - stake.hero) % problem.players]
    hands = list(problem.hands)
    hands[stake.hero] ^= mine | his
    hands[taker] ^= mine | his
    return not stake.changed(hands=tuple(hands)).won


def unblock(decision: KeyDecision) -> bool:
    """The player throws a high card that wins nothing, because a lower card in its suit would lose.

    Either the opponents are winning the trick, or the player is last to play and that player's side
    wins the trick with either card.
    """
    stake, problem = decision.stake, decision.stake.problem
    if stake.question.kind.aim in ("misere", "nemo") or not problem.trick:
        return False
    key = max(decision.key)
    wins = _winner(stake, key)
    for group in stake.choices:
        lower = group[0]
        if lower >> 4 != key >> 4 or lower > key or lower in decision.key:
            continue
        if wins != stake.hero and not _ours(stake, wins):
            return True  # thrown under an opponent's winning card
        last = len(problem.trick) == problem.players - 1
        if last and _ours(stake, wins) and _ours(stake, _winner(stake, lower)):
            return True
    return False


def hold_up(decision: KeyDecision) -> bool:
    """The player ducks a trick that they could take.

    A higher card of the key's suit would win the trick but is a losing choice; the key leaves the
    trick to the opponents.
    """
    stake = decision.stake
    if stake.question.kind.aim in ("misere", "nemo") or not stake.problem.trick:
        return False
    key = max(decision.key)
    return not _ours(stake, _winner(stake, key)) and any(
        group[0] >> 4 == key >> 4 and min(group) > key and _winner(stake, group[0]) == stake.hero
        for group in stake.choices
    )


def overtake(decision: KeyDecision) -> bool:
    """The player takes over a partner's trick.

    A lower card of the key's suit would leave the trick to the partner but is a losing choice.
    """
    stake = decision.stake
    if stake.question.kind.aim in ("misere", "nemo") or not stake.problem.trick:
        return False
    key = max(decision.key)
    return _winner(stake, key) == stake.hero and any(
        group[0] >> 4 == key >> 4
        and _winner(stake, group[0]) != stake.hero
        and _ours(stake, _winner(stake, group[0]))
        for group in stake.choices
    )


def _winner(stake: Stake, card: int) -> int:
    """Return the player who is winning the trick after a card."""
    return stake.problem._replace(trick=(*stake.problem.trick, card)).winner()


def _ours(stake: Stake, player: int) -> bool:
    """Return whether a player is on the side of the player to move."""
    return bool(stake.question.objective.side >> player & 1) == stake.gains


def _differs(decision: KeyDecision, **changes: object) -> bool:
    """Return whether the key is no longer the only winning card after these changes."""
    winning = decision.stake.changed(**changes).winning(2)
    return len(winning) != 1 or winning[0][0] not in decision.key


def _of_tricks(rules: Rules, kind: ContractType) -> bool:
    return kind.aim not in ("misere", "nemo")


def _can_take_or_duck(problem: EngineProblem, groups: Groups) -> bool:
    """Return whether a card takes the trick and a lower card in its suit does not."""
    if not problem.trick:
        return False
    takes: dict[int, set[bool]] = {}
    for group in groups:
        trick = (*problem.trick, group[0])
        taken = problem._replace(trick=trick).winner() == problem.to_play
        takes.setdefault(group[0] >> 4, set()).add(taken)
    return any(len(results) > 1 for results in takes.values())


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme, and where it can occur."""

    holds: Callable[[KeyDecision], bool]
    possible: Callable[[Rules, ContractType], bool] = lambda rules, kind: True
    """Whether the theme can occur under these rules, in this contract."""
    possible_at: Callable[[EngineProblem, Groups], bool] = lambda problem, groups: True
    """Whether the theme might occur in a position, judged before any search; equivalent cards of
    the player to move are grouped.
    """


THEMES: dict[str, Theme] = {
    "privilege": Theme(
        privilege, lambda rules, kind: rules.following.matador_rule is not MatadorRule.NONE
    ),
    "called-card": Theme(
        called_card,
        lambda rules, kind: rules.called_card_duty == "first-lead" and kind.side == "called",
    ),
    "misere-exit": Theme(misere_exit, lambda rules, kind: kind.aim == "misere"),
    "unblock": Theme(unblock, _of_tricks),
    "hold-up": Theme(hold_up, _of_tricks, _can_take_or_duck),
    "overtake": Theme(overtake, _of_tricks, _can_take_or_duck),
    "lead": Theme(lead),
}


def themes_of(decision: KeyDecision, among: Iterable[str] = THEMES) -> tuple[str, ...]:
    """Return the verified themes, in the order of `THEMES`."""
    wanted = {*among}
    return tuple(name for name, theme in THEMES.items() if name in wanted and theme.holds(decision))


def possible_themes(rules: Rules, kinds: Iterable[ContractType]) -> tuple[str, ...]:
    """Return the themes that can occur in at least one of the given contracts under these rules."""
    kinds = [*kinds]
    return tuple(
        name for name, theme in THEMES.items() if any(theme.possible(rules, kind) for kind in kinds)
    )
