"""Policy iteration with a look ahead: every legal action is tried in a copy of the game.

Wherever the learner is to move, each of its actions is played in a copy of the true game, and a
scripted adviser plays on for everybody until the learner has been to move some times more. What
was earned by then, and what a critic that sees all hands makes of the position reached, is the
action's worth. Much of the luck of whole games is left out, and the actions share what is left:
they are compared in the same deal. The policy sees what its player sees and no more, so over many
positions that look alike it learns what an action is worth to somebody who cannot know. It is told
the adviser's move, begins by taking it nearly always, and learns where to do otherwise.

Trying actions out with a player at hand: Tesauro and Galperin, "On-line policy improvement using
Monte-Carlo search", NeurIPS 1996 (arXiv 2501.05407). Logits that move with the worths, at
full speed unless an action is less likely than USUAL: Hennes et al., "Neural replicator dynamics",
AAMAS 2020 (arXiv 1906.00190). Their pull towards even chances: Sokota et al., "A unified approach
to reinforcement learning, quantal response equilibria, and two-player zero-sum games", ICLR 2023
(arXiv 2206.05825).
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..agents.ensemble import PlayerCountEnsemble
from ..agents.heuristics.catalog import find_base_policy
from ..agents.network import ActionValueNetwork, Network
from ..agents.registry import load_agent
from ..envs.engine.game import Game
from ..envs.engine.settings import fraction, whole
from ..envs.policy import Policy
from ..errors import SettingsError
from .advantages import TrajectoryBuffer
from .export import sharpened
from .networks import (
    ActionNet,
    DeviceSettings,
    TorchLearner,
    Trunk,
    batches,
    descend,
    legal_logs,
    moving_average,
    some_of,
)
from .settings import check_list
from .tables import Tables

USUAL = 0.02  # chance of an action from which on its logit moves as fast as any

PRESETS: dict[str, dict[str, Any]] = {
    "smoke": {
        "total_steps": 4_096,
        "tables": 16,
        "steps_per_table": 32,
        "batch_size": 256,
        "imitation_steps": 1_024,
        "hidden": [32],
        "critic_hidden": [32],
    },
    "quick": {"total_steps": 5_000_000, "halve_every": 2_000_000},
    "long": {
        "total_steps": 50_000_000,
        "halve_every": 12_000_000,
        "memory": 0.99,
        "evaluate_every": 60,
        "checkpoint_every": 30,
    },
    # A best response to the frozen champion, from its own play: how much of it can be exploited.
    # Few turns, since in tries it is the adviser who plays the rival's moves.
    "exploit": {
        "total_steps": 5_000_000,
        "halve_every": 2_000_000,
        "start": "champion",
        "turns": 2,
        "rivals": ["champion"],
        "self_play": 0.0,
        "yardstick": "champion",
        "evaluate_every": 20,
    },
}


@dataclass(frozen=True, kw_only=True)
class LookaheadSettings(DeviceSettings):
    """Settings of the look ahead beside those of every run.

    adviser: the scripted player that plays tried actions on and whose move the policy is told.
    turns: how often the learner is to move, counted from the action tried, until the critic judges.
    temperature: weight of the entropy in worths; towards more of it the policy is pulled.
    reach: how far an action's log-probability may move in an update.
    imitation_steps, imitation: for so many steps the policy learns to give the adviser's move this
        share of its chances, and the rest to all legal moves alike.
    start: a player of an earlier run with this adviser, these layers and this sharpness, whose
        network the policy begins as; for `imitation_steps` the critic alone learns then. Or empty.
    learning_rate, halve_every: Adam's; it halves, smoothly, with so many steps (0: never).
    batch_size, epochs: samples of a gradient step; how often a rollout is gone through.
    discount, gae_lambda: of what the critic learns, from one's decision to one's next.
    value_weight, max_grad_norm: of the loss; norm at which gradients are cut.
    memory, sharpness: of the player, see `PPOSettings`.
    critic_hidden: widths of the critic's hidden layers.
    """

    tables: int = whole(1024)
    rivals: list[str] = field(default_factory=lambda: ["expert"])
    pool_size: int = whole(0, least=0)
    self_play: float = fraction(0.2)
    hidden: list[int] = field(default_factory=lambda: [256, 256])
    critic_hidden: list[int] = field(default_factory=lambda: [256, 128])
    adviser: str = "expert"
    turns: int = whole(6)
    temperature: float = fraction(5e-4)
    reach: float = fraction(0.3)
    imitation_steps: int = whole(1_000_000, least=0)
    imitation: float = fraction(0.9)
    start: str = ""
    learning_rate: float = fraction(5e-4)
    halve_every: int = whole(0, least=0)
    batch_size: int = whole(4096)
    epochs: int = whole(2)
    discount: float = fraction(0.995)
    gae_lambda: float = fraction(0.7)
    value_weight: float = fraction(0.5)
    max_grad_norm: float = fraction(0.5)
    memory: float = fraction(0.98)
    sharpness: int = whole(20)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_list("critic_hidden", self.critic_hidden, "widths")
        for name, player in (("adviser", self.adviser), ("start", self.start)):
            if not isinstance(player, str):
                raise SettingsError(f"{name} must be the name of a player, not {player!r}")


class CriticNet(Trunk):
    """What a position will yet bring a seat, by what it sees and the others' hands."""

    def __init__(self, game: Game, hidden: list[int], others: int) -> None:
        part = game.observation_spec.range("hand")
        held = torch.from_numpy(game.observation_spec.scale[part]).repeat(others)
        super().__init__(game.observation_spec, hidden, held)
        self.head = nn.Linear(hidden[-1], 1)

    def forward(self, raw: Tensor, hands: Tensor) -> Tensor:
        """Values, (rows,), of uint8 (rows, slices.size) and (rows, others, hand's size)."""
        values: Tensor = self.head(self.see(torch.cat([raw, hands.flatten(1)], dim=1)))
        return values.squeeze(1)


