"""Names and outputs at the limits of the system: one line each, whatever the command."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldgriff.cli.main import main

from .test_runs import TRAIN, lines

TOO_LONG = "x" * 300  # no file system takes a name of more than 255 bytes
UMLAUTS = "ü" * 200  # 200 characters, 400 bytes
TOURNAMENT = ("tournament", "auruxxx", "--agents", "random", "expert", "--deals", "2")
SOLVE = ("solve", "auruxxx", "--rules", "preset=tiny-a", "--iterations", "2")
EXPLOIT = ("exploit", "auruxxx", "random", "--rules", "preset=tiny-a")
WRITERS = [
    (*TOURNAMENT, "--out"),
    (*TRAIN, "--steps", "64", "--out"),
    ("sweep", "auruxxx", "--seeds", "1", "--steps", "64", "--out"),
    ("play", "auruxxx", "--out"),
    (*SOLVE, "--out"),
    (*EXPLOIT, "--json"),
]
READERS = [
    ("replay",),
    ("leaderboard",),
    ("tournament", "auruxxx", "--resume", "--out"),
    ("train", "auruxxx", "--resume", "--out"),
    ("play", "auruxxx", "--resume", "1", "--out"),
    ("play", "auruxxx", "--browser", "--no-open", "--replay"),
]
NUMBER = {READERS[0]: ("1",), READERS[-1]: ("1",)}  # of a game, behind its folder
MAIN = "import sys; from goldgriff.cli.main import main; sys.exit(main())"
NO_TEMPORARY_FOLDER = (
    "import sys, tempfile\n"
    "tempfile._candidate_tempdir_list = lambda: ['/nowhere']\n"
    "from goldgriff.cli.main import main\n"
    "sys.exit(main())"
)
each = pytest.mark.parametrize("command", WRITERS + READERS, ids=lambda command: command[0])
printing = pytest.mark.parametrize(
    "command",
    [
        ("agents", "auruxxx"),
        *(
            pytest.param(command, marks=pytest.mark.long)
            for command in (TOURNAMENT, EXPLOIT, ("--help",))
        ),
    ],
    ids=lambda command: command[0],
)


def run(*arguments: str, out: Any, folder: Path, code: str = MAIN) -> tuple[int, list[str]]:
    """Run a command; return its status and its lines on standard error but the compile notice."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, lines(done.stderr)


@pytest.fixture
def refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs a command in an empty folder; returns the one line with which it is refused."""
    monkeypatch.chdir(tmp_path)

    def refused(*arguments: str) -> str:
        status = main(list(arguments))
        said = lines(capsys.readouterr().err)
        assert status in (1, 2)
        assert len(said) == 1, said
        assert list(tmp_path.iterdir()) == []
        return said[0]

    return refused


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(TOO_LONG, id="letters", marks=pytest.mark.long),
        pytest.param(UMLAUTS, id="bytes"),
    ],
)
@each
def test_names_that_no_file_can_have(
    command: tuple[str, ...], name: str, refusal: Callable[..., str]
) -> None:
    said = refusal(*command, name, *NUMBER.get(command, ()))
    assert "File name too long" in said or "no such" in said


@each
def test_paths_that_are_not_utf_8(command: tuple[str, ...], refusal: Callable[..., str]) -> None:
    assert "must be UTF-8" in refusal(*command, os.fsdecode(b"\xff"), *NUMBER.get(command, ()))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@printing
def test_a_full_standard_output_is_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        status, said = run(*command, out=full, folder=tmp_path)
    assert status == 1
    assert [line.partition(": ")[2] for line in said] == ["No space left on device"]


@printing
def test_a_closed_pipe_is_one_line_at_most(command: tuple[str, ...], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        status, said = run(*command, out=pipe, folder=tmp_path)
    assert status == 1
    assert [line.partition(": ")[2] for line in said] in ([], ["Broken pipe"])


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [(*TOURNAMENT, "--workers", "2"), (*TRAIN, "--steps", "64"), SOLVE, ("play", "auruxxx")],
    ids=lambda command: command[0],
)
def test_without_a_temporary_folder_a_command_does_its_work_or_says_why(
    command: tuple[str, ...], tmp_path: Path
) -> None:
    status, said = run(
        *(*command, "--out", "here"),
        code=NO_TEMPORARY_FOLDER,
        out=subprocess.DEVNULL,
        folder=tmp_path,
    )
    if status:
        assert len(said) == 1, said
        assert "temporary" in said[0]
    else:
        assert (tmp_path / "here").exists()
