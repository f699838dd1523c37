"""The studies of small games: what they print and write, and what they do not make again."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from goldgriff.envs.engine.game import get_game
from goldgriff.eval.game_theory.strategies import values
from goldgriff.eval.game_theory.tree import build_tree
from goldgriff.examples.studies import exploitability_curve, frequencies, rule_variants

from ..eval.game_theory.linear_program import solve_linear_program


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a study with arguments, and returns the lines that it prints."""

    def run(study: Any, *arguments: object) -> list[str]:
        monkeypatch.setattr("sys.argv", ["study", *map(str, arguments)])
        study.main()
        return capsys.readouterr().out.splitlines()

    return run


def test_the_curve_of_a_run(tmp_path: Path, run: Any) -> None:
    """A chart, a table, and files from which a second call takes what was measured."""
    arguments = ["auruxxx", "--algorithms", "ppo, magnet", "dmc", "--seeds", "4"]
    arguments += ["--seconds", "0.1", "--out", str(tmp_path)]
    lines = run(exploitability_curve, *arguments)
    assert lines[0].startswith("ppo, magnet, seed 4: NashConv ")
    assert [line.split(" | ")[0] for line in lines[-2:]] == ["| `ppo, magnet`", "| `dmc`"]
    assert (tmp_path / "auruxxx-tiny-a.png").stat().st_size > 10_000
    kept = tmp_path / "auruxxx-tiny-a-ppo-magnet-4.json"
    curve = json.loads(kept.read_text())
    assert len(curve["samples"]) == len(curve["nash_conv"])
    assert curve["samples"] == sorted(curve["samples"])
    assert 0 < curve["nash_conv"][-1] < 2
    kept.write_text(json.dumps(curve | {"nash_conv": [1.2345] * len(curve["samples"])}))
    assert "NashConv 1.234 after" in run(exploitability_curve, *arguments)[0]


def test_every_choice_of_rules_is_solved(tmp_path: Path, run: Any) -> None:
    """Each rule that varies and each value has a column; what is solved is kept."""
    arguments = ["auruxxx", "--rules", "max_turns=1", "--nash-conv", "1e-2", "--out", tmp_path]
    arguments += ["--vary", "preset=tiny-a,tiny-c", "max_decisions=3", "--workers", "2"]
    run(rule_variants, *arguments)
    with (tmp_path / "solutions.csv").open() as file:
        two, three = csv.DictReader(file)
    assert [(row["preset"], row["max_decisions"]) for row in (two, three)] == [
        ("tiny-a", "3"),
        ("tiny-c", "3"),
    ]
    game = get_game("auruxxx")
    rules = {"preset": "tiny-a", "max_turns": 1, "max_decisions": 3}
    tree = build_tree(game, game.read_settings(rules))
    exact = values(tree, solve_linear_program(tree))
    assert [float(two[f"value_{player}"]) for player in (1, 2)] == pytest.approx(
        list(exact), abs=1e-2
    )
    assert two["value_3"] == ""
    assert abs(sum(float(three[f"value_{player}"]) for player in (1, 2, 3))) < 1e-5
    assert (tmp_path / "solutions.png").read_bytes().startswith(b"\x89PNG")
    files = sorted(tmp_path.glob("*.safetensors"))
    times = [path.stat().st_mtime_ns for path in files]
    run(rule_variants, *arguments)
    assert [path.stat().st_mtime_ns for path in files] == times


def test_frequencies_of_a_solution(run: Any) -> None:
    lines = run(frequencies, "gluecksgriff", "tiny-b")
    assert lines[0].startswith("Glücksgriff, tiny-b: 91,974 histories, ")
    figures = {tuple(re.findall(r"[\d.]+% of [\d.]+", line)) for line in lines}
    assert ("45.6% of 0.12", "36.8% of 0.22") in figures  # bluffs, where one is possible
