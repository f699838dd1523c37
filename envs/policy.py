"""The interface of everything that plays: observations in, actions out, many games at a time."""

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import AgentError, GoldgriffError, describe_error, one_line
from ..naming import AGENT_LOADER
from .agent_state import AgentState, begin, has_agent_state, split_answer
from .batch import Batch
from .engine import kernels
from .engine.compile import PolicyFunction, address_of, compile_policy
from .engine.game import Game, explain_illegal
from .engine.protocol import Masks, RawObservations, Rows
from .engine.rng import pick_legal

Result = TypeVar("Result")


@dataclass(frozen=True)
class ObservationBatch:
    """What the current players of some games observe, one row for each decision that is due.

    Attributes:
        game: The kind of game.
        raw: uint8 (rows, observation_spec.size), the fields of the observation as whole numbers.
        masks: int8 (rows, actions), 1 for each legal action; every row has at least one.
        random_bits: uint64 (rows,), fresh for each decision. An agent that takes all its
            randomness from them decides the same however games are batched.
        information_states: The games as the current players know them, (rows,), for a policy with
            `wants_information_states = True`; None for any other.
        seats: int64 (rows,), the seats of the players that decide, and
        num_players: int64 (rows,), the numbers of players; None where they do not matter.
    """

    game: Game
    raw: RawObservations
    masks: Masks
    random_bits: NDArray[np.uint64]
    information_states: NDArray[Any] | None = None
    seats: Rows | None = None
    num_players: Rows | None = None

    def __len__(self) -> int:
        return len(self.raw)

    def take(self, rows: Rows) -> "ObservationBatch":
        """Return some of the rows."""
        game, *arrays = vars(self).values()
        chosen: list[Any] = [None if array is None else array[rows] for array in arrays]
        return ObservationBatch(game, *chosen)

    def copy(self) -> "ObservationBatch":
        """Return the same with arrays of its own."""
        return self.take(np.arange(len(self)))

    @property
    def scaled(self) -> NDArray[np.float32]:
        """The observations scaled for a network, float32 (rows, observation_spec.size)."""
        return self.game.observation_spec.to_float(self.raw)


class Policy(Protocol):
    """Whatever can play.

    A policy with the attribute `wants_information_states = True` is given
    `ObservationBatch.information_states`. One with `slow = True` takes long for a decision and is
    asked about one game at a time. One with `deterministic = True` does not use random bits: it
    always decides the same where it is given the same. One that remembers its games is a
    `RecurrentPolicy`.

    A policy may tell its probabilities, by a method `action_probabilities` that takes what `act`
    takes. It returns float64 (rows, actions) in place of the actions: 0 for illegal ones, and each
    row sums to 1. `act` must choose by them, independently in every decision.
    """

    def act(self, batch: ObservationBatch) -> Rows:
        """Return a legal action for each row, int64 (rows,)."""
        ...


class RecurrentPolicy(Protocol):
    """A policy that remembers its games; see `agent_state.py`."""

    def initial_agent_state(self, rows: int) -> AgentState:
        """Return the agent state with which `rows` games begin."""
        ...

    def act(self, batch: ObservationBatch, agent_state: AgentState) -> tuple[Rows, AgentState]:
        """Return a legal action for each row, int64 (rows,), and the next agent state."""
        ...


class Agent(ABC):
    """A policy that also acts on an environment; all agents of the library are.

    Attributes:
        game: The game that it plays; None for an agent of any game.
    """

    game: Game | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.game.name if self.game else 'any game'})"

    @abstractmethod
    def act(self, batch: ObservationBatch) -> Rows:
        """Return a legal action for each row, int64 (rows,)."""

    def act_on(self, env: object) -> int:
        """Return an action for the seat that decides next; see `act_on`."""
        return act_on(self, env)


