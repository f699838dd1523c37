"""What a seat sees of the play it may lay on, and of its own turn."""

import numpy as np

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.observation import OBSERVATION_SPEC
from goldgriff.envs.gluecksgriff.rules import CARDS, Settings
from goldgriff.envs.gluecksgriff.state import EXTENDING, LAYING, PLAY
from goldgriff.envs.match import Match

from .tables import table_with

OF_THE_PLAY = ("play_top", "play_bottom", "run_low", "run_size", "own_ends")


def slice_of(table: Match, name: str, seat: int) -> list[int]:
    (features,), _ = table.look(seat)
    values: list[int] = features[OBSERVATION_SPEC.range(name)].tolist()
    return values


def card_in(table: Match, name: str, seat: int) -> str:
    return CARDS[slice_of(table, name, seat).index(1)]


def test_a_run_shows_as_it_lay_while_it_is_extended_at_both_ends() -> None:
    """G5.2: cards go below it and above it; its ends stay 4 and 6, laid by seats 1 and 0."""
    table = table_with(
        *("3 7 9 2", "1 5", "8 9"),
        discard="12 4 5 6", last_play=3, run=True, layers=[None, 1, 2, 0],
    )  # fmt: skip
    for move in ("low", "low", "high"):
        table.play(move)
        for seat, own_ends in enumerate(([1, 0], [0, 1], [0, 0])):
            assert card_in(table, "play_top", seat) == "6"
            assert card_in(table, "play_bottom", seat) == "4"
            assert slice_of(table, "own_ends", seat) == own_ends
            assert card_in(table, "run_low", seat) == "4"
            assert slice_of(table, "run_size", seat) == [3]


def test_the_play_shows_the_same_through_a_turn() -> None:
    rng = np.random.default_rng(5)
    extended = 0
    for game in range(60):
        table = Match(GLUECKSGRIFF, Settings(num_players=3))
        table.start(game)
        before, seen = None, None
        while not table.over:
            mover, phase = table.mover, int(table.state.phase)
            now = [slice_of(table, name, mover) for name in OF_THE_PLAY]
            if phase in (LAYING, EXTENDING):
                assert (before, seen) == (mover, now)
                extended += phase == EXTENDING
            before, seen = (mover, now) if phase in (PLAY, LAYING, EXTENDING) else (None, None)
            table.act(int(rng.choice(np.flatnonzero(table.mask))))
    assert extended > 20


def test_more_cards_than_a_slice_can_tell_are_cut() -> None:
    """A set of twenty, from a deck that a house may play with."""
    table = table_with(
        " ".join(["5"] * 10 + ["joker"] * 10), "1 2", discard="4",
        settings={"copies": 10, "jokers": 10, "highest_value": 5},
    )  # fmt: skip
    table.play("lay 5")
    for k in range(18):
        table.play("add 5" if k % 2 else "add joker")
    assert slice_of(table, "laid", 0) == [15]
