"""Agents out of what users have: plain functions, and objects of which only `act` is known."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..envs.engine.protocol import Rows
from ..envs.match import whole_number
from ..envs.policy import Agent, ObservationBatch, Policy, RecurrentPolicy
from ..errors import AgentError, MoveError, quoted

Info = dict[str, int]
ActionFunction = Callable[[NDArray[np.float32], NDArray[np.int8], Info], int | np.integer[Any]]

# What `load_agent` takes: a name or path, an object with `act`, the class of one, or a function.
AgentLike = (
    str | Path | Policy | RecurrentPolicy | type[Policy] | type[RecurrentPolicy] | ActionFunction
)


class FunctionAgent(Agent):
    """Plays by a function that is called for one decision at a time.

    Args:
        function: `function(observation, action_mask, info) -> action` with the observation, float32
            (observation_spec.size,), the mask, int8 (actions,), 1 for each legal action, and a dict
            of whole numbers: `seat`, `num_players` and `random_bits` (64 bits, fresh for each
            decision; a function that takes all its randomness from them plays reproducibly). They
            are copies.
    """

    def __init__(self, function: ActionFunction) -> None:
        self.function = function

    def act(self, batch: ObservationBatch) -> Rows:
        """Return what the function returns for each row, (rows,)."""
        if batch.seats is None or batch.num_players is None:
            raise AgentError("a function needs seats and num_players in its ObservationBatch")
        names = "seat", "num_players", "random_bits"
        columns = batch.seats.tolist(), batch.num_players.tolist(), batch.random_bits.tolist()
        infos = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
        rows = zip(batch.scaled, batch.masks.copy(), infos, strict=True)
        return np.array([_action(self.function(*row)) for row in rows], np.int64)


def _action(returned: Any) -> int:
    """Return what a function returned as an action. Raises TypeError when it is none."""
    try:
        return whole_number(returned)
    except MoveError:
        raise TypeError(f"returned {quoted(returned)}, not an action: a whole number") from None


class ForeignAgent(Agent):
    """Plays by an object that has `act`; everything else is asked of the object, too."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def __getattr__(self, name: str) -> Any:
        if name == "policy" or name.startswith("__"):  # not there yet while it is unpickled
            raise AttributeError(name)
        return getattr(self.policy, name)

    def act(self, batch: ObservationBatch, *agent_state: Any) -> Any:
        """Return what the object returns: actions, and an agent state if it has one."""
        return self.policy.act(batch, *agent_state)


def as_policy(agent: object) -> Agent:
    """Return an agent made of an object with `act`, a class of such objects, or a function.

    Args:
        agent: A class is called without arguments; for a function see `FunctionAgent`.

    Raises:
        AgentError: It is none of these.
    """
    if isinstance(agent, type):
        agent = agent()
    if isinstance(agent, Agent):
        return agent
    if callable(getattr(agent, "act", None)):
        return ForeignAgent(agent)  # type: ignore[arg-type]
    if callable(agent):
        return FunctionAgent(agent)
    raise AgentError(
        f"{type(agent).__name__} has no method act(observations) and is no function "
        "(observation, action_mask, info) -> action"
    )
