"""The perfect-information bound: the win share of a search that knows all hands.

The search plays against its own base policy in all other seats, once with its own hand known and
once with all hands known. The difference is the value of that knowledge for this search. The bound
is not strict: an agent that plans better may win as much without the knowledge.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.search.agent import Search
from ...envs.batch import Batch, derive_seeds
from ...envs.engine import kernels
from ...envs.engine.game import Game
from ...envs.engine.reading import read_whole
from ...envs.engine.settings import GameSettings
from ..tournament.statistics import SHARES, Estimate, estimate, estimates

MAX_DEALS = 100_000  # all their games are in play at the same time


@dataclass(frozen=True)
class Bound:
    """The results of a search.

    Attributes:
        win_share: Its mean win share.
        points: Its mean points in a game.
        opponent_points: Mean points of one of its opponents.
    """

    win_share: Estimate
    points: Estimate
    opponent_points: Estimate


def perfect_information_bound(
    game: Game,
    settings: GameSettings,
    search: Search,
    *,
    open_hands: bool,
    deals: int,
    seed: int,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Bound:
    """Play a search against its own base policy, from each seat of every deal.

    Args:
        game: Kind of game.
        settings: Its settings.
        search: The search.
        open_hands: Whether the search knows all hands; the pile and future chance stay hidden.
        deals: Number of deals, 2 to `MAX_DEALS`.
        seed: Seed of the deals.
        on_progress: Called with the number of games that are over.

    Raises:
        SettingsError: `deals` is out of range.
    """
    deals = read_whole("deals", deals, 2, MAX_DEALS)
    players = settings.num_players
    seats = np.tile(np.arange(players), deals)
    seeds = np.repeat(derive_seeds(seed, deals), players)
    batch = Batch(game, settings, len(seats))
    batch.start(seeds)
    for turn in count():
        batch.play_until_turn(seats, 1, search.base_policy.policy_function)
        rows = np.flatnonzero(~batch.over)
        on_progress(len(seats) - len(rows))
        if not len(rows):
            break
        _, masks = batch.observe(seats[rows], rows)
        actions = masks.argmax(axis=1)
        for k in np.flatnonzero(masks.sum(axis=1) > 1):
            state = known_state(batch, rows[k], seats[rows[k]], open_hands=open_hands)
            (bits,) = derive_seeds(int(seeds[rows[k]]), 1, turn)
            actions[k] = search.visits(game, state, bits).argmax()
        batch.step(actions, rows)
    own, totals = np.arange(len(seats)), batch.points().sum(axis=1)
    points = batch.points()[own, seats]
    results = [batch.win_shares()[own, seats], points, (totals - points) / (players - 1)]
    by_deal = np.array(results).reshape(3, deals, players).mean(axis=2)
    return Bound(estimate(by_deal[0], seed, SHARES), *estimates(by_deal[1:], seed))


def known_state(batch: Batch, row: int, seat: int, *, open_hands: bool) -> NDArray[Any]:
    """Return the information state of a seat, shape (1,), with all hands known if they are open."""
    states = batch.copy(np.array([row])).states
    first, seats = np.zeros(1, np.int64), np.array([seat])
    if open_hands:
        players = batch.settings.num_players
        others = (seat + np.arange(1, players)) % players
        states["known"][0, seat, : players - 1] = states["hands"][0, others]
        states["known_sizes"][0, others, seat] = states["hand_sizes"][0, others]
    information_state = np.zeros_like(states)
    kernels.information_states(states, first, seats, information_state)
    return information_state
