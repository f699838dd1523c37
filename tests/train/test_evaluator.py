"""Evaluation: a policy that was clearly better is kept, training stops in time."""

import csv
import io
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from goldgriff.agents.checkpoints import load_network
from goldgriff.agents.network import Network
from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.tournament.config import TournamentConfig
from goldgriff.eval.tournament.guard import Player
from goldgriff.eval.tournament.statistics import Estimate
from goldgriff.eval.tournament.tournament import run_tournament
from goldgriff.train import evaluator as module
from goldgriff.train.algorithms import ALGORITHMS, Algorithm
from goldgriff.train.evaluator import Evaluator
from goldgriff.train.logging import INTERVAL, WIN_SHARE
from goldgriff.train.run_folder import ResumeError, read_state, write_state
from goldgriff.train.runner import run_training
from goldgriff.train.self_play import SelfPlayEnvs
from goldgriff.train.settings import RunSettings

from .small import tiny, train

ACTIONS, SIZE = len(AURUXXX.actions), AURUXXX.observation_spec.size


def network(bias: float) -> Network:
    return Network([(np.zeros((ACTIONS, SIZE), np.float32), np.full(ACTIONS, bias, np.float32))])


class Stub:
    """Learns nothing; the biases of its policy are the number of its updates."""

    ONE_LEARNER = False

    def __init__(self, envs: SelfPlayEnvs, settings: Any) -> None:
        self.envs, self.settings = envs, settings
        self.num_timesteps = 0

    def begin(self) -> None:
        self.envs.reset()

    def update(self) -> dict[str, float]:
        self.num_timesteps += 10
        return {"loss": 1 / self.num_timesteps}

    def export(self) -> Network:
        return network(self.num_timesteps // 10)

    def state(self) -> dict[str, Any]:
        return {"num_timesteps": self.num_timesteps}

    def restore(self, state: dict[str, Any]) -> None:
        self.num_timesteps = state["num_timesteps"]


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the win shares of the next evaluations, to be filled; `stub` can be trained."""
    monkeypatch.setitem(ALGORITHMS, "stub", Algorithm(RunSettings, {}, Stub))
    shares: list[float] = []

    def evaluation(*_: object) -> Estimate:
        share = shares.pop(0)
        return Estimate(share, share - 0.05, share + 0.05)

    monkeypatch.setattr(Evaluator, "_play", lambda *_: None)
    monkeypatch.setattr(module, "estimate", evaluation)
    return shares


def bias_of(path: Path) -> float:
    return float(load_network(path, AURUXXX).layers[-1][1][0])


def evaluations(run: Path) -> dict[int, float]:
    with (run / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {int(row["timesteps"]): float(row[WIN_SHARE]) for row in rows if row[WIN_SHARE]}


def settings(**more: Any) -> RunSettings:
    usual: dict[str, Any] = {
        "n_envs": 4,
        "total_timesteps": 100,
        "eval_every_updates": 1,
        "max_no_improvement_evals": 2,
        "hidden": [4],
    }
    return RunSettings(**(usual | more))


def test_training_stops_when_nothing_better_comes_and_a_clearly_better_one_is_kept(
    measured: list[float], tmp_path: Path
) -> None:
    measured += [0.1, 0.3, 0.2, 0.3, 0.9]  # an equal one is no new best
    path = train(AURUXXX, "stub", settings(), tmp_path)
    assert measured == [0.9]  # never asked for
    assert bias_of(path) == 4
    with (tmp_path / "curve.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row[WIN_SHARE]) for row in rows] == [0.1, 0.3, 0.2, 0.3]
    assert [float(row[INTERVAL[0]]) for row in rows] == pytest.approx([0.05, 0.25, 0.15, 0.25])
    with pytest.raises(ResumeError, match="no better policy was found in its last 2 ev"):
        train(AURUXXX, "stub", settings(total_timesteps=200), tmp_path, resume=True)


@pytest.mark.parametrize(
    ("shares", "kept"),
    [((0.4, 0.36), 2), ((0.4, 0.34), 1), ((0.4, 0.36, 0.34), 2), ((0.3, 0.26, 0.4, 0.36), 4)],
)
def test_the_newest_policy_is_kept_unless_an_older_one_was_clearly_better(
    shares: tuple[float, ...], kept: int, measured: list[float], tmp_path: Path
) -> None:
    """The interval of the best share reaches 0.05 below it; resuming changes nothing."""
    measured += shares
    for updates in (1, len(shares)):
        steps = {"total_timesteps": 10 * updates, "max_no_improvement_evals": 0}
        run = run_training(AURUXXX, "stub", settings(**steps), tmp_path, resume=updates > 1)
    assert bias_of(tmp_path / "model.safetensors") == kept
    assert f"it wins {shares[kept - 1]:.1%}".replace("%", " %") in run.log.describe(kept=True)


def test_the_policy_at_the_end_is_evaluated_and_a_longer_run_forgets_that(
    measured: list[float], tmp_path: Path
) -> None:
    measured += [0.3, 0.4]
    short = settings(total_timesteps=50, eval_every_updates=3)
    path = train(AURUXXX, "stub", short, tmp_path / "halves")
    assert evaluations(tmp_path / "halves") == {30: 0.3, 50: 0.4}
    assert bias_of(path) == 5
    measured += [0.2, 0.24, 0.3, 0.2, 0.24]
    longer = settings(total_timesteps=80, eval_every_updates=3)
    train(AURUXXX, "stub", longer, tmp_path / "halves", resume=True)
    train(AURUXXX, "stub", longer, tmp_path / "whole")
    for run in ("halves", "whole"):
        assert evaluations(tmp_path / run) == {30: 0.3, 60: 0.2, 80: 0.24}
        assert bias_of(tmp_path / run / "model.safetensors") == 3
    agents = [(tmp_path / run / "config.json").read_text() for run in ("halves", "whole")]
    assert agents[0] == agents[1].replace('"total_timesteps": 80', '"total_timesteps": 50')


def test_a_stranger_s_state_writes_no_files_but_the_agent_s(
    measured: list[float], tmp_path: Path
) -> None:
    measured += [0.3, 0.4, 0.3]
    run = tmp_path / "run"
    train(AURUXXX, "stub", settings(total_timesteps=50, eval_every_updates=3), run)
    state = torch.load(io.BytesIO(read_state(run)), weights_only=True)
    state["agent"] |= dict.fromkeys(("../outside", "inside"), torch.zeros(1, dtype=torch.uint8))
    forged = io.BytesIO()
    torch.save(state, forged)
    write_state(run, forged)
    train(AURUXXX, "stub", settings(total_timesteps=60, eval_every_updates=3), run, resume=True)
    assert list(tmp_path.iterdir()) == [run]
    assert not (run / "inside").exists()


def test_a_run_of_a_single_update_is_evaluated(measured: list[float], tmp_path: Path) -> None:
    measured += [0.3]
    train(AURUXXX, "stub", settings(total_timesteps=10, eval_every_updates=10), tmp_path)
    assert evaluations(tmp_path) == {10: 0.3}
    assert json.loads((tmp_path / "config.json").read_text())["evaluation"]["win_share"] == 0.3


def test_without_evaluations_the_newest_policy_is_the_runs(
    measured: list[float], tmp_path: Path
) -> None:
    path = train(
        AURUXXX, "stub", settings(eval_every_updates=0, max_no_improvement_evals=1), tmp_path
    )
    assert bias_of(path) == 10
    assert not measured


def evaluator_of(**more: Any) -> Evaluator:
    rules: dict[str, Any] = {"players": [2, 4], "rules": {"rounds": 1}}
    return Evaluator(AURUXXX, settings(**{"eval_opponent": "random"} | rules | more))


def test_every_evaluation_plays_the_same_deals() -> None:
    """A network of zeros plays at random: with 2 and 4 players it wins about 3/8."""
    evaluator = evaluator_of(eval_deals=3)
    one, again = (evaluator.evaluate(network(0)) for _ in range(2))
    assert one == again
    assert 0.05 < one.mean < 0.75
    assert one.low <= one.mean <= one.high


@pytest.mark.parametrize("players", [[3], [2, 4]])
def test_an_evaluation_equals_a_tournament(
    players: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where its deals are several shards."""
    evaluator = evaluator_of(eval_opponent="expert", players=players, eval_deals=20)
    monkeypatch.setattr(module, "SHARD_GAMES", 50)
    assert evaluator.config.num_shards > 1
    agents = [Player("learner", network(0)), Player("expert", load_agent("expert", AURUXXX))]
    names = {field.name for field in fields(TournamentConfig)}
    same = TournamentConfig(**{name: getattr(evaluator.config, name) for name in names})
    standings = {one.name: one.win_share for one in run_tournament(same, agents).standings}
    found, expected = evaluator.evaluate(network(0)), standings["learner"]
    assert (found.mean, found.low, found.high) == pytest.approx(
        (expected.mean, expected.low, expected.high)
    )


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_evaluations_do_not_change_what_is_learnt(name: str, tmp_path: Path) -> None:
    weights = []
    for every in (0, 1):
        run = tmp_path / str(every)
        steps = {"total_timesteps": 512, "snapshot_every_updates": 2}
        train(AURUXXX, name, tiny(name, eval_every_updates=every, **steps), run)
        *_, newest = sorted((run / "checkpoints").iterdir())
        layers = load_network(newest, AURUXXX).layers
        weights.append([array.tobytes() for layer in layers for array in layer])
    assert weights[0] == weights[1]


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_a_run_evaluates_by_default(name: str) -> None:
    """Six times or more in the preset `quick`, against the expert."""
    preset = ALGORITHMS[name].preset("quick")
    updates = preset.total_timesteps / (preset.n_envs * preset.n_steps)
    assert 6 <= updates // preset.eval_every_updates <= 15
    assert preset.eval_opponent == "expert"
