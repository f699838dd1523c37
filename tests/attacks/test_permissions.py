"""Folders and files that cannot be read or written, or are something else: one line each.

The superuser may read everything; so these tests give up that right, where they run with it.
"""

import ctypes
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.tournament.store import STORE, Store
from goldgriff.eval.tournament.tournament import run_tournament

from ..eval.small import players_of, small_config
from ..train.small import tiny, train

PPO = tiny("ppo", total_timesteps=128, fixed_opponents=[], eval_every_updates=0)
SIZES = ("n_envs=4", "n_steps=16", "batch_size=16", "hidden=[8]")
SMALL = ("--steps", 64, "--set", *SIZES, "eval_every_updates=0")
_READ_ALL = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH of Linux
_VERSION = 0x20080522


def capabilities(effective: int | None = None) -> int:
    """Return the capabilities in effect of this thread, after they were set if any are given."""
    libc, header = ctypes.CDLL(None, use_errno=True), (ctypes.c_uint32 * 2)(_VERSION, 0)
    words = (ctypes.c_uint32 * 6)()  # in effect, permitted, inherited; then the higher 32 of each
    if libc.capget(header, words):
        raise OSError(ctypes.get_errno(), "capget")
    if effective is not None:
        words[0] = effective
        if libc.capset(header, words):
            raise OSError(ctypes.get_errno(), "capset")
    return int(words[0])


@pytest.fixture
def without_rights(tmp_path: Path) -> Iterator[None]:
    """Be no more than the owner of the files, whom their modes bind."""
    before = None
    if os.geteuid() == 0:
        if not sys.platform.startswith("linux"):
            pytest.skip("the superuser reads everything here")
        try:
            before = capabilities()
            capabilities(before & ~_READ_ALL)
        except (AttributeError, OSError) as error:
            pytest.skip(f"the superuser's rights cannot be given up: {error}")
    yield
    if before is not None:
        capabilities(before)
    for path in (tmp_path, *tmp_path.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o700)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament and a run."""
    folder = tmp_path_factory.mktemp("whole")
    config = small_config("expert", "random", deals=2, players=2)
    with Store.create(folder / STORE, AURUXXX, dict(config.rules)) as store:
        run_tournament(config, players_of(config), store=store)
    train(AURUXXX, "ppo", PPO, folder)
    return folder


def commands(folder: Path) -> dict[str, tuple[object, ...]]:
    """All commands that read or write a folder, by name."""
    pair = ("tournament", "auruxxx", "--players", 2, "--deals", 2, "--workers", 1)
    smoke = ("train", "auruxxx", "--algorithm", "ppo", "--preset", "smoke")
    return {
        "leaderboard": ("leaderboard", folder),
        "replay": ("replay", folder, 1),
        "resume a tournament": ("tournament", "auruxxx", "--resume", "--out", folder),
        "tournament": (*pair, "--agents", "expert", "random", "--out", folder),
        "ladder": (*pair, "--agents", "random", "--format", "ladder", "--out", folder),
        "agent": (*pair, "--agents", folder, "random", "--out", folder.parent / "elsewhere"),
        "play": ("play", "auruxxx", "--out", folder),
        "resume a game": ("play", "auruxxx", "--out", folder, "--resume", 1),
        "look at a game": ("play", "auruxxx", "--replay", folder, 1),
        "resume a run": ("train", "auruxxx", "--out", folder, "--resume", "--steps", 256),
        "train": (*smoke, "--out", folder, *SMALL),
        "opponent": (
            *(*smoke, "--out", folder.parent / "other", *SMALL),
            f'fixed_opponents=["{folder}"]',
        ),
    }


def close(mode: int) -> Callable[[Path], None]:
    return lambda folder: folder.chmod(mode)


def close_files(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(0)


def close_what_is_around(folder: Path) -> None:
    folder.parent.chmod(0)


def make_files_folders(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
            path.mkdir()


def make_a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("a file")


def make_a_ring(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(folder.with_name("link"))
    folder.with_name("link").symlink_to(folder)


def make_rings(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
            path.symlink_to(path.name)


HARMS: dict[str, Callable[[Path], None]] = {
    "no rights": close(0),
    "listed only": close(0o400),
    "not listed": close(0o300),
    "closed files": close_files,
    "closed around": close_what_is_around,
    "folders for files": make_files_folders,
    "file for folder": make_a_file,
    "ring": make_a_ring,
    "rings": make_rings,
}


@pytest.mark.usefixtures("without_rights")
@pytest.mark.parametrize("harm", HARMS)
def test_what_cannot_be_read_is_named_in_one_line(
    harm: str,
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def leave(_: str = "") -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", leave)
    monkeypatch.setattr("goldgriff.play.web.server.serve", lambda *_, **__: None)
    for name, command in commands(tmp_path / "around" / "folder").items():
        folder = tmp_path / "around" / "folder"
        shutil.copytree(whole, folder)
        HARMS[harm](folder)
        capsys.readouterr()
        try:
            status = main([str(argument) for argument in command])
        except BaseException as error:
            error.add_note(f"{harm}: {name}")
            raise
        said = [line for line in capsys.readouterr().err.splitlines() if "compiling" not in line]
        assert "unknown agent" not in "".join(said) or harm == "folders for files"
        if status or said:
            assert (status, len(said)) == (1, 1), (name, said)
            assert "around" in said[0], (name, said)
        folder.parent.chmod(0o700)
        if folder.is_dir() and not folder.is_symlink():
            folder.chmod(0o700)
        shutil.rmtree(folder.parent)


@pytest.mark.usefixtures("without_rights")
def test_a_folder_that_cannot_be_written_to_can_be_read(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder"
    shutil.copytree(whole, folder)
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for path in before:
        path.chmod(0o400)
    folder.chmod(0o500)
    given: Any = commands(folder)
    for name in ("leaderboard", "replay", "agent"):
        assert main([str(argument) for argument in given[name]]) == 0, name
    for name in ("tournament", "play", "resume a run", "train"):
        capsys.readouterr()
        assert main([str(argument) for argument in given[name]]) == 1, name
        (line,) = capsys.readouterr().err.splitlines()
        assert str(folder) in line, name
    assert before == {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
