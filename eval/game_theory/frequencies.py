"""Frequencies of play: how often each action is taken, and where it could have been taken.

`python -m goldgriff.eval.game_theory.frequencies GAME PRESET` prints it for the solution of a
preset that comes with the library.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from ...cli.options import Parser
from ...envs.engine.game import GAMES, Game, get_game
from ...errors import GoldgriffError
from .solutions import load_solution, shipped_path
from .strategies import Strategies, plans_of
from .tree import SequenceForm, Side, build_tree, reach_nodes

# Which sequences of a player count, of those where an action is legal: (names of actions, side) ->
# bool (sequences,).
Chosen = Callable[[NDArray[np.str_], Side], NDArray[np.bool_]]


@dataclass(frozen=True)
class Situation:
    """A choice that players have.

    Attributes:
        name: What is chosen.
        legal: The beginning of the names of actions of which one must be legal.
        chosen: Which sequences count.
    """

    name: str
    legal: str
    chosen: Chosen


@dataclass(frozen=True)
class Frequency:
    """Frequency with which players choose something.

    Attributes:
        name: What.
        chances: float64 (players,), how often each could in a game, in the mean.
        shares: float64 (players,), how often it does then; NaN where it never can.
    """

    name: str
    chances: NDArray[np.float64]
    shares: NDArray[np.float64]


def _named(beginning: str) -> Chosen:
    return lambda names, _: np.char.startswith(names, beginning)


def _bluffs(names: NDArray[np.str_], side: Side) -> NDArray[np.bool_]:
    """Return which sequences lay another card open than the lowest of the hand (G7.4)."""
    opens = np.char.startswith(names, "open ")
    owners = np.concatenate([[-1], np.repeat(np.arange(len(side.parents)), np.diff(side.starts))])
    lowest = np.zeros(len(names), bool)
    places = np.flatnonzero(opens)
    lowest[places[np.unique(owners[places], return_index=True)[1]]] = True
    bluffs: NDArray[np.bool_] = opens & ~lowest
    return bluffs


SITUATIONS = {
    "auruxxx": (
        Situation("pass a demand on", "take", _named("pass")),
        Situation("draw", "draw", _named("draw")),
        Situation("lay a Golden 12", "lay gold", _named("lay gold")),
        Situation("lay a 2", "lay r2", _named("lay r2")),
        Situation("swap hands", "swap", _named("swap")),
    ),
    "gluecksgriff": (
        Situation("call", "call", _named("call")),
        Situation("knock", "knock", _named("knock")),
        Situation("play the Magic Hand", "hand", _named("hand")),
        Situation("lay open another card than the lowest: bluff", "open ", _bluffs),
        Situation("challenge an open card", "challenge", _named("challenge")),
    ),
}


def frequencies(
    tree: SequenceForm, strategies: Strategies, situations: Sequence[Situation]
) -> list[Frequency]:
    """Return how often players choose something.

    Args:
        tree: The tree.
        strategies: What they play.
        situations: The choices; those of a game are in SITUATIONS.
    """
    masses = sequence_masses(tree, strategies)
    names = [_action_names(tree.game, side) for side in tree.sides]
    found = []
    for one in situations:
        chances, shares = np.zeros(len(masses)), np.full(len(masses), np.nan)
        for seat, (side, mass) in enumerate(zip(tree.sides, masses, strict=True)):
            owners = np.repeat(np.arange(len(side.parents)), np.diff(side.starts))
            legal = np.char.startswith(names[seat], one.legal)[1:]
            able = np.isin(owners, owners[legal])
            chances[seat] = mass[1:][able].sum()
            if chances[seat] > 0:
                chosen = one.chosen(names[seat], side)[1:]
                shares[seat] = mass[1:][able & chosen].sum() / chances[seat]
        found.append(Frequency(one.name, chances, shares))
    return found


def sequence_masses(tree: SequenceForm, strategies: Strategies) -> list[NDArray[np.float64]]:
    """Return how often the last action of each sequence is taken in a game, for each player."""
    last, chances, deciders = reach_nodes(tree.game, tree.settings)
    reached = chances.copy()
    for seat, plan in enumerate(plans_of(tree, strategies)):
        reached *= plan[last[:, seat]]
    masses = []
    for seat, side in enumerate(tree.sides):
        rows = deciders == seat
        mass = np.bincount(last[rows, seat], reached[rows], side.num_sequences)
        masses.append(mass.astype(np.float64))
    return masses


def _action_names(game: Game, side: Side) -> NDArray[np.str_]:
    """Return the name of the action of each sequence; "" for the empty one."""
    return np.array(["", *(game.actions[action] for action in side.actions[1:])])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the frequencies of a solution; the exit status is 0, or 1 for bad input."""
    made = Parser(prog="python -m goldgriff.eval.game_theory.frequencies", description=__doc__)
    made.add_argument("game", help=", ".join(GAMES))
    made.add_argument("preset", help="a preset whose solution comes with the library")
    options = made.parse_args(arguments)
    try:
        _print(options)
    except GoldgriffError as error:
        print(f"frequencies: {error}", file=sys.stderr)
        return 1
    return 0


def _print(options: argparse.Namespace) -> None:
    game = get_game(options.game)
    tree = build_tree(game, game.settings.from_dict({"preset": options.preset}))
    solution, console = load_solution(shipped_path(tree), tree), Console()
    sizes = " + ".join(f"{len(side.parents):,}" for side in tree.sides)
    console.print(
        f"{game.title}, {options.preset}: {tree.num_histories:,} histories, {tree.num_nodes:,} "
        f"nodes, information states {sizes}; value {solution.metadata['value']}, NashConv "
        f"{solution.metadata['nash_conv']}",
        highlight=False,
    )
    players = [f"player {seat + 1}" for seat in range(len(tree.sides))]
    table = Table("where it is legal", *players)
    for one in frequencies(tree, solution.strategies, SITUATIONS.get(game.name, ())):
        cells = [
            f"{share:.1%} of {chance:.2f}" if chance > 0 else "never"
            for share, chance in zip(one.shares, one.chances, strict=True)
        ]
        table.add_row(one.name, *cells)
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
