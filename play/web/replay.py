"""A stored game, shown move by move, and its analysis."""

import math
import time
from pathlib import Path
from threading import Lock
from typing import Any

from ...eval.analysis.action_probabilities import default_hint_agent
from ...eval.analysis.analysis import MARKS, Decision, GameAnalysis
from ...eval.tournament.faults import UNFINISHED
from ...eval.tournament.recorder import PERSON
from ...eval.tournament.replay import StoredGame, read_game
from ...eval.tournament.store import Store, StoreError
from ..session.event_log import EventLog
from ..session.session import replay_moves
from ..texts import Texts, percent
from ..texts.messages import reason_line
from .data import log_data

WORK = 0.3  # seconds that one request may work, but for the decision that it has begun
LEAST = 1e-9  # chance to win that is shown
_working = Lock()  # one request works at a time: the others leave the processor to players


class Replay:
    """One game of a store, played to its end; `at` shows it after any number of moves.

    A person's game that is not over can go on, also after an agent has failed: it is shown as the
    person sees it, and not at all where several people play. Games that are over cannot, so a
    replay that is kept ready never shows too much.

    Args:
        finished: Whether games that can go on are refused.
        agent: Name of the agent that analyses it; the usual one if empty.

    Raises:
        StoreError: For a game that is not there, or is refused.
        RecordError: For one that does not replay.
    """

    def __init__(self, path: Path, number: int, *, finished: bool = False, agent: str = "") -> None:
        with Store.open(path) as store:
            self._stored = read_game(store, number)
            (self._last,) = store.one("SELECT max(game) FROM games")
        stored, goes_on = self._stored, self._stored.can_go_on
        self._unfinished = stored.fault is not None and stored.fault.code == UNFINISHED
        if finished and goes_on:
            raise StoreError(code="going-on", number=number)
        if goes_on and stored.names.count(PERSON) > 1:
            raise StoreError(code="going-on-shared", number=number)
        self._agent, self._goes_on = agent or default_hint_agent(stored.game), goes_on
        has_person = goes_on and PERSON in stored.names
        self._viewer = stored.names.index(PERSON) if has_person else None
        self._analysis: GameAnalysis | None = None  # begun when it is asked for
        self._whole = self._begin()
        replay_moves(self._whole, self._stored)

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self._stored.names) if name == PERSON]

    def analyse(self, known: int, language: str) -> dict[str, Any]:
        """Analyse for a while, unless another request works; return the decisions from `known` on.

        `done` of `total` moves have been looked at. Of each decision `win` is the probability
        before it; `moves` are the legal ones, the best first. From `mistake` and `blunder` points
        of chance on a loss is marked.

        Raises:
            StoreError: The game can go on: its analysis tells what hands were worth.
            AgentError: The agent fails.
            RecordError: The game does not replay.
        """
        if self._goes_on:
            raise StoreError(code="not-analysed", number=self._stored.number)
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
            "decisions": [_decision_data(decision, stored, texts) for decision in decisions],
        }

    def _work(self) -> None:
        if self._analysis is None:
            self._analysis = GameAnalysis(self._stored, self._agent)
        end = time.perf_counter() + WORK
        while not self._analysis.complete and time.perf_counter() < end:
            self._analysis.step()

    def at(self, moves: int, language: str) -> dict[str, Any]:
        """Return the game after so many moves: `log_data`, and what is needed to move on.

        `total` is the number of moves in all, `last` the number of the last game in the store,
        `starts` has the number of moves before each round, and `analysed` says whether there is
        an `analysis`. At its end, `fault` says who forfeited the game and why, and `unfinished`
        whether it was left before its end.
        """
        stored, total = self._stored, len(self._stored.actions)
        moves = max(0, min(moves, total))
        log = self._begin()
        for action in stored.actions[:moves]:
            log.match.act(action)
        log.lines = self._whole.lines[: moves + 1]
        ends = self._whole.round_ends.items()
        log.round_ends = {number: end for number, end in ends if number <= moves}
        ended, fault, resigned = moves == total, "", ""
        texts = Texts(language, stored.game, stored.settings, stored.names)
        if stored.resigned and ended:
            resigned = texts.resigned(stored.forfeiter)
        elif stored.forfeiter is not None and ended and not self._unfinished:
            fault = stored.names[stored.forfeiter]
            if self._viewer is None:
                fault += f": {reason_line(stored, language)}"
        return {
            **log_data(log, texts),
            "number": stored.number,
            "last": self._last,
            "total": total,
            "starts": [0, *(number for number in self._whole.round_ends if number < total)],
            "analysed": not self._goes_on,
            "fault": fault,
            "resigned": resigned,
            "unfinished": self._unfinished and ended,
        }

    def _begin(self) -> EventLog:
        stored = self._stored
        return EventLog(stored.game, stored.settings, stored.seed, self._viewer)


def _decision_data(decision: Decision, stored: StoredGame, texts: Texts) -> dict[str, Any]:
    values = decision.values
    order = sorted(values, key=lambda action: (-values[action], action != decision.best))
    return {
        "move": decision.move,
        "seat": decision.seat,
        "mark": decision.mark,
        "best": decision.best,
        "played": decision.played,
        "win": values[decision.best],
        "loss": texts.count("share-point", math.floor(100 * decision.loss + 0.5)),
        "moves": [
            {
                "action": action,
                "text": texts.move(stored.game.actions[action], decision.seat),
                "share": percent(decision.probabilities[action], texts.language),
                # An estimate is never none.
                "win": percent(max(values[action], LEAST), texts.language),
            }
            for action in order
        ],
    }
