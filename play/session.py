"""A game with a person in one seat, or none, and agents in the others.

Both the terminal and the page in the browser stand on this. Nothing here prints or waits.
"""

import hashlib
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from ..agents.registry import fingerprint, load_agent
from ..envs.engine.game import Game, explain_illegal
from ..envs.engine.kernels import draw_random_bits
from ..envs.engine.settings import GameSettings
from ..envs.match import Match
from ..envs.policy import wants_information_states
from ..errors import AgentError, MoveError, RecordError, SettingsError
from ..eval.guard import AgentGuard, Player
from ..eval.recorder import PERSON, Recorder
from ..eval.replay import StoredGame, read_game
from ..eval.store import STORE, Store
from . import hints
from .chronicle import Chronicle
from .events import Event


class Session:
    """A game that is being played. Agents move only when `step` is called.

    names: who sits where: agents as `goldgriff tournament` knows them, PERSON once or not at all.
    seat: the person's, or None for somebody who watches with all hands open.
    journal: what happened, as the person may know it: the deal's events, then each move's.
    fault: the agent that failed, and how, in one line; the game then goes on no further.
    number: of the game in its store, 0 without one.

    Raises SettingsError for names that do not fit the table, AgentError for an unknown agent, and
    with a `folder` for the store what `Recorder.begin` raises.
    """

    def __init__(
        self,
        game: Game,
        settings: GameSettings,
        names: Sequence[str],
        seed: int,
        folder: Path | None = None,
    ) -> None:
        self._recorder: Recorder | None = None
        self._sit_down(game, settings, names, seed)
        if folder is not None:
            agents = [(name, "" if name == PERSON else fingerprint(name, game)) for name in names]
            self._recorder = Recorder.begin(folder, game, settings, agents, seed)
            self._keep()

    @classmethod
    def resume(cls, store: Path, number: int) -> "Session":
        """Go on with a game of a store: the file, or the folder it is in.

        Raises StoreError when it is not there, RecordError when it does not replay.
        """
        path = store / STORE if store.is_dir() else store
        with Store.open(path) as opened:
            stored = read_game(opened, number)
        session = cls.__new__(cls)
        session._sit_down(stored.game, stored.settings, stored.names, stored.seed)
        session._recorder = Recorder(path, number)
        play_on(session._chronicle, stored)
        return session

    def _sit_down(
        self, game: Game, settings: GameSettings, names: Sequence[str], seed: int
    ) -> None:
        if len(names) != settings.num_players or list(names).count(PERSON) > 1:
            raise SettingsError(
                f"{settings.num_players} seats need a name each, {PERSON!r} at most once; "
                f"not {', '.join(names)}"
            )
        self.game = game
        self.settings = settings
        self.names = tuple(names)
        self.seed = seed
        self.seat = self.names.index(PERSON) if PERSON in self.names else None
        self.fault = ""
        self._policies = {
            name: load_agent(name, game) for name in dict.fromkeys(names) if name != PERSON
        }
        self._chronicle = Chronicle(game, settings, seed, self.seat)

    # --- How it stands ---------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The table; it knows every card, so show a person `view` instead."""
        return self._chronicle.match

    @property
    def chronicle(self) -> Chronicle:
        """The table with its journal."""
        return self._chronicle

    @property
    def journal(self) -> list[list[Event]]:
        """What happened: the deal's events, then each move's."""
        return self._chronicle.journal

    @property
    def number(self) -> int:
        """The game's number in its store, 0 without one."""
        return self._recorder.number if self._recorder else 0

    @property
    def version(self) -> str:
        """A mark of how the game stands: a move that names it was meant for just this position."""
        moves = np.array(self.match.moves, "<u2").tobytes() + self.fault.encode()
        return f"{len(self.match.moves)}-{hashlib.blake2b(moves, digest_size=6).hexdigest()}"

    @property
    def over(self) -> bool:
        """Whether nothing is left to play: the game is over, or an agent failed."""
        return self.match.over or bool(self.fault)

    @property
    def asked(self) -> bool:
        """Whether the person has to decide."""
        return not self.over and self.match.current_player == self.seat

    @property
    def legal(self) -> list[int]:
        """The person's legal moves as actions; none while others have to move."""
        return np.flatnonzero(self.match.mask).tolist() if self.asked else []

    # --- What can be done ------------------------------------------------------------------------

    def play(self, action: int) -> list[Event]:
        """Play the person's move. Raises MoveError, and changes nothing, when it is not legal."""
        if not self.asked:
            raise MoveError("it is not your turn")
        if type(action) is not int:
            raise MoveError(f"an action is a whole number, not {action!r}")
        if action not in self.legal:
            raise MoveError(explain_illegal(self.game, self.match.state, action))
        return self._play(action)

    def step(self, lock: AbstractContextManager[Any] | None = None) -> list[Event]:
        """Let the agent that has to move play one move; nothing happens when none has to.

        An agent at fault is named in `fault`, and that is the end of the game.

        lock: held while the game changes, but not while the agent thinks, so that others may look.
        """
        if self.over or self.asked:
            return []
        name = self.names[self.match.current_player]
        try:
            action = self._ask(name)
        except AgentError as error:
            with lock or nullcontext():
                self.fault = f"agent {name!r} {error}"
            if self._recorder:
                self._recorder.keep(self.match, str(error))
            return []
        with lock or nullcontext():
            return self._play(action)

    @property
    def can_undo(self) -> bool:
        """Whether the person has made a move that can be taken back."""
        return self._last_own() is not None

    def undo(self) -> None:
        """Take back the person's last move and all that came after it.

        The same luck comes again. Raises MoveError when there is nothing to take back.
        """
        last = self._last_own()
        if last is None:
            raise MoveError("there is no move to take back")
        self.fault = ""
        self._chronicle.go_back(last)
        self._keep()

    def hint(self, name: str) -> hints.Hint:
        """What an agent would do in the person's place, knowing what the person knows.

        Raises MoveError when it is not the person's turn, AgentError for an agent that is unknown
        or fails.
        """
        if not self.asked:
            raise MoveError("a hint can be had when it is your turn")
        if name not in self._policies:
            self._policies[name] = load_agent(name, self.game)
        return hints.hint(self.match, name, self._policies[name])

    # --- Inside ----------------------------------------------------------------------------------

    def _play(self, action: int) -> list[Event]:
        events = self._chronicle.play(action)
        self._keep()
        return events

    def _keep(self) -> None:
        if self._recorder:
            self._recorder.keep(self.match)

    def _last_own(self) -> int | None:
        """How many moves were made before the person's last one."""
        mine = [k for k, seat in enumerate(self.match.current_players) if seat == self.seat]
        return mine[-1] if mine else None

    def _ask(self, name: str) -> int:
        """An agent's answer, with the luck that its seat has in this game."""
        policy = self._policies[name]
        match, number = self.match, list(self._policies).index(name)
        asker = AgentGuard([Player(each, one) for each, one in self._policies.items()])
        observations = hints.view(
            match, self._word(), information_states=wants_information_states(policy)
        )
        nobody = np.zeros(1, np.int64)
        actions, faults = asker.ask(number, observations, nobody, nobody)
        if faults:
            raise AgentError(faults[0])
        return int(actions[0])

    def _word(self) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
        """The random word of the decision that is due, the same after an undo."""
        asked, words = np.zeros((1, self.settings.num_players), np.int64), np.zeros(1, np.uint64)
        asked[0] = np.bincount(self.match.current_players, minlength=self.settings.num_players)
        games = self.game.new_states(self.settings, 1)
        games[0] = self.match.state
        draw_random_bits(games, np.zeros(1, np.int64), asked, words)
        return words


def play_on(chronicle: Chronicle, stored: StoredGame) -> None:
    """Play the moves of a stored game. Raises RecordError when one is not legal."""
    for number, action in enumerate(stored.actions, start=1):
        try:
            chronicle.play(action)
        except MoveError as error:
            raise RecordError(
                f"game {stored.number} does not replay: move {number}: {error}"
            ) from None
