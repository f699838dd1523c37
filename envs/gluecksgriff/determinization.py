"""Glücksgriff as one seat knows it, and whole games that it may be (see envs/engine/determinization.py).

A seat knows its own hand, what lies open, and what `knowledge.py` keeps for it. Of what the others
know it knows what they know of its own hand, where it is aware of that.
"""

import numpy as np

from goldgriff.envs.engine.compile import rule
from goldgriff.envs.engine.deck import next_seat
from goldgriff.envs.engine.determinization import (
    CardWeights,
    hide_chance_and_moves,
    deal_unseen_cards,
    mark_unseen,
    mark_seen,
    restart_chance,
)
from goldgriff.envs.engine.rng import random_below
from goldgriff.envs.gluecksgriff.knowledge import learn_hand
from goldgriff.envs.gluecksgriff.legal import list_legal
from goldgriff.envs.gluecksgriff.rules import HAND, NUM_CARDS
from goldgriff.envs.gluecksgriff.state import DEAL, DRAWN, EXTENDING, LAYING, NO_CARD, NOBODY, State


@rule
def to_information_state(game: State, seat: int) -> None:
    """Blank everything in a record that a seat cannot know."""
    hide_chance_and_moves(game, seat)
    game.layers[game.discard_size :] = 0
    show_known(game, seat)
    for other in range(game.num_players):
        if other != seat:
            hide_knowledge(game, seat, other)
    if game.mover != seat:
        game.drawn = NO_CARD  # G5.4: only its player sees it
    mark_all_unseen(game)


@rule
def show_known(game: State, seat: int) -> None:
    """Leave in the hands of the others what a seat knows to be there."""
    for steps in range(1, game.num_players):
        other = next_seat(game, seat, steps)
        for card in range(NUM_CARDS):
            game.hands[other, card] = game.known[seat, steps - 1, card]


@rule
def mark_all_unseen(game: State) -> None:
    """Let every card that is not seen be one that may be anywhere."""
    mark_unseen(game)
    for other in range(game.num_players):
        if game.front[other] != NO_CARD:
            mark_seen(game, int(game.front[other]))
        if game.open[other] != NO_CARD:
            mark_seen(game, int(game.open[other]))
    if game.magician != NOBODY:
        mark_seen(game, HAND)  # it lies apart


@rule
def hide_knowledge(game: State, seat: int, other: int) -> None:
    """Leave of another's knowledge what a seat is aware of: that of its own hand."""
    for steps in range(1, game.num_players):
        about = next_seat(game, other, steps)
        if about != seat or not game.aware[seat] >> other & 1:
            game.known[other, steps - 1, :] = 0


@rule
def sample_state(game: State, seat: int, word: np.uint64, odds: CardWeights) -> None:
    """Make a hidden record a whole game that the seat may be in, at random by a word."""
    restart_chance(game, word)
    deal_unseen_cards(game, DEAL, odds)
    while not can_go_on(game):
        show_known(game, seat)
        mark_all_unseen(game)
        deal_unseen_cards(game, DEAL, odds)
    if game.phase == DRAWN and game.mover != seat:
        draw_unseen(game, seat)
    if game.deceiver != NOBODY:
        learn_hand(game, game.mover, game.deceiver)  # G7.4: everybody saw him look
    list_legal(game)


@rule
def can_go_on(game: State) -> bool:
    """Whether the mover has a move: who has begun a run must be able to complete it (G3.1, G5.2).

    Only such worlds agree with what he laid; the others are dealt anew.
    """
    if game.phase != LAYING and game.phase != EXTENDING:
        return True
    list_legal(game)
    moves = 0
    for action in range(len(game.legal)):
        moves += int(game.legal[action])
    return moves > 0


@rule
def draw_unseen(game: State, seat: int) -> None:
    """Let any card of the mover's that a seat does not know of be the one just drawn."""
    steps = next_seat(game, game.mover - seat, game.num_players)
    unknown = int(game.hand_sizes[game.mover])
    for card in range(NUM_CARDS):
        unknown -= int(np.int64(game.known[seat, steps - 1, card]))
    place, card = random_below(game.streams, DEAL, unknown), 0
    while place >= unseen_of(game, seat, steps, card):
        place -= unseen_of(game, seat, steps, card)
        card += 1
    game.drawn = card


@rule
def unseen_of(game: State, seat: int, steps: int, card: int) -> int:
    """How many cards of a type lie in the mover's hand beside those a seat knows of."""
    held, known = game.hands[game.mover, card], game.known[seat, steps - 1, card]
    return int(np.int64(held)) - int(np.int64(known))
