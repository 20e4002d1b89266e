"""The conditions on deals, and the plan for drawing the deals of one dealer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from spadille.base.card_text import NO_TRUMP
from spadille.base.errors import ArgumentError, ContractError
from spadille.base.words_for_messages import many, seat_label
from spadille.core.deal import Deal
from spadille.core.knowledge.random_numbers import Draws
from spadille.games.model.game import Rules
from spadille.generate.deals.condition_expressions import Expression, expression, read_conditions
from spadille.generate.deals.condition_functions import Setting
from spadille.generate.deals.condition_values import Answers
from spadille.generate.deals.counting_sampler import Sampler, Wishes
from spadille.generate.deals.hand_shapes import by_seat, read_cards, read_shape
from spadille.search.engine import Solver

_SAMPLE = 256  # deals on which contracts are checked before conditions are tested


@dataclass(frozen=True, slots=True)
class Order:
    """The conditions on deals, as written."""

    rules: Rules
    dealer: str | None  # None: the seats deal in turn
    hands: Mapping[str, object]
    shapes: Mapping[str, object]
    where: Sequence[str]
    tests: Sequence[Callable[[Deal], bool]]
    turned: str | None  # the suit of the card turned up, or the card
    current_trump: str | None

    def board(self, number: int) -> tuple[str, str | None]:
        """Return the dealer and the current trump, if any, of a board numbered from 1."""
        rules, game = self.rules, self.rules.game
        turn = rules.turn_order
        dealer = self.dealer or turn[(number - 1) % len(turn)]
        if self.turned is not None:
            return dealer, self.turned[0]
        trumps = game.current_trumps
        if game.turns_up or not trumps:
            return dealer, None
        return dealer, self.current_trump or trumps[(number - 1) % len(trumps)]

    def boards(self, texts: Sequence[str], number: int) -> list[tuple[str, str | None]]:
        """Of the first `number` boards, return those on which the expressions may differ."""
        said = " ".join((*texts, *self.where, *self.hands, *self.shapes))
        by_dealer = any(word in said for word in ("dealer", "eldest", "strength"))
        alike = not (self.rules.game.current_trumps or by_dealer)
        rounds = len(self.rules.seats) * max(1, len(self.rules.game.current_trumps))
        last = 1 if alike else max(1, min(number, rounds))
        return list(dict.fromkeys(self.board(nth) for nth in range(1, last + 1)))


@dataclass(frozen=True, slots=True)
class Part:
    """The deals of one dealer with one turned-up suit, if any, and their conditions."""

    setting: Setting
    sampler: Sampler
    wanted: Sequence[Expression]

    def draw(self, draws: Draws) -> Deal:
        """Draw a deal."""
        rules, dealer = self.setting.rules, self.setting.dealer
        hands, talon, turned = self.sampler.draw(draws)
        if rules.game.turns_up and turned is None:
            hand = hands[dealer]
            turned = hand[draws.word() * len(hand) >> 64]
        return Deal(
            rules=rules,
            dealer=dealer,
            hands=hands,
            talon=talon,
            talon_ordered=bool(talon),
            current_trump=turned[0] if turned else self.setting.current_trump,
            turn_up=turned,
        )

    @property
    def cheap(self) -> list[Expression]:
        """The conditions on cards that must be tested deal by deal."""
        return [condition for condition in self.sampler.tried if not condition.asked]

    @property
    def solved(self) -> list[Expression]:
        """Conditions on the values of contracts."""
        return [condition for condition in self.sampler.tried if condition.asked]


class DealPlan:
    """Draws one dealer's deals that meet conditions.

    If a condition depends on the turned-up trump, the plan has a part for each suit. `samplers`
    caches the samplers of all plans.
    """

    def __init__(
        self,
        order: Order,
        dealer: str,
        current_trump: str | None,
        wanted: Sequence[str],
        samplers: dict[object, Sampler],
    ) -> None:
        self.order = order
        self._samplers = samplers
        self._settings = [Setting(order.rules, dealer, current_trump)]
        try:
            self.parts = [self._part(self._settings[0], order.turned, wanted)]
        except ArgumentError as error:
            if error.code != "trump-missing" or not order.rules.game.turns_up:
                raise
            self.parts = [
                self._part(Setting(order.rules, dealer, suit), suit, wanted)
                for suit in order.rules.game.current_trumps
            ]
        *self._starts, self.possible = accumulate(
            (part.sampler.possible for part in self.parts), initial=0
        )
        self.share = self.possible / self.parts[0].sampler.all
        """The share of all deals that the conditions allow."""
        if not self.possible:
            raise ArgumentError(
                f"no deal of {order.rules.game.name} meets the conditions", "conditions-impossible"
            )
        self._try_out()

    def draw(self, draws: Draws) -> tuple[Deal, Part]:
        """Draw a deal."""
        part = self.parts[0]
        if len(self.parts) > 1:
            part = self.parts[bisect_right(self._starts, draws.below(self.possible)) - 1]
        return part.draw(draws), part

    def _part(self, setting: Setting, turned: str | None, wanted: Sequence[str]) -> Part:
        order = self.order
        hands = by_seat(order.hands, setting)
        shapes = by_seat(order.shapes, setting)
        # A condition that is written twice counts once.
        conditions = {
            condition.text: condition
            for text in order.where
            for condition in read_conditions(text, setting)
        }
        wishes = Wishes(
            {
                seat: tuple(
                    dict.fromkeys(
                        card for text in texts for card in read_cards(seat, text, setting)
                    )
                )
                for seat, texts in hands.items()
            },
            [read_shape(seat, text, setting) for seat, texts in shapes.items() for text in texts],
            list(conditions.values()),
            turned,
        )
        size = setting.rules.game.hand_size
        for seat, cards in wishes.known.items():
            if len(cards) > size:
                raise ArgumentError(
                    f"{seat_label(seat)} has {many(len(cards), 'known card')}, "
                    f"and a hand has {size}",
                    "hand-size",
                )
        key = (wishes.key, setting.dealer if turned else None)
        sampler = self._samplers.get(key)
        if sampler is None:
            sampler = self._samplers[key] = Sampler(setting.rules, wishes, setting.dealer)
        return Part(setting, sampler, [expression(text, setting) for text in wanted])

    def _try_out(self) -> None:
        """Raise ArgumentError if no deal in a sample allows a contract."""
        asking = [
            (part, to_solve)
            for part in self.parts
            for to_solve in (*part.solved, *part.wanted)
            if to_solve.asked
        ]
        for part, to_solve in asking:
            if not part.sampler.possible:
                continue
            draws, refused = Draws(0), None
            for _ in range(_SAMPLE):
                try:
                    Answers(part.draw(draws), Solver(0)).check(to_solve)
                    break
                except ContractError as error:
                    refused = error
            else:
                why, named, _ = str(refused).partition(": name it with")
                for worth in to_solve.asked:  # quote the trump as it was typed
                    if worth.trump and NO_TRUMP in worth.words:
                        why = why.replace(f"trump {NO_TRUMP} ", f"trump {worth.trump} ")
                hint = ": write it into the condition, as in makes(N, solo, H)" if named else ""
                code = refused.code if refused else ""
                raise ArgumentError(f"{to_solve.text!r}: {why}{hint}", code)
