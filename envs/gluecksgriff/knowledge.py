"""Glücksgriff: who knows which cards of whose hand. Rule ids refer to docs/rules/gluecksgriff.md.

What is kept are lower bounds that are always true: "seat 0 knows of two 9s in the hand of seat 2".
They come from cards taken openly, hands looked at or swapped, and cards grabbed. What was known of
a hand moves along with it when hands are swapped, and a card laid openly is one less. Of a card
grabbed the others see only that it is gone, so that of each type they knew they are sure of one
card less. Nothing is concluded beyond that, for example from the card laid open for a Magic Hand,
which is the lowest of its hand (G7.1).
"""

from ..engine.compile import device
from ..engine.deck import next_seat, remove
from ..engine.protocol import RawObservations
from .rules import NUM_CARDS
from .state import State


@device
def know_nothing(state: State) -> None:
    """Forget all, for a new round: whoever is dealt a hand is aware that nobody knows it."""
    state.known[:] = 0
    for seat in range(state.num_players):
        state.aware[seat] = (1 << state.num_players) - 1


@device
def show(state: State, seat: int, card: int) -> None:
    """Everybody sees a card go into a hand."""
    for other in range(state.num_players):
        if other != seat:
            steps = next_seat(state, seat - other, state.num_players)
            state.known[other, steps - 1, card] += 1


@device
def part_with(state: State, seat: int, card: int) -> None:
    """Take a card openly out of a hand; it may be one that others knew of."""
    remove(state, seat, card)
    for other in range(state.num_players):
        steps = next_seat(state, seat - other, state.num_players)
        if steps > 0 and state.known[other, steps - 1, card] > 0:
            state.known[other, steps - 1, card] -= 1


@device
def learn_hand(state: State, observer: int, seat: int) -> None:
    """Let one player see another's whole hand, who is aware of that."""
    steps = next_seat(state, seat - observer, state.num_players)
    for card in range(NUM_CARDS):
        state.known[observer, steps - 1, card] = state.hands[seat, card]
    state.aware[seat] |= 1 << observer


@device
def learn_of_theft(state: State, thief: int, victim: int, card: int) -> None:
    """A card is grabbed: thief and victim know which, the others do not see it (G7.5).

    The thief has seen the victim's hand; so has nobody else, who could tell from its last card.
    """
    steps = next_seat(state, victim - thief, state.num_players)
    state.known[thief, steps - 1, card] -= 1
    state.known[victim, state.num_players - steps - 1, card] += 1
    for other in range(state.num_players):
        if other != thief and other != victim:
            away = next_seat(state, victim - other, state.num_players)
            for kind in range(NUM_CARDS):  # it may have been any card he knew of
                if state.known[other, away - 1, kind] > 0:
                    state.known[other, away - 1, kind] -= 1


@device
def learn_by_swap(state: State, seat: int, other: int) -> None:
    """Two hands have been swapped: both know all they gave; what others knew moves along (G9.11).

    What that was, the new holder of a hand does not know.
    """
    players = state.num_players
    for observer in range(players):
        if observer == seat or observer == other:
            continue
        one = next_seat(state, seat - observer, players) - 1
        two = next_seat(state, other - observer, players) - 1
        for card in range(NUM_CARDS):
            count = state.known[observer, one, card]
            state.known[observer, one, card] = state.known[observer, two, card]
            state.known[observer, two, card] = count
    state.aware[seat] = 1 << seat
    state.aware[other] = 1 << other
    learn_hand(state, seat, other)
    learn_hand(state, other, seat)


@device
def get_known_cards(state: State, seat: int, counts: RawObservations) -> None:
    """Write what a seat knows: cards in the hand k + 1 seats on, by type, (players - 1, cards)."""
    for k in range(state.num_players - 1):
        for card in range(NUM_CARDS):
            counts[k, card] = state.known[seat, k, card]


@device
def set_known_cards(state: State, seat: int, counts: RawObservations) -> None:
    """Let a seat know so many cards more of the others' hands, counted as by `get_known_cards`."""
    for k in range(state.num_players - 1):
        for card in range(NUM_CARDS):
            state.known[seat, k, card] += counts[k, card]
