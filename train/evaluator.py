"""How strong a player in training is: the tournament's own games against one fixed agent."""

from ..agents.network import Network
from ..agents.registry import load_agent
from ..envs.engine.game import Game
from ..eval.config import TournamentConfig
from ..eval.guard import Player
from ..eval.statistics import Estimate
from ..eval.tournament import run_tournament
from .settings import RunSettings

_NAME = "learner"
_SEED = 2**32  # of the deals: beyond every run's seed, and the same for all runs


class Yardstick:
    """The learner against a table full of the yardstick, the same deals every time.

    best: the highest share of the wins so far, below 0 before anything was measured.
    since_best: measurements made since that one.
    """

    def __init__(self, game: Game, settings: RunSettings) -> None:
        self.agent = Player(settings.yardstick, load_agent(settings.yardstick, game))
        self.plan = TournamentConfig(
            game,
            settings.rules,
            tuple(sorted(set(settings.players))),
            (_NAME, settings.yardstick),
            (0, 1),
            settings.evaluation_deals,
            _SEED,
            format="field",
        )
        self.best = -1.0
        self.since_best = 0
        self._patience = settings.patience

    @property
    def stale(self) -> bool:
        """Whether patience is at its end."""
        return 0 < self._patience <= self.since_best

    def measure(self, player: Network) -> Estimate:
        """The player's share of the wins, tables of each size counting alike."""
        results = run_tournament(self.plan, [Player(_NAME, player), self.agent])
        share = next(one.win_share for one in results.standings if one.name == _NAME)
        self.since_best += 1
        if share.mean > self.best:
            self.best, self.since_best = share.mean, 0
        return share
