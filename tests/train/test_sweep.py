"""Sweeps: the runs of seeds and settings, here and on Ray, and what is missing of them."""

import csv
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from goldgriff.agents.model_folder import CHECKPOINT
from goldgriff.agents.registry import load_agent
from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.errors import GoldgriffError, SettingsError
from goldgriff.eval.game_theory.beliefs import exploit_by_beliefs, probabilities_of
from goldgriff.eval.workers.ray import connect
from goldgriff.files import FileError
from goldgriff.train import sweep as sweep_module
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.run_folder import SETTINGS, STATE
from goldgriff.train.runner import CHECKPOINTS
from goldgriff.train.sweep import (
    CHART,
    RESULT,
    SWEEP,
    TABLE,
    Sweep,
    begin_sweep,
    read_result,
    read_sweep,
    run_sweep,
)

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
    ended: list[int] = []
    run_sweep(read_sweep(tmp_path), tmp_path, on_progress=ended.append)
    assert ended == [1, 2]
    assert weights_of(sweep, tmp_path) == weights
    with (tmp_path / TABLE).open() as file:
        table = list(csv.DictReader(file))
    assert [row["seed"] for row in table] == ["1", "2"]
    assert (tmp_path / CHART).read_bytes().startswith(b"\x89PNG")
    with pytest.raises(GoldgriffError, match="holds another sweep; choose another folder"):
        begin_sweep(small_sweep([3]), tmp_path)


@pytest.mark.slow
def test_policies_of_a_small_game_are_exploited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"preset": "tiny-a"}
    settings = tiny("ppo", total_timesteps=64, eval_deals=2, rules=rules, players=[2]).to_dict()
    sweep = Sweep("auruxxx", "ppo", settings, {}, [1], exploit=True)
    begin_sweep(sweep, tmp_path)
    small = AURUXXX.read_settings(rules)
    (result,) = run_sweep(sweep, tmp_path).values()
    policy = probabilities_of(load_agent(tmp_path / "seed=1", AURUXXX))
    nash_conv = exploit_by_beliefs(AURUXXX, small, policy).nash_conv
    # The number of BLAS threads changes how sums are rounded.
    assert result.nash_conv == pytest.approx(nash_conv, rel=1e-9)
    assert nash_conv > 0
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


def test_every_algorithm_begins_with_its_preset() -> None:
    sweep = Sweep("auruxxx", "ppo", {}, {"algorithm": ["ppo", "dmc"]}, [1], preset="smoke")
    assert [run.name for run in sweep.runs()] == ["algorithm=ppo,seed=1", "algorithm=dmc,seed=1"]
    presets = [ALGORITHMS[name].preset("smoke") for name in ("ppo", "dmc")]
    assert [run.settings for run in sweep.runs()] == presets
    sweep.vary["algorithm"] = ["pppo"]
    with pytest.raises(SettingsError, match="unknown algorithm 'pppo'"):
        sweep.runs()


