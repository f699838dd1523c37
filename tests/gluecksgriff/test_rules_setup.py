"""G0 and G1: the box and the setting up of a round."""

from collections import Counter
from typing import Any

import pytest

from goldgriff.envs.gluecksgriff.rules import Settings
from goldgriff.envs.match import Match
from goldgriff.errors import GoldgriffError

from ..tables import cards, field, hand, legal, play
from .tables import (
    blanks,
    discard,
    draw,
    new_table,
    round_over,
    small_deck,
    table_with,
    takes,
    top,
    turn_over,
    with_pile,
)


def deck_of(match: Match) -> Counter[str]:
    position = match.position()
    piles = [position["discard"], position["pile"], *position["hands"]]
    return Counter(card for cards in piles for card in cards)


# --- G0 -----------------------------------------------------------------------------------------
@pytest.mark.rule("G0.1")
def test_four_of_each_trick_card() -> None:
    deck = deck_of(new_table())
    values = [str(value) for value in range(15)]
    assert {card: deck[card] for card in values} == dict.fromkeys(values, 4)
    assert sum(deck[card] for card in values) == 60


@pytest.mark.rule("G0.2")
def test_nine_special_cards() -> None:
    deck = deck_of(new_table())
    special = {card: count for card, count in deck.items() if not card.isdigit()}
    assert special == {"joker": 4, "hourglass": 4, "hand": 1}
    assert deck.total() == 69


@pytest.mark.rule("G0.3")
def test_blanks_are_only_in_the_deck_when_asked_for() -> None:
    assert not any(card.startswith("blank") for card in deck_of(new_table()))
    deck = deck_of(new_table(**blanks(*["plain"] * 7)))
    assert {card for card in deck if card.startswith("blank")} == {
        f"blank{number}" for number in range(1, 8)
    }
    assert deck.total() == 76


@pytest.mark.rule("G0.4")
@pytest.mark.parametrize("players", range(2, 6))
def test_two_to_five_players(players: int) -> None:
    assert len(field(new_table(num_players=players), "hands")) == players


@pytest.mark.rule("G0.4")
@pytest.mark.parametrize(
    "wrong",
    [
        {"num_players": 1},
        {"num_players": 6},
        {"hand_size": 0},
        {"hand_size": 13},
        {"point_limit": 0},
        {"point_limit": 10_001},
        {"copies": -1},
        {"copies": 11},
        {"copies": 7},  # 114 cards
        {"highest_value": 15},
        {"jokers": 11},
        {"hourglasses": 11},
        {"magic_hands": 5},
        {"late_knock": 101},
        {"late_knock": -1},
        {"max_decisions": 0},
        {"bluffing": 2},
        {"last_turn": "free"},
        {"fend_off": True},
        {"challenge_prize": 1},
        {"joker_knock": "loose"},
        {"penalties": "yes"},
        {"num_players": 5, "hand_size": 12, "copies": 3, "jokers": 4, "hourglasses": 4},
    ],
    ids=str,
)
def test_settings_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(GoldgriffError):
        Settings(**wrong)


@pytest.mark.rule("G0.4")
def test_counts_are_settings() -> None:
    match = new_table(
        copies=2, highest_value=5, jokers=1, hourglasses=3, magic_hands=2, hand_size=3
    )
    expected = {**{str(value): 2 for value in range(6)}, "joker": 1, "hourglass": 3, "hand": 2}
    assert deck_of(match) == expected


@pytest.mark.rule("G0.4")
def test_a_deck_by_card() -> None:
    deck = {"3": 4, "0": 2, "joker": 1, "hand": 3}
    assert deck_of(new_table(num_players=2, hand_size=2, deck=deck)) == deck


