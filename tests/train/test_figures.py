"""The figures of a run by name, and TensorBoard's event files."""

import csv
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.episodes import RECENT, Recent, episode_figures
from goldgriff.train.figures import explained_variance, ratio_figures
from goldgriff.train.logging import EVEN_SHARE, FPS, INTERVAL, TIMESTEPS, WIN_SHARE

from .small import new_envs, random_actions, tiny, train

EPISODES = {"rollout/ep_rew_mean", "rollout/ep_len_mean", "rollout/win_share"}
PPO = {"loss", "policy_gradient_loss", "value_loss", "entropy_loss", "approx_kl", "clip_fraction"}
OWN = {
    "maskable": PPO | {"explained_variance"},
    "ppo": PPO | {"explained_variance", "imitation_loss", "magnet_kl"},
    "rollout": {"loss", "action_value_loss", "value_loss", "explained_variance", "margin", "gain"},
    "dmc": {"loss", "action_value_loss"},
    "nfsp": {"loss", "action_value_loss", "imitation_loss"},
}


def read_events(run: Path) -> dict[str, list[tuple[int, float]]]:
    """Return steps and values of all figures, as TensorBoard shows them."""
    events = EventAccumulator(str(run / "tensorboard"))
    events.Reload()
    return {
        name: [(event.step, event.value) for event in events.Scalars(name)]
        for name in events.Tags()["scalars"]
    }


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_figures_have_the_names_of_stable_baselines3(name: str, tmp_path: Path) -> None:
    """The same in TensorBoard and in the table, where nothing depends on the machine's speed."""
    train(AURUXXX, name, tiny(name, self_play=0.5), tmp_path)
    with (tmp_path / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    expected = EPISODES | {WIN_SHARE, *INTERVAL, EVEN_SHARE} | {f"train/{one}" for one in OWN[name]}
    assert set(rows[0]) == expected | {TIMESTEPS}
    events = read_events(tmp_path)
    assert set(events) == expected | {FPS}
    for figure in expected:
        found = [(int(row[TIMESTEPS]), float(row[figure])) for row in rows if row[figure]]
        assert np.array(events[figure]) == pytest.approx(np.array(found), rel=1e-5)
    assert all(value > 0 for _, value in events[FPS])


KILLED = """
import os, signal, sys, time
from goldgriff.train.runner import run_training
from tests.train.small import tiny
def kill(figures):
    if figures["updates"] == 5:
        time.sleep(1)  # in which a thread of TensorBoard writes
        os.kill(os.getpid(), signal.SIGKILL)
run_training("auruxxx", "ppo", tiny("ppo"), sys.argv[1], on_update=kill)
"""


def test_events_of_a_run_that_was_killed_and_resumed_do_not_overlap(
    root: Path, tmp_path: Path
) -> None:
    """The last state was saved after four updates: what came later is not shown."""
    killed = subprocess.run([sys.executable, "-c", KILLED, tmp_path], cwd=root, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [step for step, _ in read_events(tmp_path)["train/loss"]] == [128, 256, 384, 512, 640]
    train(AURUXXX, "ppo", tiny("ppo"), tmp_path, resume=True)
    for figure in ("train/loss", FPS):
        assert [step for step, _ in read_events(tmp_path)[figure]] == list(range(128, 1025, 128))


@pytest.mark.parametrize("self_play", [0.0, 1.0])
def test_episodes_are_those_of_learners(self_play: float) -> None:
    """Counted decision by decision; a seat that never decided has no episode."""
    envs = new_envs(2, 3, self_play=self_play, rounds=1, max_decisions=6)
    rng, rows = np.random.default_rng(0), np.arange(8)
    returns, lengths, episodes, shares = np.zeros((8, 3)), np.zeros((8, 3)), [], []
    assert episode_figures([envs.episodes.recent]) == {}
    for _ in range(40):
        lengths[rows, envs.current_players] += 1
        rewards, over = envs.step(random_actions(envs.observe()[1], rng))
        returns += rewards
        for row in np.flatnonzero(over):
            seats = np.flatnonzero(lengths[row])
            episodes += [(returns[row, seat], lengths[row, seat]) for seat in seats]
            returns[row], lengths[row] = 0, 0
        ended = envs.ended_games
        shares += ended.win_shares[np.arange(len(ended.rows)), ended.learners].tolist()
    assert len(episodes) > RECENT
    figures = episode_figures([envs.episodes.recent])
    means = np.mean(episodes[-RECENT:], axis=0)
    assert figures["rollout/ep_rew_mean"] == pytest.approx(means[0], abs=1e-5)
    assert figures["rollout/ep_len_mean"] == pytest.approx(means[1])
    if self_play:
        assert "rollout/win_share" not in figures
    else:
        assert figures["rollout/win_share"] == pytest.approx(np.mean(shares[-RECENT:]))


def test_episodes_of_several_actors_count_alike() -> None:
    episodes, none = np.zeros((RECENT, 2)), np.full(RECENT, -1.0)
    other, shares = episodes.copy(), none.copy()
    episodes[-1], other[-1], shares[-2:] = (1, 4), (3, 8), (0, 1)
    figures = episode_figures([Recent(episodes, none), Recent(other, shares)])
    assert figures == {
        "rollout/ep_rew_mean": 2,
        "rollout/ep_len_mean": 6,
        "rollout/win_share": 0.5,
    }


def test_explained_variance_and_ratios() -> None:
    returns, values = torch.tensor([0.0, 1.0, 2.0, 3.0]), torch.tensor([0.0, 1.0, 2.0, 1.0])
    errors = torch.tensor([0.0, 0.0, 0.0, 2.0])
    assert torch.equal(returns - values, errors)
    (found,) = explained_variance(errors, returns).values()
    assert found == pytest.approx(1 - 0.75 / 1.25)
    assert explained_variance(errors, torch.ones(4)) == {}
    ratios = torch.tensor([1.0, 1.1, 1.5, 0.5])
    figures = ratio_figures(ratios.log(), 0.2)
    assert figures["train/clip_fraction"] == 0.5
    expected = (ratios - 1 - ratios.log()).mean()
    assert float(figures["train/approx_kl"]) == pytest.approx(float(expected), abs=1e-6)
