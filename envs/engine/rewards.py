"""Rewards of a decision, and shares of a win."""

import numpy as np
from numpy.typing import NDArray

from .compile import device, kernel
from .state import CardGameState

POINTS, WIN = 0, 1
REWARDS = ("points", "win")
POINTS_SCALE = 100.0  # points that are worth a reward of 1

Totals = NDArray[np.int32]  # half points, as states keep them


@device
def reward(state: CardGameState, seat: int, reward_kind: int) -> float:
    """Return the reward of a seat for the last decision.

    It is zero unless the decision ended a round (or, for WIN, the game), and sums to zero over the
    seats. POINTS: the others' mean of the round's points less the own, in hundreds. WIN: 1 for the
    only winner and -1 / (n - 1) for the others; k winners share: each gets (n / k - 1) / (n - 1).

    Args:
        state: The state after the decision.
        seat: Whose reward.
        reward_kind: POINTS or WIN.
    """
    players = state.num_players
    if state.round_ended == 0:
        return 0.0
    if reward_kind == POINTS:
        total = 0.0
        for other in range(players):
            total += state.round_points[other]
        own = float(state.round_points[seat])
        others = (total - own) / (players - 1)
        return float((others - own) / (2.0 * POINTS_SCALE))  # points are kept in halves
    if state.over == 0:
        return 0.0
    return float((players * win_share(state.scores[:players], seat) - 1.0) / (players - 1))


@device
def write_rewards(state: CardGameState, reward_kind: int, rewards: NDArray[np.float32]) -> None:
    """Write the rewards of all seats for the last decision, (seats,)."""
    if state.round_ended == 0:  # as mostly
        rewards[:] = 0
        return
    for seat in range(state.num_players):
        rewards[seat] = reward(state, seat, reward_kind)


@device
def win_share(totals: Totals, seat: int) -> float:
    """Return a seat's share of a win by all totals: the lowest wins, equal totals share."""
    winners = 0
    for other in range(len(totals)):
        if totals[other] < totals[seat]:
            return 0.0
        if totals[other] == totals[seat]:
            winners += 1
    return 1.0 / winners


@kernel
def win_shares_each(totals: Totals, out: NDArray[np.float64]) -> None:
    """Write each seat's share of the win of finished games; both arrays are (games, seats)."""
    for k in range(len(totals)):
        for seat in range(totals.shape[1]):
            out[k, seat] = win_share(totals[k], seat)
