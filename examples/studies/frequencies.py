"""Frequencies of play in a solution of the library: how often a choice comes up, and is made.

A choice comes up where both are legal: an action that makes it, and one that does not.

python examples/studies/frequencies.py gluecksgriff tiny-b
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from goldgriff.envs.engine.game import GAMES, Game, get_game
from goldgriff.eval.game_theory.solutions import load_solution, shipped_path
from goldgriff.eval.game_theory.strategies import Strategies, plans_of
from goldgriff.eval.game_theory.tree import (
    SequenceForm,
    Side,
    build_nodes,
    build_tree,
    number_nodes,
)

# Which sequences of a player make a choice: (names of actions, side) -> bool (sequences,).
Chosen = Callable[[NDArray[np.str_], Side], NDArray[np.bool_]]


@dataclass(frozen=True)
class Situation:
    """A choice that players have.

    Attributes:
        name: What is chosen.
        chosen: Which sequences choose it.
    """

    name: str
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


def _passes_on(names: NDArray[np.str_], side: Side) -> NDArray[np.bool_]:
    """Return which sequences pass on cards that a player must take (A4.2)."""
    demands = side.owners[np.char.startswith(names, "take")]
    passes: NDArray[np.bool_] = np.char.startswith(names, "pass") & np.isin(side.owners, demands)
    return passes


def _bluffs(names: NDArray[np.str_], side: Side) -> NDArray[np.bool_]:
    """Return which sequences lay another card open than the lowest of the hand (G7.4)."""
    opens = np.char.startswith(names, "open ")
    lowest = np.zeros(len(names), bool)
    places = np.flatnonzero(opens)
    lowest[places[np.unique(side.owners[places], return_index=True)[1]]] = True
    bluffs: NDArray[np.bool_] = opens & ~lowest
    return bluffs


SITUATIONS = {
    "auruxxx": (
        Situation("pass a demand on", _passes_on),
        Situation("draw", _named("draw")),
        Situation("lay a Golden 12", _named("lay gold")),
        Situation("lay a 2", _named("lay r2")),
        Situation("swap hands", _named("swap")),
    ),
    "gluecksgriff": (
        Situation("call", _named("call")),
        Situation("knock", _named("knock")),
        Situation("play the Magic Hand", _named("hand")),
        Situation("lay open another card than the lowest: bluff", _bluffs),
        Situation("challenge an open card", _named("challenge")),
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
    result = []
    for situation in situations:
        chances, shares = np.zeros(len(masses)), np.full(len(masses), np.nan)
        for seat, (side, mass) in enumerate(zip(tree.sides, masses, strict=True)):
            owners, chosen = side.owners[1:], situation.chosen(names[seat], side)[1:]
            able = np.isin(owners, owners[chosen]) & np.isin(owners, owners[~chosen])
            chances[seat] = mass[1:][able].sum()
            if chances[seat] > 0:
                shares[seat] = mass[1:][able & chosen].sum() / chances[seat]
        result.append(Frequency(situation.name, chances, shares))
    return result


def sequence_masses(tree: SequenceForm, strategies: Strategies) -> list[NDArray[np.float64]]:
    """Return how often the last action of each sequence is taken in a game, for each player."""
    nodes = build_nodes(tree.game, tree.settings)
    _, last, reached = number_nodes(nodes, tree.settings.num_players)
    for seat, plan in enumerate(plans_of(tree, strategies)):
        reached *= plan[last[:, seat]]
    deciders = nodes.players[nodes.parents]
    masses = []
    for seat, side in enumerate(tree.sides):
        rows = np.flatnonzero(deciders[1:] == seat) + 1
        mass = np.bincount(last[rows, seat], reached[rows], side.num_sequences)
        masses.append(mass.astype(np.float64))
    return masses


def _action_names(game: Game, side: Side) -> NDArray[np.str_]:
    """Return the name of the action of each sequence; "" for the empty one."""
    return np.array(["", *(game.actions[action] for action in side.actions[1:])])


def main() -> None:
    """Print the frequencies of a solution."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("preset", help="a preset whose solution comes with the library")
    options = parser.parse_args()
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
    table = Table("where there is a choice", *players)
    for frequency in frequencies(tree, solution.strategies, SITUATIONS[game.name]):
        cells = [
            f"{share:.1%} of {chance:.2f}" if chance > 0 else "never"
            for share, chance in zip(frequency.shares, frequency.chances, strict=True)
        ]
        table.add_row(frequency.name, *cells)
    console.print(table)


if __name__ == "__main__":
    main()
