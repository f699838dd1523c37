"""Runs: exact resuming, files, refusals."""

import errno
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from goldgriff.agents.checkpoints import load_network
from goldgriff.agents.model_folder import CHECKPOINT
from goldgriff.agents.network import Network
from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.errors import GoldgriffError
from goldgriff.files import FileError, claimed
from goldgriff.train.algorithms import ALGORITHMS
from goldgriff.train.logging import TrainingLog
from goldgriff.train.run_folder import STATE, ResumeError, read_settings
from goldgriff.train.runner import Run, set_up_torch

from .small import tiny, train

by_kind = pytest.mark.parametrize("algorithm", ["maskable", "ppo", "rollout"])


def learnt(run: Path) -> list[bytes]:
    """Return all weights of a run, its results against opponents and its curve.

    Metadata hold the timesteps asked for, too.
    """
    files = [run / "model.safetensors", *sorted((run / "checkpoints").iterdir())]
    players = [load_network(file, AURUXXX) for file in files]
    weights = [array.tobytes() for player in players for layer in player.layers for array in layer]
    results = [player.notes["opponents"].encode() for player in players]
    return [*weights, *results, (run / "curve.csv").read_bytes()]


@by_kind
def test_two_halves_of_a_run_are_the_whole(algorithm: str, tmp_path: Path) -> None:
    """With a pool, a rival, tables of two sizes, a teacher for some of the time, measurements."""
    whole = tiny(algorithm)
    half = replace(whole, total_timesteps=whole.total_timesteps // 2)
    train(AURUXXX, algorithm, half, tmp_path / "halves")
    train(AURUXXX, algorithm, whole, tmp_path / "halves", resume=True)
    train(AURUXXX, algorithm, whole, tmp_path / "whole")
    assert learnt(tmp_path / "halves") == learnt(tmp_path / "whole")
    early, late = (
        load_network(tmp_path / "whole" / "checkpoints" / f"{steps:012d}.safetensors", AURUXXX)
        for steps in (512, 1024)
    )
    assert (early.layers[0][0] != late.layers[0][0]).any()
    results = {name: games for name, games, _ in json.loads(late.notes["opponents"])}
    assert sum(results.values()) > 0
    assert set(results) <= {"past versions", "expert"}


def test_a_run_holds_the_settings_of_a_preset_of_rules(tmp_path: Path) -> None:
    preset = tiny("ppo", total_timesteps=128, rules={"preset": "web", "rounds": 1})
    policy = train(AURUXXX, "ppo", preset, tmp_path / "run")
    _, stored = read_settings(AURUXXX, tmp_path / "run")
    assert stored.rules == {"edition": "web", "rounds": 1}
    assert b"preset" not in policy.read_bytes()
    longer = replace(preset, total_timesteps=256)
    assert train(AURUXXX, "ppo", longer, tmp_path / "run", resume=True) == policy


def test_the_files_of_a_run(tmp_path: Path) -> None:
    settings = tiny("ppo")
    path = train(AURUXXX, "ppo", settings, tmp_path)
    assert path == tmp_path / "model.safetensors"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "README.md", "checkpoints", "config.json", "curve.csv", "curve.png", "model.safetensors",
        "settings.json", "state.pt", "tensorboard",
    ]  # fmt: skip
    assert [int(file.stem) for file in sorted((tmp_path / "checkpoints").iterdir())] == [
        0, 256, 512, 768, 1024,
    ]  # fmt: skip
    stored = json.loads((tmp_path / "settings.json").read_text())
    assert stored["game"] == "auruxxx_v0"
    assert read_settings(AURUXXX, tmp_path) == ("ppo", settings)
    assert list((tmp_path / "tensorboard").iterdir())
    assert load_agent(str(tmp_path), AURUXXX)  # the folder stands for its player


