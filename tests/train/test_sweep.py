"""Sweeps: the runs of seeds and settings, here and on Ray, and what is missing of them."""

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from goldgriff.agents.model_folder import CHECKPOINT
from goldgriff.agents.registry import load_agent
from goldgriff.cli import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.errors import GoldgriffError, SettingsError
from goldgriff.eval.game_theory.beliefs import exploit_by_beliefs, probabilities_of
from goldgriff.eval.ray import connect
from goldgriff.train.sweep import CHART, TABLE, Sweep, begin_sweep, read_sweep, run_sweep

from .small import tiny


def small_sweep(seeds: Sequence[int] = (1, 2), **vary: Any) -> Sweep:
    settings = tiny("ppo", total_timesteps=64, eval_deals=2).to_dict()
    return Sweep("auruxxx", "ppo", settings, vary, list(seeds))


def weights_of(sweep: Sweep, out: Path) -> list[bytes]:
    return [(out / run.name / CHECKPOINT).read_bytes() for run in sweep.runs()]


def test_every_choice_of_values_is_a_run_for_each_seed() -> None:
    sweep = small_sweep(learning_rate=[0.1, 0.2], hidden=[[8], [16, 8]])
    names = [run.name for run in sweep.runs()]
    assert names[:3] == [
        "learning_rate=0.1,hidden=[8],seed=1",
        "learning_rate=0.1,hidden=[8],seed=2",
        "learning_rate=0.1,hidden=[16,8],seed=1",
    ]
    assert len(names) == 8
    last: Any = sweep.runs()[-1].settings
    assert (last.learning_rate, last.hidden, last.seed) == (0.2, [16, 8], 2)


@pytest.mark.parametrize(
    ("sweep", "message"),
    [
        (small_sweep([1, 1]), "^two runs of the sweep would be 'seed=1'$"),
        (small_sweep(learning_rat=[0.1]), "learning_rat"),
        (small_sweep(learning_rate=["fast"]), "learning_rate must be"),
    ],
)
def test_a_sweep_that_cannot_be_is_refused(sweep: Sweep, message: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=message):
        begin_sweep(sweep, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_sweep_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    sweep = small_sweep()
    begin_sweep(sweep, tmp_path)
    first = run_sweep(sweep, tmp_path, workers=2)
    weights = weights_of(sweep, tmp_path)
    assert weights[0] != weights[1]
    assert [one.timesteps for one in first.values()] == [128, 128]
    shutil.rmtree(tmp_path / "seed=2")
    trained: list[str] = []
    run_sweep(read_sweep(tmp_path), tmp_path, on_result=lambda run, _: trained.append(run.name))
    assert trained == ["seed=2"]
    assert weights_of(sweep, tmp_path) == weights
    with (tmp_path / TABLE).open() as file:
        table = list(csv.DictReader(file))
    assert [row["seed"] for row in table] == ["1", "2"]
    assert (tmp_path / CHART).read_bytes().startswith(b"\x89PNG")
    with pytest.raises(GoldgriffError, match="holds another sweep; choose another folder"):
        begin_sweep(small_sweep([3]), tmp_path)


def test_policies_of_a_small_game_are_exploited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"preset": "tiny-a"}
    settings = tiny("ppo", total_timesteps=64, eval_deals=2, rules=rules, players=[2]).to_dict()
    sweep = Sweep("auruxxx", "ppo", settings, {}, [1], exploit=True)
    begin_sweep(sweep, tmp_path)
    (result,) = run_sweep(sweep, tmp_path).values()
    small = AURUXXX.read_settings(rules)
    policy = probabilities_of(load_agent(tmp_path / "seed=1", AURUXXX))
    assert result.nash_conv == exploit_by_beliefs(AURUXXX, small, policy).nash_conv > 0
    assert main(["sweep", "auruxxx", "--out", str(tmp_path), "--resume"]) == 0
    assert "NashConv" in capsys.readouterr().out
    with (tmp_path / TABLE).open() as file:
        assert [row["nash_conv"] for row in csv.DictReader(file)] == [str(result.nash_conv)]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"players": [2]}, "has endlessly many nodes|has about"),
        ({"players": [2, 3]}, "takes one number of"),
    ],
)
def test_exploiting_in_a_large_game_is_refused(
    given: dict[str, Any], message: str, tmp_path: Path
) -> None:
    settings = tiny("ppo", **given).to_dict()
    with pytest.raises(SettingsError, match=message):
        begin_sweep(Sweep("auruxxx", "ppo", settings, {}, [1], exploit=True), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_that_fails_is_named(tmp_path: Path) -> None:
    sweep = small_sweep([1], eval_opponent=["nobody"])
    begin_sweep(sweep, tmp_path)
    with pytest.raises(GoldgriffError, match=r"^run eval_opponent=nobody,seed=1: .*'nobody'"):
        run_sweep(sweep, tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--vary", "learning_rate"), "--vary takes NAME=VALUE,VALUE,..., not 'learning_rate'"),
        (("--vary", "gamma=0.9", "gamma=0.8"), "gamma is given twice"),
        (("--vary", "seed=1,2"), "seed is given twice"),
        (("--workers", "2", "--ray"), "give --workers or --ray"),
        (("--resume",), "no sweep to resume in"),
        (("--resume", "--seeds", "1"), "--resume goes on as begun"),
    ],
)
def test_a_wrong_command_is_refused_in_a_line(
    arguments: tuple[str, ...],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["sweep", "auruxxx", "--out", str(tmp_path / "out"), *arguments]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.ray
def test_ray_trains_the_same_policies(tmp_path: Path) -> None:
    sweep = small_sweep()
    for out in (tmp_path / "here", tmp_path / "ray"):
        begin_sweep(sweep, out)
    run_sweep(sweep, tmp_path / "here")
    with connect(True) as cluster:
        run_sweep(sweep, tmp_path / "ray", cluster=cluster)
    assert weights_of(sweep, tmp_path / "here") == weights_of(sweep, tmp_path / "ray")
