"""`--json`: what commands print for scripts, and nothing else."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.match import Match

from .test_cli import run


def test_scripts_read_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def read(*arguments: object) -> Any:
        assert run(*arguments, "--json") == 0
        return json.loads(capsys.readouterr().out)

    agents = read("agents", "gluecksgriff")
    assert {"game", "name", "description"} == agents[0].keys()
    assert "expert" in [one["name"] for one in agents]
    field = ("--agents", "expert", "random", "--players", 2, "--deals", 2, "--rules", "rounds=1")
    results = read("tournament", "auruxxx", *field, "--out", tmp_path)
    assert results == json.loads((tmp_path / "results.json").read_text())
    rated = read("leaderboard", tmp_path)
    assert rated["ratings"] == results["ratings"]
    record = read("replay", tmp_path, 2)
    assert record["agents"] == ["random", "expert"]
    match = Match("auruxxx", record["settings"])
    match.start(record["seed"])
    for move in record["moves"]:
        match.play(move)
    assert match.scores == record["points"]
    small = ("--players", 2, "--deals", 2, "--iterations", 5, "--rules", "rounds=1")
    bound = read("bound", "auruxxx", *small)
    assert bound["results"].keys() == {"all hands", "its own hand"}
    preset = ("--preset", "smoke", "--rules", "rounds=1", "--players", 2)
    trained = read("train", "auruxxx", *preset, "--out", tmp_path / "run")
    assert Path(trained["policy"]).is_file()
    assert trained["figures"][-1]["timesteps"] > 0


TINY = ("--rules", "preset=tiny-a", "max_decisions=4")


def read(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """Return what a command prints with `--json`."""
    capsys.readouterr()
    assert run(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out)


def test_a_solution_and_what_wins_against_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tiny.safetensors"
    solved = read(capsys, "solve", "auruxxx", *TINY, "--out", file)
    assert (solved["game"], solved["file"]) == ("auruxxx_v0", str(file))
    assert solved["settings"]["max_decisions"] == 4
    assert 0 <= solved["nash_conv"] <= 1e-3
    assert solved["iterations"] > 0
    assert solved["correlated_gap"] is None  # of two players
    assert len(solved["values"]) == 2
    assert sum(solved["values"]) == pytest.approx(0, abs=1e-9)
    assert run("solve", "auruxxx", *TINY, "--out", tmp_path / "again.safetensors") == 0
    first, second = solved["values"]
    assert capsys.readouterr().out.endswith(f"values of the players {first:.6f}, {second:.6f}\n")
    exploited = read(capsys, "exploit", "auruxxx", file, *TINY)
    assert exploited["agent"] == str(file)
    assert exploited["nash_conv"] == pytest.approx(solved["nash_conv"], rel=0.01, abs=1e-12)
    written = tmp_path / "random.json"
    assert run("exploit", "auruxxx", "random", *TINY, "--json", written) == 0
    assert "NashConv" in capsys.readouterr().out
    printed = read(capsys, "exploit", "auruxxx", "random", *TINY)
    assert json.loads(written.read_text()) == printed
    assert printed["nash_conv"] > solved["nash_conv"]


def test_the_runs_of_a_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ("--preset", "smoke", "--steps", 64, "--players", 2, "--rules", "rounds=1")
    given = ("--seeds", 1, 2, "--set", "eval_deals=2", "--workers", 1, "--out", tmp_path)
    found = read(capsys, "sweep", "auruxxx", *small, *given)
    assert (found["game"], found["algorithm"]) == ("auruxxx_v0", "rollout")
    assert [(one["varied"], one["seed"]) for one in found["runs"]] == [({}, 1), ({}, 2)]
    for one in found["runs"]:
        assert one["algorithm"] == "rollout"
        assert one["low"] <= one["win_share"] <= one["high"]
        assert one["nash_conv"] is None
        assert (tmp_path / one["name"]).is_dir()


def test_speeds(tmp_path: Path, root: Path) -> None:
    file = tmp_path / "speeds.json"
    quick = ("--only", "auruxxx-aec", "--repeats", "1", "--seconds", "0.01", "--out", str(file))
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "auruxxx", *quick, "--json"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found == json.loads(file.read_text())
    assert found["modes"].keys() == {"auruxxx-aec"}
    assert found["modes"]["auruxxx-aec"]["rate"]["median"] > 0
