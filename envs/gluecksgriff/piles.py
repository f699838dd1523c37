"""Glücksgriff: the face-down pile and the discard pile.

Rule ids refer to docs/rules/gluecksgriff.md.
"""

from goldgriff.envs.engine.compile import rule
from goldgriff.envs.engine.deck import give, take_from_pile, turn_over
from goldgriff.envs.gluecksgriff.state import AT_HIGH, AT_LOW, DRAWS, NO_CARD, State

# --- The discard pile ----------------------------------------------------------------------------


@rule
def discard(game: State, card: int, layer: int) -> None:
    """Put a card on top of the discard pile."""
    insert(game, game.discard_size, card, layer)


@rule
def insert(game: State, place: int, card: int, layer: int) -> None:
    """Put a card into the discard pile; what lies above moves up."""
    for upper in range(game.discard_size, place, -1):
        game.discards[upper] = game.discards[upper - 1]
        game.layers[upper] = game.layers[upper - 1]
    game.discards[place] = card
    game.layers[place] = layer
    game.discard_size += 1
    game.discarded[card] += 1


@rule
def pull(game: State, place: int) -> int:
    """Take a card out of the discard pile; what lies above moves down."""
    card = int(game.discards[place])
    game.discard_size -= 1
    game.discarded[card] -= 1
    for lower in range(place, game.discard_size):
        game.discards[lower] = game.discards[lower + 1]
        game.layers[lower] = game.layers[lower + 1]
    return card


@rule
def set_play(game: State, size: int) -> None:
    """Make so many cards on top of the discard pile the play, as a single card or a set."""
    game.play_size = size
    game.play_run = 0
    game.play_low = 0


@rule
def draw_from_pile(game: State, seat: int) -> int:
    """Draw one card into a hand; NO_CARD when there is none (G1.4)."""
    if game.pile_size == 0:
        turn_over_discards(game)
    if game.pile_size == 0:
        return NO_CARD
    card = take_from_pile(game, DRAWS + seat)
    give(game, seat, card)
    return card


@rule
def turn_over_discards(game: State) -> None:
    """Make all under the last play the new pile (G1.4).

    While cards are being laid they are the last play, with the run that they extend.
    """
    stays = game.laid
    if game.laid == 0 or (game.laid_kind == AT_LOW or game.laid_kind == AT_HIGH):
        stays += game.play_size
    else:
        set_play(game, 0)
    for place in range(stays):
        game.layers[place] = game.layers[game.discard_size - stays + place]
    turn_over(game, stays)
