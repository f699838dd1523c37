"""Evaluation of a policy in training: a tournament against one fixed agent."""

from typing import Any

from ..agents.registry import load_agent
from ..envs.engine.game import Game
from ..envs.policy import Agent
from ..eval.config import TournamentConfig
from ..eval.guard import Player
from ..eval.statistics import Estimate
from ..eval.tournament import run_tournament
from .settings import RunSettings

_NAME = "learner"
_SEED = 2**32  # of the deals: above the seeds of runs, and the same for all runs


class Evaluator:
    """Plays the learner against `eval_opponent` in all other seats, always the same deals.

    Attributes:
        best: The highest win share so far, below 0 before the first evaluation.
        since_best: Evaluations since that one.
    """

    def __init__(self, game: Game, settings: RunSettings, opponent: Any = None) -> None:
        """Make an evaluator.

        Args:
            game: The game.
            settings: Of the run.
            opponent: What `load_agent` takes, where the name in the settings does not load it.
        """
        name = settings.eval_opponent
        self.opponent = Player(name, load_agent(name if opponent is None else opponent, game))
        self.config = TournamentConfig(
            game,
            settings.rules,
            tuple(sorted(set(settings.players))),
            (_NAME, name),
            (0, 1),
            settings.eval_deals,
            _SEED,
            format="field",
        )
        self.best, self.since_best = -1.0, 0
        self._max_no_improvement = settings.max_no_improvement_evals

    @property
    def should_stop(self) -> bool:
        """Whether there was no new best policy for `max_no_improvement_evals` evaluations."""
        return 0 < self._max_no_improvement <= self.since_best

    def evaluate(self, policy: Agent) -> Estimate:
        """Return the win share of a policy; each number of players counts alike."""
        results = run_tournament(self.config, [Player(_NAME, policy), self.opponent])
        share = next(one.win_share for one in results.standings if one.name == _NAME)
        self.since_best += 1
        if share.mean > self.best:
            self.best, self.since_best = share.mean, 0
        return share
