"""A match with people on some seats, or none, and agents on the others.

Both the terminal and the page in the browser stand on this. Nothing here prints, and only the move
of an agent that had no choice waits.
"""

import secrets
from collections.abc import Collection, Sequence
from copy import copy
from pathlib import Path
from threading import Lock
from time import perf_counter, sleep
from typing import Self

import numpy as np

from ...agents.registry import fingerprint, load_agent
from ...agents.trust import check_trust
from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...envs.policy import agent_state_of, run_foreign
from ...errors import AgentError, MoveError, one_line
from ...eval.tournament.faults import RESIGNED, Fault
from ...eval.tournament.guard import AgentGuard, Player
from ...eval.tournament.recorder import PERSON, Recorder
from ...eval.tournament.replay import StoredGame, played_moves, read_game
from ...eval.tournament.store import Store, store_at
from ..narrators.lines import Line
from . import hints
from .event_log import EventLog
from .progress import Progress


class Session:
    """A match that is being played, as one person has it. Agents move only when `step` is called.

    Args:
        names: Who plays on which seat: agents as `goldgriff tournament` knows them, PERSON for a
            person.
        folder: Where the match is stored, if it is.

    Attributes:
        people: The seats of people.
        seat: The person's, None to watch with all hands open. Where several people play, the first
            one's; `at` gives the sessions of the others.
        progress: What the sessions of all people share.
        turn: Held by the request that lets somebody move or asks an agent.
        lock: Held while the match changes, not while an agent thinks; hold it to look at the match
            while another thread may change it.
        log: The match and what happened in it, as the person may know it.
        match: The match itself; it knows every card, so show a person `log.visible_position`.

    Raises:
        AgentError: For an unknown agent.
        StoreError: For a folder with another game or other rules.
        FileError: For a folder that cannot be made.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        names: Sequence[str],
        seed: int,
        folder: Path | None = None,
    ) -> None:
        self.game = game
        self.settings = settings
        self.names = tuple(names)
        self.seed = seed
        self.people = tuple(seat for seat, name in enumerate(names) if name == PERSON)
        agents = dict.fromkeys(name for name in names if name != PERSON)
        self._players = {name: Player(name, load_agent(name, game)) for name in agents}
        self._seconds: dict[str, float] = {}  # that the last decision of each agent took
        self.progress, self.turn, self.lock = Progress(), Lock(), Lock()
        viewers: tuple[int | None, ...] = self.people or (None,)
        self._logs = {seat: EventLog(game, settings, seed, seat) for seat in viewers}
        self._look_from(viewers[0])
        self._recorder: Recorder | None = None
        if folder is not None:
            marks = [(name, "" if name == PERSON else fingerprint(name, game)) for name in names]
            self._recorder = Recorder.begin(folder, game, settings, marks, seed)
            self._keep()

    @classmethod
    def resume(
        cls, store: Path, number: int, *, typed: Collection[str] = (), trust: bool = False
    ) -> Self:
        """Continue a match of a store: the file, or the folder it is in.

        Args:
            store: The store.
            number: Number of the match in it.
            typed: Agents that the person has named, which may be code.
            trust: Whether all agents that the store names may be code.

        Raises:
            StoreError: When it is not there.
            RecordError: When it does not replay.
            AgentError: When an agent is code that nobody trusts.
        """
        path = store_at(store)
        with Store.open(path) as opened:
            stored = read_game(opened, number)
        check_trust(stored.names, f"game {number} in {path}", typed=typed, trust=trust)
        session = cls(stored.game, stored.settings, stored.names, stored.seed)
        session._recorder = Recorder(
            path, number, stored.game, stored.actions, stored.fault.code if stored.fault else None
        )
        session.progress.resigned = stored.forfeiter if stored.resigned else None
        for log in session._logs.values():
            replay_moves(log, stored)
        return session

    def at(self, seat: int) -> Self:
        """Return the session of the same match for the person on another seat."""
        other = copy(self)
        other._look_from(seat)
        return other

    # --- What there is to know ------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The number of the match in its store, 0 without one."""
        return self._recorder.number if self._recorder else 0

    @property
    def is_current(self) -> bool:
        """Whether the store has the match as it is here: no other program has played on."""
        with self.lock:
            return self._recorder is None or self._recorder.is_current()

    @property
    def over(self) -> bool:
        """Whether nothing is left to play: the match is over, resigned, or an agent failed."""
        progress = self.progress
        return self.match.over or bool(progress.failed) or progress.resigned is not None

    @property
    def your_turn(self) -> bool:
        """Whether the person has to decide."""
        return not self.over and self.match.current_player == self.seat

    @property
    def waiting(self) -> bool:
        """Whether another person has to decide."""
        return not self.over and not self.your_turn and self.match.current_player in self.people

    @property
    def legal(self) -> list[int]:
        """The person's legal actions; none while others have to move."""
        return np.flatnonzero(self.match.mask).tolist() if self.your_turn else []

    # --- What can be done ------------------------------------------------------------------------

    def play(self, action: int) -> list[Line]:
        """Play the person's move. Raises MoveError, and changes nothing, when it is not legal."""
        if not self.your_turn:
            raise MoveError(code="not-your-turn")
        return self._play(action)

    def step(self) -> list[Line]:
        """Let the agent that has to move play one move; do nothing when none has to.

        An agent at fault is named in `progress.failed`, which ends the match. Its only move takes
        an agent as long as the decision before: the time would tell a person that it was the only
        one.
        """
        if self.over or self.your_turn or self.waiting:
            return []
        name, begun = self.names[self.match.current_player], perf_counter()
        try:
            action = self._ask(name)
            if self.people:
                self._take_usual_time(name, begun)
        except AgentError as error:
            with self.lock:
                self.progress.failed = one_line(name)
                self._keep(Fault.of(error))
            return []
        return self._play(action)

    @property
    def can_undo(self) -> bool:
        """Whether the person has made a move that can be taken back.

        None can in a match that is over, since all hands have been shown, nor where several people
        play, since the others go by what they have seen.
        """
        alone = len(self.people) == 1
        ended = self.match.over or self.progress.resigned is not None
        return alone and self.seat in self.match.players and not ended

    def undo(self) -> None:
        """Take back the person's last move and all later ones.

        The same cards come again. Raises MoveError when there is nothing to take back.
        """
        if not self.can_undo:
            raise MoveError(code="no-undo")
        later = self.match.players[::-1].index(self.seat)  # type: ignore[arg-type]
        with self.lock:
            self.progress.failed = ""
            self.log.go_back(len(self.match.moves) - later - 1)
            self._keep()

    def resign(self) -> None:
        """Give the match up, which ends it for everybody. Raises MoveError at another's turn."""
        if not self.your_turn:
            raise MoveError(code="not-your-turn")
        with self.lock:
            self.progress.resigned = self.seat
            self._keep(Fault(RESIGNED))

    def delete(self) -> None:
        """Remove the match from its store."""
        if self._recorder:
            self._recorder.delete()

    def hint(self, name: str) -> hints.Hint:
        """Return what an agent would do in the person's place, knowing what the person knows.

        Raises:
            MoveError: When it is not the person's turn.
            AgentError: For an agent that is unknown or fails.
        """
        if not self.your_turn:
            raise MoveError(code="no-hint-now")
        if name not in self._players:
            self._players[name] = Player(name, load_agent(name, self.game))
        return hints.hint(self.match, self._players[name])

    # --- Inside ----------------------------------------------------------------------------------

    def _look_from(self, seat: int | None) -> None:
        self.seat, self.log = seat, self._logs[seat]
        self.match = self.log.match

    def _play(self, action: int) -> list[Line]:
        with self.lock:
            events = {seat: log.play(action) for seat, log in self._logs.items()}
            self._keep()
        return events[self.seat]

    def _keep(self, fault: Fault | None = None) -> None:
        self.progress.renew()
        if self._recorder:
            self._recorder.keep(self.match, fault)

    def _ask(self, name: str) -> int:
        """Return an agent's action, with the random bits of its seat in this match."""
        player, row = self._players[name], np.zeros(1, np.int64)
        observations = self.match.observation_batch(
            information_states=player.wants_information_states
        )
        state = run_foreign(lambda: agent_state_of(player.policy, self.match))
        actions, faults, _ = AgentGuard([player]).ask(0, observations, row, row, state)
        if faults:
            raise faults[0].as_error()
        return int(actions[0])

    def _take_usual_time(self, name: str, begun: float) -> None:
        """Wait where an agent had no choice; else note how long it took.

        Its first decision does not count: it may have compiled something.
        """
        seconds = perf_counter() - begun
        if self.match.mask.sum() > 1:
            self._seconds[name] = seconds if name in self._seconds else 0.0
        else:
            sleep(max(0.0, self._seconds.get(name, 0.0) - seconds))


def random_seed() -> int:
    """Return a seed that nobody can predict."""
    return secrets.randbits(64)


def replay_moves(log: EventLog, stored: StoredGame) -> None:
    """Play the moves of a stored game. Raises RecordError when one is not legal."""
    for _ in played_moves(stored, log.play):
        pass
