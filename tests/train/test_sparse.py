"""Networks for inputs that are mostly zero, against plain matrix products."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from goldgriff.agents.heuristics.catalog import find_base_policy
from goldgriff.agents.mlp import MLP
from goldgriff.agents.network import ActionValueNetwork
from goldgriff.agents.value import critic_spec
from goldgriff.envs.engine.game import GAMES
from goldgriff.envs.engine.preview import ActionFeatures, action_spec, state_spec
from goldgriff.envs.policy import observation_batch
from goldgriff.errors import SettingsError
from goldgriff.train.sparse import SparseNet

from .small import new_envs, random_actions

STATES, INPUTS, ACTION_INPUTS = 7, 30, 40


def random_net(
    scale: NDArray[np.float32], hidden: list[int], action_scale: NDArray[np.float32] | None
) -> SparseNet:
    """Return a network none of whose weights is zero."""
    net, rng = SparseNet(scale, hidden, action_scale), torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.uniform_(-0.5, 0.5, generator=rng)
    return net


def scales(rng: np.random.Generator) -> list[NDArray[np.float32]]:
    return [rng.uniform(0.1, 1, size).astype(np.float32) for size in (INPUTS, ACTION_INPUTS)]


def features(rng: np.random.Generator) -> tuple[NDArray[np.uint8], ActionFeatures]:
    """Return states, of some of which no action is there, and actions, some without features."""
    raw = rng.integers(0, 256, (STATES, INPUTS), dtype=np.uint8)
    raw[rng.random(raw.shape) < 0.8] = 0
    rows = np.repeat(np.arange(STATES), rng.integers(0, 4, STATES))
    listed = rng.random((len(rows), ACTION_INPUTS)) < 0.1
    starts = np.concatenate([[0], listed.sum(axis=1).cumsum()])
    places = listed.nonzero()[1].astype(np.uint16)
    numbers = rng.integers(-300, 300, len(places)).astype(np.int16)
    return raw, ActionFeatures(rows, rows, starts, places, numbers)


def dense_values(net: SparseNet, raw: NDArray[np.uint8], actions: ActionFeatures | None) -> Tensor:
    """Return the outputs of a network by matrix products over all its inputs."""
    sums = torch.from_numpy(raw * net.scales[0]) @ net.first[0] + net.bias
    if actions is not None:
        inputs = np.zeros((len(actions.rows), ACTION_INPUTS), np.float32)
        sizes = np.diff(actions.starts)
        inputs[np.repeat(np.arange(len(sizes)), sizes), actions.places] = actions.numbers
        by_action = torch.from_numpy(inputs * net.scales[1]) @ net.first[1]
        sums = sums[torch.from_numpy(actions.rows)] + by_action
    for layer in net.rest:
        sums = layer(torch.relu(sums))
    values: Tensor = sums[:, 0]
    return values


@pytest.mark.parametrize("of_actions", [False, True])
def test_values_and_gradients_are_those_of_matrix_products(of_actions: bool) -> None:
    rng = np.random.default_rng(1)
    for hidden in ([5], [8, 6]):
        scale, action_scale = scales(rng)
        net = random_net(scale, hidden, action_scale if of_actions else None)
        raw, actions = features(rng)
        results = []
        for values in (
            net(raw, actions if of_actions else None),
            dense_values(net, raw, actions if of_actions else None),
        ):
            assert len(values) == (len(actions.rows) if of_actions else STATES)
            loss = (values * torch.linspace(-1, 2, len(values))).sum()
            results.append([values, *torch.autograd.grad(loss, list(net.parameters()))])
        for sparse, dense in zip(*results, strict=True):
            assert float(dense.detach().abs().max()) > 0
            assert torch.allclose(sparse, dense, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("name", GAMES)
def test_agents_compute_the_same(name: str) -> None:
    """Agent and critic have the layers of the networks; so has a network that loads them."""
    game, rng = GAMES[name], np.random.default_rng(1)
    envs = new_envs(3, game=game)
    for _ in range(5):
        envs.step(random_actions(envs.observe()[1], rng))
    batch = observation_batch(envs.batches[0], envs.rows, np.zeros(8, np.uint64), True)
    net = random_net(state_spec(game).scale, [8, 6], action_spec(game).scale)
    agent = ActionValueNetwork(net.export(), find_base_policy("expert", game), game)
    states, actions = agent.features(batch, agent.base_actions(batch))
    with torch.no_grad():
        values = net(states, actions)
        assert agent.values(states, actions) == pytest.approx(values.numpy(), rel=1e-3, abs=1e-3)
        other = SparseNet(state_spec(game).scale, [8, 6], action_spec(game).scale)
        other.load_layers(agent.layers)
        assert torch.equal(other(states, actions), values)
        critic = random_net(critic_spec(game).scale, [8], None)
        inputs = rng.integers(0, 3, (9, critic_spec(game).size), dtype=np.uint8)
        outputs = MLP(critic.export()).forward(inputs, critic_spec(game).scale)
        assert outputs[:, 0] == pytest.approx(critic(inputs).numpy(), rel=1e-3, abs=1e-3)
    assert values.std() > 0.01
    with pytest.raises(SettingsError, match="initial_policy must have layers of the shapes"):
        other.load_layers(critic.export())


def test_an_untrained_network_prefers_nothing() -> None:
    rng = np.random.default_rng(1)
    scale, action_scale = scales(rng)
    raw, actions = features(rng)
    assert not SparseNet(scale, [8, 6], action_scale)(raw, actions).any()
