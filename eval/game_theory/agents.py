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
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...envs.agent_state import AgentState, begin, has_agent_state, take_rows
from ...envs.batch import derive_seeds
from ...envs.engine import kernels
from ...envs.engine.game import Game
from ...envs.engine.listing import copy_fields
from ...envs.engine.protocol import Rows
from ...envs.engine.reading import read_seed, read_whole
from ...envs.engine.settings import GameSettings
from ...envs.policy import (
    ObservationBatch,
    Policy,
    RecurrentPolicy,
    ask_probabilities,
    run_foreign,
    tells_probabilities,
    wants_information_states,
)
from ...naming import counted
from ..tournament.guard import AgentGuard, Player
from .strategies import Strategies
from .tree import Progress, SequenceForm, Side, observe_nodes, silent

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

    strategies: Strategies
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
    on_progress: Progress = silent,
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

        rows = np.searchsorted(nodes, side.nodes)
        raw, masks = observations.raw[rows], observations.masks[rows]
        states = observations.states[rows] if wants_states else None
        batch = observed_batch(tree.game, tree.settings, seat, raw, masks, states)
        asked_side = _AskedSide(agent, side, batch)
        if method == SAMPLED:
            strategies.append(asked_side.sample(samples, seed, report))
        else:
            report(0)
            strategies.append(asked_side.exact())
    return AgentStrategies(strategies, method, {EXACT: 0, DETERMINISTIC: 1}.get(method, samples))


def observed_batch(
    game: Game, settings: GameSettings, seat: int, raw: Any, masks: Any, states: Any = None
) -> ObservationBatch:
    """Return what a seat observes in some decisions; the random bits are zeros.

    Args:
        game: The game.
        settings: Its settings.
        seat: The seat.
        raw: uint8 (rows, observation_spec.size).
        masks: int8 (rows, actions).
        states: States of a tree, (rows,), for an agent that wants information states.
    """
    seats, information_states = np.full(len(raw), seat), None
    if states is not None:
        whole = game.new_states(settings, len(raw))
        copy_fields(states, whole)
        information_states = np.zeros_like(whole)
        kernels.information_states(whole, np.arange(len(raw)), seats, information_states)
    bits, players = np.zeros(len(raw), np.uint64), np.full(len(raw), settings.num_players)
    return ObservationBatch(game, raw, masks, bits, information_states, seats, players)


class _AskedSide:
    """An agent that is asked in all information states of a player.

    Attributes:
        agent: The agent.
        side: What the player can do.
        batch: What it observes, a row for each information state.
        previous: int64 (information states,), the one before each; _FIRST for none.
        levels: Information states that are asked for together: by the number of own decisions
            before them if the agent remembers its game.
    """

    def __init__(self, agent: AnyPolicy, side: Side, batch: ObservationBatch) -> None:
        self.agent, self.side, self.batch = agent, side, batch
        self.previous = side.owners[side.parents]
        if not has_agent_state(agent):
            count = len(self.previous)
            self.levels = [np.arange(k, min(k + _CHUNK, count)) for k in range(0, count, _CHUNK)]
            return
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
            The agent states after the decisions of each level; None for an agent without.
        """
        states: list[AgentState] = []
        has_state = has_agent_state(self.agent)
        state = run_foreign(lambda: begin(self.agent)) if has_state else None
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
    guard, rows = AgentGuard([Player("", cast(Policy, agent))]), np.arange(len(batch))
    actions, faults, state = guard.ask(0, batch, rows, rows, state)
    if faults:
        raise faults[min(faults)].as_error()
    return actions, state


def _equal(state: AgentState, other: AgentState) -> bool:
    """Return whether two agent states are the same."""
    if isinstance(state, dict):
        return all(_equal(state[key], other[key]) for key in state)
    if isinstance(state, list | tuple):
        return all(map(_equal, state, other))
    return np.array_equal(state, other)
