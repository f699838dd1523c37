"""Solutions: those that come with the library, and how one is made, stopped and gone on with."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from goldgriff.cli.main import main
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import get_game
from goldgriff.errors import GoldgriffError, SettingsError
from goldgriff.eval.game_theory import commands
from goldgriff.eval.game_theory import solve as solving
from goldgriff.eval.game_theory.cfr import Solver
from goldgriff.eval.game_theory.solutions import (
    FOLDER,
    SCALE,
    SolutionError,
    is_solution,
    load_solution,
    path_of,
    quantised,
    save_solution,
    shipped_path,
)
from goldgriff.eval.game_theory.solve import solve
from goldgriff.eval.game_theory.strategies import nash_conv, plans_of, values
from goldgriff.eval.game_theory.tree import SequenceForm, build_tree

from .linear_program import solve_linear_program
from .test_solvers import THREE, TINY

PRESETS = [
    (name, preset)
    for name in ("auruxxx", "gluecksgriff")
    for preset in ("tiny-a", "tiny-b", "tiny-c")
]
QUICK = ("auruxxx", "tiny-b")
ACCURACY = 1e-4  # what is promised of NashConv, with two players


def tree_of(name: str, preset: str) -> SequenceForm:
    game = get_game(name)
    return build_tree(game, game.read_settings({"preset": preset}))


@pytest.fixture(scope="module")
def tree() -> SequenceForm:
    settings = {**TINY, "num_players": 2, "max_decisions": 7}
    return build_tree(AURUXXX, AURUXXX.read_settings(settings))


def check_shipped(name: str, preset: str) -> None:
    """Solve it anew, and compare what is promised."""
    tree = tree_of(name, preset)
    shipped = load_solution(shipped_path(tree), tree)
    gap = nash_conv(tree, shipped.strategies)
    assert gap <= ACCURACY
    assert float(shipped.metadata["nash_conv"]) == pytest.approx(gap, rel=1e-2)
    found = values(tree, shipped.strategies)
    assert json.loads(shipped.metadata["value"]) == pytest.approx(found.tolist())
    assert found.sum() == pytest.approx(0, abs=1e-9)
    solver = Solver(tree)
    solver.run(300)
    assert nash_conv(tree, solver.strategies()) < 2e-4
    if len(tree.sides) == 2:  # the value of a game of two players is one number
        assert values(tree, solver.strategies()) == pytest.approx(found, abs=2e-4)
    else:
        assert float(shipped.metadata["correlated_gap"]) < ACCURACY


def test_a_shipped_solution_is_found_again() -> None:
    check_shipped(*QUICK)


@pytest.mark.long
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_every_shipped_solution_is_found_again(name: str, preset: str) -> None:
    check_shipped(name, preset)


@pytest.mark.long
@pytest.mark.parametrize(("name", "preset"), [("auruxxx", "tiny-a"), ("gluecksgriff", "tiny-b")])
def test_a_linear_program_finds_the_value_of_a_preset(name: str, preset: str) -> None:
    tree = tree_of(name, preset)
    shipped = load_solution(shipped_path(tree), tree)
    found = solve_linear_program(tree)
    assert nash_conv(tree, found) < 1e-6
    assert values(tree, found) == pytest.approx(values(tree, shipped.strategies), abs=ACCURACY)


def test_every_tiny_preset_has_a_small_solution() -> None:
    assert sorted(FOLDER.iterdir()) == sorted(path_of(*each) for each in PRESETS)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 2_000_000


def test_the_command_exploits_the_shipped_solution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    options = ["--rules", f"preset={QUICK[1]}", "--json", str(file)]
    assert main(["exploit", QUICK[0], "solution", *options]) == 0
    found = json.loads(file.read_text())
    assert 0 <= found["nash_conv"] <= ACCURACY
    assert found["strategy"] == "exact"
    rules = ["--rules", *(f"{name}={value}" for name, value in TINY.items()), "max_decisions=5"]
    assert main(["exploit", "auruxxx", "solution", *rules, "--players", "2"]) == 1
    assert "presets with one: tiny-a, tiny-b, tiny-c" in capsys.readouterr().err


def test_numbers_in_a_file_are_near_what_was_solved(tree: SequenceForm) -> None:
    solver = Solver(tree)
    solver.run(200)
    exact = solver.strategies()
    kept = quantised(tree, exact)
    np.testing.assert_allclose(plans_of(tree, kept), plans_of(tree, exact), atol=20 / SCALE)
    assert nash_conv(tree, kept) == pytest.approx(nash_conv(tree, exact), abs=1e-4)
    for side, strategy in zip(tree.sides, kept, strict=True):
        sums = np.add.reduceat(strategy, side.starts[:-1])
        np.testing.assert_allclose(sums, 1, atol=1e-12)


def test_the_command_solves_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "new folder" / "three.safetensors"
    rules = ["--rules", *(f"{name}={value}" for name, value in THREE.items()), "max_decisions=5"]
    command = ["solve", "auruxxx", *rules, "--out", str(file), "--nash-conv", "1e-2"]
    assert main(command) == 0
    shown = capsys.readouterr().out
    unfinished = file.with_name(f"{file.name}.solver")
    unfinished.write_bytes(b"")  # as if the command was killed when the solution was written
    assert main(command) == 0
    assert capsys.readouterr().out == shown
    assert "NashConv" in shown
    assert "gap to a coarse correlated equilibrium" in shown
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert main(["exploit", "auruxxx", str(file), *rules]) == 0
    assert "NashConv 0.00" in capsys.readouterr().out
    assert main(["solve", "auruxxx", *rules, "--out", str(file)]) == 1
    assert "is there already" in capsys.readouterr().err
    other = [*rules[:-1], "max_decisions=4"]
    assert main(["exploit", "auruxxx", str(file), *other]) == 1
    assert "is of other settings or rules" in capsys.readouterr().err


def test_options_are_checked_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("build_tree", "load_agent"):
        monkeypatch.setattr(commands, name, None)
    tiny = ["--rules", f"preset={QUICK[1]}"]
    out = tmp_path / "file"
    for words, message in (
        (
            ["exploit", QUICK[0], "search", *tiny, "--samples", "0"],
            "samples must be a whole number from 1 to",
        ),
        (["exploit", QUICK[0], "search", *tiny, "--json", f"{__file__}/file"], "cannot write to"),
        (["exploit", QUICK[0], "search", *tiny, "--json", str(tmp_path)], "Is a directory"),
        (
            ["solve", QUICK[0], *tiny, "--out", str(out), "--nash-conv", "-1"],
            "--nash-conv must be a number from 0, not -1",
        ),
        (["solve", QUICK[0], *tiny, "--out", __file__], "is there already"),
    ):
        assert main(words) == 1
        assert message in capsys.readouterr().err


def test_a_game_too_large_is_refused_with_its_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["solve", "auruxxx", "--rules", "preset=small-a", "--out", str(tmp_path / "file")]
    assert main(command) == 1
    error = capsys.readouterr().err
    assert "more than 20,000,000 nodes" in error
    assert "e+08" in error or "00,000,000 nodes" in error
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "auruxxx", "--out", "file"],
        ["exploit", "auruxxx", "solution"],
        ["exploit", "auruxxx", "expert"],
        ["exploit", "auruxxx", "search@4", "--rules", "preset=small-a"],
    ],
)
def test_without_a_small_preset_the_size_and_the_presets_are_named(
    words: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    error = capsys.readouterr().err
    assert "endlessly many nodes" in error or "nodes, about " in error
    assert ": tiny-a, tiny-b, tiny-c" in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_pipe_is_no_solution(tmp_path: Path) -> None:
    """Nobody may ever write into it."""
    os.mkfifo(tmp_path / "pipe")
    assert not is_solution(str(tmp_path / "pipe"))


def test_an_interrupted_solve_goes_on(
    tree: SequenceForm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result is that of one that nobody stopped."""
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    solver = Solver(tree)
    solver.run(2 * solving.CHECK)  # it will stop then, and not where a resumed one first looks
    target = nash_conv(tree, quantised(tree, solver.strategies()))
    assert solve(tree, whole, target=target).iteration == 2 * solving.CHECK
    asked = iter([*[False] * 30, *[True] * 100])
    monkeypatch.setattr(solving, "is_requested", lambda: next(asked))
    solve(tree, stopped, target=target)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["stopped.solver", "whole"]
    monkeypatch.undo()
    begun: list[int] = []
    solve(
        tree,
        stopped,
        target=target,
        on_progress=lambda iteration, _: begun.append(iteration),
    )
    assert begun == [solving.CHECK, 2 * solving.CHECK]
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["stopped", "whole"]
    assert stopped.read_bytes() == whole.read_bytes()