def _pull(worths: Tensor, probabilities: Tensor) -> Tensor:
    """How logits are to move, (rows, actions): up where actions are worth more than expected.

    probabilities: of each action, 0 where it was not tried. Those below USUAL move the less, the less
    likely they are: the worst blunders, pushed down for ever, would be most of what is learnt.
    """
    weights = (probabilities / USUAL).clamp(max=1)
    expected = (worths * probabilities).sum(dim=1, keepdim=True)
    pull = weights * (worths - expected)
    spare = pull.sum(dim=1, keepdim=True) / weights.sum(dim=1, keepdim=True).clamp(min=1e-6)
    return pull - weights * spare  # together they move nowhere: only differences matter


class Samples(NamedTuple):
    """Decisions, (samples, ...).

    raw, advice, masks, hands: what was seen, the adviser's move one-hot. pull: how the
    logits of all actions are to move. logs: log-probabilities of all actions when they were
    tried. returns: what the critic should have said.
    """

    raw: Tensor
    advice: Tensor
    masks: Tensor
    hands: Tensor
    pull: Tensor
    logs: Tensor
    returns: Tensor


class Lookahead(TorchLearner):
    """Policy and critic, their optimiser, and the tables they learn at."""

    PARTS = ("nets", "optimizer", "average")

    def __init__(self, tables: Tables, settings: LookaheadSettings) -> None:
        super().__init__(tables, settings)
        self.settings = settings
        game = tables.game
        self.adviser = find_base_policy(settings.adviser, game)
        told = torch.ones(len(game.actions))
        self.policy = ActionNet(game, settings.hidden, told).to(self.device)
        if settings.start:
            self.policy.begin_as(sharpened(self._find_start(), 1 / settings.sharpness))
        self.critic = CriticNet(game, settings.critic_hidden, tables.seats - 1).to(self.device)
        self.nets = nn.ModuleList([self.policy, self.critic])
        self.optimizer = torch.optim.Adam(
            self.nets.parameters(), lr=settings.learning_rate, eps=1e-5
        )
        self.average = moving_average(self.policy, settings.memory, self.device)

    def player(self) -> Network:
        """The average policy, sharpened."""
        policy: Any = self.average.module
        player: Network = policy.player(self.adviser)
        return sharpened(player, self.settings.sharpness)

    def _find_start(self) -> Network:
        name, heard = self.settings.start, self.adviser.name
        player: Policy | None = load_agent(name, self.tables.game)
        if isinstance(player, PlayerCountEnsemble):
            sizes = {group.batch.settings.num_players for group in self.tables.groups}
            networks = {player.for_num_players(size) for size in sizes}
            player = networks.pop() if len(networks) == 1 else None
        if isinstance(player, ActionValueNetwork):
            raise SettingsError(
                f"start must be a network of all actions; at these tables {name!r} is one that "
                "weighs moves one by one"
            )
        if isinstance(player, Network) and player.base_policy and player.base_policy.name == heard:
            return player
        raise SettingsError(
            f"start must be one trained network for all tables that hears {heard!r}, not {name!r}"
        )

    def update(self) -> dict[str, float]:
        """Play on at all tables and learn from that."""
        imitating = self.steps < self.settings.imitation_steps
        samples = self._roll_out(imitating)
        self._steps += len(samples.returns)
        self.set_rate(self.optimizer, self.settings.learning_rate, self.settings.halve_every)
        figures = self._learn(samples, imitating)
        if imitating:
            self.average.n_averaged.zero_()  # it is then a copy: the untaught leave no trace
        self.average.update_parameters(self.policy)
        return figures

    @torch.no_grad()
    def _roll_out(self, imitating: bool) -> Samples:
        tables, steps = self.tables, self.settings.steps_per_table
        seen: list[tuple[Tensor, ...]] = []
        track = TrajectoryBuffer(steps, tables.count, tables.seats)
        for step in range(steps):
            raw, legal = tables.observe()
            advice = self.adviser.one_hot_actions(self.observations(raw, legal, step))
            sight, told = self.to_device(raw), self.to_device(advice)
            masks, hands = self.to_device(legal).bool(), self.to_device(tables.hidden_hands())
            logs, values = self._logs(sight, told, masks), self.critic(sight, hands)
            pull = torch.zeros_like(logs) if imitating else self._weigh(legal, logs)
            seen.append((sight, told, masks, hands, pull, logs))
            track.decide(step, tables.current_players, values.cpu().numpy())
            track.earn(step, *tables.step(self._play(logs).cpu().numpy()))
        last = np.stack([self._values_of(seat) for seat in range(tables.seats)], axis=1)
        advantages = track.advantages(last, self.settings.discount, self.settings.gae_lambda)
        returns = self.to_device((advantages + track.values).ravel())
        noted = [torch.stack(parts).flatten(0, 1) for parts in zip(*seen, strict=True)]
        return Samples._make([*noted, returns])

    def _logs(self, raw: Tensor, advice: Tensor, masks: Tensor) -> Tensor:
        """Log-probabilities of all actions, (rows, actions)."""
        return legal_logs(self.policy(torch.cat([raw, advice], dim=1)), masks)

    def _play(self, logs: Tensor) -> Tensor:
        """An action for each row, each with its probability.

        Not by `sample`, whose luck is another: the champions' commands are to make the champions.
        """
        noise = torch.empty_like(logs).exponential_(generator=self.rng)
        return (logs.exp() / noise).argmax(dim=1)

    def _weigh(self, legal: NDArray[np.int8], logs: Tensor) -> Tensor:
        """How logits are to move, (tables, actions), after every action was tried."""
        choices = (legal == 1) & (legal.sum(axis=1, keepdims=True) > 1)
        if not choices.any():
            return torch.zeros_like(logs)
        tried = self.tables.roll_out_turns(
            choices, self.settings.turns, self.adviser.policy.policy_function
        )
        ahead = self.critic(self.to_device(tried.raw), self.to_device(tried.hands))
        ahead = self.settings.discount * ahead.masked_fill(self.to_device(tried.over), 0)
        mask, worths = self.to_device(choices), torch.zeros_like(logs)
        worths[mask] = self.to_device(tried.earned) + ahead
        worths -= self.settings.temperature * logs.masked_fill(~mask, 0)
        return _pull(worths, logs.exp().masked_fill(~mask, 0))

    def _values_of(self, seat: int) -> NDArray[np.float32]:
        seen = self.to_device(self.tables.observe_player(seat))
        numbers: NDArray[np.float32] = (
            self.critic(seen, self.to_device(self.tables.hidden_hands(seat))).cpu().numpy()
        )
        return numbers

    def _learn(self, samples: Samples, imitating: bool) -> dict[str, float]:
        """Go through the samples in random order; returns means over all gradient steps."""
        count, figures = len(samples.returns), []
        spread = float(samples.pull[samples.pull != 0].square().mean().nan_to_num()) ** 0.5
        for _ in range(self.settings.epochs):
            for rows in batches(count, self.settings.batch_size, self.rng):
                some = some_of(samples, rows)
                logs = self._logs(some.raw, some.advice, some.masks)
                lesson = self._imitate(some, logs) if imitating else self._move(some, logs, spread)
                error = (self.critic(some.raw, some.hands) - some.returns).square().mean()
                loss = lesson + self.settings.value_weight * error
                descend(loss, self.nets, self.optimizer, self.settings.max_grad_norm)
                entropy = -(logs.exp() * logs.masked_fill(~some.masks, 0)).sum(dim=1).mean()
                figures.append(torch.stack([lesson, error, entropy]).detach())
        names = "loss/policy", "loss/value", "entropy"
        means = torch.stack(figures).mean(dim=0).tolist()
        return {**dict(zip(names, means, strict=True)), "pull": spread}

    def _imitate(self, samples: Samples, logs: Tensor) -> Tensor:
        """The adviser's move is to have most of the chances, all legal ones the rest.

        A policy that began as a player learns nothing yet: it waits for its critic.
        """
        if self.settings.start:
            return logs.new_zeros(())
        legal = samples.masks.float()
        even = (1 - self.settings.imitation) * legal / legal.sum(dim=1, keepdim=True)
        wanted = self.settings.imitation * samples.advice + even
        return -(wanted * logs.masked_fill(~samples.masks, 0)).sum(dim=1).mean()

    def _move(self, samples: Samples, logs: Tensor, spread: float) -> Tensor:
        """Logits move as they are pulled, but no chance further than the reach of an update."""
        moved = (logs - samples.logs).masked_fill(~samples.masks, 0)
        there = moved * samples.pull.sign() > self.settings.reach
        pull = samples.pull.masked_fill(there, 0) / (spread + 1e-8)
        return -(pull * logs.masked_fill(~samples.masks, 0)).sum(dim=1).mean()
