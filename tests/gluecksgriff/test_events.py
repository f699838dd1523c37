"""The public events of each action, as each seat knows them."""

from collections import Counter

import pytest

from goldgriff.envs.match import Match

from ..envs.events import Row, seen
from ..tables import hand, play
from .tables import blanks, new_table, run_on_pile, small_deck, table_with, with_pile

BLUFF = {"bluffing": True}
PILE = "13 13 13 13 12 12 12 12"


def got(match: Match, seat: int, before: str) -> str:
    """The card that a seat has got."""
    (card,) = (Counter(hand(match, seat)) - Counter(before.split())).elements()
    return card


def turned(rows: list[Row], seat: int, players: int) -> list[Row]:
    """Events as seat 0 counts the seats, as another seat counts them."""

    def count_from_seat(whom: int) -> int:
        return (whom - 1 - seat) % players + 1 if whom else 0

    return [
        (kind, count_from_seat(actor), count_from_seat(other), card, count)
        for kind, actor, other, card, count in rows
    ]


def public(match: Match, players: int) -> list[Row]:
    """The events of the last decision, of which all seats know the same."""
    rows = seen(match)
    for seat in range(players):
        assert seen(match, seat) == turned(rows, seat, players)
    return rows


# --- G3 to G5: laying, taking, knocking ---------------------------------------------------------
@pytest.mark.rule("G3.1", "G4.1", "G5.5")
def test_a_set_is_laid_and_a_card_drawn_that_only_its_player_sees() -> None:
    match = play(table_with("5 5 joker 9", "1 2", "3 4"), "lay 5")
    assert public(match, 3) == [("LAY", 1, 0, "5", 1)]
    assert public(play(match, "add joker"), 3) == [("LAY", 1, 0, "joker", 1)]
    match = play(table_with("5 9", "1 2", "3 4"), "lay 5", "draw")
    assert seen(match) == [("DRAW", 1, 0, got(match, 0, "9"), 1)]
    assert seen(match, 1) == [("DRAW", 3, 0, "", 1)]
    assert seen(match, 2) == [("DRAW", 2, 0, "", 1)]
    assert public(play(match, "keep"), 3) == [("KEEP", 1, 0, "", 0)]


@pytest.mark.rule("G3.1", "G4.1", "G4.2")
def test_a_run_is_laid_and_a_card_taken() -> None:
    match = play(table_with("5 6 7 9", "1 2", "3 4", discard="8"), "lay 5", "run 6")
    assert public(match, 3) == [("LAY_RUN", 1, 0, "6", 1)]
    play(match, "run 7", "take")
    assert public(match, 3) == [("TAKE", 1, 0, "8", 1)]
    play(match, "lay 1", "take low")
    assert public(match, 3) == [("TAKE", 2, 0, "5", 1)]
    match = play(run_on_pile("5 6 7", "1 2", "3 4"), "lay 1", "take high")
    assert public(match, 2) == [("TAKE", 1, 0, "7", 1)]


@pytest.mark.rule("G5.1", "G5.2")
def test_knocks_and_extensions() -> None:
    match = play(table_with("7 9", "1 2", discard="7"), "lay 7", "knock")
    assert public(match, 2) == [("KNOCK", 1, 0, "", 0)]
    match = run_on_pile("5 6 7", "4 joker 9", "1 2")
    assert public(play(match, "low"), 2) == [("LAY_LOW", 1, 0, "4", 1)]
    assert public(play(match, "high joker"), 2) == [("LAY_HIGH", 1, 0, "joker", 1)]


@pytest.mark.rule("G5.4")
@pytest.mark.parametrize(
    ("pile", "laid", "knock", "kind"),
    [
        ("5", ["lay 5"], "knock", "LAY"),
        ("4", ["lay 5", "run 6", "run 7"], "knock low", "LAY_LOW"),
        ("8", ["lay 5", "run 6", "run 7"], "knock high", "LAY_HIGH"),
    ],
)
def test_a_drawn_card_is_laid_for_a_knock(
    pile: str, laid: list[str], knock: str, kind: str
) -> None:
    match = play(with_pile(pile, "5 6 7 9", "1 2", discard="14"), *laid, "draw", knock)
    assert public(match, 2) == [(kind, 1, 0, pile, 1), ("KNOCK", 1, 0, "", 0)]


