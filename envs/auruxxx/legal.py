"""Auruxxx: which moves are legal. Rule ids refer to docs/rules/auruxxx.md."""

from goldgriff.envs.auruxxx.rules import (
    BLESSING,
    DRAW,
    END,
    FIT,
    GOLDEN,
    HAPPY,
    LAY,
    LAY_SWAP,
    MAX_DRAWS,
    MAX_PASSES,
    NO,
    NUMBER_OF,
    PASS,
    SWAP,
    TAKE,
)
from goldgriff.envs.auruxxx.state import DEMAND, MULTIPLE, State
from goldgriff.envs.engine.compile import hot, rule


@rule
def top_card(game: State) -> int:
    """The card on top of the discard pile."""
    return int(game.discards[game.discard_size - 1])


@hot
def list_legal(game: State) -> None:
    """Write the legal moves of the player to move into the record."""
    legal = game.legal
    legal[:] = 0
    if game.over == 1:
        return
    if game.phase == MULTIPLE:
        legal[END] = 1  # A3.3: nobody is forced to lay more
        list_more_of_number(game)
        return
    # A2.1: as the very first thing in a turn. A4.2: instead of taking what is demanded, too.
    # A5.2: not after an action card.
    if game.drawn == 0 and game.acted == 0 and game.crosses[game.mover] < MAX_PASSES:
        legal[PASS] = 1
    if game.phase == DEMAND:  # A4.3: take or pass, nothing else
        legal[TAKE] = 1
        return
    if game.drawn < MAX_DRAWS:  # A2.2: always allowed, whatever could be laid
        legal[DRAW] = 1
    else:  # A2.4, A5.2: only after two draws may a turn end without laying
        legal[END] = 1
    list_lays(game)


@rule
def list_lays(game: State) -> None:
    """The cards that may be laid first in a turn, or after an action card (A3)."""
    seat, legal = game.mover, game.legal
    hand, size, top = game.hands[seat], game.hand_sizes[seat], top_card(game)
    if size > 0 and hand[GOLDEN] == size:  # A6.1: nothing but Golden 12s is left
        legal[LAY + GOLDEN] = 1
    if size < 2:  # A3.11: no other card may be the last one of a hand
        return
    for card in range(GOLDEN):
        if hand[card] > 0 and FIT[top, card] != NO:
            legal[LAY + card] = 1
    for card in range(BLESSING, SWAP):  # A3.9: action cards fit on everything
        if hand[card] > 0:
            legal[LAY + card] = 1
    if hand[SWAP] > 0:  # A5.4: with one other player of the player's choice
        for other in range(game.num_players - 1):
            legal[LAY_SWAP + other] = 1


@rule
def list_more_of_number(game: State) -> None:
    """The cards that may join the multiple just begun: the same number, any colour (A3.3).

    The player has two cards at least, since adding must leave him one, too (A3.11).
    """
    hand, number = game.hands[game.mover], NUMBER_OF[top_card(game)]
    for card in range(HAPPY):
        if hand[card] > 0 and NUMBER_OF[card] == number:
            game.legal[LAY + card] = 1
