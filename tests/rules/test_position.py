"""The rules of play, case by case, and properties of every game."""

from __future__ import annotations

from copy import copy
from itertools import product
from random import Random

import pytest

from spadille.base.errors import IllegalCardError, RulesError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.games.model.following_suit import MatadorRule
from tests.support.deals_and_outcomes import hands_of, random_deal


def legal_to(
    game: str, options: str, trump: str, played: str, hand: str, called: str | None = None
) -> set[str]:
    """Return the legal cards of `hand` when `played` lies on the table in order of play."""
    rules = rules_for(game, options)
    cards = played.split()
    filler = iter(
        card for card in reversed(rules.deck) if card not in {*cards, *hand.split(), called}
    )
    size = len(hand.split())
    hands = [" ".join([card, *(next(filler) for _ in range(size - 1))]) for card in cards]
    hands.append(hand)
    while len(hands) < len(rules.seats):
        hands.append(" ".join(next(filler) for _ in range(size)))
    leader = rules.turn_order[0]
    position = Position(rules, trump, hands_of(rules, *hands), leader, called)
    for card in cards:
        seat = position.to_play
        # In these tests, the cards already on the table need not have been legal.
        position.trick.append((seat, card))
        position.hands[seat].discard(card)
        position.to_play = rules.next_seat(seat)
    return set(position.legal())


# RULES 2: following suit


@pytest.mark.parametrize("game", sorted(GAMES))
def test_any_card_may_be_led(game: str) -> None:
    rules = rules_for(game)
    deal = random_deal(rules, Random(1))
    position = Position(rules, "S", {s: h or () for s, h in deal.hands.items()}, rules.seats[0])
    assert set(position.legal()) == set(deal.hands[rules.seats[0]] or ())


@pytest.mark.parametrize(
    ("game", "trump", "played", "hand", "legal"),
    [
        ("solo-whist", "S", "H5", "H2 HK SA D3", "H2 HK"),
        ("solo-whist", "S", "H5", "SA D3 C4", "SA D3 C4"),  # void: any card, no duty to trump
        ("solo-whist", "S", "S5", "S2 SA D3", "S2 SA"),
        ("solo-whist", "S", "S5", "H2 D3", "H2 D3"),
        ("solo-whist", "NT", "S5 S6", "S2 D3", "S2"),
        ("squint", "H", "DA H2", "D5 H7", "D5"),  # already trumped: follow suit all the same
        # Permanent trumps belong to the trumps and not to their printed suit.
        ("mensch", "H", "CA", "CQ H8 D9", "CQ H8 D9"),
        ("mensch", "H", "HA", "CQ D9 C8", "CQ"),
        ("mensch", "H", "CQ", "H7 CA C8", "H7"),
        ("mensch", "C", "C8", "CQ SQ SA", "CQ"),
        ("german-solo", "H", "SA", "SQ HA S9", "S9"),
        ("german-solo", "H", "SQ", "S9 H8 CK", "H8"),
        ("german-solo", "H", "H8", "SQ S9 CK", "SQ"),  # no privilege by default
        ("german-solo", "D", "CQ", "CA C9 D7", "D7"),
        ("ombre", "H", "CK", "CA C2 H3", "C2"),
        ("ombre", "S", "S2", "C2 H3 D7", "C2 H3 D7"),
        ("quadrille", "D", "SK", "SA CK HK", "SA CK HK"),  # SA is not a spade
    ],
)
def test_following(game: str, trump: str, played: str, hand: str, legal: str) -> None:
    assert legal_to(game, "", trump, played, hand) == set(legal.split())


# RULES 2: the Matador privilege. Trumps are hearts: SA, H7, CA are the matadors, HA the Punto.

