"""Small tournaments for the tests of this folder."""

from typing import Any

from goldgriff.agents.registry import load_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.engine.game import Game
from goldgriff.envs.policy import RandomPolicy
from goldgriff.eval.tournament.config import TournamentConfig, tournament_config
from goldgriff.eval.tournament.guard import Player

SMALL = {"auruxxx": {"rounds": 1}, "gluecksgriff": {"point_limit": 20}}
EXPERT, RANDOM = Player("expert", load_agent("expert", AURUXXX)), Player("random", RandomPolicy())


def small_config(
    *agents: str, game: Game = AURUXXX, players: int = 3, **options: Any
) -> TournamentConfig:
    """Return a configuration of short games with one number of players."""
    settings = game.settings.from_dict({**SMALL[game.name], "num_players": players})
    return tournament_config(game, agents, settings, **{"deals": 20, "seed": 3, **options})


def players_of(config: TournamentConfig) -> list[Player]:
    """Load the agents of a configuration by their names."""
    return [Player(name, load_agent(name, config.game)) for name in config.names]
