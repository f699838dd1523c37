"""A stored game, shown move by move: with all hands open, unless it can go on."""

from functools import cached_property
from pathlib import Path
from typing import Any

from ...eval.analysis.action_probabilities import default_hint_agent
from ...eval.tournament.faults import UNFINISHED
from ...eval.tournament.recorder import PERSON
from ...eval.tournament.replay import can_go_on, not_analysed, read_game
from ...eval.tournament.store import Store, StoreError
from ..session.event_log import EventLog
from ..session.session import replay_moves
from ..texts import Texts
from ..texts.messages import reason_line
from .analysis import ReplayAnalysis
from .data import log_data


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
            goes_on = can_go_on(store, number)
        stored = self._stored
        self._unfinished = stored.fault is not None and stored.fault.code == UNFINISHED
        if finished and goes_on:
            about = "game {number} is still being played"
            raise StoreError(about, code="going-on", number=number)
        if goes_on and stored.names.count(PERSON) > 1:
            about = "game {number} is still being played by several people"
            raise StoreError(about, code="going-on-shared", number=number)
        self._agent, self._goes_on = agent or default_hint_agent(stored.game), goes_on
        has_person = goes_on and PERSON in stored.names
        self._viewer = stored.names.index(PERSON) if has_person else None
        self._whole = self._begin()
        replay_moves(self._whole, self._stored)

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self._stored.names) if name == PERSON]

    @cached_property
    def analysis(self) -> ReplayAnalysis:
        """Its analysis. Raises StoreError for a game that can go on: it shows what hands hold."""
        if self._goes_on:
            raise not_analysed(self._stored.number)
        return ReplayAnalysis(self._stored, self._agent)

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
        ended, fault = moves == total, ""
        if stored.forfeiter is not None and ended and not self._unfinished:
            fault = stored.names[stored.forfeiter]
            if self._viewer is None:
                fault += f": {reason_line(stored, language)}"
        return {
            **log_data(log, Texts(language, stored.game, stored.settings, stored.names)),
            "number": stored.number,
            "last": self._last,
            "total": total,
            "starts": [0, *(made for made in self._whole.round_ends if made < total)],
            "analysed": not self._goes_on,
            "fault": fault,
            "unfinished": self._unfinished and ended,
        }

    def _begin(self) -> EventLog:
        stored = self._stored
        return EventLog(stored.game, stored.settings, stored.seed, self._viewer)
