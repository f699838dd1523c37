"""Read a stored game, play it again, and check it against its stored result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...envs.match import Match
from ...errors import MoveError, RecordError, quoted
from .faults import RESIGNED, Fault
from .recorder import PERSON
from .store import Store, StoreError
from .store_rows import action_dtype, read_fault


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
        fault: What that agent did wrong, or None.
        points: Points of each seat, None in a forfeited game.
        win_shares: Share of the win of each seat.
        can_go_on: Whether it is a single game that is not over, also after an agent has failed;
            one that a person has resigned is over.
    """

    number: int
    game: Game
    settings: GameSettings
    seed: int
    names: tuple[str, ...]
    actions: tuple[int, ...]
    forfeiter: int | None
    fault: Fault | None
    points: list[float]
    win_shares: list[float]
    can_go_on: bool

    @property
    def is_open(self) -> bool:
        """Whether it may be shown with all hands: no person can go on with it."""
        return PERSON not in self.names or not self.can_go_on

    @property
    def resigned(self) -> bool:
        """Whether a person has given the game up."""
        return self.fault is not None and self.fault.code == RESIGNED

    @property
    def reason(self) -> str:
        """The text of the fault, "" where there is none."""
        return self.fault.text if self.fault else ""


def read_game(store: Store, number: int) -> StoredGame:
    """Read a game by its number.

    Raises:
        StoreError: There is no such game.
        RecordError: Its actions are damaged.
    """
    row = store.connection.execute(
        "SELECT players, seed, forfeiter, fault, details, actions, begun IS NOT NULL "
        "FROM games JOIN runs USING (run) WHERE game = ?",
        (number if 0 < number < 2**63 else 0,),  # SQLite refuses larger numbers
    ).fetchone()
    if row is None:
        (last,) = store.one("SELECT max(game) FROM games")
        raise StoreError(code="no-game", path=store.path, number=quoted(number), last=last or 0)
    players, seed, forfeiter, fault, details, actions, is_single = row
    seats = store.connection.execute(
        "SELECT name, points, win_share FROM seats JOIN agents USING (agent) WHERE game = ? "
        "ORDER BY seat",
        (number,),
    )
    game = store.game
    dtype = action_dtype(game)
    if not isinstance(actions, bytes) or len(actions) % dtype.itemsize:
        raise RecordError(code="no-replay-list", number=number)
    names, points, shares = zip(*seats, strict=True)
    return StoredGame(
        number,
        game,
        game.settings.from_dict({**store.rules, "num_players": players}),
        int(seed),
        names,
        tuple(np.frombuffer(actions, dtype).tolist()),
        forfeiter,
        None if forfeiter is None else read_fault(fault, details),
        list(points),
        list(shares),
        bool(is_single) and forfeiter is not None and fault != RESIGNED,
    )


def played_moves(stored: StoredGame, play: Callable[[int], Any]) -> Iterator[tuple[int, Any]]:
    """Play the moves of a stored game one by one; yield the number of each and what came of it.

    Args:
        stored: The game.
        play: Plays an action, and raises MoveError where it is not legal.

    Raises:
        RecordError: A move is not legal.
    """
    for number, action in enumerate(stored.actions, start=1):
        try:
            result = play(action)
        except MoveError as error:
            raise RecordError(
                code="no-replay", number=stored.number, move=number, reason=error
            ) from None
        yield number, result


def check_game(stored: StoredGame) -> None:
    """Play a stored game again. Raises RecordError where that fails or leads to another result."""
    check_result(stored, play_again(stored))


def play_again(stored: StoredGame) -> Match:
    """Return the match of a stored game. Raises RecordError where a move is not legal."""
    match = Match(stored.game, stored.settings)
    match.start(stored.seed)
    for _ in played_moves(stored, match.act):
        pass
    return match


def check_result(stored: StoredGame, match: Match) -> None:
    """Raise RecordError where a match, with all moves made, has not the stored result."""
    if stored.forfeiter is not None:
        return
    if not match.over or match.scores != stored.points or match.win_shares() != stored.win_shares:
        number, points, played = stored.number, _listed(stored.points), _listed(match.scores)
        raise RecordError(code="no-replay-result", number=number, stored=points, played=played)


def replay_record(stored: StoredGame) -> dict[str, Any]:
    """Return the record of a stored game, as `Match.record` writes it, with agents and result.

    Raises:
        RecordError: It does not replay, or leads to another result.
    """
    check_game(stored)
    fault, seat = None, stored.forfeiter
    if seat is not None:
        name = stored.names[seat]
        of_seat = f" (seat {seat})" if stored.names.count(name) > 1 else ""
        fault = f"{name}{of_seat} forfeits: {stored.reason}"
    return {
        "game": stored.game.id,
        "settings": stored.settings.to_dict(),
        "seed": stored.seed,
        "agents": list(stored.names),
        "moves": [stored.game.actions[action] for action in stored.actions],
        "points": stored.points,
        "win_shares": stored.win_shares,
        "forfeit": fault,
    }


def _listed(numbers: list[float]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)
