"""Track who knows which cards of whose hand, and make the moves that change it, in every game.

The state keeps lower bounds that are always true: "seat 0 knows of two r7 in the hand of seat 2".
They come from cards taken openly, hands seen, hands given away, and thefts. When hands are swapped,
what is known of a hand moves along with it; a card laid openly is one less. Of a theft the others
see only that one card is gone, so they are sure of one card less of each type that they knew.
Nothing is concluded beyond that: neither "one of these five went to seat 2" nor "the deck has no
other r7".

These fields of a state are used, beside those of `deck.py`:

- known: uint8 (seats, seats - 1, card types), by observer: at least so many cards of each type are
  in the hand 1, 2, ... seats clockwise.
- known_sizes: uint8 (seats, seats), by holder and observer: the sums of `known` over card types.
- aware: uint8 (seats,), a bit for each seat whose knowledge of its own hand a seat knows.
"""

from typing import Any

import numpy as np

from .compile import device
from .deck import give, next_seat, remove
from .emit import emit, emit_card, is_logged
from .events import NOBODY_KNOWS, NONE, EventKind


@device
def know_nothing(state: Any) -> None:
    """Clear all knowledge for a new round; every seat is aware that nobody knows its hand."""
    state.known[:] = 0
    state.known_sizes[:] = 0
    for seat in range(state.num_players):
        state.aware[seat] = (1 << state.num_players) - 1


@device
def row_of(state: Any, observer: int, holder: int) -> int:
    """Return the row of `known[observer]` that belongs to the hand of another seat."""
    return next_seat(state, holder - observer, state.num_players) - 1


@device
def learn(state: Any, observer: int, holder: int, card: int) -> None:
    """Let one seat know of one more card of a type in another hand."""
    state.known[observer, row_of(state, observer, holder), card] += 1
    state.known_sizes[holder, observer] += 1


@device
def forget(state: Any, observer: int, holder: int, card: int) -> None:
    """Let one seat know of one card less of a type in another hand, if it knew of any."""
    if state.known_sizes[holder, observer] == 0:  # most often
        return
    row = row_of(state, observer, holder)
    if state.known[observer, row, card] > 0:
        state.known[observer, row, card] -= 1
        state.known_sizes[holder, observer] -= 1


@device
def take_openly(state: Any, kind: int, player: int, other: int, card: int, rule: int) -> None:
    """Put a card that lies open into a hand; everybody sees it."""
    give(state, player, card)
    for observer in range(state.num_players):
        if observer != player:
            learn(state, observer, player, card)
    emit_card(state, kind, player, other, card, rule)


@device
def part_with(state: Any, holder: int, card: int) -> None:
    """Take a card openly out of a hand; others may have known of it."""
    remove(state, holder, card)
    for observer in range(state.num_players):
        forget(state, observer, holder, card)


@device
def learn_hand(state: Any, observer: int, holder: int) -> None:
    """Let one seat see a whole hand; the holder is aware of that."""
    row = row_of(state, observer, holder)
    for card in range(state.hands.shape[1]):
        state.known[observer, row, card] = state.hands[holder, card]
    state.known_sizes[holder, observer] = state.hand_sizes[holder]
    state.aware[holder] |= 1 << observer


@device
def look_at_hand(state: Any, player: int, target: int, rule: int) -> None:
    """Let one player see the whole hand of another."""
    learn_hand(state, player, target)
    size = int(state.hand_sizes[target])
    emit(state, EventKind.LOOK, player, target, NONE, size, NOBODY_KNOWS, rule)


@device
def steal(state: Any, thief: int, victim: int, card: int, rule: int) -> None:
    """Let a card go from hand to hand unseen by the others; thief and victim know which it is.

    So does who knows it as the last one of the hand (see `learn_by_last_card`).
    """
    if is_logged(state):
        knowers = 1 << thief | 1 << victim
        if state.hand_sizes[victim] == 1:
            for observer in range(state.num_players):
                if state.known_sizes[victim, observer] > 0:
                    knowers |= 1 << observer
        emit(state, EventKind.STEAL, thief, victim, card, 1, knowers, rule)
    remove(state, victim, card)
    give(state, thief, card)
    forget(state, thief, victim, card)
    learn(state, victim, thief, card)
    for observer in range(state.num_players):
        if observer == thief or state.known_sizes[victim, observer] == 0:
            continue
        row, lost = row_of(state, observer, victim), 0
        for known_card in range(state.hands.shape[1]):  # any of them may be the one lost
            count = int(np.int64(state.known[observer, row, known_card]))
            less = int(count > 0)
            state.known[observer, row, known_card] = count - less
            lost += less
        state.known_sizes[victim, observer] -= lost


@device
def learn_by_last_card(state: Any, thief: int, victim: int, card: int) -> None:
    """Let everybody who knew the last card of a hand follow it to the thief, before it goes.

    The thief does not know who knew it.
    """
    for observer in range(state.num_players):
        if observer != thief and state.known_sizes[victim, observer] > 0:
            learn(state, observer, thief, card)
    state.aware[thief] &= 1 << thief | 1 << victim


@device
def swap_hands(state: Any, seat: int, other: int, rule: int) -> None:
    """Swap all cards of two hands: both players know what they gave, and no single card is seen.

    What the others knew of a hand moves along with it; its new holder does not know what that is.
    """
    swap_entries(state.hands[seat], state.hands[other])
    first_size, second_size = int(state.hand_sizes[seat]), int(state.hand_sizes[other])
    state.hand_sizes[seat], state.hand_sizes[other] = second_size, first_size
    emit(state, EventKind.SWAP, seat, other, NONE, second_size, NOBODY_KNOWS, rule)
    emit(state, EventKind.SWAP, other, seat, NONE, first_size, NOBODY_KNOWS, rule)
    for observer in range(state.num_players):
        if observer == seat or observer == other:
            continue
        first, second = row_of(state, observer, seat), row_of(state, observer, other)
        swap_entries(state.known[observer, first], state.known[observer, second])
        size = state.known_sizes[seat, observer]
        state.known_sizes[seat, observer] = state.known_sizes[other, observer]
        state.known_sizes[other, observer] = size
    state.aware[seat] = 1 << seat
    state.aware[other] = 1 << other
    learn_hand(state, seat, other)
    learn_hand(state, other, seat)


@device
def swap_entries(counts: Any, others: Any) -> None:
    """Swap what two arrays hold."""
    for card in range(len(counts)):
        count = counts[card]
        counts[card] = others[card]
        others[card] = count


@device
def hide_knowledge(state: Any, seat: int) -> None:
    """Clear what the others know, except what `seat` is aware that they know of its own hand."""
    for observer in range(state.num_players):
        for steps in range(1, state.num_players):
            holder = next_seat(state, observer, steps)
            aware = holder == seat and state.aware[seat] >> observer & 1
            if observer != seat and not aware:
                state.known[observer, steps - 1, :] = 0
                state.known_sizes[holder, observer] = 0
