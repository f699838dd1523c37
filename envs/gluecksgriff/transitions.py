"""Glücksgriff: what each action does.

Plain Python on the state, compiled by Numba. Rule ids refer to docs/rules/gluecksgriff.md.
`legal.py` says which actions are legal, `magic.py` what the Magic Hand does (G7), `rounds.py` how
turns and rounds begin and end, `piles.py` how cards move.
"""

from ..engine.chance import happens
from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.emit import announce, emit, emit_card
from ..engine.events import NOBODY_KNOWS, NONE, EventKind, Unrecorded
from ..engine.knowledge import look_at_hand, part_with, swap_hands, take_openly
from . import piles, rounds
from .magic import play_magic_hand, put_magic_hand_away, use_magic_hand
from .rounds import Ending
from .rules import (
    CALLED_TOO_HIGH,
    FEW_POINTS,
    FITTING,
    LAY_RULES,
    MAX_PLAYERS,
    PARTS,
    VALUES,
    WHOLE_TURN,
    Action,
    Card,
    Effect,
)
from .state import NO_CARD, NOBODY, Laid, Phase, State, Stream


@device(inline=True)
def play(state: State, action: int) -> None:
    """Play one decision of the current player, up to the scoring of a round.

    Args:
        state: One game, changed in place.
        action: A legal action.
    """
    if action < Action.LOW:
        lay(state, action)
    elif action < Action.DRAW:
        extend(state, action)
    elif action <= Action.TAKE_HIGH:
        end_with_card(state, action)
    elif action < Action.KEEP:
        knock(state, action)
    elif action == Action.KEEP or action == Action.DECLINE:  # G8.2: covers nothing (G4.6)
        keeps = action == Action.KEEP
        event_kind, rule = EventKind.KEEP if keeps else EventKind.DECLINE, 505 if keeps else 802
        announce(state, event_kind, state.current_player, rule)
        rounds.finish_turn(state)
    elif action < Action.CALL:
        answer(state, action)
    elif action == Action.CALL:
        call(state)
    elif action == Action.PLAY_MAGIC_HAND:
        play_magic_hand(state)
    elif action < Action.PICK:
        serve(state, Card.HOURGLASS, action - Action.GIVE_HOURGLASS + 1, 601)
        state.phase = Phase.GIVING
    elif action < Action.EFFECT:
        use_magic_hand(state, action)
    else:
        play_effect(state, action - Action.EFFECT)
    # G8.9: a round that ended with the very last decision has ended as usual.
    if state.round_ended == 0 and state.decisions >= state.max_decisions:
        state.capped_rounds += 1
        rounds.end_round(state, Ending.CAP)


# --- G3: laying ----------------------------------------------------------------------------------


@device(inline=True)
def lay(state: State, action: int) -> None:
    """Lay a first card, one more of a set, or the next higher card of a run (G3.1)."""
    player, event_kind, rule = state.current_player, EventKind.LAY, 301
    if action < Action.ADD:
        card, rule = action, int(LAY_RULES[action])
        if card < VALUES:
            state.value = card
        state.laid_kind = Laid.SET if card < VALUES or piles.is_joker(state, card) else Laid.SPECIAL
    elif action < Action.RUN:
        card = int(PARTS[action - Action.ADD])
        if card < VALUES:
            state.value = card
    else:
        card = int(PARTS[action - Action.RUN])
        if state.value == NO_CARD:
            state.value = card - 1  # the joker below it
        state.laid_kind, event_kind = Laid.RUN, EventKind.LAY_RUN
    part_with(state, player, card)
    piles.discard(state, card, player)
    emit_card(state, event_kind, player, NONE, card, rule)
    state.laid += 1
    state.phase = Phase.LAYING


@device(inline=True)
def extend(state: State, action: int) -> None:
    """Extend the run on the pile by one card (G5.2)."""
    player = state.current_player
    at_low = action < Action.HIGH
    part = action - (Action.LOW if at_low else Action.HIGH)
    if at_low:
        value = state.play_low - state.laid_low - 1
        place = piles.play_bottom(state)
    else:
        value = state.play_low + state.play_size + state.laid - state.laid_low
        place = state.discard_size
    card = int(PARTS[VALUES + part - 1]) if part > FITTING else int(value)
    part_with(state, player, card)
    piles.insert(state, place, card, player)
    event_kind = EventKind.LAY_LOW if at_low else EventKind.LAY_HIGH
    emit_card(state, event_kind, player, NONE, card, 502)
    state.laid += 1
    state.laid_kind = Laid.LOW_END if at_low else Laid.HIGH_END
    if at_low:
        state.laid_low += 1
    state.phase = Phase.EXTENDING


