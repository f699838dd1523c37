"""Same seed and same actions, same game: whatever the batch, the threads or the process."""

import copy
import hashlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch, derive_seeds
from goldgriff.envs.engine.game import Game
from goldgriff.envs.engine.kernels import draw_random_bits
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.policy import ObservationBatch, RandomPolicy
from goldgriff.errors import GoldgriffError, MoveError


def play_out(batch: Batch, *, decisions: int = 100_000) -> list[str]:
    """Play all games at random; a fingerprint of all that each one showed and came to."""
    digests = [hashlib.sha256() for _ in range(batch.num_games)]
    decision_counts = np.zeros((batch.num_games, batch.settings.num_players), np.int64)
    rows = np.arange(batch.num_games)
    for _ in range(decisions):
        raw, masks = batch.observe(batch.current_players[rows], rows)
        random_bits = np.empty(len(rows), np.uint64)
        draw_random_bits(batch.states, rows, decision_counts, random_bits)
        batch.step(RandomPolicy().act(ObservationBatch(batch.game, raw, masks, random_bits)), rows)
        for place, row in enumerate(rows):
            seen = (raw[place], masks[place], batch.rewards[row], batch.states[row])
            for array in seen:
                digests[row].update(array.tobytes())
        rows = rows[~batch.over[rows]]
        if not len(rows):
            break
    return [digest.hexdigest() for digest in digests]


def new_batch(
    games: int, game: Game = AURUXXX, *, threads: int = 1, first: int = 0, **settings: Any
) -> Batch:
    batch = Batch(game, game.settings.from_dict(settings), games, threads=threads)
    batch.start(derive_seeds(5, games, first))
    return batch


both_games = pytest.mark.parametrize("game", [AURUXXX, GLUECKSGRIFF], ids=lambda game: game.name)


@both_games
def test_results_do_not_depend_on_the_batch(game: Game) -> None:
    together = play_out(new_batch(6, game))
    alone = [play_out(new_batch(1, game, first=number))[0] for number in range(6)]
    assert together == alone
    assert len(set(together)) == 6


@both_games
def test_results_do_not_depend_on_the_threads(game: Game) -> None:
    games = 1024  # enough for the batch to use its threads
    assert play_out(new_batch(games, game, threads=2), decisions=40) == play_out(
        new_batch(games, game), decisions=40
    )


PLAINLY: dict[str, dict[str, Any]] = {
    "AURUXXX": {"rounds": 1, "preset": "italian", "after_action": "lay"},
    "GLUECKSGRIFF": {"point_limit": 60, "bluffing": True, "penalties": True, "late_knock": 20},
}


@pytest.mark.parametrize("name", PLAINLY)
def test_every_process_plays_the_same_compiled_or_not(
    run_fresh: Callable[..., str], name: str
) -> None:
    games = {"AURUXXX": AURUXXX, "GLUECKSGRIFF": GLUECKSGRIFF}
    here = play_out(new_batch(2, games[name], **PLAINLY[name]))
    code = (
        "from tests.envs import test_batch as t;"
        f"print(*t.play_out(t.new_batch(2, t.{name}, **t.PLAINLY[{name!r}])))"
    )
    for compiled in (False, True):
        assert run_fresh(code, compiled=compiled).split() == here


def test_one_seed_gives_every_seat_the_same_deal_and_luck() -> None:
    """Games with one seed stay comparable: a seat's draw does not hang on the others' draws."""
    idle, busy = new_batch(1), new_batch(1)
    draw, end = AURUXXX.actions.index("draw"), AURUXXX.actions.index("end")
    passing = AURUXXX.actions.index("pass")
    for action in (draw, draw, end, draw):
        busy.step([action])
    for action in (passing, draw):
        idle.step([action])
    hands: list[NDArray[np.uint8]] = [batch.states["hands"][0, 1] for batch in (idle, busy)]
    assert (hands[0] == hands[1]).all()


def test_a_step_on_some_rows_leaves_the_others_alone() -> None:
    batch = new_batch(3)
    before = batch.states.copy()
    batch.step([AURUXXX.actions.index("draw")], np.array([1]))
    assert (batch.states[[0, 2]] == before[[0, 2]]).all()
    assert batch.states["drawn"].tolist() == [0, 1, 0]


@pytest.mark.parametrize("wrong", [-1, len(AURUXXX.actions), AURUXXX.actions.index("take")])
def test_an_illegal_action_in_one_row_changes_none(wrong: int) -> None:
    batch = new_batch(3)
    before = batch.states.copy()
    draw = AURUXXX.actions.index("draw")
    with pytest.raises(MoveError, match="game 2: "):
        batch.step([draw, draw, wrong])
    assert (batch.states == before).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda batch: batch.step([0], [7]), "rows must be from 0 to 3"),
        (lambda batch: batch.step([0, 0]), "actions must be 4 whole numbers"),
        (lambda batch: batch.step([0.9] * 4), "actions must be 4 whole numbers"),
        (lambda batch: batch.step([0] * 4, [0] * 4), "each game once at most"),
        (lambda batch: batch.observe([9] * 4), "seats must be from 0 to 3"),
        (lambda batch: batch.copy([0, 0, -1]), "rows must be from 0 to 3"),
        (lambda batch: batch.play_until_turn([4] * 4, 1, None), "seats must be from 0 to 3"),
        (
            lambda batch: batch.play_until_turn([0] * 4, 0, None),
            "turns must be a whole number from",
        ),
        (lambda batch: batch.start([-1] * 4), "seeds must be 4 whole numbers from 0"),
        (lambda batch: Batch(AURUXXX, batch.settings, 1, reward="x"), "unknown reward 'x'"),
    ],
)
def test_what_the_kernels_could_not_bear_is_refused(call: Any, message: str) -> None:
    batch = new_batch(4)
    before = batch.states.copy()
    with pytest.raises(GoldgriffError, match=message):
        call(batch)
    assert (batch.states == before).all()


def test_a_batch_with_threads_can_be_copied() -> None:
    batch = new_batch(1024, threads=2)
    twin = pickle.loads(pickle.dumps(batch))
    assert play_out(twin, decisions=5) == play_out(batch, decisions=5)
    assert play_out(copy.deepcopy(batch), decisions=5) == play_out(twin, decisions=5)


@both_games
def test_a_game_needs_little_memory(game: Game) -> None:
    assert new_batch(1, game).states.itemsize <= 4096
