"""Draw Glücksgriff for `render_mode`: as text, and as what a picture shows."""

import colorsys
from collections.abc import Sequence
from typing import Any

from ...naming import counted
from ..engine.render import Renderer
from ..engine.scene import Face, Scene
from .rules import ACTIONS, CARDS, VALUES, Action, Card
from .state import NO_CARD, PHASES, State

SPECIAL = {
    Card.JOKER: Face("★", "★", "#5a2a83", "#ffd95a"),
    Card.HOURGLASS: Face("⧓", "▼\n▲", "#125e63", "#d6f3ee"),
    Card.MAGIC_HAND: Face("☝", "☝", "#241b3a", "#8fe3ff"),
}


def face_of(card: int) -> Face:
    """Return how a card looks; the colours of trick cards go from low (cool) to high (warm)."""
    if card >= Card.BLANK:
        sign = f"B{card - Card.BLANK + 1}"
        return Face(sign, sign, "#ffffff", "#5b5b66")
    if card >= VALUES:
        return SPECIAL[Card(card)]
    hue = 0.58 * (1 - card / (VALUES - 1))
    paper, ink = (
        "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, light, 0.6))
        for light in (0.86, 0.27)
    )
    return Face(str(card), str(card), paper, ink)


FACES = tuple(face_of(card) for card in range(len(CARDS)))


def draw_table(state: State, viewer: int | None) -> str:
    """Return the table as text: all hands open, or as `viewer` sees it."""
    laid_kind = "run " if state.play_run else ""
    top = laid_kind + (" ".join(CARDS[card] for card in last_play(state)) or "nothing")
    heading = f"Glücksgriff   round {state.round_index + 1}   pile {state.pile_size}   on top {top}"
    return RENDERER.text(state, viewer, heading)


def show_table(state: State, viewer: int | None, moves: Sequence[tuple[int, int]]) -> Scene:
    """Return what a picture shows: all hands open, or as `viewer` sees it.

    Args:
        state: One game.
        viewer: A seat, or None.
        moves: The last ones, (seat, action).
    """

    def aside(seat: int) -> list[int]:
        return [card for card in (state.front[seat], state.open[seat]) if card != NO_CARD]

    limit = counted(int(state.point_limit), "point")
    title = f"Glücksgriff · round {state.round_index + 1} · up to {limit}"
    title += " · a run on top" if state.play_run else ""
    named = [(seat, visible_name(seat, action, viewer)) for seat, action in moves]
    return RENDERER.scene(state, viewer, title, last_play(state), named, aside)


def last_play(state: State) -> list[int]:
    """Return the cards on top that count: the last play and what was laid in this turn."""
    size = int(state.discard_size)
    first = size - max(int(state.play_size + state.laid), 1)
    return [int(card) for card in state.discards[max(0, first) : size]]


def visible_name(seat: int, action: int, viewer: int | None) -> str:
    """Return the name of a move; only the grabber sees which card it grabbed (G7.5)."""
    if Action.GRAB <= action < Action.EFFECT and viewer not in (None, seat):
        return "grab"
    return ACTIONS[action]


def card_points(state: State) -> Any:
    """Return the points of each card type in a hand (G8.1, G9.1)."""
    return state.points.astype(int)


def notes(state: State, seat: int) -> list[str]:
    """Return what everybody sees of a seat, beside its cards and points."""
    notes_of_seat = []
    if state.front[seat] != NO_CARD:
        notes_of_seat.append(f"{CARDS[state.front[seat]]} in front")
    if state.open[seat] != NO_CARD:
        notes_of_seat.append(f"open {CARDS[state.open[seat]]}")
    if seat == state.magician:
        notes_of_seat.append("played the Magic Hand")
    if seat == state.caller:
        notes_of_seat.append("called Glücksgriff")
    return notes_of_seat


def status(state: State) -> str:
    """Return who has to decide."""
    if state.over:
        return "The game is over."
    return f"player_{state.current_player} decides ({PHASES[state.phase]})."


RENDERER = Renderer(CARDS, ACTIONS, FACES, card_points, notes, status)
