"""What an action changes, as its player can foresee it: features of actions, from the rules.

An action is played in a copy of the player's information state, up to the first event that chance
or a hidden card decides; what hidden cards decide changes nothing. So the features show nothing
that the player cannot know: after a swap, the own hand holds the cards known to be in the other.
A preview state is a state of the game with some fields behind it: the rules play it as any other,
with functions of their own for chance (`chance.py`) and events (`emit.py`).
"""

import sys
from dataclasses import replace
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compile import COMPILED, device, kernel
from .deck import next_seat
from .emit import is_logged, is_not_logged, write_event
from .events import FIRST_UNRECORDED, NUM_KINDS, EventKind, Unrecorded
from .game import Game
from .history import bytes_of
from .intrinsics import memcpy
from .observation import Field, ObservationSpec
from .protocol import Masks, RawObservations, Rows, States, decide, observe, summarize
from .state import aligned_dtype, fields_of, state_dtype
from .win_chances import WHOLE, write_win_chances

NUM_EVENTS = NUM_KINDS + len(Unrecorded)
BASE_ACTION = 0  # the place of its mark in `action_spec`
CARD_SCALE = 10  # by which numbers of cards are scaled down beside a summary of them


class Cut(IntEnum):
    """Why a preview ends before the decision does."""

    NONE = 0
    CHANCE = 1
    HIDDEN = 2  # a card that the player does not know, or points for it
    DONE = 3  # the decision has ended


class ActionFeatures(NamedTuple):
    """List the features of actions that are not zero; the actions of a decision stand together.

    Attributes:
        rows: The decision of each action, int64 (actions,).
        actions: The action, int64 (actions,).
        starts: Where the numbers of each begin and end, int64 (actions + 1,).
        places: Which features they are, by `action_spec`, uint16 (numbers,).
        numbers: int16 (numbers,), changes of observations among them, so they may be negative.
    """

    rows: Rows
    actions: Rows
    starts: Rows
    places: NDArray[np.uint16]
    numbers: NDArray[np.int16]


@cache
def state_spec(game: Game) -> ObservationSpec:
    """Return the features of a state for a seat: its observation, and what follows from it.

    Where a game has a summary of hands, fields with a number for each card type are scaled down. It
    says most of what they are worth, and so many numbers would add noise to what is learnt.
    """
    seats, summarized = game.state.SIZES["seats"], game.summary_spec.size > 0
    return ObservationSpec(
        *(
            replace(entry, scale=CARD_SCALE * entry.scale)
            if summarized and entry.size % len(game.cards) == 0
            else entry
            for entry in game.observation_spec
        ),
        *game.summary_spec,
        Field("nearness", seats, WHOLE, WHOLE, "1 / (cards + 1) of each hand"),
        Field("win_chances", seats, WHOLE, WHOLE, "to win the game, by the scores"),
    )


@cache
def action_spec(game: Game) -> ObservationSpec:
    """Return the features of an action: what it does, and what it changes.

    Chances to win do not change: scores do at the end of a round, which hidden cards decide.
    """
    *changing, _win_chances = state_spec(game)
    changes = [replace(entry, name=f"{entry.name}_change") for entry in changing]
    return ObservationSpec(
        Field("base_action", 1, 1, 1, "whether it is the base policy's"),
        Field("action", len(game.actions), 1, 1, "the action, one-hot"),
        Field("cut", 2, 1, 1, "cut short by chance, by a hidden card"),
        Field("own_events", NUM_EVENTS, 255, 1, "events of each kind whose actor is the player"),
        Field("other_events", NUM_EVENTS, 255, 1, "other events of each kind"),
        *changes,
    )


