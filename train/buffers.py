"""What learners remember: the newest decisions, a sample of all, or the newest tries of moves.

All have a fixed number of places, preallocated; decisions are drawn from them by their places.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..envs.engine.protocol import Rows

_OPEN, _OVER = -1, -2  # in `following`: not known yet; the game ended first


class _Places:
    """Decisions by place, in columns: tensors (size, ...) named in `columns`.

    seen: how many decisions have come by so far.
    """

    columns: tuple[str, ...]

    def __init__(self, size: int, device: torch.device) -> None:
        self.size, self.device, self.seen = size, device, 0

    @property
    def filled(self) -> int:
        """Places in use; they are the first ones."""
        return min(self.seen, self.size)

    def draw(self, count: int, rng: torch.Generator) -> Tensor:
        """`count` random places in use, int64; none while there are none."""
        if not self.seen:
            return torch.empty(0, dtype=torch.int64, device=self.device)
        return torch.randint(self.filled, (count,), generator=rng, device=self.device)

    def state(self) -> dict[str, Any]:
        """All that `restore` needs: copies of the places in use."""
        parts = {name: getattr(self, name)[: self.filled].cpu().clone() for name in self.columns}
        return {"seen": self.seen, **parts}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`."""
        self.seen = state["seen"]
        for name in self.columns:
            getattr(self, name)[: self.filled] = state[name].to(self.device)


class _Decisions(_Places):
    """Features, uint8 (size, features), masks, bool (size, actions), and actions of decisions."""

    columns: tuple[str, ...] = ("raw", "masks", "actions")

    def __init__(self, size: int, raw: int, actions: int, device: torch.device) -> None:
        super().__init__(size, device)
        self.raw = torch.zeros(size, raw, dtype=torch.uint8, device=device)
        self.masks = torch.zeros(size, actions, dtype=torch.bool, device=device)
        self.actions = torch.zeros(size, dtype=torch.int64, device=device)

    def put(self, places: Tensor, raw: Tensor, masks: Tensor, actions: Tensor) -> None:
        """Write decisions into places, none of which is given twice."""
        self.raw[places], self.masks[places], self.actions[places] = raw, masks, actions


class ActionValueBuffer(_Places):
    """The newest decisions of which moves were tried, each with room for some moves.

    numbers: uint8 (size, moves, width), the moves' descriptions. tried: bool (size, moves), which
    there are. worths: float32 (size, moves), what came of them.
    """

    columns = ("numbers", "tried", "worths")

    def __init__(self, size: int, moves: int, width: int, device: torch.device) -> None:
        super().__init__(size, device)
        self.numbers = torch.zeros(size, moves, width, dtype=torch.uint8, device=device)
        self.tried = torch.zeros(size, moves, dtype=torch.bool, device=device)
        self.worths = torch.zeros(size, moves, device=device)

    def add(self, decisions: Rows, moves: Rows, numbers: Tensor, worths: Tensor) -> None:
        """Note moves: those of decision 0, 1, ... and in each move 0, 1, ..., in that order."""
        count = int(decisions[-1]) + 1
        places = (self.seen + np.arange(count)) % self.size
        self.tried[places] = False
        spots = places[decisions], moves
        self.numbers[spots], self.tried[spots], self.worths[spots] = numbers, True, worths
        self.seen += count


class ReplayBuffer(_Decisions):
    """The newest decisions of all seats; each is told of its seat's next one when that is made.

    shape: (tables, seats); there must be a place for every table. Decisions are numbered as they
    come; each stands at its number modulo `size`.

    rewards: float32 (size,), what came to the decision's seat until its next one.
    following: int64 (size,), the place of that next one, or below 0. latest: int64 (tables, seats),
    the number of each seat's last decision in its running game, -1 before there is one.
    """

    columns = (*_Decisions.columns, "rewards", "following")

    def __init__(
        self, size: int, raw: int, actions: int, shape: tuple[int, int], device: torch.device
    ) -> None:
        super().__init__(size, raw, actions, device)
        self.rewards = torch.zeros(size, device=device)
        self.following = torch.full((size,), _OPEN, device=device)
        self.latest = torch.full(shape, -1, device=device)

    def decide(self, raw: Tensor, masks: Tensor, actions: Tensor, current_players: Tensor) -> None:
        """Note a decision at every table, movers: int64 (tables,)."""
        tables = torch.arange(len(current_players), device=self.device)
        numbers = self.seen + tables
        self.seen += len(current_players)
        places, before = numbers % self.size, self.latest[tables, current_players]
        told = self._kept(before)
        self.following[before[told] % self.size] = places[told]
        self.put(places, raw, masks, actions)
        self.rewards[places], self.following[places] = 0.0, _OPEN
        self.latest[tables, current_players] = numbers

    def earn(self, rewards: Tensor, over: Tensor) -> None:
        """Note what came to all seats, float32 (tables, seats), and which games are over."""
        kept = self._kept(self.latest)
        self.rewards[self.latest[kept] % self.size] += rewards[kept]
        ended = kept & over[:, None]
        self.following[self.latest[ended] % self.size] = _OVER
        self.latest[over] = -1

    def draw(self, count: int, rng: torch.Generator) -> Tensor:
        """Random places, int64: `count`, less those of which it is not known what followed."""
        places = super().draw(count, rng)
        return places[self.following[places] != _OPEN]

    def over(self, places: Tensor) -> Tensor:
        """Whether the game ended before the seat's next decision, bool (places,)."""
        return self.following[places] == _OVER

    def state(self) -> dict[str, Any]:
        """All that `restore` needs."""
        return super().state() | {"latest": self.latest.cpu().clone()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`."""
        super().restore(state)
        self.latest = state["latest"].to(self.device)

    def _kept(self, numbers: Tensor) -> Tensor:
        """Which decisions, by their numbers, are there and not overwritten."""
        return numbers >= max(0, self.seen - self.size)


class Reservoir(_Decisions):
    """A sample of all decisions that ever came by, each as likely to be in it as any other."""

    def add(self, raw: Tensor, masks: Tensor, actions: Tensor, rng: torch.Generator) -> None:
        """Let decisions come by; the n-th takes one of n places by chance, if there is that one."""
        numbers = self.seen + np.arange(len(actions))
        draws = torch.rand(len(actions), generator=rng, device=self.device, dtype=torch.float64)
        drawn = (draws.cpu().numpy() * (numbers + 1)).astype(np.int64)
        places = np.where(numbers < self.size, numbers, drawn)
        last, rows = np.unique(places[::-1], return_index=True)  # who comes later stays
        rows = len(places) - 1 - rows[last < self.size]
        kept = torch.from_numpy(rows).to(self.device)
        self.seen += len(actions)
        self.put(
            torch.from_numpy(places[rows]).to(self.device),
            raw[kept],
            masks[kept],
            actions[kept],
        )