# --- G4, G5: how a turn ends ---------------------------------------------------------------------


@device(inline=True)
def end_with_card(state: State, action: int) -> None:
    """Take a card: draw it, or take it off the play (G4.1, G4.2); then the turn ends.

    Who draws after laying may knock with the drawn card first (G5.4).
    """
    player = state.current_player
    if action != Action.DRAW:
        take_off_play(state, action)
    else:
        card = piles.draw_from_pile(state, player, EventKind.DRAW, EventKind.DRAW, 401)
        # G5.4: who laid a card, a set or a run may knock with the card drawn. The player is asked
        # whether it fits or not: else the question would tell the others.
        asked = state.phase == Phase.LAYING and piles.may_add_drawn_card(state)
        if asked and card != NO_CARD:
            state.drawn = card
            state.phase = Phase.DRAWN
            return
    if state.magician != NOBODY:
        put_magic_hand_away(state)
    else:
        rounds.finish_turn(state)


@device(inline=True)
def take_off_play(state: State, action: int) -> None:
    """Take an outer card of the play into the hand; everybody sees it (G4.1, G4.2).

    What is left of a run of more than three is still a run, otherwise a single card (G4.6).
    """
    player = state.current_player
    place = piles.play_bottom(state) if action == Action.TAKE_LOW else piles.play_top(state)
    card = piles.pull(state, place)
    rule = 401 if action == Action.TAKE else 402
    take_openly(state, EventKind.TAKE, player, NONE, card, rule)
    if state.play_run == 1 and state.play_size > 3:
        state.play_size -= 1
        state.play_low += 1 if action == Action.TAKE_LOW else 0
    else:
        # G4.6: what is left counts as a single card; of a used-up play, what lay under it.
        piles.set_play(state, 1 if state.discard_size > state.laid else 0)


@device
def knock(state: State, action: int) -> None:
    """Knock: the turn ends without a card (G5.1, G5.2).

    A drawn card that is knocked is laid first (G5.4). A late knock costs a card (G5.7).
    """
    player = state.current_player
    rule = 502 if state.phase == Phase.EXTENDING else 501
    if state.phase == Phase.DRAWN:  # G5.4: the drawn card is laid, too
        card, rule, event_kind = state.drawn, 504, EventKind.LAY
        part_with(state, player, card)
        if action == Action.KNOCK_LOW:
            piles.insert(state, state.discard_size - state.laid, card, player)
            state.value -= 1
            event_kind = EventKind.LAY_LOW
        else:
            piles.discard(state, card, player)
            if action == Action.KNOCK_HIGH:
                event_kind = EventKind.LAY_HIGH
        state.laid += 1
        emit_card(state, event_kind, player, NONE, card, rule)
    announce(state, EventKind.KNOCK, player, rule)
    pay_for_late_knock(state)
    rounds.finish_turn(state)


@device
def pay_for_late_knock(state: State) -> None:
    """Draw a card if the knock comes too late, before anything else happens (G5.7)."""
    player = state.current_player
    if happens(state, Stream.KNOCKS + player, state.late_knock):
        piles.draw_from_pile(state, player, EventKind.PENALTY, Unrecorded.NO_DRAW, 507)


# --- G6: the hourglass ---------------------------------------------------------------------------


@device
def serve(state: State, card: int, steps: int, rule: int) -> None:
    """Lay an hourglass, or a blank like it, open in front of a player (G6.1)."""
    player = state.current_player
    target = next_seat(state, player, steps)
    part_with(state, player, card)
    state.front[target] = card
    emit_card(state, EventKind.GIVE, player, target, card, rule)