@pytest.mark.rule("G5.7")
def test_a_late_knock_shows_its_penalty_card_to_its_player() -> None:
    settings = {"late_knock": 100}
    match = with_pile("9", "7 3", "1 2", discard="7", settings=settings)
    play(match, "lay 7", "knock")
    assert seen(match) == [("KNOCK", 1, 0, "", 0), ("PENALTY", 1, 0, "9", 1)]
    assert seen(match, 1)[1] == ("PENALTY", 2, 0, "", 1)
    match = with_pile("5 5", "5 3", "1 2", discard="14", settings=settings)
    play(match, "lay 5", "draw", "knock")  # the card that goes and the one that comes are alike
    assert seen(match) == [
        ("LAY", 1, 0, "5", 1),
        ("KNOCK", 1, 0, "", 0),
        ("PENALTY", 1, 0, "5", 1),
    ]


@pytest.mark.rule("G1.4")
def test_the_discard_pile_becomes_the_pile() -> None:
    rest = small_deck(4, 3)
    match = table_with("0 0", "1 1", discard="1 1 2 2 2 2 3 3 3 3 0 0", pile="", settings=rest)
    play(match, "lay 0", "draw")
    assert seen(match, 1)[0] == ("SHUFFLE", 0, 0, "", 12)
    assert seen(match)[1] == ("DRAW", 1, 0, got(match, 0, "0"), 1)
    # All cards are in hands or laid: nothing is drawn (G1.4).
    match = table_with("0 0 0 0 1 1", "1 1 2 2 2 2 3 3 3", discard="3", pile="", settings=rest)
    play(match, "lay 0", "add 0", "draw")
    assert seen(match) == [("SHUFFLE", 0, 0, "", 1), ("DRAW", 1, 0, "3", 1)]


# --- G6, G8: hourglass, call --------------------------------------------------------------------
@pytest.mark.rule("G6.1", "G6.3")
def test_an_hourglass_is_given_and_sat_out() -> None:
    match = play(table_with("hourglass 3", "1 2", "4 5"), "hourglass +1")
    assert public(match, 3) == [("GIVE", 1, 2, "hourglass", 1)]
    play(match, "draw", "sit out")
    assert public(match, 3) == [("DISCARD", 2, 0, "hourglass", 1), ("SIT_OUT", 2, 0, "", 0)]


@pytest.mark.rule("G6.4", "G5.7")
def test_an_hourglass_is_fended_off() -> None:
    front = ["hourglass", None]
    given = [("DISCARD", 1, 0, "hourglass", 1), ("FEND_OFF", 1, 0, "hourglass", 1)]
    match = table_with("hourglass 3", "1 2", front=front, phase="hourglass")
    assert public(play(match, "fend off"), 2) == given
    late = {"late_knock": 100}
    match = with_pile("9", "hourglass 3", "1", front=front, phase="hourglass", settings=late)
    assert seen(play(match, "fend off")) == [*given, ("PENALTY", 1, 0, "9", 1)]


@pytest.mark.rule("G6.6")
def test_playing_on_costs_a_penalty_card() -> None:
    match = with_pile(
        *("9", "8 3", "1 2"),
        front=["hourglass", None],
        phase="hourglass",
        settings={"penalties": True},
    )
    play(match, "play on")
    assert seen(match) == [("PLAY_ON", 1, 0, "", 0), ("PENALTY", 1, 0, "9", 1)]
    assert seen(match, 1)[1] == ("PENALTY", 2, 0, "", 1)


@pytest.mark.rule("G8.2", "G8.8")
def test_a_call_and_the_last_decision_of_the_game_are_events() -> None:
    match = play(table_with("1 2", "9 9", settings={"point_limit": 1}), "call")
    assert public(match, 2) == [("CALL", 1, 0, "", 0)]
    play(match, "lay 9", "draw", "keep")
    assert match.over
    assert public(match, 2) == [("KEEP", 2, 0, "", 0)]
    match = play(table_with("1 2", "9 9"), "call", "lay 9", "draw", "keep")
    assert not match.over
    assert len(match.events(0)) == 0  # a new round starts an empty history
    assert len(new_table(1).events(0)) == 0


