"""Chance in game trees: every random event is listed with its probabilities, and chosen.

A state of a tree has the fields of the game's state and those of `TREE_FIELDS`. Its script says how
the events of one transition come out, in their order. At the first event that the script does not
reach, the outcomes and their weights are written down; the transition goes on with the first one
each time, and its result is not to be used. With a script one longer it is played again, until
nothing is left open. So the rules know nothing of trees, and are not written twice.

An outcome is a card type, 1 or 0 for whether something happens, or, with `multisets`, how many
cards of one type are drawn: several cards drawn at once are then drawn type by type, and hands with
the same cards are reached in one way only.
"""

import sys
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compile import COMPILED, device
from .deck import TAKEN, give
from .emit import PUBLIC, emit, log_fields
from .events import NONE
from .game import Game
from .settings import GameSettings
from .state import aligned_dtype, fields_of, state_dtype

MAX_EVENTS = 512  # in one transition: card types of all hands in a deal
MAX_OUTCOMES = 176  # of one event: card types, or copies of one type, and none
MAX_PUBLIC = 32  # public events of one transition, with one for all cards of a draw
NOBODY = -1  # no seat
OPEN = -1  # no outcome: the script does not reach the event

TREE_FIELDS = (
    ("multisets", "u1"),  # 1: cards drawn at once are one multiset; 0: one card after the other
    ("script_size", "i4"),
    ("num_events", "i4"),  # met in this transition; beyond the script at most one is counted
    ("num_outcomes", "i4"),  # of the event that is open; 0 where none is
    ("kept", "i4"),  # of a multiset: cards of the type asked for
    ("others", "i4"),  # cards of the types after it
    ("drawn_in_all", "i4"),  # cards to be drawn of both; 0 for an event of another kind
    ("script", "u1", MAX_EVENTS),
    ("outcomes", "u1", MAX_OUTCOMES),
    ("weights", "u1", MAX_OUTCOMES),  # of each outcome, but for a multiset
    *log_fields(MAX_PUBLIC),
)


@cache
def tree_dtype(game: Game) -> np.dtype[Any]:
    """Return the dtype of a game's states in trees; the first call makes the rules play them."""
    own = [entry for entry in fields_of(state_dtype(game.state)) if entry[0] != "_rest"]
    dtype = aligned_dtype([*own, *TREE_FIELDS])
    game.implement_for(dtype, vars(sys.modules[__name__]), PUBLIC)
    return dtype


def new_tree_states(
    game: Game, settings: GameSettings, count: int, *, multisets: bool
) -> NDArray[Any]:
    """Return states of a tree before the first deal, (count,).

    Args:
        game: The game.
        settings: Its settings.
        count: How many.
        multisets: Whether several cards drawn at once are one event (see the module).
    """
    states = np.zeros(count, tree_dtype(game))
    copy_fields(game.new_states(settings, 1), states)
    states["multisets"] = multisets
    return states if COMPILED else states.view(np.recarray)


