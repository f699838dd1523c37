"""The games of a folder, as the lobby lists them."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...envs.match import Match
from ...errors import GoldgriffError
from ...eval.tournament.recorder import PERSON
from ...eval.tournament.replay import played_moves, read_game
from ...eval.tournament.store import STORE, Store, StoreError
from .access import Seat
from .form import unusual_rules

LISTED = 100  # games of a folder that are listed, the newest
_QUERY = (
    "SELECT game, forfeiter, begun, "
    "json_group_array(json_array(seat, name, points, win_share)) "
    "FROM games JOIN runs USING (run) JOIN seats USING (game) JOIN agents USING (agent) "
    "WHERE begun IS NOT NULL GROUP BY game ORDER BY game DESC LIMIT ?"
)


def games_in(
    folder: Path, prefix: str, host_of: Callable[[Sequence[int]], Seat]
) -> list[dict[str, Any]]:
    """Return the newest games of a folder; none where there is no store.

    Args:
        folder: The folder.
        prefix: What the addresses of its games begin with.
        host_of: Says which of the seats of people is looked from.

    Returns:
        Of each its `game`, `title`, `number` and `address`; its `rules` as `unusual_rules`; when it
        was `begun`, in seconds since 1970; the `round` that it is in, None if it is over; the seats
        of `people`, the agents (`players`) and whether it is `over`; then also the `points` and the
        `share` of the win of `seat`, which is looked from.

    Raises:
        StoreError: The store is damaged, or no store.
    """
    if not (folder / STORE).exists():
        return []
    try:
        with Store.open(folder, checked=False) as store:
            rows = store.connection.execute(_QUERY, (LISTED,)).fetchall()
            about = {
                "game": store.game.name,
                "title": store.game.title,
                "rules": {
                    name: value
                    if isinstance(value, int | str)
                    else None  # a whole deck is not told
                    for name, value in unusual_rules(store.game, store.rules).items()
                },
            }
            rounds = {row[0]: None if row[1] is None else _round(store, row[0]) for row in rows}
        return [
            {**about, "round": rounds[row[0]], **_listed(prefix, host_of, *row)} for row in rows
        ]
    except StoreError:
        raise
    except (sqlite3.Error, LookupError, TypeError, ValueError) as error:  # a stranger's content
        line = "store {path} is damaged: {why}"
        raise StoreError(line, code="store-damaged", path=folder / STORE, why=error) from None


def _round(store: Store, number: int) -> int | None:
    """Return the round that a game is in, None where it is not known."""
    try:
        stored = read_game(store, number)
        match = Match(stored.game, stored.settings)
        match.start(stored.seed)
        for _ in played_moves(stored, match.act):
            pass
    except GoldgriffError:  # its page says what is wrong
        return None
    return match.position().get("round")


def _listed(
    prefix: str,
    host_of: Callable[[Sequence[int]], Seat],
    number: int,
    forfeiter: int | None,
    begun: int,
    seated: str,
) -> dict[str, Any]:
    players = sorted(json.loads(seated))
    people = [seat for seat, name, _, _ in players if name == PERSON]
    seat, over = host_of(people), forfeiter is None
    points, share = players[seat][2:] if over and seat is not None else (None, None)
    return {
        "number": number,
        "begun": begun,
        "address": f"{prefix}/{'replay' if over else 'game'}/{number}",
        "people": people,
        "players": [name for _, name, _, _ in players if name != PERSON],
        "seat": seat,
        "over": over,
        "points": points,
        "share": share,
    }
