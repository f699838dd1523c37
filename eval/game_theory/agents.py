"""The strategies of agents on a tree: what they would do in every information state.

An agent that tells its probabilities (`action_probabilities`, see `Policy`) is asked for them, one
that is deterministic for its action. Any other is asked again and again, with new random bits each
time, and how often it plays an action counts for its probability.

An agent that remembers its game is led through it: it gets the agent state of its last decision on
the way to an information state. Where its agent states depend on random bits, too, what it plays
in one decision tells what it plays in the next. Then a sample counts only where it would have
played as the history has it: that is how often its plans come up (Kuhn 1953).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.agent_state import AgentState, begin, has_agent_state, take_rows
from ...envs.batch import derive_seeds
from ...envs.engine import kernels
from ...envs.engine.game import explain_illegal
from ...envs.engine.protocol import Rows
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
from ...errors import AgentError, SettingsError, one_line, quoted
from ...naming import counted
from .tree import SequenceForm, Side, observe_nodes

AnyPolicy = Policy | RecurrentPolicy
SAMPLES = 64  # decisions in each information state, of an agent that tells no probabilities
MAX_SAMPLES = 100_000
EXACT, DETERMINISTIC, SAMPLED = "exact", "deterministic", "sampled"  # how strategies are known
_CHUNK = 32_768  # information states at a time
_CHUNK_OF_SAMPLES = 1_000_000  # of them times samples, where agent states are kept
_FIRST = -1  # in place of an information state: none was before


@dataclass(frozen=True)
class AgentStrategies:
    """Strategies of an agent in every seat of a tree.

    Attributes:
        strategies: For each player float64 (sequences,); see strategies.py.
        method: EXACT, DETERMINISTIC or SAMPLED.
        samples: Decisions that were asked for in each information state; 0 where probabilities were
            told.
    """

    strategies: list[NDArray[np.float64]]
    method: str
    samples: int


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
        agent: Whatever can play its game.
        samples: Decisions in each information state, if the agent is neither deterministic nor
            tells its probabilities.
        seed: Of their random bits.
        on_progress: Called with a line that says how far it is.

    Raises:
        AgentError: The agent fails, or plays what is illegal.
        SettingsError: There are no samples, or too many.
    """
    if type(samples) is not int or not 1 <= samples <= MAX_SAMPLES:
        raise SettingsError(f"samples must be from 1 to {MAX_SAMPLES}, not {quoted(samples)}")
    assert not tree.symmetric  # an agent may play the same game otherwise under other names
    method = SAMPLED
    if tells_probabilities(agent):
        method, samples = EXACT, 0
    elif getattr(agent, "deterministic", False) is True:
        method, samples = DETERMINISTIC, 1
    strategies = [
        _ask_seat(tree, seat, agent, samples, seed, on_progress) for seat in range(len(tree.sides))
    ]
    return AgentStrategies(strategies, method, samples)


def _ask_seat(
    tree: SequenceForm,
    seat: int,
    agent: AnyPolicy,
    samples: int,
    seed: int,
    on_progress: Callable[[str], None],
) -> NDArray[np.float64]:
    """Return the strategy of an agent in one seat; with `samples` 0 it tells its probabilities."""
    side, remembers = tree.sides[seat], has_agent_state(agent)
    owners = np.concatenate([[_FIRST], np.repeat(np.arange(len(side.parents)), _sizes(side))])
    strategy, done = side.uniform(), 0

    def report(before: int, more: int = 0) -> None:
        of = counted(len(side.parents), "information state")
        on_progress(f"player {seat + 1}: agent asked in {before + more:,} of {of}")

    for infosets in _chunks(owners[side.parents], samples if remembers else 0):
        report(done)
        batch = _batch(tree, seat, infosets, wants_information_states(agent))
        part = _Part(side, infosets, owners, batch)
        if samples == 0:
            part.ask_for_probabilities(agent, strategy)
        else:
            part.ask_for_actions(agent, samples, seed, strategy, partial(report, done))
        done += len(infosets)
    return strategy


def _sizes(side: Side) -> NDArray[np.int64]:
    return np.diff(side.starts)


