"""Completion in a shell: commands, options, and the values that an option can have."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from goldgriff.cli.main import main
from goldgriff.train.algorithms import ALGORITHMS


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script for bash."""
    made = tmp_path_factory.mktemp("completion") / "goldgriff"
    command = [sys.executable, "-m", "goldgriff", "completion", "bash"]
    made.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    return made


def complete(script: Path, *words: str, cut: str = "=") -> list[str]:
    """Return what bash offers for the last word, of which it has cut off what is before `cut`."""
    line = f"goldgriff {' '.join(words)}"
    typed = f"COMP_WORDBREAKS=' {cut}'; COMP_LINE='{line}'; COMP_POINT={len(line)}"
    command = f"source {script}; {typed}; _goldgriff; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_commands_games_and_options(script: Path) -> None:
    assert complete(script, "tour") == ["tournament"]
    assert complete(script, "train", "au") == ["auruxxx"]
    assert complete(script, "train", "--pre") == ["--preset"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tournament auruxxx --agents blu", ["bluffer"]),
        ("tournament gluecksgriff --agents expert knoc", ["knocker"]),
        ("tournament auruxxx --format lad", ["ladder"]),
        ("play auruxxx --hints sea", ["search"]),
        ("play auruxxx --language d", ["de"]),
        ("replay results/auruxxx 1 --agent cha", ["champion"]),
        ("exploit auruxxx sol", ["solution"]),
        ("exploit auruxxx expert --rules preset=tiny-", ["tiny-a", "tiny-b", "tiny-c"]),
        ("play auruxxx --rules edition=", ["german", "italian", "web"]),
        ("play auruxxx --rules edition=web round", ["rounds="]),
        ("play gluecksgriff --rules bluffing=t", ["true"]),
        ("train auruxxx --algorithm roll", ["rollout"]),
        ("train auruxxx --preset smo", ["smoke"]),
        ("train auruxxx --set gae_", ["gae_lambda="]),
        ("sweep auruxxx --vary learning_r", ["learning_rate="]),
        ("completion fi", ["fish"]),
    ],
)
def test_values_of_options(words: str, expected: list[str], script: Path) -> None:
    assert complete(script, *words.split(" ")) == expected


def test_every_algorithm_is_offered_and_a_new_word_begins_after_a_space(script: Path) -> None:
    assert complete(script, "train", "auruxxx", "--algorithm", "") == list(ALGORITHMS)
    assert "preset=german" in complete(script, "play", "auruxxx", "--rules", "")
    assert complete(script, "play", "auruxxx", "--rules", "preset=ger", cut="") == ["preset=german"]


def test_keys_typed_in_bash_are_completed(script: Path, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    typed = (
        f"source {script}\ngoldgriff() {{ printf '<%s>' \"$@\"; echo; }}\n"
        "goldgriff train auru\t --algo\tnf\t --rules preset=ger\tround\t2\n"
        "goldgriff tourn\tauruxxx --agents res\t\n"
        "goldgriff leader\tres\t\nexit\n"
    )
    ours, theirs = pty.openpty()
    shell = ["bash", "--norc", "--noprofile", "-i"]
    with subprocess.Popen(
        shell, stdin=theirs, stdout=theirs, stderr=theirs, cwd=tmp_path, start_new_session=True
    ) as process:
        os.close(theirs)
        os.write(ours, typed.encode())
        printed = b""
        while True:
            try:
                read = os.read(ours, 4096)
            except OSError:  # the shell has left
                break
            printed += read
        process.wait(30)
    os.close(ours)
    said = printed.decode()
    assert "<train><auruxxx><--algorithm><nfsp><--rules><preset=german><rounds=2>" in said
    assert "<tournament><auruxxx><--agents><results/>" in said
    assert "<leaderboard><results/>" in said


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh"])
def test_the_other_shells_have_the_values_too(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    made = capsys.readouterr().out
    assert all(value in made for value in ("bluffer", "preset=german", "maskable", "ladder"))
