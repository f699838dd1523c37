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
    """The members by number; rivals have the first numbers and never leave.

    rivals: such as a scripted `expert` or a frozen champion; one that is there twice is drawn twice
        as often, and one member nevertheless.
    size: past selves kept; the oldest leaves first. self_play: chance from 0 to 1.
    """

    def __init__(self, rivals: Sequence[Policy], size: int, self_play: float) -> None:
        different = list({id(one): one for one in rivals}.values())
        self.members: dict[int, Policy] = dict(enumerate(different))
        self.rivals = [different.index(one) for one in rivals]  # their numbers, to draw from
        self.past: list[int] = []  # numbers of past selves that games may draw, the newest last
        self.size = size
        self.self_play = self_play

    @property
    def kinds(self) -> int:
        """How many numbers `kinds_of` may give."""
        return 2 + max(self.rivals, default=-1)

    def kinds_of(self, members: Rows) -> Rows:
        """0 for a newest or past self, and a number from 1 for each different rival."""
        return np.where(members < self.kinds - 1, members + 1, 0)

    def add(self, policy: Policy) -> None:
        """Add a past self; whoever is still at a table stays a member until `forget`."""
        if self.size:
            self.past.append(max(self.members, default=-1) + 1)
            self.members[self.past[-1]] = policy
            self.past = self.past[-self.size :]

    def forget(self, seated: set[int]) -> None:
        """Drop past selves that no game may draw and that sit at no table."""
        for number in set(self.members) - seated - set(self.past) - set(self.rivals):
            del self.members[number]

    def draw(self, random_bits: NDArray[np.uint64], newest: int) -> Rows:
        """A number for each game, by a random word each; `newest` stands for the newest self."""
        numbers = np.array([*self.rivals, *self.past] or [newest])
        place = (random_bits & np.uint64(0xFFFFFFFF)) % np.uint64(len(numbers))
        alone = (random_bits >> np.uint64(32)) / 2.0**32 < self.self_play
        drawn: Rows = np.where(alone, newest, numbers[place.astype(np.int64)])
        return drawn

    def state(self) -> dict[str, Any]:
        """The past selves and their numbers, as tensors and plain data."""
        layers = {
            number: [
                (torch.from_numpy(weight), torch.from_numpy(bias)) for weight, bias in one.layers
            ]
            for number, one in self.members.items()
            if isinstance(one, Network) and number not in self.rivals
        }
        return {"past": self.past, "layers": layers}

    def restore(self, state: dict[str, Any], like: Network) -> None:
        """Go on from a `state`; the members' dictionary stays the same one.

        like: a player of the kind that all past selves are.
        """
        self.past = state["past"]
        for number, layers in state["layers"].items():
            arrays = [(weight.numpy(), bias.numpy()) for weight, bias in layers]
            self.members[number] = like.with_layers(arrays)