def act_on(policy: Policy | RecurrentPolicy, env: object) -> int:
    """Return a policy's action for the seat that decides next; nothing is played.

    The random bits follow from the game's seed, the seat and how many decisions the seat has made
    (`draw_random_bits` in engine/kernels.py), as in a tournament. So the same moves come after the
    same `reset(seed)`, whoever else is asked.

    Args:
        policy: Whatever can play; it is given copies.
        env: A `Match`, an AEC environment or a single-agent environment; also in wrappers.

    Raises:
        AgentError: The policy plays another game, or returns no legal action.
        MoveError: The game is over.
        ResetError: There is no game yet.
        GoldgriffError: `env` is none of these.
    """
    unwrapped: Any = getattr(env, "unwrapped", env)
    if not hasattr(type(unwrapped), "observation_batch"):
        raise GoldgriffError(
            "act_on takes a Match, an AEC environment or a single-agent environment of goldgriff, "
            f"not {type(unwrapped).__qualname__}"
        )
    batch = unwrapped.observation_batch(information_states=wants_information_states(policy))
    state = agent_state_of(policy, getattr(unwrapped, "match", unwrapped))
    own = getattr(policy, "game", None)
    if isinstance(own, Game) and own is not batch.game:
        raise AgentError(code="agent-plays", other=own.name, game=batch.game.name)
    actions, _ = ask(policy, batch.copy(), state)
    if actions.shape != (1,) or actions.dtype.kind not in "iu":
        answer = one_line(f"{actions.dtype} of shape {actions.shape}")
        raise AgentError(code="wrong-number", given=answer)
    action = int(actions[0])
    if not 0 <= action < batch.masks.shape[1] or not batch.masks[0, action]:
        error = explain_illegal(batch.game, {"legal": batch.masks[0]}, action)
        raise AgentError(code="chose", reason=error)
    return action


def tells_probabilities(policy: Policy | RecurrentPolicy) -> bool:
    """Return whether a policy has the method `action_probabilities`; see `Policy`."""
    return callable(getattr(policy, "action_probabilities", None))


def ask_probabilities(
    policy: Policy | RecurrentPolicy, batch: ObservationBatch, state: AgentState = None
) -> tuple[NDArray[np.float64], AgentState]:
    """Return the probabilities that a policy tells, and its new agent state; see `ask`.

    Returns:
        float64 (rows, actions), and the agent state of each row.

    Raises:
        AgentError: They are no probabilities of the legal actions, or the agent state is of another
            kind.
    """
    asked: Any = policy
    if state is None:
        answer = np.array(asked.action_probabilities(batch))
    else:
        answer, state = split_answer(asked.action_probabilities(batch, state), state)
    if answer.shape != batch.masks.shape or answer.dtype.kind not in "iuf":
        told, shape = f"{answer.dtype} and shape {answer.shape}", str(batch.masks.shape)
        raise AgentError(code="probabilities-shape", given=told, shape=shape)
    probabilities = answer.astype(np.float64)
    sums = probabilities.sum(axis=1)
    legal = np.where(batch.masks == 1, probabilities, 0.0)
    if not ((legal == probabilities).all() and (legal >= 0).all() and (abs(sums - 1) < 1e-5).all()):
        raise AgentError(code="probabilities")
    return probabilities / sums[:, None], state


def ask(
    policy: Policy | RecurrentPolicy, batch: ObservationBatch, state: AgentState = None
) -> tuple[NDArray[Any], AgentState]:
    """Return what a policy answers, as arrays of their own, and its new agent state.

    Args:
        policy: Whatever can play.
        batch: The decisions.
        state: The agent state of each row; None for a policy that has none.

    Raises:
        AgentError: It has an agent state and returns none, or one of another kind.
    """
    if state is None:
        return np.array(policy.act(batch)), None  # type: ignore[call-arg]
    return split_answer(policy.act(batch, state), state)  # type: ignore[call-arg]


def agent_state_of(policy: Policy | RecurrentPolicy, match: Any) -> AgentState:
    """Return a policy's agent state in a `Match` for the seat that decides next, one row.

    It follows from what the seat has observed since the start, whoever has decided for it; None for
    a policy that has none.

    Raises:
        AgentError: As `ask`.
    """
    if not has_agent_state(policy):
        return None
    state, again = begin(policy), match.begin_again()
    information_states = wants_information_states(policy)
    for seat, action in zip(match.players, match.moves, strict=True):
        if seat == match.current_player:
            batch = again.observation_batch(information_states=information_states)
            _, state = ask(policy, batch, state)
        again.act(action)
    return state


def load_policy(given: object, game: Game) -> Policy:
    """Return the policy that is meant: by its name, or as an object or function.

    Above this folder, `goldgriff` sets what loads names (naming.py).

    Raises:
        AgentError: There is no such agent.
    """
    (load,) = AGENT_LOADER
    policy: Policy = load(given, game)
    return policy