def copy_fields(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy the fields that states of a tree and ordinary states share."""
    for name in set(source.dtype.names or ()) & set(target.dtype.names or ()) - {"_rest"}:
        target[name] = source[name]


# --- Events --------------------------------------------------------------------------------------


@device
def next_outcome(state: Any) -> int:
    """Return what the script says of the next event, or OPEN."""
    if state.num_events < state.script_size:
        state.num_events += 1
        return int(state.script[state.num_events - 1])
    return OPEN


@device
def add_outcome(state: Any, outcome: int, weight: int) -> None:
    """Write down an outcome of the event that is open; events after it are not written down."""
    if state.num_events == state.script_size:
        state.outcomes[state.num_outcomes] = outcome
        state.weights[state.num_outcomes] = weight
        state.num_outcomes += 1


@device
def close_list(state: Any) -> None:
    """Let no event after the one just written down be written down."""
    state.num_events = state.script_size + 1


@device
def outcome_weight(state: Any, place: int) -> float:
    """Return the weight of an outcome of the event that is open."""
    if state.drawn_in_all == 0:
        return float(state.weights[place])
    drawn = int(state.outcomes[place])
    return choices(state.kept, drawn) * choices(state.others, state.drawn_in_all - drawn)


@device
def choices(size: int, count: int) -> float:
    """Return in how many ways `count` of `size` cards can be chosen."""
    ways = 1.0
    for k in range(count):
        ways *= (size - k) / (k + 1.0)
    return ways


# --- What `chance.py` declares -------------------------------------------------------------------


@device
def take_from_pile(state: Any, stream: int) -> int:
    """Take the card type that is chosen; each weighs as much as it has cards in the pile."""
    return take_other_than(state, stream, OPEN)


@device
def take_other_than(state: Any, _stream: int, refused: int) -> int:
    """Take the card type that is chosen, of those that are not refused."""
    card = choose_card(state, NOBODY, refused)
    take_out(state, card)
    return card


@device
def choose_card(state: Any, seat: int, refused: int) -> int:
    """Return the card type that is chosen, of a hand or, for NOBODY, of the pile.

    Each weighs as much as it has cards there.
    """
    card = next_outcome(state)
    if card == OPEN:
        for card_type in range(state.hands.shape[1]):
            if seat == NOBODY:
                count = cards_in_pile(state, card_type)
            else:
                count = int(state.hands[seat, card_type])
            if count > 0 and card_type != refused:
                add_outcome(state, card_type, count)
                card = card_type if card == OPEN else card
        close_list(state)
    return card


@device
def draw_cards(
    state: Any, stream: int, seat: int, count: int, kind: int, knowers: int, rule: int
) -> None:
    """Draw card by card, or as a multiset: so many of the first type, of the second, and so on."""
    if state.multisets == 0 or count == 1:
        for _ in range(count):
            card = take_from_pile(state, stream)
            give(state, seat, card)
            emit(state, kind, seat, NONE, card, 1, knowers, rule)
        return
    draw_multiset(state, seat, count)
    emit(state, kind, seat, NONE, NONE, count, knowers, rule)


@device
def draw_multiset(state: Any, seat: int, count: int) -> None:
    """Draw several cards as a multiset."""
    left, others = count, int(state.pile_size)
    for card in range(state.hands.shape[1]):
        kept = cards_in_pile(state, card)
        others -= kept
        most, least = min(kept, left), max(0, left - others)
        drawn = choose_number(state, least, most, kept, others, left) if most > least else least
        for _ in range(drawn):
            take_out(state, card)
            give(state, seat, card)
        left -= drawn


@device
def choose_number(state: Any, least: int, most: int, kept: int, others: int, left: int) -> int:
    """Return how many of the `kept` cards of a type are among `left` drawn."""
    drawn = next_outcome(state)
    if drawn == OPEN:
        if state.num_events == state.script_size:
            state.kept, state.others, state.drawn_in_all = kept, others, left
        for number in range(least, most + 1):
            add_outcome(state, number, 0)
        close_list(state)
        drawn = least
    return drawn


@device
def deal_hands(state: Any, stream: int, count: int) -> None:
    """Deal card by card in turn, or hand by hand as multisets."""
    if state.multisets == 1:
        for seat in range(state.num_players):
            if count == 1:
                give(state, seat, take_from_pile(state, stream))
            else:
                draw_multiset(state, seat, count)
        return
    for _ in range(count):
        for seat in range(state.num_players):
            give(state, seat, take_from_pile(state, stream))


@device
def pick_from_hand(state: Any, _stream: int, seat: int) -> int:
    """Return the card type that is chosen; each weighs as much as it has cards in the hand."""
    return choose_card(state, seat, OPEN)


@device
def happens(state: Any, _stream: int, percent: int) -> bool:
    """Return what is chosen, if it is open."""
    if percent <= 0 or percent >= 100:
        return percent > 0
    chosen = next_outcome(state)
    if chosen == OPEN:
        add_outcome(state, 0, 100 - percent)
        add_outcome(state, 1, percent)
        close_list(state)
        chosen = 0
    return chosen == 1


# --- The pile ------------------------------------------------------------------------------------


@device
def cards_in_pile(state: Any, card: int) -> int:
    """Return how many cards of a type are in the pile."""
    count = 0
    for place in range(state.deck_size):
        count += int(state.slots[place] == card)
    return count


@device
def take_out(state: Any, card: int) -> None:
    """Take a card of a type out of the pile, the one at the lowest place."""
    place = 0
    while state.slots[place] != card:
        place += 1
    state.slots[place] = card + TAKEN
    state.pile_size -= 1
