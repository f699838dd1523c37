"""Solve a small game with each of several rules, here or on a Ray cluster."""

import csv
import io
import itertools
import json
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from ...envs.engine.game import Game, get_game
from ...errors import GoldgriffError, SettingsError, quoted
from ...files import is_filled, make_folder, write_together, write_whole
from ..workers.ray import RayCluster, check_versions
from ..workers.side_by_side import Commands, run_side_by_side
from .solutions import SolutionError, read_notes
from .solve import solve
from .tree import build_tree

TABLE, CHART = "solutions.csv", "solutions.png"
_MAX_NAME = 150  # characters of a file's
_COLOURS = ("#4a6a8a", "#b5651d", "#5a8a4a", "#8a4a6a", "#6a6a6a", "#c0a030")


@dataclass(frozen=True)
class Variant:
    """Rules that a game is solved with.

    Attributes:
        name: Name of the file, without its ending.
        game: Name of the game.
        rules: All rules that differ from the box, as plain data.
        varied: Those of them that differ between variants.
        target: NashConv down to which is solved.
        max_iterations: Iterations at most.
    """

    name: str
    game: str
    rules: dict[str, Any]
    varied: dict[str, Any]
    target: float
    max_iterations: int

    def path(self, out: Path) -> Path:
        """Return the file of the solution in a folder."""
        return out / f"{self.name}.safetensors"


def variants(
    game: Game,
    rules: Mapping[str, Any],
    vary: Mapping[str, Sequence[Any]],
    target: float,
    max_iterations: int,
) -> list[Variant]:
    """Return a variant for each choice of the values to vary.

    Raises:
        SettingsError: A value is not allowed, given twice, or two files would have the same name.
    """
    for name in vary:
        if name in rules:
            raise SettingsError(f"{name} is given twice")
    found: dict[str, Variant] = {}
    for values in itertools.product(*vary.values()):
        varied = dict(zip(vary, values, strict=True))
        chosen = {**rules, **varied}
        game.read_settings(chosen)
        words = (f"{name}={json.dumps(value)}" for name, value in varied.items())
        name = ",".join(words).replace('"', "").replace(" ", "").replace("/", "_")[:_MAX_NAME]
        if name in found:
            raise SettingsError(f"two solutions would be in {quoted(name)}")
        found[name] = Variant(name, game.name, chosen, varied, target, max_iterations)
    return list(found.values())


def solve_variants(
    given: Sequence[Variant],
    out: Path,
    *,
    workers: int = 1,
    cluster: RayCluster | None = None,
    on_solved: Callable[[Variant], object] = lambda _: None,
) -> list[list[Any]]:
    """Solve what is missing of some variants; return a row for each, and write table and figure.

    Args:
        given: The variants.
        out: Folder of the solutions. One that a stopped command has begun is gone on with.
        workers: Number of processes, each with a variant.
        cluster: Solves in place of the processes; what it has not finished begins anew.
        on_solved: Called with each variant that is solved.

    Returns:
        What `columns` names, a row for each variant.

    Raises:
        GoldgriffError: A variant cannot be solved; what has been solved is kept. Or the folder
            holds solutions of other rules, or less exact ones.
    """
    make_folder(out)
    missing = [one for one in given if not _is_solved(one, out)]
    solved = (
        _solve_on(cluster, missing, out)
        if cluster
        else run_side_by_side(partial(_solve_here, out=out), missing, workers)
    )
    with closing(solved):
        for one, _ in solved:
            on_solved(one)
    found = [one for one in given if is_filled(one.path(out))]
    players = _most_players(given)
    rows = [_row(one, out, players) for one in found]
    text, picture = io.StringIO(), io.BytesIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerows([columns(given), *rows])
    _draw(found, out).savefig(picture, format="png", dpi=120)
    write_together({out / TABLE: text.getvalue().encode(), out / CHART: picture.getvalue()})
    return rows


