"""What one seat sees of a game of Glücksgriff, as named fields of small whole numbers, and knows.

Seats are counted clockwise from the observer, who is number 0. What was seen stays known: cards
taken openly, hands looked at. The drawn card shows to its player alone. At the end: a game as one
seat knows it, and states that agree with that (engine/determinization.py).
"""

import numpy as np

from ..engine import determinization
from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.determinization import CardWeights
from ..engine.intrinsics import memcpy
from ..engine.knowledge import learn_hand, row_of
from ..engine.observation import Field, ObservationSpec
from ..engine.protocol import RawObservations
from ..engine.sampling import random_below
from .legal import list_legal
from .piles import hand_points, last_discard, play_bottom, play_top, value_under_joker
from .rules import MAX_PLAYERS, NUM_CARDS, VALUES, Card, JokerKnock
from .state import KINDS, NO_CARD, NOBODY, PHASES, Phase, State, Stream

OTHERS = MAX_PLAYERS - 1

OBSERVATION_SPEC = ObservationSpec(
    Field("hand", NUM_CARDS, 40, 2, "own cards: copies of each card type"),
    Field("known", OTHERS * NUM_CARDS, 40, 2, "cards known to be in the others' hands, by seat"),
    Field("discard", NUM_CARDS, 40, 4, "discard pile: copies of each card type"),
    Field("top", NUM_CARDS, 1, 1, "top card of the discard pile, one-hot"),
    Field("play_top", NUM_CARDS, 1, 1, "top card of the play the turn began with, one-hot"),
    Field("play_bottom", NUM_CARDS, 1, 1, "its lowest card, when it is a run, one-hot"),
    Field("run_low", VALUES, 1, 1, "lowest value of that run, one-hot"),
    Field("run_size", 1, VALUES, 5, "cards in that run"),
    Field("own_ends", 2, 1, 1, "1 if the observer laid the top card, the lowest card of the play"),
    Field("laid", 1, 15, 3, "cards laid in this turn"),
    Field("laid_kind", len(KINDS), 1, 1, "nothing, set, run, at low, at high, special, one-hot"),
    Field("value", VALUES, 1, 1, "value of the set, lowest value of the run laid, one-hot"),
    Field("drawn", NUM_CARDS, 1, 1, "own card just drawn that may be knocked, one-hot"),
    Field("open", MAX_PLAYERS * NUM_CARDS, 1, 1, "open card of each player, one-hot"),
    Field("hand_points", 1, 255, 20, "points in the own hand"),
    Field("hand_sizes", MAX_PLAYERS, 100, 7, "cards in each hand"),
    Field("scores", MAX_PLAYERS, 255, 50, "points before this round, cut at 255"),
    Field("front", MAX_PLAYERS, 1, 1, "1 for each player with an hourglass in front of it"),
    Field("sat_out", MAX_PLAYERS, 1, 1, "1 for each player who sat out in its last turn"),
    Field("must_sit_out", MAX_PLAYERS, 1, 1, "1 for each player who played on"),
    Field("caller", MAX_PLAYERS + 1, 1, 1, "who called, one-hot; last: nobody"),
    Field("turns_left", 1, OTHERS, OTHERS, "last turns that are due after a call"),
    Field("magician", MAX_PLAYERS + 1, 1, 1, "who played the Magic Hand, one-hot; last: nobody"),
    Field("challenged", MAX_PLAYERS + 1, 1, 1, "who was rightly challenged, one-hot; last: nobody"),
    Field("players", MAX_PLAYERS - 1, 1, 1, "number of players, one-hot from 2"),
    Field("current_player", MAX_PLAYERS, 1, 1, "who has to decide, one-hot"),
    Field("phase", Phase.GRABBING, 1, 1, "what is decided, one-hot: " + ", ".join(PHASES[:-1])),
    Field("pile", 1, 100, 50, "cards in the face-down pile"),
    Field("limit", 1, 255, 50, "point limit, cut at 255"),
    Field("options", 3, 100, 100, "bluffing, penalties (0 or 100), late_knock in percent"),
    Field("phase_grab", 1, 1, 1, "1 if a card of the challenged hand is chosen after an open one"),
    Field("set_value", VALUES, 1, 1, "value to knock on a set with a joker on top, one-hot"),
    Field(
        "readings",
        5,
        1,
        1,
        "1 for last_turn forced, fend_off turn, challenge_prize both, joker_knock run_end, wide",
    ),
)

Place = OBSERVATION_SPEC.places()


@device
def observe(state: State, seat: int, raw: RawObservations) -> None:
    """Write what a seat sees into `raw`, uint8 (OBSERVATION_SPEC.size,)."""
    raw[:] = 0
    memcpy(state.hands[seat], raw, Place.HAND)
    memcpy(state.known[seat], raw, Place.KNOWN)  # zeros for seats that there are not
    memcpy(state.discarded, raw, Place.DISCARD)
    for steps in range(state.num_players):
        observe_player(state, seat, steps, raw)
    observe_play(state, seat, raw)
    observe_turn(state, seat, raw)
    mark(raw, Place.CALLER, state, seat, state.caller)
    mark(raw, Place.MAGICIAN, state, seat, state.magician)
    mark(raw, Place.CHALLENGED, state, seat, state.challenged)
    raw[Place.TURNS_LEFT] = state.turns_left
    raw[Place.HAND_POINTS] = min(hand_points(state, seat), 255)
    raw[Place.PLAYERS + state.num_players - 2] = 1
    raw[Place.PILE] = state.pile_size
    raw[Place.LIMIT] = min(state.point_limit, 255)
    raw[Place.OPTIONS] = 100 * state.bluffing
    raw[Place.OPTIONS + 1] = 100 * state.penalties
    raw[Place.OPTIONS + 2] = state.late_knock
    raw[Place.READINGS] = state.last_turn
    raw[Place.READINGS + 1] = state.fend_off
    raw[Place.READINGS + 2] = state.challenge_prize
    raw[Place.READINGS + 3] = state.joker_knock == JokerKnock.RUN_END
    raw[Place.READINGS + 4] = state.joker_knock == JokerKnock.WIDE


