"""Solve a small game into a file, and resume a solve that was stopped.

The solver's arrays lie beside the file, under its name with `.solver` appended, until it is done.
"""

import time
from collections.abc import Callable
from pathlib import Path

from safetensors.numpy import save

from ...agents.checkpoints import with_checksum
from ...cli.stopping import deferred, is_requested
from ...envs.engine.game import Game
from ...envs.engine.reading import number_or_none, read_whole
from ...envs.engine.settings import GameSettings
from ...errors import GoldgriffError, SettingsError, quoted
from ...files import make_folder, write_whole
from .cfr import Solver
from .solutions import (
    fingerprint_tree,
    is_solution,
    quantised,
    read_tensors,
    save_solution,
    solution_data,
)
from .strategies import nash_conv
from .tree import SequenceForm

NASH_CONV = 5e-5  # down to which is solved
CHECK = 50  # iterations between two looks at it
SAVE_SECONDS = 60.0  # between two times that the arrays are saved
MAX_ITERATIONS = 20_000
FORMAT = "goldgriff solver 1"  # of the arrays of a solver


def solve(
    tree: SequenceForm,
    path: Path,
    *,
    target: float = NASH_CONV,
    max_iterations: int = MAX_ITERATIONS,
    on_progress: Callable[[int, float], None] = lambda *_: None,
) -> Solver:
    """Solve a tree by CFR+ and write the solution.

    Args:
        tree: The tree.
        path: The file. What a stopped solve has left beside it is resumed.
        target: NashConv of the solution as written at which to stop.
        max_iterations: The most iterations; then the solution is written as it is.
        on_progress: Called with the iteration and the NashConv.

    Returns:
        The solver.

    Raises:
        SettingsError: A number is out of range.
        GoldgriffError: The file is there already, or what lies beside it is damaged or of another
            tree.
        Stopped: A signal has come; the arrays are saved.
    """
    check_limits(target, max_iterations)
    if path.exists():
        raise GoldgriffError(f"{path} is there already")
    make_folder(path.parent)
    solver, unfinished = Solver(tree), _unfinished(path)
    if unfinished.exists():
        notes, arrays = read_tensors(unfinished, tree, FORMAT)
        solver.restore(int(notes["iteration"]), arrays)
    saved = time.monotonic()
    with deferred():
        while not is_requested():
            if solver.iteration % CHECK == 0 or solver.iteration >= max_iterations:
                reached = nash_conv(tree, quantised(tree, solver.strategies()))
                on_progress(solver.iteration, reached)
                if reached <= target or solver.iteration >= max_iterations:
                    notes = {"iterations": str(solver.iteration)}
                    if len(tree.sides) > 2:
                        notes["correlated_gap"] = f"{solver.correlated_gap():.3e}"
                    save_solution(path, tree, solver.strategies(), notes)
                    unfinished.unlink(missing_ok=True)
                    break
            solver.run(1)
            if time.monotonic() - saved > SAVE_SECONDS:
                _save(solver, unfinished)
                saved = time.monotonic()
        if is_requested() and not path.exists():
            _save(solver, unfinished)
    return solver


def check_limits(target: float, max_iterations: int) -> None:
    """Raise SettingsError unless both limits of `solve` are possible."""
    read_whole("iterations", max_iterations, 1)
    number = number_or_none(target)
    if number is None or not number >= 0:
        about = "{setting} must be a number from 0, not {given}"
        raise SettingsError(about, setting="nash_conv", given=quoted(target))


def is_solved(
    path: Path, game: Game, settings: GameSettings, target: float, max_iterations: int
) -> bool:
    """Return whether `solve` has written a solution before; what is unfinished is removed then.

    Raises:
        GoldgriffError: Another file is there, or another solution.
    """
    if not path.exists():
        return False
    figures = solution_data(path) if is_solution(str(path)) else {}
    same = figures.get("game") == game.id and figures["settings"] == settings.to_dict()
    limit = float(f"{target:.3e}")  # as precise as in the file
    if not same or not (figures["nash_conv"] <= limit or figures["iterations"] == max_iterations):
        raise GoldgriffError(f"{path} is there already")
    _unfinished(path).unlink(missing_ok=True)
    return True


def _unfinished(path: Path) -> Path:
    """Return where the arrays of a solver lie until its solution is written."""
    return path.with_name(f"{path.name}.solver")


def _save(solver: Solver, path: Path) -> None:
    """Write all arrays of a solver."""
    arrays = {name: getattr(solver, name) for name in Solver.ARRAYS}
    notes = {"tree": fingerprint_tree(solver.tree), "iteration": str(solver.iteration)}
    write_whole(path, with_checksum(save(arrays, {**notes, "format": FORMAT})))
