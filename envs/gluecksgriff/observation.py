"""What one seat sees of a game of Glücksgriff, as named slices of small whole numbers.

Seats are counted clockwise from the observer, who is number 0. What was seen stays known: cards
taken openly, hands looked at. The drawn card shows to its player alone.
"""

from goldgriff.envs.engine.compile import rule
from goldgriff.envs.engine.deck import next_seat
from goldgriff.envs.engine.intrinsics import memcpy
from goldgriff.envs.engine.kernels import RawObservations
from goldgriff.envs.engine.observation import Field, ObservationSpec
from goldgriff.envs.gluecksgriff.legal import (
    hand_points,
    last_discard,
    play_bottom,
    play_top,
)
from goldgriff.envs.gluecksgriff.rules import MAX_PLAYERS, NUM_CARDS, VALUES
from goldgriff.envs.gluecksgriff.state import KINDS, NO_CARD, NOBODY, PHASES, State

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
    Field("front", MAX_PLAYERS, 1, 1, "1 for each player with an hourglass in front of him"),
    Field("sat_out", MAX_PLAYERS, 1, 1, "1 for each player who sat out in his last turn"),
    Field("must_sit_out", MAX_PLAYERS, 1, 1, "1 for each player who played on"),
    Field("caller", MAX_PLAYERS + 1, 1, 1, "who called, one-hot; last: nobody"),
    Field("turns_left", 1, OTHERS, OTHERS, "last turns that are due after a call"),
    Field("magician", MAX_PLAYERS + 1, 1, 1, "who played the Magic Hand, one-hot; last: nobody"),
    Field("deceiver", MAX_PLAYERS + 1, 1, 1, "who was rightly challenged, one-hot; last: nobody"),
    Field("players", MAX_PLAYERS - 1, 1, 1, "number of players, one-hot from 2"),
    Field("mover", MAX_PLAYERS, 1, 1, "who has to decide, one-hot"),
    Field("phase", len(PHASES), 1, 1, "what is decided, one-hot: " + ", ".join(PHASES)),
    Field("pile", 1, 100, 50, "cards in the face-down pile"),
    Field("limit", 1, 255, 50, "point limit, cut at 255"),
    Field("options", 3, 100, 100, "bluffing, penalties (0 or 100), late_knock in percent"),
)

HAND = OBSERVATION_SPEC.start("hand")
KNOWN = OBSERVATION_SPEC.start("known")
DISCARD = OBSERVATION_SPEC.start("discard")
TOP = OBSERVATION_SPEC.start("top")
PLAY_TOP = OBSERVATION_SPEC.start("play_top")
PLAY_BOTTOM = OBSERVATION_SPEC.start("play_bottom")
RUN_LOW = OBSERVATION_SPEC.start("run_low")
RUN_SIZE = OBSERVATION_SPEC.start("run_size")
OWN_ENDS = OBSERVATION_SPEC.start("own_ends")
LAID = OBSERVATION_SPEC.start("laid")
LAID_KIND = OBSERVATION_SPEC.start("laid_kind")
VALUE = OBSERVATION_SPEC.start("value")
DRAWN_CARD = OBSERVATION_SPEC.start("drawn")
OPEN_CARDS = OBSERVATION_SPEC.start("open")
HAND_POINTS = OBSERVATION_SPEC.start("hand_points")
HAND_SIZES = OBSERVATION_SPEC.start("hand_sizes")
SCORES = OBSERVATION_SPEC.start("scores")
FRONT = OBSERVATION_SPEC.start("front")
SAT_OUT = OBSERVATION_SPEC.start("sat_out")
MUST_SIT_OUT = OBSERVATION_SPEC.start("must_sit_out")
CALLER = OBSERVATION_SPEC.start("caller")
TURNS_LEFT = OBSERVATION_SPEC.start("turns_left")
MAGICIAN = OBSERVATION_SPEC.start("magician")
DECEIVER = OBSERVATION_SPEC.start("deceiver")
PLAYERS = OBSERVATION_SPEC.start("players")
MOVER = OBSERVATION_SPEC.start("mover")
PHASE = OBSERVATION_SPEC.start("phase")
PILE = OBSERVATION_SPEC.start("pile")
LIMIT = OBSERVATION_SPEC.start("limit")
OPTIONS = OBSERVATION_SPEC.start("options")