@device
def answer(state: State, action: int) -> None:
    """Answer the hourglass that lies in front of the current player.

    It sits out (G6.3), or fends off with an hourglass of its own and a knock (G6.4), after which
    it takes its turn unless fend_off=turn, or draws a penalty card and plays on (G6.6).
    """
    player = state.current_player
    if action == Action.PLAY_ON:
        announce(state, EventKind.PLAY_ON, player, 606)
        # The penalty card comes first; the hourglass stays.
        piles.draw_from_pile(state, player, EventKind.PENALTY, Unrecorded.NO_DRAW, 606)
        state.must_sit_out[player] = 1
        state.phase = Phase.PLAY
        return
    card, rule = int(state.front[player]), 603 if action == Action.SIT_OUT else 604
    piles.discard(state, card, player)
    emit_card(state, EventKind.DISCARD, player, NONE, card, rule)
    piles.set_play(state, 1)
    state.front[player] = NO_CARD
    if action == Action.SIT_OUT:
        announce(state, EventKind.SIT_OUT, player, rule)
        state.must_sit_out[player] = 0
        state.sat_out[player] = 1
        rounds.end_turn(state)
        return
    part_with(state, player, Card.HOURGLASS)
    piles.discard(state, Card.HOURGLASS, player)
    emit_card(state, EventKind.FEND_OFF, player, NONE, Card.HOURGLASS, rule)
    piles.set_play(state, 2)
    pay_for_late_knock(state)  # G6.4: with a knock
    if state.fend_off == WHOLE_TURN:  # G6.4
        rounds.finish_turn(state)
    elif state.hand_sizes[player] == 0:
        rounds.end_round(state, rounds.ending_now(state))  # G5.6
    else:
        state.phase = Phase.PLAY  # the player's normal turn


# --- G8: the call --------------------------------------------------------------------------------


@device
def call(state: State) -> None:
    """Call Glücksgriff, as the whole turn (G8.2).

    With too many points the round ends and only the caller writes points (G8.5). Otherwise every
    other player may make one last turn.
    """
    player = state.current_player
    state.caller = player
    announce(state, EventKind.CALL, player, 802)
    held = piles.hand_points(state, player)
    if held >= FEW_POINTS:  # G8.5
        rounds.emit_empty_hands(state)
        emit(state, Unrecorded.CALL_TOO_HIGH, player, NONE, NONE, held, NOBODY_KNOWS, 805)
        for other in range(state.num_players):
            rounds.write_points(state, other, 0, CALLED_TOO_HIGH if other == player else 0, 805)
        rounds.close_round(state, Ending.HIGH_CALL)
        return
    state.sat_out[player] = 0
    state.turns += 1
    state.turns_left = state.num_players - 1
    rounds.start_turn(state, next_seat(state, player, 1))


# --- G9: blank cards -----------------------------------------------------------------------------


@device
def play_effect(state: State, choice: int) -> None:
    """Play a blank for its effect on a chosen player; then a card is taken (G9.5).

    The target sits out (G9.8) or draws cards (G9.9), or its hand is looked at (G9.10) or swapped
    for the player's own (G9.11).

    Args:
        state: One game, changed in place.
        choice: The action less Action.EFFECT: blank * (MAX_PLAYERS - 1) + seats to the target - 1.
    """
    player = state.current_player
    blank, steps = choice // (MAX_PLAYERS - 1), choice % (MAX_PLAYERS - 1) + 1
    card, effect = Card.BLANK + blank, state.effects[blank]
    target = next_seat(state, player, steps)
    state.phase = Phase.GIVING
    if effect == Effect.SIT_OUT:  # G9.8
        serve(state, card, steps, 908)
        return
    part_with(state, player, card)
    piles.discard(state, card, player)
    rule = 909 if effect == Effect.DRAW else 910 if effect == Effect.LOOK else 911
    emit_card(state, EventKind.PLAY, player, target, card, rule)
    state.laid = 1
    state.laid_kind = Laid.SPECIAL
    if effect == Effect.DRAW:  # G9.9
        piles.draw_several(state, target, state.amounts[blank], EventKind.DRAW, 1 << target, rule)
    elif effect == Effect.LOOK:  # G9.10
        look_at_hand(state, player, target, rule)
    else:  # G9.11; a blank that is plain or a joker has no effect to play (G9.6, G9.7)
        swap_hands(state, player, target, rule)
