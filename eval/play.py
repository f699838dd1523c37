"""Playing many games between given players, in lockstep and in batches for each player."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.batch import Batch
from goldgriff.envs.core.errors import AgentError
from goldgriff.envs.core.game import Game, explain_illegal
from goldgriff.envs.core.kernels import Rows, draw_words, find_illegal
from goldgriff.envs.core.policy import Policy, Views
from goldgriff.envs.core.settings import GameSettings

BATCH_SIZE = 2048  # games in play at a time; results do not depend on it


@dataclass(frozen=True)
class Player:
    """A policy under the name that reports use."""

    name: str
    policy: Policy


@dataclass(frozen=True)
class Outcomes:
    """What came of the games, in their order.

    points, win_shares: float64 (games, seats); low points are good, shares sum to 1.
    capped: bool (games,), whether a round reached the cap on decisions.
    decisions: all decisions made.
    """

    points: NDArray[np.float64]
    win_shares: NDArray[np.float64]
    capped: NDArray[np.bool_]
    decisions: int


def play_games(
    game: Game,
    settings: GameSettings,
    players: Sequence[Player],
    seating: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    *,
    batch_size: int = BATCH_SIZE,
    threads: int = 1,
    on_finished: Callable[[int], None] = lambda _: None,
) -> Outcomes:
    """Play a game for each row of `seating`, which holds the seats' players by number.

    seating: (games, seats). seeds: (games,); games with one seed meet the same deals, and a seat
    the same luck. on_finished: called with the number of games that have just ended.

    Raises AgentError, naming the player, when one fails or chooses an illegal action.
    """
    total, seats = seating.shape
    tables = min(batch_size, total)
    batch = Batch(game, settings, tables, threads=threads)
    points, shares = np.zeros((total, seats)), np.zeros((total, seats))
    capped = np.zeros(total, bool)
    asked = np.zeros((tables, seats), np.int64)  # decisions asked of each seat, for its luck
    playing = np.arange(tables)  # the game at each table
    batch.start(seeds[:tables])
    active, waiting, decisions = np.arange(tables), tables, 0

    while len(active):
        movers = batch.movers[active]
        features, masks = batch.look(movers, active)
        words = np.empty(len(active), np.uint64)
        draw_words(batch.games, active, asked, words)
        actions = np.empty(len(active), np.int64)
        whose = seating[playing[active], movers]
        for number in np.unique(whose):
            mine = np.flatnonzero(whose == number)
            views = Views(game, features[mine], masks[mine], words[mine])
            actions[mine] = _ask(players[number], views, batch, active[mine])
        batch.step(actions, active)
        decisions += len(active)

        over = batch.over[active]
        if not over.any():
            continue
        ended = active[over]
        numbers = playing[ended]
        points[numbers], shares[numbers] = batch.points()[ended], batch.win_shares()[ended]
        capped[numbers] = batch.games["capped_rounds"][ended] > 0
        on_finished(len(ended))
        again = ended[: total - waiting]
        playing[again] = np.arange(waiting, waiting + len(again))
        asked[again] = 0
        if len(again):
            batch.start(seeds[playing[again]], again)
        waiting += len(again)
        active = np.flatnonzero(~batch.over)
    return Outcomes(points, shares, capped, decisions)


def _ask(player: Player, views: Views, batch: Batch, rows: Rows) -> Rows:
    """The actions of one player, checked."""
    try:
        given = np.asarray(player.policy.act(views))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise AgentError(f"agent {player.name!r} failed: {reason}") from error
    if given.shape != (len(views),) or given.dtype.kind not in "iu":
        raise AgentError(
            f"agent {player.name!r} gave {given.dtype} of shape {given.shape}, not whole numbers "
            f"of shape ({len(views)},)"
        )
    actions = np.ascontiguousarray(given, np.int64)
    wrong = find_illegal(batch.games, rows, actions)
    if wrong >= 0:
        why = explain_illegal(batch.game, batch.games[rows[wrong]], int(actions[wrong]))
        raise AgentError(f"agent {player.name!r}: {why}")
    return actions
