"""The opponent pool: past versions of the learner and fixed opponents, drawn for every game.

With probability `self_play` a game is among newest versions. In any other, one learner meets
members of the pool: one member in all other seats or, in a share `mixed` of these games, a member
drawn for each seat. The pool keeps a table of results and draws by prioritised fictitious
self-play: the weight of a member is (1 - w)^priority, where w is the learner's share of the games
that either of the two won, 1/2 where they are equally strong. Whoever the learner loses to is met
more often. A fixed opponent that is given several times has so much more weight.

Vinyals et al., "Grandmaster level in StarCraft II using multi-agent reinforcement learning",
Nature 575, 2019: there, w is the probability that the learner beats the member.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ..agents.network import Network
from ..envs.engine.kernels import derive_each
from ..envs.engine.protocol import Rows
from ..envs.policy import Policy
from ..envs.self_play import EndedRows

_HALF_LIFE = 1000  # games against a member after which a result counts half
_PRIOR_WINS = 5.0  # of both, with which every result begins
_NO_RESULT = 0, 0.0, 0.0
Result = tuple[int, float, float]  # games, wins of the learner, wins of the other


class OpponentPool:
    """The members by number; fixed opponents have the first numbers and never leave.

    Attributes:
        members: Policies by number.
        fixed: Numbers of the fixed opponents, to draw from; one may be there several times.
        past: Numbers of past versions that games may draw, the newest last.
    """

    def __init__(
        self,
        fixed: Sequence[Policy],
        size: int,
        self_play: float,
        *,
        mixed: float = 0.0,
        priority: float = 0.0,
    ) -> None:
        """Make a pool without past versions.

        Args:
            fixed: Such as a scripted `expert` or a frozen champion; one given twice is drawn twice
                as often, and is one member nevertheless.
            size: Past versions kept; the oldest leaves first.
            self_play: Probability that a game is among newest versions.
            mixed: Probability that, in any other game, each seat draws an opponent of its own.
            priority: Exponent of the weights; 0: all are drawn alike.
        """
        different = list({id(policy): policy for policy in fixed}.values())
        self.members: dict[int, Policy] = dict(enumerate(different))
        self.fixed = [different.index(policy) for policy in fixed]
        self.past: list[int] = []
        self.size, self.self_play = size, self_play
        self.mixed, self.priority = mixed, priority
        # By member; old wins count less.
        self._results: dict[int, Result] = {}

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
            self._results.pop(number, None)

    def record(self, ended: EndedRows) -> None:
        """Add games that have ended to the table of results, where learners met members."""
        rows, seats = np.nonzero(ended.seating >= 0)
        members = ended.seating[rows, seats]
        wins = ended.win_shares[rows, ended.learners[rows]]
        losses = ended.win_shares[rows, seats]
        for number in np.unique(members).tolist():
            among = members == number
            games = len(np.unique(rows[among]))
            fading = 0.5 ** (games / _HALF_LIFE)
            games_before, wins_before, losses_before = self._results.get(number, _NO_RESULT)
            self._results[number] = (
                games_before + games,
                wins_before * fading + float(wins[among].sum()),
                losses_before * fading + float(losses[among].sum()),
            )

    def results(self) -> NDArray[np.float64]:
        """Return the table of results by kind of opponent (see `kinds_of`).

        Returns:
            float64 (kinds, 3): games, wins of the learner and wins of the opponents in them; where
            several seats had the same member, those of each pair count.
        """
        table = np.zeros((self.kinds, 3))
        for number, result in self._results.items():
            table[self.kinds_of(np.array(number))] += result
        return table

    def draw(self, random_bits: NDArray[np.uint64], newest: int, players: int = 2) -> Rows:
        """Draw an opponent for each seat of some games.

        Args:
            random_bits: uint64 (games,).
            newest: The number that stands for the newest version.
            players: Seats of each game.

        Returns:
            Numbers of members, int64 (games, players); `newest` in all seats of a game among newest
            versions.
        """
        numbers = [*self.fixed, *self.past] or [newest]
        alone = (random_bits >> np.uint64(32)) / 2.0**32 < self.self_play
        bits = np.repeat(random_bits[:, None], players, axis=1)
        if self.mixed:
            own_bits = np.empty(len(bits) * (players + 1), np.uint64)
            columns = np.tile(np.arange(players + 1), len(bits))
            derive_each(np.repeat(random_bits, players + 1), columns, own_bits)
            which, *seats = own_bits.reshape(-1, players + 1).T
            is_mixed = (which >> np.uint64(32)) / 2.0**32 < self.mixed
            bits = np.where(is_mixed[:, None], np.transpose(seats), bits)
        drawn: Rows = np.array(numbers)[self._places(bits, numbers)]
        return np.where(alone[:, None], newest, drawn)

    def _places(self, random_bits: NDArray[np.uint64], numbers: Sequence[int]) -> Rows:
        """Draw places in `numbers` by the members' weights, in the shape of the bits."""
        _, wins, losses = np.array([self._results.get(k, _NO_RESULT) for k in numbers]).T
        weights = (1 - win_share(wins, losses)) ** self.priority
        ends = weights.cumsum() * (len(numbers) / weights.sum())
        low, count = random_bits & np.uint64(0xFFFFFFFF), np.uint64(len(numbers))
        points = low % count + (low // count) * (len(numbers) / 2.0**32)  # 0 to len(numbers)
        return np.searchsorted(ends[:-1], points, side="right")

    def state(self) -> dict[str, Any]:
        """Return the past versions and their numbers, as tensors and plain data."""
        versions = {
            number: ([list(map(torch.from_numpy, layer)) for layer in member.layers], member.margin)
            for number, member in self.members.items()
            if isinstance(member, Network) and number not in self.fixed
        }
        return {"past": self.past, "versions": versions, "results": self._results}

    def restore(self, state: dict[str, Any], like: Network) -> None:
        """Continue from a `state`; `members` stays the same dictionary.

        Args:
            state: What `state` returned.
            like: An agent of the kind of all past versions.
        """
        self.past, self._results = state["past"], state["results"]
        for number, (layers, margin) in state["versions"].items():
            arrays = [(weight.numpy(), bias.numpy()) for weight, bias in layers]
            self.members[number] = version = like.with_layers(arrays)
            version.margin = margin


def win_share(wins: NDArray[np.float64], losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the games that either of two won, 1/2 where they are equally strong."""
    share: NDArray[np.float64] = (wins + _PRIOR_WINS) / (wins + losses + 2 * _PRIOR_WINS)
    return share