def _chunks(previous: NDArray[np.int64], samples: int) -> Iterator[NDArray[np.int64]]:
    """Yield information states, ascending, in groups; what follows one is in its group.

    Args:
        previous: The information state before each, or _FIRST.
        samples: Agent states that are kept for each; 0 or 1 make large groups.
    """
    roots = np.arange(len(previous))
    for infoset in np.flatnonzero(previous != _FIRST):
        roots[infoset] = roots[previous[infoset]]
    order = np.argsort(roots, kind="stable")
    ends = np.flatnonzero(np.diff(roots[order], append=len(roots))) + 1
    most, start = min(_CHUNK, max(1, _CHUNK_OF_SAMPLES // max(1, samples))), 0
    for place, end in enumerate(ends):
        if place + 1 == len(ends) or ends[place + 1] - start > most:
            yield np.sort(order[start:end])
            start = int(end)


def _batch(
    tree: SequenceForm, seat: int, infosets: NDArray[np.int64], information_states: bool
) -> ObservationBatch:
    """Return what a player observes in some information states; random bits are still missing."""
    nodes = tree.sides[seat].nodes[infosets]
    observations = observe_nodes(tree.game, tree.settings, nodes, states=information_states)
    seats, states = np.full(len(nodes), seat), None
    if information_states:
        whole = tree.game.new_states(tree.settings, len(nodes))
        for name in whole.dtype.names or ():
            if name in observations.states.dtype.names and name != "_rest":
                whole[name] = observations.states[name]
        states = np.zeros_like(whole)
        kernels.information_states(whole, np.arange(len(nodes)), seats, states)
    players = np.full(len(nodes), tree.settings.num_players)
    bits = np.zeros(len(nodes), np.uint64)
    return ObservationBatch(
        *(tree.game, observations.raw, observations.masks, bits, states, seats), num_players=players
    )


@dataclass
class _Part:
    """Some information states of a player, with all that follow them.

    Attributes:
        side: Whose they are.
        infosets: Which of all, ascending.
        owners: The information state of each sequence of the side, or _FIRST.
        batch: What the player observes, a row for each.
        levels: Rows by the number of own decisions before them.
        previous: The row of the information state before each; _FIRST for none.
    """

    side: Side
    infosets: NDArray[np.int64]
    owners: NDArray[np.int64]
    batch: ObservationBatch
    levels: list[Rows] = field(init=False)
    previous: Rows = field(init=False)

    def __post_init__(self) -> None:
        before = self.owners[self.side.parents[self.infosets]]
        self.previous = np.where(before == _FIRST, _FIRST, np.searchsorted(self.infosets, before))
        self.levels, rows = [], np.flatnonzero(before == _FIRST)
        while len(rows):
            self.levels.append(rows)
            rows = np.flatnonzero(np.isin(self.previous, rows))

    def ask_for_probabilities(self, agent: AnyPolicy, strategy: NDArray[np.float64]) -> None:
        """Write the probabilities that an agent tells."""

        def ask_some(rows: Rows, state: AgentState) -> tuple[Any, AgentState]:
            batch = self.batch.take(rows)
            return run_foreign(lambda: ask_probabilities(agent, batch, state))

        probabilities = np.zeros(self.batch.masks.shape)
        self._ask_in_order(agent, ask_some, probabilities)
        rows, actions = np.nonzero(self.batch.masks)
        strategy[self._sequences(rows, actions)] = probabilities[rows, actions]

    def ask_for_actions(
        self,
        agent: AnyPolicy,
        samples: int,
        seed: int,
        strategy: NDArray[np.float64],
        report: Callable[[int], None],
    ) -> None:
        """Write how often an agent plays each action; `report` gets how much of it is done."""
        played, states = [], []
        for sample, own_seed in enumerate(derive_seeds(seed, samples)):
            report(len(self.infosets) * sample // samples)
            bits = derive_seeds(int(own_seed), len(self.side.parents))[self.infosets]
            actions, state = self._choose(agent, replace(self.batch, random_bits=bits))
            played.append(self._sequences(np.arange(len(self.infosets)), actions))
            states.append(state)
        rows, actions = np.nonzero(self.batch.masks)
        sequences = self._sequences(rows, actions)
        counts = np.bincount(np.concatenate(played), minlength=len(strategy))[sequences]
        if any(not _equal(states[0], state) for state in states):
            agreeing = self._count_agreeing(np.array(played), len(strategy))[sequences]
            reached = np.bincount(rows, agreeing)[rows] > 0
            counts = np.where(reached, agreeing, counts)
        strategy[sequences] = counts / np.bincount(rows, counts)[rows]

    def _choose(self, agent: AnyPolicy, batch: ObservationBatch) -> tuple[Rows, list[AgentState]]:
        """Return the actions of an agent, and its agent states after them, a level each."""

        def ask_some(rows: Rows, state: AgentState) -> tuple[Any, AgentState]:
            part = batch.take(rows)
            actions, state = run_foreign(lambda: ask(agent, part.copy(), state))
            return _checked(part, actions), state

        actions = np.zeros(len(batch), np.int64)
        return actions, self._ask_in_order(agent, ask_some, actions)

    def _ask_in_order(
        self,
        agent: AnyPolicy,
        ask_some: Callable[[Rows, AgentState], tuple[Any, AgentState]],
        answers: NDArray[Any],
    ) -> list[AgentState]:
        """Ask an agent, what comes before first, if it remembers its game.

        Args:
            agent: The agent.
            ask_some: Takes rows and their agent states; returns the answers and the next ones.
            answers: Where they are written, by row.

        Returns:
            The agent states after the decisions of each level; none for an agent without.
        """
        rows = np.arange(len(self.infosets))
        if not has_agent_state(agent):
            answers[:], _ = ask_some(rows, None)
            return []
        first, places = run_foreign(lambda: begin(agent)), np.zeros(len(rows), np.int64)
        states: list[AgentState] = []
        for level in self.levels:
            before = self.previous[level]
            state = take_rows(states[-1] if states else first, places[before] * bool(states))
            answers[level], after = ask_some(level, state)
            places[level] = np.arange(len(level))
            states.append(after)
        return states

    def _count_agreeing(self, played: Rows, num_sequences: int) -> Rows:
        """Return how often each sequence was played where all before it was, too.

        Args:
            played: The sequence that was played, (samples, rows).
            num_sequences: Of the side.
        """
        parents, agrees = self.side.parents[self.infosets], np.ones(played.shape, bool)
        for level in self.levels[1:]:
            before = self.previous[level]
            agrees[:, level] = agrees[:, before] & (played[:, before] == parents[level])
        return np.bincount(played[agrees], minlength=num_sequences)

    def _sequences(self, rows: Rows, actions: Rows) -> Rows:
        """Return the sequence of an action in each of some rows."""
        places = np.cumsum(self.batch.masks, axis=1, dtype=np.int16)[rows, actions]
        sequences: Rows = self.side.starts[self.infosets[rows]] + places - 1
        return sequences


def _checked(batch: ObservationBatch, actions: NDArray[Any]) -> Rows:
    """Return an agent's actions; raise AgentError unless they are legal, one a row."""
    if actions.shape != (len(batch),) or actions.dtype.kind not in "iu":
        given = f"{actions.dtype} of shape {actions.shape}"
        raise AgentError(one_line(f"gave {given}, not a whole number for each of {len(batch)}"))
    inside = (actions >= 0) & (actions < batch.masks.shape[1])
    legal = inside & (batch.masks[np.arange(len(batch)), np.where(inside, actions, 0)] == 1)
    if not legal.all():
        row = int(np.argmin(legal))
        mask, action = batch.masks[row], int(actions[row])
        raise AgentError(one_line(str(explain_illegal(batch.game, {"legal": mask}, action))))
    return actions.astype(np.int64)


def _equal(one: AgentState, other: AgentState) -> bool:
    """Return whether two agent states are the same."""
    if isinstance(one, dict):
        return all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return all(map(_equal, one, other))
    return np.array_equal(one, other)
