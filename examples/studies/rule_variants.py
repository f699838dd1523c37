"""Values of a small game under several rules: solve it with every choice, draw the values.

    python examples/studies/rule_variants.py auruxxx --rules preset=tiny-a \
        --vary max_turns=2,3,4 rounds=1 --workers 2 --out runs/turns

The folder gets a solution for each choice, the table `solutions.csv` and the figure
`solutions.png`. Solutions that are there already are not solved again.
"""

import argparse
import csv
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.figure import Figure

from goldgriff.cli.options import named_values, read_values
from goldgriff.envs.engine.game import GAMES, get_game
from goldgriff.eval.game_theory.solutions import solution_data
from goldgriff.eval.game_theory.solve import NASH_CONV, solve
from goldgriff.eval.game_theory.tree import build_tree
from goldgriff.eval.workers.tasks import in_processes, run_tasks


class Variant(NamedTuple):
    """Rules that a game is solved with.

    Attributes:
        game: Name of the game.
        rules: All rules that differ from the defaults.
        varied: Those of them that differ between variants.
        path: File of the solution.
        nash_conv: NashConv down to which it is solved.
    """

    game: str
    rules: dict[str, Any]
    varied: dict[str, Any]
    path: Path
    nash_conv: float


def variants(
    game: str, rules: dict[str, Any], vary: dict[str, list[Any]], out: Path, nash_conv: float
) -> list[Variant]:
    """Return a variant for each choice of the values to vary."""
    choices = [dict(zip(vary, values, strict=True)) for values in itertools.product(*vary.values())]
    return [
        Variant(game, rules | varied, varied, out / f"{_name(varied)}.safetensors", nash_conv)
        for varied in choices
    ]


def _name(varied: dict[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in varied.items()).replace("/", "_")


def solve_variant(variant: Variant) -> dict[str, Any]:
    """Return the figures of a variant's solution, which is made if it is not there; see `solve`."""
    if not variant.path.exists():
        game = get_game(variant.game)
        tree = build_tree(game, game.read_settings(variant.rules), symmetric=True)
        solve(tree, variant.path, target=variant.nash_conv)
    figures = solution_data(variant.path)
    settings = get_game(variant.game).read_settings(variant.rules)
    assert figures["settings"] == settings.to_dict(), f"{variant.path} is of other rules"
    return figures


def table(solved: Sequence[tuple[Variant, dict[str, Any]]]) -> list[list[Any]]:
    """Return a row for each variant, after the headings: a value for each player, from player 1."""
    players = max(len(figures["values"]) for _, figures in solved)
    numbers = ("nash_conv", "correlated_gap", "iterations")
    headings = [*solved[0][0].varied, *(f"value_{seat + 1}" for seat in range(players)), *numbers]
    rows = [headings]
    for variant, figures in solved:
        values = [f"{value:z.6f}" for value in figures["values"]]
        values += [""] * (players - len(values))
        varied = [
            text if isinstance(text, str) else json.dumps(text) for text in variant.varied.values()
        ]
        rows.append([*varied, *values, *(figures[name] for name in numbers)])
    return rows


def chart(title: str, solved: Sequence[tuple[Variant, dict[str, Any]]]) -> Figure:
    """Draw the values of all players, a line for each variant."""
    figure = Figure(figsize=(8, 1.5 + 0.4 * len(solved)), layout="constrained")
    axes = figure.subplots()
    for seat in range(max(len(figures["values"]) for _, figures in solved)):
        points = [
            (figures["values"][seat], row)
            for row, (_, figures) in enumerate(solved)
            if seat < len(figures["values"])
        ]
        axes.plot(*zip(*points, strict=True), "o", ms=5, label=f"player {seat + 1}")
    axes.axvline(0, color="#999999", lw=0.8)
    axes.set_yticks(range(len(solved)), [_name(variant.varied) for variant, _ in solved])
    axes.invert_yaxis()
    axes.set(title=title, xlabel="value of the game for each player")
    axes.legend(fontsize=8)
    return figure


def main() -> None:
    """Solve the game with every choice, write the table and the figure, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("game", choices=GAMES)
    add("--rules", nargs="+", default=[], metavar="NAME=VALUE", help="of all variants")
    add("--vary", nargs="+", required=True, metavar="NAME=VALUE,VALUE,...")
    add("--nash-conv", type=float, default=NASH_CONV, help="down to which each is solved")
    add("--workers", type=int, default=1, help="processes, each with a variant at a time")
    add("--out", type=Path, required=True, help="folder of the solutions")
    options = parser.parse_args()
    rules = named_values("--rules", options.rules)
    vary = named_values("--vary", options.vary, read_values, "NAME=VALUE,VALUE,...")
    tasks = variants(options.game, rules, vary, options.out, options.nash_conv)
    processes = in_processes(solve_variant, options.workers)
    figures = dict(run_tasks(processes, [(variant,) for variant in tasks]))
    solved = [(variant, figures[number]) for number, variant in enumerate(tasks)]
    rows = table(solved)
    with (options.out / "solutions.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    title = get_game(options.game).title
    chart(title, solved).savefig(options.out / "solutions.png", dpi=120)
    for row in rows:
        print("  ".join(f"{cell!s:>14}" for cell in row))


if __name__ == "__main__":
    main()
