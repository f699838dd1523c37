"""Truncated rollouts for rollout policy iteration (RPI): actions are tried in copies of games.

Where learners decide, actions are played in copies of the true games. Play goes on there until the
seat that tried the action is to decide again for the n-th time; then a critic takes over. All
actions of a decision are tried in the same deal, so much of the noise is common to them.

Two ways of playing on can be given to `roll_out`: `play_base_policy` (used by `lookahead`) and
`play_as_seated` (used by `rollout`).

Rollouts with a given policy: Tesauro and Galperin, "On-line policy improvement using Monte-Carlo
search", NeurIPS 1996 (arXiv 2501.05407). Truncated ones: Scherrer et al., "Approximate modified
policy iteration", ICML 2012 (arXiv 1205.3054).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..agents.features.spec import FeatureSpec
from ..agents.value import ValueNetwork, ValueTarget, win_probabilities
from ..envs.engine.compile import PolicyFunction
from ..envs.engine.protocol import Masks, RawObservations, Rows
from ..envs.self_play import SelfPlayBatch
from .networks import ValueNet, copy_layers
from .self_play import SelfPlayEnvs

Choices = NDArray[np.bool_]  # (envs, actions): the actions of each current player that are tried
ActFunction = Callable[[RawObservations, Masks], Rows]  # returns legal actions

# Plays the given actions in copies of games, and goes on until the players who took them are to
# decide for the n-th time. Returns their rewards, float32 (copies,), and where play could go on.
PlayFunction = Callable[[SelfPlayBatch, Rows, int], tuple[NDArray[np.float32], NDArray[np.bool_]]]


class RolloutResults(NamedTuple):
    """Results of the tried actions, in the order of `choices.nonzero()`.

    Attributes:
        rewards: float32 (tried,), rewards of the player who tried the action.
        running: bool (tried,), where the rollout was truncated: a critic is to add what follows.
        raw: uint8 (tried, inputs), that player's observations at the end of the rollout.
        hands: uint8 (tried, others, size), the other hands then (see `Batch.hidden_hands`).
        opponents: int64 (tried,), the opponent of a single learner, or LEARNER where all learn.
    """

    rewards: NDArray[np.float32]
    running: NDArray[np.bool_]
    raw: RawObservations
    hands: RawObservations
    opponents: Rows


def roll_out(
    envs: SelfPlayEnvs, choices: Choices, decisions: int, play: PlayFunction
) -> RolloutResults:
    """Try actions in copies of the games.

    Args:
        envs: The games; they stay as they are.
        choices: Legal actions to try, at least one.
        decisions: The rollout is truncated at the player's decision of this number, counted from
            the one after the tried action.
        play: `play_base_policy(...)` or `play_as_seated(...)`.
    """
    rows, actions = choices.nonzero()
    copies = envs.copy(rows)
    seats = copies.current_players
    rewards, running = play(copies, actions, decisions)
    raw, _ = copies.observe(seats=seats)
    hands = copies.hidden_hands(seats=seats)
    return RolloutResults(rewards, running, raw, hands, copies.single_opponents)


def play_base_policy(policy_function: PolicyFunction) -> PlayFunction:
    """Return a `PlayFunction`: one compiled policy decides for all; rewards are the game's.

    All decisions of the player count, and a rollout may go beyond the end of a round.
    """

    def play(
        copies: SelfPlayBatch, actions: Rows, decisions: int
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        rewards, first = [], 0
        for batch in copies.batches:
            seats = batch.current_players.astype(np.int64)
            batch.step(actions[first : first + batch.num_games])
            immediate = batch.rewards[batch.rows, seats]
            rewards.append(immediate + batch.play_until_turn(seats, decisions, policy_function))
            first += batch.num_games
        return np.concatenate(rewards), ~copies.over

    return play


def play_as_seated(act: ActFunction, target: ValueTarget, features: FeatureSpec) -> PlayFunction:
    """Return a `PlayFunction`: learners play on by `act`, opponents as in the games themselves.

    Only decisions with two or more legal actions count. A rollout ends with the round at the
    latest, whose reward is then its value by the scores.
    """

    def play(
        copies: SelfPlayBatch, actions: Rows, decisions: int
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        playing = rows = np.arange(copies.num_games)
        seats, rounds = copies.current_players, copies.column("round_index")
        before = copies.points(rows)[rows, seats]
        copies.advance(actions, rows)
        left = np.full(len(rows), decisions)
        while True:
            running = ~copies.over & (copies.column("round_index") == rounds)
            playing = playing[running[playing]]
            if not len(playing):
                break
            raw, legal = copies.observe(playing)
            own = copies.current_players[playing] == seats[playing]
            left[playing] -= own & (legal.sum(axis=1) > 1)
            on = left[playing] > 0
            playing = playing[on]
            if len(playing):
                copies.advance(act(raw[on], legal[on]), playing)
        points, still = copies.points(rows), rounds_left(copies, features, copies.over)
        chances = win_probabilities(points, still, target.score_temperature)
        values = target.values(chances[rows, seats], points[rows, seats] - before)
        return np.where(running, 0, values).astype(np.float32), running

    return play


def rounds_left(
    envs: SelfPlayBatch, features: FeatureSpec, over: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return how many rounds follow in each game, (games,); none where it is over."""
    left = [features.rounds_left(batch.states) for batch in envs.batches]
    return np.where(over, 0, np.concatenate(left))


