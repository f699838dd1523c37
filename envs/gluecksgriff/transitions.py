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
def apply(state: State, action: int) -> None:
    """Play one decision of the player to decide; `action` must be legal."""
    state.round_ended = 0
    state.decisions += 1
    if action < LOW:
        lay(state, action)
    elif action < DRAW:
        extend(state, action)
    elif action <= TAKE_HIGH:
        end_with_card(state, action)
    elif action < KEEP:
        knock(state, action)
    elif action == KEEP:
        finish_turn(state)
    elif action < CALL:
        answer(state, action)
    elif action == CALL:
        call(state)
    elif action == PLAY_HAND:
        play_magic_hand(state)
    elif action < PICK:
        serve(state, HOURGLASS, action - GIVE_HOURGLASS + 1)
        state.phase = GIVING
    elif action < EFFECT:
        use_magic_hand(state, action)
    else:
        play_effect(state, action - EFFECT)
    # G8.9: a round that ended with the very last decision has ended as usual.
    if state.round_ended == 0 and state.decisions >= state.max_decisions:
        state.capped_rounds += 1
        end_round(state)
        state.round_winner = NOBODY
    list_legal(state)


# --- G3: laying ----------------------------------------------------------------------------------


@hot
def lay(state: State, action: int) -> None:
    """Lay a first card, one more of a set, or the next higher card of a run."""
    seat = state.current_player
    if action < ADD:
        card = action
        if card < VALUES:
            state.value = card
        state.laid_kind = SAME if card < VALUES or is_joker(state, card) else SPECIAL
    elif action < RUN:
        card = int(PARTS[action - ADD])
        if card < VALUES:
            state.value = card
    else:
        card = int(PARTS[action - RUN])
        if state.value == NO_CARD:
            state.value = card - 1  # the joker below it
        state.laid_kind = RISING
    part_with(state, seat, card)
    discard(state, card, seat)
    state.laid += 1
    state.phase = LAYING


@hot
def extend(state: State, action: int) -> None:
    """Extend the run on the pile by one card (G5.2)."""
    seat = state.current_player
    at_low = action < HIGH
    part = action - (LOW if at_low else HIGH)
    if at_low:
        value = state.play_low - state.laid_low - 1
        place = play_bottom(state)
    else:
        value = state.play_low + state.play_size + state.laid - state.laid_low
        place = state.discard_size
    card = int(PARTS[VALUES + part - 1]) if part > FITTING else int(value)
    part_with(state, seat, card)
    insert(state, place, card, seat)
    state.laid += 1
    state.laid_kind = AT_LOW if at_low else AT_HIGH
    if at_low:
        state.laid_low += 1
    state.phase = EXTENDING


# --- G4, G5: how a turn ends ---------------------------------------------------------------------


@hot
def end_with_card(state: State, action: int) -> None:
    """Take a card: draw it, or take it off the play (G4.1, G4.2)."""
    seat = state.current_player
    if action != DRAW:
        take_off_play(state, action)
    else:
        card = draw_from_pile(state, seat)
        # G5.4: who laid a card, a set or a run may knock with what he draws. He is asked whether
        # it fits or not: else the question would tell the others.
        asked = state.laid_kind == RISING or (
            state.laid_kind == SAME and not is_joker(state, last_discard(state))
        )
        if asked and state.phase == LAYING and card != NO_CARD:
            state.drawn = card
            state.phase = DRAWN
            return
    if state.magician != NOBODY:
        put_magic_hand_away(state)
    else:
        finish_turn(state)


@hot
def take_off_play(state: State, action: int) -> None:
    """Take an outer card of the play into the hand; everybody sees it."""
    seat = state.current_player
    card = pull(state, play_bottom(state) if action == TAKE_LOW else play_top(state))
    give(state, seat, card)
    show(state, seat, card)
    if state.play_run == 1 and state.play_size > 3:
        state.play_size -= 1
        state.play_low += 1 if action == TAKE_LOW else 0
    else:
        # G4.6: what is left counts as a single card; of a used-up play, what lay under it.
        set_play(state, 1 if state.discard_size > state.laid else 0)


