"""The table of Glücksgriff for people: as text, and as what a picture shows."""

import colorsys
from collections.abc import Sequence

import numpy as np

from goldgriff.envs.engine.scene import BACK, Face, Player, Scene, gain_of
from goldgriff.envs.engine.serialization import cards_in
from goldgriff.envs.gluecksgriff.rules import (
    ACTIONS,
    BLANK,
    CARDS,
    EFFECT,
    GRAB,
    HAND,
    HOURGLASS,
    JOKER,
    VALUES,
)
from goldgriff.envs.gluecksgriff.state import NO_CARD, PHASES, State

SPECIAL = {
    JOKER: Face("★", "★", "#5a2a83", "#ffd95a"),
    HOURGLASS: Face("⧓", "▼\n▲", "#125e63", "#d6f3ee"),
    HAND: Face("☝", "☝", "#241b3a", "#8fe3ff"),
}


def face_of(card: int) -> Face:
    """How a card looks. Trick cards have no colours: theirs go from low (cool) to high (warm)."""
    if card >= BLANK:
        sign = f"B{card - BLANK + 1}"
        return Face(sign, sign, "#ffffff", "#5b5b66")
    if card >= VALUES:
        return SPECIAL[card]
    hue = 0.58 * (1 - card / (VALUES - 1))
    paper, ink = (
        "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, light, 0.6))
        for light in (0.86, 0.27)
    )
    return Face(str(card), str(card), paper, ink)


FACES = tuple(face_of(card) for card in range(len(CARDS)))


def draw_table(game: State, viewer: int | None) -> str:
    """The table as text: all hands open, or as `viewer` sees it."""
    discards = [CARDS[card] for card in last_play(game)]
    kind = "run " if game.play_run else ""
    lines = [
        f"Glücksgriff   round {game.round_index + 1}   pile {game.pile_size}   "
        f"on top {kind}{' '.join(discards) or 'nothing'}"
    ]
    for seat in range(game.num_players):
        arrow = ">" if seat == game.mover and not game.over else " "
        size, *notes = notes_on(game, seat)
        marks = [size, f"{int(game.scores[seat]) // 2} points", *notes]
        lines.append(f"{arrow} player_{seat}: {', '.join(marks)}")
        if viewer in (None, seat):
            hand = " ".join(cards_in(game.hands[seat], CARDS)) or "-"
            lines.append(f"      {hand}  ({worth(game, seat)})")
    line = turn_in_words(game)
    if viewer in (None, game.mover) and not game.over:
        moves = [ACTIONS[action] for action in np.flatnonzero(game.legal)]
        line += f" Legal: {', '.join(moves)}"
    return "\n".join([*lines, line])


def show_table(game: State, viewer: int | None, moves: Sequence[tuple[int, int]]) -> Scene:
    """What a picture shows: all hands open, or as `viewer` sees it.

    moves: the last ones, (seat, action).
    """
    players = []
    for seat in range(game.num_players):
        hand, notes = [BACK] * int(game.hand_sizes[seat]), notes_on(game, seat)
        if viewer in (None, seat):
            hand = [FACES[card] for card in np.repeat(np.arange(len(CARDS)), game.hands[seat])]
            notes.append(f"worth {worth(game, seat)}")
        aside = [FACES[card] for card in (game.front[seat], game.open[seat]) if card != NO_CARD]
        points, gain = float(game.scores[seat]) / 2, gain_of(game, seat)
        players.append(Player(tuple(hand), points, gain, tuple(notes), tuple(aside)))
    kind = " · a run on top" if game.play_run else ""
    return Scene(
        title=f"Glücksgriff · round {game.round_index + 1} · up to {game.point_limit} points{kind}",
        players=tuple(players),
        front=viewer or 0,
        mover=None if game.over else int(game.mover),
        pile=int(game.pile_size),
        discards=int(game.discard_size),
        shown=tuple(FACES[card] for card in last_play(game)),
        status=turn_in_words(game),
        told=tuple(f"player_{seat}: {tell(seat, action, viewer)}" for seat, action in moves),
    )


def last_play(game: State) -> list[int]:
    """The cards on top that count: the last play, and above it what was laid in this turn."""
    size = int(game.discard_size)
    first = size - max(int(game.play_size + game.laid), 1)
    return [int(card) for card in game.discards[max(0, first) : size]]


def tell(seat: int, action: int, viewer: int | None) -> str:
    """A move by name; which card was grabbed only the grabber is told (G7.5)."""
    if GRAB <= action < EFFECT and viewer not in (None, seat):
        return "grab"
    return ACTIONS[action]


def notes_on(game: State, seat: int) -> list[str]:
    """What everybody sees of a player."""
    size = int(game.hand_sizes[seat])
    notes = [f"{size} card{'' if size == 1 else 's'}"]
    if game.front[seat] != NO_CARD:
        notes.append(f"{CARDS[game.front[seat]]} in front")
    if game.open[seat] != NO_CARD:
        notes.append(f"open {CARDS[game.open[seat]]}")
    if seat == game.magician:
        notes.append("played the Magic Hand")
    if seat == game.caller:
        notes.append("called Glücksgriff")
    return notes


def worth(game: State, seat: int) -> int:
    """What the cards in a hand count (G8.1, G9.1)."""
    return int(game.hands[seat] @ game.points.astype(int))


def turn_in_words(game: State) -> str:
    """Who has to decide."""
    if game.over:
        return "The game is over."
    return f"player_{game.mover} decides ({PHASES[game.phase]})."
