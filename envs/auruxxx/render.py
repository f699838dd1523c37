"""Draw Auruxxx for `render_mode`: as text, and as what a picture shows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...naming import counted
from ..engine.render import Renderer
from ..engine.scene import Face, Scene
from .rules import ACTIONS, CARDS, COLOURS, POINTS, Card, colour_of, number_of
from .state import Phase, State

# Paper and ink of a colour.
PAINTS = {
    "r": ("#c8372f", "#ffffff"),
    "y": ("#f2c230", "#4a3500"),
    "g": ("#2f8f4b", "#ffffff"),
    "b": ("#2b66c4", "#ffffff"),
    "v": ("#7b45b5", "#ffffff"),
}
WITHOUT_COLOUR = {
    Card.GOLDEN: Face("★", "12", "#231a10", "#f0c64a"),
    Card.BLESSING: Face("☀", "☀", "#f6f0e2", "#b5651d"),
    Card.STEAL: Face("☛", "☛", "#f6f0e2", "#8c1f3f"),
    Card.SWAP: Face("⇄", "⇄", "#f6f0e2", "#1f5f5b"),
}
SHOWN = 5  # cards of the discard pile in a picture


def face_of(card: int) -> Face:
    """Return how a card looks."""
    if card >= Card.GOLDEN:
        return WITHOUT_COLOUR[Card(card)]
    sign = "☺" if card >= Card.HAPPY_MAN else str(number_of(card))
    return Face(sign, sign, *PAINTS[COLOURS[colour_of(card)]])


FACES = tuple(face_of(card) for card in range(len(CARDS)))


def draw_table(state: State, viewer: int | None) -> str:
    """Return the table as text: all hands open, or as `viewer` sees it."""
    below = state.discard_size - 1
    top = CARDS[state.discards[below]]
    heading = f"Auruxxx   {round_of(state)}   pile {state.pile_size}   discard {top} on {below}"
    return RENDERER.text(state, viewer, heading)


def show_table(state: State, viewer: int | None, moves: Sequence[tuple[int, int]]) -> Scene:
    """Return what a picture shows: all hands open, or as `viewer` sees it.

    Args:
        state: One game.
        viewer: A seat, or None.
        moves: The last ones, (seat, action).
    """
    shown = state.discards[max(0, state.discard_size - SHOWN) : state.discard_size]
    named = [(seat, ACTIONS[action]) for seat, action in moves]
    return RENDERER.scene(state, viewer, f"Auruxxx · {round_of(state)}", shown, named)


def round_of(state: State) -> str:
    """Return which round is played, in words."""
    return f"round {min(state.round_index + 1, state.rounds)} of {state.rounds}"


def card_points(state: State) -> Any:
    """Return the points of each card type in a hand (A7.1)."""
    return np.where(np.arange(len(CARDS)) == Card.GOLDEN, state.golden_value, POINTS)


def notes(state: State, seat: int) -> list[str]:
    """Return what everybody sees of a seat, beside its cards and points."""
    found = []
    if state.crosses[seat]:
        found.append("passed " + "x" * int(state.crosses[seat]))
    if seat == state.figure:
        found.append("figure")
    return found


def status(state: State) -> str:
    """Return who has to decide what."""
    if state.over:
        return "The game is over."
    what = {
        Phase.DEMAND: f"must take {counted(int(state.demand), 'card')}",
        Phase.MULTIPLE: "may lay more of the number",
    }
    doing = what.get(Phase(state.phase), f"has drawn {state.drawn} of {state.max_draws}")
    return f"player_{state.current_player} {doing}."


RENDERER = Renderer(CARDS, ACTIONS, FACES, card_points, notes, status)
