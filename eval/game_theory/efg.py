"""Export of a small game as a file for Gambit: `.efg`, an extensive game with its whole tree.

Gambit and `pygambit` read it, and OpenSpiel as `efg_game`, whose solvers in C++ then run on it.
"""

from fractions import Fraction
from pathlib import Path

import numpy as np

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...errors import SettingsError
from ...files import write_whole
from .node import CHANCE, TERMINAL, Node
from .tree import count_nodes, walk_tree
from .walk import new_nodes

MAX_NODES = 300_000  # of a game that is exported: some 20 MB
MAX_DENOMINATOR = 10**7  # of a probability
PROBES = 200  # random games of an estimate
HOPELESS = 100  # times the limit: with an estimate above it nodes are not counted
MAX_ESTIMATE = 1e300


def to_efg(game: Game, settings: GameSettings, *, limit: int = MAX_NODES) -> str:
    """Return a game as the text of an `.efg` file, with the returns of `reward="win"`.

    Chance nodes have all events of a transition in one, hands are dealt as multisets. Probabilities
    and payoffs are exact fractions.

    Args:
        game: The game.
        settings: Its settings.
        limit: The most nodes; a larger tree is refused before memory is spent on it.

    Raises:
        SettingsError: The tree is larger or has no end.
    """
    about = estimate_nodes(game, settings)
    count = None if about > HOPELESS * limit else count_nodes(game, settings, limit)
    if count is None:
        size = f"about {max(about, limit):.0e}" if about < MAX_ESTIMATE else f"over {MAX_ESTIMATE}"
        raise SettingsError(
            f"the tree of these settings has {size} nodes; at most {limit:,} are exported"
        )
    nodes = new_nodes(count, settings.num_players)
    walk_tree(game, settings, nodes, count)
    children: list[list[int]] = [[] for _ in range(count)]
    for node, parent in enumerate(nodes.parents[1:].tolist(), start=1):
        children[parent].append(node)
    numbers: list[dict[int, int]] = [{} for _ in range(settings.num_players)]
    players = " ".join(f'"player_{seat}"' for seat in range(settings.num_players))
    lines = [f'EFG 2 R "{game.title}" {{ {players} }}', '""', ""]
    ends = chances = 0
    for node, player in enumerate(nodes.players.tolist()):
        if player == TERMINAL:
            ends += 1
            payoffs = ", ".join(str(_fraction(gain)) for gain in nodes.returns[node])
            lines.append(f't "" {ends} "" {{ {payoffs} }}')
        elif player == CHANCE:
            chances += 1
            odds = [_fraction(nodes.chances[child]) for child in children[node]]
            assert sum(odds) == 1
            moves = " ".join(f'"{number}" {odd}' for number, odd in enumerate(odds))
            lines.append(f'c "" {chances} "" {{ {moves} }} 0')
        else:
            number = numbers[player].setdefault(int(nodes.recalls[node]), len(numbers[player]) + 1)
            actions = [game.actions[nodes.actions[child]] for child in children[node]]
            moves = " ".join(f'"{action}"' for action in actions)
            lines.append(f'p "" {player + 1} {number} "" {{ {moves} }} 0')
    return "\n".join([*lines, ""])


def write_efg(
    game: Game, settings: GameSettings, file: str | Path, *, limit: int = MAX_NODES
) -> None:
    """Write a game as an `.efg` file; see `to_efg`.

    Raises:
        SettingsError: The tree is too large or has no end.
        FileError: The file cannot be written.
    """
    write_whole(Path(file), to_efg(game, settings, limit=limit).encode())


def estimate_nodes(game: Game, settings: GameSettings, probes: int = PROBES) -> float:
    """Return about how many nodes the tree of a game has, by Knuth's random probes.

    The mean is right, but few heavy branches may be missed, and then it is too low. It is infinite
    if a game has more than MAX_ESTIMATE choices on its way.
    """
    root, rng = Node(game, settings, multisets=True), np.random.default_rng(0)
    total = 0.0
    for _ in range(probes):
        node, weight = root.new_game(), 1.0
        total += 1.0
        while node.current_player != TERMINAL:
            moves = [move for move, _ in node.chance_outcomes()] or node.legal_actions()
            weight *= len(moves)
            if weight > MAX_ESTIMATE:
                return np.inf
            total += weight
            node.apply(moves[int(rng.integers(len(moves)))])
    return total / probes


def _fraction(number: float) -> Fraction:
    return Fraction(float(number)).limit_denominator(MAX_DENOMINATOR)
