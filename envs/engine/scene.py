"""What a picture of a table shows; games put it together, `picture.py` draws it."""

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

    hand: face up or `BACK`. points: low is good; gain: what the round that has just ended brought
    of them. notes: what else is to be known of him, in short. aside: cards that lie open in front
    of him.
    """

    hand: tuple[Face, ...]
    points: float
    gain: float | None
    notes: tuple[str, ...]
    aside: tuple[Face, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A table as one seat sees it, or with all hands open.

    players: by seat. front: the seat that is drawn at the bottom. current_player: the seat to move, None
    when the game is over. pile, discards: numbers of cards. shown: the uppermost discards, the
    top one last. status: who has to do what. told: the last moves, the newest last.
    """

    title: str
    players: tuple[Player, ...]
    front: int
    current_player: int | None
    pile: int
    discards: int
    shown: tuple[Face, ...]
    status: str
    told: tuple[str, ...]


def gain_of(state: Any, seat: int) -> float | None:
    """What a round that ended with the last decision brought a seat."""
    return float(state.round_points[seat]) / 2 if state.round_ended else None
