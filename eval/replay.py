"""Read a stored game, replay it move by move, and check it against its stored result."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..envs.engine.game import Game
from ..envs.engine.kernels import ROUND_ENDED
from ..envs.engine.settings import GameSettings
from ..envs.match import Match
from ..errors import MoveError, RecordError, one_line, quoted
from .recorder import PERSON
from .store import Store, StoreError
from .store_rows import action_dtype
from .store_tables import SINGLE, read_config


@dataclass(frozen=True)
class StoredGame:
    """One game of a store.

    Attributes:
        number: Its number in the store.
        game: Kind of game.
        settings: Its settings.
        seed: Its seed.
        names: Agent of each seat.
        actions: All actions in order.
        forfeiter: Seat of the agent at fault, or None.
        reason: Its fault, or "".
        points: Points of each seat, None in a forfeited game.
        win_shares: Share of the win of each seat.
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

    Raises:
        StoreError: There is no such game.
        RecordError: Its actions are damaged.
    """
    row = store.connection.execute(
        "SELECT players, seed, forfeiter, reason, actions FROM games WHERE game = ?",
        (number if 0 < number < 2**63 else 0,),  # SQLite refuses larger numbers
    ).fetchone()
    if row is None:
        (last,) = store.one("SELECT max(game) FROM games")
        raise StoreError(
            f"{store.path} has no game {quoted(number)}; it has games 1 to {last or 0}"
        )
    players, seed, forfeiter, reason, actions = row
    seats = store.connection.execute(
        "SELECT name, points, win_share FROM seats JOIN agents USING (agent) WHERE game = ? "
        "ORDER BY seat",
        (number,),
    )
    game = store.game
    dtype = action_dtype(game)
    if not isinstance(actions, bytes) or len(actions) % dtype.itemsize:
        raise RecordError(f"game {number} does not replay: its record is no list of actions")
    names, points, shares = zip(*seats, strict=True)
    return StoredGame(
        number,
        game,
        game.settings.from_dict({**store.rules, "num_players": players}),
        int(seed),
        names,
        tuple(np.frombuffer(actions, dtype).tolist()),
        forfeiter,
        one_line(reason or ""),
        list(points),
        list(shares),
    )


def can_go_on(store: Store, number: int) -> bool:
    """Return whether a game is a single one that is not over, also after an agent has failed.

    Raises:
        StoreError: There is no such game.
        RecordError: Its actions are damaged.
    """
    if read_game(store, number).forfeiter is None:
        return False
    (config,) = store.one(
        "SELECT config FROM runs JOIN games USING (run) WHERE game = ?", (number,)
    )
    return bool(read_config(config)["format"] == SINGLE)


def is_open(store: Store, number: int) -> bool:
    """Return whether a game may be shown with all hands: no person can go on with it.

    Raises:
        StoreError: There is no such game.
        RecordError: Its actions are damaged.
    """
    return PERSON not in read_game(store, number).names or not can_go_on(store, number)


def replay_game(store: Store, number: int) -> Iterator[str]:
    """Replay a stored game and yield its lines: who plays, each round's table, moves, points.

    A move is followed by the hand that it leaves; all hands are open. Of a game that a person can
    go on with, the moves are only checked.

    Raises:
        StoreError: There is no such game.
        RecordError: It does not replay, or leads to another result.
    """
    stored = read_game(store, number)
    title, names = f"game {number}: {stored.game.title}", seat_names(stored.names)
    players = ", ".join(f"{name} (player_{seat})" for seat, name in enumerate(names))
    if is_open(store, number):
        yield f"{title}, {len(names)} players, seed {stored.seed}"
        yield f"players: {players}"
        yield from _replay(stored, names)
        return
    *_, fault = _replay(stored, names)
    yield f"{title}, {len(names)} players"
    yield f"players: {players}"
    yield "it can go on: its moves, with all hands, are shown at its end"
    yield fault


def _replay(stored: StoredGame, names: list[str]) -> Iterator[str]:
    """Yield the lines of a game from its first deal on. Raises RecordError."""
    game, number = stored.game, stored.number
    match = Match(game, stored.settings)
    match.start(stored.seed)
    if game.legend:
        yield f"cards: {game.legend}"
    yield from match.draw().splitlines()
    for move, action in enumerate(stored.actions, start=1):
        seat = match.current_player
        try:
            outcome = match.act(action)
        except MoveError as error:
            raise RecordError(f"game {number} does not replay: move {move}: {error}") from None
        line = f"{move}. {names[seat]}: {game.actions[action]}"
        if outcome < ROUND_ENDED:
            yield f"{line}  [{' '.join(match.position()['hands'][seat]) or 'no card'}]"
            continue
        yield line
        yield "the round is over; low points are good"
        for place, (name, points) in enumerate(zip(names, match.round_points, strict=True)):
            sheet = match.round_sheet[place] if game.score_sheet else {}
            written = ", ".join(f"{entry} {part:g}" for entry, part in sheet.items() if part)
            because = f" ({written})" if written else ""
            yield f"  {name}: {points:+g}{because}, {match.scores[place]:g} in all"
        if not match.over:
            yield from match.draw().splitlines()
    if stored.forfeiter is not None:
        yield f"{names[stored.forfeiter]} forfeits: {stored.reason}"
        return
    if not match.over or match.scores != stored.points or match.win_shares() != stored.win_shares:
        raise RecordError(
            f"game {number} does not replay to its result: stored are {_listed(stored.points)} "
            f"points, the moves lead to {_listed(match.scores)}"
        )
    yield f"as stored; shares of the win {_listed(stored.win_shares)}"


def seat_names(agents: Sequence[str]) -> list[str]:
    """Return a name for each seat: the agent's, with the seat where it has several."""
    return [
        name if agents.count(name) == 1 else f"{name} (seat {seat})"
        for seat, name in enumerate(agents)
    ]


def replay_record(store: Store, number: int) -> dict[str, Any]:
    """Return the record of a stored game, as `Match.record` writes it, with agents and result.

    Raises:
        StoreError: There is no such game.
        RecordError: It does not replay, or leads to another result.
    """
    *_, last = replay_game(store, number)
    stored = read_game(store, number)
    return {
        "game": stored.game.id,
        "settings": stored.settings.to_dict(),
        "seed": stored.seed,
        "agents": list(stored.names),
        "moves": [stored.game.actions[action] for action in stored.actions],
        "points": stored.points,
        "win_shares": stored.win_shares,
        "forfeit": last if stored.forfeiter is not None else None,
    }


def _listed(numbers: list[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)