@cache
def preview_dtype(game: Game) -> np.dtype[Any]:
    """Return the dtype of a game's preview states; the first call makes the rules play them."""
    *first, rest = fields_of(state_dtype(game.state))
    size = game.observation_spec.size
    preview = (
        ("viewer", "i4"),
        ("cut", "i4"),
        ("counts", "u1", (2, NUM_EVENTS)),
        ("seen", "u1", (size,)),
        ("hands_derived", "u1", (state_spec(game).range("win_chances").start - size,)),
    )
    dtype = aligned_dtype(preview, first=[*first, ("_gap", *rest[1:])])
    events = {is_logged: is_not_logged, write_event: count_event}
    game.implement_for(dtype, vars(sys.modules[__name__]), events)
    return dtype


# --- Chance and events in preview states ---------------------------------------------------------


@device
def cut_short(state: Any, reason: int) -> None:
    """Keep what the player sees now, unless that was done before: the rest cannot be foreseen."""
    if state.cut == Cut.NONE:
        state.cut = reason
        if reason != Cut.HIDDEN:
            observe(state, state.viewer, state.seen)
            derive_from_hands(state, state.viewer, state.hands_derived)


@device
def take_from_pile(state: Any, _stream: int) -> int:
    """Cut the preview short; which card it returns does not matter."""
    cut_short(state, Cut.CHANCE)
    state.pile_size -= 1
    return 0


@device
def take_other_than(state: Any, stream: int, _refused: int) -> int:
    """Do the same."""
    return take_from_pile(state, stream)


@device
def draw_cards(
    state: Any, _stream: int, _seat: int, count: int, _kind: int, _knowers: int, _rule: int
) -> None:
    """Cut the preview short; so many cards less are in the pile."""
    cut_short(state, Cut.CHANCE)
    state.pile_size -= count


@device
def deal_hands(state: Any, _stream: int, _count: int) -> None:
    """Cut the preview short."""
    cut_short(state, Cut.CHANCE)


@device
def pick_from_hand(state: Any, _stream: int, _seat: int) -> int:
    """Cut the preview short; which card it returns does not matter."""
    cut_short(state, Cut.CHANCE)
    return 0


@device
def happens(state: Any, _stream: int, percent: int) -> bool:
    """Cut the preview short, if the event is possible."""
    if percent > 0:
        cut_short(state, Cut.CHANCE)
    return False


@device
def count_event(state: Any, kind: int, actor: int, *_event: int) -> None:
    """Count an event unless hidden cards decide it: `write_event` in preview states."""
    if (
        (kind == EventKind.OPEN and actor != state.viewer)
        or kind == EventKind.RIGHT_CHALLENGE
        or kind == EventKind.WRONG_CHALLENGE
        or kind == Unrecorded.CALL_RIGHT
        or kind == Unrecorded.CALL_WRONG
        or kind == Unrecorded.SCORE
        or kind == Unrecorded.ROUND_ENDED
    ):
        cut_short(state, Cut.HIDDEN)
    if state.cut == Cut.NONE:
        place = kind - 1 if kind < FIRST_UNRECORDED else kind - FIRST_UNRECORDED + NUM_KINDS
        state.counts[0 if actor == state.viewer else 1, place] += 1


@device
def derive_features(state: Any, seat: int, numbers: Any) -> None:
    """Write the features of a state for a seat that follow its observation in `state_spec`.

    Args:
        state: An ordinary state, an information state or a preview state.
        seat: The seat.
        numbers: Written, uint8 (state_spec.size - observation_spec.size,).
    """
    first = len(numbers) - len(state.hand_sizes)
    derive_from_hands(state, seat, numbers[:first])
    write_win_chances(state, seat, numbers[first:])


@device
def derive_from_hands(state: Any, seat: int, numbers: Any) -> None:
    """Write those of them that an action may change: all but the chances to win."""
    first = len(numbers) - len(state.hand_sizes)
    summarize(state, seat, numbers[:first])
    numbers[first:] = 0
    for steps in range(state.num_players):
        size = int(state.hand_sizes[next_seat(state, seat, steps)])
        numbers[first + steps] = WHOLE // (size + 1)


# --- Features ------------------------------------------------------------------------------------


