"""One of a thing is told in the singular."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from goldgriff.cli import main
from goldgriff.console import counted
from goldgriff.eval.tables import headline
from goldgriff.eval.tournament import run_tournament

from .eval.small import players_of, small_config

ONE = re.compile(r"(?<![\d.,])1 [a-z]+s\b")


def test_numbers_with_a_noun() -> None:
    assert [counted(number, "deal") for number in (0, 1, 2, 1000)] == [
        "0 deals", "1 deal", "2 deals", "1,000 deals",
    ]  # fmt: skip


def test_commands_with_the_number_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["--rules", "preset=tiny-a", "max_decisions=1"]
    file = str(tmp_path / "solution")
    assert main(["solve", "auruxxx", *small, "--out", file, "--iterations", "1"]) == 0
    assert main(["exploit", "auruxxx", "random", *small]) == 0
    shown = capsys.readouterr()
    assert "1 iteration, " in shown.out
    assert ONE.findall(shown.out + shown.err) == []


def test_a_tournament_that_was_stopped_after_one_deal() -> None:
    config = small_config("expert", "random")
    results = replace(run_tournament(config, players_of(config)), deals=1)
    assert "1 deal, " in headline(results)
    assert ONE.findall(headline(results)) == []
