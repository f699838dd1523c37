"""The analysis of a stored game as the page gets it, worked out a little with every request."""

import time
from threading import Lock
from typing import Any

from ...eval.analysis.analysis import MARKS, Decision, GameAnalysis
from ...eval.tournament.replay import StoredGame
from ..texts import Texts

WORK = 0.3  # seconds that one request may work, but for the decision that it has begun
_working = Lock()  # one request works at a time: the others leave the processor to players


class ReplayAnalysis:
    """The analysis of one game; it is kept, and grows with what is asked for.

    Args:
        stored: The game. It cannot go on: its analysis tells what hands were worth.
        agent: The agent whose probabilities are shown.
    """

    def __init__(self, stored: StoredGame, agent: str) -> None:
        self._stored, self._agent = stored, agent
        self._analysis: GameAnalysis | None = None

    def after(self, known: int, language: str) -> dict[str, Any]:
        """Work for a while, unless another request does; return the decisions from `known` on.

        `done` of `total` moves have been looked at. Of each decision `win` is the probability
        before it; `moves` are the legal ones, the best first. From `mistake` and `blunder` points
        of chance on a loss is marked.

        Raises:
            AgentError: The agent fails.
            RecordError: The game does not replay.
        """
        if _working.acquire(blocking=False):
            try:
                self._work()
            finally:
                _working.release()
        stored, analysis = self._stored, self._analysis
        texts = Texts(language, stored.game, stored.settings, stored.names)
        done = analysis.done if analysis else 0  # first: another request may work meanwhile
        decisions = analysis.decisions[known:] if analysis else []
        return {
            "agent": self._agent,
            "blunder": round(100 * MARKS[0][1]),
            "mistake": round(100 * MARKS[1][1]),
            "done": done,
            "total": len(stored.actions),
            "decisions": [self._decision(each, texts) for each in decisions],
        }

    def _work(self) -> None:
        if self._analysis is None:
            self._analysis = GameAnalysis(self._stored, self._agent)
        end = time.perf_counter() + WORK
        while not self._analysis.complete and time.perf_counter() < end:
            self._analysis.step()

    def _decision(self, decision: Decision, texts: Texts) -> dict[str, Any]:
        actions, values = self._stored.game.actions, decision.values
        order = sorted(values, key=lambda action: (-values[action], action != decision.best))
        return {
            **{"move": decision.move, "seat": decision.seat, "mark": decision.mark},
            **{"best": decision.best, "played": decision.played},
            **{"win": values[decision.best], "loss": decision.loss, "error": decision.error},
            "moves": [
                {
                    "action": action,
                    "text": texts.move(actions[action], decision.seat),
                    "probability": decision.probabilities[action],
                    "win": values[action],
                }
                for action in order
            ],
        }
