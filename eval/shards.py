"""A block of a tournament: some deals at all tables, played, replayed and counted.

A block is a pure function of the plan, its number and the agents, whoever plays it and when.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ..envs.batch import derive_seeds
from ..envs.engine.game import Game
from ..envs.engine.rewards import win_shares_each
from ..envs.engine.rollouts import replay_each
from ..envs.engine.settings import GameSettings
from ..errors import RecordError
from .config import TournamentConfig
from .guard import Clock, Hang, Player
from .matches import Outcomes, play_games


@dataclass(frozen=True)
class PlayerCountResults:
    """The games of a block at the tables of one size, deal by deal.

    seating: int64 (games, seats), agents by number. seeds: uint64 (games,). deals: int64 (games,).
    counts: int32 (games, seats, statistics), endings: int32 (games, ways a round can end).
    """

    players: int
    seating: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    deals: NDArray[np.int64]
    outcomes: Outcomes
    counts: NDArray[np.int32]
    endings: NDArray[np.int32]


@dataclass(frozen=True)
class Shard:
    """All games of a block, table size by table size."""

    number: int
    parts: tuple[PlayerCountResults, ...]


def play_shard(
    plan: TournamentConfig,
    number: int,
    players: Sequence[Player],
    hangs: Sequence[Hang] = (),
    clock: Clock | None = None,
    on_finished: Callable[[int], None] = lambda _: None,
) -> Shard:
    """Play a block; `hangs` count its games through from the first table size to the last."""
    deals = plan.deals_in(number)
    parts: list[PlayerCountResults] = []
    first = 0
    for size in plan.tables:
        one_deal = plan.one_deal(size)
        seating = np.tile(one_deal, (len(deals), 1))
        seeds = np.repeat(derive_seeds(plan.seed, len(deals), deals.start), len(one_deal))
        settings = plan.settings(size)
        here = [hang.moved(-first) for hang in hangs]
        with threadpool_limits(1):  # more round differently, and wait for busy cores
            outcomes = play_games(
                plan.game,
                settings,
                players,
                seating,
                seeds,
                forfeits=True,
                hangs=here,
                clock=clock and clock.moved(first),
                on_finished=on_finished,
            )
        counts, endings = count(plan.game, settings, seeds, outcomes)
        numbers = np.repeat(np.arange(deals.start, deals.stop), len(one_deal))
        parts.append(PlayerCountResults(size, seating, seeds, numbers, outcomes, counts, endings))
        first += len(seating)
    return Shard(number, tuple(parts))


def count(
    game: Game, settings: GameSettings, seeds: NDArray[np.uint64], outcomes: Outcomes
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Replay games from what is recorded of them and count; shapes as in `PlayerCountResults`.

    Raises RecordError when a record does not lead to the outcome it belongs to.
    """
    total, seats = outcomes.points.shape
    counts = np.zeros((total, seats, len(game.statistics)), np.int32)
    endings = np.zeros((total, len(game.endings)), np.int32)
    games, before = game.new_states(settings, total), game.new_states(settings, 1)
    games["seed"] = seeds
    wrong = replay_each(games, before, outcomes.actions, outcomes.starts, counts, endings)
    if wrong >= 0:
        number = int(np.searchsorted(outcomes.starts, wrong, side="right")) - 1
        move = wrong - int(outcomes.starts[number]) + 1
        raise RecordError(f"game {number} does not replay: move {move} is not legal")
    won = np.zeros((total, seats))
    totals = games["scores"][:, :seats]
    win_shares_each(totals, won)
    given_up = np.isnan(outcomes.points[:, 0])
    same = (totals / 2 == outcomes.points).all(axis=1)
    same &= (won == outcomes.win_shares).all(axis=1) & (games["over"] == 1)
    same |= given_up & (games["over"] == 0)
    if not same.all():
        number = int(np.flatnonzero(~same)[0])
        raise RecordError(f"game {number} does not replay to its result")
    return counts, endings
