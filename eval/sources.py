"""Where a process gets an agent from: its name, or an object that travels as bytes."""

from dataclasses import dataclass
from typing import Any

import cloudpickle

from ..agents.registry import fingerprint, is_code, load_agent
from ..envs.engine.game import Game
from ..errors import AgentError, describe_error
from .guard import Player
from .provenance import OBJECT


@dataclass(frozen=True)
class AgentSource:
    """An agent that any process can make; it pickles.

    Attributes:
        name: Its name in reports; without an object also what `load_agent` takes.
        pickled: The object by cloudpickle, with functions and classes of `__main__`; or b"".
    """

    name: str
    pickled: bytes = b""

    @classmethod
    def of(cls, name: str, agent: Any) -> "AgentSource":
        """Return the source of an agent that is an object, or of one of that name.

        Raises:
            AgentError: The object cannot be pickled.
        """
        if isinstance(agent, str):
            return cls(name)
        try:
            return cls(name, cloudpickle.dumps(agent))
        except Exception as error:
            reason = describe_error(error)
            raise AgentError(f"agent {name!r} cannot be sent to workers: {reason}") from None

    @property
    def is_code(self) -> bool:
        """Whether making it may run code of a user."""
        return bool(self.pickled) or is_code(self.name)

    def fingerprint(self, game: Game) -> str:
        """Return the fingerprint of its weights; `OBJECT` for an object."""
        return OBJECT if self.pickled else fingerprint(self.name, game)

    def player(self, game: Game) -> Player:
        """Make the agent.

        Raises:
            AgentError: It cannot be made.
        """
        return Player(self.name, load_agent(self._given(), game), self.fingerprint(game))

    def _given(self) -> Any:
        if not self.pickled:
            return self.name
        try:
            return cloudpickle.loads(self.pickled)
        except Exception as error:
            raise AgentError(f"agent {self.name!r}: {describe_error(error)}") from None
