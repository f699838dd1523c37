"""Best responses by merging beliefs, against those of the whole tree."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.agents.registry import load_agent
from goldgriff.envs.engine.game import GAMES
from goldgriff.envs.engine.rng import pick_legal
from goldgriff.envs.policy import CompiledPolicy, ObservationBatch
from goldgriff.errors import AgentError, SettingsError
from goldgriff.eval.game_theory.agents import strategies_of
from goldgriff.eval.game_theory.beliefs import exploit_by_beliefs, probabilities_of
from goldgriff.eval.game_theory.exploit import exploit_on
from goldgriff.eval.game_theory.states import build_state_graph
from goldgriff.eval.game_theory.strategies import Strategies, best_response, nash_conv, values
from goldgriff.eval.game_theory.tree import SequenceForm, build_tree, observe_nodes

Probabilities = NDArray[np.float64]


def uniform(batch: ObservationBatch) -> Probabilities:
    """Return equal probabilities of the legal actions."""
    shares: Probabilities = batch.masks / batch.masks.sum(axis=1, keepdims=True)
    return shares


class Mixed:
    """Probabilities from a random linear function of the observation, which differ everywhere."""

    def __init__(self, seed: int, spread: float) -> None:
        self.seed, self.spread = seed, spread

    def __call__(self, batch: ObservationBatch) -> Probabilities:
        rng = np.random.default_rng(self.seed)
        weights = rng.normal(0, self.spread, (batch.raw.shape[1], batch.masks.shape[1]))
        logits = np.where(batch.masks == 1, batch.raw @ weights, -np.inf)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares: Probabilities = raised / raised.sum(axis=1, keepdims=True)
        return shares


def on_tree(tree: SequenceForm, policies: list[Any]) -> Strategies:
    """Return what policies play, as strategies on a tree."""
    strategies = []
    for side, policy in zip(tree.sides, policies, strict=True):
        order = np.argsort(side.nodes)
        observations = observe_nodes(tree.game, tree.settings, side.nodes[order])
        bits = np.zeros(len(order), np.uint64)
        played = np.empty(observations.masks.shape)
        played[order] = policy(
            ObservationBatch(tree.game, observations.raw, observations.masks, bits)
        )
        infosets = np.repeat(np.arange(len(order)), np.diff(side.starts))
        strategies.append(np.concatenate([[1.0], played[infosets, side.actions[1:]]]))
    return strategies


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        ("auruxxx", "tiny-a"),
        ("auruxxx", "tiny-c"),
        pytest.param("gluecksgriff", "tiny-b", marks=pytest.mark.long),
    ],
)
def test_beliefs_lead_to_the_best_response_of_the_tree(name: str, preset: str) -> None:
    """The same histories, values and best responses, whatever is played; for three players too.

    A large spread makes all but pure strategies, whose small probabilities are no zeros.
    """
    game = GAMES[name]
    settings = game.read_settings({"preset": preset})
    tree, graph = build_tree(game, settings), build_state_graph(game, settings)
    assert graph.num_histories == tree.num_histories
    seats = range(settings.num_players)
    for policies in (
        [uniform for _ in seats],
        [Mixed(seat, 0.5) for seat in seats],
        [Mixed(10 + seat, 30.0) for seat in seats],
    ):
        response = exploit_by_beliefs(game, settings, seated(policies), graph=graph)
        strategies = on_tree(tree, policies)
        best = [best_response(tree, strategies, seat).value for seat in seats]
        assert response.best_responses == pytest.approx(best, abs=1e-9)
        assert response.values == pytest.approx(values(tree, strategies), abs=1e-9)
        assert response.nash_conv == pytest.approx(nash_conv(tree, strategies), abs=1e-9)
        assert max(response.num_beliefs) < len(tree.sides[-1].parents)


def seated(policies: Sequence[Any]) -> Any:
    """Return the policy that is another one in each seat."""

    def probabilities(batch: ObservationBatch) -> Any:
        assert batch.seats is not None
        assert len(set(batch.seats)) == 1
        return policies[batch.seats[0]](batch)

    return probabilities


@pytest.mark.parametrize("name", ["auruxxx", pytest.param("gluecksgriff", marks=pytest.mark.long)])
def test_large_games_are_refused(name: str) -> None:
    game = GAMES[name]
    with pytest.raises(SettingsError, match=r"has endlessly many nodes, .* enough: tiny-a, "):
        build_state_graph(game, game.read_settings({"num_players": 2}))
    with pytest.raises(SettingsError, match=r"has about \de\+\d\d nodes, and more than 99 of"):
        build_state_graph(game, game.read_settings({"preset": "tiny-a"}), limit=99)


def test_only_probabilities_of_legal_actions_are_taken() -> None:
    game = GAMES["auruxxx"]
    settings = game.read_settings({"preset": "tiny-a"})
    graph = build_state_graph(game, settings)

    def refused(policies: Any, match: str) -> None:
        with pytest.raises(AgentError, match=match):
            exploit_by_beliefs(game, settings, policies, graph=graph)

    refused(lambda batch: uniform(batch) / 2, "no probabilities")
    refused(lambda batch: np.full(batch.masks.shape, 1 / batch.masks.shape[1]), "no probabilities")
    refused(lambda batch: uniform(batch)[:, :5], r"of shape \(\d+, 5\)")


def test_agents_are_asked_or_refused() -> None:
    """What they tell, or play for sure; who sees more than the present observation is refused."""
    game = GAMES["auruxxx"]
    settings = game.read_settings({"preset": "tiny-a"})
    graph, tree = build_state_graph(game, settings), build_tree(game, settings)
    for name in ("random", "expert"):
        agent = load_agent(name, game)
        response = exploit_by_beliefs(game, settings, probabilities_of(agent), graph=graph)
        in_tree = exploit_on(tree, strategies_of(tree, agent))
        assert response.values == pytest.approx(in_tree.values, abs=1e-9)
        assert response.best_responses == pytest.approx(in_tree.best_responses, abs=1e-9)
    for agent in (load_agent("search", game), CompiledPolicy(pick)):
        with pytest.raises(AgentError, match="can be exploited in a tree only"):
            probabilities_of(agent)


def pick(_raw: Any, mask: Any, random_bits: Any) -> int:
    """Return a random legal action."""
    return pick_legal(mask, random_bits)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_small_presets_go_beyond_trees(name: str) -> None:
    """At least 1e8 histories, in minutes."""
    game = GAMES[name]
    settings = game.read_settings({"preset": "small-a"})
    graph = build_state_graph(game, settings)
    assert graph.num_histories >= 1e8
    for policy in (uniform, Mixed(1, 0.5)):
        response = exploit_by_beliefs(game, settings, policy, graph=graph)
        assert abs(response.values.sum()) < 1e-9
        assert (response.best_responses >= response.values).all()
        assert response.nash_conv > 0.1
