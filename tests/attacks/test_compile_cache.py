"""Attacks on the cache of compiled code: whatever lies there, what is played does not change."""

import json
import os
import random
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.engine import cache
from goldgriff.envs.engine.cache import KEPT, CacheFolder
from goldgriff.envs.engine.compile import COMPILED
from goldgriff.envs.engine.numba_private import make_kernel

SOURCES = "0123456789abcdef"
LINE = "goldgriff: the cache of compiled code "
WORK = """
from goldgriff.envs.engine.kernels import find_illegal
import numpy as np
none = np.zeros(0, np.int64)
print(find_illegal(np.zeros(0, [("legal", np.int8, 2)]), none, none, none > 0))
"""

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def double(number: int) -> int:
    return 2 * number


def compiles(root: Path) -> bool:
    """Call `double` as a new process would; return whether it was compiled."""
    compiled = list[bool]()
    kernel: Any = make_kernel(double, CacheFolder(root, SOURCES), lambda: compiled.append(True))
    assert kernel(21) == 42
    return bool(compiled)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the compiled form of `double`; nothing has been said yet."""
    assert compiles(tmp_path)
    assert not compiles(tmp_path)
    monkeypatch.setattr(cache, "_said", set())
    return tmp_path / f"rules-{SOURCES}"


def complaint(lines: str) -> str:
    """The only line of `lines`, without what all complaints have in common."""
    (line,) = lines.splitlines()
    assert line.startswith(LINE)
    assert line.endswith("; compiling anew")
    return line.removeprefix(LINE)


def damage(content: bytes, count: int) -> Iterator[bytes]:
    """Files as power failures, broken disks and other programs leave them."""
    rng = random.Random(29)
    yield from (b"", b"\0", bytes(len(content)), content[:-1], content + b"\0", content[32:])
    for _ in range(count):
        start = rng.randrange(len(content))
        end = min(start + 4096, len(content))
        yield content[:start]
        yield content[:start] + bytes(end - start) + content[end:]
        yield (
            content[:start] + bytes([content[start] ^ 1 << rng.randrange(8)]) + content[start + 1 :]
        )
        yield rng.randbytes(start)


def test_damaged_code_is_noticed_before_it_is_loaded(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    for content in damage(whole, 10):
        cache._said.clear()
        file.write_bytes(content)
        is_damaged = content != whole  # a block of zeros may have been one before
        assert compiles(folder.parent) == is_damaged
        if is_damaged:
            assert complaint(capsys.readouterr().err).startswith(f"is damaged ({file.name})")
            assert not compiles(folder.parent)  # it is mended
        assert capsys.readouterr().err == ""


def test_the_code_of_another_function_is_not_taken(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file,) = folder.iterdir()
    CacheFolder(folder.parent, SOURCES).write("other", b"whole, but not what was compiled here")
    (folder / "other").replace(file)
    assert compiles(folder.parent)
    assert complaint(capsys.readouterr().err).startswith("is damaged")


def test_the_folder_is_the_users_own(folder: Path) -> None:
    mask = os.umask(0)
    try:
        CacheFolder(folder.parent / "cache", SOURCES).write("name", b"code")
    finally:
        os.umask(mask)
    made = folder.parent / "cache" / folder.name
    assert [stat.S_IMODE(path.stat().st_mode) for path in (made.parent, made)] == [0o700, 0o700]


def share_with_group(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.chmod(0o770)


def share_with_all(folder: Path, _: pytest.MonkeyPatch) -> None:
    folder.chmod(0o707)


def give_away(_: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(os, "geteuid", lambda: 4711)


def link(folder: Path, _: pytest.MonkeyPatch) -> None:
    """A link of the user's own to a folder that is open to all."""
    folder.rename(folder.parent / "open")
    folder.symlink_to(folder.parent / "open")


