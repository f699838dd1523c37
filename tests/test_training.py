"""Training: whose transitions they are, what is kept on disk, going on exactly."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from stable_baselines3.common.vec_env import VecEnv

from goldgriff.agents.network import load_network
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import ACTIONS, Settings
from goldgriff.envs.core.errors import SettingsError
from goldgriff.envs.core.files import FileError
from goldgriff.envs.core.learners import LEARNER
from goldgriff.envs.core.policy import RandomPolicy, Views
from goldgriff.envs.core.table import Table
from goldgriff.train.maskable_ppo import Keeper, ResumeError, read_settings, train
from goldgriff.train.selfplay import SelfPlayVecEnv
from goldgriff.train.settings import PRESETS, TrainSettings, preset

from .players import First

TINY = replace(
    preset("smoke"),
    total_steps=8 * 64,
    tables=8,
    steps_per_table=16,
    snapshot_every=1,
    checkpoint_every=2,
    batch_size=64,
    threads=1,
)


def new_env(tables: int = 8, **settings: int) -> SelfPlayVecEnv:
    env = SelfPlayVecEnv(AURUXXX, Settings.from_dict(settings), tables, seed=3)
    env.add_opponent(RandomPolicy())
    return env


def masks_of(env: VecEnv) -> np.ndarray:
    return np.stack(env.env_method("action_masks"))


def test_rewards_are_all_that_came_to_the_learner_in_his_game() -> None:
    """Against the scores: the sum over a game is what its points, round by round, are worth."""
    env = new_env(num_players=3)
    env.reset()
    rng = np.random.default_rng(0)
    finished, totals = 0, np.zeros(8)
    while finished < 20:
        masks = masks_of(env)
        assert masks.any(axis=1).all()
        learners = env.learners.seats.copy()
        _, rewards, dones, infos = env.step((masks * rng.random(masks.shape)).argmax(axis=1))
        totals += rewards
        for row in np.flatnonzero(dones):
            finished += 1
            assert infos[row]["episode"]["r"] == pytest.approx(totals[row], abs=1e-4)
            assert -3 < totals[row] < 3
            totals[row] = 0
        running = np.flatnonzero(~dones)
        assert (learners == env.learners.seats)[running].all()
        scores = env.learners.batch.points()[running]
        own = scores[np.arange(len(running)), learners[running]]
        others = (scores.sum(axis=1) - own) / 2
        assert totals[running] == pytest.approx((others - own) / 100, abs=1e-4)


def test_a_row_shows_its_learners_own_view() -> None:
    env = new_env()
    observations: object = env.reset()
    for _ in range(50):
        masks = masks_of(env)
        assert (env.learners.batch.movers == env.learners.seats).all()
        features, legal = env.learners.batch.look(env.learners.seats)
        assert (observations == AURUXXX.slices.to_float(features)).all()
        assert (masks == legal.astype(bool)).all()
        observations, _, _, _ = env.step(masks.argmax(axis=1))


class Watcher:
    """Plays at random and notes at which tables, by their deals, it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, views: Views) -> np.ndarray:
        self.asked += len(views)
        return RandomPolicy().act(views)


def test_opponents_change_only_between_games() -> None:
    env = new_env(tables=16, rounds=1)
    env.reset()
    rng = np.random.default_rng(0)
    before = env.learners.seating.copy()
    met: set[int] = set()
    for step in range(150):
        if step % 10 == 0:
            env.add_opponent(Watcher())
        masks = masks_of(env)
        _, _, dones, _ = env.step((masks * rng.random(masks.shape)).argmax(axis=1))
        assert (env.learners.seating == before)[~dones].all()
        before = env.learners.seating.copy()
        assert ((before == LEARNER).sum(axis=1) == 1).all()
        seated = set(before.ravel().tolist()) - {LEARNER}
        met |= seated
        assert seated <= set(env.members)
        assert len(env.pool) <= env.pool_size
    assert len(met) > 5


def test_the_learner_takes_every_seat_in_turn() -> None:
    env = new_env(tables=1, rounds=1, num_players=4)
    env.reset()
    rng, seats = np.random.default_rng(0), [0]
    while len(seats) < 8:
        masks = masks_of(env)
        _, _, dones, _ = env.step((masks * rng.random(masks.shape)).argmax(axis=1))
        if dones[0]:
            seats.append(int(env.learners.seats[0]))
    assert seats == [0, 1, 2, 3, 0, 1, 2, 3]


