"""Draw a picture in `docs/assets`: `python docs/hooks/draw.py GAME DECISIONS`."""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from goldgriff.agents.registry import load_agent
from goldgriff.envs.engine.game import get_game
from goldgriff.envs.match import Match
from goldgriff.envs.policy import ObservationBatch

ASSETS = Path(__file__).resolve().parents[1] / "assets"


def draw(name: str, decisions: int, *, players: int = 4, seed: int = 7) -> None:
    """Let experts play the first decisions of a game and save a picture of the position."""
    game = get_game(name)
    match = Match(game, game.settings.from_dict({"num_players": players}))
    match.start(seed)
    expert = load_agent("expert", game)
    for _ in range(decisions):
        observations = ObservationBatch(
            game, *match.observe(match.current_player), np.zeros(1, np.uint64)
        )
        match.act(int(expert.act(observations)[0]))
    picture = Image.fromarray(match.picture(viewer=0)).quantize(128)
    picture.save(ASSETS / f"{name}.png", optimize=True)


if __name__ == "__main__":
    draw(sys.argv[1], int(sys.argv[2]))