@pytest.mark.parametrize(
    ("attack", "fault"),
    [
        (share_with_group, "cannot be read (other users may write there)"),
        (share_with_all, "cannot be read (other users may write there)"),
        (give_away, "cannot be read (it belongs to another user)"),
        (link, "cannot be read (other users may write there)"),
    ],
)
def test_what_others_may_have_written_is_not_loaded(
    folder: Path,
    attack: Callable[[Path, pytest.MonkeyPatch], None],
    fault: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with monkeypatch.context() as patch:
        attack(folder, patch)
        before = sorted(folder.iterdir())
        assert compiles(folder.parent)
        assert sorted(folder.iterdir()) == before  # nor is anything put there
    assert complaint(capsys.readouterr().err).startswith(fault)


def remove(root: Path) -> None:
    shutil.rmtree(root)


def block_root(root: Path) -> None:
    remove(root)
    root.write_text("a file")


def block_folder(root: Path) -> None:
    (folder,) = root.iterdir()
    remove(folder)
    folder.write_text("a file")


def block_files(root: Path) -> None:
    for file in root.glob("*/*"):
        file.unlink()
        file.mkdir()


@pytest.mark.parametrize("attack", [block_root, block_folder, block_files])
def test_a_cache_that_cannot_be_used_stops_nobody(
    folder: Path, attack: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    attack(folder.parent)
    assert compiles(folder.parent)
    assert complaint(capsys.readouterr().err).startswith("cannot be read (")


@pytest.mark.parametrize("limit", [0, 4096])
def test_a_full_disk_stops_nobody_and_leaves_nothing(tmp_path: Path, limit: int) -> None:
    """A limit on the size of files fails at the same places as a full disk and a quota."""
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
    for _ in range(2):  # the second has to compile, too
        done = python(limited + WORK, tmp_path / "cache")
        assert (done.returncode, done.stdout) == (0, "-1\n")
        notice, line = done.stderr.splitlines()
        assert "compiling" in notice
        assert complaint(line).startswith("cannot be written (File too large)")
    assert not list(tmp_path.glob("cache/*/*"))


@pytest.mark.parametrize("home", ["os.environ.pop('HOME', '')", "os.environ['HOME'] = ''"])
def test_without_a_home_nothing_is_kept(tmp_path: Path, home: str) -> None:
    """A user that the system does not know has no home, as in some containers."""
    nobody = f"""
import os, pwd
pwd.getpwuid = dict().__getitem__
for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
    os.environ.pop(name, None)
{home}
"""
    done = python(nobody + WORK, tmp_path / "cache")
    assert (done.returncode, done.stdout) == (0, "-1\n")
    lines = done.stderr.splitlines()
    assert ["no folder" in line for line in lines] == [True, False]
    assert ["compiling" in line for line in lines] == [True, True]


def test_a_process_without_standard_error_goes_on(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    done = python(f"import os; os.close(2)\n{WORK}", tmp_path / "cache")
    assert (done.returncode, done.stdout) == (0, "-1\n")


def python(code: str, root: Path) -> subprocess.CompletedProcess[str]:
    """Run code with a cache of its own."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_CACHE_DIR": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_folders_of_old_versions_are_removed(tmp_path: Path) -> None:
    """The folders written last stay, and what is no folder of ours."""
    (tmp_path / "rules-mine").mkdir()
    for number in range(KEPT + 5):
        old = CacheFolder(tmp_path, f"{number:016x}")
        old.write("name", b"code")
        os.utime(old.path, (number, number))
    os.utime(tmp_path / f"rules-{5:016x}")  # as when something is written there
    CacheFolder(tmp_path, SOURCES).write("name", b"code")
    kept = {f"rules-{number:016x}" for number in (5, *range(7, KEPT + 5))}
    assert {path.name for path in tmp_path.iterdir()} == {*kept, f"rules-{SOURCES}", "rules-mine"}


@pytest.mark.long
@pytest.mark.parametrize("game", ["auruxxx", "gluecksgriff"])
def test_tournaments_on_damaged_caches_give_the_same_results(tmp_path: Path, game: str) -> None:
    """Every file of a whole game's cache is damaged at once, in every way."""

    def play(out: str, root: Path) -> tuple[str, bytes]:
        agents = ("--agents", "expert", "random", "--deals", "4", "--workers", "1")
        done = subprocess.run(
            [sys.executable, "-m", "goldgriff", "tournament", game, *agents, "--out", out],
            env={**os.environ, "NUMBA_CACHE_DIR": str(root)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stderr, (tmp_path / out / "results.json").read_bytes()

    said, expected = play("first", tmp_path / "cache")
    assert "compiling" in said
    assert json.loads(expected)["games"] > 0
    files = {file: file.read_bytes() for file in (tmp_path / "cache").glob("*/*")}
    for number in range(8):
        for file, content in files.items():
            file.write_bytes(list(damage(content, 1))[number])
        said, results = play(f"damaged-{number}", tmp_path / "cache")
        assert results == expected
        assert complaint(said.splitlines()[0])
