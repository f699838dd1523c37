"""What a game tells people: the lines of its moves, and what its table shows.

A game is narrated by the class in `narrators/GAME.py`, if there is one. Three more files are found
by the name of the game: its texts, `texts/GAME.toml`, the reasons why a move is not legal,
`reasons/GAME.py`, and its card faces, `web/static/art-GAME.js`. A game without them is played all
the same: moves and cards have the names that `Game` gives them, and the table is what
`Game.draw_table` prints.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from ...envs.engine.game import Game
from .advice import Advice
from .decision import Decision
from .lines import Line, Note, Position

LAYING = ("lay", "add", "run", "low", "high")  # first words of moves that lay a card of the hand


class Narrator:
    """Narrates any game by what all games have; that of a game overrides what it knows better.

    Attributes:
        deal_rules: Ids of the rules of a deal.
        has_view: Whether `view`, `seat_notes` and `turn_notes` show all that a seat may see; if
            not, the table is shown as `Game.draw_table` prints it.
    """

    deal_rules: ClassVar[tuple[str, ...]] = ()
    has_view: ClassVar[bool] = False

    def __init__(self, game: Game) -> None:
        self.game = game

    def deal(self, position: Position) -> list[Line]:
        """Return the lines of the deal of a round."""
        top, first = tuple(position["discard"][-1:]), position["current_player"]
        return [Line("deal", None, self.deal_rules, top, first, number=position["round"])]

    def narrate(self, decision: Decision) -> list[Line]:
        """Return the lines of a decision."""
        seat, action = decision.match.players[-1], decision.match.moves[-1]
        ((_, name),) = self.game.show_table(decision.state, decision.viewer, [(seat, action)]).moves
        scored = range(len(decision.points or ()))
        points = [replace(decision.points_line(seat), cards=()) for seat in scored]
        return [Line("move", seat, name=name), *points, *decision.winner_lines()]

    def view(self, position: Position, viewer: int | None) -> dict[str, Any]:  # noqa: ARG002
        """Return what lies on the table for a viewer, as far as it differs from the usual.

        The keys, with their usual values: `discard`, the top card of the discard pile, a list of
        names with the top card last; `laid`, 0, how many of them were laid in this turn; `run`,
        False, whether they are a run; `drawn`, None, a card that the viewer has just drawn.
        """
        return {}

    def seat_notes(self, position: Position, seat: int) -> list[Note]:  # noqa: ARG002
        """Return what is to be known of a player beside hand and points."""
        return []

    def turn_notes(self, position: Position, viewer: int | None) -> list[Note]:  # noqa: ARG002
        """Return what is special about the current turn."""
        return []

    def hand_points(self, settings: Any, cards: list[str]) -> int | None:  # noqa: ARG002
        """Return the points that cards left in a hand count; None where that is not known."""
        return None

    def card_texts(self, settings: Any, texts: Mapping[str, str]) -> dict[str, str]:  # noqa: ARG002
        """Return texts of cards that `texts/GAME.toml` cannot have, by key (`card.NAME`)."""
        return {}

    def card_style(self, card: str) -> str:  # noqa: ARG002
        """Return the colour of a card in the terminal, as Rich names it."""
        return ""

    def card_of(self, position: Position, name: str) -> str | None:  # noqa: ARG002
        """Return the card that a legal move uses, None if it uses none of the player's hand."""
        words = reversed(name.split(" "))
        return next((word for word in words if word in self.game.cards), None)

    def advise(self, settings: Any, position: Position, name: str) -> tuple[Advice, ...]:
        """Return what speaks for or against a legal move, by what its player knows."""
        hand = position["hands"][position["current_player"]]
        card = self.card_of(position, name)
        if name.partition(" ")[0] not in LAYING or card is None or card not in hand:
            return ()
        points, held = self.hand_points(settings, [card]), self.hand_points(settings, hand)
        if not points or held is None:
            return ()
        return (Advice("lighter", points=points, left=held - points),)


@cache
def get_narrator(game: Game) -> Narrator:
    """Return the narrator of a game: its own, or the one for games without."""
    module = f"{__package__}.{game.name}"
    if find_spec(module) is None:
        return Narrator(game)
    narrator: Narrator = import_module(module).NARRATOR(game)
    return narrator
