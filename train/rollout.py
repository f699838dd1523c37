"""Rollout policy iteration (RPI): a network is fitted to what actions turn out to be worth.

In some decisions of the learner, actions are played in copies of the true game, up to a later turn
of the learner, where a critic that sees all hands takes over (see train/truncated_rollouts.py). A
network that values one action at a time, by what its player sees and by what the action changes, is
fitted to the differences between the actions of a decision. The learner takes the best action by
that network, so games get better as it does, and in long runs rollouts, too. First a scripted base
policy decides; its action is marked in the features.

Rollouts with the policy itself, again and again: Tesauro and Galperin, "On-line policy improvement
using Monte-Carlo search", NeurIPS 1996 (arXiv 2501.05407); Lagoudakis and Parr, "Reinforcement
learning as classification: leveraging modern classifiers", ICML 2003. Truncated rollouts and a
critic: Scherrer et al., "Approximate modified policy iteration", ICML 2012 (arXiv 1205.3054).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.optim.swa_utils import AveragedModel

from ..agents.ensemble import PlayerCountEnsemble
from ..agents.heuristics.catalog import find_base_policy
from ..agents.network import CHUNK, ActionValueNetwork
from ..agents.registry import load_agent
from ..agents.value import UNKNOWN, ValueNetwork, ValueTarget, critic_inputs, critic_spec
from ..envs.batch import derive_seeds
from ..envs.engine.preview import BASE_ACTION, ActionFeatures, action_spec, state_spec
from ..envs.engine.protocol import Masks, RawObservations, Rows
from ..envs.policy import ObservationBatch, observation_batch
from ..envs.self_play import SelfPlayBatch
from ..errors import SettingsError
from .buffers import ActionValueBuffer, TrajectoryBuffer, TriedActions
from .figures import explained_variance
from .margin import MARGINS, Margin, gains_of
from .networks import TorchLearner, gradient_step, minibatches
from .rollout_settings import RolloutSettings
from .self_play import SelfPlayEnvs
from .sparse import SparseNet
from .truncated_rollouts import Standing, count_rounds, roll_out

CRITIC_BATCH = 512
HIDDEN_KINDS = 0.2  # of the critic's samples in which who sits in a seat is unknown


class Samples(NamedTuple):
    """What is learnt from in an update.

    Attributes:
        inputs: The critic's inputs, uint8 (samples, inputs).
        advantages: Returns minus its values, (samples,).
        returns: Its targets, (samples,).
        tried: Values of actions.
        gains: What margins gained in them, (tries, margins), see train/margin.py.
    """

    inputs: Tensor
    advantages: Tensor
    returns: Tensor
    tried: tuple[TriedActions, ...]
    gains: Tensor


class Decisions(NamedTuple):
    """Some decisions with a choice, and what the network says of their legal actions.

    Attributes:
        places: Which decisions they are, int64 (decisions,).
        masks: int8 (decisions, actions).
        base_actions: The base policy's, int64 (decisions,).
        states: Features of the states, uint8 (decisions, inputs).
        actions: Features of the actions; the base policy's is marked unless `no_advice` is 1.
        values: Of the actions, float32 (actions,).
    """

    places: Rows
    masks: Masks
    base_actions: Rows
    states: RawObservations
    actions: ActionFeatures
    values: NDArray[np.float32]

    def table(self) -> NDArray[np.float32]:
        """Return the values of all actions, float32 (decisions, actions), -inf if illegal."""
        values = np.full(self.masks.shape, -np.inf, np.float32)
        values[self.actions.rows, self.actions.actions] = self.values
        return values


class Rollout(TorchLearner):
    """Network and critic, their optimisers and moving averages, and the newest action values.

    It plays on in a thread while it learns from what was played before.
    """

    STATEFUL = (
        *("net", "optimizer", "average", "critic", "critic_optimizer", "critic_average"),
        "margin",
    )

    def __init__(self, envs: SelfPlayEnvs, settings: RolloutSettings) -> None:
        super().__init__(envs, settings)
        game, self.settings = envs.game, settings
        self.base_policy = find_base_policy(settings.base_policy, game)
        self.target = ValueTarget(settings.win_bonus, settings.score_temperature)
        scale = state_spec(game).scale
        self.net = SparseNet(scale, settings.hidden, action_spec(game).scale)
        self.critic = SparseNet(critic_spec(game).scale, settings.critic_hidden)
        self.margin = Margin(settings.margin, is_zero=not settings.margin)
        if settings.initial_policy:
            self._start_from(settings.initial_policy)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=settings.learning_rate)
        self.critic_optimizer = torch.optim.Adam(
            self.critic.parameters(), lr=settings.critic_learning_rate
        )
        self.average = moving_average(self.net, settings.ema_decay)
        self.critic_average = moving_average(self.critic, settings.critic_ema_decay)
        self.learn_rng = torch.Generator().manual_seed(settings.seed + 1)
        actions, inputs = settings.rollout_actions, len(scale)
        self.buffer = ActionValueBuffer(settings.buffer_size, actions, inputs)
        self._base_decisions = 0  # decisions of the base policy, for its random bits
        self._played: Samples | None = None  # what the next update learns from
        self._publish()

    def _start_from(self, name: str) -> None:
        agent = load_agent(name, self.envs.game)
        if isinstance(agent, PlayerCountEnsemble):
            agent = agent.for_num_players(max(self.settings.players))
        if not isinstance(agent, ActionValueNetwork):
            raise SettingsError("initial_policy must be an agent that `rollout` trained")
        self.net.load_layers(agent.layers)
        if self.settings.margin:
            self.margin = Margin(agent.margin)
        if agent.critic:
            self.critic.load_layers(agent.critic.layers)

    def _publish(self) -> None:
        """Let the moving averages decide and value from now on."""
        game, settings = self.envs.game, self.settings
        critic = cast(SparseNet, self.critic_average.module).export()
        self.values = ValueNetwork(critic, game, self.target)
        self.policy = ActionValueNetwork(
            cast(SparseNet, self.average.module).export(),
            self.base_policy,
            game,
            self.values,
            margin=float(self.margin.value),
            advice=settings.no_advice < 1,
        )

    def export(self) -> ActionValueNetwork:
        """Return the averaged policy, with the averaged critic."""
        return self.policy

    def update(self) -> dict[str, float]:
        """Learn from what was played, and meanwhile play on in all games."""
        played = self._played or self.collect()
        timesteps = self.num_timesteps + len(played.returns)
        with ThreadPoolExecutor(1) as thread:
            playing = thread.submit(self._play_on, timesteps)
            figures = self._fit(played)
            self._played = playing.result()
        self._publish()
        return figures

    def learn(self, samples: Samples) -> dict[str, float]:
        """Learn from what was played and tried."""
        figures = self._fit(samples)
        self._publish()
        return figures

    def collect(self) -> Samples:
        """Play `n_steps` decisions in every game, and try actions."""
        return self._play_on(self.num_timesteps)

    # --- Playing ------------------------------------------------------------

    def _play_on(self, timesteps: int) -> Samples:
        """Collect, after so many timesteps."""
        envs, settings, rows = self.envs, self.settings, self.envs.rows
        trajectories = TrajectoryBuffer(settings.n_steps, envs.num_games, envs.max_players)
        columns, tries, no_gain = [], [], np.zeros(1 + len(MARGINS), np.float32)
        for step in range(settings.n_steps):
            raw, legal = envs.observe()
            seats = envs.current_players
            columns.append(self._critic_inputs(envs, rows, seats, HIDDEN_KINDS))
            trajectories.add_decisions(step, seats, self.values.values(columns[-1]))
            has_choice, by_base = legal.sum(axis=1) > 1, timesteps < settings.base_policy_timesteps
            decisions = list(self._decisions(envs, rows, has_choice))
            is_tried = has_choice & (self._random(len(rows)) < settings.rollout_fraction)
            for part in decisions:
                is_tried[part.places] |= part.table().argmax(axis=1) != part.base_actions
            if timesteps >= settings.critic_timesteps and is_tried.any():
                tries.append(self._try(decisions, is_tried, timesteps))
            actions = self._base_actions(raw, legal) if by_base else self._best(decisions, legal)
            explores = self._random(len(rows)) < settings.epsilon
            actions = np.where(explores, self._noise(legal).argmax(axis=1), actions)
            before = Standing.of(envs, self.target)
            _, over = envs.step(actions)
            trajectories.add_rewards(step, *self._last_rewards(before, over))
        advantages, returns = trajectories.compute(self._seat_values, 1.0, settings.gae_lambda)
        gains = np.stack([no_gain, *(gained for _, gained in tries)])
        arrays = np.concatenate(columns), advantages, returns, gains
        inputs, *numbers, of_margins = map(torch.from_numpy, arrays)
        return Samples(inputs, numbers[0], numbers[1], tuple(each for each, _ in tries), of_margins)

    def _last_rewards(
        self, before: Standing, over: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the values of the rounds that the last step ended, and where it ended one."""
        rounds = self.envs.ended_rounds
        left = np.where(over, 0, count_rounds(self.envs))[rounds.rows]
        rewards = np.zeros((len(over), self.envs.max_players), np.float32)
        after = Standing(rounds.totals, left, self.target)
        rewards[rounds.rows] = after.since(before, rounds.rows)
        return rewards, np.bincount(rounds.rows, minlength=len(over)) > 0

    def _choose(
        self, games: SelfPlayBatch, rows: Rows, raw: RawObservations, legal: Masks, by_base: bool
    ) -> Rows:
        """Return the base policy's actions or the learner's best ones."""
        if by_base:
            return self._base_actions(raw, legal)
        return self._best(self._decisions(games, rows, legal.sum(axis=1) > 1), legal)

    def _best(self, decisions: Iterable[Decisions], legal: Masks) -> Rows:
        """Return the best actions by the network, int64 (rows,), or the only ones.

        Args:
            decisions: Those with a choice.
            legal: int8 (rows, actions), of all.
        """
        actions: Rows = legal.argmax(axis=1)
        for part in decisions:
            values = part.table()
            if self.policy.advice:
                values[np.arange(len(values)), part.base_actions] += np.float32(self.policy.margin)
            actions[part.places] = values.argmax(axis=1)
        return actions

    def _decisions(
        self, games: SelfPlayBatch, rows: Rows, wanted: NDArray[np.bool_]
    ) -> Iterator[Decisions]:
        """Yield what the network says of the decisions in some rows where `wanted`, in parts."""
        wanted_places, policy = np.flatnonzero(wanted), self.policy
        for batch, own, local in games.parts(rows[wanted_places]):
            for first in range(0, len(local), CHUNK):
                part = slice(first, first + CHUNK)
                bits = self._base_bits(len(local[part]))
                observed = observation_batch(batch, local[part], bits, True)
                base_actions = self.base_policy.policy.act(observed)
                marked = base_actions if policy.advice else np.full_like(base_actions, -1)
                features = policy.features(observed, marked)
                places, values = wanted_places[own][part], policy.values(*features)
                yield Decisions(places, observed.masks, base_actions, *features, values)

    def _base_actions(self, raw: RawObservations, legal: Masks) -> Rows:
        """Return the base policy's actions, int64 (rows,)."""
        batch = ObservationBatch(self.envs.game, raw, legal, self._base_bits(len(raw)))
        return self.base_policy.policy.act(batch)

    def _base_bits(self, count: int) -> NDArray[np.uint64]:
        """Return random bits for decisions of the base policy."""
        self._base_decisions += count
        return derive_seeds(self._seed, count, self._base_decisions - count)

    # --- Trying actions -----------------------------------------------------

    def _try(
        self, decisions: Sequence[Decisions], is_tried: NDArray[np.bool_], timesteps: int
    ) -> tuple[TriedActions, NDArray[np.float32]]:
        """Try actions of the decisions where `is_tried`; the second are what margins gained."""
        choices = np.zeros((len(is_tried), len(self.envs.game.actions)), np.bool_)
        tried = [self._features(part, is_tried, choices) for part in decisions]
        choose = partial(self._choose, by_base=timesteps < self.settings.base_rollout_timesteps)
        turns, of_each = self.settings.rollout_turns, is_tried.cumsum()[choices.nonzero()[0]] - 1
        values = roll_out(self.envs, choices, turns, self.target, choose, self._values)
        joined = map(np.concatenate, zip(*tried, strict=True))
        seen, sizes, places, numbers, predicted, is_marked = joined
        columns = seen, of_each, values, sizes, places.view(np.int16), numbers
        gains = gains_of(of_each, predicted, is_marked, values)
        return TriedActions(*map(torch.from_numpy, columns)), gains

    def _features(
        self, decisions: Decisions, is_tried: NDArray[np.bool_], choices: NDArray[np.bool_]
    ) -> tuple[NDArray[Any], ...]:
        """Choose which actions are tried, and return the features of states and of these actions.

        Args:
            decisions: Some decisions.
            is_tried: In which of all decisions actions are tried, bool.
            choices: Of all decisions; written, bool (all, actions).

        Returns:
            Of the states, uint8 (decisions, inputs); how many numbers of each tried action are not
            zero, int64, which these are, uint16, and the numbers, int16; the actions' values by the
            network, float32, and whether it saw that they are the base policy's, bool. In a part
            `no_advice` of the decisions, the features that are returned do not say so.
        """
        own, actions = np.flatnonzero(is_tried[decisions.places]), decisions.actions
        each, preference = np.arange(len(own)), decisions.table()[own]
        preference[each, self._noise(decisions.masks[own]).argmax(axis=1)] = np.inf
        preference[each, decisions.base_actions[own]] = np.inf
        best = np.argsort(-preference, axis=1)[:, : self.settings.rollout_actions]
        chosen = np.zeros(decisions.masks.shape, np.bool_)
        chosen[own[:, None], best] = True
        chosen &= decisions.masks == 1
        choices[decisions.places[own]] = chosen[own]
        blank = self._random(len(chosen)) < self.settings.no_advice
        is_marked = (actions.actions == decisions.base_actions[actions.rows]) & self.policy.advice
        sizes, kept = np.diff(actions.starts), chosen[actions.rows, actions.actions]
        unmarked = is_marked & blank[actions.rows]
        stays = np.repeat(kept, sizes)
        stays &= (actions.places != BASE_ACTION) | ~np.repeat(unmarked, sizes)
        features = decisions.states[own], (sizes - unmarked)[kept]
        numbers = actions.places[stays], actions.numbers[stays]
        return *features, *numbers, decisions.values[kept], is_marked[kept]

    def _values(self, games: SelfPlayBatch, rows: Rows, seats: Rows) -> NDArray[np.float32]:
        """Return the critic's values of some rows to one seat of each, float32 (rows,)."""
        return self.values.values(self._critic_inputs(games, rows, seats))

    def _seat_values(self, seat: int) -> NDArray[np.float32]:
        """Return the critic's values of all games to one seat, float32 (games,)."""
        return self._values(self.envs, self.envs.rows, self.envs.seats_of(seat))

    def _critic_inputs(
        self, games: SelfPlayBatch, rows: Rows, seats: Rows, hidden: float = 0.0
    ) -> RawObservations:
        """Return the critic's inputs; a part `hidden` of the kinds of opponents is unknown."""
        kinds = np.minimum(self.envs.pool.kinds_of(games.seating[rows]), UNKNOWN - 1)
        if hidden:
            drawn = self._random(kinds.size).reshape(kinds.shape) < hidden
            kinds = np.where(drawn, UNKNOWN, kinds)
        inputs = np.empty((len(rows), critic_spec(games.game).size), np.uint8)
        for batch, own, local in games.parts(rows):
            inputs[own] = critic_inputs(games.game, batch.states, local, seats[own], kinds[own])
        return inputs

    def _random(self, count: int) -> NDArray[np.float32]:
        """Return random numbers from 0 to below 1."""
        numbers: NDArray[np.float32] = torch.rand(count, generator=self.rng).numpy()
        return numbers

    def _noise(self, legal: Masks) -> NDArray[np.float32]:
        """Return random numbers above 0, at most 1, for legal actions, 0 for others."""
        return (1 - self._random(legal.size)).reshape(legal.shape) * legal

    # --- Learning -----------------------------------------------------------

    def _fit(self, samples: Samples) -> dict[str, float]:
        """Fit network and critic, and return the figures of the update."""
        inputs, advantages, returns, tried, gains = samples
        before, settings = self.buffer.added, self.settings
        for decisions in tried:
            self.buffer.add(decisions)
        self.num_timesteps += len(returns)
        half_life = settings.lr_half_life_timesteps
        self.decay(self.optimizer, settings.learning_rate, half_life)
        self.decay(self.critic_optimizer, settings.critic_learning_rate, half_life)
        value_loss = self._fit_critic(inputs.numpy(), returns)
        self.critic_average.update_parameters(self.critic)
        figures = {"train/loss": value_loss, "train/value_loss": value_loss}
        figures |= explained_variance(advantages, returns)
        if self.buffer.added > before:
            loss = self._fit_values(settings.replay_ratio * (self.buffer.added - before))
            self.average.update_parameters(self.net)
            figures |= {"train/loss": value_loss + loss, "train/action_value_loss": loss}
            figures |= self.margin.update(gains)
        return figures

    def _fit_values(self, count: int) -> float:
        """Learn from `count` of the tried decisions, in batches; return the mean loss."""
        losses, settings = [], self.settings
        for _ in range(max(1, count // settings.batch_size)):
            raw, actions, values = self.buffer.sample(settings.batch_size, self.learn_rng)
            errors = self.net(raw, actions) - torch.from_numpy(values)
            loss = centred_loss(errors, torch.from_numpy(actions.rows), len(raw))
            gradient_step(loss, self.net, self.optimizer, settings.max_grad_norm)
            losses.append(float(loss.detach()))
        return float(np.mean(losses))

    def _fit_critic(self, inputs: RawObservations, returns: Tensor) -> float:
        """Fit the critic to the returns once; return the mean loss."""
        losses, settings = [], self.settings
        for rows in minibatches(len(returns), CRITIC_BATCH, self.learn_rng):
            loss = (self.critic(inputs[rows.numpy()]) - returns[rows]).square().mean()
            gradient_step(loss, self.critic, self.critic_optimizer, settings.max_grad_norm)
            losses.append(float(loss.detach()))
        return float(np.mean(losses))

    # --- State --------------------------------------------------------------

    def load_weights(self, weights: Mapping[str, Mapping[str, Tensor]]) -> None:
        """Take the weights of another learner."""
        super().load_weights(weights)
        self._publish()

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs."""
        played = None
        if self._played:
            tried = [part._asdict() for part in self._played.tried]
            played = self._played._asdict() | {"tried": tried}
        own = {"buffer": self.buffer.state(), "played": played}
        return super().state() | own | {"learn_rng": self.learn_rng.get_state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue exactly where `state` was called."""
        super().restore(state)
        self.buffer.restore(state["buffer"])
        self.learn_rng.set_state(state["learn_rng"])
        if played := state["played"]:
            tried = tuple(TriedActions(**part) for part in played["tried"])
            self._played = Samples(**played | {"tried": tried})
        self._publish()

    def games_state(self) -> dict[str, Any]:
        """Return the part of `state` that playing changes."""
        return super().games_state() | {"base_decisions": self._base_decisions}

    def restore_games(self, state: dict[str, Any]) -> None:
        """Play on exactly where `games_state` was called."""
        super().restore_games(state)
        self._base_decisions = state["base_decisions"]


def centred_loss(errors: Tensor, rows: Tensor, decisions: int) -> Tensor:
    """Return the mean squared error of differences between the actions of a decision.

    Errors e_a are centred within the decision: E[(e_a - mean_b e_b)^2].

    Args:
        errors: Of each action, (actions,).
        rows: Its decision, int64 (actions,).
        decisions: How many there are.
    """
    sums = torch.zeros(decisions).index_add(0, rows, errors)
    counts = torch.bincount(rows, minlength=decisions)
    return (errors - (sums / counts)[rows]).square().mean()


def moving_average(net: SparseNet, decay: float) -> AveragedModel:
    """Return an exponential moving average, which forgets its first weights faster.

    The first update copies the weights; the n-th keeps at most (n - 1) / (n + 5) of the average.
    """

    def mix(average: Tensor, weights: Tensor, updates: Tensor | int) -> Tensor:
        kept = min(decay, int(updates) / (int(updates) + 6))
        return kept * average + (1 - kept) * weights

    return AveragedModel(net, avg_fn=mix)