def _is_solved(one: Variant, out: Path) -> bool:
    """Return whether the file of a variant is there.

    Raises:
        SolutionError: It is damaged.
        GoldgriffError: It is of other rules, or less exact.
    """
    path, game = one.path(out), get_game(one.game)
    if not is_filled(path):
        return False
    notes = read_notes(path)
    try:
        rules = (notes["environment"], json.loads(notes["settings"]))
        found, iterations = float(notes["nash_conv"]), int(notes["iterations"])
        whole = all(isinstance(value, float) for value in json.loads(notes["value"]))
    except (KeyError, TypeError, ValueError, RecursionError):
        whole = False
    if not whole:
        raise SolutionError(f"solution {path}: is damaged")
    if rules != (game.id, game.read_settings(one.rules).to_dict()):
        raise GoldgriffError(f"{path} is of other rules; choose another folder")
    if found > one.target and iterations < one.max_iterations:
        raise GoldgriffError(
            f"{path} was solved down to a NashConv of {found:g} only; choose another folder"
        )
    return True


def columns(given: Sequence[Variant]) -> list[str]:
    """Return the headings of the rows of some variants: a value for each player, from player 1."""
    values = (f"value_{player + 1}" for player in range(_most_players(given)))
    return [*given[0].varied, *values, "nash_conv", "correlated_gap", "iterations"]


def _most_players(given: Sequence[Variant]) -> int:
    """Return the number of players of the variant with most of them."""
    return max(get_game(one.game).read_settings(one.rules).num_players for one in given)


def _row(one: Variant, out: Path, players: int) -> list[Any]:
    """Return the row of a solution; without a value for players that its game does not have."""
    notes = read_notes(one.path(out))
    varied = (
        value if isinstance(value, str) else json.dumps(value) for value in one.varied.values()
    )
    values = [f"{value:.6f}" for value in _values(notes)]
    measured = (notes.get(name, "") for name in ("nash_conv", "correlated_gap", "iterations"))
    return [*varied, *values, *[""] * (players - len(values)), *measured]


def _values(notes: Mapping[str, str]) -> list[float]:
    values: list[float] = json.loads(notes["value"])
    return values


def _solve_here(commands: Commands, one: Variant, out: Path) -> bool | None:
    """Solve a variant by `goldgriff solve`; None where it was stopped."""
    words = ["solve", one.game, "--out", str(one.path(out)), "--nash-conv", str(one.target)]
    words += ["--iterations", str(one.max_iterations)]
    rules = [f"{name}={json.dumps(value)}" for name, value in one.rules.items()]
    return commands.run(one.name, [*words, "--rules", *rules]) or None


def _solve_on(
    cluster: RayCluster, missing: Sequence[Variant], out: Path
) -> Generator[tuple[Variant, bool], None, None]:
    """Solve variants as tasks of a Ray cluster."""
    tasks = ((number, (one,)) for number, one in enumerate(missing))
    with closing(cluster.run(solve_on_node, iter(tasks))) as ended:
        for each in ended:
            for number, content in each.items():
                write_whole(missing[number].path(out), content)
                yield missing[number], True


def solve_on_node(theirs: dict[str, str], one: Variant) -> bytes:
    """Solve a variant and return its file: a task of Ray.

    Raises:
        GoldgriffError: The node has other versions, or the game cannot be solved.
    """
    check_versions(theirs)
    game = get_game(one.game)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            tree = build_tree(game, game.read_settings(one.rules), symmetric=True)
            path = one.path(Path(scratch))
            solve(tree, path, target=one.target, max_iterations=one.max_iterations)
        except GoldgriffError as error:
            raise type(error)(f"{one.name}: {error}") from None
        return path.read_bytes()


def _draw(solved: Sequence[Variant], out: Path) -> Figure:
    """Draw the values of all players, a line for each variant."""
    figure = Figure(figsize=(8, 1.5 + 0.4 * len(solved)), layout="constrained")
    axes = figure.subplots()
    values = [_values(read_notes(one.path(out))) for one in solved]
    for player in range(max(map(len, values), default=0)):
        points = [(each[player], place) for place, each in enumerate(values) if player < len(each)]
        across, down = zip(*points, strict=True)
        label = f"player {player + 1}"
        axes.plot(across, down, "o", ms=5, color=_COLOURS[player], label=label)
    axes.axvline(0, color="#999999", lw=0.8)
    axes.set_yticks(range(len(solved)), [one.name for one in solved])
    axes.invert_yaxis()
    axes.set_xlabel("value of the game for each player")
    if solved:
        axes.set_title(get_game(solved[0].game).title, fontsize=10)
        axes.legend(loc="best", fontsize=8)
    return figure
