"""A stored game told move by move, and checked against what is stored of it."""

from collections.abc import Iterator

import numpy as np

from goldgriff.envs.core.errors import MoveError, TranscriptError
from goldgriff.envs.core.kernels import ROUND_ENDED
from goldgriff.envs.core.table import Table
from goldgriff.eval.store import Store, StoreError


def replay_game(store: Store, number: int) -> Iterator[str]:
    """Play a stored game again, one line a move.

    Raises StoreError when there is no such game, TranscriptError when its record does not replay
    or leads to another result.
    """
    row = store.connection.execute(
        "SELECT players, seed, forfeiter, reason, actions FROM games WHERE game = ?", (number,)
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
    table = Table(game, game.settings.from_dict({**store.rules, "num_players": players}))
    table.start(int(seed))
    yield f"game {number}: {game.title}, seed {seed}"
    for seat, (name, _, _) in enumerate(seats):
        yield f"seat {seat}: {name}"
    kind = np.dtype(np.min_scalar_type(len(game.actions) - 1)).newbyteorder("<")
    if not isinstance(actions, bytes) or len(actions) % kind.itemsize:
        raise TranscriptError(f"game {number} does not replay: its record is no list of actions")
    for move, action in enumerate(np.frombuffer(actions, kind).tolist(), start=1):
        mover = table.mover
        try:
            outcome = table.act(action)
        except MoveError as error:
            raise TranscriptError(f"game {number} does not replay: move {move}: {error}") from None
        yield f"{move}. seat {mover}: {game.actions[action]}"
        if outcome >= ROUND_ENDED:
            yield f"the round is over; points {_listed(table.scores)}"
    if forfeiter is not None:
        yield f"seat {forfeiter} ({seats[forfeiter][0]}) forfeits: {reason}"
        return
    points, shares = [seat[1] for seat in seats], [seat[2] for seat in seats]
    if not table.over or table.scores != points or table.win_shares() != shares:
        raise TranscriptError(
            f"game {number} does not replay to its result: stored are {_listed(points)} points, "
            f"the moves lead to {_listed(table.scores)}"
        )
    yield f"as stored; shares of the win {_listed(shares)}"


def _listed(numbers: list[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)
