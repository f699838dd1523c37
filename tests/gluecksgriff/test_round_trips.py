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
    table, again = started(variant, seed), Match(GLUECKSGRIFF, variant)
    phases = set[str]()
    for number in range(12):
        table.start(seed * 100 + number)
        for move in random_play(table, 200, number):
            if table.over:
                break
            position = table.position()
            again.start(99, json.loads(json.dumps(position)))
            assert again.position() == position, move
            assert again.legal == table.legal, move
            assert (again.mask == table.mask).all(), move
            assert again.scores == table.scores
            phases.add(position["phase"])
    wanted = {"play", "lay", "drawn", "hourglass", "giving", "magic"}
    if variant is EVERYTHING:
        wanted |= {"open", "spoils"}
    assert phases >= wanted


@VARIANTS
def test_games_go_on_alike_from_a_position(variant: Settings) -> None:
    """The same moves mean the same from a position as in the game it was taken from."""
    rng = random.Random(5)
    for seed in range(30):
        table, again = started(variant, seed), Match(GLUECKSGRIFF, variant)
        list(random_play(table, rng.randrange(40), seed))
        while not table.over:
            again.start(3, table.position())
            quiet = [m for m in table.legal if m.split()[0] in ("lay", "add", "run", "low", "high")]
            if not quiet:
                break
            move = rng.choice(quiet)
            table.play(move)
            again.play(move)
            if table.state.round_ended:
                break
            assert again.position() == table.position(), move
            assert again.legal == table.legal, move


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
    table = started(variant, 2**64 - 1)
    played = list(random_play(table, decisions))
    again = replay(table.transcript())
    assert again.transcript() == table.transcript()
    assert again.settings == variant
    assert again.state.tobytes() == table.state.tobytes()
    assert json.loads(table.transcript())["moves"] == played


def test_game_records_from_a_position_replay_identically() -> None:
    first = started(SMALL, 3)
    list(random_play(first, 40))
    table = Match(GLUECKSGRIFF, SMALL)
    table.start(11, first.position())
    list(random_play(table, 100))
    again = replay(table.transcript())
    assert again.state.tobytes() == table.state.tobytes()