def test_a_capped_game_is_over_and_nothing_of_it_is_estimated() -> None:
    env = new_env(tables=2, rounds=1, max_decisions=5)
    env.reset()
    for _ in range(20):
        masks = masks_of(env)
        _, _, dones, infos = env.step(masks.argmax(axis=1))
        for row in np.flatnonzero(dones):
            assert "TimeLimit.truncated" not in infos[row]
            assert infos[row]["terminal_observation"].shape == (AURUXXX.slices.size,)
    assert dones is not None


def test_two_halves_of_a_run_are_the_whole(tmp_path: Path) -> None:
    """Training 2N steps gives, bit for bit, what N steps and N more after a resume give."""
    half = replace(TINY, total_steps=TINY.total_steps // 2)
    train(AURUXXX, half, tmp_path / "halves")
    train(AURUXXX, TINY, tmp_path / "halves", resume=True)
    train(AURUXXX, TINY, tmp_path / "whole")
    halves, whole = (
        load_network(tmp_path / name / "policy.safetensors", AURUXXX)
        for name in ("halves", "whole")
    )
    first = load_network(
        tmp_path / "whole" / "checkpoints" / f"{half.total_steps:012d}.safetensors", AURUXXX
    )
    for one, other, early in zip(halves.layers, whole.layers, first.layers, strict=True):
        assert (one[0] == other[0]).all()
        assert (one[0] != early[0]).any()


def test_the_trained_policy_is_the_one_on_disk(tmp_path: Path) -> None:
    path = train(AURUXXX, TINY, tmp_path / "run")
    assert path == tmp_path / "run" / "policy.safetensors"
    network = load_network(path, AURUXXX)
    table = Table(AURUXXX, Settings())
    table.start(1)
    views = Views(AURUXXX, table.features[None], table.mask[None], np.zeros(1, np.uint64))
    assert ACTIONS[int(network.act(views)[0])] in table.legal
    assert sorted(entry.name for entry in (tmp_path / "run").iterdir()) == [
        "checkpoints",
        "policy.safetensors",
        "settings.json",
        "state.pt",
        "tensorboard",
    ]
    stored = json.loads((tmp_path / "run" / "settings.json").read_text())
    assert stored["game"] == "auruxxx_v0"
    assert read_settings(AURUXXX, tmp_path / "run") == TINY
    assert list((tmp_path / "run" / "tensorboard").iterdir())


def test_an_interrupted_run_can_be_resumed_from_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Keeper, "_on_step", interrupt)
    with pytest.raises(KeyboardInterrupt):
        train(AURUXXX, TINY, tmp_path / "broken")
    monkeypatch.undo()
    train(AURUXXX, TINY, tmp_path / "broken", resume=True)
    train(AURUXXX, TINY, tmp_path / "whole")
    broken, whole = (
        load_network(tmp_path / name / "policy.safetensors", AURUXXX)
        for name in ("broken", "whole")
    )
    for one, other in zip(broken.layers, whole.layers, strict=True):
        assert (one[0] == other[0]).all()
    with pytest.raises(ResumeError, match="has made 512 steps; to go on give --steps"):
        train(AURUXXX, TINY, tmp_path / "whole", resume=True)


def test_a_run_is_not_overwritten_and_none_is_invented(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with pytest.raises(ResumeError, match="no run to resume"):
        read_settings(AURUXXX, run)
    train(AURUXXX, TINY, run)
    before = (run / "policy.safetensors").read_bytes()
    with pytest.raises(ResumeError, match="holds a run; add --resume"):
        train(AURUXXX, TINY, run)
    (run / "state.pt").write_bytes(b"PK garbage")
    with pytest.raises(ResumeError, match="cannot resume from"):
        train(AURUXXX, TINY, run, resume=True)
    assert (run / "policy.safetensors").read_bytes() == before
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot write to folder"):
        train(AURUXXX, TINY, tmp_path / "file" / "run")


def test_settings_are_checked() -> None:
    with pytest.raises(SettingsError, match="unknown preset 'tiny'; there are smoke, quick, long"):
        preset("tiny")
    with pytest.raises(SettingsError, match="tables must be a whole number of at least 1, not 0"):
        TrainSettings(tables=0)
    for name, value in (("learning_rate", "x"), ("hidden", 5), ("reward", "x"), ("seed", -1)):
        with pytest.raises(SettingsError, match=f"{name} must be"):
            TrainSettings.from_dict({name: value})
    with pytest.raises(SettingsError, match="unknown setting 'speed'"):
        TrainSettings.from_dict({"speed": 1})
    for name in PRESETS:
        assert TrainSettings.from_dict(preset(name).to_dict()) == preset(name)


def test_the_pool_takes_any_policy() -> None:
    env = new_env(tables=4)
    env.add_opponent(First())
    env.reset()
    env.step(masks_of(env).argmax(axis=1))
