"""Auruxxx: who knows which cards of whose hand.

What is kept are lower bounds that are always true: "seat 0 knows of two r7 in the hand of seat 2".
Who swaps hands knows every card of the hand he gave away; the victim of a theft knows what the
thief took. What was known of a hand moves along with it when hands are swapped, and a card laid
openly is one less. Of a theft the others see only that one card is gone, so that of each type they
knew they are sure of one card less; only where the last card of a hand goes, they see. Nothing is
concluded beyond that: neither "one of these five went to seat 2" nor "the deck has no other r7".

Each slot of the deck (envs/engine/deck.py) has a mark, one byte. Zero says nothing. Any other value
says that a card of the slot's type lies in the hand of seat `mark & HOLDER`, and that the seat
k seats on from there knows it if bit k + 2 is set. Which slot of its type a mark takes means
nothing, but the marks of one hand and one type nest: in the order of the slots, whoever knows of a
card knows of those before it.
"""

import numpy as np

from ..engine.compile import device
from ..engine.deck import TAKEN, next_seat, remove
from ..engine.protocol import RawObservations
from .rules import NUM_CARDS
from .state import State

HOLDER = 7  # the bits of a mark that name a seat
KNOWERS = 255 - HOLDER


@device
def know_nothing(state: State) -> None:
    """Forget all, for a new round: whoever is dealt a hand is aware that nobody knows it."""
    state.marks[:] = 0
    state.known_sizes[:] = 0
    for seat in range(state.num_players):
        state.aware[seat] = everybody(state)


@device
def everybody(state: State) -> int:
    """The seats at the table, one bit each."""
    return int((1 << state.num_players) - 1)


@device
def mark_of(state: State, slot: int) -> int:
    """The mark of a slot, as a signed number: with others Numba cannot mix an unsigned one."""
    return int(np.int64(state.marks[slot]))


@device
def card_of(state: State, slot: int) -> int:
    """The card type of a slot."""
    return int(np.int64(state.slots[slot])) % TAKEN


@device
def first_slot(state: State, card: int) -> int:
    """Where the slots of a card type begin; those of the type before it end there."""
    return int(np.int64(state.first_slots[card]))


@device
def knower(state: State, observer: int, holder: int) -> int:
    """The bit of a mark that says that `observer` knows of a card in the hand of `holder`."""
    steps = observer - holder
    return 1 << (2 + (steps if steps > 0 else steps + int(state.num_players)))


@device
def knows_of(state: State, observer: int, slot: int) -> int:
    """1 if a seat knows of the card in another's hand that a slot's mark speaks of, or 0."""
    mark = mark_of(state, slot)
    steps = observer - (mark & HOLDER)
    return mark >> (2 + (steps if steps > 0 else steps + int(state.num_players))) & 1


@device
def learn(state: State, observer: int, holder: int, card: int) -> None:
    """Let one seat know of one more card of a type in another's hand, where there is one."""
    bit, free = knower(state, observer, holder), -1
    end = first_slot(state, card + 1)
    state.known_sizes[holder, observer] += 1
    for slot in range(first_slot(state, card), end):
        mark = mark_of(state, slot)
        if mark == 0:
            free = slot if free < 0 else free
        elif mark & HOLDER == holder and mark & bit == 0:
            state.marks[slot] = mark | bit
            return
    state.marks[free] = holder | bit
    for slot in range(free + 1, end):  # to the end of the nest
        mark = mark_of(state, slot)
        if mark != 0 and mark & HOLDER == holder:
            state.marks[slot] = state.marks[free]
            state.marks[free] = mark
            free = slot


@device
def forget(state: State, holder: int, first: int, end: int, who: int) -> None:
    """Let some knowers be sure of one card less of each type in a hand, in slots first .. end - 1.

    It is the last mark with his bit that a knower is taken off, so that they still nest.
    """
    card, after = -1, 0
    for slot in range(end - 1, first - 1, -1):
        mark = mark_of(state, slot)
        if mark == 0 or mark & HOLDER != holder:
            continue
        if card_of(state, slot) != card:
            card, after = card_of(state, slot), 0
        gone = mark & who & ~after
        after = mark & who
        if gone == 0:
            continue
        mark &= ~gone
        state.marks[slot] = mark if mark & KNOWERS else 0
        for steps in range(1, state.num_players):
            if gone >> (2 + steps) & 1:
                observer = holder + steps
                observer -= int(state.num_players) if observer >= state.num_players else 0
                state.known_sizes[holder, observer] -= 1


