"""CFR+: strategies whose regret vanishes, an equilibrium for two players.

Tammelin, Burch, Johanson, Bowling: Solving heads-up limit Texas hold'em (IJCAI 2015), on the
sequence form, with alternating updates and plans averaged with the weight t².
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import kernel
from .strategies import gradient, plans_of, respond, write_plan
from .tree import SequenceForm


class Solver:
    """CFR+ on a tree. Its arrays are all its state, so it can be saved and restored.

    Attributes:
        iteration: Iterations so far.
        regrets: float64 (players, longest plan), the positive regrets of all sequences.
        averages: float64 (players, longest plan), plans summed with their weights.
        gains: float64 (players, longest plan), gains of sequences summed likewise; for the gap to a
            coarse correlated equilibrium, with three and more players.
        received: float64 (players,), returns, likewise.
    """

    ARRAYS = ("regrets", "averages", "gains", "received")

    def __init__(self, tree: SequenceForm) -> None:
        self.tree = tree
        self.iteration = 0
        self._strategies = [side.uniform() for side in tree.sides]
        self._plans = plans_of(tree, self._strategies)
        self.regrets = np.zeros_like(self._plans)
        self.averages = np.zeros_like(self._plans)
        self.gains = np.zeros_like(self._plans)
        self.received = np.zeros(len(tree.sides))

    def run(self, iterations: int) -> None:
        """Do some more iterations."""
        for _ in range(iterations):
            self.iteration += 1
            weight = float(self.iteration**2)
            for seat, side in enumerate(self.tree.sides):
                gains, strategy = gradient(self.tree, self._plans, seat), self._strategies[seat]
                add_regrets(side.parents, side.starts, gains, strategy, self.regrets[seat])
                self._match_regrets(seat)
                self.averages[seat] += weight * self._plans[seat]
            if len(self.tree.sides) > 2:
                for seat, plan in enumerate(self._plans):
                    gains = gradient(self.tree, self._plans, seat)
                    self.gains[seat] += weight * gains
                    self.received[seat] += weight * (plan @ gains)

    def _match_regrets(self, seat: int) -> None:
        """Let a player play by its regrets."""
        side, strategy = self.tree.sides[seat], self._strategies[seat]
        normalize(side.starts, self.regrets[seat], strategy)
        write_plan(side.parents, side.starts, strategy, self._plans[seat])

    def strategies(self) -> list[NDArray[np.float64]]:
        """Return the average strategies, one for each player."""
        strategies = [np.ones(side.num_sequences) for side in self.tree.sides]
        for side, average, strategy in zip(self.tree.sides, self.averages, strategies, strict=True):
            normalize(side.starts, average, strategy)
        return strategies

    def correlated_gap(self) -> float:
        """Return the distance of all iterations together from a coarse correlated equilibrium.

        It is the most that a player could have gained by one fixed strategy in all iterations.
        """
        weights = sum(t**2 for t in range(1, self.iteration + 1))
        rows = zip(self.tree.sides, self.gains, self.received, strict=True)
        regrets = [respond(side, gains).value - received for side, gains, received in rows]
        return float(max(regrets) / weights)

    def restore(self, iteration: int, arrays: dict[str, NDArray[np.float64]]) -> None:
        """Go on from a state that was saved: the iteration, and the arrays of `ARRAYS`."""
        self.iteration = iteration
        for name in self.ARRAYS:
            getattr(self, name)[...] = arrays[name]
        for seat in range(len(self.tree.sides)):
            self._match_regrets(seat)


@kernel
def add_regrets(parents: Any, starts: Any, gains: Any, strategy: Any, regrets: Any) -> None:
    """Add what each action of a player would have gained; negative regrets become 0.

    Args:
        parents: See `Side`.
        starts: See `Side`.
        gains: The gain of each sequence; those of later sequences are added.
        strategy: What the player has played.
        regrets: Added to.
    """
    for infoset in range(len(parents) - 1, -1, -1):
        first, end, value = starts[infoset], starts[infoset + 1], 0.0
        for sequence in range(first, end):
            value += strategy[sequence] * gains[sequence]
        for sequence in range(first, end):
            regrets[sequence] = max(0.0, regrets[sequence] + gains[sequence] - value)
        gains[parents[infoset]] += value


@kernel
def normalize(starts: Any, weights: Any, strategy: Any) -> None:
    """Write the strategy that plays by weights, or at random where all are 0."""
    for infoset in range(len(starts) - 1):
        first, end, total = starts[infoset], starts[infoset + 1], 0.0
        for sequence in range(first, end):
            total += weights[sequence]
        for sequence in range(first, end):
            share = weights[sequence] / total if total > 0.0 else 1.0 / (end - first)
            strategy[sequence] = share
