"""Networks as agents, alone and by number of players."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from goldgriff.agents.checkpoints import MAX_WEIGHT, load_network, save_network
from goldgriff.agents.ensemble import PlayerCountEnsemble
from goldgriff.agents.levels import LEVELS, LevelPolicy
from goldgriff.agents.network import CHUNK, GREEDY_SCALE, ActionValueNetwork, Network
from goldgriff.agents.pretrained import PretrainedAgent
from goldgriff.envs.auruxxx import AURUXXX
from goldgriff.envs.auruxxx.rules import ACTIONS
from goldgriff.envs.batch import derive_seeds
from goldgriff.envs.engine.game import GAMES, Game
from goldgriff.envs.engine.preview import Previewer, action_spec, state_spec
from goldgriff.envs.policy import ObservationBatch, wants_information_states
from goldgriff.errors import AgentError

from .helpers import (
    random_action_value_network,
    random_network,
    rows_of,
    some_observations,
)


def test_a_network_samples_by_its_probabilities() -> None:
    network, observations = random_network(), some_observations(rows=1)
    random_bits = derive_seeds(1, 40_000)
    many = rows_of(observations, [0] * len(random_bits), random_bits)
    legal = observations.masks[0] == 1
    probabilities = np.where(legal, np.exp(network.logits(observations)[0].astype(float)), 0)
    probabilities /= probabilities.sum()
    seen = np.bincount(network.act(many), minlength=len(ACTIONS)) / len(random_bits)
    assert (seen[~legal] == 0).all()
    assert np.abs(seen - probabilities).max() < 0.01


def test_each_number_of_players_has_its_network() -> None:
    """Given many numbers of players at once, each plays with its own; the last with the rest."""
    networks = [random_network(seed) for seed in range(3)]
    together = PlayerCountEnsemble(networks)
    parts = [some_observations(6, num_players=players) for players in (2, 3, 4, 6)]
    mixed = np.random.default_rng(1).permutation(24)
    every = ObservationBatch(
        AURUXXX,
        np.concatenate([part.raw for part in parts])[mixed],
        np.concatenate([part.masks for part in parts])[mixed],
        np.concatenate([part.random_bits for part in parts])[mixed],
    )
    alone = list(zip((networks[k] for k in (0, 1, 2, 2)), parts, strict=True))
    acts = np.concatenate([network.act(part) for network, part in alone])
    np.testing.assert_array_equal(together.act(every), acts[mixed])
    probabilities = np.concatenate([network.action_probabilities(part) for network, part in alone])
    np.testing.assert_allclose(
        together.action_probabilities(every), probabilities[mixed], atol=1e-5
    )
    assert together.for_num_players(6) is networks[2]


def test_a_network_whose_numbers_overflow_is_at_fault(tmp_path: Path) -> None:
    """Every weight may be in a checkpoint; the sums of many layers are no numbers any more."""
    widths = [AURUXXX.observation_spec.size, *10 * [32], len(ACTIONS)]
    layers = [
        (np.full((out, into), (-1) ** out * MAX_WEIGHT, np.float32), np.zeros(out, np.float32))
        for into, out in pairwise(widths)
    ]
    save_network(tmp_path / "large.safetensors", Network(layers), AURUXXX, {})
    network = load_network(tmp_path / "large.safetensors", AURUXXX)
    observations = some_observations(3)
    for agent in (network, PlayerCountEnsemble([network]), LevelPolicy(network, LEVELS["level-1"])):
        for ask in (agent.act, agent.action_probabilities):
            with pytest.raises(AgentError, match="too large to compute with"):
                ask(observations)


def test_an_agent_of_no_numbers_plays_legal_actions() -> None:
    """An agent of somebody else's may return anything as logits."""

    class Nonsense(PretrainedAgent):
        def logits(self, batch: ObservationBatch) -> NDArray[np.float32]:
            return np.full(batch.masks.shape, np.nan, np.float32)

    observations = some_observations(50)
    actions = Nonsense().act(observations)
    assert (observations.masks[np.arange(50), actions] == 1).all()


def dense_values(
    network: ActionValueNetwork, batch: ObservationBatch, base_actions: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The values of all actions by matrix products, (rows, actions); NaN where illegal."""
    specs = state_spec(batch.game), action_spec(batch.game)
    assert batch.information_states is not None
    states, actions = Previewer(batch.game).features(
        batch.information_states, batch.raw, batch.masks, base_actions
    )
    values = np.full(batch.masks.shape, np.nan)
    for k, row in enumerate(actions.rows):
        inputs = np.zeros(sum(spec.size for spec in specs))
        inputs[: specs[0].size] = states[row] * specs[0].scale.astype(float)
        for n in range(actions.starts[k], actions.starts[k + 1]):
            scale = float(specs[1].scale[actions.places[n]])
            inputs[specs[0].size + int(actions.places[n])] = actions.numbers[n] * scale
        for number, (weight, bias) in enumerate(network.layers):
            inputs = weight.astype(float) @ (np.maximum(inputs, 0) if number else inputs) + bias
        values[row, actions.actions[k]] = inputs[0]
    return values


@pytest.mark.parametrize("advice", [True, False])
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_logits_are_action_values(game: Game, advice: bool) -> None:
    """By features of state and action, and a margin for the action of the base policy."""
    network = random_action_value_network(game, 0.02, advice=advice)
    batch, rows = some_observations(CHUNK + 100, game=game, num_players=3), np.arange(CHUNK + 100)
    base_actions = network.base_policy.policy.act(batch)
    values = dense_values(network, batch, base_actions if advice else np.full_like(rows, -1))
    if advice:
        values[rows, base_actions] += 0.02
    legal = batch.masks == 1
    logits = network.logits(batch)
    np.testing.assert_allclose(logits[legal], GREEDY_SCALE * values[legal], rtol=1e-4, atol=1e-3)
    assert not logits[~legal].any()


def test_who_plays_by_action_values_asks_for_information_states() -> None:
    network, batch = random_action_value_network(), some_observations(3)
    for agent in (
        network,
        PlayerCountEnsemble([random_network(), network]),
        LevelPolicy(network, LEVELS["level-6"]),
    ):
        assert wants_information_states(agent)
    assert not wants_information_states(PlayerCountEnsemble([random_network()]))
    assert not wants_information_states(LevelPolicy(random_network(), LEVELS["level-6"]))
    with pytest.raises(AgentError, match="needs information_states"):
        network.act(ObservationBatch(AURUXXX, batch.raw, batch.masks, batch.random_bits))
