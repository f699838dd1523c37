"""Glücksgriff played: what each move does.

Plain Python on the state record, compiled by Numba. Rule ids refer to docs/rules/gluecksgriff.md.
Which moves are legal stands in `legal.py`, the Magic Hand (G7) in `magic.py`, how turns and rounds
end and what is written down in `rounds.py`, the two piles in `piles.py`, what everybody knows of
hands in `knowledge.py`.
"""

from goldgriff.envs.engine.compile import hot, rule
from goldgriff.envs.engine.deck import give, next_seat, swap_hands
from goldgriff.envs.engine.rng import random_below
from goldgriff.envs.gluecksgriff.knowledge import (
    learn_by_swap,
    learn_hand,
    part_with,
    show,
)
from goldgriff.envs.gluecksgriff.legal import (
    hand_points,
    is_joker,
    last_discard,
    list_legal,
    play_bottom,
    play_top,
)
from goldgriff.envs.gluecksgriff.magic import (
    play_magic_hand,
    put_magic_hand_away,
    use_magic_hand,
)
from goldgriff.envs.gluecksgriff.piles import (
    discard,
    draw_from_pile,
    insert,
    pull,
    set_play,
)
from goldgriff.envs.gluecksgriff.rounds import (
    close_round,
    end_round,
    end_turn,
    finish_turn,
    start_turn,
    write_points,
)
from goldgriff.envs.gluecksgriff.rules import (
    ADD,
    BLANK,
    CALL,
    CALLED_TOO_HIGH,
    DRAW,
    DRAW_EFFECT,
    EFFECT,
    FEW_POINTS,
    FITTING,
    GIVE_HOURGLASS,
    HIGH,
    HOURGLASS,
    KEEP,
    KNOCK_LOW,
    LOOK_EFFECT,
    LOW,
    MAX_PLAYERS,
    PARTS,
    PICK,
    PLAY_HAND,
    PLAY_ON,
    RUN,
    SIT_OUT,
    SIT_OUT_EFFECT,
    TAKE_HIGH,
    TAKE_LOW,
    VALUES,
)
from goldgriff.envs.gluecksgriff.state import (
    AT_HIGH,
    AT_LOW,
    DRAWN,
    EXTENDING,
    GIVING,
    KNOCKS,
    LAYING,
    NO_CARD,
    NOBODY,
    PLAY,
    RISING,
    SAME,
    SPECIAL,
    State,
)


@hot
def apply(game: State, action: int) -> None:
    """Play one decision of the player to decide; `action` must be legal."""
    game.round_ended = 0
    game.decisions += 1
    if action < LOW:
        lay(game, action)
    elif action < DRAW:
        extend(game, action)
    elif action <= TAKE_HIGH:
        end_with_card(game, action)
    elif action < KEEP:
        knock(game, action)
    elif action == KEEP:
        finish_turn(game)
    elif action < CALL:
        answer(game, action)
    elif action == CALL:
        call(game)
    elif action == PLAY_HAND:
        play_magic_hand(game)
    elif action < PICK:
        serve(game, HOURGLASS, action - GIVE_HOURGLASS + 1)
        game.phase = GIVING
    elif action < EFFECT:
        use_magic_hand(game, action)
    else:
        play_effect(game, action - EFFECT)
    # G8.9: a round that ended with the very last decision has ended as usual.
    if game.round_ended == 0 and game.decisions >= game.max_decisions:
        game.capped_rounds += 1
        end_round(game)
        game.round_winner = NOBODY
    list_legal(game)


# --- G3: laying ----------------------------------------------------------------------------------


@hot
def lay(game: State, action: int) -> None:
    """Lay a first card, one more of a set, or the next higher card of a run."""
    seat = game.mover
    if action < ADD:
        card = action
        if card < VALUES:
            game.value = card
        game.laid_kind = SAME if card < VALUES or is_joker(game, card) else SPECIAL
    elif action < RUN:
        card = int(PARTS[action - ADD])
        if card < VALUES:
            game.value = card
    else:
        card = int(PARTS[action - RUN])
        if game.value == NO_CARD:
            game.value = card - 1  # the joker below it
        game.laid_kind = RISING
    part_with(game, seat, card)
    discard(game, card, seat)
    game.laid += 1
    game.phase = LAYING


@hot
def extend(game: State, action: int) -> None:
    """Extend the run on the pile by one card (G5.2)."""
    seat = game.mover
    at_low = action < HIGH
    part = action - (LOW if at_low else HIGH)
    if at_low:
        value = game.play_low - game.laid_low - 1
        place = play_bottom(game)
    else:
        value = game.play_low + game.play_size + game.laid - game.laid_low
        place = game.discard_size
    card = int(PARTS[VALUES + part - 1]) if part > FITTING else int(value)
    part_with(game, seat, card)
    insert(game, place, card, seat)
    game.laid += 1
    game.laid_kind = AT_LOW if at_low else AT_HIGH
    if at_low:
        game.laid_low += 1
    game.phase = EXTENDING


# --- G4, G5: how a turn ends ---------------------------------------------------------------------


