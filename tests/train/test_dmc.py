"""Deep Monte Carlo: returns, episodes, the greedy policy, resuming."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from goldgriff.agents.checkpoints import MAX_WEIGHT, load_network, save_network
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.policy import ObservationBatch
from goldgriff.errors import SettingsError
from goldgriff.train.dmc import DMC, DMCSettings, EpisodeBuffer, compute_returns

from .learners import SMALL, envs_of, same, share_against_random


def new_dmc(**given: Any) -> DMC:
    settings = DMCSettings.from_dict({**SMALL, "batch_size": 64, **given})
    learner = DMC(envs_of(settings), settings)
    learner.begin()
    return learner


def slow_returns(rewards: list[list[float]], players: list[int], gamma: float) -> list[float]:
    """By the definition: what comes, discounted by gamma for each own decision made until then."""
    returns = []
    for start, seat in enumerate(players):
        total, made = 0.0, 0
        for step in range(start, len(players)):
            made += step > start and players[step] == seat
            total += gamma**made * rewards[step][seat]
        returns.append(total)
    return returns


@pytest.mark.parametrize("gamma", [0.0, 0.9, 1.0])
def test_returns_are_what_came_to_ones_own_seat(gamma: float) -> None:
    rng = np.random.default_rng(1)
    for seats in (2, 5):
        rewards = rng.normal(size=(40, seats)).astype(np.float32)
        players = rng.integers(0, seats, 40)
        expected = slow_returns(rewards.tolist(), players.tolist(), gamma)
        assert compute_returns(rewards, players, gamma) == pytest.approx(expected, abs=1e-5)


def test_an_episode_buffer_gives_each_game_whole_and_grows() -> None:
    """Two games that end at different times, one longer than the initial room."""
    episodes = EpisodeBuffer(2, 3, inputs=1)
    for step in range(150):
        number = np.array([[step % 256], [100]], np.uint8)
        rewards = np.full((2, 3), step == 149, np.float32)
        episodes.add(number, np.array([step, 7]), np.array([step % 3, 0]), rewards)
        if step == 4:
            raw, actions, returns = episodes.pop(1, 1.0)
            assert (len(raw), set(actions.tolist()), returns.tolist()) == (5, {7}, [0.0] * 5)
    seen, actions, returns = episodes.pop(0, 0.5)
    assert seen[:, 0].tolist() == actions.tolist() == list(range(150))
    assert returns[-3:].tolist() == [1.0, 1.0, 1.0]
    assert returns[:3] == pytest.approx([0.5**49] * 3)
    assert episodes.counts.tolist() == [0, 145]


@pytest.mark.parametrize("players", [[2], [2, 3, 5]])
def test_every_decision_is_learnt_from_once_when_its_game_is_over(players: list[int]) -> None:
    learner = new_dmc(players=players, rules={"rounds": 1, "max_decisions": 40})
    learnt = 0
    for _ in range(6):
        for raw, actions, returns in learner._play():
            assert len(raw) == len(actions) == len(returns) > 0
            learnt += len(actions)
    assert learnt > 100
    assert learner.num_timesteps == learnt + int(learner.episodes.counts.sum())


def test_the_exported_policy_is_greedy_and_its_file_can_be_read(tmp_path: Path) -> None:
    learner = new_dmc(epsilon=0.0)
    with torch.no_grad():
        learner.net.head.weight *= 200  # a network gone wild stays one that can be loaded
    save_network(tmp_path / "wild.safetensors", learner.export(), AURUXXX, {})
    policy = load_network(tmp_path / "wild.safetensors", AURUXXX)
    assert abs(policy.layers[-1][0]).max() <= MAX_WEIGHT
    learner = new_dmc()
    raw, masks = learner.envs.observe()
    random_bits = np.arange(len(raw), dtype=np.uint64) * np.uint64(2**59)
    actions = learner.export().act(ObservationBatch(AURUXXX, raw, masks, random_bits))
    values = learner.net(torch.from_numpy(raw)).detach().numpy()
    chosen = np.take_along_axis(values, actions[:, None], axis=1)[:, 0]
    best = np.where(masks == 1, values, -np.inf).max(axis=1)
    assert chosen == pytest.approx(best, abs=0.02)


def test_resuming_from_a_state_is_exact() -> None:
    """Games are running when the state is taken: their episodes continue as well."""
    whole, halves = new_dmc(players=[2, 3]), new_dmc(players=[2, 3])
    for _ in range(3):
        whole.update()
        halves.update()
    assert halves.episodes.counts.sum() > 0
    later = new_dmc(players=[2, 3])
    later.restore(halves.state())
    for _ in range(3):
        assert whole.update() == later.update()
    assert same(whole.state(), later.state())


def test_it_learns_to_beat_random_play() -> None:
    learner = new_dmc(n_envs=32, n_steps=64, hidden=[64], epsilon=0.1)
    for _ in range(60):
        learner.update()
    assert share_against_random(learner.export()) > 0.65


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epsilon": 2}, "epsilon must be a number from 0 to 1, not 2"),
        ({"batch_size": 0}, "batch_size must be a whole number from 2 to 16777216, not 0"),
        ({"device": "abacus"}, "device 'abacus' cannot be used: "),
    ],
)
def test_settings_are_refused_in_one_line(given: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        DMCSettings.from_dict(given)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)
