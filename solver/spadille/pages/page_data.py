"""The data for a page's script: the games and the deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spadille.core.recorded_auction import Auction
from spadille.games.model.game import Rules
from spadille.pages.deal_facts import DealFacts, difficulty_word
from spadille.pages.game_tables import deal_tables, game_tables, rules_key
from spadille.pages.payoff_data import payoff_tables
from spadille.pages.starting_knowledge_data import bidders, known_by_seats, views
from spadille.pbn.write_deals import surrender_value
from spadille.render.text import printable


def data(
    deals: Sequence[DealFacts],
    *,
    quiz: bool = False,
    play: bool | str = False,
    rules: Rules | None = None,
) -> Any:
    """Return the data about each deal for the script: cards, contract, play and start of the quiz.

    `play` may be the seat to play from. `rules` apply to a page without deals.
    """
    of_deals = [facts.settled.deal.rules for facts in deals if facts.settled.deal is not None]
    every = {rules_key(one_rules): one_rules for one_rules in ([rules] if rules else of_deals)}
    return {
        "quiz": quiz,
        "play": play,
        "games": {key: game_tables(one_rules) for key, one_rules in every.items()},
        "deals": [_deal(number, facts) for number, facts in enumerate(deals, 1)],
    }


def _deal(number: int, facts: DealFacts) -> dict[str, Any]:
    settled = facts.settled
    deal, contract, posed = settled.deal, settled.contract, facts.record.posed
    fields: dict[str, Any] = {"number": number, "game": settled.game}
    if deal is not None:
        known = known_by_seats(deal, contract, Auction.of_entry(settled.calls))
        fields |= {
            **deal_tables(deal),
            "hands": {seat: hand and list(hand) for seat, hand in facts.hands.items()},
            "names": {
                seat: printable(name) for seat, name in settled.players.items() if name != seat
            },
            "exchanged": bool(deal.exchangers),
            "contract": contract and contract.to_dict(),
            "trumpBy": contract and contract.trump_by,
            "takenOver": _taken_over(facts),
            "play": list(facts.cards),
            "question": facts.question,
            "key": posed.key if posed else "",
            "label": facts.record.label,
            "themes": posed.themes if posed else (),
            "showsAll": posed is not None and posed.shows_all,
            "level": difficulty_word(posed.difficulty) if posed else "",
            "known": _known(facts),
            "marks": _marks(facts),
            "views": views(known) if known else None,
            "bidders": bidders(known) if known else None,
            "payoffs": payoff_tables(deal, contract) if known and contract else None,
        }
    return fields


def _taken_over(facts: DealFacts) -> dict[str, Any] | None:
    """Return the number of cards before a take-over, the new contract, and the Surrender tag."""
    contract, given, play = facts.settled.contract, facts.settled.surrender, facts.settled.play
    if contract is None or given is None or given.taken_over is None:
        return None
    return {
        "after": play.before(given, facts.settled.deal.rules) if play and facts.settled.deal else 0,
        # After a take-over, nobody can surrender again.
        "contract": {**contract.taken_over(given.taken_over).to_dict(), "takenOver": True},
        "surrender": surrender_value(given),
    }


def _marks(facts: DealFacts) -> dict[int, str]:
    """Return the marks of costly cards, by the number of cards before them."""
    steps = facts.score.review.steps if facts.score.review else ()
    return {number: step.mark for number, step in enumerate(steps) if step.mark}


def _known(facts: DealFacts) -> dict[int, tuple[str, str, dict[str, float]]]:
    """Return the chances at each decision, by the number of cards played before it.

    Each item has the best card, whether the played card was an error, and, for each legal card, the
    share of layouts in which the contract makes after it. If no chances were requested, the result
    is empty.
    """
    steps = facts.score.review.steps if facts.score.review else ()
    known = {
        number: (step.judged.best, str(step.judged.verdict), _rounded(step.judged.cards))
        for number, step in enumerate(steps)
        if step.judged
    }
    if facts.chances is not None:
        made = {card.card: card.made for card in facts.chances.cards}
        known[len(facts.cards)] = facts.chances.best.card, "", _rounded(made)
    return known


def _rounded(shares: Mapping[str, float]) -> dict[str, float]:
    return {card: round(share, 3) for card, share in shares.items()}
