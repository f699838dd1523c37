"""Rewards of a decision, and shares of a win."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...errors import SettingsError, describe_error, one_line, quoted
from ...naming import import_attribute, unknown_name
from .compile import device, kernel
from .reading import number_or_none
from .settings import GameSettings
from .state import CardGameState

POINTS, WIN, RANK, OWN = 0, 1, 2, 3
REWARDS = ("points", "win", "rank")  # by name; OWN is a function
ILLEGAL_CHOICES = ("raise", "lose")  # what an illegal action does
POINTS_SCALE = 100.0  # points that are worth a reward of 1

Totals = NDArray[np.int32]  # half points, as states keep them

# Called with the points of the seats in a finished game, float64 (seats,), low is good; returns
# their rewards, (seats,).
RewardFunction = Callable[[NDArray[np.float64]], ArrayLike]
Reward = str | RewardFunction


@device
def reward(state: CardGameState, seat: int, reward_kind: int) -> float:
    """Return the reward of a seat for the last decision.

    It is zero unless the decision ended a round (for WIN and RANK, the game), and sums to zero over
    the seats. POINTS: the others' mean of the round's points less the own, in hundreds. WIN: 1 for
    the only winner and -1 / (n - 1) for the others; k winners share: each gets
    (n / k - 1) / (n - 1). RANK: how many others have more points less how many have fewer, divided
    by (n - 1): from 1 for the only winner to -1 for the only last. OWN: zero; Python adds what the
    function says (`final_rewards`).

    Args:
        state: The state after the decision.
        seat: Whose reward.
        reward_kind: POINTS, WIN, RANK or OWN.
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
    if state.over == 0 or reward_kind == OWN:
        return 0.0
    if reward_kind == RANK:
        beaten = 0
        for other in range(players):
            if state.scores[other] > state.scores[seat]:
                beaten += 1
            elif state.scores[other] < state.scores[seat]:
                beaten -= 1
        return float(beaten / (players - 1))
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


def read_reward(reward: Reward) -> tuple[int, RewardFunction | None]:
    """Return the number by which kernels know a reward, and its function if it is one.

    Args:
        reward: A name of REWARDS, a function of the final points (see `RewardFunction`), or its
            name as `module:function`.

    Raises:
        SettingsError: It is none of these, or the function cannot be imported.
    """
    if isinstance(reward, str) and reward in REWARDS:
        return REWARDS.index(reward), None
    function = reward
    if isinstance(reward, str) and ":" in reward:
        try:
            function = import_attribute(reward)
        except Exception as error:
            raise SettingsError(
                one_line(f"reward {quoted(reward)}: {describe_error(error)}")
            ) from None
    if not callable(function):
        names = (*REWARDS, "module:function", "a function of the final points")
        raise unknown_name(SettingsError, "reward", reward, names)
    return OWN, function


def illegal_loss(
    illegal: str, illegal_reward: float | None, reward_kind: int, settings: GameSettings
) -> float | None:
    """Return the reward of a seat whose illegal action ends the game; None where it raises.

    Left to the library it is -1 for WIN and -2 for RANK. For POINTS it is below what a whole game
    can bring: -(1 + settings.points_bound() / 100).

    Args:
        illegal: What an illegal action does, one of ILLEGAL_CHOICES.
        illegal_reward: The reward, or None to leave it to the library.
        reward_kind: POINTS, WIN, RANK or OWN.
        settings: Those of the game.

    Raises:
        SettingsError: A value is not allowed, or `illegal_reward` is missing for OWN.
    """
    if illegal not in ILLEGAL_CHOICES:
        choices = " or ".join(map(repr, ILLEGAL_CHOICES))
        raise SettingsError(f"illegal must be {choices}, not {quoted(illegal)}")
    loss = number_or_none(illegal_reward)
    if illegal_reward is not None and (loss is None or not np.isfinite(loss)):
        raise SettingsError(f"illegal_reward must be a finite number, not {quoted(illegal_reward)}")
    if illegal == "raise":
        return None
    if loss is not None:
        return float(loss)
    if reward_kind == OWN:
        raise SettingsError(
            "with a reward function of your own, say what an illegal action costs, such as "
            "illegal_reward=-1, or choose illegal='raise'"
        )
    if reward_kind == POINTS:
        return -(1 + settings.points_bound() / POINTS_SCALE)
    return -1.0 if reward_kind == WIN else -2.0


def final_rewards(function: RewardFunction, points: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return what a reward function says of finished games, float32 (games, seats).

    Args:
        function: See `RewardFunction`; each call gets a copy.
        points: float64 (games, seats).

    Raises:
        SettingsError: It returns anything but a finite number for each seat.
    """
    rewards = np.zeros(points.shape, np.float32)
    for game, row in enumerate(points):
        try:
            game_rewards = np.asarray(function(row.copy()), np.float32)
        except (TypeError, ValueError) as error:
            raise SettingsError(one_line(f"the reward function: {describe_error(error)}")) from None
        if game_rewards.shape != row.shape or not np.isfinite(game_rewards).all():
            what = f"{quoted(game_rewards.tolist())} for the points {row.tolist()}"
            raise SettingsError(
                one_line(f"the reward function must return {len(row)} finite numbers, not {what}")
            )
        rewards[game] = game_rewards
    return rewards
