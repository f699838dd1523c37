"""Auruxxx as one seat knows it, and whole games that it may be (see envs/engine/determinization.py).

A seat knows its own hand, what lies open, and what `knowledge.py` keeps for it. Of what the others
know it knows what they know of its own hand, where it is aware of that.
"""

import numpy as np

from goldgriff.envs.auruxxx.knowledge import HOLDER, KNOWERS, card_of, knower, mark_of
from goldgriff.envs.auruxxx.legal import list_legal
from goldgriff.envs.auruxxx.state import DEAL, State
from goldgriff.envs.engine.compile import rule
from goldgriff.envs.engine.determinization import CardWeights, hide_chance_and_moves, deal_unseen_cards, mark_unseen, restart_chance


@rule
def to_information_state(game: State, seat: int) -> None:
    """Blank everything in a record that a seat cannot know."""
    hide_chance_and_moves(game, seat)
    hide_knowledge(game, seat)
    sort_marks(game)
    for other in range(game.num_players):
        if other != seat:
            game.hands[other, :] = 0
    for slot in range(game.deck_size):
        mark = mark_of(game, slot)
        if mark != 0 and mark & HOLDER != seat:
            game.hands[mark & HOLDER, card_of(game, slot)] += 1
    mark_unseen(game)


@rule
def hide_knowledge(game: State, seat: int) -> None:
    """Leave what the seat knows, and of its own hand what it is aware that others know."""
    aware = 0  # of whose knowledge, as bits of a mark on a card of its own
    for other in range(game.num_players):
        for holder in range(game.num_players):
            if other != seat and (holder != seat or not game.aware[seat] >> other & 1):
                game.known_sizes[holder, other] = 0
        if other != seat and game.aware[seat] >> other & 1:
            aware |= knower(game, other, seat)
    for slot in range(game.deck_size):
        mark = mark_of(game, slot)
        if mark == 0:
            continue
        holder = mark & HOLDER
        mark &= HOLDER | (aware if holder == seat else knower(game, seat, holder))
        game.marks[slot] = mark if mark & KNOWERS else 0


@rule
def sort_marks(game: State) -> None:
    """Bring the marks of each card type into one order, as which slots they take means nothing.

    The greatest comes first: so the marks of one hand still nest.
    """
    for slot in range(1, game.deck_size):
        place, mark = slot, mark_of(game, slot)
        while place > game.first_slots[card_of(game, slot)] and mark_of(game, place - 1) < mark:
            game.marks[place] = game.marks[place - 1]
            place -= 1
        game.marks[place] = mark


@rule
def sample_state(game: State, _seat: int, word: np.uint64, odds: CardWeights) -> None:
    """Make a hidden record a whole game that the seat may be in, at random by a word."""
    restart_chance(game, word)
    deal_unseen_cards(game, DEAL, odds)
    list_legal(game)
