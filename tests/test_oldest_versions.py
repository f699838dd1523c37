"""What works with the oldest versions of our dependencies, too; `scripts/oldest` installs those."""

import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import goldgriff as gg
from goldgriff.cli.main import main

GAMES = {"auruxxx": "goldgriff/Auruxxx-v0", "gluecksgriff": "goldgriff/Gluecksgriff-v1"}

pytestmark = pytest.mark.filterwarnings("default")  # old versions are allowed to warn of new ones
each_game = pytest.mark.parametrize("game", GAMES)


@each_game
def test_the_aec_environment(game: str) -> None:
    api_test(gg.make(gg.get_game(game), num_players=3), num_cycles=50)


@each_game
def test_the_environment_of_one_learner(game: str) -> None:
    env = gymnasium.make(GAMES[game], render_mode="rgb_array")
    check_env(env.unwrapped)
    env.reset(seed=1)
    picture: Any = env.render()
    assert picture.dtype == np.uint8


@each_game
def test_the_vector_environment(game: str) -> None:
    envs = gymnasium.make_vec(GAMES[game], num_envs=4, autoreset_mode="NextStep")
    envs = gymnasium.wrappers.vector.NormalizeObservation(envs)
    _, infos = envs.reset(seed=1)
    for _ in range(20):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))


@each_game
def test_a_tournament_with_its_report(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["tournament", game, "--agents", "expert", "random", "--deals", "4", "--players", "2"]
    assert main([*words, "--out", "results"]) == 0
    assert "expert" in capsys.readouterr().out
    assert (tmp_path / "results" / "report.html").exists()
    assert (tmp_path / "results" / "chart.pdf").exists()


def test_a_training_with_its_files(tmp_path: Path) -> None:
    run = gg.train_agent("auruxxx", "maskable", preset="smoke", num_players=2, out=tmp_path / "run")
    assert len(run.to_pandas()) == len(run.figures)
    assert any((tmp_path / "run" / "tensorboard").iterdir())
    assert gg.export_onnx(run.best, "auruxxx", tmp_path / "agent.onnx").exists()


def test_a_game_of_open_spiel() -> None:
    pyspiel: Any = pytest.importorskip("pyspiel")
    gg.register_open_spiel()
    loaded = pyspiel.load_game("goldgriff_auruxxx(preset=tiny-a)")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


def test_the_page(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "goldgriff", "play", "auruxxx", "--browser"]
    command += ["--no-open", "--port", "0", "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        with urlopen(server.stdout.readline().split()[2]) as answer:
            assert b"<html" in answer.read()
        server.terminate()


@pytest.mark.ray
def test_a_tournament_on_ray() -> None:
    gg.play_tournament("auruxxx", ["expert", "random"], num_players=2, deals=4, ray=True)
