"""A file as a session: the Color of German Solo that changes with the first contract made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from spadille.base.card_text import format_hand
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.games.model.game import Rules
from spadille.pbn import session_facts
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import read
from spadille_cli import main
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import tries

HEAD = '[Dealer "S"]\n[Game "german-solo"]\n'
DEAL = HEAD + '[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]\n'
CHANGING = '[Rules "color=changing"]\n'
FROG = DEAL + '[Declarer "E"]\n[Contract "frog"]\n[Trump "D"]\n[Called "HA"]\n'
SOLO = DEAL + '[Declarer "E"]\n[Contract "solo"]\n[Trump "H"]\n'
PLAY = '[Play "W"]\nD9 DQ D8 DT\nC8 C7 CK CJ\n'


def colors(*deals: str) -> list[str | None]:
    """Return the Color of each deal, or "?" if it is refused."""
    entries = read("\n".join(deals))
    assert all({fault.code for fault in entry.faults} <= {"option-unsettled"} for entry in entries)
    return ["?" if entry.faults else color(entry) for entry in entries]


def color(entry: Entry) -> str | None:
    assert entry.rules is not None
    assert entry.rules.options["color"] in ("none", entry.rules.color)
    return entry.rules.color


def test_the_first_contract_made_settles_the_color() -> None:
    lost, made = FROG + CHANGING + '[Result "4"]\n', FROG + CHANGING + '[Result "5"]\n'
    solo = SOLO + CHANGING + '[Result "8"]\n'
    assert colors(lost, lost, made, solo, lost) == [None, None, None, "D", "D"]
    assert colors(solo, made, lost) == [None, "H", "H"]
    # Later results need not be known.
    assert colors(solo, FROG + CHANGING, made) == [None, "H", "H"]


def test_a_solo_won_and_its_tout_lost() -> None:
    """An option decides whether such a player "manages to successfully make his bid"."""
    deal = HEAD + '[Deal "N:AKJ.98.AKT. Q7.AK7.87.Q T9.QJ.QJ.AK 8.T.9.JT987"]\n'
    solo = deal + '[Declarer "E"]\n[Contract "solo"]\n[Trump "H"]\n'
    five = '[Play "W"]\nC7 DT HK CK\nHT H8 CQ HJ\nC8 H9 H7 HQ\nC9 SJ SQ S9\nCT SK HA ST\n'
    stopped, gone_on = five + "*\n", five + "D9 DA D7 DJ\n*\n"
    tout = solo.replace('"solo"', '"tout"')
    for set_by, after in (("won-hand", None), ("bid-made", "H")):
        rules = f'[Rules "color=changing;color_set_by={set_by}"]\n'
        following = solo + rules
        assert colors(solo + rules + stopped, following) == [None, "H"]
        assert colors(solo + rules + gone_on, following) == [None, after]
        assert colors(tout + rules + gone_on, following) == [None, None]


def test_what_the_record_leaves_open_is_refused() -> None:
    silent, made = FROG + CHANGING, FROG + CHANGING + '[Result "5"]\n'
    assert colors(silent, made, made) == [None, "?", "?"]
    assert colors(DEAL + CHANGING, made) == [None, "?"]  # no contract
    assert colors(DEAL + CHANGING + '[Contract "Pass"]\n', made, made) == [None, None, "D"]
    (_, entry) = read(silent + '[Board "7"]\n\n' + made)
    (fault,) = entry.faults
    assert (fault.line, fault.column, fault.text) == (18, 9, "color=changing")
    assert fault.message == (
        "color is unknown here: deal 1 of the file (board 7) does not say whether its contract"
        " was made (Result or Play)"
    )
    assert entry.deal is None


def test_a_fault_names_the_first_deal_that_is_not_clear() -> None:
    changing = '[Rules "color_set_by=bid-made;color=changing"]\n'
    deals = read("\n".join((FROG + changing, FROG + changing, FROG + changing)))
    faults = [fault for entry in deals for fault in entry.faults]
    assert [(fault.text, fault.column) for fault in faults] == [("color=changing", 31)] * 2
    for fault in faults:
        assert fault.message.startswith("color is unknown here: deal 1 of the file does not say")


def test_a_play_with_a_fault_settles_nothing() -> None:
    play = PLAY + 'D7 H7 HT HA\n*\n[Result "5"]\n'
    first, second = read(FROG + CHANGING + play + "\n" + FROG + CHANGING)
    assert [fault.code for fault in first.faults] == ["card-not-held"]
    assert [fault.code for fault in second.faults] == ["option-unsettled"]


def test_a_result_that_contradicts_the_play_settles_nothing() -> None:
    deal = HEAD + '[Deal "N:AKJ.98.AKT. Q7.AK7.87.Q T9.QJ.QJ.AK 8.T.9.JT987"]\n'
    solo = deal + '[Declarer "E"]\n[Contract "solo"]\n[Trump "H"]\n' + CHANGING
    five = '[Play "W"]\nC7 DT HK CK\nHT H8 CQ HJ\nC8 H9 H7 HQ\nC9 SJ SQ S9\nCT SK HA ST\n*\n'
    assert colors(solo + '[Result "5"]\n' + five, solo) == [None, "H"]
    first, second = read(solo + '[Result "4"]\n' + five + "\n" + solo)
    assert [fault.code for fault in first.faults] == ["result-contradicts-play"]
    assert [fault.code for fault in second.faults] == ["option-unsettled"]


def test_the_current_trump_follows_from_the_deal_before() -> None:
    """The trumps come in the order H C D S NT; a contract without that trump is in no trump."""
    whole = "AKQJT98765432"
    solo = (
        f'[Game "anna-cubed"]\n[Dealer "N"]\n[Declarer "E"]\n[Contract "solo"]\n'
        f'[Deal "N:{whole}... .{whole}.. ..{whole}. ...{whole}"]\n'
    )
    misere, named = solo.replace('"solo"', '"misere"'), solo + '[CurrentTrump "D"]\n'
    entries = read("\n".join((solo, solo, misere, solo, named, solo)))
    assert [entry.faults for entry in entries] == [[]] * 6
    trumps = [entry.contract and entry.contract.trump for entry in entries]
    assert trumps == ["H", "C", "NT", "S", "D", "S"]


def test_other_deals_do_not_belong_to_the_session() -> None:
    made = FROG + CHANGING + '[Result "5"]\n'
    own = SOLO + '[Rules "color=S"]\n[Result "8"]\n'
    usual = SOLO + '[Result "8"]\n'
    assert colors(own, usual, made, own, usual, made) == ["S", "C", None, "S", "C", "D"]
    (entry, *_) = read(own.replace("german-solo", "mensch").replace("color=S", "") + "\n" + made)
    assert entry.rules is not None
    assert entry.rules.color is None


def test_the_option_may_come_from_outside() -> None:
    first, second = read(FROG + '[Result "5"]\n\n' + FROG, options={"color": "changing"})
    assert (color(first), color(second)) == (None, "D")
    _, second = read(FROG + "\n" + FROG, options={"color": "changing"})
    (fault,) = second.faults
    assert (fault.code, fault.line, fault.text) == ("option-unsettled", 10, "german-solo")


@pytest.mark.parametrize(
    ("play", "made"),
    [
        ("", None),
        (PLAY, None),
        (PLAY + '*\n[Result "5"]\n', True),
        (PLAY + '*\n[Result "4"]\n', False),
        (PLAY + "D7 H7 HT HA\n", None),  # invalid
    ],
)
def test_play_that_is_not_finished(play: str, made: bool | None) -> None:
    first, second = read(FROG + CHANGING + play + "\n" + FROG + CHANGING)
    assert (made is None) == bool(second.faults)
    if made is not None:
        assert color(second) == ("D" if made else None)
    assert color(first) is None


def test_bids_in_color() -> None:
    solo = SOLO + CHANGING + '[Result "8"]\n'
    bid = DEAL + CHANGING + '[Auction "W"]\nPass Pass solo-color Pass\n'
    _, entry, last = read("\n".join((solo, bid, bid.replace("color Pass", "H Pass"))))
    assert entry.faults == []
    assert entry.contract == last.contract == Contract(("E",), ("solo",), "H")
    (entry,) = read(bid)
    assert "call-no-color" in [fault.code for fault in entry.faults]


def test_the_command_scores_by_it(tmp_path: Path) -> None:
    solo = SOLO + CHANGING + '[Result "8"]\n'
    path = tmp_path / "session_facts.pbn"
    path.write_text("\n".join((SOLO + CHANGING, solo)), encoding="utf-8")
    result = CliRunner().invoke(main, ["solve", "--format", "json", str(path)])
    assert result.exit_code == 3
    assert [record["error"] and record["error"]["code"] for record in json.loads(result.stdout)] \
        == [None, "option-unsettled"]  # fmt: skip
    path.write_text("\n".join((solo, solo)), encoding="utf-8")
    result = CliRunner().invoke(main, ["solve", "--format", "json", str(path)])
    one, two = (record["score"]["E"] for record in json.loads(result.stdout))
    assert two == 2 * one


# Random play and its results, compared with a restatement of the rules


def says(
    contract: Contract,
    winners: list[str],
    led: bool,
    result: int | None,
    more: bool,
    bid_made: bool,
) -> bool | None:
    """Return whether a contract is made, by counting every way the rest may go."""
    side = [contract.declarer, contract.partner]
    if result is not None and not (
        sum(seat in side for seat in winners)
        <= result
        <= 8 - sum(seat not in side for seat in winners)
    ):
        result = None
    found = set()
    for rest in product((contract.declarer, "nobody"), repeat=8 - len(winners)):
        all_ = [*winners, *rest]
        if result is not None and sum(seat in side for seat in all_) != result:
            continue
        run = all_[:5] == [contract.declarer] * 5
        known = winners[:5] == [contract.declarer] * 5
        goes_on = known and run and (led or len(winners) > 5)
        if contract.ids == ("tout",) or goes_on or (known and more):
            # "Manages to successfully make his bid": a Frog or Solo was bid for five tricks.
            bid = bid_made and contract.ids != ("tout",)
            found.add(bid or all_.count(contract.declarer) == 8)
        if contract.ids != ("tout",) and not goes_on:
            found.add(sum(seat in side for seat in all_) >= 5)
    return found.pop() if len(found) == 1 else None


@pytest.mark.ci
@pytest.mark.parametrize("set_by", ["won-hand", "bid-made"])
def test_random_records(set_by: str) -> None:
    rng = Random("session")
    rules = rules_for("german-solo")
    changing = f'[Rules "color=changing;color_set_by={set_by}"]\n'
    seen = set()
    for _ in range(tries(150, 400)):
        deal = random_deal(rules, rng)
        trump, seat = rng.choice("SHDC"), rng.choice("NESW")
        strong = sorted(rules.deck, key=lambda card: (card not in rules.suits(trump)[trump],
                                                      rng.random()))  # fmt: skip
        if rng.random() < 0.7:  # a soloist who wins tricks
            rest = strong[6:]
            rng.shuffle(rest)
            hands: dict[str, tuple[str, ...] | None] = {}
            for number, one in enumerate([seat, *(s for s in "NESW" if s != seat)]):
                hands[one] = tuple((strong[:6] + rest)[8 * number : 8 * number + 8])
            deal = Deal(rules, deal.dealer, hands)
        kind = rng.choice(["frog", "solo", "tout"])
        called = "-" if kind != "frog" or rng.random() < 0.3 else rng.choice(
            rules.callable_cards(trump, deal.hands[seat] or ()))  # fmt: skip
        contract = Contract.make(deal, kind, seat, trump, called)
        position = Position.of(deal, contract)
        number = rng.choice([0, 4, 8, 18, 20, 20, 21, 24, 26, 28, 32])
        leader = position.to_play
        cells = dict.fromkeys("NESW", "-")
        rows = []
        for _ in range(number):
            if position.finished:
                break  # a Tout that is lost
            mover = position.to_play
            legal = position.legal()
            top = max(legal, key=lambda card: _rank(rules.suits(trump), card, trump))
            card = top if mover == seat else rng.choice(legal)
            cells[mover] = card
            position.play(card)
            if not position.trick:
                rows.append(" ".join(cells[one] for one in rules.in_turn(leader)))
                cells = dict.fromkeys("NESW", "-")
        if position.trick:
            rows.append(" ".join(cells[one] for one in rules.in_turn(leader)))
        result = rng.choice([None, rng.randint(0, 8)])
        winners = [trick.winner for trick in position.tricks]
        if position.finished and result is not None:
            result = sum(one in contract.side for one in winners)
        end = rng.choice("*+")
        bid_made = set_by == "bid-made"
        made = says(contract, winners, bool(position.trick), result, end == "+", bid_made)
        hands_text = " ".join(format_hand(deal.hands[one] or ()) for one in "NESW")
        text = f'[Game "german-solo"]\n{changing}[Dealer "{deal.dealer}"]\n'
        text += f'[Deal "N:{hands_text}"]\n[Declarer "{seat}"]\n[Contract "{kind}"]\n'
        text += f'[Trump "{trump}"]\n[Called "{called}"]\n'
        text += "" if result is None else f'[Result "{result}"]\n'
        text += f'[Play "{leader}"]\n' + "\n".join([*rows, end]) + "\n" if number else ""
        first, second = read(text + "\n" + SOLO + CHANGING)
        if first.faults:
            continue  # a result that contradicts the play
        seen.add((kind, made, number, end))
        assert bool(second.faults) == (made is None), text
        if made is not None:
            assert color(second) == (trump if made else None), text
    assert len(seen) > 50


def _rank(suits: Mapping[str, tuple[str, ...]], card: str, trump: str) -> tuple[bool, int]:
    suit = next(suit for suit, cards in suits.items() if card in cards)
    return suit == trump, -suits[suit].index(card)


def test_a_deal_that_could_not_be_read_settles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    works = session_facts._made

    def fails(entry: Entry) -> bool | None:
        if entry.index == 0:
            raise IndexError("no such card")
        return works(entry)

    monkeypatch.setattr(session_facts, "_made", fails)
    first, second = read(CHANGING + FROG + PLAY + "\n" + CHANGING + FROG)
    assert [fault.code for fault in first.faults] == ["internal"]
    assert [fault.code for fault in second.faults] == ["option-unsettled"]
    assert "deal 1 of the file does not say" in second.faults[0].message
    # An earlier contract that made has settled the Color.
    made = FROG + CHANGING + '[Result "5"]\n'
    adds = session_facts.Session.add

    def second_fails(kept: session_facts.Session, entry: Entry, rules: Rules) -> None:
        if entry.index == 1:
            raise IndexError("no such card")
        adds(kept, entry, rules)

    monkeypatch.setattr(session_facts, "_made", works)
    monkeypatch.setattr(session_facts.Session, "add", second_fails)
    _, failed, third = read("\n".join((made, made, made)))
    assert [fault.code for fault in failed.faults] == ["internal"]
    assert (third.faults, color(third)) == ([], "D")


def test_a_deal_that_could_not_be_read_passes_the_trump_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The current trump goes on from the unreadable deal, which had hearts."""

    cards = '[Game "anna-cubed"]\n[Dealer "N"]\n[Deal "N:- - - -"]\n'
    monkeypatch.setattr(
        session_facts, "current_trump", lambda entry: "H" if not entry.index else None
    )
    kept = session_facts.Session()
    first, second = read(f"{cards}\n{cards}")
    assert first.rules is not None
    assert kept.trump(first.rules) == "H"  # the first trump of an evening
    kept.failed(first)
    assert kept.trump(first.rules) == "C"
    kept.failed(second)  # its trump is the one that was due
    assert kept.trump(first.rules) == "D"


