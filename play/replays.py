"""A stored game looked at move by move, with all hands open."""

from pathlib import Path
from typing import Any

from ..eval.recorder import UNFINISHED
from ..eval.replay import read_game
from ..eval.store import Store, StoreError
from .chronicle import Chronicle
from .session import play_on
from .state import shown
from .wording import Words


class Replay:
    """One game of a store, told to its end. `at` shows it after any number of moves.

    finished: whether it must be over: a game that goes on would show its hidden cards.

    Raises StoreError for a game that is not there or goes on, TranscriptError for one that does not
    replay.
    """

    def __init__(self, path: Path, number: int, *, finished: bool = False) -> None:
        with Store.open(path) as store:
            self.stored = read_game(store, number)
            (self.last,) = store.one("SELECT max(game) FROM games")
        self.unfinished = self.stored.reason == UNFINISHED
        if finished and self.unfinished:
            raise StoreError(f"game {number} is still being played")
        stored = self.stored
        self._whole = Chronicle(stored.game, stored.settings, stored.seed, None)
        play_on(self._whole, stored)

    @property
    def moves(self) -> int:
        """How many moves were made in all."""
        return len(self.stored.actions)

    def at(self, moves: int, language: str) -> dict[str, Any]:
        """The game after so many moves, as `shown`; `total` and `last` are for finding one's way.

        total: moves in all. last: the number of the last game in the store. fault: who forfeited
        the game and why, at its end. unfinished: whether it ends there because nobody went on.
        """
        moves = max(0, min(moves, self.moves))
        stored = self.stored
        chronicle = Chronicle(stored.game, stored.settings, stored.seed, None)
        for action in stored.actions[:moves]:
            chronicle.match.act(action)
        chronicle.journal = self._whole.journal[: moves + 1]
        ended, fault = moves == self.moves, ""
        if stored.forfeiter is not None and ended and not self.unfinished:
            fault = f"{stored.names[stored.forfeiter]}: {stored.reason}"
        return {
            **shown(chronicle, Words(language, stored.settings, stored.names)),
            "number": stored.number,
            "last": self.last,
            "total": self.moves,
            "fault": fault,
            "unfinished": self.unfinished and ended,
        }