@device
def part_with(state: State, holder: int, card: int) -> None:
    """Take a card openly out of a hand; it may be one that others knew of."""
    remove(state, holder, card)
    first, end = first_slot(state, card), first_slot(state, card + 1)
    forget(state, holder, first, end, KNOWERS)


@device
def learn_of_theft(state: State, thief: int, victim: int, card: int) -> None:
    """A card has gone from hand to hand unseen: thief and victim know which, the others do not.

    Where the last card of a hand went, everybody knows who knew that card, and the thief does not
    know who did.
    """
    bit, others, witnesses = knower(state, thief, victim), 0, 0
    for observer in range(state.num_players):
        if observer != thief and state.known_sizes[victim, observer] > 0:
            others += 1
            witnesses |= 1 << observer
    forget(state, victim, first_slot(state, card), first_slot(state, card + 1), bit)
    if others > 0:
        forget(state, victim, 0, state.deck_size, KNOWERS & ~bit)
    learn(state, victim, thief, card)
    if state.hand_sizes[victim] > 0:
        return
    state.aware[thief] &= 1 << thief | 1 << victim
    for observer in range(state.num_players):
        if witnesses >> observer & 1:
            learn(state, observer, thief, card)


@device
def learn_by_swap(state: State, seat: int, other: int) -> None:
    """Two hands have been swapped: both know all they gave; what others knew moves along."""
    turn_marks(state, seat, other)
    for observer in range(state.num_players):
        known = state.known_sizes[seat, observer]
        state.known_sizes[seat, observer] = state.known_sizes[other, observer]
        state.known_sizes[other, observer] = known
    state.known_sizes[seat, seat] = 0
    state.known_sizes[other, other] = 0
    know_hand(state, seat, other)
    know_hand(state, other, seat)
    # What the others knew of it, the new holder of a hand does not know.
    state.aware[seat] = 1 << seat | 1 << other
    state.aware[other] = 1 << seat | 1 << other


@device
def turn_marks(state: State, seat: int, other: int) -> None:
    """Let the marks of two hands change their holder; who held a card before knows of it now."""
    players, seats = int(state.num_players), everybody(state)
    away = seat - other if seat > other else seat - other + players
    for slot in range(state.deck_size):
        mark = mark_of(state, slot)
        holder = mark & HOLDER
        swapped = mark != 0 and (holder == seat or holder == other)
        turn = away if holder == seat else players - away
        knowers = mark >> 3 << 1 | 1  # by steps from the old holder, who is step 0
        knowers = (knowers << turn | knowers >> (players - turn)) & seats
        turned = knowers >> 1 << 3 | (other if holder == seat else seat)
        state.marks[slot] = turned if swapped else mark


@device
def know_hand(state: State, observer: int, holder: int) -> None:
    """Let a seat know a whole hand; it knows of every card there that has a mark already."""
    mark = holder | knower(state, observer, holder)
    for card in range(NUM_CARDS):
        held = int(np.int64(state.hands[holder, card]))
        if held == 0:
            continue
        first, end = first_slot(state, card), first_slot(state, card + 1)
        unknown = held
        for slot in range(first, end):
            there = mark_of(state, slot)
            unknown -= there != 0 and there & HOLDER == holder
        if unknown < held:
            for _ in range(unknown):
                learn(state, observer, holder, card)
            continue
        for slot in range(first, end):  # none is marked: new ones need not be put in order
            if unknown > 0 and state.marks[slot] == 0:
                state.marks[slot] = mark
                unknown -= 1
    state.known_sizes[holder, observer] = state.hand_sizes[holder]


@device
def get_known_cards(state: State, seat: int, counts: RawObservations) -> None:
    """Write what a seat knows: cards in the hand k + 1 seats on, by type, (players - 1, cards)."""
    counts[:] = 0
    for slot in range(state.deck_size):
        if knows_of(state, seat, slot):
            steps = next_seat(state, (mark_of(state, slot) & HOLDER) - seat, state.num_players)
            counts[steps - 1, card_of(state, slot)] += 1


@device
def set_known_cards(state: State, seat: int, counts: RawObservations) -> None:
    """Let a seat know so many cards more of the others' hands, counted as by `get_known_cards`."""
    for steps in range(1, state.num_players):
        holder = next_seat(state, seat, steps)
        for card in range(NUM_CARDS):
            for _ in range(int(counts[steps - 1, card])):
                learn(state, seat, holder, card)