@by_kind
def test_an_interrupted_run_can_be_resumed_from_the_start(
    algorithm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    settings = tiny(algorithm, total_timesteps=256)
    with monkeypatch.context() as patch:
        patch.setattr(ALGORITHMS[algorithm].learner, "update", interrupt)
        with pytest.raises(KeyboardInterrupt):
            train(AURUXXX, algorithm, settings, tmp_path / "broken")
    train(AURUXXX, algorithm, settings, tmp_path / "broken", resume=True)
    train(AURUXXX, algorithm, settings, tmp_path / "whole")
    assert learnt(tmp_path / "broken") == learnt(tmp_path / "whole")
    with pytest.raises(ResumeError, match="has made 256 timesteps; to go on give more in all"):
        train(AURUXXX, algorithm, settings, tmp_path / "whole", resume=True)


def test_a_full_disk_leaves_the_last_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, saved = Path.write_bytes, []

    def fill_up(path: Path, content: bytes) -> int:
        if "state.pt" in path.name:
            saved.append(path)
        if len(saved) == 3:
            write(path, content[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    settings = tiny("ppo")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", fill_up)
        with pytest.raises(FileError, match="No space left on device"):
            train(AURUXXX, "ppo", settings, tmp_path / "broken")
    assert not [entry for entry in tmp_path.rglob("*") if ".new" in entry.name]
    run = Run(AURUXXX, "ppo", settings, tmp_path / "broken")
    run.restore()
    assert run.learner.num_timesteps == 256
    train(AURUXXX, "ppo", settings, tmp_path / "broken", resume=True)
    train(AURUXXX, "ppo", settings, tmp_path / "whole")
    assert learnt(tmp_path / "broken") == learnt(tmp_path / "whole")


def test_a_chart_that_cannot_be_drawn_leaves_the_newest_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tiny("ppo")
    with monkeypatch.context() as patch:
        patch.setattr(TrainingLog, "draw", None)
        with pytest.raises(TypeError):
            train(AURUXXX, "ppo", settings, tmp_path)
    run = Run(AURUXXX, "ppo", settings, tmp_path)
    run.restore()
    assert run.learner.num_timesteps == 256


def test_a_device_without_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB.")

    monkeypatch.setattr(ALGORITHMS["ppo"].learner, "update", run_out)
    with pytest.raises(GoldgriffError, match=r"too little memory .* holds what was saved before$"):
        train(AURUXXX, "ppo", tiny("ppo"), tmp_path)
    assert (tmp_path / STATE).exists()


def test_only_a_processor_made_for_it_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for able, device, precision in (
        (True, "cpu", "medium"),
        (False, "cpu", "highest"),
        (True, "cuda", "highest"),
    ):
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda able=able: {"avx512_bf16": able})
        set_up_torch(1, device)
        assert torch.get_float32_matmul_precision() == precision


def test_a_run_is_not_overwritten_and_none_is_invented(tmp_path: Path) -> None:
    run, settings = tmp_path / "run", tiny("ppo", total_timesteps=128)
    with pytest.raises(ResumeError, match="no run to resume"):
        read_settings(AURUXXX, run)
    train(AURUXXX, "ppo", settings, run)
    before = (run / "model.safetensors").read_bytes()
    assert train(AURUXXX, "ppo", settings, run).read_bytes() == before
    with pytest.raises(ResumeError, match="has made 128 timesteps; to go on give more"):
        train(AURUXXX, "ppo", settings, run, resume=True)
    with pytest.raises(ResumeError, match="holds a run; resume it"):
        train(AURUXXX, "ppo", replace(settings, seed=2), run)
    with claimed(run), pytest.raises(FileError, match="another process is at work in"):
        train(AURUXXX, "ppo", replace(settings, total_timesteps=256), run, resume=True)
    (run / "state.pt").write_bytes(b"PK garbage")
    with pytest.raises(ResumeError, match="cannot resume from"):
        train(AURUXXX, "ppo", settings, run, resume=True)
    assert (run / "model.safetensors").read_bytes() == before
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot write to folder"):
        train(AURUXXX, "ppo", settings, tmp_path / "file" / "run")


def test_what_is_of_another_game_or_version_is_refused(tmp_path: Path) -> None:
    run, other = tmp_path / "run", tmp_path / "other"
    settings = tiny("ppo", total_timesteps=128)
    train(AURUXXX, "ppo", settings, run)
    with pytest.raises(ResumeError, match="is not of gluecksgriff_v1"):
        read_settings(GLUECKSGRIFF, run)
    theirs = tiny("ppo", total_timesteps=256, rules={})
    other.mkdir()
    shutil.copy(run / "state.pt", other)
    with pytest.raises(
        ResumeError, match=r"cannot resume from .*begun with other environment, observation, rules$"
    ):
        train(GLUECKSGRIFF, "ppo", theirs, other, resume=True)
    with pytest.raises(GoldgriffError, match="environment is 'auruxxx_v0'"):
        train(GLUECKSGRIFF, "ppo", replace(theirs, fixed_opponents=[str(run)]), tmp_path / "third")
    stored = json.loads((run / "settings.json").read_text())
    for changed, message in (
        ({"algorithm": "sarsa"}, "of algorithm 'sarsa', which there is not"),
        ({"algorithm": ["ppo"]}, "which there is not"),
        ({"speed": 1}, "unknown setting 'speed'"),
        ({"players": "four"}, "players must be a list"),
    ):
        (run / "settings.json").write_text(json.dumps(stored | changed))
        with pytest.raises(GoldgriffError, match=message):
            read_settings(AURUXXX, run)


def test_a_run_goes_on_with_the_very_settings_and_agents_that_it_was_begun_with(
    tmp_path: Path,
) -> None:
    rival, run = tmp_path / "rival", tmp_path / "run"
    train(AURUXXX, "ppo", tiny("ppo", total_timesteps=128), rival)
    settings = tiny("ppo", total_timesteps=128, fixed_opponents=["expert", str(rival)])
    train(AURUXXX, "ppo", settings, run)
    longer = replace(settings, total_timesteps=256)
    with pytest.raises(ResumeError, match=r"begun with other reward$"):
        train(AURUXXX, "ppo", replace(longer, reward="win"), run, resume=True)
    with pytest.raises(ResumeError, match="begun with other algorithm, "):
        train(AURUXXX, "nfsp", tiny("nfsp", total_timesteps=256), run, resume=True)
    weights = (rival / CHECKPOINT).read_bytes()
    train(AURUXXX, "ppo", tiny("ppo", total_timesteps=256), rival, resume=True)
    with pytest.raises(ResumeError, match=rf"begun with other weights of {rival}$"):
        train(AURUXXX, "ppo", longer, run, resume=True)
    (rival / CHECKPOINT).write_bytes(weights)
    train(AURUXXX, "ppo", longer, run, resume=True)


def test_a_run_may_stand_in_the_pool_of_another(tmp_path: Path) -> None:
    train(AURUXXX, "ppo", tiny("ppo", total_timesteps=128), tmp_path / "first")
    opponents = ["expert", str(tmp_path / "first")]
    second = tiny(
        "ppo",
        total_timesteps=128,
        fixed_opponents=opponents,
        eval_opponent=opponents[1],
        self_play=0,
    )
    train(AURUXXX, "ppo", second, tmp_path / "second")
    run = Run(AURUXXX, "ppo", replace(second, total_timesteps=256), tmp_path / "second")
    run.restore()
    rival, first = run.pool.members[1], load_network(tmp_path / "first" / CHECKPOINT, AURUXXX)
    assert isinstance(rival, Network)
    assert (rival.layers[0][0] == first.layers[0][0]).all()