@pytest.mark.rule("G0.4")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"deck": {"15": 9}}, "unknown card in deck: '15'"),
        ({"deck": {"blank1": 1}}, "unknown card in deck: 'blank1'"),
        ({"deck": {"3": 9, "hand": 5}}, "deck: hand must be a whole number from 0 to 4, not 5"),
        ({"deck": {"3": 9}, "copies": 2}, "deck counts all cards: leave out copies"),
        ({"deck": {"3": 2}}, "need a deck of at least 3 cards; this one has 2"),
        ({"deck": ["3"]}, "deck must be an object of cards and numbers"),
        ({"max_rounds": -1}, "max_rounds must be a whole number from 0"),
        ({"max_turns": 0.5}, "max_turns must be a whole number from 0"),
    ],
)
def test_wrong_settings_for_research_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(GoldgriffError, match=message):
        Settings(num_players=2, hand_size=1, **wrong)


@pytest.mark.rule("G0.4", "G1.1")
def test_a_card_must_be_left_to_turn_up() -> None:
    deck: dict[str, Any] = {"num_players": 3, "hand_size": 2, "copies": 1}
    deck |= {"jokers": 0, "hourglasses": 0}
    match = new_table(**deck, magic_hands=1, highest_value=5)  # 7 cards
    assert (len(field(match, "discard")), field(match, "pile")) == (1, [])
    with pytest.raises(GoldgriffError, match="need a deck of at least 7 cards; this one has 6"):
        new_table(**deck, magic_hands=0, highest_value=5)


# --- G1.1, G1.2 ---------------------------------------------------------------------------------
@pytest.mark.rule("G1.1")
@pytest.mark.parametrize("players", range(2, 6))
def test_seven_cards_each_one_turned_up_the_rest_face_down(players: int) -> None:
    position = new_table(num_players=players).position()
    assert [len(cards) for cards in position["hands"]] == [7] * players
    assert len(position["discard"]) == 1
    assert len(position["pile"]) == 69 - 7 * players - 1
    assert (position["last_play"], position["run"], position["layers"]) == (1, False, [None])


@pytest.mark.rule("G1.1", "G0.4")
@pytest.mark.parametrize("size", [1, 5, 12])
def test_the_size_of_hands_is_a_setting(size: int) -> None:
    hands = field(new_table(num_players=3, hand_size=size), "hands")
    assert [len(cards) for cards in hands] == [size] * 3


@pytest.mark.rule("G1.1")
def test_every_card_may_be_dealt_anywhere() -> None:
    turned_up, held = Counter[str](), Counter[str]()
    for seed in range(400):
        position = new_table(seed, num_players=2, **small_deck(1, 3)).position()
        turned_up.update(position["discard"])
        held.update(position["hands"][1])
    for counts in (turned_up, held):
        assert set(counts) == {"0", "1", "2", "3"}
        assert min(counts.values()) > 60


@pytest.mark.rule("G1.2")
def test_the_first_round_begins_with_seat_0_and_runs_clockwise() -> None:
    match = new_table(num_players=4, jokers=0, hourglasses=0, magic_hands=0)
    current_players = []
    for _ in range(6):
        current_players.append(match.current_player)
        match.play(min(move for move in match.legal if move.startswith("lay")))
        draw(match)
    assert current_players == [0, 1, 2, 3, 0, 1]


@pytest.mark.rule("G1.2")
@pytest.mark.parametrize("current_player", range(3))
@pytest.mark.parametrize(("number", "first"), [(1, 1), (2, 2), (3, 0), (4, 1)])
def test_the_deal_moves_on_with_every_round(current_player: int, number: int, first: int) -> None:
    match = table_with("7", "7", "7", current_player=current_player, round=number)
    play(match, "lay 7", "knock")
    assert (round_over(match), field(match, "round")) == (True, number + 1)
    assert match.current_player == first  # whoever ended the round
    assert [len(cards) for cards in field(match, "hands")] == [7, 7, 7]


# --- G1.3 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G1.3")
@pytest.mark.parametrize("card", ["joker", "hourglass", "hand", "blank1", "blank2"])
def test_a_special_card_turned_up_just_lies_there(card: str) -> None:
    hands = ("joker hourglass 3", "1 2", "4 5")
    match = table_with(*hands, discard=card, settings=blanks("joker", "sit_out"))
    assert (match.current_player, field(match, "phase"), field(match, "front")) == (
        0,
        "play",
        [None] * 3,
    )
    assert legal(play(match, "lay joker")) == {"draw", "add 3"}
    assert (draw(match).current_player, field(match, "sat_out")) == (1, [0, 0, 0])


