"""The chance of the rules: the only functions by which anything random enters a game.

They are stubs: `sampling.py` says what they do in an ordinary state, by the random streams in it,
and `listing.py` what in a state of a game tree, where every event is listed and chosen. A stream is
a number of the game's `Stream`. What is random is a card type, never a place in the deck.
"""

from typing import Any

from .compile import dispatched


@dispatched
def take_from_pile(state: Any, stream: int) -> int:
    """Take a random card out of the pile, which must hold one, and return its type."""
    raise NotImplementedError


@dispatched
def take_other_than(state: Any, stream: int, refused: int) -> int:
    """Do the same with a card that is not of the type `refused`; the pile must hold one."""
    raise NotImplementedError


@dispatched
def draw_cards(
    state: Any, stream: int, seat: int, count: int, kind: int, knowers: int, rule: int
) -> None:
    """Let a hand draw some cards from the pile, which must hold so many; emit each of them.

    Args:
        state: One game.
        stream: Where the cards come from.
        seat: Whose hand it is.
        count: How many cards.
        kind: The kind of event that the draw is, see `is_draw`.
        knowers: A bit for each seat that sees the cards.
        rule: That of the draw, see `emit`.
    """


@dispatched
def deal_hands(state: Any, stream: int, count: int) -> None:
    """Deal `count` cards from the pile to every seat."""


@dispatched
def pick_from_hand(state: Any, stream: int, seat: int) -> int:
    """Return the type of a random card of a hand, which must hold one; the card stays there."""
    raise NotImplementedError


@dispatched
def happens(state: Any, stream: int, percent: int) -> bool:
    """Return whether an event with a chance of `percent` percent happens."""
    raise NotImplementedError


FUNCTIONS = (take_from_pile, take_other_than, draw_cards, deal_hands, pick_from_hand, happens)
