"""A game that is told while it is played: one table and all that happened at it, move by move."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..envs.engine import kernels
from ..envs.engine.game import Game
from ..envs.engine.kernels import ROUND_ENDED
from ..envs.engine.settings import GameSettings
from ..envs.engine.state import state_at
from ..envs.match import Match
from . import auruxxx, gluecksgriff
from .events import Event, Move, Position


@dataclass(frozen=True)
class Teller:
    """How one game is told; see the functions of these names in `auruxxx.py`."""

    begin: Callable[[Position], list[Event]]
    cite: Callable[[Position, str], tuple[str, ...]]
    tell: Callable[[Move], list[Event]]
    view: Callable[[Position, int | None], dict[str, Any]]
    worth: Callable[[Any, list[str]], int]
    stop_after_round: Callable[[Any], None]


TELLERS = {
    module.__name__.rpartition(".")[2]: Teller(
        module.begin,
        module.cite,
        module.tell,
        module.view,
        module.worth,
        module.stop_after_round,
    )
    for module in (auruxxx, gluecksgriff)
}


class Chronicle:
    """A table, and what happened at it as one seat (`viewer`; None: with all hands open) knows it.

    journal: the events of the deal, then those of each move in turn.
    """

    def __init__(self, game: Game, settings: GameSettings, seed: int, viewer: int | None) -> None:
        self.viewer = viewer
        self.teller = TELLERS[game.name]
        self.match = Match(game, settings)
        self.journal: list[list[Event]] = []
        self._seed = seed
        self.go_back(0)

    def play(self, action: int) -> list[Event]:
        """Play a move and return what it brought. Raises MoveError, and changes nothing."""
        match = self.match
        seat, before = match.current_player, match.position()
        games = match.game.new_states(match.settings, 1)
        games[0] = match.state
        outcome = match.act(action)
        after, points = match.position(), None
        if outcome >= ROUND_ENDED:
            after, points = self._as_scored(games, action)
        name = match.game.actions[action]
        move = Move(match.settings, self.viewer, seat, name, before, after, points)
        events = self.teller.tell(move)
        if outcome == ROUND_ENDED:
            events += self.teller.begin(match.position())
        self.journal.append(events)
        return events

    def go_back(self, moves: int) -> None:
        """Return to where the game stood after so many moves; what came later is forgotten."""
        kept = self.match.moves[:moves]
        self.match.start(self._seed)
        for action in kept:
            self.match.act(action)
        self.journal = self.journal[: moves + 1] or [self.teller.begin(self.match.position())]

    def rounds(self) -> list[list[float]]:
        """What each seat wrote in each round that is over."""
        written = [
            event.number or 0.0
            for events in self.journal
            for event in events
            if event.kind == "points"
        ]
        players = self.match.settings.num_players
        return [written[k : k + players] for k in range(0, len(written), players)]

    def this_round(self) -> int:
        """The place in the journal at which the round that is played now was dealt."""
        dealt = (k for k, events in enumerate(self.journal) if events[-1].kind == "deal")
        return max(dealt)

    def _as_scored(self, games: Any, action: int) -> tuple[Position, tuple[float, ...]]:
        """The table when the move that ended a round has been scored, before the next deal."""
        record = state_at(games, 0)
        self.teller.stop_after_round(record)
        rewards = np.zeros((1, record.num_players), np.float32)
        row, resets, out = np.zeros(1, np.int64), kernels.NO_RESETS, kernels.NO_OUTPUTS
        kernels.step_each(games, row, np.array([action]), 0, rewards, resets, out)
        halves = np.asarray(record.round_points[: record.num_players])
        return self.match.game.write_position(record), tuple((halves / 2).tolist())