@pytest.mark.rule("G1.3")
def test_special_cards_are_turned_up_in_real_deals() -> None:
    seen = set()
    for seed in range(200):
        match = new_table(seed, num_players=2)
        (card,) = field(match, "discard")
        if not card.isdigit():
            seen.add(card)
            assert (field(match, "phase"), field(match, "front")) == ("play", [None, None])
            play(match, min(move for move in match.legal if move.startswith("lay")))
            assert {"take", "knock"} & legal(match) == set()
    assert seen >= {"joker", "hourglass"}


# --- G1.4 ---------------------------------------------------------------------------------------
@pytest.mark.rule("G1.4")
def test_everything_under_the_cards_just_laid_becomes_the_pile() -> None:
    drawn = set()
    for seed in range(40):
        match = with_pile("", "3 3 9", "1", discard="5 6 7", rest_to=1, seed=seed)
        play(match, "lay 3", "add 3", "draw")
        assert discard(match) == "3 3"
        (got,) = Counter(hand(match, 0)) - Counter(["9"])
        drawn.add(got)
        assert sorted([got, *field(match, "pile")]) == ["5", "6", "7"]
    assert drawn == {"5", "6", "7"}


@pytest.mark.rule("G1.4")
def test_not_before_a_card_has_to_come_from_the_empty_pile() -> None:
    match = with_pile("2", "3 9", "4 5", discard="12 13 14")
    under = field(match, "discard")
    draw(play(match, "lay 3"))
    assert hand(match, 0) == cards("9 2")
    assert (field(match, "pile"), field(match, "discard")) == ([], [*under, "3"])
    play(match, "lay 4", "take")  # needs none
    assert field(match, "pile") == []


@pytest.mark.rule("G1.4", "G6.1")
def test_under_an_hourglass_given_the_last_play_stays() -> None:
    match = with_pile("", "hourglass 9", "1", discard="5 6 7", rest_to=1)
    play(match, "hourglass +1", "draw")
    assert discard(match) == "7"
    assert set(hand(match, 0)) in ({"9", "5"}, {"9", "6"})


@pytest.mark.rule("G1.4")
def test_a_run_that_is_the_last_play_stays_whole() -> None:
    match = with_pile(
        "", "hourglass 9", "1", discard="5 10 joker 12", rest_to=1, last_play=3, run=True
    )
    play(match, "hourglass +1", "draw")
    assert (discard(match), hand(match, 0)) == ("10 joker 12", cards("9 5"))
    assert (field(match, "last_play"), field(match, "run")) == (3, True)


