"""Playing many games between given players, in lockstep and in batches for each player."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.batch import Batch
from goldgriff.envs.core.errors import AgentError
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import Rows, draw_words
from goldgriff.envs.core.policy import views_of, wants_records
from goldgriff.envs.core.settings import GameSettings
from goldgriff.eval.asking import Asker, Clock, Hang, Player

BATCH_SIZE = 2048  # games in play at a time; results do not depend on it


@dataclass(frozen=True)
class Forfeit:
    """A game that ended because the player in one seat was at fault, with the reason."""

    game: int
    seat: int
    reason: str


@dataclass(frozen=True)
class Outcomes:
    """What came of the games, in their order.

    points: float64 (games, seats), low is good; NaN in a forfeited game.
    win_shares: float64 (games, seats), sum to 1; whoever forfeits gets 0, the others even shares.
    capped: bool (games,), whether a round reached the cap on decisions.
    forfeits: in the order of the games.
    actions: of all games in the smallest unsigned type; those of game k from `starts[k]`, int64
    (games + 1,), to `starts[k + 1]`.
    seconds, decisions: (players,), time spent deciding and decisions asked for.
    """

    points: NDArray[np.float64]
    win_shares: NDArray[np.float64]
    capped: NDArray[np.bool_]
    forfeits: tuple[Forfeit, ...]
    actions: NDArray[np.uint8]
    starts: NDArray[np.int64]
    seconds: NDArray[np.float64]
    decisions: NDArray[np.int64]


def play_games(
    game: Game,
    settings: GameSettings,
    players: Sequence[Player],
    seating: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    *,
    batch_size: int = BATCH_SIZE,
    threads: int = 1,
    forfeits: bool = False,
    hangs: Sequence[Hang] = (),
    clock: Clock | None = None,
    on_finished: Callable[[int], None] = lambda _: None,
) -> Outcomes:
    """Play a game for each row of `seating`, which holds the seats' players by number.

    seating: (games, seats). seeds: (games,); games with one seed meet the same deals, and a seat
    the same luck. forfeits: whether a player that fails or chooses an illegal action forfeits that
    game and the rest goes on. hangs, clock: see `asking`. on_finished: called with the number of
    games that have just ended.

    Raises AgentError, naming the player, for a fault without `forfeits`.
    """
    total, seats = seating.shape
    tables = min(batch_size, total)
    batch = Batch(game, settings, tables, threads=threads)
    asker = Asker(players, hangs, clock)
    points, shares = np.full((total, seats), np.nan), np.zeros((total, seats))
    capped = np.zeros(total, bool)
    given_up: list[Forfeit] = []
    log = _Log(game, total)
    asked = np.zeros((tables, seats), np.int64)  # decisions asked of each seat, for its luck
    playing = np.arange(tables)  # the game at each table
    batch.start(seeds[:tables])
    active, waiting = np.arange(tables), tables

    while len(active):
        movers, numbers = batch.movers[active], playing[active]
        words = np.empty(len(active), np.uint64)
        moves = asked[active].sum(axis=1)
        draw_words(batch.games, active, asked, words)
        whose = seating[numbers, movers]
        actions, faults = _ask_all(asker, batch, active, words, whose, numbers, moves)
        for place, reason in faults.items():
            if not forfeits:
                raise AgentError(f"agent {players[whose[place]].name!r}: {reason}")
        lost = np.array(sorted(faults), np.int64)  # places in `active`
        for place in lost.tolist():
            number, seat = int(numbers[place]), int(movers[place])
            given_up.append(Forfeit(number, seat, faults[place]))
            shares[number] = 1 / (seats - 1)
            shares[number, seat] = 0
        left = active[lost]
        if len(lost):
            active, actions = np.delete(active, lost), np.delete(actions, lost)
        batch.step(actions, active)
        log.add(playing[active], actions)

        over = batch.over[active]
        if not (over.any() or len(left)):
            continue
        ended = active[over]
        numbers = playing[ended]
        points[numbers], shares[numbers] = batch.points()[ended], batch.win_shares()[ended]
        capped[numbers] = batch.games["capped_rounds"][ended] > 0
        ended = np.concatenate([ended, left])
        on_finished(len(ended))
        again = ended[: total - waiting]
        playing[again] = np.arange(waiting, waiting + len(again))
        asked[again] = 0
        if len(again):
            batch.start(seeds[playing[again]], again)
        waiting += len(again)
        active = np.sort(np.concatenate([active[~over], again]))
    given_up.sort(key=lambda forfeit: forfeit.game)
    return Outcomes(
        points, shares, capped, tuple(given_up), *log.by_game(), asker.seconds, asker.decisions
    )


def _ask_all(
    asker: Asker,
    batch: Batch,
    rows: Rows,
    words: NDArray[np.uint64],
    whose: Rows,
    games: Rows,
    moves: Rows,
) -> tuple[Rows, dict[int, str]]:
    """Every player's actions where it is to move, and the faults by their place in `rows`."""
    actions, faults = np.empty(len(rows), np.int64), dict[int, str]()
    for number in np.unique(whose).tolist():
        mine = np.flatnonzero(whose == number)
        records = wants_records(asker.players[number].policy)
        views = views_of(batch, rows[mine], words[mine], records=records)
        actions[mine], reasons = asker.ask(number, views, games[mine], moves[mine])
        faults |= {int(mine[row]): reason for row, reason in reasons.items()}
    return actions, faults


class _Log:
    """The actions as they are played, step by step."""

    def __init__(self, game: Game, total: int) -> None:
        self._total = total
        self._kind = np.min_scalar_type(len(game.actions) - 1)
        self._small = np.min_scalar_type(total)  # small numbers are sorted much faster
        self._games: list[NDArray[np.integer]] = []
        self._actions: list[NDArray[np.uint8]] = []

    def add(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Note an action of each of some games."""
        self._games.append(games.astype(self._small))
        self._actions.append(actions.astype(self._kind))

    def by_game(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """All actions game by game, and where each game's begin."""
        games, actions = np.concatenate(self._games), np.concatenate(self._actions)
        starts = np.zeros(self._total + 1, np.int64)
        np.cumsum(np.bincount(games, minlength=self._total), out=starts[1:])
        return actions[np.argsort(games, kind="stable")], starts