ALL = "D2 C2"  # added to the trumps of a hand below
PRIVILEGE = [
    # rule, led, trumps held, trumps to choose from; None = any card
    # any-matador-led: an ordinary trump forces out no matador, any matador forces out all
    ("any-matador-led", "H2", "SA", None),
    ("any-matador-led", "H2", "H7", None),
    ("any-matador-led", "H2", "CA", None),
    ("any-matador-led", "HA", "CA", None),
    ("any-matador-led", "H2", "SA H7 CA", None),
    ("any-matador-led", "CA", "SA", "SA"),
    ("any-matador-led", "CA", "H7", "H7"),
    ("any-matador-led", "H7", "SA", "SA"),
    ("any-matador-led", "H7", "CA", "CA"),
    ("any-matador-led", "SA", "CA", "CA"),
    ("any-matador-led", "H7", "SA CA", "SA CA"),
    # higher-only: only a higher matador forces one out
    ("higher-only", "H2", "SA", None),
    ("higher-only", "H2", "CA", None),
    ("higher-only", "HA", "CA", None),
    ("higher-only", "CA", "SA", None),
    ("higher-only", "CA", "H7", None),
    ("higher-only", "CA", "SA H7", None),
    ("higher-only", "H7", "SA", None),
    ("higher-only", "H7", "CA", "CA"),
    ("higher-only", "SA", "H7", "H7"),
    ("higher-only", "SA", "CA", "CA"),
    ("higher-only", "SA", "H7 CA", "H7 CA"),
    # several matadors: the Basto can be forced out, and then the Spadille may be played for it
    ("higher-only", "H7", "SA CA", "SA CA"),
    # none: matadors follow like other trumps
    ("none", "H2", "SA", "SA"),
    ("none", "H2", "SA H7", "SA H7"),
    ("none", "CA", "SA", "SA"),
    # a matador and an ordinary trump: some trump must be played, possibly the matador
    ("any-matador-led", "H2", "SA H3", "SA H3"),
    ("higher-only", "H2", "SA H3", "SA H3"),
    ("higher-only", "CA", "SA H3", "SA H3"),
    # the fourth trump is never a matador: it follows, and it forces out none
    ("any-matador-led", "H2", "HA", "HA"),
    ("higher-only", "H2", "HA", "HA"),
    ("higher-only", "H2", "HA CA", "HA CA"),
    ("any-matador-led", "HA", "SA H7 CA", None),
    ("higher-only", "HA", "SA H7 CA", None),
]


@pytest.mark.parametrize("game", ["ombre", "quadrille", "quintille"])
@pytest.mark.parametrize(("rule", "led", "trumps", "must"), PRIVILEGE)
def test_privilege(game: str, rule: str, led: str, trumps: str, must: str | None) -> None:
    hand = f"{trumps} {ALL}"
    wanted = set((must or hand).split())
    assert legal_to(game, f"matador_rule={rule}", "H", led, hand) == wanted


def test_defaults_of_the_privilege() -> None:
    assert rules_for("ombre").following.matador_rule is MatadorRule.ANY_MATADOR_LED
    for game in ("quadrille", "quintille"):
        assert rules_for(game).following.matador_rule is MatadorRule.HIGHER_ONLY
    for game in ("mensch", "german-solo", "solo-whist", "squint", "anna-cubed"):
        assert rules_for(game).following.matador_rule is MatadorRule.NONE
    # The Basto is led, and the hand has the Spadille: this distinguishes the two rules.
    assert legal_to("ombre", "", "H", "CA", "SA D2") == {"SA"}
    assert legal_to("quadrille", "", "H", "CA", "SA D2") == {"SA", "D2"}


def test_black_king_is_no_matador() -> None:
    assert legal_to("ombre", "", "S", "S3", "SK D2") == {"SK"}
    assert legal_to("ombre", "", "S", "S3", "S2 D2") == {"S2", "D2"}  # but Manille is


def test_privilege_in_german_solo() -> None:
    assert legal_to("german-solo", "matador_rule=any-matador-led", "H", "H9", "SQ D9") == {
        "SQ",
        "D9",
    }
    assert legal_to("german-solo", "matador_rule=higher-only", "H", "CQ", "SQ D9") == {"SQ"}


def test_a_matador_may_ruff() -> None:
    assert legal_to("ombre", "", "H", "SK", "SA D2") == {"SA", "D2"}
    assert legal_to("quadrille", "", "H", "SK", "SA S7") == {"S7"}


