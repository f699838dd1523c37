"""The table as text and as a picture: what is the same in every game."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...naming import counted
from .scene import BACK, Face, Player, Scene, gain_of
from .serialization import cards_in


@dataclass(frozen=True)
class Renderer:
    """Draws the tables of one game.

    Attributes:
        cards, actions: Their names.
        faces: How each card type looks.
        card_points: Returns the points of each card type, shape (card types,).
        notes: Returns what everybody sees of a seat, beside its cards and points.
        status: Returns who has to decide what, in one sentence.
    """

    cards: tuple[str, ...]
    actions: tuple[str, ...]
    faces: tuple[Face, ...]
    card_points: Callable[[Any], Any]
    notes: Callable[[Any, int], list[str]]
    status: Callable[[Any], str]

    def text(self, state: Any, viewer: int | None, heading: str) -> str:
        """Return the table as text: all hands open, or as `viewer` sees it."""
        lines = [heading]
        for seat in range(state.num_players):
            arrow = ">" if seat == state.current_player and not state.over else " "
            size = counted(int(state.hand_sizes[seat]), "card")
            points = counted(float(state.scores[seat]) / 2, "point")
            notes = ", ".join([size, points, *self.notes(state, seat)])
            lines.append(f"{arrow} player_{seat}: {notes}")
            if viewer in (None, seat):
                hand = " ".join(cards_in(state.hands[seat], self.cards)) or "-"
                lines.append(f"      {hand}  ({self._hand_points(state, seat)})")
        lines.append(self.status(state))
        if viewer in (None, state.current_player) and not state.over:
            legal = [self.actions[action] for action in np.flatnonzero(state.legal).tolist()]
            lines[-1] += f" Legal: {', '.join(legal)}"
        return "\n".join(lines)

    def scene(
        self,
        state: Any,
        viewer: int | None,
        title: str,
        shown: Iterable[int],
        moves: Sequence[tuple[int, str]],
        aside: Callable[[int], Iterable[int]] = lambda _: (),
    ) -> Scene:
        """Return what a picture shows: all hands open, or as `viewer` sees it.

        Args:
            state: One game.
            viewer: A seat, or None.
            title: The heading.
            shown: The uppermost discards, by type, the top one last.
            moves: The last moves, the newest last: seat, and name as the viewer may know it.
            aside: Returns the cards that lie open in front of a seat.
        """
        players = []
        for seat in range(state.num_players):
            hand = [BACK] * int(state.hand_sizes[seat])
            notes = [counted(int(state.hand_sizes[seat]), "card"), *self.notes(state, seat)]
            if viewer in (None, seat):
                cards = np.repeat(np.arange(len(self.cards)), state.hands[seat])
                hand = [self.faces[card] for card in cards.tolist()]
                notes.append(f"{self._hand_points(state, seat)} in hand")
            open_cards = tuple(self.faces[card] for card in aside(seat))
            points, gain = float(state.scores[seat]) / 2, gain_of(state, seat)
            players.append(Player(tuple(hand), points, gain, tuple(notes), open_cards))
        return Scene(
            title=title,
            players=tuple(players),
            front=viewer or 0,
            current_player=None if state.over else int(state.current_player),
            pile=int(state.pile_size),
            discards=int(state.discard_size),
            shown=tuple(self.faces[card] for card in shown),
            status=self.status(state),
            moves=tuple(moves),
        )

    def _hand_points(self, state: Any, seat: int) -> int:
        return int(state.hands[seat] @ self.card_points(state))
