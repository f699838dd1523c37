"""The table of Glücksgriff for people: as text, and as what a picture shows."""

import colorsys
from collections.abc import Sequence

import numpy as np

from ..engine.scene import BACK, Face, Player, Scene, gain_of
from ..engine.serialization import cards_in
from .rules import ACTIONS, CARDS, VALUES, Action, Card
from .state import NO_CARD, PHASES, State

SPECIAL = {
    Card.JOKER: Face("★", "★", "#5a2a83", "#ffd95a"),
    Card.HOURGLASS: Face("⧓", "▼\n▲", "#125e63", "#d6f3ee"),
    Card.MAGIC_HAND: Face("☝", "☝", "#241b3a", "#8fe3ff"),
}


def face_of(card: int) -> Face:
    """How a card looks. Trick cards have no colours: theirs go from low (cool) to high (warm)."""
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
    """The table as text: all hands open, or as `viewer` sees it."""
    discards = [CARDS[card] for card in last_play(state)]
    kind = "run " if state.play_run else ""
    lines = [
        f"Glücksgriff   round {state.round_index + 1}   pile {state.pile_size}   "
        f"on top {kind}{' '.join(discards) or 'nothing'}"
    ]
    for seat in range(state.num_players):
        arrow = ">" if seat == state.current_player and not state.over else " "
        size, *notes = notes_on(state, seat)
        marks = [size, f"{int(state.scores[seat]) // 2} points", *notes]
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
        aside = [FACES[card] for card in (state.front[seat], state.open[seat]) if card != NO_CARD]
        points, gain = float(state.scores[seat]) / 2, gain_of(state, seat)
        players.append(Player(tuple(hand), points, gain, tuple(notes), tuple(aside)))
    kind = " · a run on top" if state.play_run else ""
    return Scene(
        title=f"Glücksgriff · round {state.round_index + 1} · up to {state.point_limit} points{kind}",
        players=tuple(players),
        front=viewer or 0,
        current_player=None if state.over else int(state.current_player),
        pile=int(state.pile_size),
        discards=int(state.discard_size),
        shown=tuple(FACES[card] for card in last_play(state)),
        status=turn_in_words(state),
        moves=tuple((seat, tell(seat, action, viewer)) for seat, action in moves),
    )


def last_play(state: State) -> list[int]:
    """The cards on top that count: the last play, and above it what was laid in this turn."""
    size = int(state.discard_size)
    first = size - max(int(state.play_size + state.laid), 1)
    return [int(card) for card in state.discards[max(0, first) : size]]


def tell(seat: int, action: int, viewer: int | None) -> str:
    """A move by name; which card was grabbed only the grabber is told (G7.5)."""
    if Action.GRAB <= action < Action.EFFECT and viewer not in (None, seat):
        return "grab"
    return ACTIONS[action]


def notes_on(state: State, seat: int) -> list[str]:
    """What everybody sees of a player."""
    size = int(state.hand_sizes[seat])
    notes = [f"{size} card{'' if size == 1 else 's'}"]
    if state.front[seat] != NO_CARD:
        notes.append(f"{CARDS[state.front[seat]]} in front")
    if state.open[seat] != NO_CARD:
        notes.append(f"open {CARDS[state.open[seat]]}")
    if seat == state.magician:
        notes.append("played the Magic Hand")
    if seat == state.caller:
        notes.append("called Glücksgriff")
    return notes


def worth(state: State, seat: int) -> int:
    """What the cards in a hand count (G8.1, G9.1)."""
    return int(state.hands[seat] @ state.points.astype(int))


def turn_in_words(state: State) -> str:
    """Who has to decide."""
    if state.over:
        return "The game is over."
    return f"player_{state.current_player} decides ({PHASES[state.phase]})."
