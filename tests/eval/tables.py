"""Small tournaments for the tests of this folder."""

from typing import Any

from goldgriff.agents.registry import find_agent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.policy import RandomPolicy
from goldgriff.eval.asking import Player
from goldgriff.eval.schedule import Plan, plan_of

SMALL = {"auruxxx": {"rounds": 1}, "gluecksgriff": {"point_limit": 20}}
EXPERT, RANDOM = Player("expert", find_agent("expert", AURUXXX)), Player("random", RandomPolicy())


def small_plan(*agents: str, game: Game = AURUXXX, players: int = 3, **options: Any) -> Plan:
    """A plan with short games at one table."""
    settings = game.settings.from_dict({**SMALL[game.name], "num_players": players})
    return plan_of(game, agents, settings, **{"deals": 20, "seed": 3, **options})


def players_of(plan: Plan) -> list[Player]:
    """The agents of a plan, found by their names."""
    return [Player(name, find_agent(name, plan.game)) for name in plan.names]
