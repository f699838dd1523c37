"""Batches with auto-reset against single matches, and observations in the caller's arrays."""

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.batch import Batch
from goldgriff.envs.engine import threads as threads_module
from goldgriff.envs.engine.game import Game, get_game
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.errors import MoveError, SettingsError

from .loops import GAMES, Row, derive, random_action, short

both_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.fixture
def many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads for few rows, too, and on any machine."""
    monkeypatch.setattr(threads_module, "MIN_DECISIONS", 1)
    monkeypatch.setattr("goldgriff.envs.engine.threads.cores", lambda: 8)


def new_batch(*args: Any, **options: Any) -> Batch:
    return Batch(*args, auto_reset=True, **options)


def actions_for(masks: NDArray[np.int8], step: int) -> list[int]:
    """A random legal action for each row, drawn with plain Python."""
    return [random_action(mask, derive(row, step)) for row, mask in enumerate(masks)]


def bytes_of(batch: Batch) -> bytes:
    """Everything that a step may write."""
    arrays = (batch.observations, batch.raw, batch.masks, batch.rewards, *batch._resets)
    return b"".join(array.tobytes() for array in (batch.states, *arrays))


@both_games
@pytest.mark.parametrize("reward", ["points", "win"])
def test_each_row_is_a_table_at_which_game_follows_game(game: Game, reward: str) -> None:
    rounds = {"rounds": 2} if game is AURUXXX else {}  # a round's end is not the game's
    settings, seed, ended = short(game, **rounds), 11, 0
    batch = new_batch(game, settings, 5, reward=reward)
    rows = [Row(game, settings, derive(seed, number), reward) for number in range(5)]
    batch.reset(seed)
    turns, results = [row.deal() for row in rows], None
    for step in range(2000):
        for number, turn in enumerate(turns):
            assert batch.current_players[number] == turn.current_player
            assert (batch.raw[number] == turn.raw).all()
            assert (batch.masks[number] == turn.mask).all()
            assert (batch.rewards[number] == turn.rewards).all()
        if results is not None:
            expected = [number for number, turn in enumerate(turns) if turn.result]
            assert results.rows.tolist() == expected
            for place, number in enumerate(expected):
                told = (results.points[place].tolist(), results.win_shares[place].tolist())
                assert told == turns[number].result
            ended += len(expected)
        actions = actions_for(batch.masks, step)
        results = batch.step(actions)
        turns = [row.play(action) for row, action in zip(rows, actions, strict=True)]
    assert ended >= 5
    assert max(row.begun for row in rows) > 2


def test_reset_deals_the_next_games() -> None:
    batch = new_batch(AURUXXX, short(AURUXXX), 1)
    row = Row(AURUXXX, short(AURUXXX), derive(3, 0))
    for number in range(3):
        batch.reset(None if number else 3)
        assert (batch.raw[0] == row.deal().raw).all()


@both_games
@pytest.mark.usefixtures("many_threads")
def test_the_number_of_threads_changes_nothing(game: Game) -> None:
    told = []
    for threads in (1, 2, 3):
        batch = new_batch(game, short(game), 7, threads=threads)
        batch.reset(1)
        seen = [bytes_of(batch)]
        for step in range(250):
            batch.step(actions_for(batch.masks, step))
            seen.append(bytes_of(batch))
        told.append(seen)
    assert told[0] == told[1] == told[2]


@both_games
def test_both_kinds_of_observations_are_written_to_the_callers_arrays(game: Game) -> None:
    shape, masks = (3, game.observation_spec.size), np.full((3, len(game.actions)), 7, np.int8)
    whole, scaled = np.full(shape, 99, np.uint8), np.full(shape, 99, np.float32)
    by_whole = new_batch(game, short(game), 3, out=(whole, masks))
    by_scaled = new_batch(game, short(game), 3, out=(scaled, None))
    assert by_whole.observations is whole
    assert by_whole.masks is masks
    assert by_scaled.observations is scaled
    by_whole.reset()
    by_scaled.reset()
    for step in range(150):
        assert (whole == by_scaled.raw).all()
        assert (scaled == whole * game.observation_spec.scale).all()
        assert (masks == by_scaled.masks).all()
        actions = actions_for(masks, step)
        by_whole.step(actions)
        by_scaled.step(actions)


SIZE, ACTIONS = AURUXXX.observation_spec.size, len(AURUXXX.actions)


def read_only() -> NDArray[np.float32]:
    array = np.zeros((2, SIZE), np.float32)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ((np.zeros((3, SIZE), np.float32), None), r"not float32 of shape \(3, "),
        ((np.zeros((2, SIZE)), None), "float32 or uint8 .* not float64"),
        ((np.zeros((2, 2 * SIZE), np.uint8)[:, ::2], None), "not contiguous, uint8"),
        ((np.zeros((SIZE, 2), np.uint8).T, None), "not contiguous, uint8"),
        ((read_only(), None), "not read-only, float32"),
        (([[0.0] * SIZE] * 2, None), "observations must be .*; not list"),
        ((None, np.zeros((2, ACTIONS), bool)), "masks must be .* int8 .* not bool"),
        ((None, np.zeros((2, ACTIONS + 1), np.int8)), "masks must be"),
    ],
)
def test_arrays_that_cannot_be_written_to_are_refused(out: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        new_batch(AURUXXX, short(AURUXXX), 2, out=out)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads must be a whole number from 1, not 0"),
        ({"reward": "money"}, "unknown reward 'money'; there are points, win"),
        ({"num_games": 0}, "num_games must be a whole number from 1, not 0"),
        ({"settings": short(GLUECKSGRIFF)}, "settings must be those of Auruxxx .*, not Sett"),
        ({"settings": [2]}, "settings must be those of Auruxxx .*, not list"),
        ({"settings": {"players": 2}}, "unknown setting 'players'"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        new_batch(AURUXXX, **{"settings": short(AURUXXX), "num_games": 2, **options})


def test_a_memory_map_is_written_to(tmp_path: Any) -> None:
    file = tmp_path / "seen"
    mapped = np.memmap(file, np.uint8, "w+", shape=(2, SIZE))
    batch = new_batch(AURUXXX, short(AURUXXX), 2, out=(mapped, None))
    batch.reset()
    mapped.flush()
    assert file.read_bytes() == batch.raw.tobytes() != bytes(2 * SIZE)


@both_games
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.usefixtures("many_threads")
def test_an_illegal_action_in_one_row_changes_none(game: Game, threads: int) -> None:
    batch = new_batch(game, short(game), 6, threads=threads)
    batch.reset()
    for step in range(40):
        batch.step(actions_for(batch.masks, step))
    before, illegal = bytes_of(batch), int(batch.masks[4].argmin())
    for wrong in (illegal, -1, len(game.actions), 2**40):
        actions = actions_for(batch.masks, 40)
        actions[4] = wrong
        with pytest.raises(MoveError, match="game 4: "):
            batch.step(actions)
        assert bytes_of(batch) == before
    for misfit in ([0] * 5, [0.5] * 6, None):
        with pytest.raises(MoveError, match="actions must be 6 whole numbers"):
            batch.step(misfit)  # type: ignore[arg-type]
        assert bytes_of(batch) == before


def test_a_step_before_the_deal_is_refused() -> None:
    with pytest.raises(MoveError, match="call reset before step"):
        new_batch(AURUXXX, short(AURUXXX), 2).step([0, 0])


@both_games
def test_results_agree_with_the_rewards_of_the_last_decision(game: Game) -> None:
    """By the docs: 1 for the only winner, k winners share; a sole round's points in hundreds."""
    by_win, by_points = (
        new_batch(game, short(game), 20, reward=reward) for reward in ("win", "points")
    )
    by_win.reset()
    by_points.reset()
    finished = 0
    for step in range(400):
        actions = actions_for(by_win.masks, step)
        by_points.step(actions)
        results = by_win.step(actions)
        finished += len(results.rows)
        for row, points, shares in zip(
            results.rows, results.points, results.win_shares, strict=True
        ):
            winners = points == points.min()
            assert shares == pytest.approx(winners / winners.sum())
            assert by_win.rewards[row] == pytest.approx((3 * shares - 1) / 2)
            if game is AURUXXX:  # played for one round
                others = (points.sum() - points) / 2
                assert by_points.rewards[row] == pytest.approx((others - points) / 100)
        going = np.setdiff1d(np.arange(20), results.rows)
        assert not by_win.rewards[going].any()
    assert finished > 10


