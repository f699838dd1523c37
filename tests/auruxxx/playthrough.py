"""Golden games: whole games written out move by move, for people to check and tests to replay.

`python -m tests.auruxxx.playthrough` from the root of the repository writes them anew, which is
right only when the rules were meant to change.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from goldgriff.agents.auruxxx.expert import Expert
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Settings
from goldgriff.envs.core.batch import derive_seeds
from goldgriff.envs.core.policy import Policy, RandomPolicy, Views
from goldgriff.envs.core.settings import GameSettings
from goldgriff.envs.core.table import Table

FOLDER = Path(__file__).parent / "golden"

# Name, settings, and who plays: (e)xpert or (r)andom.
GAMES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("two_experts", {"num_players": 2, "rounds": 2}, "ee"),
    ("box", {"num_players": 4}, "erer"),
    ("six_players", {"num_players": 6, "rounds": 1}, "eereer"),
    ("italian", {"num_players": 3, "rounds": 1, "edition": "italian"}, "ere"),
    ("capped", {"num_players": 3, "rounds": 2, "max_decisions": 60}, "rrr"),
    (
        "small_deck",
        {"num_players": 3, "rounds": 2, "hand_size": 4, "colours": 2, "highest_number": 5,
         "golden_twelves": 2, "blessings": 1, "steals": 1, "swaps": 1},
        "rer",
    ),
)  # fmt: skip


def describe(table: Table) -> str:
    """All that lies open, and the hands, in one line."""
    position = table.position()
    parts = [
        f"top {position['discard'][-1]}",
        f"pile {len(position['pile'])}",
        "hands " + " / ".join(" ".join(hand) or "-" for hand in position["hands"]),
        f"next player_{position['mover']} {position['phase']}",
    ]
    if position["demand"]:
        parts.append(f"demand {position['demand']}")
    if any(position["crosses"]):
        parts.append("crosses " + " ".join(map(str, position["crosses"])))
    if position["figure"] is not None:
        parts.append(f"figure player_{position['figure']}")
    if table.state.round_ended:
        parts.append("round over, scores " + " ".join(f"{score:g}" for score in table.scores))
    return " | ".join(parts)


def playthrough(table: Table, moves: Sequence[str]) -> list[str]:
    """Play moves from the start of a table on; a line for the start and one for each move."""
    lines = [describe(table)]
    for move in moves:
        mover = table.mover
        table.play(move)
        lines.append(f"player_{mover} {move} -> {describe(table)}")
    return lines


def choose_moves(settings: GameSettings, players: str, seed: int) -> list[str]:
    """Let players play a whole game; the names of their moves."""
    policies: list[Policy] = [Expert() if kind == "e" else RandomPolicy() for kind in players]
    table = Table(AURUXXX, settings)
    table.start(seed)
    words = derive_seeds(seed, 5_000)
    while not table.over:
        word = words[len(table.moves)][None]
        views = Views(AURUXXX, table.features[None], table.mask[None], np.asarray(word))
        table.play(int(policies[table.mover].act(views)[0]))
    return [AURUXXX.actions[action] for action in table.moves]


def main() -> None:
    for seed, (name, settings, players) in enumerate(GAMES, start=1):
        table = Table(AURUXXX, Settings(**settings))
        moves = choose_moves(table.settings, players, seed)
        table.start(seed)
        lines = playthrough(table, moves)
        (FOLDER / f"{name}.txt").write_text("\n".join([table.transcript(), *lines]) + "\n")


if __name__ == "__main__":
    main()
