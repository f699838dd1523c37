"""Truncated rollouts: actions are tried in copies of games, and play goes on to a later turn.

All actions of a decision are tried in the same deal, with the same random numbers, so much of the
noise is common to them. Everybody plays on as in the game itself. At a turn of the player who tried
the action, a critic that sees all hands takes over, unless the round has ended before.

Rollouts: Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", NeurIPS 1996
(arXiv 2501.05407). Truncated ones: Scherrer et al., "Approximate modified policy iteration", ICML
2012 (arXiv 1205.3054).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.value import ValueTarget, rounds_to_play
from ..envs.engine.compile import kernel
from ..envs.engine.protocol import Masks, RawObservations, Rows, States, begins_turn
from ..envs.engine.win_chances import win_probabilities
from ..envs.self_play import SelfPlayBatch

# Returns the learner's actions in some rows of games, given what is observed there, and what is
# legal.
ChooseFunction = Callable[[SelfPlayBatch, Rows, RawObservations, Masks], Rows]
# Returns a critic's values of some rows of games to one seat of each, float32 (rows,).
CriticFunction = Callable[[SelfPlayBatch, Rows, Rows], NDArray[np.float32]]


class Standing:
    """How the players of some games stand by the scores.

    Attributes:
        points: Of each seat, float64 (games, seats), inf where nobody sits.
        chances: To win the game, float64 (games, seats).
    """

    def __init__(
        self, points: NDArray[np.float64], rounds: NDArray[Any], target: ValueTarget
    ) -> None:
        self.points, self.target = points, target
        self.chances = win_probabilities(points, rounds, target.score_temperature)

    @classmethod
    def of(cls, games: SelfPlayBatch, target: ValueTarget) -> "Standing":
        """Return how the players of all games stand."""
        return cls(games.points(games.rows), count_rounds(games), target)

    def since(self, before: "Standing", rows: Rows) -> NDArray[np.float32]:
        """Return the values of what has changed, float32 (rows, seats); 0 where nobody sits.

        Args:
            before: How they stood.
            rows: The rows there that these are.
        """
        chances = self.chances - before.chances[rows]
        with np.errstate(invalid="ignore"):  # of inf - inf
            values = self.target.values(chances, self.points - before.points[rows])
        return np.nan_to_num(values).astype(np.float32)


def count_rounds(games: SelfPlayBatch) -> NDArray[np.float64]:
    """Return how many rounds are to play in each game, (games,)."""
    return np.concatenate([rounds_to_play(batch.states) for batch in games.batches])


def roll_out(
    games: SelfPlayBatch,
    choices: NDArray[np.bool_],
    turns: int,
    target: ValueTarget,
    choose: ChooseFunction,
    values_of: CriticFunction,
) -> NDArray[np.float32]:
    """Try actions in copies of games, and return their values.

    Args:
        games: They stay as they are.
        choices: The actions of each current player that are tried, bool (games, actions), at least
            one.
        turns: At which later turn of that player the critic takes over.
        target: How a round is valued.
        choose: Decides for the learner.
        values_of: The critic.

    Returns:
        float32 (tried,), in the order of `choices.nonzero()`.
    """
    rows, actions = choices.nonzero()
    copies = games.copy(rows)
    everywhere = np.arange(len(rows))
    seats, rounds = copies.current_players, copies.column("round_index").astype(np.int64)
    before = Standing.of(copies, target)
    copies.advance(actions, everywhere)
    left = np.full(len(rows), turns)
    playing = everywhere
    while len(playing):
        playing = playing[_go_on(copies, playing, seats, rounds, left)]
        if len(playing):
            copies.advance(choose(copies, playing, *copies.observe(playing)), playing)
    values = Standing.of(copies, target).since(before, everywhere)[everywhere, seats]
    running = np.flatnonzero(left == 0)
    if len(running):
        values[running] = values_of(copies, running, seats[running])
    return values


def _go_on(
    copies: SelfPlayBatch, playing: Rows, seats: Rows, rounds: Rows, left: Rows
) -> NDArray[np.bool_]:
    """Return where play goes on, bool (playing,), and count the turns that begin in `left`."""
    going = np.empty(len(playing), np.bool_)
    for batch, own, local in copies.parts(playing):
        rows = playing[own]
        turns = left[rows]
        part = np.empty(len(rows), np.bool_)
        _go_on_each(batch.states, local, seats[rows], rounds[rows], turns, part)
        left[rows], going[own] = turns, part
    return going


@kernel
def _go_on_each(
    states: States, rows: Rows, seats: Rows, rounds: Rows, left: Rows, going: NDArray[np.bool_]
) -> None:
    for k in range(len(rows)):
        state = states[rows[k]]
        running = state.over == 0 and state.round_index == rounds[k]
        if running and state.current_player == seats[k] and begins_turn(state):
            left[k] -= 1
        going[k] = running and left[k] > 0
