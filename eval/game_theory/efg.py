"""Export of a small game as a file for Gambit: `.efg`, an extensive game with its whole tree.

Gambit and `pygambit` read it, and OpenSpiel as `efg_game`, whose solvers in C++ then run on it.
"""

from fractions import Fraction
from pathlib import Path

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...files import write_whole
from .tree import build_nodes
from .walk import CHANCE, TERMINAL

MAX_NODES = 300_000  # of a game that is exported: some 20 MB
MAX_DENOMINATOR = 10**7  # of a probability


def to_efg(game: Game, settings: GameSettings) -> str:
    """Return a game as the text of an `.efg` file, with the returns of `reward="win"`.

    Chance nodes have all events of a transition in one, hands are dealt as multisets. Probabilities
    and payoffs are exact fractions.

    Args:
        game: The game.
        settings: Its settings.

    Raises:
        SettingsError: The tree is larger or has no end.
    """
    nodes = build_nodes(game, settings, MAX_NODES)
    children: list[list[int]] = [[] for _ in nodes.parents]
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


def write_efg(game: Game, settings: GameSettings, file: str | Path) -> None:
    """Write a game as an `.efg` file; see `to_efg`.

    Raises:
        SettingsError: The tree is too large or has no end.
        FileError: The file cannot be written.
    """
    write_whole(Path(file), to_efg(game, settings).encode())


def _fraction(number: float) -> Fraction:
    return Fraction(float(number)).limit_denominator(MAX_DENOMINATOR)
