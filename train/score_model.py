"""What rounds are worth at the tables of a run: its critic, and what it is told."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..agents.features.spec import FeatureSpec
from ..agents.value import ValueNetwork, ValueTarget, win_probabilities
from ..envs.engine.protocol import RawObservations, Rows
from .export import copy_layers
from .networks import ValueNet
from .tables import Tables
from .truncated_rollouts import RoundRolloutResults

Worths = NDArray[np.float32]


class RoundValues:
    """Tells worths (see `ValueTarget`).

    critic: what it says of rounds that go on.
    """

    def __init__(
        self,
        tables: Tables,
        description: FeatureSpec,
        critic: ValueNet,
        stakes: ValueTarget,
    ) -> None:
        self.tables, self.description, self.critic = tables, description, critic
        self.stakes = stakes

    def tell(self, raw: RawObservations, hands: RawObservations, members: Rows) -> Tensor:
        """Tables as the critic is told of them, by what seats see, the others hold and who sits.

        The same position is worth another thing among selves than among rivals.
        """
        pool = self.tables.pool
        met = pool.kinds_of(members)[:, None] == np.arange(pool.kinds)
        parts = self.description.state_features(raw, hands), met.astype(np.uint8)
        return torch.from_numpy(np.concatenate(parts, axis=1)).to(self.critic.scale.device)

    def for_players(self) -> ValueNetwork:
        """The critic for players, who do not know who sits there: as among first rivals, if any."""
        (weight, bias), *rest = copy_layers(self.critic.layers)
        size, kinds = self.description.state_spec.size, self.tables.pool.kinds
        bias += weight[:, size + min(1, kinds - 1)]
        return ValueNetwork([(weight[:, :size], bias), *rest], self.description, self.stakes)

    @torch.no_grad()
    def judge(self, told: Tensor) -> Worths:
        """What the critic thinks that rounds will bring, (rows,)."""
        values: Worths = self.critic(told).cpu().numpy()
        return values

    def judge_seat(self, seat: int) -> Worths:
        """The same for one seat of all tables."""
        tables = self.tables
        seen = tables.observe_player(seat), tables.hidden_hands(seat), tables.members()
        return self.judge(self.tell(*seen))

    def worths_of(self, led: RoundRolloutResults) -> Worths:
        """What tried moves led to."""
        worths = self.stakes.values(led.chance, led.points).astype(np.float32)
        if led.goes_on.any():
            worths[led.goes_on] = self.judge(self.tell(led.raw, led.hands, led.members))
        return worths

    def scored(self) -> tuple[Worths, NDArray[np.bool_]]:
        """What the last step brought every seat, (tables, seats), and which rounds it ended.

        Auruxxx only, whose records alone have `rounds`.
        """
        scored, shape = self.tables.scored, (self.tables.count, self.tables.seats)
        brought, ended = np.zeros(shape, np.float32), np.zeros(shape[0], np.bool_)
        left = self.tables.column("rounds")[scored.tables] - scored.played
        chance = win_probabilities(scored.totals, left, self.stakes.score_temperature)
        brought[scored.tables] = self.stakes.values(chance, scored.points)
        ended[scored.tables] = True
        return brought, ended
