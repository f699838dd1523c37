"""The strategies of agents on a tree: what they would do in every information state.

An agent with `action_probabilities` (see `Policy`) is asked for them, a deterministic agent for its
action. Any other agent is asked several times, each time with new random bits, and the frequency of
an action is the estimate of its probability.

An agent that remembers its game gets, in an information state, the agent state of its last decision
on the way there. If its agent states depend on random bits, too, an action is no longer independent
of the actions before it. Then a sample counts only where the same sample has played the actions
that lead to the information state: that is how often its plans come up (Kuhn 1953).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.agent_state import AgentState, begin, has_agent_state, take_rows
from ...envs.batch import derive_seeds
from ...envs.engine import kernels
from ...envs.engine.game import Game, explain_illegal
from ...envs.engine.listing import copy_fields
from ...envs.engine.protocol import Rows
from ...envs.engine.reading import read_seed, read_whole
from ...envs.engine.settings import GameSettings
from ...envs.policy import (
    ObservationBatch,
    Policy,
    RecurrentPolicy,
    ask,
    ask_probabilities,
    run_foreign,
    tells_probabilities,
    wants_information_states,
)
from ...errors import AgentError, one_line
from ...naming import counted
from .tree import SequenceForm, Side, observe_nodes
from .walk import NodeObservations

AnyPolicy = Policy | RecurrentPolicy
SAMPLES = 64  # decisions in each information state, of an agent without probabilities
MAX_SAMPLES = 100_000
EXACT, DETERMINISTIC, SAMPLED = "exact", "deterministic", "sampled"  # how strategies are known
_CHUNK = 32_768  # information states that an agent is asked for at a time
_FIRST = -1  # in place of the information state before the first one


@dataclass(frozen=True)
class AgentStrategies:
    """Strategies of an agent in every seat of a tree.

    Attributes:
        strategies: For each player float64 (sequences,); see strategies.py.
        method: EXACT, DETERMINISTIC or SAMPLED.
        samples: Decisions that were asked for in each information state; 0 with exact
            probabilities.
    """

    strategies: list[NDArray[np.float64]]
    method: str
    samples: int


def method_of(agent: AnyPolicy) -> str:
    """Return how the strategy of an agent can be known: EXACT, DETERMINISTIC or SAMPLED."""
    if tells_probabilities(agent):
        return EXACT
    return DETERMINISTIC if getattr(agent, "deterministic", False) is True else SAMPLED


def exact_probabilities(
    agent: AnyPolicy, batch: ObservationBatch, state: AgentState = None
) -> tuple[NDArray[np.float64], AgentState]:
    """Return the probabilities of an exact or deterministic agent's actions, and its agent state.

    Args:
        agent: The agent.
        batch: The decisions.
        state: The agent state of each row; None for an agent that has none.

    Returns:
        float64 (rows, actions), and the agent state of each row after the decision.

    Raises:
        AgentError: The agent fails, or its answer is not legal.
    """
    if tells_probabilities(agent):
        return run_foreign(lambda: ask_probabilities(agent, batch, state))
    actions, state = _ask_actions(agent, batch, state)
    return np.eye(batch.masks.shape[1])[actions], state


def read_samples(samples: int) -> int:
    """Return how often an agent is asked in each information state, if it is allowed."""
    return read_whole("samples", samples, 1, MAX_SAMPLES)


def strategies_of(
    tree: SequenceForm,
    agent: AnyPolicy,
    *,
    samples: int = SAMPLES,
    seed: int = 1,
    on_progress: Callable[[str], None] = lambda _: None,
) -> AgentStrategies:
    """Return what an agent plays in every seat.

    Args:
        tree: The tree.
        agent: Any agent of its game.
        samples: Decisions in each information state, if the agent is neither deterministic nor has
            `action_probabilities`.
        seed: Of their random bits.
        on_progress: Called with a line of text that says how far it is.

    Raises:
        AgentError: The agent fails, or its answer is not legal.
        SettingsError: `samples` or `seed` is out of range.
    """
    samples, seed = read_samples(samples), read_seed(seed)
    assert not tree.symmetric  # an agent may play the same game otherwise under other names
    nodes = np.sort(np.concatenate([side.nodes for side in tree.sides]))
    wants_states = wants_information_states(agent)
    observations = observe_nodes(tree.game, tree.settings, nodes, states=wants_states)
    method, strategies = method_of(agent), []
    for seat, side in enumerate(tree.sides):
        size = counted(len(side.parents), "information state")

        def report(count: int, seat: int = seat, size: str = size) -> None:
            on_progress(f"player {seat + 1}: agent asked in {count:,} of {size}")

        batch = _batch(tree, seat, observations, np.searchsorted(nodes, side.nodes))
        asked_side = _AskedSide(agent, side, batch)
        if method == SAMPLED:
            strategies.append(asked_side.sample(samples, seed, report))
        else:
            report(0)
            strategies.append(asked_side.exact())
    return AgentStrategies(strategies, method, {EXACT: 0, DETERMINISTIC: 1}.get(method, samples))


def _batch(
    tree: SequenceForm, seat: int, observations: NodeObservations, rows: Rows
) -> ObservationBatch:
    """Return what a player observes in its information states; random bits are still missing."""
    states = None
    if len(observations.states):
        states = seen_states(tree.game, tree.settings, observations.states[rows], seat)
    return ObservationBatch(
        tree.game,
        observations.raw[rows],
        observations.masks[rows],
        np.zeros(len(rows), np.uint64),
        states,
        np.full(len(rows), seat),
        num_players=np.full(len(rows), tree.settings.num_players),
    )


def seen_states(game: Game, settings: GameSettings, states: Any, seat: int) -> NDArray[Any]:
    """Return states of a tree as agents get them: the information states of a seat, (states,)."""
    whole = game.new_states(settings, len(states))
    copy_fields(states, whole)
    seen = np.zeros_like(whole)
    rows = np.arange(len(states))
    kernels.information_states(whole, rows, np.full(len(states), seat), seen)
    return seen


class _AskedSide:
    """An agent that is asked in all information states of a player.

    Attributes:
        agent: The agent.
        side: What the player can do.
        batch: What it observes, a row for each information state.
        previous: int64 (information states,), the one before each; _FIRST for none.
        levels: Information states by the number of own decisions before them.
    """

    def __init__(self, agent: AnyPolicy, side: Side, batch: ObservationBatch) -> None:
        self.agent, self.side, self.batch = agent, side, batch
        self.previous = side.owners[side.parents]
        self.levels, rows = [], np.flatnonzero(self.previous == _FIRST)
        while len(rows):
            self.levels.append(rows)
            rows = np.flatnonzero(np.isin(self.previous, rows))

    def exact(self) -> NDArray[np.float64]:
        """Return the strategy of an agent whose probabilities are known, (sequences,)."""
        strategy = np.ones(self.side.num_sequences)

        def write(rows: Rows, chances: NDArray[np.float64]) -> None:
            legal = self.batch.masks[rows] == 1
            strategy[np.isin(self.side.owners, rows)] = chances[legal]

        self._ask_in_order(exact_probabilities, self.batch, write)
        return strategy

    def sample(self, samples: int, seed: int, report: Callable[[int], None]) -> NDArray[np.float64]:
        """Return how often an agent plays each action, (sequences,)."""
        side, count = self.side, len(self.side.parents)
        places = np.cumsum(self.batch.masks, axis=1, dtype=np.int16) - 1
        played = np.empty((samples, count), np.int64)
        actions, first_states, differ = np.empty(count, np.int64), None, False
        for sample, own_seed in enumerate(derive_seeds(seed, samples)):
            report(count * sample // samples)
            batch = replace(self.batch, random_bits=derive_seeds(int(own_seed), count))
            states = self._ask_in_order(_ask_actions, batch, actions.__setitem__)
            played[sample] = side.starts[:-1] + places[np.arange(count), actions]
            first_states = states if sample == 0 else first_states
            differ = differ or not _equal(first_states, states)
        counts = np.bincount(played.ravel(), minlength=side.num_sequences)[1:]
        infosets = side.owners[1:]
        if differ:
            agreeing = self._count_agreeing(played)[1:]
            reached = np.bincount(infosets, agreeing)[infosets] > 0
            counts = np.where(reached, agreeing, counts)
        return np.concatenate([[1.0], counts / np.bincount(infosets, counts)[infosets]])

    def _ask_in_order(
        self,
        ask_rows: Callable[..., tuple[NDArray[Any], AgentState]],
        batch: ObservationBatch,
        write: Callable[[Rows, NDArray[Any]], None],
    ) -> list[AgentState]:
        """Ask the agent; if it remembers its game, earlier decisions come first.

        Args:
            ask_rows: `exact_probabilities` or `_ask_actions`.
            batch: What is observed.
            write: Takes rows, ascending, and the answers there.

        Returns:
            The agent states after the decisions of each level; none for an agent without.
        """
        if not has_agent_state(self.agent):
            for start in range(0, len(batch), _CHUNK):
                rows = np.arange(start, min(start + _CHUNK, len(batch)))
                write(rows, ask_rows(self.agent, batch.take(rows))[0])
            return []
        states: list[AgentState] = []
        state = run_foreign(lambda: begin(self.agent))
        places = np.zeros(len(batch), np.int64)  # of each row in its level
        for level in self.levels:
            before = places[self.previous[level]] if states else np.zeros(len(level), np.int64)
            answers, state = ask_rows(self.agent, batch.take(level), take_rows(state, before))
            write(level, answers)
            places[level] = np.arange(len(level))
            states.append(state)
        return states

    def _count_agreeing(self, played: Rows) -> Rows:
        """Return how often each sequence was played where all before it was, too.

        Args:
            played: The sequence that was played, (samples, information states).
        """
        parents, agrees = self.side.parents, np.ones(played.shape, bool)
        for level in self.levels[1:]:
            before = self.previous[level]
            agrees[:, level] = agrees[:, before] & (played[:, before] == parents[level])
        return np.bincount(played[agrees], minlength=self.side.num_sequences)


def _ask_actions(
    agent: AnyPolicy, batch: ObservationBatch, state: AgentState = None
) -> tuple[Rows, AgentState]:
    """Return an agent's actions, int64 (rows,), and its agent state; see `exact_probabilities`."""
    actions, state = run_foreign(lambda: ask(agent, batch.copy(), state))
    if actions.shape != (len(batch),) or actions.dtype.kind not in "iu":
        answer = f"{actions.dtype} of shape {actions.shape}"
        raise AgentError(one_line(f"gave {answer}, not a whole number for each of {len(batch)}"))
    inside = (actions >= 0) & (actions < batch.masks.shape[1])
    legal = inside & (batch.masks[np.arange(len(batch)), np.where(inside, actions, 0)] == 1)
    if not legal.all():
        row = int(np.argmin(legal))
        mask, action = batch.masks[row], int(actions[row])
        raise AgentError(one_line(str(explain_illegal(batch.game, {"legal": mask}, action))))
    return actions.astype(np.int64), state


def _equal(state: AgentState, other: AgentState) -> bool:
    """Return whether two agent states are the same."""
    if isinstance(state, dict):
        return all(_equal(state[key], other[key]) for key in state)
    if isinstance(state, list | tuple):
        return all(map(_equal, state, other))
    return np.array_equal(state, other)
