"""Information states with perfect recall, as numbers: what a seat has observed and done.

A seat observes its whole observation when it decides; after every decision of anybody the public
events as it knows them, and the cards that it knows in other hands where they changed; and where a
round ended the points of all. Its information state is the sequence of all that and of its own
actions. A recall is a hash of it, 64 bits: of a million information states two have the same once
in 10**7 trees.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.engine.compile import device
from ...envs.engine.events import Header, Log, project
from ...envs.engine.game import Game
from ...envs.engine.history import log_decision
from ...envs.engine.protocol import get_known_cards, observe
from ...envs.engine.rng import mix
from ...envs.engine.settings import GameSettings
from ...envs.history import MAX_EVENTS, new_events, new_logs

# Working space: a raw observation, known cards before and after, (2, seats - 1, card types), a log,
# events, (rows, 6).
Buffers = tuple[NDArray[np.uint8], NDArray[np.uint8], Log, NDArray[np.int32]]

BEGIN = -1  # in place of an action: the game begins
_STEP = np.uint64(0x9E3779B97F4A7C15)
_OWN, _SEEN, _KNOWN, _EVENT, _POINTS = (tag << 48 for tag in range(1, 6))  # what a number is


def new_buffers(game: Game, settings: GameSettings) -> Buffers:
    """Return working space for `remember`."""
    known = np.zeros((2, settings.num_players - 1, len(game.cards)), np.uint8)
    raw = np.zeros(game.observation_spec.size, np.uint8)
    return raw, known, new_logs(1, MAX_EVENTS)[0], new_events(1, MAX_EVENTS)[0]


@device(wraps=True)
def absorb(recall: np.uint64, number: int) -> np.uint64:
    """Return a recall with one more number in it."""
    return mix((recall ^ np.uint64(number)) + _STEP)


@device
def log_transition(before: Any, action: int, after: Any, buffers: Buffers) -> None:
    """Log the public events of one transition for `remember`; `action` may be BEGIN."""
    log = buffers[2]
    log[0, Header.EVENTS] = 0
    if action != BEGIN:
        log_decision(before, action, after, log)


@device
def remember(
    before: Any, action: int, after: Any, seat: int, recall: np.uint64, buffers: Buffers
) -> np.uint64:
    """Return the recall of a seat after a transition.

    Args:
        before: The state before it.
        action: The decision, or BEGIN.
        after: The state after it.
        seat: Who remembers.
        recall: What it was before.
        buffers: See `new_buffers`; `log_transition` has logged the transition in it.
    """
    if action != BEGIN and before.current_player == seat:
        recall = absorb(recall, _OWN + action)
    recall = absorb_events(after, seat, recall, buffers)
    recall = absorb_known_cards(before, after, seat, recall, buffers[1])
    if after.round_ended == 1:
        for other in range(after.num_players):
            recall = absorb(recall, _POINTS + (other << 32) + int(after.round_points[other]))
    if after.over == 0 and after.current_player == seat:
        raw = buffers[0]
        observe(after, seat, raw)
        for place in range(len(raw)):
            if raw[place] != 0:
                recall = absorb(recall, _SEEN + (place << 8) + int(raw[place]))
    return recall


@device
def absorb_events(after: Any, seat: int, recall: np.uint64, buffers: Buffers) -> np.uint64:
    """Return a recall with the events that were logged, as the seat knows them."""
    log, events = buffers[2], buffers[3]
    if log[0, Header.EVENTS] > 0:
        project(log, seat, after.num_players, events)
        for row in range(len(events) - log[0, Header.EVENTS], len(events)):
            for column in range(events.shape[1]):
                recall = absorb(recall, _EVENT + (column << 32) + int(events[row, column]))
    return recall


@device
def absorb_known_cards(
    before: Any, after: Any, seat: int, recall: np.uint64, known: NDArray[np.uint8]
) -> np.uint64:
    """Return a recall with the cards that the seat knows in other hands, where they changed."""
    get_known_cards(before, seat, known[0])
    get_known_cards(after, seat, known[1])
    for row in range(known.shape[1]):
        for card in range(known.shape[2]):
            if known[0, row, card] != known[1, row, card]:
                number = (row << 24) + (card << 8) + int(known[1, row, card])
                recall = absorb(recall, _KNOWN + number)
    return recall
