"""What was made with a version of a game that was replaced is refused in one line that says so."""

import json
import sqlite3
from pathlib import Path

import pytest
from safetensors.numpy import load_file, save_file

from goldgriff.agents.checkpoints import CheckpointError, load_network, with_checksum
from goldgriff.agents.registry import CHAMPIONS
from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.tournament.store import STORE

REPLACED = "gluecksgriff_v0 was replaced by gluecksgriff_v1, in which the last turn after a call"
OLD = {"environment": "gluecksgriff_v0", "format": "goldgriff policy 1"}
NEXT = ["--deals", "2", "--workers", "1", "--out", "next"]


@pytest.fixture(scope="module")
def of_v0(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a checkpoint, a run and a store, as if of `gluecksgriff_v0`."""
    folder = tmp_path_factory.mktemp("v0")
    (folder / "run").mkdir()
    policy = folder / "run" / "model.safetensors"
    save_file(load_file(CHAMPIONS / "gluecksgriff.safetensors"), policy, OLD)
    newer = folder / "newer.safetensors"  # of the format that is read
    save_file(load_file(policy), newer, OLD | {"format": "goldgriff policy 2"})
    newer.write_bytes(with_checksum(newer.read_bytes()))
    settings = {"game": "gluecksgriff_v0", "algorithm": "lookahead"}
    (folder / "run" / "settings.json").write_text(json.dumps(settings))
    (folder / "run" / "state.pt").write_bytes(b"")
    play = ["tournament", "gluecksgriff", "--agents", "random", "expert", "--players", "2"]
    short = ["--rules", "point_limit=5", "--deals", "2", "--workers", "1"]
    assert main([*play, *short, "--out", str(folder / "results")]) == 0
    store = sqlite3.connect(folder / "results" / STORE, isolation_level=None)
    store.execute("UPDATE metadata SET game = 'gluecksgriff_v0'")
    store.close()
    return folder


@pytest.mark.rule("G8.2")
@pytest.mark.parametrize(
    "command",
    [
        ["tournament", "--agents", "run", "random", *NEXT],
        ["tournament", "--agents", "run/model.safetensors", "random", *NEXT],
        ["tournament", "--agents", "newer.safetensors", "random", *NEXT],
        ["tournament", "--agents", "search+run@100", "random", *NEXT],
        ["tournament", "--agents", "random", "expert", "--deals", "2", "--out", "results"],
        ["tournament", "--resume", "--out", "results"],
        ["play", "--browser", "--no-open", "--agents", "run"],
        ["play", "--browser", "--no-open", "--hints", "run"],
        ["play", "--browser", "--no-open", "--resume", "1", "--out", "results"],
        ["play", "--browser", "--no-open", "--replay", "results", "1"],
        ["train", "--resume", "--out", "run"],
        ["train", "--out", "next", "--set", "eval_opponent=run"],
        ["train", "--out", "next", "--set", 'fixed_opponents=["run"]'],
        ["train", "--algorithm", "lookahead", "--out", "next", "--set", "initial_policy=run"],
        ["leaderboard", "results"],
        ["replay", "results", "1"],
    ],
    ids=" ".join,
)
def test_what_is_of_a_replaced_version_is_refused_in_one_line(
    of_v0: Path,
    command: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(of_v0)
    game = [] if command[0] in ("leaderboard", "replay") else ["gluecksgriff"]
    assert main([command[0], *game, *command[1:]]) == 1
    said = capsys.readouterr().err
    assert REPLACED in said
    assert said.startswith("goldgriff ")
    assert said.count("\n") == 1


def test_for_another_game_a_checkpoint_of_a_replaced_version_is_one_of_another_game(
    of_v0: Path,
) -> None:
    message = "environment is 'gluecksgriff_v0', needed is 'auruxxx_v0'"
    with pytest.raises(CheckpointError, match=message):
        load_network(of_v0 / "newer.safetensors", AURUXXX)
