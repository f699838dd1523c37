"""A0 and A1: the box and the setting up of a round."""

from collections import Counter
from typing import Any

import pytest

from goldgriff.envs.auruxxx.rules import ACTIONS, CARDS, Settings
from goldgriff.errors import SettingsError

from ..tables import field, hand, legal, play
from .tables import new_table, table_with

BOX = {
    **{f"{colour}{number}": 2 for colour in "rygbv" for number in range(13)},
    **{f"{colour}50": 1 for colour in "rygbv"},
    **{f"{colour}H": 1 for colour in "rygbv"},
    "gold": 5,
    "blessing": 5,
    "steal": 5,
    "swap": 5,
}


def all_cards(position: dict[str, Any]) -> Counter[str]:
    piles = [*position["hands"], position["pile"], position["discard"]]
    return Counter(card for pile in piles for card in pile)


# --- A0 -----------------------------------------------------------------------------------------
@pytest.mark.rule("A0.1", "A0.2", "A0.3", "A0.4", "A0.5")
@pytest.mark.parametrize("players", range(2, 7))
def test_the_box_is_what_is_dealt(players: int) -> None:
    assert all_cards(new_table(num_players=players).position()) == BOX
    assert sum(BOX.values()) == 160


@pytest.mark.rule("A0.1", "A0.2", "A0.3", "A0.4", "A0.5")
def test_every_card_has_one_name() -> None:
    assert len(CARDS) == len(set(CARDS)) == len(BOX)
    assert set(CARDS) == set(BOX)
    assert len(set(ACTIONS)) == len(ACTIONS)


@pytest.mark.rule("A0.6", "A5.7")
def test_there_is_one_figure() -> None:
    table = table_with("rH r0 r1", "gH r0 r1", discard="r7")
    assert field(play(table, "lay rH"), "figure") == 0
    assert field(play(table, "lay gH"), "figure") == 1


@pytest.mark.rule("A0.6")
@pytest.mark.parametrize("players", range(2, 7))
def test_every_player_has_a_score_sheet(players: int) -> None:
    table = new_table(num_players=players)
    assert table.scores == [0] * players
    assert field(table, "crosses") == [0] * players


@pytest.mark.rule("A0.7")
def test_defaults_are_the_box() -> None:
    settings = Settings()
    assert (settings.hand_size, settings.rounds) == (12, 3)
    assert (settings.edition, settings.after_action) == ("german", "free")
    assert settings.blessing_draws == "others"


@pytest.mark.rule("A0.7")
@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(SettingsError, match="num_players"):
        Settings(num_players=players)


@pytest.mark.rule("A0.7")
def test_a_small_variant() -> None:
    table = new_table(
        num_players=3,
        hand_size=2,
        colours=2,
        highest_number=1,
        number_copies=3,
        fifties=2,
        happy_men=0,
        golden_twelves=4,
        blessings=1,
        steals=2,
        swaps=0,
    )
    position = table.position()
    assert all_cards(position) == {
        **{"r0": 3, "r1": 3, "y0": 3, "y1": 3, "r50": 2, "y50": 2},
        **{"gold": 4, "blessing": 1, "steal": 2},
    }
    assert [len(cards) for cards in position["hands"]] == [2, 2, 2]


@pytest.mark.rule("A0.7")
def test_a_deck_by_card() -> None:
    deck = {"swap": 1, "r0": 3, "y50": 2, "bH": 1, "gold": 2}
    table = new_table(num_players=3, hand_size=2, deck=deck)
    assert all_cards(table.position()) == deck
    assert Settings(deck=deck, num_players=2, hand_size=1) == Settings(
        deck=(("r0", 3), ("y50", 2), ("bH", 1), ("gold", 2), ("swap", 1)),
        num_players=2,
        hand_size=1,
    )


@pytest.mark.rule("A0.7")
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"deck": {"r0": 9}}, "the deck must hold a Golden 12, gold"),
        ({"deck": {"r13": 9, "gold": 1}}, "unknown card in deck: 'r13'"),
        ({"deck": {"r0": 11, "gold": 1}}, "deck: r0 must be a whole number from 0 to 10, not 11"),
        ({"deck": {"r0": True, "gold": 1}}, "deck: r0 must be a whole number from 0 to 10"),
        ({"deck": {"r0": 9, "gold": 0}}, "deck: gold must be a whole number from 1 to 40, not 0"),
        ({"deck": {"r0": 9, "gold": 1}, "swaps": 2}, "deck counts all cards: leave out swaps"),
        ({"deck": {"r0": 2, "gold": 9}}, "need a deck with more than 2 cards"),
        ({"deck": "r0"}, "deck must be an object of cards and numbers, not 'r0'"),
        ({"deck": 3}, "deck must be an object of cards and numbers, not 3"),
        ({"max_passes": 4}, "max_passes must be a whole number from 0 to 3, not 4"),
        ({"max_draws": 0}, "max_draws must be a whole number from 1 to 2, not 0"),
        ({"cards_per_two": 5}, "cards_per_two must be a whole number from 1 to 4, not 5"),
        ({"max_turns": -1}, "max_turns must be a whole number from 0"),
    ],
)
def test_wrong_settings_for_research_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Settings(num_players=2, hand_size=1, **wrong)