def test_a_contract_without_a_readable_deal_leaves_the_color_open() -> None:
    """With the partner named, the contract is complete although a card is in two hands."""
    twice = (FROG + CHANGING + '[Partner "S"]\n').replace("S:QT7", "S:QJ7")
    broken, second = read(twice + "\n" + FROG + CHANGING)
    assert (broken.deal, broken.contract is None) == (None, False)
    assert "internal" not in {fault.code for fault in broken.faults}
    assert [fault.code for fault in second.faults] == ["option-unsettled"]


def test_a_deal_without_rules_says_nothing_of_any_game() -> None:
    (entry,) = read('[Game "zebra"]\n[Board "7"]\n')
    assert entry.rules is None
    kept = session_facts.Session()
    kept.failed(entry)
    assert {*kept._silent.values()} == {"deal 1 of the file (board 7)"}
    assert {*kept._silent} == {*GAMES}
    other = kept.in_next_file()
    assert {*other._silent.values()} == {"deal 1 of file 1 (board 7)"}
    assert other._name(entry) == "deal 1 of file 2 (board 7)"


def test_a_deal_of_one_game_says_nothing_of_it() -> None:
    (entry,) = read(HEAD)
    kept = session_facts.Session()
    kept.failed(entry)
    assert kept._silent == {"german-solo": "deal 1 of the file"}
    kept.failed(entry)
    assert len(kept._silent) == 1
