"""A stored game told move by move, and checked against what is stored of it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..envs.engine.game import Game
from ..envs.engine.kernels import ROUND_ENDED
from ..envs.engine.settings import GameSettings
from ..envs.match import Match
from ..errors import MoveError, RecordError
from .store import Store, StoreError


@dataclass(frozen=True)
class StoredGame:
    """What a store holds of one game.

    names: the agent on each seat. forfeiter: the seat at fault, or None, with the `reason`.
    points: of each seat, None in a forfeited game. win_shares: of each seat.
    """

    number: int
    game: Game
    settings: GameSettings
    seed: int
    names: tuple[str, ...]
    actions: tuple[int, ...]
    forfeiter: int | None
    reason: str
    points: list[float]
    win_shares: list[float]


def read_game(store: Store, number: int) -> StoredGame:
    """Read a game by its number.

    Raises StoreError when there is no such game, RecordError when its record is damaged.
    """
    row = store.connection.execute(
        "SELECT players, seed, forfeiter, reason, actions FROM games WHERE game = ?",
        (number if 0 < number < 2**63 else 0,),  # others are no numbers to SQLite
    ).fetchone()
    if row is None:
        (last,) = store.one("SELECT max(game) FROM games")
        raise StoreError(f"{store.path} has no game {number}; it has games 1 to {last or 0}")
    players, seed, forfeiter, reason, actions = row
    seats = store.connection.execute(
        "SELECT name, points, win_share FROM seats JOIN agents USING (agent) WHERE game = ? "
        "ORDER BY seat",
        (number,),
    ).fetchall()
    game = store.game
    kind = np.dtype(np.min_scalar_type(len(game.actions) - 1)).newbyteorder("<")
    if not isinstance(actions, bytes) or len(actions) % kind.itemsize:
        raise RecordError(f"game {number} does not replay: its record is no list of actions")
    names, points, shares = zip(*seats, strict=True)
    return StoredGame(
        number,
        game,
        game.settings.from_dict({**store.rules, "num_players": players}),
        int(seed),
        names,
        tuple(np.frombuffer(actions, kind).tolist()),
        forfeiter,
        reason or "",
        list(points),
        list(shares),
    )


def replay_game(store: Store, number: int) -> Iterator[str]:
    """Play a stored game again, one line a move.

    Raises StoreError when there is no such game, RecordError when its record does not replay
    or leads to another result.
    """
    stored = read_game(store, number)
    game = stored.game
    match = Match(game, stored.settings)
    match.start(stored.seed)
    yield f"game {number}: {game.title}, seed {stored.seed}"
    for seat, name in enumerate(stored.names):
        yield f"seat {seat}: {name}"
    for move, action in enumerate(stored.actions, start=1):
        current_player = match.current_player
        try:
            outcome = match.act(action)
        except MoveError as error:
            raise RecordError(f"game {number} does not replay: move {move}: {error}") from None
        yield f"{move}. seat {current_player}: {game.actions[action]}"
        if outcome >= ROUND_ENDED:
            yield f"the round is over; points {_listed(match.scores)}"
    if stored.forfeiter is not None:
        loser = stored.names[stored.forfeiter]
        yield f"seat {stored.forfeiter} ({loser}) forfeits: {stored.reason}"
        return
    if not match.over or match.scores != stored.points or match.win_shares() != stored.win_shares:
        raise RecordError(
            f"game {number} does not replay to its result: stored are {_listed(stored.points)} "
            f"points, the moves lead to {_listed(match.scores)}"
        )
    yield f"as stored; shares of the win {_listed(stored.win_shares)}"


def _listed(numbers: list[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)
