"""A player that searches every decision anew, within a budget of seconds or of iterations."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldgriff.agents.search.tree import (
    MAX_DEPTH,
    Room,
    Weights,
    count_visits,
    new_tree,
    search,
)
from goldgriff.envs.core.errors import AgentError
from goldgriff.envs.core.game import Game
from goldgriff.envs.core.kernels import Rows
from goldgriff.envs.core.policy import CompiledPolicy, Views

CHUNK = 100  # iterations in one compiled call, after which the clock is read


class Search:
    """Information-set Monte Carlo tree search with a scripted player's playouts.

    It is given hidden records (`Views.records`), never a true state. With a budget of iterations
    it decides the same for the same view and word.

    adviser: the scripted player that plays worlds out.
    iterations, seconds: the budget of a decision; the one that is given. It may end sooner, when
        no other move can overtake the leading one.
    explore: weight of UCB's bonus; outcomes are from 0 to 1.
    patience: points that make a seat e times as likely to win, while the game goes on.
    """

    wants_records = True
    deliberates = True

    def __init__(
        self,
        adviser: CompiledPolicy,
        *,
        iterations: int = 0,
        seconds: float = 0.0,
        explore: float = 1.0,
        trust: float = 0.5,
        patience: float = 40.0,
    ) -> None:
        self.adviser = adviser
        self.iterations = iterations
        self.seconds = seconds
        self.weights = Weights(explore, trust, patience)

    def act(self, views: Views) -> Rows:
        """Choose a legal action for each row, int64 (rows,)."""
        if views.records is None:
            raise AgentError("a search needs the records that its views may hold")
        actions: Rows = views.masks.argmax(axis=1)
        for row in np.flatnonzero(views.masks.sum(axis=1) > 1):
            visits = self.visits(views.game, views.records[row : row + 1], views.words[row])
            actions[row] = visits.argmax()
        return actions

    def visits(self, game: Game, hidden: NDArray[Any], word: np.uint64) -> NDArray[np.int64]:
        """How often each move was tried from one record, hidden for its mover: int64 (actions,)."""
        seat, players = int(hidden["mover"][0]), int(hidden["num_players"][0])
        room = Room(
            world=np.zeros_like(hidden),
            features=np.zeros((1, game.slices.size), np.uint8),
            masks=np.zeros((1, len(game.actions)), np.int8),
            children=np.zeros(len(game.actions), np.int64),
            path=np.zeros(MAX_DEPTH, np.int64),
            outcome=np.zeros(players),
        )
        tree = new_tree(self.iterations or 1 << 16, players)
        visits, done, begun = np.zeros(len(game.actions), np.int64), 0, time.perf_counter()
        while True:
            left = self._left(done, time.perf_counter() - begun)
            second, most = np.sort(visits)[-2:]
            if left <= 0 or most - second > left:
                return visits
            chunk = min(CHUNK, left)
            search(hidden, seat, done, chunk, word, tree, room, self.weights, self.adviser.choose)
            done += chunk
            count_visits(tree, visits)

    def _left(self, done: int, seconds: float) -> int:
        """Iterations that the budget has left, by the pace so far."""
        if self.iterations:
            return self.iterations - done
        if done == 0:
            return CHUNK
        return int(done * (self.seconds - seconds) / seconds)
