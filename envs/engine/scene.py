"""What a picture of a state shows; games compose it, `rendering.py` draws it."""

from dataclasses import dataclass
from typing import Any

SHOWN_MOVES = 6  # as many of the last moves as fit


@dataclass(frozen=True)
class Face:
    """A side of a card: signs in the corner and in the middle, and colours as `#rrggbb`."""

    corner: str
    middle: str
    paper: str
    ink: str


BACK = Face("", "◆", "#27406b", "#6f8fc4")


@dataclass(frozen=True)
class Player:
    """What lies at a seat.

    Attributes:
        hand: Cards, face up or `BACK`.
        points: The total; low is good.
        gain: Points of the round that has just ended, None during a round.
        notes: What else is to be known of the player, in short.
        aside: Cards that lie open in front of the player.
    """

    hand: tuple[Face, ...]
    points: float
    gain: float | None
    notes: tuple[str, ...]
    aside: tuple[Face, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A state as one seat sees it, or with all hands open.

    Attributes:
        front: The seat that is drawn at the bottom.
        current_player: The seat to move, None when the game is over.
        pile, discards: Numbers of cards.
        shown: The uppermost discards, the top one last.
        status: Who has to do what.
        moves: The last moves, the newest last: seat, and name as the viewer may know it.
    """

    title: str
    players: tuple[Player, ...]
    front: int
    current_player: int | None
    pile: int
    discards: int
    shown: tuple[Face, ...]
    status: str
    moves: tuple[tuple[int, str], ...]


def gain_of(state: Any, seat: int) -> float | None:
    """Return the points of a seat in the round that has just ended, None during a round."""
    return float(state.round_points[seat]) / 2 if state.round_ended else None