@pytest.mark.rule("G8.2")
def test_a_last_turn_that_is_declined_is_an_event() -> None:
    match = play(table_with("1 2", "9 9", "8 8"), "call", "decline")
    assert public(match, 3) == [("DECLINE", 2, 0, "", 0)]


# --- G7: the Magic Hand -------------------------------------------------------------------------
@pytest.mark.rule("G7.1", "G7.2", "G7.3")
def test_the_magic_hand_shows_every_open_card_and_what_becomes_of_it() -> None:
    match = play(with_pile(PILE, "hand 9", "3 14", "2 joker", "hourglass 14"), "hand")
    assert public(match, 4) == [
        ("PLAY", 1, 0, "hand", 1),
        ("OPEN", 2, 0, "3", 1),
        ("OPEN", 3, 0, "2", 1),
        ("OPEN", 4, 0, "14", 1),
    ]
    play(match, "pick +2")
    drawn = [got(match, seat, cards) for seat, cards in ((1, "14"), (2, "joker"), (3, "hourglass"))]
    rows = [
        ("PICK", 1, 3, "2", 1),
        ("DISCARD", 2, 0, "3", 1),
        ("DISCARD", 4, 0, "14", 1),
        ("DISCARD", 1, 0, "hand", 1),
    ]
    for seat in range(4):
        draws = [("DRAW", k, 0, drawn[k - 2] if seat == k - 1 else "", 1) for k in (2, 3, 4)]
        assert seen(match, seat) == turned([*rows, *draws], seat, 4)


@pytest.mark.rule("G7.2", "G7.3")
@pytest.mark.parametrize("take", ["draw", "take"])
def test_instead_of_an_open_card_another_may_be_taken(take: str) -> None:
    match = play(with_pile(PILE, "hand 9", "3 14", discard="8"), "hand", take)
    first = ("DRAW", 1, 0, got(match, 0, "9"), 1) if take == "draw" else ("TAKE", 1, 0, "8", 1)
    assert seen(match) == [
        first,
        ("DISCARD", 2, 0, "3", 1),
        ("DISCARD", 1, 0, "hand", 1),
        ("DRAW", 2, 0, "", 1),
    ]


@pytest.mark.rule("G7.4", "G7.5")
def test_a_right_challenge_and_a_card_grabbed() -> None:
    match = with_pile(PILE, "hand 9", "14 1 2", "5 6", settings={**BLUFF, "hand_size": 4})
    play(match, "hand")
    assert public(match, 3) == [("PLAY", 1, 0, "hand", 1)]
    play(match, "open 14")
    assert public(match, 3) == [("OPEN", 2, 0, "14", 1)]
    play(match, "open 5", "challenge +1")
    assert public(match, 3) == [
        ("RIGHT_CHALLENGE", 1, 2, "", 0),
        ("DRAW", 2, 0, "", 2),
        ("LOOK", 1, 2, "", 4),
    ]
    play(match, "grab 1")
    assert seen(match)[:4] == [
        ("STEAL", 1, 2, "1", 1),
        ("DISCARD", 2, 0, "14", 1),
        ("DISCARD", 3, 0, "5", 1),
        ("DISCARD", 1, 0, "hand", 1),
    ]
    assert seen(match)[4:] == [("DRAW", 2, 0, "", 1), ("DRAW", 3, 0, "", 1)]
    assert seen(match, 1)[0] == ("STEAL", 3, 1, "1", 1)
    assert seen(match, 1)[4][3] in ("12", "13")
    assert seen(match, 2)[0] == ("STEAL", 2, 3, "", 1)


@pytest.mark.rule("G7.5")
def test_the_challenger_sees_the_one_card_that_fills_the_hand() -> None:
    match = with_pile(PILE, "hand 9", "14 1", "5 6", settings={**BLUFF, "hand_size": 2})
    play(match, "hand", "open 14", "open 5", "challenge +1")
    card = got(match, 1, "1")
    assert [seen(match, seat)[1][3] for seat in range(3)] == [card, card, ""]


