"""The wheel carries its types: a strict program of a user has no error, and wrong ones have."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from . import client

CLIENT = Path(client.__file__)
WRONG = {  # lines that a user might write, and what mypy says of them; pyright has other words
    "gg.make(3)": 'No overload variant of "make" matches argument type "int"',
    "gg.make('auruxxx', illegal='lost')": 'No overload variant of "make" matches argument types',
    "gg.make('auruxxx', render_mode='rgb')": 'No overload variant of "make" matches argument types',
    "gg.make('auruxxx', bluffing=True)": 'No overload variant of "make" matches argument types',
    "gg.make('gluecksgriff', illegals='raise')": 'No overload variant of "make" matches argument',
    "gg.make('auruxx')": 'No overload variant of "make" matches argument type "str"',
    "gg.make_vec('auruxxx', player='al')": 'No overload variant of "make_vec" matches argument',
    "gg.make_vec('auruxxx', autoreset_mode='Off')": 'No overload variant of "make_vec" matches',
    "gg.make_vec('auruxxx', 2, joker_knock='wide')": 'No overload variant of "make_vec" matches',
    "gg.sb3_vec_env('gluecksgriff', 2, edition='web')": 'No overload variant of "sb3_vec_env"',
    "gg.mak('auruxxx')": 'Module has no attribute "mak"',
    "gg.load_agent(3, 'auruxxx')": 'No overload variant of "load_agent" matches',
    "gg.load_agent('expert', 'auruxxx').act_onn(1)": '"Agent" has no attribute "act_onn"',
    "gg.from_pretrained(3)": 'Argument 1 to "from_pretrained" has incompatible type "int"',
    "gg.train_agent('auruxxx', 'pppo')": 'Argument 2 to "train_agent" has incompatible type',
    "gg.train_agent('auruxxx', 'ppo', out=3)": 'Argument "out" to "train_agent" has',
    "gg.train_agent('auruxxx', 'ppo', preset='quik')": 'Argument "preset" to "train_agent" has',
    "gg.play_tournament('auruxxx', ['random'], format='swiss')": 'Argument "format" to "play_',
}


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Return a folder with the right program and the wrong one."""
    shutil.copy(CLIENT, tmp_path / "client.py")
    (tmp_path / "wrong.py").write_text("\n".join(["import goldgriff as gg", *WRONG]) + "\n")
    return tmp_path


@pytest.fixture(scope="module")
def site(copy_source: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the library as the wheel installs it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    source = copy_source(folder / "source")
    subprocess.run([*build, str(source)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def check(command: list[str], site: Path, folder: Path) -> str:
    """Return what a type checker says of programs in a folder, away from the sources."""
    environment = {**os.environ, "MYPYPATH": str(site), "PYTHONPATH": str(site)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_mypy_finds_no_fault_but_what_is_wrong(root: Path, site: Path, programs: Path) -> None:
    assert (site / "goldgriff" / "py.typed").exists()
    mypy = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    said = check(
        [*mypy, "--cache-dir", str(root / ".mypy_cache" / "client"), "client.py", "wrong.py"],
        site,
        programs,
    )
    assert "client.py" not in said
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert len(errors) == len(WRONG), said
    for number, (error, message) in enumerate(zip(errors, WRONG.values(), strict=True), start=2):
        assert error.startswith(f"wrong.py:{number}: error: {message}")


def test_pyright_finds_no_fault_but_what_is_wrong(site: Path, programs: Path) -> None:
    """By basedpyright, which is pyright in a wheel: pyright's own would download the program."""
    (programs / "pyrightconfig.json").write_text(
        f'{{"typeCheckingMode": "strict", "extraPaths": ["{site}"]}}'
    )
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    said = check(command, site, programs)
    errors = re.findall(r"(\w+\.py):(\d+):\d+ - error: ", said)
    assert set(errors) == {("wrong.py", str(number)) for number in range(2, len(WRONG) + 2)}, said


def test_the_program_runs(tmp_path: Path) -> None:
    assert len(client.play_aec()) == 3
    assert client.count_seats("auruxxx", {"num_players": 2, "swaps": 1}) == [4, 3, 4, 2, 2]
    assert client.play_vector().shape == (4,)
    assert client.count_sb3() == 3
    assert client.play_match() == 6
    run = client.train(tmp_path / "run")
    assert len(run.figures) == 2
    assert client.share(run, tmp_path).exists()
    assert client.is_refused("chess")
    assert not client.is_refused("Auruxxx")
