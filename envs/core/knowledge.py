"""What seats know of each other's hands, as part of a position given as plain data."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from goldgriff.envs.core import kernels
from goldgriff.envs.core.errors import PositionError
from goldgriff.envs.core.kernels import Games
from goldgriff.envs.core.layout import Record, new_records, record_at
from goldgriff.envs.core.plain import Reader


def write_knowledge(kind: type[Record], game: Any, cards: Sequence[str]) -> dict[str, Any]:
    """The fields of a position that hold the knowledge in a record of class `kind`.

    known: for each seat, hand by hand, the names of the cards that it knows to be there.
    aware: for each seat the others of whom it knows what they know of its hand.
    """
    games, seats = new_records(kind, 1), range(game.num_players)
    games[0] = game
    counts = np.empty((len(seats), len(seats) - 1, len(cards)), np.uint8)
    rows = np.zeros(len(seats), np.int64)
    kernels.tell_known_each(games, rows, np.array(seats), counts)
    known: list[list[list[str]]] = [[[] for _ in seats] for _ in seats]
    for seat, k, card in np.argwhere(counts):
        hand = known[seat][(seat + k + 1) % len(seats)]
        hand += [cards[card]] * int(counts[seat, k, card])
    aware = [[o for o in seats if o != seat and int(game.aware[seat]) >> o & 1] for seat in seats]
    return {"known": known, "aware": aware}


def read_knowledge(games: Games, read: Reader, cards: Sequence[str]) -> None:
    """Write the knowledge of a position into the only record of `games`, which has its hands.

    Left out, nobody knows anything, and everybody is aware of that.
    """
    game = record_at(games, 0)
    players = int(game.num_players)
    known = read.grid_of_names("known", players, cards)
    aware = read.lists_of_seats("aware", players)
    for seat in range(players):
        counts = np.zeros((players - 1, len(cards)), np.uint8)
        for other, names in enumerate(known[seat]):
            there = game.hands[other].astype(int) * (other != seat)
            count = np.bincount(names, minlength=len(cards))
            if (count > there).any():
                name = cards[int(np.argmax(count > there))]
                raise PositionError(
                    f"position: known: seat {seat} cannot know {name} in hand {other}"
                )
            if other != seat:
                counts[(other - seat) % players - 1] = count
        kernels.teach_in(games, seat, counts)
        if aware is not None:
            game.aware[seat] = sum(1 << other for other in {seat, *aware[seat]})
