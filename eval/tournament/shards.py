"""A shard of a tournament: all games of some deals, played, replayed and counted.

A shard is a pure function of the configuration, its number and the agents.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ...envs.batch import derive_seeds
from ...envs.engine.game import Game
from ...envs.engine.history import LoggingStates
from ...envs.engine.rewards import win_shares_each
from ...envs.engine.rollouts import counted_events, replay_each
from ...envs.engine.settings import GameSettings
from ...errors import RecordError
from ..workers.sources import AgentSource
from .config import TournamentConfig
from .guard import AgentGuard, Player, Timeout, Watchdog
from .matches import Outcomes, play_games

_LOCK, _LIMITS = Lock(), ExitStack()
_playing = 0  # threads of this process that play a shard


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit NumPy to one thread while any thread of this process plays a shard.

    More threads would change rounding, and slow it down. The limits of BLAS hold for all threads,
    those of OpenMP for one.
    """
    global _playing  # noqa: PLW0603 (limits belong to the process)
    with _LOCK:
        if not _playing:
            _LIMITS.enter_context(threadpool_limits(1, user_api="blas"))
        _playing += 1
    try:
        with threadpool_limits(1, user_api="openmp"):
            yield
    finally:
        with _LOCK:
            _playing -= 1
            if not _playing:
                _LIMITS.close()


@dataclass(frozen=True)
class PlayerCountResults:
    """The games of a shard with one number of players, deal by deal.

    Attributes:
        num_players: Number of players.
        seating: Agent of each seat, int64 (games, seats).
        seeds: Seed of each game, uint64 (games,).
        deals: Deal of each game, int64 (games,).
        outcomes: What came of the games.
        counts: Statistics of each seat, int32 (games, seats, statistics).
        endings: Rounds by the way they ended, int32 (games, endings).
        score_sheets: Half points of each seat by entry of the score sheet, int32 (games, seats,
            entries).
    """

    num_players: int
    seating: NDArray[np.int64]
    seeds: NDArray[np.uint64]
    deals: NDArray[np.int64]
    outcomes: Outcomes
    counts: NDArray[np.int32]
    endings: NDArray[np.int32]
    score_sheets: NDArray[np.int32]


@dataclass(frozen=True)
class Shard:
    """All games of a shard of a tournament, by number of players."""

    config: TournamentConfig
    number: int
    results: tuple[PlayerCountResults, ...]

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(len(results.seating) for results in self.results)


def play_shard(
    config: TournamentConfig,
    number: int,
    agents: Sequence[Player] | Sequence[AgentSource] | None = None,
    timeouts: Sequence[Timeout] = (),
    watchdog: Watchdog | None = None,
    on_finished: Callable[[int], None] = lambda _: None,
) -> Shard:
    """Play a shard; the same arguments always give the same games.

    Arguments and result pickle, so any process can play it.

    Args:
        config: The tournament.
        number: Number of the shard.
        agents: The agents of `config.names`; by default they are loaded by name.
        timeouts: Timeouts of earlier attempts; games are numbered over all player counts.
        watchdog: Surrounds every call of an agent.
        on_finished: Called with the number of games that have just ended.
    """
    sources = map(AgentSource.named, config.names) if agents is None else agents
    players = [
        source if isinstance(source, Player) else source.player(config.game) for source in sources
    ]
    deals = config.deals_in(number)
    results: list[PlayerCountResults] = []
    first_game = 0
    for num_players in config.player_counts:
        by_deal = config.seatings(num_players, deals)
        seating = by_deal.reshape(-1, num_players)
        seeds = np.repeat(derive_seeds(config.seed, len(deals), deals.start), by_deal.shape[1])
        numbers = np.repeat(np.arange(deals.start, deals.stop), by_deal.shape[1])
        settings = config.settings(num_players)
        with _one_thread():
            outcomes = play_games(
                config.game,
                settings,
                players,
                seating,
                seeds,
                forfeits=True,
                guard=AgentGuard(players, timeouts, watchdog, first_game),
                on_finished=on_finished,
            )
        counted = count_statistics(config.game, settings, seeds, outcomes)
        results.append(PlayerCountResults(num_players, seating, seeds, numbers, outcomes, *counted))
        first_game += len(seating)
    return Shard(config, number, tuple(results))


def count_statistics(
    game: Game, settings: GameSettings, seeds: NDArray[np.uint64], outcomes: Outcomes
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Replay games; return `counts`, `endings` and `score_sheets` of `PlayerCountResults`.

    Raises:
        RecordError: The actions of a game do not lead to its outcome.
    """
    total, seats = outcomes.points.shape
    counts = np.zeros((total, seats, len(game.statistics)), np.int32)
    endings = np.zeros((total, len(game.endings)), np.int32)
    sheets = np.zeros((total, seats, len(game.score_sheet)), np.int32)
    logging_states = LoggingStates(game, total)
    logging_states.load(game.new_states(settings, total))
    states = logging_states.states
    states["seed"] = seeds
    replay_each(
        states, outcomes.actions, outcomes.starts, counted_events(game), counts, endings, sheets
    )
    shares = np.zeros((total, seats))
    totals = np.ascontiguousarray(states["scores"][:, :seats])
    win_shares_each(totals, shares)
    forfeited = np.isnan(outcomes.points[:, 0])
    same = (totals / 2 == outcomes.points).all(axis=1)
    same &= (shares == outcomes.win_shares).all(axis=1) & (states["over"] == 1)
    same |= forfeited & (states["over"] == 0)
    if not same.all():
        number = int(np.flatnonzero(~same)[0])
        raise RecordError(f"game {number} does not replay to its result")
    return counts, endings, sheets
