"""What works with the oldest versions of our dependencies, too; `scripts/oldest` installs those."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import goldgriff as gg
from goldgriff.cli.main import main

GAMES = {"auruxxx": "goldgriff/Auruxxx-v0", "gluecksgriff": "goldgriff/Gluecksgriff-v1"}

pytestmark = [
    pytest.mark.parametrize("game", GAMES),
    pytest.mark.filterwarnings("default"),  # old versions are allowed to warn of new ones
]


def test_the_aec_environment(game: str) -> None:
    api_test(gg.make(gg.get_game(game), num_players=3), num_cycles=50)


def test_the_environment_of_one_learner(game: str) -> None:
    env = gymnasium.make(GAMES[game], render_mode="rgb_array")
    check_env(env.unwrapped)
    env.reset(seed=1)
    picture: Any = env.render()
    assert picture.dtype == np.uint8


def test_the_vector_environment(game: str) -> None:
    envs = gymnasium.make_vec(GAMES[game], num_envs=4, autoreset_mode="NextStep")
    envs = gymnasium.wrappers.vector.NormalizeObservation(envs)
    _, infos = envs.reset(seed=1)
    for _ in range(20):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))


def test_a_tournament_with_its_report(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["tournament", game, "--agents", "expert", "random", "--deals", "4", "--players", "2"]
    assert main([*words, "--out", "results"]) == 0
    assert "expert" in capsys.readouterr().out
    assert (tmp_path / "results" / "report.html").exists()
    assert (tmp_path / "results" / "chart.pdf").exists()
