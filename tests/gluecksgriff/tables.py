"""Tables in concrete positions, set up in a line."""

from collections import Counter
from functools import partial
from typing import Any

from goldgriff.envs.gluecksgriff import GLUECKSGRIFF
from goldgriff.envs.gluecksgriff.rules import CARDS, Blank, Settings
from goldgriff.envs.match import Match

from .. import tables
from ..tables import field

table_with = partial(tables.table_with, GLUECKSGRIFF, discard="7")


def with_pile(
    pile: str,
    *hands: str,
    discard: str = "7",
    rest_to: int | None = None,
    settings: dict[str, Any] | None = None,
    **fields: Any,
) -> Match:
    """A table whose face-down pile holds just these cards.

    All that are left go to the bottom of the discard pile or, with `rest_to`, into a hand.
    """
    deck = Settings(num_players=len(hands), **(settings or {})).card_counts()
    rest = Counter(dict(zip(CARDS, deck, strict=True)))
    rest.subtract(" ".join([pile, *hands, discard]).split())
    rest.subtract(card for name in ("front", "open") for card in fields.get(name, ()) if card)
    left = " ".join(rest.elements())
    if rest_to is None:
        discard = f"{left} {discard}"
    else:
        hands = tuple(
            f"{cards} {left}" if seat == rest_to else cards for seat, cards in enumerate(hands)
        )
    return table_with(*hands, discard=discard, pile=pile, settings=settings, **fields)


def run_on_pile(run: str, *hands: str, under: str = "", **fields: Any) -> Match:
    """A table with a run on top of the discard pile."""
    size = len(run.split())
    return table_with(*hands, discard=f"{under} {run}", last_play=size, run=True, **fields)


new_table = partial(tables.new_table, GLUECKSGRIFF)


def small_deck(copies: int, highest: int, **more: int) -> dict[str, Any]:
    """Settings of a deck with only these trick cards, and special cards that are named."""
    nothing = {"jokers": 0, "hourglasses": 0, "magic_hands": 0, "hand_size": 1}
    return {**nothing, "copies": copies, "highest_value": highest, **more}


def blanks(*effects: str, points: int = 10, amount: int = 1) -> dict[str, Any]:
    """Settings with one blank card for each effect."""
    return {
        "blanks": tuple(
            Blank(name=f"{effect} {number}", points=points, effect=effect, amount=amount)
            for number, effect in enumerate(effects, start=1)
        )
    }


def draw(match: Match) -> Match:
    """Draw, and keep the card if asked."""
    match.play("draw")
    if field(match, "phase") == "drawn":
        match.play("keep")
    return match


def discard(match: Match) -> str:
    """The discard pile from the bottom to the top."""
    return " ".join(field(match, "discard"))


def moves(match: Match, word: str) -> set[str]:
    """The legal moves whose name begins with this word."""
    return {move for move in match.legal if move.split()[0] == word}


def takes(match: Match) -> set[str]:
    return moves(match, "take")


def top(match: Match, count: int = 1) -> str:
    """The highest cards of the discard pile, from the lower ones up."""
    return " ".join(field(match, "discard")[-count:])


def round_over(match: Match) -> bool:
    return bool(match.state.round_ended)


def turn_over(match: Match, seat: int = 1) -> bool:
    """Whether it is now this seat's turn, and that no round has ended."""
    return (
        match.current_player == seat
        and not match.state.round_ended
        and field(match, "phase") in ("play", "hourglass")
    )
