"""What a seat sees of the play it may lay on, and of its own turn."""

import numpy as np

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.observation import OBSERVATION_SPEC
from goldgriff.envs.gluecksgriff.rules import CARDS, Settings
from goldgriff.envs.gluecksgriff.state import Phase
from goldgriff.envs.match import Match

from .tables import table_with

OF_THE_PLAY = ("play_top", "play_bottom", "run_low", "run_size", "own_ends")


def slice_of(match: Match, name: str, seat: int) -> list[int]:
    (raw,), _ = match.observe(seat)
    values: list[int] = raw[OBSERVATION_SPEC.range(name)].tolist()
    return values


def card_in(match: Match, name: str, seat: int) -> str:
    return CARDS[slice_of(match, name, seat).index(1)]


def test_a_run_shows_as_it_lay_while_it_is_extended_at_both_ends() -> None:
    """G5.2: cards go below it and above it; its ends stay 4 and 6, laid by seats 1 and 0."""
    match = table_with(
        *("3 7 9 2", "1 5", "8 9"),
        discard="12 4 5 6", last_play=3, run=True, layers=[None, 1, 2, 0],
    )  # fmt: skip
    for move in ("low", "low", "high"):
        match.play(move)
        for seat, own_ends in enumerate(([1, 0], [0, 1], [0, 0])):
            assert card_in(match, "play_top", seat) == "6"
            assert card_in(match, "play_bottom", seat) == "4"
            assert slice_of(match, "own_ends", seat) == own_ends
            assert card_in(match, "run_low", seat) == "4"
            assert slice_of(match, "run_size", seat) == [3]


def test_the_play_shows_the_same_through_a_turn() -> None:
    rng = np.random.default_rng(5)
    extended = 0
    for game in range(60):
        match = Match(GLUECKSGRIFF, Settings(num_players=3, last_turn="forced"))
        match.start(game)
        before, seen = None, None
        while not match.over:
            current_player, phase = match.current_player, int(match.state.phase)
            now = [slice_of(match, name, current_player) for name in OF_THE_PLAY]
            if phase in (Phase.LAYING, Phase.EXTENDING):
                assert (before, seen) == (current_player, now)
                extended += phase == Phase.EXTENDING
            before, seen = (
                (current_player, now)
                if phase in (Phase.PLAY, Phase.LAYING, Phase.EXTENDING)
                else (None, None)
            )
            match.act(int(rng.choice(np.flatnonzero(match.mask))))
    assert extended > 20


def test_more_cards_than_a_slice_can_tell_are_cut() -> None:
    """A set of twenty, from a deck that a house may play with."""
    match = table_with(
        " ".join(["5"] * 10 + ["joker"] * 10), "1 2", discard="4",
        settings={"copies": 10, "jokers": 10, "highest_value": 5},
    )  # fmt: skip
    match.play("lay 5")
    for k in range(18):
        match.play("add 5" if k % 2 else "add joker")
    assert slice_of(match, "laid", 0) == [15]


def test_the_value_under_a_joker_shows_where_it_can_be_knocked_on() -> None:
    """G5.3: with joker_knock=wide natural cards go on a set with a joker on top."""
    for reading, seen in (("strict", 0), ("run_end", 0), ("wide", 1)):
        match = table_with(
            *("7 8", "1 2"), discard="3 7 joker", last_play=2, settings={"joker_knock": reading}
        )
        for move in (None, "lay 7"):
            if move:
                match.play(move)
            assert [slice_of(match, "set_value", seat)[7] for seat in (0, 1)] == [seen, seen]
            assert sum(slice_of(match, "set_value", 0)) == seen
    match = table_with("7 8", "1 2", discard="3 joker", settings={"joker_knock": "wide"})
    assert sum(slice_of(match, "set_value", 0)) == 0


def test_a_second_prize_shows_as_a_phase_of_its_own() -> None:
    """G7.5, with challenge_prize=both."""
    settings = {"bluffing": True, "challenge_prize": "both"}
    match = table_with("hand 9", "3 5", settings=settings)
    for move in ("hand", "open 5", "challenge +1"):
        match.play(move)
    assert (slice_of(match, "phase_grab", 0), slice_of(match, "phase", 0)[Phase.PRIZE]) == ([0], 1)
    match.play("pick +1")
    assert (slice_of(match, "phase_grab", 0), sum(slice_of(match, "phase", 0))) == ([1], 0)


def test_how_the_rules_are_read_shows() -> None:
    for settings, seen in (
        ({}, [0, 0, 0, 0, 0]),
        ({"last_turn": "forced"}, [1, 0, 0, 0, 0]),
        ({"fend_off": "turn"}, [0, 1, 0, 0, 0]),
        ({"challenge_prize": "both"}, [0, 0, 1, 0, 0]),
        ({"joker_knock": "run_end"}, [0, 0, 0, 1, 0]),
        ({"joker_knock": "wide"}, [0, 0, 0, 0, 1]),
    ):
        assert slice_of(table_with("7", "1", settings=settings), "readings", 1) == seen
