"""Every kind of error once, with its exact place in the file."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadille.base.card_text import sort_cards
from spadille.base.errors import ContractError, RulesError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.core.validate import contract_findings, deal_findings, faults, play_findings
from spadille.games import GAMES, rules_for
from spadille.pbn.hand_file import read

SUITS4 = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"
MIXED = "N:AK.AK.AK.AK QJ.QJ.QJ.QJ T9.T9.T9.T9 87.87.87.87"
SQUINT = "1:AKQJT98765... 432.AKQJT98.. .765432.AKQJ. ..T98765432.A ...KQJT987654"
OMBRE = "1:AKQJ.AKQJ.A. 765.7654..AK 432.3.KQ.QJ7"
OMBRE_TALON = "H2 DJ D2 D3 D4 D5 D6 D7 C2 C3 C4 C5 C6"


WHIST = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def whist(*tags: str, dealer: str = "N") -> str:
    return "\n".join(['[Game "solo-whist"]', f'[Dealer "{dealer}"]', f'[Deal "{WHIST}"]', *tags])


def german(*tags: str) -> str:
    return "\n".join(
        ['[Game "german-solo"]', '[Dealer "W"]', f'[Deal "{SUITS4}"]', *tags],
    )


def squint(*tags: str) -> str:
    head = ['[Game "squint"]', '[Dealer "5"]', f'[Deal "{SQUINT}"]', '[Talon "C3 C2"]']
    return "\n".join([*head, *tags])


def ombre(*tags: str) -> str:
    head = ['[Game "ombre"]', '[Dealer "1"]', f'[Deal "{OMBRE}"]', f'[Talon "{OMBRE_TALON}"]']
    return "\n".join([*head, *tags])


def solo(*tags: str) -> str:
    return german('[Declarer "N"]', '[Contract "solo"]', '[Trump "S"]', *tags)


def entrada(*tags: str) -> str:
    return ombre('[Declarer "3"]', '[Contract "entrada"]', '[Trump "S"]', *tags)


def vuelta(*tags: str) -> str:
    rules = '[Rules "vuelta_exchange=no"]'
    return ombre('[Declarer "3"]', '[Contract "vuelta"]', rules, *tags)


def duo(*tags: str) -> str:
    return squint('[Declarer "1"]', '[Contract "duo"]', '[Trump "S"]', '[Partner "2"]', *tags)


def ace(*tags: str) -> str:
    return squint('[Declarer "4 1"]', '[Contract "ace-solo misere"]', *tags)


def nemo(*tags: str) -> str:
    return squint('[Contract "nemo"]', '[Penalty "S"]', *tags)


def frog(*tags: str) -> str:
    return german('[Declarer "N"]', '[Contract "frog"]', *tags)


def mensch(*tags: str) -> str:
    return "\n".join(
        ['[Game "mensch"]', '[Dealer "W"]', f'[Deal "{SUITS4}"]', '[Declarer "N"]', *tags]
    )


# The text that an error must quote is between « and »; if a tag is missing, « » are empty and show
# the place of the error. The last item lists the codes of further errors.
CASES: list[tuple[str, str, tuple[str, ...]]] = [
    # Game and Rules
    ("game-missing", f'«»[Deal "{SUITS4}"]', ()),
    ("game-unknown", f'[Game "«skat»"]\n[Deal "{SUITS4}"]', ()),
    ("option-unknown", german('[Rules "color=S; «colour=S»"]'), ()),
    ("option-value", german('[Rules "«color=X» "]'), ()),
    ("option-duplicate", german('[Rules "color=S;«color=H»"]'), ()),
    ("option-unreadable", german('[Rules "«color»;call_rank=any"]'), ()),
    # Deal
    ("deal-missing", '«»[Game "mensch"]', ()),
    ("deal-unreadable", '[Game "mensch"]\n[Deal " «- - - -»"]', ()),
    ("seat-unknown", '[Game "mensch"]\n[Deal "«X»:- - - -"]', ()),
    ("deal-hands", '[Game "mensch"]\n[Deal "«N:- - -»"]', ()),
    ("hand-unreadable", '[Game "mensch"]\n[Deal "N:- «AK.QJ.T9» - -"]', ()),
    ("card-unreadable", '[Game "mensch"]\n[Deal "N:- A«y»KQJT987... - -"]', ()),
    (
        "card-duplicate",
        '[Game "german-solo"]\n[Deal "N:AKQJT987... .AKQJT987.. ..AKQJT987. «a»..7.AKQJT9"]',
        ("deck-incomplete",),
    ),
    (
        "card-not-in-deck",
        '[Game "german-solo"]\n[Deal "N:AKQJT987... .AKQJT98«6».. ..AKQJT987. ...AKQJT987"]',
        ("deck-incomplete",),
    ),
    (
        "hand-size",
        '[Game "german-solo"]\n[Deal "N:AKQJT987... «.AKQJT98..» ..AKQJT987. ...AKQJT987"]',
        ("deck-incomplete",),
    ),
    (
        "deck-incomplete",
        '[Game "german-solo"]\n[Deal "«N:AKQJT987... .AKQJT98.. ..AKQJT987. ...AKQJT987»"]',
        ("hand-size",),
    ),
    ("seat-unknown", german('[Contract "?"]').replace('"W"', '"«1»"'), ()),
    # Talon, stakes
    ("talon-size", ombre().replace(OMBRE_TALON, "«H2 DJ»"), ("deck-incomplete",)),
    ("deck-incomplete", ombre().replace(OMBRE_TALON, "«H2 DJ»"), ("talon-size",)),
    ("card-duplicate", squint().replace("C3 C2", "C3 «sA»"), ("deck-incomplete",)),
    ("card-duplicate", squint().replace("C3 C2", "«A»...3"), ("deck-incomplete",)),
    ("card-unreadable", squint().replace("C3 C2", "C3 «Z2»"), ()),
    ("current-trump-not-allowed", german('[CurrentTrump "«H»"]'), ()),
    ("turn-up-not-allowed", german('[TurnUp "«SA»"]'), ()),
    ("turn-up-not-held", whist('[TurnUp "«HA»"]'), ()),
    ("turn-up-not-held", whist('[TurnUp "«HA»"]', '[CurrentTrump "H"]'), ()),
    (
        "turn-up-contradicts-current-trump",
        whist('[TurnUp "S2"]', '[CurrentTrump "«H»"]'),
        (),
    ),
    ("card-unreadable", whist('[TurnUp "«S1»"]'), ()),
    (
        "card-unreadable",
        whist('[TurnUp "«S1»"]', '[Declarer "N"]', '[Contract "solo"]'),
        (),
    ),
    ("pool-not-allowed", german('[Pool "«3»"]'), ()),
    ("number-unreadable", ombre('[Pool "«lots»"]'), ()),
    # End positions
    ("leader-missing", '[Game "mensch"]\n«»[Deal "N:A... K... Q... J..."]', ()),
    (
        "won-too-many",
        '[Game "mensch"]\n[Deal "N:A... K... Q... J..."]\n[Leader "N"]\n[Won "«N:5;E:3»"]',
        (),
    ),
    (
        "hand-size",
        '[Game "mensch"]\n[Deal "N:A... K... «QT...» J..."]\n[Leader "N"]',
        (),
    ),
    ("seat-unreadable", german('[Won "N:0;«N»:0"]'), ()),
    ("seat-unknown", german('[Won "«X»:0"]'), ()),
    ("seat-unknown", german('[Leader "«X»"]'), ()),
    ("leader-contradicts-rules", solo('[Leader "«S»"]'), ()),
    # Exchange
    ("exchange-draw", ombre('[Drawn "2: H2 «sA»;3:DJ"]', '[Discard "2:S7 S6;3:S4"]'), ()),
    ("exchange-discard", ombre('[Drawn "2:H2"]', '[Discard "2:«S10»"]'), ()),
    ("exchange-count", ombre('[Drawn "«2»:H2"]', '[Discard "2:S7 S6"]'), ()),
    ("exchange-count", ombre('[Drawn "«2»:H2"]'), ()),
    (
        "hand-unreadable",
        ombre('[Drawn "2: H2;3:DJ"]', '[Discard "2:S7;3:S4"]').replace(OMBRE_TALON, "«K.HA.2»"),
        (),
    ),
    (
        "exchange-draw-unknown",
        ombre('[Discard "«2»:S7 S6"]').replace(f'[Talon "{OMBRE_TALON}"]\n', ""),
        (),
    ),
    (
        "exchange-hand-unknown",
        squint('[Drawn "«1»:C3"]', '[Discard "1:S5"]')
        .replace("AKQJT98765...", "-")
        .replace("432.AKQJT98..", "-"),
        (),
    ),
    ("from-hand-exchange", squint('[Drawn "1:C3"]', '[Discard "1:S5"]', '[FromHand "«1»"]'), ()),
    (
        "exchange-not-allowed",
        ombre(
            '[Drawn "3:H2;«1»:DJ"]',
            '[Discard "3:S4;1:SJ"]',
            '[Declarer "1"]',
            '[Contract "solo"]',
            '[Trump "S"]',
        ),
        (),
    ),
    (
        "exchange-too-many",
        squint(
            '[Drawn "«1»:C3 C2"]',
            '[Discard "1:S5 S6"]',
            '[Declarer "1"]',
            '[Contract "duo"]',
            '[Trump "S"]',
            '[Partner "2"]',
        ),
        ("exchange-too-many",),
    ),
    (
        "exchange-more-than-left",
        ombre('[Discard "1:SA SK SQ SJ HA HK HQ HJ;«2»:S7 S6 S5 S4 H7 H6"]'),
        (),
    ),
    ("exchange-order", entrada('[Drawn "1:H2;«3»:DJ"]', '[Discard "1:SJ;3:S4"]'), ()),
    ("exchange-order", entrada('[Discard "2:S6;1:SJ;«3»:S4"]'), ()),
    ("exchange-not-from-top", entrada('[Drawn "3:DJ H2 «D3»"]', '[Discard "3:S4 S3 S2"]'), ()),
    ("exchange-not-from-top", entrada('[Drawn "3:H2;2:«D2»"]', '[Discard "3:S4;2:S6"]'), ()),
    ("exchange-not-allowed", vuelta('[Discard "1:SJ;«3»:S4"]'), ()),
    ("exchange-put-away", duo('[Drawn "2:C2;1:«S4»"]', '[Discard "2:S4;1:S5"]'), ()),
    ("from-hand-not-allowed", duo('[FromHand "«1»"]'), ()),
    ("exchange-not-whole", ace('[Drawn "«1»:C3"]', '[Discard "1:S5"]'), ()),
    (
        "exchange-draw",
        nemo(
            '[Drawn "1:C3 C2;2:S5 «S7»;3:S2 S3;4:H2 H3;5:D2 D3"]',
            '[Discard "1:S5 S6;2:S2 S3;3:H2 H3;4:D2 D3;5:C4 C5"]',
        ),
        (),
    ),
    ("exchange-not-whole", ace('[Drawn "1:C3 C2;«4»:S6"]', '[Discard "1:S5 S6;4:S6"]'), ()),
    ("exchange-order", ace('[Discard "4:C3 C2;«1»:S5 S6"]'), ()),
    ("from-hand-not-allowed", ace('[FromHand "4 «2»"]'), ()),
    ("exchange-incomplete", nemo('[Discard "«1:S5 S6;2:S5 S6;3:S5 S6;4:S5 S6»"]'), ()),
    (
        "exchange-order",
        nemo('[Discard "1:S5 S6;3:S5 S6;«2»:S5 S6;4:S5 S6;5:S5 S6"]'),
        (),
    ),
    ("from-hand-not-allowed", nemo('[FromHand "«3»"]'), ()),
    ("from-hand-not-allowed", solo('[FromHand "«N»"]'), ()),
    ("seat-unknown", squint('[Drawn "«9»:C3"]'), ()),
    ("seat-unknown", squint('[FromHand "1 «7»"]'), ()),
    # Contract
    ("contract-unknown", german('[Declarer "N"]', '[Contract "«Grand»"]', '[Trump "S"]'), ()),
    ("contract-unknown", german('[Declarer "N"]', '[Contract "«4HX»"]', '[Trump "S"]'), ()),
    ("seat-unknown", german('[Declarer "«5»"]', '[Contract "solo"]', '[Trump "S"]'), ()),
    ("declarer-missing", german('«»[Contract "solo"]', '[Trump "S"]'), ()),
    ("declarer-count", german('[Declarer "«N  E»"]', '[Contract "solo"]', '[Trump "S"]'), ()),
    ("declarer-count", squint('[Declarer "«1 2»"]', '[Contract "ace-solo"]'), ()),
    ("declarer-duplicate", squint('[Declarer "1 «1»"]', '[Contract "ace-solo misere"]'), ()),
    (
        "declarer-count",
        squint('[Declarer "«1 2»"]', '[Contract "duo misere"]', '[Trump "S"]', '[Partner "3"]'),
        (),
    ),
    ("trump-missing", german('[Declarer "N"]', '«»[Contract "solo"]'), ()),
    ("trump-not-allowed", german('[Declarer "N"]', '[Contract "solo"]', '[Trump "«nt»"]'), ()),
    ("trump-not-allowed", mensch('[Contract "half"]', '[Trump "«H»"]', '[Called "DA"]'), ()),
    ("declarer-not-holder", mensch('[Contract "pass-out"]', '[Trump "S"]').replace(
        'Declarer "N"', 'Declarer "«N»"'), ()),
    ("called-missing", frog('[Trump "S"]').replace("[Contract", "«»[Contract"), ()),
    ("called-unexpected", solo('[Called "«HA»"]'), ()),
    ("card-unreadable", frog('[Trump "S"]', '[Called "«ace»"]'), ()),
    ("called-not-in-deck", frog('[Trump "S"]', '[Called "«H2»"]'), ()),
    ("called-trump", frog('[Trump "H"]', '[Called "«HA»"]'), ()),
    ("called-trump", frog('[Trump "H"]', '[Called "«CQ»"]'), ()),
    ("called-held", frog('[Trump "H"]', '[Called "«SA»"]'), ()),
    ("called-rank", frog('[Trump "S"]', '[Called "«H10»"]', '[Rules "call_rank=ace-only"]'), ()),
    ("called-suit-not-held", mensch('[Contract "half"]', '[Called "«HA»"]'), ()),
    (
        "partner-contradicts-called",
        frog('[Trump "S"]', '[Called "HA"]', '[Partner "«S»"]'),
        (),
    ),
    ("seat-unknown", frog('[Trump "S"]', '[Called "HA"]', '[Partner "«5»"]'), ()),
    (
        "partner-missing",
        squint('[Declarer "1"]', '«»[Contract "duo"]', '[Trump "S"]'),
        (),
    ),
    (
        "partner-invalid",
        squint('[Declarer "1"]', '[Contract "duo"]', '[Trump "S"]', '[Partner "«1»"]'),
        (),
    ),
    ("partner-unexpected", solo('[Partner "«E»"]'), ()),
    ("penalty-missing", squint('«»[Contract "nemo"]'), ()),
    ("penalty-invalid", squint('[Contract "nemo"]', '[Penalty "«NT»"]'), ()),
    ("penalty-unexpected", solo('[Penalty "«S»"]'), ()),
    # Play: N leads
    ("play-leader", solo('[Play "«E»"]', "HA DA CA SA"), ()),
    ("seat-unknown", solo('[Play "«5»"]', "SA HA DA CQ"), ()),
    ("card-unreadable", solo('[Play "N"]', "SA $3 «ZZ» DA CA"), ()),
    ("card-not-held", solo('[Play "N"]', "SA HA «CA» CK"), ()),
    ("card-revoke", solo('[Play "N"]', "SA HA DA «c10» {Spadille!}"), ()),
    ("result-contradicts-play", solo('[Result "«8»"]', '[Play "N"]', *(
        f"S{r} H{r} D{r} C{r}" for r in "AKQJT987"
    )), ("card-revoke",)),
    ("play-too-long", solo('[Play "N"]', *(
        f"S{r} H{r} D{r} C{r}" for r in "AKQJT987"
    ), "«SA»"), ("card-revoke",)),
    ("play-too-long", german('[Declarer "E"]', '[Contract "tout"]', '[Trump "S"]', '[Play "N"]',
        "SA HA DA CA", "«SK»"), ("card-revoke",)),
    (
        "card-called-duty",
        '[Game "mensch"]\n[Dealer "S"]\n[Deal "N:AKQJ.AKQJ.. T987.T987.. ..AKQJ.AKQJ ..T987.T987"]'
        '\n[Declarer "W"]\n[Contract "half"]\n[Called "DA"]\n[Play "W"]\nD7 HA HT «DK»',
        (),
    ),
]  # fmt: skip


CITATION = re.compile(r"(RULES [1-9][0-9]*(, [1-9][0-9]*)*|hand files|PBN): .")


@pytest.mark.parametrize(("code", "marked", "others"), CASES)
def test_fault_in_its_place(code: str, marked: str, others: tuple[str, ...]) -> None:
    before, text, _ = re.split("[«»]", marked)
    lines = before.split("\n")
    file = read(re.sub("[«»]", "", marked))
    found = file[0].faults
    expected = (code, text, len(lines), len(lines[-1]) + 1)
    assert expected in [(f.code, f.text, f.line, f.column) for f in found], found
    assert {f.code for f in found} == {code, *others}
    assert all(f.message and CITATION.match(f.rule) for f in found), found
    assert file.text == re.sub("[«»]", "", marked)


# Counts are meaningless if some of the cards are unreadable.
COUNTED = {
    *("hand-size", "talon-size", "deck-incomplete", "leader-missing", "won-too-many"),
    *("exchange-hand-unknown", "exchange-draw", "exchange-draw-unknown"),
    "exchange-more-than-left",
}


@pytest.mark.parametrize("code", sorted(COUNTED))
def test_cards_that_cannot_be_read_are_not_counted_as_well(code: str) -> None:
    marked = [text for one, text, _ in CASES if one == code]
    assert marked
    for text in marked:
        readable = re.sub("[«»]", "", text)
        slip = re.sub(r'(\[Deal "\w:)', r"\1y", readable, count=1)
        codes = {fault.code for fault in read(slip)[0].faults}
        assert code in {fault.code for fault in read(readable)[0].faults}
        assert code not in codes
        assert {one for one in codes if one.endswith("unreadable")}


def test_all_faults_of_a_deal_are_reported() -> None:
    text = (
        '[Game "german-solo"]\n[Dealer "X"]\n'
        '[Deal "N:AKQJT987... .AKQJT98.. ..AKQJT986. ...AKQJT987"]\n'
        '[Declarer "Z"]\n[Contract "grand"]\n'
    )
    codes = [fault.code for fault in read(text)[0].faults]
    assert codes == [
        "seat-unknown",
        "deck-incomplete",
        "hand-size",
        "card-not-in-deck",
        "seat-unknown",
        "contract-unknown",
    ]


def test_an_unreadable_call_leaves_the_deal() -> None:
    entry = read(frog('[Trump "S"]', '[Called "ace"]'))[0]
    assert entry.deal is not None
    assert entry.contract is None


def test_values_without_a_file() -> None:
    deal = Deal.parse(SUITS4, "german-solo", dealer="W")
    contract = Contract.make(deal, "solo", "N", "S")
    assert faults(deal, contract, ["SA", "HA", "DA", "CQ"]) == []
    assert [f.code for f in faults(deal, contract, ["SA", "HA", "DA", "C7"])] == ["card-revoke"]
    assert [f.code for f in faults(deal, contract, ["SA", "SK"])] == ["card-not-held"]
    twice = replace(deal, hands={**deal.hands, "W": ("SA", *deal.hands["W"][:-1])})
    assert [f.code for f in faults(twice)] == ["card-duplicate", "deck-incomplete"]
    unresolved = Contract(("N", "N"), ("solo", "bolero"), "", called="HA", penalty="S")
    assert {f.code for f in faults(deal, unresolved)} == {
        "contract-unknown",
        "declarer-count",
        "declarer-duplicate",
        "trump-missing",
        "called-unexpected",
        "penalty-unexpected",
    }


def test_revokes_are_all_reported_and_followed() -> None:
    deal = Deal.parse(MIXED, "mensch", dealer="W")
    contract = Contract.make(deal, "five", "N", "S")
    cards = ["HA", "SJ", "HT", "C8", "SA"]
    found = play_findings(deal, contract, cards)
    assert [(f.fault.text, f.nth) for f in found] == [("SJ", 1), ("C8", 3), ("SA", 4)]
    # Without all hands, the play is not checked.
    unknown = replace(deal, hands=deal.hands | {"S": None})
    assert play_findings(unknown, contract, cards) == []


def test_sound_deals_have_no_findings() -> None:
    for text, game in ((SUITS4, "mensch"), (MIXED, "german-solo"), (SQUINT, "squint")):
        assert deal_findings(Deal.parse(text, game)) == []
    unknown = Deal.parse("N:- AKQJT987... - -", "mensch")
    assert deal_findings(unknown) == []
    contract = Contract(("E",), ("five",), "S")
    assert contract_findings(unknown, contract) == []


@given(st.data(), st.sampled_from(sorted(GAMES)), st.integers(0, 1 << 30))
def test_findings_and_resolution_agree(data: st.DataObject, game: str, seed: int) -> None:
    rules = rules_for(game)
    size = data.draw(st.sampled_from([rules.game.hand_size, 3]))
    cards = random.Random(seed).sample(rules.deck, size * len(rules.seats))
    hands = {
        seat: sort_cards(cards[size * n : size * (n + 1)]) for n, seat in enumerate(rules.seats)
    }
    seats = st.sampled_from([*rules.seats, "X"])
    trumps = st.sampled_from(["", "S", "H", "C", "NT"])
    deal = Deal(rules, rules.seats[0], hands, leader=rules.seats[1] if size == 3 else None)
    assert deal_findings(deal) == []
    count = data.draw(st.sampled_from([1, 1, 1, 2]))
    contracts = st.sampled_from([*rules.contracts, "x"])
    contract = Contract(
        tuple(data.draw(st.lists(seats, min_size=count, max_size=count))),
        tuple(data.draw(st.lists(contracts, min_size=count, max_size=count))),
        data.draw(trumps),
        data.draw(st.sampled_from([None, *rules.deck, "Z9"])),
        data.draw(st.one_of(st.none(), seats)),
        data.draw(st.sampled_from([None, "S", "NT"])),
    )
    found = contract_findings(deal, contract)
    try:
        made = Contract.make(
            deal,
            contract.ids,
            contract.declarers,
            contract.trump or None,
            contract.called,
            contract.partner,
            contract.penalty,
        )
    except (ContractError, RulesError):
        made = None
    assert (made is None) == bool(found)
    if made is not None:
        Position.of(deal, made)
        assert contract_findings(deal, made) == []


def test_a_leader_is_judged_whatever_has_been_won() -> None:
    (entry,) = read(solo('[Leader "S"]', '[Won "N:4"]'))
    codes = [fault.code for fault in entry.faults]
    assert codes == ["leader-contradicts-rules", "won-too-many"]


@pytest.mark.parametrize("declarers", [(), ("X",)])
def test_a_leader_where_no_declarer_is_known(declarers: tuple[str, ...]) -> None:
    deal = replace(Deal.parse(SUITS4, "mensch"), leader="N")
    for contract_id in ("solo", "five"):
        found = contract_findings(deal, Contract(declarers, (contract_id,), "D"))
        codes = {finding.fault.code for finding in found} - {"leader-contradicts-rules"}
        assert codes == {"seat-unknown" if declarers else "declarer-missing"}
    assert contract_findings(deal, Contract((), (), "D"))  # no contract, either
