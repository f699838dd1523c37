"""How strong a player in training is: the tournament's own games against one fixed agent."""

from goldgriff.agents.network import Network
from goldgriff.agents.registry import find_agent
from goldgriff.envs.core.game import Game
from goldgriff.eval.asking import Player
from goldgriff.eval.schedule import Plan
from goldgriff.eval.statistics import Estimate
from goldgriff.eval.tournament import run_tournament
from goldgriff.train.settings import RunSettings

_NAME = "learner"
_SEED = 2**32  # of the deals: beyond every run's seed, and the same for all runs


class Yardstick:
    """The learner against a table full of the yardstick, the same deals every time."""

    def __init__(self, game: Game, settings: RunSettings) -> None:
        self.agent = Player(settings.yardstick, find_agent(settings.yardstick, game))
        self.plan = Plan(
            game,
            settings.rules,
            tuple(sorted(set(settings.players))),
            (_NAME, settings.yardstick),
            (0, 1),
            settings.evaluation_deals,
            _SEED,
            format="field",
        )

    def measure(self, player: Network) -> Estimate:
        """The player's share of the wins, tables of each size counting alike."""
        results = run_tournament(self.plan, [Player(_NAME, player), self.agent])
        return next(one.win_share for one in results.standings if one.name == _NAME)
