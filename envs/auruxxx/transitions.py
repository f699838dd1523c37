"""Auruxxx played: the deal, what each move does, scoring.

Plain Python on the state record, compiled by Numba. Rule ids refer to docs/rules/auruxxx.md;
which moves are legal stands in `legal.py`, which card fits on which in `rules.py`.
"""

from goldgriff.envs.auruxxx.knowledge import (
    know_nothing,
    learn_by_swap,
    learn_of_theft,
    part_with,
)
from goldgriff.envs.auruxxx.legal import list_legal, top_card
from goldgriff.envs.auruxxx.rules import (
    BLESSING,
    DRAW,
    END,
    FIT,
    GOLDEN,
    HAPPY,
    LAY,
    LAY_SWAP,
    MULTIPLES,
    NUM_CARDS,
    NUMBER_OF,
    PASS,
    POINTS,
    STEAL,
    SWAP,
    TAKE,
)
from goldgriff.envs.auruxxx.state import DEAL, DEMAND, DRAWS, MULTIPLE, NOBODY, PLAY, THEFTS, State
from goldgriff.envs.engine.compile import hot, rule
from goldgriff.envs.engine.deck import (
    gather,
    give,
    next_seat,
    put_into_pile,
    remove,
    swap_hands,
    take_from_pile,
    turn_over,
)
from goldgriff.envs.engine.rng import random_below, restart_streams

# --- A1: setting up a round ---------------------------------------------------------------------


@rule
def begin(game: State) -> None:
    """Start a whole new game from the settings and the seed in the record."""
    game.over = 0
    game.round_index = 0
    game.scores[:] = 0
    game.figure = NOBODY  # A1.4
    game.capped_rounds = 0
    game.round_ended = 0
    game.round_winner = NOBODY
    game.round_points[:] = 0
    deal(game)


@rule
def deal(game: State) -> None:
    """Deal a round; the figure stays where it is (A1.4)."""
    restart_streams(game.streams, game.seed, game.round_index)
    gather(game)
    know_nothing(game)
    game.discarded[:] = 0
    game.crosses[:] = 0
    game.discard_size = 0
    for _ in range(game.hand_size):  # A1.1
        for seat in range(game.num_players):
            give(game, seat, take_from_pile(game, DEAL))
    turn_up(game)
    game.demand = 0  # A4.4
    game.decisions = 0
    start_turn(game, game.round_index % game.num_players)  # A1.3: seat 0 starts the first round
    list_legal(game)


@rule
def turn_up(game: State) -> None:
    """Turn up the first card of the discard pile; it acts on nobody (A1.1, A1.2)."""
    card = take_from_pile(game, DEAL)
    while card == GOLDEN:  # A1.2: it goes back, another is turned up
        put_into_pile(game, card)
        card = take_from_pile(game, DEAL)
    discard(game, card)


# --- Moving cards -------------------------------------------------------------------------------


@rule
def discard(game: State, card: int) -> None:
    """Put a card on top of the discard pile."""
    game.discards[game.discard_size] = card
    game.discard_size += 1
    game.discarded[card] += 1


@rule
def lay_open(game: State, seat: int, card: int) -> None:
    """Put a card of a hand on top of the discard pile."""
    part_with(game, seat, card)
    discard(game, card)


@rule
def draw_from_pile(game: State, seat: int) -> None:
    """Draw one card into a hand; nothing when there is none (A1.5)."""
    if game.pile_size == 0:
        turn_over(game, 1)  # A1.5: its top card stays
    if game.pile_size > 0:
        give(game, seat, take_from_pile(game, DRAWS + seat))


@rule
def steal_card(game: State, thief: int, victim: int) -> None:
    """Draw one card, uniformly random, from another hand; from an empty one, nothing (A5.5)."""
    if game.hand_sizes[victim] == 0:
        return
    place = random_below(game.streams, THEFTS + thief, game.hand_sizes[victim])
    card = 0
    while place >= game.hands[victim, card]:
        place -= int(game.hands[victim, card])
        card += 1
    remove(game, victim, card)
    give(game, thief, card)
    learn_of_theft(game, thief, victim, card)


# --- A2-A6: what a move does --------------------------------------------------------------------