@pytest.mark.parametrize(
    ("rule", "played", "hand", "led_card", "highest_so_far"),
    [
        # The Spadille falls on a low trump lead: only highest-so-far lets it force out the Basto.
        ("any-matador-led", "H2 SA", "CA D2", "CA D2", "CA"),
        ("higher-only", "H2 SA", "CA D2", "CA D2", "CA"),
        ("higher-only", "H2 CA", "H7 D2", "H7 D2", "H7 D2"),
        ("higher-only", "CA SA", "H7 D2", "H7 D2", "H7"),
        ("any-matador-led", "H2 HA", "CA D2", "CA D2", "CA D2"),
        # A trump played to a plain lead is not a trump lead.
        ("higher-only", "D3 SA", "CA C2", "CA C2", "CA C2"),
    ],
)
def test_matador_trigger(
    rule: str, played: str, hand: str, led_card: str, highest_so_far: str
) -> None:
    for trigger, wanted in (("led-card", led_card), ("highest-so-far", highest_so_far)):
        options = f"matador_rule={rule};matador_trigger={trigger}"
        assert legal_to("quadrille", options, "H", played, hand) == set(wanted.split())


@pytest.mark.parametrize(
    ("led", "hand", "bound", "free_unless_all_lower"),
    [
        ("H7", "SA CA D2", "SA CA", "SA CA D2"),  # the Spadille is not below the Manille
        ("SA", "H7 CA D2", "H7 CA", "H7 CA"),
        ("H7", "CA D2", "CA", "CA"),
        ("H7", "SA CA H3 D2", "SA CA H3", "SA CA H3"),  # an ordinary trump must follow as usual
        ("CA", "SA H7 D2", "SA H7 D2", "SA H7 D2"),
    ],
)
def test_mixed_matadors(led: str, hand: str, bound: str, free_unless_all_lower: str) -> None:
    for value, wanted in (
        ("must-play-a-trump", bound),
        ("free-unless-all-lower", free_unless_all_lower),
    ):
        found = legal_to("quadrille", f"mixed_matadors={value}", "H", led, hand)
        assert found == set(wanted.split())


# RULES 3: the called card. Clubs are trumps, SA is called.

MUST = ""
FREE = "called_partner_lead=free"
EARLY = "called_early_discard=allowed"
NO_DUTY = "called_card_duty=none"


@pytest.mark.parametrize(
    ("options", "played", "hand", "legal"),
    [
        # its suit is led: it must be played
        (MUST, "S8", "SA SK S7 D9", "SA"),
        (FREE, "S8", "SA SK S7 D9", "SA"),
        (EARLY, "S8", "SA SK S7 D9", "SA"),
        (NO_DUTY, "S8", "SA SK S7 D9", "SA SK S7"),
        (MUST, "S8 C8", "SA SK D9", "SA"),  # already trumped
        # the holder leads that suit
        (MUST, "", "SA SK S7 D9", "SA D9"),
        (FREE, "", "SA SK S7 D9", "SA SK S7 D9"),
        (EARLY, "", "SA SK S7 D9", "SA D9"),
        (NO_DUTY, "", "SA SK S7 D9", "SA SK S7 D9"),
        (MUST, "", "SA SK", "SA"),
        # another suit is led and the holder is void: not before its suit is led ...
        (MUST, "H8", "SA S7 D9", "S7 D9"),
        (MUST, "C8", "SA S7 D9", "S7 D9"),
        (EARLY, "H8", "SA S7 D9", "SA S7 D9"),
        (NO_DUTY, "H8", "SA S7 D9", "SA S7 D9"),
        # ... unless it is the only legal card
        (MUST, "H8", "SA", "SA"),
        # the holder can follow suit: nothing changes
        (MUST, "H8", "SA H9 HK", "H9 HK"),
    ],
)
def test_called_card(options: str, played: str, hand: str, legal: str) -> None:
    assert legal_to("mensch", options, "C", played, hand, "SA") == set(legal.split())


def test_the_duty_ends_with_the_called_card_and_binds_nobody_else() -> None:
    assert legal_to("mensch", "", "C", "S8", "SK S7 D9", "SA") == {"SK", "S7"}
    assert legal_to("mensch", "", "C", "", "SK S7 D9", "SA") == {"SK", "S7", "D9"}


