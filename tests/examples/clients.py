"""Running an example as a user does, in a process of its own."""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]


class Outcome(NamedTuple):
    """What an example printed: decisions learnt from, games of the evaluation, forfeits."""

    timesteps: int
    games: int
    forfeits: int


def run_example(name: str, *, timesteps: int = 512, python: str = sys.executable) -> Outcome:
    """Train with few decisions, and evaluate in four games."""
    command = [python, str(ROOT / "examples" / f"{name}.py")]
    command += ["--timesteps", str(timesteps), "--deals", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    trained = re.search(r"^\S+ \S+: ([\d,]+) decisions in ", done.stdout, re.MULTILINE)
    played = re.search(r"([\d,]+) games, (\d+) forfeits", done.stdout)
    assert trained, done.stdout
    assert played, done.stdout
    numbers = [*trained.groups(), *played.groups()]
    return Outcome(*(int(number.replace(",", "")) for number in numbers))