@hot
def apply(game: State, action: int) -> None:
    """Play one decision of the player to move; `action` must be legal."""
    game.round_ended = 0
    game.decisions += 1
    seat = game.mover
    if action == DRAW:
        draw_from_pile(game, seat)
        game.drawn += 1  # A1.5: made, even when there was no card to draw
    elif action == PASS:
        game.crosses[seat] += 1  # A2.1
        start_turn(game, next_seat(game, seat, 1))  # A4.2: a demand moves on
    elif action == TAKE:
        for _ in range(game.demand):  # A4.1; A2.5: these are none of the two draws
            draw_from_pile(game, seat)
        game.demand = 0
        game.phase = PLAY  # A4.1: then it is his turn, in full
    elif action == END:
        start_turn(game, next_seat(game, seat, 1))  # A2.4
    elif action == LAY + GOLDEN:
        lay_golden_twelves(game)
    elif action >= LAY + BLESSING:
        lay_action_card(game, action)
    else:
        lay_card(game, action - LAY)
    # A8.1: a Golden 12 laid as the very last decision allowed has already ended the round.
    if game.round_ended == 0 and game.decisions >= game.max_decisions:
        game.capped_rounds += 1
        end_round(game, NOBODY, 0)
    list_legal(game)


@rule
def start_turn(game: State, seat: int) -> None:
    """Make it a player's turn; a demand comes first (A4.3)."""
    game.mover = seat
    game.drawn = 0
    game.acted = 0
    game.phase = DEMAND if game.demand > 0 else PLAY


@rule
def lay_card(game: State, card: int) -> None:
    """Lay a number card, a 50 or a Happy-Man card, first or as more of a multiple (A2.3)."""
    seat, top = game.mover, top_card(game)
    multiples = game.phase == MULTIPLE or FIT[top, card] == MULTIPLES
    lay_open(game, seat, card)  # A3.3: the card laid last is the top
    if NUMBER_OF[card] == 2:
        game.demand += 2  # A4.1: two cards for every 2
    if card >= HAPPY:
        game.figure = seat  # A5.7: from its owner, if it has one
    # Who could lay more is asked whether he has more of the number or not: else the question
    # would tell the others. That a last card has to stay (A3.11), everybody sees.
    if multiples and game.hand_sizes[seat] > 1:
        game.phase = MULTIPLE
    else:
        start_turn(game, next_seat(game, seat, 1))  # A2.4: laying ends the turn


@rule
def lay_action_card(game: State, action: int) -> None:
    """Lay an action card: it takes effect at once and the turn goes on (A5.1)."""
    seat = game.mover
    card = min(action - LAY, SWAP)
    lay_open(game, seat, card)
    game.acted = 1  # A5.2: no passing now, and draws go on where they stood
    others = game.num_players - 1
    if card == SWAP:
        # A5.4: crosses and figure stay where they are. A5.6: a hand emptied by this or by a theft
        # does not end the round; its owner draws, passes or takes.
        other = next_seat(game, seat, action - LAY_SWAP + 1)
        swap_hands(game, seat, other)
        learn_by_swap(game, seat, other)
        return
    if card == STEAL:
        others = 1  # A5.5: only the next player
    for steps in range(1, others + 1):  # A5.3: clockwise from the next player
        other = next_seat(game, seat, steps)
        if game.edition == 0:
            steal_card(game, seat, other)
        else:  # A5.8: the Italian book lets the others draw from the pile
            draw_from_pile(game, other)


@rule
def lay_golden_twelves(game: State) -> None:
    """Lay all Golden 12s of the hand together: that ends the round and wins it (A6.1, A6.2)."""
    seat = game.mover
    laid = int(game.hands[seat, GOLDEN])
    for _ in range(laid):
        lay_open(game, seat, GOLDEN)
    end_round(game, seat, laid)


# --- A7: scoring --------------------------------------------------------------------------------


@rule
def end_round(game: State, winner: int, golden_laid: int) -> None:
    """Score the round, then deal the next one or end the game."""
    game.round_ended = 1
    game.round_winner = winner
    for seat in range(game.num_players):
        points = hand_points(game, seat) + 5 * game.crosses[seat]  # A7.2
        if seat == winner:
            points -= 5 * golden_laid  # A7.3
        halves = 2 * points
        if seat == game.figure and points > 0:  # A7.4
            halves = points
        game.round_points[seat] = halves
        game.scores[seat] += halves
    game.round_index += 1
    if game.round_index < game.rounds:  # A7.5
        deal(game)
    else:
        game.over = 1
        game.demand = 0  # A4.4


@rule
def hand_points(game: State, seat: int) -> int:
    """What the cards left in a hand count (A7.1)."""
    points = 0
    for card in range(NUM_CARDS):
        value = game.golden_value if card == GOLDEN else POINTS[card]
        points += int(game.hands[seat, card]) * int(value)
    return points