@pytest.mark.rule("A0.7", "A7.5")
@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_the_number_of_rounds_is_a_setting(rounds: int) -> None:
    hands = ("gold", "r0")
    table = table_with(*hands, settings={"rounds": rounds}, round=rounds)
    assert play(table, "lay gold").over
    if rounds > 1:
        table = table_with(*hands, settings={"rounds": rounds}, round=rounds - 1)
        assert not play(table, "lay gold").over
        assert field(table, "round") == rounds


ONE_EACH: dict[str, Any] = {  # five cards beside the Golden 12: r0, r1, blessing, steal, swap
    "colours": 1,
    "highest_number": 1,
    "number_copies": 1,
    "fifties": 0,
    "happy_men": 0,
    "golden_twelves": 1,
    "blessings": 1,
    "steals": 1,
    "swaps": 1,
}


@pytest.mark.rule("A0.7", "A1.2")
def test_a_deck_that_can_just_be_dealt() -> None:
    for seed in range(50):
        table = new_table(seed, num_players=2, hand_size=2, **ONE_EACH)
        assert field(table, "discard") != ["gold"]


@pytest.mark.rule("A0.7")
@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"hand_size": 3}, "2 hands of 3 cards"),  # six cards, all dealt: nothing to turn up
        ({"hand_size": 4}, "2 hands of 4 cards"),
        ({"hand_size": 3, "swaps": 2}, "need a deck with more than 6 cards beside the Golden 12s"),
        ({"hand_size": 3, "golden_twelves": 20}, "2 hands of 3 cards"),  # they might turn up only
        ({"golden_twelves": 0}, "golden_twelves"),
        ({"hand_size": 0}, "hand_size"),
        ({"rounds": 0}, "rounds"),
        ({"colours": 6}, "colours"),
        ({"number_copies": -1}, "number_copies"),
        ({"edition": "french"}, "edition"),
        ({"after_action": "pass"}, "after_action"),
        ({"blessing_draws": "nobody"}, "blessing_draws"),
        ({"golden_twelves": 40, "blessings": 40, "steals": 40, "swaps": 40}, "162 cards"),
        ({"hand_size": 2.0}, "hand_size"),
        ({"hand_size": True}, "hand_size"),
    ],
)
def test_settings_that_cannot_be_dealt_are_refused(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        Settings(num_players=2, **(ONE_EACH | wrong))


# --- A1.1, A1.2 ---------------------------------------------------------------------------------
@pytest.mark.rule("A1.1")
@pytest.mark.parametrize("players", range(2, 7))
def test_twelve_cards_each_and_one_turned_up(players: int) -> None:
    position = new_table(num_players=players).position()
    assert [len(cards) for cards in position["hands"]] == [12] * players
    assert len(position["discard"]) == 1
    assert len(position["pile"]) == 160 - 12 * players - 1


@pytest.mark.rule("A1.1", "A1.3")
def test_the_next_round_is_dealt_anew() -> None:
    table = play(table_with("gold", "r0", "r1", discard="r3 r4"), "lay gold")
    position = table.position()
    assert [len(cards) for cards in position["hands"]] == [12] * 3
    assert len(position["discard"]) == 1
    assert all_cards(position) == BOX
    assert (position["crosses"], position["decisions"]) == ([0, 0, 0], 0)
    assert (position["phase"], position["drawn"], position["acted"]) == ("play", 0, 0)


@pytest.mark.rule("A1.1")
def test_cards_are_dealt_at_random() -> None:
    deals = [new_table(seed, num_players=2).position() for seed in range(1000)]
    for seat in (0, 1):
        golden = sum(deal["hands"][seat].count("gold") for deal in deals)
        assert golden == pytest.approx(1000 * 12 * 5 / 160, rel=0.2)
        assert len({tuple(sorted(deal["hands"][seat])) for deal in deals}) == 1000
    tops = Counter(deal["discard"][0] for deal in deals)
    # 155 cards can be turned up, and each number card is there twice.
    assert len(tops) > 70
    assert sum(tops[f"{colour}7"] for colour in "rygbv") == pytest.approx(1000 * 10 / 155, rel=0.4)


@pytest.mark.rule("A1.1")
def test_every_round_has_a_deal_of_its_own() -> None:
    table = new_table(num_players=2, max_decisions=1)
    deals = []
    while not table.over:
        deals.append([*field(table, "hands"), field(table, "discard")])
        play(table, "pass")
    assert len(deals) == 3
    assert len({str(deal) for deal in deals}) == 3


def deals_with(*tops: str) -> list[int]:
    """Seeds whose first deal turns up one of these cards."""
    table = new_table(num_players=2)
    found = []
    for seed in range(500):
        table.start(seed)
        if field(table, "discard")[0] in tops:
            found.append(seed)
    assert len(found) >= 3
    return found


@pytest.mark.rule("A1.2", "A4.1")
def test_a_2_turned_up_demands_nothing() -> None:
    for seed in deals_with("r2", "y2", "g2", "b2", "v2"):
        table = new_table(seed, num_players=2)
        assert (field(table, "phase"), field(table, "demand")) == ("play", 0)
        assert {"draw", "pass"} <= legal(table)
        assert "take" not in legal(table)


@pytest.mark.rule("A1.2", "A5.7")
def test_a_happy_man_card_turned_up_gives_nobody_the_figure() -> None:
    for seed in deals_with("rH", "yH", "gH", "bH", "vH"):
        assert field(new_table(seed, num_players=2), "figure") is None


@pytest.mark.rule("A1.2", "A5.1")
def test_an_action_card_turned_up_acts_on_nobody() -> None:
    for seed in deals_with("blessing", "steal", "swap"):
        position = new_table(seed, num_players=2).position()
        assert [len(cards) for cards in position["hands"]] == [12, 12]
        assert (position["current_player"], position["acted"]) == (0, 0)


@pytest.mark.rule("A1.2")
def test_a_golden_12_is_never_turned_up_and_never_lost() -> None:
    tops: Counter[str] = Counter()
    for seed in range(600):
        position = new_table(
            seed, num_players=2, hand_size=1, **(ONE_EACH | {"golden_twelves": 15})
        ).position()
        assert len(position["discard"]) == 1
        assert all_cards(position)["gold"] == 15
        assert len(position["pile"]) == 17
        tops[position["discard"][0]] += 1
    assert set(tops) == {"r0", "r1", "blessing", "steal", "swap"}
    assert min(tops.values()) > 80  # 120 each are expected


# --- A1.3, A1.4 ---------------------------------------------------------------------------------
@pytest.mark.rule("A1.3")
@pytest.mark.parametrize("players", range(2, 7))
def test_seat_0_starts_and_play_runs_clockwise(players: int) -> None:
    table = new_table(num_players=players)
    current_players = []
    for _ in range(players + 1):
        current_players.append(table.current_player)
        table.play("pass")
    assert current_players == [*range(players), 0]


@pytest.mark.rule("A1.3")
@pytest.mark.parametrize(("players", "starters"), [(2, [0, 1, 0, 1]), (3, [0, 1, 2, 0])])
def test_the_deal_moves_on_every_round(players: int, starters: list[int]) -> None:
    table = new_table(num_players=players, rounds=4, max_decisions=2)
    seen = []
    while not table.over:
        seen.append(table.current_player)
        play(table, "draw", "draw")
    assert seen == starters


@pytest.mark.rule("A1.3")
@pytest.mark.parametrize("winner", [0, 1, 2])
def test_who_starts_does_not_depend_on_the_winner(winner: int) -> None:
    hands = ["r0", "r0", "r1"]
    hands[winner] = "gold"
    table = play(table_with(*hands, current_player=winner, round=2), "lay gold")
    assert (table.current_player, field(table, "round")) == (2, 3)


@pytest.mark.rule("A1.4")
def test_the_figure_belongs_to_nobody_at_first() -> None:
    for seed in range(20):
        assert field(new_table(seed), "figure") is None


@pytest.mark.rule("A1.4")
@pytest.mark.parametrize("owner", [0, 1, 2])
def test_the_figure_stays_with_its_owner_from_round_to_round(owner: int) -> None:
    table = play(table_with("gold", "r0", "r1", figure=owner), "lay gold")
    assert (field(table, "round"), field(table, "figure")) == (2, owner)


# --- A1.5 ---------------------------------------------------------------------------------------
TEN_CARDS = {  # r0-r3 twice, one Golden 12, one steal
    "hand_size": 1,
    "colours": 1,
    "highest_number": 3,
    "number_copies": 2,
    "fifties": 0,
    "happy_men": 0,
    "golden_twelves": 1,
    "blessings": 0,
    "steals": 1,
    "swaps": 0,
}


@pytest.mark.rule("A1.5")
def test_an_empty_pile_is_made_of_the_discards_below_the_top() -> None:
    table = table_with(
        *("r0 r0 gold steal", "r1"), discard="r1 r2 r2 r3 r3", pile="", settings=TEN_CARDS
    )
    play(table, "draw")
    assert field(table, "discard") == ["r3"]
    together = hand(table, 0) + field(table, "pile")
    assert sorted(together) == sorted(["r0", "r0", "gold", "steal", "r1", "r2", "r2", "r3"])
    assert len(field(table, "pile")) == 3
    assert field(table, "drawn") == 1


@pytest.mark.rule("A1.5")
def test_the_pile_is_turned_over_only_when_a_card_has_to_come_from_it() -> None:
    table = table_with(
        *("r0 r0 gold steal", "r1 r1"), discard="r2 r3 r3", pile="r2", settings=TEN_CARDS
    )
    play(table, "draw")
    assert (field(table, "pile"), field(table, "discard")) == ([], ["r2", "r3", "r3"])
    assert hand(table, 0).count("r2") == 1


@pytest.mark.rule("A1.5")
def test_the_new_pile_is_shuffled() -> None:
    drawn: Counter[str] = Counter()
    for seed in range(300):
        table = table_with(
            *("r0 r0 gold steal", "r1 r1"),
            discard="r2 r2 r3 r3",
            pile="",
            seed=seed,
            settings=TEN_CARDS,
        )
        play(table, "draw")
        drawn["r2" if "r2" in hand(table, 0) else "r3"] += 1
    assert drawn["r2"] == pytest.approx(200, abs=35)  # two r2 and one r3 lie below the top


@pytest.mark.rule("A1.5", "A2.2")
def test_drawing_where_there_is_no_card_counts_as_drawing() -> None:
    table = table_with(
        *("r0 r0 r1 r1 gold", "r2 r2 r3 steal"), discard="r3", pile="", settings=TEN_CARDS
    )
    play(table, "draw")
    assert (field(table, "drawn"), hand(table, 0)) == (1, ["gold", "r0", "r0", "r1", "r1"])
    assert {"pass", "end"} & legal(table) == set()
    play(table, "draw")
    assert (field(table, "drawn"), len(hand(table, 0))) == (2, 5)
    assert legal(table) == {"end", "lay r0", "lay r1"}
    assert field(table, "discard") == ["r3"]


@pytest.mark.rule("A1.5", "A4.1")
def test_taking_turns_the_pile_over_and_stops_when_there_are_no_more_cards() -> None:
    table = table_with(
        *("r0 r0 r1", "r1 gold steal"),
        discard="r3 r2 r2",
        pile="r3",
        phase="demand",
        demand=4,
        settings=TEN_CARDS,
    )
    play(table, "take")
    assert hand(table, 0) == ["r0", "r0", "r1", "r2", "r3", "r3"]
    assert (field(table, "discard"), field(table, "pile")) == (["r2"], [])
    assert (table.current_player, field(table, "phase"), field(table, "demand")) == (0, "play", 0)


# --- Another game ---------------------------------------------------------------------------------
@pytest.mark.rule("A1.4", "A4.4")
def test_nothing_is_left_of_the_game_before() -> None:
    fresh = new_table(5, num_players=3, rounds=2)
    match = table_with(
        "gold", "y3", "rH swap", figure=1, crosses=[1, 2, 3], scores=[5, 6.5, -7], acted=1,
        discard="r2 swap", drawn=1, known=[[[], ["y3"], []], [[], [], []], [[], [], []]],
        settings={"rounds": 2}, round=2, capped_rounds=1,
    )  # fmt: skip
    for _ in range(2):
        match.start(5)
        assert match.position() == fresh.position()
        for seat in range(3):
            assert (match.observe(seat)[0] == fresh.observe(seat)[0]).all()
        assert match.round_points == fresh.round_points == [0, 0, 0]
        assert (match.round_winner, match.score_sheet) == (-1, [])
        assert match.round_sheet == fresh.round_sheet
        match.start(1, {"hands": [["gold"], ["y3"], ["g4"]], "discard": ["r2"], "round": 2})
        play(match, "lay gold")