def test_results_tell_of_the_cap() -> None:
    """A8.1: a game with a round that was ended by the cap never passes as a usual one."""
    settings = AURUXXX.settings.from_dict({"num_players": 2, "rounds": 1, "max_decisions": 60})
    batch = new_batch(AURUXXX, settings, 50)
    batch.reset()
    decisions, told = np.zeros(50, int), []
    for step in range(400):
        results = batch.step(actions_for(batch.masks, step))
        decisions += 1
        assert not results.capped[decisions[results.rows] < 60].any()
        told += results.capped.tolist()
        decisions[results.rows] = 0
    assert {True, False} == set(told)


def test_a_copy_goes_on_alike_and_on_its_own() -> None:
    batch = new_batch(AURUXXX, short(AURUXXX), 3, threads=2)
    batch.reset()
    twin = copy.deepcopy(batch)
    start = bytes_of(twin)
    for step in range(30):
        batch.step(actions_for(batch.masks, step))
    assert bytes_of(twin) == start
    for step in range(30):
        twin.step(actions_for(twin.masks, step))
    assert bytes_of(twin) == bytes_of(batch)


def fingerprint(name: str) -> str:
    """What a short run shows, as hexadecimal digits."""
    game = get_game(name)
    batch = new_batch(game, short(game), 2)
    batch.reset(5)
    digest = hashlib.sha256()
    for step in range(120):
        batch.step(actions_for(batch.masks, step))
        digest.update(bytes_of(batch))
    return digest.hexdigest()


@both_games
def test_uncompiled_it_does_the_same(run_fresh: Callable[..., str], game: Game) -> None:
    code = f"from tests.envs import test_auto_reset as t; print(t.fingerprint({game.name!r}))"
    assert run_fresh(code) == fingerprint(game.name)
