"""The cards of Ombre, Quadrille and Quintille: 40 cards, without 8, 9 and T.

Red trumps, from high to low: SA Spadille, 7 Manille, CA Basto, A Punto, K Q J 2 3 4 5 6. Black
trumps: SA Spadille, 2 Manille, CA Basto, K Q J 7 6 5 4 3. The three highest are the matadors, and
the black aces are always trumps. Plain black suits rank K Q J 7 6 5 4 3 2, plain red suits K Q J A
2 3 4 5 6 7 (king-high) or A K Q J 2 3 4 5 6 7 (ace-high).
"""

from __future__ import annotations

from spadille.games.model.contract_types_and_options import Option, option

RANKS = "AKQJ765432"

_RED_TRUMPS = "SA *7 CA *A *K *Q *J *2 *3 *4 *5 *6"
_BLACK_TRUMPS = "SA *2 CA *K *Q *J *7 *6 *5 *4 *3"
TRUMP_RANKING = {
    "S": _BLACK_TRUMPS,
    "H": _RED_TRUMPS,
    "D": _RED_TRUMPS,
    "C": _BLACK_TRUMPS,
}

_BLACK_PLAIN = "KQJ765432"
_RED_PLAIN = {"king-high": "KQJA234567", "ace-high": "AKQJ234567"}


def plain_ranking(red_order: str) -> dict[str, str]:
    """Return the plain ranks; red suits rank as given."""
    red = _RED_PLAIN[red_order]
    return {"S": _BLACK_PLAIN, "H": red, "D": red, "C": _BLACK_PLAIN}


PLAIN_VARIANTS = {("red_plain_order", order): plain_ranking(order) for order in _RED_PLAIN}


def red_plain_order(default: str) -> Option:
    """Return the option for the highest card in a plain red suit: the king or the ace."""
    others = (order for order in _RED_PLAIN if order != default)
    return option("red_plain_order", default, *others, text="the highest card of a plain red suit")
