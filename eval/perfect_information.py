"""How much there is to win, and how much of that needs a look at hidden cards.

A search meets a table full of the player that plays its worlds out: once as it is, and once told
what lies in every hand. Between the two lies what such a look brings this search: a yardstick for
players, not a bound.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.search.agent import Search
from ..envs.batch import Batch, derive_seeds
from ..envs.engine import kernels
from ..envs.engine.game import Game
from ..envs.engine.settings import GameSettings
from ..errors import SettingsError
from .statistics import Estimate, estimates

MAX_DEALS = 100_000  # their games are played side by side


@dataclass(frozen=True)
class Bound:
    """What a search reached: its share of the wins, its points and those of one of the others."""

    wins: Estimate
    points: Estimate
    others: Estimate


def perfect_information_bound(
    game: Game,
    settings: GameSettings,
    search: Search,
    *,
    hidden_hands: bool,
    deals: int,
    seed: int,
    on_games: Callable[[int], None] = lambda _: None,
) -> Bound:
    """Let a search meet its own adviser in all other seats, from each seat of every deal.

    hidden_hands: whether the search is told all hands; what lies in the pile and chance to come
    stay hidden. on_games: called with the number of games that are over, now and then.
    Raises SettingsError for fewer than two deals or more than MAX_DEALS.
    """
    if not 2 <= deals <= MAX_DEALS:
        raise SettingsError(f"deals must be from 2 to {MAX_DEALS}, not {deals}")
    players = settings.num_players
    seats = np.tile(np.arange(players), deals)
    seeds = np.repeat(derive_seeds(seed, deals), players)
    batch = Batch(game, settings, len(seats))
    batch.start(seeds)
    for number in count():
        batch.play_until_turn(seats, 1, search.base_policy.policy_function)
        rows = np.flatnonzero(~batch.over)
        on_games(len(seats) - len(rows))
        if not len(rows):
            break
        _, masks = batch.observe(seats[rows], rows)
        actions = masks.argmax(axis=1)
        for k in np.flatnonzero(masks.sum(axis=1) > 1):
            record = known_record(batch, rows[k], seats[rows[k]], hidden_hands)
            (bits,) = derive_seeds(int(seeds[rows[k]]), 1, number)
            actions[k] = search.visits(game, record, bits).argmax()
        batch.step(actions, rows)
    own, everybody = np.arange(len(seats)), batch.points().sum(axis=1)
    points = batch.points()[own, seats]
    results = [batch.win_shares()[own, seats], points, (everybody - points) / (players - 1)]
    by_deal = np.array(results).reshape(3, deals, players).mean(axis=2)
    return Bound(*estimates(by_deal, seed))


def known_record(batch: Batch, row: int, seat: int, hidden_hands: bool) -> NDArray[Any]:
    """A game as a seat knows it, or would if it knew every card in the hands of the others."""
    games, first, seats = (
        batch.copy(np.array([row])).states,
        np.zeros(1, np.int64),
        np.array([seat]),
    )
    if hidden_hands:
        players = batch.settings.num_players
        hands = games["hands"][0, (seat + np.arange(1, players)) % players]
        known = np.empty((1, *hands.shape), np.uint8)
        kernels.get_known_cards_each(games, first, seats, known)
        kernels.set_known_cards_each(games, seat, hands.astype(np.uint8) - known[0])
    hidden = np.zeros_like(games)
    kernels.information_states(games, first, seats, hidden)
    return hidden