class Previewer:
    """Writes features of decisions and of their actions; each thread needs one of its own.

    Attributes:
        game: The game.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        states = np.zeros(1, preview_dtype(game))  # working space
        self._bytes = bytes_of(states)
        self._states = states if COMPILED else states.view(np.recarray)

    def features(
        self, information_states: States, raw: RawObservations, masks: Masks, base_actions: Rows
    ) -> tuple[RawObservations, ActionFeatures]:
        """Return the features of some decisions and of their legal actions.

        Args:
            information_states: Those of the players who decide, (rows,).
            raw: Their observations, uint8 (rows, observation_spec.size).
            masks: Int8 (rows, actions), 1 for each legal action.
            base_actions: The base policy's action in each row, int64 (rows,); -1 for none.

        Returns:
            uint8 (rows, state_spec.size), and the features of the actions.
        """
        rows, actions = map(np.ascontiguousarray, masks.nonzero())
        most = len(rows) * action_spec(self.game).size  # what is not written takes no memory
        places, numbers = np.empty(most, np.uint16), np.empty(most, np.int16)
        found = ActionFeatures(rows, actions, np.zeros(len(rows) + 1, np.int64), places, numbers)
        size = self.game.observation_spec.size
        seen = np.empty((len(raw), state_spec(self.game).size), np.uint8)
        seen[:, :size] = raw
        known = bytes_of(information_states)
        preview_each(known, base_actions, self._states, self._bytes, seen, found)
        end = found.starts[-1]
        return seen, found._replace(places=places[:end], numbers=numbers[:end])


@kernel
def preview_each(
    information_states: NDArray[np.uint8],
    base_actions: Rows,
    states: States,
    state_bytes: NDArray[np.uint8],
    seen: RawObservations,
    found: ActionFeatures,
) -> None:
    """Write the features of actions; see `Previewer.features`.

    Args:
        information_states: Bytes of each, (decisions, bytes).
        base_actions: The base policy's, (decisions,).
        states: Working space, one preview state.
        state_bytes: Its bytes, (1, bytes).
        seen: The observations; what follows in `state_spec` is written, (decisions, size).
        found: Its `rows` and `actions` are read, the others written; it has room for all features.
    """
    state, total = states[0], 0
    size = len(state.seen)
    first_cut = 1 + len(state.legal)
    first_event = first_cut + 2
    first_change = first_event + 2 * NUM_EVENTS
    changing = size + len(state.hands_derived)
    for k in range(len(found.rows)):
        row, action = found.rows[k], found.actions[k]
        memcpy(information_states[row], state_bytes[0], 0)
        state.viewer = state.current_player
        state.cut = Cut.NONE
        state.counts[:] = 0
        if k == 0 or found.rows[k - 1] != row:
            derive_features(state, state.viewer, seen[row, size:])
        reason = foresee(state, action)
        if action == base_actions[row]:
            total = add_number(found, total, BASE_ACTION, 1)
        total = add_number(found, total, 1 + action, 1)
        if reason != Cut.NONE:
            total = add_number(found, total, first_cut + reason - 1, 1)
        for whose in range(2):
            for kind in range(NUM_EVENTS):
                place = first_event + whose * NUM_EVENTS + kind
                total = add_number(found, total, place, int(state.counts[whose, kind]))
        for place in range(0 if reason == Cut.HIDDEN else changing):
            derived = state.hands_derived
            now = int(state.seen[place]) if place < size else int(derived[place - size])
            change = now - int(np.int64(seen[row, place]))
            total = add_number(found, total, first_change + place, change)
        found.starts[k + 1] = total


@device(wraps=True)  # a card that is only in the true hand is taken out, too
def foresee(state: Any, action: int) -> int:
    """Play an action in a preview state; return why it was cut short, a `Cut`."""
    decide(state, action)
    reason = int(state.cut)
    cut_short(state, Cut.DONE)
    return reason


@device(inline=True)
def add_number(found: ActionFeatures, total: int, place: int, number: int) -> int:
    """Add a number, if it is not zero, and return how many there are."""
    if number == 0:
        return total
    found.places[total], found.numbers[total] = place, number
    return total + 1
