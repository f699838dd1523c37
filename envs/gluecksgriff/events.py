"""Glücksgriff: what everybody sees of a decision (engine/events.py).

Rule ids refer to docs/rules/gluecksgriff.md.
"""

from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.events import (
    NOBODY_KNOWS,
    NONE,
    EventKind,
    Log,
    log_announcement,
    log_card,
    log_draws,
    log_event,
    log_swap,
    log_theft,
    lost_card,
    size_change,
)
from .magic import challenge_is_right
from .plays import play_bottom, play_top
from .rules import MAX_PLAYERS, Action, Card, Effect
from .state import NO_CARD, NOBODY, Phase, State


@device
def write_events(before: State, action: int, after: State, log: Log) -> None:
    """Log what everybody sees of one decision; see `engine/protocol.py`."""
    player = before.current_player
    if action < Action.DRAW:
        log_card(log, kind_of_lay(action), player, NONE, lost_card(before, after, player))
    elif action == Action.DRAW:  # G4.1; G5.4: its player alone sees the card
        log_draws(log, before, after, EventKind.DRAW, player, NONE, NOBODY_KNOWS)
    elif action <= Action.TAKE_HIGH:  # G4.1, G4.2
        place = play_bottom(before) if action == Action.TAKE_LOW else play_top(before)
        log_card(log, EventKind.TAKE, player, NONE, int(before.discards[place]))
    elif action < Action.KEEP:
        log_knock(log, before, action, after)
    elif action == Action.KEEP or action == Action.CALL or action == Action.DECLINE:
        log_announcement(log, kind_of_announcement(action), player)
    elif action < Action.CALL:
        log_answer(log, before, action, after)
    elif action == Action.PLAY_MAGIC_HAND:
        log_magic_hand(log, before, after)
    elif action < Action.PICK:  # G6.1
        other = next_seat(before, player, action - Action.GIVE_HOURGLASS + 1)
        log_card(log, EventKind.GIVE, player, other, Card.HOURGLASS)
    elif action < Action.EFFECT:
        log_magic(log, before, action, after)
    else:
        log_effect(log, before, action - Action.EFFECT, after)
    if before.magician != NOBODY and after.magician == NOBODY:
        wrong = action >= Action.CHALLENGE and action < Action.OPEN
        log_end_of_magic(log, before, action, after, wrong)


@device
def kind_of_lay(action: int) -> int:
    """Return how a card is laid: as a first one or on a set, or where on a run (G3.1, G5.2)."""
    if action < Action.RUN:
        return EventKind.LAY
    if action < Action.LOW:
        return EventKind.LAY_RUN
    return EventKind.LAY_LOW if action < Action.HIGH else EventKind.LAY_HIGH


@device
def kind_of_announcement(action: int) -> int:
    """Return what is announced: a card kept (G5.5), a call (G8.2, G8.5), a turn declined (G8.2)."""
    if action == Action.KEEP:
        return EventKind.KEEP
    return EventKind.CALL if action == Action.CALL else EventKind.DECLINE


@device
def log_knock(log: Log, before: State, action: int, after: State) -> None:
    """Log a knock, with the drawn card that is laid for it (G5.4) and a late knock's (G5.7)."""
    player, lost = before.current_player, NONE
    if before.phase == Phase.DRAWN:
        lost = int(before.drawn)
        kind = EventKind.LAY
        if action == Action.KNOCK_LOW:
            kind = EventKind.LAY_LOW
        elif action == Action.KNOCK_HIGH:
            kind = EventKind.LAY_HIGH
        log_card(log, kind, player, NONE, lost)
    log_announcement(log, EventKind.KNOCK, player)
    log_penalty(log, before, after, lost)


@device
def log_penalty(log: Log, before: State, after: State, lost: int) -> None:
    """Log the penalty card of the current player, if there was one (G5.7, G6.6)."""
    player = before.current_player
    if size_change(before, after, player) + int(lost != NONE) > 0:
        log_draws(log, before, after, EventKind.PENALTY, player, lost, NOBODY_KNOWS)


@device
def log_answer(log: Log, before: State, action: int, after: State) -> None:
    """Log the answer to an hourglass (G6.3, G6.4, G6.6)."""
    player = before.current_player
    if action == Action.PLAY_ON:
        log_announcement(log, EventKind.PLAY_ON, player)
        log_penalty(log, before, after, NONE)
        return
    log_card(log, EventKind.DISCARD, player, NONE, int(before.front[player]))
    if action == Action.SIT_OUT:
        log_announcement(log, EventKind.SIT_OUT, player)
    else:
        log_card(log, EventKind.FEND_OFF, player, NONE, Card.HOURGLASS)
        log_penalty(log, before, after, Card.HOURGLASS)