@rule
def observe(game: State, seat: int, features: RawObservations) -> None:
    """Write what a seat sees into `features`, shape (SLICES.size,)."""
    features[:] = 0
    memcpy(game.hands[seat], features, HAND)
    memcpy(game.known[seat], features, KNOWN)  # zeros for seats that there are not
    memcpy(game.discarded, features, DISCARD)
    for steps in range(game.num_players):
        observe_player(game, seat, steps, features)
    observe_play(game, seat, features)
    observe_turn(game, seat, features)
    mark(features, CALLER, game, seat, game.caller)
    mark(features, MAGICIAN, game, seat, game.magician)
    mark(features, DECEIVER, game, seat, game.deceiver)
    features[TURNS_LEFT] = game.turns_left
    features[HAND_POINTS] = min(hand_points(game, seat), 255)
    features[PLAYERS + game.num_players - 2] = 1
    features[PILE] = game.pile_size
    features[LIMIT] = min(game.point_limit, 255)
    features[OPTIONS] = 100 * game.bluffing
    features[OPTIONS + 1] = 100 * game.penalties
    features[OPTIONS + 2] = game.late_knock


@rule
def mark(features: RawObservations, start: int, game: State, seat: int, whom: int) -> None:
    """Mark a seat, or nobody, in a one-hot slice of seats."""
    if whom == NOBODY:
        features[start + MAX_PLAYERS] = 1
    else:
        features[start + next_seat(game, whom - seat, game.num_players)] = 1


@rule
def observe_player(game: State, seat: int, steps: int, features: RawObservations) -> None:
    """What lies open of one player."""
    other = next_seat(game, seat, steps)
    features[HAND_SIZES + steps] = game.hand_sizes[other]
    features[SCORES + steps] = min(game.scores[other] // 2, 255)
    features[FRONT + steps] = game.front[other] != NO_CARD
    features[SAT_OUT + steps] = game.sat_out[other]
    features[MUST_SIT_OUT + steps] = game.must_sit_out[other]
    if game.open[other] != NO_CARD:
        features[OPEN_CARDS + steps * NUM_CARDS + int(game.open[other])] = 1


@rule
def observe_play(game: State, seat: int, features: RawObservations) -> None:
    """The play that the turn began with."""
    if game.discard_size > 0:
        features[TOP + last_discard(game)] = 1
    if game.play_size == 0:
        return
    # An extension at the low end lies below the play (G5.2), all else that is laid above it.
    top = play_top(game) + game.laid_low
    bottom = play_bottom(game) + game.laid_low
    features[PLAY_TOP + int(game.discards[top])] = 1
    features[OWN_ENDS] = game.layers[top] == seat
    if game.play_run == 1:
        features[PLAY_BOTTOM + int(game.discards[bottom])] = 1
        features[RUN_LOW + game.play_low] = 1
        features[RUN_SIZE] = game.play_size
        features[OWN_ENDS + 1] = game.layers[bottom] == seat


@rule
def observe_turn(game: State, seat: int, features: RawObservations) -> None:
    """The turn so far, and what is to be decided."""
    features[LAID] = min(game.laid, 15)
    features[LAID_KIND + game.laid_kind] = 1
    if game.value != NO_CARD:
        features[VALUE + game.value] = 1
    if game.drawn != NO_CARD and seat == game.mover:
        features[DRAWN_CARD + game.drawn] = 1
    features[MOVER + next_seat(game, game.mover - seat, game.num_players)] = 1
    features[PHASE + game.phase] = 1