@rule
def knock(state: State, action: int) -> None:
    """Knock: the turn ends without a card (G5)."""
    seat = state.current_player
    if state.phase == DRAWN:  # G5.4: the drawn card is laid, too
        card = state.drawn
        part_with(state, seat, card)
        if action == KNOCK_LOW:
            insert(state, state.discard_size - state.laid, card, seat)
            state.value -= 1
        else:
            discard(state, card, seat)
        state.laid += 1
    pay_for_late_knock(state)
    finish_turn(state)


@rule
def pay_for_late_knock(state: State) -> None:
    """G5.7: a knock that comes too late costs a card, before anything else happens."""
    seat = state.current_player
    if state.late_knock > 0 and random_below(state.streams, KNOCKS + seat, 100) < state.late_knock:
        draw_from_pile(state, seat)


# --- G6: the hourglass ---------------------------------------------------------------------------


@rule
def serve(state: State, card: int, steps: int) -> None:
    """Lay an hourglass, or a blank like it, open in front of a player (G6.1)."""
    part_with(state, state.current_player, card)
    state.front[next_seat(state, state.current_player, steps)] = card


@rule
def answer(state: State, action: int) -> None:
    """Do something about the hourglass in front of oneself (G6.3, G6.4, G6.6)."""
    seat = state.current_player
    if action == PLAY_ON:
        draw_from_pile(state, seat)  # the penalty card comes first; the hourglass stays
        state.must_sit_out[seat] = 1
        state.phase = PLAY
        return
    discard(state, int(state.front[seat]), seat)
    set_play(state, 1)
    state.front[seat] = NO_CARD
    if action == SIT_OUT:
        state.must_sit_out[seat] = 0
        state.sat_out[seat] = 1
        end_turn(state)
        return
    part_with(state, seat, HOURGLASS)
    discard(state, HOURGLASS, seat)
    set_play(state, 2)
    pay_for_late_knock(state)  # G6.4: with a knock
    if state.hand_sizes[seat] == 0:
        end_round(state)  # G5.6
    else:
        state.phase = PLAY  # his normal turn


# --- G8: the call --------------------------------------------------------------------------------


@rule
def call(state: State) -> None:
    """Call Glücksgriff, as the whole turn (G8.2)."""
    seat = state.current_player
    state.caller = seat
    if hand_points(state, seat) >= FEW_POINTS:  # G8.5
        for other in range(state.num_players):
            write_points(state, other, CALLED_TOO_HIGH if other == seat else 0)
        close_round(state)
        return
    state.sat_out[seat] = 0
    state.turns_left = state.num_players - 1
    start_turn(state, next_seat(state, seat, 1))


# --- G9: blank cards -----------------------------------------------------------------------------


@rule
def play_effect(state: State, choice: int) -> None:
    """Play a blank for its effect on a chosen player; then a card is taken (G9.5)."""
    seat = state.current_player
    blank, steps = choice // (MAX_PLAYERS - 1), choice % (MAX_PLAYERS - 1) + 1
    card, effect = BLANK + blank, state.effects[blank]
    other = next_seat(state, seat, steps)
    state.phase = GIVING
    if effect == SIT_OUT_EFFECT:  # G9.8
        serve(state, card, steps)
        return
    part_with(state, seat, card)
    discard(state, card, seat)
    state.laid = 1
    state.laid_kind = SPECIAL
    if effect == DRAW_EFFECT:  # G9.9
        for _ in range(state.amounts[blank]):
            draw_from_pile(state, other)
    elif effect == LOOK_EFFECT:  # G9.10
        learn_hand(state, seat, other)
    else:  # G9.11; a blank that is plain or a joker has no effect to play (G9.6, G9.7)
        swap_hands(state, seat, other)
        learn_by_swap(state, seat, other)
