"""Games solved with several rules: the same solutions here and on Ray, and what is missing."""

import csv
import json
from pathlib import Path

import pytest
from safetensors.numpy import save

from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.eval.game_theory import varied
from goldgriff.eval.game_theory.linear_program import solve_linear_program
from goldgriff.eval.game_theory.solutions import SolutionError, read_notes
from goldgriff.eval.game_theory.strategies import values
from goldgriff.eval.game_theory.tree import build_tree
from goldgriff.eval.game_theory.varied import CHART, TABLE
from goldgriff.eval.workers.ray import connect

RULES = {"preset": "tiny-a"}
COMMAND = ["solve", "auruxxx", "--rules", "preset=tiny-a", "--nash-conv", "1e-3"]


def test_every_choice_of_rules_is_solved(tmp_path: Path) -> None:
    command = [*COMMAND, "--vary", "max_turns=1,2", "--out", str(tmp_path)]
    assert main(command) == 0
    with (tmp_path / TABLE).open() as file:
        rows = list(csv.DictReader(file))
    assert [row["max_turns"] for row in rows] == ["1", "2"]
    for row in rows:
        turns = json.loads(row["max_turns"])
        tree = build_tree(AURUXXX, AURUXXX.read_settings({**RULES, "max_turns": turns}))
        exact = values(tree, solve_linear_program(tree))
        found = [float(row[f"value_{player}"]) for player in (1, 2)]
        assert found == pytest.approx(list(exact), abs=1e-3)
        assert float(row["nash_conv"]) <= 1e-3
    assert (tmp_path / CHART).read_bytes().startswith(b"\x89PNG")

    first, second = (tmp_path / f"max_turns={turns}.safetensors" for turns in (1, 2))
    before, content = first.stat().st_mtime_ns, second.read_bytes()
    second.unlink()
    assert main(command) == 0
    assert first.stat().st_mtime_ns == before
    assert second.read_bytes() == content


def test_each_varied_setting_and_each_value_has_a_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    vary = ["--vary", "preset=tiny-a,tiny-c", "max_decisions=3"]
    command = ["solve", "auruxxx", "--rules", "max_turns=1", "--nash-conv", "1e-2", *vary]
    assert main([*command, "--out", str(tmp_path)]) == 0
    with (tmp_path / TABLE).open() as file:
        two, three = csv.DictReader(file)
    assert [(row["preset"], row["max_decisions"]) for row in (two, three)] == [
        ("tiny-a", "3"),
        ("tiny-c", "3"),
    ]
    names = ["value_1", "value_2", "value_3"]
    assert float(two["value_1"]) == -float(two["value_2"])
    assert two["value_3"] == ""
    assert abs(sum(float(three[name]) for name in names)) < 1e-5
    lines = [line.split("│") for line in capsys.readouterr().out.splitlines() if "│" in line]
    cells = [[cell.strip() for cell in line[1:-1]] for line in lines]
    shown = ["preset", "max_decisions", *names, "nash_conv", "correlated_gap"]
    assert cells == [[row[name] for name in (*shown, "iterations")] for row in (two, three)]


def test_solutions_of_something_else_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file is found by its name, which has only what varies."""
    vary = ["--vary", "max_turns=1", "--out", str(tmp_path)]
    assert main([*COMMAND, *vary]) == 0
    table = (tmp_path / TABLE).read_bytes()
    for command, message in (
        (["solve", "auruxxx", "--rules", "preset=tiny-b"], "is of other rules; choose another"),
        (["solve", "gluecksgriff", "--rules", "preset=tiny-a"], "is of other rules; choose anoth"),
        ([*COMMAND[:-1], "1e-9"], "was solved down to a NashConv of "),
    ):
        capsys.readouterr()
        assert main([*command, *vary]) == 1
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1
        assert (tmp_path / TABLE).read_bytes() == table


@pytest.mark.parametrize("value", [None, "no list", "[[1]]", "3", "[" * 100_000])
def test_a_damaged_solution_is_named(value: str | None, tmp_path: Path) -> None:
    given = varied.variants(AURUXXX, RULES, {"max_turns": [1]}, 1e-3, 200)
    varied.solve_variants(given, tmp_path)
    path = given[0].path(tmp_path)
    notes = read_notes(path)
    del notes["value"]
    path.write_bytes(save({}, notes if value is None else {**notes, "value": value}))
    with pytest.raises(SolutionError, match="is damaged"):
        varied.solve_variants(given, tmp_path)


@pytest.mark.ray
def test_ray_finds_the_same_solutions(tmp_path: Path) -> None:
    given = varied.variants(AURUXXX, RULES, {"max_turns": [1, 2]}, 1e-3, 200)
    varied.solve_variants(given, tmp_path / "here", workers=2)
    with connect(True) as cluster:
        varied.solve_variants(given, tmp_path / "ray", cluster=cluster)
    for name in (*(f"{one.name}.safetensors" for one in given), TABLE):
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--vary", "max_turns"], "--vary takes NAME=VALUE,VALUE,..., not 'max_turns'"),
        (["--vary", "preset=tiny-a"], "preset is given twice"),
        (["--vary", "max_turn=1"], "max_turn"),
        (["--vary", "max_turns=1,1"], "two solutions would be in 'max_turns=1'"),
        (["--vary", "max_turns=1,2", "--ray", "--workers", "2"], "give --workers or --ray"),
        (["--vary", "max_turns=1,2", "--workers", "0"], "workers must be"),
        (["--ray"], "--workers and --ray solve the games of --vary"),
    ],
)
def test_a_wrong_command_is_refused_in_a_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*COMMAND, "--out", str(tmp_path / "out"), *arguments]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_game_that_cannot_be_solved_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["solve", "auruxxx", "--vary", "preset=small-a", "--out", str(tmp_path)]
    assert main(command) == 1
    said = capsys.readouterr().err
    assert "preset=small-a: " in said
    assert said.count("\n") == 1
