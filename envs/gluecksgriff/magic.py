"""Glücksgriff played: the Magic Hand (G7).

Part of `game.py`, whose `apply` leads here. Rule ids refer to docs/rules/gluecksgriff.md.
"""

from goldgriff.envs.engine.compile import rule
from goldgriff.envs.engine.deck import give, next_seat, remove
from goldgriff.envs.gluecksgriff.knowledge import learn_hand, learn_of_theft, part_with, show
from goldgriff.envs.gluecksgriff.piles import discard, draw_from_pile, set_play
from goldgriff.envs.gluecksgriff.rounds import finish_turn
from goldgriff.envs.gluecksgriff.rules import (
    CHALLENGE,
    GRAB,
    HAND,
    NUM_CARDS,
    OPEN,
    OPEN_ORDER,
    PICK,
)
from goldgriff.envs.gluecksgriff.state import MAGIC, NO_CARD, NOBODY, OPENING, SPOILS, State


@rule
def play_magic_hand(game: State) -> None:
    """Let every other player lay a card open (G7.1, G7.4)."""
    game.magician = game.mover
    part_with(game, game.mover, HAND)  # it lies apart until the turn is over
    if game.bluffing == 1:
        go_on_opening(game)
        return
    for steps in range(1, game.num_players):
        other = next_seat(game, game.magician, steps)
        if game.hand_sizes[other] > 0:
            lay_open(game, other, lowest_card(game, other))
    game.phase = MAGIC


@rule
def lowest_card(game: State, seat: int) -> int:
    """The card of fewest points in a hand (G7.1)."""
    lowest = NO_CARD
    for place in range(NUM_CARDS):
        card = int(OPEN_ORDER[place])
        if game.hands[seat, card] > 0 and (
            lowest == NO_CARD or game.points[card] < game.points[lowest]
        ):
            lowest = card
    return lowest


@rule
def lay_open(game: State, seat: int, card: int) -> None:
    """Lay a card of a hand open in front of its player."""
    part_with(game, seat, card)
    game.open[seat] = card


@rule
def go_on_opening(game: State) -> None:
    """Ask the next player, clockwise, for his open card; then the Magic Hand's player (G7.4)."""
    for steps in range(1, game.num_players):
        other = next_seat(game, game.magician, steps)
        if game.open[other] == NO_CARD and game.hand_sizes[other] > 0:
            game.mover = other
            game.phase = OPENING
            return
    game.mover = game.magician
    game.phase = MAGIC


@rule
def use_magic_hand(game: State, action: int) -> None:
    """A decision while the Magic Hand is in play."""
    seat = game.mover
    if action >= GRAB:  # G7.5
        grab(game, action - GRAB)
        put_magic_hand_away(game)
    elif action >= OPEN:
        lay_open(game, seat, action - OPEN)
        go_on_opening(game)
    elif action >= CHALLENGE:
        challenge(game, next_seat(game, seat, action - CHALLENGE + 1))
    else:  # G7.2
        other = next_seat(game, seat, action - PICK + 1)
        card = int(game.open[other])
        game.open[other] = NO_CARD
        give(game, seat, card)
        show(game, seat, card)
        put_magic_hand_away(game)


@rule
def challenge(game: State, deceiver: int) -> None:
    """Doubt that a player laid his lowest card open; the challenger sees his hand (G7.4)."""
    seat = game.mover
    lowest = lowest_card(game, deceiver)
    if lowest != NO_CARD and game.points[lowest] < game.points[game.open[deceiver]]:  # G7.5
        game.deceiver = deceiver
        while game.hand_sizes[deceiver] < game.hand_size:
            if draw_from_pile(game, deceiver) == NO_CARD:
                break
        learn_hand(game, seat, deceiver)
        game.phase = SPOILS
        return
    learn_hand(game, seat, deceiver)
    draw_from_pile(game, seat)  # G7.6
    draw_from_pile(game, seat)
    for other in range(game.num_players):
        if game.open[other] != NO_CARD:
            give(game, other, int(game.open[other]))
            show(game, other, int(game.open[other]))
            game.open[other] = NO_CARD
    discard(game, HAND, seat)
    set_play(game, 1)
    end_magic(game)


@rule
def grab(game: State, card: int) -> None:
    """Take a card out of the deceiver's hand; the others do not see which (G7.5)."""
    seat, deceiver = game.mover, game.deceiver
    remove(game, deceiver, card)
    give(game, seat, card)
    learn_of_theft(game, seat, deceiver, card)


@rule
def put_magic_hand_away(game: State) -> None:
    """Open cards left go on the pile, the Magic Hand on top; the others draw (G7.3, G7.5)."""
    magician = game.magician
    for steps in range(1, game.num_players):
        other = next_seat(game, magician, steps)
        if game.open[other] != NO_CARD:
            discard(game, int(game.open[other]), other)
            game.open[other] = NO_CARD
    discard(game, HAND, magician)
    set_play(game, 1)
    for steps in range(1, game.num_players):
        draw_from_pile(game, next_seat(game, magician, steps))
    end_magic(game)


@rule
def end_magic(game: State) -> None:
    """End the turn of the Magic Hand."""
    game.magician = NOBODY
    game.deceiver = NOBODY
    finish_turn(game)
