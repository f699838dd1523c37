"""Exact best responses to agents that use only the present observation, in games beyond trees.

What such an agent plays depends on the state alone. So of a player's past only its belief counts:
the probabilities of the states that it may be in, given what it has observed, what it has done, and
how the others play. Histories with equal beliefs have the same best continuation and are expanded
once. The player itself has perfect recall, so the values are those of the tree.

The others have neither an agent state nor a history of events.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.agent_state import has_agent_state
from ...envs.engine.compile import kernel
from ...envs.engine.game import Game
from ...envs.engine.settings import GameSettings
from ...envs.policy import ObservationBatch, wants_information_states
from ...errors import AgentError
from ...naming import counted
from .agents import SAMPLED, AnyPolicy, exact_probabilities, method_of, observed_batch
from .belief_links import MAX_LINKS, Beliefs, Links, Steps, back_up, follow_all
from .states import END, Level, StateGraph, build_state_graph
from .strategies import Exploitability
from .tree import Progress, silent

SETTLED = 1e-13  # returns that differ by less are equal

# Returns the probability of each action, float64 (rows, actions), 0 for illegal ones.
ActionProbabilities = Callable[[ObservationBatch], NDArray[np.float64]]


def probabilities_of(agent: AnyPolicy) -> ActionProbabilities:
    """Return an agent's probabilities, or 1 for the action of a deterministic agent.

    Raises:
        AgentError: It uses more than the present observation, or it is neither deterministic nor
            has `action_probabilities`.
    """
    if has_agent_state(agent) or wants_information_states(agent) or method_of(agent) == SAMPLED:
        raise AgentError(
            "an agent that remembers its game, wants information states, or is random without "
            "action_probabilities can be exploited in a tree only, such as that of a preset tiny-a"
        )
    return lambda batch: exact_probabilities(agent, batch)[0]


@dataclass(frozen=True)
class ExploitedByBeliefs(Exploitability):
    """What best responses gain, found by beliefs.

    Attributes:
        num_beliefs: Beliefs of each player in which a decision of it may change its result.
        num_states: States of the game.
    """

    num_beliefs: list[int]
    num_states: int

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, as `goldgriff exploit --json` writes them."""
        return {**super().to_dict(), "states": self.num_states, "beliefs": self.num_beliefs}


def exploit_by_beliefs(
    game: Game,
    settings: GameSettings,
    policy: ActionProbabilities,
    *,
    graph: StateGraph | None = None,
    on_progress: Progress = silent,
) -> ExploitedByBeliefs:
    """Return the value of the best response of each player, with the returns of `reward="win"`.

    Args:
        game: The game.
        settings: Its settings.
        policy: The policy of all players: a function that returns the probability of each action
            from present observations alone (`random_bits` are zeros, there are no
            `information_states`; each call has rows of one seat), such as
            `Network.action_probabilities`; `probabilities_of` returns that of an agent.
        graph: The states of the game, if they were built before.
        on_progress: Called with a line of text that says how far it is.

    Raises:
        AgentError: A policy does not return probabilities of the legal actions.
        SettingsError: The game is too large; the message estimates how large it is.
    """
    graph = graph or build_state_graph(game, settings, on_progress=on_progress)
    on_progress(f"agent asked in {counted(len(graph.raw), 'observation')}")
    chances = _ask(graph, policy)
    played = [_played(level, chances) for level in graph.levels]
    best = [
        _best_response(graph, played, seat, on_progress) for seat in range(settings.num_players)
    ]
    values, counts = np.array([value for value, _ in best]), [count for _, count in best]
    own = _values(graph, played)
    return ExploitedByBeliefs(own, values, graph.num_histories, counts, graph.num_states)


def _ask(graph: StateGraph, policy: ActionProbabilities) -> NDArray[np.float64]:
    """Return what is played at each observation, float64 (observations, actions)."""
    chances = np.zeros(graph.masks.shape)
    for seat in range(graph.settings.num_players):
        rows = np.flatnonzero(graph.seats == seat)
        raw, masks = graph.raw[rows], graph.masks[rows]
        batch = observed_batch(graph.game, graph.settings, seat, raw, masks)
        answer = np.asarray(policy(batch), np.float64)
        if answer.shape != batch.masks.shape:
            raise AgentError(
                f"a policy gave probabilities of shape {answer.shape}, not {batch.masks.shape}"
            )
        legal = (answer >= 0).all() and not answer[batch.masks == 0].any()
        if not legal or not np.allclose(answer.sum(axis=1), 1, rtol=0, atol=1e-6):
            raise AgentError("a policy gave numbers that are no probabilities of legal actions")
        chances[rows] = answer
    return chances


