"""What the rules say of a decision: events, each with the id of its rule.

The rules call `emit` where something happens. In an ordinary state that does nothing and costs
nothing; in a logging state the event is one more row of its log. `write_event` and `is_logged` are
stubs, as those of `chance.py`: `Game` says what they do for states of a dtype. `events.py` has the
kinds of events, `history.py` the games that are played in logging states.
"""

from enum import IntEnum
from typing import Any

from .compile import device, dispatched
from .events import EVERYBODY, FIRST_UNRECORDED, NOBODY_KNOWS, NONE, Unrecorded, is_draw


class Raw(IntEnum):
    """Columns of a log."""

    KIND = 0  # an `EventKind` or `Unrecorded`
    ACTOR = 1  # a seat, or NONE
    OTHER = 2  # the other seat that is concerned, or NONE
    CARD = 3  # a card type, or NONE
    COUNT = 4  # cards, where the kind has a number of them
    KNOWERS = 5  # a bit for each seat that knows the card
    RULE = 6  # 100 * section + number: 504 for A5.4


LOGGED_ROWS = 256  # a demand may draw most of a deck, and a round end with it


def log_fields(rows: int) -> tuple[tuple[Any, ...], ...]:
    """Return the fields of a log with room for so many events."""
    return (("logged", "i4"), ("log", "i2", (rows, len(Raw))))


@dispatched
def is_logged(state: Any) -> bool:
    """Return whether events are written: what only events need is worked out only then."""
    raise NotImplementedError


@dispatched
def write_event(
    state: Any, kind: int, actor: int, other: int, card: int, count: int, knowers: int, rule: int
) -> None:
    """Write an event; see `emit`."""


@device(inline=True)
def emit(
    state: Any, kind: int, actor: int, other: int, card: int, count: int, knowers: int, rule: int
) -> None:
    """Say that something happened.

    Args:
        state: One game.
        kind: An `EventKind` or `Unrecorded`.
        actor: A seat, or NONE.
        other: The other seat that is concerned, or NONE.
        card: A card type, or NONE.
        count: Cards, where the kind has a number of them.
        knowers: A bit for each seat that knows the card.
        rule: 100 * section + number: 504 for A5.4.
    """
    write_event(state, kind, actor, other, card, count, knowers, rule)


@device(inline=True)
def announce(state: Any, kind: int, actor: int, rule: int) -> None:
    """Say what somebody does without a card."""
    emit(state, kind, actor, NONE, NONE, 0, NOBODY_KNOWS, rule)


@device(inline=True)
def emit_card(state: Any, kind: int, actor: int, other: int, card: int, rule: int) -> None:
    """Say what happens to one card that everybody sees."""
    emit(state, kind, actor, other, card, 1, EVERYBODY, rule)


@device
def emit_deal(state: Any, rule: int) -> None:
    """Say that a round has been dealt, with the card turned up."""
    player, card = state.current_player, int(state.discards[state.discard_size - 1])
    number = state.round_index + 1
    emit(state, Unrecorded.DEAL, NONE, player, card, number, EVERYBODY, rule)


@device
def emit_score(state: Any, seat: int, entry: int, rule: int) -> None:
    """Say what a seat scores by an entry of the score sheet, which is written already."""
    half_points = int(state.score_sheet[seat, entry])
    emit(state, Unrecorded.SCORE, seat, NONE, entry, half_points, NOBODY_KNOWS, rule)


# --- What the stubs do ---------------------------------------------------------------------------


@device
def is_not_logged(_state: Any) -> bool:
    """Return False: `is_logged` in ordinary states."""
    return False


@device
def write_nothing(_state: Any, *_event: int) -> None:
    """Do nothing: `write_event` in ordinary states."""


@device
def is_always_logged(_state: Any) -> bool:
    """Return True: `is_logged` in logging states, and in those of trees."""
    return True


@device
def write_row(
    state: Any, kind: int, actor: int, other: int, card: int, count: int, knowers: int, rule: int
) -> None:
    """Write a row of the log: `write_event` in logging states."""
    if state.logged == len(state.log):
        return
    row = state.log[state.logged]
    row[Raw.KIND] = kind
    row[Raw.ACTOR] = actor
    row[Raw.OTHER] = other
    row[Raw.CARD] = card
    row[Raw.COUNT] = count
    row[Raw.KNOWERS] = knowers
    row[Raw.RULE] = rule
    state.logged += 1


@device
def write_public_row(
    state: Any, kind: int, actor: int, other: int, card: int, count: int, knowers: int, rule: int
) -> None:
    """Write what a history needs, with one row for cards drawn one after the other.

    This is `write_event` in states of trees, whose logs are short.
    """
    if kind >= FIRST_UNRECORDED:
        return
    if state.logged > 0 and is_draw(kind):
        row = state.log[state.logged - 1]
        if row[Raw.KIND] == kind and row[Raw.ACTOR] == actor:
            row[Raw.COUNT] += count
            return
    write_row(state, kind, actor, other, card, count, knowers, rule)


ORDINARY = {is_logged: is_not_logged, write_event: write_nothing}
LOGGING = {is_logged: is_always_logged, write_event: write_row}
PUBLIC = {is_logged: is_always_logged, write_event: write_public_row}