@hot
def end_with_card(game: State, action: int) -> None:
    """Take a card: draw it, or take it off the play (G4.1, G4.2)."""
    seat = game.mover
    if action != DRAW:
        take_off_play(game, action)
    else:
        card = draw_from_pile(game, seat)
        # G5.4: who laid a card, a set or a run may knock with what he draws. He is asked whether
        # it fits or not: else the question would tell the others.
        asked = game.laid_kind == RISING or (
            game.laid_kind == SAME and not is_joker(game, last_discard(game))
        )
        if asked and game.phase == LAYING and card != NO_CARD:
            game.drawn = card
            game.phase = DRAWN
            return
    if game.magician != NOBODY:
        put_magic_hand_away(game)
    else:
        finish_turn(game)


@hot
def take_off_play(game: State, action: int) -> None:
    """Take an outer card of the play into the hand; everybody sees it."""
    seat = game.mover
    card = pull(game, play_bottom(game) if action == TAKE_LOW else play_top(game))
    give(game, seat, card)
    show(game, seat, card)
    if game.play_run == 1 and game.play_size > 3:
        game.play_size -= 1
        game.play_low += 1 if action == TAKE_LOW else 0
    else:
        # G4.6: what is left counts as a single card; of a used-up play, what lay under it.
        set_play(game, 1 if game.discard_size > game.laid else 0)


@rule
def knock(game: State, action: int) -> None:
    """Knock: the turn ends without a card (G5)."""
    seat = game.mover
    if game.phase == DRAWN:  # G5.4: the drawn card is laid, too
        card = game.drawn
        part_with(game, seat, card)
        if action == KNOCK_LOW:
            insert(game, game.discard_size - game.laid, card, seat)
            game.value -= 1
        else:
            discard(game, card, seat)
        game.laid += 1
    pay_for_late_knock(game)
    finish_turn(game)


@rule
def pay_for_late_knock(game: State) -> None:
    """G5.7: a knock that comes too late costs a card, before anything else happens."""
    seat = game.mover
    if game.late_knock > 0 and random_below(game.streams, KNOCKS + seat, 100) < game.late_knock:
        draw_from_pile(game, seat)


# --- G6: the hourglass ---------------------------------------------------------------------------


@rule
def serve(game: State, card: int, steps: int) -> None:
    """Lay an hourglass, or a blank like it, open in front of a player (G6.1)."""
    part_with(game, game.mover, card)
    game.front[next_seat(game, game.mover, steps)] = card


@rule
def answer(game: State, action: int) -> None:
    """Do something about the hourglass in front of oneself (G6.3, G6.4, G6.6)."""
    seat = game.mover
    if action == PLAY_ON:
        draw_from_pile(game, seat)  # the penalty card comes first; the hourglass stays
        game.must_sit_out[seat] = 1
        game.phase = PLAY
        return
    discard(game, int(game.front[seat]), seat)
    set_play(game, 1)
    game.front[seat] = NO_CARD
    if action == SIT_OUT:
        game.must_sit_out[seat] = 0
        game.sat_out[seat] = 1
        end_turn(game)
        return
    part_with(game, seat, HOURGLASS)
    discard(game, HOURGLASS, seat)
    set_play(game, 2)
    pay_for_late_knock(game)  # G6.4: with a knock
    if game.hand_sizes[seat] == 0:
        end_round(game)  # G5.6
    else:
        game.phase = PLAY  # his normal turn


# --- G8: the call --------------------------------------------------------------------------------


@rule
def call(game: State) -> None:
    """Call Glücksgriff, as the whole turn (G8.2)."""
    seat = game.mover
    game.caller = seat
    if hand_points(game, seat) >= FEW_POINTS:  # G8.5
        for other in range(game.num_players):
            write_points(game, other, CALLED_TOO_HIGH if other == seat else 0)
        close_round(game)
        return
    game.sat_out[seat] = 0
    game.turns_left = game.num_players - 1
    start_turn(game, next_seat(game, seat, 1))


# --- G9: blank cards -----------------------------------------------------------------------------


@rule
def play_effect(game: State, choice: int) -> None:
    """Play a blank for its effect on a chosen player; then a card is taken (G9.5)."""
    seat = game.mover
    blank, steps = choice // (MAX_PLAYERS - 1), choice % (MAX_PLAYERS - 1) + 1
    card, effect = BLANK + blank, game.effects[blank]
    other = next_seat(game, seat, steps)
    game.phase = GIVING
    if effect == SIT_OUT_EFFECT:  # G9.8
        serve(game, card, steps)
        return
    part_with(game, seat, card)
    discard(game, card, seat)
    game.laid = 1
    game.laid_kind = SPECIAL
    if effect == DRAW_EFFECT:  # G9.9
        for _ in range(game.amounts[blank]):
            draw_from_pile(game, other)
    elif effect == LOOK_EFFECT:  # G9.10
        learn_hand(game, seat, other)
    else:  # G9.11; a blank that is plain or a joker has no effect to play (G9.6, G9.7)
        swap_hands(game, seat, other)
        learn_by_swap(game, seat, other)
