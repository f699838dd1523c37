"""Every algorithm trains on the tiny presets."""

from dataclasses import replace
from pathlib import Path

import pytest

import goldgriff
from goldgriff.agents.registry import load_agent
from goldgriff.envs.engine.game import GAMES
from goldgriff.eval.game_theory.exploit import exploit
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.api import AlgorithmName

from .small import train

CASES = [
    (game, preset)
    for game in GAMES
    for preset in GAMES[game].settings.PRESETS
    if preset.startswith("tiny-")
]


@pytest.mark.long
@pytest.mark.parametrize(("game", "preset"), CASES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_trains_on_it(
    game: str, preset: str, algorithm: AlgorithmName, tmp_path: Path
) -> None:
    run = goldgriff.train_agent(
        game, algorithm, preset="smoke", rules={"preset": preset}, out=tmp_path
    )
    assert 0 < exploit(game, run.best, {"preset": preset}).nash_conv < 4


def test_both_games_have_three_of_them() -> None:
    assert [preset for _, preset in CASES] == ["tiny-a", "tiny-b", "tiny-c"] * 2


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_runs_on_a_tiny_preset(algorithm: str, name: str, tmp_path: Path) -> None:
    """Three updates of its preset `smoke`; the agent is saved."""
    game, settings = GAMES[name], ALGORITHMS[algorithm].preset("smoke")
    settings = replace(
        settings,
        rules={"preset": "tiny-a"},
        players=[2],
        reward="win",
        total_timesteps=3 * settings.n_envs * settings.n_steps,
    )
    train(game, algorithm, settings, tmp_path)
    assert load_agent(str(tmp_path), game)
