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
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..agents.features.description import FeatureSpec
from ..agents.value import ValueNetwork, ValueTarget, win_probabilities
from ..envs.engine.compile import PolicyFunction
from ..envs.engine.kernels import Masks, RawObservations, Rows
from ..envs.engine.settings import GameSettings
from ..envs.self_play import SelfPlayBatch
from .networks import ValueNet, copy_layers
from .tables import Tables

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
        opponents: int64 (tried,), the opponent of a single learner (see `Tables.members`).
    """

    rewards: NDArray[np.float32]
    running: NDArray[np.bool_]
    raw: RawObservations
    hands: RawObservations
    opponents: Rows


def roll_out(envs: Tables, choices: Choices, decisions: int, play: PlayFunction) -> RolloutResults:
    """Try actions in copies of the games.

    Args:
        envs: The games; they stay as they are.
        choices: Legal actions to try, at least one.
        decisions: The rollout is truncated at the player's decision of this number, counted from
            the one after the tried action.
        play: `play_base_policy(...)` or `play_as_seated(...)`.
    """
    results, first = [], 0
    for group in envs.groups:
        rows, actions = choices[first : first + group.batch.num_games].nonzero()
        first += group.batch.num_games
        if not len(rows):
            continue
        copies = group.copy(rows)
        seats = copies.batch.current_players.astype(np.int64)
        rewards, running = play(copies, actions, decisions)
        raw, _ = copies.batch.observe(seats)
        hands = copies.batch.hidden_hands(seats, others=envs.seats - 1)
        results.append(RolloutResults(rewards, running, raw, hands, copies.members))
    return RolloutResults._make(np.concatenate(column) for column in zip(*results, strict=True))


def play_base_policy(policy_function: PolicyFunction) -> PlayFunction:
    """Let one compiled policy decide for all players; the rewards are those of the game.

    All decisions of the player count, and a rollout may go beyond the end of a round.
    """

    def play(
        copies: SelfPlayBatch, actions: Rows, decisions: int
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        batch = copies.batch
        seats = batch.current_players.astype(np.int64)
        batch.step(actions)
        rewards = batch.rewards[batch.rows, seats]
        rewards += batch.play_until_turn(seats, decisions, policy_function)
        return rewards, ~batch.over

    return play


def play_as_seated(act: ActFunction, target: ValueTarget) -> PlayFunction:
    """Let everybody play on as in the games themselves: learners by `act`, opponents as they do.

    Only decisions with two or more legal actions count. A rollout ends with the round at the
    latest, whose reward is its value by `round_values`.
    """

    def play(
        copies: SelfPlayBatch, actions: Rows, decisions: int
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        batch, rows = copies.batch, copies.batch.rows
        seats, rounds = batch.current_players.astype(np.int64), batch.states["round_index"].copy()
        points = batch.points()
        batch.step(actions)
        copies.play_opponents(rows)
        left, playing = np.full(len(rows), decisions), rows
        while True:
            running = ~batch.over & (batch.states["round_index"] == rounds)
            playing = playing[running[playing]]
            players = batch.current_players[playing]
            raw, legal = batch.observe(players, playing)
            left[playing] -= (players == seats[playing]) & (legal.sum(axis=1) > 1)
            on = left[playing] > 0
            playing = playing[on]
            if not len(playing):
                break
            copies.step(act(raw[on], legal[on]), playing)
        scores, played = batch.points(), batch.states["round_index"]
        values = round_values(target, batch.settings, scores - points, scores, played, batch.over)
        return np.where(running, 0, values[rows, seats]).astype(np.float32), running

    return play


def round_values(
    target: ValueTarget,
    settings: GameSettings,
    points: NDArray[np.float64],
    scores: NDArray[np.float64],
    rounds_played: NDArray[np.integer[Any]],
    over: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Return the value of ended rounds to every seat, float64 (rounds, seats).

    Args:
        target: Combines the points of a round and the probability of winning the game.
        settings: Of the game; they tell how many rounds follow.
        points: (rounds, seats), in the round.
        scores: (rounds, seats), in the game so far, inf where nobody sits.
        rounds_played: (rounds,), rounds of the game so far.
        over: (rounds,), whether the game ended.
    """
    left = np.where(over, 0, settings.rounds_left(rounds_played))
    return target.worths(win_probabilities(scores, left, target.lead), points)


class RoundValues:
    """Values of rounds in the games of a run: by their scores once they ended, else by a critic.

    Attributes:
        critic: Values running rounds, by features of the state and the kind of opponent: the same
            state has another value among learners than among fixed opponents.
    """

    def __init__(
        self, envs: Tables, description: FeatureSpec, critic: ValueNet, target: ValueTarget
    ) -> None:
        self.envs, self.description, self.critic, self.target = envs, description, critic, target

    def encode(self, raw: RawObservations, hands: RawObservations, opponents: Rows) -> Tensor:
        """Return the critic's inputs, uint8 (rows, inputs), with the opponent's kind one-hot."""
        pool = self.envs.pool
        kinds = pool.kinds_of(opponents)[:, None] == np.arange(pool.kinds)
        features = self.description.describe_tables(raw, hands)
        inputs = np.concatenate([features, kinds.astype(np.uint8)], axis=1)
        return torch.from_numpy(inputs).to(self.critic.scale.device)

    @torch.no_grad()
    def values(self, inputs: Tensor) -> NDArray[np.float32]:
        """Return the critic's values, (rows,)."""
        values: NDArray[np.float32] = self.critic(inputs).cpu().numpy()
        return values

    def values_of(self, seat: int) -> NDArray[np.float32]:
        """Return the critic's values for one seat of every game, (envs,)."""
        envs = self.envs
        hands = envs.hidden_hands(seat)
        return self.values(self.encode(envs.observe_player(seat), hands, envs.members()))

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
        envs = self.envs
        rewards, ended = np.zeros((envs.count, envs.seats), np.float32), np.zeros_like(over)
        rows, points, scores, played = envs.scored
        settings = envs.groups[0].batch.settings
        rewards[rows] = round_values(self.target, settings, points, scores, played, over[rows])
        ended[rows] = True
        return rewards, ended

    def export_critic(self) -> ValueNetwork:
        """Return the critic for agents, who do not know their opponents.

        It values states as in games with the first fixed opponent, if there is any.
        """
        (weight, bias), *rest = copy_layers(self.critic.layers)
        size, kinds = self.description.state_spec.size, self.envs.pool.kinds
        bias += weight[:, size + min(1, kinds - 1)]
        return ValueNetwork([(weight[:, :size], bias), *rest], self.description, self.target)