@pytest.mark.rule("G7.5")
def test_a_victim_that_draws_what_was_grabbed_is_told_so() -> None:
    match = with_pile("1 1 1", "hand 9", "14 1 2", "5 6", settings={**BLUFF, "hand_size": 2})
    play(match, "hand", "open 14", "open 5", "challenge +1")
    assert [event[0] for event in seen(match)] == ["RIGHT_CHALLENGE", "LOOK"]  # the hand is full
    play(match, "grab 1")
    assert seen(match, 1)[4] == ("DRAW", 1, 0, "1", 1)


@pytest.mark.rule("G7.5")
def test_with_the_prize_both_an_open_card_is_picked_and_then_one_grabbed() -> None:
    settings = {**BLUFF, "hand_size": 3, "challenge_prize": "both"}
    match = with_pile(PILE, "hand 9", "14 1 2 3", "5 6", settings=settings)
    play(match, "hand", "open 14", "open 5", "challenge +1", "pick +2")
    assert public(match, 3) == [("PICK", 1, 3, "5", 1)]
    assert [row[:4] for row in seen(play(match, "grab 1"))] == [
        ("STEAL", 1, 2, "1"),
        ("DISCARD", 2, 0, "14"),
        ("DISCARD", 1, 0, "hand"),
        ("DRAW", 2, 0, ""),
        ("DRAW", 3, 0, ""),
    ]


@pytest.mark.rule("G7.6")
def test_a_wrong_challenge_costs_two_cards_and_the_open_ones_go_back() -> None:
    match = with_pile(PILE, "hand 9", "1 14 14", "5 6", settings=BLUFF)
    play(match, "hand", "open 1", "open 6", "challenge +1")
    assert public(match, 3) == [
        ("WRONG_CHALLENGE", 1, 2, "", 0),
        ("LOOK", 1, 2, "", 2),
        ("DRAW", 1, 0, "", 2),
        ("TAKE_BACK", 2, 0, "1", 1),
        ("TAKE_BACK", 3, 0, "6", 1),
        ("DISCARD", 1, 0, "hand", 1),
    ]


# --- G9: blank cards ----------------------------------------------------------------------------
@pytest.mark.rule("G9.8")
def test_a_blank_is_given_like_an_hourglass() -> None:
    match = table_with("blank1 3", "1 2", settings=blanks("sit_out"))
    assert public(play(match, "blank1 +1"), 2) == [("GIVE", 1, 2, "blank1", 1)]
    play(match, "draw", "sit out")
    assert public(match, 2) == [("DISCARD", 2, 0, "blank1", 1), ("SIT_OUT", 2, 0, "", 0)]


@pytest.mark.rule("G9.9")
@pytest.mark.parametrize("amount", [1, 3])
def test_a_blank_makes_a_player_draw(amount: int) -> None:
    match = table_with("blank1 3", "1 2", "4 5", settings=blanks("draw", amount=amount))
    play(match, "blank1 +1")
    card = got(match, 1, "1 2") if amount == 1 else ""
    assert seen(match) == [("PLAY", 1, 2, "blank1", 1), ("DRAW", 2, 0, "", amount)]
    assert seen(match, 1)[1] == ("DRAW", 1, 0, card, amount)


@pytest.mark.rule("G9.10", "G9.11")
def test_a_blank_looks_at_a_hand_or_swaps_it() -> None:
    match = table_with("blank1 3", "1 2 6", "4 5", settings=blanks("look"))
    play(match, "blank1 +1")
    assert public(match, 3) == [("PLAY", 1, 2, "blank1", 1), ("LOOK", 1, 2, "", 3)]
    match = play(table_with("blank1 3", "1 2 6", "4", settings=blanks("swap")), "blank1 +1")
    assert public(match, 3) == [
        ("PLAY", 1, 2, "blank1", 1),
        ("SWAP", 1, 2, "", 3),
        ("SWAP", 2, 1, "", 1),
    ]