class RoundValues:
    """Values of rounds in the games of a run: by the scores once they ended, else by a critic.

    Attributes:
        critic: Values running rounds, by features of the state and the kind of opponent: the same
            state has another value among learners than among fixed opponents.
    """

    def __init__(
        self, envs: SelfPlayEnvs, features: FeatureSpec, critic: ValueNet, target: ValueTarget
    ) -> None:
        self.envs, self.features, self.critic, self.target = envs, features, critic, target

    def encode(self, raw: RawObservations, hands: RawObservations, opponents: Rows) -> Tensor:
        """Return the critic's inputs, uint8 (rows, inputs), with the opponent's kind one-hot."""
        pool = self.envs.pool
        kinds = pool.kinds_of(opponents)[:, None] == np.arange(pool.kinds)
        features = self.features.state_features(raw, hands)
        inputs = np.concatenate([features, kinds.astype(np.uint8)], axis=1)
        return torch.from_numpy(inputs).to(self.critic.scale.device)

    @torch.no_grad()
    def values(self, inputs: Tensor) -> NDArray[np.float32]:
        """Return the critic's values, (rows,)."""
        values: NDArray[np.float32] = self.critic(inputs).cpu().numpy()
        return values

    def values_of(self, seat: int) -> NDArray[np.float32]:
        """Return the critic's values for one seat of every game, (envs,)."""
        return self.values(self.encode(*self.envs.seats_seen(seat), self.envs.single_opponents))

    def rollout_values(self, results: RolloutResults) -> NDArray[np.float32]:
        """Return the values of tried actions, (tried,)."""
        values, on = results.rewards.copy(), results.running
        if on.any():
            state = results.raw[on], results.hands[on], results.opponents[on]
            values[on] = self.values(self.encode(*state))
        return values

    def last_rewards(
        self, over: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the values of the rounds that the last step ended, and where it ended one.

        Args:
            over: (envs,), which games the step ended.

        Returns:
            float32 (envs, seats), 0 where no round ended, and bool (envs,).
        """
        rows, points, totals, _ = self.envs.ended_rounds
        rewards = np.zeros((len(over), self.envs.max_players), np.float32)
        left = rounds_left(self.envs, self.features, over)[rows]
        chances = win_probabilities(totals, left, self.target.score_temperature)
        rewards[rows] = self.target.values(chances, points)
        ended = np.zeros_like(over)
        ended[rows] = True
        return rewards, ended

    def export_critic(self) -> ValueNetwork:
        """Return the critic for agents, who do not know their opponents.

        It values states as in games with the first fixed opponent, if there is any.
        """
        (weight, bias), *rest = copy_layers(self.critic.layers)
        size, kinds = self.features.state_spec.size, self.envs.pool.kinds
        bias += weight[:, size + min(1, kinds - 1)]
        return ValueNetwork([(weight[:, :size], bias), *rest], self.features, self.target)
