"""Policy iteration with short rollouts: moves are tried, and a network is fitted to their worths.

At some decisions of the learner, moves are played in copies of the true game. Everybody plays on
there as at the table, the learner as it does by now, until it has been to move a few times; then a
critic that is told of all hands, and of who sits there, says what the round will bring it. A
network that looks at one move at a time is fitted to the differences between the moves of a
decision: they were tried in the same deal, so much of the luck drops out. The learner takes the
best move by that: so tries become better as it does.

Trying moves out with the player at hand, again and again: Tesauro and Galperin, "On-line policy
improvement using Monte-Carlo search", NeurIPS 1996 (arXiv 2501.05407); Lagoudakis and Parr,
"Reinforcement learning as classification: leveraging modern classifiers", ICML 2003. Tries cut off
and judged: Scherrer et al., "Approximate modified policy iteration", ICML 2012 (arXiv 1205.3054).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..agents.features.spec import find_feature_spec
from ..agents.heuristics.catalog import find_base_policy
from ..agents.network import GREEDY_SCALE, ActionValueNetwork
from ..agents.value import MAX_BONUS, MIN_BONUS, ValueTarget
from ..envs.batch import derive_seeds
from ..envs.engine.protocol import Masks, RawObservations, Rows
from ..envs.engine.settings import fraction, whole
from ..envs.policy import ObservationBatch
from ..errors import SettingsError
from .advantages import TrajectoryBuffer
from .buffers import ActionValueBuffer
from .export import sharpened
from .networks import (
    ActionValueNet,
    DeviceSettings,
    TorchLearner,
    ValueNet,
    batches,
    descend,
    moving_average,
)
from .score_model import RoundValues
from .settings import check_list
from .tables import Tables

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_steps": 2_048,
        "tables": 64,
        "steps_per_table": 8,
        "adviser_steps": 512,
        "batch_size": 128,
        "remember": 1_024,
        "hidden": [16],
        "critic_hidden": [16],
    },
    "quick": {"total_steps": 4_000_000, "halve_every": 1_500_000, "adviser_steps": 1_000_000},
    # Mostly against the best scripted player; the others teach it what else there is.
    "long": {
        "total_steps": 41_250_000,  # later players win more, and pay for it in points
        "rivals": 24 * ["expert"]
        + ["random", "hoarder", "thief", "bluffer", "builder", "saver", "dealer"],
        "self_play": 0.01,
        "halve_every": 14_000_000,
        "checkpoint_every": 60,
        "adviser_steps": 5_000_000,
        "share": 0.3,
        "win_worth": 500.0,
        "hidden": [256, 128],
        "memory": 0.95,
        "critic_memory": 0.95,
    },
}


@dataclass(frozen=True, kw_only=True)
class RolloutSettings(DeviceSettings):
    """Settings of the rollouts beside those of every run.

    share: of the decisions made, in which moves are tried.
    moves: moves tried of a decision: the adviser's, one at random, and the best by now.
    turns: how often the learner is to choose, counted from the move tried, until the critic judges.
    adviser: the scripted player whose move is marked for the network.
    adviser_steps: for so long it plays for the learner, and the critic alone learns.
    win_worth: what winning the game is worth, in points. A move's worth is that times the chance of
        it by the scores, less what the round costs.
    lead: points of it that make a seat e times as likely to win (see `chances_by_score`).
    explore: chance of a decision of being made at random.
    learning_rate, critic_rate, halve_every: Adam's, of the policy and of the critic; they halve,
        smoothly, with so many steps (0: never).
    remember: tries that are learnt from, the newest; reuse: how often, on average.
    batch_size: tried decisions of a gradient step. max_grad_norm: at which gradients are cut.
    gae_lambda: of what the critic learns, from one's decision to one's next.
    memory, critic_memory: what player and judge, moving averages of the policy and of the critic,
        keep in each update. Without, the luck of the last steps is more than moves differ by.
    critic_hidden: widths of the critic's hidden layers.
    """

    tables: int = whole(4096)
    steps_per_table: int = whole(12)
    rivals: list[str] = field(default_factory=lambda: ["expert"])
    pool_size: int = whole(0, least=0)
    self_play: float = fraction(0.02)
    hidden: list[int] = field(default_factory=lambda: [96, 64])
    critic_hidden: list[int] = field(default_factory=lambda: [256, 128])
    share: float = fraction(0.5)
    moves: int = whole(5, least=2)
    turns: int = whole(1)
    adviser: str = "expert"
    adviser_steps: int = whole(3_000_000, least=0)
    win_worth: float = 200.0
    lead: float = 11.0
    explore: float = fraction(0.05)
    learning_rate: float = fraction(1e-3)
    critic_rate: float = fraction(1e-3)
    halve_every: int = whole(0, least=0)
    remember: int = whole(1_000_000)
    reuse: int = whole(4)
    batch_size: int = whole(2048)
    max_grad_norm: float = fraction(0.5)
    gae_lambda: float = fraction(0.95)
    memory: float = fraction(0.9)
    critic_memory: float = fraction(0.7)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_list("critic_hidden", self.critic_hidden, "widths")
        if not isinstance(self.adviser, str):
            raise SettingsError(f"adviser must be the name of a player, not {self.adviser!r}")
        for name, number in (("win_worth", self.win_worth), ("lead", self.lead)):
            if type(number) not in (int, float) or not MIN_BONUS <= number <= MAX_BONUS:
                raise SettingsError(
                    f"{name} must be from {MIN_BONUS} to {MAX_BONUS}, not {number!r}"
                )
        if self.remember < self.tables:
            raise SettingsError(f"remember must be at least {self.tables}, the number of tables")


class Weighed(NamedTuple):
    """The legal moves of some decisions, and what the player thinks that they are worth.

    worths: float32 (decisions, actions), -inf where illegal. advised: int64 (decisions,).
    """

    worths: NDArray[np.float32]
    advised: Rows


class Rollout(TorchLearner):
    """The network, its critic, their optimisers, and the newest tries."""

    PARTS = ("net", "optimizer", "average", "critic", "critic_optimizer", "judge")

    def __init__(self, tables: Tables, settings: RolloutSettings) -> None:
        super().__init__(tables, settings)
        # What moves differ by is much less than what they have in common: rounding would hide it.
        torch.set_float32_matmul_precision("highest")
        self.settings = settings
        self.adviser = find_base_policy(settings.adviser, tables.game)
        self.description = find_feature_spec(tables.game)
        self.net = ActionValueNet(self.description, settings.hidden).to(self.device)
        told = self.description.state_spec
        met = torch.ones(tables.pool.kinds)
        self.critic = ValueNet(told, settings.critic_hidden, met).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=settings.learning_rate)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=settings.critic_rate)
        self.average = moving_average(self.net, settings.memory, self.device)
        self.judge = moving_average(self.critic, settings.critic_memory, self.device)
        stakes = ValueTarget(settings.win_worth, settings.lead)
        self.rounds = RoundValues(tables, self.description, self._judging, stakes)
        width = self.description.action_spec.size
        self.tries = ActionValueBuffer(settings.remember, settings.moves, width, self.device)
        self._asked = 0  # decisions, for their luck

    def player(self) -> ActionValueNetwork:
        """The average policy; a thousandfold, its worths leave the softmax no choice."""
        return sharpened(self._policy.player(self.adviser, self.rounds.for_players()), GREEDY_SCALE)

    @property
    def _policy(self) -> ActionValueNet:
        policy: Any = self.average.module
        return cast(ActionValueNet, policy)

    @property
    def _judging(self) -> ValueNet:
        judge: Any = self.judge.module
        return cast(ValueNet, judge)

    def update(self) -> dict[str, float]:
        """Play on at all tables, try some decisions' moves, and learn from the newest tries."""
        before = self.tries.seen
        positions, returns = self._roll_out()
        self._steps += len(returns)
        settings = self.settings
        self.set_rate(self.optimizer, settings.learning_rate, settings.halve_every)
        self.set_rate(self.critic_optimizer, settings.critic_rate, settings.halve_every)
        figures = {
            "loss/worth": self._learn(settings.reuse * (self.tries.seen - before)),
            "loss/value": self._learn_to_judge(positions, returns),
        }
        self.average.update_parameters(self.net)
        self.judge.update_parameters(self.critic)
        return figures

    def _roll_out(self) -> tuple[Tensor, Tensor]:
        """Play some decisions at every table; what the critic saw, and should have said."""
        tables, steps = self.tables, self.settings.steps_per_table
        track, seen = TrajectoryBuffer(steps, tables.count, tables.seats), []
        for step in range(steps):
            raw, legal = tables.observe()
            told = self.rounds.tell(raw, tables.hidden_hands(), tables.members())
            seen.append(told)
            track.decide(step, tables.current_players, self.rounds.judge(told))
            tables.step(self._play(raw, legal))
            track.earn(step, *self.rounds.scored())
        last = np.stack([self.rounds.judge_seat(seat) for seat in range(tables.seats)], axis=1)
        advantages = track.advantages(last, 1.0, self.settings.gae_lambda)
        return torch.cat(seen), self.to_device((advantages + track.values).ravel())

    def _play(self, raw: RawObservations, legal: Masks) -> Rows:
        """The adviser's moves at first, then the best, after some were tried; now and then any."""
        if self.steps >= self.settings.adviser_steps:
            weighed = self._weigh(raw, legal)
            self._try(raw, legal, weighed)
            best: Rows = weighed.worths.argmax(axis=1)
        else:
            best = self._advise(raw, legal)
        at_random = self._draw(len(best)) < self.settings.explore
        return np.where(at_random, self._noise(legal).argmax(axis=1), best)

    def _try(self, raw: RawObservations, legal: Masks, weighed: Weighed) -> None:
        """Try moves of some decisions in which there is a choice, and note them."""
        rows = np.flatnonzero(
            (legal.sum(axis=1) > 1) & (self._draw(len(legal)) < self.settings.share)
        )
        if not len(rows):
            return
        some = Weighed(weighed.worths[rows], weighed.advised[rows])
        choices = np.zeros(legal.shape, np.bool_)
        choices[rows] = self._pick(some, legal[rows])
        turns, lead = self.settings.turns, self.settings.lead
        led = self.tables.roll_out_rounds(choices, self._decide, turns, lead)
        worths = self.rounds.worths_of(led)
        picked = choices[rows].astype(np.int8)
        moves = self.description.action_features(raw[rows], picked, some.advised)
        place = np.arange(len(moves.rows)) - np.searchsorted(moves.rows, moves.rows)
        self.tries.add(moves.rows, place, self.to_device(moves.numbers), self.to_device(worths))

    def _pick(self, weighed: Weighed, legal: Masks) -> NDArray[np.bool_]:
        """Which moves are tried: the adviser's, one at random, and the best beside them."""
        rows, wish = np.arange(len(legal)), weighed.worths.copy()
        wish[rows, self._noise(legal).argmax(axis=1)] = np.inf
        wish[rows, weighed.advised] = np.inf
        picked = np.zeros(legal.shape, np.bool_)
        picked[rows[:, None], np.argsort(-wish, axis=1)[:, : self.settings.moves]] = True
        picked &= legal == 1
        return picked

    def _draw(self, count: int) -> NDArray[np.float32]:
        """So many random numbers from 0 to below 1."""
        draws: NDArray[np.float32] = (
            torch.rand(count, generator=self.rng, device=self.device).cpu().numpy()
        )
        return draws

    def _noise(self, legal: Masks) -> NDArray[np.float32]:
        """Random numbers above 0, at most 1, for legal actions, 0 for others."""
        return (1 - self._draw(legal.size)).reshape(legal.shape) * legal

    def _advise(self, raw: RawObservations, legal: Masks) -> Rows:
        """The adviser's moves, int64 (rows,)."""
        random_bits = derive_seeds(self.settings.seed, len(raw), self._asked)
        self._asked += len(raw)
        return self.adviser.policy.act(ObservationBatch(self.tables.game, raw, legal, random_bits))

    @torch.no_grad()
    def _weigh(self, raw: RawObservations, legal: Masks) -> Weighed:
        advised = self._advise(raw, legal)
        moves = self.description.action_features(raw, legal, advised)
        worths = np.full(legal.shape, -np.inf, np.float32)
        numbers = self.to_device(moves.numbers)
        worths[moves.rows, moves.actions] = self._policy(numbers).cpu().numpy()
        return Weighed(worths, advised)

    def _decide(self, raw: RawObservations, legal: Masks) -> Rows:
        """The best moves by now, int64 (rows,)."""
        best: Rows = self._weigh(raw, legal).worths.argmax(axis=1)
        return best

    def _learn(self, count: int) -> float:
        """Go through so many of the tries remembered, in batches; returns the mean loss."""
        losses, settings = [], self.settings
        for _ in range(count // settings.batch_size):
            places = self.tries.draw(settings.batch_size, self.rng)
            columns = self.tries.numbers, self.tries.tried, self.tries.worths
            loss = self._error(*(column[places] for column in columns))
            descend(loss, self.net, self.optimizer, settings.max_grad_norm)
            losses.append(float(loss.detach()))
        return float(np.mean(losses)) if losses else 0.0

    def _error(self, numbers: Tensor, tried: Tensor, worths: Tensor) -> Tensor:
        """The mean square of what the differences between a decision's moves are wrong by."""
        wrong = (self.net(numbers) - worths) * tried
        shared = wrong.sum(dim=1, keepdim=True) / tried.sum(dim=1, keepdim=True)
        error: Tensor = ((wrong - shared) * tried).square().sum() / tried.sum()
        return error

    def _learn_to_judge(self, positions: Tensor, returns: Tensor) -> float:
        """Go through what the critic saw, once; returns the mean loss."""
        losses = []
        for rows in batches(len(returns), self.settings.batch_size, self.rng):
            loss = (self.critic(positions[rows]) - returns[rows]).square().mean()
            descend(loss, self.critic, self.critic_optimizer, self.settings.max_grad_norm)
            losses.append(float(loss.detach()))
        return float(np.mean(losses))

    def state(self) -> dict[str, Any]:
        """All that `restore` needs, the tries among it."""
        return super().state() | {"tries": self.tries.state(), "asked": self._asked}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on exactly where `state` was asked for."""
        super().restore(state)
        self.tries.restore(state["tries"])
        self._asked = state["asked"]
