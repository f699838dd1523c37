"""Draws the tables that README and the pages of the games show: `python docs/hooks/draw.py`."""

from pathlib import Path

import numpy as np
from PIL import Image

import goldgriff.envs  # noqa: F401  (brings the games)
from goldgriff.agents.registry import find_agent
from goldgriff.envs.core.game import get_game
from goldgriff.envs.core.policy import Views
from goldgriff.envs.core.table import Table

ASSETS = Path(__file__).resolve().parents[1] / "assets"
SHOWN = (("auruxxx", 4, 30), ("gluecksgriff", 4, 44))  # game, players, decisions played


def draw(name: str, players: int, decisions: int, seed: int = 7) -> None:
    """Let experts play the beginning of a game, and keep a picture of where it has come to."""
    game = get_game(name)
    table = Table(game, game.settings.from_dict({"num_players": players}))
    table.start(seed)
    expert = find_agent("expert", game)
    for _ in range(decisions):
        views = Views(game, *table.look(table.mover), np.zeros(1, np.uint64))
        table.act(int(expert.act(views)[0]))
    picture = Image.fromarray(table.picture(viewer=0)).quantize(128)
    picture.save(ASSETS / f"{name}.png", optimize=True)


if __name__ == "__main__":
    for shown in SHOWN:
        draw(*shown)
