"""Positions of Auruxxx as plain data, written and read.

The names of cards and actions are those of `rules.py` (CARDS, ACTIONS).
"""

from typing import Any

from ..engine.kernels import list_legal_each
from ..engine.protocol import States
from ..engine.serialization import Reader, fault, half_points, whole, write_common
from ..engine.state import state_at
from .rules import CARDS, FIT, MAX_DECK, MAX_TURNS, NUMBER_OF, Card, Fit, Settings
from .state import NOBODY, PHASES, Phase, State


def write_position(state: State) -> dict[str, Any]:
    """Return a position as plain data."""
    seats = range(state.num_players)
    return {
        **write_common(state, CARDS, PHASES),
        "turns": int(state.turns),
        "drawn": int(state.drawn),
        "acted": int(state.acted),
        "demand": int(state.demand),
        "crosses": [int(state.crosses[seat]) for seat in seats],
        "figure": None if state.figure == NOBODY else int(state.figure),
        "scores": [float(state.scores[seat]) / 2 for seat in seats],
    }


def read_position(states: States, settings: Settings, given: Any) -> None:
    """Write a position into the only record of `states`, which holds a game just begun.

    Only `hands` and `discard` are needed; what else is left out is as at the start of a first
    round, and a `pile` that is left out holds every card that lies nowhere else.

    Raises:
        PositionError: The position cannot arise; the message names the fault.
    """
    state: State = state_at(states, 0)
    read = Reader(state, given, CARDS, PHASES)
    players = settings.num_players
    read.place_cards(settings.card_counts())
    if state.discard_size == 0 or state.discarded[Card.GOLDEN]:
        raise fault("discard must hold a card, and no Golden 12")
    read.read_turn(settings.rounds, settings.max_decisions)
    last_turn = (settings.max_turns or MAX_TURNS + 1) - 1
    state.turns = read.get("turns", whole(0, last_turn), 0)
    state.drawn = read.get("drawn", whole(0, settings.max_draws), 0)
    state.acted = read.get("acted", whole(0, 1), 0)
    state.demand = read.get("demand", whole(0, MAX_DECK), 0)
    state.crosses[:players] = read.get_by_seat("crosses", whole(0, settings.max_passes), 0)
    state.figure = read.get("figure", whole(0, players - 1), NOBODY)
    state.scores[:players] = read.get_by_seat("scores", half_points, 0)
    read.finish()
    list_legal_each(states)
    check_turn(state)


def check_turn(state: State) -> None:
    """Refuse a turn that cannot have come about."""
    discards = state.discards[: state.discard_size][::-1]  # the top card first
    same = NUMBER_OF[discards] == NUMBER_OF[discards[0]]
    streak = len(same) if same.all() else int(same.argmin())  # cards of one number on top
    twos = streak if NUMBER_OF[discards[0]] == 2 else 0
    each = int(state.cards_per_two)
    if state.demand % each or state.demand > each * twos:
        raise fault(f"demand must be {each} for each 2 laid on top")
    if state.phase == Phase.PLAY and state.acted and discards[0] < Card.BLESSING:
        raise fault("acted needs an action card on top")
    if state.phase == Phase.PLAY and state.demand > 0:
        raise fault("a demand goes with phase 'demand' or 'multiple'")
    if state.phase == Phase.DEMAND:
        if state.demand == 0:
            raise fault(f"phase 'demand' needs a demand of {each}, {2 * each}, ... cards")
        if state.drawn or state.acted:
            raise fault("with phase 'demand' drawn and acted must be 0")
    if state.phase == Phase.MULTIPLE:
        if state.hand_sizes[state.current_player] < 2 or NUMBER_OF[discards[0]] < 0:
            raise fault("phase 'multiple' needs 2 cards in hand, a number on top")
        begun = streak > 1 or (len(discards) > 1 and FIT[discards[1], discards[0]] == Fit.MULTIPLES)
        if not begun:
            raise fault("in phase 'multiple' the top card must fit by number")
        if (state.demand > 0) != (twos > 0):
            raise fault("in phase 'multiple' laid 2s, and only they, demand 2s")
