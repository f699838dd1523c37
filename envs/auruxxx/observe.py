"""What one seat sees of a game of Auruxxx, as named slices of small whole numbers.

Seats are counted clockwise from the observer, who is number 0. What lies open at the table
goes in: the own hand, the discard pile, the size of every hand, the score sheets, the turn; and in
short what the observer knows of the other hands, which `knowledge.tell_known` tells in full.
"""

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.auruxxx.knowledge import HOLDER, first_slot, knows_of, mark_of
from goldgriff.envs.auruxxx.legal import top_card
from goldgriff.envs.auruxxx.rules import GOLDEN, MAX_PLAYERS, NUM_CARDS
from goldgriff.envs.auruxxx.state import NOBODY, PHASES, State
from goldgriff.envs.core.cards import next_seat
from goldgriff.envs.core.compiled import rule
from goldgriff.envs.core.memory import copy
from goldgriff.envs.core.slices import Slice, Slices

OTHERS = MAX_PLAYERS - 1
SCORE_OFFSET = 64  # a score of -64 points or less is feature 0

SLICES = Slices(
    Slice("hand", NUM_CARDS, 40, 2, "own cards: copies of each card type"),
    Slice("top", NUM_CARDS, 1, 1, "top card of the discard pile, one-hot"),
    Slice("discard", NUM_CARDS, 40, 2, "discard pile: copies of each card type"),
    Slice("hand_sizes", MAX_PLAYERS, 160, 12, "cards in each hand"),
    Slice("crosses", MAX_PLAYERS, 3, 3, "passes each player used in this round"),
    Slice("scores", MAX_PLAYERS, 255, 64, "points before this round: (points + 64) / 2, cut"),
    Slice("figure", MAX_PLAYERS + 1, 1, 1, "owner of the figure, one-hot; last: nobody"),
    Slice("players", MAX_PLAYERS - 1, 1, 1, "number of players, one-hot from 2"),
    Slice("mover", MAX_PLAYERS, 1, 1, "whose turn it is, one-hot"),
    Slice("phase", len(PHASES), 1, 1, "play, demand or multiple, one-hot"),
    Slice("drawn", 1, 2, 2, "draws made in this turn"),
    Slice("acted", 1, 1, 1, "1 when an action card was laid in this turn"),
    Slice("demand", 1, 160, 10, "cards the mover has to take first"),
    Slice("pile", 1, 160, 160, "cards in the pile"),
    Slice("rounds_left", 1, 100, 3, "rounds to play after this one"),
    Slice("known", OTHERS, 160, 12, "cards the observer knows in each other hand"),
    Slice("known_gold", OTHERS, 40, 2, "Golden 12s among them"),
)

HAND = SLICES.start("hand")
TOP = SLICES.start("top")
DISCARD = SLICES.start("discard")
HAND_SIZES = SLICES.start("hand_sizes")
CROSSES = SLICES.start("crosses")
SCORES = SLICES.start("scores")
FIGURE = SLICES.start("figure")
PLAYERS = SLICES.start("players")
MOVER = SLICES.start("mover")
PHASE = SLICES.start("phase")
DRAWN = SLICES.start("drawn")
ACTED = SLICES.start("acted")
DEMANDED = SLICES.start("demand")
PILE = SLICES.start("pile")
ROUNDS_LEFT = SLICES.start("rounds_left")
KNOWN = SLICES.start("known")
KNOWN_GOLD = SLICES.start("known_gold")


@rule
def observe(game: State, seat: int, features: NDArray[np.uint8]) -> None:
    """Write what a seat sees into `features`, shape (SLICES.size,)."""
    features[:] = 0
    copy(game.hands[seat], features, HAND)
    copy(game.discarded, features, DISCARD)
    features[TOP + top_card(game)] = 1
    for steps in range(game.num_players):
        other = next_seat(game, seat, steps)
        features[HAND_SIZES + steps] = game.hand_sizes[other]
        features[CROSSES + steps] = game.crosses[other]
        features[SCORES + steps] = min(max(game.scores[other] // 4 + SCORE_OFFSET // 2, 0), 255)
        if other == game.figure:
            features[FIGURE + steps] = 1
        if other == game.mover:
            features[MOVER + steps] = 1
        if steps > 0:
            features[KNOWN + steps - 1] = game.known_sizes[other, seat]
    if game.figure == NOBODY:
        features[FIGURE + MAX_PLAYERS] = 1
    features[PLAYERS + game.num_players - 2] = 1
    features[PHASE + game.phase] = 1
    features[DRAWN] = game.drawn
    features[ACTED] = game.acted
    features[DEMANDED] = min(game.demand, 160)
    features[PILE] = game.pile_size
    features[ROUNDS_LEFT] = max(game.rounds - game.round_index - 1, 0)
    for slot in range(first_slot(game, GOLDEN), first_slot(game, GOLDEN + 1)):
        if mark_of(game, slot) == 0:  # as mostly
            continue
        holder = mark_of(game, slot) & HOLDER
        steps = holder - seat if holder >= seat else holder - seat + game.num_players
        features[KNOWN_GOLD + max(steps - 1, 0)] += knows_of(game, seat, slot)