@device
def log_effect(log: Log, before: State, choice: int, after: State) -> None:
    """Log a blank that is played for its effect on a player (G9.8 to G9.11)."""
    player, blank = before.current_player, choice // (MAX_PLAYERS - 1)
    target = next_seat(before, player, choice % (MAX_PLAYERS - 1) + 1)
    effect = before.effects[blank]
    served = effect == Effect.SIT_OUT
    kind = EventKind.GIVE if served else EventKind.PLAY
    log_card(log, kind, player, target, Card.BLANK + blank)
    if effect == Effect.DRAW:
        log_draws(log, before, after, EventKind.DRAW, target, NONE, NOBODY_KNOWS)
    elif effect == Effect.LOOK:
        log_look(log, before, player, target)
    elif effect == Effect.SWAP:
        log_swap(log, after, player, target)


# --- G7: the Magic Hand --------------------------------------------------------------------------


@device
def log_look(log: Log, state: State, player: int, target: int) -> None:
    """Log that a player sees a whole hand (G7.5, G9.10)."""
    size = int(state.hand_sizes[target])
    log_event(log, EventKind.LOOK, player, target, NONE, size, NOBODY_KNOWS)


@device
def log_magic_hand(log: Log, before: State, after: State) -> None:
    """Log the Magic Hand, and the cards that are laid open at once (G7.1)."""
    player = before.current_player
    log_card(log, EventKind.PLAY, player, NONE, Card.MAGIC_HAND)
    for steps in range(1, before.num_players):
        other = next_seat(before, player, steps)
        if after.open[other] != NO_CARD:
            log_card(log, EventKind.OPEN, other, NONE, int(after.open[other]))


@device
def log_magic(log: Log, before: State, action: int, after: State) -> None:
    """Log a decision while the Magic Hand is in play (G7.2, G7.4, G7.5)."""
    player = before.current_player
    if action >= Action.GRAB:
        log_theft(log, before, player, before.challenged, action - Action.GRAB)
    elif action >= Action.OPEN:
        log_card(log, EventKind.OPEN, player, NONE, action - Action.OPEN)
    elif action >= Action.CHALLENGE:
        target = next_seat(before, player, action - Action.CHALLENGE + 1)
        log_challenge(log, before, target, after)
    else:
        target = next_seat(before, player, action - Action.PICK + 1)
        log_card(log, EventKind.PICK, player, target, int(before.open[target]))


@device
def log_challenge(log: Log, before: State, target: int, after: State) -> None:
    """Log a challenge: the hand is seen; a right one fills it, a wrong one costs two cards."""
    player = before.current_player
    if challenge_is_right(before, target):
        log_event(log, EventKind.RIGHT_CHALLENGE, player, target, NONE, 0, NOBODY_KNOWS)
        if size_change(before, after, target) > 0:  # G7.5: the challenger sees it, too
            log_draws(log, before, after, EventKind.DRAW, target, NONE, 1 << player)
        log_look(log, after, player, target)
        return
    log_event(log, EventKind.WRONG_CHALLENGE, player, target, NONE, 0, NOBODY_KNOWS)
    log_look(log, before, player, target)
    log_draws(log, before, after, EventKind.DRAW, player, NONE, NOBODY_KNOWS)  # G7.6


@device
def log_end_of_magic(log: Log, before: State, action: int, after: State, wrong: bool) -> None:
    """Log what becomes of the open cards and the Magic Hand, and the draws (G7.3, G7.5, G7.6)."""
    magician = before.magician
    picked = magician
    if action >= Action.PICK and action < Action.CHALLENGE:
        picked = next_seat(before, magician, action - Action.PICK + 1)
    kind = EventKind.TAKE_BACK if wrong else EventKind.DISCARD
    for steps in range(1, before.num_players):
        other = next_seat(before, magician, steps)
        if before.open[other] != NO_CARD and other != picked:
            log_card(log, kind, other, NONE, int(before.open[other]))
    log_card(log, EventKind.DISCARD, magician, NONE, Card.MAGIC_HAND)
    if wrong:
        return
    for steps in range(1, before.num_players):
        other = next_seat(before, magician, steps)
        grabbed = action >= Action.GRAB and action < Action.EFFECT and other == before.challenged
        lost = action - Action.GRAB if grabbed else NONE
        log_draws(log, before, after, EventKind.DRAW, other, lost, NOBODY_KNOWS)
