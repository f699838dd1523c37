"""Strategies on a tree: their values, best responses, and how far they are from an equilibrium.

A strategy of a player is float64 (sequences,): at each sequence the probability of its action in
its information state, and 1 at the empty one. A plan is, at each sequence, the product of all these
up to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import kernel
from .tree import EMPTY, SequenceForm, Side

Strategies = Sequence[NDArray[np.float64]]  # one for each player


@dataclass(frozen=True)
class Exploitability:
    """What the players get, and what each could get by a best response to the others.

    Attributes:
        values: float64 (players,), the mean return of each player.
        best_responses: float64 (players,), the mean return of each with its best response.
        num_histories: Ends of the game in its tree; a float above 2**53.
    """

    values: NDArray[np.float64]
    best_responses: NDArray[np.float64]
    num_histories: float

    @property
    def nash_conv(self) -> float:
        """Sum of what each player could gain alone, OpenSpiel's NashConv; 0 in an equilibrium."""
        return float((self.best_responses - self.values).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {
            "reward": "win",
            "histories": int(self.num_histories),
            "value": self.values.tolist(),
            "best_response": self.best_responses.tolist(),
            "gain": (self.best_responses - self.values).tolist(),
            "nash_conv": self.nash_conv,
        }


@dataclass(frozen=True)
class BestResponse:
    """The best response of a player to the strategies of the others.

    Attributes:
        value: Its mean return.
        strategy: A deterministic strategy with this value.
    """

    value: float
    strategy: NDArray[np.float64]


def plans_of(tree: SequenceForm, strategies: Strategies) -> NDArray[np.float64]:
    """Return the plans of strategies, (players, longest plan); zeros fill up."""
    plans = np.zeros((len(tree.sides), max(side.num_sequences for side in tree.sides)))
    for plan, side, strategy in zip(plans, tree.sides, strategies, strict=True):
        write_plan(side.parents, side.starts, strategy, plan)
    return plans


def values(tree: SequenceForm, strategies: Strategies) -> NDArray[np.float64]:
    """Return the mean returns of the players, (players,)."""
    plans = plans_of(tree, strategies)
    return np.array([plan @ gradient(tree, plans, seat) for seat, plan in enumerate(plans)])


def best_response(tree: SequenceForm, strategies: Strategies, seat: int) -> BestResponse:
    """Return the best response of a player to the strategies of the others."""
    gains = gradient(tree, plans_of(tree, strategies), seat)
    return respond(tree.sides[seat], gains)


def nash_conv(tree: SequenceForm, strategies: Strategies) -> float:
    """Return the sum of what each player could gain by a best response to the others.

    This is OpenSpiel's NashConv, 0 in an equilibrium; with two players twice the exploitability.
    """
    seats = range(len(tree.sides))
    best = sum(best_response(tree, strategies, seat).value for seat in seats)
    return float(best - values(tree, strategies).sum())


def gradient(tree: SequenceForm, plans: NDArray[np.float64], seat: int) -> NDArray[np.float64]:
    """Return the gain of each sequence of a player where the others play plans, (longest plan,)."""
    gains = np.zeros(plans.shape[1])
    add_gains(tree.sequences, tree.payoffs, plans, seat, gains)
    return gains


def respond(side: Side, gains: NDArray[np.float64]) -> BestResponse:
    """Return the best response of a player, given the gains of its sequences; see `gradient`."""
    strategy, gains = np.zeros(side.num_sequences), gains.copy()
    choose_best(side.parents, side.starts, gains, strategy)
    return BestResponse(float(gains[EMPTY]), strategy)


@kernel
def write_plan(parents: Any, starts: Any, strategy: Any, plan: Any) -> None:
    """Write the plan of a strategy; `parents` and `starts` are those of `Side`."""
    plan[EMPTY] = 1.0
    for infoset in range(len(parents)):
        for sequence in range(starts[infoset], starts[infoset + 1]):
            plan[sequence] = plan[parents[infoset]] * strategy[sequence]


@kernel
def add_gains(sequences: Any, payoffs: Any, plans: Any, seat: int, gains: Any) -> None:
    """Add the gains of the sequences of a player; see `gradient`."""
    for row in range(len(sequences)):
        gained = payoffs[row, seat]
        for other in range(sequences.shape[1]):
            if other != seat:
                gained *= plans[other, sequences[row, other]]
        gains[sequences[row, seat]] += gained


@kernel
def choose_best(parents: Any, starts: Any, gains: Any, strategy: Any) -> None:
    """Choose the first of the best actions in each information state, the last ones first.

    Args:
        parents: See `Side`.
        starts: See `Side`.
        gains: The gain of each sequence; those of later sequences are added.
        strategy: float64 (sequences,), zeros; written.
    """
    strategy[EMPTY] = 1.0
    for infoset in range(len(parents) - 1, -1, -1):
        best = starts[infoset]
        for sequence in range(starts[infoset], starts[infoset + 1]):
            if gains[sequence] > gains[best]:
                best = sequence
        strategy[best] = 1.0
        gains[parents[infoset]] += gains[best]
