"""Auruxxx: what everybody sees of a decision (engine/events.py).

Rule ids refer to docs/rules/auruxxx.md.
"""

from ..engine.compile import device
from ..engine.deck import next_seat
from ..engine.events import (
    EVERYBODY,
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
from .rules import Action, Card
from .state import State


@device
def write_events(before: State, action: int, after: State, log: Log) -> None:
    """Log what everybody sees of one decision; see `engine/protocol.py`."""
    player = before.current_player
    if action == Action.DRAW:  # A2.2, A1.5: also a draw that yields nothing
        log_draws(log, before, after, EventKind.DRAW, player, NONE, NOBODY_KNOWS)
    elif action == Action.PASS:  # A2.1, A4.2
        log_event(log, EventKind.PASS, player, NONE, NONE, before.demand, NOBODY_KNOWS)
    elif action == Action.TAKE:  # A4.1
        log_draws(log, before, after, EventKind.TAKE_DEMAND, player, NONE, NOBODY_KNOWS)
    elif action == Action.END:  # A2.4, A3.3
        log_announcement(log, EventKind.END, player)
    elif action < Action.LAY + Card.BLESSING:
        log_lay(log, before, action - Action.LAY)
    else:
        log_action_card(log, before, action, after)


@device
def log_lay(log: Log, before: State, card: int) -> None:
    """Log a card that is laid: all Golden 12s together (A6.1), else one (A3)."""
    player = before.current_player
    count = int(before.hands[player, card]) if card == Card.GOLDEN else 1
    log_event(log, EventKind.LAY, player, NONE, card, count, EVERYBODY)
    if card >= Card.HAPPY_MAN and card < Card.GOLDEN and before.figure != player:  # A5.7
        log_event(log, EventKind.FIGURE, player, before.figure, NONE, 1, NOBODY_KNOWS)


@device
def log_action_card(log: Log, before: State, action: int, after: State) -> None:
    """Log an action card and what it moves, clockwise from the next player (A5.3 to A5.5)."""
    player = before.current_player
    card = Card.SWAP if action >= Action.LAY_SWAP else action - Action.LAY
    log_card(log, EventKind.LAY, player, NONE, card)
    if card == Card.SWAP:  # A5.4
        log_swap(log, after, player, next_seat(before, player, action - Action.LAY_SWAP + 1))
        return
    stolen = 0
    for steps in range(1, before.num_players):
        other = next_seat(before, player, steps)
        change = size_change(before, after, other)
        if change < 0:  # A5.3, A5.5
            log_theft(log, before, player, other, lost_card(before, after, other))
            stolen += 1
        elif change > 0:  # A5.8
            log_draws(log, before, after, EventKind.DRAW, other, NONE, NOBODY_KNOWS)
    if size_change(before, after, player) == stolen:  # A5.8: laid one card and drew one
        log_draws(log, before, after, EventKind.DRAW, player, card, NOBODY_KNOWS)
