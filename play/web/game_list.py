"""The games of a folder, as the lobby lists them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...errors import RecordError
from ...eval.tournament.recorder import PERSON
from ...eval.tournament.replay import StoredGame, play_again, read_game
from ...eval.tournament.store import STORE, Store
from .access import Seat
from .form import unusual_rules

LISTED = 100  # games of a folder that are listed, the newest
_QUERY = (
    "SELECT game, begun FROM games JOIN runs USING (run) "
    "WHERE begun IS NOT NULL ORDER BY game DESC LIMIT ?"
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
        RecordError: The moves of a game are damaged.
    """
    if not (folder / STORE).exists():
        return []
    with Store.open(folder) as store:
        rules = unusual_rules(store.game, store.rules)
        about = {
            "game": store.game.name,
            "title": store.game.title,
            # A whole deck is not shown.
            "rules": {n: v if isinstance(v, int | str) else None for n, v in rules.items()},
        }
        return [
            {**about, "begun": begun, **_listed(read_game(store, number), prefix, host_of)}
            for number, begun in store.connection.execute(_QUERY, (LISTED,)).fetchall()
        ]


def _listed(
    stored: StoredGame, prefix: str, host_of: Callable[[Sequence[int]], Seat]
) -> dict[str, Any]:
    people = [seat for seat, name in enumerate(stored.names) if name == PERSON]
    seat, over = host_of(people), stored.forfeiter is None or stored.resigned
    scored = None if seat is None or not over else seat
    return {
        "number": stored.number,
        "address": f"{prefix}/{'replay' if over else 'game'}/{stored.number}",
        "people": people,
        "players": [name for name in stored.names if name != PERSON],
        "round": None if over else _round(stored),
        "seat": seat,
        "over": over,
        "points": None if scored is None else stored.points[scored],
        "share": None if scored is None else stored.win_shares[scored],
    }


def _round(stored: StoredGame) -> int | None:
    """Return the round that a game is in, None where it is not known."""
    try:
        return play_again(stored).position().get("round")
    except RecordError:  # its page says what is wrong
        return None
