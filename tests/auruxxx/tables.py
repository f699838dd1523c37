"""Tables in concrete positions, set up in a line."""

from typing import Any

from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import Settings
from goldgriff.envs.match import Match

COLOURS = ("r", "y", "g", "b", "v")
ACTION_CARDS = {"blessing", "steal", "swap"}


def table_with(
    *hands: str,
    discard: str = "r7",
    pile: str | None = None,
    seed: int = 0,
    reward: str = "points",
    settings: dict[str, Any] | None = None,
    **fields: Any,
) -> Match:
    """A table with these hands; cards are names with spaces between, the last discard is on top.

    `pile` is for small decks only, which it has to complete; `fields` are more of the position.
    """
    position: dict[str, Any] = {
        "hands": [hand.split() for hand in hands],
        "discard": discard.split(),
        **fields,
    }
    if pile is not None:
        position["pile"] = pile.split()
    match = Match(AURUXXX, Settings(num_players=len(hands), **(settings or {})), reward)
    match.start(seed, position)
    return match


def new_table(seed: int = 0, reward: str = "points", **settings: Any) -> Match:
    """A table with a fresh deal."""
    match = Match(AURUXXX, Settings(**settings), reward)
    match.start(seed)
    return match


def play(match: Match, *moves: str) -> Match:
    for move in moves:
        match.play(move)
    return match


def field(match: Match, name: str) -> Any:
    """One field of the position."""
    return match.position()[name]


def hand(match: Match, seat: int) -> list[str]:
    """A hand, sorted."""
    return sorted(field(match, "hands")[seat])


def cards(names: str) -> list[str]:
    """Names with spaces between as a sorted list, to compare with a hand."""
    return sorted(names.split())


def legal(match: Match) -> set[str]:
    return set(match.legal)


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