def observation_batch(
    batch: Batch, rows: Rows, random_bits: NDArray[np.uint64], information_states: bool = False
) -> ObservationBatch:
    """Return what the current players of some rows observe.

    Args:
        batch: The games.
        rows: Which of them.
        random_bits: uint64 (rows,), for the decisions.
        information_states: Whether to add them.
    """
    seats = batch.current_players[rows].astype(np.int64)
    states = None
    if information_states:
        states = np.zeros(len(rows), batch.states.dtype)
        kernels.information_states(batch.states, rows, seats, states)
    return ObservationBatch(
        batch.game,
        *batch.observe(seats, rows),
        random_bits,
        states,
        seats,
        num_players=np.full(len(rows), batch.settings.num_players),
    )


def wants_information_states(policy: Policy | RecurrentPolicy) -> bool:
    """Return whether a policy asks for `ObservationBatch.information_states`."""
    return getattr(policy, "wants_information_states", False) is True


class CompiledPolicy(Agent):
    """An agent that is one compiled function: it decides inside kernels, without Python.

    Args:
        function: `function(raw, mask, random_bits) -> action`; see `compile_policy`.
        deterministic: Whether it does not use the random bits; see `Policy`.
    """

    def __init__(self, function: PolicyFunction, *, deterministic: bool = False) -> None:
        self._function = function
        self.deterministic = deterministic

    @property
    def module(self) -> str:
        """The name of the module that the function comes from."""
        return str(getattr(self._function, "__module__", ""))

    @property
    def policy_function(self) -> Any:
        """The compiled function, for kernels."""
        return compile_policy(self._function)

    def act(self, batch: ObservationBatch) -> Rows:
        """Return a legal action for each row, int64 (rows,)."""
        actions = np.empty(len(batch), np.int64)
        raw, masks = np.ascontiguousarray(batch.raw), np.ascontiguousarray(batch.masks)
        address = address_of(self.policy_function)
        kernels.act_each(address, raw, masks, batch.random_bits, actions)
        return actions


def is_compiled(policy: Policy) -> TypeGuard[CompiledPolicy]:
    """Return whether kernels may ask the compiled function in place of `act`."""
    return isinstance(policy, CompiledPolicy) and type(policy).act is CompiledPolicy.act


class RandomPolicy(CompiledPolicy):
    """Plays legal actions at random, each equally likely."""

    def __init__(self) -> None:
        super().__init__(_pick)

    def action_probabilities(self, batch: ObservationBatch) -> NDArray[np.float64]:
        """Return the probability of each action, float64 (rows, actions); 0 for illegal ones."""
        legal = (batch.masks == 1).astype(np.float64)
        probabilities: NDArray[np.float64] = legal / legal.sum(axis=1, keepdims=True)
        return probabilities


def _pick(_raw: NDArray[np.uint8], mask: NDArray[np.int8], random_bits: np.uint64) -> int:
    return pick_legal(mask, random_bits)


def is_own_compiled(policy: Policy) -> bool:
    """Return whether a policy is a compiled function of the library, which writes to no mask."""
    package = __name__.partition(".")[0]
    return is_compiled(policy) and policy.module.partition(".")[0] == package


def run_foreign(work: Callable[[], Result]) -> Result:
    """Return what the code of an agent returns; whatever else it does is an AgentError.

    A child process that it has forked, and that comes back here, ends. NumPy's error handling is as
    before, and functions that were replaced in `numpy` are put back.

    Raises:
        AgentError: It raises any exception, or has replaced functions of NumPy.
        KeyboardInterrupt: A person has interrupted it, in the main thread.
    """
    process, functions = os.getpid(), dict(vars(np))
    try:
        with np.errstate():
            return work()
    except BaseException as error:
        in_main = threading.current_thread() is threading.main_thread()  # the one interrupted
        if in_main and isinstance(error, KeyboardInterrupt):
            raise
        description = describe_error(error)
        raise AgentError(code="failed", error=description) from None
    finally:
        if os.getpid() != process:
            os._exit(0)
        now = vars(np)
        replaced = [name for name, value in functions.items() if now.get(name) is not value]
        if replaced:
            now.update(functions)
            names = one_line(f"numpy.{', numpy.'.join(replaced)}")
            raise AgentError(code="replaced", names=names)