def test_what_a_stopped_solve_left_is_of_one_tree(
    tree: SequenceForm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "is_requested", lambda: True)
    solve(tree, tmp_path / "one")
    monkeypatch.undo()
    other = build_tree(AURUXXX, AURUXXX.read_settings({**THREE, "max_decisions": 3}))
    with pytest.raises(GoldgriffError, match="is of other settings or rules"):
        solve(other, tmp_path / "one")
    unfinished = tmp_path / "one.solver"
    arrays = load_file(unfinished)
    with safe_open(unfinished, framework="numpy") as file:
        notes = file.metadata()
    for changed, added in (
        ({"regrets": np.full_like(arrays["regrets"], np.nan)}, {}),
        ({"averages": arrays["averages"][:, :1]}, {}),
        ({}, {"iteration": "many"}),
        ({}, {"iteration": None}),
    ):
        others = {name: text for name, text in {**notes, **added}.items() if text is not None}
        save_file({**arrays, **changed}, unfinished, others)
        with pytest.raises(GoldgriffError, match="is damaged; its checksum differs"):
            solve(tree, tmp_path / "one")
    unfinished.write_bytes(b"nonsense")
    with pytest.raises(GoldgriffError, match="cannot read"):
        solve(tree, tmp_path / "one")


@pytest.mark.parametrize("options", [{"target": -1}, {"target": np.nan}, {"max_iterations": 0}])
def test_numbers_of_a_solve_are_checked(tree: SequenceForm, tmp_path: Path, options: Any) -> None:
    with pytest.raises(SettingsError, match=r"must be a (whole )?number from"):
        solve(tree, tmp_path / "file", **options)


def test_a_damaged_solution_is_refused(tree: SequenceForm, tmp_path: Path) -> None:
    path = tmp_path / "file"
    save_solution(path, tree, [side.uniform() for side in tree.sides], {})
    good = load_solution(path, tree)
    assert good.metadata["environment"] == "auruxxx_v0"
    tensors = load_file(path)
    save_file(tensors, path, {**good.metadata, "format": "goldgriff solution 0"})
    with pytest.raises(SolutionError, match="is no solution of this version"):
        load_solution(path, tree)
    save_file(tensors, path, good.metadata)
    path.write_bytes(path.read_bytes()[:-2] + b"xx")
    with pytest.raises(SolutionError, match="its checksum differs"):
        load_solution(path, tree)
    path.write_bytes(b"nonsense")
    with pytest.raises(SolutionError, match="cannot read"):
        load_solution(path, tree)
    with pytest.raises(SolutionError, match="No such file"):
        load_solution(tmp_path / "nothing", tree)
