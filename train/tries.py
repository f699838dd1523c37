"""Trying actions out in copies of games that go on as they were.

Results are in the order of `choices.nonzero()`, where `choices` says which actions of each table's
mover are tried.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldgriff.envs.core.compiled import Chooser
from goldgriff.envs.core.kernels import Features, Masks, Rows
from goldgriff.envs.core.learners import Learners

Choices = NDArray[np.bool_]  # (tables, actions)
PlayOn = Callable[[Learners, Rows], None]  # plays the rounds of some tables to their end


class Tried(NamedTuple):
    """What actions led to within some turns.

    earned, over: by the mover; whether that ended the game. features, hands: what the same seat
    and the critic see then (see `Batch.look` and `Batch.open_hands`).
    """

    earned: NDArray[np.float32]
    over: NDArray[np.bool_]
    features: Features
    hands: Features


class Rounds(NamedTuple):
    """What actions led to by the end of the round.

    points: the mover's of that round, low is good. chance: of his winning the game, by the scores.
    """

    points: NDArray[np.float64]
    chance: NDArray[np.float64]


def try_for_turns(
    group: Learners, choices: Choices, turns: int, choose: Chooser, others: int
) -> Tried:
    """Let a compiled player play on for everybody until the mover has been to move `turns` times.

    others: for how many other seats there is to be room in `hands`.
    """
    rows, actions = choices.nonzero()
    copies = group.batch.copy(rows)
    seats = copies.movers.astype(np.int64)
    copies.step(actions)
    earned = copies.rewards[np.arange(len(rows)), seats]
    earned += copies.play_until(seats, turns, choose)
    features, _ = copies.look(seats)
    return Tried(earned, copies.over, features, copies.open_hands(seats, others=others))


def try_for_round(group: Learners, choices: Choices, play_on: PlayOn, lead: float) -> Rounds:
    """Play the round to its end. lead: see `chances_by_score`."""
    tables, actions = choices.nonzero()
    copies = group.copy(tables)
    batch, rows = copies.batch, np.arange(len(tables))
    seats, rounds = batch.movers.astype(np.int64), batch.games["round_index"].copy()
    before = batch.points()[rows, seats]
    batch.step(actions)
    play_on(copies, rows[~batch.over & (batch.games["round_index"] == rounds)])
    points = batch.points()[rows, seats] - before
    chances = batch.win_shares()
    goes_on = ~batch.over
    left = batch.games["rounds"][goes_on] - batch.games["round_index"][goes_on]
    chances[goes_on] = chances_by_score(batch.points()[goes_on], left, lead)
    return Rounds(points, chances[rows, seats])


def play_on_with(choose: Chooser) -> PlayOn:
    """A compiled player plays on for everybody."""
    return lambda copies, rows: copies.batch.play_round(rows, choose)


def play_on_as_seated(decide: Callable[[Features, Masks], Rows]) -> PlayOn:
    """Everybody plays on as at the table; learners `decide` by what they see."""

    def play_on(copies: Learners, rows: Rows) -> None:
        batch, rounds = copies.batch, copies.batch.games["round_index"].copy()
        copies.play_opponents(rows)
        while len(rows := rows[~batch.over[rows] & (batch.games["round_index"] == rounds)[rows]]):
            copies.step(decide(*batch.look(batch.movers[rows], rows)), rows)

    return play_on


def chances_by_score(
    points: NDArray[np.float64], rounds: NDArray[np.int16], lead: float
) -> NDArray[np.float64]:
    """Each seat's chance to win the game, (games, seats), by the points between two rounds.

    rounds: those to play, (games,). lead: points of it that make a seat e times as likely to
    win with one round to play; luck adds up, so with more it grows as their square root.
    """
    heights = -points / (lead * np.sqrt(rounds)[:, None])
    raised = np.exp(heights - heights.max(axis=1, keepdims=True))
    chances: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
    return chances