@device
def mark(raw: RawObservations, start: int, state: State, seat: int, whom: int) -> None:
    """Mark a seat, or nobody, in a one-hot field of seats."""
    if whom == NOBODY:
        raw[start + MAX_PLAYERS] = 1
    else:
        raw[start + next_seat(state, whom - seat, state.num_players)] = 1


@device
def observe_player(state: State, seat: int, steps: int, raw: RawObservations) -> None:
    """Write what lies open of one player."""
    other = next_seat(state, seat, steps)
    raw[Place.HAND_SIZES + steps] = state.hand_sizes[other]
    raw[Place.SCORES + steps] = min(state.scores[other] // 2, 255)
    raw[Place.FRONT + steps] = state.front[other] != NO_CARD
    raw[Place.SAT_OUT + steps] = state.sat_out[other]
    raw[Place.MUST_SIT_OUT + steps] = state.must_sit_out[other]
    if state.open[other] != NO_CARD:
        raw[Place.OPEN + steps * NUM_CARDS + int(state.open[other])] = 1


@device
def observe_play(state: State, seat: int, raw: RawObservations) -> None:
    """Write the play that the turn began with."""
    if state.discard_size > 0:
        raw[Place.TOP + last_discard(state)] = 1
    if state.play_size == 0:
        return
    # An extension at the low end lies below the play (G5.2), all else that is laid above it.
    top = play_top(state) + state.laid_low
    bottom = play_bottom(state) + state.laid_low
    raw[Place.PLAY_TOP + int(state.discards[top])] = 1
    raw[Place.OWN_ENDS] = state.layers[top] == seat
    value = value_under_joker(state)
    if value != NO_CARD:
        raw[Place.SET_VALUE + value] = 1
    if state.play_run == 1:
        raw[Place.PLAY_BOTTOM + int(state.discards[bottom])] = 1
        raw[Place.RUN_LOW + state.play_low] = 1
        raw[Place.RUN_SIZE] = state.play_size
        raw[Place.OWN_ENDS + 1] = state.layers[bottom] == seat


@device
def observe_turn(state: State, seat: int, raw: RawObservations) -> None:
    """Write the turn so far, and what is to be decided."""
    raw[Place.LAID] = min(state.laid, 15)
    raw[Place.LAID_KIND + state.laid_kind] = 1
    if state.value != NO_CARD:
        raw[Place.VALUE + state.value] = 1
    if state.drawn != NO_CARD and seat == state.current_player:
        raw[Place.DRAWN + state.drawn] = 1
    raw[Place.CURRENT_PLAYER + next_seat(state, state.current_player - seat, state.num_players)] = 1
    if state.phase == Phase.GRABBING:
        raw[Place.PHASE_GRAB] = 1
    else:
        raw[Place.PHASE + state.phase] = 1


@device
def to_information_state(state: State, seat: int) -> None:
    """Blank everything in a state that a seat cannot know."""
    determinization.hide(state, seat)
    mark_open_cards_seen(state)
    state.layers[state.discard_size :] = 0
    if state.current_player != seat:
        state.drawn = NO_CARD  # G5.4: only its player sees it


@device
def mark_open_cards_seen(state: State) -> None:
    """Mark the cards that lie open beside the discard pile as seen."""
    for seat in range(state.num_players):
        if state.front[seat] != NO_CARD:
            determinization.mark_seen(state, int(state.front[seat]))
        if state.open[seat] != NO_CARD:
            determinization.mark_seen(state, int(state.open[seat]))
    if state.magician != NOBODY:
        determinization.mark_seen(state, Card.MAGIC_HAND)  # it lies apart


@device
def sample_state(state: State, seat: int, bits: np.uint64, weights: CardWeights) -> None:
    """Complete an information state to a whole state, at random by `bits`."""
    determinization.restart_chance(state, bits)
    determinization.deal_unseen_cards(state, Stream.DEAL, weights)
    while not can_go_on(state):
        determinization.hide_hands(state, seat)
        mark_open_cards_seen(state)
        determinization.deal_unseen_cards(state, Stream.DEAL, weights)
    if state.phase == Phase.DRAWN and state.current_player != seat:
        choose_drawn_card(state, seat)
    if state.challenged != NOBODY:
        learn_hand(state, state.current_player, state.challenged)  # G7.4: everybody saw it look
    list_legal(state)


@device
def can_go_on(state: State) -> bool:
    """Return whether a run begun by the current player can be completed (G3.1, G5.2).

    Only such deals agree with what the player laid; the others are dealt anew.
    """
    if state.phase != Phase.LAYING and state.phase != Phase.EXTENDING:
        return True
    list_legal(state)
    return bool(state.legal.any())


@device
def choose_drawn_card(state: State, seat: int) -> None:
    """Let any card of the current player that `seat` does not know of be the one just drawn."""
    player = state.current_player
    row = row_of(state, seat, player)
    unknown = int(state.hand_sizes[player]) - int(state.known_sizes[player, seat])
    place, card = random_below(state, Stream.DEAL, unknown), 0
    while card < NUM_CARDS:
        place -= int(np.int64(state.hands[player, card]) - np.int64(state.known[seat, row, card]))
        if place < 0:
            break
        card += 1
    state.drawn = card
