"""Actors: what they play is learnt from, the same with one seed, also after a resume."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from goldgriff.agents.checkpoints import load_network
from goldgriff.agents.model_folder import CHECKPOINT
from goldgriff.errors import SettingsError
from goldgriff.eval.workers.ray import connect
from goldgriff.train.runner import run_training

from .small import tiny


def with_actors(algorithm: str, updates: int = 3, **more: Any) -> Any:
    settings: Any = tiny(algorithm, actors=2, snapshot_every_updates=1, **more)
    return replace(settings, total_timesteps=updates * settings.n_envs * settings.n_steps)


@pytest.mark.parametrize("algorithm", ["ppo", pytest.param("rollout", marks=pytest.mark.slow)])
def test_a_resumed_run_with_actors_is_the_run(algorithm: str, tmp_path: Path) -> None:
    settings = with_actors(algorithm, self_play=0.0)
    whole = run_training("auruxxx", algorithm, settings, tmp_path / "whole")
    assert whole.learner.num_timesteps == settings.total_timesteps
    assert whole.actors is not None
    assert whole.updates == 3
    half = with_actors(algorithm, 2, self_play=0.0)
    run_training("auruxxx", algorithm, half, tmp_path / "parts")
    run_training("auruxxx", algorithm, settings, tmp_path / "parts", resume=True)
    one, other = (tmp_path / name / CHECKPOINT for name in ("whole", "parts"))
    assert one.read_bytes() == other.read_bytes()
    assert json.loads(load_network(one, "auruxxx").notes["opponents"])


@pytest.mark.ray
def test_actors_on_ray_play_the_same(tmp_path: Path) -> None:
    settings = with_actors("ppo")
    run_training("auruxxx", "ppo", settings, tmp_path / "here")
    with connect(True) as cluster:
        run_training("auruxxx", "ppo", settings, tmp_path / "ray", cluster=cluster)
    one, other = (tmp_path / name / CHECKPOINT for name in ("here", "ray"))
    assert one.read_bytes() == other.read_bytes()


def test_more_actors_than_games_are_refused() -> None:
    with pytest.raises(
        SettingsError,
        match="n_envs must be at least 8: a game for each number of players and actor",
    ):
        tiny("ppo", actors=4, n_envs=3)
