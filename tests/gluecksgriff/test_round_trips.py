"""Positions and game records there and back."""

import json
import random

import pytest

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import Settings
from goldgriff.envs.match import Match, replay

from .variants import EVERYTHING, SMALL, VARIANTS, everything, random_play, started


@VARIANTS
@pytest.mark.parametrize("seed", range(2))
def test_positions_go_through_json_unchanged(variant: Settings, seed: int) -> None:
    match, again = started(variant, seed), Match(GLUECKSGRIFF, variant)
    phases = set[str]()
    for number in range(12):
        match.start(seed * 100 + number)
        for move in random_play(match, 200, number):
            if match.over:
                break
            position = match.position()
            again.start(99, json.loads(json.dumps(position)))
            assert again.position() == position, move
            assert again.legal == match.legal, move
            assert (again.mask == match.mask).all(), move
            assert again.scores == match.scores
            phases.add(position["phase"])
    wanted = {"play", "lay", "drawn", "hourglass", "giving", "magic"}
    if variant is EVERYTHING:
        wanted |= {"open", "prize"}
    assert phases >= wanted


@VARIANTS
def test_games_go_on_alike_from_a_position(variant: Settings) -> None:
    """The same moves mean the same from a position as in the game it was taken from."""
    rng = random.Random(5)
    for seed in range(30):
        match, again = started(variant, seed), Match(GLUECKSGRIFF, variant)
        list(random_play(match, rng.randrange(40), seed))
        while not match.over:
            again.start(3, match.position())
            quiet = [m for m in match.legal if m.split()[0] in ("lay", "add", "run", "low", "high")]
            if not quiet:
                break
            move = rng.choice(quiet)
            match.play(move)
            again.play(move)
            if match.state.round_ended:
                break
            assert again.position() == match.position(), move
            assert again.legal == match.legal, move


@VARIANTS
def test_one_seed_is_one_game(variant: Settings) -> None:
    one, two, other = started(variant, 7), started(variant, 7), started(variant, 8)
    assert one.position() == two.position() != other.position()
    for move in random_play(one, 400):
        two.play(move)
        assert everything(one) == everything(two)


@VARIANTS
@pytest.mark.parametrize("decisions", [0, 1, 50, 10_000])
def test_game_records_replay_identically(variant: Settings, decisions: int) -> None:
    match = started(variant, 2**64 - 1)
    played = list(random_play(match, decisions))
    again = replay(match.record())
    assert again.record() == match.record()
    assert again.settings == variant
    assert again.state.tobytes() == match.state.tobytes()
    assert json.loads(match.record())["moves"] == played


def test_game_records_from_a_position_replay_identically() -> None:
    first = started(SMALL, 3)
    list(random_play(first, 40))
    match = Match(GLUECKSGRIFF, SMALL)
    match.start(11, first.position())
    list(random_play(match, 100))
    again = replay(match.record())
    assert again.state.tobytes() == match.state.tobytes()