def test_free_lead_keeps_the_duty() -> None:
    rules = rules_for("mensch", FREE)
    hands = hands_of(rules, "SK SA D9", "ST H8 H9", "S9 HT HJ", "S8 DT DJ")
    position = Position(rules, "C", hands, "N", "SA")
    for card in ("SK", "ST", "S9", "S8"):
        position.play(card)
    assert position.to_play == "N"
    assert position.legal() == ["SA", "D9"]


@pytest.mark.parametrize("game", ["german-solo", "quadrille", "quintille"])
def test_no_duty_by_default_elsewhere(game: str) -> None:
    bound = legal_to(game, "called_card_duty=first-lead", "H", "SJ", "SK S7 D7", "SK")
    assert bound == {"SK"}
    assert legal_to(game, "", "H", "SJ", "SK S7 D7", "SK") == {"SK", "S7"}


# Tricks


@pytest.mark.parametrize(
    ("game", "trump", "cards", "winner"),
    [
        ("solo-whist", "S", "H5 HK H2 HA", 3),
        ("solo-whist", "S", "H5 HK S2 HA", 2),
        ("solo-whist", "S", "H5 S3 S2 HA", 1),
        ("solo-whist", "S", "H5 DA CA DK", 0),
        ("solo-whist", "NT", "H5 DA SA HK", 3),
        ("mensch", "H", "HA H7 CQ HK", 2),
        ("mensch", "C", "CA C7 CK CJ", 1),
        ("mensch", "H", "SK SQ SA ST", 2),
        ("german-solo", "D", "DA SQ D7 DK", 2),
        ("german-solo", "D", "CK CQ CA CJ", 1),
        ("quadrille", "S", "HK HA HQ H2", 1),
        ("ombre", "S", "HK HA HQ", 0),
        ("ombre", "H", "H6 H2 HA", 2),
        ("ombre", "H", "CA H7 SA", 2),
        ("ombre", "S", "S3 S7 SK", 2),
        ("ombre", "S", "C2 C3 C7", 2),
        ("ombre", "S", "H7 H2 D2", 1),
        ("quintille", "D", "D3 D4 D2 D5 D6", 2),
    ],
)
def test_winners(game: str, trump: str, cards: str, winner: int) -> None:
    rules = rules_for(game)
    order = rules.turn_order
    position = Position(rules, trump, hands_of(rules, *cards.split()), order[0])
    for card in cards.split():
        position.play(card)
    assert position.tricks[0].winner == position.to_play == order[winner]
    assert position.tricks[0].leader == order[0]
    assert position.won == {seat: int(seat == order[winner]) for seat in rules.seats}
    assert position.finished


def test_the_winner_leads_next_and_play_goes_round() -> None:
    rules = rules_for("quadrille")
    hands = hands_of(rules, "SK S3", "SQ S4", "SJ S5", "SA S6")
    position = Position(rules, "S", hands, "N", won={"N": 3})
    seen = []
    for card in ("SK", "SQ", "SJ", "SA"):
        seen.append(position.to_play)
        position.play(card)
    assert seen == ["N", "W", "S", "E"]
    assert position.leader == "E"
    assert position.won["N"] == 3
    assert position.won["E"] == 1


@pytest.mark.parametrize("text", ["", "X9", "d9"])
def test_text_that_is_no_card_cannot_be_played(text: str) -> None:
    deal = Deal.random("german-solo", 1)
    position = Position.of(deal, Contract.make(deal, "solo", "N", "H"))
    with pytest.raises(IllegalCardError) as caught:
        position.play(text)
    assert (str(caught.value), caught.value.code) == (
        f"{text!r} is not a card such as 'D9'",
        "card-unreadable",
    )


