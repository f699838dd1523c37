"""Trying actions out in copies of games that go on as they were.

Results are in the order of `choices.nonzero()`, where `choices` says which actions of each table's
mover are tried.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..agents.value import win_probabilities
from ..envs.batch import Batch
from ..envs.engine.compile import PolicyFunction
from ..envs.engine.protocol import Masks, RawObservations, Rows
from ..envs.self_play import SelfPlayBatch

Choices = NDArray[np.bool_]  # (tables, actions)
ActFunction = Callable[[RawObservations, Masks], Rows]  # legal actions by what is seen


class RolloutResults(NamedTuple):
    """What actions led to within some turns.

    earned, over: by the mover; whether that ended the game. raw, hands: what the same seat
    and the critic see then (see `Batch.observe` and `Batch.hidden_hands`).
    """

    earned: NDArray[np.float32]
    over: NDArray[np.bool_]
    raw: RawObservations
    hands: RawObservations


class RoundRolloutResults(NamedTuple):
    """What actions led to: the round's end or, before that, the last turn of the try.

    points: the mover's of the round, low is good; chance: of his winning the game, by the scores;
    both, float64 (actions,), where the round is over. goes_on: where it is not, bool (actions,).
    raw, hands, members: what the same seat and the critic see there, and who of the pool sits
    there (see `Tables.members`), and only there.
    """

    points: NDArray[np.float64]
    chance: NDArray[np.float64]
    goes_on: NDArray[np.bool_]
    raw: RawObservations
    hands: RawObservations
    members: Rows


def roll_out_turns(
    group: SelfPlayBatch, choices: Choices, turns: int, policy_function: PolicyFunction, others: int
) -> RolloutResults:
    """Let a compiled player play on for everybody until the mover has been to move `turns` times.

    others: for how many other seats there is to be room in `hands`.
    """
    rows, actions = choices.nonzero()
    copies = group.batch.copy(rows)
    seats = copies.current_players.astype(np.int64)
    copies.step(actions)
    earned = copies.rewards[np.arange(len(rows)), seats]
    earned += copies.play_until_turn(seats, turns, policy_function)
    raw, _ = copies.observe(seats)
    return RolloutResults(earned, copies.over, raw, copies.hidden_hands(seats, others=others))


def roll_out_rounds(
    group: SelfPlayBatch,
    choices: Choices,
    decide: ActFunction,
    turns: int,
    lead: float,
    others: int,
) -> RoundRolloutResults:
    """Let everybody play on as at the table, learners by what `decide` makes of what they see.

    A try ends with the round, or when its mover has had to choose `turns` times: where only one
    action is legal there is nothing to count. lead: see `win_probabilities`. others: for how many
    other seats there is to be room in `hands`. Auruxxx only, whose records alone have `rounds`.
    """
    tables, actions = choices.nonzero()
    copies = group.copy(tables)
    batch, rows = copies.batch, np.arange(len(tables))
    seats, rounds = batch.current_players.astype(np.int64), batch.states["round_index"].copy()
    before = batch.points()[rows, seats]
    batch.step(actions)
    copies.play_opponents(rows)
    left, playing = np.full(len(rows), turns), rows
    while True:
        playing = playing[_goes_on(batch, rounds)[playing]]
        raw, legal = batch.observe(batch.current_players[playing], playing)
        left[playing] -= (batch.current_players[playing] == seats[playing]) & (
            legal.sum(axis=1) > 1
        )
        on = left[playing] > 0
        playing = playing[on]
        if not len(playing):
            break
        copies.step(decide(raw[on], legal[on]), playing)
    goes_on = _goes_on(batch, rounds)
    left_to_play = batch.states["rounds"] - batch.states["round_index"]
    probabilities = win_probabilities(batch.points(), left_to_play, lead)[rows, seats]
    there, whose = rows[goes_on], seats[goes_on]
    raw, _ = batch.observe(whose, there)
    hands = batch.hidden_hands(whose, there, others=others)
    points = batch.points()[rows, seats] - before
    return RoundRolloutResults(points, probabilities, goes_on, raw, hands, copies.members[there])


def _goes_on(batch: Batch, rounds: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Where the round of that number is not over."""
    goes_on: NDArray[np.bool_] = ~batch.over & (batch.states["round_index"] == rounds)
    return goes_on
