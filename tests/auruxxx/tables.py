"""Tables in concrete positions, set up in a line."""

from functools import partial

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.match import Match

from .. import tables
from ..tables import legal

COLOURS = ("r", "y", "g", "b", "v")
ACTION_CARDS = {"blessing", "steal", "swap"}


table_with = partial(tables.table_with, AURUXXX, discard="r7")


new_table = partial(tables.new_table, AURUXXX)


def layable(match: Match) -> set[str]:
    """The cards that may be laid, a swap as such whoever it is with."""
    lays = legal(match) - {"draw", "pass", "take", "end"}
    return {"swap" if lay.startswith("swap") else lay.removeprefix("lay ") for lay in lays}


def of_colour(colour: str) -> set[str]:
    """Every coloured card of a colour."""
    return {f"{colour}{number}" for number in range(13)} | {f"{colour}50", f"{colour}H"}


def of_all_colours(*kinds: int | str) -> set[str]:
    """The cards of these numbers (or 50, or "H") in every colour."""
    return {f"{colour}{kind}" for colour in COLOURS for kind in kinds}


# One of every card but the Golden 12.
EVERY_CARD = set[str]().union(*map(of_colour, COLOURS)) | ACTION_CARDS


def fitting(top: str) -> set[str]:
    """Which cards may be laid on a card by a player who holds one of every other card in the box.

    A number card or an action card on top has copies in the hand, a 50 or a Happy-Man card none.
    """
    only = {top} if top.endswith(("50", "H")) else set()
    return layable(table_with(" ".join(sorted(EVERY_CARD - only)), "gold", discard=top))


def goes_on(hand: str, top: str, first: str) -> set[str] | None:
    """The cards that may be added to a multiple begun with `first`; None if it ends the turn.

    Seat 0 has the hand, and a Golden 12 beside so that none of it is the last card.
    """
    match = table_with(f"{hand} gold", "gold", discard=top)
    match.play(f"lay {first}")
    if match.current_player != 0:
        return None
    assert "end" in match.legal
    return layable(match)
