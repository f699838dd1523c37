"""Compiled code is kept between processes, and never outlives the rules that it was made from."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def package(root: Path, tmp_path: Path) -> Path:
    """A copy of what can be compiled, to be edited."""
    copy = tmp_path / "site" / "goldgriff"
    for folder in ("envs", "agents"):
        shutil.copytree(root / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in root.glob("*.py"):
        shutil.copy(file, copy)
    return copy


def python(package: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run code with the copied package and a cache of its own."""
    site = str(package.parent)
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, sys.argv[1])\n{code}", site],
        env={**os.environ, "NUMBA_CACHE_DIR": str(package.parent / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )


def edit(folder: Path, old: str, new: str) -> None:
    """Change one line, but neither size nor time of its file, by which Numba's own cache goes."""
    (file,) = (file for file in folder.glob("*.py") if old in file.read_text())
    text, status = file.read_text(), file.stat()
    assert text.count(old) == 1
    assert len(old) == len(new)
    file.write_text(text.replace(old, new))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


DEAL = """
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine import kernels
from goldgriff.envs.batch import Batch

batch = Batch(AURUXXX, AURUXXX.settings(num_players=2), 1)
batch.start([1])
stats = kernels.start_each.stats
print(batch.states["hand_sizes"][0, :2].tolist(), sum(stats.cache_misses.values()))
"""


def test_an_edited_rule_is_played_at_once_and_code_is_compiled_once(package: Path) -> None:
    """The rule lies deep: the kernel's own file, which Numba would look at, does not change."""
    first = python(package, DEAL)
    assert first.stdout.split("] ") == ["[12, 12", "1\n"]  # A1.1
    (line,) = first.stderr.splitlines()  # however many kernels were compiled
    assert line.startswith(
        "goldgriff: compiling the rules that are needed here, for the first time"
    )
    again = python(package, DEAL)
    assert again.stdout.split("] ") == ["[12, 12", "0\n"]  # from the cache
    assert again.stderr == ""
    edit(
        package / "envs/auruxxx",
        "    deal_hands(state, Stream.DEAL, state.hand_size)  # A1.1\n",
        "    deal_hands(state, Stream.DEAL, state.hand_size-2)# A1.1\n",
    )
    edited = python(package, DEAL)
    assert edited.stdout.split("] ") == ["[10, 10", "1\n"]
    assert "compiling the rules" in edited.stderr


WHERE = """
import sys
from pathlib import Path
from goldgriff.envs.engine.compile import cache_folder, sources_hash
from goldgriff.envs.engine.kernels import (start_each)
from goldgriff.agents.heuristics.auruxxx.expert import expert

def folders():
    return [cache_folder(function).path for function in (start_each.py_func, expert)]

where = folders()
for file in sorted(Path(sys.argv[1]).glob("goldgriff/*/**/*.py")):
    text = file.read_text()
    file.write_text(text + "# edited")
    sources_hash.cache_clear()
    print(file.relative_to(sys.argv[1]), *[int(a != b) for a, b in zip(where, folders())])
    file.write_text(text)
"""


def test_an_edit_of_any_file_that_compiled_code_may_hold_makes_its_cache_miss(
    package: Path,
) -> None:
    (package / "agents/heuristics/auruxxx/helper.py").write_text("")
    told = [line.split() for line in python(package, WHERE).stdout.splitlines()]
    missed = {name: (kernel == "1", player == "1") for name, kernel, player in told}
    assert len(missed) > 40
    for name, (kernel, player) in missed.items():
        rules = name.startswith("goldgriff/envs/")
        assert kernel == rules, name
        assert player == (rules or name.startswith("goldgriff/agents/")), name


# Big enough that the compiler does not copy it into its callers, which find it by its name.
TWICE = """
import sys
import numpy as np
from goldgriff.envs.engine.compile import device, kernel

LAYOUTS = {
    "first": np.dtype([("a", "i8"), ("b", "i8")]),
    "second": np.dtype([("b", "i8"), ("a", "i8")]),
}


@device
def mix(record, number):
    BODY
    return number


@kernel
def read(records):
    return CALLS


for name in sys.argv[1:]:
    records = np.zeros(1, LAYOUTS[name])
    records["a"], records["b"] = 5, 1000
    print(read(records))
"""
CALLS = " + ".join(f"mix(records[0], {number})" for number in range(12))
BODY = "; ".join(
    f"number = number * {2 * k + 3} + record.a % {k + 2} - record.b % {k + 5}" for k in range(60)
)


def test_code_that_two_processes_compiled_is_not_mixed_up(tmp_path: Path) -> None:
    """Both name what they compile by what they have compiled before, which is the same."""
    script = tmp_path / "twice.py"
    script.write_text(TWICE.replace("BODY", BODY).replace("CALLS", CALLS))

    def run(*names: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, script, *names],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    (first,), (second,) = run("first"), run("second")
    assert first == second  # the fields only lie elsewhere
    assert run("first", "second") == [first, second]
    assert run("second", "first") == [second, first]