@pytest.mark.parametrize(
    "stranger",
    [
        {"settings": {"reward": "evil_sweep:f"}},
        {"vary": {"reward": ["points", "evil_sweep:f"]}},
        {"vary": {"fixed_opponents": [["expert"], ["evil_sweep:f"]]}},
    ],
    ids=["setting", "varied", "list"],
)
def test_code_that_only_a_sweep_names_is_not_imported(
    stranger: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil_sweep.py").write_text("open('imported', 'w')\ndef f(points): return points")
    begin_sweep(small_sweep(), tmp_path / "out")
    stored = json.loads((tmp_path / "out" / SWEEP).read_text())
    (tmp_path / "out" / SWEEP).write_text(json.dumps({**stored, **stranger}))
    assert main(["sweep", "auruxxx", "--out", "out", "--resume"]) == 1
    assert "names code to run: 'evil_sweep:f'; --trust" in capsys.readouterr().err
    assert not (tmp_path / "imported").exists()


def test_a_run_that_fails_is_named(tmp_path: Path) -> None:
    sweep = small_sweep([1], eval_opponent=["nobody"])
    begin_sweep(sweep, tmp_path)
    with pytest.raises(GoldgriffError, match=r"^run eval_opponent=nobody,seed=1: .*'nobody'"):
        run_sweep(sweep, tmp_path)


@pytest.mark.slow
def test_a_run_that_stopped_early_is_only_evaluated(tmp_path: Path) -> None:
    """As after a stop while it was evaluated: there is no result yet."""
    settings = tiny(
        "ppo", total_timesteps=100_000, eval_deals=2, max_no_improvement_evals=1
    ).to_dict()
    sweep = Sweep("auruxxx", "ppo", settings, {}, [1])
    begin_sweep(sweep, tmp_path)
    (first,) = run_sweep(sweep, tmp_path).values()
    assert first.timesteps < 100_000
    (tmp_path / "seed=1" / RESULT).unlink()
    (again,) = run_sweep(sweep, tmp_path).values()
    assert replace(again, seconds=0) == replace(first, seconds=0)


def test_code_that_only_the_folder_of_a_run_names_is_not_run(tmp_path: Path) -> None:
    sweep = small_sweep([1])
    begin_sweep(sweep, tmp_path)
    run_sweep(sweep, tmp_path)
    folder = tmp_path / "seed=1"
    (folder / RESULT).unlink()
    (folder / CHECKPOINT).unlink()
    stored = json.loads((folder / SETTINGS).read_text())
    (folder / SETTINGS).write_text(json.dumps({**stored, "fixed_opponents": ["a:Stranger"]}))
    with pytest.raises(GoldgriffError, match=r"run seed=1: .*seed=1 holds a run"):
        run_sweep(sweep, tmp_path)


@pytest.mark.slow
def test_a_sweep_that_is_stopped_saves_what_its_runs_have_trained(tmp_path: Path) -> None:
    never = {"eval_every_updates": 0, "checkpoint_every_updates": 10**6}
    settings = tiny("ppo", total_timesteps=10**7, eval_deals=2, **never).to_dict()
    begin_sweep(Sweep("auruxxx", "ppo", settings, {}, [1]), tmp_path)
    command = [sys.executable, "-m", "goldgriff", "sweep", "auruxxx", "--out", str(tmp_path)]
    with subprocess.Popen([*command, "--resume"], stderr=subprocess.PIPE, text=True) as sweep:
        while not (tmp_path / "seed=1" / STATE).exists() and sweep.poll() is None:
            time.sleep(0.1)
        time.sleep(2)
        sweep.terminate()
        _, messages = sweep.communicate()
    assert sweep.returncode == 143
    go_on = f"go on with: goldgriff sweep auruxxx --out {tmp_path} --resume"
    assert messages.splitlines()[-1].endswith(f"stopped by SIGTERM; {go_on}")
    saved = sorted((tmp_path / "seed=1" / CHECKPOINTS).glob("*.safetensors"))
    assert int(saved[-1].stem) > 0


@pytest.mark.parametrize("words", ["[" * 100_000, '{"game": "auruxxx"}'], ids=["nested", "cut"])
def test_a_damaged_sweep_is_refused(words: str, tmp_path: Path) -> None:
    (tmp_path / SWEEP).write_text(words)
    with pytest.raises(GoldgriffError, match=r"no sweep to resume in .*: sweep\.json is damaged"):
        read_sweep(tmp_path)


WHOLE = {"timesteps": 1, "seconds": 1.0, "win_share": 0.5, "low": 0.4, "high": 0.6}


@pytest.mark.parametrize(
    "damage", ["{", '{"timesteps": 1}', "[" * 100_000], ids=["cut", "parts", "nested"]
)
def test_a_damaged_result_is_made_anew(damage: str, tmp_path: Path) -> None:
    (tmp_path / RESULT).write_text(json.dumps(WHOLE))
    assert read_result(tmp_path) is not None
    assert read_result(tmp_path, exploit=True) is None
    (tmp_path / RESULT).write_text(damage)
    assert read_result(tmp_path) is None


def test_a_run_from_a_cluster_counts_when_all_its_files_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver that is lost between two files leaves a run that is trained anew."""

    class Cluster:
        capacity = 1

        def tasks(self, function: Any) -> "Cluster":
            self.function = function
            return self

        def begin(self, *task: Any) -> Any:
            return partial(self.function, *task)

        def wait(self, running: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
            yield from ((call, call()) for call in running)

        def stop(self, running: Sequence[Any]) -> None:
            pass

    def lose(_: Mapping[Path, bytes]) -> None:
        raise FileError("lost")

    sweep, cluster = small_sweep([1]), cast(Any, Cluster())
    begin_sweep(sweep, tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(sweep_module, "write_together", lose)
        with pytest.raises(FileError):
            run_sweep(sweep, tmp_path, cluster=cluster)
    assert read_result(tmp_path / "seed=1") is None
    (result,) = run_sweep(sweep, tmp_path, cluster=cluster).values()
    assert read_result(tmp_path / "seed=1") == result
    assert (tmp_path / "seed=1" / STATE).exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--vary", "learning_rate"), "--vary takes NAME=VALUE,VALUE,..., not 'learning_rate'"),
        (("--vary", "gamma=0.9", "gamma=0.8"), "gamma is given twice"),
        (("--vary", "seed=1,2"), "the seeds of a sweep are given by --seeds"),
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
