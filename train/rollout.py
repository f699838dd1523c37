"""Policy iteration with rollouts: moves are tried to the round's end, and a network is fitted.

At some decisions of the learner, moves are played in copies of the true game. Everybody plays on
there as at the table, the learner as it does by now, until the round is over; what that brought is
the move's worth. A network that looks at one move at a time is fitted to the differences between
the moves of a decision: they were tried in the same deal, so much of the luck drops out. The
learner takes the best move by that, from its first game on: so tries become better as it does.

Trying moves out with the player at hand, again and again: Tesauro and Galperin, "On-line policy
improvement using Monte-Carlo search", NeurIPS 1996 (arXiv 2501.05407); Lagoudakis and Parr,
"Reinforcement learning as classification: leveraging modern classifiers", ICML 2003.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from goldgriff.agents.descriptions import find_description
from goldgriff.agents.network import MoveNetwork
from goldgriff.agents.scripted import find_adviser
from goldgriff.envs.core.batch import derive_seeds
from goldgriff.envs.core.errors import SettingsError
from goldgriff.envs.core.kernels import POINTS_SCALE, Features, Masks, Rows
from goldgriff.envs.core.policy import Views
from goldgriff.train.buffers import Tries
from goldgriff.train.export import GREED, sharpened
from goldgriff.train.learning import DeviceSettings, MoveNet, TorchLearner, descend, moving_average
from goldgriff.train.settings import fraction, whole
from goldgriff.train.tables import Tables
from goldgriff.train.tries import PlayOn, play_on_as_seated, play_on_with

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_steps": 2_048,
        "tables": 64,
        "steps_per_table": 4,
        "batch_size": 128,
        "remember": 1_024,
        "hidden": [16],
    },
    "quick": {"total_steps": 500_000, "halve_every": 250_000},
    "long": {"total_steps": 5_000_000, "halve_every": 2_000_000, "checkpoint_every": 30},
}


@dataclass(frozen=True, kw_only=True)
class RolloutSettings(DeviceSettings):
    """Settings of the rollouts beside those of every run.

    A step is a decision that comes up to be tried; a forced one counts, too.

    steps_per_table: decisions tried at each table between two updates.
    gap: decisions made at each table from one that is tried to the next.
    moves: moves tried of a decision: the adviser's, one at random, and the best by now.
    adviser: the scripted player whose move is marked for the network.
    adviser_steps: for so long it plays the learner's games, and on in tries for everybody: what is
        learnt is where to stray from it once. That is several times as fast, too.
    win_worth: what winning the game is worth, in hundreds of points. A move's worth is that times
        the chance of it by the scores, less what the round costs.
    lead: points of it that make a seat e times as likely to win (see `chances_by_score`).
    explore: chance of a decision of being made at random.
    learning_rate, halve_every: Adam's; it halves, smoothly, with so many steps (0: never).
    remember: tries that are learnt from, the newest; reuse: how often, on average.
    batch_size: tried decisions of a gradient step. max_grad_norm: at which gradients are cut.
    memory: of the player, the moving average of the policy: what is kept of it in each update.
    """

    tables: int = whole(4096)
    steps_per_table: int = whole(4)
    rivals: list[str] = field(default_factory=lambda: ["expert"])
    pool_size: int = whole(0, least=0)
    self_play: float = fraction(0.1)
    hidden: list[int] = field(default_factory=lambda: [96, 64])
    gap: int = whole(7)
    moves: int = whole(4, least=2)
    adviser: str = "expert"
    adviser_steps: int = whole(0, least=0)
    win_worth: float = 2.0
    lead: float = 11.0
    explore: float = fraction(0.05)
    learning_rate: float = fraction(1e-3)
    halve_every: int = whole(0, least=0)
    remember: int = whole(250_000)
    reuse: int = whole(8)
    batch_size: int = whole(2048)
    max_grad_norm: float = fraction(0.5)
    memory: float = fraction(0.9)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.adviser, str):
            raise SettingsError(f"adviser must be the name of a player, not {self.adviser!r}")
        for name, number in (("win_worth", self.win_worth), ("lead", self.lead)):
            if type(number) not in (int, float) or not 0 < number <= 1000:
                raise SettingsError(f"{name} must be above 0 and at most 1000, not {number!r}")
        if self.remember < self.tables:
            raise SettingsError(f"remember must be at least {self.tables}, the number of tables")


class Weighed(NamedTuple):
    """The legal moves of some decisions, and what the player thinks that they are worth.

    worths: float32 (decisions, actions), -inf where illegal. advised: int64 (decisions,).
    """

    worths: NDArray[np.float32]
    advised: Rows


class Rollout(TorchLearner):
    """The network, its optimiser, and the newest tries."""

    PARTS = ("net", "optimizer", "average")

    def __init__(self, tables: Tables, settings: RolloutSettings) -> None:
        super().__init__(tables, settings)
        # What moves differ by is much less than what they have in common: rounding would hide it.
        torch.set_float32_matmul_precision("highest")
        self.settings = settings
        self.adviser = find_adviser(settings.adviser, tables.game)
        self.description = find_description(tables.game)
        self.net = MoveNet(self.description, settings.hidden).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=settings.learning_rate)
        self.average = moving_average(self.net, settings.memory, self.device)
        width = self.description.slices.size
        self.tries = Tries(settings.remember, settings.moves, width, self.device)
        self._asked = 0  # decisions, for their luck

    def player(self) -> MoveNetwork:
        """The average policy; a thousandfold, its worths leave the softmax no choice."""
        return sharpened(self._policy.player(self.adviser), GREED)

    @property
    def _policy(self) -> MoveNet:
        policy: Any = self.average.module
        return cast(MoveNet, policy)

    def update(self) -> dict[str, float]:
        """Play on at all tables, try some decisions' moves, and learn from the newest tries."""
        before = self.tries.seen
        for _ in range(self.settings.steps_per_table):
            for _ in range(self.settings.gap):
                self._play_on()
            self._try()
        self._steps += self.settings.steps_per_table * self.tables.count
        self.set_rate(self.optimizer, self.settings.learning_rate, self.settings.halve_every)
        loss = self._learn(self.settings.reuse * (self.tries.seen - before))
        self.average.update_parameters(self.net)
        return {"loss/worth": loss}

    def _play_on(self) -> None:
        """A decision at every table: the adviser's or the best, or now and then any."""
        features, legal = self.tables.look()
        choose = self._advise if self._is_advised else self._decide
        best, noise = choose(features, legal), self._noise(legal)
        explore = torch.rand(len(best), generator=self.luck, device=self.device)
        any_one = explore.cpu().numpy() < self.settings.explore
        self.tables.step(np.where(any_one, noise.argmax(axis=1), best))

    def _try(self) -> None:
        """Try moves wherever there is a choice, and note them."""
        features, legal = self.tables.look()
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        if not len(free):
            return
        weighed = self._weigh(features[free], legal[free])
        choices = np.zeros(legal.shape, np.bool_)
        choices[free] = self._pick(weighed, legal[free])
        rounds = self.tables.try_rounds(choices, self._player_on(), self.settings.lead)
        worths = self.settings.win_worth * rounds.chance - rounds.points / POINTS_SCALE
        moves = self.description.describe(
            features[free], choices[free].astype(np.int8), weighed.advised
        )
        place = np.arange(len(moves.rows)) - np.searchsorted(moves.rows, moves.rows)
        told = self.to_device(moves.numbers), self.to_device(worths.astype(np.float32))
        self.tries.add(moves.rows, place, *told)

    @property
    def _is_advised(self) -> bool:
        """Whether the adviser still plays."""
        return self.steps < self.settings.adviser_steps

    def _advise(self, features: Features, legal: Masks) -> Rows:
        """The adviser's moves, int64 (rows,)."""
        words = derive_seeds(self.settings.seed, len(features), self._asked)
        self._asked += len(features)
        return self.adviser.policy.act(Views(self.tables.game, features, legal, words))

    def _player_on(self) -> PlayOn:
        """Who plays on in tries."""
        if self._is_advised:
            return play_on_with(self.adviser.policy.choose)
        return play_on_as_seated(self._decide)

    def _pick(self, weighed: Weighed, legal: Masks) -> NDArray[np.bool_]:
        """Which moves are tried: the adviser's, one at random, and the best beside them."""
        rows, wish = np.arange(len(legal)), weighed.worths.copy()
        wish[rows, self._noise(legal).argmax(axis=1)] = np.inf
        wish[rows, weighed.advised] = np.inf
        picked = np.zeros(legal.shape, np.bool_)
        picked[rows[:, None], np.argsort(-wish, axis=1)[:, : self.settings.moves]] = True
        picked &= legal == 1
        return picked

    def _noise(self, legal: Masks) -> NDArray[Any]:
        """Random numbers from 0 to 1 for legal actions, 0 for others."""
        noise = torch.rand(legal.shape, generator=self.luck, device=self.device)
        return noise.cpu().numpy() * legal

    @torch.no_grad()
    def _weigh(self, features: Features, legal: Masks) -> Weighed:
        advised = self._advise(features, legal)
        moves = self.description.describe(features, legal, advised)
        worths = np.full(legal.shape, -np.inf, np.float32)
        numbers = self.to_device(moves.numbers)
        worths[moves.rows, moves.actions] = self._policy(numbers).cpu().numpy()
        return Weighed(worths, advised)

    def _decide(self, features: Features, legal: Masks) -> Rows:
        """The best moves by now, int64 (rows,)."""
        actions: Rows = legal.argmax(axis=1)
        free = legal.sum(axis=1) > 1
        if free.any():
            actions[free] = self._weigh(features[free], legal[free]).worths.argmax(axis=1)
        return actions

    def _learn(self, count: int) -> float:
        """Go through so many of the tries remembered, in batches; returns the mean loss."""
        losses, settings = [], self.settings
        for _ in range(count // settings.batch_size):
            places = self.tries.draw(settings.batch_size, self.luck)
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

    def state(self) -> dict[str, Any]:
        """All that `restore` needs, the tries among it."""
        return super().state() | {"tries": self.tries.state(), "asked": self._asked}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on exactly where `state` was asked for."""
        super().restore(state)
        self.tries.restore(state["tries"])
        self._asked = state["asked"]
