"""The opponent pool: past versions of the learner and fixed opponents, drawn for every game.

With probability `self_play` a game is among newest versions. In any other, one learner meets one
member of the pool in all other seats: past versions and fixed opponents are equally likely, but a
fixed opponent given several times so much more likely.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ..agents.network import Network
from ..envs.engine.protocol import Rows
from ..envs.policy import Policy


class OpponentPool:
    """The members by number; fixed opponents have the first numbers and never leave.

    Attributes:
        members: Policies by number.
        fixed: Numbers of the fixed opponents, to draw from; one may be there several times.
        past: Numbers of past versions that games may draw, the newest last.
    """

    def __init__(self, fixed: Sequence[Policy], size: int, self_play: float) -> None:
        """Make a pool without past versions.

        Args:
            fixed: Such as a scripted `expert` or a frozen champion; one given twice is drawn twice
                as often, and is one member nevertheless.
            size: Past versions kept; the oldest leaves first.
            self_play: Probability that a game is among newest versions.
        """
        different = list({id(policy): policy for policy in fixed}.values())
        self.members: dict[int, Policy] = dict(enumerate(different))
        self.fixed = [different.index(policy) for policy in fixed]
        self.past: list[int] = []
        self.size, self.self_play = size, self_play

    @property
    def kinds(self) -> int:
        """How many numbers `kinds_of` may return."""
        return 2 + max(self.fixed, default=-1)

    def kinds_of(self, members: Rows) -> Rows:
        """Return 0 for versions of the learner, and a number from 1 for each fixed opponent."""
        return np.where(members < self.kinds - 1, members + 1, 0)

    def add(self, policy: Policy) -> None:
        """Add a past version; the oldest stays a member until `forget`."""
        if self.size:
            self.past.append(max(self.members, default=-1) + 1)
            self.members[self.past[-1]] = policy
            self.past = self.past[-self.size :]

    def forget(self, seated: set[int]) -> None:
        """Drop past versions that no game may draw and that sit in no game."""
        for number in set(self.members) - seated - set(self.past) - set(self.fixed):
            del self.members[number]

    def draw(self, random_bits: NDArray[np.uint64], newest: int) -> Rows:
        """Return a number for each game; `newest` stands for the newest version."""
        numbers = np.array([*self.fixed, *self.past] or [newest])
        place = (random_bits & np.uint64(0xFFFFFFFF)) % np.uint64(len(numbers))
        alone = (random_bits >> np.uint64(32)) / 2.0**32 < self.self_play
        drawn: Rows = np.where(alone, newest, numbers[place.astype(np.int64)])
        return drawn

    def state(self) -> dict[str, Any]:
        """Return the past versions and their numbers, as tensors and plain data."""
        layers = {
            number: [
                (torch.from_numpy(weight), torch.from_numpy(bias)) for weight, bias in member.layers
            ]
            for number, member in self.members.items()
            if isinstance(member, Network) and number not in self.fixed
        }
        return {"past": self.past, "layers": layers}

    def restore(self, state: dict[str, Any], like: Network) -> None:
        """Continue from a `state`; `members` stays the same dictionary.

        Args:
            state: What `state` returned.
            like: An agent of the kind of all past versions.
        """
        self.past = state["past"]
        for number, layers in state["layers"].items():
            arrays = [(weight.numpy(), bias.numpy()) for weight, bias in layers]
            self.members[number] = like.with_layers(arrays)
