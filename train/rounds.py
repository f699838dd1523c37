"""What rounds are worth to who plays them: by the scores when they are over, before by a critic."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from goldgriff.agents.descriptions import Description
from goldgriff.envs.core.kernels import Features, Rows
from goldgriff.train.learning import WorthNet
from goldgriff.train.tables import Tables
from goldgriff.train.tries import Led, chances_by_score

UNIT = 14.0  # points that are a worth of 1: about what moves tried in one deal differ by

Worths = NDArray[np.float32]


class RoundJudge:
    """Tells worths, in UNITs of points: what the win is worth times its chance, less points.

    The chance is that of winning the game by the scores after the round; points are the round's.
    critic: what it says of rounds that go on. win_worth: in points. lead: see `chances_by_score`.
    """

    def __init__(
        self,
        tables: Tables,
        description: Description,
        critic: WorthNet,
        win_worth: float,
        lead: float,
    ) -> None:
        self.tables, self.description, self.critic = tables, description, critic
        self.win_worth, self.lead = win_worth, lead

    def tell(self, features: Features, hands: Features, members: Rows) -> Tensor:
        """Tables as the critic is told of them, by what seats see, the others hold and who sits.

        The same position is worth another thing among selves than among rivals.
        """
        pool = self.tables.pool
        met = pool.kinds_of(members)[:, None] == np.arange(pool.kinds)
        parts = self.description.describe_tables(features, hands), met.astype(np.uint8)
        return torch.from_numpy(np.concatenate(parts, axis=1)).to(self.critic.scale.device)

    @torch.no_grad()
    def judge(self, told: Tensor) -> Worths:
        """What the critic thinks that rounds will bring, (rows,)."""
        values: Worths = self.critic(told).cpu().numpy()
        return values

    def judge_seat(self, seat: int) -> Worths:
        """The same for one seat of all tables."""
        tables = self.tables
        seen = tables.look_of(seat), tables.open_hands(seat), tables.members()
        return self.judge(self.tell(*seen))

    def worths_of(self, led: Led) -> Worths:
        """What tried moves led to."""
        worths = self._by_score(led.chance, led.points).astype(np.float32)
        if led.goes_on.any():
            worths[led.goes_on] = self.judge(self.tell(led.features, led.hands, led.members))
        return worths

    def scored(self) -> tuple[Worths, NDArray[np.bool_]]:
        """What the last step brought every seat, (tables, seats), and which rounds it ended."""
        scored, shape = self.tables.scored, (self.tables.count, self.tables.seats)
        brought, ended = np.zeros(shape, np.float32), np.zeros(shape[0], np.bool_)
        left = self.tables.column("rounds")[scored.tables] - scored.played
        chance = chances_by_score(scored.totals, left, self.lead)
        brought[scored.tables] = self._by_score(chance, scored.points)
        ended[scored.tables] = True
        return brought, ended

    def _by_score(
        self, chance: NDArray[np.float64], points: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        return (self.win_worth * chance - points) / UNIT
