"""Where a process gets an agent from: its name, or an object that travels as bytes."""

from dataclasses import dataclass, replace
from typing import Any

import cloudpickle

from ...agents.registry import fingerprint, is_code, load_agent
from ...envs.engine.game import Game
from ...errors import AgentError, describe_error, quoted
from ..tournament.guard import Player
from ..tournament.provenance import OBJECT


@dataclass(frozen=True)
class AgentSource:
    """An agent that any process can make; it pickles.

    Attributes:
        name: Its name in reports.
        given: What `load_agent` takes: its name, or an object as bytes of cloudpickle, with the
            functions and classes of `__main__` that it needs.
        is_own: Whether the bytes are an agent of the library.
    """

    name: str
    given: str | bytes
    is_own: bool = False

    @classmethod
    def named(cls, name: str) -> "AgentSource":
        """Return the source of an agent that is loaded by its name."""
        return cls(name, name)

    @classmethod
    def of_object(cls, name: str, agent: object) -> "AgentSource":
        """Return the source of an agent that is an object.

        Raises:
            AgentError: It cannot be pickled.
        """
        try:
            return cls(name, cloudpickle.dumps(agent))
        except Exception as error:
            reason = describe_error(error)
            raise AgentError(f"agent {quoted(name)} cannot be sent to workers: {reason}") from None

    def with_content(self, game: Game) -> "AgentSource":
        """Return a source that needs no file of this machine: weights travel as bytes.

        Raises:
            AgentError: It cannot be loaded.
            CheckpointError: Its checkpoint cannot be used.
        """
        if self.is_code or isinstance(self.given, bytes) or not fingerprint(self.given, game):
            return self
        return replace(self, given=cloudpickle.dumps(load_agent(self.given, game)), is_own=True)

    @property
    def is_code(self) -> bool:
        """Whether making it may run code of a user."""
        return not self.is_own and (isinstance(self.given, bytes) or is_code(self.given))

    def fingerprint(self, game: Game) -> str:
        """Return the fingerprint of its weights; `OBJECT` if no command can name it."""
        return fingerprint(self.name, game) if self.given == self.name else OBJECT

    def player(self, game: Game) -> Player:
        """Make the agent.

        Raises:
            AgentError: It cannot be made.
        """
        agent: Any = self.given
        if isinstance(agent, bytes):
            try:
                agent = cloudpickle.loads(agent)
            except Exception as error:
                raise AgentError(f"agent {quoted(self.name)}: {describe_error(error)}") from None
        return Player(self.name, load_agent(agent, game), self.fingerprint(game))
