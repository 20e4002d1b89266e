"""The referee of problems plays out every line with `Position` and an exact memo."""

from __future__ import annotations

import re
from collections.abc import Mapping

from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games.model.game import Rules
from spadille.generate.problems.problem import Problem
from spadille.generate.problems.problem_from_decision import LEAST

Clean = tuple[
    int, bool
]  # tricks of a Nemo player without a penalty card, and whether some trick has one


class Judge:
    """Decides double-dummy who wins the stake of a declarer (RULES 11).

    The declarer's side wants the contract made or, in Nemo, `points` of one player.
    """

    def __init__(self, contract: Contract, seat: str, points: int = 0) -> None:
        self.contract = contract
        self.seat = seat
        self.points = points
        several = len(contract.declarers) > 1
        self.side = {seat} if several else set(contract.side)
        self._memo: dict[object, bool] = {}

    def reached(self, position: Position) -> bool:
        """Return whether the declarer's side wins the stake with best play by all."""
        if position.finished:
            return self._made(position)
        key = (
            tuple(frozenset(hand) for hand in position.hands.values()),
            tuple(position.trick),
            position.to_play,
            tuple(position.won.values()),
            self._clean(position) if self.points else None,
        )
        found = self._memo.get(key)
        if found is None:
            best = any if position.to_play in self.side else all
            found = self._memo[key] = best(self.after(position, card) for card in position.legal())
        return found

    def after(self, position: Position, card: str) -> bool:
        """Return the same after a card."""
        position.play(card)
        try:
            return self.reached(position)
        finally:
            position.undo()

    def _clean(self, position: Position) -> Clean:
        mine = [trick for trick in position.tricks if trick.winner == self.seat]
        dirty = [any(c[0] == self.contract.penalty for c in trick.cards) for trick in mine]
        return dirty.count(False), any(dirty)

    def _made(self, position: Position) -> bool:
        if self.points:
            clean, dirty = self._clean(position)
            return (10 if dirty else 20) * clean >= self.points
        kind = position.rules.contract(self.contract.ids[self.contract.declarers.index(self.seat)])
        won = position.won
        if kind.aim == "most":
            return all(won[self.seat] > won[other] for other in won if other != self.seat)
        tricks = sum(won[seat] for seat in self.side)
        return tricks == 0 if kind.aim == "misere" else tricks >= kind.target


def at(deal: Deal, contract: Contract, play: tuple[str, ...]) -> Position:
    """Return the position after some cards."""
    position = Position.of(deal, contract)
    for card in play:
        position.play(card)
    return position


def judge_of(position: Position, contract: Contract, points: int = 0) -> Judge:
    """Return the referee for the stake of the player to move."""
    several = len(contract.declarers) > 1
    return Judge(contract, position.to_play if several else contract.declarer, points)


def winners(position: Position, judge: Judge) -> set[str]:
    """Return the cards with which the player to move wins the stake."""
    mine = position.to_play in judge.side
    return {card for card in position.legal() if judge.after(position, card) == mine}


def under(
    position: Position,
    rules: Rules,
    called: str | None,
    hands: Mapping[str, set[str]] | None = None,
) -> Position:
    """Return the same position under other rules, with another called card or other hands."""
    held = {seat: {*cards} for seat, cards in (hands or position.hands).items()}
    for seat, card in position.trick:
        held[seat].add(card)
    other = Position(
        rules,
        position.trump,
        held,
        position.leader,
        called,
        position.won,
        contract=position.contract,
    )
    for _, card in position.trick:
        other.force(card)
    return other


def points_of(problem: Problem) -> int:
    """Return the required points in Nemo, else 0."""
    found = re.search(r"sure of (\d+) points", problem.question)
    return int(found[1]) if found else 0


def confirm(problem: Problem) -> None:
    """Check the key and every step of the key line by the slow rules."""
    position = at(problem.deal, problem.contract, problem.play)
    judge = judge_of(position, problem.contract, points_of(problem))
    assert position.to_play == problem.seat
    assert winners(position, judge) == {problem.key, *problem.equals}
    assert len(position.legal()) >= problem.choices >= LEAST
    mine = problem.seat in judge.side
    for ply in problem.line:
        assert position.to_play == ply.seat
        if ply.winning:
            assert winners(position, judge) == {card for group in ply.winning for card in group}
            assert ply.card in {card for group in ply.winning for card in group}
        position.play(ply.card)
        assert judge.reached(position) == mine
