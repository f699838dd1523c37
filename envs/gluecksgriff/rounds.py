"""Glücksgriff: how rounds and turns begin and end, and what is written down.

Rule ids refer to docs/rules/gluecksgriff.md.
"""

from goldgriff.envs.engine.compile import rule
from goldgriff.envs.engine.deck import gather, give, next_seat, take_from_pile
from goldgriff.envs.engine.rng import restart_streams
from goldgriff.envs.gluecksgriff.knowledge import know_nothing
from goldgriff.envs.gluecksgriff.legal import hand_points, list_legal
from goldgriff.envs.gluecksgriff.piles import discard, set_play
from goldgriff.envs.gluecksgriff.rules import HALVED_AT, WRONG_CALL
from goldgriff.envs.gluecksgriff.state import (
    AT_HIGH,
    AT_LOW,
    DEAL,
    NO_CARD,
    NOBODY,
    NOTHING,
    PLAY,
    RISING,
    SERVED,
    State,
)

# --- G1: setting up a round ----------------------------------------------------------------------


@rule
def begin(game: State) -> None:
    """Start a whole new game from the settings and the seed in the record."""
    game.over = 0
    game.round_index = 0
    game.scores[:] = 0
    game.capped_rounds = 0
    game.round_ended = 0
    game.round_winner = NOBODY
    game.round_points[:] = 0
    deal(game)


@rule
def deal(game: State) -> None:
    """Deal a round."""
    restart_streams(game.streams, game.seed, game.round_index)
    gather(game)
    know_nothing(game)
    for _ in range(game.hand_size):  # G1.1
        for seat in range(game.num_players):
            give(game, seat, take_from_pile(game, DEAL))
    game.discard_size = 0
    game.discarded[:] = 0
    game.laid = 0
    game.laid_kind = NOTHING
    discard(game, take_from_pile(game, DEAL), NOBODY)  # G1.3: whatever it is, it does nothing
    set_play(game, 1)
    game.open[:] = NO_CARD
    game.magician = NOBODY
    game.deceiver = NOBODY
    game.front[:] = NO_CARD
    game.sat_out[:] = 0
    game.must_sit_out[:] = 0
    game.caller = NOBODY
    game.turns_left = 0
    game.decisions = 0
    start_turn(game, game.round_index % game.num_players)  # G1.2: the last seat deals first
    list_legal(game)


# --- Turns ---------------------------------------------------------------------------------------


@rule
def start_turn(game: State, seat: int) -> None:
    """Make it a player's turn."""
    game.mover = seat
    clear_turn(game)
    if game.front[seat] != NO_CARD:
        game.phase = SERVED


@rule
def clear_turn(game: State) -> None:
    """Forget what was laid and drawn in the turn before."""
    game.laid = 0
    game.laid_kind = NOTHING
    game.laid_low = 0
    game.value = NO_CARD
    game.drawn = NO_CARD
    game.phase = PLAY


@rule
def end_turn(game: State) -> None:
    """Let what was laid be the new play, and go on to the next player."""
    if game.laid_kind == AT_LOW or game.laid_kind == AT_HIGH:
        game.play_size += game.laid
        game.play_low -= game.laid_low
    elif game.laid > 0:
        set_play(game, game.laid)
        if game.laid_kind == RISING:
            game.play_run = 1
            game.play_low = game.value
    for seat in range(game.num_players):
        if game.hand_sizes[seat] == 0:  # G5.6, G1.4, G8.6
            end_round(game)
            return
    if game.caller != NOBODY:
        game.turns_left -= 1
        if game.turns_left == 0:  # G8.2
            end_round(game)
            return
    start_turn(game, next_seat(game, game.mover, 1))


@rule
def finish_turn(game: State) -> None:
    """End an ordinary turn: whoever takes one does not sit out (G6.2)."""
    game.sat_out[game.mover] = 0
    end_turn(game)


# --- G8: ending a round, scoring -----------------------------------------------------------------


@rule
def end_round(game: State) -> None:
    """Write what the hands count, the caller what his call brings (G8.3, G8.4, G8.6)."""
    for seat in range(game.num_players):
        points = hand_points(game, seat)
        if seat == game.caller:
            points = 0 if call_is_right(game) else WRONG_CALL
        write_points(game, seat, points)
    close_round(game)


@rule
def close_round(game: State) -> None:
    """Once all points are written, deal the next round or end the game (G8.8)."""
    game.round_ended = 1
    name_winner(game)
    game.round_index += 1
    for seat in range(game.num_players):
        if game.scores[seat] > 2 * game.point_limit:  # after halving
            game.over = 1
    if game.over == 0:
        deal(game)
    else:
        clear_turn(game)


@rule
def call_is_right(game: State) -> bool:
    """Whether everybody else has more points than the caller (G8.3)."""
    called = hand_points(game, game.caller)
    for seat in range(game.num_players):
        if seat != game.caller and hand_points(game, seat) <= called:
            return False
    return True


@rule
def write_points(game: State, seat: int, points: int) -> None:
    """Add points to a total; one that reaches a multiple of 50 is halved, once (G8.7)."""
    before = int(game.scores[seat])
    total = before + 2 * points
    if points > 0 and total % (2 * HALVED_AT) == 0:
        total //= 2
    game.scores[seat] = total
    game.round_points[seat] = total - before


@rule
def name_winner(game: State) -> None:
    """Note whose total rose least, if nobody's rose as little."""
    game.round_winner = NOBODY
    least = 1 << 30
    for seat in range(game.num_players):
        rise = int(game.round_points[seat])
        if rise < least:
            game.round_winner = seat
            least = rise
        elif rise == least:
            game.round_winner = NOBODY
