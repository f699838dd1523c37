"""Evaluation of a policy in training: a tournament against one fixed agent."""

from typing import Any

import numpy as np

from ..agents.registry import load_agent
from ..envs.engine.game import Game
from ..envs.policy import Agent
from ..eval.tournament.config import SHARD_GAMES, TournamentConfig
from ..eval.tournament.guard import Player
from ..eval.tournament.shards import play_shard
from ..eval.tournament.statistics import SHARES, Estimate, Values, contributions, estimate
from .settings import RunSettings

_NAME = "learner"
_SEED = 2**32  # of the deals: above the seeds of runs, and the same for all runs


class _Deals(TournamentConfig):
    """A tournament in few large shards: fast agents in one process, of which nothing is stored."""

    @property
    def deals_per_shard(self) -> int:
        """Number of deals in a shard; the last shard may have fewer."""
        return max(1, SHARD_GAMES // self.games_per_deal)


class Evaluator:
    """Plays the learner against `eval_opponent` in all other seats, always the same deals.

    Attributes:
        best: The highest win share so far, below 0 before the first evaluation.
        floor: The lower end of its interval. A newer policy that reaches it takes the place of the
            best one: the highest of many shares was lucky most of all.
        since_best: Evaluations since the best one.
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
        self.config = _Deals(
            game,
            settings.rules,
            tuple(sorted(set(settings.players))),
            (_NAME, name),
            settings.eval_deals,
            _SEED,
            format="field",
        )
        self.best = self.floor = -1.0
        self.since_best = 0
        self._max_no_improvement = settings.max_no_improvement_evals

    @property
    def should_stop(self) -> bool:
        """Whether there was no new best policy for `max_no_improvement_evals` evaluations."""
        return 0 < self._max_no_improvement <= self.since_best

    def evaluate(self, policy: Agent) -> Estimate:
        """Return the win share of a policy; each number of players counts alike."""
        share = estimate(self._play(policy), self.config.seed, SHARES)
        self.since_best += 1
        if share.mean > self.best:
            self.best, self.floor, self.since_best = share.mean, share.low, 0
        return share

    def _play(self, policy: Agent) -> Values:
        """Play all deals, and return the policy's win share in each, float64 (deals,)."""
        config, players = self.config, [Player(_NAME, policy), self.opponent]
        shards = [play_shard(config, number, players) for number in range(config.num_shards)]
        shares = []
        for place, num_players in enumerate(config.player_counts):
            seating = config.seatings(num_players, range(config.deals))
            won = np.concatenate([shard.results[place].outcomes.win_shares for shard in shards])
            added = contributions(won.reshape(seating.shape), seating == 0)
            shares.append(added.sum(axis=1))
        mean: Values = np.mean(shares, axis=0)
        return mean