@pytest.mark.rule("G1.4", "G4.4")
@pytest.mark.parametrize(
    ("layers", "taken"),
    [([2, 2, 1], {"take low"}), ([1, 2, 2], {"take high"})],
    ids=("high", "low"),
)
def test_who_laid_the_ends_of_a_run_is_known_after_the_pile_was_turned_over(
    layers: list[int], taken: set[str]
) -> None:
    """Seat 1 laid one end itself; of what lay below the run everything was laid by others."""
    match = with_pile(
        "", "hourglass 9", "8 0", "2", discard="11 12 13 14 5 6 7", rest_to=2, last_play=3,
        run=True, layers=[None, *([2 - layers[0] // 2] * 3), *layers],
    )  # fmt: skip
    play(match, "hourglass +2", "draw")
    assert (discard(match), field(match, "layers")) == ("5 6 7", layers)
    play(match, "lay 0")
    assert takes(match) == taken


@pytest.mark.rule("G1.4", "G4.4", "G5.7")
def test_so_it_is_when_a_late_knock_turns_the_pile_over() -> None:
    match = with_pile(
        "", "8 4 1", "0 2", discard="2 2 2 5 6 7", rest_to=1, last_play=3, run=True,
        layers=[1, 1, 1, 1, None, 1], settings={"late_knock": 100},
    )  # fmt: skip
    play(match, "low", "high", "knock")
    assert field(match, "layers") == [0, 1, None, 1, 0]


@pytest.mark.rule("G1.4", "G4.4")
def test_nor_is_ones_own_card_taken_that_was_left_when_the_pile_was_turned_over() -> None:
    for layer, taken in ((1, set[str]()), (2, {"take"})):
        match = with_pile(
            "", "hourglass 9", "8 0", "2", discard="11 12 13 7", rest_to=2,
            layers=[3 - layer, 3 - layer, 3 - layer, layer],
        )  # fmt: skip
        play(match, "hourglass +2", "draw", "lay 0")
        assert takes(match) == taken


@pytest.mark.rule("G1.4", "G5.7")
def test_a_run_just_extended_stays_whole() -> None:
    match = with_pile(
        "",
        "8 4 1",
        "0",
        discard="2 5 6 7",
        rest_to=1,
        last_play=3,
        run=True,
        settings={"late_knock": 100},
    )
    play(match, "low", "high", "knock")
    assert (discard(match), hand(match, 0)) == ("4 5 6 7 8", cards("1 2"))


@pytest.mark.rule("G1.4", "G5.7")
def test_what_was_knocked_on_goes_into_the_new_pile() -> None:
    match = with_pile("", "7 1", "0", discard="7", rest_to=1, settings={"late_knock": 100})
    play(match, "lay 7", "knock")
    assert (discard(match), hand(match, 0)) == ("7", cards("1 7"))


@pytest.mark.rule("G1.4", "G6.4", "G5.7")
def test_both_hourglasses_of_fending_off_stay() -> None:
    match = with_pile(
        "",
        "hourglass 9",
        "1",
        discard="5",
        rest_to=1,
        phase="hourglass",
        front=["hourglass", None],
        settings={"late_knock": 100},
    )
    play(match, "fend off")
    assert (discard(match), hand(match, 0)) == ("hourglass hourglass", cards("9 5"))
    assert field(match, "last_play") == 2


@pytest.mark.rule("G1.4", "G6.3")
def test_the_hourglass_of_who_sat_out_stays() -> None:
    match = with_pile(
        "",
        "9",
        "hourglass 1 2",
        "3",
        discard="5",
        rest_to=2,
        phase="hourglass",
        front=["hourglass", None, None],
    )
    play(match, "sit out", "hourglass +1", "draw")
    assert (discard(match), hand(match, 1)) == ("hourglass", cards("1 2 5"))


@pytest.mark.rule("G1.4", "G7.3")
def test_under_a_magic_hand_everything_becomes_the_pile() -> None:
    settings = small_deck(1, 6, magic_hands=1)
    match = table_with("hand 0", "1 2 3 4", discard="6 5", pile="", settings=settings)
    play(match, "hand", "draw")  # G7.2 comes before G7.3: the 5 is still the last play
    assert hand(match, 0) == cards("0 6")
    (got,) = set(hand(match, 1)) - set("234")
    assert got in ("1", "5")
    assert (discard(match), field(match, "pile")) == ("hand", ["1" if got == "5" else "5"])


@pytest.mark.rule("G1.4", "G7.6")
def test_first_the_pile_is_used_up() -> None:
    settings = small_deck(1, 6, magic_hands=1, bluffing=True)
    match = table_with("hand 0", "1 2 3", discard="5 6", pile="4", settings=settings)
    play(match, "hand", "open 1", "challenge +1")
    assert hand(match, 0) == cards("0 4 5")
    assert (discard(match), hand(match, 1)) == ("6 hand", cards("1 2 3"))


@pytest.mark.rule("G1.4", "G4.1")
def test_nothing_is_drawn_when_there_is_nothing() -> None:
    match = with_pile("", "3 9", "1", discard="", rest_to=1, last_play=0)
    play(match, "lay 3")
    assert {move for move in legal(match) if not move.startswith(("add", "run"))} == {"draw"}
    play(match, "draw")  # and nothing to ask about
    assert turn_over(match)
    assert (hand(match, 0), discard(match)) == (["9"], "3")


@pytest.mark.rule("G1.4", "G8.6")
def test_a_hand_that_is_empty_because_nothing_can_be_drawn_ends_the_round() -> None:
    settings = small_deck(1, 4)
    match = table_with("3", "1 2 0 4", discard="", pile="", last_play=0, settings=settings)
    play(match, "lay 3", "draw")
    assert round_over(match)
    assert (match.state.round_winner, match.scores) == (0, [0, 7])


@pytest.mark.rule("G1.4", "G8.6", "G7.3")
def test_an_empty_hand_of_another_player_does_so_too() -> None:
    settings = small_deck(1, 3, magic_hands=1)
    match = table_with("hand 3 2 0", "1", discard="", pile="", last_play=0, settings=settings)
    play(match, "hand", "pick +1")
    assert round_over(match)
    assert (match.state.round_winner, match.scores) == (1, [6, 0])


@pytest.mark.rule("G1.4")
def test_a_drawn_card_is_any_of_the_pile() -> None:
    drawn: Counter[str] = Counter()
    settings = small_deck(2, 3)
    for seed in range(300):
        match = table_with(
            "0 0", "1", discard="1", pile="2 3 3 2", last_play=1, settings=settings, seed=seed
        )
        draw(play(match, "lay 0"))
        (got,) = Counter(hand(match, 0)) - Counter(["0"])
        drawn[got] += 1
    assert set(drawn) == {"2", "3"}
    assert drawn["2"] == pytest.approx(150, abs=35)


@pytest.mark.rule("G1.4")
def test_the_new_pile_is_drawn_from_at_random_too() -> None:
    tops = Counter[str]()
    for seed in range(60):
        match = with_pile("", "hourglass 9", "1", discard="2 5 6", rest_to=1, seed=seed)
        play(match, "hourglass +1", "draw")
        assert top(match) == "6"
        tops.update(field(match, "pile"))
    assert min(tops["2"], tops["5"]) > 15


# --- Another game or round ------------------------------------------------------------------------
FRONT = ["hourglass", None, "hourglass"]


@pytest.mark.rule("G1.1")
def test_nothing_is_left_of_the_game_before() -> None:
    fresh = new_table(5, num_players=3, penalties=True)
    match = table_with(
        "0", "3", "9", discard="4 5 6", last_play=3, run=True, layers=[0, 1, 2], front=FRONT,
        sat_out=[0, 1, 1], must_sit_out=[1, 0, 0], caller=2, turns_left=1, current_player=1,
        scores=[10, 20, 30], settings={"penalties": True}, round=3, capped_rounds=1,
        known=[[[], ["3"], []], [[], [], []], [[], [], []]],
    )  # fmt: skip
    for _ in range(2):
        match.start(5)
        assert match.position() == fresh.position()
        for seat in range(3):
            assert (match.observe(seat)[0] == fresh.observe(seat)[0]).all()
        assert match.round_points == fresh.round_points == [0, 0, 0]
        assert (match.round_winner, match.score_sheet) == (-1, [])
        assert match.round_sheet == fresh.round_sheet
        position = {"hands": [["7"], ["3", "9"], ["14"]], "discard": ["7"], "scores": [0, 95, 3]}
        match.start(1, position)
        play(match, "lay 7", "knock")


@pytest.mark.rule("G1.1", "G8.9")
@pytest.mark.parametrize(
    "moves",
    [
        ("hand",),
        ("hand", "open 8", "open 9"),
        ("hand", "open 8", "open 9", "challenge +1"),
        ("hand", "open 8", "open 9", "challenge +1", "pick +2"),
    ],
    ids=len,
)
def test_a_magic_hand_that_the_cap_cuts_short_is_over_in_the_next_round(
    moves: tuple[str, ...],
) -> None:
    settings = {"bluffing": True, "challenge_prize": "both", "max_decisions": len(moves)}
    match = table_with("hand 5", "8 3", "9 9", settings=settings, scores=[0, 20, 30])
    play(match, *moves)
    position = match.position()
    assert (position["round"], position["capped_rounds"]) == (2, 1)
    assert position["open"] == [None, None, None]
    assert position["magician"] is position["challenged"] is None
    assert (position["phase"], position["current_player"]) == ("play", 1)
