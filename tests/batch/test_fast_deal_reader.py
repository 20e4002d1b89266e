"""Reading and solving with frames gives the same results as the full reader."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from spadille.analysis.value.solve import solve
from spadille.base.card_text import format_hand
from spadille.base.errors import ContractError
from spadille.batch.answerer import Answerer
from spadille.batch.batch_question import Job
from spadille.batch.fast_deal_reader import Frames
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import GAMES
from spadille.pbn.hand_file import read
from spadille.pbn.write_deals import block


def lone(game, number, seed=0):
    """Return deals with a contract that calls no card, with all seats and trumps in turn."""
    random = Random(f"{game} {seed}")
    found = []
    while len(found) < number:
        deal = Deal.random(
            game, seed=random.getrandbits(32), dealer=random.choice(GAMES[game].seats)
        )
        if deal.rules.game.talon_size:
            deal = Deal(deal.rules, deal.dealer, deal.hands, current_trump=deal.current_trump)
        kind = random.choice([*deal.rules.contracts.values()])
        try:
            trump = random.choice(deal.rules.allowed_trumps(kind, deal))
            contract = Contract.make(deal, kind.id, random.choice(deal.rules.seats), trump)
        except ContractError:
            continue
        if kind.side not in ("called", "partner") and kind.holder is None and kind.aim != "misere":
            found.append((deal, contract))
    return found


def text_of(deal, contract, start=0):
    """Return the tags of a deal, with its hands starting from another seat."""
    seats = deal.rules.seats
    turned = seats[start:] + seats[:start]
    hands = " ".join(format_hand(deal.hands[seat]) for seat in turned)
    tags = {
        "Board": "7",
        "Game": deal.rules.game.id,
        "Deal": f"{turned[0]}:{hands}",
        "Dealer": deal.dealer,
        "CurrentTrump": deal.current_trump,
        "Contract": contract.ids[0],
        "Declarer": contract.declarer,
        "Trump": contract.trump,
    }
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items() if value)


@pytest.mark.parametrize("game", GAMES)
def test_deals_in_frames_are_read_alike(game):
    frames = Frames()
    read_so = 0
    for number, (deal, contract) in enumerate(lone(game, 12)):
        text = text_of(deal, contract, number % len(deal.rules.seats))
        found = frames.read(text)
        (entry,) = read(text)
        if found is not None:
            assert found.question == block((entry.deal, entry.contract))
            assert (found.board, found.frame.rules) == (entry.board, entry.rules)
            assert text.split("\n")[found.frame.row].startswith("[Deal ")
            read_so += 1
    assert read_so or game in ("quadrille", "quintille")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_of_one_deal_holds_for_others_of_its_frame(game):
    frames, answerer = Frames(), Answerer(Job.of("solve"))
    random = Random(game)
    first, contract = lone(game, 1, seed=2)[0]
    for number in range(20):
        deal = Deal.random(game, random.getrandbits(32), dealer=first.dealer)
        talon, trump = (), first.current_trump
        deal = replace(deal, talon=talon, talon_ordered=False, turn_up=None, current_trump=trump)
        text = text_of(deal, contract)
        if number % 5 == 1:
            text = text.replace("K", "A", 1)
        (entry,) = read(text)
        found = frames.read(text)
        if found is None:
            assert entry.faults or game in ("quadrille", "quintille")
            continue
        assert found.question == block((entry.deal, entry.contract))
        if number < 4:
            expected = solve(entry.deal, entry.contract).to_dict()
            for name in ("nodes", "ms"):
                del expected[name]
            assert json.loads(answerer.answer(found.question)) == expected


SOUND = text_of(*lone("german-solo", 1)[0])
HANDS = SOUND.partition('[Deal "')[2].partition('"')[0][2:].split(" ")


@pytest.mark.parametrize(
    ("old", "new"), [("K", "A"), (HANDS[3], "-"), (" ".join(HANDS[2:]), "- -")]
)
def test_a_frame_is_known_whatever_is_the_matter_with_its_first_deal(old, new):
    for sound in (False, True)[: 2 if new != "A" else 1]:
        frames = Frames(sound=sound)
        assert frames.read(SOUND.replace(old, new, 1)) is None
        assert frames.read(SOUND) is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Game "german-solo"]\n', ""),
        ('[Game "german-solo"]', '[Game "german-solo"]\n[Rules "color=changing"]'),
        ('[Dealer "', '[Dealer "?" ]\n[Dealer2 "'),
        ("A", "a"),
        ("A", "AA"),
        ("A", "B"),
        ("K", ""),
        (".", ""),
        (" ", "  "),
        ('[Deal "', '[Deal "Q:'),
        ('[Deal "', '[Dael "'),
        ('[Trump "', '[Trumps "'),
        ('[Contract "', '[Contract "grand '),
        ('[Declarer "', '[Declarer "X'),
        ('[Dealer "', '[Won "N:1"]\n[Dealer "'),
        ('[Dealer "', '[Discard "N:SA"]\n[Dealer "'),
        ('[Board "7"]', '[Board "7"]\n[Board "8"]'),
    ],
)
def test_what_is_not_sound_is_left_to_the_reader(old, new):
    frames = Frames()
    assert frames.read(SOUND) is not None
    assert old in SOUND
    where = SOUND.index("[Deal ") if old in ("A", "K", ".", " ") else 0
    at = SOUND.index(old, where + (7 if old == " " else 0))
    text = SOUND[:at] + new + SOUND[at + len(old) :]
    found = frames.read(text)
    assert found is None
    assert frames.read(text) is None


def test_a_card_that_is_held_twice_is_seen_in_a_known_frame():
    frames = Frames()
    hands = SOUND.partition('[Deal "')[2].partition('"')[0].split(" ")
    assert frames.read(SOUND) is not None
    twice = SOUND.replace(" ".join(hands), " ".join([*hands[:2], hands[1], hands[3]]))
    assert frames.read(twice) is None


def test_hands_nobody_knows_are_told_in_a_known_frame():
    answerer = Answerer(Job.of("solve"))
    deal, contract = lone("german-solo", 1)[0]
    sound = answerer.answer(block((deal, contract)))
    for hidden in ("NESW", "SW"):
        question = block((replace(deal, hands=deal.hands | dict.fromkeys(hidden)), contract))
        assert json.loads(answerer.answer(question))["error"]["code"] == "hand-unknown"
    assert answerer.answer(block((deal, contract))) == sound


@pytest.mark.parametrize("game", GAMES)
def test_deals_in_frames_are_solved_alike(game):
    answerer = Answerer(Job.of("solve"))
    for deal, contract in lone(game, 3, seed=1):
        if game == "solo-whist" and contract.trump is None:
            continue
        expected = solve(deal, contract).to_dict()
        for name in ("nodes", "ms"):
            del expected[name]
        for _ in range(2):
            assert json.loads(answerer.answer(block((deal, contract)))) == expected