def _played(level: Level, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that each edge's action is played in its state, (edges,)."""
    if level.players[0] < 0:  # the deal
        return np.ones(len(level.edges.actions))
    observations = np.repeat(level.observations, np.diff(level.starts))
    return probabilities[observations, level.edges.actions]


def _values(graph: StateGraph, played: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the mean returns of the players, (players,)."""
    values = np.zeros((1, graph.settings.num_players))
    for level, shares in zip(graph.levels[::-1], played[::-1], strict=True):
        brought = level.edges.gains.copy()
        follows = level.edges.targets != END
        brought[follows] += values[level.edges.targets[follows]]
        brought *= (shares * level.edges.chances)[:, None]
        values = np.add.reduceat(brought, level.starts[:-1], axis=0)
    return np.asarray(values[0])


# --- The best response of one player ------------------------------------------------------------


def _best_response(
    graph: StateGraph, played: Sequence[NDArray[np.float64]], seat: int, on_progress: Progress
) -> tuple[float, int]:
    """Return the value of the best response of a player, and how many beliefs it has."""
    bounds = _bounds(graph, played, seat)
    beliefs = Beliefs(np.array([0, 1]), np.zeros(1, np.int32), np.ones(1))
    chain: list[Links] = []
    count = num_beliefs = 0
    for depth, level in enumerate(graph.levels):
        if len(beliefs.starts) == 1:
            break
        on_progress(f"best response of player {seat + 1}: {counted(num_beliefs, 'belief')}")
        steps = _steps(level, played[depth], bounds[depth + 1], seat)
        links, beliefs = follow_all(beliefs, steps, MAX_LINKS - count)
        chain.append(links)
        count += len(links.targets)
        num_beliefs += len(links.choices) - 1
    values = np.zeros(0)
    for links in chain[::-1]:
        following, values = values, np.zeros(len(links.choices) - 1)
        back_up(links, following, values)
    return float(values[0]), num_beliefs


def _bounds(
    graph: StateGraph, played: Sequence[NDArray[np.float64]], seat: int
) -> list[NDArray[np.float64]]:
    """Return the lowest and highest value of each state for a player that sees everything.

    Returns:
        float64 (states, 2) for each level, and one of no states.
    """
    bounds = [np.zeros((0, 2))]
    for level, shares in zip(graph.levels[::-1], played[::-1], strict=True):
        own = np.zeros((len(level.players), 2))
        write_bounds(level, shares, seat, bounds[-1], own)
        bounds.append(own)
    return bounds[::-1]


def _steps(
    level: Level, shares: NDArray[np.float64], bounds: NDArray[np.float64], seat: int
) -> Steps:
    """Return the edges of a level as one player observes them.

    Args:
        level: The level.
        shares: The probability of each edge's action.
        bounds: See `_bounds`, of the next level.
        seat: The player.
    """
    edges, sizes = level.edges, np.diff(level.starts)
    own = np.repeat(level.players == seat, sizes)
    chances = np.where(own, edges.chances, shares * edges.chances)
    gains, open_ = edges.gains[:, seat].copy(), edges.targets != END
    follows = np.flatnonzero(open_)
    low, high = bounds[edges.targets[follows]].T
    settled = high - low < SETTLED
    gains[follows[settled]] += high[settled]
    open_[follows[settled]] = False
    played = np.flatnonzero(open_ & (chances > 0))
    _, signals = np.unique(edges.signals[played, seat], return_inverse=True)
    num_targets = max(len(bounds), 1)
    pairs, places = np.unique(
        signals.astype(np.int64) * num_targets + edges.targets[played], return_inverse=True
    )
    ranks = np.full(len(own), END, np.int64)
    ranks[played] = places
    actions = np.where(own, edges.actions, -1).astype(np.int16)
    signals, targets = pairs // num_targets, pairs % num_targets
    return Steps(level.starts, actions, chances, gains, ranks, signals, targets)


@kernel
def write_bounds(level: Level, shares: Any, seat: int, following: Any, bounds: Any) -> None:
    """Write the lowest and highest value of each state; see `_bounds`.

    Args:
        level: The level.
        shares: The probability of each edge's action.
        seat: The player.
        following: Both values of the states of the next level.
        bounds: Written.
    """
    starts, edges = level.starts, level.edges
    for state in range(len(level.players)):
        own = level.players[state] == seat
        edge, end = starts[state], starts[state + 1]
        first = True
        while edge < end:
            action, low, high = edges.actions[edge], 0.0, 0.0
            while edge < end and (not own or edges.actions[edge] == action):
                chance = edges.chances[edge] if own else edges.chances[edge] * shares[edge]
                target, gained = edges.targets[edge], edges.gains[edge, seat]
                low += chance * (gained + (following[target, 0] if target != END else 0.0))
                high += chance * (gained + (following[target, 1] if target != END else 0.0))
                edge += 1
            bounds[state, 0] = low if first else min(bounds[state, 0], low)
            bounds[state, 1] = high if first else max(bounds[state, 1], high)
            first = False