def test_illegal_cards_name_the_rule() -> None:
    rules = rules_for("mensch")
    hands = hands_of(rules, "S8 D7", "SA SK", "S9 HK", "HA D8")
    position = Position(rules, "C", hands, "N", called="SA")
    position.play("S8")
    for card, code, words in (
        ("D8", "card-not-held", "E does not hold D8"),
        ("SK", "card-called-duty", "called card SA"),
    ):
        with pytest.raises(IllegalCardError, match=words) as caught:
            position.play(card)
        assert caught.value.code == code
    position.play("SA")
    with pytest.raises(IllegalCardError, match="spades were led") as caught:
        position.play("HK")
    assert caught.value.code == "card-revoke"
    for _ in range(2):
        position.undo()
    assert position.to_play == "N"
    with pytest.raises(IllegalCardError) as caught:
        position.undo()
    assert caught.value.code == "nothing-to-undo"


def test_positions_that_cannot_be() -> None:
    rules = rules_for("mensch")
    with pytest.raises(RulesError, match="same number of cards"):
        Position(rules, "S", hands_of(rules, "SA", "SK SQ", "SJ", "ST"), "N")
    with pytest.raises(RulesError, match="H2"):
        Position(rules, "S", hands_of(rules, "SA", "H2", "SJ", "ST"), "N")
    with pytest.raises(RulesError, match="'1'"):
        Position(rules, "S", hands_of(rules), "1")
    deal = Deal.parse("N:A... K... - Q...", "mensch")
    with pytest.raises(RulesError, match="S's hand"):
        Position.of(deal, Contract(("N",), ("five",), "H"))


def test_position_of_an_end_position() -> None:
    deal = Deal.parse("N:A... K... Q... J...", "mensch", leader="S", won={"N": 4, "E": 3})
    position = Position.of(deal, Contract.make(deal, "five", "N", trump="H"))
    assert position.to_play == "S"
    assert (position.won["N"], position.won["E"]) == (4, 3)


# Properties of every game, with any options of play


def _snapshot(position: Position) -> tuple[object, ...]:
    return (
        position.to_play,
        {seat: set(hand) for seat, hand in position.hands.items()},
        list(position.trick),
        list(position.tricks),
        dict(position.won),
    )


PLAY_OPTIONS = (
    "matador_rule",
    "matador_trigger",
    "mixed_matadors",
    "called_card_duty",
    "called_partner_lead",
    "called_early_discard",
)


def _all_rules(name: str) -> list[str]:
    """Return all combinations of the options that affect play."""
    options = [GAMES[name].options[key] for key in PLAY_OPTIONS if key in GAMES[name].options]
    return [
        ";".join(f"{option.name}={value}" for option, value in zip(options, values, strict=True))
        for values in product(*(option.values for option in options))
    ]


def test_a_copy_is_played_on_without_the_original() -> None:
    deal = Deal.random("german-solo", seed=1)
    position = Position.of(deal, deal.contract("solo", "N", trump="H"))
    for _ in range(7):
        position.play(position.legal()[0])
    before = _snapshot(position)
    made = copy(position)
    assert _snapshot(made) == before
    while not made.finished:
        made.play(made.legal()[0])
    assert _snapshot(position) == before
    for _ in range(7):
        position.undo()
    assert made.finished


@pytest.mark.parametrize("name", sorted(GAMES))
def test_random_play_in_every_game(name: str) -> None:
    rng = Random(name)
    variants = _all_rules(name)
    for number in range(max(20, len(variants))):
        rules = rules_for(name, variants[number % len(variants)])
        deal = random_deal(rules, rng)
        trump = rng.choice(rules.trumps)
        called = None
        if rules.game.calls:
            plain = [card for card in rules.deck if rules.suit_of(trump)[card] != trump]
            called = rng.choice(plain)
        hands = {seat: hand or () for seat, hand in deal.hands.items()}
        position = Position(rules, trump, hands, rules.eldest(deal.dealer), called)
        history = []
        while not position.finished:
            legal = position.legal()
            assert legal
            assert set(legal) <= position.hands[position.to_play]
            history.append(_snapshot(position))
            position.play(rng.choice(legal))
        assert len(position.tricks) == sum(position.won.values()) == rules.game.hand_size
        assert position.legal() == []
        played = {card for trick in position.tricks for card in trick.cards}
        assert played == {card for hand in hands.values() for card in hand}
        while history:
            position.undo()
            assert _snapshot(position) == history.pop()
