"""The table of Auruxxx for people: as text, and as what a picture shows."""

from collections.abc import Sequence

import numpy as np

from ..engine.scene import BACK, Face, Player, Scene, gain_of
from ..engine.serialization import cards_in
from .rules import (
    ACTIONS,
    CARDS,
    COLOURS,
    MAX_DRAWS,
    POINTS,
    Card,
    colour_of,
    number_of,
)
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
    """How a card looks."""
    if card >= Card.GOLDEN:
        return WITHOUT_COLOUR[Card(card)]
    sign = "☺" if card >= Card.HAPPY_MAN else str(number_of(card))
    return Face(sign, sign, *PAINTS[COLOURS[colour_of(card)]])


FACES = tuple(face_of(card) for card in range(len(CARDS)))


def draw_table(state: State, viewer: int | None) -> str:
    """The table as text: all hands open, or as `viewer` sees it."""
    below = state.discard_size - 1
    lines = [
        f"Auruxxx   {round_in_words(state)}   "
        f"pile {state.pile_size}   discard {CARDS[state.discards[below]]} on {below}"
    ]
    for seat in range(state.num_players):
        arrow = ">" if seat == state.current_player and not state.over else " "
        size, *notes = notes_on(state, seat)
        marks = [size, f"{float(state.scores[seat]) / 2:g} points", *notes]
        lines.append(f"{arrow} player_{seat}: {', '.join(marks)}")
        if viewer in (None, seat):
            hand = " ".join(cards_in(state.hands[seat], CARDS)) or "-"
            lines.append(f"      {hand}  ({worth(state, seat)})")
    line = turn_in_words(state)
    if viewer in (None, state.current_player) and not state.over:
        moves = [ACTIONS[action] for action in np.flatnonzero(state.legal)]
        line += f" Legal: {', '.join(moves)}"
    return "\n".join([*lines, line])


def show_table(state: State, viewer: int | None, moves: Sequence[tuple[int, int]]) -> Scene:
    """What a picture shows: all hands open, or as `viewer` sees it.

    moves: the last ones, (seat, action).
    """
    players = []
    for seat in range(state.num_players):
        hand, notes = [BACK] * int(state.hand_sizes[seat]), notes_on(state, seat)
        if viewer in (None, seat):
            hand = [FACES[card] for card in np.repeat(np.arange(len(CARDS)), state.hands[seat])]
            notes.append(f"worth {worth(state, seat)}")
        points, gain = float(state.scores[seat]) / 2, gain_of(state, seat)
        players.append(Player(tuple(hand), points, gain, tuple(notes)))
    shown = state.discards[max(0, state.discard_size - SHOWN) : state.discard_size]
    return Scene(
        title=f"Auruxxx · {round_in_words(state)}",
        players=tuple(players),
        front=viewer or 0,
        current_player=None if state.over else int(state.current_player),
        pile=int(state.pile_size),
        discards=int(state.discard_size),
        shown=tuple(FACES[card] for card in shown),
        status=turn_in_words(state),
        moves=tuple((seat, ACTIONS[action]) for seat, action in moves),
    )


def round_in_words(state: State) -> str:
    """Which round is played."""
    return f"round {min(state.round_index + 1, state.rounds)} of {state.rounds}"


def notes_on(state: State, seat: int) -> list[str]:
    """What everybody sees of a player."""
    size = int(state.hand_sizes[seat])
    notes = [f"{size} card{'' if size == 1 else 's'}"]
    if state.crosses[seat]:
        notes.append("passed " + "x" * int(state.crosses[seat]))
    if seat == state.figure:
        notes.append("figure")
    return notes


def worth(state: State, seat: int) -> int:
    """What the cards in a hand count (A7.1)."""
    points = np.where(np.arange(len(CARDS)) == Card.GOLDEN, state.golden_value, POINTS)
    return int(state.hands[seat] @ points)


def turn_in_words(state: State) -> str:
    """Who has to decide what."""
    if state.over:
        return "The game is over."
    what = {
        Phase.DEMAND: f"must take {state.demand} cards",
        Phase.MULTIPLE: "may lay more of the number",
    }
    doing = what.get(Phase(state.phase), f"has drawn {state.drawn} of {MAX_DRAWS}")
    return f"player_{state.current_player} {doing}."
